package encounter_test

import (
	"fmt"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func contestCmd(step uint64, words string, claim *eventv1.ContestClaim) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_Contest{Contest: &eventv1.ContestStep{Step: step, Words: words, Claim: claim}}}
}

func settleCmd(s *eventv1.SettleContest) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_Settle{Settle: s}}
}

func answerContestCmd(a *eventv1.AnswerContest) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_AnswerContest{AnswerContest: a}}
}

func takeBackCmd(n uint32) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_TakeBack{TakeBack: &eventv1.TakeBack{Commands: n, Words: "not that one"}}}
}

func setCmd(id, value string) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_Set{Set: &eventv1.SetSetting{Setting: id, Value: value}}}
}

func saveCmd(name string, forget bool) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_Save{Save: &eventv1.SaveState{Name: name, Forget: forget}}}
}

// contests are those of an encounter as somebody is told of them.
func (c *client) contests(as *eventv1.Principal, id string) []*encounterv1.ContestListed {
	c.w.t.Helper()
	resp, err := encounterv1.NewWhatIfServiceClient(c.conn).ListContests(c.w.t.Context(), &encounterv1.ListContestsRequest{As: as, Encounter: id, DryRun: as == gm})
	if err != nil {
		c.w.t.Fatal(err)
	}
	return resp.Contests
}

// onlyContest is the only contest.
func (c *client) onlyContest(as *eventv1.Principal, id string) *encounterv1.ContestListed {
	c.w.t.Helper()
	all := c.contests(as, id)
	if len(all) != 1 {
		c.w.t.Fatalf("%d contests, want one: %v", len(all), all)
	}
	return all[0]
}

// lastOf is the number of the last step of a viewer.
func (c *client) lastOf(as *eventv1.Principal, id string) uint64 { return c.state(as, id, 0).Number }

// advantaged claims that the attack was made with advantage.
var advantaged = &eventv1.ContestClaim{Change: &eventv1.TakeAction{Facts: &structpb.Struct{Fields: map[string]*structpb.Value{"high": structpb.NewBoolValue(true)}}}}

// A contest waits beside the fight, is shown with its dry run, and is upheld by an
// amendment in the same step.
func TestContestUpheldByAnAmendment(t *testing.T) {
	w := newWorld(t)
	c := w.start()
	c.calm("e")
	c.do(ann, "e", takeCmd("a", "attack", "b"))
	step := c.lastOf(bob, "e")
	c.do(bob, "e", contestCmd(step, "he stood above me", advantaged))
	c.do(ann, "e", takeCmd("a", "attack", "b")) // the fight goes on
	l := c.onlyContest(gm, "e")
	if !l.Yours || l.Contest.Version != 5 || l.Ruling.GetAmend().GetVersion() != 5 || l.DryRun == nil || len(l.DryRun.Fresh) == 0 {
		t.Fatalf("the game master is shown %v", l)
	}
	next, err := c.GetNext(t.Context(), &encounterv1.GetNextRequest{As: gm, Encounter: "e"})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(next.Waiting); n != 2 || next.Waiting[0].Kind != encounterv1.Waiting_KIND_ACT || next.Waiting[1].Kind != encounterv1.Waiting_KIND_CONTEST || !next.Waiting[1].Yours {
		t.Errorf("what waits for the game master: %v", next.Waiting)
	}
	if own := c.onlyContest(bob, "e"); own.Step != step || own.Contest.Claim == nil || own.Contest.Version != 0 || own.Yours || own.Ruling != nil {
		t.Errorf("the claimant is shown %v", own)
	}
	if other := c.onlyContest(ann, "e"); other.Contest.Claim != nil || other.Contest.Words == "" {
		t.Errorf("who saw the step is shown %v", other)
	}
	before := c.state(gm, "e", 0).State
	resp := c.do(gm, "e", l.Ruling)
	if !strings.Contains(fmt.Sprint(resp.Step.Events), "amended") {
		t.Errorf("upheld by %v", resp.Step.Events)
	}
	after := c.onlyContest(gm, "e").Contest
	if after.Status != eventv1.Contest_STATUS_UPHELD || after.Ruling != resp.Step.Number || after.Reason != "he stood above me" {
		t.Errorf("upheld: %v", after)
	}
	if got := c.onlyContest(bob, "e").Contest; got.Status != eventv1.Contest_STATUS_UPHELD || got.Ruling != 0 {
		t.Errorf("the claimant is told %v", got)
	}
	for _, id := range []string{"a", "b"} {
		if now := c.state(gm, "e", 0).State; now.Creatures[id] == nil || before.Creatures[id] == nil {
			t.Errorf("%s is gone", id)
		}
	}
	if _, err := c.try(gm, "e", l.Ruling); reason(err) != "CONTEST_SETTLED" {
		t.Errorf("upheld twice: %v", err)
	}
	c.stop()
	c = w.start()
	if got := c.onlyContest(gm, "e").Contest; !proto.Equal(got, after) {
		t.Errorf("after a restart: %v", got)
	}
}

