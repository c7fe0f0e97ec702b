package saddle

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/items"
	"github.com/skaldrpg/skald/pkg/rules/celesia/maneuvers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
	"github.com/skaldrpg/skald/pkg/rules/celesia/mending"
	"github.com/skaldrpg/skald/pkg/rules/celesia/movement"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// RidingActions have the mount move and strike; they take its acts, not the
// rider's.
func RidingActions() []*strike.Action {
	return []*strike.Action{
		{Action: play.Action{ID: "ride", Title: "Ride", Rule: cite.MountSharedInitiative, Group: play.GroupMount, Trigger: "move", Refuse: body.Bars(refuseRide),
			Fields: rideFields, Check: checks.Judged(checkRide), Do: body.Done(doRide)}},
		{Action: play.Action{ID: "ride-charge", Title: "Charge on the mount", Rule: cite.MountCharge, Group: play.GroupMount, Trigger: "move", Items: body.Ways(checks.MeleeNames),
			Least: 1, Most: 1, Refuse: body.Bars(refuseRideCharge), RefuseTarget: answers.Aimed(refuseRideCharge), Do: body.Done(doRideCharge)}},
		{Action: play.Action{ID: "mount-attack", Title: "Have the mount attack", Rule: cite.MountOwnActs, Group: play.GroupMount, Trigger: "attack",
			Items: body.Ways(mountWeapons), Least: 1, Most: 1, Refuse: body.Bars(refuseMountAttack), RefuseTarget: answers.Aimed(refuseMountAttack),
			Fields: strike.AttackFields, Check: checks.Judged(checkMountAttack), Do: body.Done(doMountAttack)}},
	}
}

// GaitActs is how many acts of the mount a gait takes; 0 for a word that is none.
func GaitActs(gait string) int32 {
	return map[string]int32{items.GaitSingle: 1, items.GaitDouble: 2, items.GaitRun: 3}[gait]
}

// GaitTimes is how many times its speed the mount covers at a gait; 0 for a word
// that is none.
func GaitTimes(gait string) int32 {
	return map[string]int32{items.GaitSingle: 1, items.GaitDouble: 2, items.GaitRun: 4}[gait]
}

// refuseRide: the mount must be there and able to go, and a spell cast on the
// move must have been cast as such.
//
// celesia.mount.shared-initiative, celesia.mount.cast-while-moving
func refuseRide(s *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	m := s.Creatures[body.MountOf(c)]
	switch {
	case m == nil:
		return body.Refuse("NOT_MOUNTED", cite.MountSharedInitiative, "%s is not mounted", c.Name)
	case !strike.Able(m):
		return body.Refuse("UNABLE", cite.MountSharedInitiative, "%s cannot move", m.Name)
	case c.Counters[body.CRideLeft] < 1 && m.Counters[body.CActs] < 1:
		return body.Refuse("NO_ACTS", cite.MountOwnActs, "%s has no acts left", m.Name)
	case c.Marks[body.MRodeCast] == castThen:
		return body.Refuse("CAST", cite.MountCastWhileMoving, "%s has cast as if its mount moved no further", c.Name)
	case body.Has(m, body.CondProne):
		return body.Refuse("PRONE", cite.MovementStandUp, "%s is prone", m.Name)
	}
	return answers.Bound(m)
}

// stride is what a ride command asks of the mount: the acts to pay and how far
// it may go.
func stride(c, m *eventv1.Creature, take *eventv1.TakeAction) (gait string, acts, feet int32) {
	if left := int32(c.Counters[body.CRideLeft]); left > 0 {
		return c.Marks[body.MGait], 0, left
	}
	gait = spoken.Word(take.GetParameters(), "gait")
	if gait == "" {
		gait = items.GaitSingle
	}
	return gait, GaitActs(gait), GaitTimes(gait) * body.Speed(m, body.WayOf(m, take))
}

