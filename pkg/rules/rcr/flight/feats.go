package flight

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
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

// refuseReverse says why a creature cannot reverse now.
//
// rcr.feat.aerial-ace-reverse, rcr.feat.aerial-ace-reverse-recharge
func refuseReverse(at *play.At) error {
	const rule = cite.FeatAerialAceReverse
	c, s := at.Actor, at.State
	switch {
	case !body.HasFeat(c, body.FeatAerialAce) || !body.Defaults.On(s, rule):
		return body.Refuse("NO_FEAT", rule, "%s has no such manoeuvre", c.Name)
	case body.AirState(c) != body.AirFlying && body.AirState(c) != body.AirHovering:
		return body.FirstError(refuseState(c), notInTheAir(c, rule))
	case c.Marks[body.MReversed] != "" && body.Defaults.On(s, cite.FeatAerialAceReverseRecharge):
		return body.Refuse("REVERSED", cite.FeatAerialAceReverseRecharge, "%s has reversed and not yet spent all its fly speed in a turn", c.Name)
	}
	return refuseHalfSpeed(at, rule)
}

// refuseHalfSpeed says that the movement left is less than half the fly speed.
func refuseHalfSpeed(at *play.At, rule string) error {
	need := 2 * halfSpeed(at.State, at.Actor.Id)
	if left := leftHalf(at.State, at.Actor); left < need {
		return body.Refuse("NO_MOVEMENT", rule, "%s has %s feet of movement left, this takes %s", at.Actor.Name, feetText(left), feetText(need))
	}
	return nil
}

// doReverse turns a flyer about on the spot.
//
// rcr.feat.aerial-ace-reverse
func doReverse(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	const rule = cite.FeatAerialAceReverse
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "reverse", Notes: body.StatedNotes(take)}, rule)
	pay(r, c.Id, 2*halfSpeed(r.State(), c.Id), "it reverses", rule)
	if facing := int32(c.Counters[body.CFacing]); facing != 0 {
		r.Set(c.Id, body.CFacing, int64((facing+180-1)%360+1), "it reverses", rule)
	}
	r.Flag(c.Id, body.MReversed, true, cite.FeatAerialAceReverseRecharge)
	return nil
}

// refuseBlast says why a creature cannot make a blast of wind now.
//
// rcr.feat.mighty-wings-blast
func refuseBlast(at *play.At) error {
	const rule = cite.FeatMightyWingsBlast
	switch c := at.Actor; {
	case !body.Mighty(at.State, c, rule):
		return body.Refuse("NO_FEAT", rule, "%s has no wings for a blast of wind", c.Name)
	case body.Airborne(c):
		return body.Refuse("FLYING", rule, "%s is in the air", c.Name)
	}
	return checks.NeedAction(at.Actor)
}

// refuseBlasted says that a creature is known to stand too far from a blast.
func refuseBlasted(at *play.At, t *eventv1.Creature) error {
	feet, known := spoken.Number(at.Take.GetFacts(), "distance")
	if !known {
		feet, _ = body.Distance(at.Actor, t)
	}
	if feet > blastFeet {
		return body.Refuse("OUT_OF_RANGE", cite.FeatMightyWingsBlast, "%s stands farther than %d feet", t.Name, blastFeet)
	}
	return nil
}

const blastFeet = 10

// doBlast knocks all of at most its size about it prone, friends too: those named, or
// all within 10 feet on the map.
//
// rcr.feat.mighty-wings-blast, rcr.feat.mighty-wings-launch
func doBlast(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	const rule = cite.FeatMightyWingsBlast
	ids := take.Targets
	if len(ids) == 0 {
		for _, id := range r.CreatureIDs() {
			if feet, known := body.Distance(c, r.Creature(id)); known && id != c.Id && feet <= blastFeet && !body.Dead(r.Creature(id)) {
				ids = append(ids, id)
			}
		}
	}
	body.Spend(r, c.Id, body.CAction, "wind blast", rule)
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "wind-blast", Targets: ids, Notes: body.StatedNotes(take)}, rule)
	dc := 8 + body.AbilityMod(c, "strength") + body.SheetOf(c).ProficiencyBonus
	for _, id := range ids {
		t := r.Creature(id)
		if movement.SizesApart(t, c) > 0 {
			say(r, id, " is too large to be moved", rule)
			continue
		}
		edges, mods := body.StatedEdges(take.Circumstances, id)
		if !dice.RollSave(r, "blast/"+id, t, "strength", dc, "stay-up", c, body.SaveOpts{Edges: edges, Modifiers: mods,
			Kinds: body.Renamed(take.Facts, "kinds"), Reason: "blast of wind", Rules: []string{rule}}).Success() {
			body.SetProne(r, id, "wind blast", rule)
		}
	}
	if body.Defaults.On(r.State(), cite.FeatMightyWingsLaunch) {
		r.Flag(c.Id, body.MBlasted, true, cite.FeatMightyWingsLaunch)
	}
	return nil
}

