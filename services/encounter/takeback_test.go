package encounter_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func upholdCmd(contest string) *eventv1.Command {
	return settleCmd(&eventv1.SettleContest{Contest: contest, Uphold: true})
}

func grantCmd(contest string) *eventv1.Command {
	return answerContestCmd(&eventv1.AnswerContest{Contest: contest, Grant: true})
}

func hurtCmd(creature string, hp int32) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: creature, Vitals: &eventv1.Vitals{Hp: &hp}}}}
}

func lurkCmd(item string) *eventv1.Command {
	cmd := takeCmd("a", "lurk", "b")
	cmd.GetTake().Item = item
	return cmd
}

// openOne is the id of the only contest that waits.
func (c *client) openOne(id string) string {
	c.w.t.Helper()
	out := ""
	for _, l := range c.contests(gm, id) {
		if l.Contest.Status != eventv1.Contest_STATUS_OPEN {
			continue
		}
		if out != "" {
			c.w.t.Fatal("more than one contest waits")
		}
		out = l.Contest.Id
	}
	return out
}

// holds decides the whole record again.
func (c *client) holds(id string) {
	c.w.t.Helper()
	t := c.w.t.(*testing.T)
	if r := c.exported(id).verified(t, c.w); len(r.Problems) > 0 || len(r.Other) > 0 || r.Decided == 0 {
		t.Errorf("decided again: %+v", r)
	}
}

// fought is the state of a fight without what stands beside its history.
func (c *client) fought(id string) *eventv1.State {
	c.w.t.Helper()
	s := c.state(gm, id, 0).State
	s.Contests = nil
	return s
}

// keptIn is what the last ruling says of what others did.
func (c *client) keptIn(id string) *eventv1.Amended {
	c.w.t.Helper()
	for _, s := range slices.Backward(c.history(gm, id, 0)) {
		for i, ev := range s.Events {
			if ev.GetReverted() == nil {
				continue
			}
			if am := s.Events[min(i+1, len(s.Events)-1)].GetAmended(); am != nil && ev.GetReverted().Kept {
				return am
			}
			return nil
		}
	}
	return nil
}

// What others did between and behind the claimant's commands, unseen by the claimant,
// stays as it was; whoever saw the commands is told that they are taken back, and
// nothing else. The dry run shows what comes, an undo of it is identity, as is its redo.
func TestTakeBackKeepsWhatOthersDid(t *testing.T) {
	w := newWorld(t)
	c := w.start()
	c.calm("e")
	c.do(ann, "e", takeCmd("a", "attack", "b")) // 5
	c.do(gm, "e", stagedCmd("z", "Zigzag"))
	c.do(ann, "e", takeCmd("a", "attack", "b"))
	c.do(gm, "e", hurtCmd("z", 7))
	c.do(gm, "e", takeCmd("a", "whisper", "b")) // 9
	before := c.fought("e")
	c.do(ann, "e", takeBackCmd(2))
	l := c.onlyContest(gm, "e")
	if l.DryRun == nil || l.Ruling.GetSettle() == nil || l.DryRun.Redecided != 3 || len(l.DryRun.Notes)+len(l.DryRun.Troubles) > 0 {
		t.Fatalf("the game master is shown %v", l)
	}
	granted := c.do(gm, "e", l.Ruling).Step.Number
	after := c.fought("e")
	dry := l.DryRun.State
	dry.Contests = nil
	if !proto.Equal(after, dry) {
		t.Errorf("granted it is\n%v\nand in the dry run\n%v", after, dry)
	}
	if after.Creatures["b"].GetHp() != 1000 || after.Creatures["z"].GetHp() != 7 {
		t.Errorf("granted: %v, %v", after.Creatures["b"], after.Creatures["z"])
	}
	if am := c.keptIn("e"); am == nil || len(am.Commands) != 3 || len(am.Notes) > 0 {
		t.Errorf("decided again: %v", am)
	}
	for _, as := range []*eventv1.Principal{ann, bob, spectator} {
		h := c.history(as, "e", 0)
		s := h[len(h)-1]
		if s.Restored == nil { // the claimant is told of the contest's settling in the same step
			t.Fatalf("%v: the last step is %v", as, s)
		}
		r := s.Ruling
		if r.GetKind() != encounterv1.Ruling_KIND_REVERTED || r.Reason != "not that one" || len(r.Steps) != 2 {
			t.Errorf("%v is told %v", as, r)
		}
		for _, x := range r.Steps {
			if x.Corrected.Kind != encounterv1.Corrected_KIND_GONE || x.Corrected.Ruled || len(x.Events) > 0 {
				t.Errorf("%v is told of %v", as, x)
			}
		}
		for _, secret := range []string{"Zigzag", "a secret", "amended", "then_actions", "next_action"} {
			if strings.Contains(fmt.Sprint(h), secret) {
				t.Errorf("%v is told of %q: %v", as, secret, h)
			}
		}
	}
	c.holds("e")
	c.do(gm, "e", redoCmd)
	if got := c.fought("e"); !proto.Equal(got, before) {
		t.Errorf("taken back itself it is\n%v\nand was\n%v", got, before)
	}
	c.do(gm, "e", toVersion(granted))
	if got := c.fought("e"); !proto.Equal(got, after) {
		t.Errorf("gone back to, it is\n%v\nand was\n%v", got, after)
	}
	c.do(gm, "e", lastCmd) // the whisper alone
	c.do(gm, "e", lastCmd) // what was done to z
	if got := c.fought("e").Creatures["z"].GetHp(); got != 500 {
		t.Errorf("z has %d hit points, want those that it came with", got)
	}
	c.do(ann, "e", takeCmd("a", "attack", "b"))
	c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: 6, Change: nil})) // an amendment goes over what was decided again
	c.holds("e")
	now := c.fought("e")
	c.stop()
	c = w.start()
	if got := c.fought("e"); !proto.Equal(got, now) {
		t.Errorf("after a restart\n%v\nbefore\n%v", got, now)
	}
}

