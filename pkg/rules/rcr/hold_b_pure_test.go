package rcr

import (
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	thedice "github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.base.attack-and-critical: a critical hit doubles all dice and no number.
func TestDoubledDice(t *testing.T) {
	for expr, want := range map[string]string{"1d8+3": "2d8+3", "d6": "2d6", "2D6-1": "4d6-1", "1d10+1d4+10": "2d10+2d4+10", "7": "7", "10d10": "20d10", "4d6kh3": "8d6kh3"} {
		if got := thedice.DoubleDice(expr); strings.ReplaceAll(got, " ", "") != want {
			t.Errorf("%s: %s, want %s", expr, got, want)
		}
	}
}

// rcr.initiative.healed-reroll: who is woken by healing in a fight rolls anew, but not in
// its own turn, not while it is still down, and not where it was surprised in the round
// of the ambush.
func TestWhoRollsAnewWhenHealed(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(f *table)
		rolls  bool
	}{
		{"awake in the turn of another", func(*table) {}, true},
		{"the dead", func(f *table) { dies(f.T.(*testing.T), f, "b") }, false},
		{"one at no hit points", func(f *table) { f.Hurt("b", 0) }, false},
		{"the unconscious", func(f *table) { f.Afflict("b", body.CondUnconscious) }, false},
		{"whoever has the turn", func(f *table) { f.End("a", 20) }, false},
		{"one that is surprised, when that round is over", func(f *table) { f.Afflict("b", body.CondSurprised) }, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party"), fighter("b", "party")).start(nil, 20, 5)
			c.change(f)
			reroll := func(r *resolution) error { answers.RerollHealed(r, "b"); return nil }
			if c.rolls {
				f.Resolve(reroll, 11)
				if got := answers.InitiativeOf(f.Creature("b"), 1).GetTotal(); got != 11 {
					t.Errorf("%d", got)
				}
				return
			}
			f.Resolve(reroll)
		})
	}
	f := newTable(t).add(fighter("a", "party"), fighter("b", "party"))
	f.Resolve(func(r *resolution) error { answers.RerollHealed(r, "b"); return nil }) // before the fight
	f = newTable(t).add(fighter("a", "party"), fighter("b", "monsters"), fighter("c", "monsters"))
	f.start([]string{"b"}, 15, 4)
	f.Resolve(func(r *resolution) error { answers.RerollHealed(r, "b"); return nil })
	f.Resolve(func(r *resolution) error { answers.RerollHealed(r, "c"); return nil }, 7) // in the same round, but not surprised
}

