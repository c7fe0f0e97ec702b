package encounter_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// gamble throws a coin unseen, which counts on the creature; a wager is asked for, and
// paid by a die, where it falls on 1.
func gamble(r *rules.Resolution, take *eventv1.TakeAction) error {
	coin := r.Roll(rules.RollSpec{Label: "coin", Expression: "1d2", Audience: event.GM()}).Total
	r.Set(take.Creature, "coin", int64(coin), "gamble")
	if take.Item == "wager" && coin == 1 {
		r.Ask("wager", rules.YesNo("wager", take.Creature, "gamble", "A wager?", "", ""))
		r.Roll(rules.RollSpec{Label: "pay", Expression: "1d6", Audience: event.GM()})
	}
	return nil
}

// reckon is nothing unless the coin fell on 2: then it is refused, or asks.
func reckon(r *rules.Resolution, take *eventv1.TakeAction) error {
	if r.Count(take.Creature, "coin") != 2 {
		r.Note(event.GM(), take.Creature, "nothing is owed")
		return nil
	}
	def := ""
	switch take.Item {
	case "refused":
		return fault.Refuse("OWING", "toy.debt", "%s owes", take.Creature)
	case "default":
		def = "no"
	}
	r.Note(event.GM(), take.Creature, "paid: "+r.Ask("pay", rules.YesNo("pay", take.Creature, "reckon", "Pay?", def, "")).Option)
	return nil
}

func itemCmd(creature, action, item string) *eventv1.Command {
	cmd := takeCmd(creature, action, "b")
	cmd.GetTake().Item = item
	return cmd
}

// gambled has the first of some steps amended to a gamble, again and again with dice that
// were never met, until the coin falls on 1 in the dry run and on 2 in earnest. Where the
// dry run shows a 2, the ruling is refused or not as the dry run says.
func (c *client) gambled(change func(am *eventv1.AmendCommand, first uint64), item string, then ...*eventv1.Command) (first uint64, am *eventv1.Amended) {
	c.w.t.Helper()
	for range 200 {
		c.do(gm, "e", hexCmd("a", "b")) // takes the number whose faces the last dry run showed
		base := c.fought("e")
		first = c.do(gm, "e", takeCmd("a", "whisper", "b")).Step.Number
		for _, cmd := range then {
			c.do(gm, "e", cmd)
		}
		ruling := &eventv1.AmendCommand{Version: first, Command: itemCmd("a", "gamble", item)}
		if change != nil {
			change(ruling, first)
		}
		resp, err := c.PreviewRuling(c.w.t.Context(), &encounterv1.PreviewRulingRequest{As: gm, Encounter: "e", Command: amendCmd(ruling)})
		if err != nil || resp.Fresh[0].Sample[0] == 2 || len(resp.Troubles) > 0 {
			if _, again := c.try(gm, "e", amendCmd(ruling)); (again == nil) != (err == nil && len(resp.Troubles) == 0) {
				c.w.t.Fatalf("the dry run says %v, %v, and the ruling %v", resp, err, again)
			}
		} else {
			got := c.do(gm, "e", amendCmd(ruling)).Step
			if c.fought("e").Creatures["a"].Counters["coin"] == 2 {
				return first, got.Events[0].GetAmended()
			}
		}
		c.do(gm, "e", toVersion(first-1))
		if now := c.fought("e"); !proto.Equal(now.Creatures["a"], base.Creatures["a"]) {
			c.w.t.Fatalf("taken back it is %v, and was %v", now, base)
		}
	}
	c.w.t.Fatal("the coin never fell on 2 after a 1 in the dry run")
	return 0, nil
}

