package strike

import (
	"maps"
	"slices"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/order"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/types/known/structpb"
)

// Shooters are the declarations that allow shots and throws.
var Shooters = []string{body.KindAttack, body.KindRanged, body.KindHold}

// RangedActions shoot, throw and reload.
func RangedActions() []*play.Action {
	return []*play.Action{
		{ID: "shoot", Title: "Shoot or throw", Rule: cite.ActionRangedAttack, Group: play.GroupAttack, Traits: body.During(Shooters...), Costs: body.OneAction,
			Items: body.Of(missiles), Refuse: RefuseShot, RefuseTarget: RefuseRange, Least: 1, Most: 1, Self: true, Do: doShoot},
		{ID: "sneak-shot", Title: "Shoot or throw by surprise from behind", Rule: cite.AttackBehindNotWithSneak, Group: play.GroupAttack, Traits: body.During(Shooters...), Costs: body.OneAction,
			Items: body.Of(missiles), Refuse: refuseSneakShot, RefuseTarget: RefuseRange, Least: 1, Most: 1, Self: true, Do: doShoot},
		{ID: "reload", Title: "Reload for the whole round", Rule: cite.AttackRateLightCrossbow, Group: play.GroupItem, Traits: body.During(body.KindReload), Costs: body.OneAction,
			Items: body.Of(loadable), Refuse: refuseReload, Do: doReload},
	}
}

func missiles(c *eventv1.Creature) []string {
	var out []string
	for _, w := range body.SheetOf(c).Weapons {
		if body.Missile(w) && w.Kind != "grenade" {
			out = append(out, w.Name)
		}
	}
	return out
}

func loadable(c *eventv1.Creature) []string {
	var out []string
	for _, w := range body.SheetOf(c).Weapons {
		if w.ReloadRounds > 0 {
			out = append(out, w.Name)
		}
	}
	return out
}

func refuseAnyShot(s *eventv1.State, c *eventv1.Creature) error {
	err := body.Refuse("NO_MISSILE", cite.ActionRangedAttack, "%s has nothing to shoot or throw", c.Name)
	for _, name := range append(missiles(c), Grenades(c)...) {
		w := body.WeaponOf(c, name)
		if !body.CanReady(c, w) {
			err = RefuseHand(c, w)
			continue
		}
		if err = refuseLoad(s, c, w); err == nil {
			return nil
		}
	}
	return err
}

// RefuseShot says why a missile weapon cannot be used.
//
// basic.attack.rate-light-crossbow, basic.attack.rate-heavy-crossbow, basic.attack.rate-siege, basic.attack.preloaded-crossbows
func RefuseShot(at *play.At) error {
	s, c, item := at.State, at.Actor, at.Item()
	if err := body.RefuseAttacking(s, c); err != nil {
		return err
	}
	w := body.WeaponOf(c, item)
	if err := RefuseHand(c, w); err != nil {
		return err
	}
	return refuseLoad(s, c, w)
}

// refuseLoad says why there is nothing to shoot or throw with a weapon, wherever it is.
func refuseLoad(s *eventv1.State, c *eventv1.Creature, w *eventv1.BasicWeapon) error {
	if w.Kind == "grenade" {
		return RefuseNoFlask(c, w)
	}
	if w.Ammunition != "" && c.Counters[body.CAmmunition+w.Ammunition] < 1 {
		return body.Refuse("NO_AMMUNITION", cite.AttackMissileLost, "%s has no %s left", c.Name, w.Ammunition)
	}
	values := c.Items[w.Name].GetValues()
	switch again := values["shot"] + w.RateRounds; {
	case w.ReloadRounds > 0 && values["loaded"] == 0 && (values["spares"] == 0 || body.Defaults.Value(s, body.SetPreloaded) != "on"):
		return body.Refuse("NOT_LOADED", reloadRule(w), "%s is not loaded", w.Name)
	case w.RateRounds > 1 && values["shot"] > 0 && s.Round < again:
		return body.Refuse("NOT_READY", cite.AttackRateSiege, "%s shoots once in %d rounds, next in round %d", w.Name, w.RateRounds, again)
	}
	return nil
}

// refuseSneakShot: only with the ability, which stands for the bonus from behind.
//
// basic.attack.behind-not-with-sneak
func refuseSneakShot(at *play.At) error {
	if err := refuseNoSneak(at.Actor); err != nil {
		return err
	}
	return RefuseShot(at)
}

// reloadRule is the rule behind the reloading of a weapon.
func reloadRule(w *eventv1.BasicWeapon) string {
	switch {
	case w.Kind == "siege":
		return cite.AttackRateSiege
	case w.ReloadRounds > 1:
		return cite.AttackRateHeavyCrossbow
	}
	return cite.AttackRateLightCrossbow
}

// RefuseRange: past long range, or hidden altogether, nothing can be shot at.
//
// basic.attack.range-beyond, basic.attack.cover-table
func RefuseRange(at *play.At, t *eventv1.Creature) error {
	s, c, item, facts := at.State, at.Actor, at.Item(), at.Take.Facts
	w := body.WeaponOf(c, item)
	d, _ := body.Gap(s, c, t, facts)
	cover, _ := spoken.Number(facts, "cover")
	concealment, _ := spoken.Number(facts, "concealment")
	switch {
	case t.Id == c.Id || body.Dead(t):
		return body.Refuse("NO_TARGET", cite.ActionRangedAttack, "%s cannot be shot at", t.Name)
	case d > w.LongFeet:
		return body.Refuse("OUT_OF_RANGE", cite.AttackRangeBeyond, "%s is beyond %d feet", t.Name, w.LongFeet)
	case max(cover, concealment) >= 100:
		return body.Refuse("HIDDEN", cite.AttackCoverTable, "%s is wholly hidden", t.Name)
	}
	return nil
}

