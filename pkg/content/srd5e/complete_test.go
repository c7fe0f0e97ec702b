package srd5e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"testing"

	"google.golang.org/protobuf/proto"
)

// leafPaths walks a record as encoding/json sees it, apart from the importer.
func leafPaths(path string, v any, out *[]string) {
	join := func(key string) string {
		if path == "" {
			return key
		}
		return path + "." + key
	}
	switch x := v.(type) {
	case map[string]any:
		for key, item := range x {
			leafPaths(join(key), item, out)
		}
	case []any:
		for i, item := range x {
			leafPaths(fmt.Sprintf("%s[%d]", path, i), item, out)
		}
	case nil:
	default:
		*out = append(*out, path)
	}
}

// checkComplete asserts for every leaf of every record that it is used or in
// the report, and that the report names nothing else.
func checkComplete(t *testing.T, data []byte) {
	t.Helper()
	sheets, report, trees, err := read(data)
	if err != nil {
		t.Fatal(err)
	}
	var records []any
	if err := json.Unmarshal(data, &records); err != nil {
		t.Fatal(err)
	}
	reported := map[[2]string]int{}
	for _, u := range report.Unused {
		reported[[2]string{u.Monster, u.Path}]++
		if u.Reason == "" || u.Value == "" && u.Path != "languages" {
			t.Errorf("%s %s: reason %q, value %q", u.Monster, u.Path, u.Reason, u.Value)
		}
	}
	for i, record := range records {
		id := sheets[i].Id
		var want []string
		leafPaths("", record, &want)
		sort.Strings(want)
		var got []string
		trees[i].leaves(func(v *value) {
			got = append(got, v.path)
			key := [2]string{id, v.path}
			listed := reported[key]
			delete(reported, key)
			if whole := v.fate == used && v.rest == ""; whole == (listed == 1) || listed > 1 {
				t.Errorf("%s %s: used %v, listed %d times", id, v.path, whole, listed)
			}
		})
		sort.Strings(got)
		if !slices.Equal(want, got) {
			t.Errorf("%s: the importer walked other leaves than the record has", id)
		}
	}
	for key := range reported {
		t.Errorf("%v is reported and not in the record", key)
	}
}

func TestEveryLeafIsUsedOrReported(t *testing.T) { checkComplete(t, fixture(t)) }

// change gives every variant of v with one leaf changed, as JSON.
func change(v any, whole func() []byte, each func(path string, changed []byte), path string, set func(any)) {
	switch x := v.(type) {
	case map[string]any:
		for key, item := range x {
			change(item, whole, each, path+"."+key, func(n any) { x[key] = n })
		}
	case []any:
		for i, item := range x {
			change(item, whole, each, fmt.Sprintf("%s[%d]", path, i), func(n any) { x[i] = n })
		}
	case string:
		set("zzz " + x)
		each(path, whole())
		set(v)
	case json.Number:
		n, _ := x.Int64()
		set(n + 1)
		each(path, whole())
		set(v)
	case bool:
		set(!x)
		each(path, whole())
		set(v)
	}
}

// Whatever leaf of a record changes, the sheet, the report or an error changes
// with it: nothing counts as used without having an effect.
func TestEveryLeafHasAnEffect(t *testing.T) {
	dec := json.NewDecoder(bytes.NewReader(fixture(t)))
	dec.UseNumber()
	var records []any
	if err := dec.Decode(&records); err != nil {
		t.Fatal(err)
	}
	changes := 0
	for _, record := range records {
		whole := func() []byte {
			data, err := json.Marshal(record)
			if err != nil {
				t.Fatal(err)
			}
			return data
		}
		before, reportBefore, err := Import(whole())
		if err != nil {
			t.Fatal(err)
		}
		change(record, whole, func(path string, changed []byte) {
			changes++
			after, report, err := Import(changed)
			if err != nil {
				return
			}
			if proto.Equal(before[0], after[0]) && slices.Equal(reportBefore.Unused, report.Unused) && slices.Equal(reportBefore.Notes, report.Notes) {
				t.Errorf("%s%s: a change has no effect", before[0].Id, path)
			}
		}, "", nil)
	}
	if changes < 500 {
		t.Fatalf("only %d changes tried", changes)
	}
}
