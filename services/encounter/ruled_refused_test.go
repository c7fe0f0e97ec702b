package encounter_test

import (
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/limits"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// A ruling that says what it cannot mean, or what would be passed over, is refused with the
// field that says it: the dry run and the ruling alike, and nothing is appended.
func TestRulingsThatSayWhatTheyCannotMean(t *testing.T) {
	c := newWorld(t).start()
	c.calm("server") // the server rolls
	c.do(ann, "server", takeCmd("a", "attack", "b"))
	c.do(gm, "people", createCmd(supplied))
	for _, name := range []string{"a", "b"} {
		c.do(gm, "people", addCmd(name, 1000, map[string]string{"a": "ann", "b": "bob"}[name]))
	}
	c.do(gm, "people", &eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}})
	c.do(gm, "people", early(attackCmd("a", "b", 50, 15, 2), "parry", "no", "endure", "no"))
	whisper, faces := takeCmd("a", "whisper", "b"), attackCmd("a", "b", 50, 15, 2)
	change := &eventv1.TakeAction{Targets: []string{"a"}}
	am := func(am *eventv1.AmendCommand) *eventv1.Command { return amendCmd(am) }
	with := func(cmd *eventv1.Command, more *eventv1.Command) *eventv1.Command {
		out := proto.CloneOf(cmd)
		proto.Merge(out, more)
		return out
	}
	given, answer := &eventv1.Command{Faces: []int32{3}}, early(&eventv1.Command{}, "parry", "no")
	total := int32(9)
	for name, x := range map[string]struct {
		fight string
		cmd   *eventv1.Command
		field string // of the refusal; empty where it is one that can be
	}{
		"faces for going back":               {"people", with(revertCmd(&eventv1.RevertEncounter{To: &eventv1.RevertEncounter_Version{Version: 4}}), given), "command.faces"},
		"answers for going back":             {"people", with(revertCmd(&eventv1.RevertEncounter{To: &eventv1.RevertEncounter_Version{Version: 4}}), answer), "command.answers"},
		"going back":                         {"people", revertCmd(&eventv1.RevertEncounter{To: &eventv1.RevertEncounter_Version{Version: 4}}), ""},
		"back to nothing":                    {"people", revertCmd(&eventv1.RevertEncounter{To: &eventv1.RevertEncounter_Version{}}), "command.revert.version"},
		"back to what is to come":            {"people", revertCmd(&eventv1.RevertEncounter{To: &eventv1.RevertEncounter_Version{Version: 6}}), "command.revert.version"},
		"back to nowhere":                    {"people", revertCmd(&eventv1.RevertEncounter{}), "command.revert.to"},
		"a reason that is too long":          {"people", revertCmd(&eventv1.RevertEncounter{To: &eventv1.RevertEncounter_Version{Version: 4}, Reason: strings.Repeat("x", limits.LineBytes+1)}), "command.revert.reason"},
		"a reason as long as may be":         {"people", revertCmd(&eventv1.RevertEncounter{To: &eventv1.RevertEncounter_Version{Version: 4}, Reason: strings.Repeat("x", limits.LineBytes)}), ""},
		"taken away":                         {"people", am(&eventv1.AmendCommand{Version: 5, Drop: true}), ""},
		"taken away, and a command":          {"people", am(&eventv1.AmendCommand{Version: 5, Drop: true, Command: whisper}), "command.amend.drop"},
		"taken away, and a change":           {"people", am(&eventv1.AmendCommand{Version: 5, Drop: true, Change: change}), "command.amend.drop"},
		"taken away, and cleared":            {"people", am(&eventv1.AmendCommand{Version: 5, Drop: true, ClearCircumstances: true}), "command.amend.drop"},
		"taken away, and faces":              {"people", with(am(&eventv1.AmendCommand{Version: 5, Drop: true}), given), "command.amend.drop"},
		"taken away, and answers":            {"people", with(am(&eventv1.AmendCommand{Version: 5, Drop: true}), answer), "command.amend.drop"},
		"taken away, and answers of it":      {"people", am(&eventv1.AmendCommand{Version: 5, Drop: true, Answers: answer.Answers}), "command.amend.drop"},
		"taken away, and rolls":              {"people", am(&eventv1.AmendCommand{Version: 5, Drop: true, Rolls: []*eventv1.FixedRoll{{Label: "fate", Faces: []int32{1}}}}), "command.amend.drop"},
		"put in":                             {"people", am(&eventv1.AmendCommand{InsertAfter: 4, Command: whisper}), ""},
		"put in without a command":           {"people", am(&eventv1.AmendCommand{InsertAfter: 4}), "command.amend.insert_after"},
		"put in, and a step":                 {"people", am(&eventv1.AmendCommand{InsertAfter: 4, Command: whisper, Version: 5}), "command.amend.insert_after"},
		"put in, and taken away":             {"people", am(&eventv1.AmendCommand{InsertAfter: 4, Drop: true}), "command.amend.insert_after"},
		"put in, and a change":               {"people", am(&eventv1.AmendCommand{InsertAfter: 4, Command: whisper, Change: change}), "command.amend.insert_after"},
		"put in, and cleared":                {"people", am(&eventv1.AmendCommand{InsertAfter: 4, Command: whisper, ClearCircumstances: true}), "command.amend.insert_after"},
		"people's faces where they roll":     {"people", am(&eventv1.AmendCommand{Version: 5, Command: faces}), ""},
		"people's faces where they do not":   {"server", am(&eventv1.AmendCommand{Version: 5, Command: faces}), "command.faces"},
		"the same, beside it":                {"server", with(am(&eventv1.AmendCommand{Version: 5, Command: whisper}), given), "command.faces"},
		"single rolls where they do not":     {"server", am(&eventv1.AmendCommand{Version: 5, Rolls: []*eventv1.FixedRoll{{Label: "to-hit", Faces: []int32{1}}}}), ""},
		"what the service says of drawing":   {"server", am(&eventv1.AmendCommand{Version: 5, Command: whisper, Drew: true}), "command.amend.drew"},
		"what the service says of patients":  {"server", am(&eventv1.AmendCommand{Version: 5, Command: whisper, Entered: []*eventv1.Entered{{}}}), "command.amend.entered"},
		"on into nothing":                    {"server", am(&eventv1.AmendCommand{Version: 5, Command: whisper, Onward: []*eventv1.Onward{{}}}), "command.amend.onward[0]"},
		"on into two":                        {"server", am(&eventv1.AmendCommand{Version: 5, Command: whisper, Onward: []*eventv1.Onward{{Encounter: "people", Patient: "p"}}}), "command.amend.onward[0]"},
		"a patient whose fight is to stand":  {"server", am(&eventv1.AmendCommand{Version: 5, Command: whisper, Onward: []*eventv1.Onward{{Patient: "p", Stands: true}}}), "command.amend.onward[0]"},
		"faces and a total of one roll":      {"people", am(&eventv1.AmendCommand{Version: 5, Rolls: []*eventv1.FixedRoll{{Label: "fate", Faces: []int32{1}, Total: &total}}}), "command.amend.rolls[0]"},
		"faces and an outcome of one roll":   {"people", am(&eventv1.AmendCommand{Version: 5, Rolls: []*eventv1.FixedRoll{{Label: "fate", Faces: []int32{1}, Outcome: "x"}}}), "command.amend.rolls[0]"},
		"a total and an outcome of one roll": {"people", am(&eventv1.AmendCommand{Version: 5, Rolls: []*eventv1.FixedRoll{{Label: "fate", Outcome: "x", Total: &total}}}), "command.amend.rolls[0]"},
		"both dropped and forced":            {"people", am(&eventv1.AmendCommand{Version: 5, Command: whisper, DropIllegal: []uint64{7, 6}, ForceIllegal: []uint64{8, 6}}), "command.amend.force_illegal[1]"},
		"each dropped or forced":             {"people", am(&eventv1.AmendCommand{Version: 5, Command: whisper, DropIllegal: []uint64{7}, ForceIllegal: []uint64{8}}), ""},
	} {
		before := c.lastOf(gm, x.fight)
		_, err := c.PreviewRuling(t.Context(), &encounterv1.PreviewRulingRequest{As: gm, Encounter: x.fight, Command: x.cmd})
		if field(err) != x.field || (err != nil) != (x.field != "") {
			t.Errorf("dry run of %s: %v, want %q", name, err, x.field)
		}
		if x.field == "" {
			continue // the dry run has it
		}
		if _, err := c.try(gm, x.fight, x.cmd); field(err) != x.field {
			t.Errorf("%s: %v, want %q", name, err, x.field)
		}
		if n := c.lastOf(gm, x.fight); n != before {
			t.Errorf("%s: %d steps were appended", name, n-before)
		}
	}
}
