package rcr

import (
	"slices"
	"strings"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// tendWord is a parameter of a deed between fights.
type tendWord struct {
	name, kind string
	values     []string
}

const anyType = "any" // the deed reads it in its own way

var (
	amountWord = tendWord{"amount", rules.TypeNumber, nil}
	restWords  = []tendWord{{"completed", rules.TypeBoolean, nil}, {"kit_available", rules.TypeBoolean, nil}, {"no_food", rules.TypeBoolean, nil},
		{"dice", anyType, nil}}
)

// tendWords are the parameters of the deeds between fights.
var tendWords = map[string][]tendWord{
	"treat": {{"via", rules.TypeString, []string{viaSpell, viaAbility, viaItem, viaKit, viaHands}}, amountWord, {"healing", rules.TypeString, nil},
		{"slot", rules.TypeNumber, nil}, {"rarity", rules.TypeString, rarities}, {"underwater", rules.TypeBoolean, nil},
		{"advantage", rules.TypeString, nil}, {"disadvantage", rules.TypeString, nil}, {"wounds", rules.TypeBoolean, nil}},
	"harm": {{"grade", rules.TypeString, []string{gradeMinor, gradeMajor}}, amountWord, {"dice", rules.TypeString, nil},
		{"type", rules.TypeString, damageTypes}, {"critical", rules.TypeBoolean, nil}, {"magical", rules.TypeBoolean, nil},
		{"silvered", rules.TypeBoolean, nil}, {"adamantine", rules.TypeBoolean, nil}, {"scar_die", rules.TypeString, nil},
		{"side", rules.TypeString, []string{"left", "right"}}, {"wound", rules.TypeString, nil}},
	"rest":       append([]tendWord{{"kind", rules.TypeString, []string{"short", "long"}}}, restWords...),
	"short-rest": restWords,
	"long-rest":  restWords,
	"pass-time":  {{"hours", rules.TypeNumber, nil}},
	"revive":     {amountWord},
	"set-mark":   {{"mark", rules.TypeString, nil}, {"value", rules.TypeString, nil}},
	"exhaust":    {{"levels", rules.TypeNumber, nil}},
	deedTempHP:   {amountWord},
}

// checkTend refuses parameters that a deed does not take, and values of another
// type.
func checkTend(c *eventv1.PatientCommand) error {
	said := c.GetParameters().GetFields()
	for _, name := range rules.SortedKeys(said) {
		field := "command.patient.parameters." + name
		words := tendWords[c.Deed]
		at := slices.IndexFunc(words, func(w tendWord) bool { return w.name == name })
		if at < 0 {
			var names []string
			for _, w := range words {
				names = append(names, w.name)
			}
			return fault.Field(field, "%q is no parameter of %s%s; known are %s", name, c.Deed, rules.DidYouMean(name, names), strings.Join(names, ", "))
		}
		if err := words[at].fits(field, c.GetParameters(), name); err != nil {
			return err
		}
	}
	return nil
}

func (w tendWord) fits(field string, said *structpb.Struct, name string) error {
	value := said.Fields[name].GetKind()
	switch w.kind {
	case rules.TypeBoolean:
		if _, ok := value.(*structpb.Value_BoolValue); !ok {
			return fault.Field(field, "must be true or false")
		}
	case rules.TypeNumber:
		if _, ok := spoken.Number(said, name); !ok {
			return fault.Field(field, "must be a whole number from -1000000 to 1000000")
		}
	case rules.TypeString:
		text, ok := value.(*structpb.Value_StringValue)
		switch {
		case !ok:
			return fault.Field(field, "must be text")
		case len(w.values) > 0 && !slices.Contains(w.values, text.StringValue):
			return noSuch(field, text.StringValue, name+", which is one of "+strings.Join(w.values, ", "), w.values)
		}
	}
	return nil
}
