package rcr

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	thedice "github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// feat gives a sheet feats.
func feat(names ...string) func(*eventv1.Sheet) {
	return rcrSheet(func(s *eventv1.RcrSheet) { s.Feats = append(s.Feats, names...) })
}

// weapons replaces the attacks of a sheet by melee weapons "name: properties", the
// first two in the hands.
func weapons(list ...*eventv1.RcrAttack) func(*eventv1.Sheet) {
	return rcrSheet(func(s *eventv1.RcrSheet) { s.Attacks = list })
}

func weapon(name, hand, kind string, properties ...string) *eventv1.RcrAttack {
	return &eventv1.RcrAttack{Name: name, Hand: hand, Bonus: 5, ReachFeet: 5, Properties: properties, Damage: []*eventv1.RcrDamage{{Dice: "1d6+3", Type: kind}}}
}

func (f *table) save(id, ability string, dc int32, faces ...int) *eventv1.Roll {
	f.T.Helper()
	f.Resolve(func(r *rules.Resolution) error {
		thedice.RollSave(r, "probe", r.Creature(id), ability, dc, "", nil, body.SaveOpts{})
		return nil
	}, faces...)
	return f.Roll("probe")
}

func (f *table) armor(id string) int32 {
	n := int32(0)
	f.Resolve(func(r *rules.Resolution) error {
		n = answers.ArmorClass(r, r.Creature(id), nil, false, "").Value
		return nil
	})
	return n
}

// off makes a fight with rules of feats switched off.
func off(rules ...string) []string {
	for i := range rules {
		rules[i] += "=off"
	}
	return rules
}

// rcr.feat.athlete-stand
func TestAthleteStands(t *testing.T) {
	lying := func(t *testing.T, settings []string, change ...func(*eventv1.Sheet)) *table {
		f := newTable(t, settings...)
		f.place(fighter("a", "party", change...), 0, 0)
		f.place(fighter("b", "monsters"), 5, 0)
		f.start(nil, 20, 5)
		f.Afflict("a", body.CondProne)
		return f
	}
	f := lying(t, nil, feat("athlete"))
	if o := optionOf(f, "a", "stand", ""); len(o.GetProvokes()) != 0 || o.GetCosts()[body.CMovement] != 5 {
		t.Errorf("shown as %v", o)
	}
	f.Must(act("a", "stand", "", ""))
	f.wantCount("a", body.CMovement, 25)
	f.wantCited(cite.FeatAthleteStand)
	f = lying(t, nil, feat("athlete"))
	f.Count("a", body.CWounds, 2) // crippled, and in shock: two dice for initiative
	f.End("a", 20, 20)
	f.End("b", 5)
	f.Must(act("a", "stand", "", ""))
	f.wantCount("a", body.CMovement, 10)
	f = lying(t, nil, feat("athlete"))
	f.Must(act("a", "crawl", "", "", feet(5, "threatened_by", []string{"b"})))
	f.wantAsked("b")
	f = lying(t, nil, feat("athlete"))
	f.Afflict("a", "grappled@b")
	wantRefused(t, f.Try(act("a", "stand", "", "")), cite.ConditionGrappledSpeed)
	for _, f := range []*table{lying(t, nil), lying(t, off(cite.FeatAthleteStand), feat("athlete")), lying(t, off(cite.FeatRevisedTextReplaces), feat("athlete"))} {
		f.Must(act("a", "stand", "", ""))
		f.wantAsked("b")
		f.Answer(body.DecOpportunity, "no")
		f.wantCount("a", body.CMovement, 15)
	}
}

// rcr.feat.athlete-climb-swim, rcr.feat.mobile-speed
func TestSpeedsOfFeats(t *testing.T) {
	f := newTable(t).add(fighter("a", "party", feat("athlete")), fighter("b", "party", feat("athlete", "mobile")), fighter("c", "party", feat("Mobile")), fighter("d", "monsters")).start(nil, 20, 15, 10, 5)
	for _, c := range []struct {
		id, mode string
		feet     int32
	}{{"a", "climb", 30}, {"a", "swim", 30}, {"a", "fly", 0}, {"b", "walk", 40}, {"b", "swim", 40}, {"c", "walk", 40}, {"c", "climb", 0}, {"d", "climb", 0}} {
		if got := body.SpeedIn(f.State, c.id, c.mode); got != c.feet {
			t.Errorf("%s: %s %d, want %d", c.id, c.mode, got, c.feet)
		}
	}
	for _, id := range []string{"a", "b"} {
		f.Count(id, body.CWounds, 2) // crippled
	}
	if climb, walk := body.SpeedIn(f.State, "a", "climb"), body.SpeedIn(f.State, "b", "walk"); climb != 15 || walk != 20 {
		t.Errorf("crippled: climb %d, walk %d; want 15, 20", climb, walk)
	}
	f.End("a", 20, 20)
	f.wantCount("b", body.CMovement, 20)
	g := newTable(t, off(cite.FeatMobileSpeed, cite.FeatAthleteClimbSwim)...).add(fighter("a", "party", feat("athlete", "mobile")))
	if walk, climb := body.SpeedIn(g.State, "a", "walk"), body.SpeedIn(g.State, "a", "climb"); walk != 30 || climb != 0 {
		t.Errorf("off: walk %d, climb %d", walk, climb)
	}
}

