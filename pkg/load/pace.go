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
)

// pace is how much is let in at a time and how much may wait, by what the machine
// does. It is guarded by the gate.
type pace struct {
	limits Limits
	width  float64       // how much is let in at a time
	rate   float64       // done a second while there was enough to do
	base   time.Duration // what work takes with next to nothing to do; 0 unknown

	began     time.Time // of this window
	done_     int
	took      []time.Duration
	saturated bool // in this window there was more to do than was let in
}

func newPace(l Limits) pace { return pace{limits: l, width: float64(l.Start), rate: firstRate} }

// limit is how much is let in at a time.
func (p *pace) limit() int { return int(p.width) }

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
		p.began = now
	}
	p.done_++
	p.saturated = p.saturated || saturated
	if len(p.took) < windowMost {
		p.took = append(p.took, took)
	}
	if alone {
		p.rest(took)
	}
	if since := now.Sub(p.began); since >= window {
		p.turn(since)
		p.began, p.done_, p.took, p.saturated = now, 0, p.took[:0], false
	}
}

// rest learns what work takes when there is next to nothing else: slowly, and
// faster downwards, since a few pieces take long by themselves.
func (p *pace) rest(took time.Duration) {
	switch {
	case p.base == 0:
		p.base = took
	case took < p.base:
		p.base -= (p.base - took) / 4
	default:
		p.base += min(took-p.base, p.base) / 64
	}
}

// turn ends a window.
func (p *pace) turn(lasted time.Duration) {
	rate := float64(p.done_) / lasted.Seconds()
	if !p.saturated {
		p.rate = max(p.rate, rate)
		return
	}
	p.rate += (rate - p.rate) / 4
	if len(p.took) < windowLeast && len(p.took) < p.limit() {
		return
	}
	slices.Sort(p.took)
	switch middle := p.took[len(p.took)/2]; {
	case middle > p.service():
		p.width = max(float64(p.limits.Least), p.width*0.85)
	case middle < p.service()*2/3:
		p.width = min(float64(p.limits.Most), p.width+max(1, p.width/16))
	}
}
