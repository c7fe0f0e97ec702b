package rcr

import (
	"os"
	"testing"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Riders of flying mounts over water against swimmers, at random, keep what flight,
// mounts and water promise.
func TestRandomRidersOverWater(t *testing.T) {
	rulestest.Game{Env: os.Getenv, Seeds: 8, Steps: 80, Rounds: 12, Viewer: "hero", Signed: []string{body.CWounds, body.CTurn, body.CGround},
		Meddle: true, Set: overTheSea, Take: shapeFlight, Beyond: beyondFlight, Otherwise: forTheBonus, Vex: vex, Hold: keptInTheSaddle}.Play(t)
}

// overTheSea puts two riders on griffons in the air and two swimmers into the water
// below, with a map whose surface is at 0, or by word.
func overTheSea(t *testing.T, c *rulestest.Chance) *rulestest.Table {
	f := newTable(t, append(c.Settings(System{}), "rcr.setting.wind="+rulestest.Pick(c, []string{"0", "15", "25"}), body.SetInitiativeChoice+"=best", body.SetTieBreak+"=dexterity")...)
	f.Roller = c.Die
	mapped := c.OneIn(2)
	add := func(s *eventv1.Sheet, x, y, z int32) {
		cmd := &eventv1.AddCreature{Sheet: s}
		if mapped {
			cmd.Position = &eventv1.Position{X: x, Y: y, Z: z}
		}
		f.Must(&eventv1.Command{What: &eventv1.Command_Add{Add: cmd}})
	}
	var below []string
	for i, id := range []string{"hero", "mate"} {
		high, y := int32(5*(1+c.N(12))), int32(30*i)
		rider := fighter(id, "party", skilled("athletics", int32(c.N(8))))
		rider.Controllers = []string{id + "-player"}
		steed := griffon(rulestest.Pick(c, []string{"", body.SaddleNormal, body.SaddleMilitary}))
		steed.Id, steed.Name, steed.Side, steed.Controllers = "steed-"+id, "steed-"+id, "party", rider.Controllers
		add(rider, 0, y, high)
		add(steed, 0, y, high)
		f.Must(act(id, "mount", "", steed.Id))
		fish := fighter("fish-"+id, "deep", swimmer)
		if c.OneIn(2) {
			fish.GetRcr().Traits = []string{"amphibious"}
		}
		add(fish, 20, y, -int32(5*(1+c.N(4))))
		below = append(below, fish.Id)
	}
	if mapped {
		f.Start(object("surface", 0))
	} else {
		f.Start(object("underwater", below))
	}
	for _, id := range []string{"steed-hero", "steed-mate"} {
		v := &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondAirborne, Variant: body.AirFlying}}}
		if !mapped {
			v.Counters = map[string]int64{body.CAltitude: int64(5 * (1 + c.N(40)))}
		}
		f.Put(id, v)
	}
	return f.Table
}

// keptInTheSaddle holds what riders promise beside what flight does: who rides is
// where the mount is, and nobody rides the dead.
func keptInTheSaddle(p *rulestest.Play) {
	p.T.Helper()
	keptAloft(p)
	if len(p.Decisions) > 0 || p.State.Status != eventv1.State_STATUS_STARTED {
		return
	}
	for _, id := range rules.SortedKeys(p.State.Creatures) {
		c := p.Creature(id)
		mount := body.MountOf(p.State, c)
		if mount == nil {
			continue
		}
		if body.Dead(mount) {
			p.T.Fatalf("%s rides %s, which is dead", id, mount.Id)
		}
		if a, b := c.Position, mount.Position; a != nil && b != nil && p.Command.GetEdit() == nil && a.Z != b.Z {
			p.T.Fatalf("%s at %v rides %s at %v", id, a, mount.Id, b)
		}
	}
}
