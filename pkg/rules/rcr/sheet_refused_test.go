package rcr

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// What is refused of a sheet, by the field that is wrong and no other, and beside each
// what comes nearest to it and is taken.
func TestRefusalsOfASheet(t *testing.T) {
	long := strings.Repeat("x", rules.MaxIDLength)
	type spoil = func(s *eventv1.Sheet, r *eventv1.RcrSheet)
	set := func(do func(r *eventv1.RcrSheet)) spoil {
		return func(_ *eventv1.Sheet, r *eventv1.RcrSheet) { do(r) }
	}
	attack := func(a *eventv1.RcrAttack) spoil {
		return set(func(r *eventv1.RcrSheet) { r.Attacks = append(r.Attacks, a) })
	}
	effect := func(e *eventv1.RcrEffect) spoil { return set(func(r *eventv1.RcrSheet) { r.Powers[0].Effects[0] = e }) }
	power := func(p *eventv1.RcrPower) spoil {
		return set(func(r *eventv1.RcrSheet) { r.Powers = append(r.Powers, p) })
	}
	spell := func(sp *eventv1.RcrSpell) spoil {
		return set(func(r *eventv1.RcrSheet) { r.Spells = append(r.Spells, sp) })
	}
	item := func(it *eventv1.RcrItem) spoil {
		return set(func(r *eventv1.RcrSheet) { r.Items = append(r.Items, it) })
	}
	tail := func(l *eventv1.RcrLegendary) spoil { return set(func(r *eventv1.RcrSheet) { r.Legendary[0] = l }) }
	dmg := func(dice, kind string) []*eventv1.RcrDamage { return []*eventv1.RcrDamage{{Dice: dice, Type: kind}} }
	const most = limits.DiceDice / 2 // a critical hit rolls twice as many
	d6 := func(n int) string { return fmt.Sprintf("%dd6", n) }
	for _, c := range []struct {
		name  string
		bad   spoil
		field string
		good  spoil
	}{
		{"a size", func(s *eventv1.Sheet, _ *eventv1.RcrSheet) { s.Size = "Medium" }, "size", func(s *eventv1.Sheet, _ *eventv1.RcrSheet) { s.Size = "tiny" }},
		{"an ability", func(s *eventv1.Sheet, _ *eventv1.RcrSheet) { s.Abilities["luck"] = 10 }, "abilities[luck]", func(s *eventv1.Sheet, _ *eventv1.RcrSheet) { s.Abilities["wisdom"] = 10 }},
		{"a mode of movement", func(s *eventv1.Sheet, _ *eventv1.RcrSheet) { s.Speeds["roll"] = 10 }, "speeds[roll]", func(s *eventv1.Sheet, _ *eventv1.RcrSheet) { s.Speeds["climb"] = 10 }},
		{"a saving throw", set(func(r *eventv1.RcrSheet) { r.Saves = map[string]int32{"wits": 1} }), "rcr.saves[wits]", set(func(r *eventv1.RcrSheet) { r.Saves = map[string]int32{"wisdom": 1} })},
		{"slots", set(func(r *eventv1.RcrSheet) { r.SpellSlots = make([]int32, 10) }), "rcr.spell_slots", set(func(r *eventv1.RcrSheet) { r.SpellSlots = make([]int32, 9) })},

		{"an attack without a name", attack(&eventv1.RcrAttack{ReachFeet: 5}), "rcr.attacks[2].name", attack(&eventv1.RcrAttack{Name: "x", ReachFeet: 5})},
		{"the name of an attack, too long", attack(&eventv1.RcrAttack{Name: long + "x", ReachFeet: 5}), "rcr.attacks[2].name", attack(&eventv1.RcrAttack{Name: long, ReachFeet: 5})},
		{"an attack twice", attack(&eventv1.RcrAttack{Name: "bow", ReachFeet: 5}), "rcr.attacks[2].name", attack(&eventv1.RcrAttack{Name: "Bow", ReachFeet: 5})},
		{"an attack that declines", attack(&eventv1.RcrAttack{Name: "no", ReachFeet: 5}), "rcr.attacks[2].name", attack(&eventv1.RcrAttack{Name: "not", ReachFeet: 5})},
		{"neither reach nor range", attack(&eventv1.RcrAttack{Name: "x", LongRangeFeet: 60}), "rcr.attacks[2]", attack(&eventv1.RcrAttack{Name: "x", RangeFeet: 60})},
		{"damage without dice", attack(&eventv1.RcrAttack{Name: "x", ReachFeet: 5, Damage: dmg("", "fire")}), "rcr.attacks[2].damage[0].dice", attack(&eventv1.RcrAttack{Name: "x", ReachFeet: 5, Damage: dmg("1", "fire")})},
		{"two-handed damage", attack(&eventv1.RcrAttack{Name: "x", ReachFeet: 5, TwoHandedDamage: dmg("1d", "fire")}), "rcr.attacks[2].two_handed_damage[0].dice", attack(&eventv1.RcrAttack{Name: "x", ReachFeet: 5, TwoHandedDamage: dmg("1d4", "Fire")})},
		{"the type of two-handed damage", attack(&eventv1.RcrAttack{Name: "x", ReachFeet: 5, TwoHandedDamage: dmg("1d4", "hot")}), "rcr.attacks[2].two_handed_damage[0].type", attack(&eventv1.RcrAttack{Name: "x", ReachFeet: 5, TwoHandedDamage: dmg("1d4", "")})},
		{"damage of a saving throw", attack(&eventv1.RcrAttack{Name: "x", ReachFeet: 5, SaveDamage: dmg("much", "fire")}), "rcr.attacks[2].save_damage[0].dice", attack(&eventv1.RcrAttack{Name: "x", ReachFeet: 5, SaveDamage: dmg("2d6", "fire")})},
		{"a saving throw of no ability", attack(&eventv1.RcrAttack{Name: "x", ReachFeet: 5, Save: &eventv1.RcrSave{Dc: 10}}), "rcr.attacks[2].save.ability", attack(&eventv1.RcrAttack{Name: "x", ReachFeet: 5, Save: &eventv1.RcrSave{Ability: "wisdom", Dc: 10}})},

		{"a part of a multiattack", set(func(r *eventv1.RcrSheet) { r.Multiattack[0].Parts[1].Name = "tail" }), "rcr.multiattack[0].parts[1].name", set(func(r *eventv1.RcrSheet) { r.Multiattack[0].Parts[1].Name = "bow" })},
		{"a power twice", power(&eventv1.RcrPower{Name: "breath"}), "rcr.powers[1].name", power(&eventv1.RcrPower{Name: "sword"})}, // an attack's name is free
		{"a power without a name", power(&eventv1.RcrPower{}), "rcr.powers[1].name", power(&eventv1.RcrPower{Name: "x"})},
		{"damage of a power", power(&eventv1.RcrPower{Name: "x", Damage: dmg("lots", "")}), "rcr.powers[1].damage[0].dice", power(&eventv1.RcrPower{Name: "x", Damage: dmg("8d6", "")})},
		{"the saving throw of a power", power(&eventv1.RcrPower{Name: "x", Save: &eventv1.RcrSave{Ability: "reflex"}}), "rcr.powers[1].save.ability", power(&eventv1.RcrPower{Name: "x", Save: &eventv1.RcrSave{Ability: "dexterity"}})},
		{"the resource of a power", power(&eventv1.RcrPower{Name: "x", Resource: "chi"}), "rcr.powers[1].resource", power(&eventv1.RcrPower{Name: "x", Resource: "ki"})},

		{"a spell twice", spell(&eventv1.RcrSpell{Name: "fire"}), "rcr.spells[1].name", spell(&eventv1.RcrSpell{Name: "breath"})},
		{"uses of a spell that takes slots", spell(&eventv1.RcrSpell{Name: "x", Usage: &eventv1.RcrUsage{Uses: 1}}), "rcr.spells[1].usage", spell(&eventv1.RcrSpell{Name: "x", Innate: true, Usage: &eventv1.RcrUsage{Uses: 1}})},
		{"damage that cannot be cast higher", spell(&eventv1.RcrSpell{Name: "x", Level: 1, Damage: dmg("500d6", ""), UpcastDice: "500d6"}), "rcr.spells[1].damage[0].dice", spell(&eventv1.RcrSpell{Name: "x", Level: 1, Damage: dmg("8d6", ""), UpcastDice: "1d6"})},
		{"one die too many by a slot of the 9th level", spell(&eventv1.RcrSpell{Name: "x", Level: 1, Damage: dmg(d6(most-8*100+1), ""), UpcastDice: "100d6"}), "rcr.spells[1].damage[0].dice",
			spell(&eventv1.RcrSpell{Name: "x", Level: 1, Damage: dmg(d6(most-8*100), ""), UpcastDice: "100d6"})},
		{"healing that cannot be cast higher", spell(&eventv1.RcrSpell{Name: "x", Level: 1, Healing: "500d6", UpcastDice: "500d6"}), "rcr.spells[1].healing", spell(&eventv1.RcrSpell{Name: "x", Level: 1, Healing: "1d8", UpcastDice: "1d8"})},
		{"the saving throw of a spell", spell(&eventv1.RcrSpell{Name: "x", Save: &eventv1.RcrSave{Ability: "will"}}), "rcr.spells[1].save.ability", spell(&eventv1.RcrSpell{Name: "x", Save: &eventv1.RcrSave{Ability: "wisdom"}})},
		{"an item twice", item(&eventv1.RcrItem{Name: "wand"}), "rcr.items[1].name", item(&eventv1.RcrItem{Name: "rod"})},

		{"a condition without a name", effect(&eventv1.RcrEffect{}), "rcr.powers[0].effects[0].condition", effect(&eventv1.RcrEffect{Condition: "prone"})},
		{"the name of a condition, too long", effect(&eventv1.RcrEffect{Condition: "effect." + long}), "rcr.powers[0].effects[0].condition", effect(&eventv1.RcrEffect{Condition: "effect." + long[:len(long)-len("effect.")]})},
		{"no such condition", effect(&eventv1.RcrEffect{Condition: "sticky"}), "rcr.powers[0].effects[0].condition", effect(&eventv1.RcrEffect{Condition: "effect.sticky"})},
		{"a kind of paralysis", effect(&eventv1.RcrEffect{Condition: body.CondParalyzed, Variant: "cold"}), "rcr.powers[0].effects[0].variant", effect(&eventv1.RcrEffect{Condition: body.CondParalyzed, Variant: body.VariantStricken})},
		{"temporary hit points", effect(&eventv1.RcrEffect{Condition: "blessed", TemporaryHitPoints: "some"}), "rcr.powers[0].effects[0].temporary_hit_points", effect(&eventv1.RcrEffect{Condition: "blessed", TemporaryHitPoints: "1d4+4"})},
		{"what an effect changes", effect(&eventv1.RcrEffect{Condition: "blessed", Changes: map[string]int32{"luck": 1}}), "rcr.powers[0].effects[0].changes[luck]", effect(&eventv1.RcrEffect{Condition: "blessed", Changes: map[string]int32{"attack": 1}})},
		{"dice that nobody has", effect(&eventv1.RcrEffect{Condition: "blessed", Changes: map[string]int32{"attack.d7": 1}}), "rcr.powers[0].effects[0].changes[attack.d7]", effect(&eventv1.RcrEffect{Condition: "blessed", Changes: map[string]int32{"attack.d4": 1}})},
		{"advantage on damage", effect(&eventv1.RcrEffect{Condition: "blessed", Changes: map[string]int32{"advantage.damage": 1}}), "rcr.powers[0].effects[0].changes[advantage.damage]", effect(&eventv1.RcrEffect{Condition: "blessed", Changes: map[string]int32{"advantage.attacked": 1}})},
		{"resistance to what is no type", effect(&eventv1.RcrEffect{Condition: "blessed", Changes: map[string]int32{"resist.hot": 1}}), "rcr.powers[0].effects[0].changes[resist.hot]", effect(&eventv1.RcrEffect{Condition: "blessed", Changes: map[string]int32{"immune.all": 1}})},
		{"too great a change", effect(&eventv1.RcrEffect{Condition: "blessed", Changes: map[string]int32{"save.wisdom": 1001}}), "rcr.powers[0].effects[0].changes[save.wisdom]", effect(&eventv1.RcrEffect{Condition: "blessed", Changes: map[string]int32{"save.wisdom": 1000}})},
		{"too small a change", effect(&eventv1.RcrEffect{Condition: "blessed", Changes: map[string]int32{"damage.fire": -1001}}), "rcr.powers[0].effects[0].changes[damage.fire]", effect(&eventv1.RcrEffect{Condition: "blessed", Changes: map[string]int32{"damage.fire": -1000}})},

		{"a legendary action twice", set(func(r *eventv1.RcrSheet) { r.Legendary = append(r.Legendary, &eventv1.RcrLegendary{Name: "tail"}) }), "rcr.legendary[1].name", set(func(r *eventv1.RcrSheet) { r.Legendary = append(r.Legendary, &eventv1.RcrLegendary{Name: "wing"}) })},
		{"a legendary attack", tail(&eventv1.RcrLegendary{Name: "tail", Attack: "tail"}), "rcr.legendary[0].attack", tail(&eventv1.RcrLegendary{Name: "tail", Attack: "bow"})},
		{"a legendary power", tail(&eventv1.RcrLegendary{Name: "tail", Power: "sword"}), "rcr.legendary[0].power", tail(&eventv1.RcrLegendary{Name: "tail", Power: "breath"})},
		{"a legendary check", tail(&eventv1.RcrLegendary{Name: "tail", Skill: "wisdom"}), "rcr.legendary[0].skill", tail(&eventv1.RcrLegendary{Name: "tail", Skill: "insight"})},
		{"too dear", tail(&eventv1.RcrLegendary{Name: "tail", Cost: 4}), "rcr.legendary[0].cost", tail(&eventv1.RcrLegendary{Name: "tail", Cost: 3})},
		{"a cost of two where none are had", set(func(r *eventv1.RcrSheet) { r.LegendaryActions, r.Legendary[0].Cost = 0, 2 }), "rcr.legendary[0].cost", set(func(r *eventv1.RcrSheet) { r.LegendaryActions, r.Legendary[0].Cost = 0, 1 })},
		{"what stops a regeneration", set(func(r *eventv1.RcrSheet) { r.Regeneration.StoppedBy = []string{"fire", "water"} }), "rcr." + "regeneration.stopped_by[1]", set(func(r *eventv1.RcrSheet) { r.Regeneration.StoppedBy = []string{"fire", "acid"} })},

		{"a trait of no name", set(func(r *eventv1.RcrSheet) { r.Traits = []string{""} }), "rcr.traits[0]", set(func(r *eventv1.RcrSheet) { r.Traits = []string{"pack tactics"} })},
		{"a feature twice", set(func(r *eventv1.RcrSheet) {
			r.Features = []*eventv1.RcrFeature{{Name: "charge", Feet: 20}, {Name: "charge", Feet: 20}}
		}), "rcr.features[1].name", set(func(r *eventv1.RcrSheet) {
			r.Features = []*eventv1.RcrFeature{{Name: "charge", Feet: 20}, {Name: "pounce", Feet: 20}}
		})},
		{"the attack of a feature", set(func(r *eventv1.RcrSheet) {
			r.Features = []*eventv1.RcrFeature{{Name: "charge", Feet: 20, Attack: "gore"}}
		}), "rcr.features[0].attack", set(func(r *eventv1.RcrSheet) {
			r.Features = []*eventv1.RcrFeature{{Name: "charge", Feet: 20, Attack: "sword"}}
		})},
		{"what follows a feature", set(func(r *eventv1.RcrSheet) {
			r.Features = []*eventv1.RcrFeature{{Name: "pounce", Feet: 20, Follow: "bite"}}
		}), "rcr.features[0].follow", set(func(r *eventv1.RcrSheet) {
			r.Features = []*eventv1.RcrFeature{{Name: "pounce", Feet: 20, Follow: "bow"}}
		})},
		{"a feat of no name", set(func(r *eventv1.RcrSheet) { r.Feats = []string{""} }), "rcr.feats[0]", set(func(r *eventv1.RcrSheet) { r.Feats = []string{"tough"} })},
		{"a feat of the common core", func(s *eventv1.Sheet, _ *eventv1.RcrSheet) { s.Feats = []string{"tuff"} }, "feats[0]", func(s *eventv1.Sheet, _ *eventv1.RcrSheet) { s.Feats = []string{"tough"} }},
		{"an immunity to a condition", set(func(r *eventv1.RcrSheet) { r.ConditionImmunities = []string{"tired"} }), "rcr.condition_immunities[0]", set(func(r *eventv1.RcrSheet) { r.ConditionImmunities = []string{"exhaustion", "prone"} })},
		{"a sense", set(func(r *eventv1.RcrSheet) { r.Senses = map[string]int32{"smell": 30} }), "rcr.senses[smell]", set(func(r *eventv1.RcrSheet) { r.Senses = map[string]int32{"tremorsense": 30} })},
		{"a skill", set(func(r *eventv1.RcrSheet) { r.Skills = []*eventv1.RcrSkill{{Name: "lockpicking"}} }), "rcr.skills[0].name", set(func(r *eventv1.RcrSheet) { r.Skills = []*eventv1.RcrSkill{{Name: "strength"}} })},
		{"an immunity", set(func(r *eventv1.RcrSheet) { r.Immunities = []*eventv1.RcrDefense{{Type: "heat"}} }), "rcr.immunities[0].type", set(func(r *eventv1.RcrSheet) { r.Immunities = []*eventv1.RcrDefense{{Type: "Fire"}} })},
		{"a resistance", set(func(r *eventv1.RcrSheet) { r.Resistances = []*eventv1.RcrDefense{{Type: "heat"}} }), "rcr.resistances[0].type", set(func(r *eventv1.RcrSheet) { r.Resistances = []*eventv1.RcrDefense{{Type: "fire"}} })},
		{"a vulnerability", set(func(r *eventv1.RcrSheet) { r.Vulnerabilities = []*eventv1.RcrDefense{{Type: "heat"}} }), "rcr.vulnerabilities[0].type", set(func(r *eventv1.RcrSheet) { r.Vulnerabilities = []*eventv1.RcrDefense{{Type: "cold"}} })},
		{"a weapon's property", set(func(r *eventv1.RcrSheet) { r.Attacks[0].Properties = []string{"sharp"} }), "rcr.attacks[0].properties[0]", set(func(r *eventv1.RcrSheet) { r.Attacks[0].Properties = []string{"Finesse"} })},
		{"what recharges a resource", set(func(r *eventv1.RcrSheet) { r.Resources[0].Recharge = "nap" }), "rcr.resources[0].recharge", set(func(r *eventv1.RcrSheet) { r.Resources[0].Recharge = "day" })},
		{"what spells are cast by", set(func(r *eventv1.RcrSheet) { r.SpellAbility = "wits" }), "rcr.spell_ability", set(func(r *eventv1.RcrSheet) { r.SpellAbility = "wisdom" })},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, spoilt := range []struct {
				do    spoil
				field string
			}{{c.bad, "sheet." + c.field}, {c.good, ""}} {
				s := everything()
				spoilt.do(s, s.GetRcr())
				var fields []string
				for _, v := range (System{}).CheckSheet(s) {
					if !slices.Contains(fields, v.Field) {
						fields = append(fields, v.Field)
					}
				}
				if got := strings.Join(fields, " "); got != spoilt.field {
					t.Errorf("wrong: %q, want %q", got, spoilt.field)
				}
			}
		})
	}
}

