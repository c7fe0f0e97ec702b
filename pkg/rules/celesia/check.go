package celesia

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// checkActions are checks and saving throws that the game master calls for.
func checkActions() []*action {
	return slices.Concat([]*action{
		{id: "skill-check", title: "Skill check", rule: cite.TurnActionClasses, cost: checkCost, check: checkSkill, parameters: skillParameters, do: doSkill, whole: true},
		{id: "reactive-check", title: "Skill check out of turn", rule: cite.SurpriseAwareness, anytime: true, early: true, check: checkReactive,
			parameters: reactiveParameters, do: doReactive},
		{id: "saving-throw", title: "Saving throw", rule: cite.SpellDegreesSave, anytime: true, early: true, check: checkSave, parameters: saveParameters, do: doSave},
	}, skillActions(), abilityActions())
}

// GMOnly tells which actions are calls of the game master.
func (System) GMOnly(action string) bool {
	return action == "skill-check" || action == "reactive-check" || action == "saving-throw" || action == "set-off"
}

// BeforeStart tells which actions need no fight under way: checks and saving
// throws that the game master calls for, such as those that settle who is aware.
//
// celesia.surprise.awareness
func (System) BeforeStart(action string) bool {
	a := actionOf(action)
	return a != nil && a.early
}

// checkCost is what the game master sets, one act when nothing is said.
func checkCost(_ *eventv1.Creature, take *eventv1.TakeAction) int32 {
	if n, ok := spoken.Number(take.GetParameters(), "acts"); ok {
		return n
	}
	return 1
}

func skillParameters(*eventv1.State, *eventv1.Creature) []*eventv1.Parameter {
	return []*eventv1.Parameter{choice("skill", "the skill", true, rules.SortedKeys(skillAbilities)...),
		{Name: "dc", Type: "number", Text: "what to reach, 10 when not given"},
		{Name: "acts", Type: "number", Text: "acts it takes, 0 to 3; 1 when not given"},
		choice("purpose", "what it is for", false, "sight", "opposed", "reaction")}
}

func checkSkill(_ *eventv1.State, _ *eventv1.Creature, take *eventv1.TakeAction) error {
	return namesSkill("take.parameters.skill", spoken.Word(take.Parameters, "skill"))
}

// namesSkill refuses what is no skill, nor a kind of one.
func namesSkill(field, name string) error {
	if skillAbility(name) == "" {
		known := rules.SortedKeys(skillAbilities)
		return fault.Field(field, "%q names no skill%s; known are %v", name, rules.DidYouMean(name, known), known)
	}
	return nil
}

func dcOf(take *eventv1.TakeAction) int32 {
	if dc, ok := spoken.Number(take.Parameters, "dc"); ok {
		return dc
	}
	return 10
}

func doSkill(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	k := rollKind{name: spoken.Word(take.Parameters, "skill"), purpose: spoken.Word(take.Parameters, "purpose"), broken: spoken.Truth(take.Facts, "broken_tool")}
	rollSkillCheck(r, "check/"+k.name, c, k, dcOf(take), k.name, nil, take.Circumstances, cite.DiceCircumstanceTable)
	return nil
}

func reactiveParameters(s *eventv1.State, _ *eventv1.Creature) []*eventv1.Parameter {
	out := []*eventv1.Parameter{choice("skill", "the skill", true, rules.SortedKeys(skillAbilities)...),
		{Name: "dc", Type: "number", Text: "what to reach, 10 when not given"},
		choice("purpose", "what it is for", false, "sight", "opposed")}
	if s.Status == eventv1.State_STATUS_OPEN {
		out = append(out, &eventv1.Parameter{Name: "awareness", Type: "boolean",
			Text: "whether it settles who is aware: who fails is unaware of its opponents when the fight begins, who succeeds is aware"})
	}
	return out
}

func checkReactive(s *eventv1.State, _ *eventv1.Creature, take *eventv1.TakeAction) error {
	if spoken.Truth(take.Parameters, "awareness") && s.Status != eventv1.State_STATUS_OPEN {
		return refuse("STARTED", cite.SurpriseAwareness, "who is aware was settled when the fight began")
	}
	return namesSkill("take.parameters.skill", spoken.Word(take.Parameters, "skill"))
}

// doReactive makes a check that is called for in anybody's turn, such as one to
// notice a foe; it takes neither act nor reaction. Before the fight it may settle
// whether the creature is aware of its opponents.
//
// celesia.surprise.awareness, celesia.dice.dis-fascinated, celesia.dice.dis-deafened
func doReactive(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	k := rollKind{name: spoken.Word(take.Parameters, "skill"), purpose: spoken.Word(take.Parameters, "purpose"), reactive: true, broken: spoken.Truth(take.Facts, "broken_tool")}
	rolled := rollSkillCheck(r, "check/"+k.name, c, k, dcOf(take), k.name, nil, take.Circumstances, cite.DiceCircumstanceTable)
	if !spoken.Truth(take.Parameters, "awareness") {
		return nil
	}
	mark := "yes"
	if rolled.Success() {
		mark = ""
	}
	// The mark tells how the check came out: until the fight begins only those know
	// who saw the roll.
	if c.Marks[mUnaware] != mark {
		r.Emit(rolled.Audience, &eventv1.MarkSet{Subject: c.Id, Mark: mUnaware, Value: mark}, cite.SurpriseAwareness)
	}
	return nil
}

func saveParameters(*eventv1.State, *eventv1.Creature) []*eventv1.Parameter {
	return []*eventv1.Parameter{choice("save", "which", true, saves...),
		{Name: "dc", Type: "number", Text: "what to reach, 10 when not given"}}
}

func checkSave(_ *eventv1.State, _ *eventv1.Creature, take *eventv1.TakeAction) error {
	if spoken.Word(take.Parameters, "save") == "" {
		return fault.Field("take.parameters.save", "missing")
	}
	return nil
}

func doSave(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	rollSaving(r, "save/"+c.Id, c, spoken.Word(take.Parameters, "save"), dcOf(take), "saving throw", take.Circumstances, cite.DiceCircumstanceTable)
	return nil
}
