package mounts

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/movement"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Actions are getting on and off a mount, who has control of it, and its training.
func Actions() []*play.Action {
	when := func(holds func(at *play.At) bool) func(at *play.At) []string {
		return func(at *play.At) []string {
			if at.Listing && !holds(at) {
				return nil
			}
			return checks.Bare
		}
	}
	rides := func(at *play.At) bool { return body.Seat(at.Actor) != nil }
	carries := func(at *play.At) bool { return len(body.RidersOf(at.State, at.Actor.Id)) > 0 }
	return []*play.Action{
		{ID: "mount", Title: "Get on a mount", Rule: cite.MountMountingCost, Group: play.GroupMount, Early: true, Least: 1, Most: 1,
			CostOf: climbing, Refuse: refuseMount, RefuseTarget: refuseMountOf, Fields: mountFields, Check: checkMount, Do: doMount},
		{ID: "dismount", Title: "Get off the mount", Rule: cite.MountMountingCost, Group: play.GroupMount, Items: when(rides),
			CostOf: climbing, Refuse: refuseDismount, Fields: func(at *play.At) []play.Field { return []play.Field{{Name: "path"}} }, Check: checkDismount, Do: doDismount},
		{ID: "take-reins", Title: "Take the reins of the mount", Rule: cite.MountRider, Group: play.GroupMount, Items: when(rides),
			Refuse: refuseTakeReins, Fields: noFields, Do: doTakeReins},
		{ID: "rein-with-shield", Title: "Take the reins with the shield hand", Rule: cite.MountShieldStrapped, Group: play.GroupMount, Items: when(rides),
			Refuse: refuseShieldHand, Fields: noFields, Do: doShieldHand},
		{ID: "give-up-control", Title: "Let the mount act for itself", Rule: cite.MountRiderBecomesPassenger, Group: play.GroupMount, Items: when(rides),
			Refuse: refuseGiveUp, Fields: noFields, Do: doGiveUp},
		{ID: "urge-mount", Title: "Urge the mount toward danger", Rule: cite.MountBraveApproach, Group: play.GroupMount, Costs: checks.OneBonus, Items: when(rides),
			Refuse: refuseUrge, Fields: handlingFields, Check: inspired, Do: doUrge},
		{ID: "calm-mount", Title: "Calm a mount that is about to flee", Rule: cite.MountBuckFlee, Group: play.GroupMount, Costs: checks.OneBonus, Least: 1, Most: 1,
			Items: when(bolters), Refuse: func(at *play.At) error { return checks.NeedBonus(at.State, at.Actor) }, RefuseTarget: refuseCalm,
			Fields: handlingFields, Check: inspired, Do: doCalm},
		{ID: "accept-control", Title: "Agree to be controlled", Rule: cite.MountIntelligentConsent, Group: play.GroupMount, Early: true,
			Items:  when(func(at *play.At) bool { return body.Intelligent(at.Actor) && carries(at) }),
			Refuse: refuseAccept, Fields: noFields, Do: doAccept},
		{ID: "refuse-control", Title: "Stop being controlled", Rule: cite.MountIntelligentWithdraw, Group: play.GroupMount,
			Items:  when(func(at *play.At) bool { return body.Intelligent(at.Actor) && carries(at) }),
			Refuse: refuseWithdraw, Fields: noFields, Do: doWithdraw},
		{ID: "carry-on", Title: "Go on as last ordered", Rule: cite.MountReinsDropped, Group: play.GroupMount, Items: when(carries),
			Refuse: refuseCarryOn, Fields: noFields, Do: doCarryOn},
		{ID: "seize-mount", Title: "Seize the mount in the fall", Rule: cite.MountFlightCatch, Group: play.GroupMount, Anytime: true, Least: 1, Most: 1,
			Items:  when(func(at *play.At) bool { return body.AirState(at.Actor) == body.AirFalling }),
			Refuse: refuseSeize, RefuseTarget: refuseSeizeOf, Fields: handlingFields, Check: inspired, Do: doSeize},
		{ID: "forced-move", Title: "Be moved against its will", Rule: cite.MountForcedMoveSave, Group: play.GroupReferee, Anytime: true, Referee: true,
			Refuse: notDead, Fields: func(at *play.At) []play.Field {
				return body.Offer([]play.Field{{Name: "feet"}}, at, at.Actor.Position != nil, play.Field{Name: "path"})
			}, Do: body.Deed(doForced)},
		{ID: "perceived-danger", Title: "Be a danger in the eyes of mounts", Rule: cite.MountBraveApproach, Group: play.GroupReferee, Anytime: true, Referee: true,
			Refuse: notDead, Fields: func(at *play.At) []play.Field { return []play.Field{{Name: "over"}} }, Do: body.Deed(doDanger)},
		{ID: "train-mount", Title: "Train a creature as a mount for a day", Rule: cite.MountTrainingDaily, Group: play.GroupOther, Early: true, Least: 1, Most: 1,
			Items:  when(func(at *play.At) bool { return at.State.Status == eventv1.State_STATUS_OPEN }),
			Refuse: refuseTrain, Fields: trainFields, Check: inspired, Do: doTrain},
	}
}

func noFields(*play.At) []play.Field { return nil }

func notDead(at *play.At) error { return body.RefuseDead(at.Actor) }

func inspired(at *play.At) error { return body.RefuseInspired(at.Actor, at.Take) }

func handlingFields(at *play.At) []play.Field { return body.InspirationField(nil, at) }

// climbCost is what getting on or off a mount costs: half the speed, however much of
// it is left, and without a Dash (a reading).
//
// rcr.mount.mounting-cost
func climbCost(s *eventv1.State, c *eventv1.Creature) int32 { return movement.StandingBase(s, c) / 2 }

func climbing(at *play.At) []play.Cost {
	if at.State.Status != eventv1.State_STATUS_STARTED {
		return nil
	}
	return []play.Cost{{Counter: body.CMovement, Amount: climbCost(at.State, at.Actor)}}
}