// rcr.feat.mobile-no-oa, rcr.feat.revised-text-replaces
func TestTheMobileProvokeNobody(t *testing.T) {
	for name, c := range map[string]struct {
		settings []string
		asked    bool
	}{"on": {nil, false}, "off": {off(cite.FeatMobileNoOa), true}} {
		f := newTable(t, c.settings...)
		f.place(fighter("a", "party", feat("mobile")), 10, 0)
		f.place(fighter("b", "monsters"), 0, 0)
		f.start(nil, 20, 5)
		f.Must(act("a", "move", "", "", func(take *eventv1.TakeAction) {
			take.Path = []*eventv1.Position{{X: 5}, {X: 10}, {X: 15}}
		}))
		if asked := len(f.Decisions) > 0; asked != c.asked {
			t.Errorf("%s: asked %v", name, asked)
		}
		if c.asked {
			continue
		}
		f.wantCited(cite.FeatMobileNoOa)
		// An interaction in reach provokes all the same.
		f.Place("a", 5, 0)
		f.Must(act("a", "use-object", "", ""))
		f.wantAsked("b")
	}
}

// rcr.feat.savage-attacker-crit-range, rcr.feat.revised-text-replaces
func TestSavageAttackersAreCriticalEarlier(t *testing.T) {
	for name, c := range map[string]struct {
		settings []string
		from     int32
		item     string
		face     int
		outcome  string
	}{
		"19 in melee":      {nil, 0, "sword", 19, "critical"},
		"18 in melee":      {nil, 0, "sword", 18, "hit"},
		"19 from afar":     {nil, 0, "bow", 19, "hit"},
		"18 of a champion": {nil, 19, "sword", 18, "critical"},
		"off":              {off(cite.FeatSavageAttackerCritRange), 0, "sword", 19, "hit"},
		"no feats":         {off(cite.FeatRevisedTextReplaces), 0, "sword", 19, "hit"},
	} {
		f := newTable(t, c.settings...).add(fighter("a", "party", feat("savage attacker"), rcrSheet(func(s *eventv1.RcrSheet) { s.Attacks[0].CriticalFrom = c.from })),
			fighter("b", "monsters")).start(nil, 20, 5)
		faces := []int{c.face, 4}
		if c.outcome == "critical" {
			faces = append(faces, 4)
		}
		f.Must(act("a", "attack", c.item, "b"), faces...)
		if got := f.Attack().Outcome; got != c.outcome {
			t.Errorf("%s: %s, want %s", name, got, c.outcome)
		}
		if slices.ContainsFunc(f.Rolls("/damage"), func(r *eventv1.Roll) bool { return len(r.Expression) > 8 }) {
			t.Errorf("%s: the damage is rolled again", name)
		}
	}
}

// rcr.feat.keen-mind-int-saves
func TestKeenMindsSave(t *testing.T) {
	f := newTable(t).add(fighter("a", "party", feat("keen mind"), ability("intelligence", 14)), fighter("b", "monsters")).start(nil, 20, 5)
	if roll := f.save("a", "intelligence", 14, 3, 13); roll.Total != 15 || len(roll.Edges) != 1 || roll.Edges[0].Rule != cite.FeatKeenMindIntSaves {
		t.Errorf("%v", roll)
	}
	f.save("a", "wisdom", 14, 3)
	f.Count("a", body.CWounds, 1) // in shock: they cancel
	if roll := f.save("a", "intelligence", 14, 13); roll.Total != 15 {
		t.Errorf("%v", roll)
	}
	g := newTable(t, off(cite.FeatKeenMindIntSaves)...).add(fighter("a", "party", feat("keen mind")))
	g.save("a", "intelligence", 14, 3)
}

