package original

import (
	"regexp"
	"strings"

	"github.com/skaldrpg/skald/pkg/dice"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	thestrike "github.com/skaldrpg/skald/pkg/rules/original/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// refuseCounting says why kills may not be counted instead of rolled.
//
// original.attack.multi-shortcut
func refuseCounting(v *thestrike.Sight) error {
	c, w := v.C, body.InHand(v.C)
	switch {
	case !body.Defaults.On(v.S, body.SetShortcut):
		return v.Refuse("OPTION_OFF", body.SetShortcut, "the shortcut is not in use")
	case body.IsUnit(c) || body.AttacksAgainstNormal(v.S, c) < 2 || w.Untrained: // original.attack.untrained-to-hit
		return v.Refuse("ONE_ATTACK", body.SetShortcut, "%s has no several attacks", c.Name)
	case c.Counters[body.CAttacks] > 0:
		return v.Refuse("NO_ATTACK", body.SetShortcut, "%s has attacked this round", c.Name)
	}
	if _, ok := twiceMean(body.DamageDice(w)); !ok {
		return v.Refuse("NO_AVERAGE", body.SetShortcut, "the average of %q cannot be told", body.DamageDice(w))
	}
	return v.WeaponRefused(w)
}

// doShortcut counts the kills of a round: attacks times chance times how much
// of a foe an average hit kills.
//
// original.attack.multi-shortcut
func doShortcut(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	s := r.State()
	w := body.InHand(c)
	b := thestrike.NewBlow(s, c, s.Creatures[take.Targets[0]], w, take)
	b.By(r.Content())
	damage, _ := twiceMean(body.DamageDice(w))
	damage += 2 * b.AbilityToDamage(s).Value
	ac, _ := thestrike.ArmourClass(s, b.Target, b)
	dieNeed := thestrike.TablesOf(r.Content()).HitAC0(c) - ac - body.Sum(b.Modifiers(s))
	for _, id := range take.Targets { // original.initiative.reach-first-strike
		if reachFirst(r, thestrike.NewBlow(r.State(), r.Creature(c.Id), r.Creature(id), w, take)) {
			return nil
		}
	}
	many := body.AttacksAgainstNormal(s, c)
	sh := body.SheetOf(b.Target)
	damage -= 2 * thestrike.EdgeLost(b.Target, w)
	kills := shortcutKills(many, dieNeed, damage, max(2, 7*max(1, sh.HitDice)+2*sh.HitDicePlus), body.Defaults.Value(s, body.SetRoundUp) == "on")
	kills = min(kills, int32(len(take.Targets)))
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Targets: take.Targets, Item: w.Name,
		Notes: []string{body.Itoa(many) + " attacks, " + body.Itoa(facesThatHit(dieNeed)) + " faces of 20, " + body.Itoa(kills) + " killed"}}, body.SetShortcut)
	r.Set(c.Id, body.CAttacks, int64(many), "counted", body.SetShortcut)
	for _, id := range take.Targets[:kills] {
		thestrike.Meet(r, c.Id, id)
		layOrHold(r, &thestrike.Wound{Attacker: c.Id, Target: id, Weapon: w.Name, Actual: r.Creature(id).GetHpMax(), Note: "counted"})
	}
	body.Only(r, c.Id, body.RelAttacks, take.Targets[len(take.Targets)-1], body.SetShortcut)
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

// plainSum matches sums of dice, of flat numbers and of multiples of these. The average of
// any other expression is not half way between its ends.
var plainSum = regexp.MustCompile(`^[+-]?\d*(d\d+)?(\*\d+)?([+-]\d*(d\d+)?(\*\d+)?)*$`)

// twiceMean is twice the average of a sum of dice and flat numbers: what its lowest and its
// highest come to together. Of anything else it tells none.
func twiceMean(expr string) (int32, bool) {
	e, err := dice.Parse(expr)
	if err != nil || !plainSum.MatchString(strings.ReplaceAll(e.String(), " ", "")) {
		return 0, false
	}
	low, err := e.Eval(everyFace(func(int) int { return 1 }), dice.Limits{})
	if err != nil {
		return 0, false
	}
	high, err := e.Eval(everyFace(func(sides int) int { return sides }), dice.Limits{})
	if err != nil {
		return 0, false
	}
	return int32(min(low.Total+high.Total, body.MaxPoints)), true
}

type everyFace func(sides int) int

// Face shows the face of a die of that many sides.
func (f everyFace) Face(sides int) (int, error) { return f(sides), nil }
