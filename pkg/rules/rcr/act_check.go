package rcr

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// checkActions are the checks that a creature makes of its own accord.
func checkActions() []*play.Action {
	return []*play.Action{
		{ID: "check", Title: "Make a check", Rule: cite.ActionSkillDefaultBonus, Group: play.GroupCheck, Most: 1,
			Items: checkNames, Names: func(at *play.At) string { return strings.ToUpper(at.Item()[:1]) + at.Item()[1:] },
			CostOf: checkCost,
			Refuse: refuseCheck, Fields: checkFieldsOf, Check: checkCheck, Do: doCheck},
	}
}

// checkNames are the skills, tools and abilities of a check; a command may have
// them with capitals.
func checkNames(at *play.At) []string {
	names := skillNames(at.Actor)
	if lower := strings.ToLower(at.Item()); !at.Listing && lower != at.Item() && slices.Contains(names, lower) {
		return append(names, at.Item())
	}
	return names
}

// useSaid is the purpose of a check as it is said; none said is something else.
func useSaid(at *play.At) *use {
	if u := useOf(spoken.Word(at.Take.Parameters, "use")); u != nil {
		return u
	}
	return useOf("other")
}

// serves tells whether a skill serves a purpose.
func (u *use) serves(skill string) bool {
	return len(u.skills) == 0 || slices.Contains(u.skills, skill)
}

// usesOpen are the purposes of a check of a skill that can be paid for.
func usesOpen(at *play.At) (out []string) {
	for i := range uses {
		u := &uses[i]
		if u.id == "hide" || !u.serves(at.Item()) {
			continue // hiding is an action of its own
		}
		if counter, rule := u.costOf(at.State); refuseCost(at.State, at.Actor, counter, rule) == nil {
			out = append(out, u.id)
		}
	}
	return out
}

// checkCost is what a check costs by its purpose. A listing goes by the first purpose
// that can be paid for where none can be made for something else.
func checkCost(at *play.At) []play.Cost {
	u := useSaid(at)
	counter, rule := u.costOf(at.State)
	if open := usesOpen(at); at.Listing && refuseCost(at.State, at.Actor, counter, rule) != nil && len(open) > 0 {
		counter, _ = useOf(open[0]).costOf(at.State)
	}
	return one(counter)
}

func refuseCheck(at *play.At) error {
	u := useSaid(at)
	counter, rule := u.costOf(at.State)
	_, _, err := dueCheck(at.State, at.Actor, at.Take, counter, rule)
	if err != nil && at.Listing && len(usesOpen(at)) > 0 {
		return nil // for another purpose it can be made
	}
	return err
}

// checkFields are those of any check.
func checkFields(at *play.At, dcNeeded bool) []play.Field {
	return inspirationField([]play.Field{{Name: "dc", Required: dcNeeded && at.Listing}, {Name: "sense"}}, at)
}

// kitField is the kit, where a Medicine check can be made with one.
func kitField(list []play.Field, at *play.At, skill string) []play.Field {
	return offer(list, at, skill == "medicine" && at.Actor.Counters[cKit] > 0, play.Field{Name: "kit"})
}

func checkFieldsOf(at *play.At) []play.Field {
	if !at.Listing {
		return kitField(append(checkFields(at, false), play.Field{Name: "use"}, play.Field{Name: "question"}), at, "")
	}
	open := usesOpen(at)
	out := kitField(append([]play.Field{{Name: "use", Required: true, Values: open}}, checkFields(at, false)...), at, at.Item())
	return offer(out, at, slices.Contains(open, "knowledge"), play.Field{Name: "question"})
}

func checkCheck(at *play.At) error {
	u, skill := useSaid(at), strings.ToLower(at.Item())
	if !u.serves(skill) {
		return noSuch("take.item", at.Item(), "skill, tool or ability for a check "+u.title, u.skills)
	}
	if q := questionMark(u, at.Take); q != "" && at.Actor.Marks[q] != "" {
		return refuse("ASKED_BEFORE", cite.ActionSkillFreeKnowledge, "one attempt for each question")
	}
	return firstError(refuseKitFor(at.Actor, at.Take, skill), refuseInspired(at.Actor, at.Take))
}

// doCheck makes a check of a skill, a tool or an ability for a purpose that
// says what it costs.
func doCheck(r *rules.Resolution, at *play.At) error {
	c, take, u, skill := r.Creature(at.Actor.Id), at.Take, useSaid(at), strings.ToLower(at.Item())
	dc, purpose, o := readCheck(take)
	if len(take.Targets) == 1 && (u.id == "influence" || u.id == "surrender") && charmedBy(r.Creature(take.Targets[0]), c.Id) {
		o.edges = append(o.edges, adv("charmed", "the other is charmed", cite.BaseFifthEditionFallback))
	}
	counter, rule := u.costOf(r.State())
	payCheck(r, c, take, counter, rule)
	expendKit(r, c.Id, take)
	if q := questionMark(u, take); q != "" {
		r.Flag(c.Id, q, true, cite.ActionSkillFreeKnowledge)
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "check", Item: skill, Targets: take.Targets,
		Notes: append([]string{u.title}, statedNotes(take)...)})
	if purpose == "" && u.id == "movement" {
		purpose = "movement"
	}
	o.rules = append(o.rules, rule)
	rollCheck(r, "check/"+skill, r.Creature(c.Id), skill, dc, purpose, o)
	return nil
}

// payCheck takes what a check costs.
func payCheck(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction, counter, rule string) {
	if counter, rule, _ = dueCheck(r.State(), c, take, counter, rule); counter != "" {
		spend(r, c.Id, counter, take.Action, rule)
	}
}
