package rcr

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/growth"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// What a sheet says of chosen feats is checked field by field, on both sides of each border.
//
// rcr.feat.ability-increase, rcr.feat.spell-sniper-cantrip, rcr.feat.skill-expert-expertise
func TestWhatChosenFeatsMaySay(t *testing.T) {
	ray := &eventv1.RcrSpell{Name: "ray", Attack: "ranged", RangeFeet: 60}
	sniper := func(change func(f *eventv1.RcrFeat)) func(*eventv1.Sheet) {
		return rcrSheet(func(s *eventv1.RcrSheet) {
			f := &eventv1.RcrFeat{Name: body.FeatSpellSniper, Ability: "wisdom", Picks: []string{"ray"}, SpellList: "druid"}
			change(f)
			s.ChosenFeats = []*eventv1.RcrFeat{f}
			s.Spells = []*eventv1.RcrSpell{ray, {Name: "burst", Level: 1, Attack: "ranged", RangeFeet: 60}, {Name: "glow"}}
			s.SpellAbility = "wisdom"
		})
	}
	expert := func(f *eventv1.RcrFeat) func(*eventv1.Sheet) {
		return rcrSheet(func(s *eventv1.RcrSheet) {
			f.Name, f.Ability = body.FeatSkillExpert, "wisdom"
			s.ChosenFeats = []*eventv1.RcrFeat{f}
			s.Skills = []*eventv1.RcrSkill{{Name: "stealth", Bonus: 3, Proficient: true}, {Name: "arcana", Bonus: 1}}
		})
	}
	for name, c := range map[string]struct {
		change func(*eventv1.Sheet)
		field  string // of the first feat that is wrong; empty for none
	}{
		"a cantrip with an attack":                  {sniper(func(*eventv1.RcrFeat) {}), ""},
		"one that the sheet has not":                {sniper(func(f *eventv1.RcrFeat) { f.Picks = []string{"beam"} }), "picks[0]"},
		"no cantrip":                                {sniper(func(f *eventv1.RcrFeat) { f.Picks = []string{"burst"} }), "picks"},
		"one without an attack":                     {sniper(func(f *eventv1.RcrFeat) { f.Picks = []string{"glow"} }), "picks"},
		"another ability than it casts by":          {sniper(func(f *eventv1.RcrFeat) { f.Ability = "charisma" }), "ability"},
		"another, in the numbers already":           {sniper(func(f *eventv1.RcrFeat) { f.Ability, f.Included = "charisma", true }), ""},
		"an ability in capitals":                    {sniper(func(f *eventv1.RcrFeat) { f.Ability = "Wisdom" }), "ability"},
		"an ability that it does not raise":         {sniper(func(f *eventv1.RcrFeat) { f.Ability = "strength" }), "ability"},
		"no ability, in the numbers":                {sniper(func(f *eventv1.RcrFeat) { f.Ability, f.Included = "", true }), ""},
		"no ability":                                {sniper(func(f *eventv1.RcrFeat) { f.Ability = "" }), "ability"},
		"in the numbers at level 20":                {sniper(func(f *eventv1.RcrFeat) { f.Included, f.IncludedLevel = true, 20 }), ""},
		"in the numbers at level 21":                {sniper(func(f *eventv1.RcrFeat) { f.Included, f.IncludedLevel = true, 21 }), "included_level"},
		"in the numbers at level 0":                 {sniper(func(f *eventv1.RcrFeat) { f.Included = true }), ""},
		"in the numbers below level 0":              {sniper(func(f *eventv1.RcrFeat) { f.Included, f.IncludedLevel = true, -1 }), "included_level"},
		"an expert in what it picks":                {expert(&eventv1.RcrFeat{Picks: []string{"history"}, Expertise: "history"}), ""},
		"an expert in what it knows":                {expert(&eventv1.RcrFeat{Picks: []string{"history"}, Expertise: "stealth"}), ""},
		"an expert in what it is not proficient in": {expert(&eventv1.RcrFeat{Picks: []string{"history"}, Expertise: "arcana"}), "expertise"},
		"an expert in nothing":                      {expert(&eventv1.RcrFeat{Picks: []string{"history"}}), "expertise"},
		"in the numbers, nothing is said":           {expert(&eventv1.RcrFeat{Included: true}), ""},
		"in the numbers, an expertise alone":        {expert(&eventv1.RcrFeat{Included: true, Expertise: "stealth"}), "picks"},
	} {
		v := (System{}).CheckSheet(fighter("a", "party", c.change))
		has := slices.ContainsFunc(v, func(v fault.Violation) bool { return v.Field == "sheet.rcr.chosen_feats[0]."+c.field })
		if c.field == "" && len(v) > 0 || c.field != "" && !has {
			t.Errorf("%s: %v, want %q", name, v, c.field)
		}
	}
}

