package original

import (
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	thestrike "github.com/skaldrpg/skald/pkg/rules/original/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/proto"
)

// What comes in with a creature, what goes with the fight, who is told, and harm.

// What a record holds of another fight is taken and left behind; what is out of bounds is
// refused, of a patient too.
func TestWhatARecordMayHold(t *testing.T) {
	const most = body.MaxPoints
	long := body.CLeft + strings.Repeat("x", rules.MaxIDLength-len(body.CLeft))
	count := func(name string, n int64) *eventv1.Vitals {
		return &eventv1.Vitals{Counters: map[string]int64{name: n}}
	}
	points := func(n int32) *eventv1.Vitals { return &eventv1.Vitals{Hp: proto.Int32(n)} }
	rolled := with(func(o *eventv1.OriginalSheet) { o.RollHitPoints, o.HitDice = true, 2 })
	for _, c := range []struct {
		name    string
		patient bool
		change  func(*eventv1.Sheet)
		vitals  *eventv1.Vitals
		field   string
	}{
		{"a spell's uses", false, nil, count(body.CLeft+"bolt", most), ""},
		{"a spell's uses, far below none", false, nil, count(body.CLeft+"bolt", -most), ""},
		{"more of them", false, nil, count(body.CLeft+"bolt", most+1), "add.vitals.counters[left.bolt]"},
		{"less of them", false, nil, count(body.CLeft+"bolt", -most-1), "add.vitals.counters[left.bolt]"},
		{"a count of its own", true, nil, count(long, 1), ""},
		{"a count of a longer name", true, nil, count(long+"x", 1), "add.vitals.counters[" + long + "x]"},
		{"a mark of the fight", true, nil, &eventv1.Vitals{Marks: map[string]string{body.MLeaving: rules.Yes}}, ""},
		{"a mark of the fight, and no patient", false, nil, &eventv1.Vitals{Marks: map[string]string{body.MLeaving: rules.Yes}}, "add.vitals.marks[leaving]"},
		{"a mark of no fight", false, nil, &eventv1.Vitals{Marks: map[string]string{body.MNormal: rules.Yes}}, ""},
		{"a condition of the fight", true, nil, &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondSurprised}}}, ""},
		{"another condition", false, nil, &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondHasted}}}, ""},
		{"a tie", true, nil, &eventv1.Vitals{Relations: []*eventv1.Relation{{Kind: body.RelHolds, To: "a"}}}, ""},
		{"rolled points, as many as there can be", false, rolled, points(most), ""},
		{"rolled points, more than there can be", false, rolled, points(most + 1), "add.vitals.hp"},
		{"rolled points, far below nothing", false, rolled, points(-most), ""},
		{"rolled points, farther", false, rolled, points(-most - 1), "add.vitals.hp"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := one("m", "party", spells(bolt))
			if c.patient {
				s.Patient = "m"
			}
			if c.change != nil {
				c.change(s)
			}
			f := newTable(t).add(one("a", "party"))
			f.Roller = func(int) int { return 3 }
			err := f.Try(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: s, Vitals: c.vitals}}})
			if c.field != "" {
				wantFault(t, err, c.field)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			m := f.Creature("m")
			if m.Marks[body.MLeaving] != "" || body.Surprised(m) {
				t.Errorf("it brings %v, %v", m.Marks, m.Conditions)
			}
			if c.change != nil && c.vitals.GetHp() > 0 && m.GetHp() != 6 {
				t.Errorf("%d points of 3 and 3", m.GetHp())
			}
		})
	}
}

// original.mount.mounted-bonus: whoever rides by its sheet rides once, whatever its record says;
// what else ails it, it brings.
func TestARiderComesBack(t *testing.T) {
	for _, rides := range []bool{true, false} {
		s := one("m", "party", with(func(o *eventv1.OriginalSheet) { o.Mounted = rides }))
		f := newTable(t)
		f.enter(s, &eventv1.Creature{Hp: proto.Int32(20), Conditions: []*eventv1.Condition{{Name: body.CondMounted, Rule: cite.MountMountedBonus}, {Name: body.CondHasted}}})
		n := map[string]int{}
		for _, x := range f.Creature("m").Conditions {
			n[x.Name]++
		}
		if n[body.CondMounted] != 1 || n[body.CondHasted] != 1 || len(n) != 2 {
			t.Errorf("by the sheet %v: %v", rides, n)
		}
	}
}

