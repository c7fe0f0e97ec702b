package cli

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// readmeFile is what somebody reads first.
const readmeFile = "../../../../README.md"

// The commands of the README run in the order in which they stand there, and
// print what is printed below them.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile(readmeFile)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("SKALD_SERVER", serve(t))
	t.Setenv("SKALD_TABLE", "readme")
	t.Chdir("../../../..")
	_, fight, found := strings.Cut(string(text), "## A fight on one screen")
	fight, _, ended := strings.Cut(fight, "\n## More")
	if !found || !ended {
		t.Fatal("the README has no fight on one screen")
	}
	said, commands := "", 0
	for i, block := range strings.Split(fight, "\n```") {
		switch lines := commandLines(block); {
		case i%2 == 0 || strings.Contains(block, "grpcurl"):
		case len(lines) == 0:
			if !strings.HasSuffix(said, strings.TrimPrefix(block, "\n")+"\n") {
				t.Errorf("the README shows\n%s\nand the last command above it says\n%s", block, said)
			}
		default:
			for _, args := range lines {
				if args[0] == "up" {
					continue
				}
				commands++
				var out, errOut bytes.Buffer
				if code := Run(t.Context(), args, strings.NewReader(""), &out, &errOut); code != exitOK {
					t.Errorf("skald %s: exit code %d: %s", strings.Join(args, " "), code, errOut.String())
				}
				said = out.String()
			}
		}
	}
	if commands < 20 {
		t.Errorf("only %d commands were found in the README", commands)
	}
}

// commandLines are the calls of skald in a block, without their comments.
func commandLines(block string) [][]string {
	var out [][]string
	for line := range strings.Lines(block) {
		if call, is := strings.CutPrefix(line, "./skald "); is {
			call, _, _ = strings.Cut(call, " #")
			out = append(out, words(call))
		}
	}
	return out
}

// words splits a command line at blanks outside quotation marks.
func words(line string) []string {
	quoted := false
	parts := strings.FieldsFunc(line, func(r rune) bool {
		if r == '"' {
			quoted = !quoted
		}
		return !quoted && (r == ' ' || r == '\n')
	})
	for i, p := range parts {
		parts[i] = strings.ReplaceAll(p, "\"", "")
	}
	return parts
}
