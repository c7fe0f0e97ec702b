package rcr

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	thedice "github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// delayed is a fight in which a has delayed a check of athletics, and is at a task.
func delayed(t *testing.T, words []any, change ...func(*eventv1.Sheet)) *table {
	f := solo(t, nil, change...)
	f.Must(act("a", "delay-check", "", "", withParameters(append([]any{"task", "knot", "skill", "athletics"}, words...)...)))
	f.Must(act("a", "task-check", "", "", task("athletics", 5)), 10)
	return f
}

const knot = "knot/a/delayed-roll"

// rcr.dice.delayed-roll, rcr.dice.threat, rcr.dice.safety: what is done with a task is done with one
// of that kind, and by whoever is at it; a dead hand goes on with none.
func TestWhoseTasks(t *testing.T) {
	for name, c := range map[string]struct {
		who, action, item string
		words             []any
		reason, rule      string
	}{
		"a delayed check is called":             {"a", "call-delayed", knot, []any{"dc", 10}, "", ""},
		"a task is no delayed check":            {"a", "call-delayed", "raid/a", []any{"dc", 10}, "NO_TASK", cite.DiceDelayedRoll},
		"another's delayed check":               {"b", "call-delayed", knot, []any{"dc", 10}, "NO_TASK", cite.DiceDelayedRoll},
		"a task goes on":                        {"a", "task-check", "raid/a", []any{"skill", "athletics", "dc", 10}, "", ""},
		"a delayed check is no task to attempt": {"a", "task-check", knot, []any{"skill", "athletics", "dc", 10}, "NO_TASK", cite.DiceThreat},
		"another's task":                        {"b", "task-check", "raid/a", []any{"skill", "athletics", "dc", 10}, "NO_TASK", cite.DiceThreat},
		"any task ends":                         {"a", "end-task", "raid/a", nil, "", ""},
		"a delayed check ends too":              {"a", "end-task", knot, nil, "", ""},
		"another's task does not":               {"b", "end-task", "raid/a", nil, "NO_TASK", cite.DiceSafety},
		"the dead go on with none":              {"dead", "task-check", "raid/a", []any{"skill", "athletics", "dc", 10}, "DEAD", cite.BaseFifthEditionFallback},
		"the dead begin none":                   {"dead", "task-check", "", []any{"task", "raid", "skill", "athletics", "dc", 10}, "DEAD", cite.BaseFifthEditionFallback},
	} {
		f := delayed(t, nil)
		f.Roller = func(int) int { return 15 }
		if c.who == "dead" {
			c.who = "a"
			f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "a", Vitals: &eventv1.Vitals{Counters: map[string]int64{body.CExhaustion: 11}}}}})
		}
		err := f.Peek(act(c.who, c.action, c.item, "", withParameters(c.words...)))
		wantReasonOf(t, name, err, c.reason)
		if c.rule != "" {
			wantRefused(t, err, c.rule)
		}
	}
	f := delayed(t, nil)
	for action, item := range map[string]string{"call-delayed": knot, "task-check": "raid/a", "end-task": "raid/a"} {
		if offered(f.State, "a", action, item) == nil || offered(f.State, "b", action, item) != nil {
			t.Errorf("%s %s: %v to a, %v to b", action, item, offered(f.State, "a", action, item), offered(f.State, "b", action, item))
		}
	}
}

// rcr.base.inspiration-held, rcr.dice.delayed-roll: the advantage of inspiration is recorded with what
// is delayed, and the inspiration gone as it is done; once.
func TestInspirationOfDelayedChecks(t *testing.T) {
	for _, spent := range []bool{true, false} {
		f := delayed(t, []any{"inspiration", spent}, inspired)
		left := map[bool]int64{true: 0, false: 1}[spent]
		f.wantCount("a", body.CInspiration, left)
		f.Must(act("a", "call-delayed", knot, "", withParameters("dc", 14)), []int{15, 4}[:2-left]...)
		f.wantCount("a", body.CInspiration, left)
		if roll := f.Roll("delayed/athletics"); roll.Total != 15 || roll.Outcome != "success" {
			t.Errorf("spent %v: %v", spent, roll)
		}
	}
	wantRefused(t, solo(t, nil).Try(act("a", "delay-check", "", "", withParameters("task", "knot", "skill", "athletics", "inspiration", true))), cite.BaseInspirationHeld)
}

