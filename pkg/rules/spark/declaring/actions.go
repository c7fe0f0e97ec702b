package declaring

import (
	"strings"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Actions that are not declared.
const (
	ActFree  = "free-action"
	ActSpeak = "speak"
	ActDrop  = "drop-concentration"
)

// wholeRound is what every declaration costs: the full round action.
//
// spark.action.kinds
var wholeRound = []play.Cost{{Counter: body.CAction, Amount: 1}}

// Declarations are the full round actions.
//
// spark.action.full-round-packages
func Declarations() []*play.Action {
	list := []*play.Action{
		{ID: KindAttack, Title: "Attack", Rule: cite.ActionAttack, Group: play.GroupAttack, Items: allWeapons, Range: attacksAllowed,
			Names: attackName, RuleOf: attackRule, Refuse: refuseStrike, RefuseTarget: refuseStruck, Candidates: standing, Repeat: play.Always, Self: true,
			Loose: true, Fields: attackFields, Further: furtherAttacks},
		{ID: KindCharge, Title: "Charge", Rule: cite.ActionCharge, Group: play.GroupAttack, Items: meleeWeapons, Range: attacksAllowed,
			Refuse: refuseStrike, RefuseTarget: refuseStruck, Candidates: standing, Repeat: play.Always, Self: true, Names: attackName, Loose: true, Fields: attackFields, Further: furtherCharges, Provokes: provokes},
		{ID: KindBullRush, Title: "Charge with a bull rush", Rule: cite.ActionBullRush, Group: play.GroupManeuver, Items: meleeWeapons, Range: attacksAllowed,
			Refuse: refuseStrike, RefuseTarget: refuseStruck, Candidates: standing, Repeat: play.Always, Self: true, Names: attackName, Loose: true, Fields: attackFields, Further: furtherCharges, Provokes: provokes},
		{ID: KindCast, Title: "Cast a spell", Rule: cite.ActionSpellFillsRound, Group: play.GroupMagic,
			Items: func(at *play.At) []string { return body.SpellNames(at.Actor) }, CostOf: spellCost, Range: spellTargets, Self: true,
			Refuse: refuseSpell, RefuseTarget: refuseSpellOn, Loose: true, Fields: noFields, Area: spellArea},
		{ID: KindMove, Title: "Move", Rule: cite.ActionMove, Group: play.GroupMove, Names: besides, Range: offHandTarget, RefuseTarget: anybody, Self: true,
			Loose: true, Fields: moveFields, Further: furtherDeeds, Provokes: provokes, Squares: squares},
		{ID: KindDeed, Title: "Do something else", Rule: cite.InitiativeOtherDeeds, Group: play.GroupOther, Names: besides, Most: rules.MaxCreatures, Self: true,
			Loose: true, Fields: deedFields, Further: furtherDeeds},
		{ID: KindBash, Title: "Bash a thing", Rule: cite.ItemHardnessCheck, Group: play.GroupOther, Names: besides, Range: offHandTarget, Self: true,
			Refuse: refuseBash, Loose: true, Fields: bashFields, Further: furtherDeeds},
		{ID: KindGather, Title: "Gather spilled missiles", Rule: cite.FumbleAltAmmoAccident, Group: play.GroupItem, Names: besides, Range: offHandTarget, Self: true,
			Items: inNeed, Refuse: refuseTask, Loose: true, Fields: gatherFields, Further: furtherDeeds},
		{ID: KindRestring, Title: "Fit a new string", Rule: cite.FumbleStringBreaks, Group: play.GroupItem, Items: inNeed, Refuse: refuseTask, Loose: true, Fields: noFields,
			RuleOf: func(at *play.At) string { return body.StringRule(at.State) }},
		{ID: KindRefit, Title: "Put the loose string back", Rule: cite.FumbleAltLooseString, Group: play.GroupItem, Items: inNeed, Refuse: refuseTask, Loose: true, Fields: noFields},
	}
	for _, a := range list {
		a.Traits, a.Check, a.Do = declares, check, declare
		if a.CostOf == nil {
			a.Costs = wholeRound
		}
	}
	return list
}

// Others are the small things that may be done while the table declares, and what
// is no action but an answer.
func Others() []*play.Action {
	free := []play.Cost{{Counter: body.CFree, Amount: 1}}
	return []*play.Action{
		{ID: ActFree, Title: "Free action", Rule: cite.ActionFree, Group: play.GroupOther, Anytime: true, Costs: free, Most: rules.MaxCreatures, Self: true,
			Refuse: refuseFree, Check: checkText, Do: freeAction},
		{ID: ActSpeak, Title: "Say three or four words", Rule: cite.ActionSpeak, Group: play.GroupOther, Anytime: true, Costs: free, Most: rules.MaxCreatures, Self: true,
			Refuse: refuseFree, Check: checkText, Do: freeAction},
		{ID: ActDrop, Title: "Give up concentration", Rule: cite.ReactionConcentrationBars, Group: play.GroupMagic, Anytime: true,
			Items: concentratesOn, Refuse: refuseDrop, Do: dropConcentration},
		{ID: body.DecCounterspell, Title: "A counterspell", Rule: cite.TurnCounterspellAnnouncedFirstHalf, Group: play.GroupMagic, Traits: answers, Items: nothing, Do: notAsked},
		{ID: body.DecOpportunity, Title: "An opportunity attack", Rule: cite.ReactionOpportunityAttack, Group: play.GroupAttack, Traits: answers, Items: nothing, Do: notAsked},
	}
}

func nothing(*play.At) []string { return nil }

func notAsked(_ *rules.Resolution, at *play.At) error { return May(at) }

// check judges a declaration as a whole.
func check(at *play.At) error {
	d := plan(at.Content, at.Actor, at.Take)
	GlanceOf(at).plan = d
	return d.judge(at.State, at.Content, at.Actor, at.Take)
}

// declare seals what check has judged.
func declare(r *rules.Resolution, at *play.At) error {
	seal(r, at.Actor, GlanceOf(at).plan, at.Take)
	return nil
}

// refuseFree says that a creature has no free action now.
//
// spark.action.free, spark.action.speak
func refuseFree(at *play.At) error {
	if at.Actor.Counters[body.CFree] < int64(at.Action.Cost(at, body.CFree)) {
		return body.Refuse("NO_FREE_ACTION", cite.ActionFree, "%s has used its five free actions", at.Actor.Name)
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
	if d := rules.BegunOf(c, body.BegunDeclared).GetAction(); err == nil && d.GetAction() == KindCast {
		if rounds := body.SpellOf(c, d.Item).GetRounds(); rounds > 0 {
			return body.Refuse("LOCKED", cite.ActionMultiRoundLock, "%s casts for %d rounds", c.Name, rounds)
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
	case at.Action.ID == ActSpeak && len(strings.Fields(text)) > wordsAtOnce:
		return body.Refuse("TOO_MANY_WORDS", cite.ActionSpeak, "a free action is %d words at most", wordsAtOnce)
	}
	return nil
}

func freeAction(r *rules.Resolution, at *play.At) error {
	id := at.Actor.Id
	r.Set(id, body.CFree, r.Count(id, body.CFree)-int64(at.Action.Cost(at, body.CFree)), at.Action.ID, at.Action.Rule)
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: id, Action: at.Action.ID, Targets: at.Take.Targets, Notes: []string{at.Word("text")}}, cite.ActionFree)
	return nil
}

// concentratesOn is the spell that can be given up; a command need not name it.
func concentratesOn(at *play.At) []string {
	spell, concentrates := body.Concentration(at.Actor)
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
	if _, concentrates := body.Concentration(at.Actor); !concentrates {
		return body.Refuse("NO_CONCENTRATION", cite.ReactionConcentrationBars, "%s concentrates on nothing", at.Actor.Name)
	}
	return nil
}

// dropConcentration gives up a spell that demands concentration.
//
// spark.reaction.concentration-bars
func dropConcentration(r *rules.Resolution, at *play.At) error {
	spell, _ := body.Concentration(at.Actor)
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: at.Actor.Id, Action: ActDrop, Item: spell}, cite.ReactionConcentrationBars)
	body.EndConditions(r, at.Actor.Id, body.CondConcentrating, "given up", cite.ReactionConcentrationBars)
	return nil
}
