package celesia

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// condCountered is on a caster whose spell was countered, until it is cast.
const condCountered = "countered"

// readiable are the actions that can be readied.
var readiable = []string{"attack", "trip", "disarm", "grapple", "bull-rush", "sunder", "steal", "dirty-trick", "feint", "demoralize",
	"cast", "draw", "stand-up", "drop-prone", "total-defense", "drink", "ready-shield", "load", "escape-grapple"}

// triggers are the words for what may set a readied action off.
var triggers = []string{"attack", "cast", "move", "approach", "stand-up", "maneuver", "any"}

// turnActions are what bears on turns: delaying, readying, defending.
func turnActions() []*action {
	return []*action{
		{id: "delay", title: "Delay", rule: "celesia.turn.delay", refuse: refuseDelay, do: doDelay},
		{id: "ready", title: "Ready an action", rule: "celesia.action.ready", listing: readyOptions, cost: readyCost,
			refuse: refuseReady, check: checkReady, do: doReady, sealed: true, whole: true},
		{id: "total-defense", title: "Total defense", rule: "celesia.action.total-defense", acts: 2, do: doTotalDefense},
		{id: "fight-defensively", title: "Fight defensively", rule: "celesia.attack.fighting-defensively",
			refuse: refuseDefensive, do: doDefensive},
	}
}

// refuseDelay says why a turn cannot be delayed: only as the very first thing,
// and not in the surprise round, whose acts come in initiative order (a reading).
//
// celesia.turn.delay, celesia.initiative.no-shift-while-down
func refuseDelay(s *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	switch {
	case c.Marks[mBegun] != "" || c.Counters[cSpent] > 0:
		return refuse("TURN_BEGUN", "celesia.turn.delay", "%s has already done something this turn", c.Name)
	case s.Round == 0:
		return refuse("SURPRISE_ROUND", "celesia.surprise.acts", "nobody delays in the surprise round")
	}
	return nil
}

func doDelay(r *rules.Resolution, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	r.Mark(c.Id, mOver, "delay")
	return nil
}

// putOff ends a turn that was not taken: no reaction comes of it.
//
// celesia.turn.delay
func putOff(r *rules.Resolution, id string) {
	r.Mark(id, mDelaying, "yes", "celesia.turn.delay")
	r.Mark(id, mBegun, "")
	r.Set(id, cActs, 0, "delayed")
	r.Emit(event.Everyone(), &eventv1.TurnEnded{Creatures: []string{id}}, "celesia.turn.delay")
}

// readyOptions lists what can be readied, one option for each action and item.
func readyOptions(a *action, s *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
	var out []*eventv1.Option
	for _, id := range readiable {
		inner := actionOf(id)
		items := []string{""}
		if inner.items != nil {
			items = inner.items(s, c)
		}
		for _, item := range items {
			take := &eventv1.TakeAction{Creature: c.Id, Action: "ready", Item: item, Parameters: paramStruct("action", id)}
			o := &eventv1.Option{Creature: c.Id, Action: "ready", Title: a.title + ": " + inner.title, Item: item, Rule: a.rule, Legal: true,
				Costs: map[string]int32{cActs: readyCost(c, take)},
				Parameters: []*eventv1.Parameter{choice("action", "the action readied", true, id),
					choice("trigger", "what sets it off", true, triggers...), {Name: "foe", Type: "string", Text: "the foe who sets it off; any when not given"},
					{Name: "words", Type: "string", Text: "the trigger in words"}}}
			if err := a.mayTake(s, c, take); err != nil {
				rules.Forbid(o, err)
			}
			out = append(out, o)
		}
	}
	return out
}

// readyCost is one act and those of the action readied.
//
// celesia.action.ready
func readyCost(c *eventv1.Creature, take *eventv1.TakeAction) int32 {
	inner := readied(spoken.Word(take.Parameters, "action"))
	if inner == nil {
		return 1
	}
	return 1 + inner.costOf(c, &eventv1.TakeAction{Creature: c.Id, Action: inner.id, Item: take.Item})
}

func readied(id string) *action {
	if !slices.Contains(readiable, id) {
		return nil
	}
	return actionOf(id)
}

// refuseReady says why an action cannot be readied: what it needs must be there.
func refuseReady(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	inner := readied(spoken.Word(take.Parameters, "action"))
	if inner == nil {
		return fault.Field("take.parameters.action", "must be one of %v", readiable)
	}
	switch {
	case inner.id == "attack":
		return refuseWeapon(c, weaponOf(c, take.Item), take)
	case inner.id == "cast":
		return refuseReadiedSpell(c, spellOf(c, take.Item))
	case inner.refuse == nil:
		return nil
	}
	return inner.refuse(s, c, &eventv1.TakeAction{Creature: c.Id, Action: inner.id, Item: take.Item})
}

