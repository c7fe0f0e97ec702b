package original

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	thestrike "github.com/skaldrpg/skald/pkg/rules/original/strike"
)

// original.spell.lost-when-opponent-won, original.spell.caster-won,
// original.spell.tie-save: a free attack on a caster who retreats has no place of its
// own in the order. By the dice of the two it costs the spell, a save or nothing; the
// hasted have won whatever they rolled.
func TestAPartingShotAtACaster(t *testing.T) {
	for _, c := range []struct {
		name      string
		mage, orc int
		hasted    bool
		lost      bool
		save      bool
	}{
		{"the orc has won", 1, 6, false, true, false},
		{"by one", 3, 4, false, true, false},
		{"the mage has won", 6, 1, false, false, false},
		{"by one, the mage", 4, 3, false, false, false},
		{"the mage has won, the orc is hasted", 6, 1, true, true, false},
		{"at the same time", 4, 4, false, false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).at(0, mage()).at(5, one("orc", "orcs", need(10), points(50))).start(nil, c.mage, c.orc)
			f.Must(act("mage", "prepare", "bolt", ""))
			if c.hasted {
				f.Afflict("orc", body.CondHasted)
			}
			if c.orc > c.mage {
				f.End("orc")
			}
			f.Must(act("mage", "retreat", "", "", path(-100)), 1, 6, 12, 1, 4, 4)
			if got := f.Attacks(); len(got) != 1 || got[0] != "orc hit" {
				t.Fatalf("%v", got)
			}
			mage := f.Creature("mage")
			if lost := mage.Counters[body.CLeft+"bolt"] == 1 && body.Has(mage, body.CondDisturbed); lost != c.lost || lost != noted(f, "bolt is lost", cite.SpellLostWhenOpponentWon) {
				t.Errorf("lost: %v", mage)
			}
			if save := len(rules.RelatedTo(mage, body.RelDisturbed)) == 1; save != c.save {
				t.Errorf("a save: %v", mage.Relations)
			}
			if (thestrike.Preparing(mage) == "") != c.lost {
				t.Errorf("it prepares %q", thestrike.Preparing(mage))
			}
		})
	}
}

// original.pursuit.rounds-to-catch: who is pursued by two groups has a gap to each,
// and each comes up by its own speed.
func TestTwoGroupsPursueTheSame(t *testing.T) {
	f := newTable(t, body.SetPartyDie+"=on").add(one("a", "party", speed(60)), one("orc", "foes", group("orcs"), dumb, speed(90)),
		one("wolf", "foes", group("wolves"), dumb, speed(120))).start(nil, 6, 1, 1)
	f.Must(act("a", "flee", "", "", withFacts("gap", 140)), 1, 1, 1, 1)
	passRound(f)
	passRound(f)
	if orcs, wolves := f.gap("a", "orcs"), f.gap("a", "wolves"); orcs != "110:2" || wolves != "80:2" {
		t.Errorf("140 less 30 and less 60: %q %q", orcs, wolves)
	}
	passRound(f)
	if orcs, wolves := f.gap("a", "orcs"), f.gap("a", "wolves"); orcs != "80:3" || wolves != "20:3" {
		t.Errorf("again: %q %q", orcs, wolves)
	}
	passRound(f)
	if orcs, wolves := f.gap("a", "orcs"), f.gap("a", "wolves"); orcs != "50:4" || wolves != "" || !body.InMelee(f.Creature("a"), f.Creature("wolf")) {
		t.Errorf("the wolf is there, the orc is not: %q %q", orcs, wolves)
	}
}
