package backup_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/cmd/skald/internal/backup"
	"github.com/skaldrpg/skald/cmd/skald/internal/proof"
	"github.com/skaldrpg/skald/pkg/archive"
	"github.com/skaldrpg/skald/pkg/content/sheets"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/ops"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter"
)

var (
	quiet = slog.New(slog.NewTextHandler(io.Discard, nil))
	gm    = &eventv1.Principal{Role: eventv1.Principal_ROLE_GM, Name: "gm"}
)

const writers = 4

func start(t *testing.T, cfg allinone.Config) (*allinone.Stack, encounterv1.EncounterServiceClient) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cfg.Logger = quiet
	s, err := allinone.Start(ctx, cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() }) //nolint:errcheck // checked by who cares
	return s, encounterv1.NewEncounterServiceClient(s.Conn())
}

func do(ctx context.Context, c encounterv1.EncounterServiceClient, encounter, id string, cmd *eventv1.Command) error {
	_, err := c.Execute(ctx, &encounterv1.ExecuteRequest{RequestId: id, As: gm, Encounter: encounter, Command: cmd})
	return err
}

func hours(n int) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "ogre",
		Vitals: &eventv1.Vitals{Counters: map[string]int64{"hours": int64(n)}}}}}
}

// load is writers at work, and what was acknowledged to them.
type load struct {
	mu    sync.Mutex
	acked [writers]int
	at    [writers][]time.Time // of each acknowledgement
	stop  context.CancelFunc
	wg    sync.WaitGroup
}

func (l *load) begin(t *testing.T, c encounterv1.EncounterServiceClient) {
	ctx, cancel := context.WithCancel(t.Context())
	l.stop = func() { cancel(); l.wg.Wait() }
	for w := range writers {
		l.wg.Go(func() {
			for n := l.acked[w] + 1; ctx.Err() == nil; n++ {
				if err := do(context.WithoutCancel(ctx), c, name(w), fmt.Sprint("edit-", n), hours(n)); err != nil {
					t.Errorf("writer %d: %v", w, err)
					return
				}
				l.mu.Lock()
				l.acked[w] = n
				l.at[w] = append(l.at[w], time.Now())
				l.mu.Unlock()
			}
		})
	}
}

// until is how many were acknowledged to each writer before a moment.
func (l *load) until(moment time.Time) (out [writers]int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for w := range out {
		for out[w] < len(l.at[w]) && l.at[w][out[w]].Before(moment) {
			out[w]++
		}
	}
	return out
}

func name(w int) string { return fmt.Sprint("fight-", w) }

func prepare(t *testing.T, c encounterv1.EncounterServiceClient) {
	t.Helper()
	ogre, err := sheets.Get("rcr", "ogre")
	if err != nil {
		t.Fatal(err)
	}
	ogre = proto.Clone(ogre).(*eventv1.Sheet)
	ogre.Id, ogre.Side = "ogre", "monsters"
	for w := range writers {
		create := &eventv1.Command{What: &eventv1.Command_Create{Create: &eventv1.CreateEncounter{System: "rcr"}}}
		add := &eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: ogre}}}
		if err := errors.Join(do(t.Context(), c, name(w), "create", create), do(t.Context(), c, name(w), "add", add)); err != nil {
			t.Fatal(err)
		}
	}
}

func states(t *testing.T, c encounterv1.EncounterServiceClient) (out [writers]*encounterv1.GetStateResponse) {
	t.Helper()
	for w := range out {
		s, err := c.GetState(t.Context(), &encounterv1.GetStateRequest{As: gm, Encounter: name(w)})
		if err != nil {
			t.Fatal(err)
		}
		out[w] = s
	}
	return out
}

// proves checks the chain and the digests of an encounter as anybody can.
func proves(t *testing.T, c encounterv1.EncounterServiceClient, encounter string) {
	t.Helper()
	stream, err := c.Export(t.Context(), &encounterv1.ExportRequest{As: gm, Encounter: encounter})
	if err != nil {
		t.Fatal(err)
	}
	p := proof.New()
	for {
		resp, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		p.Add(resp.Commit)
	}
	if r := p.Report(); !r.OK() && !r.Early() {
		t.Errorf("%s: %s", encounter, r.String())
	}
}

