package kills

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"

	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

var (
	gm      = &eventv1.Principal{Role: eventv1.Principal_ROLE_GM, Name: "gm"}
	ann     = &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: "ann"}
	anybody = &eventv1.Principal{Role: eventv1.Principal_ROLE_SPECTATOR}
	viewers = []*eventv1.Principal{gm, ann, anybody}
)

// step is one command as it went when nobody disturbed it, and the folder as it
// was before.
type step struct {
	kind  string
	image string

	exec  *encounterv1.ExecuteRequest // one of the two, or
	tend  *injuryv1.TendRequest
	waits bool // for the service to do something by itself

	encounters, patients []string

	before, after look
	reply         proto.Message
	points        []point
	cursors       []string              // of the viewers, before
	told          [][]*encounterv1.Step // the viewers, by it
	tapes         map[string]string
	// fresh: the step makes an epoch of dice or a record of its own, which a run
	// that is killed before may make anew.
	fresh bool
	// opens: the step opens an epoch of dice.
	opens bool
}

// about is the encounter that the step concerns; empty for patients.
func (s *step) about() string {
	if s.waits {
		return s.encounters[len(s.encounters)-1]
	}
	return s.exec.GetEncounter()
}

// call gives the command once.
func (s *step) call(ctx context.Context, p *process) (proto.Message, error) {
	switch {
	case s.exec != nil:
		resp, err := p.Execute(ctx, s.exec)
		if err != nil {
			return nil, err
		}
		return resp, nil
	case s.tend != nil:
		resp, err := p.Tend(ctx, s.tend)
		if err != nil {
			return nil, err
		}
		return resp, nil
	}
	for {
		if now, err := p.look(ctx, s); err != nil || now.like(s.after) == "" {
			return nil, err
		}
		if err := sleep(ctx, 5*time.Millisecond); err != nil {
			return nil, err
		}
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// plain is an answer or a state without what may differ between two runs: the time
// of day, what is a digest of it, and what has happened since.
func plain(m proto.Message) proto.Message {
	if m == nil {
		return nil
	}
	m = proto.Clone(m)
	switch m := m.(type) {
	case *encounterv1.ExecuteResponse:
		m.Repeated, m.Cursor, m.Transcript = false, "", nil
		unsealed(m.Step)
		for _, d := range m.Decisions {
			d.DeadlineUnixMillis = 0
		}
	case *injuryv1.TendResponse:
		m.Repeated = false
	case *encounterv1.Step:
		unsealed(m)
	case *encounterv1.GetStateResponse:
		m.Cursor, m.Transcript = "", nil
		if m.Public != nil {
			m.Public.Transcript, m.Public.Words = nil, ""
		}
		undated(m.State)
	}
	return m
}

// undated takes the times from a state that Commits bring into it.
func undated(s *eventv1.State) {
	if d := s.GetSecretDice(); d != nil {
		d.DueUnixMillis = 0
	}
	for _, c := range s.GetContests() { // order-free: each is changed by itself
		c.UnixMillis = 0
	}
}

// repeats is an answer without what may differ between two answers to one request:
// what has happened since.
func repeats(m proto.Message) proto.Message {
	m = proto.Clone(m)
	switch m := m.(type) {
	case *encounterv1.ExecuteResponse:
		m.Repeated, m.Cursor, m.Transcript = false, "", nil
		for _, d := range m.Decisions {
			d.DeadlineUnixMillis = 0
		}
	case *injuryv1.TendResponse:
		m.Repeated = false
	}
	return m
}

// unsealed takes the time from a step, and what dice it opened: whose epoch was
// not yet open has it opened anew.
func unsealed(s *encounterv1.Step) {
	if s == nil {
		return
	}
	s.UnixMillis, s.Cursor, s.Transcript = 0, "", nil
	for _, within := range s.GetRuling().GetSteps() {
		unsealed(within)
	}
	if s.Restored != nil {
		s.Restored.Commitments = nil
		undated(s.Restored)
	}
	for _, e := range s.Events {
		if d := e.GetDiceRevealed(); d != nil {
			d.SecretDueUnixMillis = 0
		}
		if c := e.GetContest().GetContest(); c != nil {
			c.UnixMillis = 0
		}
		if e.GetDiceEpoch() != nil {
			e.GetDiceEpoch().Commitments, e.GetDiceEpoch().SettingUp = nil, nil
		}
		for _, c := range e.GetAmended().GetCommands() {
			for i, data := range c.Events {
				c.Events[i] = ordered(data, &eventv1.Event{})
			}
			c.Command = ordered(c.Command, &eventv1.Command{})
		}
	}
}

// ordered marshals anew: maps stand in any order in what is stored as bytes.
func ordered(data []byte, m proto.Message) []byte {
	if err := proto.Unmarshal(data, m); err != nil {
		return data
	}
	out, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		return data
	}
	return out
}

// look is what everybody is shown of everything, by name.
type look map[string]proto.Message

// like is same for what another run came to.
func (l look) like(other look) string { return l.plain().same(other.plain()) }

func (l look) plain() look {
	out := look{}
	for name, m := range l { // order-free: each by itself
		out[name] = plain(m)
	}
	return out
}

// same says what differs; nothing when all is the same.
func (l look) same(other look) string {
	for name, m := range l {
		if !proto.Equal(m, other[name]) {
			return name + " differs: " + difference(m, other[name])
		}
	}
	if len(l) != len(other) {
		return fmt.Sprintf("%d things and %d", len(l), len(other))
	}
	return ""
}

// difference shows the first lines in which two messages differ.
func difference(a, b proto.Message) string {
	if a == nil || b == nil {
		return fmt.Sprintf("one is nothing: %t, %t", a == nil, b == nil)
	}
	x, y := strings.Split(prototext.Format(a), "\n"), strings.Split(prototext.Format(b), "\n")
	for i := range x {
		if i >= len(y) || strings.ReplaceAll(x[i], " ", "") != strings.ReplaceAll(y[i], " ", "") {
			return fmt.Sprintf("at line %d\n%s\nand\n%s", i, strings.Join(x[max(0, i-3):min(len(x), i+5)], "\n"), strings.Join(y[min(len(y), max(0, i-3)):min(len(y), i+5)], "\n"))
		}
	}
	return "one goes on"
}

// look reads everything that a step may touch.
func (p *process) look(ctx context.Context, s *step) (look, error) {
	out := look{}
	for _, id := range s.encounters {
		for _, as := range viewers {
			resp, err := p.GetState(ctx, &encounterv1.GetStateRequest{As: as, Encounter: id})
			if status.Code(err) == codes.NotFound {
				continue
			}
			if err != nil {
				return nil, err
			}
			out[id+" as "+as.Name] = resp
			if s.opens {
				resp.State.Commitments = nil
			}
			// order-free: each is changed by itself
			for _, d := range resp.State.Decisions {
				d.DeadlineUnixMillis = 0
			}
		}
	}
	for _, id := range s.patients {
		resp, err := p.GetPatient(ctx, &injuryv1.GetPatientRequest{As: gm, Patient: id})
		if status.Code(err) == codes.NotFound {
			continue
		}
		if err != nil {
			return nil, err
		}
		out["patient "+id] = resp.Patient
	}
	return out, nil
}

// follow watches from a cursor on and hands every step over until the stream
// ends; caughtUp is called when all that was stored has been handed over.
func (p *process) follow(ctx context.Context, req *encounterv1.WatchRequest, step func(*encounterv1.Step), caughtUp func()) error {
	stream, err := p.Watch(ctx, req)
	if err != nil {
		return err
	}
	for {
		m, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if s := m.GetStep(); s != nil {
			step(s)
		}
		if m.GetCaughtUp() != nil && caughtUp != nil {
			caughtUp()
		}
	}
}

// since are the steps after a cursor that are stored now.
func (p *process) since(t testing.TB, as *eventv1.Principal, id, after string) []*encounterv1.Step {
	t.Helper()
	return p.told(t, &encounterv1.WatchRequest{As: as, Encounter: id, After: after})
}

// told are the steps that a watch tells which are stored now.
func (p *process) told(t testing.TB, req *encounterv1.WatchRequest) (out []*encounterv1.Step) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	done := false
	err := p.follow(ctx, req, func(s *encounterv1.Step) { out = append(out, s) }, func() { done = true; cancel() })
	if !done {
		t.Fatalf("watching as %v: %v", req.As, err)
	}
	return out
}

