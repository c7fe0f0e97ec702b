package rules_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// acting is the toy with another attack.
type acting struct {
	toy
	act func(*rules.Resolution)
}

func (a acting) Act(r *rules.Resolution, _ *eventv1.TakeAction) error {
	a.act(r)
	return nil
}

// foreseen follows an attack of a on b in so many runs.
func foreseen(t *testing.T, sys rules.System, runs int) *rules.Foresight {
	t.Helper()
	out, err := rules.Foresee(t.Context(), sys, rules.Request{State: fightState(t), Action: 7}, rules.Resolve(sys, attack), runs)
	must(t, err)
	return out
}

// oddsText is "failure 9/20, success 11/20".
func oddsText(odds []*eventv1.OutcomeOdds) string {
	var out []string
	for _, o := range odds {
		out = append(out, o.Outcome+" "+o.Odds)
	}
	return strings.Join(out, ", ")
}

func TestForesightFollowsEveryOutcome(t *testing.T) {
	out := foreseen(t, toy{}, 20)
	if out.Refused != nil || out.Cut || len(out.Ends) != 2 || len(out.Rolls) != 2 {
		t.Fatalf("refused %v, cut %v, %d ends, %d rolls", out.Refused, out.Cut, len(out.Ends), len(out.Rolls))
	}
	// d20 against 10: 10 to 20 hit. Then 2d6, whose middle is 7 (6 to 8 by whole faces).
	hit, miss := out.Ends[0], out.Ends[1]
	if hit.Chance.RatString() != "11/20" || miss.Chance.RatString() != "9/20" {
		t.Errorf("ends %s and %s", hit.Chance, miss.Chance)
	}
	if hp := hit.State.Creatures["b"].GetHp(); hp < 12 || hp > 14 {
		t.Errorf("a middling hit leaves %d of 20", hp)
	}
	if hp := miss.State.Creatures["b"].GetHp(); hp != 20 {
		t.Errorf("a miss leaves %d of 20", hp)
	}
	for _, end := range []struct {
		e    *rules.ForeseenEnd
		want string
	}{{hit, "success"}, {miss, "failure"}} {
		if len(end.e.Rolls) != 1 || end.e.Rolls[0].Label != "to-hit" || end.e.Rolls[0].Outcome != end.want || len(end.e.Open) > 0 || len(end.e.Events) == 0 {
			t.Errorf("%s: %v, open %v, %d events", end.want, end.e.Rolls, end.e.Open, len(end.e.Events))
		}
	}
	for i, want := range []string{"to-hit a 1: failure 9/20, success 11/20", "harm/damage a 11/20: "} {
		r := out.Rolls[i]
		if got := fmt.Sprintf("%s %s %s: %s", r.Roll.Label, r.Roll.Creature, r.Chance.RatString(), oddsText(r.Odds)); got != want {
			t.Errorf("roll %q, want %q", got, want)
		}
	}
	var asks []string
	for _, a := range out.Asks {
		asks = append(asks, a.Decision.Name+"="+a.Assumed)
	}
	if !slices.Equal(asks, []string{"parry=no", "endure=no"}) {
		t.Errorf("asks %v", asks)
	}
}

// byNatural is a roll that a natural 20 and a natural 1 decide.
func byNatural(expr string, target int32, modifiers ...int32) rules.RollSpec {
	spec := rules.RollSpec{Label: "to-hit", Creature: "a", Expression: expr, Target: &eventv1.TargetNumber{Kind: "AC", Value: target}}
	for _, m := range modifiers {
		spec.Modifiers = append(spec.Modifiers, &eventv1.Modifier{Value: m})
	}
	spec.Judge = func(natural, total int32) (string, int32) {
		switch {
		case natural == 20:
			return "critical", 2
		case natural == 1:
			return "fumble", -1
		case total >= target+5:
			return "success", 2
		case total >= target:
			return "success", 1
		}
		return "failure", 0
	}
	return spec
}

