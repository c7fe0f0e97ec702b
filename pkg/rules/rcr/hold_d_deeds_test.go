package rcr

import (
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.base.fifth-edition-fallback: an attack of the off hand leaves out a modifier that
// adds, and keeps one that takes away; the fighting style of two weapons leaves it in.
func TestDamageOfTheOffHand(t *testing.T) {
	for name, c := range map[string]struct {
		str, dex int32
		change   []func(*eventv1.Sheet)
		want     int32 // of 4 on the die, and the 3 of the sheet
	}{
		"a modifier":            {16, 10, nil, 4},
		"the better of finesse": {12, 16, nil, 4},
		"none":                  {10, 10, nil, 7},
		"one that takes away":   {8, 8, nil, 7},
		"the fighting style":    {16, 10, []func(*eventv1.Sheet){trait(body.TraitTwoWeapons)}, 7},
	} {
		f := newTable(t).add(fighter("a", "party", append(c.change, ability("strength", c.str), ability("dexterity", c.dex), rcrSheet(func(s *eventv1.RcrSheet) {
			s.Attacks[0].Properties = []string{"light", "finesse", "one-handed"}
			s.Attacks = append(s.Attacks, &eventv1.RcrAttack{Name: "dagger", Bonus: 5, ReachFeet: 5, Hand: "off",
				Damage: []*eventv1.RcrDamage{{Dice: "1d4+3", Type: "piercing"}}, Properties: []string{"light", "finesse", "one-handed"}})
		}))...), fighter("b", "monsters"))
		f.falls(20)
		f.start(nil)
		f.Roller = nil
		if f.State.Active[0] == "b" {
			f.falls(10)
			f.End("b")
			f.Roller = nil
		}
		f.Must(act("a", "attack", "sword", "b"), 2)
		f.Must(act("a", "off-hand-attack", "dagger", "b"), 14, 4)
		if got := f.Roll("/damage").Total; got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

// rcr.base.fifth-edition-fallback: what is readied has a trigger, of 500 bytes at most.
func TestTriggersOfWhatIsReadied(t *testing.T) {
	for n, reason := range map[int]bool{0: false, 1: true, answers.MaxTrigger: true, answers.MaxTrigger + 1: false} {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 20, 5)
		err := f.Try(act("a", "ready", "sword", "", withParameters("action", "attack", "trigger", strings.Repeat("x", n))))
		if reason && err != nil {
			t.Errorf("%d bytes: %v", n, err)
		} else if !reason {
			wantFault(t, err, "take.parameters.trigger")
			f.wantCount("a", body.CAction, 1)
		}
	}
}

// rcr.feat.legerdemain-steal: things are taken from a foe within 5 feet, while it lives.
func TestFromWhomThingsAreStolen(t *testing.T) {
	for name, c := range map[string]struct {
		target string
		do     func(f *table)
		feet   int
		reason string
	}{
		"a foe at 5 feet":    {"b", nil, 5, ""},
		"a foe at 6 feet":    {"b", nil, 6, "OUT_OF_REACH"},
		"a friend":           {"c", nil, 5, "NO_FOE"},
		"a foe that is dead": {"b", func(f *table) { dies(f.T.(*testing.T), f, "b") }, 5, "NO_FOE"},
		"a foe that lies":    {"b", func(f *table) { f.Hurt("b", 0) }, 5, ""},
	} {
		f := newTable(t).add(fighter("a", "party", feat(body.FeatLegerdemain)), fighter("b", "monsters"), fighter("c", "party")).start(nil, 20, 5, 4)
		if c.do != nil {
			c.do(f)
		}
		f.falls(10)
		wantReasonOf(t, name, f.Try(act("a", "steal", "", c.target, withParameters("object", "purse"), withFacts("distance", c.feet))), c.reason)
	}
}

// rcr.trait.rampage, rcr.trait.charge: who has not the trait does not rampage, whatever it
// bites with; two traits that follow with one attack give it once; who lies, but was not
// run down, is no target of it.
func TestWhatBonusAttacksAskFor(t *testing.T) {
	bite := &eventv1.RcrAttack{Name: "bite", Bonus: 5, ReachFeet: 5, Natural: true, Damage: []*eventv1.RcrDamage{{Dice: "1d4+3", Type: "piercing"}}}
	claw := &eventv1.RcrAttack{Name: "claw", Bonus: 5, ReachFeet: 5, Natural: true, Damage: []*eventv1.RcrDamage{{Dice: "1d4+3", Type: "slashing"}}}
	follow := func(names ...string) []func(*eventv1.Sheet) {
		out := []func(*eventv1.Sheet){weapons(bite, claw)}
		for _, name := range names {
			out = append(out, feature(&eventv1.RcrFeature{Name: name, Feet: 20, Attack: "claw", Follow: "bite"}))
		}
		return out
	}
	f := newTable(t).add(fighter("a", "monsters", weapons(bite)), fighter("b", "party")).start(nil, 20, 5)
	f.Put("a", &eventv1.Vitals{Marks: map[string]string{body.MFelled: "yes"}})
	wantReasonOf(t, "no rampage", f.Try(act("a", "rampage", "", "")), "NO_TRAIT")

	f = newTable(t).add(fighter("a", "monsters", follow("charge", "pounce")...), fighter("b", "party"), fighter("c", "party")).start(nil, 20, 5, 4)
	f.falls(5)
	f.Put("a", &eventv1.Vitals{Marks: map[string]string{body.MRanDown: "b"}})
	f.Afflict("b", body.CondProne)
	f.Afflict("c", body.CondProne)
	var items []string
	for _, o := range (System{}).Options(queryOf(f, "a")) {
		if o.Action == "run-down" {
			items = append(items, o.Item)
			if !slices.Equal(o.Targets, []string{"b"}) {
				t.Errorf("on %v", o.Targets)
			}
		}
	}
	if !slices.Equal(items, []string{"bite"}) {
		t.Errorf("with %q", items)
	}
	wantReasonOf(t, "another that lies", f.Try(act("a", "run-down", "bite", "c")), "NOT_RUN_DOWN")
	f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "b", RemoveConditions: []string{body.CondProne}}}})
	wantReasonOf(t, "one that stands", f.Try(act("a", "run-down", "bite", "b")), "NOT_RUN_DOWN")
}

