package rulestest

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/skaldrpg/skald/pkg/content/pack"
	"github.com/skaldrpg/skald/pkg/content/packs"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
)

// Written is the folder of a pack of files, by name. What it says of itself in
// pack.yaml is put behind a head of that name, unless it has a name already.
func Written(sys rules.System, name string, files map[string]string) fs.FS {
	head := "name: " + name + "\nversion: \"1\"\nsystem: " + sys.Info().ID + "\ntitle: Test\n"
	folder := fstest.MapFS{"pack.yaml": {Data: []byte(head)}}
	for _, file := range rules.SortedKeys(files) {
		text := files[file]
		if file == "pack.yaml" && !strings.HasPrefix(text, "name:") {
			text = head + text
		}
		folder[file] = &fstest.MapFile{Data: []byte(text)}
	}
	return folder
}

// Example is the folder of a pack that ships, by name.
func Example(t testing.TB, name string) fs.FS {
	t.Helper()
	folder, err := packs.Folder(name)
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

// Check is what a folder's pack comes to, or what is wrong with it.
func Check(t testing.TB, sys rules.System, folder fs.FS) (*effects.Book, pack.Problems) {
	t.Helper()
	p, problems := pack.Read(folder)
	if problems != nil {
		return nil, problems
	}
	base := rules.ContentBase(sys)
	if problems := pack.Check(p, base); problems != nil {
		return nil, problems
	}
	data, err := pack.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	b, err := effects.New(base, effects.Pinned{Digest: pack.Digest(data), Pack: p})
	if err != nil {
		t.Fatal(err)
	}
	return b, nil
}

// Book is the content of a folder that holds.
func Book(t testing.TB, sys rules.System, folder fs.FS) *effects.Book {
	t.Helper()
	b, problems := Check(t, sys, folder)
	if problems != nil {
		t.Fatal(problems)
	}
	return b
}
