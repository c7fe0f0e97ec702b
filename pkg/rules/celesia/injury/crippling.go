package injury

import (
	"strings"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// offerCrippling asks the victim, damage known and not yet applied, whether it
// takes an injury in place of damage. It returns the choice, empty for none.
//
// celesia.injury.crippling-choice, celesia.injury.crippling-one-per-attack,
// celesia.injury.crippling-cap, celesia.injury.crippling-crit-immune
func offerCrippling(r *rules.Resolution, h *eventv1.Harm, damage int32) string {
	c := r.Creature(h.Target)
	con, scored := body.Constitution(c)
	if body.Immune(c, body.ImmuneCritical) || !scored || Crippled(r.Content(), c) >= con {
		return ""
	}
	d := &eventv1.Decision{Name: body.DecCrippling, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: c.Id, Cause: h.Cause,
		Question: body.Itoa(damage) + " points of damage would bring " + c.Name + " to " + body.Itoa(c.GetHp()-damage) +
			" hit points. Take a crippling injury in its place?", DefaultOption: "none",
		Against: someone(h.Source), Rule: cite.InjuryCripplingChoice, Options: []*eventv1.DecisionOption{{Id: "none", Text: "Take the damage"}}}
	for _, row := range strike.CripplesOf(r.Content()) {
		for _, side := range body.OpenSides(c, row.Row) {
			d.Options = append(d.Options, &eventv1.DecisionOption{Id: body.JoinChoice(row.Row, side),
				Text: strings.TrimSpace(row.Title+" "+side) + ": cancels " + body.Itoa(row.Negated), Rule: row.Rule})
		}
	}
	chosen := r.Ask("crippling/"+c.Id, d).Option
	if chosen == "none" {
		return ""
	}
	return chosen
}

// Crippled counts the crippling injuries that a creature carries.
//
// celesia.injury.crippling-cap
func Crippled(book *effects.Book, c *eventv1.Creature) int32 {
	n := int32(0)
	for _, in := range c.Injuries {
		if strike.CrippleRow(book, in.Kind) != nil {
			n++
		}
	}
	return n
}

// cripplePart gives an injury of a row. When the parts are all lost it severs
// one, which bleeds.
//
// celesia.injury.crippling-pick-and-excess, celesia.injury.hand-severed,
// celesia.injury.leg-severed, celesia.injury.arm-severed, celesia.injury.eye-destroyed
func cripplePart(r *rules.Resolution, id, row, side string, negated int32, cause string) {
	c, by := r.Creature(id), strike.CrippleRow(r.Content(), row)
	in := &eventv1.Injury{Kind: row, Part: row, Side: side, Amount: negated, Permanent: true, Cause: cause,
		Description: by.Title, Rule: by.Rule}
	cut := body.Severs(c, row, side)
	if cut {
		in.Values = map[string]int32{"severed": 1}
		in.Description += ", cut off for good"
	}
	r.AddInjury(id, in)
	bleeds := body.StumpBleeds[row]
	if cut && bleeds > 0 && !body.Immune(c, body.ImmuneBleed) {
		r.Set(id, body.CBleed, r.Count(id, body.CBleed)+bleeds, in.Description, by.Rule)
	}
	body.SettleInjuries(r, id)
	if row == "leg" && body.Legless(r.Creature(id)) {
		body.SetProne(r, id, "no leg left to stand on", cite.InjuryLegAllLost)
	}
	dropHeld(r, id, by.Rule)
}

// dropHeld drops what hands of no use held. Which hand holds what is known of
// two hands only; with more, what the hands left cannot hold is dropped.
//
// celesia.injury.hand, celesia.injury.arm, celesia.injury.finger-hand-lost
func dropHeld(r *rules.Resolution, id, rule string) {
	c := r.Creature(id)
	right, left := strike.Usable(c, "right"), strike.Usable(c, "left")
	room := strike.UsableHands(c)
	for _, name := range body.InHands(c) {
		p, need := c.Items[name].Place, int32(1)
		if p == body.PlaceBoth {
			need = 2
		}
		unheld := p == body.PlaceMain && !right || p == body.PlaceOff && !left || p == body.PlaceBoth && !(right && left)
		if body.Parts(c, "hand") != 2 {
			unheld = need > room
		}
		if unheld {
			body.DropThing(r, id, name, "the hand is of no use", rule)
			continue
		}
		room -= need
	}
}

// Impose gives the random injury that surviving massive damage brings: a d20,
// 1 more for every 5 points, rolled again when the body can take no more of the
// row. When no face of the die would do, it is the next lower row.
//
// celesia.injury.massive-injury, celesia.injury.massive-roll, celesia.injury.crippling-reroll
func Impose(r *rules.Resolution, id string, dealt int32, cause string) {
	row := rollCripple(r, id, body.Mod(dealt/5, "damage", cite.InjuryMassiveRoll), "crippling injury of massive damage", cite.InjuryMassiveRoll)
	cripplePart(r, id, row.Row, someSide(r, id, row.Row), 0, "massive damage: "+cause)
}

// rollCripple rolls on the table of crippling injuries.
func rollCripple(r *rules.Resolution, id string, add *eventv1.Modifier, reason, rule string) *body.Cripple {
	c, all := r.Creature(id), strike.CripplesOf(r.Content())
	possible := false
	for face := int32(1); face <= 20; face++ {
		possible = possible || len(body.OpenSides(c, strike.CrippleAt(r.Content(), face+add.Value).Row)) > 0
	}
	var row *body.Cripple
	for {
		rolled := r.Roll(rules.RollSpec{Label: "injury/" + id, Creature: id, Expression: "1d20", Reason: reason,
			Modifiers: body.Nonzero(add), Rules: []string{rule}})
		row = strike.CrippleAt(r.Content(), rolled.Total)
		if !possible || len(body.OpenSides(c, row.Row)) > 0 {
			break
		}
	}
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].From <= row.From && len(body.OpenSides(c, all[i].Row)) > 0 {
			return &all[i]
		}
	}
	return row
}

