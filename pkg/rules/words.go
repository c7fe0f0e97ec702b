package rules

import (
	"slices"
	"strings"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Worded is a system that lists every word that its commands know. The five
// systems do; one that does not takes whatever it is told.
type Worded interface {
	// Vocabulary lists the words; it is made once and never changes.
	Vocabulary() *Vocabulary
}

// VocabularyOf is a system's vocabulary; nil when it has none.
func VocabularyOf(sys System) *Vocabulary {
	if w, ok := sys.(Worded); ok {
		return w.Vocabulary()
	}
	return nil
}

// unknownCreature refuses an id that names nobody whom the speaker knows of,
// with those that may have been meant.
func (r *Resolution) unknownCreature(field, id string) error {
	return fault.New(fault.NotFound, "UNKNOWN_CREATURE", "%s: there is no creature %q%s", field, id, r.meant(id))
}

// meant is the end of a message on an unknown creature: the one of that name,
// or those with near ids.
func (r *Resolution) meant(word string) string {
	var known []string
	for _, id := range r.CreatureIDs() {
		c := r.Known(id)
		if c == nil {
			continue
		}
		if strings.EqualFold(c.Name, word) {
			return ", did you mean " + id + " (" + c.Name + ")?"
		}
		known = append(known, id)
	}
	return DidYouMean(word, known)
}

// checkWords refuses what an object says that is no word of the place.
func (r *Resolution) checkWords(field, place, action string, said *structpb.Struct) error {
	v := VocabularyOf(r.sys)
	if v == nil {
		return nil
	}
	return v.check(field, place, action, said, func(id string) bool { return r.named(id) != nil })
}

// checkAction refuses an action that the system does not have and words that
// the action does not take.
func (r *Resolution) checkAction(c *eventv1.TakeAction) error {
	v := VocabularyOf(r.sys)
	if v == nil {
		return nil
	}
	if !slices.Contains(v.Actions, c.Action) {
		return fault.Field("take.action", "%s has no action %q%s", r.sys.Info().ID, c.Action, DidYouMean(c.Action, v.Actions))
	}
	if err := r.checkWords("take.parameters", PlaceParameter, c.Action, c.Parameters); err != nil {
		return err
	}
	return r.checkWords("take.facts", PlaceFact, c.Action, c.Facts)
}

// checkVitals refuses counters, marks, conditions and injuries that the system
// does not know.
func (r *Resolution) checkVitals(field string, v *eventv1.Vitals) error {
	words := VocabularyOf(r.sys)
	if words == nil || v == nil {
		return nil
	}
	name := func(field, place, name string) error {
		if words.Find(place, "", name) == nil {
			return words.unknown(field, place, "", name)
		}
		return nil
	}
	for _, n := range SortedKeys(v.Counters) {
		if err := name(field+".counters["+n+"]", PlaceCounter, n); err != nil {
			return err
		}
	}
	for _, n := range SortedKeys(v.Marks) {
		if err := name(field+".marks["+n+"]", PlaceMark, n); err != nil {
			return err
		}
	}
	for i, c := range v.Conditions {
		if r.req.Content.Entry(effects.Conditions, c.GetName()) != nil {
			continue // a condition of the table's own
		}
		if err := name(field+".conditions["+itoa(i)+"].name", PlaceCondition, c.GetName()); err != nil {
			return err
		}
	}
	for i, in := range v.Injuries {
		at := field + ".injuries[" + itoa(i) + "]"
		if r.req.Content.Entry(effects.Injuries, in.GetKind()) != nil {
			continue
		}
		if err := name(at+".kind", PlaceInjury, in.GetKind()); err != nil {
			return err
		}
		if err := words.Find(PlaceInjury, "", in.Kind).fitsBody(at, in); err != nil {
			return err
		}
	}
	for i, rel := range v.Relations {
		if err := name(field+".relations["+itoa(i)+"].kind", PlaceRelation, rel.GetKind()); err != nil {
			return err
		}
	}
	return nil
}

// fitsBody refuses a part or a side of the body that an injury cannot have.
func (w *Word) fitsBody(field string, in *eventv1.Injury) error {
	if in.Part != "" && len(w.Values) > 0 && !slices.Contains(w.Values, in.Part) {
		if slices.Contains(w.Sides, in.Part) {
			return fault.Field(field+".part", "%q is a side; give it as side", in.Part)
		}
		return fault.Field(field+".part", "%q is not one of %s%s", in.Part, strings.Join(w.Values, ", "), DidYouMean(in.Part, w.Values))
	}
	if in.Side != "" && len(w.Sides) > 0 && !slices.Contains(w.Sides, in.Side) {
		return fault.Field(field+".side", "%q is not one of %s%s", in.Side, strings.Join(w.Sides, ", "), DidYouMean(in.Side, w.Sides))
	}
	return nil
}
