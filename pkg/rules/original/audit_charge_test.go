package original

import (
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Cases of charges: who comes first, who is not reached at all, and what is spent.

var (
	pole   = &eventv1.OriginalWeapon{Name: "long spear", Kind: "long-spear"}
	pikes  = &eventv1.OriginalWeapon{Name: "pike", Kind: "pike"}
	lances = &eventv1.OriginalWeapon{Name: "lance", Kind: "lance"}
)

// knight rides a charging beast.
func knight(s *eventv1.Sheet) { s.GetOriginal().Mounted, s.GetOriginal().ChargingBeast = true, true }

// original.charge.set-spear-first, original.charge.longer-reach-first: the set weapon
// comes before whoever charges on foot with a normal weapon; otherwise the longer, and
// equal ones at the same time, so that both blows fall though one kills.
func TestWhoIsFirstAtASetWeapon(t *testing.T) {
	for _, c := range []struct {
		name   string
		weapon *eventv1.OriginalWeapon
		rides  bool
		set    *eventv1.OriginalWeapon
		want   []string // with blows that kill
	}{
		{"a sword on foot against a spear", blade, false, spear, []string{"b hit"}},
		{"a spear on foot against a spear", spear, false, spear, []string{"b hit"}},
		{"a pike on foot against a spear", pikes, false, spear, []string{"a hit"}},
		{"a pike on foot against a pike", pikes, false, pikes, []string{"a hit", "b hit"}},
		{"a polearm on foot against a long spear", halberd, false, pole, []string{"a hit", "b hit"}},
		{"a long spear on foot against a pike", pole, false, pikes, []string{"b hit"}},
		{"a lance against a spear", lances, true, spear, []string{"a hit"}},
		{"a lance against a long spear", lances, true, pole, []string{"a hit", "b hit"}},
		{"a lance against a pike", lances, true, pikes, []string{"b hit"}},
		{"a rider's sword against a spear", blade, true, spear, []string{"b hit"}},
		{"a lance on foot against a long spear", lances, false, pole, []string{"a hit", "b hit"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := []func(*eventv1.Sheet){arms(c.weapon), points(2), need(2), dex(0)}
			if c.rides {
				a = append(a, knight)
			}
			f := newTable(t).at(0, one("a", "party", a...)).at(100, strongFoe(arms(c.set), points(2), need(2), dex(0))).start(nil, 6, 1)
			f.Roller = func(sides int) int { return min(sides, 15) }
			f.Must(act("a", "charge", c.weapon.Name, "b"))
			f.Answer(body.DecSet, "yes")
			f.WantAttacks(c.want...)
			if dead := body.Dead(f.Creature("a")); dead != slices.Contains(c.want, "b hit") {
				t.Errorf("the charger is dead: %v", dead)
			}
			if dead := body.Dead(f.Creature("b")); dead != slices.Contains(c.want, "a hit") {
				t.Errorf("the charged is dead: %v", dead)
			}
		})
	}
}

// original.charge.longer-reach-first, original.charge.set-spear: a weapon that could be
// set and was not strikes first where it is longer, without double damage; who falls by
// it does not strike.
func TestALongerWeaponThatIsNotSet(t *testing.T) {
	f := newTable(t).at(0, one("a", "party", points(4), dex(0))).at(100, strongFoe(arms(spear), need(10), dex(0))).start(nil, 6, 1)
	f.Must(act("a", "charge", "sword", "b"))
	f.Answer(body.DecSet, "no")
	f.Answer(body.DecReach, "yes", 10, 3)
	f.WantAttacks("b hit")
	if f.DamageTo("a") != 4 || !body.Dead(f.Creature("a")) || sum(f.Roll("to-hit")) != 0 {
		t.Fatalf("3 and 1, +0: %d", f.DamageTo("a"))
	}
	// It lives on 5 points, and strikes with what its charge gives it.
	f = newTable(t).at(0, one("a", "party", class("cleric", 1), points(5), need(10), dex(0))).at(100, strongFoe(arms(spear), need(10), dex(0))).start(nil, 6, 1)
	f.Must(act("a", "charge", "sword", "b"))
	f.Answer(body.DecSet, "no")
	f.Answer(body.DecReach, "yes", 10, 3, 8, 3)
	f.WantAttacks("b hit", "a hit")
	f.WantHP("b", 92)
}

// original.charge.move, original.charge.end-within-10: how far the foe is may be stated;
// one that is nowhere known to be is not charged, nor one behind an obstacle or wholly
// covered.
func TestWhoCanBeCharged(t *testing.T) {
	for _, c := range []struct {
		name   string
		places bool
		fact   []any
		change func(f *table)
		rule   string
	}{
		{"100 feet as stated", false, []any{"distance", 100}, nil, ""},
		{"no distance at all", false, nil, nil, cite.ChargeMove},
		{"60 feet as stated, half its move", false, []any{"distance", 60}, nil, cite.ChargeMove},
		{"61 feet as stated", false, []any{"distance", 61}, nil, ""},
		{"130 feet as stated", false, []any{"distance", 130}, nil, ""},
		{"131 feet as stated", false, []any{"distance", 131}, nil, cite.ChargeEndWithin10},
		{"100 feet on the map, stated as 50", true, []any{"distance", 50}, nil, cite.ChargeMove},
		{"wholly covered", true, []any{"cover", 100}, nil, cite.AttackCover},
		{"covered but for a hundredth", true, []any{"cover", 99}, nil, ""},
		{"behind a portcullis", true, nil, func(f *table) { f.Resolve(tie("a", body.RelApart, "b")) }, cite.MovementInMeleeDefinition},
		{"behind one marked on the other", true, nil, func(f *table) { f.Resolve(tie("b", body.RelApart, "a")) }, cite.MovementInMeleeDefinition},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t)
			a, b := one("a", "party", class("cleric", 1), dex(0), need(18)), strongFoe(dex(0))
			if c.places {
				f.at(0, a).at(100, b)
			} else {
				f.add(a, b)
			}
			f.start(nil, 6, 1)
			if c.change != nil {
				c.change(f)
			}
			cmd := act("a", "charge", "sword", "b", withFacts(c.fact...))
			if c.rule != "" {
				wantRefused(t, f.Try(cmd), c.rule)
				if f.Creature("a").Counters[body.CCharged] != 0 {
					t.Error("the charge of the Turn is spent")
				}
				return
			}
			f.Must(cmd, 2)
			if !body.Has(f.Creature("a"), body.CondCharging) || !c.places && !body.InMelee(f.Creature("a"), f.Creature("b")) {
				t.Error("it does not arrive")
			}
		})
	}
}

