package saddle

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/magic"
	"github.com/skaldrpg/skald/pkg/rules/celesia/mending"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// CareActions heal and treat in a fight.
func CareActions() []*strike.Action {
	return []*strike.Action{
		{Action: play.Action{ID: "first-aid", Title: "First aid", Rule: cite.ActionFirstAid, Group: play.GroupAid, Trigger: "other", Costs: body.Acts(2), Least: 1, Most: 1,
			Refuse:       body.Bars(magic.RefuseFirstAid),
			Candidates:   checks.Those(func(_, t *eventv1.Creature) bool { return mending.Dying(t) }),
			RefuseTarget: answers.Aimed(magic.RefuseFirstAid), Do: body.Done(doCare(body.DeedFirstAid))}, Provoke: checks.Always},
		{Action: play.Action{ID: "staunch", Title: "Staunch bleeding", Rule: cite.InjuryHandSevered, Group: play.GroupAid, Trigger: "other", Costs: body.Acts(2), Least: 1,
			Most: 1, Self: true, Refuse: body.Bars(magic.RefuseStaunch),
			Candidates:   checks.Those(func(_, t *eventv1.Creature) bool { return t.Counters[body.CBleed] > 0 }),
			RefuseTarget: answers.Aimed(magic.RefuseStaunch), Do: body.Done(doCare(body.DeedStaunch))}, Provoke: checks.Always},
		{Action: play.Action{ID: "treat-wound", Title: "Treat a wound", Rule: cite.ActionFirstAid, Group: play.GroupAid, Trigger: "other", Costs: body.Acts(2), Least: 1,
			Most: 1, Self: true, Refuse: body.Bars(magic.RefuseBeside), RefuseTarget: answers.Aimed(magic.RefuseBeside), Do: body.Done(doTreatWound)}, Provoke: checks.Always},
		{Action: play.Action{ID: "treat-poison", Title: "Treat poison", Rule: cite.ActionFirstAid, Group: play.GroupAid, Trigger: "other", Costs: body.Acts(2), Least: 1,
			Most: 1, Self: true, Refuse: body.Bars(magic.RefuseBeside), RefuseTarget: answers.Aimed(magic.RefuseBeside), Do: body.Done(magic.DoTreatPoison)}, Provoke: checks.Always},
		{Action: play.Action{ID: "drink", Title: "Drink a potion", Rule: cite.ItemDrinkApply, Group: play.GroupAid, Trigger: "other", Costs: body.Acts(2),
			Items: body.Ways(magic.PotionNames), Refuse: body.Bars(magic.RefusePotion), Do: body.Done(doDrink)}, Provoke: checks.Always},
		{Action: play.Action{ID: "administer", Title: "Administer a potion", Rule: cite.ActionAdministerToUnconscious, Group: play.GroupAid, Trigger: "other",
			Costs: body.Acts(3), Items: body.Ways(magic.PotionNames), Least: 1, Most: 1, Refuse: body.Bars(magic.RefuseAdminister),
			Candidates:   checks.Those(func(_, t *eventv1.Creature) bool { return body.Has(t, body.CondUnconscious) }),
			RefuseTarget: answers.Aimed(magic.RefuseAdminister),
			Do:           body.Done(doAdminister)}, Provoke: checks.Always},
	}
}

func doCare(kind string) func(*rules.Resolution, *eventv1.Creature, *eventv1.TakeAction) error {
	return func(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
		h := &eventv1.Harm{Deed: kind, Target: body.Target(take), Source: c.Id, Cause: "Heal", Circumstances: take.Circumstances}
		if spoken.Truth(take.Facts, checks.FactBroken) {
			h.Facts = map[string]string{checks.FactBroken: "true"}
		}
		Deed(r, "care", h)
		return nil
	}
}

// doTreatWound is a Heal check; what it takes and what it brings are the skill's, which
// the caller knows (a reading).
//
// celesia.action.first-aid
func doTreatWound(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if !magic.Treat(r, c, take, "treat a wound") {
		return nil
	}
	if points, _ := spoken.Number(take.Parameters, "heals"); points > 0 {
		Deed(r, "treat", &eventv1.Harm{Deed: body.DeedHeal, Target: body.Target(take), Source: c.Id, Cause: "Heal", Amount: points})
	}
	return nil
}

// doDrink: the effect comes when the action is completed.
//
// celesia.item.drink-apply
func doDrink(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	useUp(r, c, take.Item, c.Id)
	return nil
}

func doAdminister(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	useUp(r, c, take.Item, body.Target(take))
	return nil
}

// useUp takes one potion, whose effect whoever takes it has: hit points healed, and
// that of its spell.
//
// celesia.item.drink-apply, celesia.action.administer-to-unconscious
func useUp(r *rules.Resolution, c *eventv1.Creature, name, on string) {
	r.Set(c.Id, body.CLeft+name, r.Count(c.Id, body.CLeft+name)-1, "used")
	p := magic.PotionOf(c, name)
	if p.Healing != "" {
		healWith(r, "potion", c.Id, on, name, p.Healing)
	}
	if p.Spell == nil {
		return // what else it does is the table's
	}
	take := &eventv1.TakeAction{Creature: c.Id, Item: name}
	if one, reached := resist(r, c, p.Spell, on, 0, take); reached {
		workOn(r, c, p.Spell, []checks.Struck{one}, take)
		castOn(r, c.Id, p.Spell, []string{on}, take)
	}
}
