package rules_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// told are the notes among events.
func notesOf(events []*eventv1.Event) (out []string) {
	for _, e := range events {
		if n := e.GetNote(); n != nil {
			out = append(out, n.Text)
		}
	}
	return out
}

// does runs what a test says as the attack of a, in a fight that a test may change.
func does(t *testing.T, req rules.Request, p rules.Provider, do func(*rules.Resolution) error) (*rules.Outcome, error) {
	t.Helper()
	sys := scripted{do: func(r *rules.Resolution, _ *eventv1.TakeAction) error { return do(r) }}
	if req.State == nil {
		req.State = fightState(t)
	}
	req.Action = 7
	return rules.Run(t.Context(), sys, req, p, rules.Resolve(sys, attack))
}

// An answer on record that is none of those allowed now answers nothing: the question is put again.
func TestRecordedAnswersThatDoNotFit(t *testing.T) {
	for option, open := range map[string]int{"perhaps": 1, "": 1, "yes": 0, "no": 0} {
		out, err := does(t, rules.Request{}, &table{}, func(r *rules.Resolution) error {
			r.Ask("parry", rules.YesNo("parry", "a", "hit", "Parry?", "no", ""))
			return nil
		})
		must(t, err)
		in := rules.Answered(out.Open[0], &eventv1.Answer{Option: option}, "answer")
		out, err = does(t, rules.Request{Recorded: []*eventv1.Input{in}, Published: out.Events}, &table{}, func(r *rules.Resolution) error {
			r.Ask("parry", rules.YesNo("parry", "a", "hit", "Parry?", "no", ""))
			return nil
		})
		must(t, err)
		if len(out.Open) != open {
			t.Errorf("%q: open %v", option, out.Open)
		}
	}
}

// T1: an answer given ahead counts for the decision that it names, of the creature that it names or of any, from whoever's decision it is: a player's for
// those of its own creatures, of what it is shown; the game master's for all. Others answer nothing.
func TestWhoseAnswersAheadCount(t *testing.T) {
	for _, c := range []struct {
		name  string
		early *eventv1.EarlyAnswer
		taken bool
	}{
		{"of any creature", &eventv1.EarlyAnswer{Decision: "whom", By: ann}, true},
		{"of the creature", &eventv1.EarlyAnswer{Decision: "whom", Creature: "a", By: ann}, true},
		{"of another creature", &eventv1.EarlyAnswer{Decision: "whom", Creature: "b", By: gm}, false},
		{"to another question", &eventv1.EarlyAnswer{Decision: "who", By: ann}, false},
		{"by another player", &eventv1.EarlyAnswer{Decision: "whom", By: bob}, false},
		{"by the game master", &eventv1.EarlyAnswer{Decision: "whom", By: gm}, true},
		{"by the game master, unnamed", &eventv1.EarlyAnswer{Decision: "whom"}, true},
	} {
		for _, option := range []string{"b", "lurk"} { // the second is staged, and nobody knows of it
			s := fightState(t)
			event.Fold(s, event.New(event.GM(), &eventv1.CreatureAdded{Creature: "lurk", Name: "Lurk", Side: "z"}))
			event.Fold(s, event.New(event.GM(), &eventv1.Staged{Creature: "lurk", Staged: true}))
			c.early.Answer = &eventv1.Answer{Option: option}
			got := ""
			out, err := does(t, rules.Request{State: s, Early: []*eventv1.EarlyAnswer{c.early}}, &table{}, func(r *rules.Resolution) error {
				got = r.Ask("whom", &eventv1.Decision{Name: "whom", Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: "a", Question: "Whom?",
					Options: []*eventv1.DecisionOption{{Id: "a", Text: "A"}, {Id: "b", Text: "B"}, {Id: "lurk", Text: "Lurk"}}}).GetOption()
				return nil
			})
			must(t, err)
			taken := c.taken && (option == "b" || c.early.By.GetRole() != eventv1.Principal_ROLE_PLAYER)
			if (got == option) != taken || (len(out.Open) == 1) == taken {
				t.Errorf("%s, %s: answered %q, open %v", c.name, option, got, out.Open)
			}
			if aside := strings.Join(notesOf(out.Events), ""); strings.Contains(aside, "set aside") != (c.taken && !taken) || c.taken && !taken && strings.Contains(aside, "a, b, lurk") {
				t.Errorf("%s, %s: told %s", c.name, option, aside)
			}
		}
	}
}

