// Package wield makes of a weapon of the book the attack of its wielder: the
// attack bonus and the damage by the wielder's abilities and proficiency.
//
// It must never know a state or roll dice: it fills in a sheet.
package wield

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"google.golang.org/protobuf/proto"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Fit finishes an attack that a sheet took from content. Where the sheet gives no
// bonus, it is the proficiency bonus and the ability modifier with what the weapon
// itself brings; where it gives no damage, the ability modifier is added to the
// first part. The ability is Strength, for ranged weapons Dexterity, for finesse
// the better of the two. In the dice of a spell, +MOD is the modifier of its
// caster's ability, and the damage of a cantrip grows with the level. Other things
// stay as they are.
func Fit(sheet *eventv1.Sheet, given, thing proto.Message) {
	if sp, ok := thing.(*eventv1.RcrSpell); ok {
		if said, ok := given.(*eventv1.RcrSpell); ok {
			fitSpell(sheet, said, sp)
		}
		return
	}
	a, ok := thing.(*eventv1.RcrAttack)
	if !ok || a.Spell {
		return
	}
	said, _ := given.(*eventv1.RcrAttack) // what is given is of the same kind
	mod := Modifier(sheet, a)
	if said.GetBonus() == 0 {
		a.Bonus += mod + proficiency(sheet.GetRcr(), a)
	}
	if len(said.GetDamage()) == 0 {
		a.Damage = Plus(a.Damage, mod)
	}
	if len(said.GetTwoHandedDamage()) == 0 {
		a.TwoHandedDamage = Plus(a.TwoHandedDamage, mod)
	}
}

// proficiency is what training with a weapon adds: nothing where the sheet says that
// there is none, and nothing to what is no weapon.
func proficiency(s *eventv1.RcrSheet, a *eventv1.RcrAttack) int32 {
	for _, t := range s.GetTraining() {
		if t.Rank == "untrained" && (strings.EqualFold(t.Name, a.Name) || strings.EqualFold(t.Name, strings.ReplaceAll(a.Use, "-", " "))) {
			return 0
		}
	}
	if slices.Contains(a.Properties, "improvised") {
		return 0
	}
	return s.GetProficiencyBonus()
}

// Modifier is that of the ability by which a sheet's owner makes an attack: Strength,
// Dexterity for what has no reach, the better of the two with finesse.
func Modifier(sheet *eventv1.Sheet, a *eventv1.RcrAttack) int32 {
	strength, dexterity := modifier(sheet, "strength"), modifier(sheet, "dexterity")
	switch {
	case slices.Contains(a.Properties, "finesse"):
		return max(strength, dexterity)
	case a.ReachFeet == 0:
		return dexterity
	}
	return strength
}

// modifier is that of an ability; 0 for one that the sheet does not give.
func modifier(sheet *eventv1.Sheet, ability string) int32 {
	score, ok := sheet.GetAbilities()[ability]
	switch {
	case !ok:
		return 0
	case score < 10:
		return (score - 11) / 2
	}
	return (score - 10) / 2
}

var flat = regexp.MustCompile(`^(.*?)([+-][0-9]{1,6})?$`)

// Plus adds a number to the first part of a damage.
func Plus(parts []*eventv1.RcrDamage, n int32) []*eventv1.RcrDamage {
	if len(parts) == 0 || n == 0 {
		return parts
	}
	out := slices.Clone(parts)
	m := flat.FindStringSubmatch(parts[0].Dice)
	sum := n
	if own, err := strconv.ParseInt(m[2], 10, 32); err == nil {
		sum += int32(own)
	}
	dice := m[1]
	switch {
	case sum > 0:
		dice += "+" + strconv.Itoa(int(sum))
	case sum < 0:
		dice += strconv.Itoa(int(sum))
	}
	out[0] = &eventv1.RcrDamage{Dice: dice, Type: parts[0].Type}
	return out
}

// modWord stands in the dice of a spell for the modifier of the caster's ability.
const modWord = "+MOD"

func fitSpell(sheet *eventv1.Sheet, said, sp *eventv1.RcrSpell) {
	r := sheet.GetRcr()
	mod := r.GetSpellDc() - 8 - r.GetProficiencyBonus()
	switch {
	case r.GetSpellAttackBonus() != 0:
		mod = r.SpellAttackBonus - r.ProficiencyBonus
	case r.GetSpellDc() == 0:
		mod = 0
	}
	if said.Healing == "" {
		sp.Healing = withMod(sp.Healing, mod)
	}
	if len(said.Damage) > 0 {
		return
	}
	for i, d := range sp.Damage {
		dice := withMod(d.Dice, mod)
		if rest, one := strings.CutPrefix(dice, "1d"); one && sp.Level == 0 && sp.Save.GetAbility()+sp.Attack != "" {
			dice = tier(r.GetLevel()) + "d" + rest
		}
		sp.Damage[i] = &eventv1.RcrDamage{Dice: dice, Type: d.Type}
	}
}

// withMod puts the modifier in.
func withMod(dice string, mod int32) string {
	base, has := strings.CutSuffix(dice, modWord)
	switch {
	case !has:
		return dice
	case mod > 0:
		return base + "+" + strconv.Itoa(int(mod))
	case mod < 0:
		return base + strconv.Itoa(int(mod))
	}
	return base
}

// tier is how many dice a cantrip has: one more from the fifth, the eleventh and
// the seventeenth level on.
func tier(level int32) string {
	switch {
	case level >= 17:
		return "4"
	case level >= 11:
		return "3"
	case level >= 5:
		return "2"
	}
	return "1"
}