// refuseLaunch says why a creature cannot launch itself now.
//
// rcr.feat.mighty-wings-launch
func refuseLaunch(at *play.At) error {
	c := at.Actor
	if c.Marks[body.MBlasted] == "" {
		return body.Refuse("NOT_NOW", cite.FeatMightyWingsLaunch, "a launch follows a blast of wind at once")
	}
	if halfSpeed(at.State, c.Id) < 1 {
		return body.Refuse("NO_FLIGHT", cite.FeatMightyWingsLaunch, "%s cannot fly", c.Name)
	}
	return body.FirstError(answers.RefuseSpeed(at.State, c), refuseAir(at.State, c, WeatherOf(at.State, at.Take.GetFacts())))
}

func launchFields(at *play.At) []play.Field {
	if !at.Listing {
		return []play.Field{{Name: "feet"}, {Name: "path"}, {Name: "climb"}, {Name: "descend"}, {Name: "vertical"}, {Name: "heading"}, {Name: "aloft"}, {Name: "over_water"}}
	}
	if at.Actor.Position != nil {
		return []play.Field{{Name: "path", Required: true}, {Name: "aloft"}}
	}
	most := halfSpeed(at.State, at.Actor.Id)
	return []play.Field{{Name: "feet", Required: true, Least: 1, Most: most}, {Name: "climb", Least: 1, Most: most}, {Name: "heading"}, {Name: "aloft"}}
}

// planLaunch reads a launch: any way, for nothing, as far as half the fly speed.
//
// rcr.feat.mighty-wings-launch
func planLaunch(at *play.At) (*movement.Walk, error) {
	s, c, take := at.State, at.Actor, at.Take
	feet, said := spoken.Number(take.Parameters, "feet")
	switch {
	case len(take.Path) > 0 && c.Position == nil:
		return nil, fault.Field("take.path", "%s stands nowhere: give the parameter feet", c.Name)
	case len(take.Path) > 0 && said:
		return nil, fault.Field("take.parameters.feet", "the path says how far")
	case len(take.Path) == 0 && (!said || c.Position != nil):
		return nil, fault.Field("take.parameters.feet", "a path, or a number from 1 without positions, is needed")
	}
	w := movement.NewWalk(c, movement.Glided(c, take, feet), take, 0)
	k := &course{id: c.Id, take: take, weather: WeatherOf(s, take.Facts), free: true, aloft: spoken.Truth(take.Parameters, "aloft")}
	if err := k.plan(s, c, w); err != nil {
		return nil, err
	}
	total := int32(0)
	for i := range k.pieces {
		k.pieces[i].half = 0
		total += k.pieces[i].feet
		if p := k.pieces[i]; p.up+p.down > p.feet {
			return nil, fault.Field("take.parameters.climb", "more than the %d feet of the flight", p.feet)
		}
	}
	if most := halfSpeed(s, c.Id); total > most {
		return nil, body.Refuse("NO_MOVEMENT", cite.FeatMightyWingsLaunch, "a launch goes %d feet at most", most)
	}
	if err := body.FirstError(k.refuseHeights(c), k.refuseTurns(s, c, w), refuseLaunchEnd(s, c, take)); err != nil {
		return nil, err
	}
	w.Spared, w.Air = spared(s, c), k
	return w, nil
}

// refuseLaunchEnd says that a launch would end where another stands.
func refuseLaunchEnd(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if n := len(take.Path); n > 0 {
		if id := movement.Overlapped(s, c, take.Path[n-1]); id != "" {
			return body.Refuse("SPACE_TAKEN", cite.BaseFifthEditionFallback, "%s stands there", s.Creatures[id].Name)
		}
	}
	return nil
}

// doLaunch flies off after a blast.
//
// rcr.feat.mighty-wings-launch
func doLaunch(r *rules.Resolution, at *play.At) error {
	w, err := planLaunch(at)
	if err != nil {
		return err
	}
	c := r.Creature(at.Actor.Id)
	r.Flag(c.Id, body.MBlasted, false)
	r.Emit(checks.SeenMoving(c), &eventv1.ActionTaken{Creature: c.Id, Action: "launch", Notes: w.Way.Notes}, cite.FeatMightyWingsLaunch)
	w.R = r
	w.Run()
	Arrive(r, w)
	body.EndDistantGrapples(r, c.Id)
	return nil
}

// Passed tells the chapter that an action has been taken: a launch that does not
// follow its blast at once is not made.
//
// rcr.feat.mighty-wings-launch
func Passed(r *rules.Resolution, id, action string) {
	if action != "wind-blast" && r.Creature(id).GetMarks()[body.MBlasted] != "" {
		r.Flag(id, body.MBlasted, false, cite.FeatMightyWingsLaunch)
	}
}
