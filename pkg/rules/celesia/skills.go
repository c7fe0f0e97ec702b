package celesia

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Rules of actions that are a check.
const (
	ruleDemoralize = cite.ActionDemoralize
	ruleKnowledge  = cite.ActionRecallKnowledge
	ruleSearch     = cite.ActionSearch
	ruleNet        = cite.ActionEscapeNet
	ruleExtinguish = cite.ActionExtinguish
	ruleSleight    = cite.ActionSleightOfHand
	ruleSleightAoo = cite.ActionSleightOfHandProvoke
	ruleAnimal     = cite.MountHandleAnimal
)

// condBurning is on a creature on fire; its variant names the saving throw, its
// value "dc" what that must reach.
const condBurning = "burning"

// condEntangled is on a creature in a net, then with the variant "net", or
// otherwise entangled.
const condEntangled = "entangled"

// skillActions are actions that come down to one check.
func skillActions() []*action {
	return []*action{
		{id: "demoralize", title: "Demoralize", rule: ruleDemoralize, acts: 1, trigger: "other", targeted: true,
			parameters: demoralizeParameters, refuse: refuseDemoralize, do: doDemoralize},
		{id: "recall-knowledge", title: "Recall knowledge", rule: ruleKnowledge, acts: 1, parameters: dcParameter, do: doCheck("lore", ruleKnowledge)},
		{id: "search", title: "Search", rule: ruleSearch, acts: 1, trigger: "other", provoke: searchProvokes, parameters: searchParameters,
			check: checkSearch, do: doCheck("perception", ruleSearch)},
		{id: "handle-animal", title: "Handle an animal", rule: ruleAnimal, acts: 1, parameters: dcParameter, do: doCheck("handle-animal", ruleAnimal)},
		{id: "sleight-of-hand", title: "Sleight of Hand", rule: ruleSleight, acts: 2, trigger: "other", parameters: sleightParameters,
			check: checkSleight, do: doSleight(0)},
		{id: "quick-sleight-of-hand", title: "Sleight of Hand at -20", rule: ruleSleight, acts: 1, trigger: "other", parameters: sleightParameters,
			check: checkSleight, do: doSleight(-20)},
		{id: "escape-net", title: "Escape from a net", rule: ruleNet, acts: 2, trigger: "other", provoke: always, refuse: refuseNet, do: doNet},
		{id: "extinguish", title: "Extinguish flames", rule: ruleExtinguish, acts: 2, trigger: "other", provoke: always, refuse: refuseExtinguish, do: doExtinguish},
	}
}

func dcParameter(*eventv1.State, *eventv1.Creature) []*eventv1.Parameter {
	return []*eventv1.Parameter{{Name: "dc", Type: "number", Text: "what to reach, by the game master; 10 when not given"}}
}

// doCheck makes a plain check of a skill.
//
// celesia.action.recall-knowledge, celesia.action.search, celesia.mount.handle-animal
func doCheck(skill, rule string) func(*rules.Resolution, *eventv1.Creature, *eventv1.TakeAction) error {
	return func(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
		k := rollKind{name: skill, broken: spoken.Truth(take.Facts, "broken_tool")}
		if skill == "perception" {
			k.purpose = "sight"
		}
		rollSkillCheck(r, "check/"+skill, c, k, dcOf(take), skill, nil, take.Circumstances, rule)
		return nil
	}
}

func demoralizeParameters(s *eventv1.State, c *eventv1.Creature) []*eventv1.Parameter {
	return append(dcParameter(s, c), choice("condition", "what a success brings; shaken when not given", false, condShaken, condFrightened, condPanicked),
		&eventv1.Parameter{Name: "rounds", Type: "number", Text: "how long, in turns of the speaker; 1 when not given"})
}

// refuseDemoralize: a foe within 30 feet that can see and hear.
//
// celesia.action.demoralize
func refuseDemoralize(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	t := s.Creatures[target(take)]
	if t == nil {
		return nil
	}
	feet, known := apart(take, c, t)
	switch {
	case t.Side == c.Side:
		return refuse("NO_FOE", ruleDemoralize, "%s is no foe", t.Name)
	case known && feet > 30:
		return refuse("OUT_OF_REACH", ruleDemoralize, "%s is %d feet away, 30 are the most", t.Name, feet)
	case has(t, "deafened") || stateFalse(take, "hears"):
		return refuse("CANNOT_HEAR", ruleDemoralize, "%s cannot hear it", t.Name)
	case has(t, condBlind) || helpless(t) || has(c, condInvisible) || stateFalse(take, "sees"):
		return refuse("CANNOT_SEE", ruleDemoralize, "%s cannot see it", t.Name)
	}
	return nil
}

// stateFalse tells whether the caller stated that something is not so.
func stateFalse(take *eventv1.TakeAction, key string) bool {
	v, ok := take.GetFacts().GetFields()[key]
	return ok && !v.GetBoolValue()
}

