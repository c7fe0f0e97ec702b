package mounts

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// handlingDC is the difficulty of urging and calming a mount.
const handlingDC = 15

func acted(r *rules.Resolution, at *play.At) {
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: at.Actor.Id, Action: at.Action.ID, Targets: at.Take.Targets, Notes: body.StatedNotes(at.Take)}, at.Action.Rule)
}

// ridden is the mount of a creature with the part that it has on it, or a refusal.
func ridden(at *play.At, variant, rule string) (*eventv1.Creature, error) {
	seat, m := body.Seat(at.Actor), body.MountOf(at.State, at.Actor)
	switch {
	case m == nil:
		return nil, body.Refuse("NOT_MOUNTED", rule, "%s rides nothing", at.Actor.Name)
	case seat.Variant != variant && variant == body.VariantRider:
		return nil, body.Refuse("PASSENGER", cite.MountPassenger, "%s has no control of %s", at.Actor.Name, m.Name)
	case seat.Variant != variant:
		return nil, body.Refuse("RIDER", rule, "%s has control of %s", at.Actor.Name, m.Name)
	}
	return m, nil
}

func refuseTakeReins(at *play.At) error {
	m, err := ridden(at, body.VariantPassenger, cite.MountRider)
	if err != nil {
		return err
	}
	if other := body.ControllerOf(at.State, m.Id); other != nil {
		return body.Refuse("ONE_RIDER", cite.MountRider, "%s has control of %s", other.Name, m.Name)
	}
	if body.Has(m, condBolting) {
		return body.Refuse("BOLTING", boltingRule(m), "%s flees", m.Name)
	}
	if variant, _ := partOn(at.State, m, at.Take); variant != body.VariantRider {
		// Which of the two it is would tell of its sheet.
		return body.Refuse("NOT_CONTROLLED", cite.MountIntelligentConsent, "%s is not trained as a mount, or has not agreed to be controlled", m.Name)
	}
	return nil
}

// doTakeReins makes a passenger the rider of a mount that nobody controls.
//
// rcr.mount.rider
func doTakeReins(r *rules.Resolution, at *play.At) error {
	acted(r, at)
	become(r, at.Actor.Id, body.VariantRider, cite.MountRider)
	return nil
}

func refuseShieldHand(at *play.At) error {
	const rule = cite.MountShieldStrapped
	if _, err := ridden(at, body.VariantRider, rule); err != nil {
		return err
	}
	switch s := body.SheetOf(at.Actor); {
	case !s.ShieldStrapped:
		return body.Refuse("NO_SHIELD", rule, "%s has no shield strapped on", at.Actor.Name)
	case body.Has(at.Actor, condReining):
		return body.Refuse("REINING", rule, "the shield hand has the reins")
	}
	return nil
}

// doShieldHand takes the reins with the hand of a strapped shield, which does not add
// to the armour class until the rider's next turn.
//
// rcr.mount.shield-strapped
func doShieldHand(r *rules.Resolution, at *play.At) error {
	acted(r, at)
	bonus := body.SheetOf(at.Actor).ShieldBonus
	if bonus == 0 {
		bonus = 2
	}
	r.AddCondition(at.Actor.Id, &eventv1.Condition{Name: condReining, Cause: "the shield hand has the reins", Values: map[string]int32{body.ChArmor: -bonus},
		Until: &eventv1.Until{When: body.UntilTurnStart, Creature: at.Actor.Id, Turns: 1}, Rule: cite.MountShieldStrapped})
	return nil
}

func refuseGiveUp(at *play.At) error {
	_, err := ridden(at, body.VariantRider, cite.MountRiderBecomesPassenger)
	return err
}

// doGiveUp lets a mount act for itself; whoever had control is a passenger.
//
// rcr.mount.rider-becomes-passenger
func doGiveUp(r *rules.Resolution, at *play.At) error {
	acted(r, at)
	m := body.Seat(r.Creature(at.Actor.Id)).To
	become(r, at.Actor.Id, body.VariantPassenger, cite.MountRiderBecomesPassenger)
	loosen(r, m)
	return nil
}

func refuseUrge(at *play.At) error {
	m, err := ridden(at, body.VariantRider, cite.MountBraveApproach)
	switch {
	case err != nil:
		return err
	case body.HasMountTrait(m, body.MountBrave):
		return body.Refuse("BRAVE", cite.MountBraveApproach, "%s is brave: it needs no urging", m.Name)
	case m.Marks[body.MUrged] != "":
		return body.Refuse("URGED", cite.MountBraveApproach, "%s goes already", m.Name)
	case body.UnderRein(at.State, m) == nil:
		return body.Refuse("NOT_SHARING", cite.MountSharedInitiative, "%s does not act in this turn", m.Name)
	}
	return checks.NeedBonus(at.State, at.Actor)
}

