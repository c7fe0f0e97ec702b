package engine

import "github.com/skaldrpg/skald/services/encounter/internal/replica"

// What a Fight keeps of its last Commits for those who watch it. Who is further
// behind reads the projection.
const (
	recentCommits = 256
	recentBytes   = 512 << 10
)

// fightBytes is what a Fight takes beside its replica and its Commits.
const fightBytes = 1 << 10

// ring holds the last Commits of a fight, oldest first, bounded in number and
// bytes; the newest is always there.
type ring struct {
	entries []*Entry
	sizes   []int64
	bytes   int64
}

// add takes a Commit that was stored in so many bytes.
func (r *ring) add(e *Entry, stored int) {
	size := replica.Expansion * int64(stored)
	r.entries, r.sizes, r.bytes = append(r.entries, e), append(r.sizes, size), r.bytes+size
	drop := 0
	for n := len(r.entries); drop < n-1 && (n-drop > recentCommits || r.bytes > recentBytes); drop++ {
		r.bytes -= r.sizes[drop]
		r.entries[drop] = nil // append lets go of the array only when it is full
	}
	r.entries, r.sizes = r.entries[drop:], r.sizes[drop:]
}

// from returns at most limit Commits from a version on; false when the first is
// older than what is there.
func (r *ring) from(version uint64, limit int) ([]*Entry, bool) {
	if len(r.entries) == 0 || r.entries[0].Version > version {
		return nil, false
	}
	start := int(version - r.entries[0].Version)
	end := min(len(r.entries), start+limit)
	return append([]*Entry(nil), r.entries[start:end]...), true
}
