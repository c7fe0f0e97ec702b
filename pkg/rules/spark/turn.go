package spark

import (
	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/declaring"
	"github.com/skaldrpg/skald/pkg/rules/spark/resolving"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// roundsAtOnce bounds how many rounds may pass without anybody declaring; a
// spell never takes so long.
const roundsAtOnce = 1000

// secondsARound is the length of a round.
//
// spark.turn.round-length
const secondsARound = 6

// freeActions of a round.
//
// spark.action.free
const freeActions = 5

// Begin starts the fight.
func (System) Begin(r *rules.Resolution, _ *eventv1.StartEncounter) error {
	if body.BookError != nil {
		return body.BookError
	}
	for _, id := range body.Living(r.State()) {
		resolving.Happen(r, id, effects.TriggerEnter)
	}
	startRound(r, 1)
	return settle(r)
}

// EndTurn passes: the creature declares nothing this round.
func (System) EndTurn(r *rules.Resolution, creature string) error {
	declaring.PassTurn(r, creature)
	return settle(r)
}

// startRound begins a round with its declaring phase. There is no individual
// order: everyone who can act declares at the same time.
//
// spark.turn.two-halves, spark.turn.round-length, spark.action.kinds
func startRound(r *rules.Resolution, round int32) {
	r.Emit(event.Everyone(), &eventv1.RoundStarted{Round: round}, cite.TurnRoundLength)
	r.Emit(event.Everyone(), &eventv1.PhaseStarted{Phase: body.PhaseDeclare}, cite.TurnTwoHalves)
	living := body.Living(r.State())
	for _, id := range living {
		freshRound(r, id)
	}
	dawn(r, living)
	var active []string
	for _, id := range living {
		if body.Locked(r.State(), r.Creature(id)) || !acts(r, id) {
			continue
		}
		active = append(active, id)
	}
	if len(active) > 0 {
		r.Emit(event.Everyone(), &eventv1.TurnStarted{Creatures: active}, cite.TurnTwoHalves)
	}
}

// freshRound gives a creature what each round brings.
//
// spark.action.kinds, spark.fumble.drop-weapon, spark.condition.frightened
func freshRound(r *rules.Resolution, id string) {
	const why = "the round begins"
	r.Set(id, body.CAction, 1, why, cite.ActionKinds)
	r.Set(id, body.CBonus, 1, why, cite.ActionKinds)
	r.Set(id, body.CReaction, 1, why, cite.ReactionOnePerRound)
	r.Set(id, body.CFree, freeActions, why, cite.ActionFree)
	for _, name := range rules.SortedKeys(r.Creature(id).Items) {
		it := r.Creature(id).Items[name]
		if it.Place == "dropped" && it.Values["until"] > 0 && it.Values["until"] < r.State().Round {
			r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: id, Item: name, Place: resolving.Hand(body.WeaponOf(r.Creature(id), name)), Cause: "picked up"},
				cite.FumbleDropWeapon)
		}
	}
	for _, x := range r.Creature(id).Conditions {
		if x.Name == body.CondStumbled && x.Until != nil && x.Until.Round < r.State().Round {
			r.RemoveCondition(id, x, why, body.BarredBy(r.Creature(id)))
			continue
		}
		overcome(r, id, x)
		lapses(r, id, x)
	}
	body.SettleConditions(r, id)
	body.Pace(r, id)
	house.Turn(r, id)
}

// overcome tries a frightened creature's save again: once in every round that
// follows the one in which fear took hold. A later round than the running one
// is of an earlier fight.
//
// spark.condition.frightened
func overcome(r *rules.Resolution, id string, x *eventv1.Condition) {
	dc, known := x.Values["dc"]
	if x.Name != body.CondFrightened || !r.On(body.RuleFrightened) || !known || x.Values["round"] == r.State().Round {
		return
	}
	if body.Save(r, r.Creature(id), "will", dc, "nerve/"+id, "overcome fear", body.RuleFrightened) {
		r.RemoveCondition(id, x, "the save succeeded", body.RuleFrightened)
	}
}

// settle goes on as long as nobody needs to declare: it runs the rest of the
// round and begins the next.
func settle(r *rules.Resolution) error {
	for range roundsAtOnce {
		s := r.State()
		if s.Status != eventv1.State_STATUS_STARTED {
			return nil
		}
		for _, id := range s.Active {
			if body.Out(r.Creature(id)) {
				declaring.PassTurn(r, id)
			}
		}
		if len(r.State().Active) > 0 {
			return nil
		}
		if len(body.Living(s)) == 0 {
			r.Note(event.Everyone(), "", "nobody is left who could act", cite.DiceDropToZero)
			return nil
		}
		if err := runRound(r); err != nil {
			return err
		}
		startRound(r, r.State().Round+1)
	}
	return nil
}

// runRound runs what follows the last declaration of a round.
//
// spark.turn.two-halves, spark.turn.movement-first, spark.turn.all-roll-together
func runRound(r *rules.Resolution) error {
	f := resolving.NewFray(r)
	f.Reveal()
	for _, id := range f.Order {
		f.FirstHalf(id)
	}
	r.Emit(event.Everyone(), &eventv1.PhaseStarted{Phase: body.PhaseAttack}, cite.TurnTwoHalves)
	f.ThrowAll()
	f.Resolve()
	f.Spoil()
	f.EndTurns()
	for _, id := range r.CreatureIDs() {
		r.EndBegun(id, body.BegunDeclared, "done")
		r.Set(id, body.COrder, 0, "the round ends")
		f.EndLock(id)
		shakeOff(r, id)
	}
	r.Set("", body.CClock, r.Count("", body.CClock)+secondsARound, "a round", cite.TurnRoundLength)
	r.Emit(event.Everyone(), &eventv1.RoundEnded{Round: r.State().Round}, cite.TurnRoundLength)
	return nil
}

// Finish settles what the end of the encounter means: which fragile objects
// broke in it comes out, and what counts by rounds or turns lapses.
//
// spark.fumble.alt-broken-item, spark.fumble.alt-wild-swing
func (System) Finish(r *rules.Resolution) error {
	for _, id := range r.CreatureIDs() {
		lapse(r, id)
	}
	return nil
}

// lapse settles what was left for the end of a creature's fight and clears what
// means nothing outside it.
func lapse(r *rules.Resolution, id string) {
	for range r.Count(id, body.CBreakages) {
		resolving.BreakItem(r, id)
	}
	const why = "the fight is over"
	for _, counter := range []string{body.COrder, body.CAdvantage, body.CBreakages} {
		r.Set(id, counter, 0, why)
	}
	r.EndBegun(id, body.BegunDeclared, why)
	r.EndBegun(id, body.BegunCasting, why)
	body.EndConditions(r, id, body.CondStumbled, why)
	for _, w := range body.SheetOf(r.Creature(id)).Weapons {
		r.Flag(id, body.MStuck+w.Name, false)
	}
}
