package encounter_test

import (
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// history are the steps that a viewer was told, or those inside one of them.
func (c *client) history(as *eventv1.Principal, id string, within uint64) []*encounterv1.Step {
	c.w.t.Helper()
	h, err := c.GetHistory(c.w.t.Context(), &encounterv1.GetHistoryRequest{As: as, Encounter: id, Limit: 1000, Within: within})
	if err != nil {
		c.w.t.Fatal(err)
	}
	return h.Steps
}

func (c *client) last(as *eventv1.Principal, id string) *encounterv1.Step {
	c.w.t.Helper()
	h := c.history(as, id, 0)
	return h[len(h)-1]
}

// rollIn finds a roll among events.
func rollIn(events []*eventv1.Event, label string) *eventv1.Roll {
	for _, e := range events {
		if r := e.GetRoll(); r.GetLabel() == label {
			return r
		}
	}
	return nil
}

func paths(changes []*encounterv1.Change) []string {
	var out []string
	for _, c := range changes {
		out = append(out, c.Path+" "+c.Before+" "+c.After)
	}
	return out
}

// A ruling is told to each viewer as its part: the step that was changed with its
// rolls and their marks, before and now, who ruled and why; what a viewer may not
// know, such as another's hit points, is not in it.
func TestARulingIsTold(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", either)
	c.do(gm, "e", attackCmd("a", "b", 50, 15, 4)) // 5
	c.do(gm, "e", attackCmd("a", "b", 50, 12, 2)) // 6
	c.do(bob, "e", contestCmd(c.last(bob, "e").Number-1, "it was a dagger", nil))
	contest := c.contests(gm, "e")[0].Contest.Id
	am := amendCmd(&eventv1.AmendCommand{Version: 5, Reason: "it was a dagger", Contest: contest, Rolls: []*eventv1.FixedRoll{{Label: "harm/damage", Faces: []int32{1}}}})
	dry := c.preview("e", am)
	step := c.do(gm, "e", am).Step
	if got := dry.Ruling.Steps; len(got) != 2 || len(step.Ruling.Steps) != 2 || !slices.EqualFunc(got[0].Events, step.Ruling.Steps[0].Events, func(a, b *eventv1.Event) bool { return proto.Equal(a, b) }) {
		t.Errorf("the dry run tells %v, the ruling %v", dry.Ruling, step.Ruling)
	}
	for _, as := range []*eventv1.Principal{ann, bob, spectator} {
		s, steps := c.last(as, "e"), 1
		if as == bob { // whose hit points are others after the second attack, too
			steps = 2
		}
		r := s.Ruling
		if r.GetKind() != encounterv1.Ruling_KIND_AMENDED || r.Reason != "it was a dagger" || r.Contest != contest || s.By.GetRole() != eventv1.Principal_ROLE_GM || len(r.Steps) != steps {
			t.Fatalf("%v is told %v by %v", as, r, s.By)
		}
		x := r.Steps[0]
		if x.Corrected.Kind != encounterv1.Corrected_KIND_CHANGED || !x.Corrected.Ruled || x.Corrected.Within != s.Number || x.Corrected.Step != s.Number-3 {
			t.Errorf("%v: %v", as, x.Corrected)
		}
		was, is := rollIn(x.Corrected.Before, "harm/damage"), rollIn(x.Events, "harm/damage")
		if was.GetTotal() != 4 || was.Fixed || is.GetTotal() != 1 || !is.Fixed {
			t.Errorf("%v: the roll was %v and is %v", as, was, is)
		}
		if rollIn(x.Events, "fate") != nil {
			t.Errorf("%v is told of a secret roll", as)
		}
		want := []string(nil)
		if as == bob {
			want = []string{"creatures.b.hp 994 997"}
		}
		if got := paths(r.Changes); !slices.Equal(got, want) {
			t.Errorf("%v: changes %v, want %v", as, got, want)
		}
		d, err := c.GetDifference(t.Context(), &encounterv1.GetDifferenceRequest{As: as, Encounter: "e", Of: s.Number})
		if err != nil || !slices.Equal(paths(d.Changes), want) {
			t.Errorf("%v: difference %v: %v", as, d, err)
		}
	}
	// Inside: the state after the changed command, and both explanations.
	number := c.last(bob, "e").Number
	in := c.history(bob, "e", number)
	if len(in) != 2 || in[1].Corrected.Kind != encounterv1.Corrected_KIND_CHANGED || in[1].Corrected.Ruled {
		t.Fatalf("inside: %v", in)
	}
	if in := c.history(ann, "e", c.last(ann, "e").Number); len(in) != 2 || in[1].Corrected.Kind != encounterv1.Corrected_KIND_SAME || in[1].Corrected.Before != nil {
		t.Errorf("inside: %v", in)
	}
	for at, want := range map[uint64]int32{0: 997, 1: 999, 2: 997} {
		s, err := c.GetState(t.Context(), &encounterv1.GetStateRequest{As: bob, Encounter: "e", Within: number, At: at})
		if err != nil || s.State.Creatures["b"].GetHp() != want {
			t.Errorf("hit points at %d: %v (%v), want %d", at, s.GetState().GetCreatures()["b"].GetHp(), err, want)
		}
	}
	at := slices.IndexFunc(in[0].Events, func(e *eventv1.Event) bool { return e.GetRoll().GetLabel() == "harm/damage" })
	for before, want := range map[bool]string{false: "the faces were fixed by the game master's word", true: "the faces were supplied by people"} {
		x, err := c.Explain(t.Context(), &encounterv1.ExplainRequest{As: bob, Encounter: "e", Within: number, Number: 1, Event: uint32(at), Before: before})
		if err != nil || !slices.ContainsFunc(x.Lines, func(l *encounterv1.ExplainLine) bool { return l.Text == want }) {
			t.Errorf("explained by %v: %v", x, err)
		}
	}
	// What is no ruling of the viewer's has no inside, and nothing is beyond its end.
	for name, req := range map[string]*encounterv1.GetHistoryRequest{
		"no ruling": {As: bob, Encounter: "e", Within: number - 1}, "beyond": {As: bob, Encounter: "e", Within: number + 1},
		"after the end": {As: bob, Encounter: "e", Within: number, After: 3}} {
		if _, err := c.GetHistory(t.Context(), req); code(err) != fault.Invalid {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A secret roll that a ruling changes is told to nobody who may not know of it, nor
// that there was a ruling.
func TestARulingOnASecretIsASecret(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", either)
	c.do(gm, "e", attackCmd("a", "b", 50, 15, 4)) // 5
	before := map[*eventv1.Principal]uint64{}
	for _, as := range []*eventv1.Principal{ann, bob, spectator} {
		before[as] = c.state(as, "e", 0).Number
	}
	step := c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: 5, Rolls: []*eventv1.FixedRoll{{Label: "fate", Faces: []int32{7}}}})).Step
	if len(step.Ruling.GetSteps()) != 1 || rollIn(step.Ruling.Steps[0].Events, "fate").GetTotal() != 7 {
		t.Errorf("the game master is told %v", step.Ruling)
	}
	for as, number := range before {
		if got := c.state(as, "e", 0).Number; got != number {
			t.Errorf("%v was told something", as)
		}
	}
}

// Taking a ruling on a secret back tells nobody of it either, also where what was seen
// since was taken back before, and where it comes by redo.
func TestTakingARulingOnASecretBackIsASecret(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", either)
	c.do(gm, "e", attackCmd("a", "b", 50, 15, 4)) // 5
	c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: 5, Rolls: []*eventv1.FixedRoll{{Label: "fate", Faces: []int32{7}}}}))
	c.do(gm, "e", attackCmd("a", "b", 50, 12, 2))
	c.do(gm, "e", lastCmd) // the second attack, which everybody saw
	before := map[*eventv1.Principal]uint64{}
	for _, as := range []*eventv1.Principal{ann, bob, spectator} {
		before[as] = c.state(as, "e", 0).Number
	}
	c.do(gm, "e", lastCmd)
	for as, number := range before {
		if got := c.state(as, "e", 0).Number; got != number {
			t.Errorf("%v was told of the undo", as)
		}
	}
	c.do(gm, "e", redoCmd)
	for as, number := range before {
		if got := c.state(as, "e", 0).Number; got != number {
			t.Errorf("%v was told of the redo", as)
		}
	}
	// What they saw is told: the second attack counts again.
	c.do(gm, "e", redoCmd)
	for as, number := range before {
		if got := c.state(as, "e", 0).Number; got != number+1 {
			t.Errorf("%v was not told that the attack counts again", as)
		}
	}
}

