package celesia

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Rolls that circumstances touch.
const (
	rollAttack   = "attack"
	rollManeuver = "maneuver"
	rollSave     = "save"
	rollSkill    = "skill"
	rollAbility  = "ability"
	// rollConcentration is a check to keep a spell, of the ability that a caster
	// casts with: Intelligence, Wisdom or Charisma.
	rollConcentration = "concentration"
	rollInitiative    = "initiative"
)

// rollKind says what is rolled, for the circumstances.
type rollKind struct {
	// roll is one of the constants above.
	roll string
	// ranged attack; else melee.
	ranged bool
	// name of the maneuver, the skill or the saving throw.
	name string
	// purpose of a skill check: sight, opposed, reaction; empty for none.
	purpose string
	// reactive check, made in answer to another's doing.
	reactive bool
	// broken weapon or tool.
	broken bool
}

// edgesOf lists the sources of advantage and disadvantage that the conditions
// and injuries of a roller and its target give. A condition is one source
// however often it was inflicted.
//
// celesia.dice.circumstance-table, celesia.dice.stack-cancel
func edgesOf(c, target *eventv1.Creature, k rollKind) []*eventv1.Edge {
	var out []*eventv1.Edge
	for _, row := range circumstances {
		if !touches(row, k.roll) || !applies(row, c, target, k) {
			continue
		}
		who := c
		if row.target {
			who = target
		}
		out = append(out, &eventv1.Edge{Advantage: row.advantage, Kind: row.rule, Source: who.GetName() + " " + row.condition, Rule: row.rule})
	}
	if k.roll == rollAttack && has(target, condCleaving) {
		out = append(out, &eventv1.Edge{Advantage: true, Kind: condCleaving, Source: target.GetName() + " cleaves", Rule: cite.AttackCleaveExposes})
	}
	return append(out, injuryEdges(c, target, k)...)
}

// touches tells whether a row touches a roll. Initiative is an ability check.
//
// celesia.initiative.check
func touches(row circumstance, roll string) bool {
	return slices.Contains(row.rolls, roll) || roll == rollInitiative && slices.Contains(row.rolls, rollAbility)
}

// applies tells whether a row's condition and limit hold.
func applies(row circumstance, c, target *eventv1.Creature, k rollKind) bool {
	who := c
	if row.target {
		who = target
	}
	switch row.limit {
	case "weapon":
		return k.broken
	case "tool":
		return k.broken || has(c, row.condition)
	}
	if who == nil || !inCondition(who, row.condition) {
		return false
	}
	return within(row, c, target, k)
}

// within tells whether the limit of a row holds.
func within(row circumstance, c, target *eventv1.Creature, k rollKind) bool {
	switch row.limit {
	case "foe":
		return target != nil && condition(c, condCharging).Source == target.Id && !k.ranged &&
			(k.roll == rollAttack || k.name == "bull-rush" || k.name == "overrun")
	case "melee":
		return !k.ranged
	case "ranged":
		return k.ranged
	case "sighted":
		return target != nil && !has(target, condBlind)
	case "strength-dexterity":
		a := skillAbility(k.name)
		return a == "strength" || a == "dexterity"
	case "ship":
		return k.roll != rollSkill || k.name == "sailing"
	case "sight":
		return k.roll == rollAttack || k.name == "perception" && k.purpose == "sight"
	case "opposed-perception":
		return k.roll == rollInitiative || k.name == "perception" && k.purpose == "opposed"
	case "reaction":
		return k.reactive || k.purpose == "reaction"
	case "worst-fear":
		return row.condition == worstFear(c)
	case "not-grapple":
		return k.roll == rollAttack || k.name != "grapple" && k.name != "escape"
	case "grapple-grappled":
		return k.name == "grapple" && has(target, condGrappled)
	}
	return true
}

func inCondition(c *eventv1.Creature, name string) bool {
	if name == condHelpless {
		return helpless(c)
	}
	return has(c, name)
}

// worstFear is the worst step of fear that a creature is on: they are one
// ladder and one source.
//
// celesia.dice.dis-frightened
func worstFear(c *eventv1.Creature) string {
	for _, step := range []string{condPanicked, condFrightened, condShaken} {
		if has(c, step) {
			return step
		}
	}
	return ""
}

// Skills that the rows of crippling injuries touch.
var (
	socialSkills = []string{"bluff", "diplomacy", "disguise", "perform"}
	handSkills   = []string{"climb", "craft", "disable-device", "perform-keyboard", "perform-percussion", "perform-string",
		"perform-wind", "ride", "sleight-of-hand"}
	legSkills = []string{"acrobatics", "climb", "perform-dance", "ride", "stealth"}
)

