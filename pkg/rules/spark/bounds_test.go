package spark

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/declaring"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// spark.fumble.alt-retrieve, spark.turn.declare, spark.action.spell-fills-round, spark.fumble.string-breaks, spark.action.full-move-single-attack:
// disarmed by a fumble in its reaction, one draws a second weapon with the bonus action that its deed left it, and with no other
func TestBonusLeftByTheDeed(t *testing.T) {
	armed := func(s *eventv1.SparkSheet) {
		twoHanded(s)
		s.SpareStrings = 1
		s.Weapons = append(s.Weapons, &eventv1.SparkWeapon{Name: "knife", FumbleClasses: []string{"P"}, DamageDice: "1d4", ReachFeet: 5, Stowed: true})
	}
	for _, c := range []struct {
		name     string
		settings []string
		mark     string
		deed     *eventv1.Command
		faces    []int
		offered  bool
	}{
		{"a deed leaves it", nil, "", act("ara", declaring.KindDeed, "", "", withParameters("text", "looks on")), nil, true},
		{"a potion takes it", nil, "", act("ara", declaring.KindDeed, "", "", withParameters("text", "looks on", "bonus", "potion:potion")), []int{10, 1}, false},
		{"a spell takes it", nil, "", act("ara", declaring.KindCast, "bless", ""), []int{10}, false},
		{"a new string takes it", nil, body.Snapped, act("ara", declaring.KindRestring, "bow", ""), nil, false},
		{"a loose string takes it", nil, body.Loose, act("ara", declaring.KindRefit, "bow", ""), []int{10}, false},
		{"a move and a bash, denied", []string{body.SetBonusWithBoth + "=deny"}, "", act("ara", declaring.KindBash, "", "", to(0, -10), withParameters("object", "door", "material", "wood")), []int{10, 2}, false},
		{"a step and a bash", []string{body.SetBonusWithBoth + "=deny"}, "", act("ara", declaring.KindBash, "", "", to(0, -5), withParameters("object", "door", "material", "wood")), nil, true},
		{"a move and a bash, allowed", nil, "", act("ara", declaring.KindBash, "", "", to(0, -10), withParameters("object", "door", "material", "wood")), nil, true},
		{"a move alone", []string{body.SetBonusWithBoth + "=deny"}, "", act("ara", declaring.KindMove, "", "", to(0, -10)), nil, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := altWith(t, c.settings, armed)
			if c.mark != "" {
				f.Put("ara", &eventv1.Vitals{Marks: map[string]string{body.MString + "bow": c.mark}})
			}
			f.Must(act("orc", declaring.KindMove, "", "", to(15), withFacts("provokes", []string{"ara"})))
			f.Must(c.deed)
			f.Answer(body.DecOpportunity, "sword", 1, 3)
			f.Choose("reflex", append([]int{2, 12, 7}, c.faces...)...)
			offered := len(f.Decisions) > 0 && f.Decisions[0].Name == body.DecRetrieve
			if offered != c.offered {
				t.Fatalf("offered %v: %v", offered, f.Decisions)
			}
			if offered && f.Decisions[0].Options[len(f.Decisions[0].Options)-1].Id != "draw:knife" {
				t.Errorf("%v", f.Decisions[0].Options)
			}
		})
	}
}

// spark.item.hardness-check, spark.turn.all-roll-together: of two who bash a door in one round the first breaks it and the second finds it broken
func TestBashedTogether(t *testing.T) {
	for _, c := range []struct {
		name  string
		faces []int
		state string
		notes []string
	}{
		{"broken first", []int{15, 5, 13}, body.Broken, []string{"door is broken", "door is broken already"}},
		{"cracked first, broken second", []int{15, 5, 12, 13}, body.Broken, []string{"door is cracked", "door is broken"}},
		{"cracked twice", []int{15, 5, 12, 12}, body.Cracked, []string{"door is cracked"}},
		{"a natural 1 and a crack", []int{15, 5, 1, 12}, body.Cracked, []string{"door is cracked"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := duel(t)
			door := withParameters("object", "door", "material", "wood")
			f.Must(act("ara", declaring.KindBash, "", "", door))
			f.Must(act("orc", declaring.KindBash, "", "", door), c.faces...)
			if got := f.State.Marks[body.MObject+"door"]; got != c.state {
				t.Errorf("the door is %q", got)
			}
			for _, n := range c.notes {
				if !f.hasNote(n) {
					t.Errorf("nobody is told: %s", n)
				}
			}
		})
	}
}

