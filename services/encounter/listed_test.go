package encounter_test

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/skaldrpg/skald/pkg/limits"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// listed are the words of the contests that a call of ListContests gives, in order.
func (c *client) listed(req *encounterv1.ListContestsRequest) (words []string, all []*encounterv1.ContestListed, err error) {
	resp, err := c.whatIf().ListContests(c.w.t.Context(), req)
	for _, l := range resp.GetContests() {
		words = append(words, l.Contest.Words)
	}
	return words, resp.GetContests(), err
}

// ListContests: one by its id, those that are open, or all in the order in which they were
// filed; of a contest that the caller is not told of it says that there is none. Dry runs
// are made when the game master asks for them, and one that is refused says why.
func TestWhichContestsAreListed(t *testing.T) {
	c := newWorld(t).start()
	c.calm("e")
	c.do(gm, "e", setCmd("contests", "private"))
	c.do(ann, "e", takeCmd("a", "attack", "b"))
	step := c.lastOf(bob, "e")
	c.do(bob, "e", contestCmd(step, "one", advantaged))
	c.do(ann, "e", contestCmd(c.lastOf(ann, "e"), "two", &eventv1.ContestClaim{Change: &eventv1.TakeAction{Targets: []string{"znobody"}}}))
	all := c.contests(gm, "e")
	one, two := all[0].Contest.Id, all[1].Contest.Id
	c.do(gm, "e", settleCmd(&eventv1.SettleContest{Contest: one, Reason: "no"}))
	for name, x := range map[string]struct {
		req  *encounterv1.ListContestsRequest
		want []string
		why  string
	}{
		"all":                          {&encounterv1.ListContestsRequest{As: gm}, []string{"one", "two"}, ""},
		"open":                         {&encounterv1.ListContestsRequest{As: gm, OpenOnly: true}, []string{"two"}, ""},
		"one":                          {&encounterv1.ListContestsRequest{As: gm, Contest: one}, []string{"one"}, ""},
		"the other":                    {&encounterv1.ListContestsRequest{As: gm, Contest: two}, []string{"two"}, ""},
		"one, if it is open":           {&encounterv1.ListContestsRequest{As: gm, Contest: one, OpenOnly: true}, nil, ""},
		"the other, which is":          {&encounterv1.ListContestsRequest{As: gm, Contest: two, OpenOnly: true}, []string{"two"}, ""},
		"none of that id":              {&encounterv1.ListContestsRequest{As: gm, Contest: "znone"}, nil, "UNKNOWN_CONTEST"},
		"one's own":                    {&encounterv1.ListContestsRequest{As: bob}, []string{"one"}, ""},
		"one's own, open":              {&encounterv1.ListContestsRequest{As: bob, OpenOnly: true}, nil, ""},
		"another's, by its id":         {&encounterv1.ListContestsRequest{As: bob, Contest: two}, nil, "UNKNOWN_CONTEST"},
		"dry runs for a player":        {&encounterv1.ListContestsRequest{As: bob, DryRun: true}, nil, "NOT_ALLOWED"},
		"of players, to who watches":   {&encounterv1.ListContestsRequest{As: spectator}, nil, ""},
		"dry runs for who watches":     {&encounterv1.ListContestsRequest{As: spectator, DryRun: true}, nil, "NOT_ALLOWED"},
		"those of another, all but it": {&encounterv1.ListContestsRequest{As: ann}, []string{"two"}, ""},
	} {
		x.req.Encounter = "e"
		words, _, err := c.listed(x.req)
		if reason(err) != x.why || !slices.Equal(words, x.want) {
			t.Errorf("%s: %v, %v; want %v %s", name, words, err, x.want, x.why)
		}
	}
	_, plain, err := c.listed(&encounterv1.ListContestsRequest{As: gm, Encounter: "e"})
	if err != nil {
		t.Fatal(err)
	}
	if l := plain[1]; l.Ruling.GetAmend().GetContest() != two || l.DryRun != nil || l.Refused != "" {
		t.Errorf("without being asked for a dry run: %v", l)
	}
	dry := c.contests(gm, "e")
	if l := dry[1]; l.DryRun != nil || !strings.Contains(l.Refused, "znobody") {
		t.Errorf("a claim that cannot be: %v", l)
	}
	if l := dry[0]; l.Ruling != nil || l.DryRun != nil || l.Refused != "" {
		t.Errorf("what was declined is tried: %v", l)
	}
}

