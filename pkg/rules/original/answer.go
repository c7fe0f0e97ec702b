package original

import (
	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// answerCharge lets one who waited, and has its attack of the round left though
// its place in the order has passed, strike at the charger after the contact.
// One whose place is still to come strikes then.
//
// original.charge.no-initiative
func answerCharge(r *rules.Resolution, id, charger string) {
	const rule = cite.ChargeNoInitiative
	s, c, target := r.State(), r.Creature(id), r.Creature(charger)
	if dead(target) || !able(s, c) || has(c, condStruggling) || placeToCome(s, id) {
		return
	}
	w := inHand(c)
	if attackRefused(openPhase(s), c, target, w, atHand()) != nil {
		return
	}
	answer := r.Ask("answer/"+id, rules.YesNo(decAnswer, id, target.Name+" has charged", "Strike back with "+w.Name+"?", "yes", rule))
	if answer.Option != "yes" {
		return
	}
	b := newBlow(r.State(), r.Creature(id), r.Creature(charger), w, atHand())
	b.label = "answer/" + id
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: id, Action: decAnswer, Targets: []string{charger}, Item: w.Name}, rule)
	countAttack(r, b)
	layOrHold(r, strike(r, b))
}
