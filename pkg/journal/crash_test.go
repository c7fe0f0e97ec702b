package journal_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"github.com/skaldrpg/skald/pkg/journal"
)

// crashDir tells the test binary to be the process that gets killed, crashBatch to append
// batches of so many.
const (
	crashDir   = "SKALD_JOURNAL_CRASH_DIR"
	crashBatch = "SKALD_JOURNAL_CRASH_BATCH"
)

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
	if n, err := strconv.Atoi(os.Getenv(crashBatch)); err == nil {
		return batchesForEver(ctx, j, n)
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

// batchesForEver prints a line for each acknowledged batch, which has a record on each of n
// subjects.
func batchesForEver(ctx context.Context, j *journal.Journal, n int) error {
	ms := make([]journal.Message, n)
	for i := range ms {
		ms[i].Subject = fmt.Sprint(crashSubject, i)
		last, _, err := j.Last(ctx, ms[i].Subject)
		if err != nil {
			return err
		}
		ms[i].Expected = last.Seq
	}
	for {
		for i := range ms {
			ms[i].ID = fmt.Sprintf("after-%d", ms[i].Expected)
			if ms[i].Expected == 0 {
				ms[i].ID = fmt.Sprintf("first-%d", i)
			}
			ms[i].Data = make([]byte, 200)
		}
		seqs, err := j.AppendAtomic(ctx, ms)
		if err != nil {
			return err
		}
		for i, seq := range seqs {
			ms[i].Expected = seq
		}
		fmt.Println("acked", seqs[0], ms[0].ID)
	}
}

const crashSubject = "skald.0.t.encounter.e"

// A process killed while appending loses nothing that was acknowledged, and at
// most adds the one record whose acknowledgement it did not live to see.
func TestKill(t *testing.T) {
	dir := t.TempDir()
	acked := map[uint64]string{}
	for round := range 3 {
		kill(t, dir, 50+round*37, acked)
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

// A process killed while appending batches leaves each of them whole or not there, and
// what was acknowledged is there.
func TestKillInABatch(t *testing.T) {
	const n = 64
	dir, acked := t.TempDir(), map[uint64]string{}
	for round := range 4 {
		kill(t, dir, 5+round, acked, crashBatch+"="+strconv.Itoa(n))
	}
	_, nc := start(t, journal.EmbeddedConfig{StoreDir: dir})
	j, stored := open(t, nc, config()), map[string]int{}
	if err := j.Read(t.Context(), "", 1, 0, func(r journal.Record) error {
		stored[r.Subject]++
		delete(acked, r.Seq)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if len(acked) > 0 || len(stored) != n {
		t.Errorf("lost %d acknowledged batches; there are %d subjects", len(acked), len(stored))
	}
	for subject, is := range stored {
		if want := stored[crashSubject+"0"]; is != want || want < 4*5 {
			t.Errorf("%s has %d records, the first has %d", subject, is, want)
		}
	}
}

// kill lets a process append, and ends it when it was told of so many that are stored.
func kill(t *testing.T, dir string, after int, acked map[uint64]string, env ...string) {
	t.Helper()
	child := exec.CommandContext(t.Context(), os.Args[0]) //nolint:gosec // this test
	child.Env = append(append(os.Environ(), crashDir+"="+dir), env...)
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
		if n++; n == after {
			if err := child.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := child.Wait(); err == nil {
		t.Fatal("child was not killed")
	}
}
