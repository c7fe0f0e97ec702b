package rulestest

import (
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Creature finds a creature; nil when there is none of that id.
func (f *Table) Creature(id string) *eventv1.Creature { return f.State.Creatures[id] }

// Rolls are the rolls of the last command whose label ends so, in order.
func (f *Table) Rolls(suffix string) []*eventv1.Roll {
	var out []*eventv1.Roll
	for _, e := range f.Events {
		if r := e.GetRoll(); r != nil && strings.HasSuffix(r.Label, suffix) {
			out = append(out, r)
		}
	}
	return out
}

// Roll is the one roll of the last command whose label ends so.
func (f *Table) Roll(suffix string) *eventv1.Roll {
	f.T.Helper()
	all := f.Rolls(suffix)
	if len(all) != 1 {
		f.T.Fatalf("%d rolls %q, want one", len(all), suffix)
	}
	return all[0]
}

// Attack is the one attack of the last command.
func (f *Table) Attack() *eventv1.Attack {
	f.T.Helper()
	var all []*eventv1.Attack
	for _, e := range f.Events {
		if a := e.GetAttack(); a != nil {
			all = append(all, a)
		}
	}
	if len(all) != 1 {
		f.T.Fatalf("%d attacks, want one: %v", len(all), all)
	}
	return all[0]
}

// Attacks lists the attacks of the last command as "attacker outcome".
func (f *Table) Attacks() []string {
	var out []string
	for _, e := range f.Events {
		if a := e.GetAttack(); a != nil {
			out = append(out, a.Attacker+" "+a.Outcome)
		}
	}
	return out
}

// DamageTo is what a creature took in the last command.
func (f *Table) DamageTo(creature string) (total int32) {
	for _, e := range f.Events {
		if d := e.GetDamage(); d != nil && d.Target == creature {
			total += d.Amount
		}
	}
	return total
}

// SeenBy is what a principal may see of the last command's events.
func (f *Table) SeenBy(p *eventv1.Principal) []*eventv1.Event {
	s := event.Clone(f.Before)
	// Events before an answer came earlier, but belong to the same action.
	if n := len(f.Published) - len(f.Events); n > 0 && len(f.Events) > 0 && f.Published[n] == f.Events[0] {
		event.FoldAll(s, f.Published[:n])
	}
	return event.Visible(s, f.Events, p)
}

// WantActive holds whose turn it is, in order.
func (f *Table) WantActive(ids ...string) {
	f.T.Helper()
	if !slices.Equal(f.State.Active, ids) {
		f.T.Fatalf("active %v, want %v", f.State.Active, ids)
	}
}

// WantHP holds the hit points of a creature.
func (f *Table) WantHP(id string, hp int32) {
	f.T.Helper()
	if got := f.Creature(id).GetHp(); got != hp {
		f.T.Fatalf("%s has %d hit points, want %d", id, got, hp)
	}
}

// WantLife holds whether a creature lives.
func (f *Table) WantLife(id string, life eventv1.LifeStatus) {
	f.T.Helper()
	if got := f.Creature(id).GetLife(); got != life {
		f.T.Fatalf("%s is %v, want %v", id, got, life)
	}
}

// WantAttacks holds the attacks of the last command, as Attacks lists them.
func (f *Table) WantAttacks(want ...string) {
	f.T.Helper()
	if got := f.Attacks(); !slices.Equal(got, want) {
		f.T.Fatalf("attacks %v, want %v", got, want)
	}
}

// WantRefused holds that an error is the refusal by a rule.
func WantRefused(t testing.TB, err error, rule string) {
	t.Helper()
	if err == nil {
		t.Fatalf("allowed, want a refusal by %q", rule)
	}
	refusal, ok := fault.As(err)
	if !ok || refusal.Rule != rule {
		t.Fatalf("refused with %v, want a refusal by %q", err, rule)
	}
}
