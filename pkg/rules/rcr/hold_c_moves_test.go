package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/movement"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.trait.flyby: whatever way it flies out of a reach it provokes nobody; on foot it does.
func TestFlyby(t *testing.T) {
	past := withFacts("enters_reach_of", []string{"b"}, "leaves_reach_of", []string{"b"})
	moves := func(parameters ...any) *eventv1.Command {
		return act("a", "move", "", "", withParameters(append([]any{"feet", 20}, parameters...)...), past)
	}
	for _, c := range []struct {
		name   string
		state  string
		walks  bool
		trait  bool
		cmd    *eventv1.Command
		spared bool
	}{
		{"on foot", "", true, true, moves(), false},
		{"taking off", "", true, true, moves("mode", "fly", "climb", 20), true},
		{"in the air, by its usual mode", "flying", true, true, moves("mode", "fly"), true},
		{"one that only flies, by its usual mode", "", false, true, moves(), true},
		{"a dive", "flying", true, true, act("a", "dive", "", "", withParameters("feet", 20), past), true},
		{"a dive of one without the trait", "flying", true, false, act("a", "dive", "", "", withParameters("feet", 20), past), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := flyer("a", "party", 60)
			if c.trait {
				trait("flyby")(a)
			}
			if !c.walks {
				delete(a.Speeds, "walk")
			}
			f := sky(t, c.state, 60, a)
			f.Must(c.cmd)
			if got := len(f.Decisions) == 0; got != c.spared {
				t.Errorf("asked %v", asked(f))
			}
		})
	}
	t.Run("a launch", func(t *testing.T) {
		for _, has := range []bool{true, false} {
			a := flyer("a", "party", 60, feats("mighty wings"))
			if has {
				trait("flyby")(a)
			}
			f := sky(t, "", 0, a)
			f.Must(act("a", "wind-blast", "", ""))
			f.Must(act("a", "launch", "", "", withParameters("feet", 20), past))
			if got := len(f.Decisions) == 0; got != has {
				t.Errorf("flyby %v: asked %v", has, asked(f))
			}
		}
	})
	t.Run("readied", func(t *testing.T) {
		for name, flies := range map[string]bool{"by flight": true, "on foot": false} {
			a := flyer("a", "party", 60)
			trait("flyby")(a)
			f := sky(t, "", 0, a)
			f.Must(act("a", "ready", "", "", withParameters("action", "move", "trigger", "it comes near")))
			f.End("a", 12)
			cmd := act("a", "use-ready", "", "", withParameters("feet", 20), past)
			if flies {
				cmd = act("a", "use-ready", "", "", withParameters("feet", 20, "mode", "fly", "climb", 5), past)
			}
			f.Must(cmd)
			if got := len(f.Decisions) == 0; got != flies {
				t.Errorf("%s: asked %v", name, asked(f))
			}
		}
	})
}

// rcr.damage.fall-roll-landing: more than the damage keeps the faller on its feet, as much
// does not, nor does it whom the damage leaves senseless.
func TestRollsMoreThanTheDamage(t *testing.T) {
	for _, c := range []struct {
		name   string
		hp     int32
		face   int
		damage int
		prone  bool
	}{{"one more", 40, 5, 4, false}, {"as much", 40, 5, 5, true}, {"more, but it is down", 3, 9, 4, true}} {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 20, 5)
		f.Hurt("a", c.hp)
		f.Must(act("a", "fall", "", "", withParameters("feet", 19)))
		rolls := []int{c.face, c.damage}
		if c.hp == 3 {
			rolls = append(rolls, 12, 12) // its turn is over
		}
		f.Answer(movement.DecFallRoll, "athletics", rolls...)
		if got := body.Has(f.Creature("a"), body.CondProne); got != c.prone {
			t.Errorf("%s: prone %v", c.name, got)
		}
	}
	t.Run("it may stay where it fell, whoever stands there", func(t *testing.T) {
		f := newTable(t)
		f.place(fighter("a", "party"), 0, 0)
		f.place(fighter("b", "monsters"), 0, 0)
		f.start(nil, 20, 5)
		f.Must(act("a", "fall", "", "", withParameters("feet", 10)))
		f.Answer(movement.DecFallRoll, "athletics", 9, 1)
		f.Answer(movement.DecFallTo, "stay")
		for _, e := range f.Events {
			if e.GetMoved() != nil {
				t.Errorf("moved: %v", e)
			}
		}
		f.wantAt("a", 0, 0)
	})
	t.Run("one that stands nowhere falls where it is", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 20, 5)
		f.Must(act("a", "fall", "", "", withParameters("feet", 5), along(5, 5)))
		if p := f.Creature("a").Position; p != nil {
			t.Errorf("at %v", p)
		}
	})
}

