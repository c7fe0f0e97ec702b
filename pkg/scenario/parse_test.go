package scenario

import (
	"os"
	"slices"
	"strings"
	"testing"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func readGood(t testing.TB) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/good.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestParseReadsEveryPart(t *testing.T) {
	all, err := Parse("good.yaml", readGood(t))
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 2 {
		t.Fatalf("want two documents, got %d", len(all))
	}
	s := all[0]
	orc := s.Creatures[1].Add
	if orc.Sheet.GetRcr().GetArmorClass() != 13 || orc.Sheet.HitPoints != 15 || orc.Sheet.Size != "medium" ||
		orc.Sheet.Id != "orc" || orc.Sheet.Name != "orc" || orc.Sheet.Side != "monsters" {
		t.Errorf("with is not laid over the sheet: %v", orc.Sheet)
	}
	if got := s.Creatures[0].Add.Sheet; got.GetRcr().GetArmorClass() != 15 || got.Controllers[0] != "kim" {
		t.Errorf("with changed the sheet that it was laid over: %v", got)
	}
	if orc.Position.X != 5 || orc.Vitals.GetHp() != 9 || orc.Vitals.Conditions[0].Name != "prone" || !orc.Facts.Fields["surprised"].GetBoolValue() {
		t.Errorf("how the orc joins is lost: %v", orc)
	}
	if s.DicePolicy != eventv1.DicePolicy_DICE_POLICY_SUPPLIED || s.Settings["rcr.dice.inspiration-fudge"] != "on" {
		t.Errorf("policy %v, settings %v", s.DicePolicy, s.Settings)
	}
	start := s.Steps[0]
	if a := start.Answers; len(a) != 2 || a[0].Answer.Number != 1 || a[0].Answer.Option != "1" || a[1].Creature != "jeera" || a[1].Answer.Option != "yes" {
		t.Errorf("early answers: %v", start.Answers)
	}
	take := s.Steps[1]
	if take.As.Role != eventv1.Principal_ROLE_PLAYER || take.As.Name != "kim" || take.Command.GetTake().Path[1].Y != 5 ||
		len(take.Dice) != 3 || take.Odds[0].Is != "11/20" || len(take.Expect.State) != 4 || len(take.Seen) != 1 {
		t.Errorf("take is lost in part: %+v", take)
	}
	if e := s.Steps[2].Expect.Error; e.Code != "failed-precondition" || s.Steps[2].Answer.Answer.Option != "yes" {
		t.Errorf("answer or error is lost: %+v", e)
	}
	if s.Steps[4].Command.GetEndTurn() == nil || s.Steps[5].Kind != KindState {
		t.Error("a step without fields is lost")
	}
	if all[1].needsEncounter || all[1].Steps[0].Kind != KindTend || all[1].Steps[0].Expect.State[0].Patient != "kara" {
		t.Errorf("the second document is lost in part: %+v", all[1])
	}
}

func TestParseNamesTheLineOfEveryMistake(t *testing.T) {
	const head = "title: t\nsystem: rcr\n"
	cases := []struct {
		name, text, want string
	}{
		{"no title", "system: rcr\nsteps: [{start: {}}]\n", "f:1: scenario: title is missing"},
		{"unknown key", head + "colour: red\nsteps: [{start: {}}]", `f:3: scenario: unknown key "colour"`},
		{"unknown step key", head + "steps:\n  - strat: {}\n", `f:4: step 1: unknown key "strat"`},
		{"two deeds", head + "steps:\n  - start: {}\n    end: {}\n", "f:4: step 1: one step does one thing, this one does start and end"},
		{"nothing", head + "steps:\n  - title: x\n", "f:4: step 1: does nothing"},
		{"unknown command field", head + "steps:\n  - take:\n      creatur: x\n", `f:5: step 1.take.creatur: unknown field, did you mean creature?`},
		{"wrong type", head + "steps:\n  - take: {targets: orc}\n", `step 1.take.targets: want a list, got "orc"`},
		{"unknown event", head + "steps:\n  - start:\n    expect:\n      events: [{rol: {}}]\n", `f:6: step 1.expect.events: no kind of event is called "rol"`},
		{"unknown event field", head + "steps:\n  - start:\n    expect:\n      no_events: [{roll: {lable: x}}]\n", `unknown key "lable"`},
		{"path of nothing", head + "steps:\n  - start:\n    expect:\n      state: {creatures.orc.hitpoints: 3}\n", "creatures.orc.hitpoints\": no such field"},
		{"path value type", head + "steps:\n  - start:\n    expect:\n      state: {creatures.orc.hp: many}\n", "want a whole number"},
		{"enum word", head + "steps:\n  - start:\n    expect:\n      state: {creatures.orc.life: undead}\n", "want one of alive, disabled, dying"},
		{"code", head + "steps:\n  - start:\n    expect: {error: {code: nope}}\n", `no gRPC code is called "nope"`},
		{"fraction", head + "steps:\n  - start:\n    odds: {roll: d6, at_least: 2, is: most}\n", `"most" is no fraction`},
		{"odds of nothing", head + "steps:\n  - start:\n    odds: {roll: d6, is: 1/2}\n", "want at_least, exactly or mean"},
		{"repeated key", head + "title: u\nsteps: [{start: {}}]", `"title" given twice`},
		{"sheet", head + "creatures:\n  - id: orc\n    sheet: {hit_point: 4}\nsteps: [{start: {}}]", "unknown field, did you mean hit_points? (line 5)"},
		{"no sheet", head + "creatures:\n  - id: orc\nsteps: [{start: {}}]", "f:4: creatures[0]: sheet is missing"},
		{"twins", head + "creatures:\n  - {id: orc, sheet: {name: o}}\n  - {id: orc, sheet: {name: o}}\nsteps: [{start: {}}]", `two of id "orc"`},
		{"dice for nothing", head + "steps:\n  - state: {round: 1}\n    dice: [3]\n", "dice, answers and roll_mode need something that takes them"},
		{"a roll mode for nothing", head + "steps:\n  - options: {}\n    roll_mode: blind\n", "dice, answers and roll_mode need something that takes them"},
		{"a roll mode that is none", head + "steps:\n  - start: {}\n    roll_mode: secret\n", "step 1.roll_mode: want one of"},
		{"staged in words", head + "creatures:\n  - {id: a, sheet: sheets/orc, staged: perhaps}\nsteps: [{start: {}}]\n", "creatures[0].staged: want true or false"},
		{"error of nothing", head + "steps:\n  - state: {round: 1}\n    expect: {error: X}\n", "cannot end in an error"},
		{"ruling about a later step", head + "steps:\n  - revert: {step: 1}\n", "a ruling is about an earlier step"},
		{"ruling about no step", head + "steps:\n  - start: {}\n  - amend: {step: 0}\n", "steps are numbered from 1"},
		{"ruling about an earlier fight", head + "steps:\n  - start: {}\n  - fight: {}\n  - amend: {step: 1}\n", "step 3: step 1 is of an earlier fight"},
		{"a fight of another system", head + "steps:\n  - fight: {system: basic}\n", "step 1.fight: a further fight has the table"},
		{"dice for a fight", head + "steps:\n  - fight: {}\n    dice: [3]\n", "dice, answers and roll_mode need something that takes them"},
		{"not YAML", "title: [", "f: not YAML"},
		{"empty", "", "holds no scenario"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse("f", []byte(c.text))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("want %q, got %v", c.want, err)
			}
		})
	}
}

