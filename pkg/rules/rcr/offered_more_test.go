package rcr

import (
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	"github.com/skaldrpg/skald/pkg/rules/rcr/magic"
	"github.com/skaldrpg/skald/pkg/rules/rcr/rest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.base.fifth-edition-fallback: what can be readied is what takes the action; a spell
// whose time nobody gives takes it, and one with slots is offered those that are left.
func TestWhatCanBeReadied(t *testing.T) {
	f := newTable(t).add(fighter("a", "party", rcrSheet(func(s *eventv1.RcrSheet) {
		s.SpellSlots = []int32{2, 0, 1}
		s.Spells = []*eventv1.RcrSpell{{Name: "spark", RangeFeet: 30}, {Name: "dart", CastingTime: "action", Level: 1, RangeFeet: 30}, {Name: "gift", CastingTime: "action", Level: 1, Innate: true, RangeFeet: 30},
			{Name: "word", CastingTime: "bonus"}, {Name: "parry", CastingTime: "reaction"}, {Name: "rite", CastingTime: "longer"}}
		s.Powers = []*eventv1.RcrPower{{Name: "roar"}, {Name: "howl", Cost: "action"}, {Name: "blink", Cost: "bonus"}, {Name: "duck", Cost: "reaction"}, {Name: "nod", Cost: "free"}}
	})), fighter("b", "monsters")).start(nil, 20, 5)
	var names []string
	for _, x := range magic.Readiables(f.State, f.Creature("a")) {
		if x.What == dice.ReadyCast || x.What == "use-power" {
			names = append(names, x.Item)
		}
	}
	if got := strings.Join(names, " "); got != "spark dart gift roar howl" {
		t.Errorf("can be readied: %s", got)
	}
	slots := map[string][]float64{}
	for _, o := range offered(f.State, "a", "ready", "").Choices {
		for _, p := range o.Parameters {
			for _, v := range p.Values {
				if p.Name == "slot" {
					slots[o.Item] = append(slots[o.Item], v.GetNumberValue())
				}
			}
		}
	}
	if len(slots) != 1 || !slices.Equal(slots["dart"], []float64{1, 3}) {
		t.Errorf("slots offered: %v", slots)
	}
}

// rcr.base.opportunity-frame: an opportunity attack is made with what is in hand, or bare
// hands, that reaches the provoker.
func TestWhatStrikesAtAnOpportunity(t *testing.T) {
	sword := &eventv1.RcrAttack{Name: "sword", ReachFeet: 5, Hand: "main", Properties: []string{"one-handed"}}
	whip := &eventv1.RcrAttack{Name: "whip", ReachFeet: 10, Hand: "off", Properties: []string{"one-handed"}}
	maul := &eventv1.RcrAttack{Name: "maul", ReachFeet: 5, Hand: "stowed", Properties: []string{"two-handed"}}
	bow := &eventv1.RcrAttack{Name: "bow", RangeFeet: 80, Natural: true}
	sting := &eventv1.RcrAttack{Name: "sting", ReachFeet: 5, Natural: true, Usage: &eventv1.RcrUsage{Uses: 1, Recharge: "day"}}
	for _, c := range []struct {
		name string
		feet int32
		do   func(f *table)
		want string
	}{
		{"beside it", 5, nil, "no sword whip sting unarmed strike"},
		{"ten feet away", 10, nil, "no whip"},
		{"the sword dropped", 5, func(f *table) { f.Must(act("b", "drop", "sword", "")) }, "no whip sting unarmed strike"},
		{"the sting spent", 5, func(f *table) { f.Count("b", body.CLeft+"sting", 0) }, "no sword whip unarmed strike"},
	} {
		f := newTable(t)
		f.place(fighter("a", "party"), c.feet, 0)
		f.place(fighter("b", "monsters", weapons(sword, whip, maul), rcrSheet(func(s *eventv1.RcrSheet) { s.Attacks = append(s.Attacks, bow, sting) })), 0, 0)
		f.start(nil, 5, 20)
		if c.do != nil {
			c.do(f)
		}
		var got []string
		for _, o := range answers.OpportunityDecision(f.State, "b", "a", "moves", "").Options {
			got = append(got, strings.ToLower(o.Id))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %s", c.name, got, c.want)
		}
	}
}

// rcr.base.fifth-edition-fallback: a shot at one in the same place, or beside, is hampered by
// it; what is stated goes for the target alone.
func TestShotsAtWhoIsClose(t *testing.T) {
	for feet, want := range map[int32]string{0: "2d20kl1", 5: "2d20kl1", 6: "1d20", 80: "1d20", 81: "2d20kl1", 320: "2d20kl1"} {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 20, 5)
		f.falls(3)
		f.Must(act("a", "attack", "bow", "b", withFacts("distance", int(feet))))
		if got := f.Roll("to-hit").Expression; got != want {
			t.Errorf("%d feet: %s, want %s", feet, got, want)
		}
	}
	f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 20, 5)
	wantReasonOf(t, "321 feet", f.Try(act("a", "attack", "bow", "b", withFacts("distance", 321))), "OUT_OF_RANGE")
	for _, condition := range []string{body.CondStunned, body.CondBlinded, body.CondHidden} { // who cannot act, does not see or hides hampers nobody
		f := newTable(t)
		f.place(fighter("a", "party"), 0, 0)
		f.place(fighter("b", "monsters"), 40, 0)
		f.place(fighter("c", "monsters"), 5, 0)
		f.start(nil, 20, 5, 4)
		f.falls(3)
		f.Must(act("a", "attack", "bow", "b"))
		if got := f.Roll("to-hit").Expression; got != "2d20kl1" {
			t.Errorf("beside an enemy: %s", got)
		}
		f.force("a", body.CAction, 1)
		f.Afflict("c", condition)
		f.Must(act("a", "attack", "bow", "b"))
		if got := f.Roll("to-hit").Expression; got != "1d20" {
			t.Errorf("beside an enemy who is %s: %s", condition, got)
		}
	}
}

