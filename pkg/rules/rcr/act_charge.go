package rcr

import (
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

// chargeActions are what a charger may do at the end of a Dash: a melee attack or a
// shove, for nothing more.
//
// rcr.feat.charger-attack
func chargeActions() []*play.Action {
	const rule = cite.FeatChargerAttack
	return []*play.Action{
		{ID: "charge", Title: "Attack at the end of a Dash", Rule: rule, Group: play.GroupAttack, Least: 1, Most: 1,
			Items: func(at *play.At) []string {
				if at.Listing && refuseCharge(at) != nil {
					return nil
				}
				return strike.AttackNames(at)
			},
			Refuse: func(at *play.At) error {
				if err := refuseCharge(at); err != nil {
					return err
				}
				return strike.RefuseWeapon(at.Unread(), at.State, at.Actor, checks.AttackOf(at.Actor, at.Item()))
			},
			RefuseTarget: func(at *play.At, t *eventv1.Creature) error {
				a := checks.AttackOf(at.Actor, at.Item())
				feet, known := body.StatedFeet(at.State, at.Actor, t, at.Take) // what can be thrown is not
				if !known {
					feet, _ = body.DistanceTo(at.Actor, t)
				}
				if a.ReachFeet == 0 || feet > a.ReachFeet {
					return body.Refuse("OUT_OF_REACH", rule, "%s is no melee weapon that reaches %s", a.Name, t.GetName())
				}
				return strike.RefuseAttackOn(at, t)
			},
			Fields: func(at *play.At) []play.Field {
				a := checks.AttackOf(at.Actor, at.Item())
				return body.InspirationField(strike.KnockOutField([]play.Field{{Name: "extra_damage"}}, at, a.RangeFeet == 0), at)
			},
			Check: func(at *play.At) error { return planStrike(at, checks.AttackOf(at.Actor, at.Item())) }, Do: doCharge},
		{ID: "charge-shove", Title: "Shove at the end of a Dash", Rule: rule, Group: play.GroupManeuver, Least: 1, Most: 1,
			Items: strike.BareWhen(func(at *play.At) bool { return refuseCharge(at) == nil }), Refuse: refuseCharge,
			RefuseTarget: func(at *play.At, t *eventv1.Creature) error {
				return strike.RefuseWrestle(at.State, at.Actor, t, "shove", at.Take)
			}, Do: body.Deed(doChargeShove)},
	}
}

// refuseCharge says why a creature has no charge to make: no feat, no Dash, or one that
// was charged already.
func refuseCharge(at *play.At) error {
	const rule = cite.FeatChargerAttack
	c := at.Actor
	switch {
	case !body.Feat(at.State, c, body.FeatCharger, rule):
		return body.Refuse("NO_FEAT", rule, "%s is no charger, or the table does not play the feat so", c.Name)
	case c.Counters[body.CDashes] <= c.Counters[body.CCharges]:
		return body.Refuse("NO_DASH", rule, "%s has no Dash to end so", c.Name)
	case body.Has(c, body.CondTerrified):
		return checks.NeedAction(c)
	}
	return nil
}

// charged ends the movement of the turn, and says whether at least 10 feet led straight
// to it: as stated, else as far as the way is known.
//
// rcr.feat.charger-straight-bonus
func charged(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) (straight bool) {
	const rule = cite.FeatChargerAttack
	feet, stated := spoken.Number(take.Facts, "straight")
	if !stated {
		feet = int32(r.Count(c.Id, body.CStraight))
	}
	left := r.Count(c.Id, body.CMovement)
	r.Set(c.Id, body.CCharges, r.Count(c.Id, body.CCharges)+1, "charge", rule)
	r.Set(c.Id, body.CMoved, r.Count(c.Id, body.CMoved)+left, "charge", rule)
	r.Set(c.Id, body.CMovement, 0, "charge", rule)
	return feet >= 10 && body.InForce(r.State(), cite.FeatChargerStraightBonus)
}

func doCharge(r *rules.Resolution, at *play.At) error {
	carryOut(r, at, func(c *eventv1.Creature, p *strike.AttackPlan) strike.AttackOpts {
		o := strike.AttackOpts{Rules: []string{cite.FeatChargerAttack}}
		if charged(r, c, at.Take) {
			o.DamageMod = body.Mod(5, "charge", cite.FeatChargerStraightBonus)
		}
		return o
	})
	return nil
}

// DecPush asks a charger how far it pushes.
const decPush = "charge-push"

func doChargeShove(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	id := checks.Target(take)
	straight := charged(r, c, take)
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Targets: take.Targets, Notes: body.StatedNotes(take)}, cite.FeatChargerAttack)
	edges, mods := body.StatedEdges(take.Circumstances, id)
	won, _ := checks.Contest(r, r.Creature(c.Id), "athletics", body.CheckOpts{Edges: edges, Modifiers: mods, Kinds: body.Renamed(take.Facts, "kinds")}, r.Creature(id),
		[]string{"athletics", "acrobatics"}, "shove", cite.FeatChargerAttack)
	switch {
	case !won:
	case straight:
		const rule = cite.FeatChargerStraightBonus
		d := &eventv1.Decision{Name: decPush, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: c.Id, Cause: "the charge", Question: "How far is it pushed?",
			DefaultOption: "10", Rule: rule, Options: []*eventv1.DecisionOption{{Id: "0", Text: "Not at all"}, {Id: "5", Text: "5 feet"}, {Id: "10", Text: "10 feet"}}}
		if feet := body.Atoi(r.Ask("charge/push", d).Option); feet > 0 {
			strike.Push(r, r.Creature(c.Id), r.Creature(id), int32(feet), rule)
		}
	case spoken.Word(take.Parameters, "effect") == "push":
		strike.Push(r, r.Creature(c.Id), r.Creature(id), 5, cite.FeatChargerAttack)
	default:
		body.SetProne(r, id, "shoved", cite.FeatChargerAttack)
	}
	return nil
}
