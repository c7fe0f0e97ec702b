package effects_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/proto"
)

func rcrSheet(change func(*eventv1.RcrSheet)) *eventv1.Sheet {
	s := &eventv1.RcrSheet{}
	change(s)
	return &eventv1.Sheet{Id: "x", Section: &eventv1.Sheet_Rcr{Rcr: s}}
}

const shop = `{"weapons":[{"id":"blade","title":"Long Blade","data":{"bonus":5,"reachFeet":5}}],"armour":[{"id":"mail","data":{"armorClass":16}},{"id":"cloak","effects":[{"noProvoke":{}}]}],
	"items":[{"id":"ring","effects":[{"noProvoke":{}}]}],"spells":[{"id":"burst","data":{"level":1},"area":{"shape":"sphere","feet":10}},{"id":"dart","data":{"level":1}}]}`

// What of a sheet comes from content, what it says itself, and what leads nowhere; without content, what was filled before stands by itself.
func TestWhatASheetTakes(t *testing.T) {
	b := book(t, shop)
	for _, c := range []struct {
		name  string
		sheet *eventv1.Sheet
		field string // that is wrong with the book
		alone string // and without one
		holds func(s *eventv1.RcrSheet) bool
	}{
		{"a weapon", rcrSheet(func(s *eventv1.RcrSheet) { s.Attacks = []*eventv1.RcrAttack{{Use: "blade"}} }), "", "sheet.rcr.attacks[0].use",
			func(s *eventv1.RcrSheet) bool { return s.Attacks[0].Name == "Long Blade" && s.Attacks[0].Bonus == 5 }},
		{"a weapon of a name", rcrSheet(func(s *eventv1.RcrSheet) {
			s.Attacks = []*eventv1.RcrAttack{{Use: "blade", Name: "Biter", Hand: "off"}}
		}), "", "sheet.rcr.attacks[0].use",
			func(s *eventv1.RcrSheet) bool {
				return s.Attacks[0].Name == "Biter" && s.Attacks[0].Hand == "off" && s.Attacks[0].ReachFeet == 5
			}},
		{"a weapon spelled out", rcrSheet(func(s *eventv1.RcrSheet) { s.Attacks = []*eventv1.RcrAttack{{Use: "blade", Bonus: 9}} }), "", "",
			func(s *eventv1.RcrSheet) bool { return s.Attacks[0].Bonus == 9 && s.Attacks[0].Name == "Long Blade" }},
		{"a weapon that there is not", rcrSheet(func(s *eventv1.RcrSheet) { s.Attacks = []*eventv1.RcrAttack{{Name: "x"}, {Use: "sword"}} }), "sheet.rcr.attacks[1].use", "sheet.rcr.attacks[1].use", nil},
		{"a spell for a weapon", rcrSheet(func(s *eventv1.RcrSheet) { s.Attacks = []*eventv1.RcrAttack{{Use: "dart"}} }), "sheet.rcr.attacks[0].use", "sheet.rcr.attacks[0].use", nil},
		{"nothing", rcrSheet(func(*eventv1.RcrSheet) {}), "", "", func(s *eventv1.RcrSheet) bool { return proto.Equal(s, &eventv1.RcrSheet{}) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, with := range []bool{true, false} {
				sheet, want, own := proto.CloneOf(c.sheet), c.field, b
				if !with {
					want, own = c.alone, nil
				}
				lost := own.Lacks(sheet)
				if !proto.Equal(sheet, c.sheet) {
					t.Fatal("asking what it lacks changes it")
				}
				err := effects.Resolve(sheet, own)
				got := ""
				if f, ok := fault.As(err); ok {
					got = f.Violations[0].Field
				}
				if got != want || (len(lost) > 0) != (want != "") || len(lost) > 0 && lost[0].Field != want {
					t.Errorf("with content %v: %v, lacks %v, want %q", with, err, lost, want)
				}
				if with && c.holds != nil && !c.holds(sheet.GetRcr()) {
					t.Errorf("%v", sheet.GetRcr())
				}
			}
		})
	}
	for name, c := range map[string]struct {
		wears []string
		armor int32 // the sheet's own
		want  int32
		field string
	}{"mail": {[]string{"mail"}, 0, 16, ""}, "its own counts": {[]string{"mail"}, 12, 12, ""}, "what has effects alone": {[]string{"cloak", "ring"}, 0, 0, ""},
		"nothing there": {[]string{"cloak", "cape"}, 0, 0, "sheet.wears[1]"}, "a weapon": {[]string{"blade"}, 0, 0, "sheet.wears[0]"}} {
		s := rcrSheet(func(s *eventv1.RcrSheet) { s.ArmorClass = c.armor })
		s.Wears = c.wears
		err := b.Resolve(s)
		got := ""
		if f, ok := fault.As(err); ok {
			got = f.Violations[0].Field
		}
		if got != c.field || err == nil && s.GetRcr().ArmorClass != c.want {
			t.Errorf("%s: %v, armour %d", name, err, s.GetRcr().ArmorClass)
		}
	}
	empty := &eventv1.Sheet{Id: "x"}
	if err := b.Resolve(empty); err != nil || b.Lacks(empty) != nil || effects.Refers(empty) {
		t.Errorf("a sheet of no system: %v", err)
	}
	gone := rcrSheet(func(s *eventv1.RcrSheet) { s.Attacks = []*eventv1.RcrAttack{{Use: "blade"}} })
	gone.Wears = []string{"mail"}
	if !effects.Refers(gone) {
		t.Error("it refers to nothing")
	}
	if err := b.Resolve(gone); err != nil {
		t.Fatal(err)
	}
	effects.Forget(gone)
	if effects.Refers(gone) || gone.GetRcr().Attacks[0].Use != "" || gone.GetRcr().Attacks[0].Bonus != 5 || gone.GetRcr().ArmorClass != 16 {
		t.Errorf("%v", gone)
	}
}