// TRUST.md, T2: once a ruling has drawn a face nothing of it is refused. What became illegal
// is dropped with a note to the game master, what the ruling says in vain is set aside with
// one, a question takes its default, and one without a default waits; a step that the
// ruling forces stands.
func TestARulingThatHasDrawnIsNotRefused(t *testing.T) {
	for name, x := range map[string]struct {
		change func(am *eventv1.AmendCommand, first uint64)
		item   string
		then   []*eventv1.Command
		notes  []string // %d is the step of what was amended, and those after it
		kept   int      // commands in the new history, the gamble among them
		forced bool
		asks   string
		heard  string
	}{
		"what became illegal is dropped": {then: []*eventv1.Command{itemCmd("a", "reckon", "refused"), takeCmd("a", "whisper", "b")},
			notes: []string{"step %d became illegal and is dropped: ", "owes"}, kept: 2},
		"what is forced stands": {then: []*eventv1.Command{itemCmd("a", "reckon", "refused")},
			change: func(am *eventv1.AmendCommand, first uint64) { am.ForceIllegal = []uint64{first + 1} }, kept: 2, forced: true, heard: "nothing is owed"},
		"what is dropped by the ruling needs no note": {then: []*eventv1.Command{itemCmd("a", "reckon", "refused")},
			change: func(am *eventv1.AmendCommand, first uint64) { am.DropIllegal = []uint64{first + 1} }, kept: 1},
		"a question takes its default": {then: []*eventv1.Command{itemCmd("a", "reckon", "default"), takeCmd("a", "whisper", "b")}, kept: 3, heard: "paid: no"},
		"a question without one waits, and nothing comes behind it": {then: []*eventv1.Command{itemCmd("a", "reckon", ""), takeCmd("a", "whisper", "b")},
			notes: []string{"step %[2]d is dropped: the command before it waits for an answer"}, kept: 2, asks: "pay"},
		"what is said in vain is set aside": {item: "wager",
			change: func(am *eventv1.AmendCommand, _ uint64) {
				am.Answers = []*eventv1.EarlyAnswer{ahead("wager", "a", "yes")}
				am.Rolls = []*eventv1.FixedRoll{{Label: "pay", Faces: []int32{3}}}
			}, kept: 1, notes: []string{"set aside: ", `makes no roll "pay"`, `meets no decision "wager"`}},
	} {
		t.Run(name, func(t *testing.T) {
			c := newWorld(t).start()
			c.fight("e", server)
			first, am := c.gambled(x.change, x.item, x.then...)
			notes := strings.Join(am.Notes, "\n")
			for _, want := range x.notes {
				if strings.Contains(want, "%") {
					want = fmt.Sprintf(strings.ReplaceAll(want, "%d", "%[1]d"), first+1, first+2)
					want, _, _ = strings.Cut(want, "%!")
				}
				if !strings.Contains(notes, want) {
					t.Errorf("the notes are %q, want %q", notes, want)
				}
			}
			if len(x.notes) == 0 && notes != "" {
				t.Errorf("noted: %q", notes)
			}
			own := slices.DeleteFunc(slices.Clone(am.Commands), func(r *eventv1.Redecided) bool { return r.Origin < first })
			if len(own) != x.kept || own[len(own)-1].Forced != x.forced {
				t.Errorf("%d commands count: %v", len(own), own)
			}
			open := c.fought("e").Decisions
			if (len(open) > 0) != (x.asks != "") {
				t.Errorf("open: %v", open)
			}
			for id, d := range open { // answered as ever
				if d.Name != x.asks {
					t.Errorf("asked is %q", d.Name)
				}
				c.do(gm, "e", answerCmd(id, "yes"))
			}
			if heard := fmt.Sprint(am.Commands); !strings.Contains(heard, x.heard) {
				t.Errorf("%q is not among what came of it: %s", x.heard, heard)
			}
			if text := c.everything(ann, "e"); strings.Contains(text, "set aside") || strings.Contains(text, "became illegal") || strings.Contains(text, "owes") {
				t.Errorf("ann is told of the notes: %s", text)
			}
			c.holds("e")
			c.do(gm, "e", takeCmd("a", "whisper", "b"))
		})
	}
}

// A fight that is over waits for nobody: what a ruling newly asks there takes its default,
// or the first option where it has none.
func TestARulingAfterTheEndWaitsForNobody(t *testing.T) {
	for item, want := range map[string]string{"default": "paid: no", "": "paid: yes"} {
		c := newWorld(t).start()
		c.fight("e", server)
		var am *eventv1.Amended
		for range 200 {
			base := c.do(gm, "e", hexCmd("a", "b")).Step.Number
			first := c.do(gm, "e", takeCmd("a", "whisper", "b")).Step.Number
			c.do(gm, "e", itemCmd("a", "reckon", item))
			c.do(gm, "e", endCmd)
			ruling := amendCmd(&eventv1.AmendCommand{Version: first, Command: itemCmd("a", "gamble", "")})
			if dry := c.preview("e", ruling); dry.Fresh[0].Sample[0] == 1 {
				got := c.do(gm, "e", ruling).Step
				if c.fought("e").Creatures["a"].Counters["coin"] == 2 {
					am = got.Events[0].GetAmended()
					break
				}
			}
			c.do(gm, "e", toVersion(base))
		}
		if s := c.fought("e"); am == nil || len(s.Decisions) > 0 || s.Status != eventv1.State_STATUS_ENDED || !strings.Contains(fmt.Sprint(am.Commands), want) {
			t.Errorf("%q: %v, want %s", item, am, want)
		}
		c.holds("e")
	}
}

