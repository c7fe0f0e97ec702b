package robustness

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/branch"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// foretold holds that the consequences which a dry run lists are what happened, and
// nothing else.
func (w *wounded) foretold(dry *encounterv1.PreviewRulingResponse, was, now map[string]*eventv1.State) {
	w.t.Helper()
	listed := map[string]bool{w.id: true}
	w.asListed(w.id, "", dry.Changes, was[w.id], now[w.id])
	for _, c := range dry.Onward {
		switch {
		case c.Kind == encounterv1.Consequence_KIND_RECORD:
			listed[c.Patient] = true
			w.asListed(c.Patient, "creatures."+c.Patient+".", c.Changes, was[c.Patient], now[c.Patient])
		case c.Encounter != "":
			listed[c.Encounter] = true
			w.asListed(c.Encounter, "", c.Changes, was[c.Encounter], now[c.Encounter])
		default:
			w.deedForetold(c)
		}
	}
	for _, id := range rules.SortedKeys(was) {
		if listed[id] {
			continue
		}
		if changes, _ := event.Difference(was[id], now[id]); len(changes) > 0 {
			w.t.Errorf("the dry run said nothing of %s: %v", id, changes)
		}
	}
}

// asListed holds that a state differs as a dry run said, in all of that and in nothing else.
func (w *wounded) asListed(id, of string, said []*encounterv1.Change, was, now *eventv1.State) {
	w.t.Helper()
	changes, err := event.Difference(was, now)
	if err != nil {
		w.t.Fatal(err)
	}
	got := map[string]string{}
	for _, x := range changes {
		got[x.Path] = x.After
	}
	for _, x := range said {
		after, is := got[of+x.Path]
		switch {
		case ofTheBooks(x.Path):
		case !is:
			w.t.Errorf("the dry run said of %s that %s becomes %s: it stays as it was", id, x.Path, x.After)
		case after != x.After:
			w.t.Errorf("the dry run said of %s that %s becomes %s: it is %s", id, x.Path, x.After, after)
		}
		delete(got, of+x.Path)
	}
	for path, after := range got {
		if !ofTheBooks(path) {
			w.t.Errorf("the dry run did not say of %s that %s becomes %s", id, path, after)
		}
	}
}

// ofTheBooks tells whether a path is of what all leaves out: the dice, and until when a
// question waits.
func ofTheBooks(path string) bool {
	first, _, _ := strings.Cut(path, ".")
	return strings.HasSuffix(path, "deadline_unix_millis") ||
		slices.Contains([]string{"commitments", "epoch", "entropy", "entropy_open", "secret_dice", "ruling_dice", "dice_format", "beacon"}, first)
}

// deedForetold holds that a deed between fights became what the dry run said: in the
// part that the ruling has in the record.
func (w *wounded) deedForetold(c *encounterv1.Consequence) {
	w.t.Helper()
	var is *eventv1.Redecided
	cmd := &eventv1.Command{}
	w.eachCommit(c.Patient, func(o *event.Opened) {
		if o.Header.Version == c.Version {
			if err := proto.Unmarshal(o.Cause.GetCommand(), cmd); err != nil {
				w.t.Fatal(err)
			}
		}
		for _, e := range o.Events {
			if am := e.GetAmended(); am != nil {
				is = nil
				for _, d := range am.Commands {
					if d.Origin == c.Version {
						is = d
					}
				}
			}
		}
	})
	where := fmt.Sprintf("%s of %s, version %d, %s", c.Deed, c.Patient, c.Version, c.Kind)
	if is == nil {
		alone := len(cmd.GetPatient().GetPatients()) == 1 && cmd.GetPatient().GetUser() == ""
		if c.Kind != encounterv1.Consequence_KIND_SAME && alone { // else the record may have no part in the ruling
			w.t.Errorf("%s: the ruling's part in the record has nothing of it", where)
		}
		return
	}
	w.ruled["deeds "+strings.ToLower(strings.TrimPrefix(c.Kind.String(), "KIND_"))]++
	if is.Forced != (c.Kind == encounterv1.Consequence_KIND_STANDS) {
		w.t.Errorf("%s: forced is %t", where, is.Forced)
	}
	if c.Kind == encounterv1.Consequence_KIND_DROPPED && len(is.Events) > 0 {
		w.t.Errorf("%s: %d events are left", where, len(is.Events))
	}
	if c.Kind != encounterv1.Consequence_KIND_OTHERWISE {
		return
	}
	for _, data := range is.Events {
		e := &eventv1.Event{}
		if err := proto.Unmarshal(data, e); err != nil {
			w.t.Fatal(err)
		}
		if !slices.ContainsFunc(c.GetRuling().GetSteps(), func(s *encounterv1.Step) bool {
			return slices.ContainsFunc(s.Events, func(x *eventv1.Event) bool { return rules.SameEvent(x, e) })
		}) {
			w.t.Errorf("%s: the dry run did not say of %v", where, e)
		}
	}
}

// eachCommit reads the record of a patient.
func (w *wounded) eachCommit(patient string, fn func(*event.Opened)) {
	w.t.Helper()
	stream, err := w.exports.ExportPatient(w.t.Context(), &injuryv1.ExportPatientRequest{As: gm, Patient: patient})
	if err != nil {
		w.t.Fatal(err)
	}
	parts := map[string][][]byte{}
	part := branch.Once(func(name string, fn func([]byte) error) error {
		for _, data := range parts[name] {
			if err := fn(data); err != nil {
				return err
			}
		}
		return nil
	})
	for {
		resp, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			w.t.Fatal(err)
		}
		if p := resp.Line.GetPart(); p != nil {
			branch.Take(parts, p.Branch, p.Data)
		}
		if resp.Line.GetCommit() == nil {
			continue
		}
		o, err := event.Open(resp.Line.GetCommit())
		if err == nil {
			err = branch.Fill(o.Events, part)
		}
		if err != nil {
			w.t.Fatal(err)
		}
		fn(o)
	}
}
