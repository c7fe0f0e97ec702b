package encounter_test

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/fault"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
	"github.com/skaldrpg/skald/services/encounter"
)

func amendCmd(am *eventv1.AmendCommand) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_Amend{Amend: am}}
}

func attackCmd(from, to string, faces ...int32) *eventv1.Command {
	cmd := early(takeCmd(from, "attack", to), "parry", "no", "endure", "no")
	cmd.Faces = faces
	return cmd
}

func (c *client) preview(id string, cmd *eventv1.Command) *encounterv1.PreviewRulingResponse {
	c.w.t.Helper()
	resp, err := c.PreviewRuling(c.w.t.Context(), &encounterv1.PreviewRulingRequest{As: gm, Encounter: id, Command: cmd})
	if err != nil {
		c.w.t.Fatal(err)
	}
	return resp
}

// rolls are the faces of every roll of a history, by action and label.
func rolls(t *testing.T, c *client, id string) map[string]string {
	t.Helper()
	out := map[string]string{}
	h, err := c.GetHistory(t.Context(), &encounterv1.GetHistoryRequest{As: gm, Encounter: id, Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range h.Steps {
		for _, e := range s.Events {
			events := []*eventv1.Event{e}
			for _, r := range e.GetAmended().GetCommands() {
				for _, data := range r.Events {
					x := &eventv1.Event{}
					if err := proto.Unmarshal(data, x); err != nil {
						t.Fatal(err)
					}
					events = append(events, x)
				}
			}
			for _, x := range events {
				if r := x.GetRoll(); r != nil {
					out[fmt.Sprint(r.Branch, r.Action, r.Label)] = fmt.Sprint(r.Faces)
				}
			}
		}
	}
	return out
}

func TestAmendWithoutChangeIsIdentity(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", server)
	for range 3 {
		c.do(gm, "e", attackCmd("a", "b"))
	}
	before, seen := c.state(gm, "e", 0).State, c.state(spectator, "e", 0).Number
	dry := c.preview("e", amendCmd(&eventv1.AmendCommand{Version: 5}))
	if len(dry.Changes) != 0 || len(dry.Troubles) != 0 || dry.Redecided != 3 {
		t.Errorf("dry run of no change: %v", dry)
	}
	c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: 5}))
	if got := c.state(gm, "e", 0).State; !proto.Equal(got, before) {
		t.Error("amending without a change changed the state")
	}
	if got := c.state(spectator, "e", 0).Number; got != seen {
		t.Error("a spectator was told of a ruling that changed nothing")
	}
}

