package robustness

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/pkg/content/sheets"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rpc"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/systems"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Environment variables that make the play longer or repeat one.
const (
	envSteps = "SKALD_PLAY_STEPS" // commands a system; 250 when not given
	envSeed  = "SKALD_PLAY_SEED"  // the seed to repeat
)

func number(name string, standard int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return standard
}

// TestRandomPlay plays every rule system at random over the public API: legal
// options, answers, reverts, redos and amendments. After every step it checks
// what must hold whatever the rules say. The dice are the server's, so a seed
// repeats the choices and not the faces; the failing history is printed.
func TestRandomPlay(t *testing.T) {
	dir := t.TempDir()
	stack, err := allinone.Start(t.Context(), allinone.Config{DataDir: dir, Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
	if err != nil {
		t.Fatal(err)
	}
	defer stack.Close() //nolint:errcheck // the test is over
	steps := number(envSteps, 250)
	if testing.Short() {
		steps = 60
	}
	for _, system := range systems.Registry().IDs() {
		t.Run(system, func(t *testing.T) {
			seed := uint64(number(envSeed, int(time.Now().UnixNano()&0x7fffffff)))
			p := &play{t: t, system: system, id: "play-" + system, rng: rand.New(rand.NewPCG(seed, 1)),
				client: encounterv1.NewEncounterServiceClient(stack.Conn())}
			defer func() {
				if t.Failed() {
					t.Logf("repeat the choices with %s=%d; history: %v", envSeed, seed, p.log[max(0, len(p.log)-15):])
				}
			}()
			p.begin()
			for range steps {
				if !p.step() {
					break
				}
			}
			p.reload(stack)
		})
	}
}

type play struct {
	t      testing.TB
	system string
	id     string
	rng    *rand.Rand
	client encounterv1.EncounterServiceClient
	n      int
	fight  int
	log    []string
	tough  bool // creatures that outlast any fight
}

// begin makes a fight of up to three of the shipped sheets a side.
func (p *play) begin() {
	p.t.Helper()
	p.fight++
	p.id = fmt.Sprintf("play-%s-%d", p.system, p.fight)
	p.must(&eventv1.Command{What: &eventv1.Command_Create{Create: &eventv1.CreateEncounter{System: p.system}}})
	names := sheets.List(p.system)
	if len(names) < 2 {
		p.t.Fatalf("system %s ships %d sheets; a fight needs two", p.system, len(names))
	}
	for i := range 6 {
		sheet, err := sheets.Get(p.system, names[p.rng.IntN(len(names))])
		if err != nil {
			p.t.Fatal(err)
		}
		sheet = proto.Clone(sheet).(*eventv1.Sheet)
		sheet.Id, sheet.Side = fmt.Sprintf("c%d", i), []string{"left", "right"}[i%2]
		if p.tough {
			sheet.HitPoints = 100_000
		}
		if i%2 == 0 {
			sheet.Controllers = []string{"ann"}
		}
		add := &eventv1.AddCreature{Sheet: sheet}
		if p.fight%2 == 1 { // with a map and without
			add.Position = &eventv1.Position{X: int32(5 * (i % 2)), Y: int32(10 * (i / 2))}
		}
		p.must(&eventv1.Command{What: &eventv1.Command_Add{Add: add}})
	}
	p.must(&eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}})
}

func (p *play) try(cmd *eventv1.Command) (*encounterv1.ExecuteResponse, error) {
	p.n++
	p.log = append(p.log, fmt.Sprint(cmd))
	return p.client.Execute(p.t.Context(), &encounterv1.ExecuteRequest{RequestId: fmt.Sprint(p.id, "-", p.n), As: gm, Encounter: p.id, Command: cmd})
}

func (p *play) must(cmd *eventv1.Command) *encounterv1.ExecuteResponse {
	p.t.Helper()
	resp, err := p.try(cmd)
	if err != nil {
		p.t.Fatalf("%v: %v", cmd, err)
	}
	return resp
}

func (p *play) state() *encounterv1.GetStateResponse {
	p.t.Helper()
	resp, err := p.client.GetState(p.t.Context(), &encounterv1.GetStateRequest{As: gm, Encounter: p.id})
	if err != nil {
		p.t.Fatal(err)
	}
	return resp
}

// step does one thing and checks what must hold; false ends the play.
func (p *play) step() bool {
	p.t.Helper()
	before := p.state()
	if len(before.State.Decisions) == 0 {
		switch p.rng.IntN(40) {
		case 0:
			p.revertAndRedo(before)
			return !p.t.Failed()
		case 1:
			p.amendNothing(before)
			return !p.t.Failed()
		}
	}
	resp, going := p.act(before.State)
	if !going {
		p.begin()
		return true
	}
	after := p.state()
	p.invariants(after.State)
	if resp != nil && resp.Step != nil && resp.Step.Restored == nil {
		folded := event.Clone(before.State)
		event.FoldAll(folded, resp.Step.Events)
		p.same("the fold of the step's events is not the state", folded, after.State)
	}
	return !p.t.Failed()
}

