package ward

import (
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/projection"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"

	"github.com/skaldrpg/skald/services/injury/internal/record"
)

// firstEpoch is the epoch of a patient's dice.
const firstEpoch = 1

// paramPolicy is the parameter of enrol that says where faces come from.
const paramPolicy = "dice_policy"

var policies = map[string]eventv1.DicePolicy{
	"":         eventv1.DicePolicy_DICE_POLICY_SERVER, // not given
	"server":   eventv1.DicePolicy_DICE_POLICY_SERVER,
	"supplied": eventv1.DicePolicy_DICE_POLICY_SUPPLIED,
	"either":   eventv1.DicePolicy_DICE_POLICY_EITHER,
}

// planEnrol plans a new record: the settings, the dice and the creature, as a
// fight begins and takes a creature on.
func (s *Server) planEnrol(tx *projection.Tx, d *deed, c *eventv1.PatientCommand) error {
	if !isGM(d.req.As) {
		return fault.New(fault.Denied, "GM_ONLY", "only the game master may do %q", c.Deed)
	}
	id, err := enrolled(c)
	if err != nil {
		return err
	}
	row, err := record.Get(tx, d.table, id)
	if err != nil {
		return err
	}
	if row != nil {
		return fault.New(fault.Exists, "PATIENT_EXISTS", "there is already a patient %q", id)
	}
	if d.sys, err = s.cfg.Systems.System(d.req.System); err != nil {
		return err
	}
	if err := checkOwn(c, true); err != nil {
		return err
	}
	d.primary, d.rows[id] = id, &record.Patient{Name: record.Named(d.table, id)}
	d.state, d.action, d.policy = event.NewState(), 1, policies[spoken.Word(c.GetParameters(), paramPolicy)]
	d.do, err = d.resolve(c)
	return err
}

// enrol makes a record as a fight begins and takes a creature on.
func (d *deed) enrol(c *eventv1.PatientCommand, listed bool) func(*rules.Resolution) error {
	id := d.primary
	own := forSystem(c)
	own.Patients, own.Sheet = []string{id}, ownSheet(c.Sheet, id)
	create := &eventv1.Command{What: &eventv1.Command_Create{Create: &eventv1.CreateEncounter{Encounter: PatientDice(id),
		Table: d.table, System: d.sys.Info().ID, Settings: d.settings, DicePolicy: d.policy, Packs: d.packs}}}
	add := &eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: own.Sheet, Vitals: c.Vitals,
		Facts: own.Parameters}}}
	return func(r *rules.Resolution) error {
		for _, cmd := range []*eventv1.Command{create, add} {
			if err := rules.Resolve(d.sys, cmd)(r); err != nil {
				return err
			}
		}
		if listed {
			return rules.Tend(d.sys.Medicine(), own)(r)
		}
		return nil
	}
}

// enrolled is the id of the patient to be enrolled: the one named, else the
// sheet's. A sheet of another id is taken as a copy under the patient's.
func enrolled(c *eventv1.PatientCommand) (string, error) {
	id := c.GetSheet().GetId()
	if len(c.Patients) > 0 {
		id = c.Patients[0]
	}
	switch {
	case c.Sheet == nil:
		return "", fault.Field("command.patient.sheet", "missing")
	case len(c.Patients) > 1:
		return "", fault.Field("command.patient.patients", "one patient is enrolled at a time")
	case c.Sheet.Patient != "" && c.Sheet.Patient != id:
		return "", fault.Field("command.patient.sheet.patient", "must be empty or %q, the patient's id", id)
	}
	return id, aggregate.CheckID("command.patient.patients", id)
}

// ownSheet is a sheet under the patient's own id.
func ownSheet(sheet *eventv1.Sheet, id string) *eventv1.Sheet {
	if sheet == nil {
		return nil
	}
	own := proto.Clone(sheet).(*eventv1.Sheet)
	own.Id, own.Patient = id, id
	return own
}

// edit changes a patient by the game master's word: the sheet, the vitals, and
// by parameters the controllers, and conditions and injuries to take away.
func (d *deed) edit(c *eventv1.PatientCommand, listed bool) (func(*rules.Resolution) error, error) {
	if err := checkOwn(c, listed); err != nil {
		return nil, err
	}
	id := d.primary
	words := func(name string) []string {
		list, _ := spoken.Words(c.GetParameters(), name)
		return list
	}
	_, controllers := c.GetParameters().GetFields()["controllers"]
	edit := &eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: id, Vitals: c.Vitals,
		RemoveConditions: words("remove_conditions"), RemoveInjuries: words("remove_injuries"),
		Controllers: words("controllers"), SetControllers: controllers,
		Sheet: ownSheet(c.Sheet, id), Reason: spoken.Word(c.GetParameters(), "reason")}}}
	return d.withBranches(func(r *rules.Resolution) error {
		if len(c.Patients) > 1 {
			return fault.Field("command.patient.patients", "one patient is edited at a time")
		}
		if book := r.Content().Digests(); !slices.Equal(book, r.State().Packs) {
			r.Emit(event.Everyone(), &eventv1.PacksPinned{Packs: book})
		}
		for _, name := range rules.SortedKeys(d.settings) {
			set := &eventv1.Command{What: &eventv1.Command_Set{Set: &eventv1.SetSetting{Setting: name, Value: d.settings[name]}}}
			if err := rules.Resolve(d.sys, set)(r); err != nil {
				return err
			}
		}
		if err := rules.Resolve(d.sys, edit)(r); err != nil {
			return err
		}
		if listed {
			return rules.Tend(d.sys.Medicine(), forSystem(c))(r)
		}
		return nil
	}), nil
}
