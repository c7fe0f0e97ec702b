//go:build linux

package cluster

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	mrand "math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"google.golang.org/grpc"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"

	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/rpc"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
	"github.com/skaldrpg/skald/services/encounter"
)

// Stream that everything is on.
const Stream = "SKALD_0"

// Replicas of each service.
const replicas = 2

// Service is one process of a service.
type Service struct {
	*Process
	// Kind is dice, injury or encounter.
	Kind string
	// Listen and Internal are its addresses; Internal may be empty.
	Listen, Internal string
	// Data is its folder.
	Data string
	// Links to each NATS server.
	Links [3]*Link
	// Conn is the clients' connection to it.
	Conn *grpc.ClientConn
}

// Cluster is everything.
type Cluster struct {
	// Servers of NATS.
	Servers [3]*Server
	// Services, two of each kind.
	Services []*Service
	// Routes[i][j] is the link by which server i dials server j; nil for i == j.
	Routes [3][3]*Link
	// Dir holds everything.
	Dir string

	bin     string
	inner   map[string]*Link // to the internal listeners of dice and injury
	key     string           // of the services among themselves
	masters string           // of the dice
	admin   *nats.Conn
}

// programs that are run.
var programs = []string{
	"github.com/nats-io/nats-server/v2",
	"github.com/skaldrpg/skald/services/dice/cmd/skald-dice",
	"github.com/skaldrpg/skald/services/injury/cmd/skald-injury",
	"github.com/skaldrpg/skald/services/encounter/cmd/skald-encounter",
}

// Build builds what is run into a folder.
func Build(ctx context.Context, bin string) error {
	out, err := exec.CommandContext(ctx, "go", append([]string{"build", "-o", bin + string(filepath.Separator)}, programs...)...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("cluster: go build: %w: %s", err, out)
	}
	return nil
}

