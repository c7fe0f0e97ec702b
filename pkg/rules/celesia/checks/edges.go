package checks

import (
	"cmp"
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play/situation"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Rolls that circumstances touch.
const (
	RollAttack   = "attack"
	RollManeuver = "maneuver"
	RollSave     = "save"
	RollSkill    = "skill"
	RollAbility  = "ability"
	// RollConcentration is a check to keep a spell, of the ability that a caster
	// casts with: Intelligence, Wisdom or Charisma.
	RollConcentration = "concentration"
	RollInitiative    = "initiative"
)

// Circumstance is a roll as the limits see it.
type Circumstance = situation.Roll[body.RollKind]

// HandWork tells whether a skill suffers when a hand is crippled: one of HandSkills,
// or swim.
func HandWork(skill string) bool { return Among(HandSkills, skill) || skill == "swim" }

// Skills that the rows of crippling injuries touch.
var (
	SocialSkills = []string{"bluff", "diplomacy", "disguise", "perform"}
	HandSkills   = []string{"climb", "craft", "disable-device", "perform-keyboard", "perform-percussion", "perform-string",
		"perform-wind", "ride", "sleight-of-hand"}
	LegSkills = []string{"acrobatics", "climb", "perform-dance", "ride", "stealth"}
)

// Among tells whether a skill, or the family it is a kind of, is in a list.
func Among(list []string, skill string) bool {
	family, _, _ := strings.Cut(skill, "-")
	return slices.Contains(list, skill) || slices.Contains(list, family) && (family == "perform" || family == "craft")
}

// FingerEdges are the hands without a finger left, whose hand itself is whole.
//
// celesia.injury.finger-hand-lost
func FingerEdges(c *eventv1.Creature, k body.RollKind) []*eventv1.Edge {
	if k.Roll != RollSkill || len(c.GetInjuries()) == 0 || !HandWork(k.Name) {
		return nil
	}
	var out []*eventv1.Edge
	for _, side := range body.Sides(body.Parts(c, "hand")) {
		if body.FingersLost(c, side) && body.Injuries(c, "hand", side, false) == 0 {
			out = append(out, &eventv1.Edge{Kind: "fingers " + side, Source: "all fingers of a hand lost", Rule: cite.InjuryFingerHandLost})
		}
	}
	return out
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

// D20s is the expression of so many advantages or disadvantages left: n of them
// are n + 1 dice.
//
// celesia.dice.advantage, celesia.dice.disadvantage, celesia.dice.stack-cancel
func D20s(net int32) string {
	switch {
	case net > 0:
		return body.Itoa(net+1) + "d20kh1"
	case net < 0:
		return body.Itoa(1-net) + "d20kl1"
	}
	return "1d20"
}

// D20 is a roll of twenty-sided dice by a creature.
type D20 struct {
	Label, Creature, Reason string
	Modifiers               []*eventv1.Modifier
	Edges                   []*eventv1.Edge
	Target                  *eventv1.TargetNumber
	Judge                   func(natural, total int32) (string, int32)
	Rules                   []string
	// Audience of the roll; nil means everyone.
	Audience *eventv1.Audience
	// Point at which content changes the roll, such as save/will, and what is known
	// there: when it names nobody, the creature acts. An empty point is none.
	Point string
	Env   effects.Env
}

// Roll rolls the dice that are left after advantages and disadvantages cancel, and
// records the roll with what led to it.
func (d D20) Roll(r *rules.Resolution) rules.Rolled {
	d, dice := d.byHouse(r)
	return r.Roll(rules.RollSpec{Label: d.Label, Creature: d.Creature, Expression: dice, Reason: d.Reason,
		Modifiers: d.Modifiers, Edges: d.Edges, Target: d.Target, Judge: d.Judge, Rules: d.Rules, Audience: d.Audience})
}

// Stated are the sources and modifiers that the caller stated, for a target or
// for all.
func Stated(list []*eventv1.Circumstance, target string) (edges []*eventv1.Edge, mods []*eventv1.Modifier) {
	for _, c := range list {
		if c.Target != "" && c.Target != target {
			continue
		}
		switch c.Direction {
		case "advantage", "disadvantage":
			edges = append(edges, &eventv1.Edge{Advantage: c.Direction == "advantage", Kind: c.Kind, Source: c.Cause,
				Rule: cite.DiceStackCancel, Stated: true})
		case "modifier":
			mods = append(mods, body.Mod(c.Value, cmp.Or(c.Cause, "as stated"), cite.DiceCircumstanceTable))
		}
	}
	return edges, mods
}

// Degree counts the full steps of a margin: an exact step counts.
func Degree(margin, step int32) int32 {
	if margin < 0 {
		return -(-margin / step)
	}
	return margin / step
}

// Against judges a roll by its margin: degrees of ten either way.
func Against(dc int32) func(natural, total int32) (string, int32) {
	return func(_, total int32) (string, int32) {
		if total >= dc {
			return "success", Degree(total-dc, 10)
		}
		return "failure", Degree(total-dc, 10)
	}
}

// SkillStealth is the skill of hiding: how well that went only its controllers
// are told.
const SkillStealth = "stealth"
