package rcr

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/growth"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.feat.skulker-prerequisite, rcr.feat.inspiring-leader-prerequisite,
// rcr.feat.defensive-duelist-prerequisite, rcr.feat.spell-sniper-prerequisite,
// rcr.feat.metamagic-adept-prerequisite, rcr.feat.improved-dual-prerequisite: a feat asks
// for what its taker has when it takes it. One taken before may have brought that; its own
// increase comes too late.
func TestWhatAFeatTakenBeforeBrings(t *testing.T) {
	athlete := &eventv1.RcrFeat{Name: "athlete", Ability: "dexterity"}
	skulker := &eventv1.RcrFeat{Name: "skulker"}
	leader := &eventv1.RcrFeat{Name: "inspiring leader"}
	expert := &eventv1.RcrFeat{Name: "skill expert", Ability: "charisma", Picks: []string{"stealth"}, Expertise: "stealth"}
	duelist := &eventv1.RcrFeat{Name: "defensive duelist"}
	improved := &eventv1.RcrFeat{Name: "improved dual wielder"}
	dual := &eventv1.RcrFeat{Name: "dual wielder"}
	included := func(f *eventv1.RcrFeat) *eventv1.RcrFeat {
		return &eventv1.RcrFeat{Name: f.Name, Ability: f.Ability, Included: true}
	}
	for _, c := range []struct {
		name     string
		settings []string
		ability  string
		score    int32
		feats    []*eventv1.RcrFeat
		rule     string // of the refusal; empty for none
		want     int32
	}{
		{"skulker at 12", nil, "dexterity", 12, []*eventv1.RcrFeat{skulker}, cite.FeatSkulkerPrerequisite, 0},
		{"skulker at 13", nil, "dexterity", 13, []*eventv1.RcrFeat{skulker}, "", 14},
		{"athlete, then skulker, from 12", nil, "dexterity", 12, []*eventv1.RcrFeat{athlete, skulker}, "", 14},
		{"athlete, then skulker, from 11", nil, "dexterity", 11, []*eventv1.RcrFeat{athlete, skulker}, cite.FeatSkulkerPrerequisite, 0},
		{"skulker, then athlete, from 12", nil, "dexterity", 12, []*eventv1.RcrFeat{skulker, athlete}, cite.FeatSkulkerPrerequisite, 0},
		{"an athlete whose numbers hold it", nil, "dexterity", 12, []*eventv1.RcrFeat{included(athlete), skulker}, cite.FeatSkulkerPrerequisite, 0},
		{"no increases at this table", off(cite.FeatAbilityIncrease), "dexterity", 12, []*eventv1.RcrFeat{athlete, skulker}, cite.FeatSkulkerPrerequisite, 0},
		{"no prerequisite at this table", off(cite.FeatSkulkerPrerequisite), "dexterity", 8, []*eventv1.RcrFeat{skulker}, "", 9},
		{"athlete, then a duelist, from 12", nil, "dexterity", 12, []*eventv1.RcrFeat{athlete, duelist}, "", 13},
		{"a duelist at 12", nil, "dexterity", 12, []*eventv1.RcrFeat{duelist}, cite.FeatDefensiveDuelistPrerequisite, 0},
		{"an expert, then a leader, from 12", nil, "charisma", 12, []*eventv1.RcrFeat{expert, leader}, "", 14},
		{"a leader at 12", nil, "charisma", 12, []*eventv1.RcrFeat{leader}, cite.FeatInspiringLeaderPrerequisite, 0},
		{"two weapons, then better", nil, "dexterity", 10, []*eventv1.RcrFeat{dual, improved}, "", 10},
		{"better alone", nil, "dexterity", 10, []*eventv1.RcrFeat{improved}, cite.FeatImprovedDualPrerequisite, 0},
	} {
		f := newTable(t, c.settings...)
		err := f.Try(adding(fighter("a", "party", ability(c.ability, c.score), chosen(c.feats...))))
		if c.rule != "" {
			wantRefused(t, err, c.rule)
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		} else if got := f.Creature("a").Sheet.Abilities[c.ability]; got != c.want {
			t.Errorf("%s: %s %d, want %d", c.name, c.ability, got, c.want)
		}
	}
	// A style of fighting with two weapons will do, and any spell for the sniper.
	for name, c := range map[string]struct {
		change []func(*eventv1.Sheet)
		rule   string
	}{
		"two weapons by a style": {[]func(*eventv1.Sheet){trait(body.TraitTwoWeapons), chosen(improved)}, ""},
		"a sniper without a spell": {[]func(*eventv1.Sheet){chosen(&eventv1.RcrFeat{Name: "spell sniper", Included: true, Ability: "wisdom"})},
			cite.FeatSpellSniperPrerequisite},
		"metamagic without slots": {[]func(*eventv1.Sheet){rcrSheet(func(s *eventv1.RcrSheet) { s.Spells = []*eventv1.RcrSpell{{Name: "light"}} }),
			chosen(&eventv1.RcrFeat{Name: "metamagic adept", Picks: []string{"subtle", "distant"}})}, cite.FeatMetamagicAdeptPrerequisite},
	} {
		err := newTable(t).Try(adding(fighter("a", "party", c.change...)))
		if c.rule == "" && err != nil {
			t.Errorf("%s: %v", name, err)
		} else if c.rule != "" {
			wantRefused(t, err, c.rule)
		}
	}
}

