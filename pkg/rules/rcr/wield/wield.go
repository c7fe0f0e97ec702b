// Package wield makes of a weapon of the book the attack of its wielder: the
// attack bonus and the damage by the wielder's abilities and proficiency.
//
// It must never know a state or roll dice: it fills in a sheet.
package wield

import (
	"regexp"
	"slices"
	"strconv"

	"google.golang.org/protobuf/proto"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Fit finishes an attack that a sheet took from content. Where the sheet gives no
// bonus, it is the proficiency bonus and the ability modifier with what the weapon
// itself brings; where it gives no damage, the ability modifier is added to the
// first part. The ability is Strength, for ranged weapons Dexterity, for finesse
// the better of the two. Other things stay as they are.
func Fit(sheet *eventv1.Sheet, given, thing proto.Message) {
	said, ok := given.(*eventv1.RcrAttack)
	a, isAttack := thing.(*eventv1.RcrAttack)
	if !ok || !isAttack || a.Spell {
		return
	}
	mod := abilityOf(sheet, a)
	if said.Bonus == 0 {
		a.Bonus += mod + sheet.GetRcr().GetProficiencyBonus()
	}
	if len(said.Damage) == 0 {
		a.Damage = plus(a.Damage, mod)
	}
	if len(said.TwoHandedDamage) == 0 {
		a.TwoHandedDamage = plus(a.TwoHandedDamage, mod)
	}
}

func abilityOf(sheet *eventv1.Sheet, a *eventv1.RcrAttack) int32 {
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

// plus adds a number to the first part of a damage.
func plus(parts []*eventv1.RcrDamage, n int32) []*eventv1.RcrDamage {
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
