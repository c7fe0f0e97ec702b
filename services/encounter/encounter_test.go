package encounter_test

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/rpc"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter"
)

const (
	server   = eventv1.DicePolicy_DICE_POLICY_SERVER
	supplied = eventv1.DicePolicy_DICE_POLICY_SUPPLIED
	either   = eventv1.DicePolicy_DICE_POLICY_EITHER
)

func TestSuppliedDiceAndDecisions(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", supplied)
	cmd := takeCmd("a", "attack", "b")
	cmd.Faces = []int32{50, 12}
	c.do(gm, "e", cmd)
	bobs := c.state(bob, "e", 0).State.Decisions
	if len(bobs) != 1 {
		t.Fatalf("bob's decisions: %v", bobs)
	}
	var id string
	for id = range bobs {
	}
	if _, err := c.try(ann, "e", answerCmd(id, "no")); reason(err) != "UNKNOWN_DECISION" {
		t.Errorf("ann answered for bob: %v", err)
	}
	if _, err := c.try(ann, "e", takeCmd("a", "attack", "b")); reason(err) != "DECISION_PENDING" {
		t.Errorf("a command went past an open decision: %v", err)
	}
	if _, err := c.try(bob, "e", answerCmd(id, "perhaps")); code(err) != fault.Invalid {
		t.Errorf("an answer that is no option: %v", err)
	}
	answer := answerCmd(id, "no")
	answer.Faces = []int32{3}
	resp := c.do(gm, "e", answer)
	if len(resp.Decisions) != 1 || resp.Decisions[0].Name != "endure" {
		t.Fatalf("after the parry: %v", resp.Decisions)
	}
	c.do(gm, "e", answerCmd(resp.Decisions[0].Id, "no"))
	if hp := c.state(gm, "e", 0).State.Creatures["b"].GetHp(); hp != 997 {
		t.Errorf("hit points %d, want 997", hp)
	}
	if s := c.state(gm, "e", 0).State; len(s.Decisions) != 0 || s.Creatures["a"].Counters["score"] != 12 {
		t.Errorf("state after the attack: %v", s)
	}
}

func TestMissingDiceAreAskedFor(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", supplied)
	c.do(ann, "e", takeCmd("a", "attack", "b"))
	for _, step := range []struct {
		name  string
		faces []int32
	}{{"fate", []int32{77}}, {"to-hit", []int32{9}}} {
		var d *eventv1.Decision
		for _, d = range c.state(gm, "e", 0).State.Decisions {
		}
		if d.GetKind() != eventv1.DecisionKind_DECISION_KIND_DICE || d.Label != step.name || d.GmOnly != (step.name == "fate") {
			t.Fatalf("want dice for %s, got %v", step.name, d)
		}
		c.do(gm, "e", &eventv1.Command{What: &eventv1.Command_Answer{Answer: &eventv1.AnswerDecision{Decision: d.Id, Answer: &eventv1.Answer{Faces: step.faces}}}})
	}
	for _, d := range c.state(gm, "e", 0).State.Decisions {
		if d.Name != "parry" {
			t.Errorf("after the dice: %v", d)
		}
	}
}

func TestRequestIDsAreIdempotentAcrossRestart(t *testing.T) {
	w := newWorld(t)
	c := w.start()
	c.fight("e", server)
	req := &encounterv1.ExecuteRequest{RequestId: "once", As: gm, Encounter: "e", Command: early(takeCmd("a", "attack", "b"), "parry", "no", "endure", "no")}
	first, err := c.Execute(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		again, err := c.Execute(t.Context(), req)
		if err != nil || !again.Repeated || !proto.Equal(again.Step, first.Step) {
			t.Fatalf("repeated: %v %v", again, err)
		}
		c.stop()
		c = w.start()
	}
	other := proto.Clone(req).(*encounterv1.ExecuteRequest)
	other.Command.GetTake().Action = "whisper"
	if _, err := c.Execute(t.Context(), other); code(err) != fault.Invalid {
		t.Errorf("a request id was taken twice: %v", err)
	}
	auto := &encounterv1.ExecuteRequest{RequestId: "new", As: gm, Command: createCmd(server)}
	one, err := c.Execute(t.Context(), auto)
	if err != nil {
		t.Fatal(err)
	}
	two, err := c.Execute(t.Context(), auto)
	if err != nil || one.Encounter == "" || two.Encounter != one.Encounter || !two.Repeated {
		t.Errorf("creating twice under one request id: %v %v %v", one, two, err)
	}
}