// rcr.feat.durable-death-saves
func TestTheDurableDie(t *testing.T) {
	down := func(con int32, settings ...string) *table {
		f := newTable(t, settings...).add(fighter("a", "party", feat("durable"), ability("constitution", con)), fighter("b", "monsters")).start(nil, 5, 20)
		f.Count("a", body.CWounds, 2)
		f.Hurt("a", 0)
		return f
	}
	f := down(16)
	f.Harm(&eventv1.Harm{Deed: body.DeedTurnStart, Target: "a"}, 7, 12)
	f.wantCount("a", body.CDeathSuccesses, 1)
	f.wantCited(cite.FeatDurableDeathSaves)
	f = down(12) // in shock: they cancel
	f.Harm(&eventv1.Harm{Deed: body.DeedTurnStart, Target: "a"}, 7)
	f.wantCount("a", body.CDeathFailures, 1)
	f.wantCount("a", body.CExhaustion, 1)
	f = down(16, off(cite.FeatDurableDeathSaves)...)
	f.Harm(&eventv1.Harm{Deed: body.DeedTurnStart, Target: "a"}, 7)
	f.wantCount("a", body.CDeathFailures, 1)
}

// rcr.feat.durable-hit-dice
func TestTheDurableRest(t *testing.T) {
	rested := func(settings ...string) *table {
		f := newTable(t, settings...).add(fighter("a", "party", feat("durable"), ability("constitution", 14), rcrSheet(func(s *eventv1.RcrSheet) {
			s.HitDice = []*eventv1.RcrHitDice{{Size: 10, Total: 6}}
		}), func(s *eventv1.Sheet) { s.HitPoints = 60 }))
		f.Hurt("a", 10)
		f.Count("a", body.CWounds, 3)
		f.tend(&eventv1.PatientCommand{Deed: "short-rest", Patients: []string{"a"}, Parameters: object("dice", 2)}, 4, 7)
		return f
	}
	f := rested()
	f.WantHP("a", 29)
	f.wantCount("a", body.CWounds, 1)
	f.wantCited(cite.FeatDurableHitDice)
	rested(off(cite.FeatDurableHitDice)...).WantHP("a", 25)
}

// rcr.feat.war-caster-concentration, rcr.feat.mage-slayer-concentration
func TestConcentrationOfFeats(t *testing.T) {
	for name, c := range map[string]struct {
		feats, by []string
		wounds    int
		dc        int32
		settings  []string
		faces     []int
		kept      bool
	}{
		"war caster":               {[]string{"war caster"}, nil, 0, 15, nil, []int{4, 13}, true},
		"war caster in shock":      {[]string{"war caster"}, nil, 1, 10, nil, []int{8}, true},
		"off":                      {[]string{"war caster"}, nil, 0, 15, off(cite.FeatWarCasterConcentration), []int{4}, false},
		"mage slayer":              {nil, []string{"mage slayer"}, 0, 10, nil, []int{14, 6}, false},
		"both":                     {[]string{"war caster"}, []string{"mage slayer"}, 0, 9, nil, []int{7}, true},
		"mage slayer, without its": {nil, []string{"mage slayer"}, 0, 10, off(cite.FeatMageSlayerConcentration), []int{14}, true},
	} {
		f := newTable(t, c.settings...).add(fighter("a", "party", feat(c.feats...), rcrSheet(func(s *eventv1.RcrSheet) { s.Saves = map[string]int32{"constitution": 2} })),
			fighter("b", "monsters", feat(c.by...))).start(nil, 20, 5)
		f.Count("a", body.CWounds, c.wounds)
		f.Resolve(func(r *rules.Resolution) error {
			thedice.Concentrate(r, "a", "web")
			thedice.ConcentrationSave(r, r.Creature("a"), r.Creature("b"), c.dc)
			return nil
		}, c.faces...)
		if kept := body.Concentration(f.Creature("a")) != ""; kept != c.kept {
			t.Errorf("%s: kept %v", name, kept)
		}
	}
	t.Run("a plain saving throw", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party", feat("war caster"))).start(nil, 20)
		f.save("a", "constitution", 10, 9)
	})
	t.Run("hurt in a fight", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party", feat("mage slayer")), fighter("b", "monsters")).start(nil, 20, 5)
		f.Resolve(func(r *rules.Resolution) error { thedice.Concentrate(r, "b", "web"); return nil })
		f.Must(act("a", "attack", "sword", "b"), 15, 8, 18, 9)
		if body.Concentration(f.Creature("b")) != "" {
			t.Error("kept")
		}
		f.wantCited(cite.FeatMageSlayerConcentration)
	})
}

