package body

import (
	"strings"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// SheetOf is a creature's rcr section; an empty one when the viewer has none.
func SheetOf(c *eventv1.Creature) *eventv1.RcrSheet {
	if s := c.GetSheet().GetRcr(); s != nil {
		return s
	}
	return &eventv1.RcrSheet{}
}

// AbilityMod is the modifier of an ability by its lower-case name: the score
// less 10, halved and rounded down. A missing score counts as 10.
func AbilityMod(c *eventv1.Creature, ability string) int32 {
	score, ok := c.GetSheet().GetAbilities()[ability]
	if !ok {
		score = 10
	}
	return FloorHalf(score - 10)
}

// FloorHalf halves and rounds toward minus infinity.
func FloorHalf(n int32) int32 { return n >> 1 }

// SkillAbility is the ability that a skill goes by.
var SkillAbility = map[string]string{
	"acrobatics": "dexterity", "animal handling": "wisdom", "arcana": "intelligence", "athletics": "strength",
	"deception": "charisma", "history": "intelligence", "insight": "wisdom", "intimidation": "charisma",
	"investigation": "intelligence", "medicine": "wisdom", "nature": "intelligence", "perception": "wisdom",
	"performance": "charisma", "persuasion": "charisma", "religion": "intelligence", "sleight of hand": "dexterity",
	"stealth": "dexterity", "survival": "wisdom",
}

// SkillBonus is the bonus of a skill, a tool or a bare ability, and whether
// the creature is proficient in it.
func SkillBonus(c *eventv1.Creature, name string) (bonus int32, proficient bool) {
	s := SheetOf(c)
	for _, list := range [][]*eventv1.RcrSkill{s.Skills, s.Tools} {
		for _, sk := range list {
			if strings.EqualFold(sk.Name, name) {
				return sk.Bonus, sk.Proficient
			}
		}
	}
	if ability, ok := SkillAbility[name]; ok {
		return AbilityMod(c, ability), false
	}
	return AbilityMod(c, name), false
}

// SaveBonus is the bonus of a saving throw.
func SaveBonus(c *eventv1.Creature, ability string) int32 {
	if b, ok := SheetOf(c).Saves[ability]; ok {
		return b
	}
	return AbilityMod(c, ability)
}

// Feats that the rules decide.
const (
	FeatAlert               = "alert"
	FeatAthlete             = "athlete"
	FeatCharger             = "charger"
	FeatCrusher             = "crusher"
	FeatDefensiveDuelist    = "defensive duelist"
	FeatDualWielder         = "dual wielder"
	FeatDungeonDelver       = "dungeon delver"
	FeatDurable             = "durable"
	FeatElementalAdept      = "elemental adept"
	FeatGrappler            = "grappler"
	FeatHealer              = "healer"
	FeatImprovedDualWielder = "improved dual wielder"
	FeatInspiringLeader     = "inspiring leader"
	FeatKeenMind            = "keen mind"
	FeatLegerdemain         = "legerdemain"
	FeatMageSlayer          = "mage slayer"
	FeatMartialAdept        = "martial adept"
	FeatMetamagicAdept      = "metamagic adept"
	FeatMobile              = "mobile"
	FeatSavageAttacker      = "savage attacker"
	FeatSentinel            = "sentinel"
	FeatSkillExpert         = "skill expert"
	FeatSkilled             = "skilled"
	FeatSkulker             = "skulker"
	FeatSpellSniper         = "spell sniper"
	FeatTavernBrawler       = "tavern brawler"
	FeatTough               = "tough"
	FeatWarCaster           = "war caster"
	FeatWeaponMaster        = "weapon master"
)

// HasFeat tells whether the sheet names a feat, in its own section or in the common
// core.
func HasFeat(c *eventv1.Creature, feat string) bool {
	return featNamed(SheetOf(c).Feats, feat) || featNamed(c.GetSheet().GetFeats(), feat)
}

// featNamed tells whether a list holds a feat: "war caster", or "war-caster" as content
// has it.
func featNamed(list []string, feat string) bool {
	for _, l := range list {
		if strings.EqualFold(strings.ReplaceAll(l, "-", " "), feat) {
			return true
		}
	}
	return false
}

// Feat tells whether a creature has a feat and a rule of it is in force.
func Feat(s *eventv1.State, c *eventv1.Creature, feat, rule string) bool {
	return HasFeat(c, feat) && InForce(s, rule)
}

// InForce tells whether a rule counts: a toggle that is on, and of a feat the module
// of the feats as well; one that is no toggle always does.
//
// rcr.feat.revised-text-replaces
func InForce(s *eventv1.State, rule string) bool {
	if strings.HasPrefix(rule, "rcr.feat.") && rule != cite.FeatRevisedTextReplaces && !Defaults.On(s, cite.FeatRevisedTextReplaces) {
		return false
	}
	v := Defaults.Value(s, rule)
	return v == "" || v == "on"
}

// Named tells whether a list holds a name, whatever the case of its letters.
func Named(list []string, name string) bool {
	for _, l := range list {
		if strings.EqualFold(l, name) {
			return true
		}
	}
	return false
}

// EffectiveLevel is the level for tables by level: the character level, else
// the challenge rating rounded down, from 1 to 20.
//
// rcr.damage.dangerous-terrain, rcr.injury.setback-table
func EffectiveLevel(c *eventv1.Creature) int32 {
	s := SheetOf(c)
	if s.Level > 0 {
		return min(s.Level, 20)
	}
	n := int32(0)
	for _, d := range s.ChallengeRating {
		if d < '0' || d > '9' {
			return 1 // a fraction
		}
		n = n*10 + (d - '0')
	}
	return max(1, min(n, 20))
}

// Condition finds the first condition of a name.
func Condition(c *eventv1.Creature, name string) *eventv1.Condition {
	for _, x := range c.GetConditions() {
		if x.Name == name {
			return x
		}
	}
	return nil
}

// Has tells whether a condition of the name is on the creature.
func Has(c *eventv1.Creature, name string) bool { return Condition(c, name) != nil }

// Incapacitated tells whether the creature can take neither actions nor reactions.
//
// rcr.condition.helpless-incapacitated, rcr.condition.paralyzed-common
func Incapacitated(c *eventv1.Creature) bool {
	return Dead(c) || Down(c) || barred(c)
}

// Row is the position on the wounds table: 0 for none, at most 6.
//
// rcr.injury.con-allowance, rcr.injury.con-negative
func Row(c *eventv1.Creature) int32 {
	wounds := int32(c.GetCounters()[CWounds])
	if wounds <= 0 {
		return 0
	}
	return max(0, min(6, wounds-AbilityMod(c, "constitution")))
}

// RowInForce tells whether a row of the wounds table weighs on the creature:
// rows skipped by a negative Constitution modifier do not, unless the table
// plays the other reading.
//
// rcr.injury.rows-cumulative, rcr.injury.con-negative
func RowInForce(c *eventv1.Creature, n int32, skipped bool) bool {
	now := Row(c)
	first := int32(1)
	if !skipped {
		first = max(1, 1-AbilityMod(c, "constitution"))
	}
	if n == 3 && now >= 5 {
		return true // row 5 brings major bleeding with it
	}
	return now >= n && n >= first
}

// HitPointsLeft is what a creature has of hit points, temporary ones included.
func HitPointsLeft(c *eventv1.Creature) int32 { return c.GetHp() + c.GetHpTemp() }
