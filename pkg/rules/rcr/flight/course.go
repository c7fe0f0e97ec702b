package flight

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	"github.com/skaldrpg/skald/pkg/rules/rcr/movement"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// piece is one leg of a flight.
type piece struct {
	// feet travelled; up and down those of them that gain and lose altitude, steep
	// those of the climb that go straight up, slow those that are difficult.
	feet, up, down, steep, slow int32
	// drop are feet down beyond a descent: a dive.
	drop int32
	wind int
	half int32
}

// course is a flight that is planned; it is carried out leg by leg.
type course struct {
	id      string
	take    *eventv1.TakeAction
	weather Weather
	pieces  []piece
	// done legs are written down.
	done int
	// free: it costs no movement and may go any way; diving: it is a dive.
	free, diving bool
	// facing at the end in degrees; 0 where nobody knows.
	facing int32
	aloft  bool
}

var _ movement.Air = (*course)(nil)

// Plan makes a walk by the mode fly into a flight, or says why it cannot be flown.
//
// rcr.flight.movement-budget, rcr.flight.magic-worn-requirements
func Plan(s *eventv1.State, c *eventv1.Creature, w *movement.Walk, take *eventv1.TakeAction) error {
	k := &course{id: c.Id, take: take, weather: WeatherOf(s, take.Facts), aloft: spoken.Truth(take.Parameters, "aloft")}
	if err := body.FirstError(refuseState(c), refuseAir(s, c, k.weather)); err != nil {
		return err
	}
	if err := k.plan(s, c, w); err != nil {
		return err
	}
	if err := body.FirstError(k.refuseAngles(s, c), k.refuseHeights(c), k.refuseTurns(s, c, w)); err != nil {
		return err
	}
	total := k.half() * w.Times
	if left := leftHalf(s, c); total > left {
		rule := cite.BaseMovementCostAdditive
		if k.slopes() {
			rule = cite.FlightMovementBudget
		}
		return body.Refuse("NO_MOVEMENT", rule, "%s has %s feet of movement left, this takes %s", c.Name, feetText(left), feetText(total))
	}
	w.Spared = spared(s, c)
	w.Air = k
	return nil
}

// Affords tells whether a creature without a place has the movement, and the height,
// for a flight.
//
// rcr.flight.movement-budget
func Affords(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) bool {
	k := &course{id: c.Id, take: take, weather: WeatherOf(s, take.GetFacts())}
	w, err := movement.PlanWay(s, c, take, false)
	if err != nil {
		return false
	}
	if err := k.plan(s, c, movement.NewWalk(c, w, take, 0)); err != nil {
		return false
	}
	return k.refuseHeights(c) == nil && k.half() <= leftHalf(s, c)
}

// half is what a flight costs in half feet.
func (k *course) half() (total int32) {
	for _, p := range k.pieces {
		total += p.half
	}
	return total
}

// spared tells whether a flyer provokes nothing by moving.
//
// rcr.feat.aerial-ace-no-provoke
func spared(s *eventv1.State, c *eventv1.Creature) bool {
	return body.Ace(s, c, cite.FeatAerialAceNoProvoke)
}

// refuseState says why a creature in the air cannot fly on.
func refuseState(c *eventv1.Creature) error {
	switch body.AirState(c) {
	case body.AirArresting:
		return body.Refuse("ARRESTING", cite.FlightArrestRecover, "%s arrests its fall: recover first", c.Name)
	case body.AirFalling:
		return body.Refuse("FALLING", cite.FlightFallTriggers, "%s falls", c.Name)
	case body.AirDiving:
		return body.Refuse("DIVING", cite.FlightDivePullOut, "%s dives: pull out first", c.Name)
	}
	return nil
}

// leftHalf is the movement that a flyer has left, in half feet.
func leftHalf(s *eventv1.State, c *eventv1.Creature) int32 {
	if body.BaseSpeed(s, c) == 0 {
		return 0
	}
	return 2*movement.MovementLeft(s, c, "fly") + int32(c.Counters[body.CHalf])
}

