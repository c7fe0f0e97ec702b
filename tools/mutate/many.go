package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

//go:embed switch.go.txt
var switchText string

// weaving is a tree in which many mutants wait to be switched on one at a time,
// built once for all of them. An id is a mutant's place in all, from 1 on.
type weaving struct {
	lab     *lab
	all     []Mutant
	in      map[int]bool // those woven in
	dir     string
	replace map[string]string
	bins    map[string]*binary // by the folder of the tests
}

// binary is the tests of a folder, with what each of them reaches.
type binary struct {
	folder, file string
	reach        map[int]map[string]bool // by mutant: the tests; "" is before any
	took         map[string]time.Duration
	broken       map[string]bool // tests that fail as it is
	whole        time.Duration
}

// weave builds the tests that may find some mutants.
func (l *lab) weave(ctx context.Context, all []Mutant) (*weaving, error) {
	w := &weaving{lab: l, all: all, in: map[int]bool{}, dir: filepath.Join(l.tmp, "woven"), replace: map[string]string{}, bins: map[string]*binary{}}
	if err := os.MkdirAll(w.dir, 0o700); err != nil {
		return nil, err
	}
	byFile := map[string]map[int]Mutant{}
	folders := map[string]bool{}
	for i, m := range all {
		id := i + 1
		if _, _, ok := cell(m); ok {
			w.in[id] = true
			continue
		}
		if m.Kind == "cell" {
			continue
		}
		if byFile[m.File] == nil {
			byFile[m.File] = map[int]Mutant{}
		}
		byFile[m.File][id] = m
		folders[path.Dir(m.File)] = true
	}
	dirs := slices.Sorted(maps.Keys(folders))
	types, err := readNumbers(ctx, l.root, dirs)
	if err != nil {
		return nil, err
	}
	if err := w.switches(); err != nil {
		return nil, err
	}
	for _, file := range slices.Sorted(maps.Keys(byFile)) {
		if err := w.weaveFile(file, byFile[file], types.of); err != nil {
			return nil, err
		}
	}
	if err := w.compile(ctx, dirs, byFile, types.of); err != nil {
		return nil, err
	}
	return w, nil
}

// weaveFile writes a file with its mutants.
func (w *weaving) weaveFile(file string, of map[int]Mutant, typeOf func(Mutant) string) error {
	real := filepath.Join(w.lab.root, filepath.FromSlash(file))
	src, err := os.ReadFile(real)
	if err != nil {
		return err
	}
	text, out := woven(src, of, typeOf)
	for id := range of { // order-free: each by itself
		w.in[id] = !slices.Contains(out, id)
	}
	return w.put(real, text)
}

// put has the go command read a text in place of a file.
func (w *weaving) put(real string, text []byte) error {
	to := filepath.Join(w.dir, strconv.Itoa(len(w.replace))+"_"+filepath.Base(real))
	if had, ok := w.replace[real]; ok {
		to = had
	}
	w.replace[real] = to
	return os.WriteFile(to, text, 0o600)
}

// switches adds the package of the switch, and has the books read by it.
func (w *weaving) switches() error {
	var cells strings.Builder
	fmt.Fprintf(&cells, "package zzmutant\n\n// Most is one more than the highest id.\nconst Most = %d\n\n// Cells are the changes of tables.\nvar Cells = map[int]Cell{\n", len(w.all)+1)
	any := false
	for i, m := range w.all {
		if system, file, ok := cell(m); ok {
			any = true
			fmt.Fprintf(&cells, "\t%d: {%q, %q, %d, %d, %q},\n", i+1, system, file, m.Start, m.End, m.New)
		}
	}
	cells.WriteString("}\n")
	dir := filepath.Join(w.lab.root, "pkg/zzmutant")
	if err := errors.Join(w.put(filepath.Join(dir, "switch.go"), []byte(switchText)), w.put(filepath.Join(dir, "cells.go"), []byte(cells.String()))); err != nil || !any {
		return err
	}
	book := filepath.Join(w.lab.root, "pkg/content/book/book.go")
	src, err := os.ReadFile(book)
	if err != nil {
		return err
	}
	text := strings.ReplaceAll(string(src), "fs.ReadFile(b.files, ", "zzm.Read(b.system, b.files, ")
	text = strings.Replace(text, "\npackage book\n", "\npackage book"+switchImport+"\n", 1)
	if strings.HasPrefix(text, "package book\n") {
		text = strings.Replace(text, "package book\n", "package book"+switchImport+"\n", 1)
	}
	return w.put(book, []byte(text))
}

