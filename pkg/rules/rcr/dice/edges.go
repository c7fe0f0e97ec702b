package dice

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// AttackEdges are the sources of advantage and disadvantage that conditions
// and wounds give an attack. Whatever stems from not seeing is one kind; every
// other condition is a kind of its own, told apart by who bears it.
//
// rcr.dice.same-kind-no-stack, rcr.condition.replace-base
func AttackEdges(r *rules.Resolution, attacker, target *eventv1.Creature, kind body.AttackKind) []*eventv1.Edge {
	s := r.State()
	out := attackerEdges(s, attacker, target, kind)
	return append(out, targetEdges(s, attacker, target, kind)...)
}

// Merged renames kinds of sources by the game master's word: kinds given one
// name count once on a side, a kind given a name of its own stands apart.
//
// rcr.dice.same-kind-no-stack
func Merged(edges []*eventv1.Edge, kinds map[string]string) []*eventv1.Edge {
	out := make([]*eventv1.Edge, 0, len(edges))
	for _, e := range edges {
		if to, ok := kinds[e.Kind]; ok && e.Kind != "" {
			e = &eventv1.Edge{Advantage: e.Advantage, Kind: to, Source: e.Source, Rule: e.Rule, Stated: e.Stated}
		}
		out = append(out, e)
	}
	return out
}

func attackerEdges(s *eventv1.State, c, target *eventv1.Creature, kind body.AttackKind) []*eventv1.Edge {
	out := append(body.EdgesOf(s, body.RollAttack, c, target, body.Asked{Attack: kind}), changeEdges(c, body.ChAttack)...)
	out = append(out, body.EdgesOf(s, body.RollAttackAllies, c, target, body.Asked{Attack: kind})...)
	if body.Feat(s, c, body.FeatGrappler, cite.FeatGrapplerAdvantage) && body.GrappledBy(target, c.Id) != nil {
		out = append(out, Adv("grappler", "it holds the target", cite.FeatGrapplerAdvantage)) // rcr.feat.grappler-advantage
	}
	if h := HelpAgainst(c, target.GetId()); h != nil {
		out = append(out, Adv("help", "helped by "+h.Source, cite.BaseFifthEditionFallback))
	}
	return out
}

func targetEdges(s *eventv1.State, attacker, c *eventv1.Creature, kind body.AttackKind) []*eventv1.Edge {
	out := append(body.EdgesOf(s, body.RollAttacked, attacker, c, body.Asked{Attack: kind}), changeEdges(c, body.ChAttacked)...)
	return append(out, body.EdgesOf(s, body.RollAttackDodge, attacker, c, body.Asked{Attack: kind})...)
}

// CheckEdges are the sources that conditions and wounds give an ability check.
// The purpose says what the check is about: sight, hearing, hands,
// concentration, initiative, movement, stay-up, medicine, underwater.
func CheckEdges(s *eventv1.State, c *eventv1.Creature, ability, skill, purpose string) []*eventv1.Edge {
	return CheckEdgesOf(s, c, body.Asked{Ability: ability, Skill: skill, Purpose: purpose})
}

// CheckEdgesOf is CheckEdges with all that the situations ask about the check.
func CheckEdgesOf(s *eventv1.State, c *eventv1.Creature, more body.Asked) []*eventv1.Edge {
	ability, purpose := more.Ability, more.Purpose
	if purpose == "initiative" && !body.Defaults.On(s, body.SetInitiativeIsCheck) {
		return append(body.EdgesOf(s, body.RollInitiativeOf, c, nil, more), changeEdges(c, body.ChInitiative)...)
	}
	var out []*eventv1.Edge
	if body.Changed(c) {
		out = changeEdges(c, CheckKinds(ability, purpose)...)
	}
	return append(out, body.EdgesOf(s, body.RollCheckOf, c, nil, more)...)
}

// SaveEdges are the sources that conditions and wounds give a saving throw;
// source is whose effect it is against, nil for nobody's.
func SaveEdges(s *eventv1.State, c *eventv1.Creature, ability, purpose string, source *eventv1.Creature) []*eventv1.Edge {
	return SaveEdgesOf(s, c, source, body.Asked{Ability: ability, Purpose: purpose})
}

// SaveEdgesOf is SaveEdges with all that the situations ask about the saving throw.
func SaveEdgesOf(s *eventv1.State, c, source *eventv1.Creature, more body.Asked) []*eventv1.Edge {
	return append(changeEdges(c, SaveKinds(more.Ability)...), body.EdgesOf(s, body.RollSaveOf, c, source, more)...)
}

// AutoFailSave tells whether a condition makes a saving throw fail without a
// roll, and by which rule.
func AutoFailSave(c *eventv1.Creature, ability string) (rule string, fails bool) {
	if ability != "strength" && ability != "dexterity" {
		return "", false
	}
	switch {
	case body.Has(c, body.CondHelpless):
		return cite.ConditionHelplessSaves, true
	case body.Has(c, body.CondParalyzed):
		return cite.ConditionParalyzedCommon, true
	case body.Down(c), body.Has(c, body.CondPetrified), body.Has(c, body.CondStunned), body.Has(c, body.CondUnconscious):
		return cite.BaseFifthEditionFallback, true
	}
	return "", false
}

// AutoFailCheck tells whether a condition makes a check fail without a roll,
// and by which rule.
func AutoFailCheck(s *eventv1.State, c *eventv1.Creature, purpose string, said body.WaterSaid) (rule string, fails bool) {
	if rule, blind := body.BlindInWater(s, c, said); blind && purpose == "sight" {
		return rule, true // rcr.underwater.turbid-obscured
	}
	switch {
	case purpose == "sight" && body.HardToSee(s, c, said) == body.LightDark:
		return cite.BaseLight, true
	case body.Has(c, body.CondBlinded) && purpose == "sight":
		return cite.ConditionBlindedSight, true
	case body.Has(c, body.CondDeafened) && purpose == "hearing":
		return cite.ConditionDeafenedWisdom, true
	}
	return "", false
}

// FearRule is the rule behind fear: terrified includes what frightened does.
func FearRule(c *eventv1.Creature) string {
	if body.Has(c, body.CondTerrified) {
		return cite.ConditionTerrified
	}
	return cite.BaseFifthEditionFallback
}
