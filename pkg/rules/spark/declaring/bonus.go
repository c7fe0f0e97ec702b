package declaring

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// slips refuses what could not be said of any bonus action; without one nothing
// else is made of it.
func slips(c *eventv1.Creature, take *eventv1.TakeAction) error {
	if class := spoken.Word(take.GetParameters(), "bonus_class"); class != "" && !slices.ContainsFunc(body.SheetOf(c).Weapons, func(w *eventv1.SparkWeapon) bool {
		return w.OffHand && slices.Contains(w.FumbleClasses, class)
	}) {
		return fault.Field("take.parameters.bonus_class", "%s has no off-hand weapon of class %q", c.Name, class)
	}
	return nil
}

// Both tells whether a declaration holds a move, of more than the 5 feet that go
// with every attack, and an attack.
func (d *Declaration) Both() bool { return (d.Feet > 5 || d.Stand) && takesAttack(d.Kind) }

// refuseBonus says why the bonus action of a declaration is not to be had.
//
// spark.action.bonus, spark.action.off-hand-attack, spark.action.drink-potion,
// spark.action.activate-item, spark.action.feat-bonus
func (d *Declaration) refuseBonus(s *eventv1.State, c *eventv1.Creature) error {
	switch {
	case d.Kind == KindCast:
		return body.Refuse("SPELL_FILLS_ROUND", castRule(c, d.Spell), "a spell leaves no bonus action")
	case FillsRound(d.Kind):
		return body.Refuse("STRING_FILLS_ROUND", taskRule(s, d.Kind), "work at a string leaves no bonus action")
	case d.Both() && body.Defaults.Value(s, body.SetBonusWithBoth) == "deny":
		return body.Refuse("NO_BONUS_ACTION", cite.ActionFullMoveSingleAttack, "a move with an attack leaves no bonus action at this table")
	}
	if c.Counters[body.CBonus] < 1 {
		return body.Refuse("NO_BONUS_ACTION", cite.ActionBonus, "%s has no bonus action in this round", c.Name)
	}
	b := d.Bonus
	if err := refuseExtra(s, c, b); err != nil {
		return err
	}
	switch b.Kind {
	case "off-hand":
		if slices.ContainsFunc(d.Strikes, func(x Strike) bool { return x.Weapon == b.Item }) {
			return body.Refuse("SAME_WEAPON", cite.ActionOffHandAttack, "%s attacks already", b.Item)
		}
		if b.Target == c.Id || body.Out(s.Creatures[b.Target]) {
			return body.Refuse("NO_TARGET", cite.ActionOffHandAttack, "the off-hand attack needs a bonus_target")
		}
		if b.Class != "" && !slices.Contains(body.WeaponOf(c, b.Item).FumbleClasses, b.Class) {
			return fault.Field("take.parameters.bonus_class", "%s is not of class %q", b.Item, b.Class)
		}
	case "gather":
		if d.Moves() || d.Stand {
			return body.Refuse("MOVES", cite.FumbleAltAmmoAccident, "%s must stay still to pick up a missile", c.Name)
		}
	case "pick-up":
		return d.refusePickUp(s, c)
	}
	return nil
}

// refusePickUp holds that a weapon on the ground is reached by the move.
//
// spark.fumble.weapon-flies
func (d *Declaration) refusePickUp(s *eventv1.State, c *eventv1.Creature) error {
	if d.Contested {
		return body.Refuse("OUT_OF_REACH", body.FlyRule(s), "a contested move comes too late to fetch %s", d.Bonus.Item)
	}
	v := c.Items[d.Bonus.Item].GetValues()
	at := c.Position
	if n := len(d.Path); n > 0 {
		at = d.Path[n-1]
	}
	_, mapped := v["x"]
	if mapped && at != nil && grid.Steps(at, &eventv1.Position{X: v["x"], Y: v["y"], Z: at.Z}) > 5 || (!mapped || at == nil) && d.Feet+5 < v["feet"] {
		return body.Refuse("OUT_OF_REACH", body.FlyRule(s), "the move does not reach %s", d.Bonus.Item)
	}
	return nil
}

