package allinone_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
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
	opsv1 "github.com/skaldrpg/skald/proto/skald/ops/v1"
)

var theGM = &eventv1.Principal{Role: eventv1.Principal_ROLE_GM, Name: "gm"}

// tables is a suite with a few tables.
type tables struct {
	t *testing.T
	s *allinone.Stack
}

func startWith(t *testing.T, cfg allinone.Config) (*allinone.Stack, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	cfg.Logger = quiet()
	s, err := allinone.Start(ctx, cfg)
	if err == nil {
		t.Cleanup(func() { s.Close() }) //nolint:errcheck // checked by who cares
	}
	return s, err
}

func (w tables) do(table, fight, request string, what *eventv1.Command) error {
	w.t.Helper()
	got, err := encounterv1.NewEncounterServiceClient(w.s.Conn()).Execute(w.t.Context(), &encounterv1.ExecuteRequest{RequestId: request, As: theGM, Table: table, Encounter: fight, Command: what})
	if err != nil || len(got.Decisions) == 0 {
		return err
	}
	d := got.Decisions[0] // ties of initiative, as they fall
	answer := &eventv1.Answer{Number: d.Minimum}
	if len(d.Options) > 0 {
		answer = &eventv1.Answer{Option: d.Options[0].Id}
	}
	return w.do(table, fight, request+"-", &eventv1.Command{What: &eventv1.Command_Answer{Answer: &eventv1.AnswerDecision{Decision: d.Id, Answer: answer}}})
}

func creation(table, fight string) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_Create{Create: &eventv1.CreateEncounter{Encounter: fight, Table: table, System: "rcr", Title: "Secret " + table}}}
}

// fill makes a fight with a few Commits, a patient and dice at a table.
func (w tables) fill(table string, over bool) {
	w.t.Helper()
	ok := func(err error) {
		w.t.Helper()
		if err != nil {
			w.t.Fatal(err)
		}
	}
	ok(w.do(table, "bridge", "c", creation(table, "bridge")))
	sheet, err := sheets.Get("rcr", sheets.List("rcr")[0])
	ok(err)
	_, err = injuryv1.NewInjuryServiceClient(w.s.Conn()).Tend(w.t.Context(), &injuryv1.TendRequest{RequestId: "enrol", As: theGM, Table: table, System: "rcr",
		Command: &eventv1.Command{What: &eventv1.Command_Patient{Patient: &eventv1.PatientCommand{Deed: "enrol", Patients: []string{"jeera"}, Sheet: sheet}}}})
	ok(err)
	for i, side := range []string{"left", "right"} {
		sheet, err := sheets.Get("rcr", sheets.List("rcr")[i])
		ok(err)
		sheet.Id, sheet.Side = side, side
		ok(w.do(table, "bridge", "add"+side, &eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: sheet, Position: &eventv1.Position{X: int32(5 * i)}}}}))
	}
	ok(w.do(table, "bridge", "s", &eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}}))
	if over {
		ok(w.do(table, "bridge", "e", &eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}}))
	}
}

func (w tables) ops() opsv1.TableServiceClient { return opsv1.NewTableServiceClient(w.s.Conn()) }

func (w tables) delete(table string, change ...func(*opsv1.DeleteTableRequest)) (*opsv1.DeleteTableResponse, error) {
	req := &opsv1.DeleteTableRequest{Table: table, Reason: "the campaign is over"}
	for _, c := range change {
		c(req)
	}
	return w.ops().DeleteTable(w.t.Context(), req)
}

// reasonOf is the reason of an error of the API.
func reasonOf(err error) string {
	if f, ok := fault.As(rpc.FromStatus(err)); ok {
		return f.Reason
	}
	return fmt.Sprint(err)
}

