package packs

import (
	"embed"
	"io/fs"

	"github.com/skaldrpg/skald/pkg/fault"
)

//go:embed */*.yaml */*/*.yaml */*/*.csv */*.md
var files embed.FS

// List gives the names of the packs in order; each is the name of its folder.
func List() []string {
	entries, err := files.ReadDir(".")
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names
}

// Folder is the folder of a pack, for pack.Read. An unknown name is a NotFound
// fault.
func Folder(name string) (fs.FS, error) {
	if !fs.ValidPath(name) || name == "." {
		return nil, fault.New(fault.NotFound, "NO_SUCH_PACK", "packs: no pack %q", name)
	}
	if info, err := fs.Stat(files, name); err != nil || !info.IsDir() {
		return nil, fault.New(fault.NotFound, "NO_SUCH_PACK", "packs: no pack %q", name)
	}
	return fs.Sub(files, name)
}
