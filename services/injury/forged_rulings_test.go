package injury_test

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// A ruling goes back to a version that the record has had. A record that says otherwise,
// though it is chained well, is broken and closes its patient; one that goes back to where
// it stands does not.
func TestARecordGoesBackToWhatItWas(t *testing.T) {
	const stands = 3
	for _, c := range []struct {
		what    string
		version uint64
		broken  bool
	}{{"put back to", 0, true}, {"put back to", 1, false}, {"put back to", stands, false}, {"put back to", stands + 1, true}, {"put back to", 1 << 60, true},
		{"told again from", 0, true}, {"told again from", 1, false}, {"told again from", stands, false}, {"told again from", stands + 1, true}} {
		t.Run(fmt.Sprint(c.what, " ", c.version), func(t *testing.T) {
			w := newWorld(t)
			w.enrol("kara", 20, "ann")
			w.enrol("wim", 20, "bob")
			w.harm("kara", 1)
			w.harm("kara", 2)
			all := w.stored("kara")
			last := all[len(all)-1]
			h := proto.CloneOf(last.Header)
			h.Version, h.PreviousHash = stands+1, last.Hash
			e := event.New(event.Everyone(), &eventv1.Reverted{Version: c.version})
			if c.what != "put back to" {
				e = event.New(event.GM(), &eventv1.Amended{Base: c.version, Version: 2})
			}
			cmd, err := proto.Marshal(&eventv1.Command{What: &eventv1.Command_Patient{Patient: &eventv1.PatientCommand{Deed: "ruling", Patients: []string{"kara"}, Encounter: "e1"}}})
			if err != nil {
				t.Fatal(err)
			}
			data, hash, err := event.Seal(event.Draft{Header: h, Cause: &eventv1.CommitCause{Principal: gm, Command: cmd}, Inputs: &eventv1.CommitInputs{}, Events: []*eventv1.Event{e}}, rand.Reader)
			if err != nil {
				t.Fatal(err)
			}
			rec, _, err := w.journal.Last(w.ctx(), "skald.0.t1.patient.kara")
			if err != nil {
				t.Fatal(err)
			}
			if _, err := w.journal.Append(w.ctx(), journal.Message{Subject: rec.Subject, ID: hex.EncodeToString(hash), Data: data, Expected: rec.Seq}); err != nil {
				t.Fatal(err)
			}
			w.settled()
			for range 2 { // as it is read, and after a restart
				if c.broken {
					w.refused(w.does(gm, "curse", "kara", nil), fault.Broken, fault.ReasonBroken)
				} else if p := w.get(gm, "kara", 0); p.Version != stands+1 || p.Creature.GetHp() != map[uint64]int32{1: 20, stands: 17}[c.version] {
					t.Errorf("version %d, %d hit points", p.Version, p.Creature.GetHp())
				}
				w.wantHP("wim", 20)
				w.restart()
			}
		})
	}
}