// A creature of a pack: its sheet is that of the pack, what the sheet says itself counts, and one that there is not is refused with what may be meant.
func TestMonstersAreTaken(t *testing.T) {
	b := book(t, `{"weapons":[{"id":"fang","data":{"name":"Fang","bonus":4}}],"monsters":[{"id":"wolf","name":"Wolf","hitPoints":11,"rcr":{"armorClass":13,"attacks":[{"use":"fang"}]}}]}`)
	s := &eventv1.Sheet{Id: "grey", Use: "wolf", HitPoints: 20}
	if err := b.Resolve(s); err != nil {
		t.Fatal(err)
	}
	if s.Id != "grey" || s.HitPoints != 20 || s.Name != "Wolf" || s.GetRcr().ArmorClass != 13 || s.GetRcr().Attacks[0].Bonus != 4 {
		t.Errorf("%v", s)
	}
	for _, own := range []*effects.Book{b, nil} {
		err := effects.Resolve(&eventv1.Sheet{Id: "grey", Use: "wlf"}, own)
		f, ok := fault.As(err)
		if !ok || f.Violations[0].Field != "sheet.use" || own != nil && !strings.Contains(f.Violations[0].Description, "did you mean wolf?") {
			t.Errorf("%v", err)
		}
	}
}

// Conditions of standing orders: of what there is to see when they are asked, true or false, and no longer than may be.
func TestConditionsOfOrders(t *testing.T) {
	known := func(id string) bool { return id == "rcr.dice.assurance" }
	for when, says := range map[string]string{
		"": "", " ": "blank", "round > 3": "", `self.hp < 5 && distance <= 10`: "", `settings["rcr.dice.assurance"] == "on"`: "", `settings["rcr.other"] == "on"`: "no setting",
		"round": "must be true or false", "round >": "column", `weapon.name == "x"`: "weapon means nothing here", `actor.hp > 1`: "actor means nothing here", "roll.natural == 20": "roll means nothing here",
		"damage > 3": "damage means nothing here", "cost > 1": "cost means nothing here", `target.is("prone")`: "", `source.hp > 1`: "source means nothing here",
		`self.name == "` + strings.Repeat("x", limits.ExpressionBytes) + `"`: "at most",
	} {
		err := effects.CheckWhen(when, known)
		if says == "" && err != nil || says != "" && (err == nil || !strings.Contains(err.Error(), says)) {
			t.Errorf("%.60q: %v, want %q", when, err, says)
		}
	}
	hero, orc := creature("hero", "party"), creature("orc", "foes")
	state := &eventv1.State{Round: 4, Settings: map[string]string{"rcr.dice.assurance": "off"}, Creatures: map[string]*eventv1.Creature{"hero": hero, "orc": orc}}
	for _, own := range []*effects.Book{nil, book(t, `{"feats":[{"id":"a","effects":[{"noProvoke":{}}]}]}`)} {
		for when, want := range map[string]bool{"round > 3": true, "round > 4": false, `self.id == "hero" && target.id == "orc"`: true, "10 / (round - 4) > 0": false, "round >": false, `settings["rcr.dice.assurance"] == "off"`: true, "distance < 0": true} {
			if got := effects.When(when, own, effects.Env{State: state, Actor: hero, Target: orc}); got != want {
				t.Errorf("%s: %v", when, got)
			}
		}
	}
}

