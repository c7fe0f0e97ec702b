package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/rest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.base.fifth-edition-fallback: the unconscious drop what they hold, however they
// come to be so; the stunned, the petrified and the dead do not, and what is put away
// or strapped on stays.
func TestTheUnconsciousDropWhatTheyHold(t *testing.T) {
	armed := []func(*eventv1.Sheet){weapons(weapon("mace", "", "bludgeoning", "one-handed"), weapon("dagger", "off", "piercing", "light"), weapon("bow", "stowed", "piercing"))}
	table := func() *table {
		return newTable(t).add(fighter("a", "party"), fighter("b", "party", armed...)).start(nil, 20, 5)
	}
	for _, condition := range []string{body.CondStunned, body.CondPetrified, body.CondParalyzed} {
		f := table()
		f.Afflict("b", condition)
		f.wantPlace("b", "mace", "main")
	}
	f := table()
	f.Afflict("b", body.CondUnconscious)
	f.wantPlace("b", "mace", "dropped")
	f.wantPlace("b", "dagger", "dropped")
	f.wantPlace("b", "bow", "stowed")
	f = table()
	f.Hurt("b", 0)
	f.wantPlace("b", "mace", "dropped")
	f = table()
	f.Hurt("b", 1)
	f.Must(act("a", "attack", "sword", "b"), 15, 4) // brought down, not killed
	f.wantPlace("b", "mace", "dropped")
	f.Hurt("b", 10)
	f.wantPlace("b", "mace", "dropped") // waking does not pick it up
	f = newTable(t).add(fighter("a", "party"), fighter("m", "monsters")).start(nil, 20, 5)
	f.Hurt("m", 1)
	f.Must(act("a", "attack", "sword", "m"), 15, 4)
	f.wantPlace("m", "sword", "main") // dead at once
}

// rcr.base.fifth-edition-fallback: truesight sees the invisible as far as it reaches,
// and neither the hidden nor with blinded eyes.
func TestTruesight(t *testing.T) {
	cases := []struct {
		name      string
		truesight int32
		condition []string
		feet      int
		faces     int
		dice      string
	}{
		{"the invisible", 60, []string{"b " + body.CondInvisible}, 60, 1, "1d20"},
		{"beyond it", 60, []string{"b " + body.CondInvisible}, 61, 2, "2d20kl1"},
		{"without it", 0, []string{"b " + body.CondInvisible}, 30, 2, "2d20kl1"},
		{"the hidden", 60, []string{"b " + body.CondHidden}, 30, 2, "2d20kl1"},
		{"blinded", 60, []string{"b " + body.CondInvisible, "a " + body.CondBlinded}, 30, 2, "2d20kl1"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party", rcrSheet(func(s *eventv1.RcrSheet) { s.Senses = map[string]int32{"truesight": c.truesight} })),
				fighter("b", "monsters")).start(nil, 20, 5)
			for _, x := range c.condition {
				f.Afflict(x[:1], x[2:])
			}
			f.Must(act("a", "attack", "bow", "b", withFacts("distance", c.feet)), []int{2, 2}[:c.faces]...)
			if got := f.Roll("to-hit").Expression; got != c.dice {
				t.Errorf("%s, want %s", got, c.dice)
			}
		})
	}
	t.Run("in melee nobody need say how far", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party", rcrSheet(func(s *eventv1.RcrSheet) { s.Senses = map[string]int32{"truesight": 30} })),
			fighter("b", "monsters")).start(nil, 20, 5)
		f.Afflict("b", body.CondInvisible)
		f.Must(act("a", "attack", "sword", "b"), 2)
		f.Afflict("a", body.CondInvisible)
		f.End("a", 1)
		f.Must(act("b", "attack", "sword", "a"), 2, 2) // whom b, without it, cannot see
	})
}