// What decides is the first die that is kept, and what is added; the chances are
// exact.
func TestForesightOfWhatDecides(t *testing.T) {
	plain := func(expr string, target int32, modifiers ...int32) rules.RollSpec {
		spec := byNatural(expr, target, modifiers...)
		spec.Judge = nil
		return spec
	}
	for name, c := range map[string]struct {
		spec rules.RollSpec
		odds string
		ends string
	}{
		// 20: critical; 15 to 19 reach 18 + 5 with 8; 10 to 14 reach 18; 2 to 9 fail; 1.
		"one die": {byNatural("1d20", 18, 3, 5), "critical 1/20, failure 2/5, fumble 1/20, success 1/2",
			"critical 2 1/20, failure 0 2/5, fumble -1 1/20, success 1 1/4, success 2 1/4"},
		// The higher of two: a 20 in 39 of 400 ways, a 1 in one; 15 to 19 in 361-196,
		// 10 to 14 in 196-81, 2 to 9 in 81-1.
		"advantage": {byNatural("2d20kh1", 18, 8), "critical 39/400, failure 1/5, fumble 1/400, success 7/10",
			"critical 2 39/400, failure 0 1/5, fumble -1 1/400, success 1 23/80, success 2 33/80"},
		// Without a die nothing is natural.
		"no die":          {byNatural("17", 18, 1), "success 1", "success 1 1"},
		"no die, too few": {byNatural("16", 18, 1), "failure 1", "failure 0 1"},
		"just reached":    {plain("1d4", 6, 2), "failure 3/4, success 1/4", "failure 0 3/4, success 0 1/4"},
		"out of reach":    {plain("1d4", 7, 2), "failure 1", "failure 0 1"},
		// 10 000 ways are told apart, more are not.
		"as many ways as are followed": {plain("4d10", 40), "failure 9999/10000, success 1/10000", "failure 0 9999/10000, success 0 1/10000"},
		"more ways":                    {plain("10d10", 40), "", ""},
		"no target":                    {rules.RollSpec{Label: "to-hit", Creature: "a", Expression: "1d20"}, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			out := foreseen(t, acting{act: func(r *rules.Resolution) { r.Roll(c.spec) }}, 20)
			if got := oddsText(out.Rolls[0].Odds); got != c.odds {
				t.Errorf("odds %q, want %q", got, c.odds)
			}
			var ends []string
			for _, e := range out.Ends {
				for _, r := range e.Rolls {
					ends = append(ends, fmt.Sprintf("%s %d %s", r.Outcome, r.Degree, e.Chance.RatString()))
				}
			}
			slices.Sort(ends)
			if got := strings.Join(ends, ", "); got != c.ends {
				t.Errorf("ends %q, want %q", got, c.ends)
			}
			if c.ends == "" && (len(out.Ends) != 1 || out.Ends[0].Chance.RatString() != "1") {
				t.Errorf("%d ends of what has no outcome", len(out.Ends))
			}
		})
	}
}

// A roll that is met on several ways is listed once, with all of its chance; each
// way knows all that led to it.
func TestForesightAddsWaysUp(t *testing.T) {
	twice := acting{act: func(r *rules.Resolution) {
		target := func(n int32) *eventv1.TargetNumber { return &eventv1.TargetNumber{Kind: "DC", Value: n} }
		first := r.Roll(rules.RollSpec{Label: "first", Creature: "a", Expression: "1d4", Target: target(4)})
		if first.Success() {
			r.Roll(rules.RollSpec{Label: "bonus", Creature: "a", Expression: "1d4", Target: target(3)})
		}
		r.Roll(rules.RollSpec{Label: "last", Creature: "a", Expression: "1d10", Target: target(10)})
	}}
	out := foreseen(t, twice, 20)
	var rolls []string
	for _, r := range out.Rolls {
		rolls = append(rolls, r.Roll.Label+" "+r.Chance.RatString())
	}
	slices.Sort(rolls)
	if want := []string{"bonus 1/4", "first 1", "last 1"}; !slices.Equal(rolls, want) {
		t.Errorf("rolls %v, want %v", rolls, want)
	}
	var ends []string
	for _, e := range out.Ends {
		var way []string
		for _, r := range e.Rolls {
			way = append(way, r.Label+" "+r.Outcome)
		}
		ends = append(ends, e.Chance.RatString()+": "+strings.Join(way, ", "))
	}
	want := []string{ // 27/40, 9/80, 9/80, 3/40, 1/80, 1/80
		"27/40: first failure, last failure",
		"9/80: first success, bonus failure, last failure", "9/80: first success, bonus success, last failure",
		"3/40: first failure, last success",
		"1/80: first success, bonus failure, last success", "1/80: first success, bonus success, last success"}
	slices.Sort(ends[1:3])
	slices.Sort(ends[4:])
	if !slices.Equal(ends, want) {
		t.Errorf("ends\n%s\nwant\n%s", strings.Join(ends, "\n"), strings.Join(want, "\n"))
	}

	// Where there are more ways than runs the likeliest are followed.
	for runs, likely := range map[int]string{1: "1", 6: "6"} {
		out := foreseen(t, twice, runs)
		if cut := runs < 6; out.Cut != cut || fmt.Sprint(len(out.Ends)) != likely {
			t.Errorf("%d runs: cut %v, %d ends", runs, out.Cut, len(out.Ends))
		}
	}
	if out := foreseen(t, twice, 3); !out.Cut || out.Ends[0].Chance.RatString() != "27/40" {
		t.Errorf("of three runs the likeliest has %s", out.Ends[0].Chance)
	}
}