// A number of 0 is an answer where none given is not.
func TestNoAnswerIsNoNumber(t *testing.T) {
	out, err := does(t, rules.Request{}, &silent{table: &table{}}, func(r *rules.Resolution) error {
		r.Ask("feet", &eventv1.Decision{Name: "feet", Kind: eventv1.DecisionKind_DECISION_KIND_NUMBER, Creature: "a", Minimum: 0, Maximum: 5, Question: "How far?"})
		return nil
	})
	must(t, err)
	if len(out.Open) != 1 {
		t.Errorf("open %v", out.Open)
	}
}

// T2: faces that no roll took are set aside where the action waits, within a deed too, and are said once: when the action is run again the same is said at
// the same place and at no other.
func TestFacesSetAsideAtTheirPlace(t *testing.T) {
	s := &session{base: fightState(t), t: &table{}}
	must(t, s.run(t, nil, 15))
	s.inputs = append(s.inputs, rules.Answered(s.open[0], &eventv1.Answer{Option: "yes"}, "answer"))
	must(t, s.run(t, nil, 4, 9))
	if got := notesOf(s.events); len(s.open) > 0 || !slices.Equal(got, []string{"a face that no roll took is set aside: [9]"}) {
		t.Fatalf("told %v, open %v", got, s.open)
	}
	was := len(s.events)
	must(t, s.run(t, nil))
	if len(s.events) != was {
		t.Errorf("told again: %v", notesOf(s.events[was:]))
	}
	deep := &session{base: fightState(t), t: &table{}}
	must(t, deep.run(t, []*eventv1.EarlyAnswer{{Decision: "parry", Answer: &eventv1.Answer{Option: "no"}}}, 15, 3, 4, 5))
	if got := notesOf(deep.events); len(deep.open) != 1 || deep.open[0].Name != "endure" || !slices.Equal(got, []string{"a face that no roll took is set aside: [5]"}) {
		t.Errorf("told %v, open %v", got, deep.open)
	}
}

// claimed is an attack for which ann states something of the world.
func claimed(t *testing.T, setting string, do func(r *rules.Resolution, take *eventv1.TakeAction) error) (*rules.Outcome, error) {
	t.Helper()
	s := fightState(t)
	event.Fold(s, event.New(event.Everyone(), &eventv1.SettingChanged{Setting: rules.SettingPlayerFacts, Value: setting}))
	facts, err := structpb.NewStruct(map[string]any{"high": true})
	must(t, err)
	sys := scripted{do: do}
	cmd := takeOf(&eventv1.TakeAction{Creature: "a", Action: "attack", Targets: []string{"b"}, Facts: facts})
	return rules.Run(context.Background(), sys, rules.Request{State: s, Action: 7, Caller: ann, Speaker: ann}, &table{tape: true, faces: slices.Repeat([]int32{10}, 40)}, rules.Resolve(sys, cmd))
}

// T1: what a player claims is shown to the game master with the odds of the first eight rolls that it changes, each once.
func TestForecastOfAClaim(t *testing.T) {
	for rolls, shown := range map[int]int{1: 1, 8: 8, 9: 8, 20: 8} {
		out, err := claimed(t, rules.PlayerFactsPropose, func(r *rules.Resolution, take *eventv1.TakeAction) error {
			for i := range rolls {
				spec := roll(fmt.Sprint("roll", i+1), "1d20")
				if take.Facts.GetFields()["high"] != nil {
					spec.Modifiers = []*eventv1.Modifier{{Value: 2, Source: "high"}}
				}
				r.Roll(spec)
			}
			return nil
		})
		must(t, err)
		labels := map[string]int{}
		for _, o := range out.Open[0].Odds {
			labels[o.Label]++
		}
		if len(labels) != shown || labels["roll1"] != 2 || shown == 8 && labels["roll8"] != 2 { // success and failure of each
			t.Errorf("%d rolls: %v", rolls, labels)
		}
	}
}

