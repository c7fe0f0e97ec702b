package scenario

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/skaldrpg/skald/pkg/render"
)

// DigestsName is the file that holds the digests of the scenarios of its folder and of
// those below.
const DigestsName = "digests.txt"

const digestsHead = `# What each scenario decided when this was written: a digest for the setting up, for each
# step, and for the end. It is what came out, not what a rule says. "skald scenario digest"
# writes it; docs/SCENARIOS.md describes it.
`

// Digests are the digests of the scenarios of a folder.
type Digests struct {
	// File that they are read from and written to.
	File string
	rows map[string]string // by the scenario's file below the folder, and its title
}

// FindDigests is the digests file that a scenario file belongs to: that of its folder,
// or of the nearest above; empty when there is none.
func FindDigests(file string) (string, error) {
	abs, err := filepath.Abs(file)
	if err != nil {
		return "", fmt.Errorf("scenario: %w", err)
	}
	for dir := filepath.Dir(abs); ; dir = filepath.Dir(dir) {
		switch _, err := os.Stat(filepath.Join(dir, DigestsName)); {
		case err == nil:
			return filepath.Join(dir, DigestsName), nil
		case !errors.Is(err, fs.ErrNotExist):
			return "", fmt.Errorf("scenario: %w", err)
		case dir == filepath.Dir(dir):
			return "", nil
		}
	}
}

// ReadDigests reads a digests file; one that is not there holds none.
func ReadDigests(file string) (*Digests, error) {
	d := &Digests{File: file, rows: map[string]string{}}
	data, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("scenario: %w", err)
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, MaxBytes)
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(line, "\t")
		if len(cells) != 3 {
			return nil, fmt.Errorf("scenario: %s:%d: want file, title and digests", file, n)
		}
		key := cells[0] + "\t" + cells[1]
		if _, twice := d.rows[key]; twice {
			return nil, fmt.Errorf("scenario: %s:%d: %s: %q stands here twice", file, n, cells[0], cells[1])
		}
		d.rows[key] = cells[2]
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("scenario: %s: %w", file, err)
	}
	return d, nil
}

// key names a scenario by its file and title.
func (d *Digests) key(file, title string) (string, error) {
	abs, err := filepath.Abs(file)
	if err != nil {
		return "", fmt.Errorf("scenario: %w", err)
	}
	dir, err := filepath.Abs(filepath.Dir(d.File))
	if err != nil {
		return "", fmt.Errorf("scenario: %w", err)
	}
	rel, err := filepath.Rel(dir, abs)
	if err != nil {
		return "", fmt.Errorf("scenario: %w", err)
	}
	return filepath.ToSlash(rel) + "\t" + strings.Join(strings.Fields(title), " "), nil
}

// row is a scenario's digests in a line: those of the steps in order, those of the end
// by name.
func row(parts []Decided) string {
	var out []string
	for i, x := range parts {
		if x.Part != fmt.Sprint(i) {
			out = append(out, x.Part+"="+x.Digest)
			continue
		}
		out = append(out, x.Digest)
	}
	return strings.Join(out, " ")
}

// Drift tells what a scenario decided otherwise than when the digests were written, for
// people; empty when nothing is. The Result is of a Runner that digests.
func (d *Digests) Drift(r *Result) (string, error) {
	key, err := d.key(r.File, r.Title)
	if err != nil {
		return "", err
	}
	was, known := d.rows[key]
	if !known {
		return "no digest of it is written down yet: skald scenario digest " + r.File, nil
	}
	now := row(r.Decided)
	if now == was {
		return "", nil
	}
	return drifted(strings.Fields(was), r.Decided), nil
}

// Check adds to a Result what was decided otherwise, as a failure.
func (d *Digests) Check(r *Result) error {
	drift, err := d.Drift(r)
	if err != nil || drift == "" {
		return err
	}
	head, rest, _ := strings.Cut(drift, "\n")
	f := Failure{Step: -1, Title: r.Title, Line: r.Line, Check: "digest", Message: head}
	if rest != "" {
		f.Details = strings.Split(rest, "\n")
	}
	r.Failures, r.Passed = append(r.Failures, f), false
	return nil
}

