package encounter_test

import (
	"bytes"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/fault"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func revertCmd(to *eventv1.RevertEncounter) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_Revert{Revert: to}}
}

var redoCmd = &eventv1.Command{What: &eventv1.Command_Redo{Redo: &eventv1.RedoEncounter{}}}

func TestRevertAndRedo(t *testing.T) {
	w := newWorld(t)
	c := w.start()
	c.fight("e", server)
	attack := func() {
		t.Helper()
		c.do(gm, "e", early(takeCmd("a", "attack", "b"), "parry", "no", "endure", "no"))
	}
	views := func() []*eventv1.State {
		t.Helper()
		var out []*eventv1.State
		for _, as := range []*eventv1.Principal{gm, ann, bob, spectator} {
			out = append(out, c.state(as, "e", 0).State)
		}
		return out
	}
	same := func(name string, want []*eventv1.State) {
		t.Helper()
		for i, got := range views() {
			if !proto.Equal(got, want[i]) {
				t.Errorf("%s: view %d differs:\n got %v\nwant %v", name, i, got, want[i])
			}
		}
	}
	attack()
	one := views()
	attack()
	c.do(gm, "e", takeCmd("a", "whisper", "b"))
	two := views()
	spectatorSaw := c.state(spectator, "e", 0).Number

	c.do(gm, "e", revertCmd(&eventv1.RevertEncounter{To: &eventv1.RevertEncounter_Last{Last: true}}))
	if got := c.state(spectator, "e", 0).Number; got != spectatorSaw {
		t.Errorf("taking back a secret told a spectator: %d, was %d", got, spectatorSaw)
	}
	c.do(gm, "e", revertCmd(&eventv1.RevertEncounter{To: &eventv1.RevertEncounter_Last{Last: true}, Reason: "he had cover"}))
	same("reverted twice", one)
	h, err := c.GetHistory(t.Context(), &encounterv1.GetHistoryRequest{As: spectator, Encounter: "e", After: spectatorSaw})
	if err != nil || len(h.Steps) != 1 || h.Steps[0].Restored == nil || h.Steps[0].Events[0].GetReverted().GetReason() != "he had cover" || h.Steps[0].Events[0].GetReverted().GetVersion() != 0 {
		t.Errorf("what a spectator is told of a revert: %v %v", h, err)
	}
	c.do(gm, "e", redoCmd)
	c.do(gm, "e", redoCmd)
	same("redone twice", two)
	if _, err := c.try(gm, "e", redoCmd); reason(err) != "NOTHING_TO_REDO" {
		t.Errorf("a third redo: %v", err)
	}
	c.stop()
	c = w.start()
	same("after a restart", two)
	c.do(gm, "e", revertCmd(&eventv1.RevertEncounter{To: &eventv1.RevertEncounter_Version{Version: 5}}))
	same("to a version", one)
	attack()
	if _, err := c.try(gm, "e", redoCmd); reason(err) != "NOTHING_TO_REDO" {
		t.Errorf("redo after something new: %v", err)
	}
	c.do(gm, "e", revertCmd(&eventv1.RevertEncounter{To: &eventv1.RevertEncounter_Round{Round: 1}}))
	if s := c.state(gm, "e", 0).State; s.Creatures["b"].GetHp() != 1000 || s.Round != 1 {
		t.Errorf("back at the beginning of the round: %v", s.Creatures["b"])
	}
	if _, err := c.try(ann, "e", redoCmd); code(err) != fault.Denied {
		t.Errorf("a player ruled: %v", err)
	}
	for _, to := range []*eventv1.RevertEncounter{{}, {To: &eventv1.RevertEncounter_Version{Version: 9999}}, {To: &eventv1.RevertEncounter_Round{Round: 7}}} {
		if _, err := c.try(gm, "e", revertCmd(to)); code(err) != fault.Invalid {
			t.Errorf("%v: %v", to, err)
		}
	}
}

