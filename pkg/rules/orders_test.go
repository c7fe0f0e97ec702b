package rules_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// What an order answers: an option of its name, the default, or with yes the first that
// is offered; what is no answer to the question is passed over, and ask asks.
func TestWhatAnOrderAnswers(t *testing.T) {
	option := eventv1.DecisionKind_DECISION_KIND_OPTION
	of := func(byDefault string, ids ...string) *eventv1.Decision {
		d := &eventv1.Decision{Name: "parry", Creature: "b", Kind: option, DefaultOption: byDefault}
		for _, id := range ids {
			d.Options = append(d.Options, &eventv1.DecisionOption{Id: id, Text: id})
		}
		return d
	}
	const asked = "asked"
	for name, c := range map[string]struct {
		d      *eventv1.Decision
		orders []*eventv1.StandingOrder // of the encounter
		own    string                   // of the creature, without a condition
		when   *eventv1.StandingOrder   // of the creature, with one
		table  string
		want   string
	}{
		"no order":                    {of("no", "yes", "no"), nil, "", nil, "", asked},
		"an option":                   {of("no", "yes", "no"), nil, "yes", nil, "", "yes"},
		"no such option":              {of("no", "sword", "no"), nil, "bow", nil, "", asked},
		"yes, and there is none":      {of("no", "no", "sword", "bow"), nil, "yes", nil, "", "sword"},
		"yes, the default is another": {of("bow", "bow", "no", "sword"), nil, "yes", nil, "", "sword"},
		"yes, and there is nothing":   {of("no", "no"), nil, "yes", nil, "", asked},
		"the default":                 {of("no", "yes", "no"), nil, "default", nil, "", "no"},
		"the default, and none":       {of("", "yes", "no"), nil, "default", nil, "", asked},
		"a default that is not there": {of("maybe", "yes", "no"), nil, "default", nil, "", asked},
		"its own before its side's":   {of("no", "yes", "no"), []*eventv1.StandingOrder{{Side: "y", Order: "yes"}}, "no", nil, "", "no"},
		"its side's":                  {of("no", "yes", "no"), []*eventv1.StandingOrder{{Side: "y", Order: "yes"}}, "", nil, "", "yes"},
		"another side's":              {of("no", "yes", "no"), []*eventv1.StandingOrder{{Side: "x", Order: "yes"}}, "", nil, "", asked},
		"its side's before monsters'": {of("no", "yes", "no"), []*eventv1.StandingOrder{{Monsters: true, Order: "no"}, {Side: "y", Order: "yes"}}, "", nil, "", "yes"},
		"the monsters'":               {of("no", "yes", "no"), []*eventv1.StandingOrder{{Monsters: true, Order: "yes"}}, "", nil, "", "yes"},
		"ask, whatever the side says": {of("no", "yes", "no"), []*eventv1.StandingOrder{{Side: "y", Order: "yes"}}, "ask", nil, rules.DecideAll, asked},
		"no answer, then the side's":  {of("no", "yes", "no"), []*eventv1.StandingOrder{{Side: "y", Order: "yes"}}, "bow", nil, "", "yes"},
		"with a condition that holds": {of("no", "yes", "no"), nil, "no", &eventv1.StandingOrder{Creature: "b", Order: "yes", When: "round >= 0"}, "", "yes"},
		"with one that does not":      {of("no", "yes", "no"), nil, "no", &eventv1.StandingOrder{Creature: "b", Order: "yes", When: "round > 99"}, "", "no"},
		"the table decides for all":   {of("no", "yes", "no"), nil, "", nil, rules.DecideAll, "no"},
		"for monsters":                {of("no", "yes", "no"), nil, "", nil, rules.DecideMonsters, "no"},
		"for all, and no default":     {of("", "yes", "no"), nil, "", nil, rules.DecideAll, asked},
		"an order before the table":   {of("no", "yes", "no"), nil, "yes", nil, rules.DecideAll, "yes"},
		"a player's, for monsters":    {playersOwn(of("no", "yes", "no")), nil, "", nil, rules.DecideMonsters, asked},
		"a player's, for all":         {playersOwn(of("no", "yes", "no")), nil, "", nil, rules.DecideAll, "no"},
		"a player's, the monsters'":   {playersOwn(of("no", "yes", "no")), []*eventv1.StandingOrder{{Monsters: true, Order: "yes"}, {Side: "x", Order: "yes"}}, "", nil, "", asked},
		"the game master's, for all":  {gameMasters(of("no", "yes", "no")), nil, "", nil, rules.DecideAll, asked},
		"a number, the default":       {&eventv1.Decision{Name: "parry", Creature: "b", Kind: eventv1.DecisionKind_DECISION_KIND_NUMBER, Minimum: 0, Maximum: 3}, nil, "default", nil, "", asked},
		"a number, for all":           {&eventv1.Decision{Name: "parry", Creature: "b", Kind: eventv1.DecisionKind_DECISION_KIND_NUMBER, Minimum: 0, Maximum: 3}, nil, "", nil, rules.DecideAll, asked},
		"a number, yes":               {&eventv1.Decision{Name: "parry", Creature: "b", Kind: eventv1.DecisionKind_DECISION_KIND_NUMBER, Minimum: 1, Maximum: 3}, nil, "yes", nil, "", asked},
	} {
		s := fightState(t)
		for _, o := range c.orders {
			o.Decision = "parry"
			event.Fold(s, event.New(event.GM(), &eventv1.OrderGiven{Order: o}))
		}
		if c.own != "" {
			event.Fold(s, event.New(event.GM(), &eventv1.StandingOrderSet{Creature: "b", Decision: "parry", Order: c.own}))
		}
		if c.when != nil {
			c.when.Decision = "parry"
			event.Fold(s, event.New(event.GM(), &eventv1.OrderGiven{Order: c.when}))
		}
		if c.table != "" {
			event.Fold(s, event.New(event.Everyone(), &eventv1.SettingChanged{Setting: rules.SettingDecideByDefault, Value: c.table}))
		}
		got := asked
		out, err := rules.Run(context.Background(), toy{}, rules.Request{State: s, Action: 7}, &table{}, func(r *rules.Resolution) error {
			got = r.Ask("parry", c.d).GetOption()
			return nil
		})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got != c.want || (len(out.Open) == 1) != (c.want == asked) {
			t.Errorf("%s: %s, open %v; want %s", name, got, out.Open, c.want)
		}
	}
}

