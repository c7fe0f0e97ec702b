package rcr

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// damageDeed has damage done by medicine and settles what it means for the
// fight. The numbers handed back are those of names.go.
func damageDeed(r *rules.Resolution, label string, target, source *eventv1.Creature, cause string,
	parts []*eventv1.DamagePart, critical bool, facts map[string]string) map[string]int32 {
	res := r.Deed(label, &eventv1.Harm{Deed: deedDamage, Target: target.GetId(), Source: source.GetId(), Cause: cause,
		Parts: parts, Critical: critical, Facts: facts})
	keepPace(r, target.GetId())
	afterHarm(r, target.GetId(), res)
	return res
}

// healDeed has healing done by medicine. Whoever it wakes rolls initiative anew.
//
// rcr.initiative.healed-reroll
func healDeed(r *rules.Resolution, label string, target, source *eventv1.Creature, cause string, amount int32,
	facts map[string]string) map[string]int32 {
	res := r.Deed(label, &eventv1.Harm{Deed: deedHeal, Target: target.GetId(), Source: source.GetId(), Cause: cause,
		Amount: amount, Facts: facts})
	keepPace(r, target.GetId())
	if res[resWoke] == 1 {
		rerollHealed(r, target.GetId())
	}
	return res
}

// turnStartDeed has bleeding, suffocation and the death save done, in that order.
func turnStartDeed(r *rules.Resolution, id string) {
	res := r.Deed("turn-start/"+id, &eventv1.Harm{Deed: deedTurnStart, Target: id, Cause: "the turn begins"})
	afterHarm(r, id, res)
}

// afterHarm settles what harm means beyond the harmed body: whoever is
// unconscious falls, lets go of others and of spells; concentration is tested.
func afterHarm(r *rules.Resolution, id string, res map[string]int32) {
	c := r.Creature(id)
	if c == nil {
		return
	}
	if (down(c) || has(c, condUnconscious)) && !dead(c) && !has(c, condProne) {
		setProne(r, id, "unconscious", cite.BaseFifthEditionFallback)
	}
	letGo(r, id)
	c = r.Creature(id)
	if dc := res[resConcMust]; dc > 0 && !incapacitated(c) && c.Marks[mConcentration] != "" {
		concentrationSave(r, c, dc)
	}
}
