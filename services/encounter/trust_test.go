package encounter_test

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rpc"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// seq is the stream sequence of an encounter's last Commit.
func (c *client) seq(id string) uint64 {
	c.w.t.Helper()
	last, _, err := c.w.journal.Last(c.w.t.Context(), "skald.0.main.encounter."+id)
	if err != nil {
		c.w.t.Fatal(err)
	}
	return last.Seq
}

// refused holds that a command is refused and nothing is stored.
func (c *client) refused(as *eventv1.Principal, id, why string, cmd *eventv1.Command) error {
	c.w.t.Helper()
	before := c.seq(id)
	_, err := c.try(as, id, cmd)
	if reason(err) != why {
		c.w.t.Errorf("%v: want %s", err, why)
	}
	if got := c.seq(id); got != before {
		c.w.t.Errorf("%s: something was stored", why)
	}
	return err
}

func ahead(decision, creature, option string) *eventv1.EarlyAnswer {
	return &eventv1.EarlyAnswer{Decision: decision, Creature: creature, Answer: &eventv1.Answer{Option: option}}
}

func fact(t *testing.T, cmd *eventv1.Command, name string, value any) *eventv1.Command {
	t.Helper()
	s, err := structpb.NewStruct(map[string]any{name: value})
	if err != nil {
		t.Fatal(err)
	}
	cmd.GetTake().Facts = s
	return cmd
}

func notes(events []*eventv1.Event) string {
	var out []string
	for _, e := range events {
		if n := e.GetNote(); n != nil {
			out = append(out, n.Text)
		}
	}
	return strings.Join(out, "\n")
}

// T1: an answer ahead to somebody else's decision is refused in words that do
// not depend on whether the decision would come up.
func TestAnswersAheadAreForOnesOwn(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", server)
	attack := takeCmd("a", "attack", "b")
	attack.Answers = []*eventv1.EarlyAnswer{ahead("parry", "b", "no")}
	one := c.refused(ann, "e", "NOT_YOUR_DECISION", attack)
	whisper := takeCmd("a", "whisper", "b") // meets no decision at all
	whisper.Answers = attack.Answers
	two := c.refused(ann, "e", "NOT_YOUR_DECISION", whisper)
	if rpc.FromStatus(one).Message != rpc.FromStatus(two).Message {
		t.Errorf("the words tell: %v, %v", one, two)
	}
	nobody := takeCmd("a", "whisper", "b")
	nobody.Answers = []*eventv1.EarlyAnswer{ahead("parry", "nobody", "no")}
	c.refused(ann, "e", "NOT_YOUR_DECISION", nobody)
	// Whose an answer is, a caller cannot say.
	forged := takeCmd("a", "attack", "b")
	forged.Answers = []*eventv1.EarlyAnswer{{Decision: "parry", Answer: &eventv1.Answer{Option: "no"}, By: gm}}
	c.do(ann, "e", forged)
	open := c.state(gm, "e", 0).State.Decisions
	if len(open) != 1 {
		t.Fatalf("ann's answer without a creature answered for bob: %v", open)
	}
	for id, d := range open {
		if d.Name != "parry" || d.Creature != "b" {
			t.Errorf("open: %v", d)
		}
		c.do(bob, "e", answerCmd(id, "no"))
	}
}

// T2: an impossible answer ahead is set aside and the question asked.
func TestAnImpossibleAnswerAheadIsAsked(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", server)
	attack := takeCmd("a", "attack", "b")
	attack.Answers = []*eventv1.EarlyAnswer{ahead("parry", "b", "bogus"), ahead("endure", "", "perhaps")}
	resp := c.do(gm, "e", attack)
	if len(resp.Decisions) != 1 || resp.Decisions[0].Name != "parry" || !strings.Contains(notes(resp.Step.Events), `"bogus"`) {
		t.Fatalf("decisions %v, notes %q", resp.Decisions, notes(resp.Step.Events))
	}
	resp = c.do(bob, "e", answerCmd(resp.Decisions[0].Id, "no"))
	if len(resp.Decisions) != 1 || resp.Decisions[0].Name != "endure" {
		t.Fatalf("after the parry: %v", resp.Decisions)
	}
	c.do(bob, "e", answerCmd(resp.Decisions[0].Id, "no"))
	hp := c.state(gm, "e", 0).State.Creatures["b"].GetHp()
	if hp == 1000 {
		t.Error("the action did not end")
	}
	// An amendment that changes nothing gives the same state again.
	before := c.state(gm, "e", 0).State
	c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: 5}))
	if after := c.state(gm, "e", 0).State; !proto.Equal(before, after) {
		t.Errorf("amended without a change:\n%v\n%v", before, after)
	}
}

