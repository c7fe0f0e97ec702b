package mending

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// TaskSpell is a spell that goes on: the task's item is the spell, its target whom
// it works on.
const TaskSpell = "spell"

// Numbers of a spell that goes on.
const (
	ValueTurns = "turns" // turns of the caster left; 0 for no end of its own
	ValueKept  = "kept"  // the round after the one in which it was last concentrated on
)

// goesOn tells whether a spell lasts beyond its casting.
func goesOn(sp *eventv1.CelesiaSpell) bool {
	return sp.Concentration || sp.Dismissible || sp.Redirectable || sp.Turns > 0
}

// SpellTask is the id of the task for a spell that goes on, by its caster and whom
// it works on.
func SpellTask(caster, spell, at string) string { return "spell-" + caster + "-" + at + "-" + spell }

// GoOn records that a spell works on a target from now on.
func GoOn(r *rules.Resolution, caster string, sp *eventv1.CelesiaSpell, at string) {
	if !goesOn(sp) || body.Dead(r.Creature(at)) || body.SpellOf(r.Creature(caster), sp.Name) == nil {
		return
	}
	SetSpell(r, caster, sp.Name, at, map[string]int32{ValueTurns: sp.Turns, ValueKept: r.State().Round + 1})
}

// SetSpell records a spell that goes on, in place of what was recorded of it before.
func SetSpell(r *rules.Resolution, caster, spell, at string, values map[string]int32) {
	r.Emit(event.Everyone(), &eventv1.TaskSet{Task: &eventv1.Task{Id: SpellTask(caster, spell, at), Creature: caster, Kind: TaskSpell,
		Status: "pending", Item: spell, Targets: []string{at}, Values: values}}, cite.SpellConcentrate)
}
