package celesia

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// grappleActions begin, keep up, end and leave a hold.
func grappleActions() []*action {
	return []*action{
		{id: "grapple", title: "Grapple", rule: cite.ManeuverGrapple, cost: grappleCost, trigger: "maneuver", targeted: true, provoke: always,
			refuse: func(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
				return refuseGrapple(s, c, s.Creatures[target(take)], take)
			}, do: doGrapple},
		{id: "grapple-continued", title: "Keep up the grapple", rule: cite.ManeuverGrappleContinued, cost: grappleCost, holding: true,
			trigger: "maneuver", refuse: refuseHolding, do: doContinue},
		{id: "release-grapple", title: "Release the grapple", rule: cite.ManeuverGrappleRelease, holding: true,
			refuse: refuseHolding, do: doRelease},
		{id: "release-pin", title: "Give up the pin", rule: cite.ManeuverGrapplePin, holding: true, refuse: refuseUnpin, do: doUnpin},
		{id: "escape-grapple", title: "Escape the grapple", rule: cite.ManeuverEscapeGrapple, acts: 1, trigger: "maneuver",
			refuse: refuseEscape, parameters: escapeParameters, do: doEscape},
		{id: "untie", title: "Untie somebody", rule: ruleTieUp, acts: 1, trigger: "other", provoke: always, targeted: true, refuse: refuseUntie, do: doUntie},
	}
}

// grappleCost is 2 acts, 1 with Improved Grapple.
//
// celesia.feat.improved-grapple
func grappleCost(c *eventv1.Creature, _ *eventv1.TakeAction) int32 {
	if feature(c, featImprovedGrapple) {
		return 1
	}
	return 2
}

// holds is the foe that a creature began to grapple or has control of; empty
// when there is none.
func holds(c *eventv1.Creature) string {
	for _, x := range c.GetConditions() {
		if x.Name == condGrappled && x.Variant == variantHolder {
			return x.Source
		}
	}
	return ""
}

// heldBy is who holds a creature; empty when nobody does.
func heldBy(c *eventv1.Creature) string {
	for _, x := range c.GetConditions() {
		if x.Name == condGrappled && x.Variant != variantHolder {
			return x.Source
		}
	}
	return ""
}

func refuseGrapple(s *eventv1.State, c, t *eventv1.Creature, take *eventv1.TakeAction) error {
	const rule = cite.ManeuverGrapple
	if has(c, condPinned) {
		return refuse("PINNED", cite.ManeuverPin, "%s is pinned and can only try to escape", c.Name)
	}
	if has(c, condGrappled) {
		return refuse("GRAPPLED", rule, "%s is in a grapple already", c.Name)
	}
	if t == nil {
		return nil
	}
	if has(t, condGrappled) {
		return refuse("GRAPPLED", rule, "%s is in a grapple already", t.Name)
	}
	if feet, known := apart(take, c, t); known && feet > naturalReach(c) {
		return outOfReach(rule, t, feet)
	}
	return nil
}

// freeHands counts the hands that hold nothing and can hold something.
func freeHands(c *eventv1.Creature) int32 {
	n := usableHands(c)
	for _, name := range inHands(c) {
		n--
		if c.Items[name].Place == placeBoth {
			n--
		}
	}
	return max(0, n)
}

// doGrapple starts a hold: both are grappled. A humanoid without two free hands
// is at -4; a foe at a distance is pulled beside the grappler, and without a
// space for that the grapple fails.
//
// celesia.maneuver.grapple, celesia.maneuver.grapple-hands, celesia.maneuver.grapple-pull
func doGrapple(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	t := r.Creature(target(take))
	var hands []*eventv1.Modifier
	if sheetOf(c).Humanoid && freeHands(c) < 2 {
		hands = append(hands, mod(-4, "without two free hands", cite.ManeuverGrappleHands))
	}
	if !rollManeuverCheck(r, "grapple", "grapple", c, t, maneuverDefense(t, false), take, cite.ManeuverGrapple, hands...).Success() {
		return nil
	}
	if feet, known := distance(c, t); known && feet > 5 {
		at := beside(r.State(), c, t)
		if at == nil {
			r.Note(event.Everyone(), c.Id, "there is no open space beside "+c.Name+": the grapple fails", cite.ManeuverGrapplePull)
			return nil
		}
		r.Move(&eventv1.Moved{Creature: t.Id, To: at, Mode: "pull", Feet: grid.Steps(at, t.Position)}, cite.ManeuverGrapplePull)
		carried(r, t.Id)
	}
	hold(r, c.Id, t.Id)
	return nil
}

