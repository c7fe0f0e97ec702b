package recheck

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Other is rules that this build does not have, by which Commits were decided.
type Other struct {
	// System and its version.
	System  string `json:"system"`
	Version string `json:"version"`
	// Engine version of what carried the commands out, where it is that which differs.
	Engine string `json:"engine,omitempty"`
	// Here is the version that this build has; empty when it does not know the system.
	Here string `json:"here,omitempty"`
	// Commits that were decided so, and the version of the first in its record.
	Commits int    `json:"commits"`
	First   uint64 `json:"first"`
}

// Rules are those of this build, and of what carries commands out in it.
type Rules struct {
	Systems *rules.Registry
	Engine  string
}

// Decided tells whether these rules decided a Commit; where others did, it counts the
// Commit among them.
func (r Rules) Decided(h *eventv1.CommitHeader, others *[]Other) bool {
	o := Other{System: h.System, Version: h.SystemVersion, First: h.Version}
	sys, err := r.Systems.System(h.System)
	switch {
	case err != nil:
	case h.EngineVersion != r.Engine:
		o.Engine, o.Here = h.EngineVersion, r.Engine
	case sys.Info().Version != h.SystemVersion:
		o.Here = sys.Info().Version
	default:
		return true
	}
	i := slices.IndexFunc(*others, func(x Other) bool {
		return x.System == o.System && x.Version == o.Version && x.Engine == o.Engine
	})
	if i < 0 {
		*others, i = append(*others, o), len(*others)
	}
	(*others)[i].Commits++
	return false
}
