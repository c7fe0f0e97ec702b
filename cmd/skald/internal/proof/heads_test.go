package proof

import (
	"crypto/rand"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/attest"
	"github.com/skaldrpg/skald/pkg/event"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// exported is an export of steps as a server makes it.
type exported struct {
	keys  *attest.Keys
	steps []*encounterv1.Step
	heads []attest.Head // after each step
}

func exportOf(t *testing.T, titles ...string) *exported {
	t.Helper()
	keys, err := attest.OpenKeys(filepath.Join(t.TempDir(), "key"), "skald", rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	out := &exported{keys: keys}
	at := attest.Begin("main", "e")
	for i, title := range titles {
		s := &encounterv1.Step{UnixMillis: 5, Events: []*eventv1.Event{event.New(event.Everyone(), &eventv1.EncounterCreated{Title: title})}}
		data := event.Canonical(s)
		at = attest.Next(at, uint64(i+1), attest.Digest(data))
		s.Number, s.Transcript, s.Bytes = uint64(i+1), at, data
		out.steps = append(out.steps, s)
		out.heads = append(out.heads, attest.Head{Table: "main", Encounter: "e", Viewer: "spectator", Number: uint64(i + 1), Hash: at})
	}
	return out
}

// report checks the steps with the head of the last one of the whole export.
func (e *exported) report(t *testing.T, steps []*encounterv1.Step, kept ...attest.Head) *Report {
	t.Helper()
	signed, err := e.keys.Sign(e.heads[len(e.heads)-1].Text())
	if err != nil {
		t.Fatal(err)
	}
	public, err := e.keys.Public()
	if err != nil {
		t.Fatal(err)
	}
	by, err := attest.Verifiers(public[0].Verifier)
	if err != nil {
		t.Fatal(err)
	}
	p := New()
	p.Keys(by)
	p.Heads(&encounterv1.SignedHeads{Own: signed})
	for _, h := range kept {
		p.Kept(h)
	}
	for _, s := range steps {
		p.Step(s)
	}
	return p.Report()
}

// Steps of an export follow from its signed head, and from heads that were kept.
func TestStepsOfAnExport(t *testing.T) {
	e := exportOf(t, "one", "two", "three")
	other := exportOf(t, "one", "other", "three")
	changed := func(fn func(s *encounterv1.Step)) []*encounterv1.Step {
		out := append([]*encounterv1.Step(nil), e.steps...)
		out[1] = proto.Clone(out[1]).(*encounterv1.Step)
		fn(out[1])
		return out
	}
	for name, tt := range map[string]struct {
		steps []*encounterv1.Step
		kept  []attest.Head
		want  string // a problem; empty when there is none
	}{
		"whole":         {e.steps, nil, ""},
		"kept":          {e.steps, e.heads[:1], ""},
		"cut off":       {e.steps[:2], nil, "signed as ending at step 3"},
		"another event": {changed(func(s *encounterv1.Step) { s.Events[0].GetEncounterCreated().Title = "x" }), nil, "something else than its bytes"},
		"another time":  {changed(func(s *encounterv1.Step) { s.UnixMillis++ }), nil, "something else than its bytes"},
		"other bytes":   {changed(func(s *encounterv1.Step) { s.Bytes = other.steps[1].Bytes }), nil, "step 2"},
		"no bytes":      {changed(func(s *encounterv1.Step) { s.Bytes = nil }), nil, "no bytes"},
		"left out":      {append(e.steps[:1:1], e.steps[2]), nil, "step 2"},
		"two histories": {e.steps, other.heads[1:2], "two histories"},
		"older":         {e.steps, []attest.Head{{Table: "main", Encounter: "e", Viewer: "spectator", Number: 9, Hash: e.heads[0].Hash}}, "the head that was kept is of step 9"},
	} {
		r := e.report(t, tt.steps, tt.kept...)
		if all := strings.Join(r.Problems, "\n"); tt.want == "" && all != "" || !strings.Contains(all, tt.want) {
			t.Errorf("%s: %q, want %q", name, all, tt.want)
		}
		if tt.want == "" && len(r.Heads) != len(tt.kept) {
			t.Errorf("%s: agrees with %v", name, r.Heads)
		}
	}
}

// A head extends an older one by the digests between, and no other.
func TestExtends(t *testing.T) {
	e, other := exportOf(t, "one", "two", "three"), exportOf(t, "one", "other", "three")
	digests := func(e *exported, after int) (out [][]byte) {
		for _, s := range e.steps[after:] {
			out = append(out, attest.Digest(s.Bytes))
		}
		return out
	}
	if err := Extends(e.heads[2], e.heads[0], digests(e, 1)); err != nil {
		t.Error(err)
	}
	for name, err := range map[string]error{
		"another history": Extends(other.heads[2], e.heads[1], digests(other, 2)),
		"other digests":   Extends(e.heads[2], e.heads[0], digests(other, 1)),
		"too few":         Extends(e.heads[2], e.heads[0], digests(e, 2)),
		"shorter":         Extends(e.heads[0], e.heads[2], nil),
		"same number":     Extends(other.heads[2], e.heads[2], nil),
	} {
		if err == nil {
			t.Errorf("%s: it extends", name)
		}
	}
}
