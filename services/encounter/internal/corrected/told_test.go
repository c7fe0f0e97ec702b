package corrected_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/corrected"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

var (
	master  = &eventv1.Principal{Role: eventv1.Principal_ROLE_GM}
	ann     = &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: "ann"}
	watches = &eventv1.Principal{Role: eventv1.Principal_ROLE_SPECTATOR}
)

// filled is the page of a ruling that changes the notes of some commands.
func filled(t *testing.T, as *eventv1.Principal, was, is []*eventv1.Redecided) *encounterv1.Ruling {
	t.Helper()
	told := &encounterv1.Ruling{}
	page := corrected.Page{Step: func(origin uint64) uint64 { return origin }, All: as == master}
	if err := page.Fill(told, corrected.For(as, corrected.Pairs(t.Context(), history(t, 200, was...), history(t, 201, is...)))); err != nil {
		t.Fatal(err)
	}
	return told
}

// A page holds 50 steps and 128 KiB of them; what came out the same takes no room, the first
// is told however long it is, and there is more only where something is left out.
func TestWhatAPageHolds(t *testing.T) {
	long := func(n int) string { return strings.Repeat("x", n) }
	for name, x := range map[string]struct {
		notes []string // "=" is as it was
		steps int
		more  bool
	}{
		"nothing":                    {nil, 0, false},
		"the same alone":             {slices.Repeat([]string{"="}, 60), 0, false},
		"as many as it holds":        {slices.Repeat([]string{"b"}, 50), 50, false},
		"one more":                   {slices.Repeat([]string{"b"}, 51), 50, true},
		"the same between":           {slices.Repeat([]string{"b", "="}, 50), 50, false},
		"too long a one":             {[]string{long(200 << 10)}, 1, false},
		"too long a one and another": {[]string{long(200 << 10), "b"}, 1, true},
		"two that fit":               {[]string{long(50 << 10), long(50 << 10)}, 2, false},
		"three that do not":          {[]string{long(50 << 10), long(50 << 10), long(50 << 10)}, 2, true},
	} {
		var was, is []*eventv1.Redecided
		for i, text := range x.notes {
			origin, now := uint64(i+2), text //nolint:gosec // small
			if text == "=" {
				now = "a"
			}
			was, is = append(was, deed(t, origin, "a")), append(is, deed(t, origin, now))
		}
		if told := filled(t, master, was, is); len(told.Steps) != x.steps || told.More != x.more {
			t.Errorf("%s: %d steps, more %v; want %d, %v", name, len(told.Steps), told.More, x.steps, x.more)
		}
	}
}

// The room of a page is counted in bytes of steps, to the last of them.
func TestTheLastByteOfAPage(t *testing.T) {
	page := func(n int) *encounterv1.Ruling {
		return filled(t, master, []*eventv1.Redecided{deed(t, 2, "a"), deed(t, 3, "a")}, []*eventv1.Redecided{deed(t, 2, "b"), deed(t, 3, strings.Repeat("x", n))})
	}
	for n := 128<<10 - 300; ; n++ {
		told := page(n)
		if len(told.Steps) == 2 {
			continue
		}
		whole := page(n - 1)
		if size := proto.Size(whole.Steps[0]) + proto.Size(whole.Steps[1]); size != 128<<10 {
			t.Errorf("the last page that fits has %d bytes", size)
		}
		return
	}
}

