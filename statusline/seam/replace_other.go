//go:build !windows

package seam

import "github.com/natefinch/atomic"

// replaceFile puts source in the place of target, whoever reads that.
func replaceFile(source, target string) error { return atomic.ReplaceFile(source, target) }
