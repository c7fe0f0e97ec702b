package celesia

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// taskSpell is a spell that goes on; the task's status names its target.
const taskSpell = "spell"

// Numbers of a spell that goes on.
const (
	valueTurns = "turns" // turns of the caster left; 0 for no end of its own
	valueKept  = "kept"  // the round after the one in which it was last concentrated on
)

// lastingActions keep up, end and turn spells that go on.
func lastingActions() []*action {
	return []*action{
		{id: "concentrate", title: "Concentrate on a spell", rule: cite.SpellConcentrate, acts: 2,
			items: spellNames, refuse: refuseConcentrate, do: doConcentrate},
		{id: "cease-concentrating", title: "Cease concentrating", rule: cite.SpellCeaseConcentrating,
			items: spellNames, refuse: refuseCease, do: doEndSpell("concentration dropped", cite.SpellCeaseConcentrating)},
		{id: "dismiss", title: "Dismiss a spell", rule: cite.SpellDismiss, acts: 1,
			items: spellNames, refuse: refuseDismiss, do: doEndSpell("dismissed", cite.SpellDismiss)},
		{id: "redirect", title: "Redirect a spell", rule: cite.SpellRedirect, acts: 1, targeted: true, self: true,
			items: spellNames, refuse: refuseRedirect, do: doRedirect},
	}
}

// goesOn tells whether a spell lasts beyond its casting.
func goesOn(sp *eventv1.CelesiaSpell) bool {
	return sp.Concentration || sp.Dismissible || sp.Redirectable || sp.Turns > 0
}

func spellTask(caster, spell, at string) string { return "spell-" + caster + "-" + at + "-" + spell }

// active lists the tasks of a caster's spell that goes on; of all its spells
// when none is named.
func active(s *eventv1.State, caster, spell string) []*eventv1.Task {
	var out []*eventv1.Task
	for _, id := range rules.SortedKeys(s.Tasks) {
		if t := s.Tasks[id]; t.Kind == taskSpell && t.Creature == caster && (spell == "" || t.Text == spell) {
			out = append(out, t)
		}
	}
	return out
}

// goOn records that a spell works on a target from now on.
func goOn(r *rules.Resolution, caster string, sp *eventv1.CelesiaSpell, at string) {
	if !goesOn(sp) || dead(r.Creature(at)) || spellOf(r.Creature(caster), sp.Name) == nil {
		return
	}
	setSpell(r, caster, sp.Name, at, map[string]int32{valueTurns: sp.Turns, valueKept: r.State().Round + 1})
}

func setSpell(r *rules.Resolution, caster, spell, at string, values map[string]int32) {
	r.Emit(event.Everyone(), &eventv1.TaskSet{Task: &eventv1.Task{Id: spellTask(caster, spell, at), Creature: caster, Kind: taskSpell,
		Status: at, Text: spell, Values: values}}, cite.SpellConcentrate)
}

// endSpell ends a spell and the condition that it put on its target.
func endSpell(r *rules.Resolution, t *eventv1.Task, why, rule string) {
	r.Emit(event.Everyone(), &eventv1.TaskEnded{Id: t.Id, Outcome: why}, rule)
	for _, x := range slices.Clone(r.Creature(t.Status).GetConditions()) {
		if x.Source == t.Creature && x.Cause == t.Text {
			r.RemoveCondition(t.Status, x, why, rule)
		}
	}
}

// dropTask ends a task of one who leaves, or of a fight that is over; a spell
// ends with what it put on its target.
func dropTask(r *rules.Resolution, t *eventv1.Task) {
	if t.Kind == taskSpell {
		endSpell(r, t, "dropped", cite.SpellConcentrate)
		return
	}
	r.Emit(event.Everyone(), &eventv1.TaskEnded{Id: t.Id, Outcome: "dropped"})
}

// fadeSpells counts down the spells of a caster whose turn begins; those on the
// dead are over.
func fadeSpells(r *rules.Resolution, id string) {
	for _, t := range active(r.State(), id, "") {
		switch left := t.Values[valueTurns]; {
		case dead(r.Creature(t.Status)):
			endSpell(r, t, "its target is dead", cite.SpellConcentrate)
		case left == 1:
			endSpell(r, t, "its time is over", cite.SpellConcentrate)
		case left > 1:
			setSpell(r, id, t.Text, t.Status, map[string]int32{valueTurns: left - 1, valueKept: t.Values[valueKept]})
		}
	}
}