// doDemoralize frightens for as long as the game master says; DC and result are
// the skill's, which the caller knows (a reading).
//
// celesia.action.demoralize
func doDemoralize(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if !rollSkillCheck(r, "demoralize", c, rollKind{name: "intimidate"}, dcOf(take), "demoralize", nil, take.Circumstances, ruleDemoralize).Success() {
		return nil
	}
	name, until := spoken.Word(take.Parameters, "condition"), untilStart(c.Id)
	if name == "" {
		name = condShaken
	}
	if n, ok := spoken.Number(take.Parameters, "rounds"); ok {
		until.Turns = n
	}
	r.AddCondition(target(take), &eventv1.Condition{Name: name, Source: c.Id, Cause: "demoralized", Until: until, Rule: ruleDemoralize})
	return nil
}

func searchParameters(s *eventv1.State, c *eventv1.Creature) []*eventv1.Parameter {
	return append(dcParameter(s, c), choice("where", "a whole room for what is plain, or an area of 10 feet in detail", true, "room", "area"))
}

// searchProvokes: only the search of an area does.
//
// celesia.action.search
func searchProvokes(_ *eventv1.State, _ *eventv1.Creature, take *eventv1.TakeAction) (bool, string) {
	return spoken.Word(take.Parameters, "where") == "area", ""
}

func checkSearch(_ *eventv1.State, _ *eventv1.Creature, take *eventv1.TakeAction) error {
	if spoken.Word(take.Parameters, "where") == "" {
		return fault.Field("take.parameters.where", "missing")
	}
	return nil
}

func sleightParameters(s *eventv1.State, c *eventv1.Creature) []*eventv1.Parameter {
	return append(dcParameter(s, c), &eventv1.Parameter{Name: "from", Type: rules.TypeCreature, Text: "the creature that something is taken from"})
}

func checkSleight(_ *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if spoken.Word(take.Parameters, "from") == c.Id {
		return fault.Field("take.parameters.from", "names nobody else")
	}
	return nil
}

// doSleight palms something, in 2 acts or in 1 at -20; failed by 5 or more, the one it was to be taken
// from may make an attack of opportunity, and nobody else.
//
// celesia.action.sleight-of-hand, celesia.action.sleight-of-hand-provoke
func doSleight(haste int32) func(*rules.Resolution, *eventv1.Creature, *eventv1.TakeAction) error {
	return func(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
		rolled := rollSkillCheck(r, "sleight-of-hand", c, rollKind{name: "sleight-of-hand"}, dcOf(take), "sleight of hand",
			nonzero(mod(haste, "as a simple action", ruleSleight)), take.Circumstances, ruleSleight)
		if from := spoken.Word(take.Parameters, "from"); from != "" && rolled.Total <= dcOf(take)-5 {
			r.Note(rolled.Audience, c.Id, "the theft is noticed", ruleSleightAoo)
			window(r, provocation{by: c.Id, kind: "other", provokes: true, only: from, take: take})
		}
		return nil
	}
}

// netted is the net that a creature is in; nil when it is in none.
func netted(c *eventv1.Creature) *eventv1.Condition {
	for _, x := range c.GetConditions() {
		if x.Name == condEntangled && x.Variant == "net" {
			return x
		}
	}
	return nil
}

func refuseNet(_ *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	if netted(c) == nil {
		return refuse("NO_NET", ruleNet, "%s is in no net", c.Name)
	}
	return nil
}

// doNet is an Escape Artist check against DC 20.
//
// celesia.action.escape-net
func doNet(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if rollSkillCheck(r, "escape-net", c, rollKind{name: "escape-artist"}, 20, "escape from a net", nil, take.Circumstances, ruleNet).Success() {
		r.RemoveCondition(c.Id, netted(r.Creature(c.Id)), "escaped", ruleNet)
	}
	return nil
}

func refuseExtinguish(_ *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	switch {
	case !has(c, condBurning):
		return refuse("NOT_BURNING", ruleExtinguish, "%s is not on fire", c.Name)
	case has(c, condPinned):
		return refuse("PINNED", cite.ManeuverPin, "%s is pinned", c.Name)
	}
	return nil
}

// doExtinguish repeats the saving throw of the fire at +4: the one that the
// condition names, Reflex against DC 15 when it names none.
//
// celesia.action.extinguish
func doExtinguish(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	x := condition(c, condBurning)
	save, dc := x.Variant, x.Values["dc"]
	if !slices.Contains(saves, save) {
		save = "reflex"
	}
	if dc == 0 {
		dc = 15
	}
	care := &eventv1.Circumstance{Direction: "modifier", Value: 4, Cause: "extinguishing"}
	if rollSaving(r, "extinguish", c, save, dc, "extinguish flames", append(slices.Clone(take.Circumstances), care), ruleExtinguish).Success() {
		lift(r, c.Id, condBurning, "the fire is out", ruleExtinguish)
	}
	return nil
}
