package rules_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// hospital knows one deed and counts whom it was done to.
type hospital struct {
	toyMedicine
	tended *int
}

func (hospital) Deeds() []string { return []string{"bandage"} }
func (h hospital) Tend(_ *rules.Resolution, cmd *eventv1.PatientCommand) error {
	*h.tended += len(cmd.Patients)
	return nil
}

func TestTendChecksWhatIsTheSameEverywhere(t *testing.T) {
	for _, c := range []struct {
		name   string
		cmd    *eventv1.PatientCommand
		reason string
		field  string
		tended int
	}{
		{"two patients", &eventv1.PatientCommand{Deed: "bandage", Patients: []string{"a", "b"}, User: "a"}, "", "", 2},
		{"unknown deed", &eventv1.PatientCommand{Deed: "leech", Patients: []string{"a"}}, "", "command.patient.deed", 0},
		{"nobody", &eventv1.PatientCommand{Deed: "bandage"}, "", "command.patient.patients", 0},
		{"a stranger", &eventv1.PatientCommand{Deed: "bandage", Patients: []string{"a", "z"}}, "UNKNOWN_PATIENT", "", 0},
		{"one twice", &eventv1.PatientCommand{Deed: "bandage", Patients: []string{"a", "a"}}, "", "command.patient.patients[1]", 0},
		{"by a stranger", &eventv1.PatientCommand{Deed: "bandage", Patients: []string{"a"}, User: "z"}, "UNKNOWN_PATIENT", "", 0},
	} {
		tended := 0
		_, err := rules.Run(context.Background(), toy{}, rules.Request{State: fightState(t), Action: 9}, &table{}, rules.Tend(hospital{tended: &tended}, c.cmd))
		f, _ := fault.As(err)
		switch {
		case c.reason == "" && c.field == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.reason != "" && (f == nil || f.Reason != c.reason):
			t.Errorf("%s: %v, want %s", c.name, err, c.reason)
		case c.field != "" && (f == nil || len(f.Violations) != 1 || f.Violations[0].Field != c.field):
			t.Errorf("%s: %v, want a refusal of %s", c.name, err, c.field)
		}
		if tended != c.tended {
			t.Errorf("%s: %d tended, want %d", c.name, tended, c.tended)
		}
	}
}

// clinic is the toy with words of deeds.
type clinic struct{ toy }

var clinicWords = func() *rules.Vocabulary {
	v, err := rules.ReadVocabulary("place,actions,name,type,values,sides,least,most,matter,rule,text\n"+
		"deed,bandage,with,string,linen|moss,,,,actor,,With what\n"+
		"deed,bandage,dc,number,,,1,20,world,,How hard it is\n"+
		"deed,pass-time,hours,number,,,1,24,world,,How long\n"+
		"deed,bandage,where,any,,,,,actor,,Where\n", nil)
	if err != nil {
		panic(err)
	}
	return v
}()

func (clinic) Vocabulary() *rules.Vocabulary { return clinicWords }
func (clinic) Medicine() rules.Medicine      { return nurse{} }

// nurse rolls against the DC said, else 11; time is only passed when told how
// much. It keeps what it was told in a mark.
type nurse struct{ toyMedicine }

func (nurse) Deeds() []string { return []string{"bandage", "pass-time"} }
func (nurse) Tend(r *rules.Resolution, cmd *eventv1.PatientCommand) error {
	id := cmd.Patients[0]
	if cmd.Deed == "pass-time" {
		hours, ok := spoken.Number(cmd.Parameters, "hours")
		if !ok {
			return fault.Field("command.patient.parameters.hours", "missing")
		}
		r.Set(id, "hours", int64(hours), "time")
		return nil
	}
	dc, ok := spoken.Number(cmd.Parameters, "dc")
	if !ok {
		dc = 11
	}
	spec := roll("bandage", "1d20")
	spec.Target.Value = dc
	r.Roll(spec)
	r.Set(id, "dc", int64(dc), "bandaged")
	return nil
}

