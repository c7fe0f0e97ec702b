package manners

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/items"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// AbilityNames lists the special abilities that are used as actions; immediate ones
// are reactions.
func AbilityNames(_ *eventv1.State, c *eventv1.Creature) []string {
	var out []string
	for _, a := range body.SheetOf(c).SpecialAbilities {
		if body.Reactive(a) {
			continue // a reaction
		}
		out = append(out, a.Name)
	}
	return out
}

// StartUses is how often an ability can be used at first; 0 when it needs no
// counting.
func StartUses(a *eventv1.CelesiaAbility) int64 {
	if items.IsManeuver(a) {
		if a.Readied {
			return 1
		}
		return 0
	}
	return int64(a.Uses)
}

// Conversion is what an ability costs in acts here and the rule that says so.
//
// celesia.action.convert-free, celesia.action.convert-swift, celesia.action.convert-move,
// celesia.action.convert-standard-attack, celesia.action.convert-standard-ability,
// celesia.action.convert-full, celesia.action.boost, celesia.action.standard-strike,
// celesia.action.supernatural, celesia.action.swift-ability
func Conversion(a *eventv1.CelesiaAbility) (acts int32, rule string) {
	switch a.GetKind() {
	case body.KindBoost:
		return 1, cite.ActionBoost
	case body.KindStrike:
		return 2, cite.ActionStandardStrike
	}
	switch a.GetTime() {
	case body.TimeFree:
		return 0, body.OptConvertFree
	case body.TimeSwift:
		return 1, body.OptConvertSwift
	case body.TimeMove:
		return 1, body.OptConvertMove
	case body.TimeStandardAttack:
		if a.Complicated {
			return 2, body.OptConvertAttack
		}
		return 1, body.OptConvertAttack
	case body.TimeFull:
		return 3, body.OptConvertFull
	}
	return 2, body.OptConvertAbility
}

// AbilityCost is what the ability named costs in acts, by Conversion.
func AbilityCost(c *eventv1.Creature, take *eventv1.TakeAction) int32 {
	acts, _ := Conversion(items.AbilityOf(c, take.Item))
	return acts
}

// AbilityProvokes: spell-like abilities do, supernatural and free ones do not unless
// the game master says so of one, since it moves or attacks.
//
// celesia.action.convert-standard-ability, celesia.action.convert-free
func AbilityProvokes(_ *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) (bool, string) {
	a := items.AbilityOf(c, take.Item)
	return a.GetProvokes() || a.GetKind() == body.KindSpellLike && a.Time != body.TimeFree, ""
}

// RefuseAbility: spent, not readied, already used this turn, or without the
// action that it supports.
//
// celesia.action.convert-free-supporting, celesia.action.convert-swift, celesia.action.boost
func RefuseAbility(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	a := items.AbilityOf(c, take.Item)
	if a == nil || body.Reactive(a) {
		return body.Nameless("take.item", "ability", c.GetName(), take.Item, AbilityNames(s, c))
	}
	_, rule := Conversion(a)
	switch {
	case a.Kind == body.KindStrike && a.Time == body.TimeFull:
		return body.Refuse("OTHER_ACTION", RuleFull, "%s is a full-attack strike", a.Name)
	case body.Defaults.Value(s, rule) == "off":
		return body.Refuse("NOT_CONVERTED", rule, "this table does not convert such abilities")
	case a.Supports != "" && body.Defaults.Value(s, body.OptConvertSupport) == "on" && c.Marks[body.MDone+a.Supports] == "":
		return body.Refuse("NOT_TAKEN", body.OptConvertSupport, "%s goes with %s, which was not taken", a.Name, a.Supports)
	case (a.Kind == body.KindBoost || a.Kind == body.KindStrike) && c.Counters[body.CLeft+a.Name] < 1:
		return body.Refuse("NOT_READIED", rule, "%s is not readied", a.Name)
	case items.Counted(a) && c.Counters[body.CLeft+a.Name] < 1:
		return body.Refuse("SPENT", rule, "%s cannot be used again today", a.Name)
	case a.OncePerTurn && c.Marks[body.MDone+a.Name] != "":
		return body.Refuse("ONCE_A_TURN", rule, "%s was used this turn", a.Name)
	}
	return nil
}

// Supported tells whether an ability goes with an action.
func Supported(c *eventv1.Creature, action string) bool {
	return slices.ContainsFunc(body.SheetOf(c).SpecialAbilities, func(a *eventv1.CelesiaAbility) bool { return a.Supports == action })
}

// Remember marks an action of one's own turn as done, for what goes with it or
// excludes it, such as free abilities and spell combat.
//
// celesia.action.free-linked, celesia.action.free-ability
func Remember(r *rules.Resolution, id, action string) {
	if slices.Contains(r.State().Active, id) {
		r.Flag(id, body.MDone+action, true)
	}
}
