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

// taskOptions lists the tasks that the creature is at, and one to begin.
func taskOptions(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
	tools := toolNames(c)
	parameters := func() []*eventv1.Parameter {
		out := append([]*eventv1.Parameter{choiceOf("skill", "What is rolled", true, skillNames(c)...)}, checkParameters(c, true)...)
		if len(tools) > 0 {
			out = append(out, choiceOf("tool", "Tool that is used with the skill", false, tools...))
		}
		if defaults.On(s, cite.DiceDegreesOfSuccess) {
			out = append(out, &eventv1.Parameter{Name: "degrees", Type: "boolean", Text: "The obstacle can cost time: grade the check"})
		}
		return out
	}
	var out []*eventv1.Option
	for _, t := range tasksOf(s, c, taskChallenge) {
		o := option(t.Id, firstError(refuseDead(c), refuseBarred(t)), nil)
		o.Title, o.Parameters = "Go on with: "+t.Text, parameters()
		out = append(out, o)
	}
	o := option("", refuseDead(c), nil)
	o.Title, o.Parameters = "Begin a task with a check", append([]*eventv1.Parameter{taskParameter()}, parameters()...)
	return append(out, o)
}

// refuseBarred says that an earlier failure ends all attempts at a task.
//
// rcr.dice.degrees-of-success
func refuseBarred(t *eventv1.Task) error {
	if t.GetValues()[valBarred] == 1 {
		return refuse("BARRED", cite.DiceDegreesOfSuccess, "the failure bars further attempts at %s", t.Text)
	}
	return nil
}

// taskOf finds the task of a command: one that the creature is at, by its id as
// the item, or by name, which may be new.
func taskOf(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) (*eventv1.Task, error) {
	if take.Item != "" {
		t := s.Tasks[take.Item]
		if t == nil || t.Kind != taskChallenge || t.Creature != c.Id {
			return nil, refuse("NO_TASK", cite.DiceThreat, "%s is at no task %q", c.Name, take.Item)
		}
		return t, nil
	}
	id, err := taskName(c, take)
	if err != nil {
		return nil, err
	}
	if t := s.Tasks[id]; t != nil {
		return t, nil
	}
	return &eventv1.Task{Id: id, Creature: c.Id, Kind: taskChallenge, Status: "open", Text: spoken.Word(take.Parameters, "task")}, nil
}

// attempt is one check at a task.
type attempt struct {
	r     *rules.Resolution
	id    string
	task  *eventv1.Task
	skill string
	dc    int32
	sense string
	opts  checkOpts
	// seen by whom the checks were: how the task stands is for them.
	seen *eventv1.Audience
	// allowed: Threats and Safeties are open to the creature in this check.
	allowed bool
}

// doTask makes a check at a task. With the parameter degrees it is graded (a
// reading: then Threats and Safeties are left aside, since the degrees say what
// a failure means); otherwise Threats and Safeties apply.
//
// rcr.dice.threat, rcr.dice.safety, rcr.dice.degrees-of-success
func doTask(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := refuseDead(c); err != nil {
		return err
	}
	t, err := taskOf(r.State(), c, take)
	if err != nil {
		return err
	}
	if err := refuseBarred(t); err != nil {
		return err
	}
	skill := strings.ToLower(spoken.Word(take.Parameters, "skill"))
	if !slices.Contains(skillNames(c), skill) {
		return noSuch("take.parameters.skill", skill, "skill, tool or ability", skillNames(c))
	}
	tool := spoken.Word(take.Parameters, "tool")
	if tool != "" && !slices.Contains(toolNames(c), tool) {
		return noSuch("take.parameters.tool", tool, "tool of "+c.Name, toolNames(c))
	}
	dc, sense, o, err := readCheck(r, c, take)
	if err != nil {
		return err
	}
	if dc == 0 {
		return fault.Field("take.parameters.dc", "missing")
	}
	graded := spoken.Truth(take.Parameters, "degrees")
	if err := refuseOff(r.State(), cite.DiceDegreesOfSuccess); err != nil && graded {
		return err
	}
	a := &attempt{r: r, id: c.Id, task: t, skill: skill, dc: dc, sense: sense, opts: o, seen: everyone,
		allowed: !r.On(cite.DiceThreatSafetyProficiency) || proficientWith(c, skill, tool)}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "task-check", Item: skill, Notes: append([]string{t.Text}, statedNotes(take)...)})
	if graded {
		a.grade(take)
		return nil
	}
	a.dare()
	return nil
}

// proficientWith tells whether a creature is proficient in the skill or with
// the tool used.
//
// rcr.dice.threat-safety-proficiency
func proficientWith(c *eventv1.Creature, skill, tool string) bool {
	_, skilled := skillBonus(c, skill)
	_, handy := skillBonus(c, strings.ToLower(tool))
	return skilled || tool != "" && handy
}

