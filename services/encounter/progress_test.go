package encounter_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/skaldrpg/skald/pkg/fault"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// progress is how far a ruling is, for the game master.
func (c *client) progress(id string) *encounterv1.Progress {
	c.w.t.Helper()
	resp, err := c.GetProgress(c.w.t.Context(), &encounterv1.GetProgressRequest{As: gm, Encounter: id})
	if err != nil {
		c.w.t.Fatal(err)
	}
	return resp.Progress
}

// ruling is a ruling that is being made.
type ruling struct {
	c    *client
	stop context.CancelFunc
	done chan error
	seen []*encounterv1.Progress
}

// begin begins a ruling.
func (c *client) begun(id, request string, cmd *eventv1.Command) *ruling {
	ctx, stop := context.WithTimeout(c.w.t.Context(), time.Minute)
	r := &ruling{c: c, stop: stop, done: make(chan error, 1)}
	go func() { // ends with the call
		_, err := c.Execute(ctx, &encounterv1.ExecuteRequest{RequestId: request, As: gm, Encounter: id, Command: cmd})
		r.done <- err
	}()
	return r
}

// until looks until the ruling is as far as wanted, and tells whether it was seen so; false
// when it ended before.
func (r *ruling) until(id string, far func(*encounterv1.Progress) bool) bool {
	r.c.w.t.Helper()
	for {
		select {
		case err := <-r.done:
			r.done <- err
			return false
		default:
		}
		p := r.c.progress(id)
		if p == nil {
			continue
		}
		r.seen = append(r.seen, p)
		if far(p) {
			return true
		}
	}
}

// ended waits until nothing is being made any more, and returns what the caller was told.
func (r *ruling) ended(id string) error {
	r.c.w.t.Helper()
	err := <-r.done
	for r.c.progress(id) != nil && r.c.w.t.Context().Err() == nil {
		continue // the call was let go of, and the service is about to notice
	}
	return err
}

// A game master sees how far a ruling of a long fight is, while the fight is read by
// everybody. Called off while commands are decided or the new history is written, it
// changes nothing, and the same request makes it afterwards.
func TestProgressOfALongRuling(t *testing.T) {
	w := newWorld(t)
	w.inline = 4 << 10
	c := w.start()
	c.fight("e", either)
	const commands = 600
	for range commands {
		c.do(gm, "e", attackCmd("a", "b", 50, 12, 1))
	}
	if p := c.progress("e"); p != nil {
		t.Errorf("nothing is being made: %v", p)
	}
	for _, as := range []*eventv1.Principal{ann, spectator} {
		if _, err := c.GetProgress(t.Context(), &encounterv1.GetProgressRequest{As: as, Encounter: "e"}); code(err) != fault.Denied {
			t.Errorf("%s: %v", as.Role, err)
		}
	}
	before := c.state(gm, "e", 0)
	am := amendCmd(&eventv1.AmendCommand{Version: 5, Command: attackCmd("a", "b", 50, 15, 4)})
	for what, far := range map[string]func(*encounterv1.Progress) bool{
		"deciding": func(p *encounterv1.Progress) bool {
			return p.Phase == encounterv1.Progress_PHASE_DECIDING && p.Done > 0
		},
		"writing": func(p *encounterv1.Progress) bool { return p.Phase == encounterv1.Progress_PHASE_WRITING },
	} {
		r := c.begun("e", what, am)
		if !r.until("e", far) {
			t.Fatalf("%s: it ended unseen: %v", what, r.seen)
		}
		if s := c.state(ann, "e", 0); s.Number == 0 { // nobody waits for it
			t.Errorf("%s: ann sees %v", what, s)
		}
		r.stop()
		if err := r.ended("e"); err == nil {
			t.Errorf("%s: it was called off and made", what)
		}
		if now := c.state(gm, "e", 0); now.Number != before.Number {
			t.Errorf("%s: called off at %v, and there are steps: %d after %d", what, r.seen[len(r.seen)-1], now.Number, before.Number)
		}
	}
	r := c.begun("e", "deciding", am) // the request that was called off
	defer r.stop()
	r.until("e", func(*encounterv1.Progress) bool { return false })
	if err := r.ended("e"); err != nil {
		t.Fatal(err)
	}
	if now := c.state(gm, "e", 0); now.Number != before.Number+1 || now.State.Creatures["b"].GetHp() != before.State.Creatures["b"].GetHp()-3 {
		t.Errorf("step %d after %d", now.Number, before.Number)
	}
	var phases []encounterv1.Progress_Phase
	var last *encounterv1.Progress
	for _, p := range r.seen {
		if p.Done > p.Total || p.BeganUnixMillis == 0 || p.Elsewhere || p.Phase == encounterv1.Progress_PHASE_DECIDING && p.Total != commands {
			t.Errorf("%v", p)
		}
		if last != nil && (p.Round < last.Round || p.Round == last.Round && p.Phase < last.Phase || p.Round == last.Round && p.Phase == last.Phase && p.Done < last.Done) {
			t.Errorf("%v after %v", p, last)
		}
		last = p
		phases = append(phases, p.Phase)
	}
	if phases = slices.Compact(phases); !slices.Contains(phases, encounterv1.Progress_PHASE_DECIDING) || !slices.Contains(phases, encounterv1.Progress_PHASE_WRITING) {
		t.Errorf("seen: %v", phases)
	}
	t.Logf("seen %d times", len(r.seen))
}
