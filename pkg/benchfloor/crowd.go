package benchfloor

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"google.golang.org/grpc"

	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Audience says whose watches a crowd's are.
type Audience struct {
	// Encounter that is watched.
	Encounter string
	// Conn is the connection of the watcher of a number; a hundred or so share one.
	Conn func(i int) (grpc.ClientConnInterface, error)
	// Viewer is who the watcher of a number is.
	Viewer func(i int) *eventv1.Principal
	// After is the cursor at which the encounter is; nil where there is none.
	After func(ctx context.Context, as *eventv1.Principal) (string, error)
}

// Crowd are watchers that count what comes: the numbers of steps that a viewer sees
// are as many as there are messages.
type Crowd struct {
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

// Gather opens n watches from now on and waits until all of them are caught up. They end
// with Leave, or with ctx.
func Gather(ctx context.Context, n int, of Audience) (*Crowd, error) {
	ctx, stop := context.WithCancel(ctx)
	c := &Crowd{stop: stop, came: make(chan error, n)}
	for i := range n {
		if err := c.join(ctx, i, of); err != nil {
			c.Leave()
			return nil, fmt.Errorf("benchfloor: watcher %d: %w", i+1, err)
		}
	}
	if err := c.Wait(ctx); err != nil {
		c.Leave()
		return nil, err
	}
	return c, nil
}

func (c *Crowd) join(ctx context.Context, i int, of Audience) error {
	as, after := of.Viewer(i), ""
	conn, err := of.Conn(i)
	if err != nil {
		return err
	}
	if of.After != nil {
		if after, err = of.After(ctx, as); err != nil {
			return err
		}
	}
	s, err := WatchRaw(ctx, conn, &encounterv1.WatchRequest{As: as, Encounter: of.Encounter, After: after})
	if err != nil {
		return err
	}
	a := &attendee{want: 1} // that it is caught up
	c.all = append(c.all, a)
	c.wg.Go(func() { // ends with Leave, or with ctx
		for {
			var m Raw
			err := s.RecvMsg(&m)
			if a.counts() || err != nil {
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

// counts counts a message, and tells whether it was what is waited for.
func (a *attendee) counts() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.got++; a.got != a.want {
		return false
	}
	a.at = time.Now()
	return true
}

// Expect has everybody wait for so many messages more. Whoever has them already was
// told more than there is.
func (c *Crowd) Expect(n int) error {
	for _, a := range c.all {
		a.mu.Lock()
		got, want := a.got, a.want
		a.want += n
		a.mu.Unlock()
		if got != want {
			return fmt.Errorf("benchfloor: a watcher has %d messages, %d were sent", got, want)
		}
	}
	return nil
}

// patience is how long a crowd may take to have what it waits for.
const patience = 2 * time.Minute

// Wait waits until everybody has what they wait for.
func (c *Crowd) Wait(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, errors.New("benchfloor: the watchers do not get what they were to be told"))
	defer cancel()
	for range c.all {
		select {
		case err := <-c.came:
			if err != nil {
				return fmt.Errorf("benchfloor: a watch ended: %w", err)
			}
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

// Since adds how long what was waited for took to each.
func (c *Crowd) Since(begin time.Time, took []time.Duration) []time.Duration {
	for _, a := range c.all {
		a.mu.Lock()
		took = append(took, a.at.Sub(begin))
		a.mu.Unlock()
	}
	return took
}

// Leave ends the watches.
func (c *Crowd) Leave() {
	c.stop()
	c.wg.Wait()
}