func (a *attempt) roll(label string) rules.Rolled {
	rolled := rollCheck(a.r, label+"/"+a.skill, a.r.Creature(a.id), a.skill, a.dc, a.sense, a.opts)
	a.seen = narrower(a.seen, rolled.Audience)
	return rolled
}

// set writes the task down with a status and changed numbers.
func (a *attempt) set(status string, change map[string]int32, rule string) {
	values := map[string]int32{}
	// order-free: a map is copied into a map
	for k, v := range a.task.Values {
		values[k] = v
	}
	// order-free: a map is copied into a map
	for k, v := range change {
		values[k] = v
	}
	a.task = &eventv1.Task{Id: a.task.Id, Creature: a.id, Kind: a.task.Kind, Status: status, Text: a.task.Text, Values: values}
	a.r.Emit(a.seen, &eventv1.TaskSet{Task: a.task}, rule)
}

// dare makes the check with what Threats and Safeties make of it.
//
// rcr.dice.threat, rcr.dice.safety
func (a *attempt) dare() {
	rolled := a.roll("task")
	if rolled.Success() {
		a.succeed("success", rolled, cite.DiceSafety)
		return
	}
	if a.spendSafety("first") {
		return
	}
	threat := a.allowed && a.r.On(cite.DiceThreat) && rolled.Natural != 1 && rolled.Natural != 0
	if !threat {
		a.set("failure", nil, cite.DiceThreat)
		return
	}
	a.set("threat", nil, cite.DiceThreat)
	a.opts.inspiration = false
	retry := a.roll("task/threat")
	switch {
	case retry.Success():
		a.succeed("limited", retry, cite.DiceThreat)
	case a.spendSafety("second"):
	default:
		a.set("failure", nil, cite.DiceThreat)
	}
}

// succeed notes a success; a natural 20 banks a Safety.
func (a *attempt) succeed(status string, rolled rules.Rolled, rule string) {
	change := map[string]int32{}
	if rolled.Natural == 20 && a.allowed && a.r.On(cite.DiceSafety) {
		change[valSafeties] = a.task.Values[valSafeties] + 1
		rule = cite.DiceSafety
	}
	a.set(status, change, rule)
}

// spendSafety asks whether a Safety turns the failure into a success.
//
// rcr.dice.safety
func (a *attempt) spendSafety(label string) bool {
	const rule = cite.DiceSafety
	banked := a.task.Values[valSafeties]
	if banked < 1 || !a.allowed || !a.r.On(rule) || unseen(a.r.Creature(a.id), rules.Rolled{Audience: a.seen}) {
		return false
	}
	d := rules.YesNo(decSafety, a.id, "the check failed", "Spend a Safety to count the failure as a success?", "yes", rule)
	if a.r.Ask("task/safety/"+label, d).Option != "yes" {
		return false
	}
	a.set("success", map[string]int32{valSafeties: banked - 1}, rule)
	return true
}

// degree is one of the six degrees of success.
type degree struct {
	name string
	// from is the lowest margin of it.
	from int32
	// number orders the degrees: 3 down to -3.
	number int32
	// time passes: ten minutes and a Time Die.
	time bool
}

// degrees from the best down.
//
// rcr.dice.degrees-of-success
var degrees = []degree{
	{"triumph", 10, 3, false},
	{"major success", 5, 2, false},
	{"success", 0, 1, true},
	{"failure", -4, -1, true},
	{"major failure", -9, -2, true},
	{"disaster", -1_000_000, -3, true},
}

func degreeOf(margin int32) degree {
	return degrees[slices.IndexFunc(degrees, func(d degree) bool { return margin >= d.from })]
}

// grade makes the check and grades it by total less DC. Time is counted on the
// task, Time Dice on the pile of the encounter too. After a triumph plain
// successes at the same task cost no time any more. A major failure bars
// further attempts unless the fact "retry" says otherwise; a disaster always does.
//
// rcr.dice.degrees-of-success
func (a *attempt) grade(take *eventv1.TakeAction) {
	const rule = cite.DiceDegreesOfSuccess
	a.opts.judge = func(_, total int32) (string, int32) {
		d := degreeOf(total - a.dc)
		if d.number > 0 {
			return "success", d.number
		}
		return "failure", d.number
	}
	rolled := a.roll("task")
	d := degreeOf(rolled.Total - a.dc)
	if rolled.Natural == 0 {
		d = degrees[3] // it failed without a roll
	}
	change := map[string]int32{valDegree: d.number, valTotal: rolled.Total}
	if d.time && !(d.number == 1 && a.task.Values[valTriumph] == 1) {
		change[valTimeDice] = a.task.Values[valTimeDice] + 1
		change[valMinutes] = a.task.Values[valMinutes] + minutesSpent
		a.r.Set("", cTimeDice, a.r.Count("", cTimeDice)+1, d.name, rule)
	}
	switch {
	case d.number == 3:
		change[valTriumph] = 1
	case d.number == -3, d.number == -2 && !spoken.Truth(take.Facts, "retry"):
		change[valBarred] = 1
	}
	a.set(d.name, change, rule)
}
