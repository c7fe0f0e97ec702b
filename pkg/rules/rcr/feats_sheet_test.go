package rcr

import (
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// chosen gives a sheet feats with their choices.
func chosen(feats ...*eventv1.RcrFeat) func(*eventv1.Sheet) {
	return rcrSheet(func(s *eventv1.RcrSheet) { s.ChosenFeats = append(s.ChosenFeats, feats...) })
}

// read is a creature's sheet as it was read in.
func read(t *testing.T, settings []string, change ...func(*eventv1.Sheet)) (*table, *eventv1.Creature) {
	t.Helper()
	f := newTable(t, settings...).add(fighter("a", "party", change...))
	return f, f.State.Creatures["a"]
}

// rcr.feat.ability-increase, rcr.feat.athlete-ability, rcr.feat.crusher-ability,
// rcr.feat.durable-ability, rcr.feat.inspiring-leader-ability,
// rcr.feat.keen-mind-ability, rcr.feat.legerdemain-ability,
// rcr.feat.savage-attacker-ability, rcr.feat.skill-expert-ability,
// rcr.feat.skulker-ability, rcr.feat.spell-sniper-ability,
// rcr.feat.tavern-brawler-ability, rcr.feat.tough-ability,
// rcr.feat.weapon-master-ability, rcr.feat.revised-text-replaces
func TestFeatsRaiseAnAbility(t *testing.T) {
	four := []string{"longsword", "shortbow", "maul", "dagger"}
	bolt := rcrSheet(func(s *eventv1.RcrSheet) {
		s.Spells = append(s.Spells, &eventv1.RcrSpell{Name: "fire bolt", Attack: "ranged", RangeFeet: 120})
	})
	for _, c := range []struct {
		rule    string
		feat    *eventv1.RcrFeat
		ability string
		score   int32
		want    int32
	}{
		{cite.FeatAthleteAbility, &eventv1.RcrFeat{Name: "athlete", Ability: "strength"}, "strength", 17, 18},
		{cite.FeatAthleteAbility, &eventv1.RcrFeat{Name: "athlete", Ability: "dexterity"}, "dexterity", 20, 20},
		{cite.FeatAthleteAbility, &eventv1.RcrFeat{Name: "athlete", Ability: "dexterity"}, "dexterity", 22, 22},
		{cite.FeatCrusherAbility, &eventv1.RcrFeat{Name: "crusher", Ability: "strength"}, "strength", 18, 19},
		{cite.FeatDurableAbility, &eventv1.RcrFeat{Name: "durable"}, "constitution", 13, 14},
		{cite.FeatInspiringLeaderAbility, &eventv1.RcrFeat{Name: "inspiring leader"}, "charisma", 17, 18},
		{cite.FeatKeenMindAbility, &eventv1.RcrFeat{Name: "keen mind", Picks: []string{"arcana"}}, "intelligence", 19, 20},
		{cite.FeatLegerdemainAbility, &eventv1.RcrFeat{Name: "legerdemain", Ability: "constitution"}, "constitution", 13, 14},
		{cite.FeatSavageAttackerAbility, &eventv1.RcrFeat{Name: "savage-attacker", Ability: "dexterity"}, "dexterity", 15, 16},
		{cite.FeatSkillExpertAbility, &eventv1.RcrFeat{Name: "skill expert", Ability: "wisdom", Picks: []string{"stealth"}, Expertise: "stealth"}, "wisdom", 14, 15},
		{cite.FeatSkulkerAbility, &eventv1.RcrFeat{Name: "skulker"}, "dexterity", 16, 17},
		{cite.FeatSpellSniperAbility, &eventv1.RcrFeat{Name: "spell sniper", Ability: "intelligence", Picks: []string{"fire bolt"}, SpellList: "wizard"}, "intelligence", 17, 18},
		{cite.FeatTavernBrawlerAbility, &eventv1.RcrFeat{Name: "tavern brawler", Ability: "strength"}, "strength", 19, 20},
		{cite.FeatToughAbility, &eventv1.RcrFeat{Name: "tough"}, "constitution", 14, 15},
		{cite.FeatWeaponMasterAbility, &eventv1.RcrFeat{Name: "weapon master", Ability: "strength", Equipment: four}, "strength", 16, 17},
	} {
		change := []func(*eventv1.Sheet){ability(c.ability, c.score), chosen(c.feat), bolt}
		f, a := read(t, nil, change...)
		if got := a.Sheet.Abilities[c.ability]; got != c.want {
			t.Errorf("%s: %d, want %d", c.rule, got, c.want)
		}
		if c.want > c.score {
			f.wantCited(c.rule)
			f.wantCited(cite.FeatAbilityIncrease)
		}
		if feat := body.ChosenFeat(a.Sheet.GetRcr(), body.FeatName(c.feat.Name)); !feat.Included || !body.HasFeat(a, body.FeatName(c.feat.Name)) {
			t.Errorf("%s: read as %v", c.rule, feat)
		}
		for name, settings := range map[string][]string{"off": off(c.rule), "no increases": off(cite.FeatAbilityIncrease), "no feats": off(cite.FeatRevisedTextReplaces)} {
			if _, a := read(t, settings, change...); a.Sheet.Abilities[c.ability] != c.score {
				t.Errorf("%s, %s: %d, want %d", c.rule, name, a.Sheet.Abilities[c.ability], c.score)
			}
		}
		// What the numbers include is not added again.
		included := &eventv1.RcrFeat{Name: c.feat.Name, Included: true}
		if _, a := read(t, nil, ability(c.ability, c.score), chosen(included), bolt); a.Sheet.Abilities[c.ability] != c.score {
			t.Errorf("%s, included: %d, want %d", c.rule, a.Sheet.Abilities[c.ability], c.score)
		}
	}
	// A feat that only stands in feats is in the numbers.
	if _, a := read(t, nil, ability("constitution", 13), feat("durable")); a.Sheet.Abilities["constitution"] != 13 {
		t.Errorf("durable in feats: %d", a.Sheet.Abilities["constitution"])
	}
	// A score that is not given counts as 10.
	if _, a := read(t, nil, chosen(&eventv1.RcrFeat{Name: "durable"})); a.Sheet.Abilities["constitution"] != 11 {
		t.Errorf("durable without a score: %d", a.Sheet.Abilities["constitution"])
	}
}

// rcr.feat.ability-increase: what hangs on the modifier goes up with it, and nothing
// else.
func TestWhatAnAbilityCarries(t *testing.T) {
	sheet := func(f *eventv1.RcrFeat, more ...func(*eventv1.Sheet)) *eventv1.Sheet {
		change := append([]func(*eventv1.Sheet){ability("strength", 15), ability("dexterity", 15), ability("constitution", 15), ability("wisdom", 15), ability("intelligence", 11),
			rcrSheet(func(s *eventv1.RcrSheet) {
				s.ArmorClass, s.EscapeDc, s.WeaponDc, s.SpellDc, s.SpellAttackBonus, s.PassivePerception = 12, 13, 13, 13, 5, 15
				s.Saves = map[string]int32{"strength": 5, "wisdom": 5}
				s.Skills = []*eventv1.RcrSkill{{Name: "athletics", Bonus: 5, Proficient: true}, {Name: "perception", Bonus: 5, Proficient: true}, {Name: "stealth", Bonus: 5, Proficient: true}}
				s.Tools = []*eventv1.RcrSkill{{Name: "thieves' tools", Bonus: 5, Proficient: true}}
				s.Attacks = []*eventv1.RcrAttack{
					{Name: "sword", Bonus: 5, ReachFeet: 5, Damage: []*eventv1.RcrDamage{{Dice: "1d8+2", Type: "slashing"}}, TwoHandedDamage: []*eventv1.RcrDamage{{Dice: "1d10+2", Type: "slashing"}}},
					{Name: "rapier", Bonus: 5, ReachFeet: 5, Properties: []string{"finesse"}, Damage: []*eventv1.RcrDamage{{Dice: "1d8+2", Type: "piercing"}}},
					{Name: "bow", Bonus: 5, RangeFeet: 80, Damage: []*eventv1.RcrDamage{{Dice: "1d6+2", Type: "piercing"}, {Dice: "1d4", Type: "fire"}}},
					{Name: "ray", Bonus: 5, RangeFeet: 60, Spell: true, Damage: []*eventv1.RcrDamage{{Dice: "1d8", Type: "cold"}}}}
			}), chosen(f)}, more...)
		_, a := read(t, nil, change...)
		return a.Sheet
	}
	dice := func(s *eventv1.Sheet, i int) string {
		a := s.GetRcr().Attacks[i]
		return body.Itoa(a.Bonus) + ":" + a.Damage[0].Dice
	}
	skill := func(s *eventv1.Sheet, name string) int32 {
		n, _ := body.SkillBonus(&eventv1.Creature{Sheet: s}, name)
		return n
	}
	str := sheet(&eventv1.RcrFeat{Name: "athlete", Ability: "strength"})
	if r := str.GetRcr(); dice(str, 0) != "6:1d8+3" || r.Attacks[0].TwoHandedDamage[0].Dice != "1d10+3" || dice(str, 1) != "6:1d8+3" || dice(str, 2) != "5:1d6+2" || dice(str, 3) != "5:1d8" ||
		r.Saves["strength"] != 6 || r.Saves["wisdom"] != 5 || skill(str, "athletics") != 6 || skill(str, "stealth") != 5 || r.EscapeDc != 14 || r.WeaponDc != 14 || r.ArmorClass != 12 || str.HitPoints != 40 {
		t.Errorf("strength: %v", str)
	}
	dex := sheet(&eventv1.RcrFeat{Name: "athlete", Ability: "dexterity"})
	if r := dex.GetRcr(); dice(dex, 0) != "5:1d8+2" || dice(dex, 1) != "6:1d8+3" || dice(dex, 2) != "6:1d6+3" || r.Attacks[2].Damage[1].Dice != "1d4" ||
		skill(dex, "stealth") != 6 || skill(dex, "thieves' tools") != 6 || r.EscapeDc != 13 || r.WeaponDc != 14 || r.ArmorClass != 13 {
		t.Errorf("dexterity: %v", dex)
	}
	// A DC of its own, and none, hang on nothing.
	for _, dc := range []int32{0, 12, 17} {
		if r := sheet(&eventv1.RcrFeat{Name: "athlete", Ability: "strength"}, rcrSheet(func(s *eventv1.RcrSheet) { s.WeaponDc = dc })).GetRcr(); r.WeaponDc != dc {
			t.Errorf("a DC of %d became %d", dc, r.WeaponDc)
		}
	}
	if r := sheet(&eventv1.RcrFeat{Name: "athlete", Ability: "dexterity"}, rcrSheet(func(s *eventv1.RcrSheet) { s.ArmorClass = 14; s.Shield = eventv1.RcrSheet_SHIELD_SHIELD })).GetRcr(); r.ArmorClass != 15 {
		t.Errorf("with a shield: %d", r.ArmorClass)
	}
	if r := sheet(&eventv1.RcrFeat{Name: "athlete", Ability: "dexterity"}, rcrSheet(func(s *eventv1.RcrSheet) { s.ArmorClass = 14 })).GetRcr(); r.ArmorClass != 14 {
		t.Errorf("in armour: %d", r.ArmorClass)
	}
	if con := sheet(&eventv1.RcrFeat{Name: "durable"}); con.HitPoints != 45 {
		t.Errorf("constitution: %d hit points, want 45", con.HitPoints)
	}
	// The spell DC of 13 is 8, 3 and a modifier of 2: that of Wisdom alone.
	wis := sheet(&eventv1.RcrFeat{Name: "skill expert", Ability: "wisdom", Picks: []string{"arcana"}, Expertise: "arcana"})
	if r := wis.GetRcr(); r.SpellDc != 14 || r.SpellAttackBonus != 6 || r.Saves["wisdom"] != 6 || skill(wis, "perception") != 6 || r.PassivePerception != 16 || dice(wis, 3) != "6:1d8" {
		t.Errorf("wisdom: %v", wis)
	}
	for name, want := range map[string]int32{"": 13, "charisma": 13, "wisdom": 14} {
		// Charisma would give the same DC: whose it is must be said.
		wis := sheet(&eventv1.RcrFeat{Name: "skill expert", Ability: "wisdom", Picks: []string{"arcana"}, Expertise: "arcana"}, ability("charisma", 14), rcrSheet(func(s *eventv1.RcrSheet) { s.SpellAbility = name }))
		if got := wis.GetRcr().SpellDc; got != want {
			t.Errorf("spells by %q: DC %d, want %d", name, got, want)
		}
	}
	// 14 to 15 changes no modifier.
	_, a := read(t, nil, ability("strength", 14), chosen(&eventv1.RcrFeat{Name: "athlete", Ability: "strength"}))
	if a.Sheet.GetRcr().Attacks[0].Bonus != 5 {
		t.Errorf("an odd score: %v", a.Sheet.GetRcr().Attacks[0])
	}
}

// rcr.feat.durable-ability, rcr.feat.ability-increase: the allowance of wounds follows.
func TestAHigherConstitutionBearsMoreWounds(t *testing.T) {
	f, _ := read(t, nil, ability("constitution", 15), chosen(&eventv1.RcrFeat{Name: "durable"}))
	f.Count("a", body.CWounds, 3)
	if row := body.Row(f.State.Creatures["a"]); row != 0 {
		t.Errorf("row %d, want 0", row)
	}
	f, _ = read(t, nil, ability("constitution", 15), feat("durable"))
	f.Count("a", body.CWounds, 3)
	if row := body.Row(f.State.Creatures["a"]); row != 1 {
		t.Errorf("without the increase: row %d, want 1", row)
	}
}

// rcr.feat.tough-gain, rcr.feat.tough-level, rcr.feat.tough-ability
func TestTheToughGainHitPoints(t *testing.T) {
	sheet := func(level, hp, con int32, feats ...*eventv1.RcrFeat) *eventv1.Sheet {
		return fighter("a", "party", ability("constitution", con), chosen(feats...), func(s *eventv1.Sheet) { s.HitPoints, s.GetRcr().Level = hp, level })
	}
	tough := func() *eventv1.RcrFeat { return &eventv1.RcrFeat{Name: "tough"} }
	for name, c := range map[string]struct {
		settings []string
		sheet    *eventv1.Sheet
		want     int32
	}{
		"14 to 15":                 {nil, sheet(6, 45, 14, tough()), 57},
		"15 to 16":                 {nil, sheet(6, 45, 15, tough()), 63},
		"included":                 {nil, sheet(6, 57, 15, &eventv1.RcrFeat{Name: "tough", Included: true}), 57},
		"included up to 4":         {nil, sheet(6, 53, 15, &eventv1.RcrFeat{Name: "tough", Included: true, IncludedLevel: 4}), 57},
		"included up to 4, off":    {off(cite.FeatToughLevel), sheet(6, 53, 15, &eventv1.RcrFeat{Name: "tough", Included: true, IncludedLevel: 4}), 53},
		"included up to the level": {nil, sheet(6, 57, 15, &eventv1.RcrFeat{Name: "tough", Included: true, IncludedLevel: 6}), 57},
		"off":                      {off(cite.FeatToughGain), sheet(6, 45, 14, tough()), 45},
		"no feats":                 {off(cite.FeatRevisedTextReplaces), sheet(6, 45, 14, tough()), 45},
	} {
		f := newTable(t, c.settings...).add(c.sheet)
		if a := f.State.Creatures["a"]; a.GetHpMax() != c.want || a.GetHp() != c.want || a.Sheet.HitPoints != c.want {
			t.Errorf("%s: %d of %d hit points, want %d", name, a.GetHp(), a.GetHpMax(), c.want)
		}
	}
	// A level more: d10, 6 on average, Constitution 2, and 2 by the feat; twice.
	f := newTable(t).add(sheet(6, 45, 14, tough()))
	f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "a", Vitals: &eventv1.Vitals{HpMax: new(int32(50))}}}})
	for i, want := range []int32{60, 70} {
		s := proto.CloneOf(f.State.Creatures["a"].Sheet)
		s.GetRcr().Level, s.HitPoints = 7+int32(i), s.HitPoints+8
		f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "a", Sheet: s}}})
		f.wantCited(cite.FeatToughLevel)
		// What lowered the maximum by 7 goes on doing so.
		if a := f.State.Creatures["a"]; a.GetHpMax() != want {
			t.Errorf("level %d: a maximum of %d, want %d", 7+i, a.GetHpMax(), want)
		}
	}
}