// among tells whether a skill, or the family it is a kind of, is in a list.
func among(list []string, skill string) bool {
	family, _, _ := strings.Cut(skill, "-")
	return slices.Contains(list, skill) || slices.Contains(list, family) && (family == "perform" || family == "craft")
}

// injuryEdges are the sources that crippling injuries give, each injury one.
//
// celesia.injury.crippling-permanent
func injuryEdges(c, target *eventv1.Creature, k rollKind) []*eventv1.Edge {
	var out []*eventv1.Edge
	for _, in := range c.GetInjuries() {
		if hampers(in.Kind, k) {
			out = append(out, &eventv1.Edge{Kind: "injury " + in.Id, Source: title(in.Kind), Rule: in.Rule})
		}
	}
	if k.roll == rollSkill && (among(handSkills, k.name) || k.name == "swim") {
		for _, side := range sides(parts(c, "hand")) {
			if fingersLost(c, side) && injuries(c, "hand", side, false) == 0 {
				out = append(out, &eventv1.Edge{Kind: "fingers " + side, Source: "all fingers of a hand lost", Rule: cite.InjuryFingerHandLost})
			}
		}
	}
	if k.roll == rollAttack && !k.ranged {
		for _, in := range target.GetInjuries() {
			if in.Kind == "arm" {
				out = append(out, &eventv1.Edge{Advantage: true, Kind: "injury " + in.Id, Source: "injured arm", Rule: cite.InjuryArm})
			}
		}
	}
	return out
}

// hampers tells whether an injury of a row gives disadvantage on a roll.
//
// celesia.injury.major-scar, celesia.injury.eye, celesia.injury.hand,
// celesia.injury.head, celesia.injury.leg, celesia.injury.arm
func hampers(row string, k rollKind) bool {
	if row == "head" && k.roll == rollSave {
		return k.name == "will"
	}
	if row == "head" && k.roll == rollConcentration {
		return true
	}
	if row == "head" && k.roll == rollAbility {
		return k.name == "intelligence" || k.name == "wisdom" || k.name == "charisma"
	}
	if k.roll != rollSkill {
		return false
	}
	switch row {
	case "major-scar":
		return among(socialSkills, k.name)
	case "eye":
		return k.name == "perception" && k.purpose == "sight"
	case "hand":
		return among(handSkills, k.name) || k.name == "swim"
	case "arm":
		return among(handSkills, k.name) || k.name == "swim" || k.name == "acrobatics"
	case "leg":
		return among(legSkills, k.name)
	case "head":
		switch skillAbility(k.name) {
		case "intelligence", "wisdom", "charisma":
			return true
		}
	}
	return false
}

// skillModifiers are what injuries add to a skill check.
//
// celesia.injury.scar, celesia.injury.major-scar, celesia.injury.finger
func skillModifiers(c *eventv1.Creature, skill string) []*eventv1.Modifier {
	var out []*eventv1.Modifier
	for _, in := range c.GetInjuries() {
		switch {
		case in.Kind == "scar" && among(socialSkills, skill):
			out = append(out, mod(-1, "scar", cite.InjuryScar))
		case (in.Kind == "scar" || in.Kind == "major-scar") && skill == "intimidate":
			out = append(out, mod(1, title(in.Kind), in.Rule))
		case in.Kind == "finger" && among(handSkills, skill):
			out = append(out, mod(-1, "lost finger", cite.InjuryFinger))
		}
	}
	return out
}

func title(row string) string {
	if c := crippleRow(row); c != nil {
		return c.title
	}
	return row
}

// weigh cancels the sources one for one and returns what is left: positive for
// advantage, negative for disadvantage. Sources of one kind count once.
//
// celesia.dice.stack-cancel
func weigh(edges []*eventv1.Edge) int32 {
	var kinds [2][]string
	for i, e := range edges {
		if e.Kind == kindDeclined {
			continue
		}
		side, kind := 0, e.Kind
		if e.Advantage {
			side = 1
		}
		if kind == "" {
			kind = "unnamed " + itoa(i)
		}
		if !slices.Contains(kinds[side], kind) {
			kinds[side] = append(kinds[side], kind)
		}
	}
	return int32(len(kinds[1]) - len(kinds[0]))
}

// kindDeclined is the kind of a stated circumstance by which a creature rolls
// one die though it has advantage: the rules say that it may roll more. What
// cancels, cancels all the same.
//
// celesia.dice.advantage
const kindDeclined = "declined"

// left is what the roller takes of what is left after cancelling.
func left(edges []*eventv1.Edge) int32 {
	net := weigh(edges)
	if net > 0 && slices.ContainsFunc(edges, func(e *eventv1.Edge) bool { return e.Kind == kindDeclined }) {
		return 0
	}
	return net
}

