package celesia

import (
	"strings"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Audience says who may see a fact. Sheets, hit points, injuries and tallies are
// their owner's, what was readied is known to nobody else until it is done, and
// where an invisible creature stands is its own affair.
func (System) Audience(s *eventv1.State, kind rules.FactKind, name, creature string) *eventv1.Audience {
	if creature == "" || strings.HasPrefix(creature, event.SidePrefix) {
		return event.Everyone()
	}
	switch kind {
	case rules.FactSheet, rules.FactHitPoints, rules.FactInjury:
		return event.Controllers(creature)
	case rules.FactCounter:
		switch name {
		case cActs, cSpent, cReactions, cFirst, cEscapes, cAim, cLoads, cMulti, cUnderway:
			return event.Everyone()
		}
		return event.Controllers(creature)
	case rules.FactMark:
		if strings.HasPrefix(name, mReady) || name == mUnderwayTake {
			return event.Controllers(creature)
		}
	case rules.FactPosition:
		return whereabouts(s.GetCreatures()[creature])
	}
	return event.Everyone()
}

// mUnseen is "yes" on a creature whose place others have lost from sight, until
// they are told where it is.
const mUnseen = "unseen"

// whereabouts is who knows where a creature is: of an invisible one only those
// who control it, who hold it or are held by it, who bear it or are borne by it.
//
// celesia.dice.adv-invisible-attacker
func whereabouts(c *eventv1.Creature) *eventv1.Audience {
	if !outOfSight(c) {
		return event.Everyone()
	}
	ids := []string{c.Id}
	for _, x := range c.Conditions {
		switch x.Name {
		case condGrappled, condRiding, condRidden:
			if x.Source != "" {
				ids = append(ids, x.Source)
			}
		}
	}
	return event.Controllers(ids...)
}

func outOfSight(c *eventv1.Creature) bool {
	return has(c, condInvisible) || c.GetMarks()[mUnseen] != ""
}

// sight keeps track of who is out of sight: those who are seen again are placed
// for everyone.
//
// celesia.dice.adv-invisible-attacker
func sight(r *rules.Resolution) {
	for _, id := range rules.SortedKeys(r.State().Creatures) {
		switch c := r.Creature(id); {
		case has(c, condInvisible):
			r.Mark(id, mUnseen, "yes", cite.DiceAdvInvisibleAttacker)
		case c.Marks[mUnseen] != "":
			r.Mark(id, mUnseen, "", cite.DiceAdvInvisibleAttacker)
			if c.Position != nil {
				r.Move(&eventv1.Moved{Creature: id, To: c.Position, Mode: "placed"}, cite.DiceAdvInvisibleAttacker)
			}
		}
	}
}
