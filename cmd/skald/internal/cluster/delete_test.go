//go:build linux

package cluster

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/cmd/skald/internal/cli"
	"github.com/skaldrpg/skald/pkg/attest"
	"github.com/skaldrpg/skald/pkg/content/sheets"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/projection"
	"github.com/skaldrpg/skald/pkg/rpc"
	"github.com/skaldrpg/skald/pkg/tombstone"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

var master = &eventv1.Principal{Role: eventv1.Principal_ROLE_GM, Name: "gm"}

// deletion is a table that is played by several writers while it is deleted.
type deletion struct {
	t     *testing.T
	c     *Cluster
	table string

	mu    sync.Mutex
	done  map[string]uint64 // encounters and patients, and how many commands were answered as done
	total atomic.Int64
}

func (d *deletion) answered(kind, id string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.done[kind+" "+id]++
	d.total.Add(1)
}

// again gives a command until it is answered; false when the answer is that the
// table was deleted.
func (d *deletion) again(ctx context.Context, call func(context.Context) error) bool {
	for {
		one, cancel := context.WithTimeout(ctx, callWait)
		err := call(one)
		cancel()
		f, _ := fault.As(rpc.FromStatus(err))
		switch {
		case err == nil:
			return true
		case f != nil && f.Reason == projection.ReasonDeleted:
			return false
		case ctx.Err() != nil:
			d.t.Errorf("not answered until the end: %v", err)
			return false
		case status.Code(err) != codes.Unavailable && status.Code(err) != codes.DeadlineExceeded && status.Code(err) != codes.Aborted:
			d.t.Errorf("a caller is told %v", err)
			return false
		}
	}
}

// fight adds creatures to a fight of its own, by one process, until the table is gone.
func (d *deletion) fight(ctx context.Context, by *Service, id string) {
	client := encounterv1.NewEncounterServiceClient(by.Conn)
	do := func(n int, what *eventv1.Command) bool {
		req := &encounterv1.ExecuteRequest{RequestId: fmt.Sprint("r", n), As: master, Table: d.table, Encounter: id, Command: what}
		ok := d.again(ctx, func(ctx context.Context) error { _, err := client.Execute(ctx, req); return err })
		if ok {
			d.answered("encounter", id)
		}
		return ok
	}
	sheet, err := sheets.Get("rcr", sheets.List("rcr")[0])
	if err != nil {
		d.t.Error(err)
		return
	}
	if !do(0, &eventv1.Command{What: &eventv1.Command_Create{Create: &eventv1.CreateEncounter{Encounter: id, Table: d.table, System: "rcr"}}}) {
		return
	}
	for n := 1; n < 150; n++ {
		one := proto.Clone(sheet).(*eventv1.Sheet) //nolint:forcetypeassert // it is a clone
		one.Id, one.Side = fmt.Sprint("c", n), "left"
		if !do(n, &eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: one, Position: &eventv1.Position{X: int32(5 * n)}}}}) {
			return
		}
	}
	d.t.Errorf("%s played on to its end, and nothing was deleted", id)
}

// tend enrols patients, by one process, until the table is gone.
func (d *deletion) tend(ctx context.Context, by *Service, name string) {
	client := injuryv1.NewInjuryServiceClient(by.Conn)
	sheet, err := sheets.Get("rcr", sheets.List("rcr")[0])
	if err != nil {
		d.t.Error(err)
		return
	}
	for n := range 1000 {
		id := fmt.Sprint(name, n)
		req := &injuryv1.TendRequest{RequestId: id, As: master, Table: d.table, System: "rcr",
			Command: &eventv1.Command{What: &eventv1.Command_Patient{Patient: &eventv1.PatientCommand{Deed: "enrol", Patients: []string{id}, Sheet: sheet}}}}
		if !d.again(ctx, func(ctx context.Context) error { _, err := client.Tend(ctx, req); return err }) {
			return
		}
		d.answered("patient", id)
	}
	d.t.Error("patients were enrolled to the end, and nothing was deleted")
}

// gone holds that every process says that the table was deleted.
func (d *deletion) gone(ctx context.Context) {
	d.t.Helper()
	for _, s := range d.c.Of("encounter") {
		enc := encounterv1.NewEncounterServiceClient(s.Conn)
		for what, call := range map[string]func(context.Context) error{
			"state": func(ctx context.Context) error {
				_, err := enc.GetState(ctx, &encounterv1.GetStateRequest{As: master, Table: d.table, Encounter: "f0"})
				return err
			},
			"create": func(ctx context.Context) error {
				_, err := enc.Execute(ctx, &encounterv1.ExecuteRequest{RequestId: "later", As: master, Table: d.table, Encounter: "later",
					Command: &eventv1.Command{What: &eventv1.Command_Create{Create: &eventv1.CreateEncounter{Encounter: "later", Table: d.table, System: "rcr"}}}})
				return err
			},
		} {
			if d.again(ctx, call) {
				d.t.Errorf("%s: %s is answered", s.Name, what)
			}
		}
	}
	for _, s := range d.c.Of("injury") {
		if d.again(ctx, func(ctx context.Context) error {
			_, err := injuryv1.NewInjuryServiceClient(s.Conn).ListPatients(ctx, &injuryv1.ListPatientsRequest{As: master, Table: d.table})
			return err
		}) {
			d.t.Errorf("%s: patients are listed", s.Name)
		}
	}
}

