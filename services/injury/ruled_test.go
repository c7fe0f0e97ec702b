package injury_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// ruled is a ruling of the fight e1 as its service asks about it.
func (w *world) ruled(change func(*injuryv1.PrepareRulingRequest), stays ...*injuryv1.Stay) (*injuryv1.PrepareRulingResponse, error) {
	w.n++
	req := &injuryv1.PrepareRulingRequest{Table: "t1", As: gm, RequestId: fmt.Sprint("ruling-", w.n), Encounter: "e1", Reason: "there was cover", Stays: stays}
	if change != nil {
		change(req)
	}
	return w.client.PrepareRuling(w.ctx(), req)
}

// rules is ruled, of which something must come.
func (w *world) rules(change func(*injuryv1.PrepareRulingRequest), stays ...*injuryv1.Stay) *injuryv1.PrepareRulingResponse {
	w.t.Helper()
	out, err := w.ruled(change, stays...)
	if err != nil {
		w.t.Fatal(err)
	}
	return out
}

// happens stores what a ruling makes of records.
func (w *world) happens(out *injuryv1.PrepareRulingResponse) {
	w.t.Helper()
	var ms []journal.Message
	for _, r := range out.Records {
		ms = append(ms, journal.Message{Subject: r.Subject, ID: r.Id, Data: r.Data, Expected: r.ExpectedSequence})
	}
	if _, err := w.journal.AppendAtomic(w.ctx(), ms); err != nil {
		w.t.Fatal(err)
	}
}

// through has a patient through the fight e1, out of which it comes with hit points, and
// gives the stay with what a ruling would change of it.
func (w *world) through(patient string, hp int32) func(change func(*eventv1.Creature)) *injuryv1.Stay {
	w.t.Helper()
	return w.throughIn(&encounter{w: w, id: "e1"}, patient, hp)
}

func (w *world) throughIn(e *encounter, patient string, hp int32) func(change func(*eventv1.Creature)) *injuryv1.Stay {
	w.t.Helper()
	c := e.enter(patient).Creature
	c.Hp = proto.Int32(hp)
	e.leave(patient, c)
	return func(change func(*eventv1.Creature)) *injuryv1.Stay {
		is := proto.CloneOf(c)
		if change != nil {
			change(is)
		}
		return &injuryv1.Stay{Encounter: e.id, Patient: patient, Number: 1, Creature: is}
	}
}

// with are hit points with which it leaves instead.
func with(hp int32) func(*eventv1.Creature) {
	return func(c *eventv1.Creature) { c.Hp = proto.Int32(hp) }
}

// on does a deed on a patient, for the game master.
func (w *world) on(deed, patient string) *injuryv1.TendResponse {
	w.t.Helper()
	return w.tend(w.deed(gm, &eventv1.PatientCommand{Deed: deed, Patients: []string{patient}}))
}

// became are the deeds of a ruling's answer: patient, version, deed and what became of it.
func became(out *injuryv1.PrepareRulingResponse) (lines []string) {
	for _, d := range out.Deeds {
		line := fmt.Sprintf("%s %d %s %s", d.Patient, d.Version, d.Deed, strings.TrimPrefix(d.Kind.String(), "KIND_"))
		if d.Reason != "" {
			line += " " + d.Reason
		}
		lines = append(lines, line)
	}
	return lines
}