func (w *weaving) overlay() (string, error) {
	data, err := json.Marshal(map[string]any{"Replace": w.replace})
	if err != nil {
		return "", err
	}
	note := filepath.Join(w.dir, "overlay.json")
	return note, os.WriteFile(note, data, 0o600)
}

var complaint = regexp.MustCompile(`(?m)^(?:\./)?(\S+\.go):(\d+):\d+: (.*)$`)

// compile leaves out what does not compile, line by line.
func (w *weaving) compile(ctx context.Context, dirs []string, byFile map[string]map[int]Mutant, typeOf func(Mutant) string) error {
	for round := 0; ; round++ {
		note, err := w.overlay()
		if err != nil {
			return err
		}
		args := []string{"build", "-overlay", note}
		for _, d := range dirs {
			args = append(args, "./"+d)
		}
		if len(dirs) == 0 {
			return nil
		}
		cmd := exec.CommandContext(ctx, "go", args...)
		cmd.Dir = w.lab.root
		text, err := cmd.CombinedOutput()
		if err == nil {
			return nil
		}
		found := complaint.FindAllStringSubmatch(string(text), -1)
		if len(found) == 0 || round > 60 {
			return fmt.Errorf("the woven tree does not compile: %s", text)
		}
		for _, c := range found {
			for file, of := range byFile { // order-free: each by itself
				real := filepath.Join(w.lab.root, file)
				if c[1] != file && c[1] != real && c[1] != w.replace[real] && !strings.HasSuffix(c[1], filepath.Base(w.replace[real])) {
					continue
				}
				line, _ := strconv.Atoi(c[2])
				for id, m := range of { // order-free: each by itself
					if round > 20 || line >= m.Line && line <= m.Line+2 {
						w.in[id] = false
						delete(of, id)
					}
				}
				var out []int
				if src, err := os.ReadFile(real); err == nil {
					var text []byte
					text, out = woven(src, of, typeOf)
					if err := w.put(real, text); err != nil {
						return err
					}
				}
				for _, id := range out {
					w.in[id] = false
				}
			}
		}
	}
}

// tests builds the tests of a folder, once, and notes what each of them reaches.
func (w *weaving) tests(ctx context.Context, folder string) (*binary, error) {
	if b := w.bins[folder]; b != nil {
		return b, nil
	}
	b := &binary{folder: folder, reach: map[int]map[string]bool{}, took: map[string]time.Duration{}, broken: map[string]bool{}}
	w.bins[folder] = b
	if err := w.noted(folder); err != nil {
		return nil, err
	}
	note, err := w.overlay()
	if err != nil {
		return nil, err
	}
	file := filepath.Join(w.dir, strings.ReplaceAll(folder, "/", "_")+".test")
	cmd := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-overlay", note, "-o", file, "./"+folder)
	cmd.Dir = w.lab.root
	if text, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("the tests of %s: %w: %s", folder, err, text)
	}
	if _, err := os.Stat(file); err != nil {
		return b, nil // without tests
	}
	b.file = file
	log := filepath.Join(w.dir, "reach")
	_ = os.Remove(log)
	args := []string{"-test.v", "-test.short", "-test.parallel=1"}
	if folder == scenarios {
		args = append(args, "-test.run=^TestScenarios$")
	}
	if w.lab.own {
		args = append(args, "-test.skip=^TestRandom")
	}
	began := time.Now()
	text, err := b.run(ctx, w.lab, []string{expects, "SKALD_MUTANT_LOG=" + log}, w.lab.limit, args...)
	b.whole = time.Since(began)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		for _, l := range strings.Split(string(text), "\n") {
			if name, ok := strings.CutPrefix(l, "--- FAIL: "); ok {
				name, _, _ = strings.Cut(name, " ")
				b.broken[name] = true
			}
		}
		if len(b.broken) == 0 {
			return nil, fmt.Errorf("the tests of %s fail as they are: %s", folder, text)
		}
	}
	return b, b.read(log)
}

