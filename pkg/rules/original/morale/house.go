package morale

import (
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	"github.com/skaldrpg/skald/pkg/rules/original/strike"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func init() { strike.AddHook("morale", checkMorale) }

// checkMorale rolls the morale of a creature's group because content says so.
func checkMorale(r *rules.Resolution, x house.Come) {
	if body.Monster(x.Target) {
		r.Note(event.Everyone(), x.Target.Id, x.Title+": morale is checked", house.Cited(x.Cite)...)
		RollMorale(r, body.MoraleGroup(x.Target))
	}
}

// number is the morale of a creature as content has it, with what changed it.
func number(r *rules.Resolution, c *eventv1.Creature, own int32) (int32, []*eventv1.Modifier) {
	return house.Number(r, "morale/"+c.Id, c, nil, house.PointMorale, own, effects.Env{Actor: c, Roll: effects.Roll{Point: house.PointMorale}})
}
