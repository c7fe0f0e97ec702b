package injury_test

import (
	"testing"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// What a request says beside its command is kept where the deed reads it and refused where
// it does not: the record would say nothing of it, and whoever verifies it would take an
// honest record for a forged one.
func TestWhatADeedIsGivenBesideItsCommand(t *testing.T) {
	w := newWorld(t)
	w.enrol("kara", 20, "ann")
	rest := func() *injuryv1.TendRequest {
		return w.deed(ann, &eventv1.PatientCommand{Deed: "rest", Patients: []string{"kara"}})
	}
	answer := func() *injuryv1.TendRequest { return w.answer(ann, w.asked("kara").Id, &eventv1.Answer{Number: 0}) }
	try := func(req *injuryv1.TendRequest, change func(*injuryv1.TendRequest)) error {
		change(req)
		_, err := w.client.Tend(w.ctx(), req)
		return err
	}
	chess := func(r *injuryv1.TendRequest) { r.System = "chess" }
	drill := func(r *injuryv1.TendRequest) { r.System = "drill" }
	gentle := func(r *injuryv1.TendRequest) { r.Settings = map[string]string{"drill.gentle": "on"} }
	packs := func(r *injuryv1.TendRequest) { r.Packs = []string{"x"} }
	ofMaster := func(deed string) *injuryv1.TendRequest { return w.does(gm, deed, "kara", nil) }

	w.field(try(rest(), chess), "system")
	w.field(try(rest(), gentle), "settings")
	w.field(try(rest(), packs), "packs")
	w.field(try(ofMaster("edit"), chess), "system")
	for _, deed := range []string{"revert", "redo", "reveal", "abandon", "curse"} {
		w.field(try(ofMaster(deed), gentle), "settings")
	}
	if n := len(w.commits("kara")); n != 1 {
		t.Fatalf("refusals stored %d Commits", n-1)
	}
	if err := try(rest(), drill); err != nil { // its own system may be named
		t.Fatal(err)
	}
	w.field(try(answer(), chess), "system")
	w.field(try(answer(), gentle), "settings")
	w.field(try(answer(), packs), "packs")
	if err := try(answer(), drill); err != nil {
		t.Fatal(err)
	}
	if err := try(ofMaster("edit"), gentle); err != nil {
		t.Fatal(err)
	}
	if p := w.get(gm, "kara", 0); p.Settings["drill.gentle"] != "on" {
		t.Errorf("settings %v", p.Settings)
	}
	if err := try(ofMaster("edit"), func(r *injuryv1.TendRequest) { drill(r); gentle(r) }); err != nil {
		t.Fatal(err)
	}
	w.undo("kara")
	if r := w.byItself(w.stored("kara")); !r.Whole() || r.Digests != 6 {
		t.Errorf("verified: %+v", r)
	}
}