// While a decision waits a contest is filed, declined and given up, and the decision
// is answered as if nothing had been.
func TestContestBesideADecision(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", server)
	c.do(gm, "e", attackCmd("a", "b"))
	c.do(ann, "e", takeCmd("a", "attack", "b")) // bob is asked
	c.do(bob, "e", contestCmd(5, "that missed", nil))
	l := c.onlyContest(gm, "e")
	if l.Ruling != nil {
		t.Errorf("words alone make the ruling %v", l.Ruling)
	}
	if _, err := c.try(gm, "e", settleCmd(&eventv1.SettleContest{Contest: l.Contest.Id})); field(err) != "command.settle.reason" {
		t.Errorf("declined without a reason: %v", err)
	}
	c.do(gm, "e", settleCmd(&eventv1.SettleContest{Contest: l.Contest.Id, Reason: "it hit"}))
	if got := c.onlyContest(bob, "e").Contest; got.Status != eventv1.Contest_STATUS_DECLINED || got.Reason != "it hit" {
		t.Errorf("the claimant is told %v", got)
	}
	if _, err := c.try(bob, "e", contestCmd(5, "that missed", nil)); reason(err) != "CONTEST_REPEATED" {
		t.Errorf("the same again: %v", err)
	}
	c.do(bob, "e", contestCmd(5, "I had moved away", nil))
	if _, err := c.try(bob, "e", contestCmd(5, "something else", nil)); reason(err) != "CONTEST_REPEATED" {
		t.Errorf("a second one of the same step: %v", err)
	}
	open := c.contests(bob, "e")[1].Contest
	if _, err := c.try(ann, "e", answerContestCmd(&eventv1.AnswerContest{Contest: open.Id, Withdraw: true})); reason(err) != "NOT_YOUR_CONTEST" {
		t.Errorf("given up by another: %v", err)
	}
	c.do(bob, "e", answerContestCmd(&eventv1.AnswerContest{Contest: open.Id, Withdraw: true}))
	decisions := c.state(bob, "e", 0).State.Decisions
	if len(decisions) != 1 {
		t.Fatalf("open decisions %v", decisions)
	}
	for id := range decisions {
		c.do(bob, "e", early(answerCmd(id, "no"), "endure", "no"))
	}
	if s := c.state(gm, "e", 0).State; len(s.Decisions) != 0 || s.Creatures["b"].GetHp() >= 1000 {
		t.Errorf("after the answer: %v", s)
	}
}

