package aggregate_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/journal/memjournal"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/projection"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

var (
	quiet = slog.New(slog.NewTextHandler(io.Discard, nil))
	fight = aggregate.Name{Table: "t", Kind: aggregate.Encounter, ID: "e"}
	ann   = &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: "ann"}
)

// zeros is a source of salts.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

var sealer = aggregate.Sealer{Partition: 3, Engine: "1", Clock: func() time.Time { return time.UnixMilli(7) }, Random: zeros{}}

func seal(t testing.TB, h aggregate.Head, note string) journal.Message {
	t.Helper()
	m, err := sealer.Seal(fight, h, "toy", "2", event.Draft{Cause: &eventv1.CommitCause{Command: []byte(note)}, Inputs: &eventv1.CommitInputs{}})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func stored(m journal.Message, seq uint64) journal.Record {
	return journal.Record{Subject: m.Subject, Seq: seq, ID: m.ID, Data: m.Data}
}

func TestNames(t *testing.T) {
	subject, err := fight.Subject(3)
	if err != nil || subject != "skald.3.t.encounter.e" || !journal.Matches(aggregate.Encounter.Filter(3), subject) {
		t.Errorf("subject %q, %v", subject, err)
	}
	if back, ok := aggregate.Parse(subject); !ok || back != fight {
		t.Errorf("read back %v", back)
	}
	for _, bad := range []aggregate.Name{{}, {Table: "t", Kind: aggregate.Dice}, {Table: "a.b", Kind: aggregate.Dice, ID: "e"}, {Table: "t", Kind: aggregate.Dice, ID: "*"}} {
		if s, err := bad.Subject(0); !fault.Is(err, fault.Invalid) {
			t.Errorf("%v became %q, %v", bad, s, err)
		}
	}
	for _, bad := range []string{"", "skald.0.t.dice", "skald.0.t.dice.e.f", "other.0.t.dice.e"} {
		if n, ok := aggregate.Parse(bad); ok {
			t.Errorf("%q became %v", bad, n)
		}
	}
	if !aggregate.Patient.Commits() || aggregate.Dice.Commits() || aggregate.Kind("lost").Commits() {
		t.Error("the wrong kinds hold Commits")
	}
	if bytes.Equal(aggregate.Name{Table: "a", ID: "bc"}.Key(), aggregate.Name{Table: "ab", ID: "c"}.Key()) || !bytes.HasPrefix(fight.Key(uint64(1)), fight.Key()) {
		t.Error("keys collide, or are not together")
	}
}

func TestSealAndOpen(t *testing.T) {
	first := seal(t, aggregate.Head{}, "a")
	n, c, err := aggregate.Open(stored(first, 5))
	if err != nil || n != fight || c.Header.Version != 1 || c.Header.System != "toy" || c.Header.UnixMillis != 7 || first.Expected != 0 {
		t.Fatalf("%v %v %v", n, c, err)
	}
	head := aggregate.Head{}.Then(5, c.Hash)
	second := seal(t, head, "b")
	_, c2, err := aggregate.Open(stored(second, 9))
	if err != nil || second.Expected != 5 || head.Next(c2.Header.Version, c2.Header.PreviousHash) != nil {
		t.Fatalf("the second does not follow: %+v, %v", c2, err)
	}
	for name, wrong := range map[string]error{
		"repeated":   head.Next(1, nil),
		"left out":   head.Next(3, head.Hash),
		"other hash": head.Next(2, []byte("x")),
		"of nothing": aggregate.Head{}.Next(2, nil),
	} {
		if !aggregate.Broken(wrong) {
			t.Errorf("%s: %v", name, wrong)
		}
	}
	withheld, err := event.Redact(first.Data, func(int) bool { return false })
	if err != nil {
		t.Fatal(err)
	}
	change := func(fn func(*journal.Record)) journal.Record {
		r := stored(first, 5)
		r.Data = bytes.Clone(r.Data)
		fn(&r)
		return r
	}
	for name, rec := range map[string]journal.Record{
		"another's subject": change(func(r *journal.Record) { r.Subject = "skald.3.t.encounter.f" }),
		"another kind":      change(func(r *journal.Record) { r.Subject = "skald.3.t.patient.e" }),
		"no Commits":        change(func(r *journal.Record) { r.Subject = "skald.3.t.dice.e" }),
		"no subject":        change(func(r *journal.Record) { r.Subject = "x" }),
		"another id":        change(func(r *journal.Record) { r.ID = "x" }),
		"an altered byte":   change(func(r *journal.Record) { r.Data[len(r.Data)/2] ^= 1 }),
		"withheld parts":    change(func(r *journal.Record) { r.Data = withheld }),
		"junk":              change(func(r *journal.Record) { r.Data = []byte{0xff} }),
	} {
		if _, _, err := aggregate.Open(rec); !aggregate.Broken(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A guard lets one of two through; who lost it is told what won.
func TestAppend(t *testing.T) {
	mem := memjournal.New(memjournal.Options{})
	log := aggregate.Over(mem, 3)
	first := seal(t, aggregate.Head{}, "a")
	seqs, err := log.Append(t.Context(), first)
	if err != nil || len(seqs) != 1 {
		t.Fatal(seqs, err)
	}
	_, err = log.Append(t.Context(), seal(t, aggregate.Head{}, "b"))
	var lost *journal.ConflictError
	if f, _ := fault.As(err); f == nil || f.Code != fault.Conflict || f.Reason != aggregate.LostRace || !errors.As(err, &lost) {
		t.Errorf("a lost race answers %v", err)
	}
	head := aggregate.Head{}.Then(seqs[0], aggregate.CommitHash(first.Data))
	// Both or none: the second guard does not hold.
	other := seal(t, aggregate.Head{}, "c")
	other.Subject, other.Expected = "skald.3.t.patient.p", 99
	if _, err := log.Append(t.Context(), seal(t, head, "d"), other); !fault.Is(err, fault.Conflict) {
		t.Errorf("got %v", err)
	}
	if last, err := log.Last(t.Context(), fight); err != nil || last != seqs[0] {
		t.Errorf("ends at %d, %v", last, err)
	}
	other.Expected = 0
	if seqs, err = log.Append(t.Context(), seal(t, head, "d"), other); err != nil || len(seqs) != 2 {
		t.Fatal(seqs, err)
	}
	if end, err := log.End(t.Context()); err != nil || end != seqs[1] {
		t.Errorf("the stream ends at %d, %v", end, err)
	}
	own := errors.New("own")
	var got []uint64
	at, err := log.Read(t.Context(), fight, 0, func(rec journal.Record) error {
		if got = append(got, rec.Seq); len(got) == 2 {
			return own
		}
		return nil
	})
	if !errors.Is(err, own) || at != seqs[0] || len(got) != 2 {
		t.Errorf("read %v up to %d, %v", got, at, err)
	}
}

// failing is a log whose every answer is an error.
type failing struct {
	journal.Log
	err error
}

func (f failing) Append(context.Context, journal.Message) (uint64, error) { return 0, f.err }
func (f failing) Last(context.Context, string) (journal.Record, bool, error) {
	return journal.Record{}, false, f.err
}
func (f failing) Read(context.Context, string, uint64, uint64, func(journal.Record) error) error {
	return f.err
}

// Whatever the store says, a service answers the same to it.
func TestEveryErrorOfTheStore(t *testing.T) {
	for _, c := range []struct {
		err    error
		code   fault.Code
		reason string
	}{
		{journal.ErrFull, fault.Exhausted, aggregate.StoreFull},
		{journal.ErrUnavailable, fault.Unavailable, aggregate.StoreUnavailable},
		{journal.ErrUnknownOutcome, fault.Unavailable, aggregate.StoreUnavailable},
		{journal.ErrInvalid, fault.Internal, "STORE"},
		{errors.New("a word that nobody knows"), fault.Unavailable, aggregate.StoreUnavailable},
	} {
		log := aggregate.Over(failing{err: c.err}, 0)
		_, append_ := log.Append(t.Context(), journal.Message{})
		_, last := log.Last(t.Context(), fight)
		_, read := log.Read(t.Context(), fight, 0, nil)
		for what, err := range map[string]error{"append": append_, "last": last, "read": read,
			"compare": log.Compare(t.Context(), fight, aggregate.Head{}, aggregate.CommitHash)} {
			if f, _ := fault.As(err); f == nil || f.Code != c.code || f.Reason != c.reason || !errors.Is(err, c.err) {
				t.Errorf("%v: %s answers %v", c.err, what, err)
			}
		}
	}
	log := aggregate.Over(failing{err: context.Canceled}, 0)
	if _, err := log.Last(t.Context(), fight); !errors.Is(err, context.Canceled) || fault.Is(err, fault.Unavailable) {
		t.Errorf("the end of a context became %v", err)
	}
}

// altering gives other bytes than were stored.
type altering struct {
	journal.Log
	on bool
}

func (a *altering) Last(ctx context.Context, subject string) (journal.Record, bool, error) {
	rec, ok, err := a.Log.Last(ctx, subject)
	if a.on && ok {
		rec.Data = bytes.Clone(rec.Data)
		rec.Data[len(rec.Data)-1] ^= 1
	}
	return rec, ok, err
}

func TestAlteredRecords(t *testing.T) {
	under := &altering{Log: memjournal.New(memjournal.Options{})}
	log := aggregate.Over(under, 3)
	m := seal(t, aggregate.Head{}, "a")
	seqs, err := log.Append(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	head := aggregate.Head{}.Then(seqs[0], aggregate.CommitHash(m.Data))
	at := func(h aggregate.Head) func(uint64) (aggregate.Head, error) {
		return func(sequence uint64) (aggregate.Head, error) {
			if sequence != seqs[0] {
				t.Errorf("asked to fold up to %d", sequence)
			}
			return h, nil
		}
	}
	log = aggregate.Over(under, 3) // one that has not appended it itself
	if err := log.CatchUp(t.Context(), fight, aggregate.CommitHash, at(head)); err != nil {
		t.Error(err)
	}
	log, under.on = aggregate.Over(under, 3), true
	var altered *journal.AlteredError
	for what, err := range map[string]error{
		"compare":    log.Compare(t.Context(), fight, head, aggregate.CommitHash),
		"comparing":  log.Comparing(t.Context(), fight, head, aggregate.CommitHash)(),
		"catch up":   log.CatchUp(t.Context(), fight, aggregate.CommitHash, at(head)),
		"plain hash": log.Compare(t.Context(), fight, aggregate.Head{}.Then(seqs[0], aggregate.PlainHash(m.Data)), aggregate.PlainHash),
	} {
		if !errors.As(err, &altered) || altered.Sequence != seqs[0] {
			t.Errorf("%s: %v", what, err)
		}
	}
	// What was never folded, or is closed, has nothing to be compared with.
	if err := log.CatchUp(t.Context(), fight, aggregate.CommitHash, at(aggregate.Head{})); err != nil {
		t.Error(err)
	}
	wrong := errors.New("wrong")
	if err := log.CatchUp(t.Context(), fight, aggregate.CommitHash, func(uint64) (aggregate.Head, error) { return head, wrong }); !errors.Is(err, wrong) {
		t.Errorf("got %v", err)
	}
}

func TestDecide(t *testing.T) {
	race := fault.Wrap(fault.Conflict, aggregate.LostRace, &journal.ConflictError{Subject: "s", Found: 7}, "lost")
	other := errors.New("other")
	for _, c := range []struct {
		name     string
		fails    int
		with     error
		lost     error
		attempts int
		err      error
	}{
		{"at once", 0, nil, nil, 1, nil},
		{"after races", 3, race, nil, 4, nil},
		{"too many races", 1 << 20, race, nil, limits.RaceAttempts, race},
		{"another error", 1, other, nil, 1, other},
		{"cannot catch up", 1, race, other, 1, other},
	} {
		attempts, caught := 0, 0
		out, err := aggregate.Decide(func() (int, error) {
			if attempts++; attempts <= c.fails {
				return 0, c.with
			}
			return attempts, nil
		}, func(lost *journal.ConflictError) error {
			if caught++; lost.Found != 7 || caught != attempts {
				t.Errorf("%s: told of %+v after %d attempts", c.name, lost, attempts)
			}
			return c.lost
		})
		if attempts != c.attempts || !errors.Is(err, c.err) || c.err == nil && (err != nil || out != attempts) {
			t.Errorf("%s: %d attempts, %d, %v", c.name, attempts, out, err)
		}
	}
}

func TestClosed(t *testing.T) {
	var said strings.Builder
	c := aggregate.NewClosed(slog.New(slog.NewTextHandler(&said, nil)), 3)
	if _, ok := c.Of(fight); ok {
		t.Error("closed from the beginning")
	}
	first := c.Add(fight, 4, errors.New("junk"), "more", "so")
	if again := c.Add(fight, 9, errors.New("other")); again.Sequence != 4 || again.Why != first.Why {
		t.Errorf("closed again by %+v", again)
	}
	c.Add(aggregate.Name{Table: "a", Kind: aggregate.Patient, ID: "p"}, 0, &journal.AlteredError{Subject: "s", Sequence: 6})
	all := c.All()
	if len(all) != 2 || all[0].Subject != "skald.3.a.patient.p" || all[0].Sequence != 6 || all[1].Subject != "skald.3.t.encounter.e" || all[1].Why != "junk" {
		t.Errorf("%+v", all)
	}
	if n := strings.Count(said.String(), "level=ERROR"); n != 2 || !strings.Contains(said.String(), "more=so") {
		t.Errorf("said %d times: %s", n, said.String())
	}
	is, _ := c.Of(fight)
	if err := fight.Broken(is); !fault.Is(err, fault.Broken) || !strings.Contains(err.Error(), "sequence 4") {
		t.Errorf("answers %v", err)
	}
}

func TestRequests(t *testing.T) {
	long := strings.Repeat("x", limits.IDBytes+1)
	for what, err := range map[string]error{
		"as.role":    aggregate.CheckPrincipal(&eventv1.Principal{}),
		"as.name":    aggregate.CheckPrincipal(&eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER}),
		"encounter":  aggregate.CheckID("encounter", long),
		"table":      second(aggregate.Table("a b")),
		"request_id": aggregate.CheckRequestID("a\nb"),
	} {
		if f, _ := fault.As(err); f == nil || f.Code != fault.Invalid || f.Violations[0].Field != what {
			t.Errorf("%s: %v", what, err)
		}
	}
	for _, err := range []error{aggregate.CheckPrincipal(ann), aggregate.CheckPrincipal(aggregate.Viewer(aggregate.ViewerGM)), aggregate.CheckID("x", "e-1_A"),
		aggregate.CheckRequestID(strings.Repeat("x", limits.RequestIDBytes)), second(aggregate.Table("")), aggregate.Repeats([]byte("a"), []byte("a"))} {
		if err != nil {
			t.Error(err)
		}
	}
	if err := aggregate.CheckPrincipal(&eventv1.Principal{Role: ann.Role, Name: " ann"}); err == nil {
		t.Error("a name that begins with a space")
	}
	if err := aggregate.CheckRequestID(""); err == nil {
		t.Error("no request id")
	}
	if f, _ := fault.As(aggregate.Repeats([]byte("a"), []byte("b"))); f == nil || f.Code != fault.Invalid || f.Reason != aggregate.ReasonReused {
		t.Errorf("reused: %v", f)
	}
	if aggregate.TableOr("") != aggregate.DefaultTable || aggregate.TableOr("x") != "x" {
		t.Error("tables")
	}
	for limit, want := range map[uint32]int{0: limits.PageDefault, 7: 7, 1 << 30: limits.PageMost} {
		if got := aggregate.Page(limit); got != want {
			t.Errorf("a page of %d has %d", limit, got)
		}
	}
	bob := proto.Clone(ann).(*eventv1.Principal)
	bob.Name = "bob"
	again := proto.Clone(ann).(*eventv1.Principal)
	if aggregate.RequestKey(ann, "x") == aggregate.RequestKey(bob, "x") || aggregate.RequestKey(ann, "x") != aggregate.RequestKey(again, "x") {
		t.Error("request ids of two players are one")
	}
	a, errA := aggregate.RequestDigest(ann)
	b, errB := aggregate.RequestDigest(bob)
	if errA != nil || errB != nil || bytes.Equal(a, b) {
		t.Errorf("digests %x %x, %v %v", a, b, errA, errB)
	}
}

func second(_ string, err error) error { return err }

func TestViewers(t *testing.T) {
	spectator := &eventv1.Principal{Role: eventv1.Principal_ROLE_SPECTATOR}
	for v, p := range map[string]*eventv1.Principal{
		// They are keys of what is stored: they never change.
		"gm": {Role: eventv1.Principal_ROLE_GM}, "spectator": spectator, "player/ann": ann,
	} {
		if got := aggregate.ViewerOf(p); got != v || !proto.Equal(aggregate.Viewer(v), p) {
			t.Errorf("%v is %q, which is %v", p, got, aggregate.Viewer(v))
		}
	}
	if got := aggregate.Viewer("player/"); !proto.Equal(got, spectator) {
		t.Errorf("nobody is %v", got)
	}
	secret, mine := event.Audible{}, event.Audible{Players: []string{"ann"}}
	if aggregate.Hears("spectator", mine) || !aggregate.Hears("player/ann", mine) || aggregate.Hears("player/ann", secret) || !aggregate.Hears("gm", secret) {
		t.Error("who hears what")
	}
}

// rows is a fold that stores each record's subject as a row, and reads it back.
type rows struct{ t *testing.T }

const bucket projection.Bucket = "rows"

func (rows) Buckets() []projection.Bucket { return []projection.Bucket{bucket} }

func (r rows) Apply(tx *projection.Tx, rec journal.Record) error {
	n, _ := aggregate.Parse(rec.Subject)
	if found, err := aggregate.Get(tx, bucket, n.Key(rec.Seq), &eventv1.Principal{}); found || err != nil {
		r.t.Errorf("%d is there already: %v", rec.Seq, err)
	}
	return aggregate.Put(tx, bucket, n.Key(rec.Seq), &eventv1.Principal{Name: rec.ID})
}

func TestRows(t *testing.T) {
	mem := memjournal.New(memjournal.Options{})
	for i, id := range []string{"a", "b", "c"} {
		subject := "skald.0.t.encounter.e"
		if id == "c" {
			subject += "2"
		}
		if _, err := mem.Append(t.Context(), journal.Message{Subject: subject, ID: id, Data: []byte{1}, Expected: uint64(i % 2)}); err != nil {
			t.Fatal(err)
		}
	}
	p, err := projection.Open(t.Context(), projection.Config{Path: filepath.Join(t.TempDir(), "x.db"), Schema: "1", Log: mem, Fold: rows{t}, Logger: quiet})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ran := make(chan error, 1)
	go func() { ran <- p.Run(ctx) }()
	defer func() { cancel(); <-ran; p.Close() }() //nolint:errcheck // test
	if err := p.WaitCaughtUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := p.View(func(tx *projection.Tx) error {
		row := &eventv1.Principal{}
		if found, err := aggregate.Get(tx, bucket, fight.Key(uint64(2)), row); !found || err != nil || row.Name != "b" {
			t.Errorf("%v %v %v", row, found, err)
		}
		var names []string
		err := aggregate.Each(tx, bucket, fight.Key(), nil, func(rest []byte, row *eventv1.Principal) (bool, error) {
			names = append(names, row.Name)
			if projection.Number(rest) != uint64(len(names)) || len(rest) != 8 {
				t.Errorf("%s is at %x", row.Name, rest)
			}
			return true, nil
		})
		if strings.Join(names, "") != "ab" { // not c, which is another's
			t.Errorf("rows %v", names)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
}
