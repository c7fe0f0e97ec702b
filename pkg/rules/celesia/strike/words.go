package strike

import (
	content "github.com/skaldrpg/skald/pkg/content/celesia"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// ReadWords reads the table of every word that commands may say; readying takes
// the words of whatever can be readied beside its own.
func ReadWords(actions []string) (*rules.Vocabulary, error) {
	table, err := content.Book().Table("words")
	if err != nil {
		return &rules.Vocabulary{}, err
	}
	v, err := rules.ReadVocabulary(table, actions, Conditions.Words()...)
	if err != nil {
		return &rules.Vocabulary{}, err // Validate says so: nothing starts with it
	}
	return v, nil
}

// checkReadied refuses words that are some readied action's, and not this one's.
//
// celesia.action.ready
func checkReadied(a *Action, inner *eventv1.TakeAction) error {
	v := checks.Frame().Words
	for _, name := range rules.SortedKeys(inner.Parameters.GetFields()) {
		if v.Find(rules.PlaceParameter, a.ID, name) == nil {
			return unknownWord("take.parameters."+name, name, a, v.Names(rules.PlaceParameter, a.ID))
		}
	}
	for _, name := range rules.SortedKeys(inner.Facts.GetFields()) {
		if v.Find(rules.PlaceFact, a.ID, name) == nil {
			return unknownWord("take.facts."+name, name, a, v.Names(rules.PlaceFact, a.ID))
		}
	}
	return nil
}

func unknownWord(field, word string, a *Action, known []string) error {
	return fault.Field(field, "%q does not go with %s%s; what does is %v", word, a.ID, rules.DidYouMean(word, known), known)
}
