package spark

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// strikes takes over the attacks.
//
// spark.action.attack, spark.action.charge, spark.action.bull-rush, spark.action.off-hand-attack
func (d *declaration) strikes(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	names, _ := spoken.Words(take.GetParameters(), "weapons")
	classes, _ := spoken.Words(take.GetParameters(), "classes")
	n := len(take.Targets)
	switch {
	case n == 0:
		return fault.Field("take.targets", "at least one")
	case d.Kind != kindAttack && n > 1:
		return refuse("TOO_MANY_ATTACKS", cite.ActionCharge, "a charge ends in exactly one attack")
	case n > attacksOf(c):
		return refuse("TOO_MANY_ATTACKS", cite.ActionAttack, "%s has %d attacks a round, not %d", c.Name, attacksOf(c), n)
	}
	if len(classes) == 1 {
		classes = slices.Repeat(classes, n) // one for all
	}
	if len(names) > 0 && len(names) != n || len(classes) > 0 && len(classes) != n {
		return fault.Field("take.parameters", "weapons must name one for each of %d targets, classes one for each or for all", n)
	}
	for i, target := range take.Targets {
		st := strike{Weapon: take.Item, Target: target, Ranged: spoken.Truth(take.GetParameters(), "ranged"), Risk: spoken.Truth(take.GetParameters(), "use_cracked"),
			Sneak: spoken.Truth(take.GetParameters(), "sneak")}
		if len(names) > 0 {
			st.Weapon = names[i]
		}
		if len(classes) > 0 {
			st.Class = classes[i]
		}
		if err := d.addStrike(s, c, st); err != nil {
			return err
		}
	}
	return nil
}

func (d *declaration) addStrike(s *eventv1.State, c *eventv1.Creature, st strike) error {
	w := weaponOf(c, st.Weapon)
	if w == nil {
		return fault.Field("take.parameters.weapons", "%s has no weapon %q%s", c.Name, st.Weapon, rules.DidYouMean(st.Weapon, weaponNames(c)))
	}
	if w.ReachFeet == 0 {
		st.Ranged = true
	}
	st.Risk = st.Risk && c.Marks[mWeapon+w.Name] == cracked
	switch {
	case st.Target == c.Id:
		return refuse("SELF", cite.AttackRoll, "%s cannot attack itself", c.Name)
	case out(s.Creatures[st.Target]):
		return refuse("TARGET_OUT", cite.DiceDropToZero, "%s is out of the fight", s.Creatures[st.Target].GetName())
	case st.Ranged && (w.RangeFeet == 0 || d.Kind != kindAttack):
		return refuse("NOT_RANGED", cite.AttackRoll, "%s is not shot or thrown now", w.Name)
	case st.Sneak && sheetOf(c).SneakAttack == "":
		return fault.Field("take.parameters.sneak", "%s has no sneak attack", c.Name)
	case st.Class != "" && !slices.Contains(w.FumbleClasses, st.Class):
		return fault.Field("take.parameters.classes", "%s is not of class %q but of %s", w.Name, st.Class, strings.Join(w.FumbleClasses, ", "))
	}
	if err := refuseWeapon(s, c, w, st.Ranged, st.Risk, d.Bonus); err != nil {
		return err
	}
	with := func(x strike) bool { return x.Weapon == st.Weapon && (x.Ranged || st.Risk) }
	used := 0
	for _, x := range d.Strikes {
		if with(x) {
			used++
		}
	}
	have := c.Counters[cMissiles+w.Name]
	if d.Bonus.on(w.Name).is("gather") {
		have++
	}
	if st.Ranged && w.Missiles != nil && int64(used) >= have {
		return refuse("NO_MISSILES", cite.FumbleMissileBroken, "%s has only %d missiles", w.Name, used)
	}
	if used > 0 && c.Marks[mWeapon+w.Name] == cracked {
		return refuse("CRACKED", cite.ItemCracked, "%s is cracked and breaks with its first use", w.Name)
	}
	d.Strikes = append(d.Strikes, st)
	return nil
}

// cast takes over the spell.
//
// spark.action.spell-fills-round
func (d *declaration) cast(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	sp := spellOf(c, take.Item)
	if len(take.Targets) > int(max(1, sp.Targets)) {
		return fault.Field("take.targets", "%s has at most %d targets", sp.Name, max(1, sp.Targets))
	}
	if len(take.Targets) == 0 && sp.Delivery != "other" {
		return fault.Field("take.targets", "at least one")
	}
	for i, t := range take.Targets {
		if slices.Contains(take.Targets[:i], t) {
			return fault.Field("take.targets["+itoa(i)+"]", "%q is named twice", t)
		}
		if sp.Healing == "" && out(s.Creatures[t]) {
			return refuse("TARGET_OUT", cite.DiceDropToZero, "%s is out of the fight", s.Creatures[t].GetName())
		}
	}
	d.Spell, d.Targets = sp.Name, take.Targets
	return nil
}

// deed takes over something that is no attack. It may call for a Strength
// check, with the muscles of the upper or lower body.
//
// spark.initiative.other-deeds
func (d *declaration) deed(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	p := take.GetParameters()
	if d.Text == "" || len(d.Text) > 200 {
		return fault.Field("take.parameters.text", "must be 1 to 200 bytes")
	}
	d.Rival, d.Targets, d.Body = spoken.Word(p, "rival"), take.Targets, spoken.Word(p, "strength_check")
	if d.Body != "" {
		d.DC = usualDC
		if dc, given := spoken.Number(p, "dc"); given {
			d.DC = dc
		}
	}
	switch {
	case d.Rival == "":
	case d.Rival == c.Id:
		return fault.Field("take.parameters.rival", "%s cannot race itself", c.Name)
	case out(s.Creatures[d.Rival]):
		return refuse("TARGET_OUT", cite.DiceDropToZero, "%s is out of the fight", s.Creatures[d.Rival].GetName())
	}
	return nil
}

// bash takes over what is to be broken: its DC as stated, or by material and
// enchantment.
//
// spark.item.hardness-check, spark.item.hardness-table, spark.item.enchantment-hardness
func (d *declaration) bash(s *eventv1.State, take *eventv1.TakeAction) error {
	p := take.GetParameters()
	d.Thing = &thing{Name: spoken.Word(p, "object")}
	if d.Thing.Name == "" || len(mObject+d.Thing.Name) > rules.MaxIDLength {
		return fault.Field("take.parameters.object", "must be 1 to %d bytes", rules.MaxIDLength-len(mObject))
	}
	if s.Marks[mObject+d.Thing.Name] == broken {
		return refuse("BROKEN", cite.ItemHardnessCheck, "%s is broken already", d.Thing.Name)
	}
	plus, _ := spoken.Number(p, "enchantment")
	material := spoken.Word(p, "material")
	if dc, given := spoken.Number(p, "dc"); given {
		d.Thing.DC = dc
		return nil
	}
	if material == "" {
		return fault.Field("take.parameters.material", "must be said, one of %v; or state a dc", rules.SortedKeys(book.hardness))
	}
	d.Thing.DC = hardness(material, plus)
	return nil
}
