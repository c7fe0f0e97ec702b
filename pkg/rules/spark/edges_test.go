package spark

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/declaring"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// spark.action.charge: a way of no length is no move
func TestChargeOnTheSpot(t *testing.T) {
	f := duel(t)
	wantRefused(t, f.Try(act("ara", declaring.KindCharge, "sword", "orc", to(0))), cite.ActionCharge)
	wantRefused(t, f.Try(act("ara", declaring.KindBullRush, "sword", "orc", to(0, 0))), cite.ActionCharge)
	f.Must(act("ara", declaring.KindCharge, "sword", "orc", to(-5)))
}

// spark.fumble.string-breaks: no new string for a bow that is broken or lies on the ground
func TestRestringWhat(t *testing.T) {
	for _, c := range []struct {
		name  string
		marks map[string]string
		rule  string
	}{{"broken", map[string]string{body.MWeapon + "bow": body.Broken}, cite.ItemHardnessCheck}, {"dropped", nil, cite.FumbleDropWeapon}} {
		f := duel(t, func(s *eventv1.SparkSheet) { s.SpareStrings = 1 })
		if c.marks == nil {
			f.strikes("bow", 1, 2, 2)
		}
		marks := map[string]string{body.MString + "bow": body.Snapped}
		for k, v := range c.marks {
			marks[k] = v
		}
		f.Put("ara", &eventv1.Vitals{Marks: marks})
		wantRefused(t, f.Try(act("ara", declaring.KindRestring, "bow", "")), c.rule)
	}
}

// spark.action.multi-round-lock, spark.turn.killed-first-fails: whoever is put out stops casting, healed or not
func TestCasterPutOutAndHealed(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party")).at(5, fighter("hag", "monsters", mage)).
		at(10, fighter("imp", "monsters", mage, func(s *eventv1.SparkSheet) {
			s.Spells = []*eventv1.SparkSpell{{Name: "mend", Delivery: "melee-touch", Healing: "1d8"}}
		})).start()
	f.Hurt("hag", 4)
	hag := f.State.Creatures["hag"]
	hag.Controllers = []string{"gm-player"} // dying, not dead, at 0
	f.Must(act("hag", declaring.KindCast, "storm", "ara"))
	f.Must(act("ara", declaring.KindAttack, "sword", "hag"))
	f.Must(act("imp", declaring.KindCast, "mend", "hag"), 15, 10, 3, 1, 8)
	if c := f.Creature("hag"); c.GetHp() != 8 || len(c.Begun) > 0 {
		t.Fatalf("%v", c)
	}
	f.WantActive("ara", "hag", "imp")
}

// spark.fumble.missile-rebounds: without a map the game master says whom
func TestReboundWithoutAMap(t *testing.T) {
	f := newTable(t).add(fighter("ara", "party"), fighter("orc", "monsters"), fighter("wen", "party")).start()
	f.Must(act("ara", declaring.KindAttack, "bow", "orc"))
	f.pass(1, 2, 3)
	if d := f.Decisions[0]; d.Name != body.DecNearest || !d.GmOnly || d.Rule != cite.FumbleMissileRebounds || len(d.Options) != 2 {
		t.Fatalf("%v", d)
	}
	f.Choose("wen", 5)
	f.WantHP("wen", 24)
	f.Must(act("ara", declaring.KindAttack, "bow", "orc", withFacts("in_range", []string{})))
	f.pass(1, 2, 3)
	f.WantHP("wen", 24)
}

// spark.reaction.opportunity-attack: a weapon's name may hold a colon
func TestWeaponNames(t *testing.T) {
	f := duel(t, func(s *eventv1.SparkSheet) { s.Weapons[0].Name = "fang: the second" })
	f.Must(act("orc", declaring.KindMove, "", "", to(15)))
	f.End("ara")
	f.Answer(body.DecOpportunity, "fang: the second", 15, 1)
	f.WantAttacks("ara hit")
}