// rcr.base.fifth-edition-fallback: escaping is a contest with the holder's Athletics,
// unless a DC is printed for the hold or on the holder's sheet.
func TestEscapingAGrapple(t *testing.T) {
	held := func(x *eventv1.Condition, change ...func(*eventv1.Sheet)) *table {
		f := newTable(t).add(fighter("a", "party"), fighter("g", "monsters", append(change, skilled("athletics", 7))...)).start(nil, 20, 5)
		f.Put("a", &eventv1.Vitals{Conditions: []*eventv1.Condition{x}})
		return f
	}
	free := func(f *table, faces ...int) bool {
		f.Must(act("a", "escape", "", ""), faces...)
		return !body.Has(f.Creature("a"), body.CondGrappled)
	}
	grapple := &eventv1.Condition{Name: body.CondGrappled, Source: "g", Cause: "grapple"}
	if free(held(grapple), 12, 5) {
		t.Error("12 against 5 and 7")
	}
	if !free(held(grapple), 13, 5) {
		t.Error("13 against 5 and 7")
	}
	if !free(held(&eventv1.Condition{Name: body.CondGrappled, Source: "g", Cause: "bite", Values: map[string]int32{"escape_dc": 12}}), 12) {
		t.Error("a printed DC is a DC")
	}
	tentacled := rcrSheet(func(s *eventv1.RcrSheet) { s.EscapeDc = 14 })
	if free(held(grapple, tentacled), 13) || !free(held(grapple, tentacled), 14) {
		t.Error("a DC printed on the sheet")
	}
	f := newTable(t).add(fighter("a", "party"), fighter("g", "monsters", tentacled)).start(nil, 5, 20)
	f.Must(act("g", "grapple", "", "a"), 15, 5)
	if x := body.GrappledBy(f.Creature("a"), "g"); x.GetValues()["escape_dc"] != 14 {
		t.Errorf("%v", x)
	}
}

// rcr.base.fifth-edition-fallback: a heavy weapon is too heavy for the small.
func TestHeavyInSmallHands(t *testing.T) {
	for _, c := range []struct{ size, property, dice string }{
		{"small", "heavy", "2d20kl1"}, {"tiny", "heavy", "2d20kl1"}, {"medium", "heavy", "1d20"}, {"small", "two-handed", "1d20"},
	} {
		f := newTable(t).add(fighter("a", "party", size(c.size), weapons(weapon("blade", "", "slashing", c.property))), fighter("b", "monsters")).start(nil, 20, 5)
		faces := []int{2, 2}
		if c.dice == "1d20" {
			faces = []int{2}
		}
		f.Must(act("a", "attack", "blade", "b"), faces...)
		if got := f.Roll("to-hit").Expression; got != c.dice {
			t.Errorf("%s with %s: %s", c.size, c.property, got)
		}
	}
}

// rcr.base.fifth-edition-fallback: the second of two weapons is in the other hand,
// whichever began and whether it was thrown.
func TestTwoWeaponsInEitherOrder(t *testing.T) {
	dagger := func(name, hand string) *eventv1.RcrAttack {
		a := weapon(name, hand, "piercing", "light", "thrown", "one-handed")
		a.RangeFeet, a.LongRangeFeet = 20, 60
		return a
	}
	twin := func(more ...*eventv1.RcrAttack) *table {
		return newTable(t).add(fighter("a", "party", weapons(append(more, dagger("right", "main"), dagger("left", "off"))...)), fighter("b", "monsters")).start(nil, 20, 5)
	}
	throw := withParameters("throw", true)
	t.Run("the off hand begins", func(t *testing.T) {
		f := twin()
		wantRefused(t, f.Try(act("a", "off-hand-attack", "right", "b")), body.Fallback) // nothing began
		f.Must(act("a", "attack", "left", "b"), 2)
		wantRefused(t, f.Try(act("a", "off-hand-attack", "left", "b")), body.Fallback)
		f.Must(act("a", "off-hand-attack", "right", "b"), 2)
		f.wantCount("a", body.CBonus, 0)
	})
	t.Run("the first is thrown", func(t *testing.T) {
		f := twin()
		f.Must(act("a", "attack", "right", "b", throw, withFacts("close_enemy", false)), 2)
		f.wantPlace("a", "right", "dropped")
		f.Must(act("a", "off-hand-attack", "left", "b", throw, withFacts("close_enemy", false)), 2)
		f.wantPlace("a", "left", "dropped")
	})
	t.Run("drawn anew into the hand that threw", func(t *testing.T) {
		f := twin(dagger("spare", "stowed"))
		f.Must(act("a", "attack", "right", "b", throw, withFacts("close_enemy", false)), 2)
		f.Must(act("a", "draw", "spare", ""))
		wantRefused(t, f.Try(act("a", "off-hand-attack", "spare", "b")), body.Fallback)
		f.Must(act("a", "off-hand-attack", "left", "b"), 2)
	})
	t.Run("a shot is no melee weapon, nor one that is not light", func(t *testing.T) {
		shot := weapon("hand crossbow", "main", "piercing", "light")
		shot.ReachFeet, shot.RangeFeet = 0, 30
		for _, first := range []*eventv1.RcrAttack{shot, weapon("mace", "main", "bludgeoning")} {
			f := newTable(t).add(fighter("a", "party", weapons(first, dagger("left", "off"))), fighter("b", "monsters")).start(nil, 20, 5)
			f.Must(act("a", "attack", first.Name, "b", withFacts("close_enemy", false)), 2)
			wantRefused(t, f.Try(act("a", "off-hand-attack", "left", "b")), body.Fallback)
		}
	})
	t.Run("over with the turn", func(t *testing.T) {
		f := twin()
		f.Must(act("a", "attack", "left", "b"), 2)
		f.End("a", 20)
		f.End("b", 1)
		wantRefused(t, f.Try(act("a", "off-hand-attack", "right", "b")), body.Fallback)
	})
}

