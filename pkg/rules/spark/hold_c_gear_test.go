package spark

import (
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/declaring"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// spark.fumble.weapon-class: what content sees of a weapon: how it is used, its classes, and what it is
func TestTagsOfWeapons(t *testing.T) {
	for _, c := range []struct {
		w      *eventv1.SparkWeapon
		ranged bool
		tags   string
	}{
		{&eventv1.SparkWeapon{FumbleClasses: []string{"S"}}, false, "melee slashing"},
		{&eventv1.SparkWeapon{FumbleClasses: []string{"S"}}, true, "ranged slashing thrown"},
		{&eventv1.SparkWeapon{FumbleClasses: []string{"P", "B"}, Material: "mithral"}, false, "bludgeoning melee mithral piercing"},
		{&eventv1.SparkWeapon{FumbleClasses: []string{"M"}, Launcher: true, Magical: true}, true, "launcher magic missile ranged"},
		{&eventv1.SparkWeapon{FumbleClasses: []string{"F"}, Natural: true}, true, "fist natural ranged"},
		{&eventv1.SparkWeapon{FumbleClasses: []string{"F"}, Natural: true, Tail: true}, false, "fist melee natural tail"},
		{&eventv1.SparkWeapon{FumbleClasses: []string{"B"}, Flail: true, OffHand: true}, false, "bludgeoning flail melee off-hand"},
	} {
		tags := body.Arm(c.w, c.ranged).Tags
		slices.Sort(tags)
		got, want := strings.Join(tags, " "), strings.Fields(c.tags)
		slices.Sort(want)
		if got != strings.Join(want, " ") {
			t.Errorf("%s, want %s", got, c.tags)
		}
	}
	for _, throw := range []bool{true, false} { // in a fight
		f := eachCase{files: []string{"rules.yaml", ruled(`{when: '"thrown" in weapon.tags', modifier: {to: attack, amount: "2"}}`)}}.field(t)
		f.newSheet(fighter("ara", "party", armedWith(&eventv1.SparkWeapon{Name: "axe", FumbleClasses: []string{"S"}, AttackModifier: 5, DamageDice: "1d6", ReachFeet: 5, RangeFeet: 20})))
		f.Must(act("ara", declaring.KindAttack, "axe", "orc", withParameters("throw", throw)))
		f.pass()
		if got := f.Roll("attack/ara/1").Total; got != map[bool]int32{true: 17, false: 15}[throw] {
			t.Errorf("thrown %v: %d", throw, got)
		}
	}
}

// spark.fumble.alt-ouch: of a natural weapon snapped by nothing nothing is lost
func TestSnappedByNothing(t *testing.T) {
	for amount, damage := range map[int32]int32{0: 7, 1: 6, 2: 5} { // 3 + 4
		f := duel(t, armedWith(claw))
		f.Put("ara", &eventv1.Vitals{Injuries: []*eventv1.Injury{{Kind: body.InjurySnap, Side: "claw", Amount: amount}}})
		f.strikes("claw", 15, 3)
		told := slices.ContainsFunc(f.Roll("/damage").Modifiers, func(m *eventv1.Modifier) bool { return m.Source == "snapped" && m.Rule == cite.FumbleAltOuch })
		if got := f.DamageTo("orc"); got != damage || told != (amount > 0) {
			t.Errorf("%d snapped: %d damage, told %v", amount, got, told)
		}
	}
}

// spark.spell.counterspell-rank: of trees of one rank the first is taken, of others the higher
func TestTreeOfACounterspell(t *testing.T) {
	for _, c := range []struct{ first, second, third, best int32 }{{4, 4, 1, 0}, {3, 4, 4, 1}, {5, 4, 4, 0}, {1, 2, 3, 2}} {
		f := newTable(t).at(0, fighter("ara", "party", mage)).at(5, fighter("hag", "monsters", mage, func(s *eventv1.SparkSheet) {
			s.ManaTrees = []*eventv1.SparkTree{{Name: "a", Rank: c.first}, {Name: "b", Rank: c.second}, {Name: "c", Rank: c.third}}
		})).start()
		f.Must(act("ara", declaring.KindCast, "fire", "hag"))
		f.End("hag")
		f.Answer(body.DecCounterspell, "yes")
		f.number(body.DecMana, 1)
		if d := f.Decisions[0]; d.Name != body.DecTree || d.DefaultOption != "abc"[c.best:c.best+1] {
			t.Errorf("%v: %s", c, d.DefaultOption)
		}
	}
}

// spark.item.hardness-table: what weapons are made of may be as weak as 1, and must have a number
func TestWeakestWood(t *testing.T) {
	for dc, taken := range map[string]bool{"1": true, "2": true, "none": false, "0": false} {
		if _, problems := bookOf(t, written("tables/hardness.csv", "material,thickness,dc\nwood,,"+dc+"\n")); (problems == nil) != taken {
			t.Errorf("%s: %v", dc, problems)
		}
	}
}

// Only what was declared keeps the books: a condition or a mark of that name, as a pack may have, does not. A size is named for what is seen of a sheet.
func TestBooksAndSizes(t *testing.T) {
	for kind, is := range map[rules.FactKind]bool{rules.FactBegun: true, rules.FactCondition: false, rules.FactMark: false} {
		if (System{}).KeepsBooks(kind, body.BegunDeclared) != is {
			t.Errorf("%v", kind)
		}
	}
	if (System{}).KeepsBooks(rules.FactBegun, body.BegunCasting) {
		t.Error("a casting keeps the books")
	}
	if got := (System{}).NameSize(&eventv1.Creature{}); got != "" {
		t.Errorf("a sheet that is not seen has %q", got)
	}
	if got := (System{}).NameSize(&eventv1.Creature{Sheet: fighter("a", "party")}); got != "8" {
		t.Errorf("hit die %q", got)
	}
}

// spark.action.charge: one foot is a move; none is not
func TestSlowestCharge(t *testing.T) {
	for speed, rule := range map[int32]string{0: cite.ActionCharge, 1: ""} {
		ara := fighter("ara", "party")
		ara.Speeds["walk"] = speed
		f := newTable(t).add(ara, fighter("orc", "monsters")).start()
		o := f.listed("ara", declaring.KindCharge, "sword")["Charge"]
		if o.GetLegal() != (rule == "") || o.GetRule() != rule && rule != "" {
			t.Errorf("speed %d: %v", speed, o)
		}
		err := f.Try(act("ara", declaring.KindCharge, "sword", "orc", withParameters("feet", 1)))
		if reason, _ := fault.Reason(err); rule == "" && err != nil || rule != "" && reason != "NO_SPEED" {
			t.Errorf("speed %d: %v", speed, err)
		}
	}
}

// spark.fumble.alt-ammo-accident, spark.fumble.missile-broken: a spilled missile is picked up for the shot by whoever stays still; where none is spilled
// there is nothing to be had by that
func TestGatheredForTheShot(t *testing.T) {
	shoots := func(bonus string, change ...func(*eventv1.TakeAction)) *eventv1.Command {
		return act("ara", declaring.KindAttack, "bow", "orc", append(change, withParameters("bonus", bonus))...)
	}
	f := newTable(t).add(fighter("ara", "party"), fighter("orc", "monsters")).start()
	f.Count("ara", body.CAmmunition+"bow", 0)
	err := f.Try(shoots("gather:bow"))
	wantRefused(t, err, cite.FumbleMissileBroken)
	if reason, _ := fault.Reason(err); reason != "NO_MISSILES" {
		t.Errorf("%v", err)
	}
	err = f.Try(act("ara", declaring.KindAttack, "sword", "orc", withParameters("weapons", []any{"bow"}, "bonus", "gather:bow"))) // named beside another
	wantRefused(t, err, cite.FumbleMissileBroken)
	if reason, _ := fault.Reason(err); reason != "NO_MISSILES" {
		t.Errorf("%v", err)
	}
	f.Count("ara", body.CSpilled+"bow", 2)
	err = f.Try(act("ara", declaring.KindAttack, "bow", "orc"))
	wantRefused(t, err, cite.FumbleAltAmmoAccident)
	if reason, _ := fault.Reason(err); reason != "SPILLED" {
		t.Errorf("%v", err)
	}
	for _, way := range [][]any{{"bonus", "gather:bow", "feet", 5}, {"bonus", "gather:bow", "feet", 10}} { // it has no place on a map
		err = f.Try(act("ara", declaring.KindAttack, "bow", "orc", withParameters(way...)))
		wantRefused(t, err, cite.FumbleAltAmmoAccident)
		if reason, _ := fault.Reason(err); reason != "MOVES" {
			t.Errorf("%v", err)
		}
	}
	f.Must(shoots("gather:bow"))
	f.End("orc", 15, 4)
	if n := f.Creature("ara").Counters; n[body.CSpilled+"bow"] != 1 || n[body.CAmmunition+"bow"] != 0 || n[body.CSpent+"bow"] != 1 {
		t.Errorf("%v", n)
	}
}

// spark.action.bonus: what is put away is drawn, wherever it lay before; what lies on the ground must be reached
func TestDrawnFromAnywhere(t *testing.T) {
	for place, bonus := range map[string]string{"stowed": "draw:sword", "dropped": "pick-up:sword"} {
		f := duel(t)
		f.Put("ara", &eventv1.Vitals{Items: map[string]*eventv1.ItemState{"sword": {Place: place, Values: map[string]int32{"feet": 40}}}})
		err := f.Try(act("ara", declaring.KindAttack, "sword", "orc", withParameters("bonus", bonus)))
		if place == "stowed" && err != nil {
			t.Error(err)
		}
		if place == "dropped" {
			wantRefused(t, err, cite.FumbleWeaponFlies)
		}
	}
}

// spark.attack.roll: a weapon is listed to be thrown where it can be used in melee and at a distance, be either but a foot
func TestThrownByAFoot(t *testing.T) {
	for _, c := range []struct {
		reach, far int32
		throws     bool
	}{{5, 20, true}, {5, 1, true}, {1, 20, true}, {5, 0, false}, {0, 20, false}} {
		f := duel(t, armedWith(&eventv1.SparkWeapon{Name: "axe", FumbleClasses: []string{"S"}, DamageDice: "1d6", ReachFeet: c.reach, RangeFeet: c.far}))
		if all := f.listed("ara", declaring.KindAttack, "axe"); (all["Throw"] != nil) != c.throws || all["Attack"] == nil {
			t.Errorf("reach %d, range %d: %v", c.reach, c.far, all)
		}
	}
}

// spark.condition.prone, spark.action.no-full-attack-with-full-move: standing up first is an option of its own where it leaves fewer attacks, but not
// where the weapon needs a bonus action that standing up leaves no room for
func TestStandingUpToAWeapon(t *testing.T) {
	for _, c := range []struct {
		name, weapon, setting string
		attacks               int32
		put                   *eventv1.Vitals
		apart                 bool
	}{
		{"in hand", "sword", "deny", 2, &eventv1.Vitals{}, true},
		{"one attack", "sword", "deny", 1, &eventv1.Vitals{}, false},
		{"put away", "sword", "allow", 2, &eventv1.Vitals{Items: map[string]*eventv1.ItemState{"sword": {Place: "stowed"}}}, true},
		{"put away, and no bonus action beside a move and an attack", "sword", "deny", 2, &eventv1.Vitals{Items: map[string]*eventv1.ItemState{"sword": {Place: "stowed"}}}, false},
	} {
		f := newTable(t, body.SetBonusWithBoth+"="+c.setting).at(0, fighter("ara", "party", func(s *eventv1.SparkSheet) { s.AttacksPerRound = c.attacks })).at(5, fighter("orc", "monsters")).start()
		f.Put("ara", c.put)
		f.Afflict("ara", body.CondProne)
		if all := f.listed("ara", declaring.KindAttack, c.weapon); (all["Stand up and attack"] != nil) != c.apart || all["Attack"] == nil {
			t.Errorf("%s: %v", c.name, all)
		}
	}
}

// spark.reaction.opportunity-attack, spark.reaction.one-per-round: who answers a move is listed: not whoever has no reaction left, nor whoever does not
// reach; a reach of a foot is one over the same place
func TestListedToAnswer(t *testing.T) {
	for _, c := range []struct {
		name     string
		reach    int32
		at       int32
		reaction int
		answers  bool
	}{{"beside", 5, 5, 1, true}, {"without a reaction", 5, 5, 0, false}, {"too short", 1, 5, 1, false}, {"over the same place", 1, 0, 1, true}, {"with nothing", 0, 0, 1, false}} {
		orc := fighter("orc", "monsters", func(s *eventv1.SparkSheet) { s.Weapons[0].ReachFeet, s.Weapons[0].RangeFeet = c.reach, 10 })
		f := newTable(t).at(0, fighter("ara", "party")).at(c.at, orc).start()
		f.Count("orc", body.CReaction, c.reaction)
		o := moveOption(t, f, "ara")
		left := slices.ContainsFunc(o.Squares, func(s *eventv1.Square) bool { return s.At.X < 0 && len(s.Provokes) > 0 }) // without a way over its place
		if slices.Contains(o.Provokes, "orc") != c.answers || left != c.answers {
			t.Errorf("%s: provokes %v, on some square %v", c.name, o.Provokes, left)
		}
		f.Must(act("ara", declaring.KindMove, "", "", to(-30)))
		f.End("orc")
		if (len(f.Decisions) == 1) != c.answers {
			t.Errorf("%s: asked %v", c.name, f.Decisions)
		}
	}
}

// spark.fumble.nearest: nobody is behind who stands in the very place of the attacker, or of both
func TestBehindInTheSamePlace(t *testing.T) {
	for _, c := range []struct {
		orc, wen int32
		struck   bool
	}{{5, -5, true}, {5, 0, false}, {0, -5, false}} {
		f := newTable(t).at(0, fighter("ara", "party", armedWith(spear))).at(c.orc, fighter("orc", "monsters")).at(c.wen, fighter("wen", "party")).start()
		f.End("wen")
		dice := []int{1, 1, 2}
		if c.struck {
			dice = append(dice, 5)
		}
		f.strikes("spear", dice...)
		f.WantHP("wen", map[bool]int32{true: 30 - 4, false: 30}[c.struck])
	}
}

// spark.fumble.missile-broken, spark.item.mundane-no-save: of a weapon thrown by itself the missile is the weapon
func TestThrownWeaponBreaks(t *testing.T) {
	f := duel(t, armedWith(&eventv1.SparkWeapon{Name: "javelin", FumbleClasses: []string{"P"}, AttackModifier: 5, DamageDice: "1d6", RangeFeet: 30}))
	f.strikes("javelin", 1, 1, 2)
	if c := f.Creature("ara"); c.Marks[body.MWeapon+"javelin"] != body.Broken || c.Items["javelin"].GetPlace() != "gone" {
		t.Errorf("%v %v", c.Marks, c.Items)
	}
	wantRefused(t, f.Try(act("ara", declaring.KindAttack, "javelin", "orc")), cite.ItemHardnessCheck)
}

// spark.fumble.broken-double-damage, spark.item.cracked: a cracked sword that breaks with a critical fail does double damage as any other; that it is
// broken is told once
func TestCrackedSwordBreaksInTheBlow(t *testing.T) {
	for _, cracked := range []bool{false, true} {
		f := duel(t)
		if cracked {
			f.cracks("sword")
		}
		f.Must(act("ara", declaring.KindAttack, "sword", "orc", withParameters(declaring.UseCracked, cracked)))
		f.End("orc", 1, 4, 4, 4)
		f.WantHP("orc", 30-14)
		f.weaponIs("sword", body.Broken)
		told := 0
		for _, e := range f.Events {
			if e.GetItem().GetPlace() == "gone" {
				told++
			}
		}
		if told != 1 {
			t.Errorf("cracked %v: told %d times", cracked, told)
		}
	}
}

// spark.fumble.alt-broken-item, spark.action.drink-potion: the potion that breaks in the blow is not drunk after it; one that is left is
func TestBrokenBeforeItIsDrunk(t *testing.T) {
	for uses, hp := range map[int32]int32{1: 10, 2: 15} {
		f := altWith(t, []string{body.SetBrokenItem + "=" + body.AtOnce}, func(s *eventv1.SparkSheet) {
			s.Items = []*eventv1.SparkItem{{Name: "potion", Kind: "potion", Uses: uses, Healing: "1d8", Fragile: true}}
		})
		f.Hurt("ara", 10)
		f.Must(act("ara", declaring.KindAttack, "sword", "orc", withParameters("bonus", "potion:potion")))
		dice := []int{1, 19}
		if uses > 1 {
			dice = append(dice, 5)
		}
		f.End("orc", dice...)
		f.WantHP("ara", hp)
		if n := f.Creature("ara").Counters[body.CLeft+"potion"]; n != 0 {
			t.Errorf("%d left", n)
		}
	}
}

// spark.condition.frightened: where fear is no rule of the table, nobody saves against it; a condition of another kind by the same opponent is no fright
func TestNerveAndOtherConditions(t *testing.T) {
	f := altWith(t, []string{body.RuleFrightened + "=off"})
	f.strikes("sword", 1, 17)
	if len(f.Rolls("/save")) > 0 || len(f.Creature("ara").Conditions) > 0 {
		t.Errorf("%v", f.Creature("ara").Conditions)
	}
	for _, has := range []string{body.CondBleeding, body.CondFrightened} {
		f = alt(t)
		f.Afflict("ara", has+"@orc")
		dice := []int{1, 17, 5, 9}      // the save, and that of the next round
		if has == body.CondFrightened { // of no DC, and not laid again
			dice = []int{1, 17, 5}
		}
		f.strikes("sword", dice...)
		list := f.named("ara", body.CondFrightened)
		if len(list) != 1 || (list[0].Cause == "fumble") != (has == body.CondBleeding) || list[0].Source != "orc" {
			t.Errorf("%s: %v", has, list)
		}
	}
}

// spark.condition.frightened: the save is made in a round that follows the one in which fear took hold, also by whoever joins with it
func TestFearOfTheSameRound(t *testing.T) {
	for round, tries := range map[int32]int{1: 0, 3: 1} { // a later round is of an earlier fight
		f := duel(t)
		x := &eventv1.Condition{Name: body.CondFrightened, Source: "orc", Values: map[string]int32{"dc": 10, "round": round}}
		dice := []int{9}
		f.Must(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: fighter("wen", "party"), Vitals: &eventv1.Vitals{Conditions: []*eventv1.Condition{x}}}}}, dice[:tries]...)
		if n := len(f.Rolls("nerve/wen")); n != tries {
			t.Errorf("fear of round %d: %d saves in round 1", round, n)
		}
		f.pass(10)
		if n := len(f.Rolls("nerve/wen")); n != 1 || body.Has(f.Creature("wen"), body.CondFrightened) {
			t.Errorf("fear of round %d: %d saves in round 2, %v", round, n, f.Creature("wen").Conditions)
		}
	}
}

