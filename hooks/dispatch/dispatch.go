// Package dispatch joins the table of events with the guards: it reads one hook
// event, asks the guards that listen to it in the table's order, keeps the
// session's memory, and prints one merged answer. It is the only package that
// knows all guards; no rule of a guard may enter here.
//
// Whatever goes wrong, the answer is silence with exit 0. Exit 2 means that a
// guard blocked, and nothing else.
package dispatch

import (
	"fmt"
	"slices"
	"time"

	"ctxguard/hooks"
	"ctxguard/hooks/config"
	"ctxguard/hooks/delegate"
	"ctxguard/hooks/knowledge"
	"ctxguard/hooks/question"
	"ctxguard/hooks/zoneguard"
	"ctxguard/statusline/seam"
	"ctxguard/statusline/seam/faultpoint"
	"ctxguard/zones"
)

// System is what a hook process gets from outside.
type System struct {
	Getenv func(string) string
	Now    time.Time
	// Elapsed is the time since the process started.
	Elapsed func() time.Duration
	// Wait lets time pass; nil when there is nothing to wait for.
	Wait func(time.Duration)
	// Extend gives the whole process more time than Deadline, for guards that
	// have a budget of their own.
	Extend func(time.Duration)
}

// engine runs the guards of one event.
type engine struct {
	sys        System
	home       seam.Home
	understood config.Understood
	project    string
	off        config.Off
	// frozen keeps every file as it is: an event is being explained.
	frozen bool
	log    func(string)
}

// Step is what one guard did.
type Step struct {
	Guard  string
	Answer hooks.Answer
	// Skipped says why the guard was not asked: the switch that is off.
	Skipped string
	Took    time.Duration
}

// allGuards is every guard by name, for a session in that project.
func allGuards(understood config.Understood, project string) map[string]hooks.Guard {
	guards := make(map[string]hooks.Guard)
	for _, page := range [][]hooks.Guard{
		zoneguard.Guards(understood.Config),
		question.Guards(understood.Config),
		knowledge.Guards(understood.Config, project),
		delegate.Guards(understood.Config),
	} {
		for _, g := range page {
			guards[g.Name] = g
		}
	}
	return guards
}

// listeners are the guards that the row's event is for, in order, with a reason
// for each that is switched off. Only names, when there are any, are asked.
func (e *engine) listeners(row hooks.Row, only []string) (guards []hooks.Guard, steps []Step) {
	all := allGuards(e.understood, e.project)
	environment := config.OffByEnvironment(e.sys.Getenv)
	for _, name := range row.Guards {
		guard, ok := all[name]
		if !ok || len(only) > 0 && !slices.Contains(only, name) {
			continue
		}
		switch {
		case environment.Covers(name, e.sys.Now):
			steps = append(steps, Step{Guard: name, Skipped: "CTXGUARD_OFF"})
		case e.off.Covers(name, e.sys.Now):
			steps = append(steps, Step{Guard: name, Skipped: "off.json"})
		case !e.understood.Config.Runs(name):
			steps = append(steps, Step{Guard: name, Skipped: "the configuration"})
		default:
			guards = append(guards, guard)
		}
	}
	return guards, steps
}

// run asks the guards in order. The first that decides ends the run.
func (e *engine) run(ev *hooks.Event, guards []hooks.Guard) []Step {
	var steps []Step
	for _, guard := range guards {
		start := e.sys.Elapsed()
		answer := e.ask(guard, ev)
		steps = append(steps, Step{Guard: guard.Name, Answer: answer, Took: e.sys.Elapsed() - start})
		if answer.Ends() {
			break
		}
	}
	return steps
}

// ask gets one guard's answer with its change and effect carried out. A guard
// that panics is silent; the others go on.
func (e *engine) ask(guard hooks.Guard, ev *hooks.Event) (answer hooks.Answer) {
	defer func() {
		if r := recover(); r != nil {
			e.log(fmt.Sprintf("guard %s panicked on %s: %T", guard.Name, ev.Name, r))
			answer = hooks.Answer{Why: "the guard failed; see ctxguard.log"}
		}
	}()
	faultpoint.Here("guard")
	if guard.Budget > 0 && e.sys.Extend != nil {
		e.sys.Extend(guard.Budget + Deadline)
	}
	answer, change := guard.Decide(ev, e.memory(ev))
	if change != nil {
		answer = e.commit(guard.Name, ev, change)
	}
	if answer.Effect != nil && !e.frozen {
		if err := answer.Effect(); err != nil {
			e.log("guard " + guard.Name + ": " + err.Error())
		}
	}
	if answer.Next != nil {
		answer = answer.Next()
		if answer.Settle != nil {
			answer = e.commit(guard.Name, ev, answer.Settle)
		}
	}
	return answer
}

func (e *engine) memory(ev *hooks.Event) *hooks.Memory {
	if !ev.HasSession {
		return hooks.NewMemory(nil)
	}
	return hooks.NewMemory(ev.Session.Memory)
}

// commit applies a change under the session's lock. Without the lock nothing is
// written and nothing is said, but what has to be done besides is done. What
// could not be remembered may still be said, but it decides nothing: no error of
// ours blocks anything (X4, G2).
func (e *engine) commit(guard string, ev *hooks.Event, change hooks.Change) hooks.Answer {
	if !ev.HasSession || e.frozen {
		answer := change(e.memory(ev))
		if e.frozen {
			return answer
		}
		return unsaved(answer, "there is no session to remember it for")
	}
	unlock, ok := ev.Session.LockMemory()
	if !ok {
		e.log("guard " + guard + ": the session's lock was not to be had in time")
		answer := change(e.memory(ev))
		return hooks.Answer{Effect: answer.Effect, Rule: answer.Rule, Why: "silent: the session's lock was not to be had in time"}
	}
	defer unlock()
	mem := e.memory(ev)
	answer := change(mem)
	if !mem.Changed() {
		return answer
	}
	raw, err := mem.Encode()
	if err == nil {
		err = ev.Session.SaveMemory(raw)
	}
	if err != nil {
		e.log("guard " + guard + ": the memory was not written: " + err.Error())
		return unsaved(answer, "the memory could not be written")
	}
	return answer
}

// unsaved is what is left of an answer whose memory was not written.
func unsaved(a hooks.Answer, why string) hooks.Answer {
	a.Next = nil
	if a.Ends() {
		a = hooks.Answer{Effect: a.Effect, Rule: a.Rule}
	}
	a.Why += "; " + why
	return a
}

// parts are the answers of the guards that were asked.
func parts(steps []Step) []hooks.Part {
	list := make([]hooks.Part, 0, len(steps))
	for _, s := range steps {
		list = append(list, hooks.Part{Guard: s.Guard, Answer: s.Answer})
	}
	return list
}

// reading resolves the zone of the event's session from its snapshot.
func (e *engine) reading(ev *hooks.Event) zones.Reading {
	evidence := zones.Evidence{Session: ev.SessionID, Problem: zones.ProblemNone}
	if ev.HasSession {
		evidence = ReadEvidence(ev.Session)
	}
	if info, err := statRegular(ev.TranscriptPath); err == nil {
		evidence.QuietSince = info.ModTime()
	}
	return zones.Resolve(evidence, e.understood.Bands, e.sys.Now)
}
