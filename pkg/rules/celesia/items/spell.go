package items

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// spellRange is how far a spell reaches, in feet; its caster level counts as it
// is, whatever saving throws make of it.
//
// celesia.spell.degrees-range-area
func spellRange(c *eventv1.Creature, sp *eventv1.CelesiaSpell) int32 {
	if sp.RangeFeet == 0 {
		return body.NaturalReach(c)
	}
	return sp.RangeFeet + sp.RangePerLevel*sp.CasterLevel
}

// RefuseRange says why a spell does not reach a target.
func RefuseRange(c, t *eventv1.Creature, sp *eventv1.CelesiaSpell, take *eventv1.TakeAction) error {
	if t == nil || t.Id == c.Id {
		return nil
	}
	if feet, _ := body.Apart(take, c, t); feet > spellRange(c, sp) {
		return body.OutOfReach(cite.SpellStandard, t, feet)
	}
	return nil
}

// Thwarted tells whether a spell comes to nothing: countered, or lost by a
// failed check of concentration.
//
// celesia.reaction.counterspell, celesia.spell.cast-defensively
func Thwarted(r *rules.Resolution, id string) bool {
	lost := r.Creature(id).Marks[body.MLost] != ""
	r.Mark(id, body.MLost, "")
	if lost {
		r.Note(event.Everyone(), id, "the spell is lost", cite.SpellCastDefensively)
	}
	if x := body.Condition(r.Creature(id), CondCountered); x != nil {
		r.RemoveCondition(id, x, "the spell is cancelled", cite.ReactionCounterspell)
		return true
	}
	return lost
}
