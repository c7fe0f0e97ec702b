package encounter_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// measure rolls a die that depends on the hit points that the sheet of its target says,
// more or less than 54, in the way that its item says.
func measure(r *rules.Resolution, take *eventv1.TakeAction) error {
	n := r.Creature(take.Targets[0]).GetSheet().GetHitPoints()
	more := n > 54
	spec := rules.RollSpec{Label: "measure", Creature: take.Creature, Expression: "1d6", Reason: "a measure",
		Modifiers: []*eventv1.Modifier{{Value: 1, Source: "a hand"}}, Edges: []*eventv1.Edge{{Advantage: true, Source: "light"}},
		Target: &eventv1.TargetNumber{Kind: "AC", Value: 4}}
	if (take.Item == "refused if more" || take.Item == "refused otherwise if more") && more || take.Item == "refused if less" && !more {
		return fault.Refuse("MEASURED", "toy.measure", "it is too much")
	}
	switch take.Item {
	case "refused":
		return fault.Refuse("MEASURED", "toy.measure", "it is enough")
	case "refused otherwise if more":
		return fault.Refuse("MEASURED", "toy.measure", "it is too little")
	case "refused with it":
		return fault.Refuse("MEASURED", "toy.measure", "it is %d", n)
	case "lost if more", "lost if less":
		if more == (take.Item == "lost if more") {
			panic("the rules need to know it")
		}
	case "expression":
		spec.Expression = map[bool]string{true: "2d6", false: "1d6"}[more]
	case "modifier":
		spec.Modifiers[0].Value = n - 49
	case "edge":
		spec.Edges[0].Source = fmt.Sprint("light of ", n)
	case "target":
		spec.Target.Value = map[bool]int32{true: 6, false: 2}[more]
	case "theirs":
		spec.Creature = take.Targets[0]
	}
	total := r.Roll(spec).Total
	switch {
	case take.Item == "then if less" && !more, take.Item == "then perhaps" && total > map[bool]int32{true: 4, false: 1}[more]:
		r.Roll(rules.RollSpec{Label: "then", Creature: take.Creature, Expression: "1d8"})
	case take.Item == "harms":
		r.SetHitPoints(take.Targets[0], n-total, n, 0)
	case take.Item == "harms itself":
		r.SetHitPoints(take.Creature, r.Creature(take.Creature).GetHp()-total, r.Creature(take.Creature).GetHpMax(), 0)
	case take.Item == "harms itself by it":
		r.SetHitPoints(take.Creature, n, r.Creature(take.Creature).GetHpMax(), 0)
	}
	return nil
}

// WHATIF.md, what a player is shown: with two guesses at a sheet that it does not see, only
// what both agree in. The game master, who sees it, is shown all of the same.
func TestAPreviewTellsWhatBothGuessesAgreeIn(t *testing.T) {
	c := newWorld(t).start()
	c.do(gm, "e", createCmd(server))
	for id, name := range map[string]string{"a": "ann", "b": "bob", "c": "ann"} {
		c.do(gm, "e", addCmd(id, 50, name))
	}
	c.do(gm, "e", startCmd)
	preview := func(as *eventv1.Principal, target, item string) *encounterv1.PreviewResponse {
		cmd := takeCmd("a", "measure", target)
		cmd.GetTake().Item = item
		return c.foresee(as, "e", cmd)
	}
	// what is shown of the rolls: e dice, m modifiers, d edges, t target, o odds, c chance
	shown := func(p *encounterv1.PreviewResponse) (out []string) {
		for _, r := range p.Rolls {
			s := r.Label + " "
			for _, x := range []struct {
				letter string
				is     bool
			}{{"e", r.Expression != ""}, {"m", len(r.Modifiers) > 0}, {"d", len(r.Edges) > 0}, {"t", r.Target != nil}, {"o", len(r.Odds) > 0}, {"c", r.Chance != ""}} {
				if x.is {
					s += x.letter
				}
			}
			out = append(out, s)
		}
		return out
	}
	whole := []string{"measure emdtoc"}
	for item, x := range map[string]struct {
		rolls  []string
		ends   int
		reason string
	}{
		"":                          {whole, 2, ""},
		"expression":                {[]string{"measure c"}, 0, ""},
		"modifier":                  {[]string{"measure edc"}, 0, ""},
		"edge":                      {[]string{"measure emc"}, 2, ""},
		"target":                    {[]string{"measure emdc"}, 0, ""},
		"theirs":                    {[]string{"measure "}, 0, ""},
		"then if less":              {[]string{"measure emdtoc", "then "}, 2, ""},
		"then perhaps":              {[]string{"measure emdtoc", "then e"}, 2, ""},
		"refused":                   {nil, 0, "MEASURED"},
		"refused with it":           {nil, 0, ""},
		"refused if more":           {[]string{"measure "}, 0, ""},
		"refused if less":           {nil, 0, ""},
		"refused otherwise if more": {nil, 0, ""},
		"lost if more":              {[]string{"measure "}, 0, ""},
		"lost if less":              {nil, 0, ""},
		"harms":                     {whole, 2, ""},
		"harms itself":              {whole, 2, ""},
		"harms itself by it":        {whole, 0, ""},
	} {
		p := preview(ann, "b", item)
		if got := shown(p); !slices.Equal(got, x.rolls) || len(p.Ends) != x.ends || p.Reason != x.reason || !slices.Equal(p.Unknown, []string{"b"}) {
			t.Errorf("%q: shown %q, %d ends, %q; want %q, %d, %q\n%v", item, got, len(p.Ends), p.Reason, x.rolls, x.ends, x.reason, p)
		}
	}
	// Nobody's sheet is guessed for who sees it: ann of her own, the game master of all.
	for _, p := range []*encounterv1.PreviewResponse{preview(ann, "c", "target"), preview(gm, "b", "target"), preview(ann, "c", "theirs"), preview(gm, "b", "theirs")} {
		if got := shown(p); !slices.Equal(got, whole) || len(p.Ends) == 0 || p.Rolls[0].Chance != "1" {
			t.Errorf("of a sheet that is seen: %q, %v", got, p)
		}
	}
	if p := preview(gm, "b", "refused with it"); p.Refused == "" || p.Reason != "MEASURED" || p.Rule != "toy.measure" {
		t.Errorf("the game master is told %v", p)
	}
	if p := preview(gm, "b", "then perhaps"); p.Rolls[1].Chance != "1" {
		t.Errorf("the game master is shown %v", p)
	}
}
