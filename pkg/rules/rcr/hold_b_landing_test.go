package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/mounts"
	"github.com/skaldrpg/skald/pkg/rules/rcr/underwater"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.mount.buck-landing: who is thrown and lands by its reaction is behind the mount,
// against the way that it went last; where it has gone nowhere, in a space of its choice.
func TestBehindTheMount(t *testing.T) {
	for _, c := range []struct {
		name     string
		dx, dy   int32
		atX, atY int32
	}{
		{"east", 5, 0, -5, 0}, {"west", -5, 0, 10, 0}, {"north", 0, 5, 0, -5}, {"south", 0, -5, 0, 10},
		{"north-east", 5, 5, -5, -5}, {"south-west", -5, -5, 10, 10}, {"north-west", -5, 5, 10, -5}, {"south-east", 5, -5, -5, 10},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := onMap(t, human(), beast(), orc(), 300, 300)
			f.Must(act("h", "move", "", "", along(4*c.dx, 4*c.dy)))
			f.End("a", 12)
			f.Must(act("b", "attack", "sword", "h", withFacts("distance", 5)), 15, 1, 9)
			f.Answer(mounts.DecLanding, "feet", 7)
			f.wantAt("a", 4*c.dx+c.atX, 4*c.dy+c.atY)
			f.wantHas("a", body.CondProne, false)
		})
	}
	t.Run("it has gone nowhere", func(t *testing.T) {
		f := onMap(t, human(), beast(), orc(), 300, 300)
		f.End("a", 12)
		f.Must(act("b", "attack", "sword", "h", withFacts("distance", 5)), 15, 1, 9)
		f.Answer(mounts.DecLanding, "feet")
		f.Answer(mounts.DecLandingPlace, "10,10", 7)
		f.wantAt("a", 10, 10)
	})
	t.Run("on a ledge there is ground to land on", func(t *testing.T) {
		f := newTable(t)
		for s, p := range map[*eventv1.Sheet]*eventv1.Position{human(): spot(-5, 0, 20), orc(): spot(300, 0, 20), beast(): spot(0, 0, 20)} {
			f.Must(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: s, Position: p}}})
		}
		f.Must(act("a", "mount", "", "h"))
		f.start(nil, 20, 5)
		f.Count("a", body.CReaction, 0)
		f.Must(act("h", "forced-move", "", "", withParameters("feet", 5)), 5)
		f.Choose("-5,0", 4)
		f.wantHas("a", body.CondProne, true)
		f.wantAir("a", "", 20)
		f.WantHP("a", 40)
	})
}

// rcr.mount.buck-on-frightened: terror is fear.
func TestBucksInTerror(t *testing.T) {
	f := rides(t, human(), beast(), orc())
	f.Must(afflicting("h", body.CondTerrified, "b"), 15)
	f.wantHas("h", "bolting", true)
	f.wantRides("a", "h", body.VariantRider)
}

// rcr.mount.buck-flee: whom a mount refuses that is no rider carries nobody off before its
// rider's turn ends.
func TestPassengerFailsToCalm(t *testing.T) {
	f := newTable(t).add(human(), orc(), fighter("c", "party"), beast())
	f.Must(act("a", "mount", "", "h"))
	f.Must(act("c", "mount", "", "h"))
	f.start(nil, 5, 4, 20)
	f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "h", Vitals: &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: "bolting", Variant: "bucked", Source: "a", Cause: "pain"}}}}}})
	f.Must(act("c", "calm-mount", "", "h"), 14)
	f.wantHas("h", "bolting", true)
	f.wantRides("a", "h", body.VariantRider)
}

// rcr.mount.reins-dropped: an action that was ordered without a way is an order too, and
// what cannot be done again is said.
func TestOrdersWithoutAWay(t *testing.T) {
	f := rides(t, human(rcrSheet(func(x *eventv1.RcrSheet) {
		x.Attacks = append(x.Attacks, &eventv1.RcrAttack{Name: "spike", Hand: "stowed", Bonus: 5, ReachFeet: 5, Properties: []string{"light"}, Damage: []*eventv1.RcrDamage{{Dice: "1d4", Type: "piercing"}}})
	})), beast(traits("fierce")), orc())
	f.Must(act("h", "attack", "hooves", "b"), 2)
	f.Must(act("a", "draw", "spike", ""))
	f.End("a", 12)
	f.End("b", 3)
	dies(t, f, "b")
	f.Must(act("h", "carry-on", "", ""))
	if n := len(f.byNote(cite.MountReinsDropped)); n != 1 {
		t.Errorf("said %d times", n)
	}
}

