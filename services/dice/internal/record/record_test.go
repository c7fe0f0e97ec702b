package record

import (
	"errors"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/journal"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
)

func entry(action uint64) *dicev1.RecordEntry {
	return &dicev1.RecordEntry{UnixMillis: 5, What: &dicev1.RecordEntry_Tape{Tape: TapeID{Epoch: 1, Action: action, Branch: "gm", Purpose: 1}.Opened()}}
}

// chain encodes n records, each following the one before.
func chain(t interface{ Fatal(...any) }, n int) (stored []journal.Record) {
	h := aggregate.Head{}
	for i := range n {
		_, data, err := Encode(h, []*dicev1.RecordEntry{entry(uint64(i))})
		if err != nil {
			t.Fatal(err)
		}
		stored = append(stored, journal.Record{Subject: "skald.0.t.dice.e", ID: "dice-1", Seq: uint64(10 * (i + 1)), Data: data})
		h = h.Then(uint64(10*(i+1)), aggregate.PlainHash(data))
	}
	return stored
}

func TestChain(t *testing.T) {
	h := aggregate.Head{}
	for i, s := range chain(t, 4) {
		r, after, err := Decode(h, s)
		if err != nil {
			t.Fatal(err)
		}
		if after.Version != uint64(i+1) || after.Sequence != s.Seq || len(after.Hash) != 32 || !proto.Equal(r.GetEntries()[0], entry(uint64(i))) {
			t.Errorf("record %d: head %+v, %v", i, after, r)
		}
		if IDOf(r.GetEntries()[0].GetTape()).Action != uint64(i) {
			t.Errorf("record %d is of another tape", i)
		}
		h = after
	}
}

func TestWhatDoesNotFollowIsRefused(t *testing.T) {
	stored := chain(t, 3)
	_, first, err := Decode(aggregate.Head{}, stored[0])
	if err != nil {
		t.Fatal(err)
	}
	remade := func(change func(*dicev1.Record)) journal.Record {
		r := &dicev1.Record{}
		if err := proto.Unmarshal(stored[1].Data, r); err != nil {
			t.Fatal(err)
		}
		change(r)
		data, err := proto.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		return journal.Record{Subject: stored[1].Subject, ID: "dice-1", Seq: stored[1].Seq, Data: data}
	}
	for name, s := range map[string]journal.Record{
		"repeated":       stored[0],
		"one left out":   stored[2],
		"junk":           {ID: "dice-1", Data: []byte{0xff, 0xff}},
		"without an id":  {Subject: stored[1].Subject, Seq: stored[1].Seq, Data: stored[1].Data},
		"empty":          {},
		"later format":   remade(func(r *dicev1.Record) { r.Format = 2 }),
		"no entries":     remade(func(r *dicev1.Record) { r.Entries = nil }),
		"other previous": remade(func(r *dicev1.Record) { r.Previous[0] ^= 1 }),
		"other version":  remade(func(r *dicev1.Record) { r.Version = 7 }),
	} {
		if _, after, err := Decode(first, s); !errors.Is(err, aggregate.ErrBroken) || after.Version != first.Version {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, s := range chain(f, 2) {
		f.Add(s.Data)
	}
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		r, after, err := Decode(aggregate.Head{}, journal.Record{Subject: "skald.0.t.dice.e", Seq: 3, Data: data})
		if err != nil {
			return
		}
		if after.Version != 1 || after.Sequence != 3 || r.GetVersion() != 1 || len(r.GetEntries()) == 0 {
			t.Errorf("accepted %v as %+v", r, after)
		}
	})
}

func TestNames(t *testing.T) {
	n := aggregate.Name{Table: "t", Kind: aggregate.Dice, ID: "patient/7"}
	subject, err := n.Subject(0)
	if err != nil || subject != "skald.0.t.dice.patient/7" || !journal.Matches(aggregate.Dice.Filter(0), subject) {
		t.Errorf("subject %q, %v", subject, err)
	}
	if back, err := Named(subject); err != nil || back != n {
		t.Errorf("read back %v, %v", back, err)
	}
	for _, bad := range []string{"", "skald.0.t.encounter.e", "skald.0.t.dice", "skald.0.t.dice.e.f"} {
		if k, err := Named(bad); !errors.Is(err, aggregate.ErrBroken) {
			t.Errorf("%q became %v", bad, k)
		}
	}
	// Roots are sealed for it: it never changes.
	if Scope(n) != "t.patient/7" {
		t.Errorf("scope %q", Scope(n))
	}
}
