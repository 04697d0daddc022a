package question

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPointingPhrasesAndTheirNearMisses_A3(t *testing.T) {
	points := map[string]string{
		"With that context, which one?":                "With that context",
		"with all this analysis in mind":               "with all this analysis",
		"So, WITH ALL THAT\n\tCONTEXT, go?":            "WITH ALL THAT\n\tCONTEXT",
		"with\u00a0this\u2003context":                  "with\u00a0this\u2003context",
		"With the above context":                       "With the above context",
		"with the prior analysis":                      "with the prior analysis",
		"with the earlier context":                     "with the earlier context",
		"Given the above, proceed?":                    "Given the above",
		"given above: proceed?":                        "given above",
		"Given that context":                           "Given that context",
		"given this analysis":                          "given this analysis",
		"as described above":                           "as described above",
		"as shown earlier":                             "as shown earlier",
		"per mentioned previously":                     "per mentioned previously",
		"as discussed above":                           "as discussed above",
		"as noted earlier":                             "as noted earlier",
		"as outlined above":                            "as outlined above",
		"as summarized previously":                     "as summarized previously",
		"as explained above":                           "as explained above",
		"as detailed above":                            "as detailed above",
		"(see above)":                                  "see above",
		"per the above, which?":                        "per the above",
		"based on the above":                           "based on the above",
		"Based on my above":                            "Based on my above",
		"based on my analysis above":                   "based on my analysis above",
		"based on the findings above":                  "based on the findings above",
		"based on the context above, or my own":        "based on the context above",
		"the context above":                            "the context above",
		"Do the details below fit?":                    "the details below",
		"the detail below":                             "the detail below",
		"the evidence above":                           "the evidence above",
		"the summary above":                            "the summary above",
		"the analysis I provided":                      "analysis I provided",
		"context I just gave":                          "context I just gave",
		"findings i shared":                            "findings i shared",
		"the evidence I just showed you":               "evidence I just showed",
		"summary I outlined":                           "summary I outlined",
		"In light of the above":                        "In light of the above",
		"Is it right? In light of the above, probably": "In light of the above",
	}
	for text, want := range points {
		got, ok := find(text, compile(pointing), false)
		require.True(t, ok, text)
		require.Equal(t, want, got)
	}
	passes := []string{
		"", "Which colour do you want?",
		"see the table above", "given that CI is red, merge?", "given the choice", "given the aboveground cable",
		"with all that in mind", "with the context of the ticket", "with that contextual menu", "forewith that context",
		"as described in the ticket", "as above", "described above", "as described, above all",
		"see, above all, the cost", "see aboveboard dealings", "based on the analysis of the log", "based on my analysis",
		"based on above", "the above context", "contexts above", "the context, above", "the context switch above",
		"analysis provided", "the context I really gave", "context you provided", "I provided context",
		"in light of above", "in the light of the above", "per above", "per-the-above", "with-this-context",
		"Does the summary of the ticket match?", "with this_context",
	}
	for _, text := range passes {
		got, ok := find(text, compile(pointing), false)
		require.False(t, ok, "%q matched %q", text, got)
	}
}

func TestDestructiveWords_P3(t *testing.T) {
	oneWay := []string{
		"Delete the old branch?", "Should I go ahead with deleting it?", "deletion of clusters",
		"remove the unused files", "Wipe all of the user data", "removing old data", "data removal",
		"drop the legacy users table", "truncating two large tables", "drop tables",
		"force-push to main?", "Force push the rebase", "git push --force", "a force-pushing CI",
		"do a hard reset", "git reset --hard", "discard my local changes", "discarding uncommitted changes",
		"destroy the staging infrastructure", "terraform destroy", "tear down the cluster",
		"roll back the release", "roll the deploy back", "rollback", "rolling back",
		"revoke the API key", "reset their passwords", "rotate all of the production database secrets", "rotating a token", "key rotation", "revoking credentials",
		"run the schema migration", "schema-migrations", "migrate the database schema",
		"this is a breaking change", "breaking changes",
		"an architecture change", "change the architecture", "architectural changes", "data-model change", "change our data model",
	}
	for _, text := range oneWay {
		require.True(t, speaksOfDestruction(text), text)
	}
	twoWay := []string{
		"", "Which colour do you want?", "Remove the comment?", "drop a hint about it", "reset the view to the default zoom", "rotate the image",
		"push to the branch", "Is the key idea right?", "Drop it. Then look at the table", "roll out the release", "a hard problem",
		"What about the data?", "keep the token", "change the colour", "which architecture is it?", "Remove it; keep all files",
	}
	for _, text := range twoWay {
		require.False(t, speaksOfDestruction(text), text)
	}
}