// rcr.feat.keen-mind-lore, rcr.feat.legerdemain-proficiency,
// rcr.feat.skill-expert-proficiency, rcr.feat.skill-expert-expertise,
// rcr.feat.skilled-picks
func TestFeatsTeachSkills(t *testing.T) {
	skills := func(list ...*eventv1.RcrSkill) func(*eventv1.Sheet) {
		return rcrSheet(func(s *eventv1.RcrSheet) { s.Skills = list })
	}
	tools := func(list ...*eventv1.RcrSkill) func(*eventv1.Sheet) {
		return rcrSheet(func(s *eventv1.RcrSheet) { s.Tools = list })
	}
	expert := &eventv1.RcrFeat{Name: "skill expert", Ability: "strength", Picks: []string{"herbalism kit"}, Expertise: "medicine"}
	medic := []func(*eventv1.Sheet){ability("wisdom", 16), skills(&eventv1.RcrSkill{Name: "medicine", Bonus: 6, Proficient: true})}
	for name, c := range map[string]struct {
		settings []string
		change   []func(*eventv1.Sheet)
		feat     *eventv1.RcrFeat
		skill    string
		want     int32
		rule     string
	}{
		"lore, new":          {nil, nil, &eventv1.RcrFeat{Name: "keen mind", Picks: []string{"nature"}}, "nature", 3, cite.FeatKeenMindLore},
		"lore, known":        {nil, []func(*eventv1.Sheet){skills(&eventv1.RcrSkill{Name: "arcana", Bonus: 3, Proficient: true})}, &eventv1.RcrFeat{Name: "keen mind", Picks: []string{"arcana"}}, "arcana", 6, cite.FeatKeenMindLore},
		"lore, mastered":     {nil, []func(*eventv1.Sheet){skills(&eventv1.RcrSkill{Name: "arcana", Bonus: 6, Proficient: true})}, &eventv1.RcrFeat{Name: "keen mind", Picks: []string{"arcana"}}, "arcana", 6, ""},
		"lore, off":          {off(cite.FeatKeenMindLore), nil, &eventv1.RcrFeat{Name: "keen mind", Picks: []string{"nature"}}, "nature", 0, ""},
		"tools known":        {nil, []func(*eventv1.Sheet){ability("dexterity", 13), tools(&eventv1.RcrSkill{Name: "thieves' tools", Bonus: 4, Proficient: true})}, &eventv1.RcrFeat{Name: "legerdemain", Ability: "constitution"}, "thieves' tools", 7, cite.FeatLegerdemainProficiency},
		"hands not":          {nil, []func(*eventv1.Sheet){ability("dexterity", 13), tools(&eventv1.RcrSkill{Name: "thieves' tools", Bonus: 4, Proficient: true})}, &eventv1.RcrFeat{Name: "legerdemain", Ability: "constitution"}, "sleight of hand", 4, cite.FeatLegerdemainProficiency},
		"after the increase": {nil, []func(*eventv1.Sheet){ability("dexterity", 13)}, &eventv1.RcrFeat{Name: "legerdemain", Ability: "dexterity"}, "sleight of hand", 5, cite.FeatLegerdemainProficiency},
		"a tool":             {nil, medic, expert, "herbalism kit", 3, cite.FeatSkillExpertProficiency},
		"a tool, off":        {off(cite.FeatSkillExpertProficiency), medic, expert, "herbalism kit", 0, ""},
		"expertise":          {nil, medic, expert, "medicine", 9, cite.FeatSkillExpertExpertise},
		"expertise, off":     {off(cite.FeatSkillExpertExpertise), medic, expert, "medicine", 6, ""},
		"expertise, gained":  {nil, nil, &eventv1.RcrFeat{Name: "skill expert", Ability: "strength", Picks: []string{"stealth"}, Expertise: "stealth"}, "stealth", 6, cite.FeatSkillExpertExpertise},
		"picks":              {nil, []func(*eventv1.Sheet){ability("wisdom", 14)}, &eventv1.RcrFeat{Name: "skilled", Picks: []string{"medicine", "Perception"}, Equipment: []string{"longbow"}}, "perception", 5, cite.FeatSkilledPicks},
		"picks, known":       {nil, medic, &eventv1.RcrFeat{Name: "skilled", Picks: []string{"medicine", "perception", "insight"}}, "medicine", 6, cite.FeatSkilledPicks},
		"picks, off":         {off(cite.FeatSkilledPicks), nil, &eventv1.RcrFeat{Name: "skilled", Picks: []string{"medicine", "perception", "insight"}}, "medicine", 0, ""},
		"included":           {nil, nil, &eventv1.RcrFeat{Name: "skilled", Included: true, Picks: []string{"medicine", "perception", "insight"}}, "medicine", 0, ""},
	} {
		f, a := read(t, c.settings, append(c.change, chosen(c.feat))...)
		if got, _ := body.SkillBonus(a, c.skill); got != c.want {
			t.Errorf("%s: %s %d, want %d", name, c.skill, got, c.want)
		}
		if c.rule != "" {
			f.wantCited(c.rule)
		}
	}
	// A passive Perception that is given follows.
	_, a := read(t, nil, rcrSheet(func(s *eventv1.RcrSheet) { s.PassivePerception = 10 }), chosen(&eventv1.RcrFeat{Name: "skill expert", Ability: "strength", Picks: []string{"perception"}, Expertise: "perception"}))
	if got := a.Sheet.GetRcr().PassivePerception; got != 16 {
		t.Errorf("passive Perception %d, want 16", got)
	}
}

