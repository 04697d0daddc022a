package dispatch

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"time"

	"ctxguard/hooks"
	"ctxguard/hooks/config"
	"ctxguard/statusline/seam"
	"ctxguard/statusline/seam/faultpoint"
	"ctxguard/zones"
)

const (
	// envelopeBuffer is all that is kept of an event that needs no more than its
	// envelope.
	envelopeBuffer = 64 << 10
	// pieceSize is how much of a long event is read at once.
	pieceSize = 128 << 10
	// maxPayload bounds the events that are kept whole. No tool call of a real
	// session comes near it.
	maxPayload = 64 << 20
)

// Hook is one run of `ctxguard hook`: it reads the event from stdin, asks the
// guards (only those named, when any are) and gives what is to be printed.
// Finish, never nil, is to be called when that is done: it writes down what
// happened.
func Hook(sys System, stdin io.Reader, only []string) (out hooks.Output, finish func()) {
	home, ok := seam.Locate(sys.Getenv)
	if !ok {
		return hooks.Output{}, func() {}
	}
	e := &engine{sys: sys, home: home, log: func(message string) { home.Log(sys.Now, message) }}
	ev, row, guards, err := e.receive(stdin, only)
	if err != nil {
		return hooks.Output{}, func() { e.log("hook: " + err.Error()) }
	}
	if ev == nil {
		return hooks.Output{}, func() {}
	}
	steps := e.run(ev, guards)
	all := slices.Concat(parts(steps), e.owedToOperator(ev), e.notices(ev))
	faultpoint.Here("merge")
	out = hooks.Merge(row, all)
	return out, func() { e.finish(ev, steps) }
}

// receive reads the event as far as its guards need it. The event is nil when it
// is none of ours.
func (e *engine) receive(stdin io.Reader, only []string) (*hooks.Event, hooks.Row, []hooks.Guard, error) {
	faultpoint.Here("decode")
	in, err := readHead(stdin)
	if err != nil {
		return nil, hooks.Row{}, nil, err
	}
	early := in.scanner.Envelope()
	row, ours := hooks.RowOf(early.Name)
	if early.Name != "" && !ours {
		return nil, row, nil, nil
	}
	ev := e.event(early)
	guards, _ := e.listeners(row, only)
	// As long as the name has not come there is nothing to decide by, and the
	// payload is kept.
	if err := in.finish(!ours || needsPayload(guards, early)); err != nil {
		return nil, row, nil, err
	}
	if whole := in.scanner.Envelope(); whole != early {
		if row, ours = hooks.RowOf(whole.Name); !ours {
			return nil, row, nil, nil
		}
		ev = e.event(whole)
		guards, _ = e.listeners(row, only)
	}
	ev.Payload = in.payload
	return ev, row, guards, nil
}

// input is an event as it is being read.
type input struct {
	scanner hooks.Scanner
	head    []byte
	rest    io.Reader
	done    bool
	// payload is the whole event, when it was short or asked for.
	payload []byte
}

// readHead reads the first 64 KiB, or the whole event when it is shorter. One
// whole value is enough: an input that nobody closes is not waited for.
func readHead(stdin io.Reader) (*input, error) {
	in := &input{rest: stdin}
	buf := make([]byte, envelopeBuffer)
	for len(in.head) < len(buf) && !in.done {
		n, err := stdin.Read(buf[len(in.head):])
		piece := buf[len(in.head) : len(in.head)+n]
		in.head = buf[:len(in.head)+n]
		if in.done, err = in.feed(piece, err); err != nil {
			return nil, err
		}
	}
	return in, nil
}

// feed takes what a read gave.
func (in *input) feed(piece []byte, readErr error) (done bool, err error) {
	done, err = in.scanner.Feed(piece)
	switch {
	case err != nil || done:
		return done, err
	case errors.Is(readErr, io.EOF):
		return false, fmt.Errorf("the event ends in the middle: %w", hooks.ErrMalformed)
	case readErr != nil:
		return false, fmt.Errorf("read the event: %w", readErr)
	}
	return false, nil
}

