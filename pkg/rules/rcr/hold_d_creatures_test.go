package rcr

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.flight.adv-upward-ranged: one is higher than another by their places, where both are
// known, else by their altitudes; where one hides and nobody saw it, by nothing.
func TestWhoIsHigher(t *testing.T) {
	at := func(place *eventv1.Position, altitude int64, conditions ...string) *eventv1.Creature {
		c := creatureOf(fighter("a", "party"), 0, 0, conditions...)
		c.Position, c.Counters[body.CAltitude] = place, altitude
		return c
	}
	for name, w := range map[string]struct {
		c, other *eventv1.Creature
		feet     int32
	}{
		"on the map":                    {at(spot(0, 0, 5), 0), at(spot(0, 0, 40), 0), 35},
		"on the map, below":             {at(spot(0, 0, 40), 0), at(spot(0, 0, 5), 0), -35},
		"off the map":                   {at(nil, 10), at(nil, 40), 30},
		"one alone is on the map":       {at(spot(0, 0, 10), 0), at(nil, 40), 30},
		"the other alone is on the map": {at(nil, 10), at(spot(0, 0, 40), 0), 30},
		"off the map, the other hides":  {at(nil, 10), at(nil, 40, body.CondHidden), 0},
		"on the map, the other hides":   {at(spot(0, 0, 10), 0), at(spot(0, 0, 40), 0, body.CondHidden), 0},
	} {
		if got := body.HigherBy(w.c, w.other); got != w.feet {
			t.Errorf("%s: %d, want %d", name, got, w.feet)
		}
	}
}

