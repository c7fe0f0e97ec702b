package original

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	thestrike "github.com/skaldrpg/skald/pkg/rules/original/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// What one may do in the state that it is in, and what attacks of a round it has.

// original.action.parry, original.defense.shield-two-attackers, original.pursuit.pursue-roll: the dead, the
// knocked out, the helpless and those in a hold ward nothing off, and the first three shake
// off nobody.
func TestWhoIsInNoState(t *testing.T) {
	for name, c := range map[string]struct {
		do             func(f *table)
		parry, slip    string
		shield, taking string
	}{
		"up":          {func(f *table) {}, "", "", "", ""},
		"dead":        {func(f *table) { f.Hurt("a", 0) }, "HELPLESS", "HELPLESS", "HELPLESS", ""},
		"knocked out": {func(f *table) { f.stun("a", 50) }, "HELPLESS", "HELPLESS", "HELPLESS", ""},
		"held":        {func(f *table) { f.Afflict("a", body.CondHeld) }, "HELPLESS", "HELPLESS", "HELPLESS", ""},
		"stunned":     {func(f *table) { f.Resolve(stunned("a", 5)) }, "HELPLESS", "HELPLESS", "HELPLESS", ""},
		"in a hold":   {func(f *table) { f.Afflict("a", body.CondStruggling) }, "STRUGGLING", "", "HELPLESS", ""},
		"surprised":   {func(f *table) { f.Afflict("a", body.CondSurprised) }, "SURPRISED", "", "SURPRISED", ""},
	} {
		t.Run(name, func(t *testing.T) {
			f := newTable(t).add(one("a", "party", shield(1), points(50)), one("wolf", "foes", dumb, group("wolves")), one("c", "party")).start(nil, 6, 5, 1)
			f.Afflict("a", body.CondFleeing)
			f.Resolve(tie("wolf", body.RelPursues, "a"))
			f.Roller = func(int) int { return 1 }
			c.do(f)
			if f.State.Round != 1 {
				t.Fatalf("round %d", f.State.Round)
			}
			for _, x := range []struct {
				cmd  *eventv1.Command
				want string
			}{{act("a", "parry", "", ""), c.parry}, {act("a", "shield", "", "wolf"), c.shield}, {act("a", "slip-away", "", "", withParameters("way", "corner")), c.slip}} {
				if got := reasonOf(f.Peek(x.cmd)); got != x.want {
					t.Errorf("%s: %q, want %q", x.cmd.GetTake().Action, got, x.want)
				}
			}
		})
	}
	f := newTable(t).add(one("a", "party", shield(1)), one("wolf", "foes", dumb), one("dead", "foes")).start(nil, 6, 1, 2)
	f.Hurt("dead", 0)
	wantRefused(t, f.Try(act("a", "shield", "", "dead")), cite.DefenseShieldTwoAttackers)
	f.Must(act("a", "shield", "", "wolf"))
}

// original.pursuit.corner-stairs-door: of a group that pursues one die is rolled, however many they
// are. original.pursuit.rounds-to-catch: no gap is below nothing; where none is stated
// the distance at which the sides met counts.
func TestOneDieForAPack(t *testing.T) {
	f := newTable(t).add(one("a", "party", speed(90)), one("w1", "foes", dumb, group("wolves")), one("w2", "foes", dumb, group("wolves"))).start(object("distance", 130), 6, 1)
	wantFault(t, f.Try(act("a", "flee", "", "", withFacts("gap", -5))), "take.facts.gap")
	f.Must(act("a", "flee", "", ""), 1, 1)
	if got := f.gap("a", "wolves"); got != "130:1" {
		t.Errorf("%q", got)
	}
	f.Must(act("a", "slip-away", "", "", withParameters("way", "corner")), 2)
	if len(f.Rolls("goes-on/wolves")) != 1 || !body.Is(f.Creature("w1"), body.RelPursues, "a") || !body.Is(f.Creature("w2"), body.RelPursues, "a") {
		t.Error("2 goes on")
	}
	f.Must(act("a", "slip-away", "", "", withParameters("way", "corner")), 3)
	if body.Is(f.Creature("w1"), body.RelPursues, "a") || body.Is(f.Creature("w2"), body.RelPursues, "a") {
		t.Error("3 stops")
	}
}

