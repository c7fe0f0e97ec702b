package strike

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
	"github.com/skaldrpg/skald/pkg/rules/celesia/mending"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

const (
	// DecAid is whether aid goes to the friend's attack or to its defense.
	DecAid = "aid-another"
	// DecAided is which of several friends who fight an opponent is aided.
	DecAided = "aid-another-friend"
)

// AidActions help a friend against an opponent, who is the target.
func AidActions() []*Action {
	return []*Action{{Action: play.Action{ID: "aid-another", Title: "Aid another", Rule: cite.ActionAidAnother, Group: play.GroupAid, Trigger: "other", Costs: body.Acts(1),
		Items: body.Ways(checks.MeleeNames), Least: 1, Most: 1, Refuse: body.Bars(refuseAid),
		Candidates:   checks.Those(func(c, t *eventv1.Creature) bool { return t.Side != c.Side }),
		RefuseTarget: answers.Aimed(refuseAided), Fields: aidFields,
		Check: checks.Judged(checkAid), Do: body.Done(doAid)}},
		{Action: play.Action{ID: "aid-check", Title: "Aid another's check", Rule: ruleAidOther, Group: play.GroupAid, Trigger: "other", Costs: body.Acts(1), Least: 1, Most: 1,
			Refuse:       body.Bars(refuseAidCheck),
			Candidates:   checks.Those(func(c, t *eventv1.Creature) bool { return t.Side == c.Side }),
			RefuseTarget: answers.Aimed(refuseAidCheck), Fields: Required("skill"), Check: checks.Judged(checkAidCheck),
			Do: body.Done(doAidCheck)}}}
}

const ruleAidOther = cite.ActionAidAnotherOther

// celesia.action.aid-another-other
func refuseAidCheck(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if t := s.Creatures[body.Target(take)]; t != nil && t.Side != c.Side {
		return body.Refuse("NO_FRIEND", ruleAidOther, "%s is no friend", t.Name)
	}
	return nil
}