func (p *play) same(what string, got, want *eventv1.State) {
	p.t.Helper()
	for _, s := range []*eventv1.State{got, want} {
		for _, d := range s.Decisions {
			d.DeadlineUnixMillis = 0
		}
	}
	changes, err := event.Difference(want, got)
	if err != nil {
		p.t.Fatal(err)
	}
	if len(changes) > 0 {
		p.t.Errorf("%s: %v", what, changes)
	}
}

// act answers a decision or takes an option; going is false when nobody can
// act any more.
func (p *play) act(s *eventv1.State) (resp *encounterv1.ExecuteResponse, going bool) {
	p.t.Helper()
	if ids := rules.SortedKeys(s.Decisions); len(ids) > 0 {
		d := s.Decisions[ids[p.rng.IntN(len(ids))]]
		return p.must(&eventv1.Command{What: &eventv1.Command_Answer{Answer: &eventv1.AnswerDecision{Decision: d.Id, Answer: p.answer(d)}}}), true
	}
	sides := map[string]bool{}
	for _, c := range s.Creatures {
		if c.Life == eventv1.LifeStatus_LIFE_STATUS_ALIVE {
			sides[c.Side] = true
		}
	}
	if len(sides) < 2 || s.Round > 30 && !p.tough {
		return nil, false
	}
	options, err := p.client.GetOptions(p.t.Context(), &encounterv1.GetOptionsRequest{As: gm, Encounter: p.id})
	if err != nil {
		p.t.Fatal(err)
	}
	var legal, illegal []*eventv1.Option
	for _, o := range options.Options {
		switch {
		case !o.Legal:
			illegal = append(illegal, o)
		case !slices.ContainsFunc(o.Parameters, func(x *eventv1.Parameter) bool { return x.Required && len(x.Values) == 0 }):
			legal = append(legal, o)
		}
	}
	if len(legal) == 0 {
		p.t.Fatalf("round %d phase %q active %v: nobody may do anything, and the fight is not over", s.Round, s.Phase, s.Active)
	}
	if len(illegal) > 0 && p.rng.IntN(4) == 0 {
		p.refused(illegal[p.rng.IntN(len(illegal))])
	}
	o := legal[p.rng.IntN(len(legal))]
	resp, err = p.try(p.command(o))
	if f := rpc.FromStatus(err); err != nil && walks(o) && (f.Code == fault.Invalid || f.Code == fault.Illegal) {
		return nil, true // the way was chosen blindly
	}
	if err != nil {
		p.t.Errorf("an option that was listed is refused: %v: %v", o, err)
		return nil, true
	}
	return resp, true
}

// walks tells whether an option takes a way through space, which an option
// cannot list.
func walks(o *eventv1.Option) bool {
	return slices.ContainsFunc(o.Parameters, func(x *eventv1.Parameter) bool { return x.Type == "path" })
}

// refused takes an option that is listed as illegal: it must be refused, and
// nothing must happen.
func (p *play) refused(o *eventv1.Option) {
	p.t.Helper()
	if o.Reason == "" {
		p.t.Errorf("an illegal option gives no reason: %v", o)
	}
	before := p.state()
	if _, err := p.try(p.command(o)); err == nil {
		p.t.Errorf("an option listed as illegal (%s) was taken: %v", o.Reason, o)
	} else if f := rpc.FromStatus(err); f.Reason == "" {
		p.t.Errorf("a refusal without a reason: %v", err)
	}
	if after := p.state(); after.Number != before.Number {
		p.t.Errorf("a refused command changed the encounter: %v", o)
	}
}

// command makes a command of an option, choosing targets and parameters.
func (p *play) command(o *eventv1.Option) *eventv1.Command {
	if o.Action == "end-turn" {
		return &eventv1.Command{What: &eventv1.Command_EndTurn{EndTurn: &eventv1.EndTurn{Creature: o.Creature}}}
	}
	take := &eventv1.TakeAction{Creature: o.Creature, Action: o.Action, Item: o.Item}
	targets := slices.Clone(o.Targets)
	p.rng.Shuffle(len(targets), func(i, j int) { targets[i], targets[j] = targets[j], targets[i] })
	want := int(o.MinimumTargets)
	if most := min(int(o.MaximumTargets), len(targets)); most > want {
		want += p.rng.IntN(most - want + 1)
	}
	take.Targets = targets[:min(want, len(targets))]
	fields := map[string]*structpb.Value{}
	for _, x := range o.Parameters {
		if len(x.Values) > 0 && (x.Required || p.rng.IntN(2) == 0) {
			fields[x.Name] = x.Values[p.rng.IntN(len(x.Values))]
		}
	}
	if walks(o) {
		p.walk(take, o.Creature, fields)
	}
	if len(fields) > 0 {
		take.Parameters = &structpb.Struct{Fields: fields}
	}
	return &eventv1.Command{What: &eventv1.Command_Take{Take: take}}
}

