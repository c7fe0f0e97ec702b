package rulestest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
)

// Digests judges the digest of all that the tables of a test decided; the error says what
// is amiss.
type Digests interface {
	Judge(test, digest string) error
}

// Digested has what the tables of the package's tests decide judged when each test ends.
// It is called once, before the first test.
func Digested(by Digests) { digests.by = by }

var digests = struct {
	sync.Mutex
	by    Digests
	tests map[testing.TB]*tested
}{tests: map[testing.TB]*tested{}}

// tested is the tables of a test, in any order: a test may go through a map of cases.
type tested struct{ tables []*decided }

// decided is all that a table decided: what each command came to, and what whoever has
// the turn may do at the end.
type decided struct {
	table *Table
	lines []string
}

// watch notes the table for the digest of its test.
func (f *Table) watch() {
	digests.Lock()
	defer digests.Unlock()
	if digests.by == nil {
		return
	}
	tb := f.T // a test may set another later
	t := digests.tests[tb]
	if t == nil {
		t = &tested{}
		digests.tests[tb] = t
		tb.Cleanup(func() { judge(tb, t) })
	}
	f.decided = &decided{table: f}
	t.tables = append(t.tables, f.decided)
}

// judge fails a test whose tables decided otherwise than they did.
func judge(t testing.TB, of *tested) {
	digests.Lock()
	delete(digests.tests, t)
	digests.Unlock()
	if t.Failed() || t.Skipped() {
		return
	}
	if err := digests.by.Judge(t.Name(), of.sum()); err != nil {
		t.Error(err)
	}
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
		fmt.Fprintln(sum, refusal(err))
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

// refusal is what a refusal decides: its words may be put better.
func refusal(err error) string {
	refused, _ := fault.As(err)
	if refused == nil {
		return "failed"
	}
	words := []string{"refused", refused.Reason, refused.Rule}
	for _, v := range refused.Violations {
		words = append(words, v.Field)
	}
	return strings.Join(words, " ")
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
