package record

import (
	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/branch"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/projection"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// branchesOf is where the parts of branches of an encounter or a patient are kept.
func branchesOf(n aggregate.Name) projection.Bucket {
	if n.Kind == aggregate.Patient {
		return bucketOwnBranches
	}
	return bucketBranches
}

// applyBranch keeps a part of an amended history until a Commit names it.
func applyBranch(tx *projection.Tx, n aggregate.Name, name string, rec journal.Record) error {
	part, err := branch.Read(rec.Data)
	if err != nil {
		return err
	}
	return tx.Put(branchesOf(n), n.Key(name, part.Part), rec.Data)
}

// whole fills in what branches hold of the Commit's amended history.
func whole(tx *projection.Tx, n aggregate.Name, o *event.Opened) error {
	return branch.Fill(o.Events, func(am *eventv1.Amended, i uint32) ([]byte, error) {
		return tx.Get(branchesOf(n), n.Key(am.Branch, i)), nil
	})
}
