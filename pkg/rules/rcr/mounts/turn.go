package mounts

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	"github.com/skaldrpg/skald/pkg/rules/rcr/movement"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// hadTurn tells whether a creature has had its turn of the round that runs.
func hadTurn(s *eventv1.State, c *eventv1.Creature) bool {
	had, ok := c.GetCounters()[body.CTurn]
	return ok && had == int64(s.Round)
}

// Sharing is the mount that acts in the turn of a rider: the one that it controls,
// unless that has had a turn of its own this round; empty for none.
//
// rcr.mount.shared-initiative, rcr.mount.intelligent-consent
func Sharing(s *eventv1.State, rider string) string {
	c := s.Creatures[rider]
	m := body.MountOf(s, c)
	if body.Dead(m) || body.Seat(c).Variant != body.VariantRider || hadTurn(s, m) {
		return ""
	}
	return m.Id
}

// Placeless tells whether a creature has no place of its own in the order, since it
// is controlled.
//
// rcr.mount.shared-initiative
func Placeless(s *eventv1.State, id string) bool { return body.ControllerOf(s, id) != nil }

// leaveOrder takes a mount's own places out of the order.
func leaveOrder(r *rules.Resolution, id string) {
	for _, i := range r.Creature(id).Initiative {
		if i.Round >= r.State().Round {
			r.Emit(event.Everyone(), &eventv1.InitiativeCleared{Creature: id, Round: i.Round}, cite.MountSharedInitiative)
		}
	}
}

// used tells whether a mount has moved or acted in the turn that it has last shared.
//
// rcr.mount.dismount-initiative-spent
func used(c *eventv1.Creature) bool {
	return c.Counters[body.CMoved] > 0 || c.Counters[body.CAction] < 1
}

// EndPart ends a mount's part in its rider's turn; the order is not touched.
func EndPart(r *rules.Resolution, id string) {
	if !body.Dead(r.Creature(id)) {
		body.Happen(r, "turn/"+id, r.Creature(id), effects.TriggerTurnEnd, effects.Env{Actor: r.Creature(id), Target: r.Creature(id)})
		dice.EndTurnEffects(r, id)
	}
	r.Emit(event.Everyone(), &eventv1.TurnEnded{Creatures: []string{id}})
	body.Befall(r, body.OnPartEnds, id, "", 0)
	for _, m := range movement.TurnMarks {
		r.Mark(id, m, "")
	}
	for _, kind := range movement.TurnRelations {
		r.Unrelate(id, kind, "", "the turn ends")
	}
	dice.EndCondition(r, id, body.CondDisengaged, "the turn ends", cite.BaseFifthEditionFallback)
}

// loosen lets a mount go that nobody controls any more: it rolls initiative. Unused
// in its rider's turn it has a turn in this round, straight away where it rolled
// higher (turns never nest); otherwise it acts at that place in the next round.
//
// rcr.mount.dismount-initiative-fresh, rcr.mount.dismount-initiative-spent,
// rcr.mount.intelligent-withdraw
func loosen(r *rules.Resolution, id string) {
	s, m := r.State(), r.Creature(id)
	r.EndBegun(id, begunOrder, "it is let go", cite.MountIndependent)
	r.EndBegun(id, begunHeading, "it is let go", cite.MountIndependent)
	if s.Status != eventv1.State_STATUS_STARTED {
		return
	}
	had := hadTurn(s, m)
	spent := had && used(m)
	if slices.Contains(s.Active, id) {
		EndPart(r, id)
	}
	if body.Dead(r.Creature(id)) || checks.SurpriseRound(s) {
		return // whoever was surprised rolls when that round is over
	}
	round, rule := s.Round, cite.MountDismountInitiativeFresh
	if spent {
		round, rule = round+1, cite.MountDismountInitiativeSpent
	} else if had {
		r.Set(id, body.CTurn, -1, "it acts for itself", rule)
	}
	if answers.InitiativeOf(r.Creature(id), round) == nil {
		r.Note(event.Controllers(id), id, r.Creature(id).Name+" acts for itself", rule)
		answers.RollInitiative(r, round, id)
	}
}

// TurnEnds settles a mount's part in a turn of its rider that ends: what it does with
// nobody at the reins, and its flight when nobody calmed it.
//
// rcr.mount.reins-dropped, rcr.mount.buck-flee
func TurnEnds(r *rules.Resolution, rider string) {
	c := r.Creature(rider)
	m := body.MountOf(r.State(), c)
	if m == nil || !slices.Contains(r.State().Active, m.Id) {
		return
	}
	switch {
	case body.Has(m, condBolting):
		bolt(r, rider)
		return
	case refuseReins(r.State(), c, m) != nil && !used(m) && !body.Incapacitated(m):
		carryOn(r, m.Id)
	}
	if slices.Contains(r.State().Active, m.Id) {
		EndPart(r, m.Id)
	}
}

// OwnTurnEnds settles the turn of a mount that acted for itself: what it fled from is
// behind it, and one that has come under control unused acts in its rider's turn.
//
// rcr.mount.intelligent-consent, rcr.mount.buck-flee
func OwnTurnEnds(r *rules.Resolution, id string) {
	m := r.Creature(id)
	dice.EndCondition(r, id, condBolting, "it has fled", cite.MountBuckFlee)
	if body.ControllerOf(r.State(), id) != nil && !used(m) {
		r.Set(id, body.CTurn, -1, "it acts in its rider's turn", cite.MountIntelligentConsent)
	}
}

// Gone settles that a creature leaves the field: those on it are on their feet, and
// what it rode acts for itself.
func Gone(r *rules.Resolution, id string) {
	for _, rider := range body.RidersOf(r.State(), id) {
		r.Unrelate(rider, body.RelRides, id, "the mount is gone", cite.MountRider)
	}
	if body.Seat(r.Creature(id)) != nil {
		part(r, id, "gone", cite.MountRider)
	}
}

// Refresh ends what lasts until a mount's next turn.
//
// rcr.mount.dash-slow-save
func Refresh(r *rules.Resolution, id string) {
	r.Set(id, body.CDashPace, 0, "the turn begins", cite.MountDashSlowSave)
}
