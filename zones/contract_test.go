package zones

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/tidwall/gjson"

	"ctxguard/statusline/seam"
)

// contractTable is one table of docs/reader-contract.md: its heading cells and
// its rows.
type contractTable struct {
	head []string
	rows [][]string
}

func contract(t *testing.T) (string, []contractTable) {
	t.Helper()
	raw, err := os.ReadFile("../docs/reader-contract.md")
	require.NoError(t, err)
	text := strings.ReplaceAll(string(raw), "\r\n", "\n")
	var tables []contractTable
	inTable := false
	for line := range strings.SplitSeq(text, "\n") {
		if !strings.HasPrefix(line, "|") {
			inTable = false
			continue
		}
		var cells []string
		for cell := range strings.SplitSeq(strings.Trim(line, "|"), "|") {
			cells = append(cells, strings.TrimSpace(cell))
		}
		switch {
		case !inTable:
			tables = append(tables, contractTable{head: cells})
			inTable = true
		case strings.Trim(cells[0], "-") != "":
			last := &tables[len(tables)-1]
			require.Len(t, cells, len(last.head), line)
			last.rows = append(last.rows, cells)
		}
	}
	return text, tables
}

// table finds the one table whose heading is that.
func table(t *testing.T, head ...string) [][]string {
	t.Helper()
	_, tables := contract(t)
	var found [][]string
	for _, c := range tables {
		if slices.Equal(c.head, head) {
			require.Nil(t, found, "two tables with the heading %v", head)
			found = c.rows
		}
	}
	require.NotEmpty(t, found, "no table with the heading %v", head)
	return found
}

// column is one column of a table, without code quotes.
func column(rows [][]string, i int) []string {
	var out []string
	for _, row := range rows {
		out = append(out, strings.Trim(row[i], "`"))
	}
	return out
}

// prose is the contract without line breaks and quote marks.
func prose(t *testing.T) string {
	t.Helper()
	text, _ := contract(t)
	return strings.Join(strings.Fields(strings.ReplaceAll(text, "\n> ", " ")), " ")
}

// Z: the bands of the contract are those of the program.
func TestContractBands(t *testing.T) {
	b := DefaultBands()
	require.Equal(t, [][]string{{"of the true window", fmt.Sprint(b.SmartMaxPercent), fmt.Sprint(b.AcceptableMaxPercent)}},
		table(t, "percentage", "smart up to", "acceptable up to"))

	var want [][]string
	for _, row := range b.Tokens {
		want = append(want, []string{fmt.Sprint(row.Class), fmt.Sprint(row.SmartMax), fmt.Sprint(row.AcceptableMax)})
	}
	require.Equal(t, want, table(t, "window class", "smart up to", "acceptable up to"))
}

// Z: the codes of the contract are those of the program, and its numbers too.
func TestContractCodes(t *testing.T) {
	unknown := table(t, "what you find", "code")
	require.Equal(t, asText(NoSnapshot, NotJSON, OtherSession, BadTime, Stale, Future, NoWindowObject, NoUsage, ZeroUsage),
		column(unknown, 1))
	require.Contains(t, unknown[4][0], fmt.Sprintf("older than %d minutes", int(StaleAfter.Minutes())))
	require.Contains(t, unknown[5][0], fmt.Sprintf("more than %d seconds ahead", int(FutureTolerance.Seconds())))

	percent := table(t, "the percentage is not computable when", "code")
	require.Equal(t, asText(NotANumber, OutOfRange, Pegged, NoInput), column(percent, 1))

	tokens := table(t, "the tokens are not computable when", "code")
	require.Equal(t, asText(NoTotals, NoWindow, BelowClasses, NoVersion, BadVersion, OldVersion, OverWindow), column(tokens, 1))
	require.Contains(t, tokens[5][0], "below "+VersionFloor)

	text := prose(t)
	require.Contains(t, text, "`"+string(NothingComputable)+"`")
	require.Contains(t, text, fmt.Sprintf("not modified later than %d seconds after `captured_at`", int(QuietTolerance.Seconds())))
	require.Contains(t, text, fmt.Sprintf("larger than %d KiB", maxBandsFile>>10))
}

func asText[T ~string](values ...T) []string {
	var out []string
	for _, v := range values {
		out = append(out, string(v))
	}
	return out
}

// Z: the words, and the combination rule word for word.
func TestContractWords(t *testing.T) {
	require.Equal(t, asText(Smart, Acceptable, Dumb, Unknown), column(table(t, "zone", "what it says"), 0))
	require.Contains(t, prose(t), "When both shapes can be computed the worse zone wins; when one can, it stands alone; "+
		"when neither can, the zone is unknown.")
}

// Z: the sources of a true window.
func TestContractTrueWindow(t *testing.T) {
	rows := table(t, "order", "true window", "`window_source`")
	require.Equal(t, asText(FromTable, FromSuffix, FromPayload), column(rows, 2))
	require.Contains(t, rows[0][1], "`["+keyWindow+"]`")
	require.Contains(t, rows[1][1], fmt.Sprintf("%d, when `client.model.id` ends in `%s`", MillionWindow, MillionSuffix))
}

