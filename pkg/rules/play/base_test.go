package play_test

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// plain is a rule system of what systems have in common and nothing else.
type plain struct{ play.Base }

func (plain) Begin(r *rules.Resolution, _ *eventv1.StartEncounter) error {
	r.Emit(event.Everyone(), &eventv1.TurnStarted{Creatures: []string{"a"}})
	return nil
}
func (plain) EndTurn(*rules.Resolution, string) error { return nil }

func newPlain(t *testing.T, fallen eventv1.LifeStatus) plain {
	t.Helper()
	poke := action(func(a *play.Action) {
		a.Do = func(r *rules.Resolution, at *play.At) error {
			r.Set(at.Actor.Id, "pokes", r.Count(at.Actor.Id, "pokes")+1, "poked")
			return nil
		}
	})
	return plain{play.Base{Name: "plain", Title: "Plain", Version: "3", Frame: frame(t, play.Frame{System: "plain"}, poke),
		Chosen: []rules.Setting{{ID: "plain.loud", Values: []string{"on", "off"}, Default: "off"}}, Standing: []rules.StandingOrder{{Decision: "parry"}},
		Heals: play.PlainHarm{Fallen: fallen, DamageRule: "plain.damage", HealRule: "plain.heal", FallRule: "plain.fall"}}}
}

func sheet(id string, hp int32) *eventv1.Sheet {
	return &eventv1.Sheet{Id: id, Name: id, Side: "x", HitPoints: hp, Controllers: []string{"ann"}}
}

// What rule systems have in common: their names and lists, whoever comes in with all of
// its points or those it is said to have, actions by the frame.
func TestWhatSystemsHaveInCommon(t *testing.T) {
	sys := newPlain(t, eventv1.LifeStatus_LIFE_STATUS_DEAD)
	if i := sys.Info(); i.ID != "plain" || i.Title != "Plain" || i.Version != "3" || len(sys.Settings()) != 1 || len(sys.StandingOrders()) != 1 || sys.CheckSheet(nil) != nil || sys.Vocabulary() != nil {
		t.Errorf("%+v", i)
	}
	if sys.GMOnly("poke") || sys.BeforeStart("poke") || !sys.HoldsTurn(&eventv1.Creature{}, &eventv1.Option{Group: "attack"}) {
		t.Error("what the frame says")
	}
	f := rulestest.New(t, sys)
	hp := int32(7)
	f.Add(sheet("a", 10))
	f.Must(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: sheet("b", 10), Vitals: &eventv1.Vitals{Hp: &hp}}}})
	if a, b := f.Creature("a"), f.Creature("b"); a.GetHp() != 10 || a.GetHpMax() != 10 || b.GetHp() != 7 || b.GetHpMax() != 10 {
		t.Errorf("%v, %v", a, b)
	}
	f.Start(nil)
	f.Must(rulestest.Act("a", "poke", "", "b"))
	if f.Creature("a").Counters["pokes"] != 1 {
		t.Error("nobody is poked")
	}
	if got := wrong(f.Try(rulestest.Act("a", "poko", "", "b"))); got != "take.action" {
		t.Error(got)
	}
	if list := sys.Options(rules.Query{State: f.State, Creature: "a"}); len(list) != 2 || list[0].Action != "poke" {
		t.Errorf("%v", list)
	}
	f.Hurt("a", 3)
	f.Must(&eventv1.Command{What: &eventv1.Command_Remove{Remove: &eventv1.RemoveCreature{Creature: "b"}}})
	f.Must(&eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}})
	all, own := event.Everyone(), event.Controllers("a")
	for _, c := range []struct {
		kind     rules.FactKind
		creature string
		want     *eventv1.Audience
	}{
		{rules.FactSheet, "a", own}, {rules.FactHitPoints, "a", own}, {rules.FactInjury, "a", own}, {rules.FactBegun, "a", own},
		{rules.FactCounter, "a", all}, {rules.FactMark, "a", all}, {rules.FactCondition, "a", all}, {rules.FactPosition, "a", all}, {rules.FactRelation, "a", all},
		{rules.FactCounter, "", all}, {rules.FactSheet, "", all}, {rules.FactHitPoints, event.SidePrefix + "x", all},
	} {
		if got := sys.Audience(f.State, c.kind, "n", c.creature); got.String() != c.want.String() {
			t.Errorf("%v of %q: %v", c.kind, c.creature, got)
		}
	}
}

