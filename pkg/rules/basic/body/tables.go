package body

import (
	"errors"
	"fmt"
	"strconv"

	content "github.com/skaldrpg/skald/pkg/content/basic"
	"github.com/skaldrpg/skald/pkg/rules/csvtable"
	"github.com/skaldrpg/skald/pkg/rules/play/condition"
)

// span is a row of a table that is read by a number.
type span struct {
	low, high int32
	result    string
}

// spans is such a table, lowest row first.
type spans []span

// At reads the table; a number beyond either end reads as the nearest row.
func (t spans) At(n int32) string {
	for _, row := range t {
		if n <= row.high {
			return row.result
		}
	}
	return t[len(t)-1].result
}

// ruleBook is all tables of the system.
type ruleBook struct {
	Critical, Effects, Fumble, Cover spans
	Size                             map[string]int32
	Conditions                       *condition.Book
	// Scatter by the face of the die, from 1.
	Scatter []Offset
}

// Book is the tables; bookError says what is wrong with them and refuses every
// start of a fight and every deed.
var Book, BookError = readBook()

func readBook() (ruleBook, error) {
	b := ruleBook{Size: map[string]int32{}}
	var problems []error
	for _, t := range []struct {
		name      string
		low, high int32
		into      *spans
	}{{"critical", 1, 20, &b.Critical}, {"effects", 1, 4, &b.Effects}, {"fumble", 1, 20, &b.Fumble}, {"cover", 0, 99, &b.Cover}} {
		rows, err := readSpans(t.name, t.low, t.high)
		*t.into = rows
		problems = append(problems, err)
	}
	rows, err := readRows("size", 2)
	problems = append(problems, err)
	for _, row := range rows {
		n, err := strconv.ParseInt(row[1], 10, 32)
		problems = append(problems, err)
		b.Size[row[0]] = int32(n)
	}
	text, err := content.Book().File("conditions.yaml")
	problems = append(problems, err)
	if b.Conditions, err = condition.Read(text); err != nil {
		b.Conditions, _ = condition.Read(nil) // none
	}
	problems = append(problems, err)
	b.Scatter, err = readScatter()
	problems = append(problems, err)
	if len(b.Size) != 3 {
		problems = append(problems, fmt.Errorf("basic: table size has %d rows, want 3", len(b.Size)))
	}
	return b, errors.Join(problems...)
}

// readSpans reads a table whose rows must cover low to high without gap.
func readSpans(name string, low, high int32) (spans, error) {
	rows, err := readRows(name, 3)
	if err != nil {
		return nil, err
	}
	var out spans
	next := low
	for i, row := range rows {
		from, err1 := strconv.ParseInt(row[0], 10, 32)
		to, err2 := strconv.ParseInt(row[1], 10, 32)
		if err := errors.Join(err1, err2); err != nil {
			return nil, fmt.Errorf("basic: table %s row %d: %w", name, i+1, err)
		}
		if int32(from) != next || to < from || row[2] == "" {
			return nil, fmt.Errorf("basic: table %s row %d: %v does not follow on %d", name, i+1, row, next-1)
		}
		out = append(out, span{int32(from), int32(to), row[2]})
		next = int32(to) + 1
	}
	if next != high+1 {
		return nil, fmt.Errorf("basic: table %s ends at %d, want %d", name, next-1, high)
	}
	return out, nil
}

// readRows reads a table without its heading.
func readRows(name string, columns int) ([][]string, error) {
	text, err := content.Book().Table(name)
	if err != nil {
		return nil, fmt.Errorf("basic: table %s: %w", name, err)
	}
	rows, err := csvtable.Lines(text, columns)
	if err != nil {
		return nil, fmt.Errorf("basic: table %s: %w", name, err)
	}
	return rows, nil
}
