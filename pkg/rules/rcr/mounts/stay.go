package mounts

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	"github.com/skaldrpg/skald/pkg/rules/rcr/movement"
	"github.com/skaldrpg/skald/pkg/rules/rcr/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

const (
	condBolting = "bolting"
	condReining = "reining"

	// Variants of bolting.
	variantBucked    = "bucked"
	variantRiderless = "riderless"

	// stayDC is the difficulty of staying on a mount.
	stayDC = 10

	// DecLanding asks how a rider comes down: on its feet by its reaction, or prone.
	DecLanding = "landing"
	// DecLandingPlace asks where it comes down.
	DecLandingPlace = "landing-place"
)

// stay makes the save to stay on a mount; riders and passengers alike (a reading).
//
// rcr.mount.passenger, rcr.mount.saddle-normal, rcr.mount.bareback-disadvantage,
// rcr.mount.military-advantage
func stay(r *rules.Resolution, id, why, rule string) bool {
	behind := []string{rule}
	if body.SaddleOn(body.MountOf(r.State(), r.Creature(id))) == body.SaddleNormal {
		behind = append(behind, cite.MountSaddleNormal)
	}
	return dice.RollSave(r, "stay-mounted/"+id, r.Creature(id), "dexterity", stayDC, "stay-mounted", nil,
		body.SaveOpts{Reason: "stay on the mount: " + why, Rules: behind}).Success()
}

// unseat has everybody on a mount save who may come off it, as all of them sit there,
// and only then takes off those whom nothing holds: who falls first leaves the others
// no more room for their saves. holds makes the save, off settles a failure.
//
// rcr.mount.passenger, rcr.mount.passenger-space
func unseat(r *rules.Resolution, riders []string, holds func(id string) bool, off func(id string)) {
	var lost []string
	for _, id := range riders {
		if !holds(id) {
			lost = append(lost, id)
		}
	}
	for _, id := range lost {
		if body.Seat(r.Creature(id)) != nil {
			off(id)
		}
	}
}

// unheld is of those whom no save keeps on a mount.
func unheld(string) bool { return false }

// part takes a creature off its mount and lets the mount go where it had control.
func part(r *rules.Resolution, id, why, rule string) {
	seat := body.Seat(r.Creature(id))
	off(r, id, why, rule)
	if seat.Variant == body.VariantRider {
		loosen(r, seat.To)
	}
}

// off ends that a creature rides.
func off(r *rules.Resolution, id, why, rule string) {
	r.Unrelate(id, body.RelRides, body.Seat(r.Creature(id)).To, why, rule)
	dice.EndCondition(r, id, condReining, "it does not ride any more", cite.MountShieldStrapped)
}

// fallOff takes a creature off its mount: it lies in a space of its choice within 5
// feet of it; from one in the air it begins to fall.
//
// rcr.mount.rider-prone-save, rcr.mount.forced-move-save, rcr.mount.dash-slow-save
func fallOff(r *rules.Resolution, id, why, rule string) {
	land(r, id, why, rule, false, false)
}

// inTheAir tells whether whoever comes off a mount has somewhere to fall.
//
// rcr.mount.buck-landing
func inTheAir(m *eventv1.Creature) bool { return body.Airborne(m) && body.Altitude(m) > 0 }

// land brings a creature off its mount to the ground, on its feet or prone; behind the
// mount or in a space of its choice.
func land(r *rules.Resolution, id, why, rule string, onFeet, behind bool) {
	seat := body.Seat(r.Creature(id))
	m := r.Creature(seat.To)
	off(r, id, why, rule)
	switch {
	case inTheAir(m):
		r.Note(event.Everyone(), id, r.Creature(id).Name+" falls off in the air", rule)
		r.Relate(id, &eventv1.Relation{Kind: body.RelLost, To: m.Id, Rule: rule}, rule)
		r.Mark(id, body.MOverWater, m.Marks[body.MOverWater], cite.UnderwaterDiveIntoWater)
		body.Befall(r, body.OnLoose, id, why, body.Altitude(m))
	default:
		comeDown(r, id, m, rule, behind)
		if !onFeet && !body.Has(r.Creature(id), body.CondProne) {
			body.SetProne(r, id, why, rule)
		}
	}
	if seat.Variant == body.VariantRider {
		loosen(r, seat.To)
	}
}