func playersOwn(d *eventv1.Decision) *eventv1.Decision { d.Creature = "a"; return d }

func gameMasters(d *eventv1.Decision) *eventv1.Decision { d.GmOnly = true; return d }

// turns is a system in which a turn ends by itself where nothing is left to do: a has
// the turn first, then b.
type turns struct {
	toy
	list func(q rules.Query) []*eventv1.Option
	end  error
}

func (x turns) Options(q rules.Query) []*eventv1.Option { return x.list(q) }

func (x turns) EndTurn(r *rules.Resolution, id string) error {
	if x.end != nil {
		return x.end
	}
	r.Emit(event.Everyone(), &eventv1.TurnEnded{Creatures: []string{id}})
	if id == "a" {
		r.Emit(event.Everyone(), &eventv1.TurnStarted{Creatures: []string{"b"}})
	}
	return nil
}

// A turn ends by itself once nothing is left that takes anything of it, if it may end;
// it goes on for what costs something, and for what its rules want done.
func TestTurnsThatEndByThemselves(t *testing.T) {
	free := func(legal bool) *eventv1.Option { return &eventv1.Option{Action: "wave", Legal: legal} }
	deed := func(legal bool) *eventv1.Option {
		return &eventv1.Option{Action: "attack", Legal: legal, Costs: map[string]int32{"action": 1}}
	}
	over := func(legal bool) *eventv1.Option {
		return &eventv1.Option{Action: rules.EndTurnAction, Legal: legal, Costs: map[string]int32{"action": 1}}
	}
	always := func(list ...*eventv1.Option) func(rules.Query) []*eventv1.Option {
		return func(q rules.Query) []*eventv1.Option {
			if q.Creature == "b" {
				return []*eventv1.Option{deed(true), over(true)}
			}
			return list
		}
	}
	broken := errors.New("broken")
	for name, c := range map[string]struct {
		sys     turns
		setting string
		active  string
		err     error
	}{
		"nothing is left":          {turns{list: always(over(true))}, rules.TurnEndsByItself, "b", nil},
		"something free is left":   {turns{list: always(free(true), over(true))}, rules.TurnEndsByItself, "b", nil},
		"a deed is left":           {turns{list: always(free(true), deed(true), over(true))}, rules.TurnEndsByItself, "a", nil},
		"a deed that may not be":   {turns{list: always(deed(false), over(true))}, rules.TurnEndsByItself, "b", nil},
		"it may not end":           {turns{list: always(over(false))}, rules.TurnEndsByItself, "a", nil},
		"nothing is listed":        {turns{list: always()}, rules.TurnEndsByItself, "a", nil},
		"it ends by command alone": {turns{list: always(over(true))}, rules.TurnEndsSaid, "a", nil},
		"the rules refuse the end": {turns{list: always(over(true)), end: fault.Refuse("NOT_YET", "toy.rule", "not yet")}, rules.TurnEndsByItself, "a", nil},
		"ending it is broken":      {turns{list: always(over(true)), end: broken}, rules.TurnEndsByItself, "a", broken},
	} {
		s := fightState(t)
		s.Active = []string{"a"}
		event.Fold(s, event.New(event.Everyone(), &eventv1.SettingChanged{Setting: rules.SettingTurnEnds, Value: c.setting}))
		out, err := rules.Run(context.Background(), c.sys, rules.Request{State: s, Action: 7, Faces: []int32{2}}, &table{}, rules.Resolve(c.sys, attack))
		if !errors.Is(err, c.err) {
			t.Errorf("%s: %v", name, err)
		}
		if err == nil && !slices.Equal(out.State.Active, []string{c.active}) {
			t.Errorf("%s: the turn is of %v, want %s", name, out.State.Active, c.active)
		}
	}
}

