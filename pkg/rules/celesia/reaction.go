package celesia

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// provocation is an act that others may answer before it begins.
type provocation struct {
	// by whom.
	by string
	// kind is the word by which readied actions know it.
	kind string
	// provokes attacks of opportunity.
	provokes bool
	// only this creature may make one; empty means everyone who threatens.
	only string
	// except have had their chance already.
	except []string
	// take is the act.
	take *eventv1.TakeAction
}

// window lets everyone concerned answer an act before it begins. Reactions may
// themselves be answered; what was declared last is resolved first.
//
// celesia.action.provoke, celesia.turn.reaction-timing, celesia.reaction.chain
func window(r *rules.Resolution, p provocation) {
	decisions := map[string]*eventv1.Decision{}
	var labels []string
	for _, id := range order(r.State()) {
		if d := reactionsTo(r.State(), r.Creature(id), p); d != nil {
			label := "reaction/" + p.by + "/" + id
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
		if now := reactionsTo(r.State(), r.Creature(id), p); now == nil || !offers(now, answers[label].Option) {
			continue
		}
		if !able(r.Creature(p.by)) {
			return // there is no act left to answer
		}
		react(r, id, p, answers[label].Option)
	}
}

func offers(d *eventv1.Decision, option string) bool {
	return option != "no" && slices.ContainsFunc(d.Options, func(o *eventv1.DecisionOption) bool { return o.Id == option })
}

// mayReact tells whether a creature can take reactions at all: not in its own
// turn, nor while a 1-round action runs.
//
// celesia.turn.reaction-timing, celesia.reaction.none-during-one-round, celesia.mount.own-acts, celesia.mount.control-check
func mayReact(s *eventv1.State, c *eventv1.Creature) bool {
	return able(c) && c.Counters[cReactions] > 0 && !slices.Contains(s.Active, c.Id) && rounding(c) == nil &&
		!has(c, condUnruled) && mayFight(c) && !slices.Contains(s.Active, riderOf(c))
}

// reactionsTo is the question whether a creature answers an act; nil when
// there is nothing to ask.
func reactionsTo(s *eventv1.State, c *eventv1.Creature, p provocation) *eventv1.Decision {
	actor := s.Creatures[p.by]
	if c == nil || actor == nil || c.Id == p.by || c.Side == actor.Side || slices.Contains(p.except, c.Id) || !mayReact(s, c) {
		return nil
	}
	d := &eventv1.Decision{Name: decReaction, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: c.Id,
		Cause: actor.Name + ": " + p.take.GetAction(), Question: c.Name + " may react to " + actor.Name, DefaultOption: "no",
		Rule: cite.TurnReactionTiming, Options: []*eventv1.DecisionOption{{Id: "no", Text: "Let it pass"}}}
	if p.provokes && (p.only == "" || p.only == c.Id) {
		d.Options = append(d.Options, opportunities(s, c, actor, p)...)
	}
	// Before the first turn there are attacks of opportunity alone (a reading).
	acted := c.Counters[cTurn] > 0 || c.Marks[mActed] != ""
	if p.kind == "cast" && acted && feature(c, featCounterspell) {
		d.Options = append(d.Options, &eventv1.DecisionOption{Id: "counterspell", Text: "Counter the spell", Rule: cite.ReactionCounterspell})
	}
	if readiedFits(s, c, actor, p) {
		d.Options = append(d.Options, takeReadied(c)...)
	}
	d.Options = append(d.Options, immediates(c, p)...)
	if len(d.Options) == 1 {
		return nil
	}
	return d
}

// opportunities are the attacks of opportunity that a creature can make on one
// that provokes.
//
// celesia.turn.attack-of-opportunity, celesia.reaction.attack-of-opportunity,
// celesia.action.total-defense-no-aoo
func opportunities(s *eventv1.State, c, actor *eventv1.Creature, p provocation) []*eventv1.DecisionOption {
	if has(c, condTotal) || has(c, condFlatFooted) && !feature(c, featCombatReflexes) {
		return nil
	}
	var out []*eventv1.DecisionOption
	for _, w := range sheetOf(c).Weapons {
		if threatens(c, actor, w, p.take) {
			out = append(out, &eventv1.DecisionOption{Id: "attack:" + w.Name, Text: "Attack with " + w.Name, Rule: cite.ReactionAttackOfOpportunity},
				&eventv1.DecisionOption{Id: otherwise + ":" + w.Name, Text: "Attack with " + w.Name + " in a manner to choose", Rule: cite.AttackSpecialOptions})
		}
	}
	if len(out) > 0 && feature(c, featOpportunityHold) && refuseGrapple(s, c, actor, p.take) == nil {
		out = append(out, &eventv1.DecisionOption{Id: "grapple", Text: "Grapple in place of the attack", Rule: cite.ReactionOpportunitySubstitute})
	}
	return out
}

// threatens tells whether a creature threatens another with a weapon: armed,
// in hand, and in reach by measure or by statement.
//
// celesia.attack.unarmed-no-aoo
func threatens(c, foe *eventv1.Creature, w *eventv1.CelesiaWeapon, take *eventv1.TakeAction) bool {
	if !strikes(c, w) || !wieldable(c, w) || has(c, condPinned) {
		return false
	}
	if stated, ok := spoken.Words(take.GetFacts(), "threatened_by"); ok {
		return slices.Contains(stated, c.Id)
	}
	feet, known := distance(c, foe)
	near, far := span(c, w)
	return known && feet >= near && feet <= far
}

// strikes tells whether a weapon makes its user armed in melee.
//
// celesia.attack.armed-unarmed
func strikes(c *eventv1.Creature, w *eventv1.CelesiaWeapon) bool {
	switch w.Kind {
	case kindMelee, kindNatural:
		return true
	case kindUnarmed:
		return feature(c, featImprovedUnarmed) || feature(c, featMonk) || hasNatural(c)
	}
	return false
}

func hasNatural(c *eventv1.Creature) bool {
	return slices.ContainsFunc(sheetOf(c).Weapons, func(w *eventv1.CelesiaWeapon) bool { return w.Kind == kindNatural })
}

// armed tells whether a creature counts as armed.
func armed(c *eventv1.Creature) bool {
	return slices.ContainsFunc(sheetOf(c).Weapons, func(w *eventv1.CelesiaWeapon) bool { return strikes(c, w) && wieldable(c, w) })
}

// react carries out a reaction.
//
// celesia.turn.reaction-provoke, celesia.injury.disabled-still-reacts, celesia.injury.disabled-strain
func react(r *rules.Resolution, id string, p provocation, option string) {
	strained := disabled(r.Creature(id))
	r.Set(id, cReactions, r.Count(id, cReactions)-1, option, cite.TurnOneReaction)
	what, weapon, _ := strings.Cut(option, ":")
	switch what {
	case "attack", otherwise:
		opportunity(r, id, p.by, weapon, what == otherwise)
	case "grapple":
		take := &eventv1.TakeAction{Creature: id, Action: "grapple", Targets: []string{p.by}}
		reactWith(r, actionOf("grapple"), take, cite.ReactionOpportunitySubstitute)
	case "counterspell":
		counter(r, id, p)
	case "ability":
		respond(r, id, p, weapon)
	case "readied", "readied-" + otherwise:
		completeReadied(r, id, p, what != "readied")
	}
	if strained {
		strain(r, id, 1)
	}
}

// opportunity makes an attack of opportunity.
//
// celesia.reaction.attack-of-opportunity
func opportunity(r *rules.Resolution, id, at, weapon string, choose bool) {
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: id, Action: "attack-of-opportunity", Targets: []string{at}, Item: weapon},
		cite.ReactionAttackOfOpportunity)
	w, take := weaponOf(r.Creature(id), weapon), &eventv1.TakeAction{Creature: id, Item: weapon, Targets: []string{at}}
	if choose {
		take.Parameters = askManner(r, id, w, "opportunity/"+id)
		declare(r, id, take)
	}
	makeAttack(r, attack{by: id, target: at, weapon: w, label: "opportunity/" + id, take: take})
}

