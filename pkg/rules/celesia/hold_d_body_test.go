package celesia

import (
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/injury"
	"github.com/skaldrpg/skald/pkg/rules/celesia/mending"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/proto"
)

// crippled is the deed that gives a crippling injury of a row.
func crippled(id, row string) *eventv1.Harm {
	return &eventv1.Harm{Deed: body.DeedCripple, Target: id, Cause: "curse", Facts: map[string]string{"row": row, mending.FactRule: cite.InjuryCripplingTable}}
}

// celesia.injury.leg-all-lost: who loses its last leg falls, and flies all the same from then on; no other
// injury brings it down again.
func TestFlyerWithoutLegs(t *testing.T) {
	wings := func(s *eventv1.Sheet) { s.Speeds = map[string]int32{"walk": 30, "fly": 60} }
	build := func(legs ...string) *table {
		f := patient(t, 40, 40, wings, con(40))
		for _, side := range legs {
			f.Put("p", &eventv1.Vitals{Injuries: several(1, "leg", side, 0)})
		}
		return f
	}
	f := build("left")
	f.Medicine(crippled("p", "leg"))
	if !body.Has(f.Creature("p"), body.CondProne) {
		t.Error("upright on no leg")
	}
	for _, row := range []string{"hand", "eye", "scar"} {
		f := build("left", "right")
		var faces []int
		if row != "scar" {
			faces = []int{1} // the left one
		}
		f.Medicine(crippled("p", row), faces...)
		if body.Has(f.Creature("p"), body.CondProne) {
			t.Errorf("an injury of kind %s brings a flyer down", row)
		}
	}
}

// celesia.injury.hand: what the hand that is of no use held falls, and nothing else.
func TestDroppedByTheHandLost(t *testing.T) {
	for side, want := range map[string][2]string{"left": {body.PlaceMain, body.PlaceDropped}, "right": {body.PlaceDropped, body.PlaceOff}} {
		f := patient(t, 40, 40, con(40), arms(inHand("sword", 1, body.PlaceMain), inHand("knife", 1, body.PlaceOff)))
		f.Medicine(crippled("p", "hand"), 1+slices.Index(body.Sides(2), side))
		if got := [2]string{body.Where(f.Creature("p"), "sword"), body.Where(f.Creature("p"), "knife")}; got != want {
			t.Errorf("%s: %v, want %v", side, got, want)
		}
	}
}

// celesia.injury.crippling-table, celesia.injury.crippling-reroll: of an injury that is none the game master is told, of one
// that the body has no room for those who play it.
func TestInjuriesThatCannotBe(t *testing.T) {
	notes := func(f *table, who *eventv1.Principal) (out []string) {
		for _, e := range event.Visible(f.Before, f.Events, who) {
			if n := e.GetNote(); n != nil {
				out = append(out, n.Text)
			}
		}
		return out
	}
	gm := &eventv1.Principal{Role: eventv1.Principal_ROLE_GM, Name: "gm"}
	f := patient(t, 40, 40, con(40))
	f.Medicine(crippled("p", "tail"))
	if got := notes(f, gm); len(got) != 1 || !strings.Contains(got[0], "no crippling injury tail") {
		t.Errorf("the game master is told %q", got)
	}
	if got := notes(f, player("p-player")); len(got) > 0 || len(f.Creature("p").Injuries) > 0 {
		t.Errorf("the player is told %q", got)
	}
	f.Put("p", &eventv1.Vitals{Injuries: several(5, "head", "", 0)})
	f.Medicine(crippled("p", "head"))
	if got := notes(f, player("p-player")); len(got) != 1 || !strings.Contains(got[0], "no more of that injury") {
		t.Errorf("the player is told %q", got)
	}
	if got := notes(f, player("another")); len(got) > 0 {
		t.Errorf("others are told %q", got)
	}
	f.wantInjuries("head", 5, 0)
}

