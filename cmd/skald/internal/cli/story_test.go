package cli

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/cmd/skald/internal/story"
)

// seeded is a source that gives the same bytes each time.
type seeded struct {
	mu  sync.Mutex
	src *rand.ChaCha8
}

// Read is io.Reader.Read.
func (s *seeded) Read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.src.Read(p)
}

// tellStory is the story as it comes out with dice and times that are the same each time.
func tellStory(t *testing.T) string {
	t.Helper()
	stack, err := allinone.Start(t.Context(), allinone.Config{DataDir: t.TempDir(), Random: &seeded{src: rand.NewChaCha8([32]byte{5})},
		Clock: func() time.Time { return time.Unix(1_800_000_000, 0) }, Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
	if err != nil {
		t.Fatal(err)
	}
	defer stack.Close() //nolint:errcheck // the test is over
	var out bytes.Buffer
	if err := story.Run(t.Context(), story.Config{Conn: stack.Conn(), Dir: t.TempDir(), Export: exportTo, Verify: verifyFile, Out: &out}); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	return out.String()
}

// textBlocks are the blocks of a page that show what the program prints.
var textBlocks = regexp.MustCompile("(?s)```text\n(.*?)```")

// varying is what hangs on when the service opened dice after an end: the id of the
// contest, and the words, of which the story itself holds that all viewers have the same.
var varying = regexp.MustCompile(`(?m)\b[0-9a-f]{12}\b|(?:[a-z]+ ){7}[a-z]+$`)

// What docs/STORY.md shows of the story is what it prints: every run of lines between
// dots stands in it as it is, in this order.
func TestStoryOfTheDocuments(t *testing.T) {
	out := tellStory(t)
	if file := os.Getenv("SKALD_STORY"); file != "" { // to write the page from
		if err := os.WriteFile(file, []byte(out), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	blocks := textBlocks.FindAllStringSubmatch(read(t, "../../../../docs/STORY.md"), -1)
	if len(blocks) < 5 {
		t.Fatalf("%d blocks", len(blocks))
	}
	rest := varying.ReplaceAllString(out, "*")
	for _, block := range blocks {
		for _, run := range strings.Split(varying.ReplaceAllString(block[1], "*"), "...\n") {
			at := strings.Index(rest, run)
			if at < 0 {
				t.Fatalf("the story does not print, at that place:\n%s\nit is:\n%s", run, out)
			}
			rest = rest[at+len(run):]
		}
	}
}

// As values the story says what came of it: two rolls made anew, more hit points, the
// same words for all, a record that is decided again, and that a cut copy is found.
func TestStoryAsValues(t *testing.T) {
	var s story.Summary
	if err := json.Unmarshal([]byte(run(t, "demo", "--story", "--json")), &s); err != nil {
		t.Fatal(err)
	}
	if s.Rolls != 2 || s.After <= s.Before || len(s.Words) != 2 || s.Commits < 35 || s.Faces < 4 || len(s.Found) != 1 {
		t.Errorf("%+v", s)
	}
}

// A file of a table goes on from a head that was kept, or says how not; one of something
// else is said not to be checked.
func TestHeadsOfATableFile(t *testing.T) {
	t.Setenv("SKALD_SERVER", serve(t))
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	run(t, "encounter", "create", "--system", "rcr", "--id", "bridge", "--dice-policy", "either")
	run(t, "encounter", "add", "bridge", "orc", "--id", "grak")
	run(t, "encounter", "head", "bridge", "--of", "chain", "-o", in("old.head"))
	run(t, "table", "export", in("old.jsonl"))
	run(t, "encounter", "add", "bridge", "orc", "--id", "snag")
	run(t, "encounter", "head", "bridge", "--of", "chain", "-o", in("new.head"))
	run(t, "encounter", "head", "bridge", "-o", in("own.head"))
	run(t, "table", "export", in("new.jsonl"))
	for _, tt := range []struct {
		file, head, want string
		code             int
	}{
		{"new.jsonl", "old.head", "agrees with the head that was kept of encounter bridge, chain at 2", exitOK},
		{"new.jsonl", "new.head", "agrees with the head that was kept of encounter bridge, chain at 3", exitOK},
		{"old.jsonl", "new.head", "the export ends at version 2, and the head that was kept is of version 3", exitFailure},
		{"new.jsonl", "own.head", "not checked: the head of gm of main/bridge at 3", exitOK},
	} {
		var out, errOut bytes.Buffer
		code := Run(t.Context(), []string{"verify", in(tt.file), "--since", in(tt.head)}, strings.NewReader(""), &out, &errOut)
		if code != tt.code || !strings.Contains(out.String(), tt.want) || tt.code != exitOK && strings.Contains(out.String(), "agrees with") {
			t.Errorf("%s since %s: exit code %d\n%s%s", tt.file, tt.head, code, out.String(), errOut.String())
		}
	}
	// The head is of an encounter that the file has nothing of.
	run(t, "encounter", "create", "--system", "rcr", "--id", "ford")
	run(t, "encounter", "head", "ford", "--of", "chain", "-o", in("ford.head"))
	var out bytes.Buffer
	if code := Run(t.Context(), []string{"verify", in("new.jsonl"), "--since", in("ford.head")}, strings.NewReader(""), &out, io.Discard); code != exitFailure ||
		!strings.Contains(out.String(), "encounter ford at version 1, of which the file has nothing") {
		t.Errorf("exit code %d\n%s", code, out.String())
	}
}

// A record of a patient out of whose end a deed was cut holds in itself; an earlier report
// that somebody kept says that there was more, and where each record stood.
func TestReportsThatWereKept(t *testing.T) {
	t.Setenv("SKALD_SERVER", serve(t))
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	run(t, "patient", "enrol", "tam", "--system", "rcr", "--sheet", "rogue")
	run(t, "table", "export", in("old.jsonl"))
	run(t, "patient", "tend", "pass-time", "tam", "--parameter", "hours=3")
	run(t, "table", "export", in("new.jsonl"))
	for name, of := range map[string]string{"old.json": "old.jsonl", "new.json": "new.jsonl"} {
		if err := os.WriteFile(in(name), []byte(run(t, "verify", in(of), "--json")), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if out := run(t, "verify", in("new.jsonl"), "--since-report", in("old.json")); !strings.Contains(out, "agrees with the head that was kept of patient tam, chain at 1") {
		t.Error(out)
	}
	var out bytes.Buffer
	if code := Run(t.Context(), []string{"verify", in("old.jsonl"), "--since-report", in("new.json")}, strings.NewReader(""), &out, io.Discard); code != exitFailure ||
		!strings.Contains(out.String(), "patient tam: the export ends at version 1, and the head that was kept is of version 2") {
		t.Errorf("exit code %d\n%s", code, out.String())
	}
	run(t, "patient", "enrol", "wim", "--system", "rcr", "--sheet", "rogue")
	run(t, "table", "export", in("both.jsonl"))
	if err := os.WriteFile(in("both.json"), []byte(run(t, "verify", in("both.jsonl"), "--json")), 0o600); err != nil {
		t.Fatal(err)
	}
	out.Reset()
	if code := Run(t.Context(), []string{"verify", in("new.jsonl"), "--since-report", in("both.json")}, strings.NewReader(""), &out, io.Discard); code != exitFailure ||
		!strings.Contains(out.String(), "patient wim ended at version 1 in the report that was kept, and the file has nothing of it") {
		t.Errorf("exit code %d\n%s", code, out.String())
	}
}