// recorder gives commands to a suite that nobody disturbs and keeps of each kind
// a few steps with the folder before them.
type recorder struct {
	t                    *testing.T
	system               string
	data                 string // the suite's folder
	images               string
	p                    *process
	rng                  *rand.Rand
	encounters, patients []string
	keep                 int                    // steps of a kind
	wants                func(kind string) bool // nil means every kind
	kept                 map[string]int
	steps                []*step
	n                    int
	given                map[uint64]*eventv1.Command // by version, in the encounter under way
	refused              []string
}

func newRecorder(t *testing.T, system string, keep int) *recorder {
	r := &recorder{t: t, system: system, data: t.TempDir(), images: t.TempDir(), rng: rand.New(rand.NewPCG(1, 2)),
		keep: keep, kept: map[string]int{}, given: map[uint64]*eventv1.Command{}}
	r.p = start(t, "suite", r.data)
	return r
}

// carryOut gives a step's command and keeps it when it is wanted. What it turns
// out to be may be said afterwards, by kind.
func (r *recorder) carryOut(s *step, kind kindOf) (proto.Message, error) {
	r.t.Helper()
	r.n++
	if k := kind(nil); k != "" && (r.kept[k] >= r.keep || r.wants != nil && !r.wants(k)) {
		return r.unrecorded(s)
	}
	s.encounters, s.patients = slices.Clone(r.encounters), slices.Clone(r.patients)
	r.p.passed(r.t) // until it is quiet
	s.image = filepath.Join(r.images, fmt.Sprint(r.n))
	ctx := r.t.Context()
	var err error
	if s.before, err = r.p.look(ctx, s); err != nil {
		r.t.Fatal(err)
	}
	s.cursors = r.cursors(s)
	r.p.image(r.t, r.data, s.image)
	r.p.arm(r.t, point{})
	if s.waits {
		err = r.changed(s)
	} else {
		s.reply, err = s.call(ctx, r.p)
	}
	if err != nil {
		return nil, err
	}
	s.points = r.p.passed(r.t)
	if s.after, err = r.p.look(ctx, s); err != nil {
		r.t.Fatal(err)
	}
	s.tapes = map[string]string{}
	for _, id := range r.dice(s) {
		s.tapes[id] = r.p.ask(r.t, "tapes "+id)
	}
	for i, as := range viewers {
		if s.about() != "" {
			s.told = append(s.told, r.p.since(r.t, as, s.about(), s.cursors[i]))
		}
	}
	s.kind = kind(s.reply)
	if r.kept[s.kind] >= r.keep || r.wants != nil && !r.wants(s.kind) {
		return s.reply, nil
	}
	r.kept[s.kind]++
	r.steps = append(r.steps, s)
	return s.reply, nil
}

