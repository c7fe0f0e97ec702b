package store_test

import (
	"encoding/hex"
	"fmt"
	"path/filepath"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/journal/memjournal"
	"github.com/skaldrpg/skald/pkg/projection"
	"github.com/skaldrpg/skald/pkg/recorded"
	"github.com/skaldrpg/skald/services/encounter/internal/innertest"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
	"github.com/skaldrpg/skald/services/encounter/internal/store"
)

// Every view of every recorded fight of all systems, rulings and all, is at every
// version what folding the log up to there gives.
func TestStatesOfRecordedFights(t *testing.T) {
	sets, err := recorded.Sets()
	if err != nil {
		t.Fatal(err)
	}
	for _, set := range sets {
		systems, err := recorded.Systems(set)
		if err != nil {
			t.Fatal(err)
		}
		for _, system := range systems {
			fights, err := recorded.Load(set, system)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range fights {
				t.Run(fmt.Sprint(set, "/", system, "/", f.Name), func(t *testing.T) { everyVersion(t, f) })
			}
		}
	}
}

func everyVersion(t *testing.T, f recorded.Fight) {
	log := memjournal.New(memjournal.Options{})
	var commits []*event.Opened
	var name aggregate.Name
	var last uint64
	for _, data := range f.Commits {
		c, err := event.Open(data)
		if err != nil {
			t.Fatal(err)
		}
		commits = append(commits, c)
		name = aggregate.Name{Table: c.Header.Table, Kind: aggregate.Encounter, ID: c.Header.Id}
		subject, err := name.Subject(0)
		if err == nil {
			last, err = log.Append(t.Context(), journal.Message{Subject: subject, ID: hex.EncodeToString(c.Hash), Data: data, Expected: last})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	cfg := projection.Config{Path: filepath.Join(t.TempDir(), "encounter.db"), Schema: store.Schema, Log: log,
		Filter: aggregate.Encounter.Filter(0), Fold: store.NewFold(1), Logger: innertest.Quiet}
	if err := projection.Rebuild(t.Context(), cfg, nil); err != nil {
		t.Fatal(err)
	}
	p, err := projection.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close() //nolint:errcheck // only read
	rows := store.Reader{P: p, Known: store.NewKnown(0)}
	r, past := replica.New(), []*replica.Replica{replica.New()}
	for i, c := range commits {
		if _, err := r.Apply(c, uint64(i+1), func(v uint64) (*replica.Replica, error) { return past[v].Clone(), nil }); err != nil {
			t.Fatal(err)
		}
		past = append(past, r.Clone())
		for viewer, v := range r.Views {
			got, err := rows.StateAt(t.Context(), name.Table, name.ID, viewer, r.Version)
			if err != nil {
				t.Fatal(err)
			}
			if !proto.Equal(got, v.State) {
				changes, err := event.Difference(v.State, got)
				t.Fatalf("version %d, %s: %v %v", r.Version, viewer, changes, err)
			}
		}
	}
}
