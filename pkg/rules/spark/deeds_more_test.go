package spark

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/declaring"
	"github.com/skaldrpg/skald/pkg/rules/spark/resolving"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// spark.dice.advantage, spark.attack.roll: what is stated of attacks holds for the one it names, or for all where it names nobody
func TestCircumstancesOfOneTarget(t *testing.T) {
	for name, c := range map[string]struct {
		stated *eventv1.Circumstance
		dice   int
	}{
		"advantage":               {&eventv1.Circumstance{Direction: "advantage"}, 2},
		"advantage against it":    {&eventv1.Circumstance{Direction: "advantage", Target: "orc"}, 2},
		"advantage on another":    {&eventv1.Circumstance{Direction: "advantage", Target: "pig"}, 1},
		"disadvantage":            {&eventv1.Circumstance{Direction: "disadvantage"}, 2},
		"disadvantage on another": {&eventv1.Circumstance{Direction: "disadvantage", Target: "pig"}, 1},
	} {
		f := newTable(t).at(0, fighter("ara", "party")).at(5, fighter("orc", "monsters")).at(-5, fighter("pig", "monsters")).start()
		f.Must(act("ara", declaring.KindAttack, "sword", "orc", func(x *eventv1.TakeAction) { x.Circumstances = append(x.Circumstances, c.stated) }))
		f.pass([]int{2, 2}[:c.dice]...)
		if got := len(f.Roll("attack/ara/1").Dice); got != c.dice {
			t.Errorf("%s: %d dice, want %d", name, got, c.dice)
		}
	}
}

