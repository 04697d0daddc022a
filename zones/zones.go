// Package zones turns a snapshot into a zone.
package zones

// Zone is where a conversation stands.
type Zone string

// The zones, best first, and the word for data that cannot be trusted.
const (
	Smart      Zone = "smart"
	Acceptable Zone = "acceptable"
	Dumb       Zone = "dumb"
	Unknown    Zone = "unknown"
)

// Reading is a zone with the evidence for it.
type Reading struct {
	Zone Zone
}
