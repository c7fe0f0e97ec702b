package answers

import (
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	thedice "github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	"github.com/skaldrpg/skald/pkg/rules/rcr/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// houseArmor is the armour class as content has it: the value that it gives in
// place of the sheet's, then what it adds.
func houseArmor(r *rules.Resolution, target, attacker *eventv1.Creature, ac *eventv1.TargetNumber) {
	env := effects.Env{State: r.State(), Actor: attacker, Target: target}
	if n := r.Content().Value(target, thedice.PointArmor, ac.Value, env); len(n.Cites) > 0 {
		ac.Modifiers = append(ac.Modifiers, body.Mod(n.Value-ac.Value, n.Cites[0].Title, n.Cites[0].Rule))
		ac.Value = n.Value
	}
	for _, m := range thedice.HouseMods(r, "armor/"+target.Id, target, nil, thedice.PointArmor, env) {
		ac.Value += m.Value
		ac.Modifiers = append(ac.Modifiers, m)
	}
}

// HouseTurn gives what content gives more of in a turn.
func HouseTurn(r *rules.Resolution, id string) {
	for _, x := range r.Content().ExtraActions(r.Creature(id), effects.Env{State: r.State(), Actor: r.Creature(id)}) {
		r.Set(id, x.Counter, max(0, r.Count(id, x.Counter)+int64(x.Amount)), x.Title, body.Cited(x.Cite)...)
	}
}

// RolledOrFlat rolls the amount of what content makes happen, dice and flat part
// together, in hit points; never less than 0.
func RolledOrFlat(r *rules.Resolution, label string, h effects.Happening) int32 {
	return max(0, r.Roll(rules.RollSpec{Label: label + "/amount", Creature: h.Bearer, Expression: strike.DiceAnd(h.Dice, h.Amount), Reason: h.Title,
		Audience: event.Controllers(h.Creature), Rules: body.Cited(h.Cite)}).Total)
}

// HalvedOf is the damage among what comes of a failed saving throw.
func HalvedOf(failed []effects.Happening) []effects.Happening {
	var out []effects.Happening
	for _, f := range failed {
		if f.Kind == effects.KindDamage {
			out = append(out, f)
		}
	}
	return out
}

// HouseSpeed brings those counters in line with what content makes of the
// speeds.
func HouseSpeed(r *rules.Resolution, id string) {
	c := r.Creature(id)
	if c == nil || !r.Content().Asks(effects.KindSpeed) {
		return
	}
	speeds := c.GetSheet().GetSpeeds()
	for _, mode := range rules.SortedKeys(speeds) {
		own := speeds[mode] + body.Flat(c, body.ChSpeed)
		n := r.Content().Speed(c, mode, own, effects.Env{State: r.State(), Actor: c})
		why := "content"
		if len(n.Cites) > 0 {
			why = n.Cites[0].Title
		}
		r.Set(id, body.CContentSpeed+mode, int64(n.Value-own), why, body.Cited(n.Cites...)...)
	}
}
