package answers

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// ItemCost is the counter that an activation spends; empty for none.
func ItemCost(it *eventv1.RcrItem) string {
	switch it.Activation {
	case "bonus":
		return body.CBonus
	case "other":
		return ""
	}
	return body.CAction
}

// RefuseItem says why a magic item cannot be activated now: the time for it is not
// left, or its charges are spent.
func RefuseItem(s *eventv1.State, c *eventv1.Creature, it *eventv1.RcrItem) error {
	var err error
	switch ItemCost(it) {
	case body.CBonus:
		err = checks.NeedBonus(s, c)
	case body.CAction:
		err = checks.NeedAction(c)
	default:
		if checks.BareAction(s, c) {
			err = body.Refuse("ONE_ACTION", cite.SurpriseOneAction, "one action and nothing else")
		}
	}
	if err == nil && !Uncounted(it) && c.Counters[body.CLeft+it.Name] < 1 {
		err = body.Refuse("NO_CHARGES", cite.BaseFifthEditionFallback, "%s is spent", it.Name)
	}
	return err
}

// Uncounted tells whether an item is used without charges: one that bears its user
// and has none.
//
// rcr.flight.magic-worn-reactivate
func Uncounted(it *eventv1.RcrItem) bool { return it.FlySpeed > 0 && it.Charges == 0 }
