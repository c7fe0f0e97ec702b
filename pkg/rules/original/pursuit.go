package original

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func pursuitActions() []*action {
	evade := func(id, title string, do func(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error, p ...*eventv1.Parameter) *action {
		return &action{id: id, title: title, anytime: true, options: func(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
			o := option("", evadeRefused(s, c))
			o.Parameters = p
			return []*eventv1.Option{o}
		}, do: func(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
			if err := evadeRefused(r.State(), c); err != nil {
				return err
			}
			return do(r, c, take)
		}}
	}
	way := choiceOf("way", "What it slips through or round", ways...)
	way.Required = true
	return []*action{
		moving("flee", "Flee before the foes are near", cite.PursuitPursueRoll, fleeRefused, doFlee),
		{id: "pursue", title: "Pursue one who flees", options: pursueOptions, do: doPursue},
		evade("slip-away", "Go round a corner, up or down stairs, through a door", doSlipAway, way),
		evade("out-of-sight", "Get out of sight", doOutOfSight),
		evade("throw-food", "Throw food in the way", doThrow),
		evade("throw-treasure", "Throw treasure in the way", doThrow),
	}
}

// ways are what those who flee may slip through or round.
var ways = []string{"corner", "stairs", "doorway", "secret-door"}

// fleeRefused says why a creature cannot flee from foes that are not upon it.
//
// original.pursuit.pursue-roll
func fleeRefused(s *eventv1.State, c *eventv1.Creature) error {
	switch {
	case len(engagedWith(s, c)) > 0:
		return refuse("ENGAGED", cite.MovementEngagedRestricts, "%s is in melee: it retreats", c.Name)
	case c.Marks[mFleeing] != "":
		return refuse("FLEEING", cite.PursuitPursueRoll, "%s flees already", c.Name)
	}
	return runRefused(s, c)
}

// doFlee has a creature run from all its foes; each group of monsters that can
// rolls whether it pursues. The fact "gap" is how far behind they are then.
func doFlee(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	feet, to, err := way(c, take, fullMove(r.State(), c), cite.MovementRunning)
	if err != nil {
		return err
	}
	if err := passes(r.State(), c, take); err != nil {
		return err
	}
	travel(r, c, take.Action, "run", feet, to, cite.MovementRunning)
	r.Mark(c.Id, mRan, itoa(r.State().Round), cite.MovementRunning)
	r.Mark(c.Id, mFleeing, "yes", cite.PursuitPursueRoll)
	pursuit(r, c.Id, foes(r.State(), c), gapOf(r.State(), take))
	return nil
}

// gapOf is how far those who pursue are behind as stated, or as far as the
// sides were apart when they met; -1 when nobody knows.
func gapOf(s *eventv1.State, take *eventv1.TakeAction) int32 {
	if n, is := spoken.Number(take.GetFacts(), "gap"); is && n >= 0 {
		return n
	}
	if n := s.Counters[cDistance]; n > 0 {
		return int32(n)
	}
	return -1
}

// pursuit rolls for each group of monsters left behind whether it pursues, once
// a round for all of a side who flee; player characters choose for themselves.
//
// original.movement.retreat-pursuit-roll, original.pursuit.pursue-roll
func pursuit(r *rules.Resolution, id string, left []string, gap int32) {
	byGroup := map[string][]string{}
	for _, foe := range left {
		if c := r.Creature(foe); !sheetOf(c).IsPc && able(r.State(), c) && !has(c, condRouted) && c.Marks[mFleeing] == "" {
			byGroup[moraleGroup(c)] = append(byGroup[moraleGroup(c)], foe)
		}
	}
	for _, g := range rules.SortedKeys(byGroup) {
		hunts := pursues(r, g, r.Creature(id).Side)
		for _, foe := range byGroup[g] {
			word := ""
			if hunts {
				word = "yes"
			}
			r.Mark(foe, mPursues+id, word, cite.MovementRetreatFasterPursuer)
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
	key := mHunt + group + "." + side
	if round, outcome, ok := strings.Cut(r.State().Marks[key], ":"); ok && round == itoa(r.State().Round) {
		return outcome == "pursue"
	}
	outcome := r.Roll(rules.RollSpec{Label: "pursuit/" + group, Expression: "2d6", Reason: group + " pursue?",
		Judge: func(_, total int32) (string, int32) {
			if total <= int32(r.Number(setPursue)) {
				return "pursue", 0
			}
			return "let go", 0
		}, Rules: []string{cite.MovementRetreatPursuitRoll, cite.PursuitPursueRoll}}).Outcome
	r.Mark("", key, itoa(r.State().Round)+":"+outcome, cite.PursuitPursueRoll)
	return outcome == "pursue"
}

// evadeRefused says why a creature has no pursuers to shake off.
func evadeRefused(s *eventv1.State, c *eventv1.Creature) error {
	const rule = cite.PursuitPursueRoll
	switch {
	case out(c) || helpless(c) != nil:
		return refuse("HELPLESS", rule, "%s does not run", c.GetName())
	case c.Marks[mFleeing] == "" || len(hunters(s, c.Id)) == 0:
		return refuse("NOT_PURSUED", rule, "nobody pursues %s", c.Name)
	case len(engagedWith(s, c)) > 0:
		return refuse("CAUGHT", cite.PursuitRoundsToCatch, "%s is caught", c.Name)
	}
	return nil
}

// packs lists the groups of monsters that pursue a creature.
func packs(s *eventv1.State, id string) []string {
	var list []string
	for _, h := range hunters(s, id) {
		if c := s.Creatures[h]; !sheetOf(c).IsPc && !slices.Contains(list, moraleGroup(c)) {
			list = append(list, moraleGroup(c))
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
	if by == "" {
		return wrongWord("take.parameters.way", ways)
	}
	if by == "secret-door" {
		rule, upTo = cite.PursuitSecretDoor, 1
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Notes: []string{by}}, rule)
	for _, g := range packs(r.State(), c.Id) {
		if !keepsOn(r, g, by, rule, upTo) {
			letGo(r, c.Id, g, by, rule)
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
		answer := r.Ask("sight/"+g, &eventv1.Decision{Name: decSight, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, GmOnly: true,
			Cause: g + " see nobody any more", Question: "Do they go on?", DefaultOption: "stop", Rule: rule,
			Options: []*eventv1.DecisionOption{{Id: "stop", Text: "They stop"}, {Id: "go-on", Text: "They go on"}}})
		if answer.Option == "stop" {
			letGo(r, c.Id, g, "nobody is in sight", rule)
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
		if intelligentGroup(r.State(), g) != treasure {
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
			letGo(r, c.Id, g, what, rule)
		}
	}
	return nil
}

// pursueRefused says why a creature cannot choose to pursue another: monsters
// go by the dice.
//
// original.movement.retreat-pursuit-roll
func pursueRefused(s *eventv1.State, c, target *eventv1.Creature) error {
	const rule = cite.MovementRetreatPursuitRoll
	switch {
	case !sheetOf(c).IsPc:
		return refuse("BY_THE_DICE", rule, "whether monsters pursue is rolled when their foes flee")
	case target == nil || target.Side == c.Side || out(target):
		return refuse("NO_FOE", rule, "there is nobody to pursue")
	case target.Marks[mFleeing] == "" && !has(target, condRouted):
		return refuse("NOT_FLEEING", rule, "%s does not flee", target.Name)
	case c.Marks[mPursues+target.Id] != "":
		return refuse("PURSUES", rule, "%s pursues %s already", c.Name, target.Name)
	}
	return nil
}

func pursueOptions(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
	return []*eventv1.Option{targeted("", foes(s, c), func(id string) error { return pursueRefused(s, c, s.Creatures[id]) })}
}

func doPursue(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	id, err := oneTarget(take)
	if err != nil {
		return err
	}
	if err := pursueRefused(r.State(), c, r.Creature(id)); err != nil {
		return err
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Targets: take.Targets}, cite.MovementRetreatPursuitRoll)
	r.Mark(c.Id, mPursues+id, "yes", cite.MovementRetreatFasterPursuer)
	r.Mark(id, mFleeing, "yes", cite.MovementRetreatFasterPursuer)
	if len(engagedWith(r.State(), c)) == 0 {
		giveChase(r, id, moraleGroup(c), []string{c.Id}, gapOf(r.State(), take))
	}
	return nil
}