// drifted names each part that came out otherwise, and shows what the first of them
// decided now.
func drifted(was []string, parts []Decided) string {
	var first *Decided
	var names []string
	for i := range parts {
		if i < len(was) && strings.TrimPrefix(was[i], parts[i].Part+"=") == parts[i].Digest {
			continue
		}
		if first == nil {
			first = &parts[i]
		}
		names = append(names, parts[i].name())
	}
	if first == nil {
		return fmt.Sprintf("%d digests were written down, %d parts are there: steps are gone", len(was), len(parts))
	}
	style := render.Style{Rules: true, Bookkeeping: true, Labels: true}
	for _, x := range parts {
		style.Learn(x.Events)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "decided otherwise than when its digests were written: %s\n%s (%s) decides now:\n", strings.Join(names, ", "), first.name(), first.Title)
	b.WriteString(style.Events(first.Events))
	if len(first.Options) > 0 {
		b.WriteString(style.Options(first.Options))
	}
	if first.Err != nil {
		fmt.Fprintf(&b, "refused: %s\n", errorWords(first.Err))
	}
	return strings.TrimRight(b.String(), "\n")
}

func (x *Decided) name() string {
	if strings.Trim(x.Part, "0123456789") == "" {
		return "step " + x.Part
	}
	return x.Part
}

// Put takes in what scenarios decided, and forgets those of the same files that did not
// run: they are there no more. Two of a file with one title are refused.
func (d *Digests) Put(results []*Result) error {
	ran, files := map[string]bool{}, map[string]bool{}
	rows := map[string]string{}
	for _, r := range results {
		key, err := d.key(r.File, r.Title)
		if err != nil {
			return err
		}
		if ran[key] {
			return fmt.Errorf("scenario: %s:%d: another scenario of the file has this title too", r.File, r.Line)
		}
		ran[key], rows[key] = true, row(r.Decided)
		file, _, _ := strings.Cut(key, "\t")
		files[file] = true
	}
	for key, was := range d.rows { // order-free: a map is filled
		file, _, _ := strings.Cut(key, "\t")
		if _, err := os.Stat(filepath.Join(filepath.Dir(d.File), filepath.FromSlash(file))); !files[file] && err == nil {
			rows[key] = was
		}
	}
	d.rows = rows
	return nil
}

// Gone lists what digests are written down of and is not among all the scenarios.
func (d *Digests) Gone(all []*Scenario) ([]string, error) {
	there := map[string]bool{}
	for _, s := range all {
		key, err := d.key(s.File, s.Title)
		if err != nil {
			return nil, err
		}
		there[key] = true
	}
	var out []string
	for _, key := range sortedKeys(d.rows) {
		if !there[key] {
			out = append(out, strings.ReplaceAll(key, "\t", ": "))
		}
	}
	return out, nil
}

// Write writes the file.
func (d *Digests) Write() error {
	var b strings.Builder
	b.WriteString(digestsHead)
	for _, key := range sortedKeys(d.rows) {
		b.WriteString(key + "\t" + d.rows[key] + "\n")
	}
	if err := os.WriteFile(d.File, []byte(b.String()), 0o644); err != nil { //nolint:gosec // it is part of the source
		return fmt.Errorf("scenario: %w", err)
	}
	return nil
}

// ByDigests groups results by the digests file that they belong to, in order of the
// files; those that belong to none come under the empty name.
func ByDigests(results []*Result) (files []string, by map[string][]*Result, err error) {
	by = map[string][]*Result{}
	for _, r := range results {
		file, err := FindDigests(r.File)
		if err != nil {
			return nil, nil, err
		}
		by[file] = append(by[file], r)
	}
	return sortedKeys(by), by, nil
}
