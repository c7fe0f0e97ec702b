package maneuvers

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// GrappleCost is 2 acts, 1 with Improved Grapple.
//
// celesia.feat.improved-grapple
func GrappleCost(c *eventv1.Creature, _ *eventv1.TakeAction) int32 {
	if body.Feature(c, body.FeatImprovedGrapple) {
		return 1
	}
	return 2
}

// DoGrapple starts a hold: both are grappled. A humanoid without two free hands
// is at -4; a foe at a distance is pulled beside the grappler, and without a
// space for that the grapple fails.
//
// celesia.maneuver.grapple, celesia.maneuver.grapple-hands, celesia.maneuver.grapple-pull
func DoGrapple(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	t := r.Creature(body.Target(take))
	var hands []*eventv1.Modifier
	if body.SheetOf(c).Humanoid && strike.FreeHands(c) < 2 {
		hands = append(hands, body.Mod(-4, "without two free hands", cite.ManeuverGrappleHands))
	}
	if !strike.RollManeuverCheck(r, "grapple", "grapple", c, t, checks.ManeuverDefense(t, false), take, cite.ManeuverGrapple, hands...).Success() {
		return nil
	}
	if feet, _ := body.Distance(c, t); feet > 5 {
		at := body.Beside(r.State(), c, t)
		if at == nil {
			r.Note(event.Everyone(), c.Id, "there is no open space beside "+c.Name+": the grapple fails", cite.ManeuverGrapplePull)
			return nil
		}
		r.Move(&eventv1.Moved{Creature: t.Id, To: at, Mode: "pull", Feet: grid.Steps(at, t.Position)}, cite.ManeuverGrapplePull)
		answers.Carried(r, t.Id)
	}
	hold(r, c.Id, t.Id)
	return nil
}

// hold makes one creature the holder of another.
func hold(r *rules.Resolution, holder, foe string) {
	if house.KeepsOff(r, r.Creature(foe), body.CondGrappled) {
		return
	}
	r.AddCondition(holder, &eventv1.Condition{Name: body.CondGrappled, Source: foe, Cause: "grapple", Rule: cite.ManeuverGrapple})
	r.AddCondition(foe, &eventv1.Condition{Name: body.CondGrappled, Source: holder, Cause: "grapple", Rule: cite.ManeuverGrapple})
	r.Relate(holder, &eventv1.Relation{Kind: body.RelHolds, To: foe, Round: r.State().Round, Rule: cite.ManeuverGrapple}, cite.ManeuverGrapple)
	r.Flag(holder, body.MKept, true, cite.ManeuverGrappleMaintain)
}

// EndHolds ends the hold that a creature has, and that on it when it is gone or
// dead: a body that cannot act is still held.
func EndHolds(r *rules.Resolution, id, cause string) {
	c := r.Creature(id)
	if answers.Holds(c) != "" {
		answers.EndGrapple(r, id, cause, cite.ManeuverGrappleRelease)
	}
	if holder := answers.HeldBy(c); holder != "" && (body.Dead(c) || cause == "gone") {
		answers.EndGrapple(r, holder, cause, cite.ManeuverGrappleRelease)
	}
}

// RefuseUnpin: whoever pins a foe can go back to merely holding it.
//
// celesia.maneuver.grapple-pin
func RefuseUnpin(_ *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	if !body.Has(c, body.CondPinning) {
		return body.Refuse("NO_PIN", cite.ManeuverGrapplePin, "%s pins nobody", c.Name)
	}
	return nil
}

// DoUnpin gives up the pin, and a chokehold with it; the foe stays grappled.
func DoUnpin(r *rules.Resolution, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	foe := body.Condition(c, body.CondPinning).Source
	body.Lift(r, c.Id, body.CondPinning, "the pin is given up", cite.ManeuverGrapplePin)
	for _, x := range r.Creature(foe).GetConditions() {
		if x.Name == body.CondPinned && x.Source == c.Id {
			r.RemoveCondition(foe, x, "the pin is given up", cite.ManeuverGrapplePin)
		}
	}
	answers.Unchoke(r, foe, c.Id)
	return nil
}

// RefuseHolding says that a creature holds nobody.
func RefuseHolding(_ *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	if answers.Holds(c) == "" {
		return body.Refuse("NO_HOLD", cite.ManeuverGrappleRelease, "%s holds nobody", c.Name)
	}
	return nil
}

