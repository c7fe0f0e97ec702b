package spark

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/declaring"
	"github.com/skaldrpg/skald/pkg/rules/spark/mending"
	"github.com/skaldrpg/skald/pkg/rules/spark/resolving"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Enter gives a creature just added what it begins with. Once the fight has begun the
// table declares between two commands: it may declare too.
func (System) Enter(r *rules.Resolution, add *eventv1.AddCreature) error {
	if err := body.CheckVitals(add); err != nil {
		return err
	}
	id, sheet, s := add.Sheet.Id, add.Sheet, add.Sheet.GetSpark()
	r.SetHitPoints(id, sheet.HitPoints, sheet.HitPoints, 0)
	r.Set(id, body.CMana, int64(s.Mana), "sheet")
	r.Set(id, body.HitDiceOf(r.Creature(id)), int64(s.Level), "sheet")
	r.Set(id, body.CSpareStrings, int64(s.SpareStrings), "sheet")
	equip(r, id)
	if err := r.ApplyVitals(id, add.Vitals); err != nil {
		return err
	}
	settleBody(r, id)
	if r.State().Status != eventv1.State_STATUS_STARTED || body.Out(r.Creature(id)) {
		return nil
	}
	freshRound(r, id)
	resolving.Happen(r, id, effects.TriggerEnter)
	joinDeclaring(r, id)
	if r.Content() == nil {
		return nil
	}
	return settle(r) // what content set off may have put somebody out
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
	for _, it := range body.SheetOf(c).Items {
		stock(body.CLeft+it.Name, it.Uses)
	}
	for _, w := range body.SheetOf(c).Weapons {
		if w.Missiles != nil {
			stock(body.CAmmunition+w.Name, w.GetMissiles())
		}
		if w.Natural || c.Items[w.Name] != nil {
			continue
		}
		place, audience := resolving.Hand(w), event.Everyone()
		if w.Stowed {
			place, audience = "stowed", event.Controllers(id)
		}
		r.Emit(audience, &eventv1.ItemChanged{Creature: id, Item: w.Name, Place: place, Cause: "sheet"})
	}
}

// Leave settles a creature's removal: if it was the last that had to declare,
// the round goes on without it.
func (System) Leave(r *rules.Resolution, creature string) error {
	r.Flag(creature, body.MLeaving, true)
	declaring.PassTurn(r, creature)
	lapse(r, creature)
	return settle(r)
}

// Edited settles the game master's edit of a creature. What a new sheet adds is
// there to be used; what it had already is as it was.
func (System) Edited(r *rules.Resolution, creature string) error {
	was := body.Out(r.Creature(creature))
	equip(r, creature)
	settleBody(r, creature)
	body.SettleConditions(r, creature)
	body.Pace(r, creature)
	s := r.State()
	if s.Status != eventv1.State_STATUS_STARTED {
		return nil
	}
	c := r.Creature(creature)
	back := was && !body.Out(c)
	if back && !body.Locked(s, c) && c.Counters[body.COrder] == 0 { // what it has declared stands
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
	if top := int64(body.SheetOf(c).Mana); c.Counters[body.CMana] > top {
		r.Set(id, body.CMana, top, "never above the maximum", cite.DiceDropToZero)
	}
	mending.SettleLife(r, id, "hit points")
}
