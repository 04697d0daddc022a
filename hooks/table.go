package hooks

// Row is one event of the table: who listens, to which tools, and what may be
// answered there. Registration, dispatch, help, doctor and documentation are
// made from these rows.
type Row struct {
	Event EventName
	// Tools says for which tools the event is registered.
	Tools ToolSet
	// Guards are asked in this order; the first that decides ends the run.
	Guards []string
	// Context and Operator say whether additionalContext and systemMessage are
	// allowed in the answer.
	Context  bool
	Operator bool
	// Deny and Block say whether a guard's decision counts here. Where Block is
	// false the exit code is always 0: on PostToolBatch a 2 would end the turn
	// (facts 0.11).
	Deny  bool
	Block bool
	// StandIn names the event to register instead for a client that does not
	// know this one; it is then registered for all tools.
	StandIn EventName
}

// ToolSet names a group of tools that an event is registered for.
type ToolSet string

const (
	// NoTools is for events that have no tool.
	NoTools ToolSet = ""
	// GuardedTools are the tools that the guards of PreToolUse act on: the
	// gate's, the edit tools, Agent, Task and the question tools.
	GuardedTools ToolSet = "guarded"
	// QuestionTools are AskUserQuestion, the client's or an MCP server's.
	QuestionTools ToolSet = "question"
)

// The names of the guards.
const (
	GuardCrossing   = "crossing"
	GuardCompact    = "compact"
	GuardGate       = "gate"
	GuardPreference = "preference"
	GuardAsk        = "ask"
	GuardAnswers    = "answers"
	GuardFallback   = "fallback"
	GuardBrief      = "brief"
	GuardStructure  = "structure"
	GuardReminders  = "reminders"
	GuardCapture    = "capture"
)

// Table is the table of events, in the order in which a session meets them.
func Table() []Row {
	return []Row{
		{Event: SessionStart, Guards: []string{GuardCompact, GuardReminders}, Context: true, Operator: true},
		{Event: UserPromptSubmit, Guards: []string{GuardCrossing, GuardReminders}, Context: true, Operator: true},
		{
			Event: PreToolUse, Tools: GuardedTools,
			Guards:  []string{GuardPreference, GuardAsk, GuardGate, GuardBrief, GuardStructure},
			Context: true, Operator: true, Deny: true, Block: true,
		},
		{
			Event: PostToolUse, Tools: QuestionTools,
			Guards:  []string{GuardAnswers, GuardFallback, GuardCrossing},
			Context: true, Operator: true,
		},
		{Event: PostToolUseFailure, Tools: QuestionTools, Guards: []string{GuardFallback}, Context: true, Operator: true},
		{Event: PostToolBatch, Guards: []string{GuardCrossing}, Context: true, Operator: true, StandIn: PostToolUse},
		// What PostCompact prints reaches the model as an error (facts 0.16).
		{Event: PostCompact, Guards: []string{GuardCompact}},
		{Event: Stop, Guards: []string{GuardCapture}, Operator: true, Block: true},
		// Housekeeping only.
		{Event: SessionEnd},
	}
}

// GuardNames lists every guard once, in the order of the table.
func GuardNames() []string {
	var names []string
	seen := make(map[string]bool)
	for _, row := range Table() {
		for _, name := range row.Guards {
			if !seen[name] {
				seen[name] = true
				names = append(names, name)
			}
		}
	}
	return names
}

// RowOf gives the row of an event, or false for an event that is not ours.
func RowOf(event EventName) (Row, bool) {
	for _, row := range Table() {
		if row.Event == event {
			return row, true
		}
	}
	return Row{}, false
}

// IsQuestionTool reports whether the tool asks the person: AskUserQuestion, or
// an MCP server's tool of that name.
func IsQuestionTool(name string) bool {
	const native, prefix, suffix = "AskUserQuestion", "mcp__", "__AskUserQuestion"
	if name == native {
		return true
	}
	return len(name) > len(prefix)+len(suffix) &&
		name[:len(prefix)] == prefix && name[len(name)-len(suffix):] == suffix
}
