package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/rules/csvtable"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	"github.com/skaldrpg/skald/pkg/text"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Places where a word is said.
const (
	// PlaceParameter is TakeAction.parameters.
	PlaceParameter = "parameter"
	// PlaceFact is TakeAction.facts.
	PlaceFact = "fact"
	// PlaceJoin is AddCreature.facts.
	PlaceJoin = "join"
	// PlaceStart is StartEncounter.facts.
	PlaceStart = "start"
	// PlaceDeed is PatientCommand.parameters; its actions are deeds.
	PlaceDeed = "deed"
	// PlaceCounter, PlaceMark, PlaceCondition and PlaceInjury are names in Vitals.
	PlaceCounter   = "counter"
	PlaceMark      = "mark"
	PlaceCondition = "condition"
	PlaceInjury    = "injury"
	// PlaceRelation and PlaceBegun are kinds of relations and of things begun.
	PlaceRelation = "relation"
	PlaceBegun    = "begun"
)

// Types of words.
const (
	TypeString    = "string"    // text, or one of the values where there are any
	TypeStrings   = "strings"   // a list of such, or one alone
	TypeNumber    = "number"    // a whole number
	TypeBoolean   = "boolean"   // true or false
	TypePath      = "path"      // a list of positions; said in TakeAction.path
	TypeCreature  = "creature"  // the id of a creature of the fight
	TypeCreatures = "creatures" // a list of such, or one alone
	TypeObject    = "object"    // names with values; the system checks what is in it
	TypeAny       = "any"       // of several types; the system checks it
)

// Matters: whose it is to say.
const (
	// MatterActor is for whoever plays the creature: grip, stance, how hard it strikes.
	MatterActor = "actor"
	// MatterWorld is for the game master: cover, light, who stands beside whom.
	MatterWorld = "world"
)

// maxSaid bounds a text that is said, in bytes.
const maxSaid = limits.SaidBytes

// maxMost bounds a number that is said, either way from 0.
const maxMost = 1_000_000

// Word is one thing that a command can say beyond its fixed fields.
type Word struct {
	// Place where it is said.
	Place string
	// Actions (of a deed's word: deeds) that take it; none means every action.
	// Only for parameters, facts and deeds.
	Actions []string
	// Name of it; one that ends in "." or "/" is the beginning of names.
	Name string
	// Type of its value.
	Type string
	// Values allowed; none means any of the type. For an injury: the parts of
	// the body that it can have.
	Values []string
	// Sides of the body that an injury can have; none means any.
	Sides []string
	// Least and Most bound a number; both 0 means that nothing is fixed.
	Least, Most int32
	// Matter says whose it is to say.
	Matter string
	// Text is for people.
	Text string
	// Rule behind it, if any.
	Rule string
}

// Vocabulary is everything that commands may say in a rule system. What is not
// in it is refused, with the words that are.
type Vocabulary struct {
	// Actions are the ids of all actions, those that only the game master calls
	// included.
	Actions []string
	// Words in the order of the table.
	Words []Word

	said map[string]map[string]*Word // place + "/" + action, name
}

// vocabularyHeading is the first line of a vocabulary's table. Lists in a cell
// are separated by "|"; in the column actions "*" means all.
const vocabularyHeading = "place,actions,name,type,values,sides,least,most,matter,rule,text"

// ReadVocabulary reads the table of a system; more are words that stand elsewhere in
// its book, such as its conditions. The error names the row.
func ReadVocabulary(table string, actions []string, more ...Word) (*Vocabulary, error) {
	v := &Vocabulary{Actions: slices.Sorted(slices.Values(actions)), said: map[string]map[string]*Word{}}
	if _, err := csvtable.Read(table, vocabularyHeading, func(cells []string) error {
		w, err := v.word(cells)
		if err == nil {
			v.Words = append(v.Words, w)
		}
		return err
	}); err != nil {
		return nil, fmt.Errorf("rules: vocabulary: %w", err)
	}
	for _, w := range more {
		if err := w.holds(v.Actions); err != nil {
			return nil, fmt.Errorf("rules: vocabulary: %s %s: %w", w.Place, w.Name, err)
		}
		v.Words = append(v.Words, w)
	}
	for i := range v.Words {
		if err := v.index(&v.Words[i]); err != nil {
			return nil, fmt.Errorf("rules: vocabulary: row %d: %w", i+1, err)
		}
	}
	return v, nil
}

