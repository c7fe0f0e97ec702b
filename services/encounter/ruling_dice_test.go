package encounter_test

import (
	"bytes"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/fault"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

var endCmd = &eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{Reason: "done"}}}

func endTurnCmd(id string) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_EndTurn{EndTurn: &eventv1.EndTurn{Creature: id}}}
}

func toVersion(n uint64) *eventv1.Command {
	return revertCmd(&eventv1.RevertEncounter{To: &eventv1.RevertEncounter_Version{Version: n}})
}

var lastCmd = revertCmd(&eventv1.RevertEncounter{To: &eventv1.RevertEncounter_Last{Last: true}})

// revealed lists the epochs whose public branch is open to all, in order.
func revealed(t *testing.T, c *client, id string) []uint32 {
	t.Helper()
	var out []uint32
	h, err := c.GetHistory(t.Context(), &encounterv1.GetHistoryRequest{As: spectator, Encounter: id, Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range h.Steps {
		for _, e := range step.Events {
			if d := e.GetDiceRevealed(); d != nil {
				out = append(out, d.Epoch)
			}
		}
	}
	return out
}

// A fight goes on with dice that nobody knows, whichever ruling reopens it.
func TestDroppingTheEndOpensNewDice(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", server)
	c.do(gm, "e", attackCmd("a", "b")) // 5
	before := c.state(gm, "e", 0).State
	c.do(gm, "e", endCmd) // 6, and 7 reveals
	c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: 6, Drop: true}))
	s := c.state(gm, "e", 0).State
	if s.Status != eventv1.State_STATUS_STARTED || s.Epoch != 2 || bytes.Equal(s.Commitments["everyone"], before.Commitments["everyone"]) {
		t.Fatalf("reopened: %v epoch %d", s.Status, s.Epoch)
	}
	for _, branch := range []string{"everyone", "gm", "creature/a", "creature/b"} {
		if len(s.Commitments[branch]) == 0 {
			t.Errorf("nothing is committed to for %s", branch)
		}
	}
	resp := c.do(gm, "e", attackCmd("a", "b"))
	for _, e := range resp.Step.Events {
		if r := e.GetRoll(); r != nil && r.Epoch != 2 {
			t.Errorf("%s is rolled in epoch %d", r.Label, r.Epoch)
		}
	}
	c.do(gm, "e", endCmd)
	if got := revealed(t, c, "e"); len(got) != 2 || got[1] != 2 {
		t.Errorf("revealed epochs %v", got)
	}
}

// While a fight is over its dice are known: what was rolled can be ruled on,
// what was not cannot be rolled.
func TestNothingNewIsRolledWithKnownDice(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", server)
	c.do(gm, "e", attackCmd("a", "b"))          // 5
	c.do(gm, "e", takeCmd("a", "whisper", "b")) // 6
	c.do(gm, "e", endCmd)                       // 7
	number := c.state(gm, "e", 0).Number
	am := &eventv1.AmendCommand{Version: 6, Command: attackCmd("a", "b")}
	dry, err := c.PreviewRuling(t.Context(), &encounterv1.PreviewRulingRequest{As: gm, Encounter: "e", Command: amendCmd(am)})
	if err != nil || len(dry.Troubles) != 1 || dry.Troubles[0].Reason != "BRANCH_SPENT" || !slices.Equal(dry.NeedsDice, []string{"e"}) {
		t.Errorf("dry run: %v (%v)", dry, err)
	}
	if _, err := c.try(gm, "e", amendCmd(am)); reason(err) != "BRANCH_SPENT" {
		t.Errorf("amendment: %v", err)
	}
	if got := c.state(gm, "e", 0).Number; got != number {
		t.Errorf("step %d after %d", got, number)
	}
	c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: 5, Rolls: []*eventv1.FixedRoll{{Label: "harm/damage", Faces: []int32{1}}}}))
	if s := c.state(gm, "e", 0).State; s.Creatures["b"].GetHp() != 999 || s.Status != eventv1.State_STATUS_ENDED {
		t.Errorf("after ruling on what was rolled: %v", s)
	}
}