// rcr.surprise.no-initiative: traits and a feat let a creature act all the same.
func TestWhoIgnoresSurprise(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*eventv1.Sheet)
		want   bool
	}{
		"nobody": {func(*eventv1.Sheet) {}, false}, "ignores surprise": {trait("ignores surprise"), true}, "acts while surprised": {trait("acts while surprised"), true}, "alert": {feat(body.FeatAlert), true},
	} {
		f := newTable(t).add(fighter("a", "party", c.change))
		if got := answers.IgnoresSurprise(f.Creature("a")); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// rcr.base.opportunity-frame: an enemy that is there, can see the other, has a reaction and
// something to strike with may attack whoever lives; who rides provokes nothing, but where
// the table says so (rcr.mount.no-provoke-rider).
func TestWhoMayAttackInPassing(t *testing.T) {
	may := func(f *table, enemy, provoker string, want bool) {
		t.Helper()
		if got := answers.MayOpportunity(f.State, enemy, provoker); got != want {
			t.Errorf("%s at %s: %v, want %v", enemy, provoker, got, want)
		}
	}
	f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters"), fighter("c", "monsters")).start(nil, 20, 5, 4)
	may(f, "b", "a", true)
	may(f, "nobody", "a", false)
	may(f, "b", "nobody", false)
	may(f, "nobody", "nobody", false)
	may(f, "b", "c", false)
	f.Count("b", body.CReaction, 0)
	may(f, "b", "a", false)
	dies(t, f, "a")
	may(f, "c", "a", false)
	for setting, want := range map[string]bool{"no": false, "deeds": true} {
		may(rides(t, human(), beast(), orc(), body.SetMountedProvoke+"="+setting), "b", "a", want)
		may(rides(t, human(), beast(), orc(), body.SetMountedProvoke+"="+setting), "b", "h", true)
	}
}

// rcr.base.fifth-edition-fallback: what conditions add to the damage of a weapon goes by
// their words; what a rage adds, for attacks with Strength in melee alone
// (rcr.trait.rage).
func TestDamageOfConditions(t *testing.T) {
	sword := &eventv1.RcrAttack{Name: "sword", Bonus: 5, ReachFeet: 5, Damage: []*eventv1.RcrDamage{{Dice: "1d8", Type: "slashing"}}}
	for _, c := range []struct {
		name  string
		x     *eventv1.Condition
		trait string
		melee bool
		flat  int32
		parts string
	}{
		{"a number", &eventv1.Condition{Name: "blessed", Values: map[string]int32{"damage": 2}}, "", true, 2, ""},
		{"no number", &eventv1.Condition{Name: "blessed", Values: map[string]int32{"damage": 0}}, "", true, 0, ""},
		{"another word", &eventv1.Condition{Name: "blessed", Values: map[string]int32{"attack": 2}}, "", true, 0, ""},
		{"a word that begins alike", &eventv1.Condition{Name: "blessed", Values: map[string]int32{"damaged": 2}}, "", true, 0, ""},
		{"of a type", &eventv1.Condition{Name: "blessed", Values: map[string]int32{"damage.fire": 2}}, "", true, 0, "2 fire"},
		{"dice of the weapon's type", &eventv1.Condition{Name: "blessed", Values: map[string]int32{"damage.d6": 1}}, "", true, 0, "1d6 slashing"},
		{"dice of a type", &eventv1.Condition{Name: "blessed", Values: map[string]int32{"damage.fire.d6": 2}}, "", true, 0, "2d6 fire"},
		{"a rage in melee", &eventv1.Condition{Name: body.CondRaging, Values: map[string]int32{"damage": 2}}, body.TraitRage, true, 2, ""},
		{"a rage at range", &eventv1.Condition{Name: body.CondRaging, Values: map[string]int32{"damage": 2}}, body.TraitRage, false, 0, ""},
		{"a fury of a creature without that trait", &eventv1.Condition{Name: body.CondRaging, Values: map[string]int32{"damage": 2}}, "", false, 2, ""},
		{"another boon of one that rages, at range", &eventv1.Condition{Name: "blessed", Values: map[string]int32{"damage": 2}}, body.TraitRage, false, 2, ""},
	} {
		s := fighter("a", "party")
		if c.trait != "" {
			trait(c.trait)(s)
		}
		f := newTable(t).add(s)
		a := f.Creature("a")
		a.Conditions = append(a.Conditions, c.x)
		flat, parts := thedice.ChangedDamage(a, sword, c.melee)
		n, said := int32(0), ""
		for _, m := range flat {
			n += m.Value
		}
		for _, p := range parts {
			said += p.Dice + " " + p.Type
		}
		if n != c.flat || said != c.parts {
			t.Errorf("%s: %d and %q, want %d and %q", c.name, n, said, c.flat, c.parts)
		}
		a.Conditions = a.Conditions[:len(a.Conditions)-1]
	}
}

// What holds of a creature as it stands: whether it has air, whether a roll of its is
// unseen by its player, whether an ambush is on.
//
// rcr.underwater.suffocating-no-stabilize, rcr.death.secret-saves, rcr.surprise.one-action
func TestWhatHolds(t *testing.T) {
	of := func(name, variant string) *eventv1.Creature {
		return &eventv1.Creature{Conditions: []*eventv1.Condition{{Name: name, Variant: variant}}}
	}
	for name, c := range map[string]struct {
		c    *eventv1.Creature
		want bool
	}{
		"suffocating": {of(body.CondSuffocating, ""), true}, "paralysed, limp": {of(body.CondParalyzed, body.VariantDisabled), true},
		"paralysed, stiff": {of(body.CondParalyzed, "stricken"), false}, "another limp": {of("limp", body.VariantDisabled), false}, "well": {&eventv1.Creature{}, false},
	} {
		if got := checks.Airless(c.c); got != c.want {
			t.Errorf("%s: airless %v", name, got)
		}
	}
	gm := rules.Rolled{Audience: &eventv1.Audience{Kind: eventv1.Audience_KIND_GM}}
	led, free := &eventv1.Creature{Controllers: []string{"ann"}}, &eventv1.Creature{}
	for _, c := range []struct {
		c    *eventv1.Creature
		r    rules.Rolled
		want bool
	}{{led, gm, true}, {free, gm, false}, {led, rules.Rolled{}, false}, {free, rules.Rolled{}, false}} {
		if got := thedice.Unseen(c.c, c.r); got != c.want {
			t.Errorf("%v, %v: unseen %v", c.c, c.r.Audience, got)
		}
	}
	for _, c := range []struct {
		status eventv1.State_Status
		phase  string
		want   bool
	}{{eventv1.State_STATUS_STARTED, body.PhaseSurprise, true}, {eventv1.State_STATUS_ENDED, body.PhaseSurprise, false}, {eventv1.State_STATUS_STARTED, "", false}} {
		if got := checks.SurpriseRound(&eventv1.State{Status: c.status, Phase: c.phase}); got != c.want {
			t.Errorf("%v %q: %v", c.status, c.phase, got)
		}
	}
}

// rcr.base.fifth-edition-fallback: a check of concentration is made where there is
// something to keep, and damage; whoever hurt it weighs on it by a feat alone
// (rcr.feat.mage-slayer-concentration).
func TestWhenConcentrationIsChecked(t *testing.T) {
	mind := func(feats ...string) *table {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters", feat(feats...))).start(nil, 20, 5)
		return f
	}
	save := func(f *table, by string, dc int32, faces ...int) {
		t.Helper()
		f.Resolve(func(r *resolution) error {
			thedice.ConcentrationSave(r, r.Creature("a"), r.Creature(by), dc)
			return nil
		}, faces...)
	}
	hold := func(f *table) *table {
		f.Put("a", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Id: body.CondConcentrating, Name: body.CondConcentrating, Variant: "bless"}}})
		return f
	}
	save(mind(), "b", 10)
	save(hold(mind()), "b", 0)
	save(hold(mind()), "b", 10, 12)
	save(hold(mind()), "", 10, 12)
	f := hold(mind(body.FeatMageSlayer))
	save(f, "b", 10, 12, 9)
	if body.Concentration(f.Creature("a")) != "" {
		t.Error("it still concentrates")
	}
}

