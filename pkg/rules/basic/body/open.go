package body

import (
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// OpenFields are the parameters of a feat or an action that the list does not name: what
// is done, and the DC and ability of a check.
func OpenFields(*play.At) []play.Field {
	return []play.Field{{Name: "text", Required: true}, {Name: "dc"}, {Name: "ability"}}
}

// CheckOpen holds that it is said what is done.
func CheckOpen(at *play.At) error {
	if at.Word("text") == "" {
		return fault.Field("take.parameters.text", "must say what is done")
	}
	return nil
}

// TruthStated tells whether the facts of an action say if it is allowed, either way.
func TruthStated(take *eventv1.TakeAction) bool {
	_, stated := Told(take.Facts, "allowed")
	return stated
}

// Approved is the game master's word on what the rules leave to it: stated with
// the action, or asked for. Without it nothing is done and nothing spent.
//
// basic.action.other, basic.action.hold-other
func Approved(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction, what, rule string) (bool, error) {
	if allowed, stated := Told(take.Facts, "allowed"); stated {
		if !allowed {
			return false, Refuse("NOT_ALLOWED", rule, "the game master does not allow it")
		}
		return true, nil
	}
	d := rules.YesNo(DecApprove, c.Id, c.Name+": "+what, "Is it possible?", DecideYes, rule)
	d.GmOnly = true
	if r.Ask("approve/"+c.Id, d).GetOption() == DecideYes {
		return true, nil
	}
	r.Note(event.Everyone(), c.Id, "the game master does not allow it", rule)
	return false, nil
}
