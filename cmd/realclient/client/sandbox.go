package client

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
)

// dummyKey is no secret. The client wants one and shows its last twenty
// characters when it asks whether to use it.
const dummyKey = "sk-ant-not-a-key-but-long-enough-for-the-client"

// Sandbox is a scratch machine: a home, a project, and the environment in which
// the client runs. Nothing of the real home or environment gets in but PATH.
type Sandbox struct {
	// Home and Project are absolute, without symbolic links: the client names
	// transcripts and trusted folders by the resolved path.
	Home    string
	Project string
	program string
	environ map[string]string
}

// NewSandbox makes a sandbox in dir, where the client is on the PATH, is past its
// first-run questions and trusts the project. Program is the client's; api is the base
// address that it sends its requests to.
func NewSandbox(dir, program, api string) (*Sandbox, error) {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, fmt.Errorf("find the sandbox: %w", err)
	}
	s := &Sandbox{
		Home:    filepath.Join(dir, "home"),
		Project: filepath.Join(dir, "project"),
		program: program,
	}
	temp, bin := filepath.Join(dir, "tmp"), filepath.Join(dir, "bin")
	for _, d := range []string{filepath.Join(s.Home, ".claude"), s.Project, temp, bin} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return nil, fmt.Errorf("make the sandbox: %w", err)
		}
	}
	if err := os.Symlink(program, filepath.Join(bin, "claude")); err != nil {
		return nil, fmt.Errorf("put the client on the PATH: %w", err)
	}
	s.environ = map[string]string{
		"HOME":   s.Home,
		"PATH":   bin + string(os.PathListSeparator) + os.Getenv("PATH"),
		"SHELL":  "/bin/sh",
		"TERM":   "xterm-256color",
		"LANG":   "C.UTF-8",
		"TMPDIR": temp,
		// The client keeps its own folder for temporary files elsewhere unless
		// it is told.
		"CLAUDE_CODE_TMPDIR":                       temp,
		"ANTHROPIC_API_KEY":                        dummyKey,
		"ANTHROPIC_BASE_URL":                       api,
		"DISABLE_TELEMETRY":                        "1",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
		"DISABLE_AUTOUPDATER":                      "1",
		// Lets a superuser, as in a container, use the mode without permission
		// prompts.
		"IS_SANDBOX": "1",
	}
	return s, s.answerFirstRun()
}

// answerFirstRun writes what the client would ask at its first start.
func (s *Sandbox) answerFirstRun() error {
	type project struct {
		Trusted   bool `json:"hasTrustDialogAccepted"`
		Onboarded bool `json:"hasCompletedProjectOnboarding"`
	}
	state := map[string]any{
		"hasCompletedOnboarding": true,
		"lastOnboardingVersion":  Version,
		"numStartups":            1,
		"theme":                  "dark",
		// Else a settings file that names a permission mode makes it offer
		// another one, a second after the input box is there.
		"hasSeenAutoDefaultNudge": true,
		"customApiKeyResponses": map[string][]string{
			"approved": {dummyKey[len(dummyKey)-20:]},
			"rejected": {},
		},
		"projects": map[string]project{s.Project: {true, true}},
	}
	return writeJSON(filepath.Join(s.Home, ".claude.json"), state)
}

// SettingsPath is the user's settings file.
func (s *Sandbox) SettingsPath() string {
	return filepath.Join(s.Home, ".claude", "settings.json")
}

// WriteSettings replaces the user's settings.
func (s *Sandbox) WriteSettings(settings any) error {
	return writeJSON(s.SettingsPath(), settings)
}

// Setenv adds a variable to the client's environment, for runs that start later.
func (s *Sandbox) Setenv(key, value string) { s.environ[key] = value }

// Environ is the whole environment of the client, sorted.
func (s *Sandbox) Environ() []string {
	env := make([]string, 0, len(s.environ))
	for key, value := range s.environ {
		env = append(env, key+"="+value)
	}
	sort.Strings(env)
	return env
}

// Leftovers gives the ids of processes that still run in this sandbox: those
// whose environment names its home. Where the system does not show another
// process's environment there are none.
func (s *Sandbox) Leftovers() []int {
	pids := processesWith("HOME=" + s.Home)
	return slices.DeleteFunc(pids, func(pid int) bool { return pid == os.Getpid() })
}

func writeJSON(path string, value any) error {
	data, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return fmt.Errorf("encode %s: %w", path, err)
	}
	return os.WriteFile(path, append(data, '\n'), 0o600)
}
