package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.mount.rider-square, rcr.mount.reach
func TestSeat(t *testing.T) {
	exotic := rcrSheet(func(x *eventv1.RcrSheet) { x.SaddleExotic = true })
	lance := rcrSheet(func(x *eventv1.RcrSheet) { x.Attacks[0].ReachFeet = 10 })
	for _, c := range []struct {
		size             string
		x, y, side, feet int32
	}{{"medium", 0, 0, 5, 5}, {"large", 0, 0, 10, 5}, {"huge", 5, 5, 5, 10}, {"gargantuan", 5, 5, 10, 15}} {
		t.Run("rcr.mount.rider-square, "+c.size, func(t *testing.T) {
			f := newTable(t)
			f.place(human(ofSize("small")), -5, 0)
			h := beast(ofSize(c.size), exotic)
			f.place(h, 0, 0)
			beside := body.SpaceFeet(&eventv1.Creature{Size: c.size})
			f.place(orc(), beside, 0)
			f.Must(act("a", "mount", "", "h"))
			f.wantAt("a", c.x, c.y)
			if side := body.SpaceFeet(f.Creature("a")); side != c.side {
				t.Fatalf("a space of %d feet, want %d", side, c.side)
			}
			for _, pair := range [][2]string{{"a", "b"}, {"b", "a"}} {
				if feet := distanceOf(t, f, pair[0], pair[1]); feet != c.feet {
					t.Fatalf("%v: %d feet, want %d", pair, feet, c.feet)
				}
			}
		})
	}
	t.Run("the ledger's squares", func(t *testing.T) {
		f := newTable(t)
		f.place(human(), 10, 15)
		f.place(beast(), 15, 15) // (3,3) to (4,4)
		f.Must(act("a", "mount", "", "h"))
		f.wantAt("a", 15, 15)
	})
	elephant := func() *eventv1.Sheet { return beast(ofSize("huge"), exotic) }
	beside := withFacts("beside_mount", true)
	for _, c := range []struct {
		name       string
		h          *eventv1.Sheet
		long       bool
		attacker   string
		outOfReach bool
	}{
		{"a longsword on a horse", beast(), false, "a", false},
		{"against the rider of a horse", beast(), false, "b", false},
		{"a longsword on an elephant", elephant(), false, "a", true},
		{"against the rider of an elephant", elephant(), false, "b", true},
		{"a lance on an elephant", elephant(), true, "a", false},
		{"a lance on a dragon", beast(ofSize("gargantuan"), exotic), true, "a", true},
	} {
		for _, placed := range []bool{true, false} {
			name := "rcr.mount.reach, stated: " + c.name
			if placed {
				name = "rcr.mount.reach, measured: " + c.name
			}
			t.Run(name, func(t *testing.T) {
				a := human()
				if c.long {
					lance(a)
				}
				var f *table
				var more []func(*eventv1.TakeAction)
				if placed {
					f = onMap(t, a, c.h, orc(), body.SpaceFeet(&eventv1.Creature{Size: c.h.Size}), 0)
				} else {
					f, more = rides(t, a, c.h, orc()), append(more, beside)
				}
				target := "b"
				if c.attacker == "b" {
					f.End("a", 12)
					target = "a"
				}
				err := f.Try(act(c.attacker, "attack", "sword", target, more...), 2)
				if c.outOfReach {
					wantRefused(t, err, cite.BaseFifthEditionFallback)
				} else if err != nil {
					t.Fatal(err)
				}
			})
		}
	}
	t.Run("a platform: where the rider chooses", func(t *testing.T) {
		f := newTable(t)
		f.place(human(), -5, 0)
		f.place(beast(ofSize("gargantuan"), exotic, rcrSheet(func(x *eventv1.RcrSheet) { x.SaddlePlatform = true })), 0, 0)
		f.place(orc(), 60, 0)
		if err := f.Try(act("a", "mount", "", "h", along(20, 0))); err == nil {
			t.Fatal("off the platform")
		}
		f.Must(act("a", "mount", "", "h", along(15, 0)))
		f.wantAt("a", 15, 0)
		f.start(nil, 20, 5)
		f.Must(act("h", "move", "", "", along(10, 0)))
		f.wantAt("a", 25, 0)
	})
	t.Run("it goes along wherever the mount is put", func(t *testing.T) {
		f := onMap(t, human(), beast(), orc(), 300, 0)
		f.Place("h", 50, 50)
		f.wantAt("a", 50, 50)
	})
}

