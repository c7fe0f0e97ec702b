package body

import (
	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/types/known/structpb"
)

// Refusals that name nobody.
var (
	errMissileOnce = Refuse("NO_ATTACK", cite.AttackMultiVsNormalMen, "missile attacks are not multiplied")
	errLastAttack  = Refuse("LAST_ATTACK", cite.InitiativeFightersFirstAndLast, "the last attack falls at the end of the round")
)

// CountRefused says whether the round's attacks are spent, those that come
// last held back for the end of the round.
//
// original.attack.multi-vs-normal-men, original.initiative.fighters-first-and-last
func CountRefused(s *eventv1.State, c, target *eventv1.Creature, w *eventv1.OriginalWeapon, melee bool) error {
	used := int32(c.Counters[CAttacks])
	strong := c.Counters[CStrong] > 0
	many := AttacksAgainstNormal(s, c)
	normal := melee && !w.Untrained && target.Marks[MNormal] != ""
	segment := s.Phase == SegFirst || s.Phase == SegLast
	switch {
	case !normal && segment:
		return Refuse("NORMAL_MEN_ONLY", cite.InitiativeFightersFirstAndLast, "the %s attack is one of several against Normal Men", s.Phase)
	case !normal && !melee && used > 0:
		return errMissileOnce
	case !normal && used > 0 && !strong, !normal && used >= AttacksAgainstStrong(s, c):
		return Refuse("NO_ATTACK", cite.AttackMultiVsNormalMen, "%s has no attack left against such a foe", c.Name)
	case normal && strong && used >= AttacksAgainstStrong(s, c), normal && used >= many:
		return Refuse("NO_ATTACK", cite.AttackMultiVsNormalMen, "%s has no attack left", c.Name)
	case normal && !strong && FirstAndLast(s, c) && s.Phase != SegLast && s.Round > 0 && used >= many-1:
		return errLastAttack
	}
	return nil
}

// FirstAndLast tells whether a creature's attacks fall first and last in the round.
//
// original.initiative.fighters-first-and-last
func FirstAndLast(s *eventv1.State, c *eventv1.Creature) bool {
	return fighterType(c) && againstNormal(s, c) >= 2
}

// AtHand is a command that states that the foe is within reach.
func AtHand() *eventv1.TakeAction {
	return &eventv1.TakeAction{Facts: &structpb.Struct{Fields: map[string]*structpb.Value{"in_reach": structpb.NewBoolValue(true)}}}
}

// OpenPhase is the state outside the segments of first and last attacks, for
// what happens out of order.
func OpenPhase(s *eventv1.State) *eventv1.State {
	if s.Phase != SegFirst && s.Phase != SegLast {
		return s
	}
	c := event.Clone(s)
	c.Phase = SegSlot
	return c
}
