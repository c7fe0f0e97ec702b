package journal

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/skaldrpg/skald/pkg/journal/diskwatch"
	"github.com/skaldrpg/skald/pkg/ops"
)

const (
	superviseEvery = 250 * time.Millisecond
	firstRestart   = 250 * time.Millisecond // after a restart that did not help; doubled each time
	longestRestart = 30 * time.Second
	proven         = time.Minute // without a write error, after which the next restart is the first again
)

// breaks is called when the server says that it can not write any more. Nothing
// gets through from here on: it would read, and append behind, what is not there.
func (e *Embedded) breaks(err error) {
	e.mu.Lock()
	if e.broken == nil {
		e.broken = err
	}
	e.mu.Unlock()
	e.settle()
}

// settle opens or closes the gate as things stand.
func (e *Embedded) settle() {
	e.settling.Lock() // or an older look would open what a newer one closed
	defer e.settling.Unlock()
	disk := diskError(e.disk.Status())
	e.mu.Lock()
	broken := e.broken
	e.mu.Unlock()
	var appending, reading error
	if broken != nil {
		reading = fmt.Errorf("%w: the embedded server is being started again after a write error", ErrUnavailable)
		appending = fmt.Errorf("%w: %w", ErrUnwritable, broken)
		if strings.Contains(broken.Error(), noSpace) {
			appending = fmt.Errorf("%w: %w", ErrFull, broken)
		}
	}
	if disk != nil {
		appending = disk
		if e.disk.Status().State == diskwatch.Stalled {
			reading = disk
		}
	}
	e.set(appending, reading)
}

// diskError is why a disk can not be written; nil when it can.
func diskError(s diskwatch.Status) error {
	switch s.State {
	case diskwatch.Well:
		return nil
	case diskwatch.Low, diskwatch.Full:
		return fmt.Errorf("%w: %s", ErrFull, s)
	case diskwatch.Failing:
		return fmt.Errorf("%w: %s", ErrUnwritable, s)
	}
	return fmt.Errorf("%w: %s", ErrStalled, s)
}

// supervise follows the disk and replaces a server that can not write, until ctx ends.
func (e *Embedded) supervise(ctx context.Context) {
	defer close(e.done)
	tick := time.NewTicker(superviseEvery)
	defer tick.Stop()
	r := restarter{e: e}
	was := e.disk.Status().State
	for {
		changed := e.disk.Changed()
		s := e.disk.Status()
		if s.State != was {
			e.say(ctx, s)
			was = s.State
			r.wait, r.next = 0, time.Time{} // another disk, so to speak
		}
		if !e.enabled() {
			e.breaks(fmt.Errorf("journal: JetStream is off"))
		}
		e.settle()
		r.step(ctx, s)
		select {
		case <-ctx.Done():
			return
		case <-changed:
		case <-e.log.wake:
		case <-tick.C:
		}
	}
}

func (e *Embedded) say(ctx context.Context, s diskwatch.Status) {
	if s.State == diskwatch.Well {
		e.log.log.InfoContext(ctx, "journal: the disk is well", "status", s.String())
		return
	}
	e.log.log.ErrorContext(ctx, "journal: commands are refused, reads go on", "disk", s.State.String(), "status", s.String())
}

// enabled is false when the server has turned its store off by itself.
func (e *Embedded) enabled() bool {
	e.mu.Lock()
	srv, broken := e.server, e.broken
	e.mu.Unlock()
	return srv == nil || broken != nil || srv.JetStreamEnabled()
}

// endServer ends the server without waiting; the channel is closed when it has
// closed its files.
func (e *Embedded) endServer() <-chan struct{} {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.server == nil {
		if e.stopping == nil {
			e.stopping = make(chan struct{})
			close(e.stopping)
		}
		return e.stopping
	}
	srv, ended := e.server, make(chan struct{})
	e.server, e.stopping = nil, ended
	go func() { // ends when the system lets go of the server's files
		defer close(ended)
		srv.Shutdown()
		srv.WaitForShutdown()
	}()
	return ended
}

// restarter replaces servers, with growing pauses where that does not help.
type restarter struct {
	e    *Embedded
	last time.Time     // a server was started
	wait time.Duration // before the one after that
	next time.Time     // not before
}

// step does what can be done now towards a server that writes.
func (r *restarter) step(ctx context.Context, disk diskwatch.Status) {
	e := r.e
	e.mu.Lock()
	broken, running := e.broken, e.server != nil
	e.mu.Unlock()
	if broken == nil {
		return
	}
	ended := e.endServer()
	if running {
		e.log.log.ErrorContext(ctx, "journal: the embedded server can not write; it is started again", "error", broken)
		if time.Since(r.last) > proven {
			r.wait = 0
		}
		r.next = time.Now().Add(r.wait)
	}
	select {
	case <-ended:
	case <-ctx.Done():
		return
	case <-time.After(superviseEvery): // the disk may hold it
		return
	}
	if disk.State == diskwatch.Stalled || disk.State == diskwatch.Failing || time.Now().Before(r.next) {
		return
	}
	r.wait = min(max(2*r.wait, firstRestart), longestRestart)
	r.next = time.Now().Add(r.wait)
	e.log.forget()
	e.mu.Lock()
	e.broken = nil // what breaks from here on is of the new one
	e.mu.Unlock()
	err := e.start(ctx)
	e.mu.Lock()
	e.failed = err
	if err == nil {
		e.restarts++
	} else if e.broken == nil {
		e.broken = broken
	}
	e.mu.Unlock()
	if err != nil && ctx.Err() == nil {
		e.log.log.ErrorContext(ctx, "journal: the embedded server does not start", "error", err, "again_in", r.wait)
	}
	if err == nil {
		r.last = time.Now()
		e.log.log.WarnContext(ctx, "journal: the embedded server was started again")
	}
	e.settle()
}

// Part says how the disk and the server on it stand, for ops.Board. While it is
// not Fine commands are refused and reads go on, so that it is Degraded; it has
// Failed when there is no server that could be asked.
func (e *Embedded) Part() ops.Part {
	s := e.disk.Status()
	e.mu.Lock()
	broken, failed, restarts := e.broken, e.failed, e.restarts
	e.mu.Unlock()
	p := ops.Part{Name: "disk", Text: s.String(), Figures: []ops.Figure{
		{Name: "disk_free_bytes", Help: "Free room on the disk of the journal.", Value: float64(s.Free)},
		{Name: "disk_reserve_bytes", Help: "Room that the reserve holds; 0 when it was given up.", Value: float64(s.Reserve)},
		{Name: "disk_canary_seconds", Help: "How long the last small write to the disk took, or takes by now.", Value: s.Canary.Seconds()},
		{Name: "journal_restarts_total", Help: "Embedded servers that were replaced since the start because they could not write.", Value: float64(restarts)},
	}}
	switch {
	case broken != nil && failed != nil:
		p.State, p.Text = ops.Failed, fmt.Sprintf("the embedded server does not start: %v; %s", failed, s)
	case broken != nil:
		p.State, p.Text = ops.Degraded, fmt.Sprintf("the embedded server is being started again: %v", broken)
	case s.State != diskwatch.Well:
		p.State = ops.Degraded
	}
	return p
}
