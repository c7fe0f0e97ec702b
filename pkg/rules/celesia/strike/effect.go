package strike

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
	"github.com/skaldrpg/skald/pkg/rules/celesia/mending"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Resist rolls the saving throw of a target and says at what level the spell
// works on it, if it does. The level does not fall below 1 (a reading); what is
// supernatural is no spell and has no degrees (a reading).
func Resist(r *rules.Resolution, c *eventv1.Creature, sp *eventv1.CelesiaSpell, id string, shift int32, take *eventv1.TakeAction) (checks.Struck, bool) {
	one := checks.Struck{Id: id}
	if sp.Save != "" {
		rolled := RollSaving(r, "save/"+id, r.Creature(id), c, sp.Save, sp.SaveDc, sp.Name, take.GetCircumstances(), cite.SpellDegreesSave)
		one.Saved = rolled.Success()
		shift -= rolled.Degree
	}
	if sp.Supernatural {
		shift = 0
	}
	one.Level = max(1, sp.CasterLevel+shift)
	return one, !one.Saved || sp.SaveEffect == "half"
}

// Touch rolls a spell's attack against the touch DV. Spells have no weapon dice
// for a critical hit to multiply (a reading). What trade-offs in force take off
// attack rolls they take off this one.
//
// celesia.spell.degrees-attack, celesia.attack.power-attack, celesia.attack.martial-power, celesia.mount.higher-ground
func Touch(r *rules.Resolution, c *eventv1.Creature, sp *eventv1.CelesiaSpell, t *eventv1.Creature, take *eventv1.TakeAction) rules.Rolled {
	far := sp.Attack == "ranged-touch"
	like := &eventv1.CelesiaWeapon{Name: sp.Name, Kind: body.KindMelee}
	if far {
		like.Kind = body.KindProjectile
	}
	edges, mods := checks.Stated(take.GetCircumstances(), t.Id)
	edges = append(AttackEdges(r, body.Attack{By: c.Id, Target: t.Id, Weapon: like, Take: take}, c, t), edges...)
	if mods = append(mods, checks.UseAid(r, c.Id, "attack", t.Id)...); !far { // what is cast is no ranged weapon
		mods = append(mods, MountedRoll(r.State(), c, t, like)...)
	}
	env := checks.SpellEnv(r, sp, take, c, t)
	edges = append(edges, house.Edges(r, t, house.PointAttacked+checks.WaySpell, env)...)
	dv := DefenseAgainst(r, c, t, true)
	rolled := checks.D20{Label: "cast/to-hit", Creature: c.Id, Reason: sp.Name + " against " + t.Name,
		Modifiers: append(append(mending.AttackModifiers(c, like, 0, false), manners.TradedRoll(r.Content(), c, body.Attack{Weapon: like})...), mods...), Edges: edges, Target: dv,
		Judge: mending.JudgeAttack(r.On(body.SetNaturalFaces), dv.Value, 21, false), Rules: []string{cite.SpellDegreesAttack},
		Point: house.PointAttack + checks.WaySpell, Env: env}.Roll(r)
	r.Emit(event.Everyone(), &eventv1.Attack{Attacker: c.Id, Target: t.Id, Weapon: sp.Name, Outcome: mending.OutcomeWord(rolled),
		Roll: rolled.Told(event.Everyone()), Facts: toldOf(r, take, c, t)}, cite.SpellDegreesAttack)
	return rolled
}
