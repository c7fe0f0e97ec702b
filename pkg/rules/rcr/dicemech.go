package rcr

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Kinds of tasks and the numbers that go with them.
const (
	taskDelayed   = "delayed-roll"
	taskChallenge = "challenge"

	valSafeties  = "safeties"
	valTimeDice  = "time_dice"
	valMinutes   = "minutes"
	valDegree    = "degree"
	valBarred    = "barred"
	valTriumph   = "triumph"
	valFails     = "fails"
	valTotal     = "total"
	cTimeDice    = "time-dice"
	decSafety    = "safety"
	minutesSpent = 10
)

func taskActions() []*action {
	return []*action{
		{id: "delay-check", title: "Do it now, roll when it matters", options: delayOptions, do: doDelay, anytime: true},
		{id: "call-delayed", title: "Roll a delayed check", options: callDelayedOptions, do: doCallDelayed, anytime: true},
		{id: "task-check", title: "Make a check at a task", options: taskOptions, do: doTask, anytime: true},
		{id: "end-task", title: "End a task", options: endTaskOptions, do: doEndTask, anytime: true},
		{id: "group-check", title: "Make a group check", options: groupOptions, do: doGroup, anytime: true},
	}
}

// refuseOff says that a rule is off at this table.
func refuseOff(s *eventv1.State, rule string) error {
	if !defaults.On(s, rule) {
		return refuse("RULE_OFF", rule, "this table does not play by %s", rule)
	}
	return nil
}

// tasksOf lists the tasks of a creature of a kind, by id.
func tasksOf(s *eventv1.State, c *eventv1.Creature, kind string) []*eventv1.Task {
	var out []*eventv1.Task
	for _, id := range rules.SortedKeys(s.Tasks) {
		if t := s.Tasks[id]; t.Creature == c.Id && (kind == "" || t.Kind == kind) {
			out = append(out, t)
		}
	}
	return out
}

// taskName reads and checks the name of a task; its id is that of a creature's
// own task.
func taskName(c *eventv1.Creature, take *eventv1.TakeAction) (string, error) {
	name := spoken.Word(take.Parameters, "task")
	if name == "" || len(name) > rules.MaxIDLength {
		return "", fault.Field("take.parameters.task", "must be 1 to %d bytes", rules.MaxIDLength)
	}
	return name + "/" + c.Id, nil
}

func taskParameter() *eventv1.Parameter {
	return &eventv1.Parameter{Name: "task", Type: "string", Required: true, Text: "Name of the task"}
}

func delayOptions(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
	o := option("", firstError(refuseOff(s, cite.DiceDelayedRoll), refuseDead(c)), nil)
	o.Parameters = []*eventv1.Parameter{taskParameter(), choiceOf("skill", "What will be rolled", true, skillNames(c)...)}
	return []*eventv1.Option{o}
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// doDelay has a task done without a roll. Modifiers and what counts for or
// against it are recorded as they are now; exhaustion counts when it is rolled.
//
// rcr.dice.delayed-roll
func doDelay(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	const rule = cite.DiceDelayedRoll
	if err := firstError(refuseOff(r.State(), rule), refuseDead(c)); err != nil {
		return err
	}
	id, err := taskName(c, take)
	if err != nil {
		return err
	}
	skill := strings.ToLower(spoken.Word(take.Parameters, "skill"))
	if !slices.Contains(skillNames(c), skill) {
		return noSuch("take.parameters.skill", skill, "skill, tool or ability", skillNames(c))
	}
	id += "/" + taskDelayed
	for n, name := int32(2), id; r.State().Tasks[id] != nil; n++ {
		id = name + "-" + itoa(n) // done once more: a check of its own
	}
	_, purpose, o, err := readCheck(r, c, take)
	if err != nil {
		return err
	}
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

func abilityOf(skill string) string {
	if a, ok := skillAbility[skill]; ok {
		return a
	}
	return skill
}

func callDelayedOptions(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
	var out []*eventv1.Option
	for _, t := range tasksOf(s, c, taskDelayed) {
		o := option(t.Id, nil, nil)
		o.Parameters = []*eventv1.Parameter{{Name: "dc", Type: "number", Required: true, Text: "Difficulty, from 1 to 100"}}
		out = append(out, o)
	}
	return out
}

// doCallDelayed rolls a delayed check now that its outcome matters.
//
// rcr.dice.delayed-roll
func doCallDelayed(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	const rule = cite.DiceDelayedRoll
	t := r.State().Tasks[take.Item]
	if t == nil || t.Kind != taskDelayed || t.Creature != c.Id {
		return refuse("NO_TASK", rule, "%s has no delayed check %q", c.Name, take.Item)
	}
	dc, ok := spoken.Number(take.Parameters, "dc")
	if !ok {
		return fault.Field("take.parameters.dc", "missing")
	}
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

func endTaskOptions(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
	var out []*eventv1.Option
	for _, t := range tasksOf(s, c, "") {
		out = append(out, option(t.Id, nil, nil))
	}
	return out
}

// doEndTask ends a task: its Safeties are lost, a check never called for was
// never made.
//
// rcr.dice.safety, rcr.dice.delayed-roll
func doEndTask(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	t := r.State().Tasks[take.Item]
	if t == nil || t.Creature != c.Id {
		return refuse("NO_TASK", cite.DiceSafety, "%s has no task %q", c.Name, take.Item)
	}
	outcome := "ended"
	if t.Kind == taskDelayed {
		outcome = "dropped"
	}
	r.Emit(event.Everyone(), &eventv1.TaskEnded{Id: t.Id, Outcome: outcome}, cite.DiceSafety)
	return nil
}

func groupOptions(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
	o := option("", refuseOff(s, cite.DiceGroupCheck), nil)
	for _, id := range rules.SortedKeys(s.Creatures) {
		if e := s.Creatures[id]; !hostile(c, e) && !dead(e) {
			o.Targets = append(o.Targets, id)
		}
	}
	o.MinimumTargets, o.MaximumTargets = 1, int32(len(o.Targets))
	if o.Legal && len(o.Targets) == 0 {
		rules.Forbid(o, refuse("NO_TARGET", cite.DiceGroupCheck, "there is nobody to make it"))
	}
	o.Parameters = []*eventv1.Parameter{choiceOf("skill", "What is rolled", true, rules.SortedKeys(skillAbility)...),
		{Name: "dc", Type: "number", Required: true, Text: "Difficulty, from 1 to 100"}}
	return []*eventv1.Option{o}
}

// doGroup has a group make the same check together. A natural 1 counts as two
// failures and a natural 20 as two successes, whatever the total; a tie goes by
// the table's setting.
//
// rcr.dice.group-check
func doGroup(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	const rule = cite.DiceGroupCheck
	if err := refuseOff(r.State(), rule); err != nil {
		return err
	}
	skill := strings.ToLower(spoken.Word(take.Parameters, "skill"))
	dc, ok := spoken.Number(take.Parameters, "dc")
	switch {
	case !slices.Contains(skillNames(c), skill):
		return noSuch("take.parameters.skill", skill, "skill, tool or ability", skillNames(c))
	case !ok:
		return fault.Field("take.parameters.dc", "missing")
	case len(take.Targets) == 0:
		return fault.Field("take.targets", "the members of the group are missing")
	}
	for i, id := range take.Targets {
		if slices.Contains(take.Targets[:i], id) {
			return fault.Field("take.targets", "%q twice", id)
		}
		if hostile(c, r.Creature(id)) || dead(r.Creature(id)) {
			return refuse("NOT_IN_GROUP", rule, "%s is none of the group", r.Creature(id).Name)
		}
	}
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
