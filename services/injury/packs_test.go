package injury_test

import (
	"slices"
	"strings"
	"testing"

	contentv1 "github.com/skaldrpg/skald/proto/skald/content/v1"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"

	"github.com/skaldrpg/skald/pkg/content/pack"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/library"
	"github.com/skaldrpg/skald/pkg/systems"
)

// put keeps a pack of rcr at the table, as the encounter service does, and returns
// its digest.
func (w *world) put(p *contentv1.Pack) string {
	w.t.Helper()
	data, err := pack.Marshal(p)
	if err != nil {
		w.t.Fatal(err)
	}
	msg, err := library.Seal(0, &encounterv1.PackRecord{Table: "t1", Pack: data, By: gm})
	if err != nil {
		w.t.Fatal(err)
	}
	if _, err := w.journal.Append(w.ctx(), msg); err != nil {
		w.t.Fatal(err)
	}
	return library.Digest(data)
}

// steady is a pack by which every check is made at so much more.
func steady(name, amount string) *contentv1.Pack {
	return &contentv1.Pack{Name: name, Version: "1", System: "rcr", Title: "Steady " + name, Rules: []*contentv1.HouseRule{{Id: "steady", Title: "Steady hands",
		Text: "Every check is made at a bonus.", Effects: []*contentv1.Effect{{What: &contentv1.Effect_Modifier{
			Modifier: &contentv1.Modifier{To: "check", Amount: amount}}}}}}}
}

// hurtPatient is a creature with wounds that a healer's kit may close.
func hurtPatient(id string) *eventv1.Sheet {
	return &eventv1.Sheet{Id: id, Name: id, Side: "party", Size: "medium", HitPoints: 40, Abilities: map[string]int32{"constitution": 10},
		Section: &eventv1.Sheet_Rcr{Rcr: &eventv1.RcrSheet{Level: 5, ProficiencyBonus: 3, ArmorClass: 12, HealersKitUses: 3,
			Skills: []*eventv1.RcrSkill{{Name: "medicine", Bonus: 5}}}}}
}

func (w *world) enrolWith(id string, packs ...string) *injuryv1.Patient {
	w.t.Helper()
	ten := int32(10)
	req := w.deed(gm, &eventv1.PatientCommand{Deed: "enrol", Sheet: hurtPatient(id), Vitals: &eventv1.Vitals{Hp: &ten, Counters: map[string]int64{"wounds": 3}}})
	req.System, req.Packs = "rcr", packs
	return w.tend(req).Patient
}

// cites tells whether a roll of the deed was changed by a rule.
func cites(reply *injuryv1.TendResponse, rule string) bool {
	return slices.ContainsFunc(reply.Events, func(e *eventv1.Event) bool {
		return slices.ContainsFunc(e.GetRoll().GetModifiers(), func(m *eventv1.Modifier) bool { return m.Rule == rule })
	})
}

func (w *world) treat(id string) *injuryv1.TendResponse {
	w.t.Helper()
	return w.tend(w.deed(gm, &eventv1.PatientCommand{Deed: "treat", Patients: []string{id}, User: id, Item: "healer's kit"}))
}

// rcrWorld plays rcr.
func rcrWorld(t *testing.T) *world {
	w := newWorld(t)
	w.cfg.Systems = systems.Registry()
	w.restart()
	return w
}

// A patient's deeds are decided by the packs that it is kept with: those of its
// enrolment, then those that the game master gives it, then those of the last fight.
func TestDeedsByPacks(t *testing.T) {
	w := rcrWorld(t)
	one, two := w.put(steady("one", "2")), w.put(steady("two", "3"))
	w.enrolWith("plain")
	if p := w.enrolWith("kept", one); !slices.Equal(p.Packs, []string{one}) {
		t.Fatalf("kept with %v", p.Packs)
	}
	if cites(w.treat("plain"), "house.one.steady") {
		t.Error("a patient without packs is treated by one")
	}
	if !cites(w.treat("kept"), "house.one.steady") {
		t.Error("the pack of the enrolment does not count")
	}
	edit := w.deed(gm, &eventv1.PatientCommand{Deed: "edit", Patients: []string{"plain"}})
	edit.Packs = []string{one, two}
	if p := w.tend(edit).Patient; !slices.Equal(p.Packs, []string{one, two}) {
		t.Fatalf("edited to %v", p.Packs)
	}
	if !cites(w.treat("plain"), "house.two.steady") {
		t.Error("the pack of the edit does not count")
	}
	w.restart()
	if p := w.get(gm, "plain", 0); !slices.Equal(p.Packs, []string{one, two}) {
		t.Errorf("after a restart %v", p.Packs)
	}
	if p := w.get(gm, "plain", 1); len(p.Packs) != 0 {
		t.Errorf("in its first version %v", p.Packs)
	}
	w.leaves("kept", two)
	if p := w.get(gm, "kept", 0); !slices.Equal(p.Packs, []string{two}) {
		t.Errorf("after a fight with a pack %v", p.Packs)
	}
	w.leaves("kept")
	if p := w.get(gm, "kept", 0); !slices.Equal(p.Packs, []string{two}) {
		t.Errorf("after a fight without one %v", p.Packs)
	}
	if reply := w.treat("kept"); !cites(reply, "house.two.steady") || cites(reply, "house.one.steady") {
		t.Error("the pack of the last fight does not count alone")
	}
}

// leaves has a patient through a fight with packs in which nothing happens.
func (w *world) leaves(id string, packs ...string) {
	w.t.Helper()
	engaged, err := w.client.PrepareEngage(w.ctx(), &injuryv1.PrepareEngageRequest{Table: "t1", Patient: id, Encounter: "e-" + id, System: "rcr", As: gm})
	if err != nil {
		w.t.Fatal(err)
	}
	w.n++
	e := &encounter{w: w, id: "e-" + id + strings.Repeat("x", w.n)}
	e.commit(&eventv1.Command{What: &eventv1.Command_Add{}}, engaged.Message, &eventv1.CommitInputs{})
	w.settled()
	left, err := w.client.PrepareRelease(w.ctx(), &injuryv1.PrepareReleaseRequest{Table: "t1", Patient: id, Encounter: "e-" + id,
		Creature: engaged.Patient.Creature, As: gm, Packs: packs})
	if err != nil {
		w.t.Fatal(err)
	}
	e.commit(&eventv1.Command{What: &eventv1.Command_Remove{}}, left.Message, &eventv1.CommitInputs{})
	w.settled()
}

func TestPacksOfPatientsRefused(t *testing.T) {
	w := rcrWorld(t)
	one := w.put(steady("one", "2"))
	w.enrolWith("kept", one)
	try := func(as *eventv1.Principal, deed, field string, packs ...string) {
		t.Helper()
		req := w.deed(as, &eventv1.PatientCommand{Deed: deed, Patients: []string{"kept"}})
		req.Packs = packs
		_, err := w.client.Tend(w.ctx(), req)
		f, ok := fault.As(err)
		if !ok || len(f.Violations) == 0 || f.Violations[0].Field != field {
			t.Errorf("%s with %v: %v, want a fault about %s", deed, packs, err, field)
		}
	}
	try(gm, "edit", "packs[0]", "one")
	try(gm, "edit", "packs[1]", one, strings.Repeat("0", 64))
	try(gm, "treat", "packs", one)
	try(ann, "treat", "packs", one)
	if p := w.get(gm, "kept", 0); p.Version != 1 {
		t.Errorf("a refused deed stands in the record: version %d", p.Version)
	}
}
