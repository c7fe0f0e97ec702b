package story

import (
	"context"
	"fmt"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/render"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// contests has the player contest the hit, the game master look, and rule.
func (s *story) contests(ctx context.Context) error {
	s.title("Today Ann contests the hit at the bridge: there was a parapet")
	step, err := s.theHit(ctx, ann)
	if err != nil {
		return err
	}
	cover, err := structpb.NewStruct(map[string]any{"cover": "half"})
	if err != nil {
		return err
	}
	if _, err := s.do(ctx, ann, bridge, &eventv1.Command{What: &eventv1.Command_Contest{Contest: &eventv1.ContestStep{Step: step,
		Words: "there was a parapet between us", Claim: &eventv1.ContestClaim{Change: &eventv1.TakeAction{Facts: cover}}}}}); err != nil {
		return err
	}
	s.title("What the game master sees: the ruling that would uphold it")
	contest, err := s.looks(ctx)
	if err != nil {
		return err
	}
	for _, fight := range contest.DryRun.NeedsDice { // its dice are open: nobody may know what is rolled anew
		s.title("New dice for " + fight + ", committed to before the ruling")
		if _, err := s.do(ctx, gm, fight, &eventv1.Command{What: &eventv1.Command_OpenDice{OpenDice: &eventv1.OpenDice{}}}); err != nil {
			return err
		}
		if _, err := s.do(ctx, ben, fight, entropy("ben, once more")); err != nil {
			return err
		}
	}
	if len(contest.DryRun.NeedsDice) > 0 {
		s.title("With these the ruling can be made")
		if contest, err = s.looks(ctx); err != nil {
			return err
		}
	}
	if n := len(contest.DryRun.Troubles); n > 0 {
		return fmt.Errorf("%w: %d things stand in the way of the ruling", ErrStory, n)
	}
	for _, roll := range contest.DryRun.Fresh {
		if roll.Encounter == ford {
			s.summary.Rolls++
		}
	}
	ruling := contest.Ruling
	ruling.GetAmend().Reason = "the parapet stands there"
	if _, err = s.do(ctx, gm, bridge, ruling); err != nil {
		return err
	}
	return s.opened(ctx, ford, 2) // the ruling closed the new dice, and they are opened with it
}

// theHit finds the step of the blow in a viewer's own numbers.
func (s *story) theHit(ctx context.Context, as *eventv1.Principal) (uint64, error) {
	h, err := s.fights.GetHistory(ctx, &encounterv1.GetHistoryRequest{As: as, Table: table, Encounter: bridge, Limit: 1000})
	if err != nil {
		return 0, err
	}
	last := uint64(0)
	for _, step := range h.Steps {
		for _, e := range step.Events {
			if e.GetAttack() != nil {
				last = step.Number
			}
		}
	}
	if last == 0 {
		return 0, fmt.Errorf("%w: nobody was hit at the bridge", ErrStory)
	}
	return last, nil
}

// looks asks for the open contest with its dry run.
func (s *story) looks(ctx context.Context) (*encounterv1.ContestListed, error) {
	resp, err := s.whatIf.ListContests(ctx, &encounterv1.ListContestsRequest{As: gm, Table: table, Encounter: bridge, OpenOnly: true, DryRun: true})
	if err != nil {
		return nil, err
	}
	if len(resp.Contests) != 1 || resp.Contests[0].DryRun == nil {
		return nil, fmt.Errorf("%w: %d open contests", ErrStory, len(resp.Contests))
	}
	s.tell("%s", s.style(bridge).Contests(resp))
	return resp.Contests[0], nil
}

// told shows what each program was told by the ruling, and that all show the same words.
func (s *story) told(ctx context.Context) (err error) {
	s.title("What every program shows")
	if s.summary.After, err = s.hp(ctx); err != nil {
		return err
	}
	for _, fight := range []string{bridge, ford} {
		for _, who := range []*eventv1.Principal{gm, ann, ben, spectator} {
			if err := s.program(ctx, fight, who); err != nil {
				return err
			}
		}
	}
	return nil
}

// program is the program of one viewer, that opens the fight now and reads to its end.
func (s *story) program(ctx context.Context, fight string, who *eventv1.Principal) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	stream, err := s.fights.Watch(ctx, &encounterv1.WatchRequest{As: who, Table: table, Encounter: fight})
	if err != nil {
		return err
	}
	st := &render.Style{}
	var ruling string
	for {
		resp, err := stream.Recv()
		if err != nil {
			return err
		}
		if step := resp.GetStep(); step != nil {
			st.Learn(step.Events)
			if step.Ruling != nil && who != gm { // who saw it all before ruling
				ruling = st.Step(step)
			}
		}
		if c := resp.GetCaughtUp(); c != nil {
			words := c.Public.GetWords()
			if was, is := s.summary.Words[fight]; is && was != words {
				return fmt.Errorf("%w: at %s %s reads %q and others %q", ErrStory, fight, name(who), words, was)
			}
			s.summary.Words[fight] = words
			s.tell("%s, %s: %s\n%s", fight, name(who), words, indented(ruling))
			return nil
		}
	}
}
