package daemon

import (
	"os"
	"strings"
	"sync"
	"time"
)

// clockLook is how often the file of a false clock is looked at.
const clockLook = 100 * time.Millisecond

// falseClock is time as it would be on a machine whose clock is wrong: by how much
// is in a file ("-1h30m"), which a test changes while the service runs. Without
// such a file it is the machine's own. Nothing but the times of Commits and
// deadlines depends on it.
type falseClock struct {
	path string

	mu     sync.Mutex
	looked time.Time
	off    time.Duration
}

// now is the time of the false clock.
func (c *falseClock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	if now.Sub(c.looked) > clockLook {
		c.looked, c.off = now, 0
		if text, err := os.ReadFile(c.path); err == nil {
			if d, err := time.ParseDuration(strings.TrimSpace(string(text))); err == nil {
				c.off = d
			}
		}
	}
	return now.Add(c.off)
}

// clock is the clock of the services; nil is the machine's.
func (o *options) clock() func() time.Time {
	if o.clockFile == "" {
		return nil
	}
	return (&falseClock{path: o.clockFile}).now
}
