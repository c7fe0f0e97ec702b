package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// spent says that a counter of the turn is spent.
func spent(counter string) func(*table) {
	return func(f *table) { f.force("a", counter, 0) }
}

// rcr.trait.aggressive: a bonus action for as much movement as the speed, while an enemy is
// in sight; twice with two bonus actions only, and never instead of the action.
func TestAggressive(t *testing.T) {
	for _, c := range []struct {
		name     string
		change   []func(*eventv1.Sheet)
		do       func(*table)
		movement int64
		reason   string
	}{
		{"it rushes", nil, nil, 60, ""},
		{"after its action", nil, spent(body.CAction), 60, ""},
		{"after some of its movement", nil, func(f *table) { f.Must(act("a", "move", "", "", along(0, 20))) }, 40, ""},
		{"crippled: half the speed once more", []func(*eventv1.Sheet){ability("constitution", 10)}, func(f *table) { f.Count("a", body.CWounds, 2) }, 30, ""},
		{"no bonus action", nil, spent(body.CBonus), 30, "NO_BONUS_ACTION"},
		{"who sees nobody", nil, func(f *table) { f.Afflict("a", body.CondBlinded) }, 30, "NO_TARGET"},
		{"the enemy hides", nil, func(f *table) { f.Afflict("b", body.CondHidden) }, 30, "NO_TARGET"},
		{"the enemy is dead", nil, func(f *table) { f.Resolve(func(r *resolution) error { die(r, "b"); return nil }) }, 30, "NO_TARGET"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t)
			f.place(fighter("a", "party", append(c.change, trait(body.TraitAggressive))...), 0, 0)
			f.place(fighter("b", "monsters"), 30, 0)
			f.start(nil, 20, 5)
			if c.do != nil {
				c.do(f)
			}
			if o := optionOf(f, "a", "aggressive", ""); o == nil || o.Legal != (c.reason == "") {
				t.Errorf("offered %v", o)
			}
			wantReasonOf(t, c.name, f.Try(act("a", "aggressive", "", "")), c.reason)
			f.wantCount("a", body.CMovement, c.movement)
			if c.reason == "" {
				f.wantCount("a", body.CBonus, 0)
				f.wantCited(cite.TraitAggressive)
				wantReasonOf(t, "again", f.Try(act("a", "aggressive", "", "")), "NO_BONUS_ACTION")
			}
		})
	}
	f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 20, 5)
	if o := optionOf(f, "a", "aggressive", ""); o != nil {
		t.Errorf("offered to one who is not: %v", o)
	}
	wantReasonOf(t, "without the trait", f.Try(act("a", "aggressive", "", "")), "NO_TRAIT")
	f = newTable(t).add(fighter("a", "party", trait(body.TraitAggressive)), fighter("b", "monsters")).start(nil, 20, 5)
	f.Must(act("a", "aggressive", "", "")) // nobody has a place: the enemy is near
}

// die kills a creature.
func die(r *resolution, id string) {
	r.Emit(&eventv1.Audience{Kind: eventv1.Audience_KIND_EVERYONE}, &eventv1.LifeChanged{Creature: id, Status: eventv1.LifeStatus_LIFE_STATUS_DEAD})
}

