package celesia

import (
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// told is what came of the last command for people: who was moved how and how far, what was
// rolled, what befell whom.
func told(f *table) (out []string) {
	for _, e := range f.Events {
		line := ""
		switch w := e.What.(type) {
		case *eventv1.Event_Moved:
			line = "moved " + w.Moved.Creature + " " + w.Moved.Mode + " " + body.Itoa(w.Moved.Feet)
		case *eventv1.Event_Attack:
			line = "attack " + w.Attack.Attacker + " " + w.Attack.Target + " " + w.Attack.Outcome
		case *eventv1.Event_ConditionAdded:
			line = "condition " + w.ConditionAdded.Creature + " " + w.ConditionAdded.Condition.Name
		case *eventv1.Event_ConditionRemoved:
			line = "over " + w.ConditionRemoved.Creature + " " + w.ConditionRemoved.Name
		case *eventv1.Event_Roll:
			line = "roll " + w.Roll.Label
		}
		if line != "" {
			out = append(out, line)
		}
	}
	return out
}

// celesia.maneuver.bull-rush, celesia.maneuver.drag, celesia.maneuver.reposition,
// celesia.movement.charge, celesia.attack.stray-resolution, celesia.maneuver.grapple-move: half a
// map is none. Where only one of two has a place, it goes as where neither has, and the one who
// has it stays there.
func TestHalfAMapIsNone(t *testing.T) {
	loaded := section(func(c *eventv1.CelesiaSheet) {
		c.Weapons = append(c.Weapons, &eventv1.CelesiaWeapon{Name: "darts", Kind: "thrown", Dice: "1d4", Hands: 1, RangeFeet: 20, Hand: "off"})
	})
	for name, c := range map[string]struct {
		do   func(f *table)
		want string
	}{
		"a bull rush":        {func(f *table) { f.Must(act("a", "bull-rush", "", "b"), 20) }, "moved b push 15"},
		"a drag":             {func(f *table) { f.Must(act("a", "drag", "", "b"), 20) }, "moved b push 15"},
		"a reposition":       {func(f *table) { f.Must(act("a", "reposition", "", "b"), 20) }, "moved b push 15"},
		"a charge":           {func(f *table) { f.Must(act("a", "charge", "sword", "b", withFacts("distance", 30))) }, "condition a charging"},
		"a shot that misses": {func(f *table) { f.Must(act("a", "attack", "darts", "b", withFacts("distance", 10)), 2) }, "attack a b miss"},
		"an overrun": {func(f *table) {
			f.Must(act("a", "overrun", "", "b"))
			f.Answer(answers.DecPass, "no", 20)
		}, "condition b prone"},
		"a move with a foe in hold": {func(f *table) {
			f.Resolve(func(r *rules.Resolution) error {
				r.Relate("a", &eventv1.Relation{Kind: body.RelHolds, To: "b"})
				body.Inflict(r, "a", &eventv1.Condition{Name: body.CondGrappled, Source: "b"})
				body.Inflict(r, "b", &eventv1.Condition{Name: body.CondGrappled, Source: "a"})
				r.Flag("a", body.MKept, true)
				r.Flag("a", body.MDragging, true)
				return nil
			})
			f.Must(act("a", "move", "", "", withParameters("foe_x", 25.0, "foe_y", 0.0)))
		}, "moved a walk 0"},
	} {
		t.Run(name, func(t *testing.T) {
			var first []string
			for i, places := range [][]string{{}, {"a"}, {"b"}} {
				f := newTable(t).add(fighter("a", "party", cmb(7), loaded), fighter("b", "foes", cmd(17), unarmed()), fighter("c", "foes", unarmed()))
				f.set(15, 10, 5)
				for _, id := range places {
					f.at(id, 20, 0)
				}
				c.do(f)
				got := told(f)
				if i == 0 {
					first = got
				}
				if !slices.Equal(got, first) || !slices.Contains(got, c.want) {
					t.Errorf("with %v placed:\n%s\nwant what comes without a map, %q in it:\n%s", places, strings.Join(got, "\n"), c.want, strings.Join(first, "\n"))
				}
				for _, id := range []string{"a", "b"} {
					if at := f.Creature(id).Position; slices.Contains(places, id) && (at.GetX() != 20 || at.GetY() != 0) || !slices.Contains(places, id) && at != nil {
						t.Errorf("with %v placed: %s is at %v", places, id, at)
					}
				}
			}
		})
	}
}

// celesia.mount.charge: who is charged at without a place is met where the charge is said to end.
func TestRideChargeAtOneWithoutAPlace(t *testing.T) {
	for name, c := range map[string]struct {
		facts []any
		rode  int64
	}{"at 60 feet": {[]any{"distance", 60}, 60}, "at no distance stated": {nil, 10}} {
		t.Run(name, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party"), horse(func(s *eventv1.Sheet) { s.Controllers = []string{"a-player"} }), fighter("b", "foes", unarmed()))
			f.at("a", 0, 10)
			f.at("h", 0, 0)
			f.start(nil, 19, 5, 12)
			f.Must(act("a", "mount", "", "h"))
			f.End("a")
			f.End("b")
			f.Must(act("a", "ride-charge", "sword", "b", withFacts(c.facts...)))
			if got := f.Creature("a").Counters[body.CRode]; got != c.rode || f.Creature("h").Position.X != 0 {
				t.Errorf("rode %d, want %d; at %v", got, c.rode, f.Creature("h").Position)
			}
			wantReason(t, f.Try(act("a", "ride-charge", "sword", "b", withFacts("distance", 60))), "NO_ACTS", "celesia.mount.own-acts")
		})
	}
}

