package original

import (
	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	thestrike "github.com/skaldrpg/skald/pkg/rules/original/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/types/known/structpb"
)

// answerCharge lets one who waited, and has its attack of the round left though
// its place in the order has passed, strike at the charger after the contact.
// One whose place is still to come strikes then.
//
// original.charge.no-initiative
func answerCharge(r *rules.Resolution, id, charger string, facts *structpb.Struct) {
	const rule = cite.ChargeNoInitiative
	s, c, target := r.State(), r.Creature(id), r.Creature(charger)
	if body.Dead(target) || !thestrike.Able(s, c) || body.Has(c, body.CondStruggling) || thestrike.PlaceToCome(s, id) {
		return
	}
	w := body.InHand(c)
	if thestrike.AttackRefused(r.Content(), body.OpenPhase(s), c, target, w, body.AtHand()) != nil {
		return
	}
	answer := r.Ask("answer/"+id, rules.About(rules.YesNo(body.DecAnswer, id, target.Name+" has charged", "Strike back with "+w.Name+"?", "yes", rule), charger))
	if answer.Option != "yes" {
		return
	}
	b := thestrike.NewBlow(r.State(), r.Creature(id), r.Creature(charger), w, body.AtHandOf(facts))
	b.Label = "answer/" + id
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: id, Action: body.DecAnswer, Targets: []string{charger}, Item: w.Name}, rule)
	thestrike.CountAttack(r, b)
	layOrHold(r, strike(r, b))
}
