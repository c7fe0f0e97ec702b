package original

import (
	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	thestrike "github.com/skaldrpg/skald/pkg/rules/original/strike"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func grappleActions() []*play.Action {
	return []*play.Action{
		{ID: "grapple", Title: "Grapple", Rule: cite.GrappleToHit, Group: play.GroupManeuver, Costs: thestrike.AnAttack, Least: 1, Most: 1, Candidates: thestrike.FoesAt,
			Refuse: func(at *play.At) error { return thestrike.GrapplerRefused(at.State, at.Actor) },
			RefuseTarget: func(at *play.At, t *eventv1.Creature) error {
				return thestrike.GrappledRefused(at.Content, at.State, at.Actor, t)
			},
			Optional: true, Fields: thestrike.GrappleFields, Check: thestrike.CheckGrapple, Do: body.Deed(doGrapple)},
		{ID: "let-go", Title: "Let go", Rule: cite.GrappleToHit, Group: play.GroupManeuver, Traits: thestrike.TraitHolding, Refuse: thestrike.AsSeen(thestrike.LetGoRefused), Do: body.Deed(thestrike.DoLetGo)},
	}
}

// doGrapple has every grappler roll to hit; when the last has rolled, those
// with a hold contest the defender.
func doGrapple(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	s, id := r.State(), take.Targets[0]
	with, _ := spoken.Words(take.GetParameters(), "with")
	with = thestrike.Willing(r, c, id, with)
	all := append([]string{c.Id}, with...)
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Targets: take.Targets, Notes: with}, cite.GrappleToHit)
	for _, g := range all { // they surround the foe before the first rolls
		body.Only(r, g, body.RelAttacks, id, cite.AttackSurroundBonus)
		thestrike.Meet(r, g, id)
	}
	joined := false
	for _, g := range all {
		b := thestrike.NewBlow(r.State(), r.Creature(g), r.Creature(id), body.EmptyHand, &eventv1.TakeAction{Facts: body.AtHand().Facts, Circumstances: take.Circumstances})
		b.Label, b.NoDamage = "grapple/"+g, true
		r.Set(g, body.CAttacks, 1, "grapple", cite.GrappleToHit)
		r.Set(g, body.CStrong, r.Count(g, body.CStrong)+1, "this round", cite.GrappleToHit)
		if w := strike(r, b); w != nil {
			body.Only(r, g, body.RelHolds, id, cite.GrappleToHit)
			joined = true
			w.Then(r, false)
		}
	}
	if !joined { // those who held it before go on in their own turn
		return nil
	}
	if s.Marks[body.MTogether] != "" { // settled when all in the slot have acted
		r.Emit(event.Everyone(), &eventv1.TaskSet{Task: &eventv1.Task{Id: body.TaskContest + "-" + id, Creature: id, Kind: body.TaskContest, Status: "pending", Rule: cite.GrappleContest}},
			cite.InitiativeTiesSimultaneous)
		return nil
	}
	thestrike.Struggle(r, id)
	return nil
}
