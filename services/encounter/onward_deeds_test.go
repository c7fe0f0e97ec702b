package encounter_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// editOf sets what an edit sets of a creature.
func editOf(creature string, v *eventv1.Vitals) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: creature, Vitals: v}}}
}

// became is what a dry run says of a deed, a fight or a record.
func became(dry *encounterv1.PreviewRulingResponse, name string) string {
	var out []string
	for _, x := range dry.Onward {
		if at := fmt.Sprint(x.Encounter, x.Patient, " ", x.Deed, " ", x.Version); at == name {
			out = append(out, strings.TrimPrefix(x.Kind.String(), "KIND_"))
		}
	}
	return strings.Join(out, " ")
}

// mended is a campaign in which c is wounded in e, and mended with a kit of d's.
func mended(t *testing.T, then func(c *campaign)) (c *campaign, whisper uint64) {
	c = newCampaign(t)
	c.begin("e", "c", "d")
	c.hits("e", "c")
	whisper = c.do(gm, "e", takeCmd("a", "whisper", "b")).Step.Number
	c.end("e")
	c.tend("mend", "d", "c") // version 4 of c's record
	if then != nil {
		then(c)
	}
	return c, whisper
}

// RULINGS.md: a deed that is illegal now stands in the way, with its rule; the game master
// drops it, or lets it stand, by the patient and the version of its record. What stands so
// stands when it is ruled again. The kits are used up by an edit in the fight.
func TestADeedThatBecameIllegal(t *testing.T) {
	c, whisper := mended(t, nil)
	used := func(on ...*eventv1.Onward) *eventv1.AmendCommand {
		return &eventv1.AmendCommand{Version: whisper, Command: editOf("d", &eventv1.Vitals{Counters: map[string]int64{"kits": 2}}), Onward: on}
	}
	was, hp := c.all("e"), c.hp("c")
	got := c.troubles("e", used())
	if len(got) != 1 || got[0].Patient != "c" || got[0].Version != 4 || got[0].Kind != encounterv1.Trouble_KIND_ILLEGAL ||
		got[0].Reason != "NO_KIT" || got[0].Rule != "toy.kits" || !strings.Contains(got[0].Message, "no kit is left") {
		t.Fatalf("troubles: %v", got)
	}
	if dry := c.dryRun("e", amendCmd(used())); became(dry, "c mend 4") != "ILLEGAL" {
		t.Errorf("the dry run: %v", dry.Onward)
	}
	if _, err := c.try(gm, "e", amendCmd(used())); reason(err) != "AMENDMENT_IN_TROUBLE" {
		t.Errorf("in trouble: %v", err)
	}
	// What is said of another version, or of another patient, settles nothing.
	for _, w := range []*eventv1.Onward{{Patient: "c", DropIllegal: []uint64{3}}, {Patient: "d", DropIllegal: []uint64{4}}, {Patient: "c", ForceIllegal: []uint64{3}}, {Patient: "d", ForceIllegal: []uint64{4}}} {
		if got := c.troubles("e", used(w)); len(got) != 1 {
			t.Errorf("%v: %v", w, got)
		}
	}
	c.same("after refusals", was, c.all("e"))
	dropped, stands := used(&eventv1.Onward{Patient: "c", DropIllegal: []uint64{4}}), used(&eventv1.Onward{Patient: "c", ForceIllegal: []uint64{4}})
	if dry := c.dryRun("e", amendCmd(dropped)); became(dry, "c mend 4") != "DROPPED" || len(dry.Troubles) > 0 {
		t.Errorf("dropped: %v, %v", dry.Onward, dry.Troubles)
	}
	c.do(gm, "e", amendCmd(dropped))
	if got, want := c.hp("c"), c.hpIn("e", "c"); got != want || got >= hp {
		t.Errorf("without the mending c has %d, and left the fight with %d", got, want)
	}
	if kits := c.patient("d").Creature.Counters["kits"]; kits != 2 {
		t.Errorf("d has used %d kits", kits)
	}
	c.do(gm, "e", lastCmd)
	c.same("taken back", was, c.all("e"))
	if dry := c.dryRun("e", amendCmd(stands)); became(dry, "c mend 4") != "STANDS" || len(dry.Troubles) > 0 {
		t.Errorf("let stand: %v, %v", dry.Onward, dry.Troubles)
	}
	c.do(gm, "e", amendCmd(stands))
	if got := c.hp("c"); got != hp {
		t.Errorf("c has %d, and the mending, which stands, gave it %d", got, hp)
	}
	now := c.all("e")
	// Ruled again without a word on it, it stands as it stood.
	again := &eventv1.AmendCommand{Version: whisper}
	if dry := c.dryRun("e", amendCmd(again)); len(dry.Troubles) > 0 {
		t.Errorf("ruled again: %v", dry.Troubles)
	}
	c.do(gm, "e", amendCmd(again))
	c.same("ruled again", now, c.all("e"))
	more := &eventv1.AmendCommand{Version: whisper, Command: editOf("d", &eventv1.Vitals{Counters: map[string]int64{"kits": 3}})}
	if dry := c.dryRun("e", amendCmd(more)); len(dry.Troubles) > 0 || became(dry, "c mend 4") != "STANDS" {
		t.Errorf("ruled again otherwise: %v, %v", dry.Troubles, dry.Onward)
	}
	// With kits again it is decided again, and is what it was.
	c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: whisper, Command: takeCmd("a", "whisper", "b")}))
	c.same("with kits", was, c.all("e"))
}