func TestNothingIsAppendedOnAnyError(t *testing.T) {
	w := newWorld(t)
	c := w.start()
	c.fight("e", server)
	before, err := w.journal.Info(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	stale := c.state(gm, "e", 1).Cursor
	faces := takeCmd("a", "attack", "b")
	faces.Faces = []int32{1}
	huge := takeCmd("a", "attack", "b")
	huge.GetTake().Targets = slices.Repeat([]string{strings.Repeat("x", 1000)}, 300)
	cases := map[string]struct {
		req  *encounterv1.ExecuteRequest
		code fault.Code
	}{
		"no request id":     {&encounterv1.ExecuteRequest{As: gm, Encounter: "e", Command: takeCmd("a", "attack", "b")}, fault.Invalid},
		"no principal":      {&encounterv1.ExecuteRequest{RequestId: "x", Encounter: "e", Command: takeCmd("a", "attack", "b")}, fault.Invalid},
		"no command":        {&encounterv1.ExecuteRequest{RequestId: "x", As: gm, Encounter: "e"}, fault.Invalid},
		"unknown encounter": {&encounterv1.ExecuteRequest{RequestId: "x", As: gm, Encounter: "z", Command: takeCmd("a", "attack", "b")}, fault.NotFound},
		"bad encounter":     {&encounterv1.ExecuteRequest{RequestId: "x", As: gm, Encounter: "a.b", Command: takeCmd("a", "attack", "b")}, fault.Invalid},
		"exists":            {&encounterv1.ExecuteRequest{RequestId: "x", As: gm, Encounter: "e", Command: createCmd(server)}, fault.Exists},
		"unknown system":    {&encounterv1.ExecuteRequest{RequestId: "x", As: gm, Encounter: "f", Command: &eventv1.Command{What: &eventv1.Command_Create{Create: &eventv1.CreateEncounter{System: "chess"}}}}, fault.NotFound},
		"unknown creature":  {&encounterv1.ExecuteRequest{RequestId: "x", As: gm, Encounter: "e", Command: takeCmd("q", "attack", "b")}, fault.NotFound},
		"unknown target":    {&encounterv1.ExecuteRequest{RequestId: "x", As: gm, Encounter: "e", Command: takeCmd("a", "attack", "q")}, fault.NotFound},
		"not its turn":      {&encounterv1.ExecuteRequest{RequestId: "x", As: gm, Encounter: "e", Command: takeCmd("b", "attack", "a")}, fault.Illegal},
		"not your creature": {&encounterv1.ExecuteRequest{RequestId: "x", As: bob, Encounter: "e", Command: takeCmd("a", "attack", "b")}, fault.Denied},
		"spectator":         {&encounterv1.ExecuteRequest{RequestId: "x", As: spectator, Encounter: "e", Command: takeCmd("a", "attack", "b")}, fault.Denied},
		"player adds":       {&encounterv1.ExecuteRequest{RequestId: "x", As: ann, Encounter: "e", Command: addCmd("c", 1)}, fault.Denied},
		"malformed sheet":   {&encounterv1.ExecuteRequest{RequestId: "x", As: gm, Encounter: "e", Command: addCmd("c", -5)}, fault.Invalid},
		"stale cursor":      {&encounterv1.ExecuteRequest{RequestId: "x", As: gm, Encounter: "e", ExpectedCursor: stale, Command: takeCmd("a", "attack", "b")}, fault.Conflict},
		"foreign cursor":    {&encounterv1.ExecuteRequest{RequestId: "x", As: ann, Encounter: "e", ExpectedCursor: stale, Command: takeCmd("a", "attack", "b")}, fault.Invalid},
		"faces refused":     {&encounterv1.ExecuteRequest{RequestId: "x", As: gm, Encounter: "e", Command: faces}, fault.Invalid},
		"oversized":         {&encounterv1.ExecuteRequest{RequestId: "x", As: gm, Encounter: "e", Command: huge}, fault.Exhausted},
		"unknown decision":  {&encounterv1.ExecuteRequest{RequestId: "x", As: gm, Encounter: "e", Command: answerCmd("nope", "yes")}, fault.NotFound},
		"unknown setting":   {&encounterv1.ExecuteRequest{RequestId: "x", As: gm, Encounter: "e", Command: &eventv1.Command{What: &eventv1.Command_Set{Set: &eventv1.SetSetting{Setting: "s"}}}}, fault.Invalid},
		"unknown patient": {&encounterv1.ExecuteRequest{RequestId: "x", As: gm, Encounter: "e", Command: &eventv1.Command{What: &eventv1.Command_Add{
			Add: &eventv1.AddCreature{Sheet: &eventv1.Sheet{Id: "c", Name: "c", Side: "c", HitPoints: 1, Patient: "nobody"}}}}}, fault.NotFound},
	}
	for name, tc := range cases {
		_, err := c.Execute(t.Context(), tc.req)
		got := code(err)
		if got == fault.Stale {
			got = fault.Conflict // both are ABORTED on the wire
		}
		if got != tc.code {
			t.Errorf("%s: want %v, got %v (%v)", name, tc.code, got, err)
		}
		if f := rpc.FromStatus(err); f == nil || f.Reason == "" {
			t.Errorf("%s: no machine-readable reason: %v", name, err)
		}
	}
	after, err := w.journal.Info(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if last, _, err := w.journal.Last(t.Context(), "skald.0.main.encounter.e"); err != nil || last.Seq > before.LastSeq {
		t.Errorf("the encounter's log grew from %d to %d", before.LastSeq, after.LastSeq)
	}
}

func TestTwoServersRaceOnOneEncounter(t *testing.T) {
	w := newWorld(t)
	one := w.start()
	two := w.replica(t.TempDir(), w.log)
	one.fight("e", server)
	var wg sync.WaitGroup
	const each = 25
	errs := make([]error, 2)
	for i, c := range []*client{one, two} {
		wg.Go(func() {
			for n := range each {
				_, err := c.Execute(context.Background(), &encounterv1.ExecuteRequest{RequestId: strings.Repeat("i", i+1) + string(rune('A'+n)), As: gm, Encounter: "e",
					Command: early(takeCmd("a", "attack", "b"), "parry", "no", "endure", "yes")})
				if err != nil && code(err) != fault.Conflict && code(err) != fault.Stale {
					errs[i] = err
					return
				}
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
	var versions []uint64
	if err := w.journal.Read(t.Context(), "skald.0.main.encounter.e", 1, 0, func(rec journal.Record) error {
		o, err := event.Open(rec.Data)
		if err == nil {
			versions = append(versions, o.Header.Version)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	for i, v := range versions {
		if v != uint64(i)+1 {
			t.Fatalf("versions are not gapless: %v", versions)
		}
	}
	last := uint64(len(versions))
	for _, c := range []*client{one, two} {
		deadline := time.Now().Add(10 * time.Second)
		for c.state(gm, "e", 0).Number < last && time.Now().Before(deadline) {
			time.Sleep(5 * time.Millisecond)
		}
	}
	a, b := one.state(gm, "e", 0), two.state(gm, "e", 0)
	if !proto.Equal(a.State, b.State) || a.Number != last {
		t.Errorf("the two servers differ: %d and %d of %d", a.Number, b.Number, last)
	}
	if hp := a.State.Creatures["b"].GetHp(); hp != 1000-int32(last-4) {
		t.Errorf("hit points %d after %d attacks of one each", hp, last-4)
	}
}

func TestRestartInMidDecision(t *testing.T) {
	w := newWorld(t)
	c := w.start()
	c.fight("e", either)
	cmd := takeCmd("a", "attack", "b")
	cmd.Faces = []int32{1, 20}
	c.do(gm, "e", cmd)
	before := c.state(gm, "e", 0).State
	c.stop()
	c = w.start()
	after := c.state(gm, "e", 0).State
	if !proto.Equal(before, after) || len(after.Decisions) != 1 {
		t.Fatalf("state changed over a restart, or the question is lost")
	}
	for id := range after.Decisions {
		answer := early(answerCmd(id, "no"), "endure", "no")
		answer.Faces = []int32{4}
		c.do(gm, "e", answer)
	}
	if s := c.state(gm, "e", 0).State; s.Creatures["b"].GetHp() != 996 || s.Creatures["a"].Counters["score"] != 20 {
		t.Errorf("after the answer: %v", s.Creatures)
	}
}

// What a viewer is told does not depend on what it may not see.
func TestHiddenCommandsLeaveNoTrace(t *testing.T) {
	c := newWorld(t).start()
	for _, id := range []string{"open", "secret"} {
		c.fight(id, supplied)
	}
	for range 3 {
		c.do(gm, "secret", takeCmd("a", "whisper", "b"))
	}
	for _, id := range []string{"open", "secret"} {
		cmd := early(takeCmd("a", "attack", "b"), "parry", "no", "endure", "no")
		cmd.Faces = []int32{5, 10, 2}
		if id == "secret" {
			cmd.Faces[0] = 99
		}
		c.do(gm, id, cmd)
	}
	for _, as := range []*eventv1.Principal{ann, bob, spectator} {
		var seen [2][]byte
		for i, id := range []string{"open", "secret"} {
			h, err := c.GetHistory(t.Context(), &encounterv1.GetHistoryRequest{As: as, Encounter: id})
			if err != nil {
				t.Fatal(err)
			}
			s := c.state(as, id, 0)
			s.Cursor, s.State.Encounter, s.State.Commitments = "", "", nil
			// Transcripts are over all of this, and so over what differs.
			s.Transcript, s.Public.Transcript, s.Public.Words = nil, nil, ""
			for _, step := range h.Steps {
				step.Cursor, step.Transcript, step.UnixMillis = "", nil, 0
				for _, e := range step.Events {
					// The dice keys of two encounters differ, and their ids.
					if d := e.GetDiceEpoch(); d != nil {
						d.Commitments, d.SettingUp = nil, nil
					}
					if d := e.GetEncounterCreated(); d != nil {
						d.Encounter = ""
					}
					// Ids of decisions are keyed by encounter.
					if a := e.GetDecisionAnswered(); a != nil {
						a.Id = ""
					}
				}
			}
			m := proto.MarshalOptions{Deterministic: true}
			a, err := m.Marshal(h)
			if err != nil {
				t.Fatal(err)
			}
			b, err := m.Marshal(s)
			if err != nil {
				t.Fatal(err)
			}
			seen[i] = append(a, b...)
		}
		if !bytes.Equal(seen[0], seen[1]) {
			t.Errorf("%v can tell the fight with secrets from the one without", as)
		}
	}
}

func TestWatchHasNoGapAndNoDuplicate(t *testing.T) {
	w := newWorld(t)
	c := w.start()
	c.fight("e", server)
	attack := func() {
		c.do(gm, "e", early(takeCmd("a", "attack", "b"), "parry", "no", "endure", "no"))
		c.do(gm, "e", takeCmd("a", "whisper", "b"))
	}
	attack()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	read := func(as *eventv1.Principal, after string, want uint64) (last *encounterv1.Step, marks int) {
		stream, err := c.Watch(ctx, &encounterv1.WatchRequest{As: as, Encounter: "e", After: after})
		if err != nil {
			t.Fatal(err)
		}
		var next uint64
		for last == nil || last.Number < want || marks == 0 { // the mark may come after the step
			m, err := stream.Recv()
			if err != nil {
				t.Fatal(err)
			}
			if m.GetCaughtUp() != nil {
				marks++
				continue
			}
			if m.GetStep() == nil {
				continue
			}
			last = m.GetStep()
			if next != 0 && last.Number != next {
				t.Fatalf("step %d where %d must follow", last.Number, next)
			}
			next = last.Number + 1
		}
		return last, marks
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 5 {
			attack()
		}
	}()
	mid, _ := read(ann, "", 6) // 4 to begin with, then attacks that she sees
	<-done
	now := c.state(ann, "e", 0).Number
	if now != 4+6 {
		t.Fatalf("ann saw %d steps; whispers must not count", now)
	}
	c.stop()
	c = w.start()
	var more sync.WaitGroup
	more.Go(attack)
	last, _ := read(ann, mid.Cursor, now+1)
	more.Wait()
	if last.Number != now+1 {
		t.Errorf("resumed watch ended at %d", last.Number)
	}
}

func TestStateAtAnyNumberAndRebuildEqualsLive(t *testing.T) {
	w := newWorld(t)
	c := w.start()
	c.fight("e", server)
	type point struct {
		number uint64
		state  *eventv1.State
	}
	var points []point
	for i := range 230 {
		if i%3 == 0 {
			c.do(gm, "e", takeCmd("a", "whisper", "b"))
			continue
		}
		c.do(gm, "e", early(takeCmd("a", "attack", "b"), "parry", "no", "endure", "yes"))
		if i%20 == 1 {
			s := c.state(bob, "e", 0)
			points = append(points, point{s.Number, s.State})
		}
	}
	check := func() {
		t.Helper()
		for _, p := range points {
			if got := c.state(bob, "e", p.number); !proto.Equal(got.State, p.state) {
				t.Fatalf("state at %d differs from what it was", p.number)
			}
		}
	}
	check()
	last, _, err := w.journal.Last(t.Context(), "skald.0.main.encounter.e")
	if err != nil {
		t.Fatal(err)
	}
	caught := func() []byte {
		t.Helper()
		deadline := time.Now().Add(10 * time.Second)
		for c.svc.Status().Applied < last.Seq {
			if time.Now().After(deadline) {
				t.Fatal("the projection does not catch up")
			}
			time.Sleep(5 * time.Millisecond)
		}
		h, err := c.svc.ContentHash()
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	live := caught()
	c.stop()
	c = w.start()
	check() // from the projection alone
	c.stop()
	told := uint64(0)
	if err := encounter.Rebuild(t.Context(), encounter.Config{Journal: w.journal, DataDir: w.dir, Logger: quiet, Systems: w.systems},
		func(done, _ uint64) { told = done }); err != nil {
		t.Fatal(err)
	}
	c = w.start()
	if !bytes.Equal(live, caught()) || told == 0 {
		t.Error("rebuilt content differs from live content")
	}
	check()
	if filepath.Base(encounter.File(w.dir)) != "encounter.db" {
		t.Error("the projection has another name")
	}
}

func TestDeadlineTakesTheDefault(t *testing.T) {
	c := newWorld(t).start()
	cmd := createCmd(server)
	cmd.GetCreate().DecisionSeconds = 1
	c.do(gm, "e", cmd)
	c.do(gm, "e", addCmd("a", 10, "ann"))
	c.do(gm, "e", addCmd("b", 10, "bob"))
	c.do(gm, "e", &eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}})
	c.do(ann, "e", takeCmd("a", "attack", "b"))
	for _, d := range c.state(bob, "e", 0).State.Decisions {
		if d.DeadlineUnixMillis == 0 {
			t.Error("the decision shows no deadline")
		}
	}
	deadline := time.Now().Add(15 * time.Second)
	for {
		if s := c.state(gm, "e", 0).State; len(s.Decisions) == 0 && s.Creatures["b"].GetHp() < 10 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("defaults were not taken")
		}
		time.Sleep(20 * time.Millisecond)
	}
	h, err := c.GetHistory(t.Context(), &encounterv1.GetHistoryRequest{As: bob, Encounter: "e"})
	if err != nil {
		t.Fatal(err)
	}
	var by []string
	for _, s := range h.Steps {
		for _, e := range s.Events {
			if a := e.GetDecisionAnswered(); a != nil {
				by = append(by, a.By)
			}
		}
	}
	if len(by) != 2 || by[0] != "default" || by[1] != "default" {
		t.Errorf("answered by %v", by)
	}
}

func TestEndRevealsThePublicBranchAndExportsVerify(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", server)
	c.do(gm, "e", early(takeCmd("a", "attack", "b"), "parry", "no", "endure", "no"))
	c.do(gm, "e", &eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{Reason: "done"}}})
	h, err := c.GetHistory(t.Context(), &encounterv1.GetHistoryRequest{As: spectator, Encounter: "e"})
	if err != nil {
		t.Fatal(err)
	}
	last := h.Steps[len(h.Steps)-1].Events
	if last[len(last)-1].GetDiceRevealed() == nil {
		t.Fatalf("the last step is not the reveal: %v", last)
	}
	if _, err := c.try(gm, "e", takeCmd("a", "attack", "b")); reason(err) != "ENCOUNTER_ENDED" {
		t.Errorf("after the end: %v", err)
	}
	for _, as := range []*eventv1.Principal{gm, bob, spectator} {
		stream, err := c.Export(t.Context(), &encounterv1.ExportRequest{As: as, Encounter: "e"})
		if err != nil {
			t.Fatal(err)
		}
		var previous *event.Opened
		withheld := 0
		for range 7 {
			m, err := stream.Recv()
			if err != nil {
				t.Fatal(err)
			}
			o, err := event.Open(m.Commit)
			if err != nil {
				t.Fatal(err)
			}
			if err := event.Follows(previous, o); err != nil {
				t.Fatal(err)
			}
			previous = o
			withheld += o.Withheld
		}
		if (withheld == 0) != (as == gm) {
			t.Errorf("%v: %d parts withheld", as, withheld)
		}
	}
}

func TestOptionsExplainAndList(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", server)
	c.do(gm, "e", early(takeCmd("a", "attack", "b"), "parry", "no", "endure", "no"))
	o, err := c.GetOptions(t.Context(), &encounterv1.GetOptionsRequest{As: ann, Encounter: "e"})
	if err != nil || len(o.Options) != 1 || !o.Options[0].Legal {
		t.Errorf("ann's options: %v %v", o, err)
	}
	if o, err := c.GetOptions(t.Context(), &encounterv1.GetOptionsRequest{As: gm, Encounter: "e", Creature: "a"}); err != nil || len(o.Options) != 2 {
		t.Errorf("the game master's options: %v %v", o, err)
	}
	if _, err := c.try(ann, "e", takeCmd("a", "judge", "b")); reason(err) != "GAME_MASTERS_CALL" {
		t.Errorf("ann took the game master's call: %v", err)
	}
	if _, err := c.GetOptions(t.Context(), &encounterv1.GetOptionsRequest{As: ann, Encounter: "e", Creature: "b"}); code(err) != fault.Denied {
		t.Errorf("ann asked for bob's options: %v", err)
	}
	x, err := c.Explain(t.Context(), &encounterv1.ExplainRequest{As: ann, Encounter: "e", Number: 5, Event: 0})
	if err != nil || x.Event.GetRoll() == nil || len(x.Lines) < 3 {
		t.Errorf("explain: %v %v", x, err)
	}
	if _, err := c.Explain(t.Context(), &encounterv1.ExplainRequest{As: ann, Encounter: "e", Number: 5, Event: 99}); code(err) != fault.NotFound {
		t.Errorf("explained an event that is not there: %v", err)
	}
	l, err := c.ListEncounters(t.Context(), &encounterv1.ListEncountersRequest{As: gm})
	if err != nil || len(l.Encounters) != 1 || l.Encounters[0].Status != eventv1.State_STATUS_STARTED {
		t.Errorf("list: %v, %v", l, err)
	}
}
