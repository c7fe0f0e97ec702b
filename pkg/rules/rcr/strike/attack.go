package strike

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	thedice "github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// AttackOpts are what makes one attack differ from another of its kind.
type AttackOpts struct {
	// Label of the attack's rolls; empty means "attack/1".
	Label string
	// Kind of attack.
	Kind body.AttackKind
	// Cover in words; empty for none.
	Cover string
	// Edges and mods beyond those of conditions and wounds.
	Edges []*eventv1.Edge
	Mods  []*eventv1.Modifier
	// Kinds renames kinds of sources: two given one name count once.
	Kinds map[string]string
	// Damage parts in place of the attack's own; nil for those.
	Damage []*eventv1.RcrDamage
	// DamageMod is added to the first part of the damage.
	DamageMod *eventv1.Modifier
	// Halved: the target halves the damage by a reaction.
	Halved bool
	// Facts about the wound, as the game master states them.
	Facts map[string]string
	// Stated: dice of a feature are stated with the attack.
	Stated bool
	// Straight is by how many feet the attacker has come straight on, as stated; nil for
	// what is measured.
	Straight *int32
	// Net is where the attack roll leaves what advantage is left, below 0 disadvantage;
	// nil where nothing is rolled.
	Net *int32
	// Empower lets a part of the damage be rolled again; nil for nothing.
	Empower *Empowering
	// Threats are those in whose reach the attacker is said to stand, in place of those
	// measured; nil for nothing said.
	Threats []string
	// Told are the facts of the world that the attack goes by.
	Told []*eventv1.UsedFact
	// Rules behind the attack besides the attack roll's own.
	Rules []string
}

// AimedAt is what an attack roll shows of what it must reach: nothing when the
// target hides, since a miss would tell that it is not where it was seen last.
func AimedAt(target *eventv1.Creature, ac *eventv1.TargetNumber) *eventv1.TargetNumber {
	if body.Has(target, body.CondHidden) {
		return nil
	}
	return ac
}

// Within5 tells whether an attack is made from within 5 feet; a melee attack
// from nobody knows where is.
func Within5(k body.AttackKind) bool {
	return k.Distance <= 5 && (k.Distance >= 0 || k.Melee)
}

// TypesOfBlow are the types of damage that an attack deals: its own, those of its
// saving throw, and those that conditions and content add.
func TypesOfBlow(r *rules.Resolution, attacker, target *eventv1.Creature, atk *eventv1.RcrAttack, o AttackOpts) []string {
	dmg := o.Damage
	if dmg == nil {
		dmg = atk.Damage
	}
	_, more := thedice.ChangedDamage(attacker, atk, o.Kind.Melee)
	out := body.TypesOf(dmg, atk.SaveDamage, more)
	for _, m := range r.Content().Modifiers(attacker, house.PointDamage+WayOf(atk, o.Kind.Melee), BlowEnv(r.State(), attacker, target, atk, o.Kind)) {
		if m.Type != "" {
			out = append(out, m.Type)
		}
	}
	return out
}

// Reveal ends what an attack uses up: the attacker's hiding, an ally's help.
//
// rcr.feat.skulker-miss-stays-hidden
func Reveal(r *rules.Resolution, attacker, target *eventv1.Creature, atk *eventv1.RcrAttack, melee, missed bool) {
	if stays := missed && !melee && !atk.Spell && body.Feat(r.State(), r.Creature(attacker.Id), body.FeatSkulker, cite.FeatSkulkerMissStaysHidden); !stays {
		checks.Unhide(r, attacker.Id, "it attacked", cite.BaseFifthEditionFallback)
	}
	if h := thedice.HelpAgainst(r.Creature(attacker.Id), target.Id); h != nil {
		r.RemoveCondition(attacker.Id, h, "used", cite.BaseFifthEditionFallback)
	}
}

