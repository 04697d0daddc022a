package statusline

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"ctxguard/statusline/seam"
)

const (
	maxGitFile  = 4 << 10
	shortCommit = 7
	// notInHead stands in HEAD where git keeps its references in another form.
	notInHead = ".invalid"
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
// worktree or submodule names. Found means that the repository begins here, even
// when its branch cannot be told: the branch of another one around it would be a
// wrong answer.
func branchAt(git string) (branch string, found bool) {
	raw, err := seam.ReadFile(git, maxGitFile)
	switch {
	case err == nil:
		folder, ok := worktreeFolder(filepath.Dir(git), string(raw))
		if !ok {
			return "", true
		}
		git = folder
	case !errors.Is(err, seam.ErrNotRegular):
		return "", !errors.Is(err, fs.ErrNotExist)
	}
	raw, err = seam.ReadFile(filepath.Join(git, "HEAD"), maxGitFile)
	if err != nil {
		return "", !errors.Is(err, fs.ErrNotExist)
	}
	return branchIn(strings.TrimSpace(string(raw))), true
}

// worktreeFolder is the folder that a .git file names. The file comes with the
// project, so it may not make Windows ask another machine.
func worktreeFolder(dir, file string) (string, bool) {
	named, ok := strings.CutPrefix(strings.TrimSpace(file), "gitdir:")
	if !ok {
		return "", false
	}
	named = filepath.FromSlash(strings.TrimSpace(named))
	if strings.HasPrefix(filepath.VolumeName(named), `\\`) {
		return "", false
	}
	if !filepath.IsAbs(named) {
		named = filepath.Join(dir, named)
	}
	return named, true
}

// branchIn understands the first line of HEAD; git reads no other.
func branchIn(head string) string {
	head, _, _ = strings.Cut(head, "\n")
	head = strings.TrimSpace(head)
	if ref, ok := strings.CutPrefix(head, "ref:"); ok {
		branch := strings.TrimPrefix(strings.TrimSpace(ref), "refs/heads/")
		if branch == notInHead {
			return ""
		}
		return branch
	}
	if len(head) >= shortCommit && strings.Trim(head, "0123456789abcdef") == "" {
		return head[:shortCommit]
	}
	return ""
}
