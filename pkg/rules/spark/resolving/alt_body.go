package resolving

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/declaring"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// pull makes the Fortitude save against a pulled muscle.
//
// spark.fumble.alt-pulled-arms, spark.fumble.alt-pulled-legs
func (f *fray) pull(x *fumbled, kind string) {
	if f.saves(x.by, "", "fortitude", declaring.UsualDC, x.label+"/save", "pull no muscle", x.row.Rule()) {
		return
	}
	f.deed(&eventv1.Harm{Deed: body.DeedInjure, Target: x.by, Cause: "fumble", Facts: map[string]string{"kind": kind}})
}

// slip makes the Reflex save against a fall, which ends the attacker's turn: its
// deeds still to come in this round are lost. More than two legs do not slip
// when attacking with natural weapons.
//
// spark.fumble.alt-slip-up, spark.fumble.alt-slip-up-natural, spark.turn.two-halves
func (f *fray) slip(x *fumbled) {
	r, rule := f.r, x.row.Rule()
	if x.row.Effect == "alt-slip-up-natural" && body.SheetOf(r.Creature(x.by)).Legs > 2 {
		r.Note(event.Everyone(), x.by, "immune: more than two legs", rule)
		return
	}
	if f.saves(x.by, "", "reflex", declaring.UsualDC, x.label+"/save", "keep one's feet", rule) {
		return
	}
	if !body.Has(r.Creature(x.by), body.CondProne) {
		body.Lay(r, x.by, &eventv1.Condition{Name: body.CondProne, Cause: "fumble", Rule: body.RuleProne}, body.RuleProne, rule)
	}
	f.ended[x.by] = true
	if !f.throwing { // a reaction: nothing of its own share has come yet
		f.undone[x.by] = true
	}
}

// nerve makes the Will save against fright: 10, and 2 for each hit die that the
// opponent has more, less 2 for each it has fewer.
//
// spark.fumble.alt-loss-of-nerve, spark.fumble.alt-loss-of-nerve-natural, spark.condition.frightened
func (f *fray) nerve(x *fumbled) {
	r, rule := f.r, x.row.Rule()
	c, target := r.Creature(x.by), r.Creature(x.strike.Target)
	if x.row.Effect == "alt-loss-of-nerve-natural" && body.SheetOf(c).InspiresFear && !body.SheetOf(target).InspiresFear {
		r.Note(event.Everyone(), x.by, "immune: it inspires fear itself", rule)
		return
	}
	dc := 10 + 2*(body.LevelOf(target)-body.LevelOf(c))
	if !r.On(body.RuleFrightened) || f.saves(x.by, target.Id, "will", dc, x.label+"/save", "keep one's nerve", rule) {
		return
	}
	known := slices.ContainsFunc(c.Conditions, func(k *eventv1.Condition) bool { return k.Name == body.CondFrightened && k.Source == target.Id })
	if known {
		return // the first fright of this opponent is still to be overcome
	}
	body.Lay(r, x.by, &eventv1.Condition{Name: body.CondFrightened, Source: target.Id, Cause: "fumble", Rule: body.RuleFrightened,
		Values: map[string]int32{"dc": dc, "round": r.State().Round}}, body.RuleFrightened, rule)
}

// shake makes the Will save against the shame of a hopeless throw.
//
// spark.fumble.alt-hopeless-throw
func (f *fray) shake(x *fumbled) {
	if !f.saves(x.by, "", "will", declaring.UsualDC, x.label+"/save", "keep one's confidence", x.row.Rule()) {
		shaken := &eventv1.Condition{Id: body.CondShaken, Name: body.CondShaken, Cause: "a hopeless throw", Rule: x.row.Rule()}
		body.Lay(f.r, x.by, shaken, x.row.Rule())
	}
}

// soil records what has no effect in a fight.
//
// spark.fumble.alt-accident
func (f *fray) soil(x *fumbled) {
	rolled := f.r.Roll(rules.RollSpec{Label: x.label + "/accident", Creature: x.by, Expression: "1d100", Reason: "1 to 75: only urine",
		Rules: []string{x.row.Rule()}})
	text := "only urine"
	if rolled.Value > 75 {
		text = "more than urine"
	}
	f.r.Note(rolled.Audience, x.by, text, x.row.Rule())
}

// ouch snaps teeth or claws: the attacker takes 1d3, and this attack does that
// much less from now on, until magic restores it. Tails ignore it.
//
// spark.fumble.alt-ouch
func (f *fray) ouch(x *fumbled) {
	if x.weapon.Tail {
		f.r.Note(event.Everyone(), x.by, "a tail does not snap", x.row.Rule())
		return
	}
	rolled := f.r.Roll(rules.RollSpec{Label: x.label + "/ouch", Creature: x.by, Expression: "1d3", Reason: x.row.Text, Rules: []string{x.row.Rule()}})
	f.deed(&eventv1.Harm{Deed: body.DeedInjure, Target: x.by, Cause: x.weapon.Name, Amount: rolled.Value,
		Facts: map[string]string{"kind": body.InjurySnap, "limb": x.weapon.Name}})
	f.hurt(x.by, x.by, x.weapon.Name, []*eventv1.DamagePart{{Type: x.weapon.DamageType, Rolled: rolled.Value}}, false)
}