// The drill: a suite under load, a backup in the middle, the data folder lost. What
// was acknowledged a second before is in the archive, and play goes on from it, in
// a folder and on a server elsewhere.
func TestDrill(t *testing.T) {
	if os.Getenv("SKALD_RACE") == "1" {
		t.Skip("takes long under the race detector")
	}
	top := t.TempDir()
	data, arch, bk := filepath.Join(top, "data"), filepath.Join(top, "archive"), filepath.Join(top, "backup")
	s, c := start(t, allinone.Config{DataDir: data, Archive: arch})
	prepare(t, c)
	var l load
	l.begin(t, c)
	time.Sleep(1500 * time.Millisecond)
	first := takeBackup(t, backup.Config{DataDir: data, Archive: arch, To: bk, Key: true})
	if first.Source != "archive" {
		t.Errorf("copied from the %s", first.Source)
	}
	time.Sleep(1500 * time.Millisecond)
	// The disk with the data is lost in mid-work: all that is left is this.
	lost := filepath.Join(top, "lost")
	early := l.until(time.Now().Add(-time.Second))
	if err := os.CopyFS(lost, os.DirFS(arch)); err != nil {
		t.Fatal(err)
	}
	if second := takeBackup(t, backup.Config{DataDir: data, Archive: arch, To: bk, Key: true}); second.Sequence <= first.Sequence {
		t.Errorf("the second backup reaches to %d, the first to %d", second.Sequence, first.Sequence)
	}
	l.stop()
	before, signed := states(t, c), signers(t, s)
	time.Sleep(time.Second) // after this everything is in the archive
	quietly := filepath.Join(top, "quietly")
	if err := os.CopyFS(quietly, os.DirFS(arch)); err != nil {
		t.Fatal(err)
	}
	if p := partOf(t, s, "archive"); p.State != ops.Fine {
		t.Errorf("%+v", p)
	}
	if err := errors.Join(s.Close(), os.Rename(data, filepath.Join(top, "gone"))); err != nil {
		t.Fatal(err)
	}
	t.Logf("%v acknowledged, %v of them a second before the copy under load", l.acked, early)

	t.Run("in mid-work", func(t *testing.T) {
		_, c := restored(t, lost, bk, filepath.Join(top, "a"))
		for w, state := range states(t, c) {
			if got := state.State.Creatures["ogre"].Counters["hours"]; got < int64(early[w]) || got > int64(l.acked[w]) {
				t.Errorf("%s stands at %d, acknowledged a second before: %d", name(w), got, early[w])
			}
			proves(t, c, name(w))
		}
	})
	t.Run("after a pause", func(t *testing.T) {
		s, c := restored(t, quietly, bk, filepath.Join(top, "b"))
		if got := signers(t, s); len(got.Keys) != 1 || !proto.Equal(got, signed) {
			t.Errorf("it signs by %v, before by %v", got, signed)
		}
		for w, state := range states(t, c) {
			if !proto.Equal(state, before[w]) {
				t.Errorf("%s is not as it was", name(w))
			}
			proves(t, c, name(w))
			if err := do(t.Context(), c, name(w), "after", hours(l.acked[w]+1)); err != nil {
				t.Errorf("play does not go on: %v", err)
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		// Stopped, the log itself is copied, and it goes on from the first backup.
		if c := takeBackup(t, backup.Config{DataDir: filepath.Join(top, "b"), To: bk}); c.Source != "log" || c.StreamID != first.StreamID {
			t.Errorf("%+v", c)
		}
	})
	t.Run("elsewhere", func(t *testing.T) { elsewhere(t, bk, filepath.Join(top, "c"), l.acked) })
}

// elsewhere restores to a NATS server and plays on there.
func elsewhere(t *testing.T, bk, dir string, acked [writers]int) {
	e, err := journal.StartEmbedded(t.Context(), journal.EmbeddedConfig{StoreDir: t.TempDir(), Port: -1}, quiet)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Stop() //nolint:errcheck // the test is over
	cfg := backup.RestoreConfig{From: bk, NATSURL: e.URL(), Logger: quiet}
	if _, err := backup.Restore(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	if _, err := backup.Restore(t.Context(), cfg); !errors.Is(err, journal.ErrExists) {
		t.Errorf("over a stream: %v", err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	putKeys(t, bk, dir)
	s, c := start(t, allinone.Config{DataDir: dir, NATSURL: e.URL()})
	for w, state := range states(t, c) {
		if got := state.State.Creatures["ogre"].Counters["hours"]; got != int64(acked[w]+1) {
			t.Errorf("%s stands at %d, want %d", name(w), got, acked[w]+1)
		}
		if err := do(t.Context(), c, name(w), "elsewhere", hours(0)); err != nil {
			t.Error(err)
		}
	}
	// A backup straight from the stream adds to what is there.
	if c := takeBackup(t, backup.Config{NATSURL: e.URL(), To: bk}); c.Source != "log" {
		t.Errorf("%+v", c)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

func partOf(t *testing.T, s *allinone.Stack, name string) ops.Part {
	t.Helper()
	for _, p := range s.Board().Parts() {
		if p.Name == name {
			return p
		}
	}
	t.Fatalf("no part %s", name)
	return ops.Part{}
}

func takeBackup(t *testing.T, cfg backup.Config) backup.Copied {
	t.Helper()
	cfg.Logger = quiet
	out, err := backup.Backup(t.Context(), cfg)
	if err != nil || len(out) != 1 || len(out[0].Wrong) > 0 || out[0].Sequence == 0 {
		t.Fatalf("%+v, %v", out, err)
	}
	return out[0]
}

// putKeys copies the master key of the dice and the keys that sign heads.
func putKeys(t *testing.T, from, to string) {
	t.Helper()
	for _, name := range []string{backup.KeyFile, encounter.KeysFile} {
		key, err := os.ReadFile(filepath.Join(from, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(to, name), key, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// signers are the keys that a server lists.
func signers(t *testing.T, s *allinone.Stack) *encounterv1.GetKeysResponse {
	t.Helper()
	resp, err := encounterv1.NewRecordServiceClient(s.Conn()).GetKeys(t.Context(), &encounterv1.GetKeysRequest{})
	if err != nil {
		t.Fatal(err)
	}
	return resp
}

// restored makes a data folder from an archive and starts on it.
func restored(t *testing.T, from, keys, to string) (*allinone.Stack, encounterv1.EncounterServiceClient) {
	t.Helper()
	putKeys(t, keys, from)
	cfg := backup.RestoreConfig{From: from, DataDir: to, Logger: quiet}
	began := time.Now()
	out, err := backup.Restore(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d records in %s, %d bytes torn", out[0].Records, time.Since(began).Round(time.Millisecond), out[0].Torn)
	if _, err := backup.Restore(t.Context(), cfg); !errors.Is(err, backup.ErrOccupied) {
		t.Errorf("over a data folder: %v", err)
	}
	return start(t, allinone.Config{DataDir: to})
}

// What can not be copied or restored is refused, and nothing is left behind.
func TestRefusals(t *testing.T) {
	top := t.TempDir()
	none := filepath.Join(top, "none")
	if _, err := backup.Backup(t.Context(), backup.Config{DataDir: none, To: filepath.Join(top, "to"), Logger: quiet}); err == nil {
		t.Error("a backup of nothing")
	}
	if _, err := os.Stat(none); err == nil {
		t.Error("a backup made the data folder")
	}
	if _, err := backup.Restore(t.Context(), backup.RestoreConfig{From: none, DataDir: filepath.Join(top, "d"), Logger: quiet}); err == nil {
		t.Error("a restore of nothing")
	}
	// A damaged archive is named and not restored.
	f, err := archive.OpenFolder(filepath.Join(top, "bad", "SKALD_0"))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.Put(t.Context(), "segment-00000000000000000001.zst", []byte("garbage")), f.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := backup.Restore(t.Context(), backup.RestoreConfig{From: filepath.Join(top, "bad"), DataDir: filepath.Join(top, "d"), Logger: quiet}); !errors.Is(err, archive.ErrDamaged) {
		t.Errorf("a damaged archive: %v", err)
	}
	if _, err := os.Stat(filepath.Join(top, "d")); err == nil {
		t.Error("a restore that was refused made the data folder")
	}
}