// T2: what the rules refuse before any die is refused before the game master is asked; what they refuse after one, or what breaks, is not.
func TestClaimsThatTheRulesRefuse(t *testing.T) {
	no, broken := fault.Refuse("NO", "toy.rule", "no"), errors.New("broken")
	for name, c := range map[string]struct {
		first bool
		err   error
		asked bool
	}{"refused": {false, no, false}, "refused after a die": {true, no, true}, "broken": {false, broken, true}, "unavailable": {false, fault.New(fault.Unavailable, "AWAY", "away"), true}, "done": {true, nil, true}} {
		out, err := claimed(t, rules.PlayerFactsPropose, func(r *rules.Resolution, _ *eventv1.TakeAction) error {
			if c.first {
				r.Roll(roll("one", "1d20"))
			}
			return c.err
		})
		if c.asked && (err != nil || len(out.Open) != 1 || out.Open[0].Name != rules.DecisionClaim) || !c.asked && !errors.Is(err, c.err) {
			t.Errorf("%s: %v, %v", name, err, out)
		}
	}
}

// wordy is the toy with words of actions and of no deed.
type wordy struct{ toy }

func (wordy) Vocabulary() *rules.Vocabulary {
	v, err := rules.ReadVocabulary("place,actions,name,type,values,sides,least,most,matter,rule,text\nfact,attack,high,boolean,,,,,world,,Stands higher\n", []string{"attack"})
	if err != nil {
		panic(err)
	}
	return v
}
func (wordy) Medicine() rules.Medicine { return nurse{} }

// A vocabulary that knows no words of deeds judges none: what is said with a deed is the deed's to read, and nobody's to grant.
func TestDeedsWithoutWords(t *testing.T) {
	s := fightState(t)
	event.Fold(s, event.New(event.Everyone(), &eventv1.SettingChanged{Setting: rules.SettingPlayerFacts, Value: rules.PlayerFactsRefuse}))
	for sys, taken := range map[rules.System]bool{wordy{}: true, clinic{}: false} { // in the clinic the DC is the world's
		cmd := &eventv1.PatientCommand{Deed: "bandage", Patients: []string{"a"}, Parameters: object(t, map[string]any{"dc": 5})}
		out, err := rules.Run(t.Context(), sys, rules.Request{State: s, Action: 9, Caller: ann, Speaker: ann}, &table{tape: true, faces: []int32{5}}, rules.Tend(nurse{}, cmd))
		if (err == nil) != taken {
			t.Errorf("%T: %v", sys, err)
		}
		if f, ok := fault.As(err); !taken && (!ok || f.Reason != "GAME_MASTERS_TO_SAY" || f.Violations[0].Field != "command.patient.parameters.dc") {
			t.Errorf("%T: %v", sys, err)
		}
		if taken && out.State.Creatures["a"].Counters["dc"] != 5 {
			t.Errorf("%T: %v", sys, out.State.Creatures["a"].Counters)
		}
	}
}

// dealing is a table whose deeds are of a system.
type dealing struct {
	*table
	sys rules.System
}

func (d dealing) Deed(ctx context.Context, q rules.DeedRequest) (*eventv1.HarmOutcome, int, error) {
	return rules.RunDeed(ctx, d.sys, 1, q, d.table)
}

// remedy is the toy whose deeds do what a test says.
type remedy struct {
	toy
	do func(r *rules.Resolution, h *eventv1.Harm) error
}

func (x remedy) Medicine() rules.Medicine { return remedial{do: x.do} }

type remedial struct {
	toyMedicine
	do func(r *rules.Resolution, h *eventv1.Harm) error
}

func (x remedial) Deed(r *rules.Resolution, h *eventv1.Harm) error { return x.do(r, h) }

// What content sets off sets off nothing further, and within a deed it sets off nothing: the action that the deed is part of does.
func TestSetOffWithinADeed(t *testing.T) {
	set := func(label string) func(*rules.Resolution) {
		return func(r *rules.Resolution) {
			r.SetOff(func() {
				r.Note(event.Everyone(), "a", label)
				r.SetOff(func() { r.Note(event.Everyone(), "a", "further") })
			})
		}
	}
	sys := remedy{do: func(r *rules.Resolution, _ *eventv1.Harm) error {
		set("in the deed")(r)
		r.Result().Taken = 3
		return nil
	}}
	out, err := does(t, rules.Request{}, dealing{&table{}, sys}, func(r *rules.Resolution) error {
		set("before")(r)
		if r.Harm("harm", &eventv1.Harm{Deed: "damage", Target: "b"}).Taken != 3 {
			t.Error("the deed is not done")
		}
		set("after")(r)
		return nil
	})
	must(t, err)
	if got := notesOf(out.Events); !slices.Equal(got, []string{"before", "after"}) {
		t.Errorf("%v", got)
	}
}