// unrecorded carries out a step that is not kept.
func (r *recorder) unrecorded(s *step) (proto.Message, error) {
	r.t.Helper()
	if !s.waits {
		return s.call(r.t.Context(), r.p)
	}
	return nil, errors.New("left to itself")
}

// changed waits until the service has done something by itself.
func (r *recorder) changed(s *step) error {
	ctx, cancel := context.WithTimeout(r.t.Context(), 60*time.Second)
	defer cancel()
	for {
		now, err := r.p.look(ctx, s)
		if err != nil {
			return err
		}
		if now.same(s.before) != "" {
			return nil
		}
		if err := sleep(ctx, 20*time.Millisecond); err != nil {
			return fmt.Errorf("nothing happened: %w", err)
		}
	}
}

// dice are the names of the dice that a step may draw from.
func (r *recorder) dice(s *step) []string {
	out := slices.Clone(s.encounters)
	for _, id := range s.patients {
		out = append(out, "patient:"+id)
	}
	return out
}

func (r *recorder) cursors(s *step) []string {
	out := make([]string, len(viewers))
	for i, as := range viewers {
		resp, err := r.p.GetState(r.t.Context(), &encounterv1.GetStateRequest{As: as, Encounter: s.about()})
		if err == nil {
			out[i] = resp.Cursor
		}
	}
	return out
}

