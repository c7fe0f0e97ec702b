package injuries

import (
	"strings"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// houseDefends changes the parts of a damage by what content keeps off or lets
// through. What the sheet halves already is not halved again.
func houseDefends(r *rules.Resolution, c *eventv1.Creature, h *eventv1.Harm, parts []*eventv1.DamagePart) {
	for _, p := range parts {
		if p.Type == "" || p.Taken == 0 {
			continue
		}
		d := r.Content().Defense(c, strings.ToLower(p.Type), effects.Env{State: r.State(), Actor: r.Creature(h.Source), Target: c, Damage: p.Taken})
		var notes []string
		if d.Less > 0 {
			p.Taken, notes = max(0, p.Taken-d.Less), append(notes, body.Itoa(d.Less)+" less")
		}
		if d.Resistant && !strings.Contains(p.Note, "resistance") {
			p.Taken, notes = p.Taken/2, append(notes, "resistance")
		}
		if d.Vulnerable && !strings.Contains(p.Note, "vulnerability") {
			p.Taken, notes = p.Taken*2, append(notes, "vulnerability")
		}
		if d.Immune {
			p.Taken, notes = 0, []string{"immunity"}
		}
		if len(notes) > 0 {
			if p.Note != "" {
				notes = append([]string{p.Note}, notes...)
			}
			p.Note, p.Rule = strings.Join(notes, ", "), d.Cites[len(d.Cites)-1].Rule
		}
	}
}
