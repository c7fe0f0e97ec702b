package celesia

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
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

// mResistance is "lowered" on a creature that has lowered its spell resistance.
const mResistance = "spell-resistance"

// magusActions join a weapon and a spell, and turn spell resistance.
func magusActions() []*action {
	return []*action{
		{id: "spell-combat", title: "Spell combat", rule: ruleSpellCombat, acts: 1, trigger: "cast", targeted: true, items: meleeNames,
			provoke: combatProvokes, parameters: combatParameters, refuse: refuseSpellCombat, check: checkSpellCombat, do: doSpellCombat},
		{id: "spellstrike", title: "Spellstrike", rule: ruleSpellstrike, acts: 2, trigger: "cast", targeted: true, items: meleeNames,
			provoke: always, parameters: strikeParameters, refuse: refuseSpellstrike, check: checkSpellstrike, do: doSpellstrike},
		{id: "lower-spell-resistance", title: "Lower spell resistance", rule: ruleResistance, acts: 1, refuse: refuseResistance(""), do: doResistance("lowered")},
		{id: "raise-spell-resistance", title: "Reactivate spell resistance", rule: ruleResistance, acts: 1, refuse: refuseResistance("lowered"), do: doResistance("")},
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

func combatParameters(s *eventv1.State, c *eventv1.Creature) []*eventv1.Parameter {
	return slices.Concat([]*eventv1.Parameter{choice("spell", "the spell cast after the blow", true, magusSpellsLeft(c, false)...),
		{Name: "at", Type: rules.TypeCreature, Text: "the target of the spell; that of the blow when not given"},
		{Name: "defensively", Type: "boolean", Text: "cast defensively"},
		{Name: "shift", Type: "boolean", Text: "cast defensively, with the Intelligence bonus off the attack and on the concentration check"}}, attackParameters(s, c), saddleParameters(c))
}

func strikeParameters(s *eventv1.State, c *eventv1.Creature) []*eventv1.Parameter {
	return slices.Concat([]*eventv1.Parameter{choice("spell", "the spell of touch range delivered with the blow", true, magusSpellsLeft(c, true)...)},
		attackParameters(s, c), saddleParameters(c))
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
		r.Mark(c.Id, mLost, "yes", cite.SpellCastDefensively)
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
func refuseResistance(now string) func(*eventv1.State, *eventv1.Creature, *eventv1.TakeAction) error {
	return func(_ *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) error {
		switch {
		case sheetOf(c).SpellResistance < 1:
			return refuse("NO_RESISTANCE", ruleResistance, "%s has no spell resistance", c.Name)
		case c.Marks[mResistance] != now:
			return refuse("ALREADY", ruleResistance, "the spell resistance of %s is so already", c.Name)
		}
		return nil
	}
}

func doResistance(to string) func(*rules.Resolution, *eventv1.Creature, *eventv1.TakeAction) error {
	return func(r *rules.Resolution, c *eventv1.Creature, _ *eventv1.TakeAction) error {
		r.Mark(c.Id, mResistance, to, ruleResistance)
		words := "lowers"
		if to == "" {
			words = "reactivates"
		}
		r.Note(event.Everyone(), c.Id, c.Name+" "+words+" its spell resistance", ruleResistance)
		return nil
	}
}
