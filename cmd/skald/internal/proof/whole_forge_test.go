package proof

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// ofRecord are the Commits of one record among the lines of a file.
type ofRecord struct {
	name string // as a report has it
	at   []int  // lines
}

// commits are the Commits themselves.
func (r ofRecord) commits(lines []*injuryv1.RecordLine) (out [][]byte) {
	for _, i := range r.at {
		out = append(out, lines[i].GetCommit())
	}
	return out
}

// with puts forged Commits in the place of a record's; what is over is left out.
func (r ofRecord) with(lines []*injuryv1.RecordLine, commits [][]byte) []*injuryv1.RecordLine {
	out := slices.Clone(lines)
	for n, i := range r.at {
		if n < len(commits) {
			out[i] = &injuryv1.RecordLine{What: &injuryv1.RecordLine_Commit{Commit: commits[n]}}
		} else {
			out[i] = nil
		}
	}
	out = slices.DeleteFunc(out, func(l *injuryv1.RecordLine) bool { return l == nil })
	out[len(out)-1] = &injuryv1.RecordLine{What: &injuryv1.RecordLine_End{End: &injuryv1.RecordEnd{Lines: uint64(len(out)) - 1}}}
	return out
}

func recordsOf(t *testing.T, lines []*injuryv1.RecordLine) (out []ofRecord) {
	t.Helper()
	for i, line := range lines {
		if line.GetCommit() == nil {
			continue
		}
		o, err := event.Open(line.GetCommit())
		if err != nil {
			t.Fatal(err)
		}
		name := o.Header.Kind + " " + o.Header.Id
		n := slices.IndexFunc(out, func(r ofRecord) bool { return r.name == name })
		if n < 0 {
			out, n = append(out, ofRecord{name: name}), len(out)
		}
		out[n].at = append(out[n].at, i)
	}
	return out
}

// pick finds a record and a Commit in it by what the Commit does.
func pick(t *testing.T, all []campaign, kind string, fits func(*eventv1.Command, []*eventv1.Event) bool) (campaign, ofRecord, *forger, int) {
	t.Helper()
	for _, c := range all {
		for _, r := range recordsOf(t, c.lines) {
			if !strings.HasPrefix(r.name, kind) {
				continue
			}
			f := open(t, r.commits(c.lines))
			for i, parts := range f.parts {
				cmd := &eventv1.Command{}
				f.must(proto.Unmarshal(parts[0].(*eventv1.CommitCause).Command, cmd))
				var events []*eventv1.Event
				for _, m := range parts[2:] {
					events = append(events, m.(*eventv1.Event))
				}
				if fits(cmd, events) {
					return c, r, f, i
				}
			}
		}
	}
	t.Fatal("no campaign has it")
	return campaign{}, ofRecord{}, nil, 0
}

// linkForgery is a forgery of how a fight and a record go on from each other.
type linkForgery struct {
	kind  string
	fits  func(*eventv1.Command, []*eventv1.Event) bool
	forge func(f *forger, i int)
	field string
}

func deedIs(name string) func(*eventv1.Command, []*eventv1.Event) bool {
	return func(cmd *eventv1.Command, _ []*eventv1.Event) bool { return cmd.GetPatient().GetDeed() == name }
}

