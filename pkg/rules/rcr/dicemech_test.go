package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	thedice "github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func task(skill string, dc int, more ...any) func(*eventv1.TakeAction) {
	return withParameters(append([]any{"task", "raid", "skill", skill, "dc", dc}, more...)...)
}

func inspired(s *eventv1.Sheet) { s.GetRcr().Inspiration = true }

func solo(t *testing.T, settings []string, change ...func(*eventv1.Sheet)) *table {
	t.Helper()
	return newTable(t, settings...).add(fighter("a", "party", change...), fighter("b", "monsters")).start(nil, 20, 5)
}

func (f *table) wantTask(status string, safeties int32) {
	f.T.Helper()
	got := f.State.Tasks["raid/a"]
	if got.GetStatus() != status || got.GetValues()[thedice.ValSafeties] != safeties {
		f.T.Fatalf("task %v, want %s with %d Safeties", got, status, safeties)
	}
}

// rcr.dice.threat
func TestThreat(t *testing.T) {
	for _, c := range []struct {
		name  string
		bonus int32
		dc    int
		faces []int
		want  string
	}{
		{"saved with limited progress", 5, 15, []int{6, 12}, "limited"},
		{"a true failure", 5, 15, []int{9, 9}, "failure"},
		{"a natural 1 is final", 5, 15, []int{1}, "failure"},
		{"a natural 1 that succeeds", 9, 10, []int{1}, "success"},
	} {
		t.Run("rcr.dice.threat: "+c.name, func(t *testing.T) {
			f := solo(t, nil, skilled("stealth", c.bonus))
			f.Must(act("a", "task-check", "", "", task("stealth", c.dc)), c.faces...)
			f.wantTask(c.want, 0)
		})
	}
	t.Run("rcr.dice.threat: off", func(t *testing.T) {
		f := solo(t, []string{"rcr.dice.threat=off"}, skilled("stealth", 5))
		f.Must(act("a", "task-check", "", "", task("stealth", 15)), 6)
		f.wantTask("failure", 0)
	})
}

// rcr.dice.safety
func TestSafety(t *testing.T) {
	banked := func(t *testing.T) *table {
		f := solo(t, nil, skilled("stealth", 4))
		f.Must(act("a", "task-check", "", "", task("stealth", 14)), 20)
		f.wantTask("success", 1)
		return f
	}
	t.Run("rcr.dice.safety: spent", func(t *testing.T) {
		f := banked(t)
		f.Must(act("a", "task-check", "", "", task("stealth", 16)), 7)
		f.Answer(thedice.DecSafety, "yes")
		f.wantTask("success", 0)
	})
	t.Run("rcr.dice.safety: kept, then spent after the Threat", func(t *testing.T) {
		f := banked(t)
		f.Must(act("a", "task-check", "", "", task("stealth", 16)), 7)
		f.Answer(thedice.DecSafety, "no", 8)
		f.Answer(thedice.DecSafety, "yes")
		f.wantTask("success", 0)
	})
	t.Run("rcr.dice.safety: on a natural 1", func(t *testing.T) {
		f := banked(t)
		f.Must(act("a", "task-check", "", "", task("stealth", 16)), 1)
		f.Answer(thedice.DecSafety, "no")
		f.wantTask("failure", 1)
	})
	t.Run("rcr.dice.safety: a natural 20 that fails banks none", func(t *testing.T) {
		f := solo(t, nil, skilled("stealth", 2))
		f.Must(act("a", "task-check", "", "", task("stealth", 25)), 20, 10)
		f.wantTask("failure", 0)
	})
	t.Run("rcr.dice.safety: a natural 20 on the Threat banks one", func(t *testing.T) {
		f := solo(t, nil, skilled("stealth", 2))
		f.Must(act("a", "task-check", "", "", task("stealth", 15)), 2, 20)
		f.wantTask("limited", 1)
	})
	t.Run("rcr.dice.safety: lost with the task", func(t *testing.T) {
		f := banked(t)
		f.Must(act("a", "end-task", "raid/a", ""))
		f.Must(act("a", "task-check", "", "", task("stealth", 16)), 7, 7)
		f.wantTask("failure", 0)
	})
}