// A deed of the service's own, and one that waits, in the way of a ruling: what opened the
// dice is what it was; a deed that nobody has answered is answered or let go first.
func TestDeedsOfTheServiceUnderARuling(t *testing.T) {
	c, whisper := mended(t, func(c *campaign) {
		c.tend("reveal", "", "c")
		c.tend("mend", "", "c")
	})
	was, hp := c.all("e"), c.hp("c")
	less := &eventv1.AmendCommand{Version: whisper, Command: editOf("c", &eventv1.Vitals{Hp: proto.Int32(60)})}
	dry := c.dryRun("e", amendCmd(less))
	if len(dry.Troubles) > 0 || became(dry, "c reveal 5") != "" || became(dry, "c mend 4") != "OTHERWISE" || became(dry, "c mend 6") != "OTHERWISE" {
		t.Errorf("onward: %v, %v", dry.Onward, dry.Troubles)
	}
	c.do(gm, "e", amendCmd(less))
	if got := c.hp("c"); got >= hp || got <= 60 {
		t.Errorf("mended twice from 60 it has %d", got)
	}
	c.do(gm, "e", lastCmd)
	c.same("taken back", was, c.all("e"))
	// A mending that asks, waits.
	deep := &eventv1.AmendCommand{Version: whisper, Command: editOf("c", &eventv1.Vitals{Hp: proto.Int32(1)})}
	c.begin("f", "c")
	c.do(gm, "f", editOf("c", &eventv1.Vitals{Hp: proto.Int32(5)}))
	c.end("f")
	c.tend("mend", "", "c")
	if _, err := c.try(gm, "e", amendCmd(deep)); reason(err) != "DECISION_PENDING" || !strings.Contains(err.Error(), `"c"`) {
		t.Errorf("while a deed waits: %v", err)
	}
	c.tend("abandon", "", "c")
	was = c.all("e", "f")
	dry = c.dryRun("e", amendCmd(less))
	if len(dry.Troubles) > 0 {
		t.Errorf("after it was let go: %v", dry.Troubles)
	}
	c.do(gm, "e", amendCmd(less))
	if got := c.hp("c"); got != 5 {
		t.Errorf("the fight that came after says what it has: %d", got)
	}
	c.do(gm, "e", lastCmd)
	c.same("taken back", was, c.all("e", "f"))
}

