package client

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNPMIsAskedForExactlyOneVersion(t *testing.T) {
	require.Equal(t, []string{
		"install", "--prefix", "/cache/part", "--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier",
		"--loglevel=error", "--fetch-retries=1", "--fetch-timeout=60000", "@anthropic-ai/claude-code@1.2.3",
	}, npmArgs("/cache/part", "1.2.3"))
}

func TestAnUnreachableRegistryIsToldFromOtherFailures(t *testing.T) {
	failed := errors.New("exit status 1")
	for name, c := range map[string]struct {
		said        string
		unavailable bool
	}{
		"a name that does not resolve":  {"npm error code ENOTFOUND\nnpm error syscall getaddrinfo\n", true},
		"the same, from an older npm":   {"npm ERR! code EAI_AGAIN\nnpm ERR! errno EAI_AGAIN\n", true},
		"a connection that is refused":  {"npm warn x\nnpm error code ECONNREFUSED\n", true},
		"a gateway that has no answer":  {"npm error code E503\n", true},
		"a version that does not exist": {"npm error code ETARGET\nnpm error notarget No matching version\n", false},
		"a full disk":                   {"npm error code ENOSPC\n", false},
		"no code at all":                {"something else\n", false},
	} {
		t.Run(name, func(t *testing.T) {
			err := npmError(failed, c.said)
			require.Equal(t, c.unavailable, errors.Is(err, ErrUnavailable), err)
			if !c.unavailable {
				require.ErrorIs(t, err, failed)
				require.Contains(t, err.Error(), c.said[:len(c.said)-1], "what npm said is passed on")
			}
		})
	}
}
