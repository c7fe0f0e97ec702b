package record

import (
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/projection"
)

// Fold is the record as a projection runs it.
type Fold struct{}

var _ projection.Fold = Fold{}

// Buckets is projection.Fold.Buckets.
func (Fold) Buckets() []projection.Bucket { return Buckets() }

// Apply is projection.Fold.Apply.
func (Fold) Apply(tx *projection.Tx, rec journal.Record) error { return Apply(tx, rec) }