// Answers of a deed are those that it met; standing orders are those of the new history, and
// an answer that the ruling gives by its id comes in place of the one that was given.
func TestTheAnswersOfADeedUnderARuling(t *testing.T) {
	c := newCampaign(t)
	c.begin("e", "c", "d")
	order := c.do(gm, "e", &eventv1.Command{What: &eventv1.Command_Order{Order: &eventv1.SetStandingOrder{Creature: "d", Decision: "deep", Order: "yes"}}}).Step.Number
	c.do(gm, "e", editOf("c", &eventv1.Vitals{Hp: proto.Int32(5)}))
	c.do(gm, "e", editOf("d", &eventv1.Vitals{Hp: proto.Int32(5)}))
	whisper := c.do(gm, "e", takeCmd("a", "whisper", "b")).Step.Number
	c.end("e")
	c.tend("mend", "", "c") // asks
	c.w.n++
	p, err := c.w.records.GetPatient(t.Context(), &injuryv1.GetPatientRequest{Patient: "c", As: gm})
	if err != nil || len(p.Patient.Decisions) != 1 {
		t.Fatalf("asked is %v, %v", p, err)
	}
	id := p.Patient.Decisions[0].Id
	if _, err := c.w.records.Tend(t.Context(), &injuryv1.TendRequest{RequestId: "answer", As: gm, Command: answerCmd(id, "no")}); err != nil {
		t.Fatal(err)
	}
	c.tend("mend", "", "d") // asks nobody
	if hp := c.hp("d"); hp != 15 {
		t.Fatalf("by its standing order d has %d", hp)
	}
	was := c.all("e")
	shallow := c.hp("c")
	if shallow < 6 || shallow > 11 {
		t.Fatalf("c has %d", shallow)
	}
	// Another wound, as deep: asked again, and answered as it was.
	am := &eventv1.AmendCommand{Version: whisper, Command: editOf("c", &eventv1.Vitals{Hp: proto.Int32(4)})}
	if dry := c.dryRun("e", amendCmd(am)); len(dry.Troubles) > 0 || became(dry, "c mend 4") != "OTHERWISE" || became(dry, "d mend 4") != "" {
		t.Errorf("troubles %v, %v", dry.Troubles, dry.Onward)
	}
	c.do(gm, "e", amendCmd(am))
	if hp := c.hp("c"); hp != shallow-1 {
		t.Errorf("with a point less it has %d, and had %d", hp, shallow)
	}
	c.do(gm, "e", lastCmd)
	// Answered otherwise by the ruling.
	am.Onward = []*eventv1.Onward{{Patient: "c", Resolve: []*eventv1.AnswerDecision{{Decision: id, Answer: &eventv1.Answer{Option: "perhaps"}}}}}
	if _, err := c.try(gm, "e", amendCmd(am)); field(err) != "command.amend.onward.resolve" || !strings.Contains(err.Error(), `"c"`) {
		t.Errorf("an answer that is none: %v", err)
	}
	am.Onward[0].Resolve[0].Answer.Option = "yes"
	c.do(gm, "e", amendCmd(am))
	if hp := c.hp("c"); hp != 14 {
		t.Errorf("answered yes it has %d", hp)
	}
	c.do(gm, "e", lastCmd)
	c.same("taken back", was, c.all("e"))
	// Without the order the deed asks, what nobody has answered.
	drop := &eventv1.AmendCommand{Version: order, Drop: true}
	got := c.troubles("e", drop)
	if len(got) != 1 || got[0].Patient != "d" || got[0].Decision.GetName() != "deep" || got[0].Kind != encounterv1.Trouble_KIND_UNANSWERED {
		t.Errorf("without the order: %v", got)
	}
	// It has no default, so that taking defaults is no answer.
	drop.TakeDefaults = true
	if got := c.troubles("e", drop); len(got) != 1 {
		t.Errorf("by a default that there is not: %v", got)
	}
}

