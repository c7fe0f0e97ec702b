package mounts

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/movement"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func refuseClimb(s *eventv1.State, c *eventv1.Creature) error {
	if s.Status != eventv1.State_STATUS_STARTED {
		return nil
	}
	if err := answers.RefuseSpeed(s, c); err != nil {
		return err
	}
	if cost := climbCost(s, c); c.Counters[body.CMovement] < int64(cost) {
		return body.Refuse("NO_MOVEMENT", cite.MountMountingCost, "it takes %d feet of movement, %s has %d left", cost, c.Name, c.Counters[body.CMovement])
	}
	return nil
}

func refuseMount(at *play.At) error {
	if body.Seat(at.Actor) != nil {
		return body.Refuse("MOUNTED", cite.MountRider, "%s is on a mount", at.Actor.Name)
	}
	if len(body.RidersOf(at.State, at.Actor.Id)) > 0 {
		return body.Refuse("RIDDEN", cite.MountRider, "somebody is on %s", at.Actor.Name)
	}
	switch {
	case body.Has(at.Actor, body.CondProne):
		return body.Refuse("PRONE", cite.ConditionProneCrawl, "%s is prone: stand up first", at.Actor.Name)
	case plummets(at.Actor):
		return body.Refuse("FALLING", cite.MountFlightCatch, "%s falls: it can only seize a mount", at.Actor.Name)
	}
	return refuseClimb(at.State, at.Actor)
}

// refuseBearer says why a creature bears nobody, or not the one who would ride it: it
// is no size larger, or not willing. An ally is willing unless stated, an enemy is not.
//
// rcr.mount.eligibility
func refuseBearer(at *play.At, t *eventv1.Creature) error {
	const rule = cite.MountEligibility
	willing := !body.Hostile(at.Actor, t)
	if _, said := at.Take.GetFacts().GetFields()["willing"]; said {
		willing = spoken.Truth(at.Take.Facts, "willing")
	}
	switch {
	case body.Dead(t) || body.Down(t):
		return body.Refuse("NO_MOUNT", rule, "%s is no mount now", t.GetName())
	case body.Seat(t) != nil:
		return body.Refuse("NO_MOUNT", rule, "%s is on a mount itself", t.Name)
	case movement.SizesApart(t, at.Actor) < 1:
		return body.Refuse("TOO_SMALL", rule, "%s is not a size larger than %s", t.Name, at.Actor.Name)
	case !willing:
		return body.Refuse("UNWILLING", rule, "%s is not willing", t.Name)
	}
	return nil
}

// refuseMountOf says why a creature cannot be got on: it does not bear the one who
// would ride it, falls, or is not within 5 feet.
//
// rcr.mount.eligibility, rcr.mount.mounting-cost
func refuseMountOf(at *play.At, t *eventv1.Creature) error {
	if err := refuseBearer(at, t); err != nil {
		return err
	}
	switch {
	case body.Has(t, body.CondProne):
		return body.Refuse("PRONE", cite.MountMountProne, "%s lies", t.Name)
	case plummets(t): // one that fell off it has a check for that: rcr.mount.flight-catch-both-falling
		return body.Refuse("FALLING", cite.MountMountingCost, "%s falls", t.Name)
	case checks.FeetTo(at.Actor, t, at.Take) > 5:
		return body.Refuse("OUT_OF_REACH", cite.MountMountingCost, "%s is not within 5 feet", t.Name)
	}
	return nil
}

func mountFields(at *play.At) []play.Field { return []play.Field{{Name: "as"}, {Name: "path"}} }

// checkMount holds the place on a platform: within the space of the mount.
//
// rcr.mount.rider-square
func checkMount(at *play.At) error {
	if len(at.Take.Path) == 0 {
		return nil
	}
	m, p := at.Target(), at.Take.Path[len(at.Take.Path)-1]
	side := body.SpaceFeet(m)
	if !body.SheetOf(m).SaddlePlatform || m.Position == nil {
		return fault.Field("take.path", "there is no platform on %s to choose a place on", m.Name)
	}
	if own := body.SpaceFeet(at.Actor); p.X < m.Position.X || p.Y < m.Position.Y || p.X+own > m.Position.X+side || p.Y+own > m.Position.Y+side {
		return fault.Field("take.path", "that is not on %s", m.Name)
	}
	return nil
}