// Damage takes points down to none, at which one falls, once; healing gives them back up
// to the maximum, and wakes whoever is not dead.
func TestPlainHarmAndHealing(t *testing.T) {
	const alive, out, dead = eventv1.LifeStatus_LIFE_STATUS_ALIVE, eventv1.LifeStatus_LIFE_STATUS_UNCONSCIOUS, eventv1.LifeStatus_LIFE_STATUS_DEAD
	hit := func(parts ...int32) *eventv1.Harm {
		h := &eventv1.Harm{Deed: play.DeedDamage, Target: "a", Source: "b", Cause: "a stone", Critical: true}
		for _, n := range parts {
			h.Parts = append(h.Parts, &eventv1.DamagePart{Type: "stone", Rolled: n})
		}
		return h
	}
	mend := func(n int32) *eventv1.Harm {
		return &eventv1.Harm{Deed: play.DeedHeal, Target: "a", Source: "b", Cause: "a hand", Amount: n}
	}
	for name, c := range map[string]struct {
		fallen eventv1.LifeStatus
		list   []*eventv1.Harm
		hp     int32
		life   eventv1.LifeStatus
		last   *eventv1.HarmResult
		rule   string // of the last event but that of bookkeeping
	}{
		"a scratch":                 {out, []*eventv1.Harm{hit(3)}, 7, alive, &eventv1.HarmResult{Taken: 3}, "plain.damage"},
		"two parts":                 {out, []*eventv1.Harm{hit(3, 4)}, 3, alive, &eventv1.HarmResult{Taken: 7}, "plain.damage"},
		"a part below nothing":      {out, []*eventv1.Harm{hit(-5, 4)}, 6, alive, &eventv1.HarmResult{Taken: 4}, "plain.damage"},
		"the last point":            {out, []*eventv1.Harm{hit(10)}, 0, out, &eventv1.HarmResult{Taken: 10, Down: true}, "plain.fall"},
		"more than there are":       {out, []*eventv1.Harm{hit(25)}, 0, out, &eventv1.HarmResult{Taken: 10, Down: true}, "plain.fall"},
		"one point left":            {out, []*eventv1.Harm{hit(9)}, 1, alive, &eventv1.HarmResult{Taken: 9}, "plain.damage"},
		"dead, where one dies":      {dead, []*eventv1.Harm{hit(10)}, 0, dead, &eventv1.HarmResult{Taken: 10, Down: true, Dead: true}, "plain.fall"},
		"again, when it has fallen": {out, []*eventv1.Harm{hit(10), hit(4)}, 0, out, &eventv1.HarmResult{}, "plain.damage"},
		"healed":                    {out, []*eventv1.Harm{hit(6), mend(4)}, 8, alive, &eventv1.HarmResult{Healed: 4}, "plain.heal"},
		"healed to the maximum":     {out, []*eventv1.Harm{hit(6), mend(40)}, 10, alive, &eventv1.HarmResult{Healed: 6}, "plain.heal"},
		"healed by less than none":  {out, []*eventv1.Harm{hit(6), mend(-4)}, 4, alive, &eventv1.HarmResult{}, "plain.heal"},
		"woken":                     {out, []*eventv1.Harm{hit(10), mend(1)}, 1, alive, &eventv1.HarmResult{Healed: 1, Woke: true}, "plain.heal"},
		"not woken by nothing":      {out, []*eventv1.Harm{hit(10), mend(0)}, 0, out, &eventv1.HarmResult{}, "plain.heal"},
		"the dead are not healed":   {dead, []*eventv1.Harm{hit(10), mend(5)}, 0, dead, &eventv1.HarmResult{}, ""},
	} {
		f := rulestest.New(t, newPlain(t, c.fallen))
		f.Add(sheet("a", 10), sheet("b", 10))
		var got *eventv1.HarmResult
		for _, h := range c.list {
			got = f.Harm(h)
		}
		if a := f.Creature("a"); a.GetHp() != c.hp || a.Life != c.life || got.String() != c.last.String() {
			t.Errorf("%s: %d points, %v, %v", name, a.GetHp(), a.Life, got)
		}
		if n := len(f.Events); n == 0 && c.rule != "" || n > 0 && !slices.Contains(f.Events[n-1].Rules, c.rule) {
			t.Errorf("%s: %v", name, f.Events)
		}
		for _, e := range f.Events {
			if d := e.GetDamage(); d != nil && (d.Source != "b" || d.Cause != "a stone" || !d.Critical || d.Target != "a") {
				t.Errorf("%s: %v", name, d)
			}
			if h := e.GetHealing(); h != nil && (h.Source != "b" || h.Cause != "a hand" || h.Target != "a") {
				t.Errorf("%s: %v", name, h)
			}
		}
	}
	f := rulestest.New(t, newPlain(t, out))
	f.Add(sheet("a", 10))
	for field, h := range map[string]*eventv1.Harm{"harm.target": {Deed: play.DeedDamage, Target: "z"}, "harm.deed": {Deed: "tickle", Target: "a"}} {
		err := f.TryResolve(func(r *rules.Resolution) error { return f.System.Medicine().Deed(r, h) })
		if x, ok := fault.As(err); !ok || x.Violations[0].Field != field {
			t.Errorf("%v: %v", h, err)
		}
	}
	f.Harm(hit(6))
	if got := f.System.Medicine().Deeds(); !slices.Equal(got, []string{play.DeedRest}) {
		t.Error(got)
	}
	f.Tend(&eventv1.PatientCommand{Deed: play.DeedRest, Patients: []string{"a"}, User: "a"})
	f.WantHP("a", 10)
}
