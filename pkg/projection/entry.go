package projection

import (
	"encoding/binary"
	"fmt"

	"github.com/cespare/xxhash/v2"
	bolt "go.etcd.io/bbolt"
)

// sumSize is the length of the checksum behind every value, in bytes.
const sumSize = 8

// checksum is over bucket, key and value, so that a value under another key or
// in another bucket does not pass either. bbolt's pages have none of their own.
func checksum(b Bucket, key, value []byte) uint64 {
	var d xxhash.Digest
	d.ResetWithSeed(xxhash.Sum64String(string(b)))
	var size [8]byte
	binary.LittleEndian.PutUint64(size[:], uint64(len(key)))
	d.Write(size[:]) //nolint:errcheck // never fails
	d.Write(key)     //nolint:errcheck // never fails
	d.Write(value)   //nolint:errcheck // never fails
	return d.Sum64()
}

// sealed is a value as it is stored: with its checksum behind it.
func sealed(value []byte, sum uint64) []byte {
	out := make([]byte, len(value), len(value)+sumSize)
	copy(out, value)
	return binary.BigEndian.AppendUint64(out, sum)
}

// opened checks a stored value and returns it without its checksum.
func opened(b Bucket, key, stored []byte) (value []byte, sum uint64, err error) {
	n := len(stored) - sumSize
	if n < 0 {
		return nil, 0, fmt.Errorf("%w: bucket %s: a value of %d bytes", ErrDamaged, b, len(stored))
	}
	sum = binary.BigEndian.Uint64(stored[n:])
	if checksum(b, key, stored[:n]) != sum {
		return nil, 0, fmt.Errorf("%w: bucket %s: the value of key %x does not match its checksum", ErrDamaged, b, key)
	}
	return stored[:n:n], sum, nil
}

// tally counts the entries of a bucket and adds up their checksums, in no order:
// entries that are lost or doubled as a whole show by it.
type tally struct{ count, sum uint64 }

func (t *tally) add(sum uint64) { t.count, t.sum = t.count+1, t.sum+sum }
func (t *tally) sub(sum uint64) { t.count, t.sum = t.count-1, t.sum-sum }

func (t tally) bytes() []byte {
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, t.count), t.sum)
}

func readTally(v []byte) tally {
	if len(v) != 16 {
		return tally{}
	}
	return tally{binary.BigEndian.Uint64(v), binary.BigEndian.Uint64(v[8:])}
}

// keyTally is where the state holds the tally of a bucket.
func keyTally(b Bucket) []byte { return []byte("tally." + string(b)) }

// prove reads every entry of a file and holds each bucket against its tally.
func prove(tx *bolt.Tx) error {
	found := map[Bucket]tally{}
	err := tx.ForEach(func(name []byte, bk *bolt.Bucket) error {
		b, t := Bucket(name), tally{}
		err := bk.ForEach(func(k, v []byte) error {
			_, sum, err := opened(b, k, v)
			t.add(sum)
			return err
		})
		if b != state {
			found[b] = t
		}
		return err
	})
	if err != nil {
		return err
	}
	st := tx.Bucket([]byte(state))
	if st == nil {
		return fmt.Errorf("%w: it does not say what it is", ErrDamaged)
	}
	content := false
	for b, t := range found {
		content = content || t.count > 0
		if err := same(st, b, t); err != nil {
			return err
		}
	}
	if content && (st.Get(keyCheckpoint) == nil || st.Get(keySchema) == nil || st.Get(keyStream) == nil) {
		return fmt.Errorf("%w: content without a checkpoint", ErrDamaged)
	}
	return st.ForEach(func(k, _ []byte) error { // buckets that are gone as a whole
		if b, ok := tallied(k); ok {
			return same(st, b, found[b])
		}
		return nil
	})
}

func tallied(key []byte) (Bucket, bool) {
	const prefix = "tally."
	if len(key) > len(prefix) && string(key[:len(prefix)]) == prefix {
		return Bucket(key[len(prefix):]), true
	}
	return "", false
}

func same(st *bolt.Bucket, b Bucket, is tally) error {
	want := tally{}
	if v := st.Get(keyTally(b)); v != nil {
		want = readTally(v[:max(0, len(v)-sumSize)])
	}
	if is != want {
		return fmt.Errorf("%w: bucket %s holds %d entries of sum %x, wanted %d of %x", ErrDamaged, b, is.count, is.sum, want.count, want.sum)
	}
	return nil
}