// celesia.healing.crippling-restoration: of the fingers of a hand those come back that are not cut off, and none of a
// hand that is gone.
func TestFingersThatAreRestored(t *testing.T) {
	for _, c := range []struct {
		lost, severed int
		hand          int32
		want          bool
	}{{3, 0, 0, true}, {5, 4, 0, true}, {5, 5, 0, false}, {5, 0, 1, false}} {
		f := maimed(t, several(c.lost, "finger", "left", 0), several(c.severed, "finger", "left", 1))
		if c.hand > 0 {
			f = maimed(t, several(c.lost, "finger", "left", 0), several(1, "hand", "left", 1))
		}
		p := f.Creature("p")
		if got := injury.Restorable(nil, p, p.Injuries[0]); got != c.want {
			t.Errorf("%d lost, %d cut off, the hand %d: restored %v", c.lost, c.severed, c.hand, got)
		}
		refused := f.TryTend(&eventv1.PatientCommand{Deed: body.DeedRestore, Patients: []string{"p"}})
		if !c.want {
			wantReason(t, refused, "NO_INJURY", cite.HealingCripplingRestoration)
		}
	}
}

// celesia.healing.crippling-restoration, celesia.healing.crippling-severed: a restoration that is to heal a severed part is
// cast and does nothing; without a part named there must be one to heal.
func TestRestorationOfASeveredPart(t *testing.T) {
	f := maimed(t, several(1, "hand", "left", 1))
	wantReason(t, f.TryTend(&eventv1.PatientCommand{Deed: body.DeedRestore, Patients: []string{"p"}}), "NO_INJURY", cite.HealingCripplingRestoration)
	f.Tend(&eventv1.PatientCommand{Deed: body.DeedRestore, Patients: []string{"p"}, Parameters: object("injury", f.Creature("p").Injuries[0].Id)})
	f.wantInjuries("hand", 0, 1)
	if !f.noted(cite.HealingCripplingSevered) {
		t.Error("nobody is told why it is not healed")
	}
}

// celesia.healing.crippling-severed: a finger that grows back is one finger cut off and lost no more, in whatever order
// they are carried.
func TestFingerThatGrowsBack(t *testing.T) {
	f := maimed(t, []*eventv1.Injury{wound("r", "finger", "right", 0), wound("s1", "finger", "left", 1), wound("s2", "finger", "left", 1), wound("w1", "finger", "left", 0), wound("w2", "finger", "left", 0)})
	f.Tend(&eventv1.PatientCommand{Deed: body.DeedRegrow, Patients: []string{"p"}, Parameters: object("injury", "s1")})
	if got := body.InjuryIDs(f.Creature("p")); !slices.Equal(got, []string{"r", "s2", "w2"}) {
		t.Errorf("left are %v", got)
	}
}

// celesia.healing.crippling-restoration, celesia.healing.crippling-severed: a potion that makes whole finds nothing in the
// healthy, who are told by its rule.
func TestPotionForTheWhole(t *testing.T) {
	for deed, rule := range map[string]string{body.DeedRestore: cite.HealingCripplingRestoration, body.DeedRegrow: cite.HealingCripplingSevered} {
		f := duel(t, fighter("a", "party", section(func(c *eventv1.CelesiaSheet) {
			c.Potions = []*eventv1.CelesiaPotion{{Name: "draught", Count: 1, Spell: &eventv1.CelesiaSpell{Restores: deed}}}
		})), fighter("b", "foes", unarmed()))
		f.Must(act("a", "drink", "draught", ""))
		if !f.noted(rule) {
			t.Errorf("%s: nothing cites %s", deed, rule)
		}
	}
}

// celesia.healing.crippling-restoration: whose injuries are not known may be aimed at.
func TestRestorationOfTheUnknown(t *testing.T) {
	f := duel(t, fighter("a", "party", spell(&eventv1.CelesiaSpell{Name: "mend", Casting: "standard", Restores: body.DeedRestore})), fighter("b", "foes", unarmed()))
	offered := func() bool {
		return slices.ContainsFunc(optionsOf(f, "a", "cast"), func(o *eventv1.Option) bool { return slices.Contains(o.Targets, "b") })
	}
	if offered() {
		t.Error("the game master sees that there is nothing to heal")
	}
	f.State = proto.CloneOf(f.State)
	f.Creature("b").Sheet = nil
	if !offered() {
		t.Error("who sees no sheet cannot know that there is nothing to heal")
	}
}