// rcr.feat.skill-expert-expertise: expertise in what another feat teaches, and in nothing
// that none does.
func TestExpertiseInWhatIsTaught(t *testing.T) {
	expert := func(in string) *eventv1.RcrFeat {
		return &eventv1.RcrFeat{Name: "skill expert", Ability: "strength", Picks: []string{"stealth"}, Expertise: in}
	}
	for _, c := range []struct {
		in    string
		other *eventv1.RcrFeat
		good  bool
		want  int32 // the bonus: abilities of 10, proficiency 3
	}{
		{"medicine", &eventv1.RcrFeat{Name: "skilled", Picks: []string{"medicine", "lute", "insight"}}, true, 6},
		{"lute", &eventv1.RcrFeat{Name: "skilled", Picks: []string{"medicine", "lute", "insight"}}, true, 6},
		{"survival", &eventv1.RcrFeat{Name: "skilled", Picks: []string{"medicine", "lute", "insight"}}, false, 0},
		{"arcana", &eventv1.RcrFeat{Name: "keen mind", Picks: []string{"arcana"}}, true, 6},
		{"history", &eventv1.RcrFeat{Name: "keen mind", Picks: []string{"arcana"}}, false, 0},
		{"sleight of hand", &eventv1.RcrFeat{Name: "legerdemain", Ability: "constitution"}, true, 6},
		{"thieves' tools", &eventv1.RcrFeat{Name: "legerdemain", Ability: "constitution"}, true, 6},
		{"acrobatics", &eventv1.RcrFeat{Name: "legerdemain", Ability: "constitution"}, false, 0},
		{"stealth", &eventv1.RcrFeat{Name: "tough"}, true, 6}, // its own pick
	} {
		s := fighter("a", "party", chosen(c.other, expert(c.in)))
		if wrong := (System{}).CheckSheet(s); (len(wrong) == 0) != c.good {
			t.Errorf("%s with %s: %v", c.in, c.other.Name, wrong)
			continue
		}
		if !c.good {
			continue
		}
		_, a := read(t, nil, chosen(c.other, expert(c.in)))
		if got, proficient := body.SkillBonus(a, c.in); got != c.want || !proficient {
			t.Errorf("%s with %s: %d", c.in, c.other.Name, got)
		}
	}
}

