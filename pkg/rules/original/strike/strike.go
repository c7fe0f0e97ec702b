package strike

import (
	"regexp"
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/dice"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Wound is what a blow that hit does, before it takes effect.
type Wound struct {
	Attacker, Target, Weapon string
	Actual, Temporary        int32
	Critical                 bool
	// Effect is the condition of a special attack or attempt, rule the one behind
	// what is not damage; empty for none.
	Effect, Rule string
	// Drops is the weapon that the target loses, at the feet of whom.
	Drops, At string
	// Unhorsed: the target is off its mount.
	Unhorsed bool
	// Parting: by a free attack, out of the order of the round.
	Parting bool
	// Note tells how the numbers came about.
	Note string
	// Factors are what became of the damage after its roll.
	Factors []*eventv1.Factor
	// Extra are parts of the damage by content, each with its rule.
	Extra []*eventv1.DamagePart
	// Magic: it comes of a spell. SetOff: content set it off, and it sets off nothing
	// further.
	Magic, setOff bool
	// then is what content sets off by the hit; nil for nothing.
	then func(r *rules.Resolution, now bool)
}

// Facts of harm in fights with content.
const (
	factMagic  = "magic"
	factSetOff = "set-off"
)

// TakeShield gives an attacker one of the two places that a shield serves
// against, where nobody chose.
func TakeShield(r *rules.Resolution, b *Blow) {
	if body.SheetOf(b.Target).ShieldBonus == 0 || b.Denied(r.State(), body.RollShieldDenied) != "" {
		return
	}
	body.TieForRound(r, b.Target.Id, body.RelShield, b.Attacker.Id, cite.DefenseShieldTwoAttackers)
	b.Target = r.Creature(b.Target.Id)
}

// Met notes what an attack brings about besides its damage: who is in melee
// with whom, that a flight is over, that somebody was taken by surprise.
func Met(r *rules.Resolution, b *Blow) {
	a, t := b.Attacker.Id, b.Target.Id
	if b.Melee {
		Meet(r, a, t)
		body.Only(r, a, body.RelAttacks, t, cite.AttackSurroundBonus)
	}
	if !b.Parting {
		body.Lift(r, a, body.CondFleeing, cite.MovementRetreatFasterPursuer)
		Stirs(r, a)
	}
	if b.Position == "flank" {
		body.Tie(r, a, body.RelFlanks, t, cite.ConditionPartiallySurprised)
	}
	if b.Position != "behind" && !b.ambush {
		return
	}
	body.TieNow(r, a, body.RelAmbushed, t, cite.SurpriseAttacksAsBehind)
	if !slices.Contains(r.State().Active, t) { // who acts at the same moment still does
		body.During(r, t, body.CondSurprised, cite.SurpriseBehindNoReturn)
	}
}

// Meet marks two foes as in melee, those without a place for good.
func Meet(r *rules.Resolution, a, t string) {
	if body.Distance(r.Creature(a), r.Creature(t)) < 0 {
		body.Tie(r, a, body.RelEngaged, t, cite.MovementInMeleeDefinition)
		body.Tie(r, t, body.RelEngaged, a, cite.MovementInMeleeDefinition)
	}
	for _, pair := range [][2]string{{a, t}, {t, a}} {
		if !body.Is(r.Creature(pair[0]), body.RelMet, pair[1]) {
			body.TieNow(r, pair[0], body.RelMet, pair[1], cite.InitiativeReachFirstStrike)
		}
	}
}

// RollDamage rolls what a hit does and parts it into actual and temporary.
//
// original.damage.multiplier, original.damage.subdual-with-weapon
func RollDamage(r *rules.Resolution, b *Blow, w *Wound, over int32) {
	s := r.State()
	expr, mods, times, rule := body.DamageDice(b.Weapon), []*eventv1.Modifier{b.AbilityToDamage(s)}, int32(1), cite.DamageNormalWeapon
	if mods[0].Value == 0 {
		mods = nil
	}
	subdue := b.Subdue || b.pull || b.Weapon.Kind == "hand"
	switch {
	case body.IsUnit(b.Attacker) && body.Defaults.On(s, body.SetMassDamage):
		expr, mods, rule = "1d6", nil, cite.MassDamage
		if body.IsUnit(b.Target) {
			times = body.SheetOf(b.Attacker).UnitSize
		}
	case b.Charge && lances(b):
		expr, times, rule = lanceDice(b.Target), 2, cite.ChargeLance
	case b.Charge && body.Natural(b.Weapon) && body.SheetOf(b.Attacker).HornsOrTusks:
		times, rule = 2, cite.ChargeHornsOrTusks
	case b.Charge:
		times, rule = 2, cite.ChargeBonus
	case b.Set:
		times, rule = 2, cite.ChargeSetSpear
	case b.Backstab:
		times, rule = b.book().BackstabTimes(b.Attacker), b.book().BackstabRule(b.Attacker)
	}
	env := b.Env(r)
	added, extra := house.Added(r, b.Label+"/damage", b.Attacker, house.PointDamage+b.way(), env)
	mods = append(mods, added...)
	if w.Critical {
		times++ // original.critical.effect-table
	}
	if subdue && (b.Position == "behind" || b.ambush) {
		expr = DoubleDice(expr) // original.damage.surprise-subdual
	}
	expr, again := house.Again(r, b.Attacker, house.PointDamage+b.way(), env, expr)
	rolled := r.Roll(rules.RollSpec{Label: b.Label + "/damage", Creature: b.Attacker.Id, Expression: expr, Modifiers: mods,
		Reason: "damage of " + b.Weapon.Name, Rules: append([]string{rule, cite.DamageMultiplier}, again...)})
	for _, p := range extra {
		rules.Factor(p, times, 0, 0, multiplied(b, w, rule), rule)
	}
	w.Extra = append(w.Extra, extra...)
	made := &eventv1.DamagePart{Rolled: max(0, rolled.Total)}
	rules.Factor(made, times, 0, 0, multiplied(b, w, rule), rule)
	lose(made, over, "the need over 20", cite.CriticalNeededOver20)
	if lost := EdgeLost(b.Target, b.Weapon); lost > 0 {
		lose(made, lost, "an edge or a point", cite.EquipmentBluntVsSkeletons)
		w.Note = "less " + body.Itoa(lost) + " for want of a blunt weapon "
	}
	if times > 1 {
		w.Note += "times " + body.Itoa(times)
	}
	if over > 0 {
		w.Note += " less " + body.Itoa(over) + " for the need over 20"
	}
	w.Note = strings.TrimSpace(w.Note)
	points := made.Rolled
	w.Factors = made.Factors
	if !subdue {
		w.Actual = points
		return
	}
	w.Actual = min(points, actualOf(r, b))
	w.Temporary = points - w.Actual
}

// multiplied says what a damage is multiplied by, which a rule has decided.
func multiplied(b *Blow, w *Wound, rule string) string {
	var why []string
	switch {
	case rule == cite.MassDamage:
		why = append(why, "size of the unit")
	case b.Charge:
		why = append(why, "charge")
	case b.Set:
		why = append(why, "spear set against the charge")
	case b.Backstab:
		why = append(why, "backstab")
	}
	if w.Critical {
		why = append(why, "critical hit")
	}
	return strings.Join(why, ", ")
}

// lose takes points off a damage, down to none.
func lose(p *eventv1.DamagePart, points int32, why, rule string) {
	if n := min(points, p.Rolled); n > 0 {
		rules.Factor(p, 1, 1, -n, why, rule)
	}
}

// EdgeLost is what a hit loses against one whom edges and points hardly harm.
//
// original.equipment.blunt-vs-skeletons
func EdgeLost(target *eventv1.Creature, w *eventv1.OriginalWeapon) int32 {
	if w.Blunt || w.Kind == "hand" {
		return 0
	}
	return body.SheetOf(target).EdgedLoses
}

// actualOf is how many points of a subduing blow are actual damage: on each
// second damage roll 1, or 2 with a high STR.
//
// original.damage.empty-hand-actual, original.damage.empty-hand-strong, original.damage.pull-punches
func actualOf(r *rules.Resolution, b *Blow) int32 {
	if b.pull {
		return 0
	}
	tally := rules.RelationTo(r.Creature(b.Attacker.Id), body.RelSubdues, b.Target.Id).GetValues()[body.ValRolls] + 1
	r.Relate(b.Attacker.Id, &eventv1.Relation{Kind: body.RelSubdues, To: b.Target.Id, Values: map[string]int32{body.ValRolls: tally}, Rule: cite.DamageEmptyHandActual},
		cite.DamageEmptyHandActual)
	switch {
	case tally%2 == 1:
		return 0
	case body.Score(b.Attacker, "strength") >= 16:
		return 2
	}
	return 1
}

// lances tells whether a charge is one with a lance on a charging beast.
func lances(b *Blow) bool {
	return b.Weapon.Kind == "lance" && body.Has(b.Attacker, body.CondMounted) && body.SheetOf(b.Attacker).ChargingBeast
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

// someDice matches dice of one kind in an expression as it prints itself: how many, and
// the beginning of what they are.
var someDice = regexp.MustCompile(`\d+d[\dF]`)

// DoubleDice doubles the number of every kind of dice in an expression and
// leaves flat numbers as they are.
func DoubleDice(expr string) string {
	e, err := dice.Parse(expr)
	if err != nil {
		return expr
	}
	return someDice.ReplaceAllStringFunc(e.String(), func(dice string) string {
		many, kind, _ := strings.Cut(dice, "d")
		return body.Itoa(2*body.Atoi(many)) + "d" + kind
	})
}

// part is one kind of a wound's damage; what is of the other kind is taken off in a last
// step.
func (w *Wound) part(kind string, points, other int32, otherKind, rule string) *eventv1.DamagePart {
	p := &eventv1.DamagePart{Type: kind, Rolled: points, Note: w.Note, Factors: w.Factors}
	if other != 0 && len(w.Factors) > 0 {
		p.Factors = append(slices.Clone(w.Factors), &eventv1.Factor{Before: points - other, Plus: other, After: points, Source: otherKind, Rule: rule})
	}
	return p
}

// Harm is the damage of a wound, done by a source.
func (w *Wound) Harm(source string) *eventv1.Harm {
	h := &eventv1.Harm{Deed: body.DeedDamage, Target: w.Target, Source: source, Cause: w.Weapon, Critical: w.Critical}
	if w.Actual > 0 {
		h.Parts = append(h.Parts, w.part(body.PartActual, w.Actual, -w.Temporary, "temporary", cite.DamageEmptyHandActual))
	}
	if w.Temporary > 0 {
		h.Parts, h.Nature = append(h.Parts, w.part(body.PartTemporary, w.Temporary, -w.Actual, "actual", cite.DamageEmptyHandActual)), "subdual"
	}
	h.Parts = append(h.Parts, w.Extra...)
	for fact, is := range map[string]bool{factMagic: w.Magic, factSetOff: w.setOff} { // order-free: a map is filled
		if !is {
			continue
		}
		if h.Facts == nil {
			h.Facts = map[string]string{}
		}
		h.Facts[fact] = rules.Yes
	}
	return h
}