// rcr.mount.overlap-move, rcr.mount.overlap-no-end
func TestRideBy(t *testing.T) {
	elephant := func(change ...func(*eventv1.Sheet)) *eventv1.Sheet {
		return beast(append([]func(*eventv1.Sheet){ofSize("huge"), rcrSheet(func(x *eventv1.RcrSheet) { x.SaddleExotic = true })}, change...)...)
	}
	t.Run("onto the orc's square, strike and on", func(t *testing.T) {
		f := onMap(t, human(), elephant(), orc(), 15, 5)
		if feet := distanceOf(t, f, "a", "b"); feet != 10 {
			t.Fatalf("%d feet", feet)
		}
		f.Must(act("h", "move", "", "", along(5, 0))) // difficult: 10 feet
		f.Answer(body.DecOpportunity, "no")
		if feet := distanceOf(t, f, "a", "b"); feet != 5 {
			t.Fatalf("%d feet", feet)
		}
		f.Must(act("a", "attack", "sword", "b"), 2)
		wantRefused(t, f.Try(rulestest.EndTurn("a")), cite.MountOverlapNoEnd)
		f.Must(act("h", "move", "", "", along(0, 0)))
		f.End("a", 12)
	})
	t.Run("an opportunity attack on the one who enters, or its rider", func(t *testing.T) {
		f := onMap(t, human(), beast(), orc(), 10, 0)
		f.Must(act("h", "move", "", "", along(5, 0)))
		f.Answer(body.DecOpportunity, "sword")
		f.Answer("opportunity-target", "a", 2)
		f.wantAt("h", 5, 0)
	})
	t.Run("no movement to leave again", func(t *testing.T) {
		f := onMap(t, human(), elephant(func(s *eventv1.Sheet) { s.Speeds["walk"] = 10 }), orc(), 15, 5)
		wantRefused(t, f.Try(act("h", "move", "", "", along(5, 0))), cite.MountOverlapNoEnd)
		f = onMap(t, human(), elephant(func(s *eventv1.Sheet) { s.Speeds["walk"] = 15 }), orc(), 15, 5)
		f.Must(act("h", "move", "", "", along(5, 0)))
	})
	t.Run("stated alone", func(t *testing.T) {
		f := rides(t, human(), elephant(), orc())
		over := []any{"enters_space_of", []string{"b"}, "ends_in_space_of", []string{"b"}}
		wantRefused(t, f.Try(act("h", "move", "", "", feet(60, over...))), cite.MountOverlapNoEnd)
		f.Must(act("h", "move", "", "", feet(50, over...)))
		f.Answer(body.DecOpportunity, "no")
		wantRefused(t, f.Try(rulestest.EndTurn("a")), cite.MountOverlapNoEnd)
		f.Must(act("h", "move", "", "", feet(10)))
		f.End("a", 12)
	})
	t.Run("not an independent mount", func(t *testing.T) {
		f := newTable(t)
		f.place(human(), -5, 0)
		f.place(orc(), 15, 5)
		f.place(elephant(), 0, 0)
		f.Must(act("a", "mount", "", "h", withParameters("as", "passenger")))
		f.start(nil, 5, 4, 20)
		f.WantActive("h")
		wantRefused(t, f.Try(act("h", "move", "", "", along(5, 0))), cite.BaseFifthEditionFallback)
	})
}