// New dice for a ruling on a fight that is over are committed to first, take entropy,
// roll for the ruling, and are revealed with it.
func TestDiceAreOpenedForARuling(t *testing.T) {
	c := newWorld(t).start()
	open := &eventv1.Command{What: &eventv1.Command_OpenDice{OpenDice: &eventv1.OpenDice{}}}
	c.fight("e", server)
	if _, err := c.try(gm, "e", open); reason(err) != "NOT_OVER" {
		t.Errorf("while the fight goes on: %v", err)
	}
	c.do(gm, "e", takeCmd("a", "whisper", "b")) // 5
	c.do(gm, "e", endCmd)
	if _, err := c.try(ann, "e", open); reason(err) != "NOT_ALLOWED" {
		t.Errorf("by a player: %v", err)
	}
	c.do(gm, "e", open)
	if _, err := c.try(gm, "e", open); reason(err) != "DICE_OPEN" {
		t.Errorf("twice: %v", err)
	}
	if got := revealed(t, c, "e"); len(got) != 1 {
		t.Fatalf("revealed %v before anything was rolled with them", got)
	}
	c.do(ann, "e", &eventv1.Command{What: &eventv1.Command_AddEntropy{AddEntropy: &eventv1.AddEntropy{Words: "mine"}}})
	am := amendCmd(&eventv1.AmendCommand{Version: 5, Command: attackCmd("a", "b")})
	dry, err := c.PreviewRuling(t.Context(), &encounterv1.PreviewRulingRequest{As: gm, Encounter: "e", Command: am})
	if err != nil || len(dry.Troubles) > 0 || len(dry.Fresh) == 0 {
		t.Fatalf("dry run: %v (%v)", dry, err)
	}
	for _, x := range c.do(gm, "e", am).Step.Ruling.GetSteps() {
		for _, ev := range x.Events {
			if r := ev.GetRoll(); r != nil && r.Epoch != 2 {
				t.Errorf("%s is rolled in epoch %d", r.Label, r.Epoch)
			}
		}
	}
	if got := revealed(t, c, "e"); len(got) != 2 || got[1] != 2 {
		t.Errorf("revealed epochs %v", got)
	}
	if s := c.state(gm, "e", 0).State; s.RulingDice || s.EntropyOpen {
		t.Error("the dice are still open")
	}
}

// What an earlier epoch committed to is not in force again because a command of
// that time is decided again.
func TestAmendingAnOldArrivalKeepsTheEpoch(t *testing.T) {
	w := newWorld(t)
	c := w.start()
	c.fight("e", server)                                                                         // 2 adds a
	c.do(gm, "e", attackCmd("a", "b"))                                                           // 5
	c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: 3, Command: addCmd("b", 900, "bob")})) // 6: 3 to 5 are in an amendment
	c.do(gm, "e", endCmd)                                                                        // 7, 8
	c.do(gm, "e", toVersion(6))                                                                  // 9
	c.do(gm, "e", attackCmd("a", "b"))                                                           // 10
	now := c.state(gm, "e", 0).State
	same := func(name string) {
		t.Helper()
		s := c.state(gm, "e", 0).State
		if s.Epoch != 2 || !bytes.Equal(s.Commitments["everyone"], now.Commitments["everyone"]) || len(s.Commitments) != len(now.Commitments) {
			t.Errorf("%s: epoch %d, commitments to %d branches, want epoch 2 and %d", name, s.Epoch, len(s.Commitments), len(now.Commitments))
		}
		for _, e := range c.do(gm, "e", attackCmd("a", "b")).Step.Events {
			if r := e.GetRoll(); r != nil && r.Epoch != 2 {
				t.Errorf("%s: %s is rolled in epoch %d", name, r.Label, r.Epoch)
			}
		}
	}
	if now.Epoch != 2 {
		t.Fatalf("epoch %d", now.Epoch)
	}
	c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: 5, Rolls: []*eventv1.FixedRoll{{Label: "harm/damage", Faces: []int32{1}}}}))
	same("kept arrival")
	c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: 2}))
	same("arrival decided again")
	c.stop()
	c = w.start()
	same("after a restart")
}