func refuseReadiedSpell(c *eventv1.Creature, sp *eventv1.CelesiaSpell) error {
	if err := refuseSpell(c, sp); err != nil {
		return err
	}
	if sp.Casting == "1-round" {
		return refuse("TOO_LONG", "celesia.action.ready", "a 1-round spell cannot be readied")
	}
	if sp.Healing != "" {
		return refuse("NOT_AT_A_FOE", "celesia.action.ready", "only spells aimed at the one who sets it off can be readied")
	}
	return nil
}

func checkReady(s *eventv1.State, _ *eventv1.Creature, take *eventv1.TakeAction) error {
	trigger, err := oneOf(take, "trigger", triggers...)
	if err != nil {
		return err
	}
	if trigger == "" {
		return refuse("NO_TRIGGER", "celesia.action.ready", "a definite trigger must be named")
	}
	if foe := spoken.Word(take.Parameters, "foe"); foe != "" && s.Creatures[foe] == nil {
		return fault.Field("take.parameters.foe", "there is no creature %q", foe)
	}
	return nil
}

// doReady prepares the action and ends the turn at once; what was readied is
// known to nobody else.
func doReady(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	for _, key := range []string{"action", "trigger", "foe", "words"} {
		r.Mark(c.Id, mReady+key, spoken.Word(take.Parameters, key), "celesia.action.ready")
	}
	r.Mark(c.Id, mReady+"item", take.Item, "celesia.action.ready")
	r.Mark(c.Id, mOver, "ready")
	return nil
}

// forget ends a readied action.
//
// celesia.action.ready-expiry
func forget(r *rules.Resolution, id, why string) {
	c := r.Creature(id)
	if c.Marks[mReady+"action"] == "" {
		return
	}
	r.Note(event.Controllers(id), id, "the readied action is gone: "+why, "celesia.action.ready-expiry")
	for _, m := range rules.SortedKeys(c.Marks) {
		if strings.HasPrefix(m, mReady) {
			r.Mark(id, m, "", "celesia.action.ready-expiry")
		}
	}
}

// readiedTake is the readied action as it is taken, at the one who set it off.
func readiedTake(c *eventv1.Creature, foe string) *eventv1.TakeAction {
	take := &eventv1.TakeAction{Creature: c.Id, Action: c.Marks[mReady+"action"], Item: c.Marks[mReady+"item"]}
	if a := readied(take.Action); a != nil && a.targeted {
		take.Targets = []string{foe}
	}
	return take
}

// readiedFits tells whether a creature's readied action is set off by an act
// and can be taken.
//
// celesia.reaction.complete-readied
func readiedFits(s *eventv1.State, c, actor *eventv1.Creature, p provocation) bool {
	a := readied(c.Marks[mReady+"action"])
	if a == nil {
		return false
	}
	if foe := c.Marks[mReady+"foe"]; foe != "" && foe != actor.Id {
		return false
	}
	trigger := c.Marks[mReady+"trigger"]
	if trigger != p.kind && (trigger != "any" || p.kind == "approach" || p.kind == "") {
		return false
	}
	if p.kind == "approach" && !cameNear(c, actor, p) {
		return false
	}
	take := readiedTake(c, actor.Id)
	if a.targeted && a.mayTarget(s, c, take) != nil {
		return false
	}
	return a.refuse == nil || a.refuse(s, c, take) == nil
}

// cameNear tells whether an actor has come adjacent to a creature, by
// statement or by measure.
func cameNear(c, actor *eventv1.Creature, p provocation) bool {
	if stated, ok := spoken.Words(p.take.GetFacts(), "approaches"); ok {
		return slices.Contains(stated, c.Id)
	}
	feet, known := distance(c, actor)
	return known && feet <= 5
}

// doTotalDefense guards until the start of one's next turn.
//
// celesia.action.total-defense
func doTotalDefense(r *rules.Resolution, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	lift(r, c.Id, condTotal, "again", "celesia.action.total-defense")
	r.AddCondition(c.Id, &eventv1.Condition{Name: condTotal, Cause: "total defense", Rule: "celesia.action.total-defense",
		Until: untilStart(c.Id), Values: map[string]int32{"defense": 5 + sheetOf(c).BaseAttack/2}})
	return nil
}

// refuseDefensive: only at the start of a turn, before any act.
//
// celesia.attack.fighting-defensively
func refuseDefensive(_ *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	switch {
	case c.Counters[cSpent] > 0:
		return refuse("TURN_BEGUN", "celesia.attack.fighting-defensively", "only before the first act of the turn")
	case has(c, condDefensive):
		return refuse("ALREADY", "celesia.attack.fighting-defensively", "%s fights defensively already", c.Name)
	}
	return nil
}

func doDefensive(r *rules.Resolution, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	r.AddCondition(c.Id, &eventv1.Condition{Name: condDefensive, Cause: "fighting defensively", Rule: "celesia.attack.fighting-defensively",
		Until: untilStart(c.Id), Values: map[string]int32{"defense": sheetOf(c).BaseAttack}})
	return nil
}

// untilStart is the start of a creature's next turn.
func untilStart(id string) *eventv1.Until { return &eventv1.Until{When: "start-of-turn", Creature: id} }
