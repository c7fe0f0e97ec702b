package encounter_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/limits"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// CONTESTS.md, contesting a step: what is said in words or as a change, and only one of
// taking a command away and changing it. A claim may be as long as its bound.
func TestWhatIsAClaim(t *testing.T) {
	c := newWorld(t).start()
	c.calm("e")
	for range 12 {
		c.do(ann, "e", takeCmd("a", "attack", "b"))
	}
	step := c.lastOf(bob, "e")
	roll := func(label string, faces ...int32) *eventv1.ContestClaim {
		return &eventv1.ContestClaim{Rolls: []*eventv1.ClaimedRoll{{Label: "to-hit", Faces: []int32{4}}, {Label: label, Faces: faces}}}
	}
	// A claim of exactly so many bytes.
	long := func(n int) *eventv1.ContestClaim {
		claim := &eventv1.ContestClaim{Change: &eventv1.TakeAction{Item: strings.Repeat("x", 200), Facts: &structpb.Struct{Fields: map[string]*structpb.Value{}}}}
		for i := range 16 {
			claim.Change.Facts.Fields[fmt.Sprint("f", i)] = structpb.NewStringValue(strings.Repeat("x", 470))
		}
		claim.Change.Item += strings.Repeat("x", n-proto.Size(claim))
		if proto.Size(claim) != n {
			t.Fatalf("%d bytes, want %d", proto.Size(claim), n)
		}
		return claim
	}
	for name, x := range map[string]struct {
		words  string
		claim  *eventv1.ContestClaim
		field  string
		reason string
	}{
		"words":                      {"w", nil, "", ""},
		"a change":                   {"", advantaged, "", ""},
		"both":                       {"w", advantaged, "", ""},
		"taken away":                 {"", &eventv1.ContestClaim{Drop: true}, "", ""},
		"other faces":                {"", roll("pay", 3), "", ""},
		"as long as may be":          {"", long(limits.ContestClaimBytes), "", ""},
		"neither":                    {"", nil, "command.contest.words", "INVALID_FIELD"},
		"longer":                     {"", long(limits.ContestClaimBytes + 1), "", "LIMIT"},
		"two lines":                  {"one\ntwo", nil, "command.contest.words", "INVALID_FIELD"},
		"taken away and changed":     {"w", &eventv1.ContestClaim{Drop: true, Change: advantaged.Change}, "command.contest.claim.drop", "INVALID_FIELD"},
		"taken away and cleared":     {"w", &eventv1.ContestClaim{Drop: true, ClearCircumstances: true}, "command.contest.claim.drop", "INVALID_FIELD"},
		"taken away and other faces": {"w", &eventv1.ContestClaim{Drop: true, Rolls: roll("pay", 3).Rolls[:1]}, "command.contest.claim.drop", "INVALID_FIELD"},
		"faces of no roll":           {"w", roll("", 3), "command.contest.claim.rolls[1]", "INVALID_FIELD"},
		"a roll without faces":       {"w", roll("pay"), "command.contest.claim.rolls[1]", "INVALID_FIELD"},
	} {
		_, err := c.try(bob, "e", contestCmd(step, x.words, x.claim))
		if reason(err) != x.reason || field(err) != x.field {
			t.Errorf("%s: %v, want %s of %q", name, err, x.reason, x.field)
		}
		if err == nil {
			step--
		}
	}
}

