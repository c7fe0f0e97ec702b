package encounter_test

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/limits"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// high makes an attack from above: two dice, the better counts.
func high(t *testing.T) *eventv1.TakeAction {
	return &eventv1.TakeAction{Facts: facts(t, map[string]any{"high": true})}
}

// asks answers every open question: rolls by a face, the rest by the default.
func (c *client) asks(id string, face int32) {
	c.w.t.Helper()
	for {
		open := c.state(gm, id, 0).State.Decisions
		if len(open) == 0 {
			return
		}
		for _, d := range open {
			a := &eventv1.AnswerDecision{Decision: d.Id, Answer: &eventv1.Answer{Option: d.DefaultOption}}
			if d.Kind == eventv1.DecisionKind_DECISION_KIND_DICE {
				a.Answer = &eventv1.Answer{Faces: []int32{face}}
			}
			c.do(gm, id, &eventv1.Command{What: &eventv1.Command_Answer{Answer: a}})
			break
		}
	}
}

// Where people roll, a circumstance that changes the dice asks for the new
// ones; the old faces are no answer to that.
func TestACircumstanceThatChangesThePeoplesDice(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", supplied)
	c.do(gm, "e", takeCmd("a", "attack", "b")) // 5, and its questions
	c.asks("e", 3)
	c.do(gm, "e", takeCmd("a", "whisper", "b"))
	am := &eventv1.AmendCommand{Version: 5, Change: high(t)}
	dry := c.preview("e", amendCmd(am))
	if len(dry.Troubles) != 1 || dry.Troubles[0].Decision.GetExpression() != "2d20kh1" {
		t.Fatalf("troubles: %v", dry.Troubles)
	}
	byID, byLabel := proto.Clone(am).(*eventv1.AmendCommand), proto.Clone(am).(*eventv1.AmendCommand)
	byID.Resolve = []*eventv1.AnswerDecision{{Decision: dry.Troubles[0].Decision.Id, Answer: &eventv1.Answer{Faces: []int32{3, 17}}}}
	byLabel.Rolls = []*eventv1.FixedRoll{{Label: "to-hit", Faces: []int32{3, 17}}}
	for name, am := range map[string]*eventv1.AmendCommand{"by the question's id": byID, "by the roll's label": byLabel} {
		dry := c.preview("e", amendCmd(am))
		if len(dry.Troubles) != 0 || dry.State.Creatures["a"].Counters["score"] != 17 || dry.State.Creatures["b"].GetHp() != 997 {
			t.Errorf("%s: %v %v", name, dry.Troubles, dry.State.Creatures)
		}
	}
	c.do(gm, "e", amendCmd(byID))
	// A misread die, in the answer as well as in the roll.
	c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: 5, Rolls: []*eventv1.FixedRoll{{Label: "to-hit", Faces: []int32{4, 18}}}}))
	if s := c.state(gm, "e", 0).State; s.Creatures["a"].Counters["score"] != 18 {
		t.Errorf("after fixing the roll: %v", s.Creatures["a"])
	}
	// New faces for the whole command: fate, to-hit, damage.
	again := amendCmd(&eventv1.AmendCommand{Version: 5})
	again.Faces = []int32{50, 2, 12, 1}
	c.do(gm, "e", again)
	if s := c.state(gm, "e", 0).State; s.Creatures["a"].Counters["score"] != 12 || s.Creatures["b"].GetHp() != 999 {
		t.Errorf("after new faces: %v", s.Creatures)
	}
	again.Faces = []int32{50, 2, 12, 1, 1}
	if _, err := c.try(gm, "e", again); code(err) != fault.Invalid || field(err) != "command.faces" {
		t.Errorf("a face too many: %v", err)
	}
}

