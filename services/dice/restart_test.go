package dice_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/ops"
	"github.com/skaldrpg/skald/pkg/rpc"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/dice"
)

var (
	keyA = strings.Repeat("a1", 32)
	keyB = strings.Repeat("b2", 32)
)

func TestRestartKeepsEverything(t *testing.T) {
	cfg := config(t, openLog(t))
	n := start(t, cfg)
	entropy := []*eventv1.Entropy{{Contributor: "ann", Value: []byte("seven")}}
	before := n.open(t, 1, entropy, everyone, gm)
	n.open(t, 2, nil, everyone)
	faces := n.faces(t, ask(1, "a", "20d100"))
	n.faces(t, with(ask(2, "a", "20d100"), func(r *dicev1.DrawRequest) { r.Branch = gm }))
	spent := n.reveal(t, 2, everyone)
	tapes := n.tapes(t)

	for name, wipe := range map[string]bool{"with its projection": false, "without its projection": true} {
		t.Run(name, func(t *testing.T) {
			if err := n.stop(); err != nil {
				t.Fatal(err)
			}
			if wipe {
				if err := os.Remove(dice.File(cfg.DataDir)); err != nil {
					t.Fatal(err)
				}
			}
			n = start(t, cfg)
			after := n.open(t, 1, entropy, everyone, gm)
			if !bytes.Equal(after[everyone], before[everyone]) || !bytes.Equal(after[gm], before[gm]) {
				t.Error("commitments changed")
			}
			if got := n.faces(t, ask(1, "a", "20d100")); !slices.Equal(got, faces) {
				t.Errorf("faces %v, were %v", got, faces)
			}
			if got := n.reveal(t, 2, everyone); !proto.Equal(got, spent) {
				t.Error("the revealed seed changed")
			}
			got := n.tapes(t)
			if !slices.EqualFunc(got, tapes, func(a, b *dicev1.Tape) bool { return proto.Equal(a, b) }) {
				t.Errorf("tapes %v, were %v", got, tapes)
			}
		})
	}
	// The subtests' server ended with them; what it left behind is on the log.
	n = start(t, cfg)
	if _, err := n.Draw(t.Context(), with(ask(9, "a", "1d20"), func(r *dicev1.DrawRequest) { r.Epoch = 2 })); err == nil {
		t.Error("a spent branch draws after a restart")
	}
}

