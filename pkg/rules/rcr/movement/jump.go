package movement

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Jumps that a way may end with.
const (
	longJump = "long"
	highJump = "high"
)

// leapFeet is how far a creature leaps at most, or how high.
//
// rcr.base.jumping
func leapFeet(c *eventv1.Creature, jump string, running bool) int32 {
	feet := body.AbilityScore(c, "strength")
	if jump == highJump {
		feet = max(0, 3+body.AbilityMod(c, "strength"))
	}
	if !running {
		feet /= 2
	}
	return max(feet, body.TraitLeap(c, jump == highJump, running)) // rcr.trait.leap
}

// leap reads the jump that a way ends with: the last feet of a way on foot, or for a
// high jump feet up from where it leads. The part before is the run-up; that it was run
// before this way may be stated.
//
// rcr.base.jumping
func (w *way) leap(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	feet, given := spoken.Number(take.Parameters, "leap")
	if w.jump = spoken.Word(take.Parameters, "jump"); w.jump == "" {
		if given {
			return fault.Field("take.parameters.leap", "goes with jump, long or high")
		}
		return nil
	}
	if w.Mode != "walk" {
		return body.Refuse("NOT_ON_FOOT", cite.BaseJumping, "a jump is made on foot")
	}
	if w.jump == highJump && len(take.Path) > 0 {
		if !given {
			return body.Missing("leap")
		}
		w.Legs = append(w.Legs, leg{to: w.Legs[len(w.Legs)-1].to, feet: feet})
	}
	total := int32(0)
	for _, l := range w.Legs {
		total += l.feet
	}
	if !given {
		feet = total
	}
	if feet > total {
		return fault.Field("take.parameters.leap", "the way is %d feet in all", total)
	}
	start, _ := body.RunUp(s, c)
	running := total-feet >= start
	if take.GetFacts().GetFields()["running_start"] != nil {
		running = spoken.Truth(take.Facts, "running_start")
	}
	how := "standing"
	if running {
		how = "running"
	}
	if most := leapFeet(c, w.jump, running); feet > most {
		return body.Refuse("TOO_FAR", cite.BaseJumping, "a %s %s jump of %s goes %d feet at most", how, w.jump, c.Name, most)
	}
	w.airborne(feet)
	w.Notes = append(w.Notes, how+" "+w.jump+" jump of "+body.Itoa(feet)+" feet")
	return nil
}

// airborne has the last feet of a way led through the air, where the ground costs
// nothing more.
func (w *way) airborne(feet int32) {
	if len(w.Legs) == 1 && w.Legs[0].feet > feet { // where nobody has positions
		run := w.Legs[0]
		run.feet -= feet
		over := leg{to: run.to, feet: feet, tight: max(0, run.tight-run.feet)}
		run.slow, run.dangerous, run.tight = min(run.slow, run.feet), min(run.dangerous, run.feet), min(run.tight, run.feet)
		w.Legs = []leg{run, over}
	}
	for i := len(w.Legs) - 1; i >= 0 && feet > 0; i-- {
		w.Legs[i].leapt = min(feet, w.Legs[i].feet)
		w.Legs[i].light = feet >= w.Legs[i].feet
		feet -= w.Legs[i].leapt
	}
}

// squeeze lays the stated feet of too narrow a space on the way, from its start on.
//
// rcr.base.squeezing
func (w *way) squeeze(take *eventv1.TakeAction) error {
	feet, said := spoken.Number(take.Facts, "squeezing")
	if said {
		w.Notes = append(w.Notes, "squeezing "+body.Itoa(feet)+" feet (stated)")
	}
	if (feet > 0 || spoken.Truth(take.Facts, "ends_squeezed")) && w.Mode == "fly" {
		return body.Refuse("TOO_NARROW", cite.FlightNoSqueeze, "nobody squeezes in flight")
	}
	for i := range w.Legs {
		w.Legs[i].tight = min(w.Legs[i].feet, feet)
		feet -= w.Legs[i].tight
	}
	return nil
}

// Landed settles how a way on the ground has ended: squeezed into too narrow a space or
// out of one, and on rough ground after a leap.
//
// rcr.base.squeezing, rcr.base.jumping
func (k *Walk) Landed() {
	if !k.arrived { // as any flight, which lands by its own rules
		return
	}
	switch tight := spoken.Truth(k.take.GetFacts(), "ends_squeezed"); {
	case !tight:
		dice.EndCondition(k.R, k.id, body.CondSqueezing, "there is room again", cite.BaseSqueezing)
	case !body.Has(k.R.Creature(k.id), body.CondSqueezing):
		k.R.AddCondition(k.id, &eventv1.Condition{Name: body.CondSqueezing, Cause: "too narrow a space", Rule: cite.BaseSqueezing})
	}
	if k.Way.jump != longJump || !spoken.Truth(k.take.GetFacts(), "rough_landing") {
		return
	}
	edges, mods := body.StatedEdges(k.take.Circumstances, k.id)
	if !dice.RollCheck(k.R, "landing/"+k.id, k.R.Creature(k.id), "acrobatics", 10, "movement", body.CheckOpts{Edges: edges, Modifiers: mods,
		Kinds: body.Renamed(k.take.Facts, "kinds"), Reason: "land on rough ground", Rules: []string{cite.BaseJumping}}).Success() {
		body.SetProne(k.R, k.id, "the landing", cite.BaseJumping)
	}
}