// rcr.dice.threat-safety-proficiency
func TestThreatProficiency(t *testing.T) {
	const rule = cite.DiceThreatSafetyProficiency
	unskilled := rcrSheet(func(s *eventv1.RcrSheet) {
		s.Skills = []*eventv1.RcrSkill{{Name: "stealth", Bonus: 1}, {Name: "sleight of hand", Bonus: 5}}
		s.Tools = []*eventv1.RcrSkill{{Name: "thieves' tools", Bonus: 5, Proficient: true}}
	})
	f := solo(t, []string{rule + "=on"}, unskilled)
	f.Must(act("a", "task-check", "", "", task("stealth", 12)), 10)
	f.wantTask("failure", 0)
	f.Must(act("a", "task-check", "", "", task("sleight of hand", 15, "tool", "thieves' tools")), 4, 13)
	f.wantTask("limited", 0)
	f.Must(act("a", "task-check", "", "", task("stealth", 12)), 20)
	f.wantTask("success", 0)
}

// rcr.dice.degrees-of-success
func TestDegrees(t *testing.T) {
	for _, c := range []struct {
		bonus  int32
		face   int
		want   string
		dice   int32
		barred int32
	}{
		{6, 9, "success", 1, 0}, {6, 13, "success", 1, 0}, {6, 14, "major success", 0, 0}, {6, 18, "major success", 0, 0}, {6, 19, "triumph", 0, 0},
		{0, 14, "failure", 1, 0}, {0, 11, "failure", 1, 0}, {0, 10, "major failure", 1, 1}, {0, 6, "major failure", 1, 1}, {0, 5, "disaster", 1, 1},
	} {
		f := solo(t, nil, rcrSheet(func(s *eventv1.RcrSheet) { s.Tools = []*eventv1.RcrSkill{{Name: "thieves' tools", Bonus: c.bonus}} }))
		f.Must(act("a", "task-check", "", "", task("thieves' tools", 15, "degrees", true)), c.face)
		got := f.State.Tasks["raid/a"]
		if got.Status != c.want || got.Values[thedice.ValTimeDice] != c.dice || got.Values[thedice.ValBarred] != c.barred || f.State.Counters[thedice.CTimeDice] != int64(c.dice) {
			t.Errorf("+%d, %d: %v, want %s, %d Time Dice", c.bonus, c.face, got, c.want, c.dice)
		}
	}
	t.Run("rcr.dice.degrees-of-success: a disaster bars retries", func(t *testing.T) {
		f := solo(t, nil)
		f.Must(act("a", "task-check", "", "", task("strength", 15, "degrees", true)), 2)
		wantRefused(t, f.Try(act("a", "task-check", "", "", task("strength", 15, "degrees", true))), cite.DiceDegreesOfSuccess)
	})
	t.Run("rcr.dice.degrees-of-success: after a triumph a success costs no time", func(t *testing.T) {
		f := solo(t, nil, skilled("athletics", 6))
		f.Must(act("a", "task-check", "", "", task("athletics", 15, "degrees", true)), 20)
		f.Must(act("a", "task-check", "", "", task("athletics", 15, "degrees", true)), 9)
		if f.State.Counters[thedice.CTimeDice] != 0 {
			t.Fatal("it cost time")
		}
		f.Must(act("a", "task-check", "", "", task("athletics", 15, "degrees", true)), 8)
		if f.State.Counters[thedice.CTimeDice] != 1 {
			t.Fatal("a failure costs time")
		}
	})
}

