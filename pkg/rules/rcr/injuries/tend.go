package injuries

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Tending is a deed between fights on the patients of a command.
type Tending func(r *rules.Resolution, c *eventv1.PatientCommand) error

// EachPatient makes a deed on one patient a deed on all.
func EachPatient(one func(r *rules.Resolution, c *eventv1.PatientCommand, id string) error) Tending {
	return func(r *rules.Resolution, c *eventv1.PatientCommand) error {
		for _, id := range c.Patients {
			if err := one(r, c, id); err != nil {
				return err
			}
		}
		return nil
	}
}

// TendRevive brings the dead back by a spell; amount gives more than 1 hit point.
func TendRevive(r *rules.Resolution, c *eventv1.PatientCommand, id string) error {
	amount, _ := spoken.Number(c.GetParameters(), "amount")
	cause := c.Item
	if cause == "" {
		cause = "revival"
	}
	return revive(r, &eventv1.Harm{Deed: body.DeedRevive, Target: id, Source: c.User, Cause: cause, Amount: amount})
}
