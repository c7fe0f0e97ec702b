package scenario

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/fault"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// a step in which one is asked, rolls and falls, as a run of some ids and times tells it.
func sampleStep(first, second string, at int64) *encounterv1.Step {
	asked := func(id, name string) *eventv1.Event {
		return &eventv1.Event{What: &eventv1.Event_DecisionRequested{DecisionRequested: &eventv1.DecisionRequested{
			Decision: &eventv1.Decision{Id: id, Name: name, DeadlineUnixMillis: at}}}}
	}
	return &encounterv1.Step{Number: 4, Cursor: first, UnixMillis: at, Events: []*eventv1.Event{
		asked(first, "dodge"), asked(second, "parry"),
		{What: &eventv1.Event_DecisionAnswered{DecisionAnswered: &eventv1.DecisionAnswered{Id: first}}},
		{Rules: []string{"x.y.z"}, What: &eventv1.Event_Roll{Roll: &eventv1.Roll{Creature: "orc", Total: 7, Faces: []int32{3, 4}, SuppliedFaces: 2}}},
	}, Restored: &eventv1.State{Encounter: "e-" + first, Commitments: map[string][]byte{"open": {byte(at)}},
		Decisions: map[string]*eventv1.Decision{second: {Id: second, Name: "parry"}}, Sides: map[string]*eventv1.Side{"a": {}, "b": {}}}}
}

func digestOf(m proto.Message) string {
	d := &digester{scrubber: newScrubber()}
	d.put("step", m)
	return d.sum()
}

// What a run draws for itself does not count; everything else does.
func TestDigest(t *testing.T) {
	const a, b, c = "00112233445566aa", "ffeeddccbbaa9988", "0123456789ab"
	plain := digestOf(sampleStep(a, b, 1))
	if again := digestOf(sampleStep(b, c, 99)); again != plain {
		t.Errorf("other ids and times: %s, %s", plain, again)
	}
	before := sampleStep(a, b, 1)
	if digestOf(before); !proto.Equal(before, sampleStep(a, b, 1)) {
		t.Error("what is digested is changed")
	}
	for name, change := range map[string]func(*encounterv1.Step){
		"a number": func(s *encounterv1.Step) { s.Events[3].GetRoll().Total++ },
		"a face":   func(s *encounterv1.Step) { s.Events[3].GetRoll().Faces[1]++ },
		"a rule":   func(s *encounterv1.Step) { s.Events[3].Rules = nil },
		"who sees it": func(s *encounterv1.Step) {
			s.Events[3].Audience = &eventv1.Audience{}
		},
		"the order": func(s *encounterv1.Step) { s.Events[0], s.Events[1] = s.Events[1], s.Events[0] },
		"which of two is answered": func(s *encounterv1.Step) {
			s.Events[2].GetDecisionAnswered().Id = b
		},
		"one more":            func(s *encounterv1.Step) { s.Events = append(s.Events, s.Events[3]) },
		"a key of the state":  func(s *encounterv1.Step) { s.Restored.Sides["c"] = &eventv1.Side{} },
		"what is still asked": func(s *encounterv1.Step) { s.Restored.Decisions = nil },
	} {
		s := sampleStep(a, b, 1)
		change(s)
		if digestOf(s) == plain {
			t.Errorf("%s makes no difference", name)
		}
	}
}

// A refusal is its code, reason, rule and fields; its words may be put better.
func TestDigestOfRefusals(t *testing.T) {
	of := func(err error) string {
		d := &digester{scrubber: newScrubber()}
		d.refusal(err)
		return d.sum()
	}
	no := func(code fault.Code, reason, words, rule string) error {
		f := fault.New(code, reason, "%s", words)
		f.Rule = rule
		return f
	}
	plain := of(no(fault.Illegal, "NO_ACTION", "no action left", "x.y.z"))
	if of(no(fault.Illegal, "NO_ACTION", "there is no action left", "x.y.z")) != plain {
		t.Error("the words make a difference")
	}
	for _, err := range []error{no(fault.Illegal, "NO_ACTION", "no action left", "x.y.a"), no(fault.Illegal, "NO_TURN", "no action left", "x.y.z"),
		no(fault.NotFound, "NO_ACTION", "no action left", "x.y.z"), fault.Field("targets", "no action left")} {
		if of(err) == plain {
			t.Errorf("%v makes no difference", err)
		}
	}
	if of(fault.Field("targets", "x")) == of(fault.Field("item", "x")) {
		t.Error("the field makes no difference")
	}
}

