package sheets

import (
	"embed"
	"io/fs"
	"path"
	"sort"
	"strings"
	"sync"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/sheet"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// FS holds the sheets as <system>/<name>.yaml.
//
//go:embed */*.yaml
var FS embed.FS

const suffix = ".yaml"

// List gives the names of the sheets of a rule system in alphabetical order;
// none for a system without sheets.
func List(system string) []string {
	if !plain(system) {
		return nil
	}
	entries, err := fs.ReadDir(FS, system)
	if err != nil {
		return nil
	}
	names := make([]string, 0, len(entries))
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), suffix); ok && !e.IsDir() {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	return names
}

// Get is the sheet of that name, a fresh copy each time, with what it takes from
// content filled in: it says all by itself. An unknown system or name is a
// NotFound fault.
func Get(system, name string) (*eventv1.Sheet, error) {
	if !plain(system) || !plain(name) {
		return nil, fault.New(fault.NotFound, "NO_SUCH_SHEET", "sheets: no sheet %q of system %q", name, system)
	}
	file := path.Join(system, name+suffix)
	if kept, ok := read.Load(file); ok {
		return proto.CloneOf(kept.(*eventv1.Sheet)), nil
	}
	if _, err := fs.Stat(FS, file); err != nil {
		return nil, fault.New(fault.NotFound, "NO_SUCH_SHEET", "sheets: no sheet %q of system %q", name, system)
	}
	s, err := get(system, name, file)
	if err != nil {
		return nil, err
	}
	read.Store(file, proto.CloneOf(s))
	return s, nil
}

// read are the sheets that were asked for, by file: no more than FS holds, which
// never changes.
var read sync.Map

func get(system, name, file string) (*eventv1.Sheet, error) {
	s, err := sheet.ParseFile(FS, file)
	if err != nil || !effects.Refers(s) {
		return s, err
	}
	b, err := stock(system)
	if err != nil {
		return nil, err
	}
	if err := b.Resolve(s); err != nil {
		return nil, fault.Wrap(fault.Internal, "INVALID_SHEET", err, "sheets: %s/%s", system, name)
	}
	effects.Forget(s)
	return s, nil
}

// Read is Get as YAML. A sheet that takes nothing from content is given as it
// stands in its file, with comments.
func Read(system, name string) ([]byte, error) {
	s, err := Get(system, name)
	if err != nil {
		return nil, err
	}
	raw, err := FS.ReadFile(path.Join(system, name+suffix))
	if err != nil {
		return nil, fault.Wrap(fault.Unavailable, "SHEET_FILE", err, "sheets: %s/%s", system, name)
	}
	if plainly, err := sheet.Parse(raw); err != nil || !effects.Refers(plainly) {
		return raw, err
	}
	return sheet.Marshal(s)
}

// plain keeps names from walking about in the file system.
func plain(name string) bool {
	return name != "" && name != "." && !strings.ContainsAny(name, `/\`)
}
