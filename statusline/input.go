package statusline

import (
	"bytes"
	"os"
	"time"

	"ctxguard/statusline/seam"
)

const (
	// quiet is how long nothing more may follow a whole JSON value before it is
	// taken for all; inputLimit is how long the input is waited for at most. Some
	// clients were seen never to close it.
	quiet      = 50 * time.Millisecond
	inputLimit = 2 * time.Second

	// maxInput bounds what is held: an endless input must not eat the machine.
	maxInput = 64 << 20

	firstRead = 16 << 10

	byteOrderMark = "\ufeff"
)

// readPayload reads the payload to the end of the input, or as far as it comes
// within the limits. It never fails: the bytes that came are the payload.
func readPayload(stdin *os.File) []byte {
	pieces := make(chan []byte, 1)
	go readPieces(ownCopy(stdin), pieces)
	limit := time.NewTimer(inputLimit)
	defer limit.Stop()
	pause := time.NewTimer(quiet)
	defer pause.Stop()
	var payload []byte
	for {
		select {
		case piece, ok := <-pieces:
			if !ok {
				return payload
			}
			if payload = join(payload, piece); len(payload) >= maxInput {
				return payload
			}
			pause.Reset(quiet)
		case <-pause.C:
			if isWholeValue(payload) {
				return payload
			}
		case <-limit.C:
			return payload
		}
	}
}

func join(payload, piece []byte) []byte {
	if payload == nil {
		return piece
	}
	return append(payload, piece...)
}

// readPieces sends what it reads until the end of the input, an error or
// maxInput. It may be left waiting in a read: the process is about to become
// another, or to end.
func readPieces(stdin *os.File, pieces chan<- []byte) {
	defer close(pieces)
	size := firstRead
	for total := 0; total < maxInput; {
		buf := make([]byte, size)
		n, err := stdin.Read(buf)
		if n > 0 {
			total += n
			pieces <- buf[:n]
		}
		if err != nil {
			return
		}
		size = 256 << 10
	}
}

func isWholeValue(payload []byte) bool {
	trimmed := bytes.TrimSpace(bytes.TrimPrefix(payload, []byte(byteOrderMark)))
	return len(trimmed) > 0 && seam.ValidJSON(trimmed)
}
