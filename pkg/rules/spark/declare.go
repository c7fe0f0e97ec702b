package spark

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/grid"
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
		return refuse("LOCKED", cite.ActionMultiRoundLock, "%s casts until the end of round %d", c.Name, c.Counters[cLocked])
	case s.Phase != phaseDeclare:
		return refuse("NOT_DECLARING", cite.TurnMovementFirst, "nothing is declared now")
	case c.Counters[cOrder] > 0:
		return refuse("DECLARED", cite.ActionFullRoundPackages, "%s has declared its full round action", c.Name)
	case !slices.Contains(s.Active, c.Id):
		return refuse("NOT_YOUR_TURN", cite.TurnTwoHalves, "%s does not declare now", c.Name)
	}
	return nil
}

// refuseKind says why a creature cannot declare a kind of full round action at
// all, whatever it aims at. item is the weapon or spell; ranged means that the
// weapon is thrown.
func refuseKind(s *eventv1.State, c *eventv1.Creature, kind, item string, ranged bool) error {
	if err := mayDeclare(s, c); err != nil {
		return err
	}
	switch {
	case takesAttack(kind) && kind != kindGather && barred(s, c):
		return refuse("TRIPPED", barredBy(c), "%s tripped: no attacks through round %d", c.Name, c.Counters[cBarredUntil])
	case attacks(kind) && len(targets(s, c, false)) == 0:
		return refuse("NO_TARGET", cite.AttackRoll, "nobody is left to attack")
	case attacks(kind):
		w := weaponOf(c, item)
		if w == nil {
			return fault.Field("take.item", "%s has no weapon %q%s", c.Name, item, rules.DidYouMean(item, weaponNames(c)))
		}
		if kind != kindAttack && w.ReachFeet == 0 {
			return refuse("NOT_MELEE", cite.ActionCharge, "%s is no melee weapon", w.Name)
		}
		if kind != kindAttack && prone(s, c) {
			return refuse("PRONE", ruleProne, "%s lies prone and cannot charge", c.Name)
		}
		if kind != kindAttack && speedOf(c) < 1 {
			return refuse("NO_SPEED", cite.ActionCharge, "%s cannot move", c.Name)
		}
		ranged = ranged || w.ReachFeet == 0
		if err := refuseWeapon(s, c, w, ranged, true, &extra{Kind: strings.TrimSuffix(needed(c, w, ranged), ":"), Item: w.Name}); err != nil {
			return err
		}
		if c.Items[w.Name].GetPlace() == "dropped" {
			return refuseExtra(s, c, "pick-up", w.Name)
		}
		return nil
	case kind == kindCast:
		sp := spellOf(c, item)
		if sp == nil {
			return fault.Field("take.item", "%s has no spell %q%s", c.Name, item, rules.DidYouMean(item, spellNames(c)))
		}
		if c.Counters[cMana] < int64(sp.ManaCost) {
			return refuse("NO_MANA", cite.SpellCounteredManaLost, "%s costs %d mana", sp.Name, sp.ManaCost)
		}
	default:
		return refuseTask(s, c, kind, item)
	}
	return nil
}