// Who gave a command is told to the game master, to whoever gave it, and to those who hear
// what was done, its first event; of a subject the game master alone is told. What stands
// by force is told where all is.
func TestWhoGaveIt(t *testing.T) {
	by := &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: "ann", Subject: "s"}
	namesake := &eventv1.Principal{Role: eventv1.Principal_ROLE_SPECTATOR, Name: "ann"}
	bob := &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: "bob"}
	plain := &eventv1.Principal{Role: by.Role, Name: by.Name}
	for name, x := range map[string]struct {
		notes []string
		as    *eventv1.Principal
		want  *eventv1.Principal
	}{
		"the game master":                    {[]string{"!x", "y"}, master, by},
		"whoever gave it":                    {[]string{"!x", "y"}, ann, plain},
		"another player":                     {[]string{"!x", "y"}, bob, nil},
		"who only has the name":              {[]string{"!x", "y"}, namesake, nil},
		"another who hears what was done":    {[]string{"y", "!x"}, bob, plain},
		"who watches and hears what is done": {[]string{"y"}, watches, plain},
	} {
		is := deed(t, 2, x.notes...)
		is.Caller, is.Forced = by, true
		told := filled(t, x.as, []*eventv1.Redecided{deed(t, 2, "a")}, []*eventv1.Redecided{is})
		if len(told.Steps) != 1 || !proto.Equal(told.Steps[0].By, x.want) || told.Steps[0].Corrected.Forced != (x.as == master) {
			t.Errorf("%s is told %v, want %v", name, told.Steps, x.want)
		}
		// What did not stand by force is not said to.
		is.Forced = false
		if told := filled(t, x.as, []*eventv1.Redecided{deed(t, 2, "a")}, []*eventv1.Redecided{is}); told.Steps[0].Corrected.Forced {
			t.Errorf("%s: what was not forced is", name)
		}
	}
	// By word of the game master: nobody gave it.
	if told := filled(t, master, nil, []*eventv1.Redecided{deed(t, 2, "a")}); told.Steps[0].By != nil {
		t.Errorf("who gave what nobody gave: %v", told.Steps[0].By)
	}
	// Of what is gone, who had given it.
	was := deed(t, 2, "a")
	was.Caller = by
	if told := filled(t, bob, []*eventv1.Redecided{was, deed(t, 3, "b")}, []*eventv1.Redecided{deed(t, 3, "b")}); len(told.Steps) != 1 ||
		told.Steps[0].Corrected.Kind != encounterv1.Corrected_KIND_GONE || !proto.Equal(told.Steps[0].By, plain) {
		t.Errorf("of what is gone: %v", told.Steps)
	}
}

// What a counter was before is told by the step that set it then: a command that set it to
// the same is none that came out otherwise, one that set another or to another is.
func TestWhatACounterWasBefore(t *testing.T) {
	counted := func(name string, was, now int64, more ...string) *eventv1.Redecided {
		out := deed(t, 3, more...)
		data, err := proto.Marshal(event.New(event.Everyone(), &eventv1.CounterSet{Subject: "a", Counter: name, Was: was, Value: now}))
		if err != nil {
			t.Fatal(err)
		}
		out.Events = append(out.Events, data)
		return out
	}
	for name, x := range map[string]struct {
		is     *eventv1.Redecided
		differ bool
	}{
		"the same":           {counted("n", 1, 5), false},
		"it was another":     {counted("n", 2, 5), false},
		"it is another":      {counted("n", 1, 6), true},
		"both":               {counted("n", 2, 6), true},
		"another counter":    {counted("m", 2, 5), true},
		"and something more": {counted("n", 2, 5, "b"), true},
		"no counter at all":  {deed(t, 3, "b"), true},
	} {
		before, after := history(t, 8, counted("n", 1, 5)), history(t, 9, x.is)
		for p, err := range corrected.Pairs(t.Context(), before, after) {
			if err != nil || corrected.Differs(master, p) != x.differ {
				t.Errorf("%s: %v, %v", name, !x.differ, err)
			}
		}
	}
}

// What nobody hears differs for nobody.
func TestDiffersForWhoHearsIt(t *testing.T) {
	before, after := history(t, 8, deed(t, 2, "!a")), history(t, 9, deed(t, 2, "!b"))
	for p, err := range corrected.Pairs(t.Context(), before, after) {
		if err != nil || !corrected.Differs(master, p) || corrected.Differs(watches, p) {
			t.Errorf("differs for the game master %v, for who watches %v, %v", corrected.Differs(master, p), corrected.Differs(watches, p), err)
		}
		if p.After.HeardBy(watches) || !p.After.HeardBy(master) {
			t.Error("who hears it")
		}
	}
}

// lost is a record of which nothing can be read.
type lost struct{}

var errLost = errors.New("lost")

func (lost) Commit(context.Context, uint64) (*event.Opened, []event.Audible, error) {
	return nil, nil, errLost
}
func (lost) LoadAt(context.Context, uint64) (*replica.Replica, error) { return nil, errLost }