// The server's dice: a roll made with other dice than before can be fixed too,
// and so can one that is new.
func TestFacesForRollsThatAreNew(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", server)
	c.do(gm, "e", attackCmd("a", "b"))          // 5
	c.do(gm, "e", takeCmd("a", "whisper", "b")) // 6
	c.do(gm, "e", takeCmd("a", "whisper", "b")) // 7
	c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: 5, Change: high(t), Rolls: []*eventv1.FixedRoll{{Label: "to-hit", Faces: []int32{19, 4}}}}))
	if got := c.state(gm, "e", 0).State.Creatures["a"].Counters["score"]; got != 19 {
		t.Errorf("score %d, want 19", got)
	}
	c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: 6, Command: attackCmd("a", "b"), Rolls: []*eventv1.FixedRoll{{Label: "harm/damage", Faces: []int32{4}}, {Label: "to-hit", Faces: []int32{7}}}}))
	if s := c.state(gm, "e", 0).State; s.Creatures["a"].Counters["score"] != 7 {
		t.Errorf("score %d, want 7", s.Creatures["a"].Counters["score"])
	}
	for _, key := range []string{"2to-hit", "2harm/damage"} {
		if got, want := rolls(t, c, "e")["everyone"+key], map[string]string{"2to-hit": "[7]", "2harm/damage": "[4]"}[key]; got != want {
			t.Errorf("%s shows %s, want %s", key, got, want)
		}
	}
}

// An answer is to what was asked of whom. When a change asks somebody else, or
// leaves other options, it is asked anew.
func TestAnswersAreToWhatWasAsked(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", server)
	c.do(gm, "e", addCmd("c", 1000, "cem"))                            // 5
	c.do(gm, "e", early(takeCmd("a", "attack", "b"), "endure", "yes")) // 6 asks b
	for id := range c.state(gm, "e", 0).State.Decisions {
		c.do(bob, "e", answerCmd(id, "yes")) // 7
	}
	pick := takeCmd("a", "pick", "b")
	pick.GetTake().Targets = []string{"b", "c"}
	c.do(gm, "e", pick) // 8
	for id := range c.state(gm, "e", 0).State.Decisions {
		c.do(ann, "e", answerCmd(id, "c")) // 9
	}
	c.do(gm, "e", takeCmd("a", "whisper", "b")) // 10
	dry := c.preview("e", amendCmd(&eventv1.AmendCommand{Version: 6, Change: &eventv1.TakeAction{Targets: []string{"c"}}}))
	if len(dry.Troubles) != 1 || dry.Troubles[0].Decision.GetCreature() != "c" || dry.Troubles[0].Version != 6 {
		t.Errorf("b's answer passed for c's: %v", dry.Troubles)
	}
	dry = c.preview("e", amendCmd(&eventv1.AmendCommand{Version: 8, Change: &eventv1.TakeAction{Targets: []string{"a", "b"}}}))
	if len(dry.Troubles) != 1 || dry.Troubles[0].Decision.GetName() != "pick" {
		t.Errorf("an answer that is no option any more was taken: %v", dry.Troubles)
	}
	// Another answer, by the decision's name or by its id, in a later command too.
	by := map[string]*eventv1.AmendCommand{
		"name": {Version: 8, Answers: early(&eventv1.Command{}, "pick", "b").Answers},
		"id":   {Version: 8, Resolve: []*eventv1.AnswerDecision{{Decision: dry.Troubles[0].Decision.Id, Answer: &eventv1.Answer{Option: "b"}}}},
		"late": {Version: 5, Resolve: []*eventv1.AnswerDecision{{Decision: dry.Troubles[0].Decision.Id, Answer: &eventv1.Answer{Option: "b"}}}},
	}
	hp := c.state(gm, "e", 0).State.Creatures["b"].GetHp()
	for name, am := range by {
		if dry := c.preview("e", amendCmd(am)); len(dry.Troubles) != 0 || dry.State.Creatures["c"].GetHp() != 1000 || dry.State.Creatures["b"].GetHp() != hp-1 {
			t.Errorf("by %s: %v %v", name, dry.Troubles, dry.State.Creatures)
		}
	}
	wrong := &eventv1.AmendCommand{Version: 8, Resolve: []*eventv1.AnswerDecision{{Decision: dry.Troubles[0].Decision.Id, Answer: &eventv1.Answer{Option: "zed"}}}}
	if _, err := c.try(gm, "e", amendCmd(wrong)); field(err) != "command.amend.resolve[0]" {
		t.Errorf("an answer that is none: %v", err)
	}
}

