package rcr

import (
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.base.fifth-edition-fallback: an attack begins the multiattack that is named, if that
// has it; else the first that has it; none begins none.
func TestWhichMultiattack(t *testing.T) {
	part := func(name string, n int32) *eventv1.RcrMultiattackPart {
		return &eventv1.RcrMultiattackPart{Name: name, Count: n}
	}
	beastly := rcrSheet(func(s *eventv1.RcrSheet) {
		s.Attacks = []*eventv1.RcrAttack{weapon("bite", "", "piercing"), weapon("claw", "", "slashing")}
		for _, a := range s.Attacks {
			a.Natural = true
		}
		s.Multiattack = []*eventv1.RcrMultiattack{{Name: "claws", Parts: []*eventv1.RcrMultiattackPart{part("claw", 3)}},
			{Name: "bite and claw", Parts: []*eventv1.RcrMultiattackPart{part("bite", 1), part("claw", 1)}}}
	})
	for _, c := range []struct {
		name, item, wanted string
		claws, bites       int64
		wrong              bool
	}{
		{"not named: the first that has it", "claw", "", 2, 0, false},
		{"not named: the only one that has it", "bite", "", 1, 0, false},
		{"named", "claw", "bite and claw", 0, 1, false},
		{"none", "claw", "none", 0, 0, false},
		{"one that has not that attack", "bite", "claws", 0, 0, true},
		{"one that there is not", "bite", "tail", 0, 0, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party", beastly), fighter("b", "monsters")).start(nil, 20, 5)
			cmd := act("a", "attack", c.item, "b")
			if c.wanted != "" {
				cmd = act("a", "attack", c.item, "b", withParameters("multiattack", c.wanted))
			}
			if c.wrong {
				wantFault(t, f.Try(cmd), "take.parameters.multiattack")
				return
			}
			f.Must(cmd, 2)
			f.wantCount("a", body.CMulti+"claw", c.claws)
			f.wantCount("a", body.CMulti+"bite", c.bites)
		})
	}
}

// What sets off a readied action is said, in as many bytes as are kept.
func TestTriggerOfReadied(t *testing.T) {
	for n, ok := range map[int]bool{0: false, 1: true, answers.MaxTrigger: true, answers.MaxTrigger + 1: false} {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 20, 5)
		err := f.Try(act("a", "ready", "sword", "", withParameters("trigger", strings.Repeat("t", n))))
		if ok && err != nil {
			t.Errorf("%d bytes: %v", n, err)
		} else if !ok {
			wantFault(t, err, "take.parameters.trigger")
		}
	}
}

// rcr.surprise.no-initiative, rcr.surprise.joiners: who joins in the round of an ambush and
// is surprised has no initiative in it, but for those who ignore that; afterwards nobody is
// surprised by having been said to be.
func TestJoinsAnAmbush(t *testing.T) {
	join := func(s *eventv1.Sheet, surprised bool) *eventv1.Command {
		return &eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: s, Facts: object("surprised", surprised)}}}
	}
	ambush := func(t *testing.T) *table {
		return newTable(t).add(fighter("a", "party"), fighter("b", "monsters"), fighter("c", "monsters")).start([]string{"b"}, 20, 10)
	}
	for _, c := range []struct {
		name      string
		change    func(*eventv1.Sheet)
		said      bool
		surprised bool
	}{
		{"surprised", func(*eventv1.Sheet) {}, true, true},
		{"not surprised", func(*eventv1.Sheet) {}, false, false},
		{"one who ignores it", trait("ignores surprise"), true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := ambush(t)
			if c.surprised {
				f.Must(join(fighter("d", "monsters", c.change), c.said))
			} else {
				f.Must(join(fighter("d", "monsters", c.change), c.said), 5)
			}
			f.wantHas("d", body.CondSurprised, c.surprised)
		})
	}
	t.Run("after the ambush", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 20, 5)
		f.Must(join(fighter("d", "monsters"), true), 7)
		f.wantHas("d", body.CondSurprised, false)
	})
}

