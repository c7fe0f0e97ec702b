package strike

import (
	"strconv"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/types/known/structpb"
)

// Blow is one attack.
type Blow struct {
	Attacker, Target string
	Weapon           *eventv1.BasicWeapon
	Label            string
	// Ranged: shot or thrown rather than struck.
	Ranged bool
	// Charge: at the end of one; ofTwo: 1 or 2 for the first and the second of two
	// weapons.
	Charge bool
	ofTwo  int
	// Facts and circumstances stated with the action.
	Facts         *structpb.Struct
	circumstances []*eventv1.Circumstance
	// sneak: with the ability's own bonus; subdual: with the flat of the blade.
	sneak, Subdual bool
	// Double: the damage counts twice.
	Double bool
	// Now: it takes effect at once, whoever else acts on the number.
	Now bool
	// Parting: the bonus of a parting shot stands for that from behind.
	Parting bool
	// stray: nobody swings, so there is no critical miss; the game master rolls.
	stray bool
	// Touch: against the touch armour class, to grab rather than to hurt.
	Touch bool
	// Ability that a touch is made with; empty means Strength.
	Ability string
	// Lit is how a thrown flask is lit; empty for every other attack.
	Lit string
}

// Strike carries out an attack and tells whether it hit, be it without effect.
//
// basic.attack.to-hit, basic.critical.natural-20-hits, basic.fumble.natural-1-misses
func (b Blow) Strike(r *rules.Resolution) bool {
	a, t := r.Creature(b.Attacker), r.Creature(b.Target)
	mods := b.modifiers(r.State(), a, t)
	Attacks(r, b.Attacker, b.Target, cite.SpellDisruption)
	ac := b.armorClass(r.State(), t)
	rolled := r.Roll(rules.RollSpec{Label: b.Label + "/to-hit", Creature: b.roller(), Expression: "1d20",
		Reason: b.Weapon.Name + " against " + t.Name, Modifiers: mods, Target: ac, Rules: []string{cite.AttackToHit},
		Judge: func(natural, total int32) (string, int32) {
			switch {
			case natural == 20:
				return "critical", 0
			case natural == 1:
				return "fumble", 0
			case total >= ac.Value:
				return "success", 0
			}
			return "failure", 0
		}})
	outcome := map[string]string{"critical": "critical", "fumble": "fumble", "success": "hit", "failure": "miss"}[rolled.Outcome]
	note, rule := "", cite.AttackToHit
	if rolled.Success() && !b.Touch && b.Weapon.Contents == "" && !Harms(b.Weapon, t) {
		outcome, note, rule = "hit", "no effect", cite.CriticalMagicSilverRequirement
	}
	r.Emit(rolled.Audience, &eventv1.Attack{Attacker: b.Attacker, Target: b.Target, Weapon: b.Weapon.Name, Outcome: outcome, Note: note}, rule)
	switch {
	case outcome == "fumble" && !b.stray:
		b.fumble(r)
	case outcome == "fumble" || outcome == "miss" || note != "" || b.Touch:
	default:
		b.Damage(r, mods, outcome == "critical")
	}
	return rolled.Success()
}

func (b Blow) roller() string {
	if b.stray {
		return ""
	}
	return b.Attacker
}

// Harms tells whether a weapon can harm a creature at all.
//
// basic.critical.magic-silver-requirement, basic.attack.brawl-monsters
func Harms(w *eventv1.BasicWeapon, t *eventv1.Creature) bool {
	switch {
	case body.Tagged(t, "needs-magic") && !w.Magic && w.MagicBonus == 0:
		return false
	case body.Tagged(t, "needs-silver") && !w.Silver:
		return false
	case body.Tagged(t, "no-brawl") && body.Brawling(w):
		return false
	}
	return true
}

// modifiers are everything that is added to the attack roll, and to the second
// roll of a natural 20.
func (b Blow) modifiers(s *eventv1.State, a, t *eventv1.Creature) []*eventv1.Modifier {
	sheet := body.SheetOf(a)
	var out []*eventv1.Modifier
	add := func(value int32, source, rule string) {
		if value != 0 {
			out = append(out, &eventv1.Modifier{Value: value, Source: source, Rule: rule})
		}
	}
	add(sheet.AttackBonus, "attack bonus", cite.AttackToHit)
	// basic.attack.ability, basic.attack.grapple-touch
	if b.Ranged || b.Ability == "dexterity" {
		add(sheet.DexterityModifier, "Dexterity", cite.AttackAbility)
	} else {
		add(sheet.StrengthModifier, "Strength", cite.AttackAbility)
	}
	add(b.Weapon.AttackBonus, b.Weapon.Name, cite.DamageMagicBonus)
	if b.sneak {
		add(sheet.SneakAttackBonus, "sneak attack", cite.AttackBehindNotWithSneak)
	}
	add(coverPenalty(b.Facts, b.Ranged), "cover or concealment", cite.AttackCoverTable)
	out = append(out, Situations.Modifiers(&roll{State: s, Kind: body.RollAttack, Self: a, Target: t, More: b.shotOf(s, a, t)})...)
	for _, c := range b.circumstances {
		if c.Direction == "modifier" && (c.Target == "" || c.Target == t.Id) {
			add(c.Value, c.Cause, cite.AttackToHit)
		}
	}
	return out
}

// coverPenalty is that of the share of the target that is hidden: cover counts
// against missiles, concealment always; the worse of the two.
//
// basic.attack.cover-kinds, basic.attack.cover-table
func coverPenalty(facts *structpb.Struct, ranged bool) int32 {
	share, _ := spoken.Number(facts, "concealment")
	if cover, _ := spoken.Number(facts, "cover"); ranged {
		share = max(share, cover)
	}
	n, err := strconv.ParseInt(body.Book.Cover.At(max(0, share)), 10, 32)
	if err != nil {
		return 0
	}
	return int32(n)
}

// armorClass is what the attack must reach, with everything that changes it.
//
// basic.action.dodge, basic.condition.charge-ac, basic.condition.prone, basic.condition.blinded
func (b Blow) armorClass(s *eventv1.State, t *eventv1.Creature) *eventv1.TargetNumber {
	ac := &eventv1.TargetNumber{Kind: "AC", Value: body.SheetOf(t).ArmorClass}
	if touch := body.SheetOf(t).TouchArmorClass; b.Touch && touch > 0 {
		ac.Value = touch
	}
	ac.Modifiers = Situations.Modifiers(&roll{State: s, Kind: body.RollArmour, Target: t, More: Shot{Blow: b}})
	for _, m := range ac.Modifiers {
		ac.Value += m.Value
	}
	return ac
}