// A standing order of the new history answers, not that of the old.
func TestAmendingAStandingOrder(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", server)
	order := func(decision, say string) *eventv1.Command {
		return &eventv1.Command{What: &eventv1.Command_Order{Order: &eventv1.SetStandingOrder{Creature: "b", Decision: decision, Order: say}}}
	}
	c.do(bob, "e", order("parry", "no"))       // 5
	c.do(bob, "e", order("endure", "no"))      // 6
	c.do(gm, "e", takeCmd("a", "attack", "b")) // 7
	before := c.state(gm, "e", 0).State
	c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: 5}))
	if got := c.state(gm, "e", 0).State; !proto.Equal(got, before) {
		t.Error("amending an order without a change changed the state")
	}
	c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: 6, Command: order("endure", "yes")}))
	if got := c.state(gm, "e", 0).State.Creatures["b"].GetHp(); got != 999 {
		t.Errorf("hit points %d, want 999: enduring takes 1", got)
	}
	c.do(gm, "e", takeCmd("a", "whisper", "b"))
	dry := c.preview("e", amendCmd(&eventv1.AmendCommand{Version: 6, Drop: true}))
	if len(dry.Troubles) != 1 || dry.Troubles[0].Decision.GetName() != "endure" {
		t.Errorf("without the order: %v", dry.Troubles)
	}
}

// What stands by the game master's word keeps standing, until it is changed.
func TestForcedCommandsStayForced(t *testing.T) {
	w := newWorld(t)
	c := w.start()
	c.fight("e", either)
	c.do(gm, "e", endTurnCmd("a"))                                                                       // 5
	c.do(gm, "e", attackCmd("b", "a", 1, 2, 3))                                                          // 6
	c.do(gm, "e", attackCmd("b", "a", 1, 2, 2))                                                          // 7
	c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: 5, Drop: true, ForceIllegal: []uint64{6, 7}})) // 8
	before := c.state(gm, "e", 0).State
	for _, version := range []uint64{2, 3, 4, 6, 7} {
		dry := c.preview("e", amendCmd(&eventv1.AmendCommand{Version: version}))
		if len(dry.Troubles) != 0 || len(dry.Changes) != 0 {
			t.Errorf("amending step %d without a change: %v %v", version, dry.Troubles, dry.Changes)
		}
	}
	c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: 2}))
	if got := c.state(gm, "e", 0).State; !proto.Equal(got, before) {
		t.Error("amending without a change changed what was forced")
	}
	if _, err := c.try(gm, "e", amendCmd(&eventv1.AmendCommand{Version: 6, Rolls: dropDie})); reason(err) != "NOT_YOUR_TURN" {
		t.Errorf("a forced command was changed without a word: %v", err)
	}
	c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: 4, DropIllegal: []uint64{6}}))
	if got := c.state(gm, "e", 0).State.Creatures["a"].GetHp(); got != before.Creatures["a"].GetHp() {
		t.Errorf("hit points %d, want %d: the later one says what they are", got, before.Creatures["a"].GetHp())
	}
}

