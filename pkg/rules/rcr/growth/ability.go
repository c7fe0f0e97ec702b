package growth

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/wield"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// mostByFeat is the score that no feat lifts an ability above.
const mostByFeat = 20

// abilityRules are the feats that raise an ability, with the rule of each.
var abilityRules = map[string]string{
	body.FeatAthlete:         cite.FeatAthleteAbility,
	body.FeatCrusher:         cite.FeatCrusherAbility,
	body.FeatDurable:         cite.FeatDurableAbility,
	body.FeatInspiringLeader: cite.FeatInspiringLeaderAbility,
	body.FeatKeenMind:        cite.FeatKeenMindAbility,
	body.FeatLegerdemain:     cite.FeatLegerdemainAbility,
	body.FeatSavageAttacker:  cite.FeatSavageAttackerAbility,
	body.FeatSkillExpert:     cite.FeatSkillExpertAbility,
	body.FeatSkulker:         cite.FeatSkulkerAbility,
	body.FeatSpellSniper:     cite.FeatSpellSniperAbility,
	body.FeatTavernBrawler:   cite.FeatTavernBrawlerAbility,
	body.FeatTough:           cite.FeatToughAbility,
	body.FeatWeaponMaster:    cite.FeatWeaponMasterAbility,
}

// raise raises an ability by one, unless it is 20 or more, and with its modifier what
// the sheet says in numbers that hold it.
//
// rcr.feat.ability-increase, rcr.feat.athlete-ability, rcr.feat.crusher-ability,
// rcr.feat.durable-ability, rcr.feat.inspiring-leader-ability,
// rcr.feat.keen-mind-ability, rcr.feat.legerdemain-ability,
// rcr.feat.savage-attacker-ability, rcr.feat.skill-expert-ability,
// rcr.feat.skulker-ability, rcr.feat.spell-sniper-ability,
// rcr.feat.tavern-brawler-ability, rcr.feat.tough-ability,
// rcr.feat.weapon-master-ability
func (r *reading) raise(ability, rule string) {
	score, said := r.sheet.Abilities[ability]
	if !said {
		score = 10
	}
	if !r.on(cite.FeatAbilityIncrease) || !r.on(rule) || score >= mostByFeat {
		return
	}
	r.cited(rule, cite.FeatAbilityIncrease)
	if body.FloorHalf(score-10) == body.FloorHalf(score-9) {
		r.set(ability, score+1)
		return
	}
	casts := castingAbility(r.sheet) == ability
	bare, best := r.unarmored(), r.best()
	fits := make([]int32, len(r.s.Attacks))
	for i, a := range r.s.Attacks {
		fits[i] = wield.Modifier(r.sheet, a)
	}
	byWeapon := r.s.WeaponDc == 8+r.s.ProficiencyBonus+best
	r.set(ability, score+1)
	r.rolls(ability)
	for i, a := range r.s.Attacks {
		if !a.Spell {
			fit(a, wield.Modifier(r.sheet, a)-fits[i])
		}
	}
	if byWeapon { // 8 and more is never left out
		r.s.WeaponDc += r.best() - best
	}
	if casts {
		r.magic()
	}
	switch ability {
	case "strength":
		more(&r.s.EscapeDc)
	case "dexterity":
		if bare {
			r.s.ArmorClass++
		}
	case "constitution":
		r.sheet.HitPoints += r.levels()
	case "wisdom":
		more(&r.s.PassivePerception)
	}
}

func (r *reading) set(ability string, score int32) {
	if r.sheet.Abilities == nil {
		r.sheet.Abilities = map[string]int32{}
	}
	r.sheet.Abilities[ability] = score
}

// best is the better modifier of Strength and Dexterity.
func (r *reading) best() int32 {
	c := r.creature()
	return max(body.AbilityMod(c, "strength"), body.AbilityMod(c, "dexterity"))
}

// more adds one to a number that a sheet gives; one that it leaves out is worked out
// anew by whoever asks.
func more(n *int32) {
	if *n > 0 {
		*n++
	}
}

// rolls raises the saving throw, skills and tools of an ability.
func (r *reading) rolls(ability string) {
	if b, ok := r.s.Saves[ability]; ok {
		r.s.Saves[ability] = b + 1
	}
	for _, list := range [][]*eventv1.RcrSkill{r.s.Skills, r.s.Tools} {
		for _, sk := range list {
			if abilityOf(sk.Name) == ability {
				sk.Bonus++
			}
		}
	}
}

// abilityOf is the ability of a skill, a tool or a bare ability; empty for a tool that
// goes by now one, now another.
func abilityOf(name string) string {
	name = strings.ToLower(name)
	switch {
	case slices.Contains(body.Abilities, name):
		return name
	case name == thievesTools:
		return "dexterity"
	}
	return body.SkillAbility[name]
}

// fit adds to the attack roll and the first part of the damage of a weapon.
func fit(a *eventv1.RcrAttack, n int32) {
	a.Bonus += n
	a.Damage, a.TwoHandedDamage = wield.Plus(a.Damage, n), wield.Plus(a.TwoHandedDamage, n)
}

// magic raises the difficulty and the attacks of spells.
func (r *reading) magic() {
	more(&r.s.SpellDc)
	if r.s.SpellAttackBonus != 0 {
		r.s.SpellAttackBonus++
	}
	for _, a := range r.s.Attacks {
		if a.Spell {
			a.Bonus++
		}
	}
}

// unarmored tells whether the armour class is that of a creature without armour, so
// that Dexterity is in it: 10 and the modifier, with a shield if there is one.
func (r *reading) unarmored() bool {
	over := r.s.ArmorClass - 10 - body.AbilityMod(r.creature(), "dexterity")
	shield := r.s.ShieldBonus
	if shield == 0 {
		shield = 2
	}
	return len(r.sheet.Wears) == 0 && r.s.Barding == nil && (over == 0 || r.s.Shield != eventv1.RcrSheet_SHIELD_UNSPECIFIED && over == shield)
}

// castingAbility is the ability that a sheet's spells are cast by: the one given, else
// the only one that gives its spell DC or, without one, its spell attacks. It is empty
// where there is none or it could be one or another.
func castingAbility(sheet *eventv1.Sheet) string {
	s := sheet.GetRcr()
	if s.SpellAbility != "" || s.SpellDc == 0 && s.SpellAttackBonus == 0 {
		return strings.ToLower(s.SpellAbility)
	}
	want := s.SpellDc - 8 - s.ProficiencyBonus
	if s.SpellDc == 0 {
		want = s.SpellAttackBonus - s.ProficiencyBonus
	}
	found := ""
	for _, a := range body.Book.FeatAbilities[body.FeatSpellSniper] {
		if body.AbilityMod(&eventv1.Creature{Sheet: sheet}, a) != want {
			continue
		}
		if found != "" {
			return ""
		}
		found = a
	}
	return found
}
