package setup

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"ctxguard/hooks/config"
	"ctxguard/statusline/seam"
)

// Version is a version of Claude Code or of ctxguard, as three numbers.
type Version [3]int

// The versions from which on something is safe, as measured (version-matrix).
var (
	// postToolBatchSince: older clients do not know the event, and those up to
	// 2.1.100 drop the whole settings file for it.
	postToolBatchSince = Version{2, 1, 118}
	// execFormSince: older clients start the program without its arguments.
	execFormSince = Version{2, 1, 139}
)

func (v Version) String() string { return fmt.Sprintf("%d.%d.%d", v[0], v[1], v[2]) }

// AtLeast reports whether v is other or newer.
func (v Version) AtLeast(other Version) bool {
	for i := range v {
		if v[i] != other[i] {
			return v[i] > other[i]
		}
	}
	return true
}

// ParseVersion reads three dotted numbers at the start of text, after an optional v.
func ParseVersion(text string) (Version, bool) {
	text = strings.TrimPrefix(strings.TrimSpace(text), "v")
	if end := strings.IndexFunc(text, func(r rune) bool { return r != '.' && (r < '0' || r > '9') }); end >= 0 {
		text = text[:end]
	}
	parts := strings.Split(text, ".")
	if len(parts) != 3 {
		return Version{}, false
	}
	var v Version
	for i, part := range parts {
		n, err := strconv.Atoi(part)
		if err != nil {
			return Version{}, false
		}
		v[i] = n
	}
	return v, true
}

// Client is what is known of the Claude Code on this machine.
type Client struct {
	// Found says that there is a program called claude.
	Found bool
	// Known says that Version holds; Source where it is from.
	Known   bool
	Version Version
	Source  string
}

// Batches reports whether PostToolBatch may be registered.
func (c Client) Batches() bool { return c.Known && c.Version.AtLeast(postToolBatchSince) }

// Executes reports whether hooks may be registered in the exec form.
func (c Client) Executes() bool { return c.Known && c.Version.AtLeast(execFormSince) }

const (
	clientWait  = 5 * time.Second
	newestAsked = 16
)

// FindClient asks `claude --version`, else the newest snapshot (S14).
func FindClient(sys System, home seam.Home) Client {
	var c Client
	if path, ok := clientProgram(sys); ok {
		c.Found = true
		if v, ok := AskVersion(sys, path, "--version"); ok {
			return Client{Found: true, Known: true, Version: v, Source: "claude --version"}
		}
	}
	for _, session := range home.Newest(newestAsked) {
		snapshot, err := session.Snapshot()
		if err != nil {
			continue
		}
		if v, ok := ParseVersion(snapshot.CLIVersion); ok {
			c.Known, c.Version, c.Source = true, v, "the newest snapshot"
			return c
		}
	}
	return c
}

// clientProgram is the claude on PATH. Relative entries do not count, and neither do
// those inside the project: a tool's node_modules/.bin comes onto PATH by itself, and
// who wrote the project wrote what is in it.
func clientProgram(sys System) (string, bool) {
	for _, dir := range filepath.SplitList(sys.Getenv("PATH")) {
		if !filepath.IsAbs(dir) || InProject(sys, dir) {
			continue
		}
		if path, err := exec.LookPath(filepath.Join(dir, "claude")); err == nil {
			return path, true
		}
	}
	return "", false
}

// InProject reports whether a path lies in the project that the command was
// started in. Whoever wrote the project may have written what is there, so it is
// not run to see what it is. A repository around the whole home directory is the
// person's own.
func InProject(sys System, path string) bool {
	root := config.FindProject(func(string) string { return "" }, sys.CWD)
	home, _ := seam.UserHome(sys.Getenv)
	return root != "" && !within(root, home) && within(root, path)
}

func within(root, path string) bool {
	for _, p := range []*string{&root, &path} {
		if resolved, err := filepath.EvalSymlinks(*p); err == nil {
			*p = resolved
		}
	}
	below, err := filepath.Rel(root, path)
	return err == nil && filepath.IsLocal(below)
}

// AskVersion runs a program for its version.
func AskVersion(sys System, path string, args ...string) (Version, bool) {
	return ParseVersion(strings.TrimPrefix(Ask(sys, path, args...), "ctxguard "))
}

// Ask runs a program and gives what it says, "" when it fails: not in the
// project's folder, with nothing to read, and not for long.
func Ask(sys System, path string, args ...string) string {
	ctx, cancel := context.WithTimeout(context.Background(), clientWait)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir, _ = seam.UserHome(sys.Getenv)
	cmd.Env = sys.Environ
	cmd.WaitDelay = time.Second
	var out bytes.Buffer
	cmd.Stdout = &limited{&out, 4 << 10}
	if cmd.Run() != nil {
		return ""
	}
	return out.String()
}

// limited takes everything and keeps the first bytes.
type limited struct {
	buf  *bytes.Buffer
	most int
}

func (l *limited) Write(p []byte) (int, error) {
	if room := l.most - l.buf.Len(); room > 0 {
		l.buf.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}
