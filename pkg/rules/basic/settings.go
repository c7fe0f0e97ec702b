package basic

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/fire"
)

// Settings lists what a table may choose.
func (System) Settings() []rules.Setting { return body.Settings.All() }

// StandingOrders lists the decisions that may be settled ahead.
func (System) StandingOrders() []rules.StandingOrder {
	return []rules.StandingOrder{
		{Decision: body.DecParting, Orders: []string{rules.OrderYes, body.DecideNo}, Text: "Parting shots: take them with the first weapon, or let every one pass"},
		{Decision: body.DecFree, Orders: []string{rules.OrderYes, body.DecideNo}, Text: "Free attacks: take them with the first weapon, or let every one pass"},
		{Decision: body.DecClosing, Orders: []string{rules.OrderYes, body.DecideNo}, Text: "Strike early at those who close in, with the first long weapon, or never"},
		{Decision: body.DecBetween, Orders: []string{body.DecideNo}, Text: "While holding, let the numbers pass that nobody has"},
		{Decision: body.DecSet, Orders: []string{rules.OrderYes, body.DecideNo}, Text: "Set the first weapon that can be set against a charge, or never"},
		{Decision: body.DecFollow, Orders: []string{body.DecideYes, body.DecideNo}, Text: "Follow those who back away fighting"},
		{Decision: body.DecLit, Orders: fire.Lightings, Text: "What lights the oil that one throws"},
		{Decision: body.DecAbility, Orders: []string{"strength", "dexterity"}, Text: "Which ability a grapple check is made with"},
	}
}

// Presets lists the settings of the document under one name.
func (System) Presets() []rules.Preset { return body.Presets.All() }
