package body

import (
	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/toggles"
)

// Ids of settings.
const (
	SetPreloaded = cite.AttackPreloadedCrossbows
	SetCharge    = "basic.setting.charge-approval"
	SetTurn      = "basic.setting.turn-rounds"
	SetOpen      = "basic.setting.open-approval"
	SetChange    = "basic.setting.declaration-change"
)

// Settings are what a table may set for this system, each with its default.
var Settings = toggles.New([]rules.Setting{
	{ID: SetPreloaded},
	{ID: SetCharge, Title: "Who allows a charge", Values: []string{"stated", "ask"}, Default: "stated",
		Text: "stated: a charge is allowed unless the facts of the action say {allowed: false}; ask: the game master is asked each time."},
	{ID: SetOpen, Title: "Who accepts actions that the list does not name", Values: []string{"stated", "ask"}, Default: "stated",
		Text: "stated: feats and other actions are accepted unless the facts of the action say {allowed: false}; ask: the game master is asked each time."},
	{ID: SetChange, Title: "Whether a declaration may be changed", Values: []string{"ask", "never"}, Default: "ask",
		Text: "ask: on its number a creature may do something else, if the game master allows it; never: what was declared binds."},
	{ID: SetTurn, Title: "Rounds in a turn", Default: "60",
		Text: "How many rounds of 10 seconds make the turn that rest and waking are counted in."},
})

// Defaults reads the value of a setting at a table: its own, or the default.
var Defaults = Settings

// TurnRounds is how many rounds a turn lasts.
//
// basic.turn.turn-length
func TurnRounds(r *rules.Resolution) int64 { return int64(max(1, r.Number(SetTurn))) }