// What of a sheet no code decides is told, and nothing that is: a trait that is a spell or
// a power of the sheet is decided there, and sneak attack by a level or by dice.
//
// rcr.trait.sneak-attack
func TestWhatIsLeftToPeople(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*eventv1.RcrSheet)
		fields []string
	}{
		"a trait of nobody's": {func(s *eventv1.RcrSheet) { s.Traits = []string{"humming"} }, []string{"sheet.rcr.traits[0]"}},
		"a trait that is a power": {func(s *eventv1.RcrSheet) {
			s.Traits = []string{"humming"}
			s.Powers = []*eventv1.RcrPower{{Name: "Humming"}}
		}, nil},
		"a trait that is a spell": {func(s *eventv1.RcrSheet) {
			s.Traits = []string{"humming"}
			s.Spells = []*eventv1.RcrSpell{{Name: "humming"}}
		}, nil},
		"a trait that is a resource": {func(s *eventv1.RcrSheet) {
			s.Traits = []string{"humming"}
			s.Resources = []*eventv1.RcrResource{{Name: "humming"}}
		}, []string{"sheet.rcr.traits[0]"}},
		"sneak attack, by its level":      {func(s *eventv1.RcrSheet) { s.Traits = []string{"sneak attack"} }, nil},
		"sneak attack, by nothing":        {func(s *eventv1.RcrSheet) { s.Level, s.Traits = 0, []string{"Sneak Attack"} }, []string{"sheet.rcr.traits[0]"}},
		"sneak attack, by its other name": {func(s *eventv1.RcrSheet) { s.Level, s.Traits = 0, []string{"Sneak Attack (1/Turn)"} }, []string{"sheet.rcr.traits[0]"}},
		"sneak attack, by its dice": {func(s *eventv1.RcrSheet) {
			s.Level, s.Features = 0, []*eventv1.RcrFeature{{Name: "sneak attack", Dice: "2d6"}}
		}, nil},
		"another beside it":  {func(s *eventv1.RcrSheet) { s.Level, s.Traits = 0, []string{"sneak attack", "aggressive"} }, []string{"sheet.rcr.traits[0]"}},
		"another without it": {func(s *eventv1.RcrSheet) { s.Level, s.Traits = 0, []string{"aggressive"} }, nil},
	} {
		var got []string
		for _, v := range (System{}).LeftToPeople(nil, fighter("a", "party", rcrSheet(c.change))) {
			got = append(got, v.Field)
		}
		if !slices.Equal(got, c.fields) {
			t.Errorf("%s: %q, want %q", name, got, c.fields)
		}
	}
}