func TestAmendDecidesLaterCommandsAgainWithTheSameDice(t *testing.T) {
	w := newWorld(t)
	c := w.start()
	c.fight("e", either)
	c.do(gm, "e", attackCmd("a", "b", 1, 15, 4)) // version 5: the amended one
	c.do(gm, "e", attackCmd("a", "b"))           // later ones on the tape
	c.do(gm, "e", attackCmd("a", "b"))
	before := c.state(gm, "e", 0).State
	dice := rolls(t, c, "e")
	am := &eventv1.AmendCommand{Version: 5, Reason: "the die showed 1", Rolls: []*eventv1.FixedRoll{{Label: "harm/damage", Faces: []int32{1}}}}
	dry := c.preview("e", amendCmd(am))
	want := before.Creatures["b"].GetHp() + 3
	if len(dry.Changes) != 1 || dry.Changes[0].Path != "creatures.b.hp" || dry.Changes[0].After != fmt.Sprint(want) {
		t.Fatalf("dry run: %v", dry.Changes)
	}
	if got := c.state(gm, "e", 0).State; !proto.Equal(got, before) {
		t.Fatal("the dry run changed the encounter")
	}
	resp := c.do(gm, "e", amendCmd(am))
	if resp.Step.Restored == nil {
		t.Error("the step holds no state")
	}
	after := c.state(gm, "e", 0).State
	if after.Creatures["b"].GetHp() != want {
		t.Errorf("hit points %d, want %d", after.Creatures["b"].GetHp(), want)
	}
	for key, faces := range rolls(t, c, "e") {
		if key != "everyone1harm/damage" && dice[key] != faces {
			t.Errorf("roll %s moved from %s to %s", key, dice[key], faces)
		}
	}
	// Drop it on top of that, take both back, and do them again.
	c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: 5, Drop: true}))
	if got := c.state(gm, "e", 0).State.Creatures["b"].GetHp(); got != want+1 {
		t.Errorf("hit points %d after dropping the attack, want %d", got, want+1)
	}
	if _, err := c.try(gm, "e", amendCmd(&eventv1.AmendCommand{Version: 5})); code(err) != fault.Invalid {
		t.Errorf("amended what no longer counts: %v", err)
	}
	dropped := c.state(gm, "e", 0).State
	c.do(gm, "e", revertCmd(&eventv1.RevertEncounter{To: &eventv1.RevertEncounter_Version{Version: 8}}))
	if got := c.state(gm, "e", 0).State; !proto.Equal(got, after) {
		t.Error("reverting the drop does not give what was before")
	}
	c.do(gm, "e", redoCmd)
	if got := c.state(gm, "e", 0).State; !proto.Equal(got, dropped) {
		t.Error("redoing the drop does not give what was before")
	}
	// A later command of the new history can be amended in turn.
	c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: 7, Drop: true}))
	c.do(gm, "e", attackCmd("a", "b", 1, 2, 2))
	last := c.state(gm, "e", 0).State
	live := hashOf(t, c)
	c.stop()
	c = w.start()
	if got := c.state(gm, "e", 0).State; !proto.Equal(got, last) {
		t.Error("the state changed over a restart")
	}
	c.stop()
	if err := encounter.Rebuild(t.Context(), encounter.Config{Journal: w.journal, DataDir: w.dir, Logger: quiet, Systems: w.systems}, nil); err != nil {
		t.Fatal(err)
	}
	c = w.start()
	if !bytes.Equal(live, hashOf(t, c)) {
		t.Error("rebuilt content differs from live content")
	}
}