// rcr.feat.ability-increase: Dexterity is in the armour class of one that wears nothing, a
// shield beside it or not; not where armour or barding is worn, by whatever the number
// happens to be.
func TestArmorThatDexterityIsIn(t *testing.T) {
	shield := eventv1.RcrSheet_SHIELD_SHIELD
	for name, c := range map[string]struct {
		ac, bonus int32
		shield    eventv1.RcrSheet_Shield
		wears     []string
		barding   bool
		want      int32
	}{
		"nothing worn":                           {12, 0, 0, nil, false, 13},
		"another number":                         {13, 0, 0, nil, false, 13},
		"a shield's number, and no shield":       {14, 0, 0, nil, false, 14},
		"a shield":                               {14, 0, shield, nil, false, 15},
		"a shield that adds 3":                   {15, 3, shield, nil, false, 16},
		"a shield that adds 3, as if it did 2":   {14, 3, shield, nil, false, 14},
		"a shield, another number":               {15, 0, shield, nil, false, 15},
		"a shield that is in the number of none": {12, 0, shield, nil, false, 13},
		"armour":                                 {12, 0, 0, []string{"hide"}, false, 12},
		"armour and a shield":                    {14, 0, shield, []string{"hide"}, false, 14},
		"barding":                                {12, 0, 0, nil, true, 12},
		"barding and a shield":                   {14, 0, shield, nil, true, 14},
	} {
		s := fighter("a", "party", ability("dexterity", 15), chosen(&eventv1.RcrFeat{Name: "athlete", Ability: "dexterity"}), rcrSheet(func(s *eventv1.RcrSheet) {
			s.ArmorClass, s.ShieldBonus, s.Shield = c.ac, c.bonus, c.shield
			if c.barding {
				s.Barding = &eventv1.RcrBarding{Type: "leather"}
			}
		}))
		s.Wears = c.wears
		got, _, err := growth.Read(newTable(t).State, s)
		if err != nil || got.GetRcr().ArmorClass != c.want {
			t.Errorf("%s: %d, %v, want %d", name, got.GetRcr().GetArmorClass(), err, c.want)
		}
	}
}

// rcr.feat.spell-sniper-ability: a raised ability raises the numbers of spells that are cast
// by it: the one that a sheet names, else the one that gives its difficulty, or its
// attacks where it gives no difficulty.
func TestSpellsThatAnAbilityIsIn(t *testing.T) {
	for name, c := range map[string]struct {
		dc, bonus         int32
		by                string
		wantDc, wantBonus int32
	}{
		"by both":                    {13, 5, "", 14, 6},
		"by the difficulty alone":    {13, 0, "", 14, 0},
		"by the attacks alone":       {0, 5, "", 0, 6},
		"a difficulty of no ability": {15, 0, "", 15, 0},
		"the difficulty goes before": {15, 5, "", 15, 5},
		"as it is said":              {15, 7, "wisdom", 16, 8},
		"as it is said, otherwise":   {13, 5, "charisma", 13, 5},
		"neither":                    {0, 0, "", 0, 0},
	} {
		_, a := read(t, nil, ability("wisdom", 15), ability("intelligence", 8), ability("charisma", 10), chosen(&eventv1.RcrFeat{Name: "skill expert", Ability: "wisdom", Picks: []string{"stealth"}, Expertise: "stealth"}),
			rcrSheet(func(s *eventv1.RcrSheet) { s.SpellDc, s.SpellAttackBonus, s.SpellAbility = c.dc, c.bonus, c.by }))
		if s := a.Sheet.GetRcr(); s.SpellDc != c.wantDc || s.SpellAttackBonus != c.wantBonus {
			t.Errorf("%s: %d and %d, want %d and %d", name, s.SpellDc, s.SpellAttackBonus, c.wantDc, c.wantBonus)
		}
	}
}

