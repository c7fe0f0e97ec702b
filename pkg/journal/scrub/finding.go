package scrub

import (
	"fmt"
	"strings"
	"time"
)

// Kind says what is wrong with a record, or with a replica.
type Kind string

// Kinds of findings.
const (
	// Missing: the replica has no record where the others have one.
	Missing Kind = "missing"
	// Surplus: the replica has a record where the others have none.
	Surplus Kind = "surplus"
	// Different: subject, id or data are not those of the others.
	Different Kind = "different"
	// Unreadable: the replica's server delivers nothing from here on, though it
	// says that it is up to date: its file is damaged.
	Unreadable Kind = "unreadable"
	// Chain: the replicas agree on a record that does not follow the one before
	// it, or whose parts do not have their digests.
	Chain Kind = "chain"
	// Behind: the replica is up and has not caught up; the next pass tells.
	Behind Kind = "behind"
	// Absent: the replica's server is down or could not be reached.
	Absent Kind = "absent"
)

// Damage tells whether a finding means that a copy is wrong, not merely late.
func (k Kind) Damage() bool { return k != Behind && k != Absent }

// Finding is one thing that is wrong.
type Finding struct {
	// Kind of it.
	Kind Kind `json:"kind"`
	// Replica is the name of the server whose copy it is about; empty when all
	// copies agree (Chain), or when nobody can tell which of them is right.
	Replica string `json:"replica,omitempty"`
	// Sequence in the stream; 0 when it is about the whole replica.
	Sequence uint64 `json:"sequence,omitempty"`
	// Through is the last sequence where the same is wrong with those that follow
	// without a gap; else it is Sequence.
	Through uint64 `json:"through,omitempty"`
	// Subject of the first record, as far as it is known.
	Subject string `json:"subject,omitempty"`
	// Detail for people.
	Detail string `json:"detail,omitempty"`
}

// String is the line for people and logs.
func (f Finding) String() string {
	var b strings.Builder
	b.WriteString(string(f.Kind))
	if f.Replica != "" {
		b.WriteString(" on " + f.Replica)
	}
	if f.Sequence > 0 {
		fmt.Fprintf(&b, " at sequence %d", f.Sequence)
	}
	if f.Through > f.Sequence {
		fmt.Fprintf(&b, " to %d", f.Through)
	}
	if f.Subject != "" {
		b.WriteString(" (" + f.Subject + ")")
	}
	if f.Detail != "" {
		b.WriteString(": " + f.Detail)
	}
	return b.String()
}

// Report is what one pass found.
type Report struct {
	// Stream that was read.
	Stream string `json:"stream"`
	// Replicas that were read, by the names of their servers, sorted.
	Replicas []string `json:"replicas"`
	// From and To are the sequences that the pass was about.
	From uint64 `json:"from"`
	To   uint64 `json:"to"`
	// Records that were compared; each counts once.
	Records uint64 `json:"records"`
	// Findings, in order of sequences; at most limits.ScrubFindings.
	Findings []Finding `json:"findings,omitempty"`
	// More findings than are listed.
	More uint64 `json:"more,omitempty"`
	// Took is how long the pass lasted.
	Took time.Duration `json:"nanoseconds"`
}

// Damaged counts what means damage: records of each replica, and findings that are
// not listed.
func (r *Report) Damaged() uint64 {
	n := r.More
	for _, f := range r.Findings {
		if f.Kind.Damage() {
			n += max(f.Through, f.Sequence) - f.Sequence + 1
		}
	}
	return n
}

// findings gathers what is found in order of sequences; the same of neighbours on
// one replica is one finding, so that a copy that lost a million records is one too.
type findings struct {
	list []Finding
	last map[string]int // by replica and kind: index of the last one
}

func (fs *findings) add(more ...Finding) {
	if fs.last == nil {
		fs.last = map[string]int{}
	}
	for _, f := range more {
		f.Through = f.Sequence
		key := f.Replica + " " + string(f.Kind)
		if i, ok := fs.last[key]; ok && f.Kind != Unreadable && f.Sequence > 0 && fs.list[i].Through+1 == f.Sequence {
			fs.list[i].Through = f.Sequence
			continue
		}
		fs.last[key] = len(fs.list)
		fs.list = append(fs.list, f)
	}
}

// both is what two looks have in common of a finding; false when nothing is.
func (f Finding) both(again []Finding) (Finding, bool) {
	for _, g := range again {
		switch {
		case g.Replica != f.Replica:
		case !f.Kind.Damage() || f.Kind == Unreadable: // where a replica stops may move
			if g.Kind == f.Kind || f.Kind == Unreadable && g.Kind.Damage() {
				return f, true
			}
		case g.Kind == f.Kind && g.Sequence <= f.Through && f.Sequence <= g.Through:
			f.Sequence, f.Through = max(f.Sequence, g.Sequence), min(f.Through, g.Through)
			return f, true
		}
	}
	return f, false
}

// Whole tells whether every replica was read to the end and nothing is wrong.
func (r *Report) Whole() bool { return len(r.Findings) == 0 && r.More == 0 }