// Every creature's branch is committed to in the epoch in force, also of those
// who were not there when it was opened.
func TestEveryBranchIsCommittedTo(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", server)
	c.do(gm, "e", addCmd("c", 10)) // 5
	c.do(gm, "e", endCmd)          // 6, 7
	c.do(gm, "e", toVersion(4))    // 8: epoch 2, without c
	c.do(gm, "e", toVersion(5))    // c is there again
	if s := c.state(gm, "e", 0).State; s.Epoch != 2 || len(s.Commitments["creature/c"]) == 0 {
		t.Errorf("epoch %d commits to %d branches", s.Epoch, len(s.Commitments))
	}
	c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: 5, Command: addCmd("d", 10)}))
	if s := c.state(gm, "e", 0).State; s.Creatures["d"] == nil || len(s.Commitments["creature/d"]) == 0 {
		t.Errorf("the dice of the new creature are not committed to: %d branches", len(s.Commitments))
	}
}

// However an encounter comes to be over, its dice are revealed.
func TestRedoneEndRevealsItsDice(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", server)
	c.do(gm, "e", endCmd)  // 5, 6 reveals epoch 1
	c.do(gm, "e", lastCmd) // epoch 2
	c.do(gm, "e", redoCmd)
	if got := revealed(t, c, "e"); len(got) != 2 || got[1] != 2 {
		t.Errorf("after the redo: revealed epochs %v", got)
	}
	c.do(gm, "e", lastCmd)
	if s := c.state(gm, "e", 0).State; s.Epoch != 3 {
		t.Errorf("epoch %d, want 3", s.Epoch)
	}
	c.do(gm, "e", takeCmd("a", "whisper", "b"))
	last := c.state(gm, "e", 0).Number
	c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: last, Command: endCmd}))
	if s := c.state(gm, "e", 0).State; s.Status != eventv1.State_STATUS_ENDED {
		t.Fatalf("status %v", s.Status)
	}
	if got := revealed(t, c, "e"); len(got) != 3 || got[2] != 3 {
		t.Errorf("after amending to an end: revealed epochs %v", got)
	}
}

