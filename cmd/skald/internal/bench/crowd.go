package bench

import (
	"context"
	"fmt"
	"time"

	"github.com/skaldrpg/skald/pkg/benchfloor"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// crowd are watchers of a fight, or of a floor.
type crowd struct{ *benchfloor.Crowd }

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
func gather(ctx context.Context, h *hall, n int, fight string, at now) (crowd, error) {
	c, err := benchfloor.Gather(ctx, n, benchfloor.Audience{Encounter: fight, Conn: h.shared, Viewer: viewer, After: at})
	return crowd{c}, err
}

// flood is a side of commands one after the other, whether anybody has read them; that
// all have is waited for at the end, so that reading is in the processor's time and not
// in the commands a second.
func (c crowd) flood(op operation) side {
	return func(ctx context.Context, s *sample, n int) error {
		if err := c.Expect(n); err != nil {
			return err
		}
		before := s.elapsed
		done := s.count(n)
		wrote := sample{took: s.took}
		if err := wrote.each(ctx, n, op); err != nil {
			return err
		}
		if err := c.Wait(ctx); err != nil {
			return err
		}
		done()
		s.took, s.elapsed = wrote.took, before+wrote.elapsed
		return nil
	}
}

// told is a side of commands that everybody has before the next: each watcher's time
// counts.
func (c crowd) told(op operation) side {
	return func(ctx context.Context, s *sample, n int) error {
		defer s.count(n)()
		for range n {
			if err := c.Expect(1); err != nil {
				return err
			}
			begin := time.Now()
			if err := op(ctx); err != nil {
				return err
			}
			if err := c.Wait(ctx); err != nil {
				return err
			}
			s.took = c.Since(begin, s.took)
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
func (r *run) watched(ctx context.Context, rounds, watchers int, fight string, cmd *eventv1.Command, how func(crowd, operation) side) (err error) {
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
	defer floors.Leave()
	real, err := gather(ctx, r.hall, watchers, fight, r.cursors(fight))
	if err != nil {
		return err
	}
	defer real.Leave()
	f, s, err := beside(ctx, rounds, how(floors, r.command(below.client(0), fight, cmd)), how(real, r.command(r.hall.client(0), fight, cmd)))
	if err == nil {
		r.add(lineOf(plural(watchers, "watcher"), f, s))
	}
	return err
}
