package spark

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// tendGather picks up the missiles that a fight left on the ground: those of the
// weapon named by item, or of all. What was destroyed is not among them, and
// what is cracked cannot be used before it is repaired.
//
// spark.fumble.missile-broken, spark.fumble.alt-ammo-accident
func tendGather(r *rules.Resolution, c *eventv1.PatientCommand, id string) error {
	if c.Item != "" && weaponOf(r.Creature(id), c.Item) == nil {
		return fault.Field("command.patient.item", "%q has no weapon %q%s", id, c.Item, rules.DidYouMean(c.Item, weaponNames(r.Creature(id))))
	}
	for _, w := range sheetOf(r.Creature(id)).Weapons {
		if c.Item != "" && w.Name != c.Item {
			continue
		}
		found := r.Count(id, cSpent+w.Name) + r.Count(id, cSpilled+w.Name)
		r.Set(id, cSpent+w.Name, 0, "gathered", cite.FumbleMissileBroken)
		r.Set(id, cSpilled+w.Name, 0, "gathered", cite.FumbleAltAmmoAccident)
		r.Set(id, cMissiles+w.Name, r.Count(id, cMissiles+w.Name)+found, "gathered", cite.FumbleMissileBroken)
	}
	return nil
}

// tendRepair mends the weapon named by item: chips, cracks, and the cracked
// missiles of it. What is broken for good stays so.
//
// spark.fumble.weapon-chipped, spark.fumble.weapon-cracked, spark.item.cracked
func tendRepair(r *rules.Resolution, c *eventv1.PatientCommand, id string) error {
	w := weaponOf(r.Creature(id), c.Item)
	if w == nil {
		return fault.Field("command.patient.item", "%q has no weapon %q%s", id, c.Item, rules.DidYouMean(c.Item, weaponNames(r.Creature(id))))
	}
	if r.Creature(id).Marks[mWeapon+w.Name] == broken {
		return refuse("BROKEN", cite.ItemHardnessCheck, "%s is broken for good", w.Name)
	}
	r.Set(id, cChip+w.Name, 0, "repaired", cite.FumbleWeaponChipped)
	r.Mark(id, mWeapon+w.Name, "", cite.ItemCracked)
	r.Set(id, cMissiles+w.Name, r.Count(id, cMissiles+w.Name)+r.Count(id, cCrackedMissiles+w.Name), "repaired", cite.ItemCracked)
	r.Set(id, cCrackedMissiles+w.Name, 0, "repaired", cite.ItemCracked)
	return nil
}

// tendRestring sees to the string of the weapon named by item: a spare one in
// place of a snapped one, or an attempt at putting a loose one back.
//
// spark.fumble.string-breaks, spark.fumble.alt-string-snaps, spark.fumble.alt-loose-string
func tendRestring(r *rules.Resolution, c *eventv1.PatientCommand, id string) error {
	if r.Creature(id).Marks[mString+c.Item] == loose {
		refitString(r, id, c.Item, "refit/"+id)
		return nil
	}
	pass(r, id, 1)
	r.Set(id, cSpareStrings, r.Count(id, cSpareStrings)-1, "restrung", stringRule(r.State()))
	r.Set(id, cRestring+c.Item, 0, "restrung", stringRule(r.State()))
	r.Mark(id, mString+c.Item, "", stringRule(r.State()))
	return nil
}

// checkRestring says why there is nothing to be done about a string.
func checkRestring(r *rules.Resolution, c *eventv1.PatientCommand, id string) error {
	state := r.Creature(id).Marks[mString+c.Item]
	switch {
	case state != loose && state != snapped:
		return refuse("STRING_WHOLE", stringRule(r.State()), "%q needs no string", c.Item)
	case state == snapped && r.Count(id, cSpareStrings) < 1:
		return refuse("NO_STRING", stringRule(r.State()), "%q has no spare string", id)
	}
	return nil
}

// tendRestore is magical restoration: parameters levels (lost for good, then
// those drained), ability and points, injury (a kind of injury that it ends).
//
// spark.healing.permanent-needs-magic, spark.fumble.alt-ouch
func tendRestore(r *rules.Resolution, c *eventv1.PatientCommand, id string) error {
	const rule = cite.HealingPermanentNeedsMagic
	p := c.GetParameters()
	levels, _ := spoken.Number(p, "levels")
	points, _ := spoken.Number(p, "points")
	ability, kind := spoken.Word(p, "ability"), spoken.Word(p, "injury")
	if (points > 0) != (ability != "") || levels == 0 && points == 0 && kind == "" {
		return fault.Field("command.patient.parameters", "levels, or ability and points, or injury")
	}
	back := func(counters []string, n int64) {
		for _, counter := range counters {
			part := min(n, r.Count(id, counter))
			r.Set(id, counter, r.Count(id, counter)-part, "magical restoration", rule)
			n -= part
		}
	}
	back([]string{cLevelsPermanent, cLevelsTemporary}, int64(levels))
	if ability != "" {
		back([]string{cLost + ability, cDrained + ability}, int64(points))
	}
	if kind == "" {
		return nil
	}
	if !slices.ContainsFunc(r.Creature(id).Injuries, func(in *eventv1.Injury) bool { return in.Kind == kind }) {
		return fault.Field("command.patient.parameters.injury", "%q has no injury %q", id, kind)
	}
	endInjuries(r, id, "magical restoration", kind)
	return nil
}
