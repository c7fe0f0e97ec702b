package resolving

import (
	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/declaring"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// seen is a creature as the d20s of the attack half find it: all are thrown
// together, so what one of them brings about does not bear on the others.
//
// spark.turn.all-roll-together
func (f *fray) seen(id string) *eventv1.Creature {
	if f.throwing && f.then != nil {
		if c := f.then.Creatures[id]; c != nil {
			return c
		}
	}
	return f.r.Creature(id)
}

// absent tells whether a creature is out where a d20 is thrown.
func (f *fray) absent(id string) bool {
	if f.throwing && f.then != nil {
		return f.goneThen[id]
	}
	return f.gone(id)
}

// edges are the sources of advantage and disadvantage of an attack: those of the
// table of situations, and those that are stated. Advantage for the next attack roll
// is used up by it.
//
// spark.dice.advantage, spark.fumble.alt-wild-swing
func (f *fray) edges(attacker, target *eventv1.Creature, melee bool, facts declaring.Stated) []*eventv1.Edge {
	if !f.r.On(body.RuleAdvantage) {
		return nil
	}
	edges := body.TablesOf(f.r.Content()).Situations.Edges(&body.Roll{State: f.r.State(), Kind: body.RollAttack, Self: attacker, Target: target,
		More: body.Moment{Melee: melee, Overreached: f.takeAdvantage(attacker.Id)}})
	for _, e := range facts.Edges {
		if e.Target == "" || e.Target == target.Id {
			edges = append(edges, &eventv1.Edge{Advantage: e.Advantage, Source: e.Cause, Rule: body.RuleAdvantage, Stated: true})
		}
	}
	return edges
}

// grant gives a creature advantage on its next attack roll; it cannot be saved up.
//
// spark.fumble.alt-wild-swing
func (f *fray) grant(id string) {
	if f.throwing {
		f.granted[id] = true
	}
	f.r.Set(id, body.CAdvantage, 1, "an opponent overreached", cite.FumbleAltWildSwing)
}

// takeAdvantage uses up advantage on the next attack roll. What is granted
// while the d20s of a half are thrown together is for a later one.
//
// spark.fumble.alt-wild-swing, spark.turn.all-roll-together
func (f *fray) takeAdvantage(id string) bool {
	use := func() { f.r.Set(id, body.CAdvantage, 0, "used", cite.FumbleAltWildSwing) }
	if !f.throwing || f.then == nil {
		if f.r.Count(id, body.CAdvantage) == 0 {
			return false
		}
		f.used[id] = true
		use()
		return true
	}
	if f.then.Creatures[id].GetCounters()[body.CAdvantage] == 0 || f.used[id] {
		return false
	}
	f.used[id] = true
	if !f.granted[id] {
		use()
	}
	return true
}
