package projection

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"

	bolt "go.etcd.io/bbolt"

	"github.com/skaldrpg/skald/pkg/journal"
)

// LogEntry is what a projection remembers of a record that the log handed to it:
// a witness of what was stored, for mending a log that has lost or changed it.
type LogEntry struct {
	// Sequence in the stream, Subject and ID of the record.
	Sequence    uint64
	Subject, ID string
	// Digest is SHA-256 of the record's data.
	Digest [sha256.Size]byte
	// Refused: the record was not folded, because it is broken, foreign, or
	// follows one that is. Its digest proves nothing about what ought to be there.
	Refused bool
}

func entryOf(rec journal.Record, refused bool) LogEntry {
	return LogEntry{Sequence: rec.Seq, Subject: rec.Subject, ID: rec.ID, Digest: sha256.Sum256(rec.Data), Refused: refused}
}

func (e LogEntry) bytes() []byte {
	out := make([]byte, 1, 1+len(e.Digest)+2+len(e.ID)+len(e.Subject))
	if e.Refused {
		out[0] = 1
	}
	out = append(out, e.Digest[:]...)
	out = binary.AppendUvarint(out, uint64(len(e.ID)))
	return append(append(out, e.ID...), e.Subject...)
}

func readEntry(key, v []byte) (LogEntry, error) {
	e := LogEntry{Sequence: Number(key)}
	if len(key) != 8 || len(v) < 1+len(e.Digest) {
		return e, fmt.Errorf("%w: log index: an entry of %d bytes", ErrDamaged, len(v))
	}
	e.Refused = v[0] == 1
	copy(e.Digest[:], v[1:])
	rest := v[1+len(e.Digest):]
	n, used := binary.Uvarint(rest)
	if used <= 0 || n > uint64(len(rest)-used) {
		return e, fmt.Errorf("%w: log index: an entry that ends early", ErrDamaged)
	}
	rest = rest[used:]
	e.ID, e.Subject = string(rest[:n]), string(rest[n:])
	return e, nil
}

// ReadLog calls fn for each record that a projection's file remembers, without
// changing the file or keeping anybody from it; the file may be open in a running
// process, and parts of it may be damaged: then fn is called for what is whole,
// in no order and perhaps twice for one, and the error wraps ErrDamaged after
// that. In a whole file entries come in the order of the log. An error of fn ends
// it and is returned as it is. A file of an earlier layout has no entries.
func ReadLog(path string, fn func(LogEntry) error) error {
	return Salvage(path, logIndex, func(k, v []byte) error {
		e, err := readEntry(k, v)
		if err != nil {
			return err
		}
		return fn(e)
	})
}

// Digest is the digest of a record that checkpoints hold: SHA-256 over subject,
// id and data.
func Digest(rec journal.Record) []byte { return digest(rec) }

// Checkpoint is how far a file has folded the log: the stream sequence of the
// last record, its [Digest], and the id of the stream; 0 when it has folded
// nothing. It changes nothing and keeps nobody from the file. The error is of the
// file system, or wraps ErrDamaged when the file does not tell.
func Checkpoint(path string) (sequence uint64, sum []byte, streamID string, err error) {
	at, err := readState(path)
	return at.sequence, at.digest, at.stream, err
}

// standing is what a file says of itself.
type standing struct {
	schema, stream string
	sequence       uint64
	digest         []byte
	old            bool // of the layout before values had checksums
}

// readState reads what a file says of itself, from its tree or, when that is
// broken or somebody else holds the file, from its pages.
func readState(path string) (standing, error) {
	if _, err := os.Stat(path); err != nil {
		return standing{}, fmt.Errorf("projection: %w", err)
	}
	var at standing
	err := readOnly(path, func(tx *bolt.Tx) (err error) {
		at, err = stateOf(tx)
		return err
	})
	if err == nil || !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrLocked) {
		return at, err
	}
	at = standing{}
	found := false
	// Pages that are no longer in use hold earlier checkpoints: the last one counts.
	if err := scanPages(path, state, func(k, v []byte) error {
		switch {
		case bytes.Equal(k, keyCheckpoint):
			if seq, sum := decodeCheckpoint(v); seq >= at.sequence {
				at.sequence, at.digest, found = seq, sum, true
			}
		case bytes.Equal(k, keyStream):
			at.stream = string(v)
		case bytes.Equal(k, keySchema):
			at.schema = string(v)
		}
		return nil
	}); err != nil {
		return at, err
	}
	if !found || at.stream == "" {
		return at, fmt.Errorf("%w: %s does not tell how far it is", ErrDamaged, path)
	}
	return at, nil
}

// stateOf reads what a file says of itself from its tree.
func stateOf(tx *bolt.Tx) (standing, error) {
	if b := tx.Bucket([]byte(oldMeta)); b != nil && tx.Bucket([]byte(state)) == nil {
		at := standing{schema: string(b.Get(keySchema)), stream: string(b.Get(keyStream)), old: true}
		at.sequence, at.digest = decodeCheckpoint(b.Get(keyCheckpoint))
		return at, nil
	}
	t := &Tx{tx: tx}
	at := standing{schema: string(t.Get(state, keySchema)), stream: string(t.Get(state, keyStream))}
	at.sequence, at.digest = decodeCheckpoint(t.Get(state, keyCheckpoint))
	return at, t.damaged
}

