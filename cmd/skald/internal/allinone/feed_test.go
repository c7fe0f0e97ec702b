package allinone_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/pkg/attest"
	"github.com/skaldrpg/skald/pkg/content/sheets"
	"github.com/skaldrpg/skald/pkg/feed"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	opsv1 "github.com/skaldrpg/skald/proto/skald/ops/v1"
)

const readersPassword = "a-password-of-readers"

// feeding is a suite with a feed.
type feeding struct {
	tables
	dir string
	n   int
}

func startFeed(t *testing.T, dir string, o feed.Options) *feeding {
	t.Helper()
	s, err := startWith(t, allinone.Config{DataDir: dir, Feed: &allinone.Feed{Listen: "127.0.0.1:0", Password: readersPassword, Options: o}})
	if err != nil {
		t.Fatal(err)
	}
	return &feeding{tables: tables{t, s}, dir: dir}
}

// reader connects as readers do.
func (f *feeding) reader(opts ...nats.Option) *nats.Conn {
	f.t.Helper()
	nc, err := nats.Connect("nats://"+f.s.FeedAddr(), append(opts, nats.UserInfo(feed.ReaderName, readersPassword), nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}))...)
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(nc.Close)
	return nc
}

// begin creates an encounter with somebody in it.
func (f *feeding) begin(table, id string) {
	f.t.Helper()
	if err := f.do(table, id, "create-"+id, create(id)); err != nil {
		f.t.Fatal(err)
	}
	if err := f.do(table, id, "add-"+id, addOrc(f.t)); err != nil {
		f.t.Fatal(err)
	}
}

// move makes so many steps that all are told of.
func (f *feeding) move(table, id string, times int) {
	f.t.Helper()
	for range times {
		f.n++
		if err := f.do(table, id, fmt.Sprint("move-", f.n, "-", time.Now().UnixNano()), move(f.n)); err != nil {
			f.t.Fatal(err)
		}
	}
}

func addOrc(t *testing.T) *eventv1.Command {
	t.Helper()
	sheet, err := sheets.Get("rcr", "orc")
	if err != nil {
		t.Fatal(err)
	}
	sheet = proto.Clone(sheet).(*eventv1.Sheet)
	sheet.Id = "orc"
	return &eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: sheet}}}
}

func move(n int) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "orc", Position: &eventv1.Position{X: int32(5 * (n % 1000))}, Reason: "moved"}}}
}

// number is how many steps spectators were told, and the transcript after the last.
func (f *feeding) number(table, id string) (uint64, string) {
	f.t.Helper()
	s, err := encounterv1.NewEncounterServiceClient(f.s.Conn()).GetState(f.t.Context(), &encounterv1.GetStateRequest{As: &eventv1.Principal{Role: eventv1.Principal_ROLE_SPECTATOR}, Table: table, Encounter: id})
	if err != nil {
		f.t.Fatal(err)
	}
	return s.Number, base64.StdEncoding.EncodeToString(s.Transcript)
}

// has waits until the feed has come to the encounter, and holds that what it holds of
// it has numbers without a gap and a chain that holds; it returns the first number.
func (f *feeding) has(table, id string) uint64 {
	f.t.Helper()
	number, transcript := f.number(table, id)
	first := uint64(0)
	for _, format := range feed.Formats {
		subject, err := feed.Subject(format, table, id)
		if err != nil {
			f.t.Fatal(err)
		}
		var msgs []jetstream.Msg
		var trouble error
		within(f.t, func() string {
			msgs, trouble = f.all(subject)
			if trouble != nil {
				return trouble.Error()
			}
			if len(msgs) == 0 || msgs[len(msgs)-1].Headers().Get(feed.HeaderNumber) != fmt.Sprint(number) || msgs[len(msgs)-1].Headers().Get(feed.HeaderTranscript) != transcript {
				return fmt.Sprintf("%s has %d messages and does not end with step %d", subject, len(msgs), number)
			}
			return ""
		})
		first = number + 1 - uint64(len(msgs))
		var before []byte
		for i, m := range msgs {
			h := m.Headers()
			n, err := strconv.ParseUint(h.Get(feed.HeaderNumber), 10, 64)
			if err != nil || n != first+uint64(i) {
				f.t.Fatalf("%s: message %d of %d is step %d, and the last is %d", subject, i, len(msgs), n, number)
			}
			digest, err := base64.StdEncoding.DecodeString(h.Get(feed.HeaderDigest))
			if err != nil {
				f.t.Fatal(err)
			}
			if n == 1 {
				before = attest.Begin(table, id)
			}
			now := h.Get(feed.HeaderTranscript)
			if before != nil && now != base64.StdEncoding.EncodeToString(attest.Next(before, n, digest)) {
				f.t.Fatalf("%s: the chain breaks at step %d", subject, n)
			}
			if before, err = base64.StdEncoding.DecodeString(now); err != nil {
				f.t.Fatal(err)
			}
		}
		if got := base64.StdEncoding.EncodeToString(before); got != transcript {
			f.t.Fatalf("%s ends with %s and the encounter with %s", subject, got, transcript)
		}
	}
	return first
}

