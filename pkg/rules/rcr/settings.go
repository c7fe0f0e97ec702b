package rcr

import "github.com/skaldrpg/skald/pkg/rules"

// Settings lists what a table may choose.
func (System) Settings() []rules.Setting { return settings }

// StandingOrders lists the decisions that may be settled ahead.
func (System) StandingOrders() []rules.StandingOrder { return nil }

var settings []rules.Setting

// defaults of the settings by id.
var defaults = func() map[string]string {
	out := map[string]string{}
	for _, s := range settings {
		out[s.ID] = s.Default
	}
	return out
}()