// DoRelease lets the foe in hold go.
func DoRelease(r *rules.Resolution, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	answers.EndGrapple(r, c.Id, "released", cite.ManeuverGrappleRelease)
	return nil
}

// Pin pins a foe in hold: its holder has no Dexterity bonus as long as it lasts.
//
// celesia.maneuver.grapple-pin, celesia.maneuver.pin
func Pin(r *rules.Resolution, holder, foe string) {
	if body.Has(r.Creature(foe), body.CondPinned) {
		return
	}
	if !body.Inflict(r, foe, &eventv1.Condition{Name: body.CondPinned, Source: holder, Cause: "grapple", Rule: cite.ManeuverGrapplePin}) {
		return
	}
	r.AddCondition(holder, &eventv1.Condition{Name: body.CondPinning, Source: foe, Cause: "grapple", Rule: cite.ManeuverGrapplePin})
}

// HoldDecision is what a holder does with a foe after a successful check.
func HoldDecision(c, foe *eventv1.Creature) *eventv1.Decision {
	d := &eventv1.Decision{Name: body.DecHold, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: c.Id, Cause: "grapple kept up",
		Question: "What does " + c.Name + " do with " + foe.Name + "?", DefaultOption: "move", Rule: cite.ManeuverGrappleContinued,
		Options: []*eventv1.DecisionOption{{Id: "move", Text: "Move with the foe", Rule: cite.ManeuverGrappleMove}}}
	if !body.Has(foe, body.CondPinned) {
		d.Options = append(d.Options, &eventv1.DecisionOption{Id: "pin", Text: "Pin the foe", Rule: cite.ManeuverGrapplePin})
	}
	d.Options = append(d.Options, chokeOptions(c, foe)...)
	for _, rope := range answers.Ropes(c) {
		d.Options = append(d.Options, &eventv1.DecisionOption{Id: "tie-up:" + rope, Text: "Tie the foe up with " + rope, Rule: answers.RuleTieUp})
	}
	for _, w := range body.SheetOf(c).Weapons {
		usable := body.Bodyless(w) && !body.Ranged(w) || w.Kind == body.KindMelee && w.Hands < 2 && body.Place(c, w) != body.PlaceBoth
		if !usable || !strike.Wieldable(c, w) {
			continue
		}
		for _, way := range []string{"lethal", "nonlethal"} {
			d.Options = append(d.Options, &eventv1.DecisionOption{Id: way + ":" + w.Name, Text: way + " damage with " + w.Name, Rule: cite.ManeuverGrappleDamage})
		}
	}
	return d
}

// RefuseEscape: somebody or something must hold the creature.
func RefuseEscape(_ *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	if answers.HeldBy(c) == "" && answers.Tied(c) == nil {
		return body.Refuse("NOT_HELD", cite.ManeuverEscapeGrapple, "nobody holds %s", c.Name)
	}
	return nil
}

// DoEscape breaks a hold or turns it round; each further attempt in a turn is
// at 5 less.
//
// celesia.maneuver.escape-grapple
func DoEscape(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	holder := r.Creature(answers.HeldBy(c))
	tries := int32(c.Counters[body.CEscapes])
	r.Set(c.Id, body.CEscapes, int64(tries)+1, "escape", cite.ManeuverEscapeGrapple)
	worse := body.Nonzero(body.Mod(-5*tries, "earlier attempts this turn", cite.ManeuverEscapeGrapple))
	if holder == nil {
		strike.EscapeRopes(r, c, take, worse)
		return nil
	}
	if !strike.Escapes(r, c, holder, checks.ManeuverDefense(holder, false), take, spoken.Word(take.Parameters, "check"), worse) {
		return nil
	}
	d := &eventv1.Decision{Name: body.DecEscape, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: c.Id, Cause: "escape",
		Question: "Get out, or gain control?", DefaultOption: "free", Rule: cite.ManeuverEscapeGrapple,
		Options: []*eventv1.DecisionOption{{Id: "free", Text: "Get out"}, {Id: "control", Text: "Gain control of the grapple"}}}
	won := r.Ask("escape", d).Option
	answers.EndGrapple(r, holder.Id, "escaped", cite.ManeuverEscapeGrapple)
	if won == "control" {
		hold(r, c.Id, holder.Id)
	}
	return nil
}