// partOn is the part that a creature has when it gets on a mount, and the rule that
// says so.
//
// rcr.mount.rider, rcr.mount.untrained-passenger, rcr.mount.intelligent-untrained,
// rcr.mount.control-allowed
func partOn(s *eventv1.State, m *eventv1.Creature, take *eventv1.TakeAction) (variant, rule string) {
	switch {
	case spoken.Word(take.GetParameters(), "as") == body.VariantPassenger, body.ControllerOf(s, m.Id) != nil:
		return body.VariantPassenger, cite.MountPassenger
	case body.Intelligent(m):
		if m.Marks[body.MConsents] == "" {
			return body.VariantPassenger, cite.MountIntelligentConsent
		}
		return body.VariantRider, cite.MountIntelligentUntrained
	case body.TrainingOf(m) >= body.TrainedAt:
		return body.VariantRider, cite.MountRider
	case spoken.Truth(take.GetFacts(), "may_control"):
		return body.VariantRider, cite.MountControlAllowed
	}
	return body.VariantPassenger, cite.MountUntrainedPassenger
}

// doMount gets a creature on a mount.
func doMount(r *rules.Resolution, at *play.At) error {
	c, m := r.Creature(at.Actor.Id), r.Creature(at.Take.Targets[0])
	payClimb(r, c, "getting on "+m.Name)
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "mount", Targets: at.Take.Targets, Notes: body.StatedNotes(at.Take)})
	variant, rule := partOn(r.State(), m, at.Take)
	var place map[string]int32
	if n := len(at.Take.Path); n > 0 {
		p := at.Take.Path[n-1]
		place = map[string]int32{body.ValSeatX: p.X - m.Position.X, body.ValSeatY: p.Y - m.Position.Y, body.ValSeatSide: body.SpaceFeet(c)}
	}
	sit(r, c.Id, m.Id, variant, place, rule)
	if n := len(body.RidersOf(r.State(), m.Id)); n > 1 && body.SheetOf(m).SaddlePlatform && (m.Size == "huge" || m.Size == "gargantuan") {
		r.Note(event.Everyone(), m.Id, "there is room for all on "+m.Name, cite.MountPassengerBiggerMount)
	}
	return nil
}

func payClimb(r *rules.Resolution, c *eventv1.Creature, why string) {
	if r.State().Status != eventv1.State_STATUS_STARTED {
		return
	}
	cost := int64(climbCost(r.State(), c))
	r.Set(c.Id, body.CMovement, r.Count(c.Id, body.CMovement)-cost, why, cite.MountMountingCost)
	r.Set(c.Id, body.CMoved, r.Count(c.Id, body.CMoved)+cost, why, cite.MountMountingCost)
}

func refuseDismount(at *play.At) error {
	if body.Seat(at.Actor) == nil {
		return body.Refuse("NOT_MOUNTED", cite.MountMountingCost, "%s rides nothing", at.Actor.Name)
	}
	return refuseClimb(at.State, at.Actor)
}

// checkDismount holds the place that a creature gets off to.
func checkDismount(at *play.At) error {
	m := body.MountOf(at.State, at.Actor)
	if len(at.Take.Path) == 0 {
		return nil
	}
	if at.Actor.Position == nil {
		return fault.Field("take.path", "%s stands nowhere", at.Actor.Name)
	}
	p := at.Take.Path[len(at.Take.Path)-1]
	if spots := besides(at.State, afoot(at.Actor), m); !slices.ContainsFunc(spots, func(q *eventv1.Position) bool { return q.X == p.X && q.Y == p.Y }) {
		return body.Refuse("SPACE_TAKEN", cite.MountMountingCost, "that is no free space beside %s", m.Name)
	}
	return nil
}

// afoot is a creature as it would stand off its mount.
func afoot(c *eventv1.Creature) *eventv1.Creature {
	return &eventv1.Creature{Id: c.Id, Size: c.Size, Position: c.Position}
}

// doDismount gets a creature off its mount. A mount that is not fierce seeks safety
// without its rider.
//
// rcr.mount.fierce-dismounted, rcr.mount.mounting-cost
func doDismount(r *rules.Resolution, at *play.At) error {
	c := r.Creature(at.Actor.Id)
	seat := body.Seat(c)
	m := r.Creature(seat.To)
	payClimb(r, c, "getting off "+m.Name)
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "dismount", Targets: []string{m.Id}})
	if body.Airborne(m) {
		fallOff(r, c.Id, "it gets off in the air", cite.MountMountingCost)
		return nil
	}
	off(r, c.Id, "it gets off", cite.MountMountingCost)
	if spots := besides(r.State(), r.Creature(c.Id), m); len(spots) > 0 {
		to := spots[0]
		if n := len(at.Take.Path); n > 0 {
			to = at.Take.Path[n-1]
		}
		r.Move(&eventv1.Moved{Creature: c.Id, To: to, Mode: "dismount", Feet: 5}, cite.MountMountingCost)
	}
	if seat.Variant != body.VariantRider {
		return nil
	}
	if !body.HasMountTrait(m, body.MountFierce) && !body.Has(m, condBolting) {
		r.AddCondition(m.Id, &eventv1.Condition{Name: condBolting, Variant: variantRiderless, Source: c.Id, Cause: "its rider is off", Rule: cite.MountFierceDismounted})
	}
	loosen(r, m.Id)
	return nil
}
