//go:build linux

package cluster

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/cmd/skald/internal/autoplay"
	"github.com/skaldrpg/skald/pkg/content/sheets"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rpc"
	"github.com/skaldrpg/skald/pkg/rules"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

const (
	callWait = 6 * time.Second  // for one attempt
	giveUp   = 90 * time.Second // after which a command stays unknown
	fightFor = 60               // commands of one writer in one fight
)

// table is a table where one fight after the other is fought by two writers, who
// come to different processes of the encounter service first, and seen by two
// watchers.
type table struct {
	c      *Cluster
	h      *History
	system string
	name   string
	seed   uint64
	pace   time.Duration
	serial atomic.Int64
	last   sync.Map // encounter that is over -> how far its watchers have to come at least, uint64
}

// run fights until ctx ends; what is under way then is brought to its end.
func (t *table) run(ctx context.Context, watchers *sync.WaitGroup) {
	t.enrol(ctx)
	for n := 1; ctx.Err() == nil; n++ {
		id := fmt.Sprint(t.name, "-", n)
		lead := t.writer(id, 0)
		if !lead.begin(ctx) {
			continue
		}
		for first := range replicas {
			watchers.Go(func() { t.watch(id, first) }) // ends when all was seen, or at its limit
		}
		var wg sync.WaitGroup
		for i := range 2 {
			w := lead
			if i > 0 {
				w = t.writer(id, i)
			}
			wg.Go(func() { w.fight(ctx) }) // ends with ctx or the fight
		}
		wg.Wait()
		lead.do(lead.settledEnd(), 0, "")
		t.last.Store(id, lead.at)
	}
}

// patients of a table, who go from fight to fight.
var patients = []string{"p0", "p1"}

func (t *table) enrol(ctx context.Context) {
	for i, p := range patients {
		sheet, err := sheets.Get(t.system, sheets.List(t.system)[i%len(sheets.List(t.system))])
		if err != nil {
			t.h.problem("%v", err)
			return
		}
		sheet = proto.CloneOf(sheet)
		sheet.Id, sheet.Side, sheet.Patient = p, []string{"left", "right"}[i%2], p
		req := &injuryv1.TendRequest{RequestId: "enrol-" + p, As: gm, Table: t.name, System: t.system, Command: &eventv1.Command{What: &eventv1.Command_Patient{
			Patient: &eventv1.PatientCommand{Deed: "enrol", Patients: []string{p}, Sheet: sheet}}}}
		for attempt := 0; ctx.Err() == nil; attempt++ {
			svc := t.c.Of("injury")[attempt%replicas]
			call, cancel := context.WithTimeout(context.WithoutCancel(ctx), callWait)
			_, err := injuryv1.NewInjuryServiceClient(svc.Conn).Tend(call, req)
			cancel()
			if err == nil {
				t.h.mu.Lock()
				t.h.tends[req.RequestId] = t.name + "/" + p
				t.h.mu.Unlock()
				break
			}
			if f := rpc.FromStatus(err); f.Code != fault.Unavailable {
				t.h.problem("enrolling %s at %s: %v", p, t.name, err)
				break
			}
			time.Sleep(100 * time.Millisecond)
		}
	}
}

// writer is one of the two who give commands in a fight.
type writer struct {
	*table
	id     string
	number int
	rng    autoplay.Random
	cursor string // the last one that it knows
	at     uint64 // its number
}

func (t *table) writer(id string, i int) *writer {
	return &writer{table: t, id: id, number: i, rng: autoplay.Random{Rand: rand.New(rand.NewPCG(t.seed, uint64(i)+uint64(t.serial.Add(1))<<8))}}
}

func (w *writer) service(attempt int) encounterv1.EncounterServiceClient {
	return encounterv1.NewEncounterServiceClient(w.c.Of("encounter")[(w.number+attempt)%replicas].Conn)
}

