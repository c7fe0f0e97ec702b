package order

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Fighters are the kinds that leave a creature free to answer a charge or one
// who closes in, as long as it has not acted.
//
// basic.turn.declare
var Fighters = []string{body.KindAttack, body.KindMelee, body.KindRanged, body.KindHold, body.KindSet}

// KindItems offers the kinds that can be declared as the items of an action; a command
// may say them by a word of builds before.
func KindItems(at *play.At) []string {
	if slices.Contains(body.OldKinds, at.Item()) {
		return body.OldKinds
	}
	return body.Declarable
}

var notDeclaring = body.Refuse("NOT_DECLARING", cite.TurnSequence, "declarations come before initiative")

// MayDeclare says why a creature may not declare: it is not the time, or it has
// declared.
func MayDeclare(s *eventv1.State, c *eventv1.Creature) error {
	switch {
	case s.Phase != body.PhaseDeclare:
		return notDeclaring
	case DeclaredBy(c) != "":
		return body.Refuse("DECLARED", cite.TurnDeclare, "%s has declared %s", c.Name, DeclaredBy(c))
	}
	return nil
}

// DoDeclare announces and notes what the actor declares; who declares to dodge dodges
// at once.
func DoDeclare(r *rules.Resolution, at *play.At) error {
	c, take := at.Actor, at.Take
	kind := body.KindOf(take.Item)
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "declare", Item: kind}, cite.TurnDeclare)
	setDeclared(r, c.Id, kind)
	if kind == body.KindDodge {
		UntilRoundEnds(r, c.Id, body.CondDodging, cite.ActionDodge)
	}
	return nil
}

// DeclaredBy is the kind of action that a creature declared this round; empty when it
// has declared none.
func DeclaredBy(c *eventv1.Creature) string {
	return body.KindOf(rules.BegunOf(c, body.BDeclared).GetAction().GetItem())
}

// setDeclared notes what a creature declared.
//
// basic.turn.declare
func setDeclared(r *rules.Resolution, id, kind string) {
	r.Begin(id, &eventv1.Begun{Kind: body.BDeclared, Round: r.State().Round, Rule: cite.TurnDeclare,
		Action: &eventv1.TakeAction{Creature: id, Action: "declare", Item: kind}}, cite.TurnDeclare)
}

// UntilRoundEnds lays a condition on a creature until this round ends; its name is its
// cause too.
func UntilRoundEnds(r *rules.Resolution, id, name, rule string) {
	r.AddCondition(id, &eventv1.Condition{Name: name, Cause: name, Rule: rule, Until: &eventv1.Until{When: "round", Round: r.State().Round}})
}

// SeemsFree is that as far as everybody can see.
func SeemsFree(s *eventv1.State, c *eventv1.Creature) bool {
	return body.Able(c) && body.RefuseAttacking(s, c) == nil && !slices.Contains([]string{body.KindRun, body.KindReload, body.KindSmother}, DeclaredBy(c))
}

// Allowance is the movement of a round by what was declared, in feet.
//
// basic.action.move, basic.action.run, basic.movement.fighting-withdrawal, basic.attack.rate-light-crossbow,
// basic.item.oil-extinguish
func Allowance(c *eventv1.Creature) int32 { return AllowanceOf(c, DeclaredBy(c)) }

// AllowanceOf is the movement of a round, in feet, of a creature that declares a kind
// of action.
func AllowanceOf(c *eventv1.Creature, kind string) int32 {
	switch {
	case slices.Contains([]string{body.KindCharge, body.KindSet, body.KindReload, body.KindSmother}, kind):
		return 0
	case kind == body.KindRun:
		return 2 * body.Walk(c)
	case kind == body.KindWithdraw:
		return body.Walk(c) / 2
	}
	return body.Walk(c)
}
