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

// wantReason holds the reason of a refusal, or the field that it is about; empty where the command is taken.
func wantReason(t *testing.T, err error, want string) {
	t.Helper()
	refusal, _ := fault.As(err)
	switch {
	case want == "" && err != nil:
		t.Errorf("refused: %v", err)
	case want != "" && (refusal == nil || refusal.Reason != want && !slices.ContainsFunc(refusal.Violations, func(v fault.Violation) bool { return v.Field == want })):
		t.Errorf("refused by %v, want %s", err, want)
	}
}

// Declarations at the borders of what may be said together; beside each what differs in one thing alone.
//
// spark.action.bonus, spark.action.off-hand-attack, spark.action.feat-bonus, spark.fumble.weapon-class, spark.fumble.alt-ammo-accident,
// spark.fumble.alt-stuck-weapon, spark.item.hardness-check, spark.action.charge, spark.attack.roll
func TestDeclarationsAtTheirBorders(t *testing.T) {
	kinds := func(s *eventv1.SparkSheet) {
		twoHanded(s)
		s.AttacksPerRound = 3
		s.Weapons = append(s.Weapons, &eventv1.SparkWeapon{Name: "pick", FumbleClasses: []string{"P", "B"}, DamageDice: "1d4", ReachFeet: 5}, hurled)
		s.Feats = []*eventv1.SparkFeat{{Name: "dash", FullMoveFullAttack: true}, {Name: "leap", Bonus: true}}
	}
	bonus := func(words ...any) *eventv1.Command {
		return act("ara", declaring.KindMove, "", "", withParameters(append([]any{"bonus"}, words...)...))
	}
	attack := func(item, targets string, words ...any) *eventv1.Command {
		return act("ara", declaring.KindAttack, item, targets, withParameters(words...))
	}
	gather := func(change ...func(*eventv1.TakeAction)) *eventv1.Command {
		return act("ara", declaring.KindMove, "", "", append(change, withParameters("bonus", "gather:bow"))...)
	}
	thing := func(n int) *eventv1.Command {
		return act("ara", declaring.KindBash, "", "", withParameters("object", strings.Repeat("x", n), "dc", 10.0))
	}
	longest := rules.MaxIDLength - len(body.MObject)
	counts := func(counter string, n int64) *eventv1.Vitals {
		return &eventv1.Vitals{Counters: map[string]int64{counter: n}}
	}
	gone := func(weapon string, marks ...string) *eventv1.Vitals { // nothing of the sheet's own is about that weapon any more
		v := counts(body.CSpilled+"bow", 2)
		v.Marks = map[string]string{}
		for _, m := range marks {
			v.Marks[m+weapon] = "door"
		}
		return v
	}
	lies := &eventv1.Vitals{Counters: map[string]int64{body.CSpilled + "bow": 2}, Conditions: []*eventv1.Condition{{Name: body.CondProne}}}
	bowIs := func(place, mark string) *eventv1.Vitals {
		v := counts(body.CSpilled+"bow", 2)
		v.Items = map[string]*eventv1.ItemState{"bow": {Place: place}}
		v.Marks = map[string]string{body.MWeapon + "bow": mark}
		return v
	}
	for _, c := range []struct {
		name   string
		vitals *eventv1.Vitals
		sheet  func(*eventv1.SparkSheet) // given by the game master after the vitals
		cmd    *eventv1.Command
		want   string
	}{
		{"the last missile gone, and none spilled to be gathered", counts(body.CAmmunition+"bow", 0), nil, attack("bow", "orc", "bonus", "gather:bow"), "NO_MISSILES"},
		{"the last missile gone, and one spilled", &eventv1.Vitals{Counters: map[string]int64{body.CAmmunition + "bow": 0, body.CSpilled + "bow": 1}}, nil, attack("bow", "orc", "bonus", "gather:bow"), ""},
		{"pulling at what is stuck", gone("sword", body.MStuck), nil, bonus("free:sword"), ""},
		{"pulling at what one has no longer", gone("sword", body.MStuck), armedWith(bow), bonus("free:sword"), "NOT_STUCK"},
		{"gathering for what one has no longer", gone("sword"), armedWith(sword), bonus("gather:bow"), "NOTHING_SPILLED"},
		{"a feat of no bonus action beside one of it", nil, nil, bonus("feat:dash"), "NO_FEAT"},
		{"the one of it", nil, nil, bonus("feat:leap"), ""},
		{"the kind of an off-hand weapon without an attack with it", nil, nil, attack("sword", "orc", "bonus_class", "P"), ""},
		{"the kind of none", nil, nil, attack("sword", "orc", "bonus_class", "B"), "take.parameters.bonus_class"},
		{"an off-hand attack at nobody", nil, nil, bonus("off-hand:dagger"), "NO_TARGET"},
		{"two kinds for two attacks", nil, nil, attack("pick", "orc,orc", "classes", []string{"P", "B"}), ""},
		{"two kinds for three", nil, nil, attack("pick", "orc,orc,orc", "classes", []string{"P", "B"}), "take.parameters"},
		{"one kind for three", nil, nil, attack("pick", "orc,orc,orc", "classes", []string{"B"}), ""},
		{"thrown in a charge", nil, nil, act("ara", declaring.KindCharge, "axe", "orc", to(-10), withParameters("throw", true)), "NOT_RANGED"},
		{"a charge with it in hand", nil, nil, act("ara", declaring.KindCharge, "axe", "orc", to(-10)), ""},
		{"a thing without a name", nil, nil, thing(0), "take.parameters.object"},
		{"the longest name of a thing", nil, nil, thing(longest), ""},
		{"a longer one", nil, nil, thing(longest + 1), "take.parameters.object"},
		{"gathering as one stands up", lies, nil, act("ara", declaring.KindMove, "", "", withParameters("bonus", "gather:bow", "stand", true)), "MOVES"},
		{"lying still", lies, nil, gather(), ""},
		{"on a way that is stated to be none", counts(body.CSpilled+"bow", 2), nil, gather(to(-5), withFacts("feet", 0.0)), "MOVES"},
		{"missiles of a broken bow", bowIs("main", body.Broken), nil, act("ara", declaring.KindGather, "bow", ""), ""},
		{"of one put away", bowIs("stowed", ""), nil, act("ara", declaring.KindGather, "bow", ""), ""},
		{"of one that lies elsewhere", bowIs("dropped", ""), nil, act("ara", declaring.KindGather, "bow", ""), ""},
		{"a bonus action that is spent", counts(body.CBonus, 0), nil, bonus("potion:potion"), "NO_BONUS_ACTION"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := duel(t, kinds)
			if c.vitals != nil {
				f.Put("ara", c.vitals)
			}
			if c.sheet != nil {
				f.newSheet(fighter("ara", "party", c.sheet))
			}
			wantReason(t, f.Try(c.cmd), c.want)
		})
	}
}

