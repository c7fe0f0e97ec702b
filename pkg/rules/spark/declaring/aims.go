package declaring

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// judgeStrikes judges the attacks; whom they aim at has been judged.
//
// spark.action.attack, spark.action.charge, spark.action.bull-rush, spark.action.off-hand-attack
func (d *Declaration) judgeStrikes(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	names, _ := spoken.Words(take.GetParameters(), "weapons")
	classes, _ := spoken.Words(take.GetParameters(), "classes")
	n := len(take.Targets)
	switch {
	case d.Kind != KindAttack && n > 1:
		return body.Refuse("TOO_MANY_ATTACKS", cite.ActionCharge, "a charge ends in exactly one attack")
	case n > body.AttacksOf(c):
		return body.Refuse("TOO_MANY_ATTACKS", cite.ActionAttack, "%s has %d attacks a round, not %d", c.Name, body.AttacksOf(c), n)
	case len(names) > 0 && len(names) != n, len(classes) > 1 && len(classes) != n:
		return fault.Field("take.parameters", "weapons must name one for each of %d targets, classes one for each or for all", n)
	}
	sneak := spoken.Truth(take.GetParameters(), "sneak")
	for i, st := range d.Strikes {
		if err := d.judgeStrike(s, c, st, d.Strikes[:i], sneak); err != nil {
			return err
		}
	}
	return nil
}

// judgeStrike judges an attack after those before it.
func (d *Declaration) judgeStrike(s *eventv1.State, c *eventv1.Creature, st Strike, before []Strike, sneak bool) error {
	w := body.WeaponOf(c, st.Weapon)
	if w == nil {
		return fault.Field("take.parameters.weapons", "%s has no weapon %q%s", c.Name, st.Weapon, rules.DidYouMean(st.Weapon, body.WeaponNames(c)))
	}
	switch {
	case st.Ranged && (w.RangeFeet == 0 || d.Kind != KindAttack):
		return body.Refuse("NOT_RANGED", cite.AttackRoll, "%s is not shot or thrown now", w.Name)
	case sneak && body.SheetOf(c).SneakAttack == "":
		return fault.Field("take.parameters.sneak", "%s has no sneak attack", c.Name)
	case st.Class != "" && !slices.Contains(w.FumbleClasses, st.Class):
		return fault.Field("take.parameters.classes", "%s is not of class %q but of %s", w.Name, st.Class, strings.Join(w.FumbleClasses, ", "))
	}
	if err := body.RefuseWeapon(s, c, w, st.Ranged, st.Risk, d.Bonus); err != nil {
		return err
	}
	with := func(x Strike) bool { return x.Weapon == st.Weapon && (x.Ranged || st.Risk) }
	used := 0
	for _, x := range before {
		if with(x) {
			used++
		}
	}
	have := c.Counters[body.CAmmunition+w.Name]
	if d.Bonus.On(w.Name).Is("gather") {
		have++
	}
	if st.Ranged && w.Missiles != nil && int64(used) >= have {
		return body.Refuse("NO_MISSILES", cite.FumbleMissileBroken, "%s has only %d missiles", w.Name, used)
	}
	if used > 0 && body.IsCracked(c, w.Name) {
		return body.Refuse("CRACKED", cite.ItemCracked, "%s is cracked and breaks with its first use", w.Name)
	}
	return nil
}

// judgeDeed judges something that is no attack. It may call for a Strength check,
// with the muscles of the upper or lower body.
//
// spark.initiative.other-deeds
func (d *Declaration) judgeDeed(s *eventv1.State, c *eventv1.Creature) error {
	switch {
	case d.Text == "" || len(d.Text) > 200:
		return fault.Field("take.parameters.text", "must be 1 to 200 bytes")
	case d.Rival == "":
	case d.Rival == c.Id:
		return fault.Field("take.parameters.rival", "%s cannot race itself", c.Name)
	case body.Out(s.Creatures[d.Rival]):
		return body.Refuse("TARGET_OUT", cite.DiceDropToZero, "%s is out of the fight", s.Creatures[d.Rival].GetName())
	}
	return nil
}

// judgeBash judges what is to be broken.
//
// spark.item.hardness-check
func (d *Declaration) judgeBash(s *eventv1.State, own *effects.Book, take *eventv1.TakeAction) error {
	_, given := spoken.Number(take.GetParameters(), "dc")
	switch {
	case d.Thing.Name == "" || len(body.MObject+d.Thing.Name) > rules.MaxIDLength:
		return fault.Field("take.parameters.object", "must be 1 to %d bytes", rules.MaxIDLength-len(body.MObject))
	case s.Marks[body.MObject+d.Thing.Name] == body.Broken:
		return body.Refuse("BROKEN", cite.ItemHardnessCheck, "%s is broken already", d.Thing.Name)
	case !given && spoken.Word(take.GetParameters(), "material") == "":
		return fault.Field("take.parameters.material", "must be said, one of %v; or state a dc", rules.SortedKeys(body.TablesOf(own).Hardness))
	}
	return nil
}
