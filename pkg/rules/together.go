package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// together carries out actions of several creatures as one command. All are tried
// before the first: what the rules refuse as things stand refuses them all, and the
// words name the creature. One that has become impossible by what was rolled or
// answered before it is passed over, and that is said: nothing rolled is taken back
// (T2).
func together(r *Resolution, c *eventv1.TakeTogether) error {
	switch n := len(c.Actions); {
	case n == 0:
		return fault.Field("together.actions", "missing")
	case n > MaxCreatures:
		return fault.Limit("actions of one command", MaxCreatures, int64(n))
	}
	for i, a := range c.Actions {
		if a == nil {
			return fault.Field("together.actions["+itoa(i)+"]", "missing")
		}
		if err := r.tries(a); err != nil {
			return r.ofMember(i, a, err)
		}
	}
	for i, a := range c.Actions {
		err := r.member(a)
		switch {
		case err == nil:
		case refusal(err) && r.happened():
			r.passOver(a, err)
		default:
			return r.ofMember(i, a, err)
		}
	}
	return nil
}

// tries says why an action cannot be carried out as things stand: its words, and what
// the rules refuse of it, or of what content has in its place.
func (r *Resolution) tries(a *eventv1.TakeAction) error {
	if err := r.sound(a); err != nil {
		return err
	}
	c, _ := r.inPlace(a)
	if err := r.checkAction(c); err != nil {
		return err
	}
	_, err := r.trial(c)
	return err
}

// member carries out one of several actions.
func (r *Resolution) member(a *eventv1.TakeAction) error {
	if r.Creature(a.Creature) == nil || r.state.Status == eventv1.State_STATUS_ENDED {
		return fault.Refuse("GONE", "", "%q is no longer there", a.Creature)
	}
	return take(r, a)
}

// happened tells whether something came of the command that nobody takes back: dice, or
// a question.
func (r *Resolution) happened() bool {
	return r.drew || slices.ContainsFunc(r.events, func(e *eventv1.Event) bool {
		return e.GetRoll() != nil || e.GetDecisionRequested() != nil || e.GetDecisionAnswered() != nil
	})
}

// passOver says to those who play a creature why its action is not carried out.
func (r *Resolution) passOver(a *eventv1.TakeAction, err error) {
	f, _ := fault.As(err)
	r.events = append(r.events, event.VeilNote(r.state, event.Controllers(a.Creature), a.Creature, a.Action+" is passed over: "+f.Error())...)
}

// ofMember is the refusal of one of several actions: its fields are those of its place,
// its words name the creature.
func (r *Resolution) ofMember(i int, a *eventv1.TakeAction, err error) error {
	f, ok := fault.As(err)
	if !ok {
		return err
	}
	out := *f
	out.Message = fmt.Sprintf("%s: %s", a.GetCreature(), f.Message)
	out.Violations = nil
	for _, v := range f.Violations {
		v.Field = "together.actions[" + itoa(i) + "]." + strings.TrimPrefix(v.Field, "take.")
		out.Violations = append(out.Violations, v)
	}
	if len(out.Violations) == 0 {
		out.Violations = []fault.Violation{{Field: "together.actions[" + itoa(i) + "]", Description: a.GetCreature()}}
	}
	return &out
}