func wantBecame(t *testing.T, what string, out *injuryv1.PrepareRulingResponse, want ...string) {
	t.Helper()
	if got := became(out); !slices.Equal(got, want) {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

// changed is where a record would differ, path for path.
func changed(out *injuryv1.PrepareRulingResponse) map[string]string {
	all := map[string]string{}
	for _, r := range out.Records {
		for _, c := range r.Changes {
			all[r.Patient+" "+c.Path] = c.Before + " -> " + c.After
		}
	}
	return all
}

// docs/RULINGS.md, "A ruling that goes on after the fight": deeds between fights are
// decided again with the faces and answers on record, and each says what it was, what it
// is and where the record differs after it. What comes to them as it came is left alone.
func TestDeedsAreDecidedAgain(t *testing.T) {
	w := newWorld(t)
	w.enrol("kara", 20, "ann")
	w.enrol("wim", 20, "bob")
	stay := w.through("kara", 5)
	w.tape.script["treat"], w.tape.script["hit-die"] = []int32{4}, []int32{6}
	w.on("treat", "kara") // version 4: 9
	w.on("brood", "kara") // 5 asks, for 9 are more than 8
	asked := w.asked("kara")
	w.tend(w.answer(ann, asked.Id, &eventv1.Answer{Option: "no"}))
	w.tend(w.answer(ann, open(t, w.on("rest", "kara").Events).Id, &eventv1.Answer{Number: 1})) // 7 and 8: 15
	w.harm("wim", 2)
	w.wantHP("kara", 15)
	drawn := len(w.tape.drawn)

	if out := w.rules(nil, stay(nil)); len(out.Records) > 0 || len(out.Deeds) > 0 || len(out.Entrances) > 0 {
		t.Errorf("as it was: %v", out)
	}
	if out := w.rules(nil, &injuryv1.Stay{Encounter: "e1", Patient: "kara", Number: 1}); len(out.Records) > 0 || len(out.Deeds) > 0 {
		t.Errorf("known to be as it was: %v", out)
	}
	stands := stay(with(10))
	stands.Stands = true
	if out := w.rules(nil, stands); len(out.Records) > 0 || len(out.Deeds) > 0 {
		t.Errorf("it stands: %v", out)
	}
	// The wounds are none of the deeds' business.
	out := w.rules(nil, stay(func(c *eventv1.Creature) { c.Counters["wounds"] = 2 }))
	wantBecame(t, "two wounds", out, "kara 4 treat SAME", "kara 5 brood SAME", "kara 7 rest SAME")
	if c := changed(out); len(c) != 1 || c["kara counters.wounds"] != ` -> "2"` {
		t.Errorf("two wounds change %v", c)
	}
	for _, d := range out.Deeds {
		if len(d.Before) > 0 || len(d.After) > 0 || len(d.Changes) != 1 {
			t.Errorf("a deed that is the same says %v, %v, %v", d.Before, d.After, d.Changes)
		}
	}
	out = w.rules(nil, stay(with(11)))
	wantBecame(t, "11 hit points", out, "kara 4 treat OTHERWISE", "kara 5 brood SAME", "kara 7 rest OTHERWISE")
	if c := changed(out); len(c) != 1 || c["kara hp"] != "15 -> 20" || out.Drew { // 11, 4 and 6, but 20 at most
		t.Errorf("11 hit points change %v, drew %v", c, out.Drew)
	}
	first := out.Deeds[0]
	hp := func(events []*eventv1.Event) (n int32) {
		for _, e := range events {
			if h := e.GetHitPoints(); h != nil {
				n = h.Hp
			}
		}
		return n
	}
	if hp(first.Before) != 9 || hp(first.After) != 15 || len(first.Changes) != 1 || first.Changes[0].Path != "hp" || first.Changes[0].After != "15" || len(first.Fresh) > 0 {
		t.Errorf("the first deed: %v", first)
	}
	if len(w.tape.drawn) != drawn {
		t.Error("faces that are on record were drawn again")
	}
	if r := out.Records[0]; r.Version != 9 || r.Patient != "kara" {
		t.Errorf("record %v", r)
	}
	w.wantHP("kara", 15) // nothing has happened yet
	w.happens(out)
	w.wantHP("kara", 20)
	if got := w.get(ann, "kara", 0).Creature.GetHp(); got != 20 {
		t.Errorf("ann knows of %d hit points", got)
	}
	w.refused(w.ruling("revert", nil, "kara"), fault.Illegal, "RULING_OF_FIGHTS")
	// A second ruling goes on from the first.
	out = w.rules(nil, stay(with(1)))
	wantBecame(t, "1 hit point", out, "kara 4 treat OTHERWISE", "kara 5 brood OTHERWISE", "kara 7 rest OTHERWISE") // nobody is asked any more
	w.happens(out)
	w.wantHP("kara", 11)
	if p := w.get(gm, "kara", 0); len(p.Decisions) > 0 {
		t.Errorf("questions are open: %v", p.Decisions)
	}
	w.settled()
	was, err := w.svc.ContentHash()
	if err != nil {
		t.Fatal(err)
	}
	w.stop()
	if err := rebuild(w); err != nil {
		t.Fatal(err)
	}
	w.start()
	w.settled()
	if is, err := w.svc.ContentHash(); err != nil || string(is) != string(was) {
		t.Errorf("rebuilt it is another: %v", err)
	}
}

// A deed that cannot be done any more stands in the way of the ruling and of what came
// after it, until the game master says of it, in that record, that it is dropped or
// stands. Once a face was drawn nothing is refused any more.
func TestADeedThatBecameIllegal(t *testing.T) {
	w := newWorld(t)
	w.enrol("kara", 20, "ann")
	stay := w.through("kara", 5)
	w.tape.script["treat"] = []int32{4}
	w.on("treat", "kara") // version 4
	w.harm("kara", 1)     // 5: 8
	noKit := stay(func(c *eventv1.Creature) { delete(c.Counters, "kit") })
	of := func(o *eventv1.Onward) func(*injuryv1.PrepareRulingRequest) {
		return func(r *injuryv1.PrepareRulingRequest) { r.Onward = []*eventv1.Onward{o} }
	}
	for _, c := range []struct {
		name   string
		change func(*injuryv1.PrepareRulingRequest)
		want   []string
		hp     string
	}{
		{"nothing said", nil, []string{"kara 4 treat ILLEGAL NO_KIT"}, ""},
		{"another version dropped", of(&eventv1.Onward{Patient: "kara", DropIllegal: []uint64{5}, ForceIllegal: []uint64{5}}), []string{"kara 4 treat ILLEGAL NO_KIT"}, ""},
		{"dropped in another record", of(&eventv1.Onward{Patient: "wim", DropIllegal: []uint64{4}, ForceIllegal: []uint64{4}}), []string{"kara 4 treat ILLEGAL NO_KIT"}, ""},
		{"dropped", of(&eventv1.Onward{Patient: "kara", DropIllegal: []uint64{4}}), []string{"kara 4 treat DROPPED NO_KIT", "kara 5 harm OTHERWISE"}, "8 -> 4"},
		{"forced", of(&eventv1.Onward{Patient: "kara", ForceIllegal: []uint64{4}}), []string{"kara 4 treat STANDS NO_KIT"}, ""}, // and leads on as it did
		{"a face was drawn", func(r *injuryv1.PrepareRulingRequest) { r.Drew = true }, []string{"kara 4 treat DROPPED NO_KIT", "kara 5 harm OTHERWISE"}, "8 -> 4"},
	} {
		out := w.rules(c.change, noKit)
		wantBecame(t, c.name, out, c.want...)
		if got := changed(out)["kara hp"]; len(c.want) > 1 && got != c.hp {
			t.Errorf("%s: hit points %q, want %q", c.name, got, c.hp)
		}
		if d := out.Deeds[0]; !strings.Contains(d.Message, "no kit is left") {
			t.Errorf("%s: says %q", c.name, d.Message)
		}
	}
	// What a ruling lets stand stands in the next one as well, without being told again.
	w.happens(w.rules(of(&eventv1.Onward{Patient: "kara", ForceIllegal: []uint64{4}}), noKit))
	noKit.Creature.Counters["wounds"] = 1
	wantBecame(t, "the next ruling", w.rules(nil, noKit), "kara 4 treat STANDS NO_KIT", "kara 5 harm SAME")
	noKit.Creature.Counters["kit"] = 1
	wantBecame(t, "with a kit again", w.rules(nil, noKit), "kara 4 treat OTHERWISE", "kara 5 harm SAME") // the last kit is used
}

// What a deed newly asks waits for the game master's answer, in that record; with
// defaults taken, what has one is answered so. A dry run says what would be rolled, with
// faces of its own and the odds.
func TestADeedThatNewlyAsks(t *testing.T) {
	w := newWorld(t)
	w.enrol("kara", 40, "ann")
	stay := w.through("kara", 5)
	w.on("brood", "kara") // version 4: nothing is asked of 5
	w.on("doze", "kara")  // 5
	w.harm("kara", 1)     // 6
	more := stay(with(20))
	dry := func(change func(*injuryv1.PrepareRulingRequest)) func(*injuryv1.PrepareRulingRequest) {
		return func(r *injuryv1.PrepareRulingRequest) {
			r.Purpose = dicev1.Purpose_PURPOSE_PREVIEW
			if change != nil {
				change(r)
			}
		}
	}
	out := w.rules(dry(nil), more)
	wantBecame(t, "nothing said", out, "kara 4 brood ASKS")
	brood := out.Deeds[0].Decisions
	if len(brood) != 1 || brood[0].Name != "brood" {
		t.Fatalf("asks %v", brood)
	}
	out = w.rules(dry(func(r *injuryv1.PrepareRulingRequest) { r.TakeDefaults = true }), more)
	wantBecame(t, "defaults are taken", out, "kara 4 brood OTHERWISE", "kara 5 doze ASKS") // of how long to doze there is none
	doze := out.Deeds[1].Decisions
	if len(doze) != 1 || doze[0].Name != "doze" {
		t.Fatalf("asks %v", doze)
	}
	says := func(patient, option string, number int32) func(*injuryv1.PrepareRulingRequest) {
		return func(r *injuryv1.PrepareRulingRequest) {
			r.Onward = []*eventv1.Onward{{Patient: patient, Resolve: []*eventv1.AnswerDecision{{Decision: "other"},
				{Decision: brood[0].Id, Answer: &eventv1.Answer{Option: option}}, {Decision: doze[0].Id, Answer: &eventv1.Answer{Number: number}}}}}
		}
	}
	wantBecame(t, "answered of another record", w.rules(dry(says("wim", "yes", 1)), more), "kara 4 brood ASKS")
	_, err := w.ruled(dry(says("kara", "perhaps", 1)), more)
	w.field(err, "command.amend.onward.resolve")
	_, err = w.ruled(dry(says("kara", "yes", 9)), more)
	w.field(err, "command.amend.onward.resolve")

	w.tape.script["doze"] = []int32{7}
	w.tape.drawn = nil
	out = w.rules(dry(says("kara", "yes", 2)), more)
	wantBecame(t, "a dry run with answers", out, "kara 4 brood OTHERWISE", "kara 5 doze OTHERWISE", "kara 6 harm OTHERWISE")
	fresh := out.Deeds[1].Fresh
	if len(fresh) != 2 || out.Drew {
		t.Fatalf("would roll %v, drew %v", fresh, out.Drew)
	}
	for i, f := range fresh {
		if f.Label != "doze" || f.Index != uint32(i) || f.Creature != "kara" || f.Reason != "doze" || f.Expression != "1d8" || !slices.Equal(f.Faces, []int32{7}) || len(f.Odds) != 2 {
			t.Errorf("roll %d would be %v", i, f)
		}
	}
	for _, d := range w.tape.drawn {
		if d.Purpose != dicev1.Purpose_PURPOSE_PREVIEW {
			t.Errorf("a dry run draws %v", d)
		}
	}
	if got := changed(out)["kara hp"]; got != "4 -> 32" { // 20, 1 less, twice 7, 1 less
		t.Errorf("hit points %s", got)
	}
	// With a face drawn a question that has no default is not put any more: the deed stands.
	out = w.rules(func(r *injuryv1.PrepareRulingRequest) { r.Drew = true }, more)
	wantBecame(t, "a face was drawn", out, "kara 4 brood OTHERWISE", "kara 5 doze STANDS", "kara 6 harm OTHERWISE")
	// Nor is a wrong answer refused: it counts as none.
	out = w.rules(func(r *injuryv1.PrepareRulingRequest) { says("kara", "perhaps", 9)(r); r.Drew = true }, more)
	wantBecame(t, "wrong answers once a face was drawn", out, "kara 4 brood STANDS", "kara 5 doze STANDS", "kara 6 harm OTHERWISE")

	w.tape.drawn = nil
	out = w.rules(says("kara", "no", 1), more)
	if len(w.tape.drawn) != 1 || w.tape.drawn[0].Purpose != dicev1.Purpose_PURPOSE_REAL || !out.Drew || len(out.Deeds[1].Fresh) > 0 {
		t.Errorf("for real: %v, drew %v, %v", w.tape.drawn, out.Drew, out.Deeds[1].Fresh)
	}
	w.happens(out)
	w.wantHP("kara", 26) // 20, 7, 1 less
	// What was answered by a ruling is on record: it is neither asked nor rolled again.
	w.tape.drawn = nil
	more.Creature.Hp = proto.Int32(30)
	out = w.rules(nil, more)
	wantBecame(t, "another ruling", out, "kara 4 brood SAME", "kara 5 doze OTHERWISE", "kara 6 harm OTHERWISE")
	if len(w.tape.drawn) > 0 || changed(out)["kara hp"] != "26 -> 36" {
		t.Errorf("another ruling draws %v and changes %v", w.tape.drawn, changed(out))
	}
}
