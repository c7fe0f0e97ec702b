package saddle

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/magic"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
	"github.com/skaldrpg/skald/pkg/rules/celesia/mending"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/types/known/structpb"
)

// MountActions are getting on and off a mount and keeping it in hand.
func MountActions() []*strike.Action {
	return []*strike.Action{
		{Action: play.Action{ID: "mount", Title: "Mount", Rule: cite.MountMountDismount, Group: play.GroupMount, Trigger: "other", Costs: body.Acts(1), Least: 1, Most: 1,
			Refuse:       body.Bars(refuseMount),
			Candidates:   checks.Those(func(c, t *eventv1.Creature) bool { return t.Side == c.Side && body.SizeOf(t) > body.SizeOf(c) }),
			RefuseTarget: answers.Aimed(refuseMount), Do: body.Done(doMountAsking)}, Provoke: checks.Always},
		{Action: play.Action{ID: "dismount", Title: "Dismount", Rule: cite.MountMountDismount, Group: play.GroupMount, Trigger: "other", Costs: body.Acts(1), Traits: checks.Unruled,
			Refuse: body.Bars(refuseDismount), Do: body.Done(doDismount)}, Provoke: checks.Always},
		{Action: play.Action{ID: "quick-mount", Title: "Mount at once", Rule: cite.MountMountDismount, Group: play.GroupMount, Trigger: "other", Least: 1, Most: 1,
			Refuse:       body.Bars(refuseMount),
			Candidates:   checks.Those(func(c, t *eventv1.Creature) bool { return t.Side == c.Side && body.SizeOf(t) > body.SizeOf(c) }),
			RefuseTarget: answers.Aimed(refuseMount), Do: body.Done(doMountAsking)}, Provoke: checks.Always, Before: rideQuickly},
		{Action: play.Action{ID: "quick-dismount", Title: "Dismount at once", Rule: cite.MountMountDismount, Group: play.GroupMount, Trigger: "other", Traits: checks.Unruled,
			Refuse: body.Bars(refuseDismount), Do: body.Done(doDismount)}, Provoke: checks.Always, Before: rideQuickly},
		{Action: play.Action{ID: "control-mount", Title: "Control a frightened mount", Rule: cite.MountControlCheck, Group: play.GroupMount, Trigger: "other",
			Costs: body.Acts(1), Traits: checks.Unruled, Refuse: body.Bars(refuseControl), Do: body.Done(doControl)}},
		{Action: play.Action{ID: "guide-with-knees", Title: "Guide the mount with the knees", Rule: cite.MountGuideWithKnees, Group: play.GroupMount,
			Refuse: body.Bars(refuseKnees), Do: body.Done(doKnees)}},
		{Action: play.Action{ID: "direct-mount", Title: "Tell the mount to fight", Rule: cite.MountOwnActs, Group: play.GroupMount, Refuse: body.Bars(refuseDirect),
			Do: body.Done(doDirect)}},
	}
}

// refuseMount: a mount of one's own side, larger than the rider, beside it and
// without a rider.
//
// celesia.mount.mount-dismount
func refuseMount(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	const rule = cite.MountMountDismount
	switch {
	case body.MountOf(c) != "":
		return body.Refuse("MOUNTED", rule, "%s is mounted", c.Name)
	case body.RiderOf(c) != "":
		return body.Refuse("RIDDEN", rule, "%s carries a rider", c.Name)
	case body.Has(c, body.CondProne):
		return body.Refuse("PRONE", cite.MovementStandUp, "%s is prone", c.Name)
	}
	if err := answers.Bound(c); err != nil {
		return err
	}
	t := s.Creatures[body.Target(take)]
	if t == nil {
		return nil
	}
	if feet, _ := body.Apart(take, c, t); feet > 5 {
		return body.OutOfReach(rule, t, feet)
	}
	return refuseSaddle(c, t)
}

// refuseSaddle says why a creature cannot ride another.
//
// celesia.mount.mount-dismount
func refuseSaddle(c, t *eventv1.Creature) error {
	const rule = cite.MountMountDismount
	switch {
	case body.MountOf(c) != "" || body.RiderOf(c) != "":
		return body.Refuse("MOUNTED", rule, "%s is mounted or carries a rider", c.Name)
	case t.Side != c.Side:
		return body.Refuse("NO_MOUNT", rule, "%s bears no rider of another side", t.Name)
	case body.SizeOf(t) <= body.SizeOf(c):
		return body.Refuse("TOO_SMALL", rule, "%s is too small to be ridden", t.Name)
	case body.RiderOf(t) != "" || body.MountOf(t) != "":
		return body.Refuse("RIDDEN", rule, "%s carries a rider or is one", t.Name)
	case !strike.Able(t) || body.Has(t, body.CondProne) || body.Has(t, body.CondGrappled):
		return body.Refuse("UNABLE", rule, "%s cannot bear a rider now", t.Name)
	}
	return nil
}

