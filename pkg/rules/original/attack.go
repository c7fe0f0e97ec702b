package original

import (
	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	thestrike "github.com/skaldrpg/skald/pkg/rules/original/strike"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func attackActions() []*play.Action {
	return []*play.Action{
		{ID: "attack", Title: "Attack", Rule: cite.AttackRoll, Group: play.GroupAttack, Traits: thestrike.TraitExtra | thestrike.TraitHeld, Costs: thestrike.AnAttack, Least: 1, Most: 1,
			Items: thestrike.Armed(nil), Candidates: thestrike.FoesAt, Further: thestrike.Throws, Names: thestrike.AttackTitle, Refuse: thestrike.RefuseWeapon, RefuseTarget: thestrike.RefuseAttack,
			Optional: true, Fields: thestrike.AttackFields, Check: thestrike.MannerRefused, Do: body.Deed(doAttack)},
		{ID: "backstab", Title: "Backstab: strike unnoticed from behind", Rule: cite.AttackBackstabFirstOnly, Group: play.GroupAttack, Traits: thestrike.TraitExtra,
			Costs: thestrike.AnAttack, Least: 1, Most: 1, Items: thestrike.Armed(func(w *eventv1.OriginalWeapon) bool { return !body.Missile(w) && w.Kind != "hand" }), Candidates: thestrike.FoesAt,
			Refuse: thestrike.RefuseBackstabber, RefuseTarget: thestrike.RefuseBackstab, Optional: true, Fields: thestrike.SwashFields, Check: thestrike.MannerRefused, Do: body.Deed(doBackstab)},
		{ID: "shortcut", Title: "Count kills instead of rolling", Rule: body.SetShortcut, Group: play.GroupAttack, Least: 1, Most: rules.MaxCreatures,
			Candidates: thestrike.FoesAt, Refuse: thestrike.AsSeen(refuseCounting), RefuseTarget: thestrike.RefuseCounted, Do: body.Deed(doShortcut)},
		{ID: "parry", Title: "Parry", Rule: cite.ActionParry, Group: play.GroupDefend, Anytime: true, Refuse: thestrike.AsSeen(thestrike.ParryRefused), Do: body.Deed(thestrike.DoParry)},
	}
}

func doAttack(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	deliver(r, thestrike.BlowOf(r.State(), c, take), take.Action, nil)
	return nil
}

// deliver carries out an attack of the attacker's own turn: a longer reach
// comes first, the attack is spent, the blow is struck and takes effect. What
// comes of a hit beside its damage is found by then; nil for nothing.
func deliver(r *rules.Resolution, b *thestrike.Blow, action string, then func(w *thestrike.Wound)) {
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: b.Attacker.Id, Action: action, Targets: []string{b.Target.Id}, Item: b.Weapon.Name})
	if b.Melee && reachFirst(r, b) {
		return
	}
	thestrike.CountAttack(r, b)
	if b.Backstab {
		r.Set(b.Attacker.Id, body.CBackstabs, r.Count(b.Attacker.Id, body.CBackstabs)+1, "this round", cite.AttackBackstabFirstOnly)
	}
	thestrike.Stray(r, b)
	w := strike(r, b)
	if w != nil && then != nil {
		then(w)
	}
	layOrHold(r, w)
	if r.State().Phase == body.SegFirst || r.State().Phase == body.SegLast {
		thestrike.FinishTurn(r, b.Attacker.Id)
	}
}

// reachFirst lets a target with a superior reach strike first in the first
// melee round of the two; it tells whether the attacker is out of the fight by it.
//
// original.initiative.reach-first-strike
func reachFirst(r *rules.Resolution, b *thestrike.Blow) bool {
	s, t, k := r.State(), b.Target, thestrike.TablesOf(r.Content())
	w := body.InHand(t)
	// original.charge.longer-reach-first: a spear or pike that is charged needs no
	// more than one rank.
	charged := b.Charge && body.CanSet(w) && k.ReachRank(w) > k.ReachRank(b.Weapon)
	if s.Round == 0 || b.Position == "behind" || !k.Superior(s, t, b.Attacker) && !charged || body.Has(b.Attacker, body.CondHasted) && !body.Has(t, body.CondHasted) || !thestrike.Able(s, t) ||
		thestrike.AttackRefused(r.Content(), body.OpenPhase(s), t, b.Attacker, w, body.AtHand()) != nil || body.Has(t, body.CondStruggling) {
		return false
	}
	answer := r.Ask("reach/"+t.Id, rules.About(rules.YesNo(body.DecReach, t.Id, b.Attacker.Name+" closes", "Strike first with "+w.Name+"?", "yes", cite.InitiativeReachFirstStrike), b.Attacker.Id))
	if answer.Option != "yes" {
		return false
	}
	first := thestrike.NewBlow(s, t, b.Attacker, w, b.AtHand())
	first.Label = "reach/" + t.Id
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: t.Id, Action: "reach-strike", Targets: []string{b.Attacker.Id}, Item: w.Name}, cite.InitiativeReachFirstStrike)
	thestrike.CountAttack(r, first)
	lay(r, strike(r, first))
	b.Attacker, b.Target = r.Creature(b.Attacker.Id), r.Creature(t.Id)
	return !thestrike.Able(r.State(), b.Attacker)
}
