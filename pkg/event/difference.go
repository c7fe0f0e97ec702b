package event

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Change is one place in which two states differ.
type Change struct {
	// Path, such as "creatures.orc.hp".
	Path string
	// Before and After are the values as JSON; empty where there is none.
	Before, After string
}

// Difference lists in which places two states differ, by path. What belongs to
// the dice (epoch, commitments, entropy) and what stands beside the history (contests,
// save points) is left out: no ruling takes it back.
func Difference(before, after *eventv1.State) ([]Change, error) {
	a, err := tree(before)
	if err != nil {
		return nil, err
	}
	b, err := tree(after)
	if err != nil {
		return nil, err
	}
	var out []Change
	compare("", a, b, &out)
	slices.SortFunc(out, func(x, y Change) int { return cmp.Compare(x.Path, y.Path) })
	return out, nil
}

// tree is a state as plain JSON values.
func tree(s *eventv1.State) (any, error) {
	s = Clone(s)
	KeepDice(s, &eventv1.State{})
	s.Contests, s.SavePoints = nil, nil
	data, err := protojson.MarshalOptions{UseProtoNames: true}.Marshal(proto.Message(s))
	if err != nil {
		return nil, fmt.Errorf("event: difference: %w", err)
	}
	var out any
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(&out); err != nil {
		return nil, fmt.Errorf("event: difference: %w", err)
	}
	return out, nil
}

func compare(path string, a, b any, out *[]Change) {
	am, aok := a.(map[string]any)
	bm, bok := b.(map[string]any)
	if aok && bok {
		keys := map[string]bool{}
		// order-free: a set
		for k := range am {
			keys[k] = true
		}
		// order-free: a set
		for k := range bm {
			keys[k] = true
		}
		// order-free: sorted by the caller
		for k := range keys {
			compare(join(path, k), am[k], bm[k], out)
		}
		return
	}
	x, y := text(a), text(b)
	if x != y {
		*out = append(*out, Change{Path: path, Before: x, After: y})
	}
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// text is a value as JSON with its keys in order; empty for nothing.
func text(v any) string {
	if v == nil {
		return ""
	}
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(data)
}
