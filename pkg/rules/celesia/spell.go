package celesia

import (
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// spellActions cast spells.
func spellActions() []*action {
	return []*action{
		{id: "cast", title: "Cast", rule: "celesia.spell.standard", cost: castCost, provoke: castProvokes, trigger: "cast", targeted: true, self: true,
			items: spellNames, refuse: refuseCast, paid: doCast},
		{id: "continue-casting", title: "Finish a 1-round spell", rule: "celesia.action.one-round-split", cost: restCost, task: true,
			refuse: refuseRest, paid: doRest},
	}
}

func spellNames(_ *eventv1.State, c *eventv1.Creature) []string {
	var out []string
	for _, s := range sheetOf(c).Spells {
		out = append(out, s.Name)
	}
	return out
}

// castCost is the casting time in acts. A 1-round spell takes what is left of
// the turn, at most 3.
//
// celesia.spell.swift, celesia.spell.standard, celesia.spell.cast-full-action, celesia.spell.cast-one-round
func castCost(c *eventv1.Creature, take *eventv1.TakeAction) int32 {
	switch spellOf(c, take.Item).GetCasting() {
	case "swift":
		return 1
	case "full":
		return 3
	case "1-round":
		return max(1, min(3, int32(c.Counters[cActs])))
	}
	return 2
}

func castProvokes(_ *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) (bool, string) {
	return !spellOf(c, take.Item).GetSupernatural(), ""
}

// refuseSpell says why a spell cannot be cast whatever the target.
func refuseSpell(c *eventv1.Creature, sp *eventv1.CelesiaSpell) error {
	switch {
	case sp == nil:
		return fault.Field("take.item", "names no spell of %s", c.GetName())
	case sp.Uses > 0 && c.Counters[cLeft+sp.Name] < 1:
		return refuse("SPENT", "celesia.spell.standard", "%s cannot be cast again today", sp.Name)
	}
	if err := refuseComponents(c, sp); err != nil {
		return err
	}
	if has(c, condPinned) {
		return refuse("PINNED", "celesia.maneuver.pin", "%s is pinned", c.Name)
	}
	return nil
}

// refuseCast says why a spell cannot be cast at a target.
//
// celesia.action.one-round-split
func refuseCast(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	sp := spellOf(c, take.Item)
	if err := refuseSpell(c, sp); err != nil {
		return err
	}
	if sp.Casting == "1-round" && c.Counters[cActs] > 3 {
		return refuse("ACTS_LEFT", "celesia.action.one-round-frame", "a 1-round action runs to the end of the turn: use the extra act first")
	}
	t := s.Creatures[target(take)]
	if t == nil || t.Id == c.Id {
		return nil
	}
	reach := sp.RangeFeet
	if reach == 0 {
		reach = naturalReach(c)
	}
	if feet, known := apart(take, c, t); known && feet > reach {
		return refuse("OUT_OF_REACH", "celesia.spell.standard", "%s is %d feet away", t.Name, feet)
	}
	return nil
}

// doCast casts a spell, or begins one that takes a round.
//
// celesia.reaction.counterspell, celesia.action.one-round-frame
func doCast(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction, acts int32) error {
	sp := spellOf(c, take.Item)
	if sp.Uses > 0 {
		r.Set(c.Id, cLeft+sp.Name, r.Count(c.Id, cLeft+sp.Name)-1, "cast")
	}
	if x := condition(c, condCountered); x != nil {
		r.RemoveCondition(c.Id, x, "the spell is cancelled", "celesia.reaction.counterspell")
		return nil
	}
	if sp.Casting == "1-round" {
		beginOneRound(r, c.Id, sp.Name, target(take), acts)
		return nil
	}
	takeEffect(r, c, sp, r.Creature(target(take)), take)
	return nil
}

// beginOneRound puts a spell under way; what the acts of this turn leave is to
// be paid with the first acts of the next.
//
// celesia.action.one-round-frame, celesia.reaction.none-during-one-round
func beginOneRound(r *rules.Resolution, id, spell, at string, acts int32) {
	r.Mark(id, mBusy, at, "celesia.reaction.none-during-one-round")
	r.Emit(event.Everyone(), &eventv1.TaskSet{Task: &eventv1.Task{Id: oneRoundID(id), Creature: id, Kind: taskOneRound, Status: "pending",
		Text: spell, Values: map[string]int32{"left": 3 - acts}}}, "celesia.action.one-round-frame")
}

func oneRoundID(id string) string { return "one-round-" + id }

// restCost is what a 1-round action still takes.
func restCost(_ *eventv1.Creature, take *eventv1.TakeAction) int32 {
	n, _ := number(take.GetParameters(), "acts")
	return max(1, n)
}

// completeOneRound lets a 1-round action that took the whole turn before take
// effect now.
//
// celesia.action.one-round-frame
func completeOneRound(r *rules.Resolution, id string) {
	t := r.State().Tasks[oneRoundID(id)]
	if t != nil && t.Values["left"] == 0 {
		finishOneRound(r, id)
	}
}

// finishOneRound has a spell take effect on the situation as it is now.
func finishOneRound(r *rules.Resolution, id string) {
	t, c := r.State().Tasks[oneRoundID(id)], r.Creature(id)
	sp, at := spellOf(c, t.Text), r.Creature(c.Marks[mBusy])
	r.Emit(event.Everyone(), &eventv1.TaskEnded{Id: t.Id, Outcome: "done"}, "celesia.action.one-round-frame")
	r.Mark(id, mBusy, "")
	if sp == nil || dead(at) {
		r.Note(event.Everyone(), id, "the spell finds no target", "celesia.action.one-round-frame")
		return
	}
	takeEffect(r, c, sp, at, &eventv1.TakeAction{Creature: id})
}

// refuseRest: there must be a 1-round action whose acts are not all paid, and
// nothing may have come between.
//
// celesia.action.one-round-split
func refuseRest(s *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	t := s.Tasks[oneRoundID(c.Id)]
	switch {
	case t == nil:
		return refuse("NOTHING_UNDER_WAY", "celesia.action.one-round-split", "%s has no 1-round action under way", c.Name)
	case t.Values["left"] > int32(c.Counters[cActs]):
		return refuse("NO_ACTS", "celesia.action.one-round-split", "%d acts are still needed", t.Values["left"])
	}
	return nil
}

// doRest pays the acts that are left and completes the spell.
//
// celesia.action.one-round-split
func doRest(r *rules.Resolution, c *eventv1.Creature, _ *eventv1.TakeAction, acts int32) error {
	if more := r.State().Tasks[oneRoundID(c.Id)].Values["left"] - acts; more > 0 {
		r.Set(c.Id, cSpent, r.Count(c.Id, cSpent)+int64(more), "the rest of the casting")
		r.Set(c.Id, cActs, r.Count(c.Id, cActs)-int64(more), "the rest of the casting")
	}
	finishOneRound(r, c.Id)
	return nil
}

// takeEffect works a spell on a target: the attack roll and the saving throw
// each move the caster level by their degrees.
//
// celesia.spell.degrees-attack, celesia.spell.degrees-save, celesia.spell.degrees-combined
func takeEffect(r *rules.Resolution, c *eventv1.Creature, sp *eventv1.CelesiaSpell, t *eventv1.Creature, take *eventv1.TakeAction) {
	if dead(t) {
		return
	}
	level := sp.CasterLevel
	if sp.Attack != "" {
		hit, inc := touch(r, c, sp, t, take)
		if !hit {
			return
		}
		level += inc
	}
	saved := false
	if sp.Save != "" {
		rolled := rollSaving(r, "save/"+t.Id, t, sp.Save, sp.SaveDc, sp.Name, take.GetCircumstances(), "celesia.spell.degrees-save")
		saved = rolled.Success()
		level -= rolled.Degree
	}
	if saved && sp.SaveEffect != "half" {
		return
	}
	if sp.Healing != "" {
		healWith(r, "cast/harm", c.Id, t.Id, sp.Name, sp.Healing)
	}
	spellDamage(r, c, sp, t, max(0, level), saved)
	if t = r.Creature(t.Id); sp.Condition != "" && !saved && !dead(t) && !has(t, sp.Condition) {
		r.AddCondition(t.Id, &eventv1.Condition{Name: sp.Condition, Source: c.Id, Cause: sp.Name})
		afterHarm(r, t.Id)
	}
}

// spellDamage rolls and deals the damage of a spell at a caster level.
func spellDamage(r *rules.Resolution, c *eventv1.Creature, sp *eventv1.CelesiaSpell, t *eventv1.Creature, level int32, saved bool) {
	text := sp.Dice
	if d, ok := parseDice(sp.DicePerLevel); ok && level > 0 {
		text = d.times(level)
	}
	if text == "" {
		return
	}
	sum := r.Roll(rules.RollSpec{Label: "cast/damage", Creature: c.Id, Expression: text,
		Reason: sp.Name + " at caster level " + itoa(level), Rules: []string{"celesia.spell.degrees-attack"}}).Total
	if saved {
		sum /= 2
	}
	deed(r, "cast/harm", &eventv1.Harm{Deed: deedDamage, Target: t.Id, Source: c.Id, Cause: sp.Name,
		Parts: []*eventv1.DamagePart{{Type: sp.Type, Rolled: sum}}})
}

// touch rolls a spell's attack against the touch DV. Spells have no weapon dice
// for a critical hit to multiply (a reading).
//
// celesia.spell.degrees-attack
func touch(r *rules.Resolution, c *eventv1.Creature, sp *eventv1.CelesiaSpell, t *eventv1.Creature, take *eventv1.TakeAction) (bool, int32) {
	far := sp.Attack == "ranged-touch"
	like := &eventv1.CelesiaWeapon{Name: sp.Name, Kind: kindMelee}
	if far {
		like.Kind = kindProjectile
	}
	edges, mods := stated(take.GetCircumstances(), t.Id)
	edges = append(edgesOf(c, t, rollKind{roll: rollAttack, ranged: far}), edges...)
	dv := defense(t, true)
	rolled := d20{label: "cast/to-hit", creature: c.Id, reason: sp.Name + " against " + t.Name,
		modifiers: append(attackModifiers(c, like, 0, false), mods...), edges: edges, target: dv,
		judge: judgeAttack(r.On(setNaturalFaces), dv.Value, 21, false), rules: []string{"celesia.spell.degrees-attack"}}.roll(r)
	r.Emit(event.Everyone(), &eventv1.Attack{Attacker: c.Id, Target: t.Id, Weapon: sp.Name, Outcome: outcomeWord(rolled)})
	return rolled.Success(), rolled.Degree
}

// healWith rolls healing and has it done.
func healWith(r *rules.Resolution, label, by, id, what, text string) {
	amount := r.Roll(rules.RollSpec{Label: label + "/healing", Creature: by, Expression: text, Reason: what,
		Rules: []string{"celesia.healing.any-cure-stabilizes"}}).Total
	deed(r, label, &eventv1.Harm{Deed: deedHeal, Target: id, Source: by, Cause: what, Amount: amount, Facts: map[string]string{"via": "magic"}})
}
