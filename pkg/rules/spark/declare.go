package spark

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// mayDeclare says whether a creature may declare now.
//
// spark.turn.two-halves, spark.action.kinds, spark.action.multi-round-lock
func mayDeclare(s *eventv1.State, c *eventv1.Creature) error {
	switch {
	case s.Status == eventv1.State_STATUS_ENDED:
		return refuse("ENCOUNTER_ENDED", "", "the encounter is over")
	case s.Status != eventv1.State_STATUS_STARTED:
		return refuse("NOT_STARTED", "", "the encounter has not begun")
	case out(c):
		return refuse("OUT", cite.DiceDropToZero, "%s is out of the fight", c.GetName())
	case locked(s, c):
		return refuse("LOCKED", cite.ActionMultiRoundLock, "%s casts until the end of round %d", c.Name, castsUntil(c))
	case s.Phase != phaseDeclare:
		return refuse("NOT_DECLARING", cite.TurnMovementFirst, "nothing is declared now")
	case c.Counters[cOrder] > 0:
		return refuse("DECLARED", cite.ActionFullRoundPackages, "%s has declared its full round action", c.Name)
	case !slices.Contains(s.Active, c.Id):
		return refuse("NOT_YOUR_TURN", cite.TurnTwoHalves, "%s does not declare now", c.Name)
	}
	return nil
}

// refuseStrike says why a creature cannot attack, charge or rush with a weapon now,
// whatever it aims at.
func refuseStrike(at *play.At) error {
	s, c, kind := at.State, at.Actor, at.Action.ID
	if err := refuseBash(at); err != nil {
		return err
	}
	w := weaponOf(c, at.Item())
	switch {
	case len(glanceOf(at).others()) == 0:
		return refuse("NO_TARGET", cite.AttackRoll, "nobody is left to attack")
	case kind == kindAttack:
	case w.ReachFeet == 0:
		return refuse("NOT_MELEE", cite.ActionCharge, "%s is no melee weapon", w.Name)
	case prone(s, c):
		return refuse("PRONE", ruleProne, "%s lies prone and cannot charge", c.Name)
	case speedOf(c) < 1:
		return refuse("NO_SPEED", cite.ActionCharge, "%s cannot move", c.Name)
	}
	ranged := thrown(at, w)
	if err := refuseWeapon(s, c, w, ranged, true, &extra{Kind: strings.TrimSuffix(needed(c, w, ranged), ":"), Item: w.Name}); err != nil {
		return err
	}
	if c.Items[w.Name].GetPlace() == "dropped" {
		return refuseExtra(s, c, "pick-up", w.Name)
	}
	return nil
}

// refuseBash says that a creature does not get to strike at anything in this round.
//
// spark.fumble.trip-two-rounds, spark.fumble.trip-one-round
func refuseBash(at *play.At) error {
	if c := at.Actor; barred(at.State, c) {
		return refuse("TRIPPED", barredBy(c), "%s tripped: no attacks through round %d", c.Name, barredUntil(c))
	}
	return nil
}

// refuseSpell says that there is too little mana for a spell.
func refuseSpell(at *play.At) error {
	if sp := spellOf(at.Actor, at.Item()); at.Actor.Counters[cMana] < int64(sp.ManaCost) {
		return refuse("NO_MANA", cite.SpellCounteredManaLost, "%s costs %d mana", sp.Name, sp.ManaCost)
	}
	return nil
}

// refuseTask says why a creature cannot work at a weapon's string or missiles.
//
// spark.fumble.string-breaks, spark.fumble.alt-string-snaps, spark.fumble.alt-loose-string, spark.fumble.alt-ammo-accident
func refuseTask(at *play.At) error {
	s, c, kind, item := at.State, at.Actor, at.Action.ID, at.Item()
	state, place := c.Marks[mString+item], c.Items[item].GetPlace()
	fits := kind == kindRestring || kind == kindRefit
	switch {
	case fits && c.Marks[mWeapon+item] == broken:
		return refuse("BROKEN", cite.ItemHardnessCheck, "%s is broken", item)
	case fits && place == "stowed":
		return refuse("NOT_IN_HAND", cite.ActionBonus, "%s is put away", item)
	case fits && place == "dropped":
		return refuse("NOT_IN_HAND", cite.FumbleDropWeapon, "%s lies on the ground", item)
	case kind == kindRestring && state != snapped:
		return refuse("STRING_WHOLE", stringRule(s), "%q needs no string", item)
	case kind == kindRestring && c.Counters[cSpareStrings] < 1:
		return refuse("NO_STRING", stringRule(s), "%s has no spare string", c.Name)
	case kind == kindRefit && state != loose:
		return refuse("STRING_NOT_LOOSE", cite.FumbleAltLooseString, "the string of %q is not loose", item)
	case kind == kindGather && c.Counters[cSpilled+item] < 1:
		return refuse("NOTHING_SPILLED", cite.FumbleAltAmmoAccident, "no missiles of %q lie spilled", item)
	}
	return nil
}

// takesAttack tells whether a kind of declaration costs the attack action.
//
// spark.item.hardness-check, spark.fumble.alt-ammo-accident
func takesAttack(kind string) bool { return attacks(kind) || kind == kindBash || kind == kindGather }

// taskRule is the rule by which work at a string fills the round.
func taskRule(s *eventv1.State, kind string) string {
	if kind == kindRefit {
		return cite.FumbleAltLooseString
	}
	return stringRule(s)
}

