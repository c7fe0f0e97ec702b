package basic

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/sheet"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// The shipped sheets can be played, and they make two sides.
func TestShippedSheets(t *testing.T) {
	dir := os.DirFS("../../content/sheets/basic")
	names, err := filepath.Glob("../../content/sheets/basic/*.yaml")
	if err != nil || len(names) < 6 {
		t.Fatalf("%d sheets: %v", len(names), err)
	}
	sides := map[string]int{}
	for _, name := range names {
		s, err := sheet.ParseFile(dir, filepath.Base(name))
		if err != nil {
			t.Fatal(err)
		}
		if v := rules.CheckSheet(System{}, s); len(v) > 0 {
			t.Errorf("%s: %v", s.Id, v)
		}
		sides[s.Side]++
	}
	if sides["party"] < 3 || sides["monsters"] < 3 {
		t.Errorf("sides %v", sides)
	}
}

func TestCheckSheet(t *testing.T) {
	for field, spoil := range map[string]change{
		"sheet.size":                    func(s *eventv1.Sheet, _ *eventv1.BasicSheet) { s.Size = "vast" },
		"sheet.abilities[constitution]": func(s *eventv1.Sheet, _ *eventv1.BasicSheet) { s.Abilities = nil },
		"sheet.speeds[walk]":            func(s *eventv1.Sheet, _ *eventv1.BasicSheet) { s.Speeds["walk"] = -1 },
		"sheet.basic.armor_class":       section(func(b *eventv1.BasicSheet) { b.ArmorClass = 0 }),
		"sheet.basic.armor_material":    section(func(b *eventv1.BasicSheet) { b.ArmorMaterial = "tin" }),
		"sheet.basic.tags[0]":           section(func(b *eventv1.BasicSheet) { b.Tags = []string{"dwarf"} }),
		"sheet.basic.saves[spells]":     section(func(b *eventv1.BasicSheet) { b.Saves = map[string]int32{"spells": 0} }),
		"sheet.basic.weapons[0].name":   section(func(b *eventv1.BasicSheet) { b.Weapons[0].Name = body.Punch }),
		"sheet.basic.weapons[0].damage": section(func(b *eventv1.BasicSheet) { b.Weapons[0].Damage = "d6" }),
		"sheet.basic.weapons[0].kind": section(func(b *eventv1.BasicSheet) {
			b.Weapons[0].Kind, b.Weapons[0].ShortFeet, b.Weapons[0].MediumFeet, b.Weapons[0].LongFeet = "whip", 1, 1, 1
		}),
		"sheet.basic.weapons[0].hand":          section(func(b *eventv1.BasicSheet) { b.Weapons[0].Hand = "tail" }),
		"sheet.basic.weapons[0].short_feet":    section(func(b *eventv1.BasicSheet) { b.Weapons[0].Kind = "bow" }),
		"sheet.basic.weapons[0].long_feet":     section(func(b *eventv1.BasicSheet) { b.Weapons[0].ShortFeet = 10 }),
		"sheet.basic.weapons[0].ammunition":    section(func(b *eventv1.BasicSheet) { b.Weapons[0].Ammunition = "arrows" }),
		"sheet.basic.weapons":                  section(func(b *eventv1.BasicSheet) { b.Shield, b.Weapons[0].TwoHanded = true, true }),
		"sheet.basic.routine[0]":               section(func(b *eventv1.BasicSheet) { b.Routine = []string{"claw"} }),
		"sheet.basic.spells[0].damage":         section(func(b *eventv1.BasicSheet) { b.Spells = []*eventv1.BasicSpell{{Name: "x", Damage: "much"}} }),
		"sheet.basic.spells[0].condition":      section(func(b *eventv1.BasicSheet) { b.Spells = []*eventv1.BasicSpell{{Name: "x", Condition: "asleep"}} }),
		"sheet.basic.weapons[0].reload_rounds": section(func(b *eventv1.BasicSheet) { b.Weapons[0].ReloadRounds = -1 }),
	} {
		v := System{}.CheckSheet(make1("a", "A", spoil))
		if len(v) != 1 || v[0].Field != field {
			t.Errorf("%s: %v", field, v)
		}
	}
	if v := (System{}).CheckSheet(&eventv1.Sheet{}); len(v) != 1 || v[0].Field != "sheet.basic" {
		t.Errorf("without a section: %v", v)
	}
}

// What is listed as illegal is refused for the reason listed.
func TestOptionsSayWhy(t *testing.T) {
	f := newTable(t).add([]int32{0, 5}, make1("a", "A"), make1("b", "B")).start(nil)
	options := func(id string) []*eventv1.Option { return System{}.Options(rules.Query{State: f.State, Creature: id}) }
	for _, o := range options("a") {
		if o.Action == "declare" != o.Legal && slices.Contains([]string{body.KindMove, body.KindMelee, body.KindDodge, body.KindHold, body.KindRun}, o.Item) {
			t.Errorf("%v while everybody declares", o)
		}
	}
	f.declare([]int{6, 1}, "a=melee-attack", "b=move")
	for _, o := range options("a") {
		switch {
		case o.Action == "attack" && (!o.Legal || !slices.Equal(o.Targets, []string{"b"})):
			t.Errorf("%v", o)
		case o.Action == "declare" && o.Rule != cite.TurnSequence:
			t.Errorf("%v", o)
		}
	}
	for _, o := range options("b") {
		if o.Legal || o.Reason == "" || !strings.HasPrefix(o.Rule, "basic.") {
			t.Errorf("before its number: %v", o)
		}
	}
	// Nothing is said of a creature whose sheet is not known.
	unknown := f.State.Creatures["b"]
	unknown.Sheet = nil
	if got := options("b"); got != nil {
		t.Errorf("got %v", got)
	}
}

// basic.attack.preloaded-crossbows
func TestPreloadedCrossbows(t *testing.T) {
	heavy := wields(&eventv1.BasicWeapon{Name: "crossbow", Damage: "1d8", Kind: "crossbow", ShortFeet: 60, MediumFeet: 120, LongFeet: 180, ReloadRounds: 2, Spares: 2})
	f := newTable(t).add(nil, make1("a", "A", heavy), make1("b", "B", hp(40))).start(nil)
	for range 3 {
		f.declare([]int{6, 1}, "a=ranged-attack", "b=move")
		f.Must(act("a", "shoot", "crossbow", "b"), 2)
		f.end("a", "b")
	}
	wantRefused(t, f.Try(act("a", "declare", body.KindRanged, "")), cite.AttackRateHeavyCrossbow)
	// basic.attack.rate-heavy-crossbow: two rounds of reloading
	for range 2 {
		f.declare([]int{6, 1}, "a=reload", "b=move")
		f.Must(act("a", "reload", "crossbow", ""))
		f.end("a", "b")
	}
	f.Must(act("a", "declare", body.KindRanged, ""))

	f = newTable(t, body.SetPreloaded+"=off").add(nil, make1("a", "A", heavy), make1("b", "B", hp(40))).start(nil)
	f.declare([]int{6, 1}, "a=ranged-attack", "b=move")
	f.Must(act("a", "shoot", "crossbow", "b"), 2)
	f.end("a", "b")
	wantRefused(t, f.Try(act("a", "declare", body.KindRanged, "")), cite.AttackRateHeavyCrossbow)
}