// Contests are listed in the order in which they were filed, though the clock goes back:
// neither their times nor their ids tell of it.
func TestContestsWhileTheClockGoesBack(t *testing.T) {
	w, start, told := newWorld(t), time.Now(), &atomic.Int64{}
	w.clock = func() time.Time { return start.Add(-time.Duration(told.Add(1)) * time.Millisecond) }
	c := w.start()
	c.calm("e")
	var want []string
	for i := range 8 {
		c.do(ann, "e", takeCmd("a", "attack", "b"))
		words := fmt.Sprintf("of blow %d", i)
		c.do(bob, "e", contestCmd(c.lastOf(bob, "e"), words, nil))
		want = append(want, words)
	}
	for _, as := range []*eventv1.Principal{gm, bob} {
		if words, _, err := c.listed(&encounterv1.ListContestsRequest{As: as, Encounter: "e"}); err != nil || !slices.Equal(words, want) {
			t.Errorf("%v: listed %q, %v; want %q", as, words, err, want)
		}
	}
}

// The number of a contest is the first step that the caller saw of what is contested,
// answers included; where none counts any more, it says that it was taken back.
func TestTheStepOfAContest(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", server)
	c.do(ann, "e", early(takeCmd("a", "attack", "b")))
	first := c.lastOf(bob, "e")
	for range 2 { // parry, then endure
		for id := range c.state(bob, "e", 0).State.Decisions {
			c.do(bob, "e", answerCmd(id, "no"))
		}
	}
	last := c.lastOf(bob, "e")
	if last != first+2 {
		t.Fatalf("two answers are steps %d to %d", first, last)
	}
	c.do(bob, "e", contestCmd(last, "I did endure", nil))
	for _, as := range []*eventv1.Principal{gm, ann, bob, spectator} {
		if l := c.onlyContest(as, "e"); l.Step != first || l.TakenBack {
			t.Errorf("%v: the step is %d (taken back: %v), want %d", as, l.Step, l.TakenBack, first)
		}
	}
	// The first command of all is none that a ruling changes.
	c.do(ann, "e", contestCmd(1, "another rule system", &eventv1.ContestClaim{Drop: true}))
	l := c.contests(gm, "e")[1]
	if l.Step != 1 || l.TakenBack || l.Ruling != nil || l.DryRun != nil || l.Refused != "" {
		t.Errorf("of the creation: %v", l)
	}
}

// A take-back waits for those who are asked and have not granted it yet, and for nobody
// else: not for whoever is not asked, and not for who watches.
func TestForWhomATakeBackWaits(t *testing.T) {
	c := newWorld(t).start()
	cid := &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: "cid"}
	dan := &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: "dan"} // plays nobody
	c.calm("e")
	c.do(gm, "e", addCmd("c", 10, "cid", "ann"))
	c.do(gm, "e", setCmd("take_back", "players"))
	c.do(ann, "e", takeCmd("a", "attack", "b"))
	c.do(ann, "e", takeBackCmd(1))
	id := c.openOne("e")
	waits := func() (out []string) {
		for _, as := range []*eventv1.Principal{gm, ann, bob, cid, dan, spectator} {
			l := c.onlyContest(as, "e")
			next, err := c.GetNext(t.Context(), &encounterv1.GetNextRequest{As: as, Encounter: "e"})
			if err != nil {
				t.Fatal(err)
			}
			asked := slices.ContainsFunc(next.Waiting, func(w *encounterv1.Waiting) bool { return w.Kind == encounterv1.Waiting_KIND_CONTEST })
			if asked != l.Yours {
				t.Errorf("%v: listed %v, waiting %v", as, l.Yours, asked)
			}
			if asked {
				out = append(out, strings.TrimSpace(as.Role.String()+" "+as.Name))
			}
		}
		return out
	}
	if got, want := waits(), []string{"ROLE_GM", "ROLE_PLAYER bob", "ROLE_PLAYER cid"}; !slices.Equal(got, want) {
		t.Errorf("it waits for %v, want %v", got, want)
	}
	for _, as := range []*eventv1.Principal{ann, dan} {
		if _, err := c.try(as, "e", grantCmd(id)); reason(err) != "NOT_ASKED" {
			t.Errorf("granted by %s: %v", as.Name, err)
		}
	}
	if _, err := c.try(spectator, "e", grantCmd(id)); reason(err) != "NOT_ALLOWED" {
		t.Errorf("granted by who watches: %v", err)
	}
	if _, err := c.try(gm, "e", grantCmd(id)); reason(err) != "NOT_ASKED" {
		t.Errorf("the game master settles, and grants nothing: %v", err)
	}
	c.do(bob, "e", grantCmd(id))
	if got, want := waits(), []string{"ROLE_GM", "ROLE_PLAYER cid"}; !slices.Equal(got, want) {
		t.Errorf("after bob's grant it waits for %v, want %v", got, want)
	}
	c.do(cid, "e", grantCmd(id))
	if got := waits(); got != nil {
		t.Errorf("granted, it waits for %v", got)
	}
}