// What comes out otherwise is told also where the state stays what it was.
func TestARollThatComesOutOtherwiseIsTold(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", either)
	c.do(gm, "e", attackCmd("a", "b", 50, 15, 4)) // 5
	c.do(gm, "e", attackCmd("a", "b", 50, 12, 2)) // 6
	before := c.state(spectator, "e", 0)
	// The first attack has another face; the last one, the same as before, sets the score again.
	c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: 5, Command: attackCmd("a", "b", 50, 13, 4)}))
	after := c.state(spectator, "e", 0)
	if !proto.Equal(before.State, after.State) || after.Number != before.Number+1 {
		t.Errorf("number %d after %d", after.Number, before.Number)
	}
	if r := c.last(spectator, "e").Ruling; len(r.GetSteps()) != 1 || len(r.Changes) != 0 {
		t.Errorf("told %v", r)
	}
}

// Going back tells what does not count any more, and coming forth what counts again.
func TestGoingBackIsTold(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", either)
	c.do(gm, "e", attackCmd("a", "b", 50, 15, 4))
	for _, turn := range []struct {
		cmd  *eventv1.Command
		kind encounterv1.Ruling_Kind
		what encounterv1.Corrected_Kind
	}{{lastCmd, encounterv1.Ruling_KIND_REVERTED, encounterv1.Corrected_KIND_GONE}, {redoCmd, encounterv1.Ruling_KIND_REDONE, encounterv1.Corrected_KIND_NEW}} {
		c.do(gm, "e", turn.cmd)
		if r := c.last(spectator, "e").Ruling; r.GetKind() != turn.kind || len(r.Steps) != 1 || r.Steps[0].Corrected.Kind != turn.what {
			t.Errorf("told %v", r)
		}
	}
}

