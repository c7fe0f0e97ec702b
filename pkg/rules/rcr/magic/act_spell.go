package magic

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// SpellNames are the spells that are cast as a reaction, or the others.
func SpellNames(c *eventv1.Creature, reaction bool) (out []string) {
	for _, sp := range body.SheetOf(c).Spells {
		if (sp.CastingTime == "reaction") == reaction {
			out = append(out, sp.Name)
		}
	}
	return out
}

// RefuseCasting says why a spell cannot be cast whatever the target: for want of
// time, means or the weapon of the attack that is part of it.
func RefuseCasting(s *eventv1.State, c *eventv1.Creature, sp *eventv1.RcrSpell) error {
	return body.FirstError(refuseSpell(s, c, sp), answers.RefuseUnarmed(s, c, sp))
}

// FirstError2 is the first error of two steps, the second of which needs the first.
func FirstError2(first, second func() error) error {
	if err := first(); err != nil {
		return err
	}
	return second()
}

// CastProvokes are those about that a casting provokes.
//
// rcr.opportunity.cast-spell
func CastProvokes(at *play.At) []string {
	if !ProvokesByCasting(at.State, at.Actor, answers.SpellAt(at)) {
		return nil
	}
	return answers.Threateners(at.State, at.Actor.Id, nil)
}

// ConcentratedOn is the spell that can be let go. A command need not name it.
func ConcentratedOn(at *play.At) []string {
	spell := body.Concentration(at.Actor)
	switch {
	case !at.Listing:
		return []string{"", spell}
	case spell != "":
		return []string{spell}
	}
	return nil
}

// RefuseDropSpell says that a creature concentrates on nothing.
func RefuseDropSpell(at *play.At) error {
	if body.Concentration(at.Actor) == "" {
		return body.Refuse("NO_CONCENTRATION", cite.BaseFifthEditionFallback, "%s concentrates on nothing", at.Actor.Name)
	}
	return nil
}

// DoDropSpell ends concentration by its owner's will; it costs nothing.
func DoDropSpell(r *rules.Resolution, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "end-concentration", Item: body.Concentration(c)})
	dice.EndConcentration(r, c.Id, "let go")
	return nil
}