// Nothing that is forced gives a turn to somebody who is not there.
func TestNoForceGivesATurnToNobody(t *testing.T) {
	c := newWorld(t).start()
	c.do(gm, "e", createCmd(server))
	c.do(gm, "e", addCmd("a", 10, "ann"))
	c.do(gm, "e", addCmd("b", 10, "bob"))                                                           // 3
	c.do(gm, "e", addCmd("c", 10))                                                                  // 4
	c.do(gm, "e", &eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}}) // 5
	c.do(gm, "e", endTurnCmd("a"))                                                                  // 6: b's turn
	c.do(gm, "e", endTurnCmd("b"))                                                                  // 7: c's turn
	c.do(gm, "e", endTurnCmd("c"))                                                                  // 8: a's turn
	am := &eventv1.AmendCommand{Version: 6, Drop: true}
	dry := c.preview("e", amendCmd(am))
	if len(dry.Troubles) != 2 || dry.Troubles[0].Version != 7 || dry.Troubles[1].Version != 8 {
		t.Fatalf("troubles: %v", dry.Troubles)
	}
	am.ForceIllegal = []uint64{7} // gives the turn to c, and 8 is legal again
	dry = c.preview("e", amendCmd(am))
	if len(dry.Troubles) != 0 {
		t.Errorf("troubles after forcing the first: %v", dry.Troubles)
	}
	am = &eventv1.AmendCommand{Version: 4, Drop: true, ForceIllegal: []uint64{7, 8}}
	c.do(gm, "e", &eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "c", Reason: "wounded"}}}) // 9
	// Without c, b's end gives the turn to a, and c's own end is illegal; it can stand, for a has the turn then.
	dry = c.preview("e", amendCmd(am))
	if len(dry.Troubles) != 1 || dry.Troubles[0].Version != 9 || dry.State.Active[0] != "a" {
		t.Errorf("without c: %v, active %v", dry.Troubles, dry.State.Active)
	}
	c.do(gm, "e", lastCmd)
	c.do(gm, "e", lastCmd) // c has the turn
	am = &eventv1.AmendCommand{Version: 4, Command: addCmd("d", 10), ForceIllegal: []uint64{7}}
	c.do(gm, "e", takeCmd("c", "whisper", "a")) // 12
	am.ForceIllegal = []uint64{12}
	dry = c.preview("e", amendCmd(am))
	if len(dry.Troubles) != 0 || dry.State.Active[0] != "d" {
		t.Errorf("with d in c's place: %v, active %v", dry.Troubles, dry.State.Active)
	}
	// b's end, forced where b has no turn, would give one to c, who is not there.
	am = &eventv1.AmendCommand{Version: 4, Drop: true, ForceIllegal: []uint64{7}, DropIllegal: []uint64{12}}
	c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: 6, Drop: true, ForceIllegal: []uint64{7}}))
	dry = c.preview("e", amendCmd(am))
	if len(dry.Troubles) != 1 || dry.Troubles[0].Version != 7 || !strings.Contains(dry.Troubles[0].Message, `"c"`) {
		t.Errorf("forced a turn for nobody: %v, active %v", dry.Troubles, dry.State.Active)
	}
}

// The dry run is what the ruling does: state by state, for every viewer, and the
// later rolls are those that would have come without it.
func TestDryRunIsWhatTheRulingDoes(t *testing.T) {
	for _, policy := range []eventv1.RepeatPolicy{eventv1.RepeatPolicy_REPEAT_POLICY_SAME, eventv1.RepeatPolicy_REPEAT_POLICY_FRESH} {
		c := newWorld(t).start()
		id := "e"
		create := createCmd(server)
		create.GetCreate().RepeatPolicy = policy
		c.do(gm, id, create)
		c.do(gm, id, addCmd("a", 1000, "ann"))
		c.do(gm, id, addCmd("b", 1000, "bob"))
		c.do(gm, id, &eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}})
		c.do(gm, id, attackCmd("a", "b"))
		c.do(gm, id, takeCmd("a", "whisper", "b")) // 6
		c.do(gm, id, attackCmd("a", "b"))
		seq := func() uint64 {
			last, _, err := c.w.journal.Last(t.Context(), "skald.0.main.encounter.e")
			if err != nil {
				t.Fatal(err)
			}
			return last.Seq
		}
		before, log := c.state(gm, id, 0), seq()
		for name, cmd := range map[string]*eventv1.Command{
			"more rolls": amendCmd(&eventv1.AmendCommand{Version: 6, Command: attackCmd("a", "b")}),
			"fewer":      amendCmd(&eventv1.AmendCommand{Version: 5, Command: takeCmd("a", "whisper", "b")}),
			"a creature": amendCmd(&eventv1.AmendCommand{Version: 3, Command: addCmd("b", 77, "bob", "cem")}),
			"undo":       lastCmd,
		} {
			one, two := c.preview(id, cmd), c.preview(id, cmd)
			if !proto.Equal(one, two) {
				t.Errorf("%s: two dry runs differ", name)
			}
			if got := c.state(gm, id, 0); !proto.Equal(got, before) || seq() != log {
				t.Errorf("%s: the dry run changed the encounter", name)
			}
			was := rolls(t, c, id)
			c.do(gm, id, cmd)
			got := c.state(gm, id, 0).State
			if (len(one.Fresh) > 0) != (name == "more rolls") {
				t.Errorf("%s: rolls made anew: %v", name, one.Fresh)
			}
			if len(one.Fresh) == 0 && !proto.Equal(got, one.State) {
				t.Errorf("%s: the ruling is not what its dry run promised:\n got %v\nwant %v", name, got, one.State)
			}
			for key, faces := range rolls(t, c, id) {
				if old := was[key]; old != "" && old != faces {
					t.Errorf("%s: roll %s went from %s to %s", name, key, old, faces)
				}
			}
			c.do(gm, id, toVersion(before.Number))
			if back := c.state(gm, id, 0).State; !proto.Equal(back, before.State) {
				t.Errorf("%s: taking it back does not give what was before", name)
			}
			log = seq()
			before = c.state(gm, id, 0)
		}
	}
}

