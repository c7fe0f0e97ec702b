package rcr

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// postureActions are standing, crouching, dropping, and what opens a way.
func postureActions() []*play.Action {
	return []*play.Action{
		{ID: "stand", Title: "Stand up", Rule: cite.ConditionProneRise, Group: play.GroupMove, Traits: traitMoves,
			CostOf: standCosts, Refuse: refusing(refuseStand), Do: deed(doStand),
			Provokes: func(at *play.At) []string {
				if !has(at.Actor, condProne) {
					return nil
				}
				return threateners(at.State, at.Actor.Id, nil)
			}},
		{ID: "crouch", Title: "Crouch", Rule: cite.ConditionCrouchingDefinition, Group: play.GroupMove, Traits: traitMoves, Refuse: refusing(refuseCrouch), Do: deed(doCrouch),
			CostOf: func(at *play.At) []play.Cost {
				if !has(at.Actor, condProne) {
					return nil
				}
				return standCosts(at)
			}},
		{ID: "drop-prone", Title: "Drop prone", Rule: cite.ConditionProneCrawl, Group: play.GroupMove, Traits: traitMoves,
			Refuse: func(at *play.At) error { return refuseDropProne(at.Actor) }, Do: deed(doDropProne)},
		{ID: "blind-walk", Title: "Walk blind without slowing down", Rule: cite.ConditionBlindedMovement, Group: play.GroupMove,
			Items:  bareWhen(func(at *play.At) bool { return has(at.Actor, condBlinded) }),
			Refuse: refusing(refuseBlindWalk), Do: deed(doBlindWalk)},
		passage("tumble", "Tumble through an enemy's space", "acrobatics"),
		passage("overrun", "Overrun an enemy", "athletics"),
	}
}

func standCosts(at *play.At) []play.Cost {
	return []play.Cost{{Counter: cMovement, Amount: standCost(at.State, at.Actor)}}
}

// doStand stands a creature up. From prone it gives the enemies about it their
// window first, while it still lies.
//
// rcr.opportunity.stand-up, rcr.condition.prone-rise, rcr.condition.crouching-speed
func doStand(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	stated := statedIDs(take.Facts, "threatened_by")
	cost, left, prone := standCost(r.State(), c), upright(r.State(), c), has(c, condProne)
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "stand", Notes: statedNotes(take)})
	r.Set(c.Id, cMovement, int64(left-cost), "rising", cite.ConditionProneRise)
	r.Set(c.Id, cMoved, r.Count(c.Id, cMoved)+int64(cost), "rising")
	if prone {
		offerOpportunity(r, c.Id, onStand, cite.OpportunityStandUp, threateners(r.State(), c.Id, stated), take)
		if !canGoOn(r, c.Id) {
			r.Note(event.Everyone(), c.Id, r.Creature(c.Id).Name+" does not get up", cite.BaseOpportunityFrame)
			return nil
		}
	}
	endPosture(r, c.Id, "it stands up")
	return nil
}

// doCrouch brings a creature to a crouch: for nothing from standing, for half
// its speed from prone. Rising to a crouch does not provoke.
//
// rcr.condition.crouching-definition, rcr.condition.crouching-speed, rcr.condition.prone-rise
func doCrouch(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
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

// doDropProne drops a creature to the ground; it costs nothing. Out of a crouch
// it has its full speed again.
func doDropProne(r *rules.Resolution, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	left := upright(r.State(), c)
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "drop-prone"})
	if has(c, condCrouching) {
		r.Set(c.Id, cMovement, int64(max(0, left)), "out of the crouch", cite.ConditionCrouchingSpeed)
	}
	setProne(r, c.Id, "its own will", cite.BaseFifthEditionFallback)
	return nil
}

// doBlindWalk tries to move unhampered while blinded; a failure ends prone.
//
// rcr.condition.blinded-movement
func doBlindWalk(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "blind-walk", Notes: statedNotes(take)})
	edges, mods := statedEdges(take.Circumstances, "")
	passed := rollCheck(r, "check/blind-walk", c, "acrobatics", 15, "movement", checkOpts{edges: edges, modifiers: mods,
		kinds: renamed(take.Facts, "kinds"), reason: "walk blind", rules: []string{cite.ConditionBlindedMovement}}).Success()
	if passed {
		r.Mark(c.Id, mSteady, steadyPassed, cite.ConditionBlindedMovement)
		return nil
	}
	r.Mark(c.Id, mSteady, steadyFailed, cite.ConditionBlindedMovement)
	setProne(r, c.Id, "stumbled blind", cite.ConditionBlindedMovement)
	return nil
}

// passage makes the actions that open an enemy's space for one turn by a
// contest: tumble and overrun, options of the fifth edition.
//
// rcr.opportunity.enter-space
func passage(id, title, skill string) *play.Action {
	const rule = cite.OpportunityEnterSpace
	return &play.Action{ID: id, Title: title, Rule: rule, Group: play.GroupMove, Least: 1, Most: 1,
		CostOf: func(at *play.At) []play.Cost { return one(passageCost(at)) },
		Refuse: func(at *play.At) error { return refusePassage(at.State, at.Actor, passageCost(at)) },
		RefuseTarget: func(at *play.At, t *eventv1.Creature) error {
			if !hostile(at.Actor, t) || dead(t) {
				return refuse("NOT_HOSTILE", rule, "%s is no enemy in the way", t.Name)
			}
			return nil
		},
		Fields: func(at *play.At) []play.Field {
			var open []string
			for _, cost := range []string{cAction, cBonus} {
				if refusePassage(at.State, at.Actor, cost) == nil {
					open = append(open, cost)
				}
			}
			return offer(nil, at, true, play.Field{Name: "cost", Values: open, Required: len(open) > 0 && open[0] == cBonus})
		},
		Do: func(r *rules.Resolution, at *play.At) error { return doPassage(r, at, skill) }}
}

func refusePassage(s *eventv1.State, c *eventv1.Creature, cost string) error {
	if cost == cBonus {
		return needBonus(s, c)
	}
	return needAction(c)
}

// passageCost is what a passage spends: what is said, the action else. A listing
// goes by the bonus action where the action is not to be had.
func passageCost(at *play.At) string {
	if at.Listing && needAction(at.Actor) != nil && needBonus(at.State, at.Actor) == nil || spoken.Word(at.Take.Parameters, "cost") == cBonus {
		return cBonus
	}
	return cAction
}

func doPassage(r *rules.Resolution, at *play.At, skill string) error {
	id, take, to := at.Action.ID, at.Take, target(at.Take)
	c, e := r.Creature(at.Actor.Id), r.Creature(to)
	spend(r, c.Id, passageCost(at), id)
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: id, Targets: take.Targets, Notes: statedNotes(take)})
	edges, mods := statedEdges(take.Circumstances, to)
	if id == "overrun" {
		edges = append(edges, sizeEdge(c, e)...)
	}
	won, seen := contest(r, c, skill, checkOpts{edges: edges, modifiers: mods, kinds: renamed(take.Facts, "kinds")}, e, []string{skill}, id, cite.OpportunityEnterSpace)
	if !won {
		r.Note(seen, c.Id, id+" fails", cite.OpportunityEnterSpace)
		return nil
	}
	r.Relate(c.Id, &eventv1.Relation{Kind: relThrough, To: to, Round: r.State().Round, Rule: cite.OpportunityEnterSpace}, cite.OpportunityEnterSpace)
	return nil
}
