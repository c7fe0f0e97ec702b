package record

import (
	"fmt"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/projection"
)

// Fold is the record as a projection runs it.
type Fold struct{}

var _ projection.Fold = Fold{}

// Buckets is projection.Fold.Buckets.
func (Fold) Buckets() []projection.Bucket { return Buckets() }

// Apply is projection.Fold.Apply. Records of the dice and packs change nothing,
// those of unknown kinds are projection.ErrForeign.
func (Fold) Apply(tx *projection.Tx, rec journal.Record) error {
	if b, ok := journal.SplitBranch(rec.Subject); ok {
		return applyBranch(tx, aggregate.Name{Table: b.Table, Kind: aggregate.Kind(b.Kind), ID: b.ID}, b.Name, rec)
	}
	if _, _, pack := journal.SplitPack(rec.Subject); pack {
		return nil // read where a deed needs it
	}
	switch n, ok := aggregate.Parse(rec.Subject); {
	case ok && n.Kind == aggregate.Dice:
		return nil // the dice service's
	case !ok || !n.Kind.Commits():
		return projection.ErrForeign
	}
	if err := applyCommit(tx, rec); err != nil {
		return fmt.Errorf("record: %s sequence %d: %w", rec.Subject, rec.Seq, err)
	}
	return nil
}

func applyCommit(tx *projection.Tx, rec journal.Record) error {
	if n, _ := aggregate.Parse(rec.Subject); n.Kind == aggregate.Encounter {
		return applyEncounter(tx, rec)
	}
	n, c, err := aggregate.Open(rec)
	if err != nil {
		return err
	}
	if err := whole(tx, n, c); err != nil {
		return err
	}
	return applyPatient(tx, n, rec.Seq, c)
}