// Entropy that was closed after the opening, and actions that were opened one by
// one, are known after a restart as before: what is drawn stays the same, what was
// given out is drawn no more, and the rest of its branch goes on.
func TestRestartKeepsWhatWasMixedInAndGivenOut(t *testing.T) {
	cfg := config(t, openLog(t))
	n := start(t, cfg)
	of := &dicev1.OpenEpochRequest{Table: table, Encounter: fight, Epoch: 1, Branches: []string{everyone, gm}, Format: 2, Open: true}
	ok[*dicev1.OpenEpochResponse](t)(n.OpenEpoch(t.Context(), of))
	opened := of.Epoch
	of = &dicev1.OpenEpochRequest{Table: table, Encounter: fight, Epoch: 2, Branches: []string{everyone}, Format: 2, Open: true}
	ok[*dicev1.OpenEpochResponse](t)(n.OpenEpoch(t.Context(), of)) // and stays open
	closing := &dicev1.OpenEpochRequest{Table: table, Encounter: fight, Epoch: opened, Branches: []string{everyone, gm}, Format: 2, Close: true,
		Entropy: []*eventv1.Entropy{{Contributor: "ann", Value: []byte("seven")}}}
	before := ok[*dicev1.OpenEpochResponse](t)(n.OpenEpoch(t.Context(), closing))
	hidden := func(r *dicev1.DrawRequest) { r.Branch = gm }
	faces := n.faces(t, ask(1, "a", "20d100"))
	secret := n.faces(t, with(ask(4, "a", "20d100"), hidden))
	single := &dicev1.RevealRequest{Table: table, Encounter: fight, Epoch: 1, Branch: gm, Action: 3}
	leaf := ok[*dicev1.RevealResponse](t)(n.Reveal(t.Context(), single))
	n.tapes(t) // waits for the projection
	for name, wipe := range map[string]bool{"with its projection": false, "without its projection": true} {
		t.Run(name, func(t *testing.T) {
			if err := n.stop(); err != nil {
				t.Fatal(err)
			}
			if wipe {
				if err := os.Remove(dice.File(cfg.DataDir)); err != nil {
					t.Fatal(err)
				}
			}
			n = start(t, cfg)
			if got := n.faces(t, ask(1, "a", "20d100")); !slices.Equal(got, faces) {
				t.Errorf("faces %v, were %v", got, faces)
			}
			if got := n.faces(t, with(ask(4, "a", "20d100"), hidden)); !slices.Equal(got, secret) {
				t.Errorf("secret faces %v, were %v", got, secret)
			}
			if _, err := n.Draw(t.Context(), with(ask(3, "a", "1d20"), hidden)); status.Code(err) != codes.FailedPrecondition {
				t.Errorf("an action whose dice were given out: %v", err)
			}
			if got := ok[*dicev1.RevealResponse](t)(n.Reveal(t.Context(), single)); !proto.Equal(got, leaf) {
				t.Errorf("the leaf is %v, was %v", got, leaf)
			}
			if _, err := n.Draw(t.Context(), with(ask(1, "a", "1d20"), func(r *dicev1.DrawRequest) { r.Epoch = 2 })); status.Code(err) != codes.FailedPrecondition {
				t.Errorf("dice that still take entropy: %v", err)
			}
			if got := ok[*dicev1.OpenEpochResponse](t)(n.OpenEpoch(t.Context(), closing)); !proto.Equal(got, before) {
				t.Errorf("commitments %v, were %v", got, before)
			}
		})
	}
}

