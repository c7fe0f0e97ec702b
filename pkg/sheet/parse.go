package sheet

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"go.yaml.in/yaml/v3"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/limits"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

const (
	// MaxBytes is the largest document that Parse reads: 1 MiB.
	MaxBytes = limits.SheetBytes
	// MaxAllBytes is the largest input that ParseAll reads: 16 MiB.
	MaxAllBytes = 16 << 20
	// MaxSheets is the largest number of documents that ParseAll reads.
	MaxSheets = 10_000
)

// Parse reads one sheet from YAML or JSON of at most MaxBytes. Every error is
// a *fault.Fault; unknown fields and wrong types are violations that name the
// field and its line. Input with more than one document is an error.
func Parse(data []byte) (*eventv1.Sheet, error) {
	if len(data) > MaxBytes {
		return nil, fault.Limit("sheet bytes", MaxBytes, int64(len(data)))
	}
	all, err := parse(data, 2)
	if err != nil {
		return nil, err
	}
	if len(all) > 1 {
		return nil, fault.New(fault.Invalid, "INVALID_SHEET", "sheet: want one document, got several")
	}
	return all[0], nil
}

// ParseAll reads one or more sheets from a YAML stream of at most MaxAllBytes.
// Empty documents are passed over; a stream without any sheet is an error.
func ParseAll(data []byte) ([]*eventv1.Sheet, error) {
	if len(data) > MaxAllBytes {
		return nil, fault.Limit("sheet bytes", MaxAllBytes, int64(len(data)))
	}
	return parse(data, MaxSheets)
}

// ParseFile reads one sheet from a file of fsys. A file that cannot be opened
// is a NotFound or Unavailable fault.
func ParseFile(fsys fs.FS, name string) (*eventv1.Sheet, error) {
	f, err := fsys.Open(name)
	if err != nil {
		code := fault.Unavailable
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) {
			code = fault.NotFound
		}
		return nil, fault.Wrap(code, "SHEET_FILE", err, "sheet: opening %s", name)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxBytes+1))
	if err != nil {
		return nil, fault.Wrap(fault.Unavailable, "SHEET_FILE", err, "sheet: reading %s", name)
	}
	out, err := Parse(data)
	if found, ok := fault.As(err); ok {
		found.Message = name + ": " + found.Message
		return nil, found
	}
	return out, err
}

func parse(data []byte, most int) ([]*eventv1.Sheet, error) {
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var out []*eventv1.Sheet
	for {
		var doc yaml.Node
		err := dec.Decode(&doc)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fault.Wrap(fault.Invalid, "INVALID_SHEET", err, "sheet: not YAML")
		}
		if len(doc.Content) == 0 || isNull(doc.Content[0]) {
			continue
		}
		if len(out) == most {
			return nil, fault.Limit("sheets", int64(most), int64(most)+1)
		}
		path := "sheet"
		if len(out) > 0 {
			path = fmt.Sprintf("sheet[%d]", len(out))
		}
		s, err := FromNode(&doc, path)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	if len(out) == 0 {
		return nil, fault.New(fault.Invalid, "INVALID_SHEET", "sheet: empty")
	}
	return out, nil
}
