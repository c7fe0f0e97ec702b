package flight

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	"github.com/skaldrpg/skald/pkg/rules/rcr/movement"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// refuseDive says why a creature cannot dive now.
//
// rcr.flight.dive-enter
func refuseDive(at *play.At) error {
	c := at.Actor
	if state := body.AirState(c); state == body.AirArresting || state == body.AirFalling {
		return refuseState(c)
	}
	switch {
	case !body.Flies(c):
		return notInTheAir(c, cite.FlightDiveEnter)
	case body.Altitude(c) < 1:
		return body.Refuse("GROUND", cite.FlightDiveEnter, "%s is not above the ground", c.Name)
	case c.Counters[body.CDived] >= farFall:
		return body.Refuse("DIVED", cite.FlightDiveEnter, "%d feet are the most on one turn", farFall)
	}
	return answers.RefuseSpeed(at.State, c)
}

func notInTheAir(c *eventv1.Creature, rule string) error {
	return body.Refuse("NOT_FLYING", rule, "%s does not fly", c.GetName())
}

// diveFields are the words of a dive.
func diveFields(at *play.At) []play.Field {
	if !at.Listing {
		return []play.Field{{Name: "feet"}, {Name: "path"}, {Name: "forward"}, {Name: "heading"}, {Name: "over_water"}}
	}
	most := min(body.Altitude(at.Actor), farFall-int32(at.Actor.Counters[body.CDived]))
	if at.Actor.Position != nil {
		return []play.Field{{Name: "path", Required: true}}
	}
	return []play.Field{{Name: "feet", Required: true, Least: 1, Most: most}, {Name: "forward", Most: most}}
}

// planDive reads a dive, or says why it cannot be.
//
// rcr.flight.dive-enter, rcr.flight.descent-angle, rcr.flight.adv-dive-impact-risk
func planDive(at *play.At) (*movement.Walk, error) {
	s, c, take := at.State, at.Actor, at.Take
	k := &course{id: c.Id, take: take, weather: WeatherOf(s, take.Facts), diving: true, facing: int32(c.Counters[body.CFacing])}
	feet, said := spoken.Number(take.Parameters, "feet")
	forward, _ := spoken.Number(take.Parameters, "forward")
	switch {
	case len(take.Path) > 0 && c.Position == nil:
		return nil, fault.Field("take.path", "%s stands nowhere: give the parameter feet", c.Name)
	case len(take.Path) > 0 && (said || forward > 0):
		return nil, fault.Field("take.parameters.feet", "the path says how far")
	case len(take.Path) == 0 && (!said || c.Position != nil):
		return nil, fault.Field("take.parameters.feet", "a path, or a number from 1 without positions, is needed")
	}
	w := movement.NewWalk(c, movement.Glided(c, take, max(feet, 1)), take, 0)
	if len(take.Path) > 0 {
		end := take.Path[len(take.Path)-1]
		feet = c.Position.Z - end.Z
		forward = max(dice.Abs(end.X-c.Position.X), dice.Abs(end.Y-c.Position.Y))
		if heading := headingBetween(c.Position, end); heading != 0 {
			k.facing = heading
		}
		if err := k.fallLine(c, w); err != nil {
			return nil, err
		}
	} else {
		k.pieces = []piece{{feet: feet, down: feet, drop: feet - forward}}
		if heading := degreesOf(spoken.Word(take.Parameters, "heading")); heading != 0 {
			k.facing = heading
		}
	}
	if err := body.FirstError(k.refuseDepth(s, c, feet, forward), k.refuseHeights(c), refuseLanding(s, c, take)); err != nil {
		return nil, err
	}
	k.note(w)
	w.Spared, w.SparedEntry = spared(s, c), !body.Advanced(s, cite.FlightAdvDiveProvokes)
	w.Air = k
	return w, nil
}

// fallLine works out the legs of a dive along a path, none of which may lead up.
func (k *course) fallLine(c *eventv1.Creature, w *movement.Walk) error {
	at := c.Position
	for _, l := range w.Way.Legs {
		to := l.To()
		p := piece{down: at.Z - to.Z}
		p.feet, _ = l.Feet()
		if p.down < 0 {
			return fault.Field("take.path", "a dive leads down")
		}
		p.drop = max(0, p.down-max(dice.Abs(to.X-at.X), dice.Abs(to.Y-at.Y)))
		k.pieces, at = append(k.pieces, p), to
	}
	return nil
}

