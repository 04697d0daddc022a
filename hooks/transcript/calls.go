package transcript

import (
	"bytes"
	"iter"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// CallsNamed yields the calls of the main conversation to tools whose name ends
// with suffix, newest first, in the lines that begin at since or later. Only
// lines in which such a name stands are looked at: the rest of the file, however
// large, is searched as bytes. Calls without an id are left out, since nothing
// can be said of their results. An error is yielded once and ends it.
func (f *File) CallsNamed(suffix string, since int64) iter.Seq2[Call, error] {
	return func(yield func(Call, error) bool) {
		// The end of the name with the quote behind it, as it stands in JSON.
		needle := gjson.AppendJSONString(nil, suffix)[1:]
		for line, err := range f.linesWith(needle, since, holdsCalls) {
			if err != nil {
				yield(Call{}, err)
				return
			}
			for _, call := range line.callsNamed(suffix) {
				if !yield(call, nil) {
					return
				}
			}
		}
	}
}

// CallsIn are the calls of that kind in the line that begins at offset, newest
// first; none when no such line is there.
func (f *File) CallsIn(offset int64, suffix string) ([]Call, error) {
	if offset < 0 || offset >= f.size {
		return nil, nil
	}
	p, err := f.lineAround(offset)
	if err != nil || p.start != offset {
		return nil, err
	}
	line, ok, err := p.parse(f, holdsCalls)
	if err != nil || !ok {
		return nil, err
	}
	return line.callsNamed(suffix), nil
}

func (l Line) callsNamed(suffix string) []Call {
	if !l.MainLine() {
		return nil
	}
	calls := slices.DeleteFunc(l.Calls(), func(c Call) bool {
		return c.ID == "" || !strings.HasSuffix(c.Name, suffix)
	})
	slices.Reverse(calls)
	return calls
}

func holdsCalls(raw []byte) bool { return bytes.Contains(raw, []byte(`"tool_use"`)) }

// ResultOf finds the result of a call among the lines behind it. It reports
// false when there is none: the call is still running, or was interrupted.
func (f *File) ResultOf(call Call) (Result, bool, error) {
	needle := gjson.AppendJSONString(nil, call.ID)
	from, err := f.lineEnd(call.Line)
	if err != nil {
		return Result{}, false, err
	}
	for {
		at, ok, err := f.index(needle, from)
		if err != nil || !ok {
			return Result{}, false, err
		}
		p, err := f.lineAround(at)
		if err != nil {
			return Result{}, false, err
		}
		line, ok, err := p.parse(f, nil)
		if err != nil {
			return Result{}, false, err
		}
		if ok && line.MainLine() {
			if result, ok := line.Results()[call.ID]; ok {
				return result, true, nil
			}
		}
		from = p.end
	}
}
