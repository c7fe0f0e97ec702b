package robustness

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/pkg/attest"
	"github.com/skaldrpg/skald/pkg/content/sheets"
	"github.com/skaldrpg/skald/pkg/feed"
	"github.com/skaldrpg/skald/pkg/systems"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

const feedPassword = "a-password-of-readers"

// fed is what a reader has of an encounter, by format.
type fed map[feed.Format][]jetstream.Msg

// reader reads a feed as any program would.
type reader struct {
	t   *testing.T
	all map[string]fed // by table/encounter
	c   jetstream.Consumer
}

func newReader(t *testing.T, addr string) *reader {
	t.Helper()
	nc, err := nats.Connect("nats://"+addr, nats.UserInfo(feed.ReaderName, feedPassword))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	r := &reader{t: t, all: map[string]fed{}}
	if r.c, err = js.OrderedConsumer(t.Context(), feed.StreamName, jetstream.OrderedConsumerConfig{}); err != nil {
		t.Fatal(err)
	}
	return r
}

// until reads on until every encounter has come to a number in both formats.
func (r *reader) until(want map[string]uint64) {
	r.t.Helper()
	for deadline := time.Now().Add(time.Minute); ; {
		behind := ""
		for id, n := range want {
			for _, f := range feed.Formats {
				if got := uint64(len(r.all[id][f])); got < n {
					behind = fmt.Sprintf("%s in %s has %d steps of %d", id, f, got, n)
				}
			}
		}
		if behind == "" {
			return
		}
		if time.Now().After(deadline) {
			r.t.Fatal(behind)
		}
		batch, err := r.c.Fetch(200, jetstream.FetchMaxWait(200*time.Millisecond))
		if err != nil {
			r.t.Fatal(err)
		}
		for msg := range batch.Messages() {
			f, table, encounter, ok := feed.Split(msg.Subject())
			if !ok {
				r.t.Fatalf("a message on %s", msg.Subject())
			}
			id := table + "/" + encounter
			if r.all[id] == nil {
				r.all[id] = fed{}
			}
			r.all[id][f] = append(r.all[id][f], msg)
		}
	}
}

// is holds that an encounter's messages are the steps that a spectator was told: each
// once, in order, to the byte, with a chain that holds.
func (r *reader) is(table, encounter string, steps []*encounterv1.Step) {
	t := r.t
	t.Helper()
	got := r.all[table+"/"+encounter]
	for _, f := range feed.Formats {
		if len(got[f]) != len(steps) {
			t.Fatalf("%s/%s in %s: %d messages for %d steps", table, encounter, f, len(got[f]), len(steps))
		}
		transcript := attest.Begin(table, encounter)
		for i, msg := range got[f] {
			want := steps[i]
			h := msg.Headers()
			if h.Get(feed.HeaderNumber) != strconv.Itoa(i+1) || h.Get(feed.HeaderCursor) != want.Cursor || h.Get(feed.HeaderType) != f.ContentType() || h.Get(feed.HeaderOmitted) != "" {
				t.Fatalf("step %d in %s has the headers %v", i+1, f, h)
			}
			digest := attest.Digest(want.Bytes)
			transcript = attest.Next(transcript, want.Number, digest)
			if h.Get(feed.HeaderTranscript) != base64.StdEncoding.EncodeToString(transcript) || h.Get(feed.HeaderDigest) != base64.StdEncoding.EncodeToString(digest) || !bytes.Equal(want.Transcript, transcript) {
				t.Fatalf("the chain breaks at step %d in %s", i+1, f)
			}
			if f == feed.Protobuf {
				whole, err := proto.MarshalOptions{Deterministic: true}.Marshal(want)
				if err != nil || !bytes.Equal(msg.Data(), whole) {
					t.Fatalf("step %d of the feed is not that of the watch: %v", i+1, err)
				}
				continue
			}
			is := &encounterv1.Step{}
			if err := protojson.Unmarshal(msg.Data(), is); err != nil || !proto.Equal(is, want) {
				t.Fatalf("step %d as JSON is not that of the watch: %v\n%s", i+1, err, msg.Data())
			}
		}
	}
}

// spectate collects the steps of an encounter as they come, until its context ends.
func spectate(ctx context.Context, client encounterv1.EncounterServiceClient, encounter string) (steps func() []*encounterv1.Step, done <-chan struct{}, err error) {
	w, err := client.Watch(ctx, &encounterv1.WatchRequest{As: watching, Encounter: encounter, WithBytes: true})
	if err != nil {
		return nil, nil, err
	}
	var mu sync.Mutex
	var all []*encounterv1.Step
	ended := make(chan struct{})
	go func() { // ends with the context
		defer close(ended)
		for {
			m, err := w.Recv()
			if err != nil {
				return
			}
			if s := m.GetStep(); s != nil {
				mu.Lock()
				all = append(all, s)
				mu.Unlock()
			}
		}
	}()
	return func() []*encounterv1.Step {
		mu.Lock()
		defer mu.Unlock()
		return append([]*encounterv1.Step(nil), all...)
	}, ended, nil
}

