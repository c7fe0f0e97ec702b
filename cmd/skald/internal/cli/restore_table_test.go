package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A backup from before a deletion brings the table back: whoever restores it is told,
// and the name of the table where its tombstone is given.
func TestARestoreTellsOfTablesThatAreBack(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("SKALD_SERVER", serveIn(t, "data", filepath.Join("data", "archive")))
	for _, table := range []string{"friday", "monday"} {
		run(t, "encounter", "create", "--table", table, "--system", "basic", "--id", "b", "--title", "B")
	}
	run(t, "table", "delete", "monday", "--reason", "over", "--open-fights", "--yes")
	run(t, "backup", "--data", "data", "--to", "before")
	run(t, "table", "delete", "friday", "--reason", "over", "--open-fights", "--yes")
	for _, table := range []string{"friday", "monday"} {
		if err := os.WriteFile(table+".tombstone", []byte(run(t, "table", "tombstone", table)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run(t, "backup", "--data", "data", "--to", "after")
	restore := func(from, to string, more ...string) string {
		t.Helper()
		var out, errs bytes.Buffer
		if code := Run(t.Context(), append([]string{"restore", "--from", from, "--data", filepath.Join("restored", to)}, more...), strings.NewReader(""), &out, &errs); code != exitOK {
			t.Fatalf("restoring %s: %d: %s", from, code, errs.String())
		}
		return errs.String()
	}
	if err := os.Mkdir("restored", 0o700); err != nil {
		t.Fatal(err)
	}
	kept := []string{"--tombstone", "friday.tombstone", "--tombstone", "monday.tombstone"}
	if said := restore("before", "a"); !strings.Contains(said, "delete it again") {
		t.Errorf("without tombstones it says %q", said)
	}
	if said := restore("before", "b", kept...); !strings.Contains(said, "skald table delete friday") || strings.Contains(said, "monday") {
		t.Errorf("from before it says %q", said)
	}
	if said := restore("after", "c", kept...); strings.Contains(said, "there again") {
		t.Errorf("from after it says %q", said)
	}
	var out bytes.Buffer
	if err := os.WriteFile("rubbish", []byte("rubbish"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code := Run(t.Context(), []string{"restore", "--from", "after", "--data", "restored/d", "--tombstone", "rubbish"}, strings.NewReader(""), &out, &out); code != exitUsage {
		t.Errorf("rubbish as a tombstone: %d: %s", code, out.String())
	}
	if _, err := os.Stat("restored/d"); err == nil {
		t.Error("something was restored nevertheless")
	}
}