// T1: faces count for the speaker's own rolls.
func TestFacesAreForOnesOwnRolls(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", either)
	cmd := takeCmd("a", "attack", "b")
	cmd.Faces = []int32{19, 4, 1} // ann's to-hit; her damage comes after bob's parry
	resp := c.do(ann, "e", cmd)
	if r := rollOf(resp.Step.Events, "to-hit"); r == nil || !slices.Equal(r.Faces, []int32{19}) || !r.Supplied {
		t.Fatalf("to hit: %v", r)
	}
	if !strings.Contains(notes(resp.Step.Events), "set aside") {
		t.Errorf("nothing is said of the faces that nothing took: %q", notes(resp.Step.Events))
	}
	if r := rollOf(c.steps(gm, "e", 4), "fate"); r == nil || r.Supplied {
		t.Errorf("a secret roll took a player's face: %v", r)
	}
	for id := range c.state(bob, "e", 0).State.Decisions {
		answer := answerCmd(id, "yes")
		answer.Faces = []int32{1, 4}
		resp = c.do(bob, "e", answer)
	}
	if r := rollOf(resp.Step.Events, "parry"); r == nil || !slices.Equal(r.Faces, []int32{1}) {
		t.Errorf("bob's parry: %v", r)
	}
	if r := rollOf(c.steps(gm, "e", 5), "harm/damage"); r == nil || r.Supplied {
		t.Errorf("bob rolled ann's damage: %v", r)
	}
}

func rollOf(events []*eventv1.Event, label string) *eventv1.Roll {
	for _, e := range events {
		if r := e.GetRoll(); r.GetLabel() == label {
			return r
		}
	}
	return nil
}

// steps are the events after a number, as a viewer sees them.
func (c *client) steps(as *eventv1.Principal, id string, after uint64) []*eventv1.Event {
	c.w.t.Helper()
	h, err := c.GetHistory(c.w.t.Context(), &encounterv1.GetHistoryRequest{As: as, Encounter: id, After: after})
	if err != nil {
		c.w.t.Fatal(err)
	}
	var out []*eventv1.Event
	for _, s := range h.Steps {
		out = append(out, s.Events...)
	}
	return out
}

// A face that its die does not have is asked for again; it tells nothing.
func TestAFaceThatTheDieDoesNotHave(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", either)
	cmd := takeCmd("a", "attack", "b")
	cmd.Faces = []int32{25}
	resp := c.do(ann, "e", cmd)
	if len(resp.Decisions) != 1 || resp.Decisions[0].Expression != "1d20" || resp.Decisions[0].Faces != 1 || !strings.Contains(resp.Decisions[0].Question, "1 die of 20 sides") {
		t.Fatalf("asked: %v", resp.Decisions)
	}
	wrong := answerCmd(resp.Decisions[0].Id, "")
	wrong.GetAnswer().Answer = &eventv1.Answer{Faces: []int32{3, 4}}
	c.refused(ann, "e", "INVALID_FIELD", wrong)
	wrong.GetAnswer().Answer = &eventv1.Answer{Faces: []int32{17}}
	if r := rollOf(c.do(ann, "e", wrong).Step.Events, "to-hit"); r == nil || r.Total != 17 {
		t.Errorf("to hit: %v", r)
	}
}