// linkForgeries are those of each sort, by what they say.
func linkForgeries() map[string]linkForgery {
	heals := func(cmd *eventv1.Command, events []*eventv1.Event) bool {
		return cmd.GetPatient().GetDeed() == "release" && slices.ContainsFunc(events, func(e *eventv1.Event) bool { return e.GetHitPoints() != nil })
	}
	command := func(f *forger, i int, change func(*eventv1.Command)) {
		cause := f.parts[i][0].(*eventv1.CommitCause)
		cmd := &eventv1.Command{}
		f.must(proto.Unmarshal(cause.Command, cmd))
		change(cmd)
		cause.Command = f.marshal(cmd)
	}
	arrives := func(cmd *eventv1.Command, _ []*eventv1.Event) bool {
		return cmd.GetAdd().GetSheet().GetPatient() != "" && cmd.GetAdd().GetVitals().GetHp() > 1
	}
	return map[string]linkForgery{
		"it left the fight healthier": {"patient", heals, func(f *forger, i int) {
			for _, m := range f.parts[i][2:] {
				if hp := m.(*eventv1.Event).GetHitPoints(); hp != nil {
					hp.Hp += 5
				}
			}
		}, "hit_points.hp"},
		"nothing of the fight was recorded": {"patient", heals, func(f *forger, i int) {
			f.parts[i] = append(f.parts[i][:2], f.parts[i][len(f.parts[i])-1])
		}, ""},
		"it left by another request": {"patient", deedIs("release"), func(f *forger, i int) {
			f.parts[i][0].(*eventv1.CommitCause).RequestId = "another"
		}, ""},
		"it went into another fight": {"patient", deedIs("engage"), func(f *forger, i int) {
			command(f, i, func(c *eventv1.Command) { c.GetPatient().Encounter = "elsewhere" })
		}, "encounter"},
		"it came with more hit points than its record has": {"encounter", arrives, func(f *forger, i int) {
			command(f, i, func(c *eventv1.Command) { c.GetAdd().Vitals.Hp = proto.Int32(c.GetAdd().Vitals.GetHp() - 1) })
			for _, m := range f.parts[i][2:] {
				if hp := m.(*eventv1.Event).GetHitPoints(); hp != nil {
					hp.Hp--
				}
			}
		}, "vitals.hp"},
		"it came with another sheet": {"encounter", arrives, func(f *forger, i int) {
			command(f, i, func(c *eventv1.Command) { c.GetAdd().Sheet.HitPoints++ })
		}, "sheet.hit_points"},
	}
}

// Forged links between fights and records, sealed again: each is found, at the Commit
// that was forged.
func TestForgedLinks(t *testing.T) {
	all := campaigns(t)
	for name, tt := range linkForgeries() {
		t.Run(name, func(t *testing.T) {
			c, r, f, i := pick(t, all, tt.kind, tt.fits)
			tt.forge(f, i)
			got := proveLines(t, r.with(c.lines, f.seal(i)))
			if got.OK() {
				t.Fatalf("it holds: %s", got)
			}
			version := uint64(i) + 1 //nolint:gosec // an index
			if !slices.ContainsFunc(got.Places, func(p FilePlace) bool {
				return p.Record == r.name && p.Version == version && strings.Contains(p.Field, tt.field)
			}) && !says(got.Problems, fmt.Sprintf("%s, version %d:", r.name, version)) {
				t.Errorf("%s, version %d was forged; found: %v", r.name, version, got.Problems)
			}
		})
	}
	t.Run("a leaving is left out", func(t *testing.T) {
		c, r, f, i := pick(t, all, "patient", deedIs("release"))
		f.commits, f.headers, f.parts = f.commits[:i], f.headers[:i], f.parts[:i]
		if got := proveLines(t, r.with(c.lines, f.seal(i))); got.OK() || !says(got.Problems, "record says nothing of it") {
			t.Errorf("%s", got)
		}
	})
	t.Run("the end of the file is missing", func(t *testing.T) {
		lines := all[0].lines
		if got := proveLines(t, lines[:len(lines)-2]); got.OK() || !says(got.Problems, "breaks off") {
			t.Errorf("%s", got)
		}
	})
}

// Any field of any Commit of patients, and of fights that they are in, sealed again with
// all that follows it: found in that record, at that version, or on the list of what no
// record shows.
func TestAnyForgeryOfACampaignIsFound(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	small := slices.DeleteFunc(slices.Clone(campaigns(t)), func(c campaign) bool { return len(c.lines) > 90 })
	for range 3 * forgeries() {
		forgeInCampaign(t, rng, small[rng.IntN(len(small))])
	}
}

