package cosign_test

import (
	"crypto/rand"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/cmd/skald/internal/backup"
	"github.com/skaldrpg/skald/cmd/skald/internal/cosign"
	"github.com/skaldrpg/skald/cmd/skald/internal/proof"
	"github.com/skaldrpg/skald/pkg/attest"
	"github.com/skaldrpg/skald/pkg/content/sheets"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

var ann = &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: "ann"}

// tend does something to the patient tam.
func (s *server) tend(deed *eventv1.PatientCommand, system string) {
	s.t.Helper()
	deed.Patients = []string{"tam"}
	if _, err := injuryv1.NewInjuryServiceClient(s.stack.Conn()).Tend(s.t.Context(), &injuryv1.TendRequest{RequestId: fmt.Sprint(time.Now().UnixNano()), As: gm, System: system,
		Command: &eventv1.Command{What: &eventv1.Command_Patient{Patient: deed}}}); err != nil {
		s.t.Fatal(err)
	}
}

func (s *server) enrol() {
	s.t.Helper()
	sheet, err := sheets.Get("rcr", "rogue")
	if err != nil {
		s.t.Fatal(err)
	}
	sheet = proto.CloneOf(sheet)
	sheet.Controllers = []string{"ann"}
	s.tend(&eventv1.PatientCommand{Deed: "enrol", Sheet: sheet}, "rcr")
}

func (s *server) hours(n float64) {
	s.t.Helper()
	parameters, err := structpb.NewStruct(map[string]any{"hours": n})
	if err != nil {
		s.t.Fatal(err)
	}
	s.tend(&eventv1.PatientCommand{Deed: "pass-time", Parameters: parameters}, "")
}

// heads of tam, as the caller may have them.
func (s *server) heads(as *eventv1.Principal) (own, chain attest.Head) {
	s.t.Helper()
	resp, err := s.record.GetHead(s.t.Context(), &encounterv1.GetHeadRequest{As: as, Patient: "tam"})
	if err != nil {
		s.t.Fatal(err)
	}
	if own, err = attest.UncheckedHead(resp.Heads.Own); err != nil {
		s.t.Fatal(err)
	}
	if resp.Heads.Chain != "" {
		if chain, err = attest.UncheckedHead(resp.Heads.Chain); err != nil {
			s.t.Fatal(err)
		}
	}
	return own, chain
}

// extends says how tam's record does not go on from heads that were kept.
func (s *server) extends(as *eventv1.Principal, own, chain attest.Head) error {
	s.t.Helper()
	nowOwn, nowChain := s.heads(as)
	var digests, headers [][]byte
	if nowOwn.Number > own.Number {
		resp, err := s.record.GetTranscript(s.t.Context(), &encounterv1.GetTranscriptRequest{As: as, Patient: "tam", After: own.Number})
		if err != nil {
			s.t.Fatal(err)
		}
		for _, step := range resp.Steps {
			digests = append(digests, step.Digest)
		}
	}
	if nowChain.Number > chain.Number {
		resp, err := s.record.GetHeaders(s.t.Context(), &encounterv1.GetHeadersRequest{As: as, Patient: "tam", After: chain.Number})
		if err != nil {
			s.t.Fatal(err)
		}
		headers = resp.Headers
	}
	of := proof.Extends(nowOwn, own, digests)
	if as == gm {
		if err := proof.ExtendsChain(nowChain, chain, headers); (err == nil) != (of == nil) {
			s.t.Errorf("the transcript says %v, and the chain %v", of, err)
		}
	}
	return of
}

