package checks

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Rules of maneuvers against what a foe has, and against its senses.
const (
	RuleSunder   = cite.ManeuverSunder
	RuleSteal    = cite.ManeuverSteal
	RuleFastened = cite.ManeuverStealFastened
	RuleTrick    = cite.ManeuverDirtyTrick
	RuleUntrick  = cite.ManeuverDirtyTrickRemove
)

// Decisions of these maneuvers.
const (
	DecThing   = "which-thing"
	DecDestroy = "sunder-destroy"
	DecTrick   = "dirty-trick"
	decUntrick = "dirty-trick-remove"
)

// Tricks are the conditions that a dirty trick can bring.
var Tricks = []string{body.CondBlind, "dazzled", "deafened", "entangled", body.CondShaken, body.CondSickened}

// Breakable lists what of a foe's can be sundered: held or worn in sight, and
// with hit points of its own.
func Breakable(t *eventv1.Creature) []string {
	var out []string
	for _, name := range rules.SortedKeys(t.GetItems()) {
		it := t.Items[name]
		if seen := body.InHand(it.Place) || it.Place == body.PlaceCarried || it.Place == body.PlaceWorn; seen && it.Values[body.ValueHP] > 0 {
			out = append(out, name)
		}
	}
	return out
}

// Stealable lists what can be taken from a foe: carried in sight. What it holds
// is a matter of disarming (a reading).
//
// celesia.maneuver.steal-fastened
func Stealable(t *eventv1.Creature) []string {
	var out []string
	for _, name := range body.Openly(t) {
		if t.Items[name].Place == body.PlaceCarried {
			out = append(out, name)
		}
	}
	return out
}

// CheckThing judges the thing that is named.
func CheckThing(list func(*eventv1.Creature) []string, rule string) func(*eventv1.State, *eventv1.Creature, *eventv1.TakeAction) error {
	return func(s *eventv1.State, _ *eventv1.Creature, take *eventv1.TakeAction) error {
		t, name := s.Creatures[body.Target(take)], spoken.Word(take.Parameters, "thing")
		switch {
		case name == "" || t == nil || slices.Contains(list(t), name):
			return nil
		case t.Items[name].GetPlace() == body.PlaceWorn && rule == RuleSteal:
			return body.Refuse("WORN", RuleFastened, "%s is securely worn", name)
		case t.Items[name] != nil && t.Items[name].Place != body.PlaceGone:
			return body.Refuse("NOT_THERE", rule, "%s cannot be had so", name)
		}
		return body.Nameless("take.parameters.thing", "thing", t.Name, name, list(t))
	}
}

// ChosenThing is the thing named; asked of the attacker when there are several.
func ChosenThing(r *rules.Resolution, c, t *eventv1.Creature, take *eventv1.TakeAction, things []string, rule string) string {
	if name := spoken.Word(take.Parameters, "thing"); name != "" {
		return name
	}
	if len(things) == 1 {
		return things[0]
	}
	d := &eventv1.Decision{Name: DecThing, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: c.Id, Cause: take.Action,
		Question: "Which thing of " + t.Name + "?", DefaultOption: things[0], Rule: rule}
	for _, n := range things {
		d.Options = append(d.Options, &eventv1.DecisionOption{Id: n, Text: n})
	}
	return r.Ask("thing", d).Option
}

// ThingNumbers are hardness and full hit points of a weapon or thing.
func ThingNumbers(t *eventv1.Creature, name string) (hardness, hitPoints int32) {
	if w := body.WeaponOf(t, name); w != nil {
		return w.Hardness, w.HitPoints
	}
	th := body.ThingOf(t, name)
	return th.GetHardness(), th.GetHitPoints()
}

// Tricked lists the conditions that dirty tricks put on a creature.
func Tricked(c *eventv1.Creature) []*eventv1.Condition {
	var out []*eventv1.Condition
	for _, x := range c.GetConditions() {
		if x.Rule == RuleTrick {
			out = append(out, x)
		}
	}
	return out
}

// RefuseUntrick: the victim itself, or an ally beside it.
//
// celesia.maneuver.dirty-trick-remove
func RefuseUntrick(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	t := s.Creatures[body.Target(take)]
	if t == nil {
		return nil
	}
	if len(Tricked(t)) == 0 {
		return body.Refuse("NO_TRICK", RuleUntrick, "no dirty trick was played on %s", t.Name)
	}
	if t.Id == c.Id {
		return nil
	}
	if t.Side != c.Side {
		return body.Refuse("NO_ALLY", RuleUntrick, "%s is no ally", t.Name)
	}
	if feet, _ := body.Apart(take, c, t); feet > 5 {
		return body.OutOfReach(RuleUntrick, t, feet)
	}
	return nil
}

// DoUntrick ends one dirty trick on the target; the one who undoes it is asked which
// when there are several.
func DoUntrick(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	all := Tricked(r.Creature(body.Target(take)))
	gone := all[0]
	if len(all) > 1 {
		d := &eventv1.Decision{Name: decUntrick, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: c.Id, Cause: "undoing a dirty trick",
			Question: "Which one?", DefaultOption: all[0].Id, Rule: RuleUntrick}
		for _, x := range all {
			d.Options = append(d.Options, &eventv1.DecisionOption{Id: x.Id, Text: x.Name})
		}
		id := r.Ask("untrick", d).Option
		gone = all[slices.IndexFunc(all, func(x *eventv1.Condition) bool { return x.Id == id })]
	}
	r.RemoveCondition(body.Target(take), gone, "undone", RuleUntrick)
	return nil
}
