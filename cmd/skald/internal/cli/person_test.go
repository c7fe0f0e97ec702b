package cli

import (
	"os"
	"strings"
	"testing"
)

// A name is shown where a step says who; forgotten it is in no step, explanation,
// transcript, patient's history or export any more, which are what they were, and the
// record holds.
func TestAForgottenNameIsShownNowhere(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("SKALD_SERVER", serve(t))
	run(t, "encounter", "create", "--system", "basic", "--id", "b", "--title", "B")
	run(t, "encounter", "add", "b", "sellsword", "--id", "hask", "--controller", "p-17", "--position", "0,0")
	run(t, "encounter", "start", "b")
	run(t, "encounter", "contest", "b", "3", "--words", "it was too dark", "--as", "player:p-17")
	shown := map[string][]string{
		"history":              {"encounter", "history", "b", "--all"},
		"history of a player":  {"encounter", "history", "b", "--as", "player:p-17"},
		"watch":                {"watch", "b", "--once", "--all"},
		"replay":               {"replay", "b"},
		"history as JSON":      {"encounter", "history", "b", "--all", "--json"},
		"explanation of steps": {"encounter", "explain", "b", "4"},
		"explanation":          {"encounter", "explain", "b", "4", "0"},
		"state":                {"encounter", "state", "b"},
		"words":                {"encounter", "words", "b"},
		"people":               {"person", "list"},
	}
	files := map[string][]string{
		"b.jsonl":   {"encounter", "export", "b", "-o", "b.jsonl"},
		"p17.jsonl": {"encounter", "export", "b", "-o", "p17.jsonl", "--as", "player:p-17"},
		"t.jsonl":   {"table", "export", "t.jsonl"},
	}
	all := func() map[string]string {
		t.Helper()
		out := map[string]string{}
		for what, args := range shown {
			out[what] = run(t, args...)
		}
		for file, args := range files {
			run(t, args...)
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			out[file] = string(data)
		}
		return out
	}
	before := all()
	run(t, "person", "name", "p-17", "Annabel Formername")
	run(t, "person", "name", "p-17", "Ann Lastname")
	named := all()
	for _, what := range []string{"history", "watch", "replay"} {
		if !strings.Contains(named[what], "Ann Lastname [p-17]") || strings.Contains(named[what], "Formername") {
			t.Errorf("%s shows a name as\n%s", what, named[what])
		}
	}
	for what, text := range named {
		if (strings.HasSuffix(what, ".jsonl") || what == "history as JSON") && strings.Contains(text, "Lastname") {
			t.Errorf("%s holds a name", what)
		}
	}
	run(t, "person", "forget", "p-17")
	for what, text := range all() {
		if strings.Contains(text, "Lastname") || strings.Contains(text, "Formername") {
			t.Errorf("%s shows a name that was forgotten:\n%s", what, text)
		}
		if text != before[what] && !strings.HasSuffix(what, ".jsonl") { // what is exported is signed anew
			t.Errorf("%s is\n%s\nand was\n%s", what, text, before[what])
		}
	}
	run(t, "verify", "b")
	run(t, "verify", "b.jsonl")
}
