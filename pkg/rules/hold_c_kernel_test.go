package rules_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/dice"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// bare is the toy in which nobody has hit points before they are said.
type bare struct{ toy }

func (bare) Enter(r *rules.Resolution, add *eventv1.AddCreature) error {
	return r.ApplyVitals(add.Sheet.Id, add.Vitals)
}

// Hit points of nothing are hit points: whoever had none has them then, once. Without any nobody is said to be stable or dying, be it somebody's patient or
// not; a patient may be dying with some left, nobody else.
func TestHitPointsThatNobodyHas(t *testing.T) {
	out, err := rules.Run(t.Context(), bare{}, rules.Request{State: fightState(t), Action: 3}, &table{}, rules.Resolve(bare{}, addOf(&eventv1.AddCreature{Sheet: sheetOf("c")})))
	must(t, err)
	s := out.State
	if s.Creatures["c"].Hp != nil {
		t.Fatal("it has hit points")
	}
	out, err = rules.Run(t.Context(), bare{}, rules.Request{State: s, Action: 4}, &table{}, func(r *rules.Resolution) error {
		r.SetHitPoints("c", 0, 0, 0)
		r.SetHitPoints("c", 0, 0, 0)
		return nil
	})
	must(t, err)
	if len(out.Events) != 1 || out.State.Creatures["c"].Hp == nil {
		t.Errorf("%v", out.Events)
	}
	for _, c := range []struct {
		sys     rules.System
		patient string
		life    eventv1.LifeStatus
		want    string
	}{
		{bare{}, "", eventv1.LifeStatus_LIFE_STATUS_DYING, "vitals.life"}, {bare{}, "p", eventv1.LifeStatus_LIFE_STATUS_DYING, "vitals.life"}, {bare{}, "p", eventv1.LifeStatus_LIFE_STATUS_STABLE, "vitals.life"},
		{toy{}, "", eventv1.LifeStatus_LIFE_STATUS_DYING, "vitals.life"}, {toy{}, "p", eventv1.LifeStatus_LIFE_STATUS_DYING, ""}, {toy{}, "p", eventv1.LifeStatus_LIFE_STATUS_STABLE, "vitals.life"},
	} {
		cmd := addOf(&eventv1.AddCreature{Sheet: sheetOf("c", func(x *eventv1.Sheet) { x.Patient = c.patient }), Vitals: &eventv1.Vitals{Life: c.life}})
		_, err := rules.Run(t.Context(), c.sys, rules.Request{State: fightState(t), Action: 3, Caller: gm}, &table{}, rules.Resolve(c.sys, cmd))
		if wrong(err) != c.want {
			t.Errorf("%T, patient %q, %v: %v", c.sys, c.patient, c.life, err)
		}
	}
}

// What a condition or an injury is by its rule is told under it, unless other rules are said.
func TestRulesOfWhatIsLaid(t *testing.T) {
	for _, c := range []struct {
		own  string
		said []string
		want []string
	}{{"toy.own", nil, []string{"toy.own"}}, {"toy.own", []string{"toy.said"}, []string{"toy.said"}}, {"", []string{"toy.said"}, []string{"toy.said"}}, {"", nil, nil}} {
		out, err := runs(t, rules.Request{}, &table{}, func(r *rules.Resolution) error {
			r.AddInjury("a", &eventv1.Injury{Kind: "scar", Rule: c.own}, c.said...)
			r.AddCondition("a", &eventv1.Condition{Name: "dazed", Rule: c.own}, c.said...)
			return nil
		})
		must(t, err)
		for _, e := range out.Events {
			if !slices.Equal(e.Rules, c.want) {
				t.Errorf("%q, %v: %v", c.own, c.said, e.Rules)
			}
		}
	}
}

