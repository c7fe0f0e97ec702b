package spark

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/declaring"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// newSheet gives a creature another sheet by the game master's word.
func (f *table) newSheet(s *eventv1.Sheet) {
	f.T.Helper()
	f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: s.Id, Sheet: s}}})
}

// spark.turn.declare: what a new sheet no longer holds is lost with the declaration that named it
func TestSheetChangedAfterDeclaring(t *testing.T) {
	less := func(s *eventv1.SparkSheet) { s.Weapons = s.Weapons[1:] }
	f := duel(t)
	f.Must(act("ara", declaring.KindAttack, "sword", "orc"))
	f.newSheet(fighter("ara", "party", less))
	f.End("orc")
	f.WantAttacks("ara lost")

	bare := func(s *eventv1.SparkSheet) { mage(s); s.Spells = s.Spells[1:] }
	f = newTable(t).at(0, fighter("ara", "party", mage)).at(5, fighter("orc", "monsters")).start()
	f.Must(act("ara", declaring.KindCast, "fire", "orc"))
	f.newSheet(fighter("ara", "party", bare))
	f.End("orc")
	f.WantHP("orc", 30)

	f = duel(t, twoHanded)
	f.Must(act("ara", declaring.KindMove, "", "", withParameters("bonus", "off-hand:dagger", "bonus_target", "orc")))
	f.newSheet(fighter("ara", "party"))
	f.End("orc")
	f.WantAttacks("ara lost")

	f = duel(t, twoHanded)
	f.Must(act("ara", declaring.KindMove, "", "", withParameters("bonus", "potion:potion")))
	f.newSheet(fighter("ara", "party"))
	f.End("orc", 10)

	// The casting of a spell of rounds ends with it.
	f = newTable(t).at(0, fighter("ara", "party", mage)).at(5, fighter("orc", "monsters")).start()
	f.Must(act("ara", declaring.KindCast, "storm", "orc"))
	f.End("orc", 10)
	f.newSheet(fighter("ara", "party"))
	f.End("orc")
	f.End("orc")
	f.WantActive("ara", "orc")
}

// The options of a weapon that is no longer there, of a size and speed that changed: nothing panics.
func TestSheetChangedInTheFight(t *testing.T) {
	f := duel(t)
	f.strikes("sword", 1, 2, 2)
	f.newSheet(fighter("ara", "party", func(s *eventv1.SparkSheet) { s.Weapons = nil }))
	f.listed("ara", declaring.KindAttack, "sword")
	f.pass()
	f.pass()
}

// A new sheet's weapons and items are there to be used, and those of the old one are as they were.
//
// spark.fumble.missile-broken, spark.action.drink-potion
func TestSheetAddsGear(t *testing.T) {
	f := duel(t)
	f.strikes("bow", 2)
	f.strikes("sword", 1, 2, 2)
	f.newSheet(fighter("ara", "party", func(s *eventv1.SparkSheet) {
		s.Weapons = append(s.Weapons, hurled, &eventv1.SparkWeapon{Name: "knife", FumbleClasses: []string{"P"}, DamageDice: "1d4", ReachFeet: 5, Stowed: true})
		s.Items = []*eventv1.SparkItem{{Name: "potion", Kind: "potion", Uses: 2, Healing: "1d8"}}
	}))
	c := f.Creature("ara")
	if c.Counters[body.CAmmunition+"bow"] != 11 || c.Items["sword"].Place != "dropped" || c.Counters[body.CAmmunition+"axe"] != 3 || c.Items["knife"].GetPlace() != "stowed" {
		t.Fatalf("%v, %v", c.Counters, c.Items)
	}
	wantRefused(t, f.Try(act("ara", declaring.KindAttack, "knife", "orc")), cite.ActionBonus)
	f.Must(act("ara", declaring.KindAttack, "axe", "orc", withParameters("throw", true, "bonus", "potion:potion")))
	f.End("orc", 2, 1)
	if n := f.Creature("ara").Counters; n[body.CAmmunition+"axe"] != 2 || n[body.CLeft+"potion"] != 1 {
		t.Fatalf("%v", n)
	}
}
