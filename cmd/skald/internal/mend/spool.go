package mend

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"os"
	"time"

	bolt "go.etcd.io/bbolt"

	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/projection"
)

// spool keeps every copy of every record on disk while they are brought together:
// a journal may be larger than memory. It is scratch, and removed at the end.
type spool struct {
	db      *bolt.DB
	path    string
	pending []put
	bytes   int64 // of the records in it
}

type put struct {
	bucket, key, value []byte
}

// copied is one copy of a record.
type copied struct {
	journal.Record
	from string
}

func openSpool(path string) (*spool, error) {
	if err := os.Remove(path); err != nil && !os.IsNotExist(err) { // of a mend that broke off
		return nil, fmt.Errorf("mend: %w", err)
	}
	db, err := bolt.Open(path, 0o600, &bolt.Options{NoSync: true, NoFreelistSync: true, FreelistType: bolt.FreelistMapType, Timeout: time.Second})
	if err != nil {
		return nil, fmt.Errorf("mend: %w", err)
	}
	return &spool{db: db, path: path}, nil
}

func (s *spool) close() error {
	err := s.db.Close()
	if e := os.Remove(s.path); err == nil {
		err = e
	}
	return err
}

func seqKey(seq uint64) []byte { return binary.BigEndian.AppendUint64(nil, seq) }

const putsAtOnce = 2000

func (s *spool) put(bucket string, key, value []byte) error {
	s.pending = append(s.pending, put{[]byte(bucket), key, value})
	if len(s.pending) < putsAtOnce {
		return nil
	}
	return s.flush()
}

// flush writes what is pending; a copy that says what another has said is dropped.
func (s *spool) flush() error {
	err := s.db.Update(func(tx *bolt.Tx) error {
		for _, p := range s.pending {
			b, err := tx.CreateBucketIfNotExists(p.bucket)
			if err != nil {
				return err
			}
			if b.Get(p.key) != nil {
				continue
			}
			if err := b.Put(p.key, p.value); err != nil {
				return err
			}
		}
		return nil
	})
	s.pending = s.pending[:0]
	if err != nil {
		return fmt.Errorf("mend: %w", err)
	}
	return nil
}

func content(r journal.Record) []byte {
	out := append([]byte(r.Subject), 0)
	out = append(append(out, r.ID...), 0)
	return append(out, r.Data...)
}

// add takes a copy of a record of a stream. Its key ends with its content's digest,
// so that equal copies meet; the rank in front of it keeps the order of the copies.
func (s *spool) add(stream string, rank byte, from string, r journal.Record) error {
	data := content(r)
	sum := sha256.Sum256(data)
	value := binary.BigEndian.AppendUint64(nil, uint64(r.Time.UnixNano())) //nolint:gosec // as it is read back
	value = append(append(append(value, rank), byte(len(from))), from...)
	s.bytes += int64(len(data))
	return s.put("records "+stream, append(seqKey(r.Seq), sum[:]...), append(value, data...))
}

// knows takes what a projection remembers of a record.
func (s *spool) knows(stream string, e projection.LogEntry) error {
	value := append(bytes.Clone(e.Digest[:]), e.Subject...)
	value = append(append(value, 0), e.ID...)
	return s.put("index "+stream, seqKey(e.Sequence), value)
}

// known is what projections remember of the record at a sequence.
func (s *spool) known(tx *bolt.Tx, stream string, seq uint64) (e projection.LogEntry, ok bool) {
	b := tx.Bucket([]byte("index " + stream))
	if b == nil {
		return e, false
	}
	return decodeKnown(seq, b.Get(seqKey(seq)))
}

func decodeKnown(seq uint64, v []byte) (e projection.LogEntry, ok bool) {
	if len(v) < sha256.Size {
		return e, false
	}
	e.Sequence = seq
	copy(e.Digest[:], v)
	subject, id, _ := bytes.Cut(v[sha256.Size:], []byte{0})
	e.Subject, e.ID = string(subject), string(id)
	return e, true
}

// eachKnown calls fn for everything that projections remember of a stream.
func (s *spool) eachKnown(stream string, fn func(projection.LogEntry, []copied) error) error {
	if err := s.flush(); err != nil {
		return err
	}
	return s.db.View(func(tx *bolt.Tx) error {
		b := tx.Bucket([]byte("index " + stream))
		if b == nil {
			return nil
		}
		return b.ForEach(func(k, v []byte) error {
			seq := binary.BigEndian.Uint64(k)
			e, ok := decodeKnown(seq, v)
			if !ok {
				return nil
			}
			return fn(e, candidates(tx, stream, seq))
		})
	})
}

// candidates are the copies of the record at a sequence, the best source first.
func candidates(tx *bolt.Tx, stream string, seq uint64) []copied {
	b := tx.Bucket([]byte("records " + stream))
	if b == nil {
		return nil
	}
	var out []copied
	var ranks []byte
	c := b.Cursor()
	prefix := seqKey(seq)
	for k, v := c.Seek(prefix); bytes.HasPrefix(k, prefix); k, v = c.Next() {
		r, rank, ok := decodeCopy(seq, v)
		if !ok {
			continue
		}
		at := len(out)
		for at > 0 && ranks[at-1] > rank {
			at--
		}
		out = append(out[:at], append([]copied{r}, out[at:]...)...)
		ranks = append(ranks[:at], append([]byte{rank}, ranks[at:]...)...)
	}
	return out
}

func decodeCopy(seq uint64, v []byte) (copied, byte, bool) {
	if len(v) < 10 || len(v) < 10+int(v[9]) {
		return copied{}, 0, false
	}
	when, rank, n := binary.BigEndian.Uint64(v), v[8], int(v[9])
	from, rest := string(v[10:10+n]), v[10+n:]
	subject, rest, ok := bytes.Cut(rest, []byte{0})
	id, data, more := bytes.Cut(rest, []byte{0})
	if !ok || !more {
		return copied{}, 0, false
	}
	r := journal.Record{Subject: string(subject), ID: string(id), Seq: seq, Data: bytes.Clone(data), Time: time.Unix(0, int64(when)).UTC()} //nolint:gosec // as it was written
	return copied{r, from}, rank, true
}

// bounds are the first and last sequence of which there is a copy; 0 without any.
func (s *spool) bounds(stream string) (first, last uint64, err error) {
	if err := s.flush(); err != nil {
		return 0, 0, err
	}
	err = s.db.View(func(tx *bolt.Tx) error {
		for _, name := range []string{"records ", "index "} {
			b := tx.Bucket([]byte(name + stream))
			if b == nil {
				continue
			}
			if k, _ := b.Cursor().First(); len(k) >= 8 {
				if seq := binary.BigEndian.Uint64(k); first == 0 || seq < first {
					first = seq
				}
			}
			if k, _ := b.Cursor().Last(); len(k) >= 8 {
				last = max(last, binary.BigEndian.Uint64(k))
			}
		}
		return nil
	})
	return first, last, err
}
