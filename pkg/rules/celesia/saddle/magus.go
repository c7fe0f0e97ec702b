package saddle

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/items"
	"github.com/skaldrpg/skald/pkg/rules/celesia/magic"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// magusActions join a weapon and a spell, and turn spell resistance.
func magusActions() []*strike.Action {
	return []*strike.Action{
		{Action: play.Action{ID: "spell-combat", Title: "Spell combat", Rule: magic.RuleSpellCombat, Group: play.GroupMagic, Trigger: "cast", Costs: body.Acts(1),
			Items: body.Ways(checks.MeleeNames), Least: 1, Most: 1, Refuse: body.Bars(magic.RefuseSpellCombat), RefuseTarget: answers.Aimed(manners.RefuseReach),
			Fields: strike.MagusFields(false), Check: checks.Judged(magic.CheckSpellCombat), Do: body.Done(doSpellCombat)}, Provoke: magic.CombatProvokes},
		{Action: play.Action{ID: "spellstrike", Title: "Spellstrike", Rule: magic.RuleSpellstrike, Group: play.GroupMagic, Trigger: "cast", Costs: body.Acts(2),
			Items: body.Ways(checks.MeleeNames), Least: 1, Most: 1, Refuse: body.Bars(magic.RefuseSpellstrike), RefuseTarget: answers.Aimed(manners.RefuseReach),
			Fields: strike.MagusFields(true), Check: checks.Judged(magic.CheckSpellstrike), Do: body.Done(doSpellstrike)}, Provoke: checks.Always},
		{Action: play.Action{ID: "lower-spell-resistance", Title: "Lower spell resistance", Rule: magic.RuleResistance, Group: play.GroupMagic, Costs: body.Acts(1),
			Refuse: body.Bars(magic.RefuseResistance(false)), Do: body.Done(magic.DoResistance(true))}},
		{Action: play.Action{ID: "raise-spell-resistance", Title: "Reactivate spell resistance", Rule: magic.RuleResistance, Group: play.GroupMagic, Costs: body.Acts(1),
			Refuse: body.Bars(magic.RefuseResistance(true)), Do: body.Done(magic.DoResistance(false))}},
	}
}

// doSpellCombat strikes at -2 and then casts, whether the blow hits or not.
//
// celesia.spell.spell-combat, celesia.spell.spell-combat-defensive
func doSpellCombat(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	manners.Remember(r, c.Id, "spell-combat")
	w, sp := body.WeaponOf(c, take.Item), body.SpellOf(c, spoken.Word(take.Parameters, "spell"))
	more := []*eventv1.Modifier{body.Mod(-2, "spell combat", magic.RuleSpellCombat)}
	var calm []*eventv1.Modifier
	if n := body.Bonus(c, "intelligence"); spoken.Truth(take.Parameters, "shift") && n > 0 {
		more = append(more, body.Mod(-n, "care for the spell", magic.RuleShift))
		calm = append(calm, body.Mod(n, "care for the spell", magic.RuleShift))
	}
	manners.UseLimbs(r, c, w)
	declare(r, c.Id, take)
	if makeAttack(r, body.Attack{By: c.Id, Target: body.Target(take), Weapon: w, Label: "attack/1", Take: take, More: more}) {
		cleave(r, c.Id, w, take, body.Target(take))
	}
	if c = r.Creature(c.Id); !strike.Able(c) {
		return nil
	}
	if sp.Uses > 0 {
		r.Set(c.Id, body.CLeft+sp.Name, r.Count(c.Id, body.CLeft+sp.Name)-1, "cast")
	}
	if magic.Defensive(take) && !magic.Concentrate(r, c, sp, take, calm...) {
		r.Flag(c.Id, body.MLost, true, cite.SpellCastDefensively)
		window(r, checks.Provocation{By: c.Id, Kind: "cast", Provokes: true, Take: take})
	}
	steady := keptInSaddle(r, c.Id, sp, take)
	if at := magic.SpellTarget(r.State(), take); !items.Thwarted(r, c.Id) && steady && !body.Dead(at) {
		cast := &eventv1.TakeAction{Creature: c.Id, Circumstances: take.Circumstances}
		if at.Id == body.Target(take) {
			cast.Facts = take.Facts // they are stated of the blow's target
		}
		takeEffect(r, r.Creature(c.Id), sp, []string{at.Id}, cast)
	}
	return nil
}

// doSpellstrike delivers a touch spell with a weapon attack against DV; degrees
// give weapon dice and no caster level (a reading).
//
// celesia.spell.spellstrike
func doSpellstrike(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	w, sp := body.WeaponOf(c, take.Item), body.SpellOf(c, spoken.Word(take.Parameters, "spell"))
	if sp.Uses > 0 {
		r.Set(c.Id, body.CLeft+sp.Name, r.Count(c.Id, body.CLeft+sp.Name)-1, "cast")
	}
	if !keptInSaddle(r, c.Id, sp, take) || items.Thwarted(r, c.Id) {
		return nil
	}
	manners.UseLimbs(r, c, w)
	declare(r, c.Id, take)
	if !makeAttack(r, body.Attack{By: c.Id, Target: body.Target(take), Weapon: w, Label: "attack/1", Take: take}) {
		return nil
	}
	if !body.Dead(r.Creature(body.Target(take))) {
		if one, reached := resist(r, c, sp, body.Target(take), 0, take); reached {
			workOn(r, r.Creature(c.Id), sp, []checks.Struck{one}, take)
			castOn(r, c.Id, sp, take.Targets, take)
		}
	}
	cleave(r, c.Id, w, take, body.Target(take))
	return nil
}
