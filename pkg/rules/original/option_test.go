package original

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// optionsOf lists a creature's options of an action.
func (f *table) optionsOf(id, action string) []*eventv1.Option {
	f.T.Helper()
	return slices.DeleteFunc(f.System.Options(rules.Query{State: f.State, Creature: id}), func(o *eventv1.Option) bool { return o.Action != action })
}

// throwTargets are those at whom an option offers to throw a weapon from near,
// and how many options do.
func (f *table) throwTargets(id, item string) (targets []string, options int) {
	f.T.Helper()
	for _, o := range f.optionsOf(id, "attack") {
		throws := slices.ContainsFunc(o.Parameters, func(p *eventv1.Parameter) bool { return p.Name == "throw" })
		if o.Item == item && o.Legal && throws {
			targets, options = append(targets, o.Targets...), options+1
		}
	}
	return targets, options
}

// A throw from near is offered at those at whom the deed allows it.
func TestThrowOption(t *testing.T) {
	yes := true
	normal := with(func(o *eventv1.OriginalSheet) { o.NormalType = &yes })
	throw := func(target string) *eventv1.Command {
		return act("a", "attack", "dagger", target, withParameters("throw", true))
	}

	t.Run("original.movement.half-move-and-attack: at the foe one fights and at no other", func(t *testing.T) {
		f := newTable(t).at(0, one("a", "party", arms(dagger))).at(5, one("orc", "orcs")).at(25, one("far", "orcs")).start(nil, 6, 1, 1)
		if got, n := f.throwTargets("a", "dagger"); n != 1 || !slices.Equal(got, []string{"orc"}) {
			t.Fatalf("thrown at %v by %d options", got, n)
		}
		wantRefused(t, f.Peek(throw("far")), cite.MovementHalfMoveAndAttack)
		f.Must(throw("orc"), 2)
	})
	t.Run("original.attack.multi-vs-normal-men: not after a first attack, as the blow is", func(t *testing.T) {
		f := newTable(t).at(0, one("a", "party", arms(dagger), class("fighter", 3))).at(5, one("man", "orcs", normal)).start(nil, 6, 1)
		f.Must(act("a", "attack", "dagger", "man"), 2)
		if o := f.optionsOf("a", "attack")[0]; !o.Legal || f.State.Phase != body.SegSlot {
			t.Fatalf("in %s: %v", f.State.Phase, o)
		}
		if got, n := f.throwTargets("a", "dagger"); n != 0 {
			t.Fatalf("thrown at %v", got)
		}
		wantRefused(t, f.Peek(throw("man")), cite.AttackMultiVsNormalMen)
	})
	t.Run("original.attack.range-bands: from afar it is the attack itself", func(t *testing.T) {
		f := newTable(t).at(0, one("a", "party", arms(dagger))).at(25, one("orc", "orcs")).start(nil, 6, 1)
		if _, n := f.throwTargets("a", "dagger"); n != 0 {
			t.Fatal("a throw is offered twice")
		}
		if o := f.optionsOf("a", "attack")[0]; !o.Legal || !slices.Equal(o.Targets, []string{"orc"}) {
			t.Fatal(o)
		}
	})
	t.Run("original.attack.range-bands: what is not made for it is not thrown", func(t *testing.T) {
		f := newTable(t).at(0, one("a", "party", arms(stab))).at(5, one("orc", "orcs")).start(nil, 6, 1)
		if _, n := f.throwTargets("a", "dagger"); n != 0 {
			t.Fatal("it has no range")
		}
	})
}

// With nobody left to do a thing to, the option tells what holds of any
// target first, and else the rule by which the deed refuses who is named.
func TestOptionsWithoutFoes(t *testing.T) {
	shield := with(func(o *eventv1.OriginalSheet) { o.ShieldBonus = 1 })
	for _, c := range []struct {
		name, action, item string
		who                sheets
		settings           []string
		reason, rule       string
	}{
		{"no shield", "shield", "", nil, nil, "NO_SHIELD", cite.DefenseShieldTwoAttackers},
		{"a shield", "shield", "", sheets{shield}, nil, "NO_FOE", cite.DefenseShieldTwoAttackers},
		{"no thief", "backstab", "sword", sheets{class("fighter", 1)}, nil, "NO_THIEF", cite.AttackBackstabFirstOnly},
		{"a thief", "backstab", "sword", sheets{class("thief", 1)}, nil, "NO_FOE", cite.AttackRoll},
		{"not in use", "shortcut", "", sheets{class("fighter", 3)}, nil, "OPTION_OFF", body.SetShortcut},
		{"one attack", "shortcut", "", sheets{class("cleric", 1)}, []string{body.SetShortcut + "=on"}, "ONE_ATTACK", body.SetShortcut},
		{"several attacks", "shortcut", "", sheets{class("fighter", 3)}, []string{body.SetShortcut + "=on"}, "NO_FOE", body.SetShortcut},
		{"charge", "charge", "sword", nil, nil, "NO_FOE", cite.ChargeMove},
		{"through the line", "through", "", nil, nil, "NO_FOE", cite.MovementThroughLine},
		{"attack", "attack", "sword", nil, nil, "NO_FOE", cite.AttackRoll},
		{"grapple", "grapple", "", nil, nil, "NO_FOE", cite.GrappleToHit},
		{"face", "face", "", nil, nil, "NO_FOE", cite.ConditionPartiallySurprised},
	} {
		t.Run(c.rule+": "+c.name, func(t *testing.T) {
			f := newTable(t, c.settings...).at(0, one("a", "party", c.who...)).at(5, one("b", "party")).start(nil, 6, 6)
			list := slices.DeleteFunc(f.optionsOf("a", c.action), func(o *eventv1.Option) bool { return o.Item != c.item })
			if len(list) != 1 || list[0].Legal || list[0].Rule != c.rule || list[0].Reason == "" {
				t.Fatalf("listed: %v", list)
			}
			why, ok := fault.As(f.Peek(rulestest.Act("a", c.action, c.item, "b")))
			if !ok || why.Rule != c.rule {
				t.Fatalf("the deed: %v", why)
			}
			if c.action != "face" && why.Reason != c.reason { // of one named, facing tells more
				t.Fatalf("the deed: %s, want %s", why.Reason, c.reason)
			}
			if c.action != "face" && why.Message != list[0].Reason {
				t.Fatalf("listed %q, refused %q", list[0].Reason, why.Message)
			}
		})
	}
}
