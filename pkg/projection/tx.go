package projection

import (
	"bytes"
	"encoding/binary"
	"fmt"

	bolt "go.etcd.io/bbolt"

	"github.com/skaldrpg/skald/pkg/tombstone"
)

// Bucket names a bucket. A fold lists all of its own in one place.
type Bucket string

// The projection's own buckets. Only closures are part of the content.
const (
	state    Bucket = "projection"        // schema, stream, checkpoint, tallies
	logIndex Bucket = "projection.log"    // stream sequence -> LogEntry
	closures Bucket = "projection.closed" // subject -> Closure
	oldMeta  Bucket = "meta"              // of files before values had checksums
)

func own(b Bucket) bool {
	return b == state || b == logIndex || b == closures || b == deleted || b == oldMeta
}

// Tx is a transaction: reads everywhere, writes only inside Fold.Apply. A value
// that does not match its checksum reads as none, and the transaction fails with
// ErrDamaged whatever its function returns.
type Tx struct {
	tx      *bolt.Tx
	damaged error
	tallies map[Bucket]*tally // of buckets written to
	buried  []*tombstone.Record
}

// Get returns a copy of a value; nil when there is none.
func (t *Tx) Get(b Bucket, key []byte) []byte {
	defer t.caught()
	bk := t.tx.Bucket([]byte(b))
	if bk == nil {
		return nil
	}
	stored := bk.Get(key)
	if stored == nil {
		return nil
	}
	v, ok := t.open(b, key, stored)
	if !ok {
		return nil
	}
	return append(make([]byte, 0, len(v)), v...) // never nil for what is there
}

// open checks a stored value and takes note of damage.
func (t *Tx) open(b Bucket, key, stored []byte) ([]byte, bool) {
	v, _, err := opened(b, key, stored)
	if err != nil {
		t.hurt(err)
		return nil, false
	}
	return v, true
}

func (t *Tx) hurt(err error) {
	if t.damaged == nil {
		t.damaged = err
	}
}

// caught, deferred, turns a panic of bbolt on a broken page into damage. Only
// calls of bbolt may run under it: a panic of a fold's own is the fold's fault.
func (t *Tx) caught() {
	if r := recover(); r != nil {
		t.hurt(fmt.Errorf("%w: %v", ErrDamaged, r))
	}
}

// Put writes a value. Neither key nor value is kept.
func (t *Tx) Put(b Bucket, key, value []byte) (err error) {
	defer t.caught()
	bk := t.tx.Bucket([]byte(b))
	if bk == nil {
		return fmt.Errorf("projection: no bucket %q", b)
	}
	bk.FillPercent = 0.9 // keys mostly grow
	sum := checksum(b, key, value)
	if b != state {
		of := t.tally(b)
		if old := bk.Get(key); old != nil {
			t.take(of, b, old)
		}
		of.add(sum)
	}
	return bk.Put(key, sealed(value, sum))
}

// Delete removes a value; nothing happens when there is none.
func (t *Tx) Delete(b Bucket, key []byte) (err error) {
	defer t.caught()
	bk := t.tx.Bucket([]byte(b))
	if bk == nil {
		return fmt.Errorf("projection: no bucket %q", b)
	}
	old := bk.Get(key)
	if old == nil {
		return nil
	}
	t.take(t.tally(b), b, old)
	return bk.Delete(key)
}

// take removes an old value's checksum, as it is stored, from a tally.
func (t *Tx) take(of *tally, b Bucket, old []byte) {
	if len(old) < sumSize {
		t.hurt(fmt.Errorf("%w: bucket %s: a value of %d bytes", ErrDamaged, b, len(old)))
		return
	}
	of.sub(binary.BigEndian.Uint64(old[len(old)-sumSize:]))
}

// tally is that of a bucket about to be written to.
func (t *Tx) tally(b Bucket) *tally {
	of := t.tallies[b]
	if of == nil {
		if t.tallies == nil {
			t.tallies = map[Bucket]*tally{}
		}
		is := readTally(t.Get(state, keyTally(b)))
		of = &is
		t.tallies[b] = of
	}
	return of
}

// settle writes the tallies; it is the last write of a transaction.
func (t *Tx) settle() error {
	// order-free: each is written under its own key
	for b, of := range t.tallies {
		if err := t.Put(state, keyTally(b), of.bytes()); err != nil {
			return err
		}
	}
	return t.damaged
}

// Scan calls fn for each key with the prefix, from the key given on (nil: from
// the prefix), in order, until fn answers false. Key and value are valid only
// within the call.
func (t *Tx) Scan(b Bucket, prefix, from []byte, fn func(key, value []byte) (bool, error)) error {
	if from == nil || bytes.Compare(from, prefix) < 0 {
		from = prefix
	}
	c := t.cursor(b)
	if c == nil {
		return t.damaged
	}
	for k, stored := t.step(func() ([]byte, []byte) { return c.Seek(from) }); k != nil && bytes.HasPrefix(k, prefix); k, stored = t.step(c.Next) {
		v, ok := t.open(b, k, stored)
		if !ok {
			return t.damaged
		}
		more, err := fn(k, v)
		if err != nil || !more {
			return err
		}
	}
	return t.damaged
}

// cursor is nil when there is no such bucket.
func (t *Tx) cursor(b Bucket) *bolt.Cursor {
	defer t.caught()
	if bk := t.tx.Bucket([]byte(b)); bk != nil {
		return bk.Cursor()
	}
	return nil
}

// step moves a cursor.
func (t *Tx) step(move func() (k, v []byte)) (k, v []byte) {
	defer t.caught()
	return move()
}

// LastBefore finds the greatest key with the prefix that is not greater than
// the key given; nil when there is none. Both are copies.
func (t *Tx) LastBefore(b Bucket, prefix, key []byte) (k, v []byte) {
	defer t.caught()
	bk := t.tx.Bucket([]byte(b))
	if bk == nil {
		return nil, nil
	}
	c := bk.Cursor()
	k, stored := c.Seek(key)
	switch {
	case k == nil:
		k, stored = c.Last()
	case !bytes.Equal(k, key):
		k, stored = c.Prev()
	}
	if k == nil || !bytes.HasPrefix(k, prefix) {
		return nil, nil
	}
	v, ok := t.open(b, k, stored)
	if !ok {
		return nil, nil
	}
	return bytes.Clone(k), append(make([]byte, 0, len(v)), v...)
}

// Key makes a key of parts that sorts as its parts do: strings end with a zero
// byte (and must not hold one), numbers are eight bytes, big end first.
func Key(parts ...any) []byte {
	var out []byte
	for _, p := range parts {
		switch v := p.(type) {
		case string:
			out = append(append(out, v...), 0)
		case uint64:
			out = binary.BigEndian.AppendUint64(out, v)
		case uint32:
			out = binary.BigEndian.AppendUint64(out, uint64(v))
		case []byte:
			out = append(out, v...)
		default:
			panic(fmt.Sprintf("projection: key part of type %T", p))
		}
	}
	return out
}

// Number reads the eight bytes at the end of a key.
func Number(key []byte) uint64 {
	if len(key) < 8 {
		return 0
	}
	return binary.BigEndian.Uint64(key[len(key)-8:])
}