func refuseDismount(_ *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	if body.MountOf(c) == "" {
		return body.Refuse("NOT_MOUNTED", cite.MountMountDismount, "%s is not mounted", c.Name)
	}
	return nil
}

// rideQuickly is the Ride check of mounting or dismounting for nothing: made, it
// does not provoke.
//
// celesia.mount.mount-dismount
func rideQuickly(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) bool {
	return strike.RollSkillCheck(r, "ride", c, body.RollKind{Name: "ride"}, 20, take.Action, nil, take.Circumstances, cite.MountMountDismount).Success()
}

// DecBear is whether a creature bears a rider whom others play.
const DecBear = "bear-rider"

// doMountAsking mounts; a mount that others play than the rider is asked first,
// since from then on it acts as its rider directs (a reading).
//
// celesia.mount.mount-dismount, celesia.mount.shared-initiative
func doMountAsking(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	m := r.Creature(body.Target(take))
	if !magic.SameHand(c, m) && r.Ask("mount", rules.YesNo(DecBear, m.Id, c.Name+" mounts", "Bear "+c.Name+" as a rider?", "no", cite.MountMountDismount)).Option != "yes" {
		r.Note(event.Everyone(), m.Id, m.Name+" does not bear "+c.Name, cite.MountMountDismount)
		return nil
	}
	return doMount(r, c, take)
}

// doMount puts the rider on the mount, which from now on acts with it. A mount
// that has had its turn of the round has no acts left in it; one that delays takes its turn
// with the rider's.
//
// celesia.mount.mount-dismount, celesia.mount.shared-initiative, celesia.mount.horse-space
func doMount(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	m := r.Creature(body.Target(take))
	r.Relate(c.Id, &eventv1.Relation{Kind: body.RelRides, To: m.Id, Values: map[string]int32{"space": body.Footprint(m)}, Rule: cite.MountHorseSpace}, cite.MountHorseSpace)
	r.Relate(m.Id, &eventv1.Relation{Kind: body.RelCarries, To: c.Id, Rule: cite.MountSharedInitiative}, cite.MountSharedInitiative)
	body.Lift(r, m.Id, manners.CondLeaderless, "it has a rider", cite.MountLeaderlessAvoids)
	answers.Seat(r, c.Id, m.Id)
	delayed := r.EndBegun(m.Id, body.BegunDelayed, "with its rider", cite.MountSharedInitiative) != nil
	if slices.Contains(r.State().Active, c.Id) {
		if HadTurn(r.State(), m) && !delayed {
			r.Flag(m.Id, body.MHadTurn, true, cite.MountSharedInitiative)
		} else {
			MountTurn(r, c.Id)
		}
	}
	answers.Frighten(r, m.Id)
	return nil
}

