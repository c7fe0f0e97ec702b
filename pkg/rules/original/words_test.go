package original

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/catalogue"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	"github.com/skaldrpg/skald/pkg/rules/original/moving"
	thestrike "github.com/skaldrpg/skald/pkg/rules/original/strike"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/types/known/structpb"
)

// What is read is in the table and what is in the table is read.
func TestWordsAreThoseThatAreRead(t *testing.T) {
	if err := (System{}).Validate(); err != nil {
		t.Fatal(err)
	}
	rulestest.Words(t, System{}, rulestest.Flat(t, os.DirFS(".")), nil)
	rulestest.Deeds(t, System{}, rulestest.Flat(t, os.DirFS(".")), "hit_points", "turns", "amount")
}

// The values of the table are the very lists of the code.
func TestWordsHaveTheValuesOfTheCode(t *testing.T) {
	v := System{}.Vocabulary()
	if got := v.Find(rules.PlaceParameter, "slip-away", "way").Values; !slices.Equal(got, moving.Ways) {
		t.Errorf("ways: %v, want %v", got, moving.Ways)
	}
	// Every reaction of the table, of animals and of minds, and no other.
	all := []string{unknown}
	claws := arms(&eventv1.OriginalWeapon{Name: "claws", Kind: "natural"})
	for _, settings := range [][]string{nil, {body.SetMindLabels + "=off", body.SetAnimalLabels + "=off"}} {
		f := newTable(t, settings...).add(one("orc", "orcs", group("orcs")), one("bear", "bears", group("bears"), claws))
		for _, g := range []string{"orcs", "bears"} {
			all = append(all, reactionWords(nil, f.State, g)...)
		}
	}
	slices.Sort(all)
	got := slices.Sorted(slices.Values(v.Find(rules.PlaceParameter, "reaction", "reaction").Values))
	if want := slices.Compact(all); !slices.Equal(got, want) {
		t.Errorf("reactions: %v, want %v", got, want)
	}
	for _, name := range []string{body.CondHasted, body.CondPinned, body.CondStruggling, body.CondStunned, body.CondProne, body.CondHeld, body.CondRouted, body.CondSurrendered, body.CondSpecial + "swallowed"} {
		if !knownCondition(name) {
			t.Errorf("%s is no condition of the table", name)
		}
	}
	// Every row of situations, and every condition, cites a rule of the catalogue.
	cited := thestrike.Book.Situations.Rules()
	for _, d := range thestrike.ConditionBook.All() {
		cited = append(cited, d.Rule)
	}
	for _, id := range cited {
		if _, known := catalogue.Lookup(catalogue.RuleID(id)); !known {
			t.Errorf("%s is no rule", id)
		}
	}
	fleeting := System{}.OfTheFight()
	for _, c := range []struct {
		place string
		names []string
	}{{rules.PlaceCounter, fleeting.Counters}, {rules.PlaceMark, fleeting.Marks}, {rules.PlaceCondition, fleeting.Conditions},
		{rules.PlaceBegun, []string{body.BegunSet, body.BegunPreparing}}, {rules.PlaceRelation, []string{body.RelEngaged, body.RelApart, body.RelMet, body.RelAmbushed, body.RelFlanks, body.RelPursues, body.RelAttacks,
			body.RelHolds, body.RelShield, body.RelDisturbed, body.RelSubdues}}} {
		for _, name := range c.names {
			if strings.HasSuffix(name, ".") {
				name += "x"
			}
			if v.Find(c.place, "", name) == nil {
				t.Errorf("%s is no %s of the table", name, c.place)
			}
		}
	}
}

func startWith(facts *structpb.Struct) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{Facts: facts}}}
}

func addWith(s *eventv1.Sheet, v *eventv1.Vitals) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: s, Vitals: v}}}
}

