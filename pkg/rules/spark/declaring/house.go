package declaring

import (
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Mana is what a spell costs its caster on a target, which may be nil: as options
// show it.
func Mana(own *effects.Book, s *eventv1.State, c *eventv1.Creature, sp *eventv1.SparkSpell, target *eventv1.Creature) int32 {
	if !own.Asks(effects.KindCost) {
		return sp.ManaCost
	}
	return own.Cost(c, KindCast, body.CMana, sp.ManaCost,
		effects.Env{State: s, Actor: c, Target: target, Weapon: effects.Weapon{Name: sp.Name}, Spell: sp.Name}).Value
}

// Price is what something that is no declaration costs of a counter: a reaction, or
// the round itself.
func Price(own *effects.Book, s *eventv1.State, c *eventv1.Creature, action, counter string) int32 {
	return own.Cost(c, action, counter, 1, effects.Env{State: s, Actor: c}).Value
}
