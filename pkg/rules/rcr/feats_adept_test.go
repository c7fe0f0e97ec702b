package rcr

import (
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/movement"
	"github.com/skaldrpg/skald/pkg/rules/rcr/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// maneuvers gives a sheet two manoeuvres and the feat for them, and a third that the feat
// does not teach.
func maneuvers(more ...func(*eventv1.RcrSheet)) func(*eventv1.Sheet) {
	return func(s *eventv1.Sheet) {
		trip := func(name string) *eventv1.RcrPower {
			return &eventv1.RcrPower{Name: name, Cost: "free", RangeFeet: 5, Save: &eventv1.RcrSave{Ability: "strength"},
				Effects: []*eventv1.RcrEffect{{Condition: "prone"}}}
		}
		s.GetRcr().Powers = []*eventv1.RcrPower{trip("trip attack"), trip("pushing attack"), trip("menace")}
		s.GetRcr().ChosenFeats = []*eventv1.RcrFeat{{Name: "martial adept", Picks: []string{"Trip Attack", "pushing attack"}}}
		for _, m := range more {
			m(s.GetRcr())
		}
	}
}

// rcr.feat.martial-adept-dice, rcr.feat.martial-adept-maneuvers, rcr.feat.martial-adept-dc
func TestMartialAdepts(t *testing.T) {
	fight := func(settings []string, change ...func(*eventv1.Sheet)) *table {
		return newTable(t, settings...).add(fighter("a", "party", append([]func(*eventv1.Sheet){maneuvers(), ability("strength", 16)}, change...)...),
			fighter("b", "monsters", rcrSheet(func(s *eventv1.RcrSheet) { s.Saves = map[string]int32{"strength": 2} }))).start(nil, 20, 5)
	}
	left := body.CLeft + body.ResSuperiority
	dc := func(f *table) int32 { return f.Roll("power/save/b").Target.Value }
	// Weapon DC 15, two levels of exhaustion: 13, which 11 and 2 make.
	f := fight(nil, rcrSheet(func(s *eventv1.RcrSheet) { s.WeaponDc = 15 }))
	f.Count("a", body.CExhaustion, 2)
	f.wantCount("a", left, 2)
	f.Must(act("a", "use-power", "trip attack", "b"), 11)
	if dc(f) != 13 || body.Has(f.Creature("b"), body.CondProne) {
		t.Errorf("DC %d, want 13 and on its feet", dc(f))
	}
	f.wantCited(cite.FeatMartialAdeptDc)
	f.wantCount("a", left, 1)
	f.Must(act("a", "use-power", "pushing attack", "b"), 10)
	if !body.Has(f.Creature("b"), body.CondProne) {
		t.Error("12 against 13: still on its feet")
	}
	f.wantCount("a", left, 0)
	if err := f.Try(act("a", "use-power", "trip attack", "b")); err == nil {
		t.Error("a third die")
	}
	// One that the feat does not teach: no die, no weapon DC.
	f = fight(nil, rcrSheet(func(s *eventv1.RcrSheet) { s.WeaponDc = 15 }))
	f.Count("a", body.CExhaustion, 2)
	f.Must(act("a", "use-power", "menace", "b"), 10)
	f.wantCount("a", left, 2)
	if dc(f) != 11-2 {
		t.Errorf("DC %d of another power, want 9", dc(f))
	}
	// A sheet that gives no weapon DC: 8, 3, and Strength 3.
	f = fight(nil)
	f.Must(act("a", "use-power", "trip attack", "b"), 11)
	if dc(f) != 14 {
		t.Errorf("DC %d, want 14", dc(f))
	}
	f = fight(off(cite.FeatMartialAdeptDc), rcrSheet(func(s *eventv1.RcrSheet) { s.WeaponDc = 15 }))
	f.Must(act("a", "use-power", "trip attack", "b"), 11)
	if dc(f) != 11 {
		t.Errorf("off: DC %d, want 11", dc(f))
	}
	// A DC that the power gives stays.
	f = fight(nil, rcrSheet(func(s *eventv1.RcrSheet) { s.Powers[0].Save.Dc = 17 }))
	f.Must(act("a", "use-power", "trip attack", "b"), 11)
	if dc(f) != 17 {
		t.Errorf("given: DC %d, want 17", dc(f))
	}
	for name, c := range map[string]struct {
		settings []string
		change   func(*eventv1.Sheet)
		want     int64
		has      bool
	}{
		"included": {nil, rcrSheet(func(s *eventv1.RcrSheet) { s.ChosenFeats[0].Included = true }), 0, false},
		"off":      {off(cite.FeatMartialAdeptDice), rcrSheet(func(*eventv1.RcrSheet) {}), 0, false},
		"others too": {nil, rcrSheet(func(s *eventv1.RcrSheet) {
			s.Resources = []*eventv1.RcrResource{{Name: "superiority dice", Current: 4, Max: 4, Recharge: "short rest"}}
			s.Powers[0].Resource = "superiority dice"
		}), 2, true},
	} {
		f := fight(c.settings, c.change)
		n, has := f.Creature("a").Counters[left]
		if n != c.want || has != c.has {
			t.Errorf("%s: %d dice of the feat (%v), want %d", name, n, has, c.want)
		}
	}
	f = fight(nil, rcrSheet(func(s *eventv1.RcrSheet) {
		s.Resources = []*eventv1.RcrResource{{Name: "superiority dice", Current: 4, Max: 4, Recharge: "short rest"}}
		s.Powers[0].Resource = "superiority dice"
	}))
	f.Must(act("a", "use-power", "trip attack", "b"), 20)
	f.wantCount("a", left, 2)
	f.wantCount("a", body.CLeft+"superiority dice", 3)
}

// rcr.feat.martial-adept-dice, rcr.feat.metamagic-adept-points: what rests give back.
func TestWhatAdeptsRegain(t *testing.T) {
	for kind, want := range map[string][2]int64{"short": {2, 0}, "long": {2, 2}} {
		f := newTable(t).add(fighter("a", "party", mage(), maneuvers(func(s *eventv1.RcrSheet) {
			s.ChosenFeats = append(s.ChosenFeats, &eventv1.RcrFeat{Name: "metamagic adept", Picks: []string{"quickened", "subtle"}})
		})))
		f.Count("a", body.CLeft+body.ResSuperiority, 0)
		f.Count("a", body.CLeft+body.ResMetamagic, 0)
		f.tend(patientDeed("rest", "", []string{"a"}, "", "kind", kind))
		f.wantCount("a", body.CLeft+body.ResSuperiority, want[0])
		f.wantCount("a", body.CLeft+body.ResMetamagic, want[1])
	}
}

// mage gives a sheet spells of all shapes, and Charisma 16.
func mage() func(*eventv1.Sheet) {
	return func(s *eventv1.Sheet) {
		s.Abilities["charisma"] = 16
		r := s.GetRcr()
		r.SpellSlots, r.SpellDc, r.SpellAttackBonus = []int32{4, 3}, 14, 6
		r.Spells = []*eventv1.RcrSpell{
			{Name: "fire bolt", CastingTime: "action", Verbal: true, Somatic: true, RangeFeet: 120, Attack: "ranged", Damage: []*eventv1.RcrDamage{{Dice: "2d10", Type: "fire"}}},
			{Name: "burning hands", Level: 1, CastingTime: "action", Verbal: true, Somatic: true, RangeFeet: 15, Targets: 6, Save: &eventv1.RcrSave{Ability: "dexterity", HalfOnSuccess: true}, Damage: []*eventv1.RcrDamage{{Dice: "3d6", Type: "fire"}}},
			{Name: "hold", Level: 2, CastingTime: "action", Verbal: true, RangeFeet: 60, Save: &eventv1.RcrSave{Ability: "wisdom"}, Effects: []*eventv1.RcrEffect{{Condition: "restrained", Rounds: 10}}},
			{Name: "healing touch", Level: 1, RangeFeet: 5, CastingTime: "bonus", Healing: "1d8"},
		}
	}
}

func metamagic(list ...string) func(*eventv1.TakeAction) {
	return withParameters("metamagic", list)
}

// rcr.feat.metamagic-adept-options, rcr.feat.metamagic-adept-points
func TestMetamagicAdepts(t *testing.T) {
	fight := func(one, two string, change ...func(*eventv1.Sheet)) *table {
		return newTable(t).add(fighter("a", "party", append([]func(*eventv1.Sheet){mage(), chosen(&eventv1.RcrFeat{Name: "metamagic adept", Picks: []string{one, two}})}, change...)...),
			fighter("b", "monsters"), fighter("c", "monsters")).start(nil, 20, 5, 4)
	}
	sorcerer := rcrSheet(func(s *eventv1.RcrSheet) {
		s.Resources = []*eventv1.RcrResource{{Name: "sorcery points", Current: 5, Max: 5, Recharge: "long rest"}}
	})
	feat, own := body.CLeft+body.ResMetamagic, body.CLeft+"sorcery points"

	f := fight("quickened", "twinned")
	f.wantCount("a", feat, 2)
	f.Must(act("a", "cast", "hold", "b", metamagic("quickened")), 10)
	f.wantCount("a", body.CBonus, 0)
	f.wantCount("a", body.CAction, 1)
	f.wantCount("a", feat, 0)
	f.wantCited(cite.FeatMetamagicAdeptOptions, cite.FeatMetamagicAdeptPoints)
	wantRefused(t, f.Try(act("a", "cast", "fire bolt", "b", metamagic("twinned"))), cite.FeatMetamagicAdeptPoints)
	wantRefused(t, f.Try(act("a", "cast", "fire bolt", "b", metamagic("subtle"))), cite.FeatMetamagicAdeptOptions) // not learnt

	// Two of which neither goes with another.
	f = fight("distant", "subtle")
	wantRefused(t, f.Try(act("a", "cast", "fire bolt", "b", metamagic("distant", "subtle"))), cite.FeatMetamagicAdeptOptions)
	f.wantCount("a", feat, 2)
	// Twice as far; a touch from 30 feet.
	wantRefused(t, f.Try(act("a", "cast", "fire bolt", "b", withFacts("distance", 240))), cite.BaseFifthEditionFallback)
	f.Must(act("a", "cast", "fire bolt", "b", withFacts("distance", 240), metamagic("distant")), 2)
	f.wantCount("a", feat, 1)
	wantRefused(t, f.Try(act("a", "cast", "healing touch", "c", withFacts("distance", 35), metamagic("distant"))), cite.BaseFifthEditionFallback)
	wantRefused(t, f.Try(act("a", "cast", "healing touch", "c", withFacts("distance", 30))), cite.BaseFifthEditionFallback)
	f.End("a", 20)
	f.End("b", 5)
	f.End("c", 4)
	f.Must(act("a", "cast", "healing touch", "c", withFacts("distance", 30), metamagic("distant")), 5)
	// No words and no gestures, though its arms are bound.
	f = fight("distant", "subtle")
	f.Afflict("a", body.CondRestrained)
	wantRefused(t, f.Try(act("a", "cast", "burning hands", "b")), cite.ConditionRestrainedSomatic)
	f.Must(act("a", "cast", "burning hands", "b", metamagic("subtle")), 1, 1, 1, 10)
	f.wantCount("a", feat, 1)

	// A second target, at the spell's level in points.
	f = fight("twinned", "subtle", sorcerer)
	wantRefused(t, f.Try(act("a", "cast", "burning hands", "b", metamagic("twinned"))), cite.FeatMetamagicAdeptOptions)
	f.Must(act("a", "cast", "hold", "b", metamagic("twinned"), func(take *eventv1.TakeAction) { take.Targets = []string{"b", "c"} }), 2, 20)
	f.wantCount("a", feat, 0)
	f.wantCount("a", own, 5)
	if !body.Has(f.Creature("b"), body.CondRestrained) || body.Has(f.Creature("c"), body.CondRestrained) {
		t.Error("b is held, c is not")
	}

	// The first save has disadvantage, three points; those of the feat first.
	f = fight("heightened", "extended", sorcerer)
	f.Must(act("a", "cast", "hold", "b", metamagic("heightened")), 15, 2)
	f.wantCount("a", feat, 0)
	f.wantCount("a", own, 4)
	if x := body.Condition(f.Creature("b"), body.CondRestrained); x.GetUntil().GetTurns() != 10 {
		t.Errorf("held until %v", x.GetUntil())
	}
	f = fight("heightened", "extended")
	wantRefused(t, f.Try(act("a", "cast", "hold", "b", metamagic("heightened"))), cite.FeatMetamagicAdeptPoints)
	wantRefused(t, f.Try(act("a", "cast", "fire bolt", "b", metamagic("extended"))), cite.FeatMetamagicAdeptOptions)
	f.Must(act("a", "cast", "hold", "b", metamagic("extended")), 2)
	if x := body.Condition(f.Creature("b"), body.CondRestrained); x.GetUntil().GetTurns() != 20 {
		t.Errorf("extended: held until %v", x.GetUntil())
	}

	// Those spared succeed; as many as Charisma 16 lets it.
	f = fight("careful", "empowered")
	spare := withParameters("spared", []string{"c"}, "metamagic", []string{"careful"})
	f.Must(act("a", "cast", "burning hands", "b", spare, func(take *eventv1.TakeAction) { take.Targets = []string{"b", "c"} }), 4, 4, 4, 2)
	f.WantHP("b", 28)
	f.WantHP("c", 34)
	f.End("a", 20)
	f.End("b", 5)
	f.End("c", 4)
	if err := f.Try(act("a", "cast", "burning hands", "b", withParameters("spared", []string{"b"}))); err == nil {
		t.Error("spared without being careful")
	}
	// Empowered goes beside another: 1, 2 and 6 are rolled, the two lowest again.
	both := withParameters("spared", []string{"b"}, "metamagic", []string{"careful", "empowered"})
	wantRefused(t, f.Try(act("a", "cast", "burning hands", "b", both)), cite.FeatMetamagicAdeptPoints) // one point is left
	f.Count("a", feat, 2)
	f.Must(act("a", "cast", "burning hands", "b", both), 1, 2, 6)
	f.Answer(strike.DecEmpower, "2", 5, 6)
	f.WantHP("b", 28-17/2)
	f.wantCount("a", feat, 0)
}

// rcr.feat.metamagic-adept-options: what lasts a minute or longer lasts twice as long when it
// is extended, and no longer than 24 hours.
func TestExtended(t *testing.T) {
	for rounds, want := range map[int32]int32{9: 0, 10: 20, 7_199: 14_398, 7_200: 14_400, 7_201: 14_400, 14_400: 14_400} {
		f := newTable(t).add(fighter("a", "party", mage(), chosen(&eventv1.RcrFeat{Name: "metamagic adept", Picks: []string{"extended", "subtle"}}), func(s *eventv1.Sheet) {
			for _, sp := range s.GetRcr().Spells {
				if sp.Name == "hold" {
					sp.Effects[0].Rounds = rounds
				}
			}
		}), fighter("b", "monsters")).start(nil, 20, 5)
		if want == 0 {
			wantRefused(t, f.Try(act("a", "cast", "hold", "b", metamagic("extended"))), cite.FeatMetamagicAdeptOptions)
			continue
		}
		f.Must(act("a", "cast", "hold", "b", metamagic("extended")), 2)
		if got := body.Condition(f.Creature("b"), body.CondRestrained).GetUntil().GetTurns(); got != want {
			t.Errorf("%d rounds extended: %d, want %d", rounds, got, want)
		}
	}
}

// rcr.feat.metamagic-adept-options: an attack roll, and the module off.
func TestEmpoweredAttacks(t *testing.T) {
	fight := func(settings ...string) *table {
		return newTable(t, settings...).add(fighter("a", "party", mage(), ability("charisma", 8), chosen(&eventv1.RcrFeat{Name: "metamagic adept", Picks: []string{"empowered", "subtle"}})),
			fighter("b", "monsters")).start(nil, 20, 5)
	}
	f := fight()
	f.Must(act("a", "cast", "fire bolt", "b", metamagic("empowered")), 15, 3, 2)
	f.Answer(strike.DecEmpower, "1", 9) // Charisma 8: one die all the same
	f.WantHP("b", 40-12)
	f = fight()
	f.Must(act("a", "cast", "fire bolt", "b", metamagic("empowered")), 15, 3, 2)
	f.Answer(strike.DecEmpower, "keep")
	f.WantHP("b", 35)
	wantRefused(t, fight(off(cite.FeatMetamagicAdeptOptions)...).Try(act("a", "cast", "fire bolt", "b", metamagic("empowered"))), cite.FeatMetamagicAdeptOptions)
	wantRefused(t, fight(off(cite.FeatMetamagicAdeptPoints)...).Try(act("a", "cast", "fire bolt", "b", metamagic("empowered"))), cite.FeatMetamagicAdeptPoints)
}

// rcr.feat.metamagic-adept-swap
func TestMetamagicIsExchangedWithALevel(t *testing.T) {
	for name, c := range map[string]struct {
		settings []string
		level    int32
		picks    []string
		ok       bool
	}{
		"no level":       {nil, 5, []string{"subtle", "distant"}, false},
		"the same":       {nil, 5, []string{"twinned", "subtle"}, true},
		"one":            {nil, 6, []string{"subtle", "distant"}, true},
		"none":           {nil, 6, []string{"subtle", "twinned"}, true},
		"both":           {nil, 6, []string{"careful", "distant"}, false},
		"off":            {off(cite.FeatMetamagicAdeptSwap), 5, []string{"careful", "distant"}, true},
		"without module": {off(cite.FeatRevisedTextReplaces), 5, []string{"careful", "distant"}, true},
	} {
		f := newTable(t, c.settings...).add(fighter("a", "party", mage(), chosen(&eventv1.RcrFeat{Name: "metamagic adept", Picks: []string{"subtle", "twinned"}})))
		s := proto.CloneOf(f.State.Creatures["a"].Sheet)
		s.GetRcr().Level, s.GetRcr().ChosenFeats[0].Picks = c.level, c.picks
		edit := &eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "a", Sheet: s}}}
		if !c.ok {
			wantRefused(t, f.Try(edit), cite.FeatMetamagicAdeptSwap)
			continue
		}
		f.Must(edit)
		if got := f.State.Creatures["a"].Sheet.GetRcr().ChosenFeats[0].Picks; got[1] != c.picks[1] {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// A feat that a new sheet brings is there to be used, and what is used stays used.
//
// rcr.feat.martial-adept-dice
func TestANewSheetBringsDice(t *testing.T) {
	f := newTable(t).add(fighter("a", "party", maneuvers(func(s *eventv1.RcrSheet) { s.ChosenFeats = nil })))
	edit := func(change func(*eventv1.RcrSheet)) {
		s := proto.CloneOf(f.State.Creatures["a"].Sheet)
		change(s.GetRcr())
		f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "a", Sheet: s}}})
	}
	edit(func(s *eventv1.RcrSheet) {
		s.ChosenFeats = []*eventv1.RcrFeat{{Name: "martial adept", Picks: []string{"trip attack", "pushing attack"}}}
	})
	f.wantCount("a", body.CLeft+body.ResSuperiority, 2)
	f.Count("a", body.CLeft+body.ResSuperiority, 1)
	edit(func(s *eventv1.RcrSheet) { s.Level++ })
	f.wantCount("a", body.CLeft+body.ResSuperiority, 1)
}

