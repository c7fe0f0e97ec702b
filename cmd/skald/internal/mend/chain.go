package mend

import (
	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/branch"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/library"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
)

// proofOf is what a record says of its place in its chain.
type proofOf struct {
	known    bool // the kind has a chain
	whole    bool // it opens, and is of its subject
	version  uint64
	previous []byte
	hash     []byte
	name     aggregate.Name
}

// read opens a record of a kind that has a chain.
func read(r journal.Record) proofOf {
	if table, digest, ok := journal.SplitPack(r.Subject); ok {
		_, _, err := library.Open(r)
		return proofOf{known: true, whole: err == nil, version: 1, hash: []byte(digest),
			name: aggregate.Name{Table: table, Kind: library.Kind, ID: digest}}
	}
	if b, ok := journal.SplitBranch(r.Subject); ok {
		part, err := branch.Read(r.Data)
		p := proofOf{known: true, whole: err == nil, name: aggregate.Name{Table: b.Table, Kind: aggregate.Kind(b.Kind), ID: b.ID}}
		if err == nil {
			p.version, p.previous, p.hash = uint64(part.Part)+1, part.PreviousHash, branch.Hash(r.Data)
		}
		return p
	}
	n, ok := aggregate.Parse(r.Subject)
	if !ok {
		return proofOf{}
	}
	p := proofOf{name: n}
	switch {
	case n.Kind.Commits():
		p.known = true
		o, err := event.Open(r.Data)
		if err != nil || o.Header.Kind != string(n.Kind) || o.Header.Id != n.ID || o.Header.Table != n.Table {
			return p
		}
		p.whole, p.version, p.previous, p.hash = true, o.Header.Version, o.Header.PreviousHash, o.Hash
	case n.Kind == aggregate.Dice:
		p.known = true
		var d dicev1.Record
		if err := proto.Unmarshal(r.Data, &d); err != nil || d.Version == 0 {
			return p
		}
		p.whole, p.version, p.previous, p.hash = true, d.Version, d.Previous, aggregate.PlainHash(r.Data)
	}
	return p
}

// link is how a record stands to the chain of its subject.
type link int

const (
	follows link = iota // it is the next, or of a kind without a chain
	jumps               // versions between are missing
	breaks              // it can not be the next
)

// chains proves the records of a stream in their order.
type chains struct{ heads map[string]aggregate.Head }

func (c *chains) judge(r journal.Record) (link, proofOf) {
	p := read(r)
	if !p.known {
		return follows, p
	}
	h := c.heads[r.Subject]
	switch {
	case !p.whole:
		return breaks, p
	case h.Next(p.version, p.previous) == nil:
		return follows, p
	case p.version > h.Version+1:
		return jumps, p
	}
	return breaks, p
}

func (c *chains) take(r journal.Record, p proofOf) {
	if p.known && p.whole {
		c.heads[r.Subject] = aggregate.Head{Version: p.version, Sequence: r.Seq, Hash: p.hash}
	}
}