// rcr.base.fifth-edition-fallback: who is dragged along comes to the nearest place that
// nobody holds: not the dead, nor one who hides, nor one on a mount; what stands nowhere is
// in nobody's way.
func TestWhereTheDraggedCome(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(f *table)
		x      int32
	}{
		{"somebody stands there", func(*table) {}, -1},
		{"the dead lie there", func(f *table) { dies(f.T.(*testing.T), f, "c") }, 20},
		{"one hides there", func(f *table) { f.Afflict("c", body.CondHidden) }, 20},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t)
			f.place(fighter("a", "party"), 10, 0)
			f.place(fighter("b", "monsters"), 5, 0)
			f.place(fighter("c", "party"), 20, 0)
			f.add(fighter("d", "party"))
			f.start(nil, 20, 5, 4, 3)
			f.Afflict("b", body.CondGrappled+"@a")
			c.change(f)
			f.Must(act("a", "move", "", "", along(15, 5, 20, 5, 25, 0), withParameters("drag", []string{"b"})))
			if p := f.Creature("b").Position; (p.X == 20 && p.Y == 0) != (c.x == 20) {
				t.Errorf("at %v", p)
			}
		})
	}
	t.Run("one of the two stands nowhere", func(t *testing.T) {
		for _, id := range []string{"a", "b"} {
			f := newTable(t)
			for _, s := range []*eventv1.Sheet{fighter("a", "party"), fighter("b", "monsters")} {
				if s.Id == id {
					f.place(s, 0, 0)
				} else {
					f.add(s)
				}
			}
			f.start(nil, 20, 5)
			f.Afflict("b", body.CondGrappled+"@a")
			cmd := act("a", "move", "", "", withParameters("feet", 10, "drag", []string{"b"}))
			if id == "a" {
				cmd = act("a", "move", "", "", along(10, 0), withParameters("drag", []string{"b"}))
			}
			f.Must(cmd)
			f.wantHas("b", body.CondGrappled, true)
			f.wantCount("a", body.CMoved, 20)
		}
	})
}

// rcr.base.squeezing, rcr.base.jumping: nobody ends a flight squeezed; only a long jump can
// land on rough ground.
func TestEndsOfWays(t *testing.T) {
	f := sky(t, "flying", 50, flyer("a", "party", 60))
	wantReasonOf(t, "squeezed", f.Try(stating(fly(30), "ends_squeezed", true)), "TOO_NARROW")
	f.Must(stating(fly(30), "ends_squeezed", false))
	for jump, rolls := range map[string]bool{"long": true, "high": false, "": false} {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 20, 5)
		cmd := act("a", "move", "", "", feet(10, "rough_landing", true))
		if jump != "" {
			cmd = act("a", "move", "", "", withParameters("feet", 10, "jump", jump, "leap", 1), withFacts("rough_landing", true))
		}
		if rolls {
			f.Must(cmd, 9)
		} else {
			f.Must(cmd)
		}
		f.wantHas("a", body.CondProne, rolls)
	}
}

// rcr.condition.terrified, rcr.base.fifth-edition-fallback: who fears another goes no nearer
// to it, and anywhere else, whatever else comes from others.
func TestNoNearerToTheFeared(t *testing.T) {
	for name, c := range map[string]struct {
		source string
		x, y   int32
		reason string
	}{
		"nearer": {"b", 5, 0, "AFRAID"}, "about it": {"b", 0, 15, ""}, "to one who charms it alone": {"c", 5, 0, ""},
	} {
		f := newTable(t)
		f.place(fighter("a", "party"), 0, 0)
		f.place(fighter("b", "monsters"), 30, 0)
		f.place(fighter("c", "monsters"), -30, 0)
		f.start(nil, 20, 5, 4)
		f.Afflict("a", body.CondFrightened+"@"+c.source, body.CondCharmed+"@b")
		wantReasonOf(t, name, f.Try(act("a", "move", "", "", along(c.x, c.y))), c.reason)
	}
}

