package statusline

import "ctxguard/zones"

// The colours of the zones, by their numbers in the palette of 256. They are not
// the sixteen that a terminal's theme chooses, whose yellow can hardly be read on
// white: these are dark enough for a light background and light enough for a dark
// one, and the same in every theme.
const (
	PaletteSmart      = 29
	PaletteAcceptable = 136
	PaletteDumb       = 160

	smartColour      = "\x1b[38;5;29m"
	acceptableColour = "\x1b[38;5;136m"
	dumbColour       = "\x1b[38;5;160m"
)

// Colour is the start of the colour that a zone is shown in; "\x1b[0m" ends it.
func Colour(z zones.Zone) string {
	switch z {
	case zones.Smart:
		return smartColour
	case zones.Acceptable:
		return acceptableColour
	case zones.Dumb:
		return dumbColour
	}
	return dim
}
