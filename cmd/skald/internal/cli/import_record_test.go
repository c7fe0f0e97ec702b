package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What one server exports another takes in by the same words; what is no record, or
// none that holds, is refused before anything is sent.
func TestImportOfARecord(t *testing.T) {
	t.Chdir(t.TempDir())
	here, there := serve(t), serve(t)
	t.Setenv("SKALD_SERVER", here)
	run(t, "encounter", "create", "--system", "basic", "--id", "b", "--title", "B")
	run(t, "encounter", "add", "b", "sellsword", "--id", "hask", "--controller", "ann", "--position", "0,0")
	run(t, "encounter", "start", "b")
	run(t, "encounter", "export", "b", "-o", "b.jsonl")
	run(t, "encounter", "export", "b", "-o", "ann.jsonl", "--as", "player:ann")
	words := run(t, "encounter", "words", "b")

	t.Setenv("SKALD_SERVER", there)
	data, err := os.ReadFile("b.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(data, []byte("\n"))
	for name, file := range map[string][]byte{"empty": nil, "blank": []byte("\n\n"), "text": []byte("a fight\n"),
		"short": bytes.Join(append(lines[:1:1], lines[2:]...), nil)} {
		if err := os.WriteFile(name, file, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"empty", "blank", "text", "short", "ann.jsonl", filepath.Join("no", "such")} {
		var out, errOut bytes.Buffer
		if code := Run(t.Context(), []string{"encounter", "import", name}, strings.NewReader(""), &out, &errOut); code == exitOK || errOut.Len() == 0 {
			t.Errorf("%s: exit code %d: %s%s", name, code, out.String(), errOut.String())
		}
	}
	if said := run(t, "encounter", "import", "b.jsonl"); !strings.Contains(said, "encounter b at table main: 3 Commits, 3 of them decided again") {
		t.Errorf("it says %s", said)
	}
	state := run(t, "encounter", "state", "b")
	if !strings.Contains(state, "only read") {
		t.Errorf("the state reads %s", state)
	}
	if history := run(t, "encounter", "history", "b"); !strings.Contains(history, "brought from another server by the game master") {
		t.Errorf("the history reads %s", history)
	}
	if again := run(t, "encounter", "words", "b"); again == words {
		t.Errorf("the words after the end of the record are those before it: %s", again)
	}
	run(t, "encounter", "fork", "b", "again")
	run(t, "encounter", "end", "again")
	run(t, "verify", "b")
}
