package spark

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/declaring"
	"github.com/skaldrpg/skald/pkg/rules/spark/mending"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/types/known/structpb"
)

// What is read is in the table and what is in the table is read.
func TestWordsAreThoseThatAreRead(t *testing.T) {
	if err := (System{}).Validate(); err != nil {
		t.Fatal(err)
	}
	rulestest.Words(t, System{}, rulestest.Flat(t, os.DirFS(".")), nil)
	rulestest.Deeds(t, System{}, rulestest.Flat(t, os.DirFS(".")))
}

// The values of the table are the very lists of the code.
func TestWordsHaveTheValuesOfTheCode(t *testing.T) {
	v := System{}.Vocabulary()
	for _, c := range []struct {
		action, name string
		want         []string
	}{{declaring.KindBash, "material", rules.SortedKeys(body.Book.Hardness)}, {declaring.KindAttack, "bonus_class", body.FumbleClasses}} {
		got := slices.Sorted(slices.Values(v.Find(rules.PlaceParameter, c.action, c.name).Values))
		if want := slices.Sorted(slices.Values(c.want)); !slices.Equal(got, want) {
			t.Errorf("%s of %s: %v, want %v", c.name, c.action, got, want)
		}
	}
	for deed, name := range map[string]string{"rest": "ability", "restore": "ability"} {
		if got := v.Find(rules.PlaceDeed, deed, name).Values; !slices.Equal(got, body.Abilities) {
			t.Errorf("%s of %s: %v, want %v", name, deed, got, body.Abilities)
		}
	}
	if got := slices.Sorted(slices.Values(v.Find(rules.PlaceDeed, "rest", "place").Values)); !slices.Equal(got, rules.SortedKeys(body.Book.Places)) {
		t.Errorf("places: %v", got)
	}
	for _, key := range body.OfAttacks {
		if v.Find(rules.PlaceFact, declaring.KindAttack, key) == nil {
			t.Errorf("%s is no fact of an attack", key)
		}
	}
	kinds := append(rules.SortedKeys(mending.InjuryRules), body.InjuryBone, body.CondBleeding)
	for _, kind := range kinds {
		if v.Find(rules.PlaceInjury, "", kind) == nil {
			t.Errorf("%s is no injury of the table", kind)
		}
	}
	fleeting := System{}.OfTheFight()
	for place, names := range map[string][]string{rules.PlaceMark: fleeting.Marks, rules.PlaceCounter: fleeting.Counters, rules.PlaceCondition: fleeting.Conditions} {
		for _, name := range names {
			if strings.HasSuffix(name, ".") {
				name += "x"
			}
			if v.Find(place, "", name) == nil {
				t.Errorf("%s is no %s of the table", name, place)
			}
		}
	}
}

// An injury that medicine gives is one that may be brought into a fight.
func TestInjuriesOfTheRecordAreWords(t *testing.T) {
	for _, kind := range rules.SortedKeys(mending.InjuryRules) {
		f := newTable(t).add(fighter("ara", "party"))
		f.Medicine(&eventv1.Harm{Deed: body.DeedInjure, Target: "ara", Amount: 1, Facts: map[string]string{"kind": kind, "limb": "right"}})
		in := f.Creature("ara").Injuries
		g := newTable(t)
		g.Must(entering(&eventv1.Vitals{Injuries: in}))
		if len(in) != 1 || len(g.Creature("ara").Injuries) != 1 {
			t.Errorf("%s: %v", kind, in)
		}
	}
}

func entering(v *eventv1.Vitals) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: fighter("ara", "party"), Vitals: v}}}
}