// plan works out the legs of a flight.
func (k *course) plan(s *eventv1.State, c *eventv1.Creature, w *movement.Walk) error {
	extra := answers.Surcharge(s, c, "fly", false)
	at := c.Position
	for _, l := range w.Way.Legs {
		p := piece{}
		p.feet, p.slow = l.Feet()
		heading := degreesOf(spoken.Word(k.take.Parameters, "heading"))
		if to := l.To(); to != nil {
			if err := k.pathOnly(); err != nil {
				return err
			}
			heading = headingBetween(at, to)
			flat := max(dice.Abs(to.X-at.X), dice.Abs(to.Y-at.Y))
			p.up, p.down = max(0, to.Z-at.Z), max(0, at.Z-to.Z)
			p.steep, p.drop = max(0, p.up-flat), max(0, p.down-flat)
			at = to
		} else if err := k.slope(&p); err != nil {
			return err
		}
		p.wind = k.weather.windOn(heading)
		p.half = k.costHalf(s, c, p) + 2*(p.feet*extra+p.slow)
		k.pieces = append(k.pieces, p)
	}
	k.note(w)
	return nil
}

// pathOnly refuses words that a path says already.
func (k *course) pathOnly() error {
	for _, flightWord := range []string{"climb", "descend", "vertical", "heading", "turns"} {
		if k.take.GetParameters().GetFields()[flightWord] != nil {
			return fault.Field("take.parameters."+flightWord, "the path says so")
		}
	}
	return nil
}

// slope reads the slope of a flight where nobody has positions.
func (k *course) slope(p *piece) error {
	p.up, _ = spoken.Number(k.take.Parameters, "climb")
	p.down, _ = spoken.Number(k.take.Parameters, "descend")
	p.steep, _ = spoken.Number(k.take.Parameters, "vertical")
	if p.steep > p.up {
		return fault.Field("take.parameters.vertical", "more than the %d feet of the climb", p.up)
	}
	return nil
}

// costHalf is what a leg costs in half feet. Climbing and a headwind double it, once;
// descending and a tailwind halve it, once; one of each cancel.
//
// rcr.flight.climb-cost, rcr.flight.headwind-cost, rcr.flight.descent-rate,
// rcr.flight.tailwind-rate, rcr.feat.mighty-wings-climb, rcr.feat.mighty-wings-vertical,
// rcr.flight.magic-worn-vertical
func (k *course) costHalf(s *eventv1.State, c *eventv1.Creature, p piece) int32 {
	rate := func(climbs, descends bool) int32 {
		double, halve := climbs || p.wind == against, descends || p.wind == with
		switch {
		case double == halve:
			return 2
		case double:
			return 4
		}
		return 1
	}
	climbs := !body.Mighty(s, c, cite.FeatMightyWingsClimb)
	return (p.feet-p.up-p.down)*rate(false, false) + (p.up-p.steep)*rate(climbs, false) + p.steep*rate(true, false) + p.down*rate(false, true)
}

// slopes tells whether a flight gains or loses altitude.
func (k *course) slopes() bool {
	for _, p := range k.pieces {
		if p.up > 0 || p.down > 0 {
			return true
		}
	}
	return false
}

// refuseAngles says that a flight is too steep.
//
// rcr.flight.climb-angle, rcr.flight.descent-angle, rcr.flight.magic-spell,
// rcr.flight.magic-held-as-worn
func (k *course) refuseAngles(s *eventv1.State, c *eventv1.Creature) error {
	upright := body.FlightBy(c) != "" || body.Mighty(s, c, cite.FeatMightyWingsVertical)
	for _, p := range k.pieces {
		switch {
		case p.drop > 0:
			return body.Refuse("TOO_STEEP", cite.FlightDescentAngle, "a descent goes down a foot for each foot travelled: dive")
		case p.up+p.down > p.feet:
			rule := cite.FlightClimbAngle
			if p.down > p.up {
				rule = cite.FlightDescentAngle
			}
			return body.Refuse("TOO_STEEP", rule, "%d feet up and %d feet down take more than %d feet of flight", p.up, p.down, p.feet)
		case p.steep > 0 && !upright:
			return body.Refuse("TOO_STEEP", cite.FlightClimbAngle, "%s cannot fly straight up: it gains a foot for each foot travelled", c.Name)
		}
	}
	return nil
}

