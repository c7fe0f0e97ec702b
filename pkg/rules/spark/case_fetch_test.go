package spark

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/declaring"
)

// spark.fumble.weapon-flies: another picks nothing up for its owner; the owner's way and bonus action do, provoking whoever stands there
func TestPickUpProvokes(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party")).at(5, fighter("orc", "monsters")).at(-20, fighter("imp", "monsters")).start()
	f.Must(act("ara", declaring.KindAttack, "sword", "orc", withFacts("direction", 7)))
	f.pass(1, 3, 4, 7, 8) // 15 ft to the west
	wantRefused(t, f.Try(act("ara", declaring.KindAttack, "bow", "orc", to(-15), withParameters("bonus", []string{"pick-up:sword", "draw:sword"}))), cite.ActionBonus)
	f.Must(act("ara", declaring.KindMove, "", "", to(-15), withParameters("bonus", "pick-up:sword")))
	f.pass()
	f.Answer(body.DecOpportunity+"/orc", "no") // leaving the orc
	f.Answer(body.DecOpportunity+"/imp", "sword", 15, 1)
	f.WantHP("ara", 26)
	if got := f.Creature("ara").Items["sword"].Place; got != "main" {
		t.Fatalf("the sword is %q", got)
	}
	// In hand again it serves reactions of the same round and attacks of the next.
	f.Must(act("imp", declaring.KindMove, "", "", to(-40)))
	f.pass()
	f.Answer(body.DecOpportunity, "sword", 2)
}

// spark.fumble.weapon-flies: put out by the attack on the way, the weapon stays where it lies
func TestPutOutPickingUp(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party")).at(5, fighter("orc", "monsters")).start()
	f.Must(act("ara", declaring.KindAttack, "sword", "orc", withFacts("direction", 1)))
	f.End("orc", 1, 3, 4, 2, 3) // 5 ft to the north
	f.Hurt("ara", 4)
	f.Must(act("ara", declaring.KindAttack, "sword", "orc", withParameters("bonus", "pick-up:sword")))
	f.End("orc")
	f.Answer(body.DecOpportunity, "sword", 15, 1)
	f.WantHP("ara", 0)
	if got := f.Creature("ara").Items["sword"].Place; got != "dropped" {
		t.Fatalf("the sword is %q", got)
	}
	f.WantAttacks("orc hit")
}

// spark.action.full-move-single-attack: where the table denies the bonus action with a move and an attack, a step of 5 ft still leaves it
func TestBonusDenied(t *testing.T) {
	for feet, denied := range map[int32]bool{0: false, 5: false, 10: true, 30: true} {
		f := newTable(t, body.SetBonusWithBoth+"=deny").at(0, fighter("ara", "party", twoHanded)).at(5, fighter("orc", "monsters")).start()
		err := f.Try(act("ara", declaring.KindAttack, "sword", "orc", to(-feet), withParameters("bonus", "potion:potion")))
		if denied {
			wantRefused(t, err, cite.ActionFullMoveSingleAttack)
		} else if err != nil {
			t.Fatal(feet, err)
		}
	}
}