// lapseSpells ends the spells that a caster did not concentrate on in a turn
// that is over, and those of the dead.
//
// celesia.spell.concentrate
func lapseSpells(r *rules.Resolution, id string) {
	for _, task := range rules.SortedKeys(r.State().Tasks) {
		t := r.State().Tasks[task]
		if caster := r.Creature(t.Creature); t.Kind == taskSpell && dead(caster) && spellOf(caster, t.Text).GetConcentration() {
			endSpell(r, t, "its caster is dead", cite.SpellConcentrate)
		}
	}
	for _, t := range active(r.State(), id, "") {
		if spellOf(r.Creature(id), t.Text).GetConcentration() && t.Values[valueKept] <= r.State().Round {
			endSpell(r, t, "not concentrated on", cite.SpellConcentrate)
		}
	}
}

// refuseActive says why there is no such spell to do something with.
func refuseActive(s *eventv1.State, c *eventv1.Creature, name, rule string) error {
	if spellOf(c, name) == nil {
		return nameless("take.item", "spell", c.GetName(), name, spellNames(s, c))
	}
	if len(active(s, c.Id, name)) == 0 {
		return refuse("NOT_ACTIVE", rule, "%s is not active", name)
	}
	return nil
}

func refuseConcentrate(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	const rule = cite.SpellConcentrate
	if err := refuseActive(s, c, take.Item, rule); err != nil {
		return err
	}
	if !spellOf(c, take.Item).Concentration {
		return refuse("NO_CONCENTRATION", rule, "%s needs no concentration", take.Item)
	}
	return nil
}

func refuseCease(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := refuseConcentrate(s, c, take); err != nil {
		if f, ok := fault.As(err); ok && f.Rule != "" {
			return refuse(f.Reason, cite.SpellCeaseConcentrating, "%s", f.Message)
		}
		return err
	}
	return nil
}

// celesia.spell.dismiss
func refuseDismiss(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	const rule = cite.SpellDismiss
	if err := refuseActive(s, c, take.Item, rule); err != nil {
		return err
	}
	if !spellOf(c, take.Item).Dismissible {
		return refuse("NOT_DISMISSIBLE", rule, "%s cannot be dismissed", take.Item)
	}
	return nil
}

// refuseRedirect: only a spell that allows it, only to somebody it does not work
// on yet, within its range.
//
// celesia.spell.redirect
func refuseRedirect(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	const rule = cite.SpellRedirect
	if err := refuseActive(s, c, take.Item, rule); err != nil {
		return err
	}
	sp := spellOf(c, take.Item)
	if !sp.Redirectable {
		return refuse("NOT_REDIRECTABLE", rule, "%s cannot be redirected", sp.Name)
	}
	if s.Tasks[spellTask(c.Id, sp.Name, target(take))] != nil {
		return refuse("ALREADY", rule, "%s works on it already", sp.Name)
	}
	return refuseRange(c, s.Creatures[target(take)], sp, take)
}

// celesia.spell.concentrate
func doConcentrate(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	for _, t := range active(r.State(), c.Id, take.Item) {
		setSpell(r, c.Id, t.Text, t.Status, map[string]int32{valueTurns: t.Values[valueTurns], valueKept: r.State().Round + 1})
	}
	return nil
}

func doEndSpell(why, rule string) func(*rules.Resolution, *eventv1.Creature, *eventv1.TakeAction) error {
	return func(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
		for _, t := range active(r.State(), c.Id, take.Item) {
			endSpell(r, t, why, rule)
		}
		return nil
	}
}

// doRedirect turns a spell to a new target, on which it works as it did on the
// first, saving throw and all (a reading).
//
// celesia.spell.redirect
func doRedirect(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	sp := spellOf(c, take.Item)
	from := active(r.State(), c.Id, sp.Name)[0]
	endSpell(r, from, "turned to "+r.Creature(target(take)).GetName(), cite.SpellRedirect)
	setSpell(r, c.Id, sp.Name, target(take), from.Values)
	if one, reached := resist(r, sp, target(take), 0, take); reached {
		layOn(r, c, sp, []struck{one})
	}
	return nil
}
