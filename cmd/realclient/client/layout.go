package client

import "strings"

// The marks by which the parts of the client's screen are known. promptMark
// stands before the text in the input box, and before the chosen line of a
// dialog; border is above and below the box; footerMark begins the client's own
// last row.
const (
	promptMark = "❯"
	border     = "────"
	footerMark = "⏵⏵"
)

// Input gives what is typed into the input box. It reports false when a screen
// has no input box, as while a dialog is open.
func Input(screen string) (string, bool) {
	lines := strings.Split(screen, "\n")
	for i := len(lines) - 2; i > 0; i-- {
		typed, ok := strings.CutPrefix(lines[i], promptMark)
		if ok && strings.HasPrefix(lines[i-1], border) && strings.HasPrefix(lines[i+1], border) {
			return strings.TrimSpace(typed), true // a no-break space follows the mark
		}
	}
	return "", false
}

// StatusRows gives the rows of the status line, trimmed, as they stand between
// the input box and the client's own footer.
func StatusRows(screen string) []string {
	lines := strings.Split(screen, "\n")
	var rows []string
	for i := len(lines) - 1; i >= 0; i-- {
		line := strings.TrimSpace(lines[i])
		switch {
		case strings.HasPrefix(line, border):
			return rows
		case strings.HasPrefix(line, footerMark):
			rows = nil
		default:
			rows = append([]string{line}, rows...)
		}
	}
	return nil
}

// Idle reports whether the client waits for a prompt: there is an input box, and
// no turn that Esc would interrupt.
func Idle(screen string) bool {
	_, ok := Input(screen)
	return ok && !strings.Contains(screen, "esc to interrupt")
}
