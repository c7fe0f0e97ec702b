package moving

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	"github.com/skaldrpg/skald/pkg/rules/original/strike"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// TurnNow is the Turn on the encounter's clock, from 1.
//
// original.charge.once-per-turn
func TurnNow(s *eventv1.State) int64 {
	return int64(max(0, s.Round-1)/max(1, int32(body.Defaults.Number(s, body.SetTurnRounds)))) + 1
}

// ChargeFields are the choices of one who charges; how far is more than half its move.
func ChargeFields(at *play.At) []play.Field {
	list := strike.BlowFields(at)
	if full := strike.FullMove(at.State, at.Actor); at.Listing {
		return append(list, play.Field{Name: "feet", Least: full/2 + 1, Most: max(full/2+1, full)})
	}
	return append(list, play.Field{Name: "feet"})
}

// RefuseCharge says why a creature may not charge anybody with a weapon.
//
// original.charge.move, original.charge.once-per-turn
func RefuseCharge(at *play.At) error { return chargeRefused(strike.SightOf(at), strike.WeaponAt(at)) }

func chargeRefused(v *strike.Sight, w *eventv1.OriginalWeapon) error {
	s, c := v.S, v.C
	switch {
	case body.Missile(w) || !body.Usable(c, w):
		return v.Refuse("NO_WEAPON", cite.ChargeMove, "%s is no weapon to charge with now", w.Name)
	case len(v.Engaged()) > 0:
		return v.Refuse("ENGAGED", cite.MovementEngagedRestricts, "%s is in melee", c.Name)
	case c.Counters[body.CCharged] == TurnNow(s):
		return v.Refuse("CHARGED", cite.ChargeOncePerTurn, "%s has charged in this Turn", c.Name)
	case c.Counters[body.CMoved] > 0:
		return v.Refuse("MOVED", cite.ChargeMove, "%s has moved this round", c.Name)
	case strike.FullMove(s, c) == 0:
		return v.Refuse("NO_MOVEMENT", cite.ChargeMove, "%s cannot move", c.Name)
	}
	return v.AttackLeft()
}

// RefuseCharged says why a creature may not charge a foe: how far it is is stated, or
// measured.
//
// original.charge.move
func RefuseCharged(at *play.At, target *eventv1.Creature) error {
	full := strike.FullMove(at.State, at.Actor)
	if target.Side == at.Actor.Side || body.Dead(target) {
		return at.Refuse("NO_FOE", cite.ChargeMove, "there is no foe to charge")
	}
	if cover, _ := spoken.Number(at.Take.GetFacts(), "cover"); cover >= 100 {
		return at.Refuse("COVER", cite.AttackCover, "%s is wholly covered", target.Name)
	}
	if body.Apart(at.Actor, target) {
		return at.Refuse("OBSTACLE", cite.MovementInMeleeDefinition, "an obstacle separates %s and %s", at.Actor.Name, target.Name)
	}
	switch feet := ChargeFeet(at.Actor, target, at.Take); {
	case feet < 0:
		return at.Refuse("NO_DISTANCE", cite.ChargeMove, "the distance to %s is not known: state it", target.Name)
	case 2*feet <= full:
		return body.Refuse("TOO_NEAR", cite.ChargeMove, "%d feet are no more than half of %d: an ordinary move", feet, full)
	case feet > full+body.MeleeFeet:
		return body.Refuse("TOO_FAR", cite.ChargeEndWithin10, "%s is %d feet away, the charge goes %d", target.Name, feet, full)
	}
	return strike.TablesOf(at.Content).SurroundRefused(at.State, at.Actor, target)
}

// ChargeFeet is how far a foe is to charge: as stated, or as measured; -1 when nobody
// knows.
func ChargeFeet(c, target *eventv1.Creature, take *eventv1.TakeAction) int32 {
	if feet, stated := spoken.Number(take.GetFacts(), "distance"); stated {
		return feet
	}
	return body.Distance(c, target)
}

// CheckCharge refuses a charge of a length that none has, and one in a manner that
// the creature cannot strike in.
func CheckCharge(at *play.At) error {
	if _, err := ChargeMove(at.State, at.Actor, ChargeFeet(at.Actor, at.Target(), at.Take), at.Take); err != nil {
		return err
	}
	return strike.MannerRefused(at)
}

// ChargeMove is how far a charge at a foe goes: the stated feet, or up to 5
// feet from the foe.
func ChargeMove(s *eventv1.State, c *eventv1.Creature, feet int32, take *eventv1.TakeAction) (int32, error) {
	full := strike.FullMove(s, c)
	move := min(full, max(full/2+1, feet-5))
	if n, stated := spoken.Number(take.GetParameters(), "feet"); stated {
		move = n
	}
	if move > full || 2*move <= full || move > feet {
		return 0, body.Refuse("NO_CHARGE", cite.ChargeMove, "a charge goes more than half of %d feet and no further than all of it or the foe", full)
	}
	return move, nil
}

