package encounter_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// campaign is a table with patients c and d and fights that they go through.
type campaign struct {
	*client
	t *testing.T
}

func newCampaign(t *testing.T) *campaign { t.Helper(); return newCampaignIn(t, newWorld(t)) }

func newCampaignIn(t *testing.T, w *world) *campaign {
	t.Helper()
	c := &campaign{client: w.start(), t: t}
	for _, id := range []string{"c", "d"} {
		tend := &injuryv1.TendRequest{RequestId: "enrol " + id, As: gm, System: "toy", Command: &eventv1.Command{What: &eventv1.Command_Patient{
			Patient: &eventv1.PatientCommand{Deed: "enrol", Sheet: &eventv1.Sheet{Id: id, Name: id, Side: id, HitPoints: 100}}}}}
		if _, err := w.records.Tend(t.Context(), tend); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// hits has a attack somebody often enough that no mending makes it whole, and returns
// the first step.
func (c *campaign) hits(id, target string) uint64 {
	c.t.Helper()
	first := c.hit(id, target)
	for range 9 {
		c.hit(id, target)
	}
	return first
}

// tend carries out a deed between fights.
func (c *campaign) tend(deed, user string, patients ...string) {
	c.t.Helper()
	c.w.n++
	_, err := c.w.records.Tend(c.t.Context(), &injuryv1.TendRequest{RequestId: fmt.Sprintf("deed-%d", c.w.n), As: gm,
		Command: &eventv1.Command{What: &eventv1.Command_Patient{Patient: &eventv1.PatientCommand{Deed: deed, User: user, Patients: patients}}}})
	if err != nil {
		c.t.Fatal(err)
	}
}

// fight begins a fight between a, b and the patients.
func (c *campaign) begin(id string, patients ...string) {
	c.t.Helper()
	c.do(gm, id, createCmd(eventv1.DicePolicy_DICE_POLICY_SERVER))
	c.do(gm, id, addCmd("a", 1000, "ann"))
	c.do(gm, id, addCmd("b", 1000, "bob"))
	for _, p := range patients {
		c.do(gm, id, patientCmd(p, p))
	}
	c.do(gm, id, &eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}})
}

// hit has a attack somebody, and returns the step.
func (c *campaign) hit(id, target string) uint64 {
	c.t.Helper()
	return c.do(gm, id, early(takeCmd("a", "attack", target), "parry", "no", "endure", "no")).Step.Number
}

func (c *campaign) end(id string) {
	c.t.Helper()
	c.do(gm, id, &eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}})
}

func (c *campaign) patient(id string) *injuryv1.Patient {
	c.t.Helper()
	p, err := c.w.records.GetPatient(c.t.Context(), &injuryv1.GetPatientRequest{Patient: id, As: gm})
	if err != nil {
		c.t.Fatal(err)
	}
	return p.Patient
}

func (c *campaign) hp(id string) int32 { c.t.Helper(); return c.patient(id).Creature.GetHp() }

// hpIn are the hit points of a creature in a fight.
func (c *campaign) hpIn(fight, id string) int32 {
	c.t.Helper()
	return c.state(gm, fight, 0).State.Creatures[id].GetHp()
}

// world is all that counts: the fights and the records, without what only counts how
// often something was ruled.
func (c *campaign) all(fights ...string) map[string]proto.Message {
	c.t.Helper()
	out := map[string]proto.Message{}
	for _, f := range fights {
		s := event.Clone(c.state(gm, f, 0).State)
		s.Commitments, s.Epoch, s.Entropy, s.SecretDice, s.EntropyOpen, s.RulingDice = nil, 0, nil, nil, false, false
		out["fight "+f] = s
	}
	for _, p := range []string{"c", "d"} {
		r := proto.CloneOf(c.patient(p))
		r.Version = 0
		out["patient "+p] = r
	}
	return out
}

func (c *campaign) same(what string, was, now map[string]proto.Message) {
	c.t.Helper()
	for k, m := range was { // order-free: each is compared by itself
		if !proto.Equal(m, now[k]) {
			c.t.Errorf("%s: %s is another:\n%v\n%v", what, k, m, now[k])
		}
	}
}

