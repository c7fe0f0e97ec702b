package rulestest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// toy is a system of a few actions, some of which break what must hold.
type toy struct {
	rules.System
	runs *int
}

func (toy) Info() rules.Info                                    { return rules.Info{ID: "toy", Version: "1"} }
func (toy) Settings() []rules.Setting                           { return nil }
func (toy) CheckSheet(*eventv1.Sheet) []fault.Violation         { return nil }
func (toy) Enter(*rules.Resolution, *eventv1.AddCreature) error { return nil }
func (toy) Edited(*rules.Resolution, string) error              { return nil }
func (toy) Medicine() rules.Medicine                            { return toyMedicine{} }
func (toy) Audience(*eventv1.State, rules.FactKind, string, string) *eventv1.Audience {
	return event.Everyone()
}
func (toy) Begin(r *rules.Resolution, _ *eventv1.StartEncounter) error {
	r.Emit(event.Everyone(), &eventv1.TurnStarted{Creatures: []string{"a"}})
	return nil
}
func (toy) EndTurn(r *rules.Resolution, id string) error {
	r.Emit(event.Everyone(), &eventv1.TurnEnded{Creatures: []string{id}})
	return nil
}

func (s toy) Act(r *rules.Resolution, take *eventv1.TakeAction) error {
	c := r.Creature(take.Creature)
	*s.runs++
	switch take.Action {
	case "strike":
		n := r.Roll(rules.RollSpec{Label: "strike", Creature: c.Id, Expression: "1d6", Audience: event.GM()}).Natural
		if r.Ask("sure", rules.YesNo("sure", c.Id, "test", "sure?", "", "toy.ask")).Option == "no" {
			return fault.Refuse("UNSURE", "toy.unsure", "not sure")
		}
		got := r.Harm("harm", &eventv1.Harm{Deed: "wound", Target: take.Targets[0], Parts: []*eventv1.DamagePart{{Rolled: n}}})
		r.Note(event.Everyone(), c.Id, fmt.Sprint("taken ", got.Taken))
	case "write to the state":
		r.State().Creatures[c.Id].Counters["x"]++
	case "write to the sheet":
		c.Sheet.HitPoints++
	case "remember":
		r.Note(event.Everyone(), "", fmt.Sprint(*s.runs))
	case "ask another question":
		r.Ask("q", rules.YesNo("q", c.Id, "test", fmt.Sprint(*s.runs), "", "toy.ask"))
	case "garble":
		r.Note(event.Everyone(), "", "\xff")
	case "roll more":
		for range *s.runs {
			r.Roll(rules.RollSpec{Label: "more", Expression: "1d6"})
		}
	default:
		r.Set(c.Id, "x", 1, "test")
		return fault.Refuse("UNKNOWN", "toy.unknown", "no action %q", take.Action)
	}
	return nil
}

type toyMedicine struct{ rules.Medicine }

func (toyMedicine) Deed(r *rules.Resolution, h *eventv1.Harm) error {
	extra := r.Roll(rules.RollSpec{Label: "extra", Expression: "1d4"}).Natural
	if r.Ask("spare", rules.YesNo("spare", h.Target, "test", "spare?", "", "toy.ask")).Option == "no" {
		c := r.Creature(h.Target)
		r.SetHitPoints(c.Id, 10-extra-h.Parts[0].Rolled, 10, 0)
		r.Emit(event.Everyone(), &eventv1.Damage{Target: c.Id, Amount: extra + h.Parts[0].Rolled})
	}
	r.Result().Taken = 10 - r.Creature(h.Target).GetHp()
	return nil
}

// failures stands in for a test whose failure is looked at.
type failures struct{ testing.TB }

type failure string

func (failures) Helper()                           {}
func (failures) Fatalf(format string, args ...any) { panic(failure(fmt.Sprintf(format, args...))) }
func (failures) Fatal(args ...any)                 { panic(failure(fmt.Sprint(args...))) }

// failsWith holds that something fails a test with a message.
func failsWith(t *testing.T, f *Table, part string, do func()) {
	t.Helper()
	defer func() {
		t.Helper()
		f.T = t
		got, ok := recover().(failure)
		if !ok || !strings.Contains(string(got), part) {
			t.Errorf("failed with %q, want %q", got, part)
		}
	}()
	f.T = failures{}
	do()
}

func toys(t *testing.T) *Table {
	t.Helper()
	f := New(t, toy{runs: new(int)})
	f.Add(&eventv1.Sheet{Id: "a", Name: "a", Side: "x", HitPoints: 10, Controllers: []string{"ann"}},
		&eventv1.Sheet{Id: "b", Name: "b", Side: "y", HitPoints: 10})
	f.Start(nil)
	f.WantActive("a")
	return f
}

