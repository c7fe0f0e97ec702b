package kills

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/pkg/daemon/daemontest"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/rpc"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/systems"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
	"github.com/skaldrpg/skald/services/dice"
	"github.com/skaldrpg/skald/services/encounter"
	"github.com/skaldrpg/skald/services/injury"
)

// Where a service that runs by itself finds the others.
const (
	envNATS   = "SKALD_KILLS_NATS"
	envDice   = "SKALD_KILLS_DICE"
	envInjury = "SKALD_KILLS_INJURY"
)

// apart is one service in a process of its own, over a NATS server elsewhere.
func apart(role, dir string, p *points) (*served, error) {
	ctx := context.Background()
	nc, err := journal.Connect(ctx, os.Getenv(envNATS), journal.ConnectOptions{Name: role})
	if err != nil {
		return nil, err
	}
	j, err := journal.Open(ctx, nc, journal.Config{Stream: "SKALD_0", Subjects: []string{journal.PartitionFilter(0)}, Create: true, Log: quiet,
		Wrap: func(b journal.Backend) journal.Backend { return backend{b, p} }})
	if err != nil {
		return nil, err
	}
	peer := func(name string) *grpc.ClientConn {
		c, dialed := rpc.Dial(os.Getenv(name), rpc.TLSFiles{}, grpc.WithChainUnaryInterceptor(p.client))
		if dialed != nil {
			err = dialed
		}
		return c
	}
	projections := filepath.Join(dir, "projections")
	var run, ready func(context.Context) error
	s := &served{}
	switch role {
	case "dice":
		var svc *dice.Service
		if svc, err = dice.New(ctx, dice.Config{Journal: log{j, p}, DataDir: projections, MasterKeyFile: filepath.Join(dir, "dice.key"), CreateMasterKey: true, Logger: quiet}); err == nil {
			run, ready = svc.Run, svc.Ready
			s.register = func(r grpc.ServiceRegistrar) { svc.Register(r); svc.RegisterInternal(r) }
			s.unary = []grpc.UnaryServerInterceptor{p.unary}
		}
	case "injury":
		var svc *injury.Service
		if svc, err = injury.New(ctx, injury.Config{Journal: log{j, p}, Dice: dicev1.NewTapeServiceClient(peer(envDice)), Systems: systems.Registry(), DataDir: projections, Logger: quiet}); err == nil {
			run, ready = svc.Run, svc.WaitReady
			s.register = func(r grpc.ServiceRegistrar) { svc.Register(r); svc.RegisterInternal(r) }
			s.unary = []grpc.UnaryServerInterceptor{p.unary}
		}
	case "encounter":
		var svc *encounter.Service
		if svc, err = encounter.New(ctx, encounter.Config{Journal: log{j, p}, Dice: dicev1.NewTapeServiceClient(peer(envDice)),
			Injury: injuryv1.NewAssessmentServiceClient(peer(envInjury)), Systems: systems.Registry(), DataDir: projections,
			KeysFile: filepath.Join(dir, encounter.KeysFile), Logger: quiet}); err == nil {
			run, ready = svc.Run, svc.Ready
			s.register = svc.Register
			s.unary = []grpc.UnaryServerInterceptor{p.reply}
		}
	default:
		err = fmt.Errorf("no role %q", role)
	}
	if err != nil {
		return nil, err
	}
	go func() { // ends with the process
		if err := run(ctx); err != nil {
			fmt.Fprintln(os.Stderr, role, err)
			os.Exit(1)
		}
	}()
	s.close = func() error { return nil }
	return s, ready(ctx)
}

// company are the three services as processes, on one NATS server.
type company struct {
	t     *testing.T
	dir   string
	env   []string
	procs map[string]*process
	addrs map[string]string
	rng   *rand.Rand

	system          string
	n, kills, again int
	unmet           int
	by              map[string]int
	commands        int
	watched         []*encounterv1.Step
	cursor          string
	mu              sync.Mutex
	cancel          context.CancelFunc
	watching        sync.WaitGroup
}

func (c *company) begin(role string) {
	c.t.Helper()
	env := slices.Clone(c.env)
	if at := c.addrs[role]; at != "" {
		env = append(env, envListen+"="+at)
	}
	c.procs[role] = start(c.t, role, c.dir, env...)
	c.addrs[role] = c.procs[role].addr
	switch role {
	case "dice":
		c.env = append(c.env, envDice+"="+c.addrs[role])
	case "injury":
		c.env = append(c.env, envInjury+"="+c.addrs[role])
	}
}