// refuseExtra says why a bonus action cannot be used whatever the rest.
func refuseExtra(s *eventv1.State, c *eventv1.Creature, b *body.Extra) error {
	kind, item := b.Kind, b.Item
	w, it := body.WeaponOf(c, item), body.ItemOf(c, item)
	switch kind {
	case "off-hand":
		switch {
		case w == nil || !w.OffHand || w.ReachFeet == 0:
			return fault.Field("take.parameters.bonus", "%s has no off-hand weapon %q%s", c.Name, item, rules.DidYouMean(item, body.WeaponNames(c)))
		case body.Barred(s, c):
			return body.Refuse("TRIPPED", body.BarredBy(c), "%s tripped: no attacks through round %d", c.Name, body.BarredUntil(c))
		case !body.AnyOther(s, c):
			return body.Refuse("NO_TARGET", cite.AttackRoll, "nobody is left to attack")
		}
		return body.RefuseWeapon(s, c, w, false, b.Risk, nil)
	case "draw", "pick-up":
		place := map[string]string{"draw": "stowed", "pick-up": "dropped"}[kind]
		if w == nil {
			return fault.Field("take.parameters.bonus", "%s has no weapon %q%s", c.Name, item, rules.DidYouMean(item, body.WeaponNames(c)))
		}
		if c.Items[item].GetPlace() != place || c.Items[item].GetValues()["until"] > 0 {
			return body.Refuse("NOT_THERE", cite.ActionBonus, "%q is not %s", item, place)
		}
		if kind == "pick-up" && waysOff(c, item) > Farthest(s, c)+5 {
			return body.Refuse("OUT_OF_REACH", body.FlyRule(s), "%s lies too far away for this round", item)
		}
	case "free":
		if w == nil || c.Marks[body.MStuck+item] == "" {
			return body.Refuse("NOT_STUCK", cite.FumbleAltStuckWeapon, "%q is not stuck", item)
		}
	case "gather":
		if w == nil || c.Counters[body.CSpilled+item] < 1 {
			return body.Refuse("NOTHING_SPILLED", cite.FumbleAltAmmoAccident, "no missiles of %q lie spilled", item)
		}
	case "potion", "activate":
		if it == nil || it.Kind != map[string]string{"potion": "potion", "activate": "magic"}[kind] {
			return fault.Field("take.parameters.bonus", "%s has no such item %q%s", c.Name, item, rules.DidYouMean(item, body.ItemNames(c)))
		}
		if c.Counters[body.CLeft+item] < 1 {
			return body.Refuse("USED_UP", cite.ActionBonus, "%s is used up", item)
		}
	case "feat":
		has := slices.ContainsFunc(body.SheetOf(c).Feats, func(f *eventv1.SparkFeat) bool { return f.Name == item && f.Bonus })
		if !has || !body.Defaults.On(s, body.RuleFeatBonus) {
			return body.Refuse("NO_FEAT", body.RuleFeatBonus, "%s has no feat %q that costs the bonus action", c.Name, item)
		}
	default:
		return rules.OneOf("take.parameters.bonus", kind, bonusKinds)
	}
	return nil
}

// bonusKinds are the kinds of bonus actions.
//
// spark.action.bonus
var bonusKinds = []string{"off-hand", "draw", "pick-up", "free", "gather", "potion", "activate", "feat"}

// waysOff is how far from a creature a weapon of its lies, in feet.
func waysOff(c *eventv1.Creature, item string) int32 {
	v := c.Items[item].GetValues()
	if _, mapped := v["x"]; mapped && c.Position != nil {
		return grid.Steps(c.Position, &eventv1.Position{X: v["x"], Y: v["y"], Z: c.Position.Z})
	}
	return v["feet"]
}

// Farthest is how far a creature can move this round.
func Farthest(s *eventv1.State, c *eventv1.Creature) int32 {
	if Prone(s, c) {
		return min(5, body.SpeedOf(c))
	}
	return body.SpeedOf(c)
}

// extras lists the bonus actions to be had; an off-hand attack with a cracked weapon
// is among them.
//
// spark.fumble.weapon-cracked
func extras(s *eventv1.State, c *eventv1.Creature) []string {
	var names []string
	add := func(kind, item string) {
		if refuseExtra(s, c, &body.Extra{Kind: kind, Item: item, Risk: true}) == nil {
			names = append(names, kind+":"+item)
		}
	}
	for _, w := range body.SheetOf(c).Weapons {
		if w.OffHand {
			add("off-hand", w.Name)
		}
		switch c.Items[w.Name].GetPlace() {
		case "stowed":
			add("draw", w.Name)
		case "dropped":
			add("pick-up", w.Name)
		}
		if c.Marks[body.MStuck+w.Name] != "" {
			add("free", w.Name)
		}
		if c.Counters[body.CSpilled+w.Name] > 0 {
			add("gather", w.Name)
		}
	}
	for _, it := range body.SheetOf(c).Items {
		switch it.Kind {
		case "potion":
			add("potion", it.Name)
		case "magic":
			add("activate", it.Name)
		}
	}
	for _, f := range body.SheetOf(c).Feats {
		if f.Bonus {
			add("feat", f.Name)
		}
	}
	return names
}
