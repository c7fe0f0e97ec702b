package celesia

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// spellActions cast spells.
func spellActions() []*action {
	return slices.Concat([]*action{
		{id: "cast", title: "Cast", rule: cite.SpellStandard, cost: castCost, provoke: castProvokes, trigger: "cast", targeted: true, self: true,
			most: castTargets, items: spellNames, parameters: castParameters, before: castDefensively, refuse: refuseCast,
			spans: func(c *eventv1.Creature, take *eventv1.TakeAction) bool {
				return spellOf(c, take.Item).GetCasting() == "1-round"
			}, paid: doCast},
		{id: "continue-casting", title: "Finish a 1-round spell", rule: cite.ActionOneRoundSplit, acts: 1, task: true,
			refuse: refuseRest, paid: doRest},
	}, lastingActions(), deviceActions(), magusActions())
}

func spellNames(_ *eventv1.State, c *eventv1.Creature) []string {
	var out []string
	for _, s := range sheetOf(c).Spells {
		out = append(out, s.Name)
	}
	return out
}

// castCost is the casting time in acts. A 1-round spell takes what is left of
// the turn, at most 3.
//
// celesia.spell.swift, celesia.spell.standard, celesia.spell.cast-full-action, celesia.spell.cast-one-round
func castCost(c *eventv1.Creature, take *eventv1.TakeAction) int32 {
	sp := spellOf(c, take.Item)
	more := sp.GetComponentActs() // celesia.spell.prepare-components
	switch {
	case sp.GetQuickened():
		return more
	case sp.GetCasting() == "swift":
		return 1 + more
	case sp.GetCasting() == "full":
		return 3 + more
	case sp.GetCasting() == "1-round":
		return more + max(1, min(3, int32(c.Counters[cActs])-more))
	}
	return 2 + more
}

// castTargets is how many targets a spell can have.
func castTargets(c *eventv1.Creature, take *eventv1.TakeAction) int32 {
	return max(1, spellOf(c, take.Item).GetTargets())
}

func castParameters(_ *eventv1.State, c *eventv1.Creature) []*eventv1.Parameter {
	return append([]*eventv1.Parameter{{Name: "defensively", Type: "boolean", Text: "a concentration check keeps the casting from provoking; failed, the spell is lost"}},
		saddleParameters(c)...)
}

// castDefensively is the concentration check of a defensive casting: made, the
// casting does not provoke; failed, it does and the spell is lost (a reading).
//
// celesia.spell.cast-defensively
func castDefensively(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) (quiet bool) {
	casting(r, c)
	if !spoken.Truth(take.Parameters, "defensively") {
		return false
	}
	if concentrate(r, c, spellUsed(c, take), take) {
		return true
	}
	r.Mark(c.Id, mLost, "yes", cite.SpellCastDefensively)
	return false
}

// spellUsed is the spell of an action: of the sheet, or of an item.
func spellUsed(c *eventv1.Creature, take *eventv1.TakeAction) *eventv1.CelesiaSpell {
	if th := thingOf(c, take.Item); th.GetSpell() != nil {
		return th.Spell
	}
	return spellOf(c, take.Item)
}

// concentrate makes the concentration check of a defensive casting.
//
// celesia.spell.cast-defensively
func concentrate(r *rules.Resolution, c *eventv1.Creature, sp *eventv1.CelesiaSpell, take *eventv1.TakeAction, more ...*eventv1.Modifier) bool {
	dc := 15 + 2*sp.GetLevel()
	edges, mods := stated(take.GetCircumstances(), c.Id)
	edges = append(edgesOf(c, nil, rollKind{roll: rollConcentration}), edges...)
	all := nonzero(append([]*eventv1.Modifier{mod(sheetOf(c).Concentration, "concentration", "")}, more...)...)
	return d20{label: "concentration", creature: c.Id, reason: "casting defensively", edges: edges, modifiers: append(all, mods...),
		target: &eventv1.TargetNumber{Kind: "DC", Value: dc}, judge: against(dc), rules: []string{cite.SpellCastDefensively}}.roll(r).Success()
}

