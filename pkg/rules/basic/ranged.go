package basic

import (
	"maps"
	"slices"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// shooters are the declarations that allow shots and throws.
var shooters = []string{kindAttack, kindRanged, kindHold}

func rangedActions() []*action {
	return []*action{
		{id: "shoot", title: "Shoot or throw", rule: cite.ActionRangedAttack, kinds: shooters, costs: true,
			items: missiles, refuse: refuseShot, refuseTarget: refuseRange, least: 1, most: 1, do: doShoot},
		{id: "sneak-shot", title: "Shoot or throw by surprise from behind", rule: cite.AttackBehindNotWithSneak, kinds: shooters, costs: true,
			items: missiles, refuse: refuseSneakShot, refuseTarget: refuseRange, least: 1, most: 1, do: doShoot},
		{id: "reload", title: "Reload for the whole round", rule: cite.AttackRateLightCrossbow, kinds: []string{kindReload}, costs: true,
			items: loadable, refuse: refuseReload, do: doReload},
	}
}

func missiles(_ *eventv1.State, c *eventv1.Creature) []string {
	var out []string
	for _, w := range sheetOf(c).Weapons {
		if missile(w) && w.Kind != "grenade" {
			out = append(out, w.Name)
		}
	}
	return out
}

func loadable(_ *eventv1.State, c *eventv1.Creature) []string {
	var out []string
	for _, w := range sheetOf(c).Weapons {
		if w.ReloadRounds > 0 {
			out = append(out, w.Name)
		}
	}
	return out
}

func unloaded(c *eventv1.Creature) []string {
	return weaponNames(armed(c, func(w *eventv1.BasicWeapon) bool {
		return w.ReloadRounds > 0 && c.Items[w.Name].GetValues()["loaded"] == 0
	}))
}

func refuseAnyShot(s *eventv1.State, c *eventv1.Creature) error {
	err := refuse("NO_MISSILE", cite.ActionRangedAttack, "%s has nothing to shoot or throw", c.Name)
	for _, name := range append(missiles(s, c), grenades(s, c)...) {
		w := weaponOf(c, name)
		if err = refuseHand(c, w); err != nil && !canReady(c, w) {
			continue
		}
		if err = refuseLoad(s, c, w); err == nil {
			return nil
		}
	}
	return err
}

// refuseShot says why a missile weapon cannot be used.
//
// basic.attack.rate-light-crossbow, basic.attack.rate-heavy-crossbow, basic.attack.rate-siege, basic.attack.preloaded-crossbows
func refuseShot(s *eventv1.State, c *eventv1.Creature, item string) error {
	if err := refuseAttacking(s, c); err != nil {
		return err
	}
	w := weaponOf(c, item)
	if err := refuseHand(c, w); err != nil {
		return err
	}
	return refuseLoad(s, c, w)
}

// refuseLoad says why there is nothing to shoot or throw with a weapon, wherever it is.
func refuseLoad(s *eventv1.State, c *eventv1.Creature, w *eventv1.BasicWeapon) error {
	if w.Kind == "grenade" {
		return refuseNoFlask(c, w)
	}
	if w.Ammunition != "" && c.Counters[cAmmunition+w.Ammunition] < 1 {
		return refuse("NO_AMMUNITION", cite.AttackMissileLost, "%s has no %s left", c.Name, w.Ammunition)
	}
	values := c.Items[w.Name].GetValues()
	switch again := values["shot"] + w.RateRounds; {
	case w.ReloadRounds > 0 && values["loaded"] == 0 && (values["spares"] == 0 || defaults.Value(s, setPreloaded) != "on"):
		return refuse("NOT_LOADED", reloadRule(w), "%s is not loaded", w.Name)
	case w.RateRounds > 1 && values["shot"] > 0 && s.Round < again:
		return refuse("NOT_READY", cite.AttackRateSiege, "%s shoots once in %d rounds, next in round %d", w.Name, w.RateRounds, again)
	}
	return nil
}

// refuseSneakShot: only with the ability, which stands for the bonus from behind.
//
// basic.attack.behind-not-with-sneak
func refuseSneakShot(s *eventv1.State, c *eventv1.Creature, item string) error {
	if err := refuseNoSneak(c); err != nil {
		return err
	}
	return refuseShot(s, c, item)
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

// refuseRange: past long range, or hidden altogether, nothing can be shot at.
//
// basic.attack.range-beyond, basic.attack.cover-table
func refuseRange(s *eventv1.State, c *eventv1.Creature, item string, t *eventv1.Creature, facts *structpb.Struct) error {
	w := weaponOf(c, item)
	d, known := gap(s, c, t, facts)
	cover, _ := spoken.Number(facts, "cover")
	concealment, _ := spoken.Number(facts, "concealment")
	switch {
	case t.Id == c.Id || dead(t):
		return refuse("NO_TARGET", cite.ActionRangedAttack, "%s cannot be shot at", t.Name)
	case known && d > w.LongFeet:
		return refuse("OUT_OF_RANGE", cite.AttackRangeBeyond, "%s is beyond %d feet", t.Name, w.LongFeet)
	case max(cover, concealment) >= 100:
		return refuse("HIDDEN", cite.AttackCoverTable, "%s is wholly hidden", t.Name)
	}
	return nil
}

// doShoot makes the one shot of a round. What misses is lost.
//
// basic.attack.rate-once, basic.attack.missile-lost
func doShoot(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if take.Action == "sneak-shot" && !unnoticed(r, c, take) {
		return nil
	}
	b := begin(r, c, take, cite.ActionRangedAttack)
	b.ranged, b.sneak = true, take.Action == "sneak-shot"
	if w := b.weapon; w.Ammunition != "" {
		r.Set(c.Id, cAmmunition+w.Ammunition, r.Count(c.Id, cAmmunition+w.Ammunition)-1, "shot", cite.AttackMissileLost)
	}
	unload(r, c.Id, b.weapon)
	hit := b.strike(r)
	if thrown(b.weapon) && !b.weapon.Natural && atHand(r.Creature(c.Id), b.weapon) {
		where, values := "dropped", fallen(nil, r.Creature(b.target).GetPosition())
		if !hit {
			where, values = "gone", nil
		}
		r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: c.Id, Item: b.weapon.Name, Place: where, Values: values, Cause: "thrown"}, cite.AttackMissileLost)
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
	r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: id, Item: w.Name, Place: place(r.Creature(id), w), Values: values, Cause: "shot"}, reloadRule(w))
}

