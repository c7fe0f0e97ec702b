package body

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	content "github.com/skaldrpg/skald/pkg/content/basic"
	"github.com/skaldrpg/skald/pkg/rules/csvtable"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play/condition"
)

// span is a row of a table that is read by a number.
type span struct {
	low, high int32
	result    string
	// by is the rule of content that the row comes from; empty for the book's own.
	by string
}

// spans is such a table, lowest row first.
type spans []span

// At reads the table; a number beyond either end reads as the nearest row.
func (t spans) At(n int32) string { return t.row(n).result }

// By is the rule of content behind what At gives; empty for the book's own.
func (t spans) By(n int32) string { return t.row(n).by }

func (t spans) row(n int32) span {
	for _, row := range t {
		if n <= row.high {
			return row
		}
	}
	return t[len(t)-1]
}

// ruleBook is all tables of the system.
type ruleBook struct {
	Critical, Effects, Fumble, Cover spans
	Size                             map[string]int32
	// SizeBy is the rule of content behind the number of a size that has one.
	SizeBy     map[string]string
	Conditions *condition.Book
	// Scatter by the face of the die, from 1.
	Scatter []Offset
}

// Book is the tables; bookError says what is wrong with them and refuses every
// start of a fight and every deed.
var Book, BookError = readBook()

// Tables are the tables that content can change.
var Tables = []string{"critical", "effects", "fumble", "cover", "size", "scatter"}

// TableText is the text of a table that content can change.
func TableText(name string) (csv string, found bool) {
	if !slices.Contains(Tables, name) {
		return "", false
	}
	text, err := content.Book().Table(name)
	return text, err == nil
}

// BookOf is the tables as content has them.
func BookOf(made *effects.Book) *ruleBook {
	if !slices.ContainsFunc(Tables, func(name string) bool { return made.Table(name) != nil }) {
		return &Book
	}
	return made.Memo("basic.tables", func() any {
		b, err := ReadTables(func(name string) (string, error) {
			text, _ := made.TableText(name)
			return text, nil
		}, made.TableCite)
		if err != nil { // what is wrong with them was said when the pack was checked
			return &Book
		}
		b.Conditions = Book.Conditions
		return &b
	}).(*ruleBook)
}

// ReadTables reads the tables that content can change. By is the rule of content
// behind a row, counted from 0; nil means that all are the book's own.
func ReadTables(open func(name string) (string, error), by func(table string, row int) string) (ruleBook, error) {
	b := ruleBook{Size: map[string]int32{}, SizeBy: map[string]string{}}
	read := tables{open: open, by: by}
	var problems []error
	for _, t := range []struct {
		name      string
		low, high int32
		into      *spans
		results   []string
	}{{"critical", 1, 20, &b.Critical, []string{"regular", "maximum", "critical", "effect"}},
		{"effects", 1, 4, &b.Effects, []string{"disarmed", CondShaken, CondProne, CondBlinded}},
		{"fumble", 1, 20, &b.Fumble, []string{"breaks", "stumble", "sloppy", "drops", "miss"}},
		{"cover", 0, 99, &b.Cover, nil}} {
		rows, err := read.spans(t.name, t.low, t.high, t.results)
		*t.into = rows
		problems = append(problems, err)
	}
	rows, err := read.rows("size", 2)
	problems = append(problems, err)
	for i, row := range rows {
		n, err := strconv.ParseInt(row[1], 10, 32)
		problems = append(problems, err)
		if !slices.Contains([]string{"small", "medium", "large"}, row[0]) {
			problems = append(problems, fmt.Errorf("basic: table size row %d: there is no size %q", i+1, row[0]))
		}
		b.Size[row[0]], b.SizeBy[row[0]] = int32(n), read.rule("size", i)
	}
	b.Scatter, err = read.scatter()
	problems = append(problems, err)
	if len(b.Size) != 3 {
		problems = append(problems, fmt.Errorf("basic: table size has %d rows, want 3", len(b.Size)))
	}
	return b, errors.Join(problems...)
}

func readBook() (ruleBook, error) {
	b, err := ReadTables(content.Book().Table, nil)
	problems := []error{err}
	text, err := content.Book().File("conditions.yaml")
	problems = append(problems, err)
	if b.Conditions, err = condition.Read(text); err != nil {
		b.Conditions, _ = condition.Read(nil) // none
	}
	return b, errors.Join(append(problems, err)...)
}

// tables reads the tables from where they are.
type tables struct {
	open func(name string) (string, error)
	by   func(table string, row int) string
}

// rule is the rule of content behind a row; empty for the book's own.
func (t tables) rule(name string, row int) string {
	if t.by == nil {
		return ""
	}
	return t.by(name, row)
}

// spans reads a table whose rows must cover low to high without gap, in any order, and
// give one of the results; nil means a whole number.
func (t tables) spans(name string, low, high int32, results []string) (spans, error) {
	rows, err := t.rows(name, 3)
	if err != nil {
		return nil, err
	}
	var out spans
	for i, row := range rows {
		from, err1 := strconv.ParseInt(row[0], 10, 32)
		to, err2 := strconv.ParseInt(row[1], 10, 32)
		_, err3 := strconv.ParseInt(row[2], 10, 32)
		switch {
		case results == nil:
		case slices.Contains(results, row[2]):
			err3 = nil
		default:
			err3 = fmt.Errorf("%q is not one of %s", row[2], strings.Join(results, ", "))
		}
		if err := errors.Join(err1, err2, err3); err != nil {
			return nil, fmt.Errorf("basic: table %s row %d: %w", name, i+1, err)
		}
		out = append(out, span{int32(from), int32(to), row[2], t.rule(name, i)})
	}
	slices.SortStableFunc(out, func(a, b span) int { return cmp.Compare(a.low, b.low) })
	next := low
	for _, row := range out {
		if row.low != next || row.high < row.low {
			return nil, fmt.Errorf("basic: table %s: %d to %d does not follow on %d", name, row.low, row.high, next-1)
		}
		next = row.high + 1
	}
	if next != high+1 {
		return nil, fmt.Errorf("basic: table %s ends at %d, want %d", name, next-1, high)
	}
	return out, nil
}

// rows reads a table without its heading.
func (t tables) rows(name string, columns int) ([][]string, error) {
	text, err := t.open(name)
	if err != nil {
		return nil, fmt.Errorf("basic: table %s: %w", name, err)
	}
	rows, err := csvtable.Lines(text, columns)
	if err != nil {
		return nil, fmt.Errorf("basic: table %s: %w", name, err)
	}
	return rows, nil
}
