package strike

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules/original/body"
	"github.com/skaldrpg/skald/pkg/rules/play/situation"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// roll is the blow as the rows of situations see it, until it is asked for again: the
// attacker rolls against the target.
func (b *Blow) roll(s *eventv1.State, kind string) *situation.Roll[*Blow] {
	b.looked = situation.Roll[*Blow]{State: s, Kind: kind, Self: b.Attacker, Target: b.Target, More: b}
	return &b.looked
}

// Denied is the rule of the first row that denies the target something; empty for none.
func (b *Blow) Denied(s *eventv1.State, what string) string {
	for _, e := range b.book().Situations.Edges(b.roll(s, what)) {
		return e.Rule
	}
	return ""
}

type blowRoll = situation.Roll[*Blow]

// of makes a limit of what is true of the blow alone.
func of(holds func(b *Blow) bool) situation.Limit[*Blow] {
	return func(r *blowRoll) bool { return holds(r.More) }
}

// blowLimits are what the rows of situations ask about a blow.
//
// original.attack.modifier-stacking, original.attack.surround-wall, original.mount.polearm-cancels
var blowLimits = map[string]situation.Limit[*Blow]{
	"short-range":     of(func(b *Blow) bool { return b.Band == "short" }),
	"long-range":      of(func(b *Blow) bool { return b.Band == "long" }),
	"melee":           of(func(b *Blow) bool { return b.Melee }),
	"higher":          of(func(b *Blow) bool { return b.higher == "attacker" }),
	"lower":           of(func(b *Blow) bool { return b.higher == "target" }),
	"flank":           of(func(b *Blow) bool { return b.Position == "flank" }),
	"behind":          of(func(b *Blow) bool { return b.Position == "behind" || b.Unseen }),
	"backstab":        of(func(b *Blow) bool { return b.Backstab }),
	"charge":          of(func(b *Blow) bool { return b.Charge }),
	"weapon-set":      of(func(b *Blow) bool { return b.Set }),
	"parting":         of(func(b *Blow) bool { return b.Parting }),
	"rides":           of(func(b *Blow) bool { return body.Has(b.Attacker, body.CondMounted) }),
	"foe-rides":       of(func(b *Blow) bool { return body.Has(b.Target, body.CondMounted) }),
	"has-polearm":     of(func(b *Blow) bool { return body.Unhorses(b.Weapon) }),
	"foe-has-polearm": of(func(b *Blow) bool { return body.Unhorses(body.InHand(b.Target)) }),
	"pursues":         of(func(b *Blow) bool { return body.Is(b.Attacker, body.RelPursues, b.Target.Id) }),
	"helpless":        of(func(b *Blow) bool { return body.Out(b.Target) || Defenceless(b.Target) != nil }),
	"fights":          of(func(b *Blow) bool { return fights(b.Target) }),
	"surrounded": func(r *blowRoll) bool { // original.movement.retreat-passersby: not where it set out
		return !r.More.Passing && !r.More.wall && !body.Has(r.Target, body.CondWall) && len(attackersOf(r.State, r.Self, r.Target)) > 2
	},
	"ambushed-it-last-round":  func(r *blowRoll) bool { return body.AmbushedLast(r.State, r.Self, r.Target) },
	"was-ambushed-last-round": func(r *blowRoll) bool { return body.AmbushedLast(r.State, r.Target, r.Self) },
	"two-weapons":             of(func(b *Blow) bool { main, _ := b.pair(); return main != nil }),
	"parries-with-two": of(func(b *Blow) bool {
		main, _ := body.PairOf(b.Target)
		return main != nil && !body.Has(b.Target, body.CondStruggling)
	}),
	"stands-still": func(r *blowRoll) bool {
		return (r.More.Stationary || body.Has(r.Target, body.CondStationary)) && !body.Has(r.Target, body.CondRan) && len(body.EngagedWith(r.State, r.Target)) == 0
	},
	"turned-away": of(func(b *Blow) bool {
		return b.Parting || body.Has(b.Target, body.CondFleeing) && (body.Has(b.Target, body.CondRan) || body.Is(b.Attacker, body.RelPursues, b.Target.Id))
	}),
	"shield-used": of(func(b *Blow) bool {
		list := body.ShieldedFrom(b.Target)
		return len(list) >= 2 && !slices.Contains(list, b.Attacker.Id)
	}),
}

// fights tells whether a creature defends itself: one who is helpless or held does
// not.
func fights(c *eventv1.Creature) bool {
	return !body.Out(c) && Helpless(c) == nil && !body.Has(c, body.CondStruggling)
}
