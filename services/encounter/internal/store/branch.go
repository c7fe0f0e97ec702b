package store

import (
	"context"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/branch"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/projection"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// applyBranch keeps a part of an amended history, which counts when a Commit names
// it.
func applyBranch(tx *projection.Tx, b journal.Branch, rec journal.Record) error {
	p, err := branch.Read(rec.Data)
	if err != nil {
		return err
	}
	return tx.Put(Branches, projection.Key(b.Table, b.ID, b.Name, p.Part), rec.Data)
}

// fill puts what branches hold into the amendments among the events.
func fill(tx *projection.Tx, table, id string, events []*eventv1.Event) error {
	return branch.Fill(events, func(am *eventv1.Amended, i uint32) ([]byte, error) {
		return tx.Get(Branches, projection.Key(table, id, am.Branch, i)), nil
	})
}

// Parts returns the parts of branches that Commits of versions from..to name, as
// stored, in the order of the Commits.
func (s Reader) Parts(ctx context.Context, table, id string, from, to uint64) ([]*encounterv1.ExportedPart, error) {
	if err := s.await(ctx, table, id, to); err != nil {
		return nil, err
	}
	var out []*encounterv1.ExportedPart
	err := s.P.View(func(tx *projection.Tx) error {
		return aggregate.Each(tx, indexes, projection.Key(table, id), projection.Key(table, id, from), func(k []byte, x *encounterv1.StoredIndex) (bool, error) {
			version := projection.Number(k)
			if version > to || x.Target == 0 {
				return version <= to, nil
			}
			events, err := event.Pick(tx.Get(Commits, projection.Key(table, id, version)), func(int) bool { return true })
			if err != nil {
				return false, err
			}
			for _, e := range events {
				am := e.GetAmended()
				for i := range am.GetParts() {
					out = append(out, &encounterv1.ExportedPart{Branch: am.Branch, Data: tx.Get(Branches, projection.Key(table, id, am.Branch, i))})
				}
			}
			return true, nil
		})
	})
	return out, err
}
