package celesia

import (
	"errors"
	"fmt"
	"strconv"

	content "github.com/skaldrpg/skald/pkg/content/celesia"
	"github.com/skaldrpg/skald/pkg/rules/csvtable"
	definitions "github.com/skaldrpg/skald/pkg/rules/play/condition"
	"github.com/skaldrpg/skald/pkg/rules/play/situation"
)

// cripple is a row of the table of crippling injuries.
//
// celesia.injury.crippling-table
type cripple struct {
	// from and to are the results of a d20 that give it.
	from, to int32
	// row is its id.
	row string
	// title for people.
	title string
	// negated is the damage that it cancels when chosen, in points.
	negated int32
	// rule behind it.
	rule string
}

// The tables; the errors are those of the embedded files, with which nothing
// starts.
var (
	cripples, errCripples     = readShipped("crippling", readCripples)
	situations, errSituations = readShipped("situations", func(text string) (*situation.Table[rollKind], error) {
		return situation.Read(text, rowLimits)
	})
	conditions, errConditions = readConditions()
)

// readShipped reads a table of the book.
func readShipped[T any](name string, read func(text string) (T, error)) (T, error) {
	text, err := content.Book().Table(name)
	if err != nil {
		var none T
		return none, err
	}
	return read(text)
}

// readConditions reads the conditions of the book; none when they do not hold.
func readConditions() (*definitions.Book, error) {
	text, err := content.Book().File("conditions.yaml")
	if err != nil {
		return &definitions.Book{}, err
	}
	b, err := definitions.Read(text)
	if err != nil {
		return &definitions.Book{}, err
	}
	return b, nil
}

// Validate says what is wrong with the embedded tables; nil when they hold.
func (System) Validate() error {
	return errors.Join(errCripples, errSituations, errConditions, errMultiRows, errFrame)
}

// readCripples reads the table of crippling injuries; its ranges must cover 1
// to 20 without a gap.
func readCripples(text string) ([]cripple, error) {
	rows, err := csvtable.Lines(text, 6)
	if err != nil {
		return nil, fmt.Errorf("celesia: table: %w", err)
	}
	var out []cripple
	next := int32(1)
	for i, row := range rows {
		from, err1 := strconv.Atoi(row[0])
		to, err2 := strconv.Atoi(row[1])
		negated, err3 := strconv.Atoi(row[4])
		if err1 != nil || err2 != nil || err3 != nil {
			return nil, fmt.Errorf("celesia: crippling table row %d: not numbers", i+1)
		}
		if int32(from) != next || to < from || negated < 1 {
			return nil, fmt.Errorf("celesia: crippling table row %d: range %d-%d does not follow", i+1, from, to)
		}
		next = int32(to) + 1
		out = append(out, cripple{int32(from), int32(to), row[2], row[3], int32(negated), row[5]})
	}
	if next != 21 {
		return nil, fmt.Errorf("celesia: crippling table ends at %d", next-1)
	}
	return out, nil
}

// crippleRow finds a row by its id; nil when there is none.
func crippleRow(row string) *cripple {
	for i := range cripples {
		if cripples[i].row == row {
			return &cripples[i]
		}
	}
	return nil
}

// crippleAt finds the row of a result; results above the table are its last row.
//
// celesia.injury.massive-roll
func crippleAt(result int32) *cripple {
	result = max(1, min(20, result))
	for i := range cripples {
		if result >= cripples[i].from && result <= cripples[i].to {
			return &cripples[i]
		}
	}
	return nil
}