// comeDown finds the space that one who leaves its mount comes down in.
//
// rcr.mount.buck-landing
func comeDown(r *rules.Resolution, id string, m *eventv1.Creature, rule string, behind bool) {
	c := r.Creature(id)
	if m.Position == nil {
		where := "in a space of its choice within 5 feet of "
		if behind {
			where = "directly behind "
		}
		r.Note(event.Everyone(), id, c.Name+" comes down "+where+m.Name, rule)
		return
	}
	spots := besides(r.State(), c, m)
	if back := behindOf(m, c, spots); behind && back != nil {
		spots = []*eventv1.Position{back}
	}
	var to *eventv1.Position
	switch len(spots) {
	case 0:
		return // there is no room: it lies where it sat
	case 1:
		to = spots[0]
	default:
		d := &eventv1.Decision{Name: DecLandingPlace, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: id, Cause: "off " + m.Name,
			Question: "Where does it come down?", DefaultOption: spotName(spots[0]), Rule: rule}
		for _, p := range spots {
			d.Options = append(d.Options, &eventv1.DecisionOption{Id: spotName(p), Text: "At " + spotName(p)})
		}
		chosen := r.Ask("landing-place/"+id, d).Option
		to = spots[slices.IndexFunc(spots, func(p *eventv1.Position) bool { return spotName(p) == chosen })]
	}
	r.Move(&eventv1.Moved{Creature: id, To: to, Mode: "fall", Feet: 5}, rule)
}

// spotName is a place for people, and its name among the places to choose from.
func spotName(p *eventv1.Position) string { return body.Itoa(p.X) + "," + body.Itoa(p.Y) }

// besides are the free places within 5 feet of a mount, in order.
func besides(s *eventv1.State, c, m *eventv1.Creature) (out []*eventv1.Position) {
	if m.GetPosition() == nil {
		return nil
	}
	side, own := body.SpaceFeet(m), body.SpaceFeet(c)
	for x := m.Position.X - own; x <= m.Position.X+side; x += 5 {
		for y := m.Position.Y - own; y <= m.Position.Y+side; y += 5 {
			at := &eventv1.Position{X: x, Y: y, Z: m.Position.Z}
			if body.Between(c, at, m, m.Position) == 5 && strike.SpaceFree(s, c, at) {
				out = append(out, at)
			}
		}
	}
	return out
}

// behindOf is the place among some that is most directly behind a mount, against the
// way that it went last; nil where nobody knows (a reading: then it chooses).
func behindOf(m, c *eventv1.Creature, spots []*eventv1.Position) *eventv1.Position {
	heading := rules.BegunOf(m, begunHeading).GetValues()
	dx, dy := heading["x"], heading["y"]
	if dx == 0 && dy == 0 {
		return nil
	}
	var best *eventv1.Position
	far, aside := int32(0), int32(0)
	for _, p := range spots {
		// Twice the way from the middle of the mount to the middle of the place.
		x, y := 2*(p.X-m.Position.X)+body.SpaceFeet(c)-body.SpaceFeet(m), 2*(p.Y-m.Position.Y)+body.SpaceFeet(c)-body.SpaceFeet(m)
		back, off := -(x*dx + y*dy), dice.Abs(x*dy-y*dx)
		if best == nil || back > far || back == far && off < aside {
			best, far, aside = p, back, off
		}
	}
	return best
}

// landing asks a rider that comes off whether it spends its reaction to be on its
// feet; without a reaction there is nothing to ask.
//
// rcr.mount.buck-landing, rcr.mount.mount-prone
func landing(r *rules.Resolution, id, why, rule string) (onFeet bool) {
	c := r.Creature(id)
	if inTheAir(body.MountOf(r.State(), c)) || strike.NeedReaction(r.State(), c) != nil {
		return false
	}
	d := &eventv1.Decision{Name: DecLanding, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: id, Cause: why, Question: "Land on its feet by its reaction?",
		DefaultOption: "feet", Rule: rule, Options: []*eventv1.DecisionOption{{Id: "feet", Text: "Spend the reaction"}, {Id: "prone", Text: "Fall prone"}}}
	if r.Ask("landing/"+id, d).Option != "feet" {
		return false
	}
	body.Spend(r, id, body.CReaction, "lands on its feet", rule)
	return true
}

// buck has a mount that is not stalwart try to throw those on it, with its reaction:
// once between its turns (a reading). Whether it throws them or not, it flees next.
//
// rcr.mount.buck-on-damage, rcr.mount.buck-on-frightened, rcr.mount.stalwart-steady,
// rcr.mount.buck-flee, rcr.mount.buck-landing
func buck(r *rules.Resolution, id, why, rule string) {
	m := r.Creature(id)
	riders := body.RidersOf(r.State(), id)
	if len(riders) == 0 || body.Down(m) {
		return
	}
	if body.HasMountTrait(m, body.MountStalwart) {
		r.Note(event.Controllers(id), id, m.Name+" remains steady", cite.MountStalwartSteady)
		return
	}
	if strike.NeedReaction(r.State(), m) != nil {
		return
	}
	body.Spend(r, id, body.CReaction, "it bucks", rule)
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: id, Action: "buck", Targets: riders, Notes: []string{why}}, rule)
	if !body.Has(m, condBolting) {
		r.AddCondition(id, &eventv1.Condition{Name: condBolting, Variant: variantBucked, Source: body.ControllerOf(r.State(), id).GetId(), Cause: why, Rule: cite.MountBuckFlee})
	}
	unseat(r, riders, func(rider string) bool { return stay(r, rider, m.Name+" bucks", rule) }, func(rider string) {
		onFeet := landing(r, rider, "thrown by "+m.Name, cite.MountBuckLanding)
		land(r, rider, "thrown by "+m.Name, cite.MountBuckLanding, onFeet, onFeet)
	})
}

