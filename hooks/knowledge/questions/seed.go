package questions

// Seed is the questions file that `ctxguard init --questions` makes: the
// sections, and no question.
const Seed = `# Questions

<!--
What this project has not settled yet. One list item is one question; what is
indented below it belongs to it. A section is named by the first word of its
heading. Questions under Blocking are brought to mind when a session starts;
those under Blocking and Open when a prompt holds a phrase of a trigger
([[reminders.trigger]] in .ctxguard.toml).
-->

## Blocking

<!-- Work cannot go on in some part until these are answered. -->

## Open

<!-- Worth an answer; nothing waits for it yet. -->

## Answered

<!-- With the answer, and why: so that it is not asked again. -->
`
