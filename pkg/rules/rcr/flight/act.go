package flight

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	"github.com/skaldrpg/skald/pkg/rules/rcr/movement"
	"github.com/skaldrpg/skald/pkg/rules/rcr/strike"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Actions are what creatures do in the air besides moving by the mode fly, and what
// the game master calls of them. They are listed where they have a use. refuseWay says
// why a creature does not go a way that it could fly: a mount toward danger.
//
// rcr.mount.buck-flee, rcr.mount.brave-approach
func Actions(refuseWay func(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error) []*play.Action {
	planned := func(plan func(at *play.At) (*movement.Walk, error)) func(at *play.At) error {
		return func(at *play.At) error {
			if _, err := plan(at); err != nil {
				return err
			}
			return refuseWay(at.State, at.Actor, at.Take)
		}
	}
	inTheAir := strike.BareWhen(func(at *play.At) bool { return body.Airborne(at.Actor) })
	notDead := func(at *play.At) error { return body.RefuseDead(at.Actor) }
	return []*play.Action{
		{ID: "hover", Title: "Hover", Rule: cite.FlightHoverCheck, Group: play.GroupMove, Traits: movement.TraitMoves, Items: inTheAir,
			CostOf: halfCost, Refuse: refuseHover, Do: body.Deed(doHover)},
		{ID: "hover-turn", Title: "Turn in place while hovering", Rule: cite.FlightHoverTurn, Group: play.GroupMove, Traits: movement.TraitMoves, Items: inTheAir,
			Costs: []play.Cost{{Counter: body.CMovement, Amount: 5}}, Refuse: refuseHovering, Fields: turnFields, Check: checkTurn, Do: body.Deed(doHoverTurn)},
		{ID: "dive", Title: "Dive", Rule: cite.FlightDiveEnter, Group: play.GroupMove, Traits: movement.TraitMoves, Items: inTheAir,
			Refuse: refuseDive, Fields: diveFields, Check: planned(planDive), Do: doDive},
		{ID: "pull-out", Title: "Pull out of the dive", Rule: cite.FlightDivePullOut, Group: play.GroupMove, Traits: movement.TraitMoves, Items: inTheAir,
			Refuse: refusePullOut, Do: body.Deed(doPullOut)},
		{ID: "recover", Title: "Recover from an arrested fall", Rule: cite.FlightArrestRecover, Group: play.GroupMove, Costs: checks.OneAction, Items: inTheAir,
			Refuse: refuseRecover, Do: body.Deed(doRecover)},
		{ID: "reverse", Title: "Reverse in the air", Rule: cite.FeatAerialAceReverse, Group: play.GroupMove, Traits: movement.TraitMoves,
			Items:  strike.BareWhen(func(at *play.At) bool { return body.HasFeat(at.Actor, body.FeatAerialAce) }),
			CostOf: halfCost, Refuse: refuseReverse, Do: body.Deed(doReverse)},
		{ID: "wind-blast", Title: "Blast of wind", Rule: cite.FeatMightyWingsBlast, Group: play.GroupManeuver, Costs: checks.OneAction, Most: rules.MaxCreatures,
			Items:  strike.BareWhen(func(at *play.At) bool { return body.HasFeat(at.Actor, body.FeatMightyWings) }),
			Refuse: refuseBlast, RefuseTarget: refuseBlasted, Do: body.Deed(doBlast)},
		{ID: "launch", Title: "Launch into the air after the blast", Rule: cite.FeatMightyWingsLaunch, Group: play.GroupMove, Traits: movement.TraitMoves,
			Items:  strike.BareWhen(func(at *play.At) bool { return at.Actor.Marks[body.MBlasted] != "" }),
			Refuse: refuseLaunch, Fields: launchFields, Check: planned(planLaunch), Do: doLaunch},
		{ID: "collide", Title: "Collide in the air", Rule: cite.FlightCollisionSave, Group: play.GroupReferee, Anytime: true, Referee: true, Most: 1,
			Items: inTheAir, Refuse: func(at *play.At) error { return body.FirstError(notDead(at), refuseCollide(at.Actor)) }, Do: body.Deed(doCollide)},
		{ID: "strike-item", Title: "Damage what it flies on", Rule: cite.FlightMagicHeldItemDamage, Group: play.GroupReferee, Anytime: true, Referee: true,
			Items: itemsFlownOn, Refuse: notDead, Fields: itemFields, Do: body.Deed(doStrikeItem)},
	}
}

// halfCost is what takes half the fly speed.
func halfCost(at *play.At) []play.Cost {
	return []play.Cost{{Counter: body.CMovement, Amount: halfSpeed(at.State, at.Actor.Id)}}
}

// refuseHover says why a creature cannot hover on purpose now.
func refuseHover(at *play.At) error {
	c := at.Actor
	switch {
	case body.AirState(c) != body.AirFlying && body.AirState(c) != body.AirHovering:
		return body.FirstError(refuseState(c), notInTheAir(c, cite.FlightHoverCheck))
	case c.Marks[body.MHovered] != "":
		return body.Refuse("HOVERS", cite.FlightHoverCheck, "%s hovers already", c.Name)
	}
	return body.FirstError(refuseAir(at.State, c, WeatherOf(at.State, at.Take.GetFacts())), refuseHalfSpeed(at, cite.FlightHoverCheck))
}

func doHover(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "hover", Notes: body.StatedNotes(take)}, cite.FlightHoverCheck)
	hover(r, c.Id, take)
	return nil
}

