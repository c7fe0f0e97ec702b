package original

import (
	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	thestrike "github.com/skaldrpg/skald/pkg/rules/original/strike"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// attempt is an attack that is to bring something about in the place of a
// wound; it takes one of the round's attacks.
type attempt struct {
	id, title, rule string
	// weapon tells whether the attempt is made with such a weapon.
	weapon func(w *eventv1.OriginalWeapon) bool
	// without is said of one who has no such weapon.
	without string
	// target says why it cannot be made against a foe.
	target func(target *eventv1.Creature) error
	// then finds out what a hit brings about.
	then func(r *rules.Resolution, b *thestrike.Blow, w *thestrike.Wound)
}

func attempts() []*attempt {
	return []*attempt{
		{id: "disarm", title: "Disarm", rule: cite.ActionDisarmAttempt, without: "only one-handed weapons disarm",
			weapon: func(w *eventv1.OriginalWeapon) bool { return w.Hands <= 1 && !body.Natural(w) && !body.Missile(w) },
			target: func(t *eventv1.Creature) error {
				if _, hands := body.ItemInHand(t); hands != 1 {
					return body.Refuse("NOT_ONE_HANDED", cite.ActionDisarmAttempt, "%s fights with no one-handed weapon", t.Name)
				}
				return nil
			}, then: thestrike.Disarmed},
		{id: "dismount", title: "Pull a rider off", rule: cite.MountDismountAttempt, without: "only polearms dismount",
			weapon: func(w *eventv1.OriginalWeapon) bool { return w.Kind == "polearm" },
			target: func(t *eventv1.Creature) error {
				if !body.Has(t, body.CondMounted) {
					return body.Refuse("NOT_MOUNTED", cite.MountDismountAttempt, "%s is on foot", t.Name)
				}
				return nil
			}, then: thestrike.Dismounted},
		{id: "entangle", title: "Entangle with a whip", rule: cite.ActionWhipEntangle, without: "only whips entangle",
			weapon: func(w *eventv1.OriginalWeapon) bool { return w.Kind == "whip" },
			target: func(t *eventv1.Creature) error {
				if t.Size == "huge" || t.Size == "gargantuan" {
					return body.Refuse("TOO_LARGE", cite.ActionWhipEntangle, "%s is larger than an ogre", t.Name)
				}
				return nil
			}, then: thestrike.Entangled},
	}
}

func attemptActions() []*play.Action {
	var list []*play.Action
	for _, a := range attempts() {
		list = append(list, &play.Action{ID: a.id, Title: a.title, Rule: a.rule, Group: play.GroupManeuver, Traits: thestrike.TraitExtra, Costs: thestrike.AnAttack, Least: 1, Most: 1,
			Items: thestrike.Armed(a.weapon), Candidates: thestrike.FoesAt, Refuse: a.refuse, RefuseTarget: a.refuseTarget, Optional: true, Fields: thestrike.SwashFields, Check: thestrike.MannerRefused, Do: body.Deed(a.do)})
	}
	return append(list, thestrike.PickUpAction())
}

func (a *attempt) refuse(at *play.At) error {
	if !a.weapon(thestrike.WeaponAt(at)) {
		return body.Refuse("WRONG_WEAPON", a.rule, "%s", a.without)
	}
	return thestrike.RefuseWeapon(at)
}

func (a *attempt) refuseTarget(at *play.At, target *eventv1.Creature) error {
	if err := thestrike.RefuseAttack(at, target); err != nil {
		return err
	}
	if melee, _ := body.ReachOf(at.Actor, target, thestrike.WeaponAt(at), at.Take); !melee {
		return body.Refuse("OUT_OF_REACH", a.rule, "%s is out of reach", target.Name)
	}
	if body.IsUnit(at.Actor) || body.IsUnit(target) {
		return body.Refuse("UNIT", cite.MassGrouping, "units fight as a whole")
	}
	return a.target(target)
}

func (a *attempt) do(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	b := thestrike.BlowOf(r.State(), c, take)
	b.NoDamage, b.Label = true, a.id
	deliver(r, b, take.Action, func(w *thestrike.Wound) { a.then(r, b, w) })
	return nil
}
