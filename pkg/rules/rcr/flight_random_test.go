package rcr

import (
	"os"
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Fights of flyers at random keep what flight promises.
func TestRandomFlight(t *testing.T) {
	rulestest.Game{Env: os.Getenv, Seeds: 8, Steps: 80, Rounds: 15, Viewer: "hero", Signed: []string{body.CWounds, body.CTurn, body.CGround},
		Meddle: true, Set: dogfight, Take: shapeFlight, Beyond: beyondFlight, Otherwise: forTheBonus, Vex: vex, Hold: keptAloft}.Play(t)
}

// dogfight sets flyers of all kinds against each other, in the air, with or without
// a map.
func dogfight(t *testing.T, c *rulestest.Chance) *rulestest.Table {
	f := newTable(t, append(c.Settings(System{}), "rcr.setting.wind="+rulestest.Pick(c, []string{"0", "15", "25"}), body.SetInitiativeChoice+"=best", body.SetTieBreak+"=dexterity")...)
	f.Roller = c.Die
	item := func(how string, activated bool) func(*eventv1.Sheet) {
		return rcrSheet(func(s *eventv1.RcrSheet) {
			s.Items = []*eventv1.RcrItem{{Name: "thing", FlySpeed: 40, Flight: how, FlightActivated: activated}}
		})
	}
	all := []*eventv1.Sheet{flyer("hero", "party", 60, feats("aerial ace")), flyer("x", "monsters", 50, feats("mighty wings"), size("large")),
		flyer("y", "monsters", 25, size("huge")), fighter("z", "monsters", item("worn", true)), fighter("w", "party", item("held", false)), fighter("v", "monsters")}
	mapped := c.OneIn(2)
	for _, s := range all {
		height := int32(c.N(12) * 5)
		add := &eventv1.AddCreature{Sheet: s}
		if mapped {
			add.Position = &eventv1.Position{X: int32(c.N(6) * 5), Y: int32(c.N(6) * 5), Z: height}
		}
		f.Must(&eventv1.Command{What: &eventv1.Command_Add{Add: add}})
	}
	f.Start(nil)
	for _, id := range []string{"hero", "x", "y", "w"} {
		v := &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondAirborne}}}
		if !mapped {
			v.Counters = map[string]int64{body.CAltitude: int64(c.N(700))}
		}
		if err := f.Try(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: id, Vitals: v}}}); err != nil {
			t.Fatal(err)
		}
	}
	return f.Table
}

// beyondFlight: how a flight goes is of the play's own making.
func beyondFlight(take *eventv1.TakeAction, why *fault.Fault) bool {
	return slices.Contains([]string{"move", "dive", "launch"}, take.Action) && slices.Contains([]string{"NO_MOVEMENT", "GROUND", "TOO_STEEP", "NOT_STEEP", "FACING",
		"TOO_TIGHT", "SPACE_TAKEN", "AFRAID", "DIVED", "INVALID_FIELD"}, why.Reason) || beyondOptions(take, why)
}

// shapeFlight makes flights of movements, and dives of dives.
func shapeFlight(p *rulestest.Play, o *eventv1.Option, take *eventv1.TakeAction) {
	c := p.Creature(take.Creature)
	feet := 1 + p.Chance.N(30)
	height := c.GetPosition().GetZ()
	switch {
	case take.Action == "move" && body.SpeedIn(p.State, c.Id, "fly") > 0 && len(take.Path) == 0 && c.Position == nil:
		pairs := []any{"mode", "fly", "feet", feet}
		switch p.Chance.N(3) {
		case 0:
			pairs = append(pairs, "climb", 1+p.Chance.N(feet))
		case 1:
			pairs = append(pairs, "descend", 1+p.Chance.N(feet))
		}
		take.Parameters = object(pairs...)
	case take.Action == "move" && c.Position != nil && body.SpeedIn(p.State, c.Id, "fly") > 0 && p.Chance.OneIn(2):
		take.Parameters = object("mode", "fly")
		take.Path = []*eventv1.Position{{X: c.Position.X + int32(5*p.Chance.N(7)) - 15, Y: c.Position.Y + 5, Z: max(0, height+int32(5*p.Chance.N(5))-10)}}
	case take.Action == "dive" && c.Position != nil:
		take.Parameters, take.Path = nil, []*eventv1.Position{{X: c.Position.X, Y: c.Position.Y, Z: max(0, height-int32(5*(1+p.Chance.N(6))))}}
	case take.Action == "dive":
		take.Parameters = object("feet", 1+p.Chance.N(int(min(580, max(1, body.Altitude(c))))))
	case take.Action == "launch" && c.Position != nil:
		take.Parameters, take.Path = nil, []*eventv1.Position{{X: c.Position.X, Y: c.Position.Y, Z: height + 10}}
	default:
		shapeTake(p, o, take)
	}
}

// keptAloft holds what flight promises of creatures, beside what the rules promise.
func keptAloft(p *rulestest.Play) {
	p.T.Helper()
	promised(p)
	if len(p.Decisions) > 0 || p.State.Status != eventv1.State_STATUS_STARTED {
		return
	}
	for _, id := range rules.SortedKeys(p.State.Creatures) {
		c := p.Creature(id)
		state := body.AirState(c)
		switch {
		case c.Counters[body.CAltitude] < 0, c.Counters[body.CHalf] < 0 || c.Counters[body.CHalf] > 1:
			p.T.Fatalf("%s: %v", id, c.Counters)
		case state == body.AirFalling && c.Marks[body.MDropped] == "":
			p.T.Fatalf("%s hangs in the air", id)
		case (state == body.AirFlying || state == body.AirHovering || state == body.AirDiving) && p.Command.GetEdit() == nil && (body.Has(c, body.CondProne) || body.SpeedIn(p.State, id, "fly") == 0):
			p.T.Fatalf("%s flies prone, or without a speed", id)
		case body.Dead(c) && body.Flies(c):
			p.T.Fatalf("%s is dead and flies", id)
		}
	}
}
