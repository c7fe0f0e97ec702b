package movement

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/injuries"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// DamageDeed has damage done by medicine and settles what it means for the
// fight.
func DamageDeed(r *rules.Resolution, label string, target, source *eventv1.Creature, cause string,
	parts []*eventv1.DamagePart, critical bool, facts map[string]string) *eventv1.HarmResult {
	lived := !body.Dead(r.Creature(target.GetId()))
	res := r.Harm(label, &eventv1.Harm{Deed: body.DeedDamage, Target: target.GetId(), Source: source.GetId(), Cause: cause,
		Parts: parts, Critical: critical, Facts: facts})
	KeepPace(r, target.GetId())
	var edges []*eventv1.Edge
	if cause == causeFall {
		edges = fallEdges(r, target.GetId())
	}
	injuries.AfterHarm(r, target.GetId(), r.Creature(source.GetId()), res, edges...)
	harmed(r, label, target.GetId(), source.GetId(), parts, res.Taken, lived)
	if res.Taken > 0 {
		fed(r, target.GetId())
	}
	if body.Has(r.Creature(target.GetId()), body.CondUnconscious) {
		CalmDown(r, target.GetId())
	}
	body.Befall(r, body.OnDamage, target.GetId(), cause, res.Taken)
	return res
}

// harmed lets content have its say when somebody was hurt, and when it died of it.
func harmed(r *rules.Resolution, label, target, source string, parts []*eventv1.DamagePart, taken int32, lived bool) {
	if r.Content() == nil || taken <= 0 {
		return
	}
	kind := ""
	if len(parts) > 0 {
		kind = parts[0].Type
	}
	hurt, by := r.Creature(target), r.Creature(source)
	body.Happen(r, label, hurt, effects.TriggerHurt, effects.Env{Actor: by, Target: hurt, Damage: taken, DamageType: kind})
	if hurt = r.Creature(target); lived && by != nil && body.Dead(hurt) {
		body.Happen(r, label, r.Creature(source), effects.TriggerKill, effects.Env{Actor: by, Target: hurt, Damage: taken, DamageType: kind})
	}
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

// Recovers has a creature heal itself by what it can do.
func Recovers(r *rules.Resolution, label, id, cause string, amount int32, facts map[string]string) {
	healDeed(r, label, r.Creature(id), r.Creature(id), cause, amount, facts)
}
