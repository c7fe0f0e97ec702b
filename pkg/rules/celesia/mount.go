package celesia

import (
	"slices"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Conditions of rider and mount, each with the other as its source.
const (
	// condRiding is on the rider; its value "space" is the side of the mount's
	// space in feet, which the rider shares.
	condRiding = "riding"
	condRidden = "ridden"
	// condUnruled is on a rider whose mount got out of hand, until the start of
	// its next turn.
	condUnruled = "fighting-the-mount"
	// condLeaderless is on a mount whose rider no longer guides it.
	condLeaderless = "leaderless"
)

// Marks and counters of riding.
const (
	// mRuled is the round in which the rider controlled a frightened mount.
	mRuled = "mount-controlled"
	// mKnees is the round in which the rider guided the mount with its knees, or
	// "no" and the round when it tried in vain.
	mKnees = "knees"
	// mGait is the gait of the turn: single, double or run.
	mGait = "gait"
	// mRodeCast is castThen once the rider has cast after the mount had moved, and
	// castFirst once it has cast before it moves.
	mRodeCast = "rode-cast"
	// mDirected is "fight" on a mount that its rider has told to fight.
	mDirected = "directed"
	// cRode is how far the mount has moved in the turn, in feet.
	cRode = "rode"
	// cRideLeft is how far the gait still carries it.
	cRideLeft = "ride-left"
)

// untrained marks the fear of mounts without combat training.
const untrained = "not trained for combat"

// riderOf and mountOf are the other half of a pair; empty without one.
func riderOf(c *eventv1.Creature) string { return condition(c, condRidden).GetSource() }
func mountOf(c *eventv1.Creature) string { return condition(c, condRiding).GetSource() }

// paired tells whether two creatures are rider and mount, who share a space.
//
// celesia.mount.horse-space
func paired(c, other *eventv1.Creature) bool {
	return other.GetId() != "" && (mountOf(c) == other.Id || riderOf(c) == other.Id)
}

// mountActions are getting on and off a mount and keeping it in hand.
func mountActions() []*action {
	return []*action{
		{id: "mount", title: "Mount", rule: cite.MountMountDismount, acts: 1, provoke: always, trigger: "other", targeted: true,
			refuse: refuseMount, do: doMountAsking},
		{id: "dismount", title: "Dismount", rule: cite.MountMountDismount, acts: 1, provoke: always, trigger: "other", unruled: true,
			refuse: refuseDismount, do: doDismount},
		{id: "quick-mount", title: "Mount at once", rule: cite.MountMountDismount, trigger: "other", targeted: true, before: rideQuickly,
			provoke: always, refuse: refuseMount, do: doMountAsking},
		{id: "quick-dismount", title: "Dismount at once", rule: cite.MountMountDismount, trigger: "other", unruled: true, before: rideQuickly,
			provoke: always, refuse: refuseDismount, do: doDismount},
		{id: "control-mount", title: "Control a frightened mount", rule: cite.MountControlCheck, acts: 1, trigger: "other", unruled: true,
			refuse: refuseControl, do: doControl},
		{id: "guide-with-knees", title: "Guide the mount with the knees", rule: cite.MountGuideWithKnees, refuse: refuseKnees, do: doKnees},
		{id: "direct-mount", title: "Tell the mount to fight", rule: cite.MountOwnActs, refuse: refuseDirect, do: doDirect},
	}
}

// refuseMount: a mount of one's own side, larger than the rider, beside it and
// without a rider.
//
// celesia.mount.mount-dismount
func refuseMount(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	const rule = cite.MountMountDismount
	switch {
	case mountOf(c) != "":
		return refuse("MOUNTED", rule, "%s is mounted", c.Name)
	case riderOf(c) != "":
		return refuse("RIDDEN", rule, "%s carries a rider", c.Name)
	case has(c, condProne):
		return refuse("PRONE", cite.MovementStandUp, "%s is prone", c.Name)
	}
	if err := bound(c); err != nil {
		return err
	}
	t := s.Creatures[target(take)]
	if t == nil {
		return nil
	}
	if feet, known := apart(take, c, t); known && feet > 5 {
		return outOfReach(rule, t, feet)
	}
	return refuseSaddle(c, t)
}

// refuseSaddle says why a creature cannot ride another.
//
// celesia.mount.mount-dismount
func refuseSaddle(c, t *eventv1.Creature) error {
	const rule = cite.MountMountDismount
	switch {
	case mountOf(c) != "" || riderOf(c) != "":
		return refuse("MOUNTED", rule, "%s is mounted or carries a rider", c.Name)
	case t.Side != c.Side:
		return refuse("NO_MOUNT", rule, "%s bears no rider of another side", t.Name)
	case sizeOf(t) <= sizeOf(c):
		return refuse("TOO_SMALL", rule, "%s is too small to be ridden", t.Name)
	case riderOf(t) != "" || mountOf(t) != "":
		return refuse("RIDDEN", rule, "%s carries a rider or is one", t.Name)
	case !able(t) || has(t, condProne) || has(t, condGrappled):
		return refuse("UNABLE", rule, "%s cannot bear a rider now", t.Name)
	}
	return nil
}

func refuseDismount(_ *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	if mountOf(c) == "" {
		return refuse("NOT_MOUNTED", cite.MountMountDismount, "%s is not mounted", c.Name)
	}
	return nil
}

// rideQuickly is the Ride check of mounting or dismounting for nothing: made, it
// does not provoke.
//
// celesia.mount.mount-dismount
func rideQuickly(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) bool {
	return rollSkillCheck(r, "ride", c, rollKind{name: "ride"}, 20, take.Action, nil, take.Circumstances, cite.MountMountDismount).Success()
}

// decBear is whether a creature bears a rider whom others play.
const decBear = "bear-rider"

// sameHand tells whether somebody plays both of two creatures, the game master
// those that nobody else does.
func sameHand(a, b *eventv1.Creature) bool {
	return len(a.Controllers) == 0 && len(b.Controllers) == 0 ||
		slices.ContainsFunc(a.Controllers, func(who string) bool { return slices.Contains(b.Controllers, who) })
}

// doMountAsking mounts; a mount that others play than the rider is asked first,
// since from then on it acts as its rider directs (a reading).
//
// celesia.mount.mount-dismount, celesia.mount.shared-initiative
func doMountAsking(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	m := r.Creature(target(take))
	if !sameHand(c, m) && r.Ask("mount", rules.YesNo(decBear, m.Id, c.Name+" mounts", "Bear "+c.Name+" as a rider?", "no", cite.MountMountDismount)).Option != "yes" {
		r.Note(event.Everyone(), m.Id, m.Name+" does not bear "+c.Name, cite.MountMountDismount)
		return nil
	}
	return doMount(r, c, take)
}

// doMount puts the rider on the mount, which from now on acts with it. A mount
// that has had its turn of the round has no acts left in it.
//
// celesia.mount.mount-dismount, celesia.mount.shared-initiative, celesia.mount.horse-space
func doMount(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	m := r.Creature(target(take))
	r.AddCondition(c.Id, &eventv1.Condition{Name: condRiding, Source: m.Id, Cause: "mounted", Values: map[string]int32{"space": footprint(m)},
		Rule: cite.MountHorseSpace})
	r.AddCondition(m.Id, &eventv1.Condition{Name: condRidden, Source: c.Id, Cause: "mounted", Rule: cite.MountSharedInitiative})
	lift(r, m.Id, condLeaderless, "it has a rider", cite.MountLeaderlessAvoids)
	seat(r, c.Id, m.Id)
	if slices.Contains(r.State().Active, c.Id) && m.Marks[mTurn] != itoa(r.State().Round) {
		mountTurn(r, c.Id)
	}
	frighten(r, m.Id)
	return nil
}

// enterMounted lets a creature come in on a mount that is there already
// (fact "mounted_on"), or bearing a rider who is (fact "ridden_by").
//
// celesia.mount.shared-initiative, celesia.mount.horse-space
func enterMounted(r *rules.Resolution, id string, facts *structpb.Struct) error {
	for _, pair := range [][2]string{{id, spoken.Word(facts, "mounted_on")}, {spoken.Word(facts, "ridden_by"), id}} {
		rider, mount := pair[0], pair[1]
		if rider == "" || mount == "" {
			continue
		}
		if err := refuseSaddle(r.Creature(rider), r.Creature(mount)); err != nil {
			return err
		}
		if err := doMount(r, r.Creature(rider), &eventv1.TakeAction{Creature: rider, Targets: []string{mount}}); err != nil {
			return err
		}
	}
	return nil
}

// seat puts a rider where its mount is.
//
// celesia.mount.horse-space
func seat(r *rules.Resolution, rider, mount string) {
	c, m := r.Creature(rider), r.Creature(mount)
	if m.Position == nil || c.Position != nil && grid.Steps(c.Position, m.Position) == 0 {
		return
	}
	feet := int32(0)
	if c.Position != nil {
		feet = grid.Steps(c.Position, m.Position)
	}
	r.Move(&eventv1.Moved{Creature: rider, To: m.Position, Mode: "ride", Feet: feet}, cite.MountHorseSpace)
}

// takeRider has the rider of a creature that has moved come along, if it has one.
//
// celesia.mount.horse-space
func takeRider(r *rules.Resolution, mount string) {
	if rider := riderOf(r.Creature(mount)); r.Creature(rider) != nil {
		seat(r, rider, mount)
	}
}

// placed keeps a pair together when the game master puts one of them elsewhere:
// the other goes along (a reading).
//
// celesia.mount.horse-space
func placed(r *rules.Resolution, id string) {
	takeRider(r, id)
	c, m := r.Creature(id), r.Creature(mountOf(r.Creature(id)))
	if m == nil || c.Position == nil || m.Position != nil && grid.Steps(c.Position, m.Position) == 0 {
		return
	}
	feet := int32(0)
	if m.Position != nil {
		feet = grid.Steps(m.Position, c.Position)
	}
	r.Move(&eventv1.Moved{Creature: m.Id, To: c.Position, Mode: "placed", Feet: feet}, cite.MountHorseSpace)
}

// frighten makes a mount without combat training afraid of the fight.
//
// celesia.mount.untrained-frightened
func frighten(r *rules.Resolution, id string) {
	c := r.Creature(id)
	afraid := riderOf(c) != "" && !sheetOf(c).CombatTrained && r.State().Status == eventv1.State_STATUS_STARTED
	keep(r, id, condFrightened, untrained, cite.MountUntrainedFrightened, afraid)
}

// settleMounts sees to mounts when a fight begins or somebody comes in.
//
// celesia.mount.untrained-frightened
func settleMounts(r *rules.Resolution) {
	for _, id := range rules.SortedKeys(r.State().Creatures) {
		if riderOf(r.Creature(id)) != "" {
			frighten(r, id)
		}
	}
}

func doDismount(r *rules.Resolution, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	unseat(r, c.Id, "dismounted", cite.MountMountDismount)
	return nil
}

// unseat parts rider and mount; the rider stands beside it when there is room.
func unseat(r *rules.Resolution, rider, cause, rule string) {
	mount := mountOf(r.Creature(rider))
	if mount == "" {
		return
	}
	lift(r, rider, condRiding, cause, rule)
	if down(r.Creature(rider)) {
		setProne(r, rider, cause, rule)
	}
	m := r.Creature(mount)
	if m == nil {
		return
	}
	lift(r, mount, condRidden, cause, rule)
	frighten(r, mount)
	r.Set(mount, cActs, 0, cause)
	r.Mark(mount, mDirected, "")
	c := r.Creature(rider)
	if feet, known := distance(m, c); !known || feet > 0 {
		return // no map, or moved off already
	}
	if at := beside(r.State(), m, c); at != nil {
		r.Move(&eventv1.Moved{Creature: rider, To: at, Mode: "dismount", Feet: grid.Steps(c.Position, at)}, rule)
	}
}

// unseatAll parts a creature that leaves the field from its rider or mount.
func unseatAll(r *rules.Resolution, id string) {
	if rider := riderOf(r.Creature(id)); rider != "" {
		unseat(r, rider, "gone", cite.MountMountDismount)
	}
	unseat(r, id, "gone", cite.MountMountDismount)
}

// unruly tells whether a rider's mount is frightened and not yet in hand this
// round.
//
// celesia.mount.control-check
func unruly(s *eventv1.State, c *eventv1.Creature) bool {
	m := s.GetCreatures()[mountOf(c)]
	return m != nil && has(m, condFrightened) && c.Marks[mRuled] != itoa(s.Round)
}

func refuseControl(s *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	if !unruly(s, c) {
		return refuse("IN_HAND", cite.MountControlCheck, "%s has no mount to bring to heel", c.Name)
	}
	return nil
}

// doControl is the Ride check of a round: made, two acts may follow; failed,
// nothing else is done until the next turn.
//
// celesia.mount.control-check, celesia.mount.control-frightened
func doControl(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if rollSkillCheck(r, "ride", c, rollKind{name: "ride"}, 20, "control the mount", nil, take.Circumstances, cite.MountControlCheck).Success() {
		r.Mark(c.Id, mRuled, itoa(r.State().Round), cite.MountControlCheck)
		return nil
	}
	r.AddCondition(c.Id, &eventv1.Condition{Name: condUnruled, Source: mountOf(c), Cause: "the mount is out of hand", Until: untilStart(c.Id),
		Rule: cite.MountControlCheck})
	return nil
}

// refuseUnruled says why a rider can do nothing but see to its mount.
//
// celesia.mount.control-check
func refuseUnruled(s *eventv1.State, c *eventv1.Creature, a *action) error {
	switch {
	case has(c, condUnruled):
		return refuse("OUT_OF_HAND", cite.MountControlCheck, "%s fights its mount until its next turn", c.Name)
	case unruly(s, c) && !a.unruled:
		return refuse("UNRULY", cite.MountControlCheck, "%s must first control its frightened mount or dismount", c.Name)
	}
	return nil
}

func refuseKnees(s *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	round := itoa(s.Round)
	switch {
	case mountOf(c) == "":
		return refuse("NOT_MOUNTED", cite.MountGuideWithKnees, "%s is not mounted", c.Name)
	case c.Marks[mKnees] == round || c.Marks[mKnees] == "no "+round:
		return refuse("TRIED", cite.MountGuideWithKnees, "%s has tried this round", c.Name)
	}
	return nil
}

// doKnees frees both hands for the round, or does not.
//
// celesia.mount.guide-with-knees
func doKnees(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	value := "no " + itoa(r.State().Round)
	if rollSkillCheck(r, "ride", c, rollKind{name: "ride"}, 5, "guide with the knees", nil, take.Circumstances, cite.MountGuideWithKnees).Success() {
		value = itoa(r.State().Round)
	}
	r.Mark(c.Id, mKnees, value, cite.MountGuideWithKnees)
	return nil
}

// refuseReins: one hand is on the reins unless the knees guide the mount.
//
// celesia.mount.guide-with-knees
func refuseReins(c *eventv1.Creature, w *eventv1.CelesiaWeapon) error {
	if mountOf(c) == "" || place(c, w) != placeBoth || guided(c) {
		return nil
	}
	return refuse("REINS", cite.MountGuideWithKnees, "one hand of %s holds the reins", c.Name)
}

// refuseBothHands: one hand is on the reins, so that not both of them fight.
//
// celesia.mount.guide-with-knees
func refuseBothHands(c *eventv1.Creature, limbs []string) error {
	if mountOf(c) == "" || guided(c) || !slices.Contains(limbs, "right-hand") || !slices.Contains(limbs, "left-hand") {
		return nil
	}
	return refuse("REINS", cite.MountGuideWithKnees, "one hand of %s holds the reins", c.Name)
}

// guided tells whether the knees guide the mount in the present turn of its
// rider, or did in the last one.
func guided(c *eventv1.Creature) bool {
	return c.Marks[mKnees] != "" && c.Marks[mKnees] == c.Marks[mTurn]
}

func refuseDirect(s *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	m := s.Creatures[mountOf(c)]
	switch {
	case m == nil:
		return refuse("NOT_MOUNTED", cite.MountOwnActs, "%s is not mounted", c.Name)
	case m.Marks[mDirected] != "":
		return refuse("ALREADY", cite.MountOwnActs, "%s is told to fight already", m.Name)
	}
	return nil
}

func doDirect(r *rules.Resolution, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	r.Mark(mountOf(c), mDirected, "fight", cite.MountOwnActs)
	return nil
}

// mayFight tells whether a mount makes attacks of its own accord: a ridden one
// when told to, one that lost its rider never.
//
// celesia.mount.own-acts, celesia.mount.leaderless-avoids
func mayFight(c *eventv1.Creature) bool {
	return !has(c, condLeaderless) && (riderOf(c) == "" || c.Marks[mDirected] != "")
}

// mountTurn gives the mount its acts with its rider's turn.
//
// celesia.mount.shared-initiative, celesia.mount.own-acts
func mountTurn(r *rules.Resolution, rider string) {
	mount := mountOf(r.Creature(rider))
	if m := r.Creature(mount); m == nil || dead(m) {
		return
	}
	r.Mark(mount, mTurn, itoa(r.State().Round))
	r.Mark(mount, mDirected, "")
	turnBegins(r, mount)
	if bodySuffers(r.Creature(mount)) {
		deed(r, "turn-start/"+mount, &eventv1.Harm{Deed: deedTurnStart, Target: mount, Cause: "the turn begins"})
	}
	r.Set(mount, cActs, int64(allowance(r.State(), r.Creature(mount))), "its rider's turn begins", cite.MountOwnActs)
}

// mountDone ends the mount's part of its rider's turn.
//
// celesia.mount.own-acts
func mountDone(r *rules.Resolution, rider string) {
	for _, n := range []string{cRode, cRideLeft} {
		r.Set(rider, n, 0, "the turn is over")
	}
	for _, m := range []string{mGait, mRodeCast} {
		r.Mark(rider, m, "")
	}
	mount := mountOf(r.Creature(rider))
	if r.Creature(mount) == nil {
		return
	}
	expire(r, mount, "end-of-turn")
	r.Set(mount, cActs, 0, "its rider's turn is over")
	if able(r.Creature(mount)) {
		r.Set(mount, cReactions, int64(reactionsOf(r.Creature(mount))), "the turn is completed", cite.MountOwnActs)
	}
}

// withRider tells whether a creature acts in its rider's turn.
//
// celesia.mount.shared-initiative
func withRider(s *eventv1.State, c *eventv1.Creature) bool {
	rider := s.Creatures[riderOf(c)]
	return rider != nil && !dead(rider) && slices.Contains(order(s), rider.Id)
}
