package spark

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/declaring"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/proto"
)

// kinds are a creature's injuries.
func (f *table) injuries(id string) map[string]int32 {
	out := map[string]int32{}
	for _, in := range f.Creature(id).Injuries {
		out[in.Kind] = in.Values["long_rests"]
	}
	return out
}

// spark.fumble.alt-pulled-arms, spark.fumble.alt-pulled-legs, spark.fumble.sprain-wrist, spark.fumble.wrist-breaks, spark.fumble.alt-ouch:
// what one long rest after the other ends, and what none does
func TestWhatLongRestsEnd(t *testing.T) {
	f := patient(t, 1, 8, 0, 1, 25)
	f.Put("ara", &eventv1.Vitals{Injuries: []*eventv1.Injury{{Kind: body.InjurySprain, Side: "right"}, {Kind: body.InjuryArms}, {Kind: body.InjuryBreak, Side: "left"},
		{Kind: body.InjuryLegs, Values: map[string]int32{"long_rests": 1}}, {Kind: body.InjurySnap, Side: "bite", Amount: 2, Permanent: true}}})
	for i, want := range []map[string]int32{
		{body.InjuryArms: 1, body.InjuryLegs: 2, body.InjuryBreak: 0, body.InjurySnap: 0},
		{body.InjuryArms: 2, body.InjuryBreak: 0, body.InjurySnap: 0},
		{body.InjuryBreak: 0, body.InjurySnap: 0},
	} {
		f.Tend(resting("long"), 1)
		got := f.injuries("ara")
		if len(got) != len(want) {
			t.Fatalf("rest %d: %v, want %v", i+1, got, want)
		}
		for kind, rests := range want {
			if n, has := got[kind]; !has || n != rests {
				t.Fatalf("rest %d: %v, want %v", i+1, got, want)
			}
		}
		f.Tend(tendAra("pass-time", "hours", 16.0))
	}
	f.WantHP("ara", 4)
	f.Tend(tendAra("heal", "amount", 0.0)) // magic of no hit points mends all the same, but for what snapped
	if got := f.injuries("ara"); len(got) != 1 || f.Creature("ara").Injuries[0].Amount != 2 {
		t.Fatalf("%v", got)
	}
}

// spark.rest.activity, spark.fumble.alt-pulled-arms: a rest that was broken off mends nothing, gives nothing and is not the one of the day
func TestBrokenOffRestMendsNothing(t *testing.T) {
	f := patient(t, 2, 8, 3, 5, 25)
	f.Put("ara", &eventv1.Vitals{Injuries: []*eventv1.Injury{{Kind: body.InjurySprain, Side: "right"}, {Kind: body.InjuryArms}}})
	f.Count("ara", body.CDrained+"strength", 1, body.CHitDice+"8", 1)
	f.Tend(resting("long", "interrupted", true, "minutes", 300.0))
	n := f.Creature("ara").Counters
	if got := f.injuries("ara"); len(got) != 2 || got[body.InjuryArms] != 0 || n[body.CDrained+"strength"] != 1 || n[body.CHitDice+"8"] != 1 || n[body.CMana] != 3 || n[body.CMinutes] != 300 {
		t.Fatalf("%v %v", got, n)
	}
	f.WantHP("ara", 5)
	f.Tend(resting("long"), 8, 8) // at once
	f.WantHP("ara", 25)           // 16 + 2 x 3, capped
	n = f.Creature("ara").Counters
	if got := f.injuries("ara"); len(got) != 1 || got[body.InjuryArms] != 1 || n[body.CDrained+"strength"] != 0 || n[body.CHitDice+"8"] != 2 || n[body.CMana] != 20 {
		t.Fatalf("%v %v", got, n)
	}
	wantRefused(t, f.TryTend(resting("long")), cite.RestLongLength)
}

// spark.dice.drop-to-zero, spark.healing.two-ways: the dead are not healed, by potions as little as by spells, and keep their injuries; the
// dying are
func TestHealingTheDead(t *testing.T) {
	for _, dead := range []bool{true, false} {
		setting := map[bool]string{true: "on", false: "off"}[dead]
		f := newTable(t, body.SetMonstersDie+"="+setting).at(0, fighter("ara", "party", twoHanded)).at(5, fighter("orc", "monsters")).at(10, fighter("imp", "monsters")).start()
		f.Put("orc", &eventv1.Vitals{Hp: proto.Int32(0), Injuries: []*eventv1.Injury{{Kind: body.InjuryBreak, Side: "right"}}})
		f.Must(act("ara", declaring.KindMove, "", "", withParameters("bonus", "potion:potion", "bonus_target", "orc")))
		f.End("imp", 10, 6)
		want := int32(6)
		if dead {
			want = 0
		}
		f.WantHP("orc", want)
		if got := len(f.Creature("orc").Injuries); (got == 1) != dead {
			t.Errorf("dead %v: %d injuries", dead, got)
		}
		if n := f.Creature("ara").Counters[body.CLeft+"potion"]; n != 1 {
			t.Errorf("%d potions", n)
		}
		if f.hasNote("dead: not to be healed") != dead || body.Out(f.Creature("orc")) != dead {
			t.Errorf("dead %v: %v", dead, f.Creature("orc").Life)
		}
	}
}