// rcr.mount.passenger-space, rcr.mount.passenger-bigger-mount
func TestSharingASeat(t *testing.T) {
	two := func(t *testing.T, h *eventv1.Sheet) *table {
		f := newTable(t).add(human(), orc(rcrSheet(func(x *eventv1.RcrSheet) { x.ArmorClass = 14 })), fighter("c", "party"), h)
		f.Must(act("a", "mount", "", "h"))
		f.Must(act("c", "mount", "", "h"))
		return f.start(nil, 20, 5, 4)
	}
	t.Run("13 and 8 keep 8", func(t *testing.T) {
		f := two(t, beast())
		f.Must(act("a", "attack", "sword", "b"), 13, 8)
		f.WantHP("b", 40)
		f.End("a", 12)
		f.Must(act("b", "attack", "sword", "a"), 4, 5) // advantage: neither hits
		if r := f.Roll("to-hit"); r.Expression != "2d20kh1" {
			t.Fatalf("%v", r)
		}
	})
	t.Run("the saddle's advantage and squeezing cancel", func(t *testing.T) {
		f := two(t, beast(saddle(body.SaddleMilitary)))
		f.Must(act("h", "dash", "", ""))
		f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "h", Vitals: &eventv1.Vitals{Counters: map[string]int64{body.CExhaustion: 2}}}}}, 10, 10)
		f.wantRides("a", "h", body.VariantRider)
		f.wantRides("c", "h", body.VariantPassenger)
	})
	t.Run("one d20 on a platform", func(t *testing.T) {
		f := two(t, beast(ofSize("gargantuan"), rcrSheet(func(x *eventv1.RcrSheet) { x.SaddleExotic, x.SaddlePlatform = true, true })))
		f.Must(act("a", "attack", "sword", "b"), 8)
	})
	t.Run("alone on a horse", func(t *testing.T) {
		f := rides(t, human(), beast(), orc())
		f.Must(act("a", "attack", "sword", "b"), 2)
	})
	t.Run("no platform helps on a horse", func(t *testing.T) {
		f := two(t, beast(rcrSheet(func(x *eventv1.RcrSheet) { x.SaddlePlatform = true })))
		f.Must(act("a", "attack", "sword", "b"), 13, 8)
	})
}

// rcr.mount.exotic-movement, rcr.mount.exotic-size
func TestExoticSaddles(t *testing.T) {
	griffon := func(exotic bool, name string) *eventv1.Sheet {
		return beast(func(s *eventv1.Sheet) { s.Speeds["fly"] = 80 }, rcrSheet(func(x *eventv1.RcrSheet) { x.Saddle, x.SaddleExotic = name, exotic }))
	}
	fly := withParameters("feet", 40, "mode", "fly")
	f := rides(t, human(), griffon(false, body.SaddleNormal), orc())
	wantRefused(t, f.Try(act("h", "move", "", "", fly)), cite.MountExoticMovement)
	f.Must(act("h", "move", "", "", withParameters("feet", 40, "mode", "walk")))
	rides(t, human(), griffon(true, body.SaddleMilitary), orc()).Must(act("h", "move", "", "", fly))
	rides(t, human(), griffon(false, ""), orc()).Must(act("h", "move", "", "", fly))

	for _, c := range []struct {
		name string
		s    *eventv1.Sheet
		bad  bool
	}{
		{"a plain saddle on an elephant", beast(ofSize("huge")), true},
		{"an exotic one", beast(ofSize("huge"), rcrSheet(func(x *eventv1.RcrSheet) { x.SaddleExotic = true })), false},
		{"a plain saddle on a horse", beast(), false},
		{"no saddle at all on a dragon", beast(ofSize("gargantuan"), saddle("")), false},
		{"an exotic nothing", beast(saddle(""), rcrSheet(func(x *eventv1.RcrSheet) { x.SaddleExotic = true })), true},
		{"an unknown saddle", beast(saddle("milittary")), true},
		{"an unknown trait", beast(traits("bravee")), true},
		{"a strap without a shield", human(rcrSheet(func(x *eventv1.RcrSheet) { x.ShieldStrapped = true })), true},
	} {
		if out := (System{}).CheckSheet(c.s); (len(out) > 0) != c.bad {
			t.Errorf("%s: %v", c.name, out)
		}
	}
	// Should one be so all the same, it counts as bareback.
	h := &eventv1.Creature{Size: "huge", Sheet: beast(ofSize("huge"))}
	if body.SaddleOn(h) != "" {
		t.Error("a plain saddle serves on a huge mount")
	}
}

