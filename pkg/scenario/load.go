package scenario

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/library"
)

// ShippedPrefix is what references to shipped sheets begin with.
const ShippedPrefix = "sheets/"

// Shipped finds a shipped sheet by rule system and name; it is how the caller
// says which sheets the build carries.
type Shipped func(system, name string) ([]byte, error)

// Files lists the scenario files below the paths, in order: files as given,
// folders with every .yaml and .yml file below them that is not a sheet. A
// folder named "sheets" or "testdata", or one that is a pack, holds none.
func Files(paths ...string) ([]string, error) {
	var out []string
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, fmt.Errorf("scenario: %w", err)
		}
		if !info.IsDir() {
			out = append(out, path)
			continue
		}
		err = filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
			switch ext := filepath.Ext(name); {
			case err != nil:
				return err
			case d.IsDir() && name != path && (d.Name() == "sheets" || d.Name() == "testdata" || isPack(name)):
				return filepath.SkipDir
			case !d.IsDir() && (ext == ".yaml" || ext == ".yml"):
				out = append(out, name)
			}
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("scenario: %w", err)
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// isPack tells whether a folder is that of a pack.
func isPack(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "pack.yaml"))
	return err == nil
}

// readPacks reads the folders of packs, from the folder of the scenario. What has
// no '/' is a name for the server to find.
func (s *Scenario) readPacks(dir string) (problems []Problem) {
	for _, k := range s.Packs {
		if !strings.Contains(k.Ref, "/") {
			continue
		}
		files, err := library.ReadFolder(os.DirFS(filepath.Join(dir, filepath.FromSlash(k.Ref))))
		if err != nil {
			problems = append(problems, Problem{File: s.File, Line: k.Line, Text: fmt.Sprintf("packs: %s: %v", k.Ref, err)})
		}
		k.Files = files
	}
	return problems
}

// Load reads a file with every scenario in it and their sheets. Sheets named
// "sheets/NAME" without an extension are shipped ones; others are files, from
// the folder of the scenario.
func Load(file string, shipped Shipped) ([]*Scenario, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, fmt.Errorf("scenario: %w", err)
	}
	if info.Size() > MaxBytes {
		return nil, &ParseError{Problems: []Problem{{File: file, Text: fmt.Sprintf("larger than %d bytes", MaxBytes)}}}
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("scenario: %w", err)
	}
	all, err := Parse(file, data)
	if err != nil {
		return nil, err
	}
	var problems []Problem
	for _, s := range all {
		problems = append(problems, s.readPacks(filepath.Dir(file))...)
		err := s.Resolve(func(ref string) ([]byte, error) {
			if name, ok := strings.CutPrefix(ref, ShippedPrefix); ok && filepath.Ext(ref) == "" {
				return shipped(s.System, name)
			}
			return os.ReadFile(filepath.Join(filepath.Dir(file), filepath.FromSlash(ref)))
		})
		if err != nil {
			problems = append(problems, err.(*ParseError).Problems...)
		}
	}
	if len(problems) > 0 {
		return nil, &ParseError{Problems: problems}
	}
	return all, nil
}