// rcr.mount.exotic-size: what is exotic, or a platform, is a saddle. Feats and traits with
// effects are looked for wherever a sheet names them.
func TestWhatSheetsName(t *testing.T) {
	for name, c := range map[string]struct {
		saddle           string
		exotic, platform bool
		wrong            bool
	}{"no saddle": {}, "exotic, and none": {"", true, false, true}, "a platform, and none": {"", false, true, true}, "both, and none": {"", true, true, true}, "a platform": {body.SaddleNormal, false, true, false}} {
		v := (System{}).CheckSheet(fighter("a", "party", ofSize("large"), rcrSheet(func(s *eventv1.RcrSheet) { s.Saddle, s.SaddleExotic, s.SaddlePlatform = c.saddle, c.exotic, c.platform })))
		if got := len(v) == 1 && v[0].Field == "sheet.rcr.saddle"; got != c.wrong || !c.wrong && len(v) > 0 {
			t.Errorf("%s: %v", name, v)
		}
	}
	own, _ := ownContent()
	known := own.Feats[0].Id
	for name, c := range map[string]struct {
		change func(*eventv1.Sheet)
		plain  bool
	}{
		"nothing":                               {func(*eventv1.Sheet) {}, true},
		"a feat":                                {feat("tough"), false},
		"a feat of the core":                    {func(s *eventv1.Sheet) { s.Feats = []string{"tough"} }, false},
		"a trait with effects":                  {trait(known), false},
		"a trait without":                       {trait("humming"), true},
		"a feature with effects":                {feature(&eventv1.RcrFeature{Name: known}), false},
		"a feature without":                     {feature(&eventv1.RcrFeature{Name: "humming"}), true},
		"one of each, the feature with effects": {func(s *eventv1.Sheet) { trait("humming")(s); feature(&eventv1.RcrFeature{Name: known})(s) }, false},
		"one of each, the trait with effects":   {func(s *eventv1.Sheet) { trait(known)(s); feature(&eventv1.RcrFeature{Name: "humming"})(s) }, false},
	} {
		if got := plain(fighter("a", "party", c.change)); got != c.plain {
			t.Errorf("%s: plain %v", name, got)
		}
	}
}

// rcr.base.opportunity-frame, rcr.base.unarmed-strike: whoever has nothing to strike with
// makes no opportunity attack: not with an unarmed strike of its sheet that is spent, nor
// with what it would first have to take up; with a weapon of that name on its sheet it does.
func TestWhatOpportunityAttacksAreMadeWith(t *testing.T) {
	fist := func(left int32) *eventv1.RcrAttack {
		return &eventv1.RcrAttack{Name: body.UnarmedStrike, Bonus: 5, ReachFeet: 5, Natural: true, Usage: &eventv1.RcrUsage{Uses: 1, Recharge: "day"}, Damage: []*eventv1.RcrDamage{{Dice: "1", Type: "bludgeoning"}}}
	}
	chair := &eventv1.RcrAttack{Name: body.ImprovisedWeapon, Bonus: 2, ReachFeet: 5, Hand: "main", Damage: []*eventv1.RcrDamage{{Dice: "1d4", Type: "bludgeoning"}}}
	for name, c := range map[string]struct {
		attacks []*eventv1.RcrAttack
		spent   bool
		with    []string // nil: it is not asked
	}{
		"a fist of its sheet":  {[]*eventv1.RcrAttack{fist(1)}, false, []string{"no", body.UnarmedStrike}},
		"a fist that is spent": {[]*eventv1.RcrAttack{fist(1)}, true, nil},
		"everybody's fist":     {nil, false, []string{"no", body.UnarmedStrike}},
		"a chair of its sheet": {[]*eventv1.RcrAttack{chair}, false, []string{"no", body.ImprovisedWeapon, body.UnarmedStrike}},
	} {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters", weapons(c.attacks...))).start(nil, 20, 5)
		if c.spent {
			f.Count("b", body.CLeft+body.UnarmedStrike, 0)
		}
		if got := answers.MayOpportunity(f.State, "b", "a"); got != (c.with != nil) {
			t.Errorf("%s: %v", name, got)
		}
		if d := answers.OpportunityDecision(f.State, "b", "a", checks.Trigger("passes"), cite.BaseOpportunityFrame); c.with != nil && !slices.Equal(optionIDs(d), c.with) {
			t.Errorf("%s: %q, want %q", name, optionIDs(d), c.with)
		}
	}
}

