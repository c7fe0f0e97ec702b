package systems_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/content/sheets"
	"github.com/skaldrpg/skald/pkg/dice"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/systems"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// The benchmarks play by the rules alone and know nothing of any system, so that
// this file, with those beside it that read the processor's time, measures another
// build as well when it is put there. What a player that is a machine asks of a build
// stands in bench_query_test.go: put beside it what the other build knows. On a machine
// that others use, the time of the processor is what counts.

// Limits of a fight that plays itself, so that every one ends.
const (
	fightRounds   = 20
	fightCommands = 1500
	turnDeeds     = 3 // then the turn is ended
)

// fight is a fight of four against four, in memory.
type fight struct {
	tb     testing.TB
	sys    rules.System
	state  *eventv1.State
	rng    *rand.Rand // chooses
	dice   *rand.Rand // rolls
	action uint64
	taken  int
	deeds  int // of the creature whose turn it is
	turn   string
	list   lister
	owner  owner
	ways   ways
	who    []string // may act
	waits  bool     // for answers, rather than give them when they are wanted
	copies bool     // the state for each run, rather than change it in place
	// heard is told of what each command led to, with the state before if that is copied;
	// may be nil.
	heard func(before *eventv1.State, events []*eventv1.Event)
	// listing is the time taken by listing options.
	listing time.Duration
}

var left = &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: "ann"}

func systemOf(tb testing.TB, id string) rules.System {
	tb.Helper()
	sys, err := systems.Registry().System(id)
	if err != nil {
		tb.Fatal(err)
	}
	return sys
}

// newFight begins a fight of shipped sheets; the seed picks them, the faces and
// what is chosen. hp above 0 is what everybody has.
func newFight(tb testing.TB, sys rules.System, seed uint64, hp int32, more ...func(*fight)) *fight {
	tb.Helper()
	f := &fight{tb: tb, sys: sys, state: event.NewState(), ways: waysOf(tb, sys),
		rng: rand.New(rand.NewPCG(seed, 1)), dice: rand.New(rand.NewPCG(seed, 2))}
	for _, change := range more {
		change(f)
	}
	f.must(&eventv1.Command{What: &eventv1.Command_Create{Create: &eventv1.CreateEncounter{Encounter: "e", Table: "t", System: sys.Info().ID}}})
	names := sheets.List(sys.Info().ID)
	for i := range 8 {
		s, err := sheets.Get(sys.Info().ID, names[f.rng.IntN(len(names))])
		if err != nil {
			tb.Fatal(err)
		}
		s = proto.Clone(s).(*eventv1.Sheet)
		s.Id, s.Name, s.Side = fmt.Sprintf("c%d", i), fmt.Sprintf("C%d", i), []string{"left", "right"}[i%2]
		if hp > 0 {
			s.HitPoints = hp
		}
		if i%2 == 0 {
			s.Controllers = []string{left.Name}
		}
		f.must(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: s,
			Position: &eventv1.Position{X: int32(5 * (i % 2)), Y: int32(5 * (i / 2))}}}})
	}
	f.must(&eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}})
	return f
}

// Face is a face of a die.
func (f *fight) Face(sides int) (int, error) { return 1 + f.dice.IntN(sides), nil }

// Draw rolls.
func (f *fight) Draw(_ context.Context, d rules.DrawRequest) (*eventv1.Draw, error) {
	expr, err := dice.Parse(d.Expression)
	if err != nil {
		return nil, err
	}
	res, err := expr.Eval(f, dice.Limits{})
	if err != nil {
		return nil, err
	}
	out := &eventv1.Draw{Branch: d.Branch, Expression: d.Expression, Epoch: 1}
	for _, face := range res.Faces {
		out.Faces = append(out.Faces, int32(face.Face))
	}
	return out, nil
}

// Deed carries out harm and healing.
func (f *fight) Deed(ctx context.Context, d rules.DeedRequest) (*eventv1.HarmOutcome, int, error) {
	return rules.RunDeed(ctx, f.sys, 1, d, f.provider())
}

// Answer answers what is asked, in a build that asks while it runs.
func (f *fight) Answer(_ context.Context, open []*eventv1.Decision) (*eventv1.Answer, string) {
	return f.answer(open[0]), "answer"
}