// refuseDepth says that a dive is no dive, or too deep.
//
// rcr.flight.dive-enter, rcr.flight.descent-angle
func (k *course) refuseDepth(s *eventv1.State, c *eventv1.Creature, feet, forward int32) error {
	switch {
	case feet <= forward:
		return body.Refuse("NOT_STEEP", cite.FlightDescentAngle, "%d feet down over %d feet are a descent", feet, forward)
	case feet+int32(c.Counters[body.CDived]) > farFall:
		return body.Refuse("DIVED", cite.FlightDiveEnter, "%d feet are the most on one turn", farFall)
	}
	return nil
}

// refuseLanding says that a dive would end where another stands: that is for tables
// that play by its risk.
//
// rcr.flight.adv-dive-impact-risk
func refuseLanding(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if body.Advanced(s, cite.FlightAdvDiveImpactRisk) || len(take.Path) == 0 {
		return nil
	}
	if id := movement.Overlapped(s, c, take.Path[len(take.Path)-1]); id != "" {
		return body.Refuse("SPACE_TAKEN", cite.FlightAdvDiveImpactRisk, "%s stands there", s.Creatures[id].Name)
	}
	return nil
}

// doDive carries out a dive. It is in the air by a dive until it pulls out.
//
// rcr.flight.dive-enter, rcr.flight.dive-fall-height
func doDive(r *rules.Resolution, at *play.At) error {
	w, err := planDive(at)
	if err != nil {
		return err
	}
	c := r.Creature(at.Actor.Id)
	r.Emit(checks.SeenMoving(c), &eventv1.ActionTaken{Creature: c.Id, Action: at.Take.Action, Notes: w.Way.Notes}, cite.FlightDiveEnter)
	if body.AirState(c) != body.AirDiving {
		r.Set(c.Id, body.CDiveFrom, int64(body.Altitude(c)), "it dives", cite.FlightDiveFallHeight)
		setAir(r, c.Id, body.AirDiving, "it dives", cite.FlightDiveEnter)
	}
	w.R = r
	w.Run()
	Arrive(r, w)
	body.EndDistantGrapples(r, c.Id)
	return nil
}

// pullOut ends a dive by a check; who fails falls from where the dive began.
//
// rcr.flight.dive-pull-out, rcr.flight.dive-fall-height
func pullOut(r *rules.Resolution, id string, take *eventv1.TakeAction) {
	if !flightCheck(r, id, "pull-out", "athletics", 10, cite.FlightDivePullOut, take) {
		BeginFall(r, id, "it does not pull out of the dive", cite.FlightDivePullOut)
		return
	}
	r.Set(id, body.CDiveFrom, 0, "it pulls out", cite.FlightDivePullOut)
	setAir(r, id, body.AirFlying, "it pulls out", cite.FlightDivePullOut)
	if c := r.Creature(id); body.Altitude(c) == 0 && inside(r.State(), c) == "" {
		body.EndFlight(r, id, "it lands", cite.FlightDivePullOut)
	}
}

// DiveDice is the damage of an attack with the weapon dice doubled, where it is the
// first of the turn, struck in melee after a dive of 20 feet on a target directly
// below. What a feature adds is not doubled. The rule is empty where nothing is.
//
// rcr.flight.adv-dive-double-dice
func DiveDice(s *eventv1.State, c, target *eventv1.Creature, a *eventv1.RcrAttack, melee bool, take *eventv1.TakeAction, damage []*eventv1.RcrDamage) (out []*eventv1.RcrDamage, rule string) {
	own := len(damage)
	if spoken.Word(take.GetParameters(), "extra_damage") != "" {
		own-- // what a feature adds stands last
	}
	if !melee || a.Spell || !body.OwnTurn(s, c.Id) || !body.Advanced(s, cite.FlightAdvDiveDoubleDice) ||
		c.Counters[body.CDived] < 20 || c.Counters[body.CStrikes] > 0 || !below(c, target, take) {
		return damage, ""
	}
	for i, d := range damage {
		if i < own {
			d = &eventv1.RcrDamage{Dice: dice.DoubleDice(d.Dice), Type: d.Type}
		}
		out = append(out, d)
	}
	return out, cite.FlightAdvDiveDoubleDice
}

// below tells whether a target is directly below: as stated, else by the places.
func below(c, target *eventv1.Creature, take *eventv1.TakeAction) bool {
	if take.GetFacts().GetFields()["below"] != nil {
		return spoken.Truth(take.Facts, "below")
	}
	if c.Position == nil || target.Position == nil || target.Position.Z > c.Position.Z {
		return false
	}
	under := &eventv1.Position{X: c.Position.X, Y: c.Position.Y, Z: target.Position.Z}
	return movement.Overlap(c, under, target)
}