// rcr.feat.mage-slayer-saves
func TestMageSlayersSave(t *testing.T) {
	cast := func(x int32, settings []string, faces ...int) *table {
		f := newTable(t, settings...)
		f.place(fighter("a", "monsters", rcrSheet(func(s *eventv1.RcrSheet) {
			s.SpellDc, s.Spells = 15, []*eventv1.RcrSpell{{Name: "gust", CastingTime: "bonus", RangeFeet: 60, Save: &eventv1.RcrSave{Ability: "strength"}, Effects: []*eventv1.RcrEffect{{Condition: "deafened"}}}}
		})), 0, 0)
		f.place(fighter("b", "party", feat("mage slayer"), rcrSheet(func(s *eventv1.RcrSheet) { s.Saves = map[string]int32{"strength": 1} })), x, 0)
		f.start(nil, 20, 5)
		f.Must(act("a", "cast", "gust", "b"), faces...)
		return f
	}
	f := cast(5, off(cite.FeatMageSlayerReaction), 9, 14)
	if body.Has(f.Creature("b"), body.CondDeafened) {
		t.Error("total 15 against 15 fails")
	}
	f.wantCited(cite.FeatMageSlayerSaves)
	cast(10, nil, 9)
	cast(5, off(cite.FeatMageSlayerSaves, cite.FeatMageSlayerReaction), 9)
}

// rcr.feat.dual-wielder-ac, rcr.feat.improved-dual-ac
func TestTwoWeaponsGuard(t *testing.T) {
	for name, c := range map[string]struct {
		feats    []string
		settings []string
		ac       int32
	}{
		"neither": {nil, nil, 15}, "one": {[]string{"dual wielder"}, nil, 16}, "improved": {[]string{"improved dual wielder", "dual wielder"}, nil, 17},
		"one off":  {[]string{"dual wielder"}, off(cite.FeatDualWielderAc), 15},
		"both off": {[]string{"dual wielder", "improved dual wielder"}, off(cite.FeatDualWielderAc, cite.FeatImprovedDualAc), 15},
	} {
		f := newTable(t, c.settings...).add(fighter("a", "party", feat(c.feats...), weapons(weapon("rapier", "", "piercing", "finesse"), weapon("dagger", "off", "piercing", "light"))))
		if ac := f.armor("a"); ac != c.ac {
			t.Errorf("%s: %d, want %d", name, ac, c.ac)
		}
		f.start(nil, 20)
		f.Must(act("a", "drop", "dagger", ""))
		if ac := f.armor("a"); ac != 15 {
			t.Errorf("%s: %d with one weapon", name, ac)
		}
	}
}

