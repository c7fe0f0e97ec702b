package movement

import (
	"strings"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	thestrike "github.com/skaldrpg/skald/pkg/rules/rcr/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// WrestleActions are the attacks that use checks. They keep their cost of the fifth
// edition whatever the table's economy of checks.
//
// rcr.action.skill-default-bonus
func WrestleActions() []*play.Action {
	wrestle := func(a *play.Action) *play.Action {
		a.Rule, a.Group, a.Least, a.Most = body.Fallback, play.GroupManeuver, 1, 1
		a.CostOf = func(at *play.At) []play.Cost {
			if thestrike.AttackLeft(at.Actor, at.Action.ID) {
				return nil
			}
			return checks.OneAction
		}
		a.Refuse = func(at *play.At) error { return thestrike.RefuseAttackCost(at.Unread(), at.Actor, at.Action.ID) }
		a.RefuseTarget = func(at *play.At, t *eventv1.Creature) error {
			return thestrike.RefuseWrestle(at.State, at.Actor, t, at.Action.ID, at.Take)
		}
		return a
	}
	return []*play.Action{
		wrestle(&play.Action{ID: "grapple", Title: "Grapple", Do: body.Deed(doGrapple)}),
		wrestle(&play.Action{ID: "shove", Title: "Shove", Do: body.Deed(thestrike.DoShove)}),
		{ID: "escape", Title: "Escape", Rule: body.Fallback, Group: play.GroupManeuver, Costs: checks.OneAction, Items: thestrike.Holds,
			Refuse: thestrike.RefuseEscape, Fields: func(at *play.At) []play.Field {
				return body.Offer(body.Offer(append([]play.Field(nil), play.Field{Name: "skill"}), at, false, play.Field{Name: "inspiration"}), at, false, play.Field{Name: "dc"})
			},
			Check: func(at *play.At) error { return body.RefuseInspired(at.Actor, at.Take) }, Do: body.Deed(thestrike.DoEscape)},
		{ID: "brawl", Title: "Grapple whom it has hit unarmed", Rule: cite.FeatTavernBrawlerGrapple, Group: play.GroupManeuver, Least: 1, Most: 1, Costs: checks.OneBonus,
			Items: thestrike.BareWhen(func(at *play.At) bool { return at.Actor.Marks[body.MBrawled] != "" }), Refuse: refuseBrawl,
			RefuseTarget: func(at *play.At, t *eventv1.Creature) error {
				if at.Actor.Marks[body.MBrawled] != t.GetId() {
					return body.Refuse("NOT_HIT", cite.FeatTavernBrawlerGrapple, "%s has not hit %s unarmed", at.Actor.Name, t.GetName())
				}
				return thestrike.RefuseWrestle(at.State, at.Actor, t, "grapple", at.Take)
			}, Do: body.Deed(doBrawl)},
		{ID: "pin", Title: "Pin whom it holds", Rule: cite.FeatGrapplerPin, Group: play.GroupManeuver, Least: 1, Most: 1, Costs: checks.OneAction,
			Items: thestrike.BareWhen(func(at *play.At) bool {
				return body.HasFeat(at.Actor, body.FeatGrappler) && len(body.Grappling(at.State, at.Actor)) > 0
			}), Refuse: refusePin, RefuseTarget: func(at *play.At, t *eventv1.Creature) error {
				if body.GrappledBy(t, at.Actor.Id) == nil {
					return body.Refuse("NOT_GRAPPLED", cite.FeatGrapplerPin, "%s does not hold %s", at.Actor.Name, t.GetName())
				}
				return nil
			}, Do: body.Deed(doPin)},
		{ID: "release", Title: "Let go of a grapple", Rule: cite.ConditionReplaceBase, Group: play.GroupManeuver, Least: 1, Most: 1,
			Items: thestrike.BareWhen(func(at *play.At) bool { return len(body.Grappling(at.State, at.Actor)) > 0 }),
			RefuseTarget: func(at *play.At, t *eventv1.Creature) error {
				if body.GrappledBy(t, at.Actor.Id) == nil {
					return body.Refuse("NOT_GRAPPLED", cite.BaseFifthEditionFallback, "%s does not hold %s", at.Actor.Name, t.GetName())
				}
				return nil
			}, Do: body.Deed(thestrike.DoRelease)},
	}
}

// doGrapple takes hold of a creature.
//
// rcr.condition.grappled-speed
func doGrapple(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if thestrike.Wrestling(r, c, take) {
		hold(r, c, r.Creature(checks.Target(take)))
	}
	return nil
}

// hold has a creature grappled by another.
func hold(r *rules.Resolution, c, e *eventv1.Creature) {
	if body.Named(body.SheetOf(e).ConditionImmunities, body.CondGrappled) {
		// Whoever tries finds out: the options would tell what the sheet keeps.
		r.Note(event.Everyone(), e.Id, e.Name+" cannot be grappled", cite.BaseFifthEditionFallback)
		return
	}
	x := &eventv1.Condition{Name: body.CondGrappled, Source: c.Id, Cause: "grapple", Rule: cite.ConditionGrappledSpeed}
	if dc := body.SheetOf(c).EscapeDc; dc > 0 {
		x.Values = map[string]int32{"escape_dc": dc} // printed: no contest
	}
	AddCondition(r, e.Id, x)
}

// DecPin asks a grappler how it pins whom it holds.
const DecPin = "pin"

// refusePin says why nobody can be pinned now.
func refusePin(at *play.At) error {
	if !body.Feat(at.State, at.Actor, body.FeatGrappler, cite.FeatGrapplerPin) {
		return body.Refuse("NO_FEAT", cite.FeatGrapplerPin, "%s is no grappler, or the table does not play the feat so", at.Actor.Name)
	}
	return checks.NeedAction(at.Actor)
}

// doPin repeats the contest of a grapple: who wins it has the other restrained or
// suffocating, one of them, as long as the grapple lasts.
//
// rcr.feat.grappler-pin
func doPin(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	const rule = cite.FeatGrapplerPin
	id := checks.Target(take)
	body.Spend(r, c.Id, body.CAction, "pin", rule)
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "pin", Targets: []string{id}, Notes: body.StatedNotes(take)}, rule)
	edges, mods := body.StatedEdges(take.Circumstances, id)
	won, _ := checks.Contest(r, r.Creature(c.Id), "athletics", body.CheckOpts{Edges: edges, Modifiers: mods, Kinds: body.Renamed(take.Facts, "kinds")}, r.Creature(id),
		[]string{"athletics", "acrobatics"}, "pin", rule)
	if !won {
		return nil
	}
	how := r.Ask("pin/"+id, &eventv1.Decision{Name: DecPin, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: c.Id, Cause: "the pin",
		Question: "How is it pinned?", DefaultOption: body.CondRestrained, Rule: rule,
		Options: []*eventv1.DecisionOption{{Id: body.CondRestrained, Text: "Restrained"}, {Id: body.CondSuffocating, Text: "Suffocating"}}}).Option
	body.Unpin(r, id, c.Id)
	AddCondition(r, id, &eventv1.Condition{Name: how, Source: c.Id, Cause: body.CausePin, Rule: rule})
	return nil
}

