package movement

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	"github.com/skaldrpg/skald/pkg/rules/rcr/magic"
)

// componentsDone makes the checks that conditions ask of a caster. On a failure
// the spell is not cast; the time is spent, the slot is kept.
//
// rcr.condition.grappled-somatic, rcr.condition.deafened-verbal
func (k *Casting) componentsDone() bool {
	c := k.R.Creature(k.Id)
	check := func(label string, dc int32, rule string) bool {
		if dice.RollCheck(k.R, "cast/"+label, k.R.Creature(k.Id), "arcana", dc, "casting",
			body.CheckOpts{Reason: "cast " + k.Sp.Name + " " + label, Rules: []string{rule}}).Success() {
			return true
		}
		k.R.Note(event.Everyone(), k.Id, k.Sp.Name+" is not cast: the slot is kept", rule)
		return false
	}
	if dc := checks.GrappleCastingDC(k.R.State(), c); dc > 0 && k.Sp.Somatic && magic.CastingCost(k.Sp) == body.CAction && !k.Aside {
		if !check("grappled", dc, cite.ConditionGrappledSomatic) {
			return false
		}
	}
	if body.Has(c, body.CondDeafened) && k.Sp.Verbal {
		return check("deafened", 10+max(k.Slot, k.Sp.Level), cite.ConditionDeafenedVerbal)
	}
	return true
}