// What players may not contest, and how they are told.
func TestWhatCannotBeContested(t *testing.T) {
	c := newWorld(t).start()
	c.calm("e")
	c.do(ann, "e", takeCmd("a", "attack", "b")) // 5
	c.do(gm, "e", takeCmd("a", "whisper", "b"))
	seen := c.lastOf(bob, "e")
	for name, x := range map[string]struct {
		as   *eventv1.Principal
		cmd  *eventv1.Command
		want string
	}{
		"a step that one did not see":   {bob, contestCmd(seen+1, "x", nil), "INVALID_FIELD"},
		"no step":                       {bob, contestCmd(0, "x", nil), "INVALID_FIELD"},
		"nothing":                       {bob, contestCmd(seen, "", nil), "INVALID_FIELD"},
		"dropped and changed":           {bob, contestCmd(seen, "x", &eventv1.ContestClaim{Drop: true, Change: advantaged.Change}), "INVALID_FIELD"},
		"faces of no roll":              {bob, contestCmd(seen, "x", &eventv1.ContestClaim{Rolls: []*eventv1.ClaimedRoll{{}}}), "INVALID_FIELD"},
		"by a spectator":                {spectator, contestCmd(1, "x", nil), "NOT_ALLOWED"},
		"settled by a player":           {bob, settleCmd(&eventv1.SettleContest{Contest: "x", Uphold: true}), "NOT_ALLOWED"},
		"an unknown one":                {gm, settleCmd(&eventv1.SettleContest{Contest: "x", Uphold: true}), "UNKNOWN_CONTEST"},
		"an unknown one, answered":      {bob, answerContestCmd(&eventv1.AnswerContest{Contest: "x", Grant: true}), "UNKNOWN_CONTEST"},
		"an unknown one, by a ruling":   {gm, amendCmd(&eventv1.AmendCommand{Version: 5, Contest: "x"}), "UNKNOWN_CONTEST"},
		"faces with it":                 {bob, &eventv1.Command{Faces: []int32{3}, What: contestCmd(seen, "x", nil).What}, "INVALID_FIELD"},
		"a take-back without a command": {bob, takeBackCmd(1), "NOT_YOUR_LAST"},
		"a save point by a player":      {bob, saveCmd("x", false), "NOT_ALLOWED"},
	} {
		if _, err := c.try(x.as, "e", x.cmd); reason(err) != x.want {
			t.Errorf("%s: %v, want %s", name, err, x.want)
		}
	}
	c.do(gm, "e", toVersion(4))
	if _, err := c.try(bob, "e", contestCmd(5, "x", nil)); reason(err) != "TAKEN_BACK" {
		t.Errorf("what was taken back: %v", err)
	}
	ruled := c.lastOf(bob, "e")
	if _, err := c.try(bob, "e", contestCmd(ruled, "x", advantaged)); field(err) != "command.contest.claim" {
		t.Errorf("a ruling, by a change: %v", err)
	}
	c.do(bob, "e", contestCmd(ruled, "that was fine as it was", nil))
	if k := c.onlyContest(bob, "e").Contest.Kind; k != eventv1.Contest_KIND_RULING {
		t.Errorf("a ruling is contested as %v", k)
	}
	if _, err := c.try(bob, "e", contestCmd(c.lastOf(bob, "e"), "x", nil)); field(err) != "command.contest.step" {
		t.Errorf("a contest of a contest: %v", err)
	}
	c.do(gm, "e", setCmd("contests", "off"))
	if _, err := c.try(bob, "e", contestCmd(4, "x", nil)); reason(err) != "CONTESTS_OFF" {
		t.Errorf("where nothing is contested: %v", err)
	}
}

