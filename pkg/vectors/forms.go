package vectors

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/client"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Form is an option, the form that it is, and what comes of filling it in; or a
// decision, the prompt that it is, and what comes of answering it.
type Form struct {
	// Option as protobuf JSON of skald.event.v1.Option, and the form without squares.
	Option json.RawMessage `json:"option,omitempty"`
	Form   *client.Form    `json:"form,omitempty"`
	Fills  []Fill          `json:"fills,omitempty"`
	// Decision and Waiting likewise; no Waiting is none.
	Decision json.RawMessage `json:"decision,omitempty"`
	Waiting  json.RawMessage `json:"waiting,omitempty"`
	Prompt   *client.Prompt  `json:"prompt,omitempty"`
	// Deadline of the prompt, milliseconds since 1970; 0 is never.
	Deadline int64  `json:"deadline,omitempty"`
	Replies  []Fill `json:"replies,omitempty"`
}

// Fill is what somebody filled in or answered.
type Fill struct {
	// Choice of the form, -1 for the form itself.
	Choice int `json:"choice"`
	// Values of a form.
	Values *Values `json:"values,omitempty"`
	// Given answers a prompt: an option, a number or faces. Alike goes with it.
	Given any  `json:"given,omitempty"`
	Alike bool `json:"alike,omitempty"`
	// Problems with it; without any, Command is the command as protobuf JSON.
	Problems []client.Problem `json:"problems,omitempty"`
	Command  json.RawMessage  `json:"command,omitempty"`
}

// Values are those of a form, in JSON.
type Values struct {
	Targets  []string           `json:"targets,omitempty"`
	Fields   map[string]any     `json:"fields,omitempty"`
	Facts    map[string]any     `json:"facts,omitempty"`
	Path     []map[string]int32 `json:"path,omitempty"`
	Faces    []int32            `json:"faces,omitempty"`
	RollMode int32              `json:"rollMode,omitempty"`
}

// OfOption makes a vector of an option: filled in well and badly, the same for the
// same seed.
func OfOption(o *eventv1.Option, seed uint64) (*Form, error) {
	text, err := canonical(o)
	if err != nil {
		return nil, err
	}
	form := client.FormOf(o)
	out, r := &Form{Option: text, Form: &form}, filler{rand.New(rand.NewPCG(seed, 11))}
	for n := -1; n < len(form.Choices); n++ {
		one := form
		if n >= 0 {
			one = form.Choices[n]
		}
		for range 3 {
			out.Fills = append(out.Fills, Fill{Choice: n, Values: r.well(one)}, Fill{Choice: n, Values: r.badly(one)})
		}
		if n == 2 {
			break // further ones are alike
		}
	}
	return out, out.answer()
}

// OfDecision makes a vector of a decision likewise.
func OfDecision(d *eventv1.Decision, w *encounterv1.Waiting, seed uint64) (*Form, error) {
	text, err := canonical(d)
	if err != nil {
		return nil, err
	}
	out := &Form{Decision: text}
	if w != nil {
		if out.Waiting, err = canonical(w); err != nil {
			return nil, err
		}
	}
	p, r := client.PromptOf(d, w), rand.New(rand.NewPCG(seed, 13))
	out.Prompt = &p
	if !p.Deadline.IsZero() {
		out.Deadline = p.Deadline.UnixMilli()
	}
	given := []any{"", "nobody's", p.Minimum, p.Minimum - 1, p.Maximum, p.Maximum + 1, []int32{}, []int32{1, -1, 1, 1, 1, 1}, []int32{1, 2, 3, 4, 5, 6, 7, 8}}
	for _, o := range p.Options {
		given = append(given, o.ID)
	}
	for _, one := range given {
		out.Replies = append(out.Replies, Fill{Choice: -1, Given: one, Alike: r.IntN(2) == 0})
	}
	return out, out.answer()
}

// answer writes down what the client makes of everything that is filled in.
func (f *Form) answer() error {
	for i := range f.Fills {
		one := *f.Form
		if f.Fills[i].Choice >= 0 {
			one = f.Form.Choices[f.Fills[i].Choice]
		}
		if err := f.Fills[i].take(one.Command(f.Fills[i].Values.values())); err != nil {
			return err
		}
	}
	for i := range f.Replies {
		reply := &f.Replies[i]
		var cmd *eventv1.Command
		err := errors.New("vectors: no answer")
		switch given := reply.Given.(type) {
		case string:
			cmd, err = f.Prompt.Choose(given, reply.Alike)
		case int32:
			cmd, err = f.Prompt.Number(given, reply.Alike)
		case []int32:
			cmd, err = f.Prompt.Roll(given, reply.Alike)
		}
		if err := reply.take(cmd, err); err != nil {
			return err
		}
	}
	return nil
}

func (f *Fill) take(cmd *eventv1.Command, err error) error {
	var refused *client.FormError
	switch {
	case errors.As(err, &refused):
		f.Problems, f.Command = refused.Problems, nil
		return nil
	case err != nil:
		return err
	}
	f.Problems = nil
	f.Command, err = canonical(cmd)
	return err
}

func (v *Values) values() client.Values {
	out := client.Values{Targets: v.Targets, Fields: v.Fields, Facts: v.Facts, Faces: v.Faces, RollMode: eventv1.RollMode(v.RollMode)}
	for _, p := range v.Path {
		out.Path = append(out.Path, &eventv1.Position{X: p["x"], Y: p["y"], Z: p["z"]})
	}
	return out
}

