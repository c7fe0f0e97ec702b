package encounter_test

import (
	"fmt"
	"testing"

	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// addresses lists the rolls that a viewer sees of an encounter as
// "number label#index", in order.
func addresses(t *testing.T, c *client, as *eventv1.Principal, id string) []string {
	t.Helper()
	var out []string
	h, err := c.GetHistory(t.Context(), &encounterv1.GetHistoryRequest{As: as, Encounter: id, Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range h.Steps {
		for _, e := range s.Events {
			if r := e.GetRoll(); r != nil && r.Branch == "everyone" {
				out = append(out, fmt.Sprintf("%d %s#%d", r.Action, r.Label, r.Index))
			}
		}
	}
	return out
}

// The numbers in the addresses of open dice count only what drew openly: not
// commands without dice, not dice on other branches, not across a restart from
// a snapshot, and a ruling gives no number twice.
func TestOpenDiceAreNumberedByWhatIsOpen(t *testing.T) {
	w := newWorld(t)
	c := w.start()
	c.fight("e", server)
	c.do(gm, "e", attackCmd("a", "b"))
	for range 120 { // beyond a snapshot
		unseen := takeCmd("a", "omen", "b")
		unseen.GetTake().Targets = nil
		c.do(gm, "e", unseen)
	}
	c.do(gm, "e", early(takeCmd("a", "omen", "b"), "parry", "no", "endure", "no"))
	c.stop()
	c = w.start()
	c.do(gm, "e", attackCmd("a", "b"))
	want := []string{"1 to-hit#0", "1 harm/damage#0", "2 to-hit#0", "2 harm/damage#0", "3 to-hit#0", "3 harm/damage#0"}
	for _, as := range []*eventv1.Principal{spectator, gm} {
		if got := addresses(t, c, as, "e"); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%v sees %v, want %v", as, got, want)
		}
	}
	c.do(gm, "e", revertCmd(&eventv1.RevertEncounter{To: &eventv1.RevertEncounter_Last{Last: true}}))
	c.do(gm, "e", attackCmd("a", "b"))
	if got := addresses(t, c, gm, "e"); got[len(got)-1] != "4 harm/damage#0" {
		t.Errorf("after a revert %v", got)
	}
}

// Whoever changes a command so that it rolls no more, and changes it back,
// meets the faces that he met before.
func TestAmendingAwayAndBackIsNoReroll(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", server)
	c.do(gm, "e", attackCmd("a", "b"))
	c.do(gm, "e", attackCmd("a", "b"))
	before := c.state(gm, "e", 0).State
	for _, cmd := range []*eventv1.Command{takeCmd("a", "whisper", "b"), attackCmd("a", "b")} {
		c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: 5, Command: cmd}))
	}
	after := c.state(gm, "e", 0).State
	if a, b := before.Creatures["b"].GetHp(), after.Creatures["b"].GetHp(); a != b {
		t.Errorf("hit points %d, and %d after amending away and back", a, b)
	}
	if a, b := before.Creatures["a"].Counters["score"], after.Creatures["a"].Counters["score"]; a != b {
		t.Errorf("score %d, and %d after amending away and back", a, b)
	}
}
