package answers

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// PowerOf finds a power of the sheet by its name; nil when there is none.
func PowerOf(c *eventv1.Creature, name string) *eventv1.RcrPower {
	for _, p := range body.SheetOf(c).Powers {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// RefusePowerTarget says why a creature cannot be a target of a power. A power
// without a range touches the user alone.
func RefusePowerTarget(c, target *eventv1.Creature, p *eventv1.RcrPower, stated int32) error {
	const frame = cite.BaseFifthEditionFallback
	feet, _ := body.DistanceTo(c, target)
	if stated >= 0 {
		feet = stated
	}
	switch {
	case p.RangeFeet == 0 && target.Id != c.Id:
		return body.Refuse("SELF_ONLY", frame, "%s is for %s alone", p.Name, c.Name)
	case body.Dead(target):
		return body.Refuse("TARGET_DEAD", frame, "%s is dead", target.Name)
	case target.Id == c.Id && p.Healing == "" && (len(p.Damage) > 0 || p.Save != nil):
		return body.Refuse("SELF", frame, "%s does not touch its user", p.Name)
	case feet > p.RangeFeet:
		return body.Refuse("OUT_OF_RANGE", frame, "%s is out of the range of %s", target.Name, p.Name)
	case p.Healing == "" && checks.CharmedBy(c, target.Id):
		return body.Refuse("CHARMED", frame, "%s is charmed by %s", c.Name, target.Name)
	}
	return nil
}

// PayUses takes one of the uses of a power.
func PayUses(r *rules.Resolution, c *eventv1.Creature, p *eventv1.RcrPower) {
	if body.Limited(p.Usage) {
		body.Spend(r, c.Id, body.UsesOf(p.Name, p.Usage), "used")
	}
	if p.Resource != "" {
		body.Spend(r, c.Id, body.CLeft+p.Resource, p.Name)
	}
}