// Lists that hold too many are named, each of them at its border.
func TestMoreListsOfASheet(t *testing.T) {
	for field, fill := range map[string]func(s *eventv1.RcrSheet, n int){
		"resources": func(s *eventv1.RcrSheet, n int) {
			s.Resources = many(n, func(name string) *eventv1.RcrResource { return &eventv1.RcrResource{Name: name} })
		},
		"skills": func(s *eventv1.RcrSheet, n int) {
			s.Skills = many(n, func(string) *eventv1.RcrSkill { return &eventv1.RcrSkill{Name: "stealth"} })
		},
		"training": func(s *eventv1.RcrSheet, n int) {
			s.Training = many(n, func(name string) *eventv1.RcrTraining { return &eventv1.RcrTraining{Name: name, Rank: "basic"} })
		},
		"features": func(s *eventv1.RcrSheet, n int) {
			s.Features = many(n, func(name string) *eventv1.RcrFeature { return &eventv1.RcrFeature{Name: name} })
		},
		"bonds": func(s *eventv1.RcrSheet, n int) { s.Bonds = many(n, func(name string) string { return name }) },
	} {
		for n, good := range map[int]bool{200: true, 201: false} {
			s := fighter("ara", "party")
			fill(s.GetRcr(), n)
			refused := slices.ContainsFunc((System{}).CheckSheet(s), func(v fault.Violation) bool { return v.Field == "sheet.rcr."+field })
			if refused == good {
				t.Errorf("%d of %s: refused %v", n, field, refused)
			}
		}
	}
}

