//go:build linux

package cluster

import (
	"io"
	"math"
	"net"
	"strings"
	"testing"
	"time"
)

// The checks find what they are for.
func TestChecksFind(t *testing.T) {
	log := &Log{Requests: map[string][]string{"e": {"a", "b", "a"}, "patient/t/p": {"enrol"}}}
	h := NewHistory()
	h.ops = []Op{
		{Encounter: "e", Request: "a", Number: 1, Outcome: Done},
		{Encounter: "e", Request: "b", Number: 3, Outcome: Done}, // it is step 2
		{Encounter: "e", Request: "c", Number: 4, Outcome: Done}, // it is not there
	}
	h.tends = map[string]string{"enrol": "t/p", "heal": "t/p"}
	if lost, doubled := Once(h, log); lost != 3 || doubled != 1 {
		t.Errorf("lost %d, doubled %d: %v", lost, doubled, h.problems)
	}
	for name, c := range map[string]struct {
		ops   []Op
		whole bool
	}{
		"in order":               {[]Op{{Request: "a", Call: 0, Return: 1, Number: 1}, {Request: "b", Call: 2, Return: 3, Number: 2}}, true},
		"against time":           {[]Op{{Request: "a", Call: 2, Return: 3, Number: 1}, {Request: "b", Call: 0, Return: 1, Number: 2}}, false},
		"never answered":         {[]Op{{Request: "a", Call: 0, Outcome: Unknown}, {Request: "b", Call: 2, Return: 3, Number: 2}}, true},
		"unanswered, given late": {[]Op{{Request: "a", Call: 4, Outcome: Unknown}, {Request: "b", Call: 2, Return: 3, Number: 2}}, false},
		"stale and not":          {[]Op{{Request: "a", Call: 0, Return: 1, Number: 1}, {Request: "b", Call: 4, Return: 5, Number: 2}, {Request: "x", Call: 2, Return: 3, Expected: 1, Outcome: Stale}}, false},
		"stale":                  {[]Op{{Request: "a", Call: 0, Return: 1, Number: 1}, {Request: "b", Call: 2, Return: 3, Number: 2}, {Request: "x", Call: 4, Return: 5, Expected: 1, Outcome: Stale}}, true},
		"by a wrong cursor":      {[]Op{{Request: "a", Call: 0, Return: 1, Number: 1}, {Request: "b", Call: 2, Return: 3, Expected: 7, Number: 2}}, false},
		"read ahead":             {[]Op{{Request: "a", Call: 0, Return: 1, Number: 1}, {Call: 2, Return: 3, Number: 2, Outcome: Read}, {Request: "b", Call: 4, Return: 5, Number: 2}}, false},
		"refused and there":      {[]Op{{Request: "a", Call: 0, Return: 1, Outcome: Refused}, {Request: "b", Call: 2, Return: 3, Number: 2}}, false},
	} {
		h := NewHistory()
		for _, op := range c.ops {
			if op.Encounter = "e"; op.Outcome == Unknown {
				op.Return = math.MaxInt64
			}
			h.ops = append(h.ops, op)
		}
		Linearizable(h, &Log{Requests: map[string][]string{"e": {"a", "b"}}})
		if whole := len(h.problems) == 0; whole != c.whole {
			t.Errorf("%s: %v", name, h.problems)
		}
	}
}

func TestLongest(t *testing.T) {
	h := NewHistory()
	at := func(s int) time.Time { return h.began.Add(time.Duration(s) * time.Second) }
	h.acks = []time.Time{at(0), at(1), at(5), at(6)}
	if got := h.longest(at(0), at(7)); got != 4*time.Second {
		t.Error(got)
	}
	if got := h.longest(at(6), at(20)); got != 14*time.Second {
		t.Error(got)
	}
}

// A link passes, holds a direction, goes on, and is cut.
func TestLink(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close() //nolint:errcheck // the test is over
	go func() {     // an echo; ends with the listener
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() { defer c.Close(); io.Copy(c, c) }() //nolint:errcheck // ends with its connection
		}
	}()
	k, err := NewLink("test", "127.0.0.1:1", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer k.Close()
	c, err := net.Dial("tcp", k.Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close() //nolint:errcheck // the test is over
	say := func(text string, wait time.Duration) string {
		t.Helper()
		if _, err := io.WriteString(c, text); err != nil {
			return err.Error()
		}
		buf := make([]byte, 64)
		c.SetReadDeadline(time.Now().Add(wait)) //nolint:errcheck // a read would fail
		n, err := c.Read(buf)
		if err != nil {
			return err.Error()
		}
		return string(buf[:n])
	}
	if got := say("one", 5*time.Second); got != "one" {
		t.Error(got)
	}
	for _, d := range []Direction{Forth, Back} {
		k.Hold(d)
		if got := say("two", 200*time.Millisecond); !strings.Contains(got, "timeout") {
			t.Errorf("held, it says %q", got)
		}
		k.Heal()
		if got := say("", 5*time.Second); got != "two" {
			t.Errorf("healed, it says %q", got)
		}
	}
	k.Delay(300 * time.Millisecond)
	if began := time.Now(); say("three", 5*time.Second) != "three" || time.Since(began) < 500*time.Millisecond {
		t.Error("it was not slow")
	}
	k.Cut()
	if got := say("four", 5*time.Second); got == "four" {
		t.Error("a cut link passes")
	}
}