// spark.action.no-full-attack-with-full-move, spark.action.feat-bonus: a feat lifts the limit of a full attack, one that costs the bonus action when that is spent on it, and no other feat does
func TestFeatsThatLiftTheLimit(t *testing.T) {
	for name, c := range map[string]struct {
		feat  *eventv1.SparkFeat
		bonus string
		taken bool
	}{
		"a feat":                  {&eventv1.SparkFeat{Name: "dash", FullMoveFullAttack: true}, "", true},
		"unpaid":                  {&eventv1.SparkFeat{Name: "dash", FullMoveFullAttack: true, Bonus: true}, "", false},
		"paid":                    {&eventv1.SparkFeat{Name: "dash", FullMoveFullAttack: true, Bonus: true}, "feat:dash", true},
		"paid for something else": {&eventv1.SparkFeat{Name: "dash", FullMoveFullAttack: true, Bonus: true}, "potion:potion", false},
		"another feat, paid":      {&eventv1.SparkFeat{Name: "dash", Bonus: true}, "feat:dash", false},
	} {
		f := newTable(t).at(0, fighter("ara", "party", twoHanded, func(s *eventv1.SparkSheet) { s.Feats = []*eventv1.SparkFeat{c.feat} })).at(35, fighter("orc", "monsters")).start()
		cmd := act("ara", declaring.KindAttack, "sword", "orc,orc", to(30))
		if c.bonus != "" {
			cmd = act("ara", declaring.KindAttack, "sword", "orc,orc", to(30), withParameters("bonus", c.bonus))
		}
		if err := f.Try(cmd); (err == nil) != c.taken {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// spark.action.move, spark.action.full-round-packages, spark.action.five-foot-full-attack, spark.condition.prone: how far each package goes
func TestHowFarPackagesGo(t *testing.T) {
	for _, c := range []struct {
		name, kind, targets string
		feet                int32
		prone               bool
		reason              string
	}{
		{"a move", declaring.KindMove, "", 30, false, ""}, {"a foot more", declaring.KindMove, "", 31, false, "TOO_FAR"},
		{"one attack", declaring.KindAttack, "orc", 30, false, ""}, {"one attack and more", declaring.KindAttack, "orc", 31, false, "TOO_FAR"},
		{"two attacks, a step", declaring.KindAttack, "orc,orc", 5, false, ""}, {"two attacks, more", declaring.KindAttack, "orc,orc", 6, false, "MOVED_TOO_FAR"},
		{"two attacks, nearly a full move", declaring.KindAttack, "orc,orc", 29, false, "MOVED_TOO_FAR"}, {"two attacks, a full move", declaring.KindAttack, "orc,orc", 30, false, "FULL_MOVE"},
		{"prone, a step", declaring.KindMove, "", 5, true, ""}, {"prone, more", declaring.KindMove, "", 6, true, "PRONE"},
	} {
		f := newTable(t).add(fighter("ara", "party", twoHanded), fighter("orc", "monsters")).start()
		if c.prone {
			f.Afflict("ara", body.CondProne)
		}
		item := ""
		if c.kind == declaring.KindAttack {
			item = "sword"
		}
		err := f.Try(act("ara", c.kind, item, c.targets, withFacts("feet", float64(c.feet))))
		got := ""
		if x, ok := fault.As(err); ok {
			got = x.Reason
		}
		if got != c.reason {
			t.Errorf("%s: %v, want %q", c.name, err, c.reason)
		}
	}
}

// spark.action.bonus: what a listing offers for the bonus action is what can be had, and no more
func TestWhatTheBonusActionOffers(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party", twoHanded, func(s *eventv1.SparkSheet) {
		s.Weapons = append(s.Weapons, &eventv1.SparkWeapon{Name: "knife", FumbleClasses: []string{"P"}, DamageDice: "1d4", ReachFeet: 5, Stowed: true})
		s.Feats = []*eventv1.SparkFeat{{Name: "dash", Bonus: true}, {Name: "run", FullMoveFullAttack: true}}
		s.Items = append(s.Items, &eventv1.SparkItem{Name: "rope", Kind: "other"})
	})).at(5, fighter("orc", "monsters")).start()
	f.Put("ara", &eventv1.Vitals{Marks: map[string]string{body.MStuck + "sword": rules.Yes}, Counters: map[string]int64{body.CSpilled + "bow": 2, body.CLeft + "ring": 0}})
	offered := func() (list []string) {
		for _, o := range (System{}).Options(rules.Query{State: f.State, Creature: "ara"}) {
			if o.Action != declaring.KindMove && o.Action != declaring.KindDeed || !o.Legal {
				continue
			}
			for _, p := range o.Parameters {
				if p.Name == "bonus" {
					for _, v := range p.Values {
						list = append(list, v.GetStringValue())
					}
				}
			}
		}
		slices.Sort(list)
		return slices.Compact(list)
	}
	if got, want := offered(), []string{"activate:wand", "draw:knife", "feat:dash", "free:sword", "gather:bow", "off-hand:dagger", "potion:potion"}; !slices.Equal(got, want) {
		t.Errorf("offered %v, want %v", got, want)
	}
	f = newTable(t).at(0, fighter("ara", "party")).at(5, fighter("orc", "monsters")).start()
	if got := offered(); len(got) != 0 {
		t.Errorf("offered %v to one who has nothing", got)
	}
}