// A promised round is missing where entropy may still come, and nowhere else.
func TestPromisedRoundsThatAreMissing(t *testing.T) {
	promise := func(given, waived bool) *eventv1.BeaconPromise {
		return &eventv1.BeaconPromise{Beacon: &eventv1.Beacon{Name: "b", Round: 1}, Given: given, Waived: waived}
	}
	for _, c := range []struct {
		s       *eventv1.State
		missing bool
	}{
		{&eventv1.State{EntropyOpen: true, Beacon: promise(false, false)}, true}, {&eventv1.State{EntropyOpen: true, Beacon: promise(true, false)}, false},
		{&eventv1.State{EntropyOpen: true, Beacon: promise(false, true)}, false}, {&eventv1.State{EntropyOpen: true}, false}, {&eventv1.State{Beacon: promise(false, false)}, false},
	} {
		if err := rules.BeaconThere(c.s); (err != nil) != c.missing {
			t.Errorf("%v: %v", c.s, err)
		}
	}
}

// oddsOf are the odds of one roll that is made anew.
func oddsOf(t *testing.T, spec rules.RollSpec) []*eventv1.OutcomeOdds {
	t.Helper()
	out, err := runs(t, rules.Request{Odds: true}, &table{tape: true, faces: slices.Repeat([]int32{1}, 200)}, func(r *rules.Resolution) error { r.Roll(spec); return nil })
	must(t, err)
	return out.Odds[0].Odds
}

// A roll has odds where something judges it, a number or the rules, and where it does not fall in too many ways, nor with too many dice.
func TestRollsThatHaveOdds(t *testing.T) {
	spec := func(expression string, target bool) rules.RollSpec {
		x := rules.RollSpec{Label: "one", Creature: "a", Expression: expression}
		if target {
			x.Target = &eventv1.TargetNumber{Kind: "DC", Value: 3}
		}
		return x
	}
	judged := spec("1d4", false)
	judged.Judge = func(natural, _ int32) (string, int32) {
		return map[bool]string{true: "four", false: "less"}[natural == 4], 0
	}
	for _, c := range []struct {
		name string
		spec rules.RollSpec
		odds string
	}{
		{"nothing judges it", spec("1d4", false), ""}, {"a number", spec("1d4", true), "failure 1/2, success 1/2"}, {"the rules", judged, "four 1/4, less 3/4"},
		{"fifty thousand ways", spec("1d100+1d50+1d10", true), "success 1"}, {"one more die", spec("1d100+1d50+1d10+1d2", true), ""},
	} {
		if got := oddsText(oddsOf(t, c.spec)); got != c.odds {
			t.Errorf("%s: %s, want %s", c.name, got, c.odds)
		}
	}
	judged.Label = "judged"
	out := foreseen(t, acting{act: func(r *rules.Resolution) { r.Roll(judged); r.Roll(spec("1d6", false)) }}, 20)
	if len(out.Rolls) != 2 || oddsText(out.Rolls[0].Odds) != "four 1/4, less 3/4" || len(out.Rolls[1].Odds) > 0 || len(out.Ends) != 2 {
		t.Errorf("%d ends, %v", len(out.Ends), out.Rolls)
	}
}

// judging is the toy in which only the game master judges.
type judging struct{ turns }

func (judging) GMOnly(action string) bool { return action == "judge" }

// What only the game master may call holds nobody's turn; what is refused ends none, and is refused.
func TestWhatHoldsATurn(t *testing.T) {
	for _, c := range []struct {
		name, action string
		targets      []string
		active       string
		err          bool
	}{{"a deed", "attack", []string{"b"}, "a", false}, {"a game master's call", "judge", []string{"b"}, "b", false}, {"refused", "judge", []string{"nobody"}, "a", true}} {
		sys := judging{turns{list: func(q rules.Query) []*eventv1.Option {
			if q.Creature == "b" {
				return nil
			}
			return []*eventv1.Option{{Action: c.action, Legal: true, Costs: map[string]int32{"action": 1}}, {Action: rules.EndTurnAction, Legal: true}}
		}}}
		s := fightState(t)
		s.Active = []string{"a"}
		event.Fold(s, event.New(event.Everyone(), &eventv1.SettingChanged{Setting: rules.SettingTurnEnds, Value: rules.TurnEndsByItself}))
		out, err := rules.Run(t.Context(), sys, rules.Request{State: s, Action: 7, Faces: []int32{2}}, &table{}, rules.Resolve(sys, takeOf(&eventv1.TakeAction{Creature: "a", Action: "attack", Targets: c.targets})))
		if (err != nil) != c.err || err == nil && !slices.Equal(out.State.Active, []string{c.active}) {
			t.Errorf("%s: %v, %v", c.name, err, out)
		}
	}
}