// handle makes the Animal Handling check of a rider, for the bonus action.
func handle(r *rules.Resolution, at *play.At, mount, why, rule string) bool {
	body.Spend(r, at.Actor.Id, body.CBonus, why, rule)
	acted(r, at)
	_, _, o := body.ReadCheck(at.Take)
	o.Reason, o.Rules = why, []string{rule}
	return dice.RollCheck(r, "handle/"+mount, r.Creature(at.Actor.Id), "animal handling", handlingDC, "influence", o).Success()
}

// doUrge has a mount that is not brave go toward danger in this turn (a reading).
//
// rcr.mount.brave-approach
func doUrge(r *rules.Resolution, at *play.At) error {
	m := body.Seat(at.Actor).To
	if handle(r, at, m, "urge the mount toward danger", cite.MountBraveApproach) {
		r.Flag(m, body.MUrged, true, cite.MountBraveApproach)
	}
	return nil
}

// bolters tells whether some mount that a creature may calm is about to flee.
func bolters(at *play.At) bool {
	// order-free: any one is enough
	for _, c := range at.State.Creatures {
		if refuseCalm(at, c) == nil {
			return true
		}
	}
	return false
}

// refuseCalm says why a creature cannot be calmed: it does not bolt, or the one who
// would calm it is neither on it nor the rider that it has just lost.
func refuseCalm(at *play.At, t *eventv1.Creature) error {
	x := body.Condition(t, condBolting)
	switch {
	case x == nil:
		return body.Refuse("CALM", cite.MountBuckFlee, "%s does not flee", t.GetName())
	case body.Seat(at.Actor).GetTo() != t.Id && x.Source != at.Actor.Id:
		return body.Refuse("NOT_RIDER", boltingRule(t), "%s is not the rider of %s", at.Actor.Name, t.Name)
	}
	return nil
}

// doCalm calms a mount that would flee: on a failure one that bucked is out of control
// and carries its rider off.
//
// rcr.mount.buck-flee, rcr.mount.fierce-dismounted
func doCalm(r *rules.Resolution, at *play.At) error {
	m := at.Take.Targets[0]
	rule := boltingRule(r.Creature(m))
	if handle(r, at, m, "calm the mount", rule) {
		dice.EndCondition(r, m, condBolting, "calmed", rule)
		return nil
	}
	if seat := body.Seat(r.Creature(at.Actor.Id)); seat.GetTo() == m && seat.Variant == body.VariantRider {
		bolt(r, at.Actor.Id)
	}
	return nil
}

func refuseAccept(at *play.At) error {
	const rule = cite.MountIntelligentConsent
	switch {
	case !body.Intelligent(at.Actor):
		return body.Refuse("NOT_INTELLIGENT", rule, "%s has no such choice", at.Actor.Name)
	case at.Actor.Marks[body.MConsents] != "" && (body.ControllerOf(at.State, at.Actor.Id) != nil || len(body.RidersOf(at.State, at.Actor.Id)) == 0):
		return body.Refuse("AGREED", rule, "%s has agreed", at.Actor.Name)
	}
	return nil
}

// doAccept has an intelligent mount agree to be controlled: on its own turn, or before
// the fight. Of several on it the first by id takes the reins.
//
// rcr.mount.intelligent-consent, rcr.mount.intelligent-untrained
func doAccept(r *rules.Resolution, at *play.At) error {
	acted(r, at)
	id := at.Actor.Id
	r.Flag(id, body.MConsents, true, cite.MountIntelligentConsent)
	if riders := body.RidersOf(r.State(), id); len(riders) > 0 && body.ControllerOf(r.State(), id) == nil {
		become(r, riders[0], body.VariantRider, cite.MountIntelligentConsent)
	}
	return nil
}

func refuseWithdraw(at *play.At) error {
	const rule = cite.MountIntelligentWithdraw
	switch {
	case !body.Intelligent(at.Actor):
		return body.Refuse("NOT_INTELLIGENT", rule, "%s has no such choice", at.Actor.Name)
	case body.UnderRein(at.State, at.Actor) == nil:
		return body.Refuse("NOT_CONTROLLED", rule, "%s is not controlled in this turn", at.Actor.Name)
	}
	return nil
}

