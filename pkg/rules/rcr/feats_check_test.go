package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/movement"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// goodAt gives a sheet a bonus with skills.
func goodAt(bonus int32, skills ...string) func(*eventv1.Sheet) {
	return rcrSheet(func(s *eventv1.RcrSheet) {
		for _, name := range skills {
			s.Skills = append(s.Skills, &eventv1.RcrSkill{Name: name, Bonus: bonus, Proficient: true})
		}
	})
}

// rcr.feat.dungeon-delver-detect, rcr.feat.dungeon-delver-navigate,
// rcr.feat.keen-mind-navigate, rcr.feat.keen-mind-discern,
// rcr.feat.dungeon-delver-dim-sight, rcr.feat.skulker-lowlight
func TestFeatsHelpByWhatAChecksIsAbout(t *testing.T) {
	for name, c := range map[string]struct {
		feat, skill string
		bonus       int32
		facts       []any
		settings    []string
		faces       []int
		total       int32
		rule        string
	}{
		"a trap":                  {"dungeon delver", "investigation", 2, []any{"about", "trap"}, nil, []int{8, 14}, 16, cite.FeatDungeonDelverDetect},
		"a secret door":           {"dungeon delver", "perception", 2, []any{"about", "secret-door"}, nil, []int{8, 14}, 16, cite.FeatDungeonDelverDetect},
		"a trap, by another":      {"dungeon delver", "arcana", 2, []any{"about", "trap"}, nil, []int{8}, 10, ""},
		"a trap, without":         {"mobile", "investigation", 2, []any{"about", "trap"}, nil, []int{8}, 10, ""},
		"the way":                 {"dungeon delver", "survival", 4, []any{"about", "navigate"}, nil, []int{3, 10}, 14, cite.FeatDungeonDelverNavigate},
		"food":                    {"dungeon delver", "survival", 4, []any{"about", "forage"}, nil, []int{3, 10}, 14, cite.FeatDungeonDelverNavigate},
		"the way, a keen mind":    {"keen mind", "survival", 1, []any{"about", "navigate"}, nil, []int{5, 15}, 16, cite.FeatKeenMindNavigate},
		"food, a keen mind":       {"keen mind", "survival", 1, []any{"about", "forage"}, nil, []int{5}, 6, ""},
		"a track, a keen mind":    {"keen mind", "survival", 1, nil, nil, []int{5}, 6, ""},
		"an illusion":             {"keen mind", "investigation", 3, []any{"about", "illusion"}, nil, []int{6, 11}, 14, cite.FeatKeenMindDiscern},
		"magic":                   {"keen mind", "arcana", 3, []any{"about", "magic"}, nil, []int{6, 11}, 14, cite.FeatKeenMindDiscern},
		"dim light":               {"mobile", "perception", 4, []any{"dim", true}, nil, []int{12, 8}, 12, cite.BaseLight},
		"dim light, a delver":     {"dungeon delver", "perception", 0, []any{"dim", true}, nil, []int{11}, 11, ""},
		"dim light, a skulker":    {"skulker", "perception", 4, []any{"dim", true}, nil, []int{8}, 12, ""},
		"dim light, skulker off":  {"skulker", "perception", 4, []any{"dim", true}, off(cite.FeatSkulkerLowlight), []int{9, 8}, 12, cite.BaseLight},
		"dim light, delver off":   {"dungeon delver", "perception", 4, []any{"dim", true}, off(cite.FeatDungeonDelverDimSight), []int{9, 8}, 12, cite.BaseLight},
		"dim light, other checks": {"mobile", "insight", 4, []any{"dim", true}, nil, []int{8}, 12, ""},
	} {
		t.Run(name, func(t *testing.T) {
			f := newTable(t, c.settings...).add(fighter("a", "party", feat(c.feat), ability("dexterity", 14), goodAt(c.bonus, c.skill))).start(nil, 20)
			f.Must(act("a", "called-check", "", "", withParameters("skill", c.skill, "dc", 15), withFacts(c.facts...)), c.faces...)
			roll := f.Roll("check/" + c.skill)
			if roll.Total != c.total || len(roll.Edges) > 0 != (c.rule != "") || c.rule != "" && roll.Edges[0].Rule != c.rule {
				t.Errorf("%v", roll)
			}
		})
	}
}

