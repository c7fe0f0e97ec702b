package body

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// AmbushedLast tells whether one creature attacked another by surprise or from
// behind in the round before; in the round after that nothing is left of it.
//
// original.attack.behind-second-round, original.attack.behind-third-round
func AmbushedLast(s *eventv1.State, by, target *eventv1.Creature) bool {
	m := rules.RelationTo(by, RelAmbushed, target.GetId())
	return m != nil && m.Round+1 == s.Round
}

// ReachOf tells whether an attack is a blow or a shot, and the range band of a
// shot: "short", "medium", "long" or "beyond".
//
// original.attack.range-bands
func ReachOf(c, target *eventv1.Creature, w *eventv1.OriginalWeapon, take *eventv1.TakeAction) (melee bool, band string) {
	d := FeetTo(c, target, take)
	near := d <= MeleeFeet
	if d < 0 { // nobody knows how far it is, but a range is none of melee
		near = spoken.Word(take.GetFacts(), "range") == ""
	}
	if !Missile(w) && !spoken.Truth(take.GetParameters(), "throw") && (near || !Ranged(w)) {
		return true, ""
	}
	switch {
	case spoken.Word(take.GetFacts(), "range") != "":
		return false, spoken.Word(take.GetFacts(), "range")
	case d < 0:
		return false, "medium"
	case d <= w.ShortFeet:
		return false, "short"
	case d <= w.MediumFeet:
		return false, "medium"
	case d <= w.LongFeet:
		return false, "long"
	}
	return false, "beyond"
}

// FeetTo is how far a target is: as stated, or as measured; -1 when nobody
// knows.
func FeetTo(c, target *eventv1.Creature, take *eventv1.TakeAction) int32 {
	if spoken.Truth(take.GetFacts(), "in_reach") {
		return MeleeFeet
	}
	if d, stated := spoken.Number(take.GetFacts(), "distance"); stated {
		return d
	}
	return Distance(c, target)
}

// AttackingNow is the foe that a creature attacked last, as long as it is in
// melee with it; empty for none.
func AttackingNow(s *eventv1.State, c *eventv1.Creature) string {
	id := rules.RelationTo(c, RelAttacks, "").GetTo()
	if t := s.Creatures[id]; Out(t) || !InMelee(c, t) {
		return ""
	}
	return id
}
