package basic

import (
	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// others are the declarations that leave room for what the list does not name: who
// holds has not said what it will do.
var others = []string{kindOther, kindHold}

func openActions() []*play.Action {
	return []*play.Action{
		{ID: "feat", Title: "Perform a feat", Rule: cite.ActionPerformFeat, Group: play.GroupOther, Traits: during(kindFeat, kindHold), Costs: oneAction,
			Fields: openFields, Check: checkOpen, Do: doOpen},
		{ID: "other", Title: "Do something else", Rule: cite.ActionOther, Group: play.GroupOther, Traits: during(others...), Costs: oneAction,
			Fields: openFields, Check: checkOpen, Do: doOpen},
	}
}

func openFields(*play.At) []play.Field {
	return []play.Field{{Name: "text", Required: true}, {Name: "dc"}, {Name: "ability"}}
}

// checkOpen holds that it is said what is done.
func checkOpen(at *play.At) error {
	if at.Word("text") == "" {
		return fault.Field("take.parameters.text", "must say what is done")
	}
	return nil
}

// doOpen does what the list of actions does not name; the game master's word or
// a check decides.
//
// basic.action.perform-feat, basic.action.other, basic.action.hold-other, basic.dice.dc-check
func doOpen(r *rules.Resolution, at *play.At) error {
	c, take := at.Actor, at.Take
	rule := cite.ActionOther
	switch take.Action {
	case "feat":
		rule = cite.ActionPerformFeat
	case "hold-other":
		rule = cite.ActionHoldOther
	}
	text := at.Word("text")
	if take.Action == "hold-other" || r.Value(setOpen) == "ask" || truthStated(take) {
		if ok, err := approved(r, c, take, text, rule); !ok {
			return err
		}
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Notes: []string{text}}, rule)
	spend(r, c.Id, take.Action, rule)
	if dc, ok := at.Number("dc"); ok {
		value, source := checkAbility(c, at.Word("ability"))
		mods := checkModifiers(r.State(), c, rollCheck, value, source)
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

// checkAbility is the modifier of an ability and its name: Strength, or else Dexterity.
func checkAbility(c *eventv1.Creature, ability string) (int32, string) {
	if ability == "strength" {
		return sheetOf(c).StrengthModifier, "Strength"
	}
	return sheetOf(c).DexterityModifier, "Dexterity"
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
