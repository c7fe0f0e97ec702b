package rcr

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// readyActions are readying something and doing it outside one's own turn. That the
// trigger has come is the caller's word.
func readyActions() []*play.Action {
	return []*play.Action{
		{ID: "ready", Title: "Ready an action", Rule: fallback, Group: play.GroupWait, Costs: oneAction, Items: readyItems,
			Refuse: refuseReady, Fields: readyFields, Check: checkReady, Choices: readyChoices, Do: doReady},
		{ID: "use-ready", Title: "Do what was readied", Rule: fallback, Group: play.GroupWait, Costs: oneReaction, Anytime: true, Self: true,
			Items: readiedItems, Names: readiedTitle, Refuse: refuseUseReady, Range: readiedRange,
			Repeat: func(at *play.At) bool {
				what, item := readied(at.Actor)
				return what == readyCast && repeats(spellOf(at.Actor, item))
			},
			RefuseTarget: refuseReadiedOn, Fields: readiedFields, Check: checkUseReady, Do: doUseReady},
	}
}

// readySaid is the action that a command readies; an attack when none is named.
func readySaid(take *eventv1.TakeAction) string {
	if what := spoken.Word(take.Parameters, "action"); what != "" {
		return what
	}
	return readyAttack
}

// readyItems: one line lists readying, what can be readied are its choices.
// What of a command cannot be readied is refused with what can.
func readyItems(at *play.At) []string {
	if at.Listing || at.Item() == "" {
		return bare
	}
	return []string{at.Item()}
}

func refuseReady(at *play.At) error {
	if err := needAction(at.Actor); err != nil || at.Listing {
		return err
	}
	what := readySaid(at.Take)
	var items []string
	for _, x := range readiables(at.State, at.Actor) {
		switch {
		case x.what != what:
		case x.item == at.Item():
			return x.why(at.State, at.Actor)
		default:
			items = append(items, x.item)
		}
	}
	return noSuch("take.item", at.Item(), "item of "+what+" that "+at.Actor.Name+" can ready", items)
}

func readyFields(at *play.At) []play.Field {
	if at.Listing {
		return []play.Field{{Name: "trigger", Required: true}}
	}
	out := []play.Field{{Name: "action"}, {Name: "trigger", Required: true}}
	if readySaid(at.Take) == readyCast {
		out = append(out, play.Field{Name: "slot"})
	}
	return out
}

func checkReady(at *play.At) error {
	if trigger := spoken.Word(at.Take.Parameters, "trigger"); trigger == "" || len(trigger) > maxTrigger {
		return fault.Field("take.parameters.trigger", "must be 1 to %d bytes", maxTrigger)
	}
	if readySaid(at.Take) != readyCast {
		return nil
	}
	k := &casting{id: at.Actor.Id, sp: spellOf(at.Actor, at.Item()), take: at.Take}
	planned(at).casting = k
	return k.choose(at.Actor)
}

// readyChoices are what can be readied now.
func readyChoices(at *play.At) []*eventv1.Option {
	all := readiables(at.State, at.Actor)
	out := make([]*eventv1.Option, 0, len(all))
	for _, x := range all {
		if x.why(at.State, at.Actor) != nil {
			continue
		}
		o := &eventv1.Option{Creature: at.Actor.Id, Action: x.what, Item: x.item, Title: strings.TrimSpace("Ready: " + x.what + " " + x.item), Legal: true,
			Rule: fallback, Group: string(frame.Action(x.what).Group)}
		if sp := spellOf(at.Actor, x.item); x.what == readyCast && sp.Level > 0 && !sp.Innate {
			o.Parameters = []*eventv1.Parameter{frame.Shown("ready", play.Field{Name: "slot", Numbers: slotsFor(at.Actor, sp)})}
		}
		out = append(out, o)
	}
	return out
}

// doReady spends the action on something to be done as a reaction, until the
// start of the next turn. A spell is cast now, with all that goes with that,
// and its energy held by concentration.
//
// rcr.base.fifth-edition-fallback, rcr.surprise.one-action
func doReady(r *rules.Resolution, at *play.At) error {
	c, what := r.Creature(at.Actor.Id), readySaid(at.Take)
	var values map[string]int32
	if what == readyCast {
		k := planned(at).casting
		k.r = r
		if !k.hold(c) {
			return nil
		}
		values = map[string]int32{"slot": k.slot}
	} else {
		spend(r, c.Id, cAction, "Ready")
		r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "ready"})
		dropReady(r, c.Id, "readied anew")
	}
	r.Begin(c.Id, &eventv1.Begun{Kind: begunReadied, Action: &eventv1.TakeAction{Creature: c.Id, Action: what, Item: at.Item()},
		Words: spoken.Word(at.Take.Parameters, "trigger"), Values: values, Until: &eventv1.Until{When: untilTurnStart, Creature: c.Id, Turns: 1},
		Rule: cite.BaseFifthEditionFallback}, cite.BaseFifthEditionFallback)
	return nil
}

