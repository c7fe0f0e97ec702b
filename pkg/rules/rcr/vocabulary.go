package rcr

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"google.golang.org/protobuf/types/known/structpb"

	content "github.com/skaldrpg/skald/pkg/content/rcr"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

var _ rules.Worded = System{}

// Vocabulary lists every word that commands may say by these rules. It is empty
// where the table does not hold, which Validate says.
func (System) Vocabulary() *rules.Vocabulary {
	v, err := words()
	if err != nil {
		return &rules.Vocabulary{}
	}
	return v
}

// words is the vocabulary of the embedded table; its actions are those of the
// action table.
var words = sync.OnceValues(func() (*rules.Vocabulary, error) {
	text, err := content.Book().Table("words")
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, a := range actions() {
		ids = append(ids, a.id)
	}
	return rules.ReadVocabulary(text, ids)
})

// knownName says what is wrong with a name that is no word of a place; empty
// when it is one.
func knownName(place, name string) string {
	v := System{}.Vocabulary()
	if v.Find(place, "", name) != nil {
		return ""
	}
	names := v.Names(place, "")
	return strconv.Quote(name) + " is no " + place + rules.DidYouMean(name, names) + "; known are " + strings.Join(names, ", ")
}

// noSuch refuses an item that is none of those known, with the near ones.
func noSuch(field, word, what string, known []string) error {
	return fault.Field(field, "%q is no %s%s", word, what, rules.DidYouMean(word, known))
}

// namesOf lists the names of things of a sheet.
func namesOf[T interface{ GetName() string }](list []T) (names []string) {
	for _, x := range list {
		names = append(names, x.GetName())
	}
	return names
}

// edgeKinds are the kinds of sources of advantage and disadvantage that the
// fact "kinds" may rename, besides those of effects and those stated.
var edgeKinds = []string{
	kindSight, kindFear, "prone/attacker", "restrained/attacker", "poisoned/attacker", "grappled/attacker", "crouching/attacker",
	"shackled/attacker", "crippled/attacker", "long range", "close enemy", "pack tactics", "help", "prone/target", "restrained/target",
	"paralyzed/target", "shackled/target", "stunned/target", "petrified/target", "unconscious/target", "crouching/target", "dodging/target",
	"shock", "crippled/source", "inspiration", "charmed", "size", "magic resistance",
	condBlinded, condCrouching, condDeafened, condDodging, condPoisoned, condProne, condRestrained, condShackled,
}

// checkObjects says what is wrong with the facts that are objects: kinds of
// sources, and what weighs on opportunity attacks.
func checkObjects(r *rules.Resolution, take *eventv1.TakeAction) error {
	kinds := take.GetFacts().GetFields()["kinds"].GetStructValue()
	for _, kind := range rules.SortedKeys(kinds.GetFields()) {
		field := "take.facts.kinds." + kind
		if !knownKind(r, take, kind) {
			return fault.Field(field, "%q is no kind of source%s; known are %s", kind, rules.DidYouMean(kind, edgeKinds), strings.Join(edgeKinds, ", "))
		}
		if !isText(kinds.Fields[kind]) {
			return fault.Field(field, "must be the name that it counts under")
		}
	}
	return checkOpportunityFacts(r, take)
}

// knownKind tells whether a kind is one of the rules, one that a circumstance of
// the command has, or that of an effect ("blessed/ID").
func knownKind(r *rules.Resolution, take *eventv1.TakeAction, kind string) bool {
	name, id, of := strings.Cut(kind, "/")
	return slices.Contains(edgeKinds, kind) || of && r.Known(id) != nil && knownName(rules.PlaceCondition, name) == "" ||
		slices.ContainsFunc(take.GetCircumstances(), func(c *eventv1.Circumstance) bool { return c.Kind == kind })
}

func isText(v *structpb.Value) bool {
	t, ok := v.GetKind().(*structpb.Value_StringValue)
	return ok && t.StringValue != ""
}

// checkReadied refuses words that the action readied does not take: what use-ready
// takes is all that any of them does.
func checkReadied(take *eventv1.TakeAction, what string) error {
	v := System{}.Vocabulary()
	for _, said := range []struct {
		field, place string
		words        *structpb.Struct
	}{{"take.parameters", rules.PlaceParameter, take.Parameters}, {"take.facts", rules.PlaceFact, take.Facts}} {
		for _, name := range rules.SortedKeys(said.words.GetFields()) {
			w := v.Find(said.place, what, name)
			if w == nil {
				return fault.Field(said.field+"."+name, "%q is no %s of %s, which was readied", name, said.place, what)
			}
			if word := said.words.Fields[name].GetStringValue(); len(w.Values) > 0 && !slices.Contains(w.Values, word) {
				return noSuch(said.field+"."+name, word, name+" of "+what, w.Values)
			}
		}
	}
	return nil
}

// checkConditions says what is wrong with what the conditions of a creature say
// that they change.
func checkConditions(c *eventv1.Creature) error {
	for _, x := range c.GetConditions() {
		for _, key := range rules.SortedKeys(x.Values) {
			if !knownValue(key) {
				return fault.Field("vitals.conditions["+x.Name+"].values["+key+"]", "no roll, number or defence of a creature%s",
					rules.DidYouMean(key, conditionValues))
			}
			if n := x.Values[key]; n < -1000 || n > 1000 {
				return fault.Field("vitals.conditions["+x.Name+"].values["+key+"]", "must be -1000 to 1000, not %d", n)
			}
		}
	}
	return nil
}

// conditionValues are values of conditions besides what they change, and the
// plain ones of those.
var conditionValues = []string{"escape_dc", "concentration", "slot", chOnce, chArmor, chArmorAtLeast, chSpeed, chSpeedTimes, chAttack, chSave, chCheck,
	chInitiative, chDamage}

func knownValue(key string) bool {
	ability, saves := strings.CutPrefix(key, saveEnds)
	return slices.Contains(conditionValues, key) || saves && slices.Contains(abilities, ability) || knownChange(key)
}
