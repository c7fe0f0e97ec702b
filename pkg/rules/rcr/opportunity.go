package rcr

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// trigger says in words what provokes an opportunity attack.
type trigger string

// threateners lists the enemies that may make an opportunity attack on a
// creature where it stands. Those stated are taken in place of those measured;
// either way an enemy must be hostile, able to see the creature, armed for
// melee and have a reaction.
//
// rcr.base.opportunity-frame
func threateners(r *rules.Resolution, provoker string, stated []string) []string {
	s := r.State()
	if bareAction(s, s.Creatures[provoker]) {
		return nil // rcr.surprise.one-action
	}
	var out []string
	for _, id := range rules.SortedKeys(s.Creatures) {
		if stated != nil && !slices.Contains(stated, id) {
			continue
		}
		if stated == nil && !withinReach(s.Creatures[id], s.Creatures[provoker]) {
			continue
		}
		if mayOpportunity(s, id, provoker) {
			out = append(out, id)
		}
	}
	return out
}

func withinReach(enemy, c *eventv1.Creature) bool {
	feet, known := distance(enemy, c)
	return known && feet <= reachOf(enemy)
}

// mayOpportunity tells whether one creature may make opportunity attacks on
// another, reach apart.
func mayOpportunity(s *eventv1.State, enemy, provoker string) bool {
	e, c := s.Creatures[enemy], s.Creatures[provoker]
	if e == nil || c == nil || dead(c) || !hostile(e, c) || needReaction(s, e) != nil || charmedBy(e, provoker) {
		return false
	}
	feet, known := distance(e, c)
	if !known {
		feet = 5 // it is within reach
	}
	return perceives(s, e, c, feet) && len(meleeAttacks(s, e)) > 0
}

// charmedBy tells whether a creature is charmed by another: it cannot attack it.
func charmedBy(c *eventv1.Creature, source string) bool {
	return slices.ContainsFunc(c.GetConditions(), func(x *eventv1.Condition) bool {
		return x.Name == condCharmed && x.Source == source
	})
}

// meleeAttacks are the attacks that a creature can make in melee right now.
func meleeAttacks(s *eventv1.State, c *eventv1.Creature) []*eventv1.RcrAttack {
	var out []*eventv1.RcrAttack
	for _, a := range sheetOf(c).Attacks {
		if a.ReachFeet > 0 && inHand(c, a) && usesLeft(c, a.Name, a.Usage) {
			out = append(out, a)
		}
	}
	return out
}

// offerOpportunity asks every eligible enemy whether it takes an opportunity
// attack and carries out those taken, before the provoking act takes effect.
// The act is the caller's: it must look afterwards whether the provoker can
// still act.
//
// rcr.base.opportunity-frame
func offerOpportunity(r *rules.Resolution, provoker string, why trigger, rule string, eligible []string, take *eventv1.TakeAction) {
	decisions := map[string]*eventv1.Decision{}
	var labels []string
	for _, id := range slices.Compact(slices.Sorted(slices.Values(eligible))) {
		if mayOpportunity(r.State(), id, provoker) {
			label := "opportunity/" + id
			decisions[label] = opportunityDecision(r.State(), id, provoker, why, rule)
			labels = append(labels, label)
		}
	}
	if len(labels) == 0 {
		return
	}
	answers := r.AskAll(decisions, labels)
	for _, label := range labels {
		takeOpportunity(r, decisions[label].Creature, provoker, answers[label].Option, rule, take)
	}
}

func opportunityDecision(s *eventv1.State, enemy, provoker string, why trigger, rule string) *eventv1.Decision {
	e, c := s.Creatures[enemy], s.Creatures[provoker]
	d := &eventv1.Decision{Name: decOpportunity, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: enemy,
		Cause: c.Name + " " + string(why), Question: e.Name + " may attack " + c.Name, DefaultOption: "no", Rule: rule,
		Options: []*eventv1.DecisionOption{{Id: "no", Text: "Let it pass"}}}
	feet, known := distance(e, c)
	for _, a := range meleeAttacks(s, e) {
		if !known || feet <= a.ReachFeet {
			d.Options = append(d.Options, &eventv1.DecisionOption{Id: a.Name, Text: "Attack with " + a.Name, Rule: cite.BaseOpportunityFrame})
		}
	}
	return d
}

func takeOpportunity(r *rules.Resolution, enemy, provoker, answer, rule string, take *eventv1.TakeAction) {
	atk := attackOf(r.Creature(enemy), answer)
	// An earlier attack may have changed what this one may do.
	if answer == "no" || atk == nil || !mayOpportunity(r.State(), enemy, provoker) || down(r.Creature(provoker)) {
		return
	}
	spend(r, enemy, cReaction, "opportunity attack", cite.BaseOpportunityFrame)
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: enemy, Action: "opportunity-attack", Targets: []string{provoker}, Item: atk.Name}, rule)
	if limited(atk.Usage) {
		spend(r, enemy, usesOf(atk.Name, atk.Usage), "used")
	}
	feet, known := distance(r.Creature(enemy), r.Creature(provoker))
	if !known {
		feet = -1
	}
	o := attackOpts{label: "opportunity/" + enemy, kind: attackKind{melee: true, distance: feet}}
	o.cover, o.edges = statedOpportunity(take, enemy)
	makeAttack(r, r.Creature(enemy), r.Creature(provoker), atk, o)
}

// factOpportunity is the fact of a provoking act that says what weighs on the
// opportunity attacks it brings, by enemy: {"orc": {"cover": "half",
// "advantage": "why", "disadvantage": "why"}}.
const factOpportunity = "opportunity"

// statedOpportunity is what is stated about an enemy's opportunity attack.
//
// rcr.base.half-cover, rcr.dice.pairwise-cancel
func statedOpportunity(take *eventv1.TakeAction, enemy string) (cover string, edges []*eventv1.Edge) {
	said := take.GetFacts().GetFields()[factOpportunity].GetStructValue().GetFields()[enemy].GetStructValue()
	for _, way := range []string{"advantage", "disadvantage"} {
		if why := spoken.Word(said, way); why != "" {
			edges = append(edges, &eventv1.Edge{Advantage: way == "advantage", Kind: why, Source: why, Rule: cite.DicePairwiseCancel, Stated: true})
		}
	}
	return spoken.Word(said, "cover"), edges
}

// checkOpportunityFacts says what is wrong with what is stated about
// opportunity attacks.
func checkOpportunityFacts(r *rules.Resolution, take *eventv1.TakeAction) error {
	said := take.GetFacts().GetFields()[factOpportunity].GetStructValue()
	for _, enemy := range rules.SortedKeys(said.GetFields()) {
		field := "take.facts." + factOpportunity + "." + enemy
		if r.Known(enemy) == nil {
			return fault.Field(field, "there is no creature %q", enemy)
		}
		about := said.Fields[enemy].GetStructValue()
		if about == nil {
			return fault.Field(field, "must be an object with cover, advantage or disadvantage")
		}
		for _, key := range rules.SortedKeys(about.GetFields()) {
			if !slices.Contains([]string{"cover", "advantage", "disadvantage"}, key) {
				return fault.Field(field, "%q is not cover, advantage or disadvantage", key)
			}
			if !isText(about.Fields[key]) {
				return fault.Field(field+"."+key, "must be text")
			}
		}
		if cover := spoken.Word(about, "cover"); !slices.Contains([]string{"", "none", coverHalf, coverThreeQuarters}, cover) {
			return fault.Field(field+".cover", "%q is not none, half or three-quarters", cover)
		}
	}
	return nil
}