// stray lets the game master try a missed shot on the shooter's allies in the
// melee, one after another, until one is hit.
//
// basic.attack.missile-into-melee, basic.attack.missile-stray-roll
func stray(r *rules.Resolution, b blow) {
	const rule = cite.AttackMissileIntoMelee
	s := r.State()
	near, stated := spoken.Words(b.facts, "into_melee")
	if !stated {
		near = alliesNear(s, s.Creatures[b.attacker], s.Creatures[b.target])
	}
	var left []string
	for _, id := range near {
		if c := s.Creatures[id]; c != nil && id != b.attacker && id != b.target && !dead(c) && c.Side == s.Creatures[b.attacker].Side && !slices.Contains(left, id) {
			left = append(left, id)
		}
	}
	left = slices.DeleteFunc(left, func(id string) bool { // basic.attack.range-beyond
		d, known := measured(s.Creatures[b.attacker], s.Creatures[id])
		return known && d > b.weapon.LongFeet
	})
	for len(left) > 0 {
		d := &eventv1.Decision{Name: decStray, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, GmOnly: true, Rule: rule, DefaultOption: noStray,
			Cause: "a missile misses in a melee", Question: "Which ally of the shooter may be hit next?"}
		for _, id := range left {
			d.Options = append(d.Options, &eventv1.DecisionOption{Id: id, Text: r.Creature(id).Name})
		}
		d.Options = append(d.Options, &eventv1.DecisionOption{Id: noStray, Text: "Nobody"})
		id := r.Ask("stray", d).GetOption()
		if id == noStray {
			return
		}
		at := slices.Index(left, id)
		left = slices.Delete(left, at, at+1)
		// Without positions the ally stands where the one shot at does.
		var facts *structpb.Struct
		if _, known := measured(r.Creature(b.attacker), r.Creature(id)); !known && b.facts.GetFields()["distance"] != nil {
			facts = &structpb.Struct{Fields: map[string]*structpb.Value{"distance": b.facts.Fields["distance"]}}
		}
		if (blow{attacker: b.attacker, target: id, weapon: b.weapon, label: "stray/" + id, ranged: true, stray: true, facts: facts}).strike(r) {
			return
		}
	}
}

func refuseReload(_ *eventv1.State, c *eventv1.Creature, item string) error {
	w := weaponOf(c, item)
	if err := refuseHand(c, w); err != nil {
		return err
	}
	if !slices.Contains(unloaded(c), item) {
		return refuse("LOADED", reloadRule(w), "%s needs no reloading", item)
	}
	return nil
}

// doReload spends a whole round; after as many as the weapon takes it is loaded.
//
// basic.attack.rate-light-crossbow, basic.attack.rate-heavy-crossbow, basic.attack.rate-siege
func doReload(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	rule := reloadRule(weaponOf(c, take.Item))
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "reload", Item: take.Item}, rule)
	spend(r, c.Id, "reload", rule)
	it := c.Items[take.Item]
	values := maps.Clone(it.Values)
	values["loaded"], values["reloading"] = 0, values["reloading"]+1
	if values["reloading"] >= weaponOf(c, take.Item).ReloadRounds {
		values["loaded"], values["reloading"] = 1, 0
	}
	r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: c.Id, Item: take.Item, Place: it.Place, Values: values, Cause: "reload"}, rule)
	return nil
}