// rcr.base.fifth-edition-fallback: a distance stated, were it none, goes before that of the
// map; whom one is charmed by one harms by no power and by no spell, and may heal.
func TestAimsOfPowersAndSpells(t *testing.T) {
	f := newTable(t)
	f.place(fighter("a", "party", caster, rcrSheet(func(s *eventv1.RcrSheet) {
		s.Powers = []*eventv1.RcrPower{{Name: "gaze", Cost: "action", RangeFeet: 30, Save: &eventv1.RcrSave{Ability: "wisdom", Dc: 10}}, {Name: "balm", Cost: "action", RangeFeet: 90, Healing: "1"}}
		s.Spells = append(s.Spells, &eventv1.RcrSpell{Name: "tag", RangeFeet: 120, Attack: "ranged"}, &eventv1.RcrSpell{Name: "mend", RangeFeet: 120, Healing: "1"}, &eventv1.RcrSpell{Name: "nod", RangeFeet: 120})
	})), 0, 0)
	f.place(fighter("b", "monsters"), 60, 0)
	f.place(fighter("c", "monsters"), 60, 50)
	f.start(nil, 20, 5, 4)
	f.Afflict("a", body.CondCharmed+"@c")
	f.falls(10)
	power := func(name, target string, facts ...any) *eventv1.Command {
		return act("a", "use-power", name, target, withFacts(facts...))
	}
	spell := func(name, target string, facts ...any) *eventv1.Command {
		return act("a", "cast", name, target, withFacts(facts...))
	}
	for name, c := range map[string]struct {
		cmd    *eventv1.Command
		reason string
	}{
		"out of range":                        {power("gaze", "b"), "OUT_OF_RANGE"},
		"stated to be near":                   {power("gaze", "b", "distance", 30), ""},
		"stated to be a foot too far":         {power("gaze", "b", "distance", 31), "OUT_OF_RANGE"},
		"stated to be on the spot":            {power("gaze", "b", "distance", 0), ""},
		"the charmer, harmed":                 {power("gaze", "c", "distance", 30), "CHARMED"},
		"the charmer, healed":                 {power("balm", "c"), ""},
		"a spell that harms the charmer":      {spell("gesture", "c", "distance", 60), "CHARMED"},
		"one that only touches it":            {spell("tag", "c"), "CHARMED"},
		"one that heals it":                   {spell("mend", "c"), ""},
		"one that does it nothing":            {spell("nod", "c"), ""},
		"one that touches another":            {spell("tag", "b"), ""},
		"a spell beyond its range":            {spell("nod", "b", "distance", 121), "OUT_OF_RANGE"},
		"upon oneself, whatever the distance": {spell("nod", "a", "distance", 500), ""},
		"behind total cover":                  {spell("nod", "b", "cover", "total"), "TOTAL_COVER"},
		"upon oneself, behind total cover":    {spell("nod", "a", "cover", "total"), ""},
	} {
		wantReasonOf(t, name, f.Peek(c.cmd), c.reason)
	}
}

// rcr.surprise.one-action, rcr.flight.magic-worn-reactivate: an item that takes neither
// action nor bonus action waits for the surprise round to end; one that bears its user
// counts its charges only where it has any.
func TestItemsThatTakeNoTime(t *testing.T) {
	bag := rcrSheet(func(s *eventv1.RcrSheet) {
		s.Items = []*eventv1.RcrItem{{Name: "charm", Activation: "other", Charges: 1, Healing: "1"}, {Name: "boots", Activation: "other", FlySpeed: 30}, {Name: "broom", Activation: "other", FlySpeed: 30, Charges: 1}}
	})
	why := func(f *table, name string) error {
		c := f.Creature("a")
		i := slices.IndexFunc(body.SheetOf(c).Items, func(it *eventv1.RcrItem) bool { return it.Name == name })
		return answers.RefuseItem(f.State, c, body.SheetOf(c).Items[i])
	}
	f := newTable(t).add(fighter("a", "party", bag), fighter("b", "monsters")).start(nil, 20, 5)
	for _, name := range []string{"charm", "boots", "broom"} {
		wantReasonOf(t, name, why(f, name), "")
	}
	f.Count("a", body.CLeft+"charm", 0, body.CLeft+"broom", 0)
	for name, reason := range map[string]string{"charm": "NO_CHARGES", "boots": "", "broom": "NO_CHARGES"} {
		wantReasonOf(t, name+", spent", why(f, name), reason)
	}
	f = newTable(t).add(fighter("a", "party", bag), fighter("b", "monsters")).start([]string{"b"}, 20)
	for _, name := range []string{"charm", "boots", "broom"} {
		wantReasonOf(t, name+", in the surprise round", why(f, name), "ONE_ACTION")
	}
}

