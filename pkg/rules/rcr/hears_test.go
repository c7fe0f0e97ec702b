package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/proto"
)

// rcr.death.secret-saves: what is counted in a fight all see, what a creature carries its
// players; where one is who hides its own alone, and how the dying do nobody but the game
// master.
func TestWhoHearsOfCounters(t *testing.T) {
	const all, own, gm = "all", "own", "gm"
	for _, c := range []struct {
		counter               string
		open, hidden, dropped string
	}{
		{body.CAltitude, all, own, all}, {body.CFacing, all, own, all}, {body.CGround, all, own, all}, {body.CTravelled, all, own, all},
		{body.CMovement, all, own, all}, {body.CMoved, all, own, all}, {body.CAction, all, all, all}, {body.CBonus, all, all, all}, {body.CReaction, all, all, all},
		{body.CAttacks, all, all, all}, {body.CInteraction, all, all, all}, {body.CTurn, all, all, all},
		{body.CWounds, own, own, own}, {body.CInspiration, own, own, own}, {body.CKit, own, own, own}, {body.CSlot + "1", own, own, own}, {body.CExhaustion, own, own, gm}, {body.CDeath + "failures", gm, gm, gm},
	} {
		for state, want := range map[string]string{"open": c.open, "hidden": c.hidden, "dropped": c.dropped} {
			f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 20, 5)
			f.Roller = func(int) int { return 10 }
			switch state {
			case "hidden":
				f.Afflict("a", body.CondHidden)
			case "dropped":
				f.Hurt("a", 0)
			}
			got := (System{}).Audience(f.State, rules.FactCounter, c.counter, "a")
			is := map[string]bool{all: proto.Equal(got, event.Everyone()), own: proto.Equal(got, event.Controllers("a")), gm: proto.Equal(got, event.GM())}
			if !is[want] {
				t.Errorf("%s of one who is %s: told to %v, want %s", c.counter, state, got, want)
			}
		}
	}
	if got := (System{}).Audience(&eventv1.State{}, rules.FactCounter, body.CKit, ""); !proto.Equal(got, event.Everyone()) {
		t.Errorf("of nobody: %v", got)
	}
}

// rcr.damage.dangerous-terrain, rcr.injury.setback-table: the level that tables go by.
func TestEffectiveLevel(t *testing.T) {
	for _, c := range []struct {
		level  int32
		rating string
		want   int32
	}{{1, "", 1}, {20, "", 20}, {21, "", 20}, {3, "9", 3}, {0, "5", 5}, {0, "20", 20}, {0, "30", 20}, {0, "1/2", 1}, {0, "0", 1}, {0, "", 1}} {
		who := &eventv1.Creature{Sheet: fighter("a", "monsters", rcrSheet(func(s *eventv1.RcrSheet) { s.Level, s.ChallengeRating = c.level, c.rating }))}
		if got := body.EffectiveLevel(who); got != c.want {
			t.Errorf("level %d, rating %q: %d, want %d", c.level, c.rating, got, c.want)
		}
	}
}

// rcr.base.fifth-edition-fallback: of two skills the one with the better edge promises more,
// else the one with the higher bonus; a score that nobody gives is 10.
func TestBetterSkill(t *testing.T) {
	f := newTable(t).add(fighter("a", "party", rcrSheet(func(s *eventv1.RcrSheet) {
		s.Skills = []*eventv1.RcrSkill{{Name: "athletics", Bonus: 4}, {Name: "acrobatics", Bonus: 4}, {Name: "stealth", Bonus: 5}}
	}))).start(nil, 20)
	better := func(a, b string, want bool) {
		t.Helper()
		if got := checks.Better(f.State, f.Creature("a"), a, b); got != want {
			t.Errorf("%s over %s: %v", a, b, got)
		}
	}
	better("athletics", "acrobatics", false)
	better("acrobatics", "athletics", false)
	better("stealth", "athletics", true)
	better("athletics", "stealth", false)
	if got := body.AbilityScore(f.Creature("a"), "strength"); got != 10 {
		t.Errorf("Strength %d", got)
	}
}

// rcr.base.movement-cost-additive: a distance takes two places.
func TestDistanceOfTwo(t *testing.T) {
	here, nowhere := &eventv1.Creature{Size: "medium", Position: &eventv1.Position{}}, &eventv1.Creature{Size: "medium"}
	there := &eventv1.Creature{Size: "medium", Position: &eventv1.Position{Y: 15}}
	for name, c := range map[string]struct {
		a, b  *eventv1.Creature
		feet  int32
		known bool
	}{"both": {here, there, 15, true}, "the first": {here, nowhere, 0, false}, "the second": {nowhere, here, 0, false}, "neither": {nowhere, nowhere, 0, false}} {
		if feet, known := body.Distance(c.a, c.b); feet != c.feet || known != c.known {
			t.Errorf("%s: %d feet, known %v", name, feet, known)
		}
	}
}

// rcr.base.improvised-weapon: who has hands for what is at hand.
func TestHandy(t *testing.T) {
	for name, c := range map[string]struct {
		kind    string
		attacks []*eventv1.RcrAttack
		want    bool
	}{
		"a humanoid": {"humanoid", nil, true}, "a giant": {"Giant", nil, true}, "a humanoid of a sort": {"humanoid (elf)", nil, true}, "a beast": {"beast", nil, false},
		"a beast with claws": {"beast", []*eventv1.RcrAttack{{Name: "claw", Natural: true}}, false}, "a fiend with a ray": {"fiend", []*eventv1.RcrAttack{{Name: "ray", Spell: true}}, false},
		"a fiend with a fork": {"fiend", []*eventv1.RcrAttack{{Name: "claw", Natural: true}, {Name: "fork"}}, true},
	} {
		who := &eventv1.Creature{Sheet: fighter("a", "monsters", rcrSheet(func(s *eventv1.RcrSheet) { s.CreatureType, s.Attacks = c.kind, c.attacks }))}
		if got := body.Handy(who); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
