package celesia

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/saddle"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// ridden is cavalry with content: rider a on horse h, foe b 200 feet off.
func ridden(t *testing.T, book *effects.Book, mount *eventv1.Sheet) *table {
	t.Helper()
	mount.Controllers = []string{"a-player"}
	f := by(t, book)
	f.add(fighter("a", "party"), mount, fighter("b", "foes"))
	f.at("a", 0, 10)
	f.at("h", 0, 0)
	f.at("b", 200, 0)
	f.start(nil, 19, 5, 12)
	f.Must(act("a", "mount", "", "h"))
	f.End("a")
	f.End("b")
	return f
}

// celesia.action.provoke, celesia.mount.own-acts: a mount that what it provokes leaves stunned, on
// its side or without its rider goes nowhere, charges at nobody and strikes nobody; the acts are
// spent. One that is only hurt goes on.
func TestMountStoppedByTheAnswer(t *testing.T) {
	spike := section(func(c *eventv1.CelesiaSheet) {
		c.Weapons = append(c.Weapons, &eventv1.CelesiaWeapon{Name: "spike", Kind: "natural-ranged", Dice: "1d6", RangeFeet: 60, Limb: "tail"})
	})
	for condition, stopped := range map[string]bool{body.CondShaken: false, body.CondStunned: true, body.CondProne: true} {
		book := ruling(t, `{when: 'self.id == "h"', trigger: hurt, condition: {condition: `+condition+`}}`)
		for name, c := range map[string]struct {
			cmd  *eventv1.Command
			acts int64 // spent
			done func(f *table) bool
		}{
			"a ride": {act("a", "ride", "", "", path([2]int32{-50, 0})), 1, func(f *table) bool { return f.Creature("h").Position.X == -50 }},
			"a charge": {act("a", "ride-charge", "sword", "c"), 2, func(f *table) bool {
				return f.Creature("h").Position.X != 0 && body.Has(f.Creature("a"), body.CondCharging) && body.Has(f.Creature("h"), body.CondCharged)
			}},
			"a shot": {act("a", "mount-attack", "spike", "c", withFacts("into_melee", false)), 1, func(f *table) bool {
				return len(f.Attacks()) == 2
			}},
		} {
			t.Run(name+" with "+condition, func(t *testing.T) {
				f := ridden(t, book, horse(spike))
				f.Roller = func(int) int { return 1 }
				f.AddAt(-40, 30, fighter("c", "foes", unarmed()))
				f.at("b", 10, 0)
				f.Roller = nil
				f.Must(act("a", "direct-mount", "", ""))
				f.Must(c.cmd)
				f.Roller = func(sides int) int { return map[int]int{20: 15, 8: 3, 6: 1}[sides] } // hit for 3; the rider lands softly
				f.Answer(body.DecReaction+"/b", "attack:sword")
				if got := c.done(f); got == stopped {
					t.Errorf("done: %t; h at %v, attacks %v", got, f.Creature("h").Position, f.Attacks())
				}
				if told := f.noted(cite.ActionProvoke); told != stopped {
					t.Errorf("told that it is never begun: %t", told)
				}
				if got := f.Creature("h").Counters[body.CSpent]; got != c.acts {
					t.Errorf("%d acts spent, want %d", got, c.acts)
				}
				if body.MountOf(f.Creature("a")) == "" != (condition == body.CondProne) {
					t.Errorf("in the saddle of %q", body.MountOf(f.Creature("a")))
				}
			})
		}
	}
}