// A step inside an amended history, and one of a fight that is over, are contested
// like any other; what is upheld is told.
func TestContestOfAnAmendedStepAfterTheEnd(t *testing.T) {
	c := newWorld(t).start()
	c.calm("e")
	c.do(ann, "e", takeCmd("a", "attack", "b")) // 5
	c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: 5, Rolls: []*eventv1.FixedRoll{{Label: "harm/damage", Faces: []int32{2}}}}))
	c.do(gm, "e", endCmd)
	c.do(ann, "e", contestCmd(5, "it was a four", &eventv1.ContestClaim{Rolls: []*eventv1.ClaimedRoll{{Label: "harm/damage", Faces: []int32{4}}}}))
	next, err := c.GetNext(t.Context(), &encounterv1.GetNextRequest{As: gm, Encounter: "e"})
	if err != nil || len(next.Waiting) != 1 || next.Waiting[0].Kind != encounterv1.Waiting_KIND_CONTEST {
		t.Errorf("after the end waits %v, %v", next, err)
	}
	c.do(gm, "e", c.onlyContest(gm, "e").Ruling)
	if hp := c.state(gm, "e", 0).State.Creatures["b"].GetHp(); hp != 996 {
		t.Errorf("upheld: %d hit points", hp)
	}
}

// No ruling takes a contest back, and who saw nothing but a contest is not told of a
// ruling on what came after it.
func TestContestsStayBesideRulings(t *testing.T) {
	c := newWorld(t).start()
	c.calm("e")
	c.do(ann, "e", takeCmd("a", "attack", "b")) // 5
	c.do(bob, "e", contestCmd(5, "x", nil))
	c.do(gm, "e", takeCmd("a", "whisper", "b")) // 7
	seen := c.lastOf(bob, "e")
	c.do(gm, "e", lastCmd)
	if got := c.lastOf(bob, "e"); got != seen {
		t.Errorf("bob is told of a ruling on what he did not see: step %d after %d", got, seen)
	}
	c.do(gm, "e", toVersion(4))
	for _, as := range []*eventv1.Principal{gm, bob} {
		if l := c.onlyContest(as, "e"); !l.TakenBack || l.Contest.Status != eventv1.Contest_STATUS_OPEN || l.Ruling != nil {
			t.Errorf("after going back before it: %v", l)
		}
	}
	c.do(gm, "e", redoCmd)
	if l := c.onlyContest(bob, "e"); l.TakenBack {
		t.Errorf("after a redo: %v", l)
	}
}

// What one does not know of is not told by a contest: bob's answers and steps are
// the same whether ann and the game master contest a step that he did not see.
func TestContestsTwoWorlds(t *testing.T) {
	world := func(contested bool) string {
		c := newWorld(t).start()
		c.calm("e")
		c.do(gm, "e", setCmd("contests", "private"))
		c.do(gm, "e", takeCmd("a", "whisper", "b")) // heard by the game master alone
		c.do(ann, "e", takeCmd("a", "attack", "b"))
		if contested {
			c.do(gm, "e", contestCmd(6, "was that so?", nil))
			c.do(ann, "e", contestCmd(c.lastOf(ann, "e"), "I had the high ground", advantaged))
			for _, l := range c.contests(gm, "e") {
				c.do(gm, "e", settleCmd(&eventv1.SettleContest{Contest: l.Contest.Id, Reason: "no"}))
			}
		}
		next, err := c.GetNext(t.Context(), &encounterv1.GetNextRequest{As: bob, Encounter: "e"})
		if err != nil {
			t.Fatal(err)
		}
		s := c.state(bob, "e", 0)
		_, none := c.try(bob, "e", contestCmd(s.Number+1, "x", nil))
		return fmt.Sprint(s.Number, s.State.Contests, c.contests(bob, "e"), len(next.Waiting), next.Round, none)
	}
	if a, b := world(false), world(true); a != b {
		t.Errorf("without contests\n%s\nwith\n%s", a, b)
	}
}

