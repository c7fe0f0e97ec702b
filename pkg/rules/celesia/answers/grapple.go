package answers

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Holds is the foe that a creature began to grapple or has control of; empty
// when there is none.
func Holds(c *eventv1.Creature) string {
	return rules.RelationTo(c, body.RelHolds, "").GetTo()
}

// HeldBy is who holds a creature; empty when nobody does.
func HeldBy(c *eventv1.Creature) string {
	foe := Holds(c)
	for _, x := range c.GetConditions() {
		if x.Name == body.CondGrappled && (foe == "" || x.Source != foe) {
			return x.Source
		}
	}
	return ""
}

// RefuseGrapple says why a grapple cannot begin: the attacker is pinned, either side
// is in a grapple, or the foe is beyond natural reach. Without a foe only the
// attacker is judged.
func RefuseGrapple(s *eventv1.State, c, t *eventv1.Creature, take *eventv1.TakeAction) error {
	const rule = cite.ManeuverGrapple
	if body.Has(c, body.CondPinned) {
		return body.Refuse("PINNED", cite.ManeuverPin, "%s is pinned and can only try to escape", c.Name)
	}
	if body.Has(c, body.CondGrappled) {
		return body.Refuse("GRAPPLED", rule, "%s is in a grapple already", c.Name)
	}
	if t == nil {
		return nil
	}
	if body.Has(t, body.CondGrappled) {
		return body.Refuse("GRAPPLED", rule, "%s is in a grapple already", t.Name)
	}
	if feet, _ := body.Apart(take, c, t); feet > body.NaturalReach(c) {
		return body.OutOfReach(rule, t, feet)
	}
	return nil
}

// EndGrapple frees both sides of the hold that a creature has.
func EndGrapple(r *rules.Resolution, holder, cause, rule string) {
	foe := Holds(r.Creature(holder))
	for _, pair := range [][2]string{{holder, foe}, {foe, holder}} {
		for _, x := range r.Creature(pair[0]).GetConditions() {
			if (x.Name == body.CondGrappled || x.Name == body.CondPinned || x.Name == body.CondPinning) && x.Source == pair[1] {
				r.RemoveCondition(pair[0], x, cause, rule)
			}
		}
	}
	if r.Creature(foe) != nil {
		Unchoke(r, foe, holder)
	}
	if r.Creature(holder) != nil {
		r.Unrelate(holder, body.RelHolds, foe, cause, rule)
		r.Mark(holder, body.MDragging, "")
	}
}