// original.grapple.thrown-off, original.morale.table: what came of the fight ends with it, and what is of
// its place, and what content laid for some rounds; all that is told. What the game master laid
// stays.
func TestWhatOutlivesTheFight(t *testing.T) {
	round := &eventv1.Until{When: body.UntilRound, Round: 9}
	f := newTable(t).at(0, one("a", "party")).at(50, strongFoe()).at(90, one("c", "monsters", group("c"))).at(99, one("d", "monsters", group("c"))).at(99, one("e", "monsters", group("c"))).start(nil, 6, 2, 1)
	f.Resolve(func(r *rules.Resolution) error {
		for _, x := range []*eventv1.Condition{
			{Name: body.CondStunned, Rule: cite.GrappleThrownOff, Until: round}, {Name: body.CondHasted, Rule: cite.InitiativeHasteFirst, Until: round},
			{Name: "chilled", Rule: "house.own.chilled", Until: round}, {Name: "cursed", Rule: "house.own.cursed"}, {Name: body.CondStationary}, {Name: body.CondCharging, Until: round},
		} {
			r.AddCondition("b", x)
		}
		r.AddCondition("c", &eventv1.Condition{Name: body.CondStunned})
		return nil
	})
	f.Roller = func(int) int { return 1 }
	f.Put("c", &eventv1.Vitals{Marks: map[string]string{body.MLeaving: rules.Yes}})
	f.Must(&eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}})
	var left []string
	for _, x := range f.Creature("b").Conditions {
		left = append(left, x.Name)
	}
	slices.Sort(left)
	if !slices.Equal(left, []string{"cursed", body.CondHasted}) {
		t.Errorf("left: %v", left)
	}
	var told []string
	for _, e := range f.Events {
		if x := e.GetConditionRemoved(); x != nil {
			told = append(told, x.Name)
		}
	}
	slices.Sort(told)
	if !slices.Equal(told, []string{body.CondCharging, "chilled", body.CondStationary, body.CondStunned}) {
		t.Errorf("told: %v", told)
	}
	if c := f.Creature("c"); !body.Has(c, body.CondStunned) || c.Marks[body.MLeaving] != "" {
		t.Errorf("%v, %v", c.Conditions, c.Marks)
	}
}

// Who is told: what is counted of a group unseen the game master alone, of the encounter and
// of nobody else; what is of a side is plain, whatever its kind.
func TestOfWhatEveryoneIsTold(t *testing.T) {
	f := newTable(t).add(one("a", "party"))
	f.joins(one("o", "orcs", group("orcs")), true)
	f.joins(one("d", "others", group(body.CDistance)), true)
	gm, all, owners := event.GM(), event.Everyone(), event.Controllers("a")
	for _, c := range []struct {
		kind           rules.FactKind
		name, creature string
		want           *eventv1.Audience
	}{
		{rules.FactCounter, body.CStart + "orcs", "", gm},
		{rules.FactCounter, body.CStart + "orcs", "a", all},
		{rules.FactCounter, body.CStart + "party", "", all},
		{rules.FactCounter, body.CDistance, "", all}, // a group unseen of that name
		{rules.FactCounter, body.CActual, "a", owners},
		{rules.FactCounter, body.CActual, event.SidePrefix + "party", all},
		{rules.FactInjury, "", event.SidePrefix + "party", all},
		{rules.FactInjury, "", "a", owners},
	} {
		if got := (System{}).Audience(f.State, c.kind, c.name, c.creature); !proto.Equal(got, c.want) {
			t.Errorf("%v %s of %q: %v", c.kind, c.name, c.creature, got)
		}
	}
}