func TestRevertIntoAnOpenDecision(t *testing.T) {
	w := newWorld(t)
	c := w.start()
	c.fight("e", either)
	cmd := takeCmd("a", "attack", "b")
	cmd.Faces = []int32{1, 20}
	c.do(gm, "e", cmd)
	asked := c.state(gm, "e", 0)
	answer := func() {
		t.Helper()
		for id := range asked.State.Decisions {
			a := early(answerCmd(id, "no"), "endure", "no")
			a.Faces = []int32{4}
			c.do(gm, "e", a)
		}
		if hp := c.state(gm, "e", 0).State.Creatures["b"].GetHp(); hp != 996 {
			t.Errorf("hit points %d", hp)
		}
	}
	answer()
	c.do(gm, "e", revertCmd(&eventv1.RevertEncounter{To: &eventv1.RevertEncounter_Version{Version: asked.Number}}))
	if got := c.state(gm, "e", 0).State; !proto.Equal(got, asked.State) {
		t.Error("the open question did not come back")
	}
	answer()
}

func TestRepeatPolicies(t *testing.T) {
	for _, policy := range []eventv1.RepeatPolicy{eventv1.RepeatPolicy_REPEAT_POLICY_SAME, eventv1.RepeatPolicy_REPEAT_POLICY_FRESH} {
		t.Run(policy.String(), func(t *testing.T) {
			c := newWorld(t).start()
			cmd := createCmd(server)
			cmd.GetCreate().RepeatPolicy = policy
			c.do(gm, "e", cmd)
			c.do(gm, "e", addCmd("a", 1000))
			c.do(gm, "e", addCmd("b", 1000))
			c.do(gm, "e", &eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}})
			var faces []string
			for range 6 {
				resp := c.do(gm, "e", early(takeCmd("a", "attack", "b"), "parry", "no", "endure", "no"))
				var all []string
				for _, e := range resp.Step.Events {
					if r := e.GetRoll(); r != nil {
						all = append(all, r.Label+":"+string(rune('0'+r.Faces[0])))
					}
				}
				faces = append(faces, strings.Join(all, " "))
				c.do(gm, "e", revertCmd(&eventv1.RevertEncounter{To: &eventv1.RevertEncounter_Last{Last: true}}))
			}
			equal := true
			for _, f := range faces {
				equal = equal && f == faces[0]
			}
			if want := policy == eventv1.RepeatPolicy_REPEAT_POLICY_SAME; equal != want {
				t.Errorf("faces of the repeated attack: %v", faces)
			}
		})
	}
}

func TestAReopenedFightHasNewDice(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", server)
	before := c.state(gm, "e", 0)
	c.do(gm, "e", &eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}})
	c.do(gm, "e", revertCmd(&eventv1.RevertEncounter{To: &eventv1.RevertEncounter_Version{Version: before.Number}}))
	s := c.state(gm, "e", 0).State
	if s.Status != eventv1.State_STATUS_STARTED || s.Epoch != 2 || bytes.Equal(s.Commitments["everyone"], before.State.Commitments["everyone"]) {
		t.Errorf("reopened: status %v epoch %d", s.Status, s.Epoch)
	}
	c.do(gm, "e", early(takeCmd("a", "attack", "b"), "parry", "no", "endure", "no"))
	c.do(gm, "e", &eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}})
	h, err := c.GetHistory(t.Context(), &encounterv1.GetHistoryRequest{As: spectator, Encounter: "e"})
	if err != nil {
		t.Fatal(err)
	}
	var epochs []uint32
	for _, step := range h.Steps {
		for _, e := range step.Events {
			if d := e.GetDiceRevealed(); d != nil {
				epochs = append(epochs, d.Epoch)
			}
		}
	}
	if len(epochs) != 2 || epochs[0] != 1 || epochs[1] != 2 {
		t.Errorf("revealed epochs %v", epochs)
	}
}
