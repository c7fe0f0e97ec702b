package strike

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Wrestling pays one attack and has the two wrestle: Athletics against Athletics
// or Acrobatics.
func Wrestling(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) (won bool) {
	to := checks.Target(take)
	PayAttack(r, c, take.Action, "")
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Targets: take.Targets, Notes: body.StatedNotes(take)})
	edges, mods := body.StatedEdges(take.Circumstances, to)
	won, _ = checks.Contest(r, r.Creature(c.Id), "athletics", body.CheckOpts{Edges: edges, Modifiers: mods, Kinds: body.Renamed(take.Facts, "kinds")}, r.Creature(to),
		[]string{"athletics", "acrobatics"}, take.Action, cite.BaseFifthEditionFallback)
	return won
}

// DoShove throws a creature to the ground or pushes it 5 feet away.
//
// rcr.condition.crouching-checks
func DoShove(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	effect := spoken.Word(take.Parameters, "effect")
	if !Wrestling(r, c, take) {
		return nil
	}
	e := r.Creature(checks.Target(take))
	if effect != "push" {
		body.SetProne(r, e.Id, "shoved", cite.BaseFifthEditionFallback)
		return nil
	}
	Push(r, c, e, 5)
	return nil
}

// Push moves a creature away from another by up to so many feet, as far as there is
// room; moved by another, it provokes nothing. Without positions it is said only.
func Push(r *rules.Resolution, from, e *eventv1.Creature, feet int32, ruleIDs ...string) {
	if e.Position == nil || from.GetPosition() == nil {
		r.Note(event.Everyone(), e.Id, e.Name+" is pushed "+body.Itoa(feet)+" feet", append(ruleIDs, cite.BaseFifthEditionFallback)...)
		body.Befall(r, body.OnThrust, e.Id, "pushed", feet)
		return
	}
	to, gone := e.Position, int32(0)
	for gone+5 <= feet {
		next := &eventv1.Position{X: to.X + 5*grid.Sign(to.X-from.Position.X), Y: to.Y + 5*grid.Sign(to.Y-from.Position.Y), Z: to.Z}
		if !SpaceFree(r.State(), e, next) {
			break
		}
		to, gone = next, gone+5
	}
	if gone == 0 {
		r.Note(event.Everyone(), e.Id, "there is no room to push "+e.Name, append(ruleIDs, cite.BaseFifthEditionFallback)...)
		return
	}
	r.Move(&eventv1.Moved{Creature: e.Id, To: to, Mode: "push", Feet: gone}, append(ruleIDs, cite.BaseOpportunityFrame)...)
	body.Befall(r, body.OnThrust, e.Id, "pushed", gone)
	body.EndDistantGrapples(r, e.Id)
}

// Holds are what can be escaped from; a command may leave open from which.
func Holds(at *play.At) (out []string) {
	if !at.Listing && at.Item() == "" {
		return checks.Bare
	}
	for _, x := range holding(at.Actor) {
		out = append(out, x.Id)
	}
	return out
}

// HoldOf is what a creature escapes from: by the item, or the first; nil for nothing.
func HoldOf(c *eventv1.Creature, item string) *eventv1.Condition {
	for _, x := range holding(c) {
		if item == "" || x.Id == item {
			return x
		}
	}
	return nil
}

// RefuseEscape says why a creature cannot escape now: nothing holds it by that name,
// or no action is left.
func RefuseEscape(at *play.At) error {
	if HoldOf(at.Actor, at.Item()) == nil {
		return body.Refuse("NOT_HELD", cite.BaseFifthEditionFallback, "%s is not held", at.Actor.Name)
	}
	return checks.NeedAction(at.Actor)
}

// PrintedDC is the difficulty of escaping that a hold or its holder's sheet names; 0
// where a grapple has none, which is a contest.
func PrintedDC(s *eventv1.State, x *eventv1.Condition) int32 {
	g := s.GetCreatures()[x.Source]
	switch own := body.SheetOf(g).GetEscapeDc(); {
	case x.Name != body.CondGrappled || g == nil:
		return max(x.Values["escape_dc"], 0)
	case own > 0 && x.Values["escape_dc"] == 0:
		return own
	case x.Cause == "grapple" && own == 0:
		return 0 // won by a contest; older records keep a number beside it
	}
	return x.Values["escape_dc"]
}

// DoEscape breaks free of a grapple or a restraint: by a check against the DC that is
// printed for it, else by a contest with the holder's Athletics.
func DoEscape(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	x := HoldOf(c, take.Item)
	skill := spoken.Word(take.Parameters, "skill")
	if skill == "" {
		skill = FallSkill(r.State(), c)
	}
	_, _, o := body.ReadCheck(take)
	dc, holder := PrintedDC(r.State(), x), r.Creature(x.Source)
	body.Spend(r, c.Id, body.CAction, "escape")
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "escape", Item: x.Id, Notes: body.StatedNotes(take)})
	free := false
	if dc == 0 && holder != nil {
		free, _ = checks.Contest(r, r.Creature(c.Id), skill, o, holder, []string{"athletics"}, "escape", cite.BaseFifthEditionFallback)
	} else {
		if dc == 0 {
			dc = body.EscapeDC(holder)
		}
		o.Rules = []string{cite.BaseFifthEditionFallback}
		free = dice.RollCheck(r, "check/escape", r.Creature(c.Id), skill, dc, "", o).Success()
	}
	if free {
		r.RemoveCondition(c.Id, x, "escaped", cite.BaseFifthEditionFallback)
	}
	return nil
}

// DoRelease lets go of a grappled creature; it costs nothing.
func DoRelease(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	id := checks.Target(take)
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "release", Targets: []string{id}})
	r.RemoveCondition(id, body.GrappledBy(r.Creature(id), c.Id), "let go", cite.ConditionReplaceBase)
	return nil
}