// rcr.base.fifth-edition-fallback, rcr.hp.secret-totals: damage taken asks who concentrates
// for a save by half of it, 10 at least; damage kept off asks for none, and what temporary
// hit points soak counts.
func TestWhatAsksForConcentration(t *testing.T) {
	for _, c := range []struct {
		rolled, temporary, dc int32
		kind                  string
	}{{0, 0, 0, "slashing"}, {1, 0, 10, "slashing"}, {21, 0, 10, "slashing"}, {22, 0, 11, "slashing"}, {8, 9, 10, "slashing"}, {30, 0, 0, "fire"}} {
		f := newTable(t, body.SetPartyLevel+"=1").add(fighter("a", "party", rcrSheet(func(s *eventv1.RcrSheet) { s.Immunities = []*eventv1.RcrDefense{{Type: "fire"}} })), fighter("b", "monsters")).start(nil, 20, 5)
		f.deed(&eventv1.Harm{Deed: body.DeedTempHP, Target: "a", Amount: c.temporary})
		f.Resolve(func(r *resolution) error { dice.Concentrate(r, "a", "bless"); return nil })
		res := &eventv1.HarmResult{}
		if err := f.TryResolve(func(r *rules.Resolution) error {
			err := rest.Medicine{}.Deed(r, &eventv1.Harm{Deed: body.DeedDamage, Target: "a", Cause: "test", Parts: []*eventv1.DamagePart{{Type: c.kind, Rolled: c.rolled}}, Facts: map[string]string{}})
			res = r.Result()
			return err
		}); err != nil {
			t.Fatal(err)
		}
		if res.ConcentrationDc != c.dc {
			t.Errorf("%d %s of which %d are soaked: DC %d, want %d", c.rolled, c.kind, c.temporary, res.ConcentrationDc, c.dc)
		}
	}
}

// What is offered of hands and tools is what there is.
func TestOffersOfHandsAndTools(t *testing.T) {
	f := newTable(t).add(fighter("a", "party", armed), fighter("b", "monsters")).start(nil, 20, 5)
	listed := map[string][]string{}
	for _, o := range (System{}).Options(queryOf(f, "a")) {
		listed[o.Action] = append(listed[o.Action], o.Item)
	}
	for action, want := range map[string][]string{"draw": {"longsword", "maul"}, "stow": {"crossbow", "dagger", "quick crossbow", "sword"}, "drop": {"crossbow", "dagger", "quick crossbow", "sword"}, "reload": {"crossbow", "quick crossbow"}} {
		if got := slices.Sorted(slices.Values(listed[action])); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", action, got, want)
		}
	}
	for _, tools := range []bool{false, true} {
		f := newTable(t, "rcr.dice.threat=on").add(fighter("a", "party", rcrSheet(func(s *eventv1.RcrSheet) {
			if tools {
				s.Tools = []*eventv1.RcrSkill{{Name: "thieves' tools", Bonus: 5}}
			}
		})), fighter("b", "monsters")).start(nil, 20, 5)
		if got := valuesOf(offered(f.State, "a", "task-check", ""), "tool"); slices.Contains(got, "thieves' tools") != tools || !tools && len(got) > 0 {
			t.Errorf("tools %v: offered %v", tools, got)
		}
	}
}