// Before a face is drawn all of it stands in the way, and is refused: a question of the last
// step that nobody was asked before as well.
func TestBeforeAFaceIsDrawnAllStandsInTheWay(t *testing.T) {
	two := []*eventv1.FixedRoll{{Label: "coin", Faces: []int32{2}}}
	for name, x := range map[string]struct {
		then   *eventv1.Command
		am     *eventv1.AmendCommand
		reason string
		kind   encounterv1.Trouble_Kind
		asks   string
	}{
		"illegal":                {itemCmd("a", "reckon", "refused"), &eventv1.AmendCommand{}, "OWING", encounterv1.Trouble_KIND_ILLEGAL, ""},
		"unanswered":             {itemCmd("a", "reckon", ""), &eventv1.AmendCommand{}, "UNANSWERED_DECISION", encounterv1.Trouble_KIND_UNANSWERED, "pay"},
		"with a default":         {itemCmd("a", "reckon", "default"), &eventv1.AmendCommand{}, "UNANSWERED_DECISION", encounterv1.Trouble_KIND_UNANSWERED, "pay"},
		"no default to be taken": {itemCmd("a", "reckon", ""), &eventv1.AmendCommand{TakeDefaults: true}, "UNANSWERED_DECISION", encounterv1.Trouble_KIND_UNANSWERED, "pay"},
		"the default is taken":   {itemCmd("a", "reckon", "default"), &eventv1.AmendCommand{TakeDefaults: true}, "", 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			c := newWorld(t).start()
			c.fight("e", server)
			first := c.do(gm, "e", takeCmd("a", "whisper", "b")).Step.Number
			c.do(gm, "e", x.then)
			before := c.fought("e")
			x.am.Version, x.am.Command, x.am.Rolls = first, itemCmd("a", "gamble", ""), two
			dry := c.preview("e", amendCmd(x.am))
			if x.reason == "" {
				c.do(gm, "e", amendCmd(x.am))
				if len(dry.Troubles)+len(c.fought("e").Decisions) > 0 {
					t.Errorf("troubles %v, %v", dry.Troubles, c.fought("e").Decisions)
				}
				return
			}
			if len(dry.Troubles) != 1 || dry.Troubles[0].Reason != x.reason || dry.Troubles[0].Kind != x.kind || dry.Troubles[0].Version != first+1 || dry.Troubles[0].Decision.GetName() != x.asks {
				t.Fatalf("troubles: %v", dry.Troubles)
			}
			if _, err := c.try(gm, "e", amendCmd(x.am)); reason(err) != "AMENDMENT_IN_TROUBLE" {
				t.Errorf("ruled: %v", err)
			}
			if now := c.fought("e"); now.String() != before.String() {
				t.Errorf("changed from %v to %v", before, now)
			}
		})
	}
	// And what is said in vain.
	c := newWorld(t).start()
	c.fight("e", server)
	first := c.do(gm, "e", takeCmd("a", "whisper", "b")).Step.Number
	for want, am := range map[string]*eventv1.AmendCommand{
		"command.amend.answers[0]": {Rolls: two, Answers: []*eventv1.EarlyAnswer{ahead("wager", "a", "yes")}},
		"command.amend.rolls[1]":   {Rolls: append(slices.Clone(two), &eventv1.FixedRoll{Label: "pay", Faces: []int32{1}})},
		"command.amend.rolls[0]":   {Rolls: []*eventv1.FixedRoll{{Label: "coin", Index: 1, Faces: []int32{2}}}},
		"command.amend.rolls[0] ":  {Rolls: []*eventv1.FixedRoll{{Label: "coin", Branch: "everyone", Faces: []int32{2}}}},
		"command.amend.answers[1]": {Rolls: []*eventv1.FixedRoll{{Label: "coin", Faces: []int32{1}}}, Answers: []*eventv1.EarlyAnswer{ahead("wager", "", "yes"), ahead("wager", "b", "yes")}},
	} {
		am.Version, am.Command = first, itemCmd("a", "gamble", "wager")
		if _, err := c.try(gm, "e", amendCmd(am)); field(err) != strings.TrimSpace(want) {
			t.Errorf("in vain: %v, want %s", err, want)
		}
	}
	for _, am := range []*eventv1.AmendCommand{
		{Rolls: []*eventv1.FixedRoll{{Label: "coin", Branch: "gm", Faces: []int32{2}}}},
		{Rolls: []*eventv1.FixedRoll{{Label: "coin", Faces: []int32{1}}, {Label: "pay", Faces: []int32{5}}}, Answers: []*eventv1.EarlyAnswer{ahead("wager", "a", "yes")}},
	} {
		am.Version, am.Command = first, itemCmd("a", "gamble", "wager")
		c.do(gm, "e", amendCmd(am))
		if got := c.fought("e").Creatures["a"].Counters["coin"]; got != int64(am.Rolls[0].Faces[0]) {
			t.Errorf("the coin fell on %d", got)
		}
	}
	c.holds("e")
}
