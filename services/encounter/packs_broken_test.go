package encounter_test

import (
	"context"
	"errors"
	"io"
	"slices"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/content/pack"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/ops"
	"github.com/skaldrpg/skald/pkg/rpc"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// damaged is a log that answers other bytes for packs than were stored.
type damaged struct {
	journal.Log
	on bool
}

func (d *damaged) Last(ctx context.Context, subject string) (journal.Record, bool, error) {
	rec, ok, err := d.Log.Last(ctx, subject)
	if _, _, is := journal.SplitPack(subject); is && d.on && ok {
		rec.Data = slices.Clone(rec.Data)
		rec.Data[len(rec.Data)/2] ^= 1
	}
	return rec, ok, err
}

// A broken record of a pack closes the pack and what is decided by it, and
// nothing else.
func TestBrokenPack(t *testing.T) {
	w := newWorld(t)
	c := w.start()
	c.fight("plain", eventv1.DicePolicy_DICE_POLICY_SERVER)
	data := house("table", "1", 10)
	digest := pack.Digest(data)
	subject, err := journal.PackSubject(0, "main", digest)
	if err != nil {
		t.Fatal(err)
	}
	seq, err := w.journal.Append(t.Context(), journal.Message{Subject: subject, ID: "forged", Data: data})
	if err != nil {
		t.Fatal(err)
	}
	for name, ask := range map[string]func() error{
		"get": func() error {
			return failing(c.GetPack(t.Context(), &encounterv1.GetPackRequest{As: gm, Pack: digest}))
		},
		"put":    func() error { return failing(c.PutPack(t.Context(), &encounterv1.PutPackRequest{As: gm, Pack: data})) },
		"create": func() error { return failing(c.try(gm, "e", createWith(digest))) },
	} {
		err := ask()
		if f := rpc.FromStatus(err); status.Code(err) != codes.DataLoss || f.Reason != fault.ReasonBroken || f.Meta["sequence"] != seqText(seq) {
			t.Errorf("%s: %v", name, err)
		}
	}
	c.eventually("the record is known to be broken", func() bool { return len(c.svc.Part().Closed) == 1 })
	if part := c.svc.Part(); part.State != ops.Degraded || part.Closed[0].Kind != "pack" || part.Closed[0].ID != digest || part.Closed[0].Table != "main" {
		t.Errorf("part %+v", part)
	}
	c.do(ann, "plain", takeCmd("a", "whisper", "b"))
	c.put(house("table", "2", 20))
}

// Bytes that changed in the log are found where they are read: by a service that
// has no copy of its own.
func TestDamagedPackInAnotherService(t *testing.T) {
	w := newWorld(t)
	bad := &damaged{Log: w.log}
	w.injuryOn(bad)
	c := w.start()
	c.put(house("table", "1", 10))
	c.fightWith("e", "table")
	bad.on = true
	if _, err := c.try(gm, "e", blow(50, 7, 2)); status.Code(err) != codes.DataLoss || reason(err) != fault.ReasonBroken {
		t.Errorf("decided by a damaged pack: %v", err)
	}
	bad.on = false
	c.do(gm, "e", blow(50, 7, 2))
}

// An export holds the packs, so that another server decides the same again.
func TestExportHoldsPacks(t *testing.T) {
	w := newWorld(t)
	c := w.start()
	put := c.put(house("table", "1", 10))
	c.fightWith("e", "table")
	commands := []*eventv1.Command{blow(50, 7, 2), blow(3, 12, 4)}
	for _, cmd := range commands {
		c.do(gm, "e", cmd)
	}
	c.do(gm, "e", &eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}})
	other := newWorld(t).start()
	for _, as := range []*eventv1.Principal{gm, ann, spectator} {
		packs, commits := c.exportOf(as, "e")
		want := 1
		if as == spectator {
			want = 0
		}
		if len(packs) != want || commits == 0 {
			t.Fatalf("%v exports %d packs and %d commits", as.Role, len(packs), commits)
		}
		for _, p := range packs {
			if p.Digest != put.Digest || pack.Digest(p.Data) != put.Digest {
				t.Errorf("exported %s", p.Digest)
			}
			if got := other.put(p.Data); got.Digest != put.Digest {
				t.Errorf("on another server it is %s", got.Digest)
			}
		}
	}
	other.fightWith("e", put.Digest)
	for _, cmd := range commands {
		other.do(gm, "e", cmd)
	}
	if a, b := c.state(gm, "e", 0).State.Creatures, other.state(gm, "e", 0).State.Creatures; len(a) != 2 ||
		!proto.Equal(&eventv1.State{Creatures: a}, &eventv1.State{Creatures: b}) {
		t.Errorf("here %v, there %v", a, b)
	}
}

// exportOf reads an export: the packs before the first Commit, and how many
// Commits follow.
func (c *client) exportOf(as *eventv1.Principal, id string) (packs []*encounterv1.ExportedPack, commits int) {
	c.w.t.Helper()
	stream, err := c.Export(context.Background(), &encounterv1.ExportRequest{As: as, Encounter: id})
	if err != nil {
		c.w.t.Fatal(err)
	}
	for {
		resp, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return packs, commits
		}
		if err != nil {
			c.w.t.Fatal(err)
		}
		switch {
		case resp.Pack != nil && commits == 0:
			packs = append(packs, resp.Pack)
		case len(resp.Commit) > 0:
			commits++
		default:
			c.w.t.Fatalf("unexpected %v", resp)
		}
	}
}

// failing is the error of a call.
func failing[T any](_ T, err error) error { return err }
