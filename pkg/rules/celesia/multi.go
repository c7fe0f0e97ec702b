package celesia

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/csvtable"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Rules of several attacks in one action.
const (
	ruleMulti        = cite.AttackMultiweapon
	ruleMultiLimit   = cite.AttackMultiweaponLimit
	ruleMultiDamage  = cite.AttackMultiweaponOffHandDamage
	ruleNaturalPair  = cite.AttackNaturalTwoWeapon
	ruleNaturalLight = cite.AttackNaturalLight
)

// multiRow is a row of the penalties for several attacks in one action.
//
// celesia.attack.multiweapon
type multiRow struct {
	// light off-hand weapon, and the feat.
	light, feat bool
	// main and off are what goes on the attack rolls.
	main, off int32
}

var multiRows, errMultiRows = readShipped("multiweapon", readMultiweapon)

// readMultiweapon reads the table; it must have one row for each of the four
// circumstances.
func readMultiweapon(text string) ([]multiRow, error) {
	rows, err := csvtable.Lines(text, 4)
	if err != nil {
		return nil, fmt.Errorf("celesia: table: %w", err)
	}
	var out []multiRow
	seen := map[[2]bool]bool{}
	for i, row := range rows {
		main, err1 := strconv.Atoi(row[2])
		off, err2 := strconv.Atoi(row[3])
		light, feat := row[0] == "yes", row[1] == "yes"
		if err1 != nil || err2 != nil || main > 0 || off > 0 || seen[[2]bool{light, feat}] || !light && row[0] != "no" || !feat && row[1] != "no" {
			return nil, fmt.Errorf("celesia: multiweapon row %d: %v", i+1, row)
		}
		seen[[2]bool{light, feat}] = true
		out = append(out, multiRow{light, feat, int32(main), int32(off)})
	}
	if len(out) != 4 {
		return nil, fmt.Errorf("celesia: multiweapon table has %d rows, not 4", len(out))
	}
	return out, nil
}

func multiPenalty(light, feat bool) multiRow {
	return multiRows[slices.IndexFunc(multiRows, func(m multiRow) bool { return m.light == light && m.feat == feat })]
}

// multiActions make several attacks in one action.
func multiActions() []*action {
	return []*action{{id: "multiweapon", title: "Multiweapon fighting", rule: ruleMulti, acts: 1, trigger: "attack", targeted: true, items: meleeNames,
		most: multiTargets, provoke: multiProvokes, parameters: multiParameters, refuse: refuseMulti, check: checkMulti, do: doMulti}}
}

func multiParameters(s *eventv1.State, c *eventv1.Creature) []*eventv1.Parameter {
	return append([]*eventv1.Parameter{choice("off", "the off-hand weapon; all the others in hand when not given", false, meleeNames(s, c)...),
		{Name: "offs", Type: rules.TypeStrings, Text: "several off-hand weapons, in order"}}, attackParameters(s, c)...)
}

// strayName is the first of the off-hand weapons named that is none.
func strayName(c *eventv1.Creature, take *eventv1.TakeAction) string {
	names, _ := spoken.Words(take.GetParameters(), "offs")
	if one := spoken.Word(take.GetParameters(), "off"); one != "" {
		names = []string{one}
	}
	if i := slices.IndexFunc(names, func(name string) bool { return !slices.Contains(meleeNames(nil, c), name) }); i >= 0 {
		return names[i]
	}
	return ""
}

// otherEnd is the second end of a double weapon, a light weapon.
func otherEnd(w *eventv1.CelesiaWeapon) *eventv1.CelesiaWeapon {
	return &eventv1.CelesiaWeapon{Name: w.Name, Kind: w.Kind, Dice: w.DoubleDice, Type: w.Type, Hands: w.Hands, Light: true, Reach: w.Reach,
		Threat: w.Threat, Multiplier: w.Multiplier, Nonlethal: w.Nonlethal, AttackBonus: w.AttackBonus, DamageBonus: w.DamageBonus, Extra: w.Extra}
}