// A command that asks, also in the midst of a deed, goes on with the answers.
func TestAnswers(t *testing.T) {
	f := toys(t)
	f.Must(Act("a", "strike", "", "b"), 4)
	if got := len(f.SeenBy(Player("ann"))); got != 1 {
		t.Errorf("ann sees %d events, want the question alone", got)
	}
	f.Answer("sure/a", "yes", 3)
	f.Choose("no")
	f.WantHP("b", 3)
	if f.DamageTo("b") != 7 || len(f.Rolls("/extra")) != 0 || len(f.Log) != len(New(t, f.System).Log)+2*3+2+len(f.Published) {
		t.Errorf("damage %d, %d events in the log", f.DamageTo("b"), len(f.Log))
	}
	f.End("a")
	f.WantActive()
}

// What a refusal leaves behind is nothing, with the command or with an answer.
func TestRefusals(t *testing.T) {
	f := toys(t)
	action, cmd := f.Action, f.Command
	WantRefused(t, f.Try(Act("a", "dance", "", "")), "toy.unknown")
	if f.Action != action || f.Command != cmd || f.Creature("a").Counters["x"] != 0 {
		t.Error("a refused command left something behind")
	}
	f.Must(Act("a", "strike", "", "b"), 1)
	d := f.Decisions[0]
	WantRefused(t, f.Settle(d, &eventv1.Answer{Option: "no"}), "toy.unsure")
	if err := f.Settle(d, &eventv1.Answer{Option: "perhaps"}); !fault.Is(err, fault.Invalid) {
		t.Errorf("an answer of no option: %v", err)
	}
	f.Answer("sure", "yes", 1)
	f.Choose("yes")
}

// The table finds what must not be, in the rules and in the test.
func TestFindings(t *testing.T) {
	for action, want := range map[string]string{
		"write to the state":   "folding the events does not give the state: [{creatures.a.counters",
		"write to the sheet":   "wrote to the state before it",
		"remember":             "is different",
		"ask another question": "is different",
		"garble":               "does not survive its encoding",
		"roll more":            "asked for what is not in the record",
		"dance":                "no action",
	} {
		t.Run(action, func(t *testing.T) {
			f := toys(t)
			f.Roller = func(int) int { return 1 }
			failsWith(t, f, want, func() { f.Must(Act("a", action, "", "")) })
		})
	}
	for name, c := range map[string]struct {
		want string
		do   func(f *Table)
	}{
		"an answer refused after a die": {"refused after a die had fallen", func(f *Table) {
			f.Settled = true
			f.Must(Act("a", "strike", "", "b"), 1)
			_ = f.Settle(f.Decisions[0], &eventv1.Answer{Option: "no"})
		}},
		"faces left over":   {"1 faces left over", func(f *Table) { f.Must(Act("a", "strike", "", "b"), 1, 2) }},
		"faces missing":     {"no face left for strike: 1d6", func(f *Table) { f.Must(Act("a", "strike", "", "b")) }},
		"face of no die":    {"face 7 of a d6", func(f *Table) { f.Must(Act("a", "strike", "", "b"), 7) }},
		"question open":     {"decision open", func(f *Table) { f.Must(Act("a", "strike", "", "b"), 1); f.End("a") }},
		"no such question":  {"no open decision", func(f *Table) { f.Answer("sure", "yes") }},
		"nobody's question": {"no open decision", func(f *Table) { f.Must(Act("a", "strike", "", "b"), 1); f.Answer("sure/b", "yes", 1) }},
		"nothing to choose": {"want one", func(f *Table) { f.Choose("yes") }},
		"wrong active":      {"active [a], want [b]", func(f *Table) { f.WantActive("b") }},
		"wrong hit points":  {"a has 0 hit points, want 1", func(f *Table) { f.WantHP("a", 1) }},
		"wrong life":        {"want LIFE_STATUS_DEAD", func(f *Table) { f.WantLife("a", eventv1.LifeStatus_LIFE_STATUS_DEAD) }},
		"wrong attacks":     {"attacks [], want [a hit]", func(f *Table) { f.WantAttacks("a hit") }},
		"no attack":         {"0 attacks", func(f *Table) { f.Attack() }},
		"no roll":           {"0 rolls", func(f *Table) { f.Roll("x") }},
		"not refused":       {"allowed, want a refusal", func(f *Table) { WantRefused(f.T, nil, "toy.x") }},
		"another's refusal": {"want a refusal by \"toy.x\"", func(f *Table) { WantRefused(f.T, f.Try(Act("a", "dance", "", "")), "toy.x") }},
	} {
		t.Run(name, func(t *testing.T) {
			f := toys(t)
			failsWith(t, f, c.want, func() { c.do(f) })
		})
	}
}