// rcr.dice.inspiration-fudge
func TestFudge(t *testing.T) {
	check := func(t *testing.T, face int) *table {
		f := solo(t, nil, inspired, skilled("athletics", 4))
		f.Must(act("a", "called-check", "", "", withParameters("skill", "athletics", "dc", 15)), face)
		return f
	}
	t.Run("rcr.dice.inspiration-fudge: enough", func(t *testing.T) {
		f := check(t, 9)
		f.Answer("inspiration-fudge", "yes", 2)
		if r := f.Roll("fudge"); r.Total != 15 || r.Outcome != "success" {
			t.Fatal(r)
		}
		f.wantCount("a", body.CInspiration, 0)
	})
	t.Run("rcr.dice.inspiration-fudge: not enough, and gone", func(t *testing.T) {
		f := check(t, 8)
		f.Answer("inspiration-fudge", "yes", 2)
		if r := f.Roll("fudge"); r.Total != 14 || r.Outcome != "failure" {
			t.Fatal(r)
		}
		f.wantCount("a", body.CInspiration, 0)
	})
	t.Run("rcr.dice.inspiration-fudge: no offer on a success", func(t *testing.T) {
		f := check(t, 11)
		f.wantAsked()
		f.wantCount("a", body.CInspiration, 1)
	})
	t.Run("rcr.dice.inspiration-fudge: saves by the switch only", func(t *testing.T) {
		save := act("a", "called-save", "", "", withParameters("ability", "wisdom", "dc", 15))
		f := solo(t, nil, inspired)
		f.Must(save, 5)
		f.wantAsked()
		f = solo(t, []string{body.SetFudgeAnyRoll + "=on"}, inspired)
		f.Must(save, 12)
		f.Answer("inspiration-fudge", "yes", 3)
	})
	t.Run("rcr.dice.inspiration-fudge: attacks by the switch only", func(t *testing.T) {
		f := solo(t, []string{body.SetFudgeAnyRoll + "=on"}, inspired)
		f.Must(act("a", "attack", "sword", "b"), 8) // 13 against 15
		f.Answer("inspiration-fudge", "yes", 2, 5)
		if f.Attack().Outcome != "hit" || f.Creature("b").GetHp() != 32 {
			t.Fatalf("%v, %d hit points", f.Attack(), f.Creature("b").GetHp())
		}
		f = solo(t, []string{body.SetFudgeAnyRoll + "=on"}, inspired)
		f.Must(act("a", "attack", "sword", "b"), 1)
		f.wantAsked() // a natural 1 misses whatever the total
	})
}

// rcr.base.inspiration-held, rcr.dice.inspiration-resource
func TestInspirationUses(t *testing.T) {
	resources := rcrSheet(func(s *eventv1.RcrSheet) {
		s.Inspiration = true
		s.Resources = []*eventv1.RcrResource{{Name: "second wind", Max: 1, Recharge: "short rest"}, {Name: "action surge", Max: 1, Recharge: "short rest"},
			{Name: "lay on hands", Max: 25, Recharge: "long rest"}}
	})
	t.Run("rcr.base.inspiration-held: never more than one", func(t *testing.T) {
		f := solo(t, nil, inspired)
		f.Must(act("a", "grant-inspiration", "", ""))
		f.wantCount("a", body.CInspiration, 1)
	})
	t.Run("rcr.base.inspiration-held: advantage before a save", func(t *testing.T) {
		f := solo(t, nil, inspired)
		f.Must(act("a", "spend-inspiration", "", ""))
		f.Must(act("a", "called-save", "", "", withParameters("ability", "wisdom", "dc", 15)), 5, 15)
		f.wantCount("a", body.CInspiration, 0)
		if f.Roll("save/a").Outcome != "success" {
			t.Fatal("no advantage")
		}
	})
	t.Run("rcr.base.inspiration-held: advantage on a check", func(t *testing.T) {
		f := solo(t, nil, inspired)
		f.Must(act("a", "check", "athletics", "", withParameters("use", "movement", "dc", 15, "inspiration", true)), 5, 15)
		f.wantCount("a", body.CInspiration, 0)
	})
	t.Run("rcr.dice.inspiration-resource: the one named", func(t *testing.T) {
		f := solo(t, nil, resources)
		f.Must(act("a", "spend-inspiration", "action surge", ""))
		f.wantCount("a", body.CLeft+"action surge", 1)
		f.wantCount("a", body.CLeft+"second wind", 0)
		f.wantCount("a", body.CInspiration, 0)
	})
	t.Run("rcr.dice.inspiration-resource: not of a long rest", func(t *testing.T) {
		f := solo(t, nil, resources)
		wantRefused(t, f.Try(act("a", "spend-inspiration", "lay on hands", "")), cite.DiceInspirationResource)
		f.wantCount("a", body.CInspiration, 1)
	})
	t.Run("rcr.dice.inspiration-resource: off", func(t *testing.T) {
		f := solo(t, []string{"rcr.dice.inspiration-resource=off"}, resources)
		wantRefused(t, f.Try(act("a", "spend-inspiration", "action surge", "")), cite.DiceInspirationResource)
	})
}