// rcr.base.fifth-edition-fallback: a long rest serves once in 24 hours.
func TestOneLongRestADay(t *testing.T) {
	hurt := func(settings ...string) *table { return medTable(t, bodied("a", 10, 40), 10, 0, settings...) }
	long := func(f *table, pairs ...any) error {
		_, err := f.tryMedicine(rules.Tend(rest.Medicine{}, patientDeed("long-rest", "", []string{"a"}, "", pairs...)), nil, nil)
		return err
	}
	pass := func(f *table, hours int) { f.tend(patientDeed("pass-time", "", []string{"a"}, "", "hours", hours)) }
	f := hurt()
	if err := long(f); err != nil {
		t.Fatalf("the first: %v", err)
	}
	wantRefused(t, long(f), body.Fallback)
	pass(f, 14)
	f.tend(patientDeed("short-rest", "", []string{"a"}, "", "dice", 0))
	wantRefused(t, long(f), body.Fallback) // 15 and 8
	pass(f, 1)
	if err := long(f); err != nil {
		t.Fatalf("16 and 8: %v", err)
	}
	wantRefused(t, long(f), body.Fallback) // the second counts from its own end
	wantRefused(t, long(f, "hours_since", 15), body.Fallback)
	if err := long(f, "hours_since", 16); err != nil {
		t.Fatalf("as stated: %v", err)
	}
	f = hurt(body.SetLongRestDaily + "=off")
	for range 2 {
		if err := long(f); err != nil {
			t.Fatalf("a table without it: %v", err)
		}
	}
	f = hurt()
	if err := long(f, "completed", false); err != nil {
		t.Fatal(err)
	}
	if err := long(f); err != nil {
		t.Fatalf("after one broken off: %v", err)
	}
}

// rcr.base.fifth-edition-fallback: a short rest is open to one who lies stable at 0,
// and the hour brings it nearer to waking.
func TestShortRestAtZero(t *testing.T) {
	short := func(f *table, faces []int, pairs ...any) error {
		_, err := f.tryMedicine(rules.Tend(rest.Medicine{}, patientDeed("short-rest", "", []string{"a"}, "", pairs...)), nil, faces)
		return err
	}
	down := func() *table { return medTable(t, bodied("a", 10, 40, dicePool(5, 8, 0)), 0, 0) }
	stabilise := func(f *table) { f.deed(&eventv1.Harm{Deed: body.DeedStabilise, Target: "a", Cause: "Medicine"}) }
	f := down()
	wantRefused(t, short(f, nil, "dice", 1), body.Fallback) // dying
	stabilise(f)
	if err := short(f, []int{6}, "dice", 1); err != nil {
		t.Fatal(err)
	}
	f.WantHP("a", 6)
	f.WantLife("a", eventv1.LifeStatus_LIFE_STATUS_ALIVE)
	f = down()
	stabilise(f)
	if err := short(f, []int{2}, "dice", 0); err != nil { // two hours until it wakes
		t.Fatal(err)
	}
	f.WantHP("a", 0)
	if err := short(f, nil, "dice", 0); err != nil {
		t.Fatal(err)
	}
	f.WantHP("a", 1)
	f = down()
	f.Count("a", body.CDeathSuccesses, 2)
	f.deed(turnBegins("a"), 15)
	wantRefused(t, short(f, nil, "dice", 0), body.Fallback) // stable in secret is dying to all who could ask
}

