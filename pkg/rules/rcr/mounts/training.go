package mounts

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// anHour is how many minutes of training make a day count.
const anHour = 60

func refuseTrain(at *play.At) error {
	if at.State.Status == eventv1.State_STATUS_STARTED {
		return body.Refuse("IN_A_FIGHT", cite.MountTrainingDaily, "nobody trains a mount in a fight")
	}
	return nil
}

func trainFields(at *play.At) []play.Field {
	return body.InspirationField([]play.Field{{Name: "minutes"}, {Name: "add_wisdom"}}, at)
}

// doTrain is a day of training: an hour of it adds the creature's Intelligence to its
// total, and the trainer's Wisdom modifier on a success and if the trainer wants it;
// that is so where it adds something, if nothing is said.
//
// rcr.mount.training-daily, rcr.mount.training-check, rcr.mount.training-complete,
// rcr.mount.training-barding
func doTrain(r *rules.Resolution, at *play.At) error {
	c, m := r.Creature(at.Actor.Id), r.Creature(at.Take.Targets[0])
	acted(r, at)
	minutes, said := spoken.Number(at.Take.Parameters, "minutes")
	if said && minutes < anHour {
		r.Note(event.Everyone(), m.Id, "less than an hour of training: the day does not count", cite.MountTrainingDaily)
		return nil
	}
	was := body.TrainingOf(m)
	total := was + body.AbilityScore(m, "intelligence")
	_, _, o := body.ReadCheck(at.Take)
	o.Reason, o.Rules = "train "+m.Name, []string{cite.MountTrainingCheck}
	wisdom := body.AbilityMod(c, "wisdom")
	wanted := wisdom > 0
	if _, given := at.Take.GetParameters().GetFields()["add_wisdom"]; given {
		wanted = spoken.Truth(at.Take.Parameters, "add_wisdom")
	}
	if dice.RollCheck(r, "train/"+m.Id, c, "animal handling", 10+body.SheetOf(m).ProficiencyBonus, "", o).Success() && wanted {
		total += wisdom
	}
	r.Set(m.Id, body.CTraining, int64(total), "a day of training", cite.MountTrainingDaily)
	for _, step := range steps {
		if was < step.at && total >= step.at {
			r.Note(event.Everyone(), m.Id, m.Name+" is trained "+step.as, step.rule)
		}
	}
	return nil
}

// steps are what a creature is trained for from which total on.
//
// rcr.mount.training-complete, rcr.mount.training-barding
var steps = []struct {
	at       int32
	as, rule string
}{
	{body.TrainedAt, "as a mount", cite.MountTrainingComplete},
	{120, "for light barding", cite.MountTrainingBarding},
	{150, "for medium barding", cite.MountTrainingBarding},
	{200, "for heavy barding", cite.MountTrainingBarding},
}
