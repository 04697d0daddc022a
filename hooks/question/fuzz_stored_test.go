package question

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"github.com/tidwall/gjson"

	"ctxguard/hooks/config"
	"ctxguard/statusline/seam"
)

// FuzzPreferences: preferences.json says what encoding/json reads in it; a change
// keeps everything else that stands there; a value that is none of the three never
// decides anything.
func FuzzPreferences(f *testing.F) {
	f.Fuzz(func(t *testing.T, raw []byte, project, id string) {
		p, err := decodePreferences(raw)
		var file struct {
			Global   map[string]json.RawMessage            `json:"global"`
			Projects map[string]map[string]json.RawMessage `json:"projects"`
		}
		if err != nil {
			return
		}
		value := p.For(project, id)
		require.True(t, value == "" || value == AlwaysAsk || value == NeverAsk || value == AskOnlyForOneWay, value)
		var all map[string]json.RawMessage
		require.NoError(t, json.Unmarshal(raw, &all))
		if part, ok := all["global"]; ok {
			require.NoError(t, json.Unmarshal(part, &file.Global))
		}
		if part, ok := all["projects"]; ok {
			require.NoError(t, json.Unmarshal(part, &file.Projects))
		}
		if value != "" {
			require.True(t, holds(file.Global, id, value) || holdsAbove(file.Projects, project, id, value), "%s is stored nowhere", value)
		}
		entries := len(file.Global)
		for _, values := range file.Projects {
			entries += len(values)
		}
		require.Len(t, p.Entries(config.Default().Preference), entries)

		if project != "" && !filepath.IsAbs(project) || CheckPreference(config.Default().Preference, id, NeverAsk) != nil || !utf8.ValidString(project) {
			return
		}
		project = strings.TrimSpace(project)
		p.Set(project, id, NeverAsk)
		encoded, err := p.encode()
		require.NoError(t, err)
		back, err := decodePreferences(encoded)
		require.NoError(t, err)
		if project == "" || filepath.Clean(project) == project {
			require.Equal(t, NeverAsk, back.For(project, strings.ToUpper(id)), "whatever the letter case")
		}
		var after map[string]json.RawMessage
		require.NoError(t, json.Unmarshal(encoded, &after))
		for key, value := range all {
			if key != "global" && key != "projects" {
				require.JSONEq(t, string(value), string(after[key]), key)
			}
		}
		require.True(t, back.Clear(project, strings.ToLower(id)))
		require.False(t, back.Clear(project, id))
	})
}

func holds(values map[string]json.RawMessage, id string, value Value) bool {
	for key, raw := range values {
		var v Value
		if strings.EqualFold(key, id) && json.Unmarshal(raw, &v) == nil && v == value {
			return true
		}
	}
	return false
}

func holdsAbove(projects map[string]map[string]json.RawMessage, project, id string, value Value) bool {
	for folder, values := range projects {
		below, err := filepath.Rel(folder, filepath.Clean(project))
		if err == nil && filepath.IsLocal(below) && holds(values, id, value) {
			return true
		}
	}
	return false
}

// FuzzRecords: the log of questions gives the lines that encoding/json understands,
// and its tally counts each of them once.
func FuzzRecords(f *testing.F) {
	home := seam.At(f.TempDir())
	f.Fuzz(func(t *testing.T, raw []byte) {
		require.NoError(t, os.WriteFile(home.Path(AnswersFile), raw, 0o600))
		records, err := Records(home)
		require.NoError(t, err)
		want := 0
		for line := range strings.SplitSeq(string(raw), "\n") {
			var r struct {
				ID string `json:"question_id"`
			}
			if json.Unmarshal([]byte(line), &Record{}) == nil && json.Unmarshal([]byte(line), &r) == nil && r.ID != "" {
				want++
			}
		}
		require.Len(t, records, want)
		counted := 0
		seen := make(map[string]bool)
		for _, tally := range Summarise(records) {
			require.False(t, seen[tally.QuestionID])
			seen[tally.QuestionID] = true
			counted += tally.Asked + tally.Decided
			require.True(t, tally.Followed <= tally.Compared && tally.Compared <= tally.Asked)
			require.True(t, tally.OwnWords <= tally.Asked && tally.Unanswered <= tally.Asked)
		}
		require.Equal(t, len(records), counted)
	})
}