func (v *Vocabulary) word(cells []string) (Word, error) {
	w := Word{Place: cells[0], Name: cells[2], Type: cells[3], Matter: cells[8], Rule: cells[9], Text: cells[10]}
	if cells[1] != "*" && cells[1] != "" {
		w.Actions = strings.Split(cells[1], "|")
	}
	if cells[4] != "" {
		w.Values = strings.Split(cells[4], "|")
	}
	if cells[5] != "" {
		w.Sides = strings.Split(cells[5], "|")
	}
	for _, bound := range []struct {
		cell string
		into *int32
	}{{cells[6], &w.Least}, {cells[7], &w.Most}} {
		if bound.cell == "" {
			continue
		}
		n, err := csvtable.Int(bound.cell)
		if err != nil {
			return w, err
		}
		*bound.into = n
	}
	return w, w.holds(v.Actions)
}

// holds says what is wrong with a row.
func (w Word) holds(actions []string) error {
	places := []string{PlaceParameter, PlaceFact, PlaceJoin, PlaceStart, PlaceDeed, PlaceCounter, PlaceMark, PlaceCondition, PlaceInjury, PlaceRelation, PlaceBegun}
	types := []string{TypeString, TypeStrings, TypeNumber, TypeBoolean, TypePath, TypeCreature, TypeCreatures, TypeObject, TypeAny}
	switch {
	case !slices.Contains(places, w.Place):
		return fmt.Errorf("place %q is not one of %v", w.Place, places)
	case w.Name == "" || w.Text == "":
		return fmt.Errorf("name or text missing")
	case !slices.Contains(types, w.Type):
		return fmt.Errorf("type %q is not one of %v", w.Type, types)
	case w.Matter != MatterActor && w.Matter != MatterWorld:
		return fmt.Errorf("matter %q is neither actor nor world", w.Matter)
	case w.Least > w.Most:
		return fmt.Errorf("%d to %d", w.Least, w.Most)
	case w.Place == PlaceDeed && len(w.Actions) == 0:
		return fmt.Errorf("a deed's word names its deeds")
	case w.Place == PlaceDeed:
		return nil
	case len(w.Actions) > 0 && w.Place != PlaceParameter && w.Place != PlaceFact:
		return fmt.Errorf("%s takes no actions", w.Place)
	}
	for _, a := range w.Actions {
		if !slices.Contains(actions, a) {
			return fmt.Errorf("there is no action %q", a)
		}
	}
	return nil
}

func (v *Vocabulary) index(w *Word) error {
	actions := w.Actions
	if len(actions) == 0 {
		actions = []string{""}
		if w.Place == PlaceParameter || w.Place == PlaceFact {
			actions = v.Actions
		}
	}
	for _, a := range actions {
		key := w.Place + "/" + a
		if v.said[key] == nil {
			v.said[key] = map[string]*Word{}
		}
		if v.said[key][w.Name] != nil {
			return fmt.Errorf("%s %q of action %q twice", w.Place, w.Name, a)
		}
		v.said[key][w.Name] = w
	}
	return nil
}

// Find finds a word; nil when there is none. The action is empty but for
// parameters and facts.
func (v *Vocabulary) Find(place, action, name string) *Word {
	known := v.said[place+"/"+action]
	if w := known[name]; w != nil {
		return w
	}
	var found *Word
	// order-free: the longest beginning is taken, and no two are equally long
	for begin, w := range known {
		if (strings.HasSuffix(begin, ".") || strings.HasSuffix(begin, "/")) && strings.HasPrefix(name, begin) &&
			(found == nil || len(begin) > len(found.Name)) {
			found = w
		}
	}
	return found
}

// knowsDeeds tells whether the vocabulary lists the words of deeds.
func (v *Vocabulary) knowsDeeds() bool {
	return slices.ContainsFunc(v.Words, func(w Word) bool { return w.Place == PlaceDeed })
}

// Names lists the words of a place in order.
func (v *Vocabulary) Names(place, action string) []string {
	return SortedKeys(v.said[place+"/"+action])
}

