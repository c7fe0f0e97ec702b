package damage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/cmd/skald/internal/autoplay"
	"github.com/skaldrpg/skald/pkg/archive"
	"github.com/skaldrpg/skald/pkg/content/pack"
	"github.com/skaldrpg/skald/pkg/content/sheets"
	"github.com/skaldrpg/skald/pkg/journal"
	contentv1 "github.com/skaldrpg/skald/proto/skald/content/v1"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

var (
	quiet = slog.New(slog.NewTextHandler(io.Discard, nil))
	gm    = &eventv1.Principal{Role: eventv1.Principal_ROLE_GM, Name: "gm"}
)

// world is a data folder with some fights in it, as three moments left it.
type world struct {
	root    string
	older   string // after a clean stop in the middle
	clean   string // after the last, clean stop
	unclean string // while everything ran, after the last command was answered
	want    served
}

// served is all that callers see, as text by name.
type served map[string]string

var made = sync.OnceValues(func() (*world, error) {
	root, err := os.MkdirTemp("", "damage")
	if err != nil {
		return nil, err
	}
	w := &world{root: root}
	return w, w.make()
})

func TestMain(m *testing.M) {
	if dir := os.Getenv(childVariable); dir != "" {
		os.Exit(child(dir))
	}
	code := m.Run()
	if w, err := made(); err == nil {
		os.RemoveAll(w.root) //nolint:errcheck // scratch
	}
	os.Exit(code)
}

// make plays in two parts. The server is one of its own, so that the stream can
// be made with a small limit: blocks of 32 kB come with it, and stay.
func (w *world) make() error {
	data := filepath.Join(w.root, "data")
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	if err := session(ctx, data, func(s *allinone.Stack) error { return play(ctx, s, "a", 4) }); err != nil {
		return err
	}
	w.older = filepath.Join(w.root, "older")
	if err := copyFolder(data, w.older); err != nil {
		return err
	}
	err := session(ctx, data, func(s *allinone.Stack) error {
		if err := play(ctx, s, "b", 1); err != nil {
			return err
		}
		// What was acknowledged in the last second is in no copy but the block:
		// copies are taken when archive and projections have it too.
		if err := settled(ctx, s); err != nil {
			return err
		}
		var err error
		if w.want, err = serves(ctx, s); err != nil {
			return err
		}
		w.unclean = filepath.Join(w.root, "unclean")
		return copyFolder(data, w.unclean)
	})
	if err != nil {
		return err
	}
	w.clean = filepath.Join(w.root, "clean")
	if err := copyFolder(data, w.clean); err != nil {
		return err
	}
	for _, dir := range []string{w.older, w.unclean, w.clean} {
		if err := smallSegments(ctx, archiveOf(dir)); err != nil {
			return err
		}
	}
	return nil
}

// smallSegments writes an archive again in segments of 64 kB, so that some are sealed.
func smallSegments(ctx context.Context, dir string) error {
	small, err := archive.OpenFolder(filepath.Join(dir+".small", "SKALD_0"))
	if err != nil {
		return err
	}
	if _, err := archive.Copy(ctx, archive.ReadFolder(filepath.Join(dir, "SKALD_0")), small, 64<<10); err != nil {
		return errors.Join(err, small.Close())
	}
	return errors.Join(small.Close(), os.RemoveAll(dir), os.Rename(dir+".small", dir))
}

func archiveOf(data string) string { return filepath.Join(data, "archive") }

func session(ctx context.Context, data string, fn func(*allinone.Stack) error) error {
	e, err := journal.StartEmbedded(ctx, journal.EmbeddedConfig{StoreDir: filepath.Join(data, "journal"), Port: -1, DiskReserve: 1 << 20}, quiet)
	if err != nil {
		return err
	}
	if err := smallBlocks(ctx, e); err != nil {
		return errors.Join(err, e.Stop())
	}
	s, err := allinone.Start(ctx, allinone.Config{DataDir: data, NATSURL: e.URL(), Archive: archiveOf(data), Logger: quiet})
	if err != nil {
		return errors.Join(err, e.Stop())
	}
	err = fn(s)
	return errors.Join(err, s.Close(), e.Stop())
}

func smallBlocks(ctx context.Context, e *journal.Embedded) error {
	nc, err := e.Connect("blocks")
	if err != nil {
		return err
	}
	_, err = journal.Open(ctx, nc, journal.Config{Stream: "SKALD_0", Subjects: []string{journal.PartitionFilter(0)}, MaxBytes: 100_000, Create: true, Log: quiet})
	if err != nil {
		return err
	}
	return unlimited(ctx, nc)
}

func unlimited(ctx context.Context, nc *nats.Conn) error {
	js, err := jetstream.New(nc)
	if err != nil {
		return err
	}
	s, err := js.Stream(ctx, "SKALD_0")
	if err != nil {
		return err
	}
	cfg := s.CachedInfo().Config
	cfg.MaxBytes = -1
	_, err = js.UpdateStream(ctx, cfg)
	return err
}

// house is a version of a pack; it takes a good part of a block.
func house(version string) []byte {
	rule := &contentv1.HouseRule{Id: "fury", Title: "Fury", Text: strings.Repeat(version, 8<<10), Effects: []*contentv1.Effect{
		{What: &contentv1.Effect_Modifier{Modifier: &contentv1.Modifier{To: "attack/melee", Amount: "1"}}}}}
	data, err := pack.Marshal(&contentv1.Pack{Name: "house", Version: version, System: "rcr", Title: "House", Rules: []*contentv1.HouseRule{rule}})
	if err != nil {
		panic(err)
	}
	return data
}

