package strike

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
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
	// DoubleRule is the rule by which it does; empty means that of the charge.
	DoubleRule string
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
	env := b.env(r, a, t)
	mods := append(b.modifiers(r, a, t), b.against(r, a, t, env)...)
	Attacks(r, b.Attacker, b.Target, cite.SpellDisruption)
	ac := b.armorClass(r, a, t, env)
	from := r.Content().CriticalFrom(a, 20, env)
	expression, again := house.Again(r, a, house.PointAttack+b.way(), env, "1d20")
	rolled := r.Roll(rules.RollSpec{Label: b.Label + "/to-hit", Creature: b.roller(), Expression: expression,
		Reason: b.Weapon.Name + " against " + t.Name, Modifiers: mods, Target: ac, Rules: slices.Concat([]string{cite.AttackToHit}, house.Cited(from.Cites...), again),
		Judge: func(natural, total int32) (string, int32) {
			switch {
			case natural == 20 || natural > 1 && natural >= from.Value:
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
	r.Emit(rolled.Audience, &eventv1.Attack{Attacker: b.Attacker, Target: b.Target, Weapon: b.Weapon.Name, Outcome: outcome, Note: note,
		Roll: rolled.Told(rolled.Audience), Facts: b.told(r, a, t)}, rule)
	switch {
	case outcome == "fumble" && !b.stray:
		b.fumble(r)
	case outcome == "fumble" || outcome == "miss" || note != "" || b.Touch:
	default:
		b.Damage(r, mods, outcome == "critical")
	}
	if note == "" {
		b.setsOff(r, rolled, outcome, env)
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
func (b Blow) modifiers(r *rules.Resolution, a, t *eventv1.Creature) []*eventv1.Modifier {
	s := r.State()
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
	penalty, by := coverPenalty(r, b.Facts, b.Ranged)
	add(penalty, "cover or concealment", cmp.Or(by, cite.AttackCoverTable))
	out = append(out, SituationsOf(r.Content()).Modifiers(&roll{State: s, Kind: body.RollAttack, Self: a, Target: t, More: b.shotOf(s, a, t)})...)
	for _, c := range b.circumstances {
		if c.Direction == "modifier" && (c.Target == "" || c.Target == t.Id) {
			add(c.Value, c.Cause, cite.AttackToHit)
		}
	}
	return out
}

// coverPenalty is that of the share of the target that is hidden: cover counts
// against missiles, concealment always; the worse of the two. By is the rule of content
// behind the row, if any.
//
// basic.attack.cover-kinds, basic.attack.cover-table
func coverPenalty(r *rules.Resolution, facts *structpb.Struct, ranged bool) (n int32, by string) {
	share, _ := spoken.Number(facts, "concealment")
	if cover, _ := spoken.Number(facts, "cover"); ranged {
		share = max(share, cover)
	}
	rows := body.BookOf(r.Content()).Cover
	number, _ := strconv.ParseInt(rows.At(max(0, share)), 10, 32) // a whole number: the table was read as such
	return int32(number), rows.By(max(0, share))
}

// PointTouch is the armour class against touches, for content.
const PointTouch = "touch-armor-class"

// armorClass is what the attack must reach, with everything that changes it.
//
// basic.action.dodge, basic.condition.charge-ac, basic.condition.prone, basic.condition.blinded
func (b Blow) armorClass(r *rules.Resolution, a, t *eventv1.Creature, env effects.Env) *eventv1.TargetNumber {
	ac, point, number := &eventv1.TargetNumber{Kind: "AC", Value: body.SheetOf(t).ArmorClass}, house.PointArmor, rules.NumberArmor
	if touch := body.SheetOf(t).TouchArmorClass; b.Touch {
		if point = PointTouch; touch > 0 {
			ac.Value, number = touch, rules.NumberTouch
		}
	}
	own := ownParts(t, number, ac.Value)
	_, added := house.Number(r, b.Label+"/armor", t, nil, point, ac.Value, env)
	ac.Modifiers = append(SituationsOf(r.Content()).Modifiers(&roll{State: r.State(), Kind: body.RollArmour, Target: t, More: Shot{Blow: b}}), added...)
	for _, m := range ac.Modifiers {
		ac.Value += m.Value
	}
	ac.Modifiers = append(own, ac.Modifiers...)
	return ac
}

// ownParts are the parts of an armour class of the sheet: those that it lists, or else
// that against touches, which has no armour in it, and the armour's share.
//
// basic.attack.to-hit, basic.attack.grapple-touch
func ownParts(t *eventv1.Creature, number string, value int32) []*eventv1.Modifier {
	const rule = cite.AttackToHit
	parts := rules.SheetParts(t.GetSheet(), number, value, "armour class on the sheet", rule)
	touch := body.SheetOf(t).TouchArmorClass
	if len(parts) > 1 || number != rules.NumberArmor || touch <= 0 || touch >= value {
		return parts
	}
	return []*eventv1.Modifier{{Value: touch, Source: "without armour", Rule: cite.AttackGrappleTouch}, {Value: value - touch, Source: "armour", Rule: rule}}
}

// told are the facts that the attack goes by.
func (b Blow) told(r *rules.Resolution, a, t *eventv1.Creature) []*eventv1.UsedFact {
	feet, known := body.Gap(r.State(), a, t, b.Facts)
	return r.UsedFacts(b.Facts, feet, known, a.Id, t.Id)
}
