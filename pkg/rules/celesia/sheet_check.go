package celesia

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/proto"
)

// sheetCheck collects what is wrong with a sheet.
type sheetCheck struct {
	content *effects.Book
	out     []fault.Violation
}

func (k *sheetCheck) wrong(field, format string, args ...any) {
	k.out = append(k.out, fault.Violation{Field: "sheet." + field, Description: fmt.Sprintf(format, args...)})
}

func (k *sheetCheck) between(field string, value, least, most int32) {
	if value < least || value > most {
		k.wrong(field, "must be %d to %d, not %d", least, most, value)
	}
}

func (k *sheetCheck) among(field, value string, allowed ...string) {
	if !slices.Contains(allowed, value) {
		k.wrong(field, "%q is not one of %v%s", value, allowed, rules.DidYouMean(value, allowed))
	}
}

func (k *sheetCheck) dice(field, value string, pattern *regexp.Regexp, needed bool) {
	if value == "" && !needed {
		return
	}
	if !pattern.MatchString(value) {
		k.wrong(field, "%q is no dice such as 2d6", value)
	}
}

// CheckSheet says what is wrong with a sheet.
func (System) CheckSheet(sheet *eventv1.Sheet) []fault.Violation {
	return System{}.CheckSheetBy(nil, sheet)
}

// CheckSheetBy is CheckSheet where content has conditions and feats of its own.
func (System) CheckSheetBy(content *effects.Book, sheet *eventv1.Sheet) []fault.Violation {
	k := &sheetCheck{content: content}
	s := sheet.GetCelesia()
	if s == nil {
		k.wrong("celesia", "missing")
		return k.out
	}
	k.among("size", sheet.Size, body.Sizes...)
	for _, name := range rules.SortedKeys(sheet.Abilities) {
		k.among("abilities["+name+"]", name, "strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma")
		k.between("abilities["+name+"]", sheet.Abilities[name], 1, 100)
	}
	for _, mode := range rules.SortedKeys(sheet.Speeds) {
		k.among("speeds["+mode+"]", mode, body.SpeedModes...)
		k.between("speeds["+mode+"]", sheet.Speeds[mode], 0, 1000)
	}
	k.numbers(s)
	k.body("celesia.body", s.Body)
	for _, name := range rules.SortedKeys(s.Skills) {
		k.skill("celesia.skills["+name+"]", name)
		k.between("celesia.skills["+name+"]", s.Skills[name], -50, 200)
	}
	for i, name := range s.Trained {
		k.skill(fmt.Sprintf("celesia.trained[%d]", i), name)
	}
	for i, name := range s.Features {
		if content.FeatID(name) == "" {
			k.among(fmt.Sprintf("celesia.features[%d]", i), name, slices.Concat(body.KnownFeatures, content.IDs(effects.Feats))...)
		}
	}
	house.CheckFeats(content, sheet, k.wrong)
	for i, name := range s.Immunities {
		k.among(fmt.Sprintf("celesia.immunities[%d]", i), name, body.KnownImmunities...)
	}
	k.things(s)
	k.further(s)
	return k.out
}

func (k *sheetCheck) numbers(s *eventv1.CelesiaSheet) {
	k.between("celesia.level", s.Level, 1, 40)
	k.between("celesia.base_attack", s.BaseAttack, 0, 60)
	k.between("celesia.size_modifier", s.SizeModifier, -10, 10)
	k.between("celesia.special_size_modifier", s.SpecialSizeModifier, -10, 10)
	k.between("celesia.defense", s.Defense, 0, 100)
	k.between("celesia.touch_defense", s.TouchDefense, 0, 100)
	k.between("celesia.defense_dexterity", s.DefenseDexterity, 0, 30)
	k.between("celesia.maneuver_defense", s.ManeuverDefense, 0, 200)
	k.between("celesia.maneuver_bonus", s.ManeuverBonus, -50, 100)
	k.between("celesia.initiative_bonus", s.InitiativeBonus, -50, 100)
	k.between("celesia.fortitude", s.Fortitude, -50, 100)
	k.between("celesia.reflex", s.Reflex, -50, 100)
	k.between("celesia.will", s.Will, -50, 100)
	k.between("celesia.reach_feet", s.ReachFeet, 0, 100)
	k.between("celesia.concentration", s.Concentration, -50, 100)
	k.between("celesia.spell_resistance", s.SpellResistance, 0, 100)
	k.between("celesia.multiweapon_uses", s.MultiweaponUses, 0, 10)
	k.dice("celesia.precision_dice", s.PrecisionDice, body.DiceWord, false)
}

