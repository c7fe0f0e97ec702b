package spark

import (
	"os"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	"github.com/skaldrpg/skald/pkg/sheet"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
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
		Meddle: true, Set: skirmish, Take: shapeTake, Beyond: beyondOptions, AnyItem: []string{actDrop}, Unread: []string{"bonus_target"}, Hold: promised}.Play(t)
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
			f.Put(name, &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: condProne}, {Name: condFrightened, Values: map[string]int32{"dc": 14}}}})
		}
	}
	f.start()
	return f.Table
}

// shapeTake moves those who have no place by feet, names a class for each
// attack, stands up or throws for one attack at most, gives a bonus action its
// target, and bashes a door of its own each time.
func shapeTake(p *rulestest.Play, o *eventv1.Option, take *eventv1.TakeAction) {
	moves := slices.ContainsFunc(o.Parameters, func(x *eventv1.Parameter) bool { return x.Name == "path" })
	if moves && p.Creature(take.Creature).Position == nil && p.Chance.OneIn(3) {
		take.Facts = object("feet", 5*(1+p.Chance.N(6)))
	}
	f := take.GetParameters().GetFields()
	if class := f["classes"].GetStringValue(); class != "" && len(take.Targets) > 1 {
		f["classes"] = object("classes", []string{class, class}).Fields["classes"]
	}
	if spoken.Truth(take.Parameters, "stand") || spoken.Truth(take.Parameters, "ranged") {
		take.Targets = take.Targets[:min(1, len(take.Targets))]
	}
	for _, x := range o.Parameters {
		switch {
		case x.Name == "bonus_target" && f["bonus"] != nil:
			f[x.Name] = enemyOf(p, x.Values, take.Creature)
		case x.Name == "object":
			f[x.Name] = structpb.NewStringValue("door " + itoa(p.Chance.N(1_000_000)))
		case x.Name == "material":
			f[x.Name] = rulestest.Pick(p.Chance, x.Values)
		}
	}
}

// enemyOf is one of the other side among creatures, the creature itself if
// there is none.
func enemyOf(p *rulestest.Play, among []*structpb.Value, id string) *structpb.Value {
	for _, v := range among {
		if p.Creature(v.GetStringValue()).Side != p.Creature(id).Side {
			return v
		}
	}
	return structpb.NewStringValue(id)
}

// beyondOptions: who was taken off the field meanwhile, how far a creature
// without a place moves, the way to a weapon that lies farther than a step, an
// off-hand attack on nobody, and what a table allows together with the bonus
// action that draws a weapon.
func beyondOptions(take *eventv1.TakeAction, why *fault.Fault) bool {
	switch bonus := spoken.Word(take.Parameters, "bonus"); {
	case take.Facts != nil || why.Reason == "UNKNOWN_CREATURE":
		return true
	case strings.HasPrefix(bonus, "pick-up:"):
		return why.Reason == "OUT_OF_REACH"
	case strings.HasPrefix(bonus, "draw:"):
		return why.Reason == "NO_BONUS_ACTION"
	case strings.HasPrefix(bonus, "off-hand:"):
		return why.Reason == "NO_TARGET"
	}
	return false
}

// promised holds what the rules promise of creatures and of declaring.
func promised(p *rulestest.Play) {
	p.T.Helper()
	for _, id := range rules.SortedKeys(p.State.Creatures) {
		c := p.Creature(id)
		if c.GetHp() < 0 || (c.GetHp() == 0) != out(c) {
			p.T.Fatalf("%s has %d of %d hit points and is %v", id, c.GetHp(), c.GetHpMax(), c.Life)
		}
		if c.Counters[cMana] > int64(sheetOf(c).Mana) || c.Counters[cReaction] > 1 || c.Counters[cFree] > freeActions {
			p.T.Fatalf("%s has %v", id, c.Counters)
		}
	}
	for _, id := range p.State.Active {
		if out(p.Creature(id)) {
			p.T.Fatalf("%s is out and has the turn", id)
		}
	}
	if p.State.Phase != phaseDeclare && len(p.State.Active) > 0 {
		p.T.Fatalf("phase %s, active %v", p.State.Phase, p.State.Active)
	}
}