// provider is the fight, or only what of it gives no answers.
func (f *fight) provider() rules.Provider {
	if f.waits {
		return struct{ rules.Provider }{f}
	}
	return f
}

// Open opens branches of the dice.
func (f *fight) Open(_ context.Context, branches []string, _ []*eventv1.Entropy) (*eventv1.DiceEpochOpened, error) {
	d := &eventv1.DiceEpochOpened{Epoch: 1}
	for _, branch := range branches {
		d.Commitments = append(d.Commitments, &eventv1.Commitment{Branch: branch})
	}
	return d, nil
}

func (f *fight) must(cmd *eventv1.Command) {
	f.tb.Helper()
	if err := f.do(cmd); err != nil {
		f.tb.Fatalf("%v: %v", cmd, err)
	}
}

// do carries out a command and answers what it asks.
func (f *fight) do(cmd *eventv1.Command) error {
	req := rules.Request{State: f.state, Action: f.action + 1}
	inPlace := !f.copies && !f.waits && f.owner.changing(&req)
	for range 100 {
		out, err := rules.Run(context.Background(), f.sys, req, f.provider(), rules.Resolve(f.sys, cmd))
		if err != nil {
			return err
		}
		if len(out.Open) == 0 {
			if f.heard != nil {
				f.heard(f.state, out.Events)
			}
			f.state, f.action = out.State, f.action+1
			f.taken++
			return nil
		}
		if inPlace {
			return fmt.Errorf("waits for %v", out.Open)
		}
		req.Recorded = append(slices.Concat(req.Recorded, out.Inputs), rules.Answered(out.Open[0], f.answer(out.Open[0]), "answer"))
		req.Published = out.Events
	}
	return fmt.Errorf("questions without end")
}

// answer takes the default, or else any answer.
func (f *fight) answer(d *eventv1.Decision) *eventv1.Answer {
	switch {
	case d.Kind == eventv1.DecisionKind_DECISION_KIND_NUMBER:
		return &eventv1.Answer{Number: d.Minimum + f.rng.Int32N(d.Maximum-d.Minimum+1)}
	case d.DefaultOption != "":
		return &eventv1.Answer{Option: d.DefaultOption}
	case len(d.Options) > 0:
		return &eventv1.Answer{Option: d.Options[f.rng.IntN(len(d.Options))].Id}
	}
	f.tb.Fatalf("a decision that nobody can answer: %v", d)
	return nil
}

func up(c *eventv1.Creature) bool {
	return c.GetLife() == eventv1.LifeStatus_LIFE_STATUS_ALIVE || c.GetLife() == eventv1.LifeStatus_LIFE_STATUS_DISABLED
}

// over tells whether the fight is decided, or long enough.
func (f *fight) over() bool {
	standing := map[string]bool{}
	for _, c := range f.state.Creatures {
		if up(c) {
			standing[c.Side] = true
		}
	}
	return len(standing) < 2 || f.state.Round > fightRounds || f.taken > fightCommands
}

// attack plays until somebody has an attack that rolls dice, and returns it.
func (f *fight) attack() *eventv1.Command {
	f.tb.Helper()
	for range 500 {
		f.list.begin()
		for _, id := range f.acting() {
			options := f.first(id, f.shuffled(f.ways.attacks))
			cmd := f.blow(options)
			if cmd == nil {
				continue
			}
			out, err := rules.Run(context.Background(), f.sys, rules.Request{State: f.state, Action: 99}, f, rules.Resolve(f.sys, cmd))
			if err == nil && slices.ContainsFunc(out.Events, func(e *eventv1.Event) bool { return e.GetRoll() != nil }) {
				return cmd
			}
		}
		f.step()
	}
	f.tb.Fatal("no attack came up")
	return nil
}