// rcr.base.light: darkvision makes dim light bright and the dark dim as far as it reaches,
// to the foot; truesight needs no light as far as it does.
func TestHowFarEyesReach(t *testing.T) {
	for name, c := range map[string]struct {
		sense string
		light string
		feet  int32
		want  string
	}{
		"no sense, in the dark":           {"", body.LightDark, 5, body.LightDark},
		"darkvision, dim":                 {"darkvision", body.LightDim, 59, body.LightBright},
		"darkvision, dark":                {"darkvision", body.LightDark, 59, body.LightDim},
		"darkvision, dark, to the foot":   {"darkvision", body.LightDark, 60, body.LightDim},
		"darkvision, dim, to the foot":    {"darkvision", body.LightDim, 60, body.LightBright},
		"darkvision, dark, a foot beyond": {"darkvision", body.LightDark, 61, body.LightDark},
		"darkvision, dim, a foot beyond":  {"darkvision", body.LightDim, 61, body.LightDim},
		"truesight, to the foot":          {"truesight", body.LightDark, 60, body.LightBright},
		"truesight, a foot beyond":        {"truesight", body.LightDark, 61, body.LightDark},
	} {
		if got := body.Apparent(creatureOf(fighter("a", "party", has(c.sense, 60)), 0, 0), c.light, c.feet); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// rcr.base.light, rcr.underwater.depth-light: who looks at another sees it by the light of
// the fight where none is said; under water other rules say what light there is.
func TestTheLightOfALook(t *testing.T) {
	f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters"))
	f.Start(object("light", body.LightDim), 20, 5)
	yes, no := true, false
	for name, c := range map[string]struct {
		said  body.WaterSaid
		wet   string
		light string
	}{
		"nothing is said":                  {body.WaterSaid{}, "", body.LightDim},
		"the light is said":                {body.WaterSaid{Light: body.LightDark}, "", body.LightDark},
		"under water, as it is said":       {body.WaterSaid{Under: &yes}, "", ""},
		"said not to be under water":       {body.WaterSaid{Under: &no}, "b", body.LightDim},
		"whoever looks is under water":     {body.WaterSaid{}, "a", ""},
		"what is looked at is under water": {body.WaterSaid{}, "b", ""},
	} {
		s := &eventv1.State{Creatures: map[string]*eventv1.Creature{"a": creatureOf(fighter("a", "party"), 0, 0), "b": creatureOf(fighter("b", "monsters"), 5, 0)}, Marks: f.State.Marks, Settings: f.State.Settings}
		if c.wet != "" {
			s.Creatures[c.wet].Conditions = []*eventv1.Condition{{Name: body.CondSubmerged}}
		}
		if got := body.LookingAt(s, s.Creatures["a"], s.Creatures["b"], c.said).Light; got != c.light {
			t.Errorf("%s: %q, want %q", name, got, c.light)
		}
	}
}

// rcr.base.fifth-edition-fallback, rcr.condition.terrified: a fear of nothing in particular is
// always there; one of somebody, while that one is there, alive and in sight.
func TestWhatIsFeared(t *testing.T) {
	for name, c := range map[string]struct {
		source string
		do     func(s *eventv1.State)
		want   bool
	}{
		"nothing in particular":   {"", nil, true},
		"one that stands there":   {"b", nil, true},
		"one that is gone":        {"gone", nil, false},
		"one that is dead":        {"b", func(s *eventv1.State) { s.Creatures["b"].Life = eventv1.LifeStatus_LIFE_STATUS_DEAD }, false},
		"one that hides":          {"b", func(s *eventv1.State) { s.Creatures["b"].Conditions = []*eventv1.Condition{{Name: body.CondHidden}} }, false},
		"one that cannot be seen": {"b", func(s *eventv1.State) { s.Creatures["b"].Conditions = []*eventv1.Condition{{Name: body.CondInvisible}} }, false},
	} {
		for _, condition := range []string{body.CondFrightened, body.CondTerrified} {
			a := creatureOf(fighter("a", "party"), 0, 0)
			a.Conditions = []*eventv1.Condition{{Name: condition, Source: c.source}}
			s := &eventv1.State{Creatures: map[string]*eventv1.Creature{"a": a, "b": creatureOf(fighter("b", "monsters"), 5, 0)}}
			if c.do != nil {
				c.do(s)
			}
			if got := body.Afraid(s, a); got != c.want {
				t.Errorf("%s, %s: %v", condition, name, got)
			}
		}
	}
}

// rcr.feat.grappler-pin: a pin ends with the grapple of whoever pins, and with no other;
// of two that both lose their hold both end.
func TestTwoWhoPin(t *testing.T) {
	build := func(t *testing.T) *table {
		f := newTable(t)
		f.place(fighter("a", "party"), 0, 0)
		f.place(fighter("b", "monsters"), 5, 0)
		f.place(fighter("c", "party"), 10, 0)
		f.Afflict("b", "grappled@a", "grappled@c")
		f.Put("b", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondRestrained, Source: "a", Cause: body.CausePin}, {Name: body.CondSuffocating, Source: "c", Cause: body.CausePin}}})
		return f
	}
	want := func(f *table, restrained, suffocating bool) {
		f.T.Helper()
		f.wantHas("b", body.CondRestrained, restrained)
		f.wantHas("b", body.CondSuffocating, suffocating)
	}
	f := build(t).start(nil, 20, 5, 15)
	want(f, true, true)
	f.Must(act("a", "release", "", "b"))
	want(f, false, true)
	f.End("a", 20)
	f.Must(act("c", "release", "", "b"))
	want(f, false, false)
	f = build(t)
	f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "b", RemoveConditions: []string{body.CondGrappled}}}})
	f.wantHas("b", body.CondGrappled, false)
	want(f, false, false)
}

