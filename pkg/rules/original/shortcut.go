package original

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/dice"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// shortcutRefused says why kills may not be counted instead of rolled.
//
// original.attack.multi-shortcut
func shortcutRefused(s *eventv1.State, c, target *eventv1.Creature, take *eventv1.TakeAction) error {
	switch {
	case !defaults.On(s, setShortcut):
		return refuse("OPTION_OFF", setShortcut, "the shortcut is not in use")
	case isUnit(c) || attacksAgainstNormal(s, c) < 2 || inHand(c).Untrained: // original.attack.untrained-to-hit
		return refuse("ONE_ATTACK", setShortcut, "%s has no several attacks", c.Name)
	case c.Counters[cAttacks] > 0:
		return refuse("NO_ATTACK", setShortcut, "%s has attacked this round", c.Name)
	case target == nil || target.Side == c.Side:
		return refuse("NO_FOE", setShortcut, "there is no foe to kill")
	case target.Marks[mNormal] == "" || isUnit(target):
		return refuse("NORMAL_MEN_ONLY", setShortcut, "%s is no Normal Man", target.Name)
	}
	if immune(target, inHand(c)) {
		return refuse("IMMUNE", cite.CriticalWeaponImmunity, "%s cannot be harmed by %s", target.Name, inHand(c).Name)
	}
	return attackRefused(s, c, target, inHand(c), take)
}

func shortcutOptions(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
	o := targeted("", foes(s, c), func(id string) error { return shortcutRefused(s, c, s.Creatures[id], &eventv1.TakeAction{}) })
	o.MaximumTargets = max(1, int32(len(o.Targets)))
	return []*eventv1.Option{o}
}

// doShortcut counts the kills of a round: attacks times chance times how much
// of a foe an average hit kills.
//
// original.attack.multi-shortcut
func doShortcut(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	s := r.State()
	if len(take.Targets) == 0 {
		return fault.Field("take.targets", "at least one")
	}
	for i, id := range take.Targets {
		if slices.Contains(take.Targets[:i], id) {
			return fault.Field("take.targets["+itoa(i)+"]", "named twice")
		}
		if err := shortcutRefused(s, c, s.Creatures[id], take); err != nil {
			return err
		}
	}
	w := inHand(c)
	b := newBlow(s, c, s.Creatures[take.Targets[0]], w, take)
	damage, ok := twiceMean(damageDice(w))
	if !ok {
		return fault.Field("take.item", "the average of %q cannot be told", damageDice(w))
	}
	damage += 2 * b.abilityToDamage(s).Value
	ac, _ := armourClass(s, b.target, b)
	dieNeed := hitAC0(c) - ac - sum(b.modifiers(s))
	many := attacksAgainstNormal(s, c)
	sh := sheetOf(b.target)
	damage -= 2 * edgeLost(b.target, w)
	kills := shortcutKills(many, dieNeed, damage, 7*max(1, sh.HitDice)+2*sh.HitDicePlus, defaults.Value(s, setRoundUp) == "on")
	kills = min(kills, int32(len(take.Targets)))
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Targets: take.Targets, Item: w.Name,
		Notes: []string{itoa(many) + " attacks, " + itoa(facesThatHit(dieNeed)) + " faces of 20, " + itoa(kills) + " killed"}}, setShortcut)
	r.Set(c.Id, cAttacks, int64(many), "counted", setShortcut)
	for _, id := range take.Targets[:kills] {
		meet(r, c.Id, id)
		layOrHold(r, &wound{attacker: c.Id, target: id, weapon: w.Name, actual: r.Creature(id).GetHpMax(), note: "counted"})
	}
	r.Mark(c.Id, mAttacking, take.Targets[len(take.Targets)-1])
	return nil
}

// facesThatHit is how many faces of a d20 hit: a 1 never, a 20 always.
func facesThatHit(dieNeed int32) int32 { return min(19, max(1, 21-dieNeed)) }

// shortcutKills counts kills in whole numbers; the averages are doubled.
//
// original.attack.multi-shortcut
func shortcutKills(attacks, dieNeed, twiceDamage, twiceHitPoints int32, roundUp bool) int32 {
	part := min(max(0, twiceDamage), twiceHitPoints)
	over, under := int64(attacks)*int64(facesThatHit(dieNeed))*int64(part), 20*int64(twiceHitPoints)
	if roundUp {
		over += under - 1
	}
	return int32(over / under)
}

// twiceMean is twice the average of an expression of dice and flat numbers.
func twiceMean(expr string) (int32, bool) {
	low, err1 := total(expr, func(int) int { return 1 })
	high, err2 := total(expr, func(sides int) int { return sides })
	return low + high, err1 == nil && err2 == nil
}

// total evaluates an expression with every die showing what face says: for
// sums of dice the average lies half way between lowest and highest.
func total(expr string, face func(sides int) int) (int32, error) {
	e, err := dice.Parse(expr)
	if err != nil {
		return 0, err
	}
	res, err := e.Eval(everyFace(face), dice.Limits{})
	if err != nil {
		return 0, err
	}
	return int32(res.Total), nil
}

type everyFace func(sides int) int

// Face shows the face of a die of that many sides.
func (f everyFace) Face(sides int) (int, error) { return f(sides), nil }
