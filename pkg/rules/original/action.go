package original

import (
	"slices"
	"strings"
	"sync"

	content "github.com/skaldrpg/skald/pkg/content/original"
	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/play/condition"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Traits of actions.
const (
	// traitExtra actions may be taken in the segments of the first and last attack.
	traitExtra play.Traits = 1 << iota
	// traitHeld actions may be taken while struggling in a hold.
	traitHeld
	// traitHolding actions may be taken by one who holds a foe.
	traitHolding
)

// anAttack is what an action takes that is one of the round's attacks: the counter
// counts them.
var anAttack = []play.Cost{{Counter: cAttacks, Amount: 1}}

// frame is everything that creatures can do; a bad table leaves none and says why.
var frame = sync.OnceValues(func() (*play.Frame, error) {
	actions := slices.Concat(attackActions(), florentineActions(), attemptActions(), spellActions(), chargeActions(), moveActions(), retreatActions(),
		pursuitActions(), grappleActions(), tableActions())
	table, err := content.Book().Table("words")
	if err != nil {
		return nil, err
	}
	words, err := rules.ReadVocabulary(table, play.IDs(actions), conditionBook.Words()...)
	if err != nil {
		return nil, err
	}
	return play.New(play.Frame{System: ID, Words: words, May: may, EndTurn: mayEnd, EndTurnTitle: "End turn", EndTurnRule: cite.TurnPrecedence,
		Prepare: func(at *play.At) { at.Scratch = see(at.State, at.Actor) },
		Perform: func(r *rules.Resolution, at *play.At) error {
			if err := at.Action.Do(r, at); err != nil {
				return err
			}
			return settle(r)
		}}, actions)
})

// mayEnd says why a creature cannot end its turn.
func mayEnd(at *play.At) error {
	if !slices.Contains(at.State.Active, at.Actor.Id) {
		return refuse("NOT_YOUR_TURN", cite.TurnPrecedence, "it is not the turn of %s", at.Actor.Name)
	}
	return nil
}

// may says whether the creature may take an action at all now.
func may(at *play.At) error {
	s, c, a := at.State, at.Actor, at.Action
	switch {
	case s.Status == eventv1.State_STATUS_ENDED:
		return refuse("ENCOUNTER_ENDED", "", "the encounter is over")
	case s.Status != eventv1.State_STATUS_STARTED:
		return refuse("NOT_STARTED", "", "the encounter has not begun")
	case a.Anytime:
		return nil
	}
	if err := sightOf(at).noTurn(); err != nil {
		return err
	}
	switch {
	case !a.Is(traitExtra) && (s.Phase == segFirst || s.Phase == segLast):
		return refuse("ATTACK_ONLY", cite.InitiativeFightersFirstAndLast, "only the %s attack falls here", s.Phase)
	case has(c, condRan):
		return refuse("RAN", cite.MovementRunning, "%s does nothing more this round", c.Name)
	case has(c, condStruggling) && !a.Is(traitHeld):
		return refuse("STRUGGLING", cite.GrappleTieStruggling, "%s struggles in a hold", c.Name)
	case holding(c) != "" && !a.Is(traitHolding):
		return refuse("HOLDING", cite.GrappleToHit, "%s holds %s", c.Name, holding(c))
	}
	return nil
}

// noTurn says why a creature has no turn now, whatever it would do.
func (v *sight) noTurn() error {
	if !v.sawKept {
		v.kept, v.sawKept = noTurn(v.s, v.c), true
	}
	return v.kept
}

func noTurn(s *eventv1.State, c *eventv1.Creature) error {
	switch {
	case dead(c):
		return refuse("DEAD", cite.DeathZeroHp, "%s is dead", c.GetName())
	case out(c):
		return refuse("KNOCKED_OUT", cite.InjuryKnockedOutAtZero, "%s is knocked out", c.Name)
	case surprised(c):
		return refuse("SURPRISED", cite.SurpriseFreeRound, "%s is surprised", c.Name)
	}
	if x := helpless(c); x != nil {
		return refuse("HELPLESS", helplessRule(x), "%s is %s", c.Name, x.Name)
	}
	if !slices.Contains(s.Active, c.Id) {
		return refuse("NOT_YOUR_TURN", cite.TurnPrecedence, "it is not the turn of %s", c.Name)
	}
	return nil
}

// attackLeft says whether the creature has an attack of the round left for a
// deed that is no attack against a Normal Man.
func attackLeft(s *eventv1.State, c *eventv1.Creature) error {
	switch {
	case c.Counters[cAttacks] > 0:
		return refuse("NO_ATTACK", cite.AttackMultiVsNormalMen, "%s has attacked this round", c.Name)
	case has(c, condRouted):
		return refuse("ROUTED", cite.MoraleTable, "%s is routed", c.Name)
	}
	if err := tooSwift(c); err != nil {
		return err
	}
	return barred(s, c)
}

// barred says what keeps a creature from attacking in this round.
func barred(s *eventv1.State, c *eventv1.Creature) error {
	for _, x := range c.Conditions {
		// original.fumble.table: a fumbler stumbles in the round after.
		d := conditionBook.Find(x.Name)
		if d != nil && slices.Contains(d.Bars, condition.BarsAttack) && (x.Name != condStumbled || stumbled(s, c)) {
			return refuse(strings.ToUpper(x.Name), d.Rule, "%s cannot attack this round: %s", c.Name, x.Name)
		}
	}
	switch {
	case rules.BegunOf(c, begunSet) != nil:
		return refuse("WEAPON_SET", cite.ChargeSetSpear, "%s has set its weapon", c.Name)
	case holding(c) != "":
		return refuse("HOLDING", cite.GrappleToHit, "%s holds %s", c.Name, holding(c))
	}
	return nil
}
