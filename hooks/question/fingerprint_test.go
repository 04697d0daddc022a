package question

import (
	"crypto/sha1"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFingerprintIsSHA1_L3(t *testing.T) {
	for n := range 300 {
		s := strings.Repeat("aé\x00", n)[:n]
		sum := sha1.Sum([]byte(s))
		require.Equal(t, hex.EncodeToString(sum[:]), fingerprint(s), "%d bytes", n)
	}
}
