//go:build linux

package cluster

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"time"
)

// Outcome of a command as its client knows it.
type Outcome int

// Outcomes.
const (
	// Done: acknowledged.
	Done Outcome = iota
	// Refused: the rules or the state do not allow it; nothing was stored.
	Refused
	// Stale: it was given by a cursor that is not the last; nothing was stored.
	Stale
	// Unknown: no attempt was answered for good.
	Unknown
	// Read: no command; Number is what was read.
	Read
)

// Op is one command, all its attempts under one request id included, or a read.
type Op struct {
	// Encounter and Client.
	Encounter string
	Client    int
	// Call and Return, nanoseconds since the history began; Return of an unknown
	// command is never.
	Call, Return int64
	// Request is the id of the request.
	Request string
	// Expected is the number that it was decided by; 0 is any.
	Expected uint64
	// Number that it led to, or that was read.
	Number uint64
	// Outcome as the client knows it.
	Outcome Outcome
}

// History is what all clients did and saw.
type History struct {
	began time.Time

	mu       sync.Mutex
	ops      []Op
	acks     []time.Time
	tends    map[string]string // acknowledged requests of patients: id -> table/patient
	states   map[string]string // digest of what was read, by encounter and number
	problems []string
	refused  map[string]int // refusals by reason, for people
	retries  int
}

// NewHistory begins one.
func NewHistory() *History {
	return &History{began: time.Now(), tends: map[string]string{}, states: map[string]string{}, refused: map[string]int{}}
}

func (h *History) now() int64 { return int64(time.Since(h.began)) }

func (h *History) add(op Op) {
	h.mu.Lock()
	defer h.mu.Unlock()
	op.Return = int64(time.Since(h.began))
	if op.Outcome == Unknown {
		op.Return = math.MaxInt64
	}
	if op.Outcome == Done {
		h.acks = append(h.acks, time.Now())
	}
	h.ops = append(h.ops, op)
}

// problem notes what must not be.
func (h *History) problem(format string, args ...any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.problems) < 50 {
		h.problems = append(h.problems, time.Since(h.began).Round(time.Millisecond).String()+" "+fmt.Sprintf(format, args...))
	}
}

// same holds that whatever is read of a step is the same, whoever answers.
func (h *History) same(what, key, digest string) {
	h.mu.Lock()
	was, known := h.states[what+key]
	h.states[what+key] = digest
	h.mu.Unlock()
	if known && was != digest {
		h.problem("%s of %s is not the same wherever it is read", what, key)
	}
}

// longest is the longest time without an acknowledgement within a stretch.
func (h *History) longest(from, to time.Time) time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	i, _ := slices.BinarySearchFunc(h.acks, from, time.Time.Compare)
	last, most := from, time.Duration(0)
	for ; i < len(h.acks) && h.acks[i].Before(to); i++ {
		most, last = max(most, h.acks[i].Sub(last)), h.acks[i]
	}
	return max(most, to.Sub(last))
}

// Ops lists what was done, of one encounter.
func (h *History) byEncounter() map[string][]Op {
	h.mu.Lock()
	defer h.mu.Unlock()
	out := map[string][]Op{}
	for _, op := range h.ops {
		out[op.Encounter] = append(out[op.Encounter], op)
	}
	return out
}

// count counts outcomes.
func (h *History) count(o Outcome) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	n := 0
	for _, op := range h.ops {
		if op.Outcome == o {
			n++
		}
	}
	return n
}