// Hurt answers damage: of a mount, which may buck; of one who rides in the air.
//
// rcr.mount.buck-on-damage
func Hurt(r *rules.Resolution, id, cause string, n int32) bool {
	c := r.Creature(id)
	if c == nil {
		return false
	}
	switch {
	case body.Seat(c) != nil && body.Dead(c):
		part(r, id, "it is dead", cite.MountRiderProneSave)
	case body.Seat(c) != nil:
		hurtInTheAir(r, id, n)
	case body.Dead(c):
		fallen(r, id, cause, 0)
	case n > 0:
		buck(r, id, cause, cite.MountBuckOnDamage)
	}
	return false
}

// shy has a mount buck that has become frightened.
//
// rcr.mount.buck-on-frightened
func shy(r *rules.Resolution, id string) {
	m := r.Creature(id)
	afraid := body.Has(m, body.CondFrightened) || body.Has(m, body.CondTerrified)
	shied := m.Marks[body.MShied] != ""
	if afraid == shied {
		return
	}
	r.Flag(id, body.MShied, afraid, cite.MountBuckOnFrightened)
	if afraid {
		buck(r, id, "fear", cite.MountBuckOnFrightened)
	}
}

// Tripped answers that one who rides is knocked prone: it stays on its mount and is
// not prone (a reading), or falls off and is.
//
// rcr.mount.rider-prone-save
func Tripped(r *rules.Resolution, id, cause string, _ int32) bool {
	if body.Seat(r.Creature(id)) == nil {
		return false
	}
	if !stay(r, id, cause, cite.MountRiderProneSave) {
		fallOff(r, id, cause, cite.MountRiderProneSave)
	}
	return true
}

// Fallen answers that a mount has been knocked prone: those on it are dismounted, by
// their reaction on their feet. In the air a saddle holds them.
//
// rcr.mount.mount-prone
func Fallen(r *rules.Resolution, id, cause string, n int32) bool {
	fallen(r, id, cause, n)
	return false
}

func fallen(r *rules.Resolution, id, _ string, _ int32) {
	m, rule := r.Creature(id), cite.MountMountProne
	if inTheAir(m) {
		if !body.Dead(m) && body.SaddleOn(m) != "" {
			return // rcr.mount.flight-saddle-damage
		}
		rule = cite.MountFlightBarebackTumble // a saddle on the dead holds nobody (a reading)
	}
	unseat(r, body.RidersOf(r.State(), id), unheld, func(rider string) {
		land(r, rider, m.Name+" goes down", rule, landing(r, rider, m.Name+" goes down", rule), false)
	})
}

// Thrust answers that something has moved a mount, or one who rides (a reading),
// against its will.
//
// rcr.mount.forced-move-save
func Thrust(r *rules.Resolution, id, cause string, _ int32) bool {
	body.Carry(r, id)
	shaken := body.RidersOf(r.State(), id)
	if body.Seat(r.Creature(id)) != nil {
		shaken = []string{id}
	}
	rule := cite.MountForcedMoveSave
	holds := func(rider string) bool { return stay(r, rider, cause, rule) }
	if len(shaken) > 0 {
		if m := body.MountOf(r.State(), r.Creature(shaken[0])); body.Airborne(m) {
			rule, holds = heldInTheAir(r, m)
		}
	}
	unseat(r, shaken, holds, func(rider string) { fallOff(r, rider, cause, rule) })
	return false
}

// slowed answers that a mount's speed may have changed: any loss after a Dash, until
// its next turn, shakes those on it.
//
// rcr.mount.dash-slow-save
func slowed(r *rules.Resolution, id, _ string, _ int32) {
	was := r.Count(id, body.CDashPace)
	if was == 0 {
		return
	}
	now := int64(movement.StandingBase(r.State(), r.Creature(id))) + 1
	if now == was {
		return
	}
	r.Set(id, body.CDashPace, now, "its speed has changed", cite.MountDashSlowSave)
	if now > was {
		return
	}
	unseat(r, body.RidersOf(r.State(), id),
		func(rider string) bool {
			return stay(r, rider, "its mount loses speed in a Dash", cite.MountDashSlowSave)
		},
		func(rider string) { fallOff(r, rider, "its mount lost speed", cite.MountDashSlowSave) })
}

// Slowed answers a change of speed.
func Slowed(r *rules.Resolution, id, cause string, n int32) bool {
	slowed(r, id, cause, n)
	return false
}

// Away answers that one who rides is elsewhere at once, without its mount.
func Away(r *rules.Resolution, id, cause string, _ int32) bool {
	if body.Seat(r.Creature(id)) != nil {
		part(r, id, cause, cite.MountRider)
	}
	body.Carry(r, id)
	return false
}
