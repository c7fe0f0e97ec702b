package robustness

import (
	"fmt"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/content/sheets"
	"github.com/skaldrpg/skald/pkg/systems"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// tale is a campaign of two fights in one of two worlds: of Ann's patient, and of another
// that lurks in both fights and that the game master alone knows of.
type tale struct {
	*side
	hurt map[string]uint64 // the step of the first fight at which each was hurt
}

// TestTwoWorldsOfCampaigns plays two fights of the same patients in two worlds that differ
// in what becomes of a patient that lurks unseen, and rules on the first: on what happened
// to it in one world alone, then on what happened to Ann's in both, and takes that back.
// All that others are told of fights and records must be the same, to the byte.
func TestTwoWorldsOfCampaigns(t *testing.T) {
	for _, system := range systems.Registry().IDs() {
		t.Run(system, func(t *testing.T) {
			w := &worlds{t: t, system: system, of: "e", watcher: []*eventv1.Principal{annPlays, watching, {Role: eventv1.Principal_ROLE_PLAYER, Name: "nobody"}}}
			var both []*tale
			for i := range 2 {
				both = append(both, &tale{side: newSide(t, 77), hurt: map[string]uint64{}})
				both[i].play(system, int32(3+i)) //nolint:gosec // two
			}
			compare := func(when string) {
				for _, as := range w.watcher {
					one, two := both[0].tell(w, as), both[1].tell(w, as)
					for i := range one {
						w.same(fmt.Sprintf("%s, %v: %s", when, as, one[i][0]), one[i][1], two[i][1])
					}
				}
			}
			compare("after two fights")
			was := both[1].hpOf("lurker")
			both[1].rule("lurker", 9)
			if now := both[1].hpOf("lurker"); now == was {
				t.Fatalf("the ruling did not go on into the record of the lurker: %d", now)
			}
			compare("after a ruling on who lurks, in one world")
			before := both[0].hpOf("kara")
			for _, s := range both {
				s.rule("kara", 8)
			}
			if both[0].hpOf("kara") == before {
				t.Fatal("the ruling did not go on into the record of Ann's patient")
			}
			compare("after a ruling on Ann's patient")
			for _, s := range both {
				s.must(gm, "first", lastCommand)
			}
			compare("after it was taken back")
			both[1].must(gm, "second", lastCommand) // that of the lurker
			if now := both[1].hpOf("lurker"); now != was {
				t.Errorf("taken back, the lurker has %d, and had %d", now, was)
			}
			compare("after the other was taken back")
		})
	}
}

func (s *tale) must(as *eventv1.Principal, encounter string, cmd *eventv1.Command) *encounterv1.ExecuteResponse {
	s.t.Helper()
	s.n++
	req := &encounterv1.ExecuteRequest{RequestId: fmt.Sprint("tale-", s.n), As: as, Encounter: encounter, Command: proto.CloneOf(cmd)}
	resp, err := s.client.Execute(s.t.Context(), req)
	for err == nil && len(resp.Decisions) > 0 {
		s.n++
		resp, err = s.client.Execute(s.t.Context(), &encounterv1.ExecuteRequest{RequestId: fmt.Sprint("tale-", s.n), As: gm, Encounter: encounter,
			Command: replyTo(s.t, resp.Decisions[0], 0)})
	}
	if err != nil {
		s.t.Fatalf("%s: %v: %v", encounter, cmd, err)
	}
	return resp
}

// play plays both fights, with a rest between; the lurker has so many hit points left.
func (s *tale) play(system string, lurks int32) {
	s.t.Helper()
	sheet := func(id string, n int, controllers ...string) *eventv1.Sheet {
		of, err := sheets.Get(system, sheets.List(system)[n])
		if err != nil {
			s.t.Fatal(err)
		}
		of = proto.CloneOf(of)
		of.Id, of.Name, of.Controllers, of.HitPoints = id, id, controllers, 40
		return of
	}
	tend := func(deed *eventv1.PatientCommand) {
		s.n++
		req := &injuryv1.TendRequest{RequestId: fmt.Sprint("tale-", s.n), As: gm, Command: &eventv1.Command{What: &eventv1.Command_Patient{Patient: deed}}}
		if deed.Deed == "enrol" {
			req.System = system
		}
		if _, err := s.patient.Tend(s.t.Context(), req); err != nil {
			s.t.Fatalf("%v: %v", deed, err)
		}
	}
	tend(&eventv1.PatientCommand{Deed: "enrol", Patients: []string{"kara"}, Sheet: sheet("kara", 0, "ann")})
	tend(&eventv1.PatientCommand{Deed: "enrol", Patients: []string{"lurker"}, Sheet: sheet("lurker", 0)})
	for _, fight := range []string{"first", "second"} {
		s.must(gm, fight, &eventv1.Command{What: &eventv1.Command_Create{Create: &eventv1.CreateEncounter{System: system}}})
		s.must(gm, fight, &eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: &eventv1.Sheet{Id: "kara", Patient: "kara", Side: "party"}}}})
		s.must(gm, fight, &eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: &eventv1.Sheet{Id: "lurker", Patient: "lurker", Side: "monsters"}, Staged: true}}})
		if fight == "first" {
			s.hurt["lurker"] = s.must(gm, fight, hit("lurker", lurks)).Step.Number
			s.hurt["kara"] = s.must(gm, fight, hit("kara", 5)).Step.Number
		}
		s.must(gm, fight, &eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}})
		hours, err := structpb.NewStruct(map[string]any{"hours": 1})
		if err != nil {
			s.t.Fatal(err)
		}
		tend(&eventv1.PatientCommand{Deed: "pass-time", Patients: []string{"kara"}, Parameters: hours})
		tend(&eventv1.PatientCommand{Deed: "pass-time", Patients: []string{"lurker"}, Parameters: hours})
	}
}