// rcr.mount.training-daily, rcr.mount.training-check, rcr.mount.training-complete,
// rcr.mount.training-barding, rcr.mount.training-head-start
func TestTraining(t *testing.T) {
	// day is one of training of a creature by a trainer; no face for a day without a check.
	stable := func(t *testing.T, wisdom, bonus, intelligence int32, change ...func(*eventv1.RcrSheet)) *table {
		h := beast(ability("intelligence", intelligence), rcrSheet(func(x *eventv1.RcrSheet) { x.MountTrained = false }))
		for _, c := range change {
			c(h.GetRcr())
		}
		return newTable(t).add(human(ability("wisdom", wisdom), skilled("animal handling", bonus)), orc(), h)
	}
	total := func(n int32) func(*eventv1.RcrSheet) {
		return func(x *eventv1.RcrSheet) { x.TrainingTotal = n }
	}
	want := func(t *testing.T, f *table, n int32) {
		t.Helper()
		if got := body.TrainingOf(f.Creature("h")); got != n {
			t.Fatalf("%d, want %d", got, n)
		}
	}
	day := func(more ...func(*eventv1.TakeAction)) *eventv1.Command {
		return act("a", "train-mount", "", "h", more...)
	}
	t.Run("an hour, the check fails", func(t *testing.T) {
		f := stable(t, 16, 5, 2, total(14))
		f.Must(day(withParameters("minutes", 60)), 6)
		want(t, f, 16)
	})
	t.Run("40 minutes", func(t *testing.T) {
		f := stable(t, 16, 5, 2, total(14))
		f.Must(day(withParameters("minutes", 40)))
		want(t, f, 14)
	})
	t.Run("7 + 5 meets 12: Intelligence and Wisdom", func(t *testing.T) {
		f := stable(t, 16, 5, 2, total(50))
		f.Must(day(), 7)
		want(t, f, 55)
	})
	t.Run("6 + 5 does not", func(t *testing.T) {
		f := stable(t, 16, 5, 2, total(50))
		f.Must(day(), 6)
		want(t, f, 52)
	})
	t.Run("the trainer may leave its Wisdom out", func(t *testing.T) {
		f := stable(t, 16, 5, 2, total(50))
		f.Must(day(withParameters("add_wisdom", false)), 20)
		want(t, f, 52)
		f = stable(t, 6, 5, 2, total(50))
		f.Must(day(), 20)
		want(t, f, 52)
	})
	for _, c := range []struct {
		name               string
		wisdom, face, days int32
		total              int32
	}{{"every check succeeds: 102 on day 34", 12, 20, 34, 102}, {"every check fails: 100 on day 50", 12, 2, 50, 100}} {
		t.Run("rcr.mount.training-complete: "+c.name, func(t *testing.T) {
			f := stable(t, c.wisdom, 1, 2)
			for n := int32(1); n <= c.days; n++ {
				if trained := body.TrainingOf(f.Creature("h")) >= body.TrainedAt; trained {
					t.Fatalf("trained on day %d", n-1)
				}
				f.Must(day(), int(c.face))
			}
			want(t, f, c.total)
			f.Must(act("a", "mount", "", "h"))
			f.wantRides("a", "h", body.VariantRider)
		})
	}
	for _, c := range []struct {
		total int32
		want  int
	}{{100, 0}, {119, 0}, {120, 1}, {149, 1}, {150, 2}, {199, 2}, {200, 3}} {
		f := stable(t, 10, 0, 2, total(c.total))
		if got := body.TrainedForBarding(f.Creature("h")); got != c.want {
			t.Errorf("rcr.mount.training-barding: %d is trained for %d, want %d", c.total, got, c.want)
		}
	}
	t.Run("rcr.mount.training-head-start: Intelligence 7, light barding on day 3", func(t *testing.T) {
		f := stable(t, 10, 0, 7)
		for _, n := range []int32{107, 114, 121} {
			if body.TrainedForBarding(f.Creature("h")) != 0 {
				t.Fatal("too early")
			}
			f.Must(day(), 2)
			want(t, f, n)
		}
		if body.TrainedForBarding(f.Creature("h")) != 1 {
			t.Fatal("not trained")
		}
	})
	t.Run("rcr.mount.training-head-start: bought trained, 120 on day 5", func(t *testing.T) {
		f := stable(t, 14, 0, 2, func(x *eventv1.RcrSheet) { x.MountTrained = true })
		for range 5 {
			f.Must(day(), 20)
		}
		want(t, f, 120)
	})
	t.Run("not in a fight", func(t *testing.T) {
		f := stable(t, 14, 0, 2).start(nil, 20, 5, 4)
		wantRefused(t, f.Try(day()), cite.MountTrainingDaily)
	})
}

