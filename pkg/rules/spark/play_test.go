package spark

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/declaring"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	"github.com/skaldrpg/skald/pkg/sheet"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/types/known/structpb"
)

var shippedSheets = []string{"archer", "blade", "ember-mage", "healer", "hexer", "mire-beast", "reaver", "spearman"}

// shipped reads a sheet of the build.
func shipped(t testing.TB, name string) *eventv1.Sheet {
	t.Helper()
	s, err := sheet.ParseFile(os.DirFS("../../content/sheets/spark"), name+".yaml")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Every shipped sheet is sound, and nothing lies about that is not in the list.
func TestShippedSheets(t *testing.T) {
	entries, err := os.ReadDir("../../content/sheets/spark")
	if err != nil || len(entries) != len(shippedSheets) {
		t.Fatalf("%d sheets, want %d: %v", len(entries), len(shippedSheets), err)
	}
	for _, name := range shippedSheets {
		if v := rules.CheckSheet(System{}, shipped(t, name)); len(v) > 0 {
			t.Errorf("%s: %v", name, v)
		}
	}
}

// Fights of the shipped creatures at random keep what the rules promise.
func TestRandomPlay(t *testing.T) {
	rulestest.Game{Env: os.Getenv, Seeds: 24, Steps: 150, Rounds: 80, Viewer: "blade",
		Meddle: true, Set: skirmish, Take: shapeTake, Beyond: beyondOptions, AnyItem: []string{declaring.ActDrop}, Hold: promised}.Play(t)
}

// skirmish sets all shipped creatures on the field, with or without a map,
// some of them prone and frightened.
func skirmish(t *testing.T, c *rulestest.Chance) *rulestest.Table {
	f := newTable(t, c.Settings(System{})...)
	f.Roller = c.Die
	mapped, shaken := !c.OneIn(4), c.OneIn(5)
	for _, name := range shippedSheets {
		s := shipped(t, name)
		s.Controllers = []string{name + "-player"}
		if mapped {
			f.AddAt(int32(c.N(6)*5), int32(c.N(6)*5), s)
		} else {
			f.Add(s)
		}
		if shaken {
			f.Put(name, &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondProne}, {Name: body.CondFrightened, Values: map[string]int32{"dc": 14}}}})
		}
	}
	f.start()
	return f.Table
}

// shapeTake moves those who have no place by feet, and bashes a door of its own
// each time, as what is broken cannot be bashed again.
func shapeTake(p *rulestest.Play, o *eventv1.Option, take *eventv1.TakeAction) {
	moves := slices.ContainsFunc(o.Parameters, func(x *eventv1.Parameter) bool { return x.Name == "path" })
	if moves && p.Creature(take.Creature).Position == nil && p.Chance.OneIn(3) {
		take.Facts = object("feet", 5*(1+p.Chance.N(6)))
		delete(take.GetParameters().GetFields(), "feet")
	}
	if f := take.GetParameters().GetFields(); f["object"] != nil {
		f["object"] = structpb.NewStringValue("door " + body.Itoa(p.Chance.N(1_000_000)))
	}
}

// beyondOptions are ways through space, which no option can list: how far a
// creature without a place moves, and the way to a weapon that lies farther off
// than a step.
func beyondOptions(take *eventv1.TakeAction, why *fault.Fault) bool {
	return take.Facts != nil || take.GetParameters().GetFields()["feet"] != nil || why.Reason == "OUT_OF_REACH" && strings.HasPrefix(spoken.Word(take.Parameters, "bonus"), "pick-up:")
}

// promised holds what the rules promise of creatures and of declaring.
func promised(p *rulestest.Play) {
	p.T.Helper()
	if len(p.Events)%5 == 0 { // now and then: there are many options
		rulestest.Offered(p.T, p.Table)
	}
	for _, id := range rules.SortedKeys(p.State.Creatures) {
		c := p.Creature(id)
		if c.GetHp() < 0 || (c.GetHp() == 0) != body.Out(c) {
			p.T.Fatalf("%s has %d of %d hit points and is %v", id, c.GetHp(), c.GetHpMax(), c.Life)
		}
		if c.Counters[body.CMana] > int64(body.SheetOf(c).Mana) || c.Counters[body.CReaction] > 1 && p.Content == nil || c.Counters[body.CFree] > freeActions {
			p.T.Fatalf("%s has %v", id, c.Counters)
		}
	}
	for _, id := range rules.SortedKeys(p.State.Creatures) {
		promisedOfPlans(p, id)
	}
	for _, id := range p.State.Active {
		if body.Out(p.Creature(id)) {
			p.T.Fatalf("%s is out and has the turn", id)
		}
	}
	if p.State.Phase != body.PhaseDeclare && len(p.State.Active) > 0 {
		p.T.Fatalf("phase %s, active %v", p.State.Phase, p.State.Active)
	}
}

// promisedOfPlans holds what goes together in one creature: a declaration and
// its place in the order, a lock and its casting, and missiles, of which none
// come into being.
func promisedOfPlans(p *rulestest.Play, id string) {
	p.T.Helper()
	c := p.Creature(id)
	if p.State.Phase == body.PhaseDeclare && (rules.BegunOf(c, body.BegunDeclared) != nil) != (c.Counters[body.COrder] > 0) {
		p.T.Fatalf("%s: order %d, begun %v", id, c.Counters[body.COrder], c.Begun)
	}
	if p.State.Phase == body.PhaseDeclare && body.Locked(p.State, c) != (rules.BegunOf(c, body.BegunCasting) != nil) {
		p.T.Fatalf("%s: round %d, begun %v", id, p.State.Round, c.Begun)
	}
	for _, w := range body.SheetOf(c).Weapons {
		n := c.Counters
		if all := n[body.CAmmunition+w.Name] + n[body.CSpent+w.Name] + n[body.CSpilled+w.Name] + n[body.CCracked+w.Name]; all > int64(w.GetMissiles()) {
			p.T.Fatalf("%s has %d missiles of %s, of %d", id, all, w.Name, w.GetMissiles())
		}
		if c.Marks[body.MStuck+w.Name] != "" && w.Natural || c.Marks[body.MWeapon+w.Name] != "" && w.Natural || w.Natural && c.Items[w.Name] != nil {
			p.T.Fatalf("%s: the natural %s is %v, %v", id, w.Name, c.Items[w.Name], c.Marks)
		}
	}
}
