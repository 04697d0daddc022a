// Package client installs Claude Code and drives it as a person or a script
// would: headless, or in a pseudo-terminal whose screen can be read. Every run
// lives in a sandbox of its own, with a scratch home, a clean environment, a
// dummy key and an API on loopback.
//
// It knows nothing of ctxguard and judges nothing: what has to be seen is the
// business of the scenes.
package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// Version of the client that the scenes are written against. Change it together
// with what they expect.
const Version = "2.1.332"

const packageName = "@anthropic-ai/claude-code"

// ErrUnavailable says that the client is not installed and cannot be: the
// registry does not answer, or there is no npm. Nothing can then be said about
// ctxguard, neither good nor bad.
var ErrUnavailable = errors.New("the client cannot be installed here")

// CacheDir is where the client of a version is kept between runs. It is some
// 400 MB and may be deleted at any time.
func CacheDir(version string) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("find the folder for caches: %w", err)
	}
	return filepath.Join(cache, "ctxguard-realclient", version), nil
}

// Install gives the path of the client's program, and fetches it first when it
// is not yet in the folder that CacheDir names. Progress is one line on
// progress. A folder of that name is complete: it gets its name last.
func Install(ctx context.Context, version string, progress io.Writer) (program string, err error) {
	dir, err := CacheDir(version)
	if err != nil {
		return "", err
	}
	if program, err := find(ctx, dir, version); err == nil {
		return program, nil
	}
	fmt.Fprintf(progress, "installing %s@%s into %s\n", packageName, version, dir)
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return "", fmt.Errorf("make the folder of the client: %w", err)
	}
	fresh, err := os.MkdirTemp(filepath.Dir(dir), version+".*.part")
	if err != nil {
		return "", fmt.Errorf("make the folder of the client: %w", err)
	}
	defer os.RemoveAll(fresh) // gone already when it was renamed
	if err := runNPM(ctx, fresh, version); err != nil {
		return "", err
	}
	if _, err := find(ctx, fresh, version); err != nil {
		return "", fmt.Errorf("npm reported success, yet %w", err)
	}
	if err := moveIn(fresh, dir); err != nil {
		return "", err
	}
	return find(ctx, dir, version)
}

// moveIn gives the folder its final name. One that is there already is either
// broken, or was finished by somebody else in the meantime; ours is as good.
func moveIn(fresh, dir string) error {
	if err := os.RemoveAll(dir); err != nil {
		return fmt.Errorf("remove an incomplete installation: %w", err)
	}
	if err := os.Rename(fresh, dir); err != nil {
		return fmt.Errorf("move the installation to its place: %w", err)
	}
	return nil
}

// find looks for the native program below dir and asks it for its version. The
// package for this platform is an optional dependency of the one that is
// installed; on some systems there are two of them, for two C libraries.
func find(ctx context.Context, dir, version string) (string, error) {
	name := "claude"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	programs, err := filepath.Glob(filepath.Join(dir, "node_modules", packageName+"-*", name))
	if err != nil {
		return "", err
	}
	for _, program := range programs {
		if versionOf(ctx, program) == version {
			return program, nil
		}
	}
	return "", fmt.Errorf("there is no client %s for %s/%s in %s", version, runtime.GOOS, runtime.GOARCH, dir)
}

// versionOf gives the first word of "claude --version", or nothing when the
// program does not run.
func versionOf(ctx context.Context, program string) string {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "--version")
	home, err := os.MkdirTemp("", "realclient-version-")
	if err != nil {
		return ""
	}
	defer os.RemoveAll(home)
	cmd.Dir, cmd.Env = home, []string{"HOME=" + home, "USERPROFILE=" + home, "PATH=" + os.Getenv("PATH")}
	out, err := cmd.Output()
	if err != nil {
		return ""
	}
	word, _, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	return word
}