// doShoot makes the one shot of a round. What misses is lost.
//
// basic.attack.rate-once, basic.attack.missile-lost
func doShoot(r *rules.Resolution, at *play.At) error {
	c, take := at.Actor, at.Take
	if take.Action == "sneak-shot" && !body.Unnoticed(r, c, take) {
		return nil
	}
	b := Begin(r, at, cite.ActionRangedAttack)
	b.Ranged, b.sneak = true, take.Action == "sneak-shot"
	if w := b.Weapon; w.Ammunition != "" {
		r.Set(c.Id, body.CAmmunition+w.Ammunition, r.Count(c.Id, body.CAmmunition+w.Ammunition)-1, "shot", cite.AttackMissileLost)
	}
	unload(r, c.Id, b.Weapon)
	hit := b.Strike(r)
	if body.Thrown(b.Weapon) && !b.Weapon.Natural && body.AtHand(r.Creature(c.Id), b.Weapon) {
		where, values := "dropped", Fallen(nil, r.Creature(b.Target).GetPosition())
		if !hit {
			where, values = "gone", nil
		}
		r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: c.Id, Item: b.Weapon.Name, Place: where, Values: values, Cause: "thrown"}, cite.AttackMissileLost)
	}
	if !hit {
		stray(r, b)
	}
	return nil
}

// unload takes the shot out of a weapon that has to be loaded or to be rested.
//
// basic.attack.rate-light-crossbow, basic.attack.preloaded-crossbows, basic.attack.rate-siege
func unload(r *rules.Resolution, id string, w *eventv1.BasicWeapon) {
	if w.ReloadRounds == 0 && w.RateRounds == 0 {
		return
	}
	it := r.Creature(id).Items[w.Name]
	values := maps.Clone(it.GetValues())
	if values == nil {
		values = map[string]int32{}
	}
	switch {
	case w.ReloadRounds == 0:
	case values["loaded"] > 0:
		values["loaded"] = 0
	default:
		values["spares"]--
	}
	if w.RateRounds > 1 {
		values["shot"] = r.State().Round
	}
	r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: id, Item: w.Name, Place: body.Place(r.Creature(id), w), Values: values, Cause: "shot"}, reloadRule(w))
}

// stray lets the game master try a missed shot on the shooter's allies in the
// melee, one after another, until one is hit.
//
// basic.attack.missile-into-melee, basic.attack.missile-stray-roll
func stray(r *rules.Resolution, b Blow) {
	const rule = cite.AttackMissileIntoMelee
	s := r.State()
	near, stated := spoken.Words(b.Facts, "into_melee")
	if !stated {
		near = body.InMeleeWith(s, s.Creatures[b.Target])
	}
	var left []string
	for _, id := range near {
		if c := s.Creatures[id]; id != b.Attacker && id != b.Target && !body.Dead(c) && c.Side == s.Creatures[b.Attacker].Side && !slices.Contains(left, id) {
			left = append(left, id)
		}
	}
	left = slices.DeleteFunc(left, func(id string) bool { // basic.attack.range-beyond
		d, _ := body.Measured(s.Creatures[b.Attacker], s.Creatures[id])
		return d > b.Weapon.LongFeet
	})
	for len(left) > 0 {
		d := &eventv1.Decision{Name: body.DecStray, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, GmOnly: true, Rule: rule, DefaultOption: body.NoStray,
			Cause: "a missile misses in a melee", Question: "Which ally of the shooter may be hit next?"}
		for _, id := range left {
			d.Options = append(d.Options, &eventv1.DecisionOption{Id: id, Text: r.Creature(id).Name})
		}
		d.Options = append(d.Options, &eventv1.DecisionOption{Id: body.NoStray, Text: "Nobody"})
		id := r.Ask("stray", d).GetOption()
		if id == body.NoStray {
			return
		}
		at := slices.Index(left, id)
		left = slices.Delete(left, at, at+1)
		// Without positions the ally stands where the one shot at does.
		var facts *structpb.Struct
		if _, known := body.Measured(r.Creature(b.Attacker), r.Creature(id)); !known && b.Facts.GetFields()["distance"] != nil {
			facts = &structpb.Struct{Fields: map[string]*structpb.Value{"distance": b.Facts.Fields["distance"]}}
		}
		if (Blow{Attacker: b.Attacker, Target: id, Weapon: b.Weapon, Label: "stray/" + id, Ranged: true, stray: true, Facts: facts}).Strike(r) {
			return
		}
	}
}

func refuseReload(at *play.At) error {
	c, item := at.Actor, at.Item()
	w := body.WeaponOf(c, item)
	if err := RefuseHand(c, w); err != nil {
		return err
	}
	if !slices.Contains(order.Unloaded(c), item) {
		return body.Refuse("LOADED", reloadRule(w), "%s needs no reloading", item)
	}
	return nil
}

// doReload spends a whole round; after as many as the weapon takes it is loaded.
//
// basic.attack.rate-light-crossbow, basic.attack.rate-heavy-crossbow, basic.attack.rate-siege
func doReload(r *rules.Resolution, at *play.At) error {
	c, take := at.Actor, at.Take
	rule := reloadRule(body.WeaponOf(c, take.Item))
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "reload", Item: take.Item}, rule)
	body.Pay(r, at, rule)
	it := c.Items[take.Item]
	values := maps.Clone(it.Values)
	values["loaded"], values["reloading"] = 0, values["reloading"]+1
	if values["reloading"] >= body.WeaponOf(c, take.Item).ReloadRounds {
		values["loaded"], values["reloading"] = 1, 0
	}
	r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: c.Id, Item: take.Item, Place: it.Place, Values: values, Cause: "reload"}, rule)
	return nil
}
