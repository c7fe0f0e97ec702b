package spark

import (
	"errors"
	"slices"
	"strings"
	"sync"

	content "github.com/skaldrpg/skald/pkg/content/spark"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// words is the vocabulary as shipped; a bad table leaves none and says why. A
// counterspell and an opportunity attack are answers: as actions they are
// refused, in words of their own.
var words = sync.OnceValues(func() (*rules.Vocabulary, error) {
	table, err := content.Book().Table("words")
	if err != nil {
		return nil, err
	}
	return rules.ReadVocabulary(table, append(slices.Clone(kinds), actFree, actSpeak, actDrop, decCounterspell, decOpportunity))
})

// Vocabulary lists every word that commands may say in this system.
func (System) Vocabulary() *rules.Vocabulary {
	v, _ := words() // what is wrong with the table Validate says
	return v
}

// Validate says what is wrong with the embedded tables; nil when they hold.
func (System) Validate() error {
	_, err := words()
	return errors.Join(bookError, settings.Err(), err)
}

// ofAttacks are the facts that bear on nothing but attacks with weapons.
var ofAttacks = []string{"distance", "behind", "nearest", "near", "in_range", "direction"}

// unread refuses facts that a declaration without attacks would pass over.
func (d *declaration) unread(take *eventv1.TakeAction) error {
	if attacks(d.Kind) || d.Kind == kindCast || d.Bonus.is("off-hand") {
		return nil
	}
	for _, key := range ofAttacks {
		if take.GetFacts().GetFields()[key] != nil {
			return fault.Field("take.facts."+key, "a %s without an off-hand attack has no use for it", d.Kind)
		}
	}
	return nil
}

// checkVitals refuses what is said of weapons, items and abilities that one who
// comes in does not have. The record of a patient may know of what a new sheet
// has no more.
func checkVitals(add *eventv1.AddCreature) error {
	if add.Sheet.Patient != "" {
		return nil
	}
	c, v := &eventv1.Creature{Sheet: add.Sheet}, add.GetVitals()
	weapons := weaponNames(c)
	if err := rules.Named("add.vitals.counters", rules.SortedKeys(v.GetCounters()), map[string][]string{cChip: weapons, cMissiles: weapons,
		cSpent: weapons, cCrackedMissiles: weapons, cSpilled: weapons, cRestring: weapons, cUses: itemNames(c), cDrained: abilities, cLost: abilities}); err != nil {
		return err
	}
	return rules.Named("add.vitals.marks", rules.SortedKeys(v.GetMarks()), map[string][]string{mWeapon: weapons, mStuck: weapons, mString: weapons})
}

// checkWord refuses the name of a counter or mark that the rules do not know.
func checkWord(field, place, name string) error {
	v := System{}.Vocabulary()
	if v.Find(place, "", name) != nil {
		return nil
	}
	known := v.Names(place, "")
	return fault.Field(field, "%q is not one of %s%s", name, strings.Join(known, ", "), rules.DidYouMean(name, known))
}