// rcr.trait.rampage: who brings a creature to 0 hit points in melee in its own turn may
// move half its speed and bite, for the bonus action; once for each that falls.
func TestRampage(t *testing.T) {
	gnoll := func(s *eventv1.Sheet) {
		weapons(&eventv1.RcrAttack{Name: "spear", Bonus: 5, ReachFeet: 5, Hand: "main", Damage: []*eventv1.RcrDamage{{Dice: "1d6+3", Type: "piercing"}}},
			&eventv1.RcrAttack{Name: "bow", Bonus: 5, RangeFeet: 80, Natural: true, Damage: []*eventv1.RcrDamage{{Dice: "1d6+3", Type: "piercing"}}})(s)
		s.GetRcr().Attacks = append(s.GetRcr().Attacks, &eventv1.RcrAttack{Name: "bite", Bonus: 5, ReachFeet: 5, Natural: true, Damage: []*eventv1.RcrDamage{{Dice: "1d4+3", Type: "piercing"}}},
			&eventv1.RcrAttack{Name: "claw", Bonus: 5, ReachFeet: 5, Natural: true, Damage: []*eventv1.RcrDamage{{Dice: "1d4+3", Type: "slashing"}}})
		trait(body.TraitRampage)(s)
	}
	begin := func(hp int32, change ...func(*eventv1.Sheet)) *table {
		f := newTable(t)
		f.place(fighter("a", "monsters", append([]func(*eventv1.Sheet){gnoll}, change...)...), 0, 0)
		f.place(fighter("b", "party"), 5, 0)
		f.place(fighter("c", "party"), 0, 5)
		f.start(nil, 20, 5, 4)
		f.Hurt("b", hp)
		return f
	}
	f := begin(4)
	wantReasonOf(t, "nobody felled", f.Try(act("a", "rampage", "", "")), "NOBODY_FELLED")
	f.Must(act("a", "attack", "spear", "b"), 15, 1)
	f.WantHP("b", 0)
	f.wantCount("a", body.CAction, 0)
	f.Must(act("a", "rampage", "", ""))
	f.wantCount("a", body.CBonus, 0)
	f.wantCount("a", body.CMovement, 45)
	f.wantCited(cite.TraitRampage)
	wantReasonOf(t, "with a spear", f.Try(act("a", "attack", "spear", "c")), "NO_ACTION")
	f.Must(act("a", "attack", "bite", "c"), 15, 1)
	f.WantHP("c", 36)
	wantReasonOf(t, "a second bite", f.Try(act("a", "attack", "bite", "c")), "NO_ACTION")
	wantReasonOf(t, "twice for one who fell", f.Try(act("a", "rampage", "", "")), "NOBODY_FELLED")

	f = begin(40)
	f.Must(act("a", "attack", "spear", "b"), 15, 1)
	wantReasonOf(t, "one who stays up", f.Try(act("a", "rampage", "", "")), "NOBODY_FELLED")
	f = begin(4)
	f.Place("b", 30, 0)
	f.Place("c", 30, 5)
	f.Must(act("a", "attack", "bow", "b"), 15, 1)
	wantReasonOf(t, "felled from afar", f.Try(act("a", "rampage", "", "")), "NOBODY_FELLED")
	f = begin(4)
	f.Must(act("a", "attack", "spear", "b"), 15, 1)
	f.force("a", body.CBonus, 0)
	wantReasonOf(t, "no bonus action", f.Try(act("a", "rampage", "", "")), "NO_BONUS_ACTION")
	f = begin(4)
	f.Must(act("a", "attack", "spear", "b"), 15, 1)
	f.Roller = func(int) int { return 10 }
	for again := true; again; again = f.State.Active[0] != "a" {
		f.Must(endTurn(f.State.Active[0]))
	}
	wantReasonOf(t, "the turn after", f.Try(act("a", "rampage", "", "")), "NOBODY_FELLED")
	// The sheet may name another attack; without any there is no rampage.
	f = begin(4, feature(&eventv1.RcrFeature{Name: body.TraitRampage, Attack: "claw"}))
	f.Must(act("a", "attack", "spear", "b"), 15, 1)
	f.Must(act("a", "rampage", "", ""))
	f.Must(act("a", "attack", "claw", "c"), 15, 1)
	f = newTable(t).add(fighter("a", "monsters", trait(body.TraitRampage)), fighter("b", "party")).start(nil, 20, 5)
	wantReasonOf(t, "no bite", f.Try(act("a", "rampage", "", "")), "NO_TRAIT")
}

// rcr.trait.charge: whom a charge has thrown down may be struck once more, with the attack
// that the sheet names, for the bonus action, in that turn and as long as it lies.
func TestRunsDown(t *testing.T) {
	lion := func(s *eventv1.Sheet) {
		s.GetRcr().Attacks = []*eventv1.RcrAttack{
			{Name: "claw", Bonus: 5, ReachFeet: 5, Natural: true, Damage: []*eventv1.RcrDamage{{Dice: "1d6+3", Type: "slashing"}}},
			{Name: "bite", Bonus: 5, ReachFeet: 5, RangeFeet: 20, Natural: true, Damage: []*eventv1.RcrDamage{{Dice: "1d8+3", Type: "piercing"}}}}
		feature(&eventv1.RcrFeature{Name: "pounce", Feet: 20, Attack: "claw", Save: &eventv1.RcrSave{Ability: "strength", Dc: 12}, Follow: "bite"})(s)
	}
	begin := func(straight, save int) *table {
		f := newTable(t)
		f.place(fighter("a", "monsters", lion), 0, 0)
		f.place(fighter("b", "party"), 5, 0)
		f.place(fighter("c", "party"), 0, 5)
		f.start(nil, 20, 5, 4)
		faces := []int{15, 1}
		if straight >= 20 {
			faces = append(faces, save)
		}
		f.Must(act("a", "attack", "claw", "b", withFacts("straight", straight)), faces...)
		return f
	}
	f := begin(20, 11)
	f.wantHas("b", body.CondProne, true)
	wantReasonOf(t, "one it has not run down", f.Try(act("a", "run-down", "bite", "c")), "NOT_RUN_DOWN")
	wantReasonOf(t, "from afar", f.Try(act("a", "run-down", "bite", "b", withFacts("distance", 10))), "OUT_OF_REACH")
	if err := f.Try(act("a", "run-down", "claw", "b")); err == nil {
		t.Error("with another attack")
	}
	f.Must(act("a", "run-down", "bite", "b"), 14, 6, 8) // advantage: it lies
	f.wantCited(cite.TraitCharge)
	f.WantHP("b", 40-4-11)
	f.wantCount("a", body.CBonus, 0)
	wantReasonOf(t, "once more", f.Try(act("a", "run-down", "bite", "b")), "NOBODY_RUN_DOWN")

	f = begin(20, 12) // it keeps its feet
	wantReasonOf(t, "who stands", f.Try(act("a", "run-down", "bite", "b")), "NOBODY_RUN_DOWN")
	f = begin(19, 0)
	wantReasonOf(t, "not far enough", f.Try(act("a", "run-down", "bite", "b")), "NOBODY_RUN_DOWN")
	f = begin(20, 11)
	f.force("a", body.CBonus, 0)
	wantReasonOf(t, "no bonus action", f.Try(act("a", "run-down", "bite", "b")), "NO_BONUS_ACTION")
	f = begin(20, 11)
	f.Resolve(func(r *resolution) error {
		r.RemoveCondition("b", body.Condition(r.Creature("b"), body.CondProne), "helped up")
		return nil
	})
	wantReasonOf(t, "who is up again", f.Try(act("a", "run-down", "bite", "b")), "NOT_RUN_DOWN")
}