// What no rule reads is refused with the field and what was meant; nothing is
// drawn and nothing is stored.
func TestUnknownWords(t *testing.T) {
	fight := func(t *testing.T) *table { return duel(t, mage) }
	empty := func(t *testing.T) *table { return newTable(t) }
	injury := func(in *eventv1.Injury) *eventv1.Command {
		return entering(&eventv1.Vitals{Injuries: []*eventv1.Injury{in}})
	}
	for _, c := range []struct {
		name         string
		at           func(*testing.T) *table
		cmd          *eventv1.Command
		field, words string
	}{
		{"a misspelt parameter", fight, act("ara", declaring.KindAttack, "sword", "orc", withParameters("snek", true)), "take.parameters.snek", "did you mean sneak?"},
		{"a misspelt action", fight, act("ara", "atack", "sword", "orc"), "take.action", "did you mean attack?"},
		{"a misspelt weapon", fight, act("ara", declaring.KindAttack, "swrd", "orc"), "take.item", "did you mean sword?"},
		{"a misspelt spell", fight, act("ara", declaring.KindCast, "fre", "orc"), "take.item", "did you mean fire?"},
		{"a misspelt bonus action", fight, act("ara", declaring.KindMove, "", "", withParameters("bonus", "gathr:bow")), "take.parameters.bonus", "did you mean gather?"},
		{"a misspelt material", fight, act("ara", declaring.KindBash, "", "", withParameters("object", "door", "material", "wod")), "take.parameters.material", "did you mean wood?"},
		{"the arrow that falls behind a walker", fight, act("ara", declaring.KindMove, "", "", withFacts("behind", []string{"orc"})), "take.facts.behind", "has no use for it"},
		{"who stands behind a caster", fight, act("ara", declaring.KindCast, "fire", "orc", withFacts("behind", []string{"orc"})), "take.facts.behind", "known are distance"},
		{"the road of a weapon beyond the compass", fight, act("ara", declaring.KindAttack, "sword", "orc", withFacts("direction", 9)), "take.facts.direction", "1 to 8"},
		{"a start with words", func(t *testing.T) *table { return newTable(t).add(fighter("ara", "party")) },
			&eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{Facts: object("surprised", true)}}}, "start.facts.surprised", "takes none"},
		{"a mark that means nothing", empty, entering(&eventv1.Vitals{Marks: map[string]string{"weapn.sword": body.Cracked}}), "add.vitals.marks[weapn.sword]", "known are"},
		{"a counter that means nothing", empty, entering(&eventv1.Vitals{Counters: map[string]int64{"man": 3}}), "add.vitals.counters[man]", "did you mean mana?"},
		{"missiles of no weapon", empty, entering(&eventv1.Vitals{Counters: map[string]int64{body.CAmmunition + "bwo": 3}}), "add.vitals.counters[ammunition.bwo]", "is not one of sword, bow"},
		{"a crack in no weapon", empty, entering(&eventv1.Vitals{Marks: map[string]string{body.MWeapon + "swrd": body.Cracked}}), "add.vitals.marks[weapon.swrd]", "did you mean sword?"},
		{"a drain of nothing", empty, entering(&eventv1.Vitals{Counters: map[string]int64{body.CDrained + "wisdm": 3}}), "add.vitals.counters[drained.wisdm]", "did you mean wisdom?"},
		{"a condition that means nothing", empty, entering(&eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: "pron"}}}), "add.vitals.conditions[0].name", "did you mean prone?"},
		{"a part that is a side", empty, injury(&eventv1.Injury{Kind: body.InjuryBone, Part: "right"}), "add.vitals.injuries[0].part", "give it as side"},
		{"a side that is a part", empty, injury(&eventv1.Injury{Kind: body.InjuryBone, Side: "leg"}), "add.vitals.injuries[0].side", "left, right"},
		{"a part of no body", empty, injury(&eventv1.Injury{Kind: body.InjuryBone, Part: "lag"}), "add.vitals.injuries[0].part", "did you mean leg?"},
		{"an injury that means nothing", empty, injury(&eventv1.Injury{Kind: "broken-nose"}), "add.vitals.injuries[0].kind", "known are"},
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

// What the rules do not know on a sheet is refused.
func TestUnknownOnASheet(t *testing.T) {
	for _, c := range []struct {
		name, field, words string
		change             func(*eventv1.Sheet)
	}{
		{"a size", "sheet.size", "did you mean large?", func(s *eventv1.Sheet) { s.Size = "larg" }},
		{"an ability", "sheet.abilities[wisdm]", "did you mean wisdom?", func(s *eventv1.Sheet) { s.Abilities = map[string]int32{"wisdm": 10} }},
		{"a speed", "sheet.speeds[wak]", "did you mean walk?", func(s *eventv1.Sheet) { s.Speeds["wak"] = 30 }},
		{"a material", "sheet.spark.weapons[0].material", "did you mean wood?", func(s *eventv1.Sheet) { s.GetSpark().Weapons[0].Material = "wod" }},
		{"a feat that does nothing", "sheet.spark.feats[0]", "does nothing", func(s *eventv1.Sheet) { s.GetSpark().Feats = []*eventv1.SparkFeat{{Name: "lunge"}} }},
		{"a kind of item", "sheet.spark.items[0].kind", "did you mean potion?", func(s *eventv1.Sheet) { s.GetSpark().Items = []*eventv1.SparkItem{{Name: "draught", Kind: "poton"}} }},
		{"none", "", "", func(s *eventv1.Sheet) { s.Speeds["fly"] = 60 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := fighter("ara", "party")
			c.change(s)
			list := rules.CheckSheet(System{}, s)
			found := slices.ContainsFunc(list, func(v fault.Violation) bool { return v.Field == c.field && strings.Contains(v.Description, c.words) })
			if c.field != "" && !found || c.field == "" && len(list) > 0 {
				t.Errorf("%v, want %s with %q", list, c.field, c.words)
			}
		})
	}
}

// spark.action.move: one without a place on the map says how far it goes.
func TestFeetOfAMove(t *testing.T) {
	f := newTable(t).add(fighter("ara", "party"), fighter("orc", "monsters")).start()
	wantRefused(t, f.Try(act("ara", declaring.KindMove, "", "", withParameters("feet", 35))), cite.ActionMove)
	f.Must(act("ara", declaring.KindMove, "", "", withParameters("feet", 30)))
	if d := declaring.DeclarationOf(nil, f.Creature("ara"), body.BegunDeclared); d.Feet != 30 {
		t.Fatalf("%d feet, want 30", d.Feet)
	}
}

