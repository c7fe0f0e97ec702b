package feed

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nuid"
	"go.etcd.io/bbolt"

	"github.com/skaldrpg/skald/pkg/limits"
)

// ServerConfig configures the server on which one process offers its feed.
type ServerConfig struct {
	// Dir holds what the server stores. It may be removed while the server does not
	// run: the feed is filled in again.
	Dir string
	// Listen is the address for readers.
	Listen string
	// Password of readers, whose name is ReaderName.
	Password string
	// TLS of the listener; nil means plain text.
	TLS *tls.Config
	// Bytes is what the stream keeps at most; 0 means DefaultBytes.
	Bytes int64
	// Log of the server; nil means slog.Default.
	Log *slog.Logger
}

// Server is a NATS server in this process that has the feed and nothing else: the
// record is on another one, which no reader can reach.
type Server struct {
	cfg    ServerConfig
	secret string // of the writers, who are in this process
	lock   *bbolt.DB

	mu     sync.Mutex
	server *server.Server // nil while there is none
	addr   string
	port   int
	host   string
}

// Times of a server.
const (
	lockWait  = time.Second
	startWait = 10 * time.Second
	// slack is what the streams may take beside the feed's own bound, bytes: marks,
	// and what is being removed.
	slack = 256 << 20
	// maxPayload is the longest message; MessageBytes of a step as JSON may be more,
	// and such a step comes without a body.
	maxPayload = limits.FeedMessageBytes
)

// StartServer starts the server. What it holds may be gone if it could not be read:
// nothing in it is needed. It is an error if somebody else uses the folder or the
// address.
func StartServer(ctx context.Context, cfg ServerConfig) (*Server, error) {
	host, portText, err := net.SplitHostPort(cfg.Listen)
	if err != nil {
		return nil, fmt.Errorf("feed: address of the listener: %w", err)
	}
	port, err := net.LookupPort("tcp", portText)
	if err != nil {
		return nil, fmt.Errorf("feed: address of the listener: %w", err)
	}
	if cfg.Dir == "" || cfg.Password == "" {
		return nil, errors.New("feed: a server needs a folder and a password")
	}
	if cfg.Log == nil {
		cfg.Log = slog.Default()
	}
	if cfg.Bytes == 0 {
		cfg.Bytes = DefaultBytes
	}
	if err := os.MkdirAll(cfg.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("feed: %w", err)
	}
	lock, err := bbolt.Open(filepath.Join(cfg.Dir, "lock"), 0o600, &bbolt.Options{Timeout: lockWait})
	if err != nil {
		return nil, fmt.Errorf("feed: %s is in use: %w", cfg.Dir, err)
	}
	s := &Server{cfg: cfg, secret: nuid.Next() + nuid.Next(), lock: lock, host: host, port: port}
	if port == 0 {
		s.port = server.RANDOM_PORT
	}
	if err := s.start(ctx); err != nil {
		cfg.Log.WarnContext(ctx, "the feed's server did not start on what it holds, and begins with nothing", "error", err)
		if err := s.Again(ctx, true); err != nil {
			return nil, errors.Join(err, s.Stop())
		}
	}
	return s, nil
}

// Reader is what a reader may do at a server: consume the stream. Inboxes are shared
// by readers, and no writer uses them.
func Reader() *server.Permissions {
	return &server.Permissions{
		Publish: &server.SubjectPermission{Allow: []string{
			"$JS.API.STREAM.INFO." + StreamName,
			"$JS.API.CONSUMER.CREATE." + StreamName, "$JS.API.CONSUMER.CREATE." + StreamName + ".>",
			"$JS.API.CONSUMER.INFO." + StreamName + ".*",
			"$JS.API.CONSUMER.MSG.NEXT." + StreamName + ".*",
			"$JS.API.CONSUMER.DELETE." + StreamName + ".*",
			"$JS.ACK." + StreamName + ".>",
			"$JS.FC." + StreamName + ".>",
		}},
		Subscribe: &server.SubjectPermission{Allow: []string{"_INBOX.>"}},
	}
}

func (s *Server) options() *server.Options {
	return &server.Options{
		ServerName: "skald-feed", Host: s.host, Port: s.port, NoSigs: true,
		JetStream: true, StoreDir: filepath.Join(s.cfg.Dir, "store"),
		JetStreamMaxStore: s.cfg.Bytes + slack, JetStreamMaxMemory: 64 << 20, MaxPayload: maxPayload, MaxPending: limits.FeedPendingBytes,
		TLSConfig: s.cfg.TLS, TLS: s.cfg.TLS != nil, TLSTimeout: 5,
		MaxConn: limits.FeedConnections, MaxSubs: limits.FeedSubscriptions,
		Users: []*server.User{
			{Username: "writer", Password: s.secret},
			{Username: ReaderName, Password: s.cfg.Password, Permissions: Reader()},
		},
	}
}

