package rulestest

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
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
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
)

// DigestsFile is the file, in the folder of a package's tests, that holds a digest of
// all that each test's tables decided. A package without one is not compared.
const DigestsFile = "testdata/decided.txt"

// DigestsSwitch is the environment variable that says what is done with digests: "off"
// compares nothing, "write" writes those of the tests that are run, "chance" marks the
// tests whose digests come out otherwise than written as those that draw at random.
const DigestsSwitch = "SKALD_DIGESTS"

const digestsHead = `# What the tables of each test decided when this was written: a digest for each test, or
# several where cases share a name. It is what came out, not what a rule says. "*" stands
# where a test draws at random. SKALD_DIGESTS=write go test PACKAGE writes it;
# CONTRIBUTING.md says when.
`

// byChance stands in place of the digest of a test that draws at random.
const byChance = "*"

// shelf holds the digests of the package under test, and the tables at play.
var shelf = struct {
	sync.Mutex
	read  bool
	there bool
	rows  map[string][]string
	fresh map[string]bool // written by this process
	tests map[testing.TB]*tested
}{rows: map[string][]string{}, fresh: map[string]bool{}, tests: map[testing.TB]*tested{}}

// tested is the tables of a test, in any order: a test may go through a map of cases.
type tested struct{ tables []*decided }

// decided is all that a table decided: what each command came to, and what whoever has
// the turn may do at the end.
type decided struct {
	table *Table // as it was after its last command
	lines []string
}

// watch notes the table for the digests of its test.
func (f *Table) watch() {
	shelf.Lock()
	defer shelf.Unlock()
	if os.Getenv(DigestsSwitch) == "off" || !shelved() {
		return
	}
	t := shelf.tests[f.T]
	if t == nil {
		t = &tested{}
		shelf.tests[f.T] = t
		f.T.Cleanup(func() { t.compare(f.T) })
	}
	f.decided = &decided{table: f}
	t.tables = append(t.tables, f.decided)
}

// shelved reads the package's digests, once, and tells whether it has any.
func shelved() bool {
	if shelf.read {
		return shelf.there
	}
	shelf.read = true
	file, err := os.Open(DigestsFile)
	if errors.Is(err, fs.ErrNotExist) {
		return false
	} else if err != nil {
		panic(err) // a test's own support: nothing can be compared
	}
	defer file.Close() //nolint:errcheck // it was read
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if cells := strings.Fields(lines.Text()); len(cells) > 1 && cells[0] != "#" {
			shelf.rows[cells[0]] = cells[1:]
		}
	}
	shelf.there = true
	return true
}

// note adds what a run of the rules came to: what it took in, what it gave and what it
// asks, or why it was refused.
func (f *Table) note(out *rules.Outcome, err error) {
	if f.decided == nil || f.Action < 2 { // the creation names the versions of the rules
		return
	}
	sum := sha256.New()
	put := func(kind string, m proto.Message) { fmt.Fprintf(sum, "%s %s\n", kind, event.Canonical(m)) }
	if err != nil {
		refused, _ := fault.As(err)
		if refused == nil {
			fmt.Fprintf(sum, "failed\n")
		} else {
			fmt.Fprintf(sum, "refused %s %s %s\n", refused.Reason, refused.Rule, named(refused))
		}
	} else {
		for _, in := range out.Inputs {
			put("input", in)
		}
		for _, e := range out.Fresh {
			put("event", e)
		}
		for _, d := range out.Open {
			put("open", d)
		}
		if out.Result != nil {
			put("result", out.Result)
		}
	}
	f.decided.lines = append(f.decided.lines, hex.EncodeToString(sum.Sum(nil)[:4]))
}

func named(f *fault.Fault) []string {
	var out []string
	for _, v := range f.Violations {
		out = append(out, v.Field)
	}
	return out
}

// sum is the digest of a table: of its commands in the order of their digests, since a
// test may go through a map of refusals, and what one came to shows in those after it.
func (d *decided) sum() string {
	sum := sha256.New()
	slices.Sort(d.lines)
	fmt.Fprintln(sum, d.lines)
	f := d.table
	for _, id := range f.State.GetActive() {
		for _, o := range f.System.Options(rules.Query{State: f.State, Creature: id, Content: f.Content}) {
			fmt.Fprintf(sum, "option %s\n", event.Canonical(o))
		}
	}
	return hex.EncodeToString(sum.Sum(nil)[:4])
}

// sum is the digest of a test: of its tables in the order of their digests.
func (t *tested) sum() string {
	var sums []string
	for _, d := range t.tables {
		sums = append(sums, d.sum())
	}
	slices.Sort(sums)
	all := sha256.Sum256([]byte(strings.Join(sums, " ")))
	return hex.EncodeToString(all[:5])
}

// compare fails a test whose tables decided otherwise than when its digest was written.
func (t *tested) compare(tb testing.TB) {
	shelf.Lock()
	defer shelf.Unlock()
	delete(shelf.tests, tb)
	if tb.Failed() || tb.Skipped() || inPart() {
		return
	}
	name, now := caseName(tb.Name()), t.sum()
	was, known := shelf.rows[name]
	switch how := os.Getenv(DigestsSwitch); {
	case slices.Contains(was, byChance) || slices.Contains(was, now) && how != "write":
	case how == "write" || how == "chance":
		if err := write(name, now, how == "chance"); err != nil {
			tb.Error(err)
		}
	case !known:
		tb.Errorf("no digest of what this test decides is written down: %s=write go test -run '^%s$'", DigestsSwitch, strings.Split(name, "/")[0])
	default:
		tb.Errorf("%s decides otherwise than when its digest was written (%s, now %s): CONTRIBUTING.md says what is due", name, strings.Join(was, " "), now)
	}
}

// again is what the testing package puts behind a name that is there twice.
var again = regexp.MustCompile(`#\d+$`)

// caseName is the name under which the digest of a test is kept: cases of one name are
// kept together, for they may come in any order.
func caseName(test string) string {
	parts := strings.Split(test, "/")
	for i := range parts {
		parts[i] = again.ReplaceAllString(parts[i], "")
	}
	return strings.Join(parts, "/")
}

// write keeps a digest beside those of the other cases of its name, or marks the test.
func write(name, now string, chance bool) error {
	if !shelf.fresh[name] {
		shelf.fresh[name], shelf.rows[name] = true, nil
	}
	if chance {
		now, shelf.rows[name] = byChance, nil
	}
	if !slices.Contains(shelf.rows[name], now) {
		shelf.rows[name] = append(shelf.rows[name], now)
		slices.Sort(shelf.rows[name])
	}
	return writeShelf()
}

// inPart tells whether only some of a test's subtests are run: what they share at a
// table is not whole then.
func inPart() bool {
	run, skip := flag.Lookup("test.run"), flag.Lookup("test.skip")
	return run != nil && strings.Contains(run.Value.String(), "/") || skip != nil && skip.Value.String() != ""
}

func writeShelf() error {
	var out strings.Builder
	out.WriteString(digestsHead)
	for _, name := range slices.Sorted(maps.Keys(shelf.rows)) {
		fmt.Fprintf(&out, "%s %s\n", name, strings.Join(shelf.rows[name], " "))
	}
	if err := os.MkdirAll(filepath.Dir(DigestsFile), 0o755); err != nil {
		return err
	}
	return os.WriteFile(DigestsFile, []byte(out.String()), 0o644) //nolint:gosec // a file of the repository
}
