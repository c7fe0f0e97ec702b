package movement

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	thestrike "github.com/skaldrpg/skald/pkg/rules/rcr/strike"
	"github.com/skaldrpg/skald/pkg/rules/rcr/underwater"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Names of decisions of a fall.
const (
	DecFallRoll = "fall-roll"
	DecFallTo   = "fall-direction"
)

// MaxFall bounds a fall in feet: compounding, 62 tens are 1953 dice, and one
// roll may have 2000.
const MaxFall = 629

// FallDice is how many d6 a fall of so many feet deals; only full tens count.
//
// rcr.damage.fall-compounding
func FallDice(feet int32, compounding bool) int32 {
	tens := max(0, feet) / 10
	if compounding {
		return tens * (tens + 1) / 2
	}
	return min(tens, 20)
}

// fall lets a creature fall: it may roll with the fall, takes damage for what
// is left, and lies or stands where it came down. What is said weighs on the check
// that it rolls with the fall by, or dives by.
//
// rcr.damage.fall-roll-distance, rcr.damage.fall-type
func fall(r *rules.Resolution, id string, feet int32, facts map[string]string, said body.CheckOpts) {
	body.EndFlight(r, id, "it comes down")
	if underwater.OnWater(r, id, facts) {
		fallOnWater(r, id, feet, facts, said)
		return
	}
	c := r.Creature(id)
	total := fallRoll(r, c, feet, said)
	left := feet - max(0, total)/10*10
	taken := int32(0)
	if n := FallDice(left, r.On(cite.DamageFallCompounding)); n > 0 {
		behind := []string{cite.DamageFallType, cite.BaseFifthEditionFallback}
		if r.On(cite.DamageFallCompounding) {
			behind[1] = cite.DamageFallCompounding
		}
		rolled := r.Roll(rules.RollSpec{Label: "fall/damage", Creature: id, Expression: body.Itoa(n) + "d6",
			Reason: "a fall of " + body.Itoa(max(0, left)) + " feet", Rules: behind})
		res := DamageDeed(r, "fall/harm/"+id, r.Creature(id), nil, causeFall,
			[]*eventv1.DamagePart{{Type: "bludgeoning", Rolled: rolled.Total}}, false, facts)
		taken = res.Taken
	}
	land(r, id, total, taken)
}

// fallOnWater lets a creature fall on water: it may dive, and takes half the
// damage where that fails. It does not roll with such a fall, and lies nowhere
// (readings).
//
// rcr.underwater.dive-into-water, rcr.damage.fall-type
func fallOnWater(r *rules.Resolution, id string, feet int32, facts map[string]string, said body.CheckOpts) {
	said.Edges = append(slices.Clone(said.Edges), fallEdges(r, id)...)
	tried, dived := underwater.Dive(r, id, feet, said)
	if n := FallDice(feet, r.On(cite.DamageFallCompounding)); n > 0 && !dived {
		behind := []string{cite.DamageFallType, cite.BaseFifthEditionFallback}
		if r.On(cite.DamageFallCompounding) {
			behind[1] = cite.DamageFallCompounding
		}
		rolled := r.Roll(rules.RollSpec{Label: "fall/damage", Creature: id, Expression: body.Itoa(n) + "d6",
			Reason: "a fall of " + body.Itoa(feet) + " feet on water", Rules: behind})
		part := &eventv1.DamagePart{Type: "bludgeoning", Rolled: rolled.Total}
		if tried {
			part.Rolled, part.Note, part.Rule = rolled.Total/2, "half: a dive that failed", cite.UnderwaterDiveIntoWater
		}
		DamageDeed(r, "fall/harm/"+id, r.Creature(id), nil, causeFall, []*eventv1.DamagePart{part}, false, facts)
	}
	if !body.Dead(r.Creature(id)) {
		underwater.Plunge(r, id)
	}
}

// causeFall is the cause of the damage of a fall.
const causeFall = "fall"

