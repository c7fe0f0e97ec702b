package body

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// MUnseen is on a creature whose place others have lost from sight, until
// they are told where it is.
const MUnseen = "unseen"

// Whereabouts is who knows where a creature is: of an invisible one only those
// who control it, who hold it or are held by it, who bear it or are borne by it.
//
// celesia.dice.adv-invisible-attacker
func Whereabouts(c *eventv1.Creature) *eventv1.Audience {
	if !outOfSight(c) {
		return event.Everyone()
	}
	ids := []string{c.Id}
	for _, x := range c.Conditions {
		if x.Name == CondGrappled && x.Source != "" {
			ids = append(ids, x.Source)
		}
	}
	for _, rel := range c.Relations {
		if rel.Kind == RelRides || rel.Kind == RelCarries {
			ids = append(ids, rel.To)
		}
	}
	return event.Controllers(ids...)
}

func outOfSight(c *eventv1.Creature) bool {
	return Has(c, CondInvisible) || c.GetMarks()[MUnseen] != ""
}

// Sight keeps track of who is out of sight: those who are seen again are placed
// for everyone.
//
// celesia.dice.adv-invisible-attacker
func Sight(r *rules.Resolution) {
	for _, id := range r.CreatureIDs() {
		switch c := r.Creature(id); {
		case Has(c, CondInvisible):
			r.Flag(id, MUnseen, true, cite.DiceAdvInvisibleAttacker)
		case c.Marks[MUnseen] != "":
			r.Mark(id, MUnseen, "", cite.DiceAdvInvisibleAttacker)
			if c.Position != nil {
				r.Move(&eventv1.Moved{Creature: id, To: c.Position, Mode: "placed"}, cite.DiceAdvInvisibleAttacker)
			}
		}
	}
}
