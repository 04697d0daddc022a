package config

// Seed is the ctxguard.toml that setup writes when there is none. Every key is
// commented out and shows its default, so that better defaults reach those who
// changed nothing: a key is a line that begins with # and its name, without a
// blank between them.
const Seed = `# ctxguard.toml: which guards run, and how.
#
# Every key below shows its default. Take the # away from a line to decide it
# yourself; ` + "`ctxguard doctor`" + ` says when something here is not understood. A guard can
# be stopped for a while without this file: ` + "`ctxguard off gate --for 30m`" + `.

# false: no guard says anything. The status line is measured all the same.
[hooks]
#enabled = true

# The line that ctxguard draws when there is no status line to stand in front of.
[statusline]
#show = ["model", "bar", "tokens", "zone", "dir", "branch", "cost"]

# Other folders, which must exist, that get the same snapshots: for the tools that
# look for them there, such as "~/.claude/context-guard/context".
[seam]
#mirror = []

# The curve of each session that ` + "`ctxguard status`" + ` draws.
[history]
#enabled = true

# Says once that a conversation has gone from one zone into the next. With menu
# "both" the model hears the numbers and you hear the ways out; with "operator"
# only you hear something. router is a skill that can hand the work over.
[crossing]
#enabled = true
#menu = "both"
#router = "session-flow:workflow"

# Remembers that a conversation was compacted, and says what that took away. With
# counts_as_dumb the gate takes such a conversation for a dumb one.
[compact]
#enabled = true
#counts_as_dumb = true

# Holds back changes in the dumb zone, after some calls of grace. "advisory" holds
# back nothing; "blocking" does. Names in exempt_paths pass, * stands for anything.
[gate]
#enabled = true
#mode = "advisory"
#grace_calls = 10
#tools = ["Write", "Edit", "MultiEdit", "NotebookEdit", "Agent", "Task", "Workflow"]
#exempt_paths = ["*handoff*"]

# Wants a question to come with its context, where you can read it. min_chars is
# how much text must stand before one; 0 asks for none.
[ask]
#enabled = true
#min_chars = 200

# Answers questions that you have answered for good (` + "`ctxguard prefs`" + `). answer is
# "auto", "deny" (tell the model) or "fill" (answer in your place). prose is true,
# false or "auto": whether questions have to be settled in text here, because the
# question tool does not work.
[preference]
#enabled = true
#answer = "auto"
#prose = "auto"
# What can be taken back is a two-way door, what cannot a one-way door:
#   [preference.registry."release-window"]
#   door = "two-way"

# Keeps a record of what you were asked, and what you said.
[answers]
#enabled = true

# Helps when the question tool fails.
[fallback]
#enabled = true

# Wants the order to a subagent to say what it needs. repeat is "session" or
# "agent"; permission "allow" lets the completed order through, "ask" leaves it to
# you.
[brief]
#enabled = false
#required = ["GOAL:", "FILES:", "CONSTRAINTS:", "DONE WHEN:", "VERIFY:"]
#repeat = "session"
#permission = "allow"
# One table for each kind of work; the first one here takes the place of those
# that are built in:
#   [[brief.domain]]
#   name = "development"
#   patterns = ['\b(implement|refactor)\b']
#   summary = "What somebody should know who does this kind of work here."
#   needs_structure = true

# Shows the shape of a source file before it is changed. The times are the most
# that it may take, in seconds.
[structure]
#enabled = false
#edit_seconds = 10
#brief_seconds = 20
# A program of your own for some kinds of files:
#   command = ["prog", "{path}"]
#   extensions = [".py"]

# Brings open questions of a project's knowledge base to mind.
[reminders]
#enabled = true
#file = "knowledge-base/_questions.md"
#at_start = ["blocking"]
#on_prompt = ["blocking", "open"]
# A question that a word in the prompt brings up:
#   [[reminders.trigger]]
#   when = ["config directory"]
#   question = "CLAUDE_CONFIG_DIR"

# Asks at the end of a turn that changed files what was learned, in projects whose
# .ctxguard.toml has a [capture] table.
[capture]
#enabled = true
#dir = "knowledge-base"
#ignore = ["agents/"]
#tools = ["Write", "Edit", "MultiEdit", "NotebookEdit"]
`
