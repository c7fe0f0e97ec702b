package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func skilled(name string, bonus int32) func(*eventv1.Sheet) {
	return rcrSheet(func(s *eventv1.RcrSheet) {
		if _, skill := body.SkillAbility[name]; skill {
			s.Skills = append(s.Skills, &eventv1.RcrSkill{Name: name, Bonus: bonus, Proficient: true})
		}
	})
}

// Every purpose of a check has its cost by the table's switches.
func TestSkillEconomy(t *testing.T) {
	variant := cite.ActionSkillDefaultBonus
	cases := []struct {
		name, setting, skill, use string
		spent                     string // what the turn has spent before
		cost                      string
		refused                   string
	}{
		{"rcr.action.skill-default-bonus: a trap's trigger", variant, "investigation", "other", "", body.CBonus, ""},
		{"rcr.action.skill-default-bonus: one bonus action a turn", variant, "insight", "read", body.CBonus, "", variant},
		{cite.ActionSkillFreeMovement, cite.ActionSkillFreeMovement, "athletics", "movement", "both", "", ""},
		{cite.ActionSkillFreeKnowledge, cite.ActionSkillFreeKnowledge, "nature", "knowledge", "both", "", ""},
		{cite.ActionSkillBonusInfluence, cite.ActionSkillBonusInfluence, "deception", "influence", "", body.CBonus, ""},
		{cite.ActionSkillBonusSearch, cite.ActionSkillBonusSearch, "perception", "search", body.CAction, body.CBonus, ""},
		{cite.ActionSkillBonusInsight, cite.ActionSkillBonusInsight, "insight", "read", body.CBonus, "", cite.ActionSkillBonusInsight},
		{cite.ActionSkillActionPerformance, cite.ActionSkillActionPerformance, "performance", "pretend", body.CAction, "", cite.ActionSkillActionPerformance},
		{cite.ActionSkillActionSteal, cite.ActionSkillActionSteal, "sleight of hand", "steal", "", body.CAction, ""},
		{cite.ActionSkillActionTrack, cite.ActionSkillActionTrack, "survival", "track", body.CBonus, body.CAction, ""},
		{cite.ActionSkillActionExertion, cite.ActionSkillActionExertion, "athletics", "exertion", body.CAction, "", cite.ActionSkillActionExertion},
		{cite.ActionSkillActionSurrender, cite.ActionSkillActionSurrender, "intimidation", "surrender", body.CBonus, body.CAction, ""},
		{"the variant alone: stealing", variant, "sleight of hand", "steal", body.CAction, "", variant},
		{"the variant alone: pretending", variant, "performance", "pretend", body.CBonus, body.CAction, ""},
		{"the variant alone: tracking", variant, "survival", "track", body.CAction, "", variant},
		{"the variant alone: demanding surrender", variant, "intimidation", "surrender", body.CBonus, body.CAction, ""},
		{"the variant alone: influencing stays a bonus action", variant, "intimidation", "influence", body.CAction, body.CBonus, ""},
		{"the variant alone: exertion", variant, "athletics", "exertion", body.CBonus, body.CAction, ""},
		{"the variant alone: movement is free", variant, "athletics", "movement", "both", "", ""},
		{"another list alone leaves stealing an action by the fifth edition", cite.ActionSkillActionHide, "sleight of hand", "steal", body.CBonus, body.CAction, ""},
		{"fifth edition: searching takes the action", "", "perception", "search", "", body.CAction, ""},
		{"fifth edition: knowledge is free", "", "history", "knowledge", "both", "", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var settings []string
			if c.setting != "" {
				settings = []string{c.setting + "=on"}
			}
			f := duel(t, settings...)
			for _, counter := range []string{body.CAction, body.CBonus} {
				if c.spent == counter || c.spent == "both" {
					f.Count("a", counter, 0)
				}
			}
			before := map[string]int64{body.CAction: f.Creature("a").Counters[body.CAction], body.CBonus: f.Creature("a").Counters[body.CBonus]}
			cmd := act("a", "check", c.skill, "", withParameters("use", c.use))
			if c.refused != "" {
				wantRefused(t, f.Try(cmd), c.refused)
				return
			}
			f.Must(cmd, 10)
			for _, counter := range []string{body.CAction, body.CBonus} {
				want := before[counter]
				if counter == c.cost {
					want--
				}
				f.wantCount("a", counter, want)
			}
		})
	}
	t.Run("the game master's word", func(t *testing.T) {
		f := duel(t)
		f.Must(act("a", "check", "persuasion", "", withParameters("use", "influence"), withFacts("cost", "free")), 10)
		f.wantCount("a", body.CAction, 1)
	})
	t.Run("rcr.action.skill-free-knowledge: one attempt a question", func(t *testing.T) {
		f := duel(t)
		cmd := func() *eventv1.Command {
			return act("a", "check", "nature", "", withParameters("use", "knowledge", "question", "what trolls fear"))
		}
		f.Must(cmd(), 10)
		wantRefused(t, f.Try(cmd()), cite.ActionSkillFreeKnowledge)
	})
	t.Run("rcr.action.skill-default-bonus: grapple and stabilising keep their cost", func(t *testing.T) {
		f := duel(t, variant+"=on")
		f.Must(act("a", "grapple", "", "b"), 1, 1)
		f.wantCount("a", body.CAction, 0)
		f.wantCount("a", body.CBonus, 1)
	})
}

