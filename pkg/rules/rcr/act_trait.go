package rcr

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/injuries"
	"github.com/skaldrpg/skald/pkg/rules/rcr/movement"
	"github.com/skaldrpg/skald/pkg/rules/rcr/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// traitActions are the bonus actions that traits give.
func traitActions() []*play.Action {
	return []*play.Action{
		{ID: "aggressive", Title: "Rush at an enemy", Rule: cite.TraitAggressive, Group: play.GroupMove, Costs: checks.OneBonus,
			Items:  strike.BareWhen(func(at *play.At) bool { return body.HasTrait(at.Actor, body.TraitAggressive) }),
			Refuse: strike.Refusing(refuseAggressive), Do: body.Deed(doAggressive)},
		{ID: "rampage", Title: "Rampage", Rule: cite.TraitRampage, Group: play.GroupAttack, Costs: checks.OneBonus,
			Items:  strike.BareWhen(func(at *play.At) bool { return body.HasTrait(at.Actor, body.TraitRampage) }),
			Refuse: strike.Refusing(refuseRampage), Do: body.Deed(doRampage)},
		{ID: "run-down", Title: "Attack whom it has run down", Rule: cite.TraitCharge, Group: play.GroupAttack, Costs: checks.OneBonus, Least: 1, Most: 1,
			Items: followNames, Refuse: refuseRunDown, RefuseTarget: refuseRunDownOn, Check: checkRunDown,
			Fields: func(at *play.At) []play.Field {
				a := checks.AttackOf(at.Actor, at.Item())
				return body.InspirationField(strike.KnockOutField([]play.Field{{Name: "extra_damage"}}, at, a.RangeFeet == 0), at)
			}, Do: doRunDown},
		{ID: "second-wind", Title: "Second wind", Rule: cite.TraitSecondWind, Group: play.GroupAid, Costs: checks.OneBonus,
			Items:  strike.BareWhen(func(at *play.At) bool { return hasWind(at.Actor) }),
			Refuse: strike.Refusing(refuseSecondWind), Do: body.Deed(doSecondWind)},
	}
}

// refuseAggressive says why a creature cannot rush at an enemy.
//
// rcr.trait.aggressive
func refuseAggressive(s *eventv1.State, c *eventv1.Creature) error {
	const rule = cite.TraitAggressive
	if !body.HasTrait(c, body.TraitAggressive) {
		return body.Refuse("NO_TRAIT", rule, "%s is not aggressive", c.Name)
	}
	if err := checks.NeedBonus(s, c); err != nil {
		return err
	}
	sees := slices.ContainsFunc(rules.SortedKeys(s.Creatures), func(id string) bool {
		e := s.Creatures[id]
		feet, known := body.DistanceTo(c, e)
		if !known {
			feet = 5
		}
		return body.Hostile(c, e) && !body.Dead(e) && body.Perceives(s, c, e, feet)
	})
	if !sees {
		return body.Refuse("NO_TARGET", rule, "%s sees no enemy", c.Name)
	}
	return nil
}

func doAggressive(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	const rule = cite.TraitAggressive
	body.Spend(r, c.Id, body.CBonus, body.TraitAggressive, rule)
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Notes: body.StatedNotes(take)}, rule)
	r.Set(c.Id, body.CMovement, r.Count(c.Id, body.CMovement)+int64(body.BaseSpeed(r.State(), c)), body.TraitAggressive, rule)
	return nil
}

// rampant is the attack of a rampage; nil when the sheet has none.
func rampant(c *eventv1.Creature) *eventv1.RcrAttack {
	name := body.Feature(c, body.TraitRampage).GetAttack()
	if name == "" {
		name = "bite"
	}
	return checks.AttackOf(c, name)
}

// refuseRampage says why a creature has no rampage to go on.
//
// rcr.trait.rampage
func refuseRampage(s *eventv1.State, c *eventv1.Creature) error {
	const rule = cite.TraitRampage
	switch {
	case !body.HasTrait(c, body.TraitRampage) || rampant(c) == nil:
		return body.Refuse("NO_TRAIT", rule, "%s does not rampage", c.Name)
	case c.Marks[body.MFelled] == "":
		return body.Refuse("NOBODY_FELLED", rule, "%s has brought nobody to 0 hit points in melee this turn", c.Name)
	}
	return checks.NeedBonus(s, c)
}

