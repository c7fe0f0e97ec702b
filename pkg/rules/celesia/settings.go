package celesia

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/magic"
	"github.com/skaldrpg/skald/pkg/rules/celesia/saddle"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
)

// Settings lists what a table may choose.
func (System) Settings() []rules.Setting { return body.Settings.All() }

// StandingOrders lists the decisions that may be settled ahead.
func (System) StandingOrders() []rules.StandingOrder {
	return []rules.StandingOrder{
		{Decision: body.DecReaction, Orders: []string{rules.OrderYes, "no"}, Text: "Chances to react: take the first way offered, or let every one pass"},
		{Decision: body.DecReenter, Orders: []string{"yes", "no"}, Text: "Come back from a delay at the first chance, or never"},
		{Decision: body.DecCrippling, Orders: []string{"none", "scar", "major-scar"}, Text: "Injury to take in place of damage that would bring hit points to 0 or lower"},
		{Decision: answers.DecPass, Orders: []string{"yes", "no"}, Text: "Let a creature that overruns pass, or stand in its way"},
		{Decision: answers.DecHazard, Orders: []string{"no", "maneuver", "escape-artist"}, Text: "How to break free before being put in danger"},
		{Decision: body.DecEscape, Orders: []string{"free", "control"}, Text: "What a successful escape from a grapple gains"},
		{Decision: strike.DecCleave, Orders: []string{rules.OrderYes, "no"}, Text: "Cleave on after a hit, at the first foe, or never"},
		{Decision: saddle.DecBear, Orders: []string{"yes", "no"}, Text: "Bear riders of one's own side whom others play, or none"},
		{Decision: magic.DecWilling, Orders: []string{"yes", "no"}, Text: "Let the spells of allies whom others play work, or none"},
		{Decision: body.DecExtra, Orders: []string{body.MostActs}, Text: "Of several effects that give extra acts, take the one that gives most"},
		{Decision: saddle.DecRideOn, Orders: []string{"yes", "no"}, Text: "Whether the mount moves on after a spell from the saddle"},
	}
}

// Presets lists the settings of the document under one name.
func (System) Presets() []rules.Preset { return body.Presets.All() }
