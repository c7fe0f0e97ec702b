package original

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	"github.com/skaldrpg/skald/pkg/rules/original/moving"
	thestrike "github.com/skaldrpg/skald/pkg/rules/original/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Enter gives a creature just added what it begins with; one that comes into a
// fight under way acts from the next round on.
func (System) Enter(r *rules.Resolution, add *eventv1.AddCreature) error {
	if thestrike.BookError != nil {
		return thestrike.BookError
	}
	id, sh := add.Sheet.Id, add.Sheet.GetOriginal()
	if sh.GetUnitSize() > 1 && !r.On(body.SetMass) {
		return body.Refuse("OPTION_OFF", body.SetMass, "units are not in use")
	}
	if err := vitalsRefused(add); err != nil {
		return err
	}
	// Who comes from a record has the hit points that were rolled for it once.
	points := int32(add.GetVitals().GetCounters()[body.CRolled])
	if points <= 0 {
		points = startingPoints(r, add.Sheet)
	}
	r.SetHitPoints(id, points, points, 0)
	if sh.GetRollHitPoints() || sh.GetUnitSize() > 1 && r.On(body.SetMassPoints) {
		r.Set(id, body.CRolled, int64(points), "rolled", cite.InjuryNormalManHitPoints)
	}
	if sh.GetUnitSize() > 1 {
		r.Set(id, body.CMen, int64(sh.UnitSize), "sheet", body.SetMass)
		r.Set(id, body.COriginal, int64(points), "sheet", body.SetMass)
	}
	if body.NormalType(add.Sheet) {
		r.Mark(id, body.MNormal, rules.Yes, cite.AttackNormalMenDefinition)
	}
	if sh.GetMounted() {
		body.Inflict(r, id, body.CondMounted, nil, cite.MountMountedBonus)
	}
	body.LayOut(r, id)
	vitals := thestrike.Brought(add)
	if vitals.GetHp() > max(points, vitals.GetHpMax()) { // the points have just been rolled
		vitals.Hp = &points
		r.Note(event.Controllers(id), id, "no more hit points than were rolled", cite.InjuryNormalManHitPoints)
	}
	if err := r.ApplyVitals(id, vitals); err != nil {
		return err
	}
	thestrike.SettleBody(r, id)
	if r.State().Status == eventv1.State_STATUS_STARTED {
		g := body.MoraleGroup(r.Creature(id))
		if !sh.GetIsPc() {
			counter := body.CStart + g
			if r.Creature(id).Staged {
				counter = body.CUnseen + g
			}
			r.Set("", counter, r.Count("", counter)+1, "one more", cite.MoraleWhen)
		}
	}
	thestrike.Pace(r, id)
	thestrike.Turn(r, id, effects.TriggerEnter)
	return nil
}

// vitalsRefused says what is wrong with the vitals of one who comes in, before
// its hit points are rolled. What was counted in another fight says nothing in
// this one; the record of a patient may hold it, and it is left behind.
func vitalsRefused(add *eventv1.AddCreature) error {
	v, sh := add.GetVitals(), add.Sheet.GetOriginal()
	rolled := sh.GetRollHitPoints() || sh.GetUnitSize() > 1
	most := add.Sheet.HitPoints
	if n := v.GetCounters()[body.CRolled]; n > 0 {
		most, rolled = int32(min(n, body.MaxPoints)), false
	}
	if v.GetHpMax() > 0 {
		most, rolled = v.GetHpMax(), false
	}
	switch {
	case v.GetHp() < -body.MaxPoints || v.GetHp() > body.MaxPoints || !rolled && v.GetHp() > most:
		return fault.Field("add.vitals.hp", "%d is above the maximum of %d or absurd", v.GetHp(), most)
	case v.GetHpTemp() < 0 || v.GetHpTemp() > body.MaxPoints:
		return fault.Field("add.vitals.hp_temp", "must be 0 to %d", body.MaxPoints)
	}
	for _, name := range rules.SortedKeys(v.GetCounters()) {
		if n := v.Counters[name]; n < -body.MaxPoints || n > body.MaxPoints || len(name) > rules.MaxIDLength {
			return fault.Field("add.vitals.counters["+name+"]", "out of range")
		}
		if rules.Listed(thestrike.OfTheFight().Counters, name) && add.Sheet.Patient == "" {
			return fault.Field("add.vitals.counters["+name+"]", "is counted within a fight alone")
		}
	}
	if add.Sheet.Patient == "" {
		if err := rules.Named("add.vitals.counters", rules.SortedKeys(v.GetCounters()), map[string][]string{body.CLeft: thestrike.SpellNames(body.Bearer(add.Sheet))}); err != nil {
			return err
		}
	}
	for _, name := range rules.SortedKeys(v.GetMarks()) {
		if rules.Listed(thestrike.OfTheFight().Marks, name) && add.Sheet.Patient == "" {
			return fault.Field("add.vitals.marks["+name+"]", "is marked within a fight alone")
		}
	}
	for i, x := range v.GetConditions() {
		if thestrike.Passing(x) && add.Sheet.Patient == "" {
			return fault.Field("add.vitals.conditions["+body.Itoa(i)+"]", "%s is laid within a fight alone", x.Name)
		}
	}
	if len(v.GetRelations()) > 0 && add.Sheet.Patient == "" {
		return fault.Field("add.vitals.relations[0]", "%s is said within a fight alone", v.Relations[0].GetKind())
	}
	return nil
}

// startingPoints are the hit points a creature begins with: those of its
// sheet, or rolled.
//
// original.injury.normal-man-hit-points, original.mass.unit-hit-points
func startingPoints(r *rules.Resolution, sheet *eventv1.Sheet) int32 {
	sh := sheet.GetOriginal()
	dice, rule := max(1, sh.GetHitDice()), cite.InjuryNormalManHitPoints
	plus := sh.GetHitDicePlus()
	switch {
	case sh.GetUnitSize() > 1 && r.On(body.SetMassPoints):
		dice, rule, plus = sh.UnitSize*dice, body.SetMassPoints, 0
	case !sh.GetRollHitPoints():
		return sheet.HitPoints
	}
	return max(1, r.Roll(rules.RollSpec{Label: "hit-points/" + sheet.Id, Creature: sheet.Id, Expression: body.Itoa(dice) + "d6", Reason: "hit points",
		Modifiers: []*eventv1.Modifier{body.Mod(plus, "hit dice", rule)}, Audience: event.Controllers(sheet.Id), Rules: []string{rule}}).Total)
}

// Leave settles what a creature's removal means; it is still there.
func (System) Leave(r *rules.Resolution, creature string) error {
	if r.State().Status != eventv1.State_STATUS_STARTED {
		return nil
	}
	r.Flag(creature, body.MLeaving, true)
	thestrike.ReleaseHolds(r)
	gone := r.Creature(creature)
	for _, x := range gone.Relations { // original.pursuit.rounds-to-catch
		_, counted := x.Values[body.ValGap]
		if group := body.MoraleGroup(gone); counted && x.Kind == body.RelPursues && len(moving.HuntersOf(r.State(), x.To, group)) == 0 {
			moving.LetGo(r, x.To, group, "nobody pursues any more", cite.PursuitRoundsToCatch)
		}
	}
	if !slices.Contains(r.State().Active, creature) {
		return nil
	}
	thestrike.FinishTurn(r, creature)
	return advance(r)
}

// Edited settles what the game master's edit of a creature means.
func (System) Edited(r *rules.Resolution, creature string) error {
	body.LayOut(r, creature)
	thestrike.SettleBody(r, creature)
	thestrike.Pace(r, creature)
	return settle(r)
}