// give gives a command, killing one service after the other in the midst of it,
// until it has an answer; then once more.
func (c *company) give(call func(ctx context.Context) (proto.Message, error)) proto.Message {
	c.t.Helper()
	c.commands++
	for _, victim := range []string{"dice", "injury", "encounter"} {
		if c.rng.IntN(3) == 0 {
			continue
		}
		// It may die of the arming: what it still does behind an answer passes places too.
		c.procs[victim].tell("arm " + armed(c.t, point{anywhere, 1 + c.rng.IntN(4)}))
		_, err := c.once(call)
		p := c.procs[victim]
		disarmed := false
		if !p.died(80 * time.Millisecond) {
			_, disarmed = p.tell("arm")
		}
		switch {
		case !disarmed:
			p.kill()
			c.kills++
			c.by[victim]++
			c.begin(victim)
			if victim == "encounter" {
				c.watch()
			}
		case err != nil && c.kills == 0:
			c.t.Fatalf("%s lives, and yet: %v", victim, err)
		case err != nil:
			c.again++ // another one is only just back
		default:
			c.unmet++
		}
	}
	var m proto.Message
	for deadline := time.Now().Add(60 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		var err error
		if m, err = c.once(call); err == nil {
			break
		}
		c.again++
		if status.Code(err) != codes.Unavailable || time.Now().After(deadline) {
			c.t.Fatalf("with all services back: %v", err)
		}
	}
	again, err := c.once(call)
	if err != nil || !repeated(again) || !proto.Equal(repeats(m), repeats(again)) {
		c.t.Fatalf("repeated it answers otherwise: %v, %s", err, difference(repeats(m), repeats(again)))
	}
	return m
}

func (c *company) once(call func(ctx context.Context) (proto.Message, error)) (proto.Message, error) {
	ctx, cancel := context.WithTimeout(c.t.Context(), 60*time.Second)
	defer cancel()
	m, err := call(ctx)
	if err != nil && status.Code(err) != codes.Unavailable {
		c.t.Errorf("a caller is told %v", err)
	}
	return m, err
}

func (c *company) do(id string, cmd *eventv1.Command) *encounterv1.ExecuteResponse {
	c.t.Helper()
	c.n++
	req := &encounterv1.ExecuteRequest{RequestId: fmt.Sprint("r", c.n), As: gm, Encounter: id, Command: cmd}
	return c.give(func(ctx context.Context) (proto.Message, error) {
		return (&step{exec: req}).call(ctx, c.procs["encounter"])
	}).(*encounterv1.ExecuteResponse)
}

func (c *company) tend(cmd *eventv1.PatientCommand) *injuryv1.TendResponse {
	c.t.Helper()
	c.n++
	req := &injuryv1.TendRequest{RequestId: fmt.Sprint("r", c.n), As: gm, System: c.system, Command: &eventv1.Command{What: &eventv1.Command_Patient{Patient: cmd}}}
	return c.give(func(ctx context.Context) (proto.Message, error) {
		return (&step{tend: req}).call(ctx, c.procs["injury"])
	}).(*injuryv1.TendResponse)
}

// watch goes on watching at the encounter service that there is.
func (c *company) watch() {
	if c.cancel != nil {
		c.cancel()
		c.watching.Wait()
	}
	ctx, cancel := context.WithCancel(context.Background())
	c.cancel = cancel
	p := c.procs["encounter"]
	c.watching.Go(func() { // ends with the process or the context
		for ctx.Err() == nil { // until there is something to watch
			p.follow(ctx, &encounterv1.WatchRequest{As: gm, Encounter: "e", After: c.cursor}, func(s *encounterv1.Step) { //nolint:errcheck // the process dies
				c.mu.Lock()
				defer c.mu.Unlock()
				c.watched, c.cursor = append(c.watched, s), s.Cursor
			}, nil)
			if sleep(ctx, 20*time.Millisecond) != nil || p.died(0) {
				return
			}
		}
	})
}

