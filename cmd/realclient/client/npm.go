package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// installTime bounds the download of some 400 MB.
const installTime = 10 * time.Minute

// npmArgs are the words after npm that put one version of the client, and
// nothing else, below dir. Its install scripts do not run: they only link the
// native program to where a shell would find it.
func npmArgs(dir, version string) []string {
	return []string{
		"install", "--prefix", dir,
		"--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error",
		"--fetch-retries=1", "--fetch-timeout=60000",
		packageName + "@" + version,
	}
}

func runNPM(ctx context.Context, dir, version string) error {
	npm, err := exec.LookPath("npm")
	if err != nil {
		return fmt.Errorf("%w: npm is not on the PATH; install Node.js", ErrUnavailable)
	}
	ctx, cancel := context.WithTimeout(ctx, installTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, npm, npmArgs(dir, version)...)
	cmd.Dir = dir
	cmd.WaitDelay = 5 * time.Second
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	err = cmd.Run()
	if err == nil {
		return nil
	}
	if ctx.Err() != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return fmt.Errorf("%w: npm was not done after %v", ErrUnavailable, installTime)
	}
	return npmError(err, said.String())
}

// npmError tells a registry that cannot be reached from everything else that
// makes npm fail, which is then ours to mend.
func npmError(err error, said string) error {
	code := npmCode(said)
	if unreachable(code) {
		return fmt.Errorf("%w: npm cannot reach its registry (%s)", ErrUnavailable, code)
	}
	return fmt.Errorf("npm cannot install the client: %w\n%s", err, strings.TrimSpace(said))
}

// npmCode gives the code of the line "npm error code CODE" (in old versions,
// "npm ERR! code CODE").
func npmCode(said string) string {
	for line := range strings.Lines(said) {
		words := strings.Fields(line)
		if len(words) == 4 && words[0] == "npm" && words[2] == "code" {
			return words[3]
		}
	}
	return ""
}

func unreachable(code string) bool {
	switch code {
	case "ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ECONNRESET", "ECONNABORTED", "ETIMEDOUT", "ESOCKETTIMEDOUT",
		"ENETUNREACH", "EHOSTUNREACH", "EPROTO", "ERR_SOCKET_TIMEOUT", "FETCH_ERROR", "ENOTCACHED",
		"E407", "E502", "E503", "E504":
		return true
	}
	return false
}
