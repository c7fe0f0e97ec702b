package original

import (
	"slices"
	"strings"
	"testing"

	content "github.com/skaldrpg/skald/pkg/content/original"
	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	"github.com/skaldrpg/skald/pkg/rules/original/morale"
	thestrike "github.com/skaldrpg/skald/pkg/rules/original/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Small things that are told, counted or refused, each by itself.

// original.injury.normal-man-hit-points, original.mass.unit-hit-points: points that were
// rolled are noted as such, those of a sheet are not.
func TestWhichPointsWereRolled(t *testing.T) {
	rolls := with(func(o *eventv1.OriginalSheet) { o.RollHitPoints, o.HitDice, o.HitDicePlus = true, 2, 1 })
	for _, c := range []struct {
		name     string
		settings []string
		change   []func(*eventv1.Sheet)
		faces    []int
		hp       int32
		rolled   int64
	}{
		{"of a sheet", nil, nil, nil, 20, 0},
		{"two dice and one", nil, []func(*eventv1.Sheet){rolls}, []int{3, 4}, 8, 8},
		{"one die less one comes to 1", nil, []func(*eventv1.Sheet){rolls, with(func(o *eventv1.OriginalSheet) { o.HitDice, o.HitDicePlus = 1, -1 })}, []int{1}, 1, 1},
		{"a unit of three", []string{body.SetMass + "=on", body.SetMassPoints + "=on"}, []func(*eventv1.Sheet){unit(3)}, []int{1, 2, 6}, 9, 9},
		{"a unit with the points of its sheet", []string{body.SetMass + "=on", body.SetMassPoints + "=off"}, []func(*eventv1.Sheet){unit(3)}, nil, 20, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t, c.settings...)
			f.Must(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: one("x", "orcs", c.change...)}}}, c.faces...)
			if x := f.Creature("x"); x.GetHp() != c.hp || x.GetHpMax() != c.hp || x.Counters[body.CRolled] != c.rolled {
				t.Errorf("%d of %d, rolled %d", x.GetHp(), x.GetHpMax(), x.Counters[body.CRolled])
			}
		})
	}
}

// Tables begin and go on with numbers, also the one that begins with 0.
func TestRowsThatAreNoNumbers(t *testing.T) {
	for rows, good := range map[string]bool{"0,24,0\n25,99,-2\n": true, "none,24,0\n25,99,-2\n": false, "0,none,0\n1,99,-2\n": false, "0,24,0\n25,all,-2\n": false, "0,99,none\n": false, "1,99,0\n": false} {
		_, err := body.LoadTables(func(name string) (string, error) {
			if name != "cover" {
				return content.Book().Table(name)
			}
			return "from,to,to_hit\n" + rows, nil
		}, nil)
		if (err == nil) != good {
			t.Errorf("%q: %v", rows, err)
		}
	}
}

// original.morale.roll: the bravest of a group counts, with what makes it so, wherever it
// stands among them; those who are out count no more.
func TestTheBravestOfAGroup(t *testing.T) {
	book := featOf(t, "    - modifier: {to: morale, amount: \"3\"}")
	for _, bravest := range []string{"o1", "o2", "o3"} {
		f := tableWith(t, book)
		for i, id := range []string{"o1", "o2", "o3"} {
			s := one(id, "orcs", group("orcs"), with(func(o *eventv1.OriginalSheet) { o.Morale = 6 }))
			if id == bravest {
				s.Feats = []string{"probe"}
			}
			f.AddAt(int32(i), 0, s)
		}
		f.Resolve(func(r *rules.Resolution) error { morale.RollMorale(r, "orcs"); return nil }, 4, 5)
		if roll := f.Roll("morale/orcs"); roll.Target.Value != 9 || len(roll.Target.Modifiers) == 0 || roll.Outcome != "success" {
			t.Errorf("%s: %v", bravest, roll.Target)
		}
		f.stun(bravest, 20)
		f.Resolve(func(r *rules.Resolution) error { morale.RollMorale(r, "orcs"); return nil }, 4, 2)
		if roll := f.Roll("morale/orcs"); roll.Target.Value != 6 || len(roll.Target.Modifiers) != 0 {
			t.Errorf("without %s: %v", bravest, roll.Target)
		}
	}
}

// original.attack.florentine-advantage: two weapons are two that are held: no claws, no
// bow, nothing that takes two hands, nothing untrained, not one twice.
func TestWhatIsOneOfTwoWeapons(t *testing.T) {
	f := newTable(t).at(0, one("a", "party", class("cleric", 1), arms(blade, stab, claws, bow, sword2, flail))).at(5, strongFoe()).start(nil, 6, 1)
	for other, rule := range map[string]string{"dagger": "", "claws": cite.AttackFlorentineAdvantage, "bow": cite.AttackFlorentineAdvantage, "two-handed sword": cite.AttackFlorentineAdvantage,
		"flail": cite.AttackFlorentineAdvantage, "sword": cite.AttackFlorentineAdvantage} {
		err := f.Peek(act("a", "florentine", "sword", "", withParameters("other", other)))
		if rule != "" {
			wantRefused(t, err, rule)
		} else if err != nil {
			t.Errorf("%s: %v", other, err)
		}
		if rule != "" && other != "sword" {
			wantRefused(t, f.Peek(act("a", "florentine", other, "", withParameters("other", "dagger"))), rule)
		}
	}
	for _, o := range f.optionsOf("a", "florentine") {
		if o.Legal && o.Item != "sword" && o.Item != "dagger" {
			t.Errorf("%s is offered", o.Item)
		}
	}
}