// rcr.condition.replace-base: a movement ends the grapples of and on whoever moves, when it
// leads out of reach; those of others stay as they are.
func TestWhoseGrapplesAMoveEnds(t *testing.T) {
	for name, c := range map[string]struct {
		holder, held string
		feet         int32
		there        bool
	}{
		"it holds, out of reach":            {"a", "b", 30, false},
		"it holds, within reach":            {"a", "b", 10, true},
		"it is held, out of reach":          {"b", "a", 30, false},
		"it is held, within reach":          {"b", "a", 10, true},
		"others, out of each other's reach": {"c", "b", 30, true},
	} {
		f := newTable(t)
		f.place(fighter("a", "party"), 5, 0)
		f.place(fighter("b", "monsters"), c.feet, 0)
		f.place(fighter("c", "party"), 0, 50)
		f.start(nil, 20, 5, 4)
		f.Afflict(c.held, "grappled@"+c.holder)
		f.Resolve(func(r *resolution) error { body.EndDistantGrapples(r, "a"); return nil })
		if got := body.GrappledBy(f.Creature(c.held), c.holder) != nil; got != c.there {
			t.Errorf("%s: %v", name, got)
		}
		if got := slices.Equal(body.Grappling(f.State, f.Creature(c.holder)), []string{c.held}); got != c.there {
			t.Errorf("%s: it holds %v", name, body.Grappling(f.State, f.Creature(c.holder)))
		}
	}
	f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 20, 5)
	f.Afflict("b", "grappled@a", "grappled@b") // nobody drags itself
	if got := body.Grappling(f.State, f.Creature("b")); len(got) > 0 {
		t.Errorf("b holds %v", got)
	}
	f.Resolve(func(r *resolution) error { body.EndDistantGrapples(r, "a"); return nil })
	f.wantHas("b", body.CondGrappled, true) // nobody knows how far they are
}

// rcr.feat.charger-straight-bonus, rcr.trait.charge, rcr.trait.limited-amphibiousness,
// rcr.feat.athlete-climb-swim, rcr.feat.metamagic-adept-options, rcr.feat.revised-text-replaces:
// what a sheet gives, by its own words and the common ones, and where the table does not
// play it so.
func TestWhatASheetGives(t *testing.T) {
	of := func(change ...func(*eventv1.Sheet)) *eventv1.Creature {
		return creatureOf(fighter("a", "party", change...), 0, 0)
	}
	state := func(settings ...string) *eventv1.State { return newTable(t, settings...).State }
	common := func(s *eventv1.Sheet) { s.Feats = []string{"charger", "war-caster"} }
	charge := func(name string) func(*eventv1.Sheet) { return feature(&eventv1.RcrFeature{Name: name, Feet: 20}) }
	walks := func(feet int32) func(*eventv1.Sheet) {
		return func(s *eventv1.Sheet) { s.Speeds = map[string]int32{"walk": feet, "fly": 30} }
	}
	adept := rcrSheet(func(s *eventv1.RcrSheet) {
		s.ChosenFeats = []*eventv1.RcrFeat{{Name: body.FeatMetamagicAdept, Picks: []string{"Subtle", "distant"}}}
	})
	for name, c := range map[string]struct{ got, want bool }{
		"no feat":                                 {body.HasFeat(of(), "charger"), false},
		"a feat of its own section":               {body.HasFeat(of(feat("charger")), "charger"), true},
		"a feat of the common core":               {body.HasFeat(of(common), "charger"), true},
		"a feat of the common core, with hyphens": {body.HasFeat(of(common), "war caster"), true},
		"another feat of the common core":         {body.HasFeat(of(common), "tough"), false},
		"nothing to run up for":                   {body.RunsUp(of()), false},
		"the feat runs up":                        {body.RunsUp(of(feat(body.FeatCharger))), true},
		"a trait runs up":                         {body.RunsUp(of(charge(body.Charges[0]))), true},
		"the last of such traits":                 {body.RunsUp(of(charge(body.Charges[len(body.Charges)-1]))), true},
		"another trait does not":                  {body.RunsUp(of(charge("parry"))), false},
		"a trait by its other name":               {body.HasTrait(of(feature(&eventv1.RcrFeature{Name: "Sneak Attack (1/Turn)"})), body.TraitSneakAttack), true},
		"another trait by no such name":           {body.HasTrait(of(feature(&eventv1.RcrFeature{Name: "Sneak Attack (2/Turn)"})), body.TraitSneakAttack), false},
		"it breathes air":                         {body.BreathesBoth(of()), false},
		"it breathes both":                        {body.BreathesBoth(of(trait(body.TraitAmphibious))), true},
		"it breathes water too":                   {body.BreathesBoth(of(trait(body.TraitWaterBreathing))), true},
		"it breathes both for a time":             {body.BreathesBoth(of(trait(body.TraitLimitedAmphib))), true},
		"a fury without the trait is no rage":     {body.Raging(creatureOf(fighter("a", "party"), 0, 0, body.CondRaging)), false},
		"the trait without the fury is none":      {body.Raging(of(trait(body.TraitRage))), false},
		"both are":                                {body.Raging(creatureOf(fighter("a", "party", trait(body.TraitRage)), 0, 0, body.CondRaging)), true},
		"an athlete swims":                        {body.HasSwimSpeed(state(), of(walks(30), feat(body.FeatAthlete))), true},
		"an athlete that cannot walk does not":    {body.HasSwimSpeed(state(), of(walks(0), feat(body.FeatAthlete))), false},
		"nobody else does":                        {body.HasSwimSpeed(state(), of(walks(30))), false},
		"nor an athlete where that is off":        {body.HasSwimSpeed(state(off(cite.FeatAthleteClimbSwim)...), of(walks(30), feat(body.FeatAthlete))), false},
		"options of metamagic, in order":          {slices.Equal(body.MetamagicOf(state(), of(adept)), []string{"distant", "subtle"}), true},
		"options, where they are off":             {len(body.MetamagicOf(state(off(cite.FeatMetamagicAdeptOptions)...), of(adept))) == 0, true},
		"options of who has learnt none":          {len(body.MetamagicOf(state(), of())) == 0, true},
		"a rule of a feat":                        {body.InForce(state(), cite.FeatAthleteClimbSwim), true},
		"a rule of a feat, without its module":    {body.InForce(state(off(cite.FeatRevisedTextReplaces)...), cite.FeatAthleteClimbSwim), false},
		"the module itself":                       {body.InForce(state(), cite.FeatRevisedTextReplaces), true},
		"the module itself, off":                  {body.InForce(state(off(cite.FeatRevisedTextReplaces)...), cite.FeatRevisedTextReplaces), false},
		"another rule, without that module":       {body.InForce(state(off(cite.FeatRevisedTextReplaces)...), cite.DiceInspirationResource), true},
		"another rule, off":                       {body.InForce(state(off(cite.DiceInspirationResource)...), cite.DiceInspirationResource), false},
	} {
		if c.got != c.want {
			t.Errorf("%s: %v", name, c.got)
		}
	}
}

