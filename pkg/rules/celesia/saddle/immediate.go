package saddle

import (
	"strings"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/items"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// respond uses an immediate ability; one that provokes may be answered first.
//
// celesia.reaction.counter, celesia.reaction.immediate-ability
func respond(r *rules.Resolution, id string, p checks.Provocation, name string) {
	a := items.AbilityOf(r.Creature(id), name)
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: id, Action: "immediate-ability", Targets: []string{p.By}, Item: name}, items.ImmediateRule(a))
	if a.Provokes && a.Kind != body.KindCounter {
		window(r, checks.Provocation{By: id, Kind: "other", Provokes: true, Take: &eventv1.TakeAction{Creature: id, Action: "immediate-ability", Item: name}})
		if !strike.Able(r.Creature(id)) {
			r.Note(event.Everyone(), id, name+" is never begun", cite.ActionProvoke)
			return
		}
	}
	if items.Counted(a) {
		r.Set(id, body.CLeft+name, r.Count(id, body.CLeft+name)-1, "used", items.ImmediateRule(a))
	}
	r.Note(event.Everyone(), id, strings.TrimSpace(r.Creature(id).GetName()+" uses "+name), items.ImmediateRule(a))
}
