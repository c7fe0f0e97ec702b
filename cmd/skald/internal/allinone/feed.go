package allinone

import (
	"context"
	"crypto/tls"
	"path/filepath"

	"github.com/nats-io/nats.go"

	"github.com/skaldrpg/skald/pkg/feed"
)

// Feed says where the suite offers its feed: on a NATS server of its own, which has
// nothing but the feed and is not the one that keeps the record.
type Feed struct {
	// Listen is the address for readers.
	Listen string
	// Password of readers; empty reads it from FeedPasswordFile in the data folder, or
	// makes one there.
	Password string
	// TLS of the listener; nil means plain text.
	TLS *tls.Config
	// Options of the feed.
	feed.Options
}

// FeedPasswordFile is the file of the readers' password in a data folder.
const FeedPasswordFile = "feed.password"

// feeding is the feed of a running suite.
type feeding struct {
	server *feed.Server // nil without a feed
	conn   *nats.Conn
	writer *feed.Writer
	tables []string
}

func (f *feeding) open(ctx context.Context, cfg Config) (err error) {
	if cfg.Feed == nil {
		return nil
	}
	c := *cfg.Feed
	if c.Password == "" {
		if c.Password, err = feed.Password(filepath.Join(cfg.DataDir, FeedPasswordFile)); err != nil {
			return err
		}
	}
	f.tables = c.Tables
	f.server, err = feed.StartServer(ctx, feed.ServerConfig{Dir: filepath.Join(cfg.DataDir, "feed"), Listen: c.Listen, Password: c.Password, TLS: c.TLS, Bytes: c.MiB << 20, Log: cfg.Logger})
	if err != nil {
		return err
	}
	if f.conn, err = f.server.Connect(); err != nil {
		return err
	}
	f.writer, err = feed.NewWriter(feed.WriterConfig{Conn: f.conn, Age: c.Age, Bytes: c.MiB << 20, Heal: f.server.Again})
	if err != nil {
		return err
	}
	if _, err := f.writer.Open(ctx); err != nil && cfg.Logger != nil { // the publisher tries again, and says so
		cfg.Logger.WarnContext(ctx, "the feed is not there yet", "error", err)
	}
	return nil
}

func (f *feeding) close() error {
	if f.server == nil {
		return nil
	}
	if f.conn != nil {
		f.conn.Close()
	}
	return f.server.Stop()
}

// FeedAddr is where readers of the feed connect; empty without one.
func (s *Stack) FeedAddr() string {
	if s.feed.server == nil {
		return ""
	}
	return s.feed.server.Addr()
}