// FuzzReplies: whatever form a question tool's result has, there is one reply for
// each question, what is told of an unknown form holds none of its texts, and
// records are within their lengths.
func FuzzReplies(f *testing.F) {
	const secret = "TOPSECRET"
	f.Fuzz(func(t *testing.T, response, question, label, words string) {
		if !gjson.Valid(response) {
			return
		}
		questions := []asked{
			{text: question, options: []option{{label: label}, {label: "B (recommended)"}}},
			{text: "Another?", options: []option{{label: "yes, and more"}}},
		}
		replies, strange := repliesOf(questions, gjson.Parse(response))
		require.Len(t, replies, len(questions))
		require.NotContains(t, strings.ToUpper(strange), "\n")
		require.Less(t, len(strange), 64<<10)
		for i, q := range questions {
			r := Record{}
			r.choose(q, replies[i].choice)
			r.say(replies[i].words)
			require.LessOrEqual(t, utf8.RuneCountInString(r.Choice), longestChoice)
			require.LessOrEqual(t, utf8.RuneCountInString(r.FreeText), longestFreeText)
			require.True(t, utf8.ValidString(r.Choice+r.FreeText))
		}
		if !utf8.ValidString(question) || !utf8.ValidString(words) || normal(question) == "" || normal(question) == "another?" {
			return
		}
		// The native form, made of those texts: the answer comes back as it was given.
		native := encode(map[string]any{"answers": map[string]any{question: words, "Another?": secret}, "annotations": map[string]any{}})
		replies, strange = repliesOf(questions, gjson.Parse(native))
		require.Empty(t, strange)
		require.Equal(t, []reply{{known: true, choice: strings.TrimSpace(words)}, {known: true, choice: secret}}, replies)
		unknown := encode(map[string]any{"reply": []any{words, secret}, words: secret, "said": map[string]any{secret + " " + words: 1}})
		_, strange = repliesOf(questions, gjson.Parse(unknown))
		require.NotContains(t, strange, secret, "people's text is not for the log")
	})
}

var markerPattern = regexp.MustCompile(`<(?:gstack-)?qid:([A-Za-z0-9-]{1,64})>`)

// FuzzMarkerOf: the marker of a question is the first that the regular expression
// finds, and taking it out leaves the rest as it was.
func FuzzMarkerOf(f *testing.F) {
	f.Fuzz(func(t *testing.T, text string) {
		id, rest := markerOf(text)
		at := markerPattern.FindStringSubmatchIndex(text)
		if at == nil {
			require.Empty(t, id)
			require.Equal(t, text, rest)
			return
		}
		require.Equal(t, strings.ToLower(text[at[2]:at[3]]), id)
		require.Equal(t, text[:at[0]]+text[at[1]:], rest)
		require.True(t, ValidID(id) && config.ValidQuestionID(id))
	})
}

// pointingPattern is A3 as regular expressions, family by family.
var pointingPattern = regexp.MustCompile(`(?i)` + strings.Join([]string{
	`with(?: all)? (?:that|this) (?:context|analysis)`,
	`with the (?:above|prior|earlier) (?:context|analysis)`,
	`given(?: the)? above`,
	`given (?:that|this) (?:context|analysis)`,
	`(?:as|per) (?:described|shown|mentioned|discussed|noted|outlined|summarized|explained|detailed) (?:above|earlier|previously)`,
	`see above`,
	`per the above`,
	`based on (?:the|my) above`,
	`based on (?:the|my) (?:analysis|context|findings|summary) above`,
	`the (?:context|analysis|details?|findings|summary|evidence) (?:above|below)`,
	`(?:context|analysis|details?|findings|summary|evidence) i(?: just)? (?:provided|gave|shared|showed|outlined)`,
	`in light of the above`,
}, "|"))

var whiteSpace = regexp.MustCompile(`[\s\v]+`)

// FuzzPhrases: a text points at what is not on the screen when the regular
// expressions say so, its words set apart by any white space.
func FuzzPhrases(f *testing.F) {
	f.Fuzz(func(t *testing.T, text string) {
		// Plain letters: word boundaries and letter case mean the same to both.
		for _, r := range text {
			if r >= utf8.RuneSelf {
				return
			}
		}
		apart := whiteSpace.ReplaceAllString(text, " ")
		want := false
		for _, at := range pointingPattern.FindAllStringIndex(apart, -1) {
			want = want || boundary(apart, at[0]) && boundary(apart, at[1])
		}
		phrase, got := find(text, compile(pointing), false)
		require.True(t, strings.Contains(text, phrase))
		if want {
			require.True(t, got, "%q", apart)
		}
		if got {
			require.Regexp(t, pointingPattern, strings.Join(strings.Fields(phrase), " "))
		}
	})
}

func boundary(s string, at int) bool {
	inside := func(i int) bool { return i >= 0 && i < len(s) && inWord(rune(s[i])) }
	return inside(at-1) != inside(at)
}