// While a question is open, also a secret one, the game master may rule.
func TestRulingWhileAQuestionIsOpen(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", server)
	c.do(gm, "e", attackCmd("a", "b"))         // 5
	c.do(gm, "e", takeCmd("a", "attack", "b")) // 6 asks b
	open := c.state(bob, "e", 0).State.Decisions
	c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: 5, Drop: true, TakeDefaults: true})) // 7
	s := c.state(gm, "e", 0).State
	if len(s.Decisions) != 1 || len(c.state(bob, "e", 0).State.Decisions) != 1 || len(c.state(ann, "e", 0).State.Decisions) != 0 {
		t.Fatalf("open: %v", s.Decisions)
	}
	for id := range open {
		if s.Decisions[id] == nil {
			t.Error("the open question has another id")
		}
		c.do(bob, "e", early(answerCmd(id, "no"), "endure", "no")) // 8
	}
	c.do(gm, "e", takeCmd("a", "attack", "b")) // 9 asks b
	c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: 9, Drop: true}))
	if s := c.state(gm, "e", 0).State; len(s.Decisions) != 0 {
		t.Errorf("open after the command was dropped: %v", s.Decisions)
	}
	c.do(gm, "e", attackCmd("a", "b"))
	c.do(gm, "e", takeCmd("a", "attack", "b"))
	c.do(gm, "e", lastCmd)
	if s := c.state(gm, "e", 0).State; len(s.Decisions) != 0 {
		t.Errorf("open after the command was taken back: %v", s.Decisions)
	}
}

// enrolled begins a patient's record.
func (c *client) enrolled(id string) {
	c.w.t.Helper()
	tend := &injuryv1.TendRequest{RequestId: "enrol " + id, As: gm, System: "toy", Command: &eventv1.Command{What: &eventv1.Command_Patient{
		Patient: &eventv1.PatientCommand{Deed: "enrol", Sheet: &eventv1.Sheet{Id: id, Name: id, Side: id, HitPoints: 30}}}}}
	if _, err := c.w.records.Tend(c.w.t.Context(), tend); err != nil {
		c.w.t.Fatal(err)
	}
}

func patientCmd(creature, patient string) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: &eventv1.Sheet{Id: creature, Name: creature, HitPoints: 30, Side: "c", Patient: patient}}}}
}