func (c *campaign) dryRun(fight string, cmd *eventv1.Command) *encounterv1.PreviewRulingResponse {
	c.t.Helper()
	resp, err := c.PreviewRuling(c.t.Context(), &encounterv1.PreviewRulingRequest{As: gm, Encounter: fight, Command: cmd})
	if err != nil {
		c.t.Fatal(err)
	}
	return resp
}

// A ruling on a fight of long ago goes on into the records of its patients, the deeds
// between, and the fights that they went into: dry run, all at once, back and again.
func TestARulingGoesOnThroughPatients(t *testing.T) {
	c := newCampaign(t)
	c.begin("e", "c", "d")
	first := c.hits("e", "c")
	c.end("e")
	c.tend("mend", "", "c", "d") // d is unhurt: nothing of it in its record
	c.begin("f", "c")
	c.hit("f", "c")
	c.end("f")
	c.tend("rest", "", "c")
	c.begin("g", "c", "d")
	c.hit("g", "c")
	was := c.all("e", "f", "g")
	hpE, hpG := c.hpIn("e", "c"), c.hpIn("g", "c")
	drop := amendCmd(&eventv1.AmendCommand{Version: first, Drop: true, Reason: "there was cover"})
	dry := c.dryRun("e", drop)
	if len(dry.Troubles) > 0 {
		t.Fatalf("troubles: %v", dry.Troubles)
	}
	var told []string
	for _, x := range dry.Onward {
		told = append(told, strings.TrimSpace(x.Encounter+" "+x.Patient+" "+x.Deed+" "+strings.TrimPrefix(x.Kind.String(), "KIND_")))
	}
	if want := []string{"c mend OTHERWISE", "f   OTHERWISE", "c rest SAME", "g   OTHERWISE", "c  RECORD"}; !slices.Equal(told, want) {
		t.Errorf("consequences %q, want %q", told, want)
	}
	c.same("after the dry run", was, c.all("e", "f", "g"))
	c.do(gm, "e", drop)
	now := c.all("e", "f", "g")
	saved := c.hpIn("e", "c") - hpE
	if saved < 1 || saved > 4 {
		t.Fatalf("dropping the hit gives back %d", saved)
	}
	if got := c.hpIn("g", "c") - hpG; got != saved {
		t.Errorf("in the last fight the patient has %d more, of %d", got, saved)
	}
	for _, x := range dry.Onward { // what was foretold is what happened, where nothing is rolled anew
		for _, ch := range x.Changes {
			if x.Kind == encounterv1.Consequence_KIND_RECORD && ch.Path == "hp" && ch.After != fmt.Sprint(c.hp(x.Patient)) {
				t.Errorf("the dry run said %s of %s, it is %d", ch.After, x.Patient, c.hp(x.Patient))
			}
		}
	}
	c.do(gm, "e", lastCmd)
	c.same("taken back", was, c.all("e", "f", "g"))
	c.do(gm, "e", &eventv1.Command{What: &eventv1.Command_Redo{Redo: &eventv1.RedoEncounter{}}})
	c.same("made again", now, c.all("e", "f", "g"))
	c.do(gm, "g", lastCmd) // from another fight that it is part of
	c.same("taken back elsewhere", was, c.all("e", "f", "g"))
	c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: first}))
	c.same("amended without a change", was, c.all("e", "f", "g"))
}

// asks gives what stands in the way of a ruling.
func (c *campaign) troubles(fight string, am *eventv1.AmendCommand) []*encounterv1.Trouble {
	c.t.Helper()
	return c.dryRun(fight, amendCmd(am)).Troubles
}

