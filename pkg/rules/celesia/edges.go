package celesia

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play/situation"
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
	// attack that is rolled for, in its state; nil for what is no attack of its own.
	attack *attack
	state  *eventv1.State
}

// edgesOf lists the sources of advantage and disadvantage that the conditions
// and injuries of a roller and its target give. A condition is one source
// however often it was inflicted, a crippling injury one each.
//
// celesia.dice.circumstance-table, celesia.dice.stack-cancel, celesia.injury.crippling-permanent
func edgesOf(c, target *eventv1.Creature, k rollKind) []*eventv1.Edge {
	return append(situations.Edges(&situation.Roll[rollKind]{Kind: k.roll, Self: c, Target: target, More: k}), fingerEdges(c, k)...)
}

// skillModifiers are what injuries add to a skill check.
//
// celesia.injury.scar, celesia.injury.major-scar, celesia.injury.finger
func skillModifiers(c *eventv1.Creature, skill string) []*eventv1.Modifier {
	return situations.Modifiers(&situation.Roll[rollKind]{Kind: rollSkill, Self: c, More: rollKind{roll: rollSkill, name: skill}})
}

// rowLimits are the limits of a row: what the rows of situations.csv ask of a roll.
var rowLimits = map[string]situation.Limit[rollKind]{
	"charge": func(r *circumstance) bool {
		return r.Target != nil && condition(r.Self, condCharging).GetSource() == r.Target.Id && !r.More.ranged &&
			(r.Kind == rollAttack || r.More.name == "bull-rush" || r.More.name == "overrun")
	},
	"melee":         func(r *circumstance) bool { return !r.More.ranged },
	"ranged":        func(r *circumstance) bool { return r.More.ranged },
	"helpless":      func(r *circumstance) bool { return r.Target != nil && helpless(r.Target) },
	"sighted":       func(r *circumstance) bool { return r.Target != nil && !has(r.Target, condBlind) },
	"broken-weapon": func(r *circumstance) bool { return r.More.broken },
	"broken-tool":   func(r *circumstance) bool { return r.More.broken || has(r.Self, "broken-tool") },
	"ship":          func(r *circumstance) bool { return r.Kind != rollSkill || r.More.name == "sailing" },
	"sight": func(r *circumstance) bool {
		return r.Kind == rollAttack || r.More.name == "perception" && r.More.purpose == "sight"
	},
	"opposed-perception": func(r *circumstance) bool {
		return r.Kind == rollInitiative || r.More.name == "perception" && r.More.purpose == "opposed"
	},
	"reaction": func(r *circumstance) bool { return r.More.reactive || r.More.purpose == "reaction" },
	// Fears are one ladder and one source: the worst counts.
	//
	// celesia.dice.dis-frightened
	"panicked":   func(r *circumstance) bool { return has(r.Self, condPanicked) },
	"frightened": func(r *circumstance) bool { return has(r.Self, condFrightened) },
	"not-grapple": func(r *circumstance) bool {
		return r.Kind == rollAttack || r.More.name != "grapple" && r.More.name != "escape"
	},
	"grapple-grappled": func(r *circumstance) bool { return r.More.name == "grapple" && has(r.Target, condGrappled) },
	"into-melee": func(r *circumstance) bool {
		a := r.More.attack
		return a != nil && ranged(a.weapon) && !feature(r.Self, featPreciseShot) && intoMelee(r.More.state, a.take, r.Self, r.Target)
	},
	"turned": func(r *circumstance) bool {
		a := r.More.attack
		return a != nil && turned(*a, r.Self) && !(a.weapon.Kind == kindUnarmed && settings.Value(r.More.state, setLethalUnarmed) == "penalty")
	},
	"nonlethal-weapon": func(r *circumstance) bool { return r.More.attack.weapon.Nonlethal },
	"strength-dexterity": func(r *circumstance) bool {
		a := skillAbility(r.More.name)
		return a == "strength" || a == "dexterity"
	},
	"mental": func(r *circumstance) bool {
		a := r.More.name
		if r.Kind == rollSkill {
			a = skillAbility(a)
		}
		return a == "intelligence" || a == "wisdom" || a == "charisma"
	},
	"will":       func(r *circumstance) bool { return r.More.name == "will" },
	"social":     func(r *circumstance) bool { return among(socialSkills, r.More.name) },
	"intimidate": func(r *circumstance) bool { return r.More.name == "intimidate" },
	"handy":      func(r *circumstance) bool { return among(handSkills, r.More.name) },
	"hand-work":  func(r *circumstance) bool { return handWork(r.More.name) },
	"arm-work":   func(r *circumstance) bool { return handWork(r.More.name) || r.More.name == "acrobatics" },
	"leg-work":   func(r *circumstance) bool { return among(legSkills, r.More.name) },
}

// circumstance is a roll as the limits see it.
type circumstance = situation.Roll[rollKind]

func handWork(skill string) bool { return among(handSkills, skill) || skill == "swim" }

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

// fingerEdges are the hands without a finger left, whose hand itself is whole.
//
// celesia.injury.finger-hand-lost
func fingerEdges(c *eventv1.Creature, k rollKind) []*eventv1.Edge {
	if k.roll != rollSkill || len(c.GetInjuries()) == 0 || !handWork(k.name) {
		return nil
	}
	var out []*eventv1.Edge
	for _, side := range sides(parts(c, "hand")) {
		if fingersLost(c, side) && injuries(c, "hand", side, false) == 0 {
			out = append(out, &eventv1.Edge{Kind: "fingers " + side, Source: "all fingers of a hand lost", Rule: cite.InjuryFingerHandLost})
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

// kindDeclined is the kind of a stated circumstance by which a creature rolls
// one die though it has advantage: the rules say that it may roll more. What
// cancels, cancels all the same.
//
// celesia.dice.advantage
const kindDeclined = situation.Declined

// left is what the roller takes of what is left after cancelling.
func left(edges []*eventv1.Edge) int32 {
	net := situation.Stack(edges)
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
