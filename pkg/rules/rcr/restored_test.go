package rcr

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.base.fifth-edition-fallback: a lesser restoration ends the condition that it is cast
// for and no other.
func TestRestorationEndsOne(t *testing.T) {
	for _, ends := range []string{body.CondPoisoned, body.CondBlinded, ""} {
		f := newTable(t).add(fighter("a", "party", rcrSheet(func(s *eventv1.RcrSheet) {
			s.SpellSlots = []int32{0, 1}
			s.Spells = []*eventv1.RcrSpell{{Name: "lesser restoration", Level: 2, CastingTime: "action", RangeFeet: 5, Targets: 1}}
		})), fighter("b", "party"), fighter("c", "monsters")).start(nil, 20, 10, 5)
		f.Afflict("b", body.CondPoisoned, body.CondBlinded, body.CondFrightened)
		cmd := act("a", "cast", "lesser restoration", "b")
		if ends != "" {
			cmd = act("a", "cast", "lesser restoration", "b", withParameters("ends", ends))
		}
		f.Roller = func(sides int) int { return sides }
		f.Must(cmd)
		for len(f.Decisions) > 0 {
			f.Choose("no")
		}
		for _, name := range []string{body.CondPoisoned, body.CondBlinded, body.CondFrightened} {
			f.wantHas("b", name, name != ends)
		}
	}
}

// rcr.base.fifth-edition-fallback: a long rest gives back what is missing, and says nothing of
// hit points where nothing is.
func TestLongRestHeals(t *testing.T) {
	for hp, heals := range map[int32]bool{40: false, 39: true, 1: true} {
		f := newTable(t).add(fighter("a", "party"))
		f.Hurt("a", hp)
		f.tend(&eventv1.PatientCommand{Deed: "long-rest", Patients: []string{"a"}})
		f.WantHP("a", 40)
		healed := slices.ContainsFunc(f.Events, func(e *eventv1.Event) bool { return e.GetHealing() != nil })
		if healed != heals {
			t.Errorf("from %d: told of healing %v", hp, healed)
		}
	}
}

// rcr.mount.training-daily: a mount is trained outside fights.
func TestNoTrainingInAFight(t *testing.T) {
	f := newTable(t).add(human(), orc(), beast())
	f.Must(act("a", "train-mount", "", "h"), 2)
	f.start(nil, 20, 10, 5)
	wantRefused(t, f.Try(act("a", "train-mount", "", "h")), cite.MountTrainingDaily)
}

// rcr.base.death-save-frame: who comes in at 0 hit points lies unconscious; with one it stands.
func TestComesInAtZero(t *testing.T) {
	for hp, down := range map[int32]bool{0: true, 1: false} {
		f := newTable(t).add(fighter("b", "monsters"))
		f.Must(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: fighter("a", "party"), Vitals: &eventv1.Vitals{Hp: &hp}}}})
		f.wantHas("a", body.CondUnconscious, down)
	}
}
