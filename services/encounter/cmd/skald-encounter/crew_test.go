package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/nats-io/nats.go"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/auth"
	"github.com/skaldrpg/skald/pkg/content/sheets"
	"github.com/skaldrpg/skald/pkg/crew"
	"github.com/skaldrpg/skald/pkg/daemon/daemontest"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/rpc"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

const (
	crewStreams = 4
	crewOwners  = 2
)

// machine is one process of each service, the three calling each other.
type machine struct {
	fights, injuries string // addresses for callers
	processes        []*exec.Cmd
	ended            []chan error
}

// kill ends the three as a power cut would.
func (m *machine) kill() {
	for i, p := range m.processes {
		p.Process.Signal(syscall.SIGKILL) //nolint:errcheck // it may have ended
		<-m.ended[i]
	}
	m.processes, m.ended = nil, nil
}

// park is machines on one NATS server, with tokens for their tables.
type park struct {
	t         *testing.T
	bin, nats string
	dir       string
	common    []string
	machines  []*machine
	tables    []string
	tokens    map[string]string

	mu    sync.Mutex
	heard map[string]map[string]crew.Member // service, id
	at    map[string]time.Time
	who   [crewStreams]map[string]bool // encounter processes that folded each stream since mark
}

// mark begins anew to note who folds what.
func (p *park) mark() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range p.who {
		p.who[i] = map[string]bool{}
	}
}

// handedOn holds that not every process came to fold every stream, as they would
// if each served its calls itself.
func (p *park) handedOn() {
	p.t.Helper()
	time.Sleep(1500 * time.Millisecond) // an announcement later
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, ids := range p.who {
		if len(ids) < len(p.machines) {
			return
		}
	}
	p.t.Error("every process folds every stream: calls were not handed on")
}

func newPark(t *testing.T) *park {
	t.Helper()
	p := &park{t: t, bin: t.TempDir(), nats: daemontest.NATS(t), dir: t.TempDir(), tokens: map[string]string{},
		heard: map[string]map[string]crew.Member{}, at: map[string]time.Time{}}
	build := exec.CommandContext(t.Context(), "go", "build", "-o", p.bin+"/", programs+"dice/cmd/skald-dice",
		programs+"injury/cmd/skald-injury", programs+"encounter/cmd/skald-encounter")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, key := range []struct{ file, alg string }{{"service.key", auth.HS256}, {"callers.key", auth.EdDSA}} {
		if _, err := auth.NewKey(filepath.Join(p.dir, key.file), key.alg); err != nil {
			t.Fatal(err)
		}
	}
	signer, err := auth.ReadSigner(filepath.Join(p.dir, "callers.key"))
	if err != nil {
		t.Fatal(err)
	}
	if err := signer.AddToKeySet(filepath.Join(p.dir, "keys.json")); err != nil {
		t.Fatal(err)
	}
	for i := 0; len(p.tables) < 2*crewStreams; i++ {
		table := fmt.Sprint("t", i)
		if journal.Partition(table, crewStreams) != len(p.tables)%crewStreams {
			continue
		}
		p.tables = append(p.tables, table)
		if p.tokens[table], err = signer.Sign(auth.Claims{Skald: auth.Table{Table: table, Role: auth.GM}, RegisteredClaims: jwt.RegisteredClaims{
			Subject: "kim", ExpiresAt: jwt.NewNumericDate(time.Now().Add(10 * time.Minute))}}); err != nil {
			t.Fatal(err)
		}
	}
	p.common = []string{"--nats", p.nats, "--service-key", filepath.Join(p.dir, "service.key"), "--auth-jwks", filepath.Join(p.dir, "keys.json"),
		"--owners", fmt.Sprint(crewOwners), "--idle", "2s"}
	create := exec.CommandContext(t.Context(), filepath.Join(p.bin, "skald-dice"), "create-stream", "--nats", p.nats, "--journal-streams", fmt.Sprint(crewStreams))
	if out, err := create.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	p.listen()
	return p
}