// rest lists the subjects of a table that are in the log.
func rest(t *testing.T, s *allinone.Stack, table string) []string {
	t.Helper()
	var out []string
	err := s.Log().Read(t.Context(), "skald.0."+table+".>", 1, 0, func(rec journal.Record) error {
		out = append(out, rec.Subject)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func verifier(t *testing.T, dir string) *tombstone.Reader {
	t.Helper()
	keys, err := attest.ReadKeys(filepath.Join(dir, "heads.key"))
	if err != nil {
		t.Fatal(err)
	}
	return tombstone.ByKeys(keys)
}

// gone holds that everything about a table answers that it was deleted.
func (w tables) gone(table string) {
	w.t.Helper()
	ctx := w.t.Context()
	enc, inj := encounterv1.NewEncounterServiceClient(w.s.Conn()), injuryv1.NewInjuryServiceClient(w.s.Conn())
	record := encounterv1.NewRecordServiceClient(w.s.Conn())
	calls := map[string]func() error{
		"state": func() error {
			_, err := enc.GetState(ctx, &encounterv1.GetStateRequest{As: theGM, Table: table, Encounter: "bridge"})
			return err
		},
		"list": func() error {
			_, err := enc.ListEncounters(ctx, &encounterv1.ListEncountersRequest{As: theGM, Table: table})
			return err
		},
		"head": func() error {
			_, err := record.GetHead(ctx, &encounterv1.GetHeadRequest{As: theGM, Table: table, Encounter: "bridge"})
			return err
		},
		"patients": func() error {
			_, err := inj.ListPatients(ctx, &injuryv1.ListPatientsRequest{As: theGM, Table: table})
			return err
		},
		"create": func() error { return w.do(table, "another", "again", creation(table, "another")) },
		"start":  func() error { return w.do(table, "bridge", "again", &eventv1.Command{What: &eventv1.Command_Start{}}) },
		"export": func() error {
			stream, err := enc.Export(ctx, &encounterv1.ExportRequest{As: theGM, Table: table, Encounter: "bridge"})
			if err == nil {
				_, err = stream.Recv()
			}
			return err
		},
	}
	for name, call := range calls {
		err := call()
		if reasonOf(err) != projection.ReasonDeleted || status.Code(err) != codes.NotFound {
			w.t.Errorf("%s of the deleted table: %v", name, err)
		}
		if f, _ := fault.As(rpc.FromStatus(err)); f != nil && f.Meta["tombstone"] == "" {
			w.t.Errorf("%s does not name the tombstone: %v", name, f.Meta)
		}
	}
}

func (w tables) alive(table string) {
	w.t.Helper()
	if _, err := encounterv1.NewEncounterServiceClient(w.s.Conn()).GetState(w.t.Context(), &encounterv1.GetStateRequest{As: theGM, Table: table, Encounter: "bridge"}); err != nil {
		w.t.Errorf("table %s: %v", table, err)
	}
}

func checkpoint(t *testing.T, s *allinone.Stack, since uint64) (string, [][]byte) {
	t.Helper()
	got, err := encounterv1.NewRecordServiceClient(s.Conn()).GetCheckpoint(t.Context(), &encounterv1.GetCheckpointRequest{Since: since})
	if err != nil {
		t.Fatal(err)
	}
	return got.Checkpoint, got.Proof
}

func openCheckpoint(t *testing.T, dir, signed string) attest.Checkpoint {
	t.Helper()
	by, err := verifier(t, dir).Keys()
	if err != nil {
		t.Fatal(err)
	}
	c, _, err := attest.OpenCheckpoint(signed, by)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestATableIsDeleted(t *testing.T) {
	dir := t.TempDir()
	arch := filepath.Join(dir, "archive")
	s, err := startWith(t, allinone.Config{DataDir: dir, Archive: arch})
	if err != nil {
		t.Fatal(err)
	}
	w := tables{t, s}
	for _, table := range []string{"a", "ab", "size"} {
		w.fill(table, true)
	}
	w.fill("open", false)
	before, _ := checkpoint(t, s, 0)

	plan, err := w.delete("a", func(r *opsv1.DeleteTableRequest) { r.DryRun, r.Reason = true, "" })
	if err != nil || len(plan.Contents.Records) < 2 || len(plan.Contents.Chains) == 0 || plan.Tombstone != "" {
		t.Fatalf("dry run: %v, %v", plan, err)
	}
	w.alive("a")
	for want, change := range map[string]func(*opsv1.DeleteTableRequest){
		"INVALID_FIELD": func(r *opsv1.DeleteTableRequest) { r.Reason = "" },
		"UNKNOWN_TABLE": func(r *opsv1.DeleteTableRequest) { r.Table = "nowhere" },
		"FIGHTS_OPEN":   func(r *opsv1.DeleteTableRequest) { r.Table = "open" },
	} {
		if _, err := w.delete("a", change); reasonOf(err) != want {
			t.Errorf("want %s, got %v", want, err)
		}
	}
	if _, err := w.delete(""); reasonOf(err) != "INVALID_FIELD" {
		t.Errorf("without a table: %v", err)
	}

	watch, err := encounterv1.NewEncounterServiceClient(s.Conn()).Watch(t.Context(), &encounterv1.WatchRequest{As: theGM, Table: "a", Encounter: "bridge"})
	if err != nil {
		t.Fatal(err)
	}
	done, err := w.delete("a")
	if err != nil {
		t.Fatal(err)
	}
	stone, err := verifier(t, dir).Keys()
	if err != nil {
		t.Fatal(err)
	}
	said, err := tombstone.Open(done.Tombstone, stone)
	if err != nil || said.Table != "a" || said.Reason != "the campaign is over" || said.By == "" || said.Checkpoint == "" {
		t.Fatalf("the tombstone: %+v, %v", said, err)
	}
	held := uint64(0)
	for _, c := range said.Counts {
		held += c.Records
	}
	if held != said.Sequences || len(said.Chains) != len(plan.Contents.Chains) || said.Chains[0].Version != plan.Contents.Chains[0].Version {
		t.Errorf("the tombstone says %+v, the plan was %v", said, plan.Contents)
	}
	for _, subject := range rest(t, s, "a") {
		if _, ok := journal.SplitTombstone(subject); !ok {
			t.Errorf("left in the log: %s", subject)
		}
	}
	for ended := false; !ended; {
		m, err := watch.Recv()
		if err != nil {
			t.Fatalf("the watch ended without a word: %v", err)
		}
		if end := m.GetEnd(); end != nil {
			if ended = true; end.Reason != projection.ReasonDeleted || end.Again {
				t.Errorf("the watch ends with %v", end)
			}
		}
	}
	if len(done.Left) == 0 || !strings.Contains(fmt.Sprint(done.Left), "segment") {
		t.Errorf("the archive is not listed: %v", done.Left)
	}
	check := func() {
		t.Helper()
		w.gone("a")
		for _, table := range []string{"ab", "size", "open"} {
			w.alive(table)
		}
		if _, err := w.delete("a"); reasonOf(err) != projection.ReasonDeleted {
			t.Errorf("deleted twice: %v", err)
		}
		got, err := w.ops().GetTombstone(t.Context(), &opsv1.GetTombstoneRequest{Table: "a"})
		if err != nil || got.Tombstone != done.Tombstone || len(got.Later) != 0 {
			t.Errorf("tombstone: %v, %v", got, err)
		}
		list, err := w.ops().ListTables(t.Context(), &opsv1.ListTablesRequest{})
		if err != nil || len(list.Tables) != 4 || !list.Tables[0].Deleted || list.Tables[1].Deleted {
			t.Errorf("tables: %v, %v", list, err)
		}
		now, proof := checkpoint(t, w.s, uint64(openCheckpoint(t, dir, before).Size))
		if err := openCheckpoint(t, dir, now).Extends(openCheckpoint(t, dir, before), proof); err != nil {
			t.Errorf("the tree does not extend what it was: %v", err)
		}
	}
	check()
	same(t, s)

	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, keep := range []bool{true, false} { // with the projections, and with new ones
		if !keep {
			if err := os.RemoveAll(filepath.Join(dir, "projections")); err != nil {
				t.Fatal(err)
			}
		}
		if w.s, err = startWith(t, allinone.Config{DataDir: dir, Archive: arch}); err != nil {
			t.Fatal(err)
		}
		check()
		same(t, w.s)
		if err := w.do("ab", fmt.Sprint("cellar", keep), "later", creation("ab", fmt.Sprint("cellar", keep))); err != nil {
			t.Error(err)
		}
		if err := w.s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// same holds that a projection that begins empty comes to the same content.
func same(t *testing.T, s *allinone.Stack) {
	t.Helper()
	replica, err := s.Replica(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer replica.Close() //nolint:errcheck // it is compared below
	eventually(t, "a projection made from nothing differs", func() bool {
		live, err := s.ContentHash()
		if err != nil {
			t.Fatal(err)
		}
		fresh, err := replica.ContentHash()
		return err == nil && bytes.Equal(fresh, live)
	})
}

// eventually waits for what projections come to when they have read the log.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); !holds(); {
		if time.Now().After(end) {
			t.Error(what)
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

var errKilled = errors.New("killed")

// TestDeletingIsEndedAfterAKillAtAnyStep ends the deletion before each of its steps:
// what was begun is ended at the next start, what was not is as before.
func TestDeletingIsEndedAfterAKillAtAnyStep(t *testing.T) {
	for n := 1; ; n++ {
		dir := t.TempDir()
		var steps []string
		var mu sync.Mutex
		armed := false
		hook := func(step string) error {
			mu.Lock()
			defer mu.Unlock()
			if !armed {
				return nil
			}
			if steps = append(steps, step); len(steps) >= n {
				return errKilled
			}
			return nil
		}
		s, err := startWith(t, allinone.Config{DataDir: dir, Hooks: allinone.Hooks{Erase: hook}})
		if err != nil {
			t.Fatal(err)
		}
		w := tables{t, s}
		w.fill("a", true)
		w.fill("b", true)
		before, _ := checkpoint(t, s, 0)
		mu.Lock()
		armed = true
		mu.Unlock()
		_, err = w.delete("a")
		finished := err == nil
		begun := false
		for _, subject := range rest(t, s, "a") {
			if _, ok := journal.SplitTombstone(subject); ok {
				begun = true
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if n%2 == 0 { // with new projections
			if err := os.RemoveAll(filepath.Join(dir, "projections")); err != nil {
				t.Fatal(err)
			}
		}
		if w.s, err = startWith(t, allinone.Config{DataDir: dir}); err != nil {
			t.Fatalf("after a kill at %v: %v", steps, err)
		}
		if begun {
			w.gone("a")
			for _, subject := range rest(t, w.s, "a") {
				if _, ok := journal.SplitTombstone(subject); !ok {
					t.Errorf("kill at %v: left in the log: %s", steps, subject)
				}
			}
			now, proof := checkpoint(t, w.s, uint64(openCheckpoint(t, dir, before).Size))
			if err := openCheckpoint(t, dir, now).Extends(openCheckpoint(t, dir, before), proof); err != nil {
				t.Errorf("kill at %v: the tree does not extend what it was: %v", steps, err)
			}
		} else {
			w.alive("a")
			if _, err := w.delete("a"); err != nil {
				t.Errorf("kill at %v: a second try: %v", steps, err)
			}
			w.gone("a")
		}
		w.alive("b")
		same(t, w.s)
		if err := w.s.Close(); err != nil {
			t.Fatal(err)
		}
		if finished {
			if n < 5 {
				t.Errorf("only %d steps: %v", n, steps)
			}
			return
		}
	}
}

func openFights(r *opsv1.DeleteTableRequest) { r.OpenFights = true }
