package checks

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// TaskActions are checks delayed, graded, made by groups: the game master's calls.
func TaskActions() []*play.Action {
	call := func(a *play.Action) *play.Action {
		a.Group, a.Anytime, a.Referee = play.GroupReferee, true, true
		return a
	}
	return []*play.Action{
		call(&play.Action{ID: "delay-check", Title: "Do it now, roll when it matters", Rule: cite.DiceDelayedRoll,
			Refuse: func(at *play.At) error {
				return body.FirstError(dice.RefuseOff(at.State, cite.DiceDelayedRoll), body.RefuseDead(at.Actor))
			},
			Fields: func(at *play.At) []play.Field {
				return body.InspirationField([]play.Field{{Name: "task", Required: true}, body.SkillField(at), {Name: "sense"}}, at)
			}, Check: checkDelay, Do: body.Deed(doDelay)}),
		call(&play.Action{ID: "call-delayed", Title: "Roll a delayed check", Rule: cite.DiceDelayedRoll,
			Items: func(at *play.At) []string { return taskIDs(at, dice.TaskDelayed) }, Refuse: refuseTask(dice.TaskDelayed, cite.DiceDelayedRoll),
			Fields: func(*play.At) []play.Field { return []play.Field{{Name: "dc", Required: true}} }, Do: body.Deed(doCallDelayed)}),
		call(&play.Action{ID: "task-check", Title: "Make a check at a task", Rule: cite.DiceThreat,
			Items: func(at *play.At) []string { return append(taskIDs(at, dice.TaskChallenge), "") },
			Names: taskTitle, Refuse: refuseTaskCheck, Fields: taskFields, Check: checkTask, Do: doTask}),
		call(&play.Action{ID: "end-task", Title: "End a task", Rule: cite.DiceSafety,
			Items: func(at *play.At) []string { return taskIDs(at, "") }, Refuse: refuseTask("", cite.DiceSafety), Do: body.Deed(doEndTask)}),
		call(&play.Action{ID: "group-check", Title: "Make a group check", Rule: cite.DiceGroupCheck, Self: true,
			Range:        func(at *play.At) (int32, int32) { return 1, int32(len(at.State.Creatures)) },
			Refuse:       func(at *play.At) error { return dice.RefuseOff(at.State, cite.DiceGroupCheck) },
			RefuseTarget: refuseGroup,
			Fields: func(at *play.At) []play.Field {
				return []play.Field{groupField(at), {Name: "dc", Required: true}}
			}, Check: func(at *play.At) error { return body.RefuseSkill(at.Actor, body.SkillSaid(at.Take)) }, Do: body.Deed(doGroup)}),
	}
}

// groupField is the skill of a group check.
func groupField(at *play.At) play.Field {
	f := play.Field{Name: "skill", Required: true}
	if at.Listing {
		f.Listed = body.SkillValues
	}
	return f
}

// taskIDs are the tasks of a kind that a creature is at. A command is told by the
// rule what is none.
func taskIDs(at *play.At, kind string) (out []string) {
	if !at.Listing {
		return []string{at.Item()}
	}
	for _, t := range dice.TasksOf(at.State, at.Actor, kind) {
		out = append(out, t.Id)
	}
	return out
}

// refuseTask says that a creature is at no such task; any kind will do where none is
// given.
func refuseTask(kind, rule string) func(*play.At) error {
	return func(at *play.At) error {
		if t := at.State.Tasks[at.Item()]; t == nil || t.Creature != at.Actor.Id || kind != "" && t.Kind != kind {
			return body.Refuse("NO_TASK", rule, "%s is at no such task as %q", at.Actor.Name, at.Item())
		}
		return nil
	}
}

func checkDelay(at *play.At) error {
	_, err := dice.TaskName(at.Actor, at.Take)
	return body.FirstError(err, body.RefuseSkill(at.Actor, body.SkillSaid(at.Take)), body.RefuseInspired(at.Actor, at.Take))
}