// The game master grants a take-back; what was done since stands in its way.
func TestTakeBackByTheGameMaster(t *testing.T) {
	c := newWorld(t).start()
	c.calm("e")
	c.do(ann, "e", takeCmd("a", "attack", "b")) // 5
	c.do(ann, "e", takeCmd("a", "attack", "b")) // 6
	hp := c.state(gm, "e", 5).State.Creatures["b"].GetHp()
	c.do(ann, "e", takeBackCmd(1))
	if _, err := c.try(ann, "e", takeBackCmd(2)); reason(err) != "CONTEST_REPEATED" {
		t.Errorf("asked twice: %v", err)
	}
	l := c.onlyContest(gm, "e")
	if l.DryRun == nil || l.Ruling.GetRevert() == nil {
		t.Fatalf("the game master is shown %v", l)
	}
	c.do(gm, "e", settleCmd(&eventv1.SettleContest{Contest: l.Contest.Id, Uphold: true}))
	if got := c.state(gm, "e", 0).State.Creatures["b"].GetHp(); got != hp {
		t.Errorf("granted: %d hit points, want %d", got, hp)
	}
	c.do(ann, "e", takeBackCmd(1)) // the first attack
	c.do(gm, "e", attackCmd("a", "b"))
	id := c.contests(ann, "e")[1].Contest.Id
	if _, err := c.try(gm, "e", settleCmd(&eventv1.SettleContest{Contest: id, Uphold: true})); reason(err) != "MOVED_ON" {
		t.Errorf("granted after something was done: %v", err)
	}
	c.do(gm, "e", settleCmd(&eventv1.SettleContest{Contest: id, Reason: "too late"}))
	if got := c.contests(ann, "e")[1].Contest; got.Status != eventv1.Contest_STATUS_DECLINED || got.Reason != "too late" {
		t.Errorf("ann is told %v", got)
	}
}

// All other players who saw it are asked; the last grant takes it back, one refusal
// ends it.
func TestTakeBackByThePlayers(t *testing.T) {
	c := newWorld(t).start()
	c.calm("e")
	cid := &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: "cid"}
	c.do(gm, "e", addCmd("c", 10, "cid"))
	c.do(gm, "e", setCmd("take_back", "players"))
	c.do(ann, "e", takeCmd("a", "attack", "b"))
	c.do(ann, "e", takeBackCmd(1))
	id := c.onlyContest(ann, "e").Contest.Id
	yes, no := answerContestCmd(&eventv1.AnswerContest{Contest: id, Grant: true}), &eventv1.AnswerContest{}
	next, err := c.GetNext(t.Context(), &encounterv1.GetNextRequest{As: cid, Encounter: "e"})
	if err != nil || len(next.Waiting) != 2 || next.Waiting[1].Contest.GetId() != id || !next.Waiting[1].Yours {
		t.Errorf("cid is asked %v, %v", next, err)
	}
	if _, err := c.try(ann, "e", yes); reason(err) != "NOT_ASKED" {
		t.Errorf("granted to oneself: %v", err)
	}
	c.do(bob, "e", yes)
	if _, err := c.try(bob, "e", yes); reason(err) != "ANSWERED" {
		t.Errorf("granted twice: %v", err)
	}
	if l := c.onlyContest(ann, "e"); l.Contest.Status != eventv1.Contest_STATUS_OPEN || len(l.Contest.Granted)+len(l.Contest.Asked) > 0 {
		t.Errorf("ann is told how others answered: %v", l)
	}
	c.do(cid, "e", yes)
	if s := c.state(gm, "e", 0).State; s.Creatures["b"].GetHp() != 1000 || c.onlyContest(ann, "e").Contest.Status != eventv1.Contest_STATUS_UPHELD {
		t.Errorf("after all granted: %v", s.Creatures["b"])
	}
	c.do(ann, "e", takeCmd("a", "attack", "b"))
	c.do(ann, "e", takeBackCmd(1))
	no.Contest = c.contests(ann, "e")[1].Contest.Id
	c.do(bob, "e", answerContestCmd(no))
	if got := c.contests(ann, "e")[1].Contest; got.Status != eventv1.Contest_STATUS_DECLINED {
		t.Errorf("after a refusal: %v", got)
	}
	if _, err := c.try(cid, "e", answerContestCmd(&eventv1.AnswerContest{Contest: no.Contest, Grant: true})); reason(err) != "CONTEST_SETTLED" {
		t.Errorf("granted after a refusal: %v", err)
	}
}