// What no rule reads is refused with the field and what was meant; nothing is
// drawn and nothing is stored.
func TestUnknownWords(t *testing.T) {
	fight := func(t *testing.T) *table {
		return newTable(t, body.SetShortcut+"=on").at(0, one("a", "party", class("fighter", 3))).at(5, one("orc", "orcs")).start(nil, 6, 1)
	}
	plain := func(t *testing.T) *table {
		return newTable(t).at(0, one("a", "party")).at(5, one("orc", "orcs")).start(nil, 6, 1)
	}
	field := func(t *testing.T) *table { return newTable(t).add(one("a", "party"), one("orc", "orcs")) }
	empty := func(t *testing.T) *table { return newTable(t) }
	rolled := with(func(o *eventv1.OriginalSheet) { o.RollHitPoints = true })
	hp := func(n int32) *int32 { return &n }
	for _, c := range []struct {
		name  string
		at    func(*testing.T) *table
		cmd   *eventv1.Command
		field string
		words string
	}{
		{"a lethal blow by a slip", fight, act("a", "attack", "sword", "orc", withParameters("subdue", "yes")), "take.parameters.subdue", "true or false"},
		{"a misspelt parameter", fight, act("a", "attack", "sword", "orc", withParameters("subdu", true)), "take.parameters.subdu", "did you mean subdue?"},
		{"a misspelt fact", fight, act("a", "attack", "sword", "orc", withFacts("covr", 50)), "take.facts.covr", "did you mean cover?"},
		{"a misspelt value", fight, act("a", "attack", "sword", "orc", withFacts("position", "behnid")), "take.facts.position", "did you mean behind?"},
		{"cover below none", fight, act("a", "attack", "sword", "orc", withFacts("cover", -50)), "take.facts.cover", "0 to 100"},
		{"cover where nothing is struck", fight, act("a", "parry", "", "", withFacts("cover", 50)), "take.facts.cover", "takes none"},
		{"the reach of a counted kill", fight, act("a", "shortcut", "", "orc", withFacts("in_reach", true)), "take.facts.in_reach", "known are"},
		{"a backstab to subdue", fight, act("a", "backstab", "sword", "orc", withParameters("subdue", true)), "take.parameters.subdue", "known are"},
		{"a misspelt action", fight, act("a", "atack", "sword", "orc"), "take.action", "did you mean attack?"},
		{"a misspelt weapon", fight, act("a", "attack", "swrd", "orc"), "take.item", "did you mean sword?"},
		{"a misspelt second weapon", plain, act("a", "florentine", "sword", "", withParameters("other", "swrd")), "take.parameters.other", "did you mean sword?"},
		{"a misspelt start", field, startWith(object("surprized", []string{"party"})), "start.facts.surprized", "did you mean surprised?"},
		{"a side that is not there", field, startWith(object("surprised", []string{"prty"})), "start.facts.surprised[0]", "did you mean party?"},
		{"a face of a side that is not there", field, startWith(object("surprises_on", map[string]any{"orc": 3})), "start.facts.surprises_on.orc", "did you mean orcs?"},
		{"a face beyond the die", field, startWith(object("surprised_on", map[string]any{"orcs": 7})), "start.facts.surprised_on.orcs", "from 0 to 6"},
		{"a word of joining", empty, &eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: one("a", "party"), Facts: object("surprised", true)}}},
			"add.facts.surprised", "takes none"},
		{"a mark that means nothing", empty, addWith(one("a", "party"), &eventv1.Vitals{Marks: map[string]string{"norml-type": "true"}}), "add.vitals.marks[norml-type]", "did you mean normal-type?"},
		{"a condition of another fight", empty, addWith(one("a", "party"), &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondCharging}}}), "add.vitals.conditions[0]", "within a fight"},
		{"a relation of another fight", field, addWith(one("b", "party"), &eventv1.Vitals{Relations: []*eventv1.Relation{{Kind: body.RelHolds, To: "orc"}}}), "add.vitals.relations[0]", "within a fight"},
		{"a counter of another fight", empty, addWith(one("a", "party"), &eventv1.Vitals{Counters: map[string]int64{body.CMoved: 10}}), "add.vitals.counters[moved]", "within a fight"},
		{"uses of no spell", empty, addWith(one("a", "party"), &eventv1.Vitals{Counters: map[string]int64{body.CLeft + "bolt": 1}}), "add.vitals.counters[left.bolt]", "is not one of"},
		{"a condition that means nothing", empty, addWith(one("a", "party"), &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: "stuned"}}}), "add.vitals.conditions[0].name", "did you mean stunned?"},
		{"an injury", empty, addWith(one("a", "party"), &eventv1.Vitals{Injuries: []*eventv1.Injury{{Kind: "broken", Part: "right"}}}), "add.vitals.injuries[0].kind", "takes none"},
		{"more points than there are", empty, addWith(one("a", "party"), &eventv1.Vitals{Hp: hp(21)}), "add.vitals.hp", "above the maximum of 20"},
		{"a counter out of range where points are rolled", empty, addWith(one("orc", "orcs", rolled), &eventv1.Vitals{Counters: map[string]int64{body.CTemporary: 1 << 40}}), "add.vitals.counters[nonlethal]", "out of range"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := c.at(t)
			f.Roller = func(int) int { t.Fatal("a die fell"); return 0 }
			err := f.Try(c.cmd)
			if err == nil || !strings.Contains(err.Error(), c.field) || !strings.Contains(err.Error(), c.words) {
				t.Errorf("refused by %v, want %s with %q", err, c.field, c.words)
			}
		})
	}
}

// original.injury.normal-man-hit-points: what is above the points that are
// rolled is known only when the dice lie, and no reason to refuse them then.
func TestPointsAboveThoseRolled(t *testing.T) {
	f, hp := newTable(t), int32(20)
	f.Must(addWith(one("orc", "orcs", with(func(o *eventv1.OriginalSheet) { o.RollHitPoints = true })), &eventv1.Vitals{Hp: &hp}), 4)
	if c := f.Creature("orc"); c.GetHp() != 4 || c.GetHpMax() != 4 {
		t.Fatalf("%d of %d, the die shows 4", c.GetHp(), c.GetHpMax())
	}
}

