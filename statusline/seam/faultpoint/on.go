//go:build faultinject

package faultpoint

import (
	"os"
	"strings"
	"time"
)

// Here fails as CTXGUARD_FAULT says, a list of place=fault separated by commas:
// panic, overflow (of the stack, which no recover can catch), exit (as a kill
// would, at once), or a duration to hang.
func Here(place string) {
	for entry := range strings.SplitSeq(os.Getenv("CTXGUARD_FAULT"), ",") {
		at, fault, _ := strings.Cut(entry, "=")
		if at == place {
			fail(place, fault)
		}
	}
}

func fail(place, fault string) {
	switch fault {
	case "panic":
		panic("fault injected at " + place)
	case "overflow":
		overflow(1)
	case "exit":
		os.Exit(137)
	}
	if pause, err := time.ParseDuration(fault); err == nil {
		time.Sleep(pause)
	}
}

func overflow(n int) int { return overflow(n+1) + overflow(n+2) }
