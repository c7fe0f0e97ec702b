package strike

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// DoCheck makes a plain check of a skill.
//
// celesia.action.recall-knowledge, celesia.action.search, celesia.mount.handle-animal
func DoCheck(skill, rule string) func(*rules.Resolution, *eventv1.Creature, *eventv1.TakeAction) error {
	return func(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
		k := body.RollKind{Name: skill, Broken: spoken.Truth(take.Facts, "broken_tool")}
		if skill == "perception" {
			k.Purpose = "sight"
		}
		RollSkillCheck(r, "check/"+skill, c, k, checks.DcOf(take), skill, nil, take.Circumstances, rule)
		return nil
	}
}

// RefuseDemoralize: a foe within 30 feet that can see and hear.
//
// celesia.action.demoralize
func RefuseDemoralize(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	t := s.Creatures[body.Target(take)]
	if t == nil {
		return nil
	}
	feet, _ := body.Apart(take, c, t)
	switch {
	case t.Side == c.Side:
		return body.Refuse("NO_FOE", checks.RuleDemoralize, "%s is no foe", t.Name)
	case feet > 30:
		return body.Refuse("OUT_OF_REACH", checks.RuleDemoralize, "%s is %d feet away, 30 are the most", t.Name, feet)
	case body.Has(t, "deafened") || checks.StateFalse(take, "hears"):
		return body.Refuse("CANNOT_HEAR", checks.RuleDemoralize, "%s cannot hear it", t.Name)
	case body.Has(t, body.CondBlind) || Helpless(t) || body.Has(c, body.CondInvisible) || checks.StateFalse(take, "sees"):
		return body.Refuse("CANNOT_SEE", checks.RuleDemoralize, "%s cannot see it", t.Name)
	}
	return nil
}

// DoDemoralize frightens for as long as the game master says; DC and result are
// the skill's, which the caller knows (a reading).
//
// celesia.action.demoralize
func DoDemoralize(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if !RollSkillCheck(r, "demoralize", c, body.RollKind{Name: "intimidate"}, checks.DcOf(take), "demoralize", nil, take.Circumstances, checks.RuleDemoralize).Success() {
		return nil
	}
	name, until := spoken.Word(take.Parameters, "condition"), checks.UntilStart(c.Id)
	if name == "" {
		name = body.CondShaken
	}
	if n, ok := spoken.Number(take.Parameters, "rounds"); ok {
		until.Turns = n
	}
	body.Inflict(r, body.Target(take), &eventv1.Condition{Name: name, Source: c.Id, Cause: "demoralized", Until: until, Rule: checks.RuleDemoralize})
	return nil
}

// DoNet is an Escape Artist check against DC 20.
//
// celesia.action.escape-net
func DoNet(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if RollSkillCheck(r, "escape-net", c, body.RollKind{Name: "escape-artist"}, 20, "escape from a net", nil, take.Circumstances, checks.RuleNet).Success() {
		r.RemoveCondition(c.Id, checks.Netted(r.Creature(c.Id)), "escaped", checks.RuleNet)
	}
	return nil
}

// DoExtinguish repeats the saving throw of the fire at +4: the one that the
// condition names, Reflex against DC 15 when it names none.
//
// celesia.action.extinguish
func DoExtinguish(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	x := body.Condition(c, checks.CondBurning)
	save, dc := x.Variant, x.Values["dc"]
	if !slices.Contains(body.Saves, save) {
		save = "reflex"
	}
	if dc == 0 {
		dc = 15
	}
	care := &eventv1.Circumstance{Direction: "modifier", Value: 4, Cause: "extinguishing"}
	if RollSaving(r, "extinguish", c, nil, save, dc, "extinguish flames", append(slices.Clone(take.Circumstances), care), checks.RuleExtinguish).Success() {
		body.Lift(r, c.Id, checks.CondBurning, "the fire is out", checks.RuleExtinguish)
	}
	return nil
}