// rcr.base.fifth-edition-fallback: the petrified are immune to poison, and poison in
// their bodies waits.
func TestThePetrifiedAndPoison(t *testing.T) {
	f := newTable(t).add(fighter("a", "party", weapons(&eventv1.RcrAttack{Name: "sting", Bonus: 20, ReachFeet: 5, Natural: true,
		Damage: []*eventv1.RcrDamage{{Dice: "5", Type: "poison"}, {Dice: "5", Type: "piercing"}}, Effects: []*eventv1.RcrEffect{{Condition: body.CondPoisoned}}})),
		fighter("b", "monsters")).start(nil, 20, 5)
	f.Afflict("b", body.CondPetrified)
	f.Must(act("a", "attack", "sting", "b"), 10, 10) // with advantage
	f.WantHP("b", 38)                                // no poison, half of 5
	if body.Has(f.Creature("b"), body.CondPoisoned) {
		t.Error("poisoned")
	}
	poison := func(u *eventv1.Until) *eventv1.Condition {
		return &eventv1.Condition{Id: "p", Name: body.CondPoisoned, Until: u, Values: map[string]int32{body.SaveEnds + "constitution": 5}}
	}
	f = newTable(t).add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 20, 5)
	f.Put("a", &eventv1.Vitals{Conditions: []*eventv1.Condition{poison(&eventv1.Until{When: body.UntilTurnEnd, Creature: "a", Turns: 1}), {Name: body.CondPetrified}}})
	f.Must(act("a", "called-check", "", "", withParameters("skill", "arcana", "dc", 5)), 5) // one die
	f.End("a", 20)                                                                          // no saving throw against the poison, and its turns do not count
	if !body.Has(f.Creature("a"), body.CondPoisoned) {
		t.Fatal("the poison ran out")
	}
	f.End("b", 1)
	f.Resolve(func(r *rules.Resolution) error {
		r.RemoveCondition("a", body.Condition(r.Creature("a"), body.CondPetrified), "restored")
		return nil
	})
	f.Must(act("a", "called-check", "", "", withParameters("skill", "arcana", "dc", 5)), 5, 5) // two
	f.End("a", 2, 2)                                                                           // the saving throw fails; the turn ends it
	if body.Has(f.Creature("a"), body.CondPoisoned) {
		t.Fatal("the poison stays")
	}
	f = newTable(t).add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 20, 5)
	f.Put("a", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Id: "p", Name: body.CondPoisoned, Until: &eventv1.Until{When: "round", Round: 1}}, {Name: body.CondPetrified}}})
	f.End("a", 20)
	f.End("b", 1)
	if x := body.Condition(f.Creature("a"), body.CondPoisoned); x.GetUntil().GetRound() != 2 {
		t.Fatalf("it lasts until %v", x.GetUntil())
	}
}

// rcr.mount.mounting-cost: nobody gets on what plummets.
func TestNobodyMountsWhatFalls(t *testing.T) {
	f := newTable(t).add(fighter("a", "party"), fighter("m", "party", size("large"), func(s *eventv1.Sheet) { s.Speeds["fly"] = 60 }), fighter("b", "monsters")).start(nil, 20, 5, 1)
	f.Put("m", &eventv1.Vitals{Counters: map[string]int64{body.CAltitude: 400}, Conditions: []*eventv1.Condition{{Name: body.CondAirborne, Variant: body.AirFalling}},
		Marks: map[string]string{body.MDropped: "true"}})
	wantRefused(t, f.Try(act("a", "mount", "", "m")), cite.MountMountingCost)
}

