package rcr

import (
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Deeds lists what Tend knows.
func (Medicine) Deeds() []string { return nil }

// Tend carries out a deed on patients between fights.
func (Medicine) Tend(_ *rules.Resolution, cmd *eventv1.PatientCommand) error {
	return fault.Field("command.patient.deed", "there is no deed %q", cmd.GetDeed())
}