// Where seen dice count, what nobody rolled is taken back at once, and a die that was
// seen stays. A die that the player did not see makes no difference, and rolls the
// same when the deed is done again.
func TestTakeBackOfUnseenDice(t *testing.T) {
	c := newWorld(t).start()
	c.calm("e")
	c.do(gm, "e", setCmd("take_back", "unseen-dice"))
	c.do(ann, "e", takeCmd("a", "attack", "b"))
	if _, err := c.try(ann, "e", takeBackCmd(1)); reason(err) != "DIE_SEEN" {
		t.Errorf("a die was seen: %v", err)
	}
	hidden := &eventv1.Command{RollMode: eventv1.RollMode_ROLL_MODE_BLIND, What: takeCmd("a", "attack", "b").What}
	faces := func() string {
		var out []string
		for _, e := range c.history(gm, "e", 0)[len(c.history(gm, "e", 0))-1].Events {
			if r := e.GetRoll(); r != nil {
				out = append(out, fmt.Sprint(r.Label, r.Faces))
			}
		}
		return strings.Join(out, " ")
	}
	c.do(ann, "e", hidden)
	first := faces()
	c.do(ann, "e", takeBackCmd(1))
	if got := c.onlyContest(ann, "e").Contest.Status; got != eventv1.Contest_STATUS_UPHELD {
		t.Errorf("granted at once: %v", got)
	}
	c.do(ann, "e", hidden)
	if again := faces(); again != first || first == "" {
		t.Errorf("done again it rolls %s, and was %s", again, first)
	}
}

// A save point is a name for a state, and a revert goes there whatever was done since.
func TestSavePoints(t *testing.T) {
	w := newWorld(t)
	c := w.start()
	c.calm("e")
	c.do(ann, "e", takeCmd("a", "attack", "b"))
	saved := c.state(gm, "e", 0).State.Creatures["b"].GetHp()
	c.do(gm, "e", saveCmd("before the door", false))
	if _, err := c.try(gm, "e", saveCmd("before the door", false)); reason(err) != "SAVE_POINT_EXISTS" {
		t.Errorf("the same name again: %v", err)
	}
	c.do(ann, "e", takeCmd("a", "attack", "b"))
	c.do(gm, "e", toVersion(4)) // before the save point
	if s := c.state(bob, "e", 0).State; len(s.SavePoints) != 0 {
		t.Errorf("a player is told of save points: %v", s.SavePoints)
	}
	c.stop()
	c = w.start()
	if _, err := c.try(gm, "e", revertCmd(&eventv1.RevertEncounter{To: &eventv1.RevertEncounter_SavePoint{SavePoint: "before the dor"}})); !strings.Contains(fmt.Sprint(err), "before the door") {
		t.Errorf("a name that is not there: %v", err)
	}
	c.do(gm, "e", revertCmd(&eventv1.RevertEncounter{To: &eventv1.RevertEncounter_SavePoint{SavePoint: "before the door"}}))
	if s := c.state(gm, "e", 0).State; s.Creatures["b"].GetHp() != saved || len(s.SavePoints) != 1 {
		t.Errorf("at the save point: %v", s)
	}
	c.do(gm, "e", saveCmd("before the door", true))
	if s := c.state(gm, "e", 0).State; len(s.SavePoints) != 0 {
		t.Errorf("forgotten: %v", s.SavePoints)
	}
}

// calm begins the encounter of fight at a table where every decision takes its
// default.
func (c *client) calm(id string) {
	c.w.t.Helper()
	create := createCmd(server)
	create.GetCreate().Settings = map[string]string{"decide_by_default": "all"}
	c.do(gm, id, create)
	c.do(gm, id, addCmd("a", 1000, "ann"))
	c.do(gm, id, addCmd("b", 1000, "bob"))
	c.do(gm, id, &eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}})
}