// refuseHovering says why a creature cannot turn in place. An arrested fall counts as
// hovering.
//
// rcr.flight.hover-turn, rcr.flight.arrest-is-hovering
func refuseHovering(at *play.At) error {
	c := at.Actor
	if state := body.AirState(c); state != body.AirHovering && state != body.AirArresting {
		return body.Refuse("NOT_HOVERING", cite.FlightHoverTurn, "%s does not hover", c.Name)
	}
	return refuseTurn(at, 45)
}

// refuseTurn says that a turn takes more movement than is left: 5 feet for each 45
// degrees.
//
// rcr.flight.hover-turn
func refuseTurn(at *play.At, degrees int32) error {
	need := 2 * turnFeet(degrees)
	if left := leftHalf(at.State, at.Actor); left < need {
		return body.Refuse("NO_MOVEMENT", cite.FlightHoverTurn, "%s has %s feet of movement left, this takes %s", at.Actor.Name, feetText(left), feetText(need))
	}
	return nil
}

// turnFeet is what a turn in place costs: it goes the shorter way round.
func turnFeet(degrees int32) int32 { return min(degrees, 360-degrees) / 45 * 5 }

func turnFields(at *play.At) []play.Field {
	var open []string
	facing := int32(at.Actor.Counters[body.CFacing])
	for _, h := range body.Headings {
		if d := apart(facing, degreesOf(h)); d > 0 && refuseTurn(at, d) == nil {
			open = append(open, h)
		}
	}
	switch {
	case !at.Listing:
		return []play.Field{{Name: "heading"}, {Name: "degrees"}}
	case len(open) > 0:
		return []play.Field{{Name: "heading", Values: open, Required: true}}
	}
	var steps []int32
	for d := int32(45); d < 360; d += 45 {
		if refuseTurn(at, d) == nil {
			steps = append(steps, d)
		}
	}
	return []play.Field{{Name: "degrees", Required: true, Numbers: steps}}
}

// turnSaid is by how many degrees a command turns, clockwise.
func turnSaid(c *eventv1.Creature, take *eventv1.TakeAction) (int32, error) {
	facing := int32(c.Counters[body.CFacing])
	heading := spoken.Word(take.Parameters, "heading")
	degrees, said := spoken.Number(take.Parameters, "degrees")
	switch {
	case said == (heading != ""):
		return 0, fault.Field("take.parameters.heading", "either the heading or the degrees")
	case degrees%45 != 0:
		return 0, fault.Field("take.parameters.degrees", "must be a multiple of 45")
	case said:
		return degrees, nil
	case facing == 0:
		return 0, fault.Field("take.parameters.heading", "nobody knows where %s faces: give the degrees", c.Name)
	case apart(facing, degreesOf(heading)) == 0:
		return 0, fault.Field("take.parameters.heading", "%s faces there", c.Name)
	}
	return (degreesOf(heading) - facing + 360) % 360, nil
}

func checkTurn(at *play.At) error {
	degrees, err := turnSaid(at.Actor, at.Take)
	if err != nil {
		return err
	}
	return refuseTurn(at, degrees)
}

// doHoverTurn turns in place.
//
// rcr.flight.hover-turn
func doHoverTurn(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	degrees, err := turnSaid(c, take)
	if err != nil {
		return err
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "hover-turn"}, cite.FlightHoverTurn)
	pay(r, c.Id, 2*turnFeet(degrees), "it turns in place", cite.FlightHoverTurn)
	if facing := int32(c.Counters[body.CFacing]); facing != 0 {
		r.Set(c.Id, body.CFacing, int64((facing+degrees-1)%360+1), "it turns", cite.FlightHoverTurn)
	}
	return nil
}

