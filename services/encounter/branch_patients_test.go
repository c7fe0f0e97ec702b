package encounter_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/attest"
	"github.com/skaldrpg/skald/pkg/branch"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
	"github.com/skaldrpg/skald/services/injury"
)

// mortal is a log whose writer dies: at part so many of a patient's branch, or at the
// batch that would name it.
type mortal struct {
	journal.Log
	atPart atomic.Int32 // 1 for the first; 0 for none
	atEnd  atomic.Bool
	parts  atomic.Int32
}

func (f *mortal) Append(ctx context.Context, m journal.Message) (uint64, error) {
	if strings.Contains(m.Subject, ".patient.@branch.") {
		if f.parts.Add(1) == f.atPart.Load() {
			return 0, journal.ErrUnavailable
		}
	}
	return f.Log.Append(ctx, m)
}

func (f *mortal) AppendAtomic(ctx context.Context, ms []journal.Message) ([]uint64, error) {
	if f.atEnd.Load() {
		return nil, journal.ErrUnavailable
	}
	return f.Log.AppendAtomic(ctx, ms)
}

// ward is an injury service on a log, as its test reads it.
type ward struct {
	cfg injury.Config
	svc *injury.Service
	injuryv1.PatientRecordServiceClient
}

// injuryWith has the world's fights and callers go to an injury service on a folder of its
// own, whose rulings have so many bytes in a Commit.
func (w *world) injuryWith(log journal.Log, inline int) *ward {
	w.t.Helper()
	cfg := injury.Config{Journal: log, Dice: w.dice, Systems: w.systems, DataDir: w.t.TempDir(), Logger: quiet, InlineBytes: inline}
	is, err := injury.New(w.t.Context(), cfg)
	if err != nil {
		w.t.Fatal(err)
	}
	conn := peer(w.t, is, w.overGRPC)
	w.injury, w.records = injuryv1.NewAssessmentServiceClient(conn), injuryv1.NewInjuryServiceClient(conn)
	return &ward{cfg: cfg, svc: is, PatientRecordServiceClient: injuryv1.NewPatientRecordServiceClient(conn)}
}