// rcr.base.half-cover: a creature in the line is half cover; one lying, one much smaller,
// the dead, the hidden and mounts and riders of the two are none.
func TestCoverByCreatures(t *testing.T) {
	line := func(change ...func(*eventv1.Sheet)) *table {
		f := newTable(t)
		f.place(fighter("a", "party"), 0, 0)
		f.place(fighter("c", "monsters", change...), 10, 0)
		f.place(fighter("b", "monsters"), 20, 0)
		return f.start(nil, 20, 5, 4)
	}
	ac := func(f *table, facts ...any) int32 {
		f.Must(act("a", "attack", "bow", "b", withFacts(facts...)), 2)
		return f.Roll("to-hit").Target.Value
	}
	if got := ac(line()); got != 17 {
		t.Errorf("behind another: %d", got)
	}
	if got := ac(line(), "cover", "none"); got != 15 {
		t.Errorf("as stated: %d", got)
	}
	if got := ac(line(), "cover", "three-quarters"); got != 20 {
		t.Errorf("covers never add: %d", got)
	}
	if got := ac(line(size("small"))); got != 17 {
		t.Errorf("behind one a size smaller: %d", got)
	}
	if got := ac(line(size("tiny"))); got != 15 {
		t.Errorf("behind a mouse: %d", got)
	}
	for _, condition := range []string{body.CondProne, body.CondHidden} {
		f := line()
		f.Afflict("c", condition)
		if got := ac(f); got != 15 {
			t.Errorf("behind one %s: %d", condition, got)
		}
	}
	f := line()
	f.Place("c", 10, 5)
	if got := ac(f); got != 15 {
		t.Errorf("past one beside the line: %d", got)
	}
	f = newTable(t, body.SetCreatureCover+"=off")
	f.place(fighter("a", "party"), 0, 0)
	f.place(fighter("c", "party"), 0, 10)
	f.place(fighter("b", "monsters"), 0, 20)
	f.start(nil, 20, 5, 4)
	if got := ac(f); got != 15 {
		t.Errorf("at a table without it: %d", got)
	}
	f = newTable(t).add(fighter("a", "party"), fighter("c", "monsters"), fighter("b", "monsters")).start(nil, 20, 5, 4)
	if got := ac(f, "distance", 30, "close_enemy", false); got != 15 {
		t.Errorf("where nobody has a place: %d", got)
	}
}

