package injuries

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// spared tells whether whoever brings a creature to 0 hit points knocks it out in
// place of killing it.
//
// rcr.base.knock-out
func spared(r *rules.Resolution, c *eventv1.Creature, h *eventv1.Harm) bool {
	switch h.Facts[body.FactKnockOut] {
	case rules.Yes:
		return true
	case body.FactAsk:
	default:
		return false
	}
	if r.Creature(h.Source) == nil {
		return false
	}
	d := rules.YesNo(body.DecKnockOut, h.Source, h.Cause, "Knock "+c.Name+" out, so that it is stable?", "no", cite.BaseKnockOut)
	return r.Ask("knock-out/"+c.Id, d).Option == "yes"
}

// knockOut leaves a creature unconscious and stable at 0 hit points.
//
// rcr.base.knock-out
func knockOut(r *rules.Resolution, id, cause string) {
	r.Set(id, body.CDeathExhaustion, r.Count(id, body.CExhaustion)+1, cause, cite.DeathSecretSaves)
	r.Emit(event.Everyone(), &eventv1.LifeChanged{Creature: id, Status: eventv1.LifeStatus_LIFE_STATUS_STABLE, Cause: cause}, cite.BaseKnockOut)
	if !body.Has(r.Creature(id), body.CondUnconscious) {
		r.AddCondition(id, &eventv1.Condition{Name: body.CondUnconscious, Cause: UnconsciousFrom0, Rule: cite.BaseKnockOut})
	}
}
