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
	flag := func(is bool) int32 {
		if is {
			return 1
		}
		return 0
	}
	r.Emit(event.Everyone(), &eventv1.TaskSet{Task: &eventv1.Task{Id: blowID(n), Creature: w.attacker, Kind: "blow", Status: "pending", Text: w.weapon,
		Values:    map[string]int32{"actual": w.actual, "temporary": w.temporary, "critical": flag(w.critical), "unhorsed": flag(w.unhorsed)},
		Modifiers: []*eventv1.Modifier{{Source: w.target}, {Source: w.effect, Rule: w.rule}, {Source: w.note}, {Source: w.drops}, {Source: w.at}}}}, cite.InitiativeTiesSimultaneous)
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
		if t == nil || t.Kind != "spell" {
			continue
		}
		var targets []string
		for _, m := range t.Modifiers {
			targets = append(targets, m.Source)
		}
		r.Emit(event.Everyone(), &eventv1.TaskEnded{Id: t.Id, Outcome: "takes effect"}, cite.SpellTieSave)
		goOff(r, t.Creature, t.Text, targets)
	}
	heldContests(r)
	r.Set("", cBlows, 0, "the slot is over")
	r.Mark("", mTogether, "")
}

func layBlows(r *rules.Resolution) {
	for n := int64(1); n <= r.Count("", cBlows); n++ {
		t := r.State().Tasks[blowID(n)]
		if t == nil || t.Kind != "blow" || len(t.Modifiers) != 5 {
			continue
		}
		r.Emit(event.Everyone(), &eventv1.TaskEnded{Id: t.Id, Outcome: "takes effect"}, cite.InitiativeTiesSimultaneous)
		lay(r, &wound{attacker: t.Creature, target: t.Modifiers[0].Source, weapon: t.Text, actual: t.Values["actual"], temporary: t.Values["temporary"],
			critical: t.Values["critical"] == 1, effect: t.Modifiers[1].Source, rule: t.Modifiers[1].Rule, note: t.Modifiers[2].Source,
			drops: t.Modifiers[3].Source, at: t.Modifiers[4].Source, unhorsed: t.Values["unhorsed"] == 1})
	}
}