// mLost is "yes" on a caster whose concentration failed, until the casting ends.
const mLost = "spell-lost"

func castProvokes(_ *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) (bool, string) {
	sp := spellOf(c, take.Item)
	return !sp.GetSupernatural() && !sp.GetQuickened(), ""
}

// refuseSpell says why a spell cannot be cast whatever the target.
func refuseSpell(c *eventv1.Creature, sp *eventv1.CelesiaSpell) error {
	if sp.Uses > 0 && c.Counters[cLeft+sp.Name] < 1 {
		return refuse("SPENT", cite.SpellStandard, "%s cannot be cast again today", sp.Name)
	}
	if err := refuseComponents(c, sp); err != nil {
		return err
	}
	if has(c, condPinned) {
		return refuse("PINNED", cite.ManeuverPin, "%s is pinned", c.Name)
	}
	return nil
}

// refuseCast says why a spell cannot be cast at a target.
//
// celesia.action.one-round-split
func refuseCast(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	sp := spellOf(c, take.Item)
	if sp == nil {
		return nameless("take.item", "spell", c.GetName(), take.Item, spellNames(s, c))
	}
	if err := refuseSpell(c, sp); err != nil {
		return err
	}
	switch {
	case sp.Casting == "1-round" && int32(c.Counters[cActs]) > 3+sp.ComponentActs:
		return refuse("ACTS_LEFT", cite.ActionOneRoundFrame, "a 1-round action runs to the end of the turn: use the extra act first")
	case sp.OncePerTurn && c.Marks[mDone+sp.Name] != "":
		return refuse("ONCE_A_TURN", optConvertSwift, "%s was cast this turn", sp.Name)
	case (sp.Casting == "standard" || sp.Casting == "1-round") && c.Marks[mDone+"spell-combat"] != "":
		return refuse("SPELL_COMBAT", cite.SpellSpellCombatLimits, "no such spell in a turn of spell combat")
	}
	if err := refuseRidingCast(s, c); err != nil {
		return err
	}
	return refuseRange(c, s.Creatures[target(take)], sp, take)
}

// spellRange is how far a spell reaches, in feet; its caster level counts as it
// is, whatever saving throws make of it.
//
// celesia.spell.degrees-range-area
func spellRange(c *eventv1.Creature, sp *eventv1.CelesiaSpell) int32 {
	if sp.RangeFeet == 0 {
		return naturalReach(c)
	}
	return sp.RangeFeet + sp.RangePerLevel*sp.CasterLevel
}

// refuseRange says why a spell does not reach a target.
func refuseRange(c, t *eventv1.Creature, sp *eventv1.CelesiaSpell, take *eventv1.TakeAction) error {
	if t == nil || t.Id == c.Id {
		return nil
	}
	if feet, known := apart(take, c, t); known && feet > spellRange(c, sp) {
		return outOfReach(cite.SpellStandard, t, feet)
	}
	return nil
}

// doCast casts a spell, or begins one that takes a round.
//
// celesia.reaction.counterspell, celesia.action.one-round-frame
func doCast(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction, acts int32) error {
	sp := spellOf(c, take.Item)
	if sp.Uses > 0 {
		r.Set(c.Id, cLeft+sp.Name, r.Count(c.Id, cLeft+sp.Name)-1, "cast")
	}
	if sp.OncePerTurn {
		remember(r, c.Id, sp.Name)
	}
	if sp.Casting == "standard" || sp.Casting == "1-round" {
		remember(r, c.Id, "cast")
	}
	switch {
	case thwarted(r, c.Id):
	case !keptInSaddle(r, c.Id, sp, take):
	case sp.Casting == "1-round":
		beginOneRound(r, c.Id, sp.Name, strings.Join(take.Targets, ","), acts-sp.ComponentActs)
	default:
		takeEffect(r, c, sp, take.Targets, take)
		keepTouch(r, c.Id, sp)
	}
	return nil
}

