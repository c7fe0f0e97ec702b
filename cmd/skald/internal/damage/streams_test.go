package damage

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/cmd/skald/internal/backup"
	"github.com/skaldrpg/skald/cmd/skald/internal/mend"
	"github.com/skaldrpg/skald/pkg/journal"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter"
)

// tables are spread over the streams of the test below.
const tables = 12

func atTable(t *testing.T, s *allinone.Stack, table int) encounterv1.EncounterServiceClient {
	t.Helper()
	fights := encounterv1.NewEncounterServiceClient(s.Conn())
	for i, cmd := range []*eventv1.Command{
		{What: &eventv1.Command_Create{Create: &eventv1.CreateEncounter{System: "rcr", Title: fmt.Sprint("of ", table)}}},
		{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: sheet("fighter", "a", "left")}}},
		{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: sheet("fighter", "b", "right")}}},
		{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}},
	} {
		if _, err := fights.Execute(t.Context(), &encounterv1.ExecuteRequest{RequestId: fmt.Sprint(i), As: gm, Table: fmt.Sprint("t", table), Encounter: "e", Command: cmd}); err != nil {
			t.Fatal(err)
		}
	}
	return fights
}

// shown is the state of every table's fight.
func shown(t *testing.T, s *allinone.Stack) []*eventv1.State {
	t.Helper()
	var out []*eventv1.State
	for table := range tables {
		resp, err := encounterv1.NewEncounterServiceClient(s.Conn()).GetState(t.Context(), &encounterv1.GetStateRequest{As: gm, Table: fmt.Sprint("t", table), Encounter: "e"})
		if err != nil {
			t.Fatalf("table %d: %v", table, err)
		}
		out = append(out, resp.State)
	}
	return out
}

func withStreams(t *testing.T, dir string, fn func(*allinone.Stack)) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	s, err := allinone.Start(ctx, allinone.Config{DataDir: dir, Archive: archiveOf(dir), Streams: 4, Logger: quiet, DiskReserve: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	fn(s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// A journal of several streams is copied, restored and mended as a whole.
func TestSeveralStreams(t *testing.T) {
	if os.Getenv("SKALD_RACE") == "1" {
		t.Skip("of files, not of goroutines")
	}
	top := t.TempDir()
	dir, copied, again := filepath.Join(top, "data"), filepath.Join(top, "copy"), filepath.Join(top, "again")
	var want []*eventv1.State
	same := func(s *allinone.Stack) {
		t.Helper()
		for i, got := range shown(t, s) {
			if !proto.Equal(got, want[i]) {
				t.Errorf("table %d is another", i)
			}
		}
	}
	withStreams(t, dir, func(s *allinone.Stack) {
		for table := range tables {
			atTable(t, s, table)
		}
		want = shown(t, s)
		names := map[string]bool{}
		for _, part := range s.Board().Parts() {
			names[part.Name] = true
		}
		for _, name := range []string{"journal", "journal-3", "archive-3", "encounter-3", "dice-3", "injury-3"} {
			if !names[name] {
				t.Errorf("no part %s on the board", name)
			}
		}
	})
	used, err := filepath.Glob(filepath.Join(dir, "journal", "jetstream", "$G", "streams", "SKALD_*", "msgs", "1.blk"))
	if err != nil || len(used) != 4 {
		t.Fatalf("%v, %v", used, err)
	}
	out, err := backup.Backup(t.Context(), backup.Config{DataDir: dir, To: copied, Logger: quiet})
	if err != nil || len(out) < 3 {
		t.Fatalf("%v, %v", out, err)
	}
	if _, err := backup.Restore(t.Context(), backup.RestoreConfig{From: copied, DataDir: again, Logger: quiet}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{backup.KeyFile, encounter.KeysFile} { // the operator's own copies
		key, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(again, name), key, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	withStreams(t, again, same)

	// The first block of two streams is gone, one of them that of the directory.
	for _, path := range used[:2] {
		if err := os.WriteFile(path, []byte("nothing of the kind"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var refused *journal.DamageError
	_, err = allinone.Start(t.Context(), allinone.Config{DataDir: dir, Archive: archiveOf(dir), Logger: quiet})
	if !errors.As(err, &refused) || !strings.Contains(err.Error(), "skald mend --data") {
		t.Fatalf("started: %v", err)
	}
	report, err := mend.Run(t.Context(), mend.Config{DataDir: dir, Archive: archiveOf(dir), Logger: quiet})
	if err != nil || report.Lost() > 0 {
		t.Fatalf("%v\n%v", err, report)
	}
	withStreams(t, dir, same)
}
