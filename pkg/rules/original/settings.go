package original

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
)

// Settings lists what a table may choose.
func (System) Settings() []rules.Setting { return body.Settings.All() }

// StandingOrders lists the decisions that may be settled ahead.
func (System) StandingOrders() []rules.StandingOrder {
	return []rules.StandingOrder{
		{Decision: body.DecReach, Orders: []string{"yes", "no"}, Text: "Strike first with the longer weapon when a foe closes"},
		{Decision: body.DecSet, Orders: []string{"yes", "no"}, Text: "Set spear or pike against a charge"},
		{Decision: body.DecInTurn, Orders: []string{"yes", "no"}, Text: "Charge a foe who charges"},
		{Decision: body.DecMissile, Orders: []string{"yes", "no"}, Text: "Shoot at a charging foe"},
		{Decision: body.DecAnswer, Orders: []string{"yes", "no"}, Text: "Strike back at a foe who has charged"},
		{Decision: body.DecSpell, Orders: []string{rules.OrderYes, "no"}, Text: "Cast the first spell that can be cast at a charging foe, or none"},
		{Decision: body.DecWhipPull, Orders: []string{"yes", "no"}, Text: "Pull what a whip has entangled"},
		{Decision: body.DecJoin, Orders: []string{"yes", "no"}, Text: "Grapple with one of the same side who asks for it"},
		{Decision: body.DecStruggle, Orders: []string{"yes", "no"}, Text: "Struggle against a pin"},
	}
}

// Presets lists the settings of the document under one name.
func (System) Presets() []rules.Preset { return body.Presets.All() }