// A patient comes and goes with its record: a ruling may change with what it left, but
// neither that it left nor that it came.
func TestWhatAPatientLeftWithGoesOn(t *testing.T) {
	c := newWorld(t).start()
	c.enrolled("c")
	c.fight("e", server)
	c.do(gm, "e", patientCmd("c", "c"))         // 5
	c.do(gm, "e", takeCmd("a", "whisper", "b")) // 6
	c.do(gm, "e", attackCmd("a", "c"))          // 7
	remove := &eventv1.Command{What: &eventv1.Command_Remove{Remove: &eventv1.RemoveCreature{Creature: "c"}}}
	c.do(gm, "e", remove) // 8
	left := c.state(gm, "e", 0).Number
	refused := func(want string, cmd *eventv1.Command) {
		t.Helper()
		if _, err := c.PreviewRuling(t.Context(), &encounterv1.PreviewRulingRequest{As: gm, Encounter: "e", Command: cmd}); reason(err) != want {
			t.Errorf("dry run, want %q: %v", want, err)
		}
		if want == "" {
			return
		}
		if _, err := c.try(gm, "e", cmd); reason(err) != want {
			t.Errorf("want %q: %v", want, err)
		}
	}
	refused("", amendCmd(&eventv1.AmendCommand{Version: 7, Drop: true})) // it goes on into the record
	refused("", amendCmd(&eventv1.AmendCommand{Version: 6, Drop: true}))
	refused("PATIENT_HAS_LEFT", amendCmd(&eventv1.AmendCommand{Version: 8, Drop: true}))
	c.do(gm, "e", patientCmd("c", "c")) // 9: back again, as its record says
	refused("PATIENT_HAS_LEFT", toVersion(left-1))
	refused("", toVersion(left+1))
	c.do(gm, "e", addCmd("d", 10)) // 10
	refused("PATIENT_TWICE", amendCmd(&eventv1.AmendCommand{Version: 10, Command: patientCmd("d", "c")}))
	// In another fight it is not.
	c.fight("f", server)
	if _, err := c.try(gm, "f", patientCmd("c", "c")); reason(err) != "PATIENT_ENGAGED" {
		t.Errorf("in two fights: %v", err)
	}
	c.do(gm, "e", endCmd)
	c.do(gm, "f", patientCmd("c", "c"))
	refused("PATIENT_HAS_LEFT", lastCmd)
	refused("", amendCmd(&eventv1.AmendCommand{Version: 6}))
}

// An end that was an accident is taken back like anything else: patients whose records
// have not gone on come back with it, and leave again when it counts again.
func TestAnAccidentalEndIsTakenBack(t *testing.T) {
	c := newWorld(t).start()
	c.enrolled("c")
	c.enrolled("d")
	c.fight("e", server)
	c.do(gm, "e", patientCmd("c", "c")) // 5
	c.do(gm, "e", patientCmd("d", "d")) // 6
	c.do(gm, "e", attackCmd("a", "c"))  // 7
	before := c.state(gm, "e", 0).State
	record := func() *injuryv1.Patient {
		t.Helper()
		p, err := c.w.records.GetPatient(t.Context(), &injuryv1.GetPatientRequest{Patient: "c", As: gm})
		if err != nil {
			t.Fatal(err)
		}
		return p.Patient
	}
	for range 2 {
		c.do(gm, "e", endCmd)
		left := record()
		if left.Encounter != "" {
			t.Fatalf("after the end the patient is in %q", left.Encounter)
		}
		dry := c.preview("e", lastCmd)
		c.do(gm, "e", lastCmd)
		now := c.state(gm, "e", 0).State
		if now.Status != eventv1.State_STATUS_STARTED || now.Creatures["c"].GetHp() != before.Creatures["c"].GetHp() || dry.State.Status != now.Status {
			t.Errorf("the fight stands so: %v", now)
		}
		if in := record(); in.Encounter != "e" {
			t.Errorf("the patient is in %q", in.Encounter)
		}
		c.do(gm, "e", redoCmd)
		if again := record(); again.Encounter != "" || !proto.Equal(again.Creature, left.Creature) {
			t.Errorf("the end counts again, and the record is %v, was %v", again, left)
		}
		c.do(gm, "e", lastCmd)
		c.do(gm, "e", attackCmd("a", "c")) // the fight goes on
		c.do(gm, "e", lastCmd)
	}
	c.do(gm, "e", endCmd)
	// A record that has gone on is not lost: it says what stands in the way.
	c.fight("f", server)
	c.do(gm, "f", patientCmd("c", "c"))
	for _, try := range []func() error{
		func() error { _, err := c.try(gm, "e", lastCmd); return err },
		func() error {
			_, err := c.PreviewRuling(t.Context(), &encounterv1.PreviewRulingRequest{As: gm, Encounter: "e", Command: lastCmd})
			return err
		},
	} {
		if err := try(); reason(err) != "PATIENT_HAS_LEFT" || !strings.Contains(err.Error(), "engage in encounter f") {
			t.Errorf("a record that has gone on: %v", err)
		}
	}
	if s := c.state(gm, "e", 0).State; s.Status != eventv1.State_STATUS_ENDED {
		t.Error("the end was taken back all the same")
	}
	if p, err := c.w.records.GetPatient(t.Context(), &injuryv1.GetPatientRequest{Patient: "d", As: gm}); err != nil || p.Patient.Encounter != "" {
		t.Errorf("another patient came back alone: %v (%v)", p, err)
	}
}