// The dim light of deep water is dim light, and hampers those alone whom it would above.
//
// rcr.underwater.depth-light, rcr.feat.dungeon-delver-dim-sight, rcr.feat.skulker-lowlight
func TestLowlightServesUnderWater(t *testing.T) {
	for name, c := range map[string]struct {
		feat  string
		depth int
		off   []string
		faces []int
	}{
		"a skulker":          {"skulker", 450, nil, []int{9}},
		"a delver":           {"dungeon delver", 450, nil, []int{9}},
		"another":            {"mobile", 450, nil, []int{9, 14}},
		"a skulker, off":     {"skulker", 450, off(cite.FeatSkulkerLowlight), []int{9, 14}},
		"a delver, off":      {"dungeon delver", 450, off(cite.FeatDungeonDelverDimSight), []int{9, 14}},
		"another, near":      {"mobile", 250, nil, []int{9}},
		"a skulker, too far": {"skulker", 600, nil, []int{9, 14}},
	} {
		t.Run(name, func(t *testing.T) {
			goggles := rcrSheet(func(s *eventv1.RcrSheet) { s.EyeProtection = true })
			f := newTable(t, c.off...).add(fighter("a", "party", feat(c.feat), ability("dexterity", 14), goodAt(4, "perception"), goggles)).start(nil, 20)
			f.Must(act("a", "called-check", "", "", withParameters("skill", "perception", "dc", 15), withFacts("underwater", true, "clarity", "clear", "depth", c.depth)), c.faces...)
			if roll := f.Roll("check/perception"); roll.Total != 13 {
				t.Errorf("%v", roll)
			}
		})
	}
}

// rcr.feat.dungeon-delver-trap-saves
func TestDungeonDelversEvadeTraps(t *testing.T) {
	save := func(about string, wounds int, settings []string, faces ...int) int32 {
		f := newTable(t, settings...).add(fighter("a", "party", feat("dungeon delver"), rcrSheet(func(s *eventv1.RcrSheet) { s.Saves = map[string]int32{"dexterity": 1} }))).start(nil, 20)
		f.Count("a", body.CWounds, wounds)
		var facts []any
		if about != "" {
			facts = []any{"about", about}
		}
		f.Must(act("a", "called-save", "", "", withParameters("ability", "dexterity", "dc", 14), withFacts(facts...)), faces...)
		return f.Roll("save/a").Total
	}
	for _, got := range []int32{save("trap", 1, nil, 12), save("trap", 0, nil, 3, 12), save("", 0, nil, 12), save("magic", 0, nil, 12),
		save("trap", 0, off(cite.FeatDungeonDelverTrapSaves), 12)} {
		if got != 13 {
			t.Errorf("total %d, want 13", got)
		}
	}
}

// rcr.feat.skulker-light-obscurement, rcr.feat.skulker-bonus-hide
func TestSkulkersHide(t *testing.T) {
	for name, c := range map[string]struct {
		feat     string
		settings []string
		obscured string
		cost     string
		may      bool
	}{
		"light fog":               {"skulker", nil, "light", "", true},
		"light fog, another":      {"mobile", nil, "light", "", false},
		"light fog, off":          {"skulker", off(cite.FeatSkulkerLightObscurement), "light", "", false},
		"in the open":             {"skulker", nil, "none", "", false},
		"darkness":                {"mobile", nil, "heavy", "", true},
		"bonus in darkness":       {"skulker", nil, "heavy", "bonus", true},
		"bonus in fog":            {"skulker", nil, "light", "bonus", true},
		"bonus, off":              {"skulker", off(cite.FeatSkulkerBonusHide), "heavy", "bonus", false},
		"bonus, another":          {"mobile", nil, "heavy", "bonus", false},
		"bonus behind a wall":     {"skulker", nil, "", "bonus", false},
		"nothing said, an action": {"mobile", nil, "", "", true},
	} {
		f := newTable(t, c.settings...).add(fighter("a", "party", feat(c.feat), ability("dexterity", 14)), fighter("b", "monsters")).start(nil, 20, 5)
		var change []func(*eventv1.TakeAction)
		if c.obscured != "" {
			change = append(change, withFacts("obscured", c.obscured))
		}
		if c.cost != "" {
			f.Count("a", body.CAction, 0)
			change = append(change, withParameters("cost", c.cost))
		}
		err := f.Try(act("a", "hide", "", "", change...), 18)
		if (err == nil) != c.may {
			t.Errorf("%s: %v", name, err)
		}
		if c.may && c.cost != "" {
			f.wantCount("a", body.CBonus, 0)
		}
	}
}

