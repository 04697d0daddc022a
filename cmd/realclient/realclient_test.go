package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestWords(t *testing.T) {
	for name, c := range map[string]struct {
		words          []string
		code           int
		stdout, stderr string
	}{
		"no words":               {nil, exitUsage, "", "usage: realclient"},
		"help":                   {[]string{"help"}, exitOK, "usage: realclient", ""},
		"an unknown word":        {[]string{"play"}, exitUsage, "", `"play" is not a word of it`},
		"an unknown scene":       {[]string{"run", "nosuch"}, exitUsage, "", `there is no scene "nosuch"`},
		"an unknown flag":        {[]string{"run", "-fast"}, exitUsage, "", "-fast"},
		"the list of all scenes": {[]string{"list"}, exitOK, "crossing           a crossing reaches the model's next request, once\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			require.Equal(t, c.code, run(context.Background(), c.words, &stdout, &stderr))
			requireHolds(t, c.stdout, stdout.String())
			requireHolds(t, c.stderr, stderr.String())
		})
	}
}

func requireHolds(t *testing.T, want, got string) {
	t.Helper()
	if want == "" {
		require.Empty(t, got)
		return
	}
	require.Contains(t, got, want)
}

func TestAClientThatCannotBeInstalledHasItsOwnExitCode(t *testing.T) {
	empty := t.TempDir()
	t.Setenv("PATH", empty)
	t.Setenv("HOME", empty)
	t.Setenv("XDG_CACHE_HOME", empty)
	t.Setenv("LocalAppData", empty)
	for _, words := range [][]string{{"run"}, {"install"}} {
		var stdout, stderr bytes.Buffer
		require.Equal(t, exitUnavailable, run(context.Background(), words, &stdout, &stderr))
		require.Contains(t, stderr.String(), "realclient: the client cannot be installed here: npm is not on the PATH")
		require.Empty(t, stdout.String(), "no scene was tried")
	}
}

func TestScenesAreNamedOnceAndSaid(t *testing.T) {
	seen := make(map[string]bool)
	for _, s := range scenes() {
		require.False(t, seen[s.Name], s.Name)
		seen[s.Name] = true
		require.NotEmpty(t, s.Shows)
		require.NotNil(t, s.Play)
	}
	chosen, err := choose([]string{"gate", "snapshot"})
	require.NoError(t, err)
	require.Equal(t, []string{"snapshot", "gate"}, []string{chosen[0].Name, chosen[1].Name}, "in the order of the list")
}

// play plays a scene on a stage whose client is never started.
func play(t *testing.T, scene func(*Stage)) Result {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	theatre := &Theatre{client: "/nonexistent/client", ctxguard: "/nonexistent/ctxguard"}
	return theatre.Play(context.Background(), Scene{Name: "x", Shows: "x", Play: scene})
}

func TestASceneWithoutDifferencesIsGoodAndLeavesNothing(t *testing.T) {
	var dir string
	r := play(t, func(s *Stage) {
		dir = s.dir
		s.Check(true, "never said")
		CheckEqual(s, "one", 1, 1)
		s.CheckNoHomeFile("context/*")
		s.CheckProjectFile("absent.txt", false)
	})
	require.Empty(t, r.Differences)
	require.NoDirExists(t, dir)
}

func TestEveryWayToFailIsADifference(t *testing.T) {
	for name, c := range map[string]struct {
		scene func(*Stage)
		want  string
	}{
		"a check":                      {func(s *Stage) { s.Check(false, "a %s", "reason") }, "a reason"},
		"an unequal value":             {func(s *Stage) { CheckEqual(s, "n", 1, 2) }, "n: expected 1, got 2"},
		"a step":                       {func(s *Stage) { s.Must(os.ErrClosed) }, "file already closed"},
		"a client that does not start": {func(s *Stage) { s.Open() }, "start the client in a terminal"},
		"a program that does not run":  {func(s *Stage) { s.Ctxguard("zone") }, "run ctxguard zone"},
		"too few requests":             {func(s *Stage) { s.Requests(1) }, "the model got 0 requests"},
		"a panic":                      {func(s *Stage) { panic("oh") }, "the scene panicked: oh"},
		"a file that is missing":       {func(s *Stage) { s.CheckProjectFile("a.txt", true) }, "a.txt in the project"},
		"a file that should not be": {func(s *Stage) {
			s.Configure("")
			s.CheckNoHomeFile("*.toml")
		}, "there should be no *.toml"},
		"counts":           {func(s *Stage) { checkCounts(s, "c", []int{0, 1}, []int{0, 2, 9}) }, "c: expected [0 1], got [0 2]"},
		"counts, too few":  {func(s *Stage) { checkCounts(s, "c", []int{0, 1}, []int{0}) }, "c: expected [0 1], got [0]"},
		"not what it says": {func(s *Stage) { s.Until(func() error { return errNotYet("x") }) }, "interrupted"},
	} {
		t.Run(name, func(t *testing.T) {
			r := play(t, func(s *Stage) {
				if strings.HasPrefix(name, "not what") {
					ctx, cancel := context.WithTimeout(s.ctx, 50*time.Millisecond)
					defer cancel()
					s.ctx = ctx
				}
				c.scene(s)
			})
			require.Len(t, r.Differences, 1)
			require.Contains(t, r.Differences[0], c.want)
			var out bytes.Buffer
			report(&out, r)
			require.Contains(t, out.String(), "FAILED")
			require.Contains(t, out.String(), c.want)
		})
	}
}

func TestASceneThatFailedIsPlayedAgain(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	theatre := &Theatre{client: "/nonexistent/client", ctxguard: "/nonexistent/ctxguard"}
	for name, c := range map[string]struct {
		again     bool
		failures  int
		failed    bool
		says, not string
	}{
		"once is enough to fail":    {false, 1, true, "1 of 1 scenes failed", "unsteady"},
		"it went well the 2nd time": {true, 1, false, "1 of 1 scenes were unsteady", "scenes failed"},
		"it failed twice":           {true, 2, true, "1 of 1 scenes failed", "unsteady"},
		"it never failed":           {true, 0, false, "ok      x", "unsteady"},
	} {
		t.Run(name, func(t *testing.T) {
			plays := 0
			scene := Scene{Name: "x", Shows: "x", Play: func(s *Stage) {
				plays++
				s.Configure("")
				s.Must(os.WriteFile(s.HomePath("decisions.jsonl"), []byte("a decision\n"), 0o600))
				s.Check(plays > c.failures, "not yet")
			}}
			var out bytes.Buffer
			failed, err := theatre.playAll(context.Background(), []Scene{scene}, c.again, &out)
			require.NoError(t, err)
			require.Equal(t, c.failed, failed)
			require.Contains(t, out.String(), c.says)
			require.NotContains(t, out.String(), c.not)
			require.Equal(t, c.failures > 0, strings.Contains(out.String(), "a decision"), "what ctxguard wrote is shown with a failure")
		})
	}
}

func TestAKeptSceneLeavesItsFolder(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	theatre := &Theatre{Keep: true, client: "/nonexistent/client"}
	r := theatre.Play(context.Background(), Scene{Name: "x", Play: func(s *Stage) { s.Configure("# kept\n") }})
	require.Empty(t, r.Differences)
	require.FileExists(t, filepath.Join(r.Kept, "home", ".claude", "ctxguard", "ctxguard.toml"))
}
