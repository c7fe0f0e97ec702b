package mend

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/skaldrpg/skald/cmd/skald/internal/witness"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/journal/natsstore"
)

// Config says what to mend.
type Config struct {
	// DataDir is the data folder of the server, which must be down.
	DataDir string
	// Archive is the archive's folder; empty for none.
	Archive string
	// From are further copies: data folders, or store folders of NATS servers.
	From []string
	// DryRun reports and changes nothing.
	DryRun bool
	// Logger; nil means slog.Default.
	Logger *slog.Logger
	// Clock names what is put aside; nil means time.Now.
	Clock func() time.Time
}

// marked in a folder says that it holds a mended journal to its end.
const marked = "skald.mended"

type mender struct {
	cfg      Config
	dir      string // of the journal
	building string // of the new one, beside it
	report   *Report
	spool    *spool
	store    *natsstore.Report
	streams  map[string]*stream
	witness  []journal.Witness
}

// Run mends the journal of a data folder. What is lost is in the report and no
// error. Broken off at any moment, it does its work when it is run again.
// Errors: journal.ErrLocked while a server runs there, those of the file system,
// a disk without the room that is needed.
func Run(ctx context.Context, cfg Config) (report *Report, err error) {
	if cfg.Logger == nil {
		cfg.Logger = slog.Default()
	}
	if cfg.Clock == nil {
		cfg.Clock = time.Now
	}
	m := &mender{cfg: cfg, dir: filepath.Join(cfg.DataDir, "journal"), report: &Report{Data: cfg.DataDir, DryRun: cfg.DryRun}, streams: map[string]*stream{}}
	m.building = m.dir + journal.Mending
	if err := os.MkdirAll(m.dir, 0o700); err != nil {
		return nil, fmt.Errorf("mend: %w", err)
	}
	lock, err := journal.LockFolder(m.dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	if done, err := m.goOn(); done || err != nil {
		return m.report, err
	}
	m.witness = witness.Of(ctx, cfg.DataDir, cfg.Archive)
	if m.store, m.report.Found, err = journal.Inspect(ctx, m.dir, m.witness, witness.Removed(m.cfg.DataDir)); err != nil {
		return nil, fmt.Errorf("mend: %w", err)
	}
	if len(m.report.Found) == 0 {
		m.report.Sound = true
		return m.report, nil
	}
	return m.report, m.mend(ctx)
}

// goOn ends a mend that broke off between the two renames, and clears away one
// that broke off before: all it was made from is still there.
func (m *mender) goOn() (done bool, err error) {
	if !exists(m.building) {
		return false, nil
	}
	if exists(filepath.Join(m.building, marked)) && !exists(filepath.Join(m.dir, "jetstream")) {
		m.report.Found = []string{m.building + ": a mend broke off before its last step"}
		return true, m.swap()
	}
	if m.cfg.DryRun {
		return false, nil
	}
	if err := os.RemoveAll(m.building); err != nil {
		return false, fmt.Errorf("mend: what an earlier mend left: %w", err)
	}
	return false, nil
}

func (m *mender) mend(ctx context.Context) (err error) {
	if err := m.room(m.blockBytes()); err != nil {
		return err
	}
	if m.spool, err = openSpool(m.building + ".spool"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.spool.close()) }()
	if err := m.gather(ctx); err != nil {
		return err
	}
	if err := m.room(m.spool.bytes); err != nil {
		return err
	}
	if err := m.build(ctx); err != nil {
		return err
	}
	moved, err := m.differing()
	if err != nil || m.cfg.DryRun {
		return err
	}
	if err := m.asideAll(moved); err != nil {
		return err
	}
	return m.swap()
}

func (m *mender) blockBytes() int64 {
	n := int64(0)
	for _, s := range m.store.Streams {
		n += 4 * s.Bytes // compressed blocks grow
	}
	return n
}

// aside is the folder for what is replaced; one for a run.
func (m *mender) aside() string {
	if m.report.Aside == "" {
		stamp := filepath.Join(m.dir+".aside", m.cfg.Clock().UTC().Format("20060102T150405.000"))
		at := stamp
		for i := 2; exists(at); i++ {
			at = fmt.Sprintf("%s-%d", stamp, i)
		}
		m.report.Aside = at
	}
	return m.report.Aside
}

// asideAll moves projections aside before the journal is swapped: without them
// the mended one is complete, with them a start would refuse it.
func (m *mender) asideAll(paths []string) error {
	for _, path := range paths {
		if err := m.moveAside(path, "projections"); err != nil {
			return err
		}
		m.report.Projections = append(m.report.Projections, path)
	}
	return nil
}

func (m *mender) moveAside(path, under string) error {
	rel := filepath.Base(path)
	if r, err := filepath.Rel(filepath.Join(m.cfg.DataDir, under), path); err == nil && filepath.IsLocal(r) {
		rel = filepath.Join(under, r)
	}
	to := filepath.Join(m.aside(), rel)
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return fmt.Errorf("mend: %w", err)
	}
	if err := os.Rename(path, to); err != nil {
		return fmt.Errorf("mend: moving aside: %w", err)
	}
	return errors.Join(syncFolder(filepath.Dir(to)), syncFolder(filepath.Dir(path)))
}

// swap puts the new journal in the place of the old one.
func (m *mender) swap() error {
	if m.cfg.DryRun {
		return nil
	}
	if err := m.moveAside(m.dir, "."); err != nil {
		return err
	}
	if err := os.Rename(m.building, m.dir); err != nil {
		return fmt.Errorf("mend: putting the mended journal in its place: %w", err)
	}
	return syncFolder(m.cfg.DataDir)
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("mend: %w", err)
	}
	defer d.Close() //nolint:errcheck // read only
	if err := d.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return fmt.Errorf("mend: syncing %s: %w", dir, err)
	}
	return nil
}
