package encounter_test

import (
	"fmt"
	"testing"

	"github.com/skaldrpg/skald/pkg/limits"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// An import is given in parts, each behind the one before, by one game master; so many are
// taken at a time, and what is whole, or was wrong, makes room again.
func TestImportsInParts(t *testing.T) {
	here, c := newWorld(t).start(), newWorld(t).start()
	var records [][]*encounterv1.ExportResponse
	for i := range limits.Imports + 1 {
		id := fmt.Sprint("e", i)
		here.fight(id, server)
		records = append(records, here.messages(gm, id))
	}
	ada, eve := &eventv1.Principal{Role: gm.Role, Name: "ada"}, &eventv1.Principal{Role: gm.Role, Name: "eve"}
	part := func(as *eventv1.Principal, i int, after uint64, n int, last bool) (*encounterv1.ImportResponse, error) {
		return c.Import(t.Context(), &encounterv1.ImportRequest{As: as, Encounter: fmt.Sprint("e", i), After: after, Messages: records[i][after : int(after)+n], Last: last}) //nolint:gosec // small
	}
	refused := func(what, want string, err error) {
		t.Helper()
		if field(err) != want && reason(err) != want {
			t.Errorf("%s: %v, want %q", what, err, want)
		}
	}
	for i := range limits.Imports {
		resp, err := part(ada, i, 0, 2, false)
		if err != nil || resp.Given != 2 || resp.Commits != 0 || resp.Decided != 0 {
			t.Fatalf("the first part of %d: %v, %v", i, resp, err)
		}
	}
	_, err := part(ada, limits.Imports, 0, 2, false)
	refused("one more at a time", "LIMIT", err)
	_, err = part(ada, limits.Imports, 2, 1, false)
	refused("one that was not begun", "after", err)
	_, err = part(ada, 0, 1, 1, false)
	refused("a part again", "after", err)
	_, err = part(ada, 0, 3, 1, false)
	refused("a part left out", "after", err)
	_, err = part(eve, 0, 2, 1, false)
	refused("another's", "after", err)
	resp, err := part(ada, 0, 2, 1, false)
	if err != nil || resp.Given != 3 {
		t.Errorf("the next part: %v, %v", resp, err)
	}
	// Begun anew it takes no more room than it has, and what was given before is forgotten.
	if resp, err = part(ada, 0, 0, 1, false); err != nil || resp.Given != 1 {
		t.Errorf("begun anew: %v, %v", resp, err)
	}
	_, err = part(ada, 0, 3, 1, false)
	refused("behind what was given before", "after", err)
	resp, err = part(ada, 0, 1, len(records[0])-1, true)
	if err != nil || int(resp.Given) != len(records[0]) || resp.Commits != resp.Given || resp.Decided != resp.Given {
		t.Errorf("whole: %v, %v", resp, err)
	}
	if s := c.state(gm, "e0", 0).State; !s.Imported {
		t.Errorf("it is %v", s)
	}
	// There is room for another now; one that was wrong is forgotten and makes room as well.
	if _, err = part(eve, limits.Imports, 0, 2, false); err != nil {
		t.Errorf("when one is whole: %v", err)
	}
	_, err = c.Import(t.Context(), &encounterv1.ImportRequest{As: ada, Encounter: "e1", After: 2, Messages: here.messages(ann, "e1")[:1]})
	refused("steps in the middle", "messages[0].step", err)
	_, err = part(ada, 1, 2, 1, false)
	refused("behind what was wrong", "after", err)
	_, err = c.Import(t.Context(), &encounterv1.ImportRequest{As: ada, Encounter: "e1", Messages: []*encounterv1.ExportResponse{records[1][0], {Pack: &encounterv1.ExportedPack{Digest: "00", Data: []byte("x")}}}})
	refused("a pack that is another", "messages[1].pack.digest", err)
	if _, err = part(ada, 1, 0, len(records[1]), true); err != nil {
		t.Errorf("anew and whole: %v", err)
	}
	// Whoever sends the last part of what is another's takes nothing of it.
	_, err = part(ada, limits.Imports, 2, len(records[limits.Imports])-2, true)
	refused("the rest of another's", "after", err)
	if _, err = part(eve, limits.Imports, 2, len(records[limits.Imports])-2, true); err != nil {
		t.Errorf("the rest of one's own: %v", err)
	}
}
