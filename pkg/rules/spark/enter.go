package spark

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Enter gives a creature just added what it begins with. While the table
// declares it may declare too; else it joins with the next round.
func (System) Enter(r *rules.Resolution, add *eventv1.AddCreature) error {
	if err := checkVitals(add); err != nil {
		return err
	}
	id, sheet, s := add.Sheet.Id, add.Sheet, add.Sheet.GetSpark()
	r.SetHitPoints(id, sheet.HitPoints, sheet.HitPoints, 0)
	r.Set(id, cMana, int64(s.Mana), "sheet")
	r.Set(id, cHitDice, int64(s.Level), "sheet")
	r.Set(id, cSpareStrings, int64(s.SpareStrings), "sheet")
	equip(r, id)
	if err := r.ApplyVitals(id, add.Vitals); err != nil {
		return err
	}
	settleBody(r, id)
	if r.State().Status != eventv1.State_STATUS_STARTED || r.State().Phase != phaseDeclare || out(r.Creature(id)) {
		return nil
	}
	freshRound(r, id)
	joinDeclaring(r, id)
	return nil
}

// joinDeclaring lets one more creature declare in the round that has begun.
func joinDeclaring(r *rules.Resolution, id string) {
	if !slices.Contains(r.State().Active, id) {
		r.Emit(event.Everyone(), &eventv1.TurnStarted{Creatures: append(slices.Clone(r.State().Active), id)}, cite.TurnTwoHalves)
	}
}

// equip gives a creature what its sheet holds and it has not had yet: items,
// missiles, and weapons in their places.
func equip(r *rules.Resolution, id string) {
	c := r.Creature(id)
	stock := func(counter string, n int32) {
		if _, had := c.Counters[counter]; !had {
			r.Set(id, counter, int64(n), "sheet")
		}
	}
	for _, it := range sheetOf(c).Items {
		stock(cUses+it.Name, it.Uses)
	}
	for _, w := range sheetOf(c).Weapons {
		if w.Missiles != nil {
			stock(cMissiles+w.Name, w.GetMissiles())
		}
		if w.Natural || c.Items[w.Name] != nil {
			continue
		}
		place, audience := hand(w), event.Everyone()
		if w.Stowed {
			place, audience = "stowed", event.Controllers(id)
		}
		r.Emit(audience, &eventv1.ItemChanged{Creature: id, Item: w.Name, Place: place, Cause: "sheet"})
	}
}

// Leave settles a creature's removal: if it was the last that had to declare,
// the round goes on without it.
func (System) Leave(r *rules.Resolution, creature string) error {
	r.Mark(creature, mLeaving, "yes")
	passTurn(r, creature)
	lapse(r, creature)
	return settle(r)
}

// Edited settles the game master's edit of a creature. What a new sheet adds is
// there to be used; what it had already is as it was.
func (System) Edited(r *rules.Resolution, creature string) error {
	was := out(r.Creature(creature))
	equip(r, creature)
	settleBody(r, creature)
	s := r.State()
	if s.Status != eventv1.State_STATUS_STARTED {
		return nil
	}
	if was && !out(r.Creature(creature)) && s.Phase == phaseDeclare && !locked(s, r.Creature(creature)) {
		freshRound(r, creature)
		joinDeclaring(r, creature)
	}
	return settle(r)
}

// settleBody brings life in line with hit points and stores within their limits.
//
// spark.dice.drop-to-zero
func settleBody(r *rules.Resolution, id string) {
	c := r.Creature(id)
	if c.Hp == nil {
		return
	}
	if c.GetHp() < 0 {
		r.SetHitPoints(id, 0, c.GetHpMax(), c.GetHpTemp(), cite.DiceDropToZero)
	}
	if top := int64(sheetOf(c).Mana); c.Counters[cMana] > top {
		r.Set(id, cMana, top, "never above the maximum", cite.DiceDropToZero)
	}
	settleLife(r, id, "hit points")
}

// settleLife brings a creature's life status in line with its hit points: at 0
// it is out. The game master may bring even the dead back by giving hit points.
//
// spark.dice.drop-to-zero
func settleLife(r *rules.Resolution, id, cause string) {
	c := r.Creature(id)
	status := eventv1.LifeStatus_LIFE_STATUS_ALIVE
	switch {
	case c.GetHp() > 0:
	case dead(c), len(c.Controllers) == 0 && r.On(setMonstersDie):
		status = eventv1.LifeStatus_LIFE_STATUS_DEAD
	default:
		status = eventv1.LifeStatus_LIFE_STATUS_DYING
	}
	if c.Life != status {
		r.Emit(event.Everyone(), &eventv1.LifeChanged{Creature: id, Status: status, Cause: cause}, cite.DiceDropToZero)
	}
}