// spark.healing.heal-skill, spark.healing.broken-bone, spark.healing.permanent-needs-magic: what there is to be tended: a bleeding, be it a condition or an
// injury; bones that are broken; points of an ability alone
func TestTendedAlone(t *testing.T) {
	f := duel(t)
	wantRefused(t, f.TryTend(gearOf("stop-bleeding", "")), cite.HealingHealSkill)
	f.Put("ara", &eventv1.Vitals{Injuries: []*eventv1.Injury{{Kind: body.CondBleeding, Part: "arm", Side: "left"}, {Kind: body.InjurySprain, Part: "wrist", Side: "right"}}})
	f.Tend(gearOf("stop-bleeding", ""), 14) // heal skill 0
	if !body.HasInjury(f.Creature("ara"), body.CondBleeding) {
		t.Error("14 stops it")
	}
	f.Tend(gearOf("stop-bleeding", ""), 15)
	if c := f.Creature("ara"); body.HasInjury(c, body.CondBleeding) || !body.HasInjury(c, body.InjurySprain) {
		t.Errorf("%v", c.Injuries)
	}
	f.Afflict("ara", body.CondBleeding)
	f.Tend(gearOf("stop-bleeding", ""), 15)
	if body.Has(f.Creature("ara"), body.CondBleeding) {
		t.Error("the condition stays")
	}
	err := f.TryTend(gearOf("set-bone", "")) // a sprain is no broken bone
	wantRefused(t, err, cite.HealingHealSkill)
	if reason, _ := fault.Reason(err); reason != "NOTHING_TO_SET" {
		t.Errorf("%v", err)
	}
	f.Count("ara", body.CDrained+"strength", 3, body.CLost+"strength", 1)
	restore := gearOf("restore", "")
	restore.Parameters = object("ability", "strength", "points", 2)
	f.Tend(restore)
	if n := f.Creature("ara").Counters; n[body.CLost+"strength"] != 0 || n[body.CDrained+"strength"] != 2 {
		t.Errorf("%v", n)
	}
	restore.Parameters = object("levels", 0, "points", 0)
	if err := f.TryTend(restore); err == nil {
		t.Error("nothing is restored")
	}
}

// What is set by the game master's word is a name of a length that others have too.
func TestSetWordsAtTheirLength(t *testing.T) {
	for _, kind := range []string{"counter", "mark"} {
		prefix, value := map[string]string{"counter": body.CChip, "mark": body.MStuck}[kind], map[string]any{"counter": 1, "mark": "x"}[kind]
		for over, taken := range []bool{true, false} {
			f := duel(t)
			cmd := gearOf("set", "")
			cmd.Parameters = object(kind, prefix+strings.Repeat("a", rules.MaxIDLength-len(prefix)+over), "value", value)
			if err := f.TryTend(cmd); (err == nil) != taken {
				t.Errorf("%s, %d over: %v", kind, over, err)
			}
		}
	}
}