// Whose turn it is not does not end it: for the reason that the options list, or in words that say so.
func TestTurnsOfOthers(t *testing.T) {
	for legal, says := range map[bool]string{false: "b waits", true: `it is not the turn of "b"`} {
		sys := turns{list: func(rules.Query) []*eventv1.Option {
			return []*eventv1.Option{{Action: "attack", Reason: "no"}, {Action: rules.EndTurnAction, Legal: legal, Reason: "b waits", Rule: "toy.turn"}}
		}}
		s := fightState(t)
		s.Active = []string{"a"}
		_, err := rules.Run(t.Context(), sys, rules.Request{State: s, Action: 7, Caller: gm}, &table{}, rules.Resolve(sys, &eventv1.Command{What: &eventv1.Command_EndTurn{EndTurn: &eventv1.EndTurn{Creature: "b"}}}))
		f, ok := fault.As(err)
		if !ok || f.Reason != "NOT_YOUR_TURN" || f.Message != says || (f.Rule == "toy.turn") == legal {
			t.Errorf("legal %v: %v", legal, err)
		}
	}
}

// counted is the toy whose sheets have one number.
type counted struct{ toy }

func (counted) SheetNumbers(*eventv1.Sheet) map[string]int32 { return map[string]int32{"ac": 0} }

// A number of a sheet has so many parts and no more.
func TestSoManyPartsOfANumber(t *testing.T) {
	for parts, want := range map[int]string{0: "", 1: "", limits.SheetParts: "", limits.SheetParts + 1: "sheet.made_of[0].parts"} {
		sheet := sheetOf("c")
		sheet.MadeOf = []*eventv1.SheetNumber{{Number: "ac", Parts: slices.Repeat([]*eventv1.SheetPart{{Source: "hide"}}, parts)}}
		got := ""
		for _, v := range rules.CheckSheet(counted{}, sheet) {
			got += v.Field
		}
		if got != want {
			t.Errorf("%d parts: %q", parts, got)
		}
	}
}

// eager is the toy with orders that say what every decision takes anyway.
type eager struct{ toy }

func (eager) StandingOrders() []rules.StandingOrder {
	return []rules.StandingOrder{{Decision: "parry", Orders: []string{"yes", rules.OrderAsk, "no", rules.OrderDefault}}}
}

// Standing orders are what the system lists, each once, with what every decision takes; what comes with a creature is checked as what is said later.
func TestStandingOrdersThatCome(t *testing.T) {
	if got := (eager{}).StandingOrders()[0].All(); !slices.Equal(got, []string{rules.OrderAsk, rules.OrderDefault, "yes", "no"}) {
		t.Errorf("%v", got)
	}
	for name, c := range map[string]struct {
		orders map[string]string
		want   string
	}{
		"none": {nil, ""}, "one": {map[string]string{"parry": "yes"}, ""}, "to be asked": {map[string]string{"parry": rules.OrderAsk}, ""},
		"no such order": {map[string]string{"parry": "perhaps"}, "add.vitals.standing_orders[parry]"}, "no such decision": {map[string]string{"dodge": "yes"}, "add.vitals.standing_orders[dodge]"},
	} {
		out, err := try(fightState(t), gm, addOf(&eventv1.AddCreature{Sheet: sheetOf("c"), Vitals: &eventv1.Vitals{StandingOrders: c.orders}}))
		if got := wrong(err); got != c.want && got != strings.TrimPrefix(c.want, "add.") {
			t.Errorf("%s: %v", name, err)
		}
		if err == nil && !proto.Equal(&eventv1.Creature{StandingOrders: out.State.Creatures["c"].StandingOrders}, &eventv1.Creature{StandingOrders: c.orders}) {
			t.Errorf("%s: %v", name, out.State.Creatures["c"].StandingOrders)
		}
	}
}