// The tree over the patients of a table is watched beside that over the encounters, and an
// older backup is found by the witness, by the game master's heads and by a player's, while
// it is behind and when it has gone on otherwise.
func TestOlderBackupOfAPatient(t *testing.T) {
	top := t.TempDir()
	data, bk := filepath.Join(top, "data"), filepath.Join(top, "backup")
	s := start(t, data)
	own, err := attest.OpenKeys(filepath.Join(top, "witness.key"), "witness", rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	w := cosign.Witness{File: filepath.Join(top, "state"), Own: own, Client: s.record}
	look := func(want int64) {
		t.Helper()
		logs, err := w.Look(t.Context(), "main")
		if err != nil || len(logs) != 2 || logs[1].Size != want || !logs[1].Patients {
			t.Fatalf("%+v, %v", logs, err)
		}
	}
	look(0)
	s.enrol()
	look(1)
	oldOwn, oldChain := s.heads(gm)
	annOld, none := s.heads(ann)
	if none.Number != 0 {
		t.Errorf("a player has a head of the chain: %+v", none)
	}
	if out, err := backup.Backup(t.Context(), backup.Config{DataDir: data, Archive: filepath.Join(data, "archive"), To: bk, Key: true, Logger: quiet}); err != nil || len(out) != 1 {
		t.Fatalf("%+v, %v", out, err)
	}
	s.hours(1)
	s.hours(2)
	look(3)
	for as, kept := range map[*eventv1.Principal][2]attest.Head{gm: {oldOwn, oldChain}, ann: {annOld, none}} {
		if err := s.extends(as, kept[0], kept[1]); err != nil {
			t.Error(err)
		}
	}
	s.proved(t)
	gmOwn, gmChain := s.heads(gm)
	annOwn, _ := s.heads(ann)
	if err := s.stack.Close(); err != nil {
		t.Fatal(err)
	}
	older := filepath.Join(top, "older")
	if _, err := backup.Restore(t.Context(), backup.RestoreConfig{From: bk, DataDir: older, Logger: quiet}); err != nil {
		t.Fatal(err)
	}
	s = start(t, older)
	w.Client = s.record
	refused := func(when, why string) {
		t.Helper()
		if _, err := w.Look(t.Context(), "main"); !errors.Is(err, cosign.ErrRefused) {
			t.Errorf("%s: the witness says %v", when, err)
		}
		for as, kept := range map[*eventv1.Principal][2]attest.Head{gm: {gmOwn, gmChain}, ann: {annOwn, none}} {
			if err := s.extends(as, kept[0], kept[1]); err == nil || !strings.Contains(err.Error(), why) {
				t.Errorf("%s, %s: %v", when, as.Role, err)
			}
		}
	}
	refused("behind", "the end is gone")
	for _, n := range []float64{2, 1, 1} {
		s.hours(n)
	}
	refused("gone on otherwise", "two histories")
}

// proved holds that each Commit of tam lies in the checkpoint, and that another does not.
func (s *server) proved(t *testing.T) {
	t.Helper()
	resp, err := s.record.GetCheckpoint(t.Context(), &encounterv1.GetCheckpointRequest{Patients: true})
	if err != nil {
		t.Fatal(err)
	}
	text, _, _ := strings.Cut(resp.Checkpoint, "\n\n")
	tree, err := attest.ParseCheckpoint(text + "\n")
	if err != nil || !strings.HasSuffix(tree.Log, "/main/patients") {
		t.Fatalf("%q: %v", resp.Checkpoint, err)
	}
	_, chain := s.heads(gm)
	for version := uint64(1); version <= chain.Number; version++ {
		p, err := s.record.ProveHead(t.Context(), &encounterv1.ProveHeadRequest{As: gm, Patient: "tam", Version: version, Size: uint64(tree.Size)})
		if err != nil {
			t.Fatal(err)
		}
		if err := tree.Holds([]byte(p.Leaf), int64(p.Index), p.Proof); err != nil {
			t.Error(err)
		}
		if version == chain.Number && p.Leaf != string(attest.Leaf(chain)) {
			t.Errorf("leaf %q, want that of %+v", p.Leaf, chain)
		}
		other := chain
		other.Hash = make([]byte, attest.Size)
		if err := tree.Holds(attest.Leaf(other), int64(p.Index), p.Proof); err == nil {
			t.Error("another Commit is held to be in the tree")
		}
	}
	if _, err := s.record.ProveHead(t.Context(), &encounterv1.ProveHeadRequest{As: ann, Patient: "tam", Version: 1}); err == nil {
		t.Error("a player may count Commits")
	}
	if _, err := s.record.GetHeaders(t.Context(), &encounterv1.GetHeadersRequest{As: ann, Patient: "tam"}); err == nil {
		t.Error("a player may read headers")
	}
	if _, err := s.record.GetHead(t.Context(), &encounterv1.GetHeadRequest{As: gm, Patient: "tam", Encounter: "e"}); err == nil {
		t.Error("a question about two things is answered")
	}
}
