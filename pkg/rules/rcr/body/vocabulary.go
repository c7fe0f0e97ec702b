package body

import (
	"slices"
	"strconv"
	"strings"

	content "github.com/skaldrpg/skald/pkg/content/rcr"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/types/known/structpb"
)

// ReadWords reads the embedded table; its actions are those of the frame.
func ReadWords(actions []string) (*rules.Vocabulary, error) {
	text, err := content.Book().Table("words")
	if err != nil {
		return nil, err
	}
	return rules.ReadVocabulary(text, actions, Conditions.Words()...)
}

// KnownName says what is wrong with a name that is no word of a place; empty
// when it is one.
func KnownName(place, name string) string {
	v := Frame().Words
	if v.Find(place, "", name) != nil {
		return ""
	}
	names := v.Names(place, "")
	return strconv.Quote(name) + " is no " + place + rules.DidYouMean(name, names) + "; known are " + strings.Join(names, ", ")
}

// NoSuch refuses an item that is none of those known, with the near ones.
func NoSuch(field, word, what string, known []string) error {
	return fault.Field(field, "%q is no %s%s", word, what, rules.DidYouMean(word, known))
}

// NamesOf lists the names of things of a sheet.
func NamesOf[T interface{ GetName() string }](list []T) []string {
	if len(list) == 0 {
		return nil
	}
	names := make([]string, len(list))
	for i, x := range list {
		names[i] = x.GetName()
	}
	return names
}

// EdgeKinds are the kinds of sources of advantage and disadvantage that the
// fact "kinds" may rename, besides those of effects and those stated.
var EdgeKinds = []string{
	kindSight, kindFear, "prone/attacker", "restrained/attacker", "poisoned/attacker", "grappled/attacker", "crouching/attacker",
	"shackled/attacker", "crippled/attacker", "long range", "close enemy", "pack tactics", "grappler", "athlete", "mage slayer", "dungeon delver", "keen mind", "dim light", "help", "prone/target", "restrained/target",
	"paralyzed/target", "shackled/target", "stunned/target", "petrified/target", "unconscious/target", "crouching/target", "dodging/target",
	"shock", "crippled/source", "inspiration", "charmed", "size", "magic resistance", "heightened",
	"reckless/attacker", "reckless/target", TraitBloodFrenzy, TraitAmbusher, TraitAssassinate, "keen senses", TraitTwoHeaded, TraitBrave, TraitFeyAncestry,
	TraitDarkDevotion, "resilience", TraitSureFooted, TraitDangerSense, TraitGnomeCunning, LightSun,
	"descent", "upward", FeatAerialAce, FeatMightyWings,
	CondBlinded, CondCrouching, CondDeafened, CondDodging, CondPoisoned, CondProne, CondRestrained, CondShackled,
	"water/weapon", "water/fire", "water/shock", "underwater", "barding", "barding/stealth",
	"saddle", "squeezed", "squeezed/attacker", "squeezed/target", "heavy",
}

// CheckObjects says what is wrong with the facts that are objects: kinds of
// sources, and what weighs on opportunity attacks.
func CheckObjects(r *rules.Resolution, take *eventv1.TakeAction) error {
	kinds := take.GetFacts().GetFields()["kinds"].GetStructValue()
	for _, kind := range rules.SortedKeys(kinds.GetFields()) {
		field := "take.facts.kinds." + kind
		if !knownKind(r, take, kind) {
			return fault.Field(field, "%q is no kind of source%s; known are %s", kind, rules.DidYouMean(kind, EdgeKinds), strings.Join(EdgeKinds, ", "))
		}
		if !isText(kinds.Fields[kind]) {
			return fault.Field(field, "must be the name that it counts under")
		}
	}
	return FirstError(checkCovers(r, take), checkOpportunityFacts(r, take))
}

// knownKind tells whether a kind is one of the rules, one that a circumstance of
// the command has, or that of an effect ("blessed/ID").
func knownKind(r *rules.Resolution, take *eventv1.TakeAction, kind string) bool {
	name, id, _ := strings.Cut(kind, "/")
	return slices.Contains(EdgeKinds, kind) || r.Known(id) != nil && KnownName(rules.PlaceCondition, name) == "" ||
		slices.ContainsFunc(take.GetCircumstances(), func(c *eventv1.Circumstance) bool { return c.Kind == kind })
}

func isText(v *structpb.Value) bool {
	t, ok := v.GetKind().(*structpb.Value_StringValue)
	return ok && t.StringValue != ""
}

// CheckReadied refuses words that the action readied does not take: what use-ready
// takes is all that any of them does.
func CheckReadied(take *eventv1.TakeAction, what string) error {
	v := Frame().Words
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
				return NoSuch(said.field+"."+name, word, name+" of "+what, w.Values)
			}
		}
	}
	return nil
}

// CheckConditions says what is wrong with what the conditions of a creature say
// that they change.
func CheckConditions(c *eventv1.Creature) error {
	for _, x := range c.GetConditions() {
		for _, key := range rules.SortedKeys(x.Values) {
			if !knownValue(key) {
				return fault.Field("vitals.conditions["+x.Name+"].values["+key+"]", "no roll, number or defence of a creature%s",
					rules.DidYouMean(key, ConditionValues))
			}
			if n := x.Values[key]; n < -1000 || n > 1000 {
				return fault.Field("vitals.conditions["+x.Name+"].values["+key+"]", "must be -1000 to 1000, not %d", n)
			}
		}
	}
	return nil
}

// ConditionValues are values of conditions besides what they change, and the
// plain ones of those.
var ConditionValues = []string{"escape_dc", "concentration", "slot", ChOnce, ChArmor, ChArmorAtLeast, ChSpeed, chSpeedTimes, ChAttack, ChSave, ChCheck,
	ChInitiative, ChDamage, ValDepth, ChFlySpeed, ValBright, ValDim}

func knownValue(key string) bool {
	ability, saves := strings.CutPrefix(key, SaveEnds)
	return slices.Contains(ConditionValues, key) || saves && slices.Contains(Abilities, ability) || KnownChange(key)
}
