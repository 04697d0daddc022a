package question

// pointing are the families of phrases that point at something which is not on
// the person's screen (A3). The words are adjacent.
const pointing = `
with [all] that|this context|analysis
with the above|prior|earlier context|analysis
given [the] above
given that|this context|analysis
as|per described|shown|mentioned|discussed|noted|outlined|summarized|explained|detailed above|earlier|previously
see above
per the above
based on the|my above
based on the|my analysis|context|findings|summary above
the context|analysis|detail|details|findings|summary|evidence above|below
context|analysis|detail|details|findings|summary|evidence i [just] provided|gave|shared|showed|outlined
in light of the above
`

// destructive are the words of a question about something that is hard to take
// back (P3). Other words may stand where there is a ~.
const destructive = `
delete|deletes|deleted|deleting|deletion|deletions
remove|removes|removed|removing|removal|wipe|wipes|wiped|wiping|erase|erases|erasing|purge|purges|purging ~ file|files|data|directory|directories|folder|folders|record|records|database|databases
data|file|files removal|wipe
drop|drops|dropped|dropping|truncate|truncates|truncated|truncating ~ table|tables|column|columns|database|databases|schema|schemas
force push|pushes|pushed|pushing
push|pushes|pushed|pushing ~ force
hard reset|resets|resetting
reset|resets|resetting hard
discard|discards|discarded|discarding ~ change|changes|work|edits|commit|commits
destroy|destroys|destroyed|destroying|destruction
tear|tears|tearing down
roll|rolls|rolled|rolling ~ back
rollback|rollbacks
revoke|revokes|revoked|revoking|revocation|reset|resets|resetting|rotate|rotates|rotated|rotating|rotation ~ key|keys|token|tokens|secret|secrets|password|passwords|credential|credentials|passphrase|passphrases
key|keys|token|tokens|secret|secrets|password|passwords|credential|credentials rotation|revocation|reset
schema|schemas migration|migrations|change|changes
migrate|migrates|migrated|migrating ~ schema|schemas|database|databases
breaking change|changes
architecture|architectural ~ change|changes|redesign|rewrite|migration
change|changes|changing|redesign|rewrite|rework ~ architecture
data model|models ~ change|changes|migration|redesign
change|changes|changing|redesign|rework ~ data model|models
`

func speaksOfDestruction(text string) bool {
	_, ok := find(text, compile(destructive), true)
	return ok
}
