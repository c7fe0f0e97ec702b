package mending

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/declaring"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// brokenBones lists a patient's broken bones by whether they are set.
func brokenBones(c *eventv1.Creature, set int32) []*eventv1.Injury {
	var list []*eventv1.Injury
	for _, in := range c.GetInjuries() {
		if (in.Kind == body.InjuryBreak || in.Kind == body.InjuryBone) && in.Values["set"] == set {
			list = append(list, in)
		}
	}
	return list
}

// changeBone gives a broken bone new numbers.
func changeBone(r *rules.Resolution, id string, in *eventv1.Injury, set, saves int32) {
	next := &eventv1.Injury{Id: in.Id, Kind: in.Kind, Part: in.Part, Side: in.Side, Cause: in.Cause, Rule: in.Rule,
		Values: map[string]int32{"set": set, "saves": saves}}
	r.Emit(r.Audience(rules.FactInjury, in.Kind, id), &eventv1.InjuryAdded{Creature: id, Injury: next}, cite.HealingBrokenBone)
}

// SetBone makes the heal check that sets a broken bone: of several the one named
// by the parameter injury, the id of the injury, or the first. It gives no hit
// points, and a failed attempt may be repeated.
//
// spark.healing.heal-skill, spark.healing.broken-bone
func SetBone(r *rules.Resolution, c *eventv1.PatientCommand, id string) error {
	if in := boneToSet(r, c, id); healCheck(r, c, id, "set a broken bone") {
		changeBone(r, id, in, 1, 0)
	}
	return nil
}

// boneToSet is the broken bone that is to be set; nil when there is none.
func boneToSet(r *rules.Resolution, c *eventv1.PatientCommand, id string) *eventv1.Injury {
	named := spoken.Word(c.GetParameters(), "injury")
	for _, in := range brokenBones(r.Creature(id), 0) {
		if named == "" || in.Id == named {
			return in
		}
	}
	return nil
}

// checkBone says why there is no bone to set.
//
// spark.healing.heal-skill
func checkBone(r *rules.Resolution, c *eventv1.PatientCommand, id string) error {
	unset := brokenBones(r.Creature(id), 0)
	switch {
	case len(unset) == 0:
		return body.Refuse("NOTHING_TO_SET", cite.HealingHealSkill, "%q has no broken bone to set", id)
	case boneToSet(r, c, id) == nil:
		return fault.Field("command.patient.parameters.injury", "%q is no broken bone of %q that could be set", spoken.Word(c.GetParameters(), "injury"), id)
	}
	return nil
}

// checkBleeding says that a patient does not bleed.
//
// spark.healing.heal-skill
func checkBleeding(r *rules.Resolution, _ *eventv1.PatientCommand, id string) error {
	if p := r.Creature(id); !body.Has(p, body.CondBleeding) && !body.HasInjury(p, body.CondBleeding) {
		return body.Refuse("NOT_BLEEDING", cite.HealingHealSkill, "%q does not bleed", id)
	}
	return nil
}

// StopBleeding makes the heal check that stops a bleeding, which is a condition
// or an injury of that name.
//
// spark.healing.heal-skill
func StopBleeding(r *rules.Resolution, c *eventv1.PatientCommand, id string) error {
	if !healCheck(r, c, id, "stop a bleeding") {
		return nil
	}
	for _, x := range r.Creature(id).Conditions {
		if x.Name == body.CondBleeding {
			r.RemoveCondition(id, x, "heal skill", cite.HealingHealSkill)
		}
	}
	endInjuries(r, id, "heal skill", body.CondBleeding)
	return nil
}

// healCheck makes a check of the heal skill: of the user, or of the patient when
// nobody else does it, against the parameter dc.
//
// spark.healing.heal-skill, spark.fumble.checks
func healCheck(r *rules.Resolution, c *eventv1.PatientCommand, id, what string) bool {
	dc, given := spoken.Number(c.GetParameters(), "dc")
	if !given {
		dc = declaring.UsualDC
	}
	healer := r.Creature(id)
	if c.User != "" {
		healer = r.Creature(c.User) // the kernel has seen to it that there is one
	}
	rolled := body.Tried(r, rules.RollSpec{Label: "heal-skill/" + id, Creature: healer.Id, Reason: what,
		Modifiers: []*eventv1.Modifier{body.Mod(body.SheetOf(healer).HealSkill, "heal skill", cite.HealingHealSkill)}, Target: &eventv1.TargetNumber{Kind: "DC", Value: dc},
		Judge: body.JudgeCheck(dc, false), Rules: []string{cite.HealingHealSkill}}, body.PointHeal, nil, nil)
	return rolled.Success()
}

// MendBones lets a week pass: each bone that is set makes its save; the third
// success heals it, in a row or not.
//
// spark.healing.broken-bone
func MendBones(r *rules.Resolution, _ *eventv1.PatientCommand, id string) error {
	pass(r, id, 7*minutesDay)
	for _, in := range slices.Clone(brokenBones(r.Creature(id), 1)) {
		if !body.Save(r, r.Creature(id), "fortitude", declaring.UsualDC, "mend/"+id, "a broken bone mends", cite.HealingBrokenBone) {
			continue
		}
		if in.Values["saves"] >= 2 {
			r.Emit(r.Audience(rules.FactInjury, in.Kind, id), &eventv1.InjuryRemoved{Creature: id, Id: in.Id, Cause: "mended"}, cite.HealingBrokenBone)
			continue
		}
		changeBone(r, id, in, 1, in.Values["saves"]+1)
	}
	return nil
}

// RecoverLevels lets 24 hours pass for temporarily drained levels; the
// parameter bed means all of them in bed. Permanent losses need magic.
//
// spark.healing.level-drain, spark.healing.level-drain-bed-rest, spark.healing.permanent-needs-magic
func RecoverLevels(r *rules.Resolution, c *eventv1.PatientCommand, id string) error {
	pass(r, id, minutesDay)
	drained := r.Count(id, body.CLevelsTemporary)
	if drained < 1 {
		return nil
	}
	back, rule := int64(0), cite.HealingLevelDrain
	if spoken.Truth(c.GetParameters(), "bed") {
		back, rule = 1, cite.HealingLevelDrainBedRest
	}
	if body.Save(r, r.Creature(id), "fortitude", declaring.UsualDC, "levels/"+id, "drained levels return", rule) {
		back++
	}
	r.Set(id, body.CLevelsTemporary, max(0, drained-back), "recovery", rule)
	return nil
}
