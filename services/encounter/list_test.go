package encounter_test

import (
	"fmt"
	"testing"

	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
)

// Whoever was told of an encounter finds it in the list, however short ago it was stored.
func TestAListHasWhatWasJustStored(t *testing.T) {
	w := newWorld(t)
	c := w.start()
	for i := range 12 {
		c.do(gm, fmt.Sprint("e", i), createCmd(server))
		resp, err := c.ListEncounters(t.Context(), &encounterv1.ListEncountersRequest{As: gm})
		if err != nil || len(resp.Encounters) != i+1 {
			t.Fatalf("after encounter %d: %v, %v", i+1, resp, err)
		}
	}
}
