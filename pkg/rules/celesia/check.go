package celesia

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// checkActions are checks and saving throws that the game master calls for.
func checkActions() []*action {
	return slices.Concat([]*action{
		{Action: play.Action{ID: "skill-check", Title: "Skill check", Rule: cite.TurnActionClasses, Group: play.GroupReferee, CostOf: priced(checkCost), Traits: whole,
			Referee: true, Fields: required("skill"), Check: judged(checkSkill), Do: done(doSkill)}},
		{Action: play.Action{ID: "reactive-check", Title: "Skill check out of turn", Rule: cite.SurpriseAwareness, Group: play.GroupReferee, Anytime: true, Early: true,
			Referee: true, Fields: reactive(), Check: judged(checkReactive), Do: done(doReactive)}},
		{Action: play.Action{ID: "saving-throw", Title: "Saving throw", Rule: cite.SpellDegreesSave, Group: play.GroupReferee, Anytime: true, Early: true, Referee: true,
			Fields: required("save"), Check: judged(checkSave), Do: done(doSave)}},
	}, skillActions(), abilityActions())
}

// checkCost is what the game master sets, one act when nothing is said.
func checkCost(_ *eventv1.Creature, take *eventv1.TakeAction) int32 {
	if n, ok := spoken.Number(take.GetParameters(), "acts"); ok {
		return n
	}
	return 1
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
	// The condition tells how the check came out: until the fight begins only those
	// know who saw the roll.
	switch was := condition(r.Creature(c.Id), condSurprised); {
	case was != nil && rolled.Success():
		r.Emit(rolled.Audience, &eventv1.ConditionRemoved{Creature: c.Id, Id: was.Id, Name: was.Name, Cause: "aware"}, cite.SurpriseAwareness)
	case was == nil && !rolled.Success():
		x := surprised("unaware of its opponents", cite.SurpriseAwareness)
		x.Id = condSurprised
		r.Emit(rolled.Audience, &eventv1.ConditionAdded{Creature: c.Id, Condition: x}, cite.SurpriseAwareness)
	}
	return nil
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
