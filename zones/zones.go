// Package zones turns a snapshot into a zone: smart, acceptable, dumb, or
// unknown.
//
// [Resolve] is the only place where a zone is decided. It is pure: what is
// known of a session ([Evidence]), the bands ([Bands]) and the time go in, a
// [Reading] with all its evidence comes out. [ParseBands] reads zones.toml.
//
// # The rule
//
// Two shapes look at the same conversation. The percentage, input side only,
// says how far it is to compaction. The tokens, that is the occupancy, input
// and output together, say how far it is to the loss of quality. When both
// shapes can be computed the worse zone wins; when one can, it stands alone;
// when neither can, the zone is unknown.
//
// # Unknown
//
// A number that cannot be trusted gives the word unknown. Nothing is ever
// filled in: a field of a Reading that is not known says so.
//
// This package opens no file, asks no clock and knows no hook event; none of
// that may enter. docs/reader-contract.md tells the same to readers written by
// others, and a test holds its tables against the constants here.
package zones

import "time"

// Zone is where a conversation stands.
type Zone string

// The zones, best first, and the word for data that cannot be trusted.
const (
	Smart      Zone = "smart"
	Acceptable Zone = "acceptable"
	Dumb       Zone = "dumb"
	Unknown    Zone = "unknown"
)

// WorseThan reports whether z is worse than other. Unknown, or a word that is
// no zone, is comparable to nothing: the answer is false both ways.
func (z Zone) WorseThan(other Zone) bool {
	mine, ok := z.rank()
	theirs, otherOK := other.rank()
	return ok && otherOK && mine > theirs
}

func (z Zone) rank() (int, bool) {
	switch z {
	case Smart:
		return 0, true
	case Acceptable:
		return 1, true
	case Dumb:
		return 2, true
	}
	return 0, false
}

// What decides whether a snapshot is believed at all.
const (
	// StaleAfter is the age above which a snapshot is no longer believed.
	StaleAfter = 10 * time.Minute
	// FutureTolerance is how far captured_at may lie ahead of the clock.
	FutureTolerance = 60 * time.Second
	// QuietTolerance is how much later than captured_at a transcript may have
	// been modified for a stale snapshot to be still current.
	QuietTolerance = 5 * time.Second
	// CapturedAtLayout is the exact form of captured_at, in UTC.
	CapturedAtLayout = "2006-01-02T15:04:05Z"
)

// What decides whether the tokens are believed, and over which window.
const (
	// VersionFloor is the first client whose totals are those of the last
	// response; older ones sent sums over the whole session (version matrix,
	// note 3).
	VersionFloor = "2.1.132"
	// MillionSuffix at the end of a model's id means a window of MillionWindow
	// tokens.
	MillionSuffix = "[1m]"
	MillionWindow = 1_000_000
	// MaxCount is the largest number of tokens that is told apart: up to it a
	// JSON number is exact in a float64. Larger ones are read as MaxCount,
	// which is larger than any window.
	MaxCount = 1 << 53
)
