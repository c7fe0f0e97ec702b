package rcr

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/srd5e"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	"github.com/skaldrpg/skald/pkg/rules/rcr/injuries"
	"github.com/skaldrpg/skald/pkg/rules/rcr/magic"
	"github.com/skaldrpg/skald/pkg/rules/rcr/movement"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// sources are the files of the rules.
func sources(t *testing.T) map[string]string {
	t.Helper()
	flat := rulestest.Flat(t, os.DirFS("."))
	entries, err := fs.ReadDir(flat, ".")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, e := range entries {
		if name := e.Name(); strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			data, err := fs.ReadFile(flat, name)
			if err != nil {
				t.Fatal(err)
			}
			out[name] = string(data)
		}
	}
	return out
}

// computed are the keys that the rules read by a name that they compute, by the
// expression of the name.
var computed = map[string][]string{
	"key":             {"difficult", "dangerous", "overlap", "cover", "advantage", "disadvantage"},
	"f.key":           {"leaves_reach_of", "enters_reach_of", "enters_space_of", "threatened_by"},
	"w.Parameter":     {"scar_die", "side", "wound"},
	"way":             nil, // within "opportunity"
	"factCovers":      {body.FactCovers},
	"id":              nil, // within "covers"
	"factOpportunity": {body.FactOpportunity},
	"diceKey":         {"dice", "healing"},
	"flightWord":      {"climb", "descend", "vertical", "heading", "turns", "aloft"},
	"weatherWord":     {"wind", "ground", "narrowest", "wind_way", "precipitation"},
}

// Every word that the rules read is one of the table, and every one of the table
// is read.
func TestWordsAreRead(t *testing.T) {
	v := System{}.Vocabulary()
	said := map[string]bool{}
	for _, w := range v.Words {
		if slices.Contains([]string{rules.PlaceParameter, rules.PlaceFact, rules.PlaceJoin, rules.PlaceStart, rules.PlaceDeed}, w.Place) {
			said[w.Name] = true
		}
	}
	read := map[string]bool{"path": true} // TakeAction.path
	note := func(file string, e ast.Expr, text string) {
		if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			word, _ := strconv.Unquote(lit.Value)
			read[word] = true
			if !said[word] {
				t.Errorf("%s reads %q, which is no word", file, word)
			}
			return
		}
		words, ok := computed[text]
		if !ok {
			t.Errorf("%s reads %s: say in this test what that may be", file, text)
		}
		for _, word := range words {
			read[word] = true
			if !said[word] {
				t.Errorf("%s reads %q, which is no word", file, word)
			}
		}
	}
	for name, text := range sources(t) {
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, text, 0)
		if err != nil {
			t.Fatal(err)
		}
		src := func(e ast.Expr) string { return text[e.Pos()-file.FileStart : e.End()-file.FileStart] }
		ast.Inspect(file, func(n ast.Node) bool {
			switch x := n.(type) {
			case *ast.CallExpr:
				f := src(x.Fun)
				switch {
				case regexp.MustCompile(`^spoken\.(Word|Truth|Number|Words)$`).MatchString(f) && len(x.Args) == 2, f == "renamed":
					note(name, x.Args[1], src(x.Args[1]))
				case f == "statedIDs":
					note(name, x.Args[1], src(x.Args[1]))
				}
			case *ast.IndexExpr: // Fields["x"]
				over := src(x.X)
				if (strings.HasSuffix(over, "GetFacts().GetFields()") || strings.HasSuffix(over, "GetParameters().GetFields()") || over == "fields") && src(x.Index) != "key" {
					note(name, x.Index, src(x.Index))
				}
			}
			return true
		})
	}
	for word := range said {
		if !read[word] && !slices.Contains([]string{"rarity", "magical", "silvered", "adamantine"}, word) {
			t.Errorf("%q is a word, and nothing reads it", word)
		}
	}
}

// The words of deeds are those that the deeds read.
func TestWordsOfDeeds(t *testing.T) {
	rulestest.Deeds(t, System{}, rulestest.Flat(t, os.DirFS(".")), "scar_die", "side", "wound", "magical", "silvered", "adamantine", "trap",
		"advantage", "disadvantage", "rarity")
}