// original.attack.monster-multi-vs-normal-men, original.attack.multi-vs-normal-men: hit dice are attacks of monsters,
// not of those who have a class; units alone strike for each man where one throw does not do
// for all.
func TestWhoHasSeveralAttacks(t *testing.T) {
	for _, c := range []struct {
		name           string
		a              sheets
		single         string
		normal, strong int32
	}{
		{"a monster of 3 hit dice", sheets{with(func(o *eventv1.OriginalSheet) { o.HitDice = 3 })}, "on", 3, 1},
		{"a cleric of 3 hit dice", sheets{with(func(o *eventv1.OriginalSheet) { o.Class, o.HitDice = "cleric", 3 })}, "on", 1, 1},
		{"a monster, one throw for all off", sheets{with(func(o *eventv1.OriginalSheet) { o.HitDice = 3 })}, "off", 3, 1},
		{"a unit of five", sheets{unit(5)}, "on", 1, 1},
		{"a unit of five, one throw for all off", sheets{unit(5)}, "off", 5, 5},
		{"one man as a unit, one throw for all off", sheets{unit(1)}, "off", 1, 1},
		{"one man by count", sheets{with(func(o *eventv1.OriginalSheet) { o.HitDice = 2 })}, "off", 2, 1},
	} {
		f := newTable(t, body.SetMassPoints+"=off", cite.MassSingleHitThrow+"="+c.single).add(one("a", "foes", append(sheets{points(9)}, c.a...)...), one("b", "party")).start(nil, 6, 1)
		if c.name == "one man by count" {
			f.Count("a", body.CMen, 1)
		}
		if a := f.Creature("a"); body.AttacksAgainstNormal(f.State, a) != c.normal || body.AttacksAgainstStrong(f.State, a) != c.strong {
			t.Errorf("%s: %d and %d", c.name, body.AttacksAgainstNormal(f.State, a), body.AttacksAgainstStrong(f.State, a))
		}
	}
}

// original.initiative.fighters-first-and-last, original.surprise.free-round: in the free round of a surprise nothing is
// held back for the end of it; one who has no attack left has no last one.
func TestTheFreeRoundOfAFighter(t *testing.T) {
	f := newTable(t).at(0, one("hero", "party", class("fighter", 2), str(0), dex(0))).at(5, one("orc", "orcs", points(50), dex(0))).start(object("surprised", []string{"orcs"}))
	f.Must(act("hero", "attack", "sword", "orc"), 2)
	f.Must(act("hero", "attack", "sword", "orc"), 2)
	wantRefused(t, f.Try(act("hero", "attack", "sword", "orc")), cite.AttackMultiVsNormalMen)
	f.End("hero", 6, 1)
	f.End("hero")
	f.Count("hero", body.CAttacks, 2)
	f.End("hero")
	f.End("orc")
	if f.State.Round != 2 {
		t.Errorf("%s of round %d", f.State.Phase, f.State.Round)
	}
}

// original.turn.precedence: who leaves in the last place of the order before its last attack has
// none.
func TestAFighterLeavesBeforeItsLastAttack(t *testing.T) {
	f := newTable(t).at(0, one("hero", "party", class("fighter", 2), str(0), dex(0))).at(5, one("orc", "orcs", points(50), dex(0))).at(9, one("friend", "party")).start(nil, 6, 1, 3)
	f.End("hero")
	f.End("friend")
	f.End("orc")
	f.WantActive("hero")
	f.leave("hero")
	if f.State.Phase == body.SegLast || slices.Contains(f.State.Active, "hero") {
		t.Errorf("%s: %v", f.State.Phase, f.State.Active)
	}
}

