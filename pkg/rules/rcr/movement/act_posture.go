package movement

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	thestrike "github.com/skaldrpg/skald/pkg/rules/rcr/strike"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// PostureActions are standing, crouching, dropping, and what opens a way.
func PostureActions() []*play.Action {
	return []*play.Action{
		{ID: "stand", Title: "Stand up", Rule: cite.ConditionProneRise, Group: play.GroupMove, Traits: TraitMoves,
			CostOf: standCosts, Refuse: thestrike.Refusing(refuseStand), Do: body.Deed(doStand),
			Provokes: func(at *play.At) []string {
				if !body.Has(at.Actor, body.CondProne) {
					return nil
				}
				return answers.Threateners(at.State, at.Actor.Id, nil)
			}},
		{ID: "crouch", Title: "Crouch", Rule: cite.ConditionCrouchingDefinition, Group: play.GroupMove, Traits: TraitMoves, Refuse: thestrike.Refusing(refuseCrouch), Do: body.Deed(doCrouch),
			CostOf: func(at *play.At) []play.Cost {
				if !body.Has(at.Actor, body.CondProne) {
					return nil
				}
				return []play.Cost{{Counter: body.CMovement, Amount: StandingBase(at.State, at.Actor) / 2}}
			}},
		{ID: "drop-prone", Title: "Drop prone", Rule: cite.ConditionProneCrawl, Group: play.GroupMove, Traits: TraitMoves,
			Refuse: func(at *play.At) error { return refuseDropProne(at.Actor) }, Do: body.Deed(doDropProne)},
		{ID: "blind-walk", Title: "Walk blind without slowing down", Rule: cite.ConditionBlindedMovement, Group: play.GroupMove,
			Items:  thestrike.BareWhen(func(at *play.At) bool { return body.Has(at.Actor, body.CondBlinded) }),
			Refuse: thestrike.Refusing(refuseBlindWalk), Do: body.Deed(doBlindWalk)},
		passage("tumble", "Tumble through an enemy's space", "acrobatics"),
		passage("overrun", "Overrun an enemy", "athletics"),
	}
}

func standCosts(at *play.At) []play.Cost {
	return []play.Cost{{Counter: body.CMovement, Amount: standCost(at.State, at.Actor)}}
}

// doStand stands a creature up. From prone it gives the enemies about it their
// window first, while it still lies.
//
// rcr.opportunity.stand-up, rcr.condition.prone-rise, rcr.condition.crouching-speed
func doStand(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	stated := checks.StatedIDs(take.Facts, "threatened_by")
	cost, left, prone := standCost(r.State(), c), upright(r.State(), c), body.Has(c, body.CondProne)
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "stand", Notes: body.StatedNotes(take)})
	r.Set(c.Id, body.CMovement, int64(left-cost), "rising", cite.ConditionProneRise)
	r.Set(c.Id, body.CMoved, r.Count(c.Id, body.CMoved)+int64(cost), "rising")
	if prone {
		OfferOpportunity(r, c.Id, onStand, cite.OpportunityStandUp, answers.Threateners(r.State(), c.Id, stated), take)
		if !canGoOn(r, c.Id) {
			r.Note(event.Everyone(), c.Id, r.Creature(c.Id).Name+" does not get up", cite.BaseOpportunityFrame)
			return nil
		}
	}
	endPosture(r, c.Id, "it stands up")
	return nil
}

// doCrouch brings a creature to a crouch: for nothing from standing, for half
// its speed from prone, an athlete too: that is not standing up. Rising to a crouch does
// not provoke.
//
// rcr.condition.crouching-definition, rcr.condition.crouching-speed, rcr.condition.prone-rise,
// rcr.feat.athlete-stand
func doCrouch(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	loss := crouchLoss(r.State(), c)
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "crouch", Notes: body.StatedNotes(take)})
	if body.Has(c, body.CondProne) {
		spendMovement(r, c.Id, StandingBase(r.State(), c)/2, "rising to a crouch", cite.ConditionProneRise)
		endPosture(r, c.Id, "it rises to a crouch")
	}
	r.Set(c.Id, body.CMovement, max(0, r.Count(c.Id, body.CMovement)-int64(loss)), "crouching", cite.ConditionCrouchingSpeed)
	r.AddCondition(c.Id, &eventv1.Condition{Name: body.CondCrouching, Cause: "its own will", Rule: cite.ConditionCrouchingDefinition})
	return nil
}