// celesia.mount.rider-dropped, celesia.mount.leaderless-avoids: whoever is unconscious by whatever
// reason may fall, once: the roll is not made again for one who stayed, and not for one who only
// lies there wounded.
func TestWhoDropsFromTheSaddle(t *testing.T) {
	for name, c := range map[string]struct {
		do    func(f *table)
		rolls int
	}{
		"asleep":                   {func(f *table) { f.Afflict("a", body.CondUnconscious) }, 1},
		"dying":                    {func(f *table) { f.Hurt("a", -13) }, 1},
		"out by nonlethal damage":  {func(f *table) { f.Count("a", body.CNonlethal, 41) }, 1},
		"disabled":                 {func(f *table) { f.Hurt("a", 0) }, 0},
		"stunned":                  {func(f *table) { f.Afflict("a", body.CondStunned) }, 0},
		"asleep and then wounded":  {func(f *table) { f.Afflict("a", body.CondUnconscious); f.Hurt("a", 30) }, 1},
		"asleep and then the foes": {func(f *table) { f.Afflict("a", body.CondUnconscious); f.Hurt("b", 30) }, 1},
	} {
		t.Run(name, func(t *testing.T) {
			f := cavalry(t, fighter("a", "party"), horse(), fighter("b", "foes"))
			f.End("a")
			f.Log = nil
			f.Roller = func(sides int) int { return sides / 2 } // 50 of 100
			c.do(f)
			n := 0
			for _, e := range f.Log {
				if e.GetRoll().GetLabel() == "saddle/a" {
					n++
				}
			}
			if n != c.rolls || body.MountOf(f.Creature("a")) != "h" || body.Has(f.Creature("h"), "leaderless") != (n > 0) {
				t.Errorf("%d rolls, want %d; h %v", n, c.rolls, f.Creature("h").Conditions)
			}
		})
	}
	t.Run("a rider who dies after that leaves the mount as it was", func(t *testing.T) {
		f := cavalry(t, fighter("a", "party"), horse(), fighter("b", "foes"))
		f.End("a")
		f.Roller = func(sides int) int { return sides / 2 }
		f.Afflict("a", body.CondUnconscious)
		f.Log = nil
		f.Hurt("a", -40)
		notes := 0
		for _, e := range f.Log {
			if e.GetNote() != nil && e.GetNote().GetCreature() == "h" {
				notes++
			}
		}
		if body.MountOf(f.Creature("a")) != "" || f.count("h", "leaderless") != 1 || notes != 0 {
			t.Errorf("%v; %d notes", f.Creature("h").Conditions, notes)
		}
	})
}

// celesia.mount.own-acts, celesia.injury.disabled-strain: a disabled mount strains itself with each
// act that its rider directs: a point for an attack, two for a charge.
func TestDisabledMountStrains(t *testing.T) {
	for name, c := range map[string]struct {
		cmd   *eventv1.Command
		faces []int
		hp    [2]int32 // at 5 and at 0 before
	}{
		"an attack": {act("a", "mount-attack", "hoof", "b"), []int{2}, [2]int32{5, -1}},
		"a ride":    {act("a", "ride", "", "", path([2]int32{-5, 0})), nil, [2]int32{5, -1}},
	} {
		for i, hp := range []int32{5, 0} {
			f := cavalry(t, fighter("a", "party"), horse(), fighter("b", "foes", unarmed()))
			f.at("b", 10, 0)
			f.Hurt("h", hp)
			f.Must(act("a", "direct-mount", "", ""))
			f.Must(c.cmd, c.faces...)
			if got := f.Creature("h").GetHp(); got != c.hp[i] {
				t.Errorf("%s at %d: %d hit points, want %d", name, hp, got, c.hp[i])
			}
		}
	}
}

// celesia.mount.ranged-running, celesia.mount.ranged-double-move: the heaviest gait of the turn
// counts: a run stays one after a further single move.
func TestHeaviestGaitCounts(t *testing.T) {
	for name, c := range map[string]struct {
		gaits []string
		want  int32
	}{
		"a single move": {[]string{"single"}, 0},
		"two":           {[]string{"single", "single"}, -4},
		"a double one":  {[]string{"double"}, -4},
		"a run":         {[]string{"run"}, -8},
		"and a single":  {[]string{"run", "single"}, -8},
		"single, run":   {[]string{"single", "run"}, -8},
	} {
		t.Run(name, func(t *testing.T) {
			bow := weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: "natural-ranged", Dice: "1d6", RangeFeet: 500, Limb: "mouth"})
			f := cavalry(t, fighter("a", "party", bow), horse(), fighter("b", "foes", defends(60)))
			f.Afflict("h", body.CondHasted) // 4 acts
			for _, g := range c.gaits {
				at := f.Creature("h").Position
				feet := map[string]int32{"single": 50, "double": 100, "run": 200}[g]
				f.Must(act("a", "ride", "", "", gait(g, at.X-feet, at.Y)...))
			}
			f.Must(act("a", "attack", "w", "b", withFacts("into_melee", false)), 10)
			got := int32(0)
			for _, m := range f.Roll("to-hit").Modifiers {
				if m.Rule == cite.MountRangedRunning || m.Rule == cite.MountRangedDoubleMove {
					got += m.Value
				}
			}
			if got != c.want {
				t.Errorf("%d, want %d: %v", got, c.want, f.Roll("to-hit").Modifiers)
			}
		})
	}
}

