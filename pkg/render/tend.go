package render

import (
	"fmt"
	"strings"

	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// TendPreview is what a deed between fights would change.
func TendPreview(p *injuryv1.TendResponse) string {
	p = safe(p)
	st := Style{}
	var b strings.Builder
	for _, c := range p.GetChanges() {
		fmt.Fprintf(&b, "  %s\n", st.Change(&encounterv1.Change{Path: "creatures." + c.Patient + "." + c.Path, Before: c.Before, After: c.After}))
	}
	switch {
	case len(p.GetDecisions()) > 0:
		b.WriteString("  what else would change hangs on an answer (--answer)\n")
	case len(p.GetChanges()) == 0:
		b.WriteString("  nothing would change\n")
	}
	for _, o := range p.GetOdds() {
		fmt.Fprintf(&b, "  would roll %s\n", join(o.Label, outcomes(o.Odds)))
	}
	if len(p.GetOdds()) > 0 {
		b.WriteString("  what follows from those rolls is a sample: their dice are rolled when the deed is done\n")
	}
	for _, d := range p.GetDecisions() {
		fmt.Fprintf(&b, "  ? %s\n", st.Decision(d))
	}
	return b.String()
}
