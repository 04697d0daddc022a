//go:build unix

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
)

// peakOf is the first word of a run of this program that does nothing but run
// another one and print the most memory that it held, in bytes. Of a script that
// runs several programs it is what the largest of them held.
const peakOf = "peak-of"

// peak runs the job once and gives the most memory that it held, in bytes. What
// the system reports of a child begins with the parent's own peak, so a fresh
// and small process is the parent.
func (j job) peak(ctx context.Context) (int64, error) {
	if j.before != nil {
		if err := j.before(ctx); err != nil {
			return 0, err
		}
	}
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}
	cmd := exec.CommandContext(ctx, self, append([]string{peakOf}, j.argv...)...)
	cmd.Env = j.environ()
	stdin, err := j.input()
	if err != nil {
		return 0, err
	}
	defer stdin.Close()
	cmd.Stdin = stdin
	out, err := cmd.Output()
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64)
}

// printPeak is the run under the word peakOf.
func printPeak(argv []string) error {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Stdin = os.Stdin
	if err := cmd.Run(); err != nil {
		return err
	}
	usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return errNoPeak
	}
	peak := int64(usage.Maxrss)
	if runtime.GOOS != "darwin" && runtime.GOOS != "ios" {
		peak <<= 10 // kilobytes everywhere else
	}
	_, err := fmt.Println(peak)
	return err
}
