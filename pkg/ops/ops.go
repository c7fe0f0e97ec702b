// Package ops collects how the parts of a running process stand (the journal,
// its disk, the archive, each projection), so that one list answers the status
// call, the metrics and the log alike.
//
// It must never decide anything: parts say how they stand, operators and health
// checks draw the conclusions.
package ops

import (
	"cmp"
	"slices"
	"sync"
)

// State is how a part stands.
type State int

// States, the worst last.
const (
	// Fine: nothing is wrong.
	Fine State = iota
	// Degraded: it works, and somebody should look: a fight is closed, the
	// archive is behind, the disk is nearly full.
	Degraded
	// Failed: it does not do its work.
	Failed
)

// String is the word for a state.
func (s State) String() string {
	switch s {
	case Fine:
		return "fine"
	case Degraded:
		return "degraded"
	}
	return "failed"
}

// Figure is a number of a part. Its name is that of its metric, without the
// prefix "skald_": archive_behind_seconds.
type Figure struct {
	// Name in snake case with the unit at its end, as Prometheus wants it.
	Name string
	// Help says what it is, in one line.
	Help string
	// Value in the unit of the name.
	Value float64
}

// Closed is an encounter, a patient or a set of dice whose record is broken: it
// is closed, and everything else goes on.
type Closed struct {
	// Table, Kind (encounter, patient, dice) and ID name it.
	Table, Kind, ID string
	// Sequence in the stream of the record that broke it.
	Sequence uint64
	// Why says what is wrong with the record.
	Why string
}

// Part is how one part of a process stands.
type Part struct {
	// Name of the part: journal, disk, archive, encounter.
	Name string
	// State of it.
	State State
	// Text for people: one line; it may be empty where all is fine.
	Text string
	// Figures of the part.
	Figures []Figure
	// Closed lists what is closed, at most some hundred.
	Closed []Closed
}

// Board is the list of a process's parts. The zero value is ready, and a nil
// Board takes parts and forgets them. It is safe for concurrent use.
type Board struct {
	mu    sync.Mutex
	parts []func() []Part
}

// Add puts a part on the board; fn is called for each look and must be quick and
// safe for concurrent use.
func (b *Board) Add(fn func() Part) {
	b.AddAll(func() []Part { return []Part{fn()} })
}

// AddAll puts parts on the board that come and go, as Add does one.
func (b *Board) AddAll(fn func() []Part) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.parts = append(b.parts, fn)
}

// Parts asks every part how it stands, in order of names.
func (b *Board) Parts() []Part {
	if b == nil {
		return nil
	}
	b.mu.Lock()
	fns := slices.Clone(b.parts)
	b.mu.Unlock()
	var out []Part
	for _, fn := range fns {
		out = append(out, fn()...)
	}
	slices.SortStableFunc(out, func(x, y Part) int { return cmp.Compare(x.Name, y.Name) })
	return out
}

// Worst is the state of the part that stands worst.
func Worst(parts []Part) State {
	worst := Fine
	for _, p := range parts {
		worst = max(worst, p.State)
	}
	return worst
}