// What is of the world is the game master's to say, however it is given.
func TestMattersOfTheWorld(t *testing.T) {
	v := System{}.Vocabulary()
	for _, w := range v.Words {
		if w.Place == rules.PlaceDeed {
			actor := slices.Contains([]string{"kind", "dice", "ability", "injury"}, w.Name)
			if (w.Matter == rules.MatterActor) != actor {
				t.Errorf("%s of %v is a matter of %s", w.Name, w.Actions, w.Matter)
			}
			continue
		}
		world := w.Place != rules.PlaceParameter || slices.Contains([]string{"sneak", "strength_check", "dc", "material", "enchantment"}, w.Name)
		if got := w.Matter == rules.MatterWorld; got != world {
			t.Errorf("%s %s is a matter of %s", w.Place, w.Name, w.Matter)
		}
	}
}

// A deed on several patients is refused before a die falls for any of them.
//
// spark.healing.heal-skill, spark.rest.hit-dice-once, spark.fumble.alt-loose-string
func TestDeedsAreRefusedBeforeTheDice(t *testing.T) {
	for _, c := range []struct {
		deed, item, words string
		p                 *structpb.Struct
	}{
		{"set-bone", "", "no broken bone", nil},
		{"stop-bleeding", "", "does not bleed", nil},
		{"restring", "bow", "needs no string", nil},
		{"rest", "", "hit dice asked for", object("kind", "short", "dice", 2.0)},
		{"rest", "", "has no use for it", object("kind", "long", "dice", 2.0)},
		{"rest", "", "did you mean dungeon?", object("kind", "long", "place", "dungon")},
		{"harm", "", "did you mean amount?", object("amont", 2.0)},
		{"harm", "", "amount: must be a whole number from 0", object("type", "fire")},
		{"heal", "", "amount: must be a whole number from 0", object("natural", true)},
		{"harm", "", "known are amount, type", object("amount", 2.0, "hours", 2.0)},
		{"set", "", "must be text for a mark", object("mark", body.MString+"bow", "value", 2.0)},
		{"set", "", "must be a whole number for a counter", object("counter", body.CMana, "value", "2")},
		{"restore", "", "did you mean wisdom?", object("ability", "wisdm", "points", 1.0)},
		{"set", "", "did you mean mana?", object("counter", "man", "value", 2.0)},
		{"set", "", "is not one of", object("mark", "wepon.sword", "value", body.Cracked)},
		{"repair", "swrd", "did you mean sword?", nil},
	} {
		t.Run(c.deed+" "+c.words, func(t *testing.T) {
			f := newTable(t).add(fighter("ara", "party"), fighter("wen", "party"))
			f.Put("ara", &eventv1.Vitals{Marks: map[string]string{body.MString + "bow": body.Loose}, Conditions: []*eventv1.Condition{{Name: body.CondBleeding}},
				Injuries: []*eventv1.Injury{{Kind: body.InjuryBone, Part: "leg", Values: map[string]int32{"set": 0}}}})
			f.Put("wen", &eventv1.Vitals{Counters: map[string]int64{body.CHitDice + "8": 1}})
			f.Roller = func(int) int { t.Fatal("a die fell"); return 0 }
			err := f.TryTend(&eventv1.PatientCommand{Deed: c.deed, Item: c.item, Patients: []string{"ara", "wen"}, Parameters: c.p})
			if err == nil || !strings.Contains(err.Error(), c.words) {
				t.Errorf("%v, want %q", err, c.words)
			}
		})
	}
}

// spark.rest.hit-dice-once: one has as many hit dice as levels, of the size that the sheet
// names, and comes with all of them.
func TestHitDiceOfOneWhoComes(t *testing.T) {
	for _, c := range []struct{ level, size int32 }{{1, 6}, {3, 8}, {7, 10}} {
		f := newTable(t).add(fighter("ara", "party", func(s *eventv1.SparkSheet) { s.Level, s.HitDie = c.level, c.size }))
		if got := f.Creature("ara").Counters[body.CHitDice+body.Itoa(c.size)]; got != int64(c.level) {
			t.Errorf("level %d: %d hit dice of %d", c.level, got, c.size)
		}
	}
}

// Harm between fights takes off what it says, and nothing beyond.
func TestHarmBetweenFights(t *testing.T) {
	f := newTable(t).add(fighter("ara", "party"))
	f.Tend(&eventv1.PatientCommand{Deed: "harm", Patients: []string{"ara"}, Parameters: object("amount", 4.0, "type", "fire")})
	f.WantHP("ara", 26)
	f.Tend(&eventv1.PatientCommand{Deed: "harm", Patients: []string{"ara"}, Parameters: object("amount", 0.0)})
	f.WantHP("ara", 26)
	f.Tend(&eventv1.PatientCommand{Deed: "heal", Patients: []string{"ara"}, Parameters: object("amount", 3.0)})
	f.WantHP("ara", 29)
}

// Nobody hides in this system: where a creature stands is plain to all.
func TestPlacesArePlain(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party"))
	if got := (System{}).Audience(f.State, rules.FactPosition, "", "ara"); got.GetKind() != event.Everyone().GetKind() {
		t.Errorf("told to %v", got)
	}
}
