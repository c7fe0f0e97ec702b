package cli

import (
	"os"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/content/sheets"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/sheet"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// pairs reads NAME=VALUE arguments of a flag.
func pairs(flag string, args []string) (map[string]string, error) {
	out := map[string]string{}
	for _, arg := range args {
		k, v, ok := strings.Cut(arg, "=")
		if !ok || k == "" {
			return nil, usage("--%s: want NAME=VALUE, got %q", flag, arg)
		}
		out[k] = v
	}
	return out, nil
}

// structOf reads NAME=VALUE arguments whose values are YAML: 3, true, [a, b].
func structOf(flag string, args []string) (*structpb.Struct, error) {
	if len(args) == 0 {
		return nil, nil
	}
	raw, err := pairs(flag, args)
	if err != nil {
		return nil, err
	}
	values := map[string]any{}
	for k, text := range raw {
		var v any
		if err := yaml.Unmarshal([]byte(text), &v); err != nil {
			return nil, usage("--%s: %s: %v", flag, k, err)
		}
		values[k] = v
	}
	s, err := structpb.NewStruct(values)
	if err != nil {
		return nil, usage("--%s: %v", flag, err)
	}
	return s, nil
}

// position reads "X,Y" or "X,Y,Z" in feet; nil for an empty text.
func position(flag, text string) (*eventv1.Position, error) {
	if text == "" {
		return nil, nil
	}
	numbers, err := faces(flag, text)
	if err != nil || len(numbers) < 2 || len(numbers) > 3 {
		return nil, usage("--%s: want X,Y or X,Y,Z in feet, got %q", flag, text)
	}
	p := &eventv1.Position{X: numbers[0], Y: numbers[1]}
	if len(numbers) == 3 {
		p.Z = numbers[2]
	}
	return p, nil
}

// faces reads numbers with commas between them.
func faces(flag, text string) ([]int32, error) {
	var out []int32
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' }) {
		n, err := strconv.ParseInt(word, 10, 32)
		if err != nil {
			return nil, usage("--%s: want whole numbers with commas between them, got %q", flag, text)
		}
		out = append(out, int32(n))
	}
	return out, nil
}

// number reads a counter's value.
func number(flag, text string) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, usage("--%s: want a whole number, got %q", flag, text)
	}
	return n, nil
}

// circumstance reads "advantage:CAUSE", "disadvantage:CAUSE" or "modifier:+2:CAUSE".
func circumstance(text string) (*eventv1.Circumstance, error) {
	direction, cause, _ := strings.Cut(text, ":")
	c := &eventv1.Circumstance{Direction: direction, Cause: cause}
	if direction != "modifier" {
		return c, nil
	}
	value, cause, _ := strings.Cut(cause, ":")
	n, err := strconv.ParseInt(value, 10, 32)
	if err != nil {
		return nil, usage("--circumstance: want modifier:NUMBER:CAUSE, got %q", text)
	}
	c.Value, c.Cause = int32(n), cause
	return c, nil
}

// early reads "NAME=VALUE" or "NAME/CREATURE=VALUE" as an answer given ahead.
func early(args []string) ([]*eventv1.EarlyAnswer, error) {
	var out []*eventv1.EarlyAnswer
	for _, arg := range args {
		k, v, ok := strings.Cut(arg, "=")
		if !ok {
			return nil, usage("--answer: want DECISION=VALUE or DECISION/CREATURE=VALUE, got %q", arg)
		}
		name, creature, _ := strings.Cut(k, "/")
		out = append(out, &eventv1.EarlyAnswer{Decision: name, Creature: creature, Answer: answerOf(v)})
	}
	return out, nil
}

// answerOf makes an answer of a word. The kind of the decision, which only the
// server knows, picks the field that counts.
func answerOf(text string) *eventv1.Answer {
	a := &eventv1.Answer{Option: text}
	if n, err := strconv.ParseInt(text, 10, 32); err == nil {
		a.Number = int32(n)
	}
	if list, err := faces("answer", text); err == nil && len(list) > 0 {
		a.Faces = list
	}
	return a
}

// answerTo makes an answer of a word for a decision whose kind is known.
func answerTo(d *eventv1.Decision, text string) *eventv1.Answer {
	all := answerOf(text)
	switch d.GetKind() {
	case eventv1.DecisionKind_DECISION_KIND_NUMBER:
		return &eventv1.Answer{Number: all.Number}
	case eventv1.DecisionKind_DECISION_KIND_DICE:
		return &eventv1.Answer{Faces: all.Faces}
	case eventv1.DecisionKind_DECISION_KIND_OPTION:
		return &eventv1.Answer{Option: text}
	}
	return all
}

// loadSheet reads a sheet from a file, or takes the shipped one of that name.
func loadSheet(system, name string) (*eventv1.Sheet, error) {
	if _, err := os.Stat(name); err == nil {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, usage("%v", err)
		}
		return sheet.Parse(data)
	}
	s, err := sheets.Get(system, strings.TrimPrefix(name, "sheets/"))
	if fault.Is(err, fault.NotFound) {
		return nil, fault.New(fault.NotFound, "NO_SUCH_SHEET", "there is no file %q, and no shipped sheet of that name (skald sheet list %s)", name, system)
	}
	return s, err
}

// shippedSheet is the text of a shipped sheet, for scenarios.
func shippedSheet(system, name string) ([]byte, error) {
	return sheets.Read(system, name)
}