// A service killed in the middle of a command, while the others live: the caller
// is told that it is unavailable, and the repeat succeeds once it is back, once.
func TestServicesKilledApart(t *testing.T) {
	if testing.Short() || os.Getenv("SKALD_RACE") == "1" {
		t.Skip("kills processes for several seconds")
	}
	seed := seed()
	turns := 6
	if os.Getenv(envRuns) != "" {
		turns = 40
	}
	t.Logf("repeat with %s=%d", envSeed, seed)
	c := &company{t: t, dir: t.TempDir(), procs: map[string]*process{}, addrs: map[string]string{}, by: map[string]int{},
		rng: rand.New(rand.NewPCG(seed, 3)), system: "rcr"}
	nats := daemontest.NATS(t)
	c.env = []string{envNATS + "=" + nats}
	for _, role := range []string{"dice", "injury", "encounter"} {
		c.begin(role)
	}
	// What is asked and chosen is as in the scripts.
	r := &recorder{t: t, system: c.system, rng: rand.New(rand.NewPCG(seed, 4)), p: c.procs["encounter"]}
	hp := int32(5)
	c.tend(&eventv1.PatientCommand{Deed: "enrol", Patients: []string{"p0"}, Sheet: r.sheet(0, "p0", "left", "ann")})
	c.tend(&eventv1.PatientCommand{Deed: "enrol", Patients: []string{"p1"}, Sheet: r.sheet(1, "p1", "left", "ann")})
	c.tend(&eventv1.PatientCommand{Deed: "edit", Patients: []string{"p0"}, Vitals: &eventv1.Vitals{Hp: &hp}})
	c.tend(&eventv1.PatientCommand{Deed: "rest", Patients: []string{"p0", "p1"}, Parameters: params(r, map[string]any{"kind": "short", "dice": 1})})
	c.do("e", create(&eventv1.CreateEncounter{System: c.system}))
	c.watch()
	for _, id := range []string{"p0", "p1"} {
		c.do("e", add(&eventv1.AddCreature{Sheet: &eventv1.Sheet{Patient: id, Side: "left"}}))
		c.settle(r)
	}
	c.do("e", add(&eventv1.AddCreature{Sheet: r.sheet(2, "c0", "right")}))
	c.settle(r)
	c.do("e", &eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}})
	for range turns {
		c.settle(r)
		r.p = c.procs["encounter"]
		o := r.next("e", map[string]int{})
		if o == nil {
			break
		}
		c.do("e", r.command(o))
	}
	c.settle(r)
	c.do("e", &eventv1.Command{What: &eventv1.Command_Remove{Remove: &eventv1.RemoveCreature{Creature: "p1"}}})
	c.settle(r)
	c.do("e", &eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}})
	c.holds(nats)
	t.Logf("%d commands, %d kills (%v), %d points not met, %d more tries", c.commands, c.kills, c.by, c.unmet, c.again)
	if c.kills == 0 {
		t.Error("nobody was killed: this test shows nothing")
	}
}

// settle answers what is open.
func (c *company) settle(r *recorder) {
	c.t.Helper()
	for {
		r.p = c.procs["encounter"]
		s := r.state("e")
		if len(s.Decisions) == 0 {
			return
		}
		d := s.Decisions[rules.SortedKeys(s.Decisions)[0]]
		c.do("e", &eventv1.Command{What: &eventv1.Command_Answer{Answer: &eventv1.AnswerDecision{Decision: d.Id, Answer: r.answer(d)}}})
	}
}

// holds looks at what is left: each step once, patients out of the fight, dice
// revealed, projections as from the log alone.
func (c *company) holds(nats string) {
	t := c.t
	t.Helper()
	p := c.procs["encounter"]
	var s *eventv1.State
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		steps := p.since(t, gm, "e", "")
		revealed := slices.ContainsFunc(steps[len(steps)-1].Events, func(e *eventv1.Event) bool { return e.GetDiceRevealed() != nil })
		if revealed {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the dice are not revealed")
		}
	}
	steps := p.since(t, gm, "e", "")
	for i, st := range steps {
		if st.Number != uint64(i)+1 { //nolint:gosec // an index
			t.Fatalf("step %d where %d must be", st.Number, i+1)
		}
	}
	// Every command but those on patients alone is one step, and the reveal is one.
	if want := c.commands - 4 + 1; len(steps) != want {
		t.Errorf("%d steps for %d commands", len(steps), want-1)
	}
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		c.mu.Lock()
		n := len(c.watched)
		c.mu.Unlock()
		if n >= len(steps) {
			break
		}
	}
	c.cancel()
	c.watching.Wait()
	if len(c.watched) != len(steps) {
		t.Errorf("the watch was told %d of %d steps", len(c.watched), len(steps))
	}
	for i := range min(len(steps), len(c.watched)) {
		if !proto.Equal(c.watched[i], steps[i]) {
			t.Errorf("step %d was told otherwise: %s", i+1, difference(c.watched[i], steps[i]))
		}
	}
	s = (&recorder{t: t, p: p}).state("e")
	for _, id := range []string{"p0", "p1"} {
		resp, err := c.procs["injury"].GetPatient(t.Context(), &injuryv1.GetPatientRequest{As: gm, Patient: id})
		if err != nil {
			t.Fatal(err)
		}
		if resp.Patient.Encounter != "" || s.Status != eventv1.State_STATUS_ENDED {
			t.Errorf("%s is in %q, the fight %v", id, resp.Patient.Encounter, s.Status)
		}
	}
	proves(t, p, "e")
	for _, role := range []string{"encounter", "injury", "dice"} {
		c.procs[role].passed(t) // quiet
		c.procs[role].kill()
	}
	rebuilt(t, allinone.Config{DataDir: c.dir, NATSURL: nats, Logger: quiet})
}