const scenarios = "cmd/skald"

// system is the rule system that a file belongs to when there are scenarios of it.
func (b *binary) system(file string) string {
	for name := range b.took { // order-free: any one is enough
		if strings.HasPrefix(name, "TestScenarios/"+family(file)+"/") {
			return family(file)
		}
	}
	return ""
}

// noted has the tests of a folder say which of them begins.
func (w *weaving) noted(folder string) error {
	files, err := filepath.Glob(filepath.Join(w.lab.root, folder, "*_test.go"))
	if err != nil {
		return err
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		set := token.NewFileSet()
		tree, err := parser.ParseFile(set, file, src, 0)
		if err != nil {
			return err
		}
		type piece struct {
			at   int
			text string
		}
		var pieces []piece
		for _, d := range tree.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv != nil || f.Body == nil || !strings.HasPrefix(f.Name.Name, "Test") || f.Name.Name == "TestMain" {
				continue
			}
			pieces = append(pieces, piece{set.Position(f.Body.Lbrace).Offset + 1, "zzm.Test(\"" + f.Name.Name + "\"); "})
		}
		ends := set.Position(tree.Name.End()).Offset
		var out bytes.Buffer
		out.Write(src[:ends])
		if len(pieces) > 0 || bytes.Contains(src, []byte("\tt.Parallel()")) {
			out.WriteString(switchImport)
		}
		at := ends
		for _, p := range pieces {
			out.Write(src[at:p.at])
			out.WriteString(p.text)
			at = p.at
		}
		out.Write(src[at:])
		text := bytes.ReplaceAll(out.Bytes(), []byte("\tt.Parallel()"), []byte("\tzzm.Parallel(t)"))
		if err := w.put(file, text); err != nil {
			return err
		}
	}
	return nil
}

// read takes in who reached what.
func (b *binary) read(log string) error {
	text, err := os.ReadFile(log)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	last, at := "", 0
	for _, l := range strings.Split(string(text), "\n") {
		f := strings.Split(l, "\t")
		if len(f) != 3 {
			continue
		}
		id, _ := strconv.Atoi(f[1])
		name := short2(f[0])
		if id == 0 {
			ms, _ := strconv.Atoi(f[2])
			b.took[last] += time.Duration(ms-at) * time.Millisecond
			last, at = name, ms
			continue
		}
		if b.reach[id] == nil {
			b.reach[id] = map[string]bool{}
		}
		b.reach[id][name] = true
	}
	b.took[last] += b.whole - time.Duration(at)*time.Millisecond
	return nil
}

// short2 is what the tests are chosen by: their name, for a scenario that of its
// system and of the file or folder within.
func short2(name string) string {
	parts := strings.Split(name, "/")
	if parts[0] == "TestScenarios" {
		return strings.Join(parts[:min(3, len(parts))], "/")
	}
	return parts[0]
}

// run runs tests with a change on or with what they reach noted.
func (b *binary) run(ctx context.Context, l *lab, env []string, limit time.Duration, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, b.file, args...)
	cmd.Dir = filepath.Join(l.root, b.folder)
	cmd.Env = append(os.Environ(), env...)
	cmd.WaitDelay = 5 * time.Second
	return cmd.CombinedOutput()
}

