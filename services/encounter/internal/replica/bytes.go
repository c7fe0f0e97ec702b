package replica

import (
	"slices"

	"google.golang.org/protobuf/proto"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// What things take in memory beside their bytes on the wire, measured on folded
// fights of every system (see TestBytes of the encounter service).
const (
	// Expansion is how many bytes in memory a byte of a decoded message takes.
	Expansion = 7

	baseBytes     = 4 << 10 // an empty replica with its maps
	requestBytes  = 160     // an entry of requests beside its key
	linkBytes     = 64
	markBytes     = 16
	drawBytes     = 8
	viewBytes     = 512
	decisionBytes = 64
)

// Bytes estimates the memory that the replica takes, in bytes. It walks every
// view: a Meter spares that.
func (r *Replica) Bytes() int64 {
	n := int64(baseBytes)
	for key := range r.requests {
		n += requestBytes + int64(len(key))
	}
	for _, l := range r.Chain {
		n += linkBytes + 8*int64(cap(l.Answers))
	}
	n += markBytes*int64(cap(r.Marks)) + 8*int64(cap(r.Redo)+cap(r.LinkPages)+cap(r.MarkPages))
	for _, branch := range r.Draws.Branches() {
		n += viewBytes + drawBytes*int64(r.Draws.Count(branch))
	}
	for _, v := range r.Views {
		n += viewBytes + 8*int64(cap(v.Versions)) + Expansion*int64(proto.Size(v.State))
	}
	return n + r.Pending.bytes()
}

func (p *Pending) bytes() int64 {
	if p == nil {
		return 0
	}
	n := int64(len(p.Command)+len(p.Ruled)) + Expansion*int64(proto.Size(p.Base)) + decisionBytes*int64(len(p.Asked))
	for _, in := range p.Inputs {
		n += Expansion * int64(proto.Size(in))
	}
	for _, e := range p.Published {
		n += Expansion * int64(proto.Size(e))
	}
	return n
}

// Meter keeps the estimate of a replica up to date at little cost: what Commits
// add is taken from their size, and the replica is walked again when they added
// an eighth of it. The zero value is ready.
type Meter struct{ measured, grown int64 }

// Measure walks the replica and returns the estimate in bytes.
func (m *Meter) Measure(r *Replica) int64 {
	m.measured, m.grown = r.Bytes(), 0
	return m.measured
}

// Applied takes account of a Commit of so many bytes that was just applied and
// returns the estimate in bytes.
func (m *Meter) Applied(r *Replica, commit int) int64 {
	if m.grown += int64(commit); m.grown > m.measured/8 {
		return m.Measure(r)
	}
	return m.measured + m.grown
}

// Due is when the encounter wants to be looked at without being asked: the
// earliest deadline of its open decisions, or, when it is over and its public
// branch is not revealed, when its last Commit was stored. Milliseconds since
// 1970; 0 when it waits for nobody but people.
func (r *Replica) Due() int64 {
	if r.State().Imported {
		return 0
	}
	if r.OwesReveal() {
		return max(1, r.Millis)
	}
	if at, owed := r.SecretsDue(); owed {
		return max(1, at)
	}
	var due int64
	// order-free: the least of them
	for _, d := range r.State().Decisions {
		if at := r.Deadline(d); at > 0 && (due == 0 || at < due) {
			due = at
		}
	}
	return due
}

// SecretsDue tells whether the table's policy has the secret branches of a fight
// that is over opened, and when: milliseconds since 1970.
func (r *Replica) SecretsDue() (at int64, owed bool) {
	s := r.State()
	if s.Status != eventv1.State_STATUS_ENDED || s.Imported || !r.Revealed || r.SecretEpoch() == 0 {
		return 0, false
	}
	switch s.SecretDice.GetPolicy().GetWhen() {
	case eventv1.SecretDice_WHEN_END:
		return 0, true
	case eventv1.SecretDice_WHEN_AFTER:
		return s.SecretDice.DueUnixMillis, true
	}
	return 0, false
}

// SecretEpoch is the first epoch whose secret branches are not open; 0 for none.
func (r *Replica) SecretEpoch() uint32 {
	s := r.State()
	for epoch := uint32(1); epoch <= s.Epoch; epoch++ {
		if !slices.Contains(s.SecretDice.GetOpened(), epoch) {
			return epoch
		}
	}
	return 0
}

// Deadline is when the default of an open decision is taken: when it was stored,
// plus the seconds that the encounter allows. Milliseconds since 1970; 0 for a
// decision that waits for ever.
func (r *Replica) Deadline(d *eventv1.Decision) int64 {
	seconds := r.State().DecisionSeconds
	if seconds == 0 || d.DefaultOption == "" || r.Pending == nil || r.Pending.Asked[d.Id] == 0 {
		return 0
	}
	return r.Pending.Asked[d.Id] + int64(seconds)*1000
}
