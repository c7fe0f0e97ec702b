package rcr

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/dice"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// attackOpts are what makes one attack differ from another of its kind.
type attackOpts struct {
	// label of the attack's rolls; empty means "attack/1".
	label string
	// kind of attack.
	kind attackKind
	// cover in words; empty for none.
	cover string
	// edges and mods beyond those of conditions and wounds.
	edges []*eventv1.Edge
	mods  []*eventv1.Modifier
	// kinds renames kinds of sources: two given one name count once.
	kinds map[string]string
	// damage parts in place of the attack's own; nil for those.
	damage []*eventv1.RcrDamage
	// damageMod is added to the first part of the damage.
	damageMod *eventv1.Modifier
	// halved: the target halves the damage by a reaction.
	halved bool
	// facts about the wound, as the game master states them.
	facts map[string]string
	// rules behind the attack besides the attack roll's own.
	rules []string
}

// makeAttack rolls an attack, deals its damage and lays its effects.
//
// rcr.base.attack-and-critical
func makeAttack(r *rules.Resolution, attacker, target *eventv1.Creature, atk *eventv1.RcrAttack, o attackOpts) bool {
	if o.label == "" {
		o.label = "attack/1"
	}
	outcome, note := "critical", "no roll: target helpless"
	switch {
	case !has(target, condHelpless):
		outcome, note, o.halved = rollToHit(r, attacker, target, atk, o)
	case elsewhere(target):
		outcome = "miss"
	}
	behind := append([]string{cite.BaseAttackAndCritical}, o.rules...)
	if note != "" && has(target, condHelpless) {
		behind = append([]string{cite.ConditionHelplessAttacks}, o.rules...)
	}
	r.Emit(event.Everyone(), &eventv1.Attack{Attacker: attacker.Id, Target: target.Id, Weapon: atk.Name, Outcome: outcome, Note: note}, behind...)
	reveal(r, attacker, target)
	useUp(r, attacker.Id, chAttack)
	useUp(r, target.Id, chAttacked, chArmor)
	env := blowEnv(r.State(), attacker, target, atk, o.kind)
	if outcome == "miss" {
		happen(r, o.label, attacker, effects.TriggerMiss, env)
		return false
	}
	dealHit(r, attacker, target, atk, o, outcome == "critical")
	happen(r, o.label, attacker, effects.TriggerHit, env)
	if outcome == "critical" {
		happen(r, o.label, attacker, effects.TriggerCritical, env)
	}
	return true
}

func rollToHit(r *rules.Resolution, attacker, target *eventv1.Creature, atk *eventv1.RcrAttack, o attackOpts) (outcome, note string, halved bool) {
	ac := armorClass(r, target, attacker, !o.kind.melee, o.cover)
	criticalFrom := atk.CriticalFrom
	if criticalFrom == 0 {
		criticalFrom = 20
	}
	mods := append([]*eventv1.Modifier{mod(atk.Bonus, atk.Name, "")}, o.mods...)
	mods = append(mods, changeMods(r, o.label+"/to-hit", attacker, nil, chAttack)...)
	env := blowEnv(r.State(), attacker, target, atk, o.kind)
	criticalFrom = r.Content().CriticalFrom(attacker, criticalFrom, env).Value
	mods = append(mods, houseMods(r, o.label+"/to-hit", attacker, nil, pointAttack+wayOf(atk, o.kind.melee), env)...)
	o.edges = slices.Concat(o.edges, houseEdges(r, attacker, pointAttack+wayOf(atk, o.kind.melee), env), houseEdges(r, target, pointAttacked+wayOf(atk, o.kind.melee), env))
	o.edges = append(slices.Clone(o.edges), spendHeld(r, attacker, forAttack)...)
	rolled := d20{label: o.label + "/to-hit", creature: attacker, reason: attacker.Name + " attacks " + target.Name + " with " + atk.Name,
		point: pointAttack + wayOf(atk, o.kind.melee), env: env,
		modifiers: mods, edges: merged(append(attackEdges(r, attacker, target, o.kind), o.edges...), o.kinds), target: aimedAt(target, ac),
		judge: func(natural, total int32) (string, int32) {
			switch {
			case natural == 1, elsewhere(target):
				return "failure", 0
			case natural >= 20, natural >= criticalFrom && total >= ac.Value:
				return "critical", 0
			case total >= ac.Value:
				return "success", 0
			}
			return "failure", 0
		}, rules: []string{cite.BaseAttackAndCritical}}.roll(r)
	if r.On(setFudgeAnyRoll) && !rolled.Success() && rolled.Natural != 1 {
		rolled = fudgeRoll(r, o.label+"/to-hit", attacker, ac.Value, rolled, nil, has(target, condHidden)) // rcr.dice.inspiration-fudge
	}
	if !rolled.Success() || elsewhere(target) {
		return "miss", "", false
	}
	turned, halved := meetHit(r, attacker, target, o, rolled)
	switch {
	case turned && rolled.Natural != 20: // a natural 20 hits whatever the armour class
		return "miss", "turned aside", false
	case rolled.Outcome == "critical":
		return "critical", "", halved
	case has(target, condParalyzed) && (r.Value(setParalyzedFiveFeet) != "on" || within5(o.kind)):
		return "critical", "the target is paralysed", halved // rcr.condition.paralyzed-common
	case has(target, condUnconscious) && within5(o.kind):
		return "critical", "the target is unconscious", halved
	}
	return "hit", "", halved
}

