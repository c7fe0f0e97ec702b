package rules_test

import (
	"context"
	"testing"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
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
