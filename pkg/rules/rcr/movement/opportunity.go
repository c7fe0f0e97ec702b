package movement

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	theanswers "github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	thestrike "github.com/skaldrpg/skald/pkg/rules/rcr/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// OfferOpportunity asks every eligible enemy whether it takes an opportunity
// attack and carries out those taken, before the provoking act takes effect.
// The act is the caller's: it must look afterwards whether the provoker can
// still act.
//
// rcr.base.opportunity-frame
func OfferOpportunity(r *rules.Resolution, provoker string, why checks.Trigger, rule string, eligible []string, take *eventv1.TakeAction) {
	decisions := map[string]*eventv1.Decision{}
	var labels []string
	for _, id := range slices.Compact(slices.Sorted(slices.Values(eligible))) {
		if theanswers.MayOpportunity(r.State(), id, provoker) {
			label := "opportunity/" + id
			decisions[label] = theanswers.OpportunityDecision(r.State(), id, provoker, why, rule)
			labels = append(labels, label)
		}
	}
	if len(labels) == 0 {
		return
	}
	answers := r.AskAll(decisions, labels)
	for _, label := range labels {
		takeOpportunity(r, decisions[label].Creature, provoker, answers[label].Option, rule, take)
	}
}

func takeOpportunity(r *rules.Resolution, enemy, provoker, answer, rule string, take *eventv1.TakeAction) {
	atk := checks.AttackOf(r.Creature(enemy), answer)
	// An earlier attack may have changed what this one may do.
	if answer == "no" || atk == nil || !theanswers.MayOpportunity(r.State(), enemy, provoker) || body.Down(r.Creature(provoker)) {
		return
	}
	provoker = mountOrRider(r, enemy, provoker, atk)
	body.Spend(r, enemy, body.CReaction, "opportunity attack", cite.BaseOpportunityFrame)
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: enemy, Action: "opportunity-attack", Targets: []string{provoker}, Item: atk.Name}, rule)
	if body.Limited(atk.Usage) {
		body.Spend(r, enemy, body.UsesOf(atk.Name, atk.Usage), "used")
	}
	feet, known := body.Distance(r.Creature(enemy), r.Creature(provoker))
	if !known {
		feet = -1
	}
	o := thestrike.AttackOpts{Label: "opportunity/" + enemy, Kind: body.AttackKind{Melee: true, Distance: feet}}
	o.Cover, o.Edges = theanswers.StatedOpportunity(take, enemy)
	MakeAttack(r, r.Creature(enemy), r.Creature(provoker), atk, o)
}

// DecOpportunityTarget asks whether an opportunity attack that a mount has provoked
// is made on it or on one who rides it.
const DecOpportunityTarget = "opportunity-target"

// mountOrRider is whom an opportunity attack is made on: whoever provoked it, or one
// on it whom the attack reaches too. Passengers count as riders (a reading).
//
// rcr.mount.provoke-target-choice
func mountOrRider(r *rules.Resolution, enemy, provoker string, atk *eventv1.RcrAttack) string {
	const rule = cite.MountProvokeTargetChoice
	e, c := r.Creature(enemy), r.Creature(provoker)
	d := &eventv1.Decision{Name: DecOpportunityTarget, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: enemy, Cause: c.Name + " provokes",
		Question: "Attack the mount, or one who rides it?", DefaultOption: provoker, Rule: rule, Options: []*eventv1.DecisionOption{{Id: provoker, Text: c.Name, Rule: rule}}}
	for _, id := range body.RidersOf(r.State(), provoker) {
		rider := r.Creature(id)
		feet, known := body.Distance(e, rider)
		if !known {
			feet = 0
			if past := body.Seat(rider).Values[body.ValSeatPast] + body.Seat(rider).Values[body.ValSeatX]; past > 0 {
				feet = 5 + past
			}
		}
		if feet <= atk.ReachFeet && body.Hostile(e, rider) && !body.Dead(rider) && !checks.CharmedBy(e, id) && body.Perceives(r.State(), e, rider, feet) {
			d.Options = append(d.Options, &eventv1.DecisionOption{Id: id, Text: rider.Name, Rule: rule})
		}
	}
	if len(d.Options) == 1 {
		return provoker
	}
	return r.Ask("opportunity-target/"+enemy, d).Option
}