// A deed that cannot be done any more, or asks what nobody has answered, stands in the
// way until the game master drops it, lets it stand, or answers.
func TestDeedsStandInTheWayOfARuling(t *testing.T) {
	c := newCampaign(t)
	c.begin("e", "c", "d")
	c.hits("e", "c")
	whisper := c.do(gm, "e", takeCmd("a", "whisper", "b")).Step.Number
	c.end("e")
	c.tend("mend", "d", "c") // one kit
	c.tend("mend", "d", "c") // the other
	c.begin("f", "c")
	c.end("f")
	c.do(gm, "e", &eventv1.Command{What: &eventv1.Command_OpenDice{OpenDice: &eventv1.OpenDice{}}})
	was := c.all("e", "f")
	hp := c.hp("c")
	// One more hit, on who mends: then it is hurt, but nothing of that stands in the way.
	hurt := &eventv1.AmendCommand{Version: whisper, Command: early(takeCmd("a", "attack", "d"), "parry", "no", "endure", "no")}
	if got := c.troubles("e", hurt); len(got) > 0 {
		t.Fatalf("troubles: %v", got)
	}
	// A wound so deep that mending asks how.
	deep := &eventv1.AmendCommand{Version: whisper, Command: early(takeCmd("a", "attack", "c"), "parry", "no", "endure", "no"),
		Rolls: []*eventv1.FixedRoll{{Label: "harm/damage", Total: proto.Int32(90)}}}
	got := c.troubles("e", deep)
	if len(got) != 1 || got[0].Patient != "c" || got[0].Decision.GetName() != "deep" || got[0].Version != 4 {
		t.Fatalf("troubles: %v", got)
	}
	if _, err := c.try(gm, "e", amendCmd(deep)); reason(err) != "AMENDMENT_IN_TROUBLE" {
		t.Errorf("in trouble: %v", err)
	}
	c.same("after a refusal", was, c.all("e", "f"))
	on := &eventv1.Onward{Patient: "c"}
	deep.Onward = []*eventv1.Onward{on}
	for range 2 {
		got = c.troubles("e", deep)
		for _, x := range got {
			on.Resolve = append(on.Resolve, &eventv1.AnswerDecision{Decision: x.Decision.GetId(), Answer: &eventv1.Answer{Option: "yes"}})
		}
	}
	if got = c.troubles("e", deep); len(got) > 0 {
		t.Fatalf("still in trouble: %v", got)
	}
	before := c.hpIn("e", "c")
	c.do(gm, "e", amendCmd(deep))
	if after := c.hpIn("e", "c"); before-after != 90 {
		t.Fatalf("the wound took %d", before-after)
	}
	if got, want := c.hp("c"), c.hpIn("e", "c")+20; got != want || got == hp {
		t.Errorf("mended twice, 10 each: %d, want %d", got, want)
	}
	if c.hpIn("f", "c") != c.hp("c") {
		t.Errorf("in the later fight it had %d, its record says %d", c.hpIn("f", "c"), c.hp("c"))
	}
	c.do(gm, "f", lastCmd)
	c.same("taken back", was, c.all("e", "f"))
}

// A deed that did not touch a patient touches it by a ruling, and its record has that.
func TestARulingTouchesAnotherPatient(t *testing.T) {
	c := newCampaign(t)
	c.begin("e", "c", "d")
	c.hits("e", "c")
	whisper := c.do(gm, "e", takeCmd("a", "whisper", "b")).Step.Number
	c.end("e")
	c.tend("mend", "", "c", "d") // d was unhurt
	c.begin("f", "d")
	c.end("f")
	was := c.all("e", "f")
	c.do(gm, "e", &eventv1.Command{What: &eventv1.Command_OpenDice{OpenDice: &eventv1.OpenDice{}}})
	c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: whisper, Command: early(takeCmd("a", "attack", "d"), "parry", "no", "endure", "no"),
		Rolls: []*eventv1.FixedRoll{{Label: "harm/damage", Total: proto.Int32(50)}}}))
	if hp := c.hp("d"); hp < 51 || hp > 56 || c.hpIn("f", "d") != hp {
		t.Errorf("after 50 points and a mending d has %d, in the later fight %d", hp, c.hpIn("f", "d"))
	}
	now := c.all("e", "f")
	// And a ruling on that.
	c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: whisper}))
	c.same("amended without a change", now, c.all("e", "f"))
	c.do(gm, "e", lastCmd)
	c.do(gm, "e", lastCmd)
	c.same("taken back", was, c.all("e", "f"))
}

