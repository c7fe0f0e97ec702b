package rcr

import (
	"fmt"
	"testing"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
)

// watched plays a fight and returns everything that a player saw of it, in order.
type watched struct {
	*table
	who  string
	seen []string
}

func (w *watched) do(cmd *eventv1.Command, faces ...int) {
	w.T.Helper()
	w.Must(cmd, faces...)
	w.look()
}

func (w *watched) look() {
	for _, e := range w.SeenBy(player(w.who)) {
		w.seen = append(w.seen, prototext.Format(e))
	}
}

func endTurn(id string) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_EndTurn{EndTurn: &eventv1.EndTurn{Creature: id}}}
}

// sameToAll holds that worlds that differ only in a secret look the same to
// every player.
func sameToAll(t *testing.T, worlds []string, play func(t *testing.T, world int, who string) []string) {
	t.Helper()
	for _, who := range []string{"hero-player", "a-player"} {
		want := play(t, 0, who)
		for i := range worlds {
			got := play(t, i, who)
			for n := range max(len(got), len(want)) {
				if n >= len(got) || n >= len(want) || got[n] != want[n] {
					t.Fatalf("to %s the world where it %s differs from that where it %s at event %d:\n%s\n%s", who, worlds[i], worlds[0], n,
						at(got, n), at(want, n))
				}
			}
		}
	}
}

func at(list []string, n int) string {
	if n < len(list) {
		return list[n]
	}
	return "nothing"
}

// A dying creature's place in the order, its saving throws and the difficulty of
// its effects are the same whatever its death save came to.
//
// rcr.death.secret-saves
func TestDeathSaveTellsNothing(t *testing.T) {
	for _, exhaustion := range []int{0, 2} {
		t.Run(fmt.Sprintf("exhaustion %d before", exhaustion), func(t *testing.T) {
			sameToAll(t, []string{"failed", "passed", "failed twice", "became stable"}, func(t *testing.T, world int, who string) []string {
				f := newTable(t).add(fighter("a", "party"), fighter("hero", "party"), fighter("orc", "monsters")).start(nil, 14, 12, 11)
				f.Count("hero", body.CExhaustion, exhaustion)
				f.Hurt("hero", 0)
				f.Put("orc", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: "effect.dread", Source: "hero", Cause: "dread",
					Values: map[string]int32{body.SaveEnds + "wisdom": 14}}}})
				if world == 3 {
					f.Count("hero", body.CDeathSuccesses, 2)
				}
				w := &watched{table: f, who: who}
				w.do(endTurn("a"), 19, []int{5, 15, 1, 15}[world], 13) // a's next place, the death save, the hero's next place
				w.do(act("hero", "called-save", "", "", withParameters("ability", "wisdom", "dc", 12)), 11)
				w.do(endTurn("orc"), 12, 5) // the saving throw against the hero's dread, the orc's next place
				f.WantActive("a")
				return w.seen
			})
		})
	}
}

// Who comes from a record into the next fight, down, comes to its player's knowledge as
// it was: what its death saves had come to tells nobody.
//
// rcr.death.secret-saves
func TestTheDownEnterInSecret(t *testing.T) {
	const stable, dying = eventv1.LifeStatus_LIFE_STATUS_STABLE, eventv1.LifeStatus_LIFE_STATUS_DYING
	worlds := []struct {
		name                           string
		exhaustion, failures, made, in int64
		life                           eventv1.LifeStatus
	}{
		{name: "failed nothing", exhaustion: 1, life: dying},
		{name: "failed once", exhaustion: 2, failures: 1, life: dying},
		{name: "failed twice", exhaustion: 3, failures: 2, life: dying},
		{name: "made one", exhaustion: 1, made: 1, life: dying},
		{name: "became stable", exhaustion: 2, in: 1, life: stable},
	}
	var names []string
	for _, w := range worlds {
		names = append(names, w.name)
	}
	sameToAll(t, names, func(t *testing.T, world int, who string) []string {
		is := worlds[world]
		f := newTable(t).add(fighter("a", "party"))
		w := &watched{table: f, who: who}
		hero := fighter("hero", "party")
		hero.Patient = "hero"
		w.do(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: hero, Vitals: &eventv1.Vitals{Hp: proto.Int32(0), Life: is.life, LifeSecret: is.life == stable,
			Conditions: []*eventv1.Condition{{Name: body.CondUnconscious, Cause: "0 hit points"}},
			Counters:   map[string]int64{body.CExhaustion: is.exhaustion, body.CDeathExhaustion: 2, body.CDeathFailures: is.failures, body.CDeathSuccesses: is.made, body.CDeathStable: is.in}}}}})
		if c := f.Creature("hero"); c.Life != is.life || c.Counters[body.CExhaustion] != is.exhaustion || c.Counters[body.CDeathExhaustion] != 2 {
			t.Fatalf("%s: comes in as %v", is.name, c)
		}
		return w.seen
	})
}

