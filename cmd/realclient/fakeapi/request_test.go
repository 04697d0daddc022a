package fakeapi

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzParse: whatever a client sends, it is read or refused, and its questions
// can be asked.
func FuzzParse(f *testing.F) {
	for _, name := range []string{"request-tail.denied-with-context.json", "request-tail.stop-block.json"} {
		body, err := os.ReadFile("../../../testdata/payloads/" + name)
		require.NoError(f, err)
		f.Add(body)
	}
	f.Add([]byte(`{"messages":[{"role":"user","content":null},{"content":[{"content":[[]]}]}],"system":{}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		r, err := parse(body, map[string][]Turn{"k": nil})
		if err != nil {
			return
		}
		require.NotEmpty(t, r.Kind)
		r.News()
		r.Results()
		require.Zero(t, Request{}.Count("x"))
	})
}