// original.charge.bonus, original.movement.through-line: each of two who charge each
// other may be stopped on the way, by a shot or by those it passes; then the two do not
// meet, and both have charged.
func TestTwoWhoDoNotMeet(t *testing.T) {
	for _, c := range []struct {
		name   string
		set    func(f *table)
		answer func(f *table)
		a, b   int32 // points of the two
		want   []string
	}{
		{"the first is shot", func(f *table) { f.off(50, 60, one("archer", "foes", arms(bow), need(5))) },
			func(f *table) { f.Answer(body.DecMissile, "yes", 15, 5) }, 2, 90, []string{"archer hit"}},
		{"the second is shot", func(f *table) { f.off(50, 60, one("archer", "party", class("cleric", 1), arms(bow), need(5))) },
			func(f *table) { f.Answer(body.DecMissile, "yes", 15, 5) }, 90, 2, []string{"archer hit"}},
		{"the first is struck by one it passes", func(f *table) { f.off(20, 10, one("pike", "foes", arms(pikes), need(5), dex(0))) },
			func(f *table) { f.Answer(body.DecInTurn, "yes", 1, 6, 15, 5) }, 2, 90, []string{"pike hit"}},
		{"the second is struck by one it passes", func(f *table) { f.off(80, 10, one("pike", "party", arms(pikes), need(5), dex(0))) },
			func(f *table) { f.Answer(body.DecInTurn, "yes", 1, 6, 15, 5) }, 90, 2, []string{"pike hit"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).at(0, one("a", "party", knight, arms(lances), points(c.a), need(15), dex(0))).at(100, one("b", "foes", knight, arms(lances), points(c.b), need(15), dex(0), with(func(o *eventv1.OriginalSheet) { o.HitDice = 4 })))
			c.set(f)
			f.Roller = func(int) int { return 4 }
			f.start(nil) // all at the same moment
			f.Roller = nil
			f.Must(act("a", "charge", "lance", "b"))
			for _, d := range slices.Clone(f.Decisions) {
				if d.Name == body.DecInTurn && d.Creature != "b" {
					t.Fatalf("%v is asked", d.Creature)
				}
			}
			if c.want[0] != "pike hit" {
				f.Answer(body.DecInTurn, "yes")
			}
			c.answer(f)
			var got []string
			for _, e := range f.Published {
				if x := e.GetAttack(); x != nil {
					got = append(got, x.Attacker+" "+x.Outcome)
				}
			}
			if !slices.Equal(got, c.want) {
				t.Fatalf("%v, want %v", got, c.want)
			}
			if !noted(f, "the two do not meet", cite.ChargeBonus) {
				t.Error("nothing is said")
			}
			for _, id := range []string{"a", "b"} {
				if n := f.Creature(id).Counters; n[body.CCharged] != 1 || n[body.CAttacks] != 1 {
					t.Errorf("%s has not charged: %v", id, n)
				}
			}
		})
	}
}

