package celesia

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Gaits of a mount in a turn.
const (
	gaitSingle = "single"
	gaitDouble = "double"
	gaitRun    = "run"
)

// ridingActions have the mount move and strike; they take its acts, not the
// rider's.
func ridingActions() []*action {
	return []*action{
		{id: "ride", title: "Ride", rule: cite.MountSharedInitiative, trigger: "move", refuse: refuseRide, check: checkRide,
			parameters: rideParameters, do: doRide},
		{id: "ride-charge", title: "Charge on the mount", rule: cite.MountCharge, trigger: "move", targeted: true, items: meleeNames,
			refuse: refuseRideCharge, do: doRideCharge},
		{id: "mount-attack", title: "Have the mount attack", rule: cite.MountOwnActs, trigger: "attack", targeted: true,
			items: mountWeapons, refuse: refuseMountAttack, check: checkMountAttack, parameters: attackParameters, do: doMountAttack},
	}
}

func rideParameters(s *eventv1.State, c *eventv1.Creature) []*eventv1.Parameter {
	var speeds map[string]int32
	if m := s.Creatures[mountOf(c)]; m != nil {
		speeds = m.GetSheet().GetSpeeds()
	}
	return append(pathParameter(nil, nil), choice("gait", "how far the mount goes this turn: its speed, twice or four times it", false, gaitSingle, gaitDouble, gaitRun),
		choice("mode", "how", false, rules.SortedKeys(speeds)...))
}

// gaitActs and gaitTimes are the acts of the mount that a gait takes and how
// many times its speed it covers.
func gaitActs(gait string) int32 {
	return map[string]int32{gaitSingle: 1, gaitDouble: 2, gaitRun: 3}[gait]
}

func gaitTimes(gait string) int32 {
	return map[string]int32{gaitSingle: 1, gaitDouble: 2, gaitRun: 4}[gait]
}

// refuseRide: the mount must be there and able to go, and a spell cast on the
// move must have been cast as such.
//
// celesia.mount.shared-initiative, celesia.mount.cast-while-moving
func refuseRide(s *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	m := s.Creatures[mountOf(c)]
	switch {
	case m == nil:
		return refuse("NOT_MOUNTED", cite.MountSharedInitiative, "%s is not mounted", c.Name)
	case !able(m):
		return refuse("UNABLE", cite.MountSharedInitiative, "%s cannot move", m.Name)
	case c.Counters[cRideLeft] < 1 && m.Counters[cActs] < 1:
		return refuse("NO_ACTS", cite.MountOwnActs, "%s has no acts left", m.Name)
	case c.Marks[mRodeCast] == castThen:
		return refuse("CAST", cite.MountCastWhileMoving, "%s has cast as if its mount moved no further", c.Name)
	case has(m, condProne):
		return refuse("PRONE", cite.MovementStandUp, "%s is prone", m.Name)
	}
	return bound(m)
}

// stride is what a ride command asks of the mount: the acts to pay and how far
// it may go.
func stride(c, m *eventv1.Creature, take *eventv1.TakeAction) (gait string, acts, feet int32) {
	if left := int32(c.Counters[cRideLeft]); left > 0 {
		return c.Marks[mGait], 0, left
	}
	gait = spoken.Word(take.GetParameters(), "gait")
	if gait == "" {
		gait = gaitSingle
	}
	return gait, gaitActs(gait), gaitTimes(gait) * speed(m, wayOf(m, take))
}

// checkRide judges the gait and the way. A rider who has used more than two acts
// cannot have the mount go farther than 5 feet.
//
// celesia.mount.moved-two-acts, celesia.movement.run
func checkRide(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	m := s.Creatures[mountOf(c)]
	if _, ok := m.GetSheet().GetSpeeds()[wayOf(m, take)]; !ok {
		return refuse("NO_SPEED", cite.MountSharedInitiative, "%s cannot %s", m.GetName(), wayOf(m, take))
	}
	gait, acts, most := stride(c, m, take)
	feet, err := pathLength(m, take)
	switch {
	case err != nil:
		return err
	case acts > int32(m.Counters[cActs]):
		return refuse("NO_ACTS", cite.MountOwnActs, "that takes %d acts of %s, %d are left", acts, m.Name, m.Counters[cActs])
	case feet > most:
		return refuse("TOO_FAR", cite.MountSharedInitiative, "the way is %d feet, %s goes %d", feet, m.Name, most)
	case gait == gaitRun && lostParts(m, "leg") > 0:
		return refuse("LEG_INJURED", cite.InjuryLeg, "%s cannot run on an injured leg", m.Name)
	case gait == gaitRun && !straight(m.Position, take.Path):
		return refuse("NOT_STRAIGHT", cite.MovementRun, "a run goes in a straight line")
	case c.Counters[cSpent] > 2 && int32(c.Counters[cRode])+feet > 5:
		return refuse("ACTS_USED", cite.MountMovedTwoActs, "%s has taken more than two acts", c.Name)
	}
	if err := refuseRideOn(c, m, feet, wayOf(m, take)); err != nil {
		return err
	}
	return freeEnd(s, m, take)
}

