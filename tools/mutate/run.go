package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// Verdict says what came of a mutant.
type Verdict string

// The verdicts. What does not compile is no mutant, and another is drawn.
const (
	Killed Verdict = "killed"
	// Drifted is found by what came out before alone: digests and recorded fights. No
	// test says what the rule is.
	Drifted  Verdict = "drifted"
	Survived Verdict = "SURVIVED"
	Unviable Verdict = "unviable"
	// Unreached survives as well: in no near test would it ever differ.
	Unreached Verdict = "UNREACHED"
	// Same is one of equivalent.csv: nobody could see it.
	Same Verdict = "same"
)

// Outcome is a mutant's verdict and what gave it.
type Outcome struct {
	Mutant
	Verdict Verdict
	By      string // the tests that found it
	Took    time.Duration
}

// lab runs mutants of a tree.
type lab struct {
	root  string // of the tree, absolute
	tmp   string // for overlays
	graph *graph
	own   bool          // leaves out scenarios and random play too
	near  bool          // leaves out the tests that are far
	limit time.Duration // of one stage of tests; a mutant that runs longer is found
}

// try runs the tests over one change until some fail.
func (l *lab) try(ctx context.Context, m Mutant) (Outcome, error) {
	began := time.Now()
	out := Outcome{Mutant: m}
	overlay, err := l.overlay(m)
	if err != nil {
		return out, err
	}
	stages := l.graph.stages(m.File, l.near)
	if l.run(ctx, nil, "build", "-overlay", overlay, "./"+stages[0].folders[0]) != nil {
		out.Verdict = Unviable
		return out, ctx.Err()
	}
	for _, stage := range stages {
		args := []string{"test", "-failfast", "-vet=off", "-timeout", l.limit.String(), "-overlay", overlay}
		for _, p := range stage.folders {
			args = append(args, "./"+p)
		}
		err := l.run(ctx, stage.env(), args...)
		if ctx.Err() != nil {
			return out, ctx.Err()
		}
		if err != nil {
			out.Verdict, out.By, out.Took = stage.verdict(), strings.Join(short(stage.folders), " "), time.Since(began)
			return out, nil
		}
	}
	out.Verdict, out.Took = Survived, time.Since(began)
	return out, nil
}

// verdict is that of a change that the tests of a stage find.
func (s stage) verdict() Verdict {
	if s.before {
		return Drifted
	}
	return Killed
}

func short(stage []string) []string {
	if len(stage) > 3 {
		return append(append([]string(nil), stage[:2]...), "...")
	}
	return stage
}

// overlay writes the changed file and the go command's note of it.
func (l *lab) overlay(m Mutant) (string, error) {
	real := filepath.Join(l.root, filepath.FromSlash(m.File))
	src, err := os.ReadFile(real)
	if err != nil {
		return "", err
	}
	changed := filepath.Join(l.tmp, "changed"+path.Ext(m.File))
	if err := os.WriteFile(changed, m.applied(src), 0o600); err != nil {
		return "", err
	}
	data, err := json.Marshal(map[string]any{"Replace": map[string]string{real: changed}})
	if err != nil {
		return "", err
	}
	note := filepath.Join(l.tmp, "overlay.json")
	return note, os.WriteFile(note, data, 0o600)
}

// run calls the go command; a test that hangs ends with its own timeout.
func (l *lab) run(ctx context.Context, env []string, args ...string) error {
	ctx, cancel := context.WithTimeout(ctx, 2*l.limit+time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = l.root, append(os.Environ(), env...)
	err := cmd.Run()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		return errors.Join(err, ctx.Err())
	}
	return err
}