// rcr.action.skill-action-hide
func TestHide(t *testing.T) {
	f := duel(t, "rcr.action.skill-action-hide=on")
	f.Count("a", body.CAction, 0)
	wantRefused(t, f.Try(act("a", "hide", "", "")), cite.ActionSkillActionHide)
	f = duel(t, cite.ActionSkillDefaultBonus+"=on") // the variant alone: the list that goes with it makes hiding an action
	f.Must(act("a", "hide", "", ""), 12)
	f.wantCount("a", body.CAction, 0)
	f.wantCount("a", body.CBonus, 1)
	f = newTable(t, "rcr.action.skill-action-hide=on").add(fighter("a", "party", rcrSheet(func(s *eventv1.RcrSheet) { s.Traits = []string{"cunning action"} })),
		fighter("b", "monsters", rcrSheet(func(s *eventv1.RcrSheet) { s.PassivePerception = 12 }))).start(nil, 20, 5)
	f.Count("a", body.CAction, 0)
	f.Must(act("a", "hide", "", "", withParameters("cost", "bonus")), 12)
	f.wantCount("a", body.CBonus, 0)
	if !body.Has(f.Creature("a"), body.CondHidden) {
		t.Fatal("not hidden")
	}
	t.Run("rcr.action.skill-bonus-search: found", func(t *testing.T) {
		f.End("a", 1)
		f.Must(act("b", "search", "perception", "a"), 12)
		if body.Has(f.Creature("a"), body.CondHidden) {
			t.Fatal("still hidden")
		}
	})
}

