package oracle

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// held draws a melee weapon in a hand, and says it as a sheet does.
func held(c *rulestest.Chance, by *Creature, name, hand string) (Weapon, *eventv1.RcrAttack) {
	w := Weapon{Light: !c.OneIn(4), Finesse: c.OneIn(2)}
	a, said := blow(c, name)
	for a.Ranged {
		a, said = blow(c, name)
	}
	w.Attack, said.Natural, said.Hand, said.ReachFeet = a, false, hand, 5
	w.Attack.Distance = 5
	w.Attack.Parts[0].Bonus += w.modifier(by)
	said.Damage[0].Dice = diceText(w.Attack.Parts[0])
	for word, so := range map[string]bool{"light": w.Light, "finesse": w.Finesse} {
		if so {
			said.Properties = append(said.Properties, word)
		}
	}
	return w, said
}

// TestTwoWeapons attacks with one hand and then, where that may be, with the other.
func TestTwoWeapons(t *testing.T) {
	each(t, 400, func(t *testing.T, c *rulestest.Chance, note func(string, ...any)) {
		by, at := creature(c, "a", true), creature(c, "b", true)
		first, right := held(c, by, "right", "main")
		second, left := held(c, by, "left", "off")
		at.AC = 8 + c.N(8)
		f := place(t, 2, sheet(by, right, left), sheet(at), sheet(creature(c, "z", false)))
		put(f, by)
		put(f, at)
		note("by %+v\nat %+v\n%+v\n%+v", *by, *at, first, second)
		dice := &faces{chance: c}
		var before *Weapon
		if !c.OneIn(5) {
			outcome := first.Attack.Make(by, at, 2, dice.roll)
			thrown := dice.take()
			note("faces %v: %s; then %+v", thrown, outcome, *at)
			f.Must(rulestest.Act("a", "attack", "right", "b", stated(first.Attack)...), thrown...)
			same(f, at)
			before = &first
		}
		if at.Life == Dead {
			return
		}
		outcome, may := second.Second(before, by, at, 2, dice.roll)
		thrown := dice.take()
		note("faces %v: %s, may %t; then %+v", thrown, outcome, may, *at)
		command := rulestest.Act("a", "off-hand-attack", "left", "b", stated(second.Attack)...)
		if !may {
			refused(f, command)
			return
		}
		f.Must(command, thrown...)
		if got := f.Attack().Outcome; got != outcome {
			t.Fatalf("%s, the oracle says %s", got, outcome)
		}
		same(f, at)
		refused(f, command) // there is one bonus action
	})
}

// refused gives a command that must not be taken.
func refused(f *rulestest.Table, command *eventv1.Command) {
	f.T.Helper()
	if err := f.Try(command); err == nil {
		f.T.Fatal("it is taken, and must not be")
	}
}
