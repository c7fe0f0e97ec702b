package kills

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/cmd/skald/internal/proof"
	"github.com/skaldrpg/skald/pkg/attest"
	"github.com/skaldrpg/skald/pkg/journal"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// acknowledged is the point at which the caller has the answer.
const acknowledged = "acknowledged"

// job kills a suite at points of one step, one after the other, as long as the
// step is not stored, and then looks what has become of it.
type job struct {
	step   *step
	points []point
	whole  bool // projections are held against a rebuild
	luck   bool // the command is given again under another request id
}

func (j job) String() string {
	var at []string
	for _, p := range j.points {
		at = append(at, fmt.Sprintf("%s %d", p.Name, p.N))
	}
	return fmt.Sprintf("%s killed at: %s", j.step.kind, strings.Join(at, ", "))
}

// jobs are those of a step: one that is killed at every point up to the append,
// and one for every point from there on.
func (s *step) jobs() []job {
	stored := slices.IndexFunc(s.points, func(p point) bool {
		return strings.HasPrefix(p.Name, "stored ") && !strings.HasSuffix(p.Name, " dice")
	})
	if stored < 0 {
		stored = len(s.points)
	}
	var out []job
	if stored > 0 {
		out = append(out, job{step: s, points: s.points[:stored]})
		if drew := slices.IndexFunc(s.points, func(p point) bool { return p.Name == "after Draw" }); drew >= 0 && drew < stored && s.exec != nil && !s.fresh {
			out = append(out, job{step: s, points: s.points[drew:stored], luck: true})
		}
	}
	for _, p := range s.points[stored:] {
		out = append(out, job{step: s, points: []point{p}})
	}
	if !s.waits {
		out = append(out, job{step: s, points: []point{{Name: acknowledged, N: 1}}})
	}
	return out
}

// outcome counts what jobs came to.
type outcome struct {
	mu                                sync.Mutex
	kills, stored, unstored, notThere int
	by                                map[string]int
}

func (o *outcome) add(fn func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	fn()
}

// run carries a job out.
func (j job) run(t testing.TB, dir string, o *outcome) {
	t.Helper()
	s := j.step
	if err := copied(s.image, dir); err != nil {
		t.Fatal(err)
	}
	w := j.watch()
	defer w.end()
	var acked proto.Message
	for _, at := range j.points {
		p := start(t, "suite", dir)
		there := j.standsAfter(t, p, false)
		w.on(p)
		if there {
			o.add(func() { o.stored++ })
			p.kill()
			break
		}
		m, killed := j.kill(t, p, at)
		if acked = m; at.Name == acknowledged {
			killed = true
		}
		o.add(func() {
			if killed {
				o.kills++
				o.by[place(at)]++
			} else {
				o.notThere++
			}
		})
		if t.Failed() || m != nil {
			break
		}
	}
	p := start(t, "suite", dir)
	there := j.standsAfter(t, p, acked != nil)
	if !there {
		o.add(func() { o.unstored++ })
	}
	w.on(p)
	j.repeat(t, p, there)
	if t.Failed() {
		return
	}
	j.after(t, p, w)
	if id := s.about(); id != "" {
		proves(t, p, id)
		recounts(t, p, id)
	}
	p.passed(t) // until it is quiet: the projections have all
	p.kill()
	if j.whole {
		rebuilt(t, config(dir))
	}
}

// place is a point without its number.
func place(p point) string { return p.Name }

// kill gives the command and waits for the process to die; the answer, if it came.
func (j job) kill(t testing.TB, p *process, at point) (m proto.Message, killed bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	if at.Name == acknowledged {
		m, err := j.step.call(ctx, p)
		if err != nil {
			t.Errorf("%v: %v", j, err)
		}
		p.kill()
		return m, true
	}
	p.arm(t, at)
	m, err := j.step.call(ctx, p)
	wait := 20 * time.Second
	if err == nil { // it answered: what is armed comes after that, if at all
		wait = 300 * time.Millisecond
	}
	killed = p.died(wait)
	if err != nil && !killed {
		t.Errorf("%v: at %v it failed alive: %v", j, at, err)
	}
	p.kill()
	return m, killed
}