// rcr.condition.blinded-sight, rcr.condition.deafened-wisdom, rcr.condition.shackled-checks, rcr.condition.crouching-checks,
// rcr.condition.prone-own-rolls, rcr.condition.restrained-dexterity
func TestHinderedChecks(t *testing.T) {
	tools := rcrSheet(func(s *eventv1.RcrSheet) { s.Tools = []*eventv1.RcrSkill{{Name: "thieves' tools", Bonus: 8}} })
	cases := []struct {
		name, condition, skill, sense string
		bonus                         int32
		faces                         []int
		total                         int32
	}{
		{"rcr.condition.blinded-sight: no roll", "blinded", "perception", "sight", 8, nil, 0},
		{"rcr.condition.deafened-wisdom: no hearing", "deafened", "perception", "hearing", 8, nil, 0},
		{"rcr.condition.deafened-wisdom: Wisdom checks", "deafened", "medicine", "", 5, []int{9, 4}, 9},
		{"rcr.condition.shackled-checks: tools", "shackled", "thieves' tools", "", 8, []int{13, 6}, 14},
		{"rcr.condition.shackled-checks: not Insight", "shackled", "insight", "", 2, []int{13}, 15},
		{cite.ConditionCrouchingChecks, "crouching", "athletics", "", 5, []int{12, 3}, 8},
		{cite.ConditionRestrainedDexterity, "restrained", "sleight of hand", "", 6, []int{10, 4}, 10},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party", tools, skilled(c.skill, c.bonus)), fighter("b", "monsters")).start(nil, 20, 5)
			f.Afflict("a", c.condition)
			pairs := []any{"skill", c.skill, "dc", 30}
			if c.sense != "" {
				pairs = append(pairs, "sense", c.sense)
			}
			f.Must(act("a", "called-check", "", "", withParameters(pairs...)), c.faces...)
			rolls := f.Rolls(c.skill)
			if c.faces == nil {
				if len(rolls) != 0 {
					t.Fatal("it was rolled")
				}
				return
			}
			if len(rolls) != 1 || rolls[0].Total != c.total {
				t.Fatalf("rolled %v, want %d", rolls, c.total)
			}
		})
	}
	saves := []struct {
		name, condition, ability string
		bonus                    int32
		faces                    []int
		total                    int32
	}{
		{"rcr.condition.prone-own-rolls: Dexterity", "prone", "dexterity", 7, []int{14, 6}, 13},
		{"rcr.condition.prone-own-rolls: not Wisdom", "prone", "wisdom", 4, []int{9}, 13},
		{"rcr.condition.deafened-wisdom: a save", "deafened", "wisdom", 6, []int{11, 7}, 13},
	}
	for _, c := range saves {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party", rcrSheet(func(s *eventv1.RcrSheet) { s.Saves = map[string]int32{c.ability: c.bonus} })),
				fighter("b", "monsters")).start(nil, 20, 5)
			f.Afflict("a", c.condition)
			f.Must(act("a", "called-save", "", "", withParameters("ability", c.ability, "dc", 14)), c.faces...)
			if got := f.Roll("save/a"); got.Total != c.total || got.Outcome != "failure" {
				t.Fatalf("%d, %s", got.Total, got.Outcome)
			}
		})
	}
}

// rcr.hp.medicine-check, rcr.action.skill-bonus-medicine
func TestExamine(t *testing.T) {
	start := func() *table {
		f := newTable(t).add(fighter("a", "party", skilled("medicine", 5)), fighter("friend", "party"), fighter("b", "monsters")).start(nil, 20, 5, 4)
		f.Hurt("friend", 4)
		f.Count("friend", body.CWounds, 1)
		return f
	}
	t.Run("learns both numbers", func(t *testing.T) {
		f := start()
		f.Count("a", body.CAction, 0) // rcr.action.skill-bonus-medicine: it is no action
		f.Must(act("a", "medicine", "", "friend"), 5)
		f.wantCount("a", body.CBonus, 0)
		if got := learned(f.Events); got["hp"] != 4 || got["wounds"] != 1 {
			t.Fatalf("learned %v", got)
		}
		if got := learned(f.SeenBy(player("b-player"))); got != nil {
			t.Fatal("another player learned it")
		}
		if got := learned(f.SeenBy(player("a-player"))); got["hp"] != 4 {
			t.Fatal("the examiner's player learned nothing")
		}
	})
	t.Run("learns nothing", func(t *testing.T) {
		f := start()
		f.Must(act("a", "medicine", "", "friend"), 4)
		f.wantCount("a", body.CBonus, 0)
		if learned(f.Events) != nil {
			t.Fatal("learned something")
		}
		wantRefused(t, f.Try(act("a", "medicine", "", "friend")), cite.HpMedicineCheck)
	})
}

func learned(events []*eventv1.Event) map[string]int32 {
	for _, e := range events {
		if l := e.GetLearned(); l != nil {
			return l.Facts
		}
	}
	return nil
}

