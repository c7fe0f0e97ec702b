package manners

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/items"
	"github.com/skaldrpg/skald/pkg/rules/celesia/mending"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Conditions of attacks made in the creature's own turn, until the round is over.
const (
	// CondAttacked is laid by any attack, condStruck by one in melee, condInitiated
	// by a maneuver.
	CondAttacked  = "attacked"
	condStruck    = "struck"
	CondInitiated = "initiated"
)

// tradeOff is one of the options of an attack.
//
// celesia.attack.special-options
type tradeOff struct {
	Id, Title, Rule string
	// ability and the least score of it, and the least base attack bonus.
	ability string
	score   int32
	base    int32
	// melee and ranged attacks that it goes with.
	melee, ranged bool
	// first: only with the first melee attack of the turn.
	first bool
	// Lasts until the start of the next turn.
	Lasts bool
}

// TradeOffs are the trade-offs that an attack can be made with, in the order of
// their ids.
var TradeOffs = []tradeOff{
	{Id: mending.OptionExpertise, Title: "Combat Expertise", Rule: cite.AttackCombatExpertise, ability: "intelligence", score: 13, melee: true, first: true, Lasts: true},
	{Id: mending.OptionDeadlyAim, Title: "Deadly Aim", Rule: cite.AttackDeadlyAim, ability: "dexterity", score: 13, base: 1, ranged: true},
	{Id: mending.OptionMartial, Title: "Martial Power", Rule: cite.AttackMartialPower, ability: "constitution", score: 13, melee: true, first: true, Lasts: true},
	{Id: mending.OptionPower, Title: "Power Attack", Rule: cite.AttackPowerAttack, ability: "strength", score: 13, base: 1, melee: true, Lasts: true},
	{Id: mending.OptionPrecision, Title: "Precision Strike", Rule: cite.AttackPrecisionStrike, ability: "dexterity", score: 13, base: 1, melee: true, Lasts: true},
	{Id: mending.OptionRecklessAim, Title: "Reckless Aim", Rule: cite.AttackRecklessAim, ranged: true},
	{Id: mending.OptionReckless, Title: "Reckless Offense", Rule: cite.AttackRecklessOffense, base: 1, melee: true},
	{Id: mending.OptionWeakened, Title: "Weakened Attack", Rule: cite.AttackWeakenedAbilityBonus, melee: true, ranged: true},
}

// TradeOffOf finds a trade-off by its id; nil when there is none.
func TradeOffOf(id string) *tradeOff {
	for i := range TradeOffs {
		if TradeOffs[i].Id == id {
			return &TradeOffs[i]
		}
	}
	return nil
}

// checkTradeOffs judges the trade-offs chosen with an attack.
func checkTradeOffs(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	for i, id := range mending.Chosen(take) {
		o := TradeOffOf(id)
		if slices.Contains(mending.Chosen(take)[:i], id) {
			return fault.Field("take.parameters.options", "%q is named twice", id)
		}
		if err := o.Refuse(s, c, body.WeaponOf(c, take.Item)); err != nil {
			return err
		}
	}
	if mending.Picked(take, mending.OptionPower) && mending.Picked(take, mending.OptionPrecision) {
		return body.Refuse("EXCLUSIVE", cite.AttackPowerAttackDurationExclusive, "Power Attack and Precision Strike exclude each other")
	}
	return nil
}

// Refuse says why a creature cannot choose a trade-off with a weapon.
//
// celesia.attack.combat-expertise, celesia.attack.deadly-aim, celesia.attack.martial-power,
// celesia.attack.power-attack, celesia.attack.precision-strike, celesia.attack.reckless-offense,
// celesia.attack.power-attack-duration-exclusive
func (o *tradeOff) Refuse(s *eventv1.State, c *eventv1.Creature, w *eventv1.CelesiaWeapon) error {
	if body.Ranged(w) && !o.ranged || !body.Ranged(w) && !o.melee {
		return body.Refuse("OTHER_ATTACK", o.Rule, "%s does not go with %s", o.Title, w.GetName())
	}
	return o.RefuseTo(s, c)
}

// RefuseTo says why a creature cannot choose a trade-off, whatever it does.
func (o *tradeOff) RefuseTo(s *eventv1.State, c *eventv1.Creature) error {
	v, _ := body.Score(c, o.ability)
	if o.ability == "constitution" {
		v, _ = body.Constitution(c)
	}
	switch {
	case v < o.score:
		return body.Refuse("ABILITY", o.Rule, "%s takes %s %d", o.Title, o.ability, o.score)
	case body.SheetOf(c).BaseAttack < o.base:
		return body.Refuse("BASE_ATTACK", o.Rule, "%s takes a base attack bonus of %d", o.Title, o.base)
	case o.Id == mending.OptionMartial && !initiates(c):
		return body.Refuse("NO_MANEUVER", o.Rule, "%s knows neither a maneuver nor a stance", c.Name)
	case o.first && body.Has(c, condStruck), o.Id == mending.OptionMartial && body.Has(c, CondInitiated):
		return body.Refuse("NOT_FIRST", o.Rule, "%s goes with the first melee attack of the turn", o.Title)
	case o.Lasts && body.Has(c, o.Id):
		return body.Refuse("ALREADY", o.Rule, "%s is in force", o.Title)
	case o.Id == mending.OptionPower && body.Has(c, mending.OptionPrecision), o.Id == mending.OptionPrecision && body.Has(c, mending.OptionPower):
		return body.Refuse("EXCLUSIVE", cite.AttackPowerAttackDurationExclusive, "Power Attack and Precision Strike exclude each other")
	}
	return nil
}

