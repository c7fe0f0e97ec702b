package strike

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// DoSkill makes a check of the skill named against DcOf, at the purpose and with the
// tool that are stated.
func DoSkill(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	k := body.RollKind{Name: spoken.Word(take.Parameters, "skill"), Purpose: spoken.Word(take.Parameters, "purpose"), Broken: spoken.Truth(take.Facts, "broken_tool")}
	RollSkillCheck(r, "check/"+k.Name, c, k, checks.DcOf(take), k.Name, nil, take.Circumstances, cite.DiceCircumstanceTable)
	return nil
}

// DoReactive makes a check that is called for in anybody's turn, such as one to
// notice a foe; it takes neither act nor reaction. Before the fight it may settle
// whether the creature is aware of its opponents.
//
// celesia.surprise.awareness, celesia.dice.dis-fascinated, celesia.dice.dis-deafened
func DoReactive(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	k := body.RollKind{Name: spoken.Word(take.Parameters, "skill"), Purpose: spoken.Word(take.Parameters, "purpose"), Reactive: true, Broken: spoken.Truth(take.Facts, "broken_tool")}
	rolled := RollSkillCheck(r, "check/"+k.Name, c, k, checks.DcOf(take), k.Name, nil, take.Circumstances, cite.DiceCircumstanceTable)
	if !spoken.Truth(take.Parameters, "awareness") {
		return nil
	}
	// The condition tells how the check came out: until the fight begins only those
	// know who saw the roll.
	switch was := body.Condition(r.Creature(c.Id), body.CondSurprised); {
	case was != nil && rolled.Success():
		r.Emit(rolled.Audience, &eventv1.ConditionRemoved{Creature: c.Id, Id: was.Id, Name: was.Name, Cause: "aware"}, cite.SurpriseAwareness)
	case was == nil && !rolled.Success():
		x := checks.Surprised("unaware of its opponents", cite.SurpriseAwareness)
		x.Id = body.CondSurprised
		r.Emit(rolled.Audience, &eventv1.ConditionAdded{Creature: c.Id, Condition: x}, cite.SurpriseAwareness)
	}
	return nil
}

// DoAbility makes a check of the ability named alone, against DcOf.
//
// celesia.dice.circumstance-table
func DoAbility(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	ability, dc := spoken.Word(take.Parameters, "ability"), checks.DcOf(take)
	edges, mods := checks.Stated(take.Circumstances, c.Id)
	edges = append(EdgesOf(r.Content(), c, nil, body.RollKind{Roll: checks.RollAbility, Name: ability}), edges...)
	checks.D20{Label: "check/" + ability, Creature: c.Id, Reason: ability, Edges: edges,
		Modifiers: append(body.Nonzero(body.Mod(body.Modifier(c, ability), ability, cite.DiceCircumstanceTable)), mods...),
		Target:    &eventv1.TargetNumber{Kind: "DC", Value: dc}, Judge: checks.Against(dc), Rules: []string{cite.DiceCircumstanceTable},
		Point: house.PointCheck + "/" + ability}.Roll(r)
	return nil
}

// DoSave makes the saving throw named against DcOf.
func DoSave(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	RollSaving(r, "save/"+c.Id, c, nil, spoken.Word(take.Parameters, "save"), checks.DcOf(take), "saving throw", take.Circumstances, cite.DiceCircumstanceTable)
	return nil
}