// rcr.feat.grappler-unarmed-training, rcr.feat.grappler-unarmed-properties,
// rcr.feat.tavern-brawler-unarmed-training, rcr.feat.tavern-brawler-unarmed-properties,
// rcr.feat.skilled-equipment, rcr.feat.weapon-master-training,
// rcr.feat.tavern-brawler-improvised
func TestFeatsTrain(t *testing.T) {
	fist := &eventv1.RcrAttack{Name: "Unarmed Strike", Natural: true, Bonus: 5, ReachFeet: 5, Damage: []*eventv1.RcrDamage{{Dice: "3", Type: "bludgeoning"}}}
	chair := &eventv1.RcrAttack{Name: "chair", Bonus: 3, ReachFeet: 5, Properties: []string{"improvised"}, Damage: []*eventv1.RcrDamage{{Dice: "1d4+3", Type: "bludgeoning"}}}
	sword := &eventv1.RcrAttack{Name: "sword", Use: "long-sword", Bonus: 5, ReachFeet: 5, Damage: []*eventv1.RcrDamage{{Dice: "1d8+3", Type: "slashing"}}}
	grappler := &eventv1.RcrFeat{Name: "grappler"}
	brawler := &eventv1.RcrFeat{Name: "tavern brawler", Ability: "constitution"}
	master := &eventv1.RcrFeat{Name: "weapon master", Ability: "strength", Equipment: []string{"long sword", "shortbow", "maul", "dagger"}}
	bow := &eventv1.RcrFeat{Name: "skilled", Picks: []string{"medicine", "perception"}, Equipment: []string{"longbow"}}
	untrained := rcrSheet(func(s *eventv1.RcrSheet) { s.Training = []*eventv1.RcrTraining{{Name: "sword", Rank: "untrained"}} })
	for name, c := range map[string]struct {
		settings []string
		feats    []*eventv1.RcrFeat
		change   []func(*eventv1.Sheet)
		weapon   string
		rank     string
		bonus    string // of the attacks, with their properties
	}{
		"nobody":               {nil, nil, nil, "unarmed strike", "basic", "5 3:improvised 5"},
		"grappler":             {nil, []*eventv1.RcrFeat{grappler}, nil, "unarmed strike", "advanced", "5:disarm,entangle,trip 3:improvised 5"},
		"brawler":              {nil, []*eventv1.RcrFeat{brawler}, nil, "unarmed strike", "advanced", "5:disarm,entangle,trip 6:improvised 5"},
		"both":                 {nil, []*eventv1.RcrFeat{grappler, brawler}, nil, "unarmed strike", "master", "5:disarm,entangle,trip 6:improvised 5"},
		"steps of one":         {off(cite.FeatGrapplerUnarmedTraining), []*eventv1.RcrFeat{grappler, brawler}, nil, "unarmed strike", "advanced", "5:disarm,entangle,trip 6:improvised 5"},
		"steps of the other":   {off(cite.FeatTavernBrawlerUnarmedTraining), []*eventv1.RcrFeat{grappler, brawler}, nil, "unarmed strike", "advanced", "5:disarm,entangle,trip 6:improvised 5"},
		"no properties":        {off(cite.FeatGrapplerUnarmedProperties), []*eventv1.RcrFeat{grappler}, nil, "unarmed strike", "advanced", "5 3:improvised 5"},
		"no properties either": {off(cite.FeatTavernBrawlerUnarmedProperties, cite.FeatTavernBrawlerImprovised), []*eventv1.RcrFeat{brawler}, nil, "unarmed strike", "advanced", "5 3:improvised 5"},
		"the top": {nil, []*eventv1.RcrFeat{grappler}, []func(*eventv1.Sheet){rcrSheet(func(s *eventv1.RcrSheet) {
			s.Training = []*eventv1.RcrTraining{{Name: "unarmed strike", Rank: "master"}}
		})}, "unarmed strike", "master", "5:disarm,entangle,trip 3:improvised 5"},
		"a new weapon":     {nil, []*eventv1.RcrFeat{bow}, nil, "longbow", "basic", "5 3:improvised 5"},
		"a weapon one has": {nil, []*eventv1.RcrFeat{{Name: "skilled", Equipment: []string{"sword", "maul", "net"}}}, nil, "sword", "advanced", "5 3:improvised 5"},
		"untrained before": {nil, []*eventv1.RcrFeat{{Name: "skilled", Equipment: []string{"sword", "maul", "net"}}}, []func(*eventv1.Sheet){untrained}, "sword", "basic", "5 3:improvised 8"},
		"skilled, off":     {off(cite.FeatSkilledEquipment), []*eventv1.RcrFeat{{Name: "skilled", Equipment: []string{"sword", "maul", "net"}}}, []func(*eventv1.Sheet){untrained}, "sword", "untrained", "5 3:improvised 5"},
		"master":           {nil, []*eventv1.RcrFeat{master}, nil, "long sword", "master", "5 3:improvised 5"},
		"master of new":    {nil, []*eventv1.RcrFeat{master}, nil, "maul", "master", "5 3:improvised 5"},
		"master, off":      {off(cite.FeatWeaponMasterTraining), []*eventv1.RcrFeat{master}, nil, "maul", "untrained", "5 3:improvised 5"},
	} {
		weapons := rcrSheet(func(s *eventv1.RcrSheet) { s.Attacks = []*eventv1.RcrAttack{fist, chair, sword} })
		_, a := read(t, c.settings, append(append([]func(*eventv1.Sheet){weapons}, c.change...), chosen(c.feats...))...)
		s := a.Sheet.GetRcr()
		if got := body.RankIn(s, c.weapon); got != c.rank {
			t.Errorf("%s: %s %s, want %s", name, c.weapon, got, c.rank)
		}
		var got []string
		for _, w := range s.Attacks {
			got = append(got, strings.TrimSuffix(body.Itoa(w.Bonus)+":"+strings.Join(w.Properties, ","), ":"))
		}
		if strings.Join(got, " ") != c.bonus {
			t.Errorf("%s: %v, want %s", name, got, c.bonus)
		}
	}
}

