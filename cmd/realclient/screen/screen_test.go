package screen_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"ctxguard/cmd/realclient/screen"
)

func TestWhatIsVisible(t *testing.T) {
	const cols, rows = 10, 4
	for name, c := range map[string]struct{ in, want string }{
		"text stands where it was written":                {"ab\r\ncd", "ab\ncd"},
		"a line feed keeps the column":                    {"ab\ncd", "ab\n  cd"},
		"a return starts the line over":                   {"abc\rX", "Xbc"},
		"a backspace goes one back":                       {"abc\bX", "abX"},
		"a tab goes to the next stop":                     {"a\tb", "a       b"},
		"a full line wraps with the next character":       {"0123456789X", "0123456789\nX"},
		"a full line does not wrap before that":           {"0123456789\rX", "X123456789"},
		"the screen scrolls at its end":                   {"1\r\n2\r\n3\r\n4\r\n5", "2\n3\n4\n5"},
		"the cursor can be addressed":                     {"\x1b[2;3HX", "\n  X"},
		"addresses without numbers are the corner":        {"abc\x1b[HX", "Xbc"},
		"an address outside is the nearest inside":        {"\x1b[99;99HX\x1b[1;1HY", "Y\n\n\n         X"},
		"relative moves":                                  {"\x1b[3;5H\x1b[2A\x1b[3Da\x1b[1B\x1b[2Cb", " a\n    b"},
		"column and row addresses":                        {"\x1b[3d\x1b[4GX", "\n\n   X"},
		"next and previous line":                          {"abc\x1b[2EX\x1b[1FY", "abc\nY\nX"},
		"erase to the end of the line":                    {"abcdef\x1b[1;3H\x1b[K", "ab"},
		"erase to the start of the line":                  {"abcdef\x1b[1;3H\x1b[1K", "   def"},
		"erase the line":                                  {"abc\r\ndef\x1b[2K", "abc"},
		"erase to the end of the screen":                  {"abc\r\ndef\r\nghi\x1b[2;2H\x1b[J", "abc\nd"},
		"erase to the start of the screen":                {"abc\r\ndef\r\nghi\x1b[2;2H\x1b[1J", "\n  f\nghi"},
		"erase the screen, which leaves the cursor":       {"abc\x1b[2JX", "   X"},
		"erasing the scrollback shows nothing":            {"abc\x1b[3J", "abc"},
		"erase characters":                                {"abcdef\x1b[1;2H\x1b[3X", "a   ef"},
		"delete characters":                               {"abcdef\x1b[1;2H\x1b[3P", "aef"},
		"delete more characters than there are":           {"abcdef\x1b[1;2H\x1b[99P", "a"},
		"insert blanks":                                   {"abcdef\x1b[1;2H\x1b[2@", "a  bcdef"},
		"insert lines":                                    {"a\r\nb\r\nc\x1b[2;1H\x1b[L", "a\n\nb\nc"},
		"delete lines":                                    {"a\r\nb\r\nc\x1b[1;1H\x1b[M", "b\nc"},
		"a scrolling region scrolls alone":                {"a\r\nb\r\nc\r\nd\x1b[2;3r\x1b[3;1H\nX", "a\nc\nX\nd"},
		"a reverse line feed at the top scrolls down":     {"a\r\nb\x1b[H\x1bMX", "X\na\nb"},
		"scroll up and down":                              {"a\r\nb\r\nc\x1b[S\x1b[2T", "\n\nb\nc"},
		"the cursor is saved and restored":                {"ab\x1b7\r\ncd\x1b8X", "abX\ncd"},
		"the other spelling of it":                        {"ab\x1b[s\r\ncd\x1b[uX", "abX\ncd"},
		"the alternate screen starts empty":               {"abc\x1b[?1049hX", "   X"},
		"and gives the first one back":                    {"abc\x1b[?1049h\x1b[2JX\x1b[?1049ld", "abcd"},
		"colours are not text":                            {"\x1b[1;31mab\x1b[0m\x1b[38:2:1:2:3mc", "abc"},
		"titles are not text":                             {"a\x1b]0;a title\x07b", "ab"},
		"links show their text":                           {"\x1b]8;;https://example.com\x1b\\link\x1b]8;;\x1b\\!", "link!"},
		"device strings are not text":                     {"a\x1bP1$r0m\x1b\\b\x1b_Gx\x1b\\c", "abc"},
		"modes and cursor shapes are not text":            {"\x1b[?25l\x1b[?2026h\x1b[>1u\x1b[2 qa\x1b[?2026l", "a"},
		"character sets are not text":                     {"\x1b(Ba\x1b)0b", "ab"},
		"a sequence that another one cuts off":            {"\x1b[12\x1b[2GX", " X"},
		"a string that another sequence cuts off":         {"\x1b]0;title\x1b[2GX", " X"},
		"a control byte inside a sequence is carried out": {"ab\x1b[\r2CX", "abX"},
		"wide characters take two columns":                {"漢字\x1b[5GX", "漢字X"},
		"half of a wide character is none":                {"漢字\x1b[2GX", " X字"},
		"a wide character that does not fit wraps":        {"012345678漢", "012345678\n漢"},
		"accents join what they follow":                   {"e\u0301X", "e\u0301X"},
		"joined emoji are one character":                  {"👩\u200d🚀X\x1b[3GY", "👩\u200d🚀Y"},
		"an accent on nothing is nothing":                 {"\u0301X", "X"},
		"invalid bytes are marked":                        {"a\xffb\xc3(", "a\ufffdb\ufffd("},
		"a reset empties everything":                      {"abc\x1bcX", "X"},
		"a repeated parameter list that is empty":         {"\x1b[;3HX", "  X"},
	} {
		t.Run(name, func(t *testing.T) {
			s := screen.New(cols, rows)
			s.Write([]byte(c.in))
			require.Equal(t, c.want, s.String())

			bytewise := screen.New(cols, rows)
			for i := range len(c.in) {
				bytewise.Write([]byte{c.in[i]})
			}
			require.Equal(t, c.want, bytewise.String(), "where a read ends makes no difference")
		})
	}
}

