package encounter_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/fault"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func reasoned(cmd *eventv1.Command, reason string) *eventv1.Command {
	cmd = proto.Clone(cmd).(*eventv1.Command)
	cmd.GetRevert().Reason = reason
	return cmd
}

var (
	turnCmd = revertCmd(&eventv1.RevertEncounter{To: &eventv1.RevertEncounter_Turn{Turn: true}})
	dropDie = []*eventv1.FixedRoll{{Label: "harm/damage", Faces: []int32{1}}}
)

func roundCmd(n int32) *eventv1.Command {
	return revertCmd(&eventv1.RevertEncounter{To: &eventv1.RevertEncounter_Round{Round: n}})
}

// Turns and rounds that an amendment decided again began within its one step;
// going back to them goes back to their beginning all the same.
func TestGoingBackIntoAnAmendment(t *testing.T) {
	w := newWorld(t)
	c := w.start()
	c.fight("e", server)
	c.do(gm, "e", attackCmd("a", "b")) // 5
	c.do(gm, "e", endTurnCmd("a"))     // 6: b's turn
	c.do(gm, "e", attackCmd("b", "a")) // 7
	c.do(gm, "e", endTurnCmd("b"))     // 8: round 2, a's turn
	begun := c.state(gm, "e", 0).State
	c.do(gm, "e", attackCmd("a", "b"))                                         // 9
	c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: 5, Rolls: dropDie})) // 10
	c.do(gm, "e", attackCmd("a", "b"))                                         // 11
	now := c.state(gm, "e", 0).State
	begun.Creatures["b"].Hp = proto.Int32(999)
	same := func(name string, want *eventv1.State) {
		t.Helper()
		if got := c.state(gm, "e", 0).State; !proto.Equal(got, want) {
			t.Errorf("%s:\n got %v\nwant %v", name, got, want)
		}
	}
	for name, cmd := range map[string]*eventv1.Command{"turn": turnCmd, "round": roundCmd(2)} {
		dry := c.preview("e", cmd)
		c.do(gm, "e", cmd)
		same(name, begun)
		if !proto.Equal(dry.State, begun) {
			t.Errorf("%s: the dry run shows %v", name, dry.State)
		}
		c.do(gm, "e", redoCmd)
		same(name+" redone", now)
	}
	c.do(gm, "e", turnCmd)
	c.stop()
	c = w.start()
	same("after a restart", begun)
	// Undo goes further back, command by command, and redo forward again.
	var was []*eventv1.State
	for range 4 {
		was = append(was, c.state(gm, "e", 0).State)
		c.do(gm, "e", lastCmd)
	}
	if s := c.state(gm, "e", 0).State; s.Creatures["b"].GetHp() != 1000 || s.Status != eventv1.State_STATUS_STARTED || s.Active[0] != "a" {
		t.Errorf("before the first attack: %v", s)
	}
	for i := range was {
		c.do(gm, "e", redoCmd)
		same(fmt.Sprint("redo ", i), was[len(was)-1-i])
	}
	// What stays of the amendment can be amended, and played on from.
	c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: 7, Drop: true}))
	if s := c.state(gm, "e", 0).State; s.Creatures["a"].GetHp() != 1000 || s.Creatures["b"].GetHp() != 999 || s.Round != 2 {
		t.Errorf("after amending what stayed: %v", s.Creatures)
	}
	c.do(gm, "e", attackCmd("a", "b"))
	c.do(gm, "e", roundCmd(1))
	if s := c.state(gm, "e", 0).State; s.Creatures["b"].GetHp() != 1000 || s.Round != 1 || s.Active[0] != "a" {
		t.Errorf("at the beginning of the fight: %v", s)
	}
	live := hashOf(t, c)
	if other := w.replica(t.TempDir(), w.log); !bytes.Equal(hashOf(t, other), live) {
		t.Error("another server has another content")
	}
}

