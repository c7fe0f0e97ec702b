package effects

import (
	"strings"

	contentv1 "github.com/skaldrpg/skald/proto/skald/content/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// has tells whether any effect of a kind is in the book.
func (b *Book) has(k Kind) bool { return b != nil && b.asked[k] }

// kindSet is a set of kinds of effects.
type kindSet uint64

func (s kindSet) has(k Kind) bool { return s>>k&1 != 0 }

// kindsOf are the kinds of effects.
func kindsOf(effects []*effect) (s kindSet) {
	for _, e := range effects {
		s |= 1 << e.kind
	}
	return s
}

// Bears tells whether a creature may have an effect of a kind: false is certain, and is
// found without memory of its own. Most creatures have nothing that bears on most of
// what is asked.
func (b *Book) Bears(c *eventv1.Creature, k Kind) bool {
	switch {
	case !b.has(k):
		return false
	case b.asked[KindAura] || b.ofRules.has(k) || b.ofSlot[Weapons].has(k) || b.ofSlot[Armour].has(k) ||
		b.ofSlot[Items].has(k) || b.ofSlot[Spells].has(k):
		return true
	case c == nil:
		return false
	case b.ofSlot[Feats].has(k) && b.featBears(c.Sheet, k):
		return true
	}
	for _, held := range c.Conditions {
		if t := b.things[Conditions][held.Name]; t != nil && t.kinds.has(k) {
			return true
		}
	}
	for _, held := range c.Injuries {
		if t := b.things[Injuries][held.Kind]; t != nil && t.kinds.has(k) {
			return true
		}
	}
	return false
}

// featBears tells whether a sheet may have a feat with an effect of a kind.
func (b *Book) featBears(sheet *eventv1.Sheet, k Kind) bool {
	if b.base.Support.Feat == nil {
		return true
	}
	for _, name := range sheet.GetFeats() {
		if t := b.named(Feats, name); t != nil && t.kinds.has(k) {
			return true
		}
	}
	for i := 0; ; i++ {
		name, ok := b.base.Support.Feat(sheet, i)
		if !ok {
			return false
		}
		if t := b.named(Feats, name); t != nil && t.kinds.has(k) {
			return true
		}
	}
}

// Asks tells whether any effect of a kind is in the book: where there is none,
// nothing need be prepared for it.
func (b *Book) Asks(k Kind) bool { return k > 0 && k < kinds && b.has(k) }

// Modifiers are what counts on a roll or number of a creature. A point is such as
// "attack", "save/dexterity"; of several of one kind the best and the worst are
// given.
func (b *Book) Modifiers(c *eventv1.Creature, point string, env Env) []Modifier {
	if !b.Bears(c, KindModifier) {
		return nil
	}
	return b.modifiers(c, point, env)
}

func (b *Book) modifiers(c *eventv1.Creature, point string, env Env) []Modifier {
	var out []Modifier
	b.each(c, &env, KindModifier, point, func(e *effect, s *scene) {
		m := e.src.GetModifier()
		amount, ok := e.number(s, 0)
		if ok && (amount != 0 || m.Dice != "") {
			out = append(out, Modifier{Cite: e.cite, Kind: m.Kind, Amount: amount, Dice: m.Dice, Type: m.Type})
		}
	})
	return stacked(out)
}

// stacked leaves of the modifiers of one kind the best and the worst.
func stacked(all []Modifier) []Modifier {
	out := all[:0]
	for i, m := range all {
		if !outdone(all, i) {
			out = append(out, m)
		}
	}
	return out
}

// outdone tells whether another modifier of the same kind and direction is as
// strong and stands before it, or is stronger.
func outdone(all []Modifier, i int) bool {
	m := all[i]
	if m.Kind == "" {
		return false
	}
	for j, other := range all {
		if j == i || other.Kind != m.Kind || (other.Amount < 0) != (m.Amount < 0) || other.Dice != m.Dice || other.Type != m.Type {
			continue
		}
		mine, its := max(m.Amount, -m.Amount), max(other.Amount, -other.Amount)
		if its > mine || its == mine && j < i {
			return true
		}
	}
	return false
}

// Edges are the advantages and disadvantages of a roll of a creature.
func (b *Book) Edges(c *eventv1.Creature, point string, env Env) []Edge {
	if !b.Bears(c, KindEdge) {
		return nil
	}
	return b.edges(c, point, env)
}

func (b *Book) edges(c *eventv1.Creature, point string, env Env) []Edge {
	var out []Edge
	b.each(c, &env, KindEdge, point, func(e *effect, _ *scene) {
		out = append(out, Edge{Cite: e.cite, Advantage: e.src.GetEdge().Direction == "advantage"})
	})
	return out
}

// Speed is a speed of a creature in feet: what it would be, as content changes
// it; never below 0.
func (b *Book) Speed(c *eventv1.Creature, mode string, feet int32, env Env) Number {
	if !b.Bears(c, KindSpeed) {
		return Number{Value: feet}
	}
	return b.speed(c, mode, feet, env)
}

func (b *Book) speed(c *eventv1.Creature, mode string, feet int32, env Env) Number {
	out := Number{Value: feet}
	env.base = feet
	b.each(c, &env, KindSpeed, "", func(e *effect, s *scene) {
		if m := e.src.GetSpeed().Mode; m != "" && m != mode {
			return
		}
		out.change(e, s)
	})
	out.Value = max(0, out.Value)
	return out
}

// change lets an effect compute the number anew from what it is.
func (n *Number) change(e *effect, s *scene) {
	if v, ok := e.number(s, n.Value); ok && v != n.Value {
		n.Value, n.Cites = v, append(n.Cites, e.cite)
	}
	s.base = n.Value // what the next effect's condition sees
}

// Defense is what becomes of damage of a type that befalls a creature.
func (b *Book) Defense(c *eventv1.Creature, damageType string, env Env) Defense {
	if !b.Bears(c, KindResistance) && !b.Bears(c, KindImmunity) {
		return Defense{}
	}
	env.DamageType = damageType
	return b.defense(c, env)
}

func (b *Book) defense(c *eventv1.Creature, env Env) Defense {
	var out Defense
	b.each(c, &env, KindResistance, "", func(e *effect, s *scene) {
		r := e.src.GetResistance()
		if !among(r.Types, env.DamageType) {
			return
		}
		switch {
		case r.Less != "":
			n, _ := e.number(s, env.Damage) // nothing, where it cannot be computed
			if n <= 0 {
				return
			}
			out.Less = max(out.Less, n)
		case r.Vulnerable:
			out.Vulnerable = true
		default:
			out.Resistant = true
		}
		out.Cites = append(out.Cites, e.cite)
	})
	b.each(c, &env, KindImmunity, "", func(e *effect, _ *scene) {
		if among(e.src.GetImmunity().Types, env.DamageType) {
			out.Immune = true
			out.Cites = append(out.Cites, e.cite)
		}
	})
	return out
}

func among(types []string, one string) bool { return contains(types, one) || contains(types, "all") }

// ConditionImmune tells whether a condition does not take hold of a creature,
// and by what.
func (b *Book) ConditionImmune(c *eventv1.Creature, condition string, env Env) (Cite, bool) {
	if !b.Bears(c, KindImmunity) {
		return Cite{}, false
	}
	return b.first(c, env, KindImmunity, func(e *contentv1.Effect) bool { return contains(e.GetImmunity().Conditions, condition) })
}

// first is the first effect of a kind that fits.
func (b *Book) first(c *eventv1.Creature, env Env, k Kind, fits func(*contentv1.Effect) bool) (cite Cite, found bool) {
	b.each(c, &env, k, "", func(e *effect, _ *scene) {
		if !found && fits(e.src) {
			cite, found = e.cite, true
		}
	})
	return cite, found
}

// Cost is what an action costs of a counter; never below 0.
func (b *Book) Cost(c *eventv1.Creature, action, counter string, amount int32, env Env) Number {
	if !b.Bears(c, KindCost) {
		return Number{Value: amount}
	}
	env.Action = action
	return b.cost(c, counter, amount, env)
}

func (b *Book) cost(c *eventv1.Creature, counter string, amount int32, env Env) Number {
	out := Number{Value: amount}
	env.base = amount
	b.each(c, &env, KindCost, "", func(e *effect, s *scene) {
		if k := e.src.GetCost(); k.Action == env.Action && (k.Counter == "" || k.Counter == counter) {
			out.change(e, s)
		}
	})
	out.Value = max(0, out.Value)
	return out
}

// NoProvoke tells whether an action of a creature provokes nobody, and by what.
func (b *Book) NoProvoke(c *eventv1.Creature, action string, env Env) (Cite, bool) {
	if !b.Bears(c, KindNoProvoke) {
		return Cite{}, false
	}
	env.Action = action
	return b.first(c, env, KindNoProvoke, func(e *contentv1.Effect) bool {
		return e.GetNoProvoke().Action == "" || e.GetNoProvoke().Action == action
	})
}

// Barred tells whether a creature may not take an action, and by what.
func (b *Book) Barred(c *eventv1.Creature, action string, env Env) (Cite, bool) {
	if !b.Bears(c, KindBar) {
		return Cite{}, false
	}
	env.Action = action
	return b.first(c, env, KindBar, func(e *contentv1.Effect) bool {
		return e.GetBar().Action == "" || e.GetBar().Action == action
	})
}

// Replacement is the action that is carried out in place of one that a creature
// takes; not found when it is carried out itself.
func (b *Book) Replacement(c *eventv1.Creature, action string, env Env) (by string, cite Cite, found bool) {
	if !b.Bears(c, KindReplace) {
		return "", Cite{}, false
	}
	env.Action = action
	cite, found = b.first(c, env, KindReplace, func(e *contentv1.Effect) bool {
		if e.GetReplace().Action == action {
			by = e.GetReplace().By
		}
		return by != ""
	})
	return by, cite, found
}

// ExtraActions are what a creature has more of in its turn.
func (b *Book) ExtraActions(c *eventv1.Creature, env Env) []ExtraAction {
	if !b.Bears(c, KindExtraAction) {
		return nil
	}
	return b.extraActions(c, env)
}

func (b *Book) extraActions(c *eventv1.Creature, env Env) []ExtraAction {
	var out []ExtraAction
	b.each(c, &env, KindExtraAction, "", func(e *effect, s *scene) {
		n := int32(1)
		if e.amount != nil {
			if n, _ = e.number(s, 0); n == 0 { // as where it cannot be computed
				return
			}
		}
		out = append(out, ExtraAction{Cite: e.cite, Counter: e.src.GetExtraAction().Counter, Amount: n})
	})
	return out
}

// Rerolls are the dice of a roll of a creature that are rolled again or lifted.
func (b *Book) Rerolls(c *eventv1.Creature, point string, env Env) []Reroll {
	if !b.Bears(c, KindReroll) {
		return nil
	}
	return b.rerolls(c, point, env)
}

func (b *Book) rerolls(c *eventv1.Creature, point string, env Env) []Reroll {
	var out []Reroll
	whole, _, _ := strings.Cut(point, "/")
	one := contains(b.base.Support.RerollsOne, point) || contains(b.base.Support.RerollsOne, whole)
	b.each(c, &env, KindReroll, point, func(e *effect, _ *scene) {
		r := e.src.GetReroll()
		out = append(out, Reroll{Cite: e.cite, UpTo: r.UpTo, One: one, AtLeast: r.AtLeast})
	})
	return out
}

// CriticalFrom is the lowest natural face of an attack of a creature that is
// critical.
func (b *Book) CriticalFrom(c *eventv1.Creature, from int32, env Env) Number {
	if !b.Bears(c, KindCriticalRange) {
		return Number{Value: from}
	}
	return b.criticalFrom(c, from, env)
}

func (b *Book) criticalFrom(c *eventv1.Creature, from int32, env Env) Number {
	out := Number{Value: from}
	env.base = from
	b.each(c, &env, KindCriticalRange, "", func(e *effect, s *scene) { out.change(e, s) })
	out.Value = max(1, out.Value)
	return out
}

// Value is a number of a creature that content gives a value, such as
// "armor-class": the highest of those given, or the lowest where the system says so, or
// what it would be.
func (b *Book) Value(c *eventv1.Creature, point string, base int32, env Env) Number {
	if !b.Bears(c, KindSet) {
		return Number{Value: base}
	}
	return b.value(c, point, base, env)
}

func (b *Book) value(c *eventv1.Creature, point string, base int32, env Env) Number {
	out, low := Number{Value: base}, contains(b.base.Support.LowIsBetter, point)
	env.base = base
	b.each(c, &env, KindSet, point, func(e *effect, s *scene) {
		if v, ok := e.number(s, base); ok && (len(out.Cites) == 0 || v > out.Value != low && v != out.Value) {
			out = Number{Value: v, Cites: []Cite{e.cite}}
		}
	})
	return out
}

// Auras are those that a creature has.
func (b *Book) Auras(c *eventv1.Creature, env Env) []Aura {
	if !b.Bears(c, KindAura) {
		return nil
	}
	return b.auras(c, env)
}
