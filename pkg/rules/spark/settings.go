package spark

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
)

// Settings lists what a table may choose.
func (System) Settings() []rules.Setting { return body.Settings.All() }

// StandingOrders lists the decisions that may be settled ahead.
func (System) StandingOrders() []rules.StandingOrder {
	return []rules.StandingOrder{
		{Decision: body.DecOpportunity, Orders: []string{rules.OrderYes, "no"}, Text: "Opportunity attacks: take them with the first attack that reaches, or let every one pass"},
		{Decision: body.DecCounterspell, Orders: []string{rules.OrderYes, "no"}, Text: "Counterspell, or never"},
		{Decision: body.DecRetrieve, Orders: []string{"no"}, Text: "Let a weapon lie that flew off"},
		{Decision: body.DecFree, Orders: []string{"yes", "no"}, Text: "Pull at a stuck weapon at once, or not"},
		{Decision: body.DecFlyingSave, Orders: []string{"strength", "reflex"}, Text: "The save by which a weapon is held"},
	}
}

// Presets lists the settings of the document under one name.
func (System) Presets() []rules.Preset { return body.Presets.All() }