// rcr.dice.delayed-roll, rcr.dice.group-check: how a check came out is told to those who saw the roll;
// that it is over all may know.
func TestSecretRollsOfTasks(t *testing.T) {
	said := func(events []*eventv1.Event) (notes, ended []string) {
		for _, e := range events {
			if n := e.GetNote(); n != nil {
				notes = append(notes, n.Text)
			}
			if e.GetTaskEnded() != nil {
				ended = append(ended, e.GetTaskEnded().Outcome)
			}
		}
		return notes, ended
	}
	for _, mode := range []eventv1.RollMode{eventv1.RollMode_ROLL_MODE_UNSPECIFIED, eventv1.RollMode_ROLL_MODE_BLIND} {
		blind := mode == eventv1.RollMode_ROLL_MODE_BLIND
		f := delayed(t, nil)
		f.Mode = mode
		f.Must(act("a", "call-delayed", knot, "", withParameters("dc", 14)), 15)
		all, _ := said(f.Events)
		seen, ended := said(f.SeenBy(player("a-player")))
		want, note := "success", []string(nil)
		if blind {
			want, note = "rolled", []string{"delayed athletics check: success"}
		}
		if !slices.Equal(ended, []string{want}) || !slices.Equal(all, note) || len(seen) > 0 {
			t.Errorf("%v: the task ended %v with %v, of which the player sees %v", mode, ended, all, seen)
		}
		f.Must(act("a", "group-check", "", "a", withParameters("skill", "athletics", "dc", 14)), 15)
		if seen, _ := said(f.SeenBy(player("a-player"))); len(seen) > 0 == blind {
			t.Errorf("%v: the player is told %v of the group", mode, seen)
		}
	}
}

// rcr.dice.group-check: a group succeeds with more successes than failures, however ties go.
func TestGroupsByMajority(t *testing.T) {
	for _, tie := range []string{"success", "failure"} {
		for _, c := range []struct {
			faces []int
			want  string
		}{{[]int{15, 15, 5}, "group check: 2 to 1, success"}, {[]int{15, 5, 5}, "group check: 1 to 2, failure"}, {[]int{20, 5, 5}, "group check: 2 to 2, " + tie}} {
			f := newTable(t, body.SetGroupTie+"="+tie).add(fighter("a", "party"), fighter("c", "party"), fighter("d", "party")).start(nil, 20, 5, 4)
			f.Must(act("a", "group-check", "", "a,c,d", withParameters("skill", "athletics", "dc", 14)), c.faces...)
			said := ""
			for _, e := range f.Events {
				if n := e.GetNote(); n != nil {
					said = n.Text
				}
			}
			if said != c.want {
				t.Errorf("ties are a %s, %v: %q, want %q", tie, c.faces, said, c.want)
			}
		}
	}
}

