package cli

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// callLine finds calls of skald in code blocks, where a line may begin with a prompt,
// and mention those in running text.
var (
	callLine = regexp.MustCompile(`(?m)^(?:\$ )?(?:\./)?skald ([a-z][^\n]*)$`)
	mention  = regexp.MustCompile("`(?:\\./)?skald ([a-z][^`\n]*)`")
)

// TestEveryDocumentedCommandIsUnderstood: all that a page calls is a command of the
// program, with flags that it has and as many arguments as it takes; what is only
// mentioned may leave arguments out.
func TestEveryDocumentedCommandIsUnderstood(t *testing.T) {
	pages, err := filepath.Glob("../../../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, page := range append(pages, readmeFile) {
		if filepath.Base(page) == "CLI.md" {
			continue // written by the program
		}
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for kind, all := range map[bool][][]string{true: callLine.FindAllStringSubmatch(string(text), -1), false: mention.FindAllStringSubmatch(string(text), -1)} {
			for _, m := range all {
				found++
				if err := understood(m[1], kind); err != nil {
					t.Errorf("%s: skald %s: %v", filepath.Base(page), m[1], err)
				}
			}
		}
	}
	if found < 150 {
		t.Errorf("only %d calls were found", found)
	}
}

// understood tells why a command line would not be carried out; whole says that its
// arguments must be all there.
func understood(call string, whole bool) error {
	call, _, _ = strings.Cut(call, " #")
	call, _, _ = strings.Cut(call, " | ")
	call, _, _ = strings.Cut(call, " > ")
	if strings.HasSuffix(call, `\`) {
		call, whole = strings.TrimSuffix(call, `\`), false
	}
	a := &app{in: strings.NewReader(""), out: io.Discard, err: io.Discard}
	cmd, rest, err := a.root().Find(words(strings.TrimSpace(call)))
	if err != nil {
		return err
	}
	if err := cmd.ParseFlags(rest); err != nil {
		return err
	}
	if !whole {
		return nil
	}
	return cmd.ValidateArgs(cmd.Flags().Args())
}