// RULINGS.md: who has died by the ruling cannot come into a later fight: that step is forced,
// and stands, or the fight stands as a whole.
func TestWhoDiedByARulingComesIntoNoLaterFight(t *testing.T) {
	c := newCampaign(t)
	c.begin("e", "c", "d")
	whisper := c.do(gm, "e", takeCmd("a", "whisper", "b")).Step.Number
	c.end("e")
	c.begin("f", "d", "c")
	c.hit("f", "c")
	c.end("f")
	added := uint64(5) // of f: created, a, b, d, c
	was := c.all("e", "f")
	dies := func(on ...*eventv1.Onward) *eventv1.AmendCommand {
		return &eventv1.AmendCommand{Version: whisper, Onward: on, Command: takeCmd("a", "slay", "c")}
	}
	for name, on := range map[string][]*eventv1.Onward{"": nil, "another step": {{Encounter: "f", ForceIllegal: []uint64{added - 1}}}} {
		got := c.troubles("e", dies(on...))
		if len(got) != 1 || got[0].Encounter != "f" || got[0].Version != added || got[0].Reason != "PATIENT_CANNOT_ENTER" || got[0].Kind != encounterv1.Trouble_KIND_ILLEGAL ||
			!strings.Contains(got[0].Message, `"c" is dead`) {
			t.Errorf("%s: troubles %v", name, got)
		}
	}
	// The step of the ruling's own fight that has the same number is another.
	own := dies()
	own.ForceIllegal = []uint64{added}
	if got := c.troubles("e", own); len(got) != 1 {
		t.Errorf("forced in the other fight: %v", got)
	}
	if _, err := c.try(gm, "e", amendCmd(dies())); reason(err) != "AMENDMENT_IN_TROUBLE" {
		t.Errorf("in trouble: %v", err)
	}
	c.same("after a refusal", was, c.all("e", "f"))
	hp := c.hpIn("f", "c")
	for name, on := range map[string]*eventv1.Onward{"that step is forced": {Encounter: "f", ForceIllegal: []uint64{added}}, "the fight stands": {Encounter: "f", Stands: true}} {
		am := dies(on)
		if dry := c.dryRun("e", amendCmd(am)); len(dry.Troubles) > 0 {
			t.Fatalf("%s: %v", name, dry.Troubles)
		}
		c.do(gm, "e", amendCmd(am))
		if life := c.state(gm, "e", 0).State.Creatures["c"].GetLife(); life != eventv1.LifeStatus_LIFE_STATUS_DEAD {
			t.Errorf("%s: in the first fight it is %v", name, life)
		}
		if got := c.hpIn("f", "c"); got != hp {
			t.Errorf("%s: in the later fight it has %d, and had %d", name, got, hp)
		}
		c.do(gm, "e", lastCmd)
		c.same(name+", taken back", was, c.all("e", "f"))
	}
}

// The same, where it comes back into the fight that the ruling is of: forced there by the
// ruling itself.
func TestWhoDiedByARulingComesBackIntoTheFight(t *testing.T) {
	c := newCampaign(t)
	c.begin("e", "c", "d")
	whisper := c.do(gm, "e", takeCmd("a", "whisper", "b")).Step.Number
	c.do(gm, "e", &eventv1.Command{What: &eventv1.Command_Remove{Remove: &eventv1.RemoveCreature{Creature: "c"}}})
	back := c.do(gm, "e", patientCmd("c", "c")).Step.Number
	c.hit("e", "c")
	am := &eventv1.AmendCommand{Version: whisper, Command: takeCmd("a", "slay", "c")}
	got := c.troubles("e", am)
	if !slices.ContainsFunc(got, func(x *encounterv1.Trouble) bool { return x.Reason == "PATIENT_CANNOT_ENTER" && x.Version == back }) {
		t.Fatalf("troubles: %v", got)
	}
	am.ForceIllegal = []uint64{back}
	if got := c.troubles("e", am); len(got) > 0 {
		t.Errorf("forced: %v", got)
	}
}
