package basic

import (
	"slices"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// What a flask holds.
const (
	oil       = "oil"
	holyWater = "holy-water"
)

// How a flask of oil is lit: by a wick of its own, by a flame where it breaks, or
// not at all.
const (
	litWick  = "wick"
	litFlame = "flame"
	litNot   = "none"
)

var lightings = []string{litWick, litFlame, litNot}

// Damage of flasks, and how far they splash in feet.
//
// basic.item.oil-direct, basic.item.oil-splash, basic.item.holy-water-direct, basic.item.holy-water-splash
const (
	directDice = "1d8"
	splashDice = "1d6"
	splashFeet = 5
	fire       = "fire"
	holy       = "holy"
)

func grenadeActions() []*action {
	return []*action{{id: "throw", title: "Throw a flask", rule: cite.AttackGrenadeDirectHit, kinds: shooters, costs: true,
		items: grenades, refuse: refuseShot, refuseTarget: refuseRange, least: 1, most: 1, parameters: throwParameters, do: doThrow}}
}

func grenades(_ *eventv1.State, c *eventv1.Creature) []string {
	var out []string
	for _, w := range sheetOf(c).Weapons {
		if w.Kind == "grenade" {
			out = append(out, w.Name)
		}
	}
	return out
}

// throwParameters: only oil is lit.
func throwParameters(_ *eventv1.State, c *eventv1.Creature, item string) []*eventv1.Parameter {
	if weaponOf(c, item).Contents != oil {
		return nil
	}
	p := &eventv1.Parameter{Name: "lit", Type: "string", Text: "Whether it has a burning wick, meets a flame where it breaks, or neither"}
	for _, how := range lightings {
		p.Values = append(p.Values, structpb.NewStringValue(how))
	}
	return []*eventv1.Parameter{p}
}

// lighting is how the oil of a throw is lit: as stated, or as the thrower says.
//
// basic.item.oil-direct, basic.item.oil-splash
func lighting(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) string {
	if weaponOf(c, take.Item).Contents != oil {
		return litNot
	}
	if how := spoken.Word(take.Parameters, "lit"); how != "" {
		return how
	}
	return r.Ask("lit/"+c.Id, &eventv1.Decision{Name: decLit, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: c.Id,
		Cause: c.Name + " throws " + take.Item, Question: "What lights the oil?", DefaultOption: litWick, Rule: cite.ItemOilDirect,
		Options: []*eventv1.DecisionOption{{Id: litWick, Text: "A burning wick or fuse"}, {Id: litFlame, Text: "A flame where it breaks"},
			{Id: litNot, Text: "Nothing"}}}).GetOption()
}

// doThrow throws a flask: a hit is a direct hit, a miss lands where the game
// master's roll says.
//
// basic.attack.grenade-direct-hit, basic.attack.grenade-scatter
func doThrow(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	how := lighting(r, c, take)
	b := begin(r, c, take, cite.AttackGrenadeDirectHit)
	spendFlask(r, c.Id, b.weapon)
	w := &eventv1.BasicWeapon{Name: b.weapon.Name, Kind: b.weapon.Kind, Damage: b.weapon.Damage, Contents: b.weapon.Contents,
		AttackBonus: b.weapon.AttackBonus, Magic: b.weapon.Magic, Silver: b.weapon.Silver, MagicBonus: b.weapon.MagicBonus,
		ShortFeet: b.weapon.ShortFeet, MediumFeet: b.weapon.MediumFeet, LongFeet: b.weapon.LongFeet, Natural: true}
	if w.Contents != "" {
		w.Damage, w.MagicBonus = directDice, 0
	}
	b.weapon, b.ranged, b.lit = w, true, how
	if !b.strike(r) {
		b.splash(r, scatter(r, b), false, harm{})
	}
	return nil
}

// spendFlask takes one flask away, and the last one out of the hand.
func spendFlask(r *rules.Resolution, id string, w *eventv1.BasicWeapon) {
	const rule = cite.AttackGrenadeDirectHit
	left := int64(0)
	if w.Ammunition != "" {
		left = r.Count(id, cAmmunition+w.Ammunition) - 1
		r.Set(id, cAmmunition+w.Ammunition, left, "thrown", rule)
	}
	if left < 1 {
		r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: id, Item: w.Name, Place: "gone", Cause: "thrown"}, rule)
	}
}

