package zones

// The bands that are used where zones.toml gives none. Upper bounds are
// inclusive. They are a declared judgement, not a benchmark; Seed says where
// each number comes from.
const (
	DefaultSmartMaxPercent      = 50
	DefaultAcceptableMaxPercent = 75

	Class200k                = 200_000
	Default200kSmartMax      = 100_000
	Default200kAcceptableMax = 160_000

	Class1M                = 1_000_000
	Default1MSmartMax      = 200_000
	Default1MAcceptableMax = 400_000
)

// percentFull is the top of the percentage scale, where clients clamp (facts A.1).
const percentFull = 100

// Bands is the understood form of zones.toml. It is plain data that survives
// encoding/json unchanged, so that it can be kept in a cache.
type Bands struct {
	// SmartMaxPercent and AcceptableMaxPercent are the inclusive upper bounds of
	// the percentage shape.
	SmartMaxPercent      float64 `json:"smart_max_percent"`
	AcceptableMaxPercent float64 `json:"acceptable_max_percent"`
	// Tokens has one row for each window class, ascending by Class.
	Tokens []TokenBand `json:"tokens,omitempty"`
	// Windows has the entries of [window] in the order of the file; the first
	// whose glob matches wins.
	Windows []WindowRule `json:"windows,omitempty"`
}

// TokenBand holds the inclusive upper bounds, in tokens of occupancy, for true
// windows of Class tokens and more, up to the next class.
type TokenBand struct {
	Class         int64 `json:"class"`
	SmartMax      int64 `json:"smart_max"`
	AcceptableMax int64 `json:"acceptable_max"`
}

// WindowRule names the true window, in tokens, of the models whose id matches
// Glob: letter case is ignored, * stands for any run of characters, and every
// other character, brackets included, for itself.
type WindowRule struct {
	Glob string `json:"glob"`
	Size int64  `json:"size"`
}

// DefaultBands are the bands where zones.toml says nothing.
func DefaultBands() Bands {
	return Bands{
		SmartMaxPercent:      DefaultSmartMaxPercent,
		AcceptableMaxPercent: DefaultAcceptableMaxPercent,
		Tokens: []TokenBand{
			{Class: Class200k, SmartMax: Default200kSmartMax, AcceptableMax: Default200kAcceptableMax},
			{Class: Class1M, SmartMax: Default1MSmartMax, AcceptableMax: Default1MAcceptableMax},
		},
	}
}

// Valid reports whether b keeps the rules that ParseBands checks: a cached
// form that does not must be thrown away.
func (b Bands) Valid() bool {
	if !validPercents(b.SmartMaxPercent, b.AcceptableMaxPercent) || len(b.Tokens) == 0 {
		return false
	}
	for i, row := range b.Tokens {
		if !row.valid() || i > 0 && row.Class <= b.Tokens[i-1].Class {
			return false
		}
	}
	for _, rule := range b.Windows {
		if rule.Glob == "" || !validCount(rule.Size) {
			return false
		}
	}
	return true
}

// validPercents is false for NaN too: no comparison with it is true.
func validPercents(smart, acceptable float64) bool {
	return 0 < smart && smart < acceptable && acceptable <= percentFull
}

func (t TokenBand) valid() bool {
	return 0 < t.SmartMax && t.SmartMax < t.AcceptableMax && t.AcceptableMax <= t.Class && validCount(t.Class)
}

func validCount(n int64) bool { return 0 < n && n <= MaxCount }

// row is the band of the largest class that is not larger than window.
func (b Bands) row(window int64) (TokenBand, bool) {
	var best TokenBand
	found := false
	for _, row := range b.Tokens {
		if row.Class <= window && (!found || row.Class > best.Class) {
			best, found = row, true
		}
	}
	return best, found
}

// Bounds are the occupancies, in tokens of a true window of that size, up to
// which a conversation is smart and acceptable: of the two shapes the one that
// says so first counts. The percentage looks at the input alone, so where it does,
// the bound is that of a last response without output. They are for drawing;
// Resolve decides.
func (b Bands) Bounds(window int64) (smart, acceptable int64, ok bool) {
	if window <= 0 || window > MaxCount {
		return 0, 0, false
	}
	smart = int64(b.SmartMaxPercent / percentFull * float64(window))
	acceptable = int64(b.AcceptableMaxPercent / percentFull * float64(window))
	if row, ok := b.row(window); ok {
		smart, acceptable = min(smart, row.SmartMax), min(acceptable, row.AcceptableMax)
	}
	return smart, acceptable, true
}

// zoneOf places value between two inclusive upper bounds.
func zoneOf(value, smartMax, acceptableMax float64) Zone {
	switch {
	case value <= smartMax:
		return Smart
	case value <= acceptableMax:
		return Acceptable
	}
	return Dumb
}
