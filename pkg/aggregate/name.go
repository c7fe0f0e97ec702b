package aggregate

import (
	"fmt"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/projection"
)

// Kind is a kind of aggregate, as it stands in subjects and headers. Kinds are
// recorded: they are never renamed.
type Kind string

// The kinds.
const (
	// Encounter is a fight.
	Encounter Kind = "encounter"
	// Patient is a creature's record between fights.
	Patient Kind = "patient"
	// Dice are the dice of an encounter or a patient.
	Dice Kind = "dice"
)

// Commits tells whether the records of the kind are Commits (pkg/event).
func (k Kind) Commits() bool { return k == Encounter || k == Patient }

// Filter matches every subject of the kind in a stream, all tables.
func (k Kind) Filter(partition int) string { return journal.KindFilter(partition, string(k)) }

// Name names an aggregate, whatever stream it is in.
type Name struct {
	// Table that it belongs to.
	Table string
	// Kind of it.
	Kind Kind
	// ID is unique among those of its kind at the table.
	ID string
}

// Parse reads the subject of an aggregate's records; false for any other subject.
func Parse(subject string) (Name, bool) {
	table, kind, id, ok := journal.SplitSubject(subject)
	return Name{Table: table, Kind: Kind(kind), ID: id}, ok
}

// Subject is where the records are when the table is in a stream. The error, an
// Invalid fault, says that the name can not stand in a subject.
func (n Name) Subject(partition int) (string, error) {
	subject, err := journal.SubjectIn(partition, n.Table, string(n.Kind), n.ID)
	if err != nil {
		return "", fault.Field(string(n.Kind), "table and id must be 1 to %d bytes without dots, stars, angles and spaces: %v", limits.TokenBytes, err)
	}
	return subject, nil
}

// String is the name for people.
func (n Name) String() string { return fmt.Sprintf("%s %q of table %q", n.Kind, n.ID, n.Table) }

// Key is the key of one of its rows in a projection: table, id, then the parts
// (projection.Key).
func (n Name) Key(parts ...any) []byte {
	return append(projection.Key(n.Table, n.ID), projection.Key(parts...)...)
}

// Broken is the fault that everything answers that is asked of it once its record
// is closed.
func (n Name) Broken(c projection.Closure) error {
	return fault.BrokenRecord(string(n.Kind), n.ID, c.Sequence)
}
