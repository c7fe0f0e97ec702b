package injury_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/fault"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// A deed that touched several is decided again once, in the order of the table, and each
// record gets its own part of it: another record where something of it is otherwise, and
// none where nothing is. Who was named in a deed and untouched by it may be touched now.
func TestARulingReachesWhoElseIsTouched(t *testing.T) {
	w := newWorld(t)
	w.enrol("kara", 20, "ann")
	w.enrol("wim", 20, "bob")
	w.enrol("zoe", 20)
	kara := w.through("kara", 5)
	wim := w.throughIn(&encounter{w: w, id: "e2"}, "wim", 20)
	w.tape.script["treat"] = []int32{4}
	w.tend(w.deed(gm, &eventv1.PatientCommand{Deed: "treat", Patients: []string{"kara"}, User: "wim"}))                                                           // kara 4: 9, wim 4
	w.tend(w.deed(gm, &eventv1.PatientCommand{Deed: "harm", Patients: []string{"kara"}, User: "wim", Parameters: params(t, map[string]any{"amount": 1})}))        // kara 5, of wim nothing
	w.tend(w.deed(gm, &eventv1.PatientCommand{Deed: "harm", Patients: []string{"zoe", "kara"}, User: "wim", Parameters: params(t, map[string]any{"amount": 1})})) // zoe 2 alone
	w.harm("zoe", 3)                                                                                                                                              // nobody else's
	records := func(out *injuryv1.PrepareRulingResponse) (ids []string) {
		for _, r := range out.Records {
			ids = append(ids, r.Patient)
		}
		return ids
	}
	out := w.rules(nil, kara(with(6)))
	wantBecame(t, "kara's stay", out, "kara 4 treat OTHERWISE", "kara 5 harm OTHERWISE", "zoe 2 harm SAME")
	if got := records(out); !slices.Equal(got, []string{"kara"}) {
		t.Errorf("records of %v", got)
	}
	// Of wim's kits more are left: what is left after the treatment is otherwise for wim alone.
	out = w.rules(func(r *injuryv1.PrepareRulingRequest) { r.Encounter = "e2" }, wim(func(c *eventv1.Creature) { c.Counters["kit"] = 7 }))
	wantBecame(t, "wim's kits", out, "kara 4 treat OTHERWISE", "kara 5 harm SAME", "zoe 2 harm SAME")
	if got := records(out); !slices.Equal(got, []string{"wim"}) || changed(out)["wim counters.kit"] != `"2" -> "6"` {
		t.Errorf("records of %v, %v", got, changed(out))
	}
	// Without a kit kara is not treated: dropped, it is in neither record.
	none := wim(func(c *eventv1.Creature) { delete(c.Counters, "kit") })
	drop := func(r *injuryv1.PrepareRulingRequest) {
		r.Encounter, r.Onward = "e2", []*eventv1.Onward{{Patient: "kara", DropIllegal: []uint64{4}}}
	}
	wantBecame(t, "no kit", w.rules(nil, none), "kara 4 treat ILLEGAL NO_KIT") // what names those who wait for it waits too
	out = w.rules(drop, none)
	wantBecame(t, "no kit, dropped", out, "kara 4 treat DROPPED NO_KIT", "kara 5 harm OTHERWISE", "zoe 2 harm SAME")
	if got := records(out); !slices.Equal(got, []string{"kara", "wim"}) || changed(out)["kara hp"] != "8 -> 4" || changed(out)["wim counters.kit"] != `"2" -> "0"` {
		t.Errorf("records of %v, %v", got, changed(out))
	}
	w.happens(out)
	w.wantHP("kara", 4)
	// And one more ruling by which there is a kit brings it back for both.
	out = w.rules(func(r *injuryv1.PrepareRulingRequest) { r.Encounter = "e2" }, wim(nil))
	wantBecame(t, "kits again", out, "kara 4 treat OTHERWISE", "kara 5 harm OTHERWISE", "zoe 2 harm SAME")
	w.happens(out)
	w.wantHP("kara", 8)
	if got := w.get(gm, "wim", 0).Creature.Counters["kit"]; got != 2 {
		t.Errorf("wim has %d kits", got)
	}
}

