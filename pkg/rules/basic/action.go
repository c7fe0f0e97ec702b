package basic

import (
	"slices"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// action is one thing a creature can do. The same refusals answer for the list
// of options and for the deed, so that the two cannot disagree.
type action struct {
	// id as in TakeAction.action.
	id string
	// title for people.
	title string
	// rule behind the action.
	rule string
	// declaring: it is done while everybody declares, not on a number.
	declaring bool
	// joining: it is done by one whose turn it is not, on another's number.
	joining bool
	// kinds of declarations that it belongs to; nil means all.
	kinds []string
	// costs the action of the round.
	costs bool
	// items lists the ways to do it; nil means one way without an item.
	items func(s *eventv1.State, c *eventv1.Creature) []string
	// refuse says why it cannot be done that way now; nil means no reason.
	refuse func(s *eventv1.State, c *eventv1.Creature, item string) error
	// refuseTarget says why it cannot be done to that creature. Stated facts
	// beat measured ones; in options there are none.
	refuseTarget func(s *eventv1.State, c *eventv1.Creature, item string, t *eventv1.Creature, facts *structpb.Struct) error
	// least and most targets.
	least, most int32
	// parameters that may or must be given when it is done that way; any other
	// is refused.
	parameters func(s *eventv1.State, c *eventv1.Creature, item string) []*eventv1.Parameter
	// do carries it out after all refusals.
	do func(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error
}

// mayAct says whether the creature may take the action at all now.
//
// basic.turn.sequence, basic.turn.resolve-on-count, basic.action.list
func mayAct(s *eventv1.State, c *eventv1.Creature, a *action) error {
	switch {
	case s.Status == eventv1.State_STATUS_ENDED:
		return refuse("ENCOUNTER_ENDED", "", "the encounter is over")
	case s.Status != eventv1.State_STATUS_STARTED:
		return refuse("NOT_STARTED", "", "the encounter has not begun")
	case dead(c):
		return refuse("DEAD", cite.DeathZeroHp, "%s is dead", c.GetName())
	case unconscious(c):
		return refuse("UNCONSCIOUS", cite.InjurySubdualZero, "%s is unconscious", c.Name)
	case has(c, condSurprised):
		return refuse("SURPRISED", cite.SurpriseLoseOneRound, "%s is surprised", c.Name)
	case a.declaring:
		return mayDeclare(s, c)
	case s.Phase != phaseCount:
		return refuse("DECLARING", cite.TurnSequence, "everybody declares before the count begins")
	case a.joining:
		return nil
	case !slices.Contains(s.Active, c.Id):
		return refuse("NOT_YOUR_NUMBER", cite.TurnResolveOnCount, "the count does not stand at the number of %s", c.Name)
	case a.kinds != nil && !slices.Contains(a.kinds, c.Marks[mDeclared]):
		return refuse("NOT_DECLARED", cite.TurnDeclare, "%s declared %s", c.Name, c.Marks[mDeclared])
	case a.costs && c.Counters[cAction] < 1:
		return refuse("NO_ACTION", cite.ActionList, "%s has used the action of the round", c.Name)
	}
	return nil
}

func (a *action) list(s *eventv1.State, c *eventv1.Creature) []string {
	if a.items == nil {
		return []string{""}
	}
	return a.items(s, c)
}

func (a *action) refused(s *eventv1.State, c *eventv1.Creature, item string) error {
	if err := mayAct(s, c, a); err != nil {
		return err
	}
	if a.refuse == nil {
		return nil
	}
	return a.refuse(s, c, item)
}

func (a *action) refusedTarget(s *eventv1.State, c *eventv1.Creature, item string, t *eventv1.Creature, facts *structpb.Struct) error {
	if a.refuseTarget == nil {
		return nil
	}
	return a.refuseTarget(s, c, item, t, facts)
}

// Act carries out an action.
func (System) Act(r *rules.Resolution, take *eventv1.TakeAction) error {
	for _, a := range actions() {
		if a.id != take.Action {
			continue
		}
		c := r.Creature(take.Creature)
		if err := a.check(r.State(), c, take); err != nil {
			return err
		}
		if err := a.do(r, c, take); err != nil {
			return err
		}
		return settle(r)
	}
	return fault.Field("take.action", "there is no action %q; GetOptions lists them", take.Action)
}

// check holds every refusal before the deed.
func (a *action) check(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := mayAct(s, c, a); err != nil {
		return err
	}
	if list := a.list(s, c); !slices.Contains(list, take.Item) {
		return fault.Field("take.item", "%q is nothing that %s can %s with%s", take.Item, c.Name, a.id, rules.DidYouMean(take.Item, list))
	}
	if err := a.refused(s, c, take.Item); err != nil {
		return err
	}
	if err := a.checkParameters(s, c, take); err != nil {
		return err
	}
	if err := checkFoes(s, c, take); err != nil {
		return err
	}
	if n := int32(len(take.Targets)); n < a.least || n > a.mostTargets(c, take.Item) {
		return fault.Field("take.targets", "%d to %d, not %d", a.least, a.mostTargets(c, take.Item), n)
	}
	for i, id := range take.Targets {
		if slices.Contains(take.Targets[:i], id) {
			return fault.Field("take.targets["+itoa(i)+"]", "%q is named twice", id)
		}
		if err := a.refusedTarget(s, c, take.Item, s.Creatures[id], take.Facts); err != nil {
			return err
		}
	}
	return nil
}

// checkParameters holds that every parameter given is one that is read when it
// is done that way: what nobody reads is a mistake of the caller.
func (a *action) checkParameters(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	var known []string
	if a.parameters != nil {
		for _, p := range a.parameters(s, c, take.Item) {
			if p.Type != rules.TypePath {
				known = append(known, p.Name)
			}
		}
	}
	for _, name := range rules.SortedKeys(take.Parameters.GetFields()) {
		if !slices.Contains(known, name) {
			return fault.Field("take.parameters."+name, "nothing that %s takes here%s", a.id, rules.DidYouMean(name, known))
		}
	}
	return nil
}

// mostTargets is the most targets of a way to act: of a spell or a magic item, what
// it says.
func (a *action) mostTargets(c *eventv1.Creature, item string) int32 {
	if a.most >= 0 {
		return a.most
	}
	if it := itemOf(c, item); it != nil && spellOf(c, item) == nil {
		return max(1, it.Effect.GetTargets())
	}
	return max(1, spellOf(c, item).GetTargets())
}

// Options lists what a creature may do, and why not the rest. Of a creature
// whose sheet the viewer does not know nothing can be said.
func (System) Options(q rules.Query) []*eventv1.Option {
	c := q.State.GetCreatures()[q.Creature]
	if c == nil || c.Sheet == nil {
		return nil
	}
	var out []*eventv1.Option
	for _, a := range actions() {
		for _, item := range a.list(q.State, c) {
			out = append(out, a.option(q.State, c, item))
		}
	}
	end := &eventv1.Option{Creature: c.Id, Action: "end-turn", Title: "End the turn", Legal: true, Rule: cite.TurnRoundEnds}
	if !slices.Contains(q.State.Active, c.Id) {
		rules.Forbid(end, refuse("NOT_YOUR_NUMBER", cite.TurnResolveOnCount, "the count does not stand at the number of %s", c.Name))
	}
	return append(out, end)
}

func (a *action) option(s *eventv1.State, c *eventv1.Creature, item string) *eventv1.Option {
	o := &eventv1.Option{Creature: c.Id, Action: a.id, Title: a.title, Item: item, Legal: true, Rule: a.rule,
		MinimumTargets: a.least, MaximumTargets: a.mostTargets(c, item)}
	if a.costs {
		o.Costs = map[string]int32{cAction: 1}
	}
	if a.parameters != nil {
		o.Parameters = a.parameters(s, c, item)
	}
	if err := a.refused(s, c, item); err != nil {
		rules.Forbid(o, err)
		return o
	}
	if o.MaximumTargets == 0 {
		return o
	}
	var why error
	for _, id := range rules.SortedKeys(s.Creatures) {
		if err := a.refusedTarget(s, c, item, s.Creatures[id], nil); err == nil {
			o.Targets = append(o.Targets, id)
		} else if opposed(c, s.Creatures[id]) || why == nil {
			why = err
		}
	}
	if int32(len(o.Targets)) < a.least {
		rules.Forbid(o, why)
	}
	o.MaximumTargets = min(o.MaximumTargets, int32(len(o.Targets)))
	return o
}

// spend uses up the action of the round.
func spend(r *rules.Resolution, id, why string, ruleIDs ...string) {
	r.Set(id, cAction, 0, why, ruleIDs...)
}