// A viewer is told of going back into an amendment when its state changes, and
// not when nothing it saw does.
func TestGoingBackIntoAnAmendmentTellsNoSecret(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", server)
	c.do(gm, "e", attackCmd("a", "b"))                                         // 5
	c.do(gm, "e", endTurnCmd("a"))                                             // 6
	c.do(gm, "e", takeCmd("b", "whisper", "a"))                                // 7: nobody sees it
	c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: 5, Rolls: dropDie})) // 8
	seen := c.state(spectator, "e", 0).Number
	c.do(gm, "e", reasoned(turnCmd, "a secret"))
	if got := c.state(spectator, "e", 0).Number; got != seen {
		t.Error("a spectator was told that a secret was taken back")
	}
	c.do(gm, "e", endTurnCmd("b"))
	c.do(gm, "e", turnCmd)
	c.do(gm, "e", roundCmd(1))
	h, err := c.GetHistory(t.Context(), &encounterv1.GetHistoryRequest{As: spectator, Encounter: "e", Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	last := h.Steps[len(h.Steps)-1]
	if last.Restored == nil || last.Restored.Round != 1 || last.Restored.Active[0] != "a" {
		t.Errorf("the last step told is %v", last)
	}
}

// Undo takes back what was done last, also when that took a command away.
func TestUndoTakesADropBack(t *testing.T) {
	w := newWorld(t)
	c := w.start()
	c.fight("e", server)
	c.do(gm, "e", attackCmd("a", "b")) // 5
	c.do(gm, "e", attackCmd("a", "b")) // 6
	before := c.state(gm, "e", 0).State
	c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: 6, Drop: true}))
	dropped := c.state(gm, "e", 0).State
	c.stop()
	c = w.start()
	c.do(gm, "e", takeCmd("a", "whisper", "b"))
	c.do(gm, "e", lastCmd)
	if got := c.state(gm, "e", 0).State; !proto.Equal(got, dropped) {
		t.Error("undo did not take back the whisper alone")
	}
	c.do(gm, "e", lastCmd)
	if got := c.state(gm, "e", 0).State; !proto.Equal(got, before) {
		t.Error("undo did not take back the drop")
	}
}

// Rulings on rulings: undo with a redo pending, amend, go past that and back.
func TestAmendAfterUndo(t *testing.T) {
	w := newWorld(t)
	c := w.start()
	c.fight("e", server)
	for range 3 {
		c.do(gm, "e", attackCmd("a", "b")) // 5, 6, 7
	}
	c.do(gm, "e", lastCmd) // 8
	undone := c.state(gm, "e", 0).State
	if _, err := c.try(gm, "e", amendCmd(&eventv1.AmendCommand{Version: 7, Drop: true})); field(err) != "command.amend.version" || !strings.Contains(err.Error(), "taken back") {
		t.Errorf("amended what was taken back: %v", err)
	}
	c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: 5, Drop: true})) // 9: older than the revert
	amended := c.state(gm, "e", 0).State
	if _, err := c.try(gm, "e", redoCmd); reason(err) != "NOTHING_TO_REDO" {
		t.Errorf("redo after an amendment: %v", err)
	}
	c.do(gm, "e", toVersion(4)) // past the amendment
	c.do(gm, "e", redoCmd)
	if got := c.state(gm, "e", 0).State; !proto.Equal(got, amended) {
		t.Error("redo past an amendment does not give it back")
	}
	c.do(gm, "e", lastCmd)
	if got := c.state(gm, "e", 0).State; !proto.Equal(got, undone) {
		t.Error("undo of the amendment does not give what was before")
	}
	// An amendment of an amendment, to the start and the arrivals.
	c.do(gm, "e", redoCmd)
	c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: 6, Rolls: dropDie}))
	c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: 3, Command: addCmd("b", 500, "bob")}))
	if s := c.state(gm, "e", 0).State; s.Creatures["b"].GetHp() != 499 || s.Creatures["b"].GetHpMax() != 500 {
		t.Errorf("after three amendments: %v", s.Creatures["b"])
	}
	drop := &eventv1.AmendCommand{Version: 4, Drop: true}
	dry := c.preview("e", amendCmd(drop))
	if len(dry.Troubles) != 1 || dry.Troubles[0].Version != 6 || dry.Troubles[0].Reason != "NOT_STARTED" {
		t.Errorf("dropping the start: %v", dry.Troubles)
	}
	drop.DropIllegal = []uint64{6}
	c.do(gm, "e", amendCmd(drop))
	if s := c.state(gm, "e", 0).State; s.Status != eventv1.State_STATUS_OPEN || len(s.Active) != 0 {
		t.Errorf("after dropping the start: %v", s)
	}
	last := c.state(gm, "e", 0).State
	other := w.replica(t.TempDir(), w.log)
	if got := other.state(gm, "e", 0).State; !proto.Equal(got, last) {
		t.Error("another server has another state")
	}
}