// rcr.dice.delayed-roll
func TestDelayedRoll(t *testing.T) {
	delay := act("a", "delay-check", "", "", withParameters("task", "knot", "skill", "sleight of hand"))
	t.Run("rcr.dice.delayed-roll: rolled when it matters", func(t *testing.T) {
		f := solo(t, nil, skilled("sleight of hand", 3))
		f.Must(delay)
		if got := f.State.Tasks["knot/a/delayed-roll"]; got.GetStatus() != "pending" || len(f.Rolls("")) != 0 {
			t.Fatalf("task %v", got)
		}
		f.Must(act("a", "call-delayed", "knot/a/delayed-roll", "", withParameters("dc", 14)), 12)
		if f.Roll("sleight of hand").Outcome != "success" || len(f.State.Tasks) != 0 {
			t.Fatal("the knot does not hold")
		}
	})
	t.Run("rcr.dice.delayed-roll: the state of then, the exhaustion of now", func(t *testing.T) {
		f := solo(t, nil, skilled("sleight of hand", 3))
		f.Afflict("a", body.CondRestrained)
		f.Must(delay)
		f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "a", RemoveConditions: []string{body.CondRestrained}}}})
		f.Count("a", body.CExhaustion, 2)
		f.Must(act("a", "call-delayed", "knot/a/delayed-roll", "", withParameters("dc", 14)), 18, 12)
		if got := f.Roll("sleight of hand"); got.Total != 13 {
			t.Fatal(got.Total)
		}
	})
	t.Run("rcr.dice.delayed-roll: dropped with the scene", func(t *testing.T) {
		f := solo(t, nil)
		f.Must(delay)
		f.Must(&eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}})
		if len(f.State.Tasks) != 0 || len(f.Rolls("")) != 0 {
			t.Fatal("it is still pending, or was rolled")
		}
	})
	t.Run("rcr.dice.delayed-roll: off", func(t *testing.T) {
		wantRefused(t, solo(t, []string{"rcr.dice.delayed-roll=off"}).Try(delay), cite.DiceDelayedRoll)
	})
}

// rcr.dice.group-check
func TestGroupCheck(t *testing.T) {
	for _, c := range []struct {
		name    string
		dc      int
		bonuses []int32
		faces   []int
		tie     string
		want    string
	}{
		{"a tie", 13, []int32{9, 0, 1, 5}, []int{8, 4, 11, 12}, "", "group check: 2 to 2, success"},
		{"natural 1 and 20", 13, []int32{9, 0, 1, 5}, []int{1, 4, 20, 12}, "", "group check: 3 to 3, success"},
		{"a natural 1 that would succeed", 10, []int32{11, 2, 3}, []int{1, 9, 5}, "", "group check: 1 to 3, failure"},
		{"a natural 20 that would fail", 25, []int32{3, 10, -1}, []int{20, 14, 15}, "", "group check: 2 to 2, success"},
		{"a tie by the other reading", 13, []int32{9, 0, 1, 5}, []int{8, 4, 11, 12}, body.SetGroupTie + "=failure", "group check: 2 to 2, failure"},
	} {
		t.Run("rcr.dice.group-check: "+c.name, func(t *testing.T) {
			var settings []string
			if c.tie != "" {
				settings = []string{c.tie}
			}
			f := newTable(t, settings...)
			targets := ""
			for i, b := range c.bonuses {
				id := string(rune('p' + i))
				f.add(fighter(id, "party", skilled("stealth", b)))
				targets += "," + id
			}
			f.start(nil, make20(len(c.bonuses))...)
			f.Must(act("p", "group-check", "", targets[1:], withParameters("skill", "stealth", "dc", c.dc)), c.faces...)
			said := ""
			for _, e := range f.Events {
				if n := e.GetNote(); n != nil {
					said = n.Text
				}
			}
			if said != c.want {
				t.Fatalf("%q, want %q", said, c.want)
			}
		})
	}
}

func make20(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = 20 - i
	}
	return out
}