// celesia.mount.mount-dismount, celesia.mount.shared-initiative: one body, one saddle: who comes in
// bearing a rider who sits elsewhere is refused, and so is a mount that itself rides.
func TestOneSaddleEach(t *testing.T) {
	big := func(id, size string) *eventv1.Sheet {
		return horse(func(s *eventv1.Sheet) { s.Id, s.Size = id, size })
	}
	f := cavalry(t, fighter("a", "party"), horse(), fighter("b", "foes"))
	f.Roller = func(int) int { return 3 }
	wantReason(t, f.Try(comesIn(big("k", "large"), 40, 40, "ridden_by", "a")), "MOUNTED", cite.MountMountDismount)
	f.add(fighter("p", "party", sized("small")))
	f.Resolve(func(r *rules.Resolution) error {
		// The horse's rider is larger than p, and sits in a saddle already.
		wantReason(t, saddle.EnterMounted(r, "p", object("mounted_on", "a")), "RIDDEN", cite.MountMountDismount)
		wantReason(t, saddle.EnterMounted(r, "p", object("mounted_on", "h")), "RIDDEN", cite.MountMountDismount)
		return nil
	})
	f.Must(comesIn(big("k", "large"), 40, 40, "ridden_by", "p"))
	if body.MountOf(f.Creature("p")) != "k" {
		t.Errorf("p rides %q", body.MountOf(f.Creature("p")))
	}
}

// celesia.mount.mount-dismount: a mount that is taken off the field leaves its rider on foot, and a
// rider who is taken off leaves its mount without one.
func TestHalfOfAPairIsTakenOff(t *testing.T) {
	for _, gone := range []string{"h", "a"} {
		f := cavalry(t, fighter("a", "party"), horse(), fighter("b", "foes"))
		f.Must(&eventv1.Command{What: &eventv1.Command_Remove{Remove: &eventv1.RemoveCreature{Creature: gone}}})
		if gone == "h" && (body.MountOf(f.Creature("a")) != "" || f.Creature("a").Position == nil) {
			t.Errorf("the rider sits on %q", body.MountOf(f.Creature("a")))
		}
		if gone == "a" && body.RiderOf(f.Creature("h")) != "" {
			t.Errorf("the horse carries %q", body.RiderOf(f.Creature("h")))
		}
	}
}

