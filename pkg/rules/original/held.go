package original

import (
	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// layOrHold lays a wound, or holds it back until everyone in the slot has
// acted when foes act at the same time.
//
// original.initiative.ties-simultaneous
func layOrHold(r *rules.Resolution, w *wound) {
	if w == nil || r.State().Marks[mTogether] == "" {
		lay(r, w)
		return
	}
	n := r.Count("", cBlows) + 1
	r.Set("", cBlows, n, "a blow of a simultaneous slot")
	r.Emit(event.Everyone(), &eventv1.TaskSet{Task: w.task(blowID(n))}, cite.InitiativeTiesSimultaneous)
}

// task is a wound that waits.
func (w *wound) task(id string) *eventv1.Task {
	t := &eventv1.Task{Id: id, Creature: w.attacker, Kind: taskBlow, Status: "pending", Text: w.weapon, Item: w.weapon, Targets: []string{w.target},
		Note: w.note, Rule: w.rule}
	if w.actual+w.temporary > 0 {
		t.Harm = []*eventv1.Harm{w.harm(w.attacker)}
	}
	if w.effect != "" {
		t.Conditions = []*eventv1.Condition{{Name: w.effect, Source: w.attacker, Cause: w.weapon, Rule: w.rule}}
	}
	if w.drops != "" {
		t.Items = []*eventv1.ItemChanged{{Creature: w.target, Item: w.drops, Place: placeDropped, Cause: w.weapon, At: w.at}}
	}
	if w.unhorsed {
		t.Values = map[string]int32{valUnhorsed: 1}
	}
	return t
}

// woundOf is the wound that waited.
func woundOf(t *eventv1.Task) *wound {
	w := &wound{attacker: t.Creature, target: t.Targets[0], weapon: t.Item, note: t.Note, rule: t.Rule, unhorsed: t.Values[valUnhorsed] > 0}
	for _, h := range t.Harm {
		w.critical = h.Critical
		for _, p := range h.Parts {
			if p.Type == partTemporary {
				w.temporary += p.Rolled
			} else {
				w.actual += p.Rolled
			}
		}
	}
	for _, x := range t.Conditions {
		w.effect = x.Name
	}
	for _, x := range t.Items {
		w.drops, w.at = x.Item, x.At
	}
	return w
}

func blowID(n int64) string { return "blow-" + itoa(n) }

// layHeld has every blow held back take effect, then the spells that the blows
// have not spoiled.
//
// original.initiative.ties-simultaneous, original.spell.tie-save
func layHeld(r *rules.Resolution) {
	layBlows(r)
	for n := int64(1); n <= r.Count("", cBlows); n++ {
		t := r.State().Tasks[blowID(n)]
		if t == nil || t.Kind != taskSpell {
			continue
		}
		r.Emit(event.Everyone(), &eventv1.TaskEnded{Id: t.Id, Outcome: "takes effect"}, cite.SpellTieSave)
		goOff(r, t.Creature, t.Item, t.Targets)
	}
	heldContests(r)
	r.Set("", cBlows, 0, "the slot is over")
	if r.State().Marks[mTogether] != "" {
		r.Flag("", mTogether, false)
	}
}

func layBlows(r *rules.Resolution) {
	for n := int64(1); n <= r.Count("", cBlows); n++ {
		t := r.State().Tasks[blowID(n)]
		if t == nil || t.Kind != taskBlow || len(t.Targets) != 1 {
			continue
		}
		r.Emit(event.Everyone(), &eventv1.TaskEnded{Id: t.Id, Outcome: "takes effect"}, cite.InitiativeTiesSimultaneous)
		lay(r, woundOf(t))
	}
}
