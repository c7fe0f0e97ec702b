package encounter_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rpc"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// unseen holds that a text names nobody who is staged in these tests.
func unseen(t *testing.T, what, text string) {
	t.Helper()
	for _, word := range []string{"zlurker", "Zigzag"} {
		if strings.Contains(text, word) {
			t.Errorf("%s names %s: %s", what, word, text)
		}
	}
}

// A refusal names nobody whom the caller does not know of, whatever rule words
// it; after a die it is a note, and so is that.
func TestRefusalsNameNobodyUnseen(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", server)
	c.do(gm, "e", stagedCmd("zlurker", "Zigzag"))
	err := c.refused(ann, "e", "BLOCKED", takeCmd("a", "shove", "b"))
	f := rpc.FromStatus(err)
	unseen(t, "the refusal", fmt.Sprint(f.Message, f.Violations, f.Meta))
	if f.Message != event.Somebody+" is in the way ("+event.Somebody+")" {
		t.Errorf("the words: %s", f.Message)
	}
	if m := rpc.FromStatus(c.refused(gm, "e", "BLOCKED", takeCmd("a", "shove", "b"))).Message; !strings.Contains(m, "Zigzag") {
		t.Errorf("the game master is told %q", m)
	}
	// What the caller said itself comes back as it was said.
	nobody := c.refused(ann, "e", "UNKNOWN_CREATURE", takeCmd("a", "shove", "znobody"))
	guessed := c.refused(ann, "e", "UNKNOWN_CREATURE", takeCmd("a", "shove", "zlurker"))
	if strings.ReplaceAll(nobody.Error(), "znobody", "zlurker") != guessed.Error() {
		t.Errorf("%v\n%v", nobody, guessed)
	}
	resp := c.do(ann, "e", takeCmd("a", "stumble", "b"))
	unseen(t, "ann's view", c.everything(ann, "e"))
	if !strings.Contains(notes(resp.Step.Events), "it went no further: "+event.Somebody) {
		t.Errorf("ann is told %q", notes(resp.Step.Events))
	}
	if !strings.Contains(c.everything(gm, "e"), "it went no further: Zigzag") {
		t.Error("the game master is not told whom it was about")
	}
	// Nor is it refused when it is decided again: by the proof of the record, or after
	// a ruling on what was before.
	if v := c.exported("e").verified(t, c.w); len(v.Problems) > 0 {
		t.Errorf("decided again: %v", v.Problems)
	}
	if dry := c.preview("e", amendCmd(&eventv1.AmendCommand{Version: 6})); len(dry.Troubles) > 0 || len(dry.Changes) > 0 {
		t.Errorf("amended without a change: %v", dry)
	}
}

// The end of a turn without a name is of those whose turn it is as far as the
// caller can know.
func TestTheTurnOfSomebodyUnseen(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", server)
	c.do(gm, "e", stagedCmd("zlurker", "Zigzag"))
	c.do(gm, "e", endTurnCmd("a"))
	c.do(gm, "e", endTurnCmd("b"))
	err := c.refused(ann, "e", "INVALID_FIELD", endTurnCmd(""))
	unseen(t, "the refusal", err.Error())
}

// Whoever answers has the action run again and need not know who began it.
func TestAnAnswerToSomebodyUnseen(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", server)
	c.do(gm, "e", stagedCmd("zlurker", "Zigzag"))
	c.do(gm, "e", endTurnCmd("a"))
	c.do(gm, "e", endTurnCmd("b"))
	resp := c.do(gm, "e", takeCmd("zlurker", "attack", "b"))
	for i := 0; len(resp.Decisions) > 0 && i < 3; i++ {
		resp = c.do(bob, "e", answerCmd(resp.Decisions[0].Id, "no"))
	}
	if hp := c.state(bob, "e", 0).State.Creatures["b"].GetHp(); hp == 1000 {
		t.Error("the blow was not struck")
	}
	unseen(t, "bob's view", c.everything(bob, "e"))
}