// listen hears the crews.
func (p *park) listen() {
	nc, err := nats.Connect(p.nats)
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(nc.Close)
	for _, service := range []string{"dice", "injury", "encounter"} {
		p.heard[service] = map[string]crew.Member{}
		if _, err := nc.Subscribe(crew.Subject(service), func(m *nats.Msg) {
			var one crew.Member
			if err := json.Unmarshal(m.Data, &one); err == nil {
				p.mu.Lock()
				defer p.mu.Unlock()
				p.heard[service][one.ID], p.at[one.ID] = one, time.Now()
				for _, f := range one.Folds {
					if service == "encounter" && p.who[f] != nil {
						p.who[f][one.ID] = true
					}
				}
			}
		}); err != nil {
			p.t.Fatal(err)
		}
	}
}

// folded waits until each stream is folded by so many processes of each service.
func (p *park) folded(owners int) {
	p.t.Helper()
	var said string
	for deadline := time.Now().Add(40 * time.Second); time.Now().Before(deadline); time.Sleep(200 * time.Millisecond) {
		said = ""
		p.mu.Lock()
		for service, members := range p.heard {
			folds := make([]int, crewStreams)
			for id, m := range members {
				for _, f := range m.Folds {
					if time.Since(p.at[id]) < 3*time.Second {
						folds[f]++
					}
				}
			}
			if slices.ContainsFunc(folds, func(n int) bool { return n != owners }) {
				said += fmt.Sprint(service, " ", folds, " ")
			}
		}
		p.mu.Unlock()
		if said == "" {
			return
		}
	}
	p.t.Errorf("folded by %s, want %d each", said, owners)
}

func (p *park) start() *machine {
	p.t.Helper()
	m := &machine{}
	n := len(p.machines)
	p.machines = append(p.machines, m)
	p.t.Cleanup(m.kill)
	run := func(name string, args ...string) (calls, internal string) {
		log, ended := daemontest.NewLog(), make(chan error, 1)
		args = append([]string{"--listen", "127.0.0.1:0", "--data", filepath.Join(p.dir, fmt.Sprint(name, n))}, append(args, p.common...)...)
		cmd := exec.Command(filepath.Join(p.bin, "skald-"+name), args...)
		cmd.Stderr = log
		cmd.Env = append(os.Environ(), "SKALD_MASTER_KEYS="+strings.Repeat("ab", 32))
		if name != "dice" {
			cmd.Env = os.Environ()
		}
		if err := cmd.Start(); err != nil {
			p.t.Fatal(err)
		}
		go func() { ended <- cmd.Wait() }() // ends with the process
		m.processes, m.ended = append(m.processes, cmd), append(m.ended, ended)
		calls = log.Wait(p.t, `service is up" grpc=(\S+)`, ended)
		if name != "encounter" {
			internal = log.Wait(p.t, `service is up".* internal=(\S+)`, ended)
		}
		return calls, internal
	}
	_, dice := run("dice", "--internal-listen", "127.0.0.1:0", "--advertise-internal", "127.0.0.1:0")
	var harm string
	m.injuries, harm = run("injury", "--internal-listen", "127.0.0.1:0", "--advertise-internal", "127.0.0.1:0", "--advertise", "127.0.0.1:0", "--dice", dice)
	m.fights, _ = run("encounter", "--advertise", "127.0.0.1:0", "--dice", dice, "--injury", harm)
	return m
}

// conn is a connection to a listener of a machine under a table's token.
func (p *park) conn(address, table string) *grpc.ClientConn {
	p.t.Helper()
	c, err := rpc.Dial(address, rpc.TLSFiles{}, grpc.WithPerRPCCredentials(auth.Bearer(p.tokens[table])))
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { c.Close() }) //nolint:errcheck // test
	return c
}

// do gives a command at a machine, again until it is answered for good.
func (p *park) do(m *machine, table, request string, cmd *eventv1.Command) (*encounterv1.ExecuteResponse, error) {
	p.t.Helper()
	client := encounterv1.NewEncounterServiceClient(p.conn(m.fights, table))
	var err error
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		ctx, cancel := context.WithTimeout(p.t.Context(), 10*time.Second)
		var res *encounterv1.ExecuteResponse
		res, err = client.Execute(ctx, &encounterv1.ExecuteRequest{RequestId: request, As: gm, Encounter: "bridge", Command: cmd})
		cancel()
		if f := rpc.FromStatus(err); err == nil || f == nil || f.Code.String() != "unavailable" && f.Code.String() != "conflict" {
			return res, err
		}
	}
	return nil, err
}