// walk gives a step in a random direction, or feet without a map.
func (p *play) walk(take *eventv1.TakeAction, id string, fields map[string]*structpb.Value) {
	at := p.state().State.Creatures[id].GetPosition()
	if at == nil {
		fields["feet"] = structpb.NewNumberValue(5)
		return
	}
	take.Path = []*eventv1.Position{{X: at.X + int32(5*(p.rng.IntN(3)-1)), Y: at.Y + int32(5*(p.rng.IntN(3)-1)), Z: at.Z}}
}

func (p *play) answer(d *eventv1.Decision) *eventv1.Answer {
	if d.Kind == eventv1.DecisionKind_DECISION_KIND_NUMBER {
		return &eventv1.Answer{Number: d.Minimum + p.rng.Int32N(d.Maximum-d.Minimum+1)}
	}
	if len(d.Options) == 0 {
		p.t.Fatalf("a decision that cannot be answered: %v", d)
	}
	return &eventv1.Answer{Option: d.Options[p.rng.IntN(len(d.Options))].Id}
}

// invariants hold whatever the rules say.
func (p *play) invariants(s *eventv1.State) {
	p.t.Helper()
	for _, id := range s.Active {
		if c := s.Creatures[id]; c == nil || c.Life == eventv1.LifeStatus_LIFE_STATUS_DEAD {
			p.t.Errorf("the dead or absent %q has a turn", id)
		}
	}
	for _, id := range rules.SortedKeys(s.Creatures) {
		c := s.Creatures[id]
		if c.GetHp() > c.GetHpMax() || c.GetHpTemp() < 0 {
			p.t.Errorf("%s has %d of %d hit points and %d temporary ones", id, c.GetHp(), c.GetHpMax(), c.GetHpTemp())
		}
		for _, name := range rules.SortedKeys(c.Counters) {
			if v := c.Counters[name]; v < -1000 || v > 1_000_000 {
				p.t.Errorf("%s: counter %s is %d", id, name, v)
			}
		}
	}
	if s.UnknownEvents != 0 {
		p.t.Errorf("%d events of unknown types", s.UnknownEvents)
	}
}

// revertAndRedo goes back a random number of times and forward again.
func (p *play) revertAndRedo(before *encounterv1.GetStateResponse) {
	p.t.Helper()
	times := 1 + p.rng.IntN(3)
	for range times {
		if _, err := p.try(&eventv1.Command{What: &eventv1.Command_Revert{Revert: &eventv1.RevertEncounter{To: &eventv1.RevertEncounter_Last{Last: true}}}}); err != nil {
			p.t.Errorf("revert: %v", err)
			return
		}
	}
	for range times {
		p.must(&eventv1.Command{What: &eventv1.Command_Redo{Redo: &eventv1.RedoEncounter{}}})
	}
	p.same("revert and redo are not identity", p.state().State, before.State)
}

// amendNothing amends a random past command without changing it.
func (p *play) amendNothing(before *encounterv1.GetStateResponse) {
	p.t.Helper()
	version := 2 + uint64(p.rng.IntN(int(before.Number)-1))
	_, err := p.try(&eventv1.Command{What: &eventv1.Command_Amend{Amend: &eventv1.AmendCommand{Version: version}}})
	if f := rpc.FromStatus(err); err != nil && (len(f.Violations) == 0 || f.Violations[0].Field != "command.amend.version") {
		p.t.Errorf("amending version %d without a change: %v", version, err)
		return
	}
	p.same("amending without a change is not identity", p.state().State, before.State)
}

// reload compares the live state of every fight with that of a second server
// that builds its projection from the log alone.
func (p *play) reload(stack *allinone.Stack) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), time.Minute)
	defer cancel()
	replica, err := stack.Replica(ctx, p.t.TempDir())
	if err != nil {
		p.t.Fatal(err)
	}
	defer replica.Close() //nolint:errcheck // the test is over
	other := encounterv1.NewEncounterServiceClient(replica.Conn())
	for n := 1; n <= p.fight; n++ {
		req := &encounterv1.GetStateRequest{As: gm, Encounter: fmt.Sprintf("play-%s-%d", p.system, n)}
		live, err := p.client.GetState(ctx, req)
		if err != nil {
			p.t.Fatal(err)
		}
		again, err := other.GetState(ctx, req)
		if err != nil {
			p.t.Fatal(err)
		}
		if !proto.Equal(live.State, again.State) || live.Number != again.Number {
			p.same("a server that reads the log alone has another state", again.State, live.State)
		}
	}
}