// A patient that leaves in mid-fight and comes back comes back as its record says by
// the ruling.
func TestARulingFollowsAPatientBackIntoTheFight(t *testing.T) {
	c := newCampaign(t)
	c.begin("e", "c")
	first := c.hits("e", "c")
	remove := &eventv1.Command{What: &eventv1.Command_Remove{Remove: &eventv1.RemoveCreature{Creature: "c"}}}
	c.do(gm, "e", remove)
	c.tend("mend", "", "c")
	c.do(gm, "e", patientCmd("c", "c"))
	c.hit("e", "c")
	c.end("e")
	was, hp := c.all("e"), c.hp("c")
	drop := amendCmd(&eventv1.AmendCommand{Version: first, Drop: true})
	if dry := c.dryRun("e", drop); len(dry.Troubles) > 0 {
		t.Fatalf("troubles: %v", dry.Troubles)
	}
	c.do(gm, "e", drop)
	if c.hp("c") <= hp || c.hp("c") > hp+4 || c.hpIn("e", "c") != c.hp("c") {
		t.Errorf("of %d it has %d, at the end of the fight %d", hp, c.hp("c"), c.hpIn("e", "c"))
	}
	c.do(gm, "e", lastCmd)
	c.same("taken back", was, c.all("e"))
}

// What came after a ruling in any of its records stands in the way of taking it back,
// and a fight or a deed stands when the game master says so.
func TestARulingIsTakenBackWholeOrNot(t *testing.T) {
	c := newCampaign(t)
	c.begin("e", "c")
	first := c.hits("e", "c")
	c.end("e")
	c.begin("f", "c")
	c.hit("f", "c")
	c.end("f")
	hpF := c.hpIn("f", "c")
	stands := amendCmd(&eventv1.AmendCommand{Version: first, Drop: true, Onward: []*eventv1.Onward{{Encounter: "f", Stands: true}}})
	was := c.all("e", "f")
	c.do(gm, "e", stands)
	if c.hpIn("f", "c") != hpF {
		t.Error("the fight that stands is another")
	}
	c.do(gm, "e", lastCmd)
	c.same("taken back", was, c.all("e", "f"))
	c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: first, Drop: true}))
	// Another server begins anew from disk and knows of the ruling.
	c.client.stop()
	c.client = c.w.start()
	undo := &injuryv1.TendRequest{RequestId: "undo", As: gm, Command: &eventv1.Command{What: &eventv1.Command_Patient{Patient: &eventv1.PatientCommand{Deed: "revert", Patients: []string{"c"}}}}}
	if _, err := c.w.records.Tend(t.Context(), undo); reason(err) != "RULING_OF_FIGHTS" {
		t.Errorf("taken back in the record alone: %v", err)
	}
	if _, err := c.try(gm, "e", toVersion(first)); reason(err) != "RULING_GOES_ON" {
		t.Errorf("taken back with more: %v", err)
	}
	c.tend("mend", "", "c")
	if _, err := c.try(gm, "e", lastCmd); reason(err) != "RULING_WENT_ON" {
		t.Errorf("taken back behind a later deed: %v", err)
	}
	if _, err := c.try(gm, "f", lastCmd); reason(err) != "RULING_WENT_ON" {
		t.Errorf("taken back elsewhere behind a later deed: %v", err)
	}
}

// Who was told nothing by a ruling is not told of it: not in the history of a patient.
func TestOnlyWhoeverHearsSomethingElseIsToldInARecord(t *testing.T) {
	c := newCampaign(t)
	c.begin("e", "c")
	first := c.hits("e", "c") // hit points are for controllers alone, and nobody controls c
	c.end("e")
	history := func(as *eventv1.Principal) int {
		h, err := c.w.records.GetPatientHistory(t.Context(), &injuryv1.GetPatientHistoryRequest{As: as, Patient: "c", Limit: 200})
		if err != nil {
			t.Fatal(err)
		}
		return len(h.Entries)
	}
	gms, anns := history(gm), history(ann)
	c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: first, Drop: true}))
	if history(gm) <= gms {
		t.Error("the game master's history of the patient says nothing of the ruling")
	}
	if got := history(ann); got != anns {
		t.Errorf("ann's history of the patient has %d entries, and had %d: of what changed she hears nothing", got, anns)
	}
}
