package main

import (
	"os"

	"ctxguard/cmd/realclient/fakeapi"
)

// scenes lists every scene, the plainest first: when one of those fails, what
// comes after it means little.
func scenes() []Scene {
	return []Scene{
		{"client", "the client still behaves as the other scenes take for granted", playClient},
		{"headless", "a headless run leaves no snapshot, hears nothing and is never blocked", playHeadless},
		{"snapshot", "an interactive session's snapshot has the response's own numbers", playSnapshot},
		{"line", "the wrapped status line looks as it does without ctxguard", playLine},
		{"own-line", "with nothing to wrap there is a line with the model, the percentage and the zone", playOwnLine},
		{"slow-line", "a line that never ends in time still leaves the snapshot, and no process", playSlowLine},
		{"broken-home", "with a home that cannot be used, the line and the turns go on", playBrokenHome},
		{"crossing", "a crossing reaches the model's next request, once", playCrossing},
		{"crossing-200k", "so it does in the smaller window, where the client wraps it otherwise", playCrossing200k},
		{"queued", "so it does with a prompt that is typed while a turn runs", playQueued},
		{"resume", "a resumed session is not told again", playResume},
		{"subagent", "inside a subagent nothing is said and nothing held back", playSubagent},
		{"compact", "after /compact the session is marked, and the model told once", playCompact},
		{"compact-auto", "so it is after a compaction inside a turn, and the next crossing counts again", playCompactAuto},
		{"gate", "past its grace the gate holds back a Write, and a handoff file goes through", playGate},
		{"gate-compact", "after a compaction the gate holds until /clear", playGateCompact},
		{"off", "`ctxguard off` in another terminal takes effect in the middle of a turn", playOff},
		{"model", "the model can ask where it stands, and cannot switch guards off unseen", playModel},
		{"ask", "a bare question is held back, a full one reaches the person, the answer is kept", playAsk},
		{"ask-again", "a question that the person left is not put to them again unchanged", playAskAgain},
		{"preference", "a question that the person settled is answered without asking", playPreference},
		{"brief", "a thin brief is sent back with the template, a full one reaches the subagent extended", playBrief},
		{"structure", "an edit shows the file's outline once, in the main line and in a subagent", playStructure},
		{"reminders", "a blocking question is told at the start and not after a compaction, an open one when a prompt touches it", playReminders},
		{"capture", "a turn that recorded nothing is held back once, and ends when something was filed", playCapture},
		{"capture-background", "a turn that ends while a subagent still runs is left alone", playCaptureBackground},
		{"capture-headless", "with nobody there no turn is held back", playCaptureHeadless},
		{"setup", "one command wires a person's settings, and undo gives the bytes back", playSetup},
		{"rewrite", "what the client writes anew with /model is still ours, and undone", playRewrite},
		{"setup-live", "an open session takes setup and undo up", playSetupLive},
		{"shadowed", "a project's own status line is seen, told, and wrapped when asked", playShadowed},
	}
}

// Usages of a client with a window of a million tokens, by the zone that the
// default bands give them (DESIGN.md section 6). Output counts for occupancy.
func smartUsage() fakeapi.Usage {
	return fakeapi.Usage{Input: 1_200, CacheWrite: 500, CacheRead: 30_000, Output: 77}
}

func acceptableUsage() fakeapi.Usage {
	return fakeapi.Usage{Input: 2_000, CacheWrite: 8_000, CacheRead: 290_000, Output: 900}
}

func dumbUsage() fakeapi.Usage {
	return fakeapi.Usage{Input: 1_000, CacheWrite: 9_000, CacheRead: 440_000, Output: 800}
}

// input is what the status line calls total_input_tokens.
func input(u fakeapi.Usage) int { return u.Input + u.CacheWrite + u.CacheRead }

// bash is a call that runs a line; write one that writes a file of the project.
func bash(line string) fakeapi.Tool {
	return fakeapi.Tool{Name: "Bash", Input: map[string]string{"command": line, "description": "Run a line"}}
}

func write(path string) fakeapi.Tool {
	return fakeapi.Tool{Name: "Write", Input: map[string]string{"file_path": path, "content": "written\n"}}
}

// untilGo is a line that runs until the scene says Go.
const untilGo = "n=0; until [ -e go ] || [ $n -gt 200 ]; do n=$((n+1)); sleep 0.1; done"

// Go lets untilGo end.
func (s *Stage) Go() { s.Must(os.WriteFile(s.ProjectFile("go"), nil, 0o600)) }