// d20s is the expression of so many advantages or disadvantages left: n of them
// are n + 1 dice.
//
// celesia.dice.advantage, celesia.dice.disadvantage, celesia.dice.stack-cancel
func d20s(net int32) string {
	switch {
	case net > 0:
		return itoa(net+1) + "d20kh1"
	case net < 0:
		return itoa(1-net) + "d20kl1"
	}
	return "1d20"
}

// d20 is a roll of twenty-sided dice by a creature.
type d20 struct {
	label, creature, reason string
	modifiers               []*eventv1.Modifier
	edges                   []*eventv1.Edge
	target                  *eventv1.TargetNumber
	judge                   func(natural, total int32) (string, int32)
	rules                   []string
	// audience of the roll; nil means everyone.
	audience *eventv1.Audience
}

func (d d20) roll(r *rules.Resolution) rules.Rolled {
	return r.Roll(rules.RollSpec{Label: d.label, Creature: d.creature, Expression: d20s(left(d.edges)), Reason: d.reason,
		Modifiers: d.modifiers, Edges: d.edges, Target: d.target, Judge: d.judge, Rules: d.rules, Audience: d.audience})
}

// mod makes a modifier.
func mod(value int32, source, rule string) *eventv1.Modifier {
	return &eventv1.Modifier{Value: value, Source: source, Rule: rule}
}

// nonzero leaves out modifiers that change nothing.
func nonzero(list ...*eventv1.Modifier) []*eventv1.Modifier {
	return slices.DeleteFunc(list, func(m *eventv1.Modifier) bool { return m.Value == 0 })
}

// stated are the sources and modifiers that the caller stated, for a target or
// for all.
func stated(list []*eventv1.Circumstance, target string) (edges []*eventv1.Edge, mods []*eventv1.Modifier) {
	for _, c := range list {
		if c.Target != "" && c.Target != target {
			continue
		}
		switch c.Direction {
		case "advantage", "disadvantage":
			edges = append(edges, &eventv1.Edge{Advantage: c.Direction == "advantage", Kind: c.Kind, Source: c.Cause,
				Rule: cite.DiceStackCancel, Stated: true})
		case "modifier":
			mods = append(mods, mod(c.Value, c.Cause, ""))
		}
	}
	return edges, mods
}

// degree counts the full steps of a margin: an exact step counts.
func degree(margin, step int32) int32 {
	if margin < 0 {
		return -(-margin / step)
	}
	return margin / step
}

// against judges a roll by its margin: degrees of ten either way.
func against(dc int32) func(natural, total int32) (string, int32) {
	return func(_, total int32) (string, int32) {
		if total >= dc {
			return "success", degree(total-dc, 10)
		}
		return "failure", degree(total-dc, 10)
	}
}

// rollSaving makes a saving throw of a creature.
func rollSaving(r *rules.Resolution, label string, c *eventv1.Creature, save string, dc int32, reason string, circumstances []*eventv1.Circumstance, rule string) rules.Rolled {
	edges, mods := stated(circumstances, c.Id)
	edges = append(edgesOf(c, nil, rollKind{roll: rollSave, name: save}), edges...)
	return d20{label: label, creature: c.Id, reason: reason, edges: edges,
		modifiers: append(append(nonzero(mod(saveBonus(c, save), save, "")), useAid(r, c.Id, aidSave, "")...), mods...),
		target:    &eventv1.TargetNumber{Kind: "DC", Value: dc}, judge: against(dc), rules: []string{rule}}.roll(r)
}

// skillStealth is the skill of hiding: how well that went only its controllers
// are told.
const skillStealth = "stealth"

// rollSkillCheck makes a skill check of a creature.
func rollSkillCheck(r *rules.Resolution, label string, c *eventv1.Creature, k rollKind, dc int32, reason string, more []*eventv1.Modifier, circumstances []*eventv1.Circumstance, rule string) rules.Rolled {
	k.roll = rollSkill
	edges, mods := stated(circumstances, c.Id)
	edges = append(edgesOf(c, nil, k), edges...)
	all := append(nonzero(mod(skillBonus(c, k.name), k.name, "")), skillModifiers(c, k.name)...)
	all = append(all, useAid(r, c.Id, k.name, "")...)
	var audience *eventv1.Audience
	if k.name == skillStealth {
		audience = event.Controllers(c.Id)
	}
	return d20{label: label, creature: c.Id, reason: reason, audience: audience, edges: edges, modifiers: append(append(all, more...), mods...),
		target: &eventv1.TargetNumber{Kind: "DC", Value: dc}, judge: against(dc), rules: []string{rule}}.roll(r)
}
