package rules

import (
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/text"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Names of the numbers of a sheet that are alike in all systems, as Sheet.made_of
// has them.
const (
	// NumberArmor is what an attack must reach.
	NumberArmor = "armor-class"
	// NumberTouch is what a touch must reach.
	NumberTouch = "touch-armor-class"
	// NumberAttack begins the name of an attack's bonus; the attack's name follows.
	NumberAttack = "attack/"
)

// Numbered is a system that knows numbers of a sheet whose parts the sheet may list.
type Numbered interface {
	// SheetNumbers are those numbers, by name.
	SheetNumbers(sheet *eventv1.Sheet) map[string]int32
}

// SheetParts are the parts of a number of a sheet, each under the rule by which it
// counts: those that the sheet lists, or the number as one part that is called whole.
// Parts that do not come to the number are not told: a sheet that is made from another
// one may say the number anew.
func SheetParts(s *eventv1.Sheet, number string, value int32, whole, rule string) []*eventv1.Modifier {
	for _, m := range s.GetMadeOf() {
		if m.Number != number {
			continue
		}
		var out []*eventv1.Modifier
		sum := int32(0)
		for _, p := range m.Parts {
			sum += p.Value
			out = append(out, &eventv1.Modifier{Value: p.Value, Source: p.Source, Rule: rule})
		}
		if sum == value && len(out) > 0 {
			return out
		}
	}
	made := &struct { // at once
		one  eventv1.Modifier
		list [1]*eventv1.Modifier
	}{}
	made.one.Value, made.one.Source, made.one.Rule = value, whole, rule
	made.list[0] = &made.one
	return made.list[:]
}

// checkParts says which lists of parts on a sheet are of a number that there is not, are
// listed twice, are too long or name nothing.
func checkParts(sys System, s *eventv1.Sheet) (out []fault.Violation) {
	if len(s.MadeOf) == 0 {
		return nil
	}
	var numbers map[string]int32
	if by, ok := sys.(Numbered); ok {
		numbers = by.SheetNumbers(s)
	}
	seen := map[string]bool{}
	for i, m := range s.MadeOf {
		wrong := func(field, why string) {
			out = append(out, fault.Violation{Field: "sheet.made_of[" + itoa(i) + "]" + field, Description: why})
		}
		_, known := numbers[m.Number]
		switch {
		case !known:
			wrong(".number", "there is no such number on the sheet"+DidYouMean(m.Number, SortedKeys(numbers)))
		case seen[m.Number]:
			wrong(".number", "is listed twice")
		case len(m.Parts) > limits.SheetParts:
			wrong(".parts", "at most "+itoa(limits.SheetParts))
		}
		seen[m.Number] = true
		for j, p := range m.Parts {
			if err := text.Name(p.Source); err != nil {
				wrong(".parts["+itoa(j)+"].source", err.Error())
			}
		}
	}
	return out
}