// all reads what there is on a subject.
func (f *feeding) all(subject string) ([]jetstream.Msg, error) {
	nc := f.reader()
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		return nil, err
	}
	c, err := js.OrderedConsumer(f.t.Context(), feed.StreamName, jetstream.OrderedConsumerConfig{FilterSubjects: []string{subject}})
	if err != nil {
		return nil, err
	}
	info, err := c.Info(f.t.Context())
	if err != nil || info.NumPending == 0 {
		return nil, err
	}
	batch, err := c.Fetch(int(info.NumPending), jetstream.FetchMaxWait(2*time.Second))
	if err != nil {
		return nil, err
	}
	var out []jetstream.Msg
	for m := range batch.Messages() {
		out = append(out, m)
	}
	return out, batch.Error()
}

// within waits until a text is empty.
func within(t *testing.T, wrong func() string) {
	t.Helper()
	deadline := time.Now().Add(30 * time.Second)
	for {
		text := wrong()
		if text == "" {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal(text)
		}
		<-time.After(10 * time.Millisecond)
	}
}

func (f *feeding) figure(name string) float64 {
	for _, p := range f.s.Board().Parts() {
		for _, g := range p.Figures {
			if g.Name == name && strings.HasPrefix(p.Name, "feed") {
				return g.Value
			}
		}
	}
	return -1
}

// writer is what administers the feed.
func (f *feeding) writer() jetstream.JetStream {
	f.t.Helper()
	js, err := jetstream.New(f.s.FeedConn())
	if err != nil {
		f.t.Fatal(err)
	}
	return js
}

// again stops the suite, does something to its files, and starts it.
func (f *feeding) again(o feed.Options, between func()) *feeding {
	f.t.Helper()
	if err := f.s.Close(); err != nil {
		f.t.Fatal(err)
	}
	if between != nil {
		between()
	}
	return startFeed(f.t, f.dir, o)
}

func bounded(t *testing.T, d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), d)
	t.Cleanup(cancel)
	return ctx
}

// Whatever is done to the feed, it is filled in from the record.
func TestFeedIsMended(t *testing.T) {
	none := feed.Options{}
	f := startFeed(t, t.TempDir(), none)
	for _, id := range []string{"one", "two"} {
		f.begin("a", id)
		f.move("a", id, 10)
		f.has("a", id)
	}
	whole := func(what string) {
		t.Helper()
		for _, id := range []string{"one", "two"} {
			if first := f.has("a", id); first != 1 {
				t.Errorf("%s: %s begins at step %d", what, id, first)
			}
		}
	}
	f = f.again(none, nil)
	whole("started again")
	if n := f.figure("feed_steps"); n != 0 {
		t.Errorf("%v steps were written again", n)
	}

	s, err := f.writer().Stream(t.Context(), feed.StreamName)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.DeleteMsg(t.Context(), 7); err != nil {
		t.Fatal(err)
	}
	f = f.again(none, nil)
	within(t, func() string {
		if f.figure("feed_refills") != 1 {
			return "nothing is filled in"
		}
		return ""
	})
	whole("a message is missing")

	if err := f.writer().DeleteStream(t.Context(), feed.StreamName); err != nil {
		t.Fatal(err)
	}
	f.move("a", "one", 1)
	within(t, func() string {
		if _, err := f.writer().Stream(t.Context(), feed.StreamName); err != nil {
			return err.Error()
		}
		return ""
	})
	whole("the stream was deleted")

	f = f.again(none, func() {
		if err := os.RemoveAll(filepath.Join(f.dir, "feed")); err != nil {
			t.Fatal(err)
		}
	})
	whole("its folder was removed")

	f = f.again(none, func() {
		found := 0
		err := filepath.WalkDir(filepath.Join(f.dir, "feed"), func(path string, _ os.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(path, ".blk") {
				found++
				return os.WriteFile(path, []byte("what a broken disk leaves"), 0o600)
			}
			return err
		})
		if err != nil || found == 0 {
			t.Fatal(found, err)
		}
	})
	whole("its blocks are broken")

	f = f.again(none, func() {
		other := startFeed(t, t.TempDir(), none)
		other.begin("a", "one")
		other.move("a", "one", 11) // as many Commits as here
		other.has("a", "one")
		if err := other.s.Close(); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(os.RemoveAll(filepath.Join(f.dir, "feed")), os.CopyFS(filepath.Join(f.dir, "feed"), os.DirFS(filepath.Join(other.dir, "feed")))); err != nil {
			t.Fatal(err)
		}
	})
	whole("it is the feed of another record")
	if _, err := f.writer().Publish(t.Context(), "skald.feed.json.a.two", []byte("forged")); err != nil {
		t.Fatal(err)
	}
	f.move("a", "two", 1)
	whole("somebody else wrote into it")
}