// rcr.feat.tough-level: of one that took the feat at a known level each level since gives
// two hit points; of one whose numbers hold it since nobody knows when, none.
func TestLevelsOfTheTough(t *testing.T) {
	for at, want := range map[int32]int32{0: 40, 1: 48, 4: 42, 5: 40, 6: 40} {
		if _, a := read(t, nil, chosen(&eventv1.RcrFeat{Name: body.FeatTough, Included: true, IncludedLevel: at})); a.Sheet.HitPoints != want {
			t.Errorf("since level %d: %d, want %d", at, a.Sheet.HitPoints, want)
		}
	}
	// Where the table gives nothing by the feat, a level that is said beside it gives nothing.
	if _, a := read(t, off(cite.FeatToughGain), chosen(&eventv1.RcrFeat{Name: body.FeatTough, IncludedLevel: 1})); a.Sheet.HitPoints != 40 {
		t.Errorf("not included: %d", a.Sheet.HitPoints)
	}
}

// rcr.feat.skill-expert-expertise: the proficiency bonus is added once more to what one is
// proficient in, unless the entry, or its number, holds it twice already.
func TestWhoIsAnExpert(t *testing.T) {
	const stealth, dulcimer = "stealth", "dulcimer" // the one goes by Dexterity, 10; the other by nothing
	for name, c := range map[string]struct {
		skill       string
		bonus       int32
		expertise   bool
		proficiency int32
		settings    []string
		want        int32
		expert      bool
	}{
		"proficient":                {stealth, 3, false, 3, nil, 6, true},
		"one more than that":        {stealth, 5, false, 3, nil, 8, true},
		"the number holds it twice": {stealth, 6, false, 3, nil, 6, false},
		"the entry says so":         {stealth, 3, true, 3, nil, 3, true},
		"a tool of no ability":      {dulcimer, 9, false, 3, nil, 12, true},
		"no proficiency bonus":      {stealth, 2, false, 0, nil, 2, true},
		"the rule is off":           {stealth, 3, false, 3, off(cite.FeatSkillExpertExpertise), 3, false},
	} {
		_, a := read(t, c.settings, chosen(&eventv1.RcrFeat{Name: body.FeatSkillExpert, Ability: "wisdom", Picks: []string{"history"}, Expertise: c.skill}), rcrSheet(func(s *eventv1.RcrSheet) {
			s.ProficiencyBonus = c.proficiency
			entry := []*eventv1.RcrSkill{{Name: c.skill, Bonus: c.bonus, Proficient: true, Expertise: c.expertise}}
			if c.skill == dulcimer {
				s.Tools = entry
			} else {
				s.Skills = entry
			}
		}))
		s := a.Sheet.GetRcr()
		entry := append(slices.Clone(s.Tools), s.Skills...)[0]
		if entry.Bonus != c.want || entry.Expertise != c.expert {
			t.Errorf("%s: %+d, expertise %v, want %+d, %v", name, entry.Bonus, entry.Expertise, c.want, c.expert)
		}
	}
	// Where the table gives no proficiency by the feat, nobody is an expert by that.
	_, a := read(t, off(cite.FeatSkillExpertProficiency), chosen(&eventv1.RcrFeat{Name: body.FeatSkillExpert, Ability: "wisdom", Picks: []string{"history"}, Expertise: "history"}))
	if got := a.Sheet.GetRcr().Skills; len(got) > 0 {
		t.Errorf("%v", got)
	}
}

// rcr.feat.weapon-master-training: who is trained from nothing is proficient from then on
// with weapons of the name; with no spell and nothing that is no weapon of it.
func TestWhatTrainingAddsTo(t *testing.T) {
	sword := func(name, use string, spell bool, properties ...string) *eventv1.RcrAttack {
		return &eventv1.RcrAttack{Name: name, Use: use, Bonus: 1, ReachFeet: 5, Spell: spell, Properties: properties, Damage: []*eventv1.RcrDamage{{Dice: "1d6", Type: "slashing"}}}
	}
	s := fighter("a", "party", chosen(&eventv1.RcrFeat{Name: body.FeatWeaponMaster, Ability: "strength", Equipment: []string{"longsword", "shortbow", "maul", "dagger"}}),
		weapons(sword("longsword", "", false), sword("old blade", "long-sword", false), sword("heirloom", "longsword", false), sword("ghost sword", "longsword", true), sword("table leg", "longsword", false, body.PropImprovised), sword("axe", "", false)),
		rcrSheet(func(s *eventv1.RcrSheet) {
			s.Training = []*eventv1.RcrTraining{{Name: "longsword", Rank: body.RankUntrained}}
		}))
	got, _, err := growth.Read(newTable(t).State, s)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]int32{"longsword": 4, "old blade": 1, "heirloom": 4, "ghost sword": 1, "table leg": 1, "axe": 1}
	for _, a := range got.GetRcr().Attacks {
		if a.Bonus != want[a.Name] {
			t.Errorf("%s: %+d, want %+d", a.Name, a.Bonus, want[a.Name])
		}
	}
}