// Z: the contract's zones.toml is the default.
func TestContractZonesTOML(t *testing.T) {
	text, _ := contract(t)
	block := regexp.MustCompile("(?s)```toml\n(.*?)```").FindAllStringSubmatch(text, -1)
	require.Len(t, block, 1)
	bands, notices := ParseBands([]byte(block[0][1]))
	require.Empty(t, notices)
	require.Equal(t, DefaultBands(), bands)
	for _, key := range []string{keySmartMaxPercent, keyAcceptableMaxPercent, keyTokenBands, keySmartMaxTokens, keyAcceptableMaxTokens} {
		require.Contains(t, block[0][1], key)
	}
}

// The paths of the contract are where the seam looks.
func TestContractPaths(t *testing.T) {
	homes := column(table(t, "order", "home"), 1)
	require.Len(t, homes, 3)
	abs := func(name string) string { return filepath.Join(t.TempDir(), name) }
	own, client, user := abs("own"), abs("client"), abs("user")
	for i, env := range []map[string]string{
		{"CTXGUARD_HOME": own, "CLAUDE_CONFIG_DIR": client, "HOME": user, "USERPROFILE": user},
		{"CTXGUARD_HOME": "relative", "CLAUDE_CONFIG_DIR": client, "HOME": user, "USERPROFILE": user},
		{"CLAUDE_CONFIG_DIR": "", "HOME": user, "USERPROFILE": user},
	} {
		home, ok := seam.Locate(func(key string) string { return env[key] })
		require.True(t, ok)
		written, _, _ := strings.Cut(homes[i], "`") // the third goes on about Windows
		require.Equal(t, filepath.FromSlash(os.Expand(written, func(key string) string { return env[key] })), home.Dir())
	}
	_, ok := seam.Locate(func(string) string { return "" })
	require.False(t, ok)

	paths := column(table(t, "path under the home", "what"), 0)
	s, ok := seam.At(own).Session(testSession)
	require.True(t, ok)
	under := func(path string) string {
		rel, err := filepath.Rel(own, path)
		require.NoError(t, err)
		return strings.Replace(filepath.ToSlash(rel), testSession, "<session_id>", 1)
	}
	require.Equal(t, []string{under(s.SnapshotPath()), under(s.MarkerPath()), "zones.toml"}, paths)

	_, ok = seam.At(own).Session(strings.Repeat("a", 128))
	require.True(t, ok)
	_, ok = seam.At(own).Session(strings.Repeat("a", 129))
	require.False(t, ok)
	require.Contains(t, prose(t), "1 to 128 characters")
}

// The keys of the contract are those of a snapshot that was really written,
// and each of the contract's context_window keys changes the reading.
func TestContractSnapshotKeys(t *testing.T) {
	payload, err := os.ReadFile("../testdata/payloads/statusline-03-mid-session.json")
	require.NoError(t, err)
	p, err := seam.DecodePayload(payload)
	require.NoError(t, err)
	home := seam.At(t.TempDir())
	require.NoError(t, home.Capture(p, testNow, seam.CaptureOptions{}))
	s, _ := home.Session(p.SessionID)
	raw, err := os.ReadFile(s.SnapshotPath())
	require.NoError(t, err)

	require.Equal(t, keysOf(raw, "@this"), column(table(t, "key", "value", "always there"), 0))
	require.Equal(t, testNow.Format(CapturedAtLayout), gjson.GetBytes(raw, "captured_at").Str)
	text := prose(t)
	for _, key := range keysOf(raw, "client") {
		require.Contains(t, text, "`"+key+"`")
	}

	read := column(table(t, "key of `context_window`", "value"), 0)
	require.Subset(t, keysOf(raw, "context_window"), read)
	whole := mid().json()
	for _, key := range read {
		without := strings.Replace(whole, `"`+key+`"`, `"not_`+key+`"`, 1)
		require.NotEqual(t, jsonOf(t, resolveJSON(t, whole)), jsonOf(t, resolveJSON(t, without)), key)
	}
}

func resolveJSON(t *testing.T, raw string) Reading {
	t.Helper()
	s, err := seam.DecodeSnapshot([]byte(raw))
	require.NoError(t, err)
	return Resolve(Evidence{Session: testSession, Snapshot: &s}, DefaultBands(), testNow)
}

func keysOf(raw []byte, path string) []string {
	var out []string
	gjson.GetBytes(raw, path).ForEach(func(key, _ gjson.Result) bool {
		out = append(out, key.String())
		return true
	})
	return out
}

// K1: the keys of the contract's marker are those of one that was written.
func TestContractMarker(t *testing.T) {
	s, ok := seam.At(t.TempDir()).Session(testSession)
	require.True(t, ok)
	require.NoError(t, s.Mark("auto", "PostCompact", time.Now()))
	raw, err := os.ReadFile(s.MarkerPath())
	require.NoError(t, err)
	require.Equal(t, keysOf(raw, "@this"), column(table(t, "key", "value"), 0))
}
