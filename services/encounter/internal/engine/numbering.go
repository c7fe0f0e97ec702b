package engine

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"

	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

// numbering numbers actions on the branches of the dice: as the log has them,
// and beyond that in the order in which they draw here. It serves one command
// or one ruling.
type numbering struct {
	log  *replica.Draws
	more replica.Draws
	last map[string]uint64 // highest number given here, by branch
}

func newNumbering(log *replica.Draws) *numbering {
	return &numbering{log: log, last: map[string]uint64{}}
}

// of is the action's number on the branch, or the one that it would get.
func (n *numbering) of(branch string, action uint64) uint64 {
	switch {
	case n.log.Has(branch, action):
		return n.log.Number(branch, action)
	case n.more.Has(branch, action):
		return n.more.Number(branch, action)
	}
	return max(n.last[branch], n.log.Last(branch)) + 1
}

// take gives the action its number on the branch.
func (n *numbering) take(branch string, action uint64) uint64 {
	number := n.of(branch, action)
	if !n.log.Has(branch, action) {
		n.more.Put(replica.Drawn{Branch: branch, Action: action, Number: number})
		n.last[branch] = max(n.last[branch], number)
	}
	return number
}

// all are the action's numbers on every branch that was ever drawn from; on
// any other the action would be the first.
func (n *numbering) all(action uint64) map[string]uint64 {
	out := map[string]uint64{}
	// order-free: a map is filled
	for branch := range n.log.Branches() {
		out[branch] = n.of(branch, action)
	}
	// order-free: a map is filled
	for branch := range n.more.Branches() {
		out[branch] = n.of(branch, action)
	}
	return out
}

// actionKey names an action in the ids of its decisions, so that nobody without
// the log can tell which action they belong to.
func actionKey(r *replica.Replica, action uint64) []byte {
	mac := hmac.New(sha256.New, r.Genesis)
	mac.Write(binary.BigEndian.AppendUint64([]byte("skald/action/v1"), action))
	return mac.Sum(nil)
}
