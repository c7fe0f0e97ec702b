package story

import (
	"context"
	"fmt"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/render"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// club is what the ogre strikes with.
const club = "greatclub"

// atTheBridge is the first fight: a critical hit, which is a wound, and the hit that is
// contested, which is three, since it takes more than half of all hit points.
func (s *story) atTheBridge(ctx context.Context) error {
	s.title("The fight before yesterday's: the bridge")
	rogue, err := shipped("rogue", patient, "Tam", "party", ann)
	if err != nil {
		return err
	}
	if _, err := s.tend(ctx, gm, &eventv1.PatientCommand{Deed: "enrol", Patients: []string{patient}, Sheet: rogue}); err != nil {
		return err
	}
	brenna, err := shipped("fighter", "brenna", "Brenna", "party", ben)
	if err != nil {
		return err
	}
	ogre, err := shipped("ogre", "ogre", "Ogre", "monsters", nil)
	if err != nil {
		return err
	}
	if err := s.all(ctx, bridge, create("The bridge"), add(brought(), 0), add(brenna, 30), add(ogre, 5)); err != nil {
		return err
	}
	for _, who := range []*eventv1.Principal{ann, ben} {
		if _, err := s.do(ctx, who, bridge, entropy("the words of "+who.Name)); err != nil {
			return err
		}
	}
	if err := s.all(ctx, bridge, start(1, 18, 5), attack("ogre", club, patient, 20, 1, 1, 1, 1),
		turn("ogre", 18), turn(patient, 5), turn("brenna", 1), attack("ogre", club, patient, 11, 8, 8), end("the ogre has its toll")); err != nil {
		return err
	}
	return s.opened(ctx, bridge, 1)
}

// rests is the hour between the fights: a hit die, and one wound less, since the game
// master says that no kit is at hand.
func (s *story) rests(ctx context.Context) error {
	s.title("The rest after it")
	how, err := structpb.NewStruct(map[string]any{"kind": "short", "dice": 1, "kit_available": false})
	if err != nil {
		return err
	}
	_, err = s.tend(ctx, gm, &eventv1.PatientCommand{Deed: "rest", Patients: []string{patient}, Parameters: how})
	return err
}

// atTheFord is yesterday's fight: who is in shock rolls two dice for its place in the
// order, and the lower counts. The orc's place is behind whatever Tam rolls.
func (s *story) atTheFord(ctx context.Context) error {
	s.title("Yesterday's fight: the ford")
	grak, err := shipped("orc", "grak", "Grak", "monsters", nil)
	if err != nil {
		return err
	}
	if err := s.all(ctx, ford, create("The ford"), add(brought(), 0), add(grak, 5), start(1, 15, 9),
		attack(patient, "shortsword", "grak", 12, 4), turn(patient, 12, 10), attack("grak", "greataxe", patient, 15, 2), end("the orc runs")); err != nil {
		return err
	}
	s.summary.Before, err = s.hp(ctx)
	if err != nil {
		return err
	}
	return s.opened(ctx, ford, 1)
}

// tend carries out a deed between fights.
func (s *story) tend(ctx context.Context, as *eventv1.Principal, deed *eventv1.PatientCommand) (*injuryv1.TendResponse, error) {
	s.n++
	req := &injuryv1.TendRequest{RequestId: fmt.Sprint("story-", s.n), As: as, Table: table,
		Command: &eventv1.Command{What: &eventv1.Command_Patient{Patient: deed}}}
	if deed.Deed == "enrol" {
		req.System = system
	}
	resp, err := s.records.Tend(ctx, req)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", deed.Deed, err)
	}
	st := render.Style{Record: true, Names: map[string]string{patient: "Tam"}}
	s.tell("%s%s", st.Events(resp.Events), render.Patient(resp.Patient))
	return resp, nil
}

// hp are the hit points that the record has.
func (s *story) hp(ctx context.Context) (int32, error) {
	resp, err := s.records.GetPatient(ctx, &injuryv1.GetPatientRequest{As: gm, Table: table, Patient: patient})
	return resp.GetPatient().GetCreature().GetHp(), err
}

// opened waits until all dice of an epoch are opened, which is done after the end by
// itself: the seed of the public branch, and by the table's policy those of the others.
func (s *story) opened(ctx context.Context, fight string, epoch uint32) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	stream, err := s.fights.Watch(ctx, &encounterv1.WatchRequest{As: gm, Table: table, Encounter: fight})
	if err != nil {
		return err
	}
	waiting := map[string]bool{"everyone": true, "gm": true, "creatures": true}
	for len(waiting) > 0 {
		resp, err := stream.Recv()
		if err != nil {
			return fmt.Errorf("waiting for the dice of %s: %w", fight, err)
		}
		for _, e := range resp.GetStep().GetEvents() {
			if r := e.GetDiceRevealed(); r != nil && r.Epoch == epoch {
				delete(waiting, r.Branch)
			}
		}
	}
	return nil
}
