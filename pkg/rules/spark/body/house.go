package body

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// What a table's own content counts for is asked at the places where the document's
// own rules count. Without content nothing is asked and nothing comes of it.

// The parts of attacks, as points name them.
const (
	WayMelee  = "/melee"
	WayRanged = "/ranged"
	WaySpell  = "/spell"
)

// WayOf is the part that an attack with a weapon belongs to.
func WayOf(ranged bool) string {
	if ranged {
		return WayRanged
	}
	return WayMelee
}

// Arm is a weapon as content sees it, in melee or at a distance.
func Arm(w *eventv1.SparkWeapon, ranged bool) effects.Weapon {
	tags := []string{"melee"}
	if ranged {
		tags[0] = "ranged"
	}
	for _, class := range w.FumbleClasses {
		tags = append(tags, classWords[class])
	}
	for _, t := range []struct {
		word string
		is   bool
	}{{"natural", w.Natural}, {"magic", w.Magical}, {"launcher", w.Launcher}, {"thrown", ranged && !w.Launcher && !w.Natural}, {"off-hand", w.OffHand},
		{"flail", w.Flail}, {"tail", w.Tail}} {
		if t.is {
			tags = append(tags, t.word)
		}
	}
	if w.Material != "" {
		tags = append(tags, w.Material)
	}
	return effects.Weapon{Name: w.Name, Use: w.Use, Tags: tags}
}

// classWords are the fumble classes in words.
//
// spark.fumble.weapon-class
var classWords = map[string]string{classMissile: "missile", ClassSlashing: "slashing", classBludgeoning: "bludgeoning", classPiercing: "piercing",
	ClassFist: "fist"}

// ArmOfSpell is a spell that attacks as content sees it.
func ArmOfSpell(sp *eventv1.SparkSpell) effects.Weapon {
	tags := []string{"spell", "magic", "ranged"}
	if sp.Delivery == "melee-touch" {
		tags[2] = "melee"
	}
	return effects.Weapon{Name: sp.Name, Use: sp.Use, Tags: tags}
}

// Lay lays a condition on a creature, unless content keeps it off, with what content
// says that it brings. It tells whether it was laid.
func Lay(r *rules.Resolution, id string, x *eventv1.Condition, ruleIDs ...string) bool {
	if house.KeepsOff(r, r.Creature(id), x.Name) {
		return false
	}
	r.AddCondition(id, x, ruleIDs...)
	bring(r, id, x)
	return true
}

// bring lays what a condition brings with it, by content.
func bring(r *rules.Resolution, id string, x *eventv1.Condition) {
	for _, name := range r.Content().Implies(x.Name) {
		if Has(r.Creature(id), name) || house.KeepsOff(r, r.Creature(id), name) {
			continue
		}
		with := &eventv1.Condition{Name: name, Source: x.Source, Cause: x.Name, Until: x.Until, Rule: r.Content().Cite(effects.Conditions, x.Name).Rule,
			Values: map[string]int32{VBrought: 1}}
		r.AddCondition(id, with)
		bring(r, id, with)
	}
}

// SettleConditions brings what conditions bring in line with them: what is brought
// is there as long as what brings it.
func SettleConditions(r *rules.Resolution, id string) {
	if r.Content() == nil {
		return
	}
	for range r.Creature(id).Conditions { // what ends may have brought others
		gone := slices.IndexFunc(r.Creature(id).Conditions, func(x *eventv1.Condition) bool {
			return x.Values[VBrought] > 0 && !slices.ContainsFunc(r.Creature(id).Conditions, func(by *eventv1.Condition) bool { return by.Name == x.Cause })
		})
		if gone < 0 {
			break
		}
		x := r.Creature(id).Conditions[gone]
		r.RemoveCondition(id, x, x.Cause+" is over", x.Rule)
	}
	for _, x := range r.Creature(id).Conditions {
		bring(r, id, x)
	}
}

// Lasting is the end of what content lays for so many rounds: laid while the table
// declares, the running round is the first of them, else the next one.
func Lasting(s *eventv1.State, rounds int32) *eventv1.Until {
	if rounds < 1 {
		return nil
	}
	last := s.Round + rounds
	if s.Phase == PhaseDeclare {
		last--
	}
	return UntilRound(last)
}

// Pace brings what content makes of a creature's speeds in line with it.
func Pace(r *rules.Resolution, id string) {
	if r.Content().Asks(effects.KindSpeed) {
		house.Speeds(r, id, r.Creature(id).GetSheet().GetSpeeds())
	}
}

// Spend takes of a counter. What there is one of is gone with its first use, unless
// content gives more of it or changes what things cost.
func Spend(r *rules.Resolution, id, counter string, amount int32, why, rule string) {
	left := int64(0)
	if b := r.Content(); b.Asks(effects.KindExtraAction) || b.Asks(effects.KindCost) {
		left = max(0, r.Count(id, counter)-int64(amount))
	}
	r.Set(id, counter, left, why, rule)
}

// Tried is a roll of a save or a check with what content adds to it.
func Tried(r *rules.Resolution, spec rules.RollSpec, point string, source *eventv1.Creature, edges []*eventv1.Edge) rules.Rolled {
	c := r.Creature(spec.Creature)
	if b := r.Content(); b != nil {
		env := effects.Env{State: r.State(), Actor: c, Roll: effects.Roll{Point: point}}
		if source != nil {
			env.Actor, env.Target = source, c
		}
		spec.Modifiers = append(spec.Modifiers, house.Mods(r, spec.Label, c, spec.Audience, point, env)...)
		if r.On(RuleAdvantage) {
			edges = append(edges, house.Edges(r, c, point, env)...)
		}
		spec.Edges = edges
		more := []string(nil)
		spec.Expression, more = house.Again(r, c, point, env, Expression(edges))
		spec.Rules = append(slices.Clone(spec.Rules), more...)
		return r.Roll(spec)
	}
	spec.Expression, spec.Edges = Expression(edges), edges
	return r.Roll(spec)
}