// Choices that a feat does not offer are found on the sheet.
//
// rcr.feat.ability-increase, rcr.feat.weapon-master-training,
// rcr.feat.skill-expert-expertise, rcr.feat.skilled-picks, rcr.feat.keen-mind-lore,
// rcr.feat.martial-adept-maneuvers, rcr.feat.metamagic-adept-options,
// rcr.feat.spell-sniper-cantrip, rcr.feat.tavern-brawler-property
func TestChoicesOfFeatsAreChecked(t *testing.T) {
	bench := func(properties ...string) func(*eventv1.Sheet) {
		return rcrSheet(func(s *eventv1.RcrSheet) {
			s.Attacks = append(s.Attacks, &eventv1.RcrAttack{Name: "bench", ReachFeet: 5, Properties: append([]string{"improvised"}, properties...)})
		})
	}
	spells := rcrSheet(func(s *eventv1.RcrSheet) {
		s.Spells = []*eventv1.RcrSpell{{Name: "fire bolt", Attack: "ranged", RangeFeet: 120}, {Name: "light"}, {Name: "chromatic orb", Level: 1, Attack: "ranged", RangeFeet: 90}}
		s.Powers = []*eventv1.RcrPower{{Name: "trip attack"}, {Name: "goading attack"}, {Name: "lunge"}}
	})
	for name, c := range map[string]struct {
		change func(*eventv1.Sheet)
		wrong  string // field; empty for nothing
	}{
		"no such feat":           {chosen(&eventv1.RcrFeat{Name: "atlete"}), "rcr.chosen_feats[0].name"},
		"twice":                  {chosen(&eventv1.RcrFeat{Name: "tough"}, &eventv1.RcrFeat{Name: "tough"}), "rcr.chosen_feats[1].name"},
		"no choice made":         {chosen(&eventv1.RcrFeat{Name: "athlete"}), "rcr.chosen_feats[0].ability"},
		"none needed":            {chosen(&eventv1.RcrFeat{Name: "athlete", Included: true}), ""},
		"another ability":        {chosen(&eventv1.RcrFeat{Name: "athlete", Ability: "constitution"}), "rcr.chosen_feats[0].ability"},
		"the only ability":       {chosen(&eventv1.RcrFeat{Name: "tough", Ability: "constitution"}), ""},
		"raises nothing":         {chosen(&eventv1.RcrFeat{Name: "alert", Ability: "strength"}), "rcr.chosen_feats[0].ability"},
		"a fifth weapon":         {chosen(&eventv1.RcrFeat{Name: "weapon master", Ability: "strength", Equipment: []string{"a", "b", "c", "d", "e"}}), "rcr.chosen_feats[0].equipment"},
		"four weapons":           {chosen(&eventv1.RcrFeat{Name: "weapon master", Ability: "strength", Equipment: []string{"a", "b", "c", "d"}}), ""},
		"one weapon twice":       {chosen(&eventv1.RcrFeat{Name: "weapon master", Ability: "strength", Equipment: []string{"a", "b", "c", "A"}}), "rcr.chosen_feats[0].picks"},
		"expert in the unknown":  {chosen(&eventv1.RcrFeat{Name: "skill expert", Ability: "strength", Picks: []string{"medicine"}, Expertise: "stealth"}), "rcr.chosen_feats[0].expertise"},
		"expert in what is new":  {chosen(&eventv1.RcrFeat{Name: "skill expert", Ability: "strength", Picks: []string{"medicine"}, Expertise: "medicine"}), ""},
		"expert by another feat": {chosen(&eventv1.RcrFeat{Name: "legerdemain", Ability: "dexterity"}, &eventv1.RcrFeat{Name: "skill expert", Ability: "strength", Picks: []string{"medicine"}, Expertise: "sleight of hand"}), ""},
		"expertise of no feat":   {chosen(&eventv1.RcrFeat{Name: "tough", Expertise: "medicine"}), "rcr.chosen_feats[0].expertise"},
		"two picks":              {chosen(&eventv1.RcrFeat{Name: "skilled", Picks: []string{"medicine", "insight"}}), "rcr.chosen_feats[0].picks"},
		"picks of no feat":       {chosen(&eventv1.RcrFeat{Name: "tough", Picks: []string{"medicine"}}), "rcr.chosen_feats[0].picks"},
		"lore":                   {chosen(&eventv1.RcrFeat{Name: "keen mind", Picks: []string{"medicine"}}), "rcr.chosen_feats[0].picks[0]"},
		"a manoeuvre not there":  {chosen(&eventv1.RcrFeat{Name: "martial adept", Picks: []string{"trip attack", "feint"}}), "rcr.chosen_feats[0].picks[1]"},
		"three manoeuvres":       {chosen(&eventv1.RcrFeat{Name: "martial adept", Picks: []string{"trip attack", "goading attack", "lunge"}}), "rcr.chosen_feats[0].picks"},
		"two manoeuvres":         {chosen(&eventv1.RcrFeat{Name: "martial adept", Picks: []string{"trip attack", "goading attack"}}), ""},
		"metamagic":              {chosen(&eventv1.RcrFeat{Name: "metamagic adept", Picks: []string{"subtle", "loud"}}), "rcr.chosen_feats[0].picks[1]"},
		"one option":             {chosen(&eventv1.RcrFeat{Name: "metamagic adept", Picks: []string{"subtle"}}), "rcr.chosen_feats[0].picks"},
		"a cantrip":              {chosen(&eventv1.RcrFeat{Name: "spell sniper", Ability: "wisdom", Picks: []string{"fire bolt"}, SpellList: "wizard"}), ""},
		"no attack":              {chosen(&eventv1.RcrFeat{Name: "spell sniper", Ability: "wisdom", Picks: []string{"light"}, SpellList: "wizard"}), "rcr.chosen_feats[0].picks"},
		"no cantrip":             {chosen(&eventv1.RcrFeat{Name: "spell sniper", Ability: "wisdom", Picks: []string{"chromatic orb"}, SpellList: "wizard"}), "rcr.chosen_feats[0].picks"},
		"no list":                {chosen(&eventv1.RcrFeat{Name: "spell sniper", Ability: "wisdom", Picks: []string{"fire bolt"}, SpellList: "paladin"}), "rcr.chosen_feats[0].spell_list"},
		"does not cast by it":    {chosen(&eventv1.RcrFeat{Name: "spell sniper", Ability: "strength", Picks: []string{"fire bolt"}, SpellList: "wizard"}), "rcr.chosen_feats[0].ability"},
		"casts by another": {func(s *eventv1.Sheet) {
			s.GetRcr().SpellAbility = "charisma"
			chosen(&eventv1.RcrFeat{Name: "spell sniper", Ability: "wisdom", Picks: []string{"fire bolt"}, SpellList: "wizard"})(s)
		}, "rcr.chosen_feats[0].ability"},
		"a rank": {rcrSheet(func(s *eventv1.RcrSheet) { s.Training = []*eventv1.RcrTraining{{Name: "maul", Rank: "good"}} }), "rcr.training[0].rank"},
		"a weapon's rank twice": {rcrSheet(func(s *eventv1.RcrSheet) {
			s.Training = []*eventv1.RcrTraining{{Name: "maul", Rank: "basic"}, {Name: "Maul", Rank: "master"}}
		}), "rcr.training[1].name"},
		"a plain bench":           {bench("heavy"), ""},
		"a bench that trips":      {bench("trip"), "rcr.attacks[2].properties"},
		"a brawler's bench":       {func(s *eventv1.Sheet) { bench("trip")(s); feat("tavern brawler")(s) }, ""},
		"two properties":          {func(s *eventv1.Sheet) { bench("trip", "heavy")(s); feat("tavern brawler")(s) }, "rcr.attacks[2].properties"},
		"a property of no weapon": {func(s *eventv1.Sheet) { bench("twirling")(s); feat("tavern brawler")(s) }, "rcr.attacks[2].properties[1]"},
	} {
		var fields []string
		for _, v := range rules.CheckSheet(System{}, fighter("a", "party", spells, c.change)) {
			fields = append(fields, v.Field)
		}
		if want := "sheet." + c.wrong; c.wrong == "" && len(fields) > 0 || c.wrong != "" && !slices.Contains(fields, want) {
			t.Errorf("%s: wrong are %v, want %q", name, fields, c.wrong)
		}
	}
}

