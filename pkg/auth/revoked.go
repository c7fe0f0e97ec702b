package auth

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"
)

// revocations are the tokens that are no longer good before they expire. The zero
// value revokes nothing.
type revocations struct {
	source *source

	mu     sync.RWMutex // every watch asks whenever it sends
	ids    map[string]bool
	before map[string]time.Time // by subject: tokens issued before then
	signal chan struct{}        // closed when the list changes
}

func newRevocations(ctx context.Context, name string, log *slog.Logger) (*revocations, error) {
	r := &revocations{signal: make(chan struct{})}
	if name == "" {
		return r, nil
	}
	r.source = newSource(name, log, r.take)
	return r, r.source.look(ctx, 0)
}

// take reads a list. A line is "jti ID" or "sub NAME before TIME" (RFC 3339);
// what follows # at the beginning of a line, and empty lines, say nothing.
func (r *revocations) take(data []byte) error {
	ids, before := map[string]bool{}, map[string]time.Time{}
	for i, line := range strings.Split(string(data), "\n") {
		words := strings.Fields(line)
		switch {
		case len(words) == 0 || strings.HasPrefix(words[0], "#"):
		case len(words) == 2 && words[0] == "jti":
			ids[words[1]] = true
		case len(words) >= 4 && words[0] == "sub" && words[len(words)-2] == "before":
			at, err := time.Parse(time.RFC3339, words[len(words)-1])
			if err != nil {
				return fmt.Errorf("line %d: want a time such as 2026-01-31T18:00:00Z, got %q", i+1, words[len(words)-1])
			}
			name := strings.Join(words[1:len(words)-2], " ")
			if at.After(before[name]) {
				before[name] = at
			}
		default:
			return fmt.Errorf("line %d: want \"jti ID\" or \"sub NAME before TIME\"", i+1)
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ids, r.before = ids, before
	close(r.signal)
	r.signal = make(chan struct{})
	return nil
}

// has tells whether a grant is revoked. A token that does not say when it was
// issued was issued before any time.
func (r *revocations) has(g *Grant) bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if g.ID != "" && r.ids[g.ID] {
		return true
	}
	at, ok := r.before[g.Subject]
	return ok && g.issued.Before(at)
}

func (r *revocations) changed() <-chan struct{} {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.signal
}
