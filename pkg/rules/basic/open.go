package basic

import (
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func openActions() []*action {
	return []*action{
		{id: "feat", title: "Perform a feat", rule: "basic.action.perform-feat", kinds: []string{kindFeat}, costs: true,
			parameters: openParameters, do: doOpen},
		{id: "other", title: "Do something else", rule: "basic.action.other", kinds: []string{kindOther}, costs: true,
			parameters: openParameters, do: doOpen},
	}
}

func openParameters(*eventv1.State, *eventv1.Creature) []*eventv1.Parameter {
	return []*eventv1.Parameter{{Name: "text", Type: "string", Required: true, Text: "What is done"},
		{Name: "dc", Type: "number", Text: "DC of a Dexterity check, where the game master asks for one"}}
}

// doOpen does what the list of actions does not name; the game master's word or
// a check decides.
//
// basic.action.perform-feat, basic.action.other, basic.dice.dc-check
func doOpen(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	text := word(take.Parameters, "text")
	if text == "" || len(text) > 1000 {
		return fault.Field("take.parameters.text", "must say what is done, in at most 1000 bytes")
	}
	rule := "basic.action.other"
	if take.Action == "feat" {
		rule = "basic.action.perform-feat"
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Notes: []string{text}}, rule)
	spend(r, c.Id, take.Action, rule)
	if dc, ok := number(take.Parameters, "dc"); ok {
		r.Roll(rules.RollSpec{Label: "check/" + c.Id, Creature: c.Id, Expression: "1d20", Reason: text,
			Modifiers: checkModifiers(c, sheetOf(c).DexterityModifier, "Dexterity"), Target: &eventv1.TargetNumber{Kind: "DC", Value: dc},
			Rules: []string{rule, "basic.dice.dc-check"}})
	}
	return nil
}
