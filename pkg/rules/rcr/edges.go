package rcr

import (
	"slices"

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
		out = append(out, dis(kindSight, "the attacker cannot see the target", "rcr.condition.blinded-attacks"))
	}
	if has(c, condProne) {
		out = append(out, dis("prone/attacker", "the attacker is prone", "rcr.condition.prone-own-rolls"))
	}
	if has(c, condRestrained) {
		out = append(out, dis("restrained/attacker", "the attacker is restrained", "rcr.condition.restrained-attacks"))
	}
	if has(c, condPoisoned) {
		out = append(out, dis("poisoned/attacker", "the attacker is poisoned", "rcr.base.fifth-edition-fallback"))
	}
	if afraid(s, c) {
		out = append(out, dis(kindFear, "the attacker sees what it fears", fearRule(c)))
	}
	if grappledByOther(c, target.GetId()) {
		out = append(out, dis("grappled/attacker", "the attacker is grappled by another", "rcr.condition.grappled-attacks"))
	}
	if has(c, condCrouching) {
		out = append(out, dis("crouching/attacker", "the attacker crouches", "rcr.condition.crouching-melee"))
	}
	if has(c, condShackled) {
		out = append(out, dis("shackled/attacker", "the attacker is shackled", "rcr.condition.shackled-weapons"))
	}
	if rowInForce(c, 2, defaults.On(s, setSkippedRows)) {
		out = append(out, dis("crippled/attacker", "the attacker is crippled", "rcr.injury.row2-crippled-attacks"))
	}
	if kind.longRange {
		out = append(out, dis("long range", "beyond the normal range", "rcr.base.fifth-edition-fallback"))
	}
	if kind.closeEnemy && !kind.melee {
		out = append(out, dis("close enemy", "an enemy within 5 feet", "rcr.base.fifth-edition-fallback"))
	}
	out = append(out, changeEdges(c, chAttack)...)
	if hasTrait(c, "pack tactics") && flanked(s, c, target) {
		out = append(out, adv("pack tactics", "an ally is beside the target", "rcr.base.fifth-edition-fallback"))
	}
	if h := helpAgainst(c, target.GetId()); h != nil {
		out = append(out, adv("help", "helped by "+h.Source, "rcr.base.fifth-edition-fallback"))
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
		out = append(out, adv(kindSight, "the target cannot see the attacker", "rcr.condition.blinded-attacks"))
	}
	if has(c, condProne) {
		give(kind.melee, condProne, "rcr.condition.prone-attacks-against") // by the kind of attack, not the distance
	}
	if has(c, condRestrained) {
		give(true, condRestrained, "rcr.condition.restrained-attacks")
	}
	if has(c, condParalyzed) {
		give(true, condParalyzed, "rcr.condition.paralyzed-common")
	}
	if has(c, condShackled) {
		give(true, condShackled, "rcr.condition.shackled-attacked")
	}
	for _, name := range []string{condStunned, condPetrified, condUnconscious} {
		if has(c, name) {
			give(true, name, "rcr.base.fifth-edition-fallback")
		}
	}
	if has(c, condCrouching) && (kind.melee || kind.between) {
		rule := "rcr.condition.crouching-ranged"
		if kind.melee {
			rule = "rcr.condition.crouching-melee"
		}
		give(kind.melee, condCrouching, rule)
	}
	out = append(out, changeEdges(c, chAttacked)...)
	if dodges(s, c) && perceives(s, c, attacker, kind.distance) {
		give(false, condDodging, "rcr.base.fifth-edition-fallback")
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
		return "rcr.condition.terrified"
	}
	return "rcr.base.fifth-edition-fallback"
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
			against(condDeafened, "deafened", "rcr.condition.deafened-initiative")
		}
		return append(out, changeEdges(c, chInitiative)...)
	}
	out = changeEdges(c, checkKinds(ability, purpose)...)
	if rowInForce(c, 1, defaults.On(s, setSkippedRows)) {
		against("shock", "in shock", "rcr.injury.row1-shock")
	}
	if has(c, condPoisoned) {
		against(condPoisoned, "poisoned", "rcr.base.fifth-edition-fallback")
	}
	if afraid(s, c) {
		against(kindFear, "sees what it fears", fearRule(c))
	}
	if has(c, condProne) && (ability == "strength" || ability == "dexterity") {
		against(condProne, "prone", "rcr.condition.prone-own-rolls")
	}
	if has(c, condRestrained) && ability == "dexterity" {
		against(condRestrained, "restrained", "rcr.condition.restrained-dexterity")
	}
	switch {
	case !has(c, condDeafened):
	case purpose == "initiative":
		against(condDeafened, "deafened", "rcr.condition.deafened-initiative")
	case purpose == "concentration":
		against(condDeafened, "deafened", "rcr.condition.deafened-concentration")
	case ability == "wisdom":
		against(condDeafened, "deafened", "rcr.condition.deafened-wisdom")
	}
	if has(c, condCrouching) && (skill == "athletics" || skill == "acrobatics") {
		against(condCrouching, "crouching", "rcr.condition.crouching-checks")
	}
	if has(c, condShackled) && (purpose == "hands" || skill == "sleight of hand" || skill == "thieves' tools") {
		against(condShackled, "shackled", "rcr.condition.shackled-checks")
	}
	return out
}