// T1: what a player states of the world is the game master's to grant.
func TestClaims(t *testing.T) {
	c := newWorld(t).start()
	claim := func(id string) *eventv1.Decision {
		t.Helper()
		cmd := early(fact(t, takeCmd("a", "attack", "b"), "high", true))
		cmd.GetTake().Circumstances = []*eventv1.Circumstance{{Direction: "modifier", Kind: "luck", Value: 50}}
		resp := c.do(ann, id, cmd)
		if len(resp.Decisions) != 0 || !strings.Contains(notes(resp.Step.Events), "the game master is asked to grant: high true, circumstances[0] modifier +50 (luck)") {
			t.Fatalf("ann is told %v: %q", resp.Decisions, notes(resp.Step.Events))
		}
		if s := c.state(bob, id, 0); len(s.State.Decisions) != 0 || s.Number != 4 {
			t.Errorf("bob learns of the claim: %v", s)
		}
		for _, d := range c.state(gm, id, 0).State.Decisions {
			return d
		}
		return nil
	}
	c.fight("e", either)
	d := claim("e")
	if d.GetName() != "claim" || !d.GmOnly || len(d.Claims) != 2 || d.Claims[0].Field != "take.facts.high" || d.DefaultOption != "ignore" {
		t.Fatalf("asked: %v", d)
	}
	want := []*eventv1.ClaimOdds{
		{Label: "to-hit", Creature: "a", Outcome: "failure", Without: "1/2", With: "1/4"}, // 11 and more of 1d20; of the better of two
		{Label: "to-hit", Creature: "a", Outcome: "success", Without: "1/2", With: "3/4"}}
	if !slices.EqualFunc(d.Odds, want, func(a, b *eventv1.ClaimOdds) bool { return proto.Equal(a, b) }) {
		t.Errorf("odds %v", d.Odds)
	}
	c.refused(ann, "e", "UNKNOWN_DECISION", answerCmd(d.Id, "grant"))
	c.do(gm, "e", early(answerCmd(d.Id, "grant"), "parry", "no", "endure", "no"))
	if r := rollOf(c.steps(gm, "e", 5), "to-hit"); r.GetExpression() != "2d20kh1" {
		t.Errorf("granted: %v", r)
	}
	c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: 5}))
	if got := c.state(gm, "e", 0).State; len(got.Decisions) != 0 || got.Creatures["b"].GetHp() == 1000 {
		t.Errorf("decided again without a change: %v", got)
	}

	c.fight("f", either)
	c.do(gm, "f", early(answerCmd(claim("f").Id, "ignore"), "parry", "no", "endure", "no"))
	if r := rollOf(c.steps(gm, "f", 5), "to-hit"); r.GetExpression() != "1d20" {
		t.Errorf("ignored: %v", r)
	}
	// The game master states it in a ruling: it counts, what ann claimed beside it does not.
	high := &eventv1.TakeAction{Facts: fact(t, takeCmd("a", "attack", "b"), "high", true).GetTake().Facts}
	c.do(gm, "f", early(amendCmd(&eventv1.AmendCommand{Version: 5, Change: high}), "parry", "no", "endure", "no"))
	am := c.steps(gm, "f", 6)[0].GetAmended()
	if am == nil || len(am.Commands) != 1 {
		t.Fatalf("amended: %v", am)
	}
	found := false
	for _, data := range am.Commands[0].Events {
		e := &eventv1.Event{}
		if err := proto.Unmarshal(data, e); err != nil {
			t.Fatal(err)
		}
		found = found || e.GetRoll().GetExpression() == "2d20kh1"
	}
	if !found {
		t.Error("what the game master states in a ruling does not count")
	}

	c.fight("g", either)
	before := c.state(gm, "g", 0).State.Creatures
	c.do(gm, "g", answerCmd(claim("g").Id, "call-off"))
	if after := c.state(gm, "g", 0).State; !proto.Equal(before["b"], after.Creatures["b"]) || rollOf(c.steps(gm, "g", 4), "to-hit") != nil {
		t.Errorf("called off: %v", after)
	}
	set := func(value string) {
		c.do(gm, "g", &eventv1.Command{What: &eventv1.Command_Set{Set: &eventv1.SetSetting{Setting: "player_facts", Value: value}}})
	}
	set("refuse")
	err := c.refused(ann, "g", "GAME_MASTERS_TO_SAY", fact(t, takeCmd("a", "attack", "b"), "high", true))
	if field(err) != "take.facts.high" {
		t.Errorf("refused for %s", field(err))
	}
	set("free")
	if r := rollOf(c.do(ann, "g", fact(t, takeCmd("a", "attack", "b"), "high", true)).Step.Events, "to-hit"); r.GetExpression() != "2d20kh1" {
		t.Errorf("free: %v", r)
	}
}

// T3: a dry run shows no face that will be used.
func TestDryRunsShowNoFaceThatCounts(t *testing.T) {
	same := 0
	c := newWorld(t).start()
	c.fight("e", server)
	for range 12 {
		c.do(gm, "e", takeCmd("a", "whisper", "b"))
		version := c.state(gm, "e", 0).Number
		dry := c.preview("e", amendCmd(&eventv1.AmendCommand{Version: version, Command: attackCmd("a", "b")}))
		var sample []int32
		for _, f := range dry.Fresh {
			if f.Label == "to-hit" {
				sample = f.Sample
				if len(f.Odds) != 2 || f.Odds[0].Odds != "1/2" || f.Version != version || f.Creature != "a" {
					t.Errorf("listed as %v", f)
				}
			}
		}
		if len(sample) != 1 || len(dry.Fresh) != 3 { // fate, to-hit, damage
			t.Fatalf("fresh: %v", dry.Fresh)
		}
		if slices.Equal(sample, rollOf(c.do(gm, "e", attackCmd("a", "b")).Step.Events, "to-hit").Faces) {
			same++
		}
	}
	if same == 12 {
		t.Error("the dry run shows the faces of the next action")
	}
}