// rcr.mount.forced-move-save: the game master moves a creature along a path where it has a
// place; by feet alone, and off the map, nobody's place changes.
func TestMovedByWord(t *testing.T) {
	f := onMap(t, human(), beast(), orc(), 300, 0)
	f.Must(act("h", "forced-move", "", "", along(20, 0)), 15)
	f.wantAt("h", 20, 0)
	f.wantAt("a", 20, 0)
	f.Must(act("h", "forced-move", "", "", withParameters("feet", 10)), 15)
	f.wantAt("h", 20, 0)
	f = rides(t, human(), beast(), orc())
	f.Must(act("h", "forced-move", "", "", along(20, 0)), 15)
	if p := f.Creature("h").Position; p != nil {
		t.Errorf("at %v", p)
	}
}

// rcr.mount.rider-prone-save, rcr.mount.mount-prone: who dies of weariness rides no more,
// and a mount that does bears nobody.
func TestDeathInTheSaddle(t *testing.T) {
	f := rides(t, human(), beast(), orc())
	f.End("a", 12)
	f.Resolve(func(r *resolution) error { die(r, "a"); return nil })
	f.Must(act("b", "interact", "", ""), 4)
	f.wantRides("a", "", "")
	f = rides(t, human(), beast(), orc())
	f.End("a", 12)
	f.Count("a", body.CReaction, 0)
	f.Resolve(func(r *resolution) error { die(r, "h"); return nil })
	f.Must(act("b", "interact", "", ""))
	f.wantRides("a", "", "")
	f.wantHas("a", body.CondProne, true)
}

// rcr.flight.collision-save: nobody collides with whom it bears or holds, or who holds it.
func TestLinkedDoNotCollide(t *testing.T) {
	f := inTheAir(t, human(), griffon(body.SaddleNormal), 60, true)
	f.Must(act("h", "collide", "", "a"))
	f.wantAir("h", "flying", 60)
	f.Must(act("h", "collide", "", "b"), 15)
	f = sky(t, "flying", 60, flyer("a", "party", 60))
	f.Put("b", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondGrappled, Source: "a", Cause: "grapple"}}})
	f.Must(act("a", "collide", "", "b"))
	f = sky(t, "arresting", 60, flyer("a", "party", 60))
	f.Put("a", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondAirborne, Variant: "arresting"}, {Name: body.CondGrappled, Source: "b", Cause: "grapple"}}})
	f.Must(act("a", "collide", "", "b"))
	f.wantAir("a", "arresting", 60)
}

// rcr.underwater.dive-into-water: on a map it is water where its surface is and no ground
// is said to be, whatever is said of the fight; what the flight says beats both.
func TestWaterBelowOnAMap(t *testing.T) {
	for _, c := range []struct {
		name    string
		surface int
		ground  int
		flight  any
		dive    bool
	}{
		{"the surface is where it comes down", 0, 0, nil, true},
		{"an isle of 10 feet", 0, 10, nil, false},
		{"the surface is lower than the ground", -20, 0, nil, false},
		{"over land, as the flight says", 0, 0, false, false},
		{"over a pond, as the flight says", -20, 0, true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := over(t, "flying", spot(0, 0, 40), spot(200, 0, 100), flyer("a", "party", 60), fighter("b", "monsters"))
			f.Must(act("a", "water", "", "", withParameters("surface", c.surface, "over_water", true)))
			cmd := way("move", spot(30, 0, 40))
			if c.flight != nil {
				cmd.GetTake().Parameters = object("mode", "fly", "over_water", c.flight)
			}
			cmd.GetTake().Facts = object("ground", c.ground)
			f.Must(cmd)
			f.Count("a", body.CReaction, 0)
			prone := afflicting("a", body.CondProne, "")
			if c.dive {
				f.Must(prone)
				if len(f.Decisions) != 1 || f.Decisions[0].Name != underwater.DecDive {
					t.Errorf("asked %v", f.Decisions)
				}
				return
			}
			f.Must(prone, faces(map[int]int{0: 10, 10: 6}[c.ground], 1)...)
		})
	}
	t.Run("who has no place in such a fight goes by the word for the fight", func(t *testing.T) {
		for said, dive := range map[bool]bool{false: false, true: true} {
			f := sky(t, "flying", 10, flyer("a", "party", 60))
			f.Must(act("a", "water", "", "", withParameters("surface", 0, "over_water", said)))
			f.Count("a", body.CReaction, 0)
			if dive {
				f.Must(afflicting("a", body.CondProne, ""))
			} else {
				f.Must(afflicting("a", body.CondProne, ""), 1)
			}
			if got := len(f.Decisions) > 0; got != dive {
				t.Errorf("said %v: asked %v", said, f.Decisions)
			}
		}
	})
}