// What a deed of medicine does not know is refused with the field of it.
func TestDeedsThatAreNone(t *testing.T) {
	f := duel(t)
	for field, h := range map[string]*eventv1.Harm{
		"harm.amount":      {Deed: body.DeedHeal, Target: "ara", Amount: -1},
		"harm.facts[kind]": {Deed: body.DeedInjure, Target: "ara", Facts: map[string]string{"kind": "hiccups"}},
		"harm.deed":        {Deed: "tickle", Target: "ara"},
	} {
		wantField(t, f.TryResolve(func(r *rules.Resolution) error { return System{}.Medicine().Deed(r, h) }), field)
	}
	err := f.TryResolve(func(r *rules.Resolution) error {
		return System{}.Medicine().Deed(r, &eventv1.Harm{Deed: body.DeedHeal, Target: "nobody"})
	})
	if reason, _ := fault.Reason(err); reason != "UNKNOWN_CREATURE" {
		t.Fatalf("%v", err)
	}
	f.Hurt("ara", 29)
	if got := f.Harm(&eventv1.Harm{Deed: body.DeedHeal, Target: "ara", Amount: 0}); got.Healed != 0 || got.Down {
		t.Fatalf("%v", got)
	}
	if got := f.Harm(&eventv1.Harm{Deed: body.DeedHeal, Target: "ara", Amount: 5}); got.Healed != 1 {
		t.Fatalf("%v", got)
	}
	if got := f.Harm(&eventv1.Harm{Deed: body.DeedDamage, Target: "ara", Parts: []*eventv1.DamagePart{{Rolled: 30}}}); got.Taken != 30 || !got.Down {
		t.Fatalf("%v", got)
	}
}

// spark.dice.drop-to-zero: what an edit sets beyond its bounds is brought within them
func TestEditsWithinBounds(t *testing.T) {
	f := newTable(t).add(fighter("ara", "party", mage))
	f.Count("ara", body.CMana, 21)
	if n := f.Creature("ara").Counters[body.CMana]; n != 20 {
		t.Errorf("%d mana", n)
	}
	f.Count("ara", body.CMana, 20)
	if n := f.Creature("ara").Counters[body.CMana]; n != 20 {
		t.Errorf("%d mana", n)
	}
	less := fighter("ara", "party", mage)
	less.GetSpark().Mana = 12
	f.newSheet(less)
	if n := f.Creature("ara").Counters[body.CMana]; n != 12 {
		t.Errorf("%d mana on a sheet of 12", n)
	}
	f.Hurt("ara", 0)
	f.WantLife("ara", eventv1.LifeStatus_LIFE_STATUS_DYING)
	f.Hurt("ara", 1)
	f.WantLife("ara", eventv1.LifeStatus_LIFE_STATUS_ALIVE)
}

// spark.action.multi-round-lock: a spell of one round takes effect in the round it is begun in, bars the reaction of that round, can be
// countered, and leaves the next round free
func TestSpellOfOneRound(t *testing.T) {
	slow := func(s *eventv1.SparkSheet) { mage(s); s.Spells[2].Rounds = 1 }
	f := newTable(t).at(0, fighter("ara", "party", slow)).at(5, fighter("hag", "monsters", mage)).start()
	f.Must(act("ara", declaring.KindCast, "storm", "hag"))
	wantRefused(t, f.Try(act("ara", declaring.ActSpeak, "", "", withParameters("text", "burn"))), cite.ActionMultiRoundLock)
	f.Must(act("hag", declaring.KindCast, "fire", "ara")) // ara is not asked for a counterspell, the hag is
	if len(f.Decisions) != 1 || f.Decisions[0].Creature != "hag" {
		t.Fatalf("asked: %v", f.Decisions)
	}
	f.Choose("no", 15, 5, 1, 1, 1, 1, 20, 1, 1) // the storm's 16 before the fire's 6
	f.WantHP("hag", 26)
	f.WantHP("ara", 29)
	f.WantActive("ara", "hag")
	f.Must(act("ara", declaring.KindMove, "", "", to(-5)))
}

// spark.turn.touch-spells-with-melee, spark.turn.counterspell-announced-first-half: the counterspell against a touch is rolled at its place
// in the melee: whoever was to roll it may be put out before
func TestCounterAgainstATouch(t *testing.T) {
	for _, c := range []struct {
		name   string
		shot   bool
		dice   []int // of the hag's touch, the orc's blow and the imp's shot, then of what takes effect
		rolled bool
	}{
		{"an arrow before", true, []int{15, 2, 15, 8}, false},
		{"a blow of 23 before its 16", false, []int{10, 18, 8}, false},
		{"a blow of 15 after its 16", false, []int{10, 10, 20, 8}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).at(0, fighter("ara", "party", mage)).at(5, fighter("hag", "monsters", mage)).
				atXY(0, 5, fighter("orc", "monsters")).at(40, fighter("imp", "monsters")).start()
			f.Hurt("ara", 4)
			f.End("ara")
			f.Must(act("hag", declaring.KindCast, "touch", "ara"))
			f.Must(act("orc", declaring.KindAttack, "sword", "ara"))
			if c.shot {
				f.Must(act("imp", declaring.KindAttack, "bow", "ara"))
			} else {
				f.End("imp")
			}
			f.Choose("yes")
			f.number(body.DecMana, 7, c.dice...)
			n := f.Creature("ara").Counters
			if rolled := len(f.Rolls("counter/hag/ara")) == 1; rolled != c.rolled || n[body.CMana] != map[bool]int64{true: 13, false: 20}[c.rolled] || n[body.CReaction] != 0 {
				t.Fatalf("rolled %v: %v", rolled, n)
			}
			f.WantHP("ara", 0)
			if n := f.Creature("hag").Counters[body.CMana]; n != 17 { // countered, or at somebody who is out
				t.Fatalf("the hag has %d mana", n)
			}
		})
	}
}