// doDelay has a task done without a roll. Modifiers and what counts for or
// against it are recorded as they are now; exhaustion counts when it is rolled.
//
// rcr.dice.delayed-roll
func doDelay(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	const rule = cite.DiceDelayedRoll
	id, err := dice.TaskName(c, take)
	if err != nil {
		return err
	}
	skill := body.SkillSaid(take)
	id += "/" + dice.TaskDelayed
	for n, name := int32(2), id; r.State().Tasks[id] != nil; n++ {
		id = name + "-" + body.Itoa(n) // done once more: a check of its own
	}
	_, purpose, o := body.ReadCheck(take)
	bonus, _ := body.SkillBonus(c, skill)
	t := &eventv1.Task{Id: id, Creature: c.Id, Kind: dice.TaskDelayed, Status: "pending", Text: skill, Values: map[string]int32{},
		Modifiers: append([]*eventv1.Modifier{body.Mod(bonus, skill, rule)}, o.Modifiers...)}
	if o.Inspiration {
		r.Set(c.Id, body.CInspiration, 0, "advantage on a check", cite.BaseInspirationHeld)
		o.Edges = append(o.Edges, dice.Adv("inspiration", "inspiration", cite.BaseInspirationHeld))
	}
	t.Edges = dice.Merged(slices.Concat(dice.CheckEdgesOf(r.State(), c, body.Asked{Ability: dice.AbilityOf(skill), Skill: skill, Purpose: purpose, Water: o.Water}), o.Edges, dice.UseHelp(r, c, skill)), o.Kinds)
	if _, fails := dice.AutoFailCheck(r.State(), c, purpose, o.Water); fails {
		t.Values[dice.ValFails] = 1
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "delay-check", Item: skill})
	r.Emit(event.Controllers(c.Id), &eventv1.TaskSet{Task: t}, rule)
	return nil
}

// doCallDelayed rolls a delayed check now that its outcome matters. What is stated of
// the roll weighs beside what was recorded when the task was done.
//
// rcr.dice.delayed-roll
func doCallDelayed(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	const rule = cite.DiceDelayedRoll
	t := r.State().Tasks[take.Item]
	dc, _ := spoken.Number(take.Parameters, "dc")
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "call-delayed", Item: t.Text, Notes: body.StatedNotes(take)})
	edges, mods := body.StatedEdges(take.Circumstances, c.Id)
	outcome, seen := "failure", dice.Everyone
	if t.Values[dice.ValFails] == 0 {
		rolled := dice.D20{Label: "delayed/" + t.Text, Creature: c, Reason: "delayed " + t.Text + " check", Modifiers: slices.Concat(t.Modifiers, mods),
			Edges:  dice.Merged(slices.Concat(t.Edges, edges), body.Renamed(take.Facts, "kinds")),
			Target: dice.Difficulty(dc), Rules: []string{rule}}.Roll(r)
		if !rolled.Success() {
			rolled = dice.Fudge(r, "delayed/"+t.Text, c, dc, rolled, nil)
		}
		outcome, seen = rolled.Outcome, rolled.Audience
	}
	if seen.GetKind() != eventv1.Audience_KIND_EVERYONE { // that it is over all may know
		r.Note(seen, c.Id, "delayed "+t.Text+" check: "+outcome, rule)
		outcome = "rolled"
	}
	r.Emit(event.Everyone(), &eventv1.TaskEnded{Id: t.Id, Outcome: outcome}, rule)
	return nil
}

// doEndTask ends a task: its Safeties are lost, a check never called for was
// never made.
//
// rcr.dice.safety, rcr.dice.delayed-roll
func doEndTask(r *rules.Resolution, _ *eventv1.Creature, take *eventv1.TakeAction) error {
	t := r.State().Tasks[take.Item]
	outcome := "ended"
	if t.Kind == dice.TaskDelayed {
		outcome = "dropped"
	}
	r.Emit(event.Everyone(), &eventv1.TaskEnded{Id: t.Id, Outcome: outcome}, cite.DiceSafety)
	return nil
}

func refuseGroup(at *play.At, t *eventv1.Creature) error {
	if body.Hostile(at.Actor, t) || body.Dead(t) {
		return body.Refuse("NOT_IN_GROUP", cite.DiceGroupCheck, "%s is none of the group", t.GetName())
	}
	return nil
}

