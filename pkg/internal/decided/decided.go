package decided

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// File is where the digests of a package lie, in the folder of its tests.
const File = "testdata/decided.txt"

// Switch is the environment variable that says what is done with digests: "off" compares
// none, "write" writes those of the tests that are run, "chance" marks the tests whose
// digests come out otherwise than written as those that draw at random.
const Switch = "SKALD_DIGESTS"

const head = `# What the tables of each test decided when this was written: a digest for each test, or
# several where cases share a name. It is what came out, not what a rule says. "*" stands
# where a test draws at random. SKALD_DIGESTS=write go test PACKAGE writes it;
# CONTRIBUTING.md says when.
`

// byChance stands in place of the digest of a test that draws at random.
const byChance = "*"

// Shelf holds the digests of a package's tests. Its methods may be called at once.
type Shelf struct {
	file, how string

	lock  sync.Mutex
	rows  map[string][]string // by the test's name
	fresh map[string]bool     // written by this process
}

// Open reads the digests in a file, which need not be there; how is the value of [Switch].
func Open(file, how string) (*Shelf, error) {
	s := &Shelf{file: file, how: how, rows: map[string][]string{}, fresh: map[string]bool{}}
	data, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	} else if err != nil {
		return nil, fmt.Errorf("decided: %w", err)
	}
	defer data.Close() //nolint:errcheck // it was read
	lines := bufio.NewScanner(data)
	for lines.Scan() {
		if cells := strings.Fields(lines.Text()); len(cells) > 1 && cells[0] != "#" {
			s.rows[cells[0]] = cells[1:]
		}
	}
	return s, lines.Err()
}

// Of is [Open] of the package under test, by the environment; it panics when the file
// cannot be read, since nothing can be compared then.
func Of(env func(string) string) *Shelf {
	s, err := Open(File, env(Switch))
	if err != nil {
		panic(err)
	}
	return s
}

// Judge compares the digest of a test with those written, or writes it. The error says
// what is due.
func (s *Shelf) Judge(test, digest string) error {
	if s.how == "off" || inPart() {
		return nil
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	name := plain(test)
	was, known := s.rows[name]
	switch {
	case slices.Contains(was, byChance):
		return nil
	case s.how == "write":
		return s.write(name, digest)
	case slices.Contains(was, digest):
		return nil
	case s.how == "chance":
		return s.write(name, byChance)
	case !known:
		return fmt.Errorf("no digest of what %s decides is written down: %s=write go test -run '^%s$'", name, Switch, strings.Split(name, "/")[0])
	}
	return fmt.Errorf("%s decides otherwise than when its digest was written (%s, now %s): CONTRIBUTING.md says what is due", name, strings.Join(was, " "), digest)
}

// again is what the testing package puts behind a name that is there twice.
var again = regexp.MustCompile(`#\d+(/|$)`)

// plain is the name under which the digest of a test is kept: cases of one name are kept
// together, for they may come in any order.
func plain(test string) string { return again.ReplaceAllString(test, "$1") }

// write keeps a digest beside those of the other cases of its name.
func (s *Shelf) write(name, digest string) error {
	if !s.fresh[name] || digest == byChance {
		s.fresh[name], s.rows[name] = true, nil
	}
	if !slices.Contains(s.rows[name], digest) {
		s.rows[name] = append(s.rows[name], digest)
		slices.Sort(s.rows[name])
	}
	var out strings.Builder
	out.WriteString(head)
	for _, name := range slices.Sorted(maps.Keys(s.rows)) {
		fmt.Fprintf(&out, "%s %s\n", name, strings.Join(s.rows[name], " "))
	}
	if err := os.MkdirAll(filepath.Dir(s.file), 0o750); err != nil {
		return fmt.Errorf("decided: %w", err)
	}
	if err := os.WriteFile(s.file, []byte(out.String()), 0o600); err != nil {
		return fmt.Errorf("decided: %w", err)
	}
	return nil
}

// inPart tells whether only some of a test's subtests are run: what they share is not
// whole then.
func inPart() bool {
	run, skip := flag.Lookup("test.run"), flag.Lookup("test.skip")
	return run != nil && strings.Contains(run.Value.String(), "/") || skip != nil && strings.Contains(skip.Value.String(), "/")
}