// doWithdraw has an intelligent mount stop being controlled, in its rider's turn.
//
// rcr.mount.intelligent-withdraw
func doWithdraw(r *rules.Resolution, at *play.At) error {
	acted(r, at)
	id := at.Actor.Id
	rider := body.ControllerOf(r.State(), id)
	r.Flag(id, body.MConsents, false, cite.MountIntelligentWithdraw)
	become(r, rider.Id, body.VariantPassenger, cite.MountIntelligentWithdraw)
	loosen(r, id)
	return nil
}

func refuseCarryOn(at *play.At) error {
	const rule = cite.MountReinsDropped
	rider := body.UnderRein(at.State, at.Actor)
	switch {
	case rider == nil:
		return body.Refuse("NOT_CONTROLLED", rule, "%s is not controlled in this turn", at.Actor.Name)
	case refuseReins(at.State, rider, at.Actor) == nil:
		return body.Refuse("REINS_HELD", rule, "%s has the reins", rider.Name)
	case body.Has(at.Actor, condBolting):
		return body.Refuse("BOLTING", boltingRule(at.Actor), "%s is about to flee", at.Actor.Name)
	case rules.BegunOf(at.Actor, begunOrder) == nil && rules.BegunOf(at.Actor, begunHeading) == nil:
		return body.Refuse("NO_ORDERS", rule, "%s has no orders to go on with", at.Actor.Name)
	}
	return nil
}

// doCarryOn has a mount repeat its last orders now, and not at the end of the turn.
//
// rcr.mount.reins-dropped
func doCarryOn(r *rules.Resolution, at *play.At) error {
	acted(r, at)
	carryOn(r, at.Actor.Id)
	return nil
}

// doForced is the game master's word that something moves a creature against its will.
//
// rcr.mount.forced-move-save
func doForced(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	feet, _ := spoken.Number(take.Parameters, "feet")
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "forced-move", Notes: body.StatedNotes(take)}, cite.BaseOpportunityFrame)
	if n := len(take.Path); n > 0 && c.Position != nil {
		r.Move(&eventv1.Moved{Creature: c.Id, To: take.Path[n-1], Mode: "push", Feet: feet}, cite.BaseOpportunityFrame)
	}
	body.Befall(r, body.OnThrust, c.Id, "moved against its will", feet)
	body.EndDistantGrapples(r, c.Id)
	return nil
}

// doDanger is the game master's word on what mounts perceive as a danger, for the
// fight or until it is over.
//
// rcr.mount.brave-approach
func doDanger(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "perceived-danger"}, cite.MountBraveApproach)
	r.Flag(c.Id, body.MDanger, !spoken.Truth(take.Parameters, "over"), cite.MountBraveApproach)
	return nil
}

// refuseSeize says why nobody can be caught: only who falls seizes a mount, who can act,
// and once in each round of a fall.
//
// rcr.mount.flight-catch
func refuseSeize(at *play.At) error {
	switch c := at.Actor; {
	case !plummets(c):
		return body.Refuse("NOT_FALLING", cite.MountFlightCatch, "%s does not fall", c.Name)
	case body.Incapacitated(c):
		return body.Refuse("INCAPACITATED", cite.MountFlightCatch, "%s can seize nothing", c.Name)
	case c.Marks[body.MSeized] != "":
		return body.Refuse("TRIED", cite.MountFlightCatch, "%s has tried to seize a mount in this round of the fall", c.Name)
	}
	return nil
}

// refuseSeizeOf says why a mount cannot be seized in a fall: without a saddle there is
// nothing to seize (a reading), unless it falls too. Whether it reaches the one who
// falls the caller says by having it tried.
//
// rcr.mount.flight-catch, rcr.mount.flight-catch-both-falling
func refuseSeizeOf(at *play.At, t *eventv1.Creature) error {
	switch {
	case !body.Airborne(t):
		return body.Refuse("NO_MOUNT", cite.MountFlightCatch, "%s is not in the air", t.GetName())
	case refuseBearer(at, t) != nil:
		return refuseBearer(at, t)
	case body.SaddleOn(t) == "" && !plummets(t):
		return body.Refuse("NO_SADDLE", cite.MountFlightCatch, "%s has no saddle to seize", t.Name)
	}
	return nil
}

// doSeize makes the check of a falling rider to be on its mount again.
func doSeize(r *rules.Resolution, at *play.At) error {
	acted(r, at)
	_, _, o := body.ReadCheck(at.Take)
	seize(r, at.Actor.Id, at.Take.Targets[0], o, at.Take)
	return nil
}
