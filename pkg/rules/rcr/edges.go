package rcr

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// attackKind is what the circumstances of an attack depend on besides the two
// creatures.
type attackKind struct {
	// melee attack; otherwise ranged.
	melee bool
	// spell attack; otherwise with a weapon.
	spell bool
	// between: an obstacle or a creature stands between the two.
	between bool
	// longRange: beyond the normal range.
	longRange bool
	// closeEnemy: somebody hostile stands within 5 feet of a ranged attacker.
	closeEnemy bool
	// distance in feet; -1 when nobody knows.
	distance int32
}

// Kinds of sources that count once on a side.
const (
	kindSight = "sight"
	kindFear  = "fear"
)

// attackEdges are the sources of advantage and disadvantage that conditions
// and wounds give an attack. Whatever stems from not seeing is one kind; every
// other condition is a kind of its own, told apart by who bears it.
//
// rcr.dice.same-kind-no-stack, rcr.condition.replace-base
func attackEdges(r *rules.Resolution, attacker, target *eventv1.Creature, kind attackKind) []*eventv1.Edge {
	s := r.State()
	out := attackerEdges(s, attacker, target, kind)
	return append(out, targetEdges(s, attacker, target, kind)...)
}

// merged renames kinds of sources by the game master's word: kinds given one
// name count once on a side, a kind given a name of its own stands apart.
//
// rcr.dice.same-kind-no-stack
func merged(edges []*eventv1.Edge, kinds map[string]string) []*eventv1.Edge {
	out := make([]*eventv1.Edge, 0, len(edges))
	for _, e := range edges {
		if to, ok := kinds[e.Kind]; ok && e.Kind != "" {
			e = &eventv1.Edge{Advantage: e.Advantage, Kind: to, Source: e.Source, Rule: e.Rule, Stated: e.Stated}
		}
		out = append(out, e)
	}
	return out
}

func attackerEdges(s *eventv1.State, c, target *eventv1.Creature, kind attackKind) (out []*eventv1.Edge) {
	if !perceives(s, c, target, kind.distance) {
		out = append(out, dis(kindSight, "the attacker cannot see the target", cite.ConditionBlindedAttacks))
	}
	if has(c, condProne) {
		out = append(out, dis("prone/attacker", "the attacker is prone", cite.ConditionProneOwnRolls))
	}
	if has(c, condRestrained) {
		out = append(out, dis("restrained/attacker", "the attacker is restrained", cite.ConditionRestrainedAttacks))
	}
	if has(c, condPoisoned) {
		out = append(out, dis("poisoned/attacker", "the attacker is poisoned", cite.BaseFifthEditionFallback))
	}
	if afraid(s, c) {
		out = append(out, dis(kindFear, "the attacker sees what it fears", fearRule(c)))
	}
	if grappledByOther(c, target.GetId()) {
		out = append(out, dis("grappled/attacker", "the attacker is grappled by another", cite.ConditionGrappledAttacks))
	}
	if has(c, condCrouching) {
		out = append(out, dis("crouching/attacker", "the attacker crouches", cite.ConditionCrouchingMelee))
	}
	if has(c, condShackled) {
		out = append(out, dis("shackled/attacker", "the attacker is shackled", cite.ConditionShackledWeapons))
	}
	if rowInForce(c, 2, defaults.On(s, setSkippedRows)) {
		out = append(out, dis("crippled/attacker", "the attacker is crippled", cite.InjuryRow2CrippledAttacks))
	}
	if kind.longRange {
		out = append(out, dis("long range", "beyond the normal range", cite.BaseFifthEditionFallback))
	}
	if kind.closeEnemy && !kind.melee {
		out = append(out, dis("close enemy", "an enemy within 5 feet", cite.BaseFifthEditionFallback))
	}
	out = append(out, changeEdges(c, chAttack)...)
	if hasTrait(c, "pack tactics") && flanked(s, c, target) {
		out = append(out, adv("pack tactics", "an ally is beside the target", cite.BaseFifthEditionFallback))
	}
	if h := helpAgainst(c, target.GetId()); h != nil {
		out = append(out, adv("help", "helped by "+h.Source, cite.BaseFifthEditionFallback))
	}
	return out
}

// flanked tells whether an ally that can act stands within 5 feet of a target.
func flanked(s *eventv1.State, c, target *eventv1.Creature) bool {
	return slices.ContainsFunc(others(s, c.Id), func(id string) bool {
		ally := s.Creatures[id]
		feet, known := distanceTo(ally, target)
		return known && !has(ally, condHidden) && feet <= 5 && id != target.GetId() && !hostile(c, ally) && !incapacitated(ally)
	})
}