// spark.turn.declare, spark.fumble.alt-retrieve: a bow shot down the field is not fetched with feet that a full attack spent
func TestMovementLeft(t *testing.T) {
	for _, c := range []struct {
		name   string
		change []func(*eventv1.TakeAction)
		twice  bool
		feet   int
		fetch  bool
	}{
		{"standing still, one attack", nil, false, 12, true},
		{"standing still, a full attack", nil, true, 6, false},
		{"standing still, a full attack, 5 ft", nil, true, 5, true},
		{"a step and a full attack", []func(*eventv1.TakeAction){to(-5), withFacts("provokes", []string{}, "distance", 5.0)}, true, 1, false},
		{"25 ft and one attack", []func(*eventv1.TakeAction){withFacts("feet", 25.0, "provokes", []string{})}, false, 5, true},
		{"25 ft and one attack, 6 ft", []func(*eventv1.TakeAction){withFacts("feet", 25.0, "provokes", []string{})}, false, 6, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := alt(t, func(s *eventv1.SparkSheet) { s.AttacksPerRound = 2 })
			targets := "orc"
			if c.twice {
				targets = "orc,orc"
			}
			f.Must(act("ara", declaring.KindAttack, "sword", targets, c.change...))
			f.End("orc", 1, 3)
			f.Choose("reflex", 2, c.feet, 7)
			if fetch := len(f.Decisions) == 1 && f.Decisions[0].Name == body.DecRetrieve; fetch != c.fetch {
				t.Fatalf("offered: %v", f.Decisions)
			}
		})
	}
}

// spark.fumble.alt-wild-swing, spark.turn.all-roll-together: advantage granted in the half in which an earlier one is used stays for the next
func TestAdvantageGrantedAnew(t *testing.T) {
	f := newTable(t, body.RuleAlt+"=on").at(0, fighter("orc", "monsters")).at(5, fighter("ara", "party")).start()
	f.Must(act("orc", declaring.KindAttack, "sword", "ara"))
	f.End("ara", 1, 5)
	f.Must(act("orc", declaring.KindAttack, "sword", "ara"))
	f.Must(act("ara", declaring.KindAttack, "sword", "orc"), 1, 6, 2, 3) // the old advantage, with a new one granted meanwhile
	f.End("orc")
	f.Must(act("ara", declaring.KindAttack, "sword", "orc"), 2, 3)
	f.End("orc")
	f.Must(act("ara", declaring.KindAttack, "sword", "orc"), 3) // used up
	// Two wild swings at once are no more than one.
	f = newTable(t, body.RuleAlt+"=on").at(0, fighter("a-orc", "monsters")).at(5, fighter("ara", "party")).at(10, fighter("b-orc", "monsters")).start()
	f.Must(act("a-orc", declaring.KindAttack, "sword", "ara"))
	f.Must(act("b-orc", declaring.KindAttack, "sword", "ara"))
	f.End("ara", 1, 5, 1, 5)
	f.Must(act("ara", declaring.KindAttack, "sword", "a-orc"))
	f.pass(2, 3)
	f.Must(act("ara", declaring.KindAttack, "sword", "a-orc"))
	f.pass(3)
}

// spark.fumble.alt-slip-up: a spell still to be begun is lost, uncountered and unpaid; a draught is not drunk
func TestFallBeforeASpell(t *testing.T) {
	f := newTable(t, body.RuleAlt+"=on").at(0, fighter("ara", "party", mage)).at(5, fighter("orc", "monsters")).at(60, fighter("hag", "monsters", mage)).start()
	f.Must(act("orc", declaring.KindMove, "", "", to(15)))
	f.Must(act("ara", declaring.KindCast, "fire", "orc"))
	f.End("hag")
	f.Answer(body.DecOpportunity, "sword", 1, 10, 2)
	if len(f.Decisions) != 0 || f.Creature("ara").Counters[body.CMana] != 20 || f.Creature("hag").Counters[body.CReaction] != 1 {
		t.Fatalf("asked %v, mana %d", f.Decisions, f.Creature("ara").Counters[body.CMana])
	}
	f.WantHP("orc", 30)
}

// spark.fumble.alt-slip-up: what of the turn came before the fall stays, a bonus action taken first among it
func TestFallAfterADraught(t *testing.T) {
	for _, c := range []struct {
		first bool
		dice  []int
		uses  int64
	}{{true, []int{1, 12, 2, 5}, 0}, {false, []int{1, 12, 2}, 1}} {
		f := alt(t, func(s *eventv1.SparkSheet) {
			s.Items = []*eventv1.SparkItem{{Name: "potion", Kind: "potion", Uses: 1, Healing: "1d8"}}
		})
		f.Must(act("ara", declaring.KindAttack, "sword", "orc", withParameters("bonus", "potion:potion", "bonus_first", c.first)))
		f.End("orc", c.dice...)
		if got := f.Creature("ara").Counters[body.CLeft+"potion"]; got != c.uses {
			t.Errorf("first %v: %d left, want %d", c.first, got, c.uses)
		}
	}
}
