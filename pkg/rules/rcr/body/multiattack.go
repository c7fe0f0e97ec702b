package body

import (
	"strings"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// StatedNotes are the circumstances that the caller stated, in words.
func StatedNotes(take *eventv1.TakeAction) []string {
	var notes []string
	for _, c := range take.Circumstances {
		notes = append(notes, strings.TrimSpace(c.Direction+" (stated): "+c.Cause))
	}
	kinds := Renamed(take.Facts, "kinds")
	for _, k := range rules.SortedKeys(kinds) {
		notes = append(notes, k+" counts as "+kinds[k]+" (stated)")
	}
	if cover := spoken.Word(take.Facts, "cover"); cover != "" {
		notes = append(notes, "cover "+cover+" (stated)")
	}
	return notes
}
