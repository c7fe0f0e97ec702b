package injury_test

import (
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/content/sheets"
	"github.com/skaldrpg/skald/pkg/systems"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// Every sheet that ships can be a patient, enter a fight and leave it as it
// came without a trace in the record.
func TestShippedSheetsArePatients(t *testing.T) {
	w := newWorld(t)
	w.cfg.Systems = systems.Registry()
	w.restart()
	for _, system := range w.cfg.Systems.IDs() {
		for _, name := range sheets.List(system) {
			t.Run(system+"/"+name, func(t *testing.T) {
				s, err := sheets.Get(system, name)
				if err != nil {
					t.Fatal(err)
				}
				id := system + "-" + name
				req := w.deed(gm, &eventv1.PatientCommand{Deed: "enrol", Patients: []string{id}, Sheet: s})
				req.System = system
				before := w.tend(req).Patient
				// Some systems roll hit points when a creature comes in.
				if hp := before.Creature.GetHp(); hp < 1 || hp != before.Creature.GetHpMax() {
					t.Errorf("enrolled with %d of %d hit points", hp, before.Creature.GetHpMax())
				}
				engaged, err := w.client.PrepareEngage(w.ctx(), &injuryv1.PrepareEngageRequest{Table: "t1", Patient: id, Encounter: "e-" + id, System: system, As: gm})
				if err != nil {
					t.Fatal(err)
				}
				e := &encounter{w: w, id: "e-" + id}
				e.commit(&eventv1.Command{What: &eventv1.Command_Add{}}, engaged.Message, &eventv1.CommitInputs{})
				e.leave(id, engaged.Patient.Creature)
				after := w.get(gm, id, 0)
				if !proto.Equal(before.Creature, after.Creature) {
					t.Errorf("came as\n%v\nleft as\n%v", before.Creature, after.Creature)
				}
			})
		}
	}
}