// checkRide judges the gait and the way. A rider who has used more than two acts
// cannot have the mount go farther than 5 feet.
//
// celesia.mount.moved-two-acts, celesia.movement.run
func checkRide(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	m := s.Creatures[body.MountOf(c)]
	if _, ok := m.GetSheet().GetSpeeds()[body.WayOf(m, take)]; !ok {
		return body.Refuse("NO_SPEED", cite.MountSharedInitiative, "%s cannot %s", m.GetName(), body.WayOf(m, take))
	}
	gait, acts, most := stride(c, m, take)
	feet, err := answers.PathLength(m, take)
	switch {
	case err != nil:
		return err
	case acts > int32(m.Counters[body.CActs]):
		return body.Refuse("NO_ACTS", cite.MountOwnActs, "that takes %d acts of %s, %d are left", acts, m.Name, m.Counters[body.CActs])
	case feet > most:
		return body.Refuse("TOO_FAR", cite.MountSharedInitiative, "the way is %d feet, %s goes %d", feet, m.Name, most)
	case gait == items.GaitRun && body.LostParts(m, "leg") > 0:
		return body.Refuse("LEG_INJURED", cite.InjuryLeg, "%s cannot run on an injured leg", m.Name)
	case gait == items.GaitRun && !movement.Straight(m.Position, take.Path):
		return body.Refuse("NOT_STRAIGHT", cite.MovementRun, "a run goes in a straight line")
	case c.Counters[body.CSpent] > 2 && int32(c.Counters[body.CRode])+feet > 5:
		return body.Refuse("ACTS_USED", cite.MountMovedTwoActs, "%s has taken more than two acts", c.Name)
	}
	if err := refuseRideOn(c, m, feet, body.WayOf(m, take)); err != nil {
		return err
	}
	if err := maneuvers.RefuseThrough(s, m, take, c.Id); err != nil {
		return err
	}
	return maneuvers.FreeEnd(s, m, take)
}

// doRide moves mount and rider; the mount's way provokes as any other.
//
// celesia.mount.shared-initiative, celesia.mount.own-acts, celesia.mount.moved-two-acts,
// celesia.injury.disabled-strain
func doRide(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	m := r.Creature(body.MountOf(c))
	gait, acts, most := stride(c, m, take)
	feet, _ := answers.PathLength(m, take) // judged by checkRide
	if acts > 0 {
		payMount(r, m.Id, acts)
		loseAim(r, m.Id, "the aim is lost")
		r.Mark(c.Id, body.MGait, heavier(c.Marks[body.MGait], gait), cite.MountRangedDoubleMove)
		onTheMove(r, m.Id, take)
	}
	if m = r.Creature(m.Id); halted(r.State(), m, c.Id) {
		r.Note(event.Everyone(), c.Id, "the ride is never begun", cite.ActionProvoke)
		return nil
	}
	r.Set(c.Id, body.CRideLeft, int64(most-feet), "ride", cite.MountRangedAtIncrements)
	r.Set(c.Id, body.CRode, r.Count(c.Id, body.CRode)+int64(feet), "ride", cite.MountMovedTwoActs)
	if gait == items.GaitRun && !body.Has(m, strike.CondRunning) {
		r.AddCondition(m.Id, &eventv1.Condition{Name: strike.CondRunning, Cause: "run", Until: checks.UntilStart(m.Id), Rule: cite.MovementRunLosesDexterity})
	}
	strained := body.Disabled(m)
	walk(r, m, take, "ride")
	if strained {
		strain(r, m.Id, acts)
	}
	return nil
}

// halted tells whether a mount cannot go on after the answers to its movement: it can no
// longer act, its rider sits on it no more, or it has fewer acts than were put in.
//
// celesia.action.provoke, celesia.injury.disabled-one-less-act
func halted(s *eventv1.State, m *eventv1.Creature, rider string) bool {
	return !strike.Able(m) || body.RiderOf(m) != rider || int32(m.Counters[body.CSpent]) > strike.Allowance(s, m)
}

// heavier is the gait of the turn: a second single move makes it a double one.
func heavier(was, now string) string {
	switch {
	case was == items.GaitRun || now == items.GaitRun:
		return items.GaitRun
	case was != "":
		return items.GaitDouble
	}
	return now
}

func payMount(r *rules.Resolution, id string, acts int32) {
	r.Set(id, body.CSpent, r.Count(id, body.CSpent)+int64(acts), "directed by its rider", cite.MountOwnActs)
	r.Set(id, body.CActs, r.Count(id, body.CActs)-int64(acts), "directed by its rider", cite.MountOwnActs)
}

