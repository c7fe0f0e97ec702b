package robustness

import (
	"encoding/binary"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/cmd/skald/internal/autoplay"
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
// options and answers, things that are not listed, reverts, redos and
// amendments. After every step it checks what must hold whatever the rules say.
// The seed decides the choices, the dice and the clock, which stands still and
// goes into the hashes: the same seed repeats the play.
func TestRandomPlay(t *testing.T) {
	steps := number(envSteps, 250)
	if testing.Short() {
		steps = 60
	}
	for _, system := range systems.Registry().IDs() {
		t.Run(system, func(t *testing.T) {
			seed := uint64(number(envSeed, int(time.Now().UnixNano()&0x7fffffff)))
			inline := 0
			if seed%2 == 1 { // amendments of more than some commands stand on branches
				inline = 6 << 10
			}
			stack, err := allinone.Start(t.Context(), allinone.Config{DataDir: t.TempDir(), Random: newRandom(seed), InlineBytes: inline,
				Clock:  func() time.Time { return time.Unix(int64(seed), 0) },
				Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
			if err != nil {
				t.Fatal(err)
			}
			defer stack.Close() //nolint:errcheck // the test is over
			p := &play{t: t, system: system, rng: rand.New(rand.NewPCG(seed, 1)),
				client: encounterv1.NewEncounterServiceClient(stack.Conn()), actions: map[string]bool{}}
			defer func() {
				if t.Failed() {
					t.Logf("repeat with %s=%d %s=%d -run RandomPlay/%s; history: %v", envSeed, seed, envSteps, steps, system, p.log[max(0, len(p.log)-15):])
				}
			}()
			p.begin()
			for range steps {
				if !p.step() {
					break
				}
			}
			t.Logf("%d fights, %d rounds, %d commands", p.fight, p.rounds, p.n)
			p.reload(stack)
			p.prove(systems.Registry())
		})
	}
}

// random gives the same bytes for the same seed, to one reader at a time.
type random struct {
	mu  sync.Mutex
	src *rand.ChaCha8
}

func newRandom(seed uint64) *random {
	var key [32]byte
	binary.BigEndian.PutUint64(key[:], seed)
	return &random{src: rand.NewChaCha8(key)}
}

func (r *random) Read(b []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.src.Read(b)
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
	round  int32
	rounds int
	taken  int                           // options taken
	last   *encounterv1.GetStateResponse // after the last step
	// actions that were listed at some time for somebody.
	actions map[string]bool
	// done counts what was done, so that what is rare comes more often.
	done  map[string]int
	fate  *fate // of the fight under way
	drawn map[string]string
}

// fate is what the play remembers of a fight for its rulings.
type fate struct {
	given map[uint64]*eventv1.Command    // by step
	asked map[uint64][]*eventv1.Decision // that the command of a step met and somebody answered
	root  uint64                         // step of the last command that is no answer
}

// begin makes a fight of up to three of the shipped sheets a side.
func (p *play) begin() {
	p.t.Helper()
	p.fight++
	p.id = fmt.Sprintf("play-%s-%d", p.system, p.fight)
	p.fate = &fate{given: map[uint64]*eventv1.Command{}, asked: map[uint64][]*eventv1.Decision{}}
	p.drawn = map[string]string{}
	if p.done == nil {
		p.done = map[string]int{}
	}
	create := &eventv1.CreateEncounter{System: p.system}
	wounded := !p.tough && p.rng.IntN(3) == 0 // dying comes sooner
	if !p.tough && p.rng.IntN(4) == 0 {
		create.DicePolicy = eventv1.DicePolicy_DICE_POLICY_SUPPLIED
	}
	if p.rng.IntN(4) == 0 {
		create.RepeatPolicy = eventv1.RepeatPolicy_REPEAT_POLICY_SAME
	}
	p.customs(create)
	p.must(&eventv1.Command{What: &eventv1.Command_Create{Create: create}})
	if p.rng.IntN(2) == 0 {
		p.entropy()
	}
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
		if wounded {
			hp := int32(1) // some systems roll the most that a creature has
			add.Vitals = &eventv1.Vitals{Hp: &hp}
		}
		open := p.must(&eventv1.Command{What: &eventv1.Command_Add{Add: add}}).Decisions
		for len(open) > 0 { // who enters may have dice to roll
			open = p.reply(open[p.rng.IntN(len(open))]).Decisions
		}
	}
	p.must(&eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}})
}

