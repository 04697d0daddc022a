//go:build unix

package client

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// sandbox has a shell script in the client's place.
func sandbox(t *testing.T, script string) *Sandbox {
	t.Helper()
	dir := t.TempDir()
	program := filepath.Join(dir, "client")
	require.NoError(t, os.WriteFile(program, []byte("#!/bin/sh\n"+script), 0o755))
	s, err := NewSandbox(dir, program, "http://127.0.0.1:1")
	require.NoError(t, err)
	return s
}

func TestNothingOfTheRealEnvironmentGetsIn(t *testing.T) {
	t.Setenv("ANTHROPIC_API_KEY", "a-real-key")
	t.Setenv("CLAUDE_CONFIG_DIR", "/home/me/.claude")
	t.Setenv("CTXGUARD_HOME", "/home/me/ctxguard")
	t.Setenv("HTTPS_PROXY", "http://relay:1")
	s := sandbox(t, "env; pwd; command -v claude")
	s.Setenv("EXTRA", "wanted")
	run, err := s.Headless(context.Background(), "go")
	require.NoError(t, err)
	for _, absent := range []string{"a-real-key", "/home/me", "proxy:1"} {
		require.NotContains(t, run.Stdout, absent)
	}
	for _, present := range []string{
		"HOME=" + s.Home, "ANTHROPIC_BASE_URL=http://127.0.0.1:1", "ANTHROPIC_API_KEY=" + dummyKey, "EXTRA=wanted", s.Project,
		filepath.Join(filepath.Dir(s.Home), "bin", "claude"),
	} {
		require.Contains(t, run.Stdout, present)
	}
}

func TestTheFirstRunIsAnswered(t *testing.T) {
	s := sandbox(t, "")
	data, err := os.ReadFile(filepath.Join(s.Home, ".claude.json"))
	require.NoError(t, err)
	var state struct {
		Done     bool `json:"hasCompletedOnboarding"`
		Projects map[string]struct {
			Trusted bool `json:"hasTrustDialogAccepted"`
		}
		Keys struct{ Approved []string } `json:"customApiKeyResponses"`
	}
	require.NoError(t, json.Unmarshal(data, &state))
	require.True(t, state.Done)
	require.True(t, state.Projects[s.Project].Trusted)
	require.Len(t, state.Keys.Approved, 1)
	require.True(t, strings.HasSuffix(dummyKey, state.Keys.Approved[0]))
}

func TestAHeadlessRunSaysHowItEnded(t *testing.T) {
	s := sandbox(t, `echo "out: $*"; echo err >&2; exit 3`)
	run, err := s.Headless(context.Background(), "the prompt", "--flag")
	require.NoError(t, err)
	require.Equal(t, Run{Stdout: "out: -p the prompt --flag\n", Stderr: "err\n", ExitCode: 3}, run)

	s.program = filepath.Join(s.Home, "absent")
	_, err = s.Headless(context.Background(), "x")
	require.ErrorContains(t, err, "run the client headless")
}

func TestAHeadlessRunEndsWithItsContext(t *testing.T) {
	s := sandbox(t, "exec sleep 30")
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	_, err := s.Headless(ctx, "x")
	require.ErrorContains(t, err, "run the client headless")
}

// box draws what the client draws, and echoes what is typed into it.
const box = `stty raw -echo
draw() { printf '\033[2J\033[H%s\r\n────────\r\n❯ %s\r\n────────\r\n  ⏵⏵ mode' "$1" "$2"; }
draw "" ""; typed=
while c=$(dd bs=1 count=1 2>/dev/null; echo .); do
  c=${c%.}
  case "$c" in
  "") exit ;;
  "$(printf '\r')") [ "$typed" = /exit ] && exit; draw "answer to: $typed" ""; typed= ;;
  *) typed=$typed$c; draw "" "$typed" ;;
  esac
done
`

func TestATerminalIsTypedIntoAndRead(t *testing.T) {
	ctx := context.Background()
	s := sandbox(t, box)
	term, err := s.Start()
	require.NoError(t, err)
	defer term.End()
	require.NoError(t, term.WaitReady(ctx))
	require.NoError(t, term.Submit(ctx, "how are you"))
	require.NoError(t, term.WaitFor(ctx, "answer to: how are you"))
	require.NoError(t, term.Submit(ctx, "/exit"))
	require.NoError(t, term.WaitEnd(ctx))
	term.End()
	term.End()
	require.Empty(t, s.Leftovers())
}

func TestAWaitInVainShowsTheScreen(t *testing.T) {
	s := sandbox(t, "printf 'what is there'; exec sleep 30")
	term, err := s.Start()
	require.NoError(t, err)
	defer term.End()
	require.NoError(t, term.WaitFor(context.Background(), "is there"))
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	err = term.WaitFor(ctx, "what is not")
	require.ErrorContains(t, err, `"what is not" is visible`)
	require.ErrorContains(t, err, "what is there")
}

func TestAClientThatEndsEndsTheWait(t *testing.T) {
	s := sandbox(t, "printf 'last words'; exit 7")
	term, err := s.Start()
	require.NoError(t, err)
	defer term.End()
	began := time.Now()
	err = term.WaitFor(context.Background(), "absent")
	require.ErrorContains(t, err, "exit status 7")
	require.ErrorContains(t, err, "last words")
	require.Less(t, time.Since(began), WaitTime/2)
	require.NoError(t, term.WaitFor(context.Background(), "last words"))
}

func TestAClientThatWillNotGoIsKilled(t *testing.T) {
	s := sandbox(t, "trap '' HUP TERM INT; printf ready; while :; do sleep 1; done")
	term, err := s.Start()
	require.NoError(t, err)
	require.NoError(t, term.WaitFor(context.Background(), "ready"))
	term.End()
	select {
	case <-term.gone:
	default:
		t.Fatal("the client is still there")
	}
}