// A take-back that would put the encounter back is shown as that revert; where more was
// done since than it asks for, or what is taken back stands inside an amended history,
// as its settling. Either is the same in what it does.
func TestWhichRulingGrantsATakeBack(t *testing.T) {
	for name, x := range map[string]struct {
		before func(c *client)
		revert bool
	}{
		"the last":                   {func(*client) {}, true},
		"something unseen since":     {func(c *client) { c.do(gm, "e", takeCmd("a", "whisper", "b")) }, false},
		"inside an amended history":  {func(c *client) { c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: 5})) }, false},
		"behind an amended history":  {nil, true},
		"first of an amended change": {func(c *client) { c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: 6})) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			c := newWorld(t).start()
			c.calm("e")
			c.do(ann, "e", takeCmd("a", "attack", "b")) // 5
			if x.before == nil {
				c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: 5}))
			}
			before := c.fought("e")
			c.do(ann, "e", takeCmd("a", "attack", "b")) // 6
			if x.before != nil {
				x.before(c)
			}
			c.do(ann, "e", takeBackCmd(1))
			l := c.onlyContest(gm, "e")
			if (l.Ruling.GetRevert() != nil) != x.revert || (l.Ruling.GetSettle() != nil) == x.revert || l.DryRun == nil {
				t.Fatalf("the ruling is %v, %s", l.Ruling, l.Refused)
			}
			c.do(gm, "e", l.Ruling)
			if now := c.fought("e"); now.Creatures["b"].GetHp() != before.Creatures["b"].GetHp() || c.onlyContest(ann, "e").Contest.Status != eventv1.Contest_STATUS_UPHELD {
				t.Errorf("taken back: %v, before it %v", now.Creatures["b"], before.Creatures["b"])
			}
			c.holds("e")
		})
	}
}

// What a take-back asks for is bounded by the commands that are the claimant's: whatever
// the claimant does after filing it is not taken back with it.
func TestATakeBackIsOfWhatWasDoneBeforeIt(t *testing.T) {
	c := newWorld(t).start()
	c.calm("e")
	c.do(ann, "e", takeCmd("a", "attack", "b"))
	c.do(ann, "e", takeBackCmd(1))
	c.do(ann, "e", takeCmd("a", "whisper", "b")) // hers, and not asked for
	c.do(gm, "e", takeCmd("a", "whisper", "b"))
	if _, err := c.try(gm, "e", upholdCmd(c.openOne("e"))); reason(err) != "MOVED_ON" {
		t.Errorf("what she did since stands in the game master's way, who saw it: %v", err)
	}
	f := newWorld(t).start()
	f.calm("e")
	f.do(gm, "e", setCmd("take_back", "players"))
	f.do(ann, "e", takeCmd("a", "attack", "b"))
	f.do(ann, "e", takeCmd("a", "attack", "b"))
	f.do(ann, "e", takeBackCmd(2))
	f.do(ann, "e", takeCmd("a", "whisper", "b"))
	f.do(bob, "e", grantCmd(f.openOne("e")))
	if s := f.fought("e"); s.Creatures["b"].GetHp() != 1000 {
		t.Errorf("the two attacks count still: %v", s.Creatures["b"])
	}
	if am := f.keptIn("e"); len(am.GetCommands()) != 1 || !strings.Contains(fmt.Sprint(am.Commands), "whisper") {
		t.Errorf("what she did since is %v", am)
	}
	f.holds("e")
}

