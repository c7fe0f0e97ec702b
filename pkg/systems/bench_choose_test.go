package systems_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/content/sheets"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// acting are those who may act: one whose turn it is, or everybody, in an order that the
// seed decides, while nobody has one.
func (f *fight) acting() []string {
	if len(f.state.Active) > 0 {
		return f.state.Active[:1]
	}
	f.who = f.who[:0]
	// order-free: sorted below
	for id := range f.state.Creatures {
		f.who = append(f.who, id)
	}
	slices.Sort(f.who)
	return f.shuffled(f.who)
}

// shuffled is the list given, in an order that the seed decides.
func (f *fight) shuffled(list []string) []string {
	f.rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list
}

// first are the options of the first of the actions that a creature can take.
func (f *fight) first(creature string, actions []string) []*eventv1.Option {
	began := time.Now()
	defer func() { f.listing += time.Since(began) }()
	return f.list.first(f.sys, f.state, creature, actions)
}

// step takes the first command drawn that is not refused: of the first who may act and
// can do something an attack on an enemy, else anything, else the end of the turn.
func (f *fight) step() {
	f.list.begin()
	if turn := strings.Join(f.state.Active, " "); turn != f.turn {
		f.turn, f.deeds = turn, 0
	}
	f.deeds++
	who := f.acting()
	if f.deeds <= turnDeeds || f.turn == "" {
		for _, id := range who {
			blows, done := f.tryTo(id, f.ways.attacks, f.blow, 3)
			if !done && (!blows || f.turn == "") {
				_, done = f.tryTo(id, f.ways.all, f.deed, 8)
			}
			if done {
				return
			}
		}
	}
	for _, try := range []func(id string) bool{f.end, func(id string) bool { _, done := f.tryTo(id, f.ways.all, f.deed, 8); return done }} {
		if slices.ContainsFunc(who, try) {
			return
		}
	}
	f.tb.Fatalf("round %d, phase %q, active %v: nothing that may be done is taken", f.state.Round, f.state.Phase, f.state.Active)
}

// end ends the turn of a creature, if that can be done.
func (f *fight) end(id string) bool {
	return len(f.first(id, endTurn)) > 0 && f.do(&eventv1.Command{What: &eventv1.Command_EndTurn{EndTurn: &eventv1.EndTurn{Creature: id}}}) == nil
}

// endTurn is the action by which options list the end of a turn.
var endTurn = []string{"end-turn"}

// tryTo tries so many actions of a creature, drawn from those given, until a command is
// not refused; it tells whether there was one to try, and whether one was carried out.
func (f *fight) tryTo(id string, actions []string, choose func([]*eventv1.Option) *eventv1.Command, most int) (some, done bool) {
	for actions = f.shuffled(actions); most > 0; most-- {
		options := f.first(id, actions)
		if len(options) == 0 {
			return some, false
		}
		if cmd := choose(options); cmd != nil {
			if some = true; f.do(cmd) == nil {
				return true, true
			}
		} else {
			most++ // it was none
		}
		actions = actions[slices.Index(actions, options[0].Action)+1:]
		if len(actions) == 0 {
			return some, false
		}
	}
	return some, false
}

// blow draws one of an attack's options and an enemy; nil when there is none.
func (f *fight) blow(options []*eventv1.Option) *eventv1.Command {
	options = slices.DeleteFunc(slices.Clone(options), func(o *eventv1.Option) bool {
		return !fillable(o) || !slices.ContainsFunc(o.Targets, func(t string) bool { return f.enemies(o.Creature, t) })
	})
	if len(options) == 0 {
		return nil
	}
	o := options[f.rng.IntN(len(options))]
	targets := slices.DeleteFunc(slices.Clone(o.Targets), func(t string) bool { return !f.enemies(o.Creature, t) })
	at := f.rng.IntN(len(targets))
	return command(o, targets[at:at+1])
}

func (f *fight) enemies(a, b string) bool {
	enemy := f.state.Creatures[b]
	return up(enemy) && enemy.Side != f.state.Creatures[a].GetSide()
}

// deed draws one of an action's options and its targets; nil when none can be filled in.
func (f *fight) deed(options []*eventv1.Option) *eventv1.Command {
	options = slices.DeleteFunc(slices.Clone(options), func(o *eventv1.Option) bool {
		return !fillable(o) || len(o.Targets) < int(o.MinimumTargets)
	})
	if len(options) == 0 {
		return nil
	}
	o := options[f.rng.IntN(len(options))]
	n := int(o.MinimumTargets)
	if n == 0 {
		return command(o, nil)
	}
	at := f.rng.IntN(len(o.Targets) - n + 1)
	return command(o, o.Targets[at:at+n])
}

// command takes an option.
func command(o *eventv1.Option, targets []string) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_Take{Take: &eventv1.TakeAction{
		Creature: o.Creature, Action: o.Action, Item: o.Item, Targets: targets, Parameters: filled(o)}}}
}

// ways are the actions of a system: those that attack, and all whose way through space
// need not be said.
type ways struct{ attacks, all []string }

// waysOf are the actions that shipped creatures have, found out once.
func waysOf(tb testing.TB, sys rules.System) ways {
	tb.Helper()
	if known, ok := knownWays[sys.Info().ID]; ok {
		return ways{slices.Clone(known.attacks), slices.Clone(known.all)} // each shuffles its own
	}
	f := &fight{tb: tb, sys: sys, state: event.NewState(), rng: rand.New(rand.NewPCG(0, 1)), dice: rand.New(rand.NewPCG(0, 2))}
	f.must(&eventv1.Command{What: &eventv1.Command_Create{Create: &eventv1.CreateEncounter{Encounter: "e", Table: "t", System: sys.Info().ID}}})
	for _, name := range sheets.List(sys.Info().ID) {
		s, err := sheets.Get(sys.Info().ID, name)
		if err != nil {
			tb.Fatal(err)
		}
		f.must(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: s}}})
	}
	var out ways
	for _, id := range rules.SortedKeys(f.state.Creatures) {
		for _, o := range sys.Options(rules.Query{State: f.state, Creature: id}) {
			if o.Action == endTurn[0] || slices.Contains(out.all, o.Action) || slices.Contains(out.attacks, o.Action) {
				continue
			}
			if strings.Contains(o.Action, "attack") {
				out.attacks = append(out.attacks, o.Action)
			}
			if !walks(sys, o.Action) {
				out.all = append(out.all, o.Action)
			}
		}
	}
	slices.Sort(out.attacks)
	slices.Sort(out.all)
	knownWays[sys.Info().ID] = out
	return waysOf(tb, sys)
}

// knownWays are those of systems that were asked.
var knownWays = map[string]ways{}

func walks(sys rules.System, action string) bool {
	return slices.ContainsFunc(rules.VocabularyOf(sys).Parameters(rules.PlaceParameter, action), func(p *eventv1.Parameter) bool { return p.Type == "path" })
}

// fillable tells whether every parameter that is required has a value listed.
func fillable(o *eventv1.Option) bool {
	return !slices.ContainsFunc(o.Parameters, func(x *eventv1.Parameter) bool { return x.Required && len(x.Values) == 0 })
}

// filled gives the required parameters their first values.
func filled(o *eventv1.Option) *structpb.Struct {
	var fields map[string]*structpb.Value
	for _, x := range o.Parameters {
		if !x.Required {
			continue
		}
		if fields == nil {
			fields = map[string]*structpb.Value{}
		}
		fields[x.Name] = x.Values[0]
	}
	if fields == nil {
		return nil
	}
	return &structpb.Struct{Fields: fields}
}