func TestRebuildEqualsLive(t *testing.T) {
	cfg := config(t, openLog(t))
	n := start(t, cfg)
	n.open(t, 1, []*eventv1.Entropy{{Contributor: "ann", Value: []byte{0, 1, 2}}}, everyone, gm)
	for action := range uint64(30) {
		n.faces(t, ask(action, "a", "1d20"))
		n.faces(t, with(ask(action, "a", "1d20"), func(r *dicev1.DrawRequest) { r.Purpose = forPreview }))
	}
	n.open(t, 2, nil, everyone)
	n.reveal(t, 1, everyone)
	n.tapes(t) // waits for the projection
	live := ok[[]byte](t)(n.svc.ContentHash())
	if err := n.stop(); err != nil {
		t.Fatal(err)
	}
	for _, how := range []string{"rebuilt", "folded anew"} {
		if how == "rebuilt" {
			if err := dice.Rebuild(t.Context(), cfg, nil); err != nil {
				t.Fatal(err)
			}
		} else if err := os.Remove(dice.File(cfg.DataDir)); err != nil {
			t.Fatal(err)
		}
		n = start(t, cfg)
		if err := n.svc.Ready(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := ok[[]byte](t)(n.svc.ContentHash()); !bytes.Equal(got, live) {
			t.Errorf("%s: content %x, live %x", how, got, live)
		}
		if err := n.stop(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestMasterKeysThatDoNotFit(t *testing.T) {
	log := openLog(t)
	cfg := config(t, log)
	cfg.MasterKeys = "k:" + keyA
	n := start(t, cfg)
	n.open(t, 1, nil, everyone)
	if err := n.stop(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "keys")
	write := func(text string, mode fs.FileMode) {
		os.Remove(path)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		name  string
		setup func(*dice.Config)
		want  error
	}{
		{"another key", func(c *dice.Config) { c.MasterKeys = keyB }, dice.ErrUnknownKey},
		{"another key under the same id", func(c *dice.Config) { c.MasterKeys = "k:" + keyB }, dice.ErrWrongKey},
		{"missing file", func(c *dice.Config) { c.MasterKeys, c.MasterKeyFile = "", filepath.Join(t.TempDir(), "none") }, dice.ErrKeyMissing},
		{"open to others", func(c *dice.Config) { c.MasterKeys, c.MasterKeyFile = "", path; write("k:"+keyA, 0o640) }, dice.ErrKeyPermissions},
		{"file of another key", func(c *dice.Config) { c.MasterKeys, c.MasterKeyFile = "", path; write(keyB, 0o600) }, dice.ErrUnknownKey},
	} {
		for _, fresh := range []bool{false, true} { // from the projection, and from the log alone
			c := cfg
			tt.setup(&c)
			if fresh {
				c.DataDir = t.TempDir()
			}
			svc, err := dice.New(t.Context(), c)
			if !errors.Is(err, tt.want) || svc != nil {
				t.Errorf("%s (fresh %v): got %v, want %v", tt.name, fresh, err, tt.want)
			}
			if err != nil && (strings.Contains(err.Error(), keyA) || strings.Contains(err.Error(), keyB)) {
				t.Errorf("%s: the error holds a key: %v", tt.name, err)
			}
		}
	}
	c := cfg
	c.MasterKeys, c.MasterKeyFile = "", path
	write("# current\nk:"+keyA+"\n", 0o400)
	start(t, c).open(t, 1, nil, everyone)
}

func TestKeyFileIsMadeOnceAndOnlyWhenAllowed(t *testing.T) {
	cfg := config(t, openLog(t))
	cfg.CreateMasterKey = false
	if _, err := dice.New(t.Context(), cfg); !errors.Is(err, dice.ErrKeyMissing) {
		t.Errorf("without leave to make a key: %v", err)
	}
	cfg.CreateMasterKey = true
	n := start(t, cfg)
	if err := n.stop(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(cfg.DataDir, "dice.key")
	info := ok[os.FileInfo](t)(os.Stat(path))
	if info.Mode().Perm() != 0o600 {
		t.Errorf("mode %04o", info.Mode().Perm())
	}
	first := ok[[]byte](t)(os.ReadFile(path))
	start(t, cfg)
	if again := ok[[]byte](t)(os.ReadFile(path)); !bytes.Equal(first, again) {
		t.Error("a second start changed the key file")
	}
}

func TestRotation(t *testing.T) {
	cfg := config(t, openLog(t))
	cfg.MasterKeys = "old:" + keyA
	n := start(t, cfg)
	before := n.open(t, 1, nil, everyone)
	if err := n.stop(); err != nil {
		t.Fatal(err)
	}
	cfg.MasterKeys = "new:" + base64.StdEncoding.EncodeToString(ok[[]byte](t)(hex.DecodeString(keyB))) + ",old:" + keyA
	n = start(t, cfg)
	if after := n.open(t, 1, nil, everyone); !bytes.Equal(after[everyone], before[everyone]) {
		t.Error("commitment changed by rotation")
	}
	n.open(t, 2, nil, everyone)
	if err := n.stop(); err != nil {
		t.Fatal(err)
	}
	var ids []string
	err := cfg.Journal.Read(t.Context(), "", 1, 0, func(stored journal.Record) error {
		r := &dicev1.Record{}
		if err := proto.Unmarshal(stored.Data, r); err != nil {
			return err
		}
		for _, e := range r.GetEntries() {
			ids = append(ids, e.GetEpoch().GetKeyId())
		}
		return nil
	})
	if err != nil || !slices.Equal(ids, []string{"old", "new"}) {
		t.Errorf("sealed by %v, %v", ids, err)
	}
	cfg.MasterKeys = "new:" + keyB // the old key is still needed
	if _, err := dice.New(t.Context(), cfg); !errors.Is(err, dice.ErrUnknownKey) {
		t.Errorf("without the old key: %v", err)
	}
}

// TestSecretsStayInMemory looks for a seed, which only its branch's end gives
// away, in everything that was written before and after.
func TestSecretsStayInMemory(t *testing.T) {
	cfg := config(t, openLog(t))
	var log lockedBuffer
	cfg.Logger = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	n := start(t, cfg)
	n.open(t, 1, nil, everyone, gm)
	n.faces(t, ask(1, "a", "1d20"))
	n.faces(t, with(ask(1, "a", "1d20"), func(r *dicev1.DrawRequest) { r.Purpose = forPreview }))
	seed := n.reveal(t, 1, everyone).GetSeed()
	n.tapes(t)
	if err := n.stop(); err != nil {
		t.Fatal(err)
	}
	var written bytes.Buffer
	err := cfg.Journal.Read(t.Context(), "", 1, 0, func(r journal.Record) error { written.Write(r.Data); return nil })
	if err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(cfg.DataDir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		written.Write(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	written.WriteString(log.String())
	for _, form := range []string{string(seed), hex.EncodeToString(seed), strings.ToUpper(hex.EncodeToString(seed)),
		base64.StdEncoding.EncodeToString(seed), base64.RawURLEncoding.EncodeToString(seed)} {
		if bytes.Contains(written.Bytes(), []byte(form)) {
			t.Error("a seed was written")
		}
	}
}

// A forged record closes the dice that it is for: they draw no more, everybody
// else's do, the service stays healthy, also after a restart without its files.
func TestForgedRecordClosesTheseDiceAlone(t *testing.T) {
	log := openLog(t)
	cfg := config(t, log)
	n := start(t, cfg)
	n.open(t, 1, nil, everyone)
	n.tapes(t)
	subject := "skald.0." + table + ".dice." + fight
	last, found, err := log.Last(context.Background(), subject)
	if err != nil || !found {
		t.Fatal(found, err)
	}
	forged := ok[[]byte](t)(proto.Marshal(&dicev1.Record{Format: 1, Version: 2, Previous: []byte("wrong"),
		Entries: []*dicev1.RecordEntry{{What: &dicev1.RecordEntry_Revealed{Revealed: &dicev1.BranchRevealed{Epoch: 1, Branch: everyone}}}}}))
	seq, err := log.Append(t.Context(), journal.Message{Subject: subject, ID: "forged", Data: forged, Expected: last.Seq})
	if err != nil {
		t.Fatal(err)
	}
	check := func(n *node) {
		t.Helper()
		eventually(t, "the dice are closed", func() bool { return len(n.svc.Part().Closed) == 1 })
		part := n.svc.Part()
		if c := part.Closed[0]; c.Table != table || c.Kind != "dice" || c.ID != fight || c.Sequence != seq || part.State != ops.Degraded {
			t.Errorf("part %+v", part)
		}
		for range 2 {
			_, err := n.OpenEpoch(t.Context(), &dicev1.OpenEpochRequest{Table: table, Encounter: fight, Epoch: 2, Branches: []string{everyone}})
			if f := rpc.FromStatus(err); f == nil || f.Reason != fault.ReasonBroken || f.Meta["sequence"] != fmt.Sprint(seq) || status.Code(err) != codes.DataLoss {
				t.Errorf("closed dice answer %v", err)
			}
		}
		if _, err := n.OpenEpoch(t.Context(), &dicev1.OpenEpochRequest{Table: table, Encounter: "another", Epoch: 1, Branches: []string{everyone}}); err != nil {
			t.Errorf("other dice: %v", err)
		}
		if err := n.svc.Err(); err != nil {
			t.Errorf("not healthy: %v", err)
		}
	}
	check(n)
	info, err := log.Info(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "all is folded", func() bool { return n.svc.Status().Applied >= info.LastSeq })
	want := ok[[]byte](t)(n.svc.ContentHash())
	if err := n.stop(); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(dice.File(cfg.DataDir)); err != nil {
		t.Fatal(err)
	}
	n = start(t, cfg)
	if err := n.svc.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	check(n)
	if !bytes.Equal(ok[[]byte](t)(n.svc.ContentHash()), want) {
		t.Error("built again, what is closed differs")
	}
}

func TestSecondProcessOnTheFolderIsRefused(t *testing.T) {
	cfg := config(t, openLog(t))
	start(t, cfg)
	if svc, err := dice.New(t.Context(), cfg); err == nil || svc != nil {
		t.Errorf("got %v, %v", svc, err)
	}
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
