package outline

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// thousands makes a project of 5,000 files in 250 packages, old enough to be
// known by size and time.
func thousands(b *testing.B) Request {
	b.Helper()
	root := b.TempDir()
	old := time.Now().Add(-time.Hour)
	write := func(name, text string) {
		path := filepath.Join(root, filepath.FromSlash(name))
		require.NoError(b, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(b, os.WriteFile(path, []byte(text), 0o644))
		require.NoError(b, os.Chtimes(path, old, old))
	}
	write("go.mod", "module example.test/large\n")
	for i := range 4999 {
		pkg := i % 250
		write(fmt.Sprintf("p%d/f%d.go", pkg, i), fmt.Sprintf(
			"package p%d\n\nimport (\n\t\"fmt\"\n\t\"strings\"\n\n\t\"example.test/large/p%d\"\n)\n\nfunc F%d(n int) error { return nil }\n", pkg, (i*7)%250, i))
	}
	return Request{Project: root, Path: filepath.Join(root, "p3", "f3.go"), Home: b.TempDir(), Getenv: os.Getenv, MaxChars: 6000}
}

// T5: a warm render takes milliseconds. Compare with BenchmarkCold.
func BenchmarkWarm(b *testing.B) {
	req := thousands(b)
	require.Equal(b, Rendered, Render(b.Context(), req).State)
	for b.Loop() {
		Render(b.Context(), req)
	}
}

// BenchmarkCold renders with an empty cache each time.
func BenchmarkCold(b *testing.B) {
	req := thousands(b)
	req.Frozen = true
	for b.Loop() {
		Render(b.Context(), req)
	}
}
