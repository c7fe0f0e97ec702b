package encounter_test

import (
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// narrow is a later build of toy that can not play by modifiers any more.
type narrow struct{ toy }

func (narrow) Content() effects.Support { return effects.Support{} }

// A build that cannot play by the packs of an encounter says so where it would
// decide; what was decided can be read, exported, explained and taken back.
func TestBuildThatCannotPlayThePack(t *testing.T) {
	w := newWorld(t)
	c := w.start()
	c.put(house("table", "1", 10))
	c.fightWith("e", "table")
	c.do(gm, "e", blow(50, 7, 2))
	c.stop()
	var err error
	if w.systems, err = rules.NewRegistry(narrow{}); err != nil {
		t.Fatal(err)
	}
	w.injuryOn(w.journal)
	c = w.start()
	if _, err := c.try(gm, "e", blow(50, 7, 2)); status.Code(err) != codes.FailedPrecondition || reason(err) != "PACK_UNUSABLE" {
		t.Errorf("decided: %v", err)
	}
	if _, err := c.GetOptions(t.Context(), &encounterv1.GetOptionsRequest{As: gm, Encounter: "e", Creature: "a"}); reason(err) != "PACK_UNUSABLE" {
		t.Errorf("options: %v", err)
	}
	if _, err := c.try(gm, "f", createWith("table")); field(err) != "command.create.packs" {
		t.Errorf("pinned anew: %v", err)
	}
	history, err := c.GetHistory(t.Context(), &encounterv1.GetHistoryRequest{As: gm, Encounter: "e"})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.explain(gm, "e", uint64(len(history.Steps)), "to-hit")) == 0 {
		t.Error("nothing is explained")
	}
	if packs, commits := c.exportOf(gm, "e"); len(packs) != 1 || commits != len(history.Steps) {
		t.Errorf("exported %d packs, %d commits", len(packs), commits)
	}
	c.do(gm, "e", &eventv1.Command{What: &eventv1.Command_Revert{Revert: &eventv1.RevertEncounter{To: &eventv1.RevertEncounter_Last{Last: true}}}})
	if _, err := c.PutPack(t.Context(), &encounterv1.PutPackRequest{As: gm, Pack: house("table", "2", 20)}); reason(err) != "PACK_PROBLEMS" {
		t.Errorf("put: %v", err)
	}
}
