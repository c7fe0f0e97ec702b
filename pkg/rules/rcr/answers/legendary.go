package answers

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// OpenLegendary opens the moment at the end of a creature's turn in which others
// may take a legendary action.
//
// rcr.base.fifth-edition-fallback
func OpenLegendary(r *rules.Resolution, ended string) {
	for _, id := range r.CreatureIDs() {
		if c := r.Creature(id); id != ended && c.Counters[body.CLegendary] > 0 && !body.Incapacitated(c) && !checks.SurpriseRound(r.State()) {
			r.Flag(id, body.MLegendary, true)
		}
	}
}

// CloseLegendary ends that moment.
func CloseLegendary(r *rules.Resolution, ids ...string) {
	for _, id := range ids {
		if r.Creature(id).GetMarks()[body.MLegendary] != "" {
			r.Flag(id, body.MLegendary, false)
		}
	}
}

func legendaryOf(c *eventv1.Creature, name string) *eventv1.RcrLegendary {
	for _, l := range body.SheetOf(c).Legendary {
		if l.Name == name {
			return l
		}
	}
	return nil
}

// refuseLegendary says why a legendary action cannot be taken now: one at a
// time, at the end of another's turn, as long as there are any left.
func refuseLegendary(s *eventv1.State, c *eventv1.Creature, l *eventv1.RcrLegendary) error {
	const frame = cite.BaseFifthEditionFallback
	switch {
	case checks.SurpriseRound(s):
		return body.Refuse("ONE_ACTION", cite.SurpriseOneAction, "one action and nothing else")
	case body.Incapacitated(c):
		return body.Refuse("INCAPACITATED", strike.IncapacitatedRule(c), "%s is incapacitated", c.Name)
	case c.Marks[body.MLegendary] == "":
		return body.Refuse("NOT_NOW", frame, "a legendary action is taken at the end of another creature's turn")
	case c.Counters[body.CLegendary] < int64(max(1, l.Cost)):
		return body.Refuse("NO_LEGENDARY_ACTIONS", frame, "%s has %d legendary actions left", c.Name, c.Counters[body.CLegendary])
	}
	switch a, p := checks.AttackOf(c, l.Attack), PowerOf(c, l.Power); {
	case a != nil:
		return strike.RefuseWeapon(false, s, c, a)
	case p != nil:
		return strike.RefuseSpent(c, p)
	case l.MovePercent > 0:
		if err := RefuseSpeed(s, c); err != nil {
			return err
		}
		if legendaryFeet(s, c, l) < 1 {
			return body.Refuse("NO_MOVEMENT", frame, "%s cannot move a foot by it", c.Name)
		}
	}
	return nil
}

// legendarySpells are the spells that a legendary action may cast: those with a
// casting time of an action.
func legendarySpells(c *eventv1.Creature, l *eventv1.RcrLegendary) []*eventv1.RcrSpell {
	return slices.DeleteFunc(slices.Clone(body.SheetOf(c).Spells), func(sp *eventv1.RcrSpell) bool {
		return l.Casts == eventv1.RcrLegendary_CASTS_CANTRIP && sp.Level > 0 ||
			sp.CastingTime != "" && sp.CastingTime != "action"
	})
}

// legendaryFeet is how far a legendary move goes by the best of its modes.
func legendaryFeet(s *eventv1.State, c *eventv1.Creature, l *eventv1.RcrLegendary) int32 {
	feet, crawling := int32(0), body.Has(c, body.CondProne)
	for _, mode := range ModesOf(s, c, crawling) {
		feet = max(feet, legendarySpeed(s, c, l, mode)/(1+Surcharge(s, c, mode, crawling)))
	}
	return feet
}

// legendarySpeed is the part of its speed by a mode that a legendary move is. By
// a mode without a speed of its own it goes by the speed it has.
func legendarySpeed(s *eventv1.State, c *eventv1.Creature, l *eventv1.RcrLegendary, mode string) int32 {
	own := body.SpeedIn(s, c.Id, mode)
	if own == 0 {
		own = body.BaseSpeed(s, c)
	}
	return own * l.MovePercent / 100
}

// legendaryModes lists the modes that a legendary move may be made by.
func legendaryModes(s *eventv1.State, c *eventv1.Creature, l *eventv1.RcrLegendary) []string {
	return OpenModes(s, c, body.Has(c, body.CondProne), func(mode string) int32 { return legendarySpeed(s, c, l, mode) })
}
