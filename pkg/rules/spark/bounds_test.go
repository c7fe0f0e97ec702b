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
