package rcr

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

const (
	// mLegendary is on a creature that may take a legendary action now:
	// another's turn has ended and nothing has been done in the next.
	mLegendary = "legendary"
	// decLegendaryResistance asks whether to succeed on a failed saving throw.
	decLegendaryResistance = "legendary-resistance"
	// traitLegendaryResistance is the trait, and the resource that it spends.
	traitLegendaryResistance = "legendary resistance"
)

// openLegendary opens the moment at the end of a creature's turn in which others
// may take a legendary action.
//
// rcr.base.fifth-edition-fallback
func openLegendary(r *rules.Resolution, ended string) {
	for _, id := range rules.SortedKeys(r.State().Creatures) {
		if c := r.Creature(id); id != ended && c.Counters[cLegendary] > 0 && !incapacitated(c) && !surpriseRound(r.State()) {
			r.Flag(id, mLegendary, true)
		}
	}
}

// closeLegendary ends that moment.
func closeLegendary(r *rules.Resolution, ids ...string) {
	for _, id := range ids {
		if r.Creature(id).GetMarks()[mLegendary] != "" {
			r.Flag(id, mLegendary, false)
		}
	}
}

func legendaryOf(c *eventv1.Creature, name string) *eventv1.RcrLegendary {
	for _, l := range sheetOf(c).Legendary {
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
	case surpriseRound(s):
		return refuse("ONE_ACTION", cite.SurpriseOneAction, "one action and nothing else")
	case incapacitated(c):
		return refuse("INCAPACITATED", incapacitatedRule(c), "%s is incapacitated", c.Name)
	case c.Marks[mLegendary] == "":
		return refuse("NOT_NOW", frame, "a legendary action is taken at the end of another creature's turn")
	case c.Counters[cLegendary] < int64(max(1, l.Cost)):
		return refuse("NO_LEGENDARY_ACTIONS", frame, "%s has %d legendary actions left", c.Name, c.Counters[cLegendary])
	}
	switch a, p := attackOf(c, l.Attack), powerOf(c, l.Power); {
	case a != nil:
		return refuseWeapon(s, c, a)
	case p != nil:
		return refuseSpent(c, p)
	case l.MovePercent > 0:
		return refuseSpeed(s, c)
	}
	return nil
}

// legendarySpells are the spells that a legendary action may cast: those with a
// casting time of an action.
func legendarySpells(c *eventv1.Creature, l *eventv1.RcrLegendary) []*eventv1.RcrSpell {
	return slices.DeleteFunc(slices.Clone(sheetOf(c).Spells), func(sp *eventv1.RcrSpell) bool {
		return l.Casts == eventv1.RcrLegendary_CASTS_UNSPECIFIED || l.Casts == eventv1.RcrLegendary_CASTS_CANTRIP && sp.Level > 0 ||
			sp.CastingTime != "" && sp.CastingTime != "action"
	})
}

// legendaryFeet is how far a legendary move goes by the best of its modes.
func legendaryFeet(s *eventv1.State, c *eventv1.Creature, l *eventv1.RcrLegendary) int32 {
	feet, crawling := int32(0), has(c, condProne)
	for _, mode := range modesOf(s, c, crawling) {
		feet = max(feet, legendarySpeed(s, c, l, mode)/(1+surcharge(s, c, mode, crawling)))
	}
	return feet
}

// legendarySpeed is the part of its speed by a mode that a legendary move is. By
// a mode without a speed of its own it goes by the speed it has.
func legendarySpeed(s *eventv1.State, c *eventv1.Creature, l *eventv1.RcrLegendary, mode string) int32 {
	own := speedIn(s, c.Id, mode)
	if own == 0 {
		own = baseSpeed(s, c)
	}
	return own * l.MovePercent / 100
}

// legendaryModes lists the modes that a legendary move may be made by.
func legendaryModes(s *eventv1.State, c *eventv1.Creature, l *eventv1.RcrLegendary) []string {
	return openModes(s, c, has(c, condProne), func(mode string) int32 { return legendarySpeed(s, c, l, mode) })
}

// resists gives a creature with legendary resistance its choice after a failed
// saving throw.
//
// rcr.base.fifth-edition-fallback
func resists(r *rules.Resolution, label string, c *eventv1.Creature, failed rules.Rolled) rules.Rolled {
	left := cLeft + traitLegendaryResistance
	if !hasTrait(c, traitLegendaryResistance) || r.Count(c.Id, left) < 1 || unseen(c, failed) {
		return failed
	}
	d := rules.YesNo(decLegendaryResistance, c.Id, "the saving throw failed", "Succeed by legendary resistance?", "no", cite.BaseFifthEditionFallback)
	if r.Ask(label+"/resist", d).Option != "yes" {
		return failed
	}
	spend(r, c.Id, left, "legendary resistance")
	r.Note(audienceOr(failed.Audience), c.Id, c.Name+" succeeds by legendary resistance", cite.BaseFifthEditionFallback)
	failed.Outcome = "success"
	return failed
}

// others lists the creatures of a state but one.
func others(s *eventv1.State, but string) []string {
	return slices.DeleteFunc(rules.SortedKeys(s.Creatures), func(id string) bool { return id == but })
}