// permitted: what a player may order, and end. Those whom it does not know of are as if
// they were not there.
func TestWhatAPlayerMayOrder(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", server)
	c.do(gm, "e", addCmd("a2", 10, "ann"))
	c.do(gm, "e", stagedCmd("zlurker", "Zigzag"))
	order := func(o *eventv1.SetStandingOrder) *eventv1.Command {
		o.Decision, o.Order = "parry", "no"
		return &eventv1.Command{What: &eventv1.Command_Order{Order: o}}
	}
	for name, x := range map[string]struct {
		order *eventv1.SetStandingOrder
		why   string
	}{
		"one's own":                        {&eventv1.SetStandingOrder{Creature: "a"}, ""},
		"several of one's own":             {&eventv1.SetStandingOrder{Creatures: []string{"a", "a2"}}, ""},
		"another's":                        {&eventv1.SetStandingOrder{Creature: "b"}, "NOT_YOUR_CREATURE"},
		"another's among one's own":        {&eventv1.SetStandingOrder{Creatures: []string{"a", "b"}}, "NOT_YOUR_CREATURE"},
		"a side's":                         {&eventv1.SetStandingOrder{Side: "a"}, "NOT_ALLOWED"},
		"the monsters'":                    {&eventv1.SetStandingOrder{Monsters: true}, "NOT_ALLOWED"},
		"a side's of the monsters":         {&eventv1.SetStandingOrder{Side: "b", Monsters: true}, "NOT_ALLOWED"},
		"one's own, and the monsters'":     {&eventv1.SetStandingOrder{Creature: "a", Monsters: true}, "NOT_ALLOWED"},
		"somebody's whom one knows not of": {&eventv1.SetStandingOrder{Creature: "zlurker"}, "UNKNOWN_CREATURE"},
		"nobody's":                         {&eventv1.SetStandingOrder{Creature: "znobody"}, "UNKNOWN_CREATURE"},
	} {
		if _, err := c.try(ann, "e", order(x.order)); reason(err) != x.why {
			t.Errorf("%s: %v, want %q", name, err, x.why)
		}
	}
	for _, both := range []*eventv1.SetStandingOrder{{Creature: "b", Creatures: []string{"a"}}, {}} {
		if _, err := c.try(ann, "e", order(both)); err == nil {
			t.Errorf("taken: %v", both)
		}
	}
	if o := c.state(gm, "e", 0).State.Creatures["b"]; len(o.GetOrders())+len(o.GetStandingOrders()) > 0 {
		t.Errorf("b has orders by ann: %v", o)
	}
}

// checkCreate: the names in the request and in the command agree, and a decision waits for
// no more than the bound.
func TestWhatAnEncounterIsCalledAtItsCreation(t *testing.T) {
	c := newWorld(t).start()
	create := func(id, table string, change func(*eventv1.CreateEncounter)) error {
		cmd := createCmd(server)
		change(cmd.GetCreate())
		c.w.n++
		_, err := c.Execute(t.Context(), &encounterv1.ExecuteRequest{RequestId: fmt.Sprint("create ", c.w.n), As: gm, Table: table, Encounter: id, Command: cmd})
		return err
	}
	for name, x := range map[string]struct {
		id, table string
		change    func(*eventv1.CreateEncounter)
		field     string
	}{
		"another encounter":     {"e", "t", func(e *eventv1.CreateEncounter) { e.Encounter = "f" }, "command.create.encounter"},
		"another table":         {"e", "t", func(e *eventv1.CreateEncounter) { e.Table = "u" }, "command.create.encounter"},
		"less than no time":     {"e", "t", func(e *eventv1.CreateEncounter) { e.DecisionSeconds = -1 }, "command.create.decision_seconds"},
		"longer than the bound": {"e", "t", func(e *eventv1.CreateEncounter) { e.DecisionSeconds = limits.DecisionSeconds + 1 }, "command.create.decision_seconds"},
		"the same, and the bound": {"e1", "t", func(e *eventv1.CreateEncounter) {
			e.Encounter, e.Table, e.DecisionSeconds = "e1", "t", limits.DecisionSeconds
		}, ""},
		"in the command alone":     {"", "t", func(e *eventv1.CreateEncounter) { e.Encounter = "e2" }, ""},
		"the table in the command": {"e3", "", func(e *eventv1.CreateEncounter) { e.Table = "t" }, ""},
	} {
		if err := create(x.id, x.table, x.change); field(err) != x.field || (err == nil) != (x.field == "") {
			t.Errorf("%s: %v, want %q", name, err, x.field)
		}
	}
	for _, id := range []string{"e1", "e2", "e3"} {
		if _, err := c.GetState(t.Context(), &encounterv1.GetStateRequest{As: gm, Table: "t", Encounter: id}); err != nil {
			t.Errorf("%s: %v", id, err)
		}
	}
	if _, err := c.GetState(t.Context(), &encounterv1.GetStateRequest{As: gm, Table: "t", Encounter: "e"}); reason(err) == "" {
		t.Error("what was refused is there")
	}
	// A command of as many faces as there may be is looked at, and refused for what it is.
	c.fight("bounds", server)
	many := attackCmd("a", "b")
	many.Faces = slices.Repeat([]int32{1}, limits.CommandFaces)
	if _, err := c.try(gm, "bounds", many); reason(err) == "LIMIT" {
		t.Errorf("as many faces as there may be: %v", err)
	}
	many.Faces = append(many.Faces, 1)
	if _, err := c.try(gm, "bounds", many); reason(err) != "LIMIT" {
		t.Errorf("one face more: %v", err)
	}
}
