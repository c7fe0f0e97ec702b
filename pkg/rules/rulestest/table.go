package rulestest

import (
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Table is a fight under test. It is made by [New]; anything wrong fails the
// test at once. It is a [rules.Provider] too, so that a test may carry out a
// run of its own with the table's dice.
type Table struct {
	// T is the test that the table belongs to.
	T testing.TB
	// System whose rules are played.
	System rules.System
	// Content is what is played with beside the system's book; nil for none.
	Content *effects.Book
	// State of the fight now.
	State *eventv1.State
	// Faces still to be rolled, in rolling order.
	Faces []int
	// Roller, when set, rolls in place of Faces.
	Roller func(sides int) int
	// Events of the last command, or those since the last answer.
	Events []*eventv1.Event
	// Decisions open in the action under way.
	Decisions []*eventv1.Decision
	// Result is what the last deed came to; nil when it said nothing of it.
	Result *eventv1.HarmResult
	// Log is every event of every finished action.
	Log []*eventv1.Event

	// Action is the number of the last action.
	Action uint64
	// Before is the state before that action.
	Before *eventv1.State
	// Command of that action; empty when it was a function of the rules.
	Command *eventv1.Command
	// Recorded inputs of that action, answers included.
	Recorded []*eventv1.Input
	// Published events of that action, from its start.
	Published []*eventv1.Event

	// Mode of the rolls that commands make.
	Mode eventv1.RollMode

	// Settled fails the test when the rules refuse anything after a die of the
	// action has fallen: a face that was seen must count.
	Settled bool

	// drawn counts the faces of the run under way.
	drawn int
	// decided takes down what came out, for the test's digest.
	decided *decided
	// start is that state too, never handed to the rules.
	start   *eventv1.State
	resolve func(*rules.Resolution) error
}

// New makes an encounter by a system's rules, with settings of the form
// "id=value"; of one id the last counts.
func New(t testing.TB, sys rules.System, settings ...string) *Table {
	t.Helper()
	return NewWith(t, sys, nil, settings...)
}

// NewWith is New with content beside the system's book.
func NewWith(t testing.TB, sys rules.System, content *effects.Book, settings ...string) *Table {
	t.Helper()
	f := &Table{T: t, System: sys, Content: content, State: event.NewState()}
	f.watch()
	set := map[string]string{}
	for _, s := range settings {
		k, v, _ := strings.Cut(s, "=")
		set[k] = v
	}
	f.Must(&eventv1.Command{What: &eventv1.Command_Create{Create: &eventv1.CreateEncounter{Encounter: "e", Table: "t", Settings: set, Packs: content.Digests()}}})
	return f
}

// Try carries out a command with faces and returns its refusal, after which
// the table is as if the command had never been given.
func (f *Table) Try(cmd *eventv1.Command, faces ...int) error {
	f.T.Helper()
	return f.try(cmd, rules.Resolve(f.System, cmd), faces)
}

// Must is Try that fails the test on a refusal.
func (f *Table) Must(cmd *eventv1.Command, faces ...int) {
	f.T.Helper()
	if err := f.Try(cmd, faces...); err != nil {
		f.T.Fatalf("%v: %v", cmd, err)
	}
}

// Peek is the refusal of a command; the command is not carried out, not even
// when it is allowed.
func (f *Table) Peek(cmd *eventv1.Command, faces ...int) error {
	f.T.Helper()
	trial := *f
	trial.Log = nil
	return trial.Try(cmd, faces...)
}

// TryResolve runs a function of the rules as an action of its own; it may be
// run several times and must do the same each time. It returns the refusal as
// Try does.
func (f *Table) TryResolve(do func(*rules.Resolution) error, faces ...int) error {
	f.T.Helper()
	return f.TryAnswered(nil, do, faces...)
}

// TryAnswered is TryResolve with answers given ahead.
func (f *Table) TryAnswered(answers []*eventv1.EarlyAnswer, do func(*rules.Resolution) error, faces ...int) error {
	f.T.Helper()
	return f.try(&eventv1.Command{Answers: answers}, do, faces)
}

// Resolve is TryResolve that fails the test on a refusal.
func (f *Table) Resolve(do func(*rules.Resolution) error, faces ...int) {
	f.T.Helper()
	if err := f.TryResolve(do, faces...); err != nil {
		f.T.Fatal(err)
	}
}

// Medicine carries out a deed of medicine as an action of its own, as if the
// injury service had been called for it.
func (f *Table) Medicine(h *eventv1.Harm, faces ...int) {
	f.T.Helper()
	f.Resolve(func(r *rules.Resolution) error { return f.System.Medicine().Deed(r, h) }, faces...)
}

// Harm carries out a deed of medicine as Medicine does, and returns what it came to.
func (f *Table) Harm(h *eventv1.Harm, faces ...int) *eventv1.HarmResult {
	f.T.Helper()
	f.Resolve(func(r *rules.Resolution) error { return f.System.Medicine().Deed(r, h) }, faces...)
	if f.Result == nil {
		return &eventv1.HarmResult{}
	}
	return f.Result
}

// TryTend carries out a deed between fights; it returns the refusal as Try
// does.
func (f *Table) TryTend(cmd *eventv1.PatientCommand, faces ...int) error {
	f.T.Helper()
	return f.TryResolve(rules.Tend(f.System.Medicine(), cmd), faces...)
}

// Tend is TryTend that fails the test on a refusal.
func (f *Table) Tend(cmd *eventv1.PatientCommand, faces ...int) {
	f.T.Helper()
	if err := f.TryTend(cmd, faces...); err != nil {
		f.T.Fatalf("%v: %v", cmd, err)
	}
}

func (f *Table) try(cmd *eventv1.Command, do func(*rules.Resolution) error, faces []int) error {
	f.T.Helper()
	if len(f.Decisions) > 0 {
		f.T.Fatalf("decision open: %v", f.Decisions)
	}
	was := *f
	f.Action++
	// A clone of the event package would share messages, and hide a rule that
	// writes to one.
	f.start, f.Before = f.State, proto.CloneOf(f.State)
	f.Command, f.Recorded, f.Published, f.resolve = cmd, nil, nil, do
	err := f.Resume(faces)
	if err == nil {
		return nil
	}
	*f = was
	f.Faces = nil
	return err
}

// Answer answers the open decision of a name (and creature, when given as
// "name/creature") with an option, and goes on with faces. When further
// decisions are open and no faces are given, those must stay open.
func (f *Table) Answer(name, option string, faces ...int) {
	f.T.Helper()
	f.AnswerWith(name, &eventv1.Answer{Option: option}, faces...)
}

// AnswerWith is Answer with an answer of any kind.
func (f *Table) AnswerWith(name string, a *eventv1.Answer, faces ...int) {
	f.T.Helper()
	name, creature, _ := strings.Cut(name, "/")
	i := slices.IndexFunc(f.Decisions, func(d *eventv1.Decision) bool {
		return d.Name == name && (creature == "" || d.Creature == creature)
	})
	if i < 0 {
		f.T.Fatalf("no open decision %s of %q among %v", name, creature, f.Decisions)
	}
	left := len(f.Decisions) - 1
	if err := f.Settle(f.Decisions[i], a, faces...); err != nil {
		f.T.Fatalf("%v to %s: %v", a, name, err)
	}
	if left > 0 && len(faces) == 0 && len(f.Decisions) != left {
		f.T.Fatalf("decisions open: %v, want %d", f.Decisions, left)
	}
}

// Choose answers the only open decision with an option.
func (f *Table) Choose(option string, faces ...int) {
	f.T.Helper()
	if len(f.Decisions) != 1 {
		f.T.Fatalf("open decisions: %v, want one", f.Decisions)
	}
	f.Answer(f.Decisions[0].Name, option, faces...)
}

// Settle answers an open decision and goes on with faces. It returns the
// refusal of an answer that does not fit, or that the rules refuse.
func (f *Table) Settle(d *eventv1.Decision, a *eventv1.Answer, faces ...int) error {
	f.T.Helper()
	if err := rules.CheckAnswer(d, a); err != nil {
		return err
	}
	was := len(f.Recorded)
	f.Recorded = append(f.Recorded, rules.Answered(d, a, "answer"))
	err := f.Resume(faces)
	if err != nil {
		f.Recorded = f.Recorded[:was]
	}
	return err
}