// Parameters lists the words of a place as options show them, by name.
func (v *Vocabulary) Parameters(place, action string) []*eventv1.Parameter {
	var out []*eventv1.Parameter
	for _, name := range v.Names(place, action) {
		out = append(out, v.said[place+"/"+action][name].Parameter())
	}
	return out
}

// Parameter is the word as options and lists show it.
func (w *Word) Parameter() *eventv1.Parameter {
	p := &eventv1.Parameter{Name: w.Name, Type: w.Type, Text: w.Text, Matter: w.Matter, Minimum: w.Least, Maximum: w.Most}
	for _, value := range w.Values {
		p.Values = append(p.Values, structpb.NewStringValue(value))
	}
	return p
}

// unknown refuses a name that is no word, with those that are.
func (v *Vocabulary) unknown(field, place, action, name string) *fault.Fault {
	known := v.Names(place, action)
	what, of := "it takes none", place+" here"
	if len(known) > 0 {
		what = "known are " + strings.Join(known, ", ")
	}
	if place == PlaceDeed {
		of = "parameter of " + action
	}
	return fault.Field(field, "%s is no %s%s; %s", strconv.Quote(name), of, DidYouMean(name, known), what)
}

// check refuses what an object says that is no word of the place, or is of
// another type. exists tells which creatures the speaker knows of.
func (v *Vocabulary) check(field, place, action string, said *structpb.Struct, exists func(id string) bool) error {
	for _, name := range SortedKeys(said.GetFields()) {
		w := v.Find(place, action, name)
		if w == nil {
			return v.unknown(field+"."+name, place, action, name)
		}
		if err := w.fits(field+"."+name, said.Fields[name], exists); err != nil {
			return err
		}
	}
	return nil
}

// fits refuses a value that is not of the word's type or not allowed.
func (w *Word) fits(field string, value *structpb.Value, exists func(id string) bool) error {
	switch w.Type {
	case TypeBoolean:
		if _, ok := value.GetKind().(*structpb.Value_BoolValue); !ok {
			return fault.Field(field, "must be true or false")
		}
	case TypeNumber:
		n, ok := spoken.Whole(value)
		least, most := int32(-maxMost), int32(maxMost)
		if w.Least != 0 || w.Most != 0 {
			least, most = w.Least, w.Most
		}
		if !ok || n < least || n > most {
			return fault.Field(field, "must be a whole number from %d to %d", least, most)
		}
	case TypeString, TypeCreature:
		return w.fitsText(field, value, exists)
	case TypeStrings, TypeCreatures:
		list, ok := value.GetKind().(*structpb.Value_ListValue)
		if !ok {
			return w.fitsText(field, value, exists)
		}
		if n := len(list.ListValue.GetValues()); n > MaxCreatures {
			return fault.Field(field, "at most %d", MaxCreatures)
		}
		for i, one := range list.ListValue.GetValues() {
			if err := w.fitsText(field+"["+itoa(i)+"]", one, exists); err != nil {
				return err
			}
		}
	case TypeObject:
		if _, ok := value.GetKind().(*structpb.Value_StructValue); !ok {
			return fault.Field(field, "must be an object of names with values")
		}
	case TypePath:
		return fault.Field(field, "is given in take.path")
	case TypeAny:
		if s, ok := value.GetKind().(*structpb.Value_StringValue); ok && text.Line(s.StringValue, maxSaid) != nil {
			return fault.Field(field, "%v", text.Line(s.StringValue, maxSaid))
		}
	}
	return nil
}

func (w *Word) fitsText(field string, value *structpb.Value, exists func(id string) bool) error {
	s, ok := value.GetKind().(*structpb.Value_StringValue)
	switch {
	case !ok:
		return fault.Field(field, "must be text")
	case text.Line(s.StringValue, maxSaid) != nil:
		return fault.Field(field, "%v", text.Line(s.StringValue, maxSaid))
	case w.Type == TypeCreature || w.Type == TypeCreatures:
		if !exists(s.StringValue) {
			return fault.New(fault.NotFound, "UNKNOWN_CREATURE", "%s: there is no creature %q", field, s.StringValue)
		}
	case len(w.Values) > 0 && !slices.Contains(w.Values, s.StringValue):
		return fault.Field(field, "%q is not one of %s%s", s.StringValue, strings.Join(w.Values, ", "), DidYouMean(s.StringValue, w.Values))
	}
	return nil
}