// original.movement.in-melee-definition: nobody is in melee with the dead, with its own side, or
// with who is being taken off the field.
func TestWhoIsInMelee(t *testing.T) {
	c := func(change func(*eventv1.Creature)) *eventv1.Creature {
		x := &eventv1.Creature{Id: "b", Side: "orcs", Position: &eventv1.Position{X: 10}}
		if change != nil {
			change(x)
		}
		return x
	}
	a := &eventv1.Creature{Id: "a", Side: "party", Position: &eventv1.Position{}}
	for name, x := range map[string]struct {
		b    *eventv1.Creature
		want bool
	}{
		"10 feet off":   {c(nil), true},
		"11 feet off":   {c(func(x *eventv1.Creature) { x.Position.X = 11 }), false},
		"knocked out":   {c(func(x *eventv1.Creature) { x.Life = eventv1.LifeStatus_LIFE_STATUS_UNCONSCIOUS }), true},
		"dead":          {c(func(x *eventv1.Creature) { x.Life = eventv1.LifeStatus_LIFE_STATUS_DEAD }), false},
		"leaving":       {c(func(x *eventv1.Creature) { x.Marks = map[string]string{body.MLeaving: rules.Yes} }), false},
		"a friend":      {c(func(x *eventv1.Creature) { x.Side = "party" }), false},
		"nobody at all": {nil, false},
	} {
		if body.InMelee(a, x.b) != x.want || body.InMelee(x.b, a) != x.want {
			t.Errorf("%s: %v and %v", name, body.InMelee(a, x.b), body.InMelee(x.b, a))
		}
	}
}

// original.action.disarm-attempt, original.equipment.tight-space: what a weapon is is laid out by the sheet;
// the one in hand is the first of it that is for melee. original.attack.crossbow-every-other-round:
// crossbows alone are loaded.
func TestTheWeaponInHand(t *testing.T) {
	axe := &eventv1.OriginalWeapon{Name: "axe", Damage: "1d6"}
	f := newTable(t).at(0, one("a", "party", class("cleric", 1), need(10))).at(5, strongFoe(arms(bow, axe, blade), save(14), dex(0))).start(nil, 6, 1)
	f.Must(act("a", "disarm", "sword", "b"), 15, 3)
	if b := f.Creature("b"); !body.Dropped(b, axe) || body.Dropped(b, blade) || body.Dropped(b, bow) {
		t.Errorf("%v", b.Items)
	}
	f.Put("a", &eventv1.Vitals{Items: map[string]*eventv1.ItemState{"sword": {Place: body.PlaceHand, Values: map[string]int32{"order": 1, "hands": 7, "melee": 1}}}})
	if got := f.Creature("a").Items["sword"].Values["hands"]; got != 1 {
		t.Errorf("a sword of %d hands", got)
	}
	for weapon, loads := range map[*eventv1.OriginalWeapon]bool{bow: false, crossbow: true} {
		f := newTable(t).at(0, one("a", "party", dex(0), arms(weapon))).at(60, strongFoe()).start(nil, 6, 1)
		f.Count("a", body.CLoading+weapon.Name, 1)
		err := f.Try(act("a", "attack", weapon.Name, "b"), 2)
		if loads {
			wantRefused(t, err, cite.AttackCrossbowEveryOtherRound)
		} else if err != nil {
			t.Error(err)
		}
	}
}