// rcr.base.fifth-edition-fallback: the charmed are easier to sway and to cow, by the one
// who has charmed them; nothing else is easier for that.
func TestSwayingTheCharmed(t *testing.T) {
	for _, c := range []struct {
		name, skill, use, source string
		target                   string
		faces                    int
	}{
		{"to influence", "persuasion", "influence", "a", "b", 2},
		{"to have it surrender", "intimidation", "surrender", "a", "b", 2},
		{"to read it", "insight", "read", "a", "b", 1},
		{"charmed by another", "persuasion", "influence", "c", "b", 1},
		{"nobody named", "persuasion", "influence", "a", "", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters"), fighter("c", "party")).start(nil, 20, 5, 4)
			f.Put("b", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondCharmed, Source: c.source}}})
			f.Must(act("a", "check", c.skill, c.target, withParameters("use", c.use)), []int{5, 15}[:c.faces]...)
		})
	}
}

// rcr.action.skill-free-knowledge: one attempt for each question; what is longer than a
// name may be is no question that is kept. Names of tasks are bounded.
func TestBoundsOfNames(t *testing.T) {
	ask := func(q string) *eventv1.Command {
		return act("a", "check", "nature", "", withParameters("use", "knowledge", "question", q))
	}
	f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 20, 5)
	whole := strings.Repeat("q", rules.MaxIDLength)
	f.Must(ask(whole), 5)
	wantReasonOf(t, "again", f.Try(ask(whole)), "ASKED_BEFORE")
	f.Must(act("a", "check", "nature", "", withParameters("use", "knowledge")), 5)
	f.Must(act("a", "check", "nature", "", withParameters("use", "knowledge")), 5)
	c := f.Creature("a")
	for _, x := range []struct {
		name string
		ok   bool
	}{{"", false}, {"knot", true}, {whole, true}, {whole + "q", false}} {
		id, err := thedice.TaskName(c, &eventv1.TakeAction{Parameters: object("task", x.name)})
		if (err == nil) != x.ok || x.ok && id != x.name+"/a" {
			t.Errorf("%d bytes: %q, %v", len(x.name), id, err)
		}
	}
}