// EnterMounted lets a creature come in on a mount that is there already
// (fact "mounted_on"), or bearing a rider who is (fact "ridden_by").
//
// celesia.mount.shared-initiative, celesia.mount.horse-space
func EnterMounted(r *rules.Resolution, id string, facts *structpb.Struct) error {
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

// Placed keeps a pair together when the game master puts one of them elsewhere:
// the other goes along (a reading).
//
// celesia.mount.horse-space
func Placed(r *rules.Resolution, id string) {
	answers.TakeRider(r, id)
	c, m := r.Creature(id), r.Creature(body.MountOf(r.Creature(id)))
	if m == nil || c.Position == nil || m.Position != nil && grid.Steps(c.Position, m.Position) == 0 {
		return
	}
	feet := int32(0)
	if m.Position != nil {
		feet = grid.Steps(m.Position, c.Position)
	}
	r.Move(&eventv1.Moved{Creature: m.Id, To: c.Position, Mode: "placed", Feet: feet}, cite.MountHorseSpace)
}

// SettleMounts sees to mounts when a fight begins or somebody comes in.
//
// celesia.mount.untrained-frightened
func SettleMounts(r *rules.Resolution) {
	for _, id := range r.CreatureIDs() {
		if body.RiderOf(r.Creature(id)) != "" {
			answers.Frighten(r, id)
		}
	}
}

func doDismount(r *rules.Resolution, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	answers.Unseat(r, c.Id, "dismounted", cite.MountMountDismount)
	return nil
}

// UnseatAll parts a creature that leaves the field from its rider or mount.
func UnseatAll(r *rules.Resolution, id string) {
	if rider := body.RiderOf(r.Creature(id)); rider != "" {
		answers.Unseat(r, rider, "gone", cite.MountMountDismount)
	}
	answers.Unseat(r, id, "gone", cite.MountMountDismount)
}

func refuseControl(s *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	if !answers.Unruly(s, c) {
		return body.Refuse("IN_HAND", cite.MountControlCheck, "%s has no mount to bring to heel", c.Name)
	}
	return nil
}

// doControl is the Ride check of a round: made, two acts may follow; failed,
// nothing else is done until the next turn.
//
// celesia.mount.control-check, celesia.mount.control-frightened
func doControl(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if strike.RollSkillCheck(r, "ride", c, body.RollKind{Name: "ride"}, 20, "control the mount", nil, take.Circumstances, cite.MountControlCheck).Success() {
		r.Flag(c.Id, body.MRuled, true, cite.MountControlCheck)
		return nil
	}
	r.AddCondition(c.Id, &eventv1.Condition{Name: manners.CondUnruled, Source: body.MountOf(c), Cause: "the mount is out of hand", Until: checks.UntilStart(c.Id),
		Rule: cite.MountControlCheck})
	return nil
}

func refuseKnees(_ *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	switch {
	case body.MountOf(c) == "":
		return body.Refuse("NOT_MOUNTED", cite.MountGuideWithKnees, "%s is not mounted", c.Name)
	case body.Has(c, manners.CondKnees):
		return body.Refuse("TRIED", cite.MountGuideWithKnees, "%s has tried this round", c.Name)
	}
	return nil
}

// doKnees frees both hands for the round, or does not.
//
// celesia.mount.guide-with-knees
func doKnees(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	variant := manners.KneesFailed
	if strike.RollSkillCheck(r, "ride", c, body.RollKind{Name: "ride"}, 5, "guide with the knees", nil, take.Circumstances, cite.MountGuideWithKnees).Success() {
		variant = ""
	}
	r.AddCondition(c.Id, &eventv1.Condition{Name: manners.CondKnees, Variant: variant, Cause: "guiding with the knees", Until: checks.UntilStart(c.Id), Rule: cite.MountGuideWithKnees})
	return nil
}

func refuseDirect(s *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	m := s.Creatures[body.MountOf(c)]
	switch {
	case m == nil:
		return body.Refuse("NOT_MOUNTED", cite.MountOwnActs, "%s is not mounted", c.Name)
	case m.Marks[body.MDirected] != "":
		return body.Refuse("ALREADY", cite.MountOwnActs, "%s is told to fight already", m.Name)
	}
	return nil
}

func doDirect(r *rules.Resolution, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	r.Flag(body.MountOf(c), body.MDirected, true, cite.MountOwnActs)
	return nil
}

// MountTurn gives the mount its acts with its rider's turn.
//
// celesia.mount.shared-initiative, celesia.mount.own-acts
func MountTurn(r *rules.Resolution, rider string) {
	mount := body.MountOf(r.Creature(rider))
	if body.Dead(r.Creature(mount)) {
		return
	}
	answers.TookTurn(r, mount)
	r.Mark(mount, body.MDirected, "")
	TurnBegins(r, mount)
	if mending.BodySuffers(r.Creature(mount)) {
		Deed(r, "turn-start/"+mount, &eventv1.Harm{Deed: body.DeedTurnStart, Target: mount, Cause: "the turn begins"})
	}
	HouseTurn(r, mount)
	Own(r, "turn", mount, effects.TriggerTurnStart)
	acts, rule := strike.Allowed(r.State(), r.Creature(mount))
	behind := []string{cite.MountOwnActs}
	if rule != cite.TurnThreeActs {
		behind = append(behind, rule)
	}
	r.Set(mount, body.CActs, int64(acts), "its rider's turn begins", behind...)
}

// MountActs brings the acts of a mount in its rider's turn in line with what it may have
// now, as those of its rider: what was hurt has fewer, what was healed has them back.
//
// celesia.mount.own-acts, celesia.injury.disabled-one-less-act, celesia.healing.above-zero-restores,
// celesia.condition.staggered-by-nonlethal
func MountActs(r *rules.Resolution, rider string) {
	m := r.Creature(body.MountOf(r.Creature(rider)))
	if m == nil || m.Marks[body.MHadTurn] != "" {
		return
	}
	acts, rule := strike.Allowed(r.State(), m)
	r.Set(m.Id, body.CActs, max(0, int64(acts)-m.Counters[body.CSpent]), "acts of its rider's turn", cite.MountOwnActs, rule)
}

// MountDone ends the mount's part of its rider's turn.
//
// celesia.mount.own-acts
func MountDone(r *rules.Resolution, rider string) {
	for _, n := range []string{body.CRode, body.CRideLeft} {
		r.Set(rider, n, 0, "the turn is over")
	}
	for _, m := range []string{body.MGait, body.MRodeCast} {
		r.Mark(rider, m, "")
	}
	mount := body.MountOf(r.Creature(rider))
	if r.Creature(mount) == nil {
		return
	}
	Own(r, "turn", mount, effects.TriggerTurnEnd)
	Shake(r, mount)
	Expire(r, mount, "end-of-turn")
	r.Set(mount, body.CActs, 0, "its rider's turn is over")
	if strike.Able(r.Creature(mount)) {
		GainReactions(r, mount, "the turn is completed", cite.MountOwnActs)
	}
}

// WithRider tells whether a creature acts in its rider's turn.
//
// celesia.mount.shared-initiative
func WithRider(s *eventv1.State, c *eventv1.Creature) bool {
	return slices.Contains(answers.Order(s), body.RiderOf(c))
}
