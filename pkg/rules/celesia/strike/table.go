package strike

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play/situation"
)

// The tables; the errors are those of the embedded files, with which nothing
// starts.
var (
	Cripples, ErrCripples     = body.ReadShipped("crippling", body.ReadCripples)
	Situations, ErrSituations = body.ReadShipped("situations", readSituations)
	Conditions                = body.ReadConditions()
)

// CripplesOf are the rows of crippling injuries as content has them.
func CripplesOf(book *effects.Book) []body.Cripple {
	return body.TableOf(book, "crippling", 5, -1, body.ReadCripples, Cripples)
}

// situationsOf are the situations as content has them.
func situationsOf(book *effects.Book) *situation.Table[body.RollKind] {
	return body.TableOf(book, "situations", 8, 6, readSituations, Situations)
}

func readSituations(text string) (*situation.Table[body.RollKind], error) {
	return situation.Read(text, rowLimits)
}

// CheckTables says what is wrong with the tables that content may change, when they
// are read from open.
func CheckTables(open func(name string) (string, error)) error {
	for _, t := range []struct {
		name string
		read func(text string) error
	}{
		{"crippling", func(text string) error { _, err := body.ReadCripples(text); return err }},
		{"situations", func(text string) error { _, err := readSituations(text); return err }},
		{"trade-offs", func(text string) error { _, err := manners.ReadSteps(text); return err }},
		{"multiweapon", func(text string) error { _, err := manners.ReadMultiweapon(text); return err }},
	} {
		text, err := open(t.name)
		if err != nil {
			return err
		}
		if err := t.read(text); err != nil {
			return err
		}
	}
	return nil
}

// Added tells whether an injury is one of content, and so of no side of the body. One that
// is known neither here nor there was refused before.
func Added(kind string) bool {
	return !slices.ContainsFunc(Cripples, func(c body.Cripple) bool { return c.Row == kind })
}

// CrippleRow finds a row by its id; nil when there is none.
func CrippleRow(book *effects.Book, row string) *body.Cripple {
	all := CripplesOf(book)
	for i := range all {
		if all[i].Row == row {
			return &all[i]
		}
	}
	return nil
}

// CrippleAt finds the row of a result; results above the table are its last row.
//
// celesia.injury.massive-roll
func CrippleAt(book *effects.Book, result int32) *body.Cripple {
	all := CripplesOf(book)
	result = max(1, min(20, result))
	for i := range all {
		if result <= all[i].To { // one follows the other
			return &all[i]
		}
	}
	return nil
}