// Whatever hidden thing stands behind what is taken back, by no policy can a refusal,
// an answer or a step tell it: they are those of a fight in which nothing hidden was.
func TestTakeBackTellsNothing(t *testing.T) {
	for _, policy := range []string{"game-master", "players", "unseen-dice"} {
		for name, hidden := range map[string][]*eventv1.Command{
			"kept":                 {stagedCmd("z", "Zigzag"), hurtCmd("z", 3)},
			"illegal":              {takeCmd("b", "whisper", "a")},
			"illegal between":      {stagedCmd("z", "Zigzag"), takeCmd("b", "whisper", "a"), hurtCmd("z", 3)},
			"a ruling on what was": {takeCmd("b", "whisper", "a"), lastCmd},
			"amended since":        {stagedCmd("z", "Zigzag"), amendCmd(&eventv1.AmendCommand{Version: 6})},
		} {
			t.Run(policy+"/"+name, func(t *testing.T) {
				world := func(t *testing.T, hidden []*eventv1.Command) (told []string) {
					c := newWorld(t).start()
					c.calm("e")
					c.do(gm, "e", setCmd("take_back", policy)) // 5
					end := &eventv1.Command{What: &eventv1.Command_EndTurn{EndTurn: &eventv1.EndTurn{Creature: "a"}}}
					c.do(ann, "e", end) // no die is seen
					for _, cmd := range hidden {
						if am := cmd.GetAmend(); am != nil {
							am.Version = 7
						}
						c.do(gm, "e", cmd)
					}
					say := func(resp *encounterv1.ExecuteResponse, err error) {
						told = append(told, fmt.Sprint(resp.GetStep().GetNumber(), len(resp.GetStep().GetEvents()), resp.GetStep().GetRestored() != nil, resp.GetStep().GetRuling().GetKind(), err))
					}
					say(c.try(ann, "e", takeBackCmd(1)))
					switch id := c.openOne("e"); policy {
					case "game-master":
						c.do(gm, "e", upholdCmd(id))
					case "players":
						say(c.try(bob, "e", grantCmd(id)))
					}
					say(c.try(ann, "e", takeBackCmd(1))) // and again
					say(c.try(ann, "e", end))
					say(c.try(ann, "e", takeBackCmd(2)))
					for _, as := range []*eventv1.Principal{ann, bob, spectator} {
						for _, s := range c.history(as, "e", 0) {
							told = append(told, fmt.Sprint(as.Name, s.Number, s.By, len(s.Events), s.Restored.GetActive(), s.Ruling.GetKind(), s.Ruling.GetReason(), len(s.Ruling.GetSteps()), s.Ruling.GetChanges()))
						}
						told = append(told, fmt.Sprint(c.state(as, "e", 0).State.Active, len(c.next(as, "e"))))
					}
					c.holds("e")
					return told
				}
				one, two := world(t, nil), world(t, hidden)
				for i := range max(len(one), len(two)) {
					if i >= len(one) || i >= len(two) || masked(one[i]) != masked(two[i]) {
						t.Fatalf("told without\n%v\nand with what is hidden\n%v", strings.Join(one, "\n"), strings.Join(two, "\n"))
					}
				}
			})
		}
	}
}