// Training: each thing once, whatever the case of its letters, at a rank that there is.
func TestTrainingOfASheet(t *testing.T) {
	long := strings.Repeat("x", rules.MaxIDLength)
	for name, c := range map[string]struct {
		list  []*eventv1.RcrTraining
		field string
	}{
		"two":               {[]*eventv1.RcrTraining{{Name: "maul", Rank: "master"}, {Name: "net", Rank: "untrained"}}, ""},
		"one twice":         {[]*eventv1.RcrTraining{{Name: "maul", Rank: "master"}, {Name: "Maul", Rank: "basic"}}, "rcr.training[1].name"},
		"no name":           {[]*eventv1.RcrTraining{{Rank: "basic"}}, "rcr.training[0].name"},
		"a name of 64":      {[]*eventv1.RcrTraining{{Name: long, Rank: "basic"}}, ""},
		"a name of 65":      {[]*eventv1.RcrTraining{{Name: long + "x", Rank: "basic"}}, "rcr.training[0].name"},
		"no rank":           {[]*eventv1.RcrTraining{{Name: "maul"}}, "rcr.training[0].rank"},
		"a rank of no kind": {[]*eventv1.RcrTraining{{Name: "maul", Rank: "grandmaster"}}, "rcr.training[0].rank"},
	} {
		var got []string
		for _, v := range (System{}).CheckSheet(fighter("ara", "party", rcrSheet(func(s *eventv1.RcrSheet) { s.Training = c.list }))) {
			got = append(got, strings.TrimPrefix(v.Field, "sheet."))
		}
		if strings.Join(got, " ") != c.field {
			t.Errorf("%s: %v, want %q", name, got, c.field)
		}
	}
}

// What code does not decide of a single thing is said of it too.
func TestLeftOfAThing(t *testing.T) {
	flail := &eventv1.RcrAttack{Name: "flail", ReachFeet: 5, Properties: []string{"light", "Trip"}}
	if got := (System{}).LeftOfThing(flail); len(got) != 1 || got[0].Field != "properties[1]" || !strings.Contains(got[0].Description, "Trip") {
		t.Errorf("%v", got)
	}
	if got := (System{}).LeftOfThing(&eventv1.RcrAttack{Name: "dagger", Properties: []string{"light"}}); len(got) > 0 {
		t.Errorf("a dagger: %v", got)
	}
	if got := (System{}).LeftOfThing(&eventv1.RcrSpell{Name: "trip"}); got != nil {
		t.Errorf("a spell: %v", got)
	}
}
