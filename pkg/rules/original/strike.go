package original

import (
	"strings"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/dice"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// wound is what a blow that hit does, before it takes effect.
type wound struct {
	attacker, target, weapon string
	actual, temporary        int32
	critical                 bool
	// effect is the condition of a special attack or attempt, rule the one behind
	// what is not damage; empty for none.
	effect, rule string
	// drops is the weapon that the target loses, at the feet of whom.
	drops, at string
	// unhorsed: the target is off its mount.
	unhorsed bool
	// parting: by a free attack, out of the order of the round.
	parting bool
	// note tells how the numbers came about.
	note string
}

// strike rolls a blow and its damage; the wound takes effect when laid. It is
// nil after a miss.
//
// original.attack.resolution-order
func strike(r *rules.Resolution, b *blow) *wound {
	hit, critical, over, natural := rollToHit(r, b)
	met(r, b)
	if !hit {
		return nil
	}
	if !b.noDamage {
		whichWeapon(r, b)
	}
	w := &wound{attacker: b.attacker.Id, target: b.target.Id, weapon: b.weapon.Name, critical: critical, parting: b.parting}
	if !b.noDamage && immune(b.target, b.weapon) {
		r.Note(event.Everyone(), b.target.Id, b.target.Name+" cannot be harmed by "+b.weapon.Name, cite.CriticalWeaponImmunity)
		return w
	}
	if face := sheetOf(b.attacker).SpecialFace; face > 0 && natural >= face && r.On(setSpecial) && !b.noDamage && !isUnit(b.attacker) { // original.mass.damage
		w.effect, w.rule = sheetOf(b.attacker).SpecialEffect, setSpecial
	}
	if !b.noDamage {
		rollDamage(r, b, w, over)
	}
	return w
}

// rollToHit rolls one attack: whether it hits, is critical, by how much the
// need exceeded 20, and the face that counts.
//
// original.attack.roll, original.fumble.natural-1-miss, original.critical.natural-20-hits
func rollToHit(r *rules.Resolution, b *blow) (hit, critical bool, over, natural int32) {
	s := r.State()
	takeShield(r, b)
	ac, parts := armourClass(s, b.target, b)
	ac0 := hitAC0(b.attacker)
	if b.weapon.Untrained {
		ac0 = normalManAC0 // original.attack.untrained-to-hit
	}
	need := ac0 - ac
	target := &eventv1.TargetNumber{Kind: "need", Value: need, Modifiers: []*eventv1.Modifier{mod(ac0, "needed against AC 0", cite.AttackHitMatrixTable)}}
	for _, p := range parts {
		target.Modifiers = append(target.Modifiers, mod(-p.Value, p.Source, p.Rule))
	}
	mods, edges := b.modifiers(s), b.edges(s)
	dieNeed, harmless := need-sum(mods), b.harmless()
	rolled := r.Roll(rules.RollSpec{Label: b.label + "/to-hit", Creature: b.attacker.Id, Expression: toHitDice(edges), Modifiers: mods, Edges: edges,
		Target: target, Reason: b.attacker.Name + " attacks " + b.target.Name + " with " + b.weapon.Name,
		Judge: func(natural, total int32) (string, int32) {
			switch {
			case natural == 1 || harmless:
				return "failure", 0
			case natural == 20 && dieNeed <= 18 && !b.noDamage && !isUnit(b.attacker):
				return "critical", 0 // original.critical.natural-20-critical
			case natural == 20 || total >= need:
				return "success", 0
			}
			return "failure", 0
		}, Rules: []string{cite.AttackRoll}})
	outcome, note, rule := "miss", "", cite.AttackRoll
	switch {
	case rolled.Outcome == "critical":
		outcome, rule = "critical", cite.CriticalNatural20Critical
	case rolled.Outcome == "success":
		outcome = "hit"
	case rolled.Natural == 1:
		rule = cite.FumbleNatural1Miss
		if fumbles(r, b) {
			outcome, rule = "fumble", cite.FumbleCriticalFumbleCheck
		}
	case harmless:
		note, rule = "cannot be harmed by "+b.weapon.Name, cite.CriticalWeaponImmunity
	}
	r.Emit(rolled.Audience, &eventv1.Attack{Attacker: b.attacker.Id, Target: b.target.Id, Weapon: b.weapon.Name, Outcome: outcome, Note: note}, rule)
	if outcome == "fumble" {
		fumble(r, b)
	}
	if rolled.Natural == 20 && dieNeed > 20 && !isUnit(b.attacker) {
		over = dieNeed - 20 // original.critical.needed-over-20
	}
	return rolled.Success(), rolled.Outcome == "critical", over, rolled.Natural
}

// takeShield gives an attacker one of the two places that a shield serves
// against, where nobody chose.
func takeShield(r *rules.Resolution, b *blow) {
	if sheetOf(b.target).ShieldBonus == 0 || shieldDenied(r.State(), b.target, b) != "" {
		return
	}
	list := shieldedFrom(r.State(), b.target)
	for _, id := range list {
		if id == b.attacker.Id {
			return
		}
	}
	if len(list) < 2 {
		r.Mark(b.target.Id, mShield, itoa(r.State().Round)+":"+strings.Join(append(list, b.attacker.Id), ","), cite.DefenseShieldTwoAttackers)
		b.target = r.Creature(b.target.Id)
	}
}

// met notes what an attack brings about besides its damage: who is in melee
// with whom, that a flight is over, that somebody was taken by surprise.
func met(r *rules.Resolution, b *blow) {
	a, t, round := b.attacker.Id, b.target.Id, itoa(r.State().Round)
	if b.melee {
		meet(r, a, t)
		r.Mark(a, mAttacking, t, cite.AttackSurroundBonus)
	}
	if !b.parting {
		r.Mark(a, mFleeing, "", cite.MovementRetreatFasterPursuer)
		stirs(r, a)
	}
	if b.position == "flank" {
		r.Mark(t, mFlank+a, "yes", cite.ConditionPartiallySurprised)
	}
	if b.position != "behind" && !b.ambush {
		return
	}
	r.Mark(a, mAmbushed+t, round, cite.SurpriseAttacksAsBehind)
	acting := false
	for _, id := range r.State().Active {
		acting = acting || id == t
	}
	if !acting { // who acts at the same moment still does
		r.Mark(t, mSurprised, round, cite.SurpriseBehindNoReturn)
	}
}

// meet marks two foes as in melee, those without a place for good.
func meet(r *rules.Resolution, a, t string) {
	if distance(r.Creature(a), r.Creature(t)) < 0 {
		r.Mark(a, mEngaged+t, "yes", cite.MovementInMeleeDefinition)
		r.Mark(t, mEngaged+a, "yes", cite.MovementInMeleeDefinition)
	}
	for _, pair := range [][2]string{{a, t}, {t, a}} {
		if r.Creature(pair[0]).Marks[mMet+pair[1]] == "" {
			r.Mark(pair[0], mMet+pair[1], itoa(r.State().Round), cite.InitiativeReachFirstStrike)
		}
	}
}

// rollDamage rolls what a hit does and parts it into actual and temporary.
//
// original.damage.multiplier, original.damage.subdual-with-weapon
func rollDamage(r *rules.Resolution, b *blow, w *wound, over int32) {
	s := r.State()
	expr, mods, times, rule := damageDice(b.weapon), []*eventv1.Modifier{b.abilityToDamage(s)}, int32(1), cite.DamageNormalWeapon
	if mods[0].Value == 0 {
		mods = nil
	}
	subdue := b.subdue || b.pull || b.weapon.Kind == "hand"
	switch {
	case isUnit(b.attacker) && defaults.On(s, setMassDamage):
		expr, mods, rule = "1d6", nil, cite.MassDamage
		if isUnit(b.target) {
			times = sheetOf(b.attacker).UnitSize
		}
	case b.charge && lances(b):
		expr, times, rule = lanceDice(b.target), 2, cite.ChargeLance
	case b.charge && natural(b.weapon) && sheetOf(b.attacker).HornsOrTusks:
		times, rule = 2, cite.ChargeHornsOrTusks
	case b.charge:
		times, rule = 2, cite.ChargeBonus
	case b.set:
		times, rule = 2, cite.ChargeSetSpear
	case b.backstab:
		times, rule = backstabTimes(b.attacker), cite.AttackBackstabBonusTable
	}
	if w.critical {
		times++ // original.critical.effect-table
	}
	if subdue && (b.position == "behind" || b.ambush) {
		expr = doubleDice(expr) // original.damage.surprise-subdual
	}
	rolled := r.Roll(rules.RollSpec{Label: b.label + "/damage", Creature: b.attacker.Id, Expression: expr, Modifiers: mods,
		Reason: "damage of " + b.weapon.Name, Rules: []string{rule, cite.DamageMultiplier}})
	points := max(0, max(0, rolled.Total)*times-over)
	if lost := edgeLost(b.target, b.weapon); lost > 0 {
		points = max(0, points-lost)
		w.note = "less " + itoa(lost) + " for want of a blunt weapon "
	}
	if times > 1 {
		w.note += "times " + itoa(times)
	}
	if over > 0 {
		w.note += " less " + itoa(over) + " for the need over 20"
	}
	w.note = strings.TrimSpace(w.note)
	if !subdue {
		w.actual = points
		return
	}
	w.actual = min(points, actualOf(r, b))
	w.temporary = points - w.actual
}

// edgeLost is what a hit loses against one whom edges and points hardly harm.
//
// original.equipment.blunt-vs-skeletons
func edgeLost(target *eventv1.Creature, w *eventv1.OriginalWeapon) int32 {
	if w.Blunt || w.Kind == "hand" {
		return 0
	}
	return sheetOf(target).EdgedLoses
}

// actualOf is how many points of a subduing blow are actual damage: on each
// second damage roll 1, or 2 with a high STR.
//
// original.damage.empty-hand-actual, original.damage.empty-hand-strong, original.damage.pull-punches
func actualOf(r *rules.Resolution, b *blow) int32 {
	if b.pull {
		return 0
	}
	tally := r.Count(b.attacker.Id, cTally+b.target.Id) + 1
	r.Set(b.attacker.Id, cTally+b.target.Id, tally, "damage roll to subdue", cite.DamageEmptyHandActual)
	switch {
	case tally%2 == 1:
		return 0
	case score(b.attacker, "strength") >= 16:
		return 2
	}
	return 1
}

// lances tells whether a charge is one with a lance on a charging beast.
func lances(b *blow) bool {
	return b.weapon.Kind == "lance" && b.attacker.Marks[mMounted] != "" && sheetOf(b.attacker).ChargingBeast
}

// lanceDice are the dice of a lance on the charge.
//
// original.charge.lance
func lanceDice(target *eventv1.Creature) string {
	switch target.Size {
	case "large", "huge", "gargantuan":
		return "3d6"
	}
	return "2d6"
}

// doubleDice doubles the number of every kind of dice in an expression and
// leaves flat numbers as they are.
func doubleDice(expr string) string {
	e, err := dice.Parse(expr)
	if err != nil {
		return expr
	}
	text := e.String()
	var b strings.Builder
	for i := 0; i < len(text); {
		j := i
		for j < len(text) && text[j] >= '0' && text[j] <= '9' {
			j++
		}
		die := j < len(text) && text[j] == 'd' && j+1 < len(text) && text[j+1] >= '0' && text[j+1] <= '9'
		switch {
		case die && j > i:
			b.WriteString(itoa(2 * atoi(text[i:j])))
		case die:
			b.WriteString("2")
		default:
			b.WriteString(text[i:j])
		}
		if die { // the size of the die stays
			b.WriteByte('d')
			for j++; j < len(text) && text[j] >= '0' && text[j] <= '9'; j++ {
				b.WriteByte(text[j])
			}
		} else if j < len(text) {
			b.WriteByte(text[j])
			j++
		}
		i = j
	}
	return b.String()
}

// lay has a wound take effect.
func lay(r *rules.Resolution, w *wound) {
	if w == nil || r.Creature(w.target) == nil {
		return
	}
	if w.actual+w.temporary > 0 {
		var parts []*eventv1.DamagePart
		if w.actual > 0 {
			parts = append(parts, &eventv1.DamagePart{Type: partActual, Rolled: w.actual, Note: w.note})
		}
		nature := ""
		if w.temporary > 0 {
			parts, nature = append(parts, &eventv1.DamagePart{Type: partTemporary, Rolled: w.temporary, Note: w.note}), "subdual"
		}
		source := w.attacker
		if r.Creature(source) == nil {
			source = ""
		}
		done := r.Deed("harm/"+w.target, &eventv1.Harm{Deed: deedDamage, Target: w.target, Source: source, Cause: w.weapon, Parts: parts, Critical: w.critical, Nature: nature})
		if done[resTaken] > 0 {
			disturb(r, w)
		}
	}
	if w.drops != "" {
		drop(r, w.target, w.drops, w.at, w.weapon, w.rule)
	}
	if w.unhorsed {
		r.Mark(w.target, mMounted, "", w.rule)
	}
	if w.effect != "" && !out(r.Creature(w.target)) && !has(r.Creature(w.target), w.effect) {
		r.AddCondition(w.target, &eventv1.Condition{Name: w.effect, Source: w.attacker, Cause: w.weapon, Rule: w.rule})
		if w.effect == condProne { // off its feet, and so off its horse
			r.Mark(w.target, mMounted, "", w.rule)
		}
	}
}