// hold makes one creature the holder of another.
func hold(r *rules.Resolution, holder, foe string) {
	r.AddCondition(holder, &eventv1.Condition{Name: condGrappled, Variant: variantHolder, Source: foe, Cause: "grapple", Rule: cite.ManeuverGrapple})
	r.AddCondition(foe, &eventv1.Condition{Name: condGrappled, Variant: variantHeld, Source: holder, Cause: "grapple", Rule: cite.ManeuverGrapple})
	r.Mark(holder, mKept, "yes", cite.ManeuverGrappleMaintain)
}

// endGrapple frees both sides of the hold that a creature has.
func endGrapple(r *rules.Resolution, holder, cause, rule string) {
	foe := holds(r.Creature(holder))
	for _, pair := range [][2]string{{holder, foe}, {foe, holder}} {
		for _, x := range slices.Clone(r.Creature(pair[0]).GetConditions()) {
			if (x.Name == condGrappled || x.Name == condPinned || x.Name == condPinning) && x.Source == pair[1] {
				r.RemoveCondition(pair[0], x, cause, rule)
			}
		}
	}
	if r.Creature(foe) != nil {
		unchoke(r, foe, holder)
	}
	if r.Creature(holder) != nil {
		r.Mark(holder, mDragging, "")
	}
}

// endHolds ends the hold that a creature has, and that on it when it is gone or
// dead: a body that cannot act is still held.
func endHolds(r *rules.Resolution, id, cause string) {
	c := r.Creature(id)
	if holds(c) != "" {
		endGrapple(r, id, cause, cite.ManeuverGrappleRelease)
	}
	if holder := heldBy(c); holder != "" && (dead(c) || cause == "gone") {
		endGrapple(r, holder, cause, cite.ManeuverGrappleRelease)
	}
}

// refuseUnpin: whoever pins a foe can go back to merely holding it.
//
// celesia.maneuver.grapple-pin
func refuseUnpin(_ *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	if !has(c, condPinning) {
		return refuse("NO_PIN", cite.ManeuverGrapplePin, "%s pins nobody", c.Name)
	}
	return nil
}

func doUnpin(r *rules.Resolution, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	foe := condition(c, condPinning).Source
	lift(r, c.Id, condPinning, "the pin is given up", cite.ManeuverGrapplePin)
	for _, x := range slices.Clone(r.Creature(foe).GetConditions()) {
		if x.Name == condPinned && x.Source == c.Id {
			r.RemoveCondition(foe, x, "the pin is given up", cite.ManeuverGrapplePin)
		}
	}
	unchoke(r, foe, c.Id)
	return nil
}

func refuseHolding(_ *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	if holds(c) == "" {
		return refuse("NO_HOLD", cite.ManeuverGrappleRelease, "%s holds nobody", c.Name)
	}
	return nil
}

func doRelease(r *rules.Resolution, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	endGrapple(r, c.Id, "released", cite.ManeuverGrappleRelease)
	return nil
}

// doContinue keeps a hold up at +5; success lets the holder move with the foe,
// hurt it or pin it, failure loses the hold (a reading).
//
// celesia.maneuver.grapple-continued, celesia.maneuver.grapple-maintain
func doContinue(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	foe := r.Creature(holds(c))
	rolled := rollManeuverCheck(r, "grapple-continued", "grapple", c, foe, maneuverDefense(foe, false), take,
		cite.ManeuverGrappleContinued, mod(5, "keeping up", cite.ManeuverGrappleContinued))
	if !rolled.Success() {
		endGrapple(r, c.Id, "not kept up", cite.ManeuverGrappleMaintain)
		return nil
	}
	r.Mark(c.Id, mKept, "yes", cite.ManeuverGrappleMaintain)
	what := r.Ask("grapple", holdDecision(c, foe)).Option
	switch way, rest, _ := strings.Cut(what, ":"); way {
	case "tie-up":
		tieUp(r, c, foe, take, rest)
	case "move":
		r.Mark(c.Id, mDragging, "yes", cite.ManeuverGrappleMove)
	case "pin":
		pin(r, c.Id, foe.Id)
	case "choke":
		pin(r, c.Id, foe.Id)
		choke(r, r.Creature(c.Id), r.Creature(foe.Id), rest, take)
	case "lethal", "nonlethal":
		// celesia.maneuver.grapple-damage: no attack roll and no degrees.
		harm(r, attack{by: c.Id, target: foe.Id, weapon: weaponOf(c, rest), label: "grapple",
			take: &eventv1.TakeAction{Creature: c.Id, Parameters: paramStruct("damage", way)}}, 0, false, "")
	}
	return nil
}

