//go:build realclient

package main

import (
	"context"
	"errors"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"ctxguard/cmd/realclient/client"
)

// TestScenes plays every scene in the real client. Where the client cannot be
// installed it says so and is skipped: nothing was tried.
func TestScenes(t *testing.T) {
	theatre, err := open(context.Background(), os.Stderr)
	if errors.Is(err, client.ErrUnavailable) {
		t.Skip(err)
	}
	require.NoError(t, err)
	defer theatre.Close()
	for _, scene := range scenes() {
		t.Run(scene.Name, func(t *testing.T) {
			for _, difference := range theatre.Play(context.Background(), scene).Differences {
				t.Error(difference)
			}
		})
	}
}
