package original

import (
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func florentineActions() []*action {
	return []*action{
		{id: "florentine", title: "Fight with a weapon in each hand", options: florentineOptions, do: doFlorentine},
		{id: "one-weapon", title: "Fight with one weapon again", do: doOneWeapon, options: func(_ *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
			return []*eventv1.Option{option("", oneWeaponRefused(c))}
		}},
	}
}

// oneOfTwo tells whether a weapon can be one of two: one-handed, for melee, and
// its wielder trained.
//
// original.attack.florentine-advantage
func oneOfTwo(c *eventv1.Creature, w *eventv1.OriginalWeapon) bool {
	return w.Hands <= 1 && !natural(w) && !missile(w) && !w.Untrained && usable(c, w)
}

// pairOf is the two weapons of one who fights florentine; nil for anyone else.
func pairOf(c *eventv1.Creature) (main, other *eventv1.OriginalWeapon) {
	if c.Marks[mMain] == "" || sheetOf(c).ShieldBonus > 0 {
		return nil, nil
	}
	for _, w := range weapons(c) {
		switch {
		case !oneOfTwo(c, w):
		case w.Name == c.Marks[mMain]:
			main = w
		case w.Name == c.Marks[mOff]:
			other = w
		}
	}
	if main == nil || other == nil {
		return nil, nil
	}
	return main, other
}

// pair is the two weapons that a blow is struck with; nil when it is one.
//
// original.attack.florentine-advantage
func (b *blow) pair() (main, other *eventv1.OriginalWeapon) {
	if !b.melee {
		return nil, nil
	}
	main, other = pairOf(b.attacker)
	if main == nil || b.weapon.Name != main.Name && b.weapon.Name != other.Name {
		return nil, nil
	}
	return main, other
}

// florentineRefused says why a creature cannot fight with two weapons.
func florentineRefused(c *eventv1.Creature, main, other string) error {
	const rule = cite.AttackFlorentineAdvantage
	fits := func(name string) bool {
		for _, w := range weapons(c) {
			if w.Name == name {
				return oneOfTwo(c, w)
			}
		}
		return false
	}
	switch {
	case isUnit(c):
		return refuse("UNIT", cite.MassGrouping, "units fight as a whole")
	case sheetOf(c).ShieldBonus > 0:
		return refuse("SHIELD", rule, "%s uses a shield", c.Name)
	case main == other || !fits(main) || !fits(other):
		return refuse("WRONG_WEAPON", rule, "it takes two one-handed weapons that %s is trained in", c.Name)
	case c.Marks[mMain] == main && c.Marks[mOff] == other:
		return refuse("FLORENTINE", rule, "%s fights so already", c.Name)
	}
	return nil
}

func florentineOptions(_ *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
	var list []*eventv1.Option
	for _, w := range weapons(c) {
		if natural(w) || missile(w) {
			continue
		}
		p := &eventv1.Parameter{Name: "other", Type: "string", Required: true, Text: "The weapon in the other hand"}
		err := florentineRefused(c, w.Name, "")
		for _, x := range weapons(c) {
			if e := florentineRefused(c, w.Name, x.Name); e == nil {
				p.Values = append(p.Values, structpb.NewStringValue(x.Name))
			}
		}
		if len(p.Values) > 0 {
			err = nil
		}
		o := option(w.Name, err)
		o.Parameters = []*eventv1.Parameter{p}
		list = append(list, o)
	}
	return list
}

func doFlorentine(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	const rule = cite.AttackFlorentineAdvantage
	other := spoken.Word(take.GetParameters(), "other")
	for _, word := range []struct{ field, name string }{{"take.item", take.Item}, {"take.parameters.other", other}} {
		if err := rules.OneOf(word.field, word.name, weaponNames(c)); err != nil {
			return err
		}
	}
	if err := florentineRefused(c, take.Item, other); err != nil {
		return err
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Item: take.Item, Notes: []string{other}}, rule)
	r.Mark(c.Id, mMain, take.Item, rule)
	r.Mark(c.Id, mOff, other, rule)
	return nil
}

func oneWeaponRefused(c *eventv1.Creature) error {
	if c.Marks[mMain] == "" {
		return refuse("ONE_WEAPON", cite.AttackFlorentineAdvantage, "%s fights with one weapon", c.Name)
	}
	return nil
}

func doOneWeapon(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := oneWeaponRefused(c); err != nil {
		return err
	}
	if len(take.Targets) > 0 {
		return fault.Field("take.targets", "none")
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action}, cite.AttackFlorentineAdvantage)
	r.Mark(c.Id, mMain, "", cite.AttackFlorentineAdvantage)
	r.Mark(c.Id, mOff, "", cite.AttackFlorentineAdvantage)
	return nil
}

// whichWeapon finds out which of two weapons of unlike size hit.
//
// original.attack.florentine-which-weapon
func whichWeapon(r *rules.Resolution, b *blow) {
	main, other := b.pair()
	if main == nil || weaponSize(main) == weaponSize(other) {
		return
	}
	b.weapon = main
	if r.Roll(rules.RollSpec{Label: b.label + "/which-weapon", Creature: b.attacker.Id, Expression: "1d6", Reason: main.Name + " or " + other.Name + "?",
		Rules: []string{cite.AttackFlorentineWhichWeapon}}).Total > 3 {
		b.weapon = other
	}
}
