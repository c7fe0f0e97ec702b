package magic

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/items"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
)

// SpellNames lists the spells of the sheet, those used up among them.
func SpellNames(_ *eventv1.State, c *eventv1.Creature) []string {
	var out []string
	for _, s := range body.SheetOf(c).Spells {
		out = append(out, s.Name)
	}
	return out
}

// CastCost is the casting time in acts. A 1-round spell takes what is left of
// the turn, at most 3.
//
// celesia.spell.swift, celesia.spell.standard, celesia.spell.cast-full-action, celesia.spell.cast-one-round
func CastCost(c *eventv1.Creature, take *eventv1.TakeAction) int32 {
	sp := body.SpellOf(c, take.Item)
	more := sp.GetComponentActs() // celesia.spell.prepare-components
	switch {
	case sp.GetQuickened():
		return more
	case sp.GetCasting() == "swift":
		return 1 + more
	case sp.GetCasting() == "full":
		return 3 + more
	case sp.GetCasting() == "1-round":
		return more + max(1, min(3, int32(c.Counters[body.CActs])-more))
	}
	return 2 + more
}

// CastTargets is how many targets a spell can have.
func CastTargets(c *eventv1.Creature, take *eventv1.TakeAction) int32 {
	return max(1, body.SpellOf(c, take.Item).GetTargets())
}

// CastDefensively is the concentration check of a defensive casting: made, the
// casting does not provoke; failed, it does and the spell is lost (a reading).
//
// celesia.spell.cast-defensively
func CastDefensively(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) (quiet bool) {
	casting(r, c)
	if !spoken.Truth(take.Parameters, "defensively") {
		return false
	}
	if Concentrate(r, c, answers.SpellUsed(c, take), take) {
		return true
	}
	r.Flag(c.Id, body.MLost, true, cite.SpellCastDefensively)
	return false
}

// Concentrate makes the concentration check of a defensive casting.
//
// celesia.spell.cast-defensively
func Concentrate(r *rules.Resolution, c *eventv1.Creature, sp *eventv1.CelesiaSpell, take *eventv1.TakeAction, more ...*eventv1.Modifier) bool {
	dc := 15 + 2*sp.GetLevel()
	edges, mods := checks.Stated(take.GetCircumstances(), c.Id)
	edges = append(strike.EdgesOf(r.Content(), c, nil, body.RollKind{Roll: checks.RollConcentration}), edges...)
	all := body.Nonzero(append([]*eventv1.Modifier{body.Mod(body.SheetOf(c).Concentration, "concentration", cite.SpellCastDefensively)}, more...)...)
	return checks.D20{Label: "concentration", Creature: c.Id, Reason: "casting defensively", Edges: edges, Modifiers: append(all, mods...),
		Target: &eventv1.TargetNumber{Kind: "DC", Value: dc}, Judge: checks.Against(dc), Rules: []string{cite.SpellCastDefensively},
		Point: house.PointCheck + body.PartConcentration}.Roll(r).Success()
}

// CastProvokes tells that casting provokes, from anybody, unless the spell is
// quickened, or supernatural and not said to provoke all the same.
//
// celesia.action.convert-standard-ability
func CastProvokes(_ *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) (bool, string) {
	sp := body.SpellOf(c, take.Item)
	return (!sp.GetSupernatural() || sp.GetProvokes()) && !sp.GetQuickened(), ""
}

// RefuseCast says why a spell cannot be cast at a target.
//
// celesia.action.one-round-split
func RefuseCast(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	sp := body.SpellOf(c, take.Item)
	if sp == nil {
		return body.Nameless("take.item", "spell", c.GetName(), take.Item, SpellNames(s, c))
	}
	if err := strike.RefuseSpell(c, sp); err != nil {
		return err
	}
	switch {
	case sp.Casting == "1-round" && int32(c.Counters[body.CActs]) > 3+sp.ComponentActs:
		return body.Refuse("ACTS_LEFT", cite.ActionOneRoundFrame, "a 1-round action runs to the end of the turn: use the extra act first")
	case sp.OncePerTurn && c.Marks[body.MDone+sp.Name] != "":
		return body.Refuse("ONCE_A_TURN", body.OptConvertSwift, "%s was cast this turn", sp.Name)
	case Barring(sp) && c.Marks[body.MDone+"spell-combat"] != "":
		return body.Refuse("SPELL_COMBAT", cite.SpellSpellCombatLimits, "no such spell in a turn of spell combat")
	}
	if err := items.RefuseRidingCast(s, c); err != nil {
		return err
	}
	return items.RefuseRange(c, s.Creatures[body.Target(take)], sp, take)
}

// Barring tells whether a spell and spell combat keep each other out of a turn: one cast
// as a standard action or over a round; a quickened one is cast for nothing.
//
// celesia.spell.spell-combat-limits
func Barring(sp *eventv1.CelesiaSpell) bool {
	return !sp.Quickened && (sp.Casting == "standard" || sp.Casting == "1-round")
}

// BeginOneRound puts a spell under way; what the acts of this turn leave is to
// be paid with the first acts of the next.
//
// celesia.action.one-round-frame, celesia.reaction.none-during-one-round
func BeginOneRound(r *rules.Resolution, id string, take *eventv1.TakeAction, acts int32) {
	r.Begin(id, &eventv1.Begun{Kind: body.BegunCasting, Action: &eventv1.TakeAction{Creature: id, Action: "cast", Item: take.Item, Targets: take.Targets, Circumstances: take.Circumstances, Facts: stillSo(take)},
		Done: acts, Needed: 3, Counter: body.CActs, Rule: cite.ActionOneRoundFrame}, cite.ActionOneRoundFrame, cite.ReactionNoneDuringOneRound)
}

// stillSo are the stated facts that hold for a spell when it takes effect: where the
// targets are by then is another matter.
//
// celesia.action.one-round-frame
func stillSo(take *eventv1.TakeAction) *structpb.Struct {
	out := proto.CloneOf(take.Facts)
	if out != nil {
		delete(out.Fields, "distance")
		delete(out.Fields, "threatened_by")
	}
	return out
}

// RefuseRest: there must be a 1-round action whose acts are not all paid, and
// nothing may have come between.
//
// celesia.action.one-round-split
func RefuseRest(_ *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	b := answers.Rounding(c)
	switch {
	case b == nil:
		return body.Refuse("NOTHING_UNDER_WAY", cite.ActionOneRoundSplit, "%s has no 1-round action under way", c.Name)
	case answers.ActsLeft(b) > int32(c.Counters[body.CActs]):
		return body.Refuse("NO_ACTS", cite.ActionOneRoundSplit, "%d acts are still needed", answers.ActsLeft(b))
	}
	return nil
}