// An amendment that one Commit cannot hold stands on a branch: its dry run says what
// comes of it, clients of the usual limit can read it, and its export proves it.
func TestAnAmendmentTooLarge(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", server)
	big := strings.Repeat("x", 100<<10)
	for n := range 45 { // 200 kB each: the command and the sheet
		add := addCmd(fmt.Sprint("big", n), 1)
		add.GetAdd().Sheet.Attribution = big
		c.do(gm, "e", add)
	}
	number := c.state(gm, "e", 0).Number
	am := amendCmd(&eventv1.AmendCommand{Version: 3})
	dry, err := c.PreviewRuling(t.Context(), &encounterv1.PreviewRulingRequest{As: gm, Encounter: "e", Command: am})
	if err != nil || len(dry.Changes) > 0 {
		t.Errorf("dry run: %v, %v", dry.GetChanges(), err)
	}
	if got := c.state(gm, "e", 0).Number; got != number {
		t.Errorf("step %d after %d", got, number)
	}
	before := c.state(gm, "e", 0).State
	c.do(gm, "e", am)
	number++
	if now := c.state(gm, "e", 0).State; !proto.Equal(now, before) {
		t.Error("an amendment that changes nothing changes the state")
	}
	export, err := c.Export(t.Context(), &encounterv1.ExportRequest{As: gm, Encounter: "e"})
	if err != nil {
		t.Fatal(err)
	}
	var parts []*encounterv1.ExportedPart
	for {
		resp, err := export.Recv()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if resp.BranchPart != nil {
			parts = append(parts, resp.BranchPart)
		}
		if len(resp.Commit) > limits.InlineAmendmentBytes {
			t.Errorf("a Commit of %d bytes", len(resp.Commit))
		}
	}
	if len(parts) < 5 {
		t.Errorf("the export has %d parts", len(parts))
	}
	// What fits is stored, and can be read by clients of the usual limit.
	c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: 20}))
	after := uint64(0)
	for more := true; more; {
		h, err := c.GetHistory(t.Context(), &encounterv1.GetHistoryRequest{As: gm, Encounter: "e", After: after, Limit: 1000})
		if err != nil {
			t.Fatal(err)
		}
		if size := proto.Size(h); size > 9<<20 {
			t.Errorf("%d steps take %d bytes", len(h.Steps), size)
		}
		after, more = after+uint64(len(h.Steps)), h.More
	}
	if after != number+1 {
		t.Errorf("%d steps, want %d", after, number+1)
	}
}

// The record of a patient goes on through going back into an amendment.
func TestPatientsRecordsFollowRulings(t *testing.T) {
	c := newWorld(t).start()
	c.enrolled("c")
	c.fight("e", server)
	c.do(gm, "e", patientCmd("c", "c"))         // 5
	c.do(gm, "e", endTurnCmd("a"))              // 6
	c.do(gm, "e", takeCmd("b", "whisper", "a")) // 7
	c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: 5}))
	c.do(gm, "e", turnCmd)
	c.do(gm, "e", attackCmd("b", "c"))
	for until := time.Now().Add(5 * time.Second); ; time.Sleep(time.Millisecond) {
		h, err := c.w.records.GetPatientHistory(t.Context(), &injuryv1.GetPatientHistoryRequest{As: gm, Patient: "c"})
		if err != nil {
			t.Fatal(err)
		}
		if slices.ContainsFunc(h.Entries, func(e *injuryv1.HistoryEntry) bool { return e.Encounter == "e" && e.Deed == "take" }) {
			return
		}
		if time.Now().After(until) {
			t.Fatalf("the record does not tell of the attack: %v", h)
		}
	}
}