// rcr.trait.rage: one in a rage by its trait casts nothing; a fury of another kind bars no
// spell.
func TestWhoRagesCastsNothing(t *testing.T) {
	for name, c := range map[string]struct {
		trait string
		want  string
	}{"by its trait": {body.TraitRage, "RAGING"}, "by no trait": {body.TraitAggressive, ""}} {
		f := newTable(t).add(fighter("a", "party", caster, trait(c.trait)), fighter("b", "monsters")).start(nil, 20, 5)
		f.Afflict("a", body.CondRaging)
		f.falls(10)
		wantReasonOf(t, name, f.Try(act("a", "cast", "bolt", "b")), c.want)
	}
}

// rcr.healing.kit-after-combat: wounds wait for the end of the fight, unless the table
// treats them in it.
func TestWhenAKitServes(t *testing.T) {
	for name, c := range map[string]struct {
		settings []string
		status   eventv1.State_Status
		waits    bool
	}{
		"in a fight":                        {nil, eventv1.State_STATUS_STARTED, true},
		"after it":                          {nil, eventv1.State_STATUS_ENDED, false},
		"before it":                         {nil, eventv1.State_STATUS_UNSPECIFIED, false},
		"in a fight, as the table plays it": {[]string{body.SetKitWounds + "=in-combat"}, eventv1.State_STATUS_STARTED, false},
		"after it, as the table plays it":   {[]string{body.SetKitWounds + "=in-combat"}, eventv1.State_STATUS_ENDED, false},
	} {
		s := newTable(t, c.settings...).State
		s.Status = c.status
		if got := body.KitWaits(s); got != c.waits {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// rcr.underwater.depth-light: the depth is that stated, that under the surface of the map
// for whoever has a place on it, that of its condition, or that of the fight.
func TestHowDeepItIs(t *testing.T) {
	seven := int32(7)
	for name, c := range map[string]struct {
		surface *int64
		place   *eventv1.Position
		own     int32
		said    *int32
		want    int32
	}{
		"of the fight":                      {nil, nil, 0, nil, 100},
		"of the fight, on a map":            {nil, spot(0, 0, 10), 0, nil, 100},
		"by its condition":                  {nil, spot(0, 0, 10), 40, nil, 40},
		"under the surface":                 {new(int64(50)), spot(0, 0, 10), 40, nil, 40},
		"under the surface, lower":          {new(int64(50)), spot(0, 0, -10), 40, nil, 60},
		"above the surface":                 {new(int64(50)), spot(0, 0, 60), 40, nil, 0},
		"a surface, and no place":           {new(int64(50)), nil, 40, nil, 40},
		"a surface, no place, no condition": {new(int64(50)), nil, 0, nil, 100},
		"as stated":                         {new(int64(50)), spot(0, 0, 10), 40, &seven, 7},
	} {
		s := &eventv1.State{Counters: map[string]int64{body.CDepth: 100}}
		if c.surface != nil {
			s.Counters[body.CSurface] = *c.surface
		}
		a := creatureOf(fighter("a", "party"), 0, 0)
		a.Position = c.place
		if c.own > 0 {
			a.Conditions = []*eventv1.Condition{{Name: body.CondSubmerged, Values: map[string]int32{body.ValDepth: c.own}}}
		}
		if got := body.DepthOf(s, a, body.WaterSaid{Depth: c.said}); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

// rcr.equipment.barding-large: weight and cost that a sheet gives go before those of the
// tables, were it one pound and one piece of gold.
func TestBardingOfASheet(t *testing.T) {
	for _, c := range []struct{ weight, gold, wantWeight, wantGold int32 }{{0, 0, 20, 100}, {1, 0, 1, 100}, {0, 1, 20, 1}, {1, 1, 1, 1}, {70, 9, 70, 9}} {
		weight, gold := body.BardingLoad(creatureOf(fighter("a", "party", rcrSheet(func(s *eventv1.RcrSheet) {
			s.Barding = &eventv1.RcrBarding{Type: "chain shirt", Weight: c.weight, Gold: c.gold}
		})), 0, 0))
		if weight != c.wantWeight || gold != c.wantGold {
			t.Errorf("%d, %d: %d and %d, want %d and %d", c.weight, c.gold, weight, gold, c.wantWeight, c.wantGold)
		}
	}
}

// rcr.equipment.barding-large: what wears no barding bears no weight of it.
func TestNoBarding(t *testing.T) {
	if weight, gold := body.BardingLoad(creatureOf(fighter("a", "party"), 0, 0)); weight != 0 || gold != 0 {
		t.Errorf("%d and %d", weight, gold)
	}
}

// rcr.death.secret-saves: counters of the encounter and of sides are for all to see, what
// counts towards death for the game master, the rest for who controls the creature.
func TestWhoSeesCounters(t *testing.T) {
	s := &eventv1.State{Creatures: map[string]*eventv1.Creature{"a": creatureOf(fighter("a", "party"), 0, 0)}}
	for _, c := range []struct {
		name, of string
		kind     eventv1.Audience_Kind
	}{
		{body.CDeathExhaustion, "", eventv1.Audience_KIND_EVERYONE}, {"morale", "side:party", eventv1.Audience_KIND_EVERYONE}, {body.CKit, "side:party", eventv1.Audience_KIND_EVERYONE},
		{body.CKit, "a", eventv1.Audience_KIND_CREATURES}, {body.CDeathExhaustion, "a", eventv1.Audience_KIND_GM}, {body.CAction, "a", eventv1.Audience_KIND_EVERYONE},
	} {
		if got := body.CounterAudience(s, c.name, c.of); got.GetKind() != c.kind {
			t.Errorf("%s of %q: %v, want %v", c.name, c.of, got, c.kind)
		}
	}
}