// play plays n fights, by a pack put before them; one has a patient in it.
func play(ctx context.Context, s *allinone.Stack, name string, n int) error {
	fights := encounterv1.NewEncounterServiceClient(s.Conn())
	if _, err := encounterv1.NewContentServiceClient(s.Conn()).PutPack(ctx, &encounterv1.PutPackRequest{As: gm, Pack: house(name)}); err != nil {
		return err
	}
	records := injuryv1.NewInjuryServiceClient(s.Conn())
	for i := range n {
		id := fmt.Sprint(name, i)
		do := func(request string, cmd *eventv1.Command) error {
			_, err := fights.Execute(ctx, &encounterv1.ExecuteRequest{RequestId: request, As: gm, Encounter: id, Command: cmd})
			return err
		}
		hero, foe := sheet("rogue", "hero", "party"), sheet("orc", "foe", "monsters")
		if i == 0 {
			hero.Patient = "patient-" + name
			cmd := &eventv1.Command{What: &eventv1.Command_Patient{Patient: &eventv1.PatientCommand{Deed: "enrol", Patients: []string{hero.Patient}, Sheet: hero}}}
			if _, err := records.Tend(ctx, &injuryv1.TendRequest{RequestId: hero.Patient, As: gm, System: "rcr", Command: cmd}); err != nil {
				return err
			}
		}
		for j, cmd := range []*eventv1.Command{{What: &eventv1.Command_Create{Create: &eventv1.CreateEncounter{System: "rcr", Packs: []string{"house"}}}},
			{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: hero}}}, {What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: foe}}}} {
			if err := do(fmt.Sprint("setup-", j), cmd); err != nil {
				return err
			}
		}
		p := &autoplay.Player{Client: fights, Encounter: id, Rounds: 4}
		if _, err := p.Play(ctx); err != nil {
			return err
		}
		if i%2 == 0 {
			if err := do("end", &eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{Reason: "enough"}}}); err != nil {
				return err
			}
		}
	}
	return nil
}

func sheet(name, id, side string) *eventv1.Sheet {
	s, err := sheets.Get("rcr", name)
	if err != nil {
		panic(err)
	}
	s = proto.CloneOf(s)
	s.Id, s.Side = id, side
	return s
}

// settled waits until the archive holds everything and nothing more comes: the
// reveal of an ended fight's dice follows by itself.
func settled(ctx context.Context, s *allinone.Stack) error {
	quietFor := 0
	before := ""
	for quietFor < 8 {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(250 * time.Millisecond):
		}
		now := ""
		for _, p := range s.Board().Parts() {
			for _, f := range p.Figures {
				if strings.HasSuffix(f.Name, "_sequence") || strings.Contains(f.Name, "behind_records") {
					now += fmt.Sprint(f.Name, "=", f.Value, " ")
				}
			}
		}
		if quietFor++; now != before || !strings.Contains(now, "archive_behind_records=0 ") {
			quietFor = 0
		}
		before = now
	}
	return nil
}

// serves reads all that callers can see.
func serves(ctx context.Context, s *allinone.Stack) (served, error) {
	out := served{}
	fights := encounterv1.NewEncounterServiceClient(s.Conn())
	for _, id := range []string{"a0", "a1", "a2", "a3", "b0"} {
		state, err := fights.GetState(ctx, &encounterv1.GetStateRequest{As: gm, Encounter: id})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", id, err)
		}
		for _, d := range state.State.Decisions {
			d.DeadlineUnixMillis = 0 // of this process
		}
		out[id+" state"] = text(state.State)
		stream, err := fights.Export(ctx, &encounterv1.ExportRequest{As: gm, Encounter: id})
		if err != nil {
			return nil, err
		}
		if out[id+" export"], err = exported(stream); err != nil {
			return nil, fmt.Errorf("%s: %w", id, err)
		}
	}
	packs := encounterv1.NewContentServiceClient(s.Conn())
	for _, version := range []string{"a", "b"} {
		p, err := packs.GetPack(ctx, &encounterv1.GetPackRequest{As: gm, Pack: pack.Digest(house(version))})
		if err != nil {
			return nil, fmt.Errorf("pack %s: %w", version, err)
		}
		out["pack "+version] = text(p)
	}
	records := injuryv1.NewInjuryServiceClient(s.Conn())
	for _, id := range []string{"patient-a", "patient-b"} {
		p, err := records.GetPatient(ctx, &injuryv1.GetPatientRequest{As: gm, Patient: id})
		if status.Code(err) == codes.DataLoss {
			out[id] = err.Error()
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", id, err)
		}
		out[id] = text(p.Patient)
	}
	return out, nil
}

func exported(stream grpc.ServerStreamingClient[encounterv1.ExportResponse]) (string, error) {
	var b strings.Builder
	for {
		r, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return b.String(), nil
		}
		if err != nil {
			return "", err
		}
		b.WriteString(text(r))
	}
}

func text(m proto.Message) string {
	data, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// scratch are files that hold nothing: the reserve of the disk and its canary.
var scratch = map[string]bool{"skald.reserve": true, "skald.canary": true}

func copyFolder(from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(to, rel), 0o700)
		}
		if scratch[d.Name()] {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), data, 0o600)
	})
}
