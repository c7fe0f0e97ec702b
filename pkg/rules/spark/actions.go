package spark

import (
	"strings"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Actions that are not declared.
const (
	actFree  = "free-action"
	actSpeak = "speak"
	actDrop  = "drop-concentration"
)

// wholeRound is what every declaration costs: the full round action.
//
// spark.action.kinds
var wholeRound = []play.Cost{{Counter: cAction, Amount: 1}}

// declarations are the full round actions.
//
// spark.action.full-round-packages
func declarations() []*play.Action {
	list := []*play.Action{
		{ID: kindAttack, Title: "Attack", Rule: cite.ActionAttack, Group: play.GroupAttack, Items: allWeapons, Range: attacksAllowed,
			Names: attackName, RuleOf: attackRule, Refuse: refuseStrike, RefuseTarget: refuseStruck, Candidates: standing, Repeat: play.Always, Self: true,
			Loose: true, Fields: attackFields, Further: furtherAttacks},
		{ID: kindCharge, Title: "Charge", Rule: cite.ActionCharge, Group: play.GroupAttack, Items: meleeWeapons, Range: attacksAllowed,
			Refuse: refuseStrike, RefuseTarget: refuseStruck, Candidates: standing, Repeat: play.Always, Self: true, Loose: true, Fields: attackFields, Provokes: provokes},
		{ID: kindBullRush, Title: "Charge with a bull rush", Rule: cite.ActionBullRush, Group: play.GroupManeuver, Items: meleeWeapons, Range: attacksAllowed,
			Refuse: refuseStrike, RefuseTarget: refuseStruck, Candidates: standing, Repeat: play.Always, Self: true, Loose: true, Fields: attackFields, Provokes: provokes},
		{ID: kindCast, Title: "Cast a spell", Rule: cite.ActionSpellFillsRound, Group: play.GroupMagic,
			Items: func(at *play.At) []string { return spellNames(at.Actor) }, CostOf: spellCost, Range: spellTargets, Self: true,
			Refuse: refuseSpell, RefuseTarget: refuseSpellOn, Loose: true, Fields: noFields},
		{ID: kindMove, Title: "Move", Rule: cite.ActionMove, Group: play.GroupMove, Names: besides, Range: offHandTarget, RefuseTarget: anybody, Self: true,
			Loose: true, Fields: moveFields, Further: furtherDeeds, Provokes: provokes, Squares: squares},
		{ID: kindDeed, Title: "Do something else", Rule: cite.InitiativeOtherDeeds, Group: play.GroupOther, Names: besides, Most: rules.MaxCreatures, Self: true,
			Loose: true, Fields: deedFields, Further: furtherDeeds},
		{ID: kindBash, Title: "Bash a thing", Rule: cite.ItemHardnessCheck, Group: play.GroupOther, Names: besides, Range: offHandTarget, Self: true,
			Refuse: refuseBash, Loose: true, Fields: bashFields, Further: furtherDeeds},
		{ID: kindGather, Title: "Gather spilled missiles", Rule: cite.FumbleAltAmmoAccident, Group: play.GroupItem, Names: besides, Range: offHandTarget, Self: true,
			Items: inNeed, Refuse: refuseTask, Loose: true, Fields: gatherFields, Further: furtherDeeds},
		{ID: kindRestring, Title: "Fit a new string", Rule: cite.FumbleStringBreaks, Group: play.GroupItem, Items: inNeed, Refuse: refuseTask, Loose: true, Fields: noFields,
			RuleOf: func(at *play.At) string { return stringRule(at.State) }},
		{ID: kindRefit, Title: "Put the loose string back", Rule: cite.FumbleAltLooseString, Group: play.GroupItem, Items: inNeed, Refuse: refuseTask, Loose: true, Fields: noFields},
	}
	for _, a := range list {
		a.Traits, a.Check, a.Do = declares, check, declare
		if a.CostOf == nil {
			a.Costs = wholeRound
		}
	}
	return list
}

// others are the small things that may be done while the table declares, and what
// is no action but an answer.
func others() []*play.Action {
	free := []play.Cost{{Counter: cFree, Amount: 1}}
	return []*play.Action{
		{ID: actFree, Title: "Free action", Rule: cite.ActionFree, Group: play.GroupOther, Anytime: true, Costs: free, Most: rules.MaxCreatures, Self: true,
			Refuse: refuseFree, Check: checkText, Do: freeAction},
		{ID: actSpeak, Title: "Say three or four words", Rule: cite.ActionSpeak, Group: play.GroupOther, Anytime: true, Costs: free, Most: rules.MaxCreatures, Self: true,
			Refuse: refuseFree, Check: checkText, Do: freeAction},
		{ID: actDrop, Title: "Give up concentration", Rule: cite.ReactionConcentrationBars, Group: play.GroupMagic, Anytime: true,
			Items: concentratesOn, Refuse: refuseDrop, Do: dropConcentration},
		{ID: decCounterspell, Title: "A counterspell", Rule: cite.TurnCounterspellAnnouncedFirstHalf, Group: play.GroupMagic, Traits: answers, Items: nothing, Do: notAsked},
		{ID: decOpportunity, Title: "An opportunity attack", Rule: cite.ReactionOpportunityAttack, Group: play.GroupAttack, Traits: answers, Items: nothing, Do: notAsked},
	}
}

func nothing(*play.At) []string { return nil }

func notAsked(_ *rules.Resolution, at *play.At) error { return may(at) }

// check judges a declaration as a whole.
func check(at *play.At) error {
	d := plan(at.Actor, at.Take)
	glanceOf(at).plan = d
	return d.judge(at.State, at.Actor, at.Take)
}

// declare seals what check has judged.
func declare(r *rules.Resolution, at *play.At) error {
	seal(r, at.Actor, glanceOf(at).plan, at.Take)
	return nil
}

// refuseFree says that a creature has no free action now.
//
// spark.action.free, spark.action.speak
func refuseFree(at *play.At) error {
	if at.Actor.Counters[cFree] < 1 {
		return refuse("NO_FREE_ACTION", cite.ActionFree, "%s has used its five free actions", at.Actor.Name)
	}
	return nil
}

// mayMeddle says whether a creature may do small things now: while the table
// declares, whether it has declared itself or not. err is why it may not declare.
//
// spark.action.multi-round-lock
func mayMeddle(s *eventv1.State, c *eventv1.Creature, err error) error {
	if reason, _ := fault.Reason(err); reason == "DECLARED" || reason == "NOT_YOUR_TURN" {
		err = nil
	}
	if d := rules.BegunOf(c, begunDeclared).GetAction(); err == nil && d.GetAction() == kindCast {
		if sp := spellOf(c, d.Item); sp != nil && sp.Rounds > 0 {
			return refuse("LOCKED", cite.ActionMultiRoundLock, "%s casts for %d rounds", c.Name, sp.Rounds)
		}
	}
	return err
}

// wordsAtOnce are the words of one free action, textBytes the bytes of any text.
//
// spark.action.speak
const (
	wordsAtOnce = 4
	textBytes   = 200
)

// checkText bounds what is said.
func checkText(at *play.At) error {
	text := at.Word("text")
	switch {
	case len(text) > textBytes:
		return fault.Field("take.parameters.text", "at most %d bytes", textBytes)
	case at.Action.ID == actSpeak && len(strings.Fields(text)) > wordsAtOnce:
		return refuse("TOO_MANY_WORDS", cite.ActionSpeak, "a free action is %d words at most", wordsAtOnce)
	}
	return nil
}

func freeAction(r *rules.Resolution, at *play.At) error {
	id := at.Actor.Id
	r.Set(id, cFree, r.Count(id, cFree)-1, at.Action.ID, at.Action.Rule)
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: id, Action: at.Action.ID, Targets: at.Take.Targets, Notes: []string{at.Word("text")}}, cite.ActionFree)
	return nil
}

// concentratesOn is the spell that can be given up; a command need not name it.
func concentratesOn(at *play.At) []string {
	spell, concentrates := concentration(at.Actor)
	switch {
	case !at.Listing:
		return []string{at.Item()}
	case !concentrates:
		return nil
	}
	return []string{spell}
}

// refuseDrop says that a creature has no spell to give up.
func refuseDrop(at *play.At) error {
	if _, concentrates := concentration(at.Actor); !concentrates {
		return refuse("NO_CONCENTRATION", cite.ReactionConcentrationBars, "%s concentrates on nothing", at.Actor.Name)
	}
	return nil
}

// dropConcentration gives up a spell that demands concentration.
//
// spark.reaction.concentration-bars
func dropConcentration(r *rules.Resolution, at *play.At) error {
	spell, _ := concentration(at.Actor)
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: at.Actor.Id, Action: actDrop, Item: spell}, cite.ReactionConcentrationBars)
	endConditions(r, at.Actor.Id, condConcentrating, "given up", cite.ReactionConcentrationBars)
	return nil
}
