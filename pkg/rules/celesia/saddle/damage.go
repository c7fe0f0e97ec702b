package saddle

import (
	"strings"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/maneuvers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
	"github.com/skaldrpg/skald/pkg/rules/celesia/mending"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// harm rolls the damage of a hit and has it done as one deed. On a critical hit
// the weapon's own dice are their maximum times the multiplier, the dice of
// qualities and of precision their maximum once; the extra rolls of degrees are
// rolled and added.
//
// celesia.damage.degrees-weapon, celesia.critical.damage, celesia.critical.extras-maximised,
// celesia.critical.degree-dice
func harm(r *rules.Resolution, a body.Attack, increments int32, critical bool, kind string) {
	c, w := r.Creature(a.By), a.Weapon
	increments = mending.FewerDegrees(r, a, increments)
	d, mods := checks.WeaponDice(c, w), mending.DamageModifiers(c, w)
	if a.Hand != "" {
		mods = mending.HandModifiers(c, w, a.Hand)
	}
	mods = append(mods, manners.TradedDamage(r.Content(), c, a)...)
	env, point := checks.BlowEnv(r, a, c, r.Creature(a.Target)), house.PointDamage+checks.Way(w)
	houseMods, houseParts := mending.HouseDamage(r, a.Label+"/damage", a.By, w.Type, point, env, critical)
	mods = append(mods, houseMods...)
	mods = append(mods, mending.HeldBack(r, a, mods)...)
	rolls := 1 + increments
	sum := int32(0)
	switch {
	case critical && r.On(body.OptDeck) && spoken.Word(a.Take.GetFacts(), "deck") == "normal":
		// celesia.critical.deck-normal: the whole attack at its maximum, degree dice as well.
		mods = append([]*eventv1.Modifier{body.Mod(d.Maximum()*rolls, "maximum", body.OptDeck)}, mods...)
		rolls = 0
	case critical:
		rolls--
		maximum := body.Mod(d.Maximum()*body.MultiplierOf(w), "maximum times "+body.Itoa(body.MultiplierOf(w)), cite.CriticalDamage)
		mods = append([]*eventv1.Modifier{maximum}, mods...)
	}
	if rolls > 0 {
		dice, behind := house.Again(r, c, point, env, d.Times(rolls))
		sum = r.Roll(rules.RollSpec{Label: a.Label + "/damage", Creature: c.Id, Expression: dice, Reason: "damage of " + w.Name,
			Modifiers: mods, Rules: append([]string{cite.DamageDegreesWeapon}, behind...)}).Total
	} else {
		for _, m := range mods {
			sum += m.Value
		}
		r.Note(event.Everyone(), c.Id, w.Name+": no dice, the maximum counts", cite.CriticalDamage)
	}
	parts := []*eventv1.DamagePart{{Type: w.Type, Rolled: max(0, sum)}}
	for _, x := range w.Extra {
		parts = append(parts, mending.ExtraPart(r, a, x.Dice, x.Type, "quality", critical))
	}
	parts = append(parts, houseParts...)
	t := r.Creature(a.Target)
	// celesia.attack.coup-sneak-attack: a coup de grace always has its precision damage.
	precise := spoken.Truth(a.Take.GetFacts(), "precision") || kind == body.DeedCoup
	if precise && body.SheetOf(c).PrecisionDice != "" && !body.Immune(t, body.ImmuneCritical) {
		parts = append(parts, mending.ExtraPart(r, a, body.SheetOf(c).PrecisionDice, w.Type, "precision", critical))
	}
	if mending.LanceCharge(c, a) {
		for _, p := range parts {
			rules.Factor(p, 2, 0, 0, "charge with a lance", cite.MountLanceCharge)
			p.Note, p.Rule = strings.TrimSpace(p.Note+" doubled by the charge"), cite.MountLanceCharge
		}
	}
	if kind == "" {
		kind = body.DeedDamage
	}
	Deed(r, a.Label+"/harm", &eventv1.Harm{Deed: kind, Target: a.Target, Source: a.By, Cause: w.Name, Parts: parts,
		Critical: critical, Nature: checks.Nature(a)})
}

// Deed has something done by medicine and settles what it means for the fight.
func Deed(r *rules.Resolution, label string, h *eventv1.Harm) {
	was := wounded(r.Creature(h.Target))
	r.Harm(label, h, concerned(r)...)
	AfterHarm(r, h.Target)
	suffered(r, label, h, was)
}

// AfterHarm settles what harm means beyond the harmed body: who can no longer
// act lets go, forgets what was readied and breaks off what was under way.
//
// celesia.death.dying-unconscious
func AfterHarm(r *rules.Resolution, id string) {
	maneuvers.BreakOff(r, id)
	saddle(r, id)
}
