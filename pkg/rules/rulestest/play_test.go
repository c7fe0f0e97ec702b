package rulestest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// brawl is a system of blows and rests, with one thing wrong with it when so
// named.
type brawl struct {
	rules.System
	wrong string
}

func (brawl) Info() rules.Info                            { return rules.Info{ID: "brawl", Version: "1"} }
func (brawl) Settings() []rules.Setting                   { return nil }
func (brawl) CheckSheet(*eventv1.Sheet) []fault.Violation { return nil }
func (brawl) Finish(*rules.Resolution) error              { return nil }
func (brawl) StandingOrders() []rules.StandingOrder {
	return []rules.StandingOrder{{Decision: "sure", Orders: []string{"yes"}}}
}

func (b brawl) Audience(_ *eventv1.State, kind rules.FactKind, _, _ string) *eventv1.Audience {
	if b.wrong == "what the player cannot know" && kind == rules.FactCounter {
		return event.GM()
	}
	return event.Everyone()
}

func (brawl) Enter(r *rules.Resolution, add *eventv1.AddCreature) error {
	r.SetHitPoints(add.Sheet.Id, 10, 10, 0)
	return nil
}

func (b brawl) Begin(r *rules.Resolution, _ *eventv1.StartEncounter) error {
	if b.wrong != "stands still" {
		turn(r, "a")
	}
	return nil
}

func turn(r *rules.Resolution, id string) {
	if id == "a" {
		r.Emit(event.Everyone(), &eventv1.RoundStarted{Round: r.State().Round + 1})
	}
	r.Emit(event.Everyone(), &eventv1.TurnStarted{Creatures: []string{id}})
}

func (b brawl) EndTurn(r *rules.Resolution, id string) error {
	r.Emit(event.Everyone(), &eventv1.TurnEnded{Creatures: []string{id}})
	b.next(r, id)
	return nil
}

// next gives the turn to whoever comes after a creature.
func (b brawl) next(r *rules.Resolution, id string) {
	ids := rules.SortedKeys(r.State().Creatures)
	at := slices.Index(ids, id)
	for i := range ids {
		if to := ids[(at+i+1)%len(ids)]; to != id && (!dead(r.Creature(to)) || b.wrong == "gives the dead a turn") {
			turn(r, to)
			return
		}
	}
	if !dead(r.Creature(id)) && r.Creature(id).GetHp() > 0 {
		turn(r, id)
	}
}

func (b brawl) Leave(r *rules.Resolution, id string) error {
	if slices.Contains(r.State().Active, id) {
		if len(r.State().Creatures) == 1 {
			r.Emit(event.Everyone(), &eventv1.TurnEnded{Creatures: []string{id}})
			return nil
		}
		return b.EndTurn(r, id)
	}
	return nil
}

func (b brawl) Edited(r *rules.Resolution, id string) error {
	switch c := r.Creature(id); {
	case c.GetHp() == 0 && !dead(c):
		r.Emit(event.Everyone(), &eventv1.LifeChanged{Creature: id, Status: eventv1.LifeStatus_LIFE_STATUS_DEAD})
		return b.Leave(r, id)
	case c.GetHp() > 0 && dead(c):
		r.Emit(event.Everyone(), &eventv1.LifeChanged{Creature: id, Status: eventv1.LifeStatus_LIFE_STATUS_ALIVE})
	}
	return nil
}

func dead(c *eventv1.Creature) bool { return c.Life == eventv1.LifeStatus_LIFE_STATUS_DEAD }

// may says why a creature may not act, nil when it may.
func may(s *eventv1.State, c *eventv1.Creature, action string) error {
	switch {
	case !slices.Contains(s.Active, c.Id):
		return fault.Refuse("TURN", "brawl.turn", "it is not the turn of %s", c.Id)
	case action == "rest" && c.GetHp() == 10:
		return fault.Refuse("RESTED", "brawl.rest", "%s is not hurt", c.Id)
	}
	return nil
}

func foe(c, other *eventv1.Creature) bool { return c.Side != other.Side && !dead(other) }