// masked hides the ids of contests, which follow from a key.
func masked(s string) string {
	words := strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(` :"{}[]\`, r) })
	for i, w := range words {
		if len(w) == 12 && strings.Trim(w, "0123456789abcdef") == "" {
			words[i] = "ID"
		}
	}
	return strings.Join(words, " ")
}

// What cannot be decided again without what was taken back is not done any more: the
// game master alone is told which step and why, beforehand in the dry run, and a redo
// brings it back.
func TestTakeBackOfWhatOthersNeeded(t *testing.T) {
	for item, why := range map[string]string{"dice": "needs dice", "harm": "needs dice", "ask": "nobody has answered", "": "heard nothing of it"} {
		t.Run("lurk "+item, func(t *testing.T) {
			c := newWorld(t).start()
			c.fight("e", server)
			c.do(ann, "e", early(takeCmd("a", "attack", "b"), "parry", "no"))
			for id := range c.state(gm, "e", 0).State.Decisions {
				c.do(gm, "e", early(answerCmd(id, "no"), "endure", "no"))
			}
			for id := range c.state(gm, "e", 0).State.Decisions {
				c.do(gm, "e", answerCmd(id, "no"))
			}
			if hp := c.fought("e").Creatures["b"].GetHp(); hp == 1000 {
				t.Fatal("b is not hurt")
			}
			origin := c.do(gm, "e", lurkCmd(item)).Step.Number
			c.do(gm, "e", stagedCmd("z", "Zigzag"))
			before := c.fought("e")
			c.do(ann, "e", takeBackCmd(1))
			l := c.onlyContest(gm, "e")
			if n := l.DryRun.GetNotes(); len(n) != 1 || !strings.Contains(n[0], why) || !strings.Contains(n[0], fmt.Sprint("step ", origin)) {
				t.Errorf("the dry run says %v, want %q", l.DryRun, why)
			}
			c.do(gm, "e", l.Ruling)
			am := c.keptIn("e")
			if am == nil || len(am.Commands) != 1 || !slices.Equal(am.Notes, l.DryRun.GetNotes()) {
				t.Errorf("decided again: %v", am)
			}
			after := c.fought("e")
			if after.Creatures["z"] == nil || after.Creatures["b"].GetHp() != 1000 || len(after.Decisions) > 0 {
				t.Errorf("granted: %v", after)
			}
			for _, as := range []*eventv1.Principal{ann, bob, spectator} {
				if text := fmt.Sprint(c.history(as, "e", 0), c.state(as, "e", 0)); strings.Contains(text, why) || strings.Contains(text, "it is seen") {
					t.Errorf("%v is told of it", as)
				}
			}
			c.holds("e")
			c.do(gm, "e", redoCmd)
			if got := c.fought("e"); !proto.Equal(got, before) {
				t.Errorf("taken back itself it is\n%v\nand was\n%v", got, before)
			}
			c.holds("e")
		})
	}
}

// Whoever grants is refused for what both the claimant and itself saw, and for nothing
// else: what only one of them saw, the refusal would tell the other.
func TestWhatStandsInTheWayOfAGrant(t *testing.T) {
	for name, x := range map[string]struct {
		since   func(c *client)
		as      *eventv1.Principal
		refused bool
		kept    int
	}{
		"seen by all":               {func(c *client) { c.do(gm, "e", attackCmd("a", "b")) }, bob, true, 0},
		"seen by the claimant":      {func(c *client) { c.do(gm, "e", revealCmd("z", "a")) }, bob, false, 1},
		"the same, by the master":   {func(c *client) { c.do(gm, "e", revealCmd("z", "a")) }, gm, true, 0},
		"seen by who grants":        {func(c *client) { c.do(gm, "e", revealCmd("z", "b")) }, bob, false, 1},
		"the claimant's own":        {func(c *client) { c.do(ann, "e", takeCmd("a", "whisper", "b")) }, bob, false, 1},
		"the same, master again":    {func(c *client) { c.do(ann, "e", takeCmd("a", "whisper", "b")) }, gm, true, 0},
		"the claimant's, seen":      {func(c *client) { c.do(ann, "e", takeCmd("a", "attack", "b")) }, bob, true, 0},
		"what is there no more":     {func(c *client) { c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: 7, Drop: true})) }, bob, true, 0},
		"nothing but another claim": {func(c *client) { c.do(bob, "e", contestCmd(c.lastOf(bob, "e")-1, "x", nil)) }, bob, false, -1},
	} {
		t.Run(name, func(t *testing.T) {
			c := newWorld(t).start()
			c.calm("e")
			c.do(gm, "e", setCmd("take_back", "players"))
			c.do(gm, "e", stagedCmd("z", "Zigzag"))
			c.do(ann, "e", takeCmd("a", "attack", "b")) // 7
			c.do(ann, "e", takeBackCmd(1))
			id := c.contests(ann, "e")[0].Contest.Id
			x.since(c)
			cmd := grantCmd(id)
			if x.as == gm {
				cmd = upholdCmd(id)
			}
			_, err := c.try(x.as, "e", cmd)
			if want := map[bool]string{true: "MOVED_ON"}[x.refused]; reason(err) != want && !(x.refused && reason(err) == "TAKEN_BACK") {
				t.Fatalf("%v, want %q", err, want)
			}
			if !x.refused && (c.fought("e").Creatures["b"].GetHp() != 1000 || len(c.keptIn("e").GetCommands()) != max(0, x.kept)) {
				t.Errorf("granted: %v, kept %v", c.fought("e").Creatures["b"], c.keptIn("e"))
			}
			c.holds("e")
		})
	}
}

// Where what is done again meets the same faces, it does so although others did things
// in between, and goes on with faces that nobody has met; also after a restart.
func TestTakeBackMeetsTheSameFaces(t *testing.T) {
	w := newWorld(t)
	c := w.start()
	create := createCmd(server)
	create.GetCreate().Settings = map[string]string{"decide_by_default": "all"}
	create.GetCreate().RepeatPolicy = eventv1.RepeatPolicy_REPEAT_POLICY_SAME
	c.do(gm, "e", create)
	c.do(gm, "e", addCmd("a", 1000, "ann"))
	c.do(gm, "e", addCmd("b", 1000, "bob"))
	c.do(gm, "e", &eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}})
	attack := func() string {
		t.Helper()
		r := rollIn(c.do(ann, "e", takeCmd("a", "attack", "b")).Step.Events, "to-hit")
		return fmt.Sprint(r.Faces, r.Epoch, r.Branch, r.Action)
	}
	whisper := func() { c.do(gm, "e", takeCmd("a", "whisper", "b")) }
	whisper()
	first := attack()
	whisper()
	whisper()
	second := attack()
	whisper()
	c.do(ann, "e", takeBackCmd(2))
	c.do(gm, "e", upholdCmd(c.openOne("e")))
	if got := attack(); got != first {
		t.Errorf("the first again: %s, was %s", got, first)
	}
	c.stop()
	c = w.start()
	if got := attack(); got != second {
		t.Errorf("the second again: %s, was %s", got, second)
	}
	third := attack()
	if third == first || third == second {
		t.Errorf("the third meets %s", third)
	}
	c.do(ann, "e", takeBackCmd(1))
	c.do(gm, "e", upholdCmd(c.openOne("e")))
	if got := attack(); got != third {
		t.Errorf("the third again: %s, was %s", got, third)
	}
	seen := map[string]bool{}
	for _, l := range c.history(gm, "e", 0) {
		if d := rollIn(l.Events, "to-hit"); d != nil {
			seen[fmt.Sprint(d.Action)] = true
		}
	}
	if len(seen) != 3 {
		t.Errorf("numbers of rolls: %v", seen)
	}
	c.holds("e")
}

// What was taken back with its numbers and is redone keeps them: no later command meets
// faces of one that counts.
func TestRedoneTakeBackKeepsItsNumbers(t *testing.T) {
	c := newWorld(t).start()
	c.calm("e")
	c.do(gm, "e", setCmd("take_back", "unseen-dice"))
	blind := &eventv1.Command{RollMode: eventv1.RollMode_ROLL_MODE_BLIND, What: takeCmd("a", "attack", "b").What}
	seen := map[uint64]bool{}
	fate := func() {
		t.Helper()
		r := rollIn(c.last(gm, "e").Events, "fate")
		if seen[r.GetAction()] || r.GetAction() == 0 {
			t.Errorf("a command rolls under number %d of the game master's dice, as another that counts", r.GetAction())
		}
		seen[r.GetAction()] = true
	}
	for _, hidden := range []bool{false, true} {
		c.do(ann, "e", blind)
		fate()
		if hidden {
			c.do(gm, "e", takeCmd("a", "whisper", "b"))
		}
		c.do(ann, "e", takeBackCmd(1))
		c.do(gm, "e", redoCmd)
		c.do(ann, "e", blind)
		fate()
	}
	c.holds("e")
}

// A patient who came in or left unseen, behind what is taken back, has come and has left
// all the same, as its record says.
func TestTakeBackLeavesPatients(t *testing.T) {
	c := newWorld(t).start()
	c.enrolled("p")
	c.enrolled("q")
	c.calm("e")
	staged := func(creature string) *eventv1.Command {
		cmd := patientCmd(creature, creature)
		cmd.GetAdd().Staged = true
		return cmd
	}
	c.do(gm, "e", staged("q"))
	c.do(ann, "e", takeCmd("a", "attack", "b"))
	c.do(gm, "e", staged("p"))
	c.do(gm, "e", hurtCmd("q", 3))
	c.do(gm, "e", &eventv1.Command{What: &eventv1.Command_Remove{Remove: &eventv1.RemoveCreature{Creature: "q"}}})
	c.do(ann, "e", takeBackCmd(1))
	c.do(gm, "e", upholdCmd(c.openOne("e")))
	s := c.fought("e")
	if s.Creatures["b"].GetHp() != 1000 || s.Creatures["p"].GetPatient() != "p" || s.Creatures["q"] != nil {
		t.Errorf("granted: %v", s.Creatures)
	}
	c.fight("f", server)
	if _, err := c.try(gm, "f", patientCmd("p", "p")); reason(err) != "PATIENT_ENGAGED" {
		t.Errorf("p is in two fights: %v", err)
	}
	c.do(gm, "f", patientCmd("q", "q"))
	if hp := c.fought("f").Creatures["q"].GetHp(); hp != 3 {
		t.Errorf("q came with %d hit points", hp)
	}
	c.do(gm, "e", endCmd)
	c.holds("e")
}

// What waits, unseen by the claimant, goes on waiting behind a take-back.
func TestTakeBackWhileSomethingHiddenWaits(t *testing.T) {
	c := newWorld(t).start()
	c.calm("e")
	c.do(ann, "e", takeCmd("a", "attack", "b"))
	c.do(gm, "e", lurkCmd("wait"))
	open := c.state(gm, "e", 0).State.Decisions
	if len(open) != 1 || len(c.state(ann, "e", 0).State.Decisions) != 0 {
		t.Fatalf("nothing hidden waits: %v", open)
	}
	c.do(ann, "e", takeBackCmd(1))
	c.do(gm, "e", upholdCmd(c.openOne("e")))
	if s := c.fought("e"); len(s.Decisions) != 1 || s.Creatures["b"].GetHp() != 1000 || len(c.keptIn("e").GetNotes()) > 0 {
		t.Errorf("granted: %v", s)
	}
	c.holds("e")
	for id := range c.state(gm, "e", 0).State.Decisions {
		c.do(gm, "e", answerCmd(id, "yes"))
	}
	c.do(ann, "e", takeCmd("a", "attack", "b"))
	c.holds("e")
}

// A hidden deed that met an answer of the game master's meets it again, whatever else is
// taken back before it.
func TestTakeBackBeforeAHiddenAnswer(t *testing.T) {
	c := newWorld(t).start()
	c.calm("e")
	c.do(ann, "e", takeCmd("a", "attack", "b"))
	c.do(gm, "e", lurkCmd("wait"))
	for id := range c.state(gm, "e", 0).State.Decisions {
		c.do(gm, "e", answerCmd(id, "yes"))
	}
	before := c.fought("e")
	c.do(ann, "e", takeBackCmd(1))
	c.do(gm, "e", upholdCmd(c.openOne("e")))
	am := c.keptIn("e")
	if s := c.fought("e"); len(s.Decisions) > 0 || s.Creatures["b"].GetHp() != 1000 || len(am.GetCommands()) != 1 || len(am.GetNotes()) > 0 {
		t.Fatalf("granted: %v, %v", s, am)
	}
	if text := fmt.Sprint(am.Commands[0]); !strings.Contains(text, "it lurks: yes") {
		t.Errorf("the answer is not met again: %s", text)
	}
	c.holds("e")
	c.do(gm, "e", redoCmd)
	if got := c.fought("e"); !proto.Equal(got, before) {
		t.Errorf("taken back itself it is\n%v\nand was\n%v", got, before)
	}
}
