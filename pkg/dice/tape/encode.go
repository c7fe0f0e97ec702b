package tape

import (
	"encoding/binary"
	"fmt"
)

// Domain strings, one for each use of a key or hash (T3).
const (
	domainBranch     = "skald.dice.v1.branch"
	domainCommitment = "skald.dice.v1.commitment"
	domainEntropy    = "skald.dice.v1.entropy"
	domainKey        = "skald.dice.v1.tape-key"
	domainFaces      = "skald.dice.v1.faces"
	domainSeal       = "skald.dice.v1.seal"
)

// appendString appends the length in 4 bytes, most significant first, and then
// the bytes of s (T2).
func appendString(b []byte, s string) []byte {
	b = binary.BigEndian.AppendUint32(b, uint32(len(s)))
	return append(b, s...)
}

// Address says where in a fight a roll stands. The server gives all of it.
type Address struct {
	Encounter string // the encounter's id
	Epoch     uint32 // grows when a branch has been revealed or the key changed
	Action    uint64 // number of the action within the encounter
	Label     string // path of the roll within the action, as in attack/1/to-hit
	Index     uint32 // which of several rolls with this label
}

// AppendTo appends the canonical bytes of the address: Encounter with its
// length, Epoch in 4 bytes, Action in 8, Label with its length, Index in 4,
// every number with the most significant byte first.
func (a Address) AppendTo(b []byte) []byte {
	b = appendString(b, a.Encounter)
	b = binary.BigEndian.AppendUint32(b, a.Epoch)
	b = binary.BigEndian.AppendUint64(b, a.Action)
	b = appendString(b, a.Label)
	return binary.BigEndian.AppendUint32(b, a.Index)
}

// String writes the address for people; it is not the canonical encoding.
func (a Address) String() string {
	return fmt.Sprintf("%s/epoch %d/action %d/%s#%d", a.Encounter, a.Epoch, a.Action, a.Label, a.Index)
}

// Purpose says what a tape's faces are for (T4).
type Purpose string

// The purposes.
const (
	// Real faces count.
	Real Purpose = "real"
	// Preview faces show what might happen and are never used.
	Preview Purpose = "preview"
	// Fork faces belong to a fight split off from another.
	Fork Purpose = "fork"
)

// Valid reports whether p is one of the purposes.
func (p Purpose) Valid() bool {
	return p == Real || p == Preview || p == Fork
}
