package saddle

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/items"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rideFields: the gaits and ways of moving of the mount.
func rideFields(at *play.At) []play.Field {
	s, c := at.State, at.Actor
	fits := func(name string, words ...string) play.Field {
		return play.Field{Name: name, Values: answers.Fitting(words, func(word string) error {
			return checkRide(s, c, &eventv1.TakeAction{Creature: c.Id, Action: at.Action.ID, Parameters: body.ParamStruct(name, word)})
		})}
	}
	return strike.Remaining(at, fits("gait", items.GaitSingle, items.GaitDouble, items.GaitRun), fits("mode", rules.SortedKeys(s.Creatures[body.MountOf(c)].GetSheet().GetSpeeds())...))
}
