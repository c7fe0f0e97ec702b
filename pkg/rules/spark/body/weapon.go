package body

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// LimbOf is the part of the body that a weapon is used with.
func LimbOf(w *eventv1.SparkWeapon) string {
	switch {
	case w.Limb != "":
		return w.Limb
	case w.Natural:
		return w.Name
	case w.OffHand:
		return "left"
	}
	return "right"
}

// HasInjury tells whether a creature has an injury of a kind.
func HasInjury(c *eventv1.Creature, kind string) bool {
	return slices.ContainsFunc(c.GetInjuries(), func(in *eventv1.Injury) bool { return in.Kind == kind })
}

// Injured tells whether a creature has an injury of a kind on this limb.
func Injured(c *eventv1.Creature, kind, limb string) bool {
	return slices.ContainsFunc(c.GetInjuries(), func(in *eventv1.Injury) bool { return in.Kind == kind && in.Side == limb })
}

// ClassOf is the fumble class of an attack: a natural weapon is of its own,
// spat or spewed too; whatever else is shot or thrown is a missile; a weapon of
// several kinds goes by the one named.
//
// spark.fumble.weapon-class
func ClassOf(w *eventv1.SparkWeapon, ranged bool, named string) string {
	switch {
	case w.Natural:
		return ClassFist
	case ranged:
		return classMissile
	case slices.Contains(w.FumbleClasses, named):
		return named
	case len(w.FumbleClasses) > 0:
		return w.FumbleClasses[0]
	}
	return ClassFist
}

// Pieces tells whether a weapon is several of a kind that are thrown: the last
// one gone, there is none for the hand either.
//
// spark.fumble.missile-broken
func Pieces(w *eventv1.SparkWeapon) bool { return w.Missiles != nil && !w.Launcher }

// Widest is the widest range of a weapon in feet.
func Widest(w *eventv1.SparkWeapon) int32 { return max(w.RangeFeet, w.LongRangeFeet) }

// RefuseWeapon says why a weapon cannot be used this round. by is the bonus
// action that may make it ready before; risk allows a cracked one.
//
// spark.fumble.drop-weapon, spark.fumble.weapon-flies, spark.fumble.weapon-cracked, spark.fumble.wrist-breaks,
// spark.fumble.string-breaks, spark.fumble.alt-string-snaps, spark.fumble.alt-loose-string,
// spark.fumble.alt-stuck-weapon, spark.fumble.alt-ammo-accident, spark.item.cracked
func RefuseWeapon(s *eventv1.State, c *eventv1.Creature, w *eventv1.SparkWeapon, ranged, risk bool, by *Extra) error {
	it := c.GetItems()[w.Name]
	by = by.On(w.Name)
	switch {
	case c.GetMarks()[MWeapon+w.Name] == Broken:
		return Refuse("BROKEN", cite.ItemHardnessCheck, "%s is broken", w.Name)
	case c.GetMarks()[MString+w.Name] == Snapped:
		return Refuse("NO_STRING", StringRule(s), "%s has no string", w.Name)
	case c.GetMarks()[MString+w.Name] == Loose:
		return Refuse("LOOSE_STRING", cite.FumbleAltLooseString, "the string of %s is loose", w.Name)
	case it.GetPlace() == "stowed" && !by.Is("draw"):
		return Refuse("NOT_IN_HAND", cite.ActionBonus, "%s is put away: draw it with the bonus action", w.Name)
	case it.GetPlace() == "dropped" && it.Values["until"] > 0:
		return Refuse("NOT_IN_HAND", cite.FumbleDropWeapon, "%s was dropped and cannot be used before round %d", w.Name, it.Values["until"]+1)
	case it.GetPlace() == "dropped" && !by.Is("pick-up"):
		return Refuse("NOT_IN_HAND", FlyRule(s), "%s lies %d ft away", w.Name, it.Values["feet"])
	case c.GetMarks()[MStuck+w.Name] != "" && !by.Is("free"):
		return Refuse("STUCK", cite.FumbleAltStuckWeapon, "%s is stuck: pull it free with the bonus action", w.Name)
	case Injured(c, InjuryBreak, LimbOf(w)):
		return Refuse("WRIST_BROKEN", cite.FumbleWristBreaks, "the wrist that %s needs is broken", w.Name)
	case IsCracked(c, w.Name) && !risk:
		return Refuse("CRACKED", cite.FumbleWeaponCracked, "%s is cracked: using it breaks it; confirm with use_cracked", w.Name)
	case (ranged || Pieces(w)) && w.Missiles != nil && c.GetCounters()[CAmmunition+w.Name] < 1:
		return RefuseMissiles(c, w, by)
	}
	return nil
}

// RefuseMissiles says why a weapon has no missile at hand: what lies spilled can be
// gathered, also by the bonus action of the round.
//
// spark.fumble.alt-ammo-accident, spark.fumble.missile-broken
func RefuseMissiles(c *eventv1.Creature, w *eventv1.SparkWeapon, by *Extra) error {
	switch spilled := c.GetCounters()[CSpilled+w.Name] > 0; {
	case spilled && by.Is("gather"):
		return nil
	case spilled:
		return Refuse("SPILLED", cite.FumbleAltAmmoAccident, "the missiles of %s lie on the ground", w.Name)
	}
	return Refuse("NO_MISSILES", cite.FumbleMissileBroken, "%s has no missiles left", w.Name)
}

