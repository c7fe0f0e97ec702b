package magic

import (
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func PowerNames(at *play.At, which func(*eventv1.RcrPower) bool) (out []string) {
	for _, p := range body.SheetOf(at.Actor).Powers {
		if which(p) {
			out = append(out, p.Name)
		}
	}
	return out
}

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

func PowerRange(at *play.At) (least, most int32) {
	return answers.RangeOfPower(answers.PowerOf(at.Actor, at.Item()))
}

func RefusePowerOn(at *play.At, t *eventv1.Creature) error {
	return answers.RefusePowerTarget(at.Actor, t, answers.PowerOf(at.Actor, at.Item()), answers.StatedDistance(at.Take))
}

func PowerFields(at *play.At) []play.Field {
	return answers.TeleportField(nil, at, answers.PowerOf(at.Actor, at.Item()).TeleportFeet)
}
