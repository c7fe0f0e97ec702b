package original

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// action is one thing a creature can do. The same refuse function answers for
// the list of options and for the deed, so that the two cannot disagree.
type action struct {
	// id as in TakeAction.action.
	id string
	// title for people.
	title string
	// options lists the ways to do it from what a viewer may see; each is legal
	// or carries its reason.
	options func(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option
	// do carries it out.
	do func(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error
	// anytime actions need no turn of one's own.
	anytime bool
	// extra actions may be taken in the segments of the first and last attack.
	extra bool
	// held actions may be taken while struggling in a hold.
	held bool
}

var allActions []*action

func init() { // not in the declaration: actions look one another up
	allActions = slices.Concat(attackActions(), florentineActions(), attemptActions(), spellActions(), chargeActions(), moveActions(), retreatActions(), pursuitActions(), grappleActions(), tableActions())
}

// actions is everything a creature can do, in the order in which options are
// listed.
func actions() []*action { return allActions }

// mayAct says whether the creature may take an action at all now.
func mayAct(s *eventv1.State, c *eventv1.Creature, a *action) error {
	switch {
	case s.Status == eventv1.State_STATUS_ENDED:
		return refuse("ENCOUNTER_ENDED", "", "the encounter is over")
	case s.Status != eventv1.State_STATUS_STARTED:
		return refuse("NOT_STARTED", "", "the encounter has not begun")
	case a.anytime:
		return nil
	case dead(c):
		return refuse("DEAD", cite.DeathZeroHp, "%s is dead", c.GetName())
	case out(c):
		return refuse("KNOCKED_OUT", cite.InjuryKnockedOutAtZero, "%s is knocked out", c.Name)
	case surprised(s, c):
		return refuse("SURPRISED", cite.SurpriseFreeRound, "%s is surprised", c.Name)
	}
	if x := helpless(c); x != nil {
		return refuse("HELPLESS", helplessRule(x), "%s is %s", c.Name, x.Name)
	}
	switch {
	case !slices.Contains(s.Active, c.Id):
		return refuse("NOT_YOUR_TURN", cite.TurnPrecedence, "it is not the turn of %s", c.Name)
	case !a.extra && (s.Phase == segFirst || s.Phase == segLast):
		return refuse("ATTACK_ONLY", cite.InitiativeFightersFirstAndLast, "only the %s attack falls here", s.Phase)
	case c.Marks[mRan] == itoa(s.Round):
		return refuse("RAN", cite.MovementRunning, "%s does nothing more this round", c.Name)
	case has(c, condStruggling) && !a.held:
		return refuse("STRUGGLING", cite.GrappleTieStruggling, "%s struggles in a hold", c.Name)
	case c.Marks[mHolds] != "" && a.id != "let-go":
		return refuse("HOLDING", cite.GrappleToHit, "%s holds %s", c.Name, c.Marks[mHolds])
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
	if err := tooSwift(s, c); err != nil {
		return err
	}
	return barred(s, c)
}

// barred says what keeps a creature from attacking in this round.
func barred(s *eventv1.State, c *eventv1.Creature) error {
	round := itoa(s.Round)
	switch {
	case c.Marks[mParrying] == round:
		return refuse("PARRYING", cite.ActionParry, "%s parries this round", c.Name)
	case c.Marks[mStumbled] == round:
		return refuse("STUMBLED", cite.FumbleTable, "%s stumbled and cannot attack this round", c.Name)
	case c.Marks[mSet] == round:
		return refuse("WEAPON_SET", cite.ChargeSetSpear, "%s has set its weapon", c.Name)
	case c.Marks[mRan] == round:
		return refuse("RAN", cite.MovementRunning, "%s does nothing more this round", c.Name)
	case has(c, condRouted):
		return refuse("ROUTED", cite.MoraleTable, "%s is routed", c.Name)
	case c.Marks[mHolds] != "":
		return refuse("HOLDING", cite.GrappleToHit, "%s holds %s", c.Name, c.Marks[mHolds])
	}
	return nil
}

// option makes an option, legal unless there is an error.
func option(item string, err error) *eventv1.Option {
	o := &eventv1.Option{Item: item, Legal: err == nil}
	rules.Forbid(o, err)
	return o
}

// targeted makes an option about those of the candidates that are not refused;
// with none left it carries the first refusal, with no candidates that of
// nobody, whose id is empty.
func targeted(item string, candidates []string, refused func(id string) error) *eventv1.Option {
	o := &eventv1.Option{Item: item, Legal: true, MinimumTargets: 1, MaximumTargets: 1}
	var first error
	for _, id := range candidates {
		if err := refused(id); err == nil {
			o.Targets = append(o.Targets, id)
		} else if first == nil {
			first = err
		}
	}
	if len(o.Targets) == 0 {
		if first == nil {
			first = refused("")
		}
		rules.Forbid(o, first)
	}
	return o
}