// InTurn is the weapon with which one who is charged from so many feet away may
// charge in turn; nil when it may not. It rides, or acts at the same moment as the
// charger.
//
// original.charge.no-initiative, original.initiative.ties-simultaneous
func InTurn(made *effects.Book, s *eventv1.State, c, charger *eventv1.Creature, feet int32) *eventv1.OriginalWeapon {
	together := slices.Contains(s.Active, c.Id)
	if !together && !body.Has(c, body.CondMounted) {
		return nil
	}
	w := chargesWith(c)
	switch {
	case !strike.Able(s, c) || body.Has(c, body.CondStruggling) || body.Has(c, body.CondFleeing) || w.Kind == "hand":
		return nil
	case chargeRefused(strike.See(s, c), w) != nil || 2*feet <= strike.FullMove(s, c):
		return nil
	case strike.TablesOf(made).SurroundRefused(s, c, charger) != nil:
		return nil
	}
	return w
}

// chargesWith is the weapon that a creature charges with unless it says otherwise: a
// rider its lance.
func chargesWith(c *eventv1.Creature) *eventv1.OriginalWeapon {
	lance := func(w *eventv1.OriginalWeapon) bool { return w.Kind == "lance" && body.Usable(c, w) }
	if w := body.FirstWeapon(c, lance); w != nil && body.Has(c, body.CondMounted) {
		return w
	}
	return body.InHand(c)
}

// HalfWays is how far each of two goes who charge each other from so many feet away:
// by their speeds, up to 5 feet from each other.
func HalfWays(s *eventv1.State, a, b *eventv1.Creature, feet int32) (int32, int32) {
	gap, fast, other := int64(max(0, feet-5)), int64(strike.FullMove(s, a)), int64(strike.FullMove(s, b))
	first := gap * fast / max(1, fast+other)
	return int32(first), int32(gap - first)
}

// ChargeEnd is where a charge ends on the map, on the line to the foe; nil where
// a place is not known.
func ChargeEnd(c, t *eventv1.Creature, feet, move int32) *eventv1.Position {
	if c.Position == nil || t.GetPosition() == nil {
		return nil
	}
	left := max(0, feet-move)
	at := func(from, to int32) int32 { return to + int32((int64(from)-int64(to))*int64(left)/int64(feet)) }
	return &eventv1.Position{X: at(c.Position.X, t.Position.X), Y: at(c.Position.Y, t.Position.Y), Z: at(c.Position.Z, t.Position.Z)}
}

// Receive asks whether the foe sets its weapon, and returns the weapon set.
//
// original.charge.set-spear
func Receive(r *rules.Resolution, id, charger string) *eventv1.OriginalWeapon {
	s, c := r.State(), r.Creature(id)
	w := spearOf(c)
	switch {
	case w == nil || !strike.Able(s, c) || body.Has(c, body.CondStruggling):
		return nil
	case c.Counters[body.CAttacks] > 0:
		return nil // it has met a charge already
	case rules.BegunOf(c, body.BegunSet) != nil:
		return w
	case SetRefused(strike.See(s, c)) != nil:
		return nil
	}
	answer := r.Ask("set/"+id, rules.About(rules.YesNo(body.DecSet, id, r.Creature(charger).Name+" charges", "Set "+w.Name+" against the charge?", "yes", cite.ChargeSetSpear), charger))
	if answer.Option != "yes" {
		return nil
	}
	setWeapon(r, id, w)
	return w
}

// MissileFor is a weapon that a creature could shoot or throw at a target now.
func MissileFor(made *effects.Book, s *eventv1.State, c, target *eventv1.Creature) *eventv1.OriginalWeapon {
	open := body.OpenPhase(s)
	for _, w := range body.Weapons(c) {
		if melee, _ := body.ReachOf(c, target, w, &eventv1.TakeAction{}); melee {
			continue
		}
		if strike.AttackRefused(made, open, c, target, w, &eventv1.TakeAction{}) == nil {
			return w
		}
	}
	return nil
}

// NormalMelee tells whether a weapon is one that a set spear outreaches.
func NormalMelee(w *eventv1.OriginalWeapon) bool {
	switch w.Kind {
	case "lance", "pike", "long-spear", "polearm":
		return false
	}
	return true
}

// spearOf is a weapon in hand that can be set; nil when there is none.
func spearOf(c *eventv1.Creature) *eventv1.OriginalWeapon {
	return body.FirstWeapon(c, func(w *eventv1.OriginalWeapon) bool { return body.CanSet(w) && body.Usable(c, w) })
}

// SetRefused says why a creature may not set its weapon.
func SetRefused(v *strike.Sight) error {
	if spearOf(v.C) == nil {
		return v.Refuse("NO_SPEAR", cite.ChargeSetSpear, "only spears and pikes are set against a charge")
	}
	return v.AttackLeft()
}

// DoSet has the actor set the first weapon in hand that can be set, for this round.
func DoSet(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Item: spearOf(c).Name}, cite.ChargeSetSpear)
	setWeapon(r, c.Id, spearOf(c))
	return nil
}

// setWeapon has a creature set a weapon against charges of this round.
func setWeapon(r *rules.Resolution, id string, w *eventv1.OriginalWeapon) {
	r.Begin(id, &eventv1.Begun{Kind: body.BegunSet, Action: &eventv1.TakeAction{Creature: id, Action: "set-spear", Item: w.Name},
		Round: r.State().Round, Until: body.ThisRound(r), Rule: cite.ChargeSetSpear}, cite.ChargeSetSpear)
}
