package basic

import (
	"strconv"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// blow is one attack.
type blow struct {
	attacker, target string
	weapon           *eventv1.BasicWeapon
	label            string
	// ranged: shot or thrown rather than struck.
	ranged bool
	// extra modifiers of the attack roll.
	extra []*eventv1.Modifier
	// facts and circumstances stated with the action.
	facts         *structpb.Struct
	circumstances []*eventv1.Circumstance
	// sneak: with the ability's own bonus; subdual: with the flat of the blade.
	sneak, subdual bool
	// double: the damage counts twice.
	double bool
	// now: it takes effect at once, whoever else acts on the number.
	now bool
	// parting: the bonus of a parting shot stands for that from behind.
	parting bool
	// stray: nobody swings, so there is no critical miss; the game master rolls.
	stray bool
	// touch: against the touch armour class, to grab rather than to hurt.
	touch bool
	// ability that a touch is made with; empty means Strength.
	ability string
	// lit is how a thrown flask is lit; empty for every other attack.
	lit string
}

// strike carries out an attack and tells whether it hit, be it without effect.
//
// basic.attack.to-hit, basic.critical.natural-20-hits, basic.fumble.natural-1-misses
func (b blow) strike(r *rules.Resolution) bool {
	a, t := r.Creature(b.attacker), r.Creature(b.target)
	mods := b.modifiers(r.State(), a, t)
	r.Mark(b.target, mAttackedOn, numberKey(r.State()), cite.SpellDisruption)
	ac := b.armorClass(t)
	rolled := r.Roll(rules.RollSpec{Label: b.label + "/to-hit", Creature: b.roller(), Expression: "1d20",
		Reason: b.weapon.Name + " against " + t.Name, Modifiers: mods, Target: ac, Rules: []string{cite.AttackToHit},
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
	if rolled.Success() && !b.touch && b.weapon.Contents == "" && !harms(b.weapon, t) {
		outcome, note, rule = "hit", "no effect", cite.CriticalMagicSilverRequirement
	}
	r.Emit(rolled.Audience, &eventv1.Attack{Attacker: b.attacker, Target: b.target, Weapon: b.weapon.Name, Outcome: outcome, Note: note}, rule)
	switch {
	case outcome == "fumble" && !b.stray:
		b.fumble(r)
	case outcome == "fumble" || outcome == "miss" || note != "" || b.touch:
	default:
		b.damage(r, mods, outcome == "critical")
	}
	return rolled.Success()
}

func (b blow) roller() string {
	if b.stray {
		return ""
	}
	return b.attacker
}

// harms tells whether a weapon can harm a creature at all.
//
// basic.critical.magic-silver-requirement, basic.attack.brawl-monsters
func harms(w *eventv1.BasicWeapon, t *eventv1.Creature) bool {
	switch {
	case tagged(t, "needs-magic") && !w.Magic && w.MagicBonus == 0:
		return false
	case tagged(t, "needs-silver") && !w.Silver:
		return false
	case tagged(t, "no-brawl") && brawling(w):
		return false
	}
	return true
}

// modifiers are everything that is added to the attack roll, and to the second
// roll of a natural 20.
func (b blow) modifiers(s *eventv1.State, a, t *eventv1.Creature) []*eventv1.Modifier {
	sheet := sheetOf(a)
	var out []*eventv1.Modifier
	add := func(value int32, source, rule string) {
		if value != 0 {
			out = append(out, &eventv1.Modifier{Value: value, Source: source, Rule: rule})
		}
	}
	add(sheet.AttackBonus, "attack bonus", cite.AttackToHit)
	// basic.attack.ability, basic.attack.grapple-touch
	if b.ranged || b.ability == "dexterity" {
		add(sheet.DexterityModifier, "Dexterity", cite.AttackAbility)
	} else {
		add(sheet.StrengthModifier, "Strength", cite.AttackAbility)
	}
	add(b.weapon.AttackBonus, b.weapon.Name, cite.DamageMagicBonus)
	out = append(out, b.extra...)
	if b.weapon.Name == kick {
		add(-2, kick, cite.AttackKick)
	}
	if b.subdual {
		add(-4, "flat of the blade", cite.AttackSubdualFlat)
	}
	b.position(s, a, t, add)
	add(coverPenalty(b.facts, b.ranged), "cover or concealment", cite.AttackCoverTable)
	for _, c := range []struct {
		name  string
		value int32
		rule  string
	}{{condShaken, -2, cite.ConditionShaken}, {condProne, -4, cite.ConditionProne}, {condBlinded, -4, cite.ConditionBlinded}} {
		if has(a, c.name) {
			add(c.value, c.name, c.rule)
		}
	}
	add(stumbling(s, a), condStumbling, cite.FumbleStumble)
	for _, c := range b.circumstances {
		if c.Direction == "modifier" && (c.Target == "" || c.Target == t.Id) {
			add(c.Value, c.Cause, cite.AttackToHit)
		}
	}
	return out
}

// position adds what comes from where attacker and target stand.
//
// basic.attack.from-behind, basic.attack.behind-not-with-sneak, basic.attack.flanking, basic.attack.missile-unaware
func (b blow) position(s *eventv1.State, a, t *eventv1.Creature, add func(int32, string, string)) {
	behind := spoken.Truth(b.facts, "behind") && !b.parting
	if b.ranged {
		d, known := gap(s, a, t, b.facts)
		unaware := spoken.Truth(b.facts, "unaware")
		if known {
			value, band, rule := rangeModifier(b.weapon, d, unaware)
			add(value, band, rule)
		}
		behind = behind || unaware && known && d <= engagedFeet
	} else {
		flank, stated := told(b.facts, "flanking")
		if flank || !stated && flanking(s, a, t) {
			add(1, "flanking", cite.AttackFlanking)
		}
	}
	switch {
	case b.sneak:
		add(sheetOf(a).SneakAttackBonus, "sneak attack", cite.AttackBehindNotWithSneak)
	case behind:
		add(2, "from behind", cite.AttackFromBehind)
	}
}

// rangeModifier is what the distance of a missile's target does.
//
// basic.action.ranged-attack, basic.attack.range-short, basic.attack.range-medium, basic.attack.range-long,
// basic.attack.missile-within-5, basic.attack.missile-unaware
func rangeModifier(w *eventv1.BasicWeapon, feet int32, unaware bool) (value int32, band, rule string) {
	switch {
	case feet <= engagedFeet && !unaware:
		return -5, "target within 5 feet", cite.AttackMissileWithin5
	case feet <= w.ShortFeet:
		return 1, "short range", cite.AttackRangeShort
	case feet <= w.MediumFeet:
		return 0, "medium range", cite.AttackRangeMedium
	}
	return -2, "long range", cite.AttackRangeLong
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
	n, err := strconv.ParseInt(book.cover.at(max(0, share)), 10, 32)
	if err != nil {
		return 0
	}
	return int32(n)
}

// stumbling is the penalty of a stumble, from the round after it.
//
// basic.fumble.stumble
func stumbling(s *eventv1.State, c *eventv1.Creature) int32 {
	if x := condition(c, condStumbling); x != nil && s.Round >= x.Values["from"] {
		return -1
	}
	return 0
}

// armorClass is what the attack must reach, with everything that changes it.
//
// basic.action.dodge, basic.condition.charge-ac, basic.condition.prone, basic.condition.blinded
func (b blow) armorClass(t *eventv1.Creature) *eventv1.TargetNumber {
	ac := &eventv1.TargetNumber{Kind: "AC", Value: sheetOf(t).ArmorClass}
	if touch := sheetOf(t).TouchArmorClass; b.touch && touch > 0 {
		ac.Value = touch
	}
	add := func(value int32, source, rule string) {
		ac.Value += value
		ac.Modifiers = append(ac.Modifiers, &eventv1.Modifier{Value: value, Source: source, Rule: rule})
	}
	if has(t, condDodging) {
		add(2, condDodging, cite.ActionDodge)
	}
	if has(t, condCharging) {
		add(-2, condCharging, cite.ConditionChargeAc)
	}
	if has(t, condProne) && b.ranged {
		add(4, condProne, cite.ConditionProne)
	} else if has(t, condProne) {
		add(-4, condProne, cite.ConditionProne)
	}
	if has(t, condBlinded) {
		add(-4, condBlinded, cite.ConditionBlinded)
	}
	return ac
}
