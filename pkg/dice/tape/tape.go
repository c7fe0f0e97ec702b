package tape

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
)

// ErrSides rejects a die with fewer than 1 or more than 2^32 sides.
var ErrSides = errors.New("tape: sides out of range")

// Tape is the endless row of faces at one address: one tape serves all faces
// of one expression, in rolling order. It implements dice.Source. It is not
// safe for concurrent use; opening an address again gives the same faces.
//
// The tape is a row of 32-bit words, eight to a block, most significant byte
// first:
//
//	block(j) = HMAC-SHA256(key, str(domain) || str(purpose) || address || u64(j))
//
// A face of a die of s sides takes the next word w below the greatest multiple
// of s that is at most 2^32; words from there on are skipped, so that every
// face is as likely. The face is w mod s, plus 1.
type Tape struct {
	mac     hash.Hash
	message []byte // all but the block number
	block   [sha256.Size]byte
	next    uint64 // number of the next block
	used    int    // bytes of the block read
}

// Open returns the tape at an address.
func Open(key Key, purpose Purpose, address Address) (*Tape, error) {
	if !purpose.Valid() {
		return nil, fmt.Errorf("%w: %q", ErrPurpose, purpose)
	}
	m := make([]byte, 0, 64+len(domainFaces)+len(purpose)+len(address.Encounter)+len(address.Label))
	m = appendString(m, domainFaces)
	m = appendString(m, string(purpose))
	m = address.AppendTo(m)
	return &Tape{mac: hmac.New(sha256.New, key[:]), message: m, used: sha256.Size}, nil
}

// Face returns the next face of a die, 1 to sides.
func (t *Tape) Face(sides int) (int, error) {
	if sides < 1 || uint64(sides) > 1<<32 {
		return 0, fmt.Errorf("%w: %d", ErrSides, sides)
	}
	s := uint64(sides)
	bound := (1 << 32) / s * s
	for {
		if w := uint64(t.word()); w < bound {
			return int(w%s) + 1, nil
		}
	}
}

// word returns the next word of the row.
func (t *Tape) word() uint32 {
	if t.used == sha256.Size {
		t.mac.Reset()
		t.mac.Write(t.message)
		var number [8]byte
		binary.BigEndian.PutUint64(number[:], t.next)
		t.mac.Write(number[:])
		t.mac.Sum(t.block[:0])
		t.next++
		t.used = 0
	}
	w := binary.BigEndian.Uint32(t.block[t.used:])
	t.used += 4
	return w
}