// do gives a command, under one request id until it is answered for good.
func (w *writer) do(cmd *eventv1.Command, expected uint64, cursor string) (*encounterv1.ExecuteResponse, Outcome) {
	op := Op{Encounter: w.id, Client: w.number, Request: fmt.Sprint("w", w.number, "-", w.serial.Add(1)), Expected: expected, Call: w.h.now()}
	req := &encounterv1.ExecuteRequest{RequestId: op.Request, As: gm, Table: w.name, Encounter: w.id, Command: cmd, ExpectedCursor: cursor}
	doubt := false
	op.Outcome = Unknown
	var resp *encounterv1.ExecuteResponse
	var err error
	for attempt := 0; time.Duration(w.h.now()-op.Call) < giveUp; attempt++ {
		ctx, cancel := context.WithTimeout(context.Background(), callWait)
		resp, err = w.service(attempt).Execute(ctx, req)
		cancel()
		if err == nil {
			op.Outcome, op.Number = Done, resp.Step.GetNumber()
			if resp.Step == nil {
				w.h.problem("%s %s: acknowledged without a step", w.id, op.Request)
			}
			w.cursor, w.at = resp.Step.GetCursor(), op.Number
			break
		}
		f := rpc.FromStatus(err)
		again := f.Code == fault.Unavailable || f.Code == fault.Conflict || f.Code == fault.Exhausted
		if f.Code == fault.Internal {
			w.h.problem("%s %s: %v", w.id, op.Request, err)
			again = true
		}
		if !again {
			if op.Outcome = Refused; f.Code == fault.Stale {
				op.Outcome = Stale
			}
			if doubt { // an attempt before this one may still be on its way
				op.Outcome = Unknown
			}
			w.h.mu.Lock()
			w.h.refused[f.Reason]++
			w.h.mu.Unlock()
			break
		}
		doubt = doubt || f.Code != fault.Conflict
		w.h.mu.Lock()
		w.h.retries++
		w.h.mu.Unlock()
		time.Sleep(time.Duration(50+w.rng.IntN(200)) * time.Millisecond)
	}
	w.h.add(op)
	return resp, op.Outcome
}

// begin makes a fight; false when it could not.
func (w *writer) begin(ctx context.Context) bool {
	must := func(cmd *eventv1.Command) bool {
		resp, out := w.do(cmd, 0, "")
		for out == Done && len(resp.Decisions) > 0 { // who enters may have dice to roll
			resp, out = w.reply(resp.Decisions[0])
		}
		return out == Done
	}
	if !must(&eventv1.Command{What: &eventv1.Command_Create{Create: &eventv1.CreateEncounter{System: w.system}}}) {
		return false
	}
	names := sheets.List(w.system)
	for i := range 4 {
		sheet, err := sheets.Get(w.system, names[w.rng.IntN(len(names))])
		if err != nil {
			w.h.problem("%v", err)
			return false
		}
		sheet = proto.CloneOf(sheet)
		sheet.Id, sheet.Side = fmt.Sprint("c", i), []string{"left", "right"}[i%2]
		if i < len(patients) {
			sheet.Id, sheet.Patient = patients[i], patients[i]
		}
		if !must(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: sheet}}}) && ctx.Err() != nil {
			return false
		}
	}
	return must(&eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}})
}

func (w *writer) reply(d *eventv1.Decision) (*encounterv1.ExecuteResponse, Outcome) {
	a, err := w.rng.Answer(d)
	if err != nil {
		w.h.problem("%s: %v", w.id, err)
		return nil, Refused
	}
	return w.do(&eventv1.Command{What: &eventv1.Command_Answer{Answer: &eventv1.AnswerDecision{Decision: d.Id, Answer: a}}}, 0, "")
}

// settledEnd ends the fight; open decisions are dropped with it, or it is refused
// and the fight stays open, which is no fault.
func (w *writer) settledEnd() *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}}
}

// fight gives commands until the fight is over.
func (w *writer) fight(ctx context.Context) {
	for range fightFor {
		if ctx.Err() != nil || !w.step() {
			return
		}
		time.Sleep(w.pace/2 + time.Duration(w.rng.Int64N(int64(w.pace))))
	}
}