// Check makes everything of the option or the decision again and says what is another
// than written down.
func (f *Form) Check() error {
	again := &Form{Option: f.Option, Decision: f.Decision, Waiting: f.Waiting}
	for _, fill := range f.Fills {
		again.Fills = append(again.Fills, Fill{Choice: fill.Choice, Values: fill.Values})
	}
	for _, reply := range f.Replies {
		given, err := typed(reply.Given)
		if err != nil {
			return err
		}
		again.Replies = append(again.Replies, Fill{Choice: -1, Given: given, Alike: reply.Alike})
	}
	read := func(text json.RawMessage, m proto.Message) error {
		if len(text) == 0 {
			return nil
		}
		return protojson.Unmarshal(text, m)
	}
	if len(f.Decision) > 0 {
		d, w := &eventv1.Decision{}, &encounterv1.Waiting{}
		if err := errors.Join(read(f.Decision, d), read(f.Waiting, w)); err != nil {
			return fmt.Errorf("vectors: %w", err)
		}
		p := client.PromptOf(d, w)
		again.Prompt = &p
		if !p.Deadline.IsZero() {
			again.Deadline = p.Deadline.UnixMilli()
		}
	} else {
		o := &eventv1.Option{}
		if err := read(f.Option, o); err != nil {
			return fmt.Errorf("vectors: %w", err)
		}
		form := client.FormOf(o)
		again.Form = &form
	}
	if err := again.answer(); err != nil {
		return err
	}
	got, err := generic(again)
	if err != nil {
		return err
	}
	want, err := generic(f)
	if err == nil && !reflect.DeepEqual(got, want) {
		err = fmt.Errorf("vectors: %.300s%.300s: the client makes\n%.2000v\nand written down is\n%.2000v", f.Option, f.Decision, got, want)
	}
	return err
}

// typed is an answer that came as JSON.
func typed(v any) (any, error) {
	switch v := v.(type) {
	case float64:
		return int32(v), nil
	case []any:
		faces := []int32{}
		for _, one := range v {
			n, ok := one.(float64)
			if !ok {
				return nil, fmt.Errorf("vectors: no face: %v", one)
			}
			faces = append(faces, int32(n))
		}
		return faces, nil
	}
	return v, nil
}

func generic(f *Form) (out any, err error) {
	text, err := json.Marshal(f)
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	if err != nil {
		return nil, fmt.Errorf("vectors: %w", err)
	}
	return out, nil
}

// filler fills forms in.
type filler struct{ *rand.Rand }

// well fills a form in as far as the form itself says how.
func (r filler) well(f client.Form) *Values {
	v := &Values{Fields: map[string]any{}, Facts: map[string]any{}}
	for len(v.Targets) < int(f.Targets.Minimum) {
		id := fmt.Sprint("t", len(v.Targets))
		if n := len(f.Targets.Choices); n > 0 {
			id = f.Targets.Choices[r.IntN(n)]
		}
		v.Targets = append(v.Targets, id)
	}
	into := func(fields []client.Field, to map[string]any) {
		for _, field := range fields {
			switch {
			case !field.Required && r.IntN(2) == 0:
			case field.Type == client.TypePath:
				v.Path = []map[string]int32{{"x": 5}, {"x": 5, "y": -10, "z": 15}}
			default:
				to[field.Name] = r.value(field)
			}
		}
	}
	into(f.Fields, v.Fields)
	into(f.Facts, v.Facts)
	if r.IntN(3) == 0 {
		v.Faces, v.RollMode = []int32{1, 20}, int32(1+r.IntN(3))
	}
	return v
}

func (r filler) value(f client.Field) any {
	many := f.Type == client.TypeStrings || f.Type == client.TypeCreatures
	if n := len(f.Choices); n > 0 {
		one := f.Choices[r.IntN(n)]
		if many {
			return []any{one}
		}
		return one
	}
	switch f.Type {
	case client.TypeNumber:
		if f.Minimum != nil {
			return *f.Minimum + int32(r.IntN(int(*f.Maximum-*f.Minimum)+1)) //nolint:gosec // a form's bounds
		}
		return 7.5
	case client.TypeBoolean:
		return r.IntN(2) == 0
	case client.TypeObject:
		return map[string]any{"b": 1, "a": []any{"x", nil, true}}
	case client.TypeStrings, client.TypeCreatures:
		return []any{"one", "two"}
	}
	return "a word"
}

// badly fills a form in and then spoils something.
func (r filler) badly(f client.Form) *Values {
	v := r.well(f)
	spoil := func(fields []client.Field, in map[string]any) {
		if len(fields) == 0 {
			in["unasked"] = 1
			return
		}
		field := fields[r.IntN(len(fields))]
		in[field.Name] = []any{nil, "", strings.Repeat("z", 9), 1_000_000, -1_000_000.5, true, []any{}, []any{"zz"}, []any{1}, map[string]any{"z": "<>&"}}[r.IntN(10)]
		if field.Type == client.TypePath && r.IntN(2) == 0 {
			delete(in, field.Name)
			v.Path = nil
		}
	}
	switch r.IntN(6) {
	case 0:
		v.Targets = append(v.Targets, "stranger", "and another")
	case 1:
		v.Targets = nil
	case 2:
		v = &Values{Fields: map[string]any{}, Facts: map[string]any{}}
	case 3:
		spoil(f.Facts, v.Facts)
	default:
		spoil(f.Fields, v.Fields)
	}
	return v
}
