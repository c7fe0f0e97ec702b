package rcr

import (
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.trait.sneak-attack, rcr.trait.surprise-attack, rcr.trait.savage-attacks, rcr.trait.charge,
// rcr.trait.brutal-critical: damage that a trait adds or does not, and of which type.
func TestDamageThatATraitAdds(t *testing.T) {
	monk := func(s *eventv1.Sheet) { // a bare hand with dice of its own, and a net without any
		manyArmed(s)
		s.GetRcr().Attacks = append(s.GetRcr().Attacks,
			&eventv1.RcrAttack{Name: "Unarmed Strike", Bonus: 5, ReachFeet: 5, Natural: true, Damage: []*eventv1.RcrDamage{{Dice: "1d4", Type: "bludgeoning"}}},
			&eventv1.RcrAttack{Name: "net", Bonus: 5, ReachFeet: 5, Natural: true, Properties: []string{"finesse"}, Effects: []*eventv1.RcrEffect{{Condition: body.CondRestrained}}})
	}
	charges := func(kind string) func(*eventv1.Sheet) {
		return feature(&eventv1.RcrFeature{Name: "charge", Feet: 20, Dice: "2d6", Type: kind})
	}
	ran := func(f *table) { f.Count("a", body.CStraight, 20) }
	for name, c := range map[string]struct {
		sheet     func(*eventv1.Sheet)
		item      string
		surprised bool
		face      int
		do        func(f *table)
		rule      string
		want      string // dice and type
	}{
		"sneak: the helpless, with nobody near":   {sheet: trait(body.TraitSneakAttack), item: "rapier", do: func(f *table) { f.Afflict("b", body.CondHelpless) }, rule: cite.TraitSneakAttack, want: "6d6 piercing"},
		"sneak: one who can defend itself":        {sheet: trait(body.TraitSneakAttack), item: "rapier", face: 15, rule: cite.TraitSneakAttack},
		"sneak: a net deals no damage":            {sheet: trait(body.TraitSneakAttack), item: "net", do: func(f *table) { f.Afflict("b", body.CondHelpless) }, rule: cite.TraitSneakAttack},
		"surprise: the surprised":                 {sheet: trait(body.TraitSurpriseAttack), item: "axe", surprised: true, face: 15, rule: cite.TraitSurpriseAttack, want: "2d6 piercing"},
		"surprise: one who is ready":              {sheet: trait(body.TraitSurpriseAttack), item: "axe", face: 15, rule: cite.TraitSurpriseAttack},
		"surprise: without the trait":             {item: "axe", surprised: true, face: 15, rule: cite.TraitSurpriseAttack},
		"surprise: dice of the sheet":             {sheet: feature(&eventv1.RcrFeature{Name: body.TraitSurpriseAttack, Dice: "3d6"}), item: "axe", surprised: true, face: 15, rule: cite.TraitSurpriseAttack, want: "3d6 piercing"},
		"savage: a bare hand is no weapon":        {sheet: trait(body.TraitSavageAttacks), item: "Unarmed Strike", face: 20, rule: cite.TraitSavageAttacks},
		"martial advantage: a bare hand too":      {sheet: trait(body.TraitMartial), item: "Unarmed Strike", face: 15, rule: cite.TraitMartialAdvantage},
		"colossus: a bare hand too":               {sheet: trait(body.TraitColossus), item: "Unarmed Strike", face: 15, do: func(f *table) { f.Hurt("b", 30) }, rule: cite.TraitColossusSlayer},
		"colossus: an axe":                        {sheet: trait(body.TraitColossus), item: "axe", face: 15, do: func(f *table) { f.Hurt("b", 30) }, rule: cite.TraitColossusSlayer, want: "1d8 piercing"},
		"sneak: dice of the sheet, a bare hand":   {sheet: feature(&eventv1.RcrFeature{Name: body.TraitSneakAttack, Dice: "4d6"}), item: "Unarmed Strike", do: func(f *table) { f.Afflict("b", body.CondHelpless) }, rule: cite.TraitSneakAttack},
		"brutal: a bare hand is no weapon":        {sheet: trait(body.TraitBrutalCritical), item: "Unarmed Strike", face: 20, rule: cite.TraitBrutalCritical},
		"charge: of the attack's type":            {sheet: charges(""), item: "axe", face: 15, do: ran, rule: cite.TraitCharge, want: "2d6 piercing"},
		"charge: of a type of its own":            {sheet: charges("bludgeoning"), item: "axe", face: 15, do: ran, rule: cite.TraitCharge, want: "2d6 bludgeoning"},
		"charge: with any attack of the creature": {sheet: charges(""), item: "Unarmed Strike", face: 15, do: ran, rule: cite.TraitCharge, want: "2d6 bludgeoning"},
	} {
		t.Run(name, func(t *testing.T) {
			sheet := c.sheet
			if sheet == nil {
				sheet = func(*eventv1.Sheet) {}
			}
			f := newTable(t).add(fighter("a", "party", monk, sheet), fighter("b", "monsters"))
			var surprised []string
			if c.surprised {
				surprised = []string{"b"}
			}
			f.falls(10)
			f.start(surprised)
			if len(f.State.Active) != 1 || f.State.Active[0] != "a" {
				f.End("b")
			}
			if c.do != nil {
				c.do(f)
			}
			f.falls(c.face)
			f.Must(act("a", "attack", c.item, "b"))
			got := ""
			for _, e := range f.Events {
				if r := e.GetRoll(); r != nil && citing(e, c.rule) {
					got = r.Expression
				}
			}
			kind := ""
			for _, e := range f.Events { // what a trait adds comes after what the attack deals
				if parts := e.GetDamage().GetParts(); got != "" && len(parts) > 0 {
					kind = parts[len(parts)-1].Type
				}
			}
			if got = strings.TrimSpace(got + " " + kind); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// rcr.trait.surprise-attack: once for each target.
func TestSurpriseAttackOnce(t *testing.T) {
	f := newTable(t).add(fighter("a", "party", manyArmed, trait(body.TraitSurpriseAttack)), fighter("b", "monsters"), fighter("c", "monsters"))
	f.falls(10)
	f.start([]string{"b", "c"})
	f.falls(15)
	for i, c := range []struct {
		target string
		want   int
	}{{"b", 1}, {"b", 0}, {"c", 1}} {
		f.Count("a", body.CAction, 1)
		f.Must(act("a", "attack", "axe", c.target))
		if got := len(f.byRule(cite.TraitSurpriseAttack)); got != c.want {
			t.Errorf("attack %d on %s: %d", i+1, c.target, got)
		}
	}
}

// rcr.trait.charge, rcr.trait.reckless-attack, rcr.trait.rampage: what a creature does in its own
// turn it does not in an opportunity attack.
func TestTraitsOfTheOwnTurn(t *testing.T) {
	boar := func(s *eventv1.Sheet) {
		feature(&eventv1.RcrFeature{Name: "charge", Feet: 20, Dice: "2d6", Save: &eventv1.RcrSave{Ability: "strength", Dc: 30}, Follow: "sword"})(s)
		trait(body.TraitReckless, body.TraitRampage)(s)
	}
	build := func(t *testing.T) *table {
		f := newTable(t)
		f.place(fighter("a", "monsters", boar), 0, 0)
		f.place(fighter("b", "party"), 10, 0)
		f.place(fighter("c", "party"), 60, 60)
		return f.start(nil, 5, 20, 10)
	}
	t.Run("in an opportunity attack", func(t *testing.T) {
		f := build(t)
		f.Hurt("b", 3)
		f.Count("a", body.CStraight, 20)
		f.falls(15)
		f.Must(act("b", "move", "", "", along(5, 0, 15, 0)))
		f.wantAsked("a")
		f.Answer(body.DecOpportunity, "sword")
		f.wantLifeless("b")
		if got := f.byRule(cite.TraitCharge); len(got) > 0 {
			t.Errorf("it charges: %v", got)
		}
		for _, mark := range []string{body.MStruck, body.MFelled, body.MRanDown} {
			if f.Creature("a").Marks[mark] != "" {
				t.Errorf("marked %s", mark)
			}
		}
	})
	t.Run("in its turn", func(t *testing.T) {
		f := build(t)
		f.falls(10)
		f.End("b")
		f.End("c")
		f.Place("b", 5, 0)
		f.Hurt("b", 3)
		f.falls(15)
		f.Must(act("a", "attack", "sword", "b", withFacts("straight", 20)))
		f.wantLifeless("b")
		if got := f.byRule(cite.TraitCharge); len(got) != 1 || got[0] != "2d6" {
			t.Errorf("it charges: %v", got)
		}
		for _, mark := range []string{body.MStruck, body.MFelled} {
			if f.Creature("a").Marks[mark] == "" {
				t.Errorf("not marked %s", mark)
			}
		}
	})
}

// wantLifeless holds that a creature is down or dead.
func (f *table) wantLifeless(id string) {
	f.T.Helper()
	if c := f.Creature(id); !body.Dead(c) && !body.Down(c) {
		f.T.Fatalf("%s has %d hit points", id, c.GetHp())
	}
}

// rcr.trait.charge: whoever is run down saves unless it lies or is dead already or the sheet asks
// for no saving throw; who may follow up has one that lies and lives before it.
func TestWhoIsRunDown(t *testing.T) {
	none := &eventv1.RcrFeature{Name: "charge", Feet: 20, Dice: "1d6", Follow: "sword"}
	saves := &eventv1.RcrFeature{Name: "charge", Feet: 20, Dice: "1d6", Follow: "sword", Save: &eventv1.RcrSave{Ability: "strength", Dc: 30}}
	alone := &eventv1.RcrFeature{Name: "charge", Feet: 20, Dice: "1d6", Save: &eventv1.RcrSave{Ability: "strength", Dc: 30}}
	prone := func(f *table) { f.Afflict("b", body.CondProne) }
	for name, c := range map[string]struct {
		trait         *eventv1.RcrFeature
		do            func(f *table)
		saves, follow bool
	}{
		"it is thrown down":               {saves, nil, true, true},
		"it lies already":                 {saves, prone, false, true},
		"it dies":                         {saves, func(f *table) { f.Hurt("b", 1) }, false, false},
		"no saving throw, it stands":      {none, nil, false, false},
		"no saving throw, it lies":        {none, prone, false, true},
		"no saving throw, it lies, dying": {none, func(f *table) { f.Afflict("b", body.CondProne); f.Hurt("b", 1) }, false, false},
		"nothing follows":                 {alone, nil, true, false},
		"nothing follows, it lies":        {alone, prone, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party", feature(c.trait)), fighter("b", "monsters")).start(nil, 20, 5)
			if c.do != nil {
				c.do(f)
			}
			f.falls(15)
			f.Must(act("a", "attack", "sword", "b", withFacts("straight", 20)))
			if got := len(f.Rolls("/run-down")) > 0; got != c.saves {
				t.Errorf("saves: %v", got)
			}
			if got := f.Creature("a").Marks[body.MRanDown] == "b"; got != c.follow {
				t.Errorf("may follow up: %v", got)
			}
		})
	}
}

// rcr.trait.rage: it ends at once when who rages is knocked unconscious, by a blow or otherwise.
func TestRageEndsUnconscious(t *testing.T) {
	for name, c := range map[string]struct {
		hp    int32
		e     string
		rages bool
	}{"a blow that leaves it standing": {40, body.CondPoisoned, true}, "a blow that fells it": {1, body.CondPoisoned, false}, "a blow that puts it to sleep": {40, body.CondUnconscious, false}} {
		t.Run(name, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party", trait(body.TraitRage)), fighter("b", "monsters", claw(nil, &eventv1.RcrEffect{Condition: c.e}))).start(nil, 5, 20)
			f.Afflict("a", body.CondRaging)
			f.Hurt("a", c.hp)
			f.falls(15)
			f.Must(act("b", "attack", "claw", "a"))
			f.wantHas("a", body.CondRaging, c.rages)
			if ended := !c.rages; ended {
				f.wantCited(cite.TraitRage)
			}
		})
	}
}

// rcr.trait.flyby: it provokes nobody by flying, however that is said, and everybody by walking;
// without the trait all do.
func TestWhoFliesBy(t *testing.T) {
	for name, c := range map[string]struct {
		traits   []string
		walk     int32
		airborne bool
		mode     string
		asked    bool
	}{
		"it flies":                          {[]string{body.TraitFlyby}, 30, false, "fly", false},
		"it walks":                          {[]string{body.TraitFlyby}, 30, false, "walk", true},
		"it goes as it is used to, on foot": {[]string{body.TraitFlyby}, 30, false, "", true},
		"it goes as it is used to, it has no feet": {[]string{body.TraitFlyby}, 0, false, "", false},
		"another flies": {nil, 30, false, "fly", true},
	} {
		t.Run(name, func(t *testing.T) {
			f := newTable(t)
			f.place(fighter("a", "party", trait(c.traits...), func(s *eventv1.Sheet) {
				s.Speeds = map[string]int32{"fly": 60}
				if c.walk > 0 {
					s.Speeds["walk"] = c.walk
				}
			}), 10, 0)
			f.place(fighter("b", "monsters"), 0, 0)
			f.start(nil, 20, 5)
			f.falls(10)
			cmd := act("a", "move", "", "", along(5, 0, 15, 0))
			if c.mode != "" {
				cmd = act("a", "move", "", "", along(5, 0, 15, 0), withParameters("mode", c.mode))
			}
			f.Must(cmd)
			if got := len(f.Decisions) > 0; got != c.asked {
				t.Errorf("asked %v", f.Decisions)
			}
		})
	}
}