// An order is for its decision and its side: others answer nothing.
func TestOrdersOfASide(t *testing.T) {
	for _, c := range []struct {
		name  string
		order *eventv1.SetStandingOrder
		asked bool
	}{
		{"its side", &eventv1.SetStandingOrder{Side: "y", Decision: "parry", Order: "no"}, false},
		{"another side", &eventv1.SetStandingOrder{Side: "x", Decision: "parry", Order: "no"}, true},
		{"the monsters", &eventv1.SetStandingOrder{Monsters: true, Decision: "parry", Order: "no"}, false},
		{"to be asked", &eventv1.SetStandingOrder{Side: "y", Decision: "parry", Order: rules.OrderAsk}, true},
	} {
		s := then(t, fightState(t), orderOf(c.order))
		for decision, fits := range map[string]bool{"parry": true, "dodge": false} {
			out, err := rules.Run(t.Context(), toy{}, rules.Request{State: s, Action: 7}, &table{}, func(r *rules.Resolution) error {
				r.Ask("asked", rules.YesNo(decision, "b", "hit", "Well?", "no", ""))
				return nil
			})
			must(t, err)
			if asked := len(out.Open) == 1; asked != (c.asked || !fits) {
				t.Errorf("%s, %s: asked %v", c.name, decision, asked)
			}
		}
	}
}

// Names of before: of rows that say as much the first counts; what ends in a dot or a stroke stands for all that begins so and is more; a star for that
// alone too.
func TestRowsOfRenames(t *testing.T) {
	all, err := rules.ReadRenames([]byte(renamesHead+"counter,a.,first.,\ncounter,b.*,star.*,\ncounter,twin,one,\ncounter,twin,two,\ncounter,a.long.,longer.,\n"), nil)
	must(t, err)
	for name, want := range map[string]string{"a.x": "first.x", "a.": "first.", "a": "", "b.x": "star.x", "b.": "star.", "twin": "one", "twins": "", "a.long.x": "longer.x"} {
		if row, now := all.Find(rules.PlaceCounter, name, ""); now != want || (row == nil) != (want == "") {
			t.Errorf("%s: %q, want %q", name, now, want)
		}
	}
	// Versions before the tables, and such as are no number: all of before.
	for version, renamed := range map[string]bool{"": true, "x": true, "99999999999999999999": true, "0": true, "99": false} {
		s := &eventv1.State{SystemVersion: version, Creatures: map[string]*eventv1.Creature{"a": {Counters: map[string]int64{"gone": 1, "was": 2}, Marks: map[string]string{"dust": "x", "light": "dim", "lamp": "new"},
			Conditions: []*eventv1.Condition{{Name: "helped", Variant: "check"}, {Name: "helped"}}}}}
		rules.Upgrade(moved{table: "counter,gone,,\ncounter,was,is,\nmark,dust,,\nmark,light,lamp,\ncondition,helped check,aided,\n"}, s)
		c := s.Creatures["a"]
		if c.Counters["is"] != map[bool]int64{true: 2}[renamed] || len(c.Counters) != map[bool]int{true: 1, false: 2}[renamed] || len(c.Marks) != map[bool]int{true: 1, false: 3}[renamed] || c.Marks["lamp"] != "new" {
			t.Errorf("%q: %v, %v", version, c.Counters, c.Marks)
		}
		if c.Conditions[1].Name != "helped" || (c.Conditions[0].Name == "aided") != renamed {
			t.Errorf("%q: %v", version, c.Conditions)
		}
	}
}

// fixing are dice that a ruling has fixed; the faces came from a person's hand once.
type fixing struct {
	table
	fixed bool
}

func (x *fixing) Draw(ctx context.Context, d rules.DrawRequest) (*eventv1.Draw, error) {
	return &eventv1.Draw{Branch: d.Branch, Expression: d.Expression, Faces: []int32{7}, Supplied: 1, Fixed: x.fixed}, nil
}

// A roll says whether people rolled it; what a ruling fixed nobody rolled.
func TestSuppliedAndFixed(t *testing.T) {
	for _, fixed := range []bool{false, true} {
		out, err := runs(t, rules.Request{Faces: []int32{7}}, &fixing{fixed: fixed}, func(r *rules.Resolution) error { r.Roll(roll("one", "1d20")); return nil })
		must(t, err)
		if made := out.Events[0].GetRoll(); made.Supplied == fixed || made.Fixed != fixed {
			t.Errorf("fixed %v: %v", fixed, made)
		}
	}
}

