package movement

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	"github.com/skaldrpg/skald/pkg/rules/rcr/magic"
	"github.com/skaldrpg/skald/pkg/rules/rcr/underwater"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// componentsDone makes the checks that conditions ask of a caster. On a failure
// the spell is not cast; the time is spent, the slot is kept.
//
// rcr.condition.grappled-somatic, rcr.condition.deafened-verbal
func (k *Casting) componentsDone() bool {
	c, said := k.R.Creature(k.Id), body.SaidOfWater(k.Take.GetFacts())
	spoken := underwater.SpeaksSpell(k.R.State(), c, k.Sp, said)
	done := k.componentChecks(c, spoken)
	if spoken {
		underwater.Exhale(k.R, k.Id)
	}
	return done
}

// componentChecks makes them; spoken tells whether the spell is spoken under water.
//
// rcr.condition.grappled-somatic, rcr.condition.deafened-verbal, rcr.underwater.verbal-check
func (k *Casting) componentChecks(c *eventv1.Creature, spoken bool) bool {
	edges, mods := body.StatedEdges(k.Take.GetCircumstances(), k.Id) // what is stated of nobody weighs on the caster too
	check := func(label string, dc int32, rule string) bool {
		if dice.RollCheck(k.R, "cast/"+label, k.R.Creature(k.Id), "arcana", dc, "casting",
			body.CheckOpts{Edges: edges, Modifiers: mods, Kinds: body.Renamed(k.Take.GetFacts(), "kinds"),
				Reason: "cast " + k.Sp.Name + " " + label, Rules: []string{rule}}).Success() {
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
	if body.Has(c, body.CondDeafened) && k.Sp.Verbal && !check("deafened", 10+max(k.Slot, k.Sp.Level), cite.ConditionDeafenedVerbal) {
		return false
	}
	return !spoken || !k.R.On(cite.UnderwaterVerbalCheck) || check("underwater", 10+max(k.Slot, k.Sp.Level), cite.UnderwaterVerbalCheck)
}