// thwarted tells whether a spell comes to nothing: countered, or lost by a
// failed check of concentration.
//
// celesia.reaction.counterspell, celesia.spell.cast-defensively
func thwarted(r *rules.Resolution, id string) bool {
	lost := r.Creature(id).Marks[mLost] != ""
	r.Mark(id, mLost, "")
	if lost {
		r.Note(event.Everyone(), id, "the spell is lost", cite.SpellCastDefensively)
	}
	if x := condition(r.Creature(id), condCountered); x != nil {
		r.RemoveCondition(id, x, "the spell is cancelled", cite.ReactionCounterspell)
		return true
	}
	return lost
}

// beginOneRound puts a spell under way; what the acts of this turn leave is to
// be paid with the first acts of the next.
//
// celesia.action.one-round-frame, celesia.reaction.none-during-one-round
func beginOneRound(r *rules.Resolution, id, spell, at string, acts int32) {
	r.Mark(id, mBusy, at, cite.ReactionNoneDuringOneRound)
	r.Emit(event.Everyone(), &eventv1.TaskSet{Task: &eventv1.Task{Id: oneRoundID(id), Creature: id, Kind: taskOneRound, Status: "pending",
		Text: spell, Values: map[string]int32{"left": 3 - acts}}}, cite.ActionOneRoundFrame)
}

func oneRoundID(id string) string { return "one-round-" + id }

// completeOneRound lets a 1-round action that took the whole turn before take
// effect now.
//
// celesia.action.one-round-frame
func completeOneRound(r *rules.Resolution, id string) {
	t := r.State().Tasks[oneRoundID(id)]
	if t != nil && t.Values["left"] == 0 {
		finishOneRound(r, id)
	}
}

// finishOneRound has a spell take effect on the situation as it is now: whoever
// has gone out of its range is out of its reach (a reading).
//
// celesia.action.one-round-frame
func finishOneRound(r *rules.Resolution, id string) {
	t, c := r.State().Tasks[oneRoundID(id)], r.Creature(id)
	if t.Values[valueLoading] > 0 {
		finishLoading(r, id, t)
		return
	}
	sp := spellOf(c, t.Text)
	targets := slices.DeleteFunc(strings.Split(c.Marks[mBusy], ","), func(at string) bool {
		return dead(r.Creature(at)) || sp != nil && refuseRange(c, r.Creature(at), sp, nil) != nil
	})
	r.Emit(event.Everyone(), &eventv1.TaskEnded{Id: t.Id, Outcome: "done"}, cite.ActionOneRoundFrame)
	r.Mark(id, mBusy, "")
	if sp == nil || len(targets) == 0 {
		r.Note(event.Everyone(), id, "the spell finds no target", cite.ActionOneRoundFrame)
		return
	}
	takeEffect(r, c, sp, targets, &eventv1.TakeAction{Creature: id})
	keepTouch(r, id, sp)
}

// refuseRest: there must be a 1-round action whose acts are not all paid, and
// nothing may have come between.
//
// celesia.action.one-round-split
func refuseRest(s *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	t := s.Tasks[oneRoundID(c.Id)]
	switch {
	case t == nil:
		return refuse("NOTHING_UNDER_WAY", cite.ActionOneRoundSplit, "%s has no 1-round action under way", c.Name)
	case t.Values["left"] > int32(c.Counters[cActs]):
		return refuse("NO_ACTS", cite.ActionOneRoundSplit, "%d acts are still needed", t.Values["left"])
	}
	return nil
}

// doRest pays the acts that are left and completes the spell.
//
// celesia.action.one-round-split
func doRest(r *rules.Resolution, c *eventv1.Creature, _ *eventv1.TakeAction, acts int32) error {
	if more := r.State().Tasks[oneRoundID(c.Id)].Values["left"] - acts; more > 0 {
		r.Set(c.Id, cSpent, r.Count(c.Id, cSpent)+int64(more), "the rest of the casting")
		r.Set(c.Id, cActs, r.Count(c.Id, cActs)-int64(more), "the rest of the casting")
	}
	finishOneRound(r, c.Id)
	return nil
}