// refuseTask says why a creature cannot work at a weapon's string or missiles.
//
// spark.fumble.string-breaks, spark.fumble.alt-string-snaps, spark.fumble.alt-loose-string, spark.fumble.alt-ammo-accident
func refuseTask(s *eventv1.State, c *eventv1.Creature, kind, item string) error {
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

// planFor turns an action into a declaration, or refuses it.
func planFor(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) (*declaration, error) {
	kind := take.Action
	d := &declaration{Kind: kind, Text: spoken.Word(take.GetParameters(), "text"), Stand: spoken.Truth(take.GetParameters(), "stand"),
		Held: spoken.Truth(take.GetParameters(), "held")}
	if err := refuseKind(s, c, kind, take.Item, spoken.Truth(take.GetParameters(), "ranged")); err != nil {
		return nil, err
	}
	if err := d.state(take); err != nil {
		return nil, err
	}
	if err := d.way(s, c, take); err != nil {
		return nil, err
	}
	if d.Kind == kindCast {
		d.Spell = take.Item
	}
	if err := d.extra(s, c, take); err != nil {
		return nil, err
	}
	if err := d.unread(take); err != nil {
		return nil, err
	}
	var err error
	switch {
	case attacks(kind):
		err = d.strikes(s, c, take)
	case kind == kindCast:
		err = d.cast(s, c, take)
	case kind == kindDeed:
		err = d.deed(s, c, take)
	case kind == kindBash:
		err = d.bash(s, take)
	case fillsRound(kind) || kind == kindGather:
		d.Weapon = take.Item
	}
	if err == nil {
		err = d.movement(s, c)
	}
	if err == nil && d.Bonus != nil {
		err = d.refuseBonus(s, c)
	}
	return d, err
}

// state takes over the stated facts.
func (d *declaration) state(take *eventv1.TakeAction) error {
	f := take.GetFacts()
	if n, ok := spoken.Number(f, "distance"); ok {
		d.Stated.Distance = &n
	}
	if behind, stated := spoken.Words(f, "behind"); stated {
		switch {
		case len(behind) > 1:
			return fault.Field("take.facts.behind", "at most one stands behind the attacker")
		case len(behind) == 0:
			d.Stated.Behind = nobody
		case behind[0] == take.Creature:
			return fault.Field("take.facts.behind", "nobody stands behind itself")
		default:
			d.Stated.Behind = behind[0]
		}
	}
	d.Stated.Nearest = listOf(spoken.Words(f, "nearest"))
	d.Stated.Near = listOf(spoken.Words(f, "near"))
	d.Stated.InRange = listOf(spoken.Words(f, "in_range"))
	d.Stated.Provokes = listOf(spoken.Words(f, "provokes"))
	d.Stated.Direction, _ = spoken.Number(f, "direction")
	for _, x := range take.Circumstances {
		e := edge{Advantage: x.Direction == "advantage", Value: x.Value, Cause: x.Cause, Target: x.Target}
		if x.Direction == "modifier" {
			d.Stated.Mods = append(d.Stated.Mods, e)
			continue
		}
		d.Stated.Edges = append(d.Stated.Edges, e)
	}
	return nil
}

// listOf is a list that was stated, and nil where none was.
func listOf(ids []string, stated bool) []string {
	if !stated {
		return nil
	}
	return ids
}

// way takes over the move: its path, or the feet where there is no map. What the
// facts state of its length beats both.
func (d *declaration) way(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	from := c.Position
	for _, p := range take.Path {
		if from != nil {
			d.Feet += grid.Steps(from, p)
		}
		from = p
		d.Path = append(d.Path, spot{p.X, p.Y, p.Z})
	}
	if n, ok := spoken.Number(take.GetParameters(), "feet"); ok {
		if c.Position != nil {
			return fault.Field("take.parameters.feet", "%s has a place on the map: give the path", c.Name)
		}
		d.Feet = n
	}
	if n, ok := spoken.Number(take.GetFacts(), "feet"); ok {
		d.Feet = n
	}
	if d.Stand && !prone(s, c) {
		return refuse("NOT_PRONE", ruleProne, "%s is not prone", c.Name)
	}
	return nil
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
func seal(r *rules.Resolution, c *eventv1.Creature, d *declaration, take *eventv1.TakeAction) error {
	text, err := d.encode()
	if err != nil {
		return err
	}
	order := int64(1)
	for _, id := range rules.SortedKeys(r.State().Creatures) {
		order = max(order, r.Count(id, cOrder)+1)
	}
	r.Emit(sealed(c.Id), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Targets: take.Targets, Item: take.Item}, cite.TurnDeclare)
	r.Mark(c.Id, mDeclared, text, cite.TurnDeclare)
	r.Set(c.Id, cOrder, order, "declared", cite.TurnDeclare)
	passTurn(r, c.Id)
	return nil
}
