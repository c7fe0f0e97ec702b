package answers

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/strike"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Threateners lists the enemies that may make an opportunity attack on a
// creature where it stands. Those stated are taken in place of those measured;
// either way an enemy must be hostile, able to see the creature, able to strike in
// melee and have a reaction.
//
// rcr.base.opportunity-frame
func Threateners(s *eventv1.State, provoker string, stated []string) []string {
	if checks.BareAction(s, s.Creatures[provoker]) {
		return nil // rcr.surprise.one-action
	}
	var out []string
	for _, id := range rules.SortedKeys(s.Creatures) {
		if stated != nil && !slices.Contains(stated, id) {
			continue
		}
		if stated == nil && !WithinReach(s.Creatures[id], s.Creatures[provoker]) {
			continue
		}
		if MayOpportunity(s, id, provoker) {
			out = append(out, id)
		}
	}
	return out
}

// WithinReach tells whether a creature is known to be within an enemy's melee reach;
// false when the distance is unknown.
func WithinReach(enemy, c *eventv1.Creature) bool {
	feet, known := body.Distance(enemy, c)
	return known && feet <= body.ReachOf(enemy)
}

// MayOpportunity tells whether one creature may make opportunity attacks on
// another, reach apart. Whoever rides provokes none, by whatever it does (a reading
// that tables may turn off).
//
// rcr.mount.no-provoke-rider
func MayOpportunity(s *eventv1.State, enemy, provoker string) bool {
	e, c := s.Creatures[enemy], s.Creatures[provoker]
	if e == nil || c == nil || body.Dead(c) || body.Seat(c) != nil && body.Settings.Value(s, body.SetMountedProvoke) == "no" || !body.Hostile(e, c) || strike.NeedReaction(s, e) != nil || checks.CharmedBy(e, provoker) {
		return false
	}
	feet, known := body.Distance(e, c)
	if !known {
		feet = 5 // it is within reach
	}
	return body.Perceives(s, e, c, feet) && len(opportunities(e)) > 0
}

// meleeAttacks are the attacks that a creature can make in melee right now with what
// its sheet has.
func meleeAttacks(c *eventv1.Creature) []*eventv1.RcrAttack {
	return readyToStrike(c, body.SheetOf(c).Attacks)
}

// opportunities are the melee attacks that may be opportunity attacks: those of the
// sheet and the unarmed strike, but none with whatever is at hand, which would first
// have to be taken up.
//
// rcr.base.opportunity-frame, rcr.base.unarmed-strike
func opportunities(c *eventv1.Creature) []*eventv1.RcrAttack {
	return slices.DeleteFunc(readyToStrike(c, body.AttacksOf(c)), func(a *eventv1.RcrAttack) bool {
		return a.Name == body.ImprovisedWeapon && !slices.Contains(body.SheetOf(c).Attacks, a)
	})
}

func readyToStrike(c *eventv1.Creature, attacks []*eventv1.RcrAttack) []*eventv1.RcrAttack {
	var out []*eventv1.RcrAttack
	for _, a := range attacks {
		if a.ReachFeet > 0 && body.InHand(c, a) && strike.UsesLeft(c, a.Name, a.Usage) {
			out = append(out, a)
		}
	}
	return out
}

// OpportunityDecision asks an enemy, by its id, whether to attack the provoker and
// with which melee attack that reaches it; letting it pass is the default.
func OpportunityDecision(s *eventv1.State, enemy, provoker string, why checks.Trigger, rule string) *eventv1.Decision {
	e, c := s.Creatures[enemy], s.Creatures[provoker]
	d := &eventv1.Decision{Name: body.DecOpportunity, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: enemy,
		Cause: c.Name + " " + string(why), Question: e.Name + " may attack " + c.Name, DefaultOption: "no", Rule: rule, Against: []string{provoker},
		Options: []*eventv1.DecisionOption{{Id: "no", Text: "Let it pass"}}}
	feet, _ := body.Distance(e, c)
	for _, a := range opportunities(e) {
		if feet <= a.ReachFeet {
			d.Options = append(d.Options, &eventv1.DecisionOption{Id: a.Name, Text: "Attack with " + a.Name, Rule: cite.BaseOpportunityFrame})
		}
	}
	return d
}

// StatedOpportunity is what is stated about an enemy's opportunity attack.
//
// rcr.base.half-cover, rcr.dice.pairwise-cancel
func StatedOpportunity(take *eventv1.TakeAction, enemy string) (cover string, edges []*eventv1.Edge) {
	said := take.GetFacts().GetFields()[body.FactOpportunity].GetStructValue().GetFields()[enemy].GetStructValue()
	for _, way := range []string{"advantage", "disadvantage"} {
		if why := spoken.Word(said, way); why != "" {
			edges = append(edges, &eventv1.Edge{Advantage: way == "advantage", Kind: why, Source: why, Rule: cite.DicePairwiseCancel, Stated: true})
		}
	}
	return spoken.Word(said, "cover"), edges
}
