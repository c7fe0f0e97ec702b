package original

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules/play/situation"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Kinds of rolls, as the rows of situations name them. The last two are no rolls: a
// row that counts denies the target what the kind names.
const (
	rollToHitKind    = "to-hit"
	rollArmour       = "armour"
	rollDexDenied    = "dex-denied"
	rollShieldDenied = "shield-denied"
)

// roll is the blow as the rows of situations see it: the attacker rolls against the
// target.
func (b *blow) roll(s *eventv1.State, kind string) *situation.Roll[*blow] {
	return &situation.Roll[*blow]{State: s, Kind: kind, Self: b.attacker, Target: b.target, More: b}
}

// denied is the rule of the first row that denies the target something; empty for none.
func (b *blow) denied(s *eventv1.State, what string) string {
	for _, e := range situations.Edges(b.roll(s, what)) {
		return e.Rule
	}
	return ""
}

type blowRoll = situation.Roll[*blow]

// of makes a limit of what is true of the blow alone.
func of(holds func(b *blow) bool) situation.Limit[*blow] {
	return func(r *blowRoll) bool { return holds(r.More) }
}

// covered is a limit of cover from so many percent to below so many.
func covered(from, below int32) situation.Limit[*blow] {
	return of(func(b *blow) bool { return b.cover >= from && b.cover < below })
}

// blowLimits are what the rows of situations ask about a blow.
//
// original.attack.modifier-stacking, original.attack.surround-wall, original.mount.polearm-cancels
var blowLimits = map[string]situation.Limit[*blow]{
	"short-range":     of(func(b *blow) bool { return b.band == "short" }),
	"long-range":      of(func(b *blow) bool { return b.band == "long" }),
	"quarter-cover":   covered(25, 50),
	"half-cover":      covered(50, 75),
	"most-cover":      covered(75, maxPoints),
	"melee":           of(func(b *blow) bool { return b.melee }),
	"higher":          of(func(b *blow) bool { return b.higher == "attacker" }),
	"lower":           of(func(b *blow) bool { return b.higher == "target" }),
	"flank":           of(func(b *blow) bool { return b.position == "flank" }),
	"behind":          of(func(b *blow) bool { return b.position == "behind" || b.unseen }),
	"backstab":        of(func(b *blow) bool { return b.backstab }),
	"charge":          of(func(b *blow) bool { return b.charge }),
	"weapon-set":      of(func(b *blow) bool { return b.set }),
	"parting":         of(func(b *blow) bool { return b.parting }),
	"rides":           of(func(b *blow) bool { return has(b.attacker, condMounted) }),
	"foe-rides":       of(func(b *blow) bool { return has(b.target, condMounted) }),
	"has-polearm":     of(func(b *blow) bool { return unhorses(b.weapon) }),
	"foe-has-polearm": of(func(b *blow) bool { return unhorses(inHand(b.target)) }),
	"pursues":         of(func(b *blow) bool { return is(b.attacker, relPursues, b.target.Id) }),
	"helpless":        of(func(b *blow) bool { return out(b.target) || helpless(b.target) != nil }),
	"fights":          of(func(b *blow) bool { return fights(b.target) }),
	"surrounded": func(r *blowRoll) bool {
		return !r.More.wall && !has(r.Target, condWall) && len(attackersOf(r.State, r.Self, r.Target)) > 2
	},
	"ambushed-it-last-round":  func(r *blowRoll) bool { return ambushedLast(r.State, r.Self, r.Target) },
	"was-ambushed-last-round": func(r *blowRoll) bool { return ambushedLast(r.State, r.Target, r.Self) },
	"two-weapons":             of(func(b *blow) bool { main, _ := b.pair(); return main != nil }),
	"parries-with-two": of(func(b *blow) bool {
		main, _ := pairOf(b.target)
		return main != nil && !has(b.target, condStruggling)
	}),
	"stands-still": func(r *blowRoll) bool {
		return (r.More.stationary || has(r.Target, condStationary)) && !has(r.Target, condRan) && len(engagedWith(r.State, r.Target)) == 0
	},
	"turned-away": of(func(b *blow) bool {
		return b.parting || has(b.target, condFleeing) && (has(b.target, condRan) || is(b.attacker, relPursues, b.target.Id))
	}),
	"shield-used": of(func(b *blow) bool {
		list := shieldedFrom(b.target)
		return len(list) >= 2 && !slices.Contains(list, b.attacker.Id)
	}),
}

// fights tells whether a creature defends itself: one who is helpless or held does
// not.
func fights(c *eventv1.Creature) bool {
	return !out(c) && helpless(c) == nil && !has(c, condStruggling)
}

// unhorses tells whether a weapon makes up for not being on a horse.
//
// original.mount.polearm-cancels
func unhorses(w *eventv1.OriginalWeapon) bool {
	return w.Kind == "polearm" || w.Kind == "long-spear" || w.Kind == "pike"
}
