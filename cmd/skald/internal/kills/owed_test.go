package kills

import (
	"os"
	"slices"
	"testing"
	"time"

	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// What a killed server owed (the reveal of an ended fight's dice, the default of
// a question whose time has passed) the next one does without being asked for
// the fight.
func TestWhatIsOwedIsDoneUnasked(t *testing.T) {
	if testing.Short() || os.Getenv("SKALD_RACE") == "1" {
		t.Skip("kills processes for several seconds")
	}
	r := newRecorder(t, "celesia", 0)
	r.must("over", "create", create(&eventv1.CreateEncounter{System: "celesia"}))
	if !r.untilAsked("late") {
		t.Fatal("nothing is asked that has a default")
	}
	r.p.arm(t, point{"stored encounter", 1})
	end := &step{exec: &encounterv1.ExecuteRequest{RequestId: "end", As: gm, Encounter: "over", Command: &eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}}}}
	if _, err := end.call(t.Context(), r.p); err == nil || !r.p.died(20*time.Second) {
		t.Fatalf("not killed: %v", err)
	}
	r.p.kill()
	time.Sleep(2 * time.Second) // the question's time passes while nobody serves
	p := start(t, "suite", r.data)
	done := map[string]bool{}
	for deadline := time.Now().Add(30 * time.Second); len(done) < 2 && time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		for _, at := range p.passed(t) { // no request names either fight
			if at.Name == "after Reveal" {
				done["reveal"] = true
			}
			if at.Name == "after append encounter" && at.N == 2 {
				done["default"] = true
			}
		}
	}
	if !done["reveal"] || !done["default"] {
		t.Fatalf("done unasked: %v", done)
	}
	steps := p.since(t, gm, "over", "")
	if last := steps[len(steps)-1]; !slices.ContainsFunc(last.Events, func(e *eventv1.Event) bool { return e.GetDiceRevealed() != nil }) {
		t.Errorf("the dice are not revealed: %v", last)
	}
	steps = p.since(t, gm, "late", "")
	if !slices.ContainsFunc(steps, func(s *encounterv1.Step) bool { return s.By.GetName() == "deadline" }) {
		t.Error("no default was taken")
	}
}
