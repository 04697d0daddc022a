package question

import (
	"iter"
	"slices"

	"ctxguard/hooks/transcript"
)

// searched is the ask gate's memory of a long transcript: which part of it was
// searched to its beginning, and where questions stand in that. A transcript is
// only ever appended to, so the next question need not search that part again.
type searched struct {
	Path string `json:"path"`
	// Length is of the part that was searched; Mark is a fingerprint of the bytes
	// before its end, by which the same transcript is known again.
	Length int64  `json:"length"`
	Mark   string `json:"mark"`
	// Lines are where the lines with questions begin, newest first.
	Lines []int64 `json:"lines"`

	news bool
}

const (
	// worthRemembering is the length from which a search takes longer than the
	// memory's own file.
	worthRemembering = 4 << 20
	// mostLines bounds the memory; a session with more questions is searched.
	mostLines = 200
	markBytes = 64
)

// calls yields the calls of question tools in the transcript, newest first: those
// behind the known part by a search, the others from the memory. When it was
// followed to the end, the memory holds the whole.
func (s *searched) calls(t *transcript.File, path string) iter.Seq2[transcript.Call, error] {
	if !s.holdsFor(t, path) {
		*s = searched{Path: path}
	}
	return func(yield func(transcript.Call, error) bool) {
		var lines []int64
		seen := func(c transcript.Call, err error) bool {
			if len(lines) == 0 || lines[len(lines)-1] != c.Line {
				lines = append(lines, c.Line)
			}
			return yield(c, err)
		}
		for call, err := range t.CallsNamed(nativeTool, s.Length) {
			if !seen(call, err) || err != nil {
				return
			}
		}
		for _, line := range s.Lines {
			calls, err := t.CallsIn(line, nativeTool)
			if err != nil {
				yield(transcript.Call{}, err)
				return
			}
			for _, call := range calls {
				if !seen(call, nil) {
					return
				}
			}
		}
		s.remember(t, lines)
	}
}

// holdsFor reports whether what is remembered is of this transcript.
func (s *searched) holdsFor(t *transcript.File, path string) bool {
	if s.Path != path || s.Length <= 0 || s.Length > t.Size() || len(s.Lines) > mostLines {
		return false
	}
	before, err := t.Before(s.Length, markBytes)
	return err == nil && fingerprint(string(before)) == s.Mark
}

func (s *searched) remember(t *transcript.File, lines []int64) {
	length, before, err := t.Settled(markBytes)
	if err != nil || length < worthRemembering || len(lines) > mostLines {
		return
	}
	// The last line may not be whole yet, and is then searched again.
	lines = slices.DeleteFunc(lines, func(at int64) bool { return at >= length })
	news := length != s.Length || !slices.Equal(lines, s.Lines)
	*s = searched{Path: s.Path, Length: length, Mark: fingerprint(string(before)), Lines: lines, news: news}
}
