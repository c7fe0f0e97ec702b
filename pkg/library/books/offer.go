package books

import (
	"fmt"
	"os"
	"strings"
	"sync"

	"github.com/skaldrpg/skald/pkg/content/pack"
	"github.com/skaldrpg/skald/pkg/content/packs"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	contentv1 "github.com/skaldrpg/skald/proto/skald/content/v1"
)

// Checked reads a pack's folder, or a file with a pack's stored bytes, checks it,
// and gives the bytes that it is stored as. Errors are pack.Problems and those of
// the file system.
func Checked(base func(system string) (effects.Base, error), path string) (*contentv1.Pack, []byte, error) {
	p, data, err := load(path)
	if err != nil {
		return nil, nil, err
	}
	over, err := base(p.System)
	if err != nil {
		return nil, nil, pack.Problems{{Field: "system", Text: err.Error()}}
	}
	if problems := pack.Check(p, over); len(problems) > 0 {
		return nil, nil, problems
	}
	if data == nil {
		data, err = pack.Marshal(p)
	}
	return p, data, err
}

// load reads a folder, or a file with stored bytes; data is nil for a folder.
func load(path string) (p *contentv1.Pack, data []byte, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, fmt.Errorf("books: %w", err)
	}
	if !info.IsDir() {
		if data, err = os.ReadFile(path); err != nil {
			return nil, nil, fmt.Errorf("books: %w", err)
		}
		p, err = pack.Unmarshal(data)
		return p, data, err
	}
	p, problems := pack.Read(os.DirFS(path))
	if len(problems) > 0 {
		return nil, nil, problems
	}
	return p, nil, nil
}

// Given reads and checks the packs that a server is told to offer to every table.
func Given(base func(system string) (effects.Base, error), paths ...string) ([][]byte, error) {
	var out [][]byte
	for _, path := range paths {
		_, data, err := Checked(base, path)
		if err != nil {
			return nil, fmt.Errorf("content %s: %w", path, err)
		}
		out = append(out, data)
	}
	return out, nil
}

// examples begins the names of packs of the build that are for reading.
const examples = "example-"

// Offer gives the packs that a server offers to every table: those of the build,
// which its tests have checked, and over them those given. The former are read at
// the first call.
func Offer(given ...[]byte) func() ([][]byte, error) {
	return sync.OnceValues(func() ([][]byte, error) {
		var out [][]byte
		for _, name := range packs.List() {
			if strings.HasPrefix(name, examples) {
				continue
			}
			folder, err := packs.Folder(name)
			if err != nil {
				return nil, err
			}
			p, problems := pack.Read(folder)
			if len(problems) > 0 {
				return nil, problems
			}
			data, err := pack.Marshal(p)
			if err != nil {
				return nil, err
			}
			out = append(out, data)
		}
		return append(out, given...), nil
	})
}
