package underwater

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
)

const (
	secondsPerMinute = 60
	// tiring is how many seconds of swimming ask for a saving throw.
	tiring = 10 * secondsPerMinute
)

// Tires has a creature gain a level of exhaustion: in a fight by a deed of
// medicine, between fights at once.
type Tires func(id string)

// Swim has a living creature swim for so many seconds, after a rest of so many: every 10
// minutes without a rest of at least a minute ask for a saving throw, of which
// each that fails tires it before the next. Creatures with a swimming speed do not
// tire.
//
// rcr.underwater.swim-exhaustion, rcr.underwater.swim-rest
func Swim(r *rules.Resolution, id string, rested, seconds int64, tires Tires) {
	if !r.On(cite.UnderwaterIntro) || !r.On(cite.UnderwaterSwimExhaustion) {
		return
	}
	if rested >= secondsPerMinute && r.On(cite.UnderwaterSwimRest) {
		r.Set(id, body.CSwum, 0, "it has rested", cite.UnderwaterSwimRest)
	}
	if body.HasSwimSpeed(r.State(), r.Creature(id)) {
		return
	}
	swum := r.Count(id, body.CSwum) + seconds
	for ; swum >= tiring && !body.Dead(r.Creature(id)); swum -= tiring {
		saved := dice.RollSave(r, "swim/"+id, r.Creature(id), "constitution", 10, "", nil,
			body.SaveOpts{Reason: "swimming for 10 minutes: constitution saving throw", Rules: []string{cite.UnderwaterSwimExhaustion}})
		if !saved.Success() {
			tires(id)
		}
	}
	r.Set(id, body.CSwum, swum, "it swims", cite.UnderwaterSwimExhaustion)
}

// EndTurn counts the swimming of a turn that ends: a round of it, or a round of
// rest, of which a minute in a row begins the count anew.
//
// rcr.underwater.swim-exhaustion, rcr.underwater.swim-rest
func EndTurn(r *rules.Resolution, id string, tires Tires) {
	c := r.Creature(id)
	switch afloat := c.Counters[body.CAfloat] + 1; {
	case c.Marks[body.MSwam] != "":
		r.Flag(id, body.MSwam, false)
		r.Set(id, body.CAfloat, 0, "it swims", cite.UnderwaterSwimRest)
		Swim(r, id, 0, secondsPerRound, tires)
	case c.Counters[body.CSwum] == 0:
	case afloat < roundsPerMinute:
		r.Set(id, body.CAfloat, afloat, "it does not swim", cite.UnderwaterSwimRest)
	default:
		r.Set(id, body.CAfloat, 0, "it has rested", cite.UnderwaterSwimRest)
		Swim(r, id, secondsPerMinute, 0, tires)
	}
}

// Swims notes that a creature without a swimming speed has swum this turn.
//
// rcr.underwater.swim-exhaustion
func Swims(r *rules.Resolution, id, mode string) {
	if mode == "swim" && !body.HasSwimSpeed(r.State(), r.Creature(id)) && r.On(cite.UnderwaterIntro) && r.On(cite.UnderwaterSwimExhaustion) {
		r.Flag(id, body.MSwam, true, cite.UnderwaterSwimExhaustion)
	}
}