func (k *sheetCheck) body(field string, b *eventv1.CelesiaBody) {
	if b == nil {
		return
	}
	k.between(field+".hands", b.Hands, 0, 12)
	k.between(field+".fingers", b.Fingers, 0, 12)
	k.between(field+".eyes", b.Eyes, 0, 20)
	k.between(field+".arms", b.Arms, 0, 12)
	k.between(field+".legs", b.Legs, 0, 20)
}

// things checks weapons, spells and potions; no two may share a name.
func (k *sheetCheck) things(s *eventv1.CelesiaSheet) {
	names := map[string]bool{}
	name := func(field, n string) {
		if n == "" || len(n) > rules.MaxIDLength || names[n] {
			k.wrong(field+".name", "must be 1 to 64 bytes and unlike the others")
		}
		names[n] = true
	}
	for i, w := range s.Weapons {
		field := fmt.Sprintf("celesia.weapons[%d]", i)
		name(field, w.Name)
		k.weapon(field, w)
	}
	for i, sp := range s.Spells {
		field := fmt.Sprintf("celesia.spells[%d]", i)
		name(field, sp.Name)
		k.spell(field, sp)
	}
	for i, th := range s.Things {
		field := fmt.Sprintf("celesia.things[%d]", i)
		name(field, th.Name)
		k.thing(field, th)
	}
	for i, a := range s.SpecialAbilities {
		field := fmt.Sprintf("celesia.special_abilities[%d]", i)
		name(field, a.Name)
		k.among(field+".time", a.Time, body.TimeFree, body.TimeSwift, body.TimeMove, body.TimeStandardAttack, body.TimeStandard, body.TimeFull, body.TimeImmediate, body.TimeOpportunity)
		k.among(field+".kind", a.Kind, "", body.KindSupernatural, body.KindSpellLike, body.KindBoost, body.KindStrike, body.KindCounter)
		k.between(field+".uses", a.Uses, 0, 1000)
		if v := (System{}).Vocabulary(); a.Supports != "" && strike.ActionOf(a.Supports) == nil {
			k.wrong(field+".supports", "%q names no action%s; known are %v", a.Supports, rules.DidYouMean(a.Supports, v.Actions), v.Actions)
		}
		if a.Action != "" && a.Time != body.TimeOpportunity {
			k.wrong(field+".action", "only of abilities in place of an attack of opportunity")
		} else if a.Action != "" {
			k.among(field+".action", a.Action, answers.Substitutes()...)
		}
		k.among(field+".trigger", a.Trigger, append([]string{""}, body.Answerable...)...)
		if a.Trigger != "" && a.Time != body.TimeImmediate {
			k.wrong(field+".trigger", "only of immediate abilities")
		}
	}
	for i, p := range s.Potions {
		field := fmt.Sprintf("celesia.potions[%d]", i)
		name(field, p.Name)
		k.dice(field+".healing", p.Healing, body.HealingWord, false)
		k.between(field+".count", p.Count, 0, 1000)
		k.potion(field+".spell", p.Spell)
	}
	k.hands(s)
}