func TestForegroundOfAText(t *testing.T) {
	s := screen.New(40, 2)
	s.Write([]byte("漢 \x1b[31mred\x1b[39m plain \x1b[1;38;5;208mamber\x1b[0m \x1b[38;2;1;2;3mrgb\x1b[48;5;9;94mbright"))
	for text, want := range map[string]string{
		"red": "31", "plain": "", "amber": "38;5;208", "rgb": "38;2;1;2;3", "bright": "94", "漢": "",
	} {
		got, ok := s.Foreground(text)
		require.True(t, ok, text)
		require.Equal(t, want, got, text)
	}
	_, ok := s.Foreground("absent")
	require.False(t, ok)
}

func TestQuestionsOfProgramsAreAnswered(t *testing.T) {
	s := screen.New(40, 10)
	s.Write([]byte("\x1b[c\x1b[5n\x1b[3;7H\x1b[6n\x1b[>c"))
	require.Equal(t, "\x1b[?62;22c\x1b[0n\x1b[3;7R", string(s.Replies()))
	require.Empty(t, s.Replies(), "once")
}

func TestResizeCutsAndAdds(t *testing.T) {
	s := screen.New(6, 3)
	s.Write([]byte("abcdef\r\nsecond\x1b[3;6H"))
	s.Resize(3, 2)
	require.Equal(t, "abc\nsec", s.String())
	s.Resize(8, 5)
	s.Write([]byte("\x1b[5;8HX"))
	require.Equal(t, "abc\nsec\n\n\n       X", s.String())
}

func FuzzWrite(f *testing.F) {
	f.Add([]byte("\x1b[2;3H漢\x1b[K\x1b[?1049h\x1b[3;1r\x1b[9S\xc3"))
	f.Add([]byte("\x1b[99999999999999999999@\x1b[-1;-1H\x1b[;;;;m\x1b[38m\x1b[38;5m"))
	f.Add([]byte("0123456789\u0301漢\x1b[1P\x1b[1@\x1b[1X"))
	f.Fuzz(func(t *testing.T, in []byte) {
		s := screen.New(7, 3)
		s.Write(in)
		s.Resize(4, 2)
		s.Write(in)
		lines := s.Lines()
		require.Len(t, lines, 2)
		for _, line := range lines {
			require.True(t, utf8.ValidString(line), "%q", line)
			require.NotContains(t, line, "\x1b")
		}
		s.Foreground(strings.Join(lines, ""))
	})
}
