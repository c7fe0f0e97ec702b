package celesia

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Trade-offs that an attacker may choose with an attack; those that last are
// conditions of the same name until the start of its next turn.
const (
	optionExpertise   = "combat-expertise"
	optionDeadlyAim   = "deadly-aim"
	optionMartial     = "martial-power"
	optionPower       = "power-attack"
	optionPrecision   = "precision-strike"
	optionRecklessAim = "reckless-aim"
	optionReckless    = "reckless-offense"
	optionWeakened    = "weakened"
)

// Marks of attacks made in the creature's own turn: the round it was.
const (
	// mAttacked is set by any attack, mStruck by one in melee, mInitiated by a
	// maneuver.
	mAttacked  = "attacked"
	mStruck    = "struck"
	mInitiated = "initiated"
)

// tradeOff is one of the options of an attack.
//
// celesia.attack.special-options
type tradeOff struct {
	id, title, rule string
	// ability and the least score of it, and the least base attack bonus.
	ability string
	score   int32
	base    int32
	// melee and ranged attacks that it goes with.
	melee, ranged bool
	// first: only with the first melee attack of the turn.
	first bool
	// lasts until the start of the next turn.
	lasts bool
}

var tradeOffs = []tradeOff{
	{id: optionExpertise, title: "Combat Expertise", rule: cite.AttackCombatExpertise, ability: "intelligence", score: 13, melee: true, first: true, lasts: true},
	{id: optionDeadlyAim, title: "Deadly Aim", rule: cite.AttackDeadlyAim, ability: "dexterity", score: 13, base: 1, ranged: true},
	{id: optionMartial, title: "Martial Power", rule: cite.AttackMartialPower, ability: "constitution", score: 13, melee: true, first: true, lasts: true},
	{id: optionPower, title: "Power Attack", rule: cite.AttackPowerAttack, ability: "strength", score: 13, base: 1, melee: true, lasts: true},
	{id: optionPrecision, title: "Precision Strike", rule: cite.AttackPrecisionStrike, ability: "dexterity", score: 13, base: 1, melee: true, lasts: true},
	{id: optionRecklessAim, title: "Reckless Aim", rule: cite.AttackRecklessAim, ranged: true},
	{id: optionReckless, title: "Reckless Offense", rule: cite.AttackRecklessOffense, base: 1, melee: true},
	{id: optionWeakened, title: "Weakened Attack", rule: cite.AttackWeakenedAbilityBonus, melee: true, ranged: true},
}

func tradeOffOf(id string) *tradeOff {
	for i := range tradeOffs {
		if tradeOffs[i].id == id {
			return &tradeOffs[i]
		}
	}
	return nil
}

// stepsOf is the size of a trade-off at a base attack bonus: 1, one more at 4
// and every further 4; for Martial Power at 3 and every further 2.
//
// celesia.attack.special-scaling
func stepsOf(base int32, option string) int32 {
	if option == optionMartial {
		return 1 + max(0, base-1)/2
	}
	return 1 + base/4
}

// tradeOffParameters are the choices of a special attack.
func tradeOffParameters() []*eventv1.Parameter {
	var ids []string
	for _, o := range tradeOffs {
		ids = append(ids, o.id)
	}
	return []*eventv1.Parameter{choice("options", "trade-offs chosen with this attack", false, ids...),
		{Name: "careful", Type: "number", Text: "how often 1 is taken off the roll for 2 off the damage (weakened attack)"},
		{Name: "hold_back", Type: "number", Text: "points of ability bonus left out of the damage (weakened attack)"}}
}

// chosen lists the trade-offs named with an attack.
func chosen(take *eventv1.TakeAction) []string {
	ids, _ := spoken.Words(take.GetParameters(), "options")
	return ids
}

func picked(take *eventv1.TakeAction, option string) bool {
	return slices.Contains(chosen(take), option)
}

// checkTradeOffs judges the trade-offs chosen with an attack.
func checkTradeOffs(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	for i, id := range chosen(take) {
		o := tradeOffOf(id)
		if slices.Contains(chosen(take)[:i], id) {
			return fault.Field("take.parameters.options", "%q is named twice", id)
		}
		if err := o.refuse(s, c, weaponOf(c, take.Item)); err != nil {
			return err
		}
	}
	if picked(take, optionPower) && picked(take, optionPrecision) {
		return refuse("EXCLUSIVE", cite.AttackPowerAttackDurationExclusive, "Power Attack and Precision Strike exclude each other")
	}
	return nil
}