// refuseHeights says that a flight leads below the ground, or through what is too
// narrow.
func (k *course) refuseHeights(c *eventv1.Creature) error {
	height, most := body.Altitude(c), int32(0)
	for _, p := range k.pieces {
		height += p.up - p.down
		most = min(most, height)
	}
	if ground, ok := spoken.Number(k.take.Facts, "ground"); ok {
		if c.Position != nil {
			ground -= int32(c.Counters[body.CGround])
		}
		most = min(0, height-ground)
	}
	if most < 0 {
		return body.Refuse("GROUND", cite.FlightDescentRate, "%s is %d feet above the ground", c.Name, body.Altitude(c))
	}
	if gap, ok := spoken.Number(k.take.Facts, "narrowest"); ok {
		return refuseGap(c, gap)
	}
	return nil
}

// refuseTurns says that a flight begins where a hovering creature does not face, or
// turns too tightly. It finds where the flyer faces at the end.
//
// rcr.flight.hover-facing, rcr.flight.adv-bank-path
func (k *course) refuseTurns(s *eventv1.State, c *eventv1.Creature, w *movement.Walk) error {
	faced := int32(c.Counters[body.CFacing])
	facing := faced
	k.facing = facing
	hovering := body.AirState(c) == body.AirHovering
	begins := func(heading int32) error {
		if hovering && apart(faced, heading) > 0 {
			return body.Refuse("FACING", cite.FlightHoverFacing, "%s hovers and faces %s: turn first", c.Name, headingOf(faced))
		}
		return nil
	}
	if len(k.take.Path) == 0 {
		heading := degreesOf(spoken.Word(k.take.Parameters, "heading"))
		if heading == 0 {
			turns, _ := spoken.Number(k.take.Parameters, "turns")
			return refuseBank(s, c, turns, k.pieces[0].feet)
		}
		turns, said := spoken.Number(k.take.Parameters, "turns")
		if !said && body.Airborne(c) {
			turns = apart(facing, heading)
		}
		k.facing = heading
		return body.FirstError(begins(heading), refuseBank(s, c, turns, k.pieces[0].feet))
	}
	if !body.Airborne(c) || hovering {
		facing = 0 // it takes off, or begins where it faces: there is nothing to bank
	}
	return k.along(s, c, facing, begins)
}

// along follows the turns of a path.
func (k *course) along(s *eventv1.State, c *eventv1.Creature, facing int32, begins func(int32) error) error {
	at := c.Position
	first := true
	for _, to := range k.take.Path {
		heading := headingBetween(at, to)
		feet := max(dice.Abs(to.X-at.X), dice.Abs(to.Y-at.Y))
		at = to
		if heading == 0 {
			continue
		}
		if first {
			if err := begins(heading); err != nil {
				return err
			}
			first = false
		}
		if !k.free {
			if err := refuseBank(s, c, apart(facing, heading), feet); err != nil {
				return err
			}
		}
		facing, k.facing = heading, heading
	}
	return nil
}

// note says what was stated of a flight.
func (k *course) note(w *movement.Walk) {
	for _, weatherWord := range []string{"wind", "ground", "narrowest"} {
		if n, ok := spoken.Number(k.take.Facts, weatherWord); ok {
			w.Way.Notes = append(w.Way.Notes, weatherWord+" "+body.Itoa(n)+" (stated)")
		}
	}
	if k.take.GetParameters().GetFields()["over_water"] != nil {
		w.Way.Notes = append(w.Way.Notes, map[bool]string{true: "over water (stated)", false: "not over water (stated)"}[spoken.Truth(k.take.Parameters, "over_water")])
	}
	for _, weatherWord := range []string{"wind_way", "precipitation"} {
		if said := spoken.Word(k.take.Facts, weatherWord); said != "" {
			w.Way.Notes = append(w.Way.Notes, weatherWord+" "+said+" (stated)")
		}
	}
}

// Half is what a leg costs.
func (k *course) Half(leg int) int32 { return k.pieces[leg].half }

