package encounter_test

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// revised is a later version of the toy: before the parry comes a dodge.
type revised struct{ toy }

func (revised) Act(r *rules.Resolution, take *eventv1.TakeAction) error {
	r.Set(take.Creature, "swung", 1, "attack")
	return toy{}.Act(r, take)
}

// When the rules change between question and answer, the table is not stranded:
// the game master decides the action again under the new ones, by an amendment
// that changes nothing else.
func TestRulesChangedBetweenQuestionAndAnswer(t *testing.T) {
	w := newWorld(t)
	c := w.start()
	c.fight("e", either)
	cmd := takeCmd("a", "attack", "b")
	cmd.Faces = []int32{1, 20}
	c.do(gm, "e", cmd) // 5
	c.stop()

	systems, err := rules.NewRegistry(revised{})
	if err != nil {
		t.Fatal(err)
	}
	w.systems = systems
	c = w.start()
	answer := func() error {
		open := c.state(gm, "e", 0).State.Decisions
		if len(open) != 1 {
			t.Fatalf("open: %v", open)
		}
		for id := range open {
			a := early(answerCmd(id, "no"), "endure", "no")
			a.Faces = []int32{4}
			_, err := c.try(gm, "e", a)
			return err
		}
		return nil
	}
	if err := answer(); reason(err) != "RULES_CHANGED" {
		t.Fatalf("answered under other rules: %v", err)
	}
	c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: 5, Reason: "new rules", AcceptRules: "1"}))
	if err := answer(); err != nil {
		t.Fatal(err)
	}
	s := c.state(gm, "e", 0).State
	if s.Creatures["a"].Counters["swung"] != 1 || s.Creatures["a"].Counters["score"] != 20 || s.Creatures["b"].GetHp() != 996 {
		t.Errorf("after the answer: %v", s.Creatures)
	}
}
