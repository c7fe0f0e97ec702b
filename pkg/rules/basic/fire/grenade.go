package fire

import (
	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/strike"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Lightings are all the ways in which a flask of oil may be lit.
var Lightings = []string{strike.LitWick, strike.LitFlame, strike.LitNot}

// GrenadeActions throw a flask.
func GrenadeActions() []*play.Action {
	return []*play.Action{
		{ID: "throw", Title: "Throw a flask", Rule: cite.AttackGrenadeDirectHit, Group: play.GroupAttack, Traits: body.During(strike.Shooters...), Costs: body.OneAction,
			Items: body.Of(strike.Grenades), Refuse: strike.RefuseShot, RefuseTarget: strike.RefuseRange, Least: 1, Most: 1, Self: true, Fields: throwFields, Do: doThrow},
	}
}

// throwFields: only oil is lit.
func throwFields(at *play.At) []play.Field {
	if body.WeaponOf(at.Actor, at.Item()).Contents != body.Oil {
		return nil
	}
	return []play.Field{{Name: "lit"}}
}

// lighting is how the oil of a throw is lit: as stated, or as the thrower says.
//
// basic.item.oil-direct, basic.item.oil-splash
func lighting(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) string {
	if body.WeaponOf(c, take.Item).Contents != body.Oil {
		return strike.LitNot
	}
	if how := spoken.Word(take.Parameters, "lit"); how != "" {
		return how
	}
	return r.Ask("lit/"+c.Id, &eventv1.Decision{Name: body.DecLit, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: c.Id,
		Cause: c.Name + " throws " + take.Item, Question: "What lights the oil?", DefaultOption: strike.LitWick, Rule: cite.ItemOilDirect,
		Options: []*eventv1.DecisionOption{{Id: strike.LitWick, Text: "A burning wick or fuse"}, {Id: strike.LitFlame, Text: "A flame where it breaks"},
			{Id: strike.LitNot, Text: "Nothing"}}}).GetOption()
}

// doThrow throws a flask: a hit is a direct hit, a miss lands where the game
// master's roll says.
//
// basic.attack.grenade-direct-hit, basic.attack.grenade-scatter
func doThrow(r *rules.Resolution, at *play.At) error {
	c, take := at.Actor, at.Take
	how := lighting(r, c, take)
	b := strike.Begin(r, at, cite.AttackGrenadeDirectHit)
	spendFlask(r, c.Id, b.Weapon)
	w := &eventv1.BasicWeapon{Name: b.Weapon.Name, Kind: b.Weapon.Kind, Damage: b.Weapon.Damage, Contents: b.Weapon.Contents,
		AttackBonus: b.Weapon.AttackBonus, Magic: b.Weapon.Magic, Silver: b.Weapon.Silver, MagicBonus: b.Weapon.MagicBonus,
		ShortFeet: b.Weapon.ShortFeet, MediumFeet: b.Weapon.MediumFeet, LongFeet: b.Weapon.LongFeet, Natural: true}
	if w.Contents != "" {
		w.Damage, w.MagicBonus = strike.DirectDice, 0
	}
	b.Weapon, b.Ranged, b.Lit = w, true, how
	if !b.Strike(r) {
		b.Splash(r, scatter(r, b), false, strike.Harm{})
	}
	return nil
}

// spendFlask takes one flask away, and the last one out of the hand.
func spendFlask(r *rules.Resolution, id string, w *eventv1.BasicWeapon) {
	const rule = cite.AttackGrenadeDirectHit
	left := int64(0)
	if w.Ammunition != "" {
		left = r.Count(id, body.CAmmunition+w.Ammunition) - 1
		r.Set(id, body.CAmmunition+w.Ammunition, left, "thrown", rule)
	}
	if left < 1 {
		r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: id, Item: w.Name, Place: "gone", Cause: "thrown"}, rule)
	}
}