// An option that somebody is not shown is none for it, given ahead or asked.
func TestOptionsOfADecisionAreThoseShown(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", server)
	c.do(gm, "e", stagedCmd("zlurker", "Zigzag"))
	pick := takeCmd("a", "pick", "b")
	pick.GetTake().Targets = []string{"b", "zlurker"}
	id := c.do(gm, "e", pick).Decisions[0].Id
	bogus := c.refused(ann, "e", "INVALID_FIELD", answerCmd(id, "znobody"))
	unseen(t, "the refusal", bogus.Error())
	guessed := c.refused(ann, "e", "INVALID_FIELD", answerCmd(id, "zlurker"))
	if strings.ReplaceAll(bogus.Error(), "znobody", "zlurker") != guessed.Error() {
		t.Errorf("%v\n%v", bogus, guessed)
	}
	unseen(t, "the refusal", c.refused(ann, "e", "DECISION_PENDING", endTurnCmd("a")).Error())
	c.do(gm, "e", answerCmd(id, "zlurker"))
	if hp := c.state(gm, "e", 0).State.Creatures["zlurker"].GetHp(); hp != 499 {
		t.Errorf("the game master's answer: %d", hp)
	}
	unseen(t, "ann's view", c.everything(ann, "e"))
}

// A ruling that opens new dice tells of those of staged creatures to nobody else.
func TestARulingOpensTheDiceOfTheUnseenUnseen(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", server)
	scout := stagedCmd("zlurker", "Zigzag")
	scout.GetAdd().Sheet.Controllers = []string{"bob"}
	c.do(gm, "e", scout)
	c.do(gm, "e", &eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}})
	c.do(gm, "e", &eventv1.Command{What: &eventv1.Command_Revert{Revert: &eventv1.RevertEncounter{To: &eventv1.RevertEncounter_Last{Last: true}}}})
	if s := c.state(ann, "e", 0).State; s.Epoch != 2 || len(s.Commitments["everyone"]) == 0 || len(s.Commitments["creature/a"]) == 0 {
		t.Fatalf("no new dice: epoch %d, %v", s.Epoch, s.Commitments)
	}
	for _, v := range []*eventv1.Principal{ann, spectator} {
		unseen(t, "the view of "+v.Name, c.everything(v, "e"))
	}
	for _, v := range []*eventv1.Principal{gm, bob} {
		if len(c.state(v, "e", 0).State.Commitments["creature/zlurker"]) == 0 {
			t.Errorf("%s does not know of its dice", v.Name)
		}
	}
}

// What may be done does not depend on who is there unseen.
func TestOptionsDoNotTellOfTheUnseen(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", server)
	options := func() string {
		o, err := c.GetOptions(t.Context(), &encounterv1.GetOptionsRequest{As: ann, Encounter: "e"})
		if err != nil {
			t.Fatal(err)
		}
		return o.String()
	}
	before := options()
	c.do(gm, "e", stagedCmd("attack", "judge")) // names that are words of the options
	if now := options(); now != before {
		t.Errorf("%s\n%s", before, now)
	}
}

// Names that somebody unseen shares with others stay theirs.
func TestAnAmbushOfTheSameName(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", server)
	add := addCmd("c1", 10)
	add.GetAdd().Sheet.Name = "Goblin"
	c.do(gm, "e", add)
	c.do(gm, "e", stagedCmd("zlurker", "Goblin"))
	for id, name := range map[string]string{"c2": "Goblin", "c3": "Goblin Boss"} {
		add := addCmd(id, 10)
		add.GetAdd().Sheet.Name = name
		c.do(gm, "e", add)
		if got := c.state(ann, "e", 0).State.Creatures[id].GetName(); got != name {
			t.Errorf("%s is called %q, not %q", id, got, name)
		}
	}
	if text := c.everything(ann, "e"); strings.Contains(text, event.Somebody) || strings.Contains(text, "zlurker") {
		t.Errorf("ann is told: %s", text)
	}
}

