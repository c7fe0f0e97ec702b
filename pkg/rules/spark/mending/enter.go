package mending

import (
	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// SettleLife brings a creature's life status in line with its hit points: at 0
// it is out. The game master may bring even the dead back by giving hit points.
//
// spark.dice.drop-to-zero
func SettleLife(r *rules.Resolution, id, cause string) {
	c := r.Creature(id)
	status := eventv1.LifeStatus_LIFE_STATUS_ALIVE
	switch {
	case c.GetHp() > 0:
	case body.Dead(c), len(c.Controllers) == 0 && r.On(body.SetMonstersDie):
		status = eventv1.LifeStatus_LIFE_STATUS_DEAD
	default:
		status = eventv1.LifeStatus_LIFE_STATUS_DYING
	}
	if c.Life != status {
		r.Emit(event.Everyone(), &eventv1.LifeChanged{Creature: id, Status: status, Cause: cause}, cite.DiceDropToZero)
	}
}
