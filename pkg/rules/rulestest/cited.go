package rulestest

import (
	"fmt"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Uncited are the numbers and outcomes of an event that name no rule: an attack or a
// damage without one, and each modifier of a roll, of its target number and of a part
// of damage. Empty when everything names its rule.
func Uncited(e *eventv1.Event) []string {
	var out []string
	missing := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	modifiers := func(of string, all []*eventv1.Modifier) {
		for _, m := range all {
			if m.Rule == "" || m.Source == "" {
				missing("%s: %+d %q of rule %q", of, m.Value, m.Source, m.Rule)
			}
		}
	}
	switch w := e.GetWhat().(type) {
	case *eventv1.Event_Attack:
		if len(e.Rules) == 0 {
			missing("attack of %s on %s with %s: %s %s", w.Attack.Attacker, w.Attack.Target, w.Attack.Weapon, w.Attack.Outcome, w.Attack.Note)
		}
	case *eventv1.Event_Damage:
		d := w.Damage
		if len(e.Rules) == 0 {
			missing("damage to %s by %s", d.Target, d.Cause)
		}
		for _, p := range d.Parts {
			if p.Rule == "" && p.Taken != p.Rolled {
				missing("damage to %s by %s: %d of %d %s, %q", d.Target, d.Cause, p.Taken, p.Rolled, p.Type, p.Note)
			}
		}
	case *eventv1.Event_Roll:
		if len(e.Rules) == 0 {
			missing("roll %s", w.Roll.Label)
		}
		modifiers("roll "+w.Roll.Label, w.Roll.Modifiers)
		modifiers("target of "+w.Roll.Label, w.Roll.Target.GetModifiers())
		for _, x := range w.Roll.Edges {
			if x.Rule == "" {
				missing("roll %s: edge %q", w.Roll.Label, x.Source)
			}
		}
	}
	return out
}
