package body

import (
	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/types/known/structpb"
)

// Refusals that name nobody.
var (
	errMissileOnce = Refuse("NO_ATTACK", cite.AttackMultiVsNormalMen, "missile attacks are not multiplied")
	errLastAttack  = Refuse("LAST_ATTACK", cite.InitiativeFightersFirstAndLast, "the last attack falls at the end of the round")
)

// Count is how a creature's attacks of the round stand, found once for all whom it may
// attack: how many it used, how many it has against Normal Men and against anything
// stronger.
type Count struct {
	s                  *eventv1.State
	c                  *eventv1.Creature
	used, normal, more int32
	strong             bool
	// spent, over and weak are refusals that stand for several foes, made when first wanted.
	spent, over, weak error
	unread            bool
}

// CountOf is how the attacks of a creature stand; unread says that nobody reads why there
// is none.
func CountOf(s *eventv1.State, c *eventv1.Creature, unread bool) Count {
	return Count{s: s, c: c, unread: unread, used: int32(c.Counters[CAttacks]), strong: c.Counters[CStrong] > 0,
		normal: AttacksAgainstNormal(s, c), more: AttacksAgainstStrong(s, c)}
}

// Refused says whether the round's attacks are spent, those that come
// last held back for the end of the round.
//
// original.attack.multi-vs-normal-men, original.initiative.fighters-first-and-last
func (k *Count) Refused(target *eventv1.Creature, w *eventv1.OriginalWeapon, melee bool) error {
	s, c := k.s, k.c
	normal := melee && !w.Untrained && target.Marks[MNormal] != ""
	segment := s.Phase == SegFirst || s.Phase == SegLast
	switch {
	case !normal && segment:
		if k.weak == nil {
			k.weak = play.RefuseUnless(k.unread, "NORMAL_MEN_ONLY", cite.InitiativeFightersFirstAndLast, "the %s attack is one of several against Normal Men", s.Phase)
		}
		return k.weak
	case !melee && k.used > 0:
		return errMissileOnce
	case !normal && k.used >= k.more:
		if k.spent == nil {
			k.spent = play.RefuseUnless(k.unread, "NO_ATTACK", cite.AttackMultiVsNormalMen, "%s has no attack left against such a foe", c.Name)
		}
		return k.spent
	case normal && k.strong && k.used >= k.more, k.used >= k.normal:
		if k.over == nil {
			k.over = play.RefuseUnless(k.unread, "NO_ATTACK", cite.AttackMultiVsNormalMen, "%s has no attack left", c.Name)
		}
		return k.over
	case normal && !k.strong && FirstAndLast(s, c) && s.Phase != SegLast && s.Round > 0 && k.used >= k.normal-1:
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

// AtHandOf is [AtHand] for one who strikes back at whoever gave facts: who stands on
// higher ground is seen from the other side.
//
// original.attack.high-ground-bonus, original.attack.low-ground-penalty
func AtHandOf(facts *structpb.Struct) *eventv1.TakeAction {
	take := AtHand()
	switch spoken.Word(facts, "higher") {
	case "attacker":
		take.Facts.Fields["higher"] = structpb.NewStringValue("target")
	case "target":
		take.Facts.Fields["higher"] = structpb.NewStringValue("attacker")
	}
	return take
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
