package original

import (
	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func backstabAction() *action {
	return &action{id: "backstab", title: "Backstab: strike unnoticed from behind", options: backstabOptions, do: doBackstab, extra: true}
}

// canBackstab tells whether a creature is of the thieving kind.
//
// original.attack.backstab-bonus-table
func canBackstab(c *eventv1.Creature) bool {
	if s := sheetOf(c); s.CanBackstab != nil {
		return *s.CanBackstab
	}
	return thief(c)
}

// backstabRefused says why a creature cannot backstab a foe with a weapon.
// That it comes upon the foe unnoticed the game master says; one with whom it
// exchanges blows knows of it.
//
// original.attack.backstab-first-only
func backstabRefused(s *eventv1.State, c, target *eventv1.Creature, w *eventv1.OriginalWeapon, take *eventv1.TakeAction) error {
	const rule = cite.AttackBackstabFirstOnly
	switch {
	case !canBackstab(c):
		return refuse("NO_THIEF", rule, "%s cannot backstab", c.Name)
	case w.Kind == "hand":
		return refuse("NO_WEAPON", rule, "a backstab takes a weapon")
	}
	if err := attackRefused(s, c, target, w, take); err != nil {
		return err
	}
	if melee, _ := reachOf(c, target, w, take); !melee {
		return refuse("OUT_OF_REACH", rule, "a backstab is a blow in melee")
	}
	position := spoken.Word(take.GetFacts(), "position")
	caught := s.Round == 0 && surprised(s, target)
	switch {
	case c.Counters[cAttacks] > 0:
		return refuse("NOT_FIRST", rule, "only the first attack of the round is a backstab")
	case isUnit(c) || isUnit(target):
		return refuse("UNIT", rule, "units are not backstabbed")
	case out(target) || helpless(target) != nil:
		return refuse("HELPLESS", rule, "%s is helpless", target.Name)
	case !caught && (position == "front" || position == "flank"):
		return refuse("NOTICED", rule, "a backstab comes from behind or by surprise")
	case ambushedLast(s, c, target) || target.Marks[mAttacking] == c.Id || c.Marks[mAttacking] == target.Id:
		return refuse("NOTICED", rule, "%s knows of %s", target.Name, c.Name)
	}
	return nil
}

func backstabOptions(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
	var list []*eventv1.Option
	for _, w := range weapons(c) {
		if !missile(w) && w.Kind != "hand" {
			list = append(list, targeted(w.Name, foes(s, c), func(id string) error {
				return backstabRefused(s, c, s.Creatures[id], w, &eventv1.TakeAction{})
			}))
		}
	}
	return list
}

// doBackstab is an attack from behind with the thief's bonuses; the other
// attacks of the round are surprise attacks.
//
// original.attack.backstab-first-only
func doBackstab(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	s := r.State()
	id, err := oneTarget(take)
	if err != nil {
		return err
	}
	w, err := weaponOf(c, take.Item)
	if err != nil {
		return err
	}
	if err := backstabRefused(s, c, s.Creatures[id], w, take); err != nil {
		return err
	}
	if err := mannerRefused(s, c, w, take); err != nil {
		return err
	}
	if !unnoticed(r, c, s.Creatures[id], take) {
		return nil
	}
	b := newBlow(s, c, s.Creatures[id], w, take)
	b.position, b.backstab, b.subdue = "behind", true, false
	deliver(r, b, take.Action, nil)
	return nil
}

// unnoticed tells whether a backstab comes upon its victim unnoticed: by
// surprise, from behind as stated, or as the game master says. One that is
// noticed costs nothing.
//
// original.attack.backstab-first-only
func unnoticed(r *rules.Resolution, c, target *eventv1.Creature, take *eventv1.TakeAction) bool {
	const rule = cite.AttackBackstabFirstOnly
	if r.State().Round == 0 && surprised(r.State(), target) || spoken.Word(take.GetFacts(), "position") == "behind" {
		return true
	}
	d := rules.YesNo(decUnnoticed, "", c.Name+" goes for the back of "+target.Name, "Does "+c.Name+" come upon "+target.Name+" unnoticed from behind?", "yes", rule)
	d.GmOnly = true
	if r.Ask(decUnnoticed, d).Option == "yes" {
		return true
	}
	r.Note(event.Everyone(), c.Id, target.Name+" notices "+c.Name, rule)
	return false
}

// backstabToHit and backstabTimes are the bonus to hit and the multiplier of
// damage by level.
//
// original.attack.backstab-bonus-table
func backstabToHit(c *eventv1.Creature) int32 { return find(book.backstab, levelOf(c)).second }

func backstabTimes(c *eventv1.Creature) int32 { return find(book.backstab, levelOf(c)).value }