// celesia.death.stable-broken-by-damage: damage of nothing breaks nothing, even of a coup de grace; a point of it does.
func TestStableUnderDamage(t *testing.T) {
	for points, want := range map[int32]eventv1.LifeStatus{0: eventv1.LifeStatus_LIFE_STATUS_STABLE, 1: eventv1.LifeStatus_LIFE_STATUS_DYING} {
		f := patient(t, 40, 40)
		liesStable(f, "p", nil)
		h := hit("p", points, body.NatureNonlethal)
		h.Deed = body.DeedCoup
		f.Medicine(h)
		f.WantLife("p", want)
	}
}

// celesia.death.raised-by-magic: hit points do not raise the dead.
func TestTheDeadStayDead(t *testing.T) {
	f := patient(t, 40, 40)
	f.Hurt("p", -100)
	f.WantLife("p", eventv1.LifeStatus_LIFE_STATUS_DEAD)
	f.Hurt("p", 10)
	f.WantLife("p", eventv1.LifeStatus_LIFE_STATUS_DEAD)
}

// celesia.rest.tended-stable-recovery, celesia.death.untended-stable-danger: where the table has it, magic tends one who was stable
// without, and of who is stable by itself the game master is told.
func TestTendedAndUntended(t *testing.T) {
	for toggle, want := range map[string]bool{"on": true, "off": false} {
		f := newTable(t, body.OptTended+"="+toggle, body.OptUntended+"="+toggle).add(fighter("p", "party"))
		f.Put("p", &eventv1.Vitals{Hp: proto.Int32(-14)})
		f.Medicine(&eventv1.Harm{Deed: body.DeedTurnStart, Target: "p"}, 20)
		f.WantLife("p", eventv1.LifeStatus_LIFE_STATUS_STABLE)
		if got := f.noted(cite.DeathUntendedStableDanger); got != want {
			t.Errorf("%s: told %v", toggle, got)
		}
		if f.Creature("p").Marks[body.MTended] != "" {
			t.Errorf("%s: tended by nobody", toggle)
		}
		f.Tend(&eventv1.PatientCommand{Deed: body.DeedHeal, Patients: []string{"p"}, Parameters: object("amount", 1.0, "via", mending.ViaMagic)})
		f.WantLife("p", eventv1.LifeStatus_LIFE_STATUS_STABLE)
		if got := f.Creature("p").Marks[body.MTended] != ""; got != want {
			t.Errorf("%s: tended %v", toggle, got)
		}
	}
}

// celesia.rest.burn-full-night-only: burn goes by rest alone, however much time passes without.
func TestBurnGoesByRest(t *testing.T) {
	for deed, want := range map[string]int64{mending.DeedRest: 47 - 32, mending.DeedPassTime: 47} { // level 4
		f := newTable(t).add(fighter("p", "party", hitPoints(100)))
		f.Count("p", body.CBurn, 47)
		f.Tend(&eventv1.PatientCommand{Deed: deed, Patients: []string{"p"}, Parameters: object("hours", 8.0)})
		if got := f.Creature("p").Counters[body.CBurn]; got != want {
			t.Errorf("%s: burn %d, want %d", deed, got, want)
		}
	}
}