// rcr.feat.martial-adept-maneuvers, rcr.feat.martial-adept-dice: manoeuvres that were learnt
// take the dice of the feat, where the table plays it so and they take nothing else.
func TestWhatManeuversTake(t *testing.T) {
	for name, c := range map[string]struct {
		settings []string
		want     []string
	}{
		"as it is":               {nil, []string{body.ResSuperiority, "ki", ""}},
		"the manoeuvres are off": {off(cite.FeatMartialAdeptManeuvers), []string{"", "ki", ""}},
		"the dice are off":       {off(cite.FeatMartialAdeptDice), []string{"", "ki", ""}},
	} {
		_, a := read(t, c.settings, chosen(&eventv1.RcrFeat{Name: body.FeatMartialAdept, Picks: []string{"Trip", "Feint"}}), rcrSheet(func(s *eventv1.RcrSheet) {
			s.Resources = []*eventv1.RcrResource{{Name: "ki", Current: 1, Max: 1, Recharge: "short rest"}}
			s.Powers = []*eventv1.RcrPower{{Name: "trip", Cost: "free"}, {Name: "feint", Cost: "free", Resource: "ki"}, {Name: "parry", Cost: "free"}}
		}))
		var got []string
		for _, p := range a.Sheet.GetRcr().Powers {
			got = append(got, p.Resource)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// rcr.feat.spell-sniper-cantrip: the cantrip that was picked is cast by the ability of its
// list, whatever the letters it is picked with; other spells are not, nor where that is off.
func TestTheSnipersCantrip(t *testing.T) {
	for name, c := range map[string]struct {
		settings []string
		want     string
	}{"as it is": {nil, "wisdom"}, "off": {off(cite.FeatSpellSniperCantrip), ""}} {
		f, a := read(t, c.settings, chosen(&eventv1.RcrFeat{Name: body.FeatSpellSniper, Ability: "wisdom", Picks: []string{"Ray"}, SpellList: "druid"}), rcrSheet(func(s *eventv1.RcrSheet) {
			s.Spells = []*eventv1.RcrSpell{{Name: "beam", Attack: "ranged", RangeFeet: 60}, {Name: "ray", Attack: "ranged", RangeFeet: 60}}
		}))
		if sp := a.Sheet.GetRcr().Spells; sp[0].Ability != "" || sp[1].Ability != c.want {
			t.Errorf("%s: %v", name, sp)
		}
		if c.want != "" {
			f.wantCited(cite.FeatSpellSniperCantrip)
		}
	}
}

// rcr.feat.metamagic-adept-swap: a new sheet may leave the feat out, or bring it; options
// are exchanged one at a time, as a level is gained.
func TestSheetsWithAndWithoutMetamagic(t *testing.T) {
	adept := func(level int32, picks ...string) *eventv1.Sheet {
		return fighter("a", "party", mage(), rcrSheet(func(s *eventv1.RcrSheet) {
			s.Level = level
			if len(picks) > 0 {
				s.ChosenFeats = []*eventv1.RcrFeat{{Name: body.FeatMetamagicAdept, Picks: picks, Included: true}}
			}
		}))
	}
	for name, c := range map[string]struct {
		before, after *eventv1.Sheet
		reason        string
	}{
		"as before":           {adept(5, "subtle", "distant"), adept(5, "Distant", "subtle"), ""},
		"without the feat":    {adept(5, "subtle", "distant"), adept(5), ""},
		"with it, first":      {adept(5), adept(5, "subtle", "distant"), ""},
		"one other, a level":  {adept(5, "subtle", "distant"), adept(6, "subtle", "twinned"), ""},
		"one other, no level": {adept(5, "subtle", "distant"), adept(5, "subtle", "twinned"), "METAMAGIC"},
		"two others, a level": {adept(5, "subtle", "distant"), adept(6, "careful", "twinned"), "METAMAGIC"},
	} {
		f := newTable(t).add(c.before)
		_, _, err := growth.Read(f.State, c.after)
		wantReasonOf(t, name, err, c.reason)
	}
}