// Who comes otherwise into a later fight is an entrance: that fight is to be decided again
// first, and what came after it is not known until its stay is. A fight that stands, or
// whose stay is known, is passed through. The dead do not come in.
func TestALaterFightComesFirst(t *testing.T) {
	w := newWorld(t)
	w.enrol("kara", 20, "ann")
	kara := w.through("kara", 5)
	w.tape.script["treat"] = []int32{4}
	w.on("treat", "kara") // 4: 9
	later := w.throughIn(&encounter{w: w, id: "e2"}, "kara", 2)
	w.harm("kara", 1) // 7: 1
	out := w.rules(nil, kara(with(8)))
	wantBecame(t, "the first fight", out, "kara 4 treat OTHERWISE")
	if len(out.Entrances) != 1 {
		t.Fatalf("entrances %v", out.Entrances)
	}
	e := out.Entrances[0]
	if e.Encounter != "e2" || e.Number != 1 || e.Patient != "kara" || e.Creature.GetHp() != 12 || !e.LifeKnown || e.Refused != "" || e.Sequence == 0 {
		t.Errorf("entrance %v", e)
	}
	out = w.rules(nil, kara(with(8)), later(with(6)))
	wantBecame(t, "with the later stay", out, "kara 4 treat OTHERWISE", "kara 7 harm OTHERWISE")
	if len(out.Entrances) > 0 || changed(out)["kara hp"] != "1 -> 5" {
		t.Errorf("entrances %v, %v", out.Entrances, changed(out))
	}
	stands := later(with(6))
	stands.Stands = true
	out = w.rules(nil, kara(with(8)), stands)
	wantBecame(t, "the later fight stands", out, "kara 4 treat OTHERWISE")
	if len(out.Entrances) > 0 || changed(out)["kara hp"] != "" || len(out.Records) != 1 {
		t.Errorf("entrances %v, %v", out.Entrances, changed(out))
	}
	other := later(with(6))
	other.Number = 2 // a stay that there was not
	if _, err := w.ruled(nil, kara(with(8)), other); fault.Is(err, fault.Illegal) != true {
		t.Errorf("a stay that there was not: %v", err)
	}
	dead := func(c *eventv1.Creature) { c.Hp, c.Life = proto.Int32(0), eventv1.LifeStatus_LIFE_STATUS_DEAD }
	out = w.rules(func(r *injuryv1.PrepareRulingRequest) {
		r.Onward = []*eventv1.Onward{{Patient: "kara", DropIllegal: []uint64{4}}}
	}, kara(dead))
	if len(out.Entrances) != 1 || (out.Entrances[0].Refused == "") != (out.Entrances[0].Creature.Life != eventv1.LifeStatus_LIFE_STATUS_DEAD) {
		t.Errorf("entrances %v", out.Entrances)
	}
	w.on("curse", "kara") // a secret of the game master is part of how it comes in
	if out := w.rules(nil, kara(func(c *eventv1.Creature) { c.Hp = proto.Int32(5) })); len(out.Entrances) > 0 || len(out.Records) > 0 {
		t.Errorf("as it was: %v", out)
	}
}

// Only the game master makes rulings; one is refused while a deed waits, and of a stay that
// the record does not have.
func TestRulingsThatAreRefused(t *testing.T) {
	w := newWorld(t)
	w.enrol("kara", 20, "ann")
	stay := w.through("kara", 5)
	try := func(change func(*injuryv1.PrepareRulingRequest), s *injuryv1.Stay) error {
		_, err := w.ruled(change, s)
		return err
	}
	wantFault(t, try(func(r *injuryv1.PrepareRulingRequest) { r.As = ann }, stay(with(6))), fault.Denied, "GM_ONLY")
	for name, change := range map[string]func(*injuryv1.Stay){
		"another fight": func(s *injuryv1.Stay) { s.Encounter = "e9" },
		"another stay":  func(s *injuryv1.Stay) { s.Number = 2 },
		"no stay":       func(s *injuryv1.Stay) { s.Number = 0 },
	} {
		s := stay(with(6))
		change(s)
		if f, _ := fault.As(try(nil, s)); f == nil || f.Reason != "PATIENT_HAS_LEFT" || !strings.Contains(f.Message, fmt.Sprintf("%q the %d. time", s.Encounter, s.Number)) {
			t.Errorf("%s: %v", name, f)
		}
	}
	e := &encounter{w: w, id: "e1"}
	e.last, e.seq = w.lastOf("e1")
	e.enter("kara") // it is in it again
	s := stay(with(6))
	s.Number = 2
	wantFault(t, try(nil, s), fault.Illegal, "PATIENT_HAS_LEFT")
	e.leave("kara", s.Creature)
	id := open(t, w.on("rest", "kara").Events).Id
	wantFault(t, try(nil, stay(with(7))), fault.Illegal, "DECISION_PENDING")
	w.on("abandon", "kara")
	// A question that was let go stays closed, and the deed is what it was.
	out := w.rules(nil, stay(with(7)), s)
	if got := became(out); len(got) > 0 {
		t.Errorf("as it came to it: %q", got)
	}
	s.Creature.Hp = proto.Int32(9)
	out = w.rules(nil, s)
	wantBecame(t, "a deed that was let go", out, "kara 6 rest SAME")
	w.happens(out)
	w.wantHP("kara", 9)
	w.refused(w.answer(gm, id, &eventv1.Answer{Number: 1}), fault.NotFound, "UNKNOWN_DECISION")
}

