package strike

import (
	"cmp"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// canBackstab tells whether a creature is of the thieving kind.
//
// original.attack.backstab-bonus-table
func canBackstab(c *eventv1.Creature) bool {
	if s := body.SheetOf(c); s.CanBackstab != nil {
		return *s.CanBackstab
	}
	return body.Thief(c)
}

// RefuseBackstabber says why a creature cannot backstab with a weapon.
//
// original.attack.backstab-first-only
func RefuseBackstabber(at *play.At) error {
	const rule = cite.AttackBackstabFirstOnly
	switch {
	case !canBackstab(at.Actor):
		return at.Refuse("NO_THIEF", rule, "%s cannot backstab", at.Actor.Name)
	case WeaponAt(at).Kind == "hand":
		return at.Refuse("NO_WEAPON", rule, "a backstab takes a weapon")
	}
	return RefuseWeapon(at)
}

// RefuseBackstab says why a creature cannot backstab a foe.
// That it comes upon the foe unnoticed the game master says; one with whom it
// exchanges blows knows of it.
//
// original.attack.backstab-first-only
func RefuseBackstab(at *play.At, target *eventv1.Creature) error {
	const rule = cite.AttackBackstabFirstOnly
	if err := RefuseAttack(at, target); err != nil {
		return err
	}
	s, c := at.State, at.Actor
	if melee, _ := body.ReachOf(c, target, WeaponAt(at), at.Take); !melee {
		return at.Refuse("OUT_OF_REACH", rule, "a backstab is a blow in melee")
	}
	position := spoken.Word(at.Take.GetFacts(), "position")
	caught := s.Round == 0 && body.Surprised(target)
	switch {
	case c.Counters[body.CAttacks] > 0:
		return at.Refuse("NOT_FIRST", rule, "only the first attack of the round is a backstab")
	case body.IsUnit(c) || body.IsUnit(target):
		return at.Refuse("UNIT", rule, "units are not backstabbed")
	case body.Out(target) || Defenceless(target) != nil:
		return at.Refuse("HELPLESS", rule, "%s is helpless", target.Name)
	case !caught && (position == "front" || position == "flank"):
		return at.Refuse("NOTICED", rule, "a backstab comes from behind or by surprise")
	case body.AmbushedLast(s, c, target) || body.Is(target, body.RelAttacks, c.Id) || body.Is(c, body.RelAttacks, target.Id):
		return at.Refuse("NOTICED", rule, "%s knows of %s", target.Name, c.Name)
	}
	return nil
}

// Unnoticed tells whether a backstab comes upon its victim unnoticed: by
// surprise, from behind as stated, or as the game master says. One that is
// noticed costs nothing.
//
// original.attack.backstab-first-only
func Unnoticed(r *rules.Resolution, c, target *eventv1.Creature, take *eventv1.TakeAction) bool {
	const rule = cite.AttackBackstabFirstOnly
	if r.State().Round == 0 && body.Surprised(target) || spoken.Word(take.GetFacts(), "position") == "behind" {
		return true
	}
	d := rules.YesNo(body.DecUnnoticed, "", c.Name+" goes for the back of "+target.Name, "Does "+c.Name+" come upon "+target.Name+" unnoticed from behind?", "yes", rule)
	d.GmOnly = true
	if r.Ask(body.DecUnnoticed, d).Option == "yes" {
		return true
	}
	r.Note(event.Everyone(), c.Id, target.Name+" notices "+c.Name, rule)
	return false
}

// BackstabToHit is the bonus to hit of a backstab by level.
//
// original.attack.backstab-bonus-table
func (k *Tables) BackstabToHit(c *eventv1.Creature) int32 {
	return body.Find(k.Backstab, body.LevelOf(c)).Second
}

// BackstabRule is the rule behind both.
func (k *Tables) BackstabRule(c *eventv1.Creature) string {
	return cmp.Or(body.Find(k.Backstab, body.LevelOf(c)).By, cite.AttackBackstabBonusTable)
}

// BackstabTimes is the multiplier of damage of a backstab by level.
func (k *Tables) BackstabTimes(c *eventv1.Creature) int32 {
	return body.Find(k.Backstab, body.LevelOf(c)).Value
}
