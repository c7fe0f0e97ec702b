package journal_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"testing"

	"github.com/skaldrpg/skald/pkg/journal"
)

// crashDir tells the test binary to be the process that gets killed.
const crashDir = "SKALD_JOURNAL_CRASH_DIR"

func TestMain(m *testing.M) {
	if dir := os.Getenv(crashDir); dir != "" {
		fmt.Println("child:", appendForEver(dir))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// appendForEver prints a line for each acknowledged append.
func appendForEver(dir string) error {
	ctx := context.Background()
	e, err := journal.StartEmbedded(ctx, journal.EmbeddedConfig{StoreDir: dir}, quiet)
	if err != nil {
		return err
	}
	nc, err := e.Connect("child")
	if err != nil {
		return err
	}
	j, err := journal.Open(ctx, nc, config())
	if err != nil {
		return err
	}
	last, _, err := j.Last(ctx, crashSubject)
	if err != nil {
		return err
	}
	for at := last.Seq; ; {
		id := fmt.Sprintf("after-%d", at)
		if at, err = j.Append(ctx, journal.Message{Subject: crashSubject, ID: id, Data: []byte(id), Expected: at}); err != nil {
			return err
		}
		fmt.Println("acked", at, id)
	}
}

const crashSubject = "skald.0.t.encounter.e"

// A process killed while appending loses nothing that was acknowledged, and at
// most adds the one record whose acknowledgement it did not live to see.
func TestKill(t *testing.T) {
	dir := t.TempDir()
	acked := map[uint64]string{}
	for round := range 3 {
		child := exec.CommandContext(t.Context(), os.Args[0]) //nolint:gosec // this test
		child.Env = append(os.Environ(), crashDir+"="+dir)
		out, err := child.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		lines, n := bufio.NewScanner(out), 0
		for lines.Scan() {
			var seq uint64
			var id string
			if _, err := fmt.Sscanf(lines.Text(), "acked %d %s", &seq, &id); err != nil {
				t.Fatalf("child said %q", lines.Text())
			}
			acked[seq] = id
			if n++; n == 50+round*37 {
				if err := child.Process.Kill(); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := child.Wait(); err == nil {
			t.Fatal("child was not killed")
		}
	}
	_, nc := start(t, journal.EmbeddedConfig{StoreDir: dir})
	j, stored := open(t, nc, config()), 0
	if err := j.Read(t.Context(), "", 1, 0, func(r journal.Record) error {
		stored++
		if id, ok := acked[r.Seq]; ok && (r.ID != id || string(r.Data) != id) {
			return fmt.Errorf("record %d is %s, acknowledged was %s", r.Seq, r.ID, id)
		}
		delete(acked, r.Seq)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if len(acked) > 0 {
		t.Fatalf("lost %d acknowledged records of %d: %v", len(acked), stored, acked)
	}
}
