package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nats-io/nats.go"

	"github.com/skaldrpg/skald/pkg/archive"
	"github.com/skaldrpg/skald/pkg/journal"
)

// KeyFile is the dice's master key, in a data folder and in a backup.
const KeyFile = "dice.key"

// Config says what is copied where.
type Config struct {
	// DataDir of a suite in one process, or NATSURL of a server elsewhere.
	DataDir, NATSURL string
	// NATS holds the credentials for the server.
	NATS journal.ConnectOptions
	// Archive of the running suite; empty means archive in DataDir.
	Archive string
	// To is the folder of the backup.
	To string
	// Key has the dice's master key copied too, and the keys that sign heads.
	Key bool
	// Logger of what happens meanwhile.
	Logger *slog.Logger
}

// Copied is one stream of a backup, read again after it was written.
type Copied struct {
	Stream   string   `json:"stream"`
	StreamID string   `json:"stream_id"`
	Sequence uint64   `json:"sequence"` // of the last record
	Digest   string   `json:"digest"`   // over every record
	Source   string   `json:"source"`   // log or archive
	Wrong    []string `json:"wrong,omitempty"`
}

// Backup copies every stream. A suite that runs in one process is copied from its
// archive, everything else from its log. What is in To already only grows.
func Backup(ctx context.Context, cfg Config) (out []Copied, err error) {
	source, err := open(ctx, cfg)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, source.close()) }()
	streams, err := source.all(ctx, cfg)
	if err != nil {
		return nil, err
	}
	for i, s := range streams {
		c, err := one(ctx, cfg, source, s)
		if i > 0 && errors.Is(err, archive.ErrEmpty) {
			continue // a stream in which no table is yet
		}
		if err != nil {
			return out, fmt.Errorf("backup: %s: %w", s.name, err)
		}
		out = append(out, c)
	}
	if cfg.Key {
		if err := errors.Join(copyKey(cfg.DataDir, cfg.To), copyHeads(cfg.DataDir, cfg.To)); err != nil {
			return out, err
		}
	}
	return out, nil
}

// source is a log, or the archive of a log that another process has open.
type source struct {
	nc       *nats.Conn
	embedded *journal.Embedded
	archive  string
}

func open(ctx context.Context, cfg Config) (*source, error) {
	if cfg.NATSURL != "" {
		nc, err := journal.Connect(ctx, cfg.NATSURL, cfg.NATS)
		if err != nil {
			return nil, fmt.Errorf("backup: %w", err)
		}
		return &source{nc: nc}, nil
	}
	dir := cfg.Archive
	if dir == "" {
		dir = filepath.Join(cfg.DataDir, "archive")
	}
	if _, err := os.Stat(filepath.Join(cfg.DataDir, "journal")); err != nil {
		return nil, fmt.Errorf("backup: there is no journal: %w", err)
	}
	e, err := journal.StartEmbedded(ctx, journal.EmbeddedConfig{StoreDir: filepath.Join(cfg.DataDir, "journal")}, cfg.Logger)
	if errors.Is(err, journal.ErrLocked) {
		return &source{archive: dir}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("backup: %w", err)
	}
	nc, err := e.Connect("skald-backup")
	if err != nil {
		return nil, errors.Join(fmt.Errorf("backup: %w", err), e.Stop())
	}
	return &source{nc: nc, embedded: e}, nil
}

// stream is one to copy: from its log, or from its archive where log is nil.
type stream struct {
	name     string
	subjects []string
	log      journal.Log
}

// all are the streams of the source.
func (s *source) all(ctx context.Context, cfg Config) (out []stream, err error) {
	if s.archive != "" {
		dirs, err := folders(ctx, s.archive)
		if err != nil {
			return nil, fmt.Errorf("the suite runs and keeps no archive in %s: %w", s.archive, err)
		}
		for _, dir := range dirs {
			out = append(out, stream{name: filepath.Base(dir)})
		}
		return out, nil
	}
	set, err := journal.OpenSet(ctx, s.nc, journal.SetConfig{Log: cfg.Logger})
	if err != nil {
		return nil, err
	}
	for p, one := range set.All() {
		out = append(out, stream{name: journal.StreamName(p), subjects: []string{journal.PartitionFilter(p)}, log: one})
	}
	return out, nil
}

func (s *source) close() error {
	if s.embedded != nil {
		return s.embedded.Stop()
	}
	if s.nc != nil {
		s.nc.Close()
	}
	return nil
}

func one(ctx context.Context, cfg Config, src *source, s stream) (c Copied, err error) {
	to, err := archive.OpenFolder(filepath.Join(cfg.To, s.name))
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	var head archive.Head
	if src.archive != "" {
		c.Source = "archive"
		head, err = archive.Copy(ctx, archive.ReadFolder(filepath.Join(src.archive, s.name)), to, 0)
		if errors.Is(err, archive.ErrEmpty) {
			err = fmt.Errorf("the suite runs and keeps no archive in %s: %w", src.archive, err)
		}
	} else {
		c.Source = "log"
		head, err = fromLog(ctx, cfg, s, to)
	}
	if err != nil {
		return c, err
	}
	found, read, err := archive.Check(ctx, to)
	if err != nil {
		return c, err
	}
	for _, f := range found {
		c.Wrong = append(c.Wrong, f.String())
	}
	if read.Seq != head.Seq || read.Chain != head.Chain {
		c.Wrong = append(c.Wrong, fmt.Sprintf("read back to sequence %d, written to %d", read.Seq, head.Seq))
	}
	c.Stream, c.StreamID, c.Sequence, c.Digest = s.name, head.Stream.ID, head.Seq, head.Chain.String()
	return c, nil
}

func fromLog(ctx context.Context, cfg Config, s stream, to archive.Store) (archive.Head, error) {
	head, err := archive.New(archive.Config{Log: s.log, Store: to, Subjects: s.subjects, Logger: cfg.Logger}).CatchUp(ctx)
	if errors.Is(err, archive.ErrEmpty) {
		return head, fmt.Errorf("the stream is empty, there is nothing to copy: %w", err)
	}
	return head, err
}

// copyKey copies the master key; one that is there must be the same.
func copyKey(from, to string) error {
	key, err := os.ReadFile(filepath.Join(from, KeyFile))
	if err != nil {
		return fmt.Errorf("backup: master key: %w", err)
	}
	path := filepath.Join(to, KeyFile)
	if old, err := os.ReadFile(path); err == nil {
		if !slices.Equal(old, key) {
			return fmt.Errorf("backup: %s is another key than that of %s; both are kept", path, from)
		}
		return nil
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("backup: master key: %w", err)
	}
	_, err = f.Write(key)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("backup: master key: %w", err)
	}
	return nil
}

// folders are the stream folders of an archive, or the folder itself when it is
// the archive of one stream.
func folders(ctx context.Context, from string) ([]string, error) {
	names, err := os.ReadDir(from)
	if err != nil {
		return nil, fmt.Errorf("backup: %w", err)
	}
	var out []string
	for _, dir := range append([]fs.DirEntry{nil}, names...) {
		path := from
		if dir != nil {
			if !dir.IsDir() {
				continue
			}
			path = filepath.Join(from, dir.Name())
		}
		list, err := archive.ReadFolder(path).List(ctx, "segment-")
		if err != nil {
			return nil, err
		}
		if len(list) > 0 && !strings.HasSuffix(path, "aside") {
			out = append(out, path)
			if dir == nil {
				return out, nil
			}
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("backup: %s holds no archive", from)
	}
	return out, nil
}