// CheckManeuver judges what is chosen with an ability: only a maneuver can have
// Martial Power with it.
//
// celesia.attack.martial-power
func CheckManeuver(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if len(mending.Chosen(take)) == 0 {
		return nil
	}
	o := TradeOffOf(mending.OptionMartial)
	for _, v := range mending.Chosen(take) {
		if v != mending.OptionMartial { // readied, with the words of an attack
			return fault.Field("take.parameters.options", "%q does not go with a maneuver, only %s does", v, mending.OptionMartial)
		}
	}
	if !items.IsManeuver(items.AbilityOf(c, take.Item)) {
		return body.Refuse("NO_MANEUVER", o.Rule, "%s is no maneuver", take.Item)
	}
	return o.RefuseTo(s, c)
}

// initiates tells whether a creature knows a maneuver or a stance.
func initiates(c *eventv1.Creature) bool {
	return len(body.SheetOf(c).Stances) > 0 || slices.ContainsFunc(body.SheetOf(c).SpecialAbilities, items.IsManeuver)
}

// NoteAttack notes an attack of one's own turn, of whatever sort.
//
// celesia.attack.lunge, celesia.attack.combat-expertise, celesia.attack.martial-power
func NoteAttack(r *rules.Resolution, id string, w *eventv1.CelesiaWeapon) {
	if !InTurn(r.State(), r.Creature(id)) {
		return
	}
	ForRound(r, id, CondAttacked, "attack", cite.AttackLunge, 0)
	if !body.Ranged(w) {
		ForRound(r, id, condStruck, "melee attack", cite.AttackCombatExpertise, 0)
	}
}

// BearsShield tells whether a creature uses a shield of any kind.
func BearsShield(c *eventv1.Creature) bool {
	return slices.ContainsFunc(body.SheetOf(c).Things, func(th *eventv1.CelesiaThing) bool {
		return th.Kind == "shield" && slices.Contains(body.InHands(c), th.Name)
	})
}

// TradedRoll is what trade-offs do to an attack roll: those in force on every
// attack of their sort, the others on the attack that they were chosen for.
//
// celesia.attack.weakened-penalty
func TradedRoll(book *effects.Book, c *eventv1.Creature, a body.Attack) []*eventv1.Modifier {
	var out []*eventv1.Modifier
	n := StepsAt(book, body.SheetOf(c).BaseAttack)
	for _, o := range TradeOffs {
		switch o.Id {
		case mending.OptionExpertise, mending.OptionPower, mending.OptionPrecision:
			if body.Has(c, o.Id) && !body.Ranged(a.Weapon) {
				out = append(out, body.Mod(n.Penalty, o.Title, n.behind(o.Rule)))
			}
		case mending.OptionMartial:
			if body.Has(c, o.Id) {
				out = append(out, body.Mod(n.MartialPenalty, o.Title, n.behind(o.Rule)))
			}
		case mending.OptionDeadlyAim:
			if mending.Picked(a.Take, o.Id) {
				out = append(out, body.Mod(n.Penalty, o.Title, n.behind(o.Rule)))
			}
		case mending.OptionRecklessAim, mending.OptionReckless:
			if mending.Picked(a.Take, o.Id) {
				out = append(out, body.Mod(n.Bonus, o.Title, n.behind(o.Rule)))
			}
		}
	}
	careful, _ := spoken.Number(a.Take.GetParameters(), "careful")
	return append(out, body.Nonzero(body.Mod(-careful, "weakened attack", cite.AttackWeakenedPenalty))...)
}

// TradedDamage is what trade-offs add to the damage of an attack; nothing on a
// touch attack. Of several attacks in one action the hand counts that each is made
// with. A weakened attack loses 2 for each 1 taken off its roll.
//
// celesia.attack.power-attack, celesia.attack.precision-strike, celesia.attack.deadly-aim, celesia.attack.weakened-penalty
func TradedDamage(book *effects.Book, c *eventv1.Creature, a body.Attack) []*eventv1.Modifier {
	var out []*eventv1.Modifier
	w := a.Weapon
	if !w.Touch {
		row := StepsAt(book, body.SheetOf(c).BaseAttack)
		n := row.Bonus
		lesser := a.Hand == mending.OtherHand || a.Hand == "" && body.Place(c, w) == body.PlaceOff || w.Secondary
		if lesser {
			n = row.OffHand
		}
		switch {
		case body.Has(c, mending.OptionPower) && !body.Ranged(w):
			if !lesser && (a.Hand == "" && body.Place(c, w) == body.PlaceBoth && !w.Light || w.Kind == body.KindNatural) {
				n = row.TwoHanded
			}
			out = append(out, body.Mod(n, "Power Attack", row.behind(cite.AttackPowerAttack)))
		case body.Has(c, mending.OptionPrecision) && !body.Ranged(w):
			out = append(out, body.Mod(n, "Precision Strike", row.behind(cite.AttackPrecisionStrike)))
		case mending.Picked(a.Take, mending.OptionDeadlyAim):
			out = append(out, body.Mod(row.Bonus, "Deadly Aim", row.behind(cite.AttackDeadlyAim)))
		}
	}
	careful, _ := spoken.Number(a.Take.GetParameters(), "careful")
	return append(out, body.Nonzero(body.Mod(-2*careful, "weakened attack", cite.AttackWeakenedPenalty))...)
}
