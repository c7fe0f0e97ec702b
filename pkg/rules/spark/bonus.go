package spark

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// extra reads the bonus action: "KIND:ITEM".
func (d *declaration) extra(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	asked, _ := spoken.Words(take.GetParameters(), "bonus")
	if len(asked) == 0 {
		return slips(c, take)
	}
	if len(asked) > 1 {
		return refuse("TWO_BONUS_ACTIONS", cite.ActionBonus, "one bonus action a round, not %d", len(asked))
	}
	kind, item, _ := strings.Cut(asked[0], ":")
	d.Bonus = &extra{Kind: kind, Item: item, Class: spoken.Word(take.GetParameters(), "bonus_class"), Target: spoken.Word(take.GetParameters(), "bonus_target"),
		First: spoken.Truth(take.GetParameters(), "bonus_first")}
	if d.Bonus.Target == "" && kind == "off-hand" && len(take.Targets) > 0 {
		d.Bonus.Target = take.Targets[0]
	}
	if d.Bonus.Target == "" {
		d.Bonus.Target = c.Id
	}
	return nil
}

// slips refuses what could not be said of any bonus action; without one nothing
// else is made of it.
func slips(c *eventv1.Creature, take *eventv1.TakeAction) error {
	if class := spoken.Word(take.GetParameters(), "bonus_class"); class != "" && !slices.ContainsFunc(sheetOf(c).Weapons, func(w *eventv1.SparkWeapon) bool {
		return w.OffHand && slices.Contains(w.FumbleClasses, class)
	}) {
		return fault.Field("take.parameters.bonus_class", "%s has no off-hand weapon of class %q", c.Name, class)
	}
	return nil
}

// both tells whether a declaration holds a move, of more than the 5 feet that go
// with every attack, and an attack.
func (d *declaration) both() bool { return (d.Feet > 5 || d.Stand) && takesAttack(d.Kind) }

// refuseBonus says why the bonus action of a declaration is not to be had.
//
// spark.action.bonus, spark.action.off-hand-attack, spark.action.drink-potion,
// spark.action.activate-item, spark.action.feat-bonus
func (d *declaration) refuseBonus(s *eventv1.State, c *eventv1.Creature) error {
	switch {
	case d.Kind == kindCast:
		return refuse("SPELL_FILLS_ROUND", castRule(c, d.Spell), "a spell leaves no bonus action")
	case fillsRound(d.Kind):
		return refuse("STRING_FILLS_ROUND", taskRule(s, d.Kind), "work at a string leaves no bonus action")
	case d.both() && defaults.Value(s, setBonusWithBoth) == "deny":
		return refuse("NO_BONUS_ACTION", cite.ActionFullMoveSingleAttack, "a move with an attack leaves no bonus action at this table")
	}
	b := d.Bonus
	if err := refuseExtra(s, c, b.Kind, b.Item); err != nil {
		return err
	}
	switch b.Kind {
	case "off-hand":
		if slices.ContainsFunc(d.Strikes, func(x strike) bool { return x.Weapon == b.Item }) {
			return refuse("SAME_WEAPON", cite.ActionOffHandAttack, "%s attacks already", b.Item)
		}
		if b.Target == c.Id || out(s.Creatures[b.Target]) {
			return refuse("NO_TARGET", cite.ActionOffHandAttack, "the off-hand attack needs a bonus_target")
		}
		if b.Class != "" && !slices.Contains(weaponOf(c, b.Item).FumbleClasses, b.Class) {
			return fault.Field("take.parameters.bonus_class", "%s is not of class %q", b.Item, b.Class)
		}
	case "gather":
		if d.Feet > 0 || len(d.Path) > 0 || d.Stand {
			return refuse("MOVES", cite.FumbleAltAmmoAccident, "%s must stay still to pick up a missile", c.Name)
		}
	case "pick-up":
		return d.refusePickUp(s, c)
	}
	return nil
}

// refusePickUp holds that a weapon on the ground is reached by the move.
//
// spark.fumble.weapon-flies
func (d *declaration) refusePickUp(s *eventv1.State, c *eventv1.Creature) error {
	if d.Held {
		return refuse("OUT_OF_REACH", flyRule(s), "a contested move comes too late to fetch %s", d.Bonus.Item)
	}
	v := c.Items[d.Bonus.Item].GetValues()
	at := c.Position
	if n := len(d.Path); n > 0 {
		at = d.Path[n-1].position()
	}
	_, mapped := v["x"]
	if mapped && at != nil && grid.Steps(at, &eventv1.Position{X: v["x"], Y: v["y"], Z: at.Z}) > 5 || (!mapped || at == nil) && d.Feet+5 < v["feet"] {
		return refuse("OUT_OF_REACH", flyRule(s), "the move does not reach %s", d.Bonus.Item)
	}
	return nil
}

