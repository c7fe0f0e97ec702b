package journal_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/nats-io/nats.go"

	"github.com/skaldrpg/skald/pkg/journal"
)

func openSet(t testing.TB, nc *nats.Conn, streams int, create bool) *journal.Set {
	t.Helper()
	s, err := journal.OpenSet(t.Context(), nc, journal.SetConfig{Streams: streams, Create: create, Log: quiet})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func place(t testing.TB, s *journal.Set, table string, create bool) int {
	t.Helper()
	p, err := s.Place(t.Context(), table, create)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// on makes a message of a table's encounter in a stream.
func on(p int, table, id string) journal.Message {
	return journal.Message{Subject: fmt.Sprintf("skald.%d.%s.encounter.e", p, table), ID: id, Data: []byte(id)}
}

// tableAt is a table's id that hashes to p of n.
func tableAt(p, n int) string {
	for i := 0; ; i++ {
		if t := fmt.Sprint("t", i); journal.Partition(t, n) == p {
			return t
		}
	}
}

// A table stays where it was placed, however many streams there come to be, in
// every process.
func TestPlaceStays(t *testing.T) {
	_, nc := start(t, journal.EmbeddedConfig{})
	a := openSet(t, nc, 2, true)
	b := openSet(t, nc, 0, false)
	if a.Streams() != 2 || b.Streams() != 2 {
		t.Fatalf("%d and %d streams", a.Streams(), b.Streams())
	}
	var moved string // to another stream if it were computed anew
	for i := 0; moved == ""; i++ {
		if name := fmt.Sprint("m", i); journal.Partition(name, 2) != journal.Partition(name, 8) {
			moved = name
		}
	}
	before := place(t, a, moved, true)
	if before != journal.Partition(moved, 2) {
		t.Errorf("placed in %d", before)
	}
	if err := a.Grow(t.Context(), 8); err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]*journal.Set{"same": a, "other": b, "new": openSet(t, nc, 0, false)} {
		if p := place(t, s, moved, true); p != before {
			t.Errorf("%s: %q moved from %d to %d", name, moved, before, p)
		}
	}
	// b does not know the new streams yet; a table there is found all the same.
	far := tableAt(7, 8)
	if p := place(t, a, far, true); p != 7 {
		t.Errorf("%q in %d", far, p)
	}
	if p := place(t, b, far, false); p != 7 || b.Streams() != 8 {
		t.Errorf("%q in %d of %d streams", far, p, b.Streams())
	}
	if err := a.Grow(t.Context(), 3); err != nil || a.Streams() != 8 || openSet(t, nc, 2, true).Streams() != 8 {
		t.Errorf("shrinking: %v, %d streams", err, a.Streams())
	}
}

// However many processes place a table at once, knowing different numbers of
// streams, they all put it in one place.
func TestPlaceOnce(t *testing.T) {
	_, nc := start(t, journal.EmbeddedConfig{})
	first := openSet(t, nc, 1, true)
	sets := []*journal.Set{first}
	for n := range 7 {
		if err := openSet(t, nc, 0, false).Grow(t.Context(), n+2); err != nil {
			t.Fatal(err)
		}
		sets = append(sets, openSet(t, nc, 0, false))
	}
	for i := range 20 {
		table := fmt.Sprint("race", i)
		var wg sync.WaitGroup
		got := make([]int, len(sets))
		for k, s := range sets {
			wg.Go(func() {
				var err error
				if got[k], err = s.Place(t.Context(), table, true); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		for _, p := range got {
			if p != got[0] {
				t.Fatalf("%s is in %v", table, got)
			}
		}
	}
}

// No record of a table is stored before its entry, nor in another stream.
func TestAppendKeepsPlaces(t *testing.T) {
	_, nc := start(t, journal.EmbeddedConfig{})
	s := openSet(t, nc, 4, true)
	table := tableAt(3, 4)
	at := func(p int) *journal.Stream {
		one, err := s.Stream(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		return one
	}
	if _, err := at(1).Append(t.Context(), on(1, table, "x")); !errors.Is(err, journal.ErrMisplaced) {
		t.Errorf("in another stream: %v", err)
	}
	if _, err := at(1).AppendAtomic(t.Context(), []journal.Message{on(1, tableAt(1, 4), "y"), on(1, table, "z")}); !errors.Is(err, journal.ErrMisplaced) {
		t.Errorf("half in another stream: %v", err)
	}
	if _, err := at(1).Append(t.Context(), on(3, table, "x")); !errors.Is(err, journal.ErrInvalid) {
		t.Errorf("a subject of another stream: %v", err)
	}
	if info, err := at(1).Info(t.Context()); err != nil || info.LastSeq != 0 {
		t.Errorf("something was stored: %+v, %v", info, err)
	}
	if _, err := at(3).Append(t.Context(), on(3, table, "x")); err != nil {
		t.Fatal(err)
	}
	if rec, ok, err := at(0).Last(t.Context(), "skald.0.@.place."+table); !ok || err != nil || string(rec.Data) != fmt.Sprintf(`{"format":1,"table":%q,"stream":3}`, table) {
		t.Errorf("entry %s, %v, %v", rec.Data, ok, err)
	}
	if _, err := at(0).Append(t.Context(), journal.Message{Subject: "skald.0.@.encounter.e", ID: "q"}); !errors.Is(err, journal.ErrInvalid) {
		t.Errorf("the directory's own name as a table: %v", err)
	}
	if _, err := s.Stream(t.Context(), 4); !errors.Is(err, journal.ErrNoStream) {
		t.Errorf("a fifth stream: %v", err)
	}
	// Deleting the data of a table in stream 0 leaves its entry.
	zero := tableAt(0, 4)
	if _, err := at(0).Append(t.Context(), on(0, zero, "x")); err != nil {
		t.Fatal(err)
	}
	filter, err := journal.TableFilterIn(0, zero)
	if err != nil {
		t.Fatal(err)
	}
	if err := at(0).Purge(t.Context(), filter); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := at(0).Last(t.Context(), "skald.0.@.place."+zero); !ok || err != nil {
		t.Errorf("the entry went with the data: %v", err)
	}
}

// Tables that are older than the directory are in stream 0.
func TestPlaceOfOlderTables(t *testing.T) {
	_, nc := start(t, journal.EmbeddedConfig{})
	cfg := config()
	cfg.Subjects = []string{journal.PartitionFilter(0)}
	old := open(t, nc, cfg)
	table := tableAt(2, 4)
	if _, err := old.Append(t.Context(), on(0, table, "x")); err != nil {
		t.Fatal(err)
	}
	s := openSet(t, nc, 4, true)
	if p := place(t, s, table, false); p != 0 {
		t.Errorf("read in %d", p)
	}
	if p := place(t, s, table, true); p != 0 {
		t.Errorf("placed in %d", p)
	}
	if p := place(t, openSet(t, nc, 0, false), table, false); p != 0 {
		t.Errorf("another process reads in %d", p)
	}
}

// What somebody else wrote into the directory stops no other table, and changes
// no place.
func TestForeignEntries(t *testing.T) {
	_, nc := start(t, journal.EmbeddedConfig{})
	s := openSet(t, nc, 4, true)
	foreign := func(subject, data string) {
		t.Helper()
		if _, err := nc.Request(subject, []byte(data), 5e9); err != nil {
			t.Fatal(err)
		}
	}
	good := tableAt(1, 4)
	place(t, s, good, true)
	foreign("skald.0.@.place."+good, `{"format":1,"table":"`+good+`","stream":2}`)
	for _, n := range []string{"no number", `{"format":1,"streams":1000000}`, `{"format":1,"streams":-1}`, `{"format":2,"streams":9}`, `{"format":1,"streams":2}`, `{"format":1,"streams":6}`} {
		foreign("skald.0.@.streams.count", n) // there are no six
	}
	for name, c := range map[string]struct{ table, data string }{
		"no entry":       {"bad1", "\x00\xff"},
		"another table":  {"bad2", `{"format":1,"table":"` + good + `","stream":1}`},
		"no such stream": {"bad3", `{"format":1,"table":"bad3","stream":5}`},
		"far stream":     {"bad4", `{"format":1,"table":"bad4","stream":70}`},
		"minus":          {"bad5", `{"format":1,"table":"bad5","stream":-1}`},
		"other format":   {"bad6", `{"format":9,"table":"bad6","stream":1}`},
	} {
		foreign("skald.0.@.place."+c.table, c.data)
		fresh := openSet(t, nc, 0, false)
		for _, create := range []bool{false, true} {
			if p, err := fresh.Place(t.Context(), c.table, create); !errors.Is(err, journal.ErrDirectory) {
				t.Errorf("%s: placed in %d, %v", name, p, err)
			}
		}
		if p := place(t, fresh, good, true); p != 1 || fresh.Streams() != 4 {
			t.Errorf("%s: the good table is in %d of %d", name, p, fresh.Streams())
		}
		other := tableAt(3, 4)
		if p := place(t, fresh, other, true); p != 3 {
			t.Errorf("%s: another table is in %d", name, p)
		}
	}
	if err := s.Grow(t.Context(), 5); err != nil || s.Streams() < 5 {
		t.Errorf("growing: %d streams, %v", s.Streams(), err)
	}
}

// A process keeps so many entries and no more, and forgets none that matters.
func TestPlacesKept(t *testing.T) {
	for _, n := range []int{0, 1, 9, 10, 11, 1000} {
		kept, lost := journal.KeepPlaces(10, n)
		if kept > 10 || lost > 0 {
			t.Errorf("of %d: %d kept, %d of the last wrong", n, kept, lost)
		}
	}
}
