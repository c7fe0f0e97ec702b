package strike

import (
	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// FlorentineActions take up a second weapon for the other hand and give it up, also
// before the first or last of several attacks.
//
// original.initiative.fighters-first-and-last
func FlorentineActions() []*play.Action {
	return []*play.Action{
		{ID: "florentine", Title: "Fight with a weapon in each hand", Rule: cite.AttackFlorentineAdvantage, Group: play.GroupManeuver,
			Traits: TraitExtra, Items: pairable, Refuse: refuseFlorentine, Fields: otherHands, Do: body.Deed(doFlorentine)},
		{ID: "one-weapon", Title: "Fight with one weapon again", Rule: cite.AttackFlorentineAdvantage, Group: play.GroupManeuver,
			Traits: TraitExtra, Refuse: AsSeen(oneWeaponRefused), Do: body.Deed(doOneWeapon)},
	}
}

// pairable are the weapons that may be one of two.
func pairable(at *play.At) []string {
	var list []string
	for _, w := range SightOf(at).weapons() {
		if !at.Listing || !body.Natural(w) && !body.Missile(w) {
			list = append(list, w.Name)
		}
	}
	return list
}

// others are the weapons that can be in the other hand beside one.
func others(at *play.At) []string {
	var list []string
	for _, w := range SightOf(at).weapons() {
		if florentineRefused(true, at.Actor, at.Item(), w.Name) == nil {
			list = append(list, w.Name)
		}
	}
	return list
}

func otherHands(at *play.At) []play.Field {
	return []play.Field{{Name: "other", Required: true, Values: others(at)}}
}

// refuseFlorentine says why a creature cannot fight with a weapon and another: with
// the one named, or with any.
func refuseFlorentine(at *play.At) error {
	other := at.Word("other")
	switch {
	case other != "":
		if err := rules.OneOf("take.parameters.other", other, body.WeaponNames(at.Actor)); err != nil {
			return err
		}
	case len(others(at)) > 0:
		return nil
	}
	return florentineRefused(at.Unread(), at.Actor, at.Item(), other)
}

// pair is the two weapons that a blow is struck with; nil when it is one.
//
// original.attack.florentine-advantage
func (b *Blow) pair() (main, other *eventv1.OriginalWeapon) {
	if !b.Melee {
		return nil, nil
	}
	main, other = body.PairOf(b.Attacker)
	if main == nil || b.Weapon.Name != main.Name && b.Weapon.Name != other.Name {
		return nil, nil
	}
	return main, other
}

// florentineRefused says why a creature cannot fight with two weapons, unless that is unread.
func florentineRefused(unread bool, c *eventv1.Creature, main, other string) error {
	const rule = cite.AttackFlorentineAdvantage
	fits := func(name string) bool {
		w := body.FirstWeapon(c, func(w *eventv1.OriginalWeapon) bool { return w.Name == name })
		return w != nil && body.OneOfTwo(c, w)
	}
	switch {
	case body.IsUnit(c):
		return play.RefuseUnless(unread, "UNIT", cite.MassGrouping, "units fight as a whole")
	case body.SheetOf(c).ShieldBonus > 0:
		return play.RefuseUnless(unread, "SHIELD", rule, "%s uses a shield", c.Name)
	case main == other || !fits(main) || !fits(other):
		return play.RefuseUnless(unread, "WRONG_WEAPON", rule, "it takes two one-handed weapons that %s is trained in", c.Name)
	case c.Marks[body.MMain] == main && c.Marks[body.MOff] == other:
		return play.RefuseUnless(unread, "FLORENTINE", rule, "%s fights so already", c.Name)
	}
	return nil
}

func doFlorentine(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	const rule = cite.AttackFlorentineAdvantage
	other := spoken.Word(take.GetParameters(), "other")
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Item: take.Item, Notes: []string{other}}, rule)
	r.Mark(c.Id, body.MMain, take.Item, rule)
	r.Mark(c.Id, body.MOff, other, rule)
	return nil
}

func oneWeaponRefused(v *Sight) error {
	if v.C.Marks[body.MMain] == "" {
		return v.Refuse("ONE_WEAPON", cite.AttackFlorentineAdvantage, "%s fights with one weapon", v.C.Name)
	}
	return nil
}

func doOneWeapon(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action}, cite.AttackFlorentineAdvantage)
	r.Mark(c.Id, body.MMain, "", cite.AttackFlorentineAdvantage)
	r.Mark(c.Id, body.MOff, "", cite.AttackFlorentineAdvantage)
	return nil
}

// WhichWeapon finds out which of two weapons of unlike size hit.
//
// original.attack.florentine-which-weapon
func WhichWeapon(r *rules.Resolution, b *Blow) {
	main, other := b.pair()
	if main == nil || body.WeaponSize(main) == body.WeaponSize(other) {
		return
	}
	b.Weapon = main
	if r.Roll(rules.RollSpec{Label: b.Label + "/which-weapon", Creature: b.Attacker.Id, Expression: "1d6", Reason: main.Name + " or " + other.Name + "?",
		Rules: []string{cite.AttackFlorentineWhichWeapon}}).Total > 3 {
		b.Weapon = other
	}
}
