package journal

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.etcd.io/bbolt"
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

	Witnesses func(context.Context) []Witness // who know what the folder must hold, asked at each start of the server; may be nil
	Mend      string                          // command that a refusal names; empty means "skald mend"
}

// Embedded is a NATS server with JetStream in this process that syncs each write.
type Embedded struct {
	cfg    EmbeddedConfig
	server *server.Server
	lock   *bbolt.DB
	log    *serverLog
	sound  soundness

	mu    sync.Mutex
	conns []*nats.Conn
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
	e := &Embedded{cfg: cfg, lock: lock, log: &serverLog{log: log, fatal: make(chan error, 1)}}
	if err := e.start(ctx); err != nil {
		return nil, errors.Join(err, e.Stop())
	}
	return e, nil
}

func (e *Embedded) options() *server.Options {
	c := e.cfg
	opts := &server.Options{
		ServerName:         orDefault(c.ServerName, "skald"),
		Host:               orDefault(c.Host, "127.0.0.1"),
		Port:               c.Port,
		DontListen:         c.Port == 0,
		JetStream:          true,
		StoreDir:           c.StoreDir,
		JetStreamMaxStore:  orDefault(c.MaxStore, 16<<30),
		JetStreamMaxMemory: orDefault(c.MaxMemory, 64<<20),
		MaxPayload:         orDefault(c.MaxPayload, MaxMessage),
		SyncAlways:         true, // here, not in a JetStreamConfig: streams read it from the options
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

func (e *Embedded) start(ctx context.Context) error {
	if err := e.examine(ctx); err != nil {
		return err
	}
	srv, err := server.NewServer(e.options())
	if err != nil {
		return fmt.Errorf("journal: embedded server: %w", err)
	}
	e.server = srv
	srv.SetLoggerV2(e.log, false, false, false)
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
	nc, err := e.Connect("skald-start")
	if err != nil {
		return err
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

// Connect opens an in-process connection. Stop drains it.
func (e *Embedded) Connect(name string) (*nats.Conn, error) {
	opts := []nats.Option{nats.InProcessServer(e.server), nats.Name(name), nats.MaxReconnects(-1)}
	if e.cfg.Username != "" {
		opts = append(opts, nats.UserInfo(e.cfg.Username, e.cfg.Password))
	}
	nc, err := nats.Connect("", opts...)
	if err != nil {
		return nil, fmt.Errorf("%w: in-process connection: %w", ErrUnavailable, err)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.conns = append(e.conns, nc)
	return nc, nil
}

// URL is where other processes connect; empty without a listener.
func (e *Embedded) URL() string {
	if e.cfg.Port == 0 {
		return ""
	}
	return e.server.ClientURL()
}

// Err is the server's fatal error, if it had one: health reports it.
func (e *Embedded) Err() error {
	e.log.mu.Lock()
	defer e.log.mu.Unlock()
	return e.log.err
}

// Stop drains the connections, stops the server, waits until it has closed its
// files and releases the folder. Stop appending and tailing before.
func (e *Embedded) Stop() error {
	e.mu.Lock()
	conns := e.conns
	e.conns = nil
	e.mu.Unlock()
	for _, nc := range conns {
		drain(nc)
	}
	if e.server != nil {
		e.server.Shutdown()
		e.server.WaitForShutdown()
		e.vouch()
	}
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

// serverLog passes the server's log on. Its Fatalf must not end the process, as
// the stock logger's does, nor vanish, as it does without a logger.
type serverLog struct {
	log   *slog.Logger
	fatal chan error

	mu  sync.Mutex
	err error
}

func (l *serverLog) Noticef(f string, v ...any) { l.log.Debug("nats: " + fmt.Sprintf(f, v...)) }
func (l *serverLog) Debugf(f string, v ...any)  { l.log.Debug("nats: " + fmt.Sprintf(f, v...)) }
func (l *serverLog) Tracef(f string, v ...any)  { l.log.Debug("nats: " + fmt.Sprintf(f, v...)) }
func (l *serverLog) Warnf(f string, v ...any)   { l.log.Warn("nats: " + fmt.Sprintf(f, v...)) }
func (l *serverLog) Errorf(f string, v ...any)  { l.log.Error("nats: " + fmt.Sprintf(f, v...)) }

func (l *serverLog) Fatalf(f string, v ...any) {
	err := fmt.Errorf("%w: embedded server: %s", ErrUnwritable, fmt.Sprintf(f, v...))
	l.log.Error("nats: fatal", "error", err)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err == nil {
		l.err = err
		l.fatal <- err
	}
}
