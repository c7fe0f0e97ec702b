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
	more map[string]map[uint64]uint64 // beyond the log: branch, action
}

func newNumbering(log *replica.Draws) *numbering {
	return &numbering{log: log, more: map[string]map[uint64]uint64{}}
}

// of is the action's number on the branch, or the one that it would get.
func (n *numbering) of(branch string, action uint64) uint64 {
	if number := max(n.log.Number(branch, action), n.more[branch][action]); number > 0 {
		return number
	}
	return n.log.Count(branch) + uint64(len(n.more[branch])) + 1
}

// take gives the action its number on the branch.
func (n *numbering) take(branch string, action uint64) uint64 {
	number := n.of(branch, action)
	if n.log.Number(branch, action) == 0 {
		if n.more[branch] == nil {
			n.more[branch] = map[uint64]uint64{}
		}
		n.more[branch][action] = number
	}
	return number
}

// all are the action's numbers on every branch that was ever drawn from; on
// any other the action would be the first.
func (n *numbering) all(action uint64) map[string]uint64 {
	out := map[string]uint64{}
	// order-free: a map is filled
	for _, branch := range n.log.Branches() {
		out[branch] = n.of(branch, action)
	}
	// order-free: a map is filled
	for branch := range n.more {
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