// What an aura brings is seen from whom it reaches: the source is who bears it, and both it and what it brings hang on their own conditions.
func TestWhoseAuraItIs(t *testing.T) {
	b := book(t, `{"feats":[{"id":"glow","effects":[{"when":"self.hp > 5","aura":{"feet":"self.level * 2","who":"all","effects":[
		{"when":"source.id != self.id","modifier":{"to":"attack","amount":"source.hp"}},{"when":"source.id == self.id","modifier":{"to":"attack","amount":"-1"}}]}}]}]}`)
	hero, orc := creature("hero", "party", "glow"), creature("orc", "foes")
	hero.Position, orc.Position = &eventv1.Position{}, &eventv1.Position{X: 10}
	state := &eventv1.State{Creatures: map[string]*eventv1.Creature{"hero": hero, "orc": orc}}
	amounts := func(c *eventv1.Creature) (out []int32) {
		for _, m := range b.Modifiers(c, "attack", effects.Env{State: state, Actor: c}) {
			out = append(out, m.Amount)
		}
		return out
	}
	for _, c := range []struct {
		hp, x      int32
		hero, orcs []int32
	}{{10, 10, []int32{-1}, []int32{10}}, {6, 10, []int32{-1}, []int32{6}}, {5, 10, nil, nil}, {10, 15, []int32{-1}, nil}} {
		hero.Hp, orc.Position.X = ptr(c.hp), c.x
		if h, o := amounts(hero), amounts(orc); !slices.Equal(h, c.hero) || !slices.Equal(o, c.orcs) {
			t.Errorf("%d hit points, %d ft: %v and %v", c.hp, c.x, h, o)
		}
	}
	orc.Position = nil
	if o := amounts(orc); o != nil {
		t.Errorf("nobody knows how far: %v", o)
	}
	if a := b.Auras(nil, effects.Env{}); a != nil {
		t.Errorf("%v", a)
	}
}

// What happens befalls whom it says: who has it, who acts, who is aimed at; nobody, where there is none.
func TestWhomItBefalls(t *testing.T) {
	hero, orc := creature("hero", "party", "a"), creature("orc", "foes")
	for _, c := range []struct {
		trigger, whom string
		actor, target *eventv1.Creature
		want          string
	}{
		{"hit", "", hero, orc, "orc"}, {"hit", "self", hero, orc, "hero"}, {"hit", "actor", hero, orc, "hero"}, {"hit", "target", hero, orc, "orc"}, {"hit", "", hero, nil, ""},
		{"hurt", "", orc, hero, "hero"}, {"hurt", "actor", orc, hero, "orc"}, {"hurt", "actor", nil, hero, ""}, {"hurt", "target", orc, hero, "hero"},
		{"turn-start", "", hero, hero, "hero"}, {"turn-start", "target", hero, nil, ""}, {"miss", "", hero, orc, "orc"}, {"kill", "", hero, orc, "orc"}, {"cast", "", hero, orc, "orc"},
		{"save-failed", "", orc, hero, "hero"}, {"save-passed", "actor", orc, hero, "orc"}, {"enter", "", hero, hero, "hero"}, {"critical", "", hero, orc, "orc"},
	} {
		whom := ""
		if c.whom != "" {
			whom = `"whom":"` + c.whom + `",`
		}
		b := book(t, `{"feats":[{"id":"a","effects":[{"trigger":"`+c.trigger+`",`+whom+`"damage":{"amount":"3"}}]}]}`)
		got := ""
		for _, h := range b.Triggered(hero, c.trigger, effects.Env{Actor: c.actor, Target: c.target}) {
			got = h.Creature
			if h.Bearer != "hero" || h.Amount != 3 || h.Kind != effects.KindDamage {
				t.Errorf("%v", h)
			}
		}
		if got != c.want {
			t.Errorf("%s, %q: befalls %q, want %q", c.trigger, c.whom, got, c.want)
		}
		if other := b.Triggered(hero, "round-start", effects.Env{Actor: c.actor, Target: c.target}); other != nil {
			t.Errorf("%s also happens as a round begins: %v", c.trigger, other)
		}
	}
}

// What cannot be computed does not happen, and what comes of a saving throw hangs on conditions of its own.
func TestWhatComesOfASave(t *testing.T) {
	hero, orc := creature("hero", "party", "a"), creature("orc", "foes")
	b := book(t, `{"feats":[{"id":"a","effects":[{"trigger":"hit","damage":{"amount":"1 / self.count(\"none\")"}},
		{"trigger":"hit","save":{"save":"wisdom","dc":"10","failed":[{"when":"target.hp > 5","damage":{"amount":"1"}},{"when":"target.hp > 50","damage":{"amount":"2"}},{"whom":"self","use":{"resource":"rage"}},{"use":{"resource":"rage","amount":"2"}},
			{"damage":{"amount":"1 / self.count(\"none\")"}},{"condition":{"condition":"prone","remove":true}}],"passed":[{"hook":{"name":"explode"}}]}}]}]}`)
	list := b.Triggered(hero, "hit", effects.Env{Actor: hero, Target: orc})
	if len(list) != 1 || list[0].Kind != effects.KindSave {
		t.Fatalf("%+v", list)
	}
	failed := list[0].Failed
	if len(failed) != 4 || failed[0].Amount != 1 || failed[0].Creature != "orc" || failed[1].Resource != "rage" || failed[1].Amount != 1 || failed[1].Bearer != "hero" || failed[2].Amount != 2 || !failed[3].Remove || failed[3].Creature != "orc" {
		t.Errorf("%+v", failed)
	}
	if p := list[0].Passed; len(p) != 1 || p[0].Hook.GetName() != "explode" || p[0].Creature != "orc" {
		t.Errorf("%+v", p)
	}
}