// aimedAt is what an attack roll shows of what it must reach: nothing when the
// target hides, since a miss would tell that it is not where it was seen last.
func aimedAt(target *eventv1.Creature, ac *eventv1.TargetNumber) *eventv1.TargetNumber {
	if has(target, condHidden) {
		return nil
	}
	return ac
}

// within5 tells whether an attack is made from within 5 feet; a melee attack
// from nobody knows where is.
func within5(k attackKind) bool {
	return k.distance >= 0 && k.distance <= 5 || k.distance < 0 && k.melee
}

// reveal ends what an attack uses up: the attacker's hiding, an ally's help.
func reveal(r *rules.Resolution, attacker, target *eventv1.Creature) {
	unhide(r, attacker.Id, "it attacked", cite.BaseFifthEditionFallback)
	if h := helpAgainst(r.Creature(attacker.Id), target.Id); h != nil {
		r.RemoveCondition(attacker.Id, h, "used", cite.BaseFifthEditionFallback)
	}
}

// dealHit rolls the damage of a hit, the saving throw that goes with it, and
// deals all of it as one source.
func dealHit(r *rules.Resolution, attacker, target *eventv1.Creature, atk *eventv1.RcrAttack, o attackOpts, critical bool) {
	dmg := o.damage
	if dmg == nil {
		dmg = atk.Damage
	}
	plus, more := changedDamage(r.Creature(attacker.Id), atk)
	if o.damageMod != nil {
		plus = append(plus, o.damageMod)
	}
	env := blowEnv(r.State(), attacker, target, atk, o.kind)
	housePlus, houseMore, by := houseDamage(r, o.label+"/damage", attacker, atk, o.kind.melee, env)
	plus = append(plus, housePlus...)
	dmg = slices.Concat(dmg, more, houseMore)
	var parts []*eventv1.DamagePart
	for i, part := range dmg {
		var mods []*eventv1.Modifier
		if i == 0 {
			mods = plus
		}
		part, behind := rerolled(r, attacker, atk, o.kind.melee, env, part)
		if own := len(dmg) - len(houseMore); i >= own {
			behind = append(behind, by[i-own])
		}
		parts = append(parts, rollDamageBy(r, o.label+"/damage", attacker.Id, atk.Name, part, critical, behind, mods...))
		if o.halved {
			parts[i].Rolled /= 2
		}
	}
	saved, save := false, attackSave(attacker, atk)
	if save != nil {
		purpose := effectPurpose(atk.Effects)
		saved = rollSave(r, o.label+"/save", r.Creature(target.Id), save.Ability, effectDC(attacker, save.Dc), purpose,
			r.Creature(attacker.Id), saveOpts{modifiers: coverMods(r.State(), target, save.Ability, o.cover)}).Success()
	}
	for _, part := range atk.SaveDamage {
		p := rollDamage(r, o.label+"/save-damage", attacker.Id, atk.Name, part, false)
		if p.Rolled = afterSave(p.Rolled, save, saved); p.Rolled > 0 || save.GetHalfOnSuccess() {
			parts = append(parts, p)
		}
	}
	if len(parts) > 0 || critical { // rcr.injury.wound-on-critical: the blow wounds, not its damage
		damageDeed(r, o.label+"/harm", r.Creature(target.Id), r.Creature(attacker.Id), atk.Name, parts, critical, also(weaponFacts(atk), o.facts))
	}
	if !saved {
		layEffects(r, attacker, target, atk.Name, atk.Effects, save)
	}
}