// New lays a cluster out in a folder; top is the top of the repository, bin has
// the programs, store the folder of each server's store, empty for one below dir.
func New(top, dir, bin string, store [3]string) (*Cluster, error) {
	c := &Cluster{Dir: dir, bin: bin, inner: map[string]*Link{}, key: filepath.Join(dir, "service.key")}
	var secret [64]byte
	rand.Read(secret[:]) //nolint:errcheck // it never fails
	c.masters = hex.EncodeToString(secret[:32])
	if err := os.WriteFile(c.key, []byte(hex.EncodeToString(secret[32:])+"\n"), 0o600); err != nil {
		return nil, err
	}
	ports, err := freePorts(9 + 3*2*replicas)
	if err != nil {
		return nil, err
	}
	next := func() string { p := ports[0]; ports = ports[1:]; return p }
	for i := range c.Servers {
		name := fmt.Sprint("nats-", i)
		s := &Server{Client: next(), Monitor: next(), Route: next(), Store: store[i]}
		if s.Store == "" {
			s.Store = filepath.Join(dir, name)
		}
		conf := filepath.Join(dir, name+".conf")
		s.Process = &Process{Name: name, path: filepath.Join(bin, "nats-server"), args: []string{"--config", conf}, log: filepath.Join(dir, name+".log")}
		s.env = s.environment()
		c.Servers[i] = s
	}
	for i, s := range c.Servers {
		var routes [3]string
		for j, to := range c.Servers {
			if routes[j] = to.Route; i == j {
				continue
			}
			if c.Routes[i][j], err = NewLink(s.Name+" to "+to.Name, to.Route); err != nil {
				return nil, err
			}
			routes[j] = c.Routes[i][j].Addr()
		}
		if err := configure(filepath.Join(top, "deploy", "kubernetes", "nats.conf"), filepath.Join(dir, s.Name+".conf"), s, routes); err != nil {
			return nil, err
		}
	}
	for _, kind := range []string{"dice", "injury", "encounter"} {
		if err := c.lay(kind, next); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// lay lays both processes of a service out. The others reach its internal
// listeners through one address for both, as a Kubernetes service is one.
func (c *Cluster) lay(kind string, next func() string) error {
	var internal []string
	for i := range replicas {
		name := fmt.Sprint(kind, "-", i)
		s := &Service{Kind: kind, Listen: next(), Data: filepath.Join(c.Dir, name)}
		env := []string{"SKALD_NATS_USER=" + kind, "SKALD_NATS_PASSWORD=" + password(kind), "SKALD_NATS_REPLICAS=3",
			"SKALD_LISTEN=" + s.Listen, "SKALD_DATA=" + s.Data, "SKALD_SERVICE_KEY=" + c.key,
			"SKALD_CLOCK_FILE=" + s.clock()}
		var urls []string
		for j, to := range c.Servers {
			k, err := NewLink(name+" to "+to.Name, to.Client)
			if err != nil {
				return err
			}
			s.Links[j] = k
			urls = append(urls, "nats://"+k.Addr())
		}
		mrand.Shuffle(len(urls), func(i, j int) { urls[i], urls[j] = urls[j], urls[i] })
		env = append(env, "SKALD_NATS="+strings.Join(urls, ","))
		if kind != "encounter" {
			s.Internal = next()
			internal = append(internal, s.Internal)
			env = append(env, "SKALD_INTERNAL_LISTEN="+s.Internal)
		}
		switch kind {
		case "dice":
			env = append(env, "SKALD_MASTER_KEYS="+c.masters, "SKALD_HEADS_KNOWN_FILE="+c.known())
		case "injury":
			env = append(env, "SKALD_HEADS_KNOWN_FILE="+c.known())
		case "encounter":
			env = append(env, "SKALD_HEADS_KEY="+c.heads())
		}
		for peer, k := range c.inner { // order-free: variables
			env = append(env, "SKALD_"+strings.ToUpper(peer)+"="+k.Addr())
		}
		s.Process = &Process{Name: name, path: filepath.Join(c.bin, "skald-"+kind), env: env, log: filepath.Join(c.Dir, name+".log")}
		conn, err := rpc.Dial(s.Listen, rpc.TLSFiles{}, grpc.WithConnectParams(quickly))
		if err != nil {
			return err
		}
		s.Conn = conn
		c.Services = append(c.Services, s)
	}
	if len(internal) > 0 {
		k, err := NewLink("service "+kind, internal...)
		if err != nil {
			return err
		}
		c.inner[kind] = k
	}
	return nil
}

// Start starts everything and waits until it serves.
func (c *Cluster) Start(ctx context.Context) error {
	for _, s := range c.Servers {
		if err := s.Start(); err != nil {
			return err
		}
	}
	if err := Until(ctx, "NATS", func(context.Context) error { return c.natsUp() }); err != nil {
		return err
	}
	url := c.urls()
	if err := Until(ctx, "stream", func(ctx context.Context) error {
		cmd := exec.CommandContext(ctx, filepath.Join(c.bin, "skald-dice"), "create-stream")
		cmd.Env = append(os.Environ(), "SKALD_NATS="+url, "SKALD_NATS_USER=admin", "SKALD_NATS_PASSWORD="+password("admin"), "SKALD_NATS_REPLICAS=3")
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
		return nil
	}); err != nil {
		return err
	}
	nc, err := journal.Connect(ctx, url, journal.ConnectOptions{Name: "admin", Username: "admin", Password: password("admin")})
	if err != nil {
		return err
	}
	c.admin = nc
	for _, s := range c.Services {
		if err := s.Start(); err != nil {
			return err
		}
	}
	return c.Serving(ctx)
}

// natsUp is nil when every server that is meant to be healthy is.
func (c *Cluster) natsUp() error {
	for _, s := range c.Servers {
		if !s.Healthy() {
			return fmt.Errorf("%s is not healthy", s.Name)
		}
	}
	return nil
}

// Serving waits until NATS is healthy and every service serves.
func (c *Cluster) Serving(ctx context.Context) error {
	return Until(ctx, "everything serves", func(ctx context.Context) error {
		if err := c.natsUp(); err != nil {
			return err
		}
		for _, s := range c.Services {
			if err := s.serving(ctx); err != nil {
				return fmt.Errorf("%s: %w", s.Name, err)
			}
		}
		return nil
	})
}

// names of what is asked for its health.
var names = map[string]string{"dice": "skald.dice.v1.DiceService", "injury": injuryv1.InjuryService_ServiceDesc.ServiceName,
	"encounter": encounterv1.EncounterService_ServiceDesc.ServiceName}

func (s *Service) serving(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	resp, err := healthv1.NewHealthClient(s.Conn).Check(ctx, &healthv1.HealthCheckRequest{Service: names[s.Kind]})
	if err != nil {
		return err
	}
	if resp.Status != healthv1.HealthCheckResponse_SERVING {
		return errors.New(resp.Status.String())
	}
	return nil
}

// heads is the file of the keys that sign heads, the same for all processes.
func (c *Cluster) heads() string { return filepath.Join(c.Dir, encounter.KeysFile) }

// known is the list of their public keys, which those services read that believe
// their signatures.
func (c *Cluster) known() string { return filepath.Join(c.Dir, "heads.pub") }

// urls are those of all NATS servers, past all links.
func (c *Cluster) urls() string {
	var out []string
	for _, s := range c.Servers {
		out = append(out, "nats://"+s.Client)
	}
	return strings.Join(out, ",")
}

// clock is the file that says by how much the service's clock is wrong.
func (s *Service) clock() string { return s.Data + ".clock" }

// Of lists the processes of a service.
func (c *Cluster) Of(kind string) (out []*Service) {
	for _, s := range c.Services {
		if s.Kind == kind {
			out = append(out, s)
		}
	}
	return out
}

// Journal opens the log as an administrator, past all links.
func (c *Cluster) Journal(ctx context.Context) (*journal.Journal, error) {
	return journal.Open(ctx, c.admin, journal.Config{Stream: Stream, Subjects: []string{journal.PartitionFilter(0)}, Replicas: 3, Log: quiet})
}

// links lists all links.
func (c *Cluster) links() (out []*Link) {
	for i := range c.Routes {
		for _, k := range c.Routes[i] {
			if k != nil {
				out = append(out, k)
			}
		}
	}
	for _, s := range c.Services {
		out = append(out, s.Links[:]...)
	}
	for _, k := range c.inner { // order-free: a set
		out = append(out, k)
	}
	return out
}

// Heal makes every link whole and lets everything that was stopped go on.
func (c *Cluster) Heal() error {
	for _, k := range c.links() {
		k.Heal()
	}
	for _, p := range c.processes() {
		if p.Running() {
			p.Signal(sigcont)
			continue
		}
		if err := p.Start(); err != nil {
			return err
		}
	}
	return nil
}

func (c *Cluster) processes() (out []*Process) {
	for _, s := range c.Servers {
		out = append(out, s.Process)
	}
	for _, s := range c.Services {
		out = append(out, s.Process)
	}
	return out
}

// Close kills everything.
func (c *Cluster) Close() {
	if c.admin != nil {
		c.admin.Close()
	}
	for _, s := range c.Services {
		if s.Conn != nil {
			s.Conn.Close() //nolint:errcheck // the test is over
		}
	}
	for _, p := range c.processes() {
		p.Kill()
	}
	for _, k := range c.links() {
		k.Close()
	}
}

// Until repeats try until it succeeds; a minute and a half is the limit.
func Until(ctx context.Context, what string, try func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, 90*time.Second)
	defer cancel()
	for {
		err := try(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("cluster: %s: %w", what, err)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// freePorts finds addresses that nobody listens on, below those that the system
// gives to outgoing connections: processes come back to them.
func freePorts(n int) ([]string, error) {
	var out []string
	for range 1000 {
		addr := fmt.Sprint("127.0.0.1:", 20000+mrand.IntN(12000))
		l, err := net.Listen("tcp", addr)
		if err != nil {
			continue
		}
		defer l.Close() //nolint:errcheck // held until all are chosen
		if out = append(out, addr); len(out) == n {
			return out, nil
		}
	}
	return nil, errors.New("cluster: no free ports")
}
