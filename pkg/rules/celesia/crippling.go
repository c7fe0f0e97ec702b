package celesia

import (
	"strings"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// causeInjury marks the conditions that come of crippling injuries.
const causeInjury = "crippling injury"

// offerCrippling asks the victim, damage known and not yet applied, whether it
// takes an injury in place of damage. It returns the choice, empty for none.
//
// celesia.injury.crippling-choice, celesia.injury.crippling-one-per-attack,
// celesia.injury.crippling-cap, celesia.injury.crippling-crit-immune
func offerCrippling(r *rules.Resolution, h *eventv1.Harm, damage int32) string {
	c := r.Creature(h.Target)
	con, scored := constitution(c)
	if immune(c, immuneCritical) || !scored || crippled(c) >= con {
		return ""
	}
	d := &eventv1.Decision{Name: decCrippling, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: c.Id, Cause: h.Cause,
		Question: itoa(damage) + " points of damage would bring " + c.Name + " to " + itoa(c.GetHp()-damage) +
			" hit points. Take a crippling injury in its place?", DefaultOption: "none",
		Rule: cite.InjuryCripplingChoice, Options: []*eventv1.DecisionOption{{Id: "none", Text: "Take the damage"}}}
	for _, row := range cripples {
		for _, side := range openSides(c, row.row) {
			d.Options = append(d.Options, &eventv1.DecisionOption{Id: joinChoice(row.row, side),
				Text: strings.TrimSpace(row.title+" "+side) + ": cancels " + itoa(row.negated), Rule: row.rule})
		}
	}
	chosen := r.Ask("crippling/"+c.Id, d).Option
	if chosen == "none" {
		return ""
	}
	return chosen
}

func joinChoice(row, side string) string {
	if side == "" {
		return row
	}
	return row + ":" + side
}

func splitChoice(choice string) (row, side string) {
	row, side, _ = strings.Cut(choice, ":")
	return row, side
}

// crippled counts the crippling injuries that a creature carries.
//
// celesia.injury.crippling-cap
func crippled(c *eventv1.Creature) int32 {
	n := int32(0)
	for _, in := range c.Injuries {
		if crippleRow(in.Kind) != nil {
			n++
		}
	}
	return n
}

// stumpBleeds is how much a severed part of a row bleeds, in points at each start
// of a turn.
//
// celesia.injury.hand-severed, celesia.injury.leg-severed, celesia.injury.arm-severed
var stumpBleeds = map[string]int64{"hand": 1, "leg": 2, "arm": 2}

// cripplePart gives an injury of a row. When the parts are all lost it severs
// one, which bleeds.
//
// celesia.injury.crippling-pick-and-excess, celesia.injury.hand-severed,
// celesia.injury.leg-severed, celesia.injury.arm-severed, celesia.injury.eye-destroyed
func cripplePart(r *rules.Resolution, id, row, side string, negated int32, cause string) {
	c := r.Creature(id)
	in := &eventv1.Injury{Kind: row, Part: row, Side: side, Amount: negated, Permanent: true, Cause: cause,
		Description: crippleRow(row).title, Rule: crippleRow(row).rule}
	cut := severs(c, row, side)
	if cut {
		in.Values = map[string]int32{"severed": 1}
		in.Description += ", cut off for good"
	}
	r.AddInjury(id, in)
	bleeds := stumpBleeds[row]
	if cut && bleeds > 0 && !immune(c, immuneBleed) {
		r.Set(id, cBleed, r.Count(id, cBleed)+bleeds, in.Description, crippleRow(row).rule)
	}
	settleInjuries(r, id)
	if row == "leg" && legless(r.Creature(id)) {
		setProne(r, id, "no leg left to stand on", cite.InjuryLegAllLost)
	}
	dropHeld(r, id, crippleRow(row).rule)
}

// settleInjuries brings conditions in line with the injuries carried.
//
// celesia.injury.eye, celesia.injury.head-ladder, celesia.injury.leg-all-lost
func settleInjuries(r *rules.Resolution, id string) {
	c := r.Creature(id)
	head, eyes := injuries(c, "head", "", false), parts(c, "eye")
	keep(r, id, condBlind, causeInjury, cite.InjuryEye, eyes > 0 && lostParts(c, "eye") >= eyes)
	keep(r, id, condSickened, causeInjury, cite.InjuryHeadLadder, head >= 2)
	keep(r, id, condConfused, causeInjury, cite.InjuryHeadLadder, head >= 3)
	keep(r, id, condStaggered, causeInjury, cite.InjuryHeadLadder, head >= 4)
	if grounded(c) {
		setProne(r, id, "no leg left to stand on", cite.InjuryLegAllLost)
	}
}

// dropHeld drops what hands of no use held. Which hand holds what is known of
// two hands only; with more, what the hands left cannot hold is dropped.
//
// celesia.injury.hand, celesia.injury.arm, celesia.injury.finger-hand-lost
func dropHeld(r *rules.Resolution, id, rule string) {
	c := r.Creature(id)
	right, left := usable(c, "right"), usable(c, "left")
	room := usableHands(c)
	for _, name := range inHands(c) {
		p, need := c.Items[name].Place, int32(1)
		if p == placeBoth {
			need = 2
		}
		unheld := p == placeMain && !right || p == placeOff && !left || p == placeBoth && !(right && left)
		if parts(c, "hand") != 2 {
			unheld = need > room
		}
		if unheld {
			dropThing(r, id, name, "the hand is of no use", rule)
			continue
		}
		room -= need
	}
}

// impose gives the random injury that surviving massive damage brings: a d20,
// 1 more for every 5 points, rolled again when the body can take no more of the
// row. When no face of the die would do, it is the next lower row.
//
// celesia.injury.massive-injury, celesia.injury.massive-roll, celesia.injury.crippling-reroll
func impose(r *rules.Resolution, id string, dealt int32, cause string) {
	c := r.Creature(id)
	add := dealt / 5
	possible := false
	for face := int32(1); face <= 20; face++ {
		possible = possible || len(openSides(c, crippleAt(face+add).row)) > 0
	}
	var row *cripple
	for {
		rolled := r.Roll(rules.RollSpec{Label: "injury/" + id, Creature: id, Expression: "1d20", Reason: "crippling injury of massive damage",
			Modifiers: nonzero(mod(add, "damage", cite.InjuryMassiveRoll)), Rules: []string{cite.InjuryMassiveRoll}})
		row = crippleAt(rolled.Total)
		if !possible || len(openSides(c, row.row)) > 0 {
			break
		}
	}
	for i := len(cripples) - 1; i >= 0; i-- {
		if cripples[i].from <= row.from && len(openSides(c, cripples[i].row)) > 0 {
			row = &cripples[i]
			break
		}
	}
	open := openSides(c, row.row)
	side := open[0]
	if len(open) > 1 {
		n := r.Roll(rules.RollSpec{Label: "injury-side/" + id, Creature: id, Expression: "1d" + itoa(len(open)), Reason: "which one",
			Rules: []string{cite.InjuryCripplingPickAndExcess}}).Total
		side = open[n-1]
	}
	cripplePart(r, id, row.row, side, 0, "massive damage: "+cause)
}
