package celesia

import (
	"sync"

	content "github.com/skaldrpg/skald/pkg/content/celesia"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// readWords reads the table of every word that commands may say; readying takes
// the words of whatever can be readied beside its own.
var readWords = sync.OnceValues(func() (*rules.Vocabulary, error) {
	table, err := content.Book().Table("words")
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, a := range actions() {
		ids = append(ids, a.id)
	}
	return rules.ReadVocabulary(table, ids)
})

var _ rules.Worded = System{}

// Vocabulary lists every word that commands may say.
func (System) Vocabulary() *rules.Vocabulary {
	v, err := readWords()
	if err != nil {
		return &rules.Vocabulary{} // Validate has said so: nothing starts with it
	}
	return v
}

// checkReadied refuses words that are some readied action's, and not this one's.
//
// celesia.action.ready
func checkReadied(a *action, inner *eventv1.TakeAction) error {
	v := System{}.Vocabulary()
	for _, name := range rules.SortedKeys(inner.Parameters.GetFields()) {
		if v.Find(rules.PlaceParameter, a.id, name) == nil || name == paramCommit {
			return unknownWord("take.parameters."+name, name, a, v.Names(rules.PlaceParameter, a.id))
		}
	}
	for _, name := range rules.SortedKeys(inner.Facts.GetFields()) {
		if v.Find(rules.PlaceFact, a.id, name) == nil {
			return unknownWord("take.facts."+name, name, a, v.Names(rules.PlaceFact, a.id))
		}
	}
	return nil
}

func unknownWord(field, word string, a *action, known []string) error {
	return fault.Field(field, "%q does not go with %s%s; what does is %v", word, a.id, rules.DidYouMean(word, known), known)
}

// describe adds to listed parameters whose matter they are and their bounds.
func describe(options []*eventv1.Option) {
	v := System{}.Vocabulary()
	for _, o := range options {
		for _, p := range o.Parameters {
			if w := v.Find(rules.PlaceParameter, o.Action, p.Name); w != nil {
				p.Type, p.Matter, p.Minimum, p.Maximum = w.Type, w.Matter, w.Least, w.Most
			}
		}
	}
}

// nameless refuses a word that names none of what is there.
func nameless(field, what, whose, word string, known []string) error {
	return fault.Field(field, "names no %s of %s%s", what, whose, rules.DidYouMean(word, known))
}
