package main

import (
	"fmt"
	"runtime/debug"
)

// release is set by the linker when a release is built.
var release string

// version is the release, else what the Go tool knows of the source.
func version() string {
	if release != "" {
		return release
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "devel"
	}
	return info.Main.Version
}

func runVersion(p process) int {
	fmt.Fprintf(p.stdout, "ctxguard %s\n", version())
	return exitDone
}