// The values of the table are those that the rules know.
func TestWordsHaveTheRulesValues(t *testing.T) {
	v := System{}.Vocabulary()
	var purposes, first []string
	for _, u := range checks.Uses {
		if u.Id != "hide" {
			purposes = append(purposes, u.Id)
		}
	}
	f := newTable(t).add(shipped(t, "wizard", "a"), fighter("b", "monsters")).start(nil, 20, 5)
	a := f.Creature("a")
	a.Sheet.GetRcr().Items = []*eventv1.RcrItem{{Name: "wand"}}
	a.Sheet.GetRcr().Powers = []*eventv1.RcrPower{{Name: "glare"}}
	for _, x := range magic.Readiables(f.State, a) {
		if !slices.Contains(first, x.What) {
			first = append(first, x.What)
		}
	}
	for _, c := range []struct {
		place, action, name string
		want                []string
	}{
		{rules.PlaceParameter, "move", "mode", body.Modes},
		{rules.PlaceParameter, "called-save", "ability", body.Abilities},
		{rules.PlaceParameter, "called-save", "against", body.SavePurposes},
		{rules.PlaceParameter, "cast", "ends", magic.Restores},
		{rules.PlaceParameter, "spend-inspiration", "for", body.Inspirable},
		{rules.PlaceParameter, "check", "use", purposes},
		{rules.PlaceParameter, "ready", "action", first},
		{rules.PlaceParameter, "called-save", "damage_type", body.DamageTypes},
		{rules.PlaceFact, "attack", "light", []string{body.LightSun, body.LightBright, body.LightDim, body.LightDark}},
		{rules.PlaceFact, "attack", "cover", []string{"none", body.CoverHalf, body.CoverThreeQuarters, body.CoverTotal}},
		{rules.PlaceFact, "move", "terrain_damage", body.DamageTypes},
		{rules.PlaceDeed, "treat", "via", []string{injuries.ViaSpell, injuries.ViaAbility, injuries.ViaItem, injuries.ViaKit, injuries.ViaHands}},
		{rules.PlaceDeed, "treat", "rarity", body.Rarities},
		{rules.PlaceDeed, "harm", "type", body.DamageTypes},
		{rules.PlaceDeed, "harm", "grade", []string{checks.GradeMinor, checks.GradeMajor}},
		{rules.PlaceInjury, "", body.InjuryLost, body.Book.Limbs},
		{rules.PlaceCondition, "", body.CondParalyzed, body.Variants},
	} {
		got := slices.Sorted(slices.Values(v.Find(c.place, c.action, c.name).Values))
		if want := slices.Sorted(slices.Values(c.want)); !slices.Equal(got, want) {
			t.Errorf("%s of %s takes %v, the rules know %v", c.name, c.action, got, want)
		}
	}
	if w := v.Find(rules.PlaceParameter, "fall", "feet"); w.Most != movement.MaxFall {
		t.Errorf("a fall of at most %d, want %d", w.Most, movement.MaxFall)
	}
	for place, names := range map[string][]string{rules.PlaceCounter: body.OfTheFight().Counters, rules.PlaceMark: body.OfTheFight().Marks, rules.PlaceCondition: body.OfTheFight().Conditions} {
		for _, name := range names {
			if v.Find(place, "", name) == nil {
				t.Errorf("%s %q is of the fight, and no word", place, name)
			}
		}
	}
	// Counters, marks and conditions of the sources are words: c..., m... and cond...
	constant := regexp.MustCompile(`(?m)^\t(?:const )?(c|m|cond|rel|begun)[A-Z]\w* +(?:string )?= "([^"]*)"`)
	ours := map[string]string{"c": rules.PlaceCounter, "m": rules.PlaceMark, "cond": rules.PlaceCondition, "rel": rules.PlaceRelation, "begun": rules.PlaceBegun}
	encounters := []string{body.CRunning, dice.CTimeDice, body.CDeath, body.CBlock, mLeaving,
		body.CSurface, body.CDepth, body.MClarity, body.MSunlight, body.MLit}
	found := 0
	for name, text := range sources(t) {
		for _, m := range constant.FindAllStringSubmatch(text, -1) {
			found++
			if place := ours[m[1]]; v.Find(place, "", strings.TrimSuffix(m[2], ".")) == nil && v.Find(place, "", m[2]+"x") == nil && !slices.Contains(encounters, m[2]) {
				t.Errorf("%s: %s %q is no word", name, place, m[2])
			}
		}
	}
	if found < 60 {
		t.Errorf("only %d names found", found)
	}
}