// kindOf tells the kind of a step from its answer; with nil, the kind if it is
// known before.
type kindOf func(proto.Message) string

// named is a kind that is known before.
func named(kind string) kindOf {
	return func(proto.Message) string { return kind }
}

// do gives a command of the game master's in an encounter.
func (r *recorder) do(id string, kind kindOf, cmd *eventv1.Command) (*encounterv1.ExecuteResponse, error) {
	r.t.Helper()
	if !slices.Contains(r.encounters, id) {
		r.encounters = append(r.encounters, id)
	}
	s := &step{exec: &encounterv1.ExecuteRequest{RequestId: fmt.Sprint("r", r.n), As: gm, Encounter: id, Command: cmd}, fresh: cmd.GetCreate() != nil, opens: kind(nil) == "reopen"}
	m, err := r.carryOut(s, kind)
	if err != nil {
		return nil, err
	}
	resp := m.(*encounterv1.ExecuteResponse)
	r.given[resp.GetStep().GetNumber()] = cmd
	return resp, nil
}

func (r *recorder) must(id, kind string, cmd *eventv1.Command) *encounterv1.ExecuteResponse {
	r.t.Helper()
	resp, err := r.do(id, named(kind), cmd)
	if err != nil {
		r.t.Fatalf("%s %s: %v", r.system, kind, err)
	}
	return resp
}

// may is must for what a system may refuse.
func (r *recorder) may(id, kind string, cmd *eventv1.Command) {
	r.t.Helper()
	if _, err := r.do(id, named(kind), cmd); err != nil {
		r.refused = append(r.refused, fmt.Sprintf("%s: %v", kind, err))
	}
}

// deed does something to patients; the first of several that the system allows.
func (r *recorder) deed(kind string, deeds ...*eventv1.PatientCommand) *injuryv1.TendResponse {
	r.t.Helper()
	var err error
	for _, c := range deeds {
		var m proto.Message
		s := &step{tend: &injuryv1.TendRequest{RequestId: fmt.Sprint("r", r.n), As: gm, System: r.system, Command: &eventv1.Command{What: &eventv1.Command_Patient{Patient: c}}}, fresh: c.Deed == "enrol"}
		if m, err = r.carryOut(s, named(kind)); err == nil {
			return m.(*injuryv1.TendResponse)
		}
	}
	r.refused = append(r.refused, fmt.Sprintf("%s: %v", kind, err))
	return nil
}

// answerDeed answers what a deed on a patient asks.
func (r *recorder) answerDeed(d *eventv1.Decision) *injuryv1.TendResponse {
	r.t.Helper()
	cmd := &eventv1.Command{What: &eventv1.Command_Answer{Answer: &eventv1.AnswerDecision{Decision: d.Id, Answer: r.answer(d)}}}
	m, err := r.carryOut(&step{tend: &injuryv1.TendRequest{RequestId: fmt.Sprint("r", r.n), As: gm, Command: cmd}}, named("tend: answer"))
	if err != nil {
		r.t.Fatalf("%s: answering %v: %v", r.system, d, err)
	}
	return m.(*injuryv1.TendResponse)
}