func doRampage(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	const rule = cite.TraitRampage
	body.Spend(r, c.Id, body.CBonus, body.TraitRampage, rule)
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Notes: body.StatedNotes(take)}, rule)
	r.Flag(c.Id, body.MFelled, false, rule)
	r.Set(c.Id, body.CMovement, r.Count(c.Id, body.CMovement)+int64(body.BaseSpeed(r.State(), c)/2), body.TraitRampage, rule)
	left := body.CMulti + rampant(c).Name
	r.Set(c.Id, left, r.Count(c.Id, left)+1, body.TraitRampage, rule)
	return nil
}

// followNames are the attacks with which a creature may follow up its run.
func followNames(at *play.At) (out []string) {
	for _, name := range body.Charges {
		if f := body.Feature(at.Actor, name); f.GetFollow() != "" && !slices.Contains(out, f.Follow) {
			out = append(out, f.Follow)
		}
	}
	if at.Listing && at.Actor.Marks[body.MRanDown] == "" {
		return nil
	}
	return out
}

// refuseRunDown says why there is nobody to attack once more.
//
// rcr.trait.charge
func refuseRunDown(at *play.At) error {
	if at.Actor.Marks[body.MRanDown] == "" {
		return body.Refuse("NOBODY_RUN_DOWN", cite.TraitCharge, "%s has run nobody down this turn", at.Actor.Name)
	}
	if err := checks.NeedBonus(at.State, at.Actor); err != nil {
		return err
	}
	return strike.RefuseWeapon(at.Unread(), at.State, at.Actor, checks.AttackOf(at.Actor, at.Item()))
}

func refuseRunDownOn(at *play.At, t *eventv1.Creature) error {
	if t.GetId() != at.Actor.Marks[body.MRanDown] || !body.Has(t, body.CondProne) {
		return body.Refuse("NOT_RUN_DOWN", cite.TraitCharge, "%s has not run %s down, or it is not prone", at.Actor.Name, t.GetName())
	}
	return strike.RefuseAttackOn(at, t)
}

func checkRunDown(at *play.At) error {
	if err := planStrike(at, checks.AttackOf(at.Actor, at.Item())); err != nil {
		return err
	}
	if !planned(at).attack.Kind.Melee {
		return body.Refuse("OUT_OF_REACH", cite.TraitCharge, "%s is out of reach", at.Target().Name)
	}
	return nil
}

func doRunDown(r *rules.Resolution, at *play.At) error {
	carryOut(r, at, func(c *eventv1.Creature, _ *strike.AttackPlan) strike.AttackOpts {
		body.Spend(r, c.Id, body.CBonus, "it follows up its run", cite.TraitCharge)
		r.Mark(c.Id, body.MRanDown, "", cite.TraitCharge)
		return strike.AttackOpts{Rules: []string{cite.TraitCharge}}
	})
	return nil
}

// hasWind tells whether a creature has the second wind by its trait alone: a power of
// the name on its sheet takes the trait's place.
//
// rcr.trait.second-wind
func hasWind(c *eventv1.Creature) bool {
	return body.HasTrait(c, body.TraitSecondWind) && !slices.Contains(body.NamesOf(body.SheetOf(c).Powers), body.TraitSecondWind)
}

func refuseSecondWind(s *eventv1.State, c *eventv1.Creature) error {
	const rule = cite.TraitSecondWind
	switch {
	case !hasWind(c):
		return body.Refuse("NO_TRAIT", rule, "%s has no second wind but by a power of that name", c.Name)
	case c.Counters[body.CLeft+body.TraitSecondWind] < 1:
		return body.Refuse("NO_RESOURCE", rule, "the second wind is spent")
	}
	return checks.NeedBonus(s, c)
}

func doSecondWind(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	const rule = cite.TraitSecondWind
	body.Spend(r, c.Id, body.CBonus, body.TraitSecondWind, rule)
	body.Spend(r, c.Id, body.CLeft+body.TraitSecondWind, body.TraitSecondWind, rule)
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Notes: body.StatedNotes(take)}, rule)
	rolled := r.Roll(rules.RollSpec{Label: "second-wind", Creature: c.Id, Expression: "1d10+" + body.Itoa(max(1, body.SheetOf(c).Level)), Reason: body.TraitSecondWind, Rules: []string{rule}})
	movement.Recovers(r, "second-wind/heal", c.Id, body.TraitSecondWind, rolled.Total, map[string]string{"via": injuries.ViaAbility})
	return nil
}
