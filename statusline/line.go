package statusline

import (
	"bytes"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rivo/uniseg"
	"github.com/tidwall/gjson"

	"ctxguard/hooks/config"
	"ctxguard/statusline/printable"
	"ctxguard/statusline/seam"
	"ctxguard/statusline/seam/faultpoint"
	"ctxguard/zones"
)

// facts are what the line is drawn from. What is not known is empty or zero and
// does not appear: nothing is invented.
type facts struct {
	model   string
	dir     string
	branch  string
	cost    float64
	reading zones.Reading
}

// style is how the line is drawn.
type style struct {
	show []string
	// columns is the width to fit into; 0 when it is not known.
	columns int
	colour  bool
}

const noData = "ctxguard: no data from the client"

// drawLine never fails: where the line cannot be drawn, it says that there is
// nothing to be drawn from.
func drawLine(p Process, payload []byte, snapshot *seam.Snapshot, understood config.Understood) (line string) {
	defer func() {
		if r := recover(); r != nil {
			line = noData
			logPanic(p, "the line", r)
		}
	}()
	faultpoint.Here("draw")
	columns, _ := strconv.Atoi(p.Getenv("COLUMNS"))
	payload = bytes.TrimPrefix(payload, []byte(byteOrderMark))
	root := gjson.ParseBytes(payload)
	if !seam.ValidJSON(payload) || !root.IsObject() {
		if columns <= 0 {
			return noData
		}
		return cut(noData, columns)
	}
	f := facts{model: plain(root.Get("model.display_name"))}
	if cost := root.Get("cost.total_cost_usd"); cost.Type == gjson.Number && cost.Num < maxCost {
		f.cost = cost.Num
	}
	if f.model == "" {
		f.model = plain(root.Get("model.id"))
	}
	dir := root.Get("workspace.current_dir").String()
	if filepath.IsAbs(dir) {
		f.dir = named(filepath.Base(dir))
		f.branch = named(branchOf(dir))
	}
	evidence := zones.Evidence{Snapshot: snapshot, Problem: zones.ProblemNone}
	if snapshot != nil {
		evidence.Session = snapshot.SessionID
	}
	f.reading = zones.Resolve(evidence, understood.Bands, p.Started)
	return render(f, style{
		show:    understood.Config.Statusline.Show,
		columns: columns,
		colour:  p.Getenv("NO_COLOR") == "",
	})
}

func plain(v gjson.Result) string {
	if v.Type != gjson.String {
		return ""
	}
	return named(v.Str)
}

// named takes out what could move the cursor or change colours: names come
// from the client, the disk and the repository. What is left has a bounded width.
func named(s string) string {
	if len(s) > maxNameBytes {
		s = s[:maxNameBytes]
	}
	return shorten(strings.TrimSpace(printable.Line(s)), maxName)
}

// part is one piece of the line, made of spans of one colour each.
type part struct {
	name  string
	spans []span
}

type span struct {
	text   string
	colour string
}

const (
	bold  = "\x1b[1m"
	dim   = "\x1b[2m"
	reset = "\x1b[0m"

	gap = "  "

	// A sum below minCost would be rounded to nothing; maxCost is the first that
	// is taken for nonsense.
	minCost = 0.005
	maxCost = 1e6

	barCells      = 10
	shortBarCells = 5

	// maxName is how wide a name may be at most, and minName how wide a shortened
	// one has to be to say anything.
	maxName = 40
	// maxNameBytes is more than any such name has: marks that stand above and
	// below one another take bytes but no width.
	maxNameBytes = 1 << 10
	minName      = 3
)

