package rcr

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// standingBase is the speed that half of is the cost of rising: the full speed
// in force, with exhaustion taken off, whatever is left of it this turn.
//
// rcr.condition.prone-rise
func standingBase(s *eventv1.State, c *eventv1.Creature) int32 {
	if feet := standingSpeedIn(s, c.Id, "walk"); feet > 0 {
		return feet
	}
	feet := int32(0)
	// order-free: the largest is taken
	for mode := range c.GetSheet().GetSpeeds() {
		feet = max(feet, standingSpeedIn(s, c.Id, mode))
	}
	return feet
}

// standCost is what standing up costs: half the speed from prone, 5 feet from
// a crouch.
//
// rcr.condition.prone-rise, rcr.condition.crouching-speed
func standCost(s *eventv1.State, c *eventv1.Creature) int32 {
	if has(c, condProne) {
		return standingBase(s, c) / 2
	}
	return 5
}

// crouchLoss is what a crouch takes off the movement of the turn.
//
// rcr.condition.crouching-speed
func crouchLoss(s *eventv1.State, c *eventv1.Creature) int32 {
	full := standingBase(s, c)
	return (full - full/2) * times(s, c)
}

// upright is what a creature would have left of its movement out of a crouch:
// what was spent comes off the normal speed.
//
// rcr.condition.crouching-speed
func upright(s *eventv1.State, c *eventv1.Creature) int32 {
	left := int32(c.Counters[cMovement])
	if !has(c, condCrouching) {
		return left
	}
	return min(left+crouchLoss(s, c), standingBase(s, c)*times(s, c)-int32(c.Counters[cMoved]))
}

func refuseRise(s *eventv1.State, c *eventv1.Creature) error {
	if err := refuseSpeed(s, c); err != nil {
		return err
	}
	if cost := standCost(s, c); upright(s, c) < cost {
		rule := cite.ConditionProneRise
		if !has(c, condProne) {
			rule = cite.ConditionCrouchingSpeed
		}
		return refuse("NO_MOVEMENT", rule, "rising takes %d feet of movement, %s has %d left", cost, c.Name, max(0, upright(s, c)))
	}
	return nil
}

func refuseStand(s *eventv1.State, c *eventv1.Creature) error {
	if !has(c, condProne) && !has(c, condCrouching) {
		return refuse("STANDING", cite.ConditionProneRise, "%s stands", c.Name)
	}
	return refuseRise(s, c)
}

func standOptions(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
	return []*eventv1.Option{option("", refuseStand(s, c), map[string]int32{cMovement: standCost(s, c)})}
}

// doStand stands a creature up. From prone it gives the enemies about it their
// window first, while it still lies.
//
// rcr.opportunity.stand-up, rcr.condition.prone-rise, rcr.condition.crouching-speed
func doStand(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := refuseStand(r.State(), c); err != nil {
		return err
	}
	stated := statedIDs(take.Facts, "threatened_by")
	cost, left, prone := standCost(r.State(), c), upright(r.State(), c), has(c, condProne)
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "stand", Notes: statedNotes(take)})
	r.Set(c.Id, cMovement, int64(left-cost), "rising", cite.ConditionProneRise)
	r.Set(c.Id, cMoved, r.Count(c.Id, cMoved)+int64(cost), "rising")
	if prone {
		offerOpportunity(r, c.Id, onStand, cite.OpportunityStandUp, threateners(r, c.Id, stated), take)
		if !canGoOn(r, c.Id) {
			r.Note(event.Everyone(), c.Id, r.Creature(c.Id).Name+" does not get up", cite.BaseOpportunityFrame)
			return nil
		}
	}
	endPosture(r, c.Id, "it stands up")
	return nil
}

func endPosture(r *rules.Resolution, id, cause string) {
	for _, x := range slices.Clone(r.Creature(id).Conditions) {
		if x.Name == condProne || x.Name == condCrouching {
			r.RemoveCondition(id, x, cause, cite.ConditionCrouchingDefinition)
		}
	}
}

func refuseCrouch(s *eventv1.State, c *eventv1.Creature) error {
	switch {
	case has(c, condCrouching):
		return refuse("CROUCHING", cite.ConditionCrouchingDefinition, "%s crouches already", c.Name)
	case has(c, condProne):
		return refuseRise(s, c)
	}
	return nil
}

func crouchOptions(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
	costs := map[string]int32{}
	if has(c, condProne) {
		costs[cMovement] = standCost(s, c)
	}
	return []*eventv1.Option{option("", refuseCrouch(s, c), costs)}
}

// doCrouch brings a creature to a crouch: for nothing from standing, for half
// its speed from prone. Rising to a crouch does not provoke.
//
// rcr.condition.crouching-definition, rcr.condition.crouching-speed, rcr.condition.prone-rise
func doCrouch(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := refuseCrouch(r.State(), c); err != nil {
		return err
	}
	loss := crouchLoss(r.State(), c)
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "crouch", Notes: statedNotes(take)})
	if has(c, condProne) {
		spendMovement(r, c.Id, standCost(r.State(), c), "rising to a crouch", cite.ConditionProneRise)
		endPosture(r, c.Id, "it rises to a crouch")
	}
	r.Set(c.Id, cMovement, max(0, r.Count(c.Id, cMovement)-int64(loss)), "crouching", cite.ConditionCrouchingSpeed)
	r.AddCondition(c.Id, &eventv1.Condition{Name: condCrouching, Cause: "its own will", Rule: cite.ConditionCrouchingDefinition})
	return nil
}

