package srd5e

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/skaldrpg/skald/pkg/fault"
)

// Limits on the input.
const (
	// MaxBytes is the largest input: 64 MiB.
	MaxBytes = 64 << 20
	// MaxMonsters is the largest number of records.
	MaxMonsters = 10_000
	// maxValues bounds the memory that an input full of small values takes.
	maxValues = 4_000_000
	maxDepth  = 32
)

type kind int

const (
	null kind = iota
	boolean
	number
	text
	list
	object
)

func (k kind) String() string {
	return [...]string{"nothing", "true or false", "a number", "text", "a list", "an object"}[k]
}

// fate is what became of a leaf of a record.
type fate int

const (
	untouched fate = iota
	used
	dropped
)

// value is a JSON value that remembers whether the importer made use of it.
type value struct {
	path   string
	kind   kind
	text   string // of text, number and boolean
	keys   []string
	items  []*value // of a list, or of an object in the order of keys
	fate   fate
	reason string // why it was dropped
	rest   string // what of a used text was left over, with the reason
}

type decoder struct {
	*json.Decoder
	values int
}

func decode(data []byte) (*value, error) {
	if len(data) > MaxBytes {
		return nil, fault.Limit("monster file bytes", MaxBytes, int64(len(data)))
	}
	d := &decoder{Decoder: json.NewDecoder(bytes.NewReader(data))}
	d.UseNumber()
	v, err := d.value(0)
	if err != nil {
		if _, ok := fault.As(err); ok {
			return nil, err
		}
		return nil, fault.Wrap(fault.Invalid, "INVALID_MONSTERS", err, "srd5e: not JSON at byte %d", d.InputOffset())
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, fault.New(fault.Invalid, "INVALID_MONSTERS", "srd5e: more after the JSON at byte %d", d.InputOffset())
	}
	return v, nil
}

func (d *decoder) value(depth int) (*value, error) {
	if d.values++; d.values > maxValues {
		return nil, fault.Limit("monster file values", maxValues, int64(d.values))
	}
	if depth > maxDepth {
		return nil, fault.Limit("monster file nesting", maxDepth, int64(depth))
	}
	tok, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t := tok.(type) {
	case string:
		return &value{kind: text, text: t}, nil
	case json.Number:
		return &value{kind: number, text: t.String()}, nil
	case bool:
		return &value{kind: boolean, text: fmt.Sprint(t)}, nil
	case json.Delim:
		if t == '[' {
			return d.list(depth)
		}
		return d.object(depth)
	}
	return &value{kind: null}, nil
}

func (d *decoder) list(depth int) (*value, error) {
	v := &value{kind: list}
	for d.More() {
		item, err := d.value(depth + 1)
		if err != nil {
			return nil, err
		}
		v.items = append(v.items, item)
	}
	_, err := d.Token()
	return v, err
}

func (d *decoder) object(depth int) (*value, error) {
	v := &value{kind: object}
	seen := map[string]bool{}
	for d.More() {
		tok, err := d.Token()
		if err != nil {
			return nil, err
		}
		key, _ := tok.(string)
		if seen[key] {
			return nil, fault.New(fault.Invalid, "INVALID_MONSTERS", "srd5e: %q given twice in one object at byte %d", excerpt(key), d.InputOffset())
		}
		seen[key] = true
		item, err := d.value(depth + 1)
		if err != nil {
			return nil, err
		}
		v.keys = append(v.keys, key)
		v.items = append(v.items, item)
	}
	_, err := d.Token()
	return v, err
}

// name gives every value below v its path in the record.
func (v *value) name(path string) {
	v.path = path
	for i, item := range v.items {
		switch {
		case v.kind == list:
			item.name(fmt.Sprintf("%s[%d]", path, i))
		case path == "":
			item.name(v.keys[i])
		default:
			item.name(path + "." + v.keys[i])
		}
	}
}

// get is the value of a key; nil when there is none or it is null. A null needs
// no report: it says nothing.
func (v *value) get(key string) *value {
	if v == nil || v.kind != object {
		return nil
	}
	for i, k := range v.keys {
		if k == key && v.items[i].kind != null {
			return v.items[i]
		}
	}
	return nil
}

// all is the items of a list that may be absent.
func (v *value) all() []*value {
	if v == nil || v.kind != list {
		return nil
	}
	return v.items
}

// use marks every leaf of v as used.
func (v *value) use() {
	if v == nil {
		return
	}
	v.fate = used
	for _, item := range v.items {
		item.use()
	}
}

// drop sends every leaf of v that was not used to the report.
func (v *value) drop(reason string) {
	if v == nil {
		return
	}
	if len(v.items) == 0 && v.fate == untouched {
		v.fate, v.reason = dropped, reason
	}
	for _, item := range v.items {
		item.drop(reason)
	}
}

// partly marks a text as used except for rest.
func (v *value) partly(reason, rest string) {
	v.fate, v.reason, v.rest = used, reason, rest
}

// leaves calls f for each text, number and boolean at or below v.
func (v *value) leaves(f func(*value)) {
	switch v.kind {
	case null:
	case list, object:
		for _, item := range v.items {
			item.leaves(f)
		}
	default:
		f(v)
	}
}
