package mend

import (
	"bytes"
	"crypto/sha256"
	"strings"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/library"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
)

// proofOf is what a record says of its place in its chain.
type proofOf struct {
	known     bool // the kind has a chain
	whole     bool // it opens, and is of its subject
	version   uint64
	previous  []byte
	hash      []byte
	kind      string
	table, id string
}

// read opens a record of a kind that has a chain.
func read(r journal.Record) proofOf {
	if table, digest, ok := journal.SplitPack(r.Subject); ok {
		_, _, err := library.Open(r)
		return proofOf{known: true, whole: err == nil, version: 1, hash: []byte(digest), kind: library.Kind, table: table, id: digest}
	}
	t := strings.Split(r.Subject, ".")
	if len(t) != 5 || t[0] != "skald" {
		return proofOf{}
	}
	p := proofOf{kind: t[3], table: t[2], id: t[4]}
	switch p.kind {
	case "encounter", "patient":
		p.known = true
		o, err := event.Open(r.Data)
		if err != nil || o.Header.Kind != p.kind || o.Header.Id != p.id || o.Header.Table != p.table {
			return p
		}
		p.whole, p.version, p.previous, p.hash = true, o.Header.Version, o.Header.PreviousHash, o.Hash
	case "dice":
		p.known = true
		var d dicev1.Record
		if err := proto.Unmarshal(r.Data, &d); err != nil || d.Version == 0 {
			return p
		}
		sum := sha256.Sum256(r.Data)
		p.whole, p.version, p.previous, p.hash = true, d.Version, d.Previous, sum[:]
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

// head is where a chain stands.
type head struct {
	version uint64
	hash    []byte
}

// chains proves the records of a stream in their order.
type chains struct{ heads map[string]head }

func (c *chains) judge(r journal.Record) (link, proofOf) {
	p := read(r)
	if !p.known {
		return follows, p
	}
	h := c.heads[r.Subject]
	switch {
	case !p.whole:
		return breaks, p
	case p.version == h.version+1 && bytes.Equal(p.previous, h.hash):
		return follows, p
	case p.version > h.version+1:
		return jumps, p
	}
	return breaks, p
}

func (c *chains) take(r journal.Record, p proofOf) {
	if p.known && p.whole {
		c.heads[r.Subject] = head{p.version, p.hash}
	}
}