// original.fumble.table, original.charge.open-to-missiles: a shot at a charger that goes
// wrong may strike the charged; whoever charges the dead strikes nobody, and whoever
// comes upon one knocked out strikes it as from behind.
func TestAChargeAtOneWhomHisOwnHaveStruck(t *testing.T) {
	for _, c := range []struct {
		name   string
		before int32 // damage that only knocks out
		want   []string
	}{
		{"dead", 0, []string{"bow fumble"}},
		{"knocked out", 4, []string{"bow fumble", "a miss"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t, body.SetFumble+"=on").at(0, one("a", "party", class("cleric", 1), dex(0), need(18))).at(100, strongFoe(arms(spear), points(5+c.before), dex(0))).
				off(105, 0, one("bow", "monsters", arms(bow), group("bow"))).start(nil, 6, 1, 1)
			if c.before > 0 {
				f.stun("b", c.before)
			}
			f.Must(act("a", "charge", "sword", "b"))
			f.Answer(body.DecSet, "yes")
			faces := []int{1, 10, 6, 5}
			if c.before > 0 {
				faces = append(faces, 2)
			}
			f.Answer(body.DecMissile, "yes", faces...)
			var got []string
			for _, e := range f.Published {
				if x := e.GetAttack(); x != nil {
					got = append(got, x.Attacker+" "+x.Outcome)
				}
			}
			if !slices.Equal(got, c.want) {
				t.Fatalf("%v, want %v", got, c.want)
			}
			if c.before > 0 && sum(f.Roll("attack/to-hit")) != 4 {
				t.Errorf("+2 for the charge, +2 for one who is down: %d", sum(f.Roll("attack/to-hit")))
			}
		})
	}
}

// original.charge.once-per-turn: a charge in the free round of a surprise is one of the
// first Turn; the next may come in round 11, and with shorter Turns sooner.
func TestTheTurnOfAChargeBySurprise(t *testing.T) {
	for _, c := range []struct {
		rounds string
		again  int32
	}{{"10", 11}, {"3", 4}, {"1", 2}} {
		t.Run(c.rounds, func(t *testing.T) {
			f := newTable(t, body.SetTurnRounds+"="+c.rounds).at(0, one("a", "party", class("cleric", 1), dex(0))).at(100, strongFoe(points(500), dex(0))).start(object("surprised", []string{"monsters"}))
			f.Must(act("a", "charge", "sword", "b"), 2)
			f.Roller = func(int) int { return 3 }
			for f.State.Round < c.again {
				if len(f.State.Active) > 0 && slices.Contains(f.State.Active, "a") && f.State.Round > 0 {
					f.place("b", 300, 0)
					wantRefused(t, f.Try(act("a", "charge", "sword", "b", withFacts("distance", 100))), cite.ChargeOncePerTurn)
				}
				f.End(f.State.Active[0])
			}
			for !slices.Contains(f.State.Active, "a") {
				f.End(f.State.Active[0])
			}
			f.place("b", 300, 0)
			f.Must(act("a", "charge", "sword", "b", withFacts("distance", 100)))
		})
	}
}