// rcr.trait.second-wind: 1d10 and the level for the bonus action and the use that the sheet
// counts; it is an ability against wounds. A power of the name takes its place.
func TestSecondWindByTrait(t *testing.T) {
	counted := func(n int32) func(*eventv1.Sheet) {
		return rcrSheet(func(s *eventv1.RcrSheet) {
			s.Resources = []*eventv1.RcrResource{{Name: body.TraitSecondWind, Current: n, Max: 1, Recharge: "short rest"}}
		})
	}
	for _, c := range []struct {
		name   string
		change []func(*eventv1.Sheet)
		hp     int32
		wounds int
		faces  []int
		want   int32
		left   int64
		reason string
	}{
		{"level 5", []func(*eventv1.Sheet){counted(1)}, 10, 0, []int{4}, 19, 0, ""},
		{"no level counts as one", []func(*eventv1.Sheet){counted(1), level(0)}, 10, 0, []int{4}, 15, 0, ""},
		{"wounds by the proficiency", []func(*eventv1.Sheet){counted(1), ability("constitution", 20)}, 10, 4, []int{4, 10}, 19, 1, ""},
		{"the check fails", []func(*eventv1.Sheet){counted(1), ability("constitution", 20)}, 10, 4, []int{4, 9}, 19, 4, ""},
		{"up to the maximum", []func(*eventv1.Sheet){counted(1)}, 38, 0, []int{4}, 40, 0, ""},
		{"spent", []func(*eventv1.Sheet){counted(0)}, 10, 0, nil, 10, 0, "NO_RESOURCE"},
		{"no uses counted", nil, 10, 0, nil, 10, 0, "NO_RESOURCE"},
		{"a power of the name", []func(*eventv1.Sheet){counted(1), rcrSheet(func(s *eventv1.RcrSheet) {
			s.Powers = []*eventv1.RcrPower{{Name: body.TraitSecondWind, Cost: "bonus", Healing: "1d10+5"}}
		})}, 10, 0, nil, 10, 0, "NO_TRAIT"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party", append(c.change, trait(body.TraitSecondWind))...), fighter("b", "monsters")).start(nil, 20, 5)
			f.Hurt("a", c.hp)
			f.Count("a", body.CWounds, c.wounds)
			if err := f.Try(act("a", "second-wind", "", ""), c.faces...); c.reason != "" {
				wantReasonOf(t, c.name, err, c.reason)
				f.wantCount("a", body.CBonus, 1)
			} else if err != nil {
				t.Fatal(err)
			} else {
				f.wantCount("a", body.CLeft+body.TraitSecondWind, 0)
				f.wantCount("a", body.CBonus, 0)
				f.wantCited(cite.TraitSecondWind)
			}
			f.WantHP("a", c.want)
			f.wantCount("a", body.CWounds, c.left)
		})
	}
	f := newTable(t).add(fighter("a", "party", counted(1), trait(body.TraitSecondWind)), fighter("b", "monsters")).start(nil, 20, 5)
	f.force("a", body.CBonus, 0)
	wantReasonOf(t, "no bonus action", f.Try(act("a", "second-wind", "", "")), "NO_BONUS_ACTION")
}