// docs/RULINGS.md: undo takes all parts of a ruling back in each record, and redo makes
// them again, as long as nothing else came since.
func TestRulingsArePutBack(t *testing.T) {
	w := newWorld(t)
	w.enrol("kara", 20, "ann")
	stay := w.through("kara", 5)
	w.harm("kara", 1) // 4: 4
	w.happens(w.rules(nil, stay(with(10))))
	w.wantHP("kara", 9) // 5
	w.happens(w.rules(nil, stay(with(12))))
	w.wantHP("kara", 11) // 6
	back := func(redo bool, versions ...uint64) (*injuryv1.PrepareRulingResponse, error) {
		return w.ruled(func(r *injuryv1.PrepareRulingRequest) {
			r.Redo = redo
			for _, v := range versions {
				r.Back = append(r.Back, &eventv1.RulingPart{Patient: "kara", Version: v})
			}
		})
	}
	_, err := back(false, 5) // the second came since
	wantFault(t, err, fault.Illegal, "RULING_WENT_ON")
	out, err := back(false, 6)
	if err != nil || len(out.Records) != 1 || out.Records[0].Version != 7 {
		t.Fatal(out, err)
	}
	w.happens(out)
	w.wantHP("kara", 9)
	out, err = back(true, 7) // what took it back is taken back
	if err != nil {
		t.Fatal(err)
	}
	w.happens(out)
	w.wantHP("kara", 11)
	if out, err = back(false, 5, 6, 7, 8); err != nil {
		t.Fatal(err)
	}
	w.happens(out)
	w.wantHP("kara", 4)
	_, err = back(false, 1, 2, 3, 4, 5, 6, 7, 8, 9) // the enrolment is no part of a ruling
	wantFault(t, err, fault.Internal, "RULING")
	w.harm("kara", 1)
	_, err = back(false, 9)
	wantFault(t, err, fault.Illegal, "RULING_WENT_ON")
	reads := w.history(ann, "kara", 0, 0).Entries
	var told []string
	for _, e := range reads {
		for _, ev := range e.Events {
			if r := ev.GetReverted(); r != nil {
				told = append(told, fmt.Sprint(r.Version, r.Redo, r.Reason))
			}
		}
	}
	const undone, again = "0 falsethere was cover", "0 truethere was cover"   // and no number of the record
	if !slices.Equal(told, []string{undone, undone, undone, again, undone}) { // the two rulings, and what took them back
		t.Errorf("ann reads %q", told)
	}
}

// The game master opens the dice of a patient by a deed of the service's own: a ruling
// leaves it as it was, whatever it comes to.
func TestDiceThatWereOpenedStaySo(t *testing.T) {
	w := withRealDice(t)
	w.enrol("kara", 20, "ann")
	stay := w.through("kara", 5)
	w.on("treat", "kara")
	w.on("reveal", "kara")
	w.on("treat", "kara")
	hp := w.hp("kara")
	out := w.rules(func(r *injuryv1.PrepareRulingRequest) { r.Purpose = dicev1.Purpose_PURPOSE_REAL }, stay(with(7)))
	wantBecame(t, "after the reveal", out, "kara 4 treat OTHERWISE", "kara 6 treat OTHERWISE")
	w.happens(out)
	w.wantHP("kara", hp+2)
	if p := w.get(gm, "kara", 0); p.Version != 7 {
		t.Errorf("version %d", p.Version)
	}
	w.on("treat", "kara") // and its dice are those of the epoch of now
	all := w.history(gm, "kara", 0, 0).Entries
	if r := rolls(all[len(all)-1].Events); len(r) != 1 || r[0].Epoch != 2 {
		t.Errorf("rolls %v", r)
	}
}
