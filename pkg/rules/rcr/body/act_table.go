package body

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// SkillSaid is the skill, tool or ability that a command names.
func SkillSaid(take *eventv1.TakeAction) string {
	return strings.ToLower(spoken.Word(take.Parameters, "skill"))
}

// RefuseSkill says that a creature has no such skill, tool or ability.
func RefuseSkill(c *eventv1.Creature, skill string) error {
	if plainSkill(skill) || slices.Contains(ToolNames(c), skill) {
		return nil
	}
	return NoSuch("take.parameters.skill", skill, "skill, tool or ability", SkillNames(c))
}

// CheckCalled says why a check that was called for cannot be made as said: an
// unknown skill, a missing kit, or inspiration that is not there.
func CheckCalled(at *play.At) error {
	skill := SkillSaid(at.Take)
	return FirstError(RefuseSkill(at.Actor, skill), RefuseKitFor(at.Actor, at.Take, skill), RefuseInspired(at.Actor, at.Take))
}

// DoGrant gives inspiration; whoever has it has still one.
//
// rcr.base.inspiration-held
func DoGrant(r *rules.Resolution, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "grant-inspiration"})
	r.Set(c.Id, CInspiration, 1, "granted", cite.BaseInspirationHeld)
	return nil
}

// InspirationItems are what inspiration can be spent on besides a roll to come: what
// it can refill.
func InspirationItems(at *play.At) []string {
	if !at.Listing {
		return []string{"", at.Item()} // what it refills is refused by the rule
	}
	if refuseInspiration(at.Actor) != nil {
		return nil
	}
	out := []string{""}
	if Defaults.On(at.State, cite.DiceInspirationResource) {
		names, _ := refillable(at.Actor)
		out = append(out, names...)
	}
	return out
}

// InspirationTitle says what inspiration is spent on: advantage, or a resource that
// it refills.
func InspirationTitle(at *play.At) string {
	if at.Item() == "" {
		return "Spend inspiration for advantage on a roll to come"
	}
	return "Spend inspiration to refill " + at.Item()
}

// RefuseSpending says why inspiration cannot be spent on a resource, or set on a
// roll.
//
// rcr.dice.inspiration-resource, rcr.base.inspiration-held
func RefuseSpending(at *play.At) error {
	const rule = cite.DiceInspirationResource
	names, _ := refillable(at.Actor)
	switch err := refuseInspiration(at.Actor); {
	case err != nil:
		return err
	case at.Item() == "" && at.Actor.Marks[MInspired] != "":
		return Refuse("INSPIRED", cite.BaseInspirationHeld, "it is set on the next roll already")
	case at.Item() == "":
		return nil
	case !Defaults.On(at.State, rule):
		return Refuse("RULE_OFF", rule, "this table does not refill resources with inspiration")
	case !slices.Contains(names, at.Item()):
		return Refuse("NOT_SHORT_REST", rule, "%s is nothing that a short rest would refill now", at.Item())
	}
	return nil
}

// DoInspiration spends inspiration: on a resource that recharges on a short
// rest, which is refilled as by one (a reading: it costs no action), or else on
// advantage on a roll to come.
//
// rcr.dice.inspiration-resource, rcr.base.inspiration-held
func DoInspiration(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	const rule = cite.DiceInspirationResource
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "spend-inspiration", Item: take.Item})
	if take.Item == "" {
		on := spoken.Word(take.Parameters, "for")
		if on == "" {
			on = AnyRoll
		}
		r.Mark(c.Id, MInspired, on, cite.BaseInspirationHeld)
		return nil
	}
	_, full := refillable(c)
	r.Set(c.Id, CInspiration, 0, "refills "+take.Item, rule)
	r.Set(c.Id, CLeft+take.Item, full[take.Item], "inspiration", rule)
	return nil
}

// RefuseKitFor says why a Medicine check cannot be made with a healer's kit, of
// which it takes one use, made or failed.
//
// rcr.healing.kit-use-expended
func RefuseKitFor(c *eventv1.Creature, take *eventv1.TakeAction, skill string) error {
	switch {
	case !spoken.Truth(take.Parameters, "kit"):
		return nil
	case skill != "medicine":
		return fault.Field("take.parameters.kit", "a healer's kit goes with Medicine checks, not with %s", skill)
	case c.Counters[CKit] < 1:
		return Refuse("NO_KIT", cite.HealingKitUseExpended, "%s has no use of a healer's kit left", c.Name)
	}
	return nil
}