// rcr.base.fifth-edition-fallback: an action surge gives one more action in the turn, once,
// and not where there is one action and nothing else.
func TestActionSurgeOnce(t *testing.T) {
	veteran := func(s *eventv1.Sheet) {
		trait("action surge")(s)
		s.GetRcr().Resources = append(s.GetRcr().Resources, &eventv1.RcrResource{Name: "action surge", Current: 1, Max: 1, Recharge: "short rest"})
	}
	f := newTable(t).add(fighter("a", "party", veteran), fighter("b", "monsters")).start(nil, 20, 5)
	f.Must(act("a", "dodge", "", ""))
	f.wantCount("a", body.CAction, 0)
	f.Table.Must(act("a", "action-surge", "", "")) // it gives what its price does not say
	f.wantCount("a", body.CAction, 1)
	f.wantCount("a", body.CLeft+"action surge", 0)
	wantReasonOf(t, "spent", f.Try(act("a", "action-surge", "", "")), "NO_RESOURCE")
	f = newTable(t).add(fighter("a", "party", veteran), fighter("b", "monsters")).start([]string{"b"}, 20)
	wantReasonOf(t, "in an ambush", f.Try(act("a", "action-surge", "", "")), "ONE_ACTION")
}

// rcr.base.attack-and-critical, rcr.condition.paralyzed-common: a hit on the unconscious
// from within 5 feet is critical, from farther off it is not; where nobody knows how far, in
// melee it is. On the paralysed any is, but where the table goes by the 5 feet.
func TestCriticalFromWithin5(t *testing.T) {
	long := rcrSheet(func(s *eventv1.RcrSheet) { s.Attacks[0].ReachFeet = 10 })
	for _, c := range []struct {
		name, item string
		far        int
		near       bool
	}{
		{"in one space", "sword", 0, true}, {"at 5 feet", "sword", 5, true}, {"at 10 feet", "sword", 10, false}, {"nobody knows, in melee", "sword", -1, true},
		{"a shot from 5 feet", "bow", 5, true}, {"a shot from 10", "bow", 10, false}, {"a shot from nobody knows where", "bow", -1, false},
	} {
		for _, x := range []struct {
			condition string
			settings  []string
			critical  bool
		}{
			{body.CondUnconscious, nil, c.near}, {body.CondParalyzed + "=stricken", nil, true}, {body.CondParalyzed + "=stricken", []string{body.SetParalyzedFiveFeet + "=on"}, c.near},
		} {
			t.Run(x.condition+": "+c.name, func(t *testing.T) {
				f := newTable(t, x.settings...).add(fighter("a", "party", long), fighter("b", "monsters")).start(nil, 20, 5)
				f.Afflict("b", x.condition)
				var more []func(*eventv1.TakeAction)
				if c.far >= 0 {
					more = append(more, withFacts("distance", c.far))
				}
				f.Roller = func(sides int) int { return min(sides, 15) }
				f.Must(act("a", "attack", c.item, "b", more...))
				if got := f.Attack().Outcome == "critical"; got != x.critical {
					t.Errorf("%s", f.Attack().Outcome)
				}
			})
		}
	}
}

// rcr.equipment.barding-don-doff: what barding weighs and costs is told as far as it is
// known.
func TestBardingLoadIsTold(t *testing.T) {
	for _, c := range []struct {
		weight, gold int32
		want         string
	}{{0, 0, ""}, {80, 0, "weight 80, cost 0 gold"}, {0, 90, "weight 0, cost 90 gold"}, {80, 90, "weight 80, cost 90 gold"}, {1, 0, "weight 1, cost 0 gold"}, {0, 1, "weight 0, cost 1 gold"}} {
		s := barded("chain shirt", "medium", "huge", 10)
		s.GetRcr().Barding.Weight, s.GetRcr().Barding.Gold = c.weight, c.gold
		f := newTable(t).add(s)
		f.start(nil, 10)
		f.Must(act("a", "barding", "", "", withParameters("worn", false)))
		got := ""
		for _, e := range f.Events {
			for _, n := range e.GetAction().GetNotes() {
				if strings.HasPrefix(n, "weight") {
					got = n
				}
			}
		}
		if got != c.want {
			t.Errorf("%d pounds, %d gold: %q, want %q", c.weight, c.gold, got, c.want)
		}
	}
}