func figure(s *allinone.Stack, name string) float64 {
	for _, p := range s.Board().Parts() {
		for _, f := range p.Figures {
			if f.Name == name {
				return f.Value
			}
		}
	}
	return -1
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal(what)
		}
	}
}

// A watcher beside the feed over random play with rulings, while the game master
// stages creatures, edits them and rolls in secret: the feed is what the watcher was
// told, and nothing that happens unseen moves it.
func TestFeedIsWhatASpectatorIsTold(t *testing.T) {
	steps := number(envSteps, 70)
	if testing.Short() || os.Getenv("SKALD_RACE") == "1" {
		steps = 20
	}
	inAll := 0
	for _, system := range systems.Registry().IDs() {
		t.Run(system, func(t *testing.T) {
			seed := uint64(number(envSeed, int(time.Now().UnixNano()&0x7fffffff)))
			stack, err := allinone.Start(t.Context(), allinone.Config{DataDir: t.TempDir(), Random: newRandom(seed), InlineBytes: 6 << 10,
				Logger: slog.New(slog.NewTextHandler(io.Discard, nil)), Feed: &allinone.Feed{Listen: "127.0.0.1:0", Password: feedPassword}})
			if err != nil {
				t.Fatal(err)
			}
			defer stack.Close() //nolint:errcheck // the test is over
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			p := &play{t: t, system: system, rng: rand.New(rand.NewPCG(seed, 1)), client: encounterv1.NewEncounterServiceClient(stack.Conn()), actions: map[string]bool{}}
			defer func() {
				if t.Failed() {
					for _, part := range stack.Board().Parts() {
						if part.Name == "feed" {
							t.Logf("%+v", part)
						}
					}
					t.Logf("repeat with %s=%d %s=%d -run FeedIs/%s", envSeed, seed, envSteps, steps, system)
				}
			}()
			r := newReader(t, stack.FeedAddr())
			told := map[string]func() []*encounterv1.Step{}
			watch := func() {
				if told[p.id] == nil {
					if told[p.id], _, err = spectate(ctx, p.client, p.id); err != nil {
						t.Fatal(err)
					}
				}
			}
			p.begin()
			watch()
			unseen := 0
			for i := range steps {
				if i%8 == 3 {
					unseen += p.unseen(stack, r, told)
				}
				if !p.step() {
					break
				}
				watch()
			}
			want := map[string]uint64{}
			for id := range told {
				want["main/"+id] = p.numberAs(id)
				eventually(t, "the watch is behind", func() bool { return uint64(len(told[id]())) >= want["main/"+id] })
			}
			r.until(want)
			rulings := 0
			for id, of := range told {
				all := of()
				r.is("main", id, all)
				for _, s := range all {
					if s.Restored != nil {
						rulings++
					}
				}
			}
			inAll += unseen
			t.Logf("%d fights, %d commands, %d unseen ones, %d steps with a ruling", len(told), p.n, unseen, rulings)
		})
	}
	if inAll == 0 && !t.Failed() {
		t.Error("nothing was done unseen")
	}
}

// numberAs is the spectator's number of an encounter.
func (p *play) numberAs(id string) uint64 {
	p.t.Helper()
	s, err := p.client.GetState(p.t.Context(), &encounterv1.GetStateRequest{As: watching, Encounter: id})
	if err != nil {
		p.t.Fatal(err)
	}
	return s.Number
}

