package rcr

import (
	"slices"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// taskActions are checks delayed, graded, made by groups: the game master's calls.
func taskActions() []*play.Action {
	call := func(a *play.Action) *play.Action {
		a.Group, a.Anytime, a.Referee = play.GroupReferee, true, true
		return a
	}
	return []*play.Action{
		call(&play.Action{ID: "delay-check", Title: "Do it now, roll when it matters", Rule: cite.DiceDelayedRoll,
			Refuse: func(at *play.At) error {
				return firstError(refuseOff(at.State, cite.DiceDelayedRoll), refuseDead(at.Actor))
			},
			Fields: func(at *play.At) []play.Field {
				return inspirationField([]play.Field{{Name: "task", Required: true}, skillField(at), {Name: "sense"}}, at)
			}, Check: checkDelay, Do: deed(doDelay)}),
		call(&play.Action{ID: "call-delayed", Title: "Roll a delayed check", Rule: cite.DiceDelayedRoll,
			Items: func(at *play.At) []string { return taskIDs(at, taskDelayed) }, Refuse: refuseTask(taskDelayed, cite.DiceDelayedRoll),
			Fields: func(*play.At) []play.Field { return []play.Field{{Name: "dc", Required: true}} }, Do: deed(doCallDelayed)}),
		call(&play.Action{ID: "task-check", Title: "Make a check at a task", Rule: cite.DiceThreat,
			Items: func(at *play.At) []string { return append(taskIDs(at, taskChallenge), "") },
			Names: taskTitle, Refuse: refuseTaskCheck, Fields: taskFields, Check: checkTask, Do: doTask}),
		call(&play.Action{ID: "end-task", Title: "End a task", Rule: cite.DiceSafety,
			Items: func(at *play.At) []string { return taskIDs(at, "") }, Refuse: refuseTask("", cite.DiceSafety), Do: deed(doEndTask)}),
		call(&play.Action{ID: "group-check", Title: "Make a group check", Rule: cite.DiceGroupCheck, Self: true,
			Range:        func(at *play.At) (int32, int32) { return 1, int32(len(at.State.Creatures)) },
			Refuse:       func(at *play.At) error { return refuseOff(at.State, cite.DiceGroupCheck) },
			RefuseTarget: refuseGroup,
			Fields: func(at *play.At) []play.Field {
				return []play.Field{groupField(at), {Name: "dc", Required: true}}
			}, Check: func(at *play.At) error { return refuseSkill(at.Actor, skillSaid(at.Take)) }, Do: deed(doGroup)}),
	}
}

// skillValues and abilityValues are what every creature can be asked to roll, made once.
var (
	skillValues   = madeOf(plainSkills)
	abilityValues = madeOf(abilities)
	plainValues   = slices.Concat(skillValues, abilityValues)
)

func madeOf(names []string) []*structpb.Value {
	out := make([]*structpb.Value, len(names))
	for i, name := range names {
		out[i] = structpb.NewStringValue(name)
	}
	return out
}

// skillField is the skill, tool or ability of a check. A command's is judged by
// itself.
func skillField(at *play.At) play.Field {
	f := play.Field{Name: "skill", Required: true}
	switch tools := toolNames(at.Actor); {
	case !at.Listing:
	case len(tools) == 0:
		f.Listed = plainValues
	default:
		f.Listed = slices.Concat(skillValues, madeOf(tools), abilityValues)
	}
	return f
}

// groupField is the skill of a group check.
func groupField(at *play.At) play.Field {
	f := play.Field{Name: "skill", Required: true}
	if at.Listing {
		f.Listed = skillValues
	}
	return f
}

// taskIDs are the tasks of a kind that a creature is at. A command is told by the
// rule what is none.
func taskIDs(at *play.At, kind string) (out []string) {
	if !at.Listing {
		return []string{at.Item()}
	}
	for _, t := range tasksOf(at.State, at.Actor, kind) {
		out = append(out, t.Id)
	}
	return out
}

// refuseTask says that a creature is at no such task; any kind will do where none is
// given.
func refuseTask(kind, rule string) func(*play.At) error {
	return func(at *play.At) error {
		if t := at.State.Tasks[at.Item()]; t == nil || t.Creature != at.Actor.Id || kind != "" && t.Kind != kind {
			return refuse("NO_TASK", rule, "%s is at no such task as %q", at.Actor.Name, at.Item())
		}
		return nil
	}
}

func checkDelay(at *play.At) error {
	_, err := taskName(at.Actor, at.Take)
	return firstError(err, refuseSkill(at.Actor, skillSaid(at.Take)), refuseInspired(at.Actor, at.Take))
}

// doDelay has a task done without a roll. Modifiers and what counts for or
// against it are recorded as they are now; exhaustion counts when it is rolled.
//
// rcr.dice.delayed-roll
func doDelay(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	const rule = cite.DiceDelayedRoll
	id, err := taskName(c, take)
	if err != nil {
		return err
	}
	skill := skillSaid(take)
	id += "/" + taskDelayed
	for n, name := int32(2), id; r.State().Tasks[id] != nil; n++ {
		id = name + "-" + itoa(n) // done once more: a check of its own
	}
	_, purpose, o := readCheck(take)
	bonus, _ := skillBonus(c, skill)
	t := &eventv1.Task{Id: id, Creature: c.Id, Kind: taskDelayed, Status: "pending", Text: skill, Values: map[string]int32{},
		Modifiers: append([]*eventv1.Modifier{mod(bonus, skill, rule)}, o.modifiers...)}
	if o.inspiration {
		r.Set(c.Id, cInspiration, 0, "advantage on a check", cite.BaseInspirationHeld)
		o.edges = append(o.edges, adv("inspiration", "inspiration", cite.BaseInspirationHeld))
	}
	t.Edges = merged(slices.Concat(checkEdges(r.State(), c, abilityOf(skill), skill, purpose), o.edges, useHelp(r, c, skill)), o.kinds)
	if _, fails := autoFailCheck(c, skill, purpose); fails {
		t.Values[valFails] = 1
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "delay-check", Item: skill})
	r.Emit(event.Controllers(c.Id), &eventv1.TaskSet{Task: t}, rule)
	return nil
}

