package aggregate

import (
	"fmt"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/projection"
)

// Put writes a row: the message, with its maps in order, so that the same message
// is always the same bytes.
func Put(tx *projection.Tx, b projection.Bucket, key []byte, row proto.Message) error {
	data, err := proto.MarshalOptions{Deterministic: true}.Marshal(row)
	if err == nil {
		err = tx.Put(b, key, data)
	}
	if err != nil {
		return fmt.Errorf("aggregate: writing a row of %s: %w", b, err)
	}
	return nil
}

// Get reads a row into a message; false when there is none.
func Get(tx *projection.Tx, b projection.Bucket, key []byte, row proto.Message) (bool, error) {
	data := tx.Get(b, key)
	if data == nil {
		return false, nil
	}
	return true, read(b, data, row)
}

func read(b projection.Bucket, data []byte, row proto.Message) error {
	if err := proto.Unmarshal(data, row); err != nil {
		return fmt.Errorf("aggregate: reading a row of %s: %w", b, err)
	}
	return nil
}

// message is what a pointer to a generated struct is.
type message[M any] interface {
	*M
	proto.Message
}

// Each calls fn for each row with the prefix, from the key given on (nil: from the
// prefix), in order, until fn answers false. rest is the key after the prefix; it
// is valid only within the call, the row is fn's own.
func Each[M any, P message[M]](tx *projection.Tx, b projection.Bucket, prefix, from []byte, fn func(rest []byte, row P) (bool, error)) error {
	return tx.Scan(b, prefix, from, func(k, v []byte) (bool, error) {
		row := P(new(M))
		if err := read(b, v, row); err != nil {
			return false, err
		}
		return fn(k[len(prefix):], row)
	})
}
