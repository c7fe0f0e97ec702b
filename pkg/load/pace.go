package load

import (
	"slices"
	"time"
)

// Windows in which a pace is measured.
const (
	window      = 250 * time.Millisecond
	windowLeast = 16  // pieces of work, fewer say nothing of how long work takes
	windowMost  = 256 // durations kept of one window
	roomLeast   = 32  // places in the queue whatever is done in time
	roomMost    = 4096
	firstRate   = 1000 // a second, before anything is known

	probeEvery = 10 * time.Second
	probeMost  = time.Second
	probeFor   = 16 // pieces of work
)

// pace is how much is let in at a time and how much may wait, by what the machine
// does. It is guarded by the gate.
//
// How long work takes says nothing by itself: a disk that needs 50 ms to sync is
// slow however little there is to do, and does most when much is let in. So it is
// held against what work takes with next to nothing else to do, which is seen
// whenever there is little to do, and, where there never is, by letting in little
// for a moment every few seconds.
type pace struct {
	limits Limits
	width  float64       // how much is let in at a time
	rate   float64       // done a second while there was enough to do
	base   time.Duration // what work takes with next to nothing to do; 0 unknown

	began     time.Time // of this window
	finished  int
	took      []time.Duration
	saturated bool // in this window there was more to do than was let in

	known   time.Time // when base was last seen
	probing time.Time // since when little is let in to see it; zero when not
	probed  int       // pieces of work that showed it since then
}

func newPace(l Limits) pace { return pace{limits: l, width: float64(l.Start), rate: firstRate} }

// alone is how much under way is next to nothing.
func (p *pace) alone() int { return max(1, p.limits.Least/2) }

// limit is how much is let in at a time.
func (p *pace) limit() int {
	if !p.probing.IsZero() {
		return p.alone()
	}
	return int(p.width)
}

// room is how much may wait.
func (p *pace) room() int {
	return min(max(int(p.rate*p.limits.Wait.Seconds()), roomLeast), roomMost)
}

// service is how long work should take at most in the middle.
func (p *pace) service() time.Duration { return max(p.limits.Service, 4*p.base) }

// done takes account of a piece of work: how long it took, whether it was nearly
// alone, whether there is more to do than is let in.
func (p *pace) done(now time.Time, took time.Duration, alone, saturated bool) {
	if p.began.IsZero() {
		p.began, p.known = now, now
	}
	p.finished++
	p.saturated = p.saturated || saturated
	if len(p.took) < windowMost {
		p.took = append(p.took, took)
	}
	if alone {
		p.rest(now, took)
	}
	if !p.probing.IsZero() && (p.probed >= probeFor || now.Sub(p.probing) > probeMost) {
		p.probing, p.known = time.Time{}, now
	}
	if since := now.Sub(p.began); since >= window {
		p.turn(now, since)
		p.began, p.finished, p.took, p.saturated = now, 0, p.took[:0], false
	}
}

// rest learns what work takes when there is next to nothing else. One that takes
// very long by itself counts for little.
func (p *pace) rest(now time.Time, took time.Duration) {
	if p.base == 0 {
		p.base = took
	}
	p.base += (min(took, 3*p.base) - p.base) / 8
	p.known = now
	p.probed++
}

// turn ends a window that lasted so long.
func (p *pace) turn(now time.Time, lasted time.Duration) {
	rate := float64(p.finished) / lasted.Seconds()
	if !p.saturated {
		p.rate = max(p.rate, rate)
		return
	}
	if !p.probing.IsZero() {
		return // it is narrow on purpose
	}
	p.rate += (rate - p.rate) / 4
	if now.Sub(p.known) > probeEvery {
		p.probing, p.probed = now, 0
	}
	if len(p.took) < windowLeast && len(p.took) < p.limit() {
		return
	}
	slices.Sort(p.took)
	switch middle := p.took[len(p.took)/2]; {
	case middle > p.service():
		p.width = max(float64(p.limits.Least), p.width*0.85)
	case middle < p.service()*2/3:
		p.width = min(float64(p.limits.Most), p.width+max(1, p.width/8))
	}
}