// rcr.opportunity.enter-space: through the space of an enemy that is stated to be entered;
// of another it must tumble or overrun.
func TestStatedSpaces(t *testing.T) {
	for _, c := range []struct{ stated, reason string }{{"b", ""}, {"c", "SPACE_HELD"}, {"", "SPACE_HELD"}} {
		f := newTable(t)
		f.place(fighter("a", "party"), 0, 0)
		f.place(fighter("b", "monsters"), 10, 0)
		f.place(fighter("c", "monsters"), 100, 0)
		f.start(nil, 20, 5, 4)
		f.Count("b", body.CReaction, 0)
		f.Count("c", body.CReaction, 0)
		cmd := act("a", "move", "", "", along(20, 0))
		if c.stated != "" {
			cmd.GetTake().Facts = object("enters_space_of", []string{c.stated})
		}
		wantReasonOf(t, "states "+c.stated, f.Try(cmd), c.reason)
	}
}

// rcr.feat.charger-pass-through: the space of an ally costs a charger nothing more in a Dash,
// and what it costs all others without one.
func TestAChargerThroughAllies(t *testing.T) {
	for dash, moved := range map[bool]int64{true: 20, false: 25} {
		f := newTable(t)
		f.place(fighter("a", "party", feat("charger")), 0, 0)
		f.place(fighter("c", "party"), 10, 0)
		f.place(fighter("b", "monsters"), 300, 0)
		f.start(nil, 20, 5, 4)
		if dash {
			f.Must(act("a", "dash", "", ""))
		}
		f.Must(act("a", "move", "", "", along(20, 0)))
		f.wantCount("a", body.CMoved, moved)
	}
}

// A way has so many steps at most; who has no speed has no movement; a size that is not known
// is a medium one.
//
// rcr.base.movement-cost-additive, rcr.base.fifth-edition-fallback
func TestBoundsOfMovement(t *testing.T) {
	for feet, want := range map[int32]int{5: 1, 19995: 3999, 20000: 4000, 20005: 4000} {
		if got := len(movement.Steps(spot(0, 0, 0), []*eventv1.Position{spot(feet, 0, 0)})); got != want {
			t.Errorf("%d feet: %d steps, want %d", feet, got, want)
		}
	}
	f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 20, 5)
	f.Afflict("a", body.CondGrappled+"@b")
	if got := movement.MovementLeft(f.State, f.Creature("a"), "walk"); got != 0 {
		t.Errorf("%d feet left", got)
	}
	if got := movement.SizesApart(&eventv1.Creature{}, &eventv1.Creature{Size: "medium"}); got != 0 {
		t.Errorf("%d sizes apart", got)
	}
}

// rcr.base.opportunity-frame: a mover that is knocked down by what it provokes goes no further.
func TestKnockedDownOnTheWay(t *testing.T) {
	for name, falls := range map[string]bool{"a blow": false, "a blow that fells": true} {
		f := newTable(t)
		f.place(fighter("b", "monsters", func(s *eventv1.Sheet) {
			if falls {
				s.GetRcr().Attacks[0].Effects = []*eventv1.RcrEffect{{Condition: body.CondProne}}
			}
		}), 15, 5)
		f.place(fighter("a", "party"), 0, 0)
		f.start(nil, 20, 5)
		f.Must(act("a", "move", "", "", along(30, 0)))
		f.Answer(body.DecOpportunity, "sword", 15, 1)
		want := int32(30)
		if falls {
			want = 20
		}
		if p := f.Creature("a").Position; p.X != want {
			t.Errorf("%s: at %v", name, p)
		}
	}
}

// rcr.trait.sneak-attack: dice that are stated with the attack stand in place of those of the trait.
func TestStatedSneakAttack(t *testing.T) {
	for _, says := range []bool{false, true} {
		f := newTable(t)
		f.add(fighter("a", "party", trait("sneak attack"), rcrSheet(func(s *eventv1.RcrSheet) { s.Attacks[0].Properties = []string{"finesse"} })), fighter("b", "monsters"), fighter("c", "party"))
		f.start(nil, 20, 5, 4)
		cmd := act("a", "attack", "sword", "b", stated("advantage"))
		if says {
			cmd = act("a", "attack", "sword", "b", stated("advantage"), withParameters("extra_damage", "1d4"))
		}
		f.Must(cmd, map[bool][]int{false: {15, 15, 1, 1, 1, 1}, true: {15, 15, 1, 1}}[says]...)
	}
}
