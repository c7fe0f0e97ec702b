package rcr

import (
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Medicine is the system's part in harm and healing; the injury service runs it.
type Medicine struct{}

// Deed carries out harm, healing or another deed on a creature.
func (Medicine) Deed(r *rules.Resolution, harm *eventv1.Harm) error { return nil }

// Deeds lists what Tend knows.
func (Medicine) Deeds() []string { return nil }

// Tend carries out a deed on patients between fights.
func (Medicine) Tend(r *rules.Resolution, cmd *eventv1.PatientCommand) error { return nil }
