package sheets

import (
	"embed"
	"io/fs"
	"path"
	"sort"
	"strings"

	"github.com/skaldrpg/skald/pkg/fault"
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

// Get reads the sheet of that name, a fresh copy each time. An unknown system
// or name is a NotFound fault.
func Get(system, name string) (*eventv1.Sheet, error) {
	if !plain(system) || !plain(name) {
		return nil, fault.New(fault.NotFound, "NO_SUCH_SHEET", "sheets: no sheet %q of system %q", name, system)
	}
	file := path.Join(system, name+suffix)
	if _, err := fs.Stat(FS, file); err != nil {
		return nil, fault.New(fault.NotFound, "NO_SUCH_SHEET", "sheets: no sheet %q of system %q", name, system)
	}
	return sheet.ParseFile(FS, file)
}

// plain keeps names from walking about in the file system.
func plain(name string) bool {
	return name != "" && name != "." && !strings.ContainsAny(name, `/\`)
}