func targetEdges(s *eventv1.State, attacker, c *eventv1.Creature, kind attackKind) (out []*eventv1.Edge) {
	give := func(advantage bool, name, rule string) {
		out = append(out, &eventv1.Edge{Advantage: advantage, Kind: name + "/target", Source: "the target is " + name, Rule: rule})
	}
	// That the unconscious see nothing is one fact with their being unconscious.
	if !has(c, condUnconscious) && !perceives(s, c, attacker, kind.distance) {
		out = append(out, adv(kindSight, "the target cannot see the attacker", cite.ConditionBlindedAttacks))
	}
	if has(c, condProne) {
		give(kind.melee, condProne, cite.ConditionProneAttacksAgainst) // by the kind of attack, not the distance
	}
	if has(c, condRestrained) {
		give(true, condRestrained, cite.ConditionRestrainedAttacks)
	}
	if has(c, condParalyzed) {
		give(true, condParalyzed, cite.ConditionParalyzedCommon)
	}
	if has(c, condShackled) {
		give(true, condShackled, cite.ConditionShackledAttacked)
	}
	for _, name := range []string{condStunned, condPetrified, condUnconscious} {
		if has(c, name) {
			give(true, name, cite.BaseFifthEditionFallback)
		}
	}
	if has(c, condCrouching) && (kind.melee || kind.between) {
		rule := cite.ConditionCrouchingRanged
		if kind.melee {
			rule = cite.ConditionCrouchingMelee
		}
		give(kind.melee, condCrouching, rule)
	}
	out = append(out, changeEdges(c, chAttacked)...)
	if dodges(s, c) && perceives(s, c, attacker, kind.distance) {
		give(false, condDodging, cite.BaseFifthEditionFallback)
	}
	return out
}

// perceives tells whether one creature can make out another: not blinded, the
// other neither invisible nor hidden from it, or within blindsight or
// tremorsense of it (a reading that tables may turn off).
//
// rcr.condition.blinded-definition, rcr.condition.blinded-sight, rcr.condition.blinded-attacks
func perceives(s *eventv1.State, c, other *eventv1.Creature, feet int32) bool {
	unseen := has(c, condBlinded) || has(c, condUnconscious) || has(other, condInvisible) || has(other, condHidden)
	if !unseen {
		return true
	}
	if !defaults.On(s, setBlindsightAttacks) || feet < 0 || has(c, condUnconscious) {
		return false
	}
	senses := sheetOf(c).Senses
	return senses["blindsight"] >= feet && senses["blindsight"] > 0 || senses["tremorsense"] >= feet && senses["tremorsense"] > 0
}

// afraid tells whether a frightened or terrified creature has the source of
// its fear in sight. A fear of nothing in particular is always in sight.
func afraid(s *eventv1.State, c *eventv1.Creature) bool {
	for _, x := range c.GetConditions() {
		if x.Name != condFrightened && x.Name != condTerrified {
			continue
		}
		source := s.GetCreatures()[x.Source]
		if x.Source == "" || source != nil && !dead(source) && !has(c, condBlinded) && !has(source, condInvisible) && !has(source, condHidden) {
			return true
		}
	}
	return false
}

// fearRule is the rule behind fear: terrified includes what frightened does.
func fearRule(c *eventv1.Creature) string {
	if has(c, condTerrified) {
		return cite.ConditionTerrified
	}
	return cite.BaseFifthEditionFallback
}

// grappledByOther tells whether the creature is grappled and the target is
// none of its grapplers.
//
// rcr.condition.grappled-attacks
func grappledByOther(c *eventv1.Creature, target string) bool {
	held := false
	for _, x := range c.GetConditions() {
		if x.Name == condGrappled {
			if x.Source == target {
				return false
			}
			held = true
		}
	}
	return held
}

// dodges tells whether a Dodge is in force: not while incapacitated or at speed 0.
func dodges(s *eventv1.State, c *eventv1.Creature) bool {
	return has(c, condDodging) && !incapacitated(c) && baseSpeed(s, c) > 0
}

