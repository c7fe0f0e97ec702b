package encounter_test

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/limits"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// three begins a fight of a (ann's), b (bob's) and c (cid's) at a table where players grant
// take-backs.
func (c *client) three(id string) {
	c.w.t.Helper()
	c.calm(id)
	c.do(gm, id, addCmd("c", 1000, "cid"))
	c.do(gm, id, setCmd("take_back", "players"))
}

var cid = &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: "cid"}

// CONTESTS.md, taking back: asked are the other players who play somebody and heard any of
// the commands, and all who are asked are told of it, then and of its end; nobody else is.
// Where there is none, the game master decides.
func TestWhoIsAskedToGrantATakeBack(t *testing.T) {
	murmur, whisper, attack := takeCmd("a", "murmur", "b"), takeCmd("a", "whisper", "b"), takeCmd("a", "attack", "b")
	for name, x := range map[string]struct {
		did   []*eventv1.Command
		asked []string
	}{
		"what nobody heard":           {[]*eventv1.Command{whisper}, nil},
		"what one heard":              {[]*eventv1.Command{murmur}, []string{"bob"}},
		"what another heard":          {[]*eventv1.Command{takeCmd("a", "murmur", "c")}, []string{"cid"}},
		"what the claimant heard":     {[]*eventv1.Command{takeCmd("a", "murmur", "a")}, nil},
		"what one heard, and nobody":  {[]*eventv1.Command{murmur, whisper}, []string{"bob"}},
		"what one heard twice":        {[]*eventv1.Command{murmur, murmur}, []string{"bob"}},
		"what one heard, and another": {[]*eventv1.Command{takeCmd("a", "murmur", "c"), murmur}, []string{"bob", "cid"}},
		"what nobody heard first":     {[]*eventv1.Command{whisper, murmur}, []string{"bob"}},
		"what all heard":              {[]*eventv1.Command{attack}, []string{"bob", "cid"}},
		"what all heard last":         {[]*eventv1.Command{whisper, murmur, attack}, []string{"bob", "cid"}},
		"of which an answer is heard": {[]*eventv1.Command{takeCmd("a", "sound", "b")}, []string{"bob"}},
	} {
		c := newWorld(t).start()
		c.three("e")
		for _, cmd := range x.did {
			c.do(ann, "e", cmd)
			for id := range c.state(gm, "e", 0).State.Decisions {
				c.do(gm, "e", answerCmd(id, "no"))
			}
		}
		c.do(ann, "e", takeBackCmd(uint32(len(x.did)))) //nolint:gosec // small
		l := c.onlyContest(gm, "e")
		if got := l.Contest; !slices.Equal(got.Asked, x.asked) || got.ByVote != (len(x.asked) > 0) {
			t.Errorf("%s: asked are %v, by vote %v; want %v", name, got.Asked, got.ByVote, x.asked)
		}
		waiting := func() *encounterv1.Waiting {
			all := c.next(gm, "e")
			return all[slices.IndexFunc(all, func(w *encounterv1.Waiting) bool { return w.Kind == encounterv1.Waiting_KIND_CONTEST })]
		}
		if w := waiting(); w.GameMaster != (x.asked == nil) || !slices.Equal(w.Players, x.asked) {
			t.Errorf("%s: it waits for %v", name, w)
		}
		told := func(status eventv1.Contest_Status, yours bool) {
			for _, as := range []*eventv1.Principal{bob, cid} {
				all, asked := c.contests(as, "e"), slices.Contains(x.asked, as.Name)
				if (len(all) == 1) != asked || asked && (all[0].Yours != yours || all[0].Contest.Status != status || all[0].Contest.Commands != 0) {
					t.Errorf("%s: %s is told of %v", name, as.Name, all)
				}
			}
			if all := c.contests(spectator, "e"); (len(all) == 1) != c.everyoneHeard(x.did) {
				t.Errorf("%s: who watches is told of %v", name, all)
			}
			if l := c.onlyContest(ann, "e"); l.Yours || l.Contest.Status != status || int(l.Contest.Commands) != len(x.did) {
				t.Errorf("%s: the claimant is told %v", name, l)
			}
		}
		told(eventv1.Contest_STATUS_OPEN, true)
		c.do(gm, "e", lastCmd) // what becomes of the commands changes nothing of who is told
		c.do(gm, "e", settleCmd(&eventv1.SettleContest{Contest: l.Contest.Id, Reason: "it is gone"}))
		told(eventv1.Contest_STATUS_DECLINED, false)
	}
}

