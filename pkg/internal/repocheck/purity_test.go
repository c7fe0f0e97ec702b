package repocheck

import (
	"testing"
)

func imports(path string) string {
	return "package x\n\nimport _ \"" + path + "\"\n"
}

func TestImportArrows(t *testing.T) {
	first := func(dir string) string { return imports(modulePrefix + dir) }
	runCases(t, ImportArrows, []checkCase{
		{"allowed ways", map[string]string{
			"cmd/skald/a.go":            first("services/dice"),
			"services/dice/a.go":        first("services/dice/internal/x"),
			"services/injury/a.go":      first("pkg/journal"),
			"pkg/rules/rcr/a.go":        first("pkg/rules"),
			"pkg/rules/rcr/wounds/a.go": first("pkg/rules/rcr"),
			"pkg/journal/a.go":          imports("github.com/nats-io/nats.go"),
			"pkg/rules/a_test.go":       imports("os"),
		}, nil},
		{"a pure package with a clock, a network, a store", map[string]string{
			"pkg/dice/a.go":    imports("time"),
			"pkg/event/a.go":   imports("net/http"),
			"pkg/rules/a.go":   imports("go.etcd.io/bbolt"),
			"pkg/rules/x/b.go": imports("math/rand/v2"),
		}, []string{"pkg/dice/a.go:3: pure package pkg/dice reaches time", "pkg/event reaches net/http",
			"reaches go.etcd.io/bbolt", "reaches math/rand/v2"}},
		{"a pure package that reaches the world through another", map[string]string{
			"pkg/rules/a.go":   first("pkg/sheet"),
			"pkg/sheet/a.go":   first("pkg/journal"),
			"pkg/journal/a.go": imports("google.golang.org/grpc/codes"),
		}, []string{"pkg/journal/a.go:3: pure package pkg/rules reaches google.golang.org/grpc/codes"}},
		{"a pure package that reaches it through generated code", map[string]string{
			"pkg/event/a.go":       first("proto/x/v1"),
			"proto/x/v1/x.pb.go":   "package x\n",
			"proto/x/v1/x_g.pb.go": imports("google.golang.org/grpc"),
		}, []string{"proto/x/v1/x_g.pb.go:3: pure package pkg/event reaches google.golang.org/grpc"}},
		{"one rule system in another", map[string]string{"pkg/rules/rcr/a.go": first("pkg/rules/spark/tables")},
			[]string{"no rule system imports another"}},
		{"packages that know their users", map[string]string{"pkg/journal/a.go": first("services/dice")},
			[]string{"packages do not know who uses them"}},
		{"services that know each other", map[string]string{"services/dice/internal/a.go": first("services/injury")},
			[]string{"services meet over gRPC only"}},
		{"a command in a service's inside", map[string]string{"cmd/skald/a.go": first("services/dice/internal/x")},
			[]string{"one exported package"}},
		{"contracts that know code", map[string]string{"proto/a.go": first("pkg/dice")}, []string{"contracts know nobody"}},
		{"a user of the checks", map[string]string{"pkg/dice/a.go": first("pkg/internal/repocheck")}, []string{"for its own tests"}},
	})
}

func TestDeterminism(t *testing.T) {
	runCases(t, Determinism, []checkCase{
		{"clean", map[string]string{"pkg/rules/a.go": `package rules

import (
	"maps"
	"slices"
)

func f(m map[string]int, s []int) []string {
	for range s {
	}
	for i := range 3 {
		_ = i / 2
	}
	for k := range m { // order-free: only counted
		_ = k
	}
	// order-free: only counted
	for k := range m {
		_ = k
	}
	return slices.Sorted(maps.Keys(m))
}
`}, nil},
		{"goroutine, select, channel", map[string]string{"pkg/event/a.go": `package event

func f(c chan int) {
	go f(c)
	select {}
}
`}, []string{"a.go:3: a channel", "a.go:4: a goroutine", "a.go:5: a channel"}},
		{"maps by any name", map[string]string{
			"pkg/rules/a.go": `package rules

import (
	"maps"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

type set map[string]bool

func f(s set, p *eventv1.State) {
	for range s {
	}
	for range p.GetItems() {
	}
	for range maps.Clone(s) {
	}
	for range maps.Keys(s) {
	}
	//order-free
	for range s {
	}
}

func g[M ~map[K]V, K comparable, V any](m M) {
	for range m {
	}
}
`,
			"proto/skald/event/v1/state.pb.go": "package eventv1\n\ntype State struct{ Items map[string]int }\n\nfunc (s *State) GetItems() map[string]int { return s.Items }\n",
		}, []string{"a.go:12: range over a map", "a.go:14: range", "a.go:16: range", "a.go:18: iteration", "a.go:21: range", "a.go:26: range"}},
		{"floats in rules, not in dice", map[string]string{
			"pkg/rules/a.go": "package rules\n\nvar x float64\n\nfunc f(n int) bool { return n > 3 && 0.5 < x }\n\nconst limit = 1e6\n",
			"pkg/dice/a.go":  "package dice\n\nvar x float64\n",
		}, []string{"pkg/rules/a.go:3: floating point", "pkg/rules/a.go:5: floating point"}},
		{"elsewhere all is allowed", map[string]string{"pkg/journal/a.go": "package journal\n\nfunc f(m map[int]int) {\n\tgo f(m)\n\tfor range m {\n\t}\n}\n"}, nil},
		{"tests may", map[string]string{"pkg/rules/a_test.go": "package rules\n\nfunc f() { go f() }\n"}, nil},
	})
}

// A file that does not parse is an error, not an empty finding.
func TestLoadRefusesBrokenGo(t *testing.T) {
	if _, err := Load(mapFS(map[string]string{"pkg/a/a.go": "pack age"})); err == nil {
		t.Error("no error")
	}
}
