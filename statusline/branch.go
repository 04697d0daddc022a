package statusline

import (
	"path/filepath"
	"strings"

	"ctxguard/statusline/seam"
)

const (
	maxGitFile  = 4 << 10
	shortCommit = 7
)

// branchOf is the branch that is checked out in the repository around dir, or
// the first digits of a detached commit; empty when there is none. It reads
// .git/HEAD and starts no process.
func branchOf(dir string) string {
	for {
		if branch, found := branchAt(filepath.Join(dir, ".git")); found {
			return branch
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// branchAt reads HEAD in a .git folder, or in the folder that a .git file of a
// worktree or submodule names.
func branchAt(git string) (branch string, found bool) {
	if raw, err := seam.ReadFile(git, maxGitFile); err == nil {
		named, ok := strings.CutPrefix(strings.TrimSpace(string(raw)), "gitdir:")
		if !ok {
			return "", false
		}
		named = filepath.FromSlash(strings.TrimSpace(named))
		if !filepath.IsAbs(named) {
			named = filepath.Join(filepath.Dir(git), named)
		}
		git = named
	}
	raw, err := seam.ReadFile(filepath.Join(git, "HEAD"), maxGitFile)
	if err != nil {
		return "", false
	}
	head := strings.TrimSpace(string(raw))
	if ref, ok := strings.CutPrefix(head, "ref:"); ok {
		return strings.TrimPrefix(strings.TrimSpace(ref), "refs/heads/"), true
	}
	if len(head) >= shortCommit && strings.Trim(head, "0123456789abcdef") == "" {
		return head[:shortCommit], true
	}
	return "", true
}
