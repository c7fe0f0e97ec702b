package spark

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/declaring"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// spark.turn.two-halves, spark.action.kinds: whoever has declared, is put out by the game master's word and brought back is not
// waited for: it has declared
func TestBroughtBackAfterDeclaring(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party")).at(5, fighter("orc", "monsters")).start()
	f.Must(act("ara", declaring.KindAttack, "sword", "orc"))
	f.Hurt("ara", 0)
	f.WantActive("orc")
	f.Hurt("ara", 7)
	f.WantActive("orc")
	wantRefused(t, f.Try(act("ara", declaring.KindMove, "", "", to(-5))), cite.ActionFullRoundPackages)
	f.End("orc", 15, 4)
	f.WantAttacks("ara hit")
	f.WantHP("orc", 23)
	f.WantActive("ara", "orc")
	// Whoever had not declared yet may.
	f.Hurt("ara", 0)
	f.WantActive("orc")
	f.Hurt("ara", 7)
	f.WantActive("orc", "ara")
	f.Must(act("ara", declaring.KindAttack, "sword", "orc"))
	f.End("orc", 2)
}

// spark.action.multi-round-lock: how long a casting lasts was settled when it began, whatever a new sheet says of the spell
func TestCastingOnANewSheet(t *testing.T) {
	for _, rounds := range []int32{0, 1, 5} {
		f := newTable(t).at(0, fighter("ara", "party")).at(30, fighter("hag", "monsters", mage)).start()
		f.Must(act("hag", declaring.KindCast, "storm", "ara"))
		f.End("ara", 10) // round 1 of 3
		changed := fighter("hag", "monsters", mage)
		changed.GetSpark().Spells[2].Rounds = rounds
		f.newSheet(changed)
		f.WantActive("ara")
		f.End("ara") // round 2
		f.WantHP("ara", 30)
		f.WantActive("ara")
		f.End("ara", 10, 1, 2, 3, 4) // round 3
		f.WantHP("ara", 20)
		f.WantActive("ara", "hag")
		if n := f.Creature("hag").Counters[body.CMana]; n != 12 {
			t.Errorf("%d rounds: %d mana, want 12", rounds, n)
		}
	}
}

// spark.spell.countered-mana-lost, spark.action.multi-round-lock: what a bump ruins is broken off, whatever a new sheet says
func TestCastingOnANewSheetBroken(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party")).at(5, fighter("hag", "monsters", mage)).start()
	f.Must(act("hag", declaring.KindCast, "storm", "ara"))
	f.End("ara", 10)
	changed := fighter("hag", "monsters", mage)
	changed.GetSpark().Spells[2].Rounds = 0
	f.newSheet(changed)
	f.Must(act("ara", declaring.KindAttack, "sword", "hag"), 1, 2, 4)
	if n := f.Creature("hag").Counters[body.CMana]; n != 12 || len(f.Creature("hag").Begun) > 0 {
		t.Fatalf("%d mana, %v", n, f.Creature("hag").Begun)
	}
	f.WantActive("ara", "hag")
}

// spark.fumble.string-breaks, spark.fumble.alt-loose-string, spark.item.hardness-check: between fights as in them, no string
// goes on a bow that is broken, and no spare one is lost on it
func TestNoStringForABrokenBow(t *testing.T) {
	for _, state := range []string{body.Snapped, body.Loose} {
		f := newTable(t).add(fighter("ara", "party", func(s *eventv1.SparkSheet) { s.SpareStrings = 1 }))
		f.Put("ara", &eventv1.Vitals{Marks: map[string]string{body.MString + "bow": state, body.MWeapon + "bow": body.Broken}})
		wantRefused(t, f.TryTend(gearOf("restring", "bow")), cite.ItemHardnessCheck)
		if c := f.Creature("ara"); c.Counters[body.CSpareStrings] != 1 || c.Marks[body.MString+"bow"] != state {
			t.Errorf("%s: %v", state, c.Marks)
		}
	}
	f := newTable(t).add(fighter("ara", "party", func(s *eventv1.SparkSheet) { s.SpareStrings = 1 }))
	f.Put("ara", &eventv1.Vitals{Marks: map[string]string{body.MString + "bow": body.Snapped, body.MWeapon + "bow": body.Cracked}})
	f.Tend(gearOf("restring", "bow"))
	if c := f.Creature("ara"); c.Counters[body.CSpareStrings] != 0 || c.Marks[body.MString+"bow"] != "" {
		t.Errorf("a cracked bow: %v", c.Marks)
	}
}

// spark.fumble.alt-ammo-accident: what spills is what is left in the quiver: an arrow that the same volley has shot before
// lies where it flew to
func TestAnAccidentSpillsTheRemainder(t *testing.T) {
	f := alt(t, func(s *eventv1.SparkSheet) { s.AttacksPerRound = 3 })
	f.Count("ara", body.CAmmunition+"bow", 5)
	f.Must(act("ara", declaring.KindAttack, "bow", "orc,orc,orc"))
	f.End("orc", 2, 3, 1, 17, 50)
	f.WantAttacks("ara fumble", "ara miss", "ara miss")
	n := f.Creature("ara").Counters
	if n[body.CAmmunition+"bow"] != 0 || n[body.CSpilled+"bow"] != 3 || n[body.CSpent+"bow"] != 2 {
		t.Fatalf("%d at hand, %d spilled, %d shot", n[body.CAmmunition+"bow"], n[body.CSpilled+"bow"], n[body.CSpent+"bow"])
	}
	f.Must(act("ara", declaring.KindGather, "bow", ""))
	f.End("orc", 10, 8, 8) // no more than there are
	if n := f.Creature("ara").Counters; n[body.CAmmunition+"bow"] != 3 || n[body.CSpilled+"bow"] != 0 {
		t.Fatalf("%d at hand, %d spilled", n[body.CAmmunition+"bow"], n[body.CSpilled+"bow"])
	}
}