func (b brawl) Options(q rules.Query) []*eventv1.Option {
	c := q.State.Creatures[q.Creature]
	strike := &eventv1.Option{Creature: c.Id, Action: "strike", Item: "fist", MinimumTargets: 1, MaximumTargets: 1,
		Parameters: []*eventv1.Parameter{{Name: "hard", Type: "boolean"},
			{Name: "at", Type: "string", Values: []*structpb.Value{structpb.NewStringValue("head"), structpb.NewStringValue("legs")}}}}
	for _, id := range rules.SortedKeys(q.State.Creatures) {
		if foe(c, q.State.Creatures[id]) {
			strike.Targets = append(strike.Targets, id)
		}
	}
	rest := &eventv1.Option{Creature: c.Id, Action: "rest"}
	end := &eventv1.Option{Creature: c.Id, Action: "end-turn"}
	all := []*eventv1.Option{strike, rest, end}
	for _, o := range all {
		why := may(q.State, c, o.Action)
		o.Legal = true
		rules.Forbid(o, why)
	}
	if strike.Legal && len(strike.Targets) == 0 {
		strike.Legal, strike.Reason, strike.Rule = false, "there is no foe", "brawl.foe"
	}
	switch b.wrong {
	case "gives no reason":
		rest.Reason = ""
	case "gives another reason":
		rest.Reason += "!"
	case "gives another rule":
		rest.Rule = "brawl.other"
	case "lists what is refused":
		rest.Legal = len(q.State.Active) > 0
	case "lists too few targets":
		strike.Targets = nil
		strike.Legal = true
	case "lists what was not asked for":
		return all
	case "what the player cannot know":
		rest.Costs = map[string]int32{"struck": int32(c.Counters["struck"])}
	}
	for _, o := range all {
		q.Strip(o)
	}
	all = slices.DeleteFunc(all, func(o *eventv1.Option) bool { return !q.Wants(o.Action, o.Group) || q.LegalOnly && !o.Legal })
	if q.First {
		return ofFirst(q.Actions, all)
	}
	return all
}

func (b brawl) Act(r *rules.Resolution, take *eventv1.TakeAction) error {
	c := r.Creature(take.Creature)
	why := may(r.State(), c, take.Action)
	if reason, _ := fault.Reason(why); why != nil && !(b.wrong == "accepts the illegal" && reason == "RESTED") {
		return why
	}
	switch take.Action {
	case "strike":
		return b.strike(r, c, take)
	case "rest":
		return b.rest(r, c)
	}
	return fault.Field("take.action", "unknown")
}

func (b brawl) strike(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	at := take.Parameters.GetFields()["at"].GetStringValue()
	switch {
	case take.Item != "fist" && b.wrong != "accepts any item":
		return fault.Field("take.item", "only a fist")
	case at != "" && at != "head" && at != "legs" && b.wrong != "accepts any value":
		return fault.Field("take.parameters.at", "head or legs")
	case len(take.Targets) == 0 && b.wrong == "accepts no target":
		return nil
	case len(take.Targets) != 1 && (b.wrong != "accepts many targets" || len(take.Targets) == 0):
		return fault.Field("take.targets", "one target")
	}
	target := r.Creature(take.Targets[0])
	if !foe(c, target) && b.wrong != "accepts any target" {
		return fault.Refuse("NO_FOE", "brawl.foe", "there is no foe")
	}
	hp := max(0, target.GetHp()-r.Roll(rules.RollSpec{Label: "strike", Creature: c.Id, Expression: "1d6", Rules: []string{"brawl.strike"}}).Natural)
	r.Set(target.Id, "struck", r.Count(target.Id, "struck")+1, "strike")
	switch b.wrong {
	case "counts below zero":
		r.Set(c.Id, "breath", -1, "strike")
	case "heals beyond all bounds":
		hp = 11
	case "leaves a question open":
		r.Emit(event.Everyone(), &eventv1.DecisionRequested{Decision: &eventv1.Decision{Id: "x"}})
	}
	r.SetHitPoints(target.Id, hp, 10, 0)
	if hp == 0 && !dead(r.Creature(target.Id)) {
		r.Emit(event.Everyone(), &eventv1.LifeChanged{Creature: target.Id, Status: eventv1.LifeStatus_LIFE_STATUS_DEAD})
	}
	return nil
}

func (b brawl) rest(r *rules.Resolution, c *eventv1.Creature) error {
	sure := rules.YesNo("sure", c.Id, "rest", "sure?", "", "brawl.rest")
	if b.wrong == "asks what nobody can answer" {
		sure.Options = nil
	}
	yes := r.Ask("sure", sure).Option == "yes"
	for b.wrong == "asks for ever" {
		r.Ask("sure", rules.YesNo("really", c.Id, "rest", "really?", "", "brawl.rest"))
	}
	if yes && b.wrong != "accepts the illegal" {
		r.SetHitPoints(c.Id, min(10, c.GetHp()+2), 10, 0)
	}
	return nil
}

