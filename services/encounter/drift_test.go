package encounter_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/rules"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// harder is the toy with three points more of damage, under whatever version it says.
type harder struct {
	toy
	version string
}

func (h harder) Info() rules.Info { return rules.Info{ID: "toy", Title: "Toy", Version: h.version} }
func (harder) Act(r *rules.Resolution, take *eventv1.TakeAction) error {
	if err := (toy{}).Act(r, take); err != nil {
		return err
	}
	for _, id := range take.Targets {
		if c := r.Creature(id); c != nil {
			r.SetHitPoints(id, c.GetHp()-3, c.GetHpMax(), 0)
		}
	}
	return nil
}

// What other rules change is shown apart from the ruling's own change, and an
// amendment under them needs a word that names them; also where they go by the same
// version, as they never should.
func TestDriftIsShownApart(t *testing.T) {
	for name, tt := range map[string]struct{ version string }{"a new version": {"2"}, "the same version": {"1"}} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			c := w.start()
			c.fight("e", either)
			c.do(gm, "e", attackCmd("a", "b", 50, 12, 4)) // 5: fate, to-hit, damage
			change := &eventv1.AmendCommand{Version: 5, Reason: "misread", Rolls: []*eventv1.FixedRoll{{Label: "harm/damage", Faces: []int32{2}}}}
			if p := c.preview("e", amendCmd(change)); p.Drift != nil {
				t.Fatalf("under the same rules there is a drift: %v", p.Drift)
			}
			hp := c.state(gm, "e", 0).State.Creatures["b"].GetHp()
			c.stop()

			systems, err := rules.NewRegistry(harder{version: tt.version})
			if err != nil {
				t.Fatal(err)
			}
			w.systems = systems
			c = w.start()
			none := &eventv1.AmendCommand{Version: 5, Reason: "no change"}
			p := c.preview("e", amendCmd(none))
			if len(p.Changes) > 0 || p.Drift == nil || !drifts(p.Drift, "creatures.b.hp") || p.Drift.Running != tt.version ||
				strings.Join(p.Drift.Recorded, ",") != "1" || len(p.Drift.Versions) != 1 || p.Drift.Versions[0] != 5 {
				t.Fatalf("no change: %v, drift %v", p.Changes, p.Drift)
			}
			p = c.preview("e", amendCmd(change))
			if p.Drift == nil || !drifts(p.Drift, "creatures.b.hp") || p.State.Creatures["b"].GetHp() != hp+2-3 {
				t.Fatalf("a change: %v, drift %v", p.Changes, p.Drift)
			}
			for _, x := range p.Changes {
				if x.Path == "creatures.b.hp" && (x.Before != strconv.Itoa(int(hp-3)) || x.After != strconv.Itoa(int(hp-1))) {
					t.Errorf("the ruling's own change begins where the drift ends, not %v", x)
				}
			}
			before := c.state(gm, "e", 0).Number
			if tt.version != "1" {
				if _, err := c.try(gm, "e", amendCmd(change)); reason(err) != "RULES_DIFFER" {
					t.Fatalf("amended under other rules without a word: %v", err)
				}
				change.AcceptRules = "7"
				if _, err := c.try(gm, "e", amendCmd(change)); field(err) != "command.amend.accept_rules" {
					t.Fatalf("accepted rules that are not there: %v", err)
				}
			} else if _, err := c.try(gm, "e", amendCmd(change)); reason(err) != "RULES_DIFFER" {
				t.Fatalf("amended under other rules without a word: %v", err)
			}
			if c.state(gm, "e", 0).Number != before {
				t.Error("a refusal was stored")
			}
			change.AcceptRules = tt.version
			c.do(gm, "e", amendCmd(change))
			if got := c.state(gm, "e", 0).State.Creatures["b"].GetHp(); got != hp+2-3 {
				t.Errorf("hit points %d, the dry run said %d", got, hp-1)
			}
		})
	}
}

func drifts(d *encounterv1.RulesDrift, path string) bool {
	for _, c := range d.Changes {
		if c.Path == path {
			return true
		}
	}
	return false
}