// Left is the movement that is left, in half feet.
func (k *course) Left(r *rules.Resolution) int32 { return leftHalf(r.State(), r.Creature(k.id)) }

// Goes tells whether the flyer is still in the air by its own flight, or not yet off
// the ground.
func (k *course) Goes(r *rules.Resolution) bool {
	c := r.Creature(k.id)
	if k.done > 0 && !body.Flies(c) {
		return false
	}
	return body.SpeedIn(r.State(), k.id, "fly") > 0
}

// Gone writes down what was flown.
//
// rcr.flight.minimum-move, rcr.flight.climb-cost, rcr.flight.descent-rate
func (k *course) Gone(r *rules.Resolution, legs int, half int32) {
	state := body.AirFlying
	if k.diving {
		state = body.AirDiving
	}
	setAir(r, k.id, state, "it flies", cite.FlightMinimumMove)
	k.overWater(r)
	r.Flag(k.id, body.MHovered, false)
	r.Flag(k.id, body.MInside, false, cite.FlightAdvDiveNoEndInside) // it has left where it was
	pay(r, k.id, half, "fly", cite.FlightMovementBudget)
	var feet, up, down int32
	for ; k.done < legs; k.done++ {
		p := k.pieces[k.done]
		feet, up, down = feet+p.feet, up+p.up, down+p.down
	}
	if c := r.Creature(k.id); c.Position == nil {
		r.Set(k.id, body.CAltitude, max(0, c.Counters[body.CAltitude]+int64(up-down)), "flight", cite.FlightClimbCost)
	}
	if !body.OwnTurn(r.State(), k.id) {
		return
	}
	add := func(counter string, feet int32) { r.Set(k.id, counter, r.Count(k.id, counter)+int64(feet), "flight") }
	if k.diving {
		feet = down
		add(body.CDived, down)
	}
	add(body.CTravelled, feet)
	add(body.CDescended, down)
}

// Arrive settles the end of a flight: where it faces, the ground below, the landing.
func (k *course) arrive(r *rules.Resolution) {
	c := r.Creature(k.id)
	if k.done == 0 || !body.Flies(c) {
		return
	}
	if k.facing != 0 {
		r.Set(k.id, body.CFacing, int64(k.facing), "flight", cite.FlightHoverFacing)
	}
	if ground, ok := spoken.Number(k.take.Facts, "ground"); ok && k.done == len(k.pieces) {
		if c.Position != nil {
			r.Set(k.id, body.CGround, int64(ground), "stated")
		} else {
			r.Set(k.id, body.CAltitude, max(0, c.Counters[body.CAltitude]-int64(ground)), "stated")
		}
	}
	if body.Altitude(r.Creature(k.id)) == 0 && !k.aloft && !k.diving {
		body.EndFlight(r, k.id, "it lands", cite.FlightEnlargedSpace)
	}
}

// Arrive settles the end of a movement that may have been a flight.
func Arrive(r *rules.Resolution, w *movement.Walk) {
	if k, ok := w.Air.(*course); ok {
		k.arrive(r)
	}
}

// setAir says how a creature is in the air.
func setAir(r *rules.Resolution, id, state, cause, rule string) {
	if x := body.Condition(r.Creature(id), body.CondAirborne); x == nil || x.Variant != state {
		name := body.CondAirborne
		if x != nil {
			name = x.Id
		}
		r.AddCondition(id, &eventv1.Condition{Id: name, Name: body.CondAirborne, Variant: state, Cause: cause, Rule: rule}, rule)
	}
}

// pay takes half feet of movement off what is left. Halves are kept exactly.
//
// rcr.flight.descent-rate
func pay(r *rules.Resolution, id string, half int32, why string, ruleIDs ...string) {
	have := int32(r.Count(id, body.CHalf))
	if half <= have {
		r.Set(id, body.CHalf, int64(have-half), why)
		return
	}
	need := half - have
	feet := (need + 1) / 2
	r.Set(id, body.CHalf, int64(2*feet-need), why)
	movement.SpendMovement(r, id, feet, why, ruleIDs...)
}