// The total that places the dying in the order leaves the exhaustion of its death
// saves aside; that which it came down with counts.
//
// rcr.death.secret-saves, rcr.condition.exhaustion-d20
func TestDyingInitiative(t *testing.T) {
	f := newTable(t).add(fighter("a", "party"), fighter("hero", "party"), fighter("orc", "monsters")).start(nil, 14, 12, 11)
	f.Count("hero", body.CExhaustion, 2)
	f.Hurt("hero", 0)
	f.End("a", 1, 1, 13) // natural 1: two failures, exhaustion 4
	f.wantCount("hero", body.CExhaustion, 4)
	if got := answers.InitiativeOf(f.Creature("hero"), 2).GetTotal(); got != 11 {
		t.Errorf("initiative %d, want 13 less the 2 levels that it came down with", got)
	}
	f.Hurt("hero", 5) // awake: all of it counts, and shows
	f.Must(act("hero", "called-check", "", "", withParameters("skill", "arcana", "dc", 10)), 10)
	if got := f.Roll("arcana").Total; got != 6 {
		t.Errorf("a check of %d, want 10 less 4 levels", got)
	}
}

// Who is stable in secret spends what the dying would, is told nothing, and has
// it back when it wakes.
//
// rcr.death.secret-saves, rcr.death.inspiration-auto-success
func TestSpentInVain(t *testing.T) {
	for _, set := range []bool{false, true} {
		sameToAll(t, []string{"is dying", "is stable in secret"}, func(t *testing.T, world int, who string) []string {
			f := newTable(t).add(fighter("a", "party"), fighter("hero", "party"), fighter("orc", "monsters")).start(nil, 14, 12, 11)
			f.Hurt("hero", 0)
			f.Count("hero", body.CDeathSuccesses, []int{0, 2}[world])
			f.End("a", 19, 12, 13) // the death save succeeds
			f.Count("hero", body.CInspiration, 1)
			w := &watched{table: f, who: who}
			if set {
				w.do(act("hero", "spend-inspiration", "", "", withParameters("for", "save")))
			}
			w.do(endTurn("orc"), 5) // a begins the second round
			w.Must(endTurn("a"), 5)
			w.look()
			if answer := "yes"; len(f.Decisions) == 1 {
				faces := []int{3}
				if set {
					answer, faces = "no", []int{3}
					if world == 0 {
						faces = []int{11, 12, 3} // the save with advantage, then the place
					}
				}
				f.Answer(checks.DecDeathInspiration, answer, faces...)
				w.look()
			} else {
				t.Fatalf("asked %v", f.Decisions)
			}
			f.wantCount("hero", body.CInspiration, 0)
			f.wantCount("hero", body.CDeathInspiration, int64(world))
			f.Hurt("hero", 1)
			f.wantCount("hero", body.CInspiration, int64(world))
			return w.seen
		})
	}
}

// What damage comes to is its owner's secret; so is a roll that shows it.
//
// rcr.hp.secret-totals
func TestDamageTellsNothing(t *testing.T) {
	for _, c := range []struct {
		name, label string
		shape       func(*eventv1.Sheet)
		spell       string
		hp          int32
		faces       []int
	}{
		{"concentration", "concentration/b", func(*eventv1.Sheet) {}, "bless", 40, []int{15, 4, 12}},
		{"undead fortitude", "undead-fortitude", trait(body.TraitUndeadFortitude), "", 3, []int{15, 4, 19}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters", c.shape)).start(nil, 20, 5)
			v := &eventv1.Vitals{Hp: &c.hp}
			if c.spell != "" {
				v.Conditions = append(v.Conditions, &eventv1.Condition{Id: body.CondConcentrating, Name: body.CondConcentrating, Variant: c.spell})
			}
			f.Put("b", v)
			f.Must(act("a", "attack", "sword", "b"), c.faces...)
			if f.Roll(c.label).Target == nil {
				t.Fatal("the game master sees what it must reach")
			}
			for _, e := range f.SeenBy(player("a-player")) {
				if e.GetRoll() != nil && e.GetRoll().Creature == "b" {
					t.Fatalf("seen %v", e)
				}
			}
		})
	}
}

// A check that only the game master sees offers nothing afterwards, and what is
// said of two rolls is for those who saw both.
//
// rcr.dice.inspiration-fudge
func TestBlindChecks(t *testing.T) {
	f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 20, 5)
	f.Count("a", body.CInspiration, 1)
	gm, all := &eventv1.Audience{Kind: eventv1.Audience_KIND_GM}, dice.Everyone
	mine, theirs := &eventv1.Audience{Kind: eventv1.Audience_KIND_CREATURES, Creatures: []string{"a"}}, &eventv1.Audience{Kind: eventv1.Audience_KIND_CREATURES, Creatures: []string{"b"}}
	for _, c := range []struct {
		audience *eventv1.Audience
		asked    bool
	}{{gm, false}, {all, true}, {mine, true}} {
		f.Resolve(func(r *rules.Resolution) error {
			dice.RollCheck(r, "look", r.Creature("a"), "perception", 15, "", body.CheckOpts{Audience: c.audience})
			return nil
		}, 3)
		if asked := len(f.Decisions) > 0; asked != c.asked {
			t.Errorf("%v: asked %v", c.audience, asked)
		} else if asked {
			f.Choose("no")
		}
	}
	for _, c := range []struct{ a, b, want *eventv1.Audience }{{all, all, all}, {nil, all, all}, {all, gm, gm}, {gm, all, gm}, {mine, all, mine}, {mine, mine, mine},
		{mine, theirs, gm}, {gm, mine, gm}} {
		if got := dice.Narrower(c.a, c.b); prototext.Format(got) != prototext.Format(c.want) {
			t.Errorf("%v and %v: %v", c.a, c.b, got)
		}
	}
}
