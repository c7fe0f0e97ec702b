package strike

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// How a flask of oil is lit: by a wick of its own, by a flame where it breaks, or
// not at all.
const (
	LitWick  = "wick"
	LitFlame = "flame"
	LitNot   = "none"
)

// Damage of flasks, and how far they splash in feet.
//
// basic.item.oil-direct, basic.item.oil-splash, basic.item.holy-water-direct, basic.item.holy-water-splash
const (
	DirectDice = "1d8"
	SplashDice = "1d6"
	splashFeet = 5
	Fire       = "fire"
	Holy       = "holy"
)

// Grenades lists the names of the flasks among the weapons of a sheet.
func Grenades(c *eventv1.Creature) []string {
	var out []string
	for _, w := range body.SheetOf(c).Weapons {
		if w.Kind == "grenade" {
			out = append(out, w.Name)
		}
	}
	return out
}

// burst is a direct hit. A natural 20 counts for the die of the direct hit alone.
//
// basic.attack.grenade-direct-hit, basic.item.oil-direct, basic.item.holy-water-direct
func (b Blow) burst(r *rules.Resolution, mods []*eventv1.Modifier, natural20 bool) {
	t := r.Creature(b.Target)
	switch {
	case b.Weapon.Contents == body.Oil && b.Lit == LitNot:
		r.Note(event.Everyone(), b.Target, "nothing lights the oil", cite.ItemOilDirect)
		return
	case b.Weapon.Contents == body.HolyWater && !body.Tagged(t, "undead"):
		b.Splash(r, t.Position, true, Harm{})
		return
	}
	second := b.second(r, mods, natural20)
	amount, steps, extra := b.amount(r, r.Creature(b.Attacker), t, second)
	b.Splash(r, t.Position, true, Harm{Amount: amount, Factors: steps, extra: extra, Effect: b.effect(r, second.Outcome), critical: natural20})
}

// Splash lets a flask do what it does: to the one that it hit directly, and to all
// around where it broke. One die counts for all of them; each saves for itself.
//
// basic.item.oil-splash, basic.item.oil-splash-save, basic.item.oil-miss-splash, basic.item.holy-water-splash
func (b Blow) Splash(r *rules.Resolution, at *eventv1.Position, hit bool, direct Harm) {
	direct.Target, direct.Source, direct.Cause = b.Target, b.Attacker, b.Weapon.Name
	var near []string
	rule, self := cite.ItemOilSplash, false
	switch b.Weapon.Contents {
	case body.Oil:
		direct.Kind, direct.burns = Fire, hit // unlit oil hits without effect
		if b.Lit == LitWick {
			self = hit
			near = b.splashed(r, at, hit, func(c *eventv1.Creature) bool { return !Fireproof(c) })
			near = slices.DeleteFunc(near, func(id string) bool {
				return Save(r, "splash/"+id, r.Creature(id), r.Creature(b.Attacker), body.CatDeathRay, "splash of burning oil", cite.ItemOilSplashSave).Success()
			})
		}
	case body.HolyWater:
		direct.Kind, rule = Holy, cite.ItemHolyWaterSplash
		self = hit && body.Tagged(r.Creature(b.Target), "undead")
		near = b.splashed(r, at, hit, func(c *eventv1.Creature) bool { return body.Tagged(c, "undead") })
	}
	drops := int32(0)
	if self || len(near) > 0 {
		drops = r.Roll(rules.RollSpec{Label: b.Label + "/splash", Creature: b.Attacker, Expression: SplashDice, Reason: "splash of " + b.Weapon.Name,
			Rules: []string{rule}}).Total
	}
	if self {
		direct.more = drops
	}
	if direct.Amount+direct.more > 0 {
		direct.Do(r, false)
	}
	for _, id := range near {
		Harm{Target: id, Source: b.Attacker, Cause: b.Weapon.Name, Amount: drops, Kind: direct.Kind}.Do(r, false)
	}
}

// splashed lists whom the splash can reach beside the one hit directly: as stated
// ("splashed"), as measured, or as the game master says where nobody can measure.
//
// basic.item.oil-splash, basic.item.holy-water-splash
func (b Blow) splashed(r *rules.Resolution, at *eventv1.Position, hit bool, harmed func(*eventv1.Creature) bool) []string {
	stated, known := spoken.Words(b.Facts, "splashed")
	var near, unknown []string
	for _, id := range body.Living(r.State()) {
		c := r.Creature(id)
		switch {
		case hit && id == b.Target || !harmed(c):
		case known && slices.Contains(stated, id):
			near = append(near, id)
		case known:
		case at == nil || c.Position == nil:
			unknown = append(unknown, id)
		case grid.Steps(at, c.Position) <= splashFeet:
			near = append(near, id)
		}
	}
	for len(unknown) > 0 {
		d := &eventv1.Decision{Name: body.DecSplash, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, GmOnly: true, Rule: cite.ItemOilSplash,
			DefaultOption: body.NoStray, Cause: b.Weapon.Name + " breaks", Question: "Who else is within 5 feet of where it breaks?"}
		for _, id := range unknown {
			d.Options = append(d.Options, &eventv1.DecisionOption{Id: id, Text: r.Creature(id).Name})
		}
		d.Options = append(d.Options, &eventv1.DecisionOption{Id: body.NoStray, Text: "Nobody"})
		id := r.Ask("splash", d).GetOption()
		if id == body.NoStray {
			break
		}
		unknown = slices.DeleteFunc(unknown, func(o string) bool { return o == id })
		near = append(near, id)
	}
	slices.Sort(near)
	return near
}