// loseAim ends a run of aiming: the very next act is the shot, or it was for nothing.
//
// celesia.attack.steady-aim
func loseAim(r *rules.Resolution, id, why string) {
	r.Set(id, body.CAim, 0, why, cite.AttackSteadyAim)
}

// onTheMove lets those react whom a mount's movement provokes.
//
// celesia.action.provoke
func onTheMove(r *rules.Resolution, mount string, take *eventv1.TakeAction) {
	window(r, checks.Provocation{By: mount, Kind: "move", Provokes: true, Take: &eventv1.TakeAction{Creature: mount, Action: take.Action, Facts: take.Facts}})
}

// leastCharge is how far a charge goes, in feet, where nobody knows how far.
//
// celesia.movement.charge-conditions
const leastCharge = 10

// refuseRideCharge: as a charge of the mount, to where the rider can strike.
//
// celesia.mount.charge, celesia.movement.charge-conditions
func refuseRideCharge(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := refuseRide(s, c, take); err != nil {
		return err
	}
	m, w := s.Creatures[body.MountOf(c)], body.WeaponOf(c, take.Item)
	switch {
	case w == nil || body.Ranged(w):
		return body.Nameless("take.item", "melee weapon", c.GetName(), take.Item, checks.MeleeNames(s, c))
	case m.Counters[body.CActs] < 2 || c.Counters[body.CRideLeft] > 0:
		return body.Refuse("NO_ACTS", cite.MountOwnActs, "a charge takes 2 acts of %s", m.Name)
	case body.LostParts(m, "leg") > 0:
		return body.Refuse("LEG_INJURED", cite.InjuryLeg, "%s cannot charge on an injured leg", m.Name)
	case c.Counters[body.CSpent] > 2:
		return body.Refuse("ACTS_USED", cite.MountMovedTwoActs, "%s has taken more than two acts", c.Name)
	case spoken.Truth(take.GetFacts(), "difficult") || spoken.Truth(take.GetFacts(), "blocked"):
		return body.Refuse("NOT_CLEAR", cite.MovementChargeConditions, "the way is not clear")
	}
	if err := strike.RefuseWeapon(c, w, nil); err != nil {
		return err
	}
	t := s.Creatures[body.Target(take)]
	if t == nil {
		return nil
	}
	feet, known := body.Apart(take, m, t)
	_, far := body.Span(c, w)
	way := feet - far
	if !known {
		way = leastCharge
	}
	if err := refuseRideOn(c, m, way, body.WayOf(m, nil)); err != nil {
		return err
	}
	switch {
	case t.Id == m.Id:
		return body.Refuse("NO_TARGET", cite.MountCharge, "%s cannot be charged at", m.Name)
	case known && feet < 10:
		return body.Refuse("TOO_NEAR", cite.MovementChargeConditions, "%s is only %d feet away", t.Name, feet)
	case feet-far > 2*body.Pace(m):
		return body.Refuse("TOO_FAR", cite.MovementCharge, "%s is too far away", t.Name)
	case m.Position != nil && t.Position != nil:
		if _, clear := movement.Run(s, m, t, far); !clear {
			return body.Refuse("NOT_CLEAR", cite.MovementChargeConditions, "the way is not clear")
		}
	}
	return nil
}

