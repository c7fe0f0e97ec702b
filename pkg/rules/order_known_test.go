package rules_test

import (
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// An order for a side that nobody is on says which sides there are, each once.
func TestAnOrderForASideNobodyIsOn(t *testing.T) {
	s := fightState(t)
	for id, side := range map[string]string{"c": "x", "d": "w"} { // a is on x, b on y
		s.Creatures[id] = &eventv1.Creature{Id: id, Name: id, Side: side}
	}
	cmd := &eventv1.Command{What: &eventv1.Command_Order{Order: &eventv1.SetStandingOrder{Side: "z", Decision: "parry", Order: "no"}}}
	_, err := rules.Run(t.Context(), toy{}, rules.Request{State: s, Action: 9}, &table{}, rules.Resolve(toy{}, cmd))
	f, ok := fault.As(err)
	if !ok || len(f.Violations) != 1 || f.Violations[0].Field != "order.side" || !strings.Contains(f.Violations[0].Description, "there are w, x, y") {
		t.Errorf("%v", err)
	}
	cmd.GetOrder().Side = "w"
	if _, err := rules.Run(t.Context(), toy{}, rules.Request{State: s, Action: 9}, &table{}, rules.Resolve(toy{}, cmd)); err != nil {
		t.Errorf("a side that somebody is on: %v", err)
	}
}

// The condition of a standing order sees what its giver may know: of the own creature
// all, of another what anybody sees, of one unseen nothing. The game master sees all.
func TestAnOrderKnowsWhatItsGiverKnows(t *testing.T) {
	gm := &eventv1.Principal{Role: eventv1.Principal_ROLE_GM, Name: "gm"}
	ben := &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: "ben"}
	parry := acting{act: func(r *rules.Resolution) {
		r.Ask("parry", rules.About(rules.YesNo("parry", "b", "hit", "Parry?", "", ""), "a"))
	}}
	for _, c := range []struct {
		name, when string
		by         *eventv1.Principal
		staged     bool
		holds      bool
	}{
		{"without a condition", "", ben, false, true},
		{"of the own creature", "self.hp == 20", ben, false, true},
		{"of the own creature, not so", "self.hp == 19", ben, false, false},
		{"the other's hit points, by the game master", "target.hp == 20", gm, false, true},
		{"the other's hit points, by nobody", "target.hp == 20", nil, false, true},
		{"the other's hit points, by a player", "target.hp == 20", ben, false, false},
		{"the other's name, by a player", "target.id == 'a'", ben, false, true},
		{"the other's counter, which all may see", "target.counters.score == 3", ben, false, true},
		{"the other's condition, which all may see", "'dazed' in target.conditions", ben, false, true},
		{"one unseen, by a player", "target.id == 'a'", ben, true, false},
		{"one unseen, by the game master", "target.id == 'a'", gm, true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := fightState(t)
			s.Creatures["b"].Controllers = []string{"ben"}
			s.Creatures["a"].Staged = c.staged
			event.FoldAll(s, []*eventv1.Event{
				event.New(event.Everyone(), &eventv1.OrderGiven{Order: &eventv1.StandingOrder{Creature: "b", Decision: "parry", Order: "no", When: c.when, By: c.by}}),
				event.New(event.Everyone(), &eventv1.CounterSet{Subject: "a", Counter: "score", Value: 3}),
				event.New(event.Everyone(), &eventv1.ConditionAdded{Creature: "a", Condition: &eventv1.Condition{Id: "1", Name: "dazed"}})})
			out, err := rules.Run(t.Context(), parry, rules.Request{State: s, Action: 7}, &table{}, rules.Resolve(parry, attack))
			must(t, err)
			if got := len(out.Open) == 0; got != c.holds {
				t.Errorf("holds: %v, want %v", got, c.holds)
			}
		})
	}
}
