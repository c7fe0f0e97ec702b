package projection

import (
	"bytes"
	"encoding/binary"
	"fmt"

	bolt "go.etcd.io/bbolt"
)

// Bucket names a bucket. A fold lists all of its own in one place.
type Bucket string

// meta is the projection's own bucket; it is no part of the content.
const meta Bucket = "meta"

// Tx is a transaction: reads everywhere, writes only inside Fold.Apply.
type Tx struct{ tx *bolt.Tx }

// Get returns a copy of a value; nil when there is none.
func (t *Tx) Get(b Bucket, key []byte) []byte {
	bk := t.tx.Bucket([]byte(b))
	if bk == nil {
		return nil
	}
	return bytes.Clone(bk.Get(key))
}

// Put writes a value. The key is copied by bbolt; the value must not change
// until the transaction ends.
func (t *Tx) Put(b Bucket, key, value []byte) error {
	bk := t.tx.Bucket([]byte(b))
	if bk == nil {
		return fmt.Errorf("projection: no bucket %q", b)
	}
	bk.FillPercent = 0.9 // keys mostly grow
	return bk.Put(key, value)
}

// Delete removes a value; nothing happens when there is none.
func (t *Tx) Delete(b Bucket, key []byte) error {
	bk := t.tx.Bucket([]byte(b))
	if bk == nil {
		return fmt.Errorf("projection: no bucket %q", b)
	}
	return bk.Delete(key)
}

// Scan calls fn for each key with the prefix, from the key given on (nil: from
// the prefix), in order, until fn answers false. Key and value are valid only
// within the call.
func (t *Tx) Scan(b Bucket, prefix, from []byte, fn func(key, value []byte) (bool, error)) error {
	bk := t.tx.Bucket([]byte(b))
	if bk == nil {
		return nil
	}
	if from == nil || bytes.Compare(from, prefix) < 0 {
		from = prefix
	}
	c := bk.Cursor()
	for k, v := c.Seek(from); k != nil && bytes.HasPrefix(k, prefix); k, v = c.Next() {
		more, err := fn(k, v)
		if err != nil || !more {
			return err
		}
	}
	return nil
}

// LastBefore finds the greatest key with the prefix that is not greater than
// the key given; nil when there is none. Both are copies.
func (t *Tx) LastBefore(b Bucket, prefix, key []byte) (k, v []byte) {
	bk := t.tx.Bucket([]byte(b))
	if bk == nil {
		return nil, nil
	}
	c := bk.Cursor()
	k, v = c.Seek(key)
	switch {
	case k == nil:
		k, v = c.Last()
	case !bytes.Equal(k, key):
		k, v = c.Prev()
	}
	if k == nil || !bytes.HasPrefix(k, prefix) {
		return nil, nil
	}
	return bytes.Clone(k), bytes.Clone(v)
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