// attackSave is the saving throw that an attack forces; nil for none. That of
// a weapon without a difficulty of its own goes by the wielder's weapon DC.
//
// rcr.condition.exhaustion-dc
func attackSave(c *eventv1.Creature, a *eventv1.RcrAttack) *eventv1.RcrSave {
	if a.Save == nil || a.Save.Dc != 0 || a.Spell || sheetOf(c).WeaponDc == 0 {
		return a.Save
	}
	return &eventv1.RcrSave{Ability: a.Save.Ability, Dc: sheetOf(c).WeaponDc, HalfOnSuccess: a.Save.HalfOnSuccess}
}

// afterSave is what is left of damage after a saving throw.
func afterSave(rolled int32, save *eventv1.RcrSave, saved bool) int32 {
	switch {
	case !saved:
		return rolled
	case save.GetHalfOnSuccess():
		return rolled / 2
	}
	return 0
}

// effectPurpose is what a saving throw against effects is about.
func effectPurpose(effects []*eventv1.RcrEffect) string {
	for _, e := range effects {
		if e.Condition == condProne {
			return "stay-up"
		}
	}
	return ""
}

func weaponFacts(a *eventv1.RcrAttack) map[string]string {
	facts := map[string]string{}
	for _, f := range []struct {
		name string
		is   bool
	}{{"magical", a.Magical || a.Spell}, {"silvered", a.Silvered}, {"adamantine", a.Adamantine}} {
		if f.is {
			facts[f.name] = rules.Yes
		}
	}
	return facts
}

// rollDamage rolls one part of a damage; never less than 0.
func rollDamage(r *rules.Resolution, label, creature, cause string, part *eventv1.RcrDamage, critical bool, mods ...*eventv1.Modifier) *eventv1.DamagePart {
	return rollDamageBy(r, label, creature, cause, part, critical, nil, mods...)
}

// rollDamageBy is rollDamage with further rules behind it.
func rollDamageBy(r *rules.Resolution, label, creature, cause string, part *eventv1.RcrDamage, critical bool, behind []string, mods ...*eventv1.Modifier) *eventv1.DamagePart {
	expr := part.Dice
	if critical {
		expr = doubleDice(expr)
	}
	rolled := r.Roll(rules.RollSpec{Label: label, Creature: creature, Expression: expr, Modifiers: mods,
		Reason: strings.TrimSpace(part.Type + " damage of " + cause), Rules: append([]string{cite.BaseAttackAndCritical}, behind...)})
	return &eventv1.DamagePart{Type: part.Type, Rolled: max(0, rolled.Total)}
}

// doubleDice doubles the number of every kind of dice in an expression and
// leaves flat numbers as they are: "1d8+3" becomes "2d8+3".
//
// rcr.base.attack-and-critical
func doubleDice(expr string) string {
	if e, err := dice.Parse(expr); err == nil {
		expr = e.String() // one spelling for all
	}
	var b strings.Builder
	for i := 0; i < len(expr); {
		j := i
		for j < len(expr) && expr[j] >= '0' && expr[j] <= '9' {
			j++
		}
		if j < len(expr) && (expr[j] == 'd' || expr[j] == 'D') && j+1 < len(expr) && expr[j+1] >= '0' && expr[j+1] <= '9' {
			count := 1
			if j > i {
				count = atoi(expr[i:j])
			}
			b.WriteString(itoa(2*count) + "d")
			i = j + 1
			for i < len(expr) && expr[i] >= '0' && expr[i] <= '9' {
				b.WriteByte(expr[i])
				i++
			}
			continue
		}
		if j == i {
			j++
		}
		b.WriteString(expr[i:j])
		i = j
	}
	return b.String()
}

func atoi(digits string) int {
	n := 0
	for _, d := range digits {
		n = min(n*10+int(d-'0'), 1_000_000)
	}
	return n
}