// rcr.equipment.barding-stats: what stands in the place of the sheet's armour class counts
// where it is better: as good leaves the sheet's as it is.
func TestWhichArmorCounts(t *testing.T) {
	for ac, source := range map[int32]string{13: "barding", 14: "armour class on the sheet", 15: "armour class on the sheet"} {
		f := newTable(t).add(fighter("a", "party", armor(ac), ability("dexterity", 16), rcrSheet(func(s *eventv1.RcrSheet) {
			s.Barding, s.BardingTraining = &eventv1.RcrBarding{Type: "leather"}, "light"
		})))
		var got *eventv1.TargetNumber
		f.Resolve(func(r *rules.Resolution) error {
			got = answers.ArmorClass(r, r.Creature("a"), nil, false, "")
			return nil
		})
		if got.Value != max(14, ac) || len(got.Modifiers) != 1 || got.Modifiers[0].Source != source {
			t.Errorf("%d: %v, want that of %s", ac, got, source)
		}
	}
}

// rcr.feat.metamagic-adept-options: an option is of use for a spell of an action's time,
// said or not; a spell that cannot be cast is refused for that, whatever options are named.
func TestOptionsOfNoUse(t *testing.T) {
	quick := func(name, time string) *eventv1.RcrSpell {
		return &eventv1.RcrSpell{Name: name, CastingTime: time, Level: 1, RangeFeet: 60, Save: &eventv1.RcrSave{Ability: "wisdom"}}
	}
	build := func(t *testing.T) *table {
		return newTable(t).add(fighter("a", "party", mage(), chosen(&eventv1.RcrFeat{Name: body.FeatMetamagicAdept, Picks: []string{"quickened", "heightened"}}),
			rcrSheet(func(s *eventv1.RcrSheet) {
				s.Spells = append(s.Spells, quick("a", "action"), quick("b", ""), quick("c", "bonus"), quick("d", "longer"))
			})), fighter("b", "monsters")).start(nil, 20, 5)
	}
	for name, reason := range map[string]string{"a": "", "b": "", "c": "METAMAGIC", "d": "METAMAGIC"} {
		f := build(t)
		f.falls(10)
		wantReasonOf(t, name, f.Try(act("a", "cast", name, "b", metamagic("quickened"))), reason)
	}
	f := build(t)
	f.Count("a", body.CSlot+"1", 0, body.CSlot+"2", 0)
	wantReasonOf(t, "no slot", f.Try(act("a", "cast", "a", "b", metamagic("heightened"))), "NO_SLOT")
	f = ruled(t, "{when: self.id == \"a\", cost: {action: cast, counter: action, amount: \"1\"}}").add(fighter("a", "party", mage(), chosen(&eventv1.RcrFeat{Name: body.FeatMetamagicAdept, Picks: []string{"quickened", "twinned"}})), fighter("b", "monsters")).start(nil, 20, 5)
	wantFault(t, f.Try(act("a", "cast", "no such spell", "b", metamagic("twinned"))), "take.item")
}

// Whoever names a thing that is not there is told so, whatever content makes of costs and
// wherever it sits: no action falls over it.
func TestThingsThatAreNotThere(t *testing.T) {
	var rows []string
	for _, a := range body.Frame().IDs() {
		rows = append(rows, "{when: self.id != \"b\", cost: {action: "+a+", counter: bonus, amount: cost + 1}}")
	}
	book := map[string]string{"rules.yaml": "- {id: r, title: R, effects: [" + strings.Join(rows[:len(rows)/2], ", ") + "]}\n- {id: s, title: S, effects: [" + strings.Join(rows[len(rows)/2:], ", ") + "]}\n"}
	worlds := map[string]func(t *testing.T) *table{
		"on foot": func(t *testing.T) *table {
			f := packTable(t, book).add(human(caster), orc(), beast(caster))
			return f.start(nil, 20, 5, 10)
		},
		"riding": func(t *testing.T) *table {
			f := packTable(t, book).add(human(caster), orc(), beast(caster))
			f.Must(act("a", "mount", "", "h"))
			return f.start(nil, 20, 5)
		},
		"riding, by the book": func(t *testing.T) *table { return rides(t, human(caster), beast(caster), orc()) },
	}
	for name, build := range worlds {
		t.Run(name, func(t *testing.T) {
			f := build(t)
			f.falls(10)
			for _, a := range body.Frame().IDs() {
				for _, who := range []string{"a", "h", "b"} {
					for _, target := range []string{"", "b"} {
						if err := f.Peek(act(who, a, "no such thing", target)); err == nil {
							t.Errorf("%s: %s with no such thing", who, a)
						}
					}
				}
			}
		})
	}
}
