package moving

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	"github.com/skaldrpg/skald/pkg/rules/original/strike"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// PursuitActions flee, pursue and shake pursuers off.
func PursuitActions() []*play.Action {
	evade := func(id, title, rule string, do func(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error) *play.Action {
		return &play.Action{ID: id, Title: title, Rule: rule, Group: play.GroupMove, Anytime: true, Refuse: strike.AsSeen(evadeRefused), Do: body.Deed(do)}
	}
	slip := evade("slip-away", "Go round a corner, up or down stairs, through a door", cite.PursuitCornerStairsDoor, doSlipAway)
	slip.Fields = func(*play.At) []play.Field { return []play.Field{{Name: "way", Required: true, Values: Ways}} }
	return []*play.Action{
		Moving(Journey{Id: "flee", Title: "Flee before the foes are near", Rule: cite.MovementRunning, Refused: fleeRefused, Feet: FullWay, along: true}, doFlee),
		{ID: "pursue", Title: "Pursue one who flees", Rule: cite.MovementRetreatPursuitRoll, Group: play.GroupMove, Least: 1, Most: 1, Candidates: strike.FoesAt,
			Refuse: strike.AsSeen(refusePursuer), RefuseTarget: strike.OfTarget(refusePursued), Do: body.Deed(doPursue)},
		slip,
		evade("out-of-sight", "Get out of sight", cite.PursuitLineOfSight, doOutOfSight),
		evade("throw-food", "Throw food in the way", cite.PursuitFood, doThrow),
		evade("throw-treasure", "Throw treasure in the way", cite.PursuitTreasure, doThrow),
	}
}

// Ways are what those who flee may slip through or round.
var Ways = []string{"corner", "stairs", "doorway", "secret-door"}

// fleeRefused says why a creature cannot flee from foes that are not upon it.
//
// original.pursuit.pursue-roll
func fleeRefused(v *strike.Sight) error {
	c := v.C
	switch {
	case len(v.Engaged()) > 0:
		return v.Refuse("ENGAGED", cite.MovementEngagedRestricts, "%s is in melee: it retreats", c.Name)
	case body.Has(c, body.CondFleeing):
		return v.Refuse("FLEEING", cite.PursuitPursueRoll, "%s flees already", c.Name)
	}
	return runRefused(v)
}

// doFlee has a creature run from all its foes; each group of monsters that can
// rolls whether it pursues. The fact "gap" is how far behind they are then.
func doFlee(r *rules.Resolution, at *play.At, feet int32, to *eventv1.Position) error {
	c, take := at.Actor, at.Take
	travel(r, c, take.Action, "run", feet, to, cite.MovementRunning)
	body.During(r, c.Id, body.CondRan, cite.MovementRunning)
	body.Inflict(r, c.Id, body.CondFleeing, nil, cite.PursuitPursueRoll)
	Pursuit(r, c.Id, body.Foes(r.State(), c), gapOf(r.State(), c, take))
	return nil
}

// gapOf is how far those who pursue are behind one who flees as stated, or off the
// map as far as the sides were apart when they met; -1 when nobody knows.
func gapOf(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) int32 {
	if n, is := spoken.Number(take.GetFacts(), "gap"); is {
		return n
	}
	if n := s.Counters[body.CDistance]; n > 0 && c.Position == nil {
		return int32(n)
	}
	return -1
}

// Pursuit rolls for each group of monsters left behind whether it pursues, once
// a round for all of a side who flee; player characters choose for themselves.
//
// original.movement.retreat-pursuit-roll, original.pursuit.pursue-roll
func Pursuit(r *rules.Resolution, id string, left []string, gap int32) {
	byGroup := map[string][]string{}
	for _, foe := range left {
		if c := r.Creature(foe); !body.SheetOf(c).IsPc && strike.Able(r.State(), c) && !body.Has(c, body.CondRouted) && !body.Has(c, body.CondFleeing) {
			byGroup[body.MoraleGroup(c)] = append(byGroup[body.MoraleGroup(c)], foe)
		}
	}
	for _, g := range rules.SortedKeys(byGroup) {
		hunts := pursues(r, g, r.Creature(id).Side)
		for _, foe := range byGroup[g] {
			if hunts {
				body.Tie(r, foe, body.RelPursues, id, cite.MovementRetreatFasterPursuer)
			} else {
				r.Unrelate(foe, body.RelPursues, id, "lets go", cite.MovementRetreatFasterPursuer)
			}
		}
		if hunts {
			giveChase(r, id, g, byGroup[g], gap)
		}
	}
}

// pursues tells whether a group pursues those of a side: by the dice, once a
// round.
//
// original.pursuit.pursue-roll
func pursues(r *rules.Resolution, group, side string) bool {
	key := body.MHunt + group + "." + side
	if outcome := r.State().Marks[key]; outcome != "" {
		return outcome == "pursue"
	}
	outcome := r.Roll(rules.RollSpec{Label: "pursuit/" + group, Expression: "2d6", Reason: group + " pursue?",
		Judge: func(_, total int32) (string, int32) {
			if total <= int32(r.Number(body.SetPursue)) {
				return "pursue", 0
			}
			return "let go", 0
		}, Rules: []string{cite.MovementRetreatPursuitRoll, cite.PursuitPursueRoll}}).Outcome
	r.Mark("", key, outcome, cite.PursuitPursueRoll)
	return outcome == "pursue"
}

// evadeRefused says why a creature has no pursuers to shake off.
func evadeRefused(v *strike.Sight) error {
	s, c := v.S, v.C
	const rule = cite.PursuitPursueRoll
	switch {
	case body.Out(c) || strike.Helpless(c) != nil:
		return v.Refuse("HELPLESS", rule, "%s does not run", c.GetName())
	case !body.Has(c, body.CondFleeing) || len(hunters(s, c.Id)) == 0:
		return v.Refuse("NOT_PURSUED", rule, "nobody pursues %s", c.Name)
	case len(v.Engaged()) > 0:
		return v.Refuse("CAUGHT", cite.PursuitRoundsToCatch, "%s is caught", c.Name)
	}
	return nil
}

// packs lists the groups of monsters that pursue a creature.
func packs(s *eventv1.State, id string) []string {
	var list []string
	for _, h := range hunters(s, id) {
		if c := s.Creatures[h]; !body.SheetOf(c).IsPc && !slices.Contains(list, body.MoraleGroup(c)) {
			list = append(list, body.MoraleGroup(c))
		}
	}
	return list
}

// keepsOn rolls a d6 for a group that pursues: up to a face it goes on.
func keepsOn(r *rules.Resolution, group, why, rule string, upTo int32) bool {
	return r.Roll(rules.RollSpec{Label: "goes-on/" + group, Expression: "1d6", Reason: group + " go on? " + why,
		Judge: func(_, total int32) (string, int32) {
			if total <= upTo {
				return "goes on", 0
			}
			return "stops", 0
		}, Rules: []string{rule}}).Outcome == "goes on"
}

// doSlipAway rolls for each group whether it keeps up the pursuit past a
// corner, stairs or a door.
//
// original.pursuit.corner-stairs-door, original.pursuit.secret-door
func doSlipAway(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	by, rule, upTo := spoken.Word(take.GetParameters(), "way"), cite.PursuitCornerStairsDoor, int32(2)
	if by == "secret-door" {
		rule, upTo = cite.PursuitSecretDoor, 1
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Notes: []string{by}}, rule)
	for _, g := range packs(r.State(), c.Id) {
		if !keepsOn(r, g, by, rule, upTo) {
			LetGo(r, c.Id, g, by, rule)
		}
	}
	return nil
}

