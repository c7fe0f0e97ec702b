package scrub

import (
	"crypto/sha256"
	"fmt"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/branch"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/library"
	"github.com/skaldrpg/skald/pkg/tombstone"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// chains follows the hash chain of every encounter and patient. It keeps some
// hundred bytes for each of them, so that a million fit.
type chains struct {
	heads map[[16]byte]head
}

// head is where a chain stands.
type head struct {
	version uint64
	hash    [32]byte
}

func newChains() *chains { return &chains{heads: map[[16]byte]head{}} }

// chained tells whether a subject holds Commits: skald.P.TABLE.KIND.ID.
func chained(subject string) bool {
	n, ok := aggregate.Parse(subject)
	return ok && n.Kind.Commits()
}

// next takes the next record; an error says what is wrong with it. Packs have no
// chain: each proves itself by its digest. Nor have tombstones, which hold together by
// digests as well; who signed them the services judge. A chain goes
// on from a record that does not follow, so that one break is one finding.
func (c *chains) next(r journal.Record) error {
	if _, _, ok := journal.SplitPack(r.Subject); ok {
		_, _, err := library.Open(r)
		return err
	}
	if _, ok := journal.SplitBranch(r.Subject); ok {
		_, err := branch.Read(r.Data) // that the parts follow, the Commit that names them proves
		return err
	}
	if _, ok := journal.SplitTombstone(r.Subject); ok {
		_, err := tombstone.ByForm().Read(r)
		return err
	}
	if !chained(r.Subject) {
		return nil
	}
	o, err := event.Open(r.Data)
	if err != nil {
		return err
	}
	sum := sha256.Sum256([]byte(r.Subject))
	key := [16]byte(sum[:16])
	var previous *event.Opened
	if h, ok := c.heads[key]; ok {
		previous = &event.Opened{Header: &eventv1.CommitHeader{Version: h.version}, Hash: h.hash[:]}
	}
	err = event.Follows(previous, o)
	c.heads[key] = head{version: o.Header.Version, hash: [32]byte(o.Hash)}
	if err != nil {
		return fmt.Errorf("the chain is broken: %w", err)
	}
	return nil
}
