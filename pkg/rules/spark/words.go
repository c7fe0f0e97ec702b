package spark

import (
	"slices"
	"strings"
	"sync"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// words is the vocabulary as shipped; a bad table leaves none and says why. A
// counterspell and an opportunity attack are answers: as actions they are
// refused, in words of their own.
var words = sync.OnceValues(func() (*rules.Vocabulary, error) {
	table, err := tableFiles.ReadFile("tables/words.csv")
	if err != nil {
		return nil, err
	}
	return rules.ReadVocabulary(string(table), append(slices.Clone(kinds), actFree, actSpeak, actDrop, decCounterspell, decOpportunity))
})

// Vocabulary lists every word that commands may say in this system.
func (System) Vocabulary() *rules.Vocabulary {
	v, _ := words() // what is wrong with the table Validate says
	return v
}

// Validate says what is wrong with the embedded tables; nil when they hold.
func (System) Validate() error {
	if bookError != nil {
		return bookError
	}
	_, err := words()
	return err
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

// says is how a parameter of a deed between fights is said.
type says string

const (
	aWord   says = "a string"
	aTruth  says = "true or false"
	aNumber says = "a whole number"
	either  says = "a string or a whole number"
)

// saidTending is what may be said with each deed between fights.
var saidTending = map[string]map[string]says{
	"harm":           {"amount": aNumber, "type": aWord},
	"heal":           {"amount": aNumber, "natural": aTruth},
	"pass-time":      {"hours": aNumber},
	"recover-levels": {"bed": aTruth},
	"rest":           {"kind": aWord, "dice": aNumber, "place": aWord, "ability": aWord, "interrupted": aTruth, "minutes": aNumber},
	"restore":        {"levels": aNumber, "points": aNumber, "ability": aWord, "injury": aWord},
	"set":            {"counter": aWord, "mark": aWord, "value": either},
	"set-bone":       {"injury": aWord, "dc": aNumber},
	"stop-bleeding":  {"dc": aNumber},
}

// checkSaid refuses what is said with a deed between fights in a way that nobody
// would hear. A null is as if nothing were said.
func checkSaid(c *eventv1.PatientCommand) error {
	const field = "command.patient.parameters."
	said, known := c.GetParameters(), saidTending[c.GetDeed()]
	for _, name := range rules.SortedKeys(said.GetFields()) {
		if err := rules.OneOf(field+name, name, rules.SortedKeys(known)); err != nil {
			return err
		}
		if want := known[name]; !want.fits(said, name) {
			return fault.Field(field+name, "must be %s", string(want))
		}
	}
	return nil
}

// fits tells whether a value is said in this way.
func (k says) fits(said *structpb.Struct, name string) bool {
	_, number := spoken.Number(said, name)
	switch said.GetFields()[name].GetKind().(type) {
	case *structpb.Value_NullValue:
		return true
	case *structpb.Value_StringValue:
		return k == aWord || k == either
	case *structpb.Value_BoolValue:
		return k == aTruth
	case *structpb.Value_NumberValue:
		return number && (k == aNumber || k == either)
	}
	return false
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
