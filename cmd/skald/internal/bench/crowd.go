package bench

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"google.golang.org/grpc"

	"github.com/skaldrpg/skald/pkg/benchfloor"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// crowd are watchers that count what comes: a message for each command.
type crowd struct {
	stop context.CancelFunc
	wg   sync.WaitGroup
	all  []*attendee
	came chan error // from each who has what it waits for, or can not get it
}

// attendee is one of them.
type attendee struct {
	mu        sync.Mutex
	got, want int
	at        time.Time // when what was wanted came
}

// viewer is who the watcher of a number is: game masters, players, and for the most
// part spectators of names of their own.
func viewer(i int) *eventv1.Principal {
	switch i % 10 {
	case 1:
		return gm
	case 2, 3:
		return ann
	}
	return &eventv1.Principal{Role: eventv1.Principal_ROLE_SPECTATOR, Name: fmt.Sprint("s", i)}
}

// now is the cursor at which a fight is; a floor has none.
type now func(ctx context.Context, as *eventv1.Principal) (string, error)

// gather opens n watches from now on and waits until all of them are caught up.
func gather(ctx context.Context, h *hall, n int, fight string, at now) (*crowd, error) {
	ctx, stop := context.WithCancel(ctx)
	c := &crowd{stop: stop, came: make(chan error, n)}
	for i := range n {
		if err := c.join(ctx, h.conns[i%connections], fight, viewer(i), at); err != nil {
			c.leave()
			return nil, fmt.Errorf("watcher %d: %w", i+1, err)
		}
	}
	if err := c.wait(ctx); err != nil {
		c.leave()
		return nil, err
	}
	return c, nil
}

func (c *crowd) join(ctx context.Context, conn *grpc.ClientConn, fight string, as *eventv1.Principal, at now) error {
	after := ""
	if at != nil {
		var err error
		if after, err = at(ctx, as); err != nil {
			return err
		}
	}
	s, err := benchfloor.WatchRaw(ctx, conn, &encounterv1.WatchRequest{As: as, Encounter: fight, After: after})
	if err != nil {
		return err
	}
	a := &attendee{want: 1} // that it is caught up
	c.all = append(c.all, a)
	c.wg.Go(func() { // ends with leave, or with ctx
		for {
			var m benchfloor.Raw
			err := s.RecvMsg(&m)
			a.mu.Lock()
			a.got++
			has := a.got == a.want
			if has {
				a.at = time.Now()
			}
			a.mu.Unlock()
			if has || err != nil {
				select {
				case c.came <- err:
				case <-ctx.Done():
				}
			}
			if err != nil {
				return
			}
		}
	})
	return nil
}

// expect has everybody wait for so many messages more. Whoever has them already was
// told more than there is.
func (c *crowd) expect(n int) error {
	for _, a := range c.all {
		a.mu.Lock()
		got, want := a.got, a.want
		a.want += n
		a.mu.Unlock()
		if got != want {
			return fmt.Errorf("a watcher has %d messages, %d were sent", got, want)
		}
	}
	return nil
}

// patience is how long a crowd may take to have what it waits for.
const patience = 2 * time.Minute

// wait waits until everybody has what they wait for.
func (c *crowd) wait(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, errors.New("the watchers do not get what they were to be told"))
	defer cancel()
	for range c.all {
		select {
		case err := <-c.came:
			if err != nil {
				return fmt.Errorf("a watch ended: %w", err)
			}
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

// since adds how long what was waited for took to each.
func (c *crowd) since(begin time.Time, s *sample) {
	for _, a := range c.all {
		a.mu.Lock()
		s.took = append(s.took, a.at.Sub(begin))
		a.mu.Unlock()
	}
}

// leave ends the watches.
func (c *crowd) leave() {
	c.stop()
	c.wg.Wait()
}

// flood is a side of commands one after the other, whether anybody has read them; that
// all have is waited for at the end, so that reading is in the processor's time and not
// in the commands a second.
func (c *crowd) flood(op operation) side {
	return func(ctx context.Context, s *sample, n int) error {
		if err := c.expect(n); err != nil {
			return err
		}
		before := s.elapsed
		done := s.count(n)
		wrote := sample{took: s.took}
		if err := wrote.each(ctx, n, op); err != nil {
			return err
		}
		if err := c.wait(ctx); err != nil {
			return err
		}
		done()
		s.took, s.elapsed = wrote.took, before+wrote.elapsed
		return nil
	}
}

// told is a side of commands that everybody has before the next: each watcher's time
// counts.
func (c *crowd) told(op operation) side {
	return func(ctx context.Context, s *sample, n int) error {
		defer s.count(n)()
		for range n {
			if err := c.expect(1); err != nil {
				return err
			}
			begin := time.Now()
			if err := op(ctx); err != nil {
				return err
			}
			if err := c.wait(ctx); err != nil {
				return err
			}
			c.since(begin, s)
		}
		return nil
	}
}

// cursors tells where a fight is.
func (w *world) cursors(fight string) now {
	return func(ctx context.Context, as *eventv1.Principal) (string, error) {
		resp, err := w.hall.client(0).GetState(ctx, &encounterv1.GetStateRequest{As: as, Encounter: fight})
		return resp.GetCursor(), err
	}
}

// message is what a spectator is sent for a command, as bytes.
func (w *world) message(ctx context.Context, fight string, cmd *eventv1.Command) (m benchfloor.Raw, err error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	after, err := w.cursors(fight)(ctx, spectator)
	if err != nil {
		return nil, err
	}
	s, err := benchfloor.WatchRaw(ctx, w.hall.conns[0], &encounterv1.WatchRequest{As: spectator, Encounter: fight, After: after})
	if err != nil {
		return nil, err
	}
	if err := s.RecvMsg(&m); err != nil { // that it is caught up
		return nil, err
	}
	if err := w.do(ctx, w.hall.client(0), fight, cmd); err != nil {
		return nil, err
	}
	return m, s.RecvMsg(&m)
}

// watched measures a command with so many watchers beside a server that publishes and
// sends as many bytes. How says what of a crowd is measured.
func (r *run) watched(ctx context.Context, rounds, watchers int, fight string, cmd *eventv1.Command, how func(*crowd, operation) side) (err error) {
	m, err := r.message(ctx, fight, cmd)
	if err != nil {
		return err
	}
	echo, err := r.echo(ctx, fight)
	if err != nil {
		return err
	}
	b := benchfloor.NewBroadcaster(echo, m)
	below, err := floor(b)
	if err != nil {
		return err
	}
	defer func() { err = closing(err, below) }()
	defer b.Stop()
	floors, err := gather(ctx, below, watchers, fight, nil)
	if err != nil {
		return err
	}
	defer floors.leave()
	real, err := gather(ctx, r.hall, watchers, fight, r.cursors(fight))
	if err != nil {
		return err
	}
	defer real.leave()
	f, s, err := beside(ctx, rounds, how(floors, r.command(below.client(0), fight, cmd)), how(real, r.command(r.hall.client(0), fight, cmd)))
	if err == nil {
		r.add(lineOf(plural(watchers, "watcher"), f, s))
	}
	return err
}
