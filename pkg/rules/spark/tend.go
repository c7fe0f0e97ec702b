package spark

import (
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/mending"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/types/known/structpb"
)

var tendings = map[string]mending.Tending{"gather": mending.TendGather, "harm": mending.TendHarm, "heal": mending.TendHeal, "mend-bones": mending.MendBones,
	"pass-time": mending.TendTime, "recover-levels": mending.RecoverLevels, "repair": mending.TendRepair, "rest": mending.TendRest, "restore": mending.TendRestore,
	"restring": mending.TendRestring, "set": tendSet, "set-bone": mending.SetBone, "stop-bleeding": mending.StopBleeding}

// Deeds lists what Tend knows.
func (Medicine) Deeds() []string { return rules.SortedKeys(tendings) }

// Tend carries out a deed on patients between fights.
func (Medicine) Tend(r *rules.Resolution, c *eventv1.PatientCommand) error {
	if body.BookError != nil {
		return body.BookError
	}
	if check := mending.Checks[c.Deed]; check != nil {
		for _, id := range c.Patients {
			if err := check(r, c, id); err != nil {
				return err
			}
		}
	}
	for _, id := range c.Patients {
		if err := tendings[c.Deed](r, c, id); err != nil {
			return err
		}
	}
	return nil
}

// tendSet sets a counter or a mark by the game master's word: a weapon mended,
// a drain taken.
func tendSet(r *rules.Resolution, c *eventv1.PatientCommand, id string) error {
	p := c.GetParameters()
	counter, mark := spoken.Word(p, "counter"), spoken.Word(p, "mark")
	value, said := p.GetFields()["value"]
	_, text := value.GetKind().(*structpb.Value_StringValue)
	if (counter == "") == (mark == "") || len(counter+mark) > rules.MaxIDLength {
		return fault.Field("command.patient.parameters", "either counter or mark, of at most %d bytes", rules.MaxIDLength)
	}
	if mark != "" {
		if err := checkWord("command.patient.parameters.mark", rules.PlaceMark, mark); err != nil {
			return err
		}
		if said && !text {
			return fault.Field("command.patient.parameters.value", "must be text for a mark")
		}
		r.Mark(id, mark, spoken.Word(p, "value"))
		return nil
	}
	if err := checkWord("command.patient.parameters.counter", rules.PlaceCounter, counter); err != nil {
		return err
	}
	n, ok := spoken.Number(p, "value")
	if !ok {
		return fault.Field("command.patient.parameters.value", "must be a whole number for a counter")
	}
	r.Set(id, counter, int64(n), "set")
	return nil
}