// readiedItems is what was readied; a command need not name it.
func readiedItems(at *play.At) []string {
	what, item := readied(at.Actor)
	switch {
	case at.Listing && what == "":
		return nil
	case at.Listing || item == "":
		return []string{item}
	}
	return []string{"", item}
}

func readiedTitle(at *play.At) string {
	what, item := readied(at.Actor)
	return "Do what was readied: " + strings.TrimSpace(what+" "+item)
}

// readiedAt is the place of what was readied: its doer has one action, or the
// movement of its speed, and no more.
func readiedAt(at *play.At) *play.At {
	what, item := readied(at.Actor)
	inner := at.Of(frame.Action(what), &eventv1.TakeAction{Creature: at.Actor.Id, Action: what, Item: item, Targets: at.Take.Targets, Path: at.Take.Path,
		Parameters: at.Take.Parameters, Circumstances: at.Take.Circumstances, Facts: at.Take.Facts})
	inner.State = poised(at.State, at.Actor.Id, poise(at.State, at.Actor, what))
	inner.Actor = inner.State.Creatures[at.Actor.Id]
	return inner
}

func refuseUseReady(at *play.At) error {
	what, item := readied(at.Actor)
	if what == "" {
		return refuse("NOT_READY", cite.BaseFifthEditionFallback, "%s has nothing readied", at.Actor.Name)
	}
	if err := needReaction(at.State, at.Actor); err != nil {
		return err
	}
	gone := refuse("NOT_READY", cite.BaseFifthEditionFallback, "there is no %s for %s any more", strings.TrimSpace(what+" "+item), at.Actor.Name)
	switch {
	case what == readyAttack && attackOf(at.Actor, item) == nil, what == readyCast && spellOf(at.Actor, item) == nil:
		return gone
	case what == readyAttack:
		return refuseWeapon(at.State, at.Actor, attackOf(at.Actor, item))
	case what == readyCast:
		return nil
	}
	inner := readiedAt(at)
	if what == "escape" && holdOf(at.Actor, item) == nil || inner.Action.Items != nil && what != "escape" && !slices.Contains(inner.Action.Items(inner), item) {
		return gone
	}
	if inner.Action.Refuse == nil {
		return nil
	}
	return inner.Action.Refuse(inner)
}

func readiedRange(at *play.At) (least, most int32) {
	if what, item := readied(at.Actor); what == readyCast {
		return aimed(spellOf(at.Actor, item), readiedSlot(at.Actor))
	}
	inner := readiedAt(at)
	return inner.Action.Targets(inner)
}

// readiedSlot is the level that a readied spell was cast at.
func readiedSlot(c *eventv1.Creature) int32 {
	return rules.BegunOf(c, begunReadied).GetValues()["slot"]
}

func refuseReadiedOn(at *play.At, t *eventv1.Creature) error {
	return readiedAt(at).RefusedTarget(t)
}

func readiedFields(at *play.At) []play.Field {
	inner := readiedAt(at)
	out := []play.Field(nil)
	switch what, item := readied(at.Actor); {
	case !at.Listing:
		for _, p := range frame.Words.Parameters(rules.PlaceParameter, at.Action.ID) {
			out = append(out, play.Field{Name: p.Name})
		}
		return out // what the action readied does not take, the check refuses
	case what == readyCast:
		out = aimFields(inner, spellOf(at.Actor, item))
	case inner.Action.Fields != nil:
		out = inner.Action.Fields(inner)
	case what == "shove":
		out = []play.Field{{Name: "effect"}}
	case what == "use-object":
		out = []play.Field{{Name: "object"}}
	}
	return slices.DeleteFunc(out, func(f play.Field) bool { return f.Name == "cost" || f.Name == "multiattack" })
}

func checkUseReady(at *play.At) error {
	what, item := readied(at.Actor)
	if err := checkReadied(at.Take, what); err != nil {
		return err
	}
	if what == readyCast {
		k := &casting{id: at.Actor.Id, sp: spellOf(at.Actor, item), take: at.Take, slot: readiedSlot(at.Actor)}
		planned(at).casting = k
		return k.aim(at.Content, at.State, at.Actor)
	}
	inner := readiedAt(at)
	if inner.Action.Check == nil {
		return nil
	}
	return inner.Action.Check(inner)
}

func doUseReady(r *rules.Resolution, at *play.At) error {
	id := at.Actor.Id
	what, _ := readied(at.Actor)
	switch what {
	case readyAttack:
		carryOut(r, at, func(*eventv1.Creature, *attackPlan) attackOpts {
			spend(r, id, cReaction, "readied attack")
			dropReady(r, id, "used")
			return attackOpts{label: "ready/" + id}
		})
		return nil
	case readyCast:
		k := planned(at).casting
		k.r = r
		k.release()
		return nil
	}
	inner := readiedAt(at)
	spend(r, id, cReaction, "readied "+what)
	dropReady(r, id, "used")
	return aside(r, id, "readied "+what, moving(what), poise(r.State(), r.Creature(id), what), func() error { return inner.Action.Do(r, inner) })
}
