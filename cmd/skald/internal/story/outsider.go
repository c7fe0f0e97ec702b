package story

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// outsider verifies the exported campaign with nothing but the file, the server's key and
// a head that a player kept; and a copy of the file out of which the ruling was taken.
func (s *story) outsider(ctx context.Context) error {
	s.title("An outsider verifies the campaign, offline")
	if _, err := s.tend(ctx, gm, &eventv1.PatientCommand{Deed: "reveal", Patients: []string{patient}}); err != nil {
		return err
	}
	keys, head, err := s.kept(ctx)
	if err != nil {
		return err
	}
	whole, cut := s.file("campaign.jsonl"), s.file("cut.jsonl")
	if err := s.Export(ctx, s.Conn, table, whole); err != nil {
		return err
	}
	report, err := s.Verify(ctx, whole, keys, []string{head})
	if err != nil {
		return err
	}
	s.tell("%s", report)
	if !report.Holds() {
		return fmt.Errorf("%w: the campaign does not hold: %v", ErrStory, report.Problems)
	}
	s.summary.Commits, s.summary.Faces = report.Commits+report.PatientCommits, report.Faces
	s.title("And a copy that ends before the ruling, which some operator would rather show")
	if err := withoutRuling(whole, cut); err != nil {
		return err
	}
	if report, err = s.Verify(ctx, cut, keys, []string{head}); err != nil {
		return err
	}
	for _, p := range report.Problems {
		s.tell("PROBLEM: %s\n", p)
	}
	if s.summary.Found = report.Problems; report.OK() {
		return fmt.Errorf("%w: nobody finds that the ruling is gone", ErrStory)
	}
	return nil
}

// kept are the keys of the server, and the head that a player keeps of the first fight:
// a file.
func (s *story) kept(ctx context.Context) (keys []string, head string, err error) {
	listed, err := s.record.GetKeys(ctx, &encounterv1.GetKeysRequest{})
	if err != nil {
		return nil, "", err
	}
	for _, k := range listed.Keys {
		keys = append(keys, k.Verifier)
	}
	resp, err := s.record.GetHead(ctx, &encounterv1.GetHeadRequest{As: ben, Table: table, Encounter: bridge})
	if err != nil {
		return nil, "", err
	}
	head = s.file("bridge.head")
	return keys, head, os.WriteFile(head, []byte(resp.Heads.GetChain()), 0o600)
}

// withoutRuling copies the file up to the ruling, and ends it as a file ends; the heads
// that the export begins with are left out, as an operator can sign others.
func withoutRuling(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	lines := uint64(0)
	write := func(line *injuryv1.RecordLine) error {
		text, err := protojson.Marshal(line)
		out.Write(append(text, '\n'))
		lines++
		return err
	}
	in := bufio.NewReader(bytes.NewReader(data))
	for {
		text, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return fmt.Errorf("%w: the file has no ruling", ErrStory)
		}
		if err != nil {
			return err
		}
		line := &injuryv1.RecordLine{}
		if err := protojson.Unmarshal(text, line); err != nil {
			return err
		}
		if rules(line) {
			break
		}
		if line.GetHeads() != nil {
			continue
		}
		if err := write(line); err != nil {
			return err
		}
	}
	if err := write(&injuryv1.RecordLine{What: &injuryv1.RecordLine_End{End: &injuryv1.RecordEnd{Lines: lines}}}); err != nil {
		return err
	}
	return os.WriteFile(to, out.Bytes(), 0o600)
}

// rules tells whether a line is the Commit of an amendment.
func rules(line *injuryv1.RecordLine) bool {
	o, err := event.Open(line.GetCommit())
	if line.GetCommit() == nil || err != nil {
		return false
	}
	cmd := &eventv1.Command{}
	return proto.Unmarshal(o.Cause.GetCommand(), cmd) == nil && cmd.GetAmend() != nil
}

// today is the fight that was about to begin: the patient comes into it as the ruling has it.
func (s *story) today(ctx context.Context) error {
	s.title("Today's fight: Tam comes to the hill with what the ruling left")
	if err := s.all(ctx, hill, create("The hill"), add(brought(), 0)); err != nil {
		return err
	}
	state, err := s.fights.GetState(ctx, &encounterv1.GetStateRequest{As: gm, Table: table, Encounter: hill})
	if err != nil {
		return err
	}
	if hp := state.State.Creatures[patient].GetHp(); hp != s.summary.After || hp <= s.summary.Before {
		return fmt.Errorf("%w: %d hit points at the hill, %d after the ruling, %d before it", ErrStory, hp, s.summary.After, s.summary.Before)
	}
	return nil
}

// name is what a viewer is called.
func name(who *eventv1.Principal) string {
	switch who.Role {
	case eventv1.Principal_ROLE_GM:
		return "the game master"
	case eventv1.Principal_ROLE_SPECTATOR:
		return "a spectator"
	}
	return who.Name
}

// indented is text four blanks further in.
func indented(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString("    " + line)
	}
	return b.String()
}