// pin pins a foe in hold: its holder has no Dexterity bonus as long as it lasts.
//
// celesia.maneuver.grapple-pin, celesia.maneuver.pin
func pin(r *rules.Resolution, holder, foe string) {
	if has(r.Creature(foe), condPinned) {
		return
	}
	r.AddCondition(foe, &eventv1.Condition{Name: condPinned, Source: holder, Cause: "grapple", Rule: cite.ManeuverGrapplePin})
	r.AddCondition(holder, &eventv1.Condition{Name: condPinning, Source: foe, Cause: "grapple", Rule: cite.ManeuverGrapplePin})
}

// holdDecision is what a holder does with a foe after a successful check.
func holdDecision(c, foe *eventv1.Creature) *eventv1.Decision {
	d := &eventv1.Decision{Name: decHold, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: c.Id, Cause: "grapple kept up",
		Question: "What does " + c.Name + " do with " + foe.Name + "?", DefaultOption: "move", Rule: cite.ManeuverGrappleContinued,
		Options: []*eventv1.DecisionOption{{Id: "move", Text: "Move with the foe", Rule: cite.ManeuverGrappleMove}}}
	if !has(foe, condPinned) {
		d.Options = append(d.Options, &eventv1.DecisionOption{Id: "pin", Text: "Pin the foe", Rule: cite.ManeuverGrapplePin})
	}
	d.Options = append(d.Options, chokeOptions(c, foe)...)
	for _, rope := range ropes(c) {
		d.Options = append(d.Options, &eventv1.DecisionOption{Id: "tie-up:" + rope, Text: "Tie the foe up with " + rope, Rule: ruleTieUp})
	}
	for _, w := range sheetOf(c).Weapons {
		usable := bodyless(w) && !ranged(w) || w.Kind == kindMelee && w.Hands < 2 && place(c, w) != placeBoth
		if !usable || !wieldable(c, w) {
			continue
		}
		for _, way := range []string{"lethal", "nonlethal"} {
			d.Options = append(d.Options, &eventv1.DecisionOption{Id: way + ":" + w.Name, Text: way + " damage with " + w.Name, Rule: cite.ManeuverGrappleDamage})
		}
	}
	return d
}

func escapeParameters(*eventv1.State, *eventv1.Creature) []*eventv1.Parameter {
	return []*eventv1.Parameter{choice("check", "the check made", false, "maneuver", "escape-artist")}
}

// refuseEscape: somebody or something must hold the creature.
func refuseEscape(_ *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	if heldBy(c) == "" && tied(c) == nil {
		return refuse("NOT_HELD", cite.ManeuverEscapeGrapple, "nobody holds %s", c.Name)
	}
	return nil
}

// escapes rolls the check of an escape.
func escapes(r *rules.Resolution, c, holder *eventv1.Creature, cmd *eventv1.TargetNumber, take *eventv1.TakeAction, check string, more []*eventv1.Modifier) bool {
	const rule = cite.ManeuverEscapeGrapple
	if check == "escape-artist" {
		return rollSkillCheck(r, "escape", c, rollKind{name: "escape-artist"}, cmd.Value, "escape", more, take.GetCircumstances(), rule).Success()
	}
	return rollManeuverCheck(r, "escape", "escape", c, holder, cmd, take, rule, more...).Success()
}

// doEscape breaks a hold or turns it round; each further attempt in a turn is
// at 5 less.
//
// celesia.maneuver.escape-grapple
func doEscape(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	holder := r.Creature(heldBy(c))
	tries := int32(c.Counters[cEscapes])
	r.Set(c.Id, cEscapes, int64(tries)+1, "escape", cite.ManeuverEscapeGrapple)
	worse := nonzero(mod(-5*tries, "earlier attempts this turn", cite.ManeuverEscapeGrapple))
	if holder == nil {
		escapeRopes(r, c, take, worse)
		return nil
	}
	if !escapes(r, c, holder, maneuverDefense(holder, false), take, spoken.Word(take.Parameters, "check"), worse) {
		return nil
	}
	d := &eventv1.Decision{Name: decEscape, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: c.Id, Cause: "escape",
		Question: "Get out, or gain control?", DefaultOption: "free", Rule: cite.ManeuverEscapeGrapple,
		Options: []*eventv1.DecisionOption{{Id: "free", Text: "Get out"}, {Id: "control", Text: "Gain control of the grapple"}}}
	won := r.Ask("escape", d).Option
	endGrapple(r, holder.Id, "escaped", cite.ManeuverEscapeGrapple)
	if won == "control" {
		hold(r, c.Id, holder.Id)
	}
	return nil
}