// Whether a turn goes on does not tell of one who is staged: a player's creature is
// asked as if that one were not there, a monster as things are.
func TestATurnThatKnowsNobodyStaged(t *testing.T) {
	for actor, sees := range map[string]bool{"a": false, "b": true} {
		s := fightState(t)
		s.Active = []string{actor}
		event.Fold(s, event.New(event.GM(), &eventv1.CreatureAdded{Creature: "lurk", Name: "lurk", Side: "z"}))
		event.Fold(s, event.New(event.GM(), &eventv1.Staged{Creature: "lurk", Staged: true}))
		event.Fold(s, event.New(event.Everyone(), &eventv1.SettingChanged{Setting: rules.SettingTurnEnds, Value: rules.TurnEndsByItself}))
		var known []bool
		sys := turns{list: func(q rules.Query) []*eventv1.Option {
			known = append(known, q.State.Creatures["lurk"] != nil)
			return nil
		}}
		cmd := takeOf(&eventv1.TakeAction{Creature: actor, Action: "attack", Targets: []string{"b"}})
		if _, err := rules.Run(context.Background(), sys, rules.Request{State: s, Action: 7, Faces: []int32{2}}, &table{}, rules.Resolve(sys, cmd)); err != nil {
			t.Fatal(err)
		}
		if len(known) == 0 || slices.Contains(known, !sees) {
			t.Errorf("%s is asked with one who is staged: %v", actor, known)
		}
	}
}
