package srd5e

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/skaldrpg/skald/pkg/fault"
)

// everyNode calls each with a setter for every value below v.
func everyNode(v any, path string, each func(path string, set func(any), old any)) {
	switch x := v.(type) {
	case map[string]any:
		for key, item := range x {
			each(path+"."+key, func(n any) { x[key] = n }, item)
			everyNode(item, path+"."+key, each)
		}
	case []any:
		for i, item := range x {
			each(fmt.Sprintf("%s[%d]", path, i), func(n any) { x[i] = n }, item)
			everyNode(item, fmt.Sprintf("%s[%d]", path, i), each)
		}
	}
}

// A value of a wrong shape anywhere is a fault or a report, never a panic, and
// never loses another leaf.
func TestWrongShapesAnywhere(t *testing.T) {
	var records []any
	if err := json.Unmarshal(fixture(t), &records); err != nil {
		t.Fatal(err)
	}
	wrong := []any{nil, "x", -1, []any{map[string]any{}}, map[string]any{}}
	for _, record := range records {
		everyNode(record, "", func(path string, set func(any), old any) {
			for _, w := range wrong {
				set(w)
				data, err := json.Marshal([]any{record})
				if err != nil {
					t.Fatal(err)
				}
				if _, _, err := Import(data); err != nil {
					if _, ok := fault.As(err); !ok {
						t.Errorf("%s with %v: not a fault: %v", path, w, err)
					}
					continue
				}
				checkComplete(t, data)
			}
			set(old)
		})
	}
}