// doDropProne drops a creature to the ground; it costs nothing. Out of a crouch
// it has its full speed again.
func doDropProne(r *rules.Resolution, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	left := upright(r.State(), c)
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "drop-prone"})
	if body.Has(c, body.CondCrouching) {
		r.Set(c.Id, body.CMovement, int64(max(0, left)), "out of the crouch", cite.ConditionCrouchingSpeed)
	}
	body.SetProne(r, c.Id, "its own will", cite.BaseFifthEditionFallback)
	return nil
}

// doBlindWalk tries to move unhampered while blinded; a failure ends prone.
//
// rcr.condition.blinded-movement
func doBlindWalk(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "blind-walk", Notes: body.StatedNotes(take)})
	edges, mods := body.StatedEdges(take.Circumstances, "")
	passed := dice.RollCheck(r, "check/blind-walk", c, "acrobatics", 15, "movement", body.CheckOpts{Edges: edges, Modifiers: mods,
		Kinds: body.Renamed(take.Facts, "kinds"), Reason: "walk blind", Rules: []string{cite.ConditionBlindedMovement}}).Success()
	if passed {
		r.Mark(c.Id, body.MSteady, body.SteadyPassed, cite.ConditionBlindedMovement)
		return nil
	}
	r.Mark(c.Id, body.MSteady, body.SteadyFailed, cite.ConditionBlindedMovement)
	body.SetProne(r, c.Id, "stumbled blind", cite.ConditionBlindedMovement)
	return nil
}

// passage makes the actions that open an enemy's space for one turn by a
// contest: tumble and overrun, options of the fifth edition.
//
// rcr.opportunity.enter-space
func passage(id, title, skill string) *play.Action {
	const rule = cite.OpportunityEnterSpace
	return &play.Action{ID: id, Title: title, Rule: rule, Group: play.GroupMove, Least: 1, Most: 1,
		CostOf: func(at *play.At) []play.Cost { return checks.One(passageCost(at)) },
		Refuse: func(at *play.At) error { return refusePassage(at.State, at.Actor, passageCost(at)) },
		RefuseTarget: func(at *play.At, t *eventv1.Creature) error {
			if !body.Hostile(at.Actor, t) || body.Dead(t) {
				return body.Refuse("NOT_HOSTILE", rule, "%s is no enemy in the way", t.Name)
			}
			return nil
		},
		Fields: func(at *play.At) []play.Field {
			var open []string
			for _, cost := range []string{body.CAction, body.CBonus} {
				if refusePassage(at.State, at.Actor, cost) == nil {
					open = append(open, cost)
				}
			}
			return body.Offer(nil, at, true, play.Field{Name: "cost", Values: open, Required: slices.Equal(open, []string{body.CBonus})})
		},
		Do: func(r *rules.Resolution, at *play.At) error { return doPassage(r, at, skill) }}
}

func refusePassage(s *eventv1.State, c *eventv1.Creature, cost string) error {
	if cost == body.CBonus {
		return checks.NeedBonus(s, c)
	}
	return checks.NeedAction(c)
}

// passageCost is what a passage spends: what is said, the action else. A listing
// goes by the bonus action where the action is not to be had and there is somebody to
// pass: else the action is what a command would be refused for.
func passageCost(at *play.At) string {
	enemy := func(id string) bool {
		return body.Hostile(at.Actor, at.State.Creatures[id]) && !body.Dead(at.State.Creatures[id])
	}
	if at.Listing && checks.NeedAction(at.Actor) != nil && checks.NeedBonus(at.State, at.Actor) == nil && slices.ContainsFunc(at.Creatures(), enemy) || spoken.Word(at.Take.Parameters, "cost") == body.CBonus {
		return body.CBonus
	}
	return body.CAction
}

func doPassage(r *rules.Resolution, at *play.At, skill string) error {
	id, take, to := at.Action.ID, at.Take, checks.Target(at.Take)
	c, e := r.Creature(at.Actor.Id), r.Creature(to)
	body.Spend(r, c.Id, passageCost(at), id)
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: id, Targets: take.Targets, Notes: body.StatedNotes(take)})
	edges, mods := body.StatedEdges(take.Circumstances, to)
	if id == "overrun" {
		edges = append(edges, sizeEdge(c, e)...)
	}
	won, seen := checks.Contest(r, c, skill, body.CheckOpts{Edges: edges, Modifiers: mods, Kinds: body.Renamed(take.Facts, "kinds")}, e, []string{skill}, id, cite.OpportunityEnterSpace)
	if !won {
		r.Note(seen, c.Id, id+" fails", cite.OpportunityEnterSpace)
		return nil
	}
	r.Relate(c.Id, &eventv1.Relation{Kind: body.RelThrough, To: to, Round: r.State().Round, Rule: cite.OpportunityEnterSpace}, cite.OpportunityEnterSpace)
	return nil
}
