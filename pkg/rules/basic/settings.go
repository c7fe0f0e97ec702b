package basic

import (
	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/toggles"
)

// Ids of settings.
const (
	setPreloaded = cite.AttackPreloadedCrossbows
	setCharge    = "basic.setting.charge-approval"
	setTurn      = "basic.setting.turn-rounds"
	setOpen      = "basic.setting.open-approval"
	setChange    = "basic.setting.declaration-change"
)

var settings = toggles.New([]rules.Setting{
	{ID: setPreloaded},
	{ID: setCharge, Title: "Who allows a charge", Values: []string{"stated", "ask"}, Default: "stated",
		Text: "stated: a charge is allowed unless the facts of the action say {allowed: false}; ask: the game master is asked each time."},
	{ID: setOpen, Title: "Who accepts actions that the list does not name", Values: []string{"stated", "ask"}, Default: "stated",
		Text: "stated: feats and other actions are accepted unless the facts of the action say {allowed: false}; ask: the game master is asked each time."},
	{ID: setChange, Title: "Whether a declaration may be changed", Values: []string{"ask", "never"}, Default: "ask",
		Text: "ask: on its number a creature may do something else, if the game master allows it; never: what was declared binds."},
	{ID: setTurn, Title: "Rounds in a turn", Default: "60",
		Text: "How many rounds of 10 seconds make the turn that rest and waking are counted in."},
})

// Settings lists what a table may choose.
func (System) Settings() []rules.Setting { return settings.All() }

// StandingOrders lists the decisions that may be settled ahead.
func (System) StandingOrders() []rules.StandingOrder {
	return []rules.StandingOrder{
		{Decision: decParting, Orders: []string{decideNo}, Text: "Let every parting shot pass"},
		{Decision: decFree, Orders: []string{decideNo}, Text: "Let every free attack pass"},
		{Decision: decClosing, Orders: []string{decideNo}, Text: "Never strike early at those who close in"},
		{Decision: decBetween, Orders: []string{decideNo}, Text: "While holding, let the numbers pass that nobody has"},
		{Decision: decSet, Orders: []string{decideNo}, Text: "Never set a weapon against a charge"},
		{Decision: decFollow, Orders: []string{decideYes, decideNo}, Text: "Follow those who back away fighting"},
		{Decision: decLit, Orders: lightings, Text: "What lights the oil that one throws"},
		{Decision: decAbility, Orders: []string{"strength", "dexterity"}, Text: "Which ability a grapple check is made with"},
	}
}

var defaults = settings

// turnRounds is how many rounds a turn lasts.
//
// basic.turn.turn-length
func turnRounds(r *rules.Resolution) int64 { return int64(max(1, r.Number(setTurn))) }