// T1: a player's faces are for rolls of its own creatures that it may see, and must be on their dice; the game master's are for all.
func TestWhoseFacesCount(t *testing.T) {
	for _, c := range []struct {
		name     string
		speaker  *eventv1.Principal
		creature string
		secret   bool
		face     int32
		counts   bool
	}{
		{"its own", ann, "a", false, 12, true}, {"its own, hidden", ann, "a", true, 12, false}, {"another's", ann, "b", false, 12, false}, {"off the die", ann, "a", false, 21, false},
		{"the game master's", gm, "b", false, 12, true}, {"the game master's, hidden", gm, "a", true, 12, true}, {"the game master's, off the die", gm, "a", false, 21, false}, {"nobody's", nil, "a", true, 12, true},
	} {
		out, err := runs(t, rules.Request{Speaker: c.speaker, Caller: c.speaker, Faces: []int32{c.face}}, &table{}, func(r *rules.Resolution) error {
			spec := roll("one", "1d20")
			if spec.Creature = c.creature; c.secret {
				spec.Audience = event.GM()
			}
			r.Roll(spec)
			return nil
		})
		must(t, err)
		if counts := len(out.Open) == 0 && out.Events[0].GetRoll().GetValue() == c.face; counts != c.counts {
			t.Errorf("%s: %v", c.name, out.Events)
		}
		if len(out.Open) == 1 && out.Open[0].GmOnly != c.secret {
			t.Errorf("%s: asked %v", c.name, out.Open[0])
		}
	}
}

// A face is kept where its die is and every group around it.
func TestKeptFaces(t *testing.T) {
	for expression, kept := range map[string]string{"2d6": "[3 5]", "2d6kh1": "[5]", "{1d6,1d6}kh1": "[5]", "{2d6kh1,1d6}kl1": "[2]", "{2d6kl1,1d6}kh1": "[3]", "{2d6kl1,1d6}kl1": "[2]"} {
		expr, err := dice.Parse(expression)
		must(t, err)
		res, err := expr.Eval(dice.List(3, 5, 2), dice.Limits{})
		must(t, err)
		all, got := rules.Faces(res)
		marked := 0
		for _, d := range all {
			if d.Kept {
				marked++
			}
		}
		if fmt.Sprint(got) != kept || marked != len(got) {
			t.Errorf("%s: %v, want %s", expression, got, kept)
		}
	}
}

// T2: what says no after a die ends the action and is told; what is broken, and dice that fail, are errors, and nothing stands.
func TestWhatEndsAnAction(t *testing.T) {
	for _, c := range []struct {
		err  error
		told bool
	}{
		{fault.Refuse("NO", "toy.rule", "no"), true}, {fault.Field("x", "wrong"), true}, {fault.New(fault.Denied, "D", "d"), true}, {fault.New(fault.NotFound, "N", "n"), true},
		{fault.New(fault.Internal, "I", "i"), false}, {fault.New(fault.Unavailable, "U", "u"), false}, {fault.New(fault.Conflict, "C", "c"), false}, {errors.New("broken"), false},
	} {
		for drawn, p := range map[bool]*table{true: {tape: true, faces: []int32{9}}, false: {}} {
			out, err := runs(t, rules.Request{}, p, func(r *rules.Resolution) error {
				if drawn {
					r.Roll(roll("one", "1d20"))
				}
				return c.err
			})
			if told := err == nil && len(notesOf(out.Events)) == 1; told != (c.told && drawn) || !told && !errors.Is(err, c.err) {
				t.Errorf("%v, drawn %v: %v", c.err, drawn, err)
			}
		}
	}
	failing := &second{err: fault.Refuse("DRY", "", "no dice are left")}
	if _, err := runs(t, rules.Request{}, failing, func(r *rules.Resolution) error { r.Roll(roll("one", "1d20")); r.Roll(roll("two", "1d20")); return nil }); !errors.Is(err, failing.err) {
		t.Errorf("%v", err)
	}
}

// second are dice that fail with the second roll.
type second struct {
	table
	err   error
	rolls int
}

func (x *second) Draw(_ context.Context, d rules.DrawRequest) (*eventv1.Draw, error) {
	if x.rolls++; x.rolls > 1 {
		return nil, x.err
	}
	return &eventv1.Draw{Branch: d.Branch, Expression: d.Expression, Faces: []int32{9}}, nil
}

