package basic

import (
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// others are the declarations that leave room for what the list does not name: who
// holds has not said what it will do.
var others = []string{kindOther, kindHold}

func openActions() []*action {
	return []*action{
		{id: "feat", title: "Perform a feat", rule: cite.ActionPerformFeat, kinds: []string{kindFeat, kindHold}, costs: true,
			parameters: openParameters, do: doOpen},
		{id: "other", title: "Do something else", rule: cite.ActionOther, kinds: others, costs: true,
			parameters: openParameters, do: doOpen},
	}
}

func openParameters(*eventv1.State, *eventv1.Creature, string) []*eventv1.Parameter {
	ability := &eventv1.Parameter{Name: "ability", Type: "string", Text: "With the DC: strength or dexterity, which it is if nothing is said"}
	for _, a := range abilityItems(nil, nil) {
		ability.Values = append(ability.Values, structpb.NewStringValue(a))
	}
	return []*eventv1.Parameter{{Name: "text", Type: "string", Required: true, Text: "What is done"},
		{Name: "dc", Type: "number", Text: "DC of a check, where the game master asks for one"}, ability}
}

// doOpen does what the list of actions does not name; the game master's word or
// a check decides.
//
// basic.action.perform-feat, basic.action.other, basic.action.hold-other, basic.dice.dc-check
func doOpen(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	rule := cite.ActionOther
	switch take.Action {
	case "feat":
		rule = cite.ActionPerformFeat
	case "hold-other":
		rule = cite.ActionHoldOther
	}
	text, value, source, err := openText(c, take)
	if err != nil {
		return err
	}
	if take.Action == "hold-other" || r.Value(setOpen) == "ask" || truthStated(take) {
		if ok, err := approved(r, c, take, text, rule); !ok {
			return err
		}
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Notes: []string{text}}, rule)
	spend(r, c.Id, take.Action, rule)
	if dc, ok := spoken.Number(take.Parameters, "dc"); ok {
		mods := checkModifiers(c, value, source)
		for _, x := range take.Circumstances {
			if x.Direction == "modifier" && x.Value != 0 {
				mods = append(mods, &eventv1.Modifier{Value: x.Value, Source: x.Cause, Rule: cite.DiceDcCheck})
			}
		}
		r.Roll(rules.RollSpec{Label: "check/" + c.Id, Creature: c.Id, Expression: "1d20", Reason: text,
			Modifiers: mods, Target: &eventv1.TargetNumber{Kind: "DC", Value: dc}, Rules: []string{rule, cite.DiceDcCheck}})
	}
	return nil
}

// openText reads what is done and the ability of a check.
func openText(c *eventv1.Creature, take *eventv1.TakeAction) (text string, value int32, source string, err error) {
	text = spoken.Word(take.Parameters, "text")
	if text == "" {
		return "", 0, "", fault.Field("take.parameters.text", "must say what is done")
	}
	if spoken.Word(take.Parameters, "ability") == "strength" {
		return text, sheetOf(c).StrengthModifier, "Strength", nil
	}
	return text, sheetOf(c).DexterityModifier, "Dexterity", nil
}

func truthStated(take *eventv1.TakeAction) bool {
	_, stated := told(take.Facts, "allowed")
	return stated
}

// approved is the game master's word on what the rules leave to it: stated with
// the action, or asked for. Without it nothing is done and nothing spent.
//
// basic.action.other, basic.action.hold-other
func approved(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction, what, rule string) (bool, error) {
	if allowed, stated := told(take.Facts, "allowed"); stated {
		if !allowed {
			return false, refuse("NOT_ALLOWED", rule, "the game master does not allow it")
		}
		return true, nil
	}
	d := rules.YesNo(decApprove, c.Id, c.Name+": "+what, "Is it possible?", decideYes, rule)
	d.GmOnly = true
	if r.Ask("approve/"+c.Id, d).GetOption() == decideYes {
		return true, nil
	}
	r.Note(event.Everyone(), c.Id, "the game master does not allow it", rule)
	return false, nil
}
