package daemon

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/spf13/pflag"
	"google.golang.org/grpc"

	"github.com/skaldrpg/skald/pkg/auth"
	"github.com/skaldrpg/skald/pkg/crew"
	"github.com/skaldrpg/skald/pkg/rpc"
	"github.com/skaldrpg/skald/pkg/shards"
)

// crewOptions say how the processes of one service reach each other.
type crewOptions struct {
	calls, internal string
	owners          int
	idle            time.Duration
	tls             rpc.TLSFiles
}

func (o *crewOptions) flags(f *pflag.FlagSet, spec Spec) {
	if spec.Crew == "" {
		return
	}
	if spec.HandsOnCalls {
		f.StringVar(&o.calls, "advertise", "", "host and port at which the other processes of this service reach --listen (port 0: that of --listen); empty serves every table here")
		f.BoolVar(&o.tls.Enabled, "advertise-tls", false, "speak TLS with them")
		f.StringVar(&o.tls.CA, "advertise-ca", "", "PEM file of the authorities that sign them")
		f.StringVar(&o.tls.Cert, "advertise-cert", "", "PEM file of the client certificate for them")
		f.StringVar(&o.tls.Key, "advertise-key", "", "PEM file of the client key for them")
		f.StringVar(&o.tls.ServerName, "advertise-name", "", "name in their certificates; empty means the host of the address")
	}
	if spec.InternalListen != "" {
		f.StringVar(&o.internal, "advertise-internal", "", "host and port at which the other processes of this service reach --internal-listen, as with --advertise")
	}
	f.DurationVar(&o.idle, "idle", shards.DefaultIdle, "with --advertise: how long a stream that others fold stays open here after the last call")
	f.IntVar(&o.owners, "owners", crew.DefaultOwners, "with --advertise: how many processes fold each stream of the journal")
}

// among is a process among its like; all fields are nil when it is alone.
type among struct {
	crew            *crew.Crew
	calls, internal *lines
}

// join makes this process one of its crew, when it is to have one.
func (o *options) join(spec Spec, nc *nats.Conn, l listeners, key *auth.ServiceKey, metrics *rpc.Metrics, log *slog.Logger) (among, error) {
	if spec.Crew == "" || o.crew.calls == "" && o.crew.internal == "" {
		return among{}, nil
	}
	if spec.HandsOnCalls && o.crew.calls == "" || spec.InternalListen != "" && o.crew.internal == "" {
		return among{}, errors.New("daemon: --advertise and --advertise-internal go together")
	}
	calls, err := advertised("advertise", o.crew.calls, l.calls)
	if err != nil {
		return among{}, err
	}
	internal, err := advertised("advertise-internal", o.crew.internal, l.internal)
	if err != nil {
		return among{}, err
	}
	c, err := crew.Join(crew.Config{Conn: nc, Service: spec.Crew, Calls: calls, Internal: internal, Owners: o.crew.owners, Logger: log})
	if err != nil {
		return among{}, fmt.Errorf("daemon: %w", err)
	}
	dialing := metrics.DialOptions()
	inside := dialing
	if key != nil {
		inside = append(inside[:len(inside):len(inside)], grpc.WithPerRPCCredentials(key))
	}
	return among{crew: c,
		calls:    newLines(func(m crew.Member) string { return m.Calls }, o.crew.tls, true, dialing),
		internal: newLines(func(m crew.Member) string { return m.Internal }, o.internal.toward(rpc.TLSFiles{}), false, inside)}, nil
}

// advertised is the address to announce, with the listener's port for port 0.
func advertised(flag, address string, l net.Listener) (string, error) {
	if address == "" {
		return "", nil
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil || host == "" || l == nil {
		return "", fmt.Errorf("daemon: --%s: want HOST:PORT of a listener, got %q", flag, address)
	}
	if port == "0" {
		_, port, err = net.SplitHostPort(l.Addr().String())
	}
	return net.JoinHostPort(host, port), err
}

func (a among) close() error {
	return errors.Join(a.calls.close(), a.internal.close())
}

// linesKept bounds the connections that are kept to members that may be gone.
const linesKept = 256

// lines are connections to the other processes of a service, made when one is
// wanted. It implements shards.Lines.
type lines struct {
	address       func(crew.Member) string
	tls           rpc.TLSFiles
	authorization bool
	dialing       []grpc.DialOption

	mu    sync.Mutex
	conns map[string]*grpc.ClientConn
}

func newLines(address func(crew.Member) string, tls rpc.TLSFiles, authorization bool, dialing []grpc.DialOption) *lines {
	return &lines{address: address, tls: tls, authorization: authorization, dialing: dialing, conns: map[string]*grpc.ClientConn{}}
}

// To implements shards.Lines.
func (l *lines) To(m crew.Member) (grpc.ClientConnInterface, error) {
	address := l.address(m)
	l.mu.Lock()
	defer l.mu.Unlock()
	if c := l.conns[address]; c != nil {
		return c, nil
	}
	if len(l.conns) >= linesKept { // of processes that came and went; calls on them end with UNAVAILABLE
		for a, c := range l.conns { // order-free: all go
			c.Close() //nolint:errcheck // made again when wanted
			delete(l.conns, a)
		}
	}
	c, err := rpc.Dial(address, l.tls, l.dialing...)
	if err != nil {
		return nil, err
	}
	l.conns[address] = c
	return c, nil
}

// Authorization implements shards.Lines.
func (l *lines) Authorization() bool { return l.authorization }

func (l *lines) close() error {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	var errs []error
	for _, c := range l.conns { // order-free: each is closed by itself
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}