// rcr.feat.legerdemain-tools-bonus-action
func TestToolsAsABonusAction(t *testing.T) {
	pick := func(tool string, action int, settings ...string) (*table, error) {
		f := newTable(t, settings...).add(fighter("a", "party", feat("legerdemain"), rcrSheet(func(s *eventv1.RcrSheet) {
			s.Tools = []*eventv1.RcrSkill{{Name: "thieves' tools", Bonus: 5}, {Name: "lute", Bonus: 5}}
		})), fighter("b", "monsters")).start(nil, 20, 5)
		f.Count("a", body.CAction, action)
		return f, f.Try(act("a", "check", tool, "", withParameters("use", "exertion", "dc", 10)), 12)
	}
	f, err := pick("thieves' tools", 0)
	if err != nil {
		t.Fatal(err)
	}
	f.wantCount("a", body.CBonus, 0)
	f.wantCited(cite.FeatLegerdemainToolsBonusAction)
	_, err = pick("lute", 0)
	wantRefused(t, err, body.Fallback)
	_, err = pick("thieves' tools", 0, off(cite.FeatLegerdemainToolsBonusAction)...)
	wantRefused(t, err, body.Fallback)
	f, _ = pick("lute", 1)
	f.wantCount("a", body.CBonus, 1)
}

// rcr.feat.healer-tend, rcr.feat.healer-once, rcr.feat.healer-stabilise
func TestHealersTend(t *testing.T) {
	healer := func(id string, wisdom int32) *eventv1.Sheet {
		return fighter(id, "party", feat("healer"), ability("wisdom", wisdom), goodAt(6, "medicine"), rcrSheet(func(s *eventv1.RcrSheet) { s.HealersKitUses = 3 }))
	}
	camp := func(settings ...string) *table {
		f := newTable(t, settings...).add(healer("a", 16), healer("c", 8), fighter("b", "party", rcrSheet(func(s *eventv1.RcrSheet) {
			s.HitDice = []*eventv1.RcrHitDice{{Size: 8, Total: 5, Spent: 4}}
		})), fighter("young", "party", rcrSheet(func(s *eventv1.RcrSheet) { s.HitDice = []*eventv1.RcrHitDice{{Size: 8, Total: 1}} })), fighter("d", "party"))
		f.Hurt("b", 8)
		f.Hurt("young", 8)
		f.Count("b", body.CWounds, 4)
		f.Count("young", body.CWounds, 1)
		return f
	}
	tend := func(who, whom string) *eventv1.PatientCommand {
		return &eventv1.PatientCommand{Deed: "tend", User: who, Patients: []string{whom}}
	}
	f := camp()
	f.tend(tend("a", "b"), 4, 4)
	f.WantHP("b", 20)
	f.wantCount("b", body.CWounds, 1)
	f.wantCount("a", body.CKit, 2)
	f.wantCited(cite.FeatHealerTend, cite.FeatHealerOnce)
	f.tend(tend("c", "young"), 2)
	f.WantHP("young", 10)
	f.wantCount("young", body.CWounds, 1)
	f.refusedTend(cite.FeatHealerOnce, tend("c", "b"))
	f.tend(&eventv1.PatientCommand{Deed: "short-rest", Patients: []string{"b"}, Parameters: object("dice", 0)})
	f.refusedTend(cite.FeatHealerOnce, tend("a", "b"))
	f.tend(&eventv1.PatientCommand{Deed: "long-rest", Patients: []string{"b"}})
	f.tend(tend("a", "b"), 4)
	f.refusedTend(cite.FeatHealerTend, tend("d", "young"))
	f.Count("a", body.CKit, 0)
	f.refusedTend(cite.HealingKitUseExpended, tend("a", "d"))
	camp(off(cite.FeatHealerTend)...).refusedTend(cite.FeatHealerTend, tend("a", "b"))
	f = camp(off(cite.FeatHealerOnce)...)
	f.tend(tend("a", "b"), 4, 4)
	f.tend(tend("a", "b"), 4, 4)
	// Stabilising neither bars it nor is barred, and gives a hit point.
	f = camp()
	f.Hurt("d", 0)
	f.tend(&eventv1.PatientCommand{Deed: "treat", User: "a", Item: "healer's kit", Patients: []string{"d"}})
	f.WantHP("d", 1)
	f.tend(tend("a", "d"), 1)
	f.WantHP("d", 1+1+3+5)
}