// The kinds of sources that may be renamed are those that the rules give.
//
// rcr.dice.same-kind-no-stack
func TestEdgeKinds(t *testing.T) {
	given := regexp.MustCompile(`(?:adv|dis|against)\("([^"]+)"`)
	for name, text := range sources(t) {
		for _, m := range given.FindAllStringSubmatch(text, -1) {
			if !slices.Contains(body.EdgeKinds, m[1]) {
				t.Errorf("%s gives the kind %q, which is not in the list", name, m[1])
			}
		}
	}
}

// Unknown words and values are refused by the field, with those that are known.
func TestUnknownWords(t *testing.T) {
	f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 20, 5)
	f.Resolve(func(r *rules.Resolution) error {
		r.Begin("a", &eventv1.Begun{Kind: body.BegunReadied, Action: &eventv1.TakeAction{Creature: "a", Action: "dash"}, Words: "b comes"})
		return nil
	})
	edit := func(v *eventv1.Vitals) *eventv1.Command {
		return &eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "a", Vitals: v}}}
	}
	for _, c := range []struct {
		name, field, says string
		cmd               *eventv1.Command
	}{
		{"a fact", "take.facts.covr", "did you mean cover", act("a", "attack", "sword", "b", withFacts("covr", "total"))},
		{"rcr.base.half-cover: a value", "take.facts.cover", "is not one of none, half", act("a", "called-save", "", "", withParameters("ability", "dexterity", "dc", 10), withFacts("cover", "hlaf"))},
		{"a fact of other actions", "take.facts.cover", "threatened_by", act("a", "stand", "", "", withFacts("cover", "half"))},
		{"a truth in words", "take.parameters.inspiration", "true or false", act("a", "attack", "sword", "b", withParameters("inspiration", "yes"))},
		{"a number in words", "take.facts.distance", "whole number", act("a", "attack", "sword", "b", withFacts("distance", "5"))},
		{"a parameter", "take.parameters.weapon", "known are", act("a", "attack", "sword", "b", withParameters("weapon", "bow"))},
		{"a kind", "take.facts.kinds.pron/attacker", "did you mean prone/attacker", act("a", "attack", "sword", "b", withFacts("kinds", map[string]any{"pron/attacker": "tangled"}))},
		{"what a kind counts as", "take.facts.kinds.prone/attacker", "counts under", act("a", "attack", "sword", "b", withFacts("kinds", map[string]any{"prone/attacker": 3}))},
		{"what the action readied does not take", "take.parameters.mode", "dash", act("a", "use-ready", "", "", withParameters("mode", "fly"))},
		{"a counter", "edit.vitals.counters[wound]", "did you mean wounds", edit(&eventv1.Vitals{Counters: map[string]int64{"wound": 1}})},
		{"a mark", "edit.vitals.marks[inspirred]", "did you mean inspired", edit(&eventv1.Vitals{Marks: map[string]string{"inspirred": "yes"}})},
		{"a condition", "edit.vitals.conditions[0].name", "did you mean prone", edit(&eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: "pronne"}}})},
		{"what a condition changes", "vitals.conditions[blessed].values[atack.d4]", "no roll", edit(&eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: "blessed", Values: map[string]int32{"atack.d4": 1}}}})},
		{"dice of nothing", "vitals.conditions[blessed].values[damage.fire.banana]", "no roll", edit(&eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: "blessed", Values: map[string]int32{"damage.fire.banana": 1}}}})},
		{"rcr.injury.row5-severed-limb: a side for a part", "edit.vitals.injuries[0].part", "give it as side", edit(&eventv1.Vitals{Injuries: []*eventv1.Injury{{Kind: body.InjuryLost, Part: "right"}}})},
		{"a side", "edit.vitals.injuries[0].side", "left", edit(&eventv1.Vitals{Injuries: []*eventv1.Injury{{Kind: body.InjuryLost, Part: "arm", Side: "upper"}}})},
		{"an item", "take.item", "did you mean sword", act("a", "attack", "swrd", "b")},
		{"dice that may divide by nothing", "take.parameters.extra_damage", "divide", act("a", "attack", "sword", "b", withParameters("extra_damage", "6/(1d6-1)"))},
		{"dice that a critical hit cannot roll", "take.parameters.extra_damage", "2000", act("a", "attack", "sword", "b", withParameters("extra_damage", "1500d6"))},
	} {
		t.Run(c.name, func(t *testing.T) { wantField(t, f.Peek(c.cmd), c.field, c.says) })
	}
	g := newTable(t).add(fighter("a", "party"), fighter("b", "monsters"))
	wantField(t, g.Peek(&eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{Facts: object("surprized", []string{"a"})}}}),
		"start.facts.surprized", "did you mean surprised")
	wantField(t, g.Peek(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: fighter("c", "party"), Facts: object("surprised", "yes")}}}),
		"add.facts.surprised", "true or false")
}

