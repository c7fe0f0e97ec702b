package original

import (
	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	"github.com/skaldrpg/skald/pkg/rules/original/moving"
	thestrike "github.com/skaldrpg/skald/pkg/rules/original/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// chargesInTurn asks one who is charged, and could charge itself, whether it does; it
// returns the weapon that it charges with, nil for none.
//
// original.charge.no-initiative
func chargesInTurn(r *rules.Resolution, id, charger string, feet int32) *eventv1.OriginalWeapon {
	w := moving.InTurn(r.Content(), r.State(), r.Creature(id), r.Creature(charger), feet)
	if w == nil {
		return nil
	}
	answer := r.Ask("in-turn/"+id, rules.YesNo(body.DecInTurn, id, r.Creature(charger).Name+" charges", "Charge in turn with "+w.Name+"?", "no", cite.ChargeNoInitiative))
	if answer.Option != "yes" {
		return nil
	}
	return w
}

// chargeEachOther has two meet on the way who charge each other: the longer reach
// strikes first, equal ones at the same time.
//
// original.charge.no-initiative, original.charge.longer-reach-first
func chargeEachOther(r *rules.Resolution, a, b string, w, against *eventv1.OriginalWeapon, feet int32, take *eventv1.TakeAction) {
	far, near := moving.HalfWays(r.State(), r.Creature(a), r.Creature(b), feet)
	setOut(r, b, a, against, near)
	r.Set(a, body.CMoved, int64(far), "charge", cite.ChargeMove)
	endA, endB := moving.ChargeEnd(r.Creature(a), r.Creature(b), feet, far), moving.ChargeEnd(r.Creature(b), r.Creature(a), feet, near)
	shootAtCharger(r, a, "")
	shootAtCharger(r, b, "")
	if moving.Falls(r, a) || moving.Falls(r, b) || !rideUp(r, a, endA, far) || !rideUp(r, b, endB, near) {
		r.Note(event.Everyone(), a, "the two do not meet", cite.ChargeBonus)
		return
	}
	blow := func(id, target string, w *eventv1.OriginalWeapon, take *eventv1.TakeAction) *thestrike.Wound {
		x := thestrike.NewBlow(r.State(), r.Creature(id), r.Creature(target), w, take)
		x.Charge, x.Melee, x.Band, x.Label = true, true, "", "charge/"+id
		return strike(r, x)
	}
	mine := func() *thestrike.Wound {
		return blow(a, b, w, &eventv1.TakeAction{Facts: take.Facts, Parameters: take.Parameters, Circumstances: take.Circumstances})
	}
	other := func() *thestrike.Wound { return blow(b, a, against, body.AtHandOf(take.Facts)) }
	k := thestrike.TablesOf(r.Content())
	switch longer := k.ReachRank(against) - k.ReachRank(w); {
	case longer == 0:
		first, second := mine(), other()
		layOrHold(r, first)
		layOrHold(r, second)
	case longer > 0:
		lay(r, other())
		if thestrike.Able(r.State(), r.Creature(a)) {
			lay(r, mine())
		}
	default:
		lay(r, mine())
		if thestrike.Able(r.State(), r.Creature(b)) {
			lay(r, other())
		}
	}
}
