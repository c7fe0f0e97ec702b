package original

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Enter gives a creature just added what it begins with; one that comes into a
// fight under way acts from the next round on.
func (System) Enter(r *rules.Resolution, add *eventv1.AddCreature) error {
	if bookError != nil {
		return bookError
	}
	id, sh := add.Sheet.Id, add.Sheet.GetOriginal()
	if sh.GetUnitSize() > 1 && !r.On(setMass) {
		return refuse("OPTION_OFF", setMass, "units are not in use")
	}
	if err := vitalsRefused(add); err != nil {
		return err
	}
	// Who comes from a record has the hit points that were rolled for it once.
	points := int32(add.GetVitals().GetCounters()[cRolled])
	if points <= 0 {
		points = startingPoints(r, add.Sheet)
	}
	r.SetHitPoints(id, points, points, 0)
	if sh.GetRollHitPoints() || sh.GetUnitSize() > 1 && r.On(setMassPoints) {
		r.Set(id, cRolled, int64(points), "rolled", cite.InjuryNormalManHitPoints)
	}
	if sh.GetUnitSize() > 1 {
		r.Set(id, cMen, int64(sh.UnitSize), "sheet", setMass)
		r.Set(id, cOriginal, int64(points), "sheet", setMass)
	}
	if normalType(add.Sheet) {
		r.Mark(id, mNormal, "yes", cite.AttackNormalMenDefinition)
	}
	if sh.GetMounted() {
		r.Mark(id, mMounted, "yes", cite.MountMountedBonus)
	}
	layOut(r, id)
	vitals := brought(add.Vitals)
	if vitals.GetHp() > points { // the points have just been rolled
		vitals.Hp = &points
		r.Note(event.Controllers(id), id, "no more hit points than were rolled", cite.InjuryNormalManHitPoints)
	}
	if err := r.ApplyVitals(id, vitals); err != nil {
		return err
	}
	settleBody(r, id)
	if r.State().Status == eventv1.State_STATUS_STARTED {
		g := moraleGroup(r.Creature(id))
		if !sh.GetIsPc() {
			counter := cStart + g
			if r.Creature(id).Staged {
				counter = cUnseen + g
			}
			r.Set("", counter, r.Count("", counter)+1, "one more", cite.MoraleWhen)
		}
	}
	return nil
}

// vitalsRefused says what is wrong with the vitals of one who comes in, before
// its hit points are rolled. What was counted in another fight says nothing in
// this one; the record of a patient may hold it, and it is left behind.
func vitalsRefused(add *eventv1.AddCreature) error {
	v, sh := add.GetVitals(), add.Sheet.GetOriginal()
	rolled := sh.GetRollHitPoints() || sh.GetUnitSize() > 1
	most := add.Sheet.HitPoints
	if n := v.GetCounters()[cRolled]; n > 0 {
		most, rolled = int32(min(n, maxPoints)), false
	}
	switch {
	case v.GetHp() < -maxPoints || v.GetHp() > maxPoints || !rolled && v.GetHp() > most:
		return fault.Field("add.vitals.hp", "%d is above the maximum of %d or absurd", v.GetHp(), most)
	case v.GetHpTemp() < 0 || v.GetHpTemp() > maxPoints:
		return fault.Field("add.vitals.hp_temp", "must be 0 to %d", maxPoints)
	}
	for _, name := range rules.SortedKeys(v.GetCounters()) {
		if n := v.Counters[name]; n < -maxPoints || n > maxPoints || len(name) > rules.MaxIDLength {
			return fault.Field("add.vitals.counters["+name+"]", "out of range")
		}
		if rules.Listed(ofTheFight.Counters, name) && add.Sheet.Patient == "" {
			return fault.Field("add.vitals.counters["+name+"]", "is counted within a fight alone")
		}
	}
	if add.Sheet.Patient == "" {
		if err := rules.Named("add.vitals.counters", rules.SortedKeys(v.GetCounters()), map[string][]string{cCast: spellNames(bearer(add.Sheet))}); err != nil {
			return err
		}
	}
	for _, name := range rules.SortedKeys(v.GetMarks()) {
		if rules.Listed(ofTheFight.Marks, name) && add.Sheet.Patient == "" {
			return fault.Field("add.vitals.marks["+name+"]", "is marked within a fight alone")
		}
	}
	for i, x := range v.GetConditions() {
		if passing(x) && add.Sheet.Patient == "" {
			return fault.Field("add.vitals.conditions["+itoa(i)+"]", "%s by %s ends with the fight", x.Name, x.Rule)
		}
	}
	return nil
}

// bearer is a creature of which no more is known than its sheet.
func bearer(sheet *eventv1.Sheet) *eventv1.Creature { return &eventv1.Creature{Sheet: sheet} }

// maxPoints bounds hit points and counters, either way from 0.
const maxPoints = 1_000_000

// startingPoints are the hit points a creature begins with: those of its
// sheet, or rolled.
//
// original.injury.normal-man-hit-points, original.mass.unit-hit-points
func startingPoints(r *rules.Resolution, sheet *eventv1.Sheet) int32 {
	sh := sheet.GetOriginal()
	dice, rule := max(1, sh.GetHitDice()), cite.InjuryNormalManHitPoints
	plus := sh.GetHitDicePlus()
	switch {
	case sh.GetUnitSize() > 1 && r.On(setMassPoints):
		dice, rule, plus = sh.UnitSize*dice, setMassPoints, 0
	case !sh.GetRollHitPoints():
		return sheet.HitPoints
	}
	return max(1, r.Roll(rules.RollSpec{Label: "hit-points/" + sheet.Id, Creature: sheet.Id, Expression: itoa(dice) + "d6", Reason: "hit points",
		Modifiers: []*eventv1.Modifier{mod(plus, "hit dice", rule)}, Audience: event.Controllers(sheet.Id), Rules: []string{rule}}).Total)
}

// settleBody brings the tally of damage and life in line with hit points set
// by the game master.
func settleBody(r *rules.Resolution, id string) {
	c := r.Creature(id)
	if c.Hp == nil {
		return
	}
	maximum, hp := c.GetHpMax(), max(0, c.GetHp())
	temporary := min(max(0, int32(c.Counters[cTemporary])), maximum-hp)
	r.Set(id, cTemporary, int64(temporary), "game master")
	r.Set(id, cActual, int64(maximum-hp-temporary), "game master")
	r.SetHitPoints(id, hp, maximum, c.GetHpTemp())
	settleLife(r, id, "game master")
}

// Leave settles what a creature's removal means; it is still there.
func (System) Leave(r *rules.Resolution, creature string) error {
	if r.State().Status != eventv1.State_STATUS_STARTED {
		return nil
	}
	r.Mark(creature, mLeaving, "yes")
	releaseHolds(r)
	if !slices.Contains(r.State().Active, creature) {
		return nil
	}
	finishTurn(r, creature)
	return advance(r)
}

// Edited settles what the game master's edit of a creature means.
func (System) Edited(r *rules.Resolution, creature string) error {
	layOut(r, creature)
	settleBody(r, creature)
	return settle(r)
}