// What a contest is of: the command that an answer was given to, the ruling by which a
// command was amended, and nothing of a step in which nothing was decided. The setting off is
// for players: the game master files one all the same.
func TestWhatAContestIsOf(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", server)
	attack := c.do(gm, "e", takeCmd("a", "attack", "b")).Step.Number
	for range 2 {
		for id := range c.state(gm, "e", 0).State.Decisions {
			c.do(bob, "e", answerCmd(id, "no"))
		}
	}
	answer := c.lastOf(gm, "e")
	c.do(bob, "e", contestCmd(c.lastOf(bob, "e"), "I did endure", nil))
	if got := c.onlyContest(gm, "e").Contest; got.Version != attack || got.Kind != eventv1.Contest_KIND_CLAIM {
		t.Errorf("an answer is contested as %v, want version %d", got, attack)
	}
	c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: attack, Reason: "it was another", Rolls: []*eventv1.FixedRoll{{Label: "harm/damage", Faces: []int32{1}}}}))
	ruling := c.lastOf(bob, "e")
	if _, err := c.try(bob, "e", contestCmd(ruling, "", advantaged)); field(err) != "command.contest.claim" {
		t.Errorf("an amendment, by a change: %v", err)
	}
	c.do(bob, "e", contestCmd(ruling, "no", nil))
	all := c.contests(gm, "e")
	if got := all[1].Contest; got.Kind != eventv1.Contest_KIND_RULING || got.Version != c.lastOf(gm, "e")-1 {
		t.Errorf("the amendment is contested as %v", got)
	}
	c.do(gm, "e", setCmd("contests", "off"))
	if _, err := c.try(bob, "e", contestCmd(1, "x", nil)); reason(err) != "CONTESTS_OFF" {
		t.Errorf("by a player: %v", err)
	}
	// An answer that the amended command met is of that command still.
	c.do(gm, "e", contestCmd(answer, "was it so?", nil))
	if got := c.contests(gm, "e")[2].Contest; got.Version != attack || got.Kind != eventv1.Contest_KIND_CLAIM {
		t.Errorf("an answer to what was amended is contested as %v, want version %d", got, attack)
	}
	c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: attack, Drop: true}))
	if _, err := c.try(gm, "e", contestCmd(answer-1, "was it so?", nil)); reason(err) != "TAKEN_BACK" {
		t.Errorf("an answer to what counts no more: %v", err)
	}
}

// A contest is its claimant's: the game master under any name is one, a player of the same
// name as another role is not. What waits is not filed twice, what was settled is not filed
// again with the same words and claim, and a take-back is asked for again.
func TestWhoseAContestIs(t *testing.T) {
	c := newWorld(t).start()
	c.calm("e")
	named := &eventv1.Principal{Role: eventv1.Principal_ROLE_GM, Name: "merlin"}
	merlin := &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: "merlin"}
	c.do(gm, "e", addCmd("m", 10, "merlin"))
	c.do(ann, "e", takeCmd("a", "attack", "b"))
	c.do(ann, "e", takeCmd("a", "attack", "b"))
	one, two := c.lastOf(bob, "e")-1, c.lastOf(bob, "e")
	withdraw := func(id string) *eventv1.Command {
		return answerContestCmd(&eventv1.AnswerContest{Contest: id, Withdraw: true})
	}
	c.do(named, "e", contestCmd(c.lastOf(gm, "e"), "was it so?", nil))
	id := c.openOne("e")
	if _, err := c.try(merlin, "e", withdraw(id)); reason(err) != "NOT_YOUR_CONTEST" {
		t.Errorf("given up by a player of the same name: %v", err)
	}
	if _, err := c.try(gm, "e", contestCmd(c.lastOf(gm, "e")-1, "or so?", nil)); reason(err) != "CONTEST_REPEATED" {
		t.Errorf("filed by another game master as well: %v", err)
	}
	c.do(gm, "e", withdraw(id))
	// Merlin, the player, files the same; bob, too.
	c.do(merlin, "e", contestCmd(two, "was it so?", nil))
	c.do(bob, "e", contestCmd(two, "was it so?", advantaged))
	c.do(bob, "e", contestCmd(one, "was it so?", nil)) // another step
	for _, l := range c.contests(gm, "e") {
		if l.Contest.Status == eventv1.Contest_STATUS_OPEN {
			c.do(gm, "e", settleCmd(&eventv1.SettleContest{Contest: l.Contest.Id, Reason: "no"}))
		}
	}
	for name, x := range map[string]struct {
		words string
		claim *eventv1.ContestClaim
		why   string
	}{
		"the same":           {"was it so?", advantaged, "CONTEST_REPEATED"},
		"with another claim": {"was it so?", &eventv1.ContestClaim{Drop: true}, ""},
		"in other words":     {"was it not?", advantaged, ""},
		"without a claim":    {"was it so?", nil, ""},
	} {
		_, err := c.try(bob, "e", contestCmd(two, x.words, x.claim))
		if reason(err) != x.why {
			t.Errorf("%s: %v, want %q", name, err, x.why)
		}
		if err == nil {
			c.do(bob, "e", withdraw(c.openOne("e")))
		}
	}
	// A take-back beside a claim about the same command, and again after it was declined.
	c.do(ann, "e", contestCmd(two, "x", nil))
	for range 2 {
		c.do(ann, "e", takeBackCmd(1))
		for _, l := range c.contests(gm, "e") {
			if l.Contest.Status == eventv1.Contest_STATUS_OPEN && l.Contest.Kind == eventv1.Contest_KIND_TAKE_BACK {
				c.do(gm, "e", settleCmd(&eventv1.SettleContest{Contest: l.Contest.Id, Reason: "no"}))
			}
		}
	}
	// Upheld by word: nothing else changes.
	before := c.fought("e")
	c.do(gm, "e", upholdCmd(c.openOne("e")))
	all := c.contests(ann, "e")
	if now := c.fought("e"); !proto.Equal(now, before) {
		t.Errorf("upheld by word it is %v, and was %v", now, before)
	}
	upheld := 0
	for _, l := range all {
		if l.Contest.Status == eventv1.Contest_STATUS_UPHELD && l.Contest.Kind == eventv1.Contest_KIND_CLAIM {
			upheld++
		}
	}
	if upheld != 1 {
		t.Errorf("ann is told %v", all)
	}
}