// refuse says why a creature cannot choose a trade-off with a weapon.
//
// celesia.attack.combat-expertise, celesia.attack.deadly-aim, celesia.attack.martial-power,
// celesia.attack.power-attack, celesia.attack.precision-strike, celesia.attack.reckless-offense,
// celesia.attack.power-attack-duration-exclusive
func (o *tradeOff) refuse(s *eventv1.State, c *eventv1.Creature, w *eventv1.CelesiaWeapon) error {
	if ranged(w) && !o.ranged || !ranged(w) && !o.melee {
		return refuse("OTHER_ATTACK", o.rule, "%s does not go with %s", o.title, w.GetName())
	}
	return o.refuseTo(s, c)
}

// refuseTo says why a creature cannot choose a trade-off, whatever it does.
func (o *tradeOff) refuseTo(s *eventv1.State, c *eventv1.Creature) error {
	v, _ := score(c, o.ability)
	if o.ability == "constitution" {
		v, _ = constitution(c)
	}
	switch {
	case o.ability != "" && v < o.score:
		return refuse("ABILITY", o.rule, "%s takes %s %d", o.title, o.ability, o.score)
	case sheetOf(c).BaseAttack < o.base:
		return refuse("BASE_ATTACK", o.rule, "%s takes a base attack bonus of %d", o.title, o.base)
	case o.id == optionMartial && !initiates(c):
		return refuse("NO_MANEUVER", o.rule, "%s knows neither a maneuver nor a stance", c.Name)
	case o.first && c.Marks[mStruck] == itoa(s.Round), o.id == optionMartial && c.Marks[mInitiated] == itoa(s.Round):
		return refuse("NOT_FIRST", o.rule, "%s goes with the first melee attack of the turn", o.title)
	case o.lasts && has(c, o.id):
		return refuse("ALREADY", o.rule, "%s is in force", o.title)
	case o.id == optionPower && has(c, optionPrecision), o.id == optionPrecision && has(c, optionPower):
		return refuse("EXCLUSIVE", cite.AttackPowerAttackDurationExclusive, "Power Attack and Precision Strike exclude each other")
	}
	return nil
}

// maneuverParameters are the choices of one who initiates a maneuver.
//
// celesia.attack.martial-power
func maneuverParameters(*eventv1.State, *eventv1.Creature) []*eventv1.Parameter {
	return []*eventv1.Parameter{choice("options", "with the first maneuver or melee attack of the turn", false, optionMartial)}
}

// checkManeuver judges what is chosen with an ability: only a maneuver can have
// Martial Power with it.
//
// celesia.attack.martial-power
func checkManeuver(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if len(chosen(take)) == 0 {
		return nil
	}
	o := tradeOffOf(optionMartial)
	for _, v := range chosen(take) {
		if v != optionMartial { // readied, with the words of an attack
			return fault.Field("take.parameters.options", "%q does not go with a maneuver, only %s does", v, optionMartial)
		}
	}
	if !isManeuver(abilityOf(c, take.Item)) {
		return refuse("NO_MANEUVER", o.rule, "%s is no maneuver", take.Item)
	}
	return o.refuseTo(s, c)
}

func isManeuver(a *eventv1.CelesiaAbility) bool {
	return a.GetKind() == kindBoost || a.GetKind() == kindStrike || a.GetKind() == kindCounter
}

// initiate notes a maneuver of one's own turn, with what was chosen with it.
//
// celesia.attack.martial-power
func initiate(r *rules.Resolution, id string, take *eventv1.TakeAction) {
	declare(r, id, take)
	r.Mark(id, mInitiated, itoa(r.State().Round), cite.AttackMartialPower)
}

// initiates tells whether a creature knows a maneuver or a stance.
func initiates(c *eventv1.Creature) bool {
	return len(sheetOf(c).Stances) > 0 || slices.ContainsFunc(sheetOf(c).SpecialAbilities, isManeuver)
}

// noteAttack notes an attack of one's own turn, of whatever sort.
//
// celesia.attack.lunge, celesia.attack.combat-expertise, celesia.attack.martial-power
func noteAttack(r *rules.Resolution, id string, w *eventv1.CelesiaWeapon) {
	if !inTurn(r.State(), r.Creature(id)) {
		return
	}
	r.Mark(id, mAttacked, itoa(r.State().Round), cite.AttackLunge)
	if !ranged(w) {
		r.Mark(id, mStruck, itoa(r.State().Round), cite.AttackCombatExpertise)
	}
}