// During a fight an export counts nothing hidden.
func TestExportDuringAFight(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", server)
	c.do(gm, "e", takeCmd("a", "whisper", "b"))
	c.do(gm, "e", attackCmd("a", "b"))
	for _, as := range []*eventv1.Principal{ann, spectator} {
		stream, err := c.Export(t.Context(), &encounterv1.ExportRequest{As: as, Encounter: "e"})
		if err != nil {
			t.Fatal(err)
		}
		var got []*eventv1.Event
		for n := uint64(1); ; n++ {
			m, err := stream.Recv()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil || m.Step == nil || len(m.Commit) > 0 || m.Step.Number != n {
				t.Fatalf("%v: %v %v", as, m, err)
			}
			got = append(got, m.Step.Events...)
		}
		if want := c.steps(as, "e", 0); len(got) != len(want) {
			t.Errorf("%v: %d events exported, %d seen", as, len(got), len(want))
		}
	}
}

// A request id belongs to its principal: others learn nothing of it.
func TestRequestIDsAreOnesOwn(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", server)
	exec := func(as *eventv1.Principal, cmd *eventv1.Command) (*encounterv1.ExecuteResponse, error) {
		return c.Execute(t.Context(), &encounterv1.ExecuteRequest{RequestId: "secret", As: as, Encounter: "e", Command: cmd})
	}
	if _, err := exec(gm, takeCmd("a", "whisper", "b")); err != nil {
		t.Fatal(err)
	}
	if _, err := exec(bob, takeCmd("a", "whisper", "b")); reason(err) != "NOT_YOUR_CREATURE" {
		t.Errorf("bob: %v", err)
	}
	if _, err := exec(spectator, takeCmd("a", "whisper", "b")); code(err) != fault.Denied {
		t.Errorf("a spectator: %v", err)
	}
	if resp, err := exec(ann, takeCmd("a", "whisper", "b")); err != nil || resp.Repeated {
		t.Errorf("ann: %v %v", resp, err)
	}
	if resp, err := exec(gm, takeCmd("a", "whisper", "b")); err != nil || !resp.Repeated {
		t.Errorf("the game master again: %v %v", resp, err)
	}
	if _, err := exec(gm, attackCmd("a", "b")); reason(err) != "REQUEST_ID_REUSED" {
		t.Errorf("reused: %v", err)
	}
}

// Any roll can be called open, private or blind, by who may call.
func TestRollModes(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", server)
	hit := func(as *eventv1.Principal, mode eventv1.RollMode) map[string]bool {
		t.Helper()
		cmd := attackCmd("a", "b")
		cmd.Answers = nil
		cmd.RollMode = mode
		from := map[*eventv1.Principal]uint64{}
		viewers := map[string]*eventv1.Principal{"gm": gm, "ann": ann, "bob": bob, "spectator": spectator}
		for _, v := range viewers {
			from[v] = c.state(v, "e", 0).Number
		}
		c.do(as, "e", cmd)
		for id := range c.state(gm, "e", 0).State.Decisions {
			c.do(gm, "e", early(answerCmd(id, "no"), "endure", "no"))
		}
		saw := map[string]bool{}
		for name, v := range viewers {
			saw[name] = rollOf(c.steps(v, "e", from[v]), "to-hit") != nil
		}
		return saw
	}
	for _, tt := range []struct {
		name string
		as   *eventv1.Principal
		mode eventv1.RollMode
		want string
	}{
		{"by the rules", ann, 0, "ann bob gm spectator"},
		{"private by its player", ann, eventv1.RollMode_ROLL_MODE_PRIVATE, "ann gm"},
		{"blind by its player", ann, eventv1.RollMode_ROLL_MODE_BLIND, "gm"},
		{"private by the game master", gm, eventv1.RollMode_ROLL_MODE_PRIVATE, "ann gm"},
		{"blind by the game master", gm, eventv1.RollMode_ROLL_MODE_BLIND, "gm"},
	} {
		saw := hit(tt.as, tt.mode)
		var got []string
		for name, yes := range saw {
			if yes {
				got = append(got, name)
			}
		}
		slices.Sort(got)
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: seen by %v, want %s", tt.name, got, tt.want)
		}
	}
	if rollOf(c.steps(bob, "e", 0), "fate") != nil {
		t.Fatal("a secret roll is seen before anybody opened one")
	}
	// What the rules keep from the player the player cannot open; the game master can.
	cmd := attackCmd("a", "b")
	cmd.Answers, cmd.RollMode = nil, eventv1.RollMode_ROLL_MODE_OPEN
	c.do(ann, "e", cmd)
	for id := range c.state(gm, "e", 0).State.Decisions {
		c.do(gm, "e", early(answerCmd(id, "no"), "endure", "no"))
	}
	if rollOf(c.steps(bob, "e", 0), "fate") != nil {
		t.Error("a player opened a secret roll")
	}
	cmd = attackCmd("a", "b")
	cmd.RollMode = eventv1.RollMode_ROLL_MODE_OPEN
	c.do(gm, "e", cmd)
	if r := rollOf(c.steps(bob, "e", 0), "fate"); r == nil || r.Branch != "everyone" {
		t.Errorf("the game master's open roll: %v", r)
	}
}