// read reads the state from the process that it comes to first, or another.
func (w *writer) read() *encounterv1.GetStateResponse {
	op := Op{Encounter: w.id, Client: w.number, Outcome: Read, Call: w.h.now()}
	for attempt := 0; time.Duration(w.h.now()-op.Call) < giveUp; attempt++ {
		ctx, cancel := context.WithTimeout(context.Background(), callWait)
		resp, err := w.service(attempt).GetState(ctx, &encounterv1.GetStateRequest{As: gm, Table: w.name, Encounter: w.id, NotOlderThan: w.cursor})
		cancel()
		if err == nil {
			op.Number = resp.Number
			if resp.Number < w.at {
				w.h.problem("%s: step %d was read after %d was known", w.id, resp.Number, w.at)
			}
			w.h.same("state", fmt.Sprint(w.id, " ", resp.Number), digest(resp.State))
			w.cursor, w.at = resp.Cursor, resp.Number
			w.h.add(op)
			return resp
		}
		if f := rpc.FromStatus(err); f.Code != fault.Unavailable && f.Code != fault.Exhausted && f.Code != fault.NotFound {
			w.h.problem("%s: reading: %v", w.id, err)
			return nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	w.h.problem("%s: could not be read within %v", w.id, giveUp)
	return nil
}

func digest(m proto.Message) string {
	data, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		return err.Error()
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}

// step does one thing; false when the fight is over.
func (w *writer) step() bool {
	now := w.read()
	if now == nil || now.State.Status != eventv1.State_STATUS_STARTED {
		return false
	}
	expected, cursor := uint64(0), ""
	if w.rng.IntN(3) == 0 {
		expected, cursor = now.Number, now.Cursor
	}
	if ids := rules.SortedKeys(now.State.Decisions); len(ids) > 0 {
		w.reply(now.State.Decisions[ids[w.rng.IntN(len(ids))]])
		return true
	}
	switch n := w.rng.IntN(30); n {
	case 0:
		w.do(&eventv1.Command{What: &eventv1.Command_Revert{Revert: &eventv1.RevertEncounter{To: &eventv1.RevertEncounter_Last{Last: true}}}}, expected, cursor)
		return true
	case 1:
		w.do(&eventv1.Command{What: &eventv1.Command_Redo{Redo: &eventv1.RedoEncounter{}}}, expected, cursor)
		return true
	case 2, 3:
		if now.Number < 8 {
			return true
		}
		am := &eventv1.AmendCommand{Version: now.Number - uint64(w.rng.IntN(4)), Drop: n == 2, TakeDefaults: true}
		w.do(&eventv1.Command{What: &eventv1.Command_Amend{Amend: am}}, expected, cursor)
		return true
	}
	ctx, cancel := context.WithTimeout(context.Background(), callWait)
	defer cancel()
	options, err := w.service(w.rng.IntN(2)).GetOptions(ctx, &encounterv1.GetOptionsRequest{As: gm, Table: w.name, Encounter: w.id, WithoutSquares: true})
	if err != nil {
		return true // asked again
	}
	var legal []*eventv1.Option
	for _, o := range options.Options {
		if o.Legal && autoplay.Fillable(o) {
			legal = append(legal, o)
		}
	}
	if len(legal) == 0 {
		return len(options.Options) > 0 // the other writer may have moved on
	}
	o := legal[w.rng.IntN(len(legal))]
	cmd := w.rng.Command(o, func() *eventv1.Position { return now.State.Creatures[o.Creature].GetPosition() })
	w.do(cmd, expected, cursor)
	return true
}

// watch sees every step of a fight once, in order, from whoever answers, resuming
// by its cursor.
func (t *table) watch(id string, first int) {
	cursor, at := "", uint64(0)
	deadline := time.Time{}
	for attempt := first; ; attempt++ {
		if target, ok := t.last.Load(id); ok {
			if at >= target.(uint64) {
				return
			}
			if deadline.IsZero() {
				deadline = time.Now().Add(60 * time.Second)
			}
			if time.Now().After(deadline) {
				t.h.problem("a watcher of %s came to step %d of %d", id, at, target)
				return
			}
		}
		// Short, so that every watcher resumes by its cursor again and again.
		ctx, cancel := context.WithTimeout(context.Background(), 4*time.Second)
		stream, err := encounterv1.NewEncounterServiceClient(t.c.Of("encounter")[attempt%replicas].Conn).Watch(ctx,
			&encounterv1.WatchRequest{As: gm, Table: t.name, Encounter: id, After: cursor})
		for err == nil {
			var m *encounterv1.WatchResponse
			if m, err = stream.Recv(); err != nil || m.GetStep() == nil {
				if m.GetCaughtUp() != nil && t.over(id, at) {
					break
				}
				continue
			}
			s := m.GetStep()
			if s.Number != at+1 {
				t.h.problem("a watcher of %s saw step %d after %d", id, s.Number, at)
			}
			t.h.same("step", fmt.Sprint(id, " ", s.Number), digest(s))
			cursor, at = s.Cursor, s.Number
		}
		cancel()
		time.Sleep(50 * time.Millisecond)
	}
}

func (t *table) over(id string, at uint64) bool {
	target, ok := t.last.Load(id)
	return ok && at >= target.(uint64)
}