// rcr.feat.ability-increase, rcr.feat.tough-gain: of whom the sheet gives no level, the
// hit dice count, one at least; a bare ability among the skills goes up with its score.
func TestFeatsOfWhoHasNoLevel(t *testing.T) {
	for _, c := range []struct {
		dice []*eventv1.RcrHitDice
		want int32 // from 40: two each for the feat, one each for Constitution 16
	}{{nil, 43}, {[]*eventv1.RcrHitDice{{Size: 8, Total: 4}}, 52}, {[]*eventv1.RcrHitDice{{Size: 8, Total: 4}, {Size: 10, Total: 2}}, 58}} {
		_, a := read(t, nil, ability("constitution", 15), rcrSheet(func(s *eventv1.RcrSheet) { s.Level, s.ChallengeRating, s.HitDice = 0, "5", c.dice }), chosen(&eventv1.RcrFeat{Name: "tough"}))
		if a.GetHpMax() != c.want {
			t.Errorf("%v: a maximum of %d, want %d", c.dice, a.GetHpMax(), c.want)
		}
	}
	_, a := read(t, nil, ability("strength", 15), rcrSheet(func(s *eventv1.RcrSheet) {
		s.Skills = []*eventv1.RcrSkill{{Name: "strength", Bonus: 4}, {Name: "dexterity", Bonus: 4}}
	}), chosen(&eventv1.RcrFeat{Name: "athlete", Ability: "strength"}))
	if got := a.Sheet.GetRcr().Skills; got[0].Bonus != 5 || got[1].Bonus != 4 {
		t.Errorf("bare abilities: %v", got)
	}
}

// rcr.feat.martial-adept-dice, rcr.feat.metamagic-adept-points: two of the feat's own,
// whatever else there is; a sheet that counts them already is left as it is.
func TestWhatAdeptsUseUp(t *testing.T) {
	for _, had := range []bool{false, true} {
		_, a := read(t, nil, maneuvers(func(s *eventv1.RcrSheet) {
			if had {
				s.Resources = append(s.Resources, &eventv1.RcrResource{Name: body.ResSuperiority, Current: 1, Max: 5, Recharge: "short rest"})
			}
		}))
		at := slices.IndexFunc(a.Sheet.GetRcr().Resources, func(x *eventv1.RcrResource) bool { return x.Name == body.ResSuperiority })
		n := slices.DeleteFunc(slices.Clone(body.NamesOf(a.Sheet.GetRcr().Resources)), func(s string) bool { return s != body.ResSuperiority })
		if at < 0 || len(n) != 1 {
			t.Fatalf("had %v: %v", had, a.Sheet.GetRcr().Resources)
		}
		if x := a.Sheet.GetRcr().Resources[at]; had && x.Max != 5 || !had && (x.Max != 2 || x.Current != 2 || x.Recharge != "short rest") {
			t.Errorf("had %v: %v", had, x)
		}
	}
}

// rcr.feat.spell-sniper-ability: the casting ability of a sheet that gives spell attacks
// and no DC is read from these; where two would fit it must be said.
func TestSniperOfSpellAttacksAlone(t *testing.T) {
	bolt := rcrSheet(func(s *eventv1.RcrSheet) {
		s.SpellAttackBonus = 5 // 3 of proficiency and 2
		s.Spells = []*eventv1.RcrSpell{{Name: "fire bolt", Attack: "ranged", RangeFeet: 120}}
	})
	sniper := func(of string) *eventv1.RcrFeat {
		return &eventv1.RcrFeat{Name: "spell sniper", Ability: of, Picks: []string{"fire bolt"}, SpellList: "wizard"}
	}
	for _, c := range []struct {
		wisdom, charisma int32
		of               string
		good             bool
	}{{15, 10, "wisdom", true}, {15, 10, "charisma", false}, {15, 14, "charisma", true}, {15, 14, "wisdom", true}} {
		var wrong []string
		s := fighter("a", "party", ability("wisdom", c.wisdom), ability("charisma", c.charisma), bolt, chosen(sniper(c.of)))
		growth.Check(s, func(field, _ string, _ ...any) { wrong = append(wrong, field) })
		if (len(wrong) == 0) != c.good {
			t.Errorf("%s with %d and %d: %v", c.of, c.wisdom, c.charisma, wrong)
		}
	}
	_, a := read(t, nil, ability("wisdom", 15), bolt, chosen(sniper("wisdom")))
	if got := a.Sheet.GetRcr().SpellAttackBonus; got != 6 {
		t.Errorf("spell attacks %+d, want +6", got)
	}
}