// skald runs the program and returns its exit code and what it says.
func skald(ctx context.Context, args ...string) (int, string) {
	var out, errs bytes.Buffer
	code := cli.Run(ctx, args, strings.NewReader(""), &out, &errs)
	return code, out.String() + errs.String()
}

// listed is how far the tombstones of a table say that its chains went, and where its
// records are that are none.
func (d *deletion) listed(ctx context.Context, keys *attest.Keys) (map[string]uint64, []string) {
	j, err := d.c.Journal(ctx)
	if err != nil {
		d.t.Fatal(err)
	}
	stones, err := tombstone.ByKeys(keys).All(ctx, j, 0, d.table)
	if err != nil || len(stones) == 0 {
		d.t.Fatalf("tombstones: %v, %v", stones, err)
	}
	out := map[string]uint64{}
	for _, s := range stones {
		for _, c := range s.Chains {
			out[c.Kind+" "+c.ID] = max(out[c.Kind+" "+c.ID], c.Version)
		}
	}
	var rest []string
	if err := j.Read(ctx, "skald.0."+d.table+".>", 1, 0, func(rec journal.Record) error {
		if _, ok := journal.SplitTombstone(rec.Subject); !ok {
			rest = append(rest, rec.Subject)
		}
		return nil
	}); err != nil {
		d.t.Fatal(err)
	}
	return out, rest
}

// TestDeletingATable deletes a table as an operator does where the services run by
// themselves, with the shipped credentials, while two processes of each service take
// commands at it. No command may be answered as done that the tombstones do not tell
// of, nothing of the table may be left in any process or copy, and the holes in the
// three copies are no damage.
func TestDeletingATable(t *testing.T) {
	if testing.Short() || os.Getenv("SKALD_RACE") == "1" {
		t.Skip("starts nine processes")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	c := start(t, &setting{})
	keys, err := attest.ReadKeys(c.heads())
	if err != nil {
		t.Fatal(err)
	}
	public, err := keys.Public()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(c.known(), []byte("signs   "+public[0].Verifier+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	other := &deletion{t: t, c: c, table: "other", done: map[string]uint64{}}
	others := encounterv1.NewEncounterServiceClient(c.Of("encounter")[1].Conn)
	if !other.again(ctx, func(ctx context.Context) error {
		_, err := others.Execute(ctx, &encounterv1.ExecuteRequest{RequestId: "c", As: master, Table: "other", Encounter: "f0", Command: &eventv1.Command{
			What: &eventv1.Command_Create{Create: &eventv1.CreateEncounter{Encounter: "f0", Table: "other", System: "rcr"}}}})
		return err
	}) {
		t.Fatal("no other table")
	}
	d := &deletion{t: t, c: c, table: "friday", done: map[string]uint64{}}
	var writers sync.WaitGroup
	for i := range 4 {
		writers.Go(func() { d.fight(ctx, c.Of("encounter")[i%replicas], fmt.Sprint("f", i)) }) // ends with the table
	}
	for i := range replicas {
		writers.Go(func() { d.tend(ctx, c.Of("injury")[i], fmt.Sprint("p", i, "-")) }) // ends with the table
	}
	if err := Until(ctx, "some commands", func(context.Context) error {
		if n := d.total.Load(); n < 60 {
			return fmt.Errorf("%d", n)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	before := d.total.Load()
	began := time.Now()
	over := []string{"table", "delete", d.table, "--reason", "the campaign is over", "--yes", "--open-fights",
		"--nats", c.urls(), "--nats-user", "admin", "--nats-password", password("admin"), "--keys", c.heads()}
	code, said := skald(ctx, over...)
	t.Logf("deleted in %.2f s with exit code %d, among %d commands, %d of them before", time.Since(began).Seconds(), code, d.total.Load(), before)
	if code != 0 && !strings.Contains(said, "again") {
		t.Fatalf("skald table delete: %d: %s", code, said)
	}
	writers.Wait()
	if code, said := skald(ctx, over...); code == 0 && !strings.Contains(said, "deleted") || code != 0 && !strings.Contains(said, "was deleted") {
		t.Errorf("once more: %d: %s", code, said)
	}
	ends, rest := d.listed(ctx, keys)
	if len(rest) > 0 {
		t.Errorf("left in the log: %v", rest)
	}
	for id, n := range d.done {
		if ends[id] < n {
			t.Errorf("%s: %d commands were answered as done, and the tombstones tell of %d", id, n, ends[id])
		}
	}
	d.gone(ctx)
	if !other.again(ctx, func(ctx context.Context) error {
		_, err := others.GetState(ctx, &encounterv1.GetStateRequest{As: master, Table: "other", Encounter: "f0"})
		return err
	}) {
		t.Error("the other table is gone as well")
	}
	if found, err := c.Scrub(ctx); err != nil || len(found) > 0 {
		t.Errorf("the copies: %v, %v", found, err)
	}
	for _, s := range c.Services {
		s.Terminate()
	}
	j, err := c.Journal(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Projections(ctx, j); err != nil {
		t.Error(err)
	}
}
