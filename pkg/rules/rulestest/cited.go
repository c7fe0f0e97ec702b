package rulestest

import (
	"fmt"

	"google.golang.org/protobuf/proto"

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

// Unexplained is what the events of a fight leave without an explanation: what is
// [Uncited], a number that an attack must reach whose parts do not come to it, an attack
// that names a roll that there is not, and damage whose steps do not lead to what was
// rolled of it. The events are those of the whole fight up to now; only what comes from
// an index on is looked at.
func Unexplained(events []*eventv1.Event, from int) []string {
	var out []string
	for i := from; i < len(events); i++ {
		e := events[i]
		out = append(out, Uncited(e)...)
		if a := e.GetAttack(); a.GetRoll() != nil {
			out = append(out, attackBy(events[:i], a)...)
		}
		for _, p := range e.GetDamage().GetParts() {
			out = append(out, steps(p)...)
		}
	}
	return out
}

// attackBy looks at the roll that an attack names.
func attackBy(before []*eventv1.Event, a *eventv1.Attack) []string {
	for i := len(before) - 1; i >= 0; i-- {
		r := before[i].GetRoll()
		if r == nil || !proto.Equal(&eventv1.RollRef{Label: r.Label, Index: r.Index, Branch: r.Branch}, a.Roll) {
			continue
		}
		sum := int32(0)
		for _, m := range r.Target.GetModifiers() {
			sum += m.Value
		}
		if r.Target != nil && sum != r.Target.Value {
			return []string{fmt.Sprintf("parts of what %s must reach: %v come to %d", r.Label, r.Target, sum)}
		}
		return nil
	}
	return []string{fmt.Sprintf("the roll of the attack of %s on %s: %v", a.Attacker, a.Target, a.Roll)}
}

// steps looks at how the number of a part of damage came about.
func steps(p *eventv1.DamagePart) (out []string) {
	for i, f := range p.Factors {
		want := f.Before
		if f.Times != 0 {
			want *= f.Times
		}
		if f.Over != 0 {
			want /= f.Over
		}
		last := i == len(p.Factors)-1
		if want+f.Plus != f.After || !last && p.Factors[i+1].Before != f.After || last && f.After != p.Rolled || f.Rule == "" || f.Source == "" {
			out = append(out, fmt.Sprintf("step %d to %d: %v", i+1, p.Rolled, f))
		}
	}
	return out
}

// Parts are modifiers in words, one after the other: "13 armour, 2 shield".
func Parts(mods []*eventv1.Modifier) string {
	out := ""
	for i, m := range mods {
		if i > 0 {
			out += ", "
		}
		out += fmt.Sprintf("%d %s", m.Value, m.Source)
	}
	return out
}

// Told are the facts of an attack in words: "distance 30 feet stated".
func Told(a *eventv1.Attack) string {
	out := ""
	for i, f := range a.GetFacts() {
		if i > 0 {
			out += ", "
		}
		how := "measured"
		if f.Stated {
			how = "stated"
		}
		out += f.Name + " " + f.Value + " " + how
	}
	return out
}
