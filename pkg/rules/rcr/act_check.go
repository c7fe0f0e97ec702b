package rcr

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// checkActions are the checks that a creature makes of its own accord.
func checkActions() []*play.Action {
	return []*play.Action{
		{ID: "check", Title: "Make a check", Rule: cite.ActionSkillDefaultBonus, Group: play.GroupCheck, Most: 1,
			Items: checks.CheckNames, CostOf: checkCost, Refuse: refuseCheck, Fields: checks.CheckFieldsOf, Choices: checkChoices, Check: checks.CheckCheck, Do: checks.DoCheck},
	}
}

// purposesOf are the purposes of checks; hiding is an action of its own.
func purposesOf(at *play.At) []checks.Purpose {
	k := planned(at)
	if k.purposes == nil {
		var refused [3]checks.Verdict // by counter: the action, the bonus action, nothing
		for i := range checks.Uses {
			u := &checks.Uses[i]
			if u.Id == "hide" {
				continue
			}
			counter, rule := u.CostOf(at.State)
			v := &refused[slices.Index([]string{body.CAction, body.CBonus, ""}, counter)]
			if !v.Given {
				v.Given, v.Err = true, checks.RefuseCost(at.State, at.Actor, counter, rule)
			}
			k.purposes = append(k.purposes, checks.NewPurpose(u, counter, v.Err))
		}
	}
	return k.purposes
}

// cheapest is the purpose that a listing of checks goes by: something else, or the
// first that can be paid for.
func cheapest(at *play.At) checks.Purpose {
	all := purposesOf(at)
	last := all[len(all)-1]
	if last.Err != nil {
		for _, p := range all {
			if p.Err == nil {
				return p
			}
		}
	}
	return last
}

func checkCost(at *play.At) []play.Cost {
	if at.Listing {
		return checks.One(cheapest(at).Counter)
	}
	counter, _ := checks.UseSaid(at).CostFor(at.State, at.Actor, at.Item())
	return checks.One(counter)
}

func refuseCheck(at *play.At) error {
	if at.Listing {
		if p := cheapest(at); p.Err != nil {
			return checks.RefuseOther(at)
		}
		return nil
	}
	u := checks.UseSaid(at)
	counter, rule := u.CostFor(at.State, at.Actor, at.Item())
	_, _, err := checks.DueCheck(at.State, at.Actor, at.Take, counter, rule)
	return err
}

// checkChoices are the skills, tools and abilities that there is a purpose for.
func checkChoices(at *play.At) []*eventv1.Option {
	names := body.SkillNames(at.Actor)
	var out []*eventv1.Option
	words := map[uint32]*eventv1.Parameter{}
	for _, name := range names {
		set, first := uint32(0), ""
		for n, p := range purposesOf(at) {
			if p.Err == nil && p.Serves(name) {
				if set |= 1 << n; first == "" {
					first = p.Counter
				}
			}
		}
		if set == 0 {
			continue
		}
		if words[set] == nil {
			words[set] = useParameter(at, set)
		}
		o := at.NewOption()
		o.Creature, o.Action, o.Item, o.Title, o.Rule, o.Legal, o.Group = at.Actor.Id, at.Action.ID, name, strings.ToUpper(name[:1])+name[1:], cite.ActionSkillDefaultBonus, true, string(play.GroupCheck)
		o.Parameters = append(o.Parameters, words[set])
		if name == "medicine" && at.Actor.Counters[body.CKit] > 0 {
			o.Parameters = append(o.Parameters, body.Frame().Shown("check", play.Field{Name: "kit"}))
		}
		if asks(at, set) {
			o.Parameters = append(o.Parameters, body.Frame().Shown("check", play.Field{Name: "question"}))
		}
		if out = append(out, o); at.Enough(len(out)) {
			break
		}
	}
	return out
}

// useParameter lists the purposes of a set.
func useParameter(at *play.At, set uint32) *eventv1.Parameter {
	f := play.Field{Name: "use", Required: true}
	for n, p := range purposesOf(at) {
		if set&(1<<n) != 0 {
			f.Values = append(f.Values, p.Id)
		}
	}
	return body.Frame().Shown("check", f)
}

// asks tells whether a set of purposes holds the recall of knowledge.
func asks(at *play.At, set uint32) bool {
	for n, p := range purposesOf(at) {
		if p.Id == "knowledge" {
			return set&(1<<n) != 0
		}
	}
	return false
}
