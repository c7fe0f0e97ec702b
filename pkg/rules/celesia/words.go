package celesia

import (
	content "github.com/skaldrpg/skald/pkg/content/celesia"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// readWords reads the table of every word that commands may say; readying takes
// the words of whatever can be readied beside its own.
func readWords(actions []string) (*rules.Vocabulary, error) {
	table, err := content.Book().Table("words")
	if err != nil {
		return &rules.Vocabulary{}, err
	}
	v, err := rules.ReadVocabulary(table, actions, conditions.Words()...)
	if err != nil {
		return &rules.Vocabulary{}, err // Validate says so: nothing starts with it
	}
	return v, nil
}

var _ rules.Worded = System{}

// Vocabulary lists every word that commands may say.
func (System) Vocabulary() *rules.Vocabulary { return frame().Words }

// checkReadied refuses words that are some readied action's, and not this one's.
//
// celesia.action.ready
func checkReadied(a *action, inner *eventv1.TakeAction) error {
	v := frame().Words
	for _, name := range rules.SortedKeys(inner.Parameters.GetFields()) {
		if v.Find(rules.PlaceParameter, a.ID, name) == nil || name == paramCommit {
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

func unknownWord(field, word string, a *action, known []string) error {
	return fault.Field(field, "%q does not go with %s%s; what does is %v", word, a.ID, rules.DidYouMean(word, known), known)
}

// nameless refuses a word that names none of what is there.
func nameless(field, what, whose, word string, known []string) error {
	return fault.Field(field, "names no %s of %s%s", what, whose, rules.DidYouMean(word, known))
}
