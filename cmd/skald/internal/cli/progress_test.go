package cli

import (
	"bytes"
	"strings"
	"testing"

	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
)

// The bar names what is done of a ruling and how much of it, one line for each sort of
// thing; what has just begun shows nothing.
func TestBarOfARuling(t *testing.T) {
	var out bytes.Buffer
	b := &bar{unit: "commands", out: &out}
	b.ruling(&encounterv1.Progress{})
	if b.pb != nil || out.Len() > 0 {
		t.Errorf("it begins with %q", out.String())
	}
	for _, p := range []*encounterv1.Progress{
		{Phase: encounterv1.Progress_PHASE_DECIDING, Done: 10, Total: 2000},
		{Phase: encounterv1.Progress_PHASE_DECIDING, Done: 1500, Total: 3000, Elsewhere: true},
		{Phase: encounterv1.Progress_PHASE_WRITING, Done: 1, Total: 4},
	} {
		b.ruling(p)
		if err := b.pb.RenderBlank(); err != nil {
			t.Fatal(err)
		}
	}
	b.finish()
	for _, want := range []string{"decided again", "/2000", "decided again (another fight)", "/3000", "written", "/4"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in %q", want, out.String())
		}
	}
}
