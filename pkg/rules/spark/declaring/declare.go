package declaring

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// mayDeclare says whether a creature may declare now.
//
// spark.turn.two-halves, spark.action.kinds, spark.action.multi-round-lock
func mayDeclare(s *eventv1.State, c *eventv1.Creature) error {
	switch {
	case s.Status == eventv1.State_STATUS_ENDED:
		return body.Refuse("ENCOUNTER_ENDED", "", "the encounter is over")
	case s.Status != eventv1.State_STATUS_STARTED:
		return body.Refuse("NOT_STARTED", "", "the encounter has not begun")
	case body.Out(c):
		return body.Refuse("OUT", cite.DiceDropToZero, "%s is out of the fight", c.GetName())
	case body.Locked(s, c):
		return body.Refuse("LOCKED", cite.ActionMultiRoundLock, "%s casts until the end of round %d", c.Name, body.CastsUntil(c))
	case s.Phase != body.PhaseDeclare:
		return body.Refuse("NOT_DECLARING", cite.TurnMovementFirst, "nothing is declared now")
	case c.Counters[body.COrder] > 0:
		return body.Refuse("DECLARED", cite.ActionFullRoundPackages, "%s has declared its full round action", c.Name)
	case !slices.Contains(s.Active, c.Id):
		return body.Refuse("NOT_YOUR_TURN", cite.TurnTwoHalves, "%s does not declare now", c.Name)
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
	w := body.WeaponOf(c, at.Item())
	switch {
	case len(GlanceOf(at).others()) == 0:
		return body.Refuse("NO_TARGET", cite.AttackRoll, "nobody is left to attack")
	case kind == KindAttack:
	case w.ReachFeet == 0:
		return body.Refuse("NOT_MELEE", cite.ActionCharge, "%s is no melee weapon", w.Name)
	case Prone(s, c):
		return body.Refuse("PRONE", body.RuleProne, "%s lies prone and cannot charge", c.Name)
	case body.SpeedOf(c) < 1:
		return body.Refuse("NO_SPEED", cite.ActionCharge, "%s cannot move", c.Name)
	}
	ranged := thrown(at, w)
	if err := body.RefuseWeapon(s, c, w, ranged, true, &body.Extra{Kind: strings.TrimSuffix(needed(c, w, ranged), ":"), Item: w.Name}); err != nil {
		return err
	}
	if c.Items[w.Name].GetPlace() == "dropped" {
		return refuseExtra(s, c, &body.Extra{Kind: "pick-up", Item: w.Name})
	}
	return nil
}

// refuseBash says that a creature does not get to strike at anything in this round.
//
// spark.fumble.trip-two-rounds, spark.fumble.trip-one-round
func refuseBash(at *play.At) error {
	if c := at.Actor; body.Barred(at.State, c) {
		return body.Refuse("TRIPPED", body.BarredBy(c), "%s tripped: no attacks through round %d", c.Name, body.BarredUntil(c))
	}
	return nil
}

// refuseSpell says that there is too little mana for a spell.
func refuseSpell(at *play.At) error {
	sp := body.SpellOf(at.Actor, at.Item())
	if mana := Mana(at.Content, at.State, at.Actor, sp, at.Target()); at.Actor.Counters[body.CMana] < int64(mana) {
		return body.Refuse("NO_MANA", cite.SpellCounteredManaLost, "%s costs %d mana", sp.Name, mana)
	}
	return nil
}

// refuseTask says why a creature cannot work at a weapon's string or missiles.
//
// spark.fumble.string-breaks, spark.fumble.alt-string-snaps, spark.fumble.alt-loose-string, spark.fumble.alt-ammo-accident
func refuseTask(at *play.At) error {
	s, c, kind, item := at.State, at.Actor, at.Action.ID, at.Item()
	state, place := c.Marks[body.MString+item], c.Items[item].GetPlace()
	fits := kind == KindRestring || kind == KindRefit
	switch {
	case fits && c.Marks[body.MWeapon+item] == body.Broken:
		return body.Refuse("BROKEN", cite.ItemHardnessCheck, "%s is broken", item)
	case fits && place == "stowed":
		return body.Refuse("NOT_IN_HAND", cite.ActionBonus, "%s is put away", item)
	case fits && place == "dropped":
		return body.Refuse("NOT_IN_HAND", cite.FumbleDropWeapon, "%s lies on the ground", item)
	case kind == KindRestring && state != body.Snapped:
		return body.Refuse("STRING_WHOLE", body.StringRule(s), "%q needs no string", item)
	case kind == KindRestring && c.Counters[body.CSpareStrings] < 1:
		return body.Refuse("NO_STRING", body.StringRule(s), "%s has no spare string", c.Name)
	case kind == KindRefit && state != body.Loose:
		return body.Refuse("STRING_NOT_LOOSE", cite.FumbleAltLooseString, "the string of %q is not loose", item)
	case kind == KindGather && c.Counters[body.CSpilled+item] < 1:
		return body.Refuse("NOTHING_SPILLED", cite.FumbleAltAmmoAccident, "no missiles of %q lie spilled", item)
	}
	return nil
}

// takesAttack tells whether a kind of declaration costs the attack action.
//
// spark.item.hardness-check, spark.fumble.alt-ammo-accident
func takesAttack(kind string) bool { return attacks(kind) || kind == KindBash || kind == KindGather }

// taskRule is the rule by which work at a string fills the round.
func taskRule(s *eventv1.State, kind string) string {
	if kind == KindRefit {
		return cite.FumbleAltLooseString
	}
	return body.StringRule(s)
}

// castRule is the rule by which a spell leaves nothing else.
//
// spark.action.spell-fills-round, spark.action.multi-round-lock
func castRule(c *eventv1.Creature, spell string) string {
	if body.SpellOf(c, spell).GetRounds() > 0 {
		return cite.ActionMultiRoundLock
	}
	return cite.ActionSpellFillsRound
}

// Prone tells whether a creature lies on the ground where that means something.
func Prone(s *eventv1.State, c *eventv1.Creature) bool {
	return body.Has(c, body.CondProne) && body.Defaults.On(s, body.RuleProne)
}

// judge says why a command cannot be declared as it is said; d is what plan made
// of it. What forbids its kind and its targets has been
// said.
func (d *Declaration) judge(s *eventv1.State, own *effects.Book, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := d.misstated(c, take); err != nil {
		return err
	}
	var err error
	switch {
	case attacks(d.Kind):
		err = d.judgeStrikes(s, c, take)
	case d.Kind == KindDeed:
		err = d.judgeDeed(s, c)
	case d.Kind == KindBash:
		err = d.judgeBash(s, own, take)
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
func (d *Declaration) misstated(c *eventv1.Creature, take *eventv1.TakeAction) error {
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
		return body.Refuse("TWO_BONUS_ACTIONS", cite.ActionBonus, "one bonus action a round, not %d", len(asked))
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
func (d *Declaration) movement(s *eventv1.State, c *eventv1.Creature) error {
	moved := d.Moves()
	full := body.MayRunAndStrike(c, d.Bonus)
	switch {
	case d.Stand && !Prone(s, c):
		return body.Refuse("NOT_PRONE", body.RuleProne, "%s is not prone", c.Name)
	case (moved || d.Stand) && d.Kind == KindCast:
		return body.Refuse("SPELL_FILLS_ROUND", castRule(c, d.Spell), "a spell leaves no move")
	case (moved || d.Stand) && FillsRound(d.Kind):
		return body.Refuse("STRING_FILLS_ROUND", taskRule(s, d.Kind), "work at a string leaves no move")
	case moved && d.Stand:
		return body.Refuse("STANDS_UP", body.RuleProne, "standing up takes the move action")
	case d.Feet > 5 && Prone(s, c):
		return body.Refuse("PRONE", body.RuleProne, "%s lies prone", c.Name)
	case d.Feet > body.SpeedOf(c):
		rule := map[string]string{KindAttack: cite.ActionFullMoveSingleAttack, KindCharge: cite.ActionCharge, KindBullRush: cite.ActionCharge}[d.Kind]
		if rule == "" {
			rule = cite.ActionMove
		}
		return body.Refuse("TOO_FAR", rule, "%s moves %d ft a round, not %d", c.Name, body.SpeedOf(c), d.Feet)
	case (d.Kind == KindCharge || d.Kind == KindBullRush) && d.Feet == 0 && (c.Position != nil || !moved):
		return body.Refuse("NO_CHARGE", cite.ActionCharge, "a charge needs a move")
	case len(d.Strikes) > 1 && !full && (d.Stand || d.Feet >= body.SpeedOf(c) && d.Feet > 5):
		return body.Refuse("FULL_MOVE", cite.ActionNoFullAttackWithFullMove, "a full move leaves a single attack")
	case len(d.Strikes) > 1 && !full && d.Feet > 5:
		return body.Refuse("MOVED_TOO_FAR", cite.ActionFiveFootFullAttack, "more than 5 ft leave a single attack")
	}
	return nil
}

// seal keeps a declaration where only its creature's controllers see it.
//
// spark.turn.declare
func seal(r *rules.Resolution, c *eventv1.Creature, d *Declaration, take *eventv1.TakeAction) {
	order := int64(1)
	// order-free: the greatest
	for _, o := range r.State().Creatures {
		order = max(order, o.Counters[body.COrder]+1)
	}
	b := &eventv1.Begun{Kind: body.BegunDeclared, Action: take, Round: r.State().Round, Rule: cite.TurnDeclare}
	if d.Feet > 0 {
		b.Values = map[string]int32{"feet": d.Feet}
	}
	r.Emit(body.Sealed(c.Id), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Targets: take.Targets, Item: take.Item}, cite.TurnDeclare)
	r.Begin(c.Id, b, cite.TurnDeclare)
	r.Set(c.Id, body.COrder, order, "declared", cite.TurnDeclare)
	warn(r, c, d)
	PassTurn(r, c.Id)
}
