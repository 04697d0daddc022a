package seam

import (
	"bytes"
	"io"
	"os"
	"strings"
	"time"
	"unicode"
)

// quietFor is how long a line of the log is not repeated: a home that cannot
// be written would otherwise fill the log at every refresh of the status line.
const quietFor = time.Hour

// longestMessage bounds a line, in characters: a path may be longer than what is
// searched for the same line.
const longestMessage = 1000

// logTail is how much of the log's end is searched for the same line.
const logTail = 8 << 10

// Log appends "time message" to ctxguard.log, unless the end of the log has the
// same message from the last hour. Nothing needs the log, so nothing comes of a
// log that cannot be written. The message is made one line, without what
// steers a terminal; it must hold shapes and keys, never people's text.
func (h Home) Log(at time.Time, message string) {
	message = strings.Join(strings.FieldsFunc(message, func(r rune) bool { return !unicode.IsGraphic(r) || unicode.IsSpace(r) }), " ")
	if runes := []rune(message); len(runes) > longestMessage {
		message = string(runes[:longestMessage-1]) + "…"
	}
	path := h.Path("ctxguard.log")
	if message == "" || saidLately(path, at, message) {
		return
	}
	_ = h.Append(path, []byte(at.UTC().Format(TimeLayout)+" "+message))
}

func saidLately(path string, at time.Time, message string) bool {
	for line := range bytes.SplitSeq(tail(path, logTail), []byte("\n")) {
		stamp, said, ok := strings.Cut(string(line), " ")
		if !ok || said != message {
			continue
		}
		when, err := time.Parse(TimeLayout, stamp)
		if err == nil && at.Sub(when).Abs() < quietFor {
			return true
		}
	}
	return false
}

// tail is the last n bytes of a regular file, nil when it cannot be read.
func tail(path string, n int64) []byte {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	f, err := openToRead(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	if _, err := f.Seek(max(0, info.Size()-n), io.SeekStart); err != nil {
		return nil
	}
	b, err := io.ReadAll(io.LimitReader(f, n))
	if err != nil {
		return nil
	}
	return b
}
