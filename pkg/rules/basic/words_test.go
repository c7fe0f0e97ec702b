package basic

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/fire"
	"github.com/skaldrpg/skald/pkg/rules/basic/holds"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/types/known/structpb"
)

// What is read is in the table and what is in the table is read.
func TestWordsAreThoseThatAreRead(t *testing.T) {
	if err := (System{}).Validate(); err != nil {
		t.Fatal(err)
	}
	rulestest.Words(t, System{}, rulestest.Flat(t, os.DirFS(".")), map[string]int{"told": 1})
	rulestest.Deeds(t, System{}, rulestest.Flat(t, os.DirFS(".")), "amount", "turns")
}

// The values of the table are the very lists of the code.
func TestWordsHaveTheValuesOfTheCode(t *testing.T) {
	v := System{}.Vocabulary()
	for _, c := range []struct {
		action, name string
		want         []string
	}{{"throw", "lit", fire.Lightings}, {"hold-take-item", "ability", holds.Wrestling}, {"feat", "ability", holds.Wrestling}} {
		if got := v.Find(rules.PlaceParameter, c.action, c.name).Values; !slices.Equal(got, c.want) {
			t.Errorf("%s of %s: %v, want %v", c.name, c.action, got, c.want)
		}
	}
	for place, names := range map[string][]string{rules.PlaceMark: body.OfTheFight.Marks, rules.PlaceCounter: body.OfTheFight.Counters,
		rules.PlaceCondition: append(slices.Clone(body.OfTheFight.Conditions), body.Conditions[1:]...)} {
		for _, name := range names {
			if v.Find(place, "", name) == nil {
				t.Errorf("%s is no %s of the table", name, place)
			}
		}
	}
	for _, key := range body.FoesNamed {
		if v.Find(rules.PlaceFact, "move", key) == nil && v.Find(rules.PlaceFact, "withdraw", key) == nil {
			t.Errorf("%s is no fact of a move", key)
		}
	}
}

// What no rule reads is refused with the field and what was meant; nothing is
// drawn and nothing is stored.
func TestUnknownWords(t *testing.T) {
	fight := func(t *testing.T) *table {
		return newTable(t).add(nil, make1("a", "A"), make1("b", "B")).start(nil).declare([]int{6, 1}, "a=hold", "b=move")
	}
	field := func(t *testing.T) *table { return newTable(t).add(nil, make1("a", "A"), make1("b", "B")) }
	start := func(pairs ...any) *eventv1.Command {
		return &eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{Facts: object(pairs...)}}}
	}
	enter := func(v *eventv1.Vitals, f *structpb.Struct) *eventv1.Command {
		return &eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: make1("z", "A"), Vitals: v, Facts: f}}}
	}
	for _, c := range []struct {
		name         string
		at           func(*testing.T) *table
		cmd          *eventv1.Command
		field, words string
	}{
		{"a misspelt fact", fight, act("a", "attack", "sword", "b", facts("behnd", true)), "take.facts.behnd", "did you mean behind?"},
		{"truth as a word", fight, act("a", "attack", "sword", "b", facts("behind", "yes")), "take.facts.behind", "true or false"},
		{"concealment beyond all", fight, act("a", "attack", "sword", "b", facts("concealment", 101)), "take.facts.concealment", "0 to 100"},
		{"light for a letting go", fight, act("a", "let-go", "", "b", facts("concealment", 50)), "take.facts.concealment", "takes none"},
		{"a word of the game master's on a blow", fight, act("a", "attack", "sword", "b", facts("allowed", true)), "take.facts.allowed", "known are"},
		{"a check against nothing", fight, act("a", "other", "", "", parameters("text", "x", "dc", 0)), "take.parameters.dc", "1 to 1000"},
		{"a misspelt action", fight, act("a", "atack", "sword", "b"), "take.action", "did you mean attack?"},
		{"a misspelt weapon", fight, act("a", "attack", "swrd", "b"), "take.item", "did you mean sword?"},
		{"a misspelt kind of action", field, start("suprise", []string{"A"}), "start.facts.suprise", "did you mean surprise?"},
		{"a side that is not there", field, start("surprise", []string{"C"}), "start.facts.surprise[0]", "did you mean A or B?"},
		{"to come in surprised by a slip", field, enter(nil, object("surprized", true)), "add.facts.surprized", "did you mean surprised?"},
		{"a mark that means nothing", field, enter(&eventv1.Vitals{Marks: map[string]string{"leavin": "x"}}, nil), "add.vitals.marks[leavin]", "did you mean leaving?"},
		{"a mark of another fight", field, enter(&eventv1.Vitals{Marks: map[string]string{body.MLeaving: "true"}}, nil), "add.vitals.marks[leaving]", "within a fight"},
		{"a counter of another fight", field, enter(&eventv1.Vitals{Counters: map[string]int64{body.CMoved: 5}}, nil), "add.vitals.counters[moved]", "within a fight"},
		{"uses of no spell", field, enter(&eventv1.Vitals{Counters: map[string]int64{body.CLeft + "bolt": 1}}, nil), "add.vitals.counters[left.bolt]", "is not one of"},
		{"a condition of another fight", field, enter(&eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondBurning}}}, nil), "add.vitals.conditions[0].name", "ends with the fight"},
		{"a condition that means nothing", field, enter(&eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: "shakn"}}}, nil), "add.vitals.conditions[0].name", "did you mean shaken?"},
		{"an injury", field, enter(&eventv1.Vitals{Injuries: []*eventv1.Injury{{Kind: "broken", Part: "right"}}}, nil), "add.vitals.injuries[0].kind", "takes none"},
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

