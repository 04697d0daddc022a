// Package earlystack makes the program's stack as large as its commands need
// while there is next to nothing on it. The stack would grow anyway, in three or
// four steps, and each step moves all that is on it by then; that costs a tenth
// of a start, and ctxguard starts at every prompt and every tool call.
//
// It imports nothing, so that it is initialised before whatever would grow the
// stack by itself. Nothing else may enter here.
package earlystack

// room is more than hook, zone and statusline use.
const room = 24 << 10

func init() { grow(false) }

// grow needs the room when it is called, whether or not it is used: the system
// hands over no page that nobody writes to.
//
//go:noinline
func grow(use bool) {
	if use {
		var all [room]byte
		touch(&all)
	}
}

//go:noinline
func touch(all *[room]byte) { all[0]++ }
