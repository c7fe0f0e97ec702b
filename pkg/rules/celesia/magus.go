package celesia

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Rules of the magus.
const (
	ruleSpellCombat = cite.SpellSpellCombat
	ruleShift       = cite.SpellSpellCombatDefensive
	ruleSpellstrike = cite.SpellSpellstrike
	ruleResistance  = cite.SpellResistanceToggle
)

// mResistance is on a creature that has lowered its spell resistance.
const mResistance = "spell-resistance-lowered"

// magusActions join a weapon and a spell, and turn spell resistance.
func magusActions() []*action {
	return []*action{
		{Action: play.Action{ID: "spell-combat", Title: "Spell combat", Rule: ruleSpellCombat, Group: play.GroupMagic, Trigger: "cast", Costs: acts(1),
			Items: ways(meleeNames), Least: 1, Most: 1, Refuse: bars(refuseSpellCombat), RefuseTarget: aimed(refuseReach),
			Fields: magusFields(false), Check: judged(checkSpellCombat), Do: done(doSpellCombat)}, provoke: combatProvokes},
		{Action: play.Action{ID: "spellstrike", Title: "Spellstrike", Rule: ruleSpellstrike, Group: play.GroupMagic, Trigger: "cast", Costs: acts(2),
			Items: ways(meleeNames), Least: 1, Most: 1, Refuse: bars(refuseSpellstrike), RefuseTarget: aimed(refuseReach),
			Fields: magusFields(true), Check: judged(checkSpellstrike), Do: done(doSpellstrike)}, provoke: always},
		{Action: play.Action{ID: "lower-spell-resistance", Title: "Lower spell resistance", Rule: ruleResistance, Group: play.GroupMagic, Costs: acts(1),
			Refuse: bars(refuseResistance(false)), Do: done(doResistance(true))}},
		{Action: play.Action{ID: "raise-spell-resistance", Title: "Reactivate spell resistance", Rule: ruleResistance, Group: play.GroupMagic, Costs: acts(1),
			Refuse: bars(refuseResistance(true)), Do: done(doResistance(false))}},
	}
}

// magusSpells lists the spells that an action of the magus can use.
func magusSpells(c *eventv1.Creature, touch bool) []string {
	var out []string
	for _, sp := range sheetOf(c).Spells {
		if sp.Magus && (touch && sp.Attack == "melee-touch" || !touch && sp.Casting == "standard") {
			out = append(out, sp.Name)
		}
	}
	return out
}

// magusSpellsLeft lists those of them that can be cast now.
func magusSpellsLeft(c *eventv1.Creature, touch bool) []string {
	return slices.DeleteFunc(magusSpells(c, touch), func(name string) bool { return refuseSpell(c, spellOf(c, name)) != nil })
}

// refuseArmedCaster says why a weapon cannot be used together with a spell.
func refuseArmedCaster(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction, feat, rule string, touch bool) error {
	w := weaponOf(c, take.Item)
	switch {
	case w == nil || ranged(w):
		return nameless("take.item", "melee weapon", c.GetName(), take.Item, meleeNames(s, c))
	case !feature(c, feat):
		return refuse("NO_FEATURE", rule, "%s has not learned it", c.Name)
	case len(magusSpells(c, touch)) == 0:
		return refuse("NO_SPELL", rule, "%s has no such spell", c.Name)
	case len(magusSpellsLeft(c, touch)) == 0:
		return refuseSpell(c, spellOf(c, magusSpells(c, touch)[0]))
	}
	if err := refuseRidingCast(s, c); err != nil {
		return err
	}
	return refuseAttack(s, c, take)
}

// refuseSpellCombat: with a light or one-handed weapon and a free hand, once a
// turn, and not in a turn of a standard-action or 1-round spell.
//
// celesia.spell.spell-combat, celesia.spell.spell-combat-limits
func refuseSpellCombat(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := refuseArmedCaster(s, c, take, featSpellCombat, ruleSpellCombat, false); err != nil {
		return err
	}
	w := weaponOf(c, take.Item)
	switch {
	case w.Hands == 2 || place(c, w) == placeBoth:
		return refuse("TWO_HANDS", ruleSpellCombat, "a light or one-handed weapon is needed")
	case freeHands(c) < 1:
		return refuse("NO_FREE_HAND", ruleSpellCombat, "%s has no free hand", c.Name)
	case c.Marks[mDone+"spell-combat"] != "":
		return refuse("ONCE_A_TURN", cite.SpellSpellCombatLimits, "once a turn")
	case c.Marks[mDone+"cast"] != "":
		return refuse("SPELL_CAST", cite.SpellSpellCombatLimits, "a standard-action or 1-round spell was cast this turn")
	}
	return nil
}

// checkMagusSpell judges the spell and whom it is for.
func checkMagusSpell(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction, touch bool) error {
	name, err := oneOf(take, "spell", magusSpells(c, touch)...)
	if err != nil {
		return err
	}
	if name == "" {
		return fault.Field("take.parameters.spell", "missing")
	}
	sp := spellOf(c, name)
	if err := refuseSpell(c, sp); err != nil || touch {
		return err
	}
	at := spellTarget(s, take)
	if at == nil && len(take.Targets) == 0 && spoken.Word(take.Parameters, "at") == "" {
		return nil // readied: whoever sets it off
	}
	if at == nil || dead(at) {
		return fault.Field("take.parameters.at", "names nobody alive")
	}
	return refuseRange(c, at, sp, take)
}