// refuseExtra says why a bonus action cannot be used whatever the rest.
func refuseExtra(s *eventv1.State, c *eventv1.Creature, kind, item string) error {
	w, it := weaponOf(c, item), itemOf(c, item)
	switch kind {
	case "off-hand":
		switch {
		case w == nil || !w.OffHand || w.ReachFeet == 0:
			return fault.Field("take.parameters.bonus", "%s has no off-hand weapon %q%s", c.Name, item, rules.DidYouMean(item, weaponNames(c)))
		case barred(s, c):
			return refuse("TRIPPED", barredBy(c), "%s tripped: no attacks through round %d", c.Name, c.Counters[cBarredUntil])
		case len(targets(s, c, false)) == 0:
			return refuse("NO_TARGET", cite.AttackRoll, "nobody is left to attack")
		}
		return refuseWeapon(s, c, w, false, false, nil)
	case "draw", "pick-up":
		place := map[string]string{"draw": "stowed", "pick-up": "dropped"}[kind]
		if w == nil {
			return fault.Field("take.parameters.bonus", "%s has no weapon %q%s", c.Name, item, rules.DidYouMean(item, weaponNames(c)))
		}
		if c.Items[item].GetPlace() != place || c.Items[item].GetValues()["until"] > 0 {
			return refuse("NOT_THERE", cite.ActionBonus, "%q is not %s", item, place)
		}
		if kind == "pick-up" && waysOff(c, item) > farthest(s, c)+5 {
			return refuse("OUT_OF_REACH", flyRule(s), "%s lies too far away for this round", item)
		}
	case "free":
		if w == nil || c.Marks[mStuck+item] == "" {
			return refuse("NOT_STUCK", cite.FumbleAltStuckWeapon, "%q is not stuck", item)
		}
	case "gather":
		if w == nil || c.Counters[cSpilled+item] < 1 {
			return refuse("NOTHING_SPILLED", cite.FumbleAltAmmoAccident, "no missiles of %q lie spilled", item)
		}
	case "potion", "activate":
		if it == nil || it.Kind != map[string]string{"potion": "potion", "activate": "magic"}[kind] {
			return fault.Field("take.parameters.bonus", "%s has no such item %q%s", c.Name, item, rules.DidYouMean(item, itemNames(c)))
		}
		if c.Counters[cUses+item] < 1 {
			return refuse("USED_UP", cite.ActionBonus, "%s is used up", item)
		}
	case "feat":
		has := slices.ContainsFunc(sheetOf(c).Feats, func(f *eventv1.SparkFeat) bool { return f.Name == item && f.Bonus })
		if !has || !defaults.On(s, ruleFeatBonus) {
			return refuse("NO_FEAT", ruleFeatBonus, "%s has no feat %q that costs the bonus action", c.Name, item)
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

func itemNames(c *eventv1.Creature) []string {
	var names []string
	for _, it := range sheetOf(c).Items {
		names = append(names, it.Name)
	}
	return names
}

// waysOff is how far from a creature a weapon of its lies, in feet.
func waysOff(c *eventv1.Creature, item string) int32 {
	v := c.Items[item].GetValues()
	if _, mapped := v["x"]; mapped && c.Position != nil {
		return grid.Steps(c.Position, &eventv1.Position{X: v["x"], Y: v["y"], Z: c.Position.Z})
	}
	return v["feet"]
}

// farthest is how far a creature can move this round.
func farthest(s *eventv1.State, c *eventv1.Creature) int32 {
	if prone(s, c) {
		return min(5, speedOf(c))
	}
	return speedOf(c)
}

// extras lists the bonus actions to be had, besides those with a weapon.
func extras(s *eventv1.State, c *eventv1.Creature, except string) []string {
	var names []string
	for _, w := range sheetOf(c).Weapons {
		names = append(names, "off-hand:"+w.Name, "draw:"+w.Name, "pick-up:"+w.Name, "free:"+w.Name, "gather:"+w.Name)
	}
	for _, it := range sheetOf(c).Items {
		names = append(names, "potion:"+it.Name, "activate:"+it.Name)
	}
	for _, f := range sheetOf(c).Feats {
		names = append(names, "feat:"+f.Name)
	}
	return slices.DeleteFunc(names, func(name string) bool {
		kind, item, _ := strings.Cut(name, ":")
		return kind == "off-hand" && item == except || refuseExtra(s, c, kind, item) != nil
	})
}