// Whoever first heard of a command by a ruling is told when the ruling is taken back, and
// when it counts again, also where the own state is what it was: nobody keeps what does not
// count any more.
func TestWhatARulingFirstToldIsTakenBack(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", either)
	told := c.state(spectator, "e", 0).Number
	c.do(gm, "e", attackCmd("a", "b", 50, 12, 2)) // 5
	whisper := takeCmd("a", "whisper", "")
	whisper.GetTake().Targets = nil
	c.do(gm, "e", whisper) // 6: nobody hears of it
	was := c.state(spectator, "e", 0)
	if was.Number != told+1 {
		t.Fatalf("the spectator was told %d steps, of which one is the attack", was.Number-told)
	}
	// The score is the same, and the hit points are no business of a spectator's.
	c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: 6, Command: attackCmd("a", "b", 50, 12, 4)}))
	if r := c.last(spectator, "e").Ruling; len(r.GetSteps()) != 1 || len(r.Changes) != 0 || rollIn(r.Steps[0].Events, "to-hit").GetTotal() != 12 {
		t.Fatalf("the ruling told %v", r)
	}
	for i, turn := range []struct {
		cmd  *eventv1.Command
		kind encounterv1.Corrected_Kind
	}{{lastCmd, encounterv1.Corrected_KIND_GONE}, {redoCmd, encounterv1.Corrected_KIND_NEW}, {lastCmd, encounterv1.Corrected_KIND_GONE}} {
		c.do(gm, "e", turn.cmd)
		now := c.state(spectator, "e", 0)
		if now.Number != was.Number+2+uint64(i) || !proto.Equal(now.State, was.State) {
			t.Fatalf("turn %d: number %d after %d", i, now.Number, was.Number)
		}
		r := c.last(spectator, "e").Ruling
		if len(r.GetSteps()) != 1 || r.Steps[0].Corrected.Kind != turn.kind {
			t.Errorf("turn %d told %v", i, r)
		}
		roll := rollIn(r.GetSteps()[0].Events, "to-hit")
		if turn.kind == encounterv1.Corrected_KIND_GONE {
			roll = rollIn(r.GetSteps()[0].Corrected.Before, "to-hit")
		}
		if roll.GetTotal() != 12 {
			t.Errorf("turn %d told of %v", i, r)
		}
	}
}