// offHand are the weapons of the off-hand attacks: those named, else the other
// end of a double weapon, else the others in hand.
func offHand(c *eventv1.Creature, take *eventv1.TakeAction) []*eventv1.CelesiaWeapon {
	main := weaponOf(c, take.Item)
	names, named := spoken.Words(take.Parameters, "offs")
	if one := spoken.Word(take.Parameters, "off"); one != "" {
		names, named = []string{one}, true
	}
	var out []*eventv1.CelesiaWeapon
	if named {
		for _, n := range names {
			w := weaponOf(c, n)
			if w != nil && w == main && w.DoubleDice != "" {
				w = otherEnd(w)
			}
			out = append(out, w)
		}
		return out
	}
	if main.GetDoubleDice() != "" {
		return []*eventv1.CelesiaWeapon{otherEnd(main)}
	}
	for _, w := range sheetOf(c).Weapons {
		if w != main && !ranged(w) && !bodyless(w) && wieldable(c, w) {
			out = append(out, w)
		}
	}
	if len(out) > 0 || main == nil {
		return out
	}
	for _, w := range sheetOf(c).Weapons { // else the body, on a limb of its own
		if w != main && !ranged(w) && refuseOffHand(c, &eventv1.TakeAction{Creature: c.Id, Item: main.Name, Parameters: paramStruct("off", w.Name)}) == nil {
			return []*eventv1.CelesiaWeapon{w}
		}
	}
	return nil
}

func multiTargets(c *eventv1.Creature, take *eventv1.TakeAction) int32 {
	return int32(1 + len(offHand(c, take)))
}

// multiProvokes: bare fists among the weapons provoke from the one they strike.
func multiProvokes(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) (bool, string) {
	for i, w := range append([]*eventv1.CelesiaWeapon{weaponOf(c, take.Item)}, offHand(c, take)...) {
		one := &eventv1.TakeAction{Creature: c.Id, Item: w.GetName(), Targets: []string{take.Targets[min(i, len(take.Targets)-1)]}}
		if provokes, only := attackProvokes(s, c, one); provokes {
			return true, only
		}
	}
	return false, ""
}

// multiUses is how often the action can be used in a turn.
//
// celesia.attack.multiweapon-limit
func multiUses(c *eventv1.Creature) int32 {
	if feature(c, featMultiweapon) {
		return max(1, sheetOf(c).MultiweaponUses)
	}
	return 1
}

// refuseMulti: with two weapons or more, each on limbs of its own, once a turn
// or as often as the feat allows.
//
// celesia.attack.multiweapon, celesia.attack.multiweapon-limit, celesia.attack.natural-two-weapon
func refuseMulti(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	main := weaponOf(c, take.Item)
	if main == nil || ranged(main) {
		return nameless("take.item", "melee weapon", c.GetName(), take.Item, meleeNames(s, c))
	}
	if int32(c.Counters[cMulti]) >= multiUses(c) {
		return refuse("ONCE_A_TURN", ruleMultiLimit, "%d times a turn are the most", multiUses(c))
	}
	if err := refuseAttack(s, c, take); err != nil {
		return err
	}
	if spoken.Word(take.Parameters, "off") != "" || take.GetParameters().GetFields()["offs"] != nil {
		return nil // judged with the parameters
	}
	return refuseOffHand(c, take)
}