// BenchmarkAttack is one attack by the rules alone, harm included, up to its
// first question: no service, no log.
func BenchmarkAttack(b *testing.B) {
	for _, id := range systems.Registry().IDs() {
		b.Run(id, func(b *testing.B) {
			f := newFight(b, systemOf(b, id), 7, 100_000)
			cmd := f.attack()
			events, runs := 0, 0
			f.dice = rand.New(rand.NewPCG(1, 2))
			b.ReportAllocs()
			began := cpu()
			for b.Loop() {
				out, err := rules.Run(b.Context(), f.sys, rules.Request{State: f.state, Action: 99}, f, rules.Resolve(f.sys, cmd))
				if err != nil {
					b.Fatal(err)
				}
				events += len(out.Events)
				runs++
			}
			b.ReportMetric(float64((cpu()-began).Nanoseconds())/float64(runs), "cpu-ns/op")
			b.ReportMetric(float64(events)/float64(runs), "events")
		})
	}
}

// BenchmarkOptions lists what creatures can do in a fight of eight, from what
// their player sees: of the player's four, the one with the most options.
func BenchmarkOptions(b *testing.B) {
	for _, id := range systems.Registry().IDs() {
		b.Run(id, func(b *testing.B) {
			view := event.NewState() // of the player on the left
			f := newFight(b, systemOf(b, id), 7, 100_000, func(f *fight) {
				f.copies, f.heard = true, func(before *eventv1.State, events []*eventv1.Event) { event.FoldAll(view, visible(before, events)) }
			})
			f.attack()
			q := rules.Query{State: view}
			most := -1
			for _, id := range rules.SortedKeys(view.Creatures) {
				n := len(f.sys.Options(rules.Query{State: view, Creature: id}))
				if event.Belongs(view.Creatures[id], left) && n > most {
					q.Creature, most = id, n
				}
			}
			var options []*eventv1.Option
			runs := 0
			b.ReportAllocs()
			began := cpu()
			for b.Loop() {
				options = f.sys.Options(q)
				runs++
			}
			b.ReportMetric(float64((cpu()-began).Nanoseconds())/float64(runs), "cpu-ns/op")
			b.ReportMetric(float64(len(options)), "options")
			b.ReportMetric(float64(proto.Size(&encounterv1.GetOptionsResponse{Options: options})), "bytes")
			began, runs = cpu(), 0
			for range 200 {
				f.list.begin()
				_ = f.list.legal(f.sys, view, q.Creature)
				runs++
			}
			b.ReportMetric(float64((cpu()-began).Nanoseconds())/float64(runs), "legal-cpu-ns/op")
		})
	}
}

// BenchmarkSelfPlay plays whole fights of four against four: options listed
// before every command, one core.
func BenchmarkSelfPlay(b *testing.B) {
	for _, id := range systems.Registry().IDs() {
		b.Run(id, func(b *testing.B) {
			sys := systemOf(b, id)
			fights, commands, rounds, listing := 0, 0, int32(0), time.Duration(0)
			b.ReportAllocs()
			began := cpu()
			for b.Loop() {
				f := newFight(b, sys, uint64(fights%16), 0)
				for !f.over() {
					f.step()
				}
				fights++
				commands += f.taken
				rounds += f.state.Round
				listing += f.listing
			}
			n := float64(fights)
			if took := (cpu() - began).Seconds(); took > 0 {
				b.ReportMetric(n/took, "fights/cpu-s")
				b.ReportMetric(float64(commands)/took, "commands/cpu-s")
			}
			b.ReportMetric(n/b.Elapsed().Seconds(), "fights/s")
			b.ReportMetric(float64(commands)/n, "commands/fight")
			b.ReportMetric(float64(rounds)/n, "rounds/fight")
			b.ReportMetric(100*listing.Seconds()/b.Elapsed().Seconds(), "%listing")
		})
	}
}

// The fights that are measured are fights: somebody falls in every system.
func TestSelfPlayIsAFight(t *testing.T) {
	for _, id := range systems.Registry().IDs() {
		t.Run(id, func(t *testing.T) {
			fell := 0
			seeds := uint64(2)
			if testing.Short() {
				seeds = 1
			}
			for seed := range seeds {
				f := newFight(t, systemOf(t, id), seed, 0)
				for !f.over() {
					f.step()
				}
				for _, c := range f.state.Creatures {
					if !up(c) {
						fell++
					}
				}
				t.Logf("%d commands, %d rounds, %d fell", f.taken, f.state.Round, fell)
			}
			if fell == 0 {
				t.Error("nobody fell")
			}
		})
	}
}
