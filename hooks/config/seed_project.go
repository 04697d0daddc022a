package config

// ProjectFile is the name of a project's own file, at the project's root.
const ProjectFile = projectFile

// ProjectSeed is the .ctxguard.toml that `ctxguard init` writes. Every key and
// every table that a project's file may hold is there, commented out: as it is,
// the file changes nothing. What begins with # and no blank can be used as it
// stands.
const ProjectSeed = `# .ctxguard.toml: what this project adds to ctxguard, for everybody who works in it.
#
# As long as every line begins with #, nothing is changed. Take the # away from
# a table's name and from the keys that you want. This file can add and switch
# on; it cannot switch off, and it cannot make a command run. Paths are relative
# to this folder and stay inside it.

# At the end of a turn that changed files and recorded nothing, the model is
# asked once what is worth keeping. The table's name alone switches it on. dir is
# where the project keeps what it knows; folders in ignore (below dir) are not
# looked at; tools are counted as changing files besides Write, Edit, MultiEdit
# and NotebookEdit.
#[capture]
#dir = "knowledge-base"
#ignore = ["agents/"]
#tools = ["mcp__files__write"]

# The questions that this project has not settled: a page of Markdown with the
# headings Blocking, Open and Answered, each over a list. Blocking ones are
# brought to mind when a session starts.
#[reminders]
#file = "knowledge-base/_questions.md"
# A question that comes to mind when one of the phrases is in a prompt, in any
# letter case. question is a part of the question's line, letter for letter.
#[[reminders.trigger]]
#when = ["config directory", "home folder"]
#question = "CLAUDE_CONFIG_DIR"

# What an order to a subagent has to say here, besides GOAL:, FILES:,
# CONSTRAINTS:, DONE WHEN: and VERIFY:.
#[brief]
#enabled = true
#required = ["TICKET:"]
# A kind of work with something that everybody should know who does it. patterns
# are regular expressions, looked for in the order.
#[[brief.domain]]
#name = "migrations"
#patterns = ['\b(migration|schema)\b']
#summary = "Every migration can be undone; see db/README.md."
#needs_structure = false

# Shows the shape of a source file before it is changed.
#[structure]
#enabled = true

# Questions whose answer cannot be taken back: they are always asked. The name is
# the question's id.
#[preference.registry."delete-data"]
#door = "one-way"
`
