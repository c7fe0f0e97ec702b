package rcr

import (
	"fmt"
	"slices"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	"github.com/skaldrpg/skald/pkg/rules/rcr/movement"
	"github.com/skaldrpg/skald/pkg/rules/rcr/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// sheetChecker collects what is wrong with a sheet.
type sheetChecker struct {
	content *effects.Book
	out     []fault.Violation
}

func (k *sheetChecker) wrong(field, format string, args ...any) {
	k.out = append(k.out, fault.Violation{Field: "sheet." + field, Description: fmt.Sprintf(format, args...)})
}

func (k *sheetChecker) within(field string, n, low, high int32) {
	if n < low || n > high {
		k.wrong(field, "must be %d to %d, not %d", low, high, n)
	}
}

// CheckSheet says what is wrong with the rcr section of a sheet.
func (System) CheckSheet(sheet *eventv1.Sheet) []fault.Violation {
	return System{}.CheckSheetBy(nil, sheet)
}

// CheckSheetBy is CheckSheet where content has conditions and feats of its own.
func (System) CheckSheetBy(content *effects.Book, sheet *eventv1.Sheet) []fault.Violation {
	if content == nil {
		content = rules.OwnBook(System{})
	}
	k := &sheetChecker{content: content}
	s := sheet.GetRcr()
	if s == nil {
		k.wrong("rcr", "the section of this system is missing")
		return k.out
	}
	if !slices.Contains(strike.Sizes, sheet.Size) {
		k.wrong("size", "%q is not one of %v", sheet.Size, strike.Sizes)
	}
	for _, a := range rules.SortedKeys(sheet.Abilities) {
		if !slices.Contains(body.Abilities, a) {
			k.wrong("abilities["+a+"]", "no such ability%s", rules.DidYouMean(a, body.Abilities))
		}
		k.within("abilities["+a+"]", sheet.Abilities[a], 1, 30)
	}
	for _, m := range rules.SortedKeys(sheet.Speeds) {
		k.within("speeds["+m+"]", sheet.Speeds[m], 0, 10_000)
	}
	k.numbers(s)
	k.bounds(s)
	k.attacks(s)
	k.spellsAndPowers(s)
	k.legendary(s)
	k.creation(s)
	k.words(sheet, s)
	return k.out
}

func (k *sheetChecker) numbers(s *eventv1.RcrSheet) {
	k.within("rcr.level", s.Level, 0, 20)
	k.within("rcr.armor_class", s.ArmorClass, 1, 100)
	k.within("rcr.proficiency_bonus", s.ProficiencyBonus, 0, 20)
	k.within("rcr.attacks_per_action", s.AttacksPerAction, 0, 20)
	k.within("rcr.healers_kit_uses", s.HealersKitUses, 0, 10_000)
	k.within("rcr.weight", s.Weight, 0, body.MaxPounds)
	k.within("rcr.carrying_capacity", s.CarryingCapacity, 0, body.MaxPounds)
	k.within("rcr.load", s.Load, 0, body.MaxPounds)
	k.within("rcr.spell_dc", s.SpellDc, 0, 100)
	k.within("rcr.weapon_dc", s.WeaponDc, 0, 100)
	switch s.ChallengeRating {
	case "", "1/8", "1/4", "1/2":
	default:
		if n := body.Atoi(s.ChallengeRating); fmt.Sprint(n) != s.ChallengeRating || n > 30 {
			k.wrong("rcr.challenge_rating", "%q is not 0, 1/8, 1/4, 1/2 or 1 to 30", s.ChallengeRating)
		}
	}
	for _, a := range rules.SortedKeys(s.Saves) {
		if !slices.Contains(body.Abilities, a) {
			k.wrong("rcr.saves["+a+"]", "no such ability%s", rules.DidYouMean(a, body.Abilities))
		}
		k.within("rcr.saves["+a+"]", s.Saves[a], -100, 100)
	}
	if len(s.SpellSlots) > 9 {
		k.wrong("rcr.spell_slots", "at most 9 levels")
	}
	for i, n := range s.SpellSlots {
		k.within(fmt.Sprintf("rcr.spell_slots[%d]", i), n, 0, 1000)
	}
	for i, h := range s.HitDice {
		field := fmt.Sprintf("rcr.hit_dice[%d]", i)
		k.within(field+".size", h.Size, 1, 100)
		k.within(field+".total", h.Total, 0, 1000)
		k.within(field+".spent", h.Spent, 0, max(0, h.Total))
	}
	k.count("attacks", len(s.Attacks))
	k.count("spells", len(s.Spells))
	k.count("powers", len(s.Powers))
	k.count("items", len(s.Items))
	k.count("resources", len(s.Resources))
	k.count("skills", len(s.Skills))
	k.count("multiattack", len(s.Multiattack))
}

func (k *sheetChecker) count(list string, n int) {
	if n > body.MaxEntries {
		k.wrong("rcr."+list, "at most %d", body.MaxEntries)
	}
}

func (k *sheetChecker) attacks(s *eventv1.RcrSheet) {
	var names []string
	for i, a := range s.Attacks {
		field := fmt.Sprintf("rcr.attacks[%d]", i)
		names = k.name(field, a.Name, names)
		if a.Name == "no" {
			k.wrong(field+".name", "is kept for declining")
		}
		if a.ReachFeet == 0 && a.RangeFeet == 0 {
			k.wrong(field, "needs a reach or a range")
		}
		k.within(field+".reach_feet", a.ReachFeet, 0, body.MaxFeet)
		k.within(field+".range_feet", a.RangeFeet, 0, body.MaxFeet)
		k.within(field+".long_range_feet", a.LongRangeFeet, 0, body.MaxFeet)
		k.within(field+".bonus", a.Bonus, -100, 100)
		k.within(field+".critical_from", a.CriticalFrom, 0, 20)
		if !slices.Contains([]string{"", "main", "off", "stowed"}, a.Hand) {
			k.wrong(field+".hand", "%q is not main, off or stowed", a.Hand)
		}
		k.damage(field+".damage", a.Damage)
		k.damage(field+".two_handed_damage", a.TwoHandedDamage)
		k.damage(field+".save_damage", a.SaveDamage)
		k.save(field+".save", a.Save)
		k.effects(field+".effects", a.Effects)
	}
	for _, p := range s.Powers {
		names = append(names, p.Name)
	}
	for i, way := range s.Multiattack {
		for j, p := range way.Parts {
			field := fmt.Sprintf("rcr.multiattack[%d].parts[%d]", i, j)
			if !slices.Contains(names, p.Name) {
				k.wrong(field+".name", "%q is no attack or power of the sheet%s", p.Name, rules.DidYouMean(p.Name, names))
			}
			k.within(field+".count", p.Count, 1, 20)
		}
	}
}

func (k *sheetChecker) spellsAndPowers(s *eventv1.RcrSheet) {
	var names []string
	for i, p := range s.Powers {
		field := fmt.Sprintf("rcr.powers[%d]", i)
		names = k.name(field, p.Name, names)
		if !slices.Contains([]string{"", "action", "bonus", "reaction", "free", "legendary"}, p.Cost) {
			k.wrong(field+".cost", "%q is not action, bonus, reaction, free or legendary", p.Cost)
		}
		k.damage(field+".damage", p.Damage)
		k.dice(field+".healing", p.Healing)
		k.save(field+".save", p.Save)
		k.effects(field+".effects", p.Effects)
		k.within(field+".targets", p.Targets, 0, rules.MaxCreatures)
		k.within(field+".teleport_feet", p.TeleportFeet, 0, body.MaxFeet)
	}
	names = nil
	for i, sp := range s.Spells {
		field := fmt.Sprintf("rcr.spells[%d]", i)
		names = k.name(field, sp.Name, names)
		k.within(field+".level", sp.Level, 0, 9)
		k.within(field+".targets", sp.Targets, 0, rules.MaxCreatures)
		k.within(field+".upcast_targets", sp.UpcastTargets, 0, rules.MaxCreatures)
		k.within(field+".teleport_feet", sp.TeleportFeet, 0, body.MaxFeet)
		if sp.Usage != nil && !sp.Innate {
			k.wrong(field+".usage", "a spell with uses of its own is innate")
		}
		if !slices.Contains([]string{"", "melee", "ranged"}, sp.Attack) {
			k.wrong(field+".attack", "%q is not melee or ranged", sp.Attack)
		}
		k.damage(field+".damage", sp.Damage)
		k.dice(field+".healing", sp.Healing)
		k.dice(field+".upcast_dice", sp.UpcastDice)
		k.Upcast(field, sp)
		k.save(field+".save", sp.Save)
		k.effects(field+".effects", sp.Effects)
	}
	names = nil
	for i, it := range s.Items {
		field := fmt.Sprintf("rcr.items[%d]", i)
		names = k.name(field, it.Name, names)
		k.dice(field+".healing", it.Healing)
		k.within(field+".charges", it.Charges, 0, 10_000)
		k.within(field+".fly_speed", it.FlySpeed, 0, body.MaxFeet)
	}
}

// Upcast checks that a spell can be rolled at the highest level.
func (k *sheetChecker) Upcast(field string, sp *eventv1.RcrSpell) {
	c := &movement.Casting{Sp: sp, Slot: 9}
	if sp.UpcastDice == "" {
		return
	}
	if sp.Healing != "" {
		k.dice(field+".healing", c.Upcast(sp.Healing))
	}
	if len(sp.Damage) > 0 {
		k.dice(field+".damage[0].dice", c.Upcast(sp.Damage[0].Dice))
	}
}

// legendary checks legendary actions and regeneration.
func (k *sheetChecker) legendary(s *eventv1.RcrSheet) {
	k.within("rcr.legendary_actions", s.LegendaryActions, 0, 20)
	if g := s.Regeneration; g != nil {
		const field = "rcr.regeneration"
		k.within(field+".amount", g.Amount, 1, 10_000)
		for i, t := range g.StoppedBy {
			if !slices.Contains(body.DamageTypes, t) {
				k.wrong(fmt.Sprintf("%s.stopped_by[%d]", field, i), "%q is no type of damage", t)
			}
		}
	}
	var names []string
	for i, l := range s.Legendary {
		field := fmt.Sprintf("rcr.legendary[%d]", i)
		names = k.name(field, l.Name, names)
		k.within(field+".cost", l.Cost, 0, max(1, s.LegendaryActions))
		k.within(field+".move_percent", l.MovePercent, 0, 1000)
		k.within(field+".teleport_feet", l.TeleportFeet, 0, body.MaxFeet)
		if l.Attack != "" && !slices.ContainsFunc(s.Attacks, func(a *eventv1.RcrAttack) bool { return a.Name == l.Attack }) {
			k.wrong(field+".attack", "%q is no attack of the sheet%s", l.Attack, rules.DidYouMean(l.Attack, body.NamesOf(s.Attacks)))
		}
		if l.Power != "" && !slices.ContainsFunc(s.Powers, func(p *eventv1.RcrPower) bool { return p.Name == l.Power }) {
			k.wrong(field+".power", "%q is no power of the sheet%s", l.Power, rules.DidYouMean(l.Power, body.NamesOf(s.Powers)))
		}
		if _, skill := body.SkillAbility[l.Skill]; l.Skill != "" && !skill {
			k.wrong(field+".skill", "%q is no skill%s", l.Skill, rules.DidYouMean(l.Skill, rules.SortedKeys(body.SkillAbility)))
		}
	}
}

func (k *sheetChecker) name(field, name string, taken []string) []string {
	switch {
	case name == "" || len(name) > rules.MaxIDLength:
		k.wrong(field+".name", "must be 1 to %d bytes", rules.MaxIDLength)
	case slices.Contains(taken, name):
		k.wrong(field+".name", "%q is there twice", name)
	}
	return append(taken, name)
}

func (k *sheetChecker) damage(field string, parts []*eventv1.RcrDamage) {
	for i, p := range parts {
		k.known(fmt.Sprintf("%s[%d].type", field, i), "type of damage", p.Type, body.DamageTypes)
		if p.Dice == "" {
			k.wrong(fmt.Sprintf("%s[%d].dice", field, i), "missing")
		}
		k.dice(fmt.Sprintf("%s[%d].dice", field, i), p.Dice)
	}
}

func (k *sheetChecker) dice(field, expression string) {
	if expression == "" {
		return
	}
	if err := dice.RollableHit(expression); err != nil {
		k.wrong(field, "%v", err)
	}
}

func (k *sheetChecker) save(field string, s *eventv1.RcrSave) {
	if s == nil {
		return
	}
	if !slices.Contains(body.Abilities, s.Ability) {
		k.wrong(field+".ability", "%q is no ability%s", s.Ability, rules.DidYouMean(s.Ability, body.Abilities))
	}
	k.within(field+".dc", s.Dc, 0, 100)
}

func (k *sheetChecker) effects(field string, list []*eventv1.RcrEffect) {
	for i, e := range list {
		at := fmt.Sprintf("%s[%d]", field, i)
		if e.Condition == "" || len(e.Condition) > rules.MaxIDLength {
			k.wrong(at+".condition", "must be 1 to %d bytes", rules.MaxIDLength)
		} else if why := body.KnownName(rules.PlaceCondition, e.Condition); why != "" && k.content.Entry(effects.Conditions, e.Condition) == nil {
			k.wrong(at+".condition", "%s", why)
		}
		if e.Condition == body.CondParalyzed {
			k.known(at+".variant", "variant", e.Variant, body.Variants)
		}
		k.within(fmt.Sprintf("%s[%d].rounds", field, i), e.Rounds, 0, 100_000)
		k.within(at+".escape_dc", e.EscapeDc, 0, 100)
		k.dice(fmt.Sprintf("%s[%d].temporary_hit_points", field, i), e.TemporaryHitPoints)
		for _, key := range rules.SortedKeys(e.Changes) {
			at := fmt.Sprintf("%s[%d].changes[%s]", field, i, key)
			if !body.KnownChange(key) {
				k.wrong(at, "no roll, number or defence of a creature%s", rules.DidYouMean(key, body.ConditionValues))
			}
			k.within(at, e.Changes[key], -1000, 1000)
		}
	}
}