func refuseDropProne(c *eventv1.Creature) error {
	if has(c, condProne) {
		return refuse("PRONE", cite.ConditionProneCrawl, "%s is prone", c.Name)
	}
	return nil
}

func dropProneOptions(_ *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
	return []*eventv1.Option{option("", refuseDropProne(c), nil)}
}

// doDropProne drops a creature to the ground; it costs nothing. Out of a crouch
// it has its full speed again.
func doDropProne(r *rules.Resolution, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	if err := refuseDropProne(c); err != nil {
		return err
	}
	left := upright(r.State(), c)
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "drop-prone"})
	if has(c, condCrouching) {
		r.Set(c.Id, cMovement, int64(max(0, left)), "out of the crouch", cite.ConditionCrouchingSpeed)
	}
	setProne(r, c.Id, "its own will", cite.BaseFifthEditionFallback)
	return nil
}

func refuseBlindWalk(s *eventv1.State, c *eventv1.Creature) error {
	const rule = cite.ConditionBlindedMovement
	switch {
	case !has(c, condBlinded):
		return refuse("NOT_BLINDED", rule, "%s is not blinded", c.Name)
	case c.Marks[mSteady] != "":
		return refuse("ONE_CHECK", rule, "%s has tried this turn", c.Name)
	case has(c, condProne):
		return refuse("PRONE", rule, "%s is prone", c.Name)
	}
	return refuseSpeed(s, c)
}

func blindWalkOptions(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
	if !has(c, condBlinded) {
		return nil
	}
	return []*eventv1.Option{option("", refuseBlindWalk(s, c), nil)}
}

// doBlindWalk tries to move unhampered while blinded; a failure ends prone.
//
// rcr.condition.blinded-movement
func doBlindWalk(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := refuseBlindWalk(r.State(), c); err != nil {
		return err
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "blind-walk", Notes: statedNotes(take)})
	edges, mods := statedEdges(take.Circumstances, "")
	passed := rollCheck(r, "check/blind-walk", c, "acrobatics", 15, "movement", checkOpts{edges: edges, modifiers: mods,
		kinds: renamed(take.Facts, "kinds"), reason: "walk blind", rules: []string{cite.ConditionBlindedMovement}}).Success()
	if passed {
		r.Mark(c.Id, mSteady, "yes", cite.ConditionBlindedMovement)
		return nil
	}
	r.Mark(c.Id, mSteady, "failed", cite.ConditionBlindedMovement)
	setProne(r, c.Id, "stumbled blind", cite.ConditionBlindedMovement)
	return nil
}

// passage makes the actions that open an enemy's space for one turn by a
// contest: tumble and overrun, options of the fifth edition.
//
// rcr.opportunity.enter-space
func passage(id, title, skill string) *action {
	return &action{id: id, title: title,
		options: func(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
			var out []*eventv1.Option
			for _, cost := range []string{cAction, cBonus} {
				o := option("", refusePassage(s, c, cost), map[string]int32{cost: 1})
				o.MinimumTargets, o.MaximumTargets = 1, 1
				o.Parameters = []*eventv1.Parameter{choiceOf("cost", "What it costs", cost == cBonus, cost)}
				for _, other := range rules.SortedKeys(s.Creatures) {
					if e := s.Creatures[other]; hostile(c, e) && !dead(e) {
						o.Targets = append(o.Targets, other)
					}
				}
				if o.Legal && len(o.Targets) == 0 {
					rules.Forbid(o, refuse("NO_TARGET", cite.OpportunityEnterSpace, "there is no enemy"))
				}
				out = append(out, o)
			}
			return out
		},
		do: func(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
			return doPassage(r, c, take, id, skill)
		}}
}

func refusePassage(s *eventv1.State, c *eventv1.Creature, cost string) error {
	if cost == cBonus {
		return needBonus(s, c)
	}
	return needAction(c)
}

func doPassage(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction, id, skill string) error {
	target, err := oneTarget(take)
	if err != nil {
		return err
	}
	cost := spoken.Word(take.Parameters, "cost")
	if cost == "" {
		cost = cAction
	}
	if err := refusePassage(r.State(), c, cost); err != nil {
		return err
	}
	e := r.Creature(target)
	if !hostile(c, e) || dead(e) {
		return refuse("NOT_HOSTILE", cite.OpportunityEnterSpace, "%s is no enemy in the way", e.Name)
	}
	spend(r, c.Id, cost, id)
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: id, Targets: []string{target}, Notes: statedNotes(take)})
	edges, mods := statedEdges(take.Circumstances, target)
	if id == "overrun" {
		edges = append(edges, sizeEdge(c, e)...)
	}
	won, seen := contest(r, c, skill, checkOpts{edges: edges, modifiers: mods, kinds: renamed(take.Facts, "kinds")}, e, []string{skill}, id, cite.OpportunityEnterSpace)
	if !won {
		r.Note(seen, c.Id, id+" fails", cite.OpportunityEnterSpace)
		return nil
	}
	r.Mark(c.Id, mThrough, joinIDs(append(marked(c, mThrough), target)), cite.OpportunityEnterSpace)
	return nil
}

// sizeEdge is the edge of an overrun: for the larger, against the smaller.
func sizeEdge(c, e *eventv1.Creature) []*eventv1.Edge {
	a, b := slices.Index(sizes, c.Size), slices.Index(sizes, e.Size)
	switch {
	case a < 0 || b < 0 || a == b:
		return nil
	case a > b:
		return []*eventv1.Edge{adv("size", "larger", cite.BaseFifthEditionFallback)}
	}
	return []*eventv1.Edge{dis("size", "smaller", cite.BaseFifthEditionFallback)}
}