// celesia.mount.mount-dismount, celesia.mount.horse-space: a rider without a place comes to that of
// its mount, wherever it is, and whoever dismounts without a map is on foot and nowhere.
func TestSaddleWithoutPlaces(t *testing.T) {
	build := func(t *testing.T) *table {
		f := newTable(t).add(fighter("a", "party"), horse(func(s *eventv1.Sheet) { s.Controllers = []string{"a-player"} }), fighter("b", "foes", unarmed()))
		return f.start(nil, 19, 5, 12)
	}
	t.Run("the mount alone has one", func(t *testing.T) {
		f := build(t)
		f.at("h", 0, 0)
		f.Must(act("a", "mount", "", "h"))
		if f.Creature("a").Position == nil {
			t.Error("the rider has no place")
		}
		f.Must(act("a", "dismount", "", ""))
		if feet, known := body.Distance(f.Creature("a"), f.Creature("h")); !known || feet != 5 {
			t.Errorf("it stands %d feet off", feet)
		}
	})
	t.Run("neither has", func(t *testing.T) {
		f := build(t)
		f.Must(act("a", "mount", "", "h"))
		f.Must(act("a", "dismount", "", ""))
		if f.Creature("a").Position != nil || body.MountOf(f.Creature("a")) != "" {
			t.Errorf("%v", f.Creature("a"))
		}
	})
	t.Run("the rider alone has", func(t *testing.T) {
		f := build(t)
		f.at("a", 10, 10)
		f.Must(act("a", "mount", "", "h"))
		f.Must(act("a", "dismount", "", ""))
		f.wantAt("a", 10, 10)
		if f.Creature("h").Position != nil {
			t.Errorf("the horse is at %v", f.Creature("h").Position)
		}
	})
	t.Run("the game master places the rider", func(t *testing.T) {
		f := build(t)
		f.Must(act("a", "mount", "", "h"))
		f.at("a", 0, 0)
		if f.Creature("h").Position == nil {
			t.Error("the mount did not come along")
		}
		f.at("h", 20, 0)
		f.wantAt("a", 20, 0)
	})
}
