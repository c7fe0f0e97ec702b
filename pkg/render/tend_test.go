package render

import (
	"strings"
	"testing"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// A ruling between fights speaks of the record and its versions.
func TestARecordThatIsPutBack(t *testing.T) {
	e := []*eventv1.Event{{What: &eventv1.Event_Reverted{Reverted: &eventv1.Reverted{Version: 4, Reason: "misheard"}}}}
	if got := (Style{Record: true}).Events(e); !strings.Contains(got, "The record is put back, to version 4 (misheard)") {
		t.Errorf("of a record: %q", got)
	}
	if got := (Style{}).Events(e); !strings.Contains(got, "The encounter is put back, to step 4 (misheard)") {
		t.Errorf("of an encounter: %q", got)
	}
}

// A deed that would ask is not said to change nothing.
func TestTendPreview(t *testing.T) {
	ask := &eventv1.Decision{Id: "d", Name: "hit-die", Question: "Spend another?"}
	for name, c := range map[string]struct {
		p    *injuryv1.TendResponse
		want string
		not  string
	}{
		"nothing":  {&injuryv1.TendResponse{}, "nothing would change", "answer"},
		"a change": {&injuryv1.TendResponse{Changes: []*injuryv1.RecordChange{{Patient: "kara", Path: "hp", Before: "11", After: "14"}}}, "kara: hit points 11 -> 14", "nothing would"},
		"an ask":   {&injuryv1.TendResponse{Decisions: []*eventv1.Decision{ask}}, "hangs on an answer", "nothing would"},
	} {
		if got := TendPreview(c.p); !strings.Contains(got, c.want) || strings.Contains(got, c.not) {
			t.Errorf("%s: %q", name, got)
		}
	}
}
