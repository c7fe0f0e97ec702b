package spark

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/resolving"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// dawn lets happen what content sets off as a round begins, for all, and then as their
// turns do: all have the round together.
//
// spark.turn.two-halves
func dawn(r *rules.Resolution, living []string) {
	if r.Content() == nil {
		return
	}
	for _, trigger := range []string{effects.TriggerRoundStart, effects.TriggerTurnStart} {
		for _, id := range living {
			if !body.Out(r.Creature(id)) {
				resolving.Happen(r, id, trigger)
			}
		}
	}
}

// acts tells whether content has left a creature its round.
func acts(r *rules.Resolution, id string) bool {
	return !body.Out(r.Creature(id)) && r.Count(id, body.CAction) > 0
}

// lapses ends what content has laid on a creature when its rounds are over.
func lapses(r *rules.Resolution, id string, x *eventv1.Condition) {
	own := r.Content()
	if !own.Asks(effects.KindCondition) && own.Entry(effects.Conditions, x.Name) == nil && x.Values[body.VBrought] == 0 {
		return
	}
	if !slices.ContainsFunc(r.Creature(id).Conditions, func(y *eventv1.Condition) bool { return y.Id == x.Id }) {
		return
	}
	if u := x.Until; u.GetWhen() == "round" && u.Round < r.State().Round {
		r.RemoveCondition(id, x, "its rounds are over", body.Also(x.Rule)...)
	}
}

// shakeOff tries the saves at the end of a round that end what content has laid.
func shakeOff(r *rules.Resolution, id string) {
	if r.Content() == nil || body.Out(r.Creature(id)) {
		return
	}
	for _, x := range r.Creature(id).Conditions {
		for _, name := range rules.SortedKeys(x.Values) {
			kind, is := strings.CutPrefix(name, body.VSaveEnds)
			if !is || !slices.Contains(body.Saves, kind) || r.State().Round < x.Values[body.VRound] {
				continue
			}
			if body.Save(r, r.Creature(id), kind, x.Values[name], "ends/"+id, "end "+x.Name, body.Also(x.Rule)...) {
				r.RemoveCondition(id, x, "the save succeeded", body.Also(x.Rule)...)
				break
			}
		}
	}
}
