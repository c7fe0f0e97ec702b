package journal

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/skaldrpg/skald/pkg/journal/natsstore"
)

// Witness is somebody who knows what a store folder must hold: a projection's
// checkpoint, the head of an archive, the mark of the last stop.
type Witness struct {
	Name     string            // for people, with the path of its file
	Stream   string            // name of the stream
	StreamID string            // id of the stream; empty when not known
	Sequence uint64            // that the stream reached at least; 0 when not known
	Holds    func(Record) bool // whether a record is the one that it knows at Sequence; nil: not compared
}

// DamageError says why a store folder was not opened. Nothing in it was changed.
type DamageError struct {
	Dir     string   // store folder
	Found   []string // each with file, place and sequences
	Command string   // that mends it
}

func (e *DamageError) Error() string {
	return fmt.Sprintf("%v: %s is damaged; nothing was opened or changed:\n  %s\nmend it with: %s", ErrDamaged, e.Dir, strings.Join(e.Found, "\n  "), e.Command)
}

// Unwrap makes it ErrDamaged.
func (e *DamageError) Unwrap() error { return ErrDamaged }

// ErrDamaged: the store folder is not what it must be; see *DamageError.
var ErrDamaged = errors.New("journal: damaged")

// Examined is what was found and done before a store folder was opened.
type Examined struct {
	Clean    bool          // the folder was left by a clean stop
	Streams  int           // examined
	Messages uint64        // that are whole
	Bytes    int64         // of blocks read
	Took     time.Duration // for reading them
	Aside    string        // folder that holds what was copied or moved aside; empty: nothing was
	Moved    []string      // what, for people
}

// Removed tells which sequences were removed on purpose, by a record whose subject is
// a tombstone's ([SplitTombstone]).
type Removed func(rec Record, gone func(seq uint64))

// Inspect examines a store folder as a start does, and changes nothing. The
// report is nil only when the folder can not be read at all; found lists what
// keeps it from being opened. removed may be nil.
func Inspect(ctx context.Context, dir string, witnesses []Witness, removed Removed) (report *natsstore.Report, found []string, err error) {
	g := &inspection{dir: dir, witnesses: witnesses, removed: removed}
	err = g.examine(ctx)
	return g.report, g.found, err
}

// inspection examines a store folder before the server opens it: that one cuts files
// and removes streams where it meets damage.
type inspection struct {
	dir       string
	witnesses []Witness
	removed   Removed
	command   string
	log       *slog.Logger
	now       func() time.Time

	report *natsstore.Report
	marks  marks
	found  []string
	done   Examined
}

// pass examines the folder, puts aside what the server must not meet, and returns
// *DamageError when it may not be opened.
func (g *inspection) pass(ctx context.Context) (Examined, error) {
	if err := g.examine(ctx); err != nil {
		return g.done, err
	}
	if len(g.found) > 0 {
		return g.done, &DamageError{Dir: g.dir, Found: g.found, Command: g.command}
	}
	if err := g.prepare(); err != nil {
		return g.done, err
	}
	if g.done.Aside != "" {
		g.log.WarnContext(ctx, "journal: put aside before opening", "folder", g.done.Aside, "what", g.done.Moved)
	}
	g.log.InfoContext(ctx, "journal: examined", "clean", g.done.Clean, "messages", g.done.Messages, "bytes", g.done.Bytes, "took", g.done.Took)
	return g.done, nil
}

