package movement

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
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
			decisions[label].Options = append(decisions[label].Options, spellsAt(r, id, provoker, why)...)
			labels = append(labels, label)
		}
	}
	if len(labels) == 0 || unprovoked(r, provoker, take) {
		return
	}
	answers := r.AskAll(decisions, labels)
	for _, label := range labels {
		takeOpportunity(r, decisions[label].Creature, provoker, answers[label].Option, rule, take)
	}
}

func takeOpportunity(r *rules.Resolution, enemy, provoker, answer, rule string, take *eventv1.TakeAction) {
	if spell, cast := strings.CutPrefix(answer, spellPrefix); cast {
		if theanswers.MayOpportunity(r.State(), enemy, provoker) && !body.Down(r.Creature(provoker)) {
			castAt(r, enemy, provoker, spell)
		}
		return
	}
	atk := checks.AttackOf(r.Creature(enemy), answer)
	// An earlier attack may have changed what this one may do.
	if atk == nil || !theanswers.MayOpportunity(r.State(), enemy, provoker) || body.Down(r.Creature(provoker)) {
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
	if o.Cover, o.Edges = theanswers.StatedOpportunity(take, enemy); o.Cover == "" {
		o.Cover, _ = body.CoverBehind(r.State(), r.Creature(enemy), r.Creature(provoker), nil) // rcr.base.half-cover
	}
	if MakeAttack(r, r.Creature(enemy), r.Creature(provoker), atk, o) {
		stop(r, r.Creature(enemy), r.Creature(provoker))
	}
}

// stop leaves whom a sentinel hits with an opportunity attack no speed for the rest
// of the turn, unless it is more than one size larger.
//
// rcr.feat.sentinel-stop
func stop(r *rules.Resolution, sentinel, c *eventv1.Creature) {
	const rule = cite.FeatSentinelStop
	if !body.Feat(r.State(), sentinel, body.FeatSentinel, rule) || body.Dead(c) || larger(c, sentinel) > 1 {
		return
	}
	AddCondition(r, c.Id, &eventv1.Condition{Name: body.CondStopped, Source: sentinel.Id, Cause: "Sentinel", Rule: rule,
		Until: &eventv1.Until{When: body.UntilTurnEnd, Creature: c.Id, Turns: 1}})
}

// larger is by how many sizes a creature is larger than another; below 0 smaller.
func larger(a, b *eventv1.Creature) int {
	return slices.Index(thestrike.Sizes, a.GetSize()) - slices.Index(thestrike.Sizes, b.GetSize())
}

// unprovoked tells whether content keeps the act of a creature from provoking
// anybody; only the game master is told, since it would tell who lies in wait.
func unprovoked(r *rules.Resolution, provoker string, take *eventv1.TakeAction) bool {
	if take.GetCreature() != provoker {
		return false
	}
	if fliesBy(r.Creature(provoker), take) {
		return true
	}
	by, quiet := house.NoProvoke(r.Content(), r.State(), r.Creature(provoker), take.Action)
	if quiet {
		r.Note(event.GM(), provoker, take.Action+" provokes nobody: "+by.Title, by.Rule)
	}
	return quiet
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
		Question: "Attack the mount, or one who rides it?", DefaultOption: provoker, Rule: rule, Against: []string{provoker}, Options: []*eventv1.DecisionOption{{Id: provoker, Text: c.Name, Rule: rule}}}
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
