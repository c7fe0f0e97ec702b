package original

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// ofRace tells whether a creature is of a race, by its sheet or by a class of
// that name.
func ofRace(c *eventv1.Creature, race string) bool {
	s := sheetOf(c)
	return s.Race == race || s.Race == "" && s.Class == race
}

// firesOnTheRun tells whether a creature may move at full speed and shoot a
// weapon: elves arrows and javelins, hobbits slings.
//
// original.movement.elf-fire-on-the-run, original.movement.hobbit-sling-on-the-run
func firesOnTheRun(c *eventv1.Creature, w *eventv1.OriginalWeapon) bool {
	switch w.Kind {
	case "bow", "great-bow", "javelin":
		return ofRace(c, "elf")
	case "sling":
		return ofRace(c, "hobbit")
	}
	return false
}

// runRule is the rule by which a creature shoots on the run.
func runRule(c *eventv1.Creature) string {
	if ofRace(c, "hobbit") {
		return cite.MovementHobbitSlingOnTheRun
	}
	return cite.MovementElfFireOnTheRun
}

// moveLeft is what a creature may still move this round without giving up its
// attack, in feet: up to half, all of it for one who shoots on the run, 10 feet
// for one who casts.
//
// original.movement.half-move-and-attack, original.movement.spellcaster-10-feet
func moveLeft(s *eventv1.State, c *eventv1.Creature) int32 {
	moved := int32(c.Counters[cMoved])
	round := itoa(s.Round)
	if c.Marks[mCast] == round {
		return max(0, min(fullMove(s, c), castingFeet)-moved)
	}
	runs := slices.ContainsFunc(weapons(c), func(w *eventv1.OriginalWeapon) bool { return firesOnTheRun(c, w) && usable(c, w) })
	free := c.Counters[cAttacks] == 0 && barred(s, c) == nil
	if runs && len(engagedWith(s, c)) == 0 && (free || c.Marks[mRunShot] == round) {
		return max(0, fullMove(s, c)-moved)
	}
	return max(0, fullMove(s, c)/2-moved)
}

// tooSwift says that a creature has moved too far to do anything but shoot on
// the run.
//
// original.movement.half-move-and-attack
func tooSwift(s *eventv1.State, c *eventv1.Creature) error {
	if c.Marks[mSwift] != itoa(s.Round) {
		return nil
	}
	return refuse("MOVED", cite.MovementHalfMoveAndAttack, "%s has moved more than half", c.Name)
}

// shootsSafely tells whether a shot into melee cannot go astray.
//
// original.attack.elf-fire-into-melee, original.movement.hobbit-sling-on-the-run
func shootsSafely(c *eventv1.Creature, w *eventv1.OriginalWeapon) bool {
	return ofRace(c, "elf") || w.Kind == "sling" && ofRace(c, "hobbit")
}

// stray finds out whom a shot into melee is resolved against: an even roll over
// the target and all in melee with it. What was stated of the target does not
// hold for another.
//
// original.attack.fire-into-melee-risk
func stray(r *rules.Resolution, b *blow) {
	const rule = cite.AttackFireIntoMeleeRisk
	s := r.State()
	if b.melee || !defaults.On(s, setStray) || shootsSafely(b.attacker, b.weapon) {
		return
	}
	in := []string{b.target.Id}
	for _, id := range engagedWith(s, b.target) {
		if id != b.attacker.Id {
			in = append(in, id)
		}
	}
	if len(in) == 1 {
		return
	}
	n := r.Roll(rules.RollSpec{Label: b.label + "/in-the-way", Creature: b.attacker.Id, Expression: "1d" + itoa(len(in)), Reason: "who is in the way?", Rules: []string{rule}}).Total
	id := in[n-1]
	if id == b.target.Id {
		return
	}
	r.Note(event.Everyone(), id, r.Creature(id).Name+" is in the way", rule)
	b.target = r.Creature(id)
	b.position, b.higher, b.cover, b.stationary, b.wall = "", "", 0, false, false
	b.see(s)
}

// loading says that a crossbow was shot in the round before.
//
// original.attack.crossbow-every-other-round
func loading(s *eventv1.State, c *eventv1.Creature, w *eventv1.OriginalWeapon) error {
	if last := c.Counters[cShot+w.Name]; w.Kind == "crossbow" && last > 0 && int64(s.Round) < last+1 {
		return refuse("LOADING", cite.AttackCrossbowEveryOtherRound, "%s was shot in the round before", w.Name)
	}
	return nil
}

// usable tells whether a weapon is in hand and there is room for it.
//
// original.equipment.tight-space
func usable(c *eventv1.Creature, w *eventv1.OriginalWeapon) bool {
	return !dropped(c, w) && (c.Marks[mTight] == "" || w.Kind == "dagger" || natural(w))
}

// rangedAbility is what ability adds to a shot or throw by the weapon's own
// word; nil where it has none.
//
// original.attack.ranged-dex
func rangedAbility(c *eventv1.Creature, word string, dex int32, rule string) *eventv1.Modifier {
	switch word {
	case "dex":
		return mod(dex, "DEX", rule)
	case "str":
		return mod(strBonus(c), "STR", rule)
	case "none":
		return mod(0, "no ability", rule)
	}
	return nil
}