// examine reads everything and changes nothing.
func (g *inspection) examine(ctx context.Context) error {
	begun := time.Now()
	g.marks = readMarks(g.dir)
	if unfinished := g.dir + Mending; exists(unfinished) {
		g.found = append(g.found, unfinished+": a mend broke off before its end")
	}
	known := append(g.marks.witnesses(), g.witnesses...)
	wanted := map[string]map[uint64]Record{} // by stream
	for _, w := range known {
		if wanted[w.Stream] == nil {
			wanted[w.Stream] = map[uint64]Record{}
		}
		wanted[w.Stream][w.Sequence] = Record{}
	}
	var err error
	g.report, err = natsstore.Examine(ctx, g.dir, func(s *natsstore.Stream, r natsstore.Record) error {
		if _, ok := wanted[s.Name][r.Seq]; ok {
			wanted[s.Name][r.Seq] = StoredRecord(r)
		}
		if _, ok := SplitTombstone(r.Subject); ok && g.removed != nil {
			g.removed(StoredRecord(r), func(seq uint64) { s.Deleted[seq] = true })
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("journal: examining %s: %w", g.dir, err)
	}
	for _, f := range g.report.Findings {
		if !f.Kind.Harmless() {
			g.found = append(g.found, f.String())
		}
	}
	for _, s := range g.report.Streams {
		g.done.Streams, g.done.Messages, g.done.Bytes = g.done.Streams+1, g.done.Messages+s.Messages, g.done.Bytes+s.Bytes
		if last := s.IndexLast(); last > s.Last {
			known = append(known, Witness{Name: s.IndexPath(), Stream: s.Name, Sequence: last})
		}
	}
	for _, w := range known {
		g.hear(w, wanted[w.Stream][w.Sequence])
	}
	g.done.Took = time.Since(begun)
	g.done.Clean = g.marks.last.fits(g.report)
	return nil
}

// StoredRecord is a record of a store folder with bytes of its own.
func StoredRecord(r natsstore.Record) Record {
	return Record{Subject: r.Subject, Seq: r.Seq, ID: r.Get(headerID), Data: append([]byte{}, r.Data...), Time: r.Time}
}

// Mending ends the name of the folder in which a mended journal is built, beside
// the one that it will replace. While it is there no server starts.
const Mending = ".mending"

// MetaStreamID is the key of the stream's id in its metadata.
const MetaStreamID = metaStreamID

// hear compares what a witness knows with what the folder holds.
func (g *inspection) hear(w Witness, there Record) {
	object := func(format string, args ...any) {
		g.found = append(g.found, fmt.Sprintf("%s: %s", w.Name, fmt.Sprintf(format, args...)))
	}
	var s *natsstore.Stream
	for _, c := range g.report.Streams {
		if c.Name == w.Stream {
			s = c
		}
	}
	folder := filepath.Join(g.dir, "jetstream")
	switch {
	case s == nil || s.Metadata == nil && s.Messages == 0:
		object("was made from stream %s, and %s does not hold it (sequences 1 to %s are missing)", w.Stream, folder, orUnknown(w.Sequence))
	case w.StreamID != "" && s.Metadata != nil && s.Metadata[metaStreamID] != w.StreamID:
		object("was made from stream %s of id %s, and the one in %s has id %s", w.Stream, w.StreamID, s.Folder, s.Metadata[metaStreamID])
	case w.Sequence == 0 && s.Messages == 0:
		object("exists, and stream %s in %s is empty", w.Stream, s.Folder)
	case w.Sequence > s.Last:
		object("knows sequence %d, and %s ends at %d (sequences %d to %d are missing)", w.Sequence, s.Folder, s.Last, s.Last+1, w.Sequence)
	case w.Sequence > 0 && there.Seq == 0 && !s.Deleted[w.Sequence] && w.Sequence >= s.First && w.Holds != nil:
		object("knows sequence %d, which is not whole in %s", w.Sequence, s.Folder)
	case there.Seq != 0 && w.Holds != nil && !w.Holds(there):
		object("knows another record at sequence %d than %s holds (%s)", w.Sequence, s.Folder, there.Subject)
	}
}

func orUnknown(seq uint64) string {
	if seq == 0 {
		return "an unknown end"
	}
	return fmt.Sprint(seq)
}

// prepare copies and moves aside what the server would cut, remove or believe.
func (g *inspection) prepare() error {
	for _, f := range g.report.Findings {
		var err error
		switch f.Kind {
		case natsstore.KindTorn:
			err = g.copyAside(f.File, f.String())
		default:
			err = g.moveAside(f.File, f.String())
		}
		if err != nil {
			return err
		}
	}
	for _, s := range g.report.Streams {
		if g.done.Clean && g.marks.last.index(s) {
			continue
		}
		// The server's own cache is believed only as the last clean stop left it.
		if exists(s.IndexPath()) {
			if err := g.moveAside(s.IndexPath(), s.IndexPath()+": the server's own cache, which it makes again"); err != nil {
				return err
			}
		}
	}
	for _, broken := range g.marks.broken {
		if err := g.moveAside(broken, broken+": a broken mark of the last stop"); err != nil {
			return err
		}
	}
	return g.marks.retire(g.dir)
}

// aside is a path for a file of the folder outside of it.
func (g *inspection) aside(path string, beside bool) (string, error) {
	rel, err := filepath.Rel(g.dir, path)
	if err != nil {
		return "", fmt.Errorf("journal: %w", err)
	}
	root := g.dir + ".aside"
	if beside {
		root = filepath.Join(g.dir, "aside") // the folder is a disk of its own
	}
	stamp := g.now().UTC().Format("20060102T150405.000")
	to := filepath.Join(root, stamp, rel)
	for i := 2; exists(to); i++ {
		to = filepath.Join(root, fmt.Sprintf("%s-%d", stamp, i), rel)
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return "", fmt.Errorf("journal: putting aside: %w", err)
	}
	return to, nil
}

func (g *inspection) note(to, what string) {
	g.done.Aside = to
	g.done.Moved = append(g.done.Moved, what)
}

func (g *inspection) moveAside(path, what string) error {
	if !exists(path) {
		return nil // went with its folder
	}
	for _, beside := range []bool{false, true} {
		to, err := g.aside(path, beside)
		if err != nil && !beside {
			continue // a folder beside may not be ours to make
		} else if err != nil {
			return err
		}
		err = os.Rename(path, to)
		if errors.Is(err, syscall.EXDEV) && !beside {
			continue
		}
		if err != nil {
			return fmt.Errorf("journal: moving aside: %w", err)
		}
		g.note(to, what)
		return errors.Join(syncFolder(filepath.Dir(to)), syncFolder(filepath.Dir(path)))
	}
	return nil
}

func (g *inspection) copyAside(path, what string) error {
	to, err := g.aside(path, false)
	if err != nil {
		if to, err = g.aside(path, true); err != nil {
			return err
		}
	}
	data, err := os.ReadFile(path)
	if err == nil {
		err = writeSynced(to, data)
	}
	if err != nil {
		return fmt.Errorf("journal: copying aside: %w", err)
	}
	g.note(to, what)
	return nil
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// writeSynced writes a file under another name and renames it when it is on disk.
func writeSynced(path string, data []byte) error {
	f, err := os.OpenFile(path+".new", os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(path+".new", path); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(path))
}

// syncFolder makes a rename in a folder durable.
func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close() //nolint:errcheck // read only
	if err := d.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, syscall.EINVAL) {
		return fmt.Errorf("journal: syncing %s: %w", dir, err)
	}
	return nil
}

// digestOf identifies a record.
func digestOf(r Record) [sha256.Size]byte {
	d := NewDigest()
	d.Add(r)
	return d.Sum()
}
