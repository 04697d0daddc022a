// Package zoneguard holds the guards that act on the zone of a conversation:
// compact marks a session whose evidence was summarised away, crossing says once
// that a conversation got worse, gate holds back changes in the dumb zone.
//
// They decide; they do not resolve zones (package zones), and they write nothing
// but the marker.
package zoneguard

import (
	"ctxguard/hooks"
	"ctxguard/hooks/config"
)

// Guards gives this page's guards, by the configuration.
func Guards(cfg config.Config) []hooks.Guard {
	return []hooks.Guard{
		{Name: hooks.GuardCompact, Decide: compact},
		{Name: hooks.GuardCrossing, Decide: crossing{cfg.Crossing}.decide},
		{Name: hooks.GuardGate, NeedsPayload: gate{cfg.Gate, cfg.Compact}.needsPayload, Decide: gate{cfg.Gate, cfg.Compact}.decide},
	}
}