// rcr.mount.rider, rcr.condition.replace-base: what else befalls those who ride.
func TestRidersOtherwise(t *testing.T) {
	t.Run("whoever holds the rider is left behind by the mount", func(t *testing.T) {
		f := onMap(t, human(), beast(), orc(), 10, 0)
		f.Afflict("a", body.CondGrappled+"@b")
		f.Must(act("h", "move", "", "", along(-60, 0)))
		f.wantHas("a", body.CondGrappled, false)
		f.wantAt("a", -60, 0)
	})
	t.Run("a rider that dies is off, and the mount is let go", func(t *testing.T) {
		f := rides(t, human(func(s *eventv1.Sheet) { s.Controllers = nil }, rcrSheet(func(x *eventv1.RcrSheet) { no := false; x.WoundsEnabled = &no })), beast(allTraits), orc())
		f.End("a", 12)
		f.Hurt("a", 1)
		f.Must(act("b", "attack", "sword", "a"), 15, 8, 19)
		f.wantRides("a", "", "")
		f.End("b", 3)
		f.WantActive("h")
	})
	t.Run("a mount that leaves the field", func(t *testing.T) {
		f := rides(t, human(), beast(), orc())
		f.Must(&eventv1.Command{What: &eventv1.Command_Remove{Remove: &eventv1.RemoveCreature{Creature: "h"}}})
		f.wantRides("a", "", "")
		f.WantActive("a")
	})
	t.Run("a rider that leaves the field", func(t *testing.T) {
		f := rides(t, human(), beast(), orc())
		f.End("a", 12)
		f.Must(&eventv1.Command{What: &eventv1.Command_Remove{Remove: &eventv1.RemoveCreature{Creature: "a"}}}, 4)
		f.End("b", 3)
		f.WantActive("h")
	})
	t.Run("the same again: on, off and on", func(t *testing.T) {
		f := rides(t, human(), beast(traits("fierce")), orc())
		f.Must(act("a", "dismount", "", ""), 4)
		f.Must(act("a", "mount", "", "h"))
		f.WantActive("a", "h")
		f.Must(act("h", "move", "", "", feet(60)))
		f.End("a", 12)
		f.WantActive("b")
		f.End("b", 3)
		f.WantActive("a", "h")
	})
	t.Run("mounting one that has had its turn: nothing more of it in this round", func(t *testing.T) {
		f := newTable(t).add(human(), orc(), beast()).start(nil, 10, 5, 20)
		f.End("h", 20)
		f.Must(act("a", "mount", "", "h"))
		f.WantActive("a")
		f.End("a", 12)
		f.End("b", 3)
		f.WantActive("a", "h")
	})
	t.Run("the fight over, nothing of it stays", func(t *testing.T) {
		f := rides(t, human(), beast(ability("intelligence", 2)), orc())
		h := f.Creature("h")
		h.Marks[body.MConsents] = rules.Yes
		System{}.OfTheFight().Without(h)
		if len(h.Marks) > 0 || len(h.Relations) > 0 || h.Counters[body.CDashPace] != 0 {
			t.Fatalf("%v", h)
		}
	})
}