// original.attack.multi-shortcut, original.initiative.reach-first-strike: whoever counts
// its kills closes with them like any other: a longer weapon strikes first, and who falls
// by it kills nobody.
func TestTheShortcutMeetsLongerWeapons(t *testing.T) {
	for name, c := range map[string]struct {
		points int32
		faces  []int
		dead   int
	}{"it falls": {3, []int{10, 2}, 1}, "it lives": {4, []int{10, 2}, 2}, "it is missed": {3, []int{9}, 2}} {
		t.Run(name, func(t *testing.T) {
			f := newTable(t, body.SetShortcut+"=on").at(0, one("hero", "party", class("thief", 4), points(c.points), need(2), dex(0), arms(stab))).
				at(50, one("o1", "foes", group("foes"), arms(pole), need(10), points(2))).at(51, one("o2", "foes", group("foes"), arms(stab), need(10), points(2))).start(nil, 6, 1)
			f.Must(act("hero", "move", "", "", path(45)))
			f.Must(act("hero", "shortcut", "", "o1,o2"))
			f.Answer(body.DecReach, "yes", c.faces...)
			if got := fallen(f); got != c.dead {
				t.Errorf("%d fall", got)
			}
			if dead := body.Dead(f.Creature("hero")); dead != (c.dead == 1) {
				t.Errorf("the hero is dead: %v", dead)
			}
		})
	}
}

// original.surprise.behind-no-return, original.charge.set-spear, original.charge.no-initiative,
// original.charge.open-to-missiles: whoever is charged from behind sets nothing, shoots and
// answers nothing, and charges nobody in turn; others may shoot. From the flank, and in the
// round after an ambush, it may.
func TestChargedFromBehind(t *testing.T) {
	for _, c := range []struct {
		name     string
		position string
		ambushed bool // by the same in the round before
		arms     []*eventv1.OriginalWeapon
		asked    string
	}{
		{"a spear, from the front", "front", false, []*eventv1.OriginalWeapon{spear}, body.DecSet},
		{"a spear, from the flank", "flank", false, []*eventv1.OriginalWeapon{spear}, body.DecSet},
		{"a spear, from behind", "behind", false, []*eventv1.OriginalWeapon{spear}, ""},
		{"a spear, behind one ambushed before", "behind", true, []*eventv1.OriginalWeapon{spear}, body.DecSet},
		{"a bow, from the front", "front", false, []*eventv1.OriginalWeapon{bow}, body.DecMissile},
		{"a bow, from behind", "behind", false, []*eventv1.OriginalWeapon{bow}, ""},
		{"a lance on a horse, from the front", "front", false, []*eventv1.OriginalWeapon{lances}, body.DecInTurn},
		{"a lance on a horse, from behind", "behind", false, []*eventv1.OriginalWeapon{lances}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			change := []func(*eventv1.Sheet){arms(c.arms...), dex(0)}
			if c.arms[0] == lances {
				change = append(change, knight)
			}
			f := newTable(t).at(0, one("a", "party", class("cleric", 1), dex(0), need(18))).at(100, strongFoe(change...)).start(nil, 6, 1)
			if c.ambushed {
				f.Resolve(func(r *rules.Resolution) error {
					r.Relate("a", &eventv1.Relation{Kind: body.RelAmbushed, To: "b", Round: r.State().Round - 1})
					return nil
				})
			}
			if c.asked == "" {
				f.Must(act("a", "charge", "sword", "b", withFacts("position", c.position)), 5)
				want := int32(4) // the charge, and from behind
				if c.arms[0] == lances {
					want-- // on foot against a rider
				}
				if got := sum(f.Roll("to-hit")); got != want {
					t.Errorf("%+d", got)
				}
				if !body.Surprised(f.Creature("b")) || f.Creature("b").Counters[body.CAttacks] != 0 {
					t.Errorf("it is surprised: %v", f.Creature("b").Conditions)
				}
				return
			}
			f.Must(act("a", "charge", "sword", "b", withFacts("position", c.position)))
			if len(f.Decisions) != 1 || f.Decisions[0].Name != c.asked {
				t.Errorf("asked %v, want %s", f.Decisions, c.asked)
			}
		})
	}
	// Another archer sees it.
	f := newTable(t).at(0, one("a", "party", class("cleric", 1), dex(0), need(18))).at(100, strongFoe(arms(bow), dex(0))).off(100, 50, one("c", "monsters", arms(bow), group("c"), dex(0))).start(nil, 6, 1, 1)
	f.Must(act("a", "charge", "sword", "b", withFacts("position", "behind")))
	if len(f.Decisions) != 1 || f.Decisions[0].Creature != "c" {
		t.Fatalf("asked %v", f.Decisions)
	}
	f.Answer(body.DecMissile, "yes", 2, 5)
	f.WantAttacks("c miss", "a miss")
}

