package journal

import "testing"

// A replica that lags says that nothing is pending; only with everything handed
// over that the leader knew of is that the end.
func TestSignalNeedsTheLeadersEnd(t *testing.T) {
	for name, c := range map[string]struct {
		next, target, last uint64
		nothingPending     bool
		caughtUp           bool
		lastSeq            uint64
	}{
		"empty stream":                    {1, 0, 0, true, true, 0},
		"lagging replica":                 {3, 3, 3, true, false, 0},
		"lagging replica, all missing":    {1, 3, 3, true, false, 0},
		"more is coming":                  {4, 3, 3, false, false, 0},
		"at the end":                      {4, 3, 3, true, true, 3},
		"filtered, the last is another's": {3, 2, 9, true, true, 9},
		"beyond the end known":            {12, 3, 9, true, true, 11},
	} {
		f := follower{next: c.next, target: c.target, last: c.last}
		if b := f.signal(Batch{}, c.nothingPending); b.CaughtUp != c.caughtUp || b.LastSeq != c.lastSeq {
			t.Errorf("%s: %+v", name, b)
		}
	}
}