// rcr.base.half-cover: each target of an area has its own cover, stated or measured from
// the point of origin; total cover keeps it out.
func TestCoverInAreas(t *testing.T) {
	mage := rcrSheet(func(s *eventv1.RcrSheet) {
		s.SpellDc = 15
		s.Powers = []*eventv1.RcrPower{{Name: "breath", RangeFeet: 60, Targets: 3, Save: &eventv1.RcrSave{Ability: "dexterity", Dc: 15}, Damage: []*eventv1.RcrDamage{{Dice: "4", Type: "fire"}}}}
		s.Spells = []*eventv1.RcrSpell{{Name: "burst", RangeFeet: 120, Targets: 3, Save: &eventv1.RcrSave{Ability: "dexterity", Dc: 15}, Damage: []*eventv1.RcrDamage{{Dice: "4", Type: "fire"}}},
			{Name: "Sacred Flame", RangeFeet: 60, Targets: 3, Save: &eventv1.RcrSave{Ability: "dexterity", Dc: 15}, Damage: []*eventv1.RcrDamage{{Dice: "4", Type: "radiant"}}}}
	})
	fight := func(places bool) *table {
		f := newTable(t)
		for i, s := range []*eventv1.Sheet{fighter("a", "party", mage), fighter("b", "monsters"), fighter("c", "monsters")} {
			if places {
				f.place(s, int32(10*i), 0)
			} else {
				f.add(s)
			}
		}
		return f.start(nil, 20, 5, 4)
	}
	helped := func(f *table, label, id string) int32 {
		sum := int32(0)
		for _, m := range f.Roll(label + "/" + id).Modifiers {
			sum += m.Value
		}
		return sum
	}
	both := func(action, item string, facts ...any) *eventv1.Command {
		return act("a", action, item, "b,c", withFacts(facts...))
	}
	f := fight(false)
	f.Must(both("cast", "burst", "covers", map[string]any{"b": "half", "c": "three-quarters"}), 5, 5)
	if b, c := helped(f, "cast/save", "b"), helped(f, "cast/save", "c"); b != 2 || c != 5 {
		t.Errorf("each its own: %d, %d", b, c)
	}
	f = fight(false)
	f.Must(both("cast", "burst", "cover", "half", "covers", map[string]any{"c": "none"}), 5, 5)
	if b, c := helped(f, "cast/save", "b"), helped(f, "cast/save", "c"); b != 2 || c != 0 {
		t.Errorf("all but one: %d, %d", b, c)
	}
	f = fight(true)
	f.Must(both("use-power", "breath"), 5, 5)
	if b, c := helped(f, "power/save", "b"), helped(f, "power/save", "c"); b != 0 || c != 2 {
		t.Errorf("measured from the breather: %d, %d", b, c)
	}
	f = fight(true)
	f.Must(both("cast", "burst"), 5, 5)
	if b, c := helped(f, "cast/save", "b"), helped(f, "cast/save", "c"); b != 0 || c != 0 {
		t.Errorf("measured from where it bursts: %d, %d", b, c)
	}
	f = fight(true)
	f.Must(both("cast", "Sacred Flame"), 5, 5)
	if c := helped(f, "cast/save", "c"); c != 0 {
		t.Errorf("cover is no help against it: %d", c)
	}
	f = fight(false)
	wantRefused(t, f.Try(both("cast", "burst", "covers", map[string]any{"b": "total"})), cite.BaseHalfCover)
	for _, wrong := range []map[string]any{{"nobody": "half"}, {"b": "much"}} {
		if err := f.Try(both("cast", "burst", "covers", wrong)); err == nil {
			t.Errorf("%v is accepted", wrong)
		}
	}
}

// rcr.flight.fall-uncontrolled: whom its mount does not bear in the air falls at once.
func TestThrownInTheAirFallsAtOnce(t *testing.T) {
	f := newTable(t).add(fighter("a", "party"), fighter("m", "party", size("large"), func(s *eventv1.Sheet) { s.Speeds["fly"] = 60 }), fighter("b", "monsters")).start(nil, 20, 5, 1)
	f.Put("m", &eventv1.Vitals{Counters: map[string]int64{body.CAltitude: 20}, Conditions: []*eventv1.Condition{{Name: body.CondAirborne, Variant: body.AirHovering}}})
	f.Roller = func(int) int { return 1 }
	f.Must(act("a", "mount", "", "m"))
	f.Must(act("m", "forced-move", "", "", withParameters("feet", 5)))
	f.Answer("fall-roll", "no")
	if c := f.Creature("a"); body.Airborne(c) || c.GetHp() != 38 {
		t.Errorf("%v, %d hit points", body.AirState(c), c.GetHp())
	}
}

// rcr.base.half-cover: an opportunity attack past another meets cover, unless stated.
func TestCoverFromOpportunityAttacks(t *testing.T) {
	for _, c := range []struct {
		facts []any
		ac    int32
	}{{nil, 17}, {[]any{"opportunity", map[string]any{"b": map[string]any{"cover": "none"}}}, 15}} {
		f := newTable(t)
		f.place(fighter("a", "party"), 0, 0)
		f.place(fighter("c", "party"), 5, 0)
		f.place(fighter("b", "monsters", rcrSheet(func(s *eventv1.RcrSheet) { s.Attacks[0].ReachFeet = 10 })), 10, 0)
		f.start(nil, 20, 5, 4)
		f.Must(act("a", "stow", "sword", "", withFacts(c.facts...)))
		f.Answer(body.DecOpportunity, "sword", 2)
		if got := f.Roll("to-hit").Target.Value; got != c.ac {
			t.Errorf("%v: %d, want %d", c.facts, got, c.ac)
		}
	}
}