// Salvage calls fn for each entry of a bucket whose checksum holds, under the
// terms of [ReadLog]. Key and value are valid only within the call.
func Salvage(path string, b Bucket, fn func(key, value []byte) error) error {
	info, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("projection: %w", err)
	}
	if info.Size() == 0 {
		return nil
	}
	var stop error
	err = readOnly(path, func(tx *bolt.Tx) error {
		t := &Tx{tx: tx}
		return t.Scan(b, nil, nil, func(k, v []byte) (bool, error) {
			stop = fn(k, v)
			return stop == nil, stop
		})
	})
	if err == nil || stop != nil {
		return stop
	}
	if !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrLocked) {
		return err
	}
	if scan := scanPages(path, b, func(k, v []byte) error {
		stop = fn(k, v)
		return stop
	}); scan != nil {
		return scan
	}
	if errors.Is(err, ErrLocked) {
		return nil // the pages are as good as the tree
	}
	return err
}

// readOnly opens a file for reading alone. The lock is shared, and tried for a
// moment only: a running process holds it for itself.
func readOnly(path string, fn func(tx *bolt.Tx) error) error {
	err := safely(func() error {
		db, err := bolt.Open(path, 0o600, &bolt.Options{ReadOnly: true, Timeout: shortLock})
		if err != nil {
			return err
		}
		defer db.Close() //nolint:errcheck // nothing was written
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		return db.View(func(tx *bolt.Tx) error {
			if tx.Size() > info.Size() {
				return fmt.Errorf("%w: %d bytes are left of %d", ErrDamaged, info.Size(), tx.Size())
			}
			return fn(tx)
		})
	})
	return classify(path, err)
}

// Layout of bbolt's pages, which its file format fixes.
const (
	pageHeader  = 16
	leafElement = 16
	leafPage    = 0x02
	bucketValue = 0x01
	bucketHead  = 16 // in front of a bucket that lies within its parent's page
	metaSizeAt  = pageHeader + 8
)

// scanPages finds entries of a bucket in a file whose tree is broken or that
// somebody writes to: each leaf page is read by itself, and what an entry is, its
// checksum proves. Pages no longer in use count as well: entries are not edited.
func scanPages(path string, b Bucket, fn func(key, value []byte) error) error {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("projection: %w", err)
	}
	defer f.Close() //nolint:errcheck // read only
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("projection: %w", err)
	}
	size := pageSize(f)
	head := make([]byte, pageHeader)
	for no := int64(0); no*size < info.Size(); no++ {
		if n, err := f.ReadAt(head, no*size); n < len(head) || err != nil && n == 0 {
			if err := onlyEnd(err); err != nil {
				return err
			}
			continue
		}
		if binary.NativeEndian.Uint64(head) != uint64(no) || binary.NativeEndian.Uint16(head[8:])&leafPage == 0 {
			continue
		}
		length := (int64(binary.NativeEndian.Uint32(head[12:])) + 1) * size
		page := make([]byte, min(length, info.Size()-no*size))
		n, err := f.ReadAt(page, no*size)
		if err := onlyEnd(err); err != nil {
			continue // a place that the disk does not give: others may be whole
		}
		if err := scanLeaf(page[:n], b, fn); err != nil {
			return err
		}
	}
	return nil
}

func onlyEnd(err error) error {
	var onPath *fs.PathError
	if errors.As(err, &onPath) {
		return fmt.Errorf("projection: %w", err)
	}
	return nil
}

// pageSize is what the file's first page says, else the machine's.
func pageSize(f *os.File) int64 {
	b := make([]byte, 4)
	if _, err := f.ReadAt(b, metaSizeAt); err == nil {
		if n := int64(binary.NativeEndian.Uint32(b)); n >= 512 && n <= 1<<20 && n&(n-1) == 0 {
			return n
		}
	}
	return int64(os.Getpagesize())
}

// scanLeaf reads the entries of one leaf page and of the buckets within it.
func scanLeaf(page []byte, b Bucket, fn func(key, value []byte) error) error {
	count := int(binary.NativeEndian.Uint16(page[10:]))
	for i := range count {
		at := pageHeader + i*leafElement
		if at+leafElement > len(page) {
			return nil
		}
		e := page[at:]
		flags, pos := binary.NativeEndian.Uint32(e), int(binary.NativeEndian.Uint32(e[4:]))
		ksize, vsize := int(binary.NativeEndian.Uint32(e[8:])), int(binary.NativeEndian.Uint32(e[12:]))
		if pos < 0 || ksize < 0 || vsize < 0 || at+pos+ksize+vsize > len(page) {
			continue
		}
		key, stored := page[at+pos:at+pos+ksize], page[at+pos+ksize:at+pos+ksize+vsize]
		if flags&bucketValue != 0 {
			if len(stored) > bucketHead+pageHeader {
				if err := scanLeaf(stored[bucketHead:], b, fn); err != nil {
					return err
				}
			}
			continue
		}
		if v, _, err := opened(b, key, stored); err == nil {
			if err := fn(key, v); err != nil {
				return err
			}
		}
	}
	return nil
}
