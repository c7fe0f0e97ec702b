package rcr

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/flight"
	"github.com/skaldrpg/skald/pkg/rules/rcr/magic"
	"github.com/skaldrpg/skald/pkg/rules/rcr/mounts"
	"github.com/skaldrpg/skald/pkg/rules/rcr/movement"
	"github.com/skaldrpg/skald/pkg/rules/rcr/strike"
	"github.com/skaldrpg/skald/pkg/rules/rcr/underwater"
)

// Settings lists what a table may choose: the optional rules by their ids and
// the readings that tables differ on.
func (System) Settings() []rules.Setting { return body.Settings.All() }

// StandingOrders lists the decisions that may be settled ahead.
func (System) StandingOrders() []rules.StandingOrder {
	return []rules.StandingOrder{
		{Decision: body.DecInitiative, Orders: []string{"dexterity", "intelligence"}, Text: "Which ability initiative is rolled with"},
		{Decision: body.DecOpportunity, Orders: []string{rules.OrderYes, "no"}, Text: "Opportunity attacks: take them with the first attack that reaches, or let every one pass"},
		{Decision: body.DecLegendaryResistance, Orders: []string{"yes", "no"}, Text: "Succeed on failed saving throws by legendary resistance"},
		{Decision: strike.DecDefend, Orders: []string{rules.OrderYes, "no"}, Text: "Reactions to a hit: take the first one offered, or take every hit"},
		{Decision: "inspiration-fudge", Orders: []string{"yes", "no"}, Text: "Spend inspiration on a failed check"},
		{Decision: body.DecRelentless, Orders: []string{"yes", "no"}, Text: "Stay up with 1 hit point by relentless endurance"},
		{Decision: body.DecKnockOut, Orders: []string{"yes", "no"}, Text: "Knock out whom it brings to 0 hit points in melee"},
		{Decision: "death-save-inspiration", Orders: []string{"yes", "no"}, Text: "Spend inspiration instead of rolling a death save"},
		{Decision: "safety", Orders: []string{"yes", "no"}, Text: "Spend a Safety on a failed check"},
		{Decision: underwater.DecDive, Orders: []string{"yes", "no"}, Text: "Dive where a fall ends in water"},
		{Decision: mounts.DecCatch, Orders: []string{"yes", "no"}, Text: "Try to come together again, rider and mount, when one of them falls"},
		{Decision: mounts.DecLanding, Orders: []string{"feet", "prone"}, Text: "Land on its feet by the reaction when off a mount"},
		{Decision: flight.DecArrest, Orders: []string{"yes", "no"}, Text: "Spread the wings to arrest a fall"},
		{Decision: strike.DecEmpower, Orders: []string{"keep"}, Text: "Keep the dice of empowered spells as they fall"},
		{Decision: movement.DecGuard, Orders: []string{rules.OrderYes, "no"}, Text: "Strike at those who attack others (Sentinel), or never"},
		{Decision: movement.DecSlay, Orders: []string{rules.OrderYes, "no"}, Text: "Strike at those who cast (Mage Slayer), or never"},
		{Decision: movement.DecCounterspell, Orders: []string{"no", movement.CounterLowest, movement.CounterCertain},
			Text: "Counter spells never, with the lowest slot, or with the lowest that needs no check"},
		{Decision: movement.DecSmite, Orders: []string{"no", movement.SmiteLowest, movement.SmiteHighest}, Text: "Expend a slot for radiant damage on a hit in melee"},
		{Decision: movement.DecShift, Orders: []string{"stay"}, Text: "Shift nobody (Crusher)"},
		{Decision: magic.DecReroll, Orders: []string{"yes", "no"}, Text: "Roll an attack again that came up 1 (Savage Attacker)"},
		{Decision: "fall-roll", Orders: []string{"acrobatics", "athletics", "no"}, Text: "Roll with a fall"},
	}
}

// Presets lists the settings of the document under one name.
func (System) Presets() []rules.Preset { return body.Presets.All() }