// A roll and a deed of one label are two things on the record; run again each finds its own.
func TestARollAndADeedOfOneLabel(t *testing.T) {
	sys := remedy{do: func(r *rules.Resolution, _ *eventv1.Harm) error {
		r.Result().Taken = r.Roll(rules.RollSpec{Label: "damage", Creature: "a", Expression: "1d6"}).Total
		return nil
	}}
	do := func(r *rules.Resolution) error {
		r.Set("a", "rolled", int64(r.Roll(roll("harm", "1d20")).Total), "a roll")
		r.Set("a", "taken", int64(r.Harm("harm", &eventv1.Harm{Deed: "damage", Target: "b"}).Taken), "a deed")
		return nil
	}
	first, err := does(t, rules.Request{}, dealing{&table{tape: true, faces: []int32{17, 4}}, sys}, do)
	must(t, err)
	again, err := does(t, rules.Request{Recorded: first.Inputs, Published: first.Events}, dealing{&table{}, sys}, do)
	must(t, err)
	if n := again.State.Creatures["a"].Counters; n["rolled"] != 17 || n["taken"] != 4 || !proto.Equal(again.State, first.State) {
		t.Errorf("%v", n)
	}
}

// torn deeds have events that cannot be read; there are no dice either.
type tornDeeds struct {
	table
	err error
}

func (x *tornDeeds) Deed(context.Context, rules.DeedRequest) (*eventv1.HarmOutcome, int, error) {
	return &eventv1.HarmOutcome{Events: [][]byte{{0xff}}}, 0, nil
}

func (x *tornDeeds) Open(context.Context, []string, []*eventv1.Entropy) (*eventv1.DiceEpochOpened, error) {
	return nil, x.err
}

// What comes from outside and is broken ends the action with an error that names it: nothing of it stands.
func TestBrokenFromOutside(t *testing.T) {
	p := &tornDeeds{err: errors.New("no commitments")}
	if _, err := does(t, rules.Request{}, p, func(r *rules.Resolution) error { r.Harm("harm", &eventv1.Harm{Target: "b"}); return nil }); err == nil || !strings.Contains(err.Error(), "event 0 of a deed") {
		t.Errorf("%v", err)
	}
	if _, err := does(t, rules.Request{}, p, func(r *rules.Resolution) error { r.Open(nil, "everyone"); return nil }); !errors.Is(err, p.err) {
		t.Errorf("%v", err)
	}
	few := &eventv1.Input{Label: "one", What: &eventv1.Input_Draw{Draw: &eventv1.Draw{Branch: "everyone", Expression: "2d6", Faces: []int32{3}}}}
	if _, err := does(t, rules.Request{Recorded: []*eventv1.Input{few}}, &table{}, func(r *rules.Resolution) error { r.Roll(roll("one", "2d6")); return nil }); err == nil || !strings.Contains(err.Error(), "recorded faces") {
		t.Errorf("%v", err)
	}
}

// Commitments are taken from the record by what they commit to: of several openings each finds its own.
func TestOpeningsOnRecord(t *testing.T) {
	do := func(r *rules.Resolution) error {
		r.Open(nil, "creature/x")
		r.Open(nil, "creature/y", "gm")
		return nil
	}
	first, err := does(t, rules.Request{}, &table{}, do)
	must(t, err)
	turned := slices.Clone(first.Inputs)
	slices.Reverse(turned)
	again, err := does(t, rules.Request{Recorded: turned, Published: first.Events}, &tornDeeds{err: errors.New("asked anew")}, do)
	must(t, err)
	if !proto.Equal(again.State, first.State) || len(first.Inputs) != 2 {
		t.Errorf("%d inputs", len(first.Inputs))
	}
}
