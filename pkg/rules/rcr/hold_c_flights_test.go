package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// A mount that flees, and one that is led and not brave, go no other way toward danger by a
// dive, or by a launch, than they would by flying on: as the places say it, and against them
// or without them as the command does.
//
// rcr.mount.buck-flee, rcr.mount.fierce-dismounted, rcr.mount.brave-approach
func TestDivesTowardDanger(t *testing.T) {
	// winged has the griffon alone in its own turn, 60 feet above (0, 0), the orc x feet east
	// on the ground; without positions for x below 0.
	winged := func(t *testing.T, x int32, bolting string) *table {
		f := newTable(t)
		h := griffon("", feats("mighty wings"))
		if x < 0 {
			f.add(orc(), h)
		} else {
			f.Must(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: orc(), Position: spot(x, 0, 0)}}})
			f.Must(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: h, Position: spot(0, 0, 60)}}})
		}
		f.start(nil, 5, 20)
		f.aloft("h", body.AirFlying, 60)
		if bolting != "" {
			f.Afflict("h", "bolting="+bolting)
		}
		return f
	}
	down := func(z int32, change ...func(*eventv1.TakeAction)) *eventv1.Command {
		cmd := act("h", "dive", "", "", change...)
		cmd.GetTake().Path = []*eventv1.Position{spot(0, 0, z)}
		return cmd
	}
	for _, c := range []struct {
		name    string
		x       int32
		bolting string
		cmd     *eventv1.Command
		rule    string
	}{
		{"the orc is below: 30 feet down are nearer", 20, "bucked", down(30), cite.MountBuckFlee},
		{"one whose rider has got off, too", 20, "riderless", down(30), cite.MountFierceDismounted},
		{"it does not flee", 20, "", down(30), ""},
		{"the orc is far to the east: straight down is no nearer", 200, "bucked", down(30), ""},
		{"stated against the map", 200, "bucked", down(30, withFacts("toward_danger", true)), cite.MountBuckFlee},
		{"stated to be none", 20, "bucked", down(30, withFacts("toward_danger", false)), ""},
		{"without positions, stated", -1, "bucked", act("h", "dive", "", "", withParameters("feet", 20), withFacts("toward_danger", true)), cite.MountBuckFlee},
		{"without positions, not stated", -1, "bucked", act("h", "dive", "", "", withParameters("feet", 20)), ""},
		{"it does not flee, whatever is stated", -1, "", act("h", "dive", "", "", withParameters("feet", 20), withFacts("toward_danger", true)), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := winged(t, c.x, c.bolting)
			err := f.Try(c.cmd)
			if c.rule == "" {
				if err != nil {
					t.Fatal(err)
				}
				if got := body.AirState(f.Creature("h")); got != body.AirDiving {
					t.Errorf("it is %q", got)
				}
				return
			}
			wantReasonOf(t, c.name, err, "BOLTING")
			wantRefused(t, err, c.rule)
		})
	}
	t.Run("rcr.mount.brave-approach: led, it dives toward danger once it is urged", func(t *testing.T) {
		timid := func(t *testing.T, list ...string) *table {
			f := inTheAir(t, human(skilled("animal handling", 4)), griffon(body.SaddleNormal, traits(list...)), 60, false)
			return f
		}
		toward := act("h", "dive", "", "", withParameters("feet", 20), withFacts("toward_danger", true))
		f := timid(t, body.MountFierce)
		err := f.Try(toward)
		wantReasonOf(t, "not brave", err, "NOT_BRAVE")
		wantRefused(t, err, cite.MountBraveApproach)
		f.Must(act("a", "urge-mount", "", ""), 11)
		f.Must(toward)
		f.wantAir("h", body.AirDiving, 40)
		f = timid(t, body.MountBrave)
		f.Must(toward)
		f = timid(t, body.MountFierce)
		f.Must(act("h", "dive", "", "", withParameters("feet", 20)))
	})
	t.Run("rcr.feat.mighty-wings-launch: nor by a launch after a blast", func(t *testing.T) {
		for name, flees := range map[string]bool{"it flees": true, "it does not": false} {
			f := winged(t, -1, "")
			f.Must(act("h", "dive", "", "", withParameters("feet", 60)))
			f.Must(act("h", "pull-out", "", ""), 20, 20)
			f.wantAir("h", "", 0)
			f.Must(act("h", "wind-blast", "", ""))
			if flees {
				f.Afflict("h", "bolting=bucked")
			}
			err := f.Try(act("h", "launch", "", "", withParameters("feet", 20), withFacts("toward_danger", true)))
			if !flees {
				wantReasonOf(t, name, err, "")
				continue
			}
			wantReasonOf(t, name, err, "BOLTING")
			f.Must(act("h", "launch", "", "", withParameters("feet", 20)))
		}
	})
}