// spark.action.bonus, spark.fumble.weapon-class: an off-hand attack takes an off-hand weapon that reaches, of a class that it has
func TestWhatStrikesFromTheOffHand(t *testing.T) {
	for name, c := range map[string]struct {
		weapon *eventv1.SparkWeapon
		class  string
		taken  bool
	}{
		"an off-hand weapon":   {&eventv1.SparkWeapon{OffHand: true, ReachFeet: 5}, "", true},
		"of its class":         {&eventv1.SparkWeapon{OffHand: true, ReachFeet: 5}, "P", true},
		"of another class":     {&eventv1.SparkWeapon{OffHand: true, ReachFeet: 5}, "B", false},
		"one of the main hand": {&eventv1.SparkWeapon{ReachFeet: 5}, "", false},
		"one that only flies":  {&eventv1.SparkWeapon{OffHand: true, RangeFeet: 20}, "", false},
	} {
		c.weapon.Name, c.weapon.FumbleClasses, c.weapon.DamageDice = "tool", []string{"P"}, "1d4"
		f := duel(t, func(s *eventv1.SparkSheet) { s.Weapons = append(s.Weapons, c.weapon) })
		words := []any{"bonus", "off-hand:tool", "bonus_target", "orc"}
		if c.class != "" {
			words = append(words, "bonus_class", c.class)
		}
		if err := f.Try(act("ara", declaring.KindMove, "", "", withParameters(words...))); (err == nil) != c.taken {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// spark.reaction.opportunity-attack: one who is named twice among those provoked is asked once, a friend never; that a way leaves a reach is said, whatever is measured
func TestWhoIsAskedForAnOpportunity(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party")).at(5, fighter("orc", "monsters")).atXY(0, 5, fighter("wen", "party")).at(60, fighter("far", "monsters")).start()
	f.Must(act("ara", declaring.KindMove, "", "", to(-20), withFacts("provokes", []string{"orc", "orc", "wen", "far"})))
	f.pass()
	var asked []string
	for _, d := range f.Decisions {
		asked = append(asked, d.Creature)
	}
	if !slices.Equal(asked, []string{"orc", "far"}) {
		t.Errorf("asked: %v", asked)
	}
}

// spark.rest.long-length, spark.rest.short-length, spark.rest.activity: what is said of a rest, and of time that passes
func TestWhatIsSaidOfARest(t *testing.T) {
	for name, c := range map[string]struct {
		cmd  *eventv1.PatientCommand
		dead bool
		want string
	}{
		"a short rest":              {resting("short", "dice", 1.0), false, ""},
		"as many dice as there are": {resting("short", "dice", 3.0), false, ""},
		"more dice than there are":  {resting("short", "dice", 4.0), false, "NO_HIT_DICE"},
		"fewer than none":           {resting("short", "dice", -1.0), false, "command.patient.parameters.dice"},
		"of another kind":           {resting("middling"), false, "command.patient.parameters.kind"},
		"of no kind":                {&eventv1.PatientCommand{Deed: "rest", Patients: []string{"ara"}}, false, "command.patient.parameters.kind"},
		"of one who is dead":        {resting("short"), true, "DEAD"},
		"a short one in a place":    {resting("short", "place", "dungeon"), false, "command.patient.parameters.place"},
		"a long one of dice":        {resting("long", "dice", 1.0), false, "command.patient.parameters.dice"},
		"a drained ability":         {resting("long", "ability", "strength"), false, ""},
		"one that is not drained":   {resting("long", "ability", "wisdom"), false, "command.patient.parameters.ability"},
		"time without hours":        {&eventv1.PatientCommand{Deed: "pass-time", Patients: []string{"ara"}}, false, "command.patient.parameters.hours"},
		"an hour":                   {&eventv1.PatientCommand{Deed: "pass-time", Patients: []string{"ara"}, Parameters: object("hours", 1.0)}, false, ""},
	} {
		f := patient(t, 3, 8, 1, 5, 20)
		f.Count("ara", body.CDrained+"strength", 2)
		if c.dead {
			none := int32(0)
			f.Put("ara", &eventv1.Vitals{Hp: &none})
			if !body.Dead(f.Creature("ara")) {
				f.State.Creatures["ara"].Life = eventv1.LifeStatus_LIFE_STATUS_DEAD
			}
		}
		f.Roller = func(int) int { return 1 }
		err := f.tend(c.cmd)
		got := ""
		if x, ok := fault.As(err); ok {
			if got = x.Reason; len(x.Violations) > 0 {
				got = x.Violations[0].Field
			}
		}
		if got != c.want {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// spark.rest.long-ability-point: of several drained abilities the one named gets a point back, of one alone that one; who names none is asked
func TestWhichAbilityComesBack(t *testing.T) {
	f := patient(t, 3, 8, 1, 5, 20)
	f.Count("ara", body.CDrained+"strength", 1, body.CDrained+"wisdom", 0)
	f.mustTend(resting("long"), 1, 1, 1)
	if got := f.Creature("ara").Counters[body.CDrained+"strength"]; got != 0 {
		t.Errorf("strength is drained by %d", got)
	}
	f = patient(t, 3, 8, 1, 5, 20)
	f.Count("ara", body.CDrained+"strength", 2, body.CDrained+"wisdom", 1)
	f.mustTend(resting("long"), 1, 1, 1)
	if len(f.Decisions) != 1 || len(f.Decisions[0].Options) != 2 || f.Decisions[0].DefaultOption != "strength" {
		t.Fatalf("%v", f.Decisions)
	}
	f.Choose("wisdom")
	if c := f.Creature("ara").Counters; c[body.CDrained+"strength"] != 2 || c[body.CDrained+"wisdom"] != 0 {
		t.Errorf("%v", c)
	}
}

// spark.turn.killed-first-fails, spark.action.multi-round-lock: with the fight all is over that means nothing outside it
func TestWhatTheEndOfAFightEnds(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party", mage)).at(5, fighter("orc", "monsters")).start()
	f.Roller = func(sides int) int { return min(sides, 10) }
	f.Must(act("ara", declaring.KindCast, "storm", "orc"))
	f.End("orc")
	f.Put("ara", &eventv1.Vitals{Marks: map[string]string{body.MStuck + "sword": rules.Yes}, Counters: map[string]int64{body.CAdvantage: 1}})
	if body.CastsUntil(f.Creature("ara")) == 0 {
		t.Fatal("it does not cast")
	}
	f.Must(act("orc", declaring.KindMove, "", "")) // the fight may end at any time
	f.Must(&eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}})
	if c := f.Creature("ara"); len(c.Begun) > 0 || c.Marks[body.MStuck+"sword"] != "" || c.Counters[body.CAdvantage] != 0 || c.Counters[body.COrder] != 0 {
		t.Errorf("%v", c)
	}
}

// spark.fumble.drop-weapon: what was dropped is in hand again when its rounds are over, and what lies about otherwise is not
func TestWhatIsPickedUpByItself(t *testing.T) {
	for name, c := range map[string]struct {
		state *eventv1.ItemState
		want  string
	}{
		"dropped until the last round": {&eventv1.ItemState{Place: "dropped", Values: map[string]int32{"until": 1}}, "main"},
		"dropped until this round":     {&eventv1.ItemState{Place: "dropped", Values: map[string]int32{"until": 2}}, "dropped"},
		"flown off":                    {&eventv1.ItemState{Place: "dropped", Values: map[string]int32{"feet": 9}}, "dropped"},
		"put away":                     {&eventv1.ItemState{Place: "stowed", Values: map[string]int32{"until": 1}}, "stowed"},
	} {
		f := duel(t)
		f.Put("ara", &eventv1.Vitals{Items: map[string]*eventv1.ItemState{"sword": c.state}})
		f.pass()
		if got := f.Creature("ara").Items["sword"].Place; got != c.want {
			t.Errorf("%s: it is %q, want %q", name, got, c.want)
		}
	}
}

// spark.turn.declare, spark.fumble.alt-broken-item: who is told of a counter
func TestWhoIsToldOfACounter(t *testing.T) {
	for _, c := range []struct {
		name, creature string
		want           *eventv1.Audience
	}{
		{body.CMana, "ara", event.Controllers("ara")}, {body.CReaction, "ara", event.Everyone()}, {body.CAction, "ara", event.Everyone()}, {body.CBonus, "ara", event.Everyone()},
		{body.CFree, "ara", event.Everyone()}, {body.COrder, "ara", event.Everyone()}, {body.CClock, "", event.Everyone()}, {"hope", event.SidePrefix + "party", event.Everyone()},
		{body.CBreakages, "ara", event.GM()}, {body.CAmmunition + "bow", "ara", event.Controllers("ara")},
	} {
		if got := body.CounterAudience(c.name, c.creature); got.String() != c.want.String() {
			t.Errorf("%s of %q: %v, want %v", c.name, c.creature, got, c.want)
		}
	}
}

// spark.spell.counterspell-rank, spark.dice.rounding: half the rank of the tree that is named, and never less than 1
func TestHalfTheRank(t *testing.T) {
	c := &eventv1.Creature{Sheet: fighter("ara", "party", func(s *eventv1.SparkSheet) {
		s.ManaTrees = []*eventv1.SparkTree{{Name: "embers", Rank: 1}, {Name: "tides", Rank: 7}, {Name: "stone", Rank: 4}}
	})}
	for tree, want := range map[string]int32{"embers": 1, "tides": 3, "stone": 2, "none": 1} {
		if got := resolving.HalfRank(c, tree); got != want {
			t.Errorf("%s: %d, want %d", tree, got, want)
		}
	}
	if best := body.BestTree(c); best.GetName() != "tides" {
		t.Errorf("the best tree is %v", best)
	}
}

// The deed that sets a counter or a mark takes one of them, with a value of its sort.
func TestSettingByTheGameMastersWord(t *testing.T) {
	for name, c := range map[string]struct {
		words []any
		want  string
	}{
		"a counter":              {[]any{"counter", body.CMana, "value", 3.0}, ""},
		"a mark":                 {[]any{"mark", body.MWeapon + "sword", "value", body.Cracked}, ""},
		"a mark taken off":       {[]any{"mark", body.MWeapon + "sword"}, ""},
		"both":                   {[]any{"counter", body.CMana, "mark", body.MWeapon + "sword", "value", 3.0}, "command.patient.parameters"},
		"neither":                {[]any{"value", 3.0}, "command.patient.parameters"},
		"a counter of no number": {[]any{"counter", body.CMana, "value", "three"}, "command.patient.parameters.value"},
		"a counter of nothing":   {[]any{"counter", body.CMana}, "command.patient.parameters.value"},
		"a mark of a number":     {[]any{"mark", body.MWeapon + "sword", "value", 3.0}, "command.patient.parameters.value"},
		"a counter unknown":      {[]any{"counter", "luck", "value", 3.0}, "command.patient.parameters.counter"},
		"a mark unknown":         {[]any{"mark", "luck", "value", "x"}, "command.patient.parameters.mark"},
	} {
		f := patient(t, 3, 8, 1, 5, 20)
		err := f.tend(tendAra("set", c.words...))
		got := ""
		if x, ok := fault.As(err); ok && len(x.Violations) > 0 {
			got = x.Violations[0].Field
		}
		if got != c.want || err != nil && got == "" {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
		if a := f.Creature("ara"); name == "a counter" && a.Counters[body.CMana] != 3 || name == "a mark" && a.Marks[body.MWeapon+"sword"] != body.Cracked {
			t.Errorf("%s: %v %v", name, a.Counters, a.Marks)
		}
	}
}

// spark.condition.prone, spark.action.no-full-attack-with-full-move: standing up takes the move, and so leaves a single attack
func TestStandingUpLeavesOneAttack(t *testing.T) {
	for targets, taken := range map[string]bool{"orc": true, "orc,orc": false} {
		f := newTable(t).at(0, fighter("ara", "party", twoHanded)).at(5, fighter("orc", "monsters")).start()
		f.Afflict("ara", body.CondProne)
		err := f.Try(act("ara", declaring.KindAttack, "sword", targets, withParameters("stand", true)))
		if taken && err != nil {
			t.Error(err)
		} else if !taken {
			wantRefused(t, err, cite.ActionNoFullAttackWithFullMove)
		}
	}
}
