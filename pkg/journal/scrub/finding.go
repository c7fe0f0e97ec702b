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
	// Subject of the record, as far as it is known.
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

// Damaged counts the findings that mean damage, those that are not listed included.
func (r *Report) Damaged() uint64 {
	n := r.More
	for _, f := range r.Findings {
		if f.Kind.Damage() {
			n++
		}
	}
	return n
}

// Whole tells whether every replica was read to the end and nothing is wrong.
func (r *Report) Whole() bool { return len(r.Findings) == 0 && r.More == 0 }