// The deadline of a question that comes back begins anew, and passes again.
func TestDeadlinesAfterRulings(t *testing.T) {
	w := newWorld(t)
	var now atomic.Int64 // milliseconds
	now.Store(time.Now().UnixMilli())
	w.clock = func() time.Time { return time.UnixMilli(now.Load()) }
	c := w.start()
	cmd := createCmd(either)
	cmd.GetCreate().DecisionSeconds = 60
	c.do(gm, "e", cmd)
	c.do(gm, "e", addCmd("a", 1000, "ann"))
	c.do(gm, "e", addCmd("b", 1000, "bob"))
	c.do(gm, "e", &eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}}) // 4
	attack := takeCmd("a", "attack", "b")
	attack.Faces = []int32{1, 20}
	c.do(gm, "e", attack) // 5 asks for the parry
	shown := func() int64 {
		t.Helper()
		c.do(gm, "e", &eventv1.Command{What: &eventv1.Command_Amend{Amend: &eventv1.AmendCommand{Version: 3}}})
		open := c.state(gm, "e", 0).State.Decisions
		if len(open) != 1 {
			t.Fatalf("open: %v", open)
		}
		for _, d := range open {
			return d.DeadlineUnixMillis
		}
		return 0
	}
	if got, want := shown(), now.Load()+60_000; got != want {
		t.Errorf("after an amendment that keeps the question open: deadline %d, want %d", got, want)
	}
	asked := c.state(gm, "e", 0).Number
	settled := func() {
		t.Helper()
		now.Add(61_000) // beyond the parry's deadline
		until := time.Now().Add(10 * time.Second)
		for s := c.state(gm, "e", 0).State; len(s.Decisions) > 0; s = c.state(gm, "e", 0).State {
			for _, d := range s.Decisions {
				if d.Name != "parry" {
					return
				}
			}
			if time.Now().After(until) {
				t.Fatal("the default was not taken")
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
	settled()
	c.do(gm, "e", toVersion(asked))
	if got, want := c.state(gm, "e", 0).State.Decisions, now.Load()+60_000; len(got) != 1 {
		t.Fatalf("open: %v", got)
	} else {
		for _, d := range got {
			if d.DeadlineUnixMillis != want {
				t.Errorf("after going back to the question: deadline %d, want %d", d.DeadlineUnixMillis, want)
			}
		}
	}
	settled()
}

// A fight whose server died between its end and the reveal is revealed later.
func TestARevealThatFailedIsMadeUpFor(t *testing.T) {
	w := newWorld(t)
	c := w.start()
	c.fight("e", server)
	real := w.dice
	c.stop()
	w.dice = &noReveal{real}
	c = w.start()
	c.do(gm, "e", endCmd)
	c.stop()
	w.dice = real
	c = w.start()
	until := time.Now().Add(10 * time.Second)
	for len(revealed(t, c, "e")) == 0 {
		if time.Now().After(until) {
			t.Fatal("the dice of the fight were never revealed")
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// A viewer's numbers are the same before and after a restart, also of one who
// came after a ruling.
func TestNumbersOfWhoCameAfterARuling(t *testing.T) {
	w := newWorld(t)
	c := w.start()
	c.fight("e", server)
	c.do(gm, "e", attackCmd("a", "b"))
	c.do(gm, "e", lastCmd)
	c.do(gm, "e", addCmd("c", 10, "cem"))
	c.do(gm, "e", attackCmd("a", "b"))
	c.do(gm, "e", lastCmd) // leaves a snapshot
	cem := &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: "cem"}
	before := c.state(cem, "e", 0)
	c.stop()
	c = w.start()
	if after := c.state(cem, "e", 0); after.Number != before.Number || !proto.Equal(after.State, before.State) {
		t.Errorf("number %d, and %d after a restart", before.Number, after.Number)
	}
	if h, err := c.GetHistory(t.Context(), &encounterv1.GetHistoryRequest{As: cem, Encounter: "e", Limit: 1000}); err != nil || uint64(len(h.Steps)) != before.Number {
		t.Errorf("%d steps, want %d: %v", len(h.GetSteps()), before.Number, err)
	}
}

// The game master's numbers are versions, also where nothing happened.
func TestAStepWithoutEventsHasANumber(t *testing.T) {
	w := newWorld(t)
	c := w.start()
	c.fight("e", server)
	c.do(gm, "e", &eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "a"}}}) // 5
	resp := c.do(gm, "e", attackCmd("a", "b"))                                                               // 6
	if resp.Step.Number != 6 {
		t.Errorf("step %d, want 6", resp.Step.Number)
	}
	c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: resp.Step.Number, Drop: true}))
	if hp := c.state(gm, "e", 0).State.Creatures["b"].GetHp(); hp != 1000 {
		t.Errorf("hit points %d", hp)
	}
	c.stop()
	c = w.start()
	if got := c.state(gm, "e", 0).Number; got != 7 {
		t.Errorf("number %d after a restart, want 7", got)
	}
}

// A fixed face must be one that the dice have.
func TestFixedFacesFitTheDice(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", server)
	c.do(gm, "e", attackCmd("a", "b")) // 5
	for name, faces := range map[string][]int32{"too high": {21}, "zero": {0}, "too many": {4, 4}, "none": {}} {
		am := amendCmd(&eventv1.AmendCommand{Version: 5, Rolls: []*eventv1.FixedRoll{{Label: "to-hit", Faces: faces}}})
		if _, err := c.try(gm, "e", am); code(err) != fault.Invalid || field(err) != "command.amend.rolls[0].faces" {
			t.Errorf("%s: %v (%s)", name, err, field(err))
		}
	}
}