func hashOf(t *testing.T, c *client) []byte {
	t.Helper()
	last, _, err := c.w.journal.Last(t.Context(), "skald.0.main.encounter.e")
	if err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(10 * time.Second)
	for c.svc.Status().Applied < last.Seq {
		if time.Now().After(deadline) {
			t.Fatal("the projection does not catch up")
		}
		time.Sleep(time.Millisecond)
	}
	h, err := c.svc.ContentHash()
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestAmendmentInTrouble(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", either)
	c.do(gm, "e", &eventv1.Command{What: &eventv1.Command_EndTurn{EndTurn: &eventv1.EndTurn{Creature: "a"}}}) // 5
	c.do(gm, "e", attackCmd("b", "a", 1, 2, 3))                                                               // 6: only because it is b's turn
	drop := &eventv1.AmendCommand{Version: 5, Drop: true}
	dry := c.preview("e", amendCmd(drop))
	if len(dry.Troubles) != 1 || dry.Troubles[0].Version != 6 || dry.Troubles[0].Kind != encounterv1.Trouble_KIND_ILLEGAL || dry.Troubles[0].Reason != "NOT_YOUR_TURN" {
		t.Fatalf("troubles: %v", dry.Troubles)
	}
	if _, err := c.try(gm, "e", amendCmd(drop)); reason(err) != "AMENDMENT_IN_TROUBLE" {
		t.Errorf("applied all the same: %v", err)
	}
	before := c.state(gm, "e", 0).State
	drop.ForceIllegal = []uint64{6}
	if dry := c.preview("e", amendCmd(drop)); len(dry.Troubles) != 0 {
		t.Errorf("troubles of what is forced: %v", dry.Troubles)
	}
	c.do(gm, "e", amendCmd(drop))
	if s := c.state(gm, "e", 0).State; s.Active[0] != "a" || s.Creatures["a"].GetHp() != 997 {
		t.Errorf("what came of the forced attack does not stand: %v", s.Creatures["a"])
	}
	c.do(gm, "e", revertCmd(&eventv1.RevertEncounter{To: &eventv1.RevertEncounter_Version{Version: 6}}))
	if s := c.state(gm, "e", 0).State; !proto.Equal(s, before) {
		t.Error("reverting the amendment does not give what was before")
	}
	drop.ForceIllegal, drop.DropIllegal = nil, []uint64{6}
	c.do(gm, "e", amendCmd(drop))
	if s := c.state(gm, "e", 0).State; s.Active[0] != "a" || s.Creatures["a"].GetHp() != 1000 {
		t.Errorf("after dropping both: %v", s)
	}
	if _, err := c.try(ann, "e", amendCmd(drop)); code(err) != fault.Denied {
		t.Errorf("a player amended: %v", err)
	}
	for name, am := range map[string]*eventv1.AmendCommand{
		"creation":        {Version: 1},
		"unknown":         {Version: 99},
		"illegal":         {Version: 2, Command: addCmd("", 5)},
		"nonsense":        {Version: 2, Command: redoCmd},
		"drop and change": {Version: 2, Drop: true, ClearCircumstances: true},
		"drop and roll":   {Version: 2, Drop: true, Rolls: []*eventv1.FixedRoll{{Label: "to-hit", Faces: []int32{4}}}},
		"no roll":         {Version: 2, Rolls: []*eventv1.FixedRoll{{Label: "to-hat", Faces: []int32{4}}}},
	} {
		if _, err := c.try(gm, "e", amendCmd(am)); code(err) != fault.Invalid {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAmendMeetsAnUnansweredDecision(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", either)
	whisper := takeCmd("a", "whisper", "b")
	c.do(gm, "e", whisper)                      // 5
	c.do(gm, "e", attackCmd("a", "b", 1, 2, 3)) // 6
	attack := takeCmd("a", "attack", "b")
	attack.Faces = []int32{9, 18}
	am := &eventv1.AmendCommand{Version: 5, Command: attack}
	dry := c.preview("e", amendCmd(am))
	if len(dry.Troubles) != 1 || dry.Troubles[0].Kind != encounterv1.Trouble_KIND_UNANSWERED || dry.Troubles[0].Decision.GetName() != "parry" {
		t.Fatalf("troubles: %v", dry.Troubles)
	}
	// The game master answers by the id that the dry run lists.
	am.Resolve = []*eventv1.AnswerDecision{{Decision: dry.Troubles[0].Decision.Id, Answer: &eventv1.Answer{Option: "yes"}}}
	next := c.preview("e", amendCmd(am))
	if len(next.Troubles) > 0 && next.Troubles[0].Decision.GetName() != "endure" {
		t.Errorf("troubles after the answer: %v", next.Troubles)
	}
	am.Resolve[0].Answer = &eventv1.Answer{Option: "perhaps"}
	if _, err := c.PreviewRuling(t.Context(), &encounterv1.PreviewRulingRequest{As: gm, Encounter: "e", Command: amendCmd(am)}); code(err) != fault.Invalid {
		t.Errorf("an answer that is none: %v", err)
	}
	am.Resolve[0].Answer = &eventv1.Answer{Option: "no"}
	if next := c.preview("e", amendCmd(am)); len(next.Troubles) != 1 || next.Troubles[0].Decision.GetName() != "endure" {
		t.Errorf("troubles after the answer: %v", next.Troubles)
	}
	am.Resolve, am.TakeDefaults = nil, true
	c.do(gm, "e", amendCmd(am))
	if s := c.state(gm, "e", 0).State; s.Creatures["b"].GetHp() >= 997 || len(s.Decisions) != 0 {
		t.Errorf("after the amendment: %v", s.Creatures["b"])
	}
	// Amending the last command may leave a question open, to be answered as ever.
	c.do(gm, "e", takeCmd("a", "whisper", "b")) // 8
	last := takeCmd("a", "attack", "b")
	last.Faces = []int32{1, 20}
	c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: 8, Command: last}))
	s := c.state(gm, "e", 0).State
	if len(s.Decisions) != 1 {
		t.Fatalf("open: %v", s.Decisions)
	}
	for id := range s.Decisions {
		a := early(answerCmd(id, "no"), "endure", "no")
		a.Faces = []int32{4}
		c.do(bob, "e", a)
	}
	if s := c.state(gm, "e", 0).State; len(s.Decisions) != 0 || s.Creatures["a"].Counters["score"] != 20 {
		t.Errorf("after the answer: %v", s.Creatures["a"])
	}
}

// Where people roll, an amendment that meets a new roll asks for its faces.
func TestAmendMeetsARollThatPeopleMake(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", supplied)
	c.do(gm, "e", takeCmd("a", "whisper", "b")) // 5
	c.do(gm, "e", attackCmd("a", "b", 1, 2, 3)) // 6
	am := &eventv1.AmendCommand{Version: 5, Command: attackCmd("a", "b"), TakeDefaults: true}
	for range 3 {
		dry := c.preview("e", amendCmd(am))
		if len(dry.Troubles) != 1 || dry.Troubles[0].Decision.GetKind() != eventv1.DecisionKind_DECISION_KIND_DICE {
			t.Fatalf("troubles: %v", dry.Troubles)
		}
		am.Resolve = append(am.Resolve, &eventv1.AnswerDecision{Decision: dry.Troubles[0].Decision.Id, Answer: &eventv1.Answer{Faces: []int32{4}}})
	}
	c.do(gm, "e", amendCmd(am))
	if s := c.state(gm, "e", 0).State; s.Creatures["b"].GetHp() != 993 || s.Creatures["a"].Counters["score"] != 2 {
		t.Errorf("after the amendment: %v", s.Creatures)
	}
}

// Some of a past action is changed; the rest of it, its faces included, stays.
func TestAmendChangesPartOfAnAction(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", either)
	c.do(gm, "e", addCmd("c", 50)) // 5
	first := attackCmd("a", "b", 1, 15, 4)
	first.GetTake().Facts = facts(t, map[string]any{"cover": "half", "light": "dim"})
	first.GetTake().Circumstances = []*eventv1.Circumstance{{Direction: "advantage", Kind: "advantage", Cause: "height"}}
	c.do(gm, "e", first) // 6
	change := &eventv1.TakeAction{Targets: []string{"c"}, Facts: facts(t, map[string]any{"cover": nil, "distance": 30}),
		Circumstances: []*eventv1.Circumstance{{Direction: "disadvantage", Kind: "disadvantage", Cause: "poison"}}}
	c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: 6, Change: change}))
	if s := c.state(gm, "e", 0).State; s.Creatures["b"].GetHp() != 1000 || s.Creatures["c"].GetHp() != 46 || s.Creatures["a"].Counters["score"] != 15 {
		t.Errorf("after the change: %v", s.Creatures)
	}
	got := amended(t, c, "e").GetTake()
	if want := facts(t, map[string]any{"light": "dim", "distance": 30}); !proto.Equal(got.Facts, want) || len(got.Circumstances) != 2 {
		t.Errorf("the action became %v", got)
	}
	c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: 6, ClearCircumstances: true}))
	if got := amended(t, c, "e").GetTake(); len(got.Circumstances) != 0 || got.Targets[0] != "c" {
		t.Errorf("the action became %v", got)
	}
	for name, am := range map[string]*eventv1.AmendCommand{
		"no action": {Version: 5, Change: change},
		"both":      {Version: 6, Change: change, Command: first},
	} {
		if _, err := c.try(gm, "e", amendCmd(am)); code(err) != fault.Invalid {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func facts(t *testing.T, fields map[string]any) *structpb.Struct {
	t.Helper()
	s, err := structpb.NewStruct(fields)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// amended is the first command of the last amendment.
func amended(t *testing.T, c *client, id string) *eventv1.Command {
	t.Helper()
	h, err := c.GetHistory(t.Context(), &encounterv1.GetHistoryRequest{As: gm, Encounter: id, Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	cmd := &eventv1.Command{}
	for _, s := range h.Steps {
		for _, e := range s.Events {
			if a := e.GetAmended(); a != nil {
				if err := proto.Unmarshal(a.Commands[0].Command, cmd); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	return cmd
}

// What a ruling would pass over in silence is refused, dry run or not.
func TestRulingsTakeNoFacesInVain(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", server)
	c.do(gm, "e", attackCmd("a", "b")) // 5
	number := c.state(gm, "e", 0).Number
	last := &eventv1.RevertEncounter{To: &eventv1.RevertEncounter_Last{Last: true}}
	for name, cmd := range map[string]*eventv1.Command{
		"revert with faces":        {Faces: []int32{4}, What: revertCmd(last).What},
		"revert with answers":      {Answers: attackCmd("a", "b").Answers, What: revertCmd(last).What},
		"drop with faces":          {Faces: []int32{4}, What: amendCmd(&eventv1.AmendCommand{Version: 5, Drop: true}).What},
		"faces for server's dice":  {Faces: []int32{4}, What: amendCmd(&eventv1.AmendCommand{Version: 5}).What},
		"faces of the new command": amendCmd(&eventv1.AmendCommand{Version: 5, Command: attackCmd("a", "b", 4)}),
	} {
		if _, err := c.try(gm, "e", cmd); code(err) != fault.Invalid {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := c.PreviewRuling(t.Context(), &encounterv1.PreviewRulingRequest{As: gm, Encounter: "e", Command: cmd}); code(err) != fault.Invalid {
			t.Errorf("dry run of %s: %v", name, err)
		}
	}
	if got := c.state(gm, "e", 0).Number; got != number {
		t.Errorf("something was stored: step %d after %d", got, number)
	}
}

// Patients come in and go out by commands, with their records; a ruling that
// would have them come or go is refused, and its dry run says so.
func TestRulingsLeavePatientsWhereTheyAre(t *testing.T) {
	c := newWorld(t).start()
	tend := &injuryv1.TendRequest{RequestId: "enrol", As: gm, System: "toy", Command: &eventv1.Command{What: &eventv1.Command_Patient{
		Patient: &eventv1.PatientCommand{Deed: "enrol", Sheet: &eventv1.Sheet{Id: "c", Name: "c", Side: "c", HitPoints: 30}}}}}
	if _, err := c.w.records.Tend(t.Context(), tend); err != nil {
		t.Fatal(err)
	}
	c.fight("e", server)
	c.do(gm, "e", &eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: &eventv1.Sheet{Id: "c", Side: "c", Patient: "c"}}}}) // 5
	c.do(gm, "e", attackCmd("a", "b"))                                                                                                              // 6
	refused := func(want string, cmd *eventv1.Command) {
		t.Helper()
		if _, err := c.try(gm, "e", cmd); reason(err) != want {
			t.Errorf("want %s: %v", want, err)
		}
		if _, err := c.PreviewRuling(t.Context(), &encounterv1.PreviewRulingRequest{As: gm, Encounter: "e", Command: cmd}); reason(err) != want {
			t.Errorf("dry run, want %s: %v", want, err)
		}
	}
	to := func(version uint64) *eventv1.Command {
		return revertCmd(&eventv1.RevertEncounter{To: &eventv1.RevertEncounter_Version{Version: version}})
	}
	refused("PATIENT_WOULD_LEAVE", to(4))
	refused("PATIENT_WOULD_LEAVE", amendCmd(&eventv1.AmendCommand{Version: 5, Drop: true}))
	c.do(gm, "e", to(5)) // while it stays, the fight can go back
	c.do(gm, "e", &eventv1.Command{What: &eventv1.Command_Remove{Remove: &eventv1.RemoveCreature{Creature: "c"}}})
	refused("PATIENT_HAS_LEFT", to(5))
}
