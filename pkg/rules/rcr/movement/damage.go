package movement

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/injuries"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// DamageDeed has damage done by medicine and settles what it means for the
// fight.
func DamageDeed(r *rules.Resolution, label string, target, source *eventv1.Creature, cause string,
	parts []*eventv1.DamagePart, critical bool, facts map[string]string) *eventv1.HarmResult {
	res := r.Harm(label, &eventv1.Harm{Deed: body.DeedDamage, Target: target.GetId(), Source: source.GetId(), Cause: cause,
		Parts: parts, Critical: critical, Facts: facts})
	KeepPace(r, target.GetId())
	injuries.AfterHarm(r, target.GetId(), res)
	body.Befall(r, body.OnDamage, target.GetId(), cause, res.Taken)
	return res
}

// healDeed has healing done by medicine. Whoever it wakes rolls initiative anew.
//
// rcr.initiative.healed-reroll
func healDeed(r *rules.Resolution, label string, target, source *eventv1.Creature, cause string, amount int32,
	facts map[string]string) *eventv1.HarmResult {
	res := r.Harm(label, &eventv1.Harm{Deed: body.DeedHeal, Target: target.GetId(), Source: source.GetId(), Cause: cause,
		Amount: amount, Facts: facts})
	KeepPace(r, target.GetId())
	if res.Woke {
		answers.RerollHealed(r, target.GetId())
	}
	return res
}
