package encounter_test

import (
	"fmt"
	"strings"
	"testing"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Where people roll and a ruling makes rolls that were not made before, the faces that it
// names go to the roll that it names: by label, index and branch. What it names no faces of
// is asked for; faces of a roll that is not made before that are refused.
func TestRuledFacesGoToTheRollThatIsNamed(t *testing.T) {
	rolls := func(x ...*eventv1.FixedRoll) []*eventv1.FixedRoll { return x }
	fix := func(index uint32, branch string, face int32) *eventv1.FixedRoll {
		return &eventv1.FixedRoll{Label: "blow", Index: index, Branch: branch, Faces: []int32{face}}
	}
	for name, x := range map[string]struct {
		item  string
		faces []int32
		rolls []*eventv1.FixedRoll
		want  string // rolls made then, and whether another is asked for
	}{
		"both":                         {"", nil, rolls(fix(0, "", 4), fix(1, "", 9)), "everyone 4, everyone 9"},
		"both, the last first":         {"", nil, rolls(fix(1, "", 9), fix(0, "", 4)), "everyone 4, everyone 9"},
		"the first":                    {"", nil, rolls(fix(0, "", 4)), "everyone 4, asked"},
		"the second":                   {"", nil, rolls(fix(1, "", 9)), "command.amend.rolls[0]"},
		"the second, and people's":     {"", []int32{7}, rolls(fix(1, "", 9)), "everyone 7, everyone 9"},
		"on the branch":                {"", nil, rolls(fix(0, "everyone", 4), fix(1, "everyone", 9)), "everyone 4, everyone 9"},
		"of another branch":            {"", nil, rolls(fix(0, "gm", 4)), "command.amend.rolls[0]"},
		"where one is unseen":          {"unseen", nil, rolls(fix(0, "everyone", 4), fix(0, "gm", 2), fix(1, "everyone", 9)), "gm 2, everyone 4, everyone 9"},
		"the unseen alone":             {"unseen", nil, rolls(fix(0, "gm", 2)), "gm 2, asked"},
		"the seen alone":               {"unseen", nil, rolls(fix(0, "everyone", 4)), "command.amend.rolls[0]"},
		"without a branch, of both":    {"unseen", nil, rolls(fix(0, "", 4), fix(1, "", 9)), "gm 4, everyone 4, everyone 9"},
		"the unseen, and the last one": {"unseen", nil, rolls(fix(0, "gm", 2), fix(1, "everyone", 9)), "command.amend.rolls[1]"},
	} {
		c := newWorld(t).start()
		c.fight("e", supplied)
		first := c.do(gm, "e", takeCmd("a", "whisper", "b")).Step.Number
		cmd := takeCmd("a", "twice", "b")
		cmd.GetTake().Item = x.item
		ruling := amendCmd(&eventv1.AmendCommand{Version: first, Command: cmd, Rolls: x.rolls})
		ruling.GetAmend().Command.Faces = x.faces
		resp, err := c.try(gm, "e", ruling)
		if err != nil {
			if field(err) != x.want || !strings.Contains(err.Error(), "before it is answered: Roll 1d20 for a") {
				t.Errorf("%s: %v, want %q", name, err, x.want)
			}
			continue
		}
		var got []string
		for _, s := range resp.Step.Ruling.Steps {
			for _, ev := range s.Events {
				if r := ev.GetRoll(); r != nil {
					got = append(got, fmt.Sprint(r.Branch, " ", r.Total))
				}
			}
		}
		if len(c.state(gm, "e", 0).State.Decisions) > 0 {
			got = append(got, "asked")
		}
		if strings.Join(got, ", ") != x.want {
			t.Errorf("%s: %q, want %q", name, strings.Join(got, ", "), x.want)
		}
		c.holds("e")
	}
}

// Faces that were asked for and fell alike are those of their rolls: one of them is put
// right, and the others stay.
func TestRuledFacesOfRollsThatFellAlike(t *testing.T) {
	for name, x := range map[string]struct {
		at   uint32
		want string
	}{"the first": {0, "9 7"}, "the second": {1, "7 9"}} {
		c := newWorld(t).start()
		c.fight("e", supplied)
		first := c.do(gm, "e", takeCmd("a", "twice", "b")).Step.Number
		for range 2 {
			for id := range c.state(ann, "e", 0).State.Decisions {
				c.do(ann, "e", &eventv1.Command{What: &eventv1.Command_Answer{Answer: &eventv1.AnswerDecision{Decision: id, Answer: &eventv1.Answer{Faces: []int32{7}}}}})
			}
		}
		var said []string
		resp := c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: first, Rolls: []*eventv1.FixedRoll{{Label: "blow", Index: x.at, Faces: []int32{9}}}}))
		var got []string
		for _, s := range resp.Step.Ruling.Steps {
			for _, ev := range s.Events {
				if r := ev.GetRoll(); r != nil {
					got = append(got, fmt.Sprint(r.Total))
				}
				for _, face := range ev.GetDecisionAnswered().GetAnswer().GetFaces() {
					said = append(said, fmt.Sprint(face))
				}
			}
		}
		if strings.Join(got, " ") != x.want || strings.Join(said, " ") != x.want {
			t.Errorf("%s: rolled %q, answered %q, want %q", name, strings.Join(got, " "), strings.Join(said, " "), x.want)
		}
		c.holds("e")
	}
}