// IsCracked tells whether a weapon breaks with its next use.
//
// spark.fumble.weapon-cracked, spark.item.cracked
func IsCracked(c *eventv1.Creature, weapon string) bool {
	return c.GetMarks()[MWeapon+weapon] == Cracked
}

// FlyRule is the rule by which a weapon flew off.
func FlyRule(s *eventv1.State) string {
	if Defaults.On(s, RuleAlt) {
		return cite.FumbleAltWeaponFlies
	}
	return cite.FumbleWeaponFlies
}

// DC is a number to be reached, with the rule by which a table's own content changed
// the row that it is of; empty for the document's own.
type DC struct {
	// Value of it; below 0 for what gives way without a check.
	Value int32
	// Rule of the changed row.
	Rule string
}

// HardnessOf is the DC to break a weapon.
//
// spark.item.hardness-table, spark.item.enchantment-hardness
func HardnessOf(own *effects.Book, w *eventv1.SparkWeapon) DC {
	if w.Hardness > 0 {
		return DC{Value: w.Hardness}
	}
	material := w.Material
	if material == "" {
		material = steel
		if w.Launcher {
			material = wood
		}
	}
	return Hardness(own, material, w.Enchantment)
}

// MissileHardness is the DC to break a missile, which is of wood.
//
// spark.item.hardness-table, spark.item.enchantment-hardness
func MissileHardness(own *effects.Book, enchantment int32) DC {
	return Hardness(own, wood, enchantment)
}

// Hardness is the DC of a material, higher by each plus of an enchantment; below
// 0 for what gives way without a check.
//
// spark.item.hardness-table, spark.item.enchantment-hardness
func Hardness(own *effects.Book, material string, enchantment int32) DC {
	t := TablesOf(own)
	dc, found := t.Hardness[material]
	out := DC{Value: dc}
	if found {
		out.Rule = own.TableCite(TableHardness, t.Materials[material])
	}
	if dc >= 0 {
		out.Value += enchantment
	}
	return out
}

// Breaks settles that a fumble breaks a weapon: a mundane one is broken, a
// magical one only cracked when the wielder's own blow falls short of its
// hardness, or shows a natural 1. It tells whether the weapon broke.
//
// spark.item.mundane-no-save, spark.item.magic-save
func Breaks(r *rules.Resolution, c *eventv1.Creature, name string, magical bool, dc DC, label, rule string) bool {
	if !magical || dc.Value < 0 { // below 0 it gives way without a check
		return true
	}
	return StrengthCheck(r, c.Id, label+"/hardness", "whether "+name+" breaks", RollUpper, dc.Value, Also(dc.Rule, cite.ItemMagicSave, rule)...).Success()
}

// Also is a list of rule ids with one more where there is one.
func Also(rule string, ruleIDs ...string) []string {
	if rule == "" {
		return ruleIDs
	}
	return append(ruleIDs, rule)
}

// SetWeapon gives a weapon a state: cracked or broken.
func SetWeapon(r *rules.Resolution, id, name, state string, rule string) {
	r.Mark(id, MWeapon+name, state, rule)
	if state == Broken {
		r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: id, Item: name, Place: "gone", Cause: "broken"}, rule)
	}
}

// JudgeCheck judges checks and saves: a natural 1 fails, equality succeeds
// unless the total must be higher.
//
// spark.dice.meet-or-beat, spark.fumble.checks
func JudgeCheck(dc int32, higher bool) func(natural, total int32) (string, int32) {
	return func(natural, total int32) (string, int32) {
		switch {
		case natural == 1:
			return "fumble", 0
		case total > dc || total == dc && !higher:
			return "success", 0
		}
		return "failure", 0
	}
}

// saveOf is the bonus of a saving throw of a kind, which is one of Saves.
func saveOf(s *eventv1.SparkSheet, kind string) int32 {
	switch kind {
	case "fortitude":
		return s.Fortitude
	case "reflex":
		return s.Reflex
	case "will":
		return s.Will
	}
	return s.StrengthSave
}

// Saves are the kinds of saving throws.
var Saves = []string{"fortitude", "reflex", "will", "strength"}

// Save makes a saving throw.
func Save(r *rules.Resolution, c *eventv1.Creature, kind string, dc int32, label, reason string, ruleIDs ...string) bool {
	return SaveAgainst(r, c, nil, kind, dc, label, reason, ruleIDs...).Success()
}

// SaveAgainst makes a saving throw that somebody forces; source is nil where nobody
// does.
func SaveAgainst(r *rules.Resolution, c, source *eventv1.Creature, kind string, dc int32, label, reason string, ruleIDs ...string) rules.Rolled {
	return Tried(r, rules.RollSpec{Label: label, Creature: c.Id, Reason: reason,
		Modifiers: []*eventv1.Modifier{Mod(saveOf(SheetOf(c), kind), kind, cite.DiceMeetOrBeat)}, Target: &eventv1.TargetNumber{Kind: "DC", Value: dc},
		Judge: JudgeCheck(dc, false), Rules: append(ruleIDs, cite.DiceMeetOrBeat)}, house.PointSave+"/"+kind, source, nil)
}
