// Realclient drives Claude Code itself, against a scripted API on loopback, and
// sees whether ctxguard does in it what it promises: the end-to-end scenes.
//
//	go run ./cmd/realclient run
//
// A script that wants to tell "failed" from "could not be tried" builds it
// first: `go run` makes a 1 of every exit code. The scenes are also the tests of
// this package under the build tag realclient.
//
// Nothing leaves the machine but the download of the client, once; nothing of
// the person's home or environment is read or written. Rules of ctxguard may not
// enter here: a scene says what is seen from outside, and imports none of the
// code that it judges.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"

	"ctxguard/cmd/realclient/client"
)

// The exit codes.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 64
	// exitUnavailable: the client cannot be installed here, so nothing was
	// tried (sysexits' "temporary failure").
	exitUnavailable = 75
)

const usage = `usage: realclient <word>

  run [-keep] [-again] [SCENE…]  play the named scenes, or all of them
  list                           name the scenes and what each one shows
  install                        only fetch the client, and print where it is

-keep leaves the scratch folders and the recorded requests of each scene.
-again plays a scene that failed once more; when that goes well, the scene
counts as good, and is reported as unsteady with what went wrong the first time.

Exit codes: 0 every scene went well; 1 one did not; 64 wrong words;
75 the client cannot be installed here, nothing was tried.
`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

func run(ctx context.Context, words []string, stdout, stderr io.Writer) int {
	if len(words) == 0 {
		fmt.Fprint(stderr, usage)
		return exitUsage
	}
	switch word, rest := words[0], words[1:]; word {
	case "list":
		list(stdout)
		return exitOK
	case "install":
		return install(ctx, stdout, stderr)
	case "run":
		return runScenes(ctx, rest, stdout, stderr)
	case "help", "-h", "-help", "--help":
		fmt.Fprint(stdout, usage)
		return exitOK
	default:
		fmt.Fprintf(stderr, "realclient: %q is not a word of it\n%s", word, usage)
		return exitUsage
	}
}

func list(stdout io.Writer) {
	for _, scene := range scenes() {
		fmt.Fprintf(stdout, "%-18s %s\n", scene.Name, scene.Shows)
	}
}

func install(ctx context.Context, stdout, stderr io.Writer) int {
	program, err := client.Install(ctx, client.Version, stderr)
	if err != nil {
		return complain(stderr, err)
	}
	fmt.Fprintln(stdout, program)
	return exitOK
}

func runScenes(ctx context.Context, words []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("run", flag.ContinueOnError)
	flags.SetOutput(stderr)
	keep := flags.Bool("keep", false, "leave the scratch folders")
	again := flags.Bool("again", false, "play a scene that failed once more")
	if err := flags.Parse(words); err != nil {
		return exitUsage
	}
	chosen, err := choose(flags.Args())
	if err != nil {
		fmt.Fprintf(stderr, "realclient: %v\n", err)
		return exitUsage
	}
	theatre, err := open(ctx, stderr)
	if err != nil {
		return complain(stderr, err)
	}
	defer theatre.Close()
	theatre.Keep = *keep
	failed, err := theatre.playAll(ctx, chosen, *again, stdout)
	switch {
	case err != nil:
		return complain(stderr, err)
	case failed:
		return exitFailed
	}
	return exitOK
}

func report(stdout io.Writer, r Result) {
	state := "ok"
	if len(r.Differences) > 0 {
		state = "FAILED"
	}
	fmt.Fprintf(stdout, "%-6s  %-18s %5.1fs  %s\n", state, r.Scene.Name, r.Took.Round(100*time.Millisecond).Seconds(), r.Scene.Shows)
	for _, d := range r.Differences {
		fmt.Fprintf(stdout, "        %s\n", indented(d))
	}
	if r.Written != "" {
		fmt.Fprintf(stdout, "        what ctxguard wrote down:\n        %s\n", indented(r.Written))
	}
	if r.Kept != "" {
		fmt.Fprintf(stdout, "        kept in %s\n", r.Kept)
	}
}

func complain(stderr io.Writer, err error) int {
	fmt.Fprintf(stderr, "realclient: %v\n", err)
	if errors.Is(err, client.ErrUnavailable) {
		return exitUnavailable
	}
	return exitFailed
}