// unarmed tells whether an attack is an unarmed strike, or made with what is no weapon.
func unarmed(a *eventv1.RcrAttack) bool {
	return strings.EqualFold(a.Name, "unarmed strike") || checks.Property(a, "improvised")
}

// refuseBrawl says why nobody can be grappled after a blow.
func refuseBrawl(at *play.At) error {
	if !body.Feat(at.State, at.Actor, body.FeatTavernBrawler, cite.FeatTavernBrawlerGrapple) || at.Actor.Marks[body.MBrawled] == "" {
		return body.Refuse("NOT_HIT", cite.FeatTavernBrawlerGrapple, "%s has hit nobody unarmed, or has no feat for it", at.Actor.Name)
	}
	return checks.NeedBonus(at.State, at.Actor)
}

// doBrawl tries to grapple whom a tavern brawler has hit.
//
// rcr.feat.tavern-brawler-grapple
func doBrawl(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	const rule = cite.FeatTavernBrawlerGrapple
	id := checks.Target(take)
	body.Spend(r, c.Id, body.CBonus, "brawl", rule)
	r.Mark(c.Id, body.MBrawled, "", rule)
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "brawl", Targets: []string{id}, Notes: body.StatedNotes(take)}, rule)
	edges, mods := body.StatedEdges(take.Circumstances, id)
	won, _ := checks.Contest(r, r.Creature(c.Id), "athletics", body.CheckOpts{Edges: edges, Modifiers: mods, Kinds: body.Renamed(take.Facts, "kinds")}, r.Creature(id),
		[]string{"athletics", "acrobatics"}, "brawl", rule)
	if won {
		hold(r, r.Creature(c.Id), r.Creature(id))
	}
	return nil
}