// hit leaves somebody so many hit points, by the game master's word.
func hit(id string, hp int32) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: id, Reason: "a stone", Vitals: &eventv1.Vitals{Hp: &hp}}}}
}

// rule has somebody be left other hit points in the first fight.
func (s *tale) rule(id string, hp int32) {
	s.t.Helper()
	s.must(gm, "first", &eventv1.Command{What: &eventv1.Command_Amend{Amend: &eventv1.AmendCommand{Version: s.hurt[id], Command: hit(id, hp), Reason: "a pebble"}}})
}

func (s *tale) hpOf(patient string) int32 {
	s.t.Helper()
	resp, err := s.patient.GetPatient(s.t.Context(), &injuryv1.GetPatientRequest{As: gm, Patient: patient})
	if err != nil {
		s.t.Fatal(err)
	}
	return resp.Patient.Creature.GetHp()
}

// tell asks by every method that a viewer has for fights and records.
func (s *tale) tell(w *worlds, as *eventv1.Principal) (out [][2]string) {
	ctx := s.t.Context()
	add := func(what string, m proto.Message, err error) { out = append(out, [2]string{what, said(m, err)}) }
	for _, fight := range []string{"first", "second"} {
		state, err := s.client.GetState(ctx, &encounterv1.GetStateRequest{As: as, Encounter: fight})
		add(fight+": state", state, err)
		h, err := s.client.GetHistory(ctx, &encounterv1.GetHistoryRequest{As: as, Encounter: fight, Limit: 1000})
		add(fight+": history", h, err)
		for _, step := range h.GetSteps() {
			x, err := s.client.Explain(ctx, &encounterv1.ExplainRequest{As: as, Encounter: fight, Number: step.Number})
			add(fmt.Sprint(fight, ": explain ", step.Number), x, err)
			at, err := s.client.GetState(ctx, &encounterv1.GetStateRequest{As: as, Encounter: fight, At: step.Number})
			add(fmt.Sprint(fight, ": state at ", step.Number), at, err)
			if step.Ruling != nil {
				in, err := s.client.GetHistory(ctx, &encounterv1.GetHistoryRequest{As: as, Encounter: fight, Within: step.Number, Limit: 1000})
				add(fmt.Sprint(fight, ": inside ", step.Number), in, err)
				d, err := s.client.GetDifference(ctx, &encounterv1.GetDifferenceRequest{As: as, Encounter: fight, Of: step.Number})
				add(fmt.Sprint(fight, ": difference of ", step.Number), d, err)
			}
		}
		contests, err := s.whatIf.ListContests(ctx, &encounterv1.ListContestsRequest{As: as, Encounter: fight, DryRun: true})
		add(fight+": contests", contests, err)
		other, err := s.whatIf.Compare(ctx, &encounterv1.CompareRequest{As: as, Encounter: "first", OtherEncounter: fight})
		add(fight+": compare", other, err)
		head, err := s.record.GetHead(ctx, &encounterv1.GetHeadRequest{As: as, Encounter: fight})
		add(fight+": words", head.GetPublic(), err)
		transcript, err := s.record.GetTranscript(ctx, &encounterv1.GetTranscriptRequest{As: as, Encounter: fight, Limit: 1000, WithBytes: true})
		add(fight+": transcript", transcript, err)
		for _, step := range transcript.GetSteps() { // to the byte: said leaves hashes out
			out = append(out, [2]string{fmt.Sprint(fight, ": bytes of ", step.Number), fmt.Sprintf("%x %x", step.Bytes, step.Transcript)})
		}
		undo, err := s.client.PreviewRuling(ctx, &encounterv1.PreviewRulingRequest{As: as, Encounter: fight, Command: lastCommand})
		add(fight+": dry run", undo, err)
	}
	list, err := s.patient.ListPatients(ctx, &injuryv1.ListPatientsRequest{As: as})
	add("patients", list, err)
	for _, patient := range []string{"kara", "lurker"} {
		p, err := s.patient.GetPatient(ctx, &injuryv1.GetPatientRequest{As: as, Patient: patient})
		add("patient "+patient, p, err)
		h, err := s.patient.GetPatientHistory(ctx, &injuryv1.GetPatientHistoryRequest{As: as, Patient: patient, Limit: 200})
		add("history of "+patient, h, err)
		for n := range len(h.GetEntries()) + 1 {
			x, err := s.exports.ExplainDeed(ctx, &injuryv1.ExplainDeedRequest{As: as, Patient: patient, Entry: uint64(n)}) //nolint:gosec // a count
			add(fmt.Sprint("explain entry ", n, " of ", patient), x, err)
		}
	}
	return out
}