// wantField holds that an error names a field and says something.
func wantField(t *testing.T, err error, field, says string) {
	t.Helper()
	f, ok := fault.As(err)
	if !ok || !slices.ContainsFunc(f.Violations, func(v fault.Violation) bool { return v.Field == field && strings.Contains(v.Description, says) }) {
		t.Fatalf("%v, want %s: ...%s...", err, field, says)
	}
}

// What deeds between fights do not take is refused, and nobody is refused once
// another has rolled.
func TestTendWords(t *testing.T) {
	f := medTable(t, bodied("a", 20, 40), 10, 2).add(medic(), bodied("c", 20, 40))
	for _, c := range []struct {
		field, says string
		cmd         *eventv1.PatientCommand
	}{
		{"command.patient.parameters.amont", "did you mean amount", patientDeed("harm", "", []string{"a"}, "", "amont", 3)},
		{"command.patient.parameters.critical", "true or false", patientDeed("harm", "", []string{"a"}, "", "amount", 3, "critical", "yes")},
		{"command.patient.parameters.type", "did you mean fire", patientDeed("harm", "", []string{"a"}, "", "amount", 3, "type", "fir")},
		{"command.patient.parameters.mark", "did you mean inspired", patientDeed("set-mark", "", []string{"a"}, "", "mark", "inspirred", "value", "x")},
		{"command.patient.parameters.hours", "whole number", patientDeed("pass-time", "", []string{"a"}, "", "hours", 1.5)},
		{"command.patient.parameters.slot", "0 to 9", patientDeed("treat", "cure wounds", []string{"a"}, "b", "slot", 10)},
		{"command.patient.parameters.dice", "no hit dice", patientDeed("long-rest", "", []string{"a"}, "", "dice", 1)},
		{"command.patient.parameters.dice[0]", "size of a hit die", patientDeed("short-rest", "", []string{"a"}, "", "dice", []any{"d8"})},
		{"command.patient.parameters.dice.z", "not one of the patients", patientDeed("short-rest", "", []string{"a"}, "", "dice", map[string]any{"z": 1})},
		{"command.patient.item", "did you mean cure wounds", patientDeed("treat", "cure wound", []string{"a"}, "b")},
	} {
		wantField(t, f.TryTend(c.cmd), c.field, c.says)
	}
	for name, cmd := range map[string]*eventv1.PatientCommand{
		"rcr.healing.kit-wound: the second has no wounds":             patientDeed("treat", "", []string{"a", "c"}, "b"),
		"rcr.rest.short-rest-wounds: the second has no die of a size": patientDeed("short-rest", "", []string{"a", "c"}, "", "dice", map[string]any{"a": []any{8}, "c": []any{12}}),
	} {
		rolled := false
		f.Roller = func(int) int { rolled = true; return 1 }
		if err := f.TryTend(cmd); err == nil || rolled {
			t.Errorf("%s: %v, rolled %v", name, err, rolled)
		}
		f.Roller = nil
	}
}