// finish takes the rest of the event: all of it when keep is true, else as much
// as the envelope needs. What follows then passes by unlooked at, so that the
// client can write it.
func (in *input) finish(keep bool) error {
	if in.done {
		return in.keepPayload(in.head)
	}
	widen(in.rest)
	kept := bytes.NewBuffer(in.head)
	buf := make([]byte, pieceSize)
	for !in.done {
		if !keep && in.scanner.Envelope().Complete() {
			return skip(in.rest, buf)
		}
		n, err := in.rest.Read(buf)
		if in.done, err = in.feed(buf[:n], err); err != nil {
			return err
		}
		if !keep {
			continue
		}
		if kept.Len()+n > maxPayload {
			return fmt.Errorf("the event is larger than %d bytes", maxPayload)
		}
		kept.Write(buf[:n])
	}
	if !keep {
		return nil
	}
	return in.keepPayload(kept.Bytes())
}

// readAway reads to the end and keeps nothing.
func readAway(r io.Reader, buf []byte) error {
	for {
		if _, err := r.Read(buf); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return fmt.Errorf("read the event: %w", err)
		}
	}
}

func (in *input) keepPayload(raw []byte) error {
	in.payload = bytes.TrimPrefix(raw, []byte("\ufeff"))
	if !seam.ValidJSON(in.payload) {
		return hooks.ErrMalformed
	}
	return nil
}

func needsPayload(guards []hooks.Guard, envelope hooks.Envelope) bool {
	return slices.ContainsFunc(guards, func(g hooks.Guard) bool {
		return g.NeedsPayload != nil && g.NeedsPayload(envelope)
	})
}

// event makes the event of an envelope, with the configuration that holds for
// its project.
func (e *engine) event(envelope hooks.Envelope) *hooks.Event {
	ev := &hooks.Event{
		Envelope: envelope,
		Now:      e.sys.Now,
		Getenv:   e.sys.Getenv,
		Wait:     e.sys.Wait,
		Frozen:   e.frozen,
		Project:  config.FindProject(e.sys.Getenv, envelope.CWD),
	}
	ev.Session, ev.HasSession = e.home.Session(envelope.SessionID)
	ev.Resolve = func() zones.Reading { return e.reading(ev) }
	e.understood = config.Loader{Home: e.home, Project: ev.Project, Now: e.sys.Now, Frozen: e.frozen}.Load()
	e.project = ev.Project
	off, err := config.ReadOff(e.home)
	if err != nil {
		e.log(err.Error())
	}
	e.off = off
	return ev
}

// finish writes down what happened, after the answer was printed.
func (e *engine) finish(ev *hooks.Event, steps []Step) {
	e.home.Seen(string(ev.Name), e.sys.Now)
	for _, s := range steps {
		e.record(ev, s)
	}
	if ev.Name == hooks.SessionStart || ev.Name == hooks.SessionEnd {
		// Setup writes into the client's folder too.
		var others []string
		if dir, ok := seam.ClientDir(e.sys.Getenv); ok {
			others = append(others, dir)
		}
		if err := e.home.Prune(e.sys.Now, others...); err != nil {
			e.log("old files were not removed: " + err.Error())
		}
	}
}

// ReadEvidence reads the session's snapshot for zones.Resolve.
func ReadEvidence(session seam.Session) zones.Evidence {
	evidence := zones.Evidence{Session: session.ID()}
	snapshot, err := session.Snapshot()
	switch {
	case err == nil:
		evidence.Snapshot = &snapshot
	case errors.Is(err, seam.ErrNotObject):
		evidence.Problem = zones.ProblemNotJSON
	default:
		evidence.Problem = zones.ProblemNone
	}
	return evidence
}

func statRegular(path string) (fs.FileInfo, error) {
	if path == "" {
		return nil, fs.ErrNotExist
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, seam.ErrNotRegular
	}
	return info, nil
}

// Deadline is what a hook has for everything, unless a guard with a budget of
// its own listens.
const Deadline = time.Second