// doRideCharge takes mount and rider to the foe: the rider has advantage on it,
// everybody has it on both.
//
// celesia.mount.charge
func doRideCharge(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	m, t := r.Creature(body.MountOf(c)), r.Creature(body.Target(take))
	payMount(r, m.Id, 2)
	loseAim(r, m.Id, "the aim is lost")
	r.Mark(c.Id, body.MGait, items.GaitDouble, cite.MountCharge)
	onTheMove(r, m.Id, take)
	if m = r.Creature(m.Id); halted(r.State(), m, c.Id) {
		r.Note(event.Everyone(), c.Id, "the charge is never begun", cite.ActionProvoke)
		return nil
	}
	for _, id := range []string{c.Id, m.Id} {
		r.AddCondition(id, &eventv1.Condition{Name: body.CondCharged, Cause: "charge", Until: checks.UntilStart(c.Id), Rule: cite.MountCharge})
	}
	r.AddCondition(c.Id, &eventv1.Condition{Name: body.CondCharging, Variant: mending.VariantMounted, Source: t.Id, Cause: "charge", Rule: cite.MountCharge,
		Until: &eventv1.Until{When: "end-of-turn", Creature: c.Id}})
	_, far := body.Span(c, body.WeaponOf(c, take.Item))
	feet, _ := spoken.Number(take.GetFacts(), "distance") // where nobody stands on a map
	feet = max(feet, leastCharge)
	if m.Position != nil && t.Position != nil {
		if at, clear := movement.Run(r.State(), m, t, far); clear {
			feet = grid.Steps(m.Position, at)
			r.Move(&eventv1.Moved{Creature: m.Id, To: at, Mode: "charge", Feet: feet}, cite.MountCharge)
			answers.Seat(r, c.Id, m.Id)
		}
	}
	r.Set(c.Id, body.CRode, r.Count(c.Id, body.CRode)+int64(feet), "charge", cite.MountMovedTwoActs)
	strained := body.Disabled(m)
	window(r, checks.Provocation{By: m.Id, Kind: "approach", Take: take})
	if strained {
		strain(r, m.Id, 2)
	}
	return nil
}

func mountWeapons(s *eventv1.State, c *eventv1.Creature) []string {
	m := s.Creatures[body.MountOf(c)]
	if m == nil {
		return []string{""}
	}
	return manners.WeaponNames(s, m)
}

// refuseMountAttack: the mount must have been told to fight and have an act for it.
//
// celesia.mount.own-acts
func refuseMountAttack(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	m := s.Creatures[body.MountOf(c)]
	switch {
	case m == nil:
		return body.Refuse("NOT_MOUNTED", cite.MountOwnActs, "%s is not mounted", c.Name)
	case !strike.Able(m):
		return body.Refuse("UNABLE", cite.MountOwnActs, "%s cannot act", m.Name)
	case !answers.MayFight(m):
		return body.Refuse("NOT_DIRECTED", cite.MountOwnActs, "%s was not told to fight", m.Name)
	case m.Counters[body.CActs] < 1:
		return body.Refuse("NO_ACTS", cite.MountOwnActs, "%s has no acts left", m.Name)
	case body.Target(take) == m.Id:
		return body.Refuse("NO_TARGET", cite.MountOwnActs, "%s does not attack itself", m.Name)
	}
	return strike.RefuseAttack(s, m, take)
}

// checkMountAttack judges how the mount attacks, by what it can do itself.
func checkMountAttack(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	m := s.Creatures[body.MountOf(c)]
	if body.WeaponOf(m, take.Item) == nil {
		return nil // refused for that
	}
	return manners.CheckAttack(s, m, take)
}

// doMountAttack has the mount strike as it would by itself: what it shoots provokes.
//
// celesia.mount.own-acts, celesia.turn.attack-of-opportunity
func doMountAttack(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	m := r.Creature(body.MountOf(c))
	w, strained := body.WeaponOf(m, take.Item), body.Disabled(m)
	payMount(r, m.Id, 1)
	manners.UseLimbs(r, m, w)
	own := &eventv1.TakeAction{Creature: m.Id, Item: w.Name, Targets: take.Targets, Parameters: take.Parameters, Facts: take.Facts, Circumstances: take.Circumstances}
	if provokes, only := strike.AttackProvokes(r.State(), m, own); provokes {
		window(r, checks.Provocation{By: m.Id, Take: own, Provokes: true, Only: only})
		if m = r.Creature(m.Id); halted(r.State(), m, c.Id) || strike.RefuseAttack(r.State(), m, own) != nil {
			loseAim(r, m.Id, "the aim is lost")
			r.Note(event.Everyone(), m.Id, "the attack is never begun", cite.ActionProvoke)
			return nil
		}
	}
	declare(r, m.Id, own)
	if makeAttack(r, body.Attack{By: m.Id, Target: body.Target(take), Weapon: w, Label: "mount/1", Take: own}) {
		cleave(r, m.Id, w, own, body.Target(take))
	}
	loseAim(r, m.Id, "the attack is made")
	if strained {
		strain(r, m.Id, 1)
	}
	return nil
}