// What the rules do not know on a sheet is refused.
func TestUnknownOnASheet(t *testing.T) {
	for _, c := range []struct {
		name, field, words string
		change             func(*eventv1.Sheet)
	}{
		{"a class", "sheet.original.class", "did you mean fighter?", class("figther", 1)},
		{"a race by another letter", "sheet.original.race", "did you mean elf?", with(func(o *eventv1.OriginalSheet) { o.Race = "Elf" })},
		{"a special effect", "sheet.original.special_effect", "did you mean prone?", with(func(o *eventv1.OriginalSheet) { o.SpecialFace, o.SpecialEffect = 20, "pron" })},
		{"a weapon's kind", "sheet.original.weapons[0].kind", "did you mean dagger?", arms(&eventv1.OriginalWeapon{Name: "d", Kind: "daggr"})},
		{"a size", "sheet.size", "did you mean large?", func(s *eventv1.Sheet) { s.Size = "larg" }},
		{"an ability", "sheet.abilities[strenght]", "did you mean strength?", ability("strenght", 16)},
		{"a speed", "sheet.speeds[wak]", "did you mean walk?", func(s *eventv1.Sheet) { s.Speeds["wak"] = 30 }},
		{"a race of no rule", "", "", with(func(o *eventv1.OriginalSheet) { o.Race = "gnoll" })},
		{"a special effect of the game master's", "", "", with(func(o *eventv1.OriginalSheet) { o.SpecialFace, o.SpecialEffect = 20, body.CondSpecial+"swallowed" })},
	} {
		t.Run(c.name, func(t *testing.T) {
			list := rules.CheckSheet(System{}, one("a", "party", c.change))
			found := slices.ContainsFunc(list, func(v fault.Violation) bool { return v.Field == c.field && strings.Contains(v.Description, c.words) })
			if c.field != "" && !found || c.field == "" && len(list) > 0 {
				t.Errorf("%v, want %s with %q", list, c.field, c.words)
			}
		})
	}
}

// original.grapple.to-hit: another's creature grapples too only if it will;
// those of one player go by that player's word.
func TestOthersJoinAGrappleThemselves(t *testing.T) {
	field := func(t *testing.T) *table {
		shared := func(s *eventv1.Sheet) { s.Controllers = []string{"kim"} }
		return newTable(t, body.SetPartyDie+"=on").at(0, one("a", "party", shared)).at(3, one("b", "party", shared)).at(4, one("c", "party")).
			at(5, one("orc", "orcs", points(50))).start(nil, 6, 1)
	}
	with := act("a", "grapple", "", "orc", withParameters("with", []string{"b", "c"}))
	for answer, want := range map[string]struct {
		spent int64
		faces []int
	}{"no": {0, []int{2, 2}}, "yes": {1, []int{2, 2, 2}}} {
		t.Run(answer, func(t *testing.T) {
			f := field(t)
			f.Must(with)
			if len(f.Decisions) != 1 || f.Decisions[0].Name != body.DecJoin || f.Decisions[0].Creature != "c" || f.Decisions[0].GmOnly {
				t.Fatalf("asked: %v", f.Decisions)
			}
			f.Choose(answer, want.faces...)
			if got := f.Creature("c").Counters[body.CAttacks]; got != want.spent || f.Creature("b").Counters[body.CAttacks] != 1 {
				t.Fatalf("c spent %d, b %d", got, f.Creature("b").Counters[body.CAttacks])
			}
		})
	}
}

// What monsters make of the party the game master says.
func TestCallsOfTheGameMaster(t *testing.T) {
	f, err := frame()
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range f.IDs() {
		want := id != "reaction" && id != "check-morale"
		if got := rules.MayCall(System{}, rulestest.Player("kim"), id); got != want {
			t.Errorf("%s by a player: %v", id, got)
		}
	}
}

// Nobody hides in this system: where a creature stands is plain to all.
func TestPlacesArePlain(t *testing.T) {
	f := newTable(t).at(0, one("a", "party"))
	if got := (System{}).Audience(f.State, rules.FactPosition, "", "a"); got.GetKind() != event.Everyone().GetKind() {
		t.Errorf("told to %v", got)
	}
}

// A deed between fights takes what it knows: a slip in the type of damage would
// kill instead of knocking out.
func TestUnknownWordsOfDeeds(t *testing.T) {
	for _, c := range []struct {
		deed, field string
		p           *structpb.Struct
	}{
		{"harm", "command.patient.parameters.type", object("amount", 5, "type", "temporry")},
		{"harm", "command.patient.parameters.amout", object("amout", 5)},
		{"heal", "command.patient.parameters.type", object("amount", 5, "type", "temporary")},
		{"rest", "command.patient.parameters.hours", object("turns", 1, "hours", 2)},
	} {
		f := newTable(t).add(one("a", "party"))
		cmd := &eventv1.PatientCommand{Deed: c.deed, Patients: []string{"a"}, Parameters: c.p}
		if err := f.TryTend(cmd); err == nil || !strings.Contains(err.Error(), c.field) {
			t.Errorf("%s: %v", c.deed, err)
		}
	}
}
