package projection

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/journal"
)

// Closure is a subject whose record is broken: it is folded no further, and
// everything else goes on.
type Closure struct {
	// Subject that is closed.
	Subject string
	// Sequence in the stream of the record that could not be folded.
	Sequence uint64
	// Why says what is wrong with it.
	Why string
	// digest of that record, by which it shows whether it was mended.
	digest []byte
}

// maxWhy bounds the reason that is kept, in bytes.
const maxWhy = 500

func (c Closure) bytes() []byte {
	out := binary.BigEndian.AppendUint64(nil, c.Sequence)
	return append(append(out, c.digest...), c.Why...)
}

func readClosure(subject, v []byte) (Closure, error) {
	if len(v) < 8+digestSize {
		return Closure{}, fmt.Errorf("projection: closure of %s has %d bytes", subject, len(v))
	}
	return Closure{Subject: string(subject), Sequence: binary.BigEndian.Uint64(v), Why: string(v[8+digestSize:]),
		digest: slices.Clone(v[8 : 8+digestSize])}, nil
}

// closure is what a record that can not be folded leads to.
func closure(rec journal.Record, why error) Closure {
	text := strings.ToValidUTF8(why.Error(), "?")
	if len(text) > maxWhy {
		text = strings.ToValidUTF8(text[:maxWhy], "")
	}
	return Closure{Subject: subjectOf(rec), Sequence: rec.Seq, Why: text, digest: digest(rec)}
}

// readClosures reads all that are closed.
func readClosures(tx *Tx) (map[string]Closure, error) {
	out := map[string]Closure{}
	err := tx.Scan(closures, nil, nil, func(k, v []byte) (bool, error) {
		c, err := readClosure(k, v)
		out[nameOf(c.Subject)] = c
		return true, err
	})
	return out, err
}

// nameOf is under what a closure is found: table, kind and id, whatever the
// partition; else the whole subject.
func nameOf(subject string) string {
	if table, kind, id, ok := journal.SplitSubject(subject); ok {
		return nameFor(table, kind, id)
	}
	return subject
}

func nameFor(table, kind, id string) string { return table + "." + kind + "." + id }

// Closed tells whether a subject is closed, and why.
func (p *Projection) Closed(subject string) (Closure, bool) { return p.closure(nameOf(subject)) }

// ClosedOf is Closed for the subject of a table's aggregate.
func (p *Projection) ClosedOf(table, kind, id string) (Closure, bool) {
	return p.closure(nameFor(table, kind, id))
}

func (p *Projection) closure(name string) (Closure, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c, ok := p.closed[name]
	return c, ok
}

// AllClosed lists what is closed, in order of subjects.
func (p *Projection) AllClosed() []Closure {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := make([]Closure, 0, len(p.closed))
	for _, c := range p.closed {
		out = append(out, c)
	}
	slices.SortFunc(out, func(a, b Closure) int { return strings.Compare(a.Subject, b.Subject) })
	return out
}

// close takes note of a closure that is durable.
func (p *Projection) close(c Closure) {
	p.mu.Lock()
	p.closed[nameOf(c.Subject)] = c
	p.mu.Unlock()
	p.cfg.Logger.Error("a record is broken: what it belongs to is closed, everything else goes on",
		"subject", c.Subject, "sequence", c.Sequence, "why", c.Why)
}