// celesia.movement.run-failure-staggered: what lasts for minutes is over once they have passed.
func TestMinutesPass(t *testing.T) {
	for _, c := range []struct {
		minutes int32
		hours   float64
		over    bool
	}{{1, 0, false}, {1, 1, true}, {2, 1, true}, {60, 1, true}, {61, 1, false}, {120, 2, true}, {121, 2, false}, {0, 8, false}} {
		f := newTable(t).add(fighter("p", "party"))
		f.Put("p", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondStaggered, Cause: "exhausted", Rule: cite.MovementRunFailureStaggered, Values: map[string]int32{"minutes": c.minutes}}}})
		f.Tend(&eventv1.PatientCommand{Deed: mending.DeedRest, Patients: []string{"p"}, Parameters: object("hours", c.hours)})
		if over := !body.Has(f.Creature("p"), body.CondStaggered); over != c.over {
			t.Errorf("%d minutes after %v hours: over %v", c.minutes, c.hours, over)
		}
		if c.over {
			f.wantCited(cite.MovementRunFailureStaggered)
		}
	}
}

// celesia.injury.crippling-pick-and-excess: an injury that comes in with a creature is of a side that its body has; of one that
// is known from elsewhere the body may have been another.
func TestSidesOfInjuriesThatComeIn(t *testing.T) {
	for _, c := range []struct {
		side    string
		patient bool
		refused bool
	}{{"left", false, false}, {"3", false, true}, {"", false, true}, {"left", true, false}, {"3", true, false}, {"", true, true}} {
		s := fighter("p", "party")
		if c.patient {
			s.Patient = "somebody"
		}
		err := newTable(t).Try(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: s, Vitals: &eventv1.Vitals{Injuries: several(1, "hand", c.side, 0)}}}})
		if c.refused {
			wantField(t, err, "add.vitals.injuries[0].side", "left", "right")
		} else if err != nil {
			t.Errorf("side %q, patient %v: %v", c.side, c.patient, err)
		}
	}
}

// What a sheet names has a name of its own, of 64 bytes at most; a potion's spell is one that works by itself.
func TestNamesAndPotionsOfASheet(t *testing.T) {
	const most = 64
	for name, good := range map[string]bool{"x": true, "": false, strings.Repeat("x", most): true, strings.Repeat("x", most+1): false, "sword": false} {
		for field, change := range map[string]func(*eventv1.CelesiaSheet){
			"weapons[3]": func(c *eventv1.CelesiaSheet) { c.Weapons = append(c.Weapons, sheathed(name, 1, false)) },
			"spells[0]":  func(c *eventv1.CelesiaSheet) { c.Spells = []*eventv1.CelesiaSpell{{Name: name, Casting: "swift"}} },
			"things[0]":  func(c *eventv1.CelesiaSheet) { c.Things = []*eventv1.CelesiaThing{{Name: name}} },
			"special_abilities[0]": func(c *eventv1.CelesiaSheet) {
				c.SpecialAbilities = []*eventv1.CelesiaAbility{{Name: name, Time: body.TimeFree}}
			},
			"potions[0]": func(c *eventv1.CelesiaSheet) { c.Potions = []*eventv1.CelesiaPotion{{Name: name}} },
		} {
			v := (System{}).CheckSheet(fighter("a", "party", section(change)))
			if hasField(v, "sheet.celesia."+field+".name") == good || good && len(v) > 0 {
				t.Errorf("%s %q: %v", field, name, v)
			}
		}
	}
	for name, c := range map[string]struct {
		sp   *eventv1.CelesiaSpell
		good bool
	}{
		"plain": {&eventv1.CelesiaSpell{Dice: "1d6"}, true}, "attack": {&eventv1.CelesiaSpell{Attack: "melee-touch"}, false}, "concentration": {&eventv1.CelesiaSpell{Concentration: true}, false},
		"redirected": {&eventv1.CelesiaSpell{Redirectable: true}, false}, "dismissed": {&eventv1.CelesiaSpell{Dismissible: true}, false},
	} {
		v := (System{}).CheckSheet(fighter("a", "party", section(func(s *eventv1.CelesiaSheet) { s.Potions = []*eventv1.CelesiaPotion{{Name: "p", Spell: c.sp}} })))
		if hasField(v, "sheet.celesia.potions[0].spell") == c.good {
			t.Errorf("%s: %v", name, v)
		}
	}
}
