package vectors

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// maxBytes of a file, unpacked.
const maxBytes = 256 << 20

// Run is what one viewer of one fight was told.
type Run struct {
	// Name says which fight it is.
	Name string `json:"name"`
	// Viewer: "gm", "player/NAME" or "spectator".
	Viewer string `json:"viewer"`
	// Steps in order.
	Steps []Step `json:"steps"`
}

// Step is one step, and what it changes of the viewer's state.
type Step struct {
	// Step as protobuf JSON of skald.encounter.v1.Step: events and restored alone.
	Step json.RawMessage `json:"step"`
	// Changes of the state as protobuf JSON, from that before (an empty object before
	// the first step).
	Changes []Change `json:"changes"`
}

// Change puts a value at a place of a JSON document, or takes it away.
type Change struct {
	// At are the keys that lead to the place, through objects alone.
	At []string `json:"at"`
	// Set is the value; absent takes the key away.
	Set json.RawMessage `json:"set,omitempty"`
}

// Of makes a run of what a viewer was told. Sheets are cut down to names: the fold
// does not look into them.
func Of(name, viewer string, steps []*encounterv1.Step) (*Run, error) {
	run := &Run{Name: name, Viewer: viewer}
	state, before := event.NewState(), any(map[string]any{})
	for _, s := range steps {
		s = slim(s)
		state = After(state, s)
		text, err := canonical(s)
		if err != nil {
			return nil, err
		}
		now, err := document(state)
		if err != nil {
			return nil, err
		}
		changes, err := difference(nil, before, now)
		if err != nil {
			return nil, err
		}
		run.Steps, before = append(run.Steps, Step{Step: text, Changes: append([]Change{}, changes...)}), now
	}
	return run, nil
}

// After is the state after a step: the one that a ruling restored, or the fold of its
// events. The state given may be written to.
func After(s *eventv1.State, step *encounterv1.Step) *eventv1.State {
	if step.Restored != nil {
		return event.Clone(step.Restored)
	}
	event.FoldAll(s, step.Events)
	return s
}

// Check folds a run again and says the first step at which the state is another than
// the one written down.
func (r *Run) Check() error {
	var steps []*encounterv1.Step
	for i, s := range r.Steps {
		step := &encounterv1.Step{}
		if err := protojson.Unmarshal(s.Step, step); err != nil {
			return fmt.Errorf("vectors: %s, %s, step %d: %w", r.Name, r.Viewer, i+1, err)
		}
		steps = append(steps, step)
	}
	again, err := Of(r.Name, r.Viewer, steps)
	if err != nil {
		return err
	}
	for i, s := range again.Steps {
		got, want := s.Changes, r.Steps[i].Changes
		if !slices.EqualFunc(got, want, func(a, b Change) bool { return slices.Equal(a.At, b.At) && bytes.Equal(a.Set, b.Set) }) {
			return fmt.Errorf("vectors: %s, %s, step %d: the fold changes %s, want %s", r.Name, r.Viewer, i+1, show(got), show(want))
		}
	}
	return nil
}

func show(changes []Change) string {
	text, err := json.Marshal(changes)
	if err != nil {
		return err.Error()
	}
	return string(text[:min(len(text), 1000)])
}

// Encode writes runs or forms as compressed JSON; the same ones are the same bytes.
func Encode[T Run | Form](w io.Writer, lines []*T) error {
	z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return fmt.Errorf("vectors: %w", err)
	}
	e := json.NewEncoder(z)
	e.SetEscapeHTML(false)
	for _, one := range lines {
		if err := e.Encode(one); err != nil {
			return fmt.Errorf("vectors: %w", err)
		}
	}
	if err := z.Close(); err != nil {
		return fmt.Errorf("vectors: %w", err)
	}
	return nil
}

// Decode reads what Encode wrote.
func Decode[T Run | Form](r io.Reader) ([]*T, error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, fmt.Errorf("vectors: %w", err)
	}
	d := json.NewDecoder(io.LimitReader(z, maxBytes))
	var lines []*T
	for d.More() {
		one := new(T)
		if err := d.Decode(one); err != nil {
			return nil, fmt.Errorf("vectors: %w", err)
		}
		lines = append(lines, one)
	}
	return lines, nil
}

// slim is a step with what the fold reads of it.
func slim(s *encounterv1.Step) *encounterv1.Step {
	out := proto.CloneOf(&encounterv1.Step{Events: s.Events, Restored: s.Restored})
	for _, e := range out.Events {
		if w := e.GetSheetSet(); w != nil {
			w.Sheet = bare(w.Sheet)
		}
		if w := e.GetForked(); w != nil {
			w.Views = nil // of a step that restored them
		}
	}
	for _, c := range out.Restored.GetCreatures() {
		c.Sheet = bare(c.Sheet)
	}
	return out
}

func bare(s *eventv1.Sheet) *eventv1.Sheet {
	if s == nil {
		return nil
	}
	return &eventv1.Sheet{Id: s.Id, Name: s.Name}
}

// canonical is a message as JSON whose bytes do not depend on the build.
func canonical(m proto.Message) (json.RawMessage, error) {
	doc, err := document(m)
	if err != nil {
		return nil, err
	}
	return plain(doc)
}

func document(m proto.Message) (any, error) {
	text, err := protojson.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("vectors: %w", err)
	}
	var doc any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&doc); err != nil {
		return nil, fmt.Errorf("vectors: %w", err)
	}
	return doc, nil
}

func plain(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("vectors: %w", err)
	}
	return bytes.TrimSpace(b.Bytes()), nil
}

// difference leads from one document to another, in the order of the keys.
func difference(at []string, before, after any) ([]Change, error) {
	a, aok := before.(map[string]any)
	b, bok := after.(map[string]any)
	if !aok || !bok {
		was, err := plain(before)
		if err != nil {
			return nil, err
		}
		is, err := plain(after)
		if err != nil || bytes.Equal(was, is) {
			return nil, err
		}
		return []Change{{At: at, Set: is}}, nil
	}
	var out []Change
	for _, key := range keys(a, b) {
		was, had := a[key]
		is, has := b[key]
		here := append(slices.Clone(at), key)
		switch {
		case !has:
			out = append(out, Change{At: here})
		case !had:
			set, err := plain(is)
			if err != nil {
				return nil, err
			}
			out = append(out, Change{At: here, Set: set})
		default:
			inner, err := difference(here, was, is)
			if err != nil {
				return nil, err
			}
			out = append(out, inner...)
		}
	}
	return out, nil
}

func keys(a, b map[string]any) []string {
	var all []string
	for k := range a {
		all = append(all, k)
	}
	for k := range b {
		all = append(all, k)
	}
	slices.Sort(all)
	return slices.Compact(all)
}