// original.movement.elf-fire-on-the-run: who ran more than half may shoot and not stab, with the same
// javelin; a stab is no shot on the run, and a weapon on the ground none to shoot with.
func TestAnElfsJavelin(t *testing.T) {
	elf := func() *eventv1.Sheet { return one("elf", "party", class("elf", 1), dex(0), arms(pilum)) }
	f := newTable(t).at(0, elf()).at(75, strongFoe()).start(nil, 6, 1)
	f.Must(act("elf", "move", "", "", path(70)))
	wantRefused(t, f.Try(act("elf", "attack", "pilum", "b")), cite.MovementHalfMoveAndAttack)
	f = newTable(t).at(0, elf()).at(100, strongFoe()).start(nil, 6, 1)
	f.Must(act("elf", "move", "", "", path(70)))
	f.Must(act("elf", "attack", "pilum", "b"), 2)
	if f.Creature("elf").Counters[body.CRunShots] != 1 {
		t.Error("no shot on the run")
	}
	f = newTable(t).at(0, elf()).at(5, strongFoe()).start(nil, 6, 1)
	f.Must(act("elf", "attack", "pilum", "b"), 2)
	if f.Creature("elf").Counters[body.CRunShots] != 0 {
		t.Error("a stab is a shot on the run")
	}
	for _, dropped := range []bool{false, true} {
		f = newTable(t).at(0, elf()).at(200, strongFoe()).start(nil, 6, 1)
		if dropped {
			f.drops("elf", "pilum")
		}
		err := f.Try(act("elf", "move", "", "", path(61)))
		if dropped {
			wantRefused(t, err, cite.MovementHalfMoveAndAttack)
		} else if err != nil {
			t.Error(err)
		}
	}
}

// original.attack.backstab-first-only, original.injury.knocked-out-at-zero: one who is knocked out needs no stealth.
func TestNoBackstabOfTheKnockedOut(t *testing.T) {
	f := newTable(t).at(0, one("a", "party", class("thief", 1), arms(stab))).at(5, strongFoe()).at(90, one("c", "monsters")).start(nil, 6, 1, 1)
	f.Roller = func(int) int { return 1 }
	f.stun("b", 100)
	err := f.Try(act("a", "backstab", "dagger", "b", withFacts("position", "behind")))
	wantRefused(t, err, cite.AttackBackstabFirstOnly)
	if reasonOf(err) != "HELPLESS" {
		t.Error(err)
	}
}

// original.attack.melee-swashbuckler-dex: who may fight by DEX says for what: to hit in all that it does,
// for damage where it does any.
func TestByWhatAFencerFights(t *testing.T) {
	yes := true
	f := newTable(t).at(0, one("a", "party", class("fighter", 1), light, dex(2), str(0), with(func(o *eventv1.OriginalSheet) { o.CanBackstab = &yes }))).at(5, strongFoe()).start(nil, 6, 1)
	for action, want := range map[string][]string{"attack": {"damage", "subdue", "to_hit"}, "backstab": {"damage", "to_hit"}, "disarm": {"to_hit"}} {
		var names []string
		for _, o := range f.optionsOf("a", action) {
			if o.Item != "sword" {
				continue
			}
			for _, p := range o.Parameters {
				names = append(names, p.Name)
			}
		}
		slices.Sort(names)
		if !slices.Equal(names, want) {
			t.Errorf("%s: %v", action, names)
		}
	}
}