func brawlers(wrong string) Game {
	return Game{Seeds: 3, Steps: 80, Rounds: 6, Viewer: "a", Meddle: true, Set: func(t *testing.T, c *Chance) *Table {
		f := New(t, brawl{wrong: wrong}, c.Settings(brawl{})...)
		f.Roller = c.Die
		for i, id := range []string{"a", "b", "c"} {
			f.Add(&eventv1.Sheet{Id: id, Name: id, Side: []string{"x", "y"}[i%2], HitPoints: 10, Controllers: []string{id + "-player"}})
		}
		f.Start(nil)
		return f
	}}
}

// What is right is played to its end.
func TestPlay(t *testing.T) { brawlers("").Play(t) }

// Each thing that is wrong is found.
func TestPlayFinds(t *testing.T) {
	for wrong, want := range map[string]string{
		"stands still":                 "nobody may do anything",
		"gives the dead a turn":        "is dead, absent or named twice",
		"gives no reason":              "illegal without a reason or a rule",
		"gives another reason":         "refused, but not as listed",
		"gives another rule":           "refused, but not as listed",
		"lists what is refused":        "listed as legal and refused",
		"lists too few targets":        "legal, with 0 of 1 targets",
		"lists what was not asked for": "the query leaves",
		"what the player cannot know":  "the player of a is offered",
		"accepts the illegal":          "listed as illegal and accepted",
		"accepts any target":           "the target is not listed, and accepted",
		"accepts many targets":         "so many targets is not listed, and accepted",
		"accepts no target":            "no target is not listed, and accepted",
		"accepts any item":             "the item is not listed, and accepted",
		"accepts any value":            "the value of at is not listed, and accepted",
		"counts below zero":            "counter breath is -1",
		"heals beyond all bounds":      "11 of 10 hit points",
		"leaves a question open":       "decisions left in the state",
		"asks what nobody can answer":  "nobody can answer",
		"asks for ever":                "questions without end",
	} {
		t.Run(wrong, func(t *testing.T) {
			g := brawlers(wrong)
			set := g.Set
			g.Set = func(t *testing.T, c *Chance) *Table {
				f := set(t, c)
				f.T = failures{}
				return f
			}
			var got failure
			for seed := uint64(0); seed < 20 && got == ""; seed++ {
				func() {
					defer func() { got, _ = recover().(failure) }()
					g.play(t, seed)
				}()
			}
			if !strings.Contains(string(got), want) {
				t.Errorf("found %q, want %q", got, want)
			}
		})
	}
}

// A seed repeats a fight exactly, and the environment chooses what is played.
func TestPlayIsRepeated(t *testing.T) {
	if testing.Short() {
		t.Skip("the environment chooses nothing in short tests")
	}
	var logs []string
	var seeds []uint64
	g := brawlers("")
	set := g.Set
	var last *Table
	g.Set = func(t *testing.T, c *Chance) *Table {
		seeds = append(seeds, c.state)
		last = set(t, c)
		return last
	}
	g.Hold = func(p *Play) {
		if p.State.Status == eventv1.State_STATUS_ENDED {
			logs = append(logs, fmt.Sprint(p.Log))
		}
	}
	env := map[string]string{EnvSeed: "2"}
	g.Env = func(name string) string { return env[name] }
	g.Play(t)
	env = map[string]string{EnvLength: "2"}
	g.Play(t)
	if !slices.Equal(seeds, []uint64{2, 0, 1, 2, 3, 4, 5}) {
		t.Errorf("seeds %v", seeds)
	}
	if logs[0] != logs[3] || logs[0] == logs[4] {
		t.Error("a seed gives one fight, and another seed another")
	}
}

// Chance stays in its bounds and gives every value.
func TestChance(t *testing.T) {
	c := NewChance(1)
	seen := map[int]int{}
	for range 2000 {
		seen[c.Die(6)]++
	}
	for face := 1; face <= 6; face++ {
		if seen[face] < 100 {
			t.Errorf("face %d came %d times in 2000", face, seen[face])
		}
	}
	if len(seen) != 6 {
		t.Errorf("faces %v", seen)
	}
	got := Some(c, []int{1, 2, 3}, 5)
	slices.Sort(got)
	if !slices.Equal(got, []int{1, 2, 3}) || len(Some(c, got, 2)) != 2 {
		t.Errorf("some of three: %v", got)
	}
}
