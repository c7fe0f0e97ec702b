package answers

import (
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// RefuseNobody says that a power without a range touches nobody.
func RefuseNobody(c *eventv1.Creature, p *eventv1.RcrPower) error {
	if p.RangeFeet == 0 && RefusePowerTarget(c, c, p, -1) != nil {
		return body.Refuse("NO_TARGET", body.Fallback, "nobody is within the range of %s", p.Name)
	}
	return nil
}

// RangeOfPower is how many targets a power takes: none or one without a range, else
// one to as many as it names.
func RangeOfPower(p *eventv1.RcrPower) (least, most int32) {
	if p.RangeFeet == 0 {
		return 0, 1
	}
	return 1, max(1, p.Targets)
}

// StatedDistance is the distance that is stated; -1 when none is.
func StatedDistance(take *eventv1.TakeAction) int32 {
	if feet, ok := spoken.Number(take.GetFacts(), "distance"); ok {
		return feet
	}
	return -1
}

// PowerTargets are the targets of a power; its user when none is named.
func PowerTargets(c *eventv1.Creature, take *eventv1.TakeAction) []string {
	if len(take.Targets) == 0 {
		return []string{c.Id}
	}
	return take.Targets
}