// rcr.condition.grappled-speed, rcr.condition.crouching-checks
func TestWrestling(t *testing.T) {
	t.Run("grapple, escape", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party", skilled("athletics", 6), ability("strength", 16), rcrSheet(func(s *eventv1.RcrSheet) { s.AttacksPerAction = 2 })), fighter("b", "monsters")).start(nil, 20, 5)
		f.Must(act("a", "grapple", "", "b"), 5, 10)
		if !body.Has(f.Creature("b"), body.CondGrappled) {
			t.Fatal("not grappled")
		}
		f.Must(act("a", "shove", "", "b"), 5, 10) // the second attack of the action
		if !body.Has(f.Creature("b"), body.CondProne) {
			t.Fatal("not prone")
		}
		wantRefused(t, f.Try(act("a", "shove", "", "b")), cite.BaseFifthEditionFallback)
		f.End("a", 1)
		wantRefused(t, f.Try(act("b", "stand", "", "")), cite.ConditionGrappledSpeed)
		f.Must(act("b", "escape", "", ""), 15, 20, 9) // prone: 15 against 9 + 6 is no win
		if !body.Has(f.Creature("b"), body.CondGrappled) {
			t.Fatal("equal totals leave it held")
		}
		f.Count("b", body.CAction, 1)
		f.Must(act("b", "escape", "", ""), 15, 20, 8)
		if body.Has(f.Creature("b"), body.CondGrappled) {
			t.Fatal("still grappled")
		}
	})
	t.Run("rcr.condition.crouching-checks: resisting a shove", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters", skilled("athletics", 5))).start(nil, 20, 5)
		f.Afflict("b", body.CondCrouching)
		f.Must(act("a", "shove", "", "b"), 9, 12, 3)
		if !body.Has(f.Creature("b"), body.CondProne) {
			t.Fatal("9 against 8")
		}
	})
	t.Run("a push provokes nothing", func(t *testing.T) {
		f := field(t, 5, 0)
		f.Must(act("a", "shove", "", "b", withParameters("effect", "push")), 11, 10)
		if f.Creature("b").Position.X != 10 || len(f.Decisions) != 0 {
			t.Fatal("not pushed")
		}
	})
	t.Run("a tie changes nothing", func(t *testing.T) {
		f := duel(t)
		f.Must(act("a", "grapple", "", "b"), 10, 10)
		if body.Has(f.Creature("b"), body.CondGrappled) {
			t.Fatal("grappled")
		}
	})
	t.Run("let go", func(t *testing.T) {
		f := duel(t)
		f.Afflict("b", body.CondGrappled+"@a")
		f.Must(act("a", "release", "", "b"))
		if body.Has(f.Creature("b"), body.CondGrappled) {
			t.Fatal("still grappled")
		}
	})
}

// rcr.base.death-save-frame
func TestStabilise(t *testing.T) {
	f := newTable(t).add(fighter("a", "party", skilled("medicine", 5), rcrSheet(func(s *eventv1.RcrSheet) { s.HealersKitUses = 1 })),
		fighter("friend", "party"), fighter("b", "monsters")).start(nil, 20, 5, 4)
	f.Hurt("friend", 0)
	f.Must(act("a", "stabilise", "", "friend"), 4)
	if f.Creature("friend").Life != eventv1.LifeStatus_LIFE_STATUS_DYING {
		t.Fatal("stable by a failure")
	}
	f.Count("a", body.CAction, 1)
	f.Must(act("a", "stabilise", "", "friend", withParameters("kit", true)))
	f.wantCount("a", body.CKit, 0)
	if f.Creature("friend").Life != eventv1.LifeStatus_LIFE_STATUS_STABLE {
		t.Fatal("not stable")
	}
	f.Count("a", body.CAction, 1)
	wantRefused(t, f.Try(act("a", "stabilise", "", "friend")), cite.BaseDeathSaveFrame)
}