// saveEdges are the sources that conditions and wounds give a saving throw;
// source is whose effect it is against, nil for nobody's.
func saveEdges(s *eventv1.State, c *eventv1.Creature, ability, purpose string, source *eventv1.Creature) (out []*eventv1.Edge) {
	against := func(kind, why, rule string) { out = append(out, dis(kind, why, rule)) }
	out = changeEdges(c, saveKinds(ability)...)
	if rowInForce(c, 1, defaults.On(s, setSkippedRows)) {
		against("shock", "in shock", "rcr.injury.row1-shock")
	}
	if has(c, condProne) && (ability == "strength" || ability == "dexterity") {
		against(condProne, "prone", "rcr.condition.prone-own-rolls")
	}
	if has(c, condRestrained) && ability == "dexterity" {
		against(condRestrained, "restrained", "rcr.condition.restrained-dexterity")
	}
	switch {
	case !has(c, condDeafened):
	case purpose == "concentration":
		against(condDeafened, "deafened", "rcr.condition.deafened-concentration")
	case ability == "wisdom":
		against(condDeafened, "deafened", "rcr.condition.deafened-wisdom")
	}
	if has(c, condCrouching) && purpose == "stay-up" {
		against(condCrouching, "crouching", "rcr.condition.crouching-checks")
	}
	if dodges(s, c) && ability == "dexterity" {
		out = append(out, adv(condDodging, "dodging", "rcr.base.fifth-edition-fallback"))
	}
	if source != nil && source.Id != c.Id && rowInForce(source, 2, defaults.On(s, setSkippedRows)) {
		out = append(out, adv("crippled/source", "the effect's source is crippled", "rcr.injury.row2-crippled-saves"))
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
		return "rcr.condition.helpless-saves", true
	case has(c, condParalyzed):
		return "rcr.condition.paralyzed-common", true
	case down(c), has(c, condPetrified), has(c, condStunned), has(c, condUnconscious):
		return "rcr.base.fifth-edition-fallback", true
	}
	return "", false
}

// autoFailCheck tells whether a condition makes a check fail without a roll,
// and by which rule.
func autoFailCheck(c *eventv1.Creature, skill, purpose string) (rule string, fails bool) {
	switch {
	case has(c, condBlinded) && purpose == "sight":
		return "rcr.condition.blinded-sight", true
	case has(c, condDeafened) && purpose == "hearing":
		return "rcr.condition.deafened-wisdom", true
	}
	return "", false
}