// refuseOffHand says why weapons do not go together.
//
// celesia.attack.natural-two-weapon
func refuseOffHand(c *eventv1.Creature, take *eventv1.TakeAction) error {
	main, others := weaponOf(c, take.Item), offHand(c, take)
	if len(others) == 0 {
		return refuse("ONE_WEAPON", ruleMulti, "%s has no weapon in an off hand", c.Name)
	}
	limbs := limbsOf(c, main)
	for _, w := range others {
		if w == nil || ranged(w) {
			return nameless("take.parameters.off", "melee weapon", c.GetName(), strayName(c, take), meleeNames(nil, c))
		}
		if w.Name == main.Name {
			if main.DoubleDice == "" {
				return refuse("SAME_WEAPON", ruleMulti, "%s cannot be both", w.Name)
			}
			continue
		}
		if err := refuseWeapon(c, w, take); err != nil {
			return err
		}
		for _, limb := range limbsOf(c, w) {
			if slices.Contains(limbs, limb) {
				return refuse("SAME_LIMB", ruleNaturalPair, "two of the attacks would use the %s", limb)
			}
			limbs = append(limbs, limb)
		}
	}
	return refuseBothHands(c, limbs)
}

func checkMulti(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := checkAttack(s, c, take); err != nil {
		return err
	}
	return refuseOffHand(c, take)
}

// light tells whether a weapon counts as light: natural weapons and unarmed
// strikes do.
//
// celesia.attack.natural-light, celesia.attack.unarmed-basics
func light(w *eventv1.CelesiaWeapon) bool { return w.Light || bodyless(w) }

// doMulti makes the attacks one after another: the first is the main hand's, all
// others are off-hand attacks, each by its own weapon. The main hand takes the
// heavier penalty unless all off-hand weapons are light (a reading). What is
// chosen with the action goes for each of its attacks.
//
// celesia.attack.multiweapon, celesia.attack.multiweapon-off-hand-damage,
// celesia.attack.special-options, celesia.attack.cleave-chain
func doMulti(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	feat, main, others := feature(c, featMultiweapon), weaponOf(c, take.Item), offHand(c, take)
	r.Set(c.Id, cMulti, r.Count(c.Id, cMulti)+1, "multiweapon fighting", ruleMultiLimit)
	declare(r, c.Id, take)
	var struck []string
	allLight := !slices.ContainsFunc(others, func(w *eventv1.CelesiaWeapon) bool { return !light(w) })
	for i, w := range append([]*eventv1.CelesiaWeapon{main}, others...) {
		at := take.Targets[min(i, len(take.Targets)-1)]
		now := r.Creature(c.Id)
		one := &eventv1.TakeAction{Creature: c.Id, Item: w.Name, Targets: []string{at}, Parameters: take.Parameters, Facts: take.Facts,
			Circumstances: take.Circumstances}
		if !able(now) || dead(r.Creature(at)) || i > 0 && refuseAttack(r.State(), now, one) != nil {
			continue
		}
		penalty, hand := multiPenalty(allLight, feat).main, mainHand
		if i > 0 {
			penalty, hand = multiPenalty(light(w), feat).off, otherHand
		}
		useLimbs(r, now, w)
		hit := makeAttack(r, attack{by: c.Id, target: at, weapon: w, label: "multiweapon/" + itoa(i+1), take: one, hand: hand,
			more: []*eventv1.Modifier{mod(penalty, "multiweapon fighting", ruleMulti)}})
		struck = append(struck, at)
		if hit {
			struck = cleave(r, c.Id, w, one, struck...)
		}
	}
	return nil
}

// Hands of an attack that is one of several: what it adds to damage goes by
// these, not by where the weapon is held.
const (
	mainHand  = "main"
	otherHand = "off"
)

// handModifiers is what is added to the damage of one of several attacks: the
// main hand's ability bonuses are whole, the others' half; penalties are never
// halved.
//
// celesia.attack.multiweapon-off-hand-damage
func handModifiers(c *eventv1.Creature, w *eventv1.CelesiaWeapon, hand string) []*eventv1.Modifier {
	if hand == mainHand && bodyless(w) {
		return damageModifiers(c, w)
	}
	var out []*eventv1.Modifier
	for _, a := range attackAbilities(w) {
		m := modifier(c, a)
		if hand == otherHand && m > 0 {
			m /= 2
		}
		out = append(out, mod(m, a, ruleMultiDamage))
	}
	return nonzero(append(out, mod(w.DamageBonus, w.Name, ""))...)
}
