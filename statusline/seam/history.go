package seam

import (
	"bytes"
	"strconv"
	"time"

	"github.com/tidwall/gjson"
)

// Point is one line of a session's history: the occupancy from that moment on.
type Point struct {
	Time time.Time
	// Tokens is input and output of the last response together.
	Tokens int64
	// Percent and Window are what the client reported; zero when it did not.
	Percent float64
	Window  int64
}

const (
	maxHistory = rotateAt + 1<<20
	// maxNumber is how many digits of a number are copied: JSON allows any number
	// of them, and a line of the history is short.
	maxNumber = 32
	// maxTokens is more than any count of tokens.
	maxTokens = 1 << 50
)

// recordHistory adds a line when the payload's occupancy is known and another
// than that of the snapshot before it.
func (s Session) recordHistory(p Payload, before storedSnapshot, at time.Time) error {
	now, ok := occupancy(p.ContextWindow)
	if !ok {
		return nil
	}
	if was, ok := occupancy(before.ContextWindow); ok && was == now {
		return nil
	}
	window := gjson.ParseBytes(p.ContextWindow)
	line := append([]byte(`{"time":"`), at.UTC().Format(TimeLayout)...)
	line = append(line, `","tokens":`...)
	line = strconv.AppendInt(line, now, 10)
	line = appendNumber(line, "percent", window.Get("used_percentage"))
	line = appendNumber(line, "window", window.Get("context_window_size"))
	return s.home.Append(s.HistoryPath(), append(line, '}'))
}

func appendNumber(line []byte, key string, v gjson.Result) []byte {
	if v.Type != gjson.Number || len(v.Raw) > maxNumber {
		return line
	}
	line = append(append(append(line, `,"`...), key...), `":`...)
	return append(line, v.Raw...)
}

// occupancy is the sum of the two totals, when there has been a response and
// it is known what it used: usage that is null, missing or all zeros is what
// clients send before the first response and after a compaction (facts A.1).
func occupancy(window []byte) (int64, bool) {
	root := gjson.ParseBytes(window)
	used := false
	root.Get("current_usage").ForEach(func(_, v gjson.Result) bool {
		used = used || v.Type == gjson.Number && v.Num != 0
		return true
	})
	in, out := root.Get("total_input_tokens"), root.Get("total_output_tokens")
	if !used || in.Type != gjson.Number || out.Type != gjson.Number ||
		in.Num < 0 || out.Num < 0 || in.Num > maxTokens || out.Num > maxTokens {
		return 0, false
	}
	return in.Int() + out.Int(), true
}

// History reads the session's points, oldest first. Lines that are not
// understood are passed over.
func (s Session) History() ([]Point, error) {
	raw, err := ReadFile(s.HistoryPath(), maxHistory)
	if err != nil {
		return nil, err
	}
	var points []Point
	for line := range bytes.SplitSeq(raw, []byte("\n")) {
		if point, ok := decodePoint(line); ok {
			points = append(points, point)
		}
	}
	return points, nil
}

func decodePoint(line []byte) (Point, bool) {
	root, err := parseObject(line)
	if err != nil {
		return Point{}, false
	}
	at, err := time.Parse(TimeLayout, root.Get("time").String())
	tokens := root.Get("tokens")
	if err != nil || tokens.Type != gjson.Number || tokens.Num < 0 || tokens.Num > maxTokens {
		return Point{}, false
	}
	return Point{
		Time:    at,
		Tokens:  tokens.Int(),
		Percent: root.Get("percent").Float(),
		Window:  root.Get("window").Int(),
	}, true
}