// A command that was forgotten is put in, with dice of its own; it can be changed and
// taken away like any other, and all that can be taken back.
func TestACommandThatWasForgotten(t *testing.T) {
	w := newWorld(t)
	c := w.start()
	c.fight("e", either)
	c.do(gm, "e", attackCmd("a", "b", 50, 15, 4)) // 5
	c.do(gm, "e", attackCmd("a", "b", 50, 12, 2)) // 6
	before := c.state(gm, "e", 0).State
	for name, bad := range map[string]*eventv1.AmendCommand{
		"nothing comes after it": {InsertAfter: 6, Command: attackCmd("a", "b", 50, 15, 3)},
		"no such step":           {InsertAfter: 60, Command: attackCmd("a", "b", 50, 15, 3)},
		"without a command":      {InsertAfter: 5},
		"and a change":           {InsertAfter: 5, Version: 5, Command: attackCmd("a", "b", 50, 15, 3)},
	} {
		if _, err := c.try(gm, "e", amendCmd(bad)); code(err) != fault.Invalid || field(err) != "command.amend.insert_after" {
			t.Errorf("%s: %v", name, err)
		}
	}
	insert := amendCmd(&eventv1.AmendCommand{InsertAfter: 5, Reason: "the second blow was forgotten", Command: attackCmd("a", "b", 50, 15, 3)})
	dry := c.preview("e", insert)
	step := c.do(gm, "e", insert).Step // 7
	now := c.state(gm, "e", 0).State
	if hp := now.Creatures["b"].GetHp(); hp != 991 || !proto.Equal(now, dry.State) {
		t.Errorf("hit points %d", hp)
	}
	if r := step.Ruling; len(r.Steps) != 2 || r.Steps[0].Corrected.Kind != encounterv1.Corrected_KIND_NEW || !r.Steps[0].Corrected.Ruled {
		t.Errorf("told %v", r)
	}
	c.do(gm, "e", attackCmd("a", "b", 50, 12, 1)) // 8: dice of an action of its own
	c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: step.Number, Rolls: []*eventv1.FixedRoll{{Label: "harm/damage", Faces: []int32{1}}}}))
	if hp := c.state(gm, "e", 0).State.Creatures["b"].GetHp(); hp != 992 {
		t.Errorf("hit points %d after what was put in was changed", hp)
	}
	c.do(gm, "e", lastCmd)
	c.do(gm, "e", lastCmd)
	if got := c.state(gm, "e", 0).State; !proto.Equal(got, now) {
		t.Error("undo does not lead back to the insertion")
	}
	c.do(gm, "e", lastCmd)
	if got := c.state(gm, "e", 0).State; !proto.Equal(got, before) {
		t.Error("undo of the insertion does not lead back")
	}
	c.do(gm, "e", redoCmd)
	if got := c.state(gm, "e", 0).State; !proto.Equal(got, now) {
		t.Error("redo of the insertion does not lead to it")
	}
	live := hashOf(t, c)
	c.stop()
	c = w.start()
	c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: step.Number, Drop: true}))
	if got := c.state(gm, "e", 0).State; !proto.Equal(got, before) || len(live) == 0 {
		t.Error("taking what was put in away again does not lead back")
	}
}