// AttackSave is the saving throw that an attack forces; nil for none. That of
// a weapon without a difficulty of its own goes by the wielder's weapon DC.
//
// rcr.condition.exhaustion-dc
func AttackSave(c *eventv1.Creature, a *eventv1.RcrAttack) *eventv1.RcrSave {
	if a.Save == nil || a.Save.Dc != 0 || a.Spell {
		return a.Save
	}
	return &eventv1.RcrSave{Ability: a.Save.Ability, Dc: body.SheetOf(c).WeaponDc, HalfOnSuccess: a.Save.HalfOnSuccess}
}

// AfterSave is what is left of a part of damage after a saving throw of a creature, with
// the halving written down; the part itself stays as it was. Who evades suffers nothing
// of what a success halves, and half of what a failure brings.
//
// rcr.trait.evasion
func AfterSave(c *eventv1.Creature, p *eventv1.DamagePart, save *eventv1.RcrSave, saved bool) *eventv1.DamagePart {
	out := &eventv1.DamagePart{Type: p.Type, Rolled: p.Rolled, Rule: p.Rule, Factors: slices.Clone(p.Factors)}
	evades := body.Evades(c, save)
	switch {
	case saved && evades:
		out.Rolled = 0
	case !saved && !evades:
	case evades:
		rules.Factor(out, 1, 2, 0, "evasion", cite.TraitEvasion)
	case save.GetHalfOnSuccess():
		rules.Factor(out, 1, 2, 0, "saving throw made", cite.BaseFifthEditionFallback)
	default:
		out.Rolled = 0
	}
	return out
}

// EffectPurpose is what a saving throw against effects is about.
func EffectPurpose(effects []*eventv1.RcrEffect) string {
	for _, e := range effects {
		if e.Condition == body.CondProne {
			return "stay-up"
		}
	}
	return ""
}

// WeaponFacts are the facts of an attack that resistances ask for: magical,
// silvered, adamantine.
//
// rcr.trait.magic-weapons
func WeaponFacts(c *eventv1.Creature, a *eventv1.RcrAttack) map[string]string {
	facts := map[string]string{}
	for _, f := range []struct {
		name string
		is   bool
	}{{"magical", a.Magical || a.Spell || body.HasTrait(c, body.TraitMagicWeapons) && !slices.Contains(a.Properties, body.PropImprovised)}, {"silvered", a.Silvered}, {"adamantine", a.Adamantine}} {
		if f.is {
			facts[f.name] = rules.Yes
		}
	}
	return facts
}

// RollDamage rolls one part of a damage; never less than 0.
func RollDamage(r *rules.Resolution, label, creature, cause string, part *eventv1.RcrDamage, critical bool, mods ...*eventv1.Modifier) *eventv1.DamagePart {
	return RollDamageBy(r, label, creature, cause, part, critical, nil, mods...)
}

// RollDamageBy is rollDamage with further rules behind it.
func RollDamageBy(r *rules.Resolution, label, creature, cause string, part *eventv1.RcrDamage, critical bool, behind []string, mods ...*eventv1.Modifier) *eventv1.DamagePart {
	return RollDamageFor(r, label, creature, cause, part, critical, nil, behind, mods...)
}

// RollDamageFor is RollDamageBy of a spell that may be empowered.
func RollDamageFor(r *rules.Resolution, label, creature, cause string, part *eventv1.RcrDamage, critical bool, e *Empowering, behind []string, mods ...*eventv1.Modifier) *eventv1.DamagePart {
	expr := part.Dice
	if critical {
		expr = thedice.DoubleDice(expr)
	}
	rolled := r.Roll(rules.RollSpec{Label: label, Creature: creature, Expression: expr, Modifiers: mods,
		Reason: strings.TrimSpace(part.Type + " damage of " + cause), Rules: append([]string{cite.BaseAttackAndCritical}, behind...)})
	out := &eventv1.DamagePart{Type: part.Type, Rolled: rolled.Total}
	e.Again(r, label, rolled, out)
	out.Rolled = max(0, out.Rolled)
	return out
}
