package rules

import (
	"strconv"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/event"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// FactDistance is the name, in every system, of the fact that says how far two
// creatures are apart, in feet.
const FactDistance = "distance"

// Told names the roll in an event for an audience; nil when nothing was rolled, and
// when not all of the audience are told of the roll.
func (r Rolled) Told(audience *eventv1.Audience) *eventv1.RollRef {
	everyone := r.Audience.GetKind() == eventv1.Audience_KIND_EVERYONE
	if r.Ref == nil || !everyone && audience.GetKind() != eventv1.Audience_KIND_GM && !proto.Equal(r.Audience, audience) {
		return nil
	}
	return r.Ref
}

// UsedFacts are the facts of the world that an attack of one creature on another went
// by, for everyone: the distance in feet, stated or measured, and each fact that was
// stated, in the order of names. A distance to or from a creature whose place not
// everyone knows is left out, and so are facts that are lists: they name creatures.
func (r *Resolution) UsedFacts(facts *structpb.Struct, feet int32, known bool, ids ...string) []*eventv1.UsedFact {
	var out []*eventv1.UsedFact
	if _, stated := facts.GetFields()[FactDistance]; stated || known && r.placesShown(ids) {
		out = append(out, &eventv1.UsedFact{Name: FactDistance, Value: strconv.Itoa(int(feet)) + " feet", Stated: stated})
	}
	for _, name := range SortedKeys(facts.GetFields()) {
		if word := factWord(facts.Fields[name]); word != "" && name != FactDistance {
			out = append(out, &eventv1.UsedFact{Name: name, Value: word, Stated: true})
		}
	}
	return out
}

// placesShown tells whether everyone sees where creatures stand.
func (r *Resolution) placesShown(ids []string) bool {
	for _, id := range ids {
		if r.Audience(FactPosition, "", id).GetKind() != event.Everyone().Kind || r.Creature(id).GetStaged() {
			return false
		}
	}
	return true
}

// factWord is a fact in words; empty for one that is a list, an object or nothing.
func factWord(v *structpb.Value) string {
	switch k := v.GetKind().(type) {
	case *structpb.Value_BoolValue:
		return strconv.FormatBool(k.BoolValue)
	case *structpb.Value_NumberValue:
		return strconv.Itoa(int(k.NumberValue))
	case *structpb.Value_StringValue:
		return k.StringValue
	}
	return ""
}

// Factored is one step by which a number changes after its roll: times and over 0 leave
// it, plus is added last. The step is nil when the number stays as it is.
func Factored(before, times, over, plus int32, source, rule string) (after int32, step *eventv1.Factor) {
	after = before
	if times != 0 {
		after *= times
	}
	if over != 0 {
		after /= over
	}
	after += plus
	if times <= 1 && over <= 1 && plus == 0 && after == before {
		return after, nil
	}
	return after, &eventv1.Factor{Before: before, Times: times, Over: over, Plus: plus, After: after, Source: source, Rule: rule}
}

// Factor changes what was rolled of a part of damage by one step, as [Factored] has it,
// and writes the step down.
func Factor(p *eventv1.DamagePart, times, over, plus int32, source, rule string) {
	after, step := Factored(p.Rolled, times, over, plus, source, rule)
	if p.Rolled = after; step != nil {
		p.Factors = append(p.Factors, step)
	}
}
