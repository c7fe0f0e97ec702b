package original

import (
	"errors"
	"sync"

	content "github.com/skaldrpg/skald/pkg/content/original"
	"github.com/skaldrpg/skald/pkg/rules"
)

// words is the vocabulary as shipped; a bad table leaves none and says why.
var words = sync.OnceValues(func() (*rules.Vocabulary, error) {
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

// Vocabulary lists every word that commands may say in this system.
func (System) Vocabulary() *rules.Vocabulary {
	v, _ := words() // what is wrong with the table Validate says
	return v
}

// GMOnly tells whether only the game master may take an action: how monsters
// react and when their morale is tested is not theirs to choose.
//
// original.encounter.reaction-roll, original.morale.when
func (System) GMOnly(action string) bool { return action == actReaction || action == actCheckMorale }

// Validate says what is wrong with the embedded tables; nil when they hold.
func (System) Validate() error {
	_, err := words()
	return errors.Join(bookError, settings.Err(), err)
}

// conditions lists the conditions that a special attack may lay on its victim.
//
// original.critical.monster-special
func conditions() []string { return System{}.Vocabulary().Names(rules.PlaceCondition, "") }

// knownCondition tells whether a name is that of a condition.
func knownCondition(name string) bool {
	return System{}.Vocabulary().Find(rules.PlaceCondition, "", name) != nil
}