func forgeInCampaign(t *testing.T, rng *rand.Rand, c campaign) {
	t.Helper()
	all := recordsOf(t, c.lines)
	patients := slices.DeleteFunc(slices.Clone(all), func(r ofRecord) bool { return strings.HasPrefix(r.name, "encounter") })
	if rng.IntN(4) > 0 && len(patients) > 0 {
		all = patients
	}
	r := all[rng.IntN(len(all))]
	f := open(t, r.commits(c.lines))
	at := rng.IntN(len(f.commits))
	part := rng.IntN(len(f.parts[at]) + 1)
	name, m := "header", proto.Message(f.headers[at])
	if part > 0 {
		name, m = []string{"cause", "inputs", "event"}[min(part-1, 2)], f.parts[at][part-1]
	}
	var places []site
	sites(name, m.ProtoReflect(), func() {}, &places)
	places = slices.DeleteFunc(places, func(s site) bool { // what sealing again puts right
		return strings.HasPrefix(s.path, "header.digests") || s.path == "header.previous_hash" && at > 0
	})
	if len(places) == 0 {
		return
	}
	s := places[rng.IntN(len(places))]
	before := proto.Clone(m)
	s.forge()
	if proto.Equal(before, m) {
		return
	}
	got := proveLines(t, r.with(c.lines, f.seal(at)))
	where := fmt.Sprintf("%s: %s, version %d, %s", c.name, r.name, at+1, s.path)
	version := uint64(at) + 1 //nolint:gosec // an index
	crossing := strings.HasPrefix(r.name, "patient") && crossed(&event.Opened{Cause: f.parts[at][0].(*eventv1.CommitCause)})
	switch {
	case byItself(s.path) && !crossing:
		if !slices.ContainsFunc(got.Unchecked, func(s string) bool { return strings.Contains(s, "times, request ids") }) {
			t.Errorf("%s: not on the list of what is not checked", where)
		}
	case s.path == "header.unix_millis" || strings.HasPrefix(s.path, "cause.principal") && crossing && got.OK():
	case got.Holds():
		t.Errorf("%s: it holds\nwas %v\nis  %v", where, before, m)
	case got.OK() && got.unknown == 0 && got.Deeds+got.Crossings == got.PatientCommits && got.Decided == got.Commits:
		t.Errorf("%s: not found: %s", where, got)
	case got.OK(): // said to be decided by other rules or content, and so not checked
	case strings.HasPrefix(s.path, "header."): // of another record now: where it is found hangs on which
	case !slices.ContainsFunc(got.Places, func(p FilePlace) bool { return p.Record == r.name && p.Version == version }) &&
		!says(got.Problems, fmt.Sprintf("%s, version %d", r.name, version)):
		t.Errorf("%s: found elsewhere: %v", where, got.Problems)
	}
}

// Every field of every ruling that goes on into records, in the fights' parts and in
// those of patients, sealed again: found, and at that Commit unless it says what the
// others are.
func TestForgedRulings(t *testing.T) {
	var ruled []campaign
	for _, c := range campaigns(t) {
		if strings.HasPrefix(c.name, "ruled-") {
			ruled = append(ruled, c)
		}
	}
	for _, c := range ruled {
		t.Run(c.name, func(t *testing.T) {
			whole := proveLines(t, c.lines)
			if !whole.OK() || whole.Decided != whole.Commits || whole.Deeds+whole.Crossings != whole.PatientCommits {
				t.Fatalf("not all of it is decided again: %s", whole)
			}
			rng := rand.New(rand.NewPCG(8, 1))
			found := 0
			for _, r := range recordsOf(t, c.lines) {
				for at := range r.at {
					found += forgeRuling(t, rng, c, r, at)
				}
			}
			t.Logf("%d forgeries", found)
			if found == 0 {
				t.Error("nothing was forged")
			}
		})
	}
}

// forgeRuling forges fields of a Commit, if it is a ruling's of several records, and
// tells how many.
func forgeRuling(t *testing.T, rng *rand.Rand, c campaign, r ofRecord, at int) (forged int) {
	t.Helper()
	o, err := event.Open(c.lines[r.at[at]].GetCommit())
	if err != nil {
		t.Fatal(err)
	}
	if !across(o) && !(o.Header.Kind == "patient" && ofFights(o)) {
		return 0
	}
	collect := func() (*forger, []site) {
		f := open(t, r.commits(c.lines))
		var places []site
		for part, m := range f.parts[at] {
			sites([]string{"cause", "inputs", "event"}[min(part, 2)], m.ProtoReflect(), func() {}, &places)
		}
		return f, slices.DeleteFunc(places, func(s site) bool { return byItself(s.path) })
	}
	_, places := collect()
	for _, i := range rng.Perm(len(places))[:min(len(places), max(3, forgeries()/12))] {
		f, places := collect()
		before := f.snapshot(at)
		places[i].forge()
		if before == f.snapshot(at) {
			continue
		}
		forged++
		got := proveLines(t, r.with(c.lines, f.seal(at)))
		where := fmt.Sprintf("%s, version %d", r.name, at+1)
		if got.OK() {
			t.Errorf("%s: %s: not found: %s", where, places[i].path, got)
		}
	}
	return forged
}

// snapshot is a Commit's parts as text.
func (f *forger) snapshot(at int) string { return fmt.Sprint(f.parts[at]) }