// reactWith takes an action as a reaction: it provokes as the action does.
// Refusals cannot come: what cannot be done was not offered.
func reactWith(r *rules.Resolution, a *action, take *eventv1.TakeAction, rule string) {
	r.Note(event.Everyone(), take.Creature, "a reaction: "+a.Title, rule)
	if err := performAll(a, r, take, 0, false); err != nil {
		r.Note(event.Everyone(), take.Creature, a.Title+" comes to nothing", rule)
		r.Note(event.Controllers(take.Creature), take.Creature, err.Error(), rule)
	}
}

// counter answers a spell with a counterspell, which provokes itself. Whether
// it holds is the game master's word.
//
// celesia.reaction.counterspell
func counter(r *rules.Resolution, id string, p provocation) {
	take := &eventv1.TakeAction{Creature: id, Action: "counterspell", Targets: []string{p.by}}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: id, Action: "counterspell", Targets: []string{p.by}}, cite.ReactionCounterspell)
	window(r, provocation{by: id, kind: "cast", provokes: true, take: take})
	if !able(r.Creature(id)) {
		r.Note(event.Everyone(), id, "the counterspell is never begun", cite.ActionProvoke)
		return
	}
	d := rules.YesNo(decCounter, "", r.Creature(id).GetName()+" counters the spell of "+r.Creature(p.by).GetName(),
		"Is the spell cancelled?", "no", cite.ReactionCounterspell)
	if r.Ask("counterspell/"+id, d).Option == "yes" {
		r.AddCondition(p.by, &eventv1.Condition{Name: condCountered, Source: id, Cause: "counterspell", Rule: cite.ReactionCounterspell})
	}
}
