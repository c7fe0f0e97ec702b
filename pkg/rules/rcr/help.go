package rcr

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// helpedWith is the variant of the condition "helped" on whoever is helped with
// a check of a skill, a tool or an ability.
func helpedWith(skill string) string { return "check." + skill }

// helpCheckOptions lists whom a creature may help with a check, and with what
// all of them can be helped.
func helpCheckOptions(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
	o := option("", needAction(c), map[string]int32{cAction: 1})
	o.MinimumTargets, o.MaximumTargets = 1, 1
	with := skillNames(c)
	for _, id := range rules.SortedKeys(s.Creatures) {
		other := s.Creatures[id]
		if refuseAlly(c, other) != nil {
			continue
		}
		o.Targets = append(o.Targets, id)
		theirs := skillNames(other)
		with = slices.DeleteFunc(with, func(name string) bool { return !slices.Contains(theirs, name) })
	}
	o.Parameters = []*eventv1.Parameter{choiceOf("with", "The check that it helps with", true, with...)}
	if o.Legal && len(o.Targets) == 0 {
		rules.Forbid(o, refuse("NO_TARGET", fallback, "there is nobody to help"))
	}
	return []*eventv1.Option{o}
}

// refuseAlly says why a creature is nobody to help.
func refuseAlly(c, ally *eventv1.Creature) error {
	if ally.GetId() == c.Id || hostile(c, ally) || dead(ally) {
		return refuse("NO_ALLY", fallback, "%s is nobody to help", ally.GetName())
	}
	return nil
}

// doHelpCheck gives an ally advantage on its next check of a skill, a tool or an
// ability, until the helper's next turn.
//
// rcr.base.fifth-edition-fallback
func doHelpCheck(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := needAction(c); err != nil {
		return err
	}
	id, err := oneTarget(take)
	if err != nil {
		return err
	}
	ally := r.Creature(id)
	if err := refuseAlly(c, ally); err != nil {
		return err
	}
	with := strings.ToLower(spoken.Word(take.Parameters, "with"))
	if !slices.Contains(skillNames(ally), with) {
		return noSuch("take.parameters.with", with, "skill, tool or ability of "+ally.Name, skillNames(ally))
	}
	spend(r, c.Id, cAction, "Help")
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "help-check", Targets: []string{id}, Notes: append([]string{"with " + with}, statedNotes(take)...)})
	r.AddCondition(id, &eventv1.Condition{Name: condHelped, Variant: helpedWith(with), Source: c.Id, Cause: "Help",
		Until: untilNextTurn(r, c.Id, 1), Rule: fallback})
	return nil
}

// useHelp takes the help that a creature has with a check of a skill and gives
// its advantage: once, however many help.
//
// rcr.base.fifth-edition-fallback, rcr.dice.same-kind-no-stack
func useHelp(r *rules.Resolution, c *eventv1.Creature, skill string) (edges []*eventv1.Edge) {
	for _, x := range slices.Clone(r.Creature(c.Id).GetConditions()) {
		if x.Name == condHelped && x.Variant == helpedWith(skill) {
			r.RemoveCondition(c.Id, x, "used", fallback)
			edges = append(edges, adv("help", "helped by "+x.Source, fallback))
		}
	}
	return edges
}