// What cannot be amended is refused with what can.
func TestWhatCannotBeAmended(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", server)
	c.do(gm, "e", takeCmd("a", "attack", "b")) // 5
	for id := range c.state(gm, "e", 0).State.Decisions {
		c.do(gm, "e", early(answerCmd(id, "no"), "endure", "no")) // 6
	}
	c.do(gm, "e", attackCmd("a", "b")) // 7
	c.do(gm, "e", lastCmd)             // 8
	for version, want := range map[uint64]string{0: "2 to 8", 1: "creation", 6: "command of step 5", 7: "taken back", 8: "ruling itself", 99: "2 to 8"} {
		_, err := c.try(gm, "e", amendCmd(&eventv1.AmendCommand{Version: version}))
		if field(err) != "command.amend.version" || !strings.Contains(err.Error(), want) {
			t.Errorf("step %d: %v", version, err)
		}
	}
	for name, tc := range map[string]struct {
		cmd   *eventv1.Command
		field string
	}{
		"both":       {amendCmd(&eventv1.AmendCommand{Version: 5, DropIllegal: []uint64{6}, ForceIllegal: []uint64{6}}), "command.amend.force_illegal[0]"},
		"revert why": {revertCmd(&eventv1.RevertEncounter{To: &eventv1.RevertEncounter_Last{Last: true}, Reason: strings.Repeat("x", 1001)}), "command.revert.reason"},
		"redo why":   {&eventv1.Command{What: &eventv1.Command_Redo{Redo: &eventv1.RedoEncounter{Reason: strings.Repeat("x", 1001)}}}, "command.redo.reason"},
		"amend why":  {amendCmd(&eventv1.AmendCommand{Version: 5, Reason: strings.Repeat("x", 1001)}), "command.amend.reason"},
		"answer":     {amendCmd(&eventv1.AmendCommand{Version: 5, Answers: early(lastCmdCopy(), "parri", "yes").Answers}), "command.amend.answers[0]"},
		"nothing":    {nil, "command"},
		"no ruling":  {attackCmd("a", "b"), "command"},
	} {
		if _, err := c.PreviewRuling(t.Context(), &encounterv1.PreviewRulingRequest{As: gm, Encounter: "e", Command: tc.cmd}); code(err) != fault.Invalid || field(err) != tc.field {
			t.Errorf("dry run, %s: %v", name, err)
		}
		if tc.cmd == nil || name == "no ruling" {
			continue
		}
		if _, err := c.try(gm, "e", tc.cmd); code(err) != fault.Invalid || field(err) != tc.field {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, as := range []*eventv1.Principal{ann, spectator} {
		if _, err := c.PreviewRuling(t.Context(), &encounterv1.PreviewRulingRequest{As: as, Encounter: "e", Command: lastCmd}); code(err) != fault.Denied {
			t.Errorf("%v asked for a dry run: %v", as, err)
		}
	}
}

func lastCmdCopy() *eventv1.Command { return proto.Clone(lastCmd).(*eventv1.Command) }

// A ruling under a known request id is made once; under a stale cursor not at
// all; two servers that rule at once each rule on what the other left.
func TestRulingsAreCommands(t *testing.T) {
	w := newWorld(t)
	c := w.start()
	c.fight("e", server)
	for range 4 {
		c.do(gm, "e", attackCmd("a", "b")) // 5 to 8
	}
	cursor := c.state(gm, "e", 0).Cursor
	req := &encounterv1.ExecuteRequest{RequestId: "drop", As: gm, Encounter: "e", ExpectedCursor: cursor, Command: amendCmd(&eventv1.AmendCommand{Version: 6, Drop: true})}
	first, err := c.Execute(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	again, err := c.Execute(t.Context(), req)
	if err != nil || !again.Repeated || again.Step.Number != first.Step.Number {
		t.Errorf("repeated: %v %v", again, err)
	}
	other := proto.Clone(req).(*encounterv1.ExecuteRequest)
	other.Command.GetAmend().Version = 7
	if _, err := c.Execute(t.Context(), other); reason(err) != "REQUEST_ID_REUSED" {
		t.Errorf("another ruling under the same id: %v", err)
	}
	other.RequestId = "drop 7"
	if _, err := c.Execute(t.Context(), other); reason(err) != "STALE_CURSOR" {
		t.Errorf("a stale cursor: %v", err)
	}
	second := w.replica(t.TempDir(), w.log)
	var wg sync.WaitGroup
	for i, server := range []*client{c, second, c, second} {
		wg.Go(func() {
			if _, err := server.Execute(context.Background(), &encounterv1.ExecuteRequest{RequestId: fmt.Sprint("undo ", i), As: gm, Encounter: "e", Command: lastCmd}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	// 5 to 8, less 6; four undos: the drop (with all behind it), 8, 7, 6.
	if s, o := c.preview("e", redoCmd).State, second.preview("e", redoCmd).State; !proto.Equal(s, o) {
		t.Error("two servers' dry runs differ")
	}
	want := c.state(gm, "e", 5).State // after the first attack
	if got := second.state(gm, "e", 0).State; !proto.Equal(got, want) {
		t.Errorf("after four undos on two servers: %v", got.Creatures)
	}
}
