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
			Items: checkNames, CostOf: checkCost, Refuse: refuseCheck, Fields: checkFieldsOf, Choices: checkChoices, Check: checkCheck, Do: doCheck},
	}
}

// checkNames: one line lists checks, the skills, tools and abilities are its choices.
// A command may name them with capitals; what is none is refused with those known.
func checkNames(at *play.At) []string {
	if at.Listing {
		return bare
	}
	return []string{at.Item()}
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

// purpose is what a check for it costs now, and why that cannot be paid.
type purpose struct {
	*use
	counter string
	err     error
}

// purposesOf are the purposes of checks; hiding is an action of its own.
func purposesOf(at *play.At) []purpose {
	k := planned(at)
	if k.purposes == nil {
		var refused [3]verdict // by counter: the action, the bonus action, nothing
		for i := range uses {
			u := &uses[i]
			if u.id == "hide" {
				continue
			}
			counter, rule := u.costOf(at.State)
			v := &refused[slices.Index([]string{cAction, cBonus, ""}, counter)]
			if !v.given {
				v.given, v.err = true, refuseCost(at.State, at.Actor, counter, rule)
			}
			k.purposes = append(k.purposes, purpose{u, counter, v.err})
		}
	}
	return k.purposes
}

// cheapest is the purpose that a listing of checks goes by: something else, or the
// first that can be paid for.
func cheapest(at *play.At) purpose {
	all := purposesOf(at)
	last := all[len(all)-1]
	if last.err != nil {
		for _, p := range all {
			if p.err == nil {
				return p
			}
		}
	}
	return last
}

func checkCost(at *play.At) []play.Cost {
	if at.Listing {
		return one(cheapest(at).counter)
	}
	counter, _ := useSaid(at).costOf(at.State)
	return one(counter)
}

func refuseCheck(at *play.At) error {
	if at.Listing {
		if p := cheapest(at); p.err != nil {
			return refuseOther(at)
		}
		return nil
	}
	u := useSaid(at)
	counter, rule := u.costOf(at.State)
	_, _, err := dueCheck(at.State, at.Actor, at.Take, counter, rule)
	return err
}

// refuseOther says why a check for something else cannot be paid for.
func refuseOther(at *play.At) error {
	counter, rule := useOf("other").costOf(at.State)
	return refuseCost(at.State, at.Actor, counter, rule)
}

// checkChoices are the skills, tools and abilities that there is a purpose for.
func checkChoices(at *play.At) []*eventv1.Option {
	names := skillNames(at.Actor)
	list, out := make([]eventv1.Option, len(names)), make([]*eventv1.Option, 0, len(names))
	words := map[uint32]*eventv1.Parameter{}
	for i, name := range names {
		set, first := uint32(0), ""
		for n, p := range purposesOf(at) {
			if p.err == nil && p.serves(name) {
				if set |= 1 << n; first == "" {
					first = p.counter
				}
			}
		}
		if set == 0 {
			continue
		}
		if words[set] == nil {
			words[set] = useParameter(at, set)
		}
		o := &list[i]
		o.Creature, o.Action, o.Item, o.Title, o.Rule, o.Legal, o.Group = at.Actor.Id, at.Action.ID, name, strings.ToUpper(name[:1])+name[1:], cite.ActionSkillDefaultBonus, true, string(play.GroupCheck)
		o.Parameters = append(o.Parameters, words[set])
		if name == "medicine" && at.Actor.Counters[cKit] > 0 {
			o.Parameters = append(o.Parameters, frame.Shown("check", play.Field{Name: "kit"}))
		}
		if asks(at, set) {
			o.Parameters = append(o.Parameters, frame.Shown("check", play.Field{Name: "question"}))
		}
		out = append(out, o)
	}
	return out
}

// useParameter lists the purposes of a set.
func useParameter(at *play.At, set uint32) *eventv1.Parameter {
	f := play.Field{Name: "use", Required: true}
	for n, p := range purposesOf(at) {
		if set&(1<<n) != 0 {
			f.Values = append(f.Values, p.id)
		}
	}
	return frame.Shown("check", f)
}

// asks tells whether a set of purposes holds the recall of knowledge.
func asks(at *play.At, set uint32) bool {
	for n, p := range purposesOf(at) {
		if p.id == "knowledge" {
			return set&(1<<n) != 0
		}
	}
	return false
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
	return checkFields(at, false)
}

func checkCheck(at *play.At) error {
	u, skill := useSaid(at), strings.ToLower(at.Item())
	if !u.serves(skill) || refuseSkill(at.Actor, skill) != nil {
		known := u.skills
		if len(known) == 0 {
			known = skillNames(at.Actor)
		}
		return noSuch("take.item", at.Item(), "skill, tool or ability for a check "+u.title, known)
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