// start starts a server in the place of none. mu need not be held: nobody else does.
func (s *Server) start(ctx context.Context) error {
	srv, err := server.NewServer(s.options())
	if err != nil {
		return fmt.Errorf("feed: server: %w", err)
	}
	log := &serverLog{log: s.cfg.Log, fatal: make(chan error, 1)}
	srv.SetLoggerV2(log, false, false, false)
	ready := make(chan bool, 1)
	go func() { // ends with ReadyForConnections, within startWait
		srv.Start()
		ready <- srv.ReadyForConnections(startWait)
	}()
	select {
	case ok := <-ready:
		if !ok {
			err = fmt.Errorf("feed: server not ready after %s", startWait)
		}
	case err = <-log.fatal:
		<-ready
	case <-ctx.Done():
		<-ready
		err = ctx.Err()
	}
	if err == nil && !srv.JetStreamEnabled() {
		err = errors.New("feed: the server has no JetStream")
	}
	if err != nil {
		srv.Shutdown()
		srv.WaitForShutdown()
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.server = srv
	if at, ok := srv.Addr().(*net.TCPAddr); ok {
		s.port, s.addr = at.Port, net.JoinHostPort(s.host, strconv.Itoa(at.Port)) // who found it there finds the next one there
	}
	return nil
}

// end ends the server that there is.
func (s *Server) end() {
	s.mu.Lock()
	srv := s.server
	s.server = nil
	s.mu.Unlock()
	if srv != nil {
		srv.Shutdown()
		srv.WaitForShutdown()
	}
}

// Again starts another server in the place of this one, on the same address: on what
// it holds, or on nothing. Connections find it by themselves. It must not be called
// twice at a time.
func (s *Server) Again(ctx context.Context, empty bool) error {
	s.end()
	if empty {
		if err := os.RemoveAll(filepath.Join(s.cfg.Dir, "store")); err != nil {
			return fmt.Errorf("feed: %w", err)
		}
	}
	return s.start(ctx)
}

// Addr is the address of the listener.
func (s *Server) Addr() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.addr
}

// InProcessConn implements nats.InProcessConnProvider.
func (s *Server) InProcessConn() (net.Conn, error) {
	s.mu.Lock()
	srv := s.server
	s.mu.Unlock()
	if srv == nil {
		return nil, errors.New("feed: the server is being started again")
	}
	return srv.InProcessConn()
}

// Connect opens a writer's connection, which the caller closes.
func (s *Server) Connect() (*nats.Conn, error) {
	nc, err := nats.Connect("", append(writing(s.cfg.Log), nats.InProcessServer(s), nats.UserInfo("writer", s.secret))...)
	if err != nil {
		return nil, fmt.Errorf("feed: %w", err)
	}
	return nc, nil
}

// Stop ends the server; connections to it are closed before.
func (s *Server) Stop() error {
	s.end()
	if err := s.lock.Close(); err != nil {
		return fmt.Errorf("feed: %w", err)
	}
	return nil
}

// writing are the options of a writer's connection.
func writing(log *slog.Logger) []nats.Option {
	return []nats.Option{nats.Name("skald-feed"), nats.CustomInboxPrefix(Inbox), nats.MaxReconnects(-1), nats.RetryOnFailedConnect(true),
		nats.ReconnectWait(250 * time.Millisecond), nats.ReconnectJitter(50*time.Millisecond, 50*time.Millisecond), nats.ReconnectBufSize(-1),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { log.Warn("feed: connection", "error", err) })}
}

// serverLog passes the server's log on. Its Fatalf must not end the process, as that
// of the stock logger does.
type serverLog struct {
	log   *slog.Logger
	fatal chan error
}

func (l *serverLog) Noticef(f string, v ...any) { l.log.Debug("feed: nats: " + fmt.Sprintf(f, v...)) }
func (l *serverLog) Debugf(f string, v ...any)  { l.log.Debug("feed: nats: " + fmt.Sprintf(f, v...)) }
func (l *serverLog) Tracef(f string, v ...any)  { l.log.Debug("feed: nats: " + fmt.Sprintf(f, v...)) }
func (l *serverLog) Warnf(f string, v ...any)   { l.log.Warn("feed: nats: " + fmt.Sprintf(f, v...)) }
func (l *serverLog) Errorf(f string, v ...any)  { l.log.Warn("feed: nats: " + fmt.Sprintf(f, v...)) }

func (l *serverLog) Fatalf(f string, v ...any) {
	select {
	case l.fatal <- fmt.Errorf("feed: server: "+f, v...):
	default:
	}
}