// unseen does things that a spectator is told nothing of, and holds that the feed did
// not move.
func (p *play) unseen(stack *allinone.Stack, r *reader, told map[string]func() []*encounterv1.Step) int {
	t := r.t
	t.Helper()
	if s := p.state().State; s.Status != eventv1.State_STATUS_STARTED || len(s.Decisions) > 0 {
		return 0
	}
	before := p.numberAs(p.id)
	r.until(map[string]uint64{"main/" + p.id: before})
	eventually(t, "the feed is behind", func() bool { return figure(stack, "feed_behind_encounters") == 0 })
	info := func() uint64 {
		i, err := r.c.Info(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return i.Delivered.Stream + i.NumPending
	}
	had := info()
	sheet, err := sheets.Get(p.system, sheets.List(p.system)[0])
	if err != nil {
		t.Fatal(err)
	}
	sheet = proto.Clone(sheet).(*eventv1.Sheet)
	sheet.Id, sheet.Name, sheet.Side, sheet.Controllers = fmt.Sprint("unseen", p.n), "Umbra the Unseen", "left", nil
	done := 0
	for _, cmd := range []*eventv1.Command{
		{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: sheet, Staged: true, Position: &eventv1.Position{X: 900, Y: 900}}}},
		{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: sheet.Id, Position: &eventv1.Position{X: 950, Y: 900}, Reason: "it prowls unseen"}}},
	} {
		resp, err := p.client.Execute(t.Context(), &encounterv1.ExecuteRequest{RequestId: fmt.Sprint("unseen-", p.n, done), As: gm, Encounter: p.id, Command: cmd})
		for err == nil && len(resp.Decisions) > 0 {
			resp, err = p.client.Execute(t.Context(), &encounterv1.ExecuteRequest{RequestId: fmt.Sprint("unseen-", p.n, done, resp.Decisions[0].Id), As: gm, Encounter: p.id, Command: replyTo(t, resp.Decisions[0], 0)})
		}
		if err == nil {
			done++
		}
	}
	p.client.Execute(t.Context(), &encounterv1.ExecuteRequest{RequestId: fmt.Sprint("unseen-out", p.n), As: gm, Encounter: p.id, //nolint:errcheck // it may be bound to stay
		Command: &eventv1.Command{What: &eventv1.Command_Remove{Remove: &eventv1.RemoveCreature{Creature: sheet.Id}}}})
	p.last = nil
	if p.numberAs(p.id) != before {
		return 0 // a system whose staged creatures make something be seen
	}
	eventually(t, "the feed is behind", func() bool { return figure(stack, "feed_behind_encounters") == 0 })
	if now := info(); now != had {
		t.Errorf("the feed moved from %d to %d by what was not seen", had, now)
	}
	for _, f := range feed.Formats {
		for _, msg := range r.all["main/"+p.id][f] {
			if strings.Contains(string(msg.Data()), "Umbra") || strings.Contains(string(msg.Data()), "prowls") {
				t.Errorf("what is hidden is in the feed: %s", msg.Data())
			}
		}
	}
	return done
}

// The suite is killed again and again while it is played; the feed is then what a
// spectator's transcript says, without a gap, and with nothing twice.
func TestFeedOverKills(t *testing.T) {
	if testing.Short() || os.Getenv("SKALD_RACE") == "1" {
		t.Skip("kills processes")
	}
	dir := t.TempDir()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	l.Close() //nolint:errcheck // another process listens there now
	t.Setenv(childFeed, addr)
	if err := os.WriteFile(filepath.Join(dir, allinone.FeedPasswordFile), []byte(feedPassword), 0o600); err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 3))
	n := 0
	move := func() *eventv1.Command {
		n++
		return &eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "hero", Position: &eventv1.Position{X: int32(5 * (n % 1000))}, Reason: fmt.Sprint("move ", n)}}}
	}
	for round := range 5 {
		s := startSuite(t, dir)
		if round == 0 {
			s.do(t, "create", &eventv1.Command{What: &eventv1.Command_Create{Create: &eventv1.CreateEncounter{System: "rcr"}}})
			s.do(t, "add", addSheet(t, "rcr", "fighter", "hero", "party", "ann"))
		}
		for range 3 + rng.IntN(40) {
			s.do(t, fmt.Sprint("move-", n), move())
			if n%7 == 0 {
				s.do(t, fmt.Sprint("undo-", n), revert(&eventv1.RevertEncounter{To: &eventv1.RevertEncounter_Last{Last: true}}))
			}
		}
		go s.Execute(context.Background(), &encounterv1.ExecuteRequest{RequestId: fmt.Sprint("last-", n), As: gm, Encounter: "e", Command: move()}) //nolint:errcheck // it may be lost
		<-time.After(time.Duration(rng.IntN(3000)) * time.Microsecond)                                                                              // where the kill comes is chance
		s.kill()
	}
	stack, err := allinone.Start(t.Context(), allinone.Config{DataDir: dir, Logger: slog.New(slog.NewTextHandler(io.Discard, nil)), Feed: &allinone.Feed{Listen: addr}})
	if err != nil {
		t.Fatal(err)
	}
	defer stack.Close() //nolint:errcheck // the test is over
	client := encounterv1.NewEncounterServiceClient(stack.Conn())
	state, err := client.GetState(t.Context(), &encounterv1.GetStateRequest{As: watching, Encounter: "e"})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	told, _, err := spectate(ctx, client, "e")
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "the watch is behind", func() bool { return uint64(len(told())) >= state.Number })
	r := newReader(t, addr)
	r.until(map[string]uint64{"main/e": state.Number})
	r.is("main", "e", told())
	if got := figure(stack, "feed_refills"); got != 0 {
		t.Errorf("%v encounters were filled in anew", got)
	}
	t.Logf("%d steps over 5 kills", state.Number)
}