func (p *play) try(cmd *eventv1.Command) (*encounterv1.ExecuteResponse, error) {
	p.n++
	p.log = append(p.log, fmt.Sprint(cmd))
	resp, err := p.client.Execute(p.t.Context(), &encounterv1.ExecuteRequest{RequestId: fmt.Sprint(p.id, "-", p.n), As: gm, Encounter: p.id, Command: cmd})
	if err == nil && p.fate != nil {
		p.remember(resp.Step, cmd)
	}
	return resp, err
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
	before := p.last
	if before == nil || before.State.Encounter != p.id {
		before = p.state()
	}
	p.last = nil
	rulings := []func(*encounterv1.GetStateResponse){p.revertAndRedo, p.amendNothing, p.revertFar,
		p.amendSomething, p.amendSomething, p.amendSomething, func(*encounterv1.GetStateResponse) { p.perspectives() },
		p.contests, p.takesBack, p.saves, p.opens, p.opens}
	if n := p.rng.IntN(60); n < len(rulings) {
		rulings[n](before)
		return !p.t.Failed()
	}
	resp, going := p.act(before.State)
	if !going {
		p.perspectives()
		p.reopen()
		p.over()
		p.begin()
		return !p.t.Failed()
	}
	after := p.state()
	p.last = after
	if p.round != after.State.Round {
		p.round = after.State.Round
		p.rounds++
	}
	p.invariants(after.State)
	if after.Number > before.Number {
		p.same("what is read from disk is not the state that was", p.at(before.Number), before.State)
	}
	if resp != nil && resp.Step != nil && resp.Step.Restored == nil {
		for _, e := range resp.Step.Events {
			if d := e.GetDecisionRequested().GetDecision(); d != nil && before.State.Decisions[d.Id] != nil {
				p.t.Errorf("what is open already is asked again: %v", d)
			}
		}
		folded := event.Clone(before.State)
		event.FoldAll(folded, resp.Step.Events)
		p.same("the fold of the step's events is not the state", folded, after.State)
	}
	return !p.t.Failed()
}

// reply answers a decision.
func (p *play) reply(d *eventv1.Decision) *encounterv1.ExecuteResponse {
	p.t.Helper()
	p.fate.asked[p.fate.root] = append(p.fate.asked[p.fate.root], d)
	return p.must(&eventv1.Command{What: &eventv1.Command_Answer{Answer: &eventv1.AnswerDecision{Decision: d.Id, Answer: p.answer(d)}}})
}

// act answers a decision or takes an option; going is false when nobody can
// act any more.
func (p *play) act(s *eventv1.State) (resp *encounterv1.ExecuteResponse, going bool) {
	p.t.Helper()
	if ids := rules.SortedKeys(s.Decisions); len(ids) > 0 {
		return p.reply(s.Decisions[ids[p.rng.IntN(len(ids))]]), true
	}
	sides := map[string]bool{}
	for _, c := range s.Creatures {
		if c.Life == eventv1.LifeStatus_LIFE_STATUS_ALIVE {
			sides[c.Side] = true
		}
	}
	if s.Status != eventv1.State_STATUS_STARTED || len(sides) < 2 || s.Round > 10 && !p.tough {
		return nil, false
	}
	options, err := p.client.GetOptions(p.t.Context(), &encounterv1.GetOptionsRequest{As: gm, Encounter: p.id})
	if err != nil {
		p.t.Fatal(err)
	}
	var legal, illegal []*eventv1.Option
	for _, o := range options.Options {
		p.actions[o.Action] = true
		switch {
		case !o.Legal:
			illegal = append(illegal, o)
		case autoplay.Fillable(o):
			legal = append(legal, o)
		}
	}
	if len(legal) == 0 {
		p.t.Fatalf("round %d phase %q active %v: nobody may do anything, and the fight is not over", s.Round, s.Phase, s.Active)
	}
	if len(illegal) > 0 && p.rng.IntN(4) == 0 {
		p.refused(illegal[p.rng.IntN(len(illegal))])
	}
	if p.rng.IntN(8) == 0 {
		p.unlisted(s, autoplay.Flat(options.Options))
	}
	o := p.rarest(legal)
	if end := slices.IndexFunc(legal, func(o *eventv1.Option) bool { return o.Action == "end-turn" }); end >= 0 && p.rng.IntN(4) == 0 {
		o = legal[end] // so that rounds go by
	}
	o = autoplay.Random{Rand: p.rng}.Inside(o)
	resp, err = p.try(p.command(o))
	if f := rpc.FromStatus(err); err != nil && autoplay.Walks(o) && (f.Code == fault.Invalid || f.Code == fault.Illegal) {
		return nil, true // the way was chosen blindly
	}
	if err != nil {
		p.t.Errorf("an option that was listed is refused: %v: %v", o, err)
		return nil, true
	}
	p.taken++
	p.done[o.Action+"/"+o.Item]++
	return resp, true
}

// rarest picks a few options at random, and of these the one that was done least
// often: what many creatures can always do would crowd out the rest.
func (p *play) rarest(options []*eventv1.Option) *eventv1.Option {
	best := options[p.rng.IntN(len(options))]
	for range 3 {
		if o := options[p.rng.IntN(len(options))]; p.done[o.Action+"/"+o.Item] < p.done[best.Action+"/"+best.Item] {
			best = o
		}
	}
	return best
}

// command makes a command of an option.
func (p *play) command(o *eventv1.Option) *eventv1.Command {
	return autoplay.Random{Rand: p.rng}.Command(o, func() *eventv1.Position { return p.state().State.Creatures[o.Creature].GetPosition() })
}

func (p *play) answer(d *eventv1.Decision) *eventv1.Answer {
	p.t.Helper()
	a, err := autoplay.Random{Rand: p.rng}.Answer(d)
	if err != nil {
		p.t.Fatal(err)
	}
	return a
}
