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
// its reaction and at +4, to free itself. One that wins free has come along all
// the same: it stands beside the holder, not in the space that it was to be put in
// (a reading).
//
// celesia.maneuver.grapple-move, celesia.maneuver.grapple-move-hazard
func bring(r *rules.Resolution, holder, foe string, take *eventv1.TakeAction) {
	h, f := r.Creature(holder), r.Creature(foe)
	if answers.HeldBy(f) != holder {
		return // what answered the way has freed it
	}
	var at *eventv1.Position
	if h.Position != nil && f.Position != nil {
		if at = answers.PlaceNamed(take); at == nil {
			at = placeBeside(r.State(), h, f, nil)
		}
	}
	if spoken.Truth(take.GetFacts(), "hazard") && freesItself(r, h, f) {
		if at != nil {
			pull(r, f, placeBeside(r.State(), h, f, at))
		}
		return
	}
	pull(r, f, at)
}

// follow keeps a held foe beside a holder who moves with it.
//
// celesia.maneuver.grapple-move
func follow(r *rules.Resolution, holder, foe string) {
	h, f := r.Creature(holder), r.Creature(foe)
	if f.GetPosition() == nil || answers.HeldBy(f) != holder {
		return
	}
	pull(r, f, placeBeside(r.State(), h, f, nil))
}

// placeBeside is where a foe stands beside its holder: where it is, if it is beside it,
// else the nearest free space but for the one to shun; nil when there is none.
func placeBeside(s *eventv1.State, h, f *eventv1.Creature, shun *eventv1.Position) *eventv1.Position {
	if feet, _ := body.Distance(h, f); feet == 5 {
		return f.Position
	}
	return body.BesideBut(s, h, f, shun)
}

// pull puts a foe in a space; nothing happens where it stands there already, or
// there is none.
func pull(r *rules.Resolution, f *eventv1.Creature, at *eventv1.Position) {
	if at == nil || grid.Steps(at, f.Position) == 0 {
		return
	}
	r.Move(&eventv1.Moved{Creature: f.Id, To: at, Mode: "pull", Feet: grid.Steps(at, f.Position)}, cite.ManeuverGrappleMove)
	answers.Carried(r, f.Id)
}

// freesItself asks a foe whether it tries to break free, and rolls.
//
// celesia.maneuver.grapple-move-hazard
func freesItself(r *rules.Resolution, h, f *eventv1.Creature) bool {
	if !strike.MayReact(r.State(), f) {
		return false
	}
	holder, foe := h.Id, f.Id
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
