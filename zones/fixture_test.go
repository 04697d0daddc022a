package zones

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ctxguard/statusline/seam"
)

const testSession = "7905fe8d-3044-470a-afaa-2463be7e22cf"

var testNow = time.Date(2026, 12, 1, 10, 0, 0, 0, time.UTC)

// fixture is a snapshot in JSON parts, each of which a case can bend.
type fixture struct {
	capturedAt string
	session    string
	version    string // raw JSON
	input      string // raw JSON, "" for missing, as the next three
	output     string
	size       string
	used       string
	usage      string
	window     string // the whole of context_window when not ""
	model      string // raw JSON of model.id
}

// mid is a conversation in the middle of a 200k window that both shapes call
// smart.
func mid() fixture {
	return fixture{
		capturedAt: testNow.Add(-5 * time.Second).Format(CapturedAtLayout),
		session:    testSession,
		version:    `"2.1.332"`,
		input:      "60000",
		output:     "1000",
		size:       "200000",
		used:       "30",
		usage:      `{"input_tokens":50000,"output_tokens":1000,"cache_creation_input_tokens":0,"cache_read_input_tokens":10000}`,
		model:      `"claude-sonnet-4-5-20250929"`,
	}
}

func (f fixture) json() string {
	window := f.window
	if window == "" {
		var members []string
		for _, m := range []struct{ key, raw string }{
			{"total_input_tokens", f.input}, {"total_output_tokens", f.output},
			{"context_window_size", f.size}, {"used_percentage", f.used}, {"current_usage", f.usage},
		} {
			if m.raw != "" {
				members = append(members, fmt.Sprintf("%q:%s", m.key, m.raw))
			}
		}
		window = "{" + strings.Join(members, ",") + "}"
	}
	version := ""
	if f.version != "" {
		version = `"cli_version":` + f.version + ","
	}
	model := "{}"
	if f.model != "" {
		model = `{"model":{"id":` + f.model + `,"display_name":"X"}}`
	}
	return fmt.Sprintf(`{"captured_at":%q,"session_id":%q,%s"context_window":%s,"client":%s}`,
		f.capturedAt, f.session, version, window, model)
}

func (f fixture) evidence(t testing.TB) Evidence {
	t.Helper()
	s, err := seam.DecodeSnapshot([]byte(f.json()))
	require.NoError(t, err, f.json())
	return Evidence{Session: testSession, Snapshot: &s}
}

func (f fixture) resolve(t testing.TB, b Bands) Reading {
	t.Helper()
	return Resolve(f.evidence(t), b, testNow)
}

// recorded makes a payload into the snapshot that the shim writes of it.
func recorded(t testing.TB, file string) Evidence {
	t.Helper()
	payload, err := os.ReadFile(file)
	require.NoError(t, err)
	p, err := seam.DecodePayload(payload)
	require.NoError(t, err)
	s := p.Snapshot(testNow)
	return Evidence{Session: p.SessionID, Snapshot: &s}
}