// castRule is the rule by which a spell leaves nothing else.
//
// spark.action.spell-fills-round, spark.action.multi-round-lock
func castRule(c *eventv1.Creature, spell string) string {
	if sp := spellOf(c, spell); sp != nil && sp.Rounds > 0 {
		return cite.ActionMultiRoundLock
	}
	return cite.ActionSpellFillsRound
}

// prone tells whether a creature lies on the ground where that means something.
func prone(s *eventv1.State, c *eventv1.Creature) bool {
	return has(c, condProne) && defaults.On(s, ruleProne)
}

// judge says why a command cannot be declared as it is said; d is what plan made
// of it. What forbids its kind and its targets has been
// said.
func (d *declaration) judge(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := d.misstated(c, take); err != nil {
		return err
	}
	var err error
	switch {
	case attacks(d.Kind):
		err = d.judgeStrikes(s, c, take)
	case d.Kind == kindCast:
		err = d.judgeSpell(s, c)
	case d.Kind == kindDeed:
		err = d.judgeDeed(s, c)
	case d.Kind == kindBash:
		err = d.judgeBash(s, take)
	}
	if err == nil {
		err = d.movement(s, c)
	}
	if err == nil && d.Bonus != nil {
		err = d.refuseBonus(s, c)
	}
	return err
}

// misstated refuses words that contradict each other or the state.
func (d *declaration) misstated(c *eventv1.Creature, take *eventv1.TakeAction) error {
	if behind, _ := spoken.Words(take.GetFacts(), "behind"); len(behind) > 1 {
		return fault.Field("take.facts.behind", "at most one stands behind the attacker")
	}
	if d.Stated.Behind == c.Id {
		return fault.Field("take.facts.behind", "nobody stands behind itself")
	}
	if _, given := spoken.Number(take.GetParameters(), "feet"); given && c.Position != nil {
		return fault.Field("take.parameters.feet", "%s has a place on the map: give the path", c.Name)
	}
	if asked, _ := spoken.Words(take.GetParameters(), "bonus"); len(asked) > 1 {
		return refuse("TWO_BONUS_ACTIONS", cite.ActionBonus, "one bonus action a round, not %d", len(asked))
	}
	if d.Bonus == nil {
		if err := slips(c, take); err != nil {
			return err
		}
	}
	return d.unread(take)
}

// movement holds the limits of the packages.
//
// spark.action.move, spark.action.full-round-packages,
// spark.action.no-full-attack-with-full-move, spark.action.five-foot-full-attack,
// spark.action.full-move-single-attack, spark.condition.prone
func (d *declaration) movement(s *eventv1.State, c *eventv1.Creature) error {
	moved := d.Feet > 0 || len(d.Path) > 0
	full := mayRunAndStrike(c)
	switch {
	case d.Stand && !prone(s, c):
		return refuse("NOT_PRONE", ruleProne, "%s is not prone", c.Name)
	case (moved || d.Stand) && d.Kind == kindCast:
		return refuse("SPELL_FILLS_ROUND", castRule(c, d.Spell), "a spell leaves no move")
	case (moved || d.Stand) && fillsRound(d.Kind):
		return refuse("STRING_FILLS_ROUND", taskRule(s, d.Kind), "work at a string leaves no move")
	case moved && d.Stand:
		return refuse("STANDS_UP", ruleProne, "standing up takes the move action")
	case d.Feet > 5 && prone(s, c):
		return refuse("PRONE", ruleProne, "%s lies prone", c.Name)
	case d.Feet > speedOf(c):
		rule := map[string]string{kindAttack: cite.ActionFullMoveSingleAttack, kindCharge: cite.ActionCharge, kindBullRush: cite.ActionCharge}[d.Kind]
		if rule == "" {
			rule = cite.ActionMove
		}
		return refuse("TOO_FAR", rule, "%s moves %d ft a round, not %d", c.Name, speedOf(c), d.Feet)
	case (d.Kind == kindCharge || d.Kind == kindBullRush) && d.Feet == 0 && (c.Position != nil || !moved):
		return refuse("NO_CHARGE", cite.ActionCharge, "a charge needs a move")
	case len(d.Strikes) > 1 && !full && (d.Stand || d.Feet >= speedOf(c) && d.Feet > 5):
		return refuse("FULL_MOVE", cite.ActionNoFullAttackWithFullMove, "a full move leaves a single attack")
	case len(d.Strikes) > 1 && !full && d.Feet > 5:
		return refuse("MOVED_TOO_FAR", cite.ActionFiveFootFullAttack, "more than 5 ft leave a single attack")
	}
	return nil
}

// seal keeps a declaration where only its creature's controllers see it.
//
// spark.turn.declare
func seal(r *rules.Resolution, c *eventv1.Creature, d *declaration, take *eventv1.TakeAction) {
	order := int64(1)
	// order-free: the greatest
	for _, o := range r.State().Creatures {
		order = max(order, o.Counters[cOrder]+1)
	}
	b := &eventv1.Begun{Kind: begunDeclared, Action: take, Round: r.State().Round, Rule: cite.TurnDeclare}
	if d.Feet > 0 {
		b.Values = map[string]int32{"feet": d.Feet}
	}
	r.Emit(sealed(c.Id), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Targets: take.Targets, Item: take.Item}, cite.TurnDeclare)
	r.Begin(c.Id, b, cite.TurnDeclare)
	r.Set(c.Id, cOrder, order, "declared", cite.TurnDeclare)
	passTurn(r, c.Id)
}
