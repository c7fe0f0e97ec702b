package saddle

import (
	"strings"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	theanswers "github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/items"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// window lets everyone concerned answer an act before it begins. Reactions may
// themselves be answered; what was declared last is resolved first.
//
// celesia.action.provoke, celesia.turn.reaction-timing, celesia.reaction.chain
func window(r *rules.Resolution, p checks.Provocation) {
	p = hushed(r, p)
	decisions := map[string]*eventv1.Decision{}
	var labels []string
	for _, id := range theanswers.Order(r.State()) {
		if d := strike.ReactionsTo(r.State(), r.Creature(id), p); d != nil {
			label := "reaction/" + p.By + "/" + id
			decisions[label] = d
			labels = append(labels, label)
		}
	}
	if len(labels) == 0 {
		return
	}
	answers := r.AskAll(decisions, labels)
	for _, label := range labels {
		id := decisions[label].Creature
		// What came before may have changed what this one may do.
		if now := strike.ReactionsTo(r.State(), r.Creature(id), p); now == nil || !theanswers.Offers(now, answers[label].Option) {
			continue
		}
		if !strike.Able(r.Creature(p.By)) {
			return // there is no act left to answer
		}
		react(r, id, p, answers[label].Option)
	}
}

// react carries out a reaction.
//
// celesia.turn.reaction-provoke, celesia.injury.disabled-still-reacts, celesia.injury.disabled-strain
func react(r *rules.Resolution, id string, p checks.Provocation, option string) {
	strained := body.Disabled(r.Creature(id))
	r.Set(id, body.CReactions, r.Count(id, body.CReactions)-1, option, cite.TurnOneReaction)
	what, weapon, _ := strings.Cut(option, ":")
	switch what {
	case "attack", manners.Otherwise:
		opportunity(r, id, p.By, weapon, what == manners.Otherwise)
	case "grapple":
		take := &eventv1.TakeAction{Creature: id, Action: "grapple", Targets: []string{p.By}}
		reactWith(r, strike.ActionOf("grapple"), take, cite.ReactionOpportunitySubstitute)
	case strike.Instead:
		insteadOf(r, id, p, weapon)
	case "counterspell":
		counter(r, id, p)
	case "ability":
		respond(r, id, p, weapon)
	case "readied", "readied-" + manners.Otherwise:
		completeReadied(r, id, p, what != "readied")
	}
	if strained {
		strain(r, id, 1)
	}
}

// insteadOf does what an ability allows in place of an attack of opportunity. Whether
// that provokes is said by the action, or by the ability.
//
// celesia.reaction.opportunity-substitute, celesia.reaction.chain
func insteadOf(r *rules.Resolution, id string, p checks.Provocation, what string) {
	const rule = cite.ReactionOpportunitySubstitute
	name, item, _ := strings.Cut(what, ":")
	a := items.AbilityOf(r.Creature(id), name)
	if a == nil { // its name has a colon of its own
		name, item = what, ""
		a = items.AbilityOf(r.Creature(id), name)
	}
	take := strike.SubstituteTake(a, r.Creature(id), p.By, item)
	if items.Counted(a) {
		r.Set(id, body.CLeft+name, r.Count(id, body.CLeft+name)-1, "used", rule)
	}
	act := strike.ActionOf(a.Action)
	if a.Provokes && (act == nil || act.Provoke == nil) {
		window(r, checks.Provocation{By: id, Kind: "other", Provokes: true, Take: &eventv1.TakeAction{Creature: id, Action: "immediate-ability", Item: name}})
		if !strike.Able(r.Creature(id)) {
			r.Note(event.Everyone(), id, name+" is never begun", cite.ActionProvoke)
			return
		}
	}
	if act == nil {
		r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: id, Action: "immediate-ability", Targets: []string{p.By}, Item: name}, rule)
		r.Note(event.Everyone(), id, r.Creature(id).GetName()+" uses "+name, rule)
		return
	}
	if to := strike.ReadiedWay(r, act, take); to != nil {
		take.Path = []*eventv1.Position{to}
	}
	reactWith(r, act, take, rule)
}

// opportunity makes an attack of opportunity.
//
// celesia.reaction.attack-of-opportunity
func opportunity(r *rules.Resolution, id, at, weapon string, choose bool) {
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: id, Action: "attack-of-opportunity", Targets: []string{at}, Item: weapon},
		cite.ReactionAttackOfOpportunity)
	w, take := body.WeaponOf(r.Creature(id), weapon), &eventv1.TakeAction{Creature: id, Item: weapon, Targets: []string{at}}
	if choose {
		take.Parameters = manners.AskManner(r, id, w, "opportunity/"+id)
		declare(r, id, take)
	}
	makeAttack(r, body.Attack{By: id, Target: at, Weapon: w, Label: "opportunity/" + id, Take: take})
}

// reactWith takes an action as a reaction: it provokes as the action does.
// Refusals cannot come: what cannot be done was not offered.
func reactWith(r *rules.Resolution, a *strike.Action, take *eventv1.TakeAction, rule string) {
	r.Note(event.Everyone(), take.Creature, "a reaction: "+a.Title, rule)
	if err := PerformAll(a, r, take, 0, false); err != nil {
		r.Note(event.Everyone(), take.Creature, a.Title+" comes to nothing", rule)
		r.Note(event.Controllers(take.Creature), take.Creature, err.Error(), rule)
	}
}

// counter answers a spell with a counterspell, which provokes itself. Whether
// it holds is the game master's word.
//
// celesia.reaction.counterspell
func counter(r *rules.Resolution, id string, p checks.Provocation) {
	take := &eventv1.TakeAction{Creature: id, Action: "counterspell", Targets: []string{p.By}}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: id, Action: "counterspell", Targets: []string{p.By}}, cite.ReactionCounterspell)
	window(r, checks.Provocation{By: id, Kind: "cast", Provokes: true, Take: take})
	if !strike.Able(r.Creature(id)) {
		r.Note(event.Everyone(), id, "the counterspell is never begun", cite.ActionProvoke)
		return
	}
	d := rules.YesNo(body.DecCounter, "", r.Creature(id).GetName()+" counters the spell of "+r.Creature(p.By).GetName(),
		"Is the spell cancelled?", "no", cite.ReactionCounterspell)
	if r.Ask("counterspell/"+id, d).Option == "yes" {
		r.AddCondition(p.By, &eventv1.Condition{Name: items.CondCountered, Source: id, Cause: "counterspell", Rule: cite.ReactionCounterspell})
	}
}
