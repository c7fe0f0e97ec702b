package rules

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/fault"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Tend carries out a deed on patients between fights by a system's medicine,
// after what is the same in every system: the deed is one that the medicine
// lists, and the patients are some, known, and named once.
func Tend(m Medicine, cmd *eventv1.PatientCommand) func(*Resolution) error {
	return func(r *Resolution) error {
		if !slices.Contains(m.Deeds(), cmd.GetDeed()) {
			return fault.Field("command.patient.deed", "%q is not one of %v", cmd.GetDeed(), m.Deeds())
		}
		if len(cmd.Patients) == 0 {
			return fault.Field("command.patient.patients", "at least one")
		}
		for i, id := range cmd.Patients {
			field := "command.patient.patients[" + itoa(i) + "]"
			if r.Creature(id) == nil {
				return fault.New(fault.NotFound, "UNKNOWN_PATIENT", "%s: there is no patient %q", field, id)
			}
			if slices.Contains(cmd.Patients[:i], id) {
				return fault.Field(field, "%q is named twice", id)
			}
		}
		if cmd.User != "" && r.Creature(cmd.User) == nil {
			return fault.New(fault.NotFound, "UNKNOWN_PATIENT", "command.patient.user: there is no patient %q", cmd.User)
		}
		return m.Tend(r, cmd)
	}
}
