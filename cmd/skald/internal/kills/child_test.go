package kills

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"google.golang.org/grpc"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/rpc"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// A copy of this test binary becomes the process that is killed when these are
// set: what it runs, its data folder, and where it listens.
const (
	envRole   = "SKALD_KILLS_ROLE"
	envData   = "SKALD_KILLS_DATA"
	envListen = "SKALD_KILLS_LISTEN"
	envPoint  = "SKALD_KILLS_POINT" // where it dies, armed from the start
)

var quiet = slog.New(slog.DiscardHandler)

func TestMain(m *testing.M) {
	if role := os.Getenv(envRole); role != "" {
		if err := child(role, os.Getenv(envData)); err != nil {
			fmt.Fprintln(os.Stderr, role, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// child serves, prints its address, and obeys its standard input until that ends.
func child(role, dir string) error {
	p := &points{}
	if at := os.Getenv(envPoint); at != "" {
		var armed point
		if err := json.Unmarshal([]byte(at), &armed); err != nil {
			return err
		}
		p.arm(armed)
	}
	if role == "rebuild" {
		return rebuild(dir, p)
	}
	s, err := serving(role, dir, p)
	if err != nil {
		return err
	}
	at := os.Getenv(envListen)
	if at == "" {
		at = "127.0.0.1:0"
	}
	l, err := net.Listen("tcp", at)
	if err != nil {
		return err
	}
	server := rpc.NewServer(rpc.Options{Logger: quiet, Unary: s.unary})
	s.register(server)
	go rpc.Serve(context.Background(), server, l) //nolint:errcheck // ends with the process
	fmt.Println("addr", l.Addr())
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		fmt.Println(obey(lines.Text(), p, s.tapes))
	}
	server.Stop()
	return s.close()
}

// served is what a child runs.
type served struct {
	register func(grpc.ServiceRegistrar)
	unary    []grpc.UnaryServerInterceptor
	tapes    dicev1.TapeServiceClient
	close    func() error
}

// serving makes what a role says.
func serving(role, dir string, p *points) (*served, error) {
	switch role {
	case "suite":
		return suite(dir, p)
	}
	return apart(role, dir, p)
}

// suite is all services in one process.
func suite(dir string, p *points) (*served, error) {
	s, err := allinone.Start(context.Background(), allinone.Config{DataDir: dir, Logger: quiet, Hooks: allinone.Hooks{
		Backend: func(b journal.Backend) journal.Backend { return backend{b, p} },
		Log:     func(l journal.Log) journal.Log { return log{l, p} },
		Among:   p.unary}})
	if err != nil {
		return nil, err
	}
	return &served{register: s.Register, unary: []grpc.UnaryServerInterceptor{p.reply}, tapes: dicev1.NewTapeServiceClient(s.Among()), close: s.Close}, nil
}

// obey carries out one line of the parent's.
func obey(line string, p *points, tapes dicev1.TapeServiceClient) string {
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "arm": // at a point, or with nothing more at none
		var at point
		if rest != "" {
			if err := json.Unmarshal([]byte(rest), &at); err != nil {
				return "error " + err.Error()
			}
		}
		p.arm(at)
		return "ok"
	case "points":
		p.quiet()
		data, err := json.Marshal(p.list())
		if err != nil {
			return "error " + err.Error()
		}
		return string(data)
	case "tapes":
		p.quiet()
		out, err := opened(tapes, rest)
		if err != nil {
			return "error " + err.Error()
		}
		return out
	}
	return "error unknown: " + word
}

// opened lists the tapes that the log says were opened for real.
func opened(tapes dicev1.TapeServiceClient, of string) (string, error) {
	var out []string
	for n := uint32(0); ; {
		resp, err := tapes.ListTapes(context.Background(), &dicev1.ListTapesRequest{Table: "main", Encounter: of, Offset: n, Limit: 1000})
		if err != nil {
			return "", err
		}
		for _, t := range resp.Tapes {
			if t.Purpose == dicev1.Purpose_PURPOSE_REAL {
				out = append(out, fmt.Sprint(t.Epoch, "/", t.Branch, "/", t.Action))
			}
		}
		if n += uint32(len(resp.Tapes)); !resp.More { //nolint:gosec // a page
			break
		}
	}
	slices.Sort(out)
	data, err := json.Marshal(out)
	return string(data), err
}

// process is a child.
type process struct {
	encounterv1.EncounterServiceClient
	injuryv1.InjuryServiceClient

	addr string
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	conn *grpc.ClientConn
	gone chan struct{} // closed when it has ended
	err  error         // how it ended, once gone is closed
}

// start runs a child and waits until it serves.
func start(t testing.TB, role, dir string, env ...string) *process {
	t.Helper()
	cmd := exec.Command(os.Args[0]) //nolint:gosec // this test
	cmd.Env = append(append(os.Environ(), envRole+"="+role, envData+"="+dir), env...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, theirs, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout = theirs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	theirs.Close() //nolint:errcheck // the child has its own
	p := &process{cmd: cmd, in: in, out: bufio.NewReader(out), gone: make(chan struct{})}
	go func() { // ends with the child
		p.err = cmd.Wait()
		close(p.gone)
	}()
	t.Cleanup(func() {
		p.kill()
		out.Close() //nolint:errcheck // read no more
	})
	line, err := p.out.ReadString('\n')
	addr, ok := strings.CutPrefix(strings.TrimSpace(line), "addr ")
	if err != nil || !ok {
		t.Fatalf("%s does not start: %q, %v", role, line, err)
	}
	p.addr = addr
	if p.conn, err = rpc.Dial(addr, rpc.TLSFiles{}); err != nil {
		t.Fatal(err)
	}
	p.EncounterServiceClient = encounterv1.NewEncounterServiceClient(p.conn)
	p.InjuryServiceClient = injuryv1.NewInjuryServiceClient(p.conn)
	return p
}

// kill ends the child at once, if it has not died by itself.
func (p *process) kill() {
	p.cmd.Process.Signal(syscall.SIGKILL) //nolint:errcheck // it may be gone
	<-p.gone
	if p.conn != nil {
		p.conn.Close() //nolint:errcheck // of a dead server
	}
}

// died waits a moment for the child to have died by itself.
func (p *process) died(within time.Duration) bool {
	select {
	case <-p.gone:
		return true
	case <-time.After(within):
		return false
	}
}

// tell gives the child a line and returns its answer; false when it has died.
func (p *process) tell(line string) (string, bool) {
	if _, err := fmt.Fprintln(p.in, line); err != nil {
		return "", false
	}
	answer, err := p.out.ReadString('\n')
	return strings.TrimSpace(answer), err == nil
}

// ask is tell for a child that must be alive.
func (p *process) ask(t testing.TB, line string) string {
	t.Helper()
	answer, ok := p.tell(line)
	if !ok || strings.HasPrefix(answer, "error") {
		t.Fatalf("%s: %q", line, answer)
	}
	return answer
}

// arm sets where the child dies.
func (p *process) arm(t testing.TB, at point) {
	t.Helper()
	p.ask(t, "arm "+armed(t, at))
}

// armed is a point as a child reads it.
func armed(t testing.TB, at point) string {
	t.Helper()
	data, err := json.Marshal(at)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// passed are the points since the last arm, once the child is quiet.
func (p *process) passed(t testing.TB) (out []point) {
	t.Helper()
	if err := json.Unmarshal([]byte(p.ask(t, "points")), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// image copies the child's folder as a kill would leave it at this moment.
func (p *process) image(t testing.TB, from, to string) {
	t.Helper()
	pid := p.cmd.Process.Pid
	for deadline := time.Now().Add(time.Minute); ; { // until it stands still; a signal can be taken back by another
		if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			t.Fatal(err)
		}
		if _, after, _ := strings.Cut(string(stat), ") "); strings.HasPrefix(after, "T") {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the child does not stop")
		}
		time.Sleep(2 * time.Millisecond)
	}
	err := copied(from, to)
	if err := syscall.Kill(pid, syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// copied copies a folder. Projections are mostly holes, which cp leaves out.
func copied(from, to string) error {
	out, err := exec.Command("cp", "-R", "--sparse=auto", from, to).CombinedOutput() //nolint:gosec // folders of this test
	if err != nil {
		return fmt.Errorf("%s: %w", out, err)
	}
	return nil
}
