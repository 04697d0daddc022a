package zones

// Seed is the zones.toml that setup writes when there is none. Every key is
// commented out, so that better defaults reach those who changed nothing.
const Seed = seedIntro +
	seedPercentHead + seedPercentKeys +
	seedTokensHead + seedTokensRows +
	seedWindow

const seedIntro = `# zones.toml: where a conversation turns from smart to acceptable to dumb.
#
# Every key below is commented out and shows its default. Take the # away from
# a line to decide it yourself. Two measures are taken, and the worse one counts:
#
#   percentage  input tokens over the whole window: how far it is to compaction
#   tokens      occupancy, that is input and output together: how far it is to
#               the loss of quality
#
# Upper bounds are inclusive; above the second one lies dumb. The two measures
# are checked separately: one that is wrong here falls back to its defaults, and
# ctxguard says so.
#
# Where the numbers come from: they are a judgement, declared as one, and not a
# benchmark. Change them when your own work says otherwise.
#   - Class 1000000: someone on the Claude Code team once put the range at about
#     300k to 400k tokens, informally, and hedged it. 400000 is the upper end of it.
#   - Class 200000: chosen below two weak signals, about 113k tokens in a public
#     report on context rot, where other causes were mixed in, and 125k that
#     practitioners pass on without a source.
#   - Both rows deserve the same low confidence. They mean the whole occupancy:
#     system prompt, tools and memory files count from the first message on.
#   - 50 and 75 percent answer another question than the tokens do. They stay for
#     readers that have these two numbers built in, and go when none is left.
`

const seedPercentHead = `
# Percent of the window. Both or neither: 0 < smart < acceptable <= 100.
`

const seedPercentKeys = `# smart_max_used_percentage      = 50
# acceptable_max_used_percentage = 75
`

const seedTokensHead = `
# Tokens of occupancy for each class of window. The row of the largest class
# that is not larger than the window is used. The table is taken as a whole: if
# you write one row, write all that you want. 0 < smart < acceptable <= class.
`

const seedTokensRows = `# [token_bands.200000]
# smart_max_tokens      = 100_000
# acceptable_max_tokens = 160_000

# [token_bands.1000000]
# smart_max_tokens      = 200_000
# acceptable_max_tokens = 400_000
`

const seedWindow = `
# For a client that reports the wrong window: the model's id = size in tokens.
# * stands for any run of characters, upper and lower case are the same, and the
# first line that matches wins. A named window is believed: more tokens than it
# holds is dumb, not a wrong number.
# [window]
# "claude-fable-5*" = 1_000_000
`
