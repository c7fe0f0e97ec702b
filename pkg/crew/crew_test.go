package crew_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/skaldrpg/skald/pkg/crew"
	"github.com/skaldrpg/skald/pkg/daemon/daemontest"
)

const every = 50 * time.Millisecond

func connect(t *testing.T, url string) *nats.Conn {
	t.Helper()
	nc, err := nats.Connect(url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return nc
}

// join makes a member that announces itself until stop is called.
func join(t *testing.T, nc *nats.Conn, n, owners int) (c *crew.Crew, stop func()) {
	t.Helper()
	return joinEvery(t, nc, n, owners, every)
}

func joinEvery(t *testing.T, nc *nats.Conn, n, owners int, every time.Duration) (c *crew.Crew, stop func()) {
	t.Helper()
	c, err := crew.Join(crew.Config{Conn: nc, Service: "test", Calls: fmt.Sprint("host:", n), Owners: owners, Every: every})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- c.Run(ctx) }() // ends with stop
	stopped := false
	stop = func() {
		if stopped {
			return
		}
		stopped = true
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	t.Cleanup(stop)
	return c, stop
}

func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s: not within 20 seconds", what)
		}
	}
}

func agree(crews []*crew.Crew, members int) func() bool {
	return func() bool {
		return !slices.ContainsFunc(crews, func(c *crew.Crew) bool { return len(c.Members()) != members })
	}
}

// Members find each other, agree on the owners of every stream, give up no more
// than the share of one that goes, and notice one that went without a word.
func TestCrew(t *testing.T) {
	url := daemontest.NATS(t)
	var crews []*crew.Crew
	var stops []func()
	var conns []*nats.Conn
	for i := range 4 {
		conns = append(conns, connect(t, url))
		c, stop := join(t, conns[i], i, 2)
		crews, stops = append(crews, c), append(stops, stop)
	}
	until(t, "four members", agree(crews, 4))
	const streams = 64
	before := map[int][]string{}
	folds := map[string]int{}
	for p := range streams {
		for _, m := range crews[0].Owners(p) {
			before[p] = append(before[p], m.ID)
			folds[m.ID]++
		}
		if len(before[p]) != 2 {
			t.Fatalf("stream %d has owners %v", p, before[p])
		}
		for k, c := range crews[1:] {
			for i, m := range c.Owners(p) {
				if m.ID != before[p][i] {
					t.Fatalf("members 0 and %d do not agree on stream %d", k+1, p)
				}
			}
			if c.Owns(p) != slices.Contains(before[p], c.ID()) {
				t.Errorf("member %d does not know whether it owns %d", k+1, p)
			}
		}
	}
	for id, n := range folds {
		if n < streams*2/4/3 {
			t.Errorf("member %s folds %d of %d", id, n, streams)
		}
	}
	gone := crews[3].ID()
	stops[3]()
	until(t, "three members after a goodbye", agree(crews[:3], 3))
	for p := range streams {
		var now []string
		for _, m := range crews[0].Owners(p) {
			now = append(now, m.ID)
		}
		kept := slices.DeleteFunc(slices.Clone(before[p]), func(id string) bool { return id == gone })
		for _, id := range kept {
			if !slices.Contains(now, id) {
				t.Errorf("stream %d moved away from a member that stayed", p)
			}
		}
	}
	if crews[0].Knows(gone) || !crews[0].Knows(crews[1].ID()) || crews[0].Knows("") {
		t.Error("member 0 knows the wrong ids")
	}
	conns[2].Close() // it says nothing any more
	until(t, "two members after a silence", agree(crews[:2], 2))
	crews[0].Gone(crews[1].ID())
	until(t, "a member that was given up comes back", agree(crews[:1], 2))
}

// What is no announcement adds no member.
func TestForeignAnnouncements(t *testing.T) {
	url := daemontest.NATS(t)
	nc := connect(t, url)
	c, _ := joinEvery(t, nc, 0, 2, time.Hour)
	for _, data := range []string{"", "{", "null", `{"id":"x"}`, `{"calls":"a:1"}`, `[]`} {
		if err := nc.Publish(crew.Subject("test"), []byte(data)); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 3000 {
		if err := nc.Publish(crew.Subject("test"), []byte(fmt.Sprintf(`{"id":"flood%d","calls":"a:1"}`, i))); err != nil {
			t.Fatal(err)
		}
		if i%100 == 0 { // no faster than it is heard, and all within the time of one silence
			time.Sleep(time.Millisecond)
		}
	}
	until(t, "the flood", func() bool { return len(c.Members()) > 1000 })
	time.Sleep(300 * time.Millisecond) // what is under way
	if n := len(c.Members()); n > 1025 {
		t.Errorf("%d members", n)
	}
}

// Who comes asks who is there, and who goes says so: nobody waits for the next
// announcement, nor for its absence.
func TestHelloAndGoodbye(t *testing.T) {
	url := daemontest.NATS(t)
	a, _ := joinEvery(t, connect(t, url), 0, 2, time.Hour)
	time.Sleep(50 * time.Millisecond) // its own hello is over
	b, stop := joinEvery(t, connect(t, url), 1, 2, time.Hour)
	until(t, "both know of both", agree([]*crew.Crew{a, b}, 2))
	lost := a.Lost(b.ID())
	stop()
	until(t, "a goodbye", agree([]*crew.Crew{a}, 1))
	<-lost
	<-a.Lost("nobody")
}

// Nobody is alone well.
func TestAlone(t *testing.T) {
	var c *crew.Crew
	if !c.Owns(3) || c.Members() != nil || c.Knows("x") || c.ID() != "" || c.Settle(t.Context()) != nil {
		t.Error("a process without a crew does not fold everything")
	}
	c.Folding([]int{1})
	c.Gone("x")
	if _, err := crew.Join(crew.Config{}); err == nil {
		t.Error("joined nothing")
	}
}
