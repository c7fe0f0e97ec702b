package spark

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules/spark/declaring"
	"google.golang.org/protobuf/types/known/structpb"
)

// What is said in a way that nobody would hear is refused, not passed over.
func TestSaid(t *testing.T) {
	for _, c := range []struct {
		name       string
		parameters []any
		facts      []any
		field      string
	}{
		{"a name that means nothing", []any{"bonus_frist", true}, nil, "take.parameters.bonus_frist"},
		{"a number for a word", []any{"bonus", 3.0}, nil, "take.parameters.bonus"},
		{"a word for a truth", []any{"use_cracked", "yes"}, nil, "take.parameters.use_cracked"},
		{"a truth for a number", nil, []any{"feet", true}, "take.facts.feet"},
		{"a word for a number", nil, []any{"distance", "10"}, "take.facts.distance"},
		{"half a foot", nil, []any{"distance", 7.5}, "take.facts.distance"},
		{"a fact that means nothing", nil, []any{"provoke", []string{"orc"}}, "take.facts.provoke"},
		{"numbers in a list", nil, []any{"nearest", []any{1.0}}, "take.facts.nearest[0]"},
		{"two behind", nil, []any{"behind", []string{"orc", "ara"}}, "take.facts.behind"},
		{"a list for a word", []any{"bonus_class", []string{"S"}}, nil, "take.parameters.bonus_class"},
		{"a DC for an attack", []any{"dc", 15.0}, nil, "take.parameters.dc"},
		{"feet for one with a place", []any{"feet", 5.0}, nil, "take.parameters.feet"},
		{"nothing", nil, nil, ""},
		{"null", []any{"bonus", nil}, nil, "take.parameters.bonus"},
		{"a lone word for a list", nil, []any{"provokes", "orc", "direction", 3.0, "distance", 5.0}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := duel(t)
			wantField(t, f.Try(act("ara", declaring.KindAttack, "sword", "orc", withParameters(c.parameters...), withFacts(c.facts...))), c.field)
		})
	}
	f := duel(t)
	wantField(t, f.Try(act("ara", declaring.ActSpeak, "", "", withParameters("words", "run"))), "take.parameters.words")
	p := patient(t, 4, 8, 0, 12, 25)
	for _, c := range []struct {
		said  []any
		field string
	}{{[]any{"interrupted", "yes"}, "interrupted"}, {[]any{"dice", "2"}, "dice"}, {[]any{"places", "dungeon"}, "places"}} {
		wantField(t, p.TryTend(resting("short", c.said...)), "command.patient.parameters."+c.field)
	}
	p.WantHP("ara", 12)
	odd := resting("short")
	odd.Parameters.Fields["bed"] = structpb.NewStructValue(&structpb.Struct{})
	wantField(t, p.TryTend(odd), "command.patient.parameters.bed")
}

// wantField holds that an error names a field; without one there must be none.
func wantField(t *testing.T, err error, field string) {
	t.Helper()
	refusal, _ := fault.As(err)
	switch {
	case field == "" && err != nil:
		t.Fatal(err)
	case field != "" && (refusal == nil || len(refusal.Violations) != 1 || refusal.Violations[0].Field != field):
		t.Fatalf("%v, want a violation of %s", err, field)
	}
}
