package rcr

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/strike"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// stealActions are what quick fingers may do to a foe.
//
// rcr.feat.legerdemain-steal
func stealActions() []*play.Action {
	const rule = cite.FeatLegerdemainSteal
	return []*play.Action{
		{ID: "steal", Title: "Take what a foe holds in one hand", Rule: rule, Group: play.GroupManeuver, Least: 1, Most: 1, Costs: checks.OneBonus,
			Items: strike.BareWhen(func(at *play.At) bool { return body.HasFeat(at.Actor, body.FeatLegerdemain) }),
			Refuse: func(at *play.At) error {
				if !body.Feat(at.State, at.Actor, body.FeatLegerdemain, rule) {
					return body.Refuse("NO_FEAT", rule, "%s has no feat for it, or the table does not play it so", at.Actor.Name)
				}
				return checks.NeedBonus(at.State, at.Actor)
			},
			RefuseTarget: func(at *play.At, t *eventv1.Creature) error {
				switch {
				case body.Dead(t) || !body.Hostile(at.Actor, t):
					return body.Refuse("NO_FOE", rule, "%s is no foe", t.GetName())
				case checks.FeetTo(at.Actor, t, at.Take) > 5:
					return body.Refuse("OUT_OF_REACH", rule, "%s is not within 5 feet", t.Name)
				}
				return nil
			},
			Fields: func(*play.At) []play.Field { return []play.Field{{Name: "object", Required: true}} },
			Check: func(at *play.At) error {
				it := at.Target().GetItems()[at.Word("object")]
				if it != nil && !slices.Contains([]string{"main", "off"}, it.Place) {
					return body.Refuse("NOT_IN_ONE_HAND", rule, "%s does not hold %s in one hand", at.Target().Name, at.Word("object"))
				}
				return nil
			}, Do: body.Deed(doSteal)},
	}
}

// doSteal has the thief's Sleight of Hand go against the other's Perception; on equal
// totals it keeps what it holds.
//
// rcr.feat.legerdemain-steal
func doSteal(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	const rule = cite.FeatLegerdemainSteal
	id, what := checks.Target(take), spoken.Word(take.Parameters, "object")
	body.Spend(r, c.Id, body.CBonus, "steal", rule)
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "steal", Targets: []string{id}, Notes: append(body.StatedNotes(take), what)}, rule)
	edges, mods := body.StatedEdges(take.Circumstances, id)
	won, _ := checks.Contest(r, r.Creature(c.Id), "sleight of hand", body.CheckOpts{Edges: edges, Modifiers: mods, Kinds: body.Renamed(take.Facts, "kinds")}, r.Creature(id),
		[]string{"perception"}, "steal", rule)
	switch e := r.Creature(id); {
	case !won:
	case e.Items[what] != nil:
		checks.MoveItem(r, e, what, "gone", "taken by "+c.Name, rule)
	default:
		r.Note(event.Everyone(), id, c.Name+" takes "+what+" from "+e.Name, rule)
	}
	return nil
}
