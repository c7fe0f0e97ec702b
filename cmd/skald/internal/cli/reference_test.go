package cli

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

var update = flag.Bool("update", false, "write docs/CLI.md anew")

// referenceFile is the document that this test keeps true.
const referenceFile = "../../../../docs/CLI.md"

const preface = "# The command line\n\n" +
	"`skald` is one program: the server, and a client to everything it serves. This page is made from the program's own help\n" +
	"(`go test ./internal/cli -run TestReference -update` in `cmd/skald`); a test fails when the two differ.\n\n" +
	"## What holds for every command\n\n" +
	"* Commands that only compute (`demo`, `bench`, `roll`, `odds`, `rules`, `sheet check`, `scenario run`) need no server. Without\n" +
	"  `--server`, `roll`, `odds`, `rules` and `sheet check` are answered in this process, by the code of the services, and\n" +
	"  write nothing; `demo`, `bench`, `scenario run` and `sheet check --pack` start the whole suite in a temporary folder. `sheet list`,\n" +
	"  `sheet show`, `import`, `version`, `scenario check`, `scenario coverage` and `verify FILE` need no services at all. The\n" +
	"  others talk to `--server`.\n" +
	"* `--as` says on whose behalf: `gm`, `spectator`, or `player:NAME`, where NAME is a controller of creatures. You see and\n" +
	"  may do what that one sees and may do. To a server with keys `--token`, `--token-file` or `SKALD_TOKEN` says who you are,\n" +
	"  and `--as` can only narrow it.\n" +
	"* `--json` prints one JSON value a line, with the field names of the contracts under `proto/`; errors go to standard\n" +
	"  error as JSON too.\n" +
	"* Every flag can come from the environment: `--dice-policy` from `SKALD_DICE_POLICY`, `--server` from `SKALD_SERVER`. The\n" +
	"  command line wins.\n" +
	"* Commands that change something take `--request-id`: the same id again returns the first answer and changes nothing.\n" +
	"* `skald completion SHELL` prints completion for bash, zsh, fish and powershell.\n\n" +
	"## How a fight is printed\n\n" +
	"| mark | meaning |\n|---|---|\n" +
	"| `#5` | the fifth step that you may see; rulings and `explain` name steps by it |\n" +
	"| `--- Round 2` | a round begins |\n" +
	"| `* Jeera, Grak` | it is their turn; several act at the same time |\n" +
	"| `Jeera: attack longsword -> Grak` | an action: who, what, with what, against whom |\n" +
	"| `1d20 [12] +7 longsword = 19 vs AC 13: success` | dice, faces, what is added and why, total, what it is compared with, outcome; faces in parentheses do not count |\n" +
	"| `rolled by hand` | people gave the faces |\n" +
	"| `fixed by the game master` | a ruling gave the roll these faces, by the game master's word |\n" +
	"| `the result by the game master's word` | a ruling gave the total or the outcome; a modifier leads from the dice to it |\n" +
	"| `#14.2` | the second place inside the amended history of step 14, a ruling: `- ` before a line that was, `+ ` before one that is |\n" +
	"| `rolled openly`, `rolled in private`, `rolled blind` | the command called for other eyes than the rules say |\n" +
	"| `? cleave [id] for Jeera: ... (yes / no*)` | an open decision: name, id, who decides, the answers, `*` the one taken when nobody decides |\n" +
	"| `! cleave Jeera: no (standing order)` | its answer, and how it came: given ahead, by a standing order, by default, by the game master |\n" +
	"| `[for Jeera]` | only the players of Jeera and the game master see this |\n" +
	"| `[gm only]` | only the game master sees this |\n" +
	"| `(rcr.hp.secret-totals)` | with `--rule-ids`: the rules behind it, which `skald rules ID` prints |\n" +
	"| `{attack/1/to-hit}` | with `--all` and in `explain`: the label of a roll, which `amend --roll` takes |\n\n" +
	"## Exit codes\n\n" +
	"| code | meaning | gRPC status |\n|---|---|---|\n" +
	"| 0 | done | OK |\n" +
	"| 1 | a check failed (`verify`, `scenario`, `replay --check`, `rebuild --check`, `sheet check`), or a bug | INTERNAL and others |\n" +
	"| 2 | the command line or the input is malformed | INVALID_ARGUMENT |\n" +
	"| 3 | refused by the rules or the state; the message names reason and rule | FAILED_PRECONDITION |\n" +
	"| 4 | there is no such thing, or you may not know of it | NOT_FOUND |\n" +
	"| 5 | it exists already, the cursor is stale, or another command won | ALREADY_EXISTS, ABORTED |\n" +
	"| 6 | no server answers | UNAVAILABLE |\n" +
	"| 7 | you may not do this, or the token is missing or not good | PERMISSION_DENIED, UNAUTHENTICATED |\n" +
	"| 8 | a limit | RESOURCE_EXHAUSTED |\n\n"

