package duel_test

import (
	"bufio"
	"os"
	"strings"
	"testing"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	"github.com/skaldrpg/skald/pkg/rules/rulestest/duel"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// mostLines is what a system of a few rules may take, in lines of Go.
const mostLines = 300

func TestSystemIsShort(t *testing.T) {
	f, err := os.Open("duel.go")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n := 0
	for lines := bufio.NewScanner(f); lines.Scan(); {
		n++
	}
	if n > mostLines {
		t.Errorf("the system takes %d lines, want at most %d", n, mostLines)
	}
}

func system(t *testing.T) duel.System {
	t.Helper()
	sys, err := duel.New()
	if err != nil {
		t.Fatal(err)
	}
	return sys
}

func duellist(t testing.TB, id, side string, skill, guard, nimble float64) *eventv1.Command {
	t.Helper()
	values, err := structpb.NewStruct(map[string]any{"skill": skill, "guard": guard, "nimble": nimble})
	if err != nil {
		t.Fatal(err)
	}
	return &eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: &eventv1.Sheet{Id: id, Name: id, Side: side, HitPoints: 10,
		Controllers: []string{id}, Section: &eventv1.Sheet_Values{Values: values}}}}}
}

// table is a duel of anna, the quicker, and bert, at anna's first turn.
func table(t *testing.T) *rulestest.Table {
	t.Helper()
	f := rulestest.New(t, system(t))
	f.Must(duellist(t, "bert", "blue", 3, 2, 3))
	f.Must(duellist(t, "anna", "red", 4, 3, 5))
	f.Must(&eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}})
	return f
}

func take(creature, action string, parameters map[string]any, targets ...string) *eventv1.Command {
	p, _ := structpb.NewStruct(parameters)
	return &eventv1.Command{What: &eventv1.Command_Take{Take: &eventv1.TakeAction{Creature: creature, Action: action, Targets: targets, Parameters: p}}}
}

func endTurn() *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_EndTurn{EndTurn: &eventv1.EndTurn{}}}
}

func TestDuel(t *testing.T) {
	f := table(t)
	f.Must(take("anna", "attack", nil, "bert"), 8, 5) // duel.strike.roll: 8 + 4 reaches 10 + 2
	if hp := f.State.Creatures["bert"].GetHp(); hp != 5 {
		t.Errorf("bert has %d hit points, want 5", hp)
	}
	refused(t, f.Try(take("anna", "guard", nil)), "duel.turn.one-action")
	f.Must(endTurn())
	f.Must(take("bert", "lunge", map[string]any{"reach": 3}, "anna"), 6) // 6 + 3 + 3 misses 13
	f.Must(endTurn())
	f.Must(take("anna", "attack", nil, "bert"), 2, 8, 6) // duel.strike.lunge: two dice against one who has lunged
	if c := f.State.Creatures["bert"]; c.GetHp() != 0 || c.Life != eventv1.LifeStatus_LIFE_STATUS_UNCONSCIOUS {
		t.Errorf("bert stands with %d hit points", c.GetHp())
	}
	f.Must(endTurn())
	refused(t, f.Try(take("bert", "attack", nil, "anna")), "duel.strike.fall")
}

func TestHolding(t *testing.T) {
	f := table(t)
	f.Must(take("anna", "hold", nil, "bert"))
	if rules.RelationTo(f.State.Creatures["anna"], "holds", "bert") == nil {
		t.Fatal("nobody is held")
	}
	f.Must(endTurn())
	refused(t, f.Try(take("bert", "attack", nil, "anna")), "duel.hold.relation")
	f.Must(endTurn())
	if a := f.State.Creatures["anna"]; len(a.Relations) > 0 || len(f.State.Creatures["bert"].Conditions) > 0 {
		t.Error("the hold outlasts the holder's next turn")
	}
}

// duel.strike.lunge
func TestWordsAreJudged(t *testing.T) {
	f := table(t)
	for name, p := range map[string]map[string]any{"missing": nil, "too far": {"reach": 4}, "unknown": {"reach": 1, "spin": true}, "no number": {"reach": "far"}} {
		if err := f.Try(take("anna", "lunge", p, "bert")); !fault.Is(err, fault.Invalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := f.Try(take("anna", "attack", nil, "bert", "anna")); !fault.Is(err, fault.Invalid) {
		t.Errorf("two targets: %v", err)
	}
	refused(t, f.Try(take("anna", "attack", nil, "anna")), "duel.strike.roll")
}

func TestOptionsSayWhatAFormNeeds(t *testing.T) {
	f := table(t)
	var lunge, end *eventv1.Option
	for _, o := range f.System.Options(rules.Query{State: f.State, Creature: "anna"}) {
		switch o.Action {
		case "lunge":
			lunge = o
		case "end-turn":
			end = o
		}
	}
	if lunge == nil || !lunge.Legal || lunge.Group != "attack" || lunge.Costs["action"] != 1 || strings.Join(lunge.Targets, " ") != "bert" || lunge.MinimumTargets != 1 {
		t.Fatalf("lunge: %v", lunge)
	}
	if p := lunge.Parameters; len(p) != 1 || p[0].Name != "reach" || !p[0].Required || p[0].Minimum != 1 || p[0].Maximum != 3 || p[0].Text == "" || p[0].Type != "number" {
		t.Errorf("parameters: %v", p)
	}
	if end == nil || !end.Legal {
		t.Errorf("end of turn: %v", end)
	}
	for _, o := range f.System.Options(rules.Query{State: f.State, Creature: "bert"}) {
		if o.Legal || o.Rule != "duel.turn.order" {
			t.Errorf("bert: %v", o)
		}
	}
}

// TestPlay holds P1 and all else that a Game holds.
func TestPlay(t *testing.T) {
	rulestest.Game{Seeds: 8, Steps: 60, Rounds: 20, Set: func(t *testing.T, c *rulestest.Chance) *rulestest.Table {
		f := rulestest.New(t, system(t))
		f.Roller = c.Die
		for i, id := range []string{"anna", "bert", "cleo", "dora"} {
			f.Must(duellist(t, id, []string{"red", "blue"}[i%2], float64(i+1), float64(4-i), float64(i)))
		}
		f.Must(&eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}})
		return f
	}}.Play(t)
}

func refused(t *testing.T, err error, rule string) {
	t.Helper()
	if _, got := fault.Reason(err); err == nil || got != rule {
		t.Errorf("refused by %q (%v), want %s", got, err, rule)
	}
}
