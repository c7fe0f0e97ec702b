package saddle

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// bring puts a held foe in a space beside its holder: the one named, else the
// nearest to where the foe stands. Before it is put in danger it may try, with
// its reaction and at +4, to free itself.
//
// celesia.maneuver.grapple-move, celesia.maneuver.grapple-move-hazard
func bring(r *rules.Resolution, holder, foe string, take *eventv1.TakeAction) {
	if spoken.Truth(take.GetFacts(), "hazard") && freesItself(r, holder, foe, take) {
		return
	}
	h, f := r.Creature(holder), r.Creature(foe)
	if h == nil || f == nil || h.Position == nil || f.Position == nil || answers.HeldBy(f) != holder {
		return
	}
	at := answers.PlaceNamed(take)
	if at == nil {
		if feet, _ := body.Distance(h, f); feet == 5 {
			return
		}
		at = body.Beside(r.State(), h, f)
	}
	if at != nil {
		r.Move(&eventv1.Moved{Creature: foe, To: at, Mode: "pull", Feet: grid.Steps(at, f.Position)}, cite.ManeuverGrappleMove)
		answers.Carried(r, foe)
	}
}

// freesItself asks a foe whether it tries to break free, and rolls.
//
// celesia.maneuver.grapple-move-hazard
func freesItself(r *rules.Resolution, holder, foe string, take *eventv1.TakeAction) bool {
	h, f := r.Creature(holder), r.Creature(foe)
	if h == nil || f == nil || answers.HeldBy(f) != holder || !strike.MayReact(r.State(), f) {
		return false
	}
	d := &eventv1.Decision{Name: answers.DecHazard, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: foe, Cause: "about to be put in danger",
		Question: f.Name + " may try to break free, at +4", DefaultOption: "maneuver", Rule: answers.RuleHazard, Against: []string{holder},
		Options: []*eventv1.DecisionOption{{Id: "no", Text: "Let it happen"}, {Id: "maneuver", Text: "A maneuver check"}, {Id: "escape-artist", Text: "Escape Artist"}}}
	way := r.Ask("hazard", d).Option
	if way == "no" {
		return false
	}
	strained := body.Disabled(f)
	r.Set(foe, body.CReactions, r.Count(foe, body.CReactions)-1, "breaking free", answers.RuleHazard)
	free := strike.Escapes(r, f, h, checks.ManeuverDefense(h, false), &eventv1.TakeAction{Creature: foe}, way, []*eventv1.Modifier{body.Mod(4, "in danger", answers.RuleHazard)})
	if free {
		answers.EndGrapple(r, holder, "broke free", answers.RuleHazard)
	}
	if strained {
		strain(r, foe, 1)
	}
	return free
}