// someSide is the side on which a row is taken, rolled when there are several.
//
// celesia.injury.crippling-pick-and-excess
func someSide(r *rules.Resolution, id, row string) string {
	open := body.OpenSides(r.Creature(id), row)
	if len(open) < 2 {
		return open[0]
	}
	n := r.Roll(rules.RollSpec{Label: "injury-side/" + id, Creature: id, Expression: "1d" + body.Itoa(len(open)), Reason: "which one",
		Rules: []string{cite.InjuryCripplingPickAndExcess}}).Total
	return open[n-1]
}

// crippleBy gives the crippling injury that content brings: that of the row that it
// names, else by a roll with its amount.
func crippleBy(r *rules.Resolution, h *eventv1.Harm) {
	name, rule := h.Facts["row"], behind(h, cite.InjuryCripplingTable)
	row := strike.CrippleRow(r.Content(), name)
	switch {
	case name == "":
		row = rollCripple(r, h.Target, body.Mod(h.Amount, h.Cause, rule), h.Cause, rule)
	case row == nil:
		r.Note(event.GM(), h.Target, h.Cause+": there is no crippling injury "+name, rule)
		return
	}
	if len(body.OpenSides(r.Creature(h.Target), row.Row)) == 0 {
		r.Note(event.Controllers(h.Target), h.Target, h.Cause+": it can take no more of that injury", rule)
		return
	}
	if name != "" {
		r.Note(event.Controllers(h.Target), h.Target, h.Cause+": "+row.Title, rule)
	}
	cripplePart(r, h.Target, row.Row, someSide(r, h.Target, row.Row), 0, h.Cause)
}

// someone is the creature of an id; none for no id.
func someone(id string) []string {
	if id == "" {
		return nil
	}
	return []string{id}
}