// spark.turn.declare, spark.dice.drop-to-zero: what a viewer is told of each kind of fact
func TestWhoIsToldOfWhat(t *testing.T) {
	owner, sealed, all := "controllers", "sealed", "all"
	for _, c := range []struct {
		kind  rules.FactKind
		name  string
		phase string
		want  string
	}{
		{rules.FactSheet, "", body.PhaseDeclare, owner},
		{rules.FactHitPoints, "", body.PhaseDeclare, owner},
		{rules.FactInjury, body.InjuryLegs, body.PhaseMove, owner},
		{rules.FactCondition, body.CondProne, body.PhaseDeclare, all},
		{rules.FactBegun, body.BegunDeclared, body.PhaseDeclare, sealed},
		{rules.FactBegun, body.BegunDeclared, body.PhaseMove, all},
		{rules.FactBegun, body.BegunWork, body.PhaseDeclare, sealed},
		{rules.FactBegun, body.BegunWork, body.PhaseMove, sealed},
		{rules.FactBegun, "spell", body.PhaseDeclare, all},
	} {
		s := &eventv1.State{Phase: c.phase}
		got := (System{}).Audience(s, c.kind, c.name, "ara")
		want := map[string]*eventv1.Audience{owner: event.Controllers("ara"), sealed: body.Sealed("ara"), all: event.Everyone()}[c.want]
		if got.String() != want.String() {
			t.Errorf("%v %s in %s: %v, want %v", c.kind, c.name, c.phase, got, want)
		}
	}
}

// spark.action.charge: whoever has no speed charges nobody, and one foot of speed is no such hindrance
func TestChargeWithoutSpeed(t *testing.T) {
	for speed, refused := range map[int32]bool{0: true, 5: false} {
		slow := fighter("ara", "party")
		slow.Speeds = map[string]int32{"walk": speed}
		f := newTable(t).at(0, slow).at(10, fighter("orc", "monsters")).start()
		err := f.Try(act("ara", declaring.KindCharge, "sword", "orc", to(5)))
		if refused {
			wantRefused(t, err, cite.ActionCharge)
		} else if err != nil {
			t.Error(err)
		}
	}
}

// spark.fumble.weapon-flies: a weapon on the ground is fetched by the move of its owner; one that is contested comes too late for it
func TestFetchedByAContestedMove(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party")).at(5, fighter("orc", "monsters")).start()
	f.Must(act("ara", declaring.KindAttack, "sword", "orc", withFacts("direction", 1)))
	f.End("orc", 1, 3, 4, 2, 3) // 5 ft to the north
	fetch := func(contested bool) *eventv1.Command {
		return act("ara", declaring.KindDeed, "", "", withParameters("text", "runs", "rival", "orc", "contested", contested, "bonus", "pick-up:sword"))
	}
	wantRefused(t, f.Try(fetch(true)), cite.FumbleWeaponFlies)
	f.Must(fetch(false))
}

// spark.fumble.missile-broken, spark.fumble.alt-ammo-accident: an empty quiver and one whose missiles lie about are not the same
func TestNoMissilesAndSpilledOnes(t *testing.T) {
	for _, c := range []struct {
		left, spilled int
		rule          string
	}{{1, 0, ""}, {0, 0, cite.FumbleMissileBroken}, {0, 1, cite.FumbleAltAmmoAccident}, {1, 1, ""}} {
		f := duel(t)
		f.Count("ara", body.CAmmunition+"bow", c.left, body.CSpilled+"bow", c.spilled)
		err := f.Try(act("ara", declaring.KindAttack, "bow", "orc"))
		if c.rule == "" && err != nil {
			t.Errorf("%d left, %d spilled: %v", c.left, c.spilled, err)
		} else if c.rule != "" {
			wantRefused(t, err, c.rule)
		}
	}
}

// spark.action.multi-round-lock, spark.action.spell-fills-round: a spell of several rounds is under way for them, an ordinary one is not
func TestWhichSpellsGoOn(t *testing.T) {
	for spell, until := range map[string]int32{"fire": 0, "storm": 3} {
		f := newTable(t).at(0, fighter("ara", "party", mage)).at(5, fighter("orc", "monsters")).start()
		f.Roller = func(sides int) int { return min(sides, 10) }
		f.Must(act("ara", declaring.KindCast, spell, "orc"))
		f.End("orc")
		var begun int32
		for _, e := range f.Events {
			if b := e.GetBegun().GetBegun(); b.GetKind() == body.BegunCasting {
				begun = b.GetUntil().GetRound()
			}
		}
		if begun != until || body.CastsUntil(f.Creature("ara")) != until {
			t.Errorf("%s: under way until round %d and %d, want %d", spell, begun, body.CastsUntil(f.Creature("ara")), until)
		}
	}
}