func spellTarget(s *eventv1.State, take *eventv1.TakeAction) *eventv1.Creature {
	if at := spoken.Word(take.Parameters, "at"); at != "" {
		return s.Creatures[at]
	}
	return s.Creatures[target(take)]
}

func checkSpellCombat(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := checkAttack(s, c, take); err != nil {
		return err
	}
	return checkMagusSpell(s, c, take, false)
}

func defensive(take *eventv1.TakeAction) bool {
	return spoken.Truth(take.Parameters, "defensively") || spoken.Truth(take.Parameters, "shift")
}

// combatProvokes: not when the spell is cast defensively; then only a failed
// check provokes, at the casting.
func combatProvokes(_ *eventv1.State, _ *eventv1.Creature, take *eventv1.TakeAction) (bool, string) {
	return !defensive(take), ""
}

// doSpellCombat strikes at -2 and then casts, whether the blow hits or not.
//
// celesia.spell.spell-combat, celesia.spell.spell-combat-defensive
func doSpellCombat(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	remember(r, c.Id, "spell-combat")
	w, sp := weaponOf(c, take.Item), spellOf(c, spoken.Word(take.Parameters, "spell"))
	more := []*eventv1.Modifier{mod(-2, "spell combat", ruleSpellCombat)}
	var calm []*eventv1.Modifier
	if n := bonus(c, "intelligence"); spoken.Truth(take.Parameters, "shift") && n > 0 {
		more = append(more, mod(-n, "care for the spell", ruleShift))
		calm = append(calm, mod(n, "care for the spell", ruleShift))
	}
	useLimbs(r, c, w)
	declare(r, c.Id, take)
	if makeAttack(r, attack{by: c.Id, target: target(take), weapon: w, label: "attack/1", take: take, more: more}) {
		cleave(r, c.Id, w, take, target(take))
	}
	if c = r.Creature(c.Id); !able(c) {
		return nil
	}
	if sp.Uses > 0 {
		r.Set(c.Id, cLeft+sp.Name, r.Count(c.Id, cLeft+sp.Name)-1, "cast")
	}
	if defensive(take) && !concentrate(r, c, sp, take, calm...) {
		r.Flag(c.Id, mLost, true, cite.SpellCastDefensively)
		window(r, provocation{by: c.Id, kind: "cast", provokes: true, take: take})
	}
	steady := keptInSaddle(r, c.Id, sp, take)
	if at := spellTarget(r.State(), take); !thwarted(r, c.Id) && steady && able(r.Creature(c.Id)) && !dead(at) {
		takeEffect(r, r.Creature(c.Id), sp, []string{at.Id}, &eventv1.TakeAction{Creature: c.Id, Circumstances: take.Circumstances})
	}
	return nil
}

func refuseSpellstrike(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	return refuseArmedCaster(s, c, take, featSpellstrike, ruleSpellstrike, true)
}

func checkSpellstrike(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := checkAttack(s, c, take); err != nil {
		return err
	}
	return checkMagusSpell(s, c, take, true)
}

// doSpellstrike delivers a touch spell with a weapon attack against DV; degrees
// give weapon dice and no caster level (a reading).
//
// celesia.spell.spellstrike
func doSpellstrike(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	w, sp := weaponOf(c, take.Item), spellOf(c, spoken.Word(take.Parameters, "spell"))
	if sp.Uses > 0 {
		r.Set(c.Id, cLeft+sp.Name, r.Count(c.Id, cLeft+sp.Name)-1, "cast")
	}
	if !keptInSaddle(r, c.Id, sp, take) || thwarted(r, c.Id) {
		return nil
	}
	useLimbs(r, c, w)
	declare(r, c.Id, take)
	if !makeAttack(r, attack{by: c.Id, target: target(take), weapon: w, label: "attack/1", take: take}) {
		return nil
	}
	if !dead(r.Creature(target(take))) {
		if one, reached := resist(r, sp, target(take), 0, take); reached {
			workOn(r, r.Creature(c.Id), sp, []struck{one})
		}
	}
	cleave(r, c.Id, w, take, target(take))
	return nil
}

// celesia.spell.resistance-toggle
func refuseResistance(lowered bool) func(*eventv1.State, *eventv1.Creature, *eventv1.TakeAction) error {
	return func(_ *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) error {
		switch {
		case sheetOf(c).SpellResistance < 1:
			return refuse("NO_RESISTANCE", ruleResistance, "%s has no spell resistance", c.Name)
		case (c.Marks[mResistance] != "") != lowered:
			return refuse("ALREADY", ruleResistance, "the spell resistance of %s is so already", c.Name)
		}
		return nil
	}
}

func doResistance(lower bool) func(*rules.Resolution, *eventv1.Creature, *eventv1.TakeAction) error {
	return func(r *rules.Resolution, c *eventv1.Creature, _ *eventv1.TakeAction) error {
		r.Flag(c.Id, mResistance, lower, ruleResistance)
		words := "lowers"
		if !lower {
			words = "reactivates"
		}
		r.Note(event.Everyone(), c.Id, c.Name+" "+words+" its spell resistance", ruleResistance)
		return nil
	}
}