// doGroup has a group make the same check together. A natural 1 counts as two
// failures and a natural 20 as two successes, whatever the total; a tie goes by
// the table's setting.
//
// rcr.dice.group-check
func doGroup(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	const rule = cite.DiceGroupCheck
	skill := body.SkillSaid(take)
	dc, _ := spoken.Number(take.Parameters, "dc")
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "group-check", Item: skill, Targets: take.Targets, Notes: body.StatedNotes(take)})
	successes, failures, seen := 0, 0, dice.Everyone
	for _, id := range take.Targets {
		edges, mods := body.StatedEdges(take.Circumstances, id)
		rolled := dice.RollCheck(r, "group/"+skill+"/"+id, r.Creature(id), skill, dc, "", body.CheckOpts{Edges: edges, Modifiers: mods, Kinds: body.Renamed(take.Facts, "kinds"), Water: body.SaidOfWater(take.Facts), Rules: []string{rule}})
		seen = dice.Narrower(seen, rolled.Audience)
		switch {
		case rolled.Natural == 20:
			successes += 2
		case rolled.Natural == 1:
			failures += 2
		case rolled.Success():
			successes++
		default:
			failures++
		}
	}
	outcome := "failure"
	if successes > failures || successes == failures && r.Value(body.SetGroupTie) == "success" {
		outcome = "success"
	}
	r.Note(seen, c.Id, "group check: "+body.Itoa(int32(successes))+" to "+body.Itoa(int32(failures))+", "+outcome, rule)
	return nil
}

func taskTitle(at *play.At) string {
	if t := at.State.Tasks[at.Item()]; t != nil {
		return "Go on with: " + t.Text
	}
	return "Begin a task with a check"
}

func refuseTaskCheck(at *play.At) error {
	if err := body.RefuseDead(at.Actor); err != nil || at.Item() == "" {
		return err
	}
	if err := refuseTask(dice.TaskChallenge, cite.DiceThreat)(at); err != nil {
		return err
	}
	return refuseBarred(at.State.Tasks[at.Item()])
}

func taskFields(at *play.At) []play.Field {
	out := body.Offer(nil, at, at.Item() == "", play.Field{Name: "task", Required: true})
	out = append(append(out, body.SkillField(at)), body.CheckFields(at, true)...)
	tool := play.Field{Name: "tool"}
	if at.Listing {
		tool.Values = body.ToolNames(at.Actor)
	}
	out = body.Offer(out, at, len(tool.Values) > 0, tool)
	return body.Offer(out, at, body.Defaults.On(at.State, cite.DiceDegreesOfSuccess), play.Field{Name: "degrees"})
}

func checkTask(at *play.At) error {
	c, take := at.Actor, at.Take
	t, err := taskOf(at.State, c, take)
	if err != nil {
		return err
	}
	if tool := spoken.Word(take.Parameters, "tool"); tool != "" && !slices.Contains(body.ToolNames(c), tool) {
		err = body.NoSuch("take.parameters.tool", tool, "tool of "+c.Name, body.ToolNames(c))
	}
	err = body.FirstError(refuseBarred(t), body.RefuseSkill(c, body.SkillSaid(take)), err, body.RefuseInspired(c, take))
	if err == nil && spoken.Truth(take.Parameters, "degrees") {
		err = dice.RefuseOff(at.State, cite.DiceDegreesOfSuccess)
	}
	if dc, _ := spoken.Number(take.Parameters, "dc"); err == nil && dc == 0 {
		return body.Missing("dc")
	}
	return err
}

// doTask makes a check at a task. With the parameter degrees it is graded (a
// reading: then Threats and Safeties are left aside, since the degrees say what
// a failure means); otherwise Threats and Safeties apply.
//
// rcr.dice.threat, rcr.dice.safety, rcr.dice.degrees-of-success
func doTask(r *rules.Resolution, at *play.At) error {
	c, take, skill := r.Creature(at.Actor.Id), at.Take, body.SkillSaid(at.Take)
	t, err := taskOf(r.State(), c, take)
	if err != nil {
		return err
	}
	dc, sense, o := body.ReadCheck(take)
	a := &attempt{r: r, id: c.Id, task: t, skill: skill, dc: dc, sense: sense, opts: o, seen: dice.Everyone,
		allowed: !r.On(cite.DiceThreatSafetyProficiency) || proficientWith(c, skill, spoken.Word(take.Parameters, "tool"))}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "task-check", Item: skill, Notes: append([]string{t.Text}, body.StatedNotes(take)...)})
	if spoken.Truth(take.Parameters, "degrees") {
		a.grade(take)
		return nil
	}
	a.dare()
	return nil
}
