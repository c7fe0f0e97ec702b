package strike

import (
	"errors"
	"fmt"
	"slices"

	content "github.com/skaldrpg/skald/pkg/content/original"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	"github.com/skaldrpg/skald/pkg/rules/play/condition"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	"github.com/skaldrpg/skald/pkg/rules/play/situation"
)

// conditionBook is the conditions of the rule book. Tables that do not hold leave it
// empty; bookError says why.
var ConditionBook *condition.Book

// Tables are the tables that a fight is decided by: those of the rule book, and what a
// situation gives to a blow.
type Tables struct {
	*body.RuleBook
	Situations *situation.Table[*Blow]
}

// TableSituations is the name of the table of situations.
const TableSituations = "situations"

// TableText is the text of a table that content can change.
func TableText(name string) (csv string, found bool) {
	if name != TableSituations && !slices.Contains(body.Tables, name) {
		return "", false
	}
	text, err := content.Book().Table(name)
	return text, err == nil
}

// LoadTables reads and checks the tables that content can change. By is the rule of
// content behind a row, counted from 0; nil means that all are the book's own.
func LoadTables(open func(name string) (string, error), by func(table string, row int) string) (*Tables, error) {
	none := &Tables{&body.RuleBook{}, &situation.Table[*Blow]{}}
	rows, err := open(TableSituations)
	if err != nil {
		return none, err
	}
	situations, err1 := situation.Read(rows, blowLimits)
	book, err2 := body.LoadTables(open, by)
	if err := errors.Join(err1, err2); err != nil {
		return none, fmt.Errorf("original: %w", err)
	}
	return &Tables{book, situations}, nil
}

// TablesOf are the tables as content has them.
func TablesOf(made *effects.Book) *Tables {
	if made == nil || !slices.ContainsFunc(append([]string{TableSituations}, body.Tables...), func(name string) bool { return made.Table(name) != nil }) {
		return Book
	}
	return made.Memo("original.tables", func() any {
		t, err := LoadTables(func(name string) (string, error) {
			if text, changed := house.Situations(made); changed && name == TableSituations {
				return text, nil
			}
			text, _ := made.TableText(name)
			return text, nil
		}, made.TableCite)
		if err != nil { // what is wrong with them was said when the pack was checked
			return Book
		}
		return t
	}).(*Tables)
}

// readBook reads every table of the rule book.
func readBook() (*Tables, error) {
	ConditionBook = &condition.Book{}
	text, err := content.Book().File("conditions.yaml")
	if err == nil {
		ConditionBook, err = condition.Read(text)
	}
	if err != nil {
		ConditionBook = &condition.Book{}
		return &Tables{&body.RuleBook{}, &situation.Table[*Blow]{}}, fmt.Errorf("original: %w", err)
	}
	return LoadTables(content.Book().Table, nil)
}

// Book is the tables as shipped. A bad table leaves it empty; bookError says
// why to whoever needs it, and the tests load the tables too.
var Book, BookError = readBook()
