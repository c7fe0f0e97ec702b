package strike

import (
	"strings"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/order"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// OpenActions are feats and whatever else the list does not name.
func OpenActions() []*play.Action {
	return []*play.Action{
		{ID: "feat", Title: "Perform a feat", Rule: cite.ActionPerformFeat, Group: play.GroupOther, Traits: body.During(body.KindFeat, body.KindHold), Costs: body.OneAction,
			Fields: body.OpenFields, Check: body.CheckOpen, Do: DoOpen},
		{ID: "other", Title: "Do something else", Rule: cite.ActionOther, Group: play.GroupOther, Traits: body.During(order.Others...), Costs: body.OneAction,
			Fields: body.OpenFields, Check: body.CheckOpen, Do: DoOpen},
	}
}

// DoOpen does what the list of actions does not name; the game master's word or
// a check decides.
//
// basic.action.perform-feat, basic.action.other, basic.action.hold-other, basic.dice.dc-check
func DoOpen(r *rules.Resolution, at *play.At) error {
	c, take := at.Actor, at.Take
	rule := cite.ActionOther
	switch take.Action {
	case "feat":
		rule = cite.ActionPerformFeat
	case "hold-other":
		rule = cite.ActionHoldOther
	}
	text := at.Word("text")
	if take.Action == "hold-other" || r.Value(body.SetOpen) == "ask" || body.TruthStated(take) {
		if ok, err := body.Approved(r, c, take, text, rule); !ok {
			return err
		}
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Notes: []string{text}}, rule)
	body.Pay(r, at, rule)
	if dc, ok := at.Number("dc"); ok {
		value, source := order.CheckAbility(c, at.Word("ability"))
		mods := CheckModifiers(r, c, body.RollCheck, value, source)
		for _, x := range take.Circumstances {
			if x.Direction == "modifier" && x.Value != 0 {
				mods = append(mods, &eventv1.Modifier{Value: x.Value, Source: x.Cause, Rule: cite.DiceDcCheck})
			}
		}
		added, expression, again := house.Check(r, "check/"+c.Id, c.Id, house.PointCheck+"/"+strings.ToLower(source), "1d20")
		r.Roll(rules.RollSpec{Label: "check/" + c.Id, Creature: c.Id, Expression: expression, Reason: text,
			Modifiers: append(mods, added...), Target: &eventv1.TargetNumber{Kind: "DC", Value: dc}, Rules: append([]string{rule, cite.DiceDcCheck}, again...)})
	}
	return nil
}
