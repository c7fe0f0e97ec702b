package encounter_test

import (
	"slices"
	"testing"

	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// A ruling answers decisions of the command by name, and by creature where it names one;
// what the command does not meet, and faces that it does not need, are refused by field.
func TestRuledAnswersGoToTheDecisionThatIsNamed(t *testing.T) {
	other := func(decision, creature, option string) *eventv1.EarlyAnswer {
		return &eventv1.EarlyAnswer{Decision: decision, Creature: creature, Answer: &eventv1.Answer{Option: option}}
	}
	for name, x := range map[string]struct {
		change func(cmd *eventv1.Command)
		b, d   string // what they answer then
		field  string
	}{
		"nothing": {func(*eventv1.Command) {}, "no", "no", ""},
		"by name": {func(cmd *eventv1.Command) {
			cmd.GetAmend().Answers = append(cmd.GetAmend().Answers, other("duck", "", "yes"))
		}, "yes", "yes", ""},
		"by name and creature": {func(cmd *eventv1.Command) {
			cmd.GetAmend().Answers = append(cmd.GetAmend().Answers, other("duck", "d", "yes"))
		}, "no", "yes", ""},
		"one by creature, then by name": {func(cmd *eventv1.Command) {
			cmd.GetAmend().Answers = append(cmd.GetAmend().Answers, other("duck", "d", "no"), other("duck", "", "yes"))
		}, "yes", "no", ""},
		"of a creature that is not met": {func(cmd *eventv1.Command) {
			cmd.GetAmend().Answers = append(cmd.GetAmend().Answers, other("duck", "c", "yes"))
		}, "", "", "command.amend.answers[0]"},
		"of a decision that is not met": {func(cmd *eventv1.Command) {
			cmd.GetAmend().Answers = append(cmd.GetAmend().Answers, other("duck", "", "yes"), other("parry", "b", "yes"))
		}, "", "", "command.amend.answers[1]"},
		"beside the ruling":        {func(cmd *eventv1.Command) { cmd.Answers = append(cmd.Answers, other("duck", "d", "yes")) }, "no", "no", ""},
		"faces that nothing needs": {func(cmd *eventv1.Command) { cmd.Faces = append(cmd.Faces, 3) }, "", "", "command.faces"},
		"a roll that is not made": {func(cmd *eventv1.Command) {
			cmd.GetAmend().Rolls = append(cmd.GetAmend().Rolls, &eventv1.FixedRoll{Label: "hit", Faces: []int32{3}})
		}, "", "", "command.amend.rolls[0]"},
		"an answer that is not allowed": {func(cmd *eventv1.Command) {
			cmd.GetAmend().Answers = append(cmd.GetAmend().Answers, other("duck", "d", "perhaps"))
		}, "", "", "command.amend.answers[0]"},
		"an answer that says nothing": {func(cmd *eventv1.Command) {
			cmd.GetAmend().Answers = append(cmd.GetAmend().Answers, &eventv1.EarlyAnswer{Decision: "duck", Creature: "d"})
		}, "", "", "command.amend.answers[0]"},
		"what another command answers": {func(cmd *eventv1.Command) {
			cmd.GetAmend().Command = early(volleyCmd("", "b", "d"), "duck", "yes")
			cmd.GetAmend().Answers = append(cmd.GetAmend().Answers, other("duck", "b", "no"))
		}, "no", "no", ""}, // what was answered then stands

		"what it may not answer": {func(cmd *eventv1.Command) {
			cmd.GetAmend().Command = early(volleyCmd("wind", "b", "d"), "duck", "no", "parry", "perhaps")
		}, "", "", "command.amend.command.answers[1]"},
		"what is said beside it": {func(cmd *eventv1.Command) {
			cmd.GetAmend().Command = volleyCmd("wind", "b", "d")
			cmd.Answers = append(cmd.Answers, other("duck", "", "no"), other("parry", "b", "perhaps"))
		}, "", "", "command.answers[1]"},
		"the same of another creature": {func(cmd *eventv1.Command) {
			cmd.GetAmend().Command, cmd.GetAmend().TakeDefaults = volleyCmd("wind", "b", "d"), true
			cmd.Answers = append(cmd.Answers, other("duck", "", "yes"), other("parry", "d", "perhaps"))
		}, "no", "no", ""},
		"another command, which asks no": {func(cmd *eventv1.Command) {
			cmd.GetAmend().Command = volleyCmd("", "b")
			cmd.GetAmend().Answers = append(cmd.GetAmend().Answers, other("duck", "b", "yes"), other("duck", "d", "yes"))
		}, "", "", "command.amend.answers[1]"},
	} {
		c := newWorld(t).start()
		c.do(gm, "e", createCmd(supplied))
		for _, id := range []string{"a", "b", "c", "d"} {
			c.do(gm, "e", addCmd(id, 1000))
		}
		c.do(gm, "e", &eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}})
		first := c.do(gm, "e", volleyCmd("", "b", "d")).Step.Number
		answer := answerCmd(c.open(gm, "e")["duck b"].Id, "no")
		answer.GetAnswer().Alike = true
		c.do(gm, "e", answer)
		c.do(gm, "e", takeCmd("a", "whisper", "b"))
		cmd := amendCmd(&eventv1.AmendCommand{Version: first})
		x.change(cmd)
		_, err := c.PreviewRuling(t.Context(), &encounterv1.PreviewRulingRequest{As: gm, Encounter: "e", Command: cmd})
		if field(err) != x.field || (err != nil) != (x.field != "") {
			t.Errorf("dry run of %s: %v, want %q", name, err, x.field)
		}
		resp, err := c.try(gm, "e", cmd)
		if x.field != "" {
			if field(err) != x.field {
				t.Errorf("%s: %v, want %q", name, err, x.field)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := map[string]string{"b": "no", "d": "no"} // as it was, where nothing changed
		for _, s := range resp.Step.Ruling.GetSteps() {
			for _, ev := range s.Events {
				if n := ev.GetNote(); n != nil && slices.Contains([]string{"b", "d"}, n.Creature) {
					got[n.Creature] = n.Text
				}
			}
		}
		if got["b"] != x.b || got["d"] != x.d {
			t.Errorf("%s: b says %q, d %q; want %q, %q", name, got["b"], got["d"], x.b, x.d)
		}
		c.holds("e")
	}
}

// A command that opens dice for a creature may take the place of one that rolled: what was
// rolled then is no opening.
func TestACreatureInPlaceOfABlow(t *testing.T) {
	c := newWorld(t).start()
	c.calm("e")
	blow := c.do(ann, "e", takeCmd("a", "attack", "b")).Step.Number
	c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: blow, Command: addCmd("z", 30)}))
	if s := c.state(gm, "e", 0).State; s.Creatures["z"].GetHp() != 30 || s.Creatures["b"].GetHp() != 1000 {
		t.Errorf("in its place: %v", s.Creatures)
	}
	c.holds("e")
}