// spark.action.full-move-single-attack, spark.condition.prone: where the table denies the bonus action with a move and an attack, standing up
// is such a move
func TestBonusDeniedToWhoStandsUp(t *testing.T) {
	for _, stands := range []bool{false, true} {
		f := newTable(t, body.SetBonusWithBoth+"=deny").at(0, fighter("ara", "party", twoHanded)).at(5, fighter("orc", "monsters")).start()
		f.Afflict("ara", body.CondProne)
		err := f.Try(act("ara", declaring.KindAttack, "sword", "orc", withParameters("bonus", "potion:potion", "stand", stands)))
		wantReason(t, err, map[bool]string{true: "NO_BONUS_ACTION"}[stands])
		if stands {
			wantRefused(t, err, cite.ActionFullMoveSingleAttack)
		}
	}
}

// spark.action.five-foot-full-attack: 5 ft leave all attacks, to one who can go no further too; more leave one
func TestAFullMoveOfFiveFeet(t *testing.T) {
	for walk, feet := range map[int32]int32{5: 5, 30: 5} {
		f := newTable(t).at(0, slow("ara", walk)).at(5, fighter("orc", "monsters")).start()
		wantReason(t, f.Try(act("ara", declaring.KindAttack, "sword", "orc,orc", to(-feet))), "")
	}
	for walk, rule := range map[int32]string{10: cite.ActionNoFullAttackWithFullMove, 30: cite.ActionFiveFootFullAttack} {
		f := newTable(t).at(0, slow("ara", walk)).at(5, fighter("orc", "monsters")).start()
		wantRefused(t, f.Try(act("ara", declaring.KindAttack, "sword", "orc,orc", to(-10))), rule)
	}
}

