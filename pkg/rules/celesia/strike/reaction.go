package strike

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	theanswers "github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/items"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// MayReact tells whether a creature can take reactions at all: not in its own
// turn, nor while a 1-round action runs.
//
// celesia.turn.reaction-timing, celesia.reaction.none-during-one-round, celesia.mount.own-acts, celesia.mount.control-check
func MayReact(s *eventv1.State, c *eventv1.Creature) bool {
	return Able(c) && c.Counters[body.CReactions] > 0 && !slices.Contains(s.Active, c.Id) && theanswers.Rounding(c) == nil &&
		!body.Has(c, manners.CondUnruled) && theanswers.MayFight(c) && !slices.Contains(s.Active, body.RiderOf(c))
}

// ReactionsTo is the question whether a creature answers an act; nil when
// there is nothing to ask.
func ReactionsTo(s *eventv1.State, c *eventv1.Creature, p checks.Provocation) *eventv1.Decision {
	actor := s.Creatures[p.By]
	if c.Side == actor.Side || slices.Contains(p.Except, c.Id) || !MayReact(s, c) {
		return nil
	}
	d := &eventv1.Decision{Name: body.DecReaction, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: c.Id,
		Cause: actor.Name + ": " + p.Take.GetAction(), Question: c.Name + " may react to " + actor.Name, DefaultOption: "no", Against: []string{p.By},
		Rule: cite.TurnReactionTiming, Options: []*eventv1.DecisionOption{{Id: "no", Text: "Let it pass"}}}
	if p.Provokes && (p.Only == "" || p.Only == c.Id) {
		d.Options = append(d.Options, opportunities(s, c, actor, p)...)
	}
	// Before the first turn there are attacks of opportunity alone (a reading).
	acted := c.Counters[body.CTurn] > 0 || c.Marks[body.MActed] != ""
	if p.Kind == "cast" && acted && body.Feature(c, body.FeatCounterspell) {
		d.Options = append(d.Options, &eventv1.DecisionOption{Id: "counterspell", Text: "Counter the spell", Rule: cite.ReactionCounterspell})
	}
	if readiedFits(s, c, actor, p) {
		d.Options = append(d.Options, theanswers.TakeReadied(c)...)
	}
	d.Options = append(d.Options, items.Immediates(c, p)...)
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
func opportunities(s *eventv1.State, c, actor *eventv1.Creature, p checks.Provocation) []*eventv1.DecisionOption {
	if body.Has(c, body.CondTotal) || body.Has(c, body.CondFlatFooted) && !body.Feature(c, body.FeatCombatReflexes) {
		return nil
	}
	var out []*eventv1.DecisionOption
	for _, w := range body.SheetOf(c).Weapons {
		if threatens(c, actor, w, p.Take) {
			out = append(out, &eventv1.DecisionOption{Id: "attack:" + w.Name, Text: "Attack with " + w.Name, Rule: cite.ReactionAttackOfOpportunity},
				&eventv1.DecisionOption{Id: manners.Otherwise + ":" + w.Name, Text: "Attack with " + w.Name + " in a manner to choose", Rule: cite.AttackSpecialOptions})
		}
	}
	if len(out) > 0 {
		out = append(out, substitutes(s, c, actor)...)
	}
	if len(out) > 0 && body.Feature(c, body.FeatOpportunityHold) && theanswers.RefuseGrapple(s, c, actor, p.Take) == nil {
		out = append(out, &eventv1.DecisionOption{Id: "grapple", Text: "Grapple in place of the attack", Rule: cite.ReactionOpportunitySubstitute})
	}
	return out
}

// threatens tells whether a creature threatens another with a weapon: armed,
// in hand, and in reach by measure or by statement.
//
// celesia.attack.unarmed-no-aoo
func threatens(c, foe *eventv1.Creature, w *eventv1.CelesiaWeapon, take *eventv1.TakeAction) bool {
	if !manners.Strikes(c, w) || !Wieldable(c, w) || body.Has(c, body.CondPinned) {
		return false
	}
	if stated, ok := spoken.Words(take.GetFacts(), "threatened_by"); ok {
		return slices.Contains(stated, c.Id)
	}
	feet, known := body.Distance(c, foe)
	near, far := body.Span(c, w)
	return known && feet >= near && feet <= far
}

// armed tells whether a creature counts as armed.
func armed(c *eventv1.Creature) bool {
	return slices.ContainsFunc(body.SheetOf(c).Weapons, func(w *eventv1.CelesiaWeapon) bool { return manners.Strikes(c, w) && Wieldable(c, w) })
}
