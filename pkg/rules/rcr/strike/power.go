package strike

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// RefusePower says why a power cannot be used whatever the target.
func RefusePower(s *eventv1.State, c *eventv1.Creature, p *eventv1.RcrPower) error {
	const frame = cite.BaseFifthEditionFallback
	var err error
	switch p.Cost {
	case "bonus":
		err = checks.NeedBonus(s, c)
	case "reaction":
		err = NeedReaction(s, c)
	case "free":
		if checks.BareAction(s, c) {
			err = body.Refuse("ONE_ACTION", cite.SurpriseOneAction, "one action and nothing else")
		}
	case "legendary":
		err = body.Refuse("LEGENDARY", frame, "%s is a legendary action", p.Name)
	default:
		if c.Counters[body.CMulti+p.Name] < 1 || body.Has(c, body.CondTerrified) {
			err = checks.NeedAction(c)
		}
	}
	if err != nil {
		return err
	}
	return RefuseSpent(c, p)
}

// RefuseSpent says why a power has no use left.
func RefuseSpent(c *eventv1.Creature, p *eventv1.RcrPower) error {
	const frame = cite.BaseFifthEditionFallback
	switch {
	case !UsesLeft(c, p.Name, p.Usage):
		return body.Refuse("NO_USES", frame, "%s is spent", p.Name)
	case p.Resource != "" && c.Counters[body.CLeft+p.Resource] < 1:
		return body.Refuse("NO_RESOURCE", frame, "%s is spent", p.Resource)
	}
	return nil
}
