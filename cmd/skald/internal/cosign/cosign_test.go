package cosign_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/cmd/skald/internal/backup"
	"github.com/skaldrpg/skald/cmd/skald/internal/cosign"
	"github.com/skaldrpg/skald/cmd/skald/internal/proof"
	"github.com/skaldrpg/skald/pkg/attest"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter"
)

var (
	quiet = slog.New(slog.NewTextHandler(io.Discard, nil))
	gm    = &eventv1.Principal{Role: eventv1.Principal_ROLE_GM}
)

// server is the suite on a data folder.
type server struct {
	t      *testing.T
	stack  *allinone.Stack
	fights encounterv1.EncounterServiceClient
	record encounterv1.RecordServiceClient
}

func start(t *testing.T, dir string) *server {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	s, err := allinone.Start(ctx, allinone.Config{DataDir: dir, Archive: filepath.Join(dir, "archive"), Logger: quiet})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() }) //nolint:errcheck // closed by who cares
	return &server{t: t, stack: s, fights: encounterv1.NewEncounterServiceClient(s.Conn()), record: encounterv1.NewRecordServiceClient(s.Conn())}
}

// command is given, and the tree holds it.
func (s *server) command(cmd *eventv1.Command) {
	s.t.Helper()
	if _, err := s.fights.Execute(s.t.Context(), &encounterv1.ExecuteRequest{RequestId: fmt.Sprint(time.Now().UnixNano()), As: gm, Encounter: "e", Command: cmd}); err != nil {
		s.t.Fatal(err)
	}
	s.settle()
}

func (s *server) settle() {
	s.t.Helper()
	if _, err := s.record.ProveHead(s.t.Context(), &encounterv1.ProveHeadRequest{As: gm, Encounter: "e", Version: s.chain().Number}); err != nil {
		s.t.Fatal(err)
	}
}

// chain is the head of the Commits as it is signed.
func (s *server) chain() attest.Head {
	s.t.Helper()
	resp, err := s.record.GetHead(s.t.Context(), &encounterv1.GetHeadRequest{As: gm, Encounter: "e"})
	if err != nil {
		s.t.Fatal(err)
	}
	listed, err := s.record.GetKeys(s.t.Context(), &encounterv1.GetKeysRequest{})
	if err != nil {
		s.t.Fatal(err)
	}
	by, err := attest.Verifiers(listed.Keys[len(listed.Keys)-1].Verifier)
	if err != nil {
		s.t.Fatal(err)
	}
	h, err := attest.OpenHead(resp.Heads.Chain, by)
	if err != nil {
		s.t.Fatal(err)
	}
	return h
}

// headers after a version.
func (s *server) headers(after uint64) [][]byte {
	s.t.Helper()
	resp, err := s.record.GetHeaders(s.t.Context(), &encounterv1.GetHeadersRequest{As: gm, Encounter: "e", After: after})
	if err != nil {
		s.t.Fatal(err)
	}
	return resp.Headers
}

func create() *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_Create{Create: &eventv1.CreateEncounter{System: "basic"}}}
}

func end() *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}}
}

func undo() *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_Revert{Revert: &eventv1.RevertEncounter{To: &eventv1.RevertEncounter_Last{Last: true}}}}
}

// A witness signs what extends what it signed. A server that is started again from an
// older backup is refused: while it is behind, and when it has gone on otherwise; and
// by a client that kept a head.
func TestOlderBackup(t *testing.T) {
	top := t.TempDir()
	data, bk := filepath.Join(top, "data"), filepath.Join(top, "backup")
	s := start(t, data)
	own, err := attest.OpenKeys(filepath.Join(top, "witness.key"), "witness", rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	w := cosign.Witness{File: filepath.Join(top, "state"), Own: own, Client: s.record}
	look := func(want int64) *cosign.Log {
		t.Helper()
		logs, err := w.Look(t.Context(), "main")
		if err != nil || len(logs) != 2 || logs[0].Size < want {
			t.Fatalf("%+v, %v", logs, err)
		}
		return logs[0]
	}
	s.command(create())
	look(1)
	if out, err := backup.Backup(t.Context(), backup.Config{DataDir: data, Archive: filepath.Join(data, "archive"), To: bk, Key: true, Logger: quiet}); err != nil || len(out) != 1 {
		t.Fatalf("%+v, %v", out, err)
	}
	old := s.chain()
	s.command(end())
	s.command(undo())
	s.settle()
	seen := look(3)
	kept := s.chain()
	if err := proof.ExtendsChain(kept, old, s.headers(old.Number)); err != nil {
		t.Error(err)
	}
	both, err := attest.Verifiers(publicOf(t, own)...)
	if err != nil {
		t.Fatal(err)
	}
	if c, _, err := attest.OpenCheckpoint(seen.Signed, both); err != nil || c.Size != seen.Size {
		t.Errorf("the witness's signature: %v", err)
	}
	// A key that the old one endorses is believed.
	if _, err := attest.Rotate(filepath.Join(data, encounter.KeysFile), rand.Reader); err != nil {
		t.Fatal(err)
	}
	look(3)
	if err := s.stack.Close(); err != nil {
		t.Fatal(err)
	}

	older := filepath.Join(top, "older")
	if _, err := backup.Restore(t.Context(), backup.RestoreConfig{From: bk, DataDir: older, Logger: quiet}); err != nil {
		t.Fatal(err)
	}
	s = start(t, older)
	w.Client = s.record
	refused := func(when string) {
		t.Helper()
		if _, err := w.Look(t.Context(), "main"); !errors.Is(err, cosign.ErrRefused) {
			t.Errorf("%s: the witness says %v", when, err)
		}
		now := s.chain()
		headers := [][]byte{}
		if now.Number >= kept.Number {
			headers = s.headers(kept.Number)
		}
		if err := proof.ExtendsChain(now, kept, headers); err == nil {
			t.Errorf("%s: the head extends the one that was kept", when)
		} else {
			t.Logf("%s: %v", when, err)
		}
	}
	refused("behind")
	for range 3 {
		s.command(end())
		s.command(undo())
	}
	s.settle()
	if s.chain().Number <= kept.Number {
		t.Fatal("it has not gone on")
	}
	refused("gone on otherwise")
	state, err := os.ReadFile(w.File)
	if err != nil || len(state) == 0 {
		t.Fatal(err)
	}
}

func publicOf(t *testing.T, k *attest.Keys) (out []string) {
	t.Helper()
	keys, err := k.Public()
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range keys {
		out = append(out, one.Verifier)
	}
	return out
}