// checkEdges are the sources that conditions and wounds give an ability check.
// The purpose says what the check is about: sight, hearing, hands,
// concentration, initiative, movement, stay-up, medicine, underwater.
func checkEdges(s *eventv1.State, c *eventv1.Creature, ability, skill, purpose string) (out []*eventv1.Edge) {
	against := func(kind, source, rule string) { out = append(out, dis(kind, source, rule)) }
	if purpose == "initiative" && !defaults.On(s, setInitiativeIsCheck) {
		if has(c, condDeafened) {
			against(condDeafened, "deafened", cite.ConditionDeafenedInitiative)
		}
		return append(out, changeEdges(c, chInitiative)...)
	}
	out = changeEdges(c, checkKinds(ability, purpose)...)
	if rowInForce(c, 1, defaults.On(s, setSkippedRows)) {
		against("shock", "in shock", cite.InjuryRow1Shock)
	}
	if has(c, condPoisoned) {
		against(condPoisoned, "poisoned", cite.BaseFifthEditionFallback)
	}
	if afraid(s, c) {
		against(kindFear, "sees what it fears", fearRule(c))
	}
	if has(c, condProne) && (ability == "strength" || ability == "dexterity") {
		against(condProne, "prone", cite.ConditionProneOwnRolls)
	}
	if has(c, condRestrained) && ability == "dexterity" {
		against(condRestrained, "restrained", cite.ConditionRestrainedDexterity)
	}
	switch {
	case !has(c, condDeafened):
	case purpose == "initiative":
		against(condDeafened, "deafened", cite.ConditionDeafenedInitiative)
	case purpose == "concentration":
		against(condDeafened, "deafened", cite.ConditionDeafenedConcentration)
	case ability == "wisdom":
		against(condDeafened, "deafened", cite.ConditionDeafenedWisdom)
	}
	if has(c, condCrouching) && (skill == "athletics" || skill == "acrobatics") {
		against(condCrouching, "crouching", cite.ConditionCrouchingChecks)
	}
	if has(c, condShackled) && (purpose == "hands" || skill == "sleight of hand" || skill == "thieves' tools") {
		against(condShackled, "shackled", cite.ConditionShackledChecks)
	}
	return out
}

// saveEdges are the sources that conditions and wounds give a saving throw;
// source is whose effect it is against, nil for nobody's.
func saveEdges(s *eventv1.State, c *eventv1.Creature, ability, purpose string, source *eventv1.Creature) (out []*eventv1.Edge) {
	against := func(kind, why, rule string) { out = append(out, dis(kind, why, rule)) }
	out = changeEdges(c, saveKinds(ability)...)
	if rowInForce(c, 1, defaults.On(s, setSkippedRows)) {
		against("shock", "in shock", cite.InjuryRow1Shock)
	}
	if has(c, condProne) && (ability == "strength" || ability == "dexterity") {
		against(condProne, "prone", cite.ConditionProneOwnRolls)
	}
	if has(c, condRestrained) && ability == "dexterity" {
		against(condRestrained, "restrained", cite.ConditionRestrainedDexterity)
	}
	switch {
	case !has(c, condDeafened):
	case purpose == "concentration":
		against(condDeafened, "deafened", cite.ConditionDeafenedConcentration)
	case ability == "wisdom":
		against(condDeafened, "deafened", cite.ConditionDeafenedWisdom)
	}
	if has(c, condCrouching) && purpose == "stay-up" {
		against(condCrouching, "crouching", cite.ConditionCrouchingChecks)
	}
	if dodges(s, c) && ability == "dexterity" {
		out = append(out, adv(condDodging, "dodging", cite.BaseFifthEditionFallback))
	}
	if source != nil && source.Id != c.Id && rowInForce(source, 2, defaults.On(s, setSkippedRows)) {
		out = append(out, adv("crippled/source", "the effect's source is crippled", cite.InjuryRow2CrippledSaves))
	}
	return out
}

// autoFailSave tells whether a condition makes a saving throw fail without a
// roll, and by which rule.
func autoFailSave(c *eventv1.Creature, ability string) (rule string, fails bool) {
	if ability != "strength" && ability != "dexterity" {
		return "", false
	}
	switch {
	case has(c, condHelpless):
		return cite.ConditionHelplessSaves, true
	case has(c, condParalyzed):
		return cite.ConditionParalyzedCommon, true
	case down(c), has(c, condPetrified), has(c, condStunned), has(c, condUnconscious):
		return cite.BaseFifthEditionFallback, true
	}
	return "", false
}

// autoFailCheck tells whether a condition makes a check fail without a roll,
// and by which rule.
func autoFailCheck(c *eventv1.Creature, skill, purpose string) (rule string, fails bool) {
	switch {
	case has(c, condBlinded) && purpose == "sight":
		return cite.ConditionBlindedSight, true
	case has(c, condDeafened) && purpose == "hearing":
		return cite.ConditionDeafenedWisdom, true
	}
	return "", false
}
