package barding

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Minutes is how long it takes to put barding of whatever type on or to take it
// off: half as long with help.
//
// rcr.equipment.barding-don-doff
func Minutes(helped bool) int32 {
	if helped {
		return 5
	}
	return 10
}

// Actions are the game master's words on barding: no fight is as long as it takes
// to put it on.
func Actions() []*play.Action {
	return []*play.Action{{ID: "barding", Title: "Have barding put on or taken off", Rule: cite.EquipmentBardingDonDoff, Group: play.GroupReferee,
		Anytime: true, Referee: true,
		Refuse: func(at *play.At) error { return refuseNone(at.Actor) },
		Fields: func(*play.At) []play.Field { return []play.Field{{Name: "worn", Required: true}, {Name: "helped"}} },
		Check: func(at *play.At) error {
			return refuseSame(at.Actor, spoken.Truth(at.Take.Parameters, "worn"))
		}, Do: body.Deed(do)}}
}

// refuseNone says that a creature has no barding.
func refuseNone(c *eventv1.Creature) error {
	if body.BardingOf(c) == nil {
		return body.Refuse("NO_BARDING", cite.EquipmentBardingDonDoff, "%s has no barding", c.GetName())
	}
	return body.RefuseDead(c)
}

// refuseSame says that barding is worn already, or is not worn.
func refuseSame(c *eventv1.Creature, worn bool) error {
	switch on := body.Barded(c) != nil; {
	case on && worn:
		return body.Refuse("WORN", cite.EquipmentBardingDonDoff, "%s wears its barding", c.GetName())
	case !on && !worn:
		return body.Refuse("NOT_WORN", cite.EquipmentBardingDonDoff, "%s does not wear its barding", c.GetName())
	}
	return nil
}

func do(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	worn, helped := spoken.Truth(take.Parameters, "worn"), spoken.Truth(take.Parameters, "helped")
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "barding", Item: body.SheetOf(c).Barding.Type, Notes: notes(c, worn, helped)},
		cite.EquipmentBardingDonDoff)
	Change(r, c.Id, worn)
	return nil
}

// Tend is the deed between fights: barding is put on a patient or taken off it.
func Tend(r *rules.Resolution, c *eventv1.PatientCommand, id string) error {
	worn, helped := spoken.Truth(c.GetParameters(), "worn"), spoken.Truth(c.GetParameters(), "helped")
	patient := r.Creature(id)
	if err := body.FirstError(refuseNone(patient), refuseSame(patient, worn)); err != nil {
		return err
	}
	for _, note := range notes(patient, worn, helped) {
		r.Note(event.Controllers(id), id, note, cite.EquipmentBardingDonDoff, cite.EquipmentBardingLarge)
	}
	Change(r, id, worn)
	return nil
}

// Change has a creature wear its barding or not.
func Change(r *rules.Resolution, id string, worn bool) {
	r.Flag(id, body.MUnbarded, !worn, cite.EquipmentBardingDonDoff)
}

// notes say how long it takes, and what the barding weighs and costs as far as the
// tables or the sheet tell.
//
// rcr.equipment.barding-don-doff, rcr.equipment.barding-large
func notes(c *eventv1.Creature, worn, helped bool) []string {
	way := "taken off in "
	if worn {
		way = "put on in "
	}
	out := []string{way + body.Itoa(Minutes(helped)) + " minutes"}
	if weight, gold := body.BardingLoad(c); weight > 0 || gold > 0 {
		out = append(out, "weight "+body.Itoa(weight)+", cost "+body.Itoa(gold)+" gold")
	}
	return out
}
