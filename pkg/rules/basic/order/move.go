package order

import (
	"strings"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/play/condition"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// RefuseMoving says why a creature may not move: a condition bars it.
func RefuseMoving(c *eventv1.Creature) error {
	if d := body.Barring(nil, c, condition.BarsMoving); d != nil {
		return body.Refuse(strings.ToUpper(d.Name), d.Rule, "%s is %s", c.Name, d.Name)
	}
	return nil
}

// RefuseRunning says why a creature cannot run.
//
// basic.condition.fatigued, basic.movement.run-limit
func RefuseRunning(c *eventv1.Creature) error {
	if body.Has(c, body.CondFatigued) || c.Counters[body.CRunning] >= 3*body.Constitution(c) {
		return body.Refuse("FATIGUED", cite.ConditionFatigued, "%s is fatigued and can only walk", c.Name)
	}
	return RefuseMoving(c)
}
