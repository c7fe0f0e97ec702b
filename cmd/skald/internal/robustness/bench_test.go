package robustness

import (
	"context"
	"io"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/pkg/dice"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/systems"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// local supplies faces and outcomes of harm without any service: what is left
// is the cost of the rules.
type local struct {
	sys rules.System
	rng *rand.Rand
}

func (l *local) Face(sides int) (int, error) { return 1 + l.rng.IntN(sides), nil }

func (l *local) Draw(_ context.Context, d rules.DrawRequest) (*eventv1.Draw, error) {
	expr, err := dice.Parse(d.Expression)
	if err != nil {
		return nil, err
	}
	res, err := expr.Eval(l, dice.Limits{})
	if err != nil {
		return nil, err
	}
	out := &eventv1.Draw{Branch: d.Branch, Expression: d.Expression, Epoch: 1}
	for _, f := range res.Faces {
		out.Faces = append(out.Faces, int32(f.Face))
	}
	return out, nil
}

func (l *local) Deed(ctx context.Context, d rules.DeedRequest) (*eventv1.HarmOutcome, int, error) {
	return rules.RunDeed(ctx, l.sys, 1, d, l)
}

func (l *local) Open(_ context.Context, branches []string, _ []*eventv1.Entropy) (*eventv1.DiceEpochOpened, error) {
	d := &eventv1.DiceEpochOpened{Epoch: 1}
	for _, branch := range branches {
		d.Commitments = append(d.Commitments, &eventv1.Commitment{Branch: branch})
	}
	return d, nil
}

func startStack(b *testing.B) *allinone.Stack {
	b.Helper()
	s, err := allinone.Start(b.Context(), allinone.Config{DataDir: b.TempDir(), Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() }) //nolint:errcheck // benchmark
	return s
}

// played plays commands of a system, not counting answers, of creatures that
// outlast them.
func played(b *testing.B, stack *allinone.Stack, system string, commands int) *play {
	b.Helper()
	p := &play{t: b, system: system, rng: rand.New(rand.NewPCG(7, 7)), tough: true, actions: map[string]bool{}, client: encounterv1.NewEncounterServiceClient(stack.Conn())}
	p.begin()
	for p.taken < commands {
		if _, going := p.act(p.state().State); !going {
			b.Fatal("the fight ended")
		}
	}
	return p
}

// BenchmarkResolution is one attack by the rules alone, harm included: no
// service, no log.
func BenchmarkResolution(b *testing.B) {
	for _, id := range systems.Registry().IDs() {
		b.Run(id, func(b *testing.B) {
			sys, err := systems.Registry().System(id)
			if err != nil {
				b.Fatal(err)
			}
			p := played(b, startStack(b), id, 12)
			var cmd *eventv1.Command
			var state *eventv1.State
			for range 2000 {
				state = p.state().State
				if cmd = attackIn(p, sys, state); cmd != nil {
					break
				}
				p.act(state)
			}
			if cmd == nil {
				b.Skip("no attack came up")
			}
			l := &local{sys: sys, rng: rand.New(rand.NewPCG(1, 2))}
			events := 0
			b.ResetTimer()
			for b.Loop() {
				out, err := rules.Run(b.Context(), sys, rules.Request{State: state, Action: 99}, l, rules.Resolve(sys, cmd))
				if err != nil {
					b.Fatal(err)
				}
				events = len(out.Events)
			}
			b.ReportMetric(float64(events), "events")
		})
	}
}

// attackIn finds a legal attack that the rules take as it stands.
func attackIn(p *play, sys rules.System, s *eventv1.State) *eventv1.Command {
	if len(s.Decisions) > 0 {
		return nil
	}
	for _, id := range rules.SortedKeys(s.Creatures) {
		for _, o := range sys.Options(rules.Query{State: s, Creature: id}) {
			if !o.Legal || !strings.Contains(o.Action, "attack") || len(o.Targets) == 0 {
				continue
			}
			cmd := p.command(o)
			l := &local{sys: sys, rng: rand.New(rand.NewPCG(1, 2))}
			out, err := rules.Run(context.Background(), sys, rules.Request{State: s, Action: 99}, l, rules.Resolve(sys, cmd))
			if err == nil && slices.ContainsFunc(out.Events, func(e *eventv1.Event) bool { return e.GetRoll() != nil }) {
				return cmd
			}
		}
	}
	return nil
}

// BenchmarkDryRun amends an early command of a fight of 500 commands, dry.
func BenchmarkDryRun(b *testing.B) {
	for _, id := range systems.Registry().IDs() {
		b.Run(id, func(b *testing.B) {
			stack := startStack(b)
			p := played(b, stack, id, 500)
			am := &eventv1.AmendCommand{Version: 9}
			req := &encounterv1.PreviewRulingRequest{As: gm, Encounter: p.id, Command: &eventv1.Command{What: &eventv1.Command_Amend{Amend: am}}}
			for _, err := p.client.PreviewRuling(b.Context(), req); err != nil; _, err = p.client.PreviewRuling(b.Context(), req) {
				am.Version++ // an answer: the command that asked is before it
			}
			var took []time.Duration
			b.ResetTimer()
			for b.Loop() {
				begin := time.Now()
				resp, err := p.client.PreviewRuling(b.Context(), req)
				if err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(begin))
				b.ReportMetric(float64(resp.Redecided), "commands")
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Milliseconds()), "p50-ms")
			b.ReportMetric(float64(took[len(took)*95/100].Milliseconds()), "p95-ms")
		})
	}
}

// BenchmarkPlay is a step of random play through the whole suite: the options of
// every creature and one command of them.
func BenchmarkPlay(b *testing.B) {
	for _, id := range systems.Registry().IDs() {
		b.Run(id, func(b *testing.B) {
			p := played(b, startStack(b), id, 20)
			var took []time.Duration
			for b.Loop() {
				s := p.state().State
				begin := time.Now()
				if _, going := p.act(s); !going {
					b.Fatal("the fight ended")
				}
				took = append(took, time.Since(begin))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
		})
	}
}

// BenchmarkFold folds the events of a played fight.
func BenchmarkFold(b *testing.B) {
	for _, id := range systems.Registry().IDs() {
		b.Run(id, func(b *testing.B) {
			p := played(b, startStack(b), id, 200)
			h, err := p.client.GetHistory(b.Context(), &encounterv1.GetHistoryRequest{As: gm, Encounter: p.id, Limit: 1000})
			if err != nil {
				b.Fatal(err)
			}
			var events []*eventv1.Event
			for _, s := range h.Steps {
				events = append(events, s.Events...)
			}
			b.ResetTimer()
			for b.Loop() {
				event.FoldAll(event.NewState(), events)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(events)), "ns/event")
		})
	}
}
