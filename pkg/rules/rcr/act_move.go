package rcr

import (
	"strings"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/flight"
	"github.com/skaldrpg/skald/pkg/rules/rcr/mounts"
	"github.com/skaldrpg/skald/pkg/rules/rcr/movement"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// moveActions are the actions that take a creature elsewhere.
func moveActions() []*play.Action {
	travel := func(id, title, rule string, crawling bool) *play.Action {
		return &play.Action{ID: id, Title: title, Rule: rule, Group: play.GroupMove, Traits: movement.TraitMoves,
			CostOf: func(at *play.At) []play.Cost {
				return []play.Cost{{Counter: body.CMovement, Amount: 1 + answers.Surcharge(at.State, at.Actor, "walk", crawling)}}
			},
			Refuse: func(at *play.At) error {
				return body.FirstError(flight.RefuseMove(at), movement.RefuseTravel(at.State, at.Actor, crawling))
			},
			Fields: func(at *play.At) []play.Field {
				return flight.MoveFields(at, movement.TravelFields(at, crawling), crawling)
			},
			Check:   func(at *play.At) error { return planTravel(at, crawling) },
			Squares: func(at *play.At) ([]*eventv1.Square, bool) { return flight.Squares(at.State, at.Actor, crawling) },
			Do:      doTravel}
	}
	return []*play.Action{
		travel("move", "Move", cite.BaseMovementCostAdditive, false),
		travel("crawl", "Crawl", cite.ConditionProneCrawl, true),
	}
}

// planTravel reads a way and refuses what cannot be gone.
func planTravel(at *play.At, crawling bool) error {
	s, c, take := at.State, at.Actor, at.Take
	w, err := movement.PlanWay(s, c, take, crawling)
	if err != nil {
		return err
	}
	wk := movement.NewWalk(c, w, take, answers.Surcharge(s, c, w.Mode, crawling))
	if wk.Drags, err = movement.Dragged(s, c, take); err != nil {
		return err
	}
	wk.Times = movement.Burden(s, c, wk.Drags)
	if w.Mode == "fly" {
		if err := flight.Plan(s, c, wk, take); err != nil {
			return err
		}
	} else {
		if err := flight.RefuseWords(take); err != nil {
			return err
		}
		wk.Crossing = flight.Crossing
	}
	total := int32(0)
	for _, l := range w.Legs {
		cost, _ := l.Cost(wk.Extra)
		total += cost * wk.Times
	}
	if left := movement.MovementLeft(s, c, w.Mode); wk.Air == nil && total > left {
		return body.Refuse("NO_MOVEMENT", cite.BaseMovementCostAdditive, "%s has %d feet of movement left, this takes %d", c.Name, left, total)
	}
	if err := mounts.RefuseWay(s, c, take); err != nil {
		return err
	}
	if err := mounts.RefuseStop(s, c, take, movement.MovementLeft(s, c, w.Mode)-total, 1+wk.Extra); err != nil {
		return err
	}
	if err := wk.RefuseDrag(s); err != nil {
		return err
	}
	if len(wk.Drags) > 0 {
		w.Notes = append(w.Notes, "drags "+strings.Join(wk.Drags, ", "))
	}
	planned(at).way = wk
	return nil
}

// doTravel carries out a movement that is planned.
func doTravel(r *rules.Resolution, at *play.At) error {
	wk, take := planned(at).way, at.Take
	wk.R = r
	c := r.Creature(at.Actor.Id)
	r.Emit(checks.SeenMoving(c), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Notes: wk.Way.Notes})
	wk.Run()
	mounts.Stood(r, c.Id, take)
	wk.Pull()
	flight.Arrive(r, wk)
	wk.Landed()
	body.EndDistantGrapples(r, c.Id)
	movement.DangerousTerrain(r, c.Id, wk.Way.Mode, take)
	return nil
}
