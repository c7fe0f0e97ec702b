package saddle

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
	"github.com/skaldrpg/skald/pkg/rules/celesia/mending"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/types/known/structpb"
)

// cleave follows a hit in melee with free attacks: one on a foe beside the first,
// from a base attack bonus of 6 on as long as each hits. Nobody is attacked twice
// in one action: struck are those whom it has attacked, the one just hit the last
// of them. It returns them and those whom it came to.
//
// celesia.attack.cleave, celesia.attack.cleave-exposes, celesia.attack.cleave-chain
func cleave(r *rules.Resolution, id string, w *eventv1.CelesiaWeapon, take *eventv1.TakeAction, struck ...string) []string {
	for n := 1; strike.MayCleave(r.State(), r.Creature(id), w) && strike.Able(r.Creature(id)); n++ {
		blows := strike.BesideFoes(r.State(), r.Creature(id), struck, w, take)
		if len(blows) == 0 {
			return struck
		}
		label := "cleave/" + body.Itoa(n)
		b, manner := strike.AskCleave(r, id, w, blows, label)
		if b.Foe == "" {
			return struck
		}
		if !body.Has(r.Creature(id), strike.CondCleaving) {
			r.AddCondition(id, &eventv1.Condition{Name: strike.CondCleaving, Cause: "cleave", Until: checks.UntilStart(id), Rule: cite.AttackCleaveExposes})
		}
		struck = append(struck, b.Foe)
		if !cleaveAt(r, id, b, manner, label, take.GetCircumstances()) || body.SheetOf(r.Creature(id)).BaseAttack < strike.ChainBase {
			return struck
		}
	}
	return struck
}

// cleaveAt makes one attack of a cleave; an unarmed one provokes as it would
// otherwise. What was stated of all targets counts.
func cleaveAt(r *rules.Resolution, id string, b strike.Blow, manner *structpb.Struct, label string, said []*eventv1.Circumstance) bool {
	w := b.Weapon
	take := &eventv1.TakeAction{Creature: id, Action: "attack", Item: w.Name, Targets: []string{b.Foe}, Parameters: manner, Circumstances: said}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: id, Action: "cleave", Targets: take.Targets, Item: w.Name}, cite.AttackCleave)
	if provokes, only := strike.AttackProvokes(r.State(), r.Creature(id), take); provokes {
		window(r, checks.Provocation{By: id, Kind: "attack", Take: take, Provokes: true, Only: only})
		if !strike.Able(r.Creature(id)) || strike.RefuseAttack(r.State(), r.Creature(id), take) != nil {
			return false
		}
	}
	manners.UseLimbs(r, r.Creature(id), w)
	declare(r, id, take)
	return makeAttack(r, body.Attack{By: id, Target: b.Foe, Weapon: w, Label: label, Take: take})
}

// gone is the rule by which an attack goes astray: that of a reckless one that shows
// a natural 1; empty when it does not.
//
// celesia.attack.reckless-aim-natural-1, celesia.attack.reckless-offense-natural-1
func gone(a body.Attack, rolled rules.Rolled) string {
	switch {
	case rolled.Natural != 1:
	case mending.Picked(a.Take, mending.OptionRecklessAim):
		return cite.AttackRecklessAimNatural1
	case mending.Picked(a.Take, mending.OptionReckless):
		return cite.AttackRecklessOffenseNatural1
	}
	return ""
}

// mishap lets an attack that goes astray hit a random one of those near: creatures
// that are adjacent to the target and threaten it, by measure or as stated.
//
// celesia.attack.reckless-aim-natural-1, celesia.attack.reckless-offense-natural-1
func mishap(r *rules.Resolution, a body.Attack, near []string, rule string, rolled rules.Rolled) {
	at := int32(1)
	if len(near) > 1 {
		at = r.Roll(rules.RollSpec{Label: a.Label + "/mishap", Creature: a.By, Expression: "1d" + body.Itoa(len(near)), Reason: "who is hit instead",
			Rules: []string{rule}}).Total
	}
	a.Target, a.Take = near[at-1], &eventv1.TakeAction{Creature: a.By, Item: a.Weapon.Name, Parameters: a.Take.Parameters}
	r.Emit(event.Everyone(), &eventv1.Attack{Attacker: a.By, Target: a.Target, Weapon: a.Weapon.Name, Outcome: "hit", Note: "a reckless attack gone astray"}, rule)
	harm(r, a, 0, false, "")
	struck(r, a, true, house.PointAttack+checks.Way(a.Weapon), rules.Rolled{Natural: rolled.Natural, Total: rolled.Total, Outcome: "success"})
}
