package client

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"google.golang.org/protobuf/types/known/structpb"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// filled is what is filled into a field that is no way; false for nothing. One that
// must be given and takes one value alone has it.
func (f Field) filled(given map[string]any) (any, bool) {
	if own, ok := given[f.Name]; ok {
		return own, true
	}
	if f.Required && len(f.Choices) == 1 {
		return f.Choices[0], true
	}
	return nil, false
}

// wrong says what is wrong with what is filled into a field; empty for nothing.
func (f Field) wrong(given map[string]any, v Values) string {
	if f.Type == TypePath {
		switch _, own := given[f.Name]; {
		case own:
			return "a way is given as the path"
		case f.Required && len(v.Path) == 0:
			return "must be given"
		}
		return ""
	}
	raw, ok := f.filled(given)
	if !ok {
		if f.Required {
			return "must be given"
		}
		return ""
	}
	value, ok := plainValue(raw)
	if text := f.wrongType(value, ok); text != "" {
		return text
	}
	if n, is := value.(float64); is && f.Minimum != nil && (n < float64(*f.Minimum) || n > float64(*f.Maximum)) {
		return fmt.Sprintf("from %d to %d", *f.Minimum, *f.Maximum)
	}
	values := []any{value}
	if f.Type == TypeStrings || f.Type == TypeCreatures {
		values, _ = value.([]any)
	}
	for _, one := range values {
		if len(f.Choices) > 0 && !slices.ContainsFunc(f.Choices, func(c any) bool { return reflect.DeepEqual(c, one) }) {
			return "one of " + f.choices()
		}
	}
	return ""
}

// wrongType says what a value should be; ok tells whether JSON has it at all.
func (f Field) wrongType(value any, ok bool) string {
	want, kind := "a value as JSON has it", reflect.ValueOf(value).Kind()
	switch f.Type {
	case TypeString, TypeCreature:
		want, ok = "a word", ok && kind == reflect.String
	case TypeStrings, TypeCreatures:
		list, is := value.([]any)
		want, ok = "a list of words", is && !slices.ContainsFunc(list, func(v any) bool { return reflect.ValueOf(v).Kind() != reflect.String })
	case TypeNumber:
		want, ok = "a number", ok && kind == reflect.Float64
	case TypeBoolean:
		want, ok = "yes or no", ok && kind == reflect.Bool
	case TypeObject:
		want, ok = "values by name", ok && kind == reflect.Map
	}
	if ok {
		return ""
	}
	return want
}

// choices are the values to choose from, for people.
func (f Field) choices() string {
	texts := make([]string, 0, len(f.Choices))
	for _, c := range f.Choices {
		text, ok := c.(string)
		if !ok {
			var b bytes.Buffer
			to := json.NewEncoder(&b)
			to.SetEscapeHTML(false)
			to.Encode(c) //nolint:errcheck // it came as JSON
			text = strings.TrimSpace(b.String())
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, ", ")
}

// Command is a filled form as a command; a [*FormError] where it is not filled as it
// must be.
func (f Form) Command(v Values) (*eventv1.Command, error) {
	if problems := f.Problems(v); len(problems) > 0 {
		return nil, &FormError{problems}
	}
	cmd := &eventv1.Command{Faces: v.Faces, Answers: v.Answers, RollMode: v.RollMode}
	if f.EndsTurn {
		cmd.What = &eventv1.Command_EndTurn{EndTurn: &eventv1.EndTurn{Creature: f.Creature}}
		return cmd, nil
	}
	parameters, err := said(f.Fields, v.Fields)
	if err != nil {
		return nil, err
	}
	facts, err := said(f.Facts, v.Facts)
	if err != nil {
		return nil, err
	}
	cmd.What = &eventv1.Command_Take{Take: &eventv1.TakeAction{Creature: f.Creature, Action: f.Action, Item: f.Item, Targets: v.Targets,
		Path: v.Path, Circumstances: v.Circumstances, Parameters: parameters, Facts: facts}}
	return cmd, nil
}

// said is what a command says of fields; nil for nothing. A way has a place of its own.
func said(fields []Field, given map[string]any) (*structpb.Struct, error) {
	out := &structpb.Struct{Fields: map[string]*structpb.Value{}}
	for _, f := range fields {
		raw, ok := f.filled(given)
		if !ok || f.Type == TypePath {
			continue
		}
		plain, _ := plainValue(raw) // looked at before
		value, err := structpb.NewValue(plain)
		if err != nil {
			return nil, fmt.Errorf("client: %s: %w", f.Name, err)
		}
		out.Fields[f.Name] = value
	}
	if len(out.Fields) == 0 {
		return nil, nil
	}
	return out, nil
}
