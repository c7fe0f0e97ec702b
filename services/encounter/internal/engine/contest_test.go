package engine

import (
	"fmt"
	"testing"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/limits"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// The bound of contests counts the claimant's own: how many others filed, of which it may
// not know, it does not tell.
func TestContestsAreCountedByClaimant(t *testing.T) {
	by := func(name string) *eventv1.Principal {
		return &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: name}
	}
	s := &eventv1.State{Contests: map[string]*eventv1.Contest{}}
	for i := range limits.Contests {
		s.Contests[fmt.Sprint(i)] = &eventv1.Contest{By: by("ann"), Version: uint64(i), Status: eventv1.Contest_STATUS_DECLINED}
	}
	if err := mayFile(s, &eventv1.Contest{By: by("ann"), Version: limits.Contests + 1}); !fault.Is(err, fault.Exhausted) {
		t.Errorf("one more of ann's: %v", err)
	}
	if err := mayFile(s, &eventv1.Contest{By: by("bob"), Version: 1}); err != nil {
		t.Errorf("the first of bob's: %v", err)
	}
}