// rcr.dice.threat, rcr.dice.degrees-of-success: what a check at a task lacks or may not have.
func TestWordsOfTaskChecks(t *testing.T) {
	tools := rcrSheet(func(s *eventv1.RcrSheet) { s.Tools = []*eventv1.RcrSkill{{Name: "thieves' tools", Bonus: 4}} })
	for name, c := range map[string]struct {
		cmd   func(*eventv1.TakeAction)
		field string
	}{
		"all of it":                 {task("stealth", 10, "tool", "thieves' tools"), ""},
		"no difficulty":             {withParameters("task", "raid", "skill", "stealth"), "take.parameters.dc"},
		"a tool that it has not":    {task("stealth", 10, "tool", "lute"), "take.parameters.tool"},
		"neither":                   {withParameters("task", "raid", "skill", "stealth", "tool", "lute"), "take.parameters.tool"},
		"an unknown skill":          {task("juggling", 10), "take.parameters.skill"},
		"an unknown skill and none": {withParameters("task", "raid", "skill", "juggling"), "take.parameters.skill"},
	} {
		f := solo(t, nil, tools)
		f.Roller = func(int) int { return 15 }
		err := f.Try(act("a", "task-check", "", "", c.cmd))
		if c.field != "" {
			wantField(t, err, c.field, "")
		} else if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// rcr.dice.threat-safety-proficiency: Threats and Safeties are for the proficient, with the skill or
// with the tool used, where the table plays that, and for all where it does not.
func TestWhoHasASecondChance(t *testing.T) {
	sheet := rcrSheet(func(s *eventv1.RcrSheet) {
		s.Skills = []*eventv1.RcrSkill{{Name: "stealth", Proficient: true}, {Name: "athletics"}}
		s.Tools = []*eventv1.RcrSkill{{Name: "thieves' tools", Proficient: true}, {Name: "lute"}}
	})
	for name, c := range map[string]struct {
		on          string
		skill, tool string
		chance      bool
	}{
		"a skill":                              {"on", "stealth", "", true},
		"a skill and a tool it has not learnt": {"on", "stealth", "lute", true},
		"a tool":                               {"on", "athletics", "thieves' tools", true},
		"neither":                              {"on", "athletics", "", false},
		"neither, with a tool":                 {"on", "athletics", "lute", false},
		"neither, by the base":                 {"off", "athletics", "", true},
	} {
		words := []any{}
		if c.tool != "" {
			words = append(words, "tool", c.tool)
		}
		settings := []string{cite.DiceThreatSafetyProficiency + "=" + c.on}
		f := solo(t, settings, sheet)
		f.Must(act("a", "task-check", "", "", task(c.skill, 12, words...)), []int{5, 15}[:1+map[bool]int{true: 1}[c.chance]]...)
		f.wantTask(map[bool]string{true: "limited", false: "failure"}[c.chance], 0)

		// A Safety that was banked serves those checks alone.
		f = solo(t, settings, sheet)
		f.Must(act("a", "task-check", "", "", task("stealth", 12)), 20)
		f.wantTask("success", 1)
		f.Must(act("a", "task-check", "", "", task(c.skill, 12, words...)), 5)
		if asked := len(f.Decisions) > 0; asked != c.chance {
			t.Errorf("%s: asked for a Safety: %v", name, asked)
		}
	}
}

// rcr.dice.safety, rcr.dice.threat: no Safety is banked where the table has none; a check that fails
// without a roll has no second; whoever does not see the roll is not asked.
func TestSafetiesThatAreNotThere(t *testing.T) {
	for on, banked := range map[string]int32{"on": 1, "off": 0} {
		f := solo(t, []string{cite.DiceSafety + "=" + on}, skilled("stealth", 4))
		f.Must(act("a", "task-check", "", "", task("stealth", 14)), 20)
		f.wantTask("success", banked)
	}
	f := solo(t, nil, skilled("perception", 4))
	f.Afflict("a", body.CondBlinded)
	f.Must(act("a", "task-check", "", "", task("perception", 14, "sense", "sight")))
	f.wantTask("failure", 0)
	for _, mode := range []eventv1.RollMode{eventv1.RollMode_ROLL_MODE_UNSPECIFIED, eventv1.RollMode_ROLL_MODE_BLIND} {
		f := solo(t, nil, skilled("stealth", 4))
		f.Must(act("a", "task-check", "", "", task("stealth", 14)), 20)
		f.Mode = mode
		f.Must(act("a", "task-check", "", "", task("stealth", 14)), 1)
		if asked := len(f.Decisions) > 0; asked != (mode == eventv1.RollMode_ROLL_MODE_UNSPECIFIED) {
			t.Errorf("%v: asked %v", mode, asked)
		}
	}
}

// rcr.dice.degrees-of-success: what fails without a roll is a failure, no worse: further attempts are
// open.
func TestDegreeWithoutARoll(t *testing.T) {
	f := solo(t, nil, skilled("perception", 4))
	f.Afflict("a", body.CondBlinded)
	f.Must(act("a", "task-check", "", "", task("perception", 14, "sense", "sight", "degrees", true)))
	got := f.State.Tasks["raid/a"]
	if got.GetStatus() != "failure" || got.Values[thedice.ValDegree] != -1 || got.Values[thedice.ValBarred] != 0 || got.Values[thedice.ValTimeDice] != 1 {
		t.Fatal(got)
	}
}
