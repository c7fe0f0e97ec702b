package journal

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.etcd.io/bbolt"

	"github.com/skaldrpg/skald/pkg/journal/diskwatch"
)

// EmbeddedConfig configures the server of the all-in-one binary.
type EmbeddedConfig struct {
	StoreDir   string // required: an empty one would silently mean the system's temporary folder
	ServerName string // stable across restarts; empty means "skald"
	Host       string // empty means 127.0.0.1; unused without a listener
	Port       int    // 0: no listener, in-process clients only; -1: any free port
	MaxStore   int64  // bytes on disk, 0 means 16 GiB
	MaxMemory  int64  // bytes of memory-backed streams and consumers, 0 means 64 MiB
	MaxPayload int32  // bytes of one message, 0 means the constant MaxMessage, which is also the most
	Username   string // with Password: asked of clients, in process too
	Password   string
	Timeout    time.Duration // for starting, 0 means 10 s

	// DiskReserve and DiskLow, bytes, and DiskStall are those of
	// diskwatch.Config: what is held back, with how little left new records are
	// refused, and after what time a disk counts as stalled.
	DiskReserve int64
	DiskLow     int64
	DiskStall   time.Duration

	// Witnesses know what the folder must hold; they are asked at each start of the
	// server. May be nil.
	Witnesses func(context.Context) []Witness
	// Removed tells of a tombstone which sequences were removed on purpose, by calling
	// gone for each; it must not believe what nobody signed. May be nil.
	Removed Removed
	// Mend is the command that a refusal names; empty means "skald mend".
	Mend string

	// Unsynced is for filling a folder that nobody relies on yet: whoever sets it
	// syncs the files after Stop.
	Unsynced bool
}

// Embedded is a NATS server with JetStream in this process that syncs each write,
// unless its configuration says that nobody relies on it yet.
// It watches the disk under it: as a Gate it is closed for appends while that is
// full, and for everything while it does not answer. A server that could not write
// never writes again, so it is ended at once and another is started in its place.
type Embedded struct {
	*door
	cfg   EmbeddedConfig
	lock  *bbolt.DB
	log   *serverLog
	disk  *diskwatch.Watch
	sound soundness

	end  context.CancelFunc // of the supervisor
	done chan struct{}      // of the supervisor; nil before it runs

	settling sync.Mutex

	mu       sync.Mutex
	server   *server.Server // nil while there is none
	url      string
	port     int
	conns    []*nats.Conn
	broken   error         // why the server is to be replaced
	stopping chan struct{} // closed when the one that is being ended has ended
	restarts int
	failed   error // of the last try to start again
}

// StartEmbedded starts the server and returns when it can store messages.
// ErrLocked means that another process uses the folder: the server itself would
// start on it without complaint and destroy both.
func StartEmbedded(ctx context.Context, cfg EmbeddedConfig, log *slog.Logger) (*Embedded, error) {
	if cfg.StoreDir == "" {
		return nil, fmt.Errorf("%w: embedded server without a store folder", ErrInvalid)
	}
	if cfg.MaxPayload < 0 || cfg.MaxPayload > MaxMessage {
		return nil, fmt.Errorf("%w: max payload %d, limit %d", ErrInvalid, cfg.MaxPayload, MaxMessage)
	}
	if log == nil {
		log = slog.Default()
	}
	if err := os.MkdirAll(cfg.StoreDir, 0o700); err != nil {
		return nil, fmt.Errorf("journal: store folder: %w", err)
	}
	lock, err := lockFolder(cfg.StoreDir)
	if err != nil {
		return nil, err
	}
	e := &Embedded{door: newDoor(), cfg: cfg, lock: lock, port: cfg.Port}
	e.log = &serverLog{log: log, fatal: make(chan error, 1), broken: e.breaks, wake: make(chan struct{}, 1)}
	e.disk, err = diskwatch.Start(diskwatch.Config{Dir: cfg.StoreDir, Reserve: cfg.DiskReserve, Low: cfg.DiskLow, Stall: cfg.DiskStall})
	if err != nil {
		return nil, errors.Join(err, e.Stop())
	}
	if err := e.start(ctx); err != nil {
		if s := e.disk.Status(); s.State != diskwatch.Well {
			err = fmt.Errorf("%w: %w", diskError(s), err)
		}
		return nil, errors.Join(err, e.Stop())
	}
	super, end := context.WithCancel(context.Background())
	e.end, e.done = end, make(chan struct{})
	e.settle()
	go e.supervise(super) // ends with Stop
	return e, nil
}

func (e *Embedded) options() *server.Options {
	c := e.cfg
	opts := &server.Options{
		ServerName:         orDefault(c.ServerName, "skald"),
		Host:               orDefault(c.Host, "127.0.0.1"),
		Port:               e.port,
		DontListen:         c.Port == 0,
		JetStream:          true,
		StoreDir:           c.StoreDir,
		JetStreamMaxStore:  orDefault(c.MaxStore, 16<<30),
		JetStreamMaxMemory: orDefault(c.MaxMemory, 64<<20),
		MaxPayload:         orDefault(c.MaxPayload, MaxMessage),
		SyncAlways:         !c.Unsynced, // here, not in a JetStreamConfig: streams read it from the options
		NoSigs:             true,
		Username:           c.Username,
		Password:           c.Password,
	}
	return opts
}