// slow is a fighter of two attacks who walks so many feet.
func slow(id string, walk int32) *eventv1.Sheet {
	s := fighter(id, "party", func(s *eventv1.SparkSheet) { s.AttacksPerRound = 2 })
	s.Speeds = map[string]int32{"walk": walk}
	return s
}

// spark.action.charge: a charge is a move; one who comes onto the map with it says where it ends
func TestAChargeNeedsAMove(t *testing.T) {
	f := newTable(t).add(fighter("ara", "party")).at(5, fighter("orc", "monsters")).start()
	wantReason(t, f.Try(act("ara", declaring.KindCharge, "sword", "orc")), "NO_CHARGE")
	f.Must(act("ara", declaring.KindCharge, "sword", "orc", to(0)))
	f.End("orc", 8, 1) // 8 + 5 + 1 of the charge: 14
	f.WantAttacks("ara hit")
	if p := f.Creature("ara").Position; p.GetX() != 0 {
		t.Errorf("at %v", p)
	}
	f.Must(act("ara", declaring.KindMove, "", ""))
	f.End("orc")
	wantReason(t, f.Try(act("ara", declaring.KindCharge, "sword", "orc", to(0))), "NO_CHARGE") // where it stands already
}

// spark.action.multi-round-lock, spark.dice.drop-to-zero: who has declared a spell of several rounds says nothing more; put out, that is why
func TestSmallThingsBesideASpell(t *testing.T) {
	say := act("ara", declaring.ActSpeak, "", "", withParameters("text", "now"))
	for spell, want := range map[string]string{"storm": "LOCKED", "fire": ""} {
		f := newTable(t).at(0, fighter("ara", "party", mage)).at(5, fighter("orc", "monsters")).start()
		f.Must(act("ara", declaring.KindCast, spell, "orc"))
		wantReason(t, f.Try(say), want)
		f.Hurt("ara", 0)
		wantReason(t, f.Try(say), "OUT")
	}
}

// spark.turn.movement-first: whoever shoots at somebody without a place is not warned of a distance
func TestNoWarningWithoutAPlace(t *testing.T) {
	for _, placed := range []bool{true, false} {
		f := newTable(t).at(0, fighter("ara", "party"))
		if placed {
			f.at(500, fighter("orc", "monsters"))
		} else {
			f.add(fighter("orc", "monsters"))
		}
		f.start()
		f.Must(act("ara", declaring.KindAttack, "bow", "orc"))
		if f.hasNote("orc is out of range as things stand: 500 ft, and bow reaches 160 ft; the shot is lost unless orc comes nearer") != placed {
			t.Errorf("placed %v", placed)
		}
	}
}

