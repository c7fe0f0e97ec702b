package backup

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/nats-io/nats.go"

	"github.com/skaldrpg/skald/pkg/archive"
	"github.com/skaldrpg/skald/pkg/journal"
)

// RestoreConfig says what is made again where.
type RestoreConfig struct {
	// From is an archive or a backup.
	From string
	// DataDir to make, or NATSURL of a server that has no such streams.
	DataDir, NATSURL string
	// NATS holds an administrator's credentials for the server.
	NATS journal.ConnectOptions
	// Replicas of the streams there; 0 means 1.
	Replicas int
	// Logger of what happens meanwhile.
	Logger *slog.Logger
}

// Restored is one stream, read back and compared.
type Restored struct {
	Stream   string `json:"stream"`
	StreamID string `json:"stream_id"`
	Records  uint64 `json:"records"`
	Fillers  uint64 `json:"fillers"`  // in the place of records that the log had lost or purged
	Sequence uint64 `json:"sequence"` // of the last record
	Digest   string `json:"digest"`   // of the archive, over every record
	Content  string `json:"content"`  // of what was stored and read back, fillers included
	Torn     int64  `json:"torn"`     // bytes at the archive's end that are no whole record
}

// ErrOccupied: there is something where the restore was to go; nothing was changed.
var ErrOccupied = errors.New("backup: there is something already")

// Restore makes the streams of an archive again, with their ids and sequences, and
// reads them back. A data folder appears when all is done, and not before.
func Restore(ctx context.Context, cfg RestoreConfig) ([]Restored, error) {
	dirs, err := folders(ctx, cfg.From)
	if err != nil {
		return nil, err
	}
	for _, dir := range dirs {
		found, _, err := archive.Check(ctx, archive.ReadFolder(dir))
		if err != nil {
			return nil, fmt.Errorf("backup: %s: %w", dir, err)
		}
		if len(found) > 0 {
			return nil, fmt.Errorf("backup: %s: %w: %s (and %d more)", dir, archive.ErrDamaged, found[0], len(found)-1)
		}
	}
	if cfg.NATSURL != "" {
		nc, err := journal.Connect(ctx, cfg.NATSURL, cfg.NATS)
		if err != nil {
			return nil, fmt.Errorf("backup: %w", err)
		}
		defer nc.Close()
		return fill(ctx, nc, dirs, cfg)
	}
	return intoFolder(ctx, cfg, dirs)
}

// intoFolder fills a folder beside the data folder and then gives it its name. A
// restore that broke off is gone on with.
func intoFolder(ctx context.Context, cfg RestoreConfig, dirs []string) (out []Restored, err error) {
	if err := vacant(cfg.DataDir); err != nil {
		return nil, err
	}
	building := filepath.Clean(cfg.DataDir) + ".restoring"
	e, err := journal.StartEmbedded(ctx, journal.EmbeddedConfig{StoreDir: filepath.Join(building, "journal"), Unsynced: true}, cfg.Logger)
	if err != nil {
		return nil, fmt.Errorf("backup: %w", err)
	}
	nc, err := e.Connect("skald-restore")
	if err == nil {
		out, err = fill(ctx, nc, dirs, cfg)
	}
	if err := errors.Join(err, e.Stop()); err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(cfg.From, KeyFile)); err == nil {
		if err := copyKey(cfg.From, building); err != nil {
			return nil, err
		}
	}
	if err := copyHeads(cfg.From, building); err != nil {
		return nil, err
	}
	if err := syncAll(building); err != nil {
		return nil, err
	}
	if err := os.Remove(cfg.DataDir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %w", ErrOccupied, err)
	}
	if err := os.Rename(building, cfg.DataDir); err != nil {
		return nil, fmt.Errorf("backup: %w", err)
	}
	return out, syncOne(filepath.Dir(filepath.Clean(cfg.DataDir)))
}

// vacant tells whether a folder is missing or empty.
func vacant(dir string) error {
	names, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("backup: %w", err)
	}
	if len(names) > 0 {
		return fmt.Errorf("%w: %s holds %s", ErrOccupied, dir, names[0].Name())
	}
	return nil
}

func fill(ctx context.Context, nc *nats.Conn, dirs []string, cfg RestoreConfig) ([]Restored, error) {
	var out []Restored
	for _, dir := range dirs {
		s := archive.ReadFolder(dir)
		head, err := archive.ReadHead(ctx, s)
		if err != nil {
			return out, fmt.Errorf("backup: %s: %w", dir, err)
		}
		var last archive.Head
		report, err := journal.Refill(ctx, nc, journal.Config{Stream: head.Stream.Name, Subjects: head.Stream.Subjects, Replicas: cfg.Replicas, Log: cfg.Logger},
			head.Stream.ID, records(ctx, s, &last))
		if err != nil {
			return out, fmt.Errorf("backup: %w", err)
		}
		if report.LastSeq != head.Seq || last.Chain != head.Chain {
			return out, fmt.Errorf("backup: %s grew or changed while it was read: sequence %d, then %d", dir, head.Seq, report.LastSeq)
		}
		out = append(out, Restored{Stream: head.Stream.Name, StreamID: head.Stream.ID, Records: report.Records, Fillers: report.Fillers,
			Sequence: report.LastSeq, Digest: head.Chain.String(), Content: hex.EncodeToString(report.Digest[:]), Torn: head.Torn})
	}
	// Streams in which no table was are not in the archive, and are counted.
	set, err := journal.OpenSet(ctx, nc, journal.SetConfig{Replicas: cfg.Replicas, Log: cfg.Logger})
	if err != nil {
		return out, fmt.Errorf("backup: %w", err)
	}
	if err := set.Grow(ctx, set.Streams()); err != nil {
		return out, fmt.Errorf("backup: streams without tables: %w", err)
	}
	return out, nil
}

var errStopped = errors.New("backup: stopped")

// records iterates over an archive; where it ended is in head afterwards.
func records(ctx context.Context, s archive.Store, head *archive.Head) iter.Seq2[journal.Record, error] {
	return func(yield func(journal.Record, error) bool) {
		h, err := archive.Records(ctx, s, 1, func(r journal.Record, _ archive.Chain) error {
			if !yield(r, nil) {
				return errStopped
			}
			return nil
		})
		*head = h
		if err != nil && !errors.Is(err, errStopped) {
			yield(journal.Record{}, err)
		}
	}
}

// syncAll makes every file and folder below dir outlive a power cut.
func syncAll(dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() && !d.Type().IsRegular() {
			return err
		}
		return syncOne(path)
	})
}

func syncOne(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("backup: %w", err)
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("backup: syncing %s: %w", path, err)
	}
	return nil
}
