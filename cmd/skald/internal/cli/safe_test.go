package cli

import (
	"bytes"
	"strings"
	"testing"
	"unicode"

	"github.com/skaldrpg/skald/pkg/fault"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
)

// TestErrorsOfServersStayOnTheirLine: what a server answers can neither make a
// line of its own nor speak to the terminal; under --json it is as it came.
func TestErrorsOfServersStayOnTheirLine(t *testing.T) {
	bad := fault.New(fault.Illegal, "NO\nREASON", "no\n#9 forged\x1b[2J\u202e")
	bad.Rule = "rule\x07"
	var out bytes.Buffer
	(&app{err: &out}).report(bad)
	if got := out.String(); strings.Count(got, "\n") != 2 || strings.Contains(got, "\n#9") || strings.ContainsFunc(got, unsafeRune) {
		t.Errorf("printed %q", got)
	}
	out.Reset()
	(&app{err: &out, json: true}).report(bad)
	if got := out.String(); !strings.Contains(got, `no\n#9 forged\u001b[2J`) {
		t.Errorf("JSON %q", got)
	}
}

func TestAnswersAreGuarded(t *testing.T) {
	m := &encounterv1.EncounterSummary{Title: "a\x1b[31m"}
	var out bytes.Buffer
	if err := (&app{out: &out}).answer(m, func() string { return "one\n" + m.Title + "\n" }); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); got != "one\na\\x1b[31m\n" {
		t.Errorf("printed %q", got)
	}
	out.Reset()
	if err := (&app{out: &out, json: true}).answer(m, nil); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); got != `{"title":"a\u001b[31m"}`+"\n" {
		t.Errorf("JSON %q", got)
	}
}

func unsafeRune(r rune) bool {
	return r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r))
}