// spark.turn.declare: what a new sheet takes away between declaring and the attack half is not there: dice of a sneak attack; and a spell
// that it makes an attack finds nobody where nobody was named
func TestNewSheetsBeforeTheAttackHalf(t *testing.T) {
	rogue := func(s *eventv1.SparkSheet) { s.SneakAttack = "2d6" }
	for _, keeps := range []bool{true, false} {
		f := duel(t, rogue)
		f.Must(act("ara", declaring.KindAttack, "sword", "orc", withParameters("sneak", true)))
		dice := []int{15, 2, 3, 4}
		if !keeps {
			f.newSheet(fighter("ara", "party"))
			dice = dice[:2]
		}
		f.End("orc", dice...)
		f.WantHP("orc", map[bool]int32{true: 30 - 12, false: 30 - 5}[keeps])
	}
	f := newTable(t).at(0, fighter("ara", "party", mage)).at(5, fighter("orc", "monsters")).start()
	f.Must(act("ara", declaring.KindCast, "bless", ""))
	f.newSheet(fighter("ara", "party", mage, func(s *eventv1.SparkSheet) {
		s.Spells[3] = &eventv1.SparkSpell{Name: "bless", ManaCost: 2, Dc: 12, Delivery: "ranged", Attack: true, DamageDice: "1d4"}
	}))
	f.End("orc", 10)
	f.WantAttacks()
	f.WantHP("ara", 30)
	if got := f.Creature("ara").Counters[body.CMana]; got != 18 {
		t.Errorf("%d mana", got)
	}
}

// spark.action.bonus: a feat that is named like a thing uses none of it
func TestAFeatNamedLikeAThing(t *testing.T) {
	f := duel(t, twoHanded, func(s *eventv1.SparkSheet) { s.Feats = []*eventv1.SparkFeat{{Name: "potion", Bonus: true}} })
	f.Hurt("ara", 10)
	f.Must(act("ara", declaring.KindMove, "", "", withParameters("bonus", "feat:potion")))
	f.End("orc", 10)
	f.WantHP("ara", 10)
	if got := f.Creature("ara").Counters[body.CLeft+"potion"]; got != 2 {
		t.Errorf("%d left", got)
	}
	f.Must(act("ara", declaring.KindMove, "", "", withParameters("bonus", "potion:potion")))
	f.End("orc", 10, 3)
	f.WantHP("ara", 13)
}

// spark.turn.touch-spells-with-melee: a spell by touch reaches 5 ft, unless it says how far
func TestHowFarATouchReaches(t *testing.T) {
	for reach, hits := range map[int32]bool{0: false, 10: true} {
		f := newTable(t).at(0, fighter("ara", "party", mage, func(s *eventv1.SparkSheet) { s.Spells[1].RangeFeet = reach })).at(10, fighter("orc", "monsters")).start()
		f.Must(act("ara", declaring.KindCast, "touch", "orc"))
		dice := []int{15}
		if hits {
			dice = []int{15, 3}
		}
		f.End("orc", dice...)
		f.WantHP("orc", map[bool]int32{true: 27, false: 30}[hits])
	}
}

// spark.fumble.string-breaks: work at the string of one bow is none at that of another
func TestWorkAtTwoStrings(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party", func(s *eventv1.SparkSheet) {
		s.SpareStrings = 2
		s.Weapons = append(s.Weapons, &eventv1.SparkWeapon{Name: "longbow", FumbleClasses: []string{"M"}, DamageDice: "1d8", RangeFeet: 80, Launcher: true})
	})).at(5, fighter("orc", "monsters")).start()
	f.Put("ara", &eventv1.Vitals{Marks: map[string]string{body.MString + "bow": body.Snapped, body.MString + "longbow": body.Snapped}})
	for i := range 19 {
		f.Must(act("ara", declaring.KindRestring, []string{"bow", "longbow"}[i%2], ""))
		f.End("orc")
	}
	// Ten rounds at the one, nine at the other.
	if m := f.Creature("ara").Marks; m[body.MString+"bow"] != "" || m[body.MString+"longbow"] != body.Snapped {
		t.Fatalf("%v", m)
	}
	f.Must(act("ara", declaring.KindRestring, "longbow", ""))
	f.End("orc")
	if c := f.Creature("ara"); c.Marks[body.MString+"longbow"] != "" || c.Counters[body.CSpareStrings] != 0 || len(c.Begun) != 0 {
		t.Fatalf("%v %v", c.Marks, c.Begun)
	}
}
