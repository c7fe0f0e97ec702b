package books

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/content/pack"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/journal/memjournal"
	"github.com/skaldrpg/skald/pkg/library"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	contentv1 "github.com/skaldrpg/skald/proto/skald/content/v1"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
)

// counted is a log that counts what is asked of it.
type counted struct {
	journal.Log
	asked int
}

func (c *counted) Last(ctx context.Context, subject string) (journal.Record, bool, error) {
	c.asked++
	return c.Log.Last(ctx, subject)
}

func base(system string) (effects.Base, error) {
	if system != "toy" {
		return effects.Base{}, fault.New(fault.NotFound, "UNKNOWN_SYSTEM", "no system %q", system)
	}
	return effects.Base{System: system, Support: effects.Support{Kinds: map[effects.Kind][]string{effects.KindModifier: {"attack"}}}}, nil
}

func packOf(name string, amount int) []byte {
	data, err := pack.Marshal(&contentv1.Pack{Name: name, Version: "1", System: "toy", Title: name, Rules: []*contentv1.HouseRule{{Id: "r", Title: "R",
		Effects: []*contentv1.Effect{{What: &contentv1.Effect_Modifier{Modifier: &contentv1.Modifier{To: "attack", Amount: fmt.Sprint(amount)}}}}}}})
	if err != nil {
		panic(err)
	}
	return data
}

func put(t *testing.T, log journal.Log, data []byte) string {
	t.Helper()
	m, err := library.Seal(0, &encounterv1.PackRecord{Table: "main", Pack: data})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := log.Append(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	return library.Digest(data)
}

// A book is made once and kept while there is room; the order of packs is part of
// what it is.
func TestBooksAreKept(t *testing.T) {
	log := &counted{Log: memjournal.New(memjournal.Options{})}
	a, b := put(t, log, packOf("a", 1)), put(t, log, packOf("b", 2))
	l := New(Config{Where: In(log, 0), Base: base})
	first, err := l.Book(t.Context(), "main", "toy", []string{a, b})
	if err != nil || first == nil {
		t.Fatal(err)
	}
	asked := log.asked
	again, err := l.Book(t.Context(), "main", "toy", []string{a, b})
	if err != nil || again != first || log.asked != asked {
		t.Errorf("made again, asking %d times: %v", log.asked-asked, err)
	}
	turned, err := l.Book(t.Context(), "main", "toy", []string{b, a})
	if err != nil || turned == first {
		t.Errorf("the order does not matter: %v", err)
	}
	small := New(Config{Where: In(log, 0), Base: base, Memory: 1})
	for range 2 {
		for _, d := range []string{a, b} {
			if _, err := small.Book(t.Context(), "main", "toy", []string{d}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if small.order.Len() != 1 || len(small.books) != 1 || small.bytes != small.order.Front().Value.(*kept).bytes {
		t.Errorf("%d books of %d bytes are kept", small.order.Len(), small.bytes)
	}
}

func TestBookRefuses(t *testing.T) {
	log := memjournal.New(memjournal.Options{})
	known := put(t, log, packOf("a", 1))
	other, err := pack.Marshal(&contentv1.Pack{Name: "x", Version: "1", System: "chess"})
	if err != nil {
		t.Fatal(err)
	}
	chess := put(t, log, other)
	worn, err := proto.Marshal(&contentv1.Pack{Name: "worn", System: "toy", Rules: []*contentv1.HouseRule{{Id: "r", Title: "R",
		Effects: []*contentv1.Effect{{What: &contentv1.Effect_Bar{Bar: &contentv1.Bar{}}}}}}})
	if err != nil {
		t.Fatal(err)
	}
	unusable := put(t, log, worn)
	l := New(Config{Where: In(log, 0), Base: base})
	for name, tt := range map[string]struct {
		table, system, digest, reason string
	}{
		"unknown":        {"main", "toy", library.Digest(nil), "UNKNOWN_PACK"},
		"no digest":      {"main", "toy", "a", "UNKNOWN_PACK"},
		"another table":  {"other", "toy", known, "UNKNOWN_PACK"},
		"another system": {"main", "toy", chess, "PACK_OF_ANOTHER_SYSTEM"},
		"no system":      {"main", "chess", chess, "UNKNOWN_SYSTEM"},
		"not played":     {"main", "toy", unusable, "PACK_UNUSABLE"},
	} {
		book, err := l.Book(t.Context(), tt.table, tt.system, []string{tt.digest})
		var f *fault.Fault
		if !errors.As(err, &f) || f.Reason != tt.reason || book != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A copy near by that is damaged does not count: the log does.
func TestDamagedCopy(t *testing.T) {
	log := memjournal.New(memjournal.Options{})
	digest := put(t, log, packOf("a", 1))
	l := New(Config{Where: In(log, 0), Base: base, Near: func(string, string) ([]byte, bool, error) { return []byte("damaged"), true, nil }})
	if rec, err := l.Pack(t.Context(), "main", digest); err != nil || library.Digest(rec.Pack) != digest {
		t.Errorf("%v, %v", rec, err)
	}
}