func (k *sheetCheck) weapon(field string, w *eventv1.CelesiaWeapon) {
	k.among(field+".kind", w.Kind, body.KindMelee, body.KindThrown, body.KindProjectile, body.KindNatural, body.KindNaturalRanged, body.KindUnarmed)
	k.dice(field+".dice", w.Dice, body.DiceWord, true)
	k.dice(field+".two_hand_dice", w.TwoHandDice, body.DiceWord, false)
	k.between(field+".hands", w.Hands, 0, 2)
	if body.Bodyless(w) != (w.Hands == 0) {
		k.wrong(field+".hands", "0 for what is part of the body, 1 or 2 for the rest")
	}
	if w.Threat != 0 {
		k.between(field+".threat", w.Threat, 2, 20)
	}
	if w.Multiplier != 0 {
		k.between(field+".multiplier", w.Multiplier, 1, 10)
	}
	k.between(field+".range_feet", w.RangeFeet, 0, 10000)
	if body.Ranged(w) && w.RangeFeet < 1 {
		k.wrong(field+".range_feet", "needed for what is shot or thrown")
	}
	k.between(field+".maximum_increments", w.MaximumIncrements, 0, 100)
	k.between(field+".range_penalty", w.RangePenalty, 0, 20)
	k.between(field+".attack_bonus", w.AttackBonus, -50, 50)
	k.between(field+".damage_bonus", w.DamageBonus, -50, 100)
	for i, x := range w.Extra {
		k.dice(fmt.Sprintf("%s.extra[%d].dice", field, i), x.Dice, body.DiceWord, true)
	}
	k.among(field+".hand", w.Hand, "", body.PlaceMain, body.PlaceOff, body.PlaceBoth, body.PlaceStowed, body.PlacePack)
	k.between(field+".hardness", w.Hardness, 0, 100)
	k.between(field+".hit_points", w.HitPoints, 0, 10000)
	k.fastened(field, w.Fastened)
	k.among(field+".load", w.Load, "", body.LoadHand, body.LoadLight, body.LoadHeavy, body.LoadRepeating, body.LoadSimple, body.LoadMartial, body.LoadFlask)
	if flask := w.Load == body.LoadFlask; w.Load != "" && !flask && w.Kind != body.KindProjectile || flask && (w.Kind != body.KindThrown || !w.Splash) {
		k.wrong(field+".load", "only what shoots projectiles is loaded, and only a splash weapon is a flask")
	}
	k.between(field+".capacity", w.Capacity, 0, 100)
	k.dice(field+".double_dice", w.DoubleDice, body.DiceWord, false)
	if w.DoubleDice != "" && (w.Kind != body.KindMelee || w.Hands != 2) {
		k.wrong(field+".double_dice", "a double weapon is a melee weapon for two hands")
	}
}

// fastened: nothing, or at least 5.
//
// celesia.maneuver.steal-fastened
func (k *sheetCheck) fastened(field string, n int32) {
	if n != 0 {
		k.between(field+".fastened", n, 5, 100)
	}
}

func (k *sheetCheck) thing(field string, th *eventv1.CelesiaThing) {
	k.among(field+".kind", th.Kind, "", body.ThingShield, body.ThingRope, body.ThingCommand, body.ThingTrigger, body.ThingCompletion, body.ThingGauntlet)
	k.among(field+".place", th.Place, "", body.PlaceMain, body.PlaceOff, body.PlaceCarried, body.PlaceWorn, body.PlaceStowed, body.PlacePack)
	k.between(field+".shield_bonus", th.ShieldBonus, 0, 20)
	k.between(field+".hardness", th.Hardness, 0, 100)
	k.between(field+".hit_points", th.HitPoints, 0, 10000)
	k.fastened(field, th.Fastened)
	magic := th.Kind == body.ThingCommand || th.Kind == body.ThingTrigger || th.Kind == body.ThingCompletion
	switch {
	case magic && th.Spell == nil:
		k.wrong(field+".spell", "needed for an item of that kind")
	case !magic && th.Spell != nil:
		k.wrong(field+".spell", "only for command words, triggers and scrolls")
	case magic:
		k.spell(field+".spell", th.Spell)
	}
}