// A sheet that has been read in is read again without a change: as a patient enters its
// second fight.
//
// rcr.feat.ability-increase, rcr.feat.tough-gain
func TestASheetIsReadOnce(t *testing.T) {
	_, a := read(t, nil, ability("strength", 15), mage(), chosen(&eventv1.RcrFeat{Name: "tough"}, &eventv1.RcrFeat{Name: "athlete", Ability: "strength"},
		&eventv1.RcrFeat{Name: "legerdemain", Ability: "dexterity"}, &eventv1.RcrFeat{Name: "grappler"}, &eventv1.RcrFeat{Name: "metamagic adept", Picks: []string{"subtle", "distant"}}))
	f := newTable(t).add(a.Sheet)
	if again := f.State.Creatures["a"]; !proto.Equal(a.Sheet, again.Sheet) || again.GetHpMax() != 50 {
		t.Errorf("%d hit points; read anew as %v", again.GetHpMax(), again.Sheet)
	}
	// What was chosen while the module was off is read in once it is on.
	_, a = read(t, off(cite.FeatRevisedTextReplaces), chosen(&eventv1.RcrFeat{Name: "tough"}))
	if !body.HasFeat(a, body.FeatTough) || a.Sheet.GetRcr().ChosenFeats[0].Included || a.GetHpMax() != 40 {
		t.Errorf("without the module: %v", a.Sheet)
	}
	g := newTable(t).add(a.Sheet)
	if got := g.State.Creatures["a"].GetHpMax(); got != 50 {
		t.Errorf("with it: %d hit points, want 50", got)
	}
}

// Prerequisites are asked of the numbers before a feat is added to them.
//
// rcr.feat.inspiring-leader-prerequisite, rcr.feat.inspiring-leader-ability
func TestPrerequisitesComeFirst(t *testing.T) {
	for score, ok := range map[int32]bool{12: false, 13: true} {
		f := newTable(t)
		err := f.Try(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: fighter("a", "party", ability("charisma", score), chosen(&eventv1.RcrFeat{Name: "inspiring leader"}))}}})
		if ok != (err == nil) {
			t.Errorf("Charisma %d: %v", score, err)
		}
		if !ok {
			wantRefused(t, err, cite.FeatInspiringLeaderPrerequisite)
		}
	}
}