// That a patient is in a fight unseen, its record tells nobody else.
func TestAPatientInAmbush(t *testing.T) {
	w := newWorld(t)
	c := w.start()
	c.fight("e", server)
	tend := func(as *eventv1.Principal, id string, cmd *eventv1.PatientCommand) error {
		_, err := w.records.Tend(t.Context(), &injuryv1.TendRequest{RequestId: id, As: as, System: "toy",
			Command: &eventv1.Command{What: &eventv1.Command_Patient{Patient: cmd}}})
		return err
	}
	for _, sheet := range []*eventv1.Sheet{{Id: "villain", Name: "Villain", Side: "foes", HitPoints: 20},
		{Id: "healer", Name: "Healer", Side: "friends", HitPoints: 20, Controllers: []string{"ann"}}} {
		if err := tend(gm, "enrol "+sheet.Id, &eventv1.PatientCommand{Deed: "enrol", Sheet: sheet}); err != nil {
			t.Fatal(err)
		}
	}
	record := func(as *eventv1.Principal) string {
		t.Helper()
		p, err := w.records.GetPatient(t.Context(), &injuryv1.GetPatientRequest{As: as, Patient: "villain"})
		if err != nil {
			t.Fatal(err)
		}
		h, err := w.records.GetPatientHistory(t.Context(), &injuryv1.GetPatientHistoryRequest{As: as, Patient: "villain"})
		if err != nil {
			t.Fatal(err)
		}
		l, err := w.records.ListPatients(t.Context(), &injuryv1.ListPatientsRequest{As: as})
		if err != nil {
			t.Fatal(err)
		}
		return p.String() + h.String() + l.String()
	}
	before := record(ann)
	c.do(gm, "e", &eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Staged: true, Sheet: &eventv1.Sheet{Id: "villain", Patient: "villain"}}}})
	if now := record(ann); now != before {
		t.Errorf("while it lurks:\n%s\n%s", before, now)
	}
	err := tend(ann, "treat", &eventv1.PatientCommand{Deed: "treat", User: "healer", Patients: []string{"villain"}})
	if reason(err) != "PATIENT_AWAY" || strings.Contains(err.Error(), "encounter") {
		t.Errorf("ann, who would treat it, is told %v", err)
	}
	if !strings.Contains(record(gm), "encounter:\"e\"") {
		t.Errorf("the game master sees %s", record(gm))
	}
	c.do(gm, "e", &eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "villain",
		Vitals: &eventv1.Vitals{Conditions: []*eventv1.Condition{{Id: "x", Name: "hidden"}}, Counters: map[string]int64{"arrows": 7}}}}})
	c.do(gm, "e", &eventv1.Command{What: &eventv1.Command_Remove{Remove: &eventv1.RemoveCreature{Creature: "villain"}}})
	if now := record(ann); now != before {
		t.Errorf("after it left unseen:\n%s\n%s", before, now)
	}
	if !strings.Contains(record(gm), "arrows") {
		t.Error("what happened to it is lost")
	}
}

// The reason of a ruling is told to all whom it changes, without the unseen.
func TestTheReasonOfARulingNamesNobodyUnseen(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", server)
	c.do(gm, "e", stagedCmd("zlurker", "Zigzag"))
	c.do(gm, "e", attackCmd("a", "b"))
	c.do(gm, "e", &eventv1.Command{What: &eventv1.Command_Revert{Revert: &eventv1.RevertEncounter{Reason: "Zigzag comes later",
		To: &eventv1.RevertEncounter_Version{Version: 4}}}})
	if text := c.everything(ann, "e"); !strings.Contains(text, event.Somebody+" comes later") || strings.Contains(text, "Zigzag") {
		t.Errorf("ann is told: %s", text)
	}
	if !strings.Contains(c.everything(gm, "e"), "Zigzag comes later") {
		t.Error("the game master is not told the reason")
	}
}

// What is claimed of one target is shown as that; of nobody, nothing is claimed.
func TestAClaimSaysAgainstWhom(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", server)
	c.do(gm, "e", stagedCmd("zlurker", "Zigzag"))
	claim := func(target string) *eventv1.Command {
		cmd := takeCmd("a", "attack", "b")
		cmd.GetTake().Circumstances = []*eventv1.Circumstance{{Direction: "advantage", Cause: "the sun", Target: target}}
		return cmd
	}
	nobody := c.refused(ann, "e", "UNKNOWN_CREATURE", claim("znobody"))
	guessed := c.refused(ann, "e", "UNKNOWN_CREATURE", claim("zlurker"))
	if strings.ReplaceAll(nobody.Error(), "znobody", "zlurker") != guessed.Error() {
		t.Errorf("%v\n%v", nobody, guessed)
	}
	c.do(ann, "e", claim("b"))
	for _, d := range c.state(gm, "e", 0).State.Decisions {
		if len(d.Claims) != 1 || d.Claims[0].Value != "advantage (the sun) against b" {
			t.Errorf("the game master is shown %v", d.Claims)
		}
	}
}