// potion checks the spell of a potion: nobody casts it, and it hits whoever drinks.
func (k *sheetCheck) potion(field string, sp *eventv1.CelesiaSpell) {
	if sp == nil {
		return
	}
	whole := proto.CloneOf(sp)
	if whole.Casting == "" {
		whole.Casting = "standard"
	}
	if sp.Attack != "" || sp.Concentration || sp.Redirectable || sp.Dismissible {
		k.wrong(field, "makes no attack roll, and nobody concentrates on, turns or dismisses it")
	}
	k.spell(field, whole)
}

func (k *sheetCheck) spell(field string, sp *eventv1.CelesiaSpell) {
	k.between(field+".component_acts", sp.ComponentActs, 0, 2)
	k.among(field+".casting", sp.Casting, "swift", "standard", "full", "1-round")
	k.among(field+".attack", sp.Attack, "", "melee-touch", "ranged-touch")
	k.among(field+".save", sp.Save, "", "fortitude", "reflex", "will")
	k.among(field+".save_effect", sp.SaveEffect, "", "half", "negates")
	k.between(field+".save_dc", sp.SaveDc, 0, 100)
	k.among(field+".restores", sp.Restores, "", body.DeedRestore, body.DeedRegrow)
	k.between(field+".caster_level", sp.CasterLevel, 0, 40)
	k.dice(field+".dice_per_level", sp.DicePerLevel, body.DiceWord, false)
	k.dice(field+".dice", sp.Dice, body.DiceWord, false)
	k.dice(field+".healing", sp.Healing, body.HealingWord, false)
	k.between(field+".range_feet", sp.RangeFeet, 0, 10000)
	k.between(field+".uses", sp.Uses, 0, 1000)
	k.between(field+".level", sp.Level, 0, 9)
	k.between(field+".targets", sp.Targets, 0, rules.MaxCreatures) // as many for an area of content
	k.between(field+".range_per_level", sp.RangePerLevel, 0, 1000)
	k.between(field+".maximum_levels", sp.MaximumLevels, 0, 40)
	k.between(field+".turns", sp.Turns, 0, 10000)
	if v := (System{}).Vocabulary(); sp.Condition != "" && v.Find(rules.PlaceCondition, "", sp.Condition) == nil && k.content.Entry(effects.Conditions, sp.Condition) == nil {
		known := append(v.Names(rules.PlaceCondition, ""), k.content.IDs(effects.Conditions)...)
		k.wrong(field+".condition", "%q is no condition%s; known are %v", sp.Condition, rules.DidYouMean(sp.Condition, known), known)
	}
	k.penalty(field, sp)
}

// skill refuses what is no skill, nor a kind of one.
func (k *sheetCheck) skill(field, name string) {
	if f, refused := fault.As(body.NamesSkill(field, name)); refused {
		k.wrong(field, "%s", f.Violations[0].Description)
	}
}

// hands checks that what is in hand at the start fits two hands.
func (k *sheetCheck) hands(s *eventv1.CelesiaSheet) {
	taken := map[string]string{}
	for i, w := range s.Weapons {
		if body.Bodyless(w) {
			continue
		}
		var hands []string
		switch p := body.StartPlace(w); p {
		case body.PlaceBoth:
			hands = []string{body.PlaceMain, body.PlaceOff}
		case body.PlaceMain, body.PlaceOff:
			hands = []string{p}
		}
		if w.Hands == 2 && len(hands) == 1 {
			k.wrong(fmt.Sprintf("celesia.weapons[%d].hand", i), "needs both hands")
		}
		for _, h := range hands {
			if other, ok := taken[h]; ok {
				k.wrong(fmt.Sprintf("celesia.weapons[%d].hand", i), "that hand holds %s", other)
			}
			taken[h] = w.Name
		}
	}
	for i, th := range s.Things {
		p := body.ThingPlace(th)
		if other, ok := taken[p]; ok && body.InHand(p) {
			k.wrong(fmt.Sprintf("celesia.things[%d].place", i), "that hand holds %s", other)
		}
		taken[p] = th.Name
	}
}