// original.charge.open-to-missiles, original.movement.elf-fire-on-the-run,
// original.movement.hobbit-sling-on-the-run: whoever may shoot on the run may shoot at a
// charger after a full move, with such a weapon alone, as long as it has its attack.
func TestAShotOnTheRunAtACharger(t *testing.T) {
	for _, c := range []struct {
		name   string
		change []func(*eventv1.Sheet)
		do     func(f *table)
		with   string // the weapon that is asked about; empty for nobody asked
	}{
		{"an elf after a full move", []func(*eventv1.Sheet){race("elf"), arms(dagger, bow)}, func(f *table) { f.Must(act("e", "move", "", "", along(80, 100))) }, "bow"},
		{"an elf with a dagger alone", []func(*eventv1.Sheet){race("elf"), arms(dagger, sling)}, func(f *table) { f.Count("e", body.CMoved, 100); f.swift("e") }, ""},
		{"a hobbit after a full move", []func(*eventv1.Sheet){race("hobbit"), arms(bow, sling)}, func(f *table) { f.Must(act("e", "move", "", "", along(110, 100))) }, "sling"},
		{"a man who stands", []func(*eventv1.Sheet){arms(bow)}, func(*table) {}, "bow"},
		{"a man after half a move", []func(*eventv1.Sheet){arms(bow)}, func(f *table) { f.Must(act("e", "move", "", "", along(140, 100))) }, "bow"},
		{"a man who ran", []func(*eventv1.Sheet){arms(bow)}, func(f *table) { f.Must(act("e", "run", "", "", along(140, 100))) }, ""},
		{"an elf who has shot", []func(*eventv1.Sheet){race("elf"), arms(bow)}, func(f *table) { f.Must(act("e", "attack", "bow", "a"), 2) }, ""},
		{"a man who parries", []func(*eventv1.Sheet){arms(bow)}, func(f *table) { f.Must(act("e", "parry", "", "")) }, ""},
		{"a routed man", []func(*eventv1.Sheet){arms(bow)}, func(f *table) { f.Afflict("e", body.CondRouted) }, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).at(0, one("a", "orcs", class("cleric", 1), dex(0), need(18), with(func(o *eventv1.OriginalSheet) { o.IsPc = false }))).at(100, one("b", "party", class("cleric", 1), dex(0), points(90))).
				off(180, 100, one("e", "party", append([]func(*eventv1.Sheet){class("thief", 1), dex(0)}, c.change...)...)).start(nil, 5, 6, 1)
			for !slices.Contains(f.State.Active, "e") {
				f.End(f.State.Active[0])
			}
			c.do(f)
			for !slices.Contains(f.State.Active, "a") {
				f.End(f.State.Active[0])
			}
			cmd := act("a", "charge", "sword", "b")
			if c.with == "" {
				f.Must(cmd, 2)
				return
			}
			f.Must(cmd)
			if len(f.Decisions) != 1 || f.Decisions[0].Creature != "e" || !strings.Contains(f.Decisions[0].Question, c.with) {
				t.Fatalf("asked %v", f.Decisions)
			}
			f.Answer(body.DecMissile, "yes", 2, 2)
			f.WantAttacks("e miss", "a miss")
			if f.Creature("e").Counters[body.CAttacks] != 1 {
				t.Error("its attack is not spent")
			}
		})
	}
}

// swift marks one that has moved more than half.
func (f *table) swift(id string) {
	f.T.Helper()
	f.Resolve(func(r *rules.Resolution) error {
		body.During(r, id, body.CondSwift, cite.MovementElfFireOnTheRun)
		return nil
	})
}
