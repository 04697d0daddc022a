package statusline

import (
	"bytes"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/rivo/uniseg"
	"github.com/tidwall/gjson"

	"ctxguard/hooks/config"
	"ctxguard/statusline/seam"
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

func drawLine(p Process, payload []byte, snapshot *seam.Snapshot, understood config.Understood) string {
	payload = bytes.TrimPrefix(payload, []byte(byteOrderMark))
	root := gjson.ParseBytes(payload)
	if !seam.ValidJSON(payload) || !root.IsObject() {
		return "ctxguard: no data from the client"
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
		f.dir = printable(filepath.Base(dir))
		f.branch = printable(branchOf(dir))
	}
	evidence := zones.Evidence{Snapshot: snapshot, Problem: zones.ProblemNone}
	if snapshot != nil {
		evidence.Session = snapshot.SessionID
	}
	f.reading = zones.Resolve(evidence, understood.Bands, p.Started)
	columns, _ := strconv.Atoi(p.Getenv("COLUMNS"))
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
	return printable(v.Str)
}

// printable takes out what could move the cursor or change colours: names come
// from the client, the disk and the repository.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r == unicode.ReplacementChar || !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, s)
}

// part is one piece of the line.
type part struct {
	name   string
	text   string
	colour string
}

const (
	green  = "\x1b[32m"
	yellow = "\x1b[33m"
	red    = "\x1b[31m"
	dim    = "\x1b[2m"
	reset  = "\x1b[0m"

	gap = "  "

	// maxCost is the first sum that is taken for nonsense.
	maxCost = 1e6

	barCells      = 10
	shortBarCells = 5
)

// render draws the line. When it is too wide, the least important parts go
// first: the cost, the branch, the directory; then the bar gets shorter and goes;
// then the tokens. Then the model gives way to percentage and zone: its name is
// cut, and goes; what is left is cut at the end.
func render(f facts, s style) string {
	parts := assemble(f, s.show, barCells)
	if s.columns <= 0 {
		return paint(parts, s.colour)
	}
	for _, victim := range []string{"", "cost", "branch", "dir", "short bar", "bar", "tokens"} {
		if victim == "short bar" {
			parts = shortenBar(parts, f)
		} else {
			parts = slices.DeleteFunc(parts, func(p part) bool { return p.name == victim })
		}
		if width(parts) <= s.columns {
			return paint(parts, s.colour)
		}
	}
	if parts = shortenModel(parts, s.columns); width(parts) <= s.columns {
		return paint(parts, s.colour)
	}
	return cut(paint(parts, false), s.columns)
}

// shortenModel cuts the model's name so that the rest fits behind it, and leaves
// it out where less than a letter and the mark of the cut would be left.
func shortenModel(parts []part, columns int) []part {
	at := slices.IndexFunc(parts, func(p part) bool { return p.name == "model" })
	if at < 0 || len(parts) == 1 {
		return parts
	}
	room := columns - (width(parts) - uniseg.StringWidth(parts[at].text))
	if name := strings.TrimSpace(cut(parts[at].text, room-1)); room > 1 && name != "" {
		parts[at].text = name + "…"
		return parts
	}
	return slices.Delete(parts, at, at+1)
}

func assemble(f facts, show []string, cells int) []part {
	var parts []part
	for _, name := range show {
		p := part{name: name, colour: dim}
		switch name {
		case "model":
			p.text, p.colour = f.model, ""
		case "bar":
			p.text, p.colour = Bar(f.reading, cells), Colour(f.reading.Zone)
		case "tokens":
			p.text, p.colour = tokens(f.reading), ""
		case "zone":
			p.text, p.colour = zoneText(f.reading), Colour(f.reading.Zone)
		case "dir":
			p.text = f.dir
		case "branch":
			if f.branch != "" {
				p.text = "⎇ " + f.branch
			}
		case "cost":
			if f.cost >= 0.005 { // less would read $0.00
				p.text = fmt.Sprintf("$%.2f", f.cost)
			}
		}
		if p.text != "" {
			parts = append(parts, p)
		}
	}
	return parts
}

// Colour is the start of the colour that a zone is shown in; "\x1b[0m" ends it.
func Colour(z zones.Zone) string {
	switch z {
	case zones.Smart:
		return green
	case zones.Acceptable:
		return yellow
	case zones.Dumb:
		return red
	}
	return dim
}

func zoneText(r zones.Reading) string {
	if r.Percent.Computable {
		return strconv.FormatFloat(math.Round(r.Percent.Value), 'f', -1, 64) + "% " + string(r.Zone)
	}
	return string(r.Zone)
}

func tokens(r zones.Reading) string {
	if !r.HasOccupancy || r.TrueWindow <= 0 {
		return ""
	}
	return Short(r.Occupancy) + "/" + Short(r.TrueWindow)
}

func shortenBar(parts []part, f facts) []part {
	for i := range parts {
		if parts[i].name == "bar" {
			parts[i].text = Bar(f.reading, shortBarCells)
		}
	}
	return parts
}

func width(parts []part) int {
	total := 0
	for i, p := range parts {
		if i > 0 {
			total += len(gap)
		}
		total += uniseg.StringWidth(p.text)
	}
	return total
}

func paint(parts []part, colour bool) string {
	texts := make([]string, 0, len(parts))
	for _, p := range parts {
		if colour && p.colour != "" {
			p.text = p.colour + p.text + reset
		}
		texts = append(texts, p.text)
	}
	return strings.Join(texts, gap)
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
