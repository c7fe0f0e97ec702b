package saddle

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/items"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// CoupActions are the coup de grace and, in two parts, that on an unseen foe.
func CoupActions() []*strike.Action {
	return []*strike.Action{
		{Action: play.Action{ID: "coup-de-grace", Title: "Coup de grace", Rule: cite.AttackCoupEligibility, Group: play.GroupAttack, Trigger: "attack", Costs: body.Acts(3),
			Items: body.Ways(manners.WeaponNames), Least: 1, Most: 1, Refuse: body.Bars(strike.RefuseSeenCoup), RefuseTarget: answers.Aimed(strike.RefuseSeenCoup),
			Fields: strike.AttackFields, Check: checks.Judged(manners.CheckNature), Do: body.Done(doCoup)}, Provoke: checks.Always},
		{Action: play.Action{ID: "coup-unseen", Title: "Coup de grace on an unseen foe", Rule: cite.AttackCoupTotalConcealment, Group: play.GroupAttack,
			Trigger: "attack", CostOf: body.Priced(strike.UnseenCost), Items: body.Ways(manners.WeaponNames), Least: 1, Most: 1, Traits: checks.Whole, Refuse: body.Bars(strike.RefuseUnseenCoup),
			RefuseTarget: answers.Aimed(strike.RefuseUnseenCoup), Fields: strike.AttackFields, Check: checks.Judged(manners.CheckNature), Do: items.Paid(doUnseenCoup)}, Provoke: checks.Always, Spans: answers.Spanning},
		{Action: play.Action{ID: "finish-coup", Title: "Go on with the coup de grace", Rule: cite.AttackCoupTotalConcealment, Group: play.GroupAttack, Trigger: "attack",
			CostOf: body.Priced(strike.FinishCost), Traits: checks.Task, Refuse: body.Bars(strike.RefuseFinishCoup), Do: items.Paid(doFinishCoup)}},
	}
}

// doCoup always hits, always critically. It is an attack of the turn like any other, and
// takes the shot out of what is loaded.
//
// celesia.attack.coup-auto-critical, celesia.attack.lunge, celesia.attack.natural-limbs
func doCoup(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	w, t := body.WeaponOf(c, take.Item), r.Creature(body.Target(take))
	a := body.Attack{By: c.Id, Target: t.Id, Weapon: w, Label: "coup", Take: take}
	r.Emit(event.Everyone(), &eventv1.Attack{Attacker: c.Id, Target: t.Id, Weapon: w.Name, Outcome: "critical", Note: "coup de grace: no roll"},
		cite.AttackCoupAutoCritical)
	manners.UseLimbs(r, c, w)
	manners.NoteAttack(r, c.Id, w)
	body.Discharge(r, c.Id, w)
	harm(r, a, 0, true, body.DeedCoup)
	struck(r, a, true, house.PointAttack+checks.Way(w), rules.Rolled{Outcome: "critical"})
	return nil
}

// doUnseenCoup begins to feel for the foe.
//
// celesia.attack.coup-total-concealment
func doUnseenCoup(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction, acts int32) error {
	if acts >= strike.UnseenActs {
		return doCoup(r, c, take)
	}
	coming := &eventv1.TakeAction{Creature: c.Id, Action: "coup-de-grace", Item: take.Item, Targets: []string{body.Target(take)}}
	if nature := spoken.Word(take.GetParameters(), "damage"); nature != "" {
		coming.Parameters = body.ParamStruct("damage", nature)
	}
	strike.SetCoup(r, coming, acts)
	return nil
}

// doFinishCoup puts further acts in; the blow falls with the last.
//
// celesia.attack.coup-total-concealment
func doFinishCoup(r *rules.Resolution, c *eventv1.Creature, _ *eventv1.TakeAction, acts int32) error {
	b := answers.BegunByID(c, answers.BegunCoup)
	if done := b.Done + acts; done < b.Needed {
		strike.SetCoup(r, b.Action, done)
		return nil
	}
	answers.EndCoup(r, c.Id, "done")
	return doCoup(r, r.Creature(c.Id), b.Action)
}