// render draws the line. When it is too wide, the least important parts go
// first: the cost, the branch, the directory; then the bar gets shorter and goes;
// then the tokens. Then the model is shortened and goes, so that percentage and
// zone stay the longest.
func render(f facts, s style) string {
	parts := assemble(f, s.show, barCells)
	if s.columns <= 0 {
		return paint(parts, s.colour)
	}
	for _, step := range []string{"", "cost", "branch", "dir", "short bar", "bar", "tokens", "short model", "model"} {
		switch step {
		case "short bar":
			parts = shortenBar(parts, f)
		case "short model":
			parts = shortenModel(parts, s.columns)
		default:
			parts = slices.DeleteFunc(parts, func(p part) bool { return p.name == step })
		}
		if width(parts) <= s.columns {
			return paint(parts, s.colour)
		}
	}
	return cut(paint(parts, false), s.columns)
}

func assemble(f facts, show []string, cells int) []part {
	var parts []part
	for _, name := range show {
		if spans := spansOf(name, f, cells); len(spans) > 0 {
			parts = append(parts, part{name, spans})
		}
	}
	return parts
}

// spansOf is empty for what is not known.
func spansOf(name string, f facts, cells int) []span {
	switch {
	case name == "model" && f.model != "":
		return []span{{f.model, bold}}
	case name == "bar":
		return barSpans(f.reading, cells)
	case name == "tokens" && f.reading.HasOccupancy && f.reading.TrueWindow > 0:
		return []span{{Short(f.reading.Occupancy), ""}, {"/" + Short(f.reading.TrueWindow), dim}}
	case name == "zone":
		return []span{{zoneText(f.reading), Colour(f.reading.Zone)}}
	case name == "dir" && f.dir != "":
		return []span{{f.dir, dim}}
	case name == "branch" && f.branch != "":
		return []span{{"⎇ " + f.branch, dim}}
	case name == "cost" && f.cost >= minCost:
		return []span{{fmt.Sprintf("$%.2f", f.cost), dim}}
	}
	return nil
}

// barSpans colours what is full by the zone and keeps what is free in the
// background.
func barSpans(r zones.Reading, cells int) []span {
	text := Bar(r, cells)
	full := strings.TrimRight(text, FreeCell)
	spans := []span{{full, Colour(r.Zone)}, {text[len(full):], dim}}
	return slices.DeleteFunc(spans, func(s span) bool { return s.text == "" })
}

func zoneText(r zones.Reading) string {
	if r.Percent.Computable {
		return strconv.FormatFloat(math.Round(r.Percent.Value), 'f', -1, 64) + "% " + string(r.Zone)
	}
	return string(r.Zone)
}

func shortenBar(parts []part, f facts) []part {
	for i := range parts {
		if parts[i].name == "bar" {
			parts[i].spans = barSpans(f.reading, shortBarCells)
		}
	}
	return parts
}

// shortenModel takes from the model's name what is too much for the line, as
// long as something of it is left.
func shortenModel(parts []part, columns int) []part {
	for i := range parts {
		if parts[i].name != "model" {
			continue
		}
		name := &parts[i].spans[0]
		room := columns - width(parts) + uniseg.StringWidth(name.text)
		if room >= minName {
			name.text = shorten(name.text, room)
		}
	}
	return parts
}

func width(parts []part) int {
	return uniseg.StringWidth(paint(parts, false))
}

func paint(parts []part, colour bool) string {
	var b strings.Builder
	for i, p := range parts {
		if i > 0 {
			b.WriteString(gap)
		}
		for _, s := range p.spans {
			if colour && s.colour != "" {
				s.text = s.colour + s.text + reset
			}
			b.WriteString(s.text)
		}
	}
	return b.String()
}

// shorten is the text in at most that many columns, with a sign where something
// was taken.
func shorten(text string, columns int) string {
	if uniseg.StringWidth(text) <= columns {
		return text
	}
	return strings.TrimRight(cut(text, columns-1), " ") + "…"
}

// cut keeps as many characters as fit into columns.
func cut(text string, columns int) string {
	used := 0
	graphemes := uniseg.NewGraphemes(text)
	for graphemes.Next() {
		used += graphemes.Width()
		if used > columns {
			start, _ := graphemes.Positions()
			return text[:start]
		}
	}
	return text
}
