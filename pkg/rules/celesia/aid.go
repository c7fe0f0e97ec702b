package celesia

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// condAided is on a friend who was aided against the creature that is its source.
const condAided = "aided"

// decAid is whether aid goes to the friend's attack or to its defense.
const decAid = "aid-another"

// aidActions help a friend against an opponent, who is the target.
func aidActions() []*action {
	return []*action{{id: "aid-another", title: "Aid another", rule: cite.ActionAidAnother, acts: 1, trigger: "other", targeted: true,
		items: meleeNames, refuse: refuseAid, check: checkAid, parameters: aidParameters, do: doAid},
		{id: "aid-check", title: "Aid another's check", rule: ruleAidOther, acts: 1, trigger: "other", targeted: true,
			refuse: refuseAidCheck, check: checkAidCheck, parameters: aidCheckParameters, do: doAidCheck}}
}

const ruleAidOther = cite.ActionAidAnotherOther

// aidSave is what is aided when it is a saving throw.
const aidSave = "save"

func aidCheckParameters(*eventv1.State, *eventv1.Creature) []*eventv1.Parameter {
	skills := rules.SortedKeys(skillAbilities)
	return []*eventv1.Parameter{choice("skill", "the skill that the helper rolls", true, skills...),
		choice("for", "what is aided: a skill or a save; the same skill when not given", false, append([]string{aidSave}, skills...)...),
		{Name: "dc", Type: "number", Text: "what to reach, by the game master; 10 when not given"}}
}

// celesia.action.aid-another-other
func refuseAidCheck(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if t := s.Creatures[target(take)]; t != nil && t.Side != c.Side {
		return refuse("NO_FRIEND", ruleAidOther, "%s is no friend", t.Name)
	}
	return nil
}

func checkAidCheck(_ *eventv1.State, _ *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := namesSkill("take.parameters.skill", spoken.Word(take.Parameters, "skill")); err != nil {
		return err
	}
	if v := spoken.Word(take.Parameters, "for"); v != "" && v != aidSave {
		return namesSkill("take.parameters.for", v)
	}
	return nil
}

// doAidCheck helps a friend's next check of a skill, or saving throw, in the
// manner of aid in melee.
//
// celesia.action.aid-another-other, celesia.action.degrees-aid
func doAidCheck(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	skill, goes := spoken.Word(take.Parameters, "skill"), spoken.Word(take.Parameters, "for")
	if goes == "" {
		goes = skill
	}
	rolled := rollSkillCheck(r, "aid", c, rollKind{name: skill}, dcOf(take), "aid another", nil, take.Circumstances, ruleAidOther)
	amount := rolled.Degree
	if rolled.Success() {
		amount++
	}
	if amount != 0 {
		r.AddCondition(target(take), &eventv1.Condition{Name: condAided, Variant: goes, Cause: "aid of " + c.Name, Until: untilStart(c.Id),
			Values: map[string]int32{"aid": amount}, Rule: ruleAidOther})
	}
	return nil
}

// friends lists those whom a creature can aid.
func friends(s *eventv1.State, c *eventv1.Creature) []string {
	var out []string
	for _, id := range rules.SortedKeys(s.Creatures) {
		if f := s.Creatures[id]; id != c.Id && f.Side == c.Side && !dead(f) {
			out = append(out, id)
		}
	}
	return out
}

func aidParameters(s *eventv1.State, c *eventv1.Creature) []*eventv1.Parameter {
	return []*eventv1.Parameter{choice("friend", "who is aided", true, friends(s, c)...)}
}

// refuseAid: the aider must be placed to make a melee attack on the opponent.
func refuseAid(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if w := weaponOf(c, take.Item); w == nil || ranged(w) {
		return nameless("take.item", "melee weapon", c.GetName(), take.Item, meleeNames(s, c))
	}
	if len(friends(s, c)) == 0 {
		return refuse("NO_FRIEND", cite.ActionAidAnother, "%s has no friend to aid", c.Name)
	}
	if t := s.Creatures[target(take)]; t != nil && t.Side == c.Side {
		return refuse("NO_OPPONENT", cite.ActionAidAnother, "%s is no opponent", t.Name)
	}
	return refuseAttack(s, c, take)
}

func checkAid(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if f := spoken.Word(take.Parameters, "friend"); !slices.Contains(friends(s, c), f) {
		return fault.Field("take.parameters.friend", "%q is not one of %v", f, friends(s, c))
	}
	return nil
}

// doAid rolls against DV 10; the circumstances of the aider count, those of the
// opponent do not (a reading). Success gives 1 and 1 more for each full 10
// over; each full 10 under gives the friend's attack a penalty of 1.
//
// celesia.action.aid-another, celesia.action.aid-another-degrees, celesia.action.degrees-aid
func doAid(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	w, friend := weaponOf(c, take.Item), spoken.Word(take.Parameters, "friend")
	edges, mods := stated(take.Circumstances, target(take))
	if has(c, condDefensive) {
		edges = append(edges, defensiveEdge())
	}
	rolled := d20{label: "aid", creature: c.Id, reason: "aid another", edges: append(edgesOf(c, nil, rollKind{roll: rollAttack}), edges...),
		modifiers: append(append(attackModifiers(c, w, 0, false), tradedRoll(c, attack{weapon: w})...), mods...), target: &eventv1.TargetNumber{Kind: "DV", Value: 10},
		judge: against(10), rules: []string{cite.ActionAidAnother}}.roll(r)
	amount, goes := rolled.Degree, "attack"
	if rolled.Success() {
		amount++
		goes = r.Ask("aid", &eventv1.Decision{Name: decAid, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: c.Id, Cause: "aid another",
			Question: "Aid the friend's attack or its defense?", DefaultOption: "attack", Rule: cite.ActionAidAnother,
			Options: []*eventv1.DecisionOption{{Id: "attack", Text: "Its next attack on that opponent"}, {Id: "defense", Text: "Its DV against that opponent's next attack"}}}).Option
	}
	if amount == 0 {
		return nil
	}
	r.AddCondition(friend, &eventv1.Condition{Name: condAided, Variant: goes, Source: target(take), Cause: "aid of " + c.Name,
		Until: untilStart(c.Id), Values: map[string]int32{"aid": amount}, Rule: cite.ActionAidAnother})
	return nil
}

// useAid takes up the aid that a creature has for an attack on or by another;
// it counts for the first such attack only. Aid of several creatures adds up.
//
// celesia.action.aid-another-expiry, celesia.action.aid-another-stack
func useAid(r *rules.Resolution, id, variant, against string) []*eventv1.Modifier {
	var out []*eventv1.Modifier
	for _, x := range slices.Clone(r.Creature(id).Conditions) {
		if x.Name == condAided && x.Variant == variant && x.Source == against {
			out = append(out, mod(x.Values["aid"], x.Cause, x.Rule))
			r.RemoveCondition(id, x, "used", cite.ActionAidAnotherExpiry)
		}
	}
	return out
}