func TestForesightOfRefusals(t *testing.T) {
	no := fault.New(fault.Illegal, "OUT_OF_REACH", "too far")
	refused := refusing{before: no}
	if out := foreseen(t, refused, 20); !errors.Is(out.Refused, no) || len(out.Ends) > 0 {
		t.Errorf("refused %v, %d ends", out.Refused, len(out.Ends))
	}
	// After a roll it is no refusal: what has happened stands.
	if out := foreseen(t, refusing{after: no}, 20); out.Refused != nil || len(out.Ends) != 2 || len(out.Rolls) != 1 {
		t.Errorf("after a roll: refused %v, %d ends", out.Refused, len(out.Ends))
	}
	for name, sys := range map[string]rules.System{
		"a broken rule":                  acting{act: func(*rules.Resolution) { panic("no table") }},
		"a broken rule after a roll":     acting{act: func(r *rules.Resolution) { r.Roll(byNatural("1d20", 10)); panic("no sheet") }},
		"a mistake of the rules' own":    refusing{before: fault.New(fault.Internal, "BAD_RULE", "no such table")},
		"an error that is no fault":      refusing{before: errors.New("no table")},
		"and one after a roll was taken": refusing{after: errors.New("no table")},
	} {
		out, err := rules.Foresee(t.Context(), sys, rules.Request{State: fightState(t), Action: 7}, rules.Resolve(sys, attack), 20)
		if !errors.Is(err, rules.ErrUnforeseen) {
			t.Errorf("%s: %v, %v", name, out, err)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := rules.Foresee(ctx, toy{}, rules.Request{State: fightState(t), Action: 7}, rules.Resolve(toy{}, attack), 20); !errors.Is(err, context.Canceled) || errors.Is(err, rules.ErrUnforeseen) {
		t.Errorf("after the caller left: %v", err)
	}
}

// refusing refuses an attack, before its roll or after it.
type refusing struct {
	toy
	before, after error
}

func (s refusing) Act(r *rules.Resolution, _ *eventv1.TakeAction) error {
	if s.before != nil {
		return s.before
	}
	r.Roll(rules.RollSpec{Label: "to-hit", Creature: "a", Expression: "1d20", Target: &eventv1.TargetNumber{Kind: "AC", Value: 10}})
	return s.after
}

// A decision without a default is where a foresight ends, even beside one that has
// a default; what is asked again on another way is listed once.
func TestForesightEndsAtAnOpenDecision(t *testing.T) {
	for def, want := range map[string]int{"": 2, "no": 0} {
		sys := acting{act: func(r *rules.Resolution) {
			r.Roll(rules.RollSpec{Label: "to-hit", Creature: "a", Expression: "1d20", Target: &eventv1.TargetNumber{Kind: "AC", Value: 10}})
			r.AskAll(map[string]*eventv1.Decision{
				"parry": rules.YesNo("parry", "b", "hit", "Parry?", def, ""),
				"dodge": rules.YesNo("dodge", "b", "hit", "Dodge?", "no", ""),
			}, []string{"parry", "dodge"})
			r.Set("b", "asked", 1, "both answered")
		}}
		out := foreseen(t, sys, 20)
		if len(out.Ends) != 2 || len(out.Asks) != 2 || out.Asks[0].Decision.Name != "parry" || out.Asks[0].Assumed != def || out.Asks[1].Assumed != "no" {
			t.Fatalf("default %q: %d ends, asks %v", def, len(out.Ends), out.Asks)
		}
		for _, e := range out.Ends {
			if len(e.Open) != want || (e.State.Creatures["b"].Counters["asked"] == 1) != (want == 0) {
				t.Errorf("default %q: open %v, asked %v", def, e.Open, e.State.Creatures["b"].Counters)
			}
		}
	}
}

// An action that was refused after a roll ends with a note, when it is decided
// again too (T2).
func TestRefusedAfterARollComesOutAgain(t *testing.T) {
	sys := refusing{after: fault.New(fault.Illegal, "OUT_OF_REACH", "too far")}
	base := fightState(t)
	first, err := rules.Run(t.Context(), sys, rules.Request{State: base, Action: 7}, &table{tape: true, faces: []int32{15}}, rules.Resolve(sys, attack))
	must(t, err)
	again, err := rules.Run(t.Context(), sys, rules.Request{State: base, Action: 7, Recorded: first.Inputs, Again: true}, &table{}, rules.Resolve(sys, attack))
	must(t, err)
	if !slices.EqualFunc(again.Events, first.Events, func(a, b *eventv1.Event) bool { return proto.Equal(a, b) }) {
		t.Errorf("%v, then %v", first.Events, again.Events)
	}
}