// CONTESTS.md, who is told: whoever saw any of the contested step, and who plays a creature
// together with the claimant; privately, these alone. Of a creature that several play all must
// have seen it. Whoever plays nobody could be told nothing, unless everybody is.
func TestWhoIsToldOfAContest(t *testing.T) {
	cid := &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: "cid"}
	dan := &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: "dan"}
	eve := &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: "eve"}
	all := map[string]*eventv1.Principal{"gm": gm, "ann": ann, "bob": bob, "cid": cid, "dan": dan, "eve": eve, "spectator": spectator}
	for name, x := range map[string]struct {
		policy  string
		by      *eventv1.Principal
		public  bool // the step is one that all saw, else one of whose creature cid and dan play
		why     string
		told    string // who is told
		claimed string // who is told what is claimed
	}{
		"seen by all":                     {"seen", bob, true, "", "ann bob cid dan eve gm spectator", "bob gm"},
		"seen by all, of who plays two":   {"seen", cid, true, "", "ann bob cid dan eve gm spectator", "cid dan gm"},
		"seen by all, by nobody's player": {"seen", eve, true, "", "ann bob cid dan eve gm spectator", "gm"},
		"seen by two":                     {"seen", dan, false, "", "cid dan gm", "cid dan gm"},
		"seen by two, by the master":      {"seen", gm, false, "", "cid dan gm", "gm"},
		"private":                         {"private", bob, true, "", "bob gm", "bob gm"},
		"private, of who plays two":       {"private", dan, true, "", "cid dan gm", "cid dan gm"},
		"private, by the master":          {"private", gm, true, "", "gm", "gm"},
		"private, by nobody's player":     {"private", eve, true, "NO_CREATURE", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			c := newWorld(t).start()
			c.calm("e")
			c.do(gm, "e", addCmd("s", 10, "cid", "dan"))
			c.do(gm, "e", addCmd("u", 10, "dan", "bob")) // bob sees nothing of what is told of s
			c.do(gm, "e", setCmd("contests", x.policy))
			c.do(ann, "e", takeCmd("a", "attack", "b"))
			if !x.public {
				c.do(gm, "e", hurtCmd("s", 3))
			}
			_, err := c.try(x.by, "e", contestCmd(c.lastOf(x.by, "e"), "no", advantaged))
			if reason(err) != x.why {
				t.Fatalf("filed: %v, want %q", err, x.why)
			}
			var told, claimed []string
			for who, as := range all {
				for _, l := range c.contests(as, "e") {
					told = append(told, who)
					if l.Contest.Claim != nil {
						claimed = append(claimed, who)
					}
				}
			}
			if x.by == bob || x.by == dan { // who plays u together hears what the other claims
				x.claimed = map[*eventv1.Principal]string{bob: "bob dan gm", dan: "bob cid dan gm"}[x.by]
				if x.policy == "private" || !x.public {
					x.told = x.claimed
				}
			}
			if got := sorted(told); got != x.told {
				t.Errorf("told are %q, want %q", got, x.told)
			}
			if got := sorted(claimed); got != x.claimed {
				t.Errorf("what is claimed is told to %q, want %q", got, x.claimed)
			}
		})
	}
}

func sorted(words []string) string {
	slices.Sort(words)
	return strings.Join(words, " ")
}
