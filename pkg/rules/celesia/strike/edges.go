package strike

import (
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	"github.com/skaldrpg/skald/pkg/rules/play/situation"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// EdgesOf lists the sources of advantage and disadvantage that the conditions
// and injuries of a roller and its target give. A condition is one source
// however often it was inflicted, a crippling injury one each.
//
// celesia.dice.circumstance-table, celesia.dice.stack-cancel, celesia.injury.crippling-permanent
func EdgesOf(book *effects.Book, c, target *eventv1.Creature, k body.RollKind) []*eventv1.Edge {
	return append(situationsOf(book).Edges(&situation.Roll[body.RollKind]{Kind: k.Roll, Self: c, Target: target, More: k}), checks.FingerEdges(c, k)...)
}

// SkillModifiers are what injuries add to a skill check.
//
// celesia.injury.scar, celesia.injury.major-scar, celesia.injury.finger
func SkillModifiers(book *effects.Book, c *eventv1.Creature, skill string) []*eventv1.Modifier {
	return situationsOf(book).Modifiers(&situation.Roll[body.RollKind]{Kind: checks.RollSkill, Self: c, More: body.RollKind{Roll: checks.RollSkill, Name: skill}})
}

// rowLimits are the limits of a row: what the rows of situations.csv ask of a roll.
var rowLimits = map[string]situation.Limit[body.RollKind]{
	"charge": func(r *checks.Circumstance) bool {
		return body.Condition(r.Self, body.CondCharging).GetSource() == r.Target.GetId() && !r.More.Ranged &&
			(r.Kind == checks.RollAttack || r.More.Name == "bull-rush" || r.More.Name == "overrun")
	},
	"melee":    func(r *checks.Circumstance) bool { return !r.More.Ranged },
	"ranged":   func(r *checks.Circumstance) bool { return r.More.Ranged },
	"helpless": func(r *checks.Circumstance) bool { return Helpless(r.Target) },
	"sighted": func(r *checks.Circumstance) bool {
		return !body.Has(r.Target, body.CondBlind) && !eyeless(r.Target)
	},
	"broken-weapon": func(r *checks.Circumstance) bool { return r.More.Broken },
	"broken-tool":   func(r *checks.Circumstance) bool { return r.More.Broken || body.Has(r.Self, "broken-tool") },
	"ship":          func(r *checks.Circumstance) bool { return r.Kind != checks.RollSkill || r.More.Name == "sailing" },
	"sight": func(r *checks.Circumstance) bool {
		return r.Kind == checks.RollAttack || r.More.Name == "perception" && r.More.Purpose == "sight"
	},
	"opposed-perception": func(r *checks.Circumstance) bool {
		return r.Kind == checks.RollInitiative || r.More.Name == "perception" && r.More.Purpose == "opposed"
	},
	"reaction": func(r *checks.Circumstance) bool { return r.More.Reactive || r.More.Purpose == "reaction" },
	// Fears are one ladder and one source: the worst counts.
	//
	// celesia.dice.dis-frightened
	"panicked":    func(r *checks.Circumstance) bool { return body.Has(r.Self, body.CondPanicked) },
	"frightened":  func(r *checks.Circumstance) bool { return body.Has(r.Self, body.CondFrightened) },
	"not-grapple": func(r *checks.Circumstance) bool { return r.More.Name != "grapple" && r.More.Name != "escape" }, // an attack has no name
	"grapple-grappled": func(r *checks.Circumstance) bool {
		return r.More.Name == "grapple" && body.Has(r.Target, body.CondGrappled)
	},
	"into-melee": func(r *checks.Circumstance) bool {
		a := r.More.Attack
		return a != nil && body.Ranged(a.Weapon) && !body.Feature(r.Self, body.FeatPreciseShot) && intoMelee(r.More.State, a.Take, r.Self, r.Target)
	},
	"turned": func(r *checks.Circumstance) bool {
		a := r.More.Attack
		return a != nil && checks.Turned(*a, r.Self) && !(a.Weapon.Kind == body.KindUnarmed && body.Settings.Value(r.More.State, body.SetLethalUnarmed) == "penalty")
	},
	"nonlethal-weapon": func(r *checks.Circumstance) bool { return r.More.Attack.Weapon.Nonlethal },
	"strength-dexterity": func(r *checks.Circumstance) bool {
		a := body.SkillAbility(r.More.Name)
		return a == "strength" || a == "dexterity"
	},
	"mental": func(r *checks.Circumstance) bool {
		a := r.More.Name
		if r.Kind == checks.RollSkill {
			a = body.SkillAbility(a)
		}
		return a == "intelligence" || a == "wisdom" || a == "charisma"
	},
	"will":       func(r *checks.Circumstance) bool { return r.More.Name == "will" },
	"social":     func(r *checks.Circumstance) bool { return checks.Among(checks.SocialSkills, r.More.Name) },
	"intimidate": func(r *checks.Circumstance) bool { return r.More.Name == "intimidate" },
	"handy":      func(r *checks.Circumstance) bool { return checks.Among(checks.HandSkills, r.More.Name) },
	"hand-work":  func(r *checks.Circumstance) bool { return checks.HandWork(r.More.Name) },
	"arm-work":   func(r *checks.Circumstance) bool { return checks.HandWork(r.More.Name) || r.More.Name == "acrobatics" },
	"leg-work":   func(r *checks.Circumstance) bool { return checks.Among(checks.LegSkills, r.More.Name) },
}

// eyeless tells whether a creature is known to have no eyes to rely on.
//
// celesia.dice.adv-invisible-attacker
func eyeless(c *eventv1.Creature) bool { return body.BodyOf(c).Eyes == 0 }

// RollSaving makes a saving throw of a creature, which source forces; nil when
// nobody does.
func RollSaving(r *rules.Resolution, label string, c, source *eventv1.Creature, save string, dc int32, reason string, circumstances []*eventv1.Circumstance, rule string) rules.Rolled {
	edges, mods := checks.Stated(circumstances, c.Id)
	edges = append(EdgesOf(r.Content(), c, nil, body.RollKind{Roll: checks.RollSave, Name: save}), edges...)
	return checks.D20{Label: label, Creature: c.Id, Reason: reason, Edges: edges,
		Modifiers: append(append(body.Nonzero(body.Mod(body.SaveBonus(c, save), save, rule)), append(checks.UseAid(r, c.Id, checks.AidSave, ""), checks.UseAid(r, c.Id, save, "")...)...), mods...),
		Target:    &eventv1.TargetNumber{Kind: "DC", Value: dc}, Judge: checks.Against(dc), Rules: []string{rule},
		Point: house.PointSave + "/" + save, Env: effects.Env{Actor: source, Target: c}}.Roll(r)
}

// RollSkillCheck makes a skill check of a creature.
func RollSkillCheck(r *rules.Resolution, label string, c *eventv1.Creature, k body.RollKind, dc int32, reason string, more []*eventv1.Modifier, circumstances []*eventv1.Circumstance, rule string) rules.Rolled {
	k.Roll = checks.RollSkill
	edges, mods := checks.Stated(circumstances, c.Id)
	edges = append(EdgesOf(r.Content(), c, nil, k), edges...)
	all := append(body.Nonzero(body.Mod(body.SkillBonus(c, k.Name), k.Name, rule)), SkillModifiers(r.Content(), c, k.Name)...)
	all = append(all, checks.UseAid(r, c.Id, k.Name, "")...)
	var audience *eventv1.Audience
	if k.Name == checks.SkillStealth {
		audience = event.Controllers(c.Id)
	}
	return checks.D20{Label: label, Creature: c.Id, Reason: reason, Audience: audience, Edges: edges, Modifiers: append(append(all, more...), mods...),
		Target: &eventv1.TargetNumber{Kind: "DC", Value: dc}, Judge: checks.Against(dc), Rules: []string{rule}, Point: checks.PointOf(k.Name)}.Roll(r)
}