// original.fumble.table, original.action.whip-outcome: a weapon is picked up from within 10 feet, and from
// the feet of a foe who cannot act.
func TestFromWhereAWeaponIsPickedUp(t *testing.T) {
	for _, c := range []struct {
		name   string
		at, do string
		then   int32 // where it goes after that
		reason string
	}{
		{"10 feet from where it stood", "a", "", 10, ""},
		{"11 feet from where it stood", "a", "", 11, "TOO_FAR"},
		{"at a foe's feet", "b", "", 0, "GUARDED"},
		{"at a stunned foe's feet", "b", body.CondStunned, 0, ""},
		{"at a friend's feet", "c", "", 0, ""},
		{"at nobody's", "", "", 0, ""},
	} {
		f := newTable(t).at(0, one("a", "party")).at(5, strongFoe()).at(-5, one("c", "party")).at(90, one("d", "monsters", group("d"))).start(nil, 6, 5, 1, 1)
		f.Roller = func(int) int { return 1 }
		f.Resolve(func(r *rules.Resolution) error {
			body.Drop(r, "a", "sword", c.at, "test", cite.FumbleTable)
			return nil
		})
		f.place("a", c.then, 0)
		if c.do != "" {
			f.Afflict("b", c.do)
		}
		if got := reasonOf(f.Try(act("a", "pick-up", "sword", ""))); got != c.reason {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

// original.fumble.table: where its owner has no place on the map, a weapon on it lies near enough.
func TestAWeaponOnTheMap(t *testing.T) {
	f := newTable(t).at(60, one("c", "party")).add(one("a", "party"), strongFoe()).start(nil, 6, 5, 1)
	f.Resolve(func(r *rules.Resolution) error {
		body.Drop(r, "a", "sword", "c", "test", cite.FumbleTable)
		return nil
	})
	f.Must(act("a", "pick-up", "sword", ""))
}

// original.injury.knocked-out-at-zero: harm of a temporary nature only knocks out, whatever its type;
// the game master sets up to the maximum.
func TestHarmOfATemporaryNature(t *testing.T) {
	for nature, want := range map[string]int64{"": 0, "temporary": 4, "subdual": 0} {
		f := newTable(t).add(one("a", "party"))
		f.Medicine(&eventv1.Harm{Deed: body.DeedDamage, Target: "a", Nature: nature, Parts: []*eventv1.DamagePart{{Type: "fire", Rolled: 4}}})
		if c := f.Creature("a").Counters; c[body.CTemporary] != want || c[body.CActual] != 4-want || f.Creature("a").GetHp() != 16 {
			t.Errorf("%q: %v", nature, c)
		}
	}
	for n, ok := range map[int]bool{20: true, 21: false} {
		f := newTable(t).add(one("a", "party"))
		f.Hurt("a", 5)
		err := f.TryTend(&eventv1.PatientCommand{Deed: body.DeedSet, Patients: []string{"a"}, Parameters: object("hit_points", n)})
		if ok && (err != nil || f.Creature("a").GetHp() != 20) {
			t.Errorf("%d: %v", n, err)
		} else if !ok {
			wantFault(t, err, "command.patient.parameters.hit_points")
		}
	}
	// What content lets through of the damage of weapons it lets through of each kind of it.
	for kind, want := range map[string]int32{body.PartActual: 2, body.PartTemporary: 2, "": 2, "fire": 4} {
		f := tableWith(t, featOf(t, "    - resistance: {types: [weapon]}")).add(one("a", "party", func(s *eventv1.Sheet) { s.Feats = []string{"probe"} }))
		f.Medicine(&eventv1.Harm{Deed: body.DeedDamage, Target: "a", Parts: []*eventv1.DamagePart{{Type: kind, Rolled: 4}}})
		if got := f.DamageTo("a"); got != want {
			t.Errorf("%q: %d", kind, got)
		}
	}
}

// original.attack.ability-bonus-table: a bonus of the sheet's own comes of no row that content changed.
func TestWhoseBonusARowIs(t *testing.T) {
	book := writtenBook(t, map[string]string{"tables/ability.csv": "from,to,bonus\n1,12,1\n"})
	k := thestrike.TablesOf(book)
	for _, name := range []string{"strength", "dexterity", "psyche"} {
		own := body.Bearer(one("a", "party", with(func(o *eventv1.OriginalSheet) { n := int32(1); o.StrBonus, o.DexBonus, o.PsyBonus = &n, &n, &n })))
		if got := k.AbilityRule(own, name, "given"); got != "given" {
			t.Errorf("%s of the sheet: %s", name, got)
		}
		if got := k.AbilityRule(body.Bearer(one("a", "party")), name, "given"); !strings.HasPrefix(got, "house.own.") {
			t.Errorf("%s of the table: %s", name, got)
		}
	}
	if err := tableOf(t, "reaction", "from,to,reaction\n3,5,\n"); err == nil {
		t.Error("a reaction without a word holds")
	}
	for i, want := range map[int]string{0: "segment-1", 31: "segment-32", 32: "segment-33", 33: "segment-34"} {
		if got := thestrike.SegmentID(i); got != want {
			t.Errorf("%d: %s", i, got)
		}
	}
}