// What a sheet says by name and the rules do not know is refused.
func TestSheetWords(t *testing.T) {
	for _, c := range []struct {
		field, says string
		spoil       func(*eventv1.Sheet)
	}{
		{"sheet.rcr.traits[0]", "did you mean pack tactics", trait("pack tactic")},
		{"sheet.rcr.feats[0]", "did you mean war caster", rcrSheet(func(s *eventv1.RcrSheet) { s.Feats = []string{"warcaster"} })},
		{"sheet.rcr.condition_immunities[0]", "did you mean prone", rcrSheet(func(s *eventv1.RcrSheet) { s.ConditionImmunities = []string{"pron"} })},
		{"sheet.speeds[wlk]", "did you mean walk", func(s *eventv1.Sheet) { s.Speeds["wlk"] = 30 }},
		{"sheet.rcr.senses[blindsigth]", "did you mean blindsight", rcrSheet(func(s *eventv1.RcrSheet) { s.Senses = map[string]int32{"blindsigth": 30} })},
		{"sheet.rcr.skills[0].name", "did you mean stealth", rcrSheet(func(s *eventv1.RcrSheet) { s.Skills = []*eventv1.RcrSkill{{Name: "stelth"}} })},
		{"sheet.rcr.resistances[0].type", "did you mean cold", rcrSheet(func(s *eventv1.RcrSheet) { s.Resistances = []*eventv1.RcrDefense{{Type: "colt"}} })},
		{"sheet.rcr.attacks[0].properties[0]", "did you mean two-handed", rcrSheet(func(s *eventv1.RcrSheet) { s.Attacks[0].Properties = []string{"two handed"} })},
		{"sheet.rcr.attacks[0].damage[0].type", "did you mean slashing", rcrSheet(func(s *eventv1.RcrSheet) { s.Attacks[0].Damage[0].Type = "slashin" })},
		{"sheet.rcr.attacks[0].damage[0].dice", "2000", rcrSheet(func(s *eventv1.RcrSheet) { s.Attacks[0].Damage[0].Dice = "1500d6" })},
		{"sheet.rcr.attacks[0].effects[0].condition", "did you mean prone", rcrSheet(func(s *eventv1.RcrSheet) { s.Attacks[0].Effects = []*eventv1.RcrEffect{{Condition: "pronne"}} })},
		{"sheet.rcr.attacks[0].effects[0].variant", "did you mean stricken", rcrSheet(func(s *eventv1.RcrSheet) {
			s.Attacks[0].Effects = []*eventv1.RcrEffect{{Condition: body.CondParalyzed, Variant: "striken"}}
		})},
		{"sheet.rcr.spells[0].casting_time", "did you mean bonus", rcrSheet(func(s *eventv1.RcrSheet) { s.Spells = []*eventv1.RcrSpell{{Name: "x", CastingTime: "bonuss"}} })},
		{"sheet.rcr.spells[0].damage[0].dice", "", rcrSheet(func(s *eventv1.RcrSheet) {
			s.Spells = []*eventv1.RcrSpell{{Name: "x", UpcastDice: "600d6", Damage: []*eventv1.RcrDamage{{Dice: "1d6"}}}}
		})},
		{"sheet.rcr.items[0].rarity", "did you mean rare", rcrSheet(func(s *eventv1.RcrSheet) { s.Items = []*eventv1.RcrItem{{Name: "x", Rarity: "rar"}} })},
		{"sheet.rcr.resources[0].recharge", "did you mean long rest", rcrSheet(func(s *eventv1.RcrSheet) { s.Resources = []*eventv1.RcrResource{{Name: "x", Recharge: "longrest"}} })},
		{"sheet.rcr.powers[0].resource", "did you mean rage", rcrSheet(func(s *eventv1.RcrSheet) {
			s.Resources, s.Powers = []*eventv1.RcrResource{{Name: "rage"}}, []*eventv1.RcrPower{{Name: "x", Resource: "rge"}}
		})},
	} {
		s := fighter("a", "party")
		c.spoil(s)
		wantField(t, fault.Fields(System{}.CheckSheet(s)), c.field, c.says)
	}
}

// The traits that the importer gives are known.
func TestImportedTraits(t *testing.T) {
	if wrong := (System{}).CheckSheet(fighter("a", "monsters", trait(srd5e.Traits()...))); len(wrong) > 0 {
		t.Error(wrong)
	}
}