// doCallDelayed rolls a delayed check now that its outcome matters.
//
// rcr.dice.delayed-roll
func doCallDelayed(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	const rule = cite.DiceDelayedRoll
	t := r.State().Tasks[take.Item]
	dc, _ := spoken.Number(take.Parameters, "dc")
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "call-delayed", Item: t.Text})
	outcome, seen := "failure", everyone
	if t.Values[valFails] == 0 {
		rolled := d20{label: "delayed/" + t.Text, creature: c, reason: "delayed " + t.Text + " check", modifiers: t.Modifiers, edges: t.Edges,
			target: difficulty(dc), rules: []string{rule}}.roll(r)
		if !rolled.Success() {
			rolled = fudge(r, "delayed/"+t.Text, c, dc, rolled, nil)
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
	if t.Kind == taskDelayed {
		outcome = "dropped"
	}
	r.Emit(event.Everyone(), &eventv1.TaskEnded{Id: t.Id, Outcome: outcome}, cite.DiceSafety)
	return nil
}

func refuseGroup(at *play.At, t *eventv1.Creature) error {
	if hostile(at.Actor, t) || dead(t) {
		return refuse("NOT_IN_GROUP", cite.DiceGroupCheck, "%s is none of the group", t.GetName())
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
	skill := skillSaid(take)
	dc, _ := spoken.Number(take.Parameters, "dc")
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "group-check", Item: skill, Targets: take.Targets, Notes: statedNotes(take)})
	successes, failures, seen := 0, 0, everyone
	for _, id := range take.Targets {
		edges, mods := statedEdges(take.Circumstances, id)
		rolled := rollCheck(r, "group/"+skill+"/"+id, r.Creature(id), skill, dc, "", checkOpts{edges: edges, modifiers: mods, kinds: renamed(take.Facts, "kinds"), rules: []string{rule}})
		seen = narrower(seen, rolled.Audience)
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
	if successes > failures || successes == failures && r.Value(setGroupTie) == "success" {
		outcome = "success"
	}
	r.Note(seen, c.Id, "group check: "+itoa(int32(successes))+" to "+itoa(int32(failures))+", "+outcome, rule)
	return nil
}

func taskTitle(at *play.At) string {
	if t := at.State.Tasks[at.Item()]; t != nil {
		return "Go on with: " + t.Text
	}
	return "Begin a task with a check"
}

func refuseTaskCheck(at *play.At) error {
	if err := refuseDead(at.Actor); err != nil || at.Item() == "" {
		return err
	}
	if err := refuseTask(taskChallenge, cite.DiceThreat)(at); err != nil {
		return err
	}
	return refuseBarred(at.State.Tasks[at.Item()])
}

func taskFields(at *play.At) []play.Field {
	out := offer(nil, at, at.Item() == "", play.Field{Name: "task", Required: true})
	out = append(append(out, skillField(at)), checkFields(at, true)...)
	tool := play.Field{Name: "tool"}
	if at.Listing {
		tool.Values = toolNames(at.Actor)
	}
	out = offer(out, at, len(tool.Values) > 0, tool)
	return offer(out, at, defaults.On(at.State, cite.DiceDegreesOfSuccess), play.Field{Name: "degrees"})
}

func checkTask(at *play.At) error {
	c, take := at.Actor, at.Take
	t, err := taskOf(at.State, c, take)
	if err != nil {
		return err
	}
	if tool := spoken.Word(take.Parameters, "tool"); tool != "" && !slices.Contains(toolNames(c), tool) {
		err = noSuch("take.parameters.tool", tool, "tool of "+c.Name, toolNames(c))
	}
	err = firstError(refuseBarred(t), refuseSkill(c, skillSaid(take)), err, refuseInspired(c, take))
	if err == nil && spoken.Truth(take.Parameters, "degrees") {
		err = refuseOff(at.State, cite.DiceDegreesOfSuccess)
	}
	if dc, _ := spoken.Number(take.Parameters, "dc"); err == nil && dc == 0 {
		return missing("dc")
	}
	return err
}

// doTask makes a check at a task. With the parameter degrees it is graded (a
// reading: then Threats and Safeties are left aside, since the degrees say what
// a failure means); otherwise Threats and Safeties apply.
//
// rcr.dice.threat, rcr.dice.safety, rcr.dice.degrees-of-success
func doTask(r *rules.Resolution, at *play.At) error {
	c, take, skill := r.Creature(at.Actor.Id), at.Take, skillSaid(at.Take)
	t, err := taskOf(r.State(), c, take)
	if err != nil {
		return err
	}
	dc, sense, o := readCheck(take)
	a := &attempt{r: r, id: c.Id, task: t, skill: skill, dc: dc, sense: sense, opts: o, seen: everyone,
		allowed: !r.On(cite.DiceThreatSafetyProficiency) || proficientWith(c, skill, spoken.Word(take.Parameters, "tool"))}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "task-check", Item: skill, Notes: append([]string{t.Text}, statedNotes(take)...)})
	if spoken.Truth(take.Parameters, "degrees") {
		a.grade(take)
		return nil
	}
	a.dare()
	return nil
}
