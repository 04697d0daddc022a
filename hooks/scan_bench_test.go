package hooks_test

import (
	"strings"
	"testing"

	"ctxguard/hooks"
)

func BenchmarkScanner(b *testing.B) {
	payload := []byte(`{"session_id":"a","tool_calls":"` + strings.Repeat("some text \\\"quoted\\\" ", 5<<20/20) + `"}`)
	b.SetBytes(int64(len(payload)))
	for b.Loop() {
		var s hooks.Scanner
		if done, err := s.Feed(payload); !done || err != nil {
			b.Fatal(done, err)
		}
	}
}
