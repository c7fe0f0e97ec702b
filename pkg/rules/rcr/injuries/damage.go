package injuries

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// TurnStartDeed has bleeding, suffocation and the death save done, in that order.
func TurnStartDeed(r *rules.Resolution, id string) {
	res := r.Harm("turn-start/"+id, &eventv1.Harm{Deed: body.DeedTurnStart, Target: id, Cause: "the turn begins"})
	AfterHarm(r, id, nil, res)
	if c := r.Creature(id); res.Taken > 0 {
		body.Happen(r, "turn-start/"+id, c, effects.TriggerHurt, effects.Env{Target: c, Damage: res.Taken})
	}
}

// AfterHarm settles what harm means beyond the harmed body: whoever is
// unconscious falls, lets go of others and of spells; concentration is tested. By is
// who did the harm, nil when nobody did; edges are what this harm gives that test.
func AfterHarm(r *rules.Resolution, id string, by *eventv1.Creature, res *eventv1.HarmResult, edges ...*eventv1.Edge) {
	c := r.Creature(id)
	if c == nil {
		return
	}
	if body.Has(c, body.CondUnconscious) && !body.Dead(c) && !body.Has(c, body.CondProne) {
		body.SetProne(r, id, "unconscious", cite.BaseFifthEditionFallback)
	}
	dice.LetGo(r, id)
	body.Shaken(r, id, res.Taken)
	c = r.Creature(id)
	if dc := res.ConcentrationDc; dc > 0 && !body.Incapacitated(c) && body.Concentration(c) != "" {
		dice.ConcentrationSave(r, c, by, dc, edges...)
	}
}