// spark.turn.movement-first: what is stated of an attack is for attacks and spells; elsewhere it would be passed over
func TestFactsOfAttacks(t *testing.T) {
	far := withFacts("distance", 5.0)
	for _, c := range []struct {
		name  string
		cmd   *eventv1.Command
		taken bool
	}{
		{"an attack", act("ara", declaring.KindAttack, "sword", "orc", far), true},
		{"a charge", act("ara", declaring.KindCharge, "sword", "orc", to(-5), far), true},
		{"a spell", act("ara", declaring.KindCast, "fire", "orc", far), true},
		{"a move", act("ara", declaring.KindMove, "", "", to(-5), far), false},
		{"a move with an off-hand attack", act("ara", declaring.KindMove, "", "", to(-5), far, withParameters("bonus", "off-hand:dagger", "bonus_target", "orc")), true},
		{"a move with a potion", act("ara", declaring.KindMove, "", "", to(-5), far, withParameters("bonus", "potion:potion")), false},
	} {
		if err := duel(t, twoHanded).Try(c.cmd); (err == nil) != c.taken {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// spark.turn.movement-first: only a shot is told to be out of range as things stand, from where the shooter will stand, and only beyond its range
func TestWarningOfAShot(t *testing.T) {
	for _, c := range []struct {
		name string
		feet int32
		cmd  *eventv1.Command
		told bool
	}{
		{"a shot at its farthest", 160, act("ara", declaring.KindAttack, "bow", "orc"), false},
		{"a shot beyond", 165, act("ara", declaring.KindAttack, "bow", "orc"), true},
		{"a shot beyond after a step back", 160, act("ara", declaring.KindAttack, "bow", "orc", to(-5)), true},
		{"a shot beyond, its distance stated", 165, act("ara", declaring.KindAttack, "bow", "orc", withFacts("distance", 100.0)), false},
		{"a blow that reaches nobody", 100, act("ara", declaring.KindAttack, "sword", "orc"), false},
	} {
		f := newTable(t).at(0, fighter("ara", "party")).at(c.feet, fighter("orc", "monsters")).start()
		f.Must(c.cmd)
		told := false
		for _, e := range f.Events {
			told = told || e.GetNote() != nil
		}
		if told != c.told {
			t.Errorf("%s: told %v", c.name, told)
		}
	}
}

// spark.fumble.weapon-flies: how far the weapon lies is measured from where its owner is now, where both are on the map
func TestAWeaponThatLiesNearAgain(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party")).at(5, fighter("orc", "monsters")).start()
	f.Must(act("ara", declaring.KindAttack, "sword", "orc", withFacts("direction", 7)))
	f.End("orc", 1, 3, 4, 7, 8) // 15 ft to the west
	fetch := act("ara", declaring.KindMove, "", "", withParameters("bonus", "pick-up:sword"))
	wantRefused(t, f.Try(fetch), cite.FumbleWeaponFlies)
	f.Place("ara", -10, 0)
	f.Must(fetch)
	f.End("orc")
	if got := f.Creature("ara").Items["sword"].Place; got != "main" {
		t.Errorf("the sword is %q", got)
	}
}

// spark.action.full-move-single-attack, spark.fumble.alt-ammo-accident, spark.item.hardness-check: what costs the attack leaves no bonus action beside a move where the table denies it
func TestWhatCostsTheAttack(t *testing.T) {
	for _, c := range []struct {
		name   string
		kind   string
		item   string
		words  []any
		denied bool
	}{
		{"gathering missiles", declaring.KindGather, "bow", nil, true},
		{"bashing a door", declaring.KindBash, "", []any{"object", "door", "material", "wood"}, true},
		{"a deed", declaring.KindDeed, "", []any{"text", "looks about"}, false},
		{"a move alone", declaring.KindMove, "", nil, false},
	} {
		f := newTable(t, body.SetBonusWithBoth+"=deny").at(0, fighter("ara", "party", twoHanded)).at(30, fighter("orc", "monsters")).start()
		f.Count("ara", body.CSpilled+"bow", 3)
		err := f.Try(act("ara", c.kind, c.item, "", to(-10), withParameters(append(c.words, "bonus", "potion:potion")...)))
		if c.denied {
			wantRefused(t, err, cite.ActionFullMoveSingleAttack)
		} else if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// spark.rest.activity: whoever rests is told that a broken rest is void
func TestABrokenRestIsTold(t *testing.T) {
	for _, kind := range []string{"short", "long"} {
		f := patient(t, 3, 8, 1, 5, 20)
		f.mustTend(resting(kind, "interrupted", true))
		if !f.hasNote("the rest is void") {
			t.Errorf("%s: nobody is told", kind)
		}
		f.WantHP("ara", 5)
	}
}

// spark.healing.heal-skill, spark.healing.broken-bone: of two broken bones the one that is named is set, and the first where none is
func TestWhichBoneIsSet(t *testing.T) {
	for named, want := range map[string]string{"": "b1", "b1": "b1", "b2": "b2"} {
		f := patient(t, 3, 8, 1, 5, 20)
		f.Put("ara", &eventv1.Vitals{Injuries: []*eventv1.Injury{{Id: "b1", Kind: body.InjuryBreak, Part: "wrist", Side: "right"}, {Id: "b2", Kind: body.InjuryBreak, Part: "wrist", Side: "left"}}})
		p := []any{}
		if named != "" {
			p = append(p, "injury", named)
		}
		f.Tend(tendAra("set-bone", p...), 20)
		for _, in := range f.Creature("ara").Injuries {
			if set := in.Values["set"] == 1; set != (in.Id == want) {
				t.Errorf("named %q: %s is set: %v", named, in.Id, set)
			}
		}
	}
}
