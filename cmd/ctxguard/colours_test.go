//go:build unix

package main_test

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// leastContrast is what WCAG 2.2 asks of large text and of graphics (1.4.11). No
// colour has more than 4.6 against black and white both.
const leastContrast = 3.0

type rgb [3]float64

var (
	black = rgb{0, 0, 0}
	white = rgb{255, 255, 255}
)

// luminance and contrast are those of WCAG 2.2.
func (c rgb) luminance() float64 {
	var linear rgb
	for i, v := range c {
		if v /= 255; v <= 0.04045 {
			linear[i] = v / 12.92
		} else {
			linear[i] = math.Pow((v+0.055)/1.055, 2.4)
		}
	}
	return 0.2126*linear[0] + 0.7152*linear[1] + 0.0722*linear[2]
}

func contrast(a, b rgb) float64 {
	light, dark := max(a.luminance(), b.luminance()), min(a.luminance(), b.luminance())
	return (light + 0.05) / (dark + 0.05)
}

// shade is the colour that SGR parameters give a text, on that background. Faint is
// half way to it, as xterm and its like draw it. It reports false for parameters
// that are not understood.
func shade(parameters string, background rgb) (rgb, bool) {
	foreground := white
	if background == white {
		foreground = black
	}
	switch n, _ := strconv.Atoi(strings.TrimPrefix(parameters, "38;5;")); {
	case parameters == "0", parameters == "", parameters == "1":
		return foreground, true
	case parameters == "2":
		for i := range foreground {
			foreground[i] = (foreground[i] + background[i]) / 2
		}
		return foreground, true
	case strings.HasPrefix(parameters, "38;5;"):
		return palette(n), true
	case n >= 30 && n <= 37:
		return palette(n - 30), true
	case n >= 90 && n <= 97:
		return palette(n - 82), true
	}
	return rgb{}, false
}

// palette is xterm's.
func palette(n int) rgb {
	basic := []rgb{
		{0, 0, 0}, {205, 0, 0}, {0, 205, 0}, {205, 205, 0}, {0, 0, 238}, {205, 0, 205}, {0, 205, 205}, {229, 229, 229},
		{127, 127, 127}, {255, 0, 0}, {0, 255, 0}, {255, 255, 0}, {92, 92, 255}, {255, 0, 255}, {0, 255, 255}, {255, 255, 255},
	}
	if n < len(basic) {
		return basic[n]
	}
	if n >= 232 {
		grey := float64(8 + 10*(n-232))
		return rgb{grey, grey, grey}
	}
	steps := []float64{0, 95, 135, 175, 215, 255}
	n -= len(basic)
	return rgb{steps[n/36], steps[n/6%6], steps[n%6]}
}

// What is shown in colour can be read on a dark and on a light background.
func TestColoursCanBeReadOnDarkAndLight(t *testing.T) {
	t.Parallel()
	m := everyKind(t)
	var all strings.Builder
	for _, words := range [][]string{{"status"}, {"status", sawtooth}, {"status", steady}, {"status", blank}} {
		all.WriteString(m.atSize(120, 40, nil, words...))
	}
	payloads, err := filepath.Glob("../../testdata/payloads/statusline-*.json")
	require.NoError(t, err)
	for _, payload := range payloads {
		raw, err := os.ReadFile(payload)
		require.NoError(t, err)
		line := exec.Command(filepath.Join(binaries, "ctxguard"), "statusline")
		line.Env, line.Stdin = newMachine(t).environ(), strings.NewReader(string(raw))
		out, err := line.Output()
		require.NoError(t, err)
		all.Write(out)
	}
	used := make(map[string]bool)
	for _, sequence := range regexp.MustCompile(`\x1b\[([^a-zA-Z]*)([a-zA-Z])`).FindAllStringSubmatch(all.String(), -1) {
		require.Equal(t, "m", sequence[2], "%q", sequence[0])
		used[sequence[1]] = true
	}
	require.Greater(t, len(used), 4, "three zones, faint, and the end of them")
	for parameters := range used {
		for name, background := range map[string]rgb{"black": black, "white": white} {
			colour, ok := shade(parameters, background)
			require.True(t, ok, "%q is no colour that is known here", parameters)
			require.GreaterOrEqual(t, contrast(colour, background), leastContrast, "%q on %s", parameters, name)
		}
	}

	// The measure itself: xterm's yellow cannot be read on white.
	yellow, ok := shade("33", white)
	require.True(t, ok)
	require.InDelta(t, 1.7, contrast(yellow, white), 0.1)
	require.InDelta(t, 21, contrast(black, white), 0.001)
}