// doRide moves mount and rider; the mount's way provokes as any other.
//
// celesia.mount.shared-initiative, celesia.mount.own-acts, celesia.mount.moved-two-acts,
// celesia.injury.disabled-strain
func doRide(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	m := r.Creature(mountOf(c))
	gait, acts, most := stride(c, m, take)
	feet, _ := pathLength(m, take) // judged by checkRide
	if acts > 0 {
		payMount(r, m.Id, acts)
		r.Mark(c.Id, mGait, heavier(c.Marks[mGait], gait, r.Creature(m.Id)), cite.MountRangedDoubleMove)
		onTheMove(r, m.Id, take)
	}
	if m = r.Creature(m.Id); !able(m) || mountOf(r.Creature(c.Id)) != m.Id {
		r.Note(event.Everyone(), c.Id, "the ride is never begun", cite.ActionProvoke)
		return nil
	}
	r.Set(c.Id, cRideLeft, int64(most-feet), "ride", cite.MountRangedAtIncrements)
	r.Set(c.Id, cRode, r.Count(c.Id, cRode)+int64(feet), "ride", cite.MountMovedTwoActs)
	if gait == gaitRun && !has(m, condRunning) {
		r.AddCondition(m.Id, &eventv1.Condition{Name: condRunning, Cause: "run", Until: untilStart(m.Id), Rule: cite.MovementRunLosesDexterity})
	}
	strained := disabled(m)
	walk(r, m, take, "ride")
	seat(r, c.Id, m.Id)
	if strained {
		strain(r, m.Id, acts)
	}
	return nil
}

// heavier is the gait of the turn: a second single move makes it a double one.
func heavier(was, now string, m *eventv1.Creature) string {
	switch {
	case was == gaitRun || now == gaitRun:
		return gaitRun
	case was != "" || now == gaitDouble || m == nil:
		return gaitDouble
	}
	return now
}

func payMount(r *rules.Resolution, id string, acts int32) {
	r.Set(id, cSpent, r.Count(id, cSpent)+int64(acts), "directed by its rider", cite.MountOwnActs)
	r.Set(id, cActs, r.Count(id, cActs)-int64(acts), "directed by its rider", cite.MountOwnActs)
}

// onTheMove lets those react whom a mount's movement provokes.
//
// celesia.action.provoke
func onTheMove(r *rules.Resolution, mount string, take *eventv1.TakeAction) {
	window(r, provocation{by: mount, kind: "move", provokes: true, take: &eventv1.TakeAction{Creature: mount, Action: take.Action, Facts: take.Facts}})
}

// refuseRideCharge: as a charge of the mount, to where the rider can strike.
//
// celesia.mount.charge, celesia.movement.charge-conditions
func refuseRideCharge(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := refuseRide(s, c, take); err != nil {
		return err
	}
	m, w := s.Creatures[mountOf(c)], weaponOf(c, take.Item)
	switch {
	case w == nil || ranged(w):
		return nameless("take.item", "melee weapon", c.GetName(), take.Item, meleeNames(s, c))
	case m.Counters[cActs] < 2 || c.Counters[cRideLeft] > 0:
		return refuse("NO_ACTS", cite.MountOwnActs, "a charge takes 2 acts of %s", m.Name)
	case lostParts(m, "leg") > 0:
		return refuse("LEG_INJURED", cite.InjuryLeg, "%s cannot charge on an injured leg", m.Name)
	case c.Counters[cSpent] > 2:
		return refuse("ACTS_USED", cite.MountMovedTwoActs, "%s has taken more than two acts", c.Name)
	case spoken.Truth(take.GetFacts(), "difficult") || spoken.Truth(take.GetFacts(), "blocked"):
		return refuse("NOT_CLEAR", cite.MovementChargeConditions, "the way is not clear")
	}
	if err := refuseWeapon(c, w, nil); err != nil {
		return err
	}
	t := s.Creatures[target(take)]
	if t == nil {
		return nil
	}
	feet, known := apart(take, m, t)
	_, far := span(c, w)
	if err := refuseRideOn(c, m, feet-far, "walk"); known && err != nil {
		return err
	}
	switch {
	case t.Id == m.Id:
		return refuse("NO_TARGET", cite.MountCharge, "%s cannot be charged at", m.Name)
	case known && feet < 10:
		return refuse("TOO_NEAR", cite.MovementChargeConditions, "%s is only %d feet away", t.Name, feet)
	case known && feet-far > 2*speed(m, "walk"):
		return refuse("TOO_FAR", cite.MovementCharge, "%s is too far away", t.Name)
	case m.Position != nil && t.Position != nil:
		if _, clear := run(s, m, t, far); !clear {
			return refuse("NOT_CLEAR", cite.MovementChargeConditions, "the way is not clear")
		}
	}
	return nil
}