func (p *park) must(m *machine, table, request string, cmd *eventv1.Command) *encounterv1.ExecuteResponse {
	p.t.Helper()
	res, err := p.do(m, table, request, cmd)
	if err != nil {
		p.t.Fatalf("%s at %s: %v", request, table, err)
	}
	return res
}

func note(text string) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "orc", Reason: text}}}
}

// begin makes a fight with a patient in it.
func (p *park) begin(m *machine, table string) {
	p.t.Helper()
	sheet, err := sheets.Get("rcr", "fighter")
	if err != nil {
		p.t.Fatal(err)
	}
	sheet = proto.Clone(sheet).(*eventv1.Sheet)
	sheet.Id, sheet.Side = "kara", "party"
	if _, err := injuryv1.NewInjuryServiceClient(p.conn(m.injuries, table)).Tend(p.t.Context(), &injuryv1.TendRequest{RequestId: "enrol", As: gm, System: "rcr",
		Command: &eventv1.Command{What: &eventv1.Command_Patient{Patient: &eventv1.PatientCommand{Deed: "enrol", Patients: []string{"kara"}, Sheet: sheet}}}}); err != nil {
		p.t.Fatalf("enrolling at %s: %v", table, err)
	}
	p.must(m, table, "create", &eventv1.Command{What: &eventv1.Command_Create{Create: &eventv1.CreateEncounter{System: "rcr"}}})
	p.must(m, table, "kara", &eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: &eventv1.Sheet{Id: "kara", Side: "party", Patient: "kara"}}}})
	orc := proto.Clone(sheet).(*eventv1.Sheet)
	orc.Id, orc.Side = "orc", "monsters"
	p.must(m, table, "orc", &eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: orc}}})
}

// noted begins the note of an edit in the record.
const noted = "edited: "

// history counts how often each text was noted, as a machine tells it.
func (p *park) history(m *machine, table string) map[string]int {
	p.t.Helper()
	client := encounterv1.NewEncounterServiceClient(p.conn(m.fights, table))
	out := map[string]int{}
	for after := uint64(0); ; {
		ctx, cancel := context.WithTimeout(p.t.Context(), 20*time.Second)
		page, err := client.GetHistory(ctx, &encounterv1.GetHistoryRequest{As: gm, Encounter: "bridge", After: after})
		cancel()
		if err != nil {
			p.t.Errorf("history of %s: %v", table, err)
			return out
		}
		for _, step := range page.Steps {
			after = step.Number
			for _, e := range step.Events {
				if text, ok := strings.CutPrefix(e.GetNote().GetText(), noted); ok {
					out[text]++
				}
			}
		}
		if !page.More {
			return out
		}
	}
}

// Three machines with one process of each service, on four streams: every one
// answers for every table, each stream is folded by two and not by all, what is
// given twice at different machines happens once, and when a machine is lost its
// tables go on.
func TestCrews(t *testing.T) {
	if testing.Short() || os.Getenv("SKALD_RACE") == "1" {
		t.Skip("starts nine processes")
	}
	p := newPark(t)
	for range 3 {
		p.start()
	}
	p.folded(crewOwners)
	for i, table := range p.tables {
		p.begin(p.machines[i%3], table)
	}
	p.mark()
	given := p.contest("before")
	p.handedOn()
	p.watchAnywhere(given)
	p.folded(crewOwners)

	p.pause(given)
	lost := time.Now()
	p.machines[1].kill()
	alive := []*machine{p.machines[0], p.machines[2]}
	p.machines = alive
	for _, table := range p.tables {
		for k, m := range alive {
			p.must(m, table, fmt.Sprint("after-", k), note(fmt.Sprint("after-", k)))
			given[table] = append(given[table], fmt.Sprint("after-", k))
		}
	}
	took := time.Since(lost)
	t.Logf("every table went on after %v", took)
	if took > 20*time.Second {
		t.Errorf("tables of the lost machine went on after %v", took)
	}
	p.folded(crewOwners) // the two that are left fold everything
	p.check(given)
	for i, table := range p.tables { // and roll the dice whose epochs others opened
		p.must(alive[i%2], table, "start", &eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}})
	}
}

