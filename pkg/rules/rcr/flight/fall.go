package flight

import (
	"strconv"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/movement"
	"github.com/skaldrpg/skald/pkg/rules/rcr/strike"
	"github.com/skaldrpg/skald/pkg/rules/rcr/underwater"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Feet of falls.
const (
	// farFall is as far as one falls or dives at once.
	farFall = 580
	// sinkFeet is as far as an arrested fall goes in a round.
	sinkFeet = 60
)

// DecArrest asks whether a falling creature arrests its fall.
const DecArrest = "arrest-fall"

// BeginFall makes a creature in the air fall; Settle lets it arrest the fall or come
// down. A fall out of a dive is reckoned from where the dive began.
//
// rcr.flight.fall-triggers, rcr.flight.dive-fall-height
func BeginFall(r *rules.Resolution, id, cause, rule string) {
	c := r.Creature(id)
	if !body.Flies(c) {
		return
	}
	dropAll(r, id)
	from := max(body.Altitude(c), int32(c.Counters[body.CDiveFrom]))
	if from == 0 {
		body.EndFlight(r, id, cause, rule)
		return
	}
	setAir(r, id, body.AirFalling, cause, rule)
	r.Set(id, body.CFallFrom, int64(from), cause, rule)
	r.Set(id, body.CDiveFrom, 0, cause)
	r.Flag(id, body.MHovered, false)
	r.Flag(id, body.MSeized, false)
	if body.OwnTurn(r.State(), id) {
		r.Flag(id, body.MFallBegan, true, cite.FlightArrestReaction)
	}
	body.Befall(r, body.OnDrop, id, cause, from)
}

// Loose makes a creature fall that has lost its hold in the air, from a height in feet.
//
// rcr.flight.fall-uncontrolled
func Loose(r *rules.Resolution, id, cause string, height int32) bool {
	if height <= 0 {
		return false
	}
	if at := r.Creature(id).Position; at != nil {
		r.Set(id, body.CGround, int64(at.Z-height), cause)
	} else {
		r.Set(id, body.CAltitude, int64(height), cause)
	}
	setAir(r, id, body.AirFalling, cause, cite.FlightFallUncontrolled)
	r.Set(id, body.CFallFrom, int64(height), cause, cite.FlightFallUncontrolled)
	if body.OwnTurn(r.State(), id) {
		r.Flag(id, body.MFallBegan, true, cite.FlightArrestReaction)
	}
	return true
}

// Settle looks after all who are in the air: who can no longer fly begins to fall,
// and who falls arrests the fall or comes down. What a fall breaks off may bring down
// others.
func Settle(r *rules.Resolution) {
	for range len(r.State().Creatures) + 1 {
		changed := false
		for _, id := range r.CreatureIDs() {
			changed = look(r, id) || changed
		}
		if !changed {
			return
		}
	}
}

// Unsettled tells whether anybody falls who has not yet come down as far as one falls
// at once.
func Unsettled(s *eventv1.State) bool {
	// order-free: one is enough
	for _, c := range s.GetCreatures() {
		if body.AirState(c) == body.AirFalling && c.Marks[body.MDropped] == "" {
			return true
		}
	}
	return false
}

// look looks after one creature and tells whether something has come of it.
func look(r *rules.Resolution, id string) bool {
	switchOff(r, id)
	letGo(r, id)
	if !body.Airborne(r.Creature(id)) {
		return false
	}
	if cause, rule := brought(r.State(), r.Creature(id)); cause != "" {
		BeginFall(r, id, cause, rule)
	}
	c := r.Creature(id)
	if body.AirState(c) != body.AirFalling || c.Marks[body.MDropped] != "" {
		return false
	}
	comeDown(r, id)
	return true
}

// brought is what brings a flyer down, and by which rule; empty for nothing. One that
// arrests its fall needs no speed, but must be able to spread its wings.
//
// rcr.flight.fall-triggers, rcr.flight.over-encumbered, rcr.flight.hover-encumbered,
// rcr.flight.storm-winds, rcr.flight.magic-spell-end, rcr.flight.magic-worn-deactivate
func brought(s *eventv1.State, c *eventv1.Creature) (cause, rule string) {
	state := body.AirState(c)
	switch {
	case state == body.AirFalling:
		return "", ""
	case body.Dead(c), body.Down(c):
		return "it is struck down", cite.FlightFallTriggers
	case Load(s, c) == body.LoadOver:
		rule := cite.FlightOverEncumbered
		if state == body.AirHovering {
			rule = cite.FlightHoverEncumbered
		}
		return "its load", rule
	case state == body.AirArresting:
		if body.Incapacitated(c) {
			return "it cannot spread its wings", cite.FlightArrestIsHovering
		}
		return "", ""
	case body.Has(c, body.CondProne):
		return "it is prone", downRule(c)
	case body.SpeedIn(s, c.Id, "fly") == 0 && body.BaseSpeed(s, c) > 0:
		return "nothing bears it any more", downRule(c)
	case body.SpeedIn(s, c.Id, "fly") == 0:
		return "its speed is 0", downRule(c)
	}
	if refuseAir(s, c, WeatherOf(s, nil)) != nil {
		return "the storm", cite.FlightStormWinds
	}
	return "", ""
}

// downRule is the rule by which prone and speed 0 bring a flyer down.
func downRule(c *eventv1.Creature) string {
	switch {
	case c.GetSheet().GetSpeeds()["fly"] > 0 && body.FlightBy(c) == "":
		return cite.FlightFallTriggers
	case body.FlightBy(c) == body.LiftWorn, body.FlightBy(c) == body.LiftHeld:
		return cite.FlightMagicWornDeactivate
	}
	return cite.FlightMagicSpellEnd
}

// comeDown opens the window in which a fall can be arrested; who does not falls as
// far as one falls at once.
//
// rcr.flight.fall-uncontrolled, rcr.flight.arrest-reaction, rcr.flight.arrest-controlled-mount
func comeDown(r *rules.Resolution, id string) {
	if body.Befall(r, body.OnCatch, id, "it falls", 0) {
		return
	}
	c := r.Creature(id)
	if mayArrest(r.State(), c) {
		d := rules.YesNo(DecArrest, id, "it falls", "Spread the wings to arrest the fall?", "yes", cite.FlightArrestReaction)
		if r.Ask("arrest/"+id, d).Option == "yes" {
			body.Spend(r, id, body.CReaction, "it arrests its fall", cite.FlightArrestReaction)
			r.Set(id, body.CFallFrom, 0, "it arrests its fall")
			setAir(r, id, body.AirArresting, "its fall is arrested", cite.FlightArrestReaction)
			return
		}
	}
	height := body.Altitude(c)
	if height > farFall {
		sinkBy(r, id, farFall, cite.FlightFallUncontrolled)
		r.Flag(id, body.MDropped, true, cite.FlightFallUncontrolled)
		return
	}
	from := max(height, int32(c.Counters[body.CFallFrom]))
	sinkBy(r, id, height, cite.FlightFallUncontrolled)
	if body.Dead(c) {
		body.EndFlight(r, id, "it comes down", cite.FlightFallUncontrolled)
		return
	}
	borne, on := body.RidersOf(r.State(), id), ground(r, id)
	movement.Fall(r, id, from, on)
	for _, rider := range borne {
		if !body.Dead(r.Creature(rider)) {
			movement.Fall(r, rider, from, on) // who kept the saddle comes down as hard
		}
	}
	body.EndDistantGrapples(r, id)
}

// ground says what one comes down on out of the air: on water, as its flight was stated
// to lead over it; else where a map has its surface there and no ground is said to be;
// without such a map where the fight is said to be above water.
//
// rcr.underwater.dive-into-water
func ground(r *rules.Resolution, id string) map[string]string {
	c := r.Creature(id)
	on := c.Marks[body.MOverWater]
	if surface, mapped := r.State().Counters[body.CSurface]; on == "" && mapped && c.Position != nil {
		if int64(c.Position.Z) != surface || c.Counters[body.CGround] != 0 {
			return nil
		}
		on = rules.Yes
	}
	if on == "" {
		on = r.State().Marks[body.MOverWater]
	}
	if on == "" {
		return nil
	}
	return map[string]string{underwater.FactWater: on}
}

// overWater notes what a flight is stated to lead over: water, or not; ground under the
// end of the way where nobody has positions is no water.
//
// rcr.underwater.dive-into-water
func (k *course) overWater(r *rules.Resolution) {
	word := ""
	if k.take.GetParameters().GetFields()["over_water"] != nil {
		word = strconv.FormatBool(spoken.Truth(k.take.Parameters, "over_water"))
	} else if _, ground := spoken.Number(k.take.Facts, "ground"); ground && k.wet(r) {
		word = strconv.FormatBool(false)
	}
	if word != "" {
		r.Mark(k.id, body.MOverWater, word, cite.UnderwaterDiveIntoWater)
	}
}

// wet tells whether a flyer without a place was over water.
func (k *course) wet(r *rules.Resolution) bool {
	c := r.Creature(k.id)
	return c.Position == nil && (c.Marks[body.MOverWater] != "" || r.State().Marks[body.MOverWater] != "")
}

// mayArrest tells whether a falling creature can arrest its fall: it has wings and a
// reaction, and a load that they bear. One that is ridden can as well, whatever its
// rider orders.
//
// rcr.flight.arrest-reaction, rcr.flight.arrest-controlled-mount, rcr.flight.over-encumbered
func mayArrest(s *eventv1.State, c *eventv1.Creature) bool {
	return body.Winged(c) && strike.NeedReaction(s, c) == nil && Load(s, c) != body.LoadOver
}

// sinkBy takes a creature down by so many feet.
func sinkBy(r *rules.Resolution, id string, feet int32, rule string) {
	if feet == 0 {
		return
	}
	c := r.Creature(id)
	if at := c.Position; at != nil {
		r.Move(&eventv1.Moved{Creature: id, Mode: "fall", Feet: feet, To: &eventv1.Position{X: at.X, Y: at.Y, Z: at.Z - feet}}, rule)
		body.Carry(r, id)
		return
	}
	r.Set(id, body.CAltitude, c.Counters[body.CAltitude]-int64(feet), "it comes down", rule)
}

// sink takes an arrested fall on by a round; it ends safely.
//
// rcr.flight.arrest-reaction, rcr.flight.arrest-recover
func sink(r *rules.Resolution, id string) {
	c := r.Creature(id)
	feet := min(sinkFeet, body.Altitude(c))
	sinkBy(r, id, feet, cite.FlightArrestReaction)
	if body.Altitude(r.Creature(id)) == 0 {
		body.EndFlight(r, id, "it lands safely", cite.FlightArrestReaction)
	}
	body.EndDistantGrapples(r, id)
}