// doRideCharge takes mount and rider to the foe: the rider has advantage on it,
// everybody has it on both.
//
// celesia.mount.charge
func doRideCharge(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	m, t := r.Creature(mountOf(c)), r.Creature(target(take))
	payMount(r, m.Id, 2)
	r.Mark(c.Id, mGait, gaitDouble, cite.MountCharge)
	onTheMove(r, m.Id, take)
	if m = r.Creature(m.Id); !able(m) || mountOf(r.Creature(c.Id)) != m.Id {
		r.Note(event.Everyone(), c.Id, "the charge is never begun", cite.ActionProvoke)
		return nil
	}
	for _, id := range []string{c.Id, m.Id} {
		r.AddCondition(id, &eventv1.Condition{Name: condCharged, Cause: "charge", Until: untilStart(c.Id), Rule: cite.MountCharge})
	}
	r.AddCondition(c.Id, &eventv1.Condition{Name: condCharging, Variant: condRiding, Source: t.Id, Cause: "charge", Rule: cite.MountCharge,
		Until: &eventv1.Until{When: "end-of-turn", Creature: c.Id}})
	_, far := span(c, weaponOf(c, take.Item))
	feet, _ := spoken.Number(take.GetFacts(), "distance")
	if m.Position != nil && t.Position != nil {
		if at, clear := run(r.State(), m, t, far); clear {
			feet = grid.Steps(m.Position, at)
			r.Move(&eventv1.Moved{Creature: m.Id, To: at, Mode: "charge", Feet: feet}, cite.MountCharge)
			seat(r, c.Id, m.Id)
		}
	}
	r.Set(c.Id, cRode, r.Count(c.Id, cRode)+int64(max(feet, 10)), "charge", cite.MountMovedTwoActs)
	strained := disabled(m)
	window(r, provocation{by: m.Id, kind: "approach", take: take})
	if strained {
		strain(r, m.Id, 2)
	}
	return nil
}

// lanceCharge tells whether an attack is that of a lance at the end of a mounted
// charge, which deals double damage.
//
// celesia.mount.lance-charge
func lanceCharge(c *eventv1.Creature, a attack) bool {
	x := condition(c, condCharging)
	return a.weapon.Lance && x.GetVariant() == condRiding && x.GetSource() == a.target
}

func mountWeapons(s *eventv1.State, c *eventv1.Creature) []string {
	m := s.Creatures[mountOf(c)]
	if m == nil {
		return []string{""}
	}
	return weaponNames(s, m)
}

// refuseMountAttack: the mount must have been told to fight and have an act for it.
//
// celesia.mount.own-acts
func refuseMountAttack(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	m := s.Creatures[mountOf(c)]
	switch {
	case m == nil:
		return refuse("NOT_MOUNTED", cite.MountOwnActs, "%s is not mounted", c.Name)
	case !able(m):
		return refuse("UNABLE", cite.MountOwnActs, "%s cannot act", m.Name)
	case !mayFight(m):
		return refuse("NOT_DIRECTED", cite.MountOwnActs, "%s was not told to fight", m.Name)
	case m.Counters[cActs] < 1:
		return refuse("NO_ACTS", cite.MountOwnActs, "%s has no acts left", m.Name)
	case target(take) == m.Id:
		return refuse("NO_TARGET", cite.MountOwnActs, "%s does not attack itself", m.Name)
	}
	return refuseAttack(s, m, take)
}

// checkMountAttack judges how the mount attacks, by what it can do itself.
func checkMountAttack(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	m := s.Creatures[mountOf(c)]
	if weaponOf(m, take.Item) == nil {
		return nil // refused for that
	}
	return checkAttack(s, m, take)
}

func doMountAttack(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	m := r.Creature(mountOf(c))
	w, strained := weaponOf(m, take.Item), disabled(m)
	payMount(r, m.Id, 1)
	useLimbs(r, m, w)
	own := &eventv1.TakeAction{Creature: m.Id, Item: w.Name, Targets: take.Targets, Parameters: take.Parameters, Facts: take.Facts, Circumstances: take.Circumstances}
	declare(r, m.Id, own)
	if makeAttack(r, attack{by: m.Id, target: target(take), weapon: w, label: "mount/1", take: own}) {
		cleave(r, m.Id, w, own, target(take))
	}
	if strained {
		strain(r, m.Id, 1)
	}
	return nil
}
