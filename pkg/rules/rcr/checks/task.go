package checks

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// refuseBarred says that an earlier failure ends all attempts at a task.
//
// rcr.dice.degrees-of-success
func refuseBarred(t *eventv1.Task) error {
	if t.GetValues()[dice.ValBarred] == 1 {
		return body.Refuse("BARRED", cite.DiceDegreesOfSuccess, "the failure bars further attempts at %s", t.Text)
	}
	return nil
}

// taskOf finds the task of a command: one that the creature is at, by its id as
// the item, or by name, which may be new.
func taskOf(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) (*eventv1.Task, error) {
	if take.Item != "" {
		return s.Tasks[take.Item], nil // refuseTaskCheck has found it
	}
	id, err := dice.TaskName(c, take)
	if err != nil {
		return nil, err
	}
	if t := s.Tasks[id]; t != nil {
		return t, nil
	}
	return &eventv1.Task{Id: id, Creature: c.Id, Kind: dice.TaskChallenge, Status: "open", Text: spoken.Word(take.Parameters, "task")}, nil
}

// attempt is one check at a task.
type attempt struct {
	r     *rules.Resolution
	id    string
	task  *eventv1.Task
	skill string
	dc    int32
	sense string
	opts  body.CheckOpts
	// seen by whom the checks were: how the task stands is for them.
	seen *eventv1.Audience
	// allowed: Threats and Safeties are open to the creature in this check.
	allowed bool
}

// proficientWith tells whether a creature is proficient in the skill or with
// the tool used.
//
// rcr.dice.threat-safety-proficiency
func proficientWith(c *eventv1.Creature, skill, tool string) bool {
	_, skilled := body.SkillBonus(c, skill)
	_, handy := body.SkillBonus(c, strings.ToLower(tool))
	return skilled || handy
}

func (a *attempt) Roll(label string) rules.Rolled {
	rolled := dice.RollCheck(a.r, label+"/"+a.skill, a.r.Creature(a.id), a.skill, a.dc, a.sense, a.opts)
	a.seen = dice.Narrower(a.seen, rolled.Audience)
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
	rolled := a.Roll("task")
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
	a.opts.Inspiration = false
	retry := a.Roll("task/threat")
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
		change[dice.ValSafeties] = a.task.Values[dice.ValSafeties] + 1
		rule = cite.DiceSafety
	}
	a.set(status, change, rule)
}

// spendSafety asks whether a Safety turns the failure into a success.
//
// rcr.dice.safety
func (a *attempt) spendSafety(label string) bool {
	const rule = cite.DiceSafety
	banked := a.task.Values[dice.ValSafeties]
	if banked < 1 || !a.allowed || dice.Unseen(a.r.Creature(a.id), rules.Rolled{Audience: a.seen}) {
		return false
	}
	d := rules.YesNo(dice.DecSafety, a.id, "the check failed", "Spend a Safety to count the failure as a success?", "yes", rule)
	if a.r.Ask("task/safety/"+label, d).Option != "yes" {
		return false
	}
	a.set("success", map[string]int32{dice.ValSafeties: banked - 1}, rule)
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
// rcr.dice.degrees-of-success, rcr.feat.legerdemain-tools-time
func (a *attempt) grade(take *eventv1.TakeAction) {
	const rule = cite.DiceDegreesOfSuccess
	a.opts.Judge = func(_, total int32) (string, int32) {
		d := degreeOf(total - a.dc)
		if d.number > 0 {
			return "success", d.number
		}
		return "failure", d.number
	}
	rolled := a.Roll("task")
	d := degreeOf(rolled.Total - a.dc)
	if rolled.Natural == 0 {
		d = degrees[3] // it failed without a roll
	}
	change := map[string]int32{dice.ValDegree: d.number, dice.ValTotal: rolled.Total}
	costs := d.time && !(d.number == 1 && a.task.Values[dice.ValTriumph] == 1)
	if costs && d.number > -2 && strings.EqualFold(a.skill, "thieves' tools") && body.Feat(a.r.State(), a.r.Creature(a.id), body.FeatLegerdemain, cite.FeatLegerdemainToolsTime) {
		costs = false
		a.r.Note(dice.AudienceOr(a.seen), a.id, "it costs no time: Legerdemain", cite.FeatLegerdemainToolsTime)
	}
	if costs {
		change[dice.ValTimeDice] = a.task.Values[dice.ValTimeDice] + 1
		change[dice.ValMinutes] = a.task.Values[dice.ValMinutes] + dice.MinutesSpent
		a.r.Set("", dice.CTimeDice, a.r.Count("", dice.CTimeDice)+1, d.name, rule)
	}
	switch {
	case d.number == 3:
		change[dice.ValTriumph] = 1
	case d.number == -3, d.number == -2 && !spoken.Truth(take.Facts, "retry"):
		change[dice.ValBarred] = 1
	}
	a.set(d.name, change, rule)
}
