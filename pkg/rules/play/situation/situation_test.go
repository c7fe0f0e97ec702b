package situation_test

import (
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/rules/play/situation"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// kind is what the limits of these tests ask about.
type kind struct{ melee bool }

var limits = map[string]situation.Limit[kind]{
	"melee": func(r *situation.Roll[kind]) bool { return r.More.melee },
}

const rows = situation.Heading + `
attack|save,self,shaken,,,disadvantage,fear,WHO is shaken,toy.shaken
attack,self,frightened,,,disadvantage,fear,WHO is frightened,toy.frightened
attack,target,prone,,melee,advantage,,WHO lies,toy.prone-near
attack,target,prone,,!melee,disadvantage,,WHO lies,toy.prone-far
attack,self,bound,hands,,-4,,bound hands,toy.bound
attack,target,injury:arm,left,,2,,the left arm,toy.arm
`

func table(t *testing.T) *situation.Table[kind] {
	t.Helper()
	out, err := situation.Read(rows, limits)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func creature(name string, conditions ...string) *eventv1.Creature {
	c := &eventv1.Creature{Id: name, Name: name}
	for _, x := range conditions {
		name, variant, _ := strings.Cut(x, "/")
		c.Conditions = append(c.Conditions, &eventv1.Condition{Id: x, Name: name, Variant: variant})
	}
	return c
}

func told(edges []*eventv1.Edge) string {
	var out []string
	for _, e := range edges {
		side := "-"
		if e.Advantage {
			side = "+"
		}
		out = append(out, side+e.Rule)
	}
	return strings.Join(out, " ")
}

func TestEdges(t *testing.T) {
	rows := table(t)
	for name, c := range map[string]struct {
		roll *situation.Roll[kind]
		want string
	}{
		"nothing":                  {&situation.Roll[kind]{Kind: "attack", Self: creature("a"), Target: creature("b")}, ""},
		"own conditions":           {&situation.Roll[kind]{Kind: "attack", Self: creature("a", "shaken", "frightened"), Target: creature("b")}, "-toy.shaken -toy.frightened"},
		"once, however often":      {&situation.Roll[kind]{Kind: "save", Self: creature("a", "shaken", "shaken/again")}, "-toy.shaken"},
		"another kind of roll":     {&situation.Roll[kind]{Kind: "save", Self: creature("a", "frightened")}, ""},
		"a limit that holds":       {&situation.Roll[kind]{Kind: "attack", Self: creature("a"), Target: creature("b", "prone"), More: kind{melee: true}}, "+toy.prone-near"},
		"a limit turned round":     {&situation.Roll[kind]{Kind: "attack", Self: creature("a"), Target: creature("b", "prone")}, "-toy.prone-far"},
		"of the target, not owned": {&situation.Roll[kind]{Kind: "attack", Self: creature("a", "prone"), Target: creature("b"), More: kind{melee: true}}, ""},
		"against nobody":           {&situation.Roll[kind]{Kind: "attack", Self: creature("a")}, ""},
	} {
		if got := told(rows.Edges(c.roll)); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	if e := rows.Edges(&situation.Roll[kind]{Kind: "save", Self: creature("Ann", "shaken")}); e[0].Source != "Ann is shaken" || e[0].Kind != "fear" {
		t.Errorf("words: %v", e[0])
	}
}

func TestModifiers(t *testing.T) {
	rows := table(t)
	hurt := creature("b")
	hurt.Injuries = []*eventv1.Injury{{Kind: "arm", Part: "right"}}
	roll := &situation.Roll[kind]{Kind: "attack", Self: creature("a", "bound/feet"), Target: hurt}
	if got := rows.Modifiers(roll); len(got) != 0 {
		t.Errorf("another variant counts: %v", got)
	}
	hurt.Injuries = append(hurt.Injuries, &eventv1.Injury{Kind: "arm", Part: "left"})
	roll.Self = creature("a", "bound/hands")
	if got := rows.Modifiers(roll); len(got) != 2 || got[0].Value != -4 || got[0].Rule != "toy.bound" || got[1].Value != 2 {
		t.Errorf("modifiers %v", got)
	}
}

func TestWeighing(t *testing.T) {
	edge := func(advantage bool, kind string) *eventv1.Edge {
		return &eventv1.Edge{Advantage: advantage, Kind: kind}
	}
	for name, c := range map[string]struct {
		edges         []*eventv1.Edge
		stack, cancel int32
	}{
		"none":                           {nil, 0, 0},
		"one":                            {[]*eventv1.Edge{edge(true, "a")}, 1, 1},
		"two of one kind":                {[]*eventv1.Edge{edge(true, "a"), edge(true, "a")}, 1, 1},
		"two without a kind":             {[]*eventv1.Edge{edge(true, ""), edge(true, "")}, 2, 1},
		"one kind on both sides":         {[]*eventv1.Edge{edge(true, "a"), edge(false, "a")}, 0, 0},
		"many against one":               {[]*eventv1.Edge{edge(false, "a"), edge(false, "b"), edge(true, "c")}, -1, 0},
		"declined ones count for naught": {[]*eventv1.Edge{edge(false, situation.Declined), edge(true, "c")}, 1, 1},
	} {
		if got := situation.Stack(c.edges); got != c.stack {
			t.Errorf("%s: stacked %d, want %d", name, got, c.stack)
		}
		if got := situation.Cancel(c.edges); got != c.cancel {
			t.Errorf("%s: cancelled %d, want %d", name, got, c.cancel)
		}
	}
}

// A table that does not hold is refused, with its row.
func TestReadRefuses(t *testing.T) {
	for name, row := range map[string]string{
		"who":              "attack,both,prone,,,advantage,,WHO lies,toy.x",
		"limit":            "attack,self,prone,,far,advantage,,WHO lies,toy.x",
		"gives":            "attack,self,prone,,,much,,WHO lies,toy.x",
		"nothing given":    "attack,self,prone,,,0,,WHO lies,toy.x",
		"no roll":          ",self,prone,,,advantage,,WHO lies,toy.x",
		"no source":        "attack,self,prone,,,advantage,,,toy.x",
		"each of no wound": "attack,self,prone,,,advantage,each,WHO lies,toy.x",
		"no rule":          "attack,self,prone,,,advantage,,WHO lies,",
		"no condition":     "attack,self,,,,advantage,,WHO lies,toy.x",
		"always, no limit": "attack,self,*,,,advantage,,WHO lies,toy.x",
	} {
		if _, err := situation.Read(situation.Heading+"\n"+row+"\n", limits); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}
