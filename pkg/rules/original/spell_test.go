package original

import (
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func spells(list ...*eventv1.OriginalSpell) func(*eventv1.Sheet) {
	return with(func(o *eventv1.OriginalSheet) { o.Spells = list })
}

var (
	bolt = &eventv1.OriginalSpell{Name: "bolt", Damage: "1d6", Prepared: 2}
	glow = &eventv1.OriginalSpell{Name: "glow"}
)

// mage is a caster with a save of 14 and PSY 1 that an orc in reach hits on 10.
func mage(change ...func(*eventv1.Sheet)) *eventv1.Sheet {
	psy := int32(1)
	all := append(sheets{class("magic-user", 1), points(30), save(14), spells(bolt, glow), with(func(o *eventv1.OriginalSheet) { o.PsyBonus = &psy })}, change...)
	return one("mage", "party", all...)
}

// noted tells whether the last command said something of the kind.
func noted(f *table, text, rule string) bool {
	return slices.ContainsFunc(f.Events, func(e *eventv1.Event) bool {
		return strings.Contains(e.GetNote().GetText(), text) && slices.Contains(e.Rules, rule)
	})
}

// original.spell.tie-save, original.spell.tie-failure, original.spell.miscast-table
func TestCastingWhileHurtAtTheSameTime(t *testing.T) {
	for _, c := range []struct {
		name string
		blow []int
		dice []int
		say  string
		rule string
	}{
		{"14 goes off", []int{10, 2}, []int{13, 4}, "bolt goes off", cite.SpellCasterWon},
		{"13 fails, 4 is lost", []int{10, 2}, []int{12, 4}, "bolt is lost", cite.SpellTieFailure},
		{"13 fails, 5 is miscast", []int{10, 2}, []int{12, 5}, "bolt is miscast", cite.SpellMiscastTable},
		{"13 fails, 6 is miscast", []int{10, 2}, []int{12, 6}, "bolt is miscast", cite.SpellMiscastTable},
		{"unhurt it needs no save", []int{9}, []int{4}, "bolt goes off", cite.SpellCasterWon},
	} {
		for _, first := range []string{"mage", "orc"} {
			t.Run(c.name+", first the "+first, func(t *testing.T) {
				f := newTable(t).at(0, mage()).at(5, one("orc", "orcs", need(10), points(50))).start(nil, 4, 4)
				cast, blow := act("mage", "cast", "bolt", "orc"), act("orc", "attack", "sword", "mage")
				if first == "mage" {
					f.Must(cast)
					f.End("mage")
					f.Must(blow, c.blow...)
					f.End("orc", c.dice...)
				} else {
					f.Must(blow, c.blow...)
					f.End("orc")
					f.Must(cast)
					f.End("mage", c.dice...)
				}
				if !noted(f, c.say, c.rule) {
					t.Fatalf("%v", f.Events)
				}
				if hurt := f.Creature("orc").GetHp() == 46; hurt != strings.Contains(c.say, "goes off") {
					t.Fatalf("the orc has %d", f.Creature("orc").GetHp())
				}
				if f.Creature("mage").Counters[body.CLeft+"bolt"] != 1 {
					t.Fatal("the spell is spent either way")
				}
			})
		}
	}
	// Temporary damage counts, and each who hurts calls for a save; the first
	// failure settles it.
	f := newTable(t).at(0, mage()).at(5, one("orc-1", "orcs", group("orcs"), need(10))).at(6, one("orc-2", "orcs", group("orcs"), need(10))).start(nil, 4, 4)
	f.Must(act("mage", "cast", "glow", ""))
	f.End("mage")
	f.Must(act("orc-1", "attack", "empty hand", "mage"), 10, 1)
	f.End("orc-1")
	f.Must(act("orc-2", "attack", "sword", "mage"), 10, 1)
	f.End("orc-2", 13, 12, 1)
	if len(f.Rolls("/save")) != 2 || !noted(f, "glow is lost", cite.SpellTieFailure) {
		t.Fatal("two saves, the second fails")
	}
}

// original.spell.lost-when-opponent-won
func TestWhoIsHurtByAWinnerLosesTheSpell(t *testing.T) {
	const rule = cite.SpellLostWhenOpponentWon
	field := func(n int32) *table {
		return newTable(t).at(0, mage()).at(5, one("orc", "orcs", need(n), points(50))).start(nil, 3, 5)
	}
	f := field(10)
	f.Must(act("mage", "prepare", "bolt", ""))
	f.Must(act("orc", "attack", "sword", "mage"), 10, 1)
	if !noted(f, "bolt is lost", rule) || f.Creature("mage").Counters[body.CLeft+"bolt"] != 1 {
		t.Fatal("the spell in preparation is gone")
	}
	f.End("orc")
	wantRefused(t, f.Try(act("mage", "cast", "bolt", "orc")), rule)
	wantRefused(t, f.Try(act("mage", "cast", "glow", "")), rule)
	wantRefused(t, f.Try(act("mage", "prepare", "glow", "")), rule)
	f.Must(act("mage", "attack", "sword", "orc"), 2) // only casting is barred
	f.End("mage")
	f.End("orc")
	f.Must(act("mage", "cast", "bolt", "orc"), 3)
	wantRefused(t, f.Try(act("mage", "cast", "bolt", "orc")), cite.SpellMiscastTable)
	// A hit without damage disturbs nothing.
	f = field(23)
	f.Must(act("mage", "prepare", "bolt", ""))
	f.Must(act("orc", "attack", "sword", "mage"), 20, 2)
	if f.Attack().Outcome != "hit" || f.DamageTo("mage") != 0 {
		t.Fatal("3-3 is 0")
	}
	f.End("orc")
	f.Must(act("mage", "cast", "bolt", "orc"), 3)
	// Nor does a friend's blow, nor what comes by anyone but an opponent.
	f = newTable(t).at(0, mage()).at(5, one("b", "party", need(5))).at(50, one("orc", "orcs")).start(nil, 6, 3, 1)
	f.Must(act("b", "attack", "sword", "orc", withFacts("in_reach", true)), 2)
	f.End("b")
	f.Must(act("mage", "cast", "glow", ""))
}

// Reach and haste count as having won initiative.
//
// original.spell.lost-when-opponent-won
func TestReachWinsAgainstACaster(t *testing.T) {
	pole := &eventv1.OriginalWeapon{Name: "long spear", Kind: "long-spear"}
	f := newTable(t).at(0, mage()).at(5, one("orc", "orcs", need(10), arms(pole))).start(nil, 6, 1)
	f.WantActive("orc")
	f.Must(act("orc", "attack", "long spear", "mage"), 10, 1)
	f.End("orc")
	wantRefused(t, f.Try(act("mage", "cast", "bolt", "orc")), cite.SpellLostWhenOpponentWon)
}

// original.spell.caster-won: whose place in the order is over announces no spell,
// however many are still to come; who waits for it does.
func TestASpellIsAnnouncedBeforeOnesPlace(t *testing.T) {
	field := func(faces ...int) *table {
		return newTable(t).at(0, mage()).at(30, one("orc", "orcs", need(10), points(50))).at(35, one("rat", "rats")).start(nil, faces...)
	}
	f := field(5, 3, 1)
	f.End("mage")
	wantRefused(t, f.Try(act("mage", "prepare", "bolt", "")), cite.SpellCasterWon)
	f.End("orc")
	wantRefused(t, f.Try(act("mage", "prepare", "bolt", "")), cite.SpellCasterWon)
	f = field(1, 5, 3)
	f.End("orc")
	f.Must(act("mage", "prepare", "bolt", ""))
}

// original.spell.caster-won
func TestTheCasterWhoWonIsNotDisturbed(t *testing.T) {
	f := newTable(t).at(0, mage()).at(5, one("orc", "orcs", need(10), points(50))).start(nil, 5, 3)
	f.Must(act("mage", "cast", "bolt", "orc"), 6)
	if f.DamageTo("orc") != 6 || !noted(f, "bolt goes off", cite.SpellCasterWon) {
		t.Fatal("it goes off at once")
	}
	wantRefused(t, f.Try(act("mage", "attack", "sword", "orc")), cite.AttackMultiVsNormalMen)
	f.End("mage")
	wantRefused(t, f.Try(act("mage", "prepare", "glow", "")), cite.SpellCasterWon)
	f.Must(act("orc", "attack", "sword", "mage"), 10, 3)
	f.End("orc")
	f.Must(act("mage", "cast", "glow", "")) // a hit after the caster's place is of last round
}

// original.movement.spellcaster-10-feet
func TestACasterMovesTenFeet(t *testing.T) {
	field := func() *table {
		return newTable(t).at(0, mage()).at(100, one("orc", "orcs")).start(nil, 5, 3)
	}
	f := field()
	f.Must(act("mage", "move", "", "", path(-10)))
	f.Must(act("mage", "cast", "glow", ""))
	wantRefused(t, f.Try(act("mage", "move", "", "", path(-11))), cite.MovementSpellcaster10Feet)
	f = field()
	f.Must(act("mage", "move", "", "", path(-15)))
	wantRefused(t, f.Try(act("mage", "cast", "glow", "")), cite.MovementSpellcaster10Feet)
	f = field()
	f.Must(act("mage", "cast", "glow", ""))
	wantRefused(t, f.Try(act("mage", "move", "", "", path(-11))), cite.MovementSpellcaster10Feet)
	f.Must(act("mage", "move", "", "", path(-10)))
	// original.initiative.haste-movement: the 10 feet are not doubled.
	f = newTable(t).at(0, mage()).at(100, one("orc", "orcs"))
	f.Afflict("mage", body.CondHasted)
	f.start(nil, 5, 3)
	f.Must(act("mage", "move", "", "", path(-15)))
	wantRefused(t, f.Try(act("mage", "cast", "glow", "")), cite.MovementSpellcaster10Feet)
}

// original.charge.open-to-missiles: by spells too.
func TestASpellMeetsACharge(t *testing.T) {
	f := newTable(t).at(0, one("orc", "orcs", points(4))).at(100, mage()).start(nil, 1, 6)
	f.Must(act("orc", "charge", "sword", "mage"))
	f.Answer(body.DecSpell, "spell:bolt", 4)
	if !body.Dead(f.Creature("orc")) || len(f.Attacks()) != 0 {
		t.Fatalf("the orc is dead before the contact: %v", f.Attacks())
	}
	// Who has cast does so no more this round.
	f = newTable(t).at(0, one("orc", "orcs", points(9))).at(100, mage()).start(nil, 6, 1)
	f.Must(act("mage", "cast", "glow", ""))
	f.End("mage")
	f.Must(act("orc", "charge", "sword", "mage"), 2)
	if len(f.Decisions) != 0 {
		t.Fatal(f.Decisions)
	}
}

// original.spell.lost-when-opponent-won, original.spell.tie-save: a free attack
// is judged by the initiative of who makes it.
func TestAFreeAttackOnACaster(t *testing.T) {
	for _, c := range []struct {
		foe  int
		save []int
	}{{3, nil}, {5, []int{14}}} {
		f := newTable(t).at(0, mage(dex(0))).at(20, one("orc", "orcs", need(10), dex(0))).start(nil, 5, c.foe)
		f.Must(act("mage", "through", "", "orc", path(10)), 1, 6, 10, 1)
		if f.Attack().Outcome != "hit" {
			t.Fatal(f.Attack())
		}
		f.Must(act("mage", "cast", "glow", ""))
		if c.save != nil {
			f.End("orc")
			f.End("mage", c.save...)
		}
		if !noted(f, "glow goes off", cite.SpellCasterWon) {
			t.Errorf("a foe with %d against 5: %v", c.foe, f.Events)
		}
	}
}

// original.spell.caster-won: a spell takes the place of the round's attacks, and is none of
// the several that normal men get.
func TestASpellTakesTheRoundsAttacks(t *testing.T) {
	f := newTable(t).at(0, mage()).at(5, one("orc", "orcs", points(50))).start(nil, 6, 1)
	f.Must(act("mage", "cast", "glow", ""))
	if n := f.Creature("mage").Counters; n[body.CCasts] != 1 || n[body.CAttacks] < 1 || n[body.CStrong] != 1 {
		t.Errorf("%v", n)
	}
	wantRefused(t, f.Try(act("mage", "attack", "empty hand", "orc")), cite.AttackMultiVsNormalMen)
}
