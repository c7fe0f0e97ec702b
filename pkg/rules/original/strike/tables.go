package strike

import (
	"errors"
	"fmt"

	content "github.com/skaldrpg/skald/pkg/content/original"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	"github.com/skaldrpg/skald/pkg/rules/play/condition"
	"github.com/skaldrpg/skald/pkg/rules/play/situation"
)

// conditionBook is the conditions of the rule book, situations what a situation gives
// to a blow. Tables that do not hold leave them empty; bookError says why.
var (
	ConditionBook *condition.Book
	Situations    *situation.Table[*Blow]
)

// readBook reads every table of the rule book.
func readBook() (*body.RuleBook, error) {
	ConditionBook, Situations = &condition.Book{}, &situation.Table[*Blow]{}
	text, err := content.Book().File("conditions.yaml")
	if err != nil {
		return &body.RuleBook{}, err
	}
	rows, err := content.Book().Table("situations")
	if err != nil {
		return &body.RuleBook{}, err
	}
	conditions, err1 := condition.Read(text)
	table, err2 := situation.Read(rows, blowLimits)
	if err := errors.Join(err1, err2); err != nil {
		return &body.RuleBook{}, fmt.Errorf("original: %w", err)
	}
	ConditionBook, Situations = conditions, table
	return body.LoadTables(content.Book().Table)
}

// Book is the tables as shipped. A bad table leaves it empty; bookError says
// why to whoever needs it, and the tests load the tables too.
var Book, BookError = readBook()
