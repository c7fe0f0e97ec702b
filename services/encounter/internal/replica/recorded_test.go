package replica_test

import (
	"fmt"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/recorded"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

// Fights that builds of the past recorded, rulings and all, fold to what every
// viewer knew at their end.
func TestRecordedFights(t *testing.T) {
	sets, err := recorded.Sets()
	if err != nil {
		t.Fatal(err)
	}
	ruled := map[string]int{}
	for _, set := range sets {
		systems, err := recorded.Systems(set)
		if err != nil {
			t.Fatal(err)
		}
		for _, system := range systems {
			fights, err := recorded.Load(set, system)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range fights {
				t.Run(fmt.Sprint(set, "/", system, "/", f.Name), func(t *testing.T) { ruled[system] += foldsAsThen(t, f) })
			}
			if ruled[system] == 0 {
				t.Errorf("%s: %s: no fight with a ruling", set, system)
			}
		}
	}
}

// foldsAsThen folds a fight and holds the states of all viewers. It returns how
// many rulings there were.
func foldsAsThen(t *testing.T, f recorded.Fight) int {
	t.Helper()
	r, past, rulings := replica.New(), []*replica.Replica{replica.New()}, 0
	for i, data := range f.Commits {
		c, err := event.Open(data)
		if err != nil {
			t.Fatalf("commit %d: %v", i+1, err)
		}
		a, err := r.Apply(c, uint64(i+1), func(v uint64) (*replica.Replica, error) { return past[v].Clone(), nil })
		if err != nil {
			t.Fatalf("commit %d: %v", i+1, err)
		}
		if a.Target > 0 {
			rulings++
		}
		past = append(past, r.Clone())
	}
	if len(r.Views) != len(f.States) {
		t.Errorf("%d viewers, recorded were %d", len(r.Views), len(f.States))
	}
	for viewer, want := range f.States {
		v := r.Views[viewer]
		if v == nil {
			t.Errorf("no view of %s", viewer)
			continue
		}
		if proto.Equal(v.State, want) {
			continue
		}
		changes, err := event.Difference(want, v.State)
		t.Errorf("%s: today's fold is not the state of then: %v %v", viewer, changes, err)
	}
	return rulings
}
