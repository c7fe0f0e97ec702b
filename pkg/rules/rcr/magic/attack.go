package magic

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	thedice "github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	"github.com/skaldrpg/skald/pkg/rules/rcr/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// RollToHit rolls an attack and gives the target its reaction to a hit. The outcome
// is miss, hit or critical; note says why it is not what the roll says, halved that
// the target halves the damage, and made is the roll that counted.
func RollToHit(r *rules.Resolution, attacker, target *eventv1.Creature, atk *eventv1.RcrAttack, o strike.AttackOpts) (outcome, note string, halved bool, made rules.Rolled) {
	if atk.Spell && !o.Kind.Melee && body.Feat(r.State(), attacker, body.FeatSpellSniper, cite.FeatSpellSniperCover) {
		o.Cover = body.CoverIgnored // rcr.feat.spell-sniper-cover; total cover is refused before
	}
	o.Kind.Blow, o.Kind.Types = atk, strike.TypesOfBlow(r, attacker, target, atk, o)
	lost := body.LostInWater(r.State(), attacker, target, o.Kind)
	ac := answers.ArmorClass(r, target, attacker, !o.Kind.Melee, o.Cover)
	criticalFrom := atk.CriticalFrom
	if criticalFrom == 0 {
		criticalFrom = 20
	}
	mods := append(strike.BonusParts(attacker, atk), o.Mods...)
	mods = append(mods, thedice.ChangeMods(r, o.Label+"/to-hit", attacker, nil, body.ChAttack)...)
	env := strike.BlowEnv(r.State(), attacker, target, atk, o.Kind)
	criticalFrom = r.Content().CriticalFrom(attacker, criticalFrom, env).Value
	mods = append(mods, house.Mods(r, o.Label+"/to-hit", attacker, nil, house.PointAttack+strike.WayOf(atk, o.Kind.Melee), env)...)
	o.Edges = slices.Concat(o.Edges, house.Edges(r, attacker, house.PointAttack+strike.WayOf(atk, o.Kind.Melee), env), house.Edges(r, target, house.PointAttacked+strike.WayOf(atk, o.Kind.Melee), env))
	o.Edges = append(slices.Clone(o.Edges), thedice.SpendHeld(r, attacker, body.ForAttack)...)
	d20 := thedice.D20{Label: o.Label + "/to-hit", Creature: attacker, Reason: attacker.Name + " attacks " + target.Name + " with " + atk.Name,
		Point: house.PointAttack + strike.WayOf(atk, o.Kind.Melee), Env: env,
		Modifiers: mods, Edges: thedice.Merged(append(thedice.AttackEdges(r, attacker, target, o.Kind), o.Edges...), o.Kinds), Target: strike.AimedAt(target, ac),
		Judge: func(natural, total int32) (string, int32) {
			switch {
			case natural == 1, lost, checks.Elsewhere(target):
				return "failure", 0
			case natural >= 20, natural >= criticalFrom && total >= ac.Value:
				return "critical", 0
			case total >= ac.Value:
				return "success", 0
			}
			return "failure", 0
		}, Rules: []string{cite.BaseAttackAndCritical}}
	if o.Net != nil {
		*o.Net = int32(thedice.Weigh(d20.Edges))
	}
	rolled := rollAgain(r, attacker, d20, d20.Roll(r))
	if r.On(body.SetFudgeAnyRoll) && !rolled.Success() && rolled.Natural != 1 && !lost {
		rolled = thedice.FudgeRoll(r, o.Label+"/to-hit", attacker, ac.Value, rolled, nil, body.Has(target, body.CondHidden)) // rcr.dice.inspiration-fudge
	}
	if !rolled.Success() || checks.Elsewhere(target) {
		return "miss", "", false, rolled
	}
	turned, halved := meetHit(r, attacker, target, o, rolled)
	switch {
	case turned && rolled.Natural != 20: // a natural 20 hits whatever the armour class
		return "miss", "turned aside", false, rolled
	case rolled.Outcome == "critical":
		return "critical", "", halved, rolled
	case body.Has(target, body.CondParalyzed) && (r.Value(body.SetParalyzedFiveFeet) != "on" || strike.Within5(o.Kind)):
		return "critical", "the target is paralysed", halved, rolled // rcr.condition.paralyzed-common
	case body.Has(target, body.CondUnconscious) && strike.Within5(o.Kind):
		return "critical", "the target is unconscious", halved, rolled
	}
	return "hit", "", halved, rolled
}

// DecReroll asks a savage attacker whether an attack that came up 1 is rolled again.
const DecReroll = "savage-reroll"

// rollAgain offers a savage attacker whose attack roll came up 1 another one, which
// then stands; it has that once between rests.
//
// rcr.feat.savage-attacker-reroll
func rollAgain(r *rules.Resolution, c *eventv1.Creature, d thedice.D20, first rules.Rolled) rules.Rolled {
	const rule = cite.FeatSavageAttackerReroll
	if first.Natural != 1 || !body.Feat(r.State(), c, body.FeatSavageAttacker, rule) || r.Count(c.Id, body.CRerolled) > 0 {
		return first
	}
	q := rules.YesNo(DecReroll, c.Id, "the attack came up 1", "Roll the attack again?", "yes", rule)
	if r.Ask(d.Label+"/again", q).Option != "yes" {
		return first
	}
	r.Set(c.Id, body.CRerolled, 1, "savage attacker", rule)
	d.Label, d.Rules = d.Label+"/again", append(slices.Clone(d.Rules), rule)
	return d.Roll(r)
}