func TestMarkers_P1(t *testing.T) {
	cases := map[string]struct{ text, id, rest string }{
		"a marker":                      {"Merge? <qid:merge-now>", "merge-now", "Merge? "},
		"the other spelling":            {"<gstack-qid:ship-1>Ship?", "ship-1", "Ship?"},
		"letter case is folded":         {"a <qid:Merge-NOW> b", "merge-now", "a  b"},
		"the first one counts":          {"<qid:a><qid:b>", "a", "<qid:b>"},
		"a broken one is passed over":   {"<qid:a b> <qid:ok>", "ok", "<qid:a b> "},
		"an empty one":                  {"<qid:>", "", "<qid:>"},
		"one that is not closed":        {"<qid:abc", "", "<qid:abc"},
		"an underscore":                 {"<qid:a_b>", "", "<qid:a_b>"},
		"another letter":                {"<qid:größe>", "", "<qid:größe>"},
		"another tag":                   {"<id:abc>", "", "<id:abc>"},
		"no marker":                     {"Merge?", "", "Merge?"},
		"64 characters are not many":    {"<qid:" + str('a', 64) + ">", str('a', 64), ""},
		"65 characters are one to many": {"<qid:" + str('a', 65) + ">", "", "<qid:" + str('a', 65) + ">"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			id, rest := markerOf(c.text)
			require.Equal(t, c.id, id)
			require.Equal(t, c.rest, rest)
		})
	}
}

func str(r rune, n int) string {
	b := make([]rune, n)
	for i := range b {
		b[i] = r
	}
	return string(b)
}

func TestTheRecommendedOption_P5(t *testing.T) {
	cases := map[string]struct {
		question string
		labels   []string
		want     string
	}{
		"the marked label":            {"?", []string{"Blue", "Red (recommended)"}, "Red (recommended)"},
		"in any letter case":          {"?", []string{"Blue (Recommended) ", "Red"}, "Blue (Recommended) "},
		"two marked labels":           {"?", []string{"Blue (recommended)", "Red (recommended)"}, ""},
		"a mark in the middle":        {"?", []string{"Blue (recommended) now", "Red"}, ""},
		"the mark wins over the line": {"Recommendation: Blue", []string{"Blue", "Red (recommended)"}, "Red (recommended)"},
		"a line":                      {"Which?\nRecommendation: Blue\n", []string{"Blue", "Red"}, "Blue"},
		"a line that says more":       {"Recommendation: blue, since it is cold", []string{"Blue", "Red"}, "Blue"},
		"a label that says more":      {"RECOMMENDATION:  Blue.", []string{"Blue as the sky", "Red"}, "Blue as the sky"},
		"option letters":              {"Recommendation: A) Postgres", []string{"A) Postgres!", "B) SQLite"}, "A) Postgres!"},
		"option letters on one side":  {"Recommendation: Postgres", []string{"A) Postgres", "B) SQLite"}, "A) Postgres"},
		"two labels begin alike":      {"Recommendation: Yes", []string{"Yes", "Yes, and more"}, ""},
		"a line that names none":      {"Recommendation: Green", []string{"Blue", "Red"}, ""},
		"a line with nothing":         {"Recommendation:", []string{"Blue", "Red"}, ""},
		"two lines":                   {"Recommendation: Blue\nRecommendation: Red", []string{"Blue", "Red"}, ""},
		"the word inside a line":      {"My recommendation: Blue", []string{"Blue", "Red"}, ""},
		"nothing at all":              {"Which?", []string{"Blue", "Red"}, ""},
		"no options":                  {"Recommendation: Blue", nil, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			q := asked{text: c.question}
			for _, l := range c.labels {
				q.options = append(q.options, option{label: l})
			}
			got, ok := q.recommended()
			require.Equal(t, c.want != "", ok)
			if ok {
				require.Equal(t, c.want, got.label)
			}
		})
	}
}
