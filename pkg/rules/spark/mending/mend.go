package mending

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/resolving"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// TendGather picks up the missiles that a fight left on the ground: those of the
// weapon named by item, or of all. What was destroyed is not among them, and
// what is cracked cannot be used before it is repaired.
//
// spark.fumble.missile-broken, spark.fumble.alt-ammo-accident
func TendGather(r *rules.Resolution, c *eventv1.PatientCommand, id string) error {
	if c.Item != "" && body.WeaponOf(r.Creature(id), c.Item) == nil {
		return fault.Field("command.patient.item", "%q has no weapon %q%s", id, c.Item, rules.DidYouMean(c.Item, body.WeaponNames(r.Creature(id))))
	}
	for _, w := range body.SheetOf(r.Creature(id)).Weapons {
		if c.Item != "" && w.Name != c.Item {
			continue
		}
		found := r.Count(id, body.CSpent+w.Name) + r.Count(id, body.CSpilled+w.Name)
		r.Set(id, body.CSpent+w.Name, 0, "gathered", cite.FumbleMissileBroken)
		r.Set(id, body.CSpilled+w.Name, 0, "gathered", cite.FumbleAltAmmoAccident)
		r.Set(id, body.CAmmunition+w.Name, r.Count(id, body.CAmmunition+w.Name)+found, "gathered", cite.FumbleMissileBroken)
	}
	return nil
}

// TendRepair mends the weapon named by item: chips, cracks, and the cracked
// missiles of it. What is broken for good stays so.
//
// spark.fumble.weapon-chipped, spark.fumble.weapon-cracked, spark.item.cracked
func TendRepair(r *rules.Resolution, c *eventv1.PatientCommand, id string) error {
	w := body.WeaponOf(r.Creature(id), c.Item)
	if w == nil {
		return fault.Field("command.patient.item", "%q has no weapon %q%s", id, c.Item, rules.DidYouMean(c.Item, body.WeaponNames(r.Creature(id))))
	}
	if r.Creature(id).Marks[body.MWeapon+w.Name] == body.Broken {
		return body.Refuse("BROKEN", cite.ItemHardnessCheck, "%s is broken for good", w.Name)
	}
	r.Set(id, body.CChip+w.Name, 0, "repaired", cite.FumbleWeaponChipped)
	r.Mark(id, body.MWeapon+w.Name, "", cite.ItemCracked)
	r.Set(id, body.CAmmunition+w.Name, r.Count(id, body.CAmmunition+w.Name)+r.Count(id, body.CCracked+w.Name), "repaired", cite.ItemCracked)
	r.Set(id, body.CCracked+w.Name, 0, "repaired", cite.ItemCracked)
	return nil
}

// TendRestring sees to the string of the weapon named by item: a spare one in
// place of a snapped one, or an attempt at putting a loose one back.
//
// spark.fumble.string-breaks, spark.fumble.alt-string-snaps, spark.fumble.alt-loose-string
func TendRestring(r *rules.Resolution, c *eventv1.PatientCommand, id string) error {
	if r.Creature(id).Marks[body.MString+c.Item] == body.Loose {
		resolving.RefitString(r, id, c.Item, "refit/"+id)
		return nil
	}
	pass(r, id, 1)
	r.Set(id, body.CSpareStrings, r.Count(id, body.CSpareStrings)-1, "restrung", body.StringRule(r.State()))
	r.Mark(id, body.MString+c.Item, "", body.StringRule(r.State()))
	return nil
}

// checkRestring says why there is nothing to be done about a string.
func checkRestring(r *rules.Resolution, c *eventv1.PatientCommand, id string) error {
	state := r.Creature(id).Marks[body.MString+c.Item]
	switch {
	case r.Creature(id).Marks[body.MWeapon+c.Item] == body.Broken:
		return body.Refuse("BROKEN", cite.ItemHardnessCheck, "%q is broken for good", c.Item)
	case state != body.Loose && state != body.Snapped:
		return body.Refuse("STRING_WHOLE", body.StringRule(r.State()), "%q needs no string", c.Item)
	case state == body.Snapped && r.Count(id, body.CSpareStrings) < 1:
		return body.Refuse("NO_STRING", body.StringRule(r.State()), "%q has no spare string", id)
	}
	return nil
}

// TendRestore is magical restoration: parameters levels (lost for good, then
// those drained), ability and points, injury (a kind of injury that it ends).
//
// spark.healing.permanent-needs-magic, spark.fumble.alt-ouch
func TendRestore(r *rules.Resolution, c *eventv1.PatientCommand, id string) error {
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
	back([]string{body.CLevelsPermanent, body.CLevelsTemporary}, int64(levels))
	if ability != "" {
		back([]string{body.CLost + ability, body.CDrained + ability}, int64(points))
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