func refusePullOut(at *play.At) error {
	if body.AirState(at.Actor) != body.AirDiving {
		return body.Refuse("NOT_DIVING", cite.FlightDivePullOut, "%s does not dive", at.Actor.Name)
	}
	return nil
}

func doPullOut(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "pull-out", Notes: body.StatedNotes(take)}, cite.FlightDivePullOut)
	pullOut(r, c.Id, take)
	return nil
}

// refuseRecover says why a creature cannot try to regain flight now.
//
// rcr.flight.arrest-recover
func refuseRecover(at *play.At) error {
	c := at.Actor
	switch {
	case body.AirState(c) != body.AirArresting:
		return body.Refuse("NOT_ARRESTING", cite.FlightArrestRecover, "%s does not arrest a fall", c.Name)
	case body.SpeedIn(at.State, c.Id, "fly") == 0:
		return body.Refuse("SPEED_ZERO", cite.FlightArrestRecover, "%s has a fly speed of 0", c.Name)
	}
	return body.FirstError(checks.NeedAction(c), refuseAir(at.State, c, WeatherOf(at.State, at.Take.GetFacts())))
}

// doRecover tries to regain flight out of an arrested fall; who does lies no longer.
//
// rcr.flight.arrest-recover
func doRecover(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	const rule = cite.FlightArrestRecover
	skill := spoken.Word(take.Parameters, "skill")
	if skill == "" {
		skill = "athletics"
	}
	body.Spend(r, c.Id, body.CAction, "recover", rule)
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "recover", Notes: body.StatedNotes(take)}, rule)
	if !flightCheck(r, c.Id, "recover", skill, 15, rule, take) {
		return nil
	}
	for _, x := range r.Creature(c.Id).Conditions {
		if x.Name == body.CondProne {
			r.RemoveCondition(c.Id, x, "it flies", rule)
		}
	}
	setAir(r, c.Id, body.AirFlying, "it has caught itself", rule)
	r.Flag(c.Id, body.MFallBegan, false)
	return nil
}

func refuseCollide(c *eventv1.Creature) error {
	if !body.Flies(c) {
		return notInTheAir(c, cite.FlightCollisionSave)
	}
	return nil
}

// doCollide is the game master's word that a flyer meets an obstacle or another.
//
// rcr.flight.collision-save
func doCollide(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "collide", Targets: take.Targets}, cite.FlightCollisionSave)
	w, other := WeatherOf(r.State(), take.Facts), ""
	if len(take.Targets) > 0 {
		other = take.Targets[0]
	}
	Collide(r, c.Id, other, w)
	Collide(r, other, c.Id, w)
	return nil
}

// itemsFlownOn are the things that bear a creature and that others can strike.
func itemsFlownOn(at *play.At) (names []string) {
	for _, x := range at.Actor.GetConditions() {
		if x.Name == body.CondLifted && x.Variant == body.LiftHeld {
			names = append(names, x.Cause)
		}
	}
	if !at.Listing && len(names) == 0 {
		return []string{at.Item()}
	}
	return names
}

func itemFields(at *play.At) []play.Field {
	return body.Offer([]play.Field{{Name: "amount", Required: true}}, at, true, play.Field{Name: "bonus"})
}

// doStrikeItem lets a thing that bears flyers save after damage to it; on a failure
// all whom it bears come down.
//
// rcr.flight.magic-held-item-damage
func doStrikeItem(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	const rule = cite.FlightMagicHeldItemDamage
	var lift *eventv1.Condition
	for _, x := range c.Conditions {
		if x.Name == body.CondLifted && x.Variant == body.LiftHeld && x.Cause == take.Item {
			lift = x
		}
	}
	if lift == nil {
		return body.Refuse("NOT_FLOWN", rule, "%s does not fly on %s", c.Name, take.Item)
	}
	amount, _ := spoken.Number(take.Parameters, "amount")
	bonus, _ := spoken.Number(take.Parameters, "bonus")
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "strike-item", Item: take.Item}, rule)
	rise, why := Rise(r.State(), nil, WeatherOf(r.State(), take.Facts))
	saved := dice.D20{Label: "item/" + take.Item, Reason: take.Item + " stays in the air", Modifiers: []*eventv1.Modifier{body.Mod(bonus, "its own", rule)},
		Target: dice.Difficulty(max(10, amount/2) + rise), Rules: cited(rule, why)}.Roll(r)
	if saved.Success() {
		return nil
	}
	for _, id := range r.CreatureIDs() {
		for _, x := range r.Creature(id).Conditions {
			if x.Name == body.CondLifted && x.Cause == lift.Cause && x.Source == lift.Source {
				r.RemoveCondition(id, x, take.Item+" stops flying", rule)
			}
		}
	}
	return nil
}
