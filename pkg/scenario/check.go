package scenario

import (
	"context"
	"fmt"

	"google.golang.org/protobuf/proto"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// check compares what a viewer finds with what is expected.
func (r *run) check(ctx context.Context, as *eventv1.Principal, e *Expect, out outcome) {
	events := trees(out.events)
	r.checkEvents(e, events)
	for i, no := range e.NoEvents {
		for _, got := range events {
			if compare(no, got).differences == nil {
				r.fail("events", "no_events[%d] came: %s", i, no)
				r.detail("got %s", excerptLong(show(got)))
				break
			}
		}
	}
	r.checkState(ctx, as, e)
	r.checkAmong("options", "options", e.Options, e.NoOptions, trees(out.options))
}

// trees turns messages into values to compare with.
func trees[M proto.Message](list []M) []any {
	out := make([]any, 0, len(list))
	for _, m := range list {
		out = append(out, tree(m.ProtoReflect()))
	}
	return out
}

// checkEvents finds each expected event after the one before it; others may
// stand between them.
func (r *run) checkEvents(e *Expect, events []any) {
	from := 0
	for i, want := range e.Events {
		found := -1
		for j := from; j < len(events) && found < 0; j++ {
			if compareEvent(want, events[j]).differences == nil {
				found = j
			}
		}
		if found >= 0 {
			from = found + 1
			continue
		}
		r.fail("events", "events[%d] did not come: %s", i, want)
		for j := range from {
			if compareEvent(want, events[j]).differences == nil {
				r.detail("such an event came too early: before what events[%d] matched", i-1)
				return
			}
		}
		r.nearest(want, events[from:])
		return
	}
}

// compareEvent compares an event; rules are looked for in any order.
func compareEvent(want pattern, got any) compared {
	f, ok := want.(fields)
	o, isObject := got.(object)
	if !ok || !isObject {
		return compare(want, got)
	}
	var c compared
	for i, key := range f.keys {
		if key != "rules" {
			v, there := o[key]
			if !there {
				v = absent{}
			}
			c.match("."+key, f.values[i], v)
			continue
		}
		for _, rule := range asList(f.values[i]) {
			if !contains(o["rules"], rule) {
				c.differ("rules", rule, o["rules"])
			} else {
				c.agreed++
			}
		}
	}
	return c
}

func asList(p pattern) list {
	if l, ok := p.(list); ok {
		return l
	}
	return list{p}
}

func contains(have any, want pattern) bool {
	all, ok := have.(rows)
	if !ok {
		return false
	}
	for _, x := range all {
		if compare(want, x).differences == nil {
			return true
		}
	}
	return false
}

// nearest tells which of what came is most like what was expected, and where
// it differs.
func (r *run) nearest(want pattern, candidates []any) {
	const most = 2
	type ranked struct {
		got any
		compared
	}
	var best []ranked
	for _, got := range candidates {
		c := compareEvent(want, got)
		if !sameKind(want, got) {
			continue
		}
		at := len(best)
		for at > 0 && c.agreed > best[at-1].agreed {
			at--
		}
		best = append(best[:at], append([]ranked{{got, c}}, best[at:]...)...)
		best = best[:min(len(best), most)]
	}
	if len(best) == 0 {
		r.detail("nothing of that kind came; what came: %s", kinds(candidates))
		return
	}
	for _, b := range best {
		for _, d := range b.differences {
			r.detail("nearest: %s", d)
		}
		r.detail("      of %s", excerptLong(show(b.got)))
	}
}

// sameKind tells whether what came holds the kind of event that was expected.
func sameKind(want pattern, got any) bool {
	f, ok := want.(fields)
	o, isObject := got.(object)
	if !ok || !isObject {
		return true
	}
	for _, key := range f.keys {
		if eventKind(key) != nil {
			_, there := o[key]
			return there
		}
	}
	return true
}

func kinds(events []any) string {
	var out []string
	for _, e := range events {
		o, ok := e.(object)
		if !ok {
			continue
		}
		for _, k := range sortedKeys(o) {
			if eventKind(k) != nil {
				out = append(out, k)
			}
		}
	}
	if len(out) == 0 {
		return "nothing"
	}
	return fmt.Sprint(out)
}

func (r *run) checkState(ctx context.Context, as *eventv1.Principal, e *Expect) {
	if len(e.State) == 0 && !e.decisionsGiven {
		return
	}
	var state any
	if r.s.needsEncounter {
		resp, err := r.state(ctx, as)
		if err != nil {
			r.fail("call", "asking for the state: %v", err)
			return
		}
		state = tree(resp.State.ProtoReflect())
	}
	for _, at := range e.State {
		root := state
		if at.Patient != "" {
			root = r.patient(ctx, as, at.Patient)
		}
		r.checkAt(at, root)
	}
	if !e.decisionsGiven {
		return
	}
	open, err := r.open(ctx, as)
	if err != nil {
		r.fail("call", "asking for decisions: %v", err)
		return
	}
	r.checkDecisions(e.Decisions, trees(open))
}

// patient is a record as a viewer may see it; absent when it may not.
func (r *run) patient(ctx context.Context, as *eventv1.Principal, id string) any {
	resp, err := r.clients.Injury.GetPatient(ctx, &injuryv1.GetPatientRequest{Table: r.table, Patient: id, As: as})
	if err != nil {
		return absent{}
	}
	return tree(resp.Patient.ProtoReflect())
}

func (r *run) checkAt(at StateAt, root any) {
	got, found := lookup(root, at.path, at.want)
	ds := compareAt(at.Path, at.want, got).differences
	if len(ds) == 0 {
		return
	}
	line := r.at.Line
	r.at.Line = at.Line
	r.fail("state", "%s", ds[0])
	r.at.Line = line
	for _, d := range ds[1:] {
		r.detail("%s", d)
	}
	if _, gone := got.(absent); gone {
		near, _ := lookup(root, at.path[:min(len(at.path)-1, depthOf(found))], nothing{})
		if found == "" {
			r.detail("nothing is there")
			return
		}
		r.detail("%s is there: %s", found, excerptLong(show(near)))
	}
}

// depthOf counts the segments of a path that was found.
func depthOf(found string) int {
	path, err := parsePath(found)
	if err != nil {
		return 0
	}
	return len(path)
}

func (r *run) checkDecisions(want []pattern, open []any) {
	if len(want) == 0 {
		if len(open) > 0 {
			r.fail("decisions", "no decision may be open, but: %s", excerptLong(show(rows(open))))
		}
		return
	}
	r.checkAmong("decisions", "decisions", want, nil, open)
}

// checkAmong finds each expected message among those that came, in any order.
func (r *run) checkAmong(check, name string, want, never []pattern, got []any) {
	for i, w := range want {
		if !contains(rows(got), w) {
			r.fail(check, "%s[%d] is not there: %s", name, i, w)
			r.nearestOf(w, got)
		}
	}
	for i, w := range never {
		if contains(rows(got), w) {
			r.fail(check, "no_%s[%d] is there: %s", name, i, w)
		}
	}
}

func (r *run) nearestOf(want pattern, candidates []any) {
	best := compared{agreed: -1}
	var of any
	for _, got := range candidates {
		if c := compare(want, got); c.agreed > best.agreed {
			best, of = c, got
		}
	}
	if of == nil {
		r.detail("there is none at all")
		return
	}
	for _, d := range best.differences {
		r.detail("nearest: %s", d)
	}
	r.detail("      of %s", excerptLong(show(of)))
}