// Dice that the server rolls come out otherwise each time.
func TestDigestOfChance(t *testing.T) {
	for want, roll := range map[bool]*eventv1.Roll{true: {Faces: []int32{3, 4}, SuppliedFaces: 1}, false: {Faces: []int32{3}, Fixed: true}} {
		d := &digester{scrubber: newScrubber()}
		d.rolled([]*eventv1.Event{{What: &eventv1.Event_Roll{Roll: roll}}})
		d.word("x", "y")
		if got := d.sum(); (got == byChance) != want {
			t.Errorf("%v: %s", roll, got)
		}
	}
}

func sampleResult(file, title string, digests ...string) *Result {
	r := &Result{File: file, Line: 3, Title: title, Passed: true}
	for i, d := range digests {
		r.Decided = append(r.Decided, Decided{Part: []string{"0", "1", "2", partState}[i], Title: "part " + d, Digest: d,
			Events: []*eventv1.Event{{What: &eventv1.Event_RoundStarted{RoundStarted: &eventv1.RoundStarted{Round: int32(i + 1)}}}}}) //nolint:gosec // few
	}
	return r
}

func TestDigestsFile(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "sub", "x.yaml")
	if err := os.Mkdir(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(dir, "y.yaml")
	for _, f := range []string{file, other} {
		if err := os.WriteFile(f, []byte("title: x\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if found, err := FindDigests(file); found != "" || err != nil {
		t.Fatalf("found %s, %v", found, err)
	}
	d, err := ReadDigests(filepath.Join(dir, DigestsName))
	if err != nil {
		t.Fatal(err)
	}
	whole := sampleResult(file, "One  title", "aa", "bb", "cc", "dd")
	if drift, err := d.Drift(whole); err != nil || !strings.Contains(drift, "skald scenario digest") {
		t.Errorf("one that is not written down: %q, %v", drift, err)
	}
	if err := d.Put([]*Result{whole, sampleResult(file, "Two", "ee"), sampleResult(other, "One title", "ff")}); err != nil {
		t.Fatal(err)
	}
	if err := d.Write(); err != nil {
		t.Fatal(err)
	}
	if found, err := FindDigests(file); found != d.File || err != nil {
		t.Fatalf("found %s, %v", found, err)
	}
	if d, err = ReadDigests(d.File); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		r    *Result
		want []string
	}{
		"the same":      {sampleResult(file, "One title", "aa", "bb", "cc", "dd"), nil},
		"a step":        {sampleResult(file, "One title", "aa", "b2", "cc", "d2"), []string{"step 1, state", "step 1 (part b2) decides now:", "Round 2"}},
		"the end":       {sampleResult(file, "One title", "aa", "bb", "cc", "d2"), []string{": state\n"}},
		"a step gone":   {sampleResult(file, "One title", "aa", "bb", "cc"), []string{"steps are gone"}},
		"one more step": {sampleResult(file, "Two", "ee", "bb"), []string{"step 1"}},
	} {
		got, err := d.Drift(c.r)
		if err != nil || (got == "") != (c.want == nil) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %q is not in %s", name, want, got)
			}
		}
		if err := d.Check(c.r); err != nil || c.r.Passed != (c.want == nil) || len(c.r.Failures) > 0 != (c.want != nil) {
			t.Errorf("%s: %v, %v", name, c.r, err)
		}
	}
	// What is there no more is forgotten with what stood beside it in its file.
	if err := d.Put([]*Result{sampleResult(file, "Two", "ee")}); err != nil {
		t.Fatal(err)
	}
	gone, err := d.Gone([]*Scenario{{File: file, Title: "Two"}})
	if err != nil || len(gone) != 1 || gone[0] != "y.yaml: One title" {
		t.Errorf("gone: %v, %v", gone, err)
	}
	if err := os.Remove(other); err != nil {
		t.Fatal(err)
	}
	if err := d.Put([]*Result{sampleResult(file, "Two", "ee")}); err != nil {
		t.Fatal(err)
	}
	if gone, err = d.Gone(nil); err != nil || len(gone) != 1 {
		t.Errorf("of a file that is gone: %v, %v", gone, err)
	}
	if err := d.Put([]*Result{sampleResult(file, "Two", "ee"), sampleResult(file, "Two", "ff")}); err == nil {
		t.Error("two of one title taken")
	}
}

func TestReadDigestsRefuses(t *testing.T) {
	for name, text := range map[string]string{"cells": "x.yaml\ttitle\n", "twice": "x.yaml\tt\ta\nx.yaml\tt\tb\n"} {
		file := filepath.Join(t.TempDir(), DigestsName)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadDigests(file); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
	if _, err := ReadDigests(t.TempDir()); err == nil || errors.Is(err, os.ErrNotExist) {
		t.Errorf("a folder: %v", err)
	}
}