func TestWordsOfDeeds(t *testing.T) {
	ann := &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: "ann"}
	run := func(by *eventv1.Principal, deed string, said map[string]any, inputs ...*eventv1.Input) (*rules.Outcome, error) {
		p, err := structpb.NewStruct(said)
		must(t, err)
		cmd := &eventv1.PatientCommand{Deed: deed, Patients: []string{"a"}, Parameters: p}
		return rules.Run(context.Background(), clinic{}, rules.Request{State: fightState(t), Action: 9, Speaker: by, Caller: by, Recorded: inputs},
			&table{tape: true, faces: []int32{5}}, rules.Tend(nurse{}, cmd))
	}
	for _, c := range []struct {
		deed, field, says string
		said              map[string]any
	}{
		{"bandage", "wiht", "no parameter of bandage, did you mean with?", map[string]any{"wiht": "moss"}},
		{"bandage", "with", "did you mean moss?", map[string]any{"with": "mos"}},
		{"bandage", "dc", "from 1 to 20", map[string]any{"dc": 21}},
		{"bandage", "where", "", map[string]any{"where": "a\nb"}},
		{"bandage", "hours", "known are dc, where, with", map[string]any{"hours": 1}},
		{"pass-time", "hours", "missing", nil},
	} {
		_, err := run(nil, c.deed, c.said)
		if f, _ := fault.As(err); f == nil || f.Violations[0].Field != "command.patient.parameters."+c.field || !strings.Contains(f.Violations[0].Description, c.says) {
			t.Errorf("%s %v: %v, want %s: %s", c.deed, c.said, err, c.field, c.says)
		}
	}
	// What is the actor's counts, whatever its type.
	if out, err := run(ann, "bandage", map[string]any{"with": "moss", "where": []any{"arm", 1}}); err != nil || len(out.Open) > 0 {
		t.Errorf("the actor's own: %v %v", out, err)
	}
	for _, c := range []struct {
		deed, counter string
		said          map[string]any
		options       []string
		byDefault     string
		odds          int
		want          map[string]int64
	}{
		{"bandage", "dc", map[string]any{"dc": 6, "with": "linen"}, []string{"grant", "ignore", "call-off"}, "ignore", 2,
			map[string]int64{"grant": 6, "ignore": 11, "call-off": 0}},
		// What the rules refuse without the claim cannot go on without it.
		{"pass-time", "hours", map[string]any{"hours": 3}, []string{"grant", "call-off"}, "call-off", 0, map[string]int64{"grant": 3, "call-off": 0}},
	} {
		asked, err := run(ann, c.deed, c.said)
		must(t, err)
		if len(asked.Open) != 1 {
			t.Fatalf("%s: asked %v", c.deed, asked.Open)
		}
		d := asked.Open[0]
		var ids []string
		for _, o := range d.Options {
			ids = append(ids, o.Id)
		}
		if d.Name != rules.DecisionClaim || !d.GmOnly || len(d.Claims) != 1 || !slices.Equal(ids, c.options) || d.DefaultOption != c.byDefault || len(d.Odds) != c.odds {
			t.Errorf("%s: asked %v", c.deed, d)
		}
		for _, option := range rules.SortedKeys(c.want) {
			out, err := run(ann, c.deed, c.said, rules.Answered(d, &eventv1.Answer{Option: option}, "gm"))
			must(t, err)
			if got := out.State.Creatures["a"].Counters[c.counter]; got != c.want[option] || len(out.Open) > 0 {
				t.Errorf("%s, %s: %s %d, want %d", c.deed, option, c.counter, got, c.want[option])
			}
		}
	}
	// A deed that the rules refuse as it is claimed is asked of nobody.
	if _, err := run(ann, "pass-time", map[string]any{"hours": 25}); err == nil {
		t.Error("more hours than a day has")
	}
}