func checkAidCheck(_ *eventv1.State, _ *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := body.NamesSkill("take.parameters.skill", spoken.Word(take.Parameters, "skill")); err != nil {
		return err
	}
	if v := spoken.Word(take.Parameters, "for"); v != "" && v != checks.AidSave {
		return body.NamesSkill("take.parameters.for", v)
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
	rolled := RollSkillCheck(r, "aid", c, body.RollKind{Name: skill}, checks.DcOf(take), "aid another", nil, take.Circumstances, ruleAidOther)
	amount := rolled.Degree
	if rolled.Success() {
		amount++
	}
	if amount != 0 {
		r.AddCondition(body.Target(take), &eventv1.Condition{Name: checks.CondAided, Variant: goes, Cause: "aid of " + c.Name, Until: checks.UntilStart(c.Id),
			Values: map[string]int32{"aid": amount}, Rule: ruleAidOther})
	}
	return nil
}

// refuseAid: the aider must be placed to make a melee attack on the opponent.
func refuseAid(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if w := body.WeaponOf(c, take.Item); w == nil || body.Ranged(w) {
		return body.Nameless("take.item", "melee weapon", c.GetName(), take.Item, checks.MeleeNames(s, c))
	}
	if len(answers.Friends(s, c)) == 0 {
		return body.Refuse("NO_FRIEND", cite.ActionAidAnother, "%s has no friend to aid", c.Name)
	}
	if t := s.Creatures[body.Target(take)]; t != nil && t.Side == c.Side {
		return body.Refuse("NO_OPPONENT", cite.ActionAidAnother, "%s is no opponent", t.Name)
	}
	return RefuseAttack(s, c, take)
}

// refuseAided: the opponent must also be in melee with a friend.
//
// celesia.action.aid-another, celesia.attack.engaged-definition
func refuseAided(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := refuseAid(s, c, take); err != nil {
		return err
	}
	if t := s.Creatures[body.Target(take)]; len(aidable(s, c, t, take)) == 0 {
		return notEngaged(t, "no friend of "+c.Name)
	}
	return nil
}

func notEngaged(t *eventv1.Creature, friend string) error {
	return body.Refuse("NOT_ENGAGED", cite.ActionAidAnother, "%s is in melee with %s", t.Name, friend)
}

// aidable are the friends whom an opponent is in melee with, as stated, else as
// measured. Where nobody knows, it may be.
//
// celesia.action.aid-another, celesia.attack.engaged-definition
func aidable(s *eventv1.State, c, t *eventv1.Creature, take *eventv1.TakeAction) []string {
	stated, said := take.GetFacts().GetFields()["friend_engaged"]
	return slices.DeleteFunc(answers.Friends(s, c), func(id string) bool {
		if said {
			return !stated.GetBoolValue()
		}
		f := s.Creatures[id]
		_, known := body.Distance(f, t)
		return known && f.GetSheet() != nil && t.GetSheet() != nil && !engages(f, t)
	})
}

func checkAid(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	f, t := spoken.Word(take.Parameters, "friend"), s.Creatures[body.Target(take)]
	switch {
	case f == "":
		return nil
	case !slices.Contains(answers.Friends(s, c), f):
		return fault.Field("take.parameters.friend", "%q is not one of %v", f, answers.Friends(s, c))
	case t != nil && !slices.Contains(aidable(s, c, t, take), f):
		return notEngaged(t, "others than "+s.Creatures[f].Name)
	}
	return nil
}

// aidedBy is the friend who is aided: the one named, else the one who is in melee with
// the opponent; of several the aider picks.
func aidedBy(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) string {
	if f := spoken.Word(take.Parameters, "friend"); f != "" {
		return f
	}
	t := r.Creature(body.Target(take))
	all := aidable(r.State(), c, t, take)
	if len(all) == 1 {
		return all[0]
	}
	d := &eventv1.Decision{Name: DecAided, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: c.Id, Cause: "aid another",
		Question: "Which friend who fights " + t.Name + " is aided?", DefaultOption: all[0], Rule: cite.ActionAidAnother}
	for _, id := range all {
		d.Options = append(d.Options, &eventv1.DecisionOption{Id: id, Text: r.Creature(id).GetName()})
	}
	return r.Ask("aided", d).Option
}

// doAid rolls against DV 10; the circumstances of the aider count, those of the
// opponent do not (a reading). Success gives 1 and 1 more for each full 10
// over; each full 10 under gives the friend's attack a penalty of 1.
//
// celesia.action.aid-another, celesia.action.aid-another-degrees, celesia.action.degrees-aid
func doAid(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	w, friend := body.WeaponOf(c, take.Item), aidedBy(r, c, take)
	edges, mods := checks.Stated(take.Circumstances, body.Target(take))
	kind := body.RollKind{Roll: checks.RollAttack, Broken: c.Items[w.Name].GetValues()[body.ValueBroken] > 0}
	rolled := checks.D20{Label: "aid", Creature: c.Id, Reason: "aid another", Edges: append(EdgesOf(r.Content(), c, nil, kind), edges...),
		Modifiers: append(append(mending.AttackModifiers(c, w, 0, false), manners.TradedRoll(r.Content(), c, body.Attack{Weapon: w})...), mods...), Target: &eventv1.TargetNumber{Kind: "DV", Value: 10},
		Judge: checks.Against(10), Rules: []string{cite.ActionAidAnother},
		Point: house.PointAttack + checks.Way(w), Env: checks.BlowEnv(r, body.Attack{Weapon: w, Take: take}, c, r.Creature(body.Target(take)))}.Roll(r)
	amount, goes := rolled.Degree, "attack"
	if rolled.Success() {
		amount++
		goes = r.Ask("aid", &eventv1.Decision{Name: DecAid, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: c.Id, Cause: "aid another",
			Question: "Aid the friend's attack or its defense?", DefaultOption: "attack", Rule: cite.ActionAidAnother,
			Options: []*eventv1.DecisionOption{{Id: "attack", Text: "Its next attack on that opponent"}, {Id: "defense", Text: "Its DV against that opponent's next attack"}}}).Option
	}
	if amount == 0 {
		return nil
	}
	r.AddCondition(friend, &eventv1.Condition{Name: checks.CondAided, Variant: goes, Source: body.Target(take), Cause: "aid of " + c.Name,
		Until: checks.UntilStart(c.Id), Values: map[string]int32{"aid": amount}, Rule: cite.ActionAidAnother})
	return nil
}
