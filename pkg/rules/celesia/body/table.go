package body

import (
	"fmt"
	"slices"
	"strconv"

	content "github.com/skaldrpg/skald/pkg/content/celesia"
	"github.com/skaldrpg/skald/pkg/rules/csvtable"
	definitions "github.com/skaldrpg/skald/pkg/rules/play/condition"
)

// Cripple is a row of the table of crippling injuries.
//
// celesia.injury.crippling-table
type Cripple struct {
	// From and to are the results of a d20 that give it.
	From, To int32
	// Row is its id.
	Row string
	// Title for people.
	Title string
	// Negated is the damage that it cancels when chosen, in points.
	Negated int32
	// Rule behind it.
	Rule string
}

// ReadShipped reads a table of the book.
func ReadShipped[T any](name string, read func(text string) (T, error)) (T, error) {
	text, err := content.Book().Table(name)
	if err != nil {
		var none T
		return none, err
	}
	return read(text)
}

// ReadConditions are the conditions of the book, read at the first question; none when
// they do not hold.
func ReadConditions() *definitions.Book {
	return definitions.Lazily(func() ([]byte, error) { return content.Book().File("conditions.yaml") })
}

// ReadCripples reads the table of crippling injuries; its ranges must cover 1
// to 20 without a gap.
func ReadCripples(text string) ([]Cripple, error) {
	rows, err := csvtable.Lines(text, 6)
	if err != nil {
		return nil, fmt.Errorf("celesia: table: %w", err)
	}
	var out []Cripple
	for i, row := range rows {
		from, err1 := strconv.Atoi(row[0])
		to, err2 := strconv.Atoi(row[1])
		negated, err3 := strconv.Atoi(row[4])
		if err1 != nil || err2 != nil || err3 != nil {
			return nil, fmt.Errorf("celesia: crippling table row %d: not numbers", i+1)
		}
		if from < 1 || to < from || to > 20 || negated < 1 || row[2] == "" {
			return nil, fmt.Errorf("celesia: crippling table row %d: %v", i+1, row)
		}
		out = append(out, Cripple{int32(from), int32(to), row[2], row[3], int32(negated), row[5]})
	}
	slices.SortStableFunc(out, func(a, b Cripple) int { return int(a.From - b.From) }) // rows of packs come last
	next := int32(1)
	for i, row := range out {
		if row.From != next || slices.ContainsFunc(out[:i], func(c Cripple) bool { return c.Row == row.Row }) {
			return nil, fmt.Errorf("celesia: crippling table: %s at %d-%d does not follow %d, or is there twice", row.Row, row.From, row.To, next-1)
		}
		next = row.To + 1
	}
	if next != 21 {
		return nil, fmt.Errorf("celesia: crippling table ends at %d", next-1)
	}
	return out, nil
}