// TestReference holds that docs/CLI.md says what the program says.
func TestReference(t *testing.T) {
	root := (&app{}).root()
	root.InitDefaultHelpCmd()
	var b strings.Builder
	b.WriteString(preface + "## Global flags\n\n" + flagTable(root.PersistentFlags()) + "\n## Commands\n")
	reference(&b, root)
	got := b.String()
	if *update {
		if err := os.WriteFile(referenceFile, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(filepath.FromSlash(referenceFile))
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != got {
		t.Error("docs/CLI.md is not what the program says: run go test ./internal/cli -run TestReference -update in cmd/skald")
	}
}

func reference(b *strings.Builder, c *cobra.Command) {
	for _, sub := range c.Commands() {
		if sub.Name() == "help" || sub.Name() == "completion" || sub.Hidden {
			continue
		}
		if sub.Runnable() && !isGroup(sub) {
			fmt.Fprintf(b, "\n### skald %s\n\n%s.\n", strings.TrimPrefix(sub.CommandPath(), "skald "), sub.Short)
			fmt.Fprintf(b, "\n```\nskald %s\n```\n", usageLine(sub))
			if long := strings.TrimSpace(sub.Long); long != "" {
				fmt.Fprintf(b, "\n%s\n", long)
			}
			if sub.Example != "" {
				fmt.Fprintf(b, "\nExamples:\n\n```\n%s\n```\n", unindent(sub.Example))
			}
			if table := flagTable(sub.NonInheritedFlags()); table != "" {
				b.WriteString("\n" + table)
			}
		}
		reference(b, sub)
	}
}

func isGroup(c *cobra.Command) bool { return c.HasSubCommands() && c.Example == "" }

func usageLine(c *cobra.Command) string {
	parent := strings.TrimPrefix(strings.TrimPrefix(c.Parent().CommandPath(), "skald"), " ")
	return strings.TrimSpace(parent + " " + c.Use)
}

func unindent(text string) string {
	var out []string
	for line := range strings.Lines(text) {
		out = append(out, strings.TrimPrefix(strings.TrimRight(line, "\n"), "  "))
	}
	return strings.Join(out, "\n")
}

func flagTable(flags *pflag.FlagSet) string {
	var rows []string
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		def := f.DefValue
		if def == "" || def == "[]" {
			def = " "
		} else {
			def = " `" + def + "` "
		}
		rows = append(rows, fmt.Sprintf("| `%s` |%s| %s |", name, def, strings.ReplaceAll(f.Usage, "|", "\\|")))
	})
	if len(rows) == 0 {
		return ""
	}
	return "| flag | default | what |\n|---|---|---|\n" + strings.Join(rows, "\n") + "\n"
}

// Every command has an example and says what it does.
func TestEveryCommandHasHelp(t *testing.T) {
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		if c.Short == "" || !c.HasSubCommands() && c.Example == "" {
			t.Errorf("%s: no short help or no example", c.CommandPath())
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk((&app{}).root())
}

// Every example is a command line that is understood: the command is there, and
// so are its flags, in the right number of arguments.
func TestExamplesAreUnderstood(t *testing.T) {
	var all func(*cobra.Command) []string
	all = func(c *cobra.Command) []string {
		out := strings.Split(c.Example, "\n")
		for _, sub := range c.Commands() {
			out = append(out, all(sub)...)
		}
		return out
	}
	lines := 0
	for _, line := range all((&app{}).root()) {
		call, is := strings.CutPrefix(strings.TrimSpace(line), "skald ")
		if !is {
			if strings.TrimSpace(line) != "" {
				t.Errorf("an example that does not call skald: %q", line)
			}
			continue
		}
		call, _, _ = strings.Cut(call, " | ")
		call, _, _ = strings.Cut(call, " > ")
		lines++
		cmd, rest, err := (&app{}).root().Find(words(strings.ReplaceAll(call, "'", "\"")))
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		if err := cmd.ParseFlags(rest); err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		if err := cmd.ValidateArgs(cmd.Flags().Args()); err != nil || !cmd.Runnable() {
			t.Errorf("%s: %v", line, err)
		}
	}
	if lines < 40 {
		t.Errorf("only %d examples were found", lines)
	}
}
