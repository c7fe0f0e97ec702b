package magic

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/items"
	"github.com/skaldrpg/skald/pkg/rules/celesia/mending"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Active lists the tasks of a caster's spell that goes on; of all its spells
// when none is named.
func Active(s *eventv1.State, caster, spell string) []*eventv1.Task {
	var out []*eventv1.Task
	for _, id := range rules.SortedKeys(s.Tasks) {
		if t := s.Tasks[id]; t.Kind == mending.TaskSpell && t.Creature == caster && (spell == "" || t.Item == spell) {
			out = append(out, t)
		}
	}
	return out
}

// spellOn is whom a spell that goes on works on.
func spellOn(t *eventv1.Task) string {
	if len(t.Targets) == 0 {
		return ""
	}
	return t.Targets[0]
}

// EndSpell ends a spell and the condition that it put on its target.
func EndSpell(r *rules.Resolution, t *eventv1.Task, why, rule string) {
	r.Emit(event.Everyone(), &eventv1.TaskEnded{Id: t.Id, Outcome: why}, rule)
	for _, x := range r.Creature(spellOn(t)).GetConditions() {
		if x.Source == t.Creature && x.Cause == t.Item {
			r.RemoveCondition(spellOn(t), x, why, rule)
		}
	}
}

// DropTask ends a task of one who leaves, or of a fight that is over; a spell
// ends with what it put on its target.
func DropTask(r *rules.Resolution, t *eventv1.Task) {
	if t.Kind == mending.TaskSpell {
		EndSpell(r, t, "dropped", cite.SpellConcentrate)
		return
	}
	r.Emit(event.Everyone(), &eventv1.TaskEnded{Id: t.Id, Outcome: "dropped"})
}

// FadeSpells counts down the spells of a caster whose turn begins; those on the
// dead are over.
func FadeSpells(r *rules.Resolution, id string) {
	for _, t := range Active(r.State(), id, "") {
		switch left := t.Values[mending.ValueTurns]; {
		case body.Dead(r.Creature(spellOn(t))):
			EndSpell(r, t, "its target is dead", cite.SpellConcentrate)
		case left > 1:
			mending.SetSpell(r, id, t.Item, spellOn(t), map[string]int32{mending.ValueTurns: left - 1, mending.ValueKept: t.Values[mending.ValueKept]})
		case left == 1:
			EndSpell(r, t, "its time is over", cite.SpellConcentrate)
		}
	}
}

// LapseSpells ends the spells that a caster did not concentrate on in a turn
// that is over, and those of the dead.
//
// celesia.spell.concentrate
func LapseSpells(r *rules.Resolution, id string) {
	for _, task := range rules.SortedKeys(r.State().Tasks) {
		t := r.State().Tasks[task]
		if caster := r.Creature(t.Creature); body.Dead(caster) && body.SpellOf(caster, t.Item).GetConcentration() {
			EndSpell(r, t, "its caster is dead", cite.SpellConcentrate)
		}
	}
	for _, t := range Active(r.State(), id, "") {
		if body.SpellOf(r.Creature(id), t.Item).GetConcentration() && t.Values[mending.ValueKept] <= r.State().Round {
			EndSpell(r, t, "not concentrated on", cite.SpellConcentrate)
		}
	}
}

// refuseActive says why there is no such spell to do something with.
func refuseActive(s *eventv1.State, c *eventv1.Creature, name, rule string) error {
	if body.SpellOf(c, name) == nil {
		return body.Nameless("take.item", "spell", c.GetName(), name, SpellNames(s, c))
	}
	if len(Active(s, c.Id, name)) == 0 {
		return body.Refuse("NOT_ACTIVE", rule, "%s is not active", name)
	}
	return nil
}

// RefuseConcentrate says why a spell cannot be concentrated on: it is not active, or
// needs no concentration.
func RefuseConcentrate(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	return refuseKept(s, c, take, cite.SpellConcentrate)
}

func refuseKept(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction, rule string) error {
	if err := refuseActive(s, c, take.Item, rule); err != nil {
		return err
	}
	if !body.SpellOf(c, take.Item).Concentration {
		return body.Refuse("NO_CONCENTRATION", rule, "%s needs no concentration", take.Item)
	}
	return nil
}

// RefuseCease refuses what RefuseConcentrate does, by the rule of ceasing to
// concentrate.
func RefuseCease(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	return refuseKept(s, c, take, cite.SpellCeaseConcentrating)
}

// celesia.spell.dismiss
func RefuseDismiss(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	const rule = cite.SpellDismiss
	if err := refuseActive(s, c, take.Item, rule); err != nil {
		return err
	}
	if !body.SpellOf(c, take.Item).Dismissible {
		return body.Refuse("NOT_DISMISSIBLE", rule, "%s cannot be dismissed", take.Item)
	}
	return nil
}

// RefuseRedirect: only a spell that allows it, only to somebody it does not work
// on yet, within its range.
//
// celesia.spell.redirect
func RefuseRedirect(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	const rule = cite.SpellRedirect
	if err := refuseActive(s, c, take.Item, rule); err != nil {
		return err
	}
	sp := body.SpellOf(c, take.Item)
	if !sp.Redirectable {
		return body.Refuse("NOT_REDIRECTABLE", rule, "%s cannot be redirected", sp.Name)
	}
	if s.Tasks[mending.SpellTask(c.Id, sp.Name, body.Target(take))] != nil {
		return body.Refuse("ALREADY", rule, "%s works on it already", sp.Name)
	}
	return items.RefuseRange(c, s.Creatures[body.Target(take)], sp, take)
}

// celesia.spell.concentrate
func DoConcentrate(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	for _, t := range Active(r.State(), c.Id, take.Item) {
		mending.SetSpell(r, c.Id, t.Item, spellOn(t), map[string]int32{mending.ValueTurns: t.Values[mending.ValueTurns], mending.ValueKept: r.State().Round + 1})
	}
	return nil
}

// DoEndSpell ends a spell of the creature on all its targets, for a reason that
// everyone is told.
func DoEndSpell(why, rule string) func(*rules.Resolution, *eventv1.Creature, *eventv1.TakeAction) error {
	return func(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
		for _, t := range Active(r.State(), c.Id, take.Item) {
			EndSpell(r, t, why, rule)
		}
		return nil
	}
}