// What the game master fixes has a mark of its own, that its audience sees.
func TestFixedByWord(t *testing.T) {
	for name, rolled := range map[string]int32{"another face": 3, "the face that was rolled": 20} {
		t.Run(name, func(t *testing.T) { testFixed(t, rolled) })
	}
}

// testFixed fixes a 20 where a face was rolled: it stands in the record, and every
// viewer of the roll is told, though nothing else may have changed.
func testFixed(t *testing.T, rolled int32) {
	c := newWorld(t).start()
	c.fight("e", supplied)
	attack := attackCmd("a", "b")
	attack.Faces = []int32{60, rolled, 1} // fate, to-hit, damage
	c.do(gm, "e", attack)                 // 5
	c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: 5, Rolls: []*eventv1.FixedRoll{{Label: "to-hit", Faces: []int32{20}}}}))
	am := c.steps(gm, "e", 5)[0].GetAmended()
	fixed := false
	for _, data := range am.GetCommands()[0].Events {
		e := &eventv1.Event{}
		if err := proto.Unmarshal(data, e); err != nil {
			t.Fatal(err)
		}
		if r := e.GetRoll(); r.GetLabel() == "to-hit" {
			fixed = r.Fixed && !r.Supplied && slices.Equal(r.Faces, []int32{20}) && event.Branch(e.Audience) == "everyone"
		}
	}
	if !fixed {
		t.Errorf("no mark of its own: %v", am)
	}
	// Who may see the roll sees the mark: everyone here.
	for _, as := range []*eventv1.Principal{ann, bob, spectator} {
		if r := rollOf(c.steps(as, "e", 5), "to-hit"); !r.GetFixed() {
			t.Errorf("%v is not told that a roll was fixed: %v", as, c.steps(as, "e", 5))
		}
	}
}

// T10: a step says who gave the command, to those who may know.
func TestWhoGaveTheCommand(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", server)
	attack := takeCmd("a", "attack", "b") // its first event is a secret roll
	c.do(ann, "e", attack)
	for id := range c.state(gm, "e", 0).State.Decisions {
		c.do(gm, "e", early(answerCmd(id, "no"), "endure", "no"))
	}
	c.do(ann, "e", &eventv1.Command{What: &eventv1.Command_EndTurn{EndTurn: &eventv1.EndTurn{}}}) // its first event is for all
	by := func(as *eventv1.Principal) (out []string) {
		h, err := c.GetHistory(t.Context(), &encounterv1.GetHistoryRequest{As: as, Encounter: "e", After: 4})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range h.Steps {
			out = append(out, s.By.GetName()+strings.TrimPrefix(s.By.GetRole().String(), "ROLE"))
		}
		return out
	}
	for name, tt := range map[string]struct {
		as   *eventv1.Principal
		want []string
	}{
		"the game master": {gm, []string{"ann_PLAYER", "_GM", "ann_PLAYER"}},
		"the giver":       {ann, []string{"ann_PLAYER", "_UNSPECIFIED", "ann_PLAYER"}}, // the answer to bob's parry is not hers to know
		"bob":             {bob, []string{"_UNSPECIFIED", "_GM", "ann_PLAYER"}},        // he hears what was decided for him
		"a spectator":     {spectator, []string{"_UNSPECIFIED", "_UNSPECIFIED", "ann_PLAYER"}},
	} {
		if got := by(tt.as); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
}