// rcr.feat.dual-wielder-light, rcr.feat.improved-dual-light, rcr.feat.improved-dual-modifier
func TestTwoWeaponsStrike(t *testing.T) {
	rapier, dagger := weapon("rapier", "", "piercing", "one-handed"), weapon("dagger", "off", "piercing", "light")
	second, hammer := weapon("second rapier", "off", "piercing", "one-handed"), weapon("hammer", "off", "bludgeoning", "versatile")
	longsword := weapon("longsword", "", "slashing", "versatile")
	for name, c := range map[string]struct {
		feats       []string
		settings    []string
		main, other *eventv1.RcrAttack
		may         bool
		damage      int32
	}{
		"light alone":               {nil, nil, rapier, dagger, false, 0},
		"both light":                {nil, nil, weapon("knife", "", "piercing", "light"), dagger, true, 2},
		"dual, neither light":       {[]string{"dual wielder"}, nil, rapier, second, true, 2},
		"dual, versatile":           {[]string{"dual wielder"}, nil, rapier, hammer, false, 0},
		"dual, versatile first":     {[]string{"dual wielder"}, nil, longsword, second, false, 0},
		"dual off":                  {[]string{"dual wielder"}, off(cite.FeatDualWielderLight), rapier, second, false, 0},
		"improved, one versatile":   {[]string{"improved dual wielder", "dual wielder"}, nil, longsword, second, true, 5},
		"improved, both versatile":  {[]string{"improved dual wielder", "dual wielder"}, nil, longsword, hammer, false, 0},
		"improved without its":      {[]string{"improved dual wielder", "dual wielder"}, off(cite.FeatImprovedDualModifier), longsword, second, true, 2},
		"improved without light":    {[]string{"improved dual wielder", "dual wielder"}, off(cite.FeatImprovedDualLight), longsword, second, false, 0},
		"improved, light, modifier": {[]string{"improved dual wielder", "dual wielder"}, nil, weapon("knife", "", "piercing", "light"), dagger, true, 5},
	} {
		f := newTable(t, c.settings...).add(fighter("a", "party", ability("strength", 16), feat(c.feats...), weapons(c.main, c.other)), fighter("b", "monsters")).start(nil, 20, 5)
		f.Must(act("a", "attack", c.main.Name, "b"), 2)
		err := f.Try(act("a", "off-hand-attack", c.other.Name, "b"), 15, 2)
		if may := err == nil; may != c.may {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if c.may {
			if got := f.DamageTo("b"); got != c.damage {
				t.Errorf("%s: %d damage, want %d", name, got, c.damage)
			}
			f.wantCount("a", body.CBonus, 0)
		}
	}
}

// rcr.feat.improved-dual-extra-attack
func TestImprovedDualWieldersStrikeOnceMore(t *testing.T) {
	fight := func(attacks int32, settings ...string) *table {
		f := newTable(t, settings...).add(fighter("a", "party", feat("improved dual wielder", "dual wielder"), weapons(weapon("rapier", "", "piercing"), weapon("blade", "off", "slashing")),
			rcrSheet(func(s *eventv1.RcrSheet) { s.AttacksPerAction = attacks })), fighter("b", "monsters")).start(nil, 20, 5)
		f.Must(act("a", "attack", "rapier", "b"), 2)
		return f
	}
	f := fight(2)
	f.Must(act("a", "attack", "rapier", "b"), 2)
	if o := optionOf(f, "a", "off-hand-attack", "blade"); !o.GetLegal() || len(o.Costs) != 0 {
		t.Errorf("shown as %v", o)
	}
	f.Must(act("a", "off-hand-attack", "blade", "b"), 2)
	f.wantCount("a", body.CBonus, 1)
	f.Must(act("a", "off-hand-attack", "blade", "b"), 2)
	f.wantCount("a", body.CBonus, 0)
	wantRefused(t, f.Try(act("a", "off-hand-attack", "blade", "b")), body.Fallback)
	f = fight(2)
	f.Count("a", body.CBonus, 0)
	f.Must(act("a", "off-hand-attack", "blade", "b"), 2)
	wantRefused(t, f.Try(act("a", "off-hand-attack", "blade", "b")), body.Fallback)
	for _, f := range []*table{fight(1), fight(2, off(cite.FeatImprovedDualExtraAttack)...)} {
		f.Must(act("a", "off-hand-attack", "blade", "b"), 2)
		f.wantCount("a", body.CBonus, 0)
	}
}

// rcr.feat.dual-wielder-stow, rcr.feat.improved-dual-stow
func TestTwoWeaponsAreStowedAtOnce(t *testing.T) {
	for name, c := range map[string]struct {
		feats, settings []string
		property        string
		actions         int64
	}{
		"dual":       {[]string{"dual wielder"}, nil, "one-handed", 1},
		"improved":   {[]string{"improved dual wielder"}, off(cite.FeatDualWielderStow, cite.FeatImprovedDualPrerequisite), "one-handed", 1},
		"neither":    {nil, nil, "one-handed", 0},
		"off":        {[]string{"dual wielder"}, off(cite.FeatDualWielderStow), "one-handed", 0},
		"other ones": {[]string{"dual wielder"}, nil, "versatile", 0},
	} {
		f := newTable(t, c.settings...).add(fighter("a", "party", feat(c.feats...), weapons(weapon("one", "", "piercing", c.property), weapon("two", "off", "slashing", c.property))),
			fighter("b", "monsters")).start(nil, 20, 5)
		f.Must(act("a", "stow", "one", ""))
		f.Must(act("a", "stow", "two", ""))
		f.wantCount("a", body.CInteraction, 0)
		if got := f.Creature("a").Counters[body.CAction]; got != c.actions {
			t.Errorf("%s: %d actions left, want %d", name, got, c.actions)
		}
		f.wantPlace("a", "two", "stowed")
	}
}

// rcr.feat.grappler-advantage
func TestGrapplersStrikeWhomTheyHold(t *testing.T) {
	fight := func(settings ...string) *table {
		f := newTable(t, settings...).add(fighter("a", "party", feat("grappler")), fighter("b", "monsters"), fighter("c", "monsters")).start(nil, 20, 5, 4)
		f.Afflict("b", "grappled@a")
		return f
	}
	f := fight()
	f.Must(act("a", "attack", "sword", "b"), 4, 16, 2)
	f.wantCited(cite.FeatGrapplerAdvantage)
	f = fight()
	f.Must(act("a", "attack", "sword", "c"), 4)
	f = fight()
	f.Count("a", body.CWounds, 2) // crippled
	f.Must(act("a", "attack", "sword", "b"), 4)
	f = fight(off(cite.FeatGrapplerAdvantage)...)
	f.Must(act("a", "attack", "sword", "b"), 4)
}