func orDefault[T comparable](v, def T) T {
	var zero T
	if v == zero {
		return def
	}
	return v
}

// start starts a server and puts it in its place when it can store messages.
func (e *Embedded) start(ctx context.Context) error {
	if err := e.examine(ctx); err != nil {
		return err
	}
	srv, err := server.NewServer(e.options())
	if err != nil {
		return fmt.Errorf("journal: embedded server: %w", err)
	}
	srv.SetLoggerV2(e.log, false, false, false)
	if err := e.ready(ctx, srv); err != nil {
		srv.Shutdown()
		srv.WaitForShutdown()
		return err
	}
	url, addr := srv.ClientURL(), srv.Addr()
	e.mu.Lock()
	defer e.mu.Unlock()
	e.server = srv
	if e.cfg.Port != 0 {
		e.url = url
		if a, ok := addr.(*net.TCPAddr); ok {
			e.port = a.Port // whoever found it there finds the next one there
		}
	}
	return nil
}

// ready starts srv and waits until it answers.
func (e *Embedded) ready(ctx context.Context, srv *server.Server) error {
	timeout := orDefault(e.cfg.Timeout, 10*time.Second)
	if d, ok := ctx.Deadline(); ok {
		timeout = min(timeout, time.Until(d))
	}
	ready := make(chan bool, 1)
	go func() { // ends with ReadyForConnections, within timeout
		srv.Start()
		ready <- srv.ReadyForConnections(timeout)
	}()
	select {
	case err := <-e.log.fatal:
		<-ready
		return err
	case <-ctx.Done():
		<-ready
		return ctx.Err()
	case ok := <-ready:
		if err := e.Err(); err != nil {
			return err
		}
		if !ok {
			return fmt.Errorf("%w: embedded server not ready after %s", ErrUnavailable, timeout)
		}
	}
	// JetStreamEnabled answers true even when its store failed: ask it something.
	nc, err := nats.Connect("", append(e.clientOptions("skald-start"), nats.InProcessServer(srv))...)
	if err != nil {
		return fmt.Errorf("%w: in-process connection: %w", ErrUnavailable, err)
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	if _, err := js.AccountInfo(ctx); err != nil {
		return apiError("embedded server", err)
	}
	return nil
}

// Connect opens an in-process connection, which finds the next server by itself
// when this one is replaced. Stop drains it.
func (e *Embedded) Connect(name string) (*nats.Conn, error) {
	nc, err := nats.Connect("", append(e.clientOptions(name), nats.InProcessServer(current{e}))...)
	if err != nil {
		return nil, fmt.Errorf("%w: in-process connection: %w", ErrUnavailable, err)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.conns = append(e.conns, nc)
	return nc, nil
}

func (e *Embedded) clientOptions(name string) []nats.Option {
	opts := []nats.Option{nats.Name(name), nats.MaxReconnects(-1), nats.ReconnectWait(25 * time.Millisecond),
		nats.ReconnectJitter(5*time.Millisecond, 5*time.Millisecond)}
	if e.cfg.Username != "" {
		opts = append(opts, nats.UserInfo(e.cfg.Username, e.cfg.Password))
	}
	return opts
}

// current leads connections to the server that there is now.
type current struct{ e *Embedded }

func (c current) InProcessConn() (net.Conn, error) {
	c.e.mu.Lock()
	srv := c.e.server
	c.e.mu.Unlock()
	if srv == nil {
		return nil, fmt.Errorf("%w: the embedded server is being started again", ErrUnavailable)
	}
	return srv.InProcessConn()
}

// URL is where other processes connect; empty without a listener. It stays the
// same when the server is replaced.
func (e *Embedded) URL() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.url
}

// Err is the fatal error of the server, if it had one: health reports it.
func (e *Embedded) Err() error {
	e.log.mu.Lock()
	defer e.log.mu.Unlock()
	return e.log.err
}

// stopWait is how long Stop waits for a server whose disk does not answer.
const stopWait = 10 * time.Second

// Stop drains the connections, stops the server, waits until it has closed its
// files and releases the folder. Stop appending and tailing before. On a disk that
// does not answer it gives up after ten seconds and leaves the folder locked, as
// long as this process lives.
func (e *Embedded) Stop() error {
	if e.end != nil {
		e.end()
		<-e.done
	}
	e.mu.Lock()
	conns := e.conns
	e.conns = nil
	e.mu.Unlock()
	for _, nc := range conns {
		drain(nc)
	}
	ended := e.endServer()
	if e.disk != nil {
		defer e.disk.Close()
	}
	for waiting := true; waiting; {
		select {
		case <-ended:
			waiting = false
		case <-time.After(stopWait):
			if s := e.disk.Status(); s.State == diskwatch.Stalled {
				return fmt.Errorf("%w: the embedded server can not be stopped", diskError(s))
			}
		}
	}
	e.vouch()
	if err := e.lock.Close(); err != nil {
		return fmt.Errorf("journal: release store folder: %w", err)
	}
	return nil
}

// drain lets what is buffered leave, for at most two seconds, and closes.
func drain(nc *nats.Conn) {
	defer nc.Close()
	closed := nc.StatusChanged(nats.CLOSED)
	defer nc.RemoveStatusListener(closed)
	if nc.IsClosed() || nc.Drain() != nil {
		return
	}
	select {
	case <-closed:
	case <-time.After(2 * time.Second):
	}
}