// original.pursuit.line-of-sight, original.pursuit.food, original.pursuit.treasure,
// original.pursuit.corner-stairs-door, original.movement.retreat-pursuit-roll: what those
// who flee and who pursue do is told.
func TestWhatIsToldOfAFlight(t *testing.T) {
	for action, c := range map[string]struct {
		change func(*eventv1.TakeAction)
		faces  []int
		answer string
	}{
		"out-of-sight":   {func(*eventv1.TakeAction) {}, nil, "go-on"},
		"throw-food":     {func(*eventv1.TakeAction) {}, []int{6}, ""},
		"throw-treasure": {func(*eventv1.TakeAction) {}, nil, ""},
		"slip-away":      {withParameters("way", "stairs"), []int{2}, ""},
		"turn":           {func(*eventv1.TakeAction) {}, nil, ""},
	} {
		f := newTable(t).add(one("a", "party", class("cleric", 1)), one("wolf", "foes", group("wolves"), dumb)).start(nil, 6, 1)
		f.Must(act("a", "flee", "", "", withFacts("gap", 60)), 1, 1)
		if action == "turn" {
			f.round()
		}
		f.Must(act("a", action, "", "", c.change), c.faces...)
		if c.answer != "" {
			f.Answer(body.DecSight, c.answer)
		}
		n := 0
		for _, e := range f.Published {
			if x := e.GetAction(); x.GetCreature() == "a" && x.Action == action {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%s is told %d times", action, n)
		}
		if pursued := body.Is(f.Creature("wolf"), body.RelPursues, "a"); !pursued {
			t.Errorf("%s: it is pursued no more", action)
		}
		if body.Has(f.Creature("a"), body.CondFleeing) == (action == "turn") {
			t.Errorf("%s: %v", action, f.Creature("a").Conditions)
		}
	}
	// One in melee does not flee: it retreats.
	f := newTable(t).at(0, one("a", "party")).at(5, strongFoe()).start(nil, 6, 1)
	err := f.Try(act("a", "flee", "", "", path(-50)))
	if wantRefused(t, err, cite.MovementEngagedRestricts); !strings.Contains(err.Error(), "retreats") {
		t.Errorf("%v", err)
	}
}

// original.movement.half-move-and-attack: what a condition of content does to the speed
// counts from the end of the slot in which it was laid.
func TestSlowedInASlot(t *testing.T) {
	book := featOf(t, "    - {trigger: hit, condition: {condition: mired}}", "conditions.yaml", "- {id: mired, effects: [{speed: {mode: walk, feet: feet - 100}}]}")
	f := pair(t, book, "a").start(nil, 3, 3)
	f.Must(act("a", "attack", "sword", "b"), 18, 3)
	if got := thestrike.FullMove(f.State, f.Creature("b")); got != 120 {
		t.Fatalf("%d feet before the slot is over", got)
	}
	f.End("a")
	f.End("b")
	if got := thestrike.FullMove(f.State, f.Creature("b")); got != 20 {
		t.Errorf("%d feet, want 20", got)
	}
}

// original.mass.damage, original.charge.bonus: where the size of units says nothing of
// their damage, a unit that charges another does double damage for its charge, and that is
// said.
func TestWhatAUnitsDamageIsMultipliedBy(t *testing.T) {
	for setting, c := range map[string]struct {
		damage int32
		why    string
	}{"on": {20, "size of the unit"}, "off": {6, "charge"}} {
		f := newTable(t, body.SetMass+"=on", body.SetMassPoints+"=off", body.SetMassDamage+"="+setting).at(0, one("u", "party", unit(10), points(90), need(10), with(func(o *eventv1.OriginalSheet) { o.IsPc = false }))).
			at(100, one("v", "orcs", unit(10), points(90))).start(nil, 1, 6)
		f.End(f.State.Active[0])
		f.Roller = func(sides int) int {
			if sides == 6 {
				return 2
			}
			return 15
		}
		f.Must(act("u", "charge", "sword", "v"))
		if f.DamageTo("v") != c.damage {
			t.Errorf("%s: %d", setting, f.DamageTo("v"))
		}
		i := slices.IndexFunc(f.Events, func(e *eventv1.Event) bool { return e.GetDamage().GetTarget() == "v" })
		if i < 0 || f.Events[i].GetDamage().Parts[0].Factors[0].Source != c.why {
			t.Errorf("%s: want %s", setting, c.why)
		}
	}
}
