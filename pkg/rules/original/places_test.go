package original

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	thestrike "github.com/skaldrpg/skald/pkg/rules/original/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Who goes before a caster, and what a spell comes to when somebody is gone.

// original.spell.lost-when-opponent-won, original.spell.caster-won,
// original.initiative.haste-first, original.initiative.reach-first-strike: who goes before
// the caster by haste or by reach has won initiative, with equal dice and with lower ones,
// in a free attack too; a hasted caster has won whatever it rolled.
func TestAFreeAttackOutOfPlace(t *testing.T) {
	for _, c := range []struct {
		name      string
		mage, orc int
		hasted    []string
		weapon    *eventv1.OriginalWeapon
		lost      bool
		save      bool
	}{
		{"equal dice", 4, 4, nil, blade, false, true},
		{"equal dice, the orc hasted", 4, 4, []string{"orc"}, blade, true, false},
		{"equal dice, the mage hasted", 4, 4, []string{"mage"}, blade, false, false},
		{"equal dice, both hasted", 4, 4, []string{"orc", "mage"}, blade, false, true},
		{"a lower die, the mage hasted", 2, 5, []string{"mage"}, blade, false, false},
		{"a lower die, the orc hasted", 5, 2, []string{"orc"}, blade, true, false},
		{"equal dice, a longer weapon", 4, 4, nil, pikes, true, false},
		{"a lower die, a longer weapon", 6, 1, nil, pikes, true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).at(0, mage(dex(0))).at(5, one("orc", "orcs", need(10), points(50), dex(0), arms(c.weapon)))
			for _, id := range c.hasted {
				f.Afflict(id, body.CondHasted)
			}
			f.start(nil, c.mage, c.orc)
			f.Must(act("mage", "prepare", "bolt", ""))
			if f.State.Active[0] == "orc" {
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

// original.spell.lost-when-opponent-won: a fighter's first attack comes before the caster's
// place, so that its spell is lost, though the two have the same die; the last attack comes
// after it.
func TestAFirstAttackAtACasterOfTheSameDie(t *testing.T) {
	f := newTable(t).at(0, one("a", "party", class("fighter", 2), str(0), dex(0), need(10))).
		at(5, one("shaman", "orcs", spells(bolt, glow), points(50), dex(0), save(14))).start(nil, 4, 4)
	if f.State.Phase != body.SegFirst {
		t.Fatalf("%s", f.State.Phase)
	}
	f.Must(act("shaman", "prepare", "bolt", ""))
	f.Must(act("a", "attack", "sword", "shaman"), 10, 2)
	shaman := f.Creature("shaman")
	if !noted(f, "bolt is lost", cite.SpellLostWhenOpponentWon) || !body.Has(shaman, body.CondDisturbed) || shaman.Counters[body.CLeft+"bolt"] != 1 {
		t.Fatalf("%v", shaman)
	}
	wantRefused(t, f.Try(act("shaman", "cast", "glow", "")), cite.SpellLostWhenOpponentWon)
	f.endSlot() // what it does in the slot of both
	if f.State.Phase != body.SegLast {
		t.Fatalf("%s", f.State.Phase)
	}
	f.Must(act("a", "attack", "sword", "shaman"), 10, 2)
	f.WantActive("a") // the next round, and nothing disturbs the shaman any more
	f.End("a")
	f.Must(act("shaman", "cast", "glow", ""))
}