// Who is asked is a player: whoever else has the name is not, and says nothing of it.
func TestWhoMayAnswerATakeBack(t *testing.T) {
	c := newWorld(t).start()
	c.three("e")
	c.do(ann, "e", takeCmd("a", "attack", "b"))
	c.do(ann, "e", takeBackCmd(1))
	id := c.openOne("e")
	for name, as := range map[string]*eventv1.Principal{
		"the game master":  gm,
		"of the same name": {Role: eventv1.Principal_ROLE_GM, Name: "bob"},
		"who watches":      {Role: eventv1.Principal_ROLE_SPECTATOR, Name: "bob"},
		"the claimant":     ann,
		"who plays nobody": {Role: eventv1.Principal_ROLE_PLAYER, Name: "dan"},
	} {
		for _, cmd := range []*eventv1.Command{grantCmd(id), answerContestCmd(&eventv1.AnswerContest{Contest: id})} {
			if _, err := c.try(as, "e", cmd); reason(err) != "NOT_ASKED" && reason(err) != "NOT_ALLOWED" {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	c.do(bob, "e", grantCmd(id))
	if _, err := c.try(bob, "e", grantCmd(id)); reason(err) != "ANSWERED" {
		t.Errorf("twice: %v", err)
	}
	c.do(cid, "e", grantCmd(id))
	if l := c.contests(gm, "e")[0].Contest; l.Status != eventv1.Contest_STATUS_UPHELD {
		t.Errorf("granted by all: %v", l)
	}
}

// Whoever grants may know of one of the commands only: all of them are taken back.
func TestGrantedByWhoKnowsOneOfThem(t *testing.T) {
	for name, order := range map[string][]string{"the first": {"murmur", "whisper"}, "the last": {"whisper", "murmur"}, "one between": {"whisper", "murmur", "whisper"}} {
		c := newWorld(t).start()
		c.three("e")
		before := c.fought("e")
		for _, action := range order {
			c.do(ann, "e", takeCmd("a", action, "b"))
		}
		c.do(ann, "e", takeBackCmd(uint32(len(order)))) //nolint:gosec // small
		c.do(bob, "e", grantCmd(c.openOne("e")))
		links := 0
		for _, s := range c.history(gm, "e", 0) {
			links += len(s.Ruling.GetSteps())
		}
		if after := c.fought("e"); after.Epoch != before.Epoch || links != len(order) {
			t.Errorf("%s: %d commands are taken back, want %d", name, links, len(order))
		}
		c.holds("e")
	}
}

// As many commands as may be are taken back at once, and not one more; none named is one.
func TestHowManyAreTakenBackAtOnce(t *testing.T) {
	c := newWorld(t).start()
	c.three("e")
	for range limits.TakenBack + 1 {
		c.do(ann, "e", takeCmd("a", "whisper", "b"))
	}
	if _, err := c.try(ann, "e", takeBackCmd(limits.TakenBack+1)); reason(err) != "LIMIT" {
		t.Errorf("one more than may be: %v", err)
	}
	c.do(ann, "e", takeBackCmd(limits.TakenBack))
	if got := c.onlyContest(gm, "e").Contest; got.Commands != limits.TakenBack {
		t.Errorf("as many as may be: %v", got)
	}
	id := c.openOne("e")
	c.do(ann, "e", answerContestCmd(&eventv1.AnswerContest{Contest: id, Withdraw: true}))
	c.do(ann, "e", takeBackCmd(0))
	if got := c.contests(gm, "e")[1].Contest; got.Commands != 1 {
		t.Errorf("none named: %v", got)
	}
	if _, err := c.try(bob, "e", takeBackCmd(1)); reason(err) != "NOT_YOUR_LAST" {
		t.Errorf("who did nothing: %v", err)
	}
}

// everyoneHeard tells whether an attack, which all hear, is among some commands.
func (*client) everyoneHeard(did []*eventv1.Command) bool {
	return slices.ContainsFunc(did, func(cmd *eventv1.Command) bool { return cmd.GetTake().Action == "attack" })
}