// What was forgotten behind an answer comes after the command that was answered; behind
// the last one there is nothing to come before.
func TestForgottenBehindAnAnswer(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", server)
	asked := func(cmd *eventv1.Command, answer string) {
		c.do(gm, "e", cmd)
		for id := range c.state(gm, "e", 0).State.Decisions {
			c.do(gm, "e", answerCmd(id, answer))
		}
	}
	asked(early(takeCmd("a", "attack", "b"), "endure", "yes"), "yes") // 5 asks b, 6 answers
	put := amendCmd(&eventv1.AmendCommand{InsertAfter: 6, Reason: "forgotten", Command: takeCmd("a", "whisper", "b")})
	if _, err := c.try(gm, "e", put); field(err) != "command.amend.insert_after" {
		t.Errorf("behind the last answer: %v", err)
	}
	c.do(gm, "e", takeCmd("a", "whisper", "b")) // 7
	before := c.state(gm, "e", 0).State
	dry := c.preview("e", put)
	other := c.preview("e", amendCmd(&eventv1.AmendCommand{InsertAfter: 5, Reason: "forgotten", Command: takeCmd("a", "whisper", "b")}))
	if len(dry.Troubles) > 0 || !proto.Equal(dry.State, other.State) {
		t.Errorf("behind the answer: %v, behind its command: %v", dry, other)
	}
	step := c.do(gm, "e", put).Step
	if r := step.Ruling; len(r.GetSteps()) == 0 || r.Steps[0].Corrected.GetKind() != encounterv1.Corrected_KIND_NEW {
		t.Errorf("told %v", r)
	}
	c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: step.Number, Drop: true}))
	if got := c.state(gm, "e", 0).State; !proto.Equal(got, before) {
		t.Error("taking what was put in away does not lead back")
	}
}

// The game master gives a result by word: the dice stay as they fell, a modifier says
// whose word the rest is, and the roll is marked for ever.
func TestAResultByTheGameMastersWord(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", either)
	c.do(gm, "e", attackCmd("a", "b", 50, 15, 4)) // 5
	before := c.state(gm, "e", 0).State
	seven := int32(7)
	for name, x := range map[string]struct {
		roll    *eventv1.FixedRoll
		total   int32
		outcome string
	}{
		"an outcome": {&eventv1.FixedRoll{Label: "to-hit", Outcome: "failure"}, 10, "failure"},
		"a total":    {&eventv1.FixedRoll{Label: "to-hit", Total: &seven}, 7, "failure"},
		"what it is": {&eventv1.FixedRoll{Label: "to-hit", Outcome: "success"}, 15, "success"},
	} {
		c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: 5, Reason: "so be it", Rolls: []*eventv1.FixedRoll{x.roll}}))
		r := rollIn(c.last(bob, "e").Ruling.Steps[0].Events, "to-hit")
		if r.GetTotal() != x.total || r.Outcome != x.outcome || !r.Ruled || r.Fixed || r.Value != 15 || !slices.Equal(r.Faces, []int32{15}) {
			t.Errorf("%s: %v", name, r)
		}
		sum := r.Value
		for _, m := range r.Modifiers {
			sum += m.Value
			if m.Source != rules.ByWord {
				t.Errorf("%s: %v", name, m)
			}
		}
		if sum != r.Total {
			t.Errorf("%s: parts come to %d, the total is %d", name, sum, r.Total)
		}
		// It stands through a later amendment that says nothing of it.
		number := c.last(gm, "e").Number
		c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: 5}))
		if told := c.last(gm, "e").Ruling; len(told.Steps) != 0 {
			t.Errorf("%s: it does not stand: %v", name, told)
		}
		c.do(gm, "e", toVersion(5))
		if got := c.state(gm, "e", 0).State; !proto.Equal(got, before) {
			t.Errorf("%s: step %d cannot be taken back", name, number)
		}
	}
	for name, x := range map[string]*eventv1.FixedRoll{
		"an outcome that it cannot have": {Label: "to-hit", Outcome: "glory"},
		"an outcome of what has none":    {Label: "harm/damage", Outcome: "success"},
		"two things":                     {Label: "to-hit", Outcome: "failure", Total: &seven},
	} {
		_, err := c.try(gm, "e", amendCmd(&eventv1.AmendCommand{Version: 5, Rolls: []*eventv1.FixedRoll{x}}))
		if code(err) != fault.Invalid || !strings.HasPrefix(field(err), "command.amend.rolls") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