// What the stream let go of is not written again.
func TestFeedLetsGoOfTheOldest(t *testing.T) {
	small := feed.Options{MiB: 1}
	f := startFeed(t, t.TempDir(), small)
	f.begin("a", "old")
	f.move("a", "old", 5)
	if first := f.has("a", "old"); first != 1 {
		t.Fatalf("it begins at step %d", first)
	}
	f.begin("a", "new")
	gone := func(id string) bool {
		for _, format := range feed.Formats {
			if msgs, err := f.all("skald.feed." + string(format) + ".a." + id); err != nil || len(msgs) > 0 {
				return false
			}
		}
		return true
	}
	for n := 0; !gone("old"); n += 200 {
		if n > 10_000 {
			t.Fatal("nothing is let go")
		}
		f.move("a", "new", 200)
		f.has("a", "new")
	}
	f = f.again(small, nil)
	f.has("a", "new")
	within(t, func() string {
		if f.figure("feed_behind_encounters") != 0 {
			return "the feed is behind"
		}
		return ""
	})
	if n := f.figure("feed_steps"); n != 0 {
		t.Errorf("%v steps were written again", n)
	}
	f.move("a", "old", 2)
	number, _ := f.number("a", "old")
	if first := f.has("a", "old"); first != number-1 {
		t.Errorf("it goes on at step %d, and two of %d are new", first, number)
	}
}

// A table that was deleted is deleted in the feed, and one that is not to be in it is
// not.
func TestFeedOfTables(t *testing.T) {
	f := startFeed(t, t.TempDir(), feed.Options{})
	for _, table := range []string{"a", "ab", "b"} {
		f.begin(table, "one")
		f.move(table, "one", 3)
		f.has(table, "one")
	}
	count := func(table string) string {
		s, err := f.writer().Stream(t.Context(), feed.StreamName)
		if err != nil {
			t.Fatal(err)
		}
		i, err := s.Info(t.Context(), jetstream.WithSubjectFilter("skald.feed.*."+table+".>"))
		if err != nil {
			t.Fatal(err)
		}
		m, err := f.writer().Stream(t.Context(), "SKALD_FEED_MARKS")
		if err != nil {
			t.Fatal(err)
		}
		k, err := m.Info(t.Context(), jetstream.WithSubjectFilter("skald.feedmark."+table+".>"))
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(len(i.State.Subjects), " ", len(k.State.Subjects))
	}
	if got := count("a"); got != "2 1" {
		t.Fatalf("subjects of a: %s", got)
	}
	if _, err := f.delete("a", func(r *opsv1.DeleteTableRequest) { r.OpenFights = true }); err != nil {
		t.Fatal(err)
	}
	within(t, func() string {
		if got := count("a"); got != "0 0" {
			return "of the deleted table there are " + got
		}
		return ""
	})
	f.has("ab", "one")
	f = f.again(feed.Options{Tables: []string{"ab"}}, nil)
	f.move("ab", "one", 1)
	f.move("b", "one", 1)
	f.has("ab", "one")
	within(t, func() string {
		if got := count("b"); got != "0 0" {
			return "of a table that is not to be there, there are " + got
		}
		return ""
	})
	if got := count("a"); got != "0 0" {
		t.Errorf("of the deleted table there are %s", got)
	}
}

// Two processes that publish the same encounters do not come into each other's way.
func TestFeedOfTwoPublishers(t *testing.T) {
	f := startFeed(t, t.TempDir(), feed.Options{})
	f.begin("a", "one")
	f.move("a", "one", 5)
	other, err := f.s.Replica(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close() //nolint:errcheck // the test is over
	var wg sync.WaitGroup
	for _, id := range []string{"two", "three"} {
		f.begin("a", id)
		wg.Go(func() {
			for i := range 60 {
				if err := f.do("a", id, fmt.Sprint("both-", i), move(i)); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	for _, id := range []string{"one", "two", "three"} {
		if first := f.has("a", id); first != 1 {
			t.Errorf("%s begins at step %d", id, first)
		}
	}
}