// doOutOfSight ends the pursuit of monsters who see nobody any more, unless
// the game master has them go on.
//
// original.pursuit.line-of-sight
func doOutOfSight(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	const rule = cite.PursuitLineOfSight
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action}, rule)
	for _, g := range packs(r.State(), c.Id) {
		answer := r.Ask("sight/"+g, &eventv1.Decision{Name: body.DecSight, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, GmOnly: true,
			Cause: g + " see nobody any more", Question: "Do they go on?", DefaultOption: "stop", Rule: rule,
			Options: []*eventv1.DecisionOption{{Id: "stop", Text: "They stop"}, {Id: "go-on", Text: "They go on"}}})
		if answer.Option == "stop" {
			LetGo(r, c.Id, g, "nobody is in sight", rule)
		}
	}
	return nil
}

// doThrow throws food or treasure in the way: on 1-5 the unintelligent stop
// for food, the intelligent for treasure; on others it has no effect.
//
// original.pursuit.food, original.pursuit.treasure
func doThrow(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	treasure := take.Action == "throw-treasure"
	what, rule := "food", cite.PursuitFood
	if treasure {
		what, rule = "treasure", cite.PursuitTreasure
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action}, rule)
	for _, g := range packs(r.State(), c.Id) {
		if IntelligentGroup(r.State(), g) != treasure {
			continue
		}
		stops := r.Roll(rules.RollSpec{Label: what + "/" + g, Expression: "1d6", Reason: g + " stop for " + what + "?",
			Judge: func(_, total int32) (string, int32) {
				if total <= 5 {
					return "stops", 0
				}
				return "goes on", 0
			}, Rules: []string{rule}}).Outcome == "stops"
		if stops {
			LetGo(r, c.Id, g, what, rule)
		}
	}
	return nil
}

// refusePursuer says why a creature cannot choose to pursue: monsters go by the dice.
//
// original.movement.retreat-pursuit-roll
func refusePursuer(v *strike.Sight) error {
	if !body.SheetOf(v.C).IsPc {
		return v.Refuse("BY_THE_DICE", cite.MovementRetreatPursuitRoll, "whether monsters pursue is rolled when their foes flee")
	}
	return nil
}

// refusePursued says why a creature cannot be pursued.
//
// original.movement.retreat-pursuit-roll
func refusePursued(v *strike.Sight, target *eventv1.Creature) error {
	const rule = cite.MovementRetreatPursuitRoll
	switch {
	case target.Side == v.C.Side || body.Out(target):
		return v.Refuse("NO_FOE", rule, "there is nobody to pursue")
	case !body.Has(target, body.CondFleeing) && !body.Has(target, body.CondRouted):
		return v.Refuse("NOT_FLEEING", rule, "%s does not flee", target.Name)
	case body.Is(v.C, body.RelPursues, target.Id):
		return v.Refuse("PURSUES", rule, "%s pursues %s already", v.C.Name, target.Name)
	}
	return nil
}

func doPursue(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	id := take.Targets[0]
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Targets: take.Targets}, cite.MovementRetreatPursuitRoll)
	body.Tie(r, c.Id, body.RelPursues, id, cite.MovementRetreatFasterPursuer)
	body.Inflict(r, id, body.CondFleeing, nil, cite.MovementRetreatFasterPursuer)
	if len(body.EngagedWith(r.State(), c)) == 0 {
		giveChase(r, id, body.MoraleGroup(c), []string{c.Id}, gapOf(r.State(), r.Creature(id), take))
	}
	return nil
}