// standsAfter holds that everything is as it was before the step or as it is after
// it, and says which. What the service owes it may take a moment to do.
func (j job) standsAfter(t testing.TB, p *process, must bool) bool {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	var before, after string
	for deadline := time.Now().Add(30 * time.Second); ; {
		now, err := p.look(ctx, j.step)
		if err != nil {
			t.Fatalf("%v: %v", j, err)
		}
		if j.step.fresh {
			return j.beginning(t, now, must)
		}
		before, after = j.step.before.same(now), j.step.after.like(now)
		if after == "" {
			return true
		}
		if before == "" && !must {
			return false
		}
		if time.Now().After(deadline) {
			t.Fatalf("%v: it is neither as before nor as after (acknowledged %v).\nbefore: %s\nafter: %s", j, must, before, after)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// beginning is standsAfter for what begins with dice of its own: all of it is
// there or nothing.
func (j job) beginning(t testing.TB, now look, must bool) bool {
	t.Helper()
	switch {
	case len(now) == len(j.step.before) && !must:
		return false
	case len(now) != len(j.step.after):
		t.Fatalf("%v: %d things are there, %d before, %d after (acknowledged %v)", j, len(now), len(j.step.before), len(j.step.after), must)
	}
	return true
}

// repeat gives the command again, twice: it has happened once, with the same
// answer both times and as in the run that nobody disturbed.
func (j job) repeat(t testing.TB, p *process, there bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	s := *j.step
	if j.luck && !there {
		s.exec = proto.CloneOf(s.exec)
		s.exec.RequestId += "-luck"
	}
	first, err := s.call(ctx, p)
	if err != nil {
		t.Fatalf("%v: repeated: %v", j, err)
	}
	if s.waits {
		return
	}
	second, err := s.call(ctx, p)
	if err != nil {
		t.Fatalf("%v: repeated again: %v", j, err)
	}
	if repeated(first) != there || !repeated(second) {
		t.Errorf("%v: it was there %v, the repeat says %v, then %v", j, there, repeated(first), repeated(second))
	}
	if !proto.Equal(repeats(first), repeats(second)) {
		t.Errorf("%v: repeated it answers otherwise: %s", j, difference(repeats(first), repeats(second)))
	}
	if !s.fresh && !proto.Equal(plain(first), plain(s.reply)) {
		t.Errorf("%v: it answers otherwise than undisturbed: %s", j, difference(plain(first), plain(s.reply)))
	}
}

func repeated(m proto.Message) bool {
	switch m := m.(type) {
	case *encounterv1.ExecuteResponse:
		return m.Repeated
	case *injuryv1.TendResponse:
		return m.Repeated
	}
	return false
}

// after holds that everybody is shown and was told what they would have been, and
// that the dice's record says the same.
func (j job) after(t testing.TB, p *process, w *watching) {
	t.Helper()
	j.standsAfter(t, p, true)
	if j.step.fresh {
		return
	}
	w.complete(t, j)
	if j.step.waits {
		return // nobody repeats it
	}
	for id, want := range j.step.tapes { // order-free: each by itself
		if got := p.ask(t, "tapes "+id); got != want {
			t.Errorf("%v: tapes of %s on the log: %s, undisturbed %s", j, id, got, want)
		}
	}
}

// proves checks the export of an encounter.
func proves(t testing.TB, p *process, id string) {
	t.Helper()
	stream, err := p.Export(t.Context(), &encounterv1.ExportRequest{As: gm, Encounter: id})
	if err != nil {
		t.Fatal(err)
	}
	check := proof.New()
	for {
		m, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		check.Add(m.Commit)
	}
	if r := check.Report(); !r.OK() {
		t.Errorf("the export of %s does not hold: %v", id, r)
	}
}

// recounts holds that the transcript of every viewer is what follows from the bytes
// that the viewer is told, step by step and where the state says that it stands.
func recounts(t testing.TB, p *process, id string) {
	t.Helper()
	var public []byte
	for _, as := range []*eventv1.Principal{anybody, gm, ann} {
		resp, err := p.GetState(t.Context(), &encounterv1.GetStateRequest{As: as, Encounter: id})
		if err != nil {
			t.Fatal(err)
		}
		at := attest.Begin("main", id)
		steps := p.told(t, &encounterv1.WatchRequest{As: as, Encounter: id, WithBytes: true})
		for _, s := range steps {
			if at = attest.Next(at, s.Number, attest.Digest(s.Bytes)); !bytes.Equal(at, s.Transcript) {
				t.Errorf("%s: the transcript of %v at step %d is %x, of what was told %x", id, as, s.Number, s.Transcript, at)
			}
		}
		if resp.Number != uint64(len(steps)) || !bytes.Equal(resp.Transcript, at) {
			t.Errorf("%s: the transcript of %v stands at %d, %x; what was told at %d, %x", id, as, resp.Number, resp.Transcript, len(steps), at)
		}
		if as == anybody {
			public = at
		}
		if !bytes.Equal(resp.Public.Transcript, public) || resp.Public.Words != attest.Words(public) {
			t.Errorf("%s: %v is shown %v as the public transcript, which is %x", id, as, resp.Public, public)
		}
	}
}

// config is the suite's on a folder.
func config(dir string) allinone.Config { return allinone.Config{DataDir: dir, Logger: quiet} }

// rebuilt holds the projections against ones made from the log alone.
func rebuilt(t testing.TB, cfg allinone.Config) {
	t.Helper()
	r, err := allinone.OpenRebuilder(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close() //nolint:errcheck // all is over
	for _, s := range r.Services {
		same, err := r.Check(t.Context(), s, nil)
		for range 5 { // a busy machine
			if !errors.Is(err, journal.ErrUnavailable) {
				break
			}
			same, err = r.Check(t.Context(), s, nil)
		}
		if err != nil || !same {
			t.Errorf("the projection of %s is what a rebuild makes: %v, %v", s.Name, same, err)
		}
	}
}

// watching are watches of every viewer, which go on from their cursors wherever
// the suite is started again.
type watching struct {
	viewers []*follower
	group   sync.WaitGroup
	cancel  context.CancelFunc
}

type follower struct {
	as     *eventv1.Principal
	id     string
	mu     sync.Mutex
	cursor string
	steps  []*encounterv1.Step
	moved  chan struct{}
}

func (j job) watch() *watching {
	w := &watching{cancel: func() {}}
	if j.step.about() == "" || j.step.fresh {
		return w
	}
	for i, as := range viewers {
		w.viewers = append(w.viewers, &follower{as: as, id: j.step.about(), cursor: j.step.cursors[i], moved: make(chan struct{}, 1)})
	}
	return w
}

// on goes on at another process.
func (w *watching) on(p *process) {
	w.end()
	ctx, cancel := context.WithCancel(context.Background())
	w.cancel = cancel
	for _, f := range w.viewers {
		w.group.Go(func() { // ends with the process or the context
			p.follow(ctx, &encounterv1.WatchRequest{As: f.as, Encounter: f.id, After: f.cursor}, f.take, nil) //nolint:errcheck // the process dies
		})
	}
}

func (w *watching) end() {
	w.cancel()
	w.group.Wait()
}

func (f *follower) take(s *encounterv1.Step) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.steps, f.cursor = append(f.steps, s), s.Cursor
	select {
	case f.moved <- struct{}{}:
	default:
	}
}

// complete waits until every viewer has been told what it is to be told, and
// holds that each step came once and as it would have.
func (w *watching) complete(t testing.TB, j job) {
	t.Helper()
	for i, f := range w.viewers {
		want := j.step.told[i]
		for deadline := time.After(30 * time.Second); ; {
			f.mu.Lock()
			n := len(f.steps)
			f.mu.Unlock()
			if n >= len(want) {
				break
			}
			select {
			case <-f.moved:
				continue
			case <-deadline:
			}
			break
		}
	}
	w.end()
	for i, f := range w.viewers {
		want := j.step.told[i]
		if len(f.steps) != len(want) {
			t.Errorf("%v: %v was told %d steps, undisturbed %d", j, f.as, len(f.steps), len(want))
			continue
		}
		for n := range want {
			if !proto.Equal(plain(f.steps[n]), plain(want[n])) {
				t.Errorf("%v: %v was told otherwise than undisturbed: %s", j, f.as, difference(plain(f.steps[n]), plain(want[n])))
			}
		}
	}
}
