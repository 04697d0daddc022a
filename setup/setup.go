// Package setup puts ctxguard into Claude Code's settings and takes it out again:
// it plans, shows what it will do, asks, does it so that a crash leaves the old
// file or the new one, and checks the result.
//
// What the settings file looks like is the room settings, what a command means is
// the room wrap, and whether all is well is the room doctor. No guard may enter
// here, and nothing here runs on a hot path.
package setup

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"ctxguard/statusline/seam"
)

// System is everything that setup gets from outside.
type System struct {
	Getenv  func(string) string
	Environ []string
	Now     time.Time
	// CWD is the folder that the command was started in.
	CWD string
	// Program is the absolute path of the running program.
	Program string
	// Managed are the files through which an organisation gives settings.
	Managed []string
	Stdin   io.Reader
	Stdout  io.Writer
	// Terminal says that there is a person to ask.
	Terminal bool
	// Colour says that the terminal wants colours.
	Colour bool
}

// Options are the words of the command.
type Options struct {
	DryRun, Yes, Undo, Purge, Portable bool
	// Settings is another file than the user's settings.json; "" for that.
	Settings string
	// Bin names a program that a package manager keeps; "" for the copy in the home.
	Bin string
	// Refresh sets refreshInterval, in seconds; 0 leaves it.
	Refresh int
	// Guards are the guards to be on, all others off; nil leaves it.
	Guards []string

	mirror *bool   // the answer to the question, once it was asked
	client *Client // what was found, once it was looked for
}

// Errors that have an exit code of their own.
var (
	// ErrNeedsYes says that there was nobody to ask.
	ErrNeedsYes = errors.New("nothing was written, because nobody is here to ask; run it with --yes, or with --dry-run to look only")
	// ErrWords says that the words of the command do not fit together.
	ErrWords = errors.New("wrong words")
)

// NotUnderstood says that a person's file could not be understood; it was left alone.
type NotUnderstood struct {
	Path string
	Err  error
	Do   string
}

func (e *NotUnderstood) Error() string {
	return fmt.Sprintf("%s: %v. Nothing was written. %s", e.Path, e.Err, e.Do)
}

func (e *NotUnderstood) Unwrap() error { return e.Err }

// Managed are the files in which an organisation keeps settings on this system.
func Managed(goos string) []string {
	switch goos {
	case "darwin":
		return []string{"/Library/Application Support/ClaudeCode/managed-settings.json"}
	case "windows":
		return []string{`C:\Program Files\ClaudeCode\managed-settings.json`, `C:\ProgramData\ClaudeCode\managed-settings.json`}
	default:
		return []string{"/etc/claude-code/managed-settings.json"}
	}
}

// errChanged says that the settings file is not what it was when it was read.
var errChanged = errors.New("the file changed in the meantime")

// mostStarts bounds how often setup starts over because the file changed.
const mostStarts = 5

// Run does what the options say, and reports whether it changed anything.
func Run(sys System, opts Options) (changed bool, err error) {
	if opts.Purge && !opts.Undo {
		return false, fmt.Errorf("%w: --purge goes with --undo", ErrWords)
	}
	place, err := Locate(sys, opts)
	if err == nil && !opts.Undo {
		place, opts, err = keepTo(sys, place, opts)
	}
	if err != nil {
		return false, err
	}
	for range mostStarts {
		changed, err = runOnce(sys, opts, place)
		if !errors.Is(err, errChanged) {
			return changed, err
		}
		fmt.Fprintf(sys.Stdout, "%s changed in the meantime; starting over.\n\n", place.Target)
	}
	return changed, fmt.Errorf("%s is being rewritten again and again; close Claude Code and run this once more", place.Target)
}

func runOnce(sys System, opts Options, place Place) (bool, error) {
	plan, err := makePlan(sys, opts, place)
	if err != nil {
		return false, err
	}
	plan.show(sys)
	if plan.nothing() {
		return false, nil
	}
	if opts.DryRun {
		fmt.Fprintln(sys.Stdout, "\nThis was a dry run; nothing was written.")
		return false, nil
	}
	if !opts.Yes {
		if !sys.Terminal {
			return false, ErrNeedsYes
		}
		if !ask(sys, "\nWrite this?") {
			fmt.Fprintln(sys.Stdout, "Nothing was written.")
			return false, nil
		}
	}
	if err := plan.apply(sys); err != nil {
		return false, err
	}
	if opts.Purge {
		return true, purge(sys, place.Home)
	}
	return true, nil
}

func makePlan(sys System, opts Options, place Place) (*plan, error) {
	if opts.Undo {
		return planUndo(sys, opts, place)
	}
	return planSetup(sys, opts, place)
}

// Place is where everything is.
type Place struct {
	Home seam.Home
	// Client is Claude Code's configuration folder.
	Client string
	// Settings is the settings file as it is named, Target the file that it leads
	// to in the end.
	Settings, Target string
	// Bin is the program that the settings name, absolute.
	Bin string
	// Kept says that somebody else keeps Bin (--bin); it is not copied.
	Kept bool
}

// Locate finds everything; nothing of it need exist.
func Locate(sys System, opts Options) (Place, error) {
	home, ok := seam.Locate(sys.Getenv)
	client, okClient := seam.ClientDir(sys.Getenv)
	if !okClient && ok {
		client, okClient = sys.CWD, opts.Settings != ""
	}
	if !ok || !okClient {
		return Place{}, errors.New("there is no home folder: set HOME, or CLAUDE_CONFIG_DIR to an absolute path")
	}
	place := Place{Home: home, Client: client, Settings: absolute(sys.CWD, opts.Settings)}
	if opts.Settings == "" {
		place.Settings = Settings(client)
	}
	var err error
	if place.Target, err = followLinks(place.Settings); err != nil {
		return Place{}, err
	}
	return place, place.chooseBin(sys, opts)
}

// keepTo names the program as the last setup of the same file did, when nothing
// else is said: doctor's advice is to run setup, and that must not undo a choice.
func keepTo(sys System, place Place, opts Options) (Place, Options, error) {
	last, ok := readJournal(place.Home).Files[place.Target]
	if !ok || opts.Bin != "" || opts.Portable {
		return place, opts, nil
	}
	opts.Portable = last.Portable
	if last.Kept && filepath.IsAbs(last.Bin) && exists(last.Bin) {
		opts.Bin = last.Bin
	}
	return place, opts, place.chooseBin(sys, opts)
}

func (p *Place) chooseBin(sys System, opts Options) error {
	p.Bin = InstalledBin(p.Home)
	if opts.Bin == "" {
		return nil
	}
	p.Bin, p.Kept = absolute(sys.CWD, opts.Bin), true
	info, err := os.Stat(p.Bin)
	if err != nil {
		return fmt.Errorf("--bin %s: %w; name the ctxguard that your package manager keeps", opts.Bin, err)
	}
	if !info.Mode().IsRegular() || !executable(info) {
		return fmt.Errorf("--bin %s is not a program; name the ctxguard that your package manager keeps", opts.Bin)
	}
	return nil
}
