package daemon_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/skaldrpg/skald/pkg/crew"
	"github.com/skaldrpg/skald/pkg/journal"
)

// With the shipped permissions a service finds every stream, places tables and
// announces itself, and may neither say how many streams there are nor speak for
// another service.
func TestShippedPermissionsOnManyStreams(t *testing.T) {
	url := shippedNATS(t)
	connect := func(user string) *nats.Conn {
		nc, err := journal.Connect(t.Context(), url, journal.ConnectOptions{Username: user, Password: "secret-" + user})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(nc.Close)
		return nc
	}
	admin, err := journal.OpenSet(t.Context(), connect("admin"), journal.SetConfig{Create: true, Streams: 3, Log: quiet})
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]string{"dice": "dice", "injury": "patient", "encounter": "encounter"}
	for user, kind := range kinds {
		t.Run(user, func(t *testing.T) {
			nc := connect(user)
			s, err := journal.OpenSet(t.Context(), nc, journal.SetConfig{Log: quiet})
			if err != nil || s.Streams() != 3 {
				t.Fatalf("%d streams, %v", s.Streams(), err)
			}
			for p, one := range s.All() {
				table := tableIn(p, 3, user)
				subject, err := journal.SubjectIn(p, table, kind, "x")
				if err != nil {
					t.Fatal(err)
				}
				if _, err := one.Append(t.Context(), journal.Message{Subject: subject, ID: user, Data: []byte("x")}); err != nil {
					t.Errorf("stream %d: %v", p, err)
				}
				seen := errors.New("seen")
				if err := one.Tail(t.Context(), journal.TailConfig{Filter: subject}, func(context.Context, journal.Batch) error { return seen }); !errors.Is(err, seen) {
					t.Errorf("following stream %d: %v", p, err)
				}
			}
			short, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			if err := s.Grow(short, 4); err == nil {
				t.Error("made a stream")
			}
			short, cancel = context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			if _, err := nc.RequestWithContext(short, "skald.0.@.streams.count", []byte(`{"format":1,"streams":3}`)); err == nil {
				t.Error("said how many streams there are")
			}
			heard, err := nc.SubscribeSync(crew.Subject(user))
			if err != nil {
				t.Fatal(err)
			}
			if err := nc.Publish(crew.Subject(user), []byte("here")); err != nil {
				t.Fatal(err)
			}
			if m, err := heard.NextMsg(5 * time.Second); err != nil || string(m.Data) != "here" {
				t.Errorf("its own announcement: %v", err)
			}
			for other := range kinds {
				if other == user {
					continue
				}
				listener := connect("admin")
				sub, err := listener.SubscribeSync(crew.Subject(other))
				if err != nil {
					t.Fatal(err)
				}
				if err := errors.Join(listener.Flush(), nc.Publish(crew.Subject(other), []byte("false")), nc.Flush()); err != nil {
					t.Fatal(err)
				}
				if _, err := sub.NextMsg(200 * time.Millisecond); err == nil {
					t.Errorf("announced itself as %s", other)
				}
			}
		})
	}
	if n := admin.Streams(); n != 3 {
		t.Errorf("%d streams", n)
	}
}

// tableIn is a table's id that begins so and hashes to stream p of n.
func tableIn(p, n int, begin string) string {
	for name := begin; ; name += "x" {
		if journal.Partition(name, n) == p {
			return name
		}
	}
}