// original.grapple.thrown-off: of two stuns the longer counts.
func TestStunnedForLonger(t *testing.T) {
	for before, want := range map[int32]int32{2: 5, 5: 5, 9: 9} {
		f := newTable(t).at(0, one("hero", "party", class("thief", 2), points(50))).at(5, one("orc", "orcs", points(50))).start(nil, 1, 6)
		f.Resolve(func(r *rules.Resolution) error {
			r.Relate("orc", &eventv1.Relation{Kind: body.RelHolds, To: "hero"})
			r.AddCondition("orc", &eventv1.Condition{Name: body.CondStunned, Rule: cite.GrappleThrownOff, Until: &eventv1.Until{When: body.UntilRound, Round: before}})
			thestrike.Struggle(r, "hero")
			return nil
		}, 2, 3, 3) // 2 against 6: four rounds more
		var rounds []int32
		for _, x := range f.Creature("orc").Conditions {
			if x.Name == body.CondStunned {
				rounds = append(rounds, x.Until.Round)
			}
		}
		if !slices.Equal(rounds, []int32{want}) {
			t.Errorf("to round %d before: %v", before, rounds)
		}
	}
}

// original.charge.horns-or-tusks: horns and tusks are named as what doubles a charge; other weapons of
// the body charge as any weapon does.
func TestHornsOnACharge(t *testing.T) {
	for horned, rule := range map[bool]string{true: cite.ChargeHornsOrTusks, false: cite.ChargeBonus} {
		f := newTable(t).at(0, one("a", "beasts", need(10), arms(&eventv1.OriginalWeapon{Name: "head", Kind: "natural", Damage: "1d6"}), with(func(o *eventv1.OriginalSheet) { o.HornsOrTusks = horned }))).at(100, one("b", "party", class("cleric", 1), dex(0), points(50))).start(nil, 1, 6)
		f.Must(act("a", "charge", "head", "b"), 12, 3)
		if f.DamageTo("b") != 6 || !rolledBy(f, "/damage", rule) {
			t.Errorf("horned %v: %d", horned, f.DamageTo("b"))
		}
	}
}

// original.movement.in-melee-definition: at the start those without a place alone are marked as in melee.
func TestEngagedOnTheSameSpot(t *testing.T) {
	f := newTable(t).at(0, one("a", "party")).at(0, strongFoe()).start(object("engaged", true), 6, 1)
	if len(tiesOf(f, "a", body.RelEngaged))+len(tiesOf(f, "b", body.RelEngaged)) > 0 {
		t.Errorf("%v", f.Creature("a").Relations)
	}
}

// original.spell.caster-won: one who came in this round has no place in the order, and wins no initiative.
func TestAFreeAttackOfANewcomer(t *testing.T) {
	f := newTable(t).at(0, mage(dex(0))).at(90, one("orc", "orcs")).start(nil, 3, 6)
	f.Must(act("mage", "prepare", "bolt", ""))
	f.Must(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: one("late", "orcs", need(10), dex(0)), Position: &eventv1.Position{X: 5}}}})
	f.End("orc")
	f.Must(act("mage", "retreat", "", "", path(-100)), 1, 6, 12, 1, 4, 4)
	f.WantAttacks("late hit")
	if body.Has(f.Creature("mage"), body.CondDisturbed) || thestrike.Preparing(f.Creature("mage")) != "bolt" {
		t.Error("it is disturbed")
	}
}

// original.spell.caster-won: a first attack that a fighter has not made gives its free attack no better
// place: its own in the order counts.
func TestAFreeAttackOfAFighter(t *testing.T) {
	for die, disturbed := range map[int]bool{2: false, 6: true} {
		f := newTable(t).at(0, one("a", "party", class("fighter", 2), str(0), dex(0), need(10))).
			at(5, one("shaman", "orcs", spells(bolt), points(50), dex(0))).start(nil, die, 4)
		f.Must(act("shaman", "prepare", "bolt", ""))
		for f.State.Active[0] != "shaman" {
			f.End("a")
		}
		f.Must(act("shaman", "retreat", "", "", path(100)), 1, 6, 12, 1)
		f.WantAttacks("a hit")
		if got := body.Has(f.Creature("shaman"), body.CondDisturbed); got != disturbed {
			t.Errorf("%d against 4: %v", die, got)
		}
	}
}
