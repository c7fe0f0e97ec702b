package original

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	"github.com/skaldrpg/skald/pkg/rules/original/moving"
	thestrike "github.com/skaldrpg/skald/pkg/rules/original/strike"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func retreatActions() []*play.Action {
	retreat := moving.Moving(moving.Journey{Id: "retreat", Title: "Turn and flee", Rule: cite.MovementRetreatContest, Refused: moving.RetreatRefused, Feet: moving.FullWay}, doRetreat)
	retreat.Provokes = thestrike.ProvokesThoseLeft
	lengths := retreat.Check
	retreat.Check = func(at *play.At) error {
		if err := lengths(at); err != nil {
			return err
		}
		_, err := moving.Passers(at.State, at.Actor, at.Take)
		return err
	}
	through := moving.Moving(moving.Journey{Id: "through", Title: "Move through a line", Rule: cite.MovementThroughLine, Refused: moving.RefuseThrough, Feet: moving.HalfWay}, doThrough)
	through.Least, through.Most, through.Candidates, through.RefuseTarget = 1, rules.MaxCreatures, thestrike.FoesAt, thestrike.OfTarget(moving.RefuseLine)
	through.Provokes = thestrike.ProvokesThoseLeft
	size := through.Check
	through.Check = func(at *play.At) error {
		if v, stated := at.Take.GetFacts().GetFields()["room"]; stated && !v.GetBoolValue() {
			return body.Refuse("NO_ROOM", cite.MovementThroughLine, "there is no room between the foes")
		}
		return size(at)
	}
	return []*play.Action{retreat, through,
		{ID: "turn", Title: "Turn and fight", Rule: cite.MovementRetreatFasterPursuer, Group: play.GroupMove, Refuse: thestrike.AsSeen(moving.TurnRefused), Do: body.Deed(moving.DoTurn)},
	}
}

func doRetreat(r *rules.Resolution, at *play.At, feet int32, to *eventv1.Position) error {
	s, c, take := r.State(), at.Actor, at.Take
	left := body.EngagedWith(s, c)
	passed, err := moving.Passers(s, c, take)
	if err != nil {
		return err
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action}, cite.MovementRetreatContest)
	body.Inflict(r, c.Id, body.CondFleeing, nil, cite.MovementRetreatShieldLost)
	body.During(r, c.Id, body.CondRan, cite.MovementRunning)
	thestrike.Stirs(r, c.Id)
	if !quiet(r, at) {
		shots(r, c.Id, moving.Contest(r, c.Id, thestrike.HeldBack(s, c)), passed)
	}
	if moving.Falls(r, c.Id) {
		body.Lift(r, c.Id, body.CondFleeing, cite.MovementRetreatFasterPursuer)
		return nil
	}
	if to != nil {
		r.Move(&eventv1.Moved{Creature: c.Id, To: to, Mode: "retreat", Feet: feet}, cite.MovementRetreatContest)
	} else {
		moving.Part(r, c.Id)
	}
	r.Set(c.Id, body.CMoved, int64(feet), "retreat", cite.MovementRetreatContest)
	gap, stated := spoken.Number(take.GetFacts(), "gap")
	switch {
	case stated:
	case to == nil && feet > 0:
		gap = feet
	default:
		gap = -1
	}
	moving.Pursuit(r, c.Id, left, gap)
	return nil
}

// quiet tells whether content keeps the way from giving anybody a free attack, and says
// so.
func quiet(r *rules.Resolution, at *play.At) bool {
	by, is := house.NoProvoke(r.Content(), r.State(), at.Actor, at.Action.ID)
	if is {
		r.Note(event.Everyone(), at.Actor.Id, at.Actor.Name+" gives nobody a free attack: "+by.Title, house.Cited(by)...)
	}
	return is
}

// shots makes the free attacks: those of equal totals together, then those of
// the foes passed.
//
// original.movement.retreat-parting-shot, original.movement.retreat-passersby
func shots(r *rules.Resolution, id string, won []moving.Shot, passed []string) {
	for i := 0; i < len(won); {
		j := i
		for j < len(won) && won[j].Total == won[i].Total {
			j++
		}
		var together []string
		for _, w := range won[i:j] {
			together = append(together, w.Foe)
		}
		freeAttacks(r, id, together, cite.MovementRetreatPartingShot)
		i = j
	}
	freeAttacks(r, id, passed, cite.MovementRetreatPassersby)
}

func freeAttacks(r *rules.Resolution, id string, by []string, rule string) {
	var wounds []*thestrike.Wound
	for _, foe := range by {
		s := r.State()
		if !thestrike.Able(s, r.Creature(foe)) || body.Out(r.Creature(id)) {
			continue
		}
		w := body.InHand(r.Creature(foe))
		if body.Has(r.Creature(foe), body.CondStruggling) && !body.Natural(w) {
			w = body.EmptyHand // original.grapple.tie-struggling
		}
		b := thestrike.NewBlow(s, r.Creature(foe), r.Creature(id), w, body.AtHand())
		b.Label, b.Parting, b.Passing = "parting/"+foe, true, !body.InMelee(b.Attacker, b.Target)
		r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: foe, Action: "parting-shot", Targets: []string{id}, Item: b.Weapon.Name}, rule)
		wounds = append(wounds, strike(r, b))
	}
	for _, w := range wounds {
		lay(r, w)
	}
}

// doThrough moves a creature between the foes named, who get the contest of a
// retreat with it unless they fight somebody else.
func doThrough(r *rules.Resolution, at *play.At, feet int32, to *eventv1.Position) error {
	s, c, take := r.State(), at.Actor, at.Take
	var free []string
	for _, id := range take.Targets {
		if t := s.Creatures[id]; !body.Busy(s, t, c.Id) && moving.Passed(c, t, take.Path) {
			free = append(free, id)
		}
	}
	// Foes left behind by the same move are broken away from as well.
	for _, id := range thestrike.HeldBack(s, c) {
		t := s.Creatures[id]
		stays := to != nil && t.Position != nil && body.FeetBetween(to, t.Position) <= body.MeleeFeet
		if !stays && !slices.Contains(free, id) {
			free = append(free, id)
		}
	}
	// And so are those near the way whom nobody named.
	for _, id := range moving.LeftBehind(s, c, take.Path) {
		if !slices.Contains(free, id) {
			free = append(free, id)
		}
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Targets: take.Targets}, cite.MovementThroughLine)
	thestrike.Stirs(r, c.Id)
	if !quiet(r, at) {
		shots(r, c.Id, moving.Contest(r, c.Id, free), nil)
	}
	if moving.Falls(r, c.Id) {
		r.Set(c.Id, body.CMoved, r.Count(c.Id, body.CMoved)+int64(feet), "through the line", cite.MovementThroughLine)
		return nil
	}
	if to != nil {
		r.Move(&eventv1.Moved{Creature: c.Id, To: to, Mode: "walk", Feet: feet}, cite.MovementThroughLine)
	} else {
		moving.Part(r, c.Id)
	}
	r.Set(c.Id, body.CMoved, r.Count(c.Id, body.CMoved)+int64(feet), "through the line", cite.MovementThroughLine)
	return nil
}
