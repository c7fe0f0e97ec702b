package original

import (
	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	thestrike "github.com/skaldrpg/skald/pkg/rules/original/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// layOrHold lays a wound, or holds it back until everyone in the slot has
// acted when foes act at the same time.
//
// original.initiative.ties-simultaneous
func layOrHold(r *rules.Resolution, w *thestrike.Wound) {
	if w == nil || r.State().Marks[body.MTogether] == "" {
		lay(r, w)
		return
	}
	thestrike.Wait(r, w.Task)
	w.Then(r, false)
}

// layHeld has every blow held back take effect, then the spells that the blows
// have not spoiled.
//
// original.initiative.ties-simultaneous, original.spell.tie-save
func layHeld(r *rules.Resolution) {
	layBlows(r)
	for n := int64(1); n <= r.Count("", body.CBlows); n++ {
		t := r.State().Tasks[thestrike.BlowID(n)]
		if t.GetKind() != body.TaskSpell {
			continue
		}
		r.Emit(event.Everyone(), &eventv1.TaskEnded{Id: t.Id, Outcome: "takes effect"}, cite.SpellTieSave)
		goOff(r, t.Creature, t.Item, t.Targets)
	}
	layConditions(r)
	thestrike.HeldContests(r)
	r.Set("", body.CBlows, 0, "the slot is over")
	if r.State().Marks[body.MTogether] != "" {
		r.Flag("", body.MTogether, false)
	}
}

// layConditions lays what content set off in the slot.
func layConditions(r *rules.Resolution) {
	for n := int64(1); n <= r.Count("", body.CBlows); n++ {
		if t := r.State().Tasks[thestrike.BlowID(n)]; t.GetKind() == body.TaskCondition {
			r.Emit(event.Everyone(), &eventv1.TaskEnded{Id: t.Id, Outcome: "takes effect"}, cite.InitiativeTiesSimultaneous)
			thestrike.LayCondition(r, t.Creature, t.Conditions[0])
		}
	}
}

func layBlows(r *rules.Resolution) {
	for n := int64(1); n <= r.Count("", body.CBlows); n++ {
		t := r.State().Tasks[thestrike.BlowID(n)]
		if t.GetKind() != body.TaskBlow || len(t.Targets) != 1 {
			continue
		}
		r.Emit(event.Everyone(), &eventv1.TaskEnded{Id: t.Id, Outcome: "takes effect"}, cite.InitiativeTiesSimultaneous)
		lay(r, thestrike.WoundOf(t))
	}
}