// celesia.mount.cast-before-or-after, celesia.mount.cast-while-moving, celesia.mount.cast-while-running:
// whether the mount goes on after a spell is asked where it can; no check is due for a mount that has
// moved up to its speed and stands, nor for what is no spell of words and gestures.
func TestCastingFromTheSaddle(t *testing.T) {
	book := section(func(c *eventv1.CelesiaSheet) {
		c.Concentration = 5
		c.Spells = []*eventv1.CelesiaSpell{{Name: "spark", Casting: "swift", Level: 1, Dice: "1d6", CasterLevel: 1, RangeFeet: 500},
			{Name: "gaze", Casting: "swift", Level: 1, Dice: "1d6", CasterLevel: 1, RangeFeet: 500, Supernatural: true}}
	})
	for name, c := range map[string]struct {
		do    func(f *table)
		spell string
		asked bool
		dc    int32 // of the check, when the mount stands; 0: none
	}{
		"it stands":                         {nil, "spark", false, 0},
		"half its speed, the pace not over": {func(f *table) { f.Must(act("a", "ride", "", "", path([2]int32{-25, 0}))) }, "spark", true, 0},
		"its speed":                         {func(f *table) { f.Must(act("a", "ride", "", "", path([2]int32{-50, 0}))) }, "spark", true, 0},
		"its speed, without acts":           {func(f *table) { f.Must(act("a", "ride", "", "", path([2]int32{-50, 0}))); f.Count("h", body.CSpent, 3) }, "spark", false, 0},
		"half its speed, without acts":      {func(f *table) { f.Must(act("a", "ride", "", "", path([2]int32{-25, 0}))); f.Count("h", body.CSpent, 3) }, "spark", true, 0},
		"its speed, then stunned": {func(f *table) {
			f.Must(act("a", "ride", "", "", path([2]int32{-50, 0})))
			f.Afflict("h", body.CondStunned)
		}, "spark", false, 0},
		"twice its speed":        {func(f *table) { f.Must(act("a", "ride", "", "", gait("double", -100, 0)...)) }, "spark", false, 11},
		"more than its speed":    {func(f *table) { f.Must(act("a", "ride", "", "", gait("double", -55, 0)...)) }, "spark", false, 11},
		"at a run":               {func(f *table) { f.Must(act("a", "ride", "", "", gait("run", -100, 0)...)) }, "spark", false, 16},
		"a gaze at a run":        {func(f *table) { f.Must(act("a", "ride", "", "", gait("run", -100, 0)...)) }, "gaze", false, 0},
		"a gaze after its speed": {func(f *table) { f.Must(act("a", "ride", "", "", path([2]int32{-50, 0}))) }, "gaze", false, 0},
		"twice its speed in two single ones": {func(f *table) {
			f.Must(act("a", "ride", "", "", path([2]int32{-50, 0})))
			f.Must(act("a", "ride", "", "", path([2]int32{-100, 0})))
		}, "spark", false, 11},
	} {
		t.Run(name, func(t *testing.T) {
			f := cavalry(t, fighter("a", "party", book), horse(), fighter("b", "foes"))
			if c.do != nil {
				c.do(f)
			}
			f.Roller = func(sides int) int { return 3 }
			f.Must(act("a", "cast", c.spell, "b"))
			if asked := len(f.Decisions) > 0; asked != c.asked {
				t.Fatalf("asked %t, want %t", asked, c.asked)
			}
			if c.asked {
				f.Answer(saddle.DecRideOn, "no")
				if left := f.Creature("a").Counters[body.CRideLeft]; left != 0 {
					t.Errorf("%d feet left of a pace that is over", left)
				}
				reason, rule := "CAST", cite.MountCastWhileMoving
				if f.acts("h") == 0 {
					reason, rule = "NO_ACTS", cite.MountOwnActs
				}
				wantReason(t, f.Try(act("a", "ride", "", "", path([2]int32{-55, 0}))), reason, rule)
			}
			dc := int32(0)
			for _, r := range f.Rolls("concentration") {
				dc = r.Target.Value
			}
			if dc != c.dc {
				t.Errorf("DC %d, want %d", dc, c.dc)
			}
		})
	}
	t.Run("cast first, its speed is the most", func(t *testing.T) {
		f := cavalry(t, fighter("a", "party", book), horse(), fighter("b", "foes"))
		f.Must(act("a", "cast", "spark", "b"), 3)
		f.Must(act("a", "ride", "", "", path([2]int32{-25, 0})))
		f.Must(act("a", "ride", "", "", path([2]int32{-50, 0})))
		wantReason(t, f.Try(act("a", "ride", "", "", path([2]int32{-55, 0}))), "CAST", cite.MountCastBeforeOrAfter)
	})
	t.Run("a readied spell in another's turn", func(t *testing.T) {
		f := cavalry(t, fighter("a", "party", book), horse(), fighter("b", "foes", unarmed()))
		f.Must(act("a", "ride", "", "", gait("double", -100, 0)...))
		f.Must(ready("cast", "spark", "", "move"))
		f.Must(act("b", "move", "", "", way(195, 0)))
		f.Roller = func(sides int) int { return 3 }
		f.Answer(body.DecReaction+"/a", "readied")
		if n := len(f.Rolls("concentration")); n != 0 || f.Creature("b").GetHp() != 37 {
			t.Errorf("%d checks, %d hit points", n, f.Creature("b").GetHp())
		}
	})
}

// celesia.mount.control-check: a mount without a rider's fear is not out of hand, and one who
// rides none has nothing to control.
func TestUnrulyAlone(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(f *table)
		want bool
	}{
		"a mount that is afraid": {func(f *table) { f.Afflict("h", body.CondFrightened) }, true},
		"one that is not":        {func(*table) {}, false},
		"a rider who is afraid":  {func(f *table) { f.Afflict("a", body.CondFrightened) }, false},
		"afraid, in hand for the turn": {func(f *table) {
			f.Afflict("h", body.CondFrightened)
			f.Roller = func(int) int { return 20 }
			f.Must(act("a", "control-mount", "", ""))
		}, false},
	} {
		f := cavalry(t, fighter("a", "party", skilled("ride", 5)), horse(), fighter("b", "foes"))
		c.do(f)
		if got := answers.Unruly(f.State, f.Creature("a")); got != c.want || answers.Unruly(f.State, f.Creature("b")) {
			t.Errorf("%s: %t, want %t", name, got, c.want)
		}
	}
}