// declare puts into force what was chosen with an attack. A drawback to DV of one
// source counts once.
//
// celesia.attack.combat-expertise, celesia.attack.martial-power, celesia.attack.power-attack,
// celesia.attack.precision-strike, celesia.attack.reckless-aim, celesia.attack.reckless-offense
func declare(r *rules.Resolution, id string, take *eventv1.TakeAction) {
	for _, name := range chosen(take) {
		o, n := tradeOffOf(name), stepsOf(sheetOf(r.Creature(id)).BaseAttack, name)
		values := map[string]int32{"steps": n}
		switch name {
		case optionExpertise:
			values["dodge"] = 3 * n
		case optionMartial:
			brace(r, id, n, values)
		case optionRecklessAim, optionReckless:
			values["defense"] = -n
		case optionPower, optionPrecision:
		default:
			continue
		}
		if !has(r.Creature(id), name) {
			r.AddCondition(id, &eventv1.Condition{Name: name, Cause: o.title, Until: untilStart(id), Values: values, Rule: o.rule})
		}
	}
}

// bearsShield tells whether a creature uses a shield of any kind.
func bearsShield(c *eventv1.Creature) bool {
	return slices.ContainsFunc(sheetOf(c).Things, func(th *eventv1.CelesiaThing) bool {
		return th.Kind == "shield" && slices.Contains(inHands(c), th.Name)
	})
}

// brace gives the temporary hit points of Martial Power, half as many again
// with a shield.
//
// celesia.attack.martial-power
func brace(r *rules.Resolution, id string, steps int32, values map[string]int32) {
	c, points := r.Creature(id), 2*steps
	if bearsShield(c) {
		points = 3 * steps
	}
	values["base"] = c.GetHpTemp()
	deed(r, "martial-power/"+id, &eventv1.Harm{Deed: deedTemporary, Target: id, Amount: c.GetHpTemp() + points, Cause: "Martial Power"})
}

// unbrace ends the temporary hit points of Martial Power; others stay.
//
// celesia.attack.martial-power
func unbrace(r *rules.Resolution, id string) {
	x := condition(r.Creature(id), optionMartial)
	if x == nil || r.Creature(id).GetHpTemp() <= x.Values["base"] {
		return
	}
	deed(r, "martial-power/"+id, &eventv1.Harm{Deed: deedTemporary, Target: id, Amount: x.Values["base"], Cause: "Martial Power is over"})
}

// tradedRoll is what trade-offs do to an attack roll: those in force on every
// attack of their sort, the others on the attack that they were chosen for.
//
// celesia.attack.weakened-penalty
func tradedRoll(c *eventv1.Creature, a attack) []*eventv1.Modifier {
	var out []*eventv1.Modifier
	for _, o := range tradeOffs {
		n := stepsOf(sheetOf(c).BaseAttack, o.id)
		switch o.id {
		case optionExpertise, optionPower, optionPrecision:
			if has(c, o.id) && !ranged(a.weapon) {
				out = append(out, mod(-n, o.title, o.rule))
			}
		case optionMartial:
			if has(c, o.id) {
				out = append(out, mod(-n, o.title, o.rule))
			}
		case optionDeadlyAim:
			if picked(a.take, o.id) {
				out = append(out, mod(-n, o.title, o.rule))
			}
		case optionRecklessAim, optionReckless:
			if picked(a.take, o.id) {
				out = append(out, mod(2*n, o.title, o.rule))
			}
		}
	}
	careful, _ := spoken.Number(a.take.GetParameters(), "careful")
	return append(out, nonzero(mod(-careful, "weakened attack", cite.AttackWeakenedPenalty))...)
}

// tradedDamage is what trade-offs add to the damage of an attack; nothing on a
// touch attack. Of several attacks in one action the hand counts that each is made
// with. A weakened attack loses 2 for each 1 taken off its roll.
//
// celesia.attack.power-attack, celesia.attack.precision-strike, celesia.attack.deadly-aim, celesia.attack.weakened-penalty
func tradedDamage(c *eventv1.Creature, a attack) []*eventv1.Modifier {
	var out []*eventv1.Modifier
	w := a.weapon
	if !w.Touch {
		n := 2 * stepsOf(sheetOf(c).BaseAttack, optionPower)
		lesser := a.hand == otherHand || a.hand == "" && place(c, w) == placeOff || w.Secondary
		switch {
		case has(c, optionPower) && !ranged(w):
			if lesser {
				n /= 2
			} else if a.hand == "" && place(c, w) == placeBoth && !w.Light || w.Kind == kindNatural {
				n = n * 3 / 2
			}
			out = append(out, mod(n, "Power Attack", cite.AttackPowerAttack))
		case has(c, optionPrecision) && !ranged(w):
			if lesser {
				n /= 2
			}
			out = append(out, mod(n, "Precision Strike", cite.AttackPrecisionStrike))
		case picked(a.take, optionDeadlyAim):
			out = append(out, mod(n, "Deadly Aim", cite.AttackDeadlyAim))
		}
	}
	careful, _ := spoken.Number(a.take.GetParameters(), "careful")
	return append(out, nonzero(mod(-2*careful, "weakened attack", cite.AttackWeakenedPenalty))...)
}