// A run in a state that is the caller's own changes it; one in another state does not, whatever else is the caller's.
func TestRunInAnotherState(t *testing.T) {
	mine, other := fightState(t), fightState(t)
	was := proto.CloneOf(mine)
	out, err := rules.Run(t.Context(), toy{}, rules.Request{State: other, Own: event.Own(mine), Action: 7}, &table{}, func(r *rules.Resolution) error { r.Set("a", "n", 1, ""); return nil })
	must(t, err)
	if !proto.Equal(mine, was) || out.State.Creatures["a"].Counters["n"] != 1 || other.Creatures["a"].Counters["n"] != 0 {
		t.Errorf("mine %v", mine.Creatures["a"].Counters)
	}
}

// Of one who is staged those hear who play it, or who are to know of it; where nobody is, nobody but the game master.
func TestWhoHearsOfOneStaged(t *testing.T) {
	for _, c := range []struct {
		name        string
		controllers []string
		known       []string
		ann, bob    bool
	}{{"nobody", nil, nil, false, false}, {"who plays it", []string{"bob"}, nil, false, true}, {"who is to know", nil, []string{"a"}, true, false}, {"both", []string{"bob"}, []string{"a"}, true, true}} {
		s := fightState(t)
		out, err := try(s, gm, addOf(&eventv1.AddCreature{Sheet: sheetOf("lurk", func(x *eventv1.Sheet) { x.Controllers = c.controllers }), Staged: true, KnownTo: c.known}))
		must(t, err)
		for p, hears := range map[*eventv1.Principal]bool{ann: c.ann, bob: c.bob, gm: true} {
			told := slices.ContainsFunc(event.Visible(s, out.Events, p), func(e *eventv1.Event) bool { return e.GetCreatureAdded().GetCreature() == "lurk" })
			if told != hears {
				t.Errorf("%s: %s hears of it: %v", c.name, p.Name, told)
			}
		}
		times := 0
		for _, e := range out.Events {
			if e.GetCreatureAdded() != nil {
				times++
			}
		}
		if (times == 2) != (c.ann || c.bob) { // once for the game master, once for those who know
			t.Errorf("%s: told %d times", c.name, times)
		}
	}
	many := slices.Repeat([]string{"a"}, rules.MaxCreatures)
	for n, want := range map[int]string{rules.MaxCreatures: "add.known_to[1]", rules.MaxCreatures + 1: "LIMIT_EXCEEDED"} {
		if _, err := try(fightState(t), gm, addOf(&eventv1.AddCreature{Sheet: sheetOf("lurk"), Staged: true, KnownTo: append(many, "a")[:n]})); limited(err) != want {
			t.Errorf("known to %d: %v", n, err)
		}
	}
}

// A word that has actions belongs to a parameter or to a fact; one that begins others is found by the longest beginning, for what is more than that.
func TestWordsThatBeginOthers(t *testing.T) {
	const head = "place,actions,name,type,values,sides,least,most,matter,rule,text\n"
	v, err := rules.ReadVocabulary(head+"counter,,a.,number,,,,,world,,A\ncounter,,a.b.,number,,,,,world,,B\ncounter,,slash/,number,,,,,world,,S\ncounter,,plain,number,,,,,world,,P\nfact,attack,high,boolean,,,,,world,,H\n", []string{"attack"})
	must(t, err)
	for name, want := range map[string]string{"a.x": "a.", "a.b.x": "a.b.", "a.b.": "a.b.", "a.": "a.", "a": "", "slash/x": "slash/", "plain": "plain", "plainer": "", "a.b": "a."} {
		if w := v.Find(rules.PlaceCounter, "", name); (w == nil) != (want == "") || w != nil && w.Name != want {
			t.Errorf("%s: %v, want %q", name, w, want)
		}
	}
	for row, taken := range map[string]bool{"counter,attack,n,number,,,,,world,,N": false, "fact,attack,n,number,,,,,world,,N": true, "parameter,attack,n,number,,,,,world,,N": true, "fact,,n,number,,,,,world,,N": true} {
		if _, err := rules.ReadVocabulary(head+row+"\n", []string{"attack"}); (err == nil) != taken {
			t.Errorf("%s: %v", row, err)
		}
	}
}