// fallEdges are what an athlete has on checks and saving throws that the damage of a
// fall brings: rolling with it, diving, and keeping concentration.
//
// rcr.feat.athlete-fall-rolls
func fallEdges(r *rules.Resolution, id string) []*eventv1.Edge {
	if !body.Feat(r.State(), r.Creature(id), body.FeatAthlete, cite.FeatAthleteFallRolls) {
		return nil
	}
	return []*eventv1.Edge{dice.Adv("athlete", "athlete", cite.FeatAthleteFallRolls)}
}

// fallRoll asks whether the faller rolls with the fall, and gives the total of the check;
// 0 where it does not. The incapacitated cannot.
//
// rcr.damage.fall-roll-distance
func fallRoll(r *rules.Resolution, c *eventv1.Creature, feet int32, said body.CheckOpts) int32 {
	const rule = cite.DamageFallRollDistance
	if feet < 10 || body.Incapacitated(c) {
		return 0
	}
	skill := r.Ask("fall/"+c.Id, &eventv1.Decision{Name: DecFallRoll, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: c.Id,
		Cause: "a fall of " + body.Itoa(feet) + " feet", Question: "Roll with the fall?", Rule: rule, DefaultOption: thestrike.FallSkill(r.State(), c),
		Options: []*eventv1.DecisionOption{{Id: "acrobatics", Text: "Acrobatics"}, {Id: "athletics", Text: "Athletics"}, {Id: "no", Text: "Do not roll"}}}).Option
	if skill == "no" {
		return 0
	}
	said.Reason, said.Rules, said.Edges = "roll with the fall", []string{rule}, append(slices.Clone(said.Edges), fallEdges(r, c.Id)...)
	return dice.RollCheck(r, "fall/check/"+c.Id, r.Creature(c.Id), skill, 0, "movement", said).Total
}

// land compares the check with the damage taken: more, and the faller tumbles
// on 5 feet and keeps its feet. One without damage stands in any case.
//
// rcr.damage.fall-roll-landing
func land(r *rules.Resolution, id string, total, taken int32) {
	const rule = cite.DamageFallRollLanding
	c := r.Creature(id)
	if body.Dead(c) {
		return
	}
	switch {
	case total > taken && !body.Incapacitated(c):
		tumbleOn(r, c)
	case taken > 0:
		body.SetProne(r, id, "fall", rule)
	}
}

// compass are the ways in which a faller may tumble on.
var compass = []struct {
	id, text string
	x, y     int32
}{{"stay", "Stay", 0, 0}, {"north", "North", 0, 5}, {"north-east", "North-east", 5, 5}, {"east", "East", 5, 0}, {"south-east", "South-east", 5, -5},
	{"south", "South", 0, -5}, {"south-west", "South-west", -5, -5}, {"west", "West", -5, 0}, {"north-west", "North-west", -5, 5}}

// tumbleOn moves a faller 5 feet; it is no movement and provokes nothing.
// Without positions there is nothing to choose.
//
// rcr.damage.fall-roll-landing
func tumbleOn(r *rules.Resolution, c *eventv1.Creature) {
	const rule = cite.DamageFallRollLanding
	if c.Position == nil {
		r.Note(event.Everyone(), c.Id, c.Name+" tumbles on 5 feet and stands", rule)
		return
	}
	d := &eventv1.Decision{Name: DecFallTo, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: c.Id, Cause: "the fall",
		Question: "Tumble on 5 feet: which way?", DefaultOption: "stay", Rule: rule}
	for _, way := range compass {
		to := &eventv1.Position{X: c.Position.X + way.x, Y: c.Position.Y + way.y, Z: c.Position.Z}
		if way.id == "stay" || thestrike.SpaceFree(r.State(), c, to) {
			d.Options = append(d.Options, &eventv1.DecisionOption{Id: way.id, Text: way.text})
		}
	}
	chosen := r.Ask("fall/to/"+c.Id, d).Option
	for _, way := range compass {
		if way.id == chosen && way.id != "stay" {
			at := r.Creature(c.Id).Position
			r.Move(&eventv1.Moved{Creature: c.Id, Mode: "fall", Feet: 5,
				To: &eventv1.Position{X: at.X + way.x, Y: at.Y + way.y, Z: at.Z}}, rule)
		}
	}
}