// What can not be read ends it, and is said once; whoever has enough is given no more.
func TestWhatCanNotBeRead(t *testing.T) {
	unread := corrected.Stored(lost{}, []replica.Link{{Origin: 2, At: 2}, {Origin: 3, At: 3}})
	read := history(t, 9, deed(t, 2, "a"), deed(t, 3, "b"))
	for name, pairs := range map[string]iter.Seq2[corrected.Pair, error]{
		"before": corrected.Pairs(t.Context(), unread, read), "after": corrected.Pairs(t.Context(), read, unread),
		"before alone": corrected.Pairs(t.Context(), unread, history(t, 9)),
		"after alone":  corrected.Pairs(t.Context(), history(t, 9), unread),
	} {
		n := 0
		for _, err := range corrected.For(master, pairs) {
			if n++; !errors.Is(err, errLost) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if n != 1 {
			t.Errorf("%s: told of %d times", name, n)
		}
		into := &encounterv1.Ruling{}
		if err := (corrected.Page{Step: func(uint64) uint64 { return 0 }}).Fill(into, corrected.For(master, pairs)); !errors.Is(err, errLost) || len(into.Steps) > 0 {
			t.Errorf("%s: filled with %v, %v", name, into.Steps, err)
		}
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	for _, err := range corrected.Pairs(over, read, read) {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("after the end: %v", err)
		}
	}
	for p, err := range corrected.Pairs(t.Context(), read, history(t, 10)) {
		if err != nil || p.Before.Origin != 2 {
			t.Errorf("the first is %v, %v", p, err)
		}
		break
	}
	for told := range corrected.For(master, corrected.Pairs(t.Context(), read, history(t, 10))) {
		if told.Origin != 2 || told.Number != 1 {
			t.Errorf("the first is %v", told)
		}
		break
	}
}

// Two chains part at the place, the index and the origin of a command alike.
func TestEachPartOfALinkParts(t *testing.T) {
	whole := []replica.Link{{Origin: 1, At: 1}, {Origin: 2, At: 9, Index: 1}}
	for _, l := range []replica.Link{{Origin: 3, At: 9, Index: 1}, {Origin: 2, At: 8, Index: 1}, {Origin: 2, At: 9, Index: 2}, {Origin: 2, At: 9, Index: 1, Answers: []uint64{10}}} {
		other := []replica.Link{whole[0], l}
		if got := corrected.Since(whole, other); got != 1 {
			t.Errorf("%v and %v part at %d", whole[1], l, got)
		}
	}
	if got := corrected.Since(whole, slices.Clone(whole)); got != 2 {
		t.Errorf("the same part at %d", got)
	}
}

// A ruling can put commands before, between and behind those that were.
func TestWhereCommandsComeAndGo(t *testing.T) {
	for name, x := range map[string]struct {
		was, is []uint64
		want    string
	}{
		"nothing":                  {nil, nil, ""},
		"all gone":                 {[]uint64{2, 3}, nil, "-2/0 -3/0"},
		"all new":                  {nil, []uint64{2, 3}, "+2/1 +3/2"},
		"put in first":             {[]uint64{2, 3}, []uint64{9, 2, 3}, "+9/1 =2/2 =3/3"},
		"put in last":              {[]uint64{2, 3}, []uint64{2, 3, 9}, "=2/1 =3/2 +9/3"},
		"one in place of another":  {[]uint64{2, 3, 4}, []uint64{2, 9, 4}, "=2/1 -3/1 +9/2 =4/3"},
		"the last goes, one comes": {[]uint64{2, 3}, []uint64{2, 9}, "=2/1 -3/1 +9/2"},
	} {
		made := func(version uint64, origins []uint64) *corrected.History {
			var all []*eventv1.Redecided
			for _, o := range origins {
				all = append(all, deed(t, o, "a"))
			}
			return history(t, version, all...)
		}
		var got []string
		for p, err := range corrected.Pairs(t.Context(), made(20, x.was), made(21, x.is)) {
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case p.After == nil:
				got = append(got, fmt.Sprintf("-%d/%d", p.Before.Origin, p.Through))
			case p.Before == nil:
				got = append(got, fmt.Sprintf("+%d/%d", p.After.Origin, p.Through))
			default:
				got = append(got, fmt.Sprintf("=%d/%d", p.After.Origin, p.Through))
			}
		}
		if strings.Join(got, " ") != x.want {
			t.Errorf("%s: %q, want %q", name, strings.Join(got, " "), x.want)
		}
	}
}
