package celesia

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Times of abilities in the default action economy.
const (
	timeFree           = "free"
	timeSwift          = "swift"
	timeMove           = "move"
	timeStandardAttack = "standard-attack"
	timeStandard       = "standard"
	timeFull           = "full"
)

// Kinds of abilities.
const (
	kindSupernatural = "supernatural"
	kindSpellLike    = "spell-like"
	kindBoost        = "boost"
	kindStrike       = "strike"
)

// mDone is the prefix of the marks of what was done this turn: "done.ACTION" for
// actions and abilities, each "yes".
const mDone = "done."

// abilityActions use abilities that come from the default action economy. What
// they do is the table's; here stand what they cost and whom they provoke.
func abilityActions() []*action {
	return []*action{{id: "use-ability", title: "Use an ability", rule: cite.ActionSwiftAbility, cost: abilityCost, trigger: "other",
		provoke: abilityProvokes, items: abilityNames, refuse: refuseAbility,
		check: checkManeuver, parameters: maneuverParameters, do: doAbility}}
}

func abilityOf(c *eventv1.Creature, name string) *eventv1.CelesiaAbility {
	for _, a := range sheetOf(c).SpecialAbilities {
		if a.Name == name {
			return a
		}
	}
	return nil
}

func abilityNames(_ *eventv1.State, c *eventv1.Creature) []string {
	var out []string
	for _, a := range sheetOf(c).SpecialAbilities {
		if a.Time == timeImmediate {
			continue // a reaction
		}
		out = append(out, a.Name)
	}
	return out
}

// startUses is how often an ability can be used at first; 0 when it needs no
// counting.
func startUses(a *eventv1.CelesiaAbility) int64 {
	if isManeuver(a) {
		if a.Readied {
			return 1
		}
		return 0
	}
	return int64(a.Uses)
}

// counted tells whether the uses of an ability run out.
func counted(a *eventv1.CelesiaAbility) bool {
	return a.Uses > 0 || isManeuver(a)
}

// conversion is what an ability costs in acts here and the rule that says so.
//
// celesia.action.convert-free, celesia.action.convert-swift, celesia.action.convert-move,
// celesia.action.convert-standard-attack, celesia.action.convert-standard-ability,
// celesia.action.convert-full, celesia.action.boost, celesia.action.standard-strike,
// celesia.action.supernatural, celesia.action.swift-ability
func conversion(a *eventv1.CelesiaAbility) (acts int32, rule string) {
	switch a.GetKind() {
	case kindBoost:
		return 1, cite.ActionBoost
	case kindStrike:
		return 2, cite.ActionStandardStrike
	}
	switch a.GetTime() {
	case timeFree:
		return 0, optConvertFree
	case timeSwift:
		return 1, optConvertSwift
	case timeMove:
		return 1, optConvertMove
	case timeStandardAttack:
		if a.Complicated {
			return 2, optConvertAttack
		}
		return 1, optConvertAttack
	case timeFull:
		return 3, optConvertFull
	}
	return 2, optConvertAbility
}

func abilityCost(c *eventv1.Creature, take *eventv1.TakeAction) int32 {
	acts, _ := conversion(abilityOf(c, take.Item))
	return acts
}

// abilityProvokes: spell-like abilities do, supernatural and free ones do not.
//
// celesia.action.convert-standard-ability, celesia.action.convert-free
func abilityProvokes(_ *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) (bool, string) {
	a := abilityOf(c, take.Item)
	return a.GetKind() == kindSpellLike && a.Time != timeFree, ""
}

// refuseAbility: spent, not readied, already used this turn, or without the
// action that it supports.
//
// celesia.action.convert-free-supporting, celesia.action.convert-swift, celesia.action.boost
func refuseAbility(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	a := abilityOf(c, take.Item)
	if a == nil || a.Time == timeImmediate {
		return nameless("take.item", "ability", c.GetName(), take.Item, abilityNames(s, c))
	}
	_, rule := conversion(a)
	switch {
	case a.Kind == kindStrike && a.Time == timeFull:
		return refuse("OTHER_ACTION", ruleFull, "%s is a full-attack strike", a.Name)
	case defaults.Value(s, rule) == "off":
		return refuse("NOT_CONVERTED", rule, "this table does not convert such abilities")
	case a.Supports != "" && defaults.Value(s, optConvertSupport) == "on" && c.Marks[mDone+a.Supports] == "":
		return refuse("NOT_TAKEN", optConvertSupport, "%s goes with %s, which was not taken", a.Name, a.Supports)
	case (a.Kind == kindBoost || a.Kind == kindStrike) && c.Counters[cLeft+a.Name] < 1:
		return refuse("NOT_READIED", rule, "%s is not readied", a.Name)
	case counted(a) && c.Counters[cLeft+a.Name] < 1:
		return refuse("SPENT", rule, "%s cannot be used again today", a.Name)
	case a.OncePerTurn && c.Marks[mDone+a.Name] != "":
		return refuse("ONCE_A_TURN", rule, "%s was used this turn", a.Name)
	}
	return nil
}

// doAbility tells the use and counts it.
func doAbility(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	a := abilityOf(c, take.Item)
	_, rule := conversion(a)
	if counted(a) {
		r.Set(c.Id, cLeft+a.Name, r.Count(c.Id, cLeft+a.Name)-1, "used", rule)
	}
	r.Mark(c.Id, mDone+a.Name, "yes", rule)
	if isManeuver(a) {
		initiate(r, c.Id, take)
	}
	r.Note(event.Everyone(), c.Id, c.Name+" uses "+a.Name, rule)
	return nil
}

// supported tells whether an ability goes with an action.
func supported(c *eventv1.Creature, action string) bool {
	return slices.ContainsFunc(sheetOf(c).SpecialAbilities, func(a *eventv1.CelesiaAbility) bool { return a.Supports == action })
}

// remember marks an action of one's own turn as done, for what goes with it or
// excludes it, such as free abilities and spell combat.
//
// celesia.action.free-linked, celesia.action.free-ability
func remember(r *rules.Resolution, id, action string) {
	if slices.Contains(r.State().Active, id) {
		r.Mark(id, mDone+action, "yes")
	}
}