func TestAliasesCannotUnfoldWithoutEnd(t *testing.T) {
	var b strings.Builder
	b.WriteString("about: &a [x,x,x,x,x,x,x,x,x,x]\n")
	for c := 'b'; c < 'j'; c++ {
		b.WriteString(string(c) + ": &" + string(c) + " [" + strings.Repeat("*"+string(c-1)+",", 9) + "*" + string(c-1) + "]\n")
	}
	if _, err := Parse("f", []byte(b.String())); err == nil || !strings.Contains(err.Error(), "more than") {
		t.Fatalf("want a limit, got %v", err)
	}
}

func TestResolveOpensSheetsOnce(t *testing.T) {
	all, err := Parse("f", []byte("title: t\nsystem: rcr\ncreatures:\n  - {id: a, sheet: sheets/orc, with: {rcr: {armor_class: 16}}}\n"+
		"  - {id: b, side: party, sheet: sheets/orc}\nsteps:\n  - add: {id: c, sheet: sheets/orc}\n"))
	if err != nil {
		t.Fatal(err)
	}
	opened := 0
	err = all[0].Resolve(func(ref string) ([]byte, error) {
		opened++
		return []byte("id: orc\nname: Orc\nside: monsters\nrcr: {armor_class: 13, level: 0}\n"), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	a, b, c := all[0].Creatures[0].Add.Sheet, all[0].Creatures[1].Add.Sheet, all[0].Steps[0].Creature.Add.Sheet
	if opened != 1 || a.GetRcr().ArmorClass != 16 || b.GetRcr().ArmorClass != 13 || b.Side != "party" || b.Id != "b" || c.Id != "c" || c.Name != "Orc" {
		t.Errorf("opened %d times: %v, %v, %v", opened, a, b, c)
	}
}

// Who is staged, who knows of it, and who sees the rolls come into the commands.
func TestParseOfWhatIsHidden(t *testing.T) {
	all, err := Parse("f", []byte("title: t\nsystem: rcr\ncreatures:\n  - {id: a, sheet: sheets/orc, staged: true, known_to: [b, c]}\n"+
		"steps:\n  - {start: {}, roll_mode: blind}\n  - reveal: {creature: a, to: [d]}\n"))
	if err != nil {
		t.Fatal(err)
	}
	add, reveal := all[0].Creatures[0].Add, all[0].Steps[1].Command.GetReveal()
	if !add.Staged || !slices.Equal(add.KnownTo, []string{"b", "c"}) || all[0].Steps[0].RollMode != eventv1.RollMode_ROLL_MODE_BLIND ||
		reveal.GetCreature() != "a" || !slices.Equal(reveal.GetTo(), []string{"d"}) {
		t.Errorf("add %v, start by %v, reveal %v", add, all[0].Steps[0].RollMode, reveal)
	}
}

func TestResolveSaysWhichSheetIsWrong(t *testing.T) {
	all, err := Parse("f", []byte("title: t\nsystem: rcr\ncreatures:\n  - {id: a, sheet: a.yaml}\nsteps: [{start: {}}]"))
	if err != nil {
		t.Fatal(err)
	}
	err = all[0].Resolve(func(string) ([]byte, error) { return []byte("id: orc\nhit_poins: 3\n"), nil })
	if err == nil || !strings.Contains(err.Error(), "f:4: creature a.sheet.hit_poins: unknown field") {
		t.Fatalf("got %v", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(readGood(f))
	for _, s := range []string{"", "[]", "title: x\nsystem: y\nsteps: [{start: }]", "a: &a [*a]", "title: &x {a: *x}", "? [a]\n: b",
		"title: t\nsystem: s\nsteps: [{state: {'creatures[0].x': 1}}]", "steps: [{odds: {'1d6 >= x': 1/0}}]",
		"steps: [{expect: {events: [roll, {roll: {dice: [{face: 1}]}}, 3]}}]", "creatures: [{id: a, sheet: {rcr: 3}, with: [1]}]"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		all, err := Parse("f", data)
		if err != nil {
			return
		}
		for _, s := range all {
			if s.Title == "" || s.System == "" || len(s.Steps) == 0 {
				t.Fatalf("an incomplete scenario was accepted: %+v", s)
			}
			_ = s.Resolve(func(string) ([]byte, error) { return data, nil })
		}
	})
}