// rebuilt holds the projection against one that is made from nothing.
func (x *ward) rebuilt(t *testing.T, w *world, what string) {
	t.Helper()
	info, err := w.journal.Info(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := x.svc.WaitFor(t.Context(), info.LastSeq); err != nil {
		t.Fatal(err)
	}
	was, err := x.svc.ContentHash()
	if err != nil {
		t.Fatal(err)
	}
	other := w.injuryFresh(info.LastSeq)
	now, err := other.ContentHash()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(was, now) {
		t.Errorf("%s: a projection from nothing is another", what)
	}
}

// injuryFresh is another injury service from nothing, once it has all up to a sequence.
func (w *world) injuryFresh(seq uint64) *injury.Service {
	w.t.Helper()
	is, err := injury.New(w.t.Context(), injury.Config{Journal: w.journal, Dice: w.dice, Systems: w.systems, DataDir: w.t.TempDir(), Logger: quiet})
	if err != nil {
		w.t.Fatal(err)
	}
	peer(w.t, is, w.overGRPC)
	if err := is.WaitFor(w.t.Context(), seq); err != nil {
		w.t.Fatal(err)
	}
	return is
}

// partsOf are the parts of each branch of a patient's record.
func (w *world) partsOf(patient string) map[string][][]byte {
	w.t.Helper()
	out := map[string][][]byte{}
	err := w.journal.Read(w.t.Context(), "skald.0.main.patient.@branch."+patient+".*", 1, 0, func(rec journal.Record) error {
		b, ok := journal.SplitBranch(rec.Subject)
		if !ok || b.Kind != "patient" || b.ID != patient || b.Table != "main" {
			w.t.Errorf("subject %s", rec.Subject)
		}
		out[b.Name] = append(out[b.Name], bytes.Clone(rec.Data))
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return out
}

// rulingsIn are the rulings in a patient's record, as stored.
func (w *world) rulingsIn(patient string) (out []*eventv1.Amended) {
	w.t.Helper()
	err := w.journal.Read(w.t.Context(), "skald.0.main.patient."+patient, 1, 0, func(rec journal.Record) error {
		o, err := event.Open(rec.Data)
		if err != nil {
			return err
		}
		for _, e := range o.Events {
			if am := e.GetAmended(); am != nil {
				out = append(out, am)
			}
		}
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return out
}

// longRecord plays a fight, much that is done to its patient after it, and another fight;
// it returns the hit that is taken away by rulings, one more in the first fight, and one
// in the other.
func (c *campaign) longRecord(deeds int) (first, second, later uint64) {
	c.t.Helper()
	c.begin("e", "c", "d")
	first = c.hits("e", "c")
	second = c.hit("e", "c")
	c.end("e")
	for i := range deeds {
		c.tend([]string{"rest", "mend"}[boolInt(i == 0)], "", "c") // more mending would leave no wound
	}
	c.begin("f", "c")
	later = c.hit("f", "c")
	c.end("f")
	c.tend("rest", "", "c")
	return first, second, later
}

func dropped(version uint64) *eventv1.Command {
	return amendCmd(&eventv1.AmendCommand{Version: version, Drop: true, Reason: "there was cover"})
}

// A ruling's part in a record that its Commit cannot hold stands on a branch of that
// record: it comes out as one that the Commit holds, goes back and counts again, and
// another ruling goes on from the midst of it.
func TestARecordsPartOnABranch(t *testing.T) {
	w := newWorld(t)
	x := w.injuryWith(w.journal, 400)
	c := newCampaignIn(t, w)
	first, second, later := c.longRecord(24)
	was := c.all("e", "f")
	dry := c.dryRun("e", dropped(first))
	if len(dry.Troubles) > 0 || len(w.partsOf("c")) > 0 {
		t.Fatalf("the dry run: %v, %d branches", dry.Troubles, len(w.partsOf("c")))
	}
	c.do(gm, "e", dropped(first))
	now := c.all("e", "f")
	if c.hp("c") <= was["patient c"].(*injuryv1.Patient).Creature.GetHp() {
		t.Error("the hit that is gone gives nothing back")
	}
	for _, r := range dry.Onward {
		for _, ch := range r.Changes {
			if r.Kind == encounterv1.Consequence_KIND_RECORD && ch.Path == "hp" && ch.After != fmt.Sprint(c.hp(r.Patient)) {
				t.Errorf("the dry run said %s, it is %d", ch.After, c.hp(r.Patient))
			}
		}
	}
	all, branches := w.rulingsIn("c"), w.partsOf("c")
	if len(all) != 1 || len(branches) != 1 {
		t.Fatalf("%d rulings, %d branches", len(all), len(branches))
	}
	am := all[0]
	if got := len(branches[am.Branch]); got < 3 || uint32(got) != am.Parts || len(am.Commands) > 0 || am.Count < 24 {
		t.Errorf("%d parts; the Commit says %v", got, am)
	}
	x.rebuilt(t, w, "ruled")
	c.do(gm, "f", lastCmd)
	c.same("taken back", was, c.all("e", "f"))
	c.do(gm, "e", redoCmd)
	c.same("made again", now, c.all("e", "f"))
	if len(w.partsOf("c")) != 1 {
		t.Error("going back and again writes branches")
	}
	c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: second}))
	c.same("amended without a change", now, c.all("e", "f"))
	x.rebuilt(t, w, "taken back and made again")
	// A ruling that begins in the midst of the branch takes on what is before it there.
	c.tend("mend", "", "c")
	before := c.hp("c")
	c.do(gm, "f", dropped(later))
	all, branches = w.rulingsIn("c"), w.partsOf("c")
	last := all[len(all)-1]
	if len(branches) != 2 || last.Base != am.Base || last.Count <= am.Count || len(branches[last.Branch]) != int(last.Parts) {
		t.Errorf("the second of %d branches: %v, behind %v", len(branches), last, am)
	}
	if c.hp("c") <= before {
		t.Errorf("the second ruling leaves %d hit points, there were %d", c.hp("c"), before)
	}
	x.rebuilt(t, w, "ruled twice")
	c.do(gm, "f", lastCmd)
	if c.hp("c") != before {
		t.Errorf("taken back: %d hit points, there were %d", c.hp("c"), before)
	}
	// A branch that is gone closes the patient, and nobody else.
	if err := w.journal.Purge(t.Context(), "skald.0.main.patient.@branch.c.>"); err != nil {
		t.Fatal(err)
	}
	w.injuryWith(w.journal, 0)
	for id, want := range map[string]string{"c": "RECORD_BROKEN", "d": ""} {
		if _, err := w.records.GetPatient(t.Context(), &injuryv1.GetPatientRequest{Patient: id, As: gm}); reason(err) != want {
			t.Errorf("patient %s: %v", id, err)
		}
	}
}

// What the Commits of one ruling hold of records together is bounded: with each of them
// within the limit, and all of them not, the last ones go to branches.
func TestRecordsThatAreLongTogether(t *testing.T) {
	rule := func(inline int) (sizes []int, w *world) {
		w = newWorld(t)
		x := w.injuryWith(w.journal, inline)
		c := newCampaignIn(t, w)
		c.begin("e", "c", "d")
		hit := c.hit("e", "c")
		c.end("e")
		c.tend("mend", "d", "c") // a kit of d's, which it has still when c is unhurt
		for range 8 {
			c.tend("rest", "", "c")
			c.tend("rest", "", "d")
		}
		was := c.all("e")
		c.do(gm, "e", dropped(hit))
		for _, id := range []string{"c", "d"} {
			sizes = append(sizes, proto.Size(w.rulingsIn(id)[0]))
		}
		x.rebuilt(t, w, "ruled")
		c.do(gm, "e", lastCmd)
		c.same("taken back", was, c.all("e"))
		return sizes, w
	}
	sizes, w := rule(0)
	if len(w.partsOf("c"))+len(w.partsOf("d")) > 0 {
		t.Fatal("short parts stand on branches")
	}
	if _, w = rule(max(sizes[0], sizes[1]) + 50); len(w.partsOf("c")) != 0 || len(w.partsOf("d")) != 1 {
		t.Errorf("of %v bytes %d and %d stand on branches", sizes, len(w.partsOf("c")), len(w.partsOf("d")))
	}
}

// Who dies at a part of a branch, or before the batch that names it, has changed nothing
// in any record; the same command, given again, writes another branch.
func TestDeathBehindAPatientsBranch(t *testing.T) {
	for _, at := range []int32{1, 2, 0} {
		w := newWorld(t)
		log := &mortal{Log: w.journal}
		w.log = log
		x := w.injuryWith(log, 400)
		c := newCampaignIn(t, w)
		first, _, _ := c.longRecord(12)
		was := c.all("e", "f")
		log.atPart.Store(at)
		log.atEnd.Store(at == 0)
		req := &encounterv1.ExecuteRequest{RequestId: "again", As: gm, Encounter: "e", Command: dropped(first)}
		if _, err := c.Execute(t.Context(), req); code(err) != fault.Unavailable {
			t.Fatalf("at %d: %v", at, err)
		}
		left := w.partsOf("c")
		if n := len(left); n != min(1, int(log.parts.Load())-boolInt(at > 0)) {
			t.Errorf("at %d: %d branches after %d parts", at, n, log.parts.Load())
		}
		c.same("nothing was ruled", was, c.all("e", "f"))
		if len(w.rulingsIn("c")) > 0 {
			t.Error("a ruling was stored")
		}
		x.rebuilt(t, w, "parts that nobody names")
		log.atPart.Store(0)
		log.atEnd.Store(false)
		c.stop() // the encounter service dies as well
		c.client = w.replica(t.TempDir(), log)
		if _, err := c.Execute(t.Context(), req); err != nil {
			t.Fatalf("at %d, given again: %v", at, err)
		}
		am := w.rulingsIn("c")
		if len(am) != 1 || left[am[0].Branch] != nil {
			t.Errorf("at %d: rulings %v after a branch that died", at, am)
		}
		x.rebuilt(t, w, "given again")
		now := c.all("e", "f")
		c.do(gm, "e", lastCmd)
		c.same("taken back", was, c.all("e", "f"))
		c.do(gm, "e", redoCmd)
		c.same("made again", now, c.all("e", "f"))
	}
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// wide is a sheet of a hundred and fifty kilobytes.
func wide(id, word string) *eventv1.Sheet {
	s := &eventv1.Sheet{Id: id, Name: id, Side: id, HitPoints: 100}
	for range 300 {
		s.Feats = append(s.Feats, word+strings.Repeat("x", 500))
	}
	return s
}

// At the limits as they are, over gRPC: a ruling whose part in one record takes more than
// any message is made, read by everybody in pieces, explained, exported and taken back.
func TestARecordsPartBeyondAMessage(t *testing.T) {
	w := newWorldOver(t, true)
	x := w.injuryWith(w.journal, 0)
	c := newCampaignIn(t, w)
	c.begin("e", "c")
	first := c.hits("e", "c")
	c.end("e")
	const edits = 40
	for i := range edits {
		if _, err := w.records.Tend(t.Context(), &injuryv1.TendRequest{RequestId: "edit " + fmt.Sprint(i), As: gm, Command: &eventv1.Command{
			What: &eventv1.Command_Patient{Patient: &eventv1.PatientCommand{Deed: "edit", Patients: []string{"c"}, Sheet: wide("c", fmt.Sprint(i))}}}}); err != nil {
			t.Fatal(err)
		}
	}
	was := c.all("e")
	dry := c.dryRun("e", dropped(first))
	if len(dry.Troubles) > 0 || len(dry.Onward) != edits+1 {
		t.Fatalf("the dry run: %v, %d consequences", dry.Troubles, len(dry.Onward))
	}
	c.do(gm, "e", dropped(first))
	now := c.all("e")
	am := w.rulingsIn("c")[0]
	held := 0
	for i, data := range w.partsOf("c")[am.Branch] {
		held += len(data)
		if p, err := branch.Read(data); err != nil || int(p.Part) != i {
			t.Errorf("part %d: %v, %v", i, p.GetPart(), err)
		}
	}
	if held < 10<<20 || am.Parts < 5 {
		t.Fatalf("%d parts of %d bytes", am.Parts, held)
	}
	for _, as := range []*eventv1.Principal{gm, spectator} {
		entry, pieces := c.lastEntry(as)
		data := c.lastBytes(as, entry.Number)
		whole := event.Canonical(&injuryv1.HistoryEntry{Encounter: entry.Encounter, Deed: entry.Deed, UnixMillis: entry.UnixMillis, Events: entry.Events})
		if !bytes.Equal(data, whole) {
			t.Errorf("%v: the transcript's bytes are %d, those of the entry %d", as, len(data), len(whole))
		}
		if as == gm && (pieces < 4 || len(entry.Events) < edits) {
			t.Errorf("%d events in %d pieces", len(entry.Events), pieces)
		}
		if lines := x.explained(t, as, entry.Number); lines != len(entry.Events) {
			t.Errorf("%v: %d events are explained of %d", as, lines, len(entry.Events))
		}
		if as == gm {
			continue
		}
		var exported []byte
		for _, line := range x.exported(t, as, "c") {
			if e := line.GetEntry(); e.GetNumber() == entry.Number {
				exported = append(exported, e.Bytes...)
			}
		}
		if !bytes.Equal(exported, whole) {
			t.Errorf("%v: exported are %d bytes of %d", as, len(exported), len(whole))
		}
	}
	parts := 0
	for _, line := range x.exported(t, gm, "c") {
		if p := line.GetPart(); p != nil && p.Patient == "c" && p.Encounter == "" && p.Branch == am.Branch {
			parts++
		}
	}
	if parts != int(am.Parts) {
		t.Errorf("%d parts are exported of %d", parts, am.Parts)
	}
	x.rebuilt(t, w, "ruled")
	c.do(gm, "e", lastCmd)
	c.same("taken back", was, c.all("e"))
	c.do(gm, "e", redoCmd)
	c.same("made again", now, c.all("e"))
}

// lastEntry reads a history to its end and puts the pieces of its last entry together.
func (c *campaign) lastEntry(as *eventv1.Principal) (last *injuryv1.HistoryEntry, pieces int) {
	c.t.Helper()
	req := &injuryv1.GetPatientHistoryRequest{Patient: "c", As: as}
	for {
		resp, err := c.w.records.GetPatientHistory(c.t.Context(), req)
		if err != nil {
			c.t.Fatal(err)
		}
		for _, e := range resp.Entries {
			if pieces++; last.GetNumber() == e.Number {
				last.Events = append(last.Events, e.Events...)
			} else {
				last, pieces = e, 1
			}
			if e.More {
				req.After, req.AfterEvents = e.Number-1, uint32(len(last.Events))
			} else {
				req.After, req.AfterEvents = e.Number, 0
			}
		}
		if !resp.More {
			break
		}
	}
	if _, err := c.w.records.GetPatientHistory(c.t.Context(), &injuryv1.GetPatientHistoryRequest{Patient: "c", As: as, After: last.Number - 1,
		AfterEvents: uint32(len(last.Events)) + 1}); field(err) != "after_events" {
		c.t.Errorf("behind the end: %v", err)
	}
	return last, pieces
}

// lastBytes puts the bytes of a step of the patient's transcript together and holds them
// against its digest.
func (c *campaign) lastBytes(as *eventv1.Principal, number uint64) (data []byte) {
	c.t.Helper()
	for {
		resp, err := c.GetTranscript(c.t.Context(), &encounterv1.GetTranscriptRequest{As: as, Patient: "c", After: number - 1, WithBytes: true, AfterBytes: uint64(len(data))})
		if err != nil {
			c.t.Fatal(err)
		}
		step := resp.Steps[0]
		if data = append(data, step.Bytes...); step.More && resp.More {
			continue
		}
		if step.More || !bytes.Equal(step.Digest, attest.Digest(data)) {
			c.t.Errorf("step %d: %d bytes are not those of its digest", step.Number, len(data))
		}
		return data
	}
}

// explained counts the events of an entry that are explained.
func (x *ward) explained(t *testing.T, as *eventv1.Principal, entry uint64) (events int) {
	t.Helper()
	for {
		resp, err := x.ExplainDeed(t.Context(), &injuryv1.ExplainDeedRequest{As: as, Patient: "c", Entry: entry, AfterEvents: uint32(events)})
		if err != nil {
			t.Fatal(err)
		}
		if events += len(resp.Events); !resp.More {
			return events
		}
	}
}

func (x *ward) exported(t *testing.T, as *eventv1.Principal, patient string) (out []*injuryv1.RecordLine) {
	t.Helper()
	stream, err := x.ExportPatient(t.Context(), &injuryv1.ExportPatientRequest{As: as, Patient: patient})
	if err != nil {
		t.Fatal(err)
	}
	for {
		resp, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		if proto.Size(resp) > 4<<20 {
			t.Errorf("a line of %d bytes", proto.Size(resp))
		}
		out = append(out, resp.Line)
	}
}
