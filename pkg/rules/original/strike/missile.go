package strike

import (
	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	"github.com/skaldrpg/skald/pkg/rules/original/reach"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// MoveLeft is what a creature may still move this round without giving up its
// attack, in feet: up to half, all of it for one who shoots on the run, 10 feet
// for one who casts.
//
// original.movement.half-move-and-attack, original.movement.spellcaster-10-feet
func MoveLeft(v *Sight) int32 {
	s, c := v.S, v.C
	moved := int32(c.Counters[body.CMoved])
	if c.Counters[body.CCasts] > 0 {
		return max(0, min(FullMove(s, c), reach.CastingFeet)-moved)
	}
	runs := func(w *eventv1.OriginalWeapon) bool { return body.FiresOnTheRun(c, w) && body.Usable(c, w) }
	if body.FirstWeapon(c, runs) != nil && len(v.Engaged()) == 0 && (c.Counters[body.CAttacks] == 0 && v.barred() == nil || c.Counters[body.CRunShots] > 0) {
		return max(0, FullMove(s, c)-moved)
	}
	return max(0, FullMove(s, c)/2-moved)
}

// Stray finds out whom a shot into melee is resolved against: an even roll over
// the target and all in melee with it. What was stated of the target does not
// hold for another.
//
// original.attack.fire-into-melee-risk
func Stray(r *rules.Resolution, b *Blow) {
	const rule = cite.AttackFireIntoMeleeRisk
	s := r.State()
	if b.Melee || !body.Defaults.On(s, body.SetStray) || reach.ShootsSafely(b.Attacker, b.Weapon) {
		return
	}
	in := []string{b.Target.Id}
	for _, id := range body.EngagedWith(s, b.Target) {
		if id != b.Attacker.Id {
			in = append(in, id)
		}
	}
	if len(in) == 1 {
		return
	}
	n := r.Roll(rules.RollSpec{Label: b.Label + "/in-the-way", Creature: b.Attacker.Id, Expression: "1d" + body.Itoa(len(in)), Reason: "who is in the way?", Rules: []string{rule}}).Total
	id := in[n-1]
	if id == b.Target.Id {
		return
	}
	r.Note(event.Everyone(), id, r.Creature(id).Name+" is in the way", rule)
	b.Target = r.Creature(id)
	b.Position, b.higher, b.cover, b.Stationary, b.wall = "", "", 0, false, false
	b.see(s)
}

// rangedAbility is what ability adds to a shot or throw by the weapon's own
// word: any but these two is none.
//
// original.attack.ranged-dex
func (b *Blow) rangedAbility(word string, dex int32, rule string) *eventv1.Modifier {
	switch word {
	case "dex":
		return b.byDex(dex, rule)
	case "str":
		return b.byStr(rule)
	}
	return body.Mod(0, "no ability", rule)
}
