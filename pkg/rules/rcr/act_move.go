package rcr

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// moveActions are the actions that take a creature elsewhere.
func moveActions() []*play.Action {
	travel := func(id, title, rule string, crawling bool) *play.Action {
		return &play.Action{ID: id, Title: title, Rule: rule, Group: play.GroupMove, Traits: traitMoves,
			CostOf: func(at *play.At) []play.Cost {
				return []play.Cost{{Counter: cMovement, Amount: 1 + surcharge(at.State, at.Actor, "walk", crawling)}}
			},
			Refuse:  func(at *play.At) error { return refuseTravel(at.State, at.Actor, crawling) },
			Fields:  func(at *play.At) []play.Field { return travelFields(at, crawling) },
			Check:   func(at *play.At) error { return planTravel(at, crawling) },
			Squares: func(at *play.At) ([]*eventv1.Square, bool) { return squares(at.State, at.Actor, crawling) },
			Do:      doTravel}
	}
	return []*play.Action{
		travel("move", "Move", cite.BaseMovementCostAdditive, false),
		travel("crawl", "Crawl", cite.ConditionProneCrawl, true),
	}
}

func travelFields(at *play.At, crawling bool) []play.Field {
	s, c := at.State, at.Actor
	if !at.Listing {
		return []play.Field{{Name: "feet"}, {Name: "path"}, {Name: "drag"}, {Name: "mode"}}
	}
	out := []play.Field{{Name: "feet", Least: 1, Most: most(s, c, crawling)}, {Name: "path"}}
	usual := usualMode(s, c, crawling)
	foot := 1 + surcharge(s, c, usual, crawling)
	held := slices.DeleteFunc(grappling(s, c), func(id string) bool {
		return movementLeft(s, c, usual) < foot*burden(s, c, []string{id})
	})
	if len(held) > 0 {
		out = append(out, play.Field{Name: "drag", Values: held})
	}
	if going := openModes(s, c, crawling, func(mode string) int32 { return movementLeft(s, c, mode) }); !crawling && len(going) > 0 {
		out = append(out, play.Field{Name: "mode", Values: going})
	}
	return out
}

// planTravel reads a way and refuses what cannot be gone.
func planTravel(at *play.At, crawling bool) error {
	s, c, take := at.State, at.Actor, at.Take
	w, err := planWay(s, c, take, crawling)
	if err != nil {
		return err
	}
	wk := newWalk(c, w, take, surcharge(s, c, w.mode, crawling))
	if wk.drags, err = dragged(s, c, take); err != nil {
		return err
	}
	wk.times = burden(s, c, wk.drags)
	total := int32(0)
	for _, l := range w.legs {
		cost, _ := l.cost(wk.extra)
		total += cost * wk.times
	}
	if left := movementLeft(s, c, w.mode); total > left {
		return refuse("NO_MOVEMENT", cite.BaseMovementCostAdditive, "%s has %d feet of movement left, this takes %d", c.Name, left, total)
	}
	if err := wk.refuseDrag(s); err != nil {
		return err
	}
	if len(wk.drags) > 0 {
		w.notes = append(w.notes, "drags "+strings.Join(wk.drags, ", "))
	}
	planned(at).way = wk
	return nil
}

// doTravel carries out a movement that is planned.
func doTravel(r *rules.Resolution, at *play.At) error {
	wk, take := planned(at).way, at.Take
	wk.r = r
	c := r.Creature(at.Actor.Id)
	r.Emit(seenMoving(c), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Notes: wk.way.notes})
	wk.run()
	wk.pull()
	endDistantGrapples(r, c.Id)
	dangerousTerrain(r, c.Id, wk.way.mode, take)
	return nil
}