// chosen are the arguments that run some tests; of the scenarios as such those of
// the system alone that a mutant belongs to.
func chosen(names []string, system string) []string {
	by := map[string][]string{}
	for _, n := range names {
		if n == "TestScenarios" && system != "" {
			return []string{"^TestScenarios$/^" + system + "$"} // all that follow are among them
		}
		top, sub := n, ""
		if strings.HasPrefix(n, "TestScenarios/") {
			i := strings.LastIndex(n, "/")
			top, sub = n[:i], n[i+1:]
		}
		by[top] = append(by[top], sub)
	}
	var out, plain []string
	for _, top := range slices.Sorted(maps.Keys(by)) {
		if !strings.Contains(top, "/") {
			plain = append(plain, top)
			continue
		}
		system := strings.TrimPrefix(top, "TestScenarios/")
		var subs []string
		for _, s := range by[top] {
			subs = append(subs, regexp.QuoteMeta(s))
		}
		out = append(out, "^TestScenarios$/^"+regexp.QuoteMeta(system)+"$/^("+strings.Join(subs, "|")+")$")
	}
	if len(plain) > 0 {
		out = append(out, "^("+strings.Join(plain, "|")+")$")
	}
	return out
}

// try switches a mutant on.
func (w *weaving) try(ctx context.Context, id int) (Outcome, error) {
	m := w.all[id-1]
	if !w.in[id] {
		return w.lab.try(ctx, m)
	}
	began := time.Now()
	out := Outcome{Mutant: m}
	reached := false
	for _, stage := range w.lab.graph.stages(m.File, w.lab.near) {
		for _, folder := range stage.folders {
			if w.lab.skips(folder) {
				continue
			}
			b, err := w.tests(ctx, folder)
			if err != nil {
				return out, err
			}
			by := b.reach[id]
			if len(by) == 0 {
				continue
			}
			reached = true
			_, _, table := cell(m)
			batches := b.order(by, table)
			if w.lab.own && !table {
				batches = b.batches(by)
			}
			for _, names := range batches {
				for _, only := range chosen(names, b.system(m.File)) {
					_, err := b.run(ctx, w.lab, append(stage.env(), "SKALD_MUTANT="+strconv.Itoa(id)), min(w.lab.limit, 30*time.Second+6*b.whole), "-test.short", "-test.failfast", "-test.run="+only)
					if ctx.Err() != nil {
						return out, ctx.Err()
					}
					if err != nil {
						out.Verdict, out.By, out.Took = stage.verdict(), folder, time.Since(began)
						return out, nil
					}
				}
			}
		}
	}
	out.Verdict, out.Took = Survived, time.Since(began)
	if !reached {
		out.Verdict = Unreached
	}
	return out, nil
}

// skips tells whether the tests of a folder are left out.
func (l *lab) skips(folder string) bool {
	return l.own && (folder == scenarios || folder == recorded || folder == oracle) || slices.Contains(slow, folder) ||
		strings.Contains(folder, "/cmd/") || strings.HasSuffix(folder, "repocheck")
}

// order is the tests that may find a mutant in the order in which they are run: few
// quick ones of those that reach it, the rest, and those that take long. What is
// reached before any test, by hardly one or at the reading of a table may be kept
// for those that come after: then the rest follow too.
func (b *binary) order(by map[string]bool, table bool) [][]string {
	out := b.batches(by)
	if !by[""] && !table && len(by) > 2 {
		return out
	}
	rest := map[string]bool{}
	for name := range b.took { // order-free: it becomes a set
		rest[name] = !by[name]
	}
	return append(out, b.batches(rest)...)
}

func (b *binary) batches(by map[string]bool) [][]string {
	var quick, long []string
	for name := range by { // order-free: sorted below
		switch {
		case !by[name] || name == "" || b.broken[name]:
		case strings.HasPrefix(name, "TestRandom") || b.took[name] > 4*time.Second:
			long = append(long, name)
		default:
			quick = append(quick, name)
		}
	}
	slices.Sort(long)
	slices.SortFunc(quick, func(x, y string) int {
		if b.took[x] != b.took[y] {
			return int(b.took[x] - b.took[y])
		}
		return strings.Compare(x, y)
	})
	var out [][]string
	if len(quick) > 24 {
		out, quick = append(out, quick[:12]), quick[12:]
	}
	if len(quick) > 0 {
		out = append(out, quick)
	}
	if len(long) > 0 {
		out = append(out, long)
	}
	return out
}