// rcr.feat.spell-sniper-cantrip
func TestSpellSnipersCastByTheList(t *testing.T) {
	sniper := chosen(&eventv1.RcrFeat{Name: "spell sniper", Ability: "charisma", Picks: []string{"Fire Bolt"}, SpellList: "wizard"})
	for name, c := range map[string]struct {
		settings []string
		change   func(*eventv1.Sheet)
		want     int32
	}{
		"wizard":   {nil, sniper, 4}, // Intelligence 1, proficiency 3
		"bard":     {nil, chosen(&eventv1.RcrFeat{Name: "spell sniper", Ability: "charisma", Picks: []string{"Fire Bolt"}, SpellList: "bard"}), 6},
		"off":      {off(cite.FeatSpellSniperCantrip), sniper, 6},
		"nobody":   {nil, rcrSheet(func(*eventv1.RcrSheet) {}), 6},
		"included": {nil, chosen(&eventv1.RcrFeat{Name: "spell sniper", Included: true}), 6},
	} {
		f := newTable(t, c.settings...).add(fighter("a", "party", mage(), ability("intelligence", 12), c.change), fighter("b", "monsters")).start(nil, 20, 5)
		f.Must(act("a", "cast", "fire bolt", "b"), 2)
		if got := f.Roll("cast/1/to-hit").Modifiers[0].Value; got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

// rcr.feat.sentinel-guard, rcr.feat.mage-slayer-reaction, rcr.feat.mage-slayer-saves:
// by what is stated, without positions.
func TestReachIsStated(t *testing.T) {
	fight := func(settings ...string) *table {
		return newTable(t, settings...).add(fighter("a", "party", feat("sentinel", "mage slayer")), fighter("b", "monsters", mage()), fighter("d", "party")).start(nil, 5, 20, 4)
	}
	in, out := withFacts("threatened_by", []string{"a"}), withFacts("threatened_by", []string{"d"})
	f := fight()
	f.Must(act("b", "attack", "sword", "d", in), 2)
	f.Answer(movement.DecGuard, "sword", 15, 4)
	f.WantHP("b", 33)
	for name, c := range map[string]struct {
		settings []string
		target   string
		said     func(*eventv1.TakeAction)
	}{
		"at the sentinel": {nil, "a", in}, "out of reach": {nil, "d", out}, "nothing said": {nil, "d", func(*eventv1.TakeAction) {}},
		"off": {off(cite.FeatSentinelGuard), "d", in},
	} {
		f := fight(c.settings...)
		if f.Must(act("b", "attack", "sword", c.target, c.said), 2); len(f.Decisions) > 0 {
			t.Errorf("%s: asked all the same", name)
		}
	}
	// What is said stands over what is measured.
	f = fight()
	f.Place("a", 0, 0)
	f.Place("b", 5, 0)
	f.Place("d", 10, 0)
	if f.Must(act("b", "attack", "sword", "d", out), 2); len(f.Decisions) > 0 {
		t.Error("measured, though it is said otherwise")
	}
	// A caster in the reach of a mage slayer: 10 against DC 10 goes on.
	f = fight()
	f.Must(act("b", "cast", "fire bolt", "d", withFacts("threatened_by", []string{"a"})))
	f.Answer(body.DecOpportunity, "no")
	f.Answer(movement.DecSlay, "sword", 15, 4, 10, 2)
	f.WantHP("b", 33)
	f.wantCited(cite.FeatMageSlayerReaction)
	// It saves better against one in its reach.
	for name, c := range map[string]struct {
		said  func(*eventv1.TakeAction)
		faces []int
	}{"within": {withFacts("threatened_by", []string{"a"}), []int{1, 1, 1, 9, 14}}, "beyond": {withFacts("threatened_by", []string{}), []int{1, 1, 1, 9}}} {
		f := newTable(t).add(fighter("a", "party", feat("mage slayer"), weapons()), fighter("b", "monsters", mage())).start(nil, 5, 20)
		// The fist of whoever holds nothing could strike as well.
		cast, no := act("b", "cast", "burning hands", "a", c.said), &eventv1.Answer{Option: "no"}
		cast.Answers = []*eventv1.EarlyAnswer{{Decision: body.DecOpportunity, Answer: no}, {Decision: movement.DecSlay, Answer: no}}
		f.Must(cast, c.faces...)
		if roll := f.Roll("cast/save/a"); len(roll.Dice) != len(c.faces)-3 {
			t.Errorf("%s: %v", name, roll)
		}
	}
}

// rcr.feat.dungeon-delver-trap-resistance, rcr.feat.dungeon-delver-trap-saves: said with the
// act, and with harm between fights.
func TestTrapsAreStated(t *testing.T) {
	trap := withFacts("trap", true)
	fight := func(settings ...string) *table {
		return newTable(t, settings...).add(fighter("a", "party", feat("dungeon delver")), fighter("b", "monsters", mage(), rcrSheet(func(s *eventv1.RcrSheet) {
			s.Powers = []*eventv1.RcrPower{{Name: "gas", RangeFeet: 30, Save: &eventv1.RcrSave{Ability: "constitution", Dc: 14, HalfOnSuccess: true}, Damage: []*eventv1.RcrDamage{{Dice: "17", Type: "poison"}}}}
		}))).start(nil, 5, 20)
	}
	f := fight()
	f.Must(act("b", "use-power", "gas", "a", trap), 3, 4)
	f.WantHP("a", 40-8)
	f.wantCited(cite.FeatDungeonDelverTrapResistance, cite.FeatDungeonDelverTrapSaves)
	f = fight()
	f.Must(act("b", "use-power", "gas", "a", trap), 3, 14) // half first, 8, then resistance
	f.WantHP("a", 36)
	f = fight()
	f.Must(act("b", "use-power", "gas", "a", withFacts("trap", false)), 3)
	f.WantHP("a", 23)
	f = fight(off(cite.FeatDungeonDelverTrapResistance, cite.FeatDungeonDelverTrapSaves)...)
	f.Must(act("b", "use-power", "gas", "a", trap), 3)
	f.WantHP("a", 23)
	f = fight()
	f.Must(act("b", "attack", "sword", "a", trap), 15, 4)
	f.WantHP("a", 40-3)
	f = fight()
	f.Must(act("b", "cast", "burning hands", "a", trap), 6, 6, 6, 2, 3)
	f.WantHP("a", 31)
	g := newTable(t).add(fighter("a", "party", feat("dungeon delver")))
	g.tend(patientDeed("harm", "darts", []string{"a"}, "", "amount", 17, "type", "piercing", "trap", true))
	g.WantHP("a", 32)
	g.tend(patientDeed("harm", "an arrow", []string{"a"}, "", "amount", 17, "type", "piercing"))
	g.WantHP("a", 15)
}

// rcr.feat.tavern-brawler-property
func TestTavernBrawlersGiveThingsAProperty(t *testing.T) {
	bench := func() *eventv1.RcrAttack {
		a := weapon("bench", "main", "bludgeoning", "improvised", "thrown")
		a.RangeFeet = 20
		return a
	}
	fight := func(settings []string, names ...string) *table {
		f := newTable(t, settings...)
		f.place(fighter("a", "party", feat(names...), weapons(bench(), weapon("club", "off", "bludgeoning", "light"))), 0, 0)
		f.place(fighter("b", "monsters", weapons()), 10, 0)
		return f.start(nil, 20, 5)
	}
	give := func(item, property string) *eventv1.Command {
		return act("a", "improvise", item, "", withParameters("property", property))
	}
	reach := func(f *table) int32 { return body.ReachOf(f.Creature("a")) }
	f := fight(nil, "tavern brawler")
	if err := f.Try(give("bench", "finesse")); err == nil { // not on the list
		t.Error("a bench with finesse")
	}
	wantRefused(t, f.Try(give("club", "reach")), cite.FeatTavernBrawlerProperty)
	f.Must(give("bench", "reach"))
	f.wantCited(cite.FeatTavernBrawlerProperty)
	f.wantCount("a", body.CAction, 1)
	wantRefused(t, f.Try(give("bench", "trip")), cite.FeatTavernBrawlerProperty) // fixed while it is held
	if reach(f) != 10 {
		t.Errorf("reach %d, want 10", reach(f))
	}
	f.Must(act("a", "attack", "bench", "b", withParameters("throw", false)), 15, 4)
	f.WantHP("b", 33)
	f.Must(act("a", "drop", "bench", ""))
	if reach(f) != 5 || len(f.Creature("a").Sheet.GetRcr().Attacks[0].Properties) != 2 {
		t.Errorf("dropped: %v", f.Creature("a").Sheet.GetRcr().Attacks[0])
	}
	wantRefused(t, f.Try(give("bench", "reach")), cite.FeatTavernBrawlerProperty) // not in hand
	f.Must(act("a", "draw", "bench", "", withParameters("hand", "main")))
	f.Must(give("bench", "light")) // chosen anew
	if reach(f) != 5 {
		t.Errorf("light: reach %d, want 5", reach(f))
	}
	// What is thrown is held no more.
	f = fight(nil, "tavern brawler")
	f.Must(give("bench", "heavy"))
	f.Must(act("a", "attack", "bench", "b", withParameters("throw", true)), 2)
	if body.Named(f.Creature("a").Sheet.GetRcr().Attacks[0].Properties, "heavy") {
		t.Error("thrown, and heavy still")
	}
	wantRefused(t, fight(off(cite.FeatTavernBrawlerProperty), "tavern brawler").Try(give("bench", "reach")), cite.FeatTavernBrawlerProperty)
	if err := fight(nil, "mobile").Try(give("bench", "reach")); err == nil {
		t.Error("no tavern brawler")
	}
}

// rcr.feat.athlete-running-jump
func TestAthletesRunUp(t *testing.T) {
	for name, c := range map[string]struct {
		settings []string
		feats    []string
		feet     int32
	}{
		"athlete": {nil, []string{"athlete"}, 5}, "another": {nil, []string{"mobile"}, 10}, "nobody": {nil, nil, 10},
		"off": {off(cite.FeatAthleteRunningJump), []string{"athlete"}, 10}, "no feats": {off(cite.FeatRevisedTextReplaces), []string{"athlete"}, 10},
	} {
		f := newTable(t, c.settings...).add(fighter("a", "party", feat(c.feats...)))
		if feet, rule := body.RunUp(f.State, f.Creature("a")); feet != c.feet || (rule == cite.FeatAthleteRunningJump) != (c.feet == 5) {
			t.Errorf("%s: %d feet by %s, want %d", name, feet, rule, c.feet)
		}
	}
}

// rcr.feat.defensive-duelist-parry: the weapon is one of basic training at least.
func TestDuelistsParryWithWhatTheyAreTrainedIn(t *testing.T) {
	for rank, parries := range map[string]bool{"untrained": false, "basic": true, "master": true, "": true} {
		f := newTable(t).add(fighter("a", "party", feat("defensive duelist"), ability("dexterity", 13), weapons(weapon("rapier", "", "piercing", "finesse")),
			rcrSheet(func(s *eventv1.RcrSheet) {
				if rank != "" {
					s.Training = []*eventv1.RcrTraining{{Name: "Rapier", Rank: rank}}
				}
			})), fighter("b", "monsters")).start(nil, 5, 20)
		faces := []int{12}
		if !parries {
			faces = []int{12, 4}
		}
		if f.Must(act("b", "attack", "sword", "a"), faces...); len(f.Decisions) > 0 != parries {
			t.Errorf("%q: asked %v", rank, f.Decisions)
		}
	}
}