// rcr.feat.inspiring-leader-temp-hp
func TestInspiringLeadersSpeak(t *testing.T) {
	f := newTable(t).add(fighter("a", "party", feat("inspiring leader"), ability("charisma", 16)), fighter("b", "party"), fighter("c", "party"), fighter("deaf", "party"), fighter("far", "party"))
	f.Afflict("deaf", body.CondDeafened)
	f.Harm(&eventv1.Harm{Deed: body.DeedTempHP, Target: "c", Amount: 10})
	speak := &eventv1.PatientCommand{Deed: "inspire", User: "a", Patients: []string{"b", "c", "deaf"}}
	f.tend(speak)
	for id, want := range map[string]int32{"a": 8, "b": 8, "c": 10, "deaf": 0, "far": 0} {
		if got := f.Creature(id).GetHpTemp(); got != want {
			t.Errorf("%s: %d temporary hit points, want %d", id, got, want)
		}
	}
	f.wantCited(cite.FeatInspiringLeaderTempHp)
	f.refusedTend(cite.FeatInspiringLeaderTempHp, &eventv1.PatientCommand{Deed: "inspire", User: "b", Patients: []string{"c"}})
	g := newTable(t, off(cite.FeatInspiringLeaderTempHp)...).add(fighter("a", "party", feat("inspiring leader"), ability("charisma", 16)), fighter("b", "party"))
	g.refusedTend(cite.FeatInspiringLeaderTempHp, &eventv1.PatientCommand{Deed: "inspire", User: "a", Patients: []string{"b"}})
}

// rcr.feat.grappler-pin
func TestGrapplersPin(t *testing.T) {
	fight := func(settings ...string) *table {
		f := newTable(t, settings...).add(fighter("a", "party", feat("grappler")), fighter("b", "monsters", rcrSheet(func(s *eventv1.RcrSheet) { s.Saves = map[string]int32{"constitution": 1} })), fighter("c", "monsters")).start(nil, 20, 5, 4)
		f.Afflict("b", "grappled@a")
		return f
	}
	f := fight()
	wantRefused(t, f.Try(act("a", "pin", "", "c")), cite.FeatGrapplerPin)
	f.Must(act("a", "pin", "", "b"), 15, 12)
	f.Answer(movement.DecPin, body.CondRestrained)
	if !body.Has(f.Creature("b"), body.CondRestrained) || body.Has(f.Creature("a"), body.CondRestrained) {
		t.Errorf("a %v, b %v", f.Creature("a").Conditions, f.Creature("b").Conditions)
	}
	f.wantCount("a", body.CAction, 0)
	f.wantCited(cite.FeatGrapplerPin)
	// A later pin changes it; it ends with the grapple.
	f.Count("a", body.CAction, 1)
	f.Must(act("a", "pin", "", "b"), 17, 9)
	f.Answer(movement.DecPin, body.CondSuffocating)
	if body.Has(f.Creature("b"), body.CondRestrained) || !body.Has(f.Creature("b"), body.CondSuffocating) {
		t.Errorf("b %v", f.Creature("b").Conditions)
	}
	f.End("a", 20, 6) // 7 against 5
	if body.Down(f.Creature("b")) {
		t.Error("b is down")
	}
	f.End("b", 5)
	f.End("c", 4)
	f.Must(act("a", "release", "", "b"))
	if body.Has(f.Creature("b"), body.CondSuffocating) {
		t.Error("it chokes still")
	}
	f = fight()
	f.Must(act("a", "pin", "", "b"), 12, 12)
	if len(f.Decisions) > 0 || body.Has(f.Creature("b"), body.CondRestrained) {
		t.Error("a tie changes something")
	}
	f = fight(off(cite.FeatGrapplerPin)...)
	wantRefused(t, f.Try(act("a", "pin", "", "b")), cite.FeatGrapplerPin)
}
