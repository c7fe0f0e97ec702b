package magic

import (
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// PowerNames are the names of the powers of the sheet that the function picks.
func PowerNames(at *play.At, which func(*eventv1.RcrPower) bool) (out []string) {
	for _, p := range body.SheetOf(at.Actor).Powers {
		if which(p) {
			out = append(out, p.Name)
		}
	}
	return out
}

// PowerCost is what a power takes of a turn: nothing when it is free or one of a
// multiattack's.
func PowerCost(at *play.At) []play.Cost {
	switch p := answers.PowerOf(at.Actor, at.Item()); {
	case p.Cost == "bonus":
		return checks.OneBonus
	case p.Cost == "reaction":
		return checks.OneReaction
	case p.Cost != "free" && at.Actor.Counters[body.CMulti+p.Name] < 1:
		return checks.OneAction
	}
	return nil
}

// PowerRange is how many targets the power takes.
func PowerRange(at *play.At) (least, most int32) {
	return answers.RangeOfPower(answers.PowerOf(at.Actor, at.Item()))
}

// RefusePowerOn says why a creature cannot be a target of the power.
func RefusePowerOn(at *play.At, t *eventv1.Creature) error {
	return answers.RefusePowerTarget(at.Actor, t, answers.PowerOf(at.Actor, at.Item()), answers.StatedDistance(at.Take))
}

// PowerFields are the words of using a power: where a teleportation goes.
func PowerFields(at *play.At) []play.Field {
	return answers.TeleportField(nil, at, answers.PowerOf(at.Actor, at.Item()).TeleportFeet)
}
