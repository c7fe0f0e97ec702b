package strike

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/play/condition"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Traits of actions.
const (
	// TraitExtra actions may be taken in the segments of the first and last attack.
	TraitExtra play.Traits = 1 << iota
	// TraitHeld actions may be taken while struggling in a hold.
	TraitHeld
	// TraitHolding actions may be taken by one who holds a foe.
	TraitHolding
)

// AnAttack is what an action takes that is one of the round's attacks: the counter
// counts them.
var AnAttack = []play.Cost{{Counter: body.CAttacks, Amount: 1}}

// MayEnd says why a creature cannot end its turn.
func MayEnd(at *play.At) error {
	if !slices.Contains(at.State.Active, at.Actor.Id) {
		return at.Refuse("NOT_YOUR_TURN", cite.TurnPrecedence, "it is not the turn of %s", at.Actor.Name)
	}
	return nil
}

// May says whether the creature may take an action at all now.
func May(at *play.At) error {
	s, c, a := at.State, at.Actor, at.Action
	switch {
	case s.Status == eventv1.State_STATUS_ENDED:
		return at.Refuse("ENCOUNTER_ENDED", "", "the encounter is over")
	case s.Status != eventv1.State_STATUS_STARTED:
		return at.Refuse("NOT_STARTED", "", "the encounter has not begun")
	case a.Anytime:
		return nil
	}
	if err := SightOf(at).noTurn(); err != nil {
		return err
	}
	switch {
	case !a.Is(TraitExtra) && (s.Phase == body.SegFirst || s.Phase == body.SegLast):
		return at.Refuse("ATTACK_ONLY", cite.InitiativeFightersFirstAndLast, "only the %s attack falls here", s.Phase)
	case body.Has(c, body.CondRan):
		return at.Refuse("RAN", cite.MovementRunning, "%s does nothing more this round", c.Name)
	case body.Has(c, body.CondStruggling) && !a.Is(TraitHeld):
		return at.Refuse("STRUGGLING", cite.GrappleTieStruggling, "%s struggles in a hold", c.Name)
	case body.Holding(c) != "" && !a.Is(TraitHolding):
		return at.Refuse("HOLDING", cite.GrappleToHit, "%s holds %s", c.Name, body.Holding(c))
	}
	return nil
}

// noTurn says why a creature has no turn now, whatever it would do.
func (v *Sight) noTurn() error {
	if !v.sawKept {
		v.kept, v.sawKept = v.withoutTurn(), true
	}
	return v.kept
}

func (v *Sight) withoutTurn() error {
	s, c := v.S, v.C
	switch {
	case body.Dead(c):
		return v.Refuse("DEAD", cite.DeathZeroHp, "%s is dead", c.GetName())
	case body.Out(c):
		return v.Refuse("KNOCKED_OUT", cite.InjuryKnockedOutAtZero, "%s is knocked out", c.Name)
	case body.Surprised(c):
		return v.Refuse("SURPRISED", cite.SurpriseFreeRound, "%s is surprised", c.Name)
	}
	if x := Helpless(c); x != nil {
		return v.Refuse("HELPLESS", body.HelplessRule(x), "%s is %s", c.Name, x.Name)
	}
	if !slices.Contains(s.Active, c.Id) {
		return v.Refuse("NOT_YOUR_TURN", cite.TurnPrecedence, "it is not the turn of %s", c.Name)
	}
	return nil
}

// AttackLeft says whether the creature has an attack of the round left for a
// deed that is no attack against a Normal Man.
func (v *Sight) AttackLeft() error {
	c := v.C
	switch {
	case c.Counters[body.CAttacks] > 0:
		return v.Refuse("NO_ATTACK", cite.AttackMultiVsNormalMen, "%s has attacked this round", c.Name)
	case body.Has(c, body.CondRouted):
		return v.Refuse("ROUTED", cite.MoraleTable, "%s is routed", c.Name)
	}
	if err := body.TooSwift(c); err != nil {
		return err
	}
	return v.barred()
}

// AttackLeft is [Sight.AttackLeft] for whoever looks once.
func AttackLeft(s *eventv1.State, c *eventv1.Creature) error { return See(s, c).AttackLeft() }

// Barred tells whether anything keeps a creature from attacking in this round.
func Barred(s *eventv1.State, c *eventv1.Creature) bool { return barred(s, c, true) != nil }

// barred says what keeps a creature from attacking in this round, unless that is unread;
// conditions named beside do not count.
func barred(s *eventv1.State, c *eventv1.Creature, unread bool, but ...string) error {
	for _, x := range c.Conditions {
		if slices.Contains(but, x.Name) {
			continue
		}
		// original.fumble.table: a fumbler stumbles in the round after.
		d := ConditionBook.Find(x.Name)
		if d != nil && slices.Contains(d.Bars, condition.BarsAttack) && (x.Name != body.CondStumbled || body.Stumbled(s, c)) {
			return play.RefuseUnless(unread, strings.ToUpper(x.Name), d.Rule, "%s cannot attack this round: %s", c.Name, x.Name)
		}
	}
	switch {
	case rules.BegunOf(c, body.BegunSet) != nil:
		return play.RefuseUnless(unread, "WEAPON_SET", cite.ChargeSetSpear, "%s has set its weapon", c.Name)
	case body.Holding(c) != "":
		return play.RefuseUnless(unread, "HOLDING", cite.GrappleToHit, "%s holds %s", c.Name, body.Holding(c))
	}
	return nil
}