// A fact that names foes names foes.
func TestFactsThatNameFoes(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A"), make1("c", "A"), make1("b", "B")).start(nil).declare([]int{6, 1, 1}, "a=move", "b=move", "c=move")
	for _, key := range []string{"leaves", "closes_with"} {
		err := f.Try(act("a", "move", "", "", parameters("feet", 5), facts(key, []string{"b", "c"})))
		if err == nil || !strings.Contains(err.Error(), "take.facts."+key+"[1]") {
			t.Errorf("%s: %v", key, err)
		}
	}
}

// What the rules do not know on a sheet is refused.
func TestUnknownOnASheet(t *testing.T) {
	spell := func(save string) change {
		return section(func(b *eventv1.BasicSheet) { b.Spells = []*eventv1.BasicSpell{{Name: "bolt", Uses: 1, Save: save}} })
	}
	for _, c := range []struct {
		name, field, words string
		change             change
	}{
		{"a save", "sheet.basic.saves[deathray]", "did you mean death-ray?", section(func(b *eventv1.BasicSheet) { b.Saves = map[string]int32{"deathray": 12} })},
		{"the save against a spell", "sheet.basic.spells[0].save", "did you mean spells?", spell("spell")},
		{"a tag", "sheet.basic.tags[0]", "did you mean undead?", section(func(b *eventv1.BasicSheet) { b.Tags = []string{"unded"} })},
		{"an ability", "sheet.abilities[strenght]", "did you mean strength?", func(s *eventv1.Sheet, _ *eventv1.BasicSheet) { s.Abilities["strenght"] = 12 }},
		{"a speed", "sheet.speeds[fli]", "did you mean fly?", func(s *eventv1.Sheet, _ *eventv1.BasicSheet) { s.Speeds["fli"] = 12 }},
		{"none", "", "", spell(body.CatSpells)},
	} {
		t.Run(c.name, func(t *testing.T) {
			list := rules.CheckSheet(System{}, make1("a", "A", c.change))
			found := slices.ContainsFunc(list, func(v fault.Violation) bool { return v.Field == c.field && strings.Contains(v.Description, c.words) })
			if c.field != "" && !found || c.field == "" && len(list) > 0 {
				t.Errorf("%v, want %s with %q", list, c.field, c.words)
			}
		})
	}
}

// basic.attack.behind-not-with-sneak: whether a sneak attack comes by surprise
// from behind the game master says, unless it is stated; one that does not has
// cost nothing.
func TestSneakAttackUnnoticed(t *testing.T) {
	sneak := section(func(b *eventv1.BasicSheet) { b.SneakAttackBonus = 4 })
	f := lone(t, nil, body.KindMelee, make1("a", "A", sneak), make1("b", "B"))
	f.Must(act("a", "sneak-attack", "sword", "b"))
	if len(f.Decisions) != 1 || f.Decisions[0].Name != body.DecUnnoticed || !f.Decisions[0].GmOnly {
		t.Fatalf("asked: %v", f.Decisions)
	}
	f.Choose(body.DecideNo)
	if len(f.Attacks()) > 0 || f.Creature("a").Counters[body.CAction] != 1 {
		t.Fatal("nothing was done yet")
	}
	f.Must(act("a", "sneak-attack", "sword", "b"))
	f.Choose(body.DecideYes, 8, 1)
	if f.outcome() != "hit" {
		t.Fatal("8 and 4 meet 12")
	}
}

// Whatever the rules leave to the game master is asked of the game master alone.
func TestTheGameMastersQuestions(t *testing.T) {
	for _, c := range []struct {
		name     string
		settings []string
		kind     string
		cmd      *eventv1.Command
	}{
		{body.DecApprove, []string{body.SetOpen + "=ask"}, body.KindOther, act("a", "other", "", "", parameters("text", "bars the door"))},
		{body.DecChange, nil, body.KindOther, act("a", "redeclare", body.KindDodge, "")},
	} {
		f := newTable(t, c.settings...).add(nil, make1("a", "A"), make1("b", "B")).start(nil).declare([]int{6, 1}, "a="+c.kind, "b=move")
		f.Must(c.cmd)
		if len(f.Decisions) != 1 || f.Decisions[0].Name != c.name || !f.Decisions[0].GmOnly {
			t.Errorf("%s: asked %v", c.name, f.Decisions)
		}
	}
}

// Nobody hides in this system: where a creature stands is plain to all.
func TestPlacesArePlain(t *testing.T) {
	f := newTable(t).add([]int32{0}, make1("a", "A"))
	if got := (System{}).Audience(f.State, rules.FactPosition, "", "a"); got.GetKind() != event.Everyone().GetKind() {
		t.Errorf("told to %v", got)
	}
}

// A deed between fights takes what it knows, and is refused before a die falls
// for any of its patients.
func TestRefusedDeeds(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A"), make1("b", "A"))
	f.Roller = func(int) int { return 2 }
	f.tend("a", "harm", "amount", 10, "nonlethal", true)
	f.WantLife("a", isUnconscious)
	f.Roller = func(int) int { t.Fatal("a die fell"); return 0 }
	for _, c := range []struct {
		deed, words string
		p           *structpb.Struct
	}{
		{"harm", "did you mean nonlethal?", object("amount", 5, "nonletal", true)},
		{"harm", "true or false", object("amount", 5, "nonlethal", "yes")},
		{"rest", "known are turns", object("turns", 1, "hours", 2)},
		{"revive", "is not unconscious", nil},
	} {
		err := f.TryTend(&eventv1.PatientCommand{Deed: c.deed, Patients: []string{"a", "b"}, Parameters: c.p})
		if err == nil || !strings.Contains(err.Error(), c.words) {
			t.Errorf("%s %v: %v, want %q", c.deed, c.p, err, c.words)
		}
	}
	f.WantLife("a", isUnconscious)
}