// pause stops a machine, as one that swaps or is cut off, and lets it go on.
func (p *park) pause(given map[string][]string) {
	p.t.Helper()
	signal := func(s syscall.Signal) {
		for _, one := range p.machines[1].processes {
			one.Process.Signal(s) //nolint:errcheck // the test sees it
		}
	}
	signal(syscall.SIGSTOP)
	begin := time.Now()
	var wg sync.WaitGroup
	for _, table := range p.tables {
		wg.Go(func() {
			if _, err := p.do(p.machines[0], table, "paused", note("paused")); err != nil {
				p.t.Errorf("%s while a machine stands still: %v", table, err)
			}
		})
	}
	wg.Wait()
	took := time.Since(begin)
	signal(syscall.SIGCONT)
	p.t.Logf("every table went on %v after a machine stood still", took)
	if took > 25*time.Second {
		p.t.Errorf("tables went on %v after a machine stood still", took)
	}
	for _, table := range p.tables {
		given[table] = append(given[table], "paused")
	}
	p.folded(crewOwners)
}

// contest gives commands at all machines at once: some the same, some not.
func (p *park) contest(what string) map[string][]string {
	given := map[string][]string{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for _, table := range p.tables {
		for k, m := range p.machines {
			wg.Go(func() {
				for i := range 3 {
					for _, request := range []string{fmt.Sprint(what, "-same-", i), fmt.Sprint(what, "-own-", k, "-", i)} {
						if _, err := p.do(m, table, request, note(request)); err != nil {
							p.t.Errorf("%s at %s: %v", request, table, err)
							continue
						}
						mu.Lock()
						if !slices.Contains(given[table], request) {
							given[table] = append(given[table], request)
						}
						mu.Unlock()
					}
				}
			})
		}
	}
	wg.Wait()
	p.check(given)
	return given
}

// check holds what every machine tells of every table against what was given. A
// machine that did not take a command itself hears of it a moment later.
func (p *park) check(given map[string][]string) {
	p.t.Helper()
	for _, table := range p.tables {
		for k, m := range p.machines {
			wrong := p.differs(m, table, given[table])
			for deadline := time.Now().Add(10 * time.Second); wrong != "" && time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
				wrong = p.differs(m, table, given[table])
			}
			if wrong != "" {
				p.t.Errorf("machine %d, table %s: %s", k, table, wrong)
			}
		}
	}
}

// differs says what of a table's history is not as it was given; empty when all is.
func (p *park) differs(m *machine, table string, given []string) string {
	p.t.Helper()
	got := p.history(m, table)
	for _, request := range given {
		if got[request] != 1 {
			return fmt.Sprintf("%s happened %d times", request, got[request])
		}
	}
	if len(got) != len(given) {
		return fmt.Sprintf("%d notes, %d given", len(got), len(given))
	}
	return ""
}

// watchAnywhere sees on every machine what is given on another.
func (p *park) watchAnywhere(given map[string][]string) {
	p.t.Helper()
	for i, table := range p.tables[:crewStreams] {
		for _, m := range p.machines {
			ctx, cancel := context.WithTimeout(p.t.Context(), 20*time.Second)
			client := encounterv1.NewEncounterServiceClient(p.conn(m.fights, table))
			state, err := client.GetState(ctx, &encounterv1.GetStateRequest{As: gm, Encounter: "bridge"})
			if err != nil {
				p.t.Fatal(err)
			}
			w, err := client.Watch(ctx, &encounterv1.WatchRequest{As: gm, Encounter: "bridge", After: state.Cursor})
			if err != nil {
				p.t.Fatal(err)
			}
			name := strings.ReplaceAll(m.fights, ":", "-")
			p.must(p.machines[(i+1)%len(p.machines)], table, "seen-"+name, note("seen-"+name))
			given[table] = append(given[table], "seen-"+name)
			for {
				got, err := w.Recv()
				if err != nil {
					p.t.Fatalf("watching %s: %v", table, err)
				}
				if got.GetStep() != nil {
					break
				}
			}
			cancel()
		}
	}
}