// burst is a direct hit. A natural 20 counts for the die of the direct hit alone.
//
// basic.attack.grenade-direct-hit, basic.item.oil-direct, basic.item.holy-water-direct
func (b blow) burst(r *rules.Resolution, mods []*eventv1.Modifier, natural20 bool) {
	t := r.Creature(b.target)
	switch {
	case b.weapon.Contents == oil && b.lit == litNot:
		r.Note(event.Everyone(), b.target, "nothing lights the oil", cite.ItemOilDirect)
		return
	case b.weapon.Contents == holyWater && !tagged(t, "undead"):
		b.splash(r, t.Position, true, harm{})
		return
	}
	second := b.second(r, mods, natural20)
	amount := b.amount(r, r.Creature(b.attacker), second)
	b.splash(r, t.Position, true, harm{amount: amount, effect: b.effect(r, second.Outcome), critical: natural20})
}

// splash lets a flask do what it does: to the one that it hit directly, and to all
// around where it broke. One die counts for all of them; each saves for itself.
//
// basic.item.oil-splash, basic.item.oil-splash-save, basic.item.oil-miss-splash, basic.item.holy-water-splash
func (b blow) splash(r *rules.Resolution, at *eventv1.Position, hit bool, direct harm) {
	direct.target, direct.source, direct.cause = b.target, b.attacker, b.weapon.Name
	var near []string
	rule := cite.ItemOilSplash
	switch b.weapon.Contents {
	case oil:
		direct.kind, direct.burns = fire, hit && b.lit != litNot
		if b.lit == litWick {
			near = b.splashed(r, at, hit, func(c *eventv1.Creature) bool { return !fireproof(c) })
			near = slices.DeleteFunc(near, func(id string) bool {
				return save(r, "splash/"+id, r.Creature(id), catDeathRay, "splash of burning oil", cite.ItemOilSplashSave).Success()
			})
		}
	case holyWater:
		direct.kind, rule = holy, cite.ItemHolyWaterSplash
		near = b.splashed(r, at, hit, func(c *eventv1.Creature) bool { return tagged(c, "undead") })
	}
	self := hit && (b.weapon.Contents == oil && b.lit == litWick || b.weapon.Contents == holyWater && tagged(r.Creature(b.target), "undead"))
	drops := int32(0)
	if self || len(near) > 0 {
		drops = r.Roll(rules.RollSpec{Label: b.label + "/splash", Creature: b.attacker, Expression: splashDice, Reason: "splash of " + b.weapon.Name,
			Rules: []string{rule}}).Total
	}
	if self {
		direct.more = drops
	}
	if direct.amount+direct.more > 0 {
		direct.do(r, false)
	}
	for _, id := range near {
		harm{target: id, source: b.attacker, cause: b.weapon.Name, amount: drops, kind: direct.kind}.do(r, false)
	}
}

// splashed lists whom the splash can reach beside the one hit directly: as stated
// ("splashed"), as measured, or as the game master says where nobody can measure.
//
// basic.item.oil-splash, basic.item.holy-water-splash
func (b blow) splashed(r *rules.Resolution, at *eventv1.Position, hit bool, harmed func(*eventv1.Creature) bool) []string {
	stated, known := spoken.Words(b.facts, "splashed")
	var near, unknown []string
	for _, id := range living(r.State()) {
		c := r.Creature(id)
		switch {
		case hit && id == b.target || !harmed(c):
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
		d := &eventv1.Decision{Name: decSplash, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, GmOnly: true, Rule: cite.ItemOilSplash,
			DefaultOption: noStray, Cause: b.weapon.Name + " breaks", Question: "Who else is within 5 feet of where it breaks?"}
		for _, id := range unknown {
			d.Options = append(d.Options, &eventv1.DecisionOption{Id: id, Text: r.Creature(id).Name})
		}
		d.Options = append(d.Options, &eventv1.DecisionOption{Id: noStray, Text: "Nobody"})
		id := r.Ask("splash", d).GetOption()
		if id == noStray {
			break
		}
		unknown = slices.DeleteFunc(unknown, func(o string) bool { return o == id })
		near = append(near, id)
	}
	slices.Sort(near)
	return near
}
